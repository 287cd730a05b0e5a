//! Members of classes that are defined outside of them.

use syntax::ast::{self, DeclKind};

use crate::check::{Checker, Entity, FnId, FnKind, RTy, ScopeId, Template, TemplateId, TemplateKind, with_scope};
use crate::types::RecordId;

impl Checker<'_> {
    /// `template<class T> R C<T>::f(…) {…}`, and `template<class U> R C::f(…) {…}` of a class that is no template.
    /// `named` is the declaration with the member's name: `decl`, or what is below its own `template<…>`.
    pub(super) fn out_of_line_member(&mut self, params: ast::List<ast::DeclId>, decl: ast::DeclId, named: ast::DeclId) {
        let ast = self.ast;
        let d = ast[named];
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
                Some(Entity::Type(t)) => self.p.types.as_record(t.ty).map(|r| self.decls[r].scope),
                Some(Entity::Tag(t)) => self.p.types.as_record(*t).map(|r| self.decls[r].scope),
                _ => None,
            });
        }
        let found = match scope {
            Some(at) => self.lookup_in(at, sym),
            None => self.lookup(sym),
        };
        let entities = found.map(|f| f.entities).unwrap_or_default();
        for e in entities {
            match e {
                Entity::Template(t) => return self.decls[t].out_of_line.push((params, decl)),
                Entity::Type(RTy { ty, .. }) | Entity::Tag(ty) if decl == named => {
                    let Some(r) = self.p.types.as_record(ty) else { continue };
                    if self.define_member_class(r, params, decl) || self.define_member_template(r, params, decl) {
                        return;
                    }
                }
                _ => {}
            }
        }
        let name = self.name_text(d.name);
        self.error("E0343", d.span, format!("`{name}` does not name a member of a class template"));
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
        self.decls[t].params = self.template_params(params);
        self.decls[t].decl = decl;
        true
    }

    /// Gives a member template of the class `r` its definition. Whether there is such a member.
    fn define_member_template(&mut self, r: RecordId, params: ast::List<ast::DeclId>, decl: ast::DeclId) -> bool {
        let Some(name) = self.template_name(&self.ast[decl].clone()) else { return false };
        let scope = self.decls[r].scope;
        let found = self.lookup_in(scope, name).map(|f| f.entities).unwrap_or_default();
        let templates = found.iter().filter_map(|e| if let Entity::Template(t) = e { Some(*t) } else { None });
        for t in templates.collect::<Vec<_>>() {
            let tpl = self.decls[t].clone();
            if self.has_body(tpl.decl) {
                continue;
            }
            if let Some(defined) = self.as_defined(&tpl, params, decl, scope) {
                self.decls[t].decl = defined.decl;
                self.decls[t].params = defined.params;
                return true;
            }
        }
        false
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
        let defined = Template { decl, params, scope, ..tpl.clone() };
        let (pattern, ret, variadic) = self.pattern_of(&defined)?;
        (pattern == tpl.pattern && ret == tpl.pattern_ret && variadic == tpl.variadic_pattern).then_some(defined)
    }

    /// A function template with its body: a member template of a class template may be defined outside of it.
    fn definition_of(&mut self, t: TemplateId) -> Template {
        let tpl = self.decls[t].clone();
        let class = tpl.record.and_then(|r| Some((r, self.decls[r].instance.clone()?)));
        let (false, Some((r, (class, args)))) = (self.has_body(tpl.decl), class) else { return tpl };
        for (outer, decl) in self.decls[class].out_of_line.clone() {
            let DeclKind::Template { params, decl } = self.ast[decl].kind else { continue };
            let outer = self.template_params(outer);
            let scope = self.bind_args(&outer, &args, self.decls[r].scope);
            if let Some(defined) = self.as_defined(&tpl, params, decl, scope) {
                return defined;
            }
        }
        tpl
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
                && (sig.this_quals, sig.ref_qual) == (d.this_quals, d.ref_qual)
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
