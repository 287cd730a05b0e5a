//! The iterations that a factor leaves over, fewer than the factor.
//!
//! * A loop that counts them down, or the original loop with its own test.
//! * Copies in a row, each followed by a test whether it was the last.
//! * By binary digits: for a factor of 8 a block of 4 iterations, one of 2 and one of 1, each executed if the number of
//!   left-over iterations has that digit. Three tests where copies in a row need seven.
//! * Such blocks of four and more, and a loop for what is left after them.

use super::clone::{Start, Test};
use super::runtime::{Exit, Values, block_after, branch_on};
use super::{Cloner, Target, full, settled_meta};
use ir::edit::replace_by_jump;
use ir::{Block, Builder, Function, Inst, IntCC, Opcode, Type, Value};
use smallvec::SmallVec;

/// Left-over iterations, to be executed from the end of `first` on: `rest` of them, at least one.
pub(super) struct Rest<'a> {
    pub(super) target: &'a Target,
    pub(super) exit: &'a Exit,
    pub(super) first: Block,
    pub(super) rest: Value,
}

/// Where they end.
pub(super) struct Done {
    /// A block without a terminator.
    pub(super) at: Block,
    /// What the loop's exit passes on after the last of them.
    pub(super) exit_args: Values,
    /// What the header would get next.
    pub(super) next: Values,
}

/// The original loop, entered from `land`, in a row: at most `count - 1` iterations with their own tests.
pub(super) fn straight_loop(func: &mut Function, target: &Target, land: Block, count: u32) {
    let rest = Target { preheader: land, blocks: target.blocks.clone(), meta: target.meta.clone(), ..*target };
    full::straighten(func, &rest, count - 1, None, |n, b| {
        if b == target.latch && n + 2 == count { Test::Leave } else { Test::Keep }
    });
}

impl Rest<'_> {
    /// A block after `place` that joins the ways out of the copies.
    fn join(&self, func: &mut Function, place: Block) -> Done {
        let at = block_after(func, place);
        let next_types: SmallVec<[Type; 8]> =
            func.dfg.params(self.target.header).iter().map(|&v| func.dfg.ty(v)).collect();
        let exit_types: SmallVec<[Type; 8]> = self.exit.args.iter().map(|&v| func.dfg.ty(v)).collect();
        let exit_args = exit_types.iter().map(|&t| func.dfg.add_param(at, t)).collect();
        let next = next_types.iter().map(|&t| func.dfg.add_param(at, t)).collect();
        Done { at, exit_args, next }
    }

    /// What a copy passes to such a block: the exit's arguments, then the next iteration's values.
    fn results(&self, cloner: &Cloner<'_>, next: &[Value]) -> Values {
        self.exit.args.iter().map(|&v| cloner.mapped(v)).chain(next.iter().copied()).collect()
    }

    /// The latch's own test is replaced by the count.
    fn stay(&self) -> impl Fn(Block) -> Test + use<> {
        let latch = self.target.latch;
        move |b| if b == latch { Test::Stay } else { Test::Keep }
    }

    /// A loop that counts down.
    pub(super) fn counted(&self, func: &mut Function, entry: &[Value]) -> Done {
        let ty = func.dfg.ty(self.rest);
        let mut cloner = Cloner::new(func, self.target, self.first);
        let copy = cloner.copy(func, Start::Params, self.stay());
        let counter = func.dfg.add_param(copy.header, ty);
        let mut start: Values = entry.into();
        start.push(self.rest);
        Builder::at_end(func, self.first).jump(copy.header, &start);
        let done = self.join(func, cloner.place);
        let (Some(latch), Some(next)) = (copy.latch, copy.next) else { return done };
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
        b.br_md(more, (copy.header, &again), (done.at, &results), Some(md));
        func.layout.remove_inst(term);
        done
    }

    /// At most `count - 1` copies in a row; each is followed by a test whether it was the last.
    pub(super) fn straight(&self, func: &mut Function, entry: &[Value], count: u32) -> Done {
        let mut cloner = Cloner::new(func, self.target, self.first);
        let done = self.join(func, self.first);
        let mut values: Values = entry.into();
        let mut from: (Block, Option<Inst>) = (self.first, None);
        for n in 1..count {
            let copy = cloner.copy(func, Start::Values(&values), self.stay());
            match from {
                (block, None) => {
                    Builder::at_end(func, block).jump(copy.header, &[]);
                }
                (_, Some(term)) => {
                    func.dfg.set_branch_args(term, 1, &[]);
                    func.dfg.set_successor(term, 1, copy.header);
                }
            }
            let (Some(latch), Some(next)) = (copy.latch, copy.next) else { break };
            let term = func.layout.terminator(latch);
            let results = self.results(&cloner, &next);
            if n + 1 == count {
                replace_by_jump(func, term, done.at, &results, None);
                break;
            }
            let mut b = Builder::before(func, term);
            let ty = b.ty(self.rest);
            let k = b.iconst(ty, i64::from(n));
            let enough = b.icmp(IntCC::Eq, self.rest, k);
            let br = b.br(enough, (done.at, &results), (self.target.header, &next));
            func.layout.remove_inst(term);
            from = (latch, Some(br));
            values = next;
        }
        done
    }

    /// For each binary digit that numbers below `count` have, the highest first, a block of so many iterations.
    pub(super) fn binary(&self, func: &mut Function, entry: &[Value], count: u32) -> Done {
        self.digits(func, entry, count, 0)
    }

    /// Blocks of four iterations and more by binary digits, then a loop of at most three.
    pub(super) fn blocks(&self, func: &mut Function, entry: &[Value], count: u32) -> Done {
        let done = self.digits(func, entry, count, 2);
        let ty = func.dfg.ty(self.rest);
        let mut b = Builder::at_end(func, done.at);
        let mask = b.iconst(ty, 3);
        let left = b.binary(Opcode::And, self.rest, mask);
        let first = block_after(func, done.at);
        let ended = Rest { first, rest: left, ..*self }.counted(func, &done.next);
        let join = self.join(func, ended.at);
        let values = |d: &Done| -> Values { d.exit_args.iter().chain(&d.next).copied().collect() };
        branch_on(func, done.at, (IntCC::Ne, left, 0), (first, &[]), (join.at, &values(&done)));
        Builder::at_end(func, ended.at).jump(join.at, &values(&ended));
        join
    }

    /// Blocks for the binary digits from `lowest` on.
    fn digits(&self, func: &mut Function, entry: &[Value], count: u32, lowest: u32) -> Done {
        let ty = func.dfg.ty(self.rest);
        // Some iteration is left over, so these never arrive.
        let nothing: SmallVec<[Type; 8]> = self.exit.args.iter().map(|&v| func.dfg.ty(v)).collect();
        let exit_args = nothing.iter().map(|&t| func.dfg.undef(t)).collect();
        let mut done = Done { at: self.first, exit_args, next: entry.into() };
        for digit in (lowest..=(count - 1).ilog2()).rev() {
            let run = block_after(func, done.at);
            let mut cloner = Cloner::new(func, self.target, run);
            let (last, results) = self.copies(func, &mut cloner, run, &done.next, 1 << digit);
            let join = self.join(func, cloner.place);
            let skipped: Values = done.exit_args.iter().chain(&done.next).copied().collect();
            let mut b = Builder::at_end(func, done.at);
            let mask = b.iconst(ty, 1i64 << digit);
            let has = b.binary(Opcode::And, self.rest, mask);
            branch_on(func, done.at, (IntCC::Ne, has, 0), (run, &[]), (join.at, &skipped));
            if let Some(term) = last {
                replace_by_jump(func, term, join.at, &results, None);
            }
            done = join;
        }
        done
    }

    /// `n` copies in a row from the end of `from` on. The last one's terminator, unless it is never reached, and what
    /// it passes on.
    fn copies(
        &self,
        func: &mut Function,
        cloner: &mut Cloner<'_>,
        from: Block,
        entry: &[Value],
        n: u32,
    ) -> (Option<Inst>, Values) {
        let mut values: Values = entry.into();
        let mut last: Option<Inst> = None;
        for _ in 0..n {
            let copy = cloner.copy(func, Start::Values(&values), self.stay());
            match last {
                None => {
                    Builder::at_end(func, from).jump(copy.header, &[]);
                }
                Some(term) => {
                    replace_by_jump(func, term, copy.header, &[], None);
                }
            }
            let (Some(latch), Some(next)) = (copy.latch, copy.next) else { return (None, Values::new()) };
            last = Some(func.layout.terminator(latch));
            values = next;
        }
        (last, self.results(cloner, &values))
    }
}
