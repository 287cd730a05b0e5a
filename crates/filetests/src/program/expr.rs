//! Values: constants, arithmetic, comparisons, conversions, vectors.

use super::{Gen, POINTER, Val};
use ir::{Flags, FloatCC, IntCC, Intrinsic, Opcode, Payload, Round, Type, Value};

const INTS: [Type; 6] = [Type::I8, Type::I16, Type::I32, Type::I32, Type::I32, Type::I64];
const FLOATS: [Type; 6] = [Type::F32, Type::F32, Type::F32, Type::F64, Type::F16, Type::BF16];

impl Gen<'_> {
    pub(super) fn int_type(&mut self) -> Type {
        let scalar = self.rng.pick(&INTS);
        self.maybe_vector(scalar)
    }

    pub(super) fn float_type(&mut self) -> Type {
        let scalar = self.rng.pick(&FLOATS);
        self.maybe_vector(scalar)
    }

    fn maybe_vector(&mut self, scalar: Type) -> Type {
        if !self.rng.chance(12) {
            return scalar;
        }
        let lanes = self.rng.pick(&[2, 2, 3, 4, 4, 8]);
        scalar.vector(lanes).unwrap_or(scalar)
    }

    /// A value of this type: one that exists, or a constant.
    pub(super) fn value(&mut self, ty: Type) -> Val {
        self.value_where(ty, false)
    }

    /// A value that is the same in all work-items.
    pub(super) fn uniform(&mut self, ty: Type) -> Val {
        self.value_where(ty, true)
    }

    fn value_where(&mut self, ty: Type, uniform: bool) -> Val {
        let fits: Vec<Val> = self.pool.iter().copied().filter(|v| v.ty == ty && (v.uniform || !uniform)).collect();
        if fits.is_empty() || self.rng.chance(12) {
            let v = self.constant(ty);
            // An address is the work-item's own.
            return Val { v, ty, uniform: !ty.is_ptr() };
        }
        // Late values are better: longer chains.
        let n = (0..3).map(|_| self.rng.below(fits.len())).max().unwrap_or(0);
        fits[n]
    }

    pub(super) fn constant(&mut self, ty: Type) -> Value {
        if ty == POINTER {
            return self.own_address();
        }
        if ty.is_float() {
            let x = match self.rng.below(12) {
                0 => 0.0,
                1 => -0.0,
                2 => 1.0,
                3 => -1.0,
                4 => 2.0,
                5 => 0.5,
                6 => 1e-40,
                7 => f64::INFINITY,
                8 => 3.0,
                9 => 0.1,
                _ => self.rng.range(-1000, 1000) as f64 / 8.0,
            };
            return self.func.dfg.fconst(ty, x);
        }
        let bits = ty.bits();
        let n = match self.rng.below(12) {
            0 => 0,
            1 => 1,
            2 => -1,
            3 => 1i64 << (bits - 1),
            4 => (1i64 << (bits - 1)).wrapping_sub(1),
            5 => 1 << self.rng.below(bits as usize),
            6 => (1i64 << self.rng.below(bits as usize)).wrapping_sub(1),
            7 => self.rng.bits() as i64,
            _ => self.rng.range(-16, 64),
        };
        self.func.dfg.iconst(ty, n)
    }

    /// Makes a new value.
    pub(super) fn expression(&mut self) {
        let (v, uniform) = match self.rng.below(20) {
            0..7 => self.integer(),
            7..10 => self.float(),
            10..12 => self.comparison(),
            12..14 => self.selection(),
            14..17 => self.conversion(),
            17 => self.vector(),
            18 => self.target_operation(),
            _ => self.load_something(),
        };
        self.push(v, uniform);
    }

    fn integer(&mut self) -> (Value, bool) {
        use Opcode::*;
        const BINARY: [Opcode; 22] = [
            Add, Add, Add, Sub, Sub, Mul, Mul, MulHiS, MulHiU, SDiv, UDiv, SRem, URem, And, Or, Xor, Shl, LShr, AShr,
            SMin, SMax, UMin,
        ];
        const UNARY: [Opcode; 6] = [Abs, Clz, Ctz, Popcnt, BitRev, ByteSwap];
        let ty = self.int_type();
        let a = self.value(ty);
        if self.rng.chance(10) {
            let op = self.rng.pick(&UNARY);
            return (self.b().unary(op, a.v), a.uniform);
        }
        let b = self.value(ty);
        if self.rng.chance(5) {
            let op = self.rng.pick(&[Fshl, Fshr]);
            let c = self.value(ty);
            return (self.b().op(op, Flags::NONE, &[a.v, b.v, c.v]), a.uniform && b.uniform && c.uniform);
        }
        let op = self.rng.pick(&BINARY);
        let mut right = b.v;
        if matches!(op, SDiv | UDiv | SRem | URem) && self.rng.chance(95) {
            let one = self.func.dfg.iconst(ty, 1);
            right = self.b().binary(Or, right, one);
        }
        if matches!(op, Shl | LShr | AShr) && self.rng.chance(70) {
            let mask = self.func.dfg.iconst(ty, i64::from(ty.bits()) - 1);
            right = self.b().binary(And, right, mask);
        }
        let (left, right, flags) = self.promised(op, ty, a.v, right);
        (self.b().op(op, flags, &[left, right]), a.uniform && b.uniform)
    }

    /// Now and then operands so small that an operation cannot wrap, and the flags that say so; rarely flags alone.
    fn promised(&mut self, op: Opcode, ty: Type, a: Value, b: Value) -> (Value, Value, Flags) {
        use Opcode::*;
        if !matches!(op, Add | Sub | Mul | Shl) {
            return (a, b, Flags::NONE);
        }
        if self.rng.chance(2) {
            let flags = self.rng.pick(&[Flags::NSW, Flags::NUW]);
            return (a, b, flags);
        }
        if !self.rng.chance(20) || ty.bits() < 16 || op == Shl {
            return (a, b, Flags::NONE);
        }
        let mask = self.func.dfg.iconst(ty, if op == Mul { 15 } else { 0x7f });
        let (a, b) = (self.b().binary(And, a, mask), self.b().binary(And, b, mask));
        let both = Flags::NSW | Flags::NUW;
        (a, b, if op == Sub { Flags::NSW } else { both })
    }

    fn float(&mut self) -> (Value, bool) {
        use Opcode::*;
        const BINARY: [Opcode; 12] = [FAdd, FAdd, FAdd, FSub, FSub, FMul, FMul, FDiv, FRem, FMin, FMax, FCopysign];
        const UNARY: [Opcode; 7] = [FNeg, FAbs, FSqrt, FFloor, FCeil, FTrunc, FRint];
        let ty = self.float_type();
        let a = self.value(ty);
        let mut flags = Flags::NONE;
        if ty.scalar() == Type::F32 && self.rng.chance(6) {
            flags = self.rng.pick(&[Flags::FTZ, Flags::SAT, Flags::FTZ | Flags::SAT]);
        }
        if self.rng.chance(20) {
            let op = self.rng.pick(&UNARY);
            let flags = if matches!(op, FNeg | FAbs) { Flags::NONE } else { flags };
            return (self.b().op(op, flags, &[a.v]), a.uniform);
        }
        let b = self.value(ty);
        if self.rng.chance(10) {
            let c = self.value(ty);
            let payload = self.round();
            let i = self.b().inst(Fma, ty, flags, &[a.v, b.v, c.v], payload);
            return (self.func.dfg.res(i), a.uniform && b.uniform && c.uniform);
        }
        let op = self.rng.pick(&BINARY);
        // The sign of a NaN is nobody's business.
        let right = if op == FCopysign { self.without_nan(b.v) } else { b.v };
        let payload = if matches!(op, FAdd | FSub | FMul | FDiv) { self.round() } else { Payload::None };
        let flags = if op == FCopysign { Flags::NONE } else { flags };
        let i = self.b().inst(op, ty, flags, &[a.v, right], payload);
        (self.func.dfg.res(i), a.uniform && b.uniform)
    }

    fn round(&mut self) -> Payload {
        if self.rng.chance(10) { Payload::Round(self.rng.pick(&Round::ALL)) } else { Payload::None }
    }

    /// The float, or 0 if it is no number.
    pub(super) fn without_nan(&mut self, v: Value) -> Value {
        let zero = self.func.dfg.fconst(self.func.dfg.ty(v), 0.0);
        let mut b = self.b();
        let nan = b.fcmp(FloatCC::Uno, Flags::NONE, v, v);
        b.select(nan, zero, v)
    }

    fn comparison(&mut self) -> (Value, bool) {
        if self.rng.chance(30) {
            let ty = self.float_type();
            let (a, b) = (self.value(ty), self.value(ty));
            let cc = self.rng.pick(&FloatCC::ALL);
            return (self.b().fcmp(cc, Flags::NONE, a.v, b.v), a.uniform && b.uniform);
        }
        let ty = self.int_type();
        let (a, b) = (self.value(ty), self.value(ty));
        let cc = self.rng.pick(&IntCC::ALL);
        (self.b().icmp(cc, a.v, b.v), a.uniform && b.uniform)
    }

    /// A truth value; where it must be, the same in all work-items.
    pub(super) fn condition(&mut self, uniform: bool) -> Val {
        let ty = self.rng.pick(&[Type::I32, Type::I32, Type::I64, Type::I16]);
        let (a, b) = if uniform { (self.uniform(ty), self.uniform(ty)) } else { (self.value(ty), self.value(ty)) };
        let mut left = a.v;
        if self.rng.chance(60) {
            // Masked, it is not the same every time.
            let mask = self.func.dfg.iconst(ty, self.rng.pick(&[1, 3, 6, 15]));
            left = self.b().binary(Opcode::And, left, mask);
        }
        let cc = self.rng.pick(&IntCC::ALL);
        let v = self.b().icmp(cc, left, b.v);
        Val { v, ty: Type::I1, uniform: a.uniform && b.uniform }
    }

    fn selection(&mut self) -> (Value, bool) {
        let ty = if self.rng.chance(70) { self.int_type() } else { self.float_type() };
        let (a, b) = (self.value(ty), self.value(ty));
        let cond = if ty.is_vector() && self.rng.chance(50) {
            self.value(ty.with_scalar(Type::I1))
        } else {
            self.value(Type::I1)
        };
        (self.b().select(cond.v, a.v, b.v), a.uniform && b.uniform && cond.uniform)
    }

    fn conversion(&mut self) -> (Value, bool) {
        use Opcode::*;
        let to_int = self.rng.chance(60);
        let to = if to_int { self.int_type() } else { self.float_type() };
        let scalar = if self.rng.chance(60) { self.rng.pick(&INTS) } else { self.rng.pick(&FLOATS) };
        let from = to.with_scalar(scalar);
        let x = self.value(from);
        let mut v = x.v;
        let signed = self.rng.chance(50);
        let op = match (from.is_float(), to.is_float()) {
            (false, false) if from.bits() > to.bits() => Trunc,
            (false, false) if from.bits() < to.bits() => {
                if signed {
                    SExt
                } else {
                    ZExt
                }
            }
            (false, true) if from.bits() == to.bits() && self.rng.chance(30) => {
                // Any bits may be a NaN: replaced at once.
                let f = self.b().cast(Bitcast, v, to);
                return (self.without_nan(f), x.uniform);
            }
            (false, true) => {
                if signed {
                    SiToFp
                } else {
                    UiToFp
                }
            }
            (true, false) if from.bits() == to.bits() && self.rng.chance(40) => {
                v = self.without_nan(v);
                Bitcast
            }
            (true, false) => {
                if signed {
                    FpToSi
                } else {
                    FpToUi
                }
            }
            (true, true) if from.bits() > to.bits() => FpTrunc,
            (true, true) if from.bits() < to.bits() => FpExt,
            _ => return (v, x.uniform),
        };
        let payload =
            if matches!(op, FpTrunc | FpToSi | FpToUi | SiToFp | UiToFp) { self.round() } else { Payload::None };
        let i = self.b().inst(op, to, Flags::NONE, &[v], payload);
        (self.func.dfg.res(i), x.uniform)
    }

    fn vector(&mut self) -> (Value, bool) {
        let scalar = self.rng.pick(&INTS);
        let lanes = self.rng.pick(&[2u8, 2, 3, 4, 4, 8]);
        let Some(ty) = scalar.vector(lanes) else { return (self.constant(scalar), true) };
        let x = self.value(ty);
        let lane = self.rng.below(lanes.into()) as u8;
        match self.rng.below(6) {
            0 => {
                let parts: Vec<Val> = (0..lanes).map(|_| self.value(scalar)).collect();
                let values: Vec<Value> = parts.iter().map(|p| p.v).collect();
                (self.b().vec_build(&values), parts.iter().all(|p| p.uniform))
            }
            1 => (self.b().extract(x.v, lane), x.uniform),
            2 => {
                let s = self.value(scalar);
                (self.b().insert(x.v, s.v, lane), x.uniform && s.uniform)
            }
            3 => {
                let y = self.value(ty);
                let n = self.rng.pick(&[2usize, 3, 4]);
                let picks: Vec<u8> = (0..n).map(|_| self.rng.below(2 * usize::from(lanes)) as u8).collect();
                (self.b().shuffle(x.v, y.v, &picks), x.uniform && y.uniform)
            }
            _ => {
                let index = self.value(Type::I32);
                let mask = self.func.dfg.iconst(Type::I32, if lanes == 3 { 1 } else { i64::from(lanes) - 1 });
                let at = self.b().binary(Opcode::And, index.v, mask);
                let uniform = x.uniform && index.uniform;
                if self.rng.chance(50) {
                    let i = self.b().inst(Opcode::ExtractDyn, scalar, Flags::NONE, &[x.v, at], Payload::None);
                    return (self.func.dfg.res(i), uniform);
                }
                let s = self.value(scalar);
                let i = self.b().inst(Opcode::InsertDyn, ty, Flags::NONE, &[x.v, s.v, at], Payload::None);
                (self.func.dfg.res(i), uniform && s.uniform)
            }
        }
    }

    fn target_operation(&mut self) -> (Value, bool) {
        use Intrinsic::*;
        let op = self.rng.pick(&[BfeS, BfeU, Bfi, Prmt, SadS, SadU, Mul24S, Mul24U, Dp4aS, Dp4aU, Dp2aS, Dp2aU]);
        let args: Vec<Val> = (0..op.operand_count().unwrap_or(0)).map(|_| self.value(Type::I32)).collect();
        let values: Vec<Value> = args.iter().map(|a| a.v).collect();
        let uniform = args.iter().all(|a| a.uniform);
        match self.b().intrinsic(op, Type::I32, &values) {
            Some(v) => (v, uniform),
            None => (self.constant(Type::I32), true),
        }
    }
}
