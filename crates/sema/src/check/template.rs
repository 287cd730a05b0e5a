//! Templates: declaration, deduction, instantiation on the tree.

use source::{Diagnostic, Span, Symbol};
use syntax::ast::{self, DeclKind};

use super::call::Arg;
use super::{
    Checker, Entity, FnId, FnKind, MAX_INSTANTIATION_DEPTH, MAX_INSTANTIATIONS, RTy, ScopeId, ScopeKind,
    Specialisation, Template, TemplateId, TemplateKind, TemplateParam, VarDecl, VarId, with_scope,
};
use crate::program::{ExprId, ExprKind};
use crate::types::{AddrSpace, FnTy, NameKind as TreeName, QualTy, Quals, RecordId, TemplateArg, Ty, TyId};

type Bound = Vec<Option<TemplateArg>>;

impl Checker<'_> {
    // ---- declaration -------------------------------------------------------------------------------------------

    /// `template<…> decl`, in a namespace or class.
    pub(crate) fn declare_template(
        &mut self,
        id: ast::DeclId,
        params: ast::List<ast::DeclId>,
        decl: ast::DeclId,
        record: Option<RecordId>,
    ) {
        let _ = id;
        let d = self.ast[decl];
        if let DeclKind::Template { params: inner_params, decl: inner } = d.kind {
            // A member template of a class template, defined outside.
            let _ = inner_params;
            let _ = inner;
            self.error(
                "E0463",
                d.span,
                "out-of-class definitions of member templates are not supported: define it in the class",
            );
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
                None => self.out_of_line_member(params, decl),
            }
            return;
        }
        self.named_template(plist, decl, &d, record);
    }

    /// The namespace that a qualified name is declared in: `template<class T> void ns::f(T) {…}`.
    fn qualifying_namespace(&mut self, name: ast::NameId) -> Option<super::ScopeId> {
        let segments = self.ast.list(self.ast[name].qualifier);
        let mut at: Option<super::ScopeId> = None;
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
        let t = self.new_template(kind, sym, plist, decl, &d, record);
        if kind == TemplateKind::Function && !self.function_pattern(t) {
            return;
        }
        let scope = self.scope;
        if kind == TemplateKind::Function {
            // A definition after a declaration of the same template.
            for e in self.bound(scope, sym) {
                if let Entity::Template(o) = e
                    && self.templates[o.0 as usize].kind == kind
                    && self.templates[o.0 as usize].pattern == self.templates[t.0 as usize].pattern
                    && self.templates[o.0 as usize].params.len() == self.templates[t.0 as usize].params.len()
                    && self.templates[o.0 as usize].pattern_ret == self.templates[t.0 as usize].pattern_ret
                    && self.same_kinds(o, t)
                {
                    let has_body = self.has_body(decl);
                    if has_body && self.has_body(self.templates[o.0 as usize].decl) {
                        // Two definitions: they differ in a condition that the pattern does not model.
                        continue;
                    }
                    if has_body {
                        self.templates[o.0 as usize].decl = decl;
                        let newer = self.templates[t.0 as usize].params.clone();
                        let old = self.templates[o.0 as usize].params.clone();
                        // Defaults stay with the first declaration.
                        let defaults = old.iter().any(|p| self.param_default(p));
                        if !defaults {
                            self.templates[o.0 as usize].params = newer;
                        }
                    }
                    return;
                }
            }
        }
        if self.cx.block_depth > 0 {
            self.cx.names.push((sym, Entity::Template(t)));
        } else {
            self.bind(scope, sym, Entity::Template(t));
        }
    }

    fn has_body(&self, decl: ast::DeclId) -> bool {
        matches!(self.ast[decl].kind, DeclKind::Function(f) if !matches!(self.ast[f].body, ast::Body::None))
    }

    fn same_kinds(&self, a: TemplateId, b: TemplateId) -> bool {
        let (a, b) = (&self.templates[a.0 as usize].params, &self.templates[b.0 as usize].params);
        a.iter().zip(b).all(|(x, y)| x.is_type == y.is_type && x.pack == y.pack)
    }

    fn param_default(&self, p: &TemplateParam) -> bool {
        match self.ast[p.decl].kind {
            DeclKind::TypeParam { default, .. } => default.is_some(),
            DeclKind::Param { default, .. } => default.is_some(),
            _ => false,
        }
    }

    fn template_name(&mut self, d: &ast::Decl) -> Option<Symbol> {
        if let DeclKind::Function(f) = d.kind {
            match self.ast[f].kind {
                ast::FunctionKind::Constructor => return Some(self.sess.intern("constructor template")),
                ast::FunctionKind::Guide => return None,
                _ => {}
            }
        }
        match self.ast[d.name].kind {
            ast::NameKind::Ident(s) => Some(s),
            ast::NameKind::Operator(op) => Some(self.operator_symbol(op, 2)),
            _ => None,
        }
    }

    fn template_params(&mut self, params: ast::List<ast::DeclId>) -> Vec<TemplateParam> {
        let ast = self.ast;
        let mut out = Vec::new();
        for &p in ast.list(params) {
            let d = ast[p];
            let name = self.decl_symbol(&d);
            out.push(match d.kind {
                DeclKind::TypeParam { pack, .. } => TemplateParam { name, decl: p, is_type: true, pack },
                DeclKind::Param { ty, .. } => {
                    let pack = matches!(ast[ty].kind, ast::TypeKind::Pack(_));
                    TemplateParam { name, decl: p, is_type: false, pack }
                }
                DeclKind::TemplateParam { .. } => {
                    self.error("E0464", d.span, "template template parameters are not supported");
                    TemplateParam { name, decl: p, is_type: true, pack: false }
                }
                _ => continue,
            });
        }
        out
    }

    fn new_template(
        &mut self,
        kind: TemplateKind,
        name: Symbol,
        params: Vec<TemplateParam>,
        decl: ast::DeclId,
        d: &ast::Decl,
        record: Option<RecordId>,
    ) -> TemplateId {
        let parent = self.scopes[self.scope.0 as usize].name;
        let tree = if kind == TemplateKind::Class { TreeName::Type(name) } else { TreeName::Entity(name) };
        let path = self.p.types.child_name(parent, tree);
        let id = TemplateId(self.templates.len() as u32);
        self.templates.push(Template {
            kind,
            name,
            span: self.ast[d.name].span,
            params,
            decl,
            scope: self.scope,
            record,
            pattern: Vec::new(),
            pattern_ret: TyId::VOID,
            variadic_pattern: false,
            path,
            specs: Vec::new(),
            out_of_line: Vec::new(),
        });
        id
    }

    fn class_template(&mut self, sym: Symbol, params: Vec<TemplateParam>, decl: ast::DeclId, d: &ast::Decl) {
        let scope = self.scope;
        let old = self.bound(scope, sym).iter().find_map(|e| match e {
            Entity::Template(t) => Some(*t),
            _ => None,
        });
        if let Some(args) = self.ast[d.name].args {
            let Some(t) = old else {
                let name = self.text(sym).to_owned();
                self.error("E0465", d.span, format!("specialisation of `{name}`, which is not a template"));
                return;
            };
            let pattern = self.pattern_scope(&params, scope);
            self.in_pattern = true;
            let args = with_scope!(self, pattern, self.template_args(t, args, d.span));
            self.in_pattern = false;
            if let Some(args) = args {
                self.templates[t.0 as usize].specs.push(Specialisation { params, args, decl });
            }
            return;
        }
        let defined = matches!(d.kind, DeclKind::Record(r) if self.ast[r].defined);
        if let Some(t) = old {
            if defined {
                let has_default = self.templates[t.0 as usize].params.clone().iter().any(|p| self.param_default(p));
                let tpl = &mut self.templates[t.0 as usize];
                tpl.decl = decl;
                if !has_default {
                    tpl.params = params;
                }
            }
            return;
        }
        let t = self.new_template(TemplateKind::Class, sym, params, decl, d, None);
        self.bind(scope, sym, Entity::Template(t));
    }

    /// A scope that binds parameters to placeholders.
    fn pattern_scope(&mut self, params: &[TemplateParam], parent: ScopeId) -> ScopeId {
        let name = self.scopes[parent.0 as usize].name;
        let s = self.new_scope(parent, ScopeKind::Template, name);
        for (i, p) in params.iter().enumerate() {
            let Some(n) = p.name else { continue };
            let e = if p.is_type {
                Entity::Type(RTy::plain(self.p.types.intern(Ty::TemplateParam(i as u32))))
            } else {
                Entity::DependentConst(i as u32)
            };
            self.bind(s, n, e);
        }
        s
    }

    /// The signature of a function template with placeholders for its parameters.
    fn function_pattern(&mut self, t: TemplateId) -> bool {
        let tpl = self.templates[t.0 as usize].clone();
        let DeclKind::Function(f) = self.ast[tpl.decl].kind else { return false };
        let ty = self.ast[f].ty;
        let scope = self.pattern_scope(&tpl.params, tpl.scope);
        let mark = self.sess.diagnostics.len();
        let saved = std::mem::replace(&mut self.in_pattern, true);
        let saved_cx = std::mem::take(&mut self.cx);
        let sig = with_scope!(self, scope, self.signature(ty));
        self.cx = saved_cx;
        self.in_pattern = saved;
        self.sess.diagnostics.truncate(mark);
        let Some(sig) = sig else { return false };
        let tpl = &mut self.templates[t.0 as usize];
        tpl.pattern = sig.params.iter().map(|p| if p.ty == TyId::ERROR { TyId::DEPENDENT } else { p.ty }).collect();
        tpl.pattern_ret = if sig.ret == TyId::ERROR { TyId::DEPENDENT } else { sig.ret };
        tpl.variadic_pattern = sig.variadic;
        true
    }

    /// `template<class T> R C<T>::f(…) {…}`
    fn out_of_line_member(&mut self, params: ast::List<ast::DeclId>, decl: ast::DeclId) {
        let ast = self.ast;
        let d = ast[decl];
        let segments = ast.list(ast[d.name].qualifier);
        let Some((last, outer)) = segments.split_last() else { return };
        let ast::SegmentKind::Ident(sym) = last.kind else { return };
        let mut scope: Option<super::ScopeId> = None;
        for seg in outer {
            let ast::SegmentKind::Ident(s) = seg.kind else { break };
            let found = match scope {
                Some(at) => self.lookup_in(at, s),
                None => self.lookup(s),
            };
            scope = found.and_then(|f| match f.entities.first() {
                Some(Entity::Namespace(n)) => Some(*n),
                _ => None,
            });
        }
        let found = match scope {
            Some(at) => self.lookup_in(at, sym),
            None => self.lookup(sym),
        };
        let t = found.and_then(|f| {
            f.entities.iter().find_map(|e| match e {
                Entity::Template(t) => Some(*t),
                _ => None,
            })
        });
        match t {
            Some(t) => self.templates[t.0 as usize].out_of_line.push((params, decl)),
            None => {
                let name = self.name_text(d.name);
                self.error("E0343", d.span, format!("`{name}` does not name a member of a class template"));
            }
        }
    }

    /// Gives an instance made from a template's declaration the body of the definition that came later.
    fn adopt_definition(&mut self, f: FnId, t: TemplateId) {
        let tpl = self.templates[t.0 as usize].clone();
        if !self.has_body(tpl.decl) || self.fns[f.0 as usize].ast == Some(tpl.decl) {
            return;
        }
        let path = self.fns[f.0 as usize].path;
        let Some(args) = self.p.types.name(path).args.clone() else { return };
        let Some(new) = self.make_instance(t, &tpl, &args, tpl.decl) else { return };
        let made = self.fns[new.0 as usize].clone();
        let old = &mut self.fns[f.0 as usize];
        if old.params.len() == made.params.len() {
            let defaults: Vec<_> = old.params.iter().map(|p| p.default).collect();
            *old = super::FnDecl { state: old.state, func: old.func, path: old.path, ..made };
            for (p, d) in old.params.iter_mut().zip(defaults) {
                p.default = p.default.or(d);
            }
        }
    }

    /// Looks for the definition of a class template's member outside the class.
    pub(crate) fn find_definition(&mut self, f: FnId) {
        let d = self.fns[f.0 as usize].clone();
        if d.body != super::BodySource::None {
            return;
        }
        if let Some(t) = d.template {
            self.adopt_definition(f, t);
        }
        let Some(r) = d.record else { return };
        let Some((t, args)) = self.records[r.0 as usize].instance.clone() else { return };
        let defs = self.templates[t.0 as usize].out_of_line.clone();
        for (params, decl) in defs {
            let DeclKind::Function(fid) = self.ast[decl].kind else { continue };
            let func = self.ast[fid];
            let name_fits = match d.kind {
                FnKind::Constructor => func.kind == ast::FunctionKind::Constructor,
                FnKind::Destructor => func.kind == ast::FunctionKind::Destructor,
                _ => match self.ast[self.ast[decl].name].kind {
                    ast::NameKind::Ident(s) => s == d.name,
                    ast::NameKind::Operator(op) => self.operator_symbol(op, 1) == d.name,
                    _ => false,
                },
            };
            if !name_fits {
                continue;
            }
            // Bind the definition's own names for the parameters.
            let plist = self.template_params(params);
            let scope = self.bind_args(&plist, &args, self.records[r.0 as usize].scope);
            let mark = self.sess.diagnostics.len();
            let sig = with_scope!(self, scope, self.signature(func.ty));
            self.sess.diagnostics.truncate(mark);
            let Some(sig) = sig else { continue };
            let same = sig.params.len() == d.params.len()
                && sig.this_quals == d.this_quals
                && sig.params.iter().zip(&d.params).all(|(a, b)| a.ty == b.ty);
            if same {
                let f = &mut self.fns[f.0 as usize];
                f.body = super::BodySource::Ast(decl);
                f.scope = scope;
                for (a, b) in f.params.iter_mut().zip(&sig.params) {
                    a.name = b.name;
                    a.decl = b.decl;
                }
                return;
            }
        }
    }

    // ---- arguments ---------------------------------------------------------------------------------------------

    /// A scope that binds parameters to arguments.
    pub(crate) fn bind_args(&mut self, params: &[TemplateParam], args: &[TemplateArg], parent: ScopeId) -> ScopeId {
        let name = self.scopes[parent.0 as usize].name;
        let s = self.new_scope(parent, ScopeKind::Template, name);
        for (p, a) in params.iter().zip(args) {
            if let Some(n) = p.name {
                let e = self.arg_entity(a);
                self.bind(s, n, e);
            }
        }
        s
    }

    /// Arguments as written, completed by defaults, for a class, alias or variable template.
    fn template_args(
        &mut self,
        t: TemplateId,
        list: ast::List<ast::TemplateArg>,
        span: Span,
    ) -> Option<Vec<TemplateArg>> {
        let given = self.written_args(t, list)?;
        self.complete_args(t, given, span)
    }

    /// The arguments written between `<` and `>`.
    fn written_args(&mut self, t: TemplateId, list: ast::List<ast::TemplateArg>) -> Option<Vec<TemplateArg>> {
        let ast = self.ast;
        let params = self.templates[t.0 as usize].params.clone();
        let mut out = Vec::new();
        for a in ast.list(list) {
            match *a {
                ast::TemplateArg::TypePack(ty) => {
                    for r in self.expand_type_pack(ty) {
                        out.push(TemplateArg::Type(QualTy { ty: r.ty, quals: r.quals }));
                    }
                    continue;
                }
                ast::TemplateArg::ExprPack(e) => {
                    for v in self.expand_expr_pack(e) {
                        out.push(self.value_arg(v, None)?);
                    }
                    continue;
                }
                _ => {}
            }
            let p = params.get(out.len()).or(params.last().filter(|p| p.pack)).copied();
            let is_type = p.is_none_or(|p| p.is_type);
            match *a {
                ast::TemplateArg::Type(ty) if is_type => {
                    let r = self.resolve(ty);
                    if r.ty == TyId::ERROR {
                        return None;
                    }
                    out.push(TemplateArg::Type(QualTy { ty: r.ty, quals: r.quals }));
                }
                ast::TemplateArg::Expr(e) if is_type => {
                    let ast::ExprKind::Name(n) = ast[e].kind else {
                        let span = ast[e].span;
                        self.error("E0466", span, "template argument must be a type");
                        return None;
                    };
                    let r = self.resolve_type_name(n);
                    if r.ty == TyId::ERROR {
                        return None;
                    }
                    out.push(TemplateArg::Type(QualTy { ty: r.ty, quals: r.quals }));
                }
                ast::TemplateArg::Expr(e) => out.push(self.written_value(t, e, out.len())?),
                ast::TemplateArg::Type(ty) => {
                    let span = ast[ty].span;
                    self.error("E0466", span, "template argument must be a constant expression, not a type");
                    return None;
                }
                _ => {}
            }
        }
        Some(out)
    }

    fn written_value(&mut self, _t: TemplateId, e: ast::ExprId, _at: usize) -> Option<TemplateArg> {
        let span = self.ast[e].span;
        if self.in_pattern {
            if let ast::ExprKind::Name(n) = self.ast[e].kind
                && let Some(sym) = self.ast.plain_name(n)
                && let Some(found) = self.lookup(sym)
                && let Some(Entity::DependentConst(i)) = found.entities.first()
            {
                return Some(TemplateArg::Param(*i));
            }
            let mark = self.sess.diagnostics.len();
            let v = self.constant_expr(e);
            self.sess.diagnostics.truncate(mark);
            return Some(match v.and_then(|v| self.value_arg_quiet(v)) {
                Some(a) => a,
                None => TemplateArg::Dependent,
            });
        }
        let v = self.constant_expr(e)?;
        self.value_arg(v, Some(span))
    }

    fn value_arg_quiet(&self, v: ExprId) -> Option<TemplateArg> {
        let i = self.int_constant(v)?;
        Some(TemplateArg::Int { value: i as i64, ty: self.ty(v) })
    }

    fn value_arg(&mut self, v: ExprId, span: Option<Span>) -> Option<TemplateArg> {
        let v = self.rvalue(v);
        if let Some(a) = self.value_arg_quiet(v) {
            return Some(a);
        }
        if !self.is_err(v) {
            let at = span.unwrap_or_else(|| self.span(v));
            self.report(
                Diagnostic::error("E0467", at, "template argument is not an integral constant expression")
                    .help("template arguments must be known when the kernel is compiled"),
            );
        }
        None
    }

    /// Fills up with defaults, gathers packs, converts values to their parameters' types.
    fn complete_args(&mut self, t: TemplateId, given: Vec<TemplateArg>, span: Span) -> Option<Vec<TemplateArg>> {
        let tpl = self.templates[t.0 as usize].clone();
        let mut out: Vec<TemplateArg> = Vec::with_capacity(tpl.params.len());
        let mut rest = given.into_iter();
        for p in &tpl.params {
            if p.pack {
                let all: Vec<TemplateArg> = rest.by_ref().collect();
                out.push(TemplateArg::Pack(all.into_boxed_slice()));
                continue;
            }
            let a = match rest.next() {
                Some(a) => a,
                None => match self.default_arg(&tpl, p, &out) {
                    Some(a) => a,
                    None => {
                        let name = self.text(tpl.name).to_owned();
                        let d = Diagnostic::error("E0468", span, format!("too few template arguments for `{name}`"))
                            .label(tpl.span, "template declared here");
                        self.report(d);
                        return None;
                    }
                },
            };
            out.push(self.fit_arg(&tpl, p, a, &out));
        }
        if rest.next().is_some() {
            let name = self.text(tpl.name).to_owned();
            let d = Diagnostic::error("E0468", span, format!("too many template arguments for `{name}`"))
                .label(tpl.span, "template declared here");
            self.report(d);
            return None;
        }
        Some(out)
    }

    fn default_arg(&mut self, tpl: &Template, p: &TemplateParam, so_far: &[TemplateArg]) -> Option<TemplateArg> {
        let scope = self.bind_args(&tpl.params, so_far, tpl.scope);
        match self.ast[p.decl].kind {
            DeclKind::TypeParam { default: Some(ty), .. } => {
                let r = with_scope!(self, scope, self.resolve(ty));
                (r.ty != TyId::ERROR).then_some(TemplateArg::Type(QualTy { ty: r.ty, quals: r.quals }))
            }
            DeclKind::Param { default: Some(e), .. } => {
                let v = with_scope!(self, scope, self.constant_expr(e))?;
                self.value_arg(v, None)
            }
            _ => None,
        }
    }

    /// A value argument in its parameter's type.
    fn fit_arg(&mut self, tpl: &Template, p: &TemplateParam, a: TemplateArg, so_far: &[TemplateArg]) -> TemplateArg {
        let TemplateArg::Int { value, ty } = a else { return a };
        let DeclKind::Param { ty: pty, .. } = self.ast[p.decl].kind else { return a };
        if self.has_auto(pty) {
            return a;
        }
        let scope = self.bind_args(&tpl.params, so_far, tpl.scope);
        let mark = self.sess.diagnostics.len();
        let to = with_scope!(self, scope, self.resolve_ty(pty));
        self.sess.diagnostics.truncate(mark);
        match self.int_shape(to) {
            Some((w, s)) => {
                let v = if to == TyId::BOOL {
                    i64::from(value != 0)
                } else {
                    crate::num::ConstInt::from_i128(i128::from(value), w, s).as_i64()
                };
                TemplateArg::Int { value: v, ty: to }
            }
            None => TemplateArg::Int { value, ty },
        }
    }

    // ---- class, alias and variable templates ---------------------------------------------------------------------

    /// The type that a class or alias template with arguments names.
    pub(crate) fn template_type(
        &mut self,
        t: TemplateId,
        args: Option<ast::List<ast::TemplateArg>>,
        span: Span,
    ) -> Option<RTy> {
        let list = args.unwrap_or(ast::List::EMPTY);
        if args.is_none() {
            // Inside the class the bare name is the class itself.
            let mut at = Some(self.scope);
            while let Some(s) = at {
                if let Some(r) = self.record_of_scope(s)
                    && self.records[r.0 as usize].instance.as_ref().is_some_and(|(i, _)| *i == t)
                {
                    return Some(RTy::plain(self.p.types.intern(Ty::Record(r))));
                }
                at = self.scopes[s.0 as usize].parent;
            }
        }
        let args = self.template_args(t, list, span)?;
        if args.iter().any(|a| self.p.types.arg_is_dependent(a)) {
            if self.templates[t.0 as usize].kind == TemplateKind::Alias {
                return self.alias_type(t, &args);
            }
            let name = self.templates[t.0 as usize].path;
            return Some(RTy::plain(self.p.types.intern(Ty::TemplateSpec { name, args: args.into_boxed_slice() })));
        }
        if self.templates[t.0 as usize].kind == TemplateKind::Alias {
            return self.alias_type(t, &args);
        }
        self.class_instance(t, args, span).map(RTy::plain)
    }

    fn alias_type(&mut self, t: TemplateId, args: &[TemplateArg]) -> Option<RTy> {
        let tpl = self.templates[t.0 as usize].clone();
        let DeclKind::Typedef { ty } = self.ast[tpl.decl].kind else { return None };
        if self.depth >= MAX_INSTANTIATION_DEPTH {
            self.error("E0450", tpl.span, format!("templates nest deeper than {MAX_INSTANTIATION_DEPTH}"));
            return None;
        }
        self.depth += 1;
        let scope = self.bind_args(&tpl.params, args, tpl.scope);
        let r = with_scope!(self, scope, self.resolve(ty));
        self.depth -= 1;
        (r.ty != TyId::ERROR).then_some(r)
    }

    /// The instance of a class template; its body is read when it must be complete.
    pub(crate) fn class_instance(&mut self, t: TemplateId, args: Vec<TemplateArg>, span: Span) -> Option<TyId> {
        let key = (t, args.into_boxed_slice());
        if let Some(&ty) = self.class_instances.get(&key) {
            return Some(ty);
        }
        if !self.count_instantiation(span) {
            return None;
        }
        let tpl = self.templates[t.0 as usize].clone();
        let parent = self.scopes[tpl.scope.0 as usize].name;
        let path = self.p.types.new_name(parent, TreeName::Type(tpl.name), Some(key.1.clone()));
        // The most specialised pattern that fits; later ones win among equals.
        let mut chosen = (tpl.decl, tpl.params.clone(), key.1.to_vec(), 0usize);
        for s in &tpl.specs {
            let mut bound: Bound = vec![None; s.params.len()];
            let fits = s.args.len() == key.1.len()
                && s.args.iter().zip(key.1.iter()).all(|(p, a)| self.unify_arg(p, a, &mut bound));
            if fits && bound.iter().all(Option::is_some) {
                let score = 1
                    + s.args
                        .iter()
                        .filter(|a| {
                            !matches!(a, TemplateArg::Param(_))
                                && !matches!(a,
                    TemplateArg::Type(q) if matches!(self.p.types.get(q.ty), Ty::TemplateParam(_)))
                        })
                        .count()
                    + usize::from(s.params.is_empty()) * 64;
                if score > chosen.3 {
                    chosen = (s.decl, s.params.clone(), bound.into_iter().flatten().collect(), score);
                }
            }
        }
        let scope = self.bind_args(&chosen.1, &chosen.2, tpl.scope);
        let defined = matches!(self.ast[chosen.0].kind, DeclKind::Record(r) if self.ast[r].defined);
        let is_union = matches!(self.ast[chosen.0].kind, DeclKind::Record(r)
            if self.ast[r].tag == ast::TagKind::Union);
        let ty = self.new_record(path, is_union, tpl.span, scope);
        let r = self.p.types.as_record(ty)?;
        self.records[r.0 as usize].instance = Some((t, key.1.clone()));
        if defined {
            self.records[r.0 as usize].lazy = Some((chosen.0, scope));
        }
        self.class_instances.insert(key, ty);
        Some(ty)
    }

    fn count_instantiation(&mut self, span: Span) -> bool {
        self.instantiations += 1;
        if self.instantiations > MAX_INSTANTIATIONS {
            if self.instantiations == MAX_INSTANTIATIONS + 1 {
                self.error("E0469", span, format!("more than {MAX_INSTANTIATIONS} template instantiations"));
            }
            return false;
        }
        if self.depth >= MAX_INSTANTIATION_DEPTH {
            self.report(
                Diagnostic::error("E0450", span, format!("templates nest deeper than {MAX_INSTANTIATION_DEPTH}"))
                    .help("give the recursion an end: a specialisation or `if constexpr`"),
            );
            return false;
        }
        true
    }

    /// `v<args>` of a variable template.
    pub(crate) fn variable_template(&mut self, t: TemplateId, list: ast::List<ast::TemplateArg>, span: Span) -> ExprId {
        let Some(args) = self.template_args(t, list, span) else { return self.err(span) };
        if args.iter().any(|a| self.p.types.arg_is_dependent(a)) {
            return self.err(span);
        }
        let key = (t, args.into_boxed_slice());
        let v = match self.var_instances.get(&key) {
            Some(&v) => v,
            None => {
                if !self.count_instantiation(span) {
                    return self.err(span);
                }
                let tpl = self.templates[t.0 as usize].clone();
                let scope = self.bind_args(&tpl.params, &key.1, tpl.scope);
                let DeclKind::Var { ty, init, .. } = self.ast[tpl.decl].kind else { return self.err(span) };
                let r = with_scope!(self, scope, self.resolve_auto(ty, init, span));
                let v = VarId(self.vars.len() as u32);
                self.vars.push(VarDecl {
                    name: tpl.name,
                    ty: r.ty,
                    quals: r.quals.with(Quals::CONST),
                    span: tpl.span,
                    global: None,
                    space: AddrSpace::Constant,
                    value: None,
                    host_only: true,
                    is_reference: false,
                    pending: Some((tpl.decl, scope)),
                });
                self.var_instances.insert(key, v);
                v
            }
        };
        self.var_place(v, span)
    }

    // ---- function templates ------------------------------------------------------------------------------------

    /// Deduces a template's arguments from a call; the instance, or why there is none.
    pub(crate) fn deduce_call(
        &mut self,
        t: TemplateId,
        explicit: Option<ast::List<ast::TemplateArg>>,
        args: &[Arg],
    ) -> Result<FnId, String> {
        let mut bound = self.explicit_args(t, explicit)?;
        let given = bound.clone();
        let tpl = self.templates[t.0 as usize].clone();
        let pack = self.pattern_pack(&tpl);
        let mut packs: Vec<TemplateArg> = Vec::new();
        for (i, a) in args.iter().enumerate() {
            let (pattern, in_pack) = match (tpl.pattern.get(i), pack) {
                (_, Some((k, p))) if i >= k => (p, true),
                (Some(&p), _) => (p, false),
                (None, _) if tpl.variadic_pattern => break,
                (None, _) => return Err(format!("takes {} arguments, {} given", tpl.pattern.len(), args.len())),
            };
            let Arg::Expr(e) = *a else { continue };
            if in_pack {
                let mut one = bound.clone();
                if let Some(k) = self.pack_param(&tpl) {
                    one[k] = None;
                    if !self.deduce_arg(pattern, e, &mut one) {
                        return Err(format!("argument {} does not fit the parameter pack", i + 1));
                    }
                    if let Some(x) = one[k].take() {
                        packs.push(x);
                    }
                }
                continue;
            }
            if self.p.types.is_dependent(pattern) && !self.deduce_beside(pattern, e, &mut bound, &given) {
                let (p, a) = (self.show(pattern), self.ty(e));
                let a = self.show(a);
                return Err(format!("template argument deduction failed: `{a}` does not match `{p}`"));
            }
        }
        if let (Some(_), Some(k)) = (pack, self.pack_param(&tpl))
            && bound[k].is_none()
        {
            bound[k] = Some(TemplateArg::Pack(packs.into_boxed_slice()));
        }
        self.instance_from(t, bound)
    }

    /// Deduces the parameters that were not given; to those that were, arguments are converted.
    fn deduce_beside(&mut self, pattern: TyId, e: ExprId, bound: &mut Bound, given: &Bound) -> bool {
        let fixed = |i: usize| matches!(given.get(i), Some(Some(a)) if !matches!(a, TemplateArg::Pack(_)));
        if !(0..bound.len()).any(fixed) {
            return self.deduce_arg(pattern, e, bound);
        }
        let mut trial: Bound = bound.iter().enumerate().map(|(i, b)| if fixed(i) { None } else { b.clone() }).collect();
        let fits = self.deduce_arg(pattern, e, &mut trial);
        if !fits && !(0..bound.len()).all(fixed) {
            return false;
        }
        for (i, b) in trial.into_iter().enumerate() {
            if !fixed(i) {
                bound[i] = b;
            }
        }
        true
    }

    /// Where a function parameter pack begins, and its pattern.
    fn pattern_pack(&mut self, tpl: &Template) -> Option<(usize, TyId)> {
        let DeclKind::Function(f) = self.ast[tpl.decl].kind else { return None };
        let ast::TypeKind::Function(ft) = self.ast[self.ast[f].ty].kind else { return None };
        let ast = self.ast;
        let params = ast.list(ast[ft].params);
        let k = params.iter().position(|&p| match ast[p].kind {
            DeclKind::Param { ty, .. } => matches!(ast[ty].kind, ast::TypeKind::Pack(_)),
            _ => false,
        })?;
        tpl.pattern.get(k).map(|&p| (k, p))
    }

    fn pack_param(&self, tpl: &Template) -> Option<usize> {
        tpl.params.iter().position(|p| p.pack)
    }

    fn explicit_args(&mut self, t: TemplateId, explicit: Option<ast::List<ast::TemplateArg>>) -> Result<Bound, String> {
        let n = self.templates[t.0 as usize].params.len();
        let mut bound: Bound = vec![None; n];
        let Some(list) = explicit else { return Ok(bound) };
        let mark = self.sess.diagnostics.len();
        let Some(given) = self.written_args(t, list) else {
            self.sess.diagnostics.truncate(mark);
            return Err("has unsuitable explicit template arguments".to_owned());
        };
        let tpl = self.templates[t.0 as usize].clone();
        let mut rest = given.into_iter();
        let mut so_far = Vec::new();
        for (i, p) in tpl.params.iter().enumerate() {
            if p.pack {
                let all: Vec<TemplateArg> = rest.by_ref().collect();
                if !all.is_empty() {
                    bound[i] = Some(TemplateArg::Pack(all.into_boxed_slice()));
                }
                break;
            }
            let Some(a) = rest.next() else { break };
            if p.is_type != matches!(a, TemplateArg::Type(_)) {
                return Err(format!("has a template argument of the wrong kind at position {}", i + 1));
            }
            let a = self.fit_arg(&tpl, p, a, &so_far);
            so_far.push(a.clone());
            bound[i] = Some(a);
        }
        if rest.next().is_some() {
            return Err("has fewer template parameters than arguments were given".to_owned());
        }
        Ok(bound)
    }

    /// Deduces from one argument of a call.
    fn deduce_arg(&mut self, pattern: TyId, e: ExprId, bound: &mut Bound) -> bool {
        let x = *self.e(e);
        match *self.p.types.get(pattern) {
            Ty::Reference { pointee, quals, rvalue, .. } => {
                let bare = matches!(self.p.types.get(pointee), Ty::TemplateParam(_));
                if rvalue && bare && quals == Quals::NONE && self.is_lv(e) {
                    // A forwarding reference bound to a place.
                    let space = self.default_space();
                    let t = self.p.types.reference(x.ty, x.quals, space, false);
                    return self.unify(pointee, t, Quals::NONE, bound);
                }
                let q = if bare { x.quals.without(quals).without(Quals::RESTRICT) } else { Quals::NONE };
                self.unify(pointee, x.ty, q, bound) || self.unify_base(pointee, x.ty, bound)
            }
            _ => {
                let t = self.value_ty(e);
                self.unify(pattern, t, Quals::NONE, bound) || self.unify_base(pattern, t, bound)
            }
        }
    }

    /// A base class of the argument may match `C<T>`.
    fn unify_base(&mut self, pattern: TyId, ty: TyId, bound: &mut Bound) -> bool {
        if !matches!(self.p.types.get(pattern), Ty::TemplateSpec { .. }) {
            return !self.deducible(pattern);
        }
        let Some(r) = self.p.types.as_record(ty) else { return false };
        self.complete_record(r);
        let bases: Vec<RecordId> = self.p.types.record(r).bases.iter().map(|b| b.record).collect();
        bases.into_iter().any(|b| {
            let t = self.p.types.intern(Ty::Record(b));
            self.unify(pattern, t, Quals::NONE, bound) || self.unify_base(pattern, t, bound)
        })
    }

    /// Whether anything can be deduced from a pattern; otherwise it is a non-deduced context.
    fn deducible(&self, pattern: TyId) -> bool {
        !matches!(self.p.types.get(pattern), Ty::Dependent | Ty::DependentMember { .. })
            && self.p.types.is_dependent(pattern)
    }

    /// Matches a pattern against a type, binding parameters.
    fn unify(&mut self, pattern: TyId, ty: TyId, quals: Quals, bound: &mut Bound) -> bool {
        if !self.p.types.is_dependent(pattern) {
            return true;
        }
        match (self.p.types.get(pattern).clone(), self.p.types.get(ty).clone()) {
            (Ty::TemplateParam(i), _) => {
                let a = TemplateArg::Type(QualTy { ty, quals });
                let Some(slot) = bound.get_mut(i as usize) else { return false };
                match slot {
                    Some(old) => *old == a || matches!(old, TemplateArg::Pack(_)),
                    None => {
                        *slot = Some(a);
                        true
                    }
                }
            }
            (Ty::Dependent | Ty::DependentMember { .. }, _) => true,
            (Ty::Pointer { pointee: p, quals: pq, space: ps }, Ty::Pointer { pointee: a, quals: aq, space: asp }) => {
                if ps != asp && !self.is_cxx() {
                    return false;
                }
                self.unify(p, a, aq.without(pq), bound)
            }
            (Ty::Reference { pointee: p, .. }, Ty::Reference { pointee: a, .. }) => {
                self.unify(p, a, Quals::NONE, bound)
            }
            (Ty::Reference { pointee: p, .. }, _) => self.unify(p, ty, quals, bound),
            (Ty::Array { elem: p, len: pl }, Ty::Array { elem: a, len: al }) => {
                (pl.is_none() || pl == al) && self.unify(p, a, Quals::NONE, bound)
            }
            (Ty::DependentArray { elem: p, len }, Ty::Array { elem: a, len: Some(n) }) => {
                let n = TemplateArg::Int { value: n as i64, ty: TyId::INT };
                self.unify_arg(&len, &n, bound) && self.unify(p, a, Quals::NONE, bound)
            }
            (Ty::Function(p), Ty::Function(a)) => {
                p.params.len() == a.params.len()
                    && self.unify(p.ret, a.ret, Quals::NONE, bound)
                    && p.params.iter().zip(a.params.iter()).all(|(&p, &a)| self.unify(p, a, Quals::NONE, bound))
            }
            (Ty::TemplateSpec { name, args }, Ty::Record(r)) => {
                let Some((t, have)) = self.records[r.0 as usize].instance.clone() else { return false };
                self.templates[t.0 as usize].path == name
                    && args.len() == have.len()
                    && args.iter().zip(have.iter()).all(|(p, a)| self.unify_arg(p, a, bound))
            }
            (Ty::TemplateSpec { name: n, args: p }, Ty::TemplateSpec { name: m, args: a }) => {
                n == m && p.len() == a.len() && p.iter().zip(a.iter()).all(|(p, a)| self.unify_arg(p, a, bound))
            }
            _ => false,
        }
    }

    fn unify_arg(&mut self, p: &TemplateArg, a: &TemplateArg, bound: &mut Bound) -> bool {
        match (p, a) {
            (TemplateArg::Type(p), TemplateArg::Type(a)) => {
                if !self.p.types.is_dependent(p.ty) {
                    return p == a;
                }
                if !a.quals.has(p.quals) {
                    return false;
                }
                self.unify(p.ty, a.ty, a.quals.without(p.quals), bound)
            }
            (TemplateArg::Int { value: x, .. }, TemplateArg::Int { value: y, .. }) => x == y,
            (TemplateArg::Param(i), a) => {
                let Some(slot) = bound.get_mut(*i as usize) else { return false };
                match (slot.as_ref(), a) {
                    (Some(TemplateArg::Int { value: x, .. }), TemplateArg::Int { value: y, .. }) => x == y,
                    (Some(old), a) => old == a,
                    (None, a) => {
                        *slot = Some(a.clone());
                        true
                    }
                }
            }
            (TemplateArg::Pack(p), TemplateArg::Pack(a)) => {
                // `T...` in a specialisation takes all.
                if let [TemplateArg::Type(q)] = &p[..]
                    && let Ty::TemplateParam(i) = *self.p.types.get(q.ty)
                    && bound.get(i as usize).is_some_and(Option::is_none)
                    && a.len() != 1
                {
                    bound[i as usize] = Some(TemplateArg::Pack(a.clone()));
                    return true;
                }
                p.len() == a.len() && p.iter().zip(a.iter()).all(|(p, a)| self.unify_arg(p, a, bound))
            }
            (TemplateArg::Dependent, _) => true,
            _ => false,
        }
    }

    /// The instance with these arguments, defaults filled in.
    fn instance_from(&mut self, t: TemplateId, bound: Bound) -> Result<FnId, String> {
        let tpl = self.templates[t.0 as usize].clone();
        let mut args = Vec::with_capacity(bound.len());
        for (b, p) in bound.into_iter().zip(&tpl.params) {
            let a = match b {
                Some(a) => a,
                None if p.pack => TemplateArg::Pack(Box::new([])),
                None => {
                    let mark = self.sess.diagnostics.len();
                    let d = self.default_arg(&tpl, p, &args);
                    self.sess.diagnostics.truncate(mark);
                    match d {
                        Some(a) => a,
                        None => {
                            let n = p.name.map(|n| self.text(n).to_owned()).unwrap_or_default();
                            return Err(format!("cannot deduce template argument `{n}`"));
                        }
                    }
                }
            };
            let a = self.fit_arg(&tpl, p, a, &args);
            args.push(a);
        }
        self.fn_instance(t, args).ok_or_else(|| "substitution failed".to_owned())
    }

    /// The instance of a function template, made on first use.
    pub(crate) fn fn_instance(&mut self, t: TemplateId, args: Vec<TemplateArg>) -> Option<FnId> {
        let key = (t, args.into_boxed_slice());
        if let Some(&f) = self.fn_instances.get(&key) {
            return f;
        }
        let tpl = self.templates[t.0 as usize].clone();
        if !self.count_instantiation(tpl.span) {
            return None;
        }
        self.fn_instances.insert(key.clone(), None);
        let f = self.make_instance(t, &tpl, &key.1, tpl.decl);
        self.fn_instances.insert(key, f);
        f
    }

    fn make_instance(
        &mut self,
        t: TemplateId,
        tpl: &Template,
        args: &[TemplateArg],
        decl: ast::DeclId,
    ) -> Option<FnId> {
        let d = self.ast[decl];
        let DeclKind::Function(fid) = d.kind else { return None };
        let func = self.ast[fid];
        let scope = self.bind_args(&tpl.params, args, tpl.scope);
        let mark = self.sess.diagnostics.len();
        self.depth += 1;
        let saved_cx = std::mem::take(&mut self.cx);
        let saved_pattern = std::mem::take(&mut self.in_pattern);
        let sig = with_scope!(self, scope, self.signature(func.ty));
        self.in_pattern = saved_pattern;
        self.cx = saved_cx;
        self.depth -= 1;
        let failed = self.sess.diagnostics.len() > mark;
        let sig = sig?;
        let bad = sig.params.iter().any(|p| p.ty == TyId::ERROR) || (sig.ret == TyId::ERROR && !sig.deduced_ret);
        if failed || bad {
            // Substitution failure drops the candidate.
            self.sess.diagnostics.truncate(mark);
            return None;
        }
        let is_host = self.is_cuda()
            && (func.host_only || matches!(func.body, ast::Body::Skipped))
            && !d.specs.any(ast::DeclSpecs::DEVICE.with(ast::DeclSpecs::GLOBAL));
        let mut f = with_scope!(self, scope, self.make_fn(decl, &d, &func, sig, tpl.record, is_host));
        let node = self.p.types.name(f.path).clone();
        f.path = self.p.types.new_name(node.parent, node.kind, Some(args.to_vec().into_boxed_slice()));
        f.template = Some(t);
        f.depth = self.depth + 1;
        Some(self.push_fn(f))
    }

    /// `f<args>` as a value.
    pub(crate) fn explicit_instance(
        &mut self,
        t: TemplateId,
        list: ast::List<ast::TemplateArg>,
        span: Span,
    ) -> Option<FnId> {
        let _ = span;
        let bound = self.explicit_args(t, Some(list)).ok()?;
        self.instance_from(t, bound).ok()
    }

    /// The instance whose type is the wanted one.
    pub(crate) fn deduce_from_type(
        &mut self,
        t: TemplateId,
        explicit: Option<ast::List<ast::TemplateArg>>,
        want: &FnTy,
    ) -> Option<FnId> {
        let mut bound = self.explicit_args(t, explicit).ok()?;
        let tpl = self.templates[t.0 as usize].clone();
        if tpl.pattern.len() != want.params.len() {
            return None;
        }
        for (&p, &a) in tpl.pattern.iter().zip(want.params.iter()) {
            if !self.unify(p, a, Quals::NONE, &mut bound) {
                return None;
            }
        }
        self.unify(tpl.pattern_ret, want.ret, Quals::NONE, &mut bound);
        self.instance_from(t, bound).ok()
    }

    /// Partial ordering: whether `a`'s template fits everything that it matches into `b`'s, but not the reverse.
    pub(crate) fn more_specialised(&mut self, a: FnId, b: FnId) -> bool {
        let (Some(ta), Some(tb)) = (self.fns[a.0 as usize].template, self.fns[b.0 as usize].template) else {
            return false;
        };
        let (pa, pb) = (self.templates[ta.0 as usize].clone(), self.templates[tb.0 as usize].clone());
        let fits = |c: &mut Self, general: &Template, special: &Template| {
            let mut bound: Bound = vec![None; general.params.len()];
            general.pattern.len() == special.pattern.len()
                && general.pattern.iter().zip(&special.pattern).all(|(&g, &s)| {
                    let (g, s) = (c.strip_reference(g), c.strip_reference(s));
                    if c.p.types.is_dependent(g) { c.unify(g, s, Quals::NONE, &mut bound) } else { g == s }
                })
        };
        fits(self, &pb, &pa) && !fits(self, &pa, &pb)
    }

    /// `template<> …`
    fn explicit_specialisation(&mut self, decl: ast::DeclId) {
        let d = self.ast[decl];
        let name = self.ast[d.name];
        let Some(sym) = self.template_name(&d) else { return };
        let found = if name.qualifier.is_empty() { self.lookup(sym) } else { self.find_name(d.name) };
        let templates: Vec<TemplateId> = found
            .map(|f| {
                f.entities.iter().filter_map(|e| if let Entity::Template(t) = e { Some(*t) } else { None }).collect()
            })
            .unwrap_or_default();
        if templates.is_empty() {
            let text = self.name_text(d.name);
            self.error("E0465", d.span, format!("explicit specialisation of `{text}`, which is not a template"));
            return;
        }
        match d.kind {
            DeclKind::Record(_) => {
                let Some(list) = name.args else { return };
                if let Some(args) = self.template_args(templates[0], list, d.span) {
                    self.templates[templates[0].0 as usize].specs.push(Specialisation {
                        params: Vec::new(),
                        args,
                        decl,
                    });
                }
            }
            DeclKind::Function(fid) => self.specialise_function(&templates, decl, fid),
            _ => {}
        }
    }

    fn specialise_function(&mut self, templates: &[TemplateId], decl: ast::DeclId, fid: ast::FunctionId) {
        let d = self.ast[decl];
        let func = self.ast[fid];
        let Some(sig) = self.signature(func.ty) else { return };
        let explicit = self.ast[d.name].args;
        let want = FnTy { ret: sig.ret, params: sig.params.iter().map(|p| p.ty).collect(), variadic: sig.variadic };
        for &t in templates {
            let Some(f) = self.deduce_from_type(t, explicit, &want) else { continue };
            let inst = &self.fns[f.0 as usize];
            let same =
                inst.params.len() == sig.params.len() && inst.params.iter().zip(&sig.params).all(|(a, b)| a.ty == b.ty);
            if !same {
                continue;
            }
            if matches!(func.body, ast::Body::Stmt(_)) {
                let scope = self.scope;
                let i = &mut self.fns[f.0 as usize];
                i.body = super::BodySource::Ast(decl);
                i.ast = Some(decl);
                i.scope = scope;
                i.span = self.ast[d.name].span;
                i.params = sig.params;
                i.ret = sig.ret;
                i.deduced_ret = sig.deduced_ret;
                self.need(f);
            }
            return;
        }
        let text = self.name_text(d.name);
        self.error("E0470", d.span, format!("no function template matches the specialisation `{text}`"));
    }

    /// `template void f<4>(…);`
    pub(crate) fn explicit_instantiation(&mut self, decl: ast::DeclId) {
        let d = self.ast[decl];
        match d.kind {
            DeclKind::Function(fid) => {
                let func = self.ast[fid];
                let Some(sig) = self.signature(func.ty) else { return };
                let found = self.find_name(d.name);
                let want = FnTy { ret: sig.ret, params: sig.params.iter().map(|p| p.ty).collect(), variadic: false };
                for e in found.map(|f| f.entities).unwrap_or_default() {
                    if let Entity::Template(t) = e
                        && let Some(f) = self.deduce_from_type(t, self.ast[d.name].args, &want)
                    {
                        self.need(f);
                        self.func_id(f);
                        self.roots.push(f);
                        return;
                    }
                }
                let text = self.name_text(d.name);
                self.error("E0470", d.span, format!("no function template matches the instantiation of `{text}`"));
            }
            DeclKind::Record(_) => {
                let r = self.resolve_type_name(d.name);
                if let Some(rec) = self.p.types.as_record(r.ty) {
                    self.complete_record(rec);
                }
            }
            _ => {}
        }
    }

    /// `k<float, 4><<<…>>>` in host code instantiates the kernel. A launch whose arguments mean nothing here is the host
    /// compiler's business: nothing is reported.
    pub(crate) fn launch(&mut self, name: ast::NameId) {
        let Some(args) = self.ast[name].args else { return };
        let mark = self.sess.diagnostics.len();
        let span = self.ast[name].span;
        let entities = self.find_name(name).map(|f| f.entities).unwrap_or_default();
        let instance = entities.into_iter().find_map(|e| match e {
            Entity::Template(t) => self.explicit_instance(t, args, span),
            _ => None,
        });
        self.sess.diagnostics.truncate(mark);
        if let Some(f) = instance {
            self.need(f);
            self.func_id(f);
            self.roots.push(f);
        }
    }

    // ---- packs -------------------------------------------------------------------------------------------------

    /// How many elements the packs named in the source have, by trying indices until one is out of range.
    fn pack_len_in_type(&mut self, ty: ast::TypeId, depth: u32) -> Option<usize> {
        if depth > 32 {
            return None;
        }
        use ast::TypeKind as K;
        match self.ast[ty].kind {
            K::Name(n) => self.pack_len_in_name(n, depth),
            K::Pointer(t) | K::LvalueRef(t) | K::RvalueRef(t) | K::Pack(t) | K::Atomic(t) | K::TypeofType(t) => {
                self.pack_len_in_type(t, depth + 1)
            }
            K::Array { element, .. } => self.pack_len_in_type(element, depth + 1),
            _ => None,
        }
    }

    fn pack_len_in_name(&mut self, n: ast::NameId, depth: u32) -> Option<usize> {
        let ast = self.ast;
        let name = ast[n];
        let first = match ast.list(name.qualifier).first() {
            Some(s) => match s.kind {
                ast::SegmentKind::Ident(s) => Some(s),
                ast::SegmentKind::Decltype(_) => None,
            },
            None => self.last_symbol(n),
        };
        if let Some(sym) = first
            && let Some(found) = self.lookup(sym)
        {
            match found.entities.first() {
                Some(Entity::Pack(p)) => return Some(self.packs[p.0 as usize].len()),
                Some(Entity::ValuePack(p)) => return Some(self.value_packs[*p as usize].len()),
                _ => {}
            }
        }
        let args = name.args.into_iter().chain(ast.list(name.qualifier).iter().filter_map(|s| s.args));
        for list in args {
            for a in ast.list(list) {
                let found = match *a {
                    ast::TemplateArg::Type(t) => self.pack_len_in_type(t, depth + 1),
                    ast::TemplateArg::Expr(e) => self.pack_len_in_expr(e, depth + 1),
                    _ => None,
                };
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    fn pack_len_in_expr(&mut self, e: ast::ExprId, depth: u32) -> Option<usize> {
        if depth > 64 {
            return None;
        }
        use ast::ExprKind as K;
        let ast = self.ast;
        match ast[e].kind {
            K::Name(n) => self.pack_len_in_name(n, depth),
            K::Paren(e) | K::Unary(_, e) | K::SizeofExpr(e) | K::Member { base: e, .. } => {
                self.pack_len_in_expr(e, depth + 1)
            }
            K::Binary(_, l, r) | K::Assign(_, l, r) | K::Comma(l, r) | K::Index { base: l, index: r } => {
                self.pack_len_in_expr(l, depth + 1).or_else(|| self.pack_len_in_expr(r, depth + 1))
            }
            K::Cast { ty, operand, .. } => {
                self.pack_len_in_expr(operand, depth + 1).or_else(|| self.pack_len_in_type(ty, depth + 1))
            }
            K::SizeofType(t) => self.pack_len_in_type(t, depth + 1),
            K::Call { callee, args } => self
                .pack_len_in_expr(callee, depth + 1)
                .or_else(|| ast.list(args).iter().find_map(|&a| self.pack_len_in_expr(a, depth + 1))),
            K::Construct { ty, args, .. } => self
                .pack_len_in_type(ty, depth + 1)
                .or_else(|| ast.list(args).iter().find_map(|&a| self.pack_len_in_expr(a, depth + 1))),
            K::Cond { cond, then, els } => self
                .pack_len_in_expr(cond, depth + 1)
                .or_else(|| then.and_then(|t| self.pack_len_in_expr(t, depth + 1)))
                .or_else(|| self.pack_len_in_expr(els, depth + 1)),
            _ => None,
        }
    }

    pub(crate) fn expand_type_pack(&mut self, ty: ast::TypeId) -> Vec<RTy> {
        let Some(n) = self.pack_len_in_type(ty, 0) else {
            // In a template's pattern a pack stands for one element.
            return vec![self.resolve(ty)];
        };
        let saved = self.pack_index;
        let out = (0..n)
            .map(|i| {
                self.pack_index = Some(i);
                self.resolve(ty)
            })
            .collect();
        self.pack_index = saved;
        out
    }

    pub(crate) fn expand_expr_pack(&mut self, e: ast::ExprId) -> Vec<ExprId> {
        let Some(n) = self.pack_len_in_expr(e, 0) else {
            let span = self.ast[e].span;
            self.error("E0471", span, "pack expansion does not contain a parameter pack");
            return vec![self.err(span)];
        };
        let saved = self.pack_index;
        let mut out = Vec::with_capacity(n);
        for i in 0..n {
            self.pack_index = Some(i);
            out.push(self.expr(e));
        }
        self.pack_index = saved;
        out
    }

    pub(crate) fn sizeof_pack(&mut self, s: Symbol, span: Span) -> ExprId {
        let n = self.lookup(s).and_then(|f| match f.entities.first() {
            Some(Entity::Pack(p)) => Some(self.packs[p.0 as usize].len()),
            Some(Entity::ValuePack(p)) => Some(self.value_packs[*p as usize].len()),
            _ => None,
        });
        match n {
            Some(n) => self.int(n as i128, TyId::ULONG, span),
            None => {
                if !self.in_pattern {
                    self.error("E0471", span, "`sizeof...` needs a parameter pack");
                }
                self.err(span)
            }
        }
    }

    /// `(pack op …)` and its three relatives.
    pub(crate) fn fold_expr(
        &mut self,
        op: ast::FoldOp,
        left: Option<ast::ExprId>,
        right: Option<ast::ExprId>,
        span: Span,
    ) -> ExprId {
        let is_pack = |c: &mut Self, e: Option<ast::ExprId>| e.and_then(|e| c.pack_len_in_expr(e, 0)).is_some();
        let left_pack = is_pack(self, left);
        let (pack, init) = if left_pack { (left, right) } else { (right, left) };
        let Some(pack) = pack else { return self.err(span) };
        let mut values = self.expand_expr_pack(pack);
        let init = init.map(|e| self.expr(e));
        // `(pack op …)` and `(pack op … op init)` associate to the right.
        let right_fold = left_pack;
        if let Some(i) = init {
            if right_fold { values.push(i) } else { values.insert(0, i) }
        }
        if values.is_empty() {
            return match op {
                ast::FoldOp::Binary(ast::BinaryOp::LogAnd) => self.int(1, TyId::BOOL, span),
                ast::FoldOp::Binary(ast::BinaryOp::LogOr) => self.int(0, TyId::BOOL, span),
                ast::FoldOp::Comma => self.rv(ExprKind::ZeroInit, TyId::VOID, span),
                _ => {
                    self.error("E0472", span, "fold of an empty pack has no value");
                    self.err(span)
                }
            };
        }
        if right_fold {
            values.reverse();
        }
        let mut it = values.into_iter();
        let Some(mut acc) = it.next() else { return self.err(span) };
        for v in it {
            let (l, r) = if right_fold { (v, acc) } else { (acc, v) };
            acc = self.fold_step(op, l, r, span);
        }
        acc
    }

    fn fold_step(&mut self, op: ast::FoldOp, l: ExprId, r: ExprId, span: Span) -> ExprId {
        match op {
            ast::FoldOp::Comma => self.comma(l, r, span),
            ast::FoldOp::Binary(b @ (ast::BinaryOp::LogAnd | ast::BinaryOp::LogOr)) => {
                let (a, b2) = (self.condition(l), self.condition(r));
                let kind = if b == ast::BinaryOp::LogAnd {
                    ExprKind::LogAnd { lhs: a, rhs: b2 }
                } else {
                    ExprKind::LogOr { lhs: a, rhs: b2 }
                };
                self.rv(kind, TyId::BOOL, span)
            }
            ast::FoldOp::Binary(b) => self.built_binary(b, l, r, span),
            ast::FoldOp::Assign(_) => {
                self.error("E0472", span, "folds over assignments are not supported");
                self.err(span)
            }
        }
    }
}
