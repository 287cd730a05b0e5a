//! Bit-fields.
//!
//! A bit-field lies in a storage unit of its type, which is loaded, and stored with the other bits as they were. A packed one has no
//! unit: what covers it is loaded in pieces of 8, 4, 2 and 1 bytes, so that nothing behind the record is touched.

use crate::func::FunctionLowering;
use crate::place::volatile_flag;
use ir::{MemInfo, Opcode, Type, Value};
use sema::types::BitField;

/// A bit-field as a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitPlace {
    /// Address of the unit, or of the first byte of what is packed.
    pub(crate) ptr: Value,
    /// Alignment in bytes.
    pub(crate) align: u32,
    /// Whether accesses are volatile.
    pub(crate) volatile: bool,
    /// Type of the unit.
    pub(crate) unit: Type,
    /// Which bits.
    pub(crate) bits: BitField,
    /// Whether the field is signed.
    pub(crate) signed: bool,
}

/// What one access has of a bit-field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Piece {
    /// Bytes from the field's address.
    offset: u64,
    /// What is accessed.
    unit: Type,
    /// Its first bit that is the field's.
    bit: u32,
    /// How many are.
    width: u32,
    /// How many bits of the field lie below.
    below: u32,
}

/// The accesses to a bit-field whose type is `unit` in memory, in the order of their addresses.
fn pieces(bits: BitField, unit: Type) -> Vec<Piece> {
    let (bit, width) = (u32::from(bits.bit), u32::from(bits.width));
    if !bits.packed {
        return vec![Piece { offset: 0, unit, bit, width, below: 0 }];
    }
    let (mut all, mut offset, mut below) = (Vec::new(), 0, 0);
    while below < width {
        let bit = if below == 0 { bit } else { 0 };
        let left = (bit + width - below).div_ceil(8);
        let ty = match left {
            1 => Type::I8,
            2 | 3 => Type::I16,
            4..8 => Type::I32,
            _ => Type::I64,
        };
        let here = (width - below).min(ty.bits() - bit);
        all.push(Piece { offset, unit: ty, bit, width: here, below });
        below += here;
        offset += u64::from(ty.bits() / 8);
    }
    all
}

impl FunctionLowering<'_, '_> {
    /// What a bit-field holds, as a value of type `ty`.
    pub(crate) fn load_bits(&mut self, field: &BitPlace, ty: Type) -> Value {
        let all = pieces(field.bits, field.unit);
        if let [one] = all.as_slice() {
            let unit = self.load_piece(field, one);
            let v = self.extract_bits(unit, one, field.signed);
            let v = self.resize(v, field.unit, field.signed);
            return self.unpacked(v, ty);
        }
        let mut whole = self.iconst(Type::I64, 0);
        for piece in &all {
            let unit = self.load_piece(field, piece);
            let part = self.extract_bits(unit, piece, false);
            let part = self.resize(part, Type::I64, false);
            let below = self.iconst(Type::I64, i64::from(piece.below));
            let part = self.build(|b| b.binary(Opcode::Shl, part, below));
            whole = self.build(|b| b.binary(Opcode::Or, whole, part));
        }
        let width = u32::from(field.bits.width);
        let all = Piece { offset: 0, unit: Type::I64, bit: 0, width, below: 0 };
        let v = self.extract_bits(whole, &all, field.signed);
        let v = self.resize(v, field.unit, false);
        self.unpacked(v, ty)
    }

    /// Stores the low bits of a value; what else lies in the same bytes stays.
    pub(crate) fn store_bits(&mut self, field: &BitPlace, v: Value) {
        let v = self.packed(v);
        for piece in pieces(field.bits, field.unit) {
            let ty = self.ty(v);
            let below = self.iconst(ty, i64::from(piece.below));
            let part = if piece.below == 0 { v } else { self.build(|b| b.binary(Opcode::LShr, v, below)) };
            let part = self.resize(part, piece.unit, false);
            let old = self.load_piece(field, &piece);
            let new = self.insert_bits(old, part, &piece);
            let (ptr, mem) = self.piece_place(field, &piece);
            self.build(|b| b.store(ptr, new, mem, volatile_flag(field.volatile)));
        }
    }

    fn piece_place(&mut self, field: &BitPlace, piece: &Piece) -> (Value, MemInfo) {
        let align = if piece.offset == 0 { field.align } else { field.align.min(1 << piece.offset.trailing_zeros()) };
        (self.offset(field.ptr, piece.offset), MemInfo::aligned(align))
    }

    fn load_piece(&mut self, field: &BitPlace, piece: &Piece) -> Value {
        let (ptr, mem) = self.piece_place(field, piece);
        self.build(|b| b.load(piece.unit, ptr, mem, volatile_flag(field.volatile)))
    }

    /// The bits of a piece out of what was loaded, extended to the same type.
    fn extract_bits(&mut self, v: Value, piece: &Piece, signed: bool) -> Value {
        let unit = self.ty(v);
        let up = self.iconst(unit, i64::from(unit.bits() - piece.bit - piece.width));
        let down = self.iconst(unit, i64::from(unit.bits() - piece.width));
        let v = self.build(|b| b.binary(Opcode::Shl, v, up));
        self.build(|b| b.binary(if signed { Opcode::AShr } else { Opcode::LShr }, v, down))
    }

    fn insert_bits(&mut self, old: Value, v: Value, piece: &Piece) -> Value {
        let unit = self.ty(old);
        let mask = (((1u128 << piece.width) - 1) as u64) << piece.bit;
        let keep = self.func.dfg.bits(unit, !mask);
        let take = self.func.dfg.bits(unit, mask);
        let shift = self.iconst(unit, i64::from(piece.bit));
        let v = self.build(|b| b.binary(Opcode::Shl, v, shift));
        let v = self.build(|b| b.binary(Opcode::And, v, take));
        let old = self.build(|b| b.binary(Opcode::And, old, keep));
        self.build(|b| b.binary(Opcode::Or, old, v))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_the_field_and_no_byte_more() {
        for (bit, width) in (0..8u8).flat_map(|b| (1..=64).map(move |w| (b, w))) {
            let all = pieces(BitField { bit, width, packed: true }, Type::I64);
            let bytes: u32 = all.iter().map(|p| p.unit.bits() / 8).sum();
            assert_eq!(bytes, u32::from(bit + width).div_ceil(8), "{bit} {width}");
            assert_eq!(all.iter().map(|p| p.width).sum::<u32>(), u32::from(width));
            assert!(all.windows(2).all(|w| w[0].below + w[0].width == w[1].below && w[1].bit == 0));
        }
        let unit = pieces(BitField { bit: 3, width: 9, packed: false }, Type::I32);
        assert_eq!(unit, [Piece { offset: 0, unit: Type::I32, bit: 3, width: 9, below: 0 }]);
    }
}
