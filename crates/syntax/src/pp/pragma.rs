//! `#pragma` and `_Pragma`.
//!
//! Pragmas about the preprocessor's own business are obeyed here. The others reach the parser as tokens between
//! [`crate::TokenKind::Pragma`] and [`crate::TokenKind::EndPragma`]; those whose operands are expressions are
//! macro-expanded, so that `#pragma unroll FACTOR` means what it says. What means nothing to a kernel compiler is
//! answered in the ledger.

use super::macros::{Macro, MacroKind};
use super::{Preprocessor, TokenKind as K};
use crate::literal::decode_string;
use crate::{Token, TokenFlags};
use source::{Diagnostic, Fate, HintKind, Severity, Span};

/// Pragmas whose operands are macro-expanded, by their first word.
const EXPANDED: &[&str] = &[
    "acc",
    "ivdep",
    "loop",
    "loop_count",
    "nounroll",
    "nounroll_and_jam",
    "omp",
    "pack",
    "unroll",
    "unroll_and_jam",
    "vector",
];
/// Namespaces whose second word is not expanded and whose operands are.
const NAMESPACES: &[&str] = &["GCC", "clang", "nv", "unspool"];
/// Pragmas for people and other tools.
const FOR_OTHERS: &[&str] = &["endregion", "ident", "mark", "region"];
/// Pragmas about other compilers' messages.
const MESSAGES: &[&str] = &[
    "diag_default",
    "diag_error",
    "diag_remark",
    "diag_suppress",
    "diag_warning",
    "diagnostic",
    "hd_warning_disable",
    "nv_diag_default",
    "nv_diag_error",
    "nv_diag_once",
    "nv_diag_remark",
    "nv_diag_suppress",
    "nv_diag_warning",
    "nv_diagnostic",
    "nv_exec_check_disable",
    "warning",
];
const ABOUT_MESSAGES: &str = "it is about messages of another compiler";

impl Preprocessor<'_> {
    /// `#pragma`: reads the line; what the parser must see comes back.
    pub(super) fn pragma_directive(&mut self, hash: Token, name: Token) -> Option<Vec<Token>> {
        let mut line = Vec::new();
        loop {
            let t = self.lex();
            if matches!(t.kind, K::EndOfDirective | K::Eof) {
                break;
            }
            line.push(t);
        }
        let span = hash.span.to(name.span);
        let begin = Token { flags: hash.flags, sym: self.session.intern("#pragma"), ..Token::punct(K::Pragma, span) };
        self.pragma(begin, line)
    }

    /// `_Pragma`, after the word. A pragma for the parser goes to the output.
    pub(super) fn pragma_operator(&mut self, word: Token) {
        // A `_Pragma` inside stays what it is, and is an error.
        self.arg_depth += 1;
        let open = self.next_expanded();
        let string = if open.kind == K::LParen { self.next_expanded() } else { open };
        let close = if string.kind == K::String { self.next_expanded() } else { string };
        self.arg_depth -= 1;
        if open.kind != K::LParen || string.kind != K::String || close.kind != K::RParen {
            if !self.fatal {
                self.session.report(
                    Diagnostic::error("E0130", word.span, "`_Pragma` takes a parenthesized string literal")
                        .help("write `_Pragma(\"unroll 4\")`"),
                );
            }
            return;
        }
        let mut tokens = Vec::new();
        self.destringize(string, &mut tokens);
        let begin = Token { kind: K::Pragma, flags: word.flags.with(TokenFlags::START_OF_LINE), ..word };
        if let Some(out) = self.pragma(begin, tokens) {
            for t in out {
                self.push(t);
            }
        }
    }

    /// The tokens that a string literal spells.
    fn destringize(&mut self, string: Token, out: &mut Vec<Token>) {
        let spelled = self.session.str(string.sym);
        let inner = spelled.trim_start_matches(['L', 'u', '8', 'U']);
        let prefix = (spelled.len() - inner.len()) as u32 + 1;
        let inner = inner.strip_prefix('"').unwrap_or(inner);
        let inner = inner.strip_suffix('"').unwrap_or(inner).to_owned();
        // Without escapes, and not made by `#`, each token has a place of its own.
        let exact = !inner.contains('\\') && self.session.sources.snippet(string.span) == spelled;
        let text = inner.replace("\\\"", "\"").replace("\\\\", "\\").replace(['\n', '\r'], " ");
        let session = &mut *self.session;
        let place = |lo: u32, hi: u32| {
            if exact {
                let base = string.span.lo + prefix;
                Span { lo: base + lo, hi: base + hi, expn: string.span.expn }
            } else {
                string.span
            }
        };
        crate::lex::lex_text(&text, self.rules, &mut session.strings, &mut session.diagnostics, place, out);
    }

    /// Obeys a pragma, or gives it back for the parser.
    fn pragma(&mut self, begin: Token, line: Vec<Token>) -> Option<Vec<Token>> {
        let end = line.last().map_or(begin.span, |t| t.span).after();
        let first = line.first().filter(|t| t.kind == K::Ident).copied();
        let word = first.map_or("", |t| self.session.str(t.sym));
        match word {
            "once" => {
                self.pragma_once(begin);
                return None;
            }
            "push_macro" | "pop_macro" => {
                let push = word == "push_macro";
                self.push_or_pop_macro(begin, &line, push);
                return None;
            }
            "message" => {
                self.message(begin, &line[1..], Severity::Note);
                return None;
            }
            w if MESSAGES.contains(&w) => {
                self.unused_pragma(begin, end, ABOUT_MESSAGES);
                return None;
            }
            w if FOR_OTHERS.contains(&w) => {
                self.unused_pragma(begin, end, "it is for people and other tools");
                return None;
            }
            _ => {}
        }
        let keep = match word {
            w if EXPANDED.contains(&w) => 1,
            w if NAMESPACES.contains(&w) => 2,
            _ => line.len(),
        };
        if keep == 2 && self.vendor_pragma(begin, end, &line) {
            return None;
        }
        let mut out = vec![begin];
        let keep = keep.min(line.len());
        out.extend_from_slice(&line[..keep]);
        if keep < line.len() {
            self.expand_apart(line[keep..].to_vec(), &mut out);
        }
        out.push(Token::punct(K::EndPragma, end));
        Some(out)
    }

    /// Enters a pragma that changes no code into the ledger.
    fn unused_pragma(&mut self, begin: Token, end: Span, why: &str) {
        let span = Span { hi: end.hi, ..begin.span };
        let span = if span.lo <= end.hi && begin.span.expn == end.expn { span } else { begin.span };
        let text = self.session.sources.snippet(span).trim_end().to_owned();
        let hint = self.session.ledger.enter(HintKind::Pragma, span, text);
        self.session.ledger.settle(hint, Fate::Unused, "no code changed", why);
    }

    fn pragma_once(&mut self, begin: Token) {
        let Some(f) = self.files.last() else { return };
        let id = f.id;
        if id == self.main {
            self.session.report(
                Diagnostic::warning("W0110", begin.span, "`#pragma once` in main file")
                    .group("pragma-once-outside-header"),
            );
        } else {
            self.facts_of(id).once = true;
        }
    }

    /// Pragmas of `GCC` and `clang` that are the preprocessor's; false for the others.
    fn vendor_pragma(&mut self, begin: Token, end: Span, line: &[Token]) -> bool {
        let Some(&second) = line.get(1).filter(|t| t.kind == K::Ident) else { return false };
        match self.session.str(second.sym) {
            "poison" => self.poison(&line[2..]),
            "error" => self.message(begin, &line[2..], Severity::Error),
            "warning" => self.message(begin, &line[2..], Severity::Warning),
            "diagnostic" => self.unused_pragma(begin, end, ABOUT_MESSAGES),
            "system_header" => {
                // The file that is compiled is the user's own.
                let file = self.session.sources.file_at(begin.span.lo).filter(|&f| f != self.main);
                if let Some(file) = file {
                    self.session.add_system_header(file);
                }
                self.unused_pragma(begin, end, "it is about messages, of which this header gives no warnings any more");
            }
            "dependency" | "arc_cf_code_audited" | "assume_nonnull" => {
                self.unused_pragma(begin, end, "it is about hosts' headers");
            }
            _ => return false,
        }
        true
    }

    fn poison(&mut self, names: &[Token]) {
        for t in names {
            if t.kind != K::Ident {
                let d = Diagnostic::error("E0131", t.span, "can only poison identifiers");
                self.session.report(d);
                continue;
            }
            if self.is_defined(t.sym) {
                let what = format!("poisoning existing macro `{}`", self.session.str(t.sym));
                self.session.report(Diagnostic::warning("W0111", t.span, what));
            }
            let m = Macro::new(MacroKind::Poisoned, self.session.str(t.sym), t.span);
            self.macros.define(t.sym, m);
        }
    }

    /// `message("…")`, `GCC error "…"`, `GCC warning "…"`.
    fn message(&mut self, begin: Token, operands: &[Token], severity: Severity) {
        let mut expanded = Vec::new();
        self.expand_apart(operands.to_vec(), &mut expanded);
        let strings: Vec<&str> =
            expanded.iter().filter(|t| t.kind == K::String).map(|t| self.session.str(t.sym)).collect();
        let others = expanded.iter().any(|t| !matches!(t.kind, K::String | K::LParen | K::RParen));
        let text = decode_string(&strings, self.opts.dialect).ok().filter(|_| !others && !strings.is_empty());
        let Some(text) = text else {
            self.session.report(
                Diagnostic::warning("W0112", begin.span, "expected a string in this pragma").group("ignored-pragmas"),
            );
            return;
        };
        let text = String::from_utf8_lossy(&text.units.iter().map(|&u| u as u8).collect::<Vec<_>>()).into_owned();
        let code = match severity {
            Severity::Error => "E0128",
            Severity::Warning => "W0108",
            Severity::Note | Severity::Remark => "N0100",
        };
        let d = Diagnostic::new(severity, code, begin.span, text);
        self.session.report(if severity == Severity::Warning { d.group("#pragma-messages") } else { d });
    }

    fn push_or_pop_macro(&mut self, begin: Token, line: &[Token], push: bool) {
        let name = match line {
            [_, open, s, close] if open.kind == K::LParen && s.kind == K::String && close.kind == K::RParen => {
                self.session.str(s.sym).trim_matches('"').to_owned()
            }
            _ => {
                let word = if push { "push_macro" } else { "pop_macro" };
                self.session.report(
                    Diagnostic::warning("W0112", begin.span, format!("`#pragma {word}` expects `(\"NAME\")`"))
                        .group("ignored-pragmas"),
                );
                return;
            }
        };
        let sym = self.session.intern(&name);
        if push {
            let slot = self.lookup(sym);
            self.pushed_macros.entry(sym).or_default().push(slot);
        } else if let Some(slot) = self.pushed_macros.get_mut(&sym).and_then(Vec::pop) {
            self.macros.set(sym, slot);
        } else {
            let what = format!("`#pragma pop_macro` could not pop `{name}`: no matching `push_macro`");
            self.session.report(Diagnostic::warning("W0112", begin.span, what).group("ignored-pragmas"));
        }
    }
}
