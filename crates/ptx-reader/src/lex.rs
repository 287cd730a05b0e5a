//! Tokens of PTX.

use crate::error::{Outcome, PtxError};
use source::Span;

/// Kind and contents of a token.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Tok<'a> {
    /// A word: `add`, `%r1`, `$L__BB0_1`, `_`.
    Word(&'a str),
    /// A word behind a dot: `.s32`, `.shared::cta`; without the dot.
    Dot(&'a str),
    /// An integer, its bits.
    Int(u64),
    /// Bits of an `f32`, written `0f3f800000`.
    F32(u32),
    /// A double, written `0d…` or in decimal.
    F64(u64),
    /// A string, without quotes.
    Str(&'a str),
    /// Anything else, one character.
    Punct(char),
    /// The end.
    End,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    pub(crate) tok: Tok<'a>,
    pub(crate) span: Span,
}

/// Longest text that is read, in bytes.
const MAX_TEXT: usize = 32 << 20;

pub(crate) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    base: u32,
}

/// Takes a text apart. `base` is the position of its first byte.
pub(crate) fn tokens(text: &str, base: u32) -> Outcome<Vec<Token<'_>>> {
    if text.len() > MAX_TEXT || u64::from(base) + text.len() as u64 >= u64::from(u32::MAX) {
        return Err(PtxError::limit(Span::new(base, base), "the text is longer than 32 MiB"));
    }
    let mut lexer = Lexer::new(text, base);
    let mut out = Vec::with_capacity(text.len() / 6);
    loop {
        let t = lexer.next()?;
        out.push(t);
        if t.tok == Tok::End {
            return Ok(out);
        }
    }
}

fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c == b'$' || c >= 0x80
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str, base: u32) -> Self {
        Self { text, at: 0, base }
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn span(&self, from: usize) -> Span {
        Span::new(self.base + from as u32, self.base + self.at as u32)
    }

    /// Goes on while the bytes are so.
    fn skip_while(&mut self, f: impl Fn(u8) -> bool) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().position(|&c| !f(c)).unwrap_or(rest.len());
    }

    fn skip_blank(&mut self) -> Outcome<()> {
        loop {
            self.skip_while(|c| c.is_ascii_whitespace());
            match (self.byte(0), self.byte(1)) {
                (b'/', b'/') => self.skip_while(|c| c != b'\n'),
                (b'/', b'*') => {
                    let from = self.at;
                    let Some(n) = self.text[self.at + 2..].find("*/") else {
                        self.at += 2;
                        return Err(PtxError::syntax(self.span(from), "a comment without its end `*/`"));
                    };
                    self.at += n + 4;
                }
                _ => return Ok(()),
            }
        }
    }

    pub(crate) fn next(&mut self) -> Outcome<Token<'a>> {
        self.skip_blank()?;
        let from = self.at;
        if from == self.text.len() {
            return Ok(Token { tok: Tok::End, span: self.span(from) });
        }
        let c = self.byte(0);
        let tok = match c {
            b'0'..=b'9' => self.number()?,
            b'"' => {
                self.at += 1;
                self.skip_while(|c| c != b'"' && c != b'\n');
                if self.byte(0) != b'"' {
                    return Err(PtxError::syntax(self.span(from), "a string without its closing quote"));
                }
                self.at += 1;
                Tok::Str(&self.text[from + 1..self.at - 1])
            }
            b'.' => {
                self.at += 1;
                // `tex.2d` goes on with a word, `.5` begins with a digit.
                let behind_word = from > 0 && is_word(self.text.as_bytes()[from - 1]);
                if self.byte(0).is_ascii_digit() && !behind_word {
                    self.at = from;
                    self.number()?
                } else {
                    self.skip_while(is_word);
                    while self.byte(0) == b':' && self.byte(1) == b':' && is_word(self.byte(2)) {
                        self.at += 2;
                        self.skip_while(is_word);
                    }
                    if self.at == from + 1 {
                        return Err(PtxError::syntax(self.span(from), "a dot without a word"));
                    }
                    Tok::Dot(&self.text[from + 1..self.at])
                }
            }
            b'%' | b'$' => {
                self.at += 1;
                self.skip_while(is_word);
                Tok::Word(&self.text[from..self.at])
            }
            c if is_word(c) => {
                self.skip_while(is_word);
                Tok::Word(&self.text[from..self.at])
            }
            c => {
                self.at += 1;
                Tok::Punct(char::from(c))
            }
        };
        Ok(Token { tok, span: self.span(from) })
    }

    fn number(&mut self) -> Outcome<Tok<'a>> {
        let from = self.at;
        let bad = |s: &Self, why: &str| PtxError::syntax(s.span(from), format!("`{}` {why}", &s.text[from..s.at]));
        let (radix, prefix) = match (self.byte(0), self.byte(1)) {
            (b'0', b'f' | b'F' | b'd' | b'D') => return self.float_bits(),
            (b'0', b'x' | b'X') => (16, 2),
            (b'0', b'b' | b'B') => (2, 2),
            _ => (10, 0),
        };
        self.at += prefix;
        self.skip_while(|c| c.is_ascii_alphanumeric());
        if radix == 10 && (self.byte(0) == b'.' && self.byte(1).is_ascii_digit() || self.has_exponent(from)) {
            return self.decimal(from);
        }
        let digits = self.text[from + prefix..self.at].trim_end_matches(['U', 'u']);
        // A leading zero is octal, as in C.
        let (radix, digits) = match digits.strip_prefix('0') {
            Some(rest) if radix == 10 && !rest.is_empty() => (8, rest),
            _ => (radix, digits),
        };
        match u64::from_str_radix(digits, radix) {
            Ok(n) => Ok(Tok::Int(n)),
            Err(_) => Err(bad(self, "is no integer of 64 bits")),
        }
    }

    fn has_exponent(&self, from: usize) -> bool {
        let word = &self.text[from..self.at];
        word.contains(['e', 'E']) && word.bytes().all(|c| c.is_ascii_digit() || c == b'e' || c == b'E')
    }

    /// `1.5`, `2e10`, `3.0e-5`.
    fn decimal(&mut self, from: usize) -> Outcome<Tok<'a>> {
        if self.byte(0) == b'.' {
            self.at += 1;
            self.skip_while(|c| c.is_ascii_alphanumeric());
        }
        if self.text[from..self.at].ends_with(['e', 'E']) && matches!(self.byte(0), b'+' | b'-') {
            self.at += 1;
            self.skip_while(|c| c.is_ascii_digit());
        }
        let word = &self.text[from..self.at];
        match word.parse::<f64>() {
            Ok(x) => Ok(Tok::F64(x.to_bits())),
            Err(_) => Err(PtxError::syntax(self.span(from), format!("`{word}` is no number"))),
        }
    }

    /// `0f` and eight, `0d` and sixteen hexadecimal digits.
    fn float_bits(&mut self) -> Outcome<Tok<'a>> {
        let from = self.at;
        let single = matches!(self.byte(1), b'f' | b'F');
        self.at += 2;
        self.skip_while(|c| c.is_ascii_alphanumeric());
        let digits = &self.text[from + 2..self.at];
        let want = if single { 8 } else { 16 };
        match u64::from_str_radix(digits, 16) {
            Ok(bits) if digits.len() == want && single => Ok(Tok::F32(bits as u32)),
            Ok(bits) if digits.len() == want => Ok(Tok::F64(bits)),
            _ => Err(PtxError::syntax(
                self.span(from),
                format!("`{}` is no float: {want} hexadecimal digits expected", &self.text[from..self.at]),
            )),
        }
    }
}
