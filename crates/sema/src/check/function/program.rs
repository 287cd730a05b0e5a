//! The functions of the typed program.

use crate::check::{Checker, Entity, FnId, FnKind};
use crate::program::{FnAttrs, FuncId, Function, KernelText, Linkage};
use crate::types::{BodyName, NameId, Quals, Ty, TyId};
use source::Symbol;
use syntax::ast::{DeclKind, DeclSpecs, TypeKind};

impl Checker<'_> {
    /// The name of a function in the object.
    pub(crate) fn function_symbol(&mut self, f: FnId) -> String {
        if let Some(symbol) = self.decls.symbols.get(&f) {
            return symbol.clone();
        }
        let d = &self.decls[f];
        if let Some(l) = d.asm_label {
            return self.string_text(l);
        }
        let one_of_several = d.overloadable && !d.specs.has(DeclSpecs::KERNEL);
        if !(self.is_cxx() || one_of_several) || self.is_c_function(f) {
            return self.text(d.name).to_owned();
        }
        let path = d.path;
        let of = self.body_name(f);
        self.mangler().function(path, crate::mangle::Signature::of(&of))
    }

    /// The name in symbols of a function that is an instance, if lambdas are among what it is an instance for.
    pub(crate) fn symbol_with_lambdas(&mut self, f: FnId) -> Option<String> {
        let of = self.body_name(f);
        let mut mangler = self.mangler();
        let symbol = mangler.function(of.path, crate::mangle::Signature::of(&of));
        mangler.has_lambda().then_some(symbol)
    }

    fn mangler(&self) -> crate::mangle::Mangler<'_> {
        let mangler = crate::mangle::Mangler::new(&self.p.types, &self.sess.strings);
        mangler.with_module(self.opts.module.as_deref()).with_spaces(self.is_opencl())
    }

    /// Whether a function has the name that C would give it.
    pub(crate) fn is_c_function(&self, f: FnId) -> bool {
        let d = &self.decls[f];
        d.specs.has(DeclSpecs::EXTERN_C) && d.kind == FnKind::Plain && d.record.is_none() && d.template.is_none()
    }

    /// What a function's name in symbols is made of.
    pub(crate) fn body_name(&mut self, f: FnId) -> BodyName {
        let d = &self.decls[f];
        let (params, ret, variadic) = match d.template {
            Some(t) => {
                let t = &self.decls[t];
                (t.pattern.clone(), t.pattern_ret, t.variadic_pattern)
            }
            None => (d.params.iter().map(|p| p.ty).collect(), d.ret, d.variadic),
        };
        let (path, template, this_quals, ref_qual) = (d.path, d.template, d.this_quals, d.ref_qual);
        let is_main = self.text(d.name) == "main" && self.p.types.name(path).parent == NameId::ROOT;
        BodyName {
            path,
            ret,
            params: params.into(),
            expansions: template.map(|t| self.expanded_params(t)).unwrap_or_default().into(),
            variadic,
            this_quals,
            ref_qual,
            template: template.map_or(0, |t| t.0 + 1),
            plain: is_main || self.is_c_function(f),
            internal: self.fn_linkage(f) == Linkage::Internal,
        }
    }

    /// The function's place in the program, made on first use.
    pub(crate) fn func_id(&mut self, f: FnId) -> FuncId {
        if let Some(id) = self.decls[f].func {
            return id;
        }
        let symbol = self.function_symbol(f);
        let display = self.show_fn(f);
        let id = FuncId(self.p.functions.len() as u32);
        let linkage = self.fn_linkage(f);
        let d = &self.decls[f];
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
            side: self.side_of(f),
            ret,
            variadic,
            param_count: 0,
            locals: Vec::new(),
            labels: Vec::new(),
            loops: Vec::new(),
            linkage,
            attrs: FnAttrs::default(),
            text: KernelText::default(),
            owned_globals: Vec::new(),
            body: None,
            overriders: None,
            contract: crate::program::FpContract::Default,
        });
        self.decls.func_decls.push(f);
        self.decls[f].func = Some(id);
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
        let d = &self.decls[f];
        let static_fn = d.record.is_none() && d.specs.has(DeclSpecs::STATIC);
        if static_fn || self.decls.is_anonymous(&self.p.types, d.scope) {
            return Linkage::Internal;
        }
        let inline = d.specs.any(DeclSpecs::INLINE.with(DeclSpecs::CONSTEXPR).with(DeclSpecs::FORCEINLINE));
        let in_class = d.record.is_some();
        if d.template.is_some() || inline || in_class || self.decls.is_in_template(d.scope) {
            Linkage::Weak
        } else {
            Linkage::External
        }
    }

    /// Declares `this` and the parameters as locals of the current context.
    pub(in crate::check) fn declare_params(&mut self, f: FnId) {
        let d = self.decls[f].clone();
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
        self.declare_more(&d);
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
                    && self.cx.names.of(n).next().is_none()
                {
                    self.flush_pack(Some((n, Vec::new())));
                }
            }
        }
    }

    pub(in crate::check) fn flush_pack(&mut self, pack: Option<(Symbol, Vec<crate::program::LocalId>)>) {
        if let Some((name, all)) = pack {
            let id = self.inst.value_packs.len() as u32;
            self.inst.value_packs.push(all.into_iter().map(Entity::Local).collect());
            self.cx.names.push((name, Entity::ValuePack(id)));
        }
    }
}
