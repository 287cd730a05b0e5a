//! Templates as they are declared and defined.

use source::Symbol;
use syntax::ast::{self, DeclKind};

use crate::check::{
    Checker, Entity, FnId, FnKind, RTy, ScopeId, ScopeKind, Specialisation, Template, TemplateId, TemplateKind,
    TemplateParam, with_scope,
};
use crate::types::{NameKind as TreeName, RecordId, Ty, TyId};

impl Checker<'_> {
    /// `template<…> decl`, in a namespace or class.
    pub(crate) fn declare_template(
        &mut self,
        params: ast::List<ast::DeclId>,
        decl: ast::DeclId,
        record: Option<RecordId>,
    ) {
        let d = self.ast[decl];
        if let DeclKind::Template { .. } = d.kind {
            // A member template of a class template, defined outside.
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
                {
                    let has_body = self.has_body(decl);
                    if has_body && self.has_body(self.decls[o].decl) {
                        // Two definitions: they differ in a condition that the pattern does not model.
                        continue;
                    }
                    if has_body {
                        self.decls[o].decl = decl;
                        let newer = self.decls[t].params.clone();
                        let old = self.decls[o].params.clone();
                        // Defaults stay with the first declaration.
                        let defaults = old.iter().any(|p| self.param_default(p));
                        if !defaults {
                            self.decls[o].params = newer;
                        }
                    }
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

    fn has_body(&self, decl: ast::DeclId) -> bool {
        matches!(self.ast[decl].kind, DeclKind::Function(f) if !matches!(self.ast[f].body, ast::Body::None))
    }

    fn same_kinds(&self, a: TemplateId, b: TemplateId) -> bool {
        let (a, b) = (&self.decls[a].params, &self.decls[b].params);
        a.iter().zip(b).all(|(x, y)| x.is_type == y.is_type && x.is_template == y.is_template && x.pack == y.pack)
    }

    fn param_default(&self, p: &TemplateParam) -> bool {
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
                DeclKind::TypeParam { pack, .. } => {
                    TemplateParam { name, decl: p, is_type: true, is_template: false, pack }
                }
                DeclKind::Param { ty, .. } => {
                    let pack = matches!(ast[ty].kind, ast::TypeKind::Pack(_));
                    TemplateParam { name, decl: p, is_type: false, is_template: false, pack }
                }
                DeclKind::TemplateParam { pack, .. } => {
                    if pack {
                        self.error("E0464", d.span, "packs of template template parameters are not supported");
                    }
                    TemplateParam { name, decl: p, is_type: false, is_template: true, pack: false }
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
        let parent = self.decls[self.scope].name;
        let tree = if kind == TemplateKind::Class { TreeName::Type(name) } else { TreeName::Entity(name) };
        let path = self.p.types.child_name(parent, tree);
        let id = TemplateId(self.decls.templates.len() as u32);
        self.decls.templates.push(Template {
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
        let old = self.decls.bound(scope, sym).iter().find_map(|e| match e {
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
            self.inst.in_pattern = true;
            let args = with_scope!(self, pattern, self.template_args(t, args, d.span));
            self.inst.in_pattern = false;
            if let Some(args) = args {
                self.decls[t].specs.push(Specialisation { params, args, decl });
            }
            return;
        }
        let defined = matches!(d.kind, DeclKind::Record(r) if self.ast[r].defined);
        if let Some(t) = old {
            if defined {
                let has_default = self.decls[t].params.clone().iter().any(|p| self.param_default(p));
                let tpl = &mut self.decls[t];
                tpl.decl = decl;
                if !has_default {
                    tpl.params = params;
                }
            }
            return;
        }
        let t = self.new_template(TemplateKind::Class, sym, params, decl, d, None);
        self.decls.bind(scope, sym, Entity::Template(t));
    }

    /// A scope that binds parameters to placeholders.
    fn pattern_scope(&mut self, params: &[TemplateParam], parent: ScopeId) -> ScopeId {
        let name = self.decls[parent].name;
        let s = self.decls.new_scope(parent, ScopeKind::Template, name);
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
    fn function_pattern(&mut self, t: TemplateId) -> bool {
        let tpl = self.decls[t].clone();
        let DeclKind::Function(f) = self.ast[tpl.decl].kind else { return false };
        let ty = self.ast[f].ty;
        let scope = self.pattern_scope(&tpl.params, tpl.scope);
        let mark = self.sess.diagnostics.len();
        let saved = std::mem::replace(&mut self.inst.in_pattern, true);
        let saved_cx = std::mem::take(&mut self.cx);
        let sig = with_scope!(self, scope, self.signature(ty));
        self.cx = saved_cx;
        self.inst.in_pattern = saved;
        self.sess.diagnostics.truncate(mark);
        let Some(sig) = sig else { return false };
        let tpl = &mut self.decls[t];
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
        let mut scope: Option<crate::check::ScopeId> = None;
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
            Some(t) => self.decls[t].out_of_line.push((params, decl)),
            None => {
                let name = self.name_text(d.name);
                self.error("E0343", d.span, format!("`{name}` does not name a member of a class template"));
            }
        }
    }

    /// Gives an instance made from a template's declaration the body of the definition that came later.
    fn adopt_definition(&mut self, f: FnId, t: TemplateId) {
        let tpl = self.decls[t].clone();
        if !self.has_body(tpl.decl) || self.decls[f].ast == Some(tpl.decl) {
            return;
        }
        let path = self.decls[f].path;
        let Some(args) = self.p.types.name(path).args.clone() else { return };
        let Some(new) = self.make_instance(t, &tpl, &args, tpl.decl) else { return };
        let made = self.decls[new].clone();
        let old = &mut self.decls[f];
        if old.params.len() == made.params.len() {
            let defaults: Vec<_> = old.params.iter().map(|p| p.default).collect();
            *old = crate::check::FnDecl { state: old.state, func: old.func, path: old.path, ..made };
            for (p, d) in old.params.iter_mut().zip(defaults) {
                p.default = p.default.or(d);
            }
        }
    }

    /// Looks for the definition of a class template's member outside the class.
    pub(crate) fn find_definition(&mut self, f: FnId) {
        let d = self.decls[f].clone();
        if d.body != crate::check::BodySource::None {
            return;
        }
        if let Some(t) = d.template {
            self.adopt_definition(f, t);
        }
        let Some(r) = d.record else { return };
        let Some((t, args)) = self.decls[r].instance.clone() else { return };
        let defs = self.decls[t].out_of_line.clone();
        for (params, decl) in defs {
            let DeclKind::Function(fid) = self.ast[decl].kind else { continue };
            let func = self.ast[fid];
            let name_fits = match d.kind {
                FnKind::Constructor => func.kind == ast::FunctionKind::Constructor,
                FnKind::Destructor => func.kind == ast::FunctionKind::Destructor,
                _ => match self.ast[self.ast[decl].name].kind {
                    ast::NameKind::Ident(s) => s == d.name,
                    ast::NameKind::Operator(op) => self.operator_symbol(op) == d.name,
                    _ => false,
                },
            };
            if !name_fits {
                continue;
            }
            // Bind the definition's own names for the parameters.
            let plist = self.template_params(params);
            let scope = self.bind_args(&plist, &args, self.decls[r].scope);
            let mark = self.sess.diagnostics.len();
            let sig = with_scope!(self, scope, self.signature(func.ty));
            self.sess.diagnostics.truncate(mark);
            let Some(sig) = sig else { continue };
            let same = sig.params.len() == d.params.len()
                && sig.this_quals == d.this_quals
                && sig.params.iter().zip(&d.params).all(|(a, b)| a.ty == b.ty);
            if same {
                let f = &mut self.decls[f];
                f.body = crate::check::BodySource::Ast(decl);
                f.scope = scope;
                for (a, b) in f.params.iter_mut().zip(&sig.params) {
                    a.name = b.name;
                    a.decl = b.decl;
                }
                return;
            }
        }
    }
}
