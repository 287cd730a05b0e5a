//! What is known about one integer: bits, both ranges, and a congruence in each reading, each of which narrows the others.

use ir::IntCC;

/// Largest modulus that is followed: beyond it products would leave 64 bits.
const MAX_MODULUS: u64 = 1 << 31;

/// `value ≡ rem (mod modulus)`; with modulus 0 it is `rem` itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Residue {
    pub modulus: u64,
    pub rem: i128,
}

impl Residue {
    pub(super) const ANY: Self = Self { modulus: 1, rem: 0 };

    pub(super) fn exact(rem: i128) -> Self {
        Self { modulus: 0, rem }
    }

    /// A modulus that is too large is replaced by its powers of two.
    pub(super) fn new(modulus: u128, value: i128) -> Self {
        let m = match modulus {
            0 => return Self::exact(value),
            m if m <= MAX_MODULUS.into() => m as u64,
            m => 1 << m.trailing_zeros().min(31),
        };
        Self { modulus: m, rem: value.rem_euclid(i128::from(m)) }
    }

    /// What both say; none if they contradict each other.
    fn and(self, other: Self) -> Option<Self> {
        let (big, small) = if small_first(other, self) { (self, other) } else { (other, self) };
        if big.modulus == 0 {
            let fits = if small.modulus == 0 { big.rem == small.rem } else { small.has(big.rem) };
            return fits.then_some(big);
        }
        let g = gcd(big.modulus, small.modulus);
        if (big.rem - small.rem).rem_euclid(i128::from(g)) != 0 {
            return None;
        }
        let Some(lcm) = (big.modulus / g).checked_mul(small.modulus).filter(|&m| m <= MAX_MODULUS) else {
            return Some(big);
        };
        if small.modulus > 4096 {
            return Some(big);
        }
        // Steps of the larger modulus meet the other residue after at most the smaller one's number of them.
        let steps = (0..i128::from(small.modulus)).map(|k| big.rem + k * i128::from(big.modulus));
        steps.into_iter().find(|&at| small.has(at)).map(|at| Self::new(lcm.into(), at))
    }

    fn has(self, n: i128) -> bool {
        if self.modulus == 0 { n == self.rem } else { n.rem_euclid(i128::from(self.modulus)) == self.rem }
    }

    fn or(self, other: Self) -> Self {
        let apart = self.rem.abs_diff(other.rem);
        let m = wide_gcd(wide_gcd(self.modulus.into(), other.modulus.into()), apart);
        Self::new(m, self.rem)
    }

    /// Of `self + k × other`.
    pub(super) fn plus(self, k: i128, other: Self) -> Self {
        let step = k.unsigned_abs().checked_mul(other.modulus.into());
        let rem = k.checked_mul(other.rem).and_then(|p| p.checked_add(self.rem));
        match (step, rem) {
            (Some(step), Some(rem)) => Self::new(wide_gcd(self.modulus.into(), step), rem),
            _ => Self::ANY,
        }
    }

    /// Of a product of what has the residues.
    pub(super) fn times(self, other: Self) -> Self {
        let (a, b) = (self, other);
        let (p, q) = (u128::from(a.modulus), u128::from(b.modulus));
        let parts = [p.checked_mul(q), p.checked_mul(b.rem.unsigned_abs()), q.checked_mul(a.rem.unsigned_abs())];
        match (parts, a.rem.checked_mul(b.rem)) {
            ([Some(x), Some(y), Some(z)], Some(rem)) => Self::new(wide_gcd(wide_gcd(x, y), z), rem),
            _ => Self::ANY,
        }
    }

    /// Of the remainder by `d`, as a number that may be negative; and whether it is known.
    pub(super) fn reduced_by(self, d: u64) -> Self {
        Self::new(wide_gcd(self.modulus.into(), d.into()), self.rem)
    }

    /// The number modulo `d`, if this says so.
    pub(super) fn modulo(self, d: u64) -> Option<u64> {
        let known = d > 0 && self.modulus.is_multiple_of(d);
        known.then(|| self.rem.rem_euclid(i128::from(d)) as u64)
    }

    /// The least number that is not negative, where it is not 0.
    pub(super) fn least(self) -> Option<i128> {
        (self.modulus > 0 && self.rem > 0).then_some(self.rem)
    }

    fn twos(self) -> u32 {
        if self.modulus == 0 { 0 } else { self.modulus.trailing_zeros() }
    }
}

/// Whether `a` says less than `b`.
fn small_first(a: Residue, b: Residue) -> bool {
    b.modulus == 0 || a.modulus != 0 && a.modulus <= b.modulus
}

pub(super) fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

fn wide_gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { wide_gcd(b, a % b) }
}

/// What is known about an integer of `bits` bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Info {
    pub bits: u32,
    pub zeros: u64,
    pub ones: u64,
    pub ulo: u64,
    pub uhi: u64,
    pub slo: i64,
    pub shi: i64,
    /// Of the signed reading.
    pub sres: Residue,
    /// Of the unsigned reading.
    pub ures: Residue,
}

pub(super) fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

pub(super) fn signed(v: u64, bits: u32) -> i64 {
    let shift = 64 - bits.clamp(1, 64);
    ((v << shift) as i64) >> shift
}

impl Info {
    pub(super) fn full(bits: u32) -> Self {
        let shi = i64::MAX >> (64 - bits.clamp(1, 64));
        Self {
            bits,
            zeros: 0,
            ones: 0,
            ulo: 0,
            uhi: mask(bits),
            slo: !shi,
            shi,
            sres: Residue::ANY,
            ures: Residue::ANY,
        }
    }

    pub(super) fn constant(c: u64, bits: u32) -> Self {
        Self::unsigned(c, c, bits)
    }

    pub(super) fn unsigned(lo: u64, hi: u64, bits: u32) -> Self {
        let full = Self::full(bits);
        Self { ulo: lo, uhi: hi, ..full }.reduced().unwrap_or(full)
    }

    /// Signed bounds; what lies outside of the type is cut off.
    pub(super) fn signed(lo: i128, hi: i128, bits: u32) -> Self {
        let full = Self::full(bits);
        let (least, most) = (i128::from(full.slo), i128::from(full.shi));
        Self { slo: lo.clamp(least, most) as i64, shi: hi.clamp(least, most) as i64, ..full }.reduced().unwrap_or(full)
    }

    pub(super) fn of_bits(zeros: u64, ones: u64, bits: u32) -> Self {
        let full = Self::full(bits);
        Self { zeros: zeros & mask(bits), ones: ones & mask(bits), ..full }.reduced().unwrap_or(full)
    }

    /// The only value.
    pub(super) fn single(&self) -> Option<u64> {
        (self.ulo == self.uhi).then_some(self.ulo)
    }

    /// How many low bits are known, in a row.
    pub(super) fn known_low(&self) -> u32 {
        (self.zeros | self.ones).trailing_ones().min(self.bits)
    }

    pub(super) fn tz(&self) -> u32 {
        self.zeros.trailing_ones().min(self.bits)
    }

    /// What both say; none if they contradict each other.
    pub(super) fn and(&self, o: &Self) -> Option<Self> {
        debug_assert_eq!(self.bits, o.bits);
        Self {
            bits: self.bits,
            zeros: self.zeros | o.zeros,
            ones: self.ones | o.ones,
            ulo: self.ulo.max(o.ulo),
            uhi: self.uhi.min(o.uhi),
            slo: self.slo.max(o.slo),
            shi: self.shi.min(o.shi),
            sres: self.sres.and(o.sres)?,
            ures: self.ures.and(o.ures)?,
        }
        .reduced()
    }

    /// What either may be.
    pub(super) fn or(&self, o: &Self) -> Self {
        Self {
            bits: self.bits,
            zeros: self.zeros & o.zeros,
            ones: self.ones & o.ones,
            ulo: self.ulo.min(o.ulo),
            uhi: self.uhi.max(o.uhi),
            slo: self.slo.min(o.slo),
            shi: self.shi.max(o.shi),
            sres: self.sres.or(o.sres),
            ures: self.ures.or(o.ures),
        }
    }

    /// Ends that moved since `old` go to the type's own.
    pub(super) fn widened(&self, old: &Self) -> Self {
        let full = Self::full(self.bits);
        let mut r = *self;
        if r.ulo < old.ulo {
            r.ulo = 0;
        }
        if r.uhi > old.uhi {
            r.uhi = full.uhi;
        }
        if r.slo < old.slo {
            r.slo = full.slo;
        }
        if r.shi > old.shi {
            r.shi = full.shi;
        }
        // Bits that follow from ends that went; those at the bottom follow from residues.
        let m = mask(self.bits);
        let keep = mask(r.known_low()) & if r.known_low() == 0 { 0 } else { m } | (m ^ m >> 1);
        r.zeros &= keep;
        r.ones &= keep;
        r
    }

    /// Each part narrowed by the others; none if no number is left.
    pub(super) fn reduced(mut self) -> Option<Self> {
        for _ in 0..3 {
            let before = self;
            if self.zeros & self.ones != 0 || self.ulo > self.uhi || self.slo > self.shi {
                return None;
            }
            self.by_bits();
            if self.ulo > self.uhi || self.slo > self.shi {
                return None;
            }
            self.by_sign();
            if self.ulo > self.uhi || self.slo > self.shi {
                return None;
            }
            self.by_residue()?;
            if self == before {
                break;
            }
        }
        (self.zeros & self.ones == 0 && self.ulo <= self.uhi && self.slo <= self.shi).then_some(self)
    }

    fn by_bits(&mut self) {
        let m = mask(self.bits);
        self.ulo = self.ulo.max(self.ones);
        self.uhi = self.uhi.min(!self.zeros & m);
        if self.ulo > self.uhi {
            return;
        }
        // Leading bits that both ends share.
        let differ = self.ulo ^ self.uhi;
        let same = m & !(u64::MAX.checked_shr(differ.leading_zeros()).unwrap_or(0));
        self.ones |= self.ulo & same;
        self.zeros |= !self.ulo & same;
        let sign = m ^ m >> 1;
        let full = Self::full(self.bits);
        if self.zeros & sign != 0 {
            self.slo = self.slo.max(0);
        }
        if self.ones & sign != 0 {
            self.shi = self.shi.min(-1);
        }
        if self.bits > 1 {
            // The largest and smallest number with these bits.
            let most = signed(!self.zeros & m & !sign | self.ones & sign, self.bits);
            let least = signed(self.ones & !sign | sign & !self.zeros, self.bits);
            self.shi = self.shi.min(most.min(full.shi));
            self.slo = self.slo.max(least.max(full.slo));
        }
    }

    fn by_sign(&mut self) {
        let m = mask(self.bits);
        let half = m >> 1;
        if self.uhi <= half || self.ulo > half {
            self.slo = self.slo.max(signed(self.ulo, self.bits));
            self.shi = self.shi.min(signed(self.uhi, self.bits));
        }
        if self.slo > self.shi {
            return;
        }
        if self.slo >= 0 || self.shi < 0 {
            self.ulo = self.ulo.max(self.slo as u64 & m);
            self.uhi = self.uhi.min(self.shi as u64 & m);
        }
    }

    fn by_residue(&mut self) -> Option<()> {
        let k = self.known_low().min(31);
        let low = Residue::new(1 << k, i128::from(self.ones & mask(k.max(1)) & if k == 0 { 0 } else { u64::MAX }));
        self.sres = self.sres.and(low)?;
        self.ures = self.ures.and(low)?;
        if self.slo >= 0 {
            let both = self.sres.and(self.ures)?;
            (self.sres, self.ures) = (both, both);
        }
        if self.ulo == self.uhi {
            self.ures = self.ures.and(Residue::exact(self.ulo.into()))?;
        }
        if self.slo == self.shi {
            self.sres = self.sres.and(Residue::exact(self.slo.into()))?;
        }
        for r in [self.sres, self.ures] {
            let low = (1u64 << r.twos().min(31)) - 1;
            let known = r.rem.rem_euclid(1 << 32) as u64 & low & mask(self.bits);
            self.ones |= known;
            self.zeros |= !known & low & mask(self.bits);
        }
        // Ends move to the next number with the residue.
        let up = |lo: i128, r: Residue| {
            if r.modulus == 0 { lo.max(r.rem) } else { lo + (r.rem - lo).rem_euclid(i128::from(r.modulus)) }
        };
        let down = |hi: i128, r: Residue| {
            if r.modulus == 0 { hi.min(r.rem) } else { hi - (hi - r.rem).rem_euclid(i128::from(r.modulus)) }
        };
        let (ulo, uhi) = (up(self.ulo.into(), self.ures), down(self.uhi.into(), self.ures));
        let (slo, shi) = (up(self.slo.into(), self.sres), down(self.shi.into(), self.sres));
        if ulo > uhi || slo > shi {
            return None;
        }
        self.ulo = ulo as u64;
        self.uhi = uhi as u64;
        self.slo = slo as i64;
        self.shi = shi as i64;
        Some(())
    }

    /// Whether the comparison holds for all, or no, pairs of values.
    pub(super) fn compare(&self, cc: IntCC, o: &Self) -> Option<bool> {
        use IntCC::*;
        match cc {
            Eq | Ne => {
                let equal = self.single().is_some() && self.single() == o.single();
                let apart = self.and(o).is_none();
                (equal || apart).then_some((cc == Eq) == equal)
            }
            Slt => less(self.shi < o.slo, self.slo >= o.shi),
            Sle => less(self.shi <= o.slo, self.slo > o.shi),
            Sgt => less(self.slo > o.shi, self.shi <= o.slo),
            Sge => less(self.slo >= o.shi, self.shi < o.slo),
            Ult => less(self.uhi < o.ulo, self.ulo >= o.uhi),
            Ule => less(self.uhi <= o.ulo, self.ulo > o.uhi),
            Ugt => less(self.ulo > o.uhi, self.uhi <= o.ulo),
            Uge => less(self.ulo >= o.uhi, self.uhi < o.ulo),
        }
    }

    /// What `self cc o` says about `self`; none if it cannot hold.
    pub(super) fn where_compares(&self, cc: IntCC, o: &Self) -> Option<Self> {
        use IntCC::*;
        let mut r = *self;
        match cc {
            Eq => return self.and(o),
            Ne => {
                let Some(c) = o.single() else { return Some(r) };
                let s = signed(c, self.bits);
                if r.single() == Some(c) {
                    return None;
                }
                if r.ulo == c {
                    r.ulo += 1;
                }
                if r.uhi == c {
                    r.uhi -= 1;
                }
                if r.slo == s {
                    r.slo += 1;
                }
                if r.shi == s {
                    r.shi -= 1;
                }
            }
            Ult => r.uhi = r.uhi.min(o.uhi.checked_sub(1)?),
            Ule => r.uhi = r.uhi.min(o.uhi),
            Ugt => r.ulo = r.ulo.max(o.ulo.checked_add(1)?),
            Uge => r.ulo = r.ulo.max(o.ulo),
            Slt => r.shi = r.shi.min(o.shi.checked_sub(1)?),
            Sle => r.shi = r.shi.min(o.shi),
            Sgt => r.slo = r.slo.max(o.slo.checked_add(1)?),
            Sge => r.slo = r.slo.max(o.slo),
        }
        r.reduced()
    }
}

fn less(yes: bool, no: bool) -> Option<bool> {
    (yes || no).then_some(yes)
}
