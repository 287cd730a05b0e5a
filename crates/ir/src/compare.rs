//! Conditions of comparisons.

/// Integer comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum IntCC {
    Eq,
    Ne,
    Slt,
    Sle,
    Sgt,
    Sge,
    Ult,
    Ule,
    Ugt,
    Uge,
}

impl IntCC {
    /// Every condition.
    pub const ALL: [Self; 10] =
        [Self::Eq, Self::Ne, Self::Slt, Self::Sle, Self::Sgt, Self::Sge, Self::Ult, Self::Ule, Self::Ugt, Self::Uge];

    /// The word for it in text IR.
    pub fn name(self) -> &'static str {
        ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"][self as usize]
    }

    /// `!(a cc b) == a cc.inverse() b`
    pub fn inverse(self) -> Self {
        use IntCC::*;
        match self {
            Eq => Ne,
            Ne => Eq,
            Slt => Sge,
            Sle => Sgt,
            Sgt => Sle,
            Sge => Slt,
            Ult => Uge,
            Ule => Ugt,
            Ugt => Ule,
            Uge => Ult,
        }
    }

    /// `a cc b == b cc.swapped() a`
    pub fn swapped(self) -> Self {
        use IntCC::*;
        match self {
            Eq => Eq,
            Ne => Ne,
            Slt => Sgt,
            Sle => Sge,
            Sgt => Slt,
            Sge => Sle,
            Ult => Ugt,
            Ule => Uge,
            Ugt => Ult,
            Uge => Ule,
        }
    }

    /// Whether it compares signed numbers (not: equality).
    pub fn is_signed(self) -> bool {
        (Self::Slt..=Self::Sge).contains(&self)
    }

    /// Whether it compares unsigned numbers (not: equality).
    pub fn is_unsigned(self) -> bool {
        self >= Self::Ult
    }

    /// Compares two `bits`-wide integers held zero-extended.
    pub fn eval(self, a: u64, b: u64, bits: u32) -> bool {
        let sext = |x: u64| ((x << (64 - bits)) as i64) >> (64 - bits);
        match self {
            Self::Eq => a == b,
            Self::Ne => a != b,
            Self::Slt => sext(a) < sext(b),
            Self::Sle => sext(a) <= sext(b),
            Self::Sgt => sext(a) > sext(b),
            Self::Sge => sext(a) >= sext(b),
            Self::Ult => a < b,
            Self::Ule => a <= b,
            Self::Ugt => a > b,
            Self::Uge => a >= b,
        }
    }
}

/// Float comparisons: `O…` are false, `U…` true when an operand is NaN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum FloatCC {
    Oeq,
    One,
    Olt,
    Ole,
    Ogt,
    Oge,
    Ord,
    Uno,
    Ueq,
    Une,
    Ult,
    Ule,
    Ugt,
    Uge,
}

impl FloatCC {
    /// Every condition.
    pub const ALL: [Self; 14] = [
        Self::Oeq,
        Self::One,
        Self::Olt,
        Self::Ole,
        Self::Ogt,
        Self::Oge,
        Self::Ord,
        Self::Uno,
        Self::Ueq,
        Self::Une,
        Self::Ult,
        Self::Ule,
        Self::Ugt,
        Self::Uge,
    ];

    /// The word for it in text IR.
    pub fn name(self) -> &'static str {
        ["oeq", "one", "olt", "ole", "ogt", "oge", "ord", "uno", "ueq", "une", "ult", "ule", "ugt", "uge"]
            [self as usize]
    }

    /// `!(a cc b) == a cc.inverse() b`
    pub fn inverse(self) -> Self {
        use FloatCC::*;
        match self {
            Oeq => Une,
            One => Ueq,
            Olt => Uge,
            Ole => Ugt,
            Ogt => Ule,
            Oge => Ult,
            Ord => Uno,
            Uno => Ord,
            Ueq => One,
            Une => Oeq,
            Ult => Oge,
            Ule => Ogt,
            Ugt => Ole,
            Uge => Olt,
        }
    }

    /// `a cc b == b cc.swapped() a`
    pub fn swapped(self) -> Self {
        use FloatCC::*;
        match self {
            Olt => Ogt,
            Ole => Oge,
            Ogt => Olt,
            Oge => Ole,
            Ult => Ugt,
            Ule => Uge,
            Ugt => Ult,
            Uge => Ule,
            same => same,
        }
    }

    /// Compares two numbers.
    pub fn eval(self, a: f64, b: f64) -> bool {
        let nan = a.is_nan() || b.is_nan();
        match self {
            Self::Oeq => a == b,
            Self::One => !nan && a != b,
            Self::Olt => a < b,
            Self::Ole => a <= b,
            Self::Ogt => a > b,
            Self::Oge => a >= b,
            Self::Ord => !nan,
            Self::Uno => nan,
            Self::Ueq => nan || a == b,
            Self::Une => a != b,
            Self::Ult => nan || a < b,
            Self::Ule => nan || a <= b,
            Self::Ugt => nan || a > b,
            Self::Uge => nan || a >= b,
        }
    }
}
