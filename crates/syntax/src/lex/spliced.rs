//! Tokens with a backslash-newline inside.

use super::{Lexer, char_len, scan, splice_len};
use crate::{Token, TokenFlags};
use source::{Diagnostics, Interner};

/// Bytes looked at first; doubled until the token ends inside.
const FIRST_WINDOW: usize = 64;
/// Bytes after a token that decide where it ends, at most.
const LOOK_AHEAD: usize = 4;

impl Lexer {
    /// The token here, its splices removed: measured in a copy of the text that grows until the token fits, so that
    /// the cost stays proportional to the token.
    #[cold]
    pub(super) fn next_spliced(
        &mut self,
        text: &str,
        flags: TokenFlags,
        strings: &mut Interner,
        diagnostics: &mut Diagnostics,
    ) -> Token {
        let start = self.pos;
        let mut window = FIRST_WINDOW;
        loop {
            let (joined, whole) = join(text, start, window);
            let s = scan(joined.as_bytes(), 0, self.rules);
            if whole || s.end + LOOK_AHEAD <= joined.len() {
                let end = original_offset(text, start, s.end);
                self.pos = end;
                let span = self.span(start, end);
                let spelling = &joined[..s.end];
                if s.kind.is_punctuator() {
                    return Token { flags: flags.with(s.flags), ..Token::punct(s.kind, span) };
                }
                if s.problem.is_some() {
                    return self.finish_problem(s, spelling, flags, span, strings, diagnostics);
                }
                return Token { kind: s.kind, flags, sym: strings.intern(spelling), span };
            }
            window *= 2;
        }
    }
}

/// Text from `start` on without splices, at least `window` bytes of it unless the text ends first (then true).
fn join(text: &str, start: usize, window: usize) -> (String, bool) {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(window + 4);
    let mut i = start;
    while i < bytes.len() {
        match splice_len(bytes, i) {
            0 => {
                let n = char_len(text, i);
                out.push_str(&text[i..i + n]);
                i += n;
            }
            n => i += n,
        }
        if out.len() >= window {
            return (out, i >= bytes.len());
        }
    }
    (out, true)
}

/// Where the `len`-th byte of the joined text ends in the original.
fn original_offset(text: &str, start: usize, len: usize) -> usize {
    let bytes = text.as_bytes();
    let (mut i, mut seen) = (start, 0);
    while seen < len && i < bytes.len() {
        match splice_len(bytes, i) {
            0 => {
                i += 1;
                seen += 1;
            }
            n => i += n,
        }
    }
    i
}
