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
//! is computed from `be` alone, so that loops of 2ⁿ iterations work. What the left-over iterations become is
//! [`super::leftover`]'s business. Unroll-and-jam is the epilogue form, with the copies woven ([`super::jam`]); it
//! knows trip counts of which nothing is left over.
//!
//! What must hold: the latch has the only exit, and the preheader computes the back-edge count.

use super::clone::{Copy, Start, Test};
use super::leftover::{Rest, straight_loop};
use super::{Cloner, Target, back_edge, partial, remove_blocks, settled_meta};
use crate::decision::{Decision, Kind, Leftover, Remainder};
use ir::{Block, Builder, Function, Inst, IntCC, Opcode, Type, Value};
use smallvec::SmallVec;

pub(super) type Values = SmallVec<[Value; 8]>;

/// The latch's exit: where it leads and with what.
pub(super) struct Exit {
    pub(super) to: Block,
    pub(super) args: Values,
}

/// What happens to the copies of the unrolled loop before it is closed.
pub(super) trait Weave {
    /// The current copy of `cloner` was made.
    fn copied(&mut self, func: &Function, cloner: &Cloner<'_>, copy: &Copy) -> Option<()>;
    /// All copies were made and lead from one to the next.
    fn finish(self, func: &mut Function);
}

/// Copies one after another.
struct InARow;

impl Weave for InARow {
    fn copied(&mut self, _: &Function, _: &Cloner<'_>, _: &Copy) -> Option<()> {
        Some(())
    }

    fn finish(self, _: &mut Function) {}
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
    let split = Split::new(func, target, decision, be, exit);
    match decision.remainder {
        Remainder::Prologue => split.prologue(func),
        _ => split.epilogue(func, InARow),
    }
    Ok(())
}

/// A loop being split into a multiple of the factor and a rest.
pub(super) struct Split<'a> {
    target: &'a Target,
    decision: &'a Decision,
    /// Back edges taken.
    be: Value,
    /// Iterations left over.
    rest: Value,
    exit: Exit,
    leftover: Leftover,
}

pub(super) fn latch_exit(func: &Function, target: &Target) -> Option<Exit> {
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

/// Whether a variable of the loop does nothing but to end it: it is stepped, and what comes of that is compared in the
/// latch, by what only the latch asks.
fn counts_only(func: &Function, target: &Target) -> bool {
    let Some((term, back)) = target.back_edge(func) else { return false };
    let Some(test) = func.dfg.args(term).first().and_then(|&c| func.dfg.def_inst(c)) else { return false };
    let next = |&v: &Value| func.dfg.branch_args(term, back).iter().position(|&a| a == v);
    let Some((stepped, n)) = func.dfg.args(test).iter().find_map(|v| Some((*v, next(v)?))) else { return false };
    let Some(step) = func.dfg.def_inst(stepped) else { return false };
    let counter = func.dfg.params(target.header)[n];
    let condition = func.dfg.result(test);
    if func.dfg.op(test) != Opcode::Icmp || func.dfg.op(step) != Opcode::Add {
        return false;
    }
    // All uses are in the loop but those behind it, which the exit passes on.
    let uses = |inst: Inst, v: Value| {
        let passed = func.dfg.successors(inst).enumerate().map(|(i, _)| func.dfg.branch_args(inst, i));
        func.dfg.args(inst).iter().chain(passed.flatten()).filter(|&&a| a == v).count()
    };
    let used =
        |v: Value| -> usize { target.blocks.iter().flat_map(|&b| func.layout.insts(b)).map(|i| uses(i, v)).sum() };
    used(counter) == 1 && uses(step, counter) == 1 && used(stepped) == 2 && condition.is_some_and(|c| used(c) == 1)
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

pub(super) fn block_after(func: &mut Function, place: Block) -> Block {
    let block = func.dfg.make_block();
    func.layout.insert_block_after(block, place);
    block
}

/// `a cc constant ? yes : no` at the end of `block`.
pub(super) fn branch_on(
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

impl<'a> Split<'a> {
    /// `be` computes in the preheader how many back edges the loop takes.
    pub(super) fn new(func: &mut Function, target: &'a Target, decision: &'a Decision, be: Value, exit: Exit) -> Self {
        let ty = func.dfg.ty(be);
        let enter = func.layout.terminator(target.preheader);
        let rest = match decision.remainder {
            Remainder::None => func.dfg.iconst(ty, 0),
            _ => rest_of(func, enter, be, ty, decision.count),
        };
        // One iteration in a row is a copy, whatever it is called.
        let leftover = match decision.leftover {
            _ if decision.count == 2 => Leftover::Straight,
            Leftover::Blocks if decision.count <= 4 => Leftover::Loop,
            other => other,
        };
        Self { target, decision, be, rest, exit, leftover }
    }

    /// The unrolled loop, then the left-over iterations.
    pub(super) fn epilogue(&self, func: &mut Function, weave: impl Weave) {
        let (target, count) = (self.target, self.decision.count);
        let entry = target.entry_args(func);
        let enter = func.layout.terminator(target.preheader);
        let span = func.dfg.span(enter);
        func.layout.remove_inst(enter);
        if self.decision.remainder == Remainder::None {
            let main = block_after(func, target.preheader);
            Builder::at_end(func, target.preheader).jump(main, &[]);
            if let Some(last) = self.unrolled_copies(func, main, &entry, weave) {
                Builder::at_end(func, last.after).jump(self.exit.to, &last.exit_args);
            }
            remove_blocks(func, &target.blocks);
            return;
        }
        let (land, params) = landing(func, target, target.header);
        let main = block_after(func, target.preheader);
        let enough = (IntCC::Uge, self.be, i64::from(count) - 1);
        branch_on(func, target.preheader, enough, (main, &[]), (land, &entry));

        // Without a last copy the way through the copies was decided while copying.
        if let Some(last) = self.unrolled_copies(func, main, &entry, weave) {
            let mut b = Builder::at_end(func, last.after);
            b.set_span(span);
            let ty = b.ty(self.rest);
            let zero = b.iconst(ty, 0);
            let some = b.icmp(IntCC::Ne, self.rest, zero);
            b.br(some, (land, &last.next), (self.exit.to, &last.exit_args));
        }
        self.finish(func, land, &params);
    }

    /// Makes what is left of the original loop the remainder: as a loop that nobody unrolls, or straight.
    fn finish(&self, func: &mut Function, land: Block, params: &[Value]) {
        let target = self.target;
        match self.leftover {
            Leftover::Straight => straight_loop(func, target, land, self.decision.count),
            Leftover::Binary | Leftover::Blocks => {
                let jump = func.layout.terminator(land);
                func.layout.remove_inst(jump);
                let (rest, count) = (self.leftover_after(land), self.decision.count);
                let done = match self.leftover {
                    Leftover::Blocks => rest.blocks(func, params, count),
                    _ => rest.binary(func, params, count),
                };
                Builder::at_end(func, done.at).jump(self.exit.to, &done.exit_args);
                remove_blocks(func, &target.blocks);
            }
            Leftover::Loop if counts_only(func, target) => {
                // Then the counter need not be kept through the unrolled loop.
                let jump = func.layout.terminator(land);
                func.layout.remove_inst(jump);
                let done = self.leftover_after(land).counted(func, params);
                Builder::at_end(func, done.at).jump(self.exit.to, &done.exit_args);
                remove_blocks(func, &target.blocks);
            }
            Leftover::Loop => {
                let md = settled_meta(func, &target.meta, true);
                if let Some((term, _)) = target.back_edge(func) {
                    func.dfg.set_loop_md(term, Some(md));
                }
            }
        }
    }

    /// The left-over iterations, to be executed from the end of `first` on.
    fn leftover_after(&self, first: Block) -> Rest<'_> {
        Rest { target: self.target, exit: &self.exit, first, rest: self.rest }
    }

    /// The unrolled loop, entered from `main` with `entry`; it runs `be + 1 - rest` iterations.
    fn unrolled_copies(
        &self,
        func: &mut Function,
        main: Block,
        entry: &[Value],
        mut weave: impl Weave,
    ) -> Option<Ended> {
        let (target, count) = (self.target, self.decision.count);
        let ty = func.dfg.ty(self.be);
        // Counts down from the iterations to run; 2ⁿ of them appear as 0, and counting down from 0 is right for them.
        let rounds = {
            let mut b = Builder::at_end(func, main);
            let one = b.iconst(ty, 1);
            let trips = b.add(self.be, one);
            b.binary(Opcode::Sub, trips, self.rest)
        };
        let mut cloner = Cloner::new(func, target, main);
        cloner.fold_branches = self.decision.kind != Kind::Jam;
        let stay = |b: Block| if b == target.latch { Test::Stay } else { Test::Keep };
        let first = cloner.copy(func, Start::Params, stay);
        weave.copied(func, &cloner, &first)?;
        let counter = func.dfg.add_param(first.header, ty);
        let mut start: Values = entry.into();
        start.push(rounds);
        Builder::at_end(func, main).jump(first.header, &start);
        let (mut latch, mut next) = (first.latch?, first.next?);
        for _ in 1..count {
            let copy = cloner.copy(func, Start::Values(&next), stay);
            weave.copied(func, &cloner, &copy)?;
            let (term, back) = back_edge(func, latch, target.header)?;
            func.dfg.set_branch_args(term, back, &[]);
            func.dfg.set_successor(term, back, copy.header);
            (latch, next) = (copy.latch?, copy.next?);
        }
        let exit_args: Values = self.exit.args.iter().map(|&v| cloner.mapped(v)).collect();
        let after = block_after(func, cloner.place);
        let md = settled_meta(func, &target.meta, self.decision.settles_assembler());
        let term = func.layout.terminator(latch);
        let mut b = Builder::before(func, term);
        let step = b.iconst(ty, i64::from(count));
        let left = b.binary(Opcode::Sub, counter, step);
        let zero = b.iconst(ty, 0);
        let more = b.icmp(IntCC::Ne, left, zero);
        let mut args = next.clone();
        args.push(left);
        b.br_md(more, (first.header, &args), (after, &[]), Some(md));
        func.layout.remove_inst(term);
        weave.finish(func);
        Some(Ended { after, exit_args, next })
    }

    /// The left-over iterations, then the unrolled loop.
    fn prologue(&self, func: &mut Function) {
        let (target, count) = (self.target, self.decision.count);
        let entry = target.entry_args(func);
        let enter = func.layout.terminator(target.preheader);
        func.layout.remove_inst(enter);
        let (land, _) = landing(func, target, target.header);
        let first = block_after(func, target.preheader);
        branch_on(func, target.preheader, (IntCC::Ne, self.rest, 0), (first, &[]), (land, &entry));
        let rest = self.leftover_after(first);
        let done = match self.leftover {
            Leftover::Straight => rest.straight(func, &entry, count),
            Leftover::Binary => rest.binary(func, &entry, count),
            Leftover::Blocks => rest.blocks(func, &entry, count),
            Leftover::Loop => rest.counted(func, &entry),
        };
        // After the rest: leaves if that was all.
        let more = (IntCC::Uge, self.be, i64::from(count) - 1);
        branch_on(func, done.at, more, (land, &done.next), (self.exit.to, &done.exit_args));

        let main = Target { preheader: land, blocks: target.blocks.clone(), meta: target.meta.clone(), ..*target };
        // The trip count is a multiple of the factor now: only the last copy can end the loop.
        let _ = partial::repeat(func, &main, count, self.decision.settles_assembler(), |copy, b| {
            if b == target.latch && copy + 1 != count { Test::Stay } else { Test::Keep }
        });
    }
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
