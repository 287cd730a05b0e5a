//! Class, alias and variable templates.

use source::{Diagnostic, Severity, Span};
use syntax::ast::{self, DeclKind};

use super::Bound;
use crate::check::{
    Checker, MAX_INSTANTIATION_DEPTH, MAX_INSTANTIATIONS, Pattern, RTy, ScopeId, Specialisation, Template, TemplateId,
    TemplateKind, TemplateParam, VarDecl, VarId, with_scope,
};
use crate::program::ExprId;
use crate::types::{NameKind as TreeName, Quals, RecordId, TemplateArg, Ty, TyId};

/// Which pattern of a template a declaration is.
fn pattern_at(tpl: &Template, decl: ast::DeclId) -> Pattern {
    tpl.specs.of_decl(decl).map_or(Pattern::Primary, Pattern::Specialisation)
}

impl Checker<'_> {
    /// The type that a class or alias template with arguments names.
    pub(crate) fn template_type(
        &mut self,
        t: TemplateId,
        args: Option<ast::List<ast::TemplateArg>>,
        span: Span,
    ) -> Option<RTy> {
        let list = args.unwrap_or(ast::List::EMPTY);
        if let (None, Some((of, ty))) = (args, self.cx.deduced_class)
            && of == t
        {
            return Some(RTy::plain(ty));
        }
        // Inside the class the bare name is the class itself.
        if args.is_none()
            && let Some(r) = self.instance_around(t)
        {
            return Some(RTy::plain(self.p.types.intern(Ty::Record(r))));
        }
        let args = self.template_args(t, list, span)?;
        if args.iter().any(|a| self.p.types.arg_is_dependent(a)) {
            if self.decls[t].kind == TemplateKind::Alias {
                return self.alias_type(t, &args);
            }
            let name = self.decls[t].path;
            return Some(RTy::plain(self.p.types.intern(Ty::TemplateSpec { name, args: args.into_boxed_slice() })));
        }
        if self.decls[t].kind == TemplateKind::Alias {
            return self.alias_type(t, &args);
        }
        self.class_instance(t, args, span).map(RTy::plain)
    }

    /// The instance of a class template in which names are looked up, if they are in one.
    pub(super) fn instance_around(&self, t: TemplateId) -> Option<RecordId> {
        let mut at = Some(self.scope);
        while let Some(s) = at {
            let r = self.record_of_scope(s);
            let found = r.filter(|&r| self.decls[r].instance.as_ref().is_some_and(|(i, _)| *i == t));
            if found.is_some() {
                return found;
            }
            at = self.decls[s].parent;
        }
        None
    }

    fn alias_type(&mut self, t: TemplateId, args: &[TemplateArg]) -> Option<RTy> {
        let tpl = self.decls[t].clone();
        let DeclKind::Typedef { ty } = self.ast[tpl.decl].kind else { return None };
        if self.inst.depth >= MAX_INSTANTIATION_DEPTH {
            self.error("E0450", tpl.span, format!("templates nest deeper than {MAX_INSTANTIATION_DEPTH}"));
            return None;
        }
        self.inst.depth += 1;
        let scope = self.bind_args(&tpl.params, args, tpl.scope);
        let dependent = args.iter().any(|a| self.p.types.arg_is_dependent(a));
        if !dependent && !self.satisfies(tpl.decl, scope) {
            self.inst.depth -= 1;
            return None;
        }
        let r = self.beyond_blocks(scope, |c| c.resolve(ty));
        self.inst.depth -= 1;
        (r.ty != TyId::ERROR).then_some(r)
    }

    /// The instance of a class template; its body is read when it must be complete.
    pub(crate) fn class_instance(&mut self, t: TemplateId, args: Vec<TemplateArg>, span: Span) -> Option<TyId> {
        let key = (t, args.into_boxed_slice());
        if let Some(&ty) = self.inst.class_instances.get(&key) {
            return Some(ty);
        }
        if !self.count_instantiation(span) {
            return None;
        }
        let tpl = self.decls[t].clone();
        let parent = self.decls[tpl.scope].name;
        let path = self.p.types.new_name(parent, TreeName::Type(tpl.name), Some(key.1.clone()));
        let chosen = self.chosen_pattern(t, &tpl, &key.1);
        let scope = self.pattern_bound(chosen.0, &chosen.1, &chosen.2, tpl.scope);
        // Those of specialisations are satisfied, otherwise they were not chosen.
        let of_primary = self.primary_scope(&tpl, &chosen.0, scope, &key.1);
        if !self.satisfies(tpl.decl, of_primary) {
            let name = self.text(tpl.name).to_owned();
            let d = Diagnostic::error("E0479", span, format!("the constraints of `{name}` are not satisfied"))
                .label(tpl.span, "declared here");
            self.report(d);
            return None;
        }
        let defined = matches!(self.ast[chosen.0].kind, DeclKind::Record(r) if self.ast[r].defined);
        let is_union = matches!(self.ast[chosen.0].kind, DeclKind::Record(r)
            if self.ast[r].tag == ast::TagKind::Union);
        let ty = self.new_record(path, is_union, tpl.span, scope);
        let r = self.p.types.as_record(ty)?;
        self.decls[r].instance = Some((t, key.1.clone()));
        self.decls[r].chosen_among = (Some(tpl.decl), tpl.specs.len());
        self.decls[r].made_from = (pattern_at(&tpl, chosen.0), chosen.2);
        if defined {
            self.decls[r].lazy = Some((chosen.0, scope));
        }
        self.inst.class_instances.insert(key, ty);
        Some(ty)
    }

    /// Chooses again what an instance is made of that was named before its template was defined, or before a specialisation
    /// that fits it was declared. Nothing has been read of it yet.
    pub(crate) fn choose_again(&mut self, r: RecordId) {
        let Some((t, _)) = self.decls[r].instance else { return };
        let there = (Some(self.decls[t].decl), self.decls[t].specs.len());
        if self.decls[r].chosen_among == there || self.decls[r].ast.is_some() {
            return;
        }
        self.decls[r].chosen_among = there;
        let Some((_, args)) = self.decls[r].instance.clone() else { return };
        let tpl = self.decls[t].clone();
        let (decl, params, bound) = self.chosen_pattern(t, &tpl, &args);
        let DeclKind::Record(body) = self.ast[decl].kind else { return };
        if self.ast[body].defined && self.decls[r].lazy.is_none_or(|(old, _)| old != decl) {
            let scope = self.pattern_bound(decl, &params, &bound, tpl.scope);
            self.decls[r].made_from = (pattern_at(&tpl, decl), bound);
            let own = self.decls[r].scope;
            self.decls[own].parent = Some(scope);
            self.p.types.records[r.0 as usize].is_union = self.ast[body].tag == ast::TagKind::Union;
            self.decls[r].lazy = Some((decl, scope));
        }
    }

    /// Binds the parameters of what an instance is made from. A specialisation without any sees what stands before it, too.
    fn pattern_bound(
        &mut self,
        decl: ast::DeclId,
        params: &[TemplateParam],
        args: &[TemplateArg],
        outer: ScopeId,
    ) -> ScopeId {
        let scope = self.bind_args(params, args, outer);
        if params.is_empty() {
            self.decls[scope].horizon = Some(self.time_of(decl));
        }
        scope
    }

    /// The declaration that stands for these arguments, its parameters, and what they are.
    fn chosen_pattern(
        &mut self,
        t: TemplateId,
        tpl: &Template,
        args: &[TemplateArg],
    ) -> (ast::DeclId, Vec<TemplateParam>, Vec<TemplateArg>) {
        // The most specialised pattern that fits; later ones win among equals.
        let mut chosen = (tpl.decl, tpl.params.clone(), args.to_vec(), 0usize);
        let mut among: Option<(&Specialisation, ScopeId)> = None;
        for s in tpl.specs.candidates(args).into_iter().map(|at| &tpl.specs[at]) {
            let mut bound: Bound = vec![None; s.params.len()];
            let fits = s.args.len() == args.len()
                && s.args.iter().zip(args.iter()).all(|(p, a)| self.unify_arg(p, a, &mut bound));
            if fits && bound.iter().all(Option::is_some) && self.substitutes((t, tpl), s, &bound, args) {
                let given: Vec<TemplateArg> = bound.into_iter().flatten().collect();
                let scope = self.constraint_scope(s, &given, tpl.scope);
                if !self.satisfies(s.decl, scope) {
                    continue;
                }
                let score = 1
                    + s.args
                        .iter()
                        .filter(|a| {
                            !matches!(a, TemplateArg::Param(_))
                                && !matches!(a,
                    TemplateArg::Type(q) if matches!(self.p.types.get(q.ty), Ty::TemplateParam(_)))
                        })
                        .count()
                    + usize::from(s.params.is_empty()) * 64;
                let better = match among {
                    None => true,
                    Some((old, of)) => match (self.specialises(s, old), self.specialises(old, s)) {
                        (true, false) => true,
                        (false, true) => false,
                        _ => match (self.demands_more(s, scope, old, of), self.demands_more(old, of, s, scope)) {
                            (true, false) => true,
                            (false, true) => false,
                            _ => score > chosen.3,
                        },
                    },
                };
                if better {
                    among = Some((s, scope));
                    chosen = (s.decl, s.params.clone(), given, score);
                }
            }
        }
        (chosen.0, chosen.1, chosen.2)
    }

    /// Where the constraints of the template itself are looked at.
    fn primary_scope(&mut self, tpl: &Template, chosen: &ast::DeclId, scope: ScopeId, args: &[TemplateArg]) -> ScopeId {
        if *chosen == tpl.decl || !self.ast.constraints.contains_key(&tpl.decl) {
            return scope;
        }
        self.bind_args(&tpl.params, args, tpl.scope)
    }

    /// Where the constraints of a specialisation are looked at.
    fn constraint_scope(&mut self, s: &Specialisation, given: &[TemplateArg], outer: ScopeId) -> ScopeId {
        if self.ast.constraints.contains_key(&s.decl) { self.bind_args(&s.params, given, outer) } else { outer }
    }

    /// Whether one specialisation is more constrained than another one.
    fn demands_more(&mut self, a: &Specialisation, of_a: ScopeId, b: &Specialisation, of_b: ScopeId) -> bool {
        let ast = self.ast;
        let by = |s: &Specialisation| ast.constraints.get(&s.decl).map_or(&[][..], Vec::as_slice);
        let (x, y) = (by(a), by(b));
        !(x.is_empty() && y.is_empty()) && self.asks_more((x, of_a), (y, of_b))
    }

    /// Whether a partial specialisation whose pattern does not say all comes to these arguments with what was deduced: where
    /// its arguments mean nothing for them, or something else, it does not stand for them (C++17, 17.5.5.1).
    fn substitutes(
        &mut self,
        of: (TemplateId, &Template),
        s: &Specialisation,
        bound: &Bound,
        args: &[TemplateArg],
    ) -> bool {
        let Some(written) = s.written else { return true };
        let (t, scope, span) = (of.0, of.1.scope, of.1.span);
        if self.inst.depth >= MAX_INSTANTIATION_DEPTH {
            return false;
        }
        let bound: Vec<TemplateArg> = bound.iter().flatten().cloned().collect();
        let scope = self.bind_args(&s.params, &bound, scope);
        let mark = self.sess.diagnostics.len();
        let saved_cx = std::mem::take(&mut self.cx);
        let saved_pattern = std::mem::take(&mut self.inst.in_pattern);
        self.inst.depth += 1;
        let got = with_scope!(self, scope, self.substituting(true, |c| c.template_args(t, written, span)));
        self.inst.depth -= 1;
        self.inst.in_pattern = saved_pattern;
        self.cx = saved_cx;
        let failed = self.sess.diagnostics.len() > mark;
        self.sess.diagnostics.truncate(mark);
        !failed && got.is_some_and(|got| same_args(&got, args))
    }

    /// Whether partial specialisation `b` fits everything that `a` does (C++17, 17.5.5.2).
    fn specialises(&mut self, a: &Specialisation, b: &Specialisation) -> bool {
        let mut bound: Bound = vec![None; b.params.len()];
        a.args.len() == b.args.len() && b.args.iter().zip(&a.args).all(|(p, a)| self.unify_arg(p, a, &mut bound))
    }

    /// Says that there were too many instantiations, in place of the errors that may follow from that.
    pub(crate) fn report_overflow(&mut self) {
        let Some((span, before)) = self.inst.overflown else { return };
        let later = self.sess.diagnostics.split_off(before.min(self.sess.diagnostics.len()));
        self.error("E0469", span, format!("more than {MAX_INSTANTIATIONS} template instantiations"));
        later.into_iter().filter(|d| d.severity != Severity::Error).for_each(|d| self.report(d));
    }

    pub(crate) fn count_instantiation(&mut self, span: Span) -> bool {
        self.inst.instantiations += 1;
        if self.inst.instantiations > MAX_INSTANTIATIONS {
            // Said at the end: here it may be substitution that fails, of which nothing is kept.
            self.inst.overflown.get_or_insert((span, self.sess.diagnostics.len()));
            return false;
        }
        if self.inst.depth >= MAX_INSTANTIATION_DEPTH {
            self.report(
                Diagnostic::error("E0450", span, format!("templates nest deeper than {MAX_INSTANTIATION_DEPTH}"))
                    .help("give the recursion an end: a specialisation or `if constexpr`"),
            );
            return false;
        }
        true
    }

    /// `v<args>` of a variable template.
    pub(crate) fn variable_template(&mut self, t: TemplateId, list: ast::List<ast::TemplateArg>, span: Span) -> ExprId {
        let Some(args) = self.template_args(t, list, span) else { return self.err(span) };
        if args.iter().any(|a| self.p.types.arg_is_dependent(a)) {
            return self.err(span);
        }
        let key = (t, args.into_boxed_slice());
        let v = match self.inst.var_instances.get(&key) {
            Some(&v) => v,
            None => {
                if !self.count_instantiation(span) {
                    return self.err(span);
                }
                let tpl = self.decls[t].clone();
                let (decl, params, bound) = self.chosen_pattern(t, &tpl, &key.1);
                let scope = self.bind_args(&params, &bound, tpl.scope);
                let DeclKind::Var { ty, init, .. } = self.ast[decl].kind else { return self.err(span) };
                let outer = self.cx.prechecked.take();
                // As where the value is made: in no function.
                let function = self.cx.decl.take();
                let r = self.beyond_blocks(scope, |c| c.resolve_auto(ty, init, span));
                self.cx.decl = function;
                // What `auto` was deduced from is checked again for another instance, and later where the value waits.
                let checked = std::mem::replace(&mut self.cx.prechecked, outer);
                let d = self.ast[decl];
                let (space, side) = self.global_space(&d, &r);
                let device = side.on_device();
                let v = VarId(self.decls.vars.len() as u32);
                self.decls.vars.push(VarDecl {
                    align: r.align,
                    name: tpl.name,
                    ty: r.ty,
                    quals: if device { r.quals } else { r.quals.with(Quals::CONST) },
                    span: tpl.span,
                    global: None,
                    space,
                    value: None,
                    side,
                    args: Some(key.1.clone()),
                    is_reference: false,
                    pending: (!device).then_some((decl, scope)),
                });
                self.inst.var_instances.insert(key.clone(), v);
                if device {
                    let saved = std::mem::take(&mut self.cx);
                    self.cx.prechecked = checked;
                    with_scope!(self, scope, self.define_global(v, init, &d));
                    self.cx = saved;
                }
                v
            }
        };
        self.var_place(v, span)
    }
}

/// Whether two lists of arguments are the same, whatever types their values were written in.
fn same_args(a: &[TemplateArg], b: &[TemplateArg]) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| match (a, b) {
            (TemplateArg::Int { value: a, .. }, TemplateArg::Int { value: b, .. }) => a == b,
            (TemplateArg::Pack(a), TemplateArg::Pack(b)) => same_args(a, b),
            _ => a == b,
        })
}
