//! Templates as they are declared and defined.

use source::{Diagnostic, Span, Symbol};
use syntax::ast::{self, DeclKind};

use crate::check::{
    Checker, Entity, RTy, ScopeId, ScopeKind, Specialisation, Specialisations, Template, TemplateId, TemplateKind,
    TemplateParam, with_scope,
};
use crate::types::{NameKind as TreeName, RecordId, Ty, TyId};

/// How many inline namespaces in one another a name is looked for in.
pub(crate) const MAX_INLINE_DEEP: usize = 32;

impl Checker<'_> {
    /// `template<…> decl`, in a namespace or class.
    pub(crate) fn declare_template(
        &mut self,
        params: ast::List<ast::DeclId>,
        decl: ast::DeclId,
        record: Option<RecordId>,
    ) {
        let d = self.ast[decl];
        if let DeclKind::Template { params: own, decl: inner } = d.kind {
            // A member template of a class template, defined outside.
            match (params.is_empty(), own.is_empty()) {
                (_, false) => self.out_of_line_member(params, decl, inner),
                (true, true) => self.explicit_specialisation(inner),
                (false, true) => self.error(
                    "E0463",
                    d.span,
                    "a member template of a class template cannot be specialised for all instances of the class",
                ),
            }
            return;
        }
        if matches!(d.kind, DeclKind::Function(f) if self.ast[f].kind == ast::FunctionKind::Guide) {
            self.declare_guide(params, decl);
            return;
        }
        if params.is_empty() {
            self.explicit_specialisation(decl);
            return;
        }
        let plist = self.template_params(params);
        if !self.ast[d.name].qualifier.is_empty() {
            match self.qualifying_namespace(d.name) {
                Some(ns) => with_scope!(self, ns, self.named_template(plist, decl, &d, record)),
                None => self.out_of_line_member(params, decl, decl),
            }
            return;
        }
        self.named_template(plist, decl, &d, record);
    }

    /// A template of functions that a class declares as its friends: a member of the namespace around it, in whose text the
    /// names of the class are known. One without a body is found where it is declared.
    pub(crate) fn declare_friend_template(&mut self, params: ast::List<ast::DeclId>, decl: ast::DeclId) {
        let decl = match self.ast[decl].kind {
            DeclKind::Friend(inner) => inner,
            _ => decl,
        };
        let d = self.ast[decl];
        if !self.has_body(decl) || !self.ast[d.name].qualifier.is_empty() {
            return;
        }
        let Some(sym) = self.template_name(&d) else { return };
        let params = self.template_params(params);
        let t = self.new_template(TemplateKind::Function, sym, params, decl, &d, None);
        if self.function_pattern(t) {
            let namespace = self.decls.namespace_of(self.scope);
            // One that its namespace declares is found there; another one by the types of arguments alone.
            let declared = self.decls.bound(namespace, sym).into_iter().any(|e| match e {
                Entity::Template(o) => {
                    self.decls[o].kind == TemplateKind::Function && !self.has_body(self.decls[o].decl)
                }
                _ => false,
            });
            if declared {
                self.decls.bind(namespace, sym, Entity::Template(t));
            } else {
                let scope = self.scope;
                self.hide_friend((namespace, sym), Entity::Template(t), scope);
            }
        }
    }

    /// The namespace that a qualified name is declared in: `template<class T> void ns::f(T) {…}`.
    fn qualifying_namespace(&mut self, name: ast::NameId) -> Option<crate::check::ScopeId> {
        let segments = self.ast.list(self.ast[name].qualifier);
        let mut at: Option<crate::check::ScopeId> = None;
        for seg in segments {
            let ast::SegmentKind::Ident(sym) = seg.kind else { return None };
            let found = match at {
                Some(s) => self.lookup_in(s, sym),
                None => self.lookup(sym),
            }?;
            let Some(Entity::Namespace(n)) = found.entities.first() else { return None };
            at = Some(*n);
        }
        at
    }

    fn named_template(
        &mut self,
        plist: Vec<TemplateParam>,
        decl: ast::DeclId,
        d: &ast::Decl,
        record: Option<RecordId>,
    ) {
        let d = *d;
        let Some(sym) = self.template_name(&d) else { return };
        let kind = match d.kind {
            DeclKind::Function(_) => TemplateKind::Function,
            DeclKind::Record(_) => TemplateKind::Class,
            DeclKind::Typedef { .. } => TemplateKind::Alias,
            DeclKind::Var { .. } => TemplateKind::Variable,
            _ => return,
        };
        if kind == TemplateKind::Class {
            self.class_template(sym, plist, decl, &d);
            return;
        }
        if let (TemplateKind::Variable, Some(args)) = (kind, self.ast[d.name].args) {
            self.partial_specialisation(sym, plist, decl, args);
            return;
        }
        let t = self.new_template(kind, sym, plist, decl, &d, record);
        if kind == TemplateKind::Function && !self.function_pattern(t) {
            return;
        }
        let scope = self.scope;
        if kind == TemplateKind::Function {
            // A definition after a declaration of the same template.
            for e in self.decls.bound(scope, sym) {
                if let Entity::Template(o) = e
                    && self.decls[o].kind == kind
                    && self.decls[o].pattern == self.decls[t].pattern
                    && self.decls[o].params.len() == self.decls[t].params.len()
                    && self.decls[o].pattern_ret == self.decls[t].pattern_ret
                    && self.same_kinds(o, t)
                    && self.same_constraints(self.decls[o].decl, decl)
                    && self.object_quals(self.decls[o].decl) == self.object_quals(decl)
                {
                    let earlier = self.ast[self.decls[o].decl];
                    let name = self.text(sym).to_owned();
                    if !self.check_spaces((earlier.specs, earlier.span), (d.specs, d.span), &name, false) {
                        return;
                    }
                    let has_body = self.has_body(decl);
                    // Two definitions, or one that is spelt otherwise: they differ in a condition that the pattern does not model.
                    let two = has_body && self.has_body(self.decls[o].decl);
                    if two
                        || !self.conditions_alike(o, t) && (!has_body || self.is_spelt_like_another(scope, sym, o, t))
                    {
                        continue;
                    }
                    let newer = self.decls[t].params.clone();
                    self.redeclared(o, newer, decl, has_body);
                    return;
                }
            }
        }
        if self.cx.block_depth > 0 {
            self.cx.names.push((sym, Entity::Template(t)));
        } else {
            self.decls.bind(scope, sym, Entity::Template(t));
        }
    }

    pub(super) fn has_body(&self, decl: ast::DeclId) -> bool {
        matches!(self.ast[decl].kind, DeclKind::Function(f) if !matches!(self.ast[f].body, ast::Body::None))
    }

    pub(super) fn param_default(&self, p: &TemplateParam) -> bool {
        match self.ast[p.decl].kind {
            DeclKind::TypeParam { default, .. } => default.is_some(),
            DeclKind::Param { default, .. } => default.is_some(),
            DeclKind::TemplateParam { default, .. } => default.is_some(),
            _ => false,
        }
    }

    pub(super) fn template_name(&mut self, d: &ast::Decl) -> Option<Symbol> {
        if let DeclKind::Function(f) = d.kind {
            match self.ast[f].kind {
                ast::FunctionKind::Constructor => return Some(self.sess.intern("constructor template")),
                ast::FunctionKind::Guide => return None,
                _ => {}
            }
        }
        match self.ast[d.name].kind {
            ast::NameKind::Ident(s) => Some(s),
            ast::NameKind::Operator(op) => Some(self.operator_symbol(op)),
            ast::NameKind::Conversion(_) => Some(self.sess.intern("conversion template")),
            ast::NameKind::Literal(s) => {
                let text = format!("operator\"\"{}", self.text(s));
                Some(self.sess.intern(&text))
            }
            _ => None,
        }
    }

    pub(super) fn template_params(&mut self, params: ast::List<ast::DeclId>) -> Vec<TemplateParam> {
        let ast = self.ast;
        let mut out = Vec::new();
        for &p in ast.list(params) {
            let d = ast[p];
            let name = self.decl_symbol(&d);
            out.push(match d.kind {
                DeclKind::TypeParam { pack, .. } => {
                    TemplateParam { name, decl: p, is_type: true, is_template: false, pack }
                }
                DeclKind::Param { ty, .. } => {
                    let pack = matches!(ast[ty].kind, ast::TypeKind::Pack(_));
                    TemplateParam { name, decl: p, is_type: false, is_template: false, pack }
                }
                DeclKind::TemplateParam { pack, .. } => {
                    TemplateParam { name, decl: p, is_type: false, is_template: true, pack }
                }
                _ => continue,
            });
        }
        out
    }

    pub(super) fn new_template(
        &mut self,
        kind: TemplateKind,
        name: Symbol,
        params: Vec<TemplateParam>,
        decl: ast::DeclId,
        d: &ast::Decl,
        record: Option<RecordId>,
    ) -> TemplateId {
        let parent = self.decls[self.scope].name;
        let tree = if kind == TemplateKind::Class { TreeName::Type(name) } else { TreeName::Entity(name) };
        let path = self.p.types.child_name(parent, tree);
        self.decls.add_template(Template {
            kind,
            name,
            span: self.ast[d.name].span,
            params,
            declared_before: Vec::new(),
            declared_first: None,
            guide_of: None,
            decl,
            scope: self.scope,
            record,
            pattern: Vec::new(),
            pattern_ret: TyId::VOID,
            variadic_pattern: false,
            path,
            specs: Specialisations::default(),
            out_of_line: Vec::new(),
        })
    }

    fn class_template(&mut self, sym: Symbol, params: Vec<TemplateParam>, decl: ast::DeclId, d: &ast::Decl) {
        let scope = self.scope;
        if let Some(args) = self.ast[d.name].args {
            self.partial_specialisation(sym, params, decl, args);
            return;
        }
        let old = self.template_here(sym);
        let defined = matches!(d.kind, DeclKind::Record(r) if self.ast[r].defined);
        if let Some(t) = old {
            let earlier = self.decls[t].decl;
            if defined && self.is_defined_class(earlier) {
                self.redefined(sym, self.ast[d.name].span, self.decls[t].span);
                return;
            }
            self.redeclared(t, params, decl, defined);
            return;
        }
        let class = self.decls.bound(scope, sym).iter().find_map(|e| match *e {
            Entity::Type(ty) => self.p.types.as_record(ty.ty),
            _ => None,
        });
        if let Some(r) = class {
            self.redefined(sym, self.ast[d.name].span, self.p.types.record(r).span);
            return;
        }
        let t = self.new_template(TemplateKind::Class, sym, params, decl, d, None);
        self.decls.bind(scope, sym, Entity::Template(t));
    }

    fn is_defined_class(&self, decl: ast::DeclId) -> bool {
        matches!(self.ast[decl].kind, DeclKind::Record(r) if self.ast[r].defined)
    }

    /// Reports a class template of which there is another definition, or a class of its name.
    pub(crate) fn redefined(&mut self, sym: Symbol, at: Span, there: Span) {
        let name = self.text(sym).to_owned();
        let d = Diagnostic::error("E0355", at, format!("redefinition of `{name}`"))
            .label(there, "previous definition is here");
        self.report(d);
    }

    /// Another declaration of a template, or its definition: the names of parameters are those of the definition, defaults
    /// may stand in any.
    pub(super) fn redeclared(&mut self, t: TemplateId, params: Vec<TemplateParam>, decl: ast::DeclId, defined: bool) {
        if params.len() != self.decls[t].params.len() {
            return;
        }
        let other = if defined {
            let tpl = self.decls.template_mut(t);
            tpl.declared_first = Some(std::mem::replace(&mut tpl.decl, decl));
            std::mem::replace(&mut self.decls.template_mut(t).params, params)
        } else {
            params
        };
        if other.iter().any(|p| self.param_default(p)) {
            self.decls.template_mut(t).declared_before.push(other);
        }
    }

    /// The declaration of a parameter that has its default, among all parameters of that declaration.
    pub(super) fn with_default<'t>(
        &self,
        tpl: &'t Template,
        index: usize,
    ) -> Option<(&'t [TemplateParam], TemplateParam)> {
        std::iter::once(&tpl.params)
            .chain(&tpl.declared_before)
            .find_map(|all| all.get(index).filter(|p| self.param_default(p)).map(|&p| (all.as_slice(), p)))
    }

    /// The template of that name in this scope.
    fn template_here(&self, sym: Symbol) -> Option<TemplateId> {
        self.decls.bound(self.scope, sym).iter().find_map(|e| match e {
            Entity::Template(t) => Some(*t),
            _ => None,
        })
    }

    /// The template of that name in a scope or in the inline namespaces of it: what is specialised there.
    fn template_in(&self, scope: ScopeId, sym: Symbol, depth: usize) -> Option<TemplateId> {
        let own = self.decls.bound(scope, sym).iter().find_map(|e| match e {
            Entity::Template(t) => Some(*t),
            _ => None,
        });
        let inline = || self.decls[scope].inline.iter().find_map(|&s| self.template_in(s, sym, depth + 1));
        own.or_else(|| if depth < MAX_INLINE_DEEP { inline() } else { None })
    }

    /// `template<class T> struct S<T *> …`, `template<class T> constexpr bool v<T *> = …`
    fn partial_specialisation(
        &mut self,
        sym: Symbol,
        params: Vec<TemplateParam>,
        decl: ast::DeclId,
        args: ast::List<ast::TemplateArg>,
    ) {
        let span = self.ast[decl].span;
        let Some(t) = self.template_in(self.scope, sym, 0) else {
            let name = self.text(sym).to_owned();
            self.error("E0465", span, format!("specialisation of `{name}`, which is not a template"));
            return;
        };
        let pattern = self.pattern_scope(&params, self.scope);
        let ast = self.ast;
        let whole = self.gives_all(t, args) && ast.list(args).iter().all(|a| self.says_all(a));
        let mark = self.sess.diagnostics.len();
        self.inst.in_pattern = true;
        let pattern = with_scope!(self, pattern, self.template_args(t, args, span));
        self.inst.in_pattern = false;
        if !whole {
            // What placeholders cannot do, the arguments may; it is tried with them.
            self.sess.diagnostics.truncate(mark);
        }
        if let Some(pattern) = pattern {
            let written = (!whole).then_some(args);
            let new = Specialisation { params, args: pattern, decl, written };
            // One may be declared and defined, in whichever order.
            let same = |s: &Specialisation| whole && s.written.is_none() && s.params.len() == new.params.len();
            let known = self.decls[t].specs.with_args(&new.args, same);
            match known {
                Some(_) if !self.is_defined(decl) => {}
                Some(at) if !self.is_defined(self.decls[t].specs[at].decl) => {
                    self.decls.template_mut(t).specs.define(at, new);
                }
                _ => self.decls.template_mut(t).specs.push(new, &self.p.types),
            }
        }
    }

    /// Whether a declaration of a class has a body.
    fn is_defined(&self, decl: ast::DeclId) -> bool {
        match self.ast[decl].kind {
            DeclKind::Record(r) => self.ast[r].defined,
            _ => true,
        }
    }

    /// Whether none of a template's arguments is left to a default, which may ask anything of the others.
    fn gives_all(&self, t: TemplateId, args: ast::List<ast::TemplateArg>) -> bool {
        let needed = self.decls[t].params.iter().filter(|p| !p.pack).count();
        self.ast.list(args).len() >= needed
    }

    /// Whether a written argument of a partial specialisation has nothing in it but what deduction compares.
    fn says_all(&mut self, a: &ast::TemplateArg) -> bool {
        match *a {
            ast::TemplateArg::Type(ty) | ast::TemplateArg::TypePack(ty) => self.type_says_all(ty, 0),
            ast::TemplateArg::Expr(e) | ast::TemplateArg::ExprPack(e) => match self.ast[e].kind {
                ast::ExprKind::Name(n) => self.name_says_all(n, 0),
                ast::ExprKind::Int(_) | ast::ExprKind::Bool(_) => true,
                _ => false,
            },
        }
    }

    fn type_says_all(&mut self, ty: ast::TypeId, depth: u32) -> bool {
        if depth > 16 {
            return false;
        }
        match self.ast[ty].kind {
            ast::TypeKind::Builtin(_) => true,
            ast::TypeKind::Name(n) => self.name_says_all(n, depth + 1),
            ast::TypeKind::Pointer(t)
            | ast::TypeKind::LvalueRef(t)
            | ast::TypeKind::RvalueRef(t)
            | ast::TypeKind::Pack(t) => self.type_says_all(t, depth + 1),
            _ => false,
        }
    }

    /// A name, or a class template with such arguments.
    fn name_says_all(&mut self, n: ast::NameId, depth: u32) -> bool {
        let (ast, name) = (self.ast, self.ast[n]);
        if !name.qualifier.is_empty() {
            return false;
        }
        let Some(args) = name.args else { return true };
        let found = self.ast.plain_name(n).and_then(|sym| self.lookup(sym));
        let class = found.is_some_and(|found| match found.entities.first() {
            Some(&Entity::Template(t)) => self.decls[t].kind == TemplateKind::Class && self.gives_all(t, args),
            _ => false,
        });
        class
            && ast.list(args).iter().all(|a| match *a {
                ast::TemplateArg::Type(ty) | ast::TemplateArg::TypePack(ty) => self.type_says_all(ty, depth + 1),
                _ => self.says_all(a),
            })
    }

    /// A scope that binds parameters to placeholders.
    pub(crate) fn pattern_scope(&mut self, params: &[TemplateParam], parent: ScopeId) -> ScopeId {
        let name = self.decls[parent].name;
        let s = self.decls.new_scope(parent, ScopeKind::Template, name);
        let packs = params.iter().enumerate().filter(|(_, p)| p.pack);
        self.inst.pattern_packs = packs.map(|(i, _)| i as u32).collect();
        for (i, p) in params.iter().enumerate() {
            let Some(n) = p.name else { continue };
            let e = if p.is_type {
                Entity::Type(RTy::plain(self.p.types.intern(Ty::TemplateParam(i as u32))))
            } else {
                Entity::DependentConst(i as u32)
            };
            self.decls.bind(s, n, e);
        }
        s
    }

    /// The signature of a function template with placeholders for its parameters.
    pub(super) fn function_pattern(&mut self, t: TemplateId) -> bool {
        let tpl = self.decls[t].clone();
        let Some((pattern, ret, variadic)) = self.pattern_of(&tpl) else { return false };
        let tpl = self.decls.template_mut(t);
        (tpl.pattern, tpl.pattern_ret, tpl.variadic_pattern) = (pattern, ret, variadic);
        true
    }

    /// Types of the parameters, of what is returned, and whether more arguments may follow.
    pub(super) fn pattern_of(&mut self, tpl: &Template) -> Option<(Vec<TyId>, TyId, bool)> {
        let DeclKind::Function(f) = self.ast[tpl.decl].kind else { return None };
        let ty = self.ast[f].ty;
        let mark = self.sess.diagnostics.len();
        let saved = std::mem::replace(&mut self.inst.in_pattern, true);
        let around = self.pattern_around(tpl);
        let scope = self.pattern_scope(&tpl.params, around);
        let saved_cx = std::mem::take(&mut self.cx);
        let sig = with_scope!(self, scope, self.signature(ty));
        self.cx = saved_cx;
        self.inst.in_pattern = saved;
        self.sess.diagnostics.truncate(mark);
        let sig = sig?;
        let known = |ty| if ty == TyId::ERROR { TyId::DEPENDENT } else { ty };
        Some((sig.params.iter().map(|p| known(p.ty)).collect(), known(sig.ret), sig.variadic))
    }
}
