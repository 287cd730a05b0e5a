//! Unroll-and-jam: copies of an outer loop's body, their inner loops fused.
//!
//! ```text
//!   copies in a row            woven
//!   fore 0                     fore 0, fore 1
//!   inner loop 0               one loop: { iteration of copy 0; iteration of copy 1 }
//!   aft 0                      aft 0, aft 1
//!   fore 1, inner loop 1, …
//! ```
//!
//! The copies come from [`super::runtime`], with all their blocks; only branches are changed here. The fused header
//! carries the parameters of every copy's header; one exit test, the first copy's or the last one's, stands for all,
//! since the inner loops run equally often. Values of an aft that the next fore starts from move up.
//!
//! What must hold: [`crate::nest`] says that the nest may be jammed. Cost: the size of the copies.

use super::clone::Copy;
use super::runtime::{Split, Values, Weave, latch_exit};
use super::{Cloner, Target, back_edge};
use crate::decision::Decision;
use crate::nest::Nest;
use ir::edit::replace_by_jump;
use ir::{Block, Function, Inst, Value};
use smallvec::SmallVec;

pub(super) fn unroll(
    func: &mut Function,
    target: &Target,
    nest: &Nest,
    decision: &Decision,
    backedges: Option<Inst>,
) -> Result<(), &'static str> {
    let Some(be) = backedges.and_then(|i| func.dfg.result(i)) else {
        return Err("the trip count cannot be computed before the loop");
    };
    let Some(exit) = latch_exit(func, target) else { return Err("the loop does not end at its latch") };
    if u64::from(decision.count) > func.dfg.ty(be).mask() {
        return Err("the factor exceeds the range of the loop's counter");
    }
    let weave = Fused { nest, original: target.header, copies: Vec::new() };
    Split::new(func, target, decision, be, exit).epilogue(func, weave);
    Ok(())
}

/// Collects the copies, and fuses their inner loops.
struct Fused<'a> {
    nest: &'a Nest,
    original: Block,
    copies: Vec<Piece>,
}

/// Blocks of one copy of the outer body.
struct Piece {
    header: Block,
    /// Jumps to the inner loop.
    preheader: Block,
    inner_header: Block,
    inner_latch: Block,
    /// Where the inner loop's exit leads.
    after: Block,
    latch: Block,
    /// Instructions of the aft that move up.
    early: Vec<Inst>,
}

impl Weave for Fused<'_> {
    fn copied(&mut self, func: &Function, cloner: &Cloner<'_>, copy: &Copy) -> Option<()> {
        let block = |b| cloner.copy_of(b);
        let moved = self.nest.early.iter().filter_map(|&v| {
            let (new, old) = (func.dfg.def_inst(cloner.mapped(v))?, func.dfg.def_inst(v)?);
            // What folded to something that exists already stays where it is.
            (func.layout.inst_block(new) == block(func.layout.inst_block(old)?)).then_some(new)
        });
        self.copies.push(Piece {
            header: copy.header,
            preheader: block(self.nest.preheader)?,
            inner_header: block(self.nest.header)?,
            inner_latch: block(self.nest.latch)?,
            after: block(self.nest.after)?,
            latch: copy.latch?,
            early: moved.collect(),
        });
        Some(())
    }

    fn finish(self, func: &mut Function) {
        debug_assert!(self.copies.iter().all(|c| c.header != self.original));
        let copies = &self.copies[..];
        move_up(func, copies);
        let start = fores_in_a_row(func, copies);
        let exits =
            if self.nest.tested_first { fuse_tested_first(func, copies) } else { fuse_tested_last(func, copies) };
        if let Some(last) = copies.last() {
            let jump = func.layout.terminator(last.preheader);
            func.dfg.set_successor(jump, 0, copies[0].inner_header);
            func.dfg.set_branch_args(jump, 0, &start);
        }
        for (pair, args) in copies.windows(2).zip(&exits[1..]) {
            let term = func.layout.terminator(pair[0].latch);
            replace_by_jump(func, term, pair[1].after, args, None);
        }
    }
}

fn move_up(func: &mut Function, copies: &[Piece]) {
    for c in copies {
        let end = func.layout.terminator(c.preheader);
        for &i in &c.early {
            func.layout.remove_inst(i);
            func.layout.insert_inst_before(i, end);
        }
    }
}

/// Leads each fore to the next one. What the inner headers start with, copy by copy.
fn fores_in_a_row(func: &mut Function, copies: &[Piece]) -> Values {
    let mut start = Values::new();
    for (n, c) in copies.iter().enumerate() {
        let jump = func.layout.terminator(c.preheader);
        start.extend_from_slice(func.dfg.branch_args(jump, 0));
        if let Some(next) = copies.get(n + 1) {
            func.dfg.set_branch_args(jump, 0, &[]);
            func.dfg.set_successor(jump, 0, next.header);
        }
    }
    start
}

/// Gives the first inner header the parameters of all the others.
fn join_headers(func: &mut Function, copies: &[Piece]) {
    let Some((first, others)) = copies.split_first() else { return };
    for c in others {
        let params: SmallVec<[Value; 8]> = func.dfg.params(c.inner_header).into();
        for &p in &params {
            let ty = func.dfg.ty(p);
            let fused = func.dfg.add_param(first.inner_header, ty);
            func.dfg.replace_value(p, fused);
        }
        func.dfg.retain_params(c.inner_header, &vec![false; params.len()]);
    }
}

/// The way back of an inner latch, and the arguments of its other way, if there is one.
fn ways(func: &Function, c: &Piece) -> Option<(Inst, usize, Values)> {
    let (term, back) = back_edge(func, c.inner_latch, c.inner_header)?;
    let out =
        if func.dfg.successor_count(term) == 2 { func.dfg.branch_args(term, 1 - back).into() } else { Values::new() };
    Some((term, back, out))
}

/// Inner loops that test at their end: the last copy's test decides. What the exit of each copy passes on.
fn fuse_tested_last(func: &mut Function, copies: &[Piece]) -> Vec<Values> {
    let ends: Vec<_> = copies.iter().filter_map(|c| ways(func, c)).collect();
    join_headers(func, copies);
    let mut again = Values::new();
    for (n, (term, back, _)) in ends.iter().enumerate() {
        again.extend_from_slice(func.dfg.branch_args(*term, *back));
        match copies.get(n + 1) {
            Some(next) => {
                replace_by_jump(func, *term, next.inner_header, &[], None);
            }
            None => {
                func.dfg.set_successor(*term, *back, copies[0].inner_header);
                func.dfg.set_branch_args(*term, *back, &again);
                func.dfg.set_successor(*term, 1 - back, copies[0].after);
                func.dfg.set_branch_args(*term, 1 - back, &ends[0].2);
            }
        }
    }
    ends.into_iter().map(|e| e.2).collect()
}

/// Inner loops that test in their headers, which hold pure instructions: all headers become one, and the first copy's
/// test decides. What the exit of each copy passes on.
fn fuse_tested_first(func: &mut Function, copies: &[Piece]) -> Vec<Values> {
    let tests: Vec<(Inst, usize)> = copies
        .iter()
        .map(|c| {
            let test = func.layout.terminator(c.inner_header);
            (test, func.dfg.successors(test).position(|s| s != c.after).unwrap_or(0))
        })
        .collect();
    let bodies: Vec<(Block, Values)> = tests
        .iter()
        .map(|&(test, stay)| (func.dfg.successor(test, stay), func.dfg.branch_args(test, stay).into()))
        .collect();
    let exits = tests.iter().map(|&(test, stay)| func.dfg.branch_args(test, 1 - stay).into()).collect();
    let backs: Vec<_> = copies.iter().filter_map(|c| ways(func, c)).collect();
    join_headers(func, copies);
    for (c, &(test, _)) in copies.iter().zip(&tests).skip(1) {
        while let Some(i) = func.layout.first_inst(c.inner_header).filter(|&i| i != test) {
            func.layout.remove_inst(i);
            func.layout.insert_inst_before(i, tests[0].0);
        }
        func.layout.remove_block(c.inner_header);
    }
    let mut again = Values::new();
    for (n, (term, back, _)) in backs.iter().enumerate() {
        again.extend_from_slice(func.dfg.branch_args(*term, *back));
        let (to, args) = match bodies.get(n + 1) {
            Some((body, args)) => (*body, args),
            None => (copies[0].inner_header, &again),
        };
        func.dfg.set_successor(*term, *back, to);
        func.dfg.set_branch_args(*term, *back, args);
        if n + 1 < backs.len() {
            func.dfg.set_loop_md(*term, None);
        }
    }
    exits
}
