//! Comparisons and selections.

use crate::error::EmitError;
use crate::func::Fx;
use crate::regs::{Class, Opnd};
use crate::select::{condition, known_condition};
use ir::{FloatCC, Inst, IntCC, Opcode, ScalarKind, Type, Value};
use target::Feature;

/// Name of an integer condition and the type suffix it compares in.
fn int_suffix(cc: IntCC, ty: Type) -> (&'static str, &'static str) {
    let name = match cc {
        IntCC::Eq => ".eq",
        IntCC::Ne => ".ne",
        IntCC::Slt | IntCC::Ult => ".lt",
        IntCC::Sle | IntCC::Ule => ".le",
        IntCC::Sgt | IntCC::Ugt => ".gt",
        IntCC::Sge | IntCC::Uge => ".ge",
    };
    let suffix = match (ty.bits(), cc.is_unsigned()) {
        (64, false) => ".s64",
        (64, true) => ".u64",
        (32, false) => ".s32",
        (32, true) => ".u32",
        (_, false) => ".s16",
        (_, true) => ".u16",
    };
    (name, suffix)
}

/// Name of a float condition.
fn float_name(cc: FloatCC) -> &'static str {
    match cc {
        FloatCC::Oeq => ".eq",
        FloatCC::One => ".ne",
        FloatCC::Olt => ".lt",
        FloatCC::Ole => ".le",
        FloatCC::Ogt => ".gt",
        FloatCC::Oge => ".ge",
        FloatCC::Ord => ".num",
        FloatCC::Uno => ".nan",
        FloatCC::Ueq => ".equ",
        FloatCC::Une => ".neu",
        FloatCC::Ult => ".ltu",
        FloatCC::Ule => ".leu",
        FloatCC::Ugt => ".gtu",
        FloatCC::Uge => ".geu",
    }
}

impl Fx<'_> {
    /// Writes a comparison or selection, lane by lane.
    pub(crate) fn comparison(&mut self, i: Inst) -> Result<(), EmitError> {
        let f = self.f;
        let args = f.dfg.args(i);
        match f.dfg.op(i) {
            Opcode::Icmp => self.each_lane(i, |fx, n| Ok(fx.icmp(i, args[0], args[1], n))),
            Opcode::Fcmp => self.each_lane(i, |fx, n| Ok(fx.fcmp(i, args[0], args[1], n))),
            _ => self.selection(i, args[0], args[1], args[2]),
        }
    }

    fn icmp(&mut self, i: Inst, a: Value, b: Value, n: usize) -> Opnd {
        let ty = self.ty(a).scalar();
        let mut cc = self.f.dfg.insts[i].int_cc().unwrap_or(IntCC::Eq);
        let (mut x, mut y) = (self.operand(a, n), self.operand(b, n));
        if x.reg().is_none() && y.reg().is_some() {
            std::mem::swap(&mut x, &mut y);
            cc = cc.swapped();
        }
        if ty == Type::I1 {
            return self.icmp_bool(cc, x, y);
        }
        let signed = !cc.is_unsigned();
        let (x, y) = (self.normalised(x, ty, signed), self.normalised(y, ty, signed));
        let (name, suffix) = int_suffix(cc, ty);
        self.op(Class::Pred, &["setp", name, suffix], &[x, y])
    }

    /// Compares truth values: as unsigned numbers 0 and 1, as signed ones 0 and -1.
    fn icmp_bool(&mut self, cc: IntCC, a: Opnd, b: Opnd) -> Opnd {
        use IntCC::*;
        let p = Class::Pred;
        match cc {
            Ne => self.op(p, &["xor.pred"], &[a, b]),
            Eq => {
                let differs = self.op_tmp(p, &["xor.pred"], &[a, b]);
                self.op(p, &["not.pred"], &[differs])
            }
            // a < b: !a & b. a <= b: !a | b. Signed comparisons are the other way round.
            Ult | Sgt => self.not_then(a, "and.pred", b),
            Ule | Sge => self.not_then(a, "or.pred", b),
            Ugt | Slt => self.not_then(b, "and.pred", a),
            Uge | Sle => self.not_then(b, "or.pred", a),
        }
    }

    fn not_then(&mut self, not: Opnd, op: &str, other: Opnd) -> Opnd {
        let n = self.op_tmp(Class::Pred, &["not.pred"], &[not]);
        self.op(Class::Pred, &[op], &[n, other])
    }

    fn fcmp(&mut self, i: Inst, a: Value, b: Value, n: usize) -> Opnd {
        let ty = self.ty(a).scalar();
        let mut cc = self.f.dfg.insts[i].float_cc().unwrap_or(FloatCC::Oeq);
        let flags = self.f.dfg.insts[i].flags;
        let is_half = matches!(ty, Type::F16 | Type::BF16);
        let (mut x, mut y) =
            if is_half { (self.register(a, n), self.register(b, n)) } else { (self.operand(a, n), self.operand(b, n)) };
        if x.reg().is_none() && y.reg().is_some() {
            std::mem::swap(&mut x, &mut y);
            cc = cc.swapped();
        }
        let native = self.has(if ty == Type::F16 { Feature::F16Arith } else { Feature::Bf16Arith });
        let suffix = match ty.kind() {
            ScalarKind::F64 => ".f64",
            ScalarKind::F16 if native => ".f16",
            ScalarKind::BF16 if native => ".bf16",
            ScalarKind::F32 => ".f32",
            _ => {
                x = self.half_to_f32(x, ty);
                y = self.half_to_f32(y, ty);
                ".f32"
            }
        };
        let ftz = if ty == Type::F32 { self.ftz(flags) } else { "" };
        self.op(Class::Pred, &["setp", float_name(cc), ftz, suffix], &[x, y])
    }

    /// A comparison and-ed or or-ed with `other` in one instruction.
    pub(crate) fn setp_with(&mut self, i: Inst, cmp: Inst, other: Value) -> Result<Opnd, EmitError> {
        let f = self.f;
        let join = if f.dfg.op(i) == Opcode::And { ".and" } else { ".or" };
        let (a, b) = (f.dfg.arg(cmp, 0), f.dfg.arg(cmp, 1));
        let ty = f.dfg.ty(a);
        let (mut x, mut y) = (self.operand(a, 0), self.operand(b, 0));
        let q = self.operand(other, 0);
        let swap = x.reg().is_none() && y.reg().is_some();
        if swap {
            std::mem::swap(&mut x, &mut y);
        }
        let d = &f.dfg.insts[cmp];
        Ok(match (d.int_cc(), d.float_cc()) {
            (Some(cc), _) => {
                let (name, suffix) = int_suffix(if swap { cc.swapped() } else { cc }, ty);
                self.op(Class::Pred, &["setp", name, join, suffix], &[x, y, q])
            }
            (None, cc) => {
                let cc = cc.unwrap_or(FloatCC::Oeq);
                let name = float_name(if swap { cc.swapped() } else { cc });
                let single = ty == Type::F32;
                let ftz = if single { self.ftz(d.flags) } else { "" };
                self.op(Class::Pred, &["setp", name, join, ftz, if single { ".f32" } else { ".f64" }], &[x, y, q])
            }
        })
    }

    // ---- select -------------------------------------------------------------------------------------------------

    fn selection(&mut self, i: Inst, cond: Value, a: Value, b: Value) -> Result<(), EmitError> {
        let ty = self.ty(a).scalar();
        if self.ty(cond).is_vector() {
            return self.each_lane(i, |fx, n| {
                let p = fx.operand(cond, n);
                Ok(fx.select_lane(ty, p, (a, b), n))
            });
        }
        if let Some(known) = known_condition(&self.f.dfg, cond) {
            let chosen = if known { a } else { b };
            return self.each_lane(i, |fx, n| Ok(fx.lane(chosen, n)));
        }
        let (cond, negated) = condition(&self.f.dfg, cond);
        let (a, b) = if negated { (b, a) } else { (a, b) };
        let p = self.operand(cond, 0);
        self.each_lane(i, |fx, n| Ok(fx.select_lane(ty, p, (a, b), n)))
    }

    fn select_lane(&mut self, ty: Type, p: Opnd, (a, b): (Value, Value), n: usize) -> Opnd {
        let Some(class) = Class::of(ty) else { return Opnd::Int(0) };
        if class == Class::Pred {
            return self.select_bool(p, self.lane(a, n), self.lane(b, n));
        }
        let is_half = class == Class::H;
        let (x, y) =
            if is_half { (self.register(a, n), self.register(b, n)) } else { (self.operand(a, n), self.operand(b, n)) };
        self.op(class, &["selp", class.decl()], &[x, y, p])
    }

    /// `p ? a : b` on truth values, by logic.
    pub(crate) fn select_bool(&mut self, p: Opnd, a: Opnd, b: Opnd) -> Opnd {
        let k = Class::Pred;
        match (a, b) {
            (Opnd::Bool(true), _) => {
                let b = self.direct(b);
                self.op(k, &["or.pred"], &[p, b])
            }
            (_, Opnd::Bool(false)) => {
                let a = self.direct(a);
                self.op(k, &["and.pred"], &[p, a])
            }
            _ => {
                let (a, b) = (self.direct(a), self.direct(b));
                let yes = self.op_tmp(k, &["and.pred"], &[p, a]);
                let otherwise = self.op_tmp(k, &["not.pred"], &[p]);
                let no = self.op_tmp(k, &["and.pred"], &[otherwise, b]);
                self.op(k, &["or.pred"], &[yes, no])
            }
        }
    }
}
