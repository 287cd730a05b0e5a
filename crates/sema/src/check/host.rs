//! Host code in CUDA files, as far as the parser could not tell.
//!
//! A declaration without a device qualifier may be host code that makes no sense without the host's headers: a class
//! with a `struct timeval` member, a `using` of a library's name. Its errors are kept back under its name, and come out
//! when device code uses that name. A declaration that is kept back and used by another host declaration spoils that
//! one too.

use source::{Diagnostic, Symbol};
use syntax::ast::{self, DeclKind, DeclSpecs};

use super::Checker;

/// Names whose declarations had errors that matter only if device code uses them.
#[derive(Default, Debug)]
pub(crate) struct KeptBack {
    /// In the order of their declarations; cleared when they came out.
    names: Vec<(Symbol, Vec<Diagnostic>)>,
    /// A declaration that may be host code is being read.
    trial: bool,
}

const MARKS: DeclSpecs = DeclSpecs::DEVICE
    .with(DeclSpecs::GLOBAL)
    .with(DeclSpecs::CONSTANT)
    .with(DeclSpecs::SHARED)
    .with(DeclSpecs::MANAGED);

impl Checker<'_> {
    /// Whether a declaration outside functions has nothing that marks it as the device's.
    pub(crate) fn may_be_host(&self, id: ast::DeclId) -> bool {
        if !self.is_cuda() || self.kept_back.trial {
            return false;
        }
        let ast = self.ast;
        let d = ast[id];
        if d.specs.any(MARKS.with(DeclSpecs::CONSTEXPR)) {
            return false;
        }
        match d.kind {
            DeclKind::Record(r) => !ast.list(ast[r].members).iter().any(|&m| {
                let marks = if matches!(ast[m].kind, DeclKind::Function(_)) { MARKS } else { DeclSpecs::SHARED };
                ast[m].specs.any(marks)
            }),
            DeclKind::Template { decl, .. } => self.may_be_host(decl),
            DeclKind::Var { .. }
            | DeclKind::Typedef { .. }
            | DeclKind::NamespaceAlias { .. }
            | DeclKind::UsingDirective
            | DeclKind::Using
            | DeclKind::Instantiation { .. }
            | DeclKind::Asm(_) => true,
            _ => false,
        }
    }

    /// Reads a declaration that may be host code; errors in it are kept back.
    pub(crate) fn tolerate(&mut self, id: ast::DeclId, read: impl FnOnce(&mut Self)) {
        let (mark, errors) = (self.sess.diagnostics.len(), self.sess.diagnostics.error_count());
        let unknown = self.cx.unknown.len();
        let outer = std::mem::replace(&mut self.kept_back.trial, true);
        read(self);
        self.kept_back.trial = outer;
        if self.sess.diagnostics.error_count() == errors || outer {
            return;
        }
        self.cx.unknown.truncate(unknown);
        let all = self.sess.diagnostics.split_off(mark);
        let mut d = self.ast[id];
        while let DeclKind::Template { decl, .. } = d.kind {
            d = self.ast[decl];
        }
        let name = self.last_symbol(d.name).or_else(|| self.ast.plain_name(d.name));
        if let Some(sym) = name {
            self.kept_back.names.push((sym, all));
        }
    }

    /// Device code, or a host declaration, uses a name: what was kept back about it comes out.
    pub(crate) fn bring_out(&mut self, sym: Symbol) {
        if self.kept_back.names.is_empty() {
            return;
        }
        let trial = self.kept_back.trial;
        for i in 0..self.kept_back.names.len() {
            if self.kept_back.names[i].0 != sym {
                continue;
            }
            let all =
                if trial { self.kept_back.names[i].1.clone() } else { std::mem::take(&mut self.kept_back.names[i].1) };
            for d in all {
                self.report(d);
            }
        }
    }
}
