//! Integer arithmetic and comparisons.

use super::func::FuncGen;
use super::ll::{Ipred, Ll, Val};
use ir::{Flags, Inst, IntCC, Opcode, Type};

/// LLVM's word for a condition.
fn predicate(cc: IntCC) -> Ipred {
    match cc {
        IntCC::Eq => Ipred::LLVMIntEQ,
        IntCC::Ne => Ipred::LLVMIntNE,
        IntCC::Slt => Ipred::LLVMIntSLT,
        IntCC::Sle => Ipred::LLVMIntSLE,
        IntCC::Sgt => Ipred::LLVMIntSGT,
        IntCC::Sge => Ipred::LLVMIntSGE,
        IntCC::Ult => Ipred::LLVMIntULT,
        IntCC::Ule => Ipred::LLVMIntULE,
        IntCC::Ugt => Ipred::LLVMIntUGT,
        IntCC::Uge => Ipred::LLVMIntUGE,
    }
}

/// A width and a number of lanes.
#[derive(Clone, Copy)]
struct Shape {
    bits: u32,
    lanes: u32,
}

impl FuncGen<'_> {
    pub(super) fn integer(&self, i: Inst) -> Val {
        use Opcode::*;
        let ll = self.ll;
        let data = &self.f.dfg.insts[i];
        let a = self.arg(i, 0);
        let b = || self.arg(i, 1);
        if data.op == Icmp {
            let cc = data.int_cc().unwrap_or(IntCC::Eq);
            return ll.icmp(predicate(cc), a, b());
        }
        let ty = self.cx.ty(data.ty);
        let shape = Shape { bits: data.ty.bits(), lanes: data.ty.lanes().into() };
        match data.op {
            Add => self.wrap(data.ty, data.flags, ll.add(a, b())),
            Sub => self.wrap(data.ty, data.flags, ll.sub(a, b())),
            Mul => self.wrap(data.ty, data.flags, ll.mul(a, b())),
            MulHiS | MulHiU if shape.bits == 64 && self.cx.target.multiplies_halves(shape.lanes) => {
                mul_high_of_halves(ll, shape.lanes, data.op == MulHiS, a, b())
            }
            MulHiS | MulHiU => mul_high(ll, shape, data.op == MulHiS, a, b()),
            SDiv | UDiv | SRem | URem => self.divide(i, shape, a, b()),
            And => ll.and(a, b()),
            Or => ll.or(a, b()),
            Xor => ll.xor(a, b()),
            Shl | LShr | AShr => self.shift(i, shape, a, b()),
            SMin => ll.intrinsic("llvm.smin", &[ty], &[a, b()]),
            SMax => ll.intrinsic("llvm.smax", &[ty], &[a, b()]),
            UMin => ll.intrinsic("llvm.umin", &[ty], &[a, b()]),
            UMax => ll.intrinsic("llvm.umax", &[ty], &[a, b()]),
            // One bit: -1 stays, being the least number.
            Abs | Popcnt | BitRev if shape.bits == 1 => a,
            Clz | Ctz if shape.bits == 1 => ll.not(a),
            ByteSwap if shape.bits == 1 => ll.zero(ty),
            ByteSwap if shape.bits == 8 => a,
            Fshl if shape.bits == 1 => a,
            Fshr if shape.bits == 1 => b(),
            Abs => ll.intrinsic("llvm.abs", &[ty], &[a, ll.iconst(1, 1, 0)]),
            Clz => ll.intrinsic("llvm.ctlz", &[ty], &[a, ll.iconst(1, 1, 0)]),
            Ctz => ll.intrinsic("llvm.cttz", &[ty], &[a, ll.iconst(1, 1, 0)]),
            Popcnt => ll.intrinsic("llvm.ctpop", &[ty], &[a]),
            BitRev => ll.intrinsic("llvm.bitreverse", &[ty], &[a]),
            ByteSwap => ll.intrinsic("llvm.bswap", &[ty], &[a]),
            Fshl => ll.intrinsic("llvm.fshl", &[ty], &[a, b(), self.arg(i, 2)]),
            _ => ll.intrinsic("llvm.fshr", &[ty], &[a, b(), self.arg(i, 2)]),
        }
    }

    /// Passes on what is promised about overflow, for scalars: a vector's lanes may be those of inactive work-items.
    fn wrap(&self, ty: Type, flags: Flags, v: Val) -> Val {
        if !ty.is_vector() && (flags.has(Flags::NUW) || flags.has(Flags::NSW)) {
            self.ll.set_no_wrap(v, flags.has(Flags::NUW), flags.has(Flags::NSW));
        }
        v
    }

    /// The constant amount or divisor, if operand 1 is one.
    fn constant_operand(&self, i: Inst) -> Option<u64> {
        self.f.dfg.as_bits(self.f.dfg.arg(i, 1))
    }

    /// Shifts; amounts of the width or more leave 0 or the sign, where LLVM leaves poison.
    fn shift(&self, i: Inst, shape: Shape, a: Val, b: Val) -> Val {
        let ll = self.ll;
        let data = &self.f.dfg.insts[i];
        let width = ll.iconst(shape.bits, shape.lanes, shape.bits.into());
        let within = self.constant_operand(i).is_some_and(|n| n < shape.bits.into());
        if data.op == Opcode::AShr {
            // For one bit the width is not representable; every amount leaves the sign.
            let top = ll.iconst(shape.bits, shape.lanes, u64::from(shape.bits) - 1);
            let ty = self.cx.ty(data.ty);
            let n = if within { b } else { ll.intrinsic("llvm.umin", &[ty], &[b, top]) };
            return ll.ashr(a, n);
        }
        if shape.bits == 1 {
            return ll.and(a, ll.not(b));
        }
        let shifted = if data.op == Opcode::Shl { ll.shl(a, b) } else { ll.lshr(a, b) };
        if within {
            if !data.ty.is_vector() {
                if data.op == Opcode::Shl {
                    ll.set_no_wrap(shifted, data.flags.has(Flags::NUW), data.flags.has(Flags::NSW));
                } else if data.flags.has(Flags::EXACT) {
                    ll.set_exact(shifted);
                }
            }
            return shifted;
        }
        let fits = ll.icmp(Ipred::LLVMIntULT, b, width);
        ll.select(fits, shifted, ll.zero(self.cx.ty(data.ty)))
    }

    /// Division and remainder without traps.
    fn divide(&self, i: Inst, shape: Shape, a: Val, b: Val) -> Val {
        let ll = self.ll;
        let op = self.f.dfg.op(i);
        let ty = self.cx.ty(self.f.dfg.insts[i].ty);
        let is_signed = matches!(op, Opcode::SDiv | Opcode::SRem);
        let ones = if shape.bits == 64 { u64::MAX } else { (1 << shape.bits) - 1 };
        match self.constant_operand(i) {
            // Any value will do.
            Some(0) => return ll.zero(ty),
            Some(n) if is_signed && n == ones => {
                return if op == Opcode::SDiv { ll.neg(a) } else { ll.zero(ty) };
            }
            Some(_) => return plain_division(ll, op, a, b),
            None => {}
        }
        if shape.bits == 1 {
            return if matches!(op, Opcode::SDiv | Opcode::UDiv) { a } else { ll.zero(ty) };
        }
        let one = ll.iconst(shape.bits, shape.lanes, 1);
        let mut bad = ll.icmp(Ipred::LLVMIntEQ, b, ll.zero(ty));
        if is_signed {
            let least = ll.icmp(Ipred::LLVMIntEQ, a, ll.iconst(shape.bits, shape.lanes, 1 << (shape.bits - 1)));
            let minus = ll.icmp(Ipred::LLVMIntEQ, b, ll.iconst(shape.bits, shape.lanes, ones));
            bad = ll.or(bad, ll.and(least, minus));
        }
        let b = ll.select(bad, one, b);
        if shape.lanes > 1 && shape.bits <= 32 {
            return divide_lanes(ll, shape, op, a, b);
        }
        plain_division(ll, op, self.dividend(i, a), b)
    }
}

fn plain_division(ll: &Ll<'_>, op: Opcode, a: Val, b: Val) -> Val {
    match op {
        Opcode::SDiv => ll.sdiv(a, b),
        Opcode::UDiv => ll.udiv(a, b),
        Opcode::SRem => ll.srem(a, b),
        _ => ll.urem(a, b),
    }
}

/// Division in lanes through floats: the quotient of two integers of at most 16 bits is exact in 24 bits of mantissa
/// after truncation, that of 32 bits in 53, because it is at least 1/b away from the next integer when it is none.
fn divide_lanes(ll: &Ll<'_>, shape: Shape, op: Opcode, a: Val, b: Val) -> Val {
    let is_signed = matches!(op, Opcode::SDiv | Opcode::SRem);
    let int = ll.int(shape.bits, shape.lanes);
    let wide = ll.int(32, shape.lanes);
    let float = ll.float(if shape.bits <= 16 { 32 } else { 64 }, shape.lanes);
    let up = |v: Val| match (shape.bits < 32, is_signed) {
        (false, true) => ll.sitofp(v, float),
        (false, false) => ll.uitofp(v, float),
        // Through 32 bits, for which every machine has a conversion.
        (true, true) => ll.sitofp(ll.sext(v, wide), float),
        (true, false) => ll.sitofp(ll.zext(v, wide), float),
    };
    let quotient = ll.fdiv(up(a), up(b));
    let q = match (shape.bits < 32, is_signed) {
        (true, _) => ll.trunc(ll.fptosi(quotient, wide), int),
        (false, true) => ll.fptosi(quotient, int),
        (false, false) => ll.fptoui(quotient, int),
    };
    if matches!(op, Opcode::SDiv | Opcode::UDiv) { q } else { ll.sub(a, ll.mul(q, b)) }
}

fn mul_high(ll: &Ll<'_>, shape: Shape, is_signed: bool, a: Val, b: Val) -> Val {
    let twice = if shape.bits == 1 { 8 } else { 2 * shape.bits };
    let (narrow, wide) = (ll.int(shape.bits, shape.lanes), ll.int(twice, shape.lanes));
    let up = |v| if is_signed { ll.sext(v, wide) } else { ll.zext(v, wide) };
    let product = ll.mul(up(a), up(b));
    ll.trunc(ll.lshr(product, ll.iconst(twice, shape.lanes, shape.bits.into())), narrow)
}

/// The same of 64 bits by four products of 32: LLVM takes products of 128 bits apart into lanes, of which each has its registers moved there and back.
fn mul_high_of_halves(ll: &Ll<'_>, lanes: u32, is_signed: bool, a: Val, b: Val) -> Val {
    let (half, mask) = (ll.iconst(64, lanes, 32), ll.iconst(64, lanes, 0xffff_ffff));
    let (low, high) = (|v| ll.and(v, mask), |v| ll.lshr(v, half));
    let (a0, a1, b0, b1) = (low(a), high(a), low(b), high(b));
    // None of the sums wraps.
    let first = ll.add(ll.mul(a1, b0), high(ll.mul(a0, b0)));
    let second = ll.add(ll.mul(a0, b1), low(first));
    let product = ll.add(ll.add(ll.mul(a1, b1), high(first)), high(second));
    if !is_signed {
        return product;
    }
    let negative = |v, other| ll.and(ll.ashr(v, ll.iconst(64, lanes, 63)), other);
    ll.sub(ll.sub(product, negative(a, b)), negative(b, a))
}
