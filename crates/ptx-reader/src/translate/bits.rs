//! Bits: logic, shifts, counting, fields, permutations.

use super::func::Fx;
use super::mods::Mods;
use crate::ast::{Instruction, Operand};
use crate::error::{Outcome, PtxError};
use crate::types::PtxType;
use ir::{IntCC, Intrinsic, Opcode, Type, Value};

impl<'a> Fx<'a, '_> {
    /// The type of an operation on bits; predicates where they are allowed.
    fn bit_type(&self, i: &Instruction<'_>, m: &mut Mods<'_, 'a>, pred: bool) -> Outcome<PtxType> {
        let ty = m.ty()?;
        let ok = ty == PtxType::Pred && pred || matches!(ty, PtxType::B(16 | 32 | 64));
        if ok { Ok(ty) } else { Err(PtxError::operand(i.span, format!("`{}` has no type {}", i.name, ty.name()))) }
    }

    fn invert(&mut self, v: Value) -> Value {
        let ones = self.int(self.ty(v), -1);
        self.op(Opcode::Xor, &[v, ones])
    }

    /// `and`, `or`, `xor`, `not`, `cnot`
    pub(super) fn logic(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let ty = self.bit_type(i, m, i.name != "cnot")?;
        if matches!(i.name, "not" | "cnot") {
            let [d, a] = self.operands(i)?;
            let a = self.value(a, ty)?;
            let v = if i.name == "not" {
                self.invert(a)
            } else {
                let zero = self.int(self.ty(a), 0);
                let none = self.icmp(IntCC::Eq, a, zero);
                self.cast(Opcode::ZExt, none, self.ty(a))
            };
            return self.set(d, v, ty);
        }
        let op = match i.name {
            "and" => Opcode::And,
            "or" => Opcode::Or,
            _ => Opcode::Xor,
        };
        let [d, a, b] = self.operands(i)?;
        let (a, b) = (self.value(a, ty)?, self.value(b, ty)?);
        let v = self.op(op, &[a, b]);
        self.set(d, v, ty)
    }

    /// `shl`, `shr`: amounts have 32 bits, and those of at least the width count as the width.
    pub(super) fn shift(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let ty = m.ty()?;
        self.integers(i, ty, true)?;
        let op = match (i.name, ty.is_signed()) {
            ("shl", _) => Opcode::Shl,
            (_, true) => Opcode::AShr,
            (_, false) => Opcode::LShr,
        };
        let [d, a, b] = self.operands(i)?;
        let (a, b) = (self.value(a, ty)?, self.value(b, PtxType::U(32))?);
        let own = self.ty(a);
        let by = if own.bits() < 32 {
            let most = self.int(Type::I32, own.bits().into());
            let b = self.op(Opcode::UMin, &[b, most]);
            self.cast(Opcode::Trunc, b, own)
        } else {
            self.resize(b, own, false)
        };
        let v = self.op(op, &[a, by]);
        self.set(d, v, ty)
    }

    /// `shf`: the upper or lower word of two that are shifted together.
    pub(super) fn funnel(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let Some(left) = m.one_of(&[("l", true), ("r", false)]) else {
            return Err(PtxError::operand(i.span, "`shf` needs .l or .r"));
        };
        let Some(clamp) = m.one_of(&[("clamp", true), ("wrap", false)]) else {
            return Err(PtxError::operand(i.span, "`shf` needs .clamp or .wrap"));
        };
        let ty = m.ty()?;
        if ty != PtxType::B(32) {
            return Err(PtxError::operand(i.span, "`shf` is for `.b32`"));
        }
        let [d, a, b, c] = self.operands(i)?;
        let (lo, hi, by) = (self.value(a, ty)?, self.value(b, ty)?, self.value(c, PtxType::U(32))?);
        let mut v = self.op(if left { Opcode::Fshl } else { Opcode::Fshr }, &[hi, lo, by]);
        if clamp {
            let width = self.int(Type::I32, 32);
            let all = self.icmp(IntCC::Uge, by, width);
            v = self.select(all, if left { lo } else { hi }, v);
        }
        self.set(d, v, ty)
    }

    /// `popc`, `clz`, `brev`, `bfind`
    pub(super) fn count(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let amount = m.take("shiftamt");
        let ty = m.ty()?;
        if !matches!(ty.bits(), 32 | 64) || ty.is_float() {
            return Err(PtxError::operand(i.span, format!("`{}` has no type {}", i.name, ty.name())));
        }
        let [d, a] = self.operands(i)?;
        let a = self.value(a, ty)?;
        if i.name == "brev" {
            let v = self.op(Opcode::BitRev, &[a]);
            return self.set(d, v, ty);
        }
        let v = match i.name {
            "popc" => self.op(Opcode::Popcnt, &[a]),
            "clz" => self.op(Opcode::Clz, &[a]),
            _ => self.highest(a, ty, amount),
        };
        let v = self.resize(v, Type::I32, false);
        self.set(d, v, PtxType::U(32))
    }

    /// `bfind`: the highest bit that is not a sign bit, or how far it is from the top; all ones if there is none.
    fn highest(&mut self, a: Value, ty: PtxType, amount: bool) -> Value {
        let own = self.ty(a);
        let bits = i64::from(own.bits());
        let a = if ty.is_signed() {
            let last = self.int(own, bits - 1);
            let sign = self.op(Opcode::AShr, &[a, last]);
            self.op(Opcode::Xor, &[a, sign])
        } else {
            a
        };
        let zeros = self.op(Opcode::Clz, &[a]);
        let found = if amount {
            zeros
        } else {
            let last = self.int(own, bits - 1);
            self.op(Opcode::Sub, &[last, zeros])
        };
        let none = self.int(own, 0);
        let empty = self.icmp(IntCC::Eq, a, none);
        let ones = self.int(own, -1);
        self.select(empty, ones, found)
    }

    /// `bfe`, `bfi`, `bmsk`, `szext`
    pub(super) fn field(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        if matches!(i.name, "bmsk" | "szext") {
            return self.mask(i, m);
        }
        let ty = m.ty()?;
        if !matches!(ty.bits(), 32 | 64) || ty.is_float() {
            return Err(PtxError::operand(i.span, format!("`{}` has no type {}", i.name, ty.name())));
        }
        let word = PtxType::U(32);
        let own = ty.ir().unwrap_or(Type::I32);
        if i.name == "bfe" {
            let [d, a, pos, len] = self.operands(i)?;
            let (a, pos, len) = (self.value(a, ty)?, self.value(pos, word)?, self.value(len, word)?);
            let (pos, len) = (self.resize(pos, own, false), self.resize(len, own, false));
            let op = if ty.is_signed() { Intrinsic::BfeS } else { Intrinsic::BfeU };
            let v = self.intrinsic(op, own, &[a, pos, len]);
            return self.set(d, v, ty);
        }
        let [d, a, b, pos, len] = self.operands(i)?;
        let (a, b) = (self.value(a, ty)?, self.value(b, ty)?);
        let (pos, len) = (self.value(pos, word)?, self.value(len, word)?);
        let (pos, len) = (self.resize(pos, own, false), self.resize(len, own, false));
        let v = self.intrinsic(Intrinsic::Bfi, own, &[a, b, pos, len]);
        self.set(d, v, ty)
    }

    /// `bmsk`: ones from a position on; `szext`: an integer of so many bits in a word.
    fn mask(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let clamp = m.one_of(&[("clamp", true), ("wrap", false)]).unwrap_or(true);
        let ty = m.ty()?;
        let [d, a, b] = self.operands(i)?;
        let (mut a, mut b) = (self.value(a, ty)?, self.value(b, PtxType::U(32))?);
        let width = self.int(Type::I32, 32);
        let low = self.int(Type::I32, 31);
        if !clamp {
            b = self.op(Opcode::And, &[b, low]);
        }
        let v = if i.name == "bmsk" {
            if !clamp {
                a = self.op(Opcode::And, &[a, low]);
            }
            let zero = self.int(Type::I32, 0);
            let ones = self.int(Type::I32, -1);
            let above = self.op(Opcode::Shl, &[ones, b]);
            let run = self.invert(above);
            let none = self.icmp(IntCC::Eq, b, zero);
            let v = self.op(Opcode::Shl, &[run, a]);
            self.select(none, zero, v)
        } else {
            let b = self.op(Opcode::UMin, &[b, width]);
            let rest = self.op(Opcode::Sub, &[width, b]);
            let up = self.op(Opcode::Shl, &[a, rest]);
            let op = if ty.is_signed() { Opcode::AShr } else { Opcode::LShr };
            let v = self.op(op, &[up, rest]);
            // Of no bits nothing is left.
            let zero = self.int(Type::I32, 0);
            let none = self.icmp(IntCC::Eq, b, zero);
            self.select(none, zero, v)
        };
        self.set(d, v, ty)
    }

    /// `fns`: the place of the bit at `base`, or of the `offset`-th that is set from there on, downwards if that is negative; all
    /// ones if there is none.
    pub(super) fn nth_set(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let ty = m.ty()?;
        if ty != PtxType::B(32) {
            return Err(PtxError::operand(i.span, "`fns` is for `.b32`"));
        }
        let [d, mask, base, offset] = self.operands(i)?;
        let (mask, base, offset) = (self.value(mask, ty)?, self.value(base, ty)?, self.value(offset, PtxType::S(32))?);
        let [zero, one, last, ones] = [0, 1, 31, -1].map(|n| self.int(Type::I32, n));
        // Downwards is upwards in the bits' reverse order.
        let down = self.icmp(IntCC::Slt, offset, zero);
        let (reversed, mirrored) = (self.op(Opcode::BitRev, &[mask]), self.op(Opcode::Sub, &[last, base]));
        let (mask, start) = (self.select(down, reversed, mask), self.select(down, mirrored, base));
        let here = self.icmp(IntCC::Eq, offset, zero);
        let which = self.op(Opcode::Sub, &[zero, offset]);
        let which = self.select(down, which, offset);
        let which = self.select(here, one, which);
        let (own, from) = (self.op(Opcode::Shl, &[one, start]), self.op(Opcode::Shl, &[ones, start]));
        let reach = self.select(here, own, from);
        let inside = self.icmp(IntCC::Ule, base, last);
        let reach = self.select(inside, reach, zero);
        let bits = self.op(Opcode::And, &[mask, reach]);
        let all = self.op(Opcode::Popcnt, &[bits]);
        let found = self.icmp(IntCC::Ule, which, all);
        // The half that has it, again and again.
        let (mut place, mut left) = (zero, which);
        for width in [16, 8, 4, 2, 1] {
            let (half, by) = (self.int(Type::I32, (1 << width) - 1), self.int(Type::I32, width));
            let part = self.op(Opcode::LShr, &[bits, place]);
            let part = self.op(Opcode::And, &[part, half]);
            let set = self.op(Opcode::Popcnt, &[part]);
            let above = self.icmp(IntCC::Ugt, left, set);
            let (higher, fewer) = (self.op(Opcode::Add, &[place, by]), self.op(Opcode::Sub, &[left, set]));
            place = self.select(above, higher, place);
            left = self.select(above, fewer, left);
        }
        let mirrored = self.op(Opcode::Sub, &[last, place]);
        let place = self.select(down, mirrored, place);
        let v = self.select(found, place, ones);
        self.set(d, v, ty)
    }

    /// `prmt`
    pub(super) fn permute(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        // What the modes stand for: a selector for each value of the last two bits.
        const MODES: [(&str, [i64; 4]); 6] = [
            ("f4e", [0x3210, 0x4321, 0x5432, 0x6543]),
            ("b4e", [0x5670, 0x6701, 0x7012, 0x0123]),
            ("rc8", [0x0000, 0x1111, 0x2222, 0x3333]),
            ("ecl", [0x3210, 0x3211, 0x3222, 0x3333]),
            ("ecr", [0x0000, 0x1110, 0x2210, 0x3210]),
            ("rc16", [0x1010, 0x3232, 0x1010, 0x3232]),
        ];
        let ty = m.ty()?;
        if ty != PtxType::B(32) {
            return Err(PtxError::operand(i.span, "`prmt` is for `.b32`"));
        }
        let mode = m.one_of(&MODES);
        let [d, a, b, c] = self.operands(i)?;
        let (a, b, mut c) = (self.value(a, ty)?, self.value(b, ty)?, self.value(c, ty)?);
        if let Some(table) = mode {
            let three = self.int(Type::I32, 3);
            let n = self.op(Opcode::And, &[c, three]);
            c = self.int(Type::I32, table[0]);
            for (k, selector) in table.iter().enumerate().skip(1) {
                let (k, selector) = (self.int(Type::I32, k as i64), self.int(Type::I32, *selector));
                let this = self.icmp(IntCC::Eq, n, k);
                c = self.select(this, selector, c);
            }
        }
        let v = self.intrinsic(Intrinsic::Prmt, Type::I32, &[a, b, c]);
        self.set(d, v, ty)
    }

    /// `lop3`: any function of three bits, given by its table.
    pub(super) fn lop3(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let join = m.one_of(&[("or", Opcode::Or), ("and", Opcode::And)]);
        let ty = m.ty()?;
        if ty != PtxType::B(32) {
            return Err(PtxError::operand(i.span, "`lop3` is for `.b32`"));
        }
        let (d, a, b, c, lut, q) = match (join, i.operands.as_slice()) {
            (None, [d, a, b, c, lut]) => (d, a, b, c, lut, None),
            (Some(_), [d, a, b, c, lut, q]) => (d, a, b, c, lut, Some(q)),
            _ => {
                let message = format!("`{}` has {} operands", i.full_name(), i.operands.len());
                return Err(PtxError::operand(i.span, message));
            }
        };
        // Below 0 it is a table in a signed byte, as nvcc writes a constant operand of inline assembly.
        const LEAST: u64 = i8::MIN as u64;
        let Operand::Int(lut @ (0..=255 | LEAST..), _) = lut else {
            return Err(PtxError::operand(lut.span(), "the table of `lop3` is a constant from 0 to 255"));
        };
        let (a, b, c) = (self.value(a, ty)?, self.value(b, ty)?, self.value(c, ty)?);
        let v = self.table3(*lut as u8, a, b, c);
        match (d, join, q) {
            (Operand::Pair(d, p), Some(join), Some(q)) => {
                let zero = self.int(Type::I32, 0);
                let some = self.icmp(IntCC::Ne, v, zero);
                let q = self.condition(q)?;
                let bit = self.op(join, &[some, q]);
                self.set_name(*d, v, ty, false)?;
                self.set_name(*p, bit, PtxType::Pred, false)
            }
            _ => self.set(d, v, ty),
        }
    }

    fn table3(&mut self, lut: u8, a: Value, b: Value, c: Value) -> Value {
        let (if_one, if_zero) = (lut >> 4, lut & 15);
        let zero = self.table2(if_zero, b, c);
        if if_one == if_zero {
            return zero;
        }
        if if_one == if_zero ^ 15 {
            return self.op(Opcode::Xor, &[a, zero]);
        }
        let one = self.table2(if_one, b, c);
        match (if_one, if_zero) {
            (_, 0) => self.op(Opcode::And, &[a, one]),
            (15, _) => self.op(Opcode::Or, &[a, zero]),
            _ => {
                let yes = self.op(Opcode::And, &[a, one]);
                let not = self.invert(a);
                let no = self.op(Opcode::And, &[not, zero]);
                self.op(Opcode::Or, &[yes, no])
            }
        }
    }

    /// A function of two bits: bit `2 b + c` of the table.
    fn table2(&mut self, lut: u8, b: Value, c: Value) -> Value {
        if lut >= 8 {
            // With the highest bit set it is the complement of another.
            return match lut {
                15 => self.int(Type::I32, -1),
                12 => b,
                10 => c,
                8 => self.op(Opcode::And, &[b, c]),
                14 => self.op(Opcode::Or, &[b, c]),
                _ => {
                    let v = self.table2(lut ^ 15, b, c);
                    self.invert(v)
                }
            };
        }
        match lut {
            0 => self.int(Type::I32, 0),
            6 => self.op(Opcode::Xor, &[b, c]),
            2 => {
                let not = self.invert(b);
                self.op(Opcode::And, &[not, c])
            }
            4 => {
                let not = self.invert(c);
                self.op(Opcode::And, &[b, not])
            }
            _ => {
                let v = self.table2(lut ^ 15, b, c);
                self.invert(v)
            }
        }
    }
}
