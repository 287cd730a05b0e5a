//! Functions: declarations, redeclarations, and the checking of bodies.

use smallvec::SmallVec;
use source::{Diagnostic, Span, Symbol};
use syntax::ast::{self, Body, DeclKind, DeclSpecs, FunctionKind, NameKind, TypeKind};

use super::{BodySource, BodyState, Checker, Entity, FnCx, FnDecl, FnId, FnKind, ParamDecl, ScopeId};
use crate::program::{FnAttrs, FuncId, Function, Linkage, StmtKind};
use crate::types::{NameKind as TreeName, OperatorName, Quals, RecordId, Ty, TyId};

/// A signature as resolved from the tree.
pub(crate) struct Signature {
    pub(crate) ret: TyId,
    pub(crate) params: SmallVec<[ParamDecl; 4]>,
    pub(crate) variadic: bool,
    pub(crate) unprototyped: bool,
    pub(crate) this_quals: Quals,
    pub(crate) deduced_ret: bool,
}

impl Checker<'_> {
    /// Resolves a function's type where the checker stands.
    pub(crate) fn signature(&mut self, ty: ast::TypeId) -> Option<Signature> {
        let TypeKind::Function(ft) = self.ast[ty].kind else {
            // A typedef of a function type.
            let t = self.resolve_ty(ty);
            let Ty::Function(f) = self.p.types.get(t).clone() else { return None };
            let param = |&ty: &TyId| ParamDecl {
                name: None,
                ty,
                quals: Quals::NONE,
                default: None,
                decl: None,
                span: Span::NONE,
            };
            return Some(Signature {
                ret: f.ret,
                params: f.params.iter().map(param).collect(),
                variadic: f.variadic,
                unprototyped: false,
                this_quals: Quals::NONE,
                deduced_ret: false,
            });
        };
        Some(self.fn_type_signature(ft))
    }

    pub(crate) fn fn_type_signature(&mut self, ft: ast::FnTypeId) -> Signature {
        let ast = self.ast;
        let f = ast[ft];
        let mut params: SmallVec<[ParamDecl; 4]> = SmallVec::new();
        let names = self.cx.names.len();
        for &d in ast.list(f.params) {
            let decl = ast[d];
            let DeclKind::Param { ty, default } = decl.kind else { continue };
            let name = self.decl_symbol(&decl);
            if let TypeKind::Pack(inner) = ast[ty].kind {
                for r in self.expand_type_pack(inner) {
                    let r = self.adjust_param(r);
                    params.push(ParamDecl {
                        name,
                        ty: r.ty,
                        quals: r.quals,
                        default: None,
                        decl: Some(d),
                        span: decl.span,
                    });
                }
                continue;
            }
            let r = self.resolve(ty);
            if r.ty == TyId::VOID {
                self.error("E0370", decl.span, "parameter has type `void`");
            }
            let r = self.adjust_param(r);
            params.push(ParamDecl { name, ty: r.ty, quals: r.quals, default, decl: Some(d), span: decl.span });
        }
        // A trailing return type can name the parameters.
        let deduced_ret = self.has_auto(f.ret);
        let ret = if deduced_ret {
            TyId::ERROR
        } else if f.trailing {
            self.trailing_return(&params, f.ret)
        } else {
            self.resolve_ty(f.ret)
        };
        self.cx.names.truncate(names);
        let mut this_quals = Quals::NONE;
        if f.quals.is_const {
            this_quals = this_quals.with(Quals::CONST);
        }
        if f.quals.is_volatile {
            this_quals = this_quals.with(Quals::VOLATILE);
        }
        Signature { ret, params, variadic: f.variadic, unprototyped: f.unprototyped, this_quals, deduced_ret }
    }

    fn trailing_return(&mut self, params: &[ParamDecl], ret: ast::TypeId) -> TyId {
        let (names, locals) = (self.cx.names.len(), self.cx.locals.len());
        for p in params {
            if let Some(n) = p.name {
                let ty = self.strip_reference(p.ty);
                let l = self.new_local(Some(n), ty, p.quals, p.span);
                self.cx.names.push((n, Entity::Local(l)));
            }
        }
        let t = self.resolve_ty(ret);
        self.cx.names.truncate(names);
        self.cx.locals.truncate(locals);
        self.cx.infos.truncate(locals);
        t
    }

    /// The symbol under which an operator's overloads are declared.
    pub(crate) fn operator_symbol(&mut self, op: ast::Operator, _arity: usize) -> Symbol {
        let text = match op {
            ast::Operator::New | ast::Operator::Delete => format!("operator {}", op.as_str()),
            _ => format!("operator{}", op.as_str()),
        };
        self.sess.intern(&text)
    }

    /// Name, kind and tree name of a function from its declaration.
    fn function_name(
        &mut self,
        d: &ast::Decl,
        f: &ast::Function,
        sig: &Signature,
        member: bool,
    ) -> (Symbol, FnKind, TreeName) {
        match f.kind {
            FunctionKind::Constructor => {
                let s = self.last_symbol(d.name).unwrap_or_else(|| self.sess.intern("constructor"));
                (s, FnKind::Constructor, TreeName::Constructor)
            }
            FunctionKind::Destructor => {
                let s = self.last_symbol(d.name).unwrap_or_else(|| self.sess.intern("destructor"));
                (s, FnKind::Destructor, TreeName::Destructor)
            }
            FunctionKind::Conversion => {
                let s = self.sess.intern("operator conversion");
                (s, FnKind::Conversion, TreeName::Conversion(sig.ret))
            }
            _ => match self.ast[d.name].kind {
                NameKind::Operator(op) => {
                    let n = sig.params.len() + usize::from(member);
                    let name = operator_name(op, n);
                    (self.operator_symbol(op, n), FnKind::Operator(name), TreeName::Operator(name))
                }
                NameKind::Ident(s) => (s, FnKind::Plain, TreeName::Entity(s)),
                _ => {
                    let s = self.sess.intern("<function>");
                    (s, FnKind::Plain, TreeName::Entity(s))
                }
            },
        }
    }

    /// Declares a function, or a member function of `record`; gives its id.
    pub(crate) fn declare_function(
        &mut self,
        id: ast::DeclId,
        fid: ast::FunctionId,
        record: Option<RecordId>,
    ) -> Option<FnId> {
        let d = self.ast[id];
        let f = self.ast[fid];
        if f.kind == FunctionKind::Guide {
            return None;
        }
        if record.is_none() && !self.ast[d.name].qualifier.is_empty() {
            return self.define_member(id, fid);
        }
        let is_host = self.is_cuda()
            && (f.host_only || matches!(f.body, Body::Skipped))
            && !d.specs.any(DeclSpecs::DEVICE.with(DeclSpecs::GLOBAL));
        let mark = self.sess.diagnostics.len();
        let sig = self.signature(f.ty);
        if is_host {
            // Host code may use types that device code does not know.
            self.sess.diagnostics.truncate(mark);
        }
        let sig = sig?;
        if sig.ret == TyId::ERROR && !sig.deduced_ret && is_host {
            self.remember_host_fn(&d);
            return None;
        }
        let decl = self.make_fn(id, &d, &f, sig, record, is_host);
        self.check_return_type(&decl, &d);
        let f = self.merge_fn(decl, record);
        if let Some(fid) = f {
            self.after_declaration(fid, id, record.is_some());
        }
        f
    }

    fn remember_host_fn(&mut self, d: &ast::Decl) {
        if let Some(s) = self.decl_symbol(d) {
            self.host_names.push((s, d.span));
        }
    }

    pub(crate) fn make_fn(
        &mut self,
        id: ast::DeclId,
        d: &ast::Decl,
        f: &ast::Function,
        sig: Signature,
        record: Option<RecordId>,
        is_host: bool,
    ) -> FnDecl {
        let is_static = record.is_some() && d.specs.has(DeclSpecs::STATIC);
        let (name, kind, tree) = self.function_name(d, f, &sig, record.is_some() && !is_static);
        let parent = match record {
            Some(r) => self.p.types.record(r).name,
            None => self.scopes[self.namespace_of(self.scope).0 as usize].name,
        };
        let path = self.p.types.child_name(parent, tree);
        let body = match f.body {
            Body::Delete => BodySource::Deleted,
            Body::Default => BodySource::Defaulted,
            Body::None if is_host => BodySource::Host,
            Body::None => BodySource::None,
            Body::Skipped => BodySource::Host,
            Body::Stmt(_) if is_host => BodySource::Host,
            Body::Stmt(_) => BodySource::Ast(id),
        };
        let ret = if kind == FnKind::Constructor || kind == FnKind::Destructor { TyId::VOID } else { sig.ret };
        FnDecl {
            name,
            kind,
            path,
            span: self.ast[d.name].span,
            ast: Some(id),
            scope: self.scope,
            record,
            is_static,
            this_quals: sig.this_quals,
            ret,
            params: sig.params,
            variadic: sig.variadic,
            unprototyped: sig.unprototyped,
            specs: d.specs,
            explicit: d.specs.has(DeclSpecs::EXPLICIT),
            deduced_ret: sig.deduced_ret,
            body,
            state: BodyState::Unchecked,
            func: None,
            template: None,
            asm_label: f.asm_label,
            depth: self.depth,
        }
    }

    fn check_return_type(&mut self, decl: &FnDecl, d: &ast::Decl) {
        match self.p.types.get(decl.ret) {
            Ty::Array { .. } => self.error("E0371", d.span, "function returns an array"),
            Ty::Function(_) => self.error("E0371", d.span, "function returns a function"),
            _ => {}
        }
        if decl.variadic && matches!(decl.body, BodySource::Ast(_)) {
            self.report(
                Diagnostic::error(
                    "E0372",
                    decl.span,
                    "functions with variable arguments are not supported in device code",
                )
                .help("use a variadic template, or a fixed list of parameters"),
            );
        }
    }

    /// Enters a declaration, or joins it to an earlier one of the same function.
    fn merge_fn(&mut self, decl: FnDecl, record: Option<RecordId>) -> Option<FnId> {
        let scope = match record {
            Some(r) => self.records[r.0 as usize].scope,
            None => self.namespace_of(self.scope),
        };
        let earlier = self.bound(scope, decl.name);
        for e in &earlier {
            let Entity::Fn(old) = *e else {
                if !self.is_cxx() && matches!(e, Entity::Var(_)) {
                    let name = self.text(decl.name).to_owned();
                    self.error("E0355", decl.span, format!("redefinition of `{name}` as a different kind of symbol"));
                    return None;
                }
                continue;
            };
            if self.fns[old.0 as usize].template.is_some() {
                continue;
            }
            if self.same_signature(old, &decl) {
                return self.redeclare(old, decl);
            }
            let overloadable = self.is_cxx() || decl.unprototyped || self.fns[old.0 as usize].unprototyped;
            if !overloadable && !self.has_overloadable(&decl) {
                let name = self.text(decl.name).to_owned();
                let there = self.fns[old.0 as usize].span;
                let d = Diagnostic::error("E0373", decl.span, format!("conflicting types for `{name}`"))
                    .label(there, "previous declaration is here");
                self.report(d);
                return None;
            }
        }
        let name = decl.name;
        let id = self.push_fn(decl);
        self.bind(scope, name, Entity::Fn(id));
        Some(id)
    }

    fn has_overloadable(&self, decl: &FnDecl) -> bool {
        let Some(a) = decl.ast else { return false };
        let ast = self.ast;
        ast.list(ast[a].attrs).iter().any(|a| self.text(a.name).trim_matches('_') == "overloadable")
    }

    pub(crate) fn push_fn(&mut self, decl: FnDecl) -> FnId {
        let id = FnId(self.fns.len() as u32);
        self.fns.push(decl);
        id
    }

    pub(crate) fn same_signature(&self, old: FnId, new: &FnDecl) -> bool {
        let o = &self.fns[old.0 as usize];
        if o.unprototyped != new.unprototyped && !self.is_cxx() && (o.params.is_empty() || new.params.is_empty()) {
            return o.ret == new.ret;
        }
        o.params.len() == new.params.len()
            && o.variadic == new.variadic
            && o.this_quals == new.this_quals
            && o.kind == new.kind
            && o.params.iter().zip(&new.params).all(|(a, b)| a.ty == b.ty)
            && (self.is_cxx() || o.ret == new.ret)
    }

    fn redeclare(&mut self, old: FnId, new: FnDecl) -> Option<FnId> {
        let o = &self.fns[old.0 as usize];
        if matches!(o.body, BodySource::Ast(_)) && matches!(new.body, BodySource::Ast(_)) {
            let (name, there) = (self.text(new.name).to_owned(), o.span);
            let d = Diagnostic::error("E0355", new.span, format!("redefinition of `{name}`"))
                .label(there, "previous definition is here");
            self.report(d);
            return None;
        }
        if o.ret != new.ret && !new.deduced_ret {
            let (name, there) = (self.text(new.name).to_owned(), o.span);
            let d =
                Diagnostic::error("E0373", new.span, format!("functions `{name}` differ only in their return type"))
                    .label(there, "previous declaration is here");
            self.report(d);
            return None;
        }
        let o = &mut self.fns[old.0 as usize];
        o.specs = o.specs.with(new.specs);
        let defines = !matches!(new.body, BodySource::None);
        for (a, b) in o.params.iter_mut().zip(&new.params) {
            a.default = a.default.or(b.default);
            if defines {
                a.name = b.name;
                a.quals = b.quals;
                a.decl = b.decl;
                a.span = b.span;
            }
        }
        if o.params.is_empty() && !new.params.is_empty() {
            o.params = new.params.clone();
            o.unprototyped = new.unprototyped;
        }
        if defines && !(matches!(new.body, BodySource::Host) && matches!(o.body, BodySource::Ast(_))) {
            o.body = new.body;
            o.span = new.span;
            o.ast = new.ast.or(o.ast);
            o.scope = new.scope;
        }
        o.asm_label = o.asm_label.or(new.asm_label);
        Some(old)
    }

    /// Decides when the body is checked: now, when the class is complete, or on first use.
    fn after_declaration(&mut self, f: FnId, _id: ast::DeclId, member: bool) {
        let d = &self.fns[f.0 as usize];
        let (body, scope) = (d.body, d.scope);
        if !matches!(body, BodySource::Ast(_)) {
            if d.specs.any(DeclSpecs::GLOBAL.with(DeclSpecs::KERNEL)) {
                self.kernel_rules(f);
            }
            return;
        }
        if self.in_instance(scope) {
            return;
        }
        if member {
            self.deferred_members.push(f);
            return;
        }
        self.check_body(f);
    }

    /// Whether a scope lies in a template's instance, whose members are checked when used.
    pub(crate) fn in_instance(&self, scope: ScopeId) -> bool {
        let mut at = Some(scope);
        while let Some(s) = at {
            let sc = &self.scopes[s.0 as usize];
            if sc.kind == super::ScopeKind::Template {
                return true;
            }
            at = sc.parent;
        }
        false
    }

    /// `R C::f(…) {…}` outside the class.
    fn define_member(&mut self, id: ast::DeclId, fid: ast::FunctionId) -> Option<FnId> {
        let d = self.ast[id];
        let f = self.ast[fid];
        let scope = match self.qualifier(d.name) {
            super::names::Qualifier::Scope(s) => s,
            super::names::Qualifier::Std | super::names::Qualifier::Error => return None,
            _ => {
                let text = self.name_text(d.name);
                self.error("E0343", d.span, format!("`{text}` does not name a member"));
                return None;
            }
        };
        let super::ScopeKind::Record(rec) = self.scopes[scope.0 as usize].kind else {
            // A qualified definition of a namespace's function.
            let saved = std::mem::replace(&mut self.scope, scope);
            let sig = self.signature(f.ty);
            let result = sig.and_then(|sig| {
                let decl = self.make_fn(id, &d, &f, sig, None, false);
                self.merge_fn(decl, None)
            });
            self.scope = saved;
            if let Some(r) = result {
                self.after_declaration(r, id, false);
            }
            return result;
        };
        let saved = std::mem::replace(&mut self.scope, scope);
        let sig = self.signature(f.ty);
        let decl = sig.map(|sig| self.make_fn(id, &d, &f, sig, Some(rec), f.host_only));
        self.scope = saved;
        let decl = decl?;
        let candidates: Vec<FnId> = match decl.kind {
            FnKind::Constructor => self.records[rec.0 as usize].ctors.clone(),
            FnKind::Destructor => self.records[rec.0 as usize].dtor.into_iter().collect(),
            FnKind::Conversion => self.records[rec.0 as usize].conversions.clone(),
            _ => self
                .bound(scope, decl.name)
                .iter()
                .filter_map(|e| if let Entity::Fn(f) = e { Some(*f) } else { None })
                .collect(),
        };
        let Some(old) = candidates.iter().copied().find(|&c| self.same_signature(c, &decl)) else {
            let text = self.name_text(d.name);
            let mut dg = Diagnostic::error(
                "E0374",
                d.span,
                format!("out-of-line definition of `{text}` does not match any declaration"),
            );
            for c in candidates.iter().take(3) {
                let s = self.fns[c.0 as usize].span;
                dg = dg.label(s, "declared here");
            }
            self.report(dg);
            return None;
        };
        let f = self.redeclare(old, decl)?;
        self.fns[f.0 as usize].scope = scope;
        if !self.in_instance(scope) && matches!(self.fns[f.0 as usize].body, BodySource::Ast(_)) {
            self.check_body(f);
        }
        Some(f)
    }

    // ---- the program's functions -------------------------------------------------------------------------------

    /// The name of a function in the object.
    pub(crate) fn function_symbol(&mut self, f: FnId) -> String {
        let d = &self.fns[f.0 as usize];
        if let Some(l) = d.asm_label {
            return self.string_text(l);
        }
        let c_name = !self.is_cxx()
            || (d.specs.has(DeclSpecs::EXTERN_C)
                && d.kind == FnKind::Plain
                && d.record.is_none()
                && d.template.is_none());
        if c_name {
            return self.text(d.name).to_owned();
        }
        let (params, ret, variadic) = match d.template {
            Some(t) => {
                let t = &self.templates[t.0 as usize];
                (t.pattern.clone(), t.pattern_ret, t.variadic_pattern)
            }
            None => (d.params.iter().map(|p| p.ty).collect(), d.ret, d.variadic),
        };
        let sig = crate::mangle::Signature { ret, params: &params, variadic, this_quals: d.this_quals };
        crate::mangle::Mangler::new(&self.p.types, &self.sess.strings).function(d.path, sig)
    }

    /// The function's place in the program, made on first use.
    pub(crate) fn func_id(&mut self, f: FnId) -> FuncId {
        if let Some(id) = self.fns[f.0 as usize].func {
            return id;
        }
        let symbol = self.function_symbol(f);
        let display = self.show_fn(f);
        let id = FuncId(self.p.functions.len() as u32);
        let linkage = self.fn_linkage(f);
        let d = &self.fns[f.0 as usize];
        let ret = d.ret;
        let (name, path, span) = (d.name, d.path, d.span);
        let (variadic, is_kernel) = (d.variadic, d.specs.any(DeclSpecs::GLOBAL.with(DeclSpecs::KERNEL)));
        let ret = self.lowered_ty(ret);
        self.p.functions.push(Function {
            symbol,
            display,
            name,
            path,
            span,
            is_kernel,
            ret,
            variadic,
            param_count: 0,
            locals: Vec::new(),
            labels: Vec::new(),
            loops: Vec::new(),
            linkage,
            attrs: FnAttrs::default(),
            owned_globals: Vec::new(),
            body: None,
        });
        self.func_decls.push(f);
        self.fns[f.0 as usize].func = Some(id);
        let proto = self.prototype_locals(f);
        let func = &mut self.p.functions[id.index()];
        func.param_count = proto.len() as u32;
        func.locals = proto;
        id
    }

    /// The parameters as locals, `this` first.
    fn prototype_locals(&mut self, f: FnId) -> Vec<crate::program::Local> {
        let saved = std::mem::take(&mut self.cx);
        self.declare_params(f);
        let cx = std::mem::replace(&mut self.cx, saved);
        cx.locals
    }

    /// A reference as the pointer it becomes.
    pub(crate) fn lowered_ty(&mut self, ty: TyId) -> TyId {
        match *self.p.types.get(ty) {
            Ty::Reference { pointee, quals, space, .. } => self.p.types.pointer(pointee, quals, space),
            _ => ty,
        }
    }

    fn fn_linkage(&self, f: FnId) -> Linkage {
        let d = &self.fns[f.0 as usize];
        let static_fn = d.record.is_none() && d.specs.has(DeclSpecs::STATIC);
        if static_fn || self.scope_is_anonymous(d.scope) {
            return Linkage::Internal;
        }
        let inline = d.specs.any(DeclSpecs::INLINE.with(DeclSpecs::CONSTEXPR).with(DeclSpecs::FORCEINLINE));
        let in_class = d.record.is_some();
        if d.template.is_some() || inline || in_class || self.in_instance(d.scope) {
            Linkage::Weak
        } else {
            Linkage::External
        }
    }

    fn scope_is_anonymous(&self, scope: ScopeId) -> bool {
        let mut at = Some(scope);
        while let Some(s) = at {
            let sc = &self.scopes[s.0 as usize];
            if self.p.types.name(sc.name).kind == TreeName::AnonNamespace {
                return true;
            }
            at = sc.parent;
        }
        false
    }

    /// Declares `this` and the parameters as locals of the current context.
    fn declare_params(&mut self, f: FnId) {
        let d = self.fns[f.0 as usize].clone();
        if let Some(rec) = d.record
            && !d.is_static
        {
            let rty = self.p.types.intern(Ty::Record(rec));
            let space = self.default_space();
            let pty = self.p.types.pointer(rty, d.this_quals, space);
            let this = self.sess.intern("this");
            let l = self.new_local(Some(this), pty, Quals::CONST, d.span);
            self.cx.locals[l.index()].is_reference = true;
            self.cx.this = Some((l, rec, d.this_quals));
        }
        let mut pack: Option<(Symbol, Vec<crate::program::LocalId>)> = None;
        for p in &d.params {
            let ty = self.lowered_ty(p.ty);
            let l = self.new_local(p.name, ty, p.quals, p.span);
            if let Ty::Reference { .. } = self.p.types.get(p.ty) {
                self.cx.locals[l.index()].is_reference = true;
            }
            self.cx.infos[l.index()].decl_ty = Some(p.ty);
            self.cx.infos[l.index()].decl_quals = p.quals;
            if let Some(decl) = p.decl {
                let grid = self.ast[decl].specs.has(DeclSpecs::GRID_CONSTANT);
                self.cx.locals[l.index()].grid_constant = grid;
            }
            let is_pack = p.decl.is_some_and(|d| match self.ast[d].kind {
                DeclKind::Param { ty, .. } => matches!(self.ast[ty].kind, TypeKind::Pack(_)),
                _ => false,
            });
            let Some(n) = p.name else { continue };
            if is_pack {
                match &mut pack {
                    Some((name, all)) if *name == n => all.push(l),
                    _ => {
                        self.flush_pack(pack.take());
                        pack = Some((n, vec![l]));
                    }
                }
            } else {
                self.cx.names.push((n, Entity::Local(l)));
            }
        }
        self.flush_pack(pack);
        // A pack without elements still has a name.
        if let Some(a) = d.ast
            && let DeclKind::Function(fid) = self.ast[a].kind
            && let TypeKind::Function(ft) = self.ast[self.ast[fid].ty].kind
        {
            let ast = self.ast;
            for &pd in ast.list(ast[ft].params) {
                let decl = ast[pd];
                if let DeclKind::Param { ty, .. } = decl.kind
                    && matches!(ast[ty].kind, TypeKind::Pack(_))
                    && let Some(n) = self.decl_symbol(&decl)
                    && !self.cx.names.iter().any(|(s, _)| *s == n)
                {
                    self.flush_pack(Some((n, Vec::new())));
                }
            }
        }
    }

    fn flush_pack(&mut self, pack: Option<(Symbol, Vec<crate::program::LocalId>)>) {
        if let Some((name, all)) = pack {
            let id = self.value_packs.len() as u32;
            self.value_packs.push(all);
            self.cx.names.push((name, Entity::ValuePack(id)));
        }
    }

    // ---- bodies ------------------------------------------------------------------------------------------------

    /// Checks a function's body, if it has one and was not checked before.
    pub(crate) fn check_body(&mut self, f: FnId) {
        let d = &self.fns[f.0 as usize];
        if d.state != BodyState::Unchecked
            || matches!(d.body, BodySource::None | BodySource::Host | BodySource::Deleted)
        {
            return;
        }
        if self.body_depth >= super::MAX_INSTANTIATION_DEPTH {
            // Too deep for the stack: it waits for its turn.
            self.pending.push_back(f);
            return;
        }
        self.body_depth += 1;
        self.fns[f.0 as usize].state = BodyState::Checking;
        let scope = self.fns[f.0 as usize].scope;
        let func = self.func_id(f);
        let saved = std::mem::take(&mut self.cx);
        let saved_state =
            (self.unevaluated, self.dead, self.pack_index.take(), self.block_start, self.prechecked.take());
        self.unevaluated = 0;
        self.dead = 0;
        self.block_start = 0;
        let saved_tags = std::mem::take(&mut self.block_tags);
        let saved_scope = std::mem::replace(&mut self.scope, scope);
        let saved_depth = std::mem::replace(&mut self.depth, self.fns[f.0 as usize].depth);
        self.body(f, func);
        self.depth = saved_depth;
        self.scope = saved_scope;
        self.block_tags = saved_tags;
        self.cx = saved;
        (self.unevaluated, self.dead, self.pack_index, self.block_start, self.prechecked) = saved_state;
        self.fns[f.0 as usize].state = BodyState::Done;
        self.body_depth -= 1;
    }

    fn body(&mut self, f: FnId, func: FuncId) {
        self.cx = FnCx { decl: Some(f), func: Some(func), ..FnCx::default() };
        let d = self.fns[f.0 as usize].clone();
        self.cx.is_kernel = d.specs.any(DeclSpecs::GLOBAL.with(DeclSpecs::KERNEL));
        self.cx.is_device = true;
        self.declare_params(f);
        self.param_defaults_order(&d);
        for p in &d.params {
            if let Some(record) = self.p.types.as_record(p.ty) {
                self.complete_record(record);
            }
            if self.p.types.size_of(p.ty).is_none() && p.ty != TyId::ERROR {
                let name = self.show(p.ty);
                self.error("E0353", p.span, format!("parameter has incomplete type `{name}`"));
            }
        }
        self.cx.ret = (!d.deduced_ret).then_some(d.ret);
        let params = self.cx.locals.len() as u32;
        self.own_params(params);
        let (body, attrs) = match d.body {
            BodySource::Ast(a) => {
                if d.template.is_none() || d.ast == Some(a) {
                    self.kernel_rules(f);
                }
                let attrs = self.function_attrs(f, a);
                (self.ast_body(a), attrs)
            }
            BodySource::Lambda(l) => {
                self.enter_closure(&d);
                let body = self.ast[l].body;
                self.cx.block_depth = 1;
                (Some(self.stmt(body)), FnAttrs { inlining: crate::program::Inlining::Hint, ..FnAttrs::default() })
            }
            BodySource::Defaulted => (self.defaulted_body(f), FnAttrs::default()),
            _ => return,
        };
        let body = body.map(|b| self.end_params(b));
        self.finish_labels();
        if d.deduced_ret {
            let ret = self.cx.deduced.unwrap_or(TyId::VOID);
            self.fns[f.0 as usize].ret = ret;
            self.fns[f.0 as usize].deduced_ret = false;
            let low = self.lowered_ty(ret);
            self.p.functions[func.index()].ret = low;
        }
        let ret = self.fns[f.0 as usize].ret;
        if let Some(b) = body
            && ret != TyId::VOID
            && ret != TyId::ERROR
            && self.falls_through(b)
        {
            let name = self.text(d.name).to_owned();
            self.warn(
                Diagnostic::warning(
                    "W0311",
                    d.span,
                    format!("control can reach the end of non-void function `{name}`"),
                )
                .group("return-type"),
            );
        }
        let cx = std::mem::take(&mut self.cx);
        let out = &mut self.p.functions[func.index()];
        out.param_count = params;
        out.locals = cx.locals;
        out.labels = cx.labels.iter().map(|l| l.name).collect();
        out.loops = cx.loops;
        out.owned_globals = cx.owned;
        out.attrs = attrs;
        out.body = body;
        out.span = d.span;
    }

    /// A function destroys the objects that it takes by value.
    fn own_params(&mut self, params: u32) {
        if !self.is_cxx() || self.cx.is_kernel {
            return;
        }
        for l in (0..params).map(crate::program::LocalId) {
            let ty = self.cx.locals[l.index()].ty;
            if let Some(rec) = self.array_record(ty)
                && self.needs_destruction(ty)
            {
                self.cx.live.push((l, rec));
            }
        }
    }

    /// The body with the destruction of parameters behind it, for ends without `return`.
    fn end_params(&mut self, body: crate::program::StmtId) -> crate::program::StmtId {
        if self.cx.live.is_empty() || !self.falls_through(body) {
            return body;
        }
        let span = self.p.stmt(body).span;
        let mut stmts = vec![body];
        self.destroy_down_to(0, &mut stmts, span);
        self.block(&stmts, span)
    }

    fn param_defaults_order(&mut self, d: &FnDecl) {
        let mut seen = false;
        for p in &d.params {
            if p.default.is_some() {
                seen = true;
            } else if seen && p.decl.is_some() && d.template.is_none() {
                self.error("E0375", p.span, "missing default argument on parameter");
                return;
            }
        }
    }

    fn ast_body(&mut self, a: ast::DeclId) -> Option<crate::program::StmtId> {
        let DeclKind::Function(fid) = self.ast[a].kind else { return None };
        let func = self.ast[fid];
        let Body::Stmt(s) = func.body else { return None };
        let span = self.ast[s].span;
        let mut stmts = Vec::new();
        if func.kind == FunctionKind::Constructor {
            self.constructor_inits(func.inits, span, &mut stmts);
        }
        let inner = self.function_block(s);
        if func.kind == FunctionKind::Destructor {
            stmts.push(inner);
            self.destructor_tail(span, &mut stmts);
            return Some(self.block(&stmts, span));
        }
        if stmts.is_empty() {
            return Some(inner);
        }
        stmts.push(inner);
        Some(self.block(&stmts, span))
    }

    fn finish_labels(&mut self) {
        let labels = self.cx.labels.clone();
        for l in labels {
            if l.defined.is_none() {
                let name = self.text(l.name).to_owned();
                self.error("E0376", l.used.unwrap_or(Span::NONE), format!("use of undeclared label `{name}`"));
            }
        }
    }

    /// Whether control can reach the end of a statement, as far as its form tells.
    pub(crate) fn falls_through(&self, s: crate::program::StmtId) -> bool {
        let st = self.p.stmt(s);
        match st.kind {
            StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue => false,
            StmtKind::Block(list) => {
                let items = self.p.stmts(list);
                let mut falls = true;
                for &s in items {
                    match self.p.stmt(s).kind {
                        StmtKind::Case(_) | StmtKind::Label(_) => falls = true,
                        _ if falls => falls = self.falls_through(s),
                        _ => {}
                    }
                }
                falls
            }
            StmtKind::If { cond, then, other } => match self.truth(cond) {
                Some(true) => self.falls_through(then),
                Some(false) => other.is_none_or(|o| self.falls_through(o)),
                None => self.falls_through(then) || other.is_none_or(|o| self.falls_through(o)),
            },
            StmtKind::While { cond, body, .. } => self.truth(cond) != Some(true) || self.has_break(body, 0),
            StmtKind::DoWhile { cond, body, .. } => {
                self.truth(cond) != Some(true) && self.falls_or_continues(body) || self.has_break(body, 0)
            }
            StmtKind::For { cond, body, .. } => {
                cond.is_some_and(|c| self.truth(c) != Some(true)) || self.has_break(body, 0)
            }
            StmtKind::Switch { body, has_default, .. } => {
                !has_default || self.has_break(body, 0) || self.falls_through(body)
            }
            StmtKind::Expr(e) => !self.is_noreturn(e),
            _ => true,
        }
    }

    fn falls_or_continues(&self, s: crate::program::StmtId) -> bool {
        self.falls_through(s) || self.has_continue(s)
    }

    fn has_continue(&self, s: crate::program::StmtId) -> bool {
        match self.p.stmt(s).kind {
            StmtKind::Continue => true,
            StmtKind::Block(l) => self.p.stmts(l).iter().any(|&s| self.has_continue(s)),
            StmtKind::If { then, other, .. } => self.has_continue(then) || other.is_some_and(|o| self.has_continue(o)),
            StmtKind::Switch { body, .. } => self.has_continue(body),
            _ => false,
        }
    }

    fn has_break(&self, s: crate::program::StmtId, depth: u32) -> bool {
        match self.p.stmt(s).kind {
            StmtKind::Break => depth == 0,
            StmtKind::Block(l) => self.p.stmts(l).iter().any(|&s| self.has_break(s, depth)),
            StmtKind::If { then, other, .. } => {
                self.has_break(then, depth) || other.is_some_and(|o| self.has_break(o, depth))
            }
            StmtKind::Goto(_) => true,
            _ => false,
        }
    }

    fn is_noreturn(&self, e: crate::program::ExprId) -> bool {
        use crate::program::ExprKind as K;
        match self.e(e).kind {
            K::Builtin { meaning, .. } => meaning.effects().noreturn,
            K::Call { callee, .. } => self
                .func_decls
                .get(callee.index())
                .is_some_and(|f| self.fns[f.0 as usize].specs.has(DeclSpecs::NORETURN)),
            K::Cast { operand, .. } => self.is_noreturn(operand),
            K::Comma { lhs, rhs } => self.is_noreturn(lhs) || self.is_noreturn(rhs),
            _ => false,
        }
    }
}

/// The overloadable operator behind a token, by its number of operands.
pub(crate) fn operator_name(op: ast::Operator, operands: usize) -> OperatorName {
    use OperatorName as O;
    use ast::Operator as A;
    match op {
        A::Add if operands == 1 => O::Plus,
        A::Sub if operands == 1 => O::Neg,
        A::Mul if operands == 1 => O::Deref,
        A::And if operands == 1 => O::AddrOf,
        A::Add => O::Add,
        A::Sub => O::Sub,
        A::Mul => O::Mul,
        A::And => O::And,
        A::Div => O::Div,
        A::Rem => O::Rem,
        A::Xor => O::Xor,
        A::Or => O::Or,
        A::Tilde => O::Not,
        A::Not => O::LogNot,
        A::Assign => O::Assign,
        A::Lt => O::Lt,
        A::Gt => O::Gt,
        A::AddAssign => O::AddAssign,
        A::SubAssign => O::SubAssign,
        A::MulAssign => O::MulAssign,
        A::DivAssign => O::DivAssign,
        A::RemAssign => O::RemAssign,
        A::XorAssign => O::XorAssign,
        A::AndAssign => O::AndAssign,
        A::OrAssign => O::OrAssign,
        A::Shl => O::Shl,
        A::Shr => O::Shr,
        A::ShlAssign => O::ShlAssign,
        A::ShrAssign => O::ShrAssign,
        A::Eq => O::Eq,
        A::Ne => O::Ne,
        A::Le => O::Le,
        A::Ge => O::Ge,
        A::LogAnd => O::LogAnd,
        A::LogOr => O::LogOr,
        A::Inc => O::Inc,
        A::Dec => O::Dec,
        A::Comma => O::Comma,
        A::Arrow => O::Arrow,
        A::Call => O::Call,
        A::Index => O::Subscript,
        A::ArrowStar | A::New | A::Delete | A::NewArray | A::DeleteArray => O::Other,
    }
}
