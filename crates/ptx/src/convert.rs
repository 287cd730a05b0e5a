//! Conversions between types.

use crate::error::EmitError;
use crate::float::round_suffix;
use crate::func::Fx;
use crate::regs::{Class, Opnd};
use ir::{AddrSpace, Flags, Inst, Opcode, Round, ScalarKind, Type};
use target::Feature;

/// Suffix of an integer type.
fn int_name(ty: Type, signed: bool) -> &'static str {
    match (ty.bits(), signed) {
        (8, true) => ".s8",
        (8, false) => ".u8",
        (16, true) => ".s16",
        (16, false) => ".u16",
        (64, true) => ".s64",
        (64, false) => ".u64",
        (_, true) => ".s32",
        (_, false) => ".u32",
    }
}

/// Suffix of a float type.
fn float_name(ty: Type) -> &'static str {
    match ty.kind() {
        ScalarKind::F16 => ".f16",
        ScalarKind::BF16 => ".bf16",
        ScalarKind::F64 => ".f64",
        _ => ".f32",
    }
}

/// How `cvt` rounds to an integer.
fn to_integer(r: Round) -> &'static str {
    [".rni", ".rzi", ".rmi", ".rpi"][r as usize]
}

impl Fx<'_> {
    /// Writes a conversion, lane by lane.
    pub(crate) fn conversion(&mut self, i: Inst) -> Result<(), EmitError> {
        use Opcode::*;
        let f = self.f;
        let d = &f.dfg.insts[i];
        let arg = f.dfg.arg(i, 0);
        let (from, to) = (f.dfg.ty(arg).scalar(), d.ty.scalar());
        self.each_lane(i, |fx, n| {
            let o = fx.register(arg, n);
            Ok(match d.op {
                Trunc => fx.truncate(o, from, to),
                ZExt | SExt => fx.extend(o, from, to, d.op == SExt),
                FpTrunc | FpExt => fx.float_to_float(o, from, to, d.round(), d.flags),
                FpToSi | FpToUi => {
                    let round = d.round().unwrap_or(Round::Zero);
                    fx.float_to_int(o, (from, to), d.op == FpToSi, round, d.flags)
                }
                _ => fx.int_to_float(o, (from, to), d.op == SiToFp, d.round().unwrap_or(Round::NearestEven)),
            })
        })
    }

    // ---- integers -----------------------------------------------------------------------------------------------

    fn truncate(&mut self, o: Opnd, from: Type, to: Type) -> Opnd {
        let (Some(a), Some(b)) = (Class::of(from), Class::of(to)) else { return o };
        if to == Type::I1 {
            let bit = self.op_tmp(a, &["and", a.untyped()], &[o, Opnd::Int(1)]);
            let suffix = int_name(if from.bits() == 8 { Type::I16 } else { from }, true);
            return self.op(Class::Pred, &["setp.ne", suffix], &[bit, Opnd::Int(0)]);
        }
        // An i8 lives in the lower half of a 16-bit register, whatever the upper half holds.
        if a == b {
            return o;
        }
        let to = if to.bits() == 8 { Type::I16 } else { to };
        self.op(b, &["cvt", int_name(to, false), int_name(from, false)], &[o])
    }

    fn extend(&mut self, o: Opnd, from: Type, to: Type, signed: bool) -> Opnd {
        let Some(class) = Class::of(to) else { return o };
        if from == Type::I1 {
            let one = Opnd::Int(if signed { -1 } else { 1 });
            return self.op(class, &["selp", class.untyped()], &[one, Opnd::Int(0), o]);
        }
        if class == Class::B16 && !signed {
            return self.op(class, &["and.b16"], &[o, Opnd::Int(255)]);
        }
        self.op(class, &["cvt", int_name(to, signed), int_name(from, signed)], &[o])
    }

    // ---- floats -------------------------------------------------------------------------------------------------

    fn float_to_float(&mut self, o: Opnd, from: Type, to: Type, round: Option<Round>, flags: Flags) -> Opnd {
        let Some(class) = Class::of(to) else { return o };
        let r = round.unwrap_or(Round::NearestEven);
        let sat = if flags.has(Flags::SAT) { ".sat" } else { "" };
        match (from.kind(), to.kind()) {
            (ScalarKind::BF16, ScalarKind::F32) => {
                let r = self.half_to_f32(o, from);
                self.settle(r)
            }
            (ScalarKind::BF16, ScalarKind::F64) => {
                let x = self.half_to_f32(o, from);
                self.op(class, &["cvt.f64.f32"], &[x])
            }
            (ScalarKind::F32, ScalarKind::BF16) => self.f32_to_half(o, to, r),
            (ScalarKind::F64, ScalarKind::BF16) => {
                let x = self.f64_to_odd_f32(o);
                self.f32_to_half(x, to, r)
            }
            (ScalarKind::F16, ScalarKind::BF16) | (ScalarKind::BF16, ScalarKind::F16) => {
                let x = self.half_to_f32(o, from);
                self.f32_to_half(x, to, r)
            }
            (ScalarKind::F16, _) | (ScalarKind::F32, ScalarKind::F64) => {
                let ftz = if from == Type::F32 { self.ftz(flags) } else { "" };
                self.op(class, &["cvt", ftz, sat, float_name(to), float_name(from)], &[o])
            }
            _ => {
                let ftz = if to == Type::F32 || from == Type::F32 { self.ftz(flags) } else { "" };
                let sat = if to == Type::F32 || to == Type::F16 { sat } else { "" };
                // f16 keeps its subnormals.
                let ftz = if to == Type::F16 { "" } else { ftz };
                self.op(class, &["cvt", round_suffix(r), ftz, sat, float_name(to), float_name(from)], &[o])
            }
        }
    }

    /// Puts a result where it must be.
    pub(crate) fn settle(&mut self, o: Opnd) -> Opnd {
        match self.forced.take() {
            Some(r) if o != Opnd::Reg(r) => {
                self.mov(r, o);
                r.into()
            }
            _ => o,
        }
    }

    /// A double in single precision, rounded to odd, so that a second rounding to fewer digits is exact: truncated,
    /// with the last bit set if anything was lost.
    fn f64_to_odd_f32(&mut self, o: Opnd) -> Opnd {
        let x = self.op_tmp(Class::F32, &["cvt.rz.f32.f64"], &[o]);
        let back = self.op_tmp(Class::F64, &["cvt.f64.f32"], &[x]);
        let lost = self.op_tmp(Class::Pred, &["setp.ne.f64"], &[back, o]);
        self.set_last_bit(x, lost)
    }

    fn set_last_bit(&mut self, x: Opnd, lost: Opnd) -> Opnd {
        let sticky = self.op_tmp(Class::B32, &["selp.b32"], &[Opnd::Int(1), Opnd::Int(0), lost]);
        let bits = self.op_tmp(Class::B32, &["mov.b32"], &[x]);
        let odd = self.op_tmp(Class::B32, &["or.b32"], &[bits, sticky]);
        self.op_tmp(Class::F32, &["mov.b32"], &[odd])
    }

    fn float_to_int(&mut self, o: Opnd, (from, to): (Type, Type), signed: bool, round: Round, flags: Flags) -> Opnd {
        let Some(class) = Class::of(to) else { return o };
        let (o, from) = if from == Type::BF16 { (self.half_to_f32(o, from), Type::F32) } else { (o, from) };
        let how = to_integer(round);
        let ftz = if from == Type::F32 { self.ftz(flags) } else { "" };
        if to == Type::I1 {
            // Saturating: true is 1 unsigned and -1 signed.
            let n = self.op_tmp(Class::B32, &["cvt", how, ftz, int_name(Type::I32, signed), float_name(from)], &[o]);
            let cmp = if signed { "setp.lt.s32" } else { "setp.ne.s32" };
            return self.op(Class::Pred, &[cmp], &[n, Opnd::Int(0)]);
        }
        let name = ["cvt", how, ftz, int_name(to, signed), float_name(from)];
        // The hardware turns NaN into 0 except from f64 or to 64 bits, where it gives the highest bit.
        let wanted = flags.has(Flags::NNAN) || flags.has(Flags::NAN_TOP);
        if (from == Type::F64 || to.bits() == 64) && !wanted {
            let n = self.op_tmp(class, &name, &[o]);
            // Older targets cannot compare f16.
            let (x, ty) = if from == Type::F16 { (self.half_to_f32(o, from), Type::F32) } else { (o, from) };
            let nan = self.op_tmp(Class::Pred, &["setp.nan", float_name(ty)], &[x, x]);
            return self.op(class, &["selp", class.untyped()], &[Opnd::Int(0), n, nan]);
        }
        self.op(class, &name, &[o])
    }

    fn int_to_float(&mut self, o: Opnd, (from, to): (Type, Type), signed: bool, round: Round) -> Opnd {
        let Some(class) = Class::of(to) else { return o };
        if from == Type::I1 {
            let one =
                self.op_tmp(Class::B32, &["selp.b32"], &[Opnd::Int(if signed { -1 } else { 1 }), Opnd::Int(0), o]);
            return self.int_to_float(one, (Type::I32, to), signed, round);
        }
        if to != Type::BF16 {
            return self.op(class, &["cvt", round_suffix(round), float_name(to), int_name(from, signed)], &[o]);
        }
        // By way of single precision: exact for short integers, rounded to odd for long ones.
        let name = int_name(from, signed);
        let x = if from.bits() <= 16 {
            self.op_tmp(Class::F32, &["cvt.rn.f32", name], &[o])
        } else {
            let down = self.op_tmp(Class::F32, &["cvt.rz.f32", name], &[o]);
            let up = self.op_tmp(Class::F32, &["cvt.rp.f32", name], &[o]);
            let below = self.op_tmp(Class::F32, &["cvt.rm.f32", name], &[o]);
            let lost = self.op_tmp(Class::Pred, &["setp.ne.f32"], &[up, below]);
            self.set_last_bit(down, lost)
        };
        self.f32_to_half(x, to, round)
    }

    // ---- pointers -----------------------------------------------------------------------------------------------

    /// Writes a cast between address spaces.
    pub(crate) fn space_cast(&mut self, i: Inst) -> Result<(), EmitError> {
        let f = self.f;
        let arg = f.dfg.arg(i, 0);
        let from = f.dfg.ty(arg).space().unwrap_or(AddrSpace::Generic);
        let to = f.dfg.insts[i].ty.space().unwrap_or(AddrSpace::Generic);
        if from == AddrSpace::Param && self.is_kernel() {
            self.require(Feature::CvtaParam, i)?;
        }
        self.each_lane(i, |fx, n| {
            let o = fx.register(arg, n);
            let o = fx.generic_address(o, from);
            Ok(match to {
                _ if from == to => o,
                AddrSpace::Generic => o,
                _ => {
                    let space = fx.cast_suffix(to);
                    fx.op(Class::B64, &["cvta.to", space, ".u64"], &[o])
                }
            })
        })
    }

    /// The state space of a cast: parameters of functions whose address is taken are in local memory.
    fn cast_suffix(&self, space: AddrSpace) -> &'static str {
        match space {
            AddrSpace::Param if !self.is_kernel() => ".local",
            _ => crate::operand::space_suffix(space),
        }
    }

    /// The generic address of an address in `space`.
    pub(crate) fn generic_address(&mut self, o: Opnd, space: AddrSpace) -> Opnd {
        if space == AddrSpace::Generic {
            return o;
        }
        let o = self.in_register(o, Type::I64);
        let suffix = self.cast_suffix(space);
        self.op(Class::B64, &["cvta", suffix, ".u64"], &[o])
    }

    /// A pointer as an integer, or the other way round: the same register.
    pub(crate) fn rename(&mut self, i: Inst) -> Result<(), EmitError> {
        let arg = self.f.dfg.arg(i, 0);
        self.each_lane(i, |fx, n| Ok(fx.lane(arg, n)))
    }
}
