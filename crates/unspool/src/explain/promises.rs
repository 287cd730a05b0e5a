//! Promises and wishes of the source whose worth shows only in the code: where they stand.
//!
//! `restrict`, `const`, alignments, launch bounds, expectations and pragmas about contraction change what passes may do,
//! and no pass can say afterwards what it would have done otherwise. So the source is compiled once more without each
//! ([`super::worth`]); this module finds the tokens to leave out. It runs only where an explanation is wanted.

use source::{HintId, HintKind, Interner, Ledger, Span};
use std::ops::Range;
use syntax::{Dialect, Token, TokenKind as T};

/// One promise.
#[derive(Clone, Debug)]
pub(crate) struct Promise {
    /// What sort.
    pub(crate) kind: HintKind,
    /// What was asked, as spelt.
    pub(crate) asked: String,
    /// Where.
    pub(crate) span: Span,
    /// Where the checker enters it if it does: an attribute's name, a function's.
    at: Span,
    /// The tokens that make it.
    pub(crate) tokens: Vec<Range<u32>>,
    /// The kernel that it stands in, if it is one: nothing else depends on it.
    pub(crate) kernel: Option<KernelText>,
}

/// Where a kernel stands: its name, and the tokens from its first word to its closing brace.
#[derive(Clone, Debug)]
pub(crate) struct KernelText {
    /// The place of its name.
    pub(crate) name: Span,
    tokens: Range<usize>,
}

/// Promises of one source that are looked for: code with more is not read by people.
const MAX_PROMISES: usize = 512;
/// Longest text of a promise that is shown.
const MAX_ASKED: usize = 80;

/// The promises among the tokens of a source, in order.
pub(crate) fn find(tokens: &[Token], strings: &Interner, dialect: Dialect) -> Vec<Promise> {
    let mut s = Scan { tokens, strings, dialect, kernels: Vec::new(), out: Vec::new() };
    s.find_kernels();
    for (at, t) in tokens.iter().enumerate() {
        if s.out.len() >= MAX_PROMISES {
            break;
        }
        match t.kind {
            T::Ident => s.word(at),
            T::Pragma => s.pragma(at),
            T::LBracket => s.attribute(at),
            _ => {}
        }
    }
    s.out
}

/// Which hint of the ledger a promise is; it is entered if the checker has not done so.
pub(crate) fn hint(ledger: &mut Ledger, p: &Promise) -> HintId {
    let covers = |s: Span| s.expn == p.at.expn && s.lo <= p.at.lo && p.at.hi <= s.hi;
    let found = ledger.iter().find(|(_, h)| h.kind == p.kind && covers(h.span)).map(|(id, _)| id);
    found.unwrap_or_else(|| ledger.enter(p.kind, p.span, p.asked.clone()))
}

struct Scan<'a> {
    tokens: &'a [Token],
    strings: &'a Interner,
    dialect: Dialect,
    kernels: Vec<KernelText>,
    out: Vec<Promise>,
}

impl Scan<'_> {
    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |t| t.text(self.strings))
    }

    fn is(&self, at: usize, kind: T) -> bool {
        self.tokens.get(at).is_some_and(|t| t.kind == kind)
    }

    /// The index behind the bracket that closes the one at `open`.
    fn behind(&self, open: usize) -> Option<usize> {
        let mut depth = 0u32;
        for (n, t) in self.tokens.iter().enumerate().skip(open) {
            match t.kind {
                T::LParen | T::LBrace | T::LBracket => depth += 1,
                T::RParen | T::RBrace | T::RBracket => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(n + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The index behind the parenthesised list at `at`; `at` where there is none.
    fn behind_list(&self, at: usize) -> usize {
        if self.is(at, T::LParen) { self.behind(at).unwrap_or(at) } else { at }
    }

    fn find_kernels(&mut self) {
        let mut at = 0;
        while at < self.tokens.len() {
            let word = if self.is(at, T::Ident) { self.text(at) } else { "" };
            let kernel = match word {
                "__global__" => !self.dialect.is_opencl(),
                "kernel" | "__kernel" => self.dialect.is_opencl(),
                _ => false,
            };
            match if kernel { self.kernel(at) } else { None } {
                Some(k) => {
                    at = k.tokens.end;
                    self.kernels.push(k);
                }
                None => at += 1,
            }
        }
    }

    /// The kernel whose definition begins at `start`: the first list that a body follows is its parameters.
    fn kernel(&self, start: usize) -> Option<KernelText> {
        let mut at = start + 1;
        loop {
            match self.tokens.get(at)?.kind {
                T::Semi | T::LBrace | T::RBrace | T::Eof => return None,
                T::LParen => {
                    let behind = self.behind(at)?;
                    if self.is(behind, T::LBrace) && self.is(at - 1, T::Ident) {
                        let end = self.behind(behind)?;
                        return Some(KernelText { name: self.tokens[at - 1].span, tokens: start..end });
                    }
                    at = behind;
                }
                _ => at += 1,
            }
        }
    }

    fn push(&mut self, kind: HintKind, asked: String, at: Span, tokens: &[Range<usize>]) {
        let [first, ..] = tokens else { return };
        let (a, b) = (self.tokens[first.start].span, self.tokens[first.end - 1].span);
        let kernel = self.kernels.iter().find(|k| k.tokens.contains(&first.start)).cloned();
        // Small numbers: a source has at most 4 GiB.
        let tokens = tokens.iter().map(|r| r.start as u32..r.end as u32).collect();
        self.out.push(Promise { kind, asked, span: a.to(b), at, tokens, kernel });
    }

    /// The text of tokens, with the spaces that the source has.
    fn spelt(&self, range: Range<usize>) -> String {
        let mut out = String::new();
        for n in range.clone() {
            if n > range.start && self.tokens[n].has_space_before() {
                out.push(' ');
            }
            out.push_str(self.text(n));
            if out.len() > MAX_ASKED {
                out.push('…');
                break;
            }
        }
        out
    }

    fn word(&mut self, at: usize) {
        let span = self.tokens[at].span;
        let whole = |s: &Self| at..s.behind_list(at + 1);
        match self.text(at) {
            "restrict" if self.dialect.is_c11() || self.dialect.is_opencl() => self.restrict(at),
            "__restrict__" | "__restrict" => self.restrict(at),
            "const" => self.constant(at),
            "__launch_bounds__" | "__maxnreg__" => {
                let r = whole(self);
                self.push(HintKind::LaunchBounds, self.spelt(r.clone()), span, &[r]);
            }
            "reqd_work_group_size" | "__reqd_work_group_size__" => {
                let r = whole(self);
                self.push(HintKind::ReqdWorkGroupSize, self.spelt(r.clone()), span, &[r]);
            }
            "__align__" | "alignas" | "_Alignas" | "aligned" | "__aligned__" => {
                let r = whole(self);
                // A variable may be called so.
                let attribute = self.text(at).starts_with('_') || self.text(at) == "alignas" || self.in_attribute(at);
                if attribute && r.len() > 1 {
                    self.push(HintKind::Align, self.spelt(r.clone()), span, &[r]);
                }
            }
            "__noinline__" | "__forceinline__" | "noinline" | "always_inline" => self.inlining(at),
            "__builtin_expect" | "__builtin_expect_with_probability" | "__builtin_assume_aligned" => self.wrapper(at),
            "__builtin_assume" => {
                let r = whole(self);
                let alone = at > 0 && matches!(self.tokens[at - 1].kind, T::Semi | T::LBrace | T::RBrace | T::RParen);
                if alone && self.is(r.end, T::Semi) {
                    self.push(HintKind::Assume, self.spelt(r.clone()), span, &[r]);
                }
            }
            _ => {}
        }
    }

    /// Whether the word stands in `__attribute__((…))`.
    fn in_attribute(&self, at: usize) -> bool {
        self.tokens[..at].iter().rev().take(32).any(|t| t.text(self.strings).starts_with("__attribute"))
    }

    /// `*__restrict__ a`
    fn restrict(&mut self, at: usize) {
        let start = if at > 0 && self.is(at - 1, T::Star) { at - 1 } else { at };
        // Other qualifiers may stand before the name.
        let name = (at + 1..self.tokens.len().min(at + 4)).take_while(|&n| self.is(n, T::Ident)).last();
        let asked = self.spelt(start..name.unwrap_or(at) + 1);
        self.push(HintKind::Restrict, asked, self.tokens[at].span, std::slice::from_ref(&(at..at + 1)));
    }

    /// The `const` of what a kernel's parameter points to.
    fn constant(&mut self, at: usize) {
        let Some(k) = self.kernels.iter().find(|k| k.tokens.contains(&at)) else { return };
        // In the parameters: in the parentheses behind the name.
        let Some(name) = k.tokens.clone().find(|&n| self.tokens[n].span == k.name) else { return };
        let end = self.behind_list(name + 1);
        if !(name + 1..end).contains(&at) {
            return;
        }
        let Some(star) = (at + 1..end).find(|&n| !self.is(n, T::Ident)).filter(|&n| self.is(n, T::Star)) else {
            return;
        };
        let last = (star + 1..end).take_while(|&n| self.is(n, T::Ident)).last().unwrap_or(star);
        let asked = match last {
            n if n > star => format!("{} *{}", self.spelt(at..star), self.text(n)),
            _ => self.spelt(at..star + 1),
        };
        self.push(HintKind::Const, asked, self.tokens[at].span, std::slice::from_ref(&(at..at + 1)));
    }

    /// What is said about inlining; the checker enters attributes where they stand, specifiers at the function's name.
    fn inlining(&mut self, at: usize) {
        let attribute = !matches!(self.text(at), "__noinline__" | "__forceinline__") || self.in_attribute(at);
        if attribute && !self.in_attribute(at) {
            return;
        }
        let name = (at + 1..self.tokens.len()).find(|&n| self.is(n, T::LParen) && !self.text(n - 1).starts_with("__"));
        let Some(name) = name.map(|n| self.tokens[n - 1].span) else { return };
        let asked = self.text(at).to_owned();
        self.push(
            HintKind::Inline,
            asked,
            if attribute { self.tokens[at].span } else { name },
            std::slice::from_ref(&(at..at + 1)),
        );
    }

    /// `__builtin_expect(VALUE, …)`, of which the value stays.
    fn wrapper(&mut self, at: usize) {
        let end = self.behind_list(at + 1);
        let (mut depth, mut comma) = (0u32, None);
        for n in at + 1..end {
            match self.tokens[n].kind {
                T::LParen | T::LBrace | T::LBracket => depth += 1,
                T::RParen | T::RBrace | T::RBracket => depth = depth.saturating_sub(1),
                T::Comma if depth == 1 => {
                    comma = Some(n);
                    break;
                }
                _ => {}
            }
        }
        let Some(comma) = comma else { return };
        self.push(HintKind::Assume, self.spelt(at..end), self.tokens[at].span, &[at..at + 1, comma..end - 1]);
    }

    /// `[[likely]]`
    fn attribute(&mut self, at: usize) {
        let name = self.text(at + 2);
        if !self.is(at + 1, T::LBracket) || !matches!(name, "likely" | "unlikely") || !self.is(at + 4, T::RBracket) {
            return;
        }
        self.push(HintKind::Assume, self.spelt(at..at + 5), self.tokens[at].span, std::slice::from_ref(&(at..at + 5)));
    }

    /// `#pragma STDC FP_CONTRACT OFF`, `#pragma clang fp contract(fast)`
    fn pragma(&mut self, at: usize) {
        let contract =
            self.text(at + 2) == "FP_CONTRACT" || self.text(at + 2) == "fp" && self.text(at + 3) == "contract";
        let end = (at..self.tokens.len()).find(|&n| self.is(n, T::EndPragma));
        let (true, Some(end)) = (contract, end) else { return };
        self.push(
            HintKind::FpContract,
            format!("#pragma {}", self.spelt(at + 1..end)),
            self.tokens[at].span,
            std::slice::from_ref(&(at..end + 1)),
        );
    }
}
