//! Rules for integer arithmetic and shifts.

use super::{Found, Simplifier, Step};
use crate::known;
use ir::{Flags, Inst, Opcode, Payload, Type, Value};

/// The flags that the sum of two constants added one after the other may keep.
fn flags_of_sum(f: Flags, g: Flags, c1: u64, c2: u64, ty: Type) -> Flags {
    let mut out = Flags::NONE;
    let bits = ty.bits();
    let sext = |x: u64| ((x << (64 - bits)) as i64) >> (64 - bits);
    let (a, b) = (sext(c1), sext(c2));
    let sum = i128::from(a) + i128::from(b);
    if f.has(Flags::NSW) && g.has(Flags::NSW) && sum == i128::from(sext(sum as u64)) {
        out = out | Flags::NSW;
    }
    if f.has(Flags::NUW) && g.has(Flags::NUW) && u128::from(c1) + u128::from(c2) <= u128::from(ty.mask()) {
        out = out | Flags::NUW;
    }
    out
}

const WRAP: Flags = Flags::NSW.with(Flags::NUW);

impl Simplifier<'_> {
    /// Whether constants may be moved outwards at the price of the no-wrap flags: they are dear below 64 bits, where
    /// they let extensions distribute.
    fn may_drop_wrap(&self, f: Flags, ty: Type) -> bool {
        ty.bits() == 64 || f.common(WRAP).is_empty()
    }

    pub(super) fn add(&mut self, inst: Inst) -> Found {
        let (x, y, f) = (self.arg(inst, 0), self.arg(inst, 1), self.flags(inst));
        let ty = self.ty(x);
        if self.is_zero(y) {
            return Some(Step::Value(x));
        }
        if ty.bits() == 1 {
            return self.rewrite2(inst, Opcode::Xor, Flags::NONE, x, y);
        }
        if x == y {
            return self.rewrite2c(inst, Opcode::Shl, f.common(WRAP), x, 1);
        }
        if let Some(c) = self.c(y) {
            return self.add_const(inst, x, c, f);
        }
        if let Some(step) = self.parts_of_one(inst, x, y) {
            return Some(step);
        }
        for (a, b) in [(x, y), (y, x)] {
            if let Some((p, q, g)) = self.bin(a, Opcode::Sub) {
                if q == b {
                    return Some(Step::Value(p));
                }
                if self.is_zero(p) {
                    return self.rewrite2(inst, Opcode::Sub, Flags::NONE, b, q);
                }
                // (p - q) + (q + k) = p + k, which is as large as promised if all three sums are.
                if let Some((r, k, h)) = self.bin(b, Opcode::Add)
                    && (r == q || k == q)
                {
                    let all = f.common(g).common(h).common(WRAP);
                    if all == f.common(WRAP) || self.may_drop_wrap(f, ty) {
                        return self.rewrite2(inst, Opcode::Add, all, p, if r == q { k } else { r });
                    }
                }
            }
            // (p + c) + b = (p + b) + c
            if let Some((p, c, g)) = self.bin_c(a, Opcode::Add)
                && self.may_drop_wrap(f.with(g), ty)
                && self.one_use(a)
            {
                let sum = self.op2(Opcode::Add, Flags::NONE, p, b);
                return self.rewrite2c(inst, Opcode::Add, Flags::NONE, sum, c);
            }
        }
        None
    }

    fn add_const(&mut self, inst: Inst, x: Value, c: u64, f: Flags) -> Found {
        let ty = self.ty(x);
        if let Some((a, c1, g)) = self.bin_c(x, Opcode::Add) {
            let flags = flags_of_sum(f, g, c1, c, ty);
            return self.rewrite2c(inst, Opcode::Add, flags, a, c1.wrapping_add(c));
        }
        if let Some((a, b, _)) = self.bin(x, Opcode::Sub)
            && let Some(c1) = self.c(a)
        {
            let k = self.bits(ty, c1.wrapping_add(c));
            return self.rewrite2(inst, Opcode::Sub, Flags::NONE, k, b);
        }
        // ~a + 1 = -a
        if c == 1
            && let Some(a) = self.not_of(x)
        {
            let zero = self.zero(ty);
            return self.rewrite2(inst, Opcode::Sub, Flags::NONE, zero, a);
        }
        None
    }

    pub(super) fn sub(&mut self, inst: Inst) -> Found {
        let (x, y, f) = (self.arg(inst, 0), self.arg(inst, 1), self.flags(inst));
        let ty = self.ty(x);
        if x == y {
            return self.const_step(inst, 0);
        }
        if ty.bits() == 1 {
            return self.rewrite2(inst, Opcode::Xor, Flags::NONE, x, y);
        }
        if let Some(c) = self.c(y) {
            let smallest = ty.mask() ^ ty.mask() >> 1;
            let flags = if c == smallest { Flags::NONE } else { f.common(Flags::NSW) };
            return self.rewrite2c(inst, Opcode::Add, flags, x, c.wrapping_neg());
        }
        if let Some(c) = self.c(x) {
            return self.const_sub(inst, c, y);
        }
        if let Some(b) = self.neg_of(y) {
            return self.rewrite2(inst, Opcode::Add, Flags::NONE, x, b);
        }
        if let Some((a, b, _)) = self.bin(x, Opcode::Add) {
            if a == y || b == y {
                return Some(Step::Value(if a == y { b } else { a }));
            }
            if let Some(c) = self.c(b)
                && self.may_drop_wrap(f, ty)
                && self.one_use(x)
            {
                let diff = self.op2(Opcode::Sub, Flags::NONE, a, y);
                return self.rewrite2c(inst, Opcode::Add, Flags::NONE, diff, c);
            }
        }
        if let Some((a, b, _)) = self.bin(y, Opcode::Add) {
            if a == x || b == x {
                let zero = self.zero(ty);
                return self.rewrite2(inst, Opcode::Sub, Flags::NONE, zero, if a == x { b } else { a });
            }
            if let Some(c) = self.c(b)
                && self.may_drop_wrap(f, ty)
                && self.one_use(y)
            {
                let diff = self.op2(Opcode::Sub, Flags::NONE, x, a);
                return self.rewrite2c(inst, Opcode::Add, Flags::NONE, diff, c.wrapping_neg());
            }
        }
        if let Some((a, b, _)) = self.bin(y, Opcode::Sub)
            && a == x
        {
            return Some(Step::Value(b));
        }
        None
    }

    /// `c - y`
    fn const_sub(&mut self, inst: Inst, c: u64, y: Value) -> Found {
        let ty = self.ty(y);
        if c == ty.mask() {
            return self.rewrite2c(inst, Opcode::Xor, Flags::NONE, y, c);
        }
        if let Some((a, c1, _)) = self.bin_c(y, Opcode::Add) {
            let k = self.bits(ty, c.wrapping_sub(c1));
            return self.rewrite2(inst, Opcode::Sub, Flags::NONE, k, a);
        }
        let (a, b, _) = self.bin(y, Opcode::Sub)?;
        if let Some(c1) = self.c(a) {
            return self.rewrite2c(inst, Opcode::Add, Flags::NONE, b, c.wrapping_sub(c1));
        }
        if c == 0 && self.one_use(y) {
            return self.rewrite2(inst, Opcode::Sub, Flags::NONE, b, a);
        }
        None
    }

    pub(super) fn mul(&mut self, inst: Inst) -> Found {
        let (x, y, f) = (self.arg(inst, 0), self.arg(inst, 1), self.flags(inst));
        let ty = self.ty(x);
        if ty.bits() == 1 {
            return self.rewrite2(inst, Opcode::And, Flags::NONE, x, y);
        }
        let Some(c) = self.c(y) else {
            if let (Some(a), Some(b)) = (self.neg_of(x), self.neg_of(y)) {
                return self.rewrite2(inst, Opcode::Mul, Flags::NONE, a, b);
            }
            return None;
        };
        if c == 0 {
            return Some(Step::Value(y));
        }
        if c == 1 {
            return Some(Step::Value(x));
        }
        if c == ty.mask() {
            let zero = self.zero(ty);
            return self.rewrite2(inst, Opcode::Sub, f.common(Flags::NSW), zero, x);
        }
        if c.is_power_of_two() {
            let top = c.trailing_zeros() == ty.bits() - 1;
            let flags = if top { f.common(Flags::NUW) } else { f.common(WRAP | Flags::SCALES) };
            return self.rewrite2c(inst, Opcode::Shl, flags, x, u64::from(c.trailing_zeros()));
        }
        if let Some((a, c1, g)) = self.bin_c(x, Opcode::Mul) {
            let flags = self.flags_of_product(f, g, c1, c, ty);
            return self.rewrite2c(inst, Opcode::Mul, flags, a, c1.wrapping_mul(c));
        }
        if let Some((a, n, g)) = self.bin_c(x, Opcode::Shl)
            && n < u64::from(ty.bits())
        {
            let flags = self.flags_of_product(f, g, 1 << n, c, ty);
            return self.rewrite2c(inst, Opcode::Mul, flags, a, c << n);
        }
        if let Some(a) = self.neg_of(x) {
            return self.rewrite2c(inst, Opcode::Mul, Flags::NONE, a, c.wrapping_neg());
        }
        if let Some((a, c1, g)) = self.bin_c(x, Opcode::Add)
            && self.one_use(x)
            && (self.may_drop_wrap(f.with(g), ty) || self.is_scaled_once(a))
        {
            let scaled = self.op2c(Opcode::Mul, f.common(Flags::SCALES), a, c);
            return self.rewrite2c(inst, Opcode::Add, Flags::NONE, scaled, c1.wrapping_mul(c));
        }
        None
    }

    /// Whether a value is a product with a constant that nothing else uses: `(a * c1 + c2) * c3` is one product less.
    fn is_scaled_once(&self, v: Value) -> bool {
        self.one_use(v) && self.bin_c(v, Opcode::Mul).is_some()
    }

    /// Flags that `a * (c1 * c2)` may keep of `(a * c1) * c2`.
    fn flags_of_product(&self, f: Flags, g: Flags, c1: u64, c2: u64, ty: Type) -> Flags {
        let most = ty.mask() >> 1;
        let fits = |limit: u64| c1.checked_mul(c2).is_some_and(|p| c1 <= limit && c2 <= limit && p <= limit);
        let mut out = Flags::NONE;
        if f.has(Flags::NSW) && g.has(Flags::NSW) && fits(most) {
            out = out | Flags::NSW;
        }
        if f.has(Flags::NUW) && g.has(Flags::NUW) && fits(ty.mask()) {
            out = out | Flags::NUW;
        }
        out
    }

    pub(super) fn mul_high(&mut self, inst: Inst) -> Found {
        let (x, y) = (self.arg(inst, 0), self.arg(inst, 1));
        let ty = self.ty(x);
        let unsigned = self.func.dfg.op(inst) == Opcode::MulHiU;
        match self.c(y)? {
            0 => Some(Step::Value(y)),
            1 if unsigned => self.const_step(inst, 0),
            1 if ty.bits() > 1 => self.rewrite2c(inst, Opcode::AShr, Flags::NONE, x, u64::from(ty.bits()) - 1),
            c if unsigned && c.is_power_of_two() => {
                self.rewrite2c(inst, Opcode::LShr, Flags::NONE, x, u64::from(ty.bits() - c.trailing_zeros()))
            }
            _ => None,
        }
    }

    pub(super) fn shl(&mut self, inst: Inst) -> Found {
        let (x, y, f) = (self.arg(inst, 0), self.arg(inst, 1), self.flags(inst));
        let ty = self.ty(x);
        let width = u64::from(ty.bits());
        if self.is_zero(x) {
            return Some(Step::Value(x));
        }
        let n = self.c(y)?;
        if n == 0 {
            return Some(Step::Value(x));
        }
        if n >= width {
            return self.const_step(inst, 0);
        }
        if let Some((a, m, g)) = self.bin_c(x, Opcode::Shl) {
            if m + n >= width {
                return self.const_step(inst, 0);
            }
            return self.rewrite2c(inst, Opcode::Shl, f.common(g), a, m + n);
        }
        if let Some((a, m, g)) = self.bin_c(x, Opcode::LShr)
            && m == n
        {
            if g.has(Flags::EXACT) {
                return Some(Step::Value(a));
            }
            return self.rewrite2c(inst, Opcode::And, Flags::NONE, a, ty.mask() << n & ty.mask());
        }
        if let Some((a, c, g)) = self.bin_c(x, Opcode::Mul)
            && self.one_use(x)
        {
            let flags = self.flags_of_product(f, g, c, 1 << n, ty);
            return self.rewrite2c(inst, Opcode::Mul, flags, a, c << n);
        }
        // In address arithmetic the constant goes outwards.
        if let Some((a, c, _)) = self.bin_c(x, Opcode::Add)
            && ty.bits() == 64
        {
            let scaled = self.op2c(Opcode::Shl, f.common(Flags::SCALES), a, n);
            return self.rewrite2c(inst, Opcode::Add, Flags::NONE, scaled, c << n);
        }
        None
    }

    pub(super) fn shr(&mut self, inst: Inst) -> Found {
        let (x, y, f) = (self.arg(inst, 0), self.arg(inst, 1), self.flags(inst));
        let ty = self.ty(x);
        let width = u64::from(ty.bits());
        let logical = self.func.dfg.op(inst) == Opcode::LShr;
        if self.is_zero(x) || self.is_zero(y) {
            return Some(Step::Value(x));
        }
        if !logical && self.nonneg(x) {
            return self.rewrite2(inst, Opcode::LShr, f, x, y);
        }
        let n = self.c(y)?;
        if n >= width {
            if logical {
                return self.const_step(inst, 0);
            }
            return self.rewrite2c(inst, Opcode::AShr, Flags::NONE, x, width - 1);
        }
        let op = self.func.dfg.op(inst);
        if let Some((a, m, g)) = self.bin_c(x, op)
            && m < width
        {
            let sum = m + n;
            if logical && sum >= width {
                return self.const_step(inst, 0);
            }
            return self.rewrite2c(inst, op, f.common(g).common(Flags::EXACT), a, sum.min(width - 1));
        }
        if logical && self.range(x).hi >> n == 0 {
            return self.const_step(inst, 0);
        }
        if let Some((a, m, g)) = self.bin_c(x, Opcode::Shl)
            && m == n
        {
            if g.has(if logical { Flags::NUW } else { Flags::NSW }) {
                return Some(Step::Value(a));
            }
            if logical {
                return self.rewrite2c(inst, Opcode::And, Flags::NONE, a, ty.mask() >> n);
            }
            // A shift up and down again is an extension of the low part.
            if let Some(narrow) = Type::int((width - n) as u32).filter(|t| t.bits() >= 8)
                && self.one_use(x)
            {
                let low = self.cast(Opcode::Trunc, a, ty.with_scalar(narrow));
                return self.rewrite(inst, Opcode::SExt, Flags::NONE, &[low], Payload::None);
            }
        }
        None
    }

    pub(super) fn minmax(&mut self, inst: Inst) -> Found {
        let (x, y) = (self.arg(inst, 0), self.arg(inst, 1));
        let ty = self.ty(x);
        let op = self.func.dfg.op(inst);
        if x == y {
            return Some(Step::Value(x));
        }
        let (rx, ry) = (self.range(x), self.range(y));
        let positive = |r: known::Range| r.hi <= ty.mask() >> 1;
        let unsigned = matches!(op, Opcode::UMin | Opcode::UMax);
        if unsigned || positive(rx) && positive(ry) {
            let min = matches!(op, Opcode::UMin | Opcode::SMin);
            if rx.hi <= ry.lo {
                return Some(Step::Value(if min { x } else { y }));
            }
            if ry.hi <= rx.lo {
                return Some(Step::Value(if min { y } else { x }));
            }
        }
        if let Some((a, b, _)) = self.bin(x, op)
            && (a == y || b == y)
        {
            return Some(Step::Value(x));
        }
        let c = self.c(y)?;
        let (smallest, largest) = if unsigned { (0, ty.mask()) } else { (ty.mask() ^ ty.mask() >> 1, ty.mask() >> 1) };
        let min = matches!(op, Opcode::UMin | Opcode::SMin);
        if c == smallest {
            return Some(Step::Value(if min { y } else { x }));
        }
        if c == largest {
            return Some(Step::Value(if min { x } else { y }));
        }
        let (a, c1, _) = self.bin_c(x, op)?;
        let k = self.bits(ty, c1);
        let merged = self.op2(op, Flags::NONE, k, y);
        self.rewrite2(inst, op, Flags::NONE, a, merged)
    }

    pub(super) fn abs(&mut self, inst: Inst) -> Found {
        let x = self.arg(inst, 0);
        if self.nonneg(x) {
            return Some(Step::Value(x));
        }
        let inner = self.neg_of(x).or_else(|| self.un(x, Opcode::Abs))?;
        self.rewrite(inst, Opcode::Abs, Flags::NONE, &[inner], Payload::None)
    }

    pub(super) fn funnel(&mut self, inst: Inst) -> Found {
        let (hi, lo, n) = (self.arg(inst, 0), self.arg(inst, 1), self.arg(inst, 2));
        let ty = self.ty(hi);
        let left = self.func.dfg.op(inst) == Opcode::Fshl;
        let width = u64::from(ty.bits());
        let n = self.c(n)?;
        if n % width == 0 {
            return Some(Step::Value(if left { hi } else { lo }));
        }
        if left && n < width {
            return None;
        }
        let amount = if left { n % width } else { width - n % width };
        let amount = self.bits(ty, amount);
        self.rewrite(inst, Opcode::Fshl, Flags::NONE, &[hi, lo, amount], Payload::None)
    }
}
