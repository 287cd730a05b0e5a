//! The tokens of a directive's line: only as fine as clauses need them.

use crate::Text;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    /// A name or keyword.
    Word,
    /// A punctuator of one byte, as itself; longer ones come apart, but `->`, `::`, `&&` and `||` are [`Token::Long`].
    Punct(u8),
    /// A punctuator of two bytes.
    Long,
    /// A number, character or string.
    Literal,
}

/// Splits `text` into tokens; ranges count from `base`.
pub(crate) fn tokens(text: &str, base: usize) -> Vec<(Token, Text)> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut i = 0;
    while let Some(&c) = bytes.get(i) {
        let start = i;
        let kind = match c {
            _ if c.is_ascii_whitespace() => {
                i += 1;
                continue;
            }
            b'_' | b'$' | b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => {
                i = end_of_word(bytes, i);
                Token::Word
            }
            b'0'..=b'9' => {
                i = end_of_number(bytes, i);
                Token::Literal
            }
            b'"' | b'\'' => {
                i = end_of_quoted(bytes, i);
                Token::Literal
            }
            _ if matches!(bytes.get(i..i + 2), Some(b"->" | b"&&" | b"||" | b"<=" | b">=" | b"==" | b"!=")) => {
                i += 2;
                Token::Long
            }
            _ => {
                i += 1;
                Token::Punct(c)
            }
        };
        out.push((kind, base + start..base + i));
    }
    out
}

fn end_of_word(bytes: &[u8], mut i: usize) -> usize {
    while bytes.get(i).is_some_and(|c| matches!(c, b'_' | b'$' | 0x80..) || c.is_ascii_alphanumeric()) {
        i += 1;
    }
    i
}

fn end_of_number(bytes: &[u8], mut i: usize) -> usize {
    while bytes.get(i).is_some_and(|c| matches!(c, b'_' | b'.') || c.is_ascii_alphanumeric()) {
        let exponent = matches!(bytes[i], b'e' | b'E' | b'p' | b'P');
        i += 1;
        if exponent && matches!(bytes.get(i), Some(b'+' | b'-')) && !bytes[..i].ends_with(b"0x") {
            i += 1;
        }
    }
    i
}

fn end_of_quoted(bytes: &[u8], start: usize) -> usize {
    let mut i = start + 1;
    while let Some(&c) = bytes.get(i) {
        i += if c == b'\\' { 2 } else { 1 };
        if c == bytes[start] {
            break;
        }
    }
    i.min(bytes.len())
}
