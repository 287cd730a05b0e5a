//! `#if` and its family. Groups not taken are skipped without making tokens.

use super::{Cond, Preprocessor, TokenKind as K};
use crate::Token;
use crate::lex::{scan, skip_block_comment, skip_line_comment, splice_len};
use source::{Diagnostic, Span, Symbol};

impl Preprocessor<'_> {
    /// `#ifdef` and `#ifndef`.
    pub(super) fn ifdef(&mut self, hash: Token, name: Token, want: bool) {
        let span = hash.span.to(name.span);
        let first = self.is_first(hash);
        let word = if want { "ifdef" } else { "ifndef" };
        let macro_name = self.macro_name(word);
        let take = macro_name.is_some_and(|m| self.is_defined(m.sym) == want);
        if macro_name.is_some() {
            self.expect_end(word);
        }
        let guard = macro_name.filter(|_| !want && first).map(|m| m.sym);
        self.open_cond(span, take, guard);
    }

    /// `#if`.
    pub(super) fn if_directive(&mut self, hash: Token, name: Token) {
        let span = hash.span.to(name.span);
        let first = self.is_first(hash);
        let (take, guard) = self.condition(span);
        self.open_cond(span, take, guard.filter(|_| first));
    }

    fn open_cond(&mut self, span: Span, take: bool, guard: Option<Symbol>) {
        if self.conds.len() >= self.opts.limits.conditional_depth {
            self.exceeded(span, "conditionals are nested too deeply", "nest fewer `#if`s");
            return;
        }
        self.conds.push(Cond { span, taken: take, els: None, guard });
        if !take {
            self.skip_groups();
        }
    }

    /// Whether nothing but comments stands before the directive in its file.
    fn is_first(&self, hash: Token) -> bool {
        let Some(f) = self.files.last() else { return false };
        let text = &self.session.sources.file(f.id).text;
        let mut from_start = crate::lex::Lexer::new(text, f.lexer.base, self.rules);
        from_start.skip_trivia(text.as_bytes(), None) && f.lexer.base + from_start.pos as u32 == hash.span.lo
    }

    /// The conditional that a directive of this file continues.
    fn innermost(&mut self, span: Span, word: &str) -> bool {
        let base = self.files.last().map_or(0, |f| f.conds);
        if self.conds.len() > base {
            return true;
        }
        self.session.report(
            Diagnostic::error("E0122", span, format!("`#{word}` without `#if`"))
                .help("every `#else`, `#elif` and `#endif` belongs to an `#if` in the same file"),
        );
        false
    }

    /// `#elif` or `#else` after a group that was taken: all others are skipped.
    pub(super) fn after_taken_group(&mut self, hash: Token, name: Token) {
        let span = hash.span.to(name.span);
        let word = self.session.str(name.sym).to_owned();
        if self.innermost(span, &word) {
            self.continue_cond(span, &word);
            self.skip_groups();
        }
    }

    /// Checks the order of `#elif` and `#else` and notes an `#else`.
    fn continue_cond(&mut self, span: Span, word: &str) {
        let Some(c) = self.conds.last_mut() else { return };
        c.guard = None;
        let opened = c.span;
        if let Some(els) = c.els {
            let d = Diagnostic::error("E0122", span, format!("`#{word}` after `#else`"))
                .label(els, "`#else` is here")
                .label(opened, "the conditional begins here");
            self.session.report(d);
        } else if word == "else" {
            c.els = Some(span);
            self.expect_end("else");
        }
    }

    /// `#endif`.
    pub(super) fn endif(&mut self, hash: Token, name: Token) {
        if !self.innermost(hash.span.to(name.span), "endif") {
            return;
        }
        self.expect_end("endif");
        let guard = self.conds.pop().and_then(|c| c.guard);
        let Some(f) = self.files.last() else { return };
        let text = &self.session.sources.file(f.id).text;
        if let Some(guard) = guard
            && self.conds.len() == f.conds
        {
            // A guard only if nothing follows.
            let mut rest = f.lexer;
            rest.end_directive(text, &mut source::Diagnostics::default());
            if !rest.skip_trivia(text.as_bytes(), None) {
                let id = f.id;
                self.facts_of(id).guard = Some(guard);
            }
        }
    }

    /// Skips groups until one is taken or the conditional ends.
    fn skip_groups(&mut self) {
        let outer = self.conds.len();
        loop {
            self.leave_line();
            if self.fatal {
                return;
            }
            let Some((hash, name, word)) = self.next_skipped_directive() else { return };
            let span = hash.to(name.span);
            match word.as_str() {
                "if" | "ifdef" | "ifndef" => {
                    if self.conds.len() >= self.opts.limits.conditional_depth {
                        return self.exceeded(span, "conditionals are nested too deeply", "nest fewer `#if`s");
                    }
                    self.conds.push(Cond { span, taken: true, els: None, guard: None });
                }
                "endif" => {
                    let done = self.conds.len() == outer;
                    self.conds.pop();
                    if done {
                        self.expect_end("endif");
                        return;
                    }
                }
                "else" | "elif" | "elifdef" | "elifndef" if self.conds.len() == outer => {
                    let had_else = self.conds.last().is_some_and(|c| c.els.is_some());
                    self.continue_cond(span, &word);
                    let taken = self.conds.last().is_none_or(|c| c.taken) || had_else;
                    if !taken && self.group_condition(&word, span) {
                        if let Some(c) = self.conds.last_mut() {
                            c.taken = true;
                        }
                        return;
                    }
                }
                "else" | "elif" => {
                    // Inside a skipped conditional only the order matters.
                    if let Some(c) = self.conds.last_mut()
                        && word == "else"
                    {
                        c.els = c.els.or(Some(span));
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether the group that `#else` or `#elif…` begins is to be taken.
    fn group_condition(&mut self, word: &str, span: Span) -> bool {
        match word {
            "else" => true,
            "elif" => self.condition(span).0,
            _ => {
                let Some(m) = self.macro_name(word) else { return false };
                let take = self.is_defined(m.sym) == (word == "elifdef");
                self.expect_end(word);
                take
            }
        }
    }

    /// Ends the directive being read, if one is.
    fn leave_line(&mut self) {
        let Self { session, files, .. } = self;
        if let Some(f) = files.last_mut()
            && f.lexer.in_directive
        {
            f.lexer.end_directive(&session.sources.file(f.id).text, &mut source::Diagnostics::default());
        }
    }

    /// Skips to the next conditional directive of the file: its `#`, its name, and the name's text. At the end of the
    /// file, `None`.
    fn next_skipped_directive(&mut self) -> Option<(Span, Token, String)> {
        loop {
            let Self { session, files, rules, .. } = self;
            let f = files.last_mut()?;
            let text = &session.sources.file(f.id).text;
            let Some(hash) = skip_to_hash(text.as_bytes(), f.lexer.pos, *rules) else {
                f.lexer.pos = text.len();
                return None;
            };
            f.lexer.pos = hash;
            let at = f.lexer.base + f.lexer.pos as u32;
            f.lexer.pos += 1;
            f.lexer.in_directive = true;
            let bytes = text.as_bytes();
            // Peek at the word before interning it: most directives in a skipped group are of no concern.
            if f.lexer.skip_trivia(bytes, None) && matches!(bytes.get(f.lexer.pos), Some(b'i' | b'e' | b'\\')) {
                let name = self.lex();
                if name.kind == K::Ident {
                    let word = self.session.str(name.sym);
                    if matches!(word, "if" | "ifdef" | "ifndef" | "elif" | "elifdef" | "elifndef" | "else" | "endif") {
                        let word = word.to_owned();
                        return Some((Span::new(at, at + 1), name, word));
                    }
                }
            }
            let Self { files, .. } = self;
            if let Some(f) = files.last_mut() {
                f.lexer.in_directive = false;
            }
        }
    }
}

/// The offset of the next `#` that begins a line.
fn skip_to_hash(bytes: &[u8], mut pos: usize, rules: crate::lex::Rules) -> Option<usize> {
    // `pos` may stand right at the start of a line only if the caller just left a directive.
    let mut line_start = pos == 0 || bytes.get(pos - 1) == Some(&b'\n');
    loop {
        match *bytes.get(pos)? {
            b'\n' => {
                line_start = true;
                pos += 1;
            }
            b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c' => pos += 1,
            b'#' if line_start => return Some(pos),
            b'%' if line_start && bytes.get(pos + 1) == Some(&b':') => return Some(pos + 1),
            b'/' if bytes.get(pos + 1) == Some(&b'/') => pos = skip_line_comment(bytes, pos + 2),
            b'/' if bytes.get(pos + 1) == Some(&b'*') => pos = skip_block_comment(bytes, pos + 2)?,
            b'\\' => pos += splice_len(bytes, pos).max(1),
            quote @ (b'"' | b'\'') => {
                line_start = false;
                pos = skip_quoted(bytes, pos, quote, rules);
            }
            _ => {
                line_start = false;
                pos += 1;
                // Bytes that begin nothing of interest.
                while let Some(b) = bytes.get(pos)
                    && !matches!(b, b'\n' | b'/' | b'"' | b'\'' | b'\\')
                {
                    pos += 1;
                }
            }
        }
    }
}

/// The end of a literal in skipped text; an unterminated one ends with its line, and nobody minds.
fn skip_quoted(bytes: &[u8], quote: usize, q: u8, rules: crate::lex::Rules) -> usize {
    if rules.raw_strings && q == b'"' && quote > 0 && bytes[quote - 1] == b'R' {
        return scan(bytes, quote - 1, rules).end;
    }
    let mut i = quote + 1;
    loop {
        match bytes.get(i) {
            None | Some(b'\n') => return i.min(bytes.len()),
            Some(&b) if b == q => return i + 1,
            Some(b'\\') => i += splice_len(bytes, i).max(2),
            Some(_) => i += 1,
        }
    }
}
