//! Class template argument deduction: `Pair p{1, 2.f};` (C++17, 16.3.1.8).
//!
//! Each constructor of the primary template is a function template with the class's parameters before its own, each
//! deduction guide a function; overload resolution among them says what the class's arguments are. Of an aggregate that
//! none of them fits the members' types say it ([`super::aggregate`], C++20).

use source::{Diagnostic, Span};
use syntax::ast::{self, DeclKind, FunctionKind, Init};

use crate::check::call::Arg;
use crate::check::{Checker, Entity, FnId, Template, TemplateId, TemplateKind, with_scope};
use crate::types::{NameKind as TreeName, Ty, TyId};

impl Checker<'_> {
    /// The class template that a type without template arguments names, where those must be deduced.
    pub(crate) fn placeholder_class(&mut self, ty: ast::TypeId) -> Option<TemplateId> {
        match self.ast[ty].kind {
            ast::TypeKind::Name(n) => self.placeholder_name(n),
            _ => None,
        }
    }

    /// The same for a name.
    pub(crate) fn placeholder_name(&mut self, n: ast::NameId) -> Option<TemplateId> {
        if self.inst.in_pattern || !self.is_cxx() || self.decls.templates.is_empty() || self.ast[n].args.is_some() {
            return None;
        }
        let t = match self.ast.plain_name(n) {
            Some(sym) => {
                let found = self.lookup(sym)?;
                self.class_template_in(&found.entities)
            }
            None => {
                let mark = self.sess.diagnostics.len();
                let found = self.find_name(n);
                self.sess.diagnostics.truncate(mark);
                self.class_template_in(&found?.entities)
            }
        }?;
        let guided = || self.decls.guides.iter().any(|(of, _)| *of == t);
        (!self.has_all_defaults(t) || guided() || self.instance_around(t).is_none()).then_some(t)
    }

    /// Whether a class template is a class as it stands, without an initialiser that says more.
    fn has_all_defaults(&self, t: TemplateId) -> bool {
        let tpl = &self.decls[t];
        (0..tpl.params.len()).all(|i| tpl.params[i].pack || self.with_default(tpl, i).is_some())
    }

    fn class_template_in(&self, found: &[Entity]) -> Option<TemplateId> {
        match found.first()? {
            Entity::Template(t) if self.decls[*t].kind == TemplateKind::Class => Some(*t),
            _ => None,
        }
    }

    /// The class that a declaration's initialiser makes of a class template's name.
    pub(crate) fn deduce_class_from(&mut self, t: TemplateId, init: Init, span: Span) -> Option<TyId> {
        let args = self.init_args(init);
        // Whoever checks the initialiser next gets these values: they are checked once.
        let ast = self.ast;
        let written: Vec<ast::ExprId> = match init {
            Init::None => Vec::new(),
            Init::Copy(e) | Init::Brace(e) => match ast[e].kind {
                ast::ExprKind::InitList(items) => ast.list(items).iter().map(|i| i.value).collect(),
                _ => vec![e],
            },
            Init::Paren(list) => ast.list(list).to_vec(),
        };
        if written.len() == args.len() {
            for (&e, a) in written.iter().zip(&args) {
                if let (Arg::Expr(v), false) = (a, matches!(ast[e].kind, ast::ExprKind::Pack(_))) {
                    self.cx.checked_args.push((e, *v));
                }
            }
        }
        self.deduce_class(t, &args, span)
    }

    /// The class that arguments of an initialisation make of a class template's name.
    pub(crate) fn deduce_class(&mut self, t: TemplateId, args: &[Arg], span: Span) -> Option<TyId> {
        if args.iter().any(|a| matches!(a, Arg::Expr(e) if self.is_err(*e))) {
            return None;
        }
        // Of an object of the class it is a copy.
        if let [Arg::Expr(e)] = args
            && let Some(r) = self.p.types.as_record(self.ty(*e))
            && self.decls[r].instance.as_ref().is_some_and(|(of, _)| *of == t)
        {
            return Some(self.ty(*e));
        }
        let guides: Vec<Entity> = self.decls.guides.iter().filter(|(of, _)| *of == t).map(|(_, e)| *e).collect();
        let mut all = self.constructor_guides(t);
        all.extend(&guides);
        let mark = self.sess.diagnostics.len();
        let mut found = self.resolve_overload(&all, None, args, None, span, false);
        if found.is_none() && !guides.is_empty() {
            // Guides go before constructors that fit as well.
            found = self.resolve_overload(&guides, None, args, None, span, false);
        }
        self.sess.diagnostics.truncate(mark);
        if found.is_none() && args.is_empty() && self.has_all_defaults(t) {
            let defaults = self.template_args(t, ast::List::EMPTY, span)?;
            return self.class_instance(t, defaults, span);
        }
        if found.is_none()
            && let Some(deduced) = self.aggregate_args(t, args)
        {
            return self.class_instance(t, deduced, span);
        }
        let Some(f) = found else {
            let name = self.text(self.decls[t].name).to_owned();
            let d = Diagnostic::error("E0478", span, format!("cannot deduce the template arguments of `{name}`"))
                .label(self.decls[t].span, "template declared here")
                .help(format!("write them: `{name}<…>`, or declare a deduction guide: `{name}(T) -> {name}<T>;`"));
            self.report(d);
            return None;
        };
        self.guided_class(t, f, span)
    }

    /// The class that a chosen guide or constructor stands for.
    fn guided_class(&mut self, t: TemplateId, f: FnId, span: Span) -> Option<TyId> {
        let d = &self.decls[f];
        let is_guide = d.ast.is_some_and(
            |a| matches!(self.ast[a].kind, DeclKind::Function(f) if self.ast[f].kind == FunctionKind::Guide),
        );
        if is_guide {
            return matches!(self.p.types.get(d.ret), Ty::Record(_)).then_some(d.ret);
        }
        let args = self.p.types.name(d.path).args.clone()?;
        let n = self.decls[t].params.len();
        self.class_instance(t, args.get(..n)?.to_vec(), span)
    }

    /// The constructors of a class template as function templates.
    fn constructor_guides(&mut self, t: TemplateId) -> Vec<Entity> {
        if let Some(known) = self.inst.constructor_guides.get(&t) {
            return known.clone();
        }
        let ast = self.ast;
        let tpl = self.decls[t].clone();
        let mut out = Vec::new();
        let DeclKind::Record(r) = ast[tpl.decl].kind else { return out };
        for &m in ast.list(ast[r].members) {
            let (own, decl) = match ast[m].kind {
                DeclKind::Template { params, decl } => (params, decl),
                DeclKind::HostView(inner) if self.reads_host() => (ast::List::EMPTY, inner),
                _ => (ast::List::EMPTY, m),
            };
            if !matches!(ast[decl].kind, DeclKind::Function(f) if ast[f].kind == FunctionKind::Constructor) {
                continue;
            }
            let mut params = tpl.params.clone();
            params.extend(self.template_params(own));
            let made = Template {
                kind: TemplateKind::Function,
                span: ast[decl].span,
                params,
                decl,
                specs: crate::check::Specialisations::default(),
                out_of_line: Vec::new(),
                guide_of: Some(t),
                ..Template::clone(&tpl)
            };
            let Some((pattern, ret, variadic)) = self.pattern_of(&made) else { continue };
            let parent = self.decls[tpl.scope].name;
            let path = self.p.types.child_name(parent, TreeName::Entity(tpl.name));
            let made = Template { pattern, pattern_ret: ret, variadic_pattern: variadic, path, record: None, ..made };
            out.push(Entity::Template(self.decls.add_template(made)));
        }
        self.inst.constructor_guides.insert(t, out.clone());
        out
    }

    /// `template<…> C(T) -> C<T>;`, or without parameters of its own.
    pub(crate) fn declare_guide(&mut self, params: ast::List<ast::DeclId>, decl: ast::DeclId) {
        let d = self.ast[decl];
        let DeclKind::Function(f) = d.kind else { return };
        let Some(sym) = self.ast.plain_name(d.name) else { return };
        let found = self.lookup(sym).map(|f| f.entities).unwrap_or_default();
        let Some(of) = self.class_template_in(&found) else {
            let name = self.text(sym).to_owned();
            self.error("E0465", d.span, format!("deduction guide for `{name}`, which is not a class template"));
            return;
        };
        let entity = if params.is_empty() {
            let func = self.ast[f];
            let Some(sig) = self.signature(func.ty) else { return };
            let made = self.make_fn(decl, &d, &func, sig, None, false);
            Entity::Fn(self.push_fn(made))
        } else {
            let params = self.template_params(params);
            let name = self.decls[of].name;
            let t = self.new_template(TemplateKind::Function, name, params, decl, &d, None);
            let scope = self.scope;
            if !with_scope!(self, scope, self.function_pattern(t)) {
                return;
            }
            Entity::Template(t)
        };
        self.decls.guides.push((of, entity));
    }
}
