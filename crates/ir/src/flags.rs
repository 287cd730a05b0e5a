//! Promises about, and liberties with, the values of an instruction.

/// Properties of an instruction, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Flags(u16);

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident $bit:literal $text:literal;)*) => {
        impl Flags {
            $($(#[$doc])* pub const $name: Self = Self(1 << $bit);)*
            /// Every flag with the word for it in text IR.
            pub const NAMES: &'static [(Self, &'static str)] = &[$((Self::$name, $text)),*];
        }
    };
}

flags! {
    /// Unsigned arithmetic does not wrap. If it does the result is poison: whatever depends on it is unspecified too,
    /// so that passes may compute in a wider type.
    NUW 0 "nuw";
    /// Signed arithmetic does not wrap; likewise.
    NSW 1 "nsw";
    /// A shift right or division leaves no remainder.
    EXACT 2 "exact";
    /// The access is volatile: it stays, in order.
    VOLATILE 3 "volatile";
    /// No NaN goes in or comes out.
    NNAN 4 "nnan";
    /// No infinity goes in or comes out.
    NINF 5 "ninf";
    /// The sign of zero does not matter.
    NSZ 6 "nsz";
    /// A division may become a multiplication by the reciprocal.
    ARCP 7 "arcp";
    /// May be fused with another operation (fma).
    CONTRACT 8 "contract";
    /// May be computed approximately.
    AFN 9 "afn";
    /// May be reassociated.
    REASSOC 10 "reassoc";
    /// The loaded memory is never written while the kernel runs.
    INVARIANT 11 "invariant";
    /// Pointer arithmetic stays inside its object.
    INBOUNDS 12 "inbounds";
    /// Subnormal inputs and results are flushed to zero (PTX `.ftz`).
    FTZ 13 "ftz";
    /// The result saturates to [0, 1] (PTX `.sat` on floats).
    SAT 14 "sat";
    /// The loaded pointer is `restrict`: what it points to is not accessed in another way. (What a parameter's attribute
    /// says, where a parameter has become a load from a block of arguments.)
    NOALIAS 15 "noalias";
}

impl Flags {
    /// No flag.
    pub const NONE: Self = Self(0);
    /// On products and shifts, with the bit of [`Self::INBOUNDS`]: scales an index by the size of an element. What sizes
    /// are counted by ([`unroll`'s](../../unroll)) asks for it; it promises nothing about values.
    pub const SCALES: Self = Self::INBOUNDS;
    /// On additions of constants to pointers, with the bit of [`Self::EXACT`]: the offset of a member, which is no part of
    /// an index. Likewise.
    pub const MEMBER: Self = Self::EXACT;
    /// On loads and stores, with the bit of [`Self::EXACT`]: a piece, but not the first, of an object that was copied by one access of
    /// its whole size. Likewise.
    pub const PIECE: Self = Self::EXACT;
    /// On loads, with the bit of [`Self::NUW`]: what is loaded is known from another load. Likewise.
    pub const AGAIN: Self = Self::NUW;
    /// On integer sums, products, logic and shifts to the left, with the bit of [`Self::EXACT`]: was used once when loops were first
    /// looked at. Likewise.
    pub const ALONE: Self = Self::EXACT;
    /// On a trap: what an assertion that does not hold comes to. What sizes are counted by asks for it.
    pub const ASSERTION: Self = Self::NUW;
    /// On a jump: its target is not to be merged with its block yet. Only while loops are unrolled.
    pub const APART: Self = Self::NUW;
    /// On calls, with the bit of [`Self::INVARIANT`]: the arguments decide the result, and nothing else happens.
    pub const PURE: Self = Self::INVARIANT;
    /// On conversions of floats to integers, with the bit of [`Self::INVARIANT`]: what is no number gives the highest bit
    /// alone, as NVIDIA's instructions do where one side has 64 bits, and not 0.
    pub const NAN_TOP: Self = Self::INVARIANT;
    /// On roots, with the bit of [`Self::INVARIANT`]: of what is no positive and finite number the result is some number, or none.
    pub const OF_POSITIVE: Self = Self::INVARIANT;
    /// On reciprocals and inverse roots, with the bit of [`Self::INVARIANT`]: eleven bits of a normal number will do.
    pub const ROUGH: Self = Self::INVARIANT;
    /// Every fast-math flag that permits changes of value.
    pub const FAST: Self = Self(
        Self::NNAN.0 | Self::NINF.0 | Self::NSZ.0 | Self::ARCP.0 | Self::CONTRACT.0 | Self::AFN.0 | Self::REASSOC.0,
    );

    /// Whether all of `other` are set.
    #[inline]
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both sets together.
    #[must_use]
    #[inline]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// `self` without `other`.
    #[must_use]
    #[inline]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// What both have: the flags that a merged instruction may keep.
    #[must_use]
    #[inline]
    pub fn common(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The bits.
    pub fn bits(self) -> u16 {
        self.0
    }

    /// Whether none is set.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl std::fmt::Debug for Flags {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<_> = Self::NAMES.iter().filter(|(n, _)| self.has(*n)).map(|(_, t)| *t).collect();
        write!(f, "Flags({})", names.join(" "))
    }
}

impl std::ops::BitOr for Flags {
    type Output = Self;
    fn bitor(self, rhs: Self) -> Self {
        self.with(rhs)
    }
}
