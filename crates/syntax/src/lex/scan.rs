//! The measuring of one token: what it is and where it ends. Pure: nothing is interned or reported.

use super::{Rules, splice_len};
use crate::{TokenFlags, TokenKind};
use source::{Diagnostic, Span};

/// What is wrong with a literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Problem {
    /// The line ends before the quote.
    Unterminated,
    /// The file ends before `)delimiter"`.
    UnterminatedRaw,
    /// A raw string's delimiter is too long or has a forbidden character.
    RawDelimiter,
}

impl Problem {
    #[cold]
    pub(crate) fn diagnostic(self, kind: TokenKind, span: Span) -> Diagnostic {
        match self {
            Self::Unterminated => {
                let (quote, what) = if kind == TokenKind::Char { ('\'', "character") } else { ('"', "string") };
                Diagnostic::error("E0102", span, format!("missing terminating `{quote}` character"))
                    .help(format!("end the {what} literal with `{quote}` on the same line"))
            }
            Self::UnterminatedRaw => Diagnostic::error("E0103", span, "raw string missing its terminating delimiter")
                .help("end it with `)`, the delimiter and `\"`"),
            Self::RawDelimiter => Diagnostic::error("E0104", span, "invalid raw string delimiter").help(
                "a delimiter has at most 16 characters, no space, parenthesis or backslash, and is followed by `(`",
            ),
        }
    }
}

/// A measured token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scan {
    pub(crate) kind: TokenKind,
    /// Offset of the byte after it.
    pub(crate) end: usize,
    pub(crate) flags: TokenFlags,
    pub(crate) problem: Option<Problem>,
    /// A backslash-newline stands in it, or right after it where it might go on: the rest is not valid.
    pub(crate) spliced: bool,
}

impl Scan {
    #[inline]
    fn new(kind: TokenKind, end: usize) -> Self {
        Self { kind, end, flags: TokenFlags::NONE, problem: None, spliced: false }
    }

    fn splice() -> Self {
        Self { spliced: true, ..Self::new(TokenKind::Other, 0) }
    }
}

/// Classes of bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Class {
    Other,
    Ident,
    Digit,
    Punct,
    Quote,
    NonAscii,
}

static CLASS: [Class; 256] = {
    let mut t = [Class::Other; 256];
    let mut i = 0;
    while i < 256 {
        let b = i as u8;
        t[i] = if b.is_ascii_alphabetic() || b == b'_' || b == b'$' {
            Class::Ident
        } else if b.is_ascii_digit() {
            Class::Digit
        } else if b == b'"' || b == b'\'' {
            Class::Quote
        } else if b.is_ascii_punctuation() && b != b'@' && b != b'`' && b != b'\\' {
            Class::Punct
        } else if b >= 0x80 {
            Class::NonAscii
        } else {
            Class::Other
        };
        i += 1;
    }
    t
};

static IDENT: [bool; 256] = {
    let mut t = [false; 256];
    let mut i = 0;
    while i < 256 {
        t[i] = matches!(CLASS[i], Class::Ident | Class::Digit);
        i += 1;
    }
    t
};

/// Whether an ASCII byte can stand inside an identifier.
#[inline]
fn is_ident_byte(b: u8) -> bool {
    IDENT[b as usize]
}

#[inline]
fn at(bytes: &[u8], i: usize) -> u8 {
    bytes.get(i).copied().unwrap_or(0)
}

/// Measures the token at `pos`, which is inside the text and not at white space or a comment.
#[inline]
pub(crate) fn scan(bytes: &[u8], pos: usize, rules: Rules) -> Scan {
    let b = at(bytes, pos);
    match CLASS[b as usize] {
        Class::Ident => ident(bytes, pos, rules),
        Class::Digit => number(bytes, pos, rules),
        Class::Punct => punctuator(bytes, pos, rules),
        Class::Quote => quoted(bytes, pos, b),
        Class::NonAscii => non_ascii(bytes, pos),
        // The `\` of a splice is white space and was skipped; only a lone one gets here.
        Class::Other => Scan::new(TokenKind::Other, (pos + 1).min(bytes.len())),
    }
}

#[inline]
fn ident(bytes: &[u8], pos: usize, rules: Rules) -> Scan {
    let mut i = pos + 1;
    while is_ident_byte(at(bytes, i)) {
        i += 1;
    }
    match at(bytes, i) {
        b'"' | b'\'' => prefixed(bytes, pos, i, rules).unwrap_or(Scan::new(TokenKind::Ident, i)),
        b'\\' if splice_len(bytes, i) > 0 => Scan::splice(),
        b if b >= 0x80 => non_ascii(bytes, pos),
        _ => Scan::new(TokenKind::Ident, i),
    }
}

/// A literal whose prefix is `bytes[pos..quote]`, if that is a prefix.
#[cold]
fn prefixed(bytes: &[u8], pos: usize, quote: usize, rules: Rules) -> Option<Scan> {
    let prefix = &bytes[pos..quote];
    let q = bytes[quote];
    if rules.raw_strings && q == b'"' && matches!(prefix, b"R" | b"LR" | b"uR" | b"UR" | b"u8R") {
        return Some(raw_string(bytes, quote));
    }
    (rules.prefixes && matches!(prefix, b"L" | b"u" | b"U" | b"u8")).then(|| quoted(bytes, quote, q))
}

fn raw_string(bytes: &[u8], quote: usize) -> Scan {
    let kind = TokenKind::String;
    let open = bytes[quote + 1..].iter().take(17).position(|&b| matches!(b, b'(' | b')' | b'\\' | b'"') || b <= b' ');
    let Some(open) = open.map(|n| quote + 1 + n).filter(|&i| bytes[i] == b'(') else {
        // Go on after the line: where the string ends, nobody knows.
        let end = memchr::memchr(b'\n', &bytes[quote..]).map_or(bytes.len(), |n| quote + n);
        return Scan { problem: Some(Problem::RawDelimiter), ..Scan::new(kind, end) };
    };
    let delimiter = &bytes[quote + 1..open];
    let mut i = open + 1;
    while let Some(n) = memchr::memchr(b')', &bytes[i..]) {
        i += n + 1;
        if bytes[i..].starts_with(delimiter) && bytes.get(i + delimiter.len()) == Some(&b'"') {
            return Scan::new(kind, i + delimiter.len() + 1);
        }
    }
    Scan { problem: Some(Problem::UnterminatedRaw), ..Scan::new(kind, bytes.len()) }
}

fn quoted(bytes: &[u8], quote: usize, q: u8) -> Scan {
    let kind = if q == b'"' { TokenKind::String } else { TokenKind::Char };
    let mut i = quote + 1;
    loop {
        match bytes.get(i) {
            Some(&b) if b == q => return Scan::new(kind, i + 1),
            Some(b'\\') => {
                if splice_len(bytes, i) > 0 {
                    return Scan::splice();
                }
                i += 2;
            }
            None | Some(b'\n') => {
                let mut end = i.min(bytes.len());
                if end > 0 && bytes[end - 1] == b'\r' {
                    end -= 1;
                }
                return Scan { problem: Some(Problem::Unterminated), ..Scan::new(kind, end) };
            }
            Some(_) => i += 1,
        }
    }
}

fn number(bytes: &[u8], pos: usize, rules: Rules) -> Scan {
    let mut i = pos + 1;
    loop {
        let b = at(bytes, i);
        match b {
            b'e' | b'E' | b'p' | b'P' => {
                i += 1;
                match at(bytes, i) {
                    b'+' | b'-' => i += 1,
                    b'\\' if splice_len(bytes, i) > 0 => return Scan::splice(),
                    _ => {}
                }
            }
            b'.' => i += 1,
            b'\'' if rules.digit_separators && is_ident_byte(at(bytes, i + 1)) => i += 2,
            b'\\' if splice_len(bytes, i) > 0 => return Scan::splice(),
            _ if is_ident_byte(b) => i += 1,
            _ => return Scan::new(TokenKind::Number, i),
        }
    }
}

/// The character at `i` of valid UTF-8.
fn decode(bytes: &[u8], i: usize) -> Option<char> {
    let len = match bytes.get(i)? {
        0..0x80 => 1,
        0x80..0xe0 => 2,
        0xe0..0xf0 => 3,
        _ => 4,
    };
    std::str::from_utf8(bytes.get(i..i + len)?).ok()?.chars().next()
}

/// An identifier with letters beyond ASCII, or a stray character.
#[cold]
fn non_ascii(bytes: &[u8], pos: usize) -> Scan {
    let mut end = pos;
    while let Some(c) = decode(bytes, end) {
        let letter = if end == pos { c.is_alphabetic() } else { c.is_alphanumeric() };
        if !letter && !matches!(c, '_' | '$') {
            break;
        }
        end += c.len_utf8();
    }
    if end == pos {
        let first = decode(bytes, pos).map_or(1, char::len_utf8);
        return Scan::new(TokenKind::Other, (pos + first).min(bytes.len()));
    }
    if splice_len(bytes, end) > 0 { Scan::splice() } else { Scan::new(TokenKind::Ident, end) }
}

/// The punctuator at `pos`: the longest that fits.
#[inline]
fn punctuator(bytes: &[u8], pos: usize, rules: Rules) -> Scan {
    use TokenKind as K;
    let b = bytes[pos];
    let simple = match b {
        b'(' => K::LParen,
        b')' => K::RParen,
        b'{' => K::LBrace,
        b'}' => K::RBrace,
        b'[' => K::LBracket,
        b']' => K::RBracket,
        b';' => K::Semi,
        b',' => K::Comma,
        b'?' => K::Question,
        b'~' => K::Tilde,
        _ => return operator(bytes, pos, rules),
    };
    Scan::new(simple, pos + 1)
}

fn operator(bytes: &[u8], pos: usize, rules: Rules) -> Scan {
    use TokenKind as K;
    let (b, c) = (bytes[pos], at(bytes, pos + 1));
    if c == b'\\' && splice_len(bytes, pos + 1) > 0 {
        return Scan::splice();
    }
    if b == b'.' && c.is_ascii_digit() {
        return number(bytes, pos, rules);
    }
    let d = at(bytes, pos + 2);
    if d == b'\\' && splice_len(bytes, pos + 2) > 0 && CLASS[c as usize] == Class::Punct {
        return Scan::splice();
    }
    let (kind, len) = match (b, c, d) {
        (b'.', b'.', b'.') => (K::Ellipsis, 3),
        (b'.', b'*', _) if rules.cxx => (K::DotStar, 2),
        (b'.', ..) => (K::Dot, 1),
        (b':', b':', _) if rules.cxx => (K::ColonColon, 2),
        (b':', b'>', _) => return digraph(K::RBracket, pos + 2),
        (b':', ..) => (K::Colon, 1),
        (b'+', b'+', _) => (K::PlusPlus, 2),
        (b'+', b'=', _) => (K::PlusEq, 2),
        (b'+', ..) => (K::Plus, 1),
        (b'-', b'-', _) => (K::MinusMinus, 2),
        (b'-', b'=', _) => (K::MinusEq, 2),
        (b'-', b'>', b'*') if rules.cxx => (K::ArrowStar, 3),
        (b'-', b'>', _) => (K::Arrow, 2),
        (b'-', ..) => (K::Minus, 1),
        (b'*', b'=', _) => (K::StarEq, 2),
        (b'*', ..) => (K::Star, 1),
        (b'/', b'=', _) => (K::SlashEq, 2),
        (b'/', ..) => (K::Slash, 1),
        (b'%', b'=', _) => (K::PercentEq, 2),
        (b'%', b'>', _) => return digraph(K::RBrace, pos + 2),
        (b'%', b':', b'%') if at(bytes, pos + 3) == b':' => return digraph(K::HashHash, pos + 4),
        (b'%', b':', _) => return digraph(K::Hash, pos + 2),
        (b'%', ..) => (K::Percent, 1),
        (b'&', b'&', _) => (K::AmpAmp, 2),
        (b'&', b'=', _) => (K::AmpEq, 2),
        (b'&', ..) => (K::Amp, 1),
        (b'|', b'|', _) => (K::PipePipe, 2),
        (b'|', b'=', _) => (K::PipeEq, 2),
        (b'|', ..) => (K::Pipe, 1),
        (b'^', b'=', _) => (K::CaretEq, 2),
        (b'^', ..) => (K::Caret, 1),
        (b'!', b'=', _) => (K::BangEq, 2),
        (b'!', ..) => (K::Bang, 1),
        (b'=', b'=', _) => (K::EqEq, 2),
        (b'=', ..) => (K::Eq, 1),
        (b'<', b'<', b'=') => (K::LessLessEq, 3),
        (b'<', b'<', _) => (K::LessLess, 2),
        (b'<', b'=', b'>') if rules.three_way => (K::ThreeWay, 3),
        (b'<', b'=', _) => (K::LessEq, 2),
        // `<::` is `<` `::` unless a `:` or `>` follows: std::vector<::T>.
        (b'<', b':', b':') if rules.cxx && !matches!(at(bytes, pos + 3), b':' | b'>') => (K::Less, 1),
        (b'<', b':', _) => return digraph(K::LBracket, pos + 2),
        (b'<', b'%', _) => return digraph(K::LBrace, pos + 2),
        (b'<', ..) => (K::Less, 1),
        (b'>', b'>', b'=') => (K::GreaterGreaterEq, 3),
        (b'>', b'>', _) => (K::GreaterGreater, 2),
        (b'>', b'=', _) => (K::GreaterEq, 2),
        (b'>', ..) => (K::Greater, 1),
        (b'#', b'#', _) => (K::HashHash, 2),
        (b'#', ..) => (K::Hash, 1),
        _ => (K::Other, 1),
    };
    Scan::new(kind, pos + len)
}

fn digraph(kind: TokenKind, end: usize) -> Scan {
    Scan { flags: TokenFlags::DIGRAPH, ..Scan::new(kind, end) }
}
