//! Formats of few bits: eight (`e4m3`, `e5m2`), and single precision as tensor cores have it (`tf32`).

use super::func::Fx;
use super::mods::Mods;
use crate::ast::Instruction;
use crate::error::{Outcome, PtxError};
use crate::types::PtxType;
use ir::{Flags, IntCC, Opcode, Payload, Type, Value};

/// A type that only conversions and products know.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Small {
    E4m3,
    E5m2,
    Tf32,
}

const NAMES: [(&str, Small); 3] = [("e4m3x2", Small::E4m3), ("e5m2x2", Small::E5m2), ("tf32", Small::Tf32)];

/// How a number becomes a `tf32`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nearest {
    Even,
    Away,
    Zero,
}

impl<'a> Fx<'a, '_> {
    /// `cvt` from and to such a type, if it is one.
    pub(super) fn convert_small(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Option<Outcome<()>> {
        let named = |w: &&str| NAMES.iter().find(|n| n.0 == *w).map(|n| n.1);
        let known = i.modifiers.iter().find_map(named)?;
        let relu = m.take("relu");
        let round = m.one_of(&[("rn", Nearest::Even), ("rna", Nearest::Away), ("rz", Nearest::Zero)]);
        let saturates = m.take("satfinite");
        let to_small = m.pick(|w| {
            let t = PtxType::named(w).is_some();
            (t || named(&w).is_some()).then_some(!t)
        })?;
        let result = match (known, round) {
            (Small::Tf32, Some(round)) if to_small && !saturates && m.take("f32") => self.round_to_tf32(i, round, relu),
            (Small::E4m3 | Small::E5m2, Some(Nearest::Even)) if to_small && saturates => {
                self.narrow_to_eight_bits(i, m, known == Small::E4m3, relu)
            }
            (Small::E4m3 | Small::E5m2, Some(Nearest::Even)) if !to_small && m.take(name_of(known)) => {
                self.widen_eight_bits(i, known == Small::E4m3, relu)
            }
            _ => Err(PtxError::unsupported(i.span, format!("the instruction `{}` is not covered", i.full_name()))),
        };
        Some(result)
    }

    fn round_to_tf32(&mut self, i: &'a Instruction<'a>, round: Nearest, relu: bool) -> Outcome<()> {
        let [d, a] = self.operands(i)?;
        let v = self.value(a, PtxType::F32)?;
        let v = if relu { self.relu(v) } else { v };
        let bits = self.cast(Opcode::Bitcast, v, Type::I32);
        let mask = self.int(Type::I32, i64::from(0xffff_e000_u32.cast_signed()));
        let more = match round {
            Nearest::Zero => self.int(Type::I32, 0),
            Nearest::Away => self.int(Type::I32, 0x1000),
            Nearest::Even => {
                let (by, one, half) = (self.int(Type::I32, 13), self.int(Type::I32, 1), self.int(Type::I32, 0xfff));
                let last = self.op(Opcode::LShr, &[bits, by]);
                let last = self.op(Opcode::And, &[last, one]);
                self.op(Opcode::Add, &[last, half])
            }
        };
        let rounded = self.op(Opcode::Add, &[bits, more]);
        let exponent = self.int(Type::I32, 0x7f80_0000);
        let own = self.op(Opcode::And, &[bits, exponent]);
        let is_finite = self.icmp(IntCC::Ne, own, exponent);
        let v = self.select(is_finite, rounded, bits);
        let v = self.op(Opcode::And, &[v, mask]);
        // What is no number stays so.
        let nan = self.int(Type::I32, 0x7fff_ffff);
        let magnitude = self.op(Opcode::And, &[bits, nan]);
        let is_nan = self.icmp(IntCC::Ugt, magnitude, exponent);
        let v = self.select(is_nan, nan, v);
        self.set(d, v, PtxType::B(32))
    }

    /// `cvt.rn.satfinite.e4m3x2.f32 d, high, low`, and of two halves.
    fn narrow_to_eight_bits(
        &mut self,
        i: &'a Instruction<'a>,
        m: &mut Mods<'_, 'a>,
        e4m3: bool,
        relu: bool,
    ) -> Outcome<()> {
        let (d, pair) = if m.take("f16x2") {
            let [d, a] = self.operands(i)?;
            let word = self.value(a, PtxType::B(32))?;
            let halves = [self.half_of(word, 1), self.half_of(word, 0)];
            (
                d,
                halves.map(|h| {
                    let h = self.cast(Opcode::Bitcast, h, Type::F16);
                    self.cast(Opcode::FpExt, h, Type::F32)
                }),
            )
        } else {
            if !m.take("f32") {
                return Err(PtxError::unsupported(
                    i.span,
                    format!("the instruction `{}` is not covered", i.full_name()),
                ));
            }
            let [d, high, low] = self.operands(i)?;
            (d, [self.value(high, PtxType::F32)?, self.value(low, PtxType::F32)?])
        };
        let [high, low] = pair.map(|v| {
            let v = if relu { self.relu(v) } else { v };
            self.in_eight_bits(v, e4m3)
        });
        let by = self.int(Type::I32, 8);
        let high = self.op(Opcode::Shl, &[high, by]);
        let both = self.op(Opcode::Or, &[high, low]);
        let both = self.cast(Opcode::Trunc, both, Type::I16);
        self.set(d, both, PtxType::B(16))
    }

    /// `cvt.rn.f16x2.e4m3x2 d, a`
    fn widen_eight_bits(&mut self, i: &'a Instruction<'a>, e4m3: bool, relu: bool) -> Outcome<()> {
        let [d, a] = self.operands(i)?;
        let both = self.value(a, PtxType::B(16))?;
        let low = self.resize(both, Type::I32, false);
        let by = self.int(Type::I32, 8);
        let high = self.op(Opcode::LShr, &[low, by]);
        let halves = [low, high].map(|v| {
            let v = self.eight_bits(v, e4m3);
            let v = if relu { self.relu(v) } else { v };
            self.make(Opcode::FpTrunc, Type::F16, Flags::NONE, Payload::None, &[v])
        });
        let v = self.builder().vec_build(&halves);
        self.set(d, v, PtxType::F16x2)
    }

    /// The eight bits nearest to a number of single precision; the largest for what is larger.
    fn in_eight_bits(&mut self, v: Value, e4m3: bool) -> Value {
        let (shift, bias, least) = if e4m3 { (20, 120 << 3, 121) } else { (21, 112 << 2, 113) };
        let word = |fx: &mut Self, n: u32| fx.int(Type::I32, i64::from(n.cast_signed()));
        let bits = self.cast(Opcode::Bitcast, v, Type::I32);
        let mask = word(self, 0x7fff_ffff);
        let magnitude = self.op(Opcode::And, &[bits, mask]);
        let (by, one, half) = (word(self, shift), word(self, 1), word(self, (1 << (shift - 1)) - 1));
        let last = self.op(Opcode::LShr, &[magnitude, by]);
        let last = self.op(Opcode::And, &[last, one]);
        let sum = self.op(Opcode::Add, &[magnitude, half]);
        let sum = self.op(Opcode::Add, &[sum, last]);
        let sum = self.op(Opcode::LShr, &[sum, by]);
        let bias = word(self, bias);
        let normal = self.op(Opcode::Sub, &[sum, bias]);
        // Below the least normal number the steps are equal: an integer of them.
        let scale = self.func.dfg.fconst(Type::F32, if e4m3 { 512.0 } else { 65536.0 });
        let absolute = self.cast(Opcode::Bitcast, magnitude, Type::F32);
        let steps = self.op(Opcode::FMul, &[absolute, scale]);
        let steps = self.op(Opcode::FRint, &[steps]);
        let steps = self.make(Opcode::FpToUi, Type::I32, Flags::NONE, Payload::None, &[steps]);
        let least = word(self, least << 23);
        let is_small = self.icmp(IntCC::Ult, magnitude, least);
        let finite = self.select(is_small, steps, normal);
        let largest = word(self, if e4m3 { 0x7e } else { 0x7b });
        let finite = self.op(Opcode::UMin, &[finite, largest]);
        let (infinity, nan) = (word(self, 0x7f80_0000), word(self, 0x7f));
        let is_nan = self.icmp(IntCC::Ugt, magnitude, infinity);
        let (s24, sign) = (word(self, 24), word(self, 0x80));
        let top = self.op(Opcode::LShr, &[bits, s24]);
        let sign = self.op(Opcode::And, &[top, sign]);
        let signed = self.op(Opcode::Or, &[finite, sign]);
        self.select(is_nan, nan, signed)
    }

    /// The number that the low eight bits of a word are, in single precision.
    pub(crate) fn eight_bits(&mut self, byte: Value, e4m3: bool) -> Value {
        let (low, sign) = (self.int(Type::I32, 0x7f), self.int(Type::I32, 0x80));
        let (s24, s20, s21) = (self.int(Type::I32, 24), self.int(Type::I32, 20), self.int(Type::I32, 21));
        let magnitude = self.op(Opcode::And, &[byte, low]);
        let sign = self.op(Opcode::And, &[byte, sign]);
        let sign = self.op(Opcode::Shl, &[sign, s24]);
        // Exponent and significand in their places, and the exponent's bias mended by a power of two; exact, also for
        // subnormal numbers.
        let placed = self.op(Opcode::Shl, &[magnitude, if e4m3 { s20 } else { s21 }]);
        let placed = self.cast(Opcode::Bitcast, placed, Type::F32);
        let scale = self.func.dfg.fconst(Type::F32, if e4m3 { 2f64.powi(120) } else { 2f64.powi(112) });
        let value = self.op(Opcode::FMul, &[placed, scale]);
        // Above the largest are infinity and what is no number.
        let bits = self.cast(Opcode::Bitcast, value, Type::I32);
        let nan = self.int(Type::I32, 0x7fff_ffff);
        let bits = if e4m3 {
            let is_nan = self.icmp(IntCC::Eq, magnitude, low);
            self.select(is_nan, nan, bits)
        } else {
            let (largest, infinity) = (self.int(Type::I32, 0x7c), self.int(Type::I32, 0x7f80_0000));
            let is_infinity = self.icmp(IntCC::Eq, magnitude, largest);
            let is_nan = self.icmp(IntCC::Ugt, magnitude, largest);
            let bits = self.select(is_infinity, infinity, bits);
            self.select(is_nan, nan, bits)
        };
        let bits = self.op(Opcode::Or, &[bits, sign]);
        self.cast(Opcode::Bitcast, bits, Type::F32)
    }
}

fn name_of(s: Small) -> &'static str {
    NAMES.iter().find(|n| n.1 == s).map_or("", |n| n.0)
}
