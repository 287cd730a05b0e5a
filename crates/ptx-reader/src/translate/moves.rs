//! `mov`: copies, addresses, special registers; packing and unpacking.

use super::func::Fx;
use super::mods::Mods;
use crate::ast::{Instruction, Operand};
use crate::error::{Outcome, PtxError};
use crate::types::PtxType;
use ir::{Type, Value};

impl<'a> Fx<'a, '_> {
    pub(super) fn mov(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let ty = m.ty()?;
        let [d, a] = self.operands(i)?;
        match (d, a) {
            (Operand::Vector(..), Operand::Vector(..)) => Err(PtxError::operand(i.span, "braces on both sides")),
            (Operand::Vector(parts, _), _) => {
                let v = self.value(a, ty.untyped())?;
                self.unpack(i, ty, parts, v)
            }
            (_, Operand::Vector(parts, _)) => {
                let v = self.pack(i, ty, parts)?;
                self.set(d, v, ty.untyped())
            }
            _ => {
                let v = self.value(a, ty)?;
                self.set(d, v, ty)
            }
        }
    }

    /// The type of each of so many parts.
    fn part(&self, i: &Instruction<'_>, ty: PtxType, count: usize) -> Outcome<(PtxType, Type)> {
        let bits = ty.bits() / (count.max(1) as u32);
        let fits = ty.bits() <= 64 || bits == 64;
        let ok = matches!(count, 2 | 4) && bits >= 8 && fits && ty != PtxType::Pred;
        let part = PtxType::B(bits);
        match part.ir().and_then(|t| t.vector(count as u8)) {
            Some(vector) if ok => Ok((part, vector)),
            _ => Err(PtxError::unsupported(i.span, format!("{count} parts of {}", ty.name()))),
        }
    }

    fn unpack(&mut self, i: &Instruction<'_>, ty: PtxType, parts: &'a [Operand<'a>], v: Value) -> Outcome<()> {
        let (part, vector) = self.part(i, ty, parts.len())?;
        let lanes = self.reinterpret(v, vector);
        for (n, o) in parts.iter().enumerate() {
            let lane = self.builder().extract(lanes, n as u8);
            self.set(o, lane, part)?;
        }
        Ok(())
    }

    fn pack(&mut self, i: &Instruction<'_>, ty: PtxType, parts: &'a [Operand<'a>]) -> Outcome<Value> {
        let (part, _) = self.part(i, ty, parts.len())?;
        let mut lanes = Vec::new();
        for o in parts {
            lanes.push(self.value(o, part)?);
        }
        let v = self.builder().vec_build(&lanes);
        Ok(match Type::int(ty.bits()) {
            Some(int) => self.reinterpret(v, int),
            None => v,
        })
    }
}
