//! Declarations at namespace scope, and variables wherever they stand.

mod bindings;
mod global;
mod local;
mod namespace;
mod statics;
mod tag;

use source::Symbol;
use syntax::ast::{self, DeclKind, NameKind};

use super::Checker;
use crate::types::TyId;

impl Checker<'_> {
    /// A declaration outside functions.
    pub(crate) fn declare(&mut self, id: ast::DeclId) {
        self.next_declaration(id);
        if matches!(self.ast[id].kind, DeclKind::Using) && self.is_of_header(self.ast[id].span) {
            self.using_in_header(|c| c.declare_now(id));
        } else if self.may_be_host(id) {
            self.tolerate(id, |c| c.declare_now(id));
        } else if self.is_function(id) && self.is_of_header(self.ast[id].span) {
            self.holding_declaration(id, |c| c.declare_now(id));
        } else {
            self.declare_now(id);
        }
    }

    /// Whether a function or a function template is declared.
    fn is_function(&self, id: ast::DeclId) -> bool {
        match self.ast[id].kind {
            DeclKind::Function(_) => true,
            DeclKind::Template { decl, .. } => self.is_function(decl),
            _ => false,
        }
    }

    fn declare_now(&mut self, id: ast::DeclId) {
        let ast = self.ast;
        let d = ast[id];
        match d.kind {
            DeclKind::Error | DeclKind::Empty | DeclKind::HostOnly(_) | DeclKind::Access(_) => {
                if let DeclKind::HostOnly(_) = d.kind
                    && !self.reads_host()
                {
                    self.remember_host(id);
                }
            }
            DeclKind::Var { ty, init, .. } => self.global_var(id, ty, init),
            DeclKind::Function(f) => {
                self.declare_function(id, f, None);
            }
            DeclKind::Record(_) | DeclKind::Enum { .. } => {
                self.declare_tag(id);
            }
            DeclKind::Typedef { ty } => self.typedef(id, ty),
            DeclKind::Namespace { inline, members } => self.namespace(&d, inline, members),
            DeclKind::NamespaceAlias { target } => self.namespace_alias(&d, target),
            DeclKind::UsingDirective => self.using_directive(&d),
            DeclKind::Using => self.using(&d),
            DeclKind::Linkage { members, .. } => {
                for &m in ast.list(members) {
                    self.declare(m);
                }
            }
            DeclKind::StaticAssert { cond, message } => self.assertion(cond, message, d.span),
            DeclKind::Template { params, decl } => self.declare_template(params, decl, None),
            DeclKind::Instantiation { decl, is_extern } => self.explicit_instantiation(decl, is_extern),
            DeclKind::HostView(inner) => {
                if self.reads_host() {
                    self.declare(inner);
                } else {
                    self.keep_host_function(inner);
                }
            }
            DeclKind::HostScope { bases, members } => {
                if !self.reads_host() {
                    self.host_scope(&d, bases, members);
                }
            }
            DeclKind::Launch => self.launch(d.name),
            DeclKind::Friend(inner) => {
                if let DeclKind::Function(f) = ast[inner].kind {
                    self.declare_function(inner, f, None);
                }
            }
            DeclKind::FriendType(_) => {}
            DeclKind::Pragma(p) => self.file_pragma(p),
            DeclKind::Asm(_) => {
                self.error("E0340", d.span, "assembly at file scope is not supported in device code");
            }
            DeclKind::Bindings { .. } => {
                self.error("E0341", d.span, "structured bindings are not allowed outside functions");
            }
            DeclKind::Param { .. }
            | DeclKind::Field { .. }
            | DeclKind::DeviceView(_)
            | DeclKind::Enumerator { .. }
            | DeclKind::TypeParam { .. }
            | DeclKind::TemplateParam { .. } => {}
        }
    }

    fn remember_host(&mut self, id: ast::DeclId) {
        let d = self.ast[id];
        if let Some(sym) = self.ast.plain_name(d.name).or_else(|| self.declared_symbol(d.name)) {
            self.decls.host_names.declare(sym, d.span);
        }
    }

    /// The identifier that a declaration declares.
    pub(crate) fn decl_symbol(&self, d: &ast::Decl) -> Option<Symbol> {
        match self.ast[d.name].kind {
            NameKind::Ident(s) => Some(s),
            _ => None,
        }
    }

    /// The name that a function is declared by, be it an operator's.
    pub(crate) fn declared_symbol(&mut self, name: ast::NameId) -> Option<Symbol> {
        match self.ast[name].kind {
            NameKind::Ident(s) => Some(s),
            NameKind::Operator(op) => Some(self.operator_symbol(op)),
            _ => None,
        }
    }

    fn file_pragma(&mut self, p: ast::PragmaId) {
        let pragma = self.ast[p];
        if pragma.kind == ast::PragmaKind::MisplacedHint {
            // The parser has reported it; the ledger must know too.
            let text = self.sess.sources.snippet(pragma.span).to_owned();
            let h = self.sess.ledger.enter(source::HintKind::Unroll, pragma.span, text);
            self.sess.ledger.settle(h, source::Fate::Refused, "nothing", "it stands outside any function");
        }
    }
}

fn enumerator_ty(value: i128) -> TyId {
    if value >= i128::from(i32::MIN) && value <= i128::from(i32::MAX) {
        TyId::INT
    } else if value >= 0 && value <= i128::from(u32::MAX) {
        TyId::UINT
    } else {
        TyId::LONG
    }
}
