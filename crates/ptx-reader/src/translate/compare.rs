//! Comparisons and selections.

use super::func::Fx;
use super::mods::Mods;
use crate::ast::{Instruction, Operand};
use crate::error::{Outcome, PtxError};
use crate::types::PtxType;
use ir::{Flags, FloatCC, IntCC, Opcode, Type, Value};

/// The words for comparisons.
const WORDS: [&str; 18] = [
    "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan",
];

fn int_condition(word: &str, ty: PtxType) -> Option<IntCC> {
    let signed = ty.is_signed();
    let pick = |s, u| Some(if signed { s } else { u });
    match word {
        "eq" => Some(IntCC::Eq),
        "ne" => Some(IntCC::Ne),
        _ if matches!(ty, PtxType::B(_)) => None,
        "lt" => pick(IntCC::Slt, IntCC::Ult),
        "le" => pick(IntCC::Sle, IntCC::Ule),
        "gt" => pick(IntCC::Sgt, IntCC::Ugt),
        "ge" => pick(IntCC::Sge, IntCC::Uge),
        _ if signed => None,
        "lo" => Some(IntCC::Ult),
        "ls" => Some(IntCC::Ule),
        "hi" => Some(IntCC::Ugt),
        "hs" => Some(IntCC::Uge),
        _ => None,
    }
}

fn float_condition(word: &str) -> Option<FloatCC> {
    Some(match word {
        "eq" => FloatCC::Oeq,
        "ne" => FloatCC::One,
        "lt" => FloatCC::Olt,
        "le" => FloatCC::Ole,
        "gt" => FloatCC::Ogt,
        "ge" => FloatCC::Oge,
        "equ" => FloatCC::Ueq,
        "neu" => FloatCC::Une,
        "ltu" => FloatCC::Ult,
        "leu" => FloatCC::Ule,
        "gtu" => FloatCC::Ugt,
        "geu" => FloatCC::Uge,
        "num" => FloatCC::Ord,
        "nan" => FloatCC::Uno,
        _ => return None,
    })
}

impl<'a> Fx<'a, '_> {
    pub(super) fn comparison(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        match i.name {
            "setp" => self.setp(i, m),
            "set" => self.set_word(i, m),
            "selp" => {
                let ty = m.ty()?;
                let [d, a, b, p] = self.operands(i)?;
                let (a, b, p) = (self.value(a, ty)?, self.value(b, ty)?, self.condition(p)?);
                let v = self.select(p, a, b);
                self.set(d, v, ty)
            }
            _ => self.slct(i, m),
        }
    }

    /// `a` compared with `b`, joined with a predicate if a word says how.
    fn compared(
        &mut self,
        i: &Instruction<'_>,
        (word, ty, ftz): (&str, PtxType, bool),
        a: &'a Operand<'a>,
        b: &'a Operand<'a>,
    ) -> Outcome<Value> {
        let (a, b) = (self.value(a, ty)?, self.value(b, ty)?);
        let bad = || PtxError::operand(i.span, format!("`{word}` does not compare {}", ty.name()));
        if ty.is_float() {
            let cc = float_condition(word).ok_or_else(bad)?;
            let flags = if ftz { Flags::FTZ } else { Flags::NONE };
            return Ok(self.builder().fcmp(cc, flags, a, b));
        }
        let cc = int_condition(word, ty).ok_or_else(bad)?;
        Ok(self.icmp(cc, a, b))
    }

    fn words(&self, i: &Instruction<'_>, m: &mut Mods<'_, 'a>) -> Outcome<(&'a str, Option<Opcode>, bool)> {
        let word = m.pick(|w| WORDS.contains(&w).then_some(w));
        let Some(word) = word else {
            return Err(PtxError::operand(i.span, format!("`{}` lacks a comparison", i.full_name())));
        };
        let join = m.one_of(&[("and", Opcode::And), ("or", Opcode::Or), ("xor", Opcode::Xor)]);
        Ok((word, join, m.take("ftz")))
    }

    /// The operands behind the destination: two, and a predicate where one is joined.
    fn compared_operands(
        &self,
        i: &'a Instruction<'a>,
        join: Option<Opcode>,
    ) -> Outcome<(&'a Operand<'a>, &'a Operand<'a>, &'a Operand<'a>, Option<&'a Operand<'a>>)> {
        match (join, i.operands.as_slice()) {
            (None, [d, a, b]) => Ok((d, a, b, None)),
            (Some(_), [d, a, b, c]) => Ok((d, a, b, Some(c))),
            _ => Err(PtxError::operand(i.span, format!("`{}` has {} operands", i.full_name(), i.operands.len()))),
        }
    }

    fn setp(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let (word, join, ftz) = self.words(i, m)?;
        let ty = m.ty()?;
        let (d, a, b, c) = self.compared_operands(i, join)?;
        let found = self.compared(i, (word, ty, ftz), a, b)?;
        let c = match c {
            Some(c) => Some(self.condition(c)?),
            None => None,
        };
        let joined = |fx: &mut Self, v| match (join, c) {
            (Some(join), Some(c)) => fx.op(join, &[v, c]),
            _ => v,
        };
        let pair = if self.ty(found).is_vector() {
            // Of packed operands each destination is about one element.
            let (low, high) = (self.builder().extract(found, 0), self.builder().extract(found, 1));
            (joined(self, low), Some(high))
        } else {
            (joined(self, found), None)
        };
        let Operand::Pair(p, q) = d else { return self.set(d, pair.0, PtxType::Pred) };
        let second = match pair.1 {
            Some(high) => joined(self, high),
            None => {
                let one = self.int(Type::I1, 1);
                let not = self.op(Opcode::Xor, &[found, one]);
                joined(self, not)
            }
        };
        self.set_name(*p, pair.0, PtxType::Pred, false)?;
        self.set_name(*q, second, PtxType::Pred, false)
    }

    /// `set`: all ones, or 1.0.
    fn set_word(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let (word, join, ftz) = self.words(i, m)?;
        let (to, ty) = (m.ty()?, m.ty()?);
        let (d, a, b, c) = self.compared_operands(i, join)?;
        let mut found = self.compared(i, (word, ty, ftz), a, b)?;
        if let (Some(join), Some(c)) = (join, c) {
            let c = self.condition(c)?;
            if self.ty(found).is_vector() {
                return Err(PtxError::unsupported(i.span, "a packed comparison joined with a predicate"));
            }
            found = self.op(join, &[found, c]);
        }
        let lanes = self.ty(found).lanes();
        let own = if lanes > 1 && !to.is_float() {
            Type::I16.vector(lanes).unwrap_or(Type::I32)
        } else {
            to.ir().unwrap_or(Type::I32)
        };
        if own.lanes() != lanes || own.bits() < 16 {
            return Err(PtxError::operand(i.span, format!("`{}` gives no {}", i.full_name(), to.name())));
        }
        let v = if own.is_float() {
            let (one, zero) = (self.func.dfg.fconst(own, 1.0), self.func.dfg.fconst(own, 0.0));
            self.select(found, one, zero)
        } else {
            self.cast(Opcode::SExt, found, own)
        };
        self.set(d, v, to)
    }

    /// `slct`: the first operand if the third is not negative.
    fn slct(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let ftz = m.take("ftz");
        let (ty, by) = (m.ty()?, m.ty()?);
        let [d, a, b, c] = self.operands(i)?;
        let (a, b, c) = (self.value(a, ty)?, self.value(b, ty)?, self.value(c, by)?);
        let own = self.ty(c);
        let p = match by {
            PtxType::S(32) => {
                let zero = self.int(own, 0);
                self.icmp(IntCC::Sge, c, zero)
            }
            PtxType::F32 => {
                let zero = self.func.dfg.fconst(own, 0.0);
                let flags = if ftz { Flags::FTZ } else { Flags::NONE };
                self.builder().fcmp(FloatCC::Oge, flags, c, zero)
            }
            _ => return Err(PtxError::operand(i.span, format!("`slct` by {}", by.name()))),
        };
        let v = self.select(p, a, b);
        self.set(d, v, ty)
    }
}
