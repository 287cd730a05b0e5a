//! Rules for conversions.

use super::{Found, Simplifier, Step};
use ir::{Flags, Inst, IntCC, Opcode, Payload, ScalarKind, Type, Value, ValueDef};
use std::cmp::Ordering;

/// Most shifts, extensions and unions through which a part of a number is looked for.
const MAX_PARTS: u32 = 6;

/// Bits of precision of a float type, the hidden one included.
fn precision(ty: Type) -> u32 {
    match ty.kind() {
        ScalarKind::F16 => 11,
        ScalarKind::BF16 => 8,
        ScalarKind::F32 => 24,
        _ => 53,
    }
}

impl Simplifier<'_> {
    fn rewrite_cast(&mut self, inst: Inst, op: Opcode, v: Value) -> Found {
        if self.ty(v) == self.func.dfg.insts[inst].ty {
            return Some(Step::Value(v));
        }
        self.rewrite(inst, op, Flags::NONE, &[v], Payload::None)
    }

    pub(super) fn trunc(&mut self, inst: Inst) -> Found {
        let x = self.arg(inst, 0);
        let ty = self.func.dfg.insts[inst].ty;
        let d = self.func.dfg.def_inst(x)?;
        if let Some(part) = self.part(x, 0, ty, MAX_PARTS) {
            return Some(Step::Value(part));
        }
        match self.func.dfg.op(d) {
            Opcode::Trunc => {
                let a = self.arg(d, 0);
                self.rewrite_cast(inst, Opcode::Trunc, a)
            }
            op @ (Opcode::ZExt | Opcode::SExt) => {
                let a = self.arg(d, 0);
                let op = if self.ty(a).bits() > ty.bits() { Opcode::Trunc } else { op };
                self.rewrite_cast(inst, op, a)
            }
            Opcode::And => {
                let (a, m, _) = self.bin_c(x, Opcode::And)?;
                if m & ty.mask() == ty.mask() { self.rewrite_cast(inst, Opcode::Trunc, a) } else { None }
            }
            op @ (Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Or | Opcode::Xor | Opcode::Shl)
                if self.one_use(x) =>
            {
                self.narrow(inst, op, d)
            }
            Opcode::Select if self.one_use(x) => {
                let (c, a, b) = (self.arg(d, 0), self.arg(d, 1), self.arg(d, 2));
                if !(self.narrows(a, ty) && self.narrows(b, ty)) {
                    return None;
                }
                let (a, b) = (self.cast(Opcode::Trunc, a, ty), self.cast(Opcode::Trunc, b, ty));
                self.rewrite(inst, Opcode::Select, Flags::NONE, &[c, a, b], Payload::None)
            }
            _ => None,
        }
    }

    /// The value that stands in `v` from bit `at` on, if it was put there whole: `b` at bit 16 of `zext a | zext b << 16`.
    fn part(&self, v: Value, at: u32, ty: Type, depth: u32) -> Option<Value> {
        let from = self.ty(v);
        if at == 0 && from == ty {
            return Some(v);
        }
        if depth == 0 || ty.is_vector() || from.is_vector() || at + ty.bits() > from.bits() {
            return None;
        }
        let d = self.func.dfg.def_inst(v)?;
        let a = self.func.dfg.args(d).first().map(|_| self.arg(d, 0))?;
        match self.func.dfg.op(d) {
            Opcode::ZExt | Opcode::SExt | Opcode::Trunc => self.part(a, at, ty, depth - 1),
            op @ (Opcode::Shl | Opcode::LShr) => {
                let n = u32::try_from(self.c(self.arg(d, 1))?).ok()?;
                let at = if op == Opcode::Shl { at.checked_sub(n)? } else { at.checked_add(n)? };
                self.part(a, at, ty, depth - 1)
            }
            Opcode::Or => {
                let b = self.arg(d, 1);
                let mask = ty.mask() << at;
                let empty = |v| self.known().bits(v).zeros & mask == mask;
                let holds = if empty(b) { a } else { empty(a).then_some(b)? };
                self.part(holds, at, ty, depth - 1)
            }
            _ => None,
        }
    }

    /// Whether the low part of `v` in `ty` costs nothing.
    fn narrows(&self, v: Value, ty: Type) -> bool {
        let extended = self
            .un(v, Opcode::ZExt)
            .or_else(|| self.un(v, Opcode::SExt))
            .is_some_and(|a| self.ty(a).bits() <= ty.bits());
        extended || self.c(v).is_some()
    }

    /// Truncated arithmetic on extended operands is narrow arithmetic. Where a loop's variable moves by another wide number, that
    /// one is truncated instead of the result: the `int` of a loop that moves by `get_global_size(0)` is a sum of `int`s then.
    fn narrow(&mut self, inst: Inst, op: Opcode, d: Inst) -> Found {
        let ty = self.func.dfg.insts[inst].ty;
        let (a, b) = (self.arg(d, 0), self.arg(d, 1));
        let free = [a, b].map(|v| self.narrows(v, ty));
        let moves = |n: usize| free[n] && self.is_extended_variable([a, b][n]);
        let one = matches!(op, Opcode::Add | Opcode::Sub) && (moves(0) || moves(1));
        if ty.bits() < 16 || free != [true; 2] && !one {
            return None;
        }
        if op == Opcode::Shl && self.c(b).is_none_or(|n| n >= u64::from(ty.bits())) {
            return None;
        }
        let (a, b) = (self.cast(Opcode::Trunc, a, ty), self.cast(Opcode::Trunc, b, ty));
        self.rewrite2(inst, op, Flags::NONE, a, b)
    }

    /// Whether `v` is an extended parameter of a block that is not the entry.
    fn is_extended_variable(&self, v: Value) -> bool {
        let narrow = self.un(v, Opcode::ZExt).or_else(|| self.un(v, Opcode::SExt));
        narrow.is_some_and(|a| match self.func.dfg.def(a) {
            ValueDef::Param(b, _) => b != self.func.layout.entry(),
            _ => false,
        })
    }

    pub(super) fn extend(&mut self, inst: Inst) -> Found {
        let x = self.arg(inst, 0);
        let ty = self.func.dfg.insts[inst].ty;
        let from = self.ty(x);
        let signed = self.func.dfg.op(inst) == Opcode::SExt;
        let d = self.func.dfg.def_inst(x)?;
        match self.func.dfg.op(d) {
            Opcode::ZExt => {
                let a = self.arg(d, 0);
                self.rewrite_cast(inst, Opcode::ZExt, a)
            }
            Opcode::SExt if signed => {
                let a = self.arg(d, 0);
                self.rewrite_cast(inst, Opcode::SExt, a)
            }
            Opcode::Trunc => {
                let a = self.arg(d, 0);
                if self.ty(a) != ty {
                    return None;
                }
                if !signed {
                    return self.rewrite2c(inst, Opcode::And, Flags::NONE, a, from.mask());
                }
                if self.range(a).hi <= from.mask() >> 1 { Some(Step::Value(a)) } else { None }
            }
            // Whether a lowest bit is set is that bit.
            Opcode::Icmp if !signed => {
                let (cc, bit, c) = self.icmp_of(x)?;
                let asks = matches!((cc, self.c(c)?), (IntCC::Ne, 0) | (IntCC::Eq, 1));
                if !asks || self.range(bit).hi > 1 {
                    return None;
                }
                match self.ty(bit).bits().cmp(&ty.bits()) {
                    Ordering::Less => self.rewrite_cast(inst, Opcode::ZExt, bit),
                    Ordering::Equal => Some(Step::Value(bit)),
                    Ordering::Greater => self.rewrite_cast(inst, Opcode::Trunc, bit),
                }
            }
            op @ (Opcode::Add | Opcode::Mul | Opcode::Shl) if from.bits() == 32 && ty.bits() == 64 => {
                self.distribute(inst, op, x, signed)
            }
            _ => None,
        }
    }

    /// `ext(x op c)` is `ext(x) op ext(c)` where the narrow operation does not wrap: addresses become
    /// `base + index × size + constant`.
    fn distribute(&mut self, inst: Inst, op: Opcode, v: Value, signed: bool) -> Found {
        if self.is_only_compared(inst) {
            return None;
        }
        let ty = self.func.dfg.insts[inst].ty;
        let (x, c, f) = self.bin_c(v, op)?;
        let from = self.ty(v);
        let wraps = if signed { Flags::NSW } else { Flags::NUW };
        let k = self.bits(from, c);
        let fits = match op {
            _ if f.has(wraps) => true,
            Opcode::Add if signed => self.known().add_fits_signed(f, x, k),
            Opcode::Add => self.known().add_fits_unsigned(x, k),
            Opcode::Mul | Opcode::Shl => {
                let limit = if signed { from.mask() >> 1 } else { from.mask() };
                let factor =
                    if op == Opcode::Mul { c } else { 1u64.checked_shl(c as u32).filter(|_| c < 32).unwrap_or(0) };
                factor != 0 && factor <= limit && self.range(x).hi.checked_mul(factor).is_some_and(|p| p <= limit)
            }
            _ => false,
        };
        if !fits || op == Opcode::Shl && c >= u64::from(from.bits()) {
            return None;
        }
        let ext = if signed { Opcode::SExt } else { Opcode::ZExt };
        let wide = self.cast(ext, x, ty);
        let c = if signed && op != Opcode::Shl { c as u32 as i32 as i64 as u64 } else { c };
        self.rewrite2c(inst, op, wraps, wide, c)
    }

    /// Whether all that is done with an extension is to compare it with a constant, right behind it: then what is extended is
    /// compared, such as the next value of a counter with a bound of a wider type.
    fn is_only_compared(&self, inst: Inst) -> bool {
        let (dfg, v) = (&self.func.dfg, self.func.dfg.res(inst));
        let compares = |i: Inst| dfg.op(i) == Opcode::Icmp && dfg.resolve(dfg.arg(i, 0)) == v;
        let next = self.func.layout.next_inst(inst).filter(|&i| compares(i));
        self.one_use(v) && next.is_some_and(|i| dfg.as_bits(dfg.resolve(dfg.arg(i, 1))).is_some())
    }

    pub(super) fn fptrunc(&mut self, inst: Inst) -> Found {
        let x = self.arg(inst, 0);
        let (ty, f) = (self.func.dfg.insts[inst].ty, self.flags(inst));
        if !self.rounds_to_nearest(inst) || f.has(Flags::FTZ) || f.has(Flags::SAT) {
            return None;
        }
        let d = self.func.dfg.def_inst(x)?;
        let op = self.func.dfg.op(d);
        match op {
            Opcode::FpExt => {
                let a = self.arg(d, 0);
                let from = self.ty(a);
                if from == ty {
                    return Some(Step::Value(a));
                }
                if from.bits() < ty.bits() { self.rewrite_cast(inst, Opcode::FpExt, a) } else { None }
            }
            Opcode::FNeg | Opcode::FAbs if self.one_use(x) => {
                let a = self.arg(d, 0);
                let low = self.cast(Opcode::FpTrunc, a, ty);
                self.rewrite(inst, op, Flags::NONE, &[low], Payload::None)
            }
            // An operation on two floats done in double and rounded is the operation in float: a double has more
            // than twice the digits, so that rounding twice is rounding once.
            Opcode::FAdd | Opcode::FSub | Opcode::FMul | Opcode::FDiv
                if ty.scalar() == Type::F32
                    && self.one_use(x)
                    && self.rounds_to_nearest(d)
                    && !self.flags(d).has(Flags::SAT) =>
            {
                let (a, b) = (self.narrow_float(self.arg(d, 0), ty)?, self.narrow_float(self.arg(d, 1), ty)?);
                let flags = self.flags(d);
                self.rewrite2(inst, op, flags, a, b)
            }
            _ => None,
        }
    }

    /// The float of type `ty` that `v` is exactly, if that is plain to see.
    fn narrow_float(&mut self, v: Value, ty: Type) -> Option<Value> {
        if let Some(a) = self.un(v, Opcode::FpExt) {
            return (self.ty(a) == ty).then_some(a);
        }
        let x = self.func.dfg.as_float(v)?;
        let k = self.func.dfg.fconst(ty, x);
        self.func.dfg.as_float(k).is_some_and(|y| y.to_bits() == x.to_bits()).then_some(k)
    }

    pub(super) fn fpext(&mut self, inst: Inst) -> Found {
        let x = self.arg(inst, 0);
        if self.flags(inst).has(Flags::FTZ) {
            return None;
        }
        let d = self.func.dfg.def_inst(x)?;
        match self.func.dfg.op(d) {
            Opcode::FpExt if !self.flags(d).has(Flags::FTZ) => {
                let a = self.arg(d, 0);
                self.rewrite_cast(inst, Opcode::FpExt, a)
            }
            // Exact in the narrow type, so the same in the wide one.
            op @ (Opcode::SiToFp | Opcode::UiToFp) => {
                let a = self.arg(d, 0);
                let digits = self.ty(a).bits() - u32::from(op == Opcode::SiToFp);
                let range = self.ty(x).kind() != ScalarKind::F16 || digits <= 11;
                if digits <= precision(self.ty(x)) && range { self.rewrite_cast(inst, op, a) } else { None }
            }
            _ => None,
        }
    }

    pub(super) fn int_to_float(&mut self, inst: Inst) -> Found {
        let x = self.arg(inst, 0);
        let signed = self.func.dfg.op(inst) == Opcode::SiToFp;
        let payload = self.func.dfg.insts[inst].payload.clone();
        let f = self.flags(inst);
        if let Some(a) = self.un(x, Opcode::ZExt).filter(|&a| self.ty(a).bits() > 1) {
            return self.rewrite(inst, Opcode::UiToFp, f, &[a], payload);
        }
        if signed
            && let Some(a) = self.un(x, Opcode::SExt)
            && self.ty(a).bits() > 1
        {
            return self.rewrite(inst, Opcode::SiToFp, f, &[a], payload);
        }
        None
    }

    pub(super) fn float_to_int(&mut self, inst: Inst) -> Found {
        let x = self.arg(inst, 0);
        let d = self.func.dfg.def_inst(x)?;
        let ty = self.func.dfg.insts[inst].ty;
        match self.func.dfg.op(d) {
            // Back from where it came, when the float held it exactly.
            op @ (Opcode::SiToFp | Opcode::UiToFp) => {
                let a = self.arg(d, 0);
                let from = self.ty(a);
                let (signed, was_signed) = (self.func.dfg.op(inst) == Opcode::FpToSi, op == Opcode::SiToFp);
                let exact = from.bits() - u32::from(was_signed) <= precision(self.ty(x));
                if !exact || self.ty(x).kind() == ScalarKind::F16 {
                    return None;
                }
                match from.bits().cmp(&ty.bits()) {
                    Ordering::Equal if signed == was_signed => Some(Step::Value(a)),
                    Ordering::Less if !was_signed => self.rewrite_cast(inst, Opcode::ZExt, a),
                    Ordering::Less if signed => self.rewrite_cast(inst, Opcode::SExt, a),
                    _ => None,
                }
            }
            // Flushing a subnormal changes nothing here, saturating does.
            Opcode::FTrunc if self.func.dfg.insts[inst].round().is_none() && !self.flags(d).has(Flags::SAT) => {
                let a = self.arg(d, 0);
                let (op, f) = (self.func.dfg.op(inst), self.flags(inst));
                self.rewrite(inst, op, f, &[a], Payload::None)
            }
            _ => None,
        }
    }

    pub(super) fn bitcast(&mut self, inst: Inst) -> Found {
        let x = self.arg(inst, 0);
        let ty = self.func.dfg.insts[inst].ty;
        if self.ty(x) == ty {
            return Some(Step::Value(x));
        }
        if let Some(a) = self.un(x, Opcode::Bitcast) {
            return self.rewrite_cast(inst, Opcode::Bitcast, a);
        }
        let bits = self.c(x)?;
        // A splat of narrow lanes as one wide number, or as wider lanes.
        let (from, to) = (self.ty(x).bits(), ty.bits());
        if from < to && to % from == 0 {
            let wide = (0..to / from).fold(0u64, |w, n| w | bits << (n * from));
            return self.const_step(inst, wide);
        }
        // A wide number whose parts are equal.
        if from > to && from % to == 0 {
            let low = bits & ty.mask();
            let equal = (0..from / to).all(|n| bits >> (n * to) & ty.mask() == low);
            if equal {
                return self.const_step(inst, low);
            }
        }
        None
    }

    pub(super) fn pointer_cast(&mut self, inst: Inst) -> Found {
        let x = self.arg(inst, 0);
        let ty = self.func.dfg.insts[inst].ty;
        match self.func.dfg.op(inst) {
            Opcode::PtrToInt => {
                if let Some(a) = self.un(x, Opcode::IntToPtr) {
                    return Some(Step::Value(a));
                }
                None
            }
            Opcode::IntToPtr => {
                if let Some(p) = self.un(x, Opcode::PtrToInt) {
                    return if self.ty(p) == ty { Some(Step::Value(p)) } else { None };
                }
                let (a, b, _) = self.bin(x, Opcode::Add)?;
                for (base, offset) in [(a, b), (b, a)] {
                    if let Some(p) = self.un(base, Opcode::PtrToInt)
                        && self.ty(p) == ty
                        && !ty.is_vector()
                    {
                        return self.rewrite2(inst, Opcode::PtrAdd, Flags::NONE, p, offset);
                    }
                }
                None
            }
            _ => {
                let p = self.un(x, Opcode::AddrSpaceCast)?;
                // There and back again. From one specific space to another only the null pointer could go.
                if self.ty(p) == ty { Some(Step::Value(p)) } else { None }
            }
        }
    }
}
