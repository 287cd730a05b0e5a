//! Floating-point arithmetic.
//!
//! `add`, `sub` and `mul` without a rounding mode let the assembler fuse them; they are written so only for
//! instructions that carry `contract`. Half precision is computed natively where the target can, else in single
//! precision: both bf16 and f16 have few enough digits that rounding twice equals rounding once for `+ - * /` and
//! square roots; `fma` of f16 goes by way of double precision.

use crate::error::EmitError;
use crate::func::Fx;
use crate::regs::{Class, Opnd};
use ir::{Flags, Inst, Opcode, Round, Type, Value};
use target::Feature;

/// The type suffix of a float type.
fn suffix(ty: Type) -> &'static str {
    match ty.scalar() {
        Type::F16 => ".f16",
        Type::BF16 => ".bf16",
        Type::F64 => ".f64",
        _ => ".f32",
    }
}

fn class(ty: Type) -> Class {
    Class::of(ty.scalar()).unwrap_or(Class::F32)
}

/// What an operation looks like besides its operands.
#[derive(Clone, Copy)]
struct Shape {
    op: Opcode,
    ty: Type,
    flags: Flags,
    round: Option<Round>,
}

impl Fx<'_> {
    /// Writes float arithmetic, lane by lane.
    pub(crate) fn floating(&mut self, i: Inst) -> Result<(), EmitError> {
        let f = self.f;
        let d = &f.dfg.insts[i];
        let args = f.dfg.args(i);
        let shape = Shape { op: d.op, ty: d.ty.scalar(), flags: d.flags, round: d.round() };
        let is_half = matches!(shape.ty, Type::F16 | Type::BF16);
        self.each_lane(i, |fx, n| {
            let mut o = [Opnd::Int(0); 3];
            for (slot, &v) in o.iter_mut().zip(args) {
                *slot = if is_half { fx.register(v, n) } else { fx.operand(v, n) };
            }
            if d.op.is_commutative() && o[1].reg().is_some() && o[0].reg().is_none() {
                o.swap(0, 1);
            }
            Ok(if is_half { fx.half_op(shape, o) } else { fx.float_op(shape, o) })
        })
    }

    /// One operation on scalar operands, with default rounding.
    pub(crate) fn scalar_float(&mut self, op: Opcode, ty: Type, a: Opnd, b: Opnd) -> Opnd {
        let shape = Shape { op, ty, flags: Flags::NONE, round: None };
        if matches!(ty, Type::F16 | Type::BF16) {
            let (a, b) = (self.in_register(a, ty), self.in_register(b, ty));
            return self.half_op(shape, [a, b, Opnd::Int(0)]);
        }
        self.float_op(shape, [a, b, Opnd::Int(0)])
    }

    // ---- single and double precision ----------------------------------------------------------------------------

    fn float_op(&mut self, s: Shape, o: [Opnd; 3]) -> Opnd {
        use Opcode::*;
        let k = class(s.ty);
        let t = suffix(s.ty);
        let single = s.ty == Type::F32;
        let ftz = if single { self.ftz(s.flags) } else { "" };
        let sat = if single && s.flags.has(Flags::SAT) { ".sat" } else { "" };
        let one = [self.in_register(o[0], s.ty)];
        let two = [o[0], o[1]];
        match s.op {
            FAdd | FSub | FMul => {
                let name = ["add", "sub", "mul"][s.op as usize - FAdd as usize];
                self.op(k, &[name, self.rounding(s), ftz, sat, t], &two)
            }
            Fma => self.op(k, &["fma.", s.round.unwrap_or(Round::NearestEven).name(), ftz, sat, t], &o),
            FDiv => self.divide(s, o[0], o[1]),
            FRem => self.remainder(s.ty, o[0], o[1]),
            FMin => self.op(k, &["min", ftz, t], &two),
            FMax => self.op(k, &["max", ftz, t], &two),
            FNeg => self.op(k, &["neg", t], &one),
            FAbs => self.op(k, &["abs", t], &one),
            // PTX takes the sign from the first operand.
            FCopysign => self.op(k, &["copysign", t], &[o[1], o[0]]),
            FSqrt => {
                let approx = single && (s.flags.has(Flags::AFN) || !self.m.math.prec_sqrt) && s.round.is_none();
                let name = if approx { ".approx" } else { round_suffix(s.round.unwrap_or(Round::NearestEven)) };
                self.op(k, &["sqrt", name, ftz, t], &one)
            }
            _ => self.op(k, &["cvt", integral(s.op), ftz, t, t], &one),
        }
    }

    /// The rounding suffix of `add`, `sub`, `mul`: none where fusing is allowed.
    fn rounding(&self, s: Shape) -> &'static str {
        match s.round {
            Some(r) => round_suffix(r),
            None if s.flags.has(Flags::CONTRACT) => "",
            None => ".rn",
        }
    }

    fn divide(&mut self, s: Shape, a: Opnd, b: Opnd) -> Opnd {
        let k = class(s.ty);
        let t = suffix(s.ty);
        let round = s.round.unwrap_or(Round::NearestEven);
        let (one, ftz) = match s.ty {
            Type::F64 => (Opnd::F64(1f64.to_bits()), ""),
            _ => (Opnd::F32(1f32.to_bits()), self.ftz(s.flags)),
        };
        let single = s.ty == Type::F32 && s.round.is_none();
        let kind = match () {
            () if single && s.flags.has(Flags::AFN) => ".approx",
            () if single && !self.m.math.prec_div => ".full",
            () => round_suffix(round),
        };
        if a == one {
            let kind = if kind == ".full" { ".approx" } else { kind };
            let b = self.in_register(b, s.ty);
            return self.op(k, &["rcp", kind, ftz, t], &[b]);
        }
        self.op(k, &["div", kind, ftz, t], &[a, b])
    }

    /// C's `fmod`, exactly: subtracts the divisor scaled by powers of two, from the largest down. All steps are exact,
    /// so the result is; single precision goes by way of double precision.
    fn remainder(&mut self, ty: Type, a: Opnd, b: Opnd) -> Opnd {
        let fd = Class::F64;
        let wide = |fx: &mut Self, o: Opnd| {
            let o = fx.in_register(o, ty);
            if ty == Type::F64 { o } else { fx.op_tmp(fd, &["cvt.f64.f32"], &[o]) }
        };
        let (a, b) = (wide(self, a), wide(self, b));
        let pred = Class::Pred;
        let y = self.op_tmp(fd, &["abs.f64"], &[b]);
        let start = self.op_tmp(fd, &["abs.f64"], &[a]);
        let (x, t) = (self.tmp(fd), self.tmp(fd));
        let (rx, rt) = (Opnd::Reg(x), Opnd::Reg(t));
        self.mov(x, start);
        self.mov(t, y);
        let [up, down, less, done, bad] = [(); 5].map(|()| self.new_label());
        // An infinite or NaN dividend, a zero or NaN divisor: the result is NaN.
        let valid = self.op_tmp(pred, &["setp.gt.f64"], &[y, Opnd::F64(0)]);
        let infinity = Opnd::F64(f64::INFINITY.to_bits());
        let both = self.op_tmp(pred, &["setp.lt.and.f64"], &[rx, infinity, valid]);
        self.goto_label_if(both, true, bad);
        self.place_label(up);
        let rest = self.op_tmp(fd, &["sub.rn.f64"], &[rx, rt]);
        let more = self.op_tmp(pred, &["setp.ge.f64"], &[rest, rt]);
        self.goto_label_if(more, true, down);
        self.line(&["add.rn.f64"], &[rt, rt, rt]);
        self.jump_label(up);
        self.place_label(down);
        let enough = self.op_tmp(pred, &["setp.lt.f64"], &[rx, y]);
        self.goto_label_if(enough, false, done);
        let above = self.op_tmp(pred, &["setp.lt.f64"], &[rx, rt]);
        self.goto_label_if(above, false, less);
        self.line(&["sub.rn.f64"], &[rx, rx, rt]);
        self.place_label(less);
        self.line(&["mul.rn.f64"], &[rt, rt, Opnd::F64(0.5f64.to_bits())]);
        self.jump_label(down);
        self.place_label(bad);
        self.mov(x, Opnd::F64(0x7ff8_0000_0000_0000));
        self.place_label(done);
        if ty == Type::F64 {
            return self.op(fd, &["copysign.f64"], &[a, rx]);
        }
        let signed = self.op_tmp(fd, &["copysign.f64"], &[a, rx]);
        self.op(Class::F32, &["cvt.rn.f32.f64"], &[signed])
    }

    /// `±a * b ± c` out of two instructions.
    pub(crate) fn fused(&mut self, i: Inst, args: [Value; 3], neg_product: bool, neg_addend: bool) -> Opnd {
        let d = &self.f.dfg.insts[i];
        let (ty, flags) = (d.ty, d.flags);
        let mut o = [Opnd::None; 3];
        for (slot, v) in o.iter_mut().zip(args) {
            *slot = self.operand(v, 0);
        }
        if neg_product {
            o[0] = self.negate(o[0], ty);
        }
        if neg_addend {
            o[2] = self.negate(o[2], ty);
        }
        if o[1].reg().is_some() && o[0].reg().is_none() {
            o.swap(0, 1);
        }
        let ftz = if ty == Type::F32 { self.ftz(flags) } else { "" };
        self.op(class(ty), &["fma.rn", ftz, suffix(ty)], &o)
    }

    fn negate(&mut self, o: Opnd, ty: Type) -> Opnd {
        match o {
            Opnd::F32(b) => Opnd::F32(b ^ 1 << 31),
            Opnd::F64(b) => Opnd::F64(b ^ 1 << 63),
            _ => self.op_tmp(class(ty), &["neg", suffix(ty)], &[o]),
        }
    }

    // ---- half precision -----------------------------------------------------------------------------------------

    fn half_op(&mut self, s: Shape, o: [Opnd; 3]) -> Opnd {
        use Opcode::*;
        let h = Class::H;
        match s.op {
            FNeg => return self.op(h, &["xor.b16"], &[o[0], Opnd::Int(-0x8000)]),
            FAbs => return self.op(h, &["and.b16"], &[o[0], Opnd::Int(0x7fff)]),
            FCopysign => {
                let magnitude = self.op_tmp(h, &["and.b16"], &[o[0], Opnd::Int(0x7fff)]);
                let sign = self.op_tmp(h, &["and.b16"], &[o[1], Opnd::Int(-0x8000)]);
                return self.op(h, &["or.b16"], &[magnitude, sign]);
            }
            _ => {}
        }
        let f16 = s.ty == Type::F16;
        let t = suffix(s.ty);
        let nearest = matches!(s.round, None | Some(Round::NearestEven)) && !s.flags.has(Flags::SAT);
        let native = |fx: &Self, half, bf| nearest && fx.has(if f16 { half } else { bf });
        match s.op {
            FAdd | FSub | FMul if native(self, Feature::F16Arith, Feature::Bf16Arith) => {
                let name = ["add", "sub", "mul"][s.op as usize - FAdd as usize];
                self.op(h, &[name, self.rounding(s), t], &[o[0], o[1]])
            }
            Fma if native(self, Feature::F16Arith, Feature::Bf16Fma) => self.op(h, &["fma.rn", t], &o),
            FMin | FMax if native(self, Feature::F16MinMax, Feature::Bf16MinMax) => {
                self.op(h, &[if s.op == FMin { "min" } else { "max" }, t], &[o[0], o[1]])
            }
            FFloor | FCeil | FTrunc | FRint if f16 => self.op(h, &["cvt", integral(s.op), t, t], &[o[0]]),
            Fma if f16 => self.half_fma_wide(o),
            _ => self.half_in_single(s, o),
        }
    }

    /// `fma` of f16 where there is none: the product is exact in double precision.
    fn half_fma_wide(&mut self, o: [Opnd; 3]) -> Opnd {
        let wide = o.map(|x| self.op_tmp(Class::F64, &["cvt.f64.f16"], &[x]));
        let sum = self.op_tmp(Class::F64, &["fma.rn.f64"], &wide);
        self.op(Class::H, &["cvt.rn.f16.f64"], &[sum])
    }

    fn half_in_single(&mut self, s: Shape, o: [Opnd; 3]) -> Opnd {
        let n = s.op.operand_count().unwrap_or(1);
        let mut wide = o;
        for x in &mut wide[..n] {
            *x = self.half_to_f32(*x, s.ty);
        }
        let forced = self.forced.take();
        // Rounding happens once, on the way back.
        let flags = s.flags.without(Flags::FTZ).without(Flags::CONTRACT);
        let r = self.float_op(Shape { ty: Type::F32, flags, round: None, ..s }, wide);
        self.forced = forced;
        self.f32_to_half(r, s.ty, s.round.unwrap_or(Round::NearestEven))
    }
}

/// `.rn` and so on.
pub(crate) fn round_suffix(r: Round) -> &'static str {
    [".rn", ".rz", ".rm", ".rp"][r as usize]
}

/// How `cvt` rounds to an integral value.
fn integral(op: Opcode) -> &'static str {
    match op {
        Opcode::FFloor => ".rmi",
        Opcode::FCeil => ".rpi",
        Opcode::FTrunc => ".rzi",
        _ => ".rni",
    }
}
