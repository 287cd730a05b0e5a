//! Shuffles, reductions and scans over the lanes of a warp.

use crate::{Emitter, Operands};
use builtins::{Reduce, Shuffle};
use ir::{Flags, IntCC, Intrinsic, Opcode, Payload, SpecialReg, Type, Value};
use smallvec::SmallVec;

impl Emitter<'_> {
    /// The type of a mask with a bit for each lane of a warp.
    pub(crate) fn lane_mask_type(&self) -> Type {
        if self.context.target.lane_mask_bits() == 64 { Type::I64 } else { Type::I32 }
    }

    /// A mask operand.
    pub(crate) fn lane_mask(&mut self, mask: Value) -> Value {
        let ty = self.lane_mask_type();
        self.resize(mask, ty, false)
    }

    /// The mask of all lanes.
    pub(crate) fn every_lane(&mut self) -> Value {
        let ty = self.lane_mask_type();
        self.iconst(ty, -1)
    }

    /// The clamp of a shuffle that reaches every lane: the number of the last one.
    pub(crate) fn last_lane(&self) -> i64 {
        i64::from(self.context.target.warp_size()) - 1
    }

    /// `__shfl*`: mask, value, lane or distance, width.
    pub(crate) fn shuffle_warp(&mut self, kind: Shuffle, sync: bool, o: &Operands) -> Value {
        let at = usize::from(sync);
        let mask = if sync { self.lane_mask(o.get(0)) } else { self.every_lane() };
        let lane = self.resize(o.get(at + 1), Type::I32, false);
        let (warp, last) = (i64::from(self.context.target.warp_size()), self.last_lane());
        let (op, clamp) = match kind {
            Shuffle::Index => (Intrinsic::ShflIdx, last),
            Shuffle::Up => (Intrinsic::ShflUp, 0),
            Shuffle::Down => (Intrinsic::ShflDown, last),
            Shuffle::Xor => (Intrinsic::ShflBfly, last),
        };
        let Some(&width) = o.values().get(at + 2) else { return self.shuffle_words(op, mask, o.get(at), lane, clamp) };
        if let Some(w) = self.func.dfg.as_int(width) {
            return self.shuffle_words(op, mask, o.get(at), lane, ((warp - w) << 8) | clamp);
        }
        // The segment mask of a computed width: (warp - width) << 8 | clamp.
        let n = self.iconst(Type::I32, warp);
        let eight = self.iconst(Type::I32, 8);
        let clamp = self.iconst(Type::I32, clamp);
        let width = self.resize(width, Type::I32, false);
        let c = self.op2(Opcode::Sub, n, width);
        let c = self.op2(Opcode::Shl, c, eight);
        let c = self.op2(Opcode::Or, c, clamp);
        self.shuffle_by(op, mask, o.get(at), lane, c)
    }

    pub(crate) fn shuffle_words(&mut self, op: Intrinsic, mask: Value, v: Value, lane: Value, c: i64) -> Value {
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
            8 | 16 => {
                let int = if bits == 8 { Type::I8 } else { Type::I16 };
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

    pub(crate) fn redux(&mut self, r: Reduce, mask: Value, v: Value, signed: bool) -> Value {
        let op = match (r, signed) {
            (Reduce::Add, _) => Intrinsic::ReduxAdd,
            (Reduce::Min, true) => Intrinsic::ReduxSMin,
            (Reduce::Max, true) => Intrinsic::ReduxSMax,
            (Reduce::Min, false) => Intrinsic::ReduxUMin,
            (Reduce::Max, false) => Intrinsic::ReduxUMax,
            (Reduce::And, _) => Intrinsic::ReduxAnd,
            (Reduce::Or, _) => Intrinsic::ReduxOr,
            (Reduce::Xor, _) => Intrinsic::ReduxXor,
            // No warp multiplies.
            (Reduce::Mul, _) => unreachable!("no table has a product over a warp"),
        };
        self.make(Opcode::Intrinsic, Type::I32, Flags::NONE, &[mask, v], Payload::Intrinsic(op))
    }

    pub(crate) fn combine(&mut self, r: Reduce, a: Value, b: Value, signed: bool) -> Value {
        let float = self.ty(a).is_float();
        let op = match r {
            Reduce::Add if float => Opcode::FAdd,
            Reduce::Mul if float => Opcode::FMul,
            Reduce::Min if float => Opcode::FMin,
            Reduce::Max if float => Opcode::FMax,
            Reduce::Add => Opcode::Add,
            Reduce::Mul => Opcode::Mul,
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

    /// A butterfly over the warp. Where the group ends within it, lanes that are not there take no part, and what the first
    /// lane then has is everybody's.
    pub(crate) fn sub_group_reduce(&mut self, r: Reduce, v: Value, signed: bool) -> Value {
        let (mask, last) = (self.every_lane(), self.last_lane());
        let size = self.sub_group_size();
        let size = self.resize(size, Type::I32, false);
        let me = self.build(|b| b.special(SpecialReg::LaneId));
        let mut acc = v;
        for step in (0..self.context.target.warp_size().ilog2()).rev().map(|n| 1 << n) {
            let lane = self.iconst(Type::I32, step);
            let other = self.shuffle_words(Intrinsic::ShflBfly, mask, acc, lane, last);
            let sum = self.combine(r, acc, other, signed);
            let partner = self.op2(Opcode::Xor, me, lane);
            let is_there = self.build(|b| b.icmp(IntCC::Ult, partner, size));
            acc = self.build(|b| b.select(is_there, sum, acc));
        }
        let first = self.iconst(Type::I32, 0);
        self.shuffle_words(Intrinsic::ShflIdx, mask, acc, first, last)
    }

    /// Hillis and Steele's scan over the warp.
    pub(crate) fn sub_group_scan(&mut self, r: Reduce, inclusive: bool, v: Value, signed: bool) -> Value {
        let mask = self.every_lane();
        let me = self.build(|b| b.special(SpecialReg::LaneId));
        let mut acc = v;
        for step in (0..self.context.target.warp_size().ilog2()).map(|n| 1 << n) {
            let n = self.iconst(Type::I32, step);
            let other = self.shuffle_words(Intrinsic::ShflUp, mask, acc, n, 0);
            let sum = self.combine(r, acc, other, signed);
            let in_reach = self.build(|b| b.icmp(IntCC::Uge, me, n));
            acc = self.build(|b| b.select(in_reach, sum, acc));
        }
        if inclusive { acc } else { self.excluding_own(r, acc, signed) }
    }

    /// A scan without the own lane, from one with it.
    pub(crate) fn excluding_own(&mut self, r: Reduce, scan: Value, signed: bool) -> Value {
        let mask = self.every_lane();
        let me = self.build(|b| b.special(SpecialReg::LaneId));
        let one = self.iconst(Type::I32, 1);
        let shifted = self.shuffle_words(Intrinsic::ShflUp, mask, scan, one, 0);
        let ty = self.ty(scan);
        let identity = self.identity(r, ty, signed);
        let zero = self.iconst(Type::I32, 0);
        let first = self.build(|b| b.icmp(IntCC::Eq, me, zero));
        self.build(|b| b.select(first, identity, shifted))
    }

    /// What changes nothing when it is combined with something.
    pub(crate) fn identity(&mut self, r: Reduce, ty: Type, signed: bool) -> Value {
        if ty.is_float() {
            let x = match r {
                Reduce::Min => f64::INFINITY,
                Reduce::Max => f64::NEG_INFINITY,
                Reduce::Mul => 1.0,
                _ => 0.0,
            };
            return self.func.dfg.fconst(ty, x);
        }
        let bits = match r {
            Reduce::Min if signed => ty.mask() >> 1,
            Reduce::Max if signed => (ty.mask() >> 1) + 1,
            Reduce::Min | Reduce::And => ty.mask(),
            Reduce::Mul => 1,
            _ => 0,
        };
        self.func.dfg.bits(ty, bits)
    }
}
