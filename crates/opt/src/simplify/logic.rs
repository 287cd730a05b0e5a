//! Rules for bitwise operations, on integers and on truth values.

use super::{Found, Simplifier, Step};
use ir::{Flags, Inst, IntCC, Opcode, Payload, Type, Value};

/// Outcomes of comparing two numbers as a set: bit 0 less, bit 1 equal, bit 2 greater.
fn outcomes(cc: IntCC) -> u8 {
    use IntCC::*;
    match cc {
        Eq => 2,
        Ne => 5,
        Slt | Ult => 1,
        Sle | Ule => 3,
        Sgt | Ugt => 4,
        Sge | Uge => 6,
    }
}

fn from_outcomes(set: u8, signed: bool) -> Option<IntCC> {
    use IntCC::*;
    Some(match (set, signed) {
        (2, _) => Eq,
        (5, _) => Ne,
        (1, true) => Slt,
        (3, true) => Sle,
        (4, true) => Sgt,
        (6, true) => Sge,
        (1, false) => Ult,
        (3, false) => Ule,
        (4, false) => Ugt,
        (6, false) => Uge,
        _ => return None,
    })
}

impl Simplifier<'_> {
    pub(super) fn and(&mut self, inst: Inst) -> Found {
        let (x, y) = (self.arg(inst, 0), self.arg(inst, 1));
        let ty = self.ty(x);
        if x == y {
            return Some(Step::Value(x));
        }
        if self.complements(x, y) {
            return self.const_step(inst, 0);
        }
        if let Some(c) = self.c(y) {
            return self.and_const(inst, x, c);
        }
        for (a, b) in [(x, y), (y, x)] {
            // a & (a | q) = a, a & (a & q) = a & q
            if let Some((p, q, _)) = self.bin(b, Opcode::Or)
                && (p == a || q == a)
            {
                return Some(Step::Value(a));
            }
            if let Some((p, q, _)) = self.bin(b, Opcode::And)
                && (p == a || q == a)
            {
                return Some(Step::Value(b));
            }
        }
        if ty.bits() == 1 { self.both_compare(inst, x, y, true) } else { None }
    }

    fn and_const(&mut self, inst: Inst, x: Value, c: u64) -> Found {
        let ty = self.ty(x);
        if c == 0 {
            return self.const_step(inst, 0);
        }
        if c == ty.mask() {
            return Some(Step::Value(x));
        }
        let zeros = self.known_zeros(x);
        if !c & ty.mask() & !zeros == 0 {
            return Some(Step::Value(x));
        }
        if c & !zeros == 0 {
            return self.const_step(inst, 0);
        }
        if let Some((a, c1, _)) = self.bin_c(x, Opcode::And) {
            return self.rewrite2c(inst, Opcode::And, Flags::NONE, a, c & c1);
        }
        if let Some((a, c1, _)) = self.bin_c(x, Opcode::Or) {
            if c & c1 == 0 {
                return self.rewrite2c(inst, Opcode::And, Flags::NONE, a, c);
            }
            if c & c1 == c {
                return self.const_step(inst, c);
            }
        }
        // What has none of the mask's bits is not asked: a half that is put where the other one was.
        for op in [Opcode::Or, Opcode::Xor] {
            let Some((p, q, _)) = self.bin(x, op) else { continue };
            for (kept, idle) in [(p, q), (q, p)] {
                if c & !self.known_zeros(idle) == 0 {
                    return self.rewrite2c(inst, Opcode::And, Flags::NONE, kept, c);
                }
            }
        }
        // Bits above the mask's highest do not come down: `(i + 6) & 3` is `(i + 2) & 3`.
        if let Some((a, c1, _)) = self.bin_c(x, Opcode::Add) {
            let seen = c1 & u64::MAX >> c.leading_zeros();
            if seen == 0 {
                return self.rewrite2c(inst, Opcode::And, Flags::NONE, a, c);
            }
            if seen != c1 && c1 <= ty.mask() >> 1 && self.one_use(x) {
                let sum = self.op2c(Opcode::Add, Flags::NONE, a, seen);
                return self.rewrite2c(inst, Opcode::And, Flags::NONE, sum, c);
            }
        }
        // A mask of low bits does not see the sign extension.
        if let Some(a) = self.un(x, Opcode::SExt) {
            let from = self.ty(a).mask();
            if c & !from == 0 {
                let wide = self.cast(Opcode::ZExt, a, ty);
                return self.rewrite2c(inst, Opcode::And, Flags::NONE, wide, c);
            }
        }
        None
    }

    /// Whether one is the bitwise complement of the other.
    fn complements(&self, x: Value, y: Value) -> bool {
        if self.not_of(x) == Some(y) || self.not_of(y) == Some(x) {
            return true;
        }
        match (self.icmp_of(x), self.icmp_of(y)) {
            (Some((p, a, b)), Some((q, c, d))) => a == c && b == d && p == q.inverse(),
            _ => false,
        }
    }

    /// A sum, or, or exclusive or of different bits of one value is these bits: `(t >> 3) * 8 + (t & 7)` is `t`.
    pub(super) fn parts_of_one(&mut self, inst: Inst, x: Value, y: Value) -> Found {
        let (a, high, _) = self.bin_c(x, Opcode::And)?;
        let (b, low, _) = self.bin_c(y, Opcode::And)?;
        if a != b || high & low != 0 {
            return None;
        }
        self.rewrite2c(inst, Opcode::And, Flags::NONE, a, high | low)
    }

    pub(super) fn or(&mut self, inst: Inst) -> Found {
        let (x, y) = (self.arg(inst, 0), self.arg(inst, 1));
        let ty = self.ty(x);
        if x == y || self.is_zero(y) {
            return Some(Step::Value(x));
        }
        if self.complements(x, y) {
            return self.const_step(inst, ty.mask());
        }
        if let Some(c) = self.c(y) {
            if c == ty.mask() {
                return Some(Step::Value(y));
            }
            if let Some((a, c1, _)) = self.bin_c(x, Opcode::Or) {
                return self.rewrite2c(inst, Opcode::Or, Flags::NONE, a, c | c1);
            }
            let known = self.known().bits(x);
            if c & !known.ones == 0 {
                return Some(Step::Value(x));
            }
            return None;
        }
        if let Some(step) = self.parts_of_one(inst, x, y) {
            return Some(step);
        }
        for (a, b) in [(x, y), (y, x)] {
            if let Some((p, q, _)) = self.bin(b, Opcode::And)
                && (p == a || q == a)
            {
                return Some(Step::Value(a));
            }
            if let Some((p, q, _)) = self.bin(b, Opcode::Or)
                && (p == a || q == a)
            {
                return Some(Step::Value(b));
            }
        }
        if let (Some((a, c1, _)), Some((b, c2, _))) = (self.bin_c(x, Opcode::And), self.bin_c(y, Opcode::And))
            && a == b
        {
            return self.rewrite2c(inst, Opcode::And, Flags::NONE, a, c1 | c2);
        }
        if ty.bits() == 1 {
            return self.both_compare(inst, x, y, false);
        }
        self.rotation(inst, x, y).or_else(|| self.rotation(inst, y, x))
    }

    /// `(hi << n) | (lo >> (width - n))`
    fn rotation(&mut self, inst: Inst, x: Value, y: Value) -> Found {
        let (hi, n, _) = self.bin(x, Opcode::Shl)?;
        let (lo, m, _) = self.bin(y, Opcode::LShr)?;
        let width = u64::from(self.ty(x).bits());
        let amount = match (self.c(n), self.c(m)) {
            (Some(n1), Some(m1)) if n1 > 0 && m1 > 0 && n1 + m1 == width => n,
            (None, None) => {
                // With equal words the amount 0 is harmless: x | x. Amounts beyond the width must be excluded.
                let direct = self.bin(m, Opcode::Sub).is_some_and(|(w, s, _)| self.c(w) == Some(width) && s == n);
                if hi != lo || !direct || self.range(n).hi > width {
                    return self.masked_rotation(inst, hi, lo, n, m);
                }
                n
            }
            _ => return None,
        };
        self.rewrite(inst, Opcode::Fshl, Flags::NONE, &[hi, lo, amount], Payload::None)
    }

    /// `(x << (n & (width-1))) | (x >> (-n & (width-1)))`
    fn masked_rotation(&mut self, inst: Inst, hi: Value, lo: Value, n: Value, m: Value) -> Found {
        let width = u64::from(self.ty(hi).bits());
        let (a, k, _) = self.bin_c(n, Opcode::And)?;
        let (b, l, _) = self.bin_c(m, Opcode::And)?;
        if hi != lo || k != width - 1 || l != width - 1 {
            return None;
        }
        let opposite = self.neg_of(b) == Some(a)
            || self.bin(b, Opcode::Sub).is_some_and(|(w, s, _)| s == a && self.c(w) == Some(width));
        if !opposite {
            return None;
        }
        self.rewrite(inst, Opcode::Fshl, Flags::NONE, &[hi, lo, a], Payload::None)
    }

    pub(super) fn xor(&mut self, inst: Inst) -> Found {
        let (x, y) = (self.arg(inst, 0), self.arg(inst, 1));
        let ty = self.ty(x);
        if x == y {
            return self.const_step(inst, 0);
        }
        if self.is_zero(y) {
            return Some(Step::Value(x));
        }
        if self.complements(x, y) {
            return self.const_step(inst, ty.mask());
        }
        let Some(c) = self.c(y) else {
            if let Some(step) = self.parts_of_one(inst, x, y) {
                return Some(step);
            }
            for (a, b) in [(x, y), (y, x)] {
                if let Some((p, q, _)) = self.bin(b, Opcode::Xor)
                    && (p == a || q == a)
                {
                    return Some(Step::Value(if p == a { q } else { p }));
                }
            }
            return None;
        };
        if let Some((a, c1, _)) = self.bin_c(x, Opcode::Xor) {
            return self.rewrite2c(inst, Opcode::Xor, Flags::NONE, a, c ^ c1);
        }
        if c != ty.mask() {
            return None;
        }
        // Negations go into comparisons.
        if self.one_use(x) {
            if let Some((cc, a, b)) = self.icmp_of(x) {
                return self.rewrite_icmp(inst, cc.inverse(), a, b);
            }
            if let Some((cc, a, b, f)) = self.fcmp_of(x) {
                return self.rewrite(inst, Opcode::Fcmp, f, &[a, b], Payload::FloatCC(cc.inverse()));
            }
        }
        // ~(a + c) = (-1 - c) - a
        if let Some((a, c1, _)) = self.bin_c(x, Opcode::Add) {
            let k = self.bits(ty, (!0u64).wrapping_sub(c1));
            return self.rewrite2(inst, Opcode::Sub, Flags::NONE, k, a);
        }
        None
    }

    /// Conjunction or disjunction of two comparisons.
    fn both_compare(&mut self, inst: Inst, x: Value, y: Value, and: bool) -> Found {
        let (p, a, b) = self.icmp_of(x)?;
        let (mut q, mut c, mut d) = self.icmp_of(y)?;
        if a == d && b == c {
            (q, c, d) = (q.swapped(), d, c);
        }
        if a == c && b == d && !(p.is_signed() && q.is_unsigned() || p.is_unsigned() && q.is_signed()) {
            let set = if and { outcomes(p) & outcomes(q) } else { outcomes(p) | outcomes(q) };
            return match set {
                0 => self.bool_const(inst, false),
                7 => self.bool_const(inst, true),
                _ => self.rewrite_icmp(inst, from_outcomes(set, p.is_signed() || q.is_signed())?, a, b),
            };
        }
        if a != c {
            return None;
        }
        let (c1, c2) = (self.c(b)?, self.c(d)?);
        self.range_check(inst, a, (p, c1), (q, c2), and)
    }

    /// `lo <= a && a < hi` is `a - lo < hi - lo`, unsigned; the complement likewise.
    fn range_check(&mut self, inst: Inst, a: Value, x: (IntCC, u64), y: (IntCC, u64), and: bool) -> Found {
        let ty = self.ty(a);
        if !ty.is_int() || ty.is_vector() {
            return None;
        }
        let norm = |(cc, c): (IntCC, u64)| if and { (cc, c) } else { (cc.inverse(), c) };
        let (x, y) = (norm(x), norm(y));
        let signed = x.0.is_signed() && y.0.is_signed();
        let unsigned = x.0.is_unsigned() && y.0.is_unsigned();
        if !(signed || unsigned) {
            return None;
        }
        let (low, high) = match (lower(x, ty), upper(y, ty)) {
            (Some(low), Some(high)) => (low, high),
            _ => (lower(y, ty)?, upper(x, ty)?),
        };
        let key = |c: u64| if signed { c ^ (ty.mask() ^ ty.mask() >> 1) } else { c };
        if key(low) >= key(high) {
            return self.bool_const(inst, !and);
        }
        let moved = self.op2c(Opcode::Add, Flags::NONE, a, low.wrapping_neg());
        let width = self.bits(ty, high.wrapping_sub(low));
        self.rewrite_icmp(inst, if and { IntCC::Ult } else { IntCC::Uge }, moved, width)
    }
}

/// Smallest number that a comparison with a constant admits.
fn lower((cc, c): (IntCC, u64), ty: Type) -> Option<u64> {
    match cc {
        IntCC::Sge | IntCC::Uge => Some(c),
        IntCC::Sgt if c != ty.mask() >> 1 => Some(c.wrapping_add(1) & ty.mask()),
        IntCC::Ugt if c != ty.mask() => Some(c + 1),
        _ => None,
    }
}

/// The number above the largest that it admits.
fn upper((cc, c): (IntCC, u64), ty: Type) -> Option<u64> {
    match cc {
        IntCC::Slt | IntCC::Ult => Some(c),
        IntCC::Sle if c != ty.mask() >> 1 => Some(c.wrapping_add(1) & ty.mask()),
        IntCC::Ule if c != ty.mask() => Some(c + 1),
        _ => None,
    }
}
