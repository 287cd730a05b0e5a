//! Decoding of literals: what a spelling means, or what is wrong with it.

/// The length suffix of an integer literal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum IntSize {
    /// None: `int` or wider as the value needs.
    Plain,
    /// `l`: `long`.
    Long,
    /// `ll`: `long long`.
    LongLong,
    /// `z`: `size_t`.
    Size,
}

/// The base an integer literal was written in; decides which types it may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Radix {
    /// `0b101`.
    Binary,
    /// `017`.
    Octal,
    /// `42`.
    Decimal,
    /// `0x2a`.
    Hex,
}

/// An integer literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntLiteral {
    /// Its value.
    pub value: u64,
    /// Its base.
    pub radix: Radix,
    /// Whether it has the suffix `u`.
    pub unsigned: bool,
    /// Its length suffix.
    pub size: IntSize,
}

/// The type suffix of a floating literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatSuffix {
    /// None: `double`.
    Double,
    /// `f`.
    Float,
    /// `h`: `half` (OpenCL C).
    Half,
    /// `l`: `long double`, whose values are those of `double` on every device.
    LongDouble,
}

/// A floating literal, rounded once, to the nearest, to each of the widths it may be used in.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FloatLiteral {
    /// Rounded to `double`.
    pub f64: f64,
    /// Rounded to `float`; not through `double`.
    pub f32: f32,
    /// Rounded to `half`, its bits; not through `float` or `double`.
    pub f16_bits: u16,
    /// Its suffix.
    pub suffix: FloatSuffix,
    /// GNU C's `i` or `j` beside the suffix: the number is imaginary.
    pub imaginary: bool,
}

/// What a number token means.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum NumberLiteral {
    /// An integer.
    Int(IntLiteral),
    /// A floating-point number.
    Float(FloatLiteral),
}

/// The encoding prefix of a character or string literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// None: `char`.
    Plain,
    /// `u8`.
    Utf8,
    /// `u`: `char16_t`.
    Utf16,
    /// `U`: `char32_t`.
    Utf32,
    /// `L`: `wchar_t`, 32 bits.
    Wide,
}

/// A character literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CharLiteral {
    /// Its value: sign-extended from `char` for a plain one; several characters make an `int`, first highest.
    pub value: i64,
    /// Its prefix.
    pub encoding: Encoding,
    /// How many characters it has; more than one is worth a warning (`-Wmultichar`).
    pub chars: u32,
}

/// One or more adjacent string literals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StringLiteral {
    /// The code units without the terminating zero; bytes for plain and `u8` strings.
    pub units: Vec<u32>,
    /// The common prefix.
    pub encoding: Encoding,
}

/// What is wrong with a literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LiteralError {
    /// The integer does not fit 64 bits.
    IntTooLarge,
    /// The suffix is unknown.
    BadSuffix(String),
    /// A digit that the base does not have.
    BadDigit(char),
    /// `0x` or `0b` without digits.
    NoDigits,
    /// An exponent without digits.
    NoExponentDigits,
    /// A hexadecimal float without `p`.
    HexNeedsExponent,
    /// `'` not between digits.
    BadSeparator,
    /// `''`.
    EmptyChar,
    /// More characters than fit.
    CharTooLong,
    /// An escape that does not exist.
    UnknownEscape(char),
    /// An escape whose value does not fit the character type.
    EscapeOutOfRange,
    /// `\x` or `\u` without its digits.
    EscapeNeedsDigits,
    /// A code point that is none.
    BadCodePoint(u32),
    /// The closing quote is missing, or the spelling is no such literal.
    Malformed,
    /// Adjacent strings whose prefixes differ.
    MixedEncodings,
}

impl std::fmt::Display for LiteralError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::IntTooLarge => f.write_str("integer literal is too large for any integer type"),
            Self::BadSuffix(s) => write!(f, "invalid suffix `{s}` on literal"),
            Self::BadDigit(c) => write!(f, "invalid digit `{c}` in literal"),
            Self::NoDigits => f.write_str("literal has no digits after its prefix"),
            Self::NoExponentDigits => f.write_str("exponent has no digits"),
            Self::HexNeedsExponent => f.write_str("hexadecimal floating literal requires an exponent"),
            Self::BadSeparator => f.write_str("digit separator must stand between digits"),
            Self::EmptyChar => f.write_str("empty character literal"),
            Self::CharTooLong => f.write_str("character literal has too many characters for its type"),
            Self::UnknownEscape(c) => write!(f, "unknown escape sequence `\\{c}`"),
            Self::EscapeOutOfRange => f.write_str("escape sequence out of range"),
            Self::EscapeNeedsDigits => f.write_str("escape sequence has too few digits"),
            Self::BadCodePoint(c) => write!(f, "`{c:#x}` is no Unicode scalar value"),
            Self::Malformed => f.write_str("malformed literal"),
            Self::MixedEncodings => f.write_str("adjacent string literals have different prefixes"),
        }
    }
}

impl std::error::Error for LiteralError {}

type Result<T> = std::result::Result<T, LiteralError>;

pub use number::decode_number;
pub use text::{decode_char, decode_string};

mod number;
mod text;
