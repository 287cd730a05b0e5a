//! White space, comments and line splices.

use super::Lexer;
use crate::TokenFlags;
use source::{Diagnostic, Diagnostics, Span};

/// Whether a byte may begin white space, a comment or a splice.
#[inline]
pub(super) fn may_be_trivia(b: u8) -> bool {
    b <= b' ' || b == b'/' || b == b'\\'
}

/// Length of the backslash-newline at `pos`; 0 where there is none. Blanks between the two are accepted, as every
/// compiler does.
#[inline]
pub(crate) fn splice_len(bytes: &[u8], pos: usize) -> usize {
    if bytes.get(pos) != Some(&b'\\') {
        return 0;
    }
    let mut i = pos + 1;
    while let Some(b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c') = bytes.get(i) {
        i += 1;
    }
    if bytes.get(i) == Some(&b'\n') { i + 1 - pos } else { 0 }
}

/// The offset of the newline (or of the end) that ends a `//` comment begun before `pos`.
pub(crate) fn skip_line_comment(bytes: &[u8], mut pos: usize) -> usize {
    loop {
        let Some(n) = memchr::memchr(b'\n', &bytes[pos.min(bytes.len())..]) else { return bytes.len() };
        let end = pos + n;
        // A comment that ends in a backslash goes on.
        let line = &bytes[pos..end];
        let last = line.iter().rev().find(|b| !matches!(b, b' ' | b'\t' | b'\r'));
        if last != Some(&b'\\') {
            return end;
        }
        pos = end + 1;
    }
}

/// The offset after the `*/` that ends a comment whose text begins at `pos`; `None` if nothing ends it.
pub(crate) fn skip_block_comment(bytes: &[u8], mut pos: usize) -> Option<usize> {
    loop {
        let star = pos + memchr::memchr(b'*', bytes.get(pos..)?)?;
        let mut next = star + 1;
        loop {
            match splice_len(bytes, next) {
                0 => break,
                n => next += n,
            }
        }
        if bytes.get(next) == Some(&b'/') {
            return Some(next + 1);
        }
        pos = star + 1;
    }
}

impl Lexer {
    /// Skips white space and comments and notes them for the next token. False at the end: of the text, or of the
    /// directive's line, whose newline is not consumed.
    pub(crate) fn skip_trivia(&mut self, bytes: &[u8], mut diagnostics: Option<&mut Diagnostics>) -> bool {
        loop {
            let Some(&b) = bytes.get(self.pos) else { return false };
            match b {
                b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c' => {
                    self.pos += 1;
                    while bytes.get(self.pos) == Some(&b' ') {
                        self.pos += 1;
                    }
                    self.pending = self.pending.with(TokenFlags::LEADING_SPACE);
                }
                b'\n' => {
                    if self.in_directive {
                        return false;
                    }
                    self.pos += 1;
                    self.pending = TokenFlags::START_OF_LINE;
                }
                b'/' => match self.comment_end(bytes, diagnostics.as_deref_mut()) {
                    Some(end) => {
                        self.pos = end;
                        self.pending = self.pending.with(TokenFlags::LEADING_SPACE);
                    }
                    None => return true,
                },
                b'\\' => match splice_len(bytes, self.pos) {
                    0 => return true,
                    n => {
                        if bytes[self.pos + 1..self.pos + n - 1].iter().any(|&b| b != b'\r')
                            && let Some(d) = diagnostics.as_deref_mut()
                        {
                            let at = self.base + self.pos as u32;
                            d.report(
                                Diagnostic::warning(
                                    "W0102",
                                    Span::new(at, at + 1),
                                    "backslash and newline separated by space",
                                )
                                .group("backslash-newline-escape"),
                            );
                        }
                        self.pos += n;
                        self.pending = self.pending.with(TokenFlags::LEADING_SPACE);
                    }
                },
                _ => return true,
            }
        }
    }

    /// The end of the comment that begins here; `None` if this is no comment.
    fn comment_end(&self, bytes: &[u8], diagnostics: Option<&mut Diagnostics>) -> Option<usize> {
        let mut second = self.pos + 1;
        loop {
            match splice_len(bytes, second) {
                0 => break,
                n => second += n,
            }
        }
        match bytes.get(second) {
            Some(b'/') => Some(skip_line_comment(bytes, second + 1)),
            Some(b'*') => Some(skip_block_comment(bytes, second + 1).unwrap_or_else(|| {
                if let Some(d) = diagnostics {
                    let at = self.base + self.pos as u32;
                    d.report(
                        Diagnostic::error("E0101", Span::new(at, at + 2), "unterminated `/*` comment")
                            .help("end the comment with `*/`"),
                    );
                }
                bytes.len()
            })),
            _ => None,
        }
    }
}
