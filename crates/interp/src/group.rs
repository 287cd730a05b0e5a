//! Runs a work-group: every work-item until it waits, then what they wait for, until all have ended.
//!
//! The order is fixed: work-items by number, each for a slice of operations, warp operations by warp, barriers last. A
//! volatile access of memory that others see ends a slice: programs that let a warp's lanes exchange values through
//! volatile memory without a barrier, as they could before lanes had counters of their own, find them as on a GPU.
//! A warp operation happens when all living lanes of its mask wait at the same instruction with the same mask; a
//! barrier, when all living work-items of the group wait at the same one. When nobody can go on and nothing can
//! happen, somebody waits for a lane that never comes: an error at the instruction that waits.

use crate::exec::{Exec, Item, State};
use crate::trap::{Trap, TrapKind};
use crate::{Uninit, float, int};
use ir::{Intrinsic, ScalarKind};

/// Operations that a work-item executes before it is the next one's turn.
const SLICE: u32 = 1 << 16;

impl Exec<'_> {
    /// What went wrong at the operation that a work-item has executed last.
    pub(crate) fn trap(&self, kind: TrapKind, item: &Item) -> Box<Trap> {
        self.trap_at(kind, item, item.place())
    }

    /// What went wrong at an operation: function and number.
    pub(crate) fn trap_at(&self, kind: TrapKind, item: &Item, place: (u32, u32)) -> Box<Trap> {
        Box::new(Trap {
            kind,
            span: self.span(place),
            function: self.code.get(place.0 as usize).map_or_else(String::new, |c| c.name.clone()),
            group: self.group_number(),
            work_item: item.id,
        })
    }

    /// Runs the group to its end.
    pub(crate) fn run_group(&mut self, items: &mut [Item]) -> Result<(), Box<Trap>> {
        loop {
            let mut progress = false;
            for item in items.iter_mut().filter(|i| i.state == State::Ready) {
                progress = true;
                if let Err(kind) = self.run(item, SLICE) {
                    self.stop(item, kind)?;
                }
            }
            for first in (0..items.len()).step_by(self.warp as usize) {
                let last = items.len().min(first + self.warp as usize);
                progress |= self.warp_operations(&mut items[first..last])?;
            }
            progress |= self.barrier(items)?;
            if items.iter().all(|i| i.state == State::Done) {
                return self.leave_copies(items);
            }
            if !progress {
                let (who, kind) = self.deadlock(items);
                if !self.note(&items[who], kind.clone()) {
                    return Err(self.trap(kind, &items[who]));
                }
                self.let_through(items);
            }
        }
    }

    /// A work-item cannot go on: an error, unless all faults are wanted and others can.
    fn stop(&mut self, item: &mut Item, kind: TrapKind) -> Result<(), Box<Trap>> {
        if self.survey.is_none() || kind.ends_launch() {
            return Err(self.trap(kind, item));
        }
        self.note(item, kind);
        self.end(item);
        item.stopped = true;
        Ok(())
    }

    /// Who waits in vain goes on: at barriers as if all had come. What a warp was to compute together is not there, so
    /// those work-items end.
    fn let_through(&mut self, items: &mut [Item]) {
        for item in items.iter_mut() {
            match item.state {
                State::Barrier(_) => {
                    let op = *self.op(item);
                    if op.bits > 0 {
                        item.set(op.dst, 0, 0);
                    }
                    item.state = State::Ready;
                    item.ordering = false;
                }
                State::Warp(_) => {
                    self.end(item);
                    item.stopped = true;
                }
                State::Ready | State::Done => {}
            }
        }
        if let Some(races) = &mut self.races {
            races.barrier();
        }
    }

    /// Nobody can go on: says who waits for whom.
    fn deadlock(&self, items: &[Item]) -> (usize, TrapKind) {
        for (n, item) in items.iter().enumerate() {
            if let State::Warp(_) = item.state {
                let first = n - n % self.warp as usize;
                let warp = &items[first..items.len().min(first + self.warp as usize)];
                let here = lanes_where(warp, |o| matches!(o.state, State::Warp(_)) && o.place() == item.place());
                return (n, TrapKind::WarpDivergence { mask: self.mask(item), here });
            }
        }
        let who = items.iter().position(|i| matches!(i.state, State::Barrier(_))).unwrap_or(0);
        let item = &items[who];
        let waits = |o: &&Item| matches!(o.state, State::Barrier(_)) && o.place() == item.place();
        let waiting = items.iter().filter(waits).count() as u32;
        (who, TrapKind::BarrierDivergence { waiting, elsewhere: items.len() as u32 - waiting })
    }

    /// The operation that a waiting work-item has reached.
    fn op(&self, item: &Item) -> &crate::decode::Op {
        let (func, pc) = item.place();
        &self.code[func as usize].ops[pc as usize]
    }

    // ---- barriers ---------------------------------------------------------------------------------------------------

    /// Lets the group pass its barrier if all have reached it.
    fn barrier(&mut self, items: &mut [Item]) -> Result<bool, Box<Trap>> {
        let mut living = items.iter().filter(|i| i.state != State::Done);
        let Some(first) = living.next() else { return Ok(false) };
        let State::Barrier(which) = first.state else { return Ok(false) };
        if !living.all(|i| matches!(i.state, State::Barrier(_)) && i.place() == first.place()) {
            return Ok(false);
        }
        // Then nobody goes on, and that is the error.
        if self.everybody && items.iter().any(|i| i.state == State::Done && !i.stopped) {
            return Ok(false);
        }
        let op = *self.op(first);
        let (mut count, mut all, mut any, mut undef) = (0u64, true, false, 0);
        for i in items.iter().filter(|i| i.state != State::Done) {
            let yes = i.reg(op.args[0]) & 1 == 1;
            count += u64::from(yes);
            all &= yes;
            any |= yes;
            undef |= i.reg_shadow(op.args[0]);
        }
        let result = match which {
            Intrinsic::BarrierPopc => Some(count),
            Intrinsic::BarrierAnd => Some(all.into()),
            Intrinsic::BarrierOr => Some(any.into()),
            _ => None,
        };
        for i in items.iter_mut().filter(|i| i.state != State::Done) {
            if let Some(v) = result.filter(|_| op.bits > 0) {
                i.set(op.dst, v, if undef == 0 { 0 } else { crate::decode::all_undef(op.kind) });
            }
        }
        self.meet(items)?;
        items.iter_mut().filter(|i| i.state != State::Done).for_each(|i| i.state = State::Ready);
        Ok(true)
    }

    // ---- warps ------------------------------------------------------------------------------------------------------

    fn lane_bit(&self, item: &Item) -> u64 {
        1 << (item.linear % self.warp)
    }

    /// The mask operand of the warp operation at which a work-item waits; all lanes where there is none.
    fn mask(&self, item: &Item) -> u64 {
        let op = self.op(item);
        match item.state {
            State::Warp(Intrinsic::ActiveMask) => int::ones(self.warp),
            // A mask of fewer bits than the warp has lanes names the first ones.
            _ => item.reg(op.args[0]) & int::ones(self.warp),
        }
    }

    /// Executes the warp operations that are complete.
    fn warp_operations(&mut self, warp: &mut [Item]) -> Result<bool, Box<Trap>> {
        let mut progress = false;
        for n in 0..warp.len() {
            let State::Warp(which) = warp[n].state else { continue };
            if which == Intrinsic::ActiveMask {
                continue;
            }
            let place = warp[n].place();
            let mask = self.mask(&warp[n]);
            if let Err(kind) = self.check_mask(&warp[n], mask) {
                self.stop(&mut warp[n], kind)?;
                progress = true;
                continue;
            }
            let waits = |i: &Item| matches!(i.state, State::Warp(_)) && i.place() == place;
            let living = lanes_where(warp, |i| i.state != State::Done) & mask;
            let here = lanes_where(warp, |i| waits(i) && self.mask(i) == mask) & mask;
            if here == living {
                self.execute(which, warp, here, mask);
                progress = true;
            }
        }
        Ok(progress | self.meet_active(warp))
    }

    /// Tells the lanes at one place who is active there; whether there were some. While a lane goes on it may still come, and
    /// lanes that have left a loop wait for those in it: of several places the first one in the code is it, as where lanes
    /// run in lockstep.
    fn meet_active(&mut self, warp: &mut [Item]) -> bool {
        let asks = |i: &Item| i.state == State::Warp(Intrinsic::ActiveMask);
        if warp.iter().any(|i| i.state == State::Ready) {
            return false;
        }
        let Some(first) = warp.iter().filter(|i| asks(i)).min_by(|a, b| a.way().cmp(b.way())) else { return false };
        let here = lanes_where(warp, |i| asks(i) && i.way().eq(first.way()));
        self.execute(Intrinsic::ActiveMask, warp, here, int::ones(self.warp));
        true
    }

    fn check_mask(&self, item: &Item, mask: u64) -> Result<(), TrapKind> {
        if item.reg_shadow(self.op(item).args[0]) != 0 && self.limits.uninit != Uninit::Ignore {
            return Err(TrapKind::UndefinedUse { what: "a lane mask" });
        }
        if mask & self.lane_bit(item) == 0 {
            return Err(TrapKind::LaneNotInMask { mask });
        }
        Ok(())
    }

    fn execute(&mut self, which: Intrinsic, warp: &mut [Item], group: u64, mask: u64) {
        use Intrinsic::*;
        let members: Vec<usize> = (0..warp.len()).filter(|n| group >> n & 1 == 1).collect();
        let op = *self.op(&warp[members[0]]);
        let results: Vec<(u64, crate::decode::Shadow)> = match which {
            WarpSync => {
                if let Some(epoch) = self.warp_epochs.get_mut((warp[0].linear / self.warp) as usize) {
                    *epoch += 1;
                }
                Vec::new()
            }
            ActiveMask => members.iter().map(|_| (group, 0)).collect(),
            ShflIdx | ShflUp | ShflDown | ShflBfly => {
                members.iter().map(|&n| self.shuffle(which, &op, warp, group, n)).collect()
            }
            MatchAny => members
                .iter()
                .map(|&n| {
                    let v = warp[n].reg(op.args[1]);
                    (lanes_of(&members, |m| warp[m].reg(op.args[1]) == v), undef_of(&op, warp, &members))
                })
                .collect(),
            _ => {
                let values: Vec<u64> = members.iter().map(|&n| warp[n].reg(op.args[1])).collect();
                let v = collective(which, &op, &members, &values, mask);
                members.iter().map(|_| (v, undef_of(&op, warp, &members))).collect()
            }
        };
        let fit = int::ones(u32::from(op.bits).max(1));
        for (&n, &(v, shadow)) in members.iter().zip(&results) {
            let shadow = if shadow == 0 { 0 } else { crate::decode::all_undef(op.kind) };
            warp[n].set(op.dst, v & fit, shadow);
        }
        for &n in &members {
            warp[n].state = State::Ready;
        }
    }

    /// PTX `shfl`: the value of another lane; a lane's own if that one is out of its segment, undefined if it is not
    /// there.
    fn shuffle(
        &self,
        which: Intrinsic,
        op: &crate::decode::Op,
        warp: &[Item],
        group: u64,
        n: usize,
    ) -> (u64, crate::decode::Shadow) {
        let item = &warp[n];
        let list = {
            let (func, _) = item.place();
            &self.code[func as usize].lists[op.list.0 as usize..op.list.1 as usize]
        };
        let low = u64::from(self.warp - 1);
        let lane = n as u64;
        let (b, c) = (item.reg(list[2]) & low, item.reg(list[3]));
        let (clamp, segment) = (c & low, c >> 8 & low);
        let max = lane & segment | clamp & !segment;
        let min = lane & segment;
        let (from, inside) = match which {
            Intrinsic::ShflUp => (lane.wrapping_sub(b), lane >= b && lane - b >= max),
            Intrinsic::ShflDown => (lane + b, lane + b <= max),
            Intrinsic::ShflBfly => (lane ^ b, lane ^ b <= max),
            _ => (min | b & !segment, min | b & !segment <= max),
        };
        let from = if inside { from } else { lane };
        let control = item.reg_shadow(list[2]) | item.reg_shadow(list[3]);
        if group >> from & 1 == 0 || from as usize >= warp.len() {
            return (crate::decode::UNDEF_BITS, 255);
        }
        let source = &warp[from as usize];
        (source.reg(list[1]), source.reg_shadow(list[1]) | control)
    }
}

/// Bits of the members that satisfy a condition.
fn lanes_of(members: &[usize], yes: impl Fn(usize) -> bool) -> u64 {
    members.iter().filter(|&&m| yes(m)).fold(0, |mask, &m| mask | 1 << m)
}

fn lanes_where(warp: &[Item], yes: impl Fn(&Item) -> bool) -> u64 {
    warp.iter().enumerate().filter(|(_, i)| yes(i)).fold(0, |mask, (n, _)| mask | 1 << n)
}

/// Whether a member's value is undefined, as a shadow.
fn undef_of(op: &crate::decode::Op, warp: &[Item], members: &[usize]) -> crate::decode::Shadow {
    members.iter().fold(0, |s, &n| s | warp[n].reg_shadow(op.args[1]))
}

/// What an operation over the lanes of a mask gives, the same in all of them.
fn collective(which: Intrinsic, op: &crate::decode::Op, members: &[usize], values: &[u64], mask: u64) -> u64 {
    use Intrinsic::*;
    let truths = members.iter().zip(values).filter(|(_, v)| **v & 1 == 1).fold(0u64, |m, (&n, _)| m | 1 << n);
    let everyone = members.iter().fold(0u64, |m, &n| m | 1 << n);
    // All lanes of a reduction have the same width as the result.
    let bits = u32::from(op.bits).max(1);
    let fold = |f: fn(u64, u64, u32) -> u64| values.iter().copied().reduce(|a, b| f(a, b, bits)).unwrap_or(0);
    match which {
        VoteAll => (truths == everyone).into(),
        VoteAny => (truths != 0).into(),
        VoteUni => (truths == 0 || truths == everyone).into(),
        Ballot => truths,
        MatchAll if values.iter().all(|v| *v == values[0]) => mask & everyone,
        MatchAll => 0,
        ReduxAdd if op.kind >= ScalarKind::F16 && op.kind <= ScalarKind::F64 => values
            .iter()
            .copied()
            .reduce(|a, b| float::eval(ir::Opcode::FAdd, op.flags, ir::Round::NearestEven, op.kind, a, b, 0))
            .unwrap_or(0),
        ReduxAdd => fold(|a, b, _| a.wrapping_add(b)),
        ReduxSMin => fold(|a, b, n| if int::signed(a, n) <= int::signed(b, n) { a } else { b }),
        ReduxSMax => fold(|a, b, n| if int::signed(a, n) >= int::signed(b, n) { a } else { b }),
        ReduxUMin => fold(|a, b, _| a.min(b)),
        ReduxUMax => fold(|a, b, _| a.max(b)),
        ReduxAnd => fold(|a, b, _| a & b),
        ReduxOr => fold(|a, b, _| a | b),
        _ => fold(|a, b, _| a ^ b),
    }
}
