//! Namespaces.

use crate::check::names::Qualifier;
use crate::check::template::MAX_INLINE_DEEP;
use crate::check::visible::Time;
use crate::check::{Checker, Entity, ScopeId, ScopeKind};
use crate::types::{NameKind as TreeName, Ty};
use source::{Diagnostic, Span, Symbol};
use syntax::ast::{self, DeclKind};

impl Checker<'_> {
    pub(super) fn namespace(&mut self, d: &ast::Decl, inline: bool, members: ast::List<ast::DeclId>) {
        let ast = self.ast;
        let here = self.scope;
        let parent = self.decls[here].name;
        let (sym, kind) = match self.decl_symbol(d) {
            Some(s) => (Some(s), TreeName::Namespace(s)),
            None => (None, TreeName::AnonNamespace),
        };
        let existing = match sym {
            Some(s) => self.namespace_in(here, s, 0),
            None => self.decls.anon_namespaces.get(&here).copied(),
        };
        let scope = existing.unwrap_or_else(|| {
            let name = self.p.types.child_name(parent, kind);
            let s = self.decls.new_scope(here, ScopeKind::Namespace, name);
            match sym {
                Some(sym) => {
                    let since = self.time_of_first(members);
                    self.decls.bind_since(here, sym, Entity::Namespace(s), since);
                }
                None => {
                    self.decls.anon_namespaces.insert(here, s);
                }
            }
            if inline || sym.is_none() {
                self.decls.see_through(here, s);
                self.decls[here].inline.push(s);
            }
            s
        });
        let saved = std::mem::replace(&mut self.scope, scope);
        for &m in ast.list(members) {
            self.declare(m);
        }
        self.scope = saved;
    }

    /// The namespace of that name that is opened again in a scope: one of its own or of its inline namespaces (CWG 2061).
    fn namespace_in(&self, scope: ScopeId, sym: Symbol, depth: usize) -> Option<ScopeId> {
        let own = self.decls.bound(scope, sym).iter().find_map(|e| match e {
            Entity::Namespace(n) => Some(*n),
            _ => None,
        });
        let inline = || {
            let anonymous = self.decls.anon_namespaces.get(&scope);
            let named = self.decls[scope].inline.iter().filter(|s| Some(*s) != anonymous);
            named.into_iter().find_map(|&s| self.namespace_in(s, sym, depth + 1))
        };
        own.or_else(|| if depth < MAX_INLINE_DEEP { inline() } else { None })
    }

    /// When the first declaration in a namespace is read: by itself a namespace is at no time.
    fn time_of_first(&self, members: ast::List<ast::DeclId>) -> Time {
        let now = self.decls.clock.now();
        let mut at = members;
        while let Some(&first) = self.ast.list(at).first() {
            match self.ast[first].kind {
                DeclKind::Namespace { members, .. } => at = members,
                DeclKind::Linkage { .. } | DeclKind::HostView(_) | DeclKind::HostScope { .. } => return now,
                _ => return now.max(Time::In(first)),
            }
        }
        now
    }

    /// The scope of a class of the host: a namespace, or the scope of the class if it was announced before.
    pub(super) fn host_scope(&mut self, d: &ast::Decl, bases: ast::List<ast::Base>, members: ast::List<ast::DeclId>) {
        let Some(sym) = self.decl_symbol(d) else { return };
        let (ast, here) = (self.ast, self.scope);
        let known = self.decls.bound(here, sym).iter().find_map(|e| self.scope_of_entity(e));
        let scope = known.unwrap_or_else(|| {
            let name = self.p.types.child_name(self.decls[here].name, TreeName::Type(sym));
            let s = self.decls.new_scope(here, ScopeKind::Namespace, name);
            self.decls.bind(here, sym, Entity::Namespace(s));
            s
        });
        for base in ast.list(bases) {
            let ast::TypeKind::Name(name) = ast[base.ty].kind else { continue };
            let found = self.find_name(name);
            let base = found.and_then(|f| f.entities.iter().find_map(|e| self.scope_of_entity(e)));
            if let Some(base) = base.filter(|&b| b != scope) {
                self.decls.see_through(scope, base);
            }
        }
        let saved = std::mem::replace(&mut self.scope, scope);
        for &m in ast.list(members) {
            self.declare(m);
        }
        self.scope = saved;
    }

    /// The scope that a namespace or a class is.
    fn scope_of_entity(&self, e: &Entity) -> Option<ScopeId> {
        match *e {
            Entity::Tag(t) | Entity::Type(crate::check::RTy { ty: t, .. }) => {
                self.p.types.as_record(t).map(|r| self.decls[r].scope)
            }
            Entity::Namespace(s) => Some(s),
            _ => None,
        }
    }

    fn named_namespace(&mut self, name: ast::NameId) -> Option<ScopeId> {
        let found = self.find_name(name)?;
        found.entities.iter().find_map(|e| match e {
            Entity::Namespace(n) => Some(*n),
            _ => None,
        })
    }

    pub(crate) fn namespace_alias(&mut self, d: &ast::Decl, target: ast::NameId) {
        let Some(sym) = self.decl_symbol(d) else { return };
        match self.named_namespace(target) {
            Some(n) if self.cx.block_depth > 0 => self.cx.names.push((sym, Entity::Namespace(n))),
            Some(n) => self.decls.bind(self.scope, sym, Entity::Namespace(n)),
            None => {
                let text = self.name_text(target);
                // Host-only namespaces (`std::chrono`) are legitimately unknown.
                if !text.starts_with("std") {
                    self.error("E0342", d.span, format!("`{text}` is not a namespace"));
                }
            }
        }
    }

    pub(crate) fn using_directive(&mut self, d: &ast::Decl) {
        match self.named_namespace(d.name) {
            Some(n) => {
                if self.cx.block_depth > 0 {
                    let directive = self.sess.intern("using namespace");
                    self.cx.names.nominate(directive, n);
                } else {
                    let at = self.decls.namespace_of(self.scope);
                    self.decls.see_through(at, n);
                }
            }
            None => {
                let text = self.name_text(d.name);
                let known = ["std", "cooperative_groups", "nvcuda", "cuda", "thrust", "cub"];
                if !known.iter().any(|k| text.starts_with(k)) {
                    self.error("E0342", d.span, format!("`{text}` is not a namespace"));
                }
            }
        }
    }

    /// Under what a scope has what a using-declaration brings.
    pub(crate) fn name_in_scope(&mut self, name: ast::NameId) -> Option<source::Symbol> {
        match self.ast[name].kind {
            ast::NameKind::Operator(op) => Some(self.operator_symbol(op)),
            _ => self.last_symbol(name),
        }
    }

    pub(crate) fn using(&mut self, d: &ast::Decl) {
        let operator = match self.ast[d.name].kind {
            ast::NameKind::Operator(op) => Some(self.operator_symbol(op)),
            _ => None,
        };
        let Some(sym) = self.name_in_scope(d.name) else { return };
        // An operator's name is looked up where its qualifier says.
        let find = |c: &mut Self| match (operator, c.qualifier(d.name)) {
            (Some(sym), Qualifier::Scope(s)) => c.lookup_in(s, sym),
            _ => c.find_name(d.name),
        };
        let text = self.name_text(d.name);
        // What the C++ library has and unspool's own text of it has not is passed over, like its headers; so are names of C's
        // library in CUDA.
        let written = self.ast[d.name];
        let outside = written.global && written.qualifier.is_empty();
        let library = self.is_of_std(d.name) || self.is_cuda() && outside;
        // `using Bases::f...;` of each base.
        if let Some(n) = self.pack_len_in_name(d.name, 0).filter(|_| !self.ast[d.name].qualifier.is_empty()) {
            for i in 0..n {
                let found = self.at_element(Some(i), find);
                for e in found.into_iter().flat_map(|f| f.entities) {
                    self.decls.bind(self.scope, sym, e);
                }
            }
            return;
        }
        let mark = self.sess.diagnostics.len();
        let found = find(self);
        if library && found.is_none() {
            self.sess.diagnostics.truncate(mark);
            return;
        }
        match found {
            Some(found) => {
                for e in found.entities {
                    if self.cx.block_depth > 0 {
                        self.cx.names.push((sym, e));
                    } else {
                        self.decls.bind(self.scope, sym, e);
                    }
                }
            }
            // The library's functions are in the global namespace without being declared.
            None if self.is_provided_function(sym) => {}
            // The assignment that every class has.
            None if matches!(self.ast[d.name].kind, ast::NameKind::Operator(ast::Operator::Assign))
                && matches!(self.decls[self.scope].kind, ScopeKind::Record(_)) => {}
            None if self.names_host_function(d.name, sym) => {}
            None => self.error("E0343", d.span, format!("no member named `{text}`")),
        }
    }

    /// Whether a name says that it is the C++ library's: `std::vector`.
    pub(crate) fn is_of_std(&self, name: ast::NameId) -> bool {
        let first = self.ast.list(self.ast[name].qualifier).first();
        first.is_some_and(|s| matches!(s.kind, ast::SegmentKind::Ident(s) if self.text(s) == "std"))
    }

    /// Whether a qualified name is a member function that only the host has: device code has no use for it.
    fn names_host_function(&mut self, name: ast::NameId, last: source::Symbol) -> bool {
        let Qualifier::Scope(scope) = self.qualifier(name) else { return false };
        self.record_of_scope(scope).is_some_and(|class| self.has_host_function(class, last))
    }

    pub(crate) fn typedef(&mut self, id: ast::DeclId, ty: ast::TypeId) {
        let d = self.ast[id];
        let mut r = self.resolve(ty);
        r.align = self.decl_align(d.attrs).or(r.align);
        let Some(sym) = self.decl_symbol(&d) else { return };
        if self.cx.block_depth == 0 && self.size_like(ty).is_some() {
            self.decls.size_names.insert(sym);
        }
        // A typedef gives an unnamed record or enumeration its name, also in symbols (C++17, 10.1.3p9).
        let name = match *self.p.types.get(r.ty) {
            Ty::Record(rec) => Some(self.p.types.record(rec).name),
            Ty::Enum(e) => Some(self.p.types.enumeration(e).name),
            _ => None,
        };
        if let Some(node) = name.map(|n| self.p.types.name(n))
            && let TreeName::Unnamed(_) = node.kind
        {
            let path = self.p.types.child_name(node.parent, TreeName::Type(sym));
            match *self.p.types.get(r.ty) {
                Ty::Record(rec) => self.p.types.records[rec.0 as usize].name = path,
                Ty::Enum(e) => self.p.types.enums[e.0 as usize].name = path,
                _ => {}
            }
        }
        if self.cx.block_depth > 0 {
            self.cx.names.push((sym, Entity::Type(r)));
        } else {
            let scope = self.scope;
            if self.decls.bound(scope, sym).iter().any(|e| matches!(e, Entity::Type(t) if *t == r)) {
                return;
            }
            self.decls.bind(scope, sym, Entity::Type(r));
        }
    }

    pub(crate) fn static_assert(&mut self, cond: ast::ExprId, message: Option<ast::StrId>, span: Span) {
        let missed = self.decls.host_missed;
        let Some(v) = self.constant_expr(cond) else { return };
        let v = self.condition(v);
        if self.is_err(v) {
            return;
        }
        let of_host = self.decls.host_missed != missed && self.cx.decl.is_none();
        match self.truth(v) {
            Some(true) => {}
            // What is asked of the host's own has no answer here.
            Some(false) if of_host => {}
            Some(false) => {
                let text = message.map(|m| self.string_text(m)).filter(|s| !s.is_empty());
                let what = match text {
                    Some(t) => format!("static assertion failed: {t}"),
                    None => "static assertion failed".to_owned(),
                };
                self.error("E0344", span, what);
            }
            None => {
                let at = self.ast[cond].span;
                let mut d =
                    Diagnostic::error("E0345", at, "the condition of a static assertion is not a constant expression");
                if let Some(why) = self.cx.not_constant.filter(|&why| why != at) {
                    d = d.label(why, "this has no value that is known here");
                }
                self.report(d);
            }
        }
    }

    /// A string literal's characters as text.
    pub(crate) fn string_text(&self, s: ast::StrId) -> String {
        let units = &self.ast[s].units;
        let bytes: Vec<u8> = units.iter().map(|&u| u as u8).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
