//! Explicit specialisations and instantiations, and those by launches in host code.

use source::Symbol;
use syntax::ast::{self, DeclKind};

use crate::check::function::Signature;
use crate::check::launches::Lenience;
use crate::check::names::Qualifier;
use crate::check::{Checker, Entity, FnId, FnKind, Specialisation, TemplateId, with_scope};
use crate::types::{FnTy, TemplateArg};

impl Checker<'_> {
    /// `template<> …`
    pub(super) fn explicit_specialisation(&mut self, decl: ast::DeclId) {
        let d = self.ast[decl];
        let name = self.ast[d.name];
        if let DeclKind::Function(fid) = d.kind
            && let Some(found) = self.specials_named(d.name, self.ast[fid].kind)
            && self.specialise_member(&found, decl, fid)
        {
            return;
        }
        let Some(sym) = self.template_name(&d) else { return };
        let found = if name.qualifier.is_empty() { self.lookup(sym) } else { self.find_name(d.name) };
        let templates: Vec<TemplateId> = found
            .as_ref()
            .map(|f| {
                f.entities.iter().filter_map(|e| if let Entity::Template(t) = e { Some(*t) } else { None }).collect()
            })
            .unwrap_or_default();
        if templates.is_empty()
            && let (DeclKind::Function(fid), Some(f)) = (d.kind, &found)
            && self.specialise_member(&f.entities, decl, fid)
        {
            return;
        }
        if templates.is_empty() && self.is_of_host_template(sym, &d) {
            return;
        }
        if templates.is_empty() {
            let text = self.name_text(d.name);
            self.error("E0465", d.span, format!("explicit specialisation of `{text}`, which is not a template"));
            return;
        }
        match d.kind {
            DeclKind::Record(_) | DeclKind::Var { .. } => {
                let Some(list) = name.args else { return };
                if let Some(args) = self.template_args(templates[0], list, d.span) {
                    self.declare_specialisation(templates[0], args, decl);
                }
            }
            DeclKind::Function(fid) => self.specialise_function(&templates, decl, fid),
            _ => {}
        }
    }

    /// Whether what is specialised under this name is a template of the host's, of which nothing else is known here.
    fn is_of_host_template(&self, name: Symbol, d: &ast::Decl) -> bool {
        matches!(d.kind, DeclKind::Function(_)) && self.decls.host_names.place(name).is_some() && !self.is_marked(d)
    }

    /// An explicit specialisation of a class or variable: one that was declared before becomes its definition, too.
    fn declare_specialisation(&mut self, t: TemplateId, args: Vec<TemplateArg>, decl: ast::DeclId) {
        let ast = self.ast;
        let defined = |d: ast::DeclId| !matches!(ast[d].kind, DeclKind::Record(r) if !ast[r].defined);
        let new = Specialisation { params: Vec::new(), args: args.clone(), decl, written: None };
        if let Some(known) = self.decls[t].specs.with_args(&args, |s| s.params.is_empty()) {
            if !defined(decl) {
                return;
            }
            if !defined(self.decls[t].specs[known].decl) {
                self.decls.template_mut(t).specs.define(known, new.clone());
            }
        }
        // Entered once more even so: by their number instances know that they have to choose again.
        self.decls.template_mut(t).specs.push(new, &self.p.types);
        // Its members are no templates: what they launch there is, used or not.
        let plain = self.reads_host() && !self.decls.is_in_template(self.scope);
        if plain && matches!(ast[decl].kind, DeclKind::Record(_)) && defined(decl) {
            let made = self.class_instance(t, args, ast[decl].span);
            if let Some(r) = made.and_then(|ty| self.p.types.as_record(ty)) {
                self.complete_record(r);
                self.need_members(r);
            }
        }
    }

    /// The constructors, destructors or conversion functions of the class in front of a name.
    fn specials_named(&mut self, name: ast::NameId, kind: ast::FunctionKind) -> Option<Vec<Entity>> {
        if !matches!(
            kind,
            ast::FunctionKind::Constructor | ast::FunctionKind::Destructor | ast::FunctionKind::Conversion
        ) {
            return None;
        }
        let Qualifier::Scope(scope) = self.qualifier(name) else { return None };
        let r = self.record_of_scope(scope)?;
        self.complete_record(r);
        let info = &self.decls[r];
        let of = match kind {
            ast::FunctionKind::Constructor => &info.ctors,
            ast::FunctionKind::Destructor => &info.dtors,
            _ => &info.conversions,
        };
        Some(of.iter().map(|&f| Entity::Fn(f)).collect())
    }

    /// `template<> R C<int>::f(…) {…}`: another body for a member of one instance. Whether there is such a member.
    fn specialise_member(&mut self, found: &[Entity], decl: ast::DeclId, fid: ast::FunctionId) -> bool {
        let func = self.ast[fid];
        let Some((f, sig)) = self.member_declared_as(found, func.ty) else { return false };
        if matches!(func.body, ast::Body::Stmt(_)) {
            let scope = self.decls[f].record.map(|r| self.decls[r].scope);
            let d = &mut self.decls[f];
            d.body = crate::check::BodySource::Ast(decl);
            d.scope = scope.unwrap_or(d.scope);
            for (a, b) in d.params.iter_mut().zip(&sig.params) {
                (a.name, a.decl) = (b.name, b.decl);
            }
        }
        true
    }

    /// The member among `found` that has the type written at `ty`, whose names are looked up in the class.
    fn member_declared_as(&mut self, found: &[Entity], ty: ast::TypeId) -> Option<(FnId, Signature)> {
        for e in found {
            let Entity::Fn(f) = *e else { continue };
            let Some(r) = self.decls[f].record else { continue };
            let scope = self.decls[r].scope;
            let Some(sig) = with_scope!(self, scope, self.signature(ty)) else { continue };
            let d = &self.decls[f];
            let same = sig.params.len() == d.params.len()
                && (sig.this_quals, sig.ref_qual) == (d.this_quals, d.ref_qual)
                && (d.kind != FnKind::Conversion || sig.ret == d.ret)
                && sig.params.iter().zip(&d.params).all(|(a, b)| a.ty == b.ty);
            if same {
                return Some((f, sig));
            }
        }
        None
    }

    fn specialise_function(&mut self, templates: &[TemplateId], decl: ast::DeclId, fid: ast::FunctionId) {
        let d = self.ast[decl];
        let func = self.ast[fid];
        // Names in the parameters of a member are looked up in its class.
        let record = templates.iter().find_map(|&t| self.decls[t].record);
        let scope = record.map_or(self.scope, |r| self.decls[r].scope);
        let Some(sig) = with_scope!(self, scope, self.signature(func.ty)) else { return };
        let explicit = self.ast[d.name].args;
        let want = FnTy::plain(sig.ret, sig.params.iter().map(|p| p.ty).collect(), sig.variadic);
        let fits = |&t: &TemplateId| {
            let f = self.deduce_from_type(t, explicit, &want)?;
            self.decls[f].params.iter().map(|p| p.ty).eq(sig.params.iter().map(|p| p.ty)).then_some(f)
        };
        let fitting: Vec<FnId> = templates.iter().filter_map(fits).collect();
        let Some(f) = self.nearest_of_type(&fitting) else {
            let text = self.name_text(d.name);
            self.error("E0470", d.span, format!("no function template matches the specialisation `{text}`"));
            return;
        };
        if matches!(func.body, ast::Body::Stmt(_)) {
            let i = &mut self.decls[f];
            i.body = crate::check::BodySource::Ast(decl);
            i.ast = Some(decl);
            i.default_scope = Some(i.scope);
            i.scope = scope;
            i.span = self.ast[d.name].span;
            let of_template = std::mem::replace(&mut i.params, sig.params);
            for (p, t) in i.params.iter_mut().zip(of_template) {
                p.default = p.default.or(t.default);
            }
            i.ret = sig.ret;
            i.deduced_ret = sig.deduced_ret;
            self.need(f);
        }
    }

    /// `template void f<4>(…);`
    pub(crate) fn explicit_instantiation(&mut self, decl: ast::DeclId, is_extern: bool) {
        let d = self.ast[decl];
        // `extern template`: somebody else instantiates it. Of device code nothing is made, and host code does not go there.
        if is_extern && (!self.reads_host() || !matches!(d.kind, DeclKind::Function(_))) {
            return;
        }
        match d.kind {
            DeclKind::Function(fid) => {
                let func = self.ast[fid];
                let found = self.find_name(d.name).map(|f| f.entities).unwrap_or_default();
                if let Some((f, _)) = self.member_declared_as(&found, func.ty) {
                    self.instantiate_member(f, is_extern);
                    return;
                }
                let Some(sig) = self.signature(func.ty) else { return };
                let want = FnTy::plain(sig.ret, sig.params.iter().map(|p| p.ty).collect(), false);
                let args = self.ast[d.name].args;
                let mut instance = self.instance_of_type(&found, args, &want);
                if instance.is_none() && self.reads_host() {
                    instance = self.with_unknown_types(Lenience::Unknown, |c| c.instance_of_type(&found, args, &want));
                }
                if let Some(f) = instance {
                    if is_extern {
                        self.inst.elsewhere.insert(f);
                        return;
                    }
                    self.inst.elsewhere.remove(&f);
                    self.need(f);
                    self.func_id(f);
                    self.inst.roots.push(f);
                    return;
                }
                let text = self.name_text(d.name);
                self.error("E0470", d.span, format!("no function template matches the instantiation of `{text}`"));
            }
            DeclKind::Record(_) => {
                let r = self.resolve_type_name(d.name);
                if let Some(rec) = self.p.types.as_record(r.ty) {
                    self.complete_record(rec);
                    if self.reads_host() {
                        self.need_members(rec);
                    }
                }
            }
            _ => {}
        }
    }

    fn instance_of_type(
        &mut self,
        found: &[Entity],
        args: Option<ast::List<ast::TemplateArg>>,
        want: &FnTy,
    ) -> Option<FnId> {
        let fits = |e: &Entity| match *e {
            Entity::Template(t) => self.deduce_from_type(t, args, want),
            _ => None,
        };
        let fitting: Vec<FnId> = found.iter().filter_map(fits).collect();
        self.nearest_of_type(&fitting)
    }

    /// `template void C<int>::f(…);`: nothing calls the member perhaps, but its body is the host's, and may launch kernels.
    fn instantiate_member(&mut self, f: FnId, is_extern: bool) {
        if is_extern {
            self.inst.elsewhere.insert(f);
        } else if self.reads_host() {
            self.inst.elsewhere.remove(&f);
            self.need(f);
        }
    }

    /// `k<float, 4><<<…>>>` in host code instantiates the kernel. A launch whose arguments mean nothing here is the host
    /// compiler's business: nothing is reported. One in a function that was read is known with what that function declares
    /// (`{ using T = half; k<T><<<…>>>(…); }`).
    pub(crate) fn launch(&mut self, name: ast::NameId) {
        let ast::Name { args: Some(args), span, .. } = self.ast[name] else { return };
        if self.from_host.followed.contains(&(span.hi, span.expn)) || self.reads_host() {
            return;
        }
        let mark = self.sess.diagnostics.len();
        let entities = self.find_name(name).map(|f| f.entities).unwrap_or_default();
        let instance = entities.into_iter().find_map(|e| match e {
            Entity::Template(t) => self.explicit_instance(t, args),
            _ => None,
        });
        self.sess.diagnostics.truncate(mark);
        if let Some(f) = instance {
            self.need(f);
            self.func_id(f);
            self.inst.roots.push(f);
        }
    }
}
