//! Members of classes that are defined outside of them.

use std::rc::Rc;

use syntax::ast::{self, DeclKind};

use crate::check::{
    Checker, Entity, FnDecl, FnId, FnKind, OutOfLine, Pattern, RTy, ScopeId, Template, TemplateId, TemplateKind,
    with_scope,
};
use crate::types::{NameKind as TreeName, RecordId, TemplateArg, Ty};
use smallvec::SmallVec;
use source::Symbol;

impl Checker<'_> {
    /// `template<class T> R C<T>::f(…) {…}`, and `template<class U> R C::f(…) {…}` of a class that is no template, or is one
    /// instance: `template<> template<class U> R C<int>::f(…) {…}`. `named` is the declaration with the member's name: `decl`,
    /// or what is below its own `template<…>`.
    pub(super) fn out_of_line_member(
        &mut self,
        mut params: ast::List<ast::DeclId>,
        mut decl: ast::DeclId,
        named: ast::DeclId,
    ) {
        let ast = self.ast;
        let d = ast[named];
        let mut scope: Option<ScopeId> = None;
        let mut entities = Default::default();
        let mut special = false;
        for seg in ast.list(ast[d.name].qualifier) {
            let ast::SegmentKind::Ident(sym) = seg.kind else { return };
            let found = match scope {
                Some(at) => self.lookup_in(at, sym),
                None => self.lookup(sym),
            };
            entities = found.map(|f| f.entities).unwrap_or_default();
            scope = match entities.first() {
                // Its instances look for what belongs to them, and so do the classes inside of them.
                Some(&Entity::Template(t)) if self.decls[t].kind == TemplateKind::Class => {
                    let Some(r) = self.instance_written(t, params, decl == named, seg.args) else {
                        let of = self.pattern_written(t, params, seg.args);
                        return self.decls.template_mut(t).out_of_line.push(OutOfLine { params, decl, of });
                    };
                    if let DeclKind::Template { params: own, decl: inner } = ast[decl].kind {
                        (params, decl, special) = (own, inner, true);
                    }
                    entities = std::iter::once(Entity::Tag(self.p.types.intern(Ty::Record(r)))).collect();
                    Some(self.decls[r].scope)
                }
                Some(Entity::Namespace(n)) => Some(*n),
                Some(Entity::Type(RTy { ty, .. }) | Entity::Tag(ty)) => {
                    self.p.types.as_record(*ty).map(|r| self.decls[r].scope)
                }
                _ => None,
            };
        }
        for e in entities {
            match e {
                Entity::Type(RTy { ty, .. }) | Entity::Tag(ty) if decl == named => {
                    let Some(r) = self.p.types.as_record(ty) else { continue };
                    if self.define_member_class(r, params, decl)
                        || self.define_member_template(r, params, decl, special)
                    {
                        return;
                    }
                }
                _ => {}
            }
        }
        let name = self.name_text(d.name);
        self.error("E0343", d.span, format!("`{name}` does not name a member of a class template"));
    }

    /// The class that a definition outside of it names with its arguments, if that is one instance of the template `t`: behind
    /// `template<>`, or an explicit specialisation (`alone`: of whose member template this is the only head).
    fn instance_written(
        &mut self,
        t: TemplateId,
        params: ast::List<ast::DeclId>,
        alone: bool,
        args: Option<ast::List<ast::TemplateArg>>,
    ) -> Option<RecordId> {
        let (args, span) = (args?, self.decls[t].span);
        let args = if params.is_empty() {
            self.template_args(t, args, span)?
        } else {
            let written = self.args_written(t, params, args).filter(|_| alone)?;
            self.decls[t].specs.with_args(&written, |s| s.params.is_empty())?;
            written
        };
        let made = self.class_instance(t, args, span)?;
        let r = self.p.types.as_record(made)?;
        self.complete_record(r);
        Some(r)
    }

    /// Which pattern of the class template `t` a definition outside of it belongs to, by the arguments after its name. A
    /// partial specialisation has members of its own (C++17, 17.5.5.3).
    fn pattern_written(
        &mut self,
        t: TemplateId,
        params: ast::List<ast::DeclId>,
        args: Option<ast::List<ast::TemplateArg>>,
    ) -> Option<Pattern> {
        if self.decls[t].specs.is_empty() {
            return Some(Pattern::Primary);
        }
        let written = self.args_written(t, params, args?)?;
        let params = self.ast.list(params).len();
        let same = self.decls[t].specs.with_args(&written, |s| s.params.len() == params);
        Some(same.map_or(Pattern::Primary, Pattern::Specialisation))
    }

    /// The arguments of the class template `t` in terms of the parameters of a head.
    fn args_written(
        &mut self,
        t: TemplateId,
        params: ast::List<ast::DeclId>,
        args: ast::List<ast::TemplateArg>,
    ) -> Option<Vec<TemplateArg>> {
        let params = self.template_params(params);
        let scope = self.pattern_scope(&params, self.decls[t].scope);
        let mark = self.sess.diagnostics.len();
        let outer = std::mem::replace(&mut self.inst.in_pattern, true);
        let written = with_scope!(self, scope, self.template_args(t, args, self.decls[t].span));
        self.inst.in_pattern = outer;
        self.sess.diagnostics.truncate(mark);
        written
    }

    /// `template<class T> struct C::M {…}`: gives a class template in the class `r` its body. Whether there is one.
    fn define_member_class(&mut self, r: RecordId, params: ast::List<ast::DeclId>, decl: ast::DeclId) -> bool {
        let DeclKind::Record(body) = self.ast[decl].kind else { return false };
        let Some(name) = self.last_symbol(self.ast[decl].name) else { return false };
        let member = self.decls.bound(self.decls[r].scope, name).into_iter().find_map(|e| match e {
            Entity::Template(t) if self.decls[t].kind == TemplateKind::Class => Some(t),
            _ => None,
        });
        let Some(t) = member.filter(|_| self.ast[body].defined) else { return false };
        let params = self.template_params(params);
        if params.len() != self.decls[t].params.len() {
            return false;
        }
        // Its parameters' defaults stand where the class declares it.
        self.redeclared(t, params, decl, true);
        true
    }

    /// Gives a member template of the class `r` its definition, in place of the one that it has if it is `special`. Whether
    /// there is such a member.
    fn define_member_template(
        &mut self,
        r: RecordId,
        params: ast::List<ast::DeclId>,
        decl: ast::DeclId,
        special: bool,
    ) -> bool {
        let Some(name) = self.template_name(&self.ast[decl].clone()) else { return false };
        let scope = self.decls[r].scope;
        let found = self.lookup_in(scope, name).map(|f| f.entities).unwrap_or_default();
        let templates = found.iter().filter_map(|e| if let Entity::Template(t) = e { Some(*t) } else { None });
        let mut fitting = Vec::new();
        for t in templates.collect::<Vec<_>>() {
            let tpl = self.decls[t].clone();
            if self.has_body(tpl.decl) && !special {
                continue;
            }
            if let Some(defined) = self.as_defined(&tpl, params, decl, scope) {
                fitting.push((self.spelt_alike(&tpl, &defined), t, defined));
            }
        }
        // Templates that differ in a condition that the pattern does not model are told apart by how it is spelt.
        let at = fitting.iter().position(|(alike, ..)| *alike).unwrap_or(0);
        if at >= fitting.len() {
            return false;
        }
        let (_, t, defined) = fitting.swap_remove(at);
        self.redeclared(t, defined.params, defined.decl, true);
        true
    }

    /// The template as `decl` defines it in `scope`, if it is the same.
    fn as_defined(
        &mut self,
        tpl: &Template,
        params: ast::List<ast::DeclId>,
        decl: ast::DeclId,
        scope: ScopeId,
    ) -> Option<Template> {
        let d = self.ast[decl];
        if self.template_name(&d) != Some(tpl.name) {
            return None;
        }
        let params = self.template_params(params);
        if params.len() != tpl.params.len() {
            return None;
        }
        let defined = Template { decl, params, scope, ..Template::clone(tpl) };
        let (pattern, ret, variadic) = self.pattern_of(&defined)?;
        (pattern == tpl.pattern && ret == tpl.pattern_ret && variadic == tpl.variadic_pattern).then_some(defined)
    }

    /// A function template with its body: a member template of a class template may be defined outside of it.
    fn definition_of(&mut self, t: TemplateId) -> Rc<Template> {
        let tpl = self.decls[t].clone();
        let (false, Some(r)) = (self.has_body(tpl.decl), tpl.record) else { return tpl };
        let name = tpl.name;
        let mut otherwise = Vec::new();
        for (scope, decl) in self.defined_outside(r, |c, decl| match c.ast[decl].kind {
            DeclKind::Template { decl: inner, .. } => c.template_name(&c.ast[inner].clone()) == Some(name),
            _ => false,
        }) {
            let DeclKind::Template { params, decl } = self.ast[decl].kind else { continue };
            if let Some(defined) = self.as_defined(&tpl, params, decl, scope) {
                if self.spelt_alike(&tpl, &defined) {
                    return Rc::new(defined);
                }
                otherwise.push(defined);
            }
        }
        // One that names the parameters of the class otherwise; where several are told apart by conditions, in their order.
        let at = if otherwise.len() > 1 { self.place_among_alike(r, t).min(otherwise.len() - 1) } else { 0 };
        if otherwise.is_empty() { tpl } else { Rc::new(otherwise.swap_remove(at)) }
    }

    /// How many templates of a class that the pattern does not tell from one were declared before it.
    fn place_among_alike(&mut self, r: RecordId, t: TemplateId) -> usize {
        let (scope, name) = (self.decls[r].scope, self.decls[t].name);
        let found = self.lookup_in(scope, name).map(|f| f.entities).unwrap_or_default();
        let like = |c: &Self, o: TemplateId| {
            let (a, b) = (&c.decls[o], &c.decls[t]);
            a.pattern == b.pattern && a.pattern_ret == b.pattern_ret && !c.has_body(a.decl)
        };
        let all = found.iter().filter_map(|e| if let Entity::Template(o) = *e { Some(o) } else { None });
        all.filter(|&o| like(self, o)).position(|o| o == t).unwrap_or(0)
    }

    /// Where the body of a class stands that an instance of a template only declares: `template<class T> struct C<T>::M {…}`,
    /// or with one more head if `M` is a template. The scope binds the parameters as they are named there.
    pub(crate) fn body_outside(&mut self, r: RecordId) -> Option<(ast::DeclId, ScopeId)> {
        let own = self.decls[r].scope;
        if self.p.types.record(r).complete || self.decls[r].ast.is_some() || !self.decls.is_in_template(own) {
            return None;
        }
        let outer = self.class_around(r)?;
        let TreeName::Type(name) = self.p.types.name(self.p.types.record(r).name).kind else { return None };
        let args = self.decls[r].instance.clone().map(|(_, args)| args);
        let is_template = args.is_some();
        let found = self.defined_outside(outer, |c, decl| match (c.ast[decl].kind, is_template) {
            (DeclKind::Record(body), false) => c.ast[body].defined && c.last_symbol(c.ast[decl].name) == Some(name),
            (DeclKind::Template { decl: inner, .. }, true) => {
                matches!(c.ast[inner].kind, DeclKind::Record(body) if c.ast[body].defined)
                    && c.last_symbol(c.ast[inner].name) == Some(name)
            }
            _ => false,
        });
        let (mut scope, mut decl) = found.into_iter().next()?;
        if let (DeclKind::Template { params, decl: inner }, Some(args)) = (self.ast[decl].kind, args) {
            let params = self.template_params(params);
            (scope, decl) = (self.bind_args(&params, &args, scope), inner);
        }
        let DeclKind::Record(body) = self.ast[decl].kind else { return None };
        self.decls[own].parent = Some(scope);
        self.p.types.records[r.0 as usize].is_union = self.ast[body].tag == ast::TagKind::Union;
        Some((decl, scope))
    }

    /// The enumerators of an enumeration that this class, in an instance of a template, only declares.
    pub(crate) fn enumerators_outside(&mut self, name: Symbol) -> Option<(ScopeId, ast::List<ast::DeclId>)> {
        let outer = self.record_of_scope(self.scope).filter(|_| self.decls.is_in_template(self.scope))?;
        let found = self.defined_outside(outer, |c, decl| {
            matches!(c.ast[decl].kind, DeclKind::Enum { members: Some(_), .. })
                && c.last_symbol(c.ast[decl].name) == Some(name)
        });
        let (scope, decl) = found.into_iter().next()?;
        let DeclKind::Enum { members, .. } = self.ast[decl].kind else { return None };
        Some((scope, members?))
    }

    /// What is defined outside of a class that is an instance of a template, or inside of one, among what `fits`: with the
    /// scopes that bind the parameters as the definitions name them.
    fn defined_outside(
        &mut self,
        r: RecordId,
        mut fits: impl FnMut(&mut Self, ast::DeclId) -> bool,
    ) -> Vec<(ScopeId, ast::DeclId)> {
        let mut out = Vec::new();
        // The classes from `r` outwards, each a template's instance or not.
        let mut inner: SmallVec<[RecordId; 2]> = SmallVec::new();
        let mut at = Some(r);
        while let Some(class) = at {
            if let Some((t, _)) = self.decls[class].instance.clone() {
                let (pattern, args) = self.decls[class].made_from.clone();
                for OutOfLine { params, decl, of } in self.decls[t].out_of_line.clone() {
                    if of.is_none_or(|of| of == pattern)
                        && let Some(found) = self.definition_in(decl, &inner, self.decls[t].name)
                        && fits(self, found)
                    {
                        let params = self.template_params(params);
                        let scope = self.bind_args(&params, &args, self.decls[r].scope);
                        out.push((self.bound_inside(scope, decl, &inner), found));
                    }
                }
            }
            inner.push(class);
            at = self.class_around(class);
        }
        out
    }

    /// The class that a class is a member of.
    fn class_around(&self, r: RecordId) -> Option<RecordId> {
        let mut at = self.decls[self.decls[r].scope].parent;
        while let Some(s) = at {
            if let Some(outer) = self.record_of_scope(s) {
                return Some(outer);
            }
            at = self.decls[s].parent;
        }
        None
    }

    /// A definition without the heads of the class templates inside of the one called `outer`, if those are what its name
    /// says: `inner`, the innermost first.
    fn definition_in(&self, mut decl: ast::DeclId, inner: &[RecordId], outer: Symbol) -> Option<ast::DeclId> {
        for class in inner {
            if self.decls[*class].instance.is_some() {
                let DeclKind::Template { decl: below, .. } = self.ast[decl].kind else { return None };
                decl = below;
            }
        }
        let mut named = decl;
        while let DeclKind::Template { decl: below, .. } = self.ast[named].kind {
            named = below;
        }
        let mut written = self.ast.list(self.ast[self.ast[named].name].qualifier).iter().rev().map(|s| s.kind);
        let classes = inner.iter().map(|&class| match self.p.types.name(self.p.types.record(class).name).kind {
            TreeName::Type(name) => Some(name),
            _ => None,
        });
        let same = classes
            .chain([Some(outer)])
            .all(|name| matches!((written.next(), name), (Some(ast::SegmentKind::Ident(s)), Some(name)) if s == name));
        same.then_some(decl)
    }

    /// A scope in `scope` that binds the parameters of the heads that [`Self::definition_in`] leaves out.
    fn bound_inside(&mut self, mut scope: ScopeId, mut decl: ast::DeclId, inner: &[RecordId]) -> ScopeId {
        for class in inner.iter().rev() {
            let Some((_, args)) = self.decls[*class].instance.clone() else { continue };
            let DeclKind::Template { params, decl: below } = self.ast[decl].kind else { return scope };
            let params = self.template_params(params);
            scope = self.bind_args(&params, &args, scope);
            decl = below;
        }
        scope
    }

    /// Gives an instance made from a template's declaration the body of the definition that came later.
    fn adopt_definition(&mut self, f: FnId, t: TemplateId) {
        let tpl = self.definition_of(t);
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
            // `static` and `explicit` stand in the class only.
            let (is_static, explicit) = (old.is_static, old.explicit);
            *old =
                crate::check::FnDecl { state: old.state, func: old.func, path: old.path, is_static, explicit, ..made };
            for (p, d) in old.params.iter_mut().zip(defaults) {
                p.default = p.default.or(d);
            }
        }
    }

    /// Looks for the definition of a class template's member outside the class.
    pub(crate) fn find_definition(&mut self, f: FnId) {
        let d = self.decls[f].clone();
        // What is declared for the host only may be defined in what is read of its code.
        let of_host = self.reads_host()
            && d.body == crate::check::BodySource::Host
            && d.ast.is_some_and(|decl| !self.has_body(decl));
        if d.body != crate::check::BodySource::None && !of_host {
            return;
        }
        if let Some(t) = d.template {
            self.adopt_definition(f, t);
        }
        let Some(r) = d.record else { return };
        for (scope, decl) in self.defined_outside(r, |c, decl| c.may_define(&d, decl)) {
            let DeclKind::Function(fid) = self.ast[decl].kind else { continue };
            let func = self.ast[fid];
            let mark = self.sess.diagnostics.len();
            let sig = with_scope!(self, scope, self.signature(func.ty));
            self.sess.diagnostics.truncate(mark);
            let Some(sig) = sig else { continue };
            let same = sig.params.len() == d.params.len()
                && (sig.this_quals, sig.ref_qual) == (d.this_quals, d.ref_qual)
                && (d.kind != FnKind::Conversion || sig.ret == d.ret)
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

    /// Whether a declaration is of a function of that name.
    fn may_define(&mut self, d: &FnDecl, decl: ast::DeclId) -> bool {
        let DeclKind::Function(fid) = self.ast[decl].kind else { return false };
        let func = self.ast[fid];
        match d.kind {
            FnKind::Constructor => func.kind == ast::FunctionKind::Constructor,
            FnKind::Destructor => func.kind == ast::FunctionKind::Destructor,
            FnKind::Conversion => func.kind == ast::FunctionKind::Conversion,
            _ => match self.ast[self.ast[decl].name].kind {
                ast::NameKind::Ident(s) => s == d.name,
                ast::NameKind::Operator(op) => self.operator_symbol(op) == d.name,
                _ => false,
            },
        }
    }
}
