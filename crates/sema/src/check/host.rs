//! Host code in CUDA files, as far as the parser could not tell.
//!
//! A declaration without a device qualifier may be host code that makes no sense without the host's headers: a class
//! with a `struct timeval` member, a `using` of a library's name. Its errors are kept back under its name, and come out
//! when device code uses that name. A declaration that is kept back and used by another host declaration spoils that
//! one too.

use source::{Diagnostic, Symbol};
use syntax::ast::{self, DeclKind, DeclSpecs};

use super::{BodySource, Checker, Entity, FnId, ScopeId, VarDecl};
use crate::program::{HostEntity, Side};

/// Names whose declarations had errors that matter only if device code uses them.
#[derive(Default, Debug)]
pub(crate) struct KeptBack {
    /// In the order of their declarations; cleared when they came out. With where the name was declared, unless it is qualified.
    names: Vec<(Symbol, Option<ScopeId>, Vec<Diagnostic>)>,
    /// A declaration that may be host code is being read.
    trial: bool,
}

const MARKS: DeclSpecs = DeclSpecs::DEVICE
    .with(DeclSpecs::GLOBAL)
    .with(DeclSpecs::CONSTANT)
    .with(DeclSpecs::SHARED)
    .with(DeclSpecs::MANAGED);

impl Checker<'_> {
    /// Who may call a function.
    pub(crate) fn side_of(&self, f: FnId) -> Side {
        let d = &self.decls[f];
        if self.is_opencl() {
            return Side::Device;
        }
        if !self.is_cuda() {
            return Side::Both;
        }
        // What `consteval` functions come to is known wherever they are called, however they are marked.
        let constant = DeclSpecs::CONSTEXPR.with(DeclSpecs::CONSTEVAL);
        let device = d.specs.any(DeclSpecs::DEVICE.with(constant));
        let host = d.specs.any(DeclSpecs::HOST.with(constant));
        if d.body == BodySource::Host || (!device && d.specs.has(DeclSpecs::HOST)) {
            Side::Host
        } else if host || d.body == BodySource::Defaulted {
            Side::Both
        } else {
            Side::Device
        }
    }

    /// What the program has no code or memory for because only host code may use it, in source order.
    pub(crate) fn host_entities(&self) -> Vec<HostEntity> {
        if !self.is_cuda() {
            return Vec::new();
        }
        let decls = &self.decls;
        let is_host = |f: &FnId| self.side_of(*f) == Side::Host && !decls.is_in_template(decls[*f].scope);
        let functions = (0..decls.fns.len() as u32).map(FnId).filter(is_host);
        let functions = functions.map(|f| (decls[f].name, decls[f].span, true));
        let unknown = decls.host_names.all.iter().map(|&(name, span)| (name, span, true));
        let is_host = |v: &&VarDecl| v.side == Side::Host && v.global.is_none();
        let variables = decls.vars.iter().filter(is_host).map(|v| (v.name, v.span, false));
        let entity = |(name, span, is_function)| HostEntity { name, span, is_function };
        let mut all: Vec<HostEntity> = functions.chain(unknown).chain(variables).map(entity).collect();
        all.sort_by_key(|e| e.span.lo);
        all
    }

    /// Whether a declaration says itself that it is device code's.
    pub(crate) fn is_marked(&self, d: &ast::Decl) -> bool {
        d.specs.any(MARKS)
    }

    /// Whether a declaration outside functions has nothing that marks it as the device's.
    pub(crate) fn may_be_host(&self, id: ast::DeclId) -> bool {
        if !self.is_cuda() || self.decls.kept_back.trial {
            return false;
        }
        let ast = self.ast;
        let d = ast[id];
        let constant = d.specs.has(DeclSpecs::CONSTEXPR) && !self.is_of_header(d.span);
        if constant || self.is_marked(&d) {
            return false;
        }
        match d.kind {
            DeclKind::Record(r) => !ast.list(ast[r].members).iter().any(|&m| {
                let marks = if matches!(ast[m].kind, DeclKind::Function(_)) { MARKS } else { DeclSpecs::SHARED };
                ast[m].specs.any(marks)
            }),
            DeclKind::Template { decl, .. } => self.may_be_host(decl),
            DeclKind::Instantiation { decl, .. } => !ast[decl].specs.any(MARKS),
            DeclKind::Var { .. }
            | DeclKind::Typedef { .. }
            | DeclKind::NamespaceAlias { .. }
            | DeclKind::UsingDirective
            | DeclKind::Using
            | DeclKind::Asm(_) => true,
            _ => false,
        }
    }

    /// Reads a declaration that may be host code; errors in it are kept back.
    pub(crate) fn tolerate(&mut self, id: ast::DeclId, read: impl FnOnce(&mut Self)) {
        let (mark, errors) = (self.sess.diagnostics.len(), self.sess.diagnostics.error_count());
        let unknown = self.cx.unknown.len();
        let outer = std::mem::replace(&mut self.decls.kept_back.trial, true);
        read(self);
        self.decls.kept_back.trial = outer;
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
            let scope = self.ast[d.name].qualifier.is_empty().then_some(self.scope);
            self.decls.kept_back.names.push((sym, scope, all));
        }
    }

    /// Device code, or a host declaration, uses a name, which was `found` to be these: what was kept back about it comes out, not
    /// what another one of that name has, which a local variable hides or another namespace.
    pub(crate) fn bring_out(&mut self, sym: Symbol, found: &[Entity]) {
        if self.decls.kept_back.names.is_empty() {
            return;
        }
        let trial = self.decls.kept_back.trial;
        for i in 0..self.decls.kept_back.names.len() {
            let (name, scope, _) = self.decls.kept_back.names[i];
            let is_other = |s| !self.decls.bound(s, sym).iter().any(|e| found.contains(e));
            if name != sym || !found.is_empty() && scope.is_some_and(is_other) {
                continue;
            }
            let kept = &mut self.decls.kept_back.names[i].2;
            let all = if trial { kept.clone() } else { std::mem::take(kept) };
            for d in all {
                self.report(d);
            }
        }
    }
}
