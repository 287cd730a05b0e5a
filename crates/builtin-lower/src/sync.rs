//! What work-items of a group or a warp do together: barriers, fences, votes, matches.

use crate::atomic::{order, scope};
use crate::{Emitter, Operands};
use builtins::{Reduce, SyncOp, Vote};
use ir::{Flags, IntCC, Intrinsic, MemInfo, Opcode, Payload, Type, Value};

impl Emitter<'_> {
    pub(crate) fn sync(&mut self, op: SyncOp, o: &Operands) -> Option<Value> {
        match op {
            SyncOp::Barrier => {
                if self.context.checks
                    && let Some(&flags) = o.values().first()
                {
                    let flags = self.resize(flags, Type::I32, false);
                    self.effect(Intrinsic::CheckFences, &[flags]);
                }
                self.barrier()
            }
            SyncOp::BarrierReduce(r) => {
                let p = self.truth(o.get(0));
                let (i, ty) = match r {
                    Reduce::And => (Intrinsic::BarrierAnd, Type::I1),
                    Reduce::Or => (Intrinsic::BarrierOr, Type::I1),
                    _ => (Intrinsic::BarrierPopc, Type::I32),
                };
                let v = self.make(Opcode::Intrinsic, ty, Flags::NONE, &[p], Payload::Intrinsic(i));
                Some(self.truth_as(v, o.ty))
            }
            SyncOp::GroupVote(kind) => {
                let p = self.truth(o.get(0));
                let i = if kind == Vote::All { Intrinsic::BarrierAnd } else { Intrinsic::BarrierOr };
                let v = self.make(Opcode::Intrinsic, Type::I1, Flags::NONE, &[p], Payload::Intrinsic(i));
                Some(self.truth_as(v, o.ty))
            }
            SyncOp::GroupReduce(r) => Some(self.group_reduce(r, o)),
            SyncOp::GroupScan { reduce, inclusive } => Some(self.group_scan(reduce, inclusive, o)),
            SyncOp::GroupBroadcast => Some(self.group_broadcast(o)),
            SyncOp::Fence { scope: s, order: r } => {
                self.build(|b| b.fence(order(r), scope(s)));
                None
            }
            SyncOp::WarpBarrier => {
                let mask = match o.values().first() {
                    Some(&m) => self.lane_mask(m),
                    None => self.every_lane(),
                };
                self.effect(Intrinsic::WarpSync, &[mask])
            }
            SyncOp::SubGroupBarrier => {
                let mask = self.every_lane();
                self.effect(Intrinsic::WarpSync, &[mask])
            }
            SyncOp::Shuffle { kind, sync } => Some(self.shuffle_warp(kind, sync, o)),
            SyncOp::Vote { kind, sync } => Some(self.vote(kind, sync, o)),
            SyncOp::ActiveMask => {
                let v = self.mask_intrinsic(Intrinsic::ActiveMask, &[]);
                Some(self.resize(v, o.ty, false))
            }
            SyncOp::MatchAny => {
                let v = self.match_op(Intrinsic::MatchAny, o);
                Some(self.resize(v, o.ty, false))
            }
            SyncOp::MatchAll => Some(self.match_all(o)),
            SyncOp::WarpReduce(r) => {
                let mask = self.lane_mask(o.get(0));
                Some(self.redux(r, mask, o.get(1), o.is_signed(1)))
            }
            SyncOp::SubGroupReduce(r) => Some(self.sub_group_reduce(r, o.get(0), o.is_signed(0))),
            SyncOp::SubGroupScan { reduce, inclusive } => {
                Some(self.sub_group_scan(reduce, inclusive, o.get(0), o.is_signed(0)))
            }
            SyncOp::SubGroupBroadcast => {
                let mask = self.every_lane();
                let lane = self.resize(o.get(1), Type::I32, false);
                Some(self.shuffle_words(Intrinsic::ShflIdx, mask, o.get(0), lane, self.last_lane()))
            }
            SyncOp::Lanes(op) => Some(self.lanes(op, o)),
        }
    }

    pub(crate) fn barrier(&mut self) -> Option<Value> {
        let zero = self.iconst(Type::I32, 0);
        self.effect(Intrinsic::Barrier, &[zero])
    }

    /// An intrinsic whose result has a bit per lane.
    pub(crate) fn mask_intrinsic(&mut self, op: Intrinsic, args: &[Value]) -> Value {
        let ty = self.lane_mask_type();
        self.make(Opcode::Intrinsic, ty, Flags::NONE, args, Payload::Intrinsic(op))
    }

    fn vote(&mut self, kind: Vote, sync: bool, o: &Operands) -> Value {
        let mask = if sync { self.lane_mask(o.get(0)) } else { self.every_lane() };
        let p = self.truth(o.get(usize::from(sync)));
        let op = match kind {
            Vote::All => Intrinsic::VoteAll,
            Vote::Any => Intrinsic::VoteAny,
            Vote::Uniform => Intrinsic::VoteUni,
            Vote::Ballot => {
                let v = self.mask_intrinsic(Intrinsic::Ballot, &[mask, p]);
                return self.resize(v, o.ty, false);
            }
        };
        let v = self.make(Opcode::Intrinsic, Type::I1, Flags::NONE, &[mask, p], Payload::Intrinsic(op));
        self.truth_as(v, o.ty)
    }

    fn match_op(&mut self, op: Intrinsic, o: &Operands) -> Value {
        let mask = self.lane_mask(o.get(0));
        let v = o.get(1);
        let int = if self.ty(v).bits() == 64 { Type::I64 } else { Type::I32 };
        let v = if self.ty(v).is_int() { self.resize(v, int, false) } else { self.reinterpret(v, int) };
        self.mask_intrinsic(op, &[mask, v])
    }

    /// `__match_all_sync`: the mask, and through the third operand whether it is that of all.
    fn match_all(&mut self, o: &Operands) -> Value {
        let v = self.match_op(Intrinsic::MatchAll, o);
        let ty = self.ty(v);
        let zero = self.iconst(ty, 0);
        let all = self.build(|b| b.icmp(IntCC::Ne, v, zero));
        let flag = self.build(|b| b.cast(Opcode::ZExt, all, Type::I32));
        self.build(|b| b.store(o.get(2), flag, MemInfo::aligned(4), Flags::NONE));
        self.resize(v, o.ty, false)
    }
}
