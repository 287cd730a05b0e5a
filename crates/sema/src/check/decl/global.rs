//! Variables outside functions.

use super::statics::StaticValue;
use crate::check::{Checker, Entity, MAX_INSTANTIATION_DEPTH, RTy, VarDecl, VarId, with_scope};
use crate::program::{ExprKind, Global, GlobalId, GlobalInit, Linkage, Reloc, RelocTarget, Side};
use crate::types::{AddrSpace, NameId, NameKind as TreeName, Quals, Ty, TyId};
use source::{Diagnostic, Symbol};
use syntax::ast::{self, DeclKind, DeclSpecs, Init};

impl Checker<'_> {
    pub(super) fn global_var(&mut self, id: ast::DeclId, ty: ast::TypeId, init: Init) {
        let d = self.ast[id];
        if !self.ast[d.name].qualifier.is_empty() {
            self.static_member_definition(id, init);
            return;
        }
        let Some(sym) = self.decl_symbol(&d) else { return };
        if let Some(v) = self.global_variable(id, sym, ty, init, self.scope) {
            self.decls.bind(self.scope, sym, Entity::Var(v));
            self.note_getter(v, &d);
        }
    }

    /// The address space of a variable outside functions, and who may use it.
    pub(crate) fn global_space(&mut self, d: &ast::Decl, r: &RTy) -> (AddrSpace, Side) {
        let s = d.specs;
        if self.is_opencl() {
            // Program-scope samplers need no qualifier.
            if r.space.is_none() && matches!(self.p.types.get(r.ty), Ty::Opaque(_)) {
                return (AddrSpace::Constant, Side::Device);
            }
            return match r.space {
                Some(AddrSpace::Constant) => (AddrSpace::Constant, Side::Device),
                Some(AddrSpace::Global) if self.opencl_version() >= 200 => (AddrSpace::Global, Side::Device),
                None if self.opencl_version() >= 200 => (AddrSpace::Global, Side::Device),
                _ => {
                    let d = Diagnostic::error(
                        "E0348",
                        d.span,
                        "program scope variable must reside in constant address space",
                    )
                    .help("declare it `__constant`, or compile with `-cl-std=CL3.0`");
                    self.report(d);
                    (AddrSpace::Constant, Side::Device)
                }
            };
        }
        if s.has(DeclSpecs::SHARED) {
            (AddrSpace::Shared, Side::Device)
        } else if s.has(DeclSpecs::CONSTANT) {
            (AddrSpace::Constant, Side::Device)
        } else if s.has(DeclSpecs::MANAGED) {
            (AddrSpace::Global, Side::Both)
        } else if s.has(DeclSpecs::DEVICE) {
            (AddrSpace::Global, Side::Device)
        } else if !self.is_cuda() {
            (r.space.unwrap_or(AddrSpace::Global), Side::Both)
        } else {
            (AddrSpace::Constant, Side::Host)
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
        scope: crate::check::ScopeId,
    ) -> Option<VarId> {
        let d = self.ast[id];
        let mut r = self.resolve_auto(ty, init, d.span);
        if r.ty == TyId::ERROR {
            return None;
        }
        if d.specs.any(DeclSpecs::CONSTEXPR) {
            r.quals = r.quals.with(Quals::CONST);
        }
        if self.refuse_variable(r.ty, d.span) {
            return None;
        }
        if let Some(record) = self.array_record(r.ty) {
            self.complete_record(record);
        }
        let (space, side) = self.global_space(&d, &r);
        if side.on_device() && self.array_record(r.ty).is_some_and(|record| self.has_virtual_base(record)) {
            self.refuse_virtual_base(d.span);
            return None;
        }
        // CUDA's `__constant__` variables have no const in their type, and the host may set them.
        if space == AddrSpace::Constant && side != Side::Host && !self.is_cuda() {
            r.quals = r.quals.with(Quals::CONST);
        }
        if space == AddrSpace::Shared && !matches!(init, Init::None) {
            self.error("E0349", d.span, "a shared variable cannot be initialised");
        }
        // An earlier `extern` declaration of the same variable.
        if let Some(Entity::Var(v)) = self.decls.bound(scope, sym).iter().find(|e| matches!(e, Entity::Var(_))) {
            let v = *v;
            if d.specs.has(DeclSpecs::EXTERN) && matches!(init, Init::None) {
                return None;
            }
            let old = self.decls[v].clone();
            if old.ty == r.ty || matches!(self.p.types.get(old.ty), Ty::Array { len: None, .. }) {
                self.decls[v].ty = r.ty;
                self.define_global(v, init, &d);
            } else {
                let name = self.text(sym).to_owned();
                let dg = Diagnostic::error("E0350", d.span, format!("redefinition of `{name}` with a different type"))
                    .label(old.span, "declared here before");
                self.report(dg);
            }
            return None;
        }
        let v = VarId(self.decls.vars.len() as u32);
        let is_reference = matches!(self.p.types.get(r.ty), Ty::Reference { .. });
        self.decls.vars.push(VarDecl {
            align: r.align,
            name: sym,
            ty: r.ty,
            quals: r.quals,
            span: d.span,
            global: None,
            space,
            value: None,
            side,
            args: None,
            is_reference,
            pending: None,
        });
        self.define_global(v, init, &d);
        Some(v)
    }

    /// Checks a static member's initialiser when it is first needed.
    pub(crate) fn complete_var(&mut self, v: VarId) {
        let Some((id, scope)) = self.decls[v].pending.take() else { return };
        let d = self.ast[id];
        let DeclKind::Var { init, .. } = d.kind else { return };
        if self.inst.depth >= MAX_INSTANTIATION_DEPTH {
            self.error("E0450", d.span, format!("templates nest deeper than {MAX_INSTANTIATION_DEPTH}"));
            return;
        }
        self.inst.depth += 1;
        let saved = std::mem::take(&mut self.cx);
        with_scope!(self, scope, self.define_global(v, init, &d));
        self.cx = saved;
        self.inst.depth -= 1;
    }

    /// Gives a variable its place in the program and its contents.
    pub(crate) fn define_global(&mut self, v: VarId, init: Init, d: &ast::Decl) {
        let var = self.decls[v].clone();
        let is_extern = d.specs.has(DeclSpecs::EXTERN) && matches!(init, Init::None);
        let made = !is_extern && self.is_made_by_class(&var, d);
        let init = if made && matches!(init, Init::None) { Init::Paren(ast::List::EMPTY) } else { init };
        let has_value = !matches!(init, Init::None) && var.space != AddrSpace::Shared;
        let value = if has_value { self.static_value(var.ty, var.quals, init, d.span) } else { None };
        let ty = value.as_ref().map_or(var.ty, |v| v.ty);
        self.refuse_initialiser(&var, value.as_ref(), init, d);
        let (mut contents, mut known) = (None, None);
        if let Some(value) = value {
            (contents, known) = (value.contents, value.known);
        }
        if d.specs.has(DeclSpecs::CONSTEXPR) && !var.side.on_device() && known.is_none() {
            known = self.device_function_in(ty, contents.as_ref());
        }
        self.decls[v].value = known.or(self.decls[v].value);
        self.decls[v].ty = ty;
        if self.p.types.size_of(ty).is_none() && !is_extern {
            if var.side.on_device() {
                self.incomplete_variable(ty, d.span);
            }
            return;
        }
        // Addresses of functions, kernels among them, are the host's own; a constant table of the device's functions is not.
        let constexpr = d.specs.has(DeclSpecs::CONSTEXPR);
        let names_functions = |c: &GlobalInit| {
            c.relocs.iter().any(|r| match r.target {
                RelocTarget::Function(f) => {
                    !constexpr || self.p.functions.get(f.index()).is_none_or(|f| !f.side.on_device() || f.is_kernel)
                }
                _ => false,
            })
        };
        let constant = contents.as_ref().is_some_and(|c| !names_functions(c));
        let host_constant = !var.side.on_device() && constant && var.quals.is_const();
        if !var.side.on_device() && !host_constant {
            return;
        }
        let g = match self.decls[v].global {
            Some(g) => g,
            None => {
                let symbol = self.variable_symbol(v, d);
                let g = self.push_global(Global {
                    symbol,
                    name: Some(var.name),
                    ty,
                    quals: var.quals,
                    space: var.space,
                    align: self.p.types.align_of(ty).max(var.align.unwrap_or(1)),
                    linkage: self.var_linkage(d, &var),
                    side: if host_constant { Side::Both } else { var.side },
                    dynamic_shared: var.space == AddrSpace::Shared && is_extern,
                    managed: d.specs.has(DeclSpecs::MANAGED),
                    is_extern: is_extern && var.space != AddrSpace::Shared,
                    init: None,
                    owner: None,
                    span: d.span,
                });
                self.decls[v].global = Some(g);
                g
            }
        };
        let align = self.decl_align(d.attrs);
        let value = self.decls[v].value;
        self.decls.global_values[g.index()] = value;
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

    /// The function of the device that a pointer holds, which is the device's to call though the pointer is the host's.
    fn device_function_in(&self, ty: TyId, contents: Option<&GlobalInit>) -> Option<ExprKind> {
        let Ty::Pointer { pointee, .. } = *self.p.types.get(ty) else { return None };
        let [Reloc { offset: 0, target: RelocTarget::Function(f), addend: 0, .. }] = *contents?.relocs.as_slice()
        else {
            return None;
        };
        let of = self.p.functions.get(f.index())?;
        let callable = matches!(self.p.types.get(pointee), Ty::Function(_)) && of.side.on_device() && !of.is_kernel;
        callable.then_some(ExprKind::FuncAddr(f))
    }

    /// Whether a variable without initialiser is what its class makes: one that is `constexpr`, or that device code has and whose
    /// class's constructor does something.
    fn is_made_by_class(&mut self, var: &VarDecl, d: &ast::Decl) -> bool {
        let Some(r) = self.array_record(var.ty) else { return false };
        d.specs.has(DeclSpecs::CONSTEXPR)
            || var.side.on_device() && var.space != AddrSpace::Shared && !self.constructs_nothing(r)
    }

    /// Whether a variable is initialised as its place demands: an error if not.
    fn refuse_initialiser(&mut self, var: &VarDecl, value: Option<&StaticValue>, init: Init, d: &ast::Decl) {
        let is_extern = d.specs.has(DeclSpecs::EXTERN);
        match value {
            Some(value) if value.contents.is_none() && var.side.on_device() => self.not_constant(var.name, value.at),
            // Objects that constructors make are not computed here: the host's own may be, its compiler says.
            Some(value)
                if value.contents.is_none()
                    && !var.side.on_device()
                    && matches!(self.p.types.get(var.ty), Ty::Record(_)) => {}
            Some(value) if value.contents.is_none() && d.specs.has(DeclSpecs::CONSTEXPR) => {
                let name = self.text(var.name);
                let message = format!("constexpr variable `{name}` must be initialised by a constant expression");
                self.error("E0351", value.at, message);
            }
            None if matches!(init, Init::None)
                && !is_extern
                && self.is_opencl()
                && var.space == AddrSpace::Constant
                && !matches!(self.p.types.get(var.ty), Ty::Opaque(_)) =>
            {
                self.error("E0352", d.span, "variable in constant address space must be initialised");
            }
            _ => {}
        }
    }

    pub(crate) fn push_global(&mut self, g: Global) -> GlobalId {
        let id = GlobalId(self.p.globals.len() as u32);
        self.p.globals.push(g);
        self.decls.global_values.push(None);
        id
    }

    fn var_linkage(&self, d: &ast::Decl, var: &VarDecl) -> Linkage {
        let anonymous = self.in_anonymous_namespace();
        if d.specs.has(DeclSpecs::STATIC)
            || anonymous
            || !var.side.on_device()
            // Whole programs have nobody else who could see them.
            || (self.is_opencl() && var.space == AddrSpace::Constant && !self.opts.emit_external_functions)
        {
            Linkage::Internal
        } else if d.specs.has(DeclSpecs::INLINE) || var.args.is_some() {
            Linkage::Weak
        } else {
            Linkage::External
        }
    }

    pub(crate) fn in_anonymous_namespace(&self) -> bool {
        let mut at = Some(self.scope);
        while let Some(s) = at {
            let sc = &self.decls[s];
            if self.p.types.name(sc.name).kind == TreeName::AnonNamespace {
                return true;
            }
            at = sc.parent;
        }
        false
    }

    fn variable_symbol(&mut self, v: VarId, d: &ast::Decl) -> String {
        let name = self.decls[v].name;
        if !self.is_cxx() || d.specs.has(DeclSpecs::EXTERN_C) {
            return self.text(name).to_owned();
        }
        let parent = self.decls[self.scope].name;
        let path = match self.decls[v].args.clone() {
            Some(args) => self.p.types.new_name(parent, TreeName::Entity(name), Some(args)),
            None => self.p.types.child_name(parent, TreeName::Entity(name)),
        };
        let var = &self.decls[v];
        // What is constant is the file's own, whatever its linkage is here.
        let internal = self.var_linkage(d, var) == Linkage::Internal || var.quals.is_const();
        self.variable_name(path, internal)
    }

    fn variable_name(&self, path: NameId, internal: bool) -> String {
        let mut mangler =
            crate::mangle::Mangler::new(&self.p.types, &self.sess.strings).with_module(self.opts.module.as_deref());
        if internal { mangler.internal_variable(path) } else { mangler.variable(path) }
    }

    /// `T S::member = …;`
    fn static_member_definition(&mut self, id: ast::DeclId, init: Init) {
        let d = self.ast[id];
        let Some(found) = self.find_name(d.name) else {
            let text = self.name_text(d.name);
            self.error("E0343", d.span, format!("no member named `{text}`"));
            return;
        };
        if let Some(Entity::Var(v)) = found.entities.first() {
            let v = *v;
            if d.specs.any(DeclSpecs::DEVICE.with(DeclSpecs::CONSTANT)) {
                self.decls[v].side = Side::Device;
            }
            if !matches!(init, Init::None) || self.decls[v].global.is_none() {
                self.define_global(v, init, &d);
            }
        }
    }
}
