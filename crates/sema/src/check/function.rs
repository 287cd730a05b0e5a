//! Functions: declarations, redeclarations, and the checking of bodies.

mod body;
mod program;
mod spaces;

use source::{Diagnostic, Span, Symbol};
use syntax::ast::{self, Body, DeclKind, DeclSpecs, FunctionKind, NameKind, TypeKind};

use super::overload_table::Known;
use super::{BodySource, BodyState, Checker, Entity, FnDecl, FnId, FnKind, ParamDecl, RTy, ScopeKind};
use crate::program::LocalId;
use crate::types::{NameKind as TreeName, OperatorName, Quals, RecordId, Ty, TyId};

/// A signature as resolved from the tree.
pub(crate) struct Signature {
    pub(crate) ret: TyId,
    pub(crate) params: Vec<ParamDecl>,
    pub(crate) variadic: bool,
    pub(crate) unprototyped: bool,
    pub(crate) this_quals: Quals,
    pub(crate) ref_qual: ast::RefQual,
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
                this_quals: f.quals,
                ref_qual: f.ref_qual,
                deduced_ret: false,
            });
        };
        Some(self.fn_type_signature(ft))
    }

    pub(crate) fn fn_type_signature(&mut self, ft: ast::FnTypeId) -> Signature {
        let ast = self.ast;
        let f = ast[ft];
        let mut params = Vec::with_capacity(f.params.len());
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
            self.trailing_return(&f, &params)
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
        let (variadic, unprototyped, ref_qual) = (f.variadic, f.unprototyped, f.ref_qual);
        Signature { ret, params, variadic, unprototyped, this_quals, ref_qual, deduced_ret }
    }

    /// `this` behind the parameters of a member function (C++17, 8.1.2).
    fn this_in_signature(&mut self, f: &ast::FnType) -> Option<(LocalId, RecordId, Quals)> {
        let mut at = self.scope;
        while self.decls[at].kind == ScopeKind::Template {
            at = self.decls[at].parent?;
        }
        let ScopeKind::Record(class) = self.decls[at].kind else { return None };
        let mut quals = Quals::NONE;
        if f.quals.is_const {
            quals = quals.with(Quals::CONST);
        }
        let object = self.p.types.intern(Ty::Record(class));
        let space = self.default_space();
        let pointer = self.p.types.pointer(object, quals, space);
        let l = self.new_local(None, pointer, Quals::CONST, Span::NONE);
        self.cx.locals[l.index()].is_reference = true;
        Some((l, class, quals))
    }

    /// `-> T`, in which the parameters may be named.
    fn trailing_return(&mut self, f: &ast::FnType, params: &[ParamDecl]) -> TyId {
        let (names, locals) = (self.cx.names.len(), self.cx.locals.len());
        let ast = self.ast;
        for &d in ast.list(f.params) {
            let DeclKind::Param { ty, .. } = ast[d].kind else { continue };
            let Some(n) = self.decl_symbol(&ast[d]) else { continue };
            let made: Vec<LocalId> = params
                .iter()
                .filter(|p| p.decl == Some(d))
                .map(|p| self.unevaluated_parameter(p.name, RTy { quals: p.quals, ..RTy::plain(p.ty) }, p.span))
                .collect();
            match made[..] {
                _ if matches!(ast[ty].kind, TypeKind::Pack(_)) => self.flush_pack(Some((n, made))),
                [l] => self.cx.names.push((n, Entity::Local(l))),
                _ => {}
            }
        }
        let this = self.this_in_signature(f);
        let around = std::mem::replace(&mut self.cx.this, this);
        let nested = std::mem::replace(&mut self.cx.in_result_type, true);
        let t = self.resolve_ty(f.ret);
        self.cx.this = around;
        self.cx.in_result_type = nested;
        self.cx.names.truncate(names);
        self.cx.locals.truncate(locals);
        self.cx.infos.truncate(locals);
        t
    }

    /// The symbol under which an operator's overloads are declared.
    pub(crate) fn operator_symbol(&mut self, op: ast::Operator) -> Symbol {
        let text = match op {
            ast::Operator::New | ast::Operator::Delete => format!("operator {}", op.as_str()),
            _ => format!("operator{}", op.as_str()),
        };
        self.sess.intern(&text)
    }

    /// Name, kind and tree name of a function from its declaration.
    pub(super) fn function_name(
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
                    (self.operator_symbol(op), FnKind::Operator(name), TreeName::Operator(name))
                }
                NameKind::Ident(s) => (s, FnKind::Plain, TreeName::Entity(s)),
                NameKind::Literal(s) => {
                    let text = format!("operator\"\"{}", self.text(s));
                    (self.sess.intern(&text), FnKind::Plain, TreeName::Literal(s))
                }
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
            self.declare_guide(ast::List::EMPTY, id);
            return None;
        }
        if record.is_none() && !self.ast[d.name].qualifier.is_empty() {
            return self.define_member(id, fid);
        }
        let is_host = self.is_cuda()
            && (f.host_only || matches!(f.body, Body::Skipped))
            && !d.specs.any(DeclSpecs::DEVICE.with(DeclSpecs::GLOBAL));
        self.declare_function_of(id, fid, record, is_host)
    }

    /// Declares a function that is the host's.
    pub(crate) fn declare_host_function(&mut self, id: ast::DeclId, fid: ast::FunctionId) -> Option<FnId> {
        self.declare_function_of(id, fid, None, true)
    }

    fn declare_function_of(
        &mut self,
        id: ast::DeclId,
        fid: ast::FunctionId,
        record: Option<RecordId>,
        is_host: bool,
    ) -> Option<FnId> {
        let (d, f) = (self.ast[id], self.ast[fid]);
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
            self.after_declaration(fid, record.is_some());
        }
        f
    }

    fn remember_host_fn(&mut self, d: &ast::Decl) {
        if let Some(s) = self.declared_symbol(d.name) {
            self.decls.host_names.declare(s, d.span);
        }
    }

    /// Whether the condition of `explicit(condition)` holds, if there is one.
    fn is_explicit_function(&mut self, ty: ast::TypeId) -> bool {
        let TypeKind::Function(of) = self.ast[ty].kind else { return true };
        self.ast[of].explicit_if.is_none_or(|condition| self.is_true(condition))
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
            None => self.decls[self.decls.namespace_of(self.scope)].name,
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
            ref_qual: sig.ref_qual,
            ret,
            params: sig.params,
            variadic: sig.variadic,
            unprototyped: sig.unprototyped,
            specs: d.specs,
            explicit: d.specs.has(DeclSpecs::EXPLICIT) && self.is_explicit_function(f.ty),
            deduced_ret: sig.deduced_ret,
            body,
            state: BodyState::Unchecked,
            func: None,
            template: None,
            asm_label: f.asm_label,
            overloadable: self.has_overloadable(d),
            default_scope: None,
            depth: self.inst.depth,
        }
    }

    fn check_return_type(&mut self, decl: &FnDecl, d: &ast::Decl) {
        self.refuse_opaque(decl.ret, d.span, "result of type");
        match self.p.types.get(decl.ret) {
            Ty::Array { .. } => self.error("E0371", d.span, "function returns an array"),
            Ty::Function(_) => self.error("E0371", d.span, "function returns a function"),
            _ => {}
        }
        if decl.variadic && !self.is_cxx() && matches!(decl.body, BodySource::Ast(_)) {
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
            Some(r) => self.decls[r].scope,
            None => self.decls.namespace_of(self.scope),
        };
        if !self.is_cxx() {
            match self.decls.known_overload(scope, &decl) {
                Known::Again(old) if self.same_signature(old, &decl) => return self.redeclare(old, decl, false),
                Known::New => {
                    let id = self.push_fn(decl);
                    self.decls.bind_overload(scope, id);
                    return Some(id);
                }
                Known::Again(_) | Known::Unknown => {}
            }
        }
        if record.is_none() && self.is_cxx() {
            self.reveal_friend(scope, &decl);
        }
        let earlier = self.decls.bound(scope, decl.name);
        for e in &earlier {
            let Entity::Fn(old) = *e else {
                if !self.is_cxx() && matches!(e, Entity::Var(_)) {
                    let name = self.text(decl.name).to_owned();
                    self.error("E0355", decl.span, format!("redefinition of `{name}` as a different kind of symbol"));
                    return None;
                }
                continue;
            };
            if self.decls[old].template.is_some() {
                continue;
            }
            if self.same_signature(old, &decl) {
                return self.redeclare(old, decl, false);
            }
            let overloadable = self.is_cxx() || decl.unprototyped || self.decls[old].unprototyped;
            if !overloadable && !decl.overloadable {
                let name = self.text(decl.name).to_owned();
                let there = self.decls[old].span;
                let d = Diagnostic::error("E0373", decl.span, format!("conflicting types for `{name}`"))
                    .label(there, "previous declaration is here");
                self.report(d);
                return None;
            }
        }
        let name = decl.name;
        let id = self.push_fn(decl);
        self.decls.bind(scope, name, Entity::Fn(id));
        Some(id)
    }

    fn has_overloadable(&self, d: &ast::Decl) -> bool {
        self.ast.list(d.attrs).iter().any(|a| self.text(a.name).trim_matches('_') == "overloadable")
    }

    pub(crate) fn push_fn(&mut self, decl: FnDecl) -> FnId {
        let id = FnId(self.decls.fns.len() as u32);
        self.decls.fns.push(decl);
        id
    }

    pub(crate) fn same_signature(&self, old: FnId, new: &FnDecl) -> bool {
        let o = &self.decls[old];
        if o.unprototyped != new.unprototyped && !self.is_cxx() && (o.params.is_empty() || new.params.is_empty()) {
            return o.ret == new.ret;
        }
        o.params.len() == new.params.len()
            && o.variadic == new.variadic
            && (o.this_quals, o.ref_qual) == (new.this_quals, new.ref_qual)
            && o.kind == new.kind
            && o.params
                .iter()
                .zip(&new.params)
                .all(|(a, b)| self.p.types.canonical(a.ty) == self.p.types.canonical(b.ty))
            // Conversions of a class are told apart by what they give.
            && (self.is_cxx() && o.kind != FnKind::Conversion || o.ret == new.ret)
    }

    fn redeclare(&mut self, old: FnId, mut new: FnDecl, member: bool) -> Option<FnId> {
        let name = self.text(new.name).to_owned();
        let (specs, there) = (self.decls[old].specs, self.decls[old].span);
        if !self.check_spaces((specs, there), (new.specs, new.span), &name, member) {
            return None;
        }
        if self.is_other_side(old, &new) {
            return Some(old);
        }
        self.adopt_for_device(old, &mut new);
        let o = &self.decls[old];
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
        let o = &mut self.decls[old];
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
        o.overloadable |= new.overloadable;
        Some(old)
    }

    /// Decides when the body is checked: now, when the class is complete, or on first use.
    fn after_declaration(&mut self, f: FnId, member: bool) {
        let d = &self.decls[f];
        let (body, scope) = (d.body, d.scope);
        if !matches!(body, BodySource::Ast(_)) {
            if d.specs.any(DeclSpecs::GLOBAL.with(DeclSpecs::KERNEL)) {
                self.kernel_rules(f);
            }
            return;
        }
        if self.decls.is_in_template(scope) {
            return;
        }
        if member {
            self.inst.deferred_members.push(f);
            return;
        }
        self.check_body(f);
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
        let super::ScopeKind::Record(rec) = self.decls[scope].kind else {
            // A qualified definition of a namespace's function.
            let saved = std::mem::replace(&mut self.scope, scope);
            let sig = self.signature(f.ty);
            let result = sig.and_then(|sig| {
                let decl = self.make_fn(id, &d, &f, sig, None, false);
                self.merge_fn(decl, None)
            });
            self.scope = saved;
            if let Some(r) = result {
                self.after_declaration(r, false);
            }
            return result;
        };
        let saved = std::mem::replace(&mut self.scope, scope);
        let sig = self.signature(f.ty);
        let decl = sig.map(|sig| self.make_fn(id, &d, &f, sig, Some(rec), f.host_only));
        self.scope = saved;
        let decl = decl?;
        let candidates: Vec<FnId> = match decl.kind {
            FnKind::Constructor => self.decls[rec].ctors.clone(),
            FnKind::Destructor => self.decls[rec].dtors.clone(),
            FnKind::Conversion => self.decls[rec].conversions.clone(),
            _ => self
                .decls
                .bound(scope, decl.name)
                .iter()
                .filter_map(|e| if let Entity::Fn(f) = e { Some(*f) } else { None })
                .collect(),
        };
        let Some(old) = candidates.iter().copied().find(|&c| self.same_signature(c, &decl)) else {
            if self.is_cuda() && !d.specs.any(DeclSpecs::DEVICE.with(DeclSpecs::GLOBAL)) {
                // `C::~C() = default;`: the host's, as the declaration in the class, which is not kept.
                return None;
            }
            let text = self.name_text(d.name);
            let mut dg = Diagnostic::error(
                "E0374",
                d.span,
                format!("out-of-line definition of `{text}` does not match any declaration"),
            );
            for c in candidates.iter().take(3) {
                let s = self.decls[*c].span;
                dg = dg.label(s, "declared here");
            }
            self.report(dg);
            return None;
        };
        let f = self.redeclare(old, decl, true)?;
        self.decls[f].scope = scope;
        if !self.decls.is_in_template(scope) && matches!(self.decls[f].body, BodySource::Ast(_)) {
            self.check_body(f);
        }
        Some(f)
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
        A::ThreeWay => O::ThreeWay,
        A::Ge => O::Ge,
        A::LogAnd => O::LogAnd,
        A::LogOr => O::LogOr,
        A::Inc => O::Inc,
        A::Dec => O::Dec,
        A::Comma => O::Comma,
        A::Arrow => O::Arrow,
        A::ArrowStar => O::ArrowStar,
        A::Call => O::Call,
        A::Index => O::Subscript,
        A::New | A::Delete | A::NewArray | A::DeleteArray => O::Other,
    }
}
