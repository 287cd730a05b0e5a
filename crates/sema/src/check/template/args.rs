//! Template arguments: written, defaulted, fitted to their parameters.

use smallvec::SmallVec;
use source::{Diagnostic, Span};
use syntax::ast::{self, DeclKind};

use crate::check::{Checker, Entity, FnId, RTy, ScopeId, ScopeKind, Template, TemplateId, TemplateKind, TemplateParam};
use crate::program::{ExprId, ExprKind};
use crate::types::{QualTy, Quals, TemplateArg, Ty, TyId};

impl Checker<'_> {
    /// A scope that binds parameters to arguments.
    pub(crate) fn bind_args(&mut self, params: &[TemplateParam], args: &[TemplateArg], parent: ScopeId) -> ScopeId {
        let name = self.decls[parent].name;
        let s = self.decls.new_scope(parent, ScopeKind::Template, name);
        self.decls[s].horizon = params.first().map(|p| self.time_of(p.decl));
        for (p, a) in params.iter().zip(args) {
            if let Some(n) = p.name {
                let e = self.arg_entity(a);
                self.decls.bind(s, n, e);
            }
        }
        s
    }

    /// Arguments as written, completed by defaults, for a class, alias or variable template.
    pub(crate) fn template_args(
        &mut self,
        t: TemplateId,
        list: ast::List<ast::TemplateArg>,
        span: Span,
    ) -> Option<Vec<TemplateArg>> {
        let given = self.written_args(t, list)?;
        self.complete_args(t, given, span)
    }

    /// The same with a first argument that is not written: `C<first, arguments…>`.
    pub(crate) fn template_args_after(
        &mut self,
        t: TemplateId,
        first: TemplateArg,
        list: ast::List<ast::TemplateArg>,
        span: Span,
    ) -> Option<Vec<TemplateArg>> {
        let given = self.written_after(t, vec![first], list)?;
        self.complete_args(t, given, span)
    }

    /// The arguments written between `<` and `>`.
    pub(super) fn written_args(
        &mut self,
        t: TemplateId,
        list: ast::List<ast::TemplateArg>,
    ) -> Option<Vec<TemplateArg>> {
        self.written_after(t, Vec::new(), list)
    }

    fn written_after(
        &mut self,
        t: TemplateId,
        mut out: Vec<TemplateArg>,
        list: ast::List<ast::TemplateArg>,
    ) -> Option<Vec<TemplateArg>> {
        let ast = self.ast;
        let tpl = self.decls[t].clone();
        // A function template's pack takes all the others that are written, whatever parameters stand behind it.
        let param = |k: usize| tpl.params.iter().take(k + 1).find(|p| p.pack).or(tpl.params.get(k));
        for a in ast.list(list) {
            match *a {
                ast::TemplateArg::TypePack(ty) => {
                    let p = param(out.len());
                    self.types_expanded(ty, p.is_some_and(|p| !p.is_type), &mut out)?;
                    continue;
                }
                ast::TemplateArg::ExprPack(e) => {
                    self.values_expanded(e, &mut out)?;
                    continue;
                }
                _ => {}
            }
            let p = param(out.len()).copied();
            let is_type = p.is_none_or(|p| p.is_type);
            if let Some(p) = p.filter(|p| p.is_template) {
                let given = self.written_template(a)?;
                if !self.takes_template(&p, &given) {
                    let span = self.template_arg_span(a);
                    self.error(
                        "E0466",
                        span,
                        "template argument has other parameters than the template parameter asks for",
                    );
                    return None;
                }
                out.push(given);
                continue;
            }
            match *a {
                ast::TemplateArg::Type(ty) if is_type => {
                    let mut r = self.resolve(ty);
                    if r.ty == TyId::ERROR {
                        if !self.inst.in_pattern {
                            return None;
                        }
                        r.ty = TyId::DEPENDENT;
                    }
                    out.push(self.type_arg(r.ty, r.quals));
                }
                ast::TemplateArg::Expr(e) if is_type => {
                    let ast::ExprKind::Name(n) = ast[e].kind else {
                        let span = ast[e].span;
                        self.error("E0466", span, "template argument must be a type");
                        return None;
                    };
                    let r = self.resolve_type_name(n);
                    if r.ty == TyId::ERROR {
                        return None;
                    }
                    out.push(self.type_arg(r.ty, r.quals));
                }
                ast::TemplateArg::Expr(e) => {
                    let p = p.filter(|_| !self.inst.in_pattern);
                    if let Some(f) = p.and_then(|p| self.named_function(t, &p, &out, e)) {
                        out.push(f);
                        continue;
                    }
                    if p.is_some_and(|p| self.takes_reference(&p)) {
                        out.push(self.referred_variable(e)?);
                        continue;
                    }
                    let object = p.and_then(|p| self.object_type(t, &p, &out, e));
                    out.push(match object {
                        Some(ty) => self.object_argument(e, ty)?,
                        None => self.written_value(e)?,
                    });
                }
                ast::TemplateArg::Type(ty) if self.inst.in_pattern => {
                    let mark = self.sess.diagnostics.len();
                    let value = self.named_value(ty);
                    self.sess.diagnostics.truncate(mark);
                    out.push(match value {
                        Some(v) if !matches!(v, TemplateArg::Dependent(None)) => v,
                        _ => self.dependent_member(ty),
                    });
                }
                ast::TemplateArg::Type(ty) => out.push(self.named_value(ty)?),
                _ => {}
            }
        }
        Some(out)
    }

    /// A type as a template argument.
    fn type_arg(&self, ty: TyId, quals: Quals) -> TemplateArg {
        TemplateArg::Type(QualTy { ty: self.p.types.canonical(ty), quals })
    }

    /// `T...` among template arguments; whether values are meant, as in `decltype(a)::value...`, which looks like types.
    fn types_expanded(&mut self, ty: ast::TypeId, values: bool, out: &mut Vec<TemplateArg>) -> Option<()> {
        let ast = self.ast;
        let bare = match ast[ty].kind {
            ast::TypeKind::Name(n) => self.bare_pack(n),
            _ => None,
        };
        if let Some(all) = bare.filter(|_| ast[ty].quals == ast::Quals::default()) {
            out.extend(all);
            return Some(());
        }
        if let (ast::TypeKind::Name(n), true) = (ast[ty].kind, values) {
            out.extend(self.named_values(n)?);
            return Some(());
        }
        if self.inst.in_pattern && self.pack_len_in_type(ty, 0).is_none() {
            let r = self.resolve(ty);
            let of = QualTy { ty: if r.ty == TyId::ERROR { TyId::DEPENDENT } else { r.ty }, quals: r.quals };
            out.push(self.expansion(TemplateArg::Type(of)));
            return Some(());
        }
        for r in self.expand_type_pack(ty) {
            out.push(self.type_arg(r.ty, r.quals));
        }
        Some(())
    }

    /// `e...` among template arguments.
    fn values_expanded(&mut self, e: ast::ExprId, out: &mut Vec<TemplateArg>) -> Option<()> {
        let bare = match self.ast[e].kind {
            ast::ExprKind::Name(n) => self.bare_pack(n),
            _ => None,
        };
        if let Some(all) = bare {
            out.extend(all);
            return Some(());
        }
        if self.inst.in_pattern && self.pack_len_in_expr(e, 0).is_none() {
            let one = self.written_value(e)?;
            out.push(self.expansion(one));
            return Some(());
        }
        let Some(count) = self.pack_len_in_expr(e, 0) else {
            let span = self.ast[e].span;
            self.error("E0471", span, "pack expansion does not contain a parameter pack");
            return None;
        };
        for i in 0..count {
            out.push(self.at_element(Some(i), |c| c.written_value(e))?);
        }
        Some(())
    }

    /// The value that looks like a type: `decltype(e)::value`, whose name nothing before it tells apart.
    fn named_value(&mut self, ty: ast::TypeId) -> Option<TemplateArg> {
        let span = self.ast[ty].span;
        let named = match self.ast[ty].kind {
            ast::TypeKind::Name(n) => self.find_name(n).map(|found| (n, found)),
            _ => None,
        };
        let is_type = |c: &Self, e: Option<&Entity>| match e {
            Some(Entity::Template(t)) => matches!(c.decls[*t].kind, TemplateKind::Class | TemplateKind::Alias),
            e => matches!(e, None | Some(Entity::Type(_) | Entity::Tag(_) | Entity::Namespace(_))),
        };
        match named {
            Some((n, found)) if !is_type(self, found.entities.first()) => {
                let v = self.named_expr(&found, n, span);
                let v = self.constant_value(v)?;
                self.value_arg(v, span)
            }
            _ if self.inst.in_pattern => Some(TemplateArg::Dependent(None)),
            _ => {
                self.error("E0466", span, "template argument must be a constant expression, not a type");
                None
            }
        }
    }

    /// The values that a name with parameter packs in it stands for.
    fn named_values(&mut self, n: ast::NameId) -> Option<Vec<TemplateArg>> {
        let span = self.ast[n].span;
        let Some(count) = self.pack_len_in_name(n, 0) else {
            if self.inst.in_pattern {
                return Some(vec![self.expansion(TemplateArg::Dependent(None))]);
            }
            self.error("E0471", span, "pack expansion does not contain a parameter pack");
            return None;
        };
        (0..count)
            .map(|i| {
                let v = self.at_element(Some(i), |c| c.name_value(n, span));
                let v = self.constant_value(v)?;
                self.value_arg(v, span)
            })
            .collect()
    }

    /// `C<arguments>` in a template's signature, where `C` is a parameter: nothing says what it takes.
    pub(crate) fn named_by_parameter(&mut self, param: u32, list: ast::List<ast::TemplateArg>) -> Option<RTy> {
        let ast = self.ast;
        let mut args = Vec::with_capacity(list.len());
        for a in ast.list(list) {
            let one = match *a {
                ast::TemplateArg::Type(ty) | ast::TemplateArg::TypePack(ty) => {
                    let r = self.resolve(ty);
                    let ty = if r.ty == TyId::ERROR { TyId::DEPENDENT } else { r.ty };
                    TemplateArg::Type(QualTy { ty, quals: r.quals })
                }
                ast::TemplateArg::Expr(e) | ast::TemplateArg::ExprPack(e) => match ast[e].kind {
                    ast::ExprKind::Name(n) => match self.try_type_name(n) {
                        Ok(Some(r)) => self.type_arg(r.ty, r.quals),
                        _ => self.written_value(e)?,
                    },
                    _ => self.written_value(e)?,
                },
            };
            let pack = matches!(a, ast::TemplateArg::TypePack(_) | ast::TemplateArg::ExprPack(_));
            args.push(if pack { self.expansion(one) } else { one });
        }
        let ty = Ty::TemplateParamSpec { param, args: args.into_boxed_slice() };
        Some(RTy::plain(self.p.types.intern(ty)))
    }

    /// What the pack of template arguments stands for that a name is.
    fn bare_pack(&mut self, n: ast::NameId) -> Option<Vec<TemplateArg>> {
        let sym = self.ast.plain_name(n)?;
        match self.lookup(sym)?.entities.first() {
            Some(Entity::Pack(p)) => self.inst.packs.get(p.0 as usize).cloned(),
            _ => None,
        }
    }

    /// The argument of a template template parameter.
    fn written_template(&mut self, a: &ast::TemplateArg) -> Option<TemplateArg> {
        let span = self.template_arg_span(a);
        let name = match *a {
            ast::TemplateArg::Type(ty) => match self.ast[ty].kind {
                ast::TypeKind::Name(n) => Some(n),
                _ => None,
            },
            ast::TemplateArg::Expr(e) => match self.ast[e].kind {
                ast::ExprKind::Name(n) => Some(n),
                _ => None,
            },
            ast::TemplateArg::TypePack(_) | ast::TemplateArg::ExprPack(_) => None,
        };
        let named = name.and_then(|n| self.template_named(n));
        if named.is_none() {
            self.error("E0466", span, "template argument must be a class or alias template");
        }
        named
    }

    fn template_arg_span(&self, a: &ast::TemplateArg) -> Span {
        match *a {
            ast::TemplateArg::Type(ty) | ast::TemplateArg::TypePack(ty) => self.ast[ty].span,
            ast::TemplateArg::Expr(e) | ast::TemplateArg::ExprPack(e) => self.ast[e].span,
        }
    }

    /// Whether a template is at least as specialised as a template template parameter asks for: as many parameters of the same
    /// kinds, but for packs and for more that have defaults (C++17, 17.3.3).
    fn takes_template(&mut self, p: &TemplateParam, given: &TemplateArg) -> bool {
        let ast::DeclKind::TemplateParam { params, .. } = self.ast[p.decl].kind else { return true };
        let &TemplateArg::Template(name) = given else { return true };
        let Some(t) = self.decls.template_at(name) else { return true };
        let (asked, tpl) = (self.template_params(params), self.decls[t].clone());
        if asked.iter().chain(&tpl.params).any(|p| p.pack) {
            return true;
        }
        let kind = |p: &TemplateParam| (p.is_type, p.is_template);
        let defaulted = |i: usize| self.with_default(&tpl, i).is_some();
        asked.len() <= tpl.params.len()
            && asked.iter().zip(&tpl.params).all(|(a, b)| kind(a) == kind(b))
            && (asked.len()..tpl.params.len()).all(defaulted)
    }

    /// The class or alias template that a name without arguments stands for.
    fn template_named(&mut self, n: ast::NameId) -> Option<TemplateArg> {
        if self.ast[n].args.is_some() {
            return None;
        }
        self.find_name(n)?.entities.iter().find_map(|e| match *e {
            Entity::Template(t) if matches!(self.decls[t].kind, TemplateKind::Class | TemplateKind::Alias) => {
                let t = self.plain_alias(t).unwrap_or(t);
                Some(TemplateArg::Template(self.decls[t].path))
            }
            // The injected name of a class template.
            Entity::Type(t) => {
                let t = self.injected(t.ty)?;
                Some(TemplateArg::Template(self.decls[t].path))
            }
            Entity::DependentConst(i) if self.inst.in_pattern => Some(self.parameter_argument(i)),
            _ => None,
        })
    }

    /// The class template that an alias template is, if it hands on its parameters as they are: that is the same template
    /// (CWG 1286, as nvcc has it).
    fn plain_alias(&mut self, t: TemplateId) -> Option<TemplateId> {
        let tpl = self.decls[t].clone();
        let DeclKind::Typedef { ty } = self.ast[tpl.decl].kind else { return None };
        let ast::TypeKind::Name(n) = self.ast[ty].kind else { return None };
        let args = self.ast.list(self.ast[n].args?);
        let same = |(a, p): (&ast::TemplateArg, &TemplateParam)| match *a {
            ast::TemplateArg::Type(ty) => match self.ast[ty].kind {
                ast::TypeKind::Name(n) => self.ast[n].args.is_none() && self.ast.plain_name(n) == p.name,
                _ => false,
            },
            _ => false,
        };
        if args.len() != tpl.params.len() || !args.iter().zip(&tpl.params).all(same) {
            return None;
        }
        self.beyond_blocks(tpl.scope, |c| c.find_name(n))?.entities.iter().find_map(|e| match e {
            Entity::Template(t) if self.decls[*t].kind == TemplateKind::Class => Some(*t),
            _ => None,
        })
    }

    fn written_value(&mut self, e: ast::ExprId) -> Option<TemplateArg> {
        let span = self.ast[e].span;
        if self.inst.in_pattern {
            if let ast::ExprKind::Name(n) = self.ast[e].kind
                && let Some(sym) = self.ast.plain_name(n)
                && let Some(found) = self.lookup(sym)
                && let Some(Entity::DependentConst(i)) = found.entities.first()
            {
                return Some(self.parameter_argument(*i));
            }
            let mark = self.sess.diagnostics.len();
            let v = self.constant_expr(e);
            self.sess.diagnostics.truncate(mark);
            return Some(match v.and_then(|v| self.value_arg_quiet(v)) {
                Some(a) => a,
                None => self.dependent_argument(e),
            });
        }
        let v = self.constant_expr(e)?;
        self.value_arg(v, span)
    }

    pub(super) fn value_arg_quiet(&mut self, v: ExprId) -> Option<TemplateArg> {
        match self.e(v).kind {
            ExprKind::Null => return Some(TemplateArg::Int { value: 0, ty: self.ty(v) }),
            ExprKind::FuncAddr(f) => {
                let fns = &self.decls.fns;
                let id = fns.iter().position(|d| d.func == Some(f))?;
                return Some(self.function_arg(FnId(id as u32)));
            }
            _ => {}
        }
        if self.p.types.is_pointer(self.ty(v)) {
            return self.variable_address(v);
        }
        let i = self.int_constant(v)?;
        Some(TemplateArg::Int { value: i as i64, ty: self.ty(v) })
    }

    /// A function as an argument.
    pub(crate) fn function_arg(&mut self, f: FnId) -> TemplateArg {
        let symbol = self.function_symbol(f);
        TemplateArg::Function { id: f.0, path: self.decls[f].path, symbol: self.sess.intern(&symbol) }
    }

    fn value_arg(&mut self, v: ExprId, span: Span) -> Option<TemplateArg> {
        let v = self.rvalue(v);
        if let Some(a) = self.value_arg_quiet(v) {
            return Some(a);
        }
        if !self.is_err(v) {
            self.report(
                Diagnostic::error("E0467", span, "template argument is not an integral constant expression")
                    .help("template arguments must be known when the kernel is compiled"),
            );
        }
        None
    }

    /// Fills up with defaults, gathers packs, converts values to their parameters' types.
    fn complete_args(&mut self, t: TemplateId, given: Vec<TemplateArg>, span: Span) -> Option<Vec<TemplateArg>> {
        let tpl = self.decls[t].clone();
        let mut out: Vec<TemplateArg> = Vec::with_capacity(tpl.params.len());
        let mut rest = given.into_iter();
        for p in &tpl.params {
            if p.pack {
                let all = TemplateArg::Pack(rest.by_ref().collect());
                if !self.fits_parameter(&tpl, p, &all, &out, span) {
                    return None;
                }
                out.push(self.fit_arg(&tpl, p, all, &out));
                continue;
            }
            let a = match rest.next() {
                Some(a) => a,
                None => match self.default_arg(&tpl, p, &out) {
                    Some(a) => a,
                    None => {
                        let name = self.text(tpl.name).to_owned();
                        let d = Diagnostic::error("E0468", span, format!("too few template arguments for `{name}`"))
                            .label(tpl.span, "template declared here");
                        self.report(d);
                        return None;
                    }
                },
            };
            if matches!(a, TemplateArg::Expansion { .. }) && tpl.kind == TemplateKind::Class {
                // In a signature, `C<T...>` is all of the arguments that a class has, those by default, too.
                out.push(a);
                out.extend(rest);
                return Some(out);
            }
            if !self.fits_parameter(&tpl, p, &a, &out, span) {
                return None;
            }
            out.push(self.fit_arg(&tpl, p, a, &out));
        }
        if rest.next().is_some() {
            let name = self.text(tpl.name).to_owned();
            let d = Diagnostic::error("E0468", span, format!("too many template arguments for `{name}`"))
                .label(tpl.span, "template declared here");
            self.report(d);
            return None;
        }
        Some(out)
    }

    pub(super) fn default_arg(
        &mut self,
        tpl: &Template,
        p: &TemplateParam,
        so_far: &[TemplateArg],
    ) -> Option<TemplateArg> {
        let index = tpl.params.iter().position(|q| q.decl == p.decl)?;
        let (params, p) = self.with_default(tpl, index)?;
        let around = self.around_template(tpl, so_far);
        let scope = self.bind_args(params, so_far, around);
        match self.ast[p.decl].kind {
            DeclKind::TypeParam { default: Some(ty), .. } => {
                let r = self.beyond_blocks(scope, |c| c.resolve(ty));
                (r.ty != TyId::ERROR).then_some(self.type_arg(r.ty, r.quals))
            }
            DeclKind::TemplateParam { default: Some(ty), .. } => match self.ast[ty].kind {
                ast::TypeKind::Name(n) => self.beyond_blocks(scope, |c| c.template_named(n)),
                _ => None,
            },
            // Of a pattern's placeholders only the arguments will tell (`Array<T, N, (bits<T>::value >= 32)>`).
            DeclKind::Param { default: Some(e), .. } if self.inst.in_pattern => {
                self.beyond_blocks(scope, |c| c.written_value(e))
            }
            DeclKind::Param { default: Some(e), .. } => {
                let v = self.beyond_blocks(scope, |c| c.constant_expr(e))?;
                self.value_arg(v, self.ast[e].span)
            }
            _ => None,
        }
    }

    /// Whether a value's parameter has a type for the arguments before it, `enable_if` asks for one that there may not be, and
    /// the value converts to it.
    fn fits_parameter(
        &mut self,
        tpl: &Template,
        p: &TemplateParam,
        a: &TemplateArg,
        so_far: &[TemplateArg],
        span: Span,
    ) -> bool {
        let Some((from, to)) = self.value_types(tpl, p, a, so_far) else { return true };
        if let Some(other) = self.of_another_enumeration(&from, to) {
            let (f, t) = (self.show(other), self.show(to));
            self.error("E0315", span, format!("a template argument of type `{f}` is none of type `{t}`"));
            return false;
        }
        to != TyId::ERROR || p.pack
    }

    /// Whether a given value, or each of a pack, converts to its parameter's type; it does where that is not known yet.
    pub(super) fn takes_value(
        &mut self,
        tpl: &Template,
        p: &TemplateParam,
        a: &TemplateArg,
        so_far: &[TemplateArg],
    ) -> bool {
        let mark = self.sess.diagnostics.len();
        let types = self.substituting(true, |c| c.value_types(tpl, p, a, so_far));
        self.sess.diagnostics.truncate(mark);
        types.is_none_or(|(from, to)| self.of_another_enumeration(&from, to).is_none())
    }

    /// The types that values have, and that of their parameter, where the second is to be looked at.
    fn value_types(
        &mut self,
        tpl: &Template,
        p: &TemplateParam,
        a: &TemplateArg,
        so_far: &[TemplateArg],
    ) -> Option<(SmallVec<[TyId; 4]>, TyId)> {
        let values = match a {
            TemplateArg::Pack(all) => all,
            a => std::slice::from_ref(a),
        };
        let mut from: SmallVec<[TyId; 4]> = SmallVec::new();
        for v in values {
            if let TemplateArg::Int { ty, .. } = *v
                && !from.contains(&ty)
            {
                from.push(ty);
            }
        }
        let ty = self.value_parameter(p).filter(|_| !from.is_empty())?;
        let plain = matches!(self.ast[ty].kind, ast::TypeKind::Builtin(_)) && !from.iter().any(|&t| self.is_scoped(t));
        if plain || self.inst.in_pattern || so_far.iter().any(|a| self.p.types.arg_is_dependent(a)) {
            return None;
        }
        let around = self.around_template(tpl, so_far);
        let scope = self.bind_args(&tpl.params, so_far, around);
        Some((from, self.beyond_blocks(scope, |c| c.resolve_ty(ty))))
    }

    /// Of types of values one that does not convert to a parameter's: numbers are no enumerators, and scoped enumerators are no
    /// numbers (C++17, 8.20).
    fn of_another_enumeration(&self, from: &[TyId], to: TyId) -> Option<TyId> {
        if to == TyId::ERROR || self.p.types.is_dependent(to) {
            return None;
        }
        let to_enumeration = matches!(self.p.types.get(to), Ty::Enum(_));
        from.iter().copied().find(|&from| from != to && (to_enumeration || self.is_scoped(from)))
    }

    fn is_scoped(&self, ty: TyId) -> bool {
        matches!(*self.p.types.get(ty), Ty::Enum(e) if self.p.types.enumeration(e).scoped)
    }

    /// The type of a value's parameter, or of each of a pack of them, as it is written; none where the value has its own.
    fn value_parameter(&self, p: &TemplateParam) -> Option<ast::TypeId> {
        let DeclKind::Param { mut ty, .. } = self.ast[p.decl].kind else { return None };
        while let ast::TypeKind::Pack(of) = self.ast[ty].kind {
            ty = of;
        }
        (!self.has_auto(ty)).then_some(ty)
    }

    /// A value argument in its parameter's type, or a pack of them.
    pub(super) fn fit_arg(
        &mut self,
        tpl: &Template,
        p: &TemplateParam,
        a: TemplateArg,
        so_far: &[TemplateArg],
    ) -> TemplateArg {
        let value = |a: &TemplateArg| matches!(a, TemplateArg::Int { .. });
        let any = match &a {
            TemplateArg::Pack(all) => all.iter().any(value),
            a => value(a),
        };
        let Some(ty) = self.value_parameter(p).filter(|_| any) else { return a };
        let around = self.around_template(tpl, so_far);
        let scope = self.bind_args(&tpl.params, so_far, around);
        let mark = self.sess.diagnostics.len();
        let fitted = self.beyond_blocks(scope, |c| match a {
            // Each has a type of its own: `template <class... T> struct S { template <T... V> …`.
            TemplateArg::Pack(all) if c.pack_len_in_type(ty, 0) == Some(all.len()) => {
                let each = all.into_iter().enumerate().map(|(i, a)| {
                    let to = c.at_element(Some(i), |c| c.resolve_ty(ty));
                    c.fit_value(a, to)
                });
                TemplateArg::Pack(each.collect())
            }
            TemplateArg::Pack(all) => {
                let to = c.resolve_ty(ty);
                TemplateArg::Pack(all.into_iter().map(|a| c.fit_value(a, to)).collect())
            }
            a => {
                let to = c.resolve_ty(ty);
                c.fit_value(a, to)
            }
        });
        self.sess.diagnostics.truncate(mark);
        fitted
    }

    fn fit_value(&self, a: TemplateArg, to: TyId) -> TemplateArg {
        let TemplateArg::Int { value, ty } = a else { return a };
        match self.int_shape(to) {
            Some((w, s)) => {
                let v = if to == TyId::BOOL {
                    i64::from(value != 0)
                } else {
                    crate::num::ConstInt::from_i128(i128::from(value), w, s).as_i64()
                };
                TemplateArg::Int { value: v, ty: to }
            }
            None if value == 0 && self.p.types.is_pointer(to) => TemplateArg::Int { value, ty: to },
            None => TemplateArg::Int { value, ty },
        }
    }
}
