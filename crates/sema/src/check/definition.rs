//! Templates where they are defined, as clang's mode wants them; nvcc's looks at instances only.
//!
//! A walk over the tree of each template, whether something instantiates it or not. It keeps the names that templates,
//! classes and blocks declare, and of each whether it depends on template parameters. With that it sees
//!
//! * dependent names of types without `typename`, and of templates without `template`;
//! * names that only a base class which depends on a parameter could declare;
//! * assignments to what is `const` whatever the arguments are.
//!
//! What it cannot tell, it takes to be right: an instance is checked in full all the same.

mod depends;
mod rules;
mod walk;

use super::{Checker, ScopeId};
use rustc_hash::FxHashMap;
use source::{Span, Symbol};
use syntax::ast::{self, DeclKind, DeclSpecs, TypeKind};

/// How much something depends on template parameters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Dep {
    No,
    /// It is a class that is being defined: its members are known.
    Current,
    Yes,
}

/// What a name that the walk has seen stands for.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Type(Dep),
    Value {
        dep: Dep,
        /// Where it was declared, if it may not be assigned to.
        constant: Option<Span>,
        /// A data member that is neither static nor mutable.
        field: bool,
    },
    /// A function, a template, an enumerator: found, and no more is asked.
    Other,
}

/// A block, a list of template parameters or a class.
#[derive(Debug, Default)]
struct Scope {
    names: FxHashMap<Symbol, Kind>,
    /// The class's name, if this is one.
    class: Option<Symbol>,
    /// Its bases that depend on nothing.
    bases: Vec<ScopeId>,
    /// Its bases that depend on template parameters: their primary templates, where they are known.
    dependent_bases: Vec<Option<ast::DeclId>>,
}

/// A class template, to find the members of what stands outside of it.
#[derive(Clone, Copy, Debug)]
struct Class {
    params: ast::List<ast::DeclId>,
    record: ast::DeclId,
}

/// The walk.
struct Definitions<'c, 'a> {
    c: &'c mut Checker<'a>,
    ast: &'a ast::Ast,
    scopes: Vec<Scope>,
    /// Class templates by their names.
    classes: FxHashMap<Symbol, Class>,
    /// The namespace around.
    namespace: ScopeId,
    /// Lists of template parameters around.
    templates: u32,
    /// Whether `*this` is const.
    const_this: bool,
    /// Whether C++20 lets `typename` be left out where only a type can stand.
    relaxed: bool,
}

impl Checker<'_> {
    /// Checks all templates of the file as they are written.
    pub(super) fn check_definitions(&mut self) {
        if self.opts.mode != crate::Mode::Clang || !self.is_cuda() {
            return;
        }
        let relaxed = matches!(self.opts.dialect, syntax::Dialect::CudaCxx { std } if std >= 20);
        let ast = self.ast;
        let mut d = Definitions {
            c: self,
            ast,
            scopes: Vec::new(),
            classes: FxHashMap::default(),
            namespace: ScopeId(0),
            templates: 0,
            const_this: false,
            relaxed,
        };
        for &decl in &ast.top {
            d.decl(decl);
        }
    }
}

impl<'a> Definitions<'_, 'a> {
    /// Names declared in a scope of its own for the time of `f`.
    fn scoped<R>(&mut self, scope: Scope, f: impl FnOnce(&mut Self) -> R) -> R {
        self.scopes.push(scope);
        let r = f(self);
        self.scopes.pop();
        r
    }

    fn declare(&mut self, name: ast::NameId, kind: Kind) {
        if let (Some(sym), Some(s)) = (self.ast.plain_name(name), self.scopes.last_mut()) {
            s.names.insert(sym, kind);
        }
    }

    fn find(&self, sym: Symbol) -> Option<Kind> {
        self.scopes.iter().rev().find_map(|s| s.names.get(&sym).copied())
    }

    /// Declares template parameters.
    fn parameters(&mut self, params: ast::List<ast::DeclId>) {
        let ast = self.ast;
        for &p in ast.list(params) {
            let kind = match ast[p].kind {
                DeclKind::TypeParam { .. } | DeclKind::TemplateParam { .. } => Kind::Type(Dep::Yes),
                _ => Kind::Value { dep: Dep::Yes, constant: None, field: false },
            };
            self.declare(ast[p].name, kind);
        }
    }

    /// The scope of a class with the names of its members. The class's own parameters are in scope.
    fn class_scope(&mut self, decl: ast::DeclId) -> Scope {
        let ast = self.ast;
        let d = ast[decl];
        let DeclKind::Record(r) = d.kind else { return Scope::default() };
        let r = ast[r];
        let mut scope = Scope { class: self.c.last_symbol(d.name), ..Scope::default() };
        if let Some(name) = scope.class {
            scope.names.insert(name, Kind::Type(Dep::Current));
        }
        for b in ast.list(r.bases) {
            if !b.pack && self.type_dep(b.ty) == Dep::No {
                scope.bases.extend(self.record_scope(b.ty));
            } else {
                scope.dependent_bases.push(self.primary(b.ty));
            }
        }
        self.scopes.push(scope);
        for &m in ast.list(r.members) {
            self.member(m);
        }
        self.scopes.pop().unwrap_or_default()
    }

    /// Declares a member of a class, or what a block or namespace declares.
    fn member(&mut self, id: ast::DeclId) {
        let ast = self.ast;
        let d = ast[id];
        match d.kind {
            DeclKind::Field { ty, .. } => {
                let constant = self.constant_of(ty, d.span);
                let field = !d.specs.has(DeclSpecs::MUTABLE);
                let dep = self.type_dep(ty);
                self.declare(d.name, Kind::Value { dep, constant, field });
                self.tags_in(ty);
            }
            DeclKind::Var { ty, init, .. } => {
                let dep = if self.is_auto(ty) { self.init_dep(init) } else { self.type_dep(ty) };
                let constant = if d.specs.has(DeclSpecs::CONSTEXPR) && dep == Dep::No {
                    Some(d.span)
                } else {
                    self.constant_of(ty, d.span)
                };
                self.declare(d.name, Kind::Value { dep, constant, field: false });
                self.tags_in(ty);
            }
            DeclKind::Typedef { ty } => {
                let dep = self.type_dep(ty);
                self.declare(d.name, Kind::Type(dep));
            }
            DeclKind::Record(_) => {
                let dep = if self.templates > 0 { Dep::Current } else { Dep::No };
                if self.ast.plain_name(d.name).is_none() {
                    self.members_of_anonymous(id);
                }
                self.declare(d.name, Kind::Type(dep));
            }
            DeclKind::Enum { scoped, members, .. } => {
                self.declare(d.name, Kind::Type(Dep::No));
                if let (false, Some(list)) = (scoped, members) {
                    for &m in ast.list(list) {
                        self.declare(ast[m].name, Kind::Other);
                    }
                }
            }
            DeclKind::Function(_) => self.declare(d.name, Kind::Other),
            DeclKind::Using => {
                if let (Some(sym), Some(s)) = (self.c.last_symbol(d.name), self.scopes.last_mut()) {
                    s.names.insert(sym, Kind::Other);
                }
            }
            DeclKind::Template { decl, .. } => self.declare(ast[decl].name, Kind::Other),
            DeclKind::Friend(_) | DeclKind::Access(_) => {}
            DeclKind::Bindings { names, .. } => {
                let found: Vec<Symbol> = ast.list(names).iter().map(|n| n.sym).collect();
                let kind = Kind::Value { dep: Dep::Yes, constant: None, field: false };
                if let Some(s) = self.scopes.last_mut() {
                    s.names.extend(found.into_iter().map(|n| (n, kind)));
                }
            }
            DeclKind::HostOnly(_) | DeclKind::DeviceView(_) => self.declare(d.name, Kind::Other),
            _ => {}
        }
    }

    /// `struct { int a; };`: its members are the outer class's.
    fn members_of_anonymous(&mut self, id: ast::DeclId) {
        let ast = self.ast;
        let DeclKind::Record(r) = ast[id].kind else { return };
        for &m in ast.list(ast[r].members) {
            self.member(m);
        }
    }

    /// The classes and enumerations that a type defines on the way: `struct {…} x;`.
    fn tags_in(&mut self, ty: ast::TypeId) {
        if let TypeKind::Tag(d) = self.ast[ty].kind {
            self.member(d);
        }
    }

    /// Where a variable of this type was declared, if nothing can be assigned to it and that depends on nothing.
    fn constant_of(&mut self, ty: ast::TypeId, span: Span) -> Option<Span> {
        let t = self.ast[ty];
        let plain = !matches!(t.kind, TypeKind::LvalueRef(_) | TypeKind::RvalueRef(_) | TypeKind::Array { .. });
        (plain && t.quals.is_const && self.type_dep(ty) == Dep::No && !self.is_auto(ty)).then_some(span)
    }

    /// The class template that a dependent base is an instance of.
    fn primary(&self, ty: ast::TypeId) -> Option<ast::DeclId> {
        let TypeKind::Name(n) = self.ast[ty].kind else { return None };
        let sym = self.c.last_symbol(n)?;
        self.classes.get(&sym).map(|c| c.record)
    }

    /// The members of a class that depends on nothing.
    fn record_scope(&mut self, ty: ast::TypeId) -> Option<ScopeId> {
        let mark = self.c.sess.diagnostics.len();
        let saved = std::mem::replace(&mut self.c.scope, self.namespace);
        let t = self.c.resolve_ty(ty);
        self.c.scope = saved;
        self.c.sess.diagnostics.truncate(mark);
        let r = self.c.p.types.as_record(t)?;
        Some(self.c.decls[r].scope)
    }
}
