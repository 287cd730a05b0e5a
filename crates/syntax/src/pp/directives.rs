//! Directives: which one it is, and the small ones.

use super::{Preprocessor, TokenKind as K};
use crate::literal::{NumberLiteral, decode_number, decode_string};
use crate::{Token, TokenFlags};
use source::{Diagnostic, LineDirective, Span};

/// Directive names, for the nearest one to a misspelling.
const NAMES: &[&str] = &[
    "define",
    "undef",
    "include",
    "include_next",
    "import",
    "if",
    "ifdef",
    "ifndef",
    "elif",
    "elifdef",
    "elifndef",
    "else",
    "endif",
    "line",
    "error",
    "warning",
    "pragma",
    "ident",
    "sccs",
    "assert",
    "unassert",
];

impl Preprocessor<'_> {
    /// Obeys the directive that begins with `hash`. A pragma for the parser comes back as tokens.
    pub(super) fn directive(&mut self, hash: Token, in_args: bool) -> Option<Vec<Token>> {
        let file = self.files.len();
        if let Some(f) = self.files.last_mut() {
            f.lexer.in_directive = true;
        }
        self.outermost_call = hash.span;
        let name = self.lex();
        let mut pragma = None;
        match name.kind {
            K::EndOfDirective => {}
            K::Number => self.line(Some(name)),
            K::Ident => pragma = self.named_directive(hash, name, in_args),
            _ => self.unknown_directive(name),
        }
        // The directive may have entered a file; its own line is that of the file it stands in.
        let Self { session, files, .. } = self;
        if let Some(f) = files.get_mut(file - 1)
            && f.lexer.in_directive
        {
            let text = &session.sources.file(f.id).text;
            f.lexer.end_directive(text, &mut source::Diagnostics::default());
        }
        pragma
    }

    fn named_directive(&mut self, hash: Token, name: Token, in_args: bool) -> Option<Vec<Token>> {
        // The names are few and short; no need to intern them.
        let mut word = [0u8; 16];
        let text = self.session.str(name.sym).as_bytes();
        let len = text.len().min(word.len());
        word[..len].copy_from_slice(&text[..len]);
        match &word[..len] {
            b"define" => self.define(),
            b"undef" => self.undef(),
            b"include" | b"include_next" | b"import" if in_args => {
                self.session.report(
                    Diagnostic::error(
                        "E0124",
                        hash.span.to(name.span),
                        "`#include` inside the arguments of a macro call",
                    )
                    .help("put it before the call"),
                );
            }
            b"include" => self.include(name, super::include::Kind::Include),
            b"include_next" => self.include(name, super::include::Kind::Next),
            b"import" => self.include(name, super::include::Kind::Import),
            b"if" => self.if_directive(hash, name),
            b"ifdef" => self.ifdef(hash, name, true),
            b"ifndef" => self.ifdef(hash, name, false),
            b"elif" | b"elifdef" | b"elifndef" | b"else" => self.after_taken_group(hash, name),
            b"endif" => self.endif(hash, name),
            b"line" => self.line(None),
            b"error" | b"warning" => self.error_directive(hash, name),
            b"pragma" => return self.pragma_directive(hash, name),
            b"ident" | b"sccs" | b"assert" | b"unassert" => {}
            _ => self.unknown_directive(name),
        }
        None
    }

    fn unknown_directive(&mut self, name: Token) {
        let text = name.text(&self.session.strings).to_owned();
        let mut d = Diagnostic::error("E0110", name.span, format!("invalid preprocessing directive `#{text}`"));
        if let Some(near) = source::words::nearest(&text, NAMES.iter().copied()) {
            d = d.help(format!("did you mean `#{near}`?")).fix(name.span, near);
        }
        self.session.report(d);
    }

    /// `#error` and `#warning`.
    fn error_directive(&mut self, hash: Token, name: Token) {
        let Self { session, files, .. } = self;
        let Some(f) = files.last_mut() else { return };
        let message = f.lexer.rest_of_line(&session.sources.file(f.id).text).to_owned();
        let span = hash.span.to(name.span);
        let message = if message.is_empty() { "(no message)".to_owned() } else { message };
        if self.session.str(name.sym) == "error" {
            self.session.report(Diagnostic::error("E0128", span, format!("#error {message}")));
        } else {
            self.session.report(Diagnostic::warning("W0108", span, format!("#warning {message}")).group("#warnings"));
        }
    }

    /// `#line N "file"`, and `# N "file" flags` as preprocessed text has it.
    fn line(&mut self, marker: Option<Token>) {
        let first = marker.unwrap_or_else(|| self.next_expanded());
        let number = match (first.kind, decode_number(self.session.str_or_empty(&first), self.opts.dialect)) {
            // Digits are decimal here, even after a 0.
            (K::Number, Ok(NumberLiteral::Int(_))) => self.session.str(first.sym).parse::<u32>().ok(),
            _ => None,
        };
        let Some(line) = number.filter(|&n| n <= 0x7fff_ffff) else {
            let d = Diagnostic::error("E0129", first.span, "`#line` needs a line number, up to 2147483647");
            self.session.report(d);
            return;
        };
        let second = if marker.is_some() { self.lex() } else { self.next_expanded() };
        let name = match second.kind {
            K::EndOfDirective => None,
            K::String => match decode_string(&[self.session.str(second.sym)], self.opts.dialect) {
                Ok(s) => {
                    Some(String::from_utf8_lossy(&s.units.iter().map(|&u| u as u8).collect::<Vec<_>>()).into_owned())
                }
                Err(_) => None,
            },
            _ => {
                let d = Diagnostic::error("E0129", second.span, "`#line` needs a file name in quotes after the number");
                self.session.report(d);
                return;
            }
        };
        if marker.is_none() && name.is_some() {
            self.expect_end("line");
        }
        let Self { session, files, .. } = self;
        let Some(f) = files.last_mut() else { return };
        f.lexer.end_directive(&session.sources.file(f.id).text, &mut source::Diagnostics::default());
        // The line after the directive begins after its newline.
        let pos = f.lexer.base + f.lexer.pos as u32 + 1;
        session.sources.add_line_directive(LineDirective { pos, line, name });
    }

    /// A token of the preprocessor's own making, standing where `at` does.
    pub(super) fn make(&mut self, kind: crate::TokenKind, text: &str, at: Token) -> Token {
        let flags = at.flags.without(TokenFlags::NO_EXPAND);
        Token { kind, flags, sym: self.session.intern(text), span: at.span }
    }

    /// Number of a line, as the user counts, for `__LINE__`.
    pub(super) fn line_of(&self, span: Span) -> u32 {
        self.session.sources.presumed(self.session.sources.call_site(span).lo).map_or(0, |(_, at)| at.line)
    }
}

/// The text of tokens that have one.
pub(super) trait TextOrEmpty {
    /// The token's text, or none.
    fn str_or_empty(&self, t: &Token) -> &str;
}

impl TextOrEmpty for source::Session {
    fn str_or_empty(&self, t: &Token) -> &str {
        t.text(&self.strings)
    }
}
