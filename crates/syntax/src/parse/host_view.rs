//! What can be read of host code, for its launches.
//!
//! In a file whose kernels are templates, host code decides which instances are compiled. So what is skipped as host-only
//! is read a second time, as far as it goes: nothing is reported, names that no header declares are taken for what they look
//! like, and a statement that does not parse is left out of the tree. What such code declares stays unknown to the device
//! code that follows.

use super::decl::DeclCx;
use super::keywords::Kw;
use super::{PResult, Parser};
use crate::TokenKind as T;
use crate::ast::DeclId;

/// How often the tokens of a file may be read for launches: classes that stand in classes are read with each of them.
pub(super) const MAX_READINGS: usize = 4;

impl Parser<'_> {
    /// Whether `__global__` stands in the head of a template somewhere.
    pub(super) fn has_kernel_templates(&self) -> bool {
        let mut templated = false;
        self.tokens.iter().any(|&t| {
            match (t.kind, self.kw_of(t)) {
                (T::LBrace | T::RBrace | T::Semi, _) => templated = false,
                (_, Kw::Template) => templated = true,
                (_, Kw::CudaGlobal) => return templated,
                _ => {}
            }
            false
        })
    }

    /// Reads the host declaration from here to `end`; the parser ends where it began.
    pub(super) fn host_view(&mut self, cx: DeclCx, end: usize) -> Vec<DeclId> {
        let mut out = Vec::new();
        let tokens = end.saturating_sub(self.pos);
        let wanted = self.kernel_templates || self.asks_types && self.is_prototype(end);
        if !wanted || self.lenient || self.fatal || self.host_tokens < tokens {
            return out;
        }
        self.host_tokens -= tokens;
        let (pos, tok, prev) = (self.pos, self.tok, self.prev);
        let (depth, unknown, pending) = (self.depth, self.unknown_types, self.pending.len());
        let (pack, linkage, contract) = (self.pack, self.linkage, self.contract);
        let local = std::mem::replace(&mut self.names.local, true);
        self.names.push_scope();
        let read = self.leniently(|p| p.plain_declaration(cx, &mut out));
        self.names.pop_scope();
        self.names.local = local;
        (self.pack, self.linkage, self.contract) = (pack, linkage, contract);
        (self.depth, self.unknown_types) = (depth, unknown);
        (self.pos, self.tok, self.prev) = (pos, tok, prev);
        if read.is_err() || self.fatal {
            self.pending.truncate(pending);
            out.clear();
        }
        self.fatal = false;
        self.ast.has_host_view |= !out.is_empty();
        out
    }

    /// Whether the host declaration from here to `end` has no body: what `decltype` of its call asks for is all in it.
    fn is_prototype(&self, end: usize) -> bool {
        (self.pos..end.min(self.tokens.len())).all(|i| self.at(i).kind != T::LBrace)
    }

    /// Whether `decltype` stands somewhere.
    pub(super) fn has_decltype(&self) -> bool {
        self.tokens.iter().any(|&t| t.kind == T::Ident && self.kw_of(t) == Kw::Decltype)
    }

    /// Runs `f` without reports and without answers to pragmas.
    pub(super) fn leniently<R>(&mut self, f: impl FnOnce(&mut Self) -> PResult<R>) -> PResult<R> {
        let outer = std::mem::replace(&mut self.lenient, true);
        let diagnostics = std::mem::take(&mut self.session.diagnostics);
        let ledger = std::mem::take(&mut self.session.ledger);
        let r = f(self);
        self.session.diagnostics = diagnostics;
        self.session.ledger = ledger;
        self.lenient = outer;
        r
    }

    /// After a statement at `start` that did not parse: goes behind the head of an `if` or a loop, whose body may.
    pub(super) fn skip_head(&mut self, start: usize) -> bool {
        let heads = matches!(self.kw_of(self.at(start)), Kw::If | Kw::For | Kw::While | Kw::Switch);
        let body = if heads { self.after_group(start + 1) } else { None };
        let Some(body) = body.filter(|&b| self.at(b).kind == T::LBrace && !self.fatal) else { return false };
        self.seek(body);
        true
    }
}
