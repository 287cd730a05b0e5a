//! Character and string literals.

use super::{CharLiteral, Encoding, LiteralError, Result, StringLiteral};
use crate::Dialect;

/// The parts of a spelling: prefix, whether raw, and the text between the quotes.
fn split(spelling: &str, quote: char) -> Result<(Encoding, bool, &str)> {
    let (prefix, rest) = spelling.split_once(quote).ok_or(LiteralError::Malformed)?;
    let (raw, prefix) = match prefix.strip_suffix('R') {
        Some(p) => (true, p),
        None => (false, prefix),
    };
    let encoding = match prefix {
        "" => Encoding::Plain,
        "u8" => Encoding::Utf8,
        "u" => Encoding::Utf16,
        "U" => Encoding::Utf32,
        "L" => Encoding::Wide,
        _ => return Err(LiteralError::Malformed),
    };
    let mut inner = rest.strip_suffix(quote).ok_or(LiteralError::Malformed)?;
    if raw {
        let open = inner.find('(').ok_or(LiteralError::Malformed)?;
        let tail = inner.len().checked_sub(open + 1).ok_or(LiteralError::Malformed)?;
        inner = inner.get(open + 1..tail).ok_or(LiteralError::Malformed)?;
    }
    Ok((encoding, raw, inner))
}

/// Largest code unit of an encoding.
fn max_unit(e: Encoding) -> u32 {
    match e {
        Encoding::Plain | Encoding::Utf8 => 0xff,
        Encoding::Utf16 => 0xffff,
        Encoding::Utf32 | Encoding::Wide => u32::MAX,
    }
}

/// A character of a literal: from the text, or by its number.
enum Unit {
    Char(char),
    Raw(u32),
}

/// Reads one character or escape off the front of `s`.
fn next_unit(s: &mut std::str::Chars<'_>, max: u32) -> Result<Option<Unit>> {
    let Some(c) = s.next() else { return Ok(None) };
    if c != '\\' {
        return Ok(Some(Unit::Char(c)));
    }
    let e = s.next().ok_or(LiteralError::Malformed)?;
    let code = match e {
        'n' => 10,
        't' => 9,
        'r' => 13,
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        'e' => 27,
        '\\' | '\'' | '"' | '?' => e as u32,
        '0'..='7' => octal(e, s, max)?,
        'x' => hex(s, max)?,
        'u' | 'U' => return code_point(s, if e == 'u' { 4 } else { 8 }).map(|c| Some(Unit::Char(c))),
        other => return Err(LiteralError::UnknownEscape(other)),
    };
    Ok(Some(Unit::Raw(code)))
}

fn octal(first: char, s: &mut std::str::Chars<'_>, max: u32) -> Result<u32> {
    let mut v = first.to_digit(8).unwrap_or(0);
    for _ in 0..2 {
        let Some(d) = s.clone().next().and_then(|c| c.to_digit(8)) else { break };
        s.next();
        v = v * 8 + d;
    }
    if v > max { Err(LiteralError::EscapeOutOfRange) } else { Ok(v) }
}

fn hex(s: &mut std::str::Chars<'_>, max: u32) -> Result<u32> {
    let (mut v, mut n) = (0u64, 0);
    while let Some(d) = s.clone().next().and_then(|c| c.to_digit(16)) {
        s.next();
        v = (v << 4 | u64::from(d)).min(u64::from(u32::MAX) + 1);
        n += 1;
    }
    match u32::try_from(v) {
        _ if n == 0 => Err(LiteralError::EscapeNeedsDigits),
        Ok(v) if v <= max => Ok(v),
        _ => Err(LiteralError::EscapeOutOfRange),
    }
}

fn code_point(s: &mut std::str::Chars<'_>, digits: u32) -> Result<char> {
    let mut v = 0u32;
    for _ in 0..digits {
        let d = s.next().and_then(|c| c.to_digit(16)).ok_or(LiteralError::EscapeNeedsDigits)?;
        v = v.checked_mul(16).and_then(|v| v.checked_add(d)).ok_or(LiteralError::EscapeOutOfRange)?;
    }
    char::from_u32(v).ok_or(LiteralError::BadCodePoint(v))
}

/// Appends a unit in the encoding.
fn push(out: &mut Vec<u32>, unit: &Unit, encoding: Encoding) {
    match (unit, encoding) {
        (Unit::Raw(v), _) => out.push(*v),
        (Unit::Char(c), Encoding::Plain | Encoding::Utf8) => {
            out.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
        }
        (Unit::Char(c), Encoding::Utf16) => out.extend(c.encode_utf16(&mut [0; 2]).iter().map(|&u| u32::from(u))),
        (Unit::Char(c), Encoding::Utf32 | Encoding::Wide) => out.push(*c as u32),
    }
}

/// Decodes the spelling of a character token.
///
/// # Errors
/// A [`LiteralError`] that says what is wrong with the spelling.
pub fn decode_char(spelling: &str, _dialect: Dialect) -> Result<CharLiteral> {
    let (encoding, _, inner) = split(spelling, '\'')?;
    let mut units = Vec::new();
    let mut chars = inner.chars();
    while let Some(u) = next_unit(&mut chars, max_unit(encoding))? {
        push(&mut units, &u, encoding);
        if units.len() > 4 {
            return Err(LiteralError::CharTooLong);
        }
    }
    let value = match (&units[..], encoding) {
        ([], _) => return Err(LiteralError::EmptyChar),
        ([one], Encoding::Plain) => i64::from(*one as u8 as i8),
        ([one], Encoding::Wide) => i64::from(*one as i32),
        ([one], _) => i64::from(*one),
        (many, Encoding::Plain) => i64::from(many.iter().fold(0u32, |v, &u| v << 8 | u) as i32),
        _ => return Err(LiteralError::CharTooLong),
    };
    Ok(CharLiteral { value, encoding, chars: units.len() as u32 })
}

/// Decodes adjacent string tokens into one string.
///
/// # Errors
/// A [`LiteralError`] that says what is wrong with a spelling.
pub fn decode_string(spellings: &[&str], _dialect: Dialect) -> Result<StringLiteral> {
    let mut encoding = Encoding::Plain;
    for s in spellings {
        let (e, ..) = split(s, '"')?;
        if encoding != Encoding::Plain && e != Encoding::Plain && e != encoding {
            return Err(LiteralError::MixedEncodings);
        }
        if e != Encoding::Plain {
            encoding = e;
        }
    }
    let mut units = Vec::new();
    for s in spellings {
        let (_, raw, inner) = split(s, '"')?;
        if raw {
            inner.chars().for_each(|c| push(&mut units, &Unit::Char(c), encoding));
            continue;
        }
        let mut chars = inner.chars();
        while let Some(u) = next_unit(&mut chars, max_unit(encoding))? {
            push(&mut units, &u, encoding);
        }
    }
    Ok(StringLiteral { units, encoding })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters() {
        let value = |s: &str| decode_char(s, Dialect::CUDA).map(|c| c.value);
        for (s, v) in [
            ("'a'", 97),
            ("'\\n'", 10),
            ("'\\0'", 0),
            ("'\\377'", -1),
            ("'\\xff'", -1),
            ("L'\\xff'", 255),
            ("u'\\u00e9'", 0xe9),
            ("U'\\U0001F600'", 0x1f600),
            ("'ab'", 0x6162),
            ("'\\''", 39),
        ] {
            assert_eq!(value(s), Ok(v), "{s}");
        }
        assert_eq!(value("''"), Err(LiteralError::EmptyChar));
        assert_eq!(value("'\\q'"), Err(LiteralError::UnknownEscape('q')));
        assert_eq!(value("'\\x'"), Err(LiteralError::EscapeNeedsDigits));
        assert_eq!(value("'\\x100'"), Err(LiteralError::EscapeOutOfRange));
        assert_eq!(value("'abcde'"), Err(LiteralError::CharTooLong));
        assert_eq!(value("'"), Err(LiteralError::Malformed));
        assert_eq!(value("U'\\UFFFFFFFF'"), Err(LiteralError::BadCodePoint(u32::MAX)));
    }

    #[test]
    fn strings() {
        let units = |s: &[&str]| decode_string(s, Dialect::CUDA).map(|s| s.units);
        let text = |s: &str| Ok(s.bytes().map(u32::from).collect::<Vec<_>>());
        assert_eq!(units(&["\"a\\tb\"", "\"c\""]), text("a\tbc"));
        assert_eq!(units(&["R\"x(a\\n)\"b)x\""]), text("a\\n)\"b"));
        assert_eq!(units(&["\"é\""]), text("é"));
        assert_eq!(units(&["u\"é\"", "\"a\""]), Ok(vec![0xe9, 97]));
        assert_eq!(units(&["u\"a\"", "U\"a\""]), Err(LiteralError::MixedEncodings));
        assert_eq!(units(&["\"\\1234\""]), text("S4"));
        assert_eq!(units(&["\"a"]), Err(LiteralError::Malformed));
        assert_eq!(units(&["R\"(\""]), Err(LiteralError::Malformed));
        assert_eq!(units(&[]), text(""));
    }
}
