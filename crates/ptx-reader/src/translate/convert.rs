//! `cvt`.

use super::float::ROUNDS;
use super::func::Fx;
use super::mods::Mods;
use crate::ast::Instruction;
use crate::error::{Outcome, PtxError};
use crate::types::PtxType;
use ir::{Flags, IntCC, Opcode, Payload, Round, Type, Value};

/// The words for rounding to integers.
const INTEGRAL: [(&str, Round); 4] =
    [("rni", Round::NearestEven), ("rzi", Round::Zero), ("rmi", Round::Down), ("rpi", Round::Up)];

/// What the words of a conversion say.
#[derive(Clone, Copy)]
struct How {
    round: Option<Round>,
    integral: Option<Round>,
    flags: Flags,
    sat: bool,
    relu: bool,
}

impl<'a> Fx<'a, '_> {
    pub(super) fn convert(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        if m.take("pack") {
            return self.convert_packed(i, m);
        }
        if let Some(done) = self.convert_small(i, m) {
            return done;
        }
        let round = m.one_of(&ROUNDS);
        let integral = m.one_of(&INTEGRAL);
        let ftz = m.take("ftz");
        let sat = m.take("sat");
        let relu = m.take("relu");
        let flags = if ftz { Flags::FTZ } else { Flags::NONE };
        let how = How { round, integral, flags, sat, relu };
        let (to, from) = (m.ty()?, m.ty()?);
        if matches!(to, PtxType::F16x2 | PtxType::BF16x2) {
            return self.convert_pair(i, how, to, from);
        }
        let [d, a] = self.operands(i)?;
        let a = self.value_relaxed(a, from)?;
        let known = |t: PtxType| t.is_int() || matches!(t, PtxType::F16 | PtxType::BF16 | PtxType::F32 | PtxType::F64);
        if !known(to) || !known(from) {
            let message = format!("a conversion from {} to {}", from.name(), to.name());
            return Err(PtxError::unsupported(i.span, message));
        }
        let v = match (from.is_float(), to.is_float()) {
            (false, false) => self.int_to_int(a, from, to, sat),
            (false, true) => {
                let op = if from.is_signed() { Opcode::SiToFp } else { Opcode::UiToFp };
                let Some(round) = round else {
                    return Err(PtxError::operand(i.span, format!("`{}` lacks how to round", i.full_name())));
                };
                let own = to.ir().unwrap_or(Type::F32);
                let v = self.make(op, own, Flags::NONE, payload(round, Round::NearestEven), &[a]);
                if sat { self.clamp(v) } else { v }
            }
            (true, false) => {
                let Some(round) = integral else {
                    return Err(PtxError::operand(i.span, format!("`{}` lacks how to round", i.full_name())));
                };
                self.float_to_int(a, from, to, round, flags)
            }
            (true, true) => self.float_to_float(i, a, how, to)?,
        };
        self.set_relaxed(d, v, to)
    }

    /// `cvt.rn.f16x2.f32 d, high, low`
    fn convert_pair(&mut self, i: &'a Instruction<'a>, how: How, to: PtxType, from: PtxType) -> Outcome<()> {
        if from != PtxType::F32 {
            let message = format!("a conversion from {} to {}", from.name(), to.name());
            return Err(PtxError::unsupported(i.span, message));
        }
        let element = if to == PtxType::F16x2 { PtxType::F16 } else { PtxType::BF16 };
        let [d, high, low] = self.operands(i)?;
        let (high, low) = (self.value(high, from)?, self.value(low, from)?);
        let high = self.float_to_float(i, high, how, element)?;
        let low = self.float_to_float(i, low, how, element)?;
        let v = self.builder().vec_build(&[low, high]);
        self.set(d, v, to)
    }

    /// `cvt.pack.sat.u8.s32.b32 d, high, low, above`: two words clamped to few bits, side by side, and below what is left of a third.
    fn convert_packed(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        const NARROW: [(&str, (u32, bool)); 8] = [
            ("u16", (16, false)),
            ("s16", (16, true)),
            ("u8", (8, false)),
            ("s8", (8, true)),
            ("u4", (4, false)),
            ("s4", (4, true)),
            ("u2", (2, false)),
            ("s2", (2, true)),
        ];
        let (sat, to) = (m.take("sat"), m.one_of(&NARROW));
        let (true, Some((bits, signed)), true) = (sat, to, m.take("s32")) else {
            return Err(PtxError::operand(i.span, format!("`{}` lacks how to convert", i.full_name())));
        };
        let (from, word) = (PtxType::S(32), PtxType::B(32));
        let (d, high, low, above) = if m.take("b32") {
            let [d, high, low, above] = self.operands(i)?;
            (d, high, low, Some(self.value(above, word)?))
        } else {
            let [d, high, low] = self.operands(i)?;
            (d, high, low, None)
        };
        if above.is_some() == (bits == 16) {
            return Err(PtxError::operand(i.span, "a third word goes with 8 bits and fewer"));
        }
        let least = if signed { -1 << (bits - 1) } else { 0 };
        let (least, most) = (self.int(Type::I32, least), self.int(Type::I32, least + (1 << bits) - 1));
        let (mask, by) = (self.int(Type::I32, (1 << bits) - 1), self.int(Type::I32, bits.into()));
        let [high, low] = [self.value(high, from)?, self.value(low, from)?].map(|v| {
            let v = self.op(Opcode::SMax, &[v, least]);
            let v = self.op(Opcode::SMin, &[v, most]);
            self.op(Opcode::And, &[v, mask])
        });
        let high = self.op(Opcode::Shl, &[high, by]);
        let mut v = self.op(Opcode::Or, &[high, low]);
        if let Some(above) = above {
            let both = self.int(Type::I32, (2 * bits).into());
            let above = self.op(Opcode::Shl, &[above, both]);
            v = self.op(Opcode::Or, &[v, above]);
        }
        self.set(d, v, word)
    }

    fn int_to_int(&mut self, a: Value, from: PtxType, to: PtxType, sat: bool) -> Value {
        let own = to.ir().unwrap_or(Type::I64);
        if !sat {
            return self.resize(a, own, from.is_signed());
        }
        let source = self.ty(a);
        let (from_signed, to_signed) = (from.is_signed(), to.is_signed());
        let mut v = a;
        // Clamped in the wider of the two types, where the bounds exist.
        let wide = if own.bits() > source.bits() { own } else { source };
        v = self.resize(v, wide, from_signed);
        if from_signed && !to_signed {
            let zero = self.int(wide, 0);
            v = self.op(Opcode::SMax, &[v, zero]);
        }
        let narrower = own.bits() < wide.bits() || own.bits() == wide.bits() && to_signed && !from_signed;
        if narrower {
            let most = if to_signed { own.mask() >> 1 } else { own.mask() };
            let top = self.int(wide, most.cast_signed());
            v = self.op(if from_signed { Opcode::SMin } else { Opcode::UMin }, &[v, top]);
            if from_signed && to_signed {
                let bottom = self.int(wide, !most.cast_signed());
                v = self.op(Opcode::SMax, &[v, bottom]);
            }
        }
        self.resize(v, own, to_signed)
    }

    /// Saturates; NaN gives 0, or the highest bit alone where one side has 64 bits or the source is a double.
    fn float_to_int(&mut self, a: Value, from: PtxType, to: PtxType, round: Round, flags: Flags) -> Value {
        let own = to.ir().unwrap_or(Type::I32);
        let op = if to.is_signed() { Opcode::FpToSi } else { Opcode::FpToUi };
        let wide = from == PtxType::F64 || to.bits() == 64;
        let flags = if wide { flags.with(Flags::NAN_TOP) } else { flags };
        self.make(op, own, flags, payload(round, Round::Zero), &[a])
    }

    fn float_to_float(&mut self, i: &Instruction<'_>, a: Value, how: How, to: PtxType) -> Outcome<Value> {
        let own = to.ir().unwrap_or(Type::F32);
        let flags = if how.sat { how.flags.with(Flags::SAT) } else { how.flags };
        let mut v = a;
        if let Some(round) = how.integral {
            let op = match round {
                Round::NearestEven => Opcode::FRint,
                Round::Zero => Opcode::FTrunc,
                Round::Down => Opcode::FFloor,
                Round::Up => Opcode::FCeil,
            };
            v = self.op_with(op, how.flags, Payload::None, &[v]);
        }
        let source = self.ty(v);
        v = match own.bits().cmp(&source.bits()) {
            std::cmp::Ordering::Greater => self.make(Opcode::FpExt, own, flags, Payload::None, &[v]),
            std::cmp::Ordering::Less => {
                let Some(round) = how.round.or(how.integral) else {
                    return Err(PtxError::operand(i.span, format!("`{}` lacks how to round", i.full_name())));
                };
                self.make(Opcode::FpTrunc, own, flags, payload(round, Round::NearestEven), &[v])
            }
            std::cmp::Ordering::Equal if own != source => {
                // Between the two formats of 16 bits by way of the one that holds both.
                let wide = self.make(Opcode::FpExt, Type::F32, Flags::NONE, Payload::None, &[v]);
                let round = how.round.unwrap_or(Round::NearestEven);
                self.make(Opcode::FpTrunc, own, flags, payload(round, Round::NearestEven), &[wide])
            }
            std::cmp::Ordering::Equal if flags.is_empty() || how.integral.is_some() && !how.sat => v,
            std::cmp::Ordering::Equal => {
                let one = self.func.dfg.fconst(own, 1.0);
                self.op_with(Opcode::FMul, flags, Payload::None, &[v, one])
            }
        };
        Ok(if how.relu { self.relu(v) } else { v })
    }

    /// To the numbers from 0 to 1.
    fn clamp(&mut self, v: Value) -> Value {
        let one = self.func.dfg.fconst(self.ty(v), 1.0);
        self.op_with(Opcode::FMul, Flags::SAT, Payload::None, &[v, one])
    }

    /// Whether an integer is not zero.
    pub(super) fn is_set(&mut self, v: Value) -> Value {
        let zero = self.int(self.ty(v), 0);
        self.icmp(IntCC::Ne, v, zero)
    }
}

/// The rounding mode, unless it is what the operation does anyway.
fn payload(round: Round, default: Round) -> Payload {
    if round == default { Payload::None } else { Payload::Round(round) }
}
