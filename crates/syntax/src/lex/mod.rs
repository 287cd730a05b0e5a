//! The lexer: bytes to tokens.
//!
//! [`Lexer`] is a position in a text that is handed to each call, so that the preprocessor can hold a stack of them
//! without borrowing the source map. White space and comments are skipped by [`trivia`], one token is measured by
//! [`scan`](mod@scan), and only identifiers and literals are interned. Backslash-newlines inside a token are rare and
//! take a slow path of their own ([`spliced`]).

mod scan;
mod spliced;
mod trivia;

use crate::{Dialect, Token, TokenFlags, TokenKind};
use source::{Diagnostic, Diagnostics, Interner, Span};

pub(crate) use scan::{Problem, Scan, scan};
pub(crate) use trivia::{skip_block_comment, skip_line_comment, splice_len};

/// Which lexical rules hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// `R"x(...)x"`.
    pub(crate) raw_strings: bool,
    /// `1'000`.
    pub(crate) digit_separators: bool,
    /// `u8""`, `u""`, `U""`, `L""`.
    pub(crate) prefixes: bool,
    /// `->*`, `.*` and `::`.
    pub(crate) cxx: bool,
    /// `<=>`.
    pub(crate) three_way: bool,
}

impl Rules {
    pub(crate) fn of(dialect: Dialect) -> Self {
        Self {
            raw_strings: dialect.has_raw_strings(),
            digit_separators: dialect.has_digit_separators(),
            prefixes: dialect.has_unicode_literals(),
            cxx: dialect.is_cxx(),
            three_way: matches!(dialect, Dialect::CudaCxx { std } if std >= 20),
        }
    }
}

/// A place in a text, and how to go on from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexer {
    /// Position of the text's first byte in the source map.
    pub(crate) base: u32,
    /// Offset of the next byte.
    pub(crate) pos: usize,
    /// Flags of the next token, from the white space already skipped.
    pub(crate) pending: TokenFlags,
    /// Whether a new line ends the tokens ([`TokenKind::EndOfDirective`], again and again).
    pub(crate) in_directive: bool,
    pub(crate) rules: Rules,
}

impl Lexer {
    pub(crate) fn new(text: &str, base: u32, rules: Rules) -> Self {
        let pos = if text.starts_with('\u{feff}') { 3 } else { 0 };
        Self { base, pos, pending: TokenFlags::START_OF_LINE, in_directive: false, rules }
    }

    fn span(&self, lo: usize, hi: usize) -> Span {
        Span::new(self.base + lo as u32, self.base + hi as u32)
    }

    /// The next token.
    #[inline]
    pub(crate) fn next(&mut self, text: &str, strings: &mut Interner, diagnostics: &mut Diagnostics) -> Token {
        let bytes = text.as_bytes();
        // One space between tokens is what nearly always stands there.
        if bytes.get(self.pos) == Some(&b' ') {
            self.pos += 1;
            self.pending = self.pending.with(TokenFlags::LEADING_SPACE);
        }
        let trivial = bytes.get(self.pos).is_none_or(|&b| trivia::may_be_trivia(b));
        if trivial && !self.skip_trivia(bytes, Some(diagnostics)) {
            let kind = if self.in_directive { TokenKind::EndOfDirective } else { TokenKind::Eof };
            let flags = self.pending;
            return Token { flags, ..Token::punct(kind, self.span(self.pos, self.pos)) };
        }
        let start = self.pos;
        let flags = std::mem::take(&mut self.pending);
        let s = scan(bytes, start, self.rules);
        if s.spliced {
            return self.next_spliced(text, flags, strings, diagnostics);
        }
        self.pos = s.end;
        let span = self.span(start, s.end);
        if s.kind.is_punctuator() {
            return Token { flags: flags.with(s.flags), ..Token::punct(s.kind, span) };
        }
        let spelling = &text[start..s.end];
        if s.problem.is_some() {
            return self.finish_problem(s, spelling, flags, span, strings, diagnostics);
        }
        Token { kind: s.kind, flags, sym: strings.intern(spelling), span }
    }

    /// Reports what is wrong with a literal and mends it.
    #[cold]
    fn finish_problem(
        &self,
        s: Scan,
        spelling: &str,
        flags: TokenFlags,
        span: Span,
        strings: &mut Interner,
        diagnostics: &mut Diagnostics,
    ) -> Token {
        let problem = s.problem.unwrap_or(Problem::Unterminated);
        // In a directive the tokens may never reach the parser: `#define TEXT don't`.
        if self.in_directive && problem == Problem::Unterminated {
            let quote = if s.kind == TokenKind::Char { '\'' } else { '"' };
            diagnostics.report(
                Diagnostic::warning("W0101", span, format!("missing terminating `{quote}` character"))
                    .group("invalid-pp-token"),
            );
            return Token { kind: TokenKind::Other, flags, sym: strings.intern(spelling), span };
        }
        diagnostics.report(problem.diagnostic(s.kind, span));
        let mended = match (problem, s.kind) {
            (Problem::Unterminated, TokenKind::Char) => format!("{}'", spelling.trim_end_matches('\\')),
            (Problem::Unterminated, _) => format!("{}\"", spelling.trim_end_matches('\\')),
            _ => "\"\"".to_owned(),
        };
        Token { kind: s.kind, flags, sym: strings.intern(&mended), span }
    }

    /// Whether the next token is `(`; for the name of a function-like macro. Consumes nothing. A directive between
    /// the name and the parenthesis ends the search.
    pub(crate) fn next_is_lparen(&self, text: &str) -> bool {
        let mut ahead = *self;
        let bytes = text.as_bytes();
        ahead.skip_trivia(bytes, None) && bytes.get(ahead.pos) == Some(&b'(')
    }

    /// Leaves the directive: skips to the line after it.
    pub(crate) fn end_directive(&mut self, text: &str, diagnostics: &mut Diagnostics) {
        let bytes = text.as_bytes();
        while self.skip_trivia(bytes, Some(diagnostics)) {
            let s = scan(bytes, self.pos, self.rules);
            // A splice inside the token: step over its first byte, the rest follows as another token.
            self.pos = if s.spliced { self.pos + char_len(text, self.pos) } else { s.end };
        }
        self.in_directive = false;
    }

    /// The rest of the line as it stands, comments and all, for `#error`; the lexer is then at the line's end.
    pub(crate) fn rest_of_line<'t>(&mut self, text: &'t str) -> &'t str {
        let rest = &text[self.pos..];
        let bytes = rest.as_bytes();
        let mut end = 0;
        loop {
            match memchr::memchr(b'\n', &bytes[end..]) {
                None => break end = bytes.len(),
                Some(n) => {
                    end += n;
                    let line = rest[..end].trim_end_matches('\r');
                    if !line.ends_with('\\') {
                        break;
                    }
                    end += 1;
                }
            }
        }
        self.pos += end;
        rest[..end].trim()
    }
}

fn char_len(text: &str, pos: usize) -> usize {
    text.get(pos..).and_then(|t| t.chars().next()).map_or(1, char::len_utf8)
}

/// The tokens of a text that is no file of its own; `place` gives the span of a stretch of it.
pub(crate) fn lex_text(
    text: &str,
    rules: Rules,
    strings: &mut Interner,
    diagnostics: &mut Diagnostics,
    mut place: impl FnMut(u32, u32) -> Span,
    out: &mut Vec<Token>,
) {
    let mut lexer = Lexer::new(text, 0, rules);
    lexer.pending = TokenFlags::NONE;
    // Its diagnostics would name offsets in no file.
    let mut own = Diagnostics::default();
    loop {
        let mut t = lexer.next(text, strings, &mut own);
        if t.kind == TokenKind::Eof {
            break;
        }
        t.span = place(t.span.lo, t.span.hi);
        if t.flags.has(TokenFlags::START_OF_LINE) {
            t.flags = t.flags.without(TokenFlags::START_OF_LINE).with(TokenFlags::LEADING_SPACE);
        }
        out.push(t);
    }
    for mut d in own.take() {
        for l in &mut d.labels {
            l.span = place(l.span.lo, l.span.hi);
        }
        diagnostics.report(d);
    }
}
