//! Barriers, fences, shuffles, votes, warp reductions, and other operations with effects.

use super::Operands;
use super::memory::{order, scope};
use crate::func::Fn;
use builtins::{Op, Reduce, Shuffle, Vote};
use ir::{Flags, Intrinsic, MemOrder, Opcode, Payload, Scope, SpecialReg, Type, Value};
use smallvec::SmallVec;

impl Fn<'_, '_> {
    pub(super) fn sync_op(&mut self, op: Op, o: &Operands<'_>) -> Option<Option<Value>> {
        Some(match op {
            Op::Barrier => {
                let zero = self.iconst(Type::I32, 0);
                self.effect_intrinsic(Intrinsic::Barrier, &[zero])
            }
            Op::BarrierReduce(r) => {
                let p = self.truth(o.get(0));
                let (i, ty) = match r {
                    Reduce::And => (Intrinsic::BarrierAnd, Type::I1),
                    Reduce::Or => (Intrinsic::BarrierOr, Type::I1),
                    _ => (Intrinsic::BarrierPopc, Type::I32),
                };
                let v = self.make(Opcode::Intrinsic, ty, Flags::NONE, &[p], Payload::Intrinsic(i));
                Some(self.truth_as(v, o.ty))
            }
            Op::WarpBarrier => {
                let mask = match o.v.first() {
                    // OpenCL's sub_group_barrier takes fence flags, not a mask.
                    Some(&m) if !self.cx.options.opencl => self.resize(m, Type::I32, false),
                    _ => self.iconst(Type::I32, -1),
                };
                self.effect_intrinsic(Intrinsic::WarpSync, &[mask])
            }
            Op::Fence { scope: s, order: r } => {
                self.build(|b| b.fence(order(r), scope(s)));
                None
            }
            Op::Shfl { kind, sync } => Some(self.shuffle_warp(kind, sync, o)),
            Op::Vote { kind, sync } => Some(self.vote(kind, sync, o)),
            Op::ActiveMask => {
                let v = self.mask_intrinsic(Intrinsic::ActiveMask, &[]);
                Some(self.resize(v, o.ty, false))
            }
            Op::MatchAny => {
                let v = self.match_op(Intrinsic::MatchAny, o);
                Some(self.resize(v, o.ty, false))
            }
            Op::MatchAll => {
                let v = self.match_op(Intrinsic::MatchAll, o);
                let zero = self.iconst(Type::I32, 0);
                let all = self.build(|b| b.icmp(ir::IntCC::Ne, v, zero));
                let flag = self.build(|b| b.cast(Opcode::ZExt, all, Type::I32));
                self.build(|b| b.store(o.v[2], flag, ir::MemInfo::aligned(4), Flags::NONE));
                Some(self.resize(v, o.ty, false))
            }
            Op::WarpReduce(r) => {
                let mask = self.resize(o.get(0), Type::I32, false);
                let program = self.cx.program;
                let signed = program.types.is_signed(program.expr(o.exprs[1]).ty);
                Some(self.redux(r, mask, o.get(1), signed))
            }
            Op::SubGroupReduce(r) => Some(self.sub_group_reduce(r, o.get(0), o.signed)),
            Op::SubGroupScan { reduce, inclusive } => Some(self.sub_group_scan(reduce, inclusive, o.get(0), o.signed)),
            Op::SubGroupBroadcast => {
                let mask = self.iconst(Type::I32, -1);
                let lane = self.resize(o.get(1), Type::I32, false);
                Some(self.shuffle_words(Intrinsic::ShflIdx, mask, o.get(0), lane, 0x1f))
            }
            Op::NanoSleep => {
                let n = self.resize(o.get(0), Type::I32, false);
                self.effect_intrinsic(Intrinsic::Nanosleep, &[n])
            }
            Op::Trap | Op::AssertFail => {
                self.effect_intrinsic(Intrinsic::Trap, &[]);
                self.end()
            }
            Op::Exit => {
                self.effect_intrinsic(Intrinsic::Exit, &[]);
                self.end()
            }
            Op::Breakpoint => self.effect_intrinsic(Intrinsic::Brkpt, &[]),
            Op::Unreachable => self.end(),
            Op::GroupBroadcast | Op::GroupReduce(_) | Op::GroupScan { .. } | Op::GroupVote(_) => self.group_op(op, o),
            _ => return None,
        })
    }

    fn effect_intrinsic(&mut self, op: Intrinsic, args: &[Value]) -> Option<Value> {
        self.build(|b| b.intrinsic(op, Type::VOID, args));
        None
    }

    /// Control does not come here.
    fn end(&mut self) -> Option<Value> {
        if !self.is_terminated() {
            self.build(|b| b.unreachable());
            self.start_dead();
        }
        None
    }

    fn mask_intrinsic(&mut self, op: Intrinsic, args: &[Value]) -> Value {
        let ty = if self.cx.options.warp_size == 64 { Type::I64 } else { Type::I32 };
        self.make(Opcode::Intrinsic, ty, Flags::NONE, args, Payload::Intrinsic(op))
    }

    fn match_op(&mut self, op: Intrinsic, o: &Operands<'_>) -> Value {
        let mask = self.resize(o.get(0), Type::I32, false);
        let v = o.get(1);
        let int = if self.ty(v).bits() == 64 { Type::I64 } else { Type::I32 };
        let v = if self.ty(v).is_int() { self.resize(v, int, false) } else { self.reinterpret(v, int) };
        self.mask_intrinsic(op, &[mask, v])
    }

    /// `__shfl*`: mask, value, lane or distance, width.
    fn shuffle_warp(&mut self, kind: Shuffle, sync: bool, o: &Operands<'_>) -> Value {
        let at = usize::from(sync);
        let mask = if sync { self.resize(o.get(0), Type::I32, false) } else { self.iconst(Type::I32, -1) };
        let lane = self.resize(o.get(at + 1), Type::I32, false);
        let (op, clamp) = match kind {
            Shuffle::Index => (Intrinsic::ShflIdx, 0x1f),
            Shuffle::Up => (Intrinsic::ShflUp, 0),
            Shuffle::Down => (Intrinsic::ShflDown, 0x1f),
            Shuffle::Xor => (Intrinsic::ShflBfly, 0x1f),
        };
        let Some(&width) = o.v.get(at + 2) else { return self.shuffle_words(op, mask, o.get(at), lane, clamp) };
        if let Some(w) = self.func.dfg.as_int(width) {
            return self.shuffle_words(op, mask, o.get(at), lane, ((32 - w) << 8) | clamp);
        }
        // The segment mask of a computed width: (32 - width) << 8 | clamp.
        let n = self.iconst(Type::I32, 32);
        let eight = self.iconst(Type::I32, 8);
        let clamp = self.iconst(Type::I32, clamp);
        let width = self.resize(width, Type::I32, false);
        let c = self.op2(Opcode::Sub, n, width);
        let c = self.op2(Opcode::Shl, c, eight);
        let c = self.op2(Opcode::Or, c, clamp);
        self.shuffle_by(op, mask, o.get(at), lane, c)
    }

    fn shuffle_words(&mut self, op: Intrinsic, mask: Value, v: Value, lane: Value, c: i64) -> Value {
        let c = self.iconst(Type::I32, c);
        self.shuffle_by(op, mask, v, lane, c)
    }

    /// A shuffle of a value of any width, 32 bits at a time.
    fn shuffle_by(&mut self, op: Intrinsic, mask: Value, v: Value, lane: Value, c: Value) -> Value {
        let ty = self.ty(v);
        let one = |this: &mut Self, w: Value| {
            let ty = this.ty(w);
            this.make(Opcode::Intrinsic, ty, Flags::NONE, &[mask, w, lane, c], Payload::Intrinsic(op))
        };
        let bits = ty.bits() * u32::from(ty.lanes());
        match bits {
            32 if !ty.is_vector() => one(self, v),
            32 => {
                let w = self.reinterpret(v, Type::I32);
                let w = one(self, w);
                self.reinterpret(w, ty)
            }
            0..=31 => {
                let int = Type::int(bits).unwrap_or(Type::I16);
                let w = self.reinterpret(v, int);
                let w = self.resize(w, Type::I32, false);
                let w = one(self, w);
                let w = self.resize(w, int, false);
                self.reinterpret(w, ty)
            }
            _ if ty.is_vector() => {
                let lanes: SmallVec<[Value; 16]> = (0..ty.lanes())
                    .map(|l| {
                        let x = self.build(|b| b.extract(v, l));
                        self.shuffle_by(op, mask, x, lane, c)
                    })
                    .collect();
                self.build(|b| b.vec_build(&lanes))
            }
            _ => {
                let two = Type::I32.vector(2).unwrap_or(Type::I32);
                let w = self.reinterpret(v, two);
                let (lo, hi) = (self.build(|b| b.extract(w, 0)), self.build(|b| b.extract(w, 1)));
                let (lo, hi) = (one(self, lo), one(self, hi));
                let w = self.build(|b| b.vec_build(&[lo, hi]));
                self.reinterpret(w, ty)
            }
        }
    }

    fn vote(&mut self, kind: Vote, sync: bool, o: &Operands<'_>) -> Value {
        let mask = if sync { self.resize(o.get(0), Type::I32, false) } else { self.iconst(Type::I32, -1) };
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

    fn redux(&mut self, r: Reduce, mask: Value, v: Value, signed: bool) -> Value {
        let op = match (r, signed) {
            (Reduce::Add, _) => Intrinsic::ReduxAdd,
            (Reduce::Min, true) => Intrinsic::ReduxSMin,
            (Reduce::Max, true) => Intrinsic::ReduxSMax,
            (Reduce::Min, false) => Intrinsic::ReduxUMin,
            (Reduce::Max, false) => Intrinsic::ReduxUMax,
            (Reduce::And, _) => Intrinsic::ReduxAnd,
            (Reduce::Or, _) => Intrinsic::ReduxOr,
            (Reduce::Xor, _) => Intrinsic::ReduxXor,
        };
        self.make(Opcode::Intrinsic, Type::I32, Flags::NONE, &[mask, v], Payload::Intrinsic(op))
    }

    fn combine(&mut self, r: Reduce, a: Value, b: Value, signed: bool) -> Value {
        let float = self.ty(a).is_float();
        let op = match r {
            Reduce::Add if float => Opcode::FAdd,
            Reduce::Min if float => Opcode::FMin,
            Reduce::Max if float => Opcode::FMax,
            Reduce::Add => Opcode::Add,
            Reduce::Min if signed => Opcode::SMin,
            Reduce::Max if signed => Opcode::SMax,
            Reduce::Min => Opcode::UMin,
            Reduce::Max => Opcode::UMax,
            Reduce::And => Opcode::And,
            Reduce::Or => Opcode::Or,
            Reduce::Xor => Opcode::Xor,
        };
        self.op2(op, a, b)
    }

    /// A butterfly over the whole warp.
    fn sub_group_reduce(&mut self, r: Reduce, v: Value, signed: bool) -> Value {
        let mask = self.iconst(Type::I32, -1);
        let mut acc = v;
        for step in [16, 8, 4, 2, 1] {
            let lane = self.iconst(Type::I32, step);
            let other = self.shuffle_words(Intrinsic::ShflBfly, mask, acc, lane, 0x1f);
            acc = self.combine(r, acc, other, signed);
        }
        acc
    }

    /// Hillis and Steele's scan over the warp.
    fn sub_group_scan(&mut self, r: Reduce, inclusive: bool, v: Value, signed: bool) -> Value {
        let mask = self.iconst(Type::I32, -1);
        let me = self.build(|b| b.special(SpecialReg::LaneId));
        let mut acc = v;
        for step in [1, 2, 4, 8, 16] {
            let n = self.iconst(Type::I32, step);
            let other = self.shuffle_words(Intrinsic::ShflUp, mask, acc, n, 0);
            let sum = self.combine(r, acc, other, signed);
            let in_reach = self.build(|b| b.icmp(ir::IntCC::Uge, me, n));
            acc = self.build(|b| b.select(in_reach, sum, acc));
        }
        if inclusive {
            return acc;
        }
        let one = self.iconst(Type::I32, 1);
        let shifted = self.shuffle_words(Intrinsic::ShflUp, mask, acc, one, 0);
        let ty = self.ty(v);
        let identity = self.identity(r, ty, signed);
        let zero = self.iconst(Type::I32, 0);
        let first = self.build(|b| b.icmp(ir::IntCC::Eq, me, zero));
        self.build(|b| b.select(first, identity, shifted))
    }

    fn identity(&mut self, r: Reduce, ty: Type, signed: bool) -> Value {
        if ty.is_float() {
            let x = match r {
                Reduce::Min => f64::INFINITY,
                Reduce::Max => f64::NEG_INFINITY,
                _ => 0.0,
            };
            return self.func.dfg.fconst(ty, x);
        }
        let bits = match r {
            Reduce::Min if signed => ty.mask() >> 1,
            Reduce::Max if signed => (ty.mask() >> 1) + 1,
            Reduce::Min | Reduce::And => ty.mask(),
            _ => 0,
        };
        self.func.dfg.bits(ty, bits)
    }

    /// Work-group collectives with a barrier that reduces truth values; the others need work-group memory, which the
    /// source must name itself.
    fn group_op(&mut self, op: Op, o: &Operands<'_>) -> Option<Value> {
        if let Op::GroupVote(kind) = op {
            let p = self.truth(o.get(0));
            let i = if kind == Vote::All { Intrinsic::BarrierAnd } else { Intrinsic::BarrierOr };
            let v = self.make(Opcode::Intrinsic, Type::I1, Flags::NONE, &[p], Payload::Intrinsic(i));
            return Some(self.truth_as(v, o.ty));
        }
        self.build(|b| b.fence(MemOrder::AcqRel, Scope::Group));
        self.unsupported(op, o)
    }
}
