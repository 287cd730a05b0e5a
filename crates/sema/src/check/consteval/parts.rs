//! Parts of objects that have no address in a constant evaluation, bit-fields and several components of vectors, and
//! vectors made of parts.

use super::memory::{Base, Image, Machine, Pointer, Value};
use crate::check::Checker;
use crate::check::fold::Const;
use crate::num::ConstInt;
use crate::program::{Components, ExprId, ExprKind, ExprList};
use crate::types::{BitField, TyId};

/// Where a value is to be stored: a place, or some bits behind one.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) at: Pointer,
    bits: Option<BitField>,
    ty: TyId,
}

impl Checker<'_> {
    /// The bit-field that an expression names: its object, the offset in that, and the bits there.
    pub(super) fn bit_field(&self, e: ExprId) -> Option<(ExprId, u64, BitField)> {
        let ExprKind::Field { base, record, field } = self.e(e).kind else { return None };
        let f = &self.p.types.record(record).fields[field as usize];
        f.bits.map(|b| (base, f.offset, b))
    }

    /// Where an assignment stores to.
    pub(super) fn eval_spot(&mut self, m: &mut Machine, place: ExprId) -> Option<Spot> {
        let ty = self.ty(place);
        if let Some((base, offset, bits)) = self.bit_field(place) {
            let at = self.eval_place(m, base)?.moved(i64::try_from(offset).ok()?)?;
            return Some(Spot { at, bits: Some(bits), ty });
        }
        Some(Spot { at: self.eval_place(m, place)?, bits: None, ty })
    }

    pub(super) fn load_spot(&mut self, m: &Machine, s: Spot) -> Option<Value> {
        let Some(bits) = s.bits else { return self.load_value(m, s.at, s.ty) };
        let Base::Block(b) = s.at.base else { return None };
        let raw = m.block(b).bit_field(u64::try_from(s.at.offset).ok()?, bits)?;
        self.bits_value(raw, bits, s.ty)
    }

    /// Stores a value; what the place holds then, of a bit-field as much as fits.
    pub(super) fn store_spot(&mut self, m: &mut Machine, s: Spot, v: Value) -> Option<Value> {
        let Some(bits) = s.bits else {
            self.store_value(m, s.at, s.ty, v.clone())?;
            return Some(v);
        };
        let (Base::Block(b), Value::Scalar(Const::Int(i))) = (s.at.base, v) else { return None };
        m.block_mut(b).put_bit_field(u64::try_from(s.at.offset).ok()?, bits, i.bits())?;
        self.load_spot(m, s)
    }

    /// A bit-field's value in its type.
    pub(super) fn bits_value(&self, raw: u64, bits: BitField, ty: TyId) -> Option<Value> {
        let (w, signed) = self.int_shape(ty)?;
        let unused = 64 - u32::from(bits.width).clamp(1, 64);
        let value = if signed { ((raw << unused) as i64 >> unused) as u64 } else { raw };
        Some(Value::Scalar(Const::Int(ConstInt::new(value, w, signed))))
    }

    /// What an expression reads that names a part without an address; `None` if it names none.
    pub(super) fn eval_part(&mut self, m: &mut Machine, e: ExprId) -> Option<Option<Value>> {
        match self.e(e).kind {
            ExprKind::Field { .. } => {
                let (base, offset, bits) = self.bit_field(e)?;
                Some(self.eval_bits(m, base, offset, bits, self.ty(e)))
            }
            ExprKind::Swizzle { base, comps } if comps.len > 1 || !self.is_lv(base) => {
                Some(self.eval_components(m, base, comps, self.ty(e)))
            }
            // What is assigned to a bit-field is no place that could be read.
            ExprKind::Assign { place, .. } | ExprKind::AssignOp { place, .. } | ExprKind::IncDec { place, .. } => {
                self.bit_field(place)?;
                Some(self.eval_assignment(m, e).map(|(_, v)| v))
            }
            _ => None,
        }
    }

    fn eval_bits(&mut self, m: &mut Machine, base: ExprId, offset: u64, bits: BitField, ty: TyId) -> Option<Value> {
        let Value::Object(image) = self.eval(m, base)? else { return None };
        self.bits_value(image.bit_field(offset, bits)?, bits, ty)
    }

    fn eval_components(&mut self, m: &mut Machine, base: ExprId, comps: Components, ty: TyId) -> Option<Value> {
        let Value::Object(image) = self.eval(m, base)? else { return None };
        let step = self.p.types.size_of(self.p.types.scalar_of(ty))?;
        let mut out = Image::unknown(self.p.types.size_of(ty)?);
        // The undefined fourth component of a vector of three reads as the third, as it does at run time.
        let last = self.p.types.lanes(self.ty(base)) - 1;
        for (k, c) in comps.iter().enumerate() {
            out.put(k as u64 * step, &image.part(u64::from(c.min(last)) * step, step)?)?;
        }
        self.value_in(&out, 0, ty)
    }

    /// A vector out of scalars and vectors.
    pub(super) fn eval_vector(&mut self, m: &mut Machine, parts: ExprList, ty: TyId) -> Option<Value> {
        let step = self.p.types.size_of(self.p.types.scalar_of(ty))?;
        let mut out = Image::unknown(self.p.types.size_of(ty)?);
        let mut at = 0;
        for e in self.p.exprs(parts).to_vec() {
            let of = self.ty(e);
            let v = self.eval(m, e)?;
            let lanes = u64::from(self.p.types.lanes(of));
            // Of three components, what fills up the fourth is none of them.
            let part = self.image_of(v, of)?.part(0, lanes * step)?;
            out.put(at, &part)?;
            at += lanes * step;
        }
        Some(Value::Object(out))
    }

    /// A vector whose components are all one value.
    pub(super) fn eval_splat(&self, c: Const, of: TyId, ty: TyId) -> Option<Value> {
        let one = self.image_of(Value::Scalar(c), of)?;
        let mut out = Image::unknown(self.p.types.size_of(ty)?);
        for k in 0..u64::from(self.p.types.lanes(ty)) {
            out.put(k * one.bytes.len() as u64, &one)?;
        }
        Some(Value::Object(out))
    }
}

impl Image {
    /// The bits of a bit-field, all of which are known.
    pub(super) fn bit_field(&self, at: u64, b: BitField) -> Option<u64> {
        let (first, last) = (u64::from(b.bit / 8), (u64::from(b.bit) + u64::from(b.width).max(1) - 1) / 8);
        let mut raw = 0u128;
        for k in first..=last {
            raw |= u128::from(self.bits(at + k, 1)?) << (8 * (k - first));
        }
        let mask = (1u128 << b.width) - 1;
        Some((raw >> (b.bit % 8) & mask) as u64)
    }

    /// Stores the bits of a bit-field; other bits of its bytes that nothing was stored to become zero.
    pub(super) fn put_bit_field(&mut self, at: u64, b: BitField, value: u64) -> Option<()> {
        for k in 0..u64::from(b.width) {
            let bit = u64::from(b.bit) + k;
            let byte = at + bit / 8;
            let old = self.bits(byte, 1).unwrap_or(0);
            let mask = 1u64 << (bit % 8);
            let new = if value >> k & 1 != 0 { old | mask } else { old & !mask };
            self.put_bits(byte, 1, new.into())?;
        }
        Some(())
    }
}
