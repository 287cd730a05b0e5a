//! What the walk reports.

use super::{Definitions, Dep, Kind};
use source::{Diagnostic, Span, Symbol};
use syntax::ast::{self, DeclKind, ExprKind as E, NameKind};

impl Definitions<'_, '_> {
    /// `T::x` where a type is wanted.
    pub(super) fn wants_typename(&mut self, n: ast::NameId) {
        let name = self.ast[n];
        if self.templates == 0 || name.typename || name.qualifier.is_empty() {
            return;
        }
        if self.qualifier_dep(n) != Dep::Yes {
            return;
        }
        let text = self.c.name_text(n);
        let d = Diagnostic::error("E0449", name.span, format!("missing `typename` before the dependent name `{text}`"))
            .fix(before(name.span), "typename ")
            .help("write `typename` before it, or compile with `-fmode=nvcc`");
        self.c.report(d);
    }

    /// `t.f<int>`, `T::f<int>`: is `<` a comparison?
    pub(super) fn wants_template(&mut self, n: ast::NameId, object: Option<ast::ExprId>) {
        if self.templates == 0 {
            return;
        }
        let name = self.ast[n];
        let of_object = object.is_some_and(|e| self.expr_dep(e) == Dep::Yes);
        let segments = self.ast.list(name.qualifier);
        for (i, s) in segments.iter().enumerate() {
            let before = i > 0 && segments[..i].iter().any(|s| self.segment_dep(s) == Dep::Yes);
            if s.args.is_some() && !s.template && (before || i == 0 && of_object) {
                self.missing_template(s.span);
            }
        }
        let before = if segments.is_empty() { of_object } else { self.qualifier_dep(n) == Dep::Yes };
        if name.args.is_some() && !name.template && before {
            self.missing_template(name.span);
        }
    }

    fn segment_dep(&mut self, s: &ast::NameSegment) -> Dep {
        match s.kind {
            ast::SegmentKind::Decltype(e) => self.expr_dep(e),
            ast::SegmentKind::Ident(sym) => match self.find(sym) {
                Some(Kind::Type(dep)) => dep,
                _ => s.args.map_or(Dep::No, |a| self.args_dep(a)),
            },
        }
    }

    fn missing_template(&mut self, span: Span) {
        let text = self.c.sess.sources.snippet(span).to_owned();
        let d = Diagnostic::error("E0458", span, format!("missing `template` before the dependent name `{text}`"))
            .fix(before(span), "template ")
            .help("write `template` before it, so that `<` is no comparison, or compile with `-fmode=nvcc`");
        self.c.report(d);
    }

    /// A name without qualifier that nothing declares, in a class with a base that depends on a parameter.
    /// `open`: arguments depend, so that a function could be found with them later.
    pub(super) fn wants_this(&mut self, n: ast::NameId, open: bool, is_type: bool) {
        if self.templates == 0 || self.scopes.iter().all(|s| s.dependent_bases.is_empty()) {
            return;
        }
        let name = self.ast[n];
        let NameKind::Ident(sym) = name.kind else { return };
        if !name.qualifier.is_empty() || name.global || self.is_declared(sym) {
            return;
        }
        let of_base = self.is_member_of_base(sym);
        if open && !of_base {
            return;
        }
        let text = self.c.text(sym).to_owned();
        let help = if is_type {
            format!("qualify it: `typename Base<…>::{text}`")
        } else {
            format!("write `this->{text}`, so that it is looked up when the template is instantiated")
        };
        let d = Diagnostic::error(
            "E0459",
            name.span,
            format!("nothing declares `{text}` here: bases that depend on template parameters are not searched"),
        )
        .help(format!("{help}, or compile with `-fmode=nvcc`"));
        self.c.report(if is_type { d } else { d.fix(before(name.span), "this->") });
    }

    fn is_declared(&mut self, sym: Symbol) -> bool {
        if self.find(sym).is_some() || self.c.decls.host_names.place(sym).is_some() {
            return true;
        }
        let bases: Vec<_> = self.scopes.iter().flat_map(|s| s.bases.iter().copied()).collect();
        if bases.into_iter().any(|b| self.c.lookup_in(b, sym).is_some()) {
            return true;
        }
        let saved = std::mem::replace(&mut self.c.scope, self.namespace);
        let found = self.c.lookup(sym).is_some();
        self.c.scope = saved;
        let text = self.c.text(sym);
        found
            || text.starts_with("__")
            || builtins::lookup(self.c.lang(), text).is_some()
            || self.c.special_variable(sym, Span::NONE).is_some()
            || self.c.provided_type(sym).is_some()
            || self.c.provided_constant(sym, Span::NONE).is_some()
    }

    /// Whether the template of a dependent base declares the name.
    fn is_member_of_base(&self, sym: Symbol) -> bool {
        let ast = self.ast;
        let bases = self.scopes.iter().flat_map(|s| s.dependent_bases.iter().copied().flatten());
        bases.into_iter().any(|b| {
            let DeclKind::Record(r) = ast[b].kind else { return false };
            ast.list(ast[r].members).iter().any(|&m| {
                let mut d = ast[m];
                while let DeclKind::Template { decl, .. } = d.kind {
                    d = ast[decl];
                }
                ast.plain_name(d.name) == Some(sym)
            })
        })
    }

    /// The left side of an assignment, or what is counted up or down.
    pub(super) fn wants_mutable(&mut self, place: ast::ExprId, whole: Span) {
        if self.templates == 0 {
            return;
        }
        let ast = self.ast;
        let mut at = place;
        while let E::Paren(e) = ast[at].kind {
            at = e;
        }
        let (name, of_this) = match ast[at].kind {
            E::Name(n) => (n, false),
            E::Member { base, name, .. } if matches!(ast[base].kind, E::This) => (name, true),
            _ => return,
        };
        let Some(sym) = ast.plain_name(name) else { return };
        let found = if of_this {
            self.scopes.iter().rev().filter(|s| s.class.is_some()).find_map(|s| s.names.get(&sym).copied())
        } else {
            self.find(sym)
        };
        let Some(Kind::Value { dep, constant, field }) = found else { return };
        let text = self.c.text(sym).to_owned();
        let d = match constant {
            Some(there) => Diagnostic::error("E0425", whole, format!("cannot assign to `{text}`: it is const"))
                .label(there, "declared const here"),
            None if field && self.const_this && dep == Dep::No => {
                Diagnostic::error("E0425", whole, format!("cannot assign to `{text}` in a const member function"))
            }
            None => return,
        };
        // An instance has said so already, if there is one.
        let said = |o: &Diagnostic| o.code == "E0425" && o.span().lo == whole.lo;
        if !self.c.sess.diagnostics.iter().any(said) {
            self.c.report(d.help("in nvcc's mode a template that nothing instantiates is not looked at"));
        }
    }
}

/// The place before something.
fn before(span: Span) -> Span {
    Span { hi: span.lo, ..span }
}
