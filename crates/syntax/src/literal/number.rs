//! Integer and floating literals.

use super::{FloatLiteral, FloatSuffix, IntLiteral, IntSize, LiteralError, NumberLiteral, Radix, Result};
use crate::Dialect;
use std::borrow::Cow;

/// Decodes the spelling of a number token.
///
/// # Errors
/// A [`LiteralError`] that says what is wrong with the spelling.
pub fn decode_number(spelling: &str, dialect: Dialect) -> Result<NumberLiteral> {
    let s = without_separators(spelling)?;
    let b = s.as_bytes();
    let (radix, digits) = match b {
        [b'0', b'x' | b'X', ..] => (Radix::Hex, &s[2..]),
        [b'0', b'b' | b'B', ..] => (Radix::Binary, &s[2..]),
        [b'0', ..] => (Radix::Octal, &s[..]),
        [b'1'..=b'9' | b'.', ..] => (Radix::Decimal, &s[..]),
        _ => return Err(LiteralError::Malformed),
    };
    if is_float(digits, radix) {
        return float(&s, digits, radix, dialect).map(NumberLiteral::Float);
    }
    integer(digits, radix).map(NumberLiteral::Int)
}

fn without_separators(s: &str) -> Result<Cow<'_, str>> {
    if !s.contains('\'') {
        return Ok(Cow::Borrowed(s));
    }
    let b = s.as_bytes();
    let hex = s.starts_with("0x") || s.starts_with("0X");
    let digit = |i: usize| b.get(i).is_some_and(|c| if hex { c.is_ascii_hexdigit() } else { c.is_ascii_digit() });
    let bad = (0..b.len()).any(|i| b[i] == b'\'' && (i == 0 || !digit(i - 1) || !digit(i + 1)));
    if bad { Err(LiteralError::BadSeparator) } else { Ok(Cow::Owned(s.replace('\'', ""))) }
}

fn is_float(digits: &str, radix: Radix) -> bool {
    match radix {
        Radix::Hex => digits.contains(['.', 'p', 'P']),
        Radix::Binary => false,
        Radix::Octal | Radix::Decimal => digits.contains(['.', 'e', 'E']),
    }
}

fn integer(digits: &str, radix: Radix) -> Result<IntLiteral> {
    let base: u32 = match radix {
        Radix::Binary => 2,
        Radix::Octal => 8,
        Radix::Decimal => 10,
        Radix::Hex => 16,
    };
    let len =
        digits.bytes().take_while(|b| if base == 16 { b.is_ascii_hexdigit() } else { b.is_ascii_digit() }).count();
    if len == 0 {
        return Err(LiteralError::NoDigits);
    }
    let mut value = 0u64;
    let mut fits = true;
    for c in digits[..len].chars() {
        let d = c.to_digit(base).ok_or(LiteralError::BadDigit(c))?;
        match value.checked_mul(base.into()).and_then(|v| v.checked_add(d.into())) {
            Some(v) => value = v,
            None => fits = false,
        }
    }
    let (unsigned, size) = int_suffix(&digits[len..])?;
    if fits { Ok(IntLiteral { value, radix, unsigned, size }) } else { Err(LiteralError::IntTooLarge) }
}

fn int_suffix(suffix: &str) -> Result<(bool, IntSize)> {
    let bad = || LiteralError::BadSuffix(suffix.to_owned());
    let (mut unsigned, mut size) = (false, IntSize::Plain);
    let mut rest = suffix;
    while let Some(c) = rest.chars().next() {
        let (next, used) = match c {
            'u' | 'U' if !unsigned => {
                unsigned = true;
                (size, 1)
            }
            'l' | 'L' if size == IntSize::Plain => {
                // Both letters of `ll` have the same case.
                if rest[1..].starts_with(c) { (IntSize::LongLong, 2) } else { (IntSize::Long, 1) }
            }
            'z' | 'Z' if size == IntSize::Plain => (IntSize::Size, 1),
            _ => return Err(bad()),
        };
        size = next;
        rest = &rest[used..];
    }
    Ok((unsigned, size))
}

fn float(whole: &str, digits: &str, radix: Radix, dialect: Dialect) -> Result<FloatLiteral> {
    let len = mantissa_and_exponent(digits, radix)?;
    let (suffix, imaginary) = without_unit(&digits[len..], dialect);
    let suffix = match suffix.as_str() {
        "" => FloatSuffix::Double,
        "f" | "F" => FloatSuffix::Float,
        "l" | "L" => FloatSuffix::LongDouble,
        "h" | "H" if dialect.is_opencl() => FloatSuffix::Half,
        _ => return Err(LiteralError::BadSuffix(digits[len..].to_owned())),
    };
    if radix == Radix::Hex {
        let (m, e) = hex_value(&digits[..len]);
        return Ok(FloatLiteral {
            f64: f64::from_bits(round(m, e, 53, 1023)),
            f32: f32::from_bits(round(m, e, 24, 127) as u32),
            f16_bits: round(m, e, 11, 15) as u16,
            suffix,
            imaginary,
        });
    }
    let text = &whole[..len];
    let f64 = text.parse().map_err(|_| LiteralError::Malformed)?;
    let f32 = text.parse().map_err(|_| LiteralError::Malformed)?;
    let f16_bits = if suffix == FloatSuffix::Half { half_bits(text) } else { 0 };
    Ok(FloatLiteral { f64, f32, f16_bits, suffix, imaginary })
}

/// A suffix without GNU C's imaginary unit, and whether it had one, before or behind the others.
fn without_unit(suffix: &str, dialect: Dialect) -> (String, bool) {
    let is_unit = |c: char| matches!(c, 'i' | 'I' | 'j' | 'J');
    let imaginary = dialect.is_c11() && suffix.chars().filter(|&c| is_unit(c)).count() == 1;
    let rest = if imaginary { suffix.replace(is_unit, "") } else { suffix.to_owned() };
    (rest, imaginary)
}

/// The nearest `half` to a decimal number, not through a wider type.
fn half_bits(text: &str) -> u16 {
    use rustc_apfloat::Float;
    // The parser of rustc_apfloat wants a digit on both sides of the point.
    let text = text.replacen('.', "0.", usize::from(text.starts_with('.')));
    rustc_apfloat::ieee::Half::from_str_r(&text, rustc_apfloat::Round::NearestTiesToEven)
        .map_or(0, |v| v.value.to_bits() as u16)
}

/// Length of the number before its suffix, after checking its exponent.
fn mantissa_and_exponent(digits: &str, radix: Radix) -> Result<usize> {
    let b = digits.as_bytes();
    let hex = radix == Radix::Hex;
    let is_digit = |c: &u8| if hex { c.is_ascii_hexdigit() } else { c.is_ascii_digit() };
    let mut i = b.iter().take_while(|c| is_digit(c)).count();
    let mut any = i > 0;
    if b.get(i) == Some(&b'.') {
        i += 1;
        let fraction = b[i..].iter().take_while(|c| is_digit(c)).count();
        any |= fraction > 0;
        i += fraction;
    }
    if !any {
        return Err(LiteralError::NoDigits);
    }
    let marks: &[u8] = if hex { b"pP" } else { b"eE" };
    if !b.get(i).is_some_and(|c| marks.contains(c)) {
        return if hex { Err(LiteralError::HexNeedsExponent) } else { Ok(i) };
    }
    i += 1;
    if matches!(b.get(i), Some(b'+' | b'-')) {
        i += 1;
    }
    let n = b[i..].iter().take_while(|c| c.is_ascii_digit()).count();
    if n == 0 { Err(LiteralError::NoExponentDigits) } else { Ok(i + n) }
}

/// A hexadecimal number as `m × 2^e`; the lowest bit of `m` also stands for all digits that did not fit.
fn hex_value(s: &str) -> (u64, i64) {
    let (mantissa, exponent) = s.split_once(['p', 'P']).unwrap_or((s, "0"));
    let negative = exponent.starts_with('-');
    let size = exponent
        .trim_start_matches(['+', '-'])
        .bytes()
        .fold(0i64, |n, b| n.saturating_mul(10).saturating_add(i64::from(b - b'0')).min(1 << 40));
    let mut e = if negative { -size } else { size };
    let (mut m, mut after_point) = (0u64, false);
    for c in mantissa.chars() {
        let Some(d) = c.to_digit(16) else {
            after_point = true;
            continue;
        };
        if m >> 58 == 0 {
            m = m << 4 | u64::from(d);
            e -= if after_point { 4 } else { 0 };
        } else {
            m |= u64::from(d != 0);
            e += if after_point { 0 } else { 4 };
        }
    }
    (m, e)
}

/// Rounds `m × 2^e` to the IEEE format with `precision` bits and the exponent bias `bias`; gives its bits.
fn round(m: u64, e: i64, precision: i64, bias: i64) -> u64 {
    if m == 0 {
        return 0;
    }
    let top = 63 - i64::from(m.leading_zeros());
    let infinity = ((2 * bias + 1) as u64) << (precision - 1);
    // Exponent of the lowest bit kept: that of a normal number, or that of all subnormal ones.
    let lowest = (e + top - (precision - 1)).max(1 - bias - (precision - 1));
    let shift = lowest - e;
    let kept = if shift <= 0 {
        m << (-shift)
    } else if shift > 64 {
        0
    } else {
        let wide = u128::from(m);
        let (q, r, half) = (wide >> shift, wide & ((1 << shift) - 1), 1u128 << (shift - 1));
        (q + u128::from(r > half || (r == half && q & 1 == 1))) as u64
    };
    // Rounding up may carry into the exponent; the encoding makes that come out right.
    let biased = (lowest + precision - 1 + bias).max(1);
    if biased > 2 * bias + 1 {
        return infinity;
    }
    ((biased as u64 - 1) << (precision - 1)).saturating_add(kept).min(infinity)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(s: &str) -> IntLiteral {
        match decode_number(s, Dialect::CUDA) {
            Ok(NumberLiteral::Int(i)) => i,
            other => panic!("{s}: {other:?}"),
        }
    }

    fn flt(s: &str) -> FloatLiteral {
        match decode_number(s, Dialect::OPENCL) {
            Ok(NumberLiteral::Float(f)) => f,
            other => panic!("{s}: {other:?}"),
        }
    }

    #[test]
    fn integers() {
        assert_eq!(int("0").value, 0);
        assert_eq!(int("017").value, 15);
        assert_eq!(int("0x7Fu"), IntLiteral { value: 127, radix: Radix::Hex, unsigned: true, size: IntSize::Plain });
        assert_eq!(int("0b101").value, 5);
        assert_eq!(int("1'000'000").value, 1_000_000);
        assert_eq!(int("18446744073709551615ULL").value, u64::MAX);
        for (s, size) in [("1l", IntSize::Long), ("1LLu", IntSize::LongLong), ("1uz", IntSize::Size)] {
            assert_eq!(int(s).size, size, "{s}");
        }
    }

    #[test]
    fn bad_numbers() {
        use LiteralError as E;
        for (s, e) in [
            ("18446744073709551616", E::IntTooLarge),
            ("08", E::BadDigit('8')),
            ("0b12", E::BadDigit('2')),
            ("0x", E::NoDigits),
            ("1lL", E::BadSuffix("lL".into())),
            ("1uu", E::BadSuffix("uu".into())),
            ("1.0q", E::BadSuffix("q".into())),
            ("1e", E::NoExponentDigits),
            ("0x1.8", E::HexNeedsExponent),
            ("1''0", E::BadSeparator),
            ("1.2.3", E::BadSuffix(".3".into())),
        ] {
            assert_eq!(decode_number(s, Dialect::CUDA), Err(e), "{s}");
        }
    }

    #[test]
    fn floats_are_rounded_once() {
        assert_eq!(flt("0x1.fffffep127f").f32, f32::MAX);
        assert_eq!(flt("0x1.0p-126f").f32, f32::MIN_POSITIVE);
        assert_eq!(flt("0x1.fffffffffffffp1023").f64, f64::MAX);
        assert_eq!(flt("0x1p-1074").f64, 5e-324);
        assert_eq!(flt("0x1p-1075").f64, 0.0);
        assert_eq!(flt("0x1.8p-1075").f64, 5e-324);
        assert_eq!(flt("0x1p99999999999999999999").f64, f64::INFINITY);
        assert_eq!(flt("0x1.fffffffp127f").f32, f32::INFINITY);
        assert_eq!(flt("0x1.ffcp15h").f16_bits, 0x7bff);
        assert_eq!(flt("0x1.0p-14h").f16_bits, 0x0400);
        assert_eq!(flt("1.0h").f16_bits, 0x3c00);
        assert_eq!(flt(".5h").f16_bits, 0x3800);
        assert_eq!(flt("1.h").f16_bits, 0x3c00);
        assert_eq!(flt("1e9h").f16_bits, 0x7c00);
        // Halfway between two floats but for a digit that a double cannot hold.
        assert_eq!(flt("1.000000059604644775390626f").f32, f32::from_bits(0x3f80_0001));
        assert_eq!(flt("1.00048828125000000000000000001h").f16_bits, 0x3c01);
        assert_eq!(flt("1.f").suffix, FloatSuffix::Float);
        assert_eq!(flt("012.5").f64, 12.5);
    }

    #[test]
    fn hex_floats_agree_with_exact_values() {
        for (bits, text) in [(0x3ff8_0000_0000_0000u64, "0x1.8p0"), (0x0008_0000_0000_0000, "0x1p-1023")] {
            assert_eq!(flt(text).f64.to_bits(), bits, "{text}");
        }
        assert_eq!(flt("0x10000000000000001p0").f64, 18_446_744_073_709_551_616.0);
        assert_eq!(flt("0x.8p1").f64, 1.0);
    }
}
