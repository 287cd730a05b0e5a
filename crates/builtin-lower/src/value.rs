//! Conversions, and what selects and rearranges values, their lanes and bits.

use crate::float::round;
use crate::{Emitter, Operands};
use builtins::ValueOp;
use ir::{Flags, IntCC, Opcode, Payload, Round, Type, Value};
use smallvec::SmallVec;

impl Emitter<'_> {
    pub(crate) fn value(&mut self, op: ValueOp, o: &Operands) -> Value {
        let ty = o.ty;
        match op {
            ValueOp::Convert { round, saturate } => self.convert_op(round, saturate, o),
            ValueOp::BitCast => self.reinterpret(o.get(0), ty),
            ValueOp::BitSelect => self.bit_select(o),
            ValueOp::Select => self.select_op(o),
            ValueOp::Any => self.any_all(o, true),
            ValueOp::All => self.any_all(o, false),
            ValueOp::PackHiLo => {
                let v = self.build(|b| b.vec_build(&[o.get(1), o.get(0)]));
                self.reinterpret(v, ty)
            }
            ValueOp::HighWord => self.word(o.get(0), 1),
            ValueOp::LowWord => self.word(o.get(0), 0),
            ValueOp::MakeVector => self.make_vector(o),
            ValueOp::Splat => self.splat(o.get(0), ty.lanes()),
            ValueOp::Lane(n) => {
                let v = self.build(|b| b.extract(o.get(0), n));
                if ty.is_float() { self.float_to_float(v, ty) } else { v }
            }
            ValueOp::SplatLane(n) => {
                let v = self.build(|b| b.extract(o.get(0), n));
                self.splat(v, ty.lanes())
            }
            ValueOp::PickLanes(a, b) => {
                let width = self.ty(o.get(0)).lanes();
                let lanes = [a, b].map(|n| self.build(|x| x.extract(o.get(usize::from(n / width)), n % width)));
                self.build(|x| x.vec_build(&lanes))
            }
            ValueOp::Shuffle => self.shuffle_op(o, false),
            ValueOp::Shuffle2 => self.shuffle_op(o, true),
            ValueOp::IsConstant => {
                let known = self.func.dfg.as_const(o.get(0)).is_some();
                self.iconst(ty, i64::from(known))
            }
            ValueOp::IsConstantEvaluated => self.iconst(ty, 0),
        }
    }

    /// A half of 64 bits.
    fn word(&mut self, v: Value, n: u8) -> Value {
        let two = Type::I32.vector(2).unwrap_or(Type::I32);
        let v = self.reinterpret(v, two);
        self.build(|b| b.extract(v, n))
    }

    /// `convert_*` and CUDA's conversion intrinsics.
    fn convert_op(&mut self, r: Option<builtins::Round>, saturate: bool, o: &Operands) -> Value {
        let v = o.get(0);
        let (from, ty) = (self.ty(v), o.ty);
        let mode = r.map(round);
        let pay = |default: Round| match mode {
            Some(m) if m != default => Payload::Round(m),
            _ => Payload::None,
        };
        let flags = self.ftz(Type::F32);
        match (from.is_float(), ty.is_float()) {
            (true, false) => {
                let flags = if from.scalar() == Type::F32 { flags } else { Flags::NONE };
                if !saturate {
                    return self.float_to_wrapped(v, ty, o.signed_result, flags, pay(Round::Zero));
                }
                let op = if o.signed_result { Opcode::FpToSi } else { Opcode::FpToUi };
                let flags = flags.with(self.nan_flag(from, ty));
                self.make(op, ty, flags, &[v], pay(Round::Zero))
            }
            (false, true) => {
                let v = if from.scalar() == Type::I1 { self.resize(v, Type::I32, false) } else { v };
                let op = if o.is_signed(0) { Opcode::SiToFp } else { Opcode::UiToFp };
                self.make(op, ty, Flags::NONE, &[v], pay(Round::NearestEven))
            }
            (true, true) if from.bits() > ty.bits() => {
                self.make(Opcode::FpTrunc, ty, Flags::NONE, &[v], pay(Round::NearestEven))
            }
            (true, true) => self.float_to_float(v, ty),
            (false, false) if saturate => self.saturate_int(v, o.is_signed(0), ty, o.signed_result),
            (false, false) => self.resize(v, ty, o.is_signed(0)),
        }
    }

    /// Integer to integer, clamped to the target's range.
    fn saturate_int(&mut self, v: Value, signed: bool, ty: Type, signed_to: bool) -> Value {
        let from = self.ty(v);
        let (bits, to) = (from.bits(), ty.bits());
        let mut v = v;
        // Bounds of the target that the source can exceed.
        let max = if signed_to { (1u64 << (to - 1)) - 1 } else { ty.mask() };
        let source_max = if signed { (1u64 << (bits - 1)) - 1 } else { from.mask() };
        if source_max > max {
            let limit = self.func.dfg.bits(from, max);
            v = self.op2(if signed { Opcode::SMin } else { Opcode::UMin }, v, limit);
        }
        if signed {
            if !signed_to {
                let zero = self.iconst(from, 0);
                v = self.op2(Opcode::SMax, v, zero);
            } else if bits > to {
                let least = self.iconst(from, -(1i64 << (to - 1)));
                v = self.op2(Opcode::SMax, v, least);
            }
        }
        self.resize(v, ty, signed)
    }

    fn bit_select(&mut self, o: &Operands) -> Value {
        let int = o.ty.with_scalar(Type::int(o.ty.bits()).unwrap_or(Type::I32));
        let bits: SmallVec<[Value; 3]> = o.values().iter().map(|&v| self.reinterpret(v, int)).collect();
        let ones = self.iconst(int, -1);
        let not = self.op2(Opcode::Xor, bits[2], ones);
        let a = self.op2(Opcode::And, bits[0], not);
        let b = self.op2(Opcode::And, bits[1], bits[2]);
        let v = self.op2(Opcode::Or, a, b);
        self.reinterpret(v, o.ty)
    }

    fn select_op(&mut self, o: &Operands) -> Value {
        let c = o.get(2);
        let ty = self.ty(c);
        let zero = self.iconst(ty, 0);
        let cc = if ty.is_vector() { IntCC::Slt } else { IntCC::Ne };
        let c = self.build(|b| b.icmp(cc, c, zero));
        self.build(|b| b.select(c, o.get(1), o.get(0)))
    }

    fn any_all(&mut self, o: &Operands, any: bool) -> Value {
        let v = o.get(0);
        let ty = self.ty(v);
        let mut acc = v;
        if ty.is_vector() {
            acc = self.build(|b| b.extract(v, 0));
            for lane in 1..ty.lanes() {
                let x = self.build(|b| b.extract(v, lane));
                acc = self.op2(if any { Opcode::Or } else { Opcode::And }, acc, x);
            }
        }
        let zero = self.iconst(ty.scalar(), 0);
        let c = self.build(|b| b.icmp(IntCC::Slt, acc, zero));
        self.truth_as(c, o.ty)
    }

    fn make_vector(&mut self, o: &Operands) -> Value {
        let mut lanes: SmallVec<[Value; 16]> = SmallVec::new();
        for &v in o.values() {
            if self.ty(v).is_vector() {
                for l in 0..self.ty(v).lanes() {
                    lanes.push(self.build(|b| b.extract(v, l)));
                }
            } else {
                lanes.push(v);
            }
        }
        if lanes.len() == 1 { lanes[0] } else { self.build(|b| b.vec_build(&lanes)) }
    }

    /// OpenCL `shuffle` and `shuffle2`: lanes by the low bits of a mask that need not be constant.
    fn shuffle_op(&mut self, o: &Operands, two: bool) -> Value {
        let mask = o.get(if two { 2 } else { 1 });
        let source = o.get(0);
        let n = self.ty(source).lanes();
        let lanes_in = if n == 3 { 4 } else { n };
        let elem = self.ty(source).scalar();
        let bits = i64::from(if two { lanes_in * 2 } else { lanes_in }) - 1;
        let mut lanes: SmallVec<[Value; 16]> = SmallVec::new();
        for l in 0..o.ty.lanes() {
            let m = self.build(|b| b.extract(mask, l));
            let m = self.resize(m, Type::I32, false);
            let keep = self.iconst(Type::I32, bits);
            let m = self.op2(Opcode::And, m, keep);
            let v = if two {
                let limit = self.iconst(Type::I32, i64::from(lanes_in));
                let low_bits = self.iconst(Type::I32, i64::from(lanes_in) - 1);
                let in_first = self.build(|b| b.icmp(IntCC::Ult, m, limit));
                let low = self.op2(Opcode::And, m, low_bits);
                let a = self.make(Opcode::ExtractDyn, elem, Flags::NONE, &[source, low], Payload::None);
                let b = self.make(Opcode::ExtractDyn, elem, Flags::NONE, &[o.get(1), low], Payload::None);
                self.build(|x| x.select(in_first, a, b))
            } else {
                self.make(Opcode::ExtractDyn, elem, Flags::NONE, &[source, m], Payload::None)
            };
            lanes.push(v);
        }
        self.build(|b| b.vec_build(&lanes))
    }
}
