//! Integer arithmetic, with the carry flag.

use super::func::Fx;
use super::mods::Mods;
use crate::ast::Instruction;
use crate::error::{Outcome, PtxError};
use crate::types::PtxType;
use ir::{Flags, IntCC, Intrinsic, Opcode, Type, Value};

/// Which part of a product is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Low,
    High,
    Wide,
}

impl<'a> Fx<'a, '_> {
    fn read_carry(&mut self) -> Value {
        self.ssa.read(&mut self.func, self.block, self.carry)
    }

    fn write_carry(&mut self, v: Value) {
        self.ssa.write(self.block, self.carry, v);
    }

    /// `a + b + carry in`, or `a - b - borrow in`; sets the flag if asked. A difference is a sum with the complement: its flag
    /// is set where nothing is borrowed, as nvcc relies on where `addc` follows `sub.cc`.
    fn with_carry(&mut self, minus: bool, a: Value, b: Value, carry_in: bool, carry_out: bool) -> Value {
        let op = if minus { Opcode::Sub } else { Opcode::Add };
        let first = self.op(op, &[a, b]);
        // The sum is smaller than a summand if it wrapped; a difference wraps if the subtrahend is larger.
        let (x, y) = if minus { (a, b) } else { (first, a) };
        let mut out = self.icmp(IntCC::Ult, x, y);
        let mut result = first;
        if carry_in {
            let flag = self.read_carry();
            let flag = if minus { self.opposite(flag) } else { flag };
            let ty = self.ty(a);
            let c = self.cast(Opcode::ZExt, flag, ty);
            result = self.op(op, &[first, c]);
            let (x, y) = if minus { (first, c) } else { (result, c) };
            let second = self.icmp(IntCC::Ult, x, y);
            out = self.op(Opcode::Or, &[out, second]);
        }
        if carry_out {
            let flag = if minus { self.opposite(out) } else { out };
            self.write_carry(flag);
        }
        result
    }

    fn opposite(&mut self, truth: Value) -> Value {
        let one = self.int(Type::I1, 1);
        self.op(Opcode::Xor, &[truth, one])
    }

    /// `add`, `sub`, `addc`, `subc`
    pub(super) fn sum(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let minus = i.name.starts_with("sub");
        let op = if minus { Opcode::Sub } else { Opcode::Add };
        let carry_in = i.name.ends_with('c');
        let carry_out = m.take("cc");
        let ty = m.ty()?;
        if ty.is_float() {
            return self.float_binary(i, m, ty, if minus { Opcode::FSub } else { Opcode::FAdd });
        }
        self.integers(i, ty, false)?;
        let sat = m.take("sat");
        let [d, a, b] = self.operands(i)?;
        let (a, b) = (self.value(a, ty)?, self.value(b, ty)?);
        let v = if carry_in || carry_out {
            self.with_carry(minus, a, b, carry_in, carry_out)
        } else if sat {
            self.saturated(i, ty, |fx, w| {
                let (a, b) = (fx.resize(a, w, true), fx.resize(b, w, true));
                fx.op(op, &[a, b])
            })?
        } else {
            self.address_sum(minus, a, b)
        };
        self.set(d, v, ty)
    }

    /// A sum, which is an address where a summand is.
    fn address_sum(&mut self, minus: bool, a: Value, b: Value) -> Value {
        let op = if minus { Opcode::Sub } else { Opcode::Add };
        let (known_a, known_b) = (self.pointers.get(&a).copied(), self.pointers.get(&b).copied());
        let (pointer, space, offset) = match (known_a, known_b) {
            (Some((p, s)), None) => (p, s, b),
            (None, Some((p, s))) if !minus => (p, s, a),
            _ => return self.op(op, &[a, b]),
        };
        let offset = if minus {
            let zero = self.int(Type::I64, 0);
            self.op(Opcode::Sub, &[zero, offset])
        } else {
            offset
        };
        let sum = self.builder().ptradd(pointer, offset, Flags::NONE);
        self.address_value(sum, space)
    }

    /// Computes in 64 bits, and clamps to 32 signed ones.
    fn saturated(
        &mut self,
        i: &Instruction<'_>,
        ty: PtxType,
        f: impl FnOnce(&mut Self, Type) -> Value,
    ) -> Outcome<Value> {
        if ty != PtxType::S(32) {
            return Err(PtxError::operand(i.span, "`.sat` is for `.s32`"));
        }
        let v = f(self, Type::I64);
        let (low, high) = (self.int(Type::I64, i32::MIN.into()), self.int(Type::I64, i32::MAX.into()));
        let v = self.op(Opcode::SMax, &[v, low]);
        let v = self.op(Opcode::SMin, &[v, high]);
        Ok(self.cast(Opcode::Trunc, v, Type::I32))
    }

    /// An error unless the type is an integer of 16 to 64 bits, or of untyped bits where those are allowed.
    pub(super) fn integers(&self, i: &Instruction<'_>, ty: PtxType, bits: bool) -> Outcome<()> {
        let packed = matches!(ty, PtxType::U16x2 | PtxType::S16x2);
        let kind = ty.is_int() || packed || bits && matches!(ty, PtxType::B(_));
        if kind && (16..=64).contains(&ty.bits()) {
            return Ok(());
        }
        Err(PtxError::operand(i.span, format!("`{}` has no type {}", i.name, ty.name())))
    }

    /// `mul`, `mad`, `madc`, `fma`
    pub(super) fn product(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let part = m.one_of(&[("lo", Part::Low), ("hi", Part::High), ("wide", Part::Wide)]);
        let carry_out = m.take("cc");
        let ty = m.ty()?;
        if ty.is_float() {
            return match i.name {
                "mul" => self.float_binary(i, m, ty, Opcode::FMul),
                _ => self.fused(i, m, ty),
            };
        }
        self.integers(i, ty, false)?;
        let Some(part) = part else {
            return Err(PtxError::operand(i.span, format!("`{}` needs .lo, .hi or .wide", i.full_name())));
        };
        let sat = m.take("sat");
        let adds = i.name != "mul";
        let wide = if part == Part::Wide && ty.bits() <= 32 {
            if ty.is_signed() { PtxType::S(ty.bits() * 2) } else { PtxType::U(ty.bits() * 2) }
        } else {
            ty
        };
        if part == Part::Wide && ty.bits() == 64 {
            return Err(PtxError::unsupported(i.span, "a product of 128 bits"));
        }
        let (d, a, b, c) = if adds {
            let [d, a, b, c] = self.operands(i)?;
            (d, a, b, Some(c))
        } else {
            let [d, a, b] = self.operands(i)?;
            (d, a, b, None)
        };
        let (a, b) = (self.value(a, ty)?, self.value(b, ty)?);
        let c = match c {
            Some(c) => Some(self.value(c, wide)?),
            None => None,
        };
        let v = match part {
            Part::Low => self.op(Opcode::Mul, &[a, b]),
            Part::High => self.op(if ty.is_signed() { Opcode::MulHiS } else { Opcode::MulHiU }, &[a, b]),
            Part::Wide => {
                let to = wide.ir().unwrap_or(Type::I64);
                let (a, b) = (self.resize(a, to, ty.is_signed()), self.resize(b, to, ty.is_signed()));
                self.op(Opcode::Mul, &[a, b])
            }
        };
        let v = match c {
            None => v,
            Some(c) if sat => self.saturated(i, ty, |fx, w| {
                let (v, c) = (fx.resize(v, w, true), fx.resize(c, w, true));
                fx.op(Opcode::Add, &[v, c])
            })?,
            Some(c) if i.name == "madc" || carry_out => self.with_carry(false, v, c, i.name == "madc", carry_out),
            Some(c) => self.address_sum(false, v, c),
        };
        self.set(d, v, wide)
    }

    /// `div`, `rem`
    pub(super) fn quotient(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let ty = m.ty()?;
        if ty.is_float() && i.name == "div" {
            return self.float_quotient(i, m, ty);
        }
        self.integers(i, ty, false)?;
        let op = match (i.name, ty.is_signed()) {
            ("div", true) => Opcode::SDiv,
            ("div", false) => Opcode::UDiv,
            (_, true) => Opcode::SRem,
            (_, false) => Opcode::URem,
        };
        let [d, a, b] = self.operands(i)?;
        let (a, b) = (self.value(a, ty)?, self.value(b, ty)?);
        let v = self.op(op, &[a, b]);
        self.set(d, v, ty)
    }

    /// `mul24`, `mad24`: of 24-bit factors the low or high 32 bits of 48.
    pub(super) fn product24(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let high = m.take("hi");
        if !high {
            m.take("lo");
        }
        let ty = m.ty()?;
        if !matches!(ty, PtxType::S(32) | PtxType::U(32)) {
            return Err(PtxError::operand(i.span, format!("`{}` has no type {}", i.name, ty.name())));
        }
        let adds = i.name == "mad24";
        let (d, a, b, c) = if adds {
            let [d, a, b, c] = self.operands(i)?;
            (d, a, b, Some(c))
        } else {
            let [d, a, b] = self.operands(i)?;
            (d, a, b, None)
        };
        let (a, b) = (self.value(a, ty)?, self.value(b, ty)?);
        let mut v = if high {
            let eight = self.int(Type::I32, 8);
            let cut = |fx: &mut Self, v| {
                let up = fx.op(Opcode::Shl, &[v, eight]);
                let down = fx.op(if ty.is_signed() { Opcode::AShr } else { Opcode::LShr }, &[up, eight]);
                fx.resize(down, Type::I64, ty.is_signed())
            };
            let (a, b) = (cut(self, a), cut(self, b));
            let product = self.op(Opcode::Mul, &[a, b]);
            let sixteen = self.int(Type::I64, 16);
            let top = self.op(Opcode::LShr, &[product, sixteen]);
            self.cast(Opcode::Trunc, top, Type::I32)
        } else {
            let op = if ty.is_signed() { Intrinsic::Mul24S } else { Intrinsic::Mul24U };
            self.intrinsic(op, Type::I32, &[a, b])
        };
        if let Some(c) = c {
            let c = self.value(c, ty)?;
            v = self.op(Opcode::Add, &[v, c]);
        }
        self.set(d, v, ty)
    }

    /// `abs`, `neg`
    pub(super) fn sign(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let ty = m.ty()?;
        if ty.is_float() {
            return self.float_sign(i, m, ty);
        }
        self.integers(i, ty, false)?;
        let [d, a] = self.operands(i)?;
        let a = self.value(a, ty)?;
        let v = if i.name == "abs" {
            self.op(Opcode::Abs, &[a])
        } else {
            let zero = self.int(self.ty(a), 0);
            self.op(Opcode::Sub, &[zero, a])
        };
        self.set(d, v, ty)
    }

    /// `min`, `max`
    pub(super) fn extremum(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let ty = m.ty()?;
        if ty.is_float() {
            return self.float_extremum(i, m, ty);
        }
        self.integers(i, ty, false)?;
        let relu = m.take("relu");
        let op = match (i.name, ty.is_signed()) {
            ("min", true) => Opcode::SMin,
            ("min", false) => Opcode::UMin,
            (_, true) => Opcode::SMax,
            (_, false) => Opcode::UMax,
        };
        let [d, a, b] = self.operands(i)?;
        let (a, b) = (self.value(a, ty)?, self.value(b, ty)?);
        let mut v = self.op(op, &[a, b]);
        if relu {
            let zero = self.int(self.ty(v), 0);
            v = self.op(Opcode::SMax, &[v, zero]);
        }
        self.set(d, v, ty)
    }

    /// `sad`: `|a - b| + c`
    pub(super) fn sad(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let ty = m.ty()?;
        self.integers(i, ty, false)?;
        let [d, a, b, c] = self.operands(i)?;
        let (a, b, c) = (self.value(a, ty)?, self.value(b, ty)?, self.value(c, ty)?);
        let v = if ty.bits() == 32 {
            let op = if ty.is_signed() { Intrinsic::SadS } else { Intrinsic::SadU };
            self.intrinsic(op, Type::I32, &[a, b, c])
        } else {
            let cc = if ty.is_signed() { IntCC::Slt } else { IntCC::Ult };
            let less = self.icmp(cc, a, b);
            let (up, down) = (self.op(Opcode::Sub, &[b, a]), self.op(Opcode::Sub, &[a, b]));
            let gap = self.select(less, up, down);
            self.op(Opcode::Add, &[gap, c])
        };
        self.set(d, v, ty)
    }

    /// `dp4a`, `dp2a`: sums of products of bytes, or of half-words with bytes.
    pub(super) fn dot(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let four = i.name == "dp4a";
        let high = !four && m.take("hi");
        if !four && !high {
            m.take("lo");
        }
        let (ta, tb) = (m.ty()?, m.ty()?);
        for t in [ta, tb] {
            if !matches!(t, PtxType::U(32) | PtxType::S(32)) {
                return Err(PtxError::operand(i.span, format!("`{}` has no type {}", i.name, t.name())));
            }
        }
        let result = if ta.is_signed() || tb.is_signed() { PtxType::S(32) } else { PtxType::U(32) };
        let [d, a, b, c] = self.operands(i)?;
        let (a, b) = (self.value(a, ta)?, self.value(b, tb)?);
        let mut sum = self.value(c, result)?;
        let (count, width) = if four { (4, 8) } else { (2, 16) };
        for n in 0..count {
            let x = self.bits_of(a, n * width, width, ta.is_signed());
            let y = self.bits_of(b, n * 8 + if high { 16 } else { 0 }, 8, tb.is_signed());
            let product = self.op(Opcode::Mul, &[x, y]);
            sum = self.op(Opcode::Add, &[sum, product]);
        }
        self.set(d, sum, result)
    }

    /// Some bits of a word, extended to it.
    fn bits_of(&mut self, v: Value, at: i64, width: i64, signed: bool) -> Value {
        let up = self.int(Type::I32, 32 - at - width);
        let down = self.int(Type::I32, 32 - width);
        let v = self.op(Opcode::Shl, &[v, up]);
        self.op(if signed { Opcode::AShr } else { Opcode::LShr }, &[v, down])
    }
}
