//! Loops around so much that nothing is worth holding through them.
//!
//! LLVM moves constants, addresses of variables and broadcasts out of loops, whatever registers there are, because its register
//! allocator can compute them again where they are used. Out of the loop over the vectors of a work-group, whose body is a
//! whole kernel, that makes a value for each constant of the kernel, alive in all of its blocks; the allocator then looks at
//! each in each block, and in the end computes it where it was. A kernel of 320 `printf`s had its 320 texts' addresses held so:
//! three of four seconds.
//!
//! What LLVM takes for a loop is entered at one block. So a loop of more than [`MUCH`] instructions gets a second way in, by
//! which the values that it begins with come as if from an iteration before: it is the same whichever way is taken, and which one is
//! hidden behind an empty piece of assembly. The loops inside of it stay what they are, and so does what moves out of *them*.
//!
//! Cost: linear in instructions and edges.

use super::walk;
use crate::writer::Unit;
use crate::writer::ll::{Bb, Func, Ipred, Ll, Ty, Val};
use inkwell::llvm_sys::core::{
    LLVMBasicBlockAsValue, LLVMCountIncoming, LLVMGetBasicBlockTerminator, LLVMGetEntryBasicBlock, LLVMGetFirstUse,
    LLVMGetIncomingBlock, LLVMGetIncomingValue, LLVMGetInstructionParent, LLVMGetNextUse, LLVMGetNumSuccessors,
    LLVMGetSuccessor, LLVMGetUser, LLVMInstructionEraseFromParent, LLVMIsAPHINode, LLVMReplaceAllUsesWith,
    LLVMSetSuccessor, LLVMTypeOf,
};
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most instructions of a loop that LLVM knows for one.
const MUCH: usize = 2000;

/// Hides the large loops of a module.
pub(super) fn hide(unit: &Unit) {
    let ll = Ll::new(unit);
    for f in walk::functions(unit) {
        // SAFETY: `f` is a function of the unit's module, which nobody else changes.
        unsafe {
            if walk::instructions(f).nth(MUCH).is_some() {
                for (head, back) in large_loops(f) {
                    add_way_in(&ll, f, head, &back);
                }
            }
        }
    }
}

/// The loops of more than [`MUCH`] instructions: where each begins, and the blocks that lead back there.
///
/// # Safety
/// `f` is a function with a body in a living module.
unsafe fn large_loops(f: LLVMValueRef) -> Vec<(LLVMBasicBlockRef, FxHashSet<LLVMBasicBlockRef>)> {
    // SAFETY: the caller's promise.
    let (order, back) = unsafe { reverse_postorder(f) };
    let mut before = vec![0];
    for &b in &order {
        // SAFETY: the same.
        let count = unsafe { walk::instructions_of(b) }.count();
        before.push(before[before.len() - 1] + count);
    }
    let place: FxHashMap<LLVMBasicBlockRef, usize> = order.iter().enumerate().map(|(n, &b)| (b, n)).collect();
    let mut last: Vec<(usize, FxHashSet<LLVMBasicBlockRef>)> =
        order.iter().map(|_| (0, FxHashSet::default())).collect();
    for (from, to) in back {
        let (end, blocks) = &mut last[place[&to]];
        *end = (*end).max(place[&from] + 1);
        blocks.insert(from);
    }
    let loops = last.into_iter().zip(&order).enumerate();
    loops
        .filter(|(n, ((end, _), _))| end > n && before[*end] - before[*n] > MUCH)
        .map(|(_, ((_, blocks), &head))| (head, blocks))
        .collect()
}

/// An edge between blocks.
type Edge = (LLVMBasicBlockRef, LLVMBasicBlockRef);

/// The blocks that are reached, each before those that it dominates, and the edges that lead back to a block which the search
/// was still in.
///
/// # Safety
/// `f` is a function with a body in a living module.
unsafe fn reverse_postorder(f: LLVMValueRef) -> (Vec<LLVMBasicBlockRef>, Vec<Edge>) {
    // SAFETY: the caller's promise.
    unsafe {
        let entry = LLVMGetEntryBasicBlock(f);
        let (mut order, mut back) = (Vec::new(), Vec::new());
        // Whether the search is still in a block that it has come to.
        let mut inside: FxHashMap<LLVMBasicBlockRef, bool> = FxHashMap::default();
        inside.insert(entry, true);
        let mut stack = vec![(entry, 0)];
        while let Some((b, n)) = stack.pop() {
            let end = LLVMGetBasicBlockTerminator(b);
            if n == LLVMGetNumSuccessors(end) {
                inside.insert(b, false);
                order.push(b);
                continue;
            }
            stack.push((b, n + 1));
            let to = LLVMGetSuccessor(end, n);
            match inside.get(&to) {
                None => {
                    inside.insert(to, true);
                    stack.push((to, 0));
                }
                Some(true) => back.push((b, to)),
                Some(false) => {}
            }
        }
        order.reverse();
        (order, back)
    }
}

/// Gives the loop that begins at `head`, and that the blocks in `back` lead back in, a second way in: a block through which they
/// all go, and to which a block before the loop branches, too.
///
/// # Safety
/// All are blocks of the function `f` of the living module of `ll`.
unsafe fn add_way_in(ll: &Ll<'_>, f: LLVMValueRef, head: LLVMBasicBlockRef, back: &FxHashSet<LLVMBasicBlockRef>) {
    // SAFETY: the caller's promise; edges and phis are collected before any is changed.
    unsafe {
        let edges = edges_to(head);
        let Some(&before) = edges.iter().map(|(from, _)| from).find(|&b| !back.contains(b)) else { return };
        let func = Func { value: Val(f), ty: ll.void() };
        let (fork, again) = (ll.block(func), ll.block(func));
        ll.at_end(again);
        let mut phis = Vec::new();
        for phi in walk::instructions_of(head).take_while(|&i| !LLVMIsAPHINode(i).is_null()) {
            let through = ll.phi(Ty(LLVMTypeOf(phi)));
            for (v, from) in incoming(phi) {
                if back.contains(&from) {
                    ll.add_incoming(through, v, Bb(from));
                }
            }
            // Several cases of a `switch` bring the same.
            if let Some((v, _)) = incoming(phi).find(|&(_, from)| from == before) {
                ll.add_incoming(through, v, fork);
            }
            phis.push((phi, through));
        }
        // Without it the block would be empty, and LLVM would join it with the loop's begin.
        ll.assembly_nothing();
        ll.jump(Bb(head));
        for (phi, through) in phis {
            ll.before(Val(phi));
            let new = ll.phi(Ty(LLVMTypeOf(phi)));
            for (v, from) in incoming(phi).filter(|(_, from)| *from != before && !back.contains(from)) {
                ll.add_incoming(new, v, Bb(from));
            }
            if let Some((v, _)) = incoming(phi).find(|&(_, from)| from == before) {
                ll.add_incoming(new, v, fork);
            }
            ll.add_incoming(new, through, again);
            LLVMReplaceAllUsesWith(phi, new.0);
            LLVMInstructionEraseFromParent(phi);
        }
        for (from, n) in edges {
            let end = LLVMGetBasicBlockTerminator(from);
            if back.contains(&from) {
                LLVMSetSuccessor(end, n, again.0);
            } else if from == before {
                LLVMSetSuccessor(end, n, fork.0);
            }
        }
        ll.at_end(fork);
        let one = ll.iconst(32, 1, 1);
        let differs = ll.icmp(Ipred::LLVMIntNE, ll.assembly_identity(one), one);
        ll.branch_unlikely(differs, again, Bb(head));
    }
}

/// The edges that lead to a block: terminators' blocks, with the number of the successor.
///
/// # Safety
/// `to` is a block of a function in a living module.
unsafe fn edges_to(to: LLVMBasicBlockRef) -> Vec<(LLVMBasicBlockRef, u32)> {
    // SAFETY: the caller's promise; what uses blocks are terminators.
    unsafe {
        let mut edges = Vec::new();
        // A `switch` may use a block as often as it has cases.
        let mut seen: FxHashSet<LLVMValueRef> = FxHashSet::default();
        let mut u = LLVMGetFirstUse(LLVMBasicBlockAsValue(to));
        while !u.is_null() {
            let end = LLVMGetUser(u);
            u = LLVMGetNextUse(u);
            if seen.insert(end) {
                let from = LLVMGetInstructionParent(end);
                let leads = (0..LLVMGetNumSuccessors(end)).filter(|&n| LLVMGetSuccessor(end, n) == to);
                edges.extend(leads.map(|n| (from, n)));
            }
        }
        edges
    }
}

/// The values of a phi, with the blocks that they come from.
///
/// # Safety
/// `phi` is a phi of a living module, which nobody changes meanwhile.
unsafe fn incoming(phi: LLVMValueRef) -> impl Iterator<Item = (Val, LLVMBasicBlockRef)> {
    // SAFETY: the caller's promise.
    unsafe {
        (0..LLVMCountIncoming(phi)).map(move |n| (Val(LLVMGetIncomingValue(phi, n)), LLVMGetIncomingBlock(phi, n)))
    }
}
