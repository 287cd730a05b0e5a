//! Runtime unrolling: a trip count that is known when the loop starts is split into a multiple of the factor and a
//! rest.
//!
//! ```text
//!   epilogue                                prologue
//!   be = back edges; rest = (be+1) mod n    be, rest likewise
//!   be < n-1 ? ──────────┐                  rest = 0 ? ────────────┐
//!   unrolled loop, counted down             rest iterations        │
//!   rest = 0 ? ── exit   │                  be < n-1 ? ── exit     │
//!   original loop <──────┘                  unrolled original <────┘
//! ```
//!
//! The epilogue is the original loop with its own test; the unrolled copies test nothing but a counter. The other way
//! round the prologue counts, and the unrolled loop keeps its test in the last copy. `be + 1` may wrap to 0: the rest
//! is computed from `be` alone, so that loops of 2ⁿ iterations work. A rest of at most one iteration, or one that is
//! to be unrolled, becomes straight-line code.
//!
//! What must hold: the latch has the only exit, and the preheader computes the back-edge count.

use super::clone::{Start, Test};
use super::{Cloner, Target, back_edge, full, partial, replace_by_jump, settled_meta};
use crate::decision::{Decision, Remainder};
use ir::{Block, Builder, Function, Inst, IntCC, Opcode, Type, Value};
use smallvec::SmallVec;

type Values = SmallVec<[Value; 8]>;

/// The latch's exit: where it leads and with what.
struct Exit {
    to: Block,
    args: Values,
}

pub(super) fn unroll(
    func: &mut Function,
    target: &Target,
    decision: &Decision,
    backedges: Option<Inst>,
) -> Result<(), &'static str> {
    let Some(be) = backedges.and_then(|i| func.dfg.result(i)) else {
        return Err("the trip count cannot be computed before the loop");
    };
    let Some(exit) = latch_exit(func, target) else { return Err("the loop does not end at its latch") };
    let ty = func.dfg.ty(be);
    if u64::from(decision.count) > ty.mask() {
        return Err("the factor exceeds the range of the loop's counter");
    }
    let enter = func.layout.terminator(target.preheader);
    let rest = rest_of(func, enter, be, ty, decision.count);
    let straight = decision.unroll_remainder || decision.count == 2;
    match decision.remainder {
        Remainder::Prologue => prologue(func, target, decision, be, rest, &exit, straight),
        _ => epilogue(func, target, decision, be, rest, &exit, straight),
    }
    Ok(())
}

fn latch_exit(func: &Function, target: &Target) -> Option<Exit> {
    let (term, back) = target.back_edge(func)?;
    if func.dfg.op(term) != Opcode::Br {
        return None;
    }
    let other = 1 - back;
    let to = func.dfg.successor(term, other);
    (!target.blocks.contains(&to)).then(|| Exit { to, args: func.dfg.branch_args(term, other).into() })
}

/// `(be + 1) mod count`, right even if `be + 1` wraps.
fn rest_of(func: &mut Function, before: Inst, be: Value, ty: Type, count: u32) -> Value {
    let mut b = Builder::before(func, before);
    let one = b.iconst(ty, 1);
    if count.is_power_of_two() {
        let mask = b.iconst(ty, i64::from(count) - 1);
        let trips = b.add(be, one);
        return b.binary(Opcode::And, trips, mask);
    }
    let n = b.iconst(ty, i64::from(count));
    let last = b.binary(Opcode::URem, be, n);
    let trips = b.add(last, one);
    b.binary(Opcode::URem, trips, n)
}

/// A block with the header's parameters that jumps to the header.
fn landing(func: &mut Function, target: &Target, before: Block) -> (Block, Values) {
    let block = func.dfg.make_block();
    func.layout.insert_block_before(block, before);
    let types: SmallVec<[Type; 8]> = func.dfg.params(target.header).iter().map(|&p| func.dfg.ty(p)).collect();
    let params: Values = types.iter().map(|&t| func.dfg.add_param(block, t)).collect();
    Builder::at_end(func, block).jump(target.header, &params);
    (block, params)
}

fn block_after(func: &mut Function, place: Block) -> Block {
    let block = func.dfg.make_block();
    func.layout.insert_block_after(block, place);
    block
}

/// `a cc constant ? yes : no` at the end of `block`.
fn branch_on(
    func: &mut Function,
    block: Block,
    (cc, a, constant): (IntCC, Value, i64),
    yes: (Block, &[Value]),
    no: (Block, &[Value]),
) {
    let mut b = Builder::at_end(func, block);
    let ty = b.ty(a);
    let c = b.iconst(ty, constant);
    let cond = b.icmp(cc, a, c);
    b.br(cond, yes, no);
}

fn epilogue(
    func: &mut Function,
    target: &Target,
    decision: &Decision,
    be: Value,
    rest: Value,
    exit: &Exit,
    straight: bool,
) {
    let count = decision.count;
    let entry = target.entry_args(func);
    let enter = func.layout.terminator(target.preheader);
    let span = func.dfg.span(enter);
    func.layout.remove_inst(enter);
    let (land, _) = landing(func, target, target.header);
    let main = block_after(func, target.preheader);
    let enough = (IntCC::Uge, be, i64::from(count) - 1);
    branch_on(func, target.preheader, enough, (main, &[]), (land, &entry));

    let last = unrolled_copies(func, target, decision, main, &entry, be, rest);
    let Some(last) = last else {
        // The copies never go on: the way through them was decided while copying.
        finish_rest(func, target, land, straight, count);
        return;
    };
    let mut b = Builder::at_end(func, last.after);
    b.set_span(span);
    let ty = b.ty(rest);
    let zero = b.iconst(ty, 0);
    let some = b.icmp(IntCC::Ne, rest, zero);
    b.br(some, (land, &last.next), (exit.to, &last.exit_args));
    finish_rest(func, target, land, straight, count);
}

/// Where the unrolled loop ends.
struct Ended {
    /// Runs after the last round.
    after: Block,
    /// What the original exit would pass on.
    exit_args: Values,
    /// What the original header would get next.
    next: Values,
}

/// The unrolled loop, entered from `main` with `entry`; it runs `be + 1 - rest` iterations.
fn unrolled_copies(
    func: &mut Function,
    target: &Target,
    decision: &Decision,
    main: Block,
    entry: &[Value],
    be: Value,
    rest: Value,
) -> Option<Ended> {
    let ty = func.dfg.ty(be);
    // Counts down from the iterations to run; 2ⁿ of them appear as 0, and counting down from 0 is right for them too.
    let rounds = {
        let mut b = Builder::at_end(func, main);
        let one = b.iconst(ty, 1);
        let trips = b.add(be, one);
        b.binary(Opcode::Sub, trips, rest)
    };
    let exit = latch_exit(func, target)?;
    let mut cloner = Cloner::new(func, target, main);
    let stay = |b: Block| if b == target.latch { Test::Stay } else { Test::Keep };
    let first = cloner.copy(func, Start::Params, stay);
    let counter = func.dfg.add_param(first.header, ty);
    let mut start: Values = entry.into();
    start.push(rounds);
    Builder::at_end(func, main).jump(first.header, &start);
    let (mut latch, mut next) = (first.latch?, first.next?);
    for _ in 1..decision.count {
        let copy = cloner.copy(func, Start::Values(&next), stay);
        let (term, back) = back_edge(func, latch, target.header)?;
        func.dfg.set_branch_args(term, back, &[]);
        func.dfg.set_successor(term, back, copy.header);
        (latch, next) = (copy.latch?, copy.next?);
    }
    let exit_args: Values = exit.args.iter().map(|&v| cloner.mapped(v)).collect();
    let after = block_after(func, cloner.place);
    let md = settled_meta(func, &target.meta, decision.explicit);
    let term = func.layout.terminator(latch);
    let mut b = Builder::before(func, term);
    let step = b.iconst(ty, i64::from(decision.count));
    let left = b.binary(Opcode::Sub, counter, step);
    let zero = b.iconst(ty, 0);
    let more = b.icmp(IntCC::Ne, left, zero);
    let mut args = next.clone();
    args.push(left);
    b.br_md(more, (first.header, &args), (after, &[]), Some(md));
    func.layout.remove_inst(term);
    Some(Ended { after, exit_args, next })
}

/// Makes what is left of the original loop the remainder: as a loop that nobody unrolls, or straight.
fn finish_rest(func: &mut Function, target: &Target, land: Block, straight: bool, count: u32) {
    if straight {
        let rest = Target { preheader: land, blocks: target.blocks.clone(), meta: target.meta.clone(), ..*target };
        full::straighten(func, &rest, count - 1, |n, b| {
            if b == target.latch && n + 2 == count { Test::Leave } else { Test::Keep }
        });
        return;
    }
    let md = settled_meta(func, &target.meta, true);
    if let Some((term, _)) = target.back_edge(func) {
        func.dfg.set_loop_md(term, Some(md));
    }
}

fn prologue(
    func: &mut Function,
    target: &Target,
    decision: &Decision,
    be: Value,
    rest: Value,
    exit: &Exit,
    straight: bool,
) {
    let count = decision.count;
    let entry = target.entry_args(func);
    let enter = func.layout.terminator(target.preheader);
    func.layout.remove_inst(enter);
    let (land, _) = landing(func, target, target.header);
    let first = block_after(func, target.preheader);
    branch_on(func, target.preheader, (IntCC::Ne, rest, 0), (first, &[]), (land, &entry));
    // After the rest: leaves if that was all.
    let after = block_after(func, first);
    let exit_types: SmallVec<[Type; 8]> = exit.args.iter().map(|&v| func.dfg.ty(v)).collect();
    let next_types: SmallVec<[Type; 8]> = entry.iter().map(|&v| func.dfg.ty(v)).collect();
    let exit_params: Values = exit_types.iter().map(|&t| func.dfg.add_param(after, t)).collect();
    let next_params: Values = next_types.iter().map(|&t| func.dfg.add_param(after, t)).collect();
    let more = (IntCC::Uge, be, i64::from(count) - 1);
    branch_on(func, after, more, (land, &next_params), (exit.to, &exit_params));

    let made = Leftover { target, exit, first, after, rest };
    if straight {
        made.straight(func, &entry, count)
    } else {
        made.counted(func, &entry)
    }

    let main = Target { preheader: land, blocks: target.blocks.clone(), meta: target.meta.clone(), ..*target };
    // The trip count is a multiple of the factor now: only the last copy can end the loop.
    let _ = partial::repeat(func, &main, count, decision.explicit, |copy, b| {
        if b == target.latch && copy + 1 != count { Test::Stay } else { Test::Keep }
    });
}

/// The iterations before the unrolled loop, from `first` to `after`.
struct Leftover<'a> {
    target: &'a Target,
    exit: &'a Exit,
    first: Block,
    after: Block,
    rest: Value,
}

impl Leftover<'_> {
    /// What `after` gets from a copy: the exit's arguments, then the next iteration's values.
    fn results(&self, cloner: &Cloner<'_>, next: &[Value]) -> Values {
        self.exit.args.iter().map(|&v| cloner.mapped(v)).chain(next.iter().copied()).collect()
    }

    /// A loop that counts the rest down.
    fn counted(&self, func: &mut Function, entry: &[Value]) {
        let ty = func.dfg.ty(self.rest);
        let mut cloner = Cloner::new(func, self.target, self.first);
        let copy = cloner.copy(func, Start::Params, self.stay());
        let counter = func.dfg.add_param(copy.header, ty);
        let mut start: Values = entry.into();
        start.push(self.rest);
        Builder::at_end(func, self.first).jump(copy.header, &start);
        let (Some(latch), Some(next)) = (copy.latch, copy.next) else { return };
        let md = settled_meta(func, &self.target.meta, true);
        let term = func.layout.terminator(latch);
        let results = self.results(&cloner, &next);
        let mut b = Builder::before(func, term);
        let one = b.iconst(ty, -1);
        let left = b.add(counter, one);
        let zero = b.iconst(ty, 0);
        let more = b.icmp(IntCC::Ne, left, zero);
        let mut again = next;
        again.push(left);
        b.br_md(more, (copy.header, &again), (self.after, &results), Some(md));
        func.layout.remove_inst(term);
    }

    /// At most `count - 1` copies in a row; each is followed by a test whether it was the last.
    fn straight(&self, func: &mut Function, entry: &[Value], count: u32) {
        let mut cloner = Cloner::new(func, self.target, self.first);
        let mut values: Values = entry.into();
        let mut from = (self.first, None);
        for n in 1..count {
            let copy = cloner.copy(func, Start::Values(&values), self.stay());
            match from {
                (block, None) => {
                    Builder::at_end(func, block).jump(copy.header, &[]);
                }
                (_, Some((term, way))) => {
                    func.dfg.set_branch_args(term, way, &[]);
                    func.dfg.set_successor(term, way, copy.header);
                }
            }
            let (Some(latch), Some(next)) = (copy.latch, copy.next) else { return };
            let term = func.layout.terminator(latch);
            let results = self.results(&cloner, &next);
            if n + 1 == count {
                replace_by_jump(func, term, self.after, &results);
                return;
            }
            let mut b = Builder::before(func, term);
            let ty = b.ty(self.rest);
            let k = b.iconst(ty, i64::from(n));
            let enough = b.icmp(IntCC::Eq, self.rest, k);
            let br = b.br(enough, (self.after, &results), (self.target.header, &next));
            func.layout.remove_inst(term);
            from = (latch, Some((br, 1)));
            values = next;
        }
    }

    /// The latch's own test is replaced by the count.
    fn stay(&self) -> impl Fn(Block) -> Test + use<> {
        let latch = self.target.latch;
        move |b| if b == latch { Test::Stay } else { Test::Keep }
    }
}
