//! Floating-point arithmetic and comparisons.
//!
//! `f32` and `f64` are LLVM's. The 16-bit formats compute in `f32`, whose 24 bits are at least twice theirs and two
//! more, so that rounding twice is harmless, but for the fused multiply-add, which goes through `f64` rounded to odd.

use super::func::FuncGen;
use super::ll::{Fpred, Ipred, Val};
use super::narrow::{exponent_16, is_16};
use ir::{Flags, FloatCC, Inst, Opcode, Round, ScalarKind, Type};

/// LLVM's bits for fast-math flags.
pub(super) fn fast_math(flags: Flags) -> u32 {
    use inkwell::llvm_sys::{
        LLVMFastMathAllowContract, LLVMFastMathAllowReassoc, LLVMFastMathAllowReciprocal, LLVMFastMathApproxFunc,
        LLVMFastMathNoInfs, LLVMFastMathNoNaNs, LLVMFastMathNoSignedZeros,
    };
    [
        (Flags::NNAN, LLVMFastMathNoNaNs),
        (Flags::NINF, LLVMFastMathNoInfs),
        (Flags::NSZ, LLVMFastMathNoSignedZeros),
        (Flags::ARCP, LLVMFastMathAllowReciprocal),
        (Flags::CONTRACT, LLVMFastMathAllowContract),
        (Flags::AFN, LLVMFastMathApproxFunc),
        (Flags::REASSOC, LLVMFastMathAllowReassoc),
    ]
    .into_iter()
    .filter(|(f, _)| flags.has(*f))
    .fold(0, |bits, (_, b)| bits | b)
}

fn predicate(cc: FloatCC) -> Fpred {
    match cc {
        FloatCC::Oeq => Fpred::LLVMRealOEQ,
        FloatCC::One => Fpred::LLVMRealONE,
        FloatCC::Olt => Fpred::LLVMRealOLT,
        FloatCC::Ole => Fpred::LLVMRealOLE,
        FloatCC::Ogt => Fpred::LLVMRealOGT,
        FloatCC::Oge => Fpred::LLVMRealOGE,
        FloatCC::Ord => Fpred::LLVMRealORD,
        FloatCC::Uno => Fpred::LLVMRealUNO,
        FloatCC::Ueq => Fpred::LLVMRealUEQ,
        FloatCC::Une => Fpred::LLVMRealUNE,
        FloatCC::Ult => Fpred::LLVMRealULT,
        FloatCC::Ule => Fpred::LLVMRealULE,
        FloatCC::Ugt => Fpred::LLVMRealUGT,
        FloatCC::Uge => Fpred::LLVMRealUGE,
    }
}

impl FuncGen<'_> {
    pub(super) fn floating(&self, i: Inst) -> Val {
        use Opcode::*;
        let data = &self.f.dfg.insts[i];
        let of = self.arg_ty(i, 0);
        match data.op {
            FNeg | FAbs | FCopysign => return self.sign_operation(i, of),
            _ => {}
        }
        let args: smallvec::SmallVec<[Val; 3]> =
            (0..self.f.dfg.args(i).len()).map(|n| self.flush(self.arg(i, n), of, data.flags)).collect();
        let v = if data.op == Fcmp {
            let bits = if of.kind() == ScalarKind::F64 { 64 } else { 32 };
            let lanes = of.lanes().into();
            let up = |v| self.cx.widen(v, of.kind(), lanes, bits);
            let v = self.ll.fcmp(predicate(data.float_cc().unwrap_or(FloatCC::Oeq)), up(args[0]), up(args[1]));
            self.ll.set_fast(v, fast_math(data.flags));
            return v;
        } else {
            match data.round() {
                Some(round) if round != Round::NearestEven => self.directed(data.op, round, of, &args),
                _ => {
                    let quick = (data.op == FDiv).then(|| self.quick_inverse(data.flags, of, args[0], args[1]));
                    quick.flatten().unwrap_or_else(|| self.arithmetic(data.op, data.flags, of, &args))
                }
            }
        };
        self.finish_float(v, of, data.flags)
    }

    /// A quotient that is an inverse and may be computed as one; of doubles, by the estimate.
    fn quick_inverse(&self, flags: Flags, ty: Type, above: Val, below: Val) -> Option<Val> {
        let lanes = ty.lanes().into();
        if is_16(ty.kind())
            || !flags.has(Flags::AFN.with(Flags::ARCP))
            || above != self.ll.fconst(ty.bits(), lanes, 1.0)
        {
            return None;
        }
        match ty.kind() {
            ScalarKind::F64 if flags.has(Flags::ROUGH) => self.cx.target.estimate_inverse_double(self.ll, below, lanes),
            ScalarKind::F64 => None,
            _ => self.inverse(below, lanes, flags),
        }
    }

    /// What only looks at and changes the sign bit.
    fn sign_operation(&self, i: Inst, ty: Type) -> Val {
        let ll = self.ll;
        let op = self.f.dfg.op(i);
        let a = self.arg(i, 0);
        if is_16(ty.kind()) {
            let lanes = ty.lanes().into();
            let (sign, rest) = (ll.iconst(16, lanes, 0x8000), ll.iconst(16, lanes, 0x7fff));
            return match op {
                Opcode::FNeg => ll.xor(a, sign),
                Opcode::FAbs => ll.and(a, rest),
                _ => ll.or(ll.and(a, rest), ll.and(self.arg(i, 1), sign)),
            };
        }
        let t = self.cx.ty(ty);
        match op {
            Opcode::FNeg => ll.fneg(a),
            Opcode::FAbs => ll.intrinsic("llvm.fabs", &[t], &[a]),
            _ => ll.intrinsic("llvm.copysign", &[t], &[a, self.arg(i, 1)]),
        }
    }

    /// Rounded to nearest; operands are flushed, the result is not.
    pub(super) fn arithmetic(&self, op: Opcode, flags: Flags, ty: Type, args: &[Val]) -> Val {
        let lanes = ty.lanes().into();
        if !is_16(ty.kind()) {
            // Products that may be fused, of sums that may be summed in any order: LLVM's vectoriser knows them by this name.
            let loose = op == Opcode::Fma && flags.has(Flags::CONTRACT) && flags.has(Flags::REASSOC);
            let v = if loose {
                self.ll.intrinsic("llvm.fmuladd", &[self.ll.float(ty.bits(), lanes)], args)
            } else {
                self.plain(op, ty.bits(), lanes, args)
            };
            self.ll.set_fast(v, fast_math(flags));
            return v;
        }
        if op == Opcode::Fma {
            return self.fma_16(ty, args);
        }
        let up: smallvec::SmallVec<[Val; 3]> = args.iter().map(|&v| self.cx.widen(v, ty.kind(), lanes, 32)).collect();
        let v = self.plain(op, 32, lanes, &up);
        self.ll.set_fast(v, fast_math(flags));
        let v = if op == Opcode::FDiv && ty.kind() == ScalarKind::F16 { self.single_quotient(v, lanes) } else { v };
        self.cx.narrow(v, 32, ty.kind(), lanes)
    }

    /// An operation on `f32` or `f64`.
    fn plain(&self, op: Opcode, bits: u32, lanes: u32, args: &[Val]) -> Val {
        use Opcode::*;
        let ll = self.ll;
        let ty = ll.float(bits, lanes);
        let name = match op {
            FAdd => return ll.fadd(args[0], args[1]),
            FSub => return ll.fsub(args[0], args[1]),
            FMul => return ll.fmul(args[0], args[1]),
            FDiv => return ll.fdiv(args[0], args[1]),
            FRem => return ll.frem(args[0], args[1]),
            FMin => "llvm.minnum",
            FMax => "llvm.maxnum",
            Fma => "llvm.fma",
            FSqrt => "llvm.sqrt",
            FFloor => "llvm.floor",
            FCeil => "llvm.ceil",
            FTrunc => "llvm.trunc",
            _ => "llvm.rint",
        };
        ll.intrinsic(name, &[ty], args)
    }

    /// A quotient of singles that is about to be rounded to `half`, which LLVM would divide in `half` where it sees that, and where that
    /// is wrong.
    fn single_quotient(&self, v: Val, lanes: u32) -> Val {
        let ll = self.ll;
        let Some(hide) = self.cx.target.hide() else { return v };
        let hidden = |v: Val| ll.bitcast(hide(ll, ll.bitcast(v, ll.int(32, 1))), ll.float(32, 1));
        if lanes == 1 {
            return hidden(v);
        }
        (0..u64::from(lanes)).fold(v, |v, n| {
            let lane = ll.iconst(32, 1, n);
            ll.insert(v, hidden(ll.extract(v, lane)), lane)
        })
    }

    /// `a * b + c` of 16-bit floats; without an instruction the product is exact in a double, the sum is rounded to odd.
    fn fma_16(&self, ty: Type, args: &[Val]) -> Val {
        let ll = self.ll;
        let lanes = ty.lanes().into();
        if ty.kind() == ScalarKind::F16 && self.cx.target.fuses_half() {
            let half = ll.half(lanes);
            let args: smallvec::SmallVec<[Val; 3]> = args.iter().map(|&v| ll.bitcast(v, half)).collect();
            return ll.bitcast(ll.intrinsic("llvm.fma", &[half], &args), ll.int(16, lanes));
        }
        let up: smallvec::SmallVec<[Val; 3]> = args.iter().map(|&v| self.cx.widen(v, ty.kind(), lanes, 64)).collect();
        let (p, c) = (ll.fmul(up[0], up[1]), up[2]);
        let s = ll.fadd(p, c);
        // The error of the sum, exactly (Knuth's TwoSum).
        let c_part = ll.fsub(s, p);
        let error = ll.fadd(ll.fsub(p, ll.fsub(s, c_part)), ll.fsub(c, c_part));
        let int = ll.int(64, lanes);
        let raw = ll.bitcast(s, int);
        let zero = ll.fconst(64, lanes, 0.0);
        let negative = ll.icmp(Ipred::LLVMIntSLT, raw, ll.zero(int));
        let more = ll.fcmp(Fpred::LLVMRealOGT, error, zero);
        let less = ll.fcmp(Fpred::LLVMRealOLT, error, zero);
        let below = ll.select(negative, less, more);
        let above = ll.select(negative, more, less);
        let odd = ll.bitcast(self.cx.make_odd(raw, 64, lanes, above, below), ll.float(64, lanes));
        self.cx.narrow(odd, 64, ty.kind(), lanes)
    }

    // ---- flushing and saturation ------------------------------------------------------------------------------------

    /// Flushes a subnormal operand if the flag is there and the code is to do it.
    pub(super) fn flush(&self, v: Val, ty: Type, flags: Flags) -> Val {
        if !flags.has(Flags::FTZ) || self.cx.target.flushes() {
            return v;
        }
        let ll = self.ll;
        let (bits, lanes) = (ty.bits(), u32::from(ty.lanes()));
        let int = ll.int(bits, lanes);
        let exponent = match ty.kind() {
            ScalarKind::F32 => 0x7f80_0000,
            ScalarKind::F64 => 0x7ff << 52,
            kind => exponent_16(kind),
        };
        let raw = ll.bitcast(v, int);
        let none = ll.icmp(Ipred::LLVMIntEQ, ll.and(raw, ll.iconst(bits, lanes, exponent)), ll.zero(int));
        let sign = ll.and(raw, ll.iconst(bits, lanes, 1 << (bits - 1)));
        ll.bitcast(ll.select(none, sign, raw), self.cx.ty(ty))
    }

    /// Flushes and saturates a result as its flags say.
    pub(super) fn finish_float(&self, v: Val, ty: Type, flags: Flags) -> Val {
        let v = self.flush(v, ty, flags);
        if !flags.has(Flags::SAT) {
            return v;
        }
        let ll = self.ll;
        let lanes = ty.lanes().into();
        let bits = if ty.kind() == ScalarKind::F64 { 64 } else { 32 };
        let wide = self.cx.widen(v, ty.kind(), lanes, bits);
        let positive = ll.fcmp(Fpred::LLVMRealOGT, wide, ll.fconst(bits, lanes, 0.0));
        let below = ll.fcmp(Fpred::LLVMRealOLT, wide, ll.fconst(bits, lanes, 1.0));
        let one = self.cx.narrow(ll.fconst(bits, lanes, 1.0), bits, ty.kind(), lanes);
        ll.select(positive, ll.select(below, v, one), ll.zero(self.cx.ty(ty)))
    }
}
