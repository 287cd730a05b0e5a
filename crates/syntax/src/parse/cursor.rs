//! Reading tokens: the cursor, the bracket table, expectations and error reports.

use super::keywords::Kw;
use super::{PResult, Parser, Reported};
use crate::ast::Ast;
use crate::{Token, TokenKind as T};
use source::{Diagnostic, Span, Symbol};

/// For each bracket token the index of its partner.
///
/// For `<` the table is a memo of [`Parser::angle_end`]; for a pragma that stands inside parentheses or square
/// brackets, where no statement can be, it is the index of its end, and the cursor hops over it.
pub(super) struct Brackets {
    partner: Vec<u32>,
    /// The pragmas that the cursor hops over.
    pub(super) enclosed: Vec<usize>,
}

impl Brackets {
    const NONE: u32 = 0;
    /// The memo of `<`: no argument list.
    pub(super) const NO_ANGLE: u32 = u32::MAX;

    pub(super) fn new(tokens: &[Token]) -> Self {
        let mut partner = vec![Self::NONE; tokens.len()];
        let mut open: Vec<(u32, T)> = Vec::new();
        // Pragmas inside parentheses: which, in which, and where they end.
        let mut inside: Vec<(usize, usize, usize)> = Vec::new();
        let mut i = 0;
        while i < tokens.len() {
            match tokens[i].kind {
                T::LParen => open.push((i as u32, T::RParen)),
                T::LBracket => open.push((i as u32, T::RBracket)),
                T::LBrace => open.push((i as u32, T::RBrace)),
                closer @ (T::RParen | T::RBracket | T::RBrace) => close(&mut open, &mut partner, i, closer),
                T::Pragma => {
                    let end = pragma_end(tokens, i);
                    if let Some(&(opener, T::RParen | T::RBracket)) = open.last() {
                        inside.push((i, opener as usize, end));
                    }
                    pair_within(tokens, &mut partner, i + 1, end);
                    i = end;
                }
                _ => {}
            }
            i += 1;
        }
        // Parentheses that are never closed enclose nothing.
        inside.retain(|&(_, opener, _)| partner[opener] != Self::NONE);
        for &(pragma, _, end) in &inside {
            partner[pragma] = end as u32;
        }
        Self { partner, enclosed: inside.into_iter().map(|(pragma, ..)| pragma).collect() }
    }

    /// The partner of the bracket at `i`.
    pub(super) fn partner(&self, i: usize) -> Option<usize> {
        self.partner.get(i).copied().filter(|&p| p != Self::NONE).map(|p| p as usize)
    }

    pub(super) fn memo(&self, i: usize) -> u32 {
        self.partner.get(i).copied().unwrap_or(Self::NO_ANGLE)
    }

    pub(super) fn set_memo(&mut self, i: usize, value: u32) {
        if let Some(p) = self.partner.get_mut(i) {
            *p = value;
        }
    }
}

/// Pairs the closer at `i` with its opener; openers inside that lack a partner are given up, a closer without opener
/// stays alone.
fn close(open: &mut Vec<(u32, T)>, partner: &mut [u32], i: usize, closer: T) {
    let found = match closer {
        T::RBrace => open.iter().rposition(|o| o.1 == closer),
        // A parenthesis never closes across a brace.
        _ => open.iter().rposition(|o| o.1 == closer || o.1 == T::RBrace).filter(|&k| open[k].1 == closer),
    };
    if let Some(k) = found {
        let (start, _) = open[k];
        open.truncate(k);
        partner[start as usize] = i as u32;
        partner[i] = start;
    }
}

/// Pairs the brackets of a pragma among themselves.
fn pair_within(tokens: &[Token], partner: &mut [u32], start: usize, end: usize) {
    let mut open: Vec<(u32, T)> = Vec::new();
    for (i, t) in tokens.iter().enumerate().take(end).skip(start) {
        match t.kind {
            T::LParen => open.push((i as u32, T::RParen)),
            T::LBracket => open.push((i as u32, T::RBracket)),
            T::LBrace => open.push((i as u32, T::RBrace)),
            closer @ (T::RParen | T::RBracket | T::RBrace) => close(&mut open, partner, i, closer),
            _ => {}
        }
    }
}

fn pragma_end(tokens: &[Token], start: usize) -> usize {
    let rest = &tokens[start..];
    let len = rest.iter().position(|t| matches!(t.kind, T::EndPragma | T::Eof)).unwrap_or(rest.len());
    // An Eof inside a pragma must stay visible.
    if rest.get(len).is_some_and(|t| t.kind == T::EndPragma) { start + len } else { start + len.saturating_sub(1) }
}

impl Parser<'_> {
    /// The token at `i`; past the end, the end.
    pub(super) fn at(&self, i: usize) -> Token {
        match self.tokens.get(i) {
            Some(&t) => t,
            None => Token::punct(T::Eof, self.tokens.last().map_or(Span::NONE, |t| t.span.after())),
        }
    }

    /// The token `n` after the current one.
    pub(super) fn peek(&self, n: usize) -> Token {
        self.at(self.pos + n)
    }

    /// Goes to the token at `pos`.
    pub(super) fn seek(&mut self, pos: usize) {
        self.pos = pos;
        loop {
            self.tok = self.at(self.pos);
            match self.brackets.partner(self.pos) {
                Some(end) if self.tok.kind == T::Pragma => self.pos = end + 1,
                _ => break,
            }
        }
    }

    /// Takes the current token.
    pub(super) fn bump(&mut self) -> Token {
        let t = self.tok;
        if t.kind != T::Eof {
            self.prev = t.span;
            self.seek(self.pos + 1);
        }
        t
    }

    pub(super) fn is(&self, kind: T) -> bool {
        self.tok.kind == kind
    }

    /// Takes the current token if it is a `kind`.
    pub(super) fn eat(&mut self, kind: T) -> bool {
        let yes = self.is(kind);
        if yes {
            self.bump();
        }
        yes
    }

    /// The keyword that a token is.
    pub(super) fn kw_of(&self, t: Token) -> Kw {
        if t.kind != T::Ident {
            return Kw::None;
        }
        self.keywords.get(t.sym.index()).copied().unwrap_or(Kw::None)
    }

    /// The keyword that the current token is.
    pub(super) fn kw(&self) -> Kw {
        self.kw_of(self.tok)
    }

    pub(super) fn is_kw(&self, kw: Kw) -> bool {
        self.kw() == kw
    }

    pub(super) fn eat_kw(&mut self, kw: Kw) -> bool {
        let yes = self.is_kw(kw);
        if yes {
            self.bump();
        }
        yes
    }

    /// Whether the token is an identifier and no keyword.
    pub(super) fn is_ident(&self, t: Token) -> bool {
        t.kind == T::Ident && self.kw_of(t) == Kw::None
    }

    /// Takes an identifier.
    pub(super) fn ident(&mut self, what: &str) -> PResult<(Symbol, Span)> {
        if self.is_ident(self.tok) {
            let t = self.bump();
            return Ok((t.sym, t.span));
        }
        Err(self.expected(what))
    }

    /// Takes a `kind` or reports its absence.
    pub(super) fn expect(&mut self, kind: T) -> PResult<Span> {
        if self.is(kind) {
            return Ok(self.bump().span);
        }
        Err(self.expected_token(kind))
    }

    /// Takes the closer of the bracket at `open`.
    pub(super) fn expect_closer(&mut self, kind: T, open: Span) -> PResult<Span> {
        if self.is(kind) {
            return Ok(self.bump().span);
        }
        let found = self.describe(self.tok);
        let d =
            Diagnostic::error("E0208", self.error_place(), format!("expected `{}`, found {found}", kind.spelling()))
                .label(open, "to match this");
        Err(self.report(d))
    }

    /// Takes the `>` that ends a template's list, splitting `>>`, `>=` and `>>=`.
    pub(super) fn expect_angle_close(&mut self) -> PResult<Span> {
        let rest = match self.tok.kind {
            T::Greater => return Ok(self.bump().span),
            T::GreaterGreater => T::Greater,
            T::GreaterEq => T::Eq,
            T::GreaterGreaterEq => T::GreaterEq,
            _ => return Err(self.expected("`>`")),
        };
        let whole = self.tok.span;
        let mid = whole.lo.saturating_add(1).min(whole.hi);
        self.tok.kind = rest;
        self.tok.span.lo = mid;
        let first = Span { hi: mid, ..whole };
        self.prev = first;
        Ok(first)
    }

    /// Whether the current token starts with `>` where that ends a list.
    pub(super) fn at_angle_close(&self) -> bool {
        matches!(self.tok.kind, T::Greater | T::GreaterGreater | T::GreaterEq | T::GreaterGreaterEq)
    }

    /// From `start` to the last token taken.
    pub(super) fn span_from(&self, start: Span) -> Span {
        if start.expn == self.prev.expn { start.to(self.prev) } else { self.session.sources.join(start, self.prev) }
    }

    /// A token in words, for a message.
    pub(super) fn describe(&self, t: Token) -> String {
        match t.kind {
            T::Eof => "the end of the file".to_owned(),
            T::Pragma => "a pragma".to_owned(),
            T::EndPragma => "the end of the pragma".to_owned(),
            _ => {
                let text = t.text(&self.session.strings);
                if text.len() > 40 { "a literal".to_owned() } else { format!("`{text}`") }
            }
        }
    }

    /// Where an error about the current token is shown: after the previous token when the current one is elsewhere.
    fn error_place(&self) -> Span {
        match self.tok.kind {
            T::Eof if !self.prev.is_none() => self.prev.after(),
            T::EndPragma => self.prev.after(),
            _ => self.tok.span,
        }
    }

    /// Reports a diagnostic.
    pub(super) fn report(&mut self, d: Diagnostic) -> Reported {
        if self.lenient {
            return Reported;
        }
        self.session.report(d);
        if self.session.diagnostics.is_full() {
            self.stop();
        }
        Reported
    }

    /// Goes to the end of the file: there is nothing more to be gained.
    pub(super) fn stop(&mut self) {
        self.fatal = true;
        self.seek(self.tokens.len().saturating_sub(1));
        if self.tok.kind != T::Eof {
            self.seek(self.tokens.len());
        }
    }

    /// Reports an error at a place.
    pub(super) fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> Reported {
        self.report(Diagnostic::error(code, span, message))
    }

    /// "expected `what`, found …" at the current token.
    pub(super) fn expected(&mut self, what: &str) -> Reported {
        let found = self.describe(self.tok);
        let place = self.error_place();
        self.error("E0200", place, format!("expected {what}, found {found}"))
    }

    fn expected_token(&mut self, kind: T) -> Reported {
        let found = self.describe(self.tok);
        // A missing `;` belongs to the line that lacks it.
        let newline = self.tok.flags.has(crate::TokenFlags::START_OF_LINE);
        let place =
            if kind == T::Semi && newline && !self.prev.is_none() { self.prev.after() } else { self.error_place() };
        let d = Diagnostic::error("E0200", place, format!("expected `{}`, found {found}", kind.spelling()));
        self.report(if kind == T::Semi { d.fix(self.prev.after(), ";") } else { d })
    }

    /// Reports a construct that parses but that devices cannot run or that this compiler does not implement.
    pub(super) fn unsupported(&mut self, span: Span, what: &str, help: &str) -> Reported {
        self.report(Diagnostic::error("E0204", span, format!("{what} is not supported")).help(help))
    }

    /// One level deeper for the time of `f`; too deep is the end of the parse.
    pub(super) fn nested<R>(&mut self, f: impl FnOnce(&mut Self) -> PResult<R>) -> PResult<R> {
        if self.depth >= Ast::MAX_NESTING {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let r = f(self);
        self.depth -= 1;
        r
    }

    /// Reports excessive nesting and ends the parse.
    pub(super) fn too_deep(&mut self) -> Reported {
        if !self.is(T::Eof) {
            let limit = Ast::MAX_NESTING;
            let d = Diagnostic::error("E0203", self.tok.span, "nesting too deep")
                .note(format!("brackets, statements and types may nest {limit} deep together"))
                .help("split the construct with variables, functions or typedefs");
            self.session.report(d);
            self.stop();
        }
        Reported
    }

    /// Index after the group that the bracket at `i` opens; `None` where it is not closed.
    pub(super) fn after_group(&self, i: usize) -> Option<usize> {
        self.brackets.partner(i).filter(|&p| p > i).map(|p| p + 1)
    }

    /// Skips to the end of a broken statement or declaration: past the next `;` or the next `{…}` group, or up to an
    /// unmatched `}`.
    pub(super) fn sync(&mut self) {
        loop {
            match self.tok.kind {
                T::Eof | T::RBrace | T::Pragma => return,
                T::Semi => {
                    self.bump();
                    return;
                }
                T::LBrace => {
                    self.skip_group();
                    return;
                }
                T::LParen | T::LBracket => self.skip_group(),
                T::Ident if self.tok.flags.has(crate::TokenFlags::START_OF_LINE) && self.kw().starts_afresh() => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// Skips the group that the current bracket opens; an unclosed one is only the bracket itself, but an unclosed
    /// brace is everything.
    pub(super) fn skip_group(&mut self) {
        match self.after_group(self.pos) {
            Some(end) => {
                self.prev = self.at(end - 1).span;
                self.seek(end);
            }
            None if self.is(T::LBrace) => self.stop(),
            None => {
                self.bump();
            }
        }
    }
}
