//! Look-up by the types of arguments (C++17, 6.4.2).

use rustc_hash::FxHashSet;
use source::{Span, Symbol};
use syntax::ast;

use super::Arg;
use crate::check::scope::new_among;
use crate::check::template::Explicit;
use crate::check::visible::Time;
use crate::check::{Checker, Entity, ScopeId};
use crate::program::ExprId;
use crate::types::{RecordId, TemplateArg, Ty, TyId};

/// The namespaces that types bring into a look-up, and what of these was seen.
#[derive(Default)]
struct Associated {
    namespaces: Vec<ScopeId>,
    seen: FxHashSet<TyId>,
    classes: FxHashSet<RecordId>,
    /// The classes that these are members of.
    around: Vec<RecordId>,
}

/// Adds functions and templates that are not there yet.
fn add_callable(all: &mut Vec<Entity>, more: impl Iterator<Item = Entity>) {
    let mut callable = more.filter(|e| matches!(e, Entity::Fn(_) | Entity::Template(_))).peekable();
    if callable.peek().is_some() {
        let new = new_among(all, callable);
        all.extend(new);
    }
}

impl Checker<'_> {
    /// Functions of a name in the namespaces that the types of arguments are associated with.
    pub(crate) fn adl(&mut self, sym: Symbol, args: &[Arg]) -> Vec<Entity> {
        let mut all = Associated::default();
        for a in args {
            let Arg::Expr(e) = a else { continue };
            let ty = self.ty(*e);
            let mut innermost = ty;
            while let Ty::Pointer { pointee: of, .. } | Ty::Array { elem: of, .. } = *self.p.types.get(innermost) {
                innermost = of;
            }
            if let Ty::Record(r) = *self.p.types.get(innermost) {
                // Functions that the class declares as friends are known when its body is.
                self.complete_record(r);
            }
            self.associate(ty, &mut all);
        }
        // Functions that are declared later count where a template's arguments are those of an instance.
        let end = if self.decls.is_in_template(self.scope) { Time::End } else { self.horizon() };
        let before = self.declared_with(&all, sym, end);
        let nothing = before.is_empty() && end != Time::End && self.lookup(sym).is_none();
        if nothing { self.declared_with(&all, sym, Time::End) } else { before }
    }

    /// What the namespaces have under a name, directives aside, and the friends of the classes.
    fn declared_with(&self, all: &Associated, sym: Symbol, end: Time) -> Vec<Entity> {
        let mut out = Vec::new();
        for &ns in &all.namespaces {
            let found = self.lookup_declared(ns, sym, end, 0);
            let friends = self.decls.hidden_friends.get(&(ns, sym));
            let own = friends.map(|f| f.of_classes(all.classes.iter().chain(&all.around)));
            add_callable(&mut out, found.into_iter().flat_map(|f| f.entities));
            add_callable(&mut out, own.into_iter().flatten());
        }
        out
    }

    /// A call of a function of the program that has the name of one that the compiler provides, and is found by the types of
    /// its arguments alone: `sinh` of a class beside `sinh` of numbers.
    pub(super) fn call_beside_provided(
        &mut self,
        sym: Symbol,
        n: ast::NameId,
        args: ast::List<ast::ExprId>,
        span: Span,
    ) -> Option<ExprId> {
        if !self.is_cxx() || !self.decls.declared_names.has(sym) || !self.is_provided_function(sym) {
            return None;
        }
        let a = self.args(args);
        let extra = self.adl(sym, &a);
        let name = self.ast[n];
        // What the compiler provides is no template: `floor<days>(time)` is another.
        let of_template = name.args.is_some() && extra.iter().any(|e| matches!(e, Entity::Template(_)));
        let better = of_template || !extra.is_empty() && self.resolve_ranked(&extra, None, &a).is_some();
        if better && !self.bad_arg(&a) {
            return Some(self.call_overloads(&extra, None, &a, name.args.map(Explicit::Written), name.span, span));
        }
        // What was checked is not checked again; elements of packs are, of which the tree has one for all.
        let list = self.ast.list(args);
        if list.len() == a.len() {
            for (&e, a) in list.iter().zip(&a) {
                if let Arg::Expr(v) = *a
                    && !matches!(self.ast[e].kind, ast::ExprKind::Pack(_))
                {
                    self.cx.checked_args.push((e, v));
                }
            }
        }
        None
    }

    /// The namespaces of a type: of classes their own, their base classes' and what their template arguments bring.
    fn associate(&self, ty: TyId, all: &mut Associated) {
        if !all.seen.insert(ty) {
            return;
        }
        match self.p.types.get(ty) {
            Ty::Pointer { pointee: of, .. } | Ty::Reference { pointee: of, .. } | Ty::Array { elem: of, .. } => {
                self.associate(*of, all);
            }
            Ty::Function(f) => {
                self.associate(f.ret, all);
                f.params.iter().for_each(|&p| self.associate(p, all));
            }
            Ty::MemberPointer { class, pointee, .. } => {
                self.associate(*class, all);
                self.associate(*pointee, all);
            }
            Ty::Enum(_) => {
                if let Some(&s) = self.decls.enum_scopes.get(&ty) {
                    self.associate_scope(self.decls[s].parent.unwrap_or(s), all);
                }
            }
            Ty::Record(r) => self.associate_class(*r, all),
            _ => {}
        }
    }

    fn associate_class(&self, r: RecordId, all: &mut Associated) {
        self.associate_bases(r, all);
        // Friends of the class that it is a member of are found, too.
        all.around.extend(self.decls[self.decls[r].scope].parent.and_then(|s| self.record_of_scope(s)));
        if let Some((_, args)) = &self.decls[r].instance {
            args.iter().for_each(|a| self.associate_argument(a, all));
        }
    }

    /// A class and its bases, whose template arguments are not asked (C++17, 6.4.2, 2.2).
    fn associate_bases(&self, r: RecordId, all: &mut Associated) {
        if !all.classes.insert(r) {
            return;
        }
        self.associate_scope(self.decls[r].scope, all);
        for base in &self.p.types.record(r).bases {
            self.associate_bases(base.record, all);
        }
    }

    fn associate_argument(&self, a: &TemplateArg, all: &mut Associated) {
        match a {
            TemplateArg::Type(t) => self.associate(t.ty, all),
            TemplateArg::Pack(args) => args.iter().for_each(|a| self.associate_argument(a, all)),
            TemplateArg::Template(name) => {
                if let Some(t) = self.decls.template_at(*name) {
                    self.associate_scope(self.decls[t].scope, all);
                }
            }
            _ => {}
        }
    }

    /// The innermost namespace around a scope; of an inline one that around it, too.
    fn associate_scope(&self, scope: ScopeId, all: &mut Associated) {
        let mut ns = self.decls.namespace_of(scope);
        loop {
            if all.namespaces.contains(&ns) {
                return;
            }
            all.namespaces.push(ns);
            match self.decls[ns].parent {
                Some(around) if self.decls[around].inline.contains(&ns) => ns = around,
                _ => return,
            }
        }
    }
}
