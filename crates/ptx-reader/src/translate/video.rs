//! The video instructions: parts of words, extended, computed on in 33 bits, saturated, and joined with a third operand.

use super::func::Fx;
use super::mods::Mods;
use crate::ast::{Instruction, Name, Operand};
use crate::error::{Outcome, PtxError};
use crate::types::PtxType;
use ir::{IntCC, Opcode, Type, Value};

/// A part of a word: where it begins, and how many bits it has.
fn part(word: &str) -> Option<(u32, u32)> {
    Some(match word {
        "b0" => (0, 8),
        "b1" => (8, 8),
        "b2" => (16, 8),
        "b3" => (24, 8),
        "h0" => (0, 16),
        "h1" => (16, 16),
        _ => return None,
    })
}

impl<'a> Fx<'a, '_> {
    /// `vadd`, `vsub`, `vabsdiff`, `vmin`, `vmax`, `vshl`, `vshr`
    pub(super) fn video(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let types = (m.ty()?, m.ty()?, m.ty()?);
        let (to, ta, tb) = types;
        if [to, ta, tb].iter().any(|t| !matches!(t, PtxType::U(32) | PtxType::S(32))) {
            return Err(PtxError::operand(i.span, format!("`{}` is for `.u32` and `.s32`", i.full_name())));
        }
        let sat = m.take("sat");
        let clamp = m.one_of(&[("clamp", true), ("wrap", false)]);
        let second = m.one_of(&[("add", Opcode::Add), ("min", Opcode::SMin), ("max", Opcode::SMax)]);
        let (d, a, b, c) = match i.operands.as_slice() {
            [d, a, b] if second.is_none() => (d, a, b, None),
            [d, a, b, c] => (d, a, b, Some(c)),
            _ => {
                let message = format!("`{}` with {} operands", i.full_name(), i.operands.len());
                return Err(PtxError::operand(i.span, message));
            }
        };
        let (a, b) = (self.video_operand(a, ta)?, self.video_operand(b, tb)?);
        let v = self.video_result(i, (a, b), clamp)?;
        let v = if sat { self.video_clamp(v, to, 32) } else { v };
        let word = self.cast(Opcode::Trunc, v, Type::I32);
        let Some(c) = c else {
            // Without a third operand a part of the destination would be left as it is.
            return self.set(d, word, to);
        };
        let c = self.value(c, to)?;
        match (second, d) {
            (Some(Opcode::Add), d) => {
                let v = self.op(Opcode::Add, &[word, c]);
                self.set(d, v, to)
            }
            (Some(op), d) => {
                let op = match (op, to.is_signed()) {
                    (Opcode::SMin, false) => Opcode::UMin,
                    (Opcode::SMax, false) => Opcode::UMax,
                    (op, _) => op,
                };
                let v = self.op(op, &[word, c]);
                self.set(d, v, to)
            }
            (None, Operand::Member(n, which)) => self.video_merge((*n, which), v, c, to, sat),
            (None, d) => Err(PtxError::operand(d.span(), "a part of the destination expected, as in `%r1.b0`")),
        }
    }

    /// An operand, or a part of it, extended to 64 bits.
    fn video_operand(&mut self, o: &'a Operand<'a>, ty: PtxType) -> Outcome<Value> {
        let (v, at, bits) = match o {
            Operand::Member(n, which) => {
                let Some((at, bits)) = part(which) else {
                    return Err(PtxError::operand(n.span, format!("`.{which}` is no part of a word")));
                };
                let super::func::Entity::Register(var, PtxType::B(32) | PtxType::U(32) | PtxType::S(32)) =
                    self.entity(*n)?
                else {
                    return Err(PtxError::operand(n.span, format!("`{}` is no register of 32 bits", n.text)));
                };
                (self.ssa.read(&mut self.func, self.block, var), at, bits)
            }
            o => (self.value(o, ty)?, 0, 32),
        };
        let up = self.int(Type::I32, (32 - at - bits).into());
        let down = self.int(Type::I32, (32 - bits).into());
        let v = if bits == 32 {
            v
        } else {
            let v = self.op(Opcode::Shl, &[v, up]);
            self.op(if ty.is_signed() { Opcode::AShr } else { Opcode::LShr }, &[v, down])
        };
        Ok(self.resize(v, Type::I64, ty.is_signed()))
    }

    fn video_result(&mut self, i: &Instruction<'_>, (a, b): (Value, Value), clamp: Option<bool>) -> Outcome<Value> {
        Ok(match i.name {
            "vadd" => self.op(Opcode::Add, &[a, b]),
            "vsub" => self.op(Opcode::Sub, &[a, b]),
            "vmin" => self.op(Opcode::SMin, &[a, b]),
            "vmax" => self.op(Opcode::SMax, &[a, b]),
            "vabsdiff" => {
                let gap = self.op(Opcode::Sub, &[a, b]);
                self.op(Opcode::Abs, &[gap])
            }
            _ => {
                let Some(clamp) = clamp else {
                    return Err(PtxError::operand(i.span, format!("`{}` needs .clamp or .wrap", i.full_name())));
                };
                // The amount has 32 bits without a sign.
                let word = self.cast(Opcode::Trunc, b, Type::I32);
                let by = if clamp {
                    let most = self.int(Type::I32, 32);
                    self.op(Opcode::UMin, &[word, most])
                } else {
                    let low = self.int(Type::I32, 31);
                    self.op(Opcode::And, &[word, low])
                };
                let by = self.resize(by, Type::I64, false);
                self.op(if i.name == "vshl" { Opcode::Shl } else { Opcode::AShr }, &[a, by])
            }
        })
    }

    /// A result to the nearest that a type of so many bits has.
    fn video_clamp(&mut self, v: Value, ty: PtxType, bits: u32) -> Value {
        let (low, high) = match ty.is_signed() {
            true => (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1),
            false => (0, (1i64 << bits) - 1),
        };
        let (low, high) = (self.int(Type::I64, low), self.int(Type::I64, high));
        let v = self.op(Opcode::SMax, &[v, low]);
        self.op(Opcode::SMin, &[v, high])
    }

    /// The result in a part of the third operand.
    fn video_merge(&mut self, (d, which): (Name<'a>, &str), v: Value, c: Value, ty: PtxType, sat: bool) -> Outcome<()> {
        let Some((at, bits)) = part(which) else {
            return Err(PtxError::operand(d.span, format!("`.{which}` is no part of a word")));
        };
        let v = if sat { self.video_clamp(v, ty, bits) } else { v };
        let word = self.cast(Opcode::Trunc, v, Type::I32);
        let mask = ((1i64 << bits) - 1) << at;
        let (by, mask, rest) = (self.int(Type::I32, at.into()), self.int(Type::I32, mask), self.int(Type::I32, !mask));
        let word = self.op(Opcode::Shl, &[word, by]);
        let word = self.op(Opcode::And, &[word, mask]);
        let c = self.op(Opcode::And, &[c, rest]);
        let v = self.op(Opcode::Or, &[word, c]);
        self.set_name(d, v, ty, false)
    }

    /// `vadd2`, `vadd4` and their like: the elements of a word.
    pub(super) fn video_simd(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let (to, ta, tb) = (m.ty()?, m.ty()?, m.ty()?);
        let sat = m.take("sat");
        let sums = m.take("add");
        let Some(lanes) = i.name.chars().last().and_then(|c| c.to_digit(10)) else {
            return Err(PtxError::unsupported(i.span, format!("the instruction `{}` is not covered", i.full_name())));
        };
        let bits = 32 / lanes;
        let [d, a, b, c] = self.operands(i)?;
        let (a, b, c) = (self.value(a, ta)?, self.value(b, tb)?, self.value(c, to)?);
        let mut joined = self.int(Type::I32, 0);
        for n in 0..lanes {
            let element = |fx: &mut Self, v, signed: bool| {
                let up = fx.int(Type::I32, (32 - (n + 1) * bits).into());
                let down = fx.int(Type::I32, (32 - bits).into());
                let v = fx.op(Opcode::Shl, &[v, up]);
                let v = fx.op(if signed { Opcode::AShr } else { Opcode::LShr }, &[v, down]);
                fx.resize(v, Type::I64, signed)
            };
            let (x, y) = (element(self, a, ta.is_signed()), element(self, b, tb.is_signed()));
            let v = match &i.name[..i.name.len() - 1] {
                "vadd" => self.op(Opcode::Add, &[x, y]),
                "vsub" => self.op(Opcode::Sub, &[x, y]),
                "vmin" => self.op(Opcode::SMin, &[x, y]),
                "vmax" => self.op(Opcode::SMax, &[x, y]),
                "vavrg" => {
                    // Halves go up, away from zero.
                    let (one, zero) = (self.int(Type::I64, 1), self.int(Type::I64, 0));
                    let sum = self.op(Opcode::Add, &[x, y]);
                    let more = self.op(Opcode::Add, &[sum, one]);
                    let negative = self.icmp(IntCC::Slt, sum, zero);
                    let sum = self.select(negative, sum, more);
                    self.op(Opcode::AShr, &[sum, one])
                }
                _ => {
                    let gap = self.op(Opcode::Sub, &[x, y]);
                    self.op(Opcode::Abs, &[gap])
                }
            };
            let v = if sat { self.video_clamp(v, to, bits) } else { v };
            let word = self.cast(Opcode::Trunc, v, Type::I32);
            joined = if sums {
                self.op(Opcode::Add, &[joined, word])
            } else {
                let mask = self.int(Type::I32, (1i64 << bits) - 1);
                let by = self.int(Type::I32, (n * bits).into());
                let word = self.op(Opcode::And, &[word, mask]);
                let word = self.op(Opcode::Shl, &[word, by]);
                self.op(Opcode::Or, &[joined, word])
            };
        }
        // Sums are added to the third operand; without them it is what masked elements keep.
        let v = if sums { self.op(Opcode::Add, &[joined, c]) } else { joined };
        self.set(d, v, to)
    }
}
