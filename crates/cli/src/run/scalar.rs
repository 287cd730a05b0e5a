//! Numbers as they are typed, as they lie in memory, and as they are shown.

use half::{bf16, f16};
use launch::kernels::Scalar;

/// The scalar type and number of components of a type's name: `f32`, `float`, `uchar4`, `unsigned`.
pub(crate) fn named(name: &str) -> Option<(Scalar, u32)> {
    if let Some(s) = scalar_named(name) {
        return Some((s, 1));
    }
    // C's vectors: a C name and a number of components.
    let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    let (base, count) = (&name[..name.len() - digits.len()], digits.parse().ok()?);
    let known = matches!(count, 2 | 3 | 4 | 8 | 16) && !matches!(base, "i" | "u" | "f" | "bf");
    scalar_named(base).filter(|_| known).map(|s| (s, count))
}

fn scalar_named(name: &str) -> Option<Scalar> {
    Some(match name {
        "bool" => Scalar::Bool,
        "i8" | "int8" | "char" => Scalar::I8,
        "u8" | "uint8" | "uchar" => Scalar::U8,
        "i16" | "int16" | "short" => Scalar::I16,
        "u16" | "uint16" | "ushort" => Scalar::U16,
        "i32" | "int32" | "int" => Scalar::I32,
        "u32" | "uint32" | "uint" | "unsigned" => Scalar::U32,
        "i64" | "int64" | "long" => Scalar::I64,
        "u64" | "uint64" | "ulong" => Scalar::U64,
        "f16" | "float16" | "half" => Scalar::F16,
        "bf16" | "bfloat16" => Scalar::BF16,
        "f32" | "float32" | "float" => Scalar::F32,
        "f64" | "float64" | "double" => Scalar::F64,
        _ => return None,
    })
}

/// The short name of a scalar type.
pub(crate) fn name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::I8 => "i8",
        Scalar::U8 => "u8",
        Scalar::I16 => "i16",
        Scalar::U16 => "u16",
        Scalar::I32 => "i32",
        Scalar::U32 => "u32",
        Scalar::I64 => "i64",
        Scalar::U64 => "u64",
        Scalar::F16 => "f16",
        Scalar::BF16 => "bf16",
        Scalar::F32 => "f32",
        Scalar::F64 => "f64",
    }
}

/// The least and greatest integer of an integer type.
fn range(scalar: Scalar) -> (i128, i128) {
    let bits = scalar.bytes() * 8;
    match scalar {
        Scalar::Bool => (0, 1),
        s if s.is_signed() => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        _ => (0, (1 << bits) - 1),
    }
}

/// The bytes of a number as typed.
///
/// # Errors
/// It is no number, or none of this type.
pub(crate) fn parse(text: &str, scalar: Scalar) -> Result<Vec<u8>, String> {
    let text = text.trim();
    if scalar.is_float() {
        let x = parse_float(text).ok_or_else(|| format!("`{text}` is no number"))?;
        let mut bytes = vec![0; scalar.bytes() as usize];
        put_float(&mut bytes, x, scalar);
        return Ok(bytes);
    }
    if scalar == Scalar::Bool && matches!(text, "true" | "false") {
        return Ok(vec![u8::from(text == "true")]);
    }
    let value = parse_integer(text).ok_or_else(|| match text.parse::<f64>() {
        Ok(_) => format!("`{text}` is no integer"),
        Err(_) => format!("`{text}` is no number"),
    })?;
    let (least, most) = range(scalar);
    if value < least || value > most {
        return Err(format!("{text} is not in the range {least} to {most} of its type"));
    }
    Ok(value.to_le_bytes()[..scalar.bytes() as usize].to_vec())
}

/// Decimal, `0x…`, `0b…`, `0o…`, with a sign, `_` between digits, and C's suffixes.
fn parse_integer(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = digits.to_ascii_lowercase().replace('_', "");
    let radix = |prefix: &str, radix| {
        digits.strip_prefix(prefix).and_then(|d| i128::from_str_radix(d.trim_end_matches(['u', 'l']), radix).ok())
    };
    // `from_str_radix` takes signs of its own.
    if digits.contains(['-', '+']) {
        return None;
    }
    let value = radix("0x", 16)
        .or_else(|| radix("0b", 2))
        .or_else(|| radix("0o", 8))
        .or_else(|| digits.trim_end_matches(['u', 'l']).parse().ok())?;
    Some(if negative { -value } else { value })
}

/// What Rust reads, with C's suffix `f`; also integers in other bases.
fn parse_float(text: &str) -> Option<f64> {
    let plain = text.strip_suffix(['f', 'F']).filter(|t| t.ends_with(|c: char| c.is_ascii_digit() || c == '.'));
    if text.starts_with("0x") || text.starts_with("-0x") {
        return parse_integer(text).map(|v| v as f64);
    }
    plain.unwrap_or(text).parse().ok()
}

/// A number in the format of a floating-point type, rounded once. (From `f64`; the way through it is exact to the last
/// place for numbers that were typed with fewer than 17 digits.)
fn put_float(out: &mut [u8], x: f64, scalar: Scalar) {
    match scalar {
        Scalar::F16 => out.copy_from_slice(&f16::from_f64(x).to_le_bytes()),
        Scalar::BF16 => out.copy_from_slice(&bf16::from_f64(x).to_le_bytes()),
        Scalar::F32 => out.copy_from_slice(&(x as f32).to_le_bytes()),
        _ => out.copy_from_slice(&x.to_le_bytes()),
    }
}

/// A number out of memory.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Number {
    /// An integer or truth value.
    Int(i128),
    /// A floating-point number, in its own precision.
    Float(f64, Scalar),
}

impl Number {
    /// Reads the first number of this type; the slice has at least its bytes.
    pub(crate) fn read(bytes: &[u8], scalar: Scalar) -> Self {
        let mut b = [0u8; 8];
        let n = scalar.bytes() as usize;
        b[..n].copy_from_slice(&bytes[..n]);
        let bits = u64::from_le_bytes(b);
        match scalar {
            Scalar::F16 => Self::Float(f16::from_bits(bits as u16).to_f64(), scalar),
            Scalar::BF16 => Self::Float(bf16::from_bits(bits as u16).to_f64(), scalar),
            Scalar::F32 => Self::Float(f32::from_bits(bits as u32).into(), scalar),
            Scalar::F64 => Self::Float(f64::from_bits(bits), scalar),
            s if s.is_signed() => {
                let shift = 64 - 8 * n as u32;
                Self::Int(((bits << shift) as i64 >> shift).into())
            }
            _ => Self::Int(bits.into()),
        }
    }

    /// As `f64`.
    pub(crate) fn to_f64(self) -> f64 {
        match self {
            Self::Int(v) => v as f64,
            Self::Float(v, _) => v,
        }
    }
}

impl std::fmt::Display for Number {
    /// Shortest digits that give the number back.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let plain = |m: f64| m == 0.0 || (1e-5..1e16).contains(&m);
        match *self {
            Self::Int(v) => write!(f, "{v}"),
            Self::Float(v, Scalar::F64) if plain(v.abs()) => write!(f, "{v}"),
            Self::Float(v, Scalar::F64) => write!(f, "{v:e}"),
            Self::Float(v, Scalar::F16) => write!(f, "{}", f16::from_f64(v)),
            Self::Float(v, Scalar::BF16) => write!(f, "{}", bf16::from_f64(v)),
            Self::Float(v, _) if plain(v.abs()) => write!(f, "{}", v as f32),
            Self::Float(v, _) => write!(f, "{:e}", v as f32),
        }
    }
}

/// The numbers of a block of memory; a rest that is no whole number is left out.
pub(crate) fn numbers(bytes: &[u8], scalar: Scalar) -> impl ExactSizeIterator<Item = Number> + '_ {
    bytes.chunks_exact(scalar.bytes() as usize).map(move |c| Number::read(c, scalar))
}

/// Fills memory with 0, 1, 2, …; beyond the type's range it starts again.
pub(crate) fn iota(out: &mut [u8], scalar: Scalar) {
    let n = scalar.bytes() as usize;
    for (i, c) in out.chunks_exact_mut(n).enumerate() {
        match scalar {
            Scalar::Bool => c[0] = (i & 1) as u8,
            s if s.is_float() => put_float(c, i as f64, s),
            _ => c.copy_from_slice(&(i as u64).to_le_bytes()[..n]),
        }
    }
}

/// Fills memory with ones.
pub(crate) fn ones(out: &mut [u8], scalar: Scalar) {
    let n = scalar.bytes() as usize;
    for c in out.chunks_exact_mut(n) {
        if scalar.is_float() {
            put_float(c, 1.0, scalar);
        } else {
            c.copy_from_slice(&1u64.to_le_bytes()[..n]);
        }
    }
}

/// Fills memory with numbers that depend on the seed and the position only: floating-point numbers uniform in [0, 1),
/// integers uniform over their type.
pub(crate) fn random(out: &mut [u8], scalar: Scalar, seed: u64) {
    let n = scalar.bytes() as usize;
    for (i, c) in out.chunks_exact_mut(n).enumerate() {
        let bits = mix(seed, i as u64);
        match scalar {
            Scalar::Bool => c[0] = (bits >> 63) as u8,
            // As many bits as the format has digits, so that 1 is never rounded to.
            Scalar::F64 => put_float(c, (bits >> 11) as f64 / (1u64 << 53) as f64, scalar),
            Scalar::F32 => put_float(c, (bits >> 40) as f64 / (1u64 << 24) as f64, scalar),
            Scalar::F16 => put_float(c, (bits >> 53) as f64 / (1u64 << 11) as f64, scalar),
            Scalar::BF16 => put_float(c, (bits >> 56) as f64 / (1u64 << 8) as f64, scalar),
            _ => c.copy_from_slice(&bits.to_le_bytes()[..n]),
        }
    }
}

/// SplitMix64's output function over a counter.
fn mix(seed: u64, i: u64) -> u64 {
    let mut z =
        seed.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(i.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(named("f32"), Some((Scalar::F32, 1)));
        assert_eq!(named("float4"), Some((Scalar::F32, 4)));
        assert_eq!(named("uchar16"), Some((Scalar::U8, 16)));
        assert_eq!(named("float16"), Some((Scalar::F16, 1)), "numpy's name for half");
        assert_eq!(named("u8"), Some((Scalar::U8, 1)));
        for wrong in ["", "f33", "float5", "i4", "quux", "4"] {
            assert_eq!(named(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn integers() {
        let int = |t: &str, s| parse(t, s).map(|b| Number::read(&b, s).to_string());
        for (text, scalar, want) in [
            ("-1", Scalar::I32, "-1"),
            ("0xffffffff", Scalar::U32, "4294967295"),
            ("0b101", Scalar::U8, "5"),
            ("1_000_000", Scalar::I64, "1000000"),
            ("18446744073709551615", Scalar::U64, "18446744073709551615"),
            ("-9223372036854775808", Scalar::I64, "-9223372036854775808"),
            ("7u", Scalar::U32, "7"),
            ("true", Scalar::Bool, "1"),
        ] {
            assert_eq!(int(text, scalar).as_deref(), Ok(want), "{text}");
        }
        for (text, scalar, want) in [
            ("300", Scalar::U8, "0 to 255"),
            ("-1", Scalar::U32, "0 to 4294967295"),
            ("1.5", Scalar::I32, "no integer"),
            ("x", Scalar::I32, "no number"),
            ("", Scalar::I32, "no number"),
            ("--1", Scalar::I32, "no number"),
            ("2", Scalar::Bool, "0 to 1"),
            ("99999999999999999999999999999999999999999", Scalar::I64, "no integer"),
        ] {
            let e = int(text, scalar).unwrap_err();
            assert!(e.contains(want), "{text}: {e}");
        }
    }

    #[test]
    fn floats() {
        let show = |t: &str, s| parse(t, s).map(|b| Number::read(&b, s).to_string());
        assert_eq!(show("0.1", Scalar::F32).as_deref(), Ok("0.1"));
        assert_eq!(show("2.5f", Scalar::F32).as_deref(), Ok("2.5"));
        assert_eq!(show("-1e-30", Scalar::F32).as_deref(), Ok("-1e-30"));
        assert_eq!(show("inf", Scalar::F64).as_deref(), Ok("inf"));
        assert_eq!(show("1.5", Scalar::F16).as_deref(), Ok("1.5"));
        assert_eq!(show("3", Scalar::BF16).as_deref(), Ok("3"));
        assert_eq!(show("0x10", Scalar::F32).as_deref(), Ok("16"));
        assert!(show("1,2", Scalar::F32).is_err());
    }

    #[test]
    fn generated() {
        let mut b = vec![0; 16];
        iota(&mut b, Scalar::F32);
        assert_eq!(numbers(&b, Scalar::F32).map(Number::to_f64).collect::<Vec<_>>(), [0.0, 1.0, 2.0, 3.0]);
        ones(&mut b, Scalar::I16);
        assert!(numbers(&b, Scalar::I16).all(|n| n == Number::Int(1)));
        let (mut a, mut c) = (vec![0; 4000], vec![0; 4000]);
        random(&mut a, Scalar::F32, 1);
        random(&mut c, Scalar::F32, 2);
        assert_ne!(a, c);
        let mean = numbers(&a, Scalar::F32).map(Number::to_f64).sum::<f64>() / 1000.0;
        assert!((0.45..0.55).contains(&mean), "{mean}");
        for s in [Scalar::F16, Scalar::BF16, Scalar::F32, Scalar::F64] {
            random(&mut a, s, 7);
            assert!(numbers(&a, s).all(|n| (0.0..1.0).contains(&n.to_f64())), "{s:?}");
        }
    }
}
