//! `vprintf`: formats as C does, reading arguments from a buffer in which each stands at its natural alignment.

use crate::exec::{Exec, Item};
use crate::trap::TrapKind;

/// Where a format and its arguments are read from.
pub trait Source {
    /// Why something cannot be read.
    type Error;

    /// `len` bytes, at most 16.
    ///
    /// # Errors
    /// They cannot be read.
    fn bytes(&mut self, address: u64, len: u64) -> Result<Vec<u8>, Self::Error>;

    /// A string that ends in NUL, without it.
    ///
    /// # Errors
    /// It cannot be read.
    fn c_string(&mut self, address: u64) -> Result<Vec<u8>, Self::Error>;
}

/// The interpreter's memory, as a work-item sees it.
pub(crate) struct Watched<'a, 'e>(pub(crate) &'a mut Exec<'e>, pub(crate) &'a mut Item);

impl Source for Watched<'_, '_> {
    type Error = TrapKind;

    fn bytes(&mut self, address: u64, len: u64) -> Result<Vec<u8>, TrapKind> {
        self.0.bytes(self.1, address, len)
    }

    fn c_string(&mut self, address: u64) -> Result<Vec<u8>, TrapKind> {
        self.0.c_string(self.1, address)
    }
}

/// Most output of one call.
const MAX_OUTPUT: usize = 1 << 16;
/// Greatest width and precision; what asks for more gets this.
const MAX_WIDTH: usize = 4096;
/// Most elements of a vector.
const MAX_LANES: usize = 16;

/// A conversion specification: `%`, flags, width, precision, vector length, length modifier, letter.
#[derive(Default)]
struct Spec {
    minus: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    vector: usize,
    /// Bytes of an integer: 1 (`hh`), 2 (`h`), 4, 8 (`l`, `ll`, `z`, `j`, `t`).
    bytes: u64,
    letter: u8,
}

struct Reader {
    buffer: u64,
    at: u64,
}

impl Reader {
    fn take<S: Source>(&mut self, source: &mut S, bytes: u64, align: u64) -> Result<u64, S::Error> {
        self.at = self.at.next_multiple_of(align);
        let data = source.bytes(self.buffer.wrapping_add(self.at), bytes)?;
        self.at += bytes;
        Ok(data.iter().rev().fold(0, |v, &b| v << 8 | u64::from(b)))
    }
}

/// The text of the `printf` with this format and buffer of arguments, and how many arguments were printed (what CUDA's
/// `printf` returns).
///
/// # Errors
/// Those of the source.
pub fn format<S: Source>(source: &mut S, format: u64, buffer: u64) -> Result<(Vec<u8>, u32), S::Error> {
    let text = source.c_string(format)?;
    let mut reader = Reader { buffer, at: 0 };
    let mut out = Vec::new();
    let mut count = 0;
    let mut i = 0;
    while i < text.len() && out.len() < MAX_OUTPUT {
        if text[i] != b'%' {
            out.push(text[i]);
            i += 1;
            continue;
        }
        i += 1;
        if text.get(i) == Some(&b'%') {
            out.push(b'%');
            i += 1;
            continue;
        }
        let spec = parse(source, &text, &mut i, &mut reader)?;
        count += 1;
        one(source, &spec, &mut reader, &mut out)?;
    }
    out.truncate(MAX_OUTPUT);
    Ok((out, count))
}

fn number(text: &[u8], i: &mut usize) -> usize {
    let mut n = 0usize;
    while let Some(d) = text.get(*i).filter(|d| d.is_ascii_digit()) {
        n = (n * 10 + usize::from(d - b'0')).min(MAX_WIDTH);
        *i += 1;
    }
    n
}

fn parse<S: Source>(source: &mut S, text: &[u8], i: &mut usize, reader: &mut Reader) -> Result<Spec, S::Error> {
    let mut s = Spec { bytes: 4, ..Spec::default() };
    while let Some(&c) = text.get(*i) {
        match c {
            b'-' => s.minus = true,
            b'+' => s.plus = true,
            b' ' => s.space = true,
            b'#' => s.alternate = true,
            b'0' => s.zero = true,
            _ => break,
        }
        *i += 1;
    }
    if text.get(*i) == Some(&b'*') {
        *i += 1;
        let w = reader.take(source, 4, 4)? as u32 as i32;
        s.minus |= w < 0;
        s.width = (w.unsigned_abs() as usize).min(MAX_WIDTH);
    } else {
        s.width = number(text, i);
    }
    if text.get(*i) == Some(&b'.') {
        *i += 1;
        s.precision = if text.get(*i) == Some(&b'*') {
            *i += 1;
            let asked = reader.take(source, 4, 4)? as u32 as i32;
            // A negative one is as none (C11 7.21.6.1).
            usize::try_from(asked).ok().map(|n| n.min(MAX_WIDTH))
        } else {
            Some(number(text, i))
        };
    }
    if text.get(*i) == Some(&b'v') {
        *i += 1;
        s.vector = number(text, i).min(MAX_LANES);
    }
    while let Some(&c) = text.get(*i) {
        match (c, s.bytes) {
            (b'h', 2) => s.bytes = 1,
            // `hl` is OpenCL's word for 4-byte elements.
            (b'l', 2) => s.bytes = 4,
            (b'h', _) => s.bytes = 2,
            (b'l' | b'z' | b'j' | b't' | b'L', _) => s.bytes = 8,
            _ => break,
        }
        *i += 1;
    }
    s.letter = text.get(*i).copied().unwrap_or(b'%');
    *i += 1;
    Ok(s)
}

fn one<S: Source>(source: &mut S, s: &Spec, reader: &mut Reader, out: &mut Vec<u8>) -> Result<(), S::Error> {
    let float = matches!(s.letter, b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A');
    if s.vector > 0 {
        let slots = if s.vector == 3 { 4 } else { s.vector as u64 };
        reader.at = reader.at.next_multiple_of((slots * s.bytes).clamp(1, 16));
        for n in 0..s.vector {
            if n > 0 {
                out.push(b',');
            }
            let bits = reader.take(source, s.bytes, s.bytes)?;
            let bits = match s.bytes {
                4 if float => f64::from(f32::from_bits(bits as u32)).to_bits(),
                2 if float => half::f16::from_bits(bits as u16).to_f64().to_bits(),
                _ => bits,
            };
            pad(s, &scalar(s, bits, float), out);
        }
        if s.vector == 3 {
            reader.at += s.bytes;
        }
        return Ok(());
    }
    match s.letter {
        b's' => {
            let address = reader.take(source, 8, 8)?;
            let mut text = if address == 0 { b"(null)".to_vec() } else { source.c_string(address)? };
            text.truncate(s.precision.unwrap_or(usize::MAX));
            pad(s, &text, out);
        }
        b'p' => {
            let v = reader.take(source, 8, 8)?;
            pad(s, format!("{v:#x}").as_bytes(), out);
        }
        _ if float => {
            let bits = reader.take(source, 8, 8)?;
            pad(s, &scalar(s, bits, true), out);
        }
        _ => {
            let bytes = s.bytes.max(4);
            let bits = reader.take(source, bytes, bytes)?;
            pad(s, &scalar(s, bits, false), out);
        }
    }
    Ok(())
}

fn scalar(s: &Spec, bits: u64, float: bool) -> Vec<u8> {
    if float {
        return float_text(s, f64::from_bits(bits)).into_bytes();
    }
    let width = (s.bytes * 8) as u32;
    let unsigned = bits & crate::int::ones(width);
    let signed = crate::int::signed(unsigned, width);
    let digits = match s.letter {
        // A precision of zero and a value of zero give no digits (7.21.6.1 of C11).
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' if s.precision == Some(0) && unsigned == 0 => String::new(),
        b'd' | b'i' => signed.unsigned_abs().to_string(),
        b'x' => format!("{unsigned:x}"),
        b'X' => format!("{unsigned:X}"),
        b'o' => format!("{unsigned:o}"),
        b'c' => return vec![bits as u8],
        _ => unsigned.to_string(),
    };
    let zeros = "0".repeat(s.precision.unwrap_or(1).saturating_sub(digits.len()));
    let prefix = match s.letter {
        b'd' | b'i' => sign(s, signed < 0),
        b'x' if s.alternate && unsigned != 0 => "0x",
        b'X' if s.alternate && unsigned != 0 => "0X",
        b'o' if s.alternate && !digits.starts_with('0') => "0",
        _ => "",
    };
    format!("{prefix}{zeros}{digits}").into_bytes()
}

fn sign(s: &Spec, negative: bool) -> &'static str {
    if negative {
        "-"
    } else if s.plus {
        "+"
    } else if s.space {
        " "
    } else {
        ""
    }
}

fn float_text(s: &Spec, x: f64) -> String {
    let sign = sign(s, x.is_sign_negative() && !x.is_nan());
    let upper = s.letter.is_ascii_uppercase();
    let m = x.abs();
    let precision = s.precision.unwrap_or(6);
    let text = if m.is_nan() {
        "nan".to_owned()
    } else if m.is_infinite() {
        "inf".to_owned()
    } else {
        match s.letter.to_ascii_lowercase() {
            b'f' => format!("{m:.precision$}"),
            b'e' => exponent(m, precision),
            b'g' => general(m, precision.max(1), s.alternate),
            _ => hexadecimal(m, s.precision),
        }
    };
    let text = format!("{sign}{text}");
    if upper { text.to_uppercase() } else { text }
}

fn exponent(m: f64, precision: usize) -> String {
    let t = format!("{m:.precision$e}");
    let (digits, e) = t.split_once('e').unwrap_or((&t, "0"));
    let e: i32 = e.parse().unwrap_or(0);
    format!("{digits}e{}{:02}", if e < 0 { '-' } else { '+' }, e.abs())
}

fn general(m: f64, precision: usize, keep: bool) -> String {
    let e = if m == 0.0 {
        0
    } else {
        format!("{m:.*e}", precision - 1).split_once('e').and_then(|(_, e)| e.parse::<i32>().ok()).unwrap_or(0)
    };
    let scientific = e < -4 || e >= precision as i32;
    let decimals = if scientific { precision - 1 } else { (precision as i32 - 1 - e).max(0) as usize };
    let text = if scientific { exponent(m, decimals) } else { format!("{m:.decimals$}") };
    if keep || !text.contains('.') {
        return text;
    }
    let (digits, tail) = match text.find('e') {
        Some(at) => text.split_at(at),
        None => (text.as_str(), ""),
    };
    format!("{}{tail}", digits.trim_end_matches('0').trim_end_matches('.'))
}

/// `%a`: exact hexadecimal digits; a precision rounds by truncation of zeros only, as all digits are printed.
fn hexadecimal(m: f64, precision: Option<usize>) -> String {
    let bits = m.to_bits();
    let (mut e, mantissa) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let lead = u8::from(e != 0);
    e = if m == 0.0 {
        0
    } else if e == 0 {
        -1022
    } else {
        e - 1023
    };
    let mut digits = format!("{mantissa:013x}");
    match precision {
        Some(p) => {
            while digits.len() < p {
                digits.push('0');
            }
            digits.truncate(p.max(digits.trim_end_matches('0').len()));
        }
        None => digits.truncate(digits.trim_end_matches('0').len()),
    }
    let dot = if digits.is_empty() { "" } else { "." };
    format!("0x{lead}{dot}{digits}p{e:+}")
}

fn pad(s: &Spec, text: &[u8], out: &mut Vec<u8>) {
    let fill = s.width.saturating_sub(text.len());
    if s.minus {
        out.extend_from_slice(text);
        out.resize(out.len() + fill, b' ');
        return;
    }
    // Infinities and NaN are padded with spaces.
    let number = s.letter != b's' && s.letter != b'c' && !text.iter().any(|c| b"nN".contains(c));
    if s.zero && number && !(s.precision.is_some() && b"diuxXo".contains(&s.letter)) {
        // Zeros go after the sign or the prefix.
        let head = if text.starts_with(b"0x") || text.starts_with(b"0X") {
            2
        } else {
            usize::from(text.first().is_some_and(|c| b"+- ".contains(c)))
        };
        out.extend_from_slice(&text[..head]);
        out.resize(out.len() + fill, b'0');
        out.extend_from_slice(&text[head..]);
    } else {
        out.resize(out.len() + fill, b' ');
        out.extend_from_slice(text);
    }
}

#[cfg(test)]
mod tests {
    use super::{Source, format};
    use std::convert::Infallible;

    /// A format at address 0, and the number that every argument is.
    struct Fixed(&'static str, u64);

    impl Source for Fixed {
        type Error = Infallible;

        fn bytes(&mut self, _: u64, len: u64) -> Result<Vec<u8>, Infallible> {
            Ok(self.1.to_le_bytes()[..len as usize].to_vec())
        }

        fn c_string(&mut self, _: u64) -> Result<Vec<u8>, Infallible> {
            Ok(self.0.into())
        }
    }

    #[test]
    fn zero_with_a_precision_of_zero_has_no_digits() {
        let text = |f, value| String::from_utf8(format(&mut Fixed(f, value), 0, 64).unwrap_or_default().0);
        assert_eq!(text("[%.0u][%.0d][%.0x][%.0o][%3.0u][%+.0i]", 0).as_deref(), Ok("[][][][][   ][+]"));
        assert_eq!(text("[%#.0o][%.1u][%u][%.0c]", 0).as_deref(), Ok("[0][0][0][\0]"));
        assert_eq!(text("[%.0u]", 7).as_deref(), Ok("[7]"));
    }
}
