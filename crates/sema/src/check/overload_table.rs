//! Overloads of OpenCL C by the types of their parameters.
//!
//! A name may have thousands of functions there (`__attribute__((overloadable))`), and a program that declares and calls each would
//! look at all of them each time. A function whose parameters have exactly the types of the arguments is the best of them in C,
//! which has neither references nor templates, so it is found by a table.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::call::Arg;
use super::declarations::Declarations;
use super::scope::Entity;
use super::{Checker, FnDecl, FnId, ScopeId, ScopeKind};
use crate::program::ExprId;
use crate::types::TyId;
use source::{Span, Symbol};
use syntax::ast;

/// The types of a function's parameters.
type Types = SmallVec<[TyId; 4]>;

/// Names of which nothing but overloadable functions is known, each with parameters of its own.
#[derive(Debug, Default)]
pub(crate) struct OverloadTable {
    names: FxHashMap<(ScopeId, Symbol), FxHashMap<Types, FnId>>,
}

impl OverloadTable {
    /// The name stands for something else, too.
    pub(super) fn forget(&mut self, scope: ScopeId, sym: Symbol) {
        self.names.remove(&(scope, sym));
    }
}

/// What is known of a declaration among others of its name.
pub(super) enum Known {
    /// It is declared once more.
    Again(FnId),
    /// Its name has no function of these parameters.
    New,
    /// One has to look at all that the name stands for.
    Unknown,
}

impl Declarations {
    /// Whether a name has a function with the parameters of this one.
    pub(super) fn known_overload(&self, scope: ScopeId, decl: &FnDecl) -> Known {
        let Some(types) = plain_types(decl) else { return Known::Unknown };
        match self.overloads.names.get(&(scope, decl.name)) {
            Some(of) => of.get(&types).map_or(Known::New, |&f| Known::Again(f)),
            None if self.names.contains_key(&(scope, decl.name)) => Known::Unknown,
            None => Known::New,
        }
    }

    /// Binds a function of which its name was known to have none with these parameters.
    pub(super) fn bind_overload(&mut self, scope: ScopeId, f: FnId) {
        let name = self[f].name;
        let Some(types) = plain_types(&self[f]) else { return self.bind(scope, name, Entity::Fn(f)) };
        let mut of = self.overloads.names.remove(&(scope, name)).unwrap_or_default();
        of.insert(types, f);
        self.bind(scope, name, Entity::Fn(f));
        self.overloads.names.insert((scope, name), of);
    }
}

/// The types of an overloadable function's parameters, if what it takes is as many values as that.
fn plain_types(decl: &FnDecl) -> Option<Types> {
    let types: Types = decl.params.iter().map(|p| p.ty).collect();
    let plain = decl.overloadable && !decl.variadic && !decl.unprototyped && !types.contains(&TyId::ERROR);
    plain.then_some(types)
}

impl Checker<'_> {
    /// Whether a name that is called may be found in the table: it is OpenCL C's, not a provided function's, and nothing
    /// in the blocks around hides it.
    pub(super) fn has_overload_table(&self, n: ast::NameId) -> Option<Symbol> {
        let name = &self.ast[n];
        let ast::NameKind::Ident(sym) = name.kind else { return None };
        let here = !self.is_cxx() && self.decls.overloads.names.contains_key(&(self.outermost(), sym));
        let plain = here && name.qualifier.is_empty() && name.args.is_none() && self.cx.names.of(sym).next().is_none();
        (plain && builtins::lookup(self.lang(), self.text(sym)).is_none()).then_some(sym)
    }

    fn outermost(&self) -> ScopeId {
        let scope = self.decls.namespace_of(self.scope);
        debug_assert!(matches!(self.decls[scope].kind, ScopeKind::Namespace));
        scope
    }

    /// The call of the overload that takes arguments of exactly these types.
    pub(super) fn call_overload(&mut self, sym: Symbol, args: &[Arg], at: Span, span: Span) -> Option<ExprId> {
        let mut types = Types::new();
        for a in args {
            let Arg::Expr(e) = *a else { return None };
            types.push(self.value_ty(e));
        }
        let f = *self.decls.overloads.names.get(&(self.outermost(), sym))?.get(&types)?;
        Some(self.call_fn(f, None, args, at, span))
    }
}
