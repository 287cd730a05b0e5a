//! Declarations at namespace scope, and variables wherever they stand.

use smallvec::SmallVec;
use source::{Diagnostic, Span, Symbol};
use syntax::ast::{self, DeclKind, DeclSpecs, Init, NameKind};

use super::{Checker, Entity, RTy, ScopeKind, VarDecl, VarId};
use crate::program::{ExprId, ExprKind, Global, GlobalId, Linkage, StmtId, StmtKind};
use crate::types::{AddrSpace, NameKind as TreeName, Quals, TemplateArg, Ty, TyId};

impl Checker<'_> {
    /// A declaration outside functions.
    pub(crate) fn declare(&mut self, id: ast::DeclId) {
        if self.may_be_host(id) { self.tolerate(id, |c| c.declare_now(id)) } else { self.declare_now(id) }
    }

    fn declare_now(&mut self, id: ast::DeclId) {
        let ast = self.ast;
        let d = ast[id];
        match d.kind {
            DeclKind::Error | DeclKind::Empty | DeclKind::HostOnly(_) | DeclKind::Access(_) => {
                if let DeclKind::HostOnly(_) = d.kind {
                    self.remember_host(id);
                }
            }
            DeclKind::Var { ty, init, .. } => self.global_var(id, ty, init),
            DeclKind::Function(f) => {
                self.declare_function(id, f, None);
            }
            DeclKind::Record(_) | DeclKind::Enum { .. } => {
                self.declare_tag(id);
            }
            DeclKind::Typedef { ty } => self.typedef(id, ty),
            DeclKind::Namespace { inline, members } => self.namespace(&d, inline, members),
            DeclKind::NamespaceAlias { target } => self.namespace_alias(&d, target),
            DeclKind::UsingDirective => self.using_directive(&d),
            DeclKind::Using => self.using(&d),
            DeclKind::Linkage { members, .. } => {
                for &m in ast.list(members) {
                    self.declare(m);
                }
            }
            DeclKind::StaticAssert { cond, message } => self.static_assert(cond, message, d.span),
            DeclKind::Template { params, decl } => self.declare_template(id, params, decl, None),
            DeclKind::Instantiation { decl, .. } => self.explicit_instantiation(decl),
            DeclKind::Launch => self.launch(d.name),
            DeclKind::Friend(inner) => {
                if let DeclKind::Function(f) = ast[inner].kind {
                    self.declare_function(inner, f, None);
                }
            }
            DeclKind::FriendType(_) => {}
            DeclKind::Pragma(p) => self.file_pragma(p),
            DeclKind::Asm(_) => {
                self.error("E0340", d.span, "assembly at file scope is not supported in device code");
            }
            DeclKind::Bindings { .. } => {
                self.error("E0341", d.span, "structured bindings are not allowed outside functions");
            }
            DeclKind::Param { .. }
            | DeclKind::Field { .. }
            | DeclKind::Enumerator { .. }
            | DeclKind::TypeParam { .. }
            | DeclKind::TemplateParam { .. } => {}
        }
    }

    fn remember_host(&mut self, id: ast::DeclId) {
        let d = self.ast[id];
        if let Some(sym) = self.ast.plain_name(d.name) {
            self.host_names.push((sym, d.span));
        }
    }

    /// The identifier that a declaration declares.
    pub(crate) fn decl_symbol(&self, d: &ast::Decl) -> Option<Symbol> {
        match self.ast[d.name].kind {
            NameKind::Ident(s) => Some(s),
            _ => None,
        }
    }

    fn file_pragma(&mut self, p: ast::PragmaId) {
        let pragma = self.ast[p];
        if pragma.kind == ast::PragmaKind::MisplacedHint {
            // The parser has reported it; the ledger must know too.
            let text = self.sess.sources.snippet(pragma.span).to_owned();
            let h = self.sess.ledger.enter(source::HintKind::Unroll, pragma.span, text);
            self.sess.ledger.settle(h, source::Fate::Refused, "nothing", "it stands outside any function");
        }
    }

    // ---- namespaces --------------------------------------------------------------------------------------------

    fn namespace(&mut self, d: &ast::Decl, inline: bool, members: ast::List<ast::DeclId>) {
        let ast = self.ast;
        let here = self.scope;
        let parent = self.scopes[here.0 as usize].name;
        let (sym, kind) = match self.decl_symbol(d) {
            Some(s) => (Some(s), TreeName::Namespace(s)),
            None => (None, TreeName::AnonNamespace),
        };
        let existing = match sym {
            Some(s) => self.bound(here, s).iter().find_map(|e| match e {
                Entity::Namespace(n) => Some(*n),
                _ => None,
            }),
            None => self.anon_namespaces.get(&here).copied(),
        };
        let scope = existing.unwrap_or_else(|| {
            let name = self.p.types.child_name(parent, kind);
            let s = self.new_scope(here, ScopeKind::Namespace, name);
            match sym {
                Some(sym) => self.bind(here, sym, Entity::Namespace(s)),
                None => {
                    self.anon_namespaces.insert(here, s);
                }
            }
            if inline || sym.is_none() {
                self.scopes[here.0 as usize].using.push(s);
            }
            s
        });
        let saved = std::mem::replace(&mut self.scope, scope);
        for &m in ast.list(members) {
            self.declare(m);
        }
        self.scope = saved;
    }

    fn named_namespace(&mut self, name: ast::NameId) -> Option<super::ScopeId> {
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
            Some(n) => self.bind(self.scope, sym, Entity::Namespace(n)),
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
                let at = self.namespace_of(self.scope);
                let using = &mut self.scopes[at.0 as usize].using;
                if n != at && !using.contains(&n) {
                    using.push(n);
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

    pub(crate) fn using(&mut self, d: &ast::Decl) {
        let Some(sym) = self.last_symbol(d.name) else { return };
        let text = self.name_text(d.name);
        if text.starts_with("std::") || text.starts_with("::std::") {
            return;
        }
        match self.find_name(d.name) {
            Some(found) => {
                for e in found.entities {
                    if self.cx.block_depth > 0 {
                        self.cx.names.push((sym, e));
                    } else {
                        self.bind(self.scope, sym, e);
                    }
                }
            }
            // The library's functions are in the global namespace without being declared.
            None if self.is_provided_function(sym) => {}
            None => self.error("E0343", d.span, format!("no member named `{text}`")),
        }
    }

    pub(crate) fn typedef(&mut self, id: ast::DeclId, ty: ast::TypeId) {
        let d = self.ast[id];
        let r = self.resolve(ty);
        let Some(sym) = self.decl_symbol(&d) else { return };
        // A typedef gives an unnamed record its name.
        if let Ty::Record(rec) = *self.p.types.get(r.ty)
            && let TreeName::Unnamed(_) = self.p.types.name(self.p.types.record(rec).name).kind
        {
            let parent = self.p.types.name(self.p.types.record(rec).name).parent;
            let path = self.p.types.child_name(parent, TreeName::Type(sym));
            self.p.types.records[rec.0 as usize].name = path;
        }
        if self.cx.block_depth > 0 {
            self.cx.names.push((sym, Entity::Type(r)));
        } else {
            let scope = self.scope;
            if self.bound(scope, sym).iter().any(|e| matches!(e, Entity::Type(t) if *t == r)) {
                return;
            }
            self.bind(scope, sym, Entity::Type(r));
        }
    }

    pub(crate) fn static_assert(&mut self, cond: ast::ExprId, message: Option<ast::StrId>, span: Span) {
        let Some(v) = self.constant_expr(cond) else { return };
        let v = self.condition(v);
        if self.is_err(v) {
            return;
        }
        match self.truth(v) {
            Some(true) => {}
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
                self.error("E0345", at, "the condition of a static assertion is not a constant expression");
            }
        }
    }

    /// A string literal's characters as text.
    pub(crate) fn string_text(&self, s: ast::StrId) -> String {
        let units = &self.ast[s].units;
        let bytes: Vec<u8> = units.iter().map(|&u| u as u8).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    // ---- tags --------------------------------------------------------------------------------------------------

    /// `struct S {…}`, `enum E {…}`, also inside another declaration.
    pub(crate) fn declare_tag(&mut self, id: ast::DeclId) -> TyId {
        let key = (id, self.scope);
        if self.cx.block_depth == 0
            && let Some(&t) = self.ast_tags.get(&key)
        {
            return t;
        }
        if self.cx.block_depth > 0
            && let Some(&(_, t)) = self.block_tags.iter().rev().find(|(k, _)| *k == key)
        {
            return t;
        }
        let d = self.ast[id];
        let ty = match d.kind {
            DeclKind::Record(r) => self.declare_record(id, &d, r),
            DeclKind::Enum { scoped, underlying, members } => self.declare_enum(&d, scoped, underlying, members),
            _ => TyId::ERROR,
        };
        if self.cx.block_depth == 0 {
            self.ast_tags.insert(key, ty);
        } else if !self.block_tags.iter().any(|(k, _)| *k == key) {
            self.block_tags.push((key, ty));
        }
        ty
    }

    pub(crate) fn tag_path(&mut self, sym: Option<Symbol>) -> crate::types::NameId {
        let parent = match self.cx.decl {
            Some(f) if self.cx.block_depth > 0 => self.fns[f.0 as usize].path,
            _ => self.scopes[self.scope.0 as usize].name,
        };
        let kind = match sym {
            Some(s) => TreeName::Type(s),
            None => {
                self.unnamed += 1;
                TreeName::Unnamed(self.unnamed)
            }
        };
        self.p.types.child_name(parent, kind)
    }

    fn declare_enum(
        &mut self,
        d: &ast::Decl,
        scoped: bool,
        underlying: Option<ast::TypeId>,
        members: Option<ast::List<ast::DeclId>>,
    ) -> TyId {
        let ast = self.ast;
        let sym = self.decl_symbol(d);
        let fixed = underlying.map(|t| self.resolve_ty(t));
        let scope = self.scope;
        let existing = sym.and_then(|s| {
            self.bound(scope, s).iter().find_map(|e| match e {
                Entity::Tag(t) if matches!(self.p.types.get(*t), Ty::Enum(_)) => Some(*t),
                Entity::Type(t) if matches!(self.p.types.get(t.ty), Ty::Enum(_)) => Some(t.ty),
                _ => None,
            })
        });
        let ty = existing.unwrap_or_else(|| {
            let path = self.tag_path(sym);
            let ty = self.new_enum(path, scoped, d.span);
            if let Some(s) = sym {
                self.bind_tag(s, ty, self.cx.block_depth == 0, scope);
            }
            ty
        });
        let Ty::Enum(id) = *self.p.types.get(ty) else { return TyId::ERROR };
        if let Some(t) = fixed {
            if !matches!(self.p.types.get(t), Ty::Int(_) | Ty::Bool | Ty::Error) {
                self.error("E0346", d.span, "the underlying type of an enumeration must be an integer type");
            }
            let e = &mut self.p.types.enums[id.0 as usize];
            e.underlying = t;
            e.fixed = true;
            e.complete = true;
        } else if scoped {
            let e = &mut self.p.types.enums[id.0 as usize];
            e.fixed = true;
            e.complete = true;
        }
        let Some(members) = members else { return ty };
        let inner = self.enum_scopes.get(&ty).copied();
        // Between the braces the enumerators have the underlying type.
        let body = self.new_scope(scope, ScopeKind::Namespace, self.scopes[scope.0 as usize].name);
        let body_ty = self.p.types.enumeration(id).underlying;
        let (mut next, mut lo, mut hi) = (0i128, 0i128, 0i128);
        for &m in ast.list(members) {
            let DeclKind::Enumerator { value } = ast[m].kind else { continue };
            if let Some(e) = value {
                let span = ast[e].span;
                let v = super::with_scope!(self, body, self.constant_expr(e));
                match v.and_then(|v| self.int_constant(v)) {
                    Some(v) => next = v,
                    None => {
                        if !self.in_pattern {
                            self.error("E0347", span, "the value of an enumerator must be an integer constant");
                        }
                    }
                }
            }
            lo = lo.min(next);
            hi = hi.max(next);
            if let Some(s) = self.decl_symbol(&ast[m]) {
                // In C an enumerator has type int where it fits; the enumeration's type is as good for overloads.
                let ety = if self.is_cxx() { ty } else { enumerator_ty(next) };
                let e = Entity::Const(next as i64, ety);
                self.bind(body, s, Entity::Const(next as i64, if scoped { body_ty } else { ety }));
                if let Some(i) = inner {
                    self.bind(i, s, e);
                }
                if !scoped {
                    if self.cx.block_depth > 0 {
                        self.cx.names.push((s, e));
                    } else {
                        self.bind(scope, s, e);
                    }
                }
            }
            next = next.saturating_add(1);
        }
        let e = &mut self.p.types.enums[id.0 as usize];
        if !e.fixed {
            e.underlying = if lo < 0 {
                if lo >= i128::from(i32::MIN) && hi <= i128::from(i32::MAX) { TyId::INT } else { TyId::LONG }
            } else if hi <= i128::from(u32::MAX) {
                TyId::UINT
            } else {
                TyId::ULONG
            };
        }
        e.complete = true;
        ty
    }

    // ---- variables outside functions ---------------------------------------------------------------------------

    fn global_var(&mut self, id: ast::DeclId, ty: ast::TypeId, init: Init) {
        let d = self.ast[id];
        if !self.ast[d.name].qualifier.is_empty() {
            self.static_member_definition(id, ty, init);
            return;
        }
        let Some(sym) = self.decl_symbol(&d) else { return };
        if let Some(v) = self.global_variable(id, sym, ty, init, self.scope) {
            self.bind(self.scope, sym, Entity::Var(v));
        }
    }

    /// The address space of a variable outside functions, and whether it is the host's.
    fn global_space(&mut self, d: &ast::Decl, r: &RTy) -> (AddrSpace, bool) {
        let s = d.specs;
        if self.is_opencl() {
            return match r.space {
                Some(AddrSpace::Constant) => (AddrSpace::Constant, false),
                Some(AddrSpace::Global) if self.opencl_version() >= 200 => (AddrSpace::Global, false),
                None if self.opencl_version() >= 200 => (AddrSpace::Global, false),
                // As for samplers, whose program-scope declarations need no qualifier.
                None if matches!(self.p.types.get(r.ty), Ty::Opaque(_)) => (AddrSpace::Constant, false),
                _ => {
                    let d = Diagnostic::error(
                        "E0348",
                        d.span,
                        "program scope variable must reside in constant address space",
                    )
                    .help("declare it `__constant`");
                    self.report(d);
                    (AddrSpace::Constant, false)
                }
            };
        }
        if s.has(DeclSpecs::SHARED) {
            (AddrSpace::Shared, false)
        } else if s.has(DeclSpecs::CONSTANT) {
            (AddrSpace::Constant, false)
        } else if s.any(DeclSpecs::DEVICE.with(DeclSpecs::MANAGED)) {
            (AddrSpace::Global, false)
        } else if !self.is_cuda() {
            (r.space.unwrap_or(AddrSpace::Global), false)
        } else {
            (AddrSpace::Constant, true)
        }
    }

    pub(crate) fn opencl_version(&self) -> u16 {
        match self.opts.dialect {
            syntax::Dialect::OpenClC { version } => version,
            _ => 0,
        }
    }

    /// Declares a variable of static storage duration; gives its id.
    pub(crate) fn global_variable(
        &mut self,
        id: ast::DeclId,
        sym: Symbol,
        ty: ast::TypeId,
        init: Init,
        scope: super::ScopeId,
    ) -> Option<VarId> {
        let d = self.ast[id];
        let mut r = self.resolve_auto(ty, init, d.span);
        if r.ty == TyId::ERROR {
            return None;
        }
        if d.specs.any(DeclSpecs::CONSTEXPR) {
            r.quals = r.quals.with(Quals::CONST);
        }
        let (space, host_only) = self.global_space(&d, &r);
        // CUDA's `__constant__` variables have no const in their type, and the host may set them.
        if space == AddrSpace::Constant && !host_only && !self.is_cuda() {
            r.quals = r.quals.with(Quals::CONST);
        }
        if space == AddrSpace::Shared && !matches!(init, Init::None) {
            self.error("E0349", d.span, "a shared variable cannot be initialised");
        }
        // An earlier `extern` declaration of the same variable.
        if let Some(Entity::Var(v)) = self.bound(scope, sym).iter().find(|e| matches!(e, Entity::Var(_))) {
            let v = *v;
            if d.specs.has(DeclSpecs::EXTERN) && matches!(init, Init::None) {
                return None;
            }
            let old = self.vars[v.0 as usize].clone();
            if old.ty == r.ty || matches!(self.p.types.get(old.ty), Ty::Array { len: None, .. }) {
                self.vars[v.0 as usize].ty = r.ty;
                self.define_global(v, id, init, &d);
            } else {
                let name = self.text(sym).to_owned();
                let dg = Diagnostic::error("E0350", d.span, format!("redefinition of `{name}` with a different type"))
                    .label(old.span, "declared here before");
                self.report(dg);
            }
            return None;
        }
        let v = VarId(self.vars.len() as u32);
        let is_reference = matches!(self.p.types.get(r.ty), Ty::Reference { .. });
        self.vars.push(VarDecl {
            name: sym,
            ty: r.ty,
            quals: r.quals,
            span: d.span,
            global: None,
            space,
            value: None,
            host_only,
            is_reference,
            pending: None,
        });
        self.define_global(v, id, init, &d);
        Some(v)
    }

    /// Gives a variable its place in the program and its contents.
    pub(crate) fn define_global(&mut self, v: VarId, _id: ast::DeclId, init: Init, d: &ast::Decl) {
        let var = self.vars[v.0 as usize].clone();
        let is_extern = d.specs.has(DeclSpecs::EXTERN) && matches!(init, Init::None);
        let mut ty = var.ty;
        let mut contents = None;
        if !matches!(init, Init::None) && var.space != AddrSpace::Shared {
            let value = self.init_value(ty, var.quals, init, d.span);
            if let Some(e) = value
                && !self.is_err(e)
            {
                ty = self.ty(e);
                if var.is_reference {
                    ty = var.ty;
                }
                let scalar = !self.p.types.is_aggregate(ty);
                let folded = self.evaluate(e).unwrap_or(e);
                if scalar && self.constant(folded).is_some() && var.quals.is_const() {
                    self.vars[v.0 as usize].value = Some(self.e(folded).kind);
                }
                contents = match self.contents(folded) {
                    Some(c) => Some(c),
                    None => {
                        if !var.host_only {
                            let name = self.text(var.name).to_owned();
                            let at = self.span(e);
                            self.report(
                                Diagnostic::error("E0351", at, format!("initialiser of `{name}` is not constant"))
                                    .note("variables outside functions are initialised when the module is loaded"),
                            );
                        } else if d.specs.has(DeclSpecs::CONSTEXPR) {
                            let name = self.text(var.name).to_owned();
                            let at = self.span(e);
                            self.error(
                                "E0351",
                                at,
                                format!("constexpr variable `{name}` must be initialised by a constant expression"),
                            );
                        }
                        None
                    }
                };
            }
        } else if matches!(init, Init::None)
            && !is_extern
            && var.space == AddrSpace::Constant
            && self.is_opencl()
            && !matches!(self.p.types.get(ty), Ty::Opaque(_))
        {
            self.error("E0352", d.span, "variable in constant address space must be initialised");
        }
        self.vars[v.0 as usize].ty = ty;
        if self.p.types.size_of(ty).is_none() && !is_extern {
            if !var.host_only {
                let name = self.show(ty);
                self.error("E0353", d.span, format!("variable has incomplete type `{name}`"));
            }
            return;
        }
        let host_constant = var.host_only && contents.is_some() && var.quals.is_const();
        if var.host_only && !host_constant {
            return;
        }
        let g = match self.vars[v.0 as usize].global {
            Some(g) => g,
            None => {
                let symbol = self.variable_symbol(v, d);
                let g = self.push_global(Global {
                    symbol,
                    name: Some(var.name),
                    ty,
                    quals: var.quals,
                    space: var.space,
                    align: self.p.types.align_of(ty),
                    linkage: self.var_linkage(d, &var),
                    dynamic_shared: var.space == AddrSpace::Shared && is_extern,
                    managed: d.specs.has(DeclSpecs::MANAGED),
                    is_extern: is_extern && var.space != AddrSpace::Shared,
                    init: None,
                    owner: None,
                    span: d.span,
                });
                self.vars[v.0 as usize].global = Some(g);
                g
            }
        };
        let align = self.decl_align(d.attrs);
        let value = self.vars[v.0 as usize].value;
        self.global_values[g.index()] = value;
        let global = &mut self.p.globals[g.index()];
        global.ty = ty;
        if let Some(a) = align {
            global.align = global.align.max(a);
        }
        if contents.is_some() {
            global.init = contents;
            global.is_extern = false;
        }
    }

    pub(crate) fn push_global(&mut self, g: Global) -> GlobalId {
        let id = GlobalId(self.p.globals.len() as u32);
        self.p.globals.push(g);
        self.global_values.push(None);
        id
    }

    fn var_linkage(&self, d: &ast::Decl, var: &VarDecl) -> Linkage {
        let anonymous = self.in_anonymous_namespace();
        if d.specs.has(DeclSpecs::STATIC)
            || anonymous
            || var.host_only
            || (self.is_opencl() && var.space == AddrSpace::Constant)
        {
            Linkage::Internal
        } else if d.specs.has(DeclSpecs::INLINE) {
            Linkage::Weak
        } else {
            Linkage::External
        }
    }

    pub(crate) fn in_anonymous_namespace(&self) -> bool {
        let mut at = Some(self.scope);
        while let Some(s) = at {
            let sc = &self.scopes[s.0 as usize];
            if self.p.types.name(sc.name).kind == TreeName::AnonNamespace {
                return true;
            }
            at = sc.parent;
        }
        false
    }

    fn variable_symbol(&mut self, v: VarId, d: &ast::Decl) -> String {
        let name = self.vars[v.0 as usize].name;
        if !self.is_cxx() || d.specs.has(DeclSpecs::EXTERN_C) {
            return self.text(name).to_owned();
        }
        let parent = self.scopes[self.scope.0 as usize].name;
        let path = self.p.types.child_name(parent, TreeName::Entity(name));
        crate::mangle::Mangler::new(&self.p.types, &self.sess.strings).variable(path)
    }

    /// `T S::member = …;`
    fn static_member_definition(&mut self, id: ast::DeclId, ty: ast::TypeId, init: Init) {
        let d = self.ast[id];
        let Some(found) = self.find_name(d.name) else {
            let text = self.name_text(d.name);
            self.error("E0343", d.span, format!("no member named `{text}`"));
            return;
        };
        let _ = ty;
        if let Some(Entity::Var(v)) = found.entities.first() {
            let v = *v;
            self.vars[v.0 as usize].host_only &= !d.specs.any(DeclSpecs::DEVICE.with(DeclSpecs::CONSTANT));
            if !matches!(init, Init::None) || self.vars[v.0 as usize].global.is_none() {
                self.define_global(v, id, init, &d);
            }
        }
    }

    // ---- variables in functions --------------------------------------------------------------------------------

    /// A declaration statement's variable, as statements.
    pub(crate) fn local_var(&mut self, id: ast::DeclId, ty: ast::TypeId, init: Init, out: &mut SmallVec<[StmtId; 2]>) {
        let d = self.ast[id];
        let Some(sym) = self.decl_symbol(&d) else { return };
        let at = self.ast[d.name].span;
        let mut r = self.resolve_auto(ty, init, d.span);
        self.check_redeclared(sym, at);
        if d.specs.any(DeclSpecs::CONSTEXPR) {
            r.quals = r.quals.with(Quals::CONST);
        }
        if r.ty == TyId::ERROR {
            self.cx.names.push((sym, Entity::Alias(ExprId(u32::MAX))));
            return;
        }
        if let Ty::Function(_) = self.p.types.get(r.ty) {
            return;
        }
        let shared = d.specs.has(DeclSpecs::SHARED) || r.space == Some(AddrSpace::Shared);
        let constant = d.specs.has(DeclSpecs::CONSTANT) || r.space == Some(AddrSpace::Constant);
        if shared || constant || d.specs.any(DeclSpecs::STATIC.with(DeclSpecs::EXTERN)) {
            self.local_static(id, sym, r, init, &d, shared, constant);
            return;
        }
        if let Some(s) = r.space
            && s != AddrSpace::Private
        {
            self.report(
                Diagnostic::error("E0354", d.span, "variables inside functions cannot be in the global address space")
                    .help("a pointer to global memory is `__global T *p`"),
            );
            return;
        }
        self.automatic(sym, r, init, &d, at, out);
    }

    fn check_redeclared(&mut self, sym: Symbol, at: Span) {
        let block = self.cx.names.len().min(self.block_start);
        let earlier = self.cx.names[block..].iter().rev().find(|(s, e)| *s == sym && !matches!(e, Entity::Tag(_)));
        if let Some((_, e)) = earlier {
            let here = match e {
                Entity::Local(l) => self.cx.locals[l.index()].span,
                _ => Span::NONE,
            };
            let name = self.text(sym).to_owned();
            let mut d = Diagnostic::error("E0355", at, format!("redefinition of `{name}`"));
            if !here.is_none() {
                d = d.label(here, "previous definition is here");
            }
            self.report(d);
        }
    }

    /// A variable on the stack.
    fn automatic(&mut self, sym: Symbol, r: RTy, init: Init, d: &ast::Decl, at: Span, out: &mut SmallVec<[StmtId; 2]>) {
        if let Ty::Reference { pointee, quals, space, .. } = *self.p.types.get(r.ty) {
            let ptr = self.p.types.pointer(pointee, quals, space);
            let value = self.reference_init(r.ty, init, d.span);
            let l = self.new_local(Some(sym), ptr, Quals::NONE, at);
            self.cx.locals[l.index()].is_reference = true;
            self.cx.infos[l.index()].decl_ty = Some(r.ty);
            self.cx.names.push((sym, Entity::Local(l)));
            let s = self.push_stmt(StmtKind::Decl { local: l, init: value }, d.span);
            out.push(s);
            return;
        }
        // The variable's name is in scope in its own initialiser.
        let l = self.new_local(Some(sym), r.ty, r.quals, at);
        self.cx.names.push((sym, Entity::Local(l)));
        let record = self.p.types.as_record(r.ty);
        if let Some(rec) = record {
            self.complete_record(rec);
        }
        let constructed = record.filter(|rec| self.needs_constructor(*rec, init));
        let mut value = None;
        if constructed.is_none() {
            value = self.init_value(r.ty, r.quals, init, d.span);
            if let Some(v) = value {
                let vt = self.ty(v);
                if vt != TyId::ERROR {
                    // `int a[] = {…}` completes the type.
                    self.cx.locals[l.index()].ty = vt;
                }
                self.remember_value(l, v, r, d);
            }
        }
        let ty = self.cx.locals[l.index()].ty;
        if self.p.types.size_of(ty).is_none() {
            let name = self.show(ty);
            let what = if ty == TyId::VOID { "variable has type" } else { "variable has incomplete type" };
            self.error("E0353", at, format!("{what} `{name}`"));
            self.cx.locals[l.index()].ty = TyId::ERROR;
            return;
        }
        let mut align = self.p.types.align_of(ty);
        if let Some(a) = self.decl_align(d.attrs) {
            align = align.max(a);
        }
        self.cx.locals[l.index()].align = align;
        let array_ctor = self.array_default(ty, init, d.span);
        let s = self.push_stmt(StmtKind::Decl { local: l, init: value.or(array_ctor) }, d.span);
        out.push(s);
        if let Some(rec) = constructed {
            let place = self.local_place(l, at);
            let place = self.unqualified(place);
            if let Some(call) = self.construct_init(place, rec, init, d.span) {
                let s = self.push_stmt(StmtKind::Expr(call), d.span);
                out.push(s);
            }
        }
        if let Some(rec) = self.array_record(ty)
            && self.needs_destruction(ty)
        {
            self.cx.live.push((l, rec));
        }
    }

    /// A place with its `const` taken off: constructors write to it.
    pub(crate) fn unqualified(&mut self, e: ExprId) -> ExprId {
        self.p.exprs[e.index()].quals = Quals::NONE;
        e
    }

    fn remember_value(&mut self, l: crate::program::LocalId, v: ExprId, r: RTy, d: &ast::Decl) {
        let scalar = self.p.types.is_arithmetic(r.ty) || matches!(self.p.types.get(r.ty), Ty::Enum(_));
        let is_constexpr = d.specs.has(DeclSpecs::CONSTEXPR);
        if r.quals.is_const() && !r.quals.is_volatile() && scalar {
            let known = if self.constant(v).is_some() {
                Some(v)
            } else if is_constexpr {
                self.evaluate(v)
            } else {
                None
            };
            if let Some(k) = known {
                self.cx.infos[l.index()].value = Some(self.e(k).kind);
                return;
            }
        }
        if is_constexpr {
            let ok = if scalar { false } else { self.evaluable(v, l) };
            if !ok && !self.is_err(v) {
                let at = self.span(v);
                let name = self.decl_symbol(d).map(|s| self.text(s).to_owned()).unwrap_or_default();
                self.error(
                    "E0351",
                    at,
                    format!("constexpr variable `{name}` must be initialised by a constant expression"),
                );
            }
        }
    }

    /// A function-scope variable with static storage: shared, constant or `static`.
    #[expect(clippy::too_many_arguments, reason = "what a declaration says")]
    fn local_static(
        &mut self,
        _id: ast::DeclId,
        sym: Symbol,
        mut r: RTy,
        init: Init,
        d: &ast::Decl,
        shared: bool,
        constant: bool,
    ) {
        let at = self.ast[d.name].span;
        let is_extern = d.specs.has(DeclSpecs::EXTERN);
        if shared && self.is_opencl() {
            if !self.cx.is_kernel {
                self.report(
                    Diagnostic::error(
                        "E0356",
                        at,
                        "variables in the local address space can only be declared in kernel functions",
                    )
                    .help("declare it in the kernel and pass a `__local` pointer"),
                );
            } else if self.cx.block_depth > 1 {
                self.error(
                    "E0357",
                    at,
                    "variables in the local address space can only be declared in the outermost scope of a kernel",
                );
            }
        }
        if shared && !matches!(init, Init::None) {
            self.error("E0349", at, "a shared variable cannot be initialised");
        }
        let space = if shared {
            AddrSpace::Shared
        } else if constant {
            AddrSpace::Constant
        } else {
            AddrSpace::Global
        };
        if constant {
            r.quals = r.quals.with(Quals::CONST);
        }
        let mut ty = r.ty;
        let mut contents = None;
        let mut known = None;
        if !shared
            && let Some(e) = self.init_value(ty, r.quals, init, d.span)
            && !self.is_err(e)
        {
            ty = self.ty(e);
            let folded = self.evaluate(e).unwrap_or(e);
            if self.constant(folded).is_some() && r.quals.is_const() {
                known = Some(self.e(folded).kind);
            }
            contents = self.contents(folded);
            if contents.is_none() {
                let name = self.text(sym).to_owned();
                let sp = self.span(e);
                self.error("E0351", sp, format!("initialiser of `{name}` is not constant"));
            }
        }
        if self.p.types.size_of(ty).is_none() && !is_extern {
            let name = self.show(ty);
            self.error("E0353", at, format!("variable has incomplete type `{name}`"));
            return;
        }
        if shared
            && let Some(rec) = self.array_record(ty)
            && self.has_nontrivial_default(rec)
        {
            let name = self.show(ty);
            self.report(
                Diagnostic::error("E0358", at, format!("shared variable of type `{name}` would need initialisation"))
                    .note("constructors are not run for shared variables"),
            );
        }
        let base = self.text(sym).to_owned();
        let owner_symbol = self.cx.decl.map(|f| self.function_symbol(f)).unwrap_or_default();
        let dynamic = shared && is_extern;
        let symbol = if dynamic {
            base
        } else if self.is_cxx() {
            let n = self.cx.owned.iter().filter(|g| self.p.globals[g.index()].name == Some(sym)).count();
            crate::mangle::Mangler::new(&self.p.types, &self.sess.strings).local_variable(&owner_symbol, sym, n as u32)
        } else {
            let n = self.cx.owned.iter().filter(|g| self.p.globals[g.index()].name == Some(sym)).count();
            if n == 0 { format!("{owner_symbol}.{base}") } else { format!("{owner_symbol}.{base}.{n}") }
        };
        let mut align = self.p.types.align_of(ty);
        if let Some(a) = self.decl_align(d.attrs) {
            align = align.max(a);
        }
        let g = self.push_global(Global {
            symbol,
            name: Some(sym),
            ty,
            quals: r.quals,
            space,
            align,
            linkage: if dynamic { Linkage::External } else { Linkage::Internal },
            dynamic_shared: dynamic,
            managed: false,
            is_extern: is_extern && !shared,
            init: contents,
            owner: self.cx.func,
            span: at,
        });
        self.global_values[g.index()] = known;
        self.cx.owned.push(g);
        let v = VarId(self.vars.len() as u32);
        self.vars.push(VarDecl {
            name: sym,
            ty,
            quals: r.quals,
            span: at,
            global: Some(g),
            space,
            value: known,
            host_only: false,
            is_reference: false,
            pending: None,
        });
        self.cx.names.push((sym, Entity::Var(v)));
    }

    /// The record at the bottom of arrays.
    pub(crate) fn array_record(&self, mut ty: TyId) -> Option<crate::types::RecordId> {
        while let Ty::Array { elem, .. } = self.p.types.get(ty) {
            ty = *elem;
        }
        self.p.types.as_record(ty)
    }

    /// `auto [a, b] = e;`
    pub(crate) fn bindings(
        &mut self,
        d: &ast::Decl,
        names: ast::List<ast::Ident>,
        ty: ast::TypeId,
        init: Init,
        out: &mut SmallVec<[StmtId; 2]>,
    ) {
        let ast = self.ast;
        let r = self.resolve_auto(ty, init, d.span);
        let object = if matches!(self.p.types.get(r.ty), Ty::Reference { .. }) {
            let value = self.reference_init(r.ty, init, d.span);
            let Ty::Reference { pointee, quals, space, .. } = *self.p.types.get(r.ty) else { return };
            let ptr = self.p.types.pointer(pointee, quals, space);
            let l = self.new_local(None, ptr, Quals::NONE, d.span);
            let s = self.push_stmt(StmtKind::Decl { local: l, init: value }, d.span);
            out.push(s);
            let place = self.local_place(l, d.span);
            let p = self.rvalue(place);
            self.deref(p, d.span)
        } else {
            let value = self.init_value(r.ty, r.quals, init, d.span);
            let l = self.new_local(None, r.ty, r.quals, d.span);
            let s = self.push_stmt(StmtKind::Decl { local: l, init: value }, d.span);
            out.push(s);
            self.local_place(l, d.span)
        };
        let names = ast.list(names);
        let ty = self.ty(object);
        let parts: Vec<ExprId> = match *self.p.types.get(ty) {
            Ty::Record(rec) => {
                let n = self.p.types.record(rec).fields.len();
                (0..n).map(|i| self.field_place(object, rec, i as u32, d.span)).collect()
            }
            Ty::Array { len: Some(n), .. } if n <= 1024 => (0..n)
                .map(|i| {
                    let i = self.int(i128::from(i), TyId::LONG, d.span);
                    self.array_elem(object, i, d.span)
                })
                .collect(),
            Ty::Error => return,
            _ => Vec::new(),
        };
        if parts.len() != names.len() {
            let name = self.show(ty);
            self.error(
                "E0341",
                d.span,
                format!("type `{name}` has {} elements, but {} names are bound", parts.len(), names.len()),
            );
            return;
        }
        for (n, p) in names.iter().zip(parts) {
            self.cx.names.push((n.sym, Entity::Alias(p)));
        }
    }

    /// The type of a declaration, `auto` in it deduced from the initialiser.
    pub(crate) fn resolve_auto(&mut self, ty: ast::TypeId, init: Init, span: Span) -> RTy {
        if !self.has_auto(ty) {
            return self.resolve(ty);
        }
        let saved = (self.auto_ty, self.auto_const);
        self.auto_const = false;
        let deduced = self.deduce_auto(ty, init, span);
        self.auto_ty = deduced;
        let r = self.resolve(ty);
        (self.auto_ty, self.auto_const) = saved;
        r
    }

    /// The type that `auto` stands for, from the initialiser.
    pub(crate) fn deduce_auto(&mut self, ty: ast::TypeId, init: Init, span: Span) -> Option<TyId> {
        let e = match init {
            Init::Copy(e) => e,
            Init::Paren(list) if list.len() == 1 => self.ast.list(list)[0],
            Init::Brace(e) => match self.ast[e].kind {
                ast::ExprKind::InitList(items) if items.len() == 1 => self.ast.list(items)[0].value,
                _ => {
                    self.error("E0359", span, "cannot deduce `auto` from an initialiser list");
                    return Some(TyId::ERROR);
                }
            },
            _ => {
                self.error("E0359", span, "declaration with `auto` needs an initialiser");
                return Some(TyId::ERROR);
            }
        };
        let v = self.expr(e);
        // Whoever checks the initialiser next gets this value: it is checked once.
        self.prechecked = Some((e, v));
        Some(if self.is_err(v) { TyId::ERROR } else { self.auto_from(ty, v) })
    }

    fn auto_from(&mut self, ty: ast::TypeId, v: ExprId) -> TyId {
        use ast::TypeKind as K;
        let x = *self.e(v);
        match self.ast[ty].kind {
            K::LvalueRef(inner) => {
                let explicit = self.ast[inner].quals.is_const;
                // `auto &` keeps the constness of what it binds to; `resolve` adds what is written.
                if x.quals.is_const() && !explicit {
                    self.auto_const = true;
                }
                x.ty
            }
            K::RvalueRef(_) => {
                if self.is_lv(v) {
                    let space = self.default_space();
                    self.p.types.reference(x.ty, x.quals, space, false)
                } else {
                    x.ty
                }
            }
            K::Pointer(inner) => {
                let value = self.value_ty(v);
                self.auto_pointee(inner, value, &x)
            }
            K::Builtin(ast::BuiltinType::DecltypeAuto) if self.is_lv(v) => {
                let space = self.default_space();
                self.p.types.reference(x.ty, x.quals, space, false)
            }
            _ => self.value_ty(v),
        }
    }

    /// `auto *`: what the pointer points to.
    fn auto_pointee(&mut self, inner: ast::TypeId, value: TyId, x: &crate::program::Expr) -> TyId {
        let Ty::Pointer { pointee, quals, .. } = *self.p.types.get(value) else {
            let name = self.show(x.ty);
            self.error("E0359", x.span, format!("cannot deduce `auto *` from `{name}`"));
            return TyId::ERROR;
        };
        if matches!(self.ast[inner].kind, ast::TypeKind::Pointer(_)) {
            let p = self.rv(ExprKind::Null, pointee, x.span);
            return self.auto_from(inner, p);
        }
        self.auto_const |= quals.is_const();
        pointee
    }

    /// A template argument as an entity.
    pub(crate) fn arg_entity(&mut self, arg: &TemplateArg) -> Entity {
        match arg {
            TemplateArg::Type(t) => Entity::Type(RTy { ty: t.ty, quals: t.quals, space: None }),
            TemplateArg::Int { value, ty } => Entity::Const(*value, *ty),
            TemplateArg::Param(i) => Entity::DependentConst(*i),
            TemplateArg::Pack(all) => {
                let id = super::PackId(self.packs.len() as u32);
                self.packs.push(all.to_vec());
                Entity::Pack(id)
            }
            TemplateArg::Dependent => Entity::DependentConst(u32::MAX),
        }
    }
}

fn enumerator_ty(value: i128) -> TyId {
    if value >= i128::from(i32::MIN) && value <= i128::from(i32::MAX) {
        TyId::INT
    } else if value >= 0 && value <= i128::from(u32::MAX) {
        TyId::UINT
    } else {
        TyId::LONG
    }
}
