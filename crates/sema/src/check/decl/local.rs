//! Variables in functions.

use crate::check::{Checker, Entity, FnId, RTy, VarDecl, VarId};
use crate::program::Side;
use crate::program::{ExprId, ExprKind, Global, Linkage, StmtId, StmtKind};
use crate::types::{AddrSpace, Quals, TemplateArg, Ty, TyId};
use smallvec::SmallVec;
use source::{Diagnostic, Span, Symbol};
use syntax::ast::{self, DeclSpecs, Init};

impl Checker<'_> {
    /// A declaration statement's variable, as statements.
    pub(crate) fn local_var(&mut self, id: ast::DeclId, ty: ast::TypeId, init: Init, out: &mut SmallVec<[StmtId; 2]>) {
        let d = self.ast[id];
        let Some(sym) = self.decl_symbol(&d) else { return self.unnamed_local(ty, &d, out) };
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
        if self.refuse_variable(r.ty, d.span) {
            self.cx.names.push((sym, Entity::Alias(ExprId(u32::MAX))));
            return;
        }
        let shared = d.specs.has(DeclSpecs::SHARED) || r.space == Some(AddrSpace::Shared);
        let constant = d.specs.has(DeclSpecs::CONSTANT) || r.space == Some(AddrSpace::Constant);
        let lasting = shared || constant || d.specs.any(DeclSpecs::STATIC.with(DeclSpecs::EXTERN));
        if lasting && !self.reads_host() {
            let space = match (shared, constant) {
                (true, _) => AddrSpace::Shared,
                (false, true) => AddrSpace::Constant,
                (false, false) => AddrSpace::Global,
            };
            self.local_static(sym, r, init, &d, space);
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
        self.cx.checked_args.clear();
    }

    /// `union { … };` in a block: a variable without a name, whose members are named like variables.
    fn unnamed_local(&mut self, ty: ast::TypeId, d: &ast::Decl, out: &mut SmallVec<[StmtId; 2]>) {
        let r = self.resolve(ty);
        let Some(record) = self.p.types.as_record(r.ty) else { return };
        let place = if d.specs.any(DeclSpecs::SHARED.with(DeclSpecs::STATIC)) {
            let shared = d.specs.has(DeclSpecs::SHARED);
            let sym = self.sess.intern("__unnamed");
            self.local_static(sym, r, Init::None, d, if shared { AddrSpace::Shared } else { AddrSpace::Global });
            match self.cx.names.pop() {
                Some((_, Entity::Var(v))) => self.var_place(v, d.span),
                _ => return,
            }
        } else {
            let local = self.new_local(None, r.ty, r.quals, d.span);
            let s = self.push_stmt(StmtKind::Decl { local, init: None }, d.span);
            out.push(s);
            self.local_place(local, d.span)
        };
        self.name_members(place, record, d.span);
    }

    fn name_members(&mut self, place: ExprId, record: crate::types::RecordId, span: Span) {
        for i in 0..self.p.types.record(record).fields.len() {
            let field = &self.p.types.record(record).fields[i];
            let (name, ty) = (field.name, field.ty);
            let member = self.field_place(place, record, i as u32, span);
            match (name, self.p.types.as_record(ty)) {
                (Some(name), _) => {
                    self.check_redeclared(name, span);
                    self.cx.names.push((name, Entity::Alias(member)));
                }
                (None, Some(inner)) => self.name_members(member, inner, span),
                (None, None) => {}
            }
        }
    }

    fn check_redeclared(&mut self, sym: Symbol, at: Span) {
        let block = self.cx.names.len().min(self.cx.block_start);
        let mut here = self.cx.names.of(sym).take_while(|(at, _)| *at >= block);
        let earlier = here.find(|(_, e)| !matches!(e, Entity::Tag(_)));
        drop(here);
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
        self.refuse_getter(d);
        if let Ty::Reference { pointee, quals, space, .. } = *self.p.types.get(r.ty) {
            let ptr = self.p.types.pointer(pointee, quals, space);
            let value = self.reference_init(r.ty, init, d.span);
            let l = self.new_local(Some(sym), ptr, Quals::NONE, at);
            self.cx.locals[l.index()].is_reference = true;
            self.cx.infos[l.index()].decl_ty = Some(r.ty);
            self.cx.names.push((sym, Entity::Local(l)));
            let s = self.push_stmt(StmtKind::Decl { local: l, init: value }, d.span);
            out.push(s);
            value.into_iter().for_each(|v| self.outlive(v));
            return;
        }
        // The variable's name is in scope in its own initialiser.
        let l = self.new_local(Some(sym), r.ty, r.quals, at);
        self.cx.names.push((sym, Entity::Local(l)));
        let record = self.p.types.as_record(r.ty);
        if let Some(rec) = self.array_record(r.ty) {
            self.complete_record(rec);
        }
        let constructed = record.filter(|rec| self.needs_constructor(*rec, init));
        let mut value = None;
        if constructed.is_none() {
            value = self.init_value(r.ty, init, d.span);
            if let Some(v) = value {
                let vt = self.ty(v);
                if vt != TyId::ERROR {
                    // `int a[] = {…}` completes the type.
                    self.cx.locals[l.index()].ty = vt;
                }
                self.cx.infos[l.index()].is_lane = self.is_lane_number(v);
                self.cx.infos[l.index()].is_mask_of_32 = self.is_mask_of_32(v);
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
        let natural = self.p.types.align_of(ty).max(r.align.unwrap_or(1));
        let align = self.decl_align(d.attrs).unwrap_or(1).max(natural);
        self.cx.locals[l.index()].align = align;
        let array_ctor = self.array_default(ty, init, d.span);
        let s = self.push_stmt(StmtKind::Decl { local: l, init: value.or(array_ctor) }, d.span);
        out.push(s);
        if let Some(rec) = constructed {
            let place = self.local_place(l, at);
            let place = self.unqualified(place);
            if let Some(call) = self.construct_init(place, rec, init, d.span) {
                self.cx.infos[l.index()].made = d.specs.has(DeclSpecs::CONSTEXPR).then_some(call);
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
            self.cx.infos[l.index()].made = (!scalar).then_some(v);
            let ok = if scalar { false } else { self.evaluable(v) };
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
    fn local_static(&mut self, sym: Symbol, mut r: RTy, init: Init, d: &ast::Decl, space: AddrSpace) {
        let at = self.ast[d.name].span;
        let is_extern = d.specs.has(DeclSpecs::EXTERN);
        let shared = space == AddrSpace::Shared;
        if shared {
            self.refuse_shared(init, at);
        }
        if space == AddrSpace::Constant {
            r.quals = r.quals.with(Quals::CONST);
        }
        let value = if shared { None } else { self.static_value(r.ty, r.quals, init, d.span) };
        let ty = value.as_ref().map_or(r.ty, |v| v.ty);
        if let Some(record) = self.array_record(ty) {
            self.complete_record(record);
        }
        if let Some(value) = value.as_ref().filter(|v| v.contents.is_none()) {
            self.not_constant(sym, value.at);
        }
        if self.p.types.size_of(ty).is_none() && !is_extern {
            self.incomplete_variable(ty, at);
            return;
        }
        if shared {
            self.warn_of_constructor(ty, at);
        }
        let (known, contents) = value.map_or((None, None), |v| (v.known, v.contents));
        let dynamic = shared && is_extern;
        let symbol = if dynamic { self.text(sym).to_owned() } else { self.local_symbol(sym) };
        let side = if self.is_cuda() || self.is_opencl() { Side::Device } else { Side::Both };
        let own_align = self.decl_align(d.attrs).max(r.align).unwrap_or(1);
        let g = self.push_global(Global {
            symbol,
            name: Some(sym),
            ty,
            quals: r.quals,
            space,
            align: self.p.types.align_of(ty).max(own_align),
            linkage: if dynamic { Linkage::External } else { Linkage::Internal },
            side,
            dynamic_shared: dynamic,
            managed: false,
            is_extern: is_extern && !shared,
            init: contents,
            owner: self.cx.func,
            span: at,
        });
        self.decls.global_values[g.index()] = known;
        self.cx.owned.push(g);
        let v = VarId(self.decls.vars.len() as u32);
        self.decls.vars.push(VarDecl {
            align: r.align,
            name: sym,
            ty,
            quals: r.quals,
            span: at,
            global: Some(g),
            space,
            value: known,
            side,
            args: None,
            is_reference: false,
            pending: None,
        });
        self.cx.names.push((sym, Entity::Var(v)));
    }

    /// What a variable that a group shares may not be.
    fn refuse_shared(&mut self, init: Init, at: Span) {
        if self.is_opencl() && !self.cx.is_kernel {
            let message = "variables in the local address space can only be declared in kernel functions";
            let help = "declare it in the kernel and pass a `__local` pointer";
            self.report(Diagnostic::error("E0356", at, message).help(help));
        } else if self.is_opencl() && self.cx.block_depth > 1 {
            let message =
                "variables in the local address space can only be declared in the outermost scope of a kernel";
            self.error("E0357", at, message);
        }
        if !matches!(init, Init::None) {
            self.error("E0349", at, "a shared variable cannot be initialised");
        }
    }

    /// A variable that a group shares has nobody who would construct it; nvcc takes it with a warning, too.
    fn warn_of_constructor(&mut self, ty: TyId, at: Span) {
        if let Some(rec) = self.array_record(ty)
            && !self.constructs_nothing(rec)
        {
            let name = self.show(ty);
            if self.default_constructor(rec).is_none() {
                let text = format!("no matching constructor of `{name}` for 0 arguments");
                self.report(Diagnostic::error("E0444", at, text).note("shared variables have no arguments"));
                return;
            }
            self.report(
                Diagnostic::warning("W0340", at, format!("shared variable of type `{name}` stays uninitialised"))
                    .group("shared-constructor")
                    .note("constructors are not run for shared variables"),
            );
        }
    }

    /// The name in the object of a function's own variable: functions may have several with one name.
    fn local_symbol(&mut self, sym: Symbol) -> String {
        let owner = self.cx.decl.map(|f| self.function_symbol(f)).unwrap_or_default();
        let count = self.cx.owned_names.entry(sym).or_default();
        let n = *count;
        *count += 1;
        if self.is_cxx() {
            return crate::mangle::Mangler::new(&self.p.types, &self.sess.strings).local_variable(&owner, sym, n);
        }
        let name = self.text(sym);
        if n == 0 { format!("{owner}.{name}") } else { format!("{owner}.{name}.{n}") }
    }

    /// The record at the bottom of arrays.
    pub(crate) fn array_record(&self, mut ty: TyId) -> Option<crate::types::RecordId> {
        while let Ty::Array { elem, .. } = self.p.types.get(ty) {
            ty = *elem;
        }
        self.p.types.as_record(ty)
    }

    /// The type of a declaration, `auto` in it deduced from the initialiser.
    pub(crate) fn resolve_auto(&mut self, ty: ast::TypeId, init: Init, span: Span) -> RTy {
        if !self.has_auto(ty) {
            let Some(t) = self.placeholder_class(ty) else { return self.resolve(ty) };
            let Some(class) = self.deduce_class_from(t, init, span) else { return RTy::plain(TyId::ERROR) };
            let saved = self.cx.deduced_class.replace((t, class));
            let r = self.resolve(ty);
            self.cx.deduced_class = saved;
            return r;
        }
        let saved = (self.cx.auto_ty, self.cx.auto_quals);
        self.cx.auto_quals = Quals::NONE;
        let deduced = self.deduce_auto(ty, init, span);
        self.cx.auto_ty = deduced;
        let r = self.resolve(ty);
        (self.cx.auto_ty, self.cx.auto_quals) = saved;
        if let Some(deduced) = deduced {
            self.check_placeholder(ty, deduced, span);
        }
        r
    }

    /// The type that `auto` stands for, from the initialiser.
    pub(crate) fn deduce_auto(&mut self, ty: ast::TypeId, init: Init, span: Span) -> Option<TyId> {
        let e = match init {
            Init::Copy(e) => match self.ast[e].kind {
                ast::ExprKind::InitList(items) if self.is_cxx() => return Some(self.auto_of_list(items, span)),
                _ => e,
            },
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
        self.cx.prechecked = Some((e, v));
        if self.is_err(v) {
            return Some(TyId::ERROR);
        }
        if matches!(self.ast[ty].kind, ast::TypeKind::Builtin(ast::BuiltinType::DecltypeAuto)) {
            let r = self.decltype_of(e, v);
            self.cx.auto_quals = self.cx.auto_quals.with(r.quals.without(Quals::RESTRICT));
            return Some(r.ty);
        }
        Some(self.auto_from(ty, v))
    }

    fn auto_from(&mut self, ty: ast::TypeId, v: ExprId) -> TyId {
        use ast::TypeKind as K;
        let x = *self.e(v);
        match self.ast[ty].kind {
            K::LvalueRef(inner) | K::RvalueRef(inner) if matches!(self.ast[inner].kind, K::Array { .. }) => {
                self.cx.auto_quals = self.cx.auto_quals.with(x.quals.without(Quals::RESTRICT));
                self.auto_element(inner, x.ty, &x)
            }
            K::LvalueRef(_) => {
                // `auto &` keeps the qualifiers of what it binds to; `resolve` adds what is written.
                self.cx.auto_quals = self.cx.auto_quals.with(x.quals.without(Quals::RESTRICT));
                x.ty
            }
            K::RvalueRef(_) => {
                if self.is_lv(v) {
                    let space = self.default_space();
                    self.p.types.reference(x.ty, x.quals, space, self.is_xvalue(v))
                } else {
                    x.ty
                }
            }
            K::Pointer(inner) => {
                let value = self.value_ty(v);
                self.auto_pointee(inner, value, &x)
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
        self.cx.auto_quals = self.cx.auto_quals.with(quals.without(Quals::RESTRICT));
        self.auto_element(inner, pointee, x)
    }

    /// `auto (&rows)[2]`, `auto *(&rows)[2]`: what is under as many arrays as are written.
    fn auto_element(&mut self, written: ast::TypeId, ty: TyId, x: &crate::program::Expr) -> TyId {
        match (self.ast[written].kind, self.p.types.get(ty)) {
            (ast::TypeKind::Array { element, .. }, &Ty::Array { elem, .. }) => self.auto_element(element, elem, x),
            (ast::TypeKind::Pointer(inner), _) => {
                self.cx.auto_quals = Quals::NONE;
                self.auto_pointee(inner, ty, x)
            }
            _ => ty,
        }
    }

    /// A template argument as an entity.
    pub(crate) fn arg_entity(&mut self, arg: &TemplateArg) -> Entity {
        match arg {
            TemplateArg::Type(t) => Entity::Type(RTy { quals: t.quals, ..RTy::plain(t.ty) }),
            TemplateArg::Int { value, ty } => Entity::Const(*value, *ty),
            TemplateArg::Object { bytes, ty } => Entity::Var(self.argument_object(bytes, *ty)),
            TemplateArg::Function { id, .. } => Entity::Fn(FnId(*id)),
            TemplateArg::Variable { id, address, .. } => self.argument_variable(VarId(*id), *address),
            TemplateArg::Template(name) => match self.decls.template_at(*name) {
                Some(t) => Entity::Template(t),
                None => Entity::DependentConst(u32::MAX),
            },
            TemplateArg::Param(i) => Entity::DependentConst(*i),
            TemplateArg::Pack(all) => {
                let id = crate::check::PackId(self.inst.packs.len() as u32);
                self.inst.packs.push(all.to_vec());
                Entity::Pack(id)
            }
            TemplateArg::Dependent(Some(e)) => self.dependent_entity(e),
            TemplateArg::Expansion { .. } | TemplateArg::Dependent(None) => Entity::DependentConst(u32::MAX),
        }
    }
}
