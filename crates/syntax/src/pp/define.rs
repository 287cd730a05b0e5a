//! `#define` and `#undef`.

use super::Preprocessor;
use super::macros::{Macro, MacroKind, Slot, Variadic};
use super::predefined::Builtin;
use crate::{Token, TokenFlags, TokenKind};
use rustc_hash::FxHashMap;
use source::{Diagnostic, Span, Symbol};

/// Most parameters a macro may have; more is a hostile input.
const MAX_PARAMS: usize = 1 << 16;

/// A parameter list as read.
#[derive(Default)]
struct Params {
    names: Vec<Symbol>,
    /// For lists too long to search.
    index: FxHashMap<Symbol, u32>,
}

impl Params {
    const SHORT: usize = 16;

    fn find(&self, sym: Symbol) -> Option<u32> {
        if self.names.len() <= Self::SHORT {
            return self.names.iter().position(|&n| n == sym).map(|i| i as u32);
        }
        self.index.get(&sym).copied()
    }

    fn push(&mut self, sym: Symbol) -> bool {
        if self.find(sym).is_some() {
            return false;
        }
        self.names.push(sym);
        if self.names.len() > Self::SHORT {
            // Entered when the list becomes too long to search, and one by one after that.
            let from = if self.index.is_empty() { 0 } else { self.names.len() - 1 };
            for (i, &n) in self.names.iter().enumerate().skip(from) {
                self.index.insert(n, i as u32);
            }
        }
        true
    }
}

impl Preprocessor<'_> {
    /// The name after `#define`, `#undef`, `#ifdef` and their like.
    pub(super) fn macro_name(&mut self, directive: &str) -> Option<Token> {
        let t = self.lex();
        match t.kind {
            TokenKind::Ident => {
                let text = self.session.str(t.sym);
                if text == "defined" || matches!(text, "__VA_ARGS__" | "__VA_OPT__") {
                    let message = format!("`{text}` cannot be used as a macro name");
                    if directive == "define" || directive == "undef" || text == "defined" {
                        self.session.report(Diagnostic::error("E0111", t.span, message));
                        return None;
                    }
                }
                if self.poisoned(t.sym) {
                    self.report_poisoned(t);
                    return None;
                }
                Some(t)
            }
            TokenKind::EndOfDirective => {
                let d = Diagnostic::error("E0111", t.span, format!("no macro name given in `#{directive}`"));
                self.session.report(d);
                None
            }
            _ => {
                let d = Diagnostic::error("E0111", t.span, "macro names must be identifiers");
                self.session.report(d);
                None
            }
        }
    }

    /// `#define`.
    pub(super) fn define(&mut self) {
        let Some(name) = self.macro_name("define") else { return };
        let mut first = self.lex();
        let mut params = Params::default();
        let mut variadic = Variadic::No;
        let mut kind = MacroKind::Object;
        if first.kind == TokenKind::LParen && !first.has_space_before() {
            kind = MacroKind::Function;
            let Some(v) = self.macro_params(name, &mut params) else { return };
            variadic = v;
            first = self.lex();
        } else if first.kind != TokenKind::EndOfDirective && !first.has_space_before() {
            self.session.report(
                Diagnostic::warning("W0103", first.span, "whitespace required after macro name")
                    .group("c99-whitespace"),
            );
        }
        let start = self.macros.bodies.len() as u32;
        let Some(has_paste) = self.macro_body(first, kind, variadic, &params) else {
            self.macros.bodies.truncate(start as usize);
            return;
        };
        if kind == MacroKind::Object {
            self.pragma_body(start as usize);
        }
        let end = self.macros.bodies.len() as u32;
        let m = Macro {
            params: params.names.into_boxed_slice(),
            variadic,
            body: (start, end),
            has_paste,
            own: self.files.last().is_some_and(|f| f.own),
            ..Macro::new(kind, self.session.str(name.sym), name.span)
        };
        self.enter_definition(name, m);
    }

    /// `#define X #pragma unroll`: nvcc takes the directive for one where the macro stands, so that it is `_Pragma("unroll")`.
    fn pragma_body(&mut self, start: usize) {
        let [hash, word, rest @ ..] = &self.macros.bodies[start..] else { return };
        let is_pragma = hash.kind == TokenKind::Hash && word.is_ident(self.session.intern("pragma"));
        if !is_pragma || !matches!(self.opts.dialect, crate::Dialect::CudaCxx { .. }) {
            return;
        }
        let text: Vec<&str> = rest.iter().map(|t| self.session.sources.snippet(t.span)).collect();
        let text = format!("\"{}\"", text.join(" ").replace('\\', "\\\\").replace('"', "\\\""));
        let at = *hash;
        self.macros.bodies.truncate(start);
        let token = |kind, sym| Token { kind, sym, ..at };
        let (operator, text) = (self.session.intern("_Pragma"), self.session.intern(&text));
        let open = Token { flags: TokenFlags::NONE, ..Token::punct(TokenKind::LParen, at.span) };
        let close = Token { flags: TokenFlags::NONE, ..Token::punct(TokenKind::RParen, at.span) };
        self.macros.bodies.extend([token(TokenKind::Ident, operator), open, token(TokenKind::String, text), close]);
    }

    /// Reads `a, b, ...)`.
    fn macro_params(&mut self, name: Token, params: &mut Params) -> Option<Variadic> {
        let mut t = self.lex();
        if t.kind == TokenKind::RParen {
            return Some(Variadic::No);
        }
        loop {
            match t.kind {
                TokenKind::Ellipsis => {
                    params.push(self.words.va_args);
                    return self.variadic_end(name).then_some(Variadic::Standard);
                }
                TokenKind::Ident if t.sym == self.words.va_args || t.sym == self.words.va_opt => {
                    return self.bad_params(t, "`__VA_ARGS__` and `__VA_OPT__` cannot be parameters");
                }
                TokenKind::Ident => {
                    if !params.push(t.sym) {
                        let text = format!("duplicate macro parameter name `{}`", self.session.str(t.sym));
                        return self.bad_params(t, &text);
                    }
                    if params.names.len() > MAX_PARAMS {
                        return self.bad_params(t, "macro has too many parameters");
                    }
                }
                TokenKind::EndOfDirective => return self.bad_params(name, "missing `)` in macro parameter list"),
                _ => return self.bad_params(t, "expected a parameter name in macro parameter list"),
            }
            t = self.lex();
            match t.kind {
                TokenKind::RParen => return Some(Variadic::No),
                TokenKind::Ellipsis => return self.variadic_end(name).then_some(Variadic::Named),
                TokenKind::Comma => t = self.lex(),
                TokenKind::EndOfDirective => return self.bad_params(name, "missing `)` in macro parameter list"),
                _ => return self.bad_params(t, "expected `,` or `)` in macro parameter list"),
            }
        }
    }

    fn variadic_end(&mut self, name: Token) -> bool {
        let t = self.lex();
        if t.kind != TokenKind::RParen {
            let at = if t.kind == TokenKind::EndOfDirective { name } else { t };
            self.bad_params(at, "missing `)` after `...` in macro parameter list");
        }
        t.kind == TokenKind::RParen
    }

    fn bad_params(&mut self, at: Token, message: &str) -> Option<Variadic> {
        self.session.report(Diagnostic::error("E0112", at.span, message));
        None
    }

    /// Reads the body into the table; whether it has `##`, or `None` after an error.
    fn macro_body(&mut self, first: Token, kind: MacroKind, variadic: Variadic, params: &Params) -> Option<bool> {
        let start = self.macros.bodies.len();
        let mut t = first;
        let mut has_paste = false;
        while t.kind != TokenKind::EndOfDirective {
            match t.kind {
                TokenKind::Ident if kind == MacroKind::Function => {
                    if let Some(i) = params.find(t.sym) {
                        t.kind = TokenKind::Param;
                        t.sym = Symbol::from_index(i);
                    } else {
                        self.check_va_word(t, variadic)?;
                    }
                }
                TokenKind::Ident => self.check_va_word(t, Variadic::No)?,
                TokenKind::HashHash => has_paste = true,
                _ => {}
            }
            self.macros.bodies.push(t);
            t = self.lex();
        }
        self.check_operators(start, kind, t.span)?;
        Some(has_paste)
    }

    fn check_va_word(&mut self, t: Token, variadic: Variadic) -> Option<()> {
        if t.sym == self.words.va_args {
            self.session.report(
                Diagnostic::warning(
                    "W0104",
                    t.span,
                    "`__VA_ARGS__` can only appear in the expansion of a variadic macro",
                )
                .group("pedantic"),
            );
        }
        if t.sym == self.words.va_opt && variadic == Variadic::No {
            self.session.report(
                Diagnostic::warning(
                    "W0104",
                    t.span,
                    "`__VA_OPT__` can only appear in the expansion of a variadic macro",
                )
                .group("pedantic"),
            );
        }
        Some(())
    }

    /// Checks that `#`, `##` and `__VA_OPT__` have their operands.
    fn check_operators(&mut self, start: usize, kind: MacroKind, end: Span) -> Option<()> {
        let body = &self.macros.bodies[start..];
        let fault = |span, message: &str| Some(Diagnostic::error("E0113", span, message));
        let mut found = None;
        for at in [body.first(), body.last()].into_iter().flatten() {
            if at.kind == TokenKind::HashHash {
                found = fault(at.span, "`##` cannot appear at either end of a macro expansion");
            }
        }
        if kind == MacroKind::Function && found.is_none() {
            let va_opt = self.words.va_opt;
            for (i, t) in body.iter().enumerate() {
                let next = body.get(i + 1);
                let operand = next.is_some_and(|n| n.kind == TokenKind::Param || n.is_ident(va_opt));
                if t.kind == TokenKind::Hash && !operand {
                    found = fault(t.span, "`#` is not followed by a macro parameter");
                    break;
                }
            }
            let mut i = 0;
            while i < body.len() && found.is_none() {
                if body[i].is_ident(va_opt) {
                    match va_opt_end(body, i, va_opt) {
                        Ok(close) => i = close,
                        Err(message) => found = fault(body[i].span.to(end), message),
                    }
                }
                i += 1;
            }
        }
        match found {
            None => Some(()),
            Some(d) => {
                self.session.report(d);
                None
            }
        }
    }

    /// Makes `name` mean `m`, with a warning if it meant something else.
    pub(super) fn enter_definition(&mut self, name: Token, m: Macro) {
        if let Some(old) = self.lookup(name.sym).macro_index() {
            let old = self.macros.get(old);
            if old.predefined && !old.soft {
                let what = format!("redefining builtin macro `{}`", m.name);
                self.session.report(Diagnostic::warning("W0105", name.span, what).group("builtin-macro-redefined"));
            } else if !old.predefined && !self.macros.same(old, &m) {
                let d = Diagnostic::warning("W0106", name.span, format!("`{}` macro redefined", m.name))
                    .label(old.def_site, "previous definition is here")
                    .help(format!("write `#undef {}` before it if that is meant", m.name))
                    .group("macro-redefined");
                self.session.report(d);
            }
        }
        self.macros.define(name.sym, m);
    }

    /// `#undef`.
    pub(super) fn undef(&mut self) {
        let Some(name) = self.macro_name("undef") else { return };
        if let Some(i) = self.lookup(name.sym).macro_index() {
            let m = self.macros.get(i);
            if matches!(m.kind, MacroKind::Builtin(_)) && m.kind != MacroKind::Builtin(Builtin::PragmaOperator) {
                let what = format!("undefining builtin macro `{}`", m.name);
                self.session.report(Diagnostic::warning("W0105", name.span, what).group("builtin-macro-redefined"));
            }
        }
        self.macros.set(name.sym, Slot::PLAIN);
        self.expect_end("undef");
    }

    /// Whether the directive's line has ended; a warning if not.
    pub(super) fn expect_end(&mut self, directive: &str) {
        let t = self.lex();
        if t.kind != TokenKind::EndOfDirective {
            self.session.report(
                Diagnostic::warning("W0107", t.span, format!("extra tokens at end of `#{directive}` directive"))
                    .help("put a comment there instead")
                    .group("extra-tokens"),
            );
        }
    }

    /// Defines a predefined macro whose body is `text`.
    pub(super) fn define_predefined(&mut self, sym: Symbol, params: &[&str], text: &str, soft: bool) -> Slot {
        let start = self.macros.bodies.len() as u32;
        let params: Box<[Symbol]> = params.iter().map(|p| self.session.intern(p)).collect();
        let session = &mut *self.session;
        let (strings, diagnostics) = (&mut session.strings, &mut session.diagnostics);
        crate::lex::lex_text(text, self.rules, strings, diagnostics, |_, _| Span::NONE, &mut self.macros.bodies);
        for t in &mut self.macros.bodies[start as usize..] {
            if t.kind == TokenKind::Ident
                && let Some(i) = params.iter().position(|&p| p == t.sym)
            {
                t.kind = TokenKind::Param;
                t.sym = Symbol::from_index(i as u32);
            }
        }
        if let Some(t) = self.macros.bodies.get_mut(start as usize) {
            t.flags = t.flags.with(TokenFlags::LEADING_SPACE);
        }
        let kind = if params.is_empty() { MacroKind::Object } else { MacroKind::Function };
        let m = Macro {
            params,
            body: (start, self.macros.bodies.len() as u32),
            predefined: true,
            soft,
            ..Macro::new(kind, self.session.str(sym), Span::NONE)
        };
        self.macros.define(sym, m)
    }
}

/// The index of the `)` that closes the `__VA_OPT__` at `at`.
pub(super) fn va_opt_end(body: &[Token], at: usize, va_opt: Symbol) -> Result<usize, &'static str> {
    if body.get(at + 1).is_none_or(|t| t.kind != TokenKind::LParen) {
        return Err("missing `(` after `__VA_OPT__`");
    }
    let mut depth = 0usize;
    for (i, t) in body.iter().enumerate().skip(at + 1) {
        match t.kind {
            TokenKind::LParen => depth += 1,
            TokenKind::RParen => {
                depth -= 1;
                if depth == 0 {
                    let (first, last) = (body.get(at + 2), body.get(i.wrapping_sub(1)));
                    let pastes = [first, last].into_iter().flatten().any(|t| t.kind == TokenKind::HashHash);
                    let inside = i > at + 2 && pastes;
                    return if inside { Err("`##` cannot appear at either end of `__VA_OPT__`") } else { Ok(i) };
                }
            }
            TokenKind::Ident if t.sym == va_opt => return Err("`__VA_OPT__` cannot be nested"),
            _ => {}
        }
    }
    Err("missing `)` after `__VA_OPT__`")
}
