//! Instances of function templates.

use std::rc::Rc;
use syntax::ast::{self, DeclKind, DeclSpecs};

use super::elements::Elements;
use super::{Bound, Explicit};
use crate::check::overload::Why;
use crate::check::{Checker, FnDecl, FnId, FnKind, ScopeId, Template, TemplateId, TemplateParam, with_scope};
use crate::types::{FnTy, Quals, TemplateArg, Ty, TyId};

impl Checker<'_> {
    /// The instance with these arguments, defaults filled in.
    pub(super) fn instance_from(&mut self, t: TemplateId, bound: Bound) -> Result<FnId, Why> {
        let tpl = self.decls[t].clone();
        let args = self.completed(&tpl, bound)?;
        if self.ast.constraints.contains_key(&tpl.decl) {
            let around = self.around_template(&tpl, &args);
            let scope = self.bind_args(&tpl.params, &args, around);
            if !self.satisfies(tpl.decl, scope) {
                return Err(Why::Said("has constraints that are not satisfied".into()));
            }
        }
        self.fn_instance(t, args).ok_or(Why::Said("substitution failed".into()))
    }

    /// What was deduced for a template's parameters, and the defaults of the others.
    pub(super) fn completed(&mut self, tpl: &Template, bound: Bound) -> Result<Vec<TemplateArg>, Why> {
        let mut args = Vec::with_capacity(bound.len());
        for (b, p) in bound.into_iter().zip(&tpl.params) {
            let a = match b {
                Some(a) => a,
                None if p.pack => TemplateArg::Pack(Box::new([])),
                None => {
                    let mark = self.sess.diagnostics.len();
                    let d = self.substituting(true, |c| c.default_arg(tpl, p, &args));
                    self.sess.diagnostics.truncate(mark);
                    match d {
                        Some(a) => a,
                        None => {
                            let n = p.name.map(|n| self.text(n).to_owned()).unwrap_or_default();
                            return Err(Why::Said(format!("cannot deduce template argument `{n}`").into()));
                        }
                    }
                }
            };
            if !self.value_type_exists(tpl, p, &args) {
                let why = "has a template parameter whose type does not exist for these arguments";
                return Err(Why::Said(why.into()));
            }
            let a = self.fit_arg(tpl, p, a, &args);
            args.push(a);
        }
        Ok(args)
    }

    /// Whether the type of a value parameter exists for the arguments before it: `typename enable_if<…>::type = 0`.
    fn value_type_exists(&mut self, tpl: &Template, p: &TemplateParam, so_far: &[TemplateArg]) -> bool {
        let DeclKind::Param { mut ty, .. } = self.ast[p.decl].kind else { return true };
        while let ast::TypeKind::Pointer(of) | ast::TypeKind::LvalueRef(of) = self.ast[ty].kind {
            ty = of;
        }
        // Those of builtin types always do; `auto` takes its argument's.
        let named = matches!(self.ast[ty].kind, ast::TypeKind::Name(n) if self.ast[n].args.is_some() || !self.ast[n].qualifier.is_empty());
        if !named {
            return true;
        }
        let around = self.around_template(tpl, so_far);
        let scope = self.bind_args(&tpl.params, so_far, around);
        let mark = self.sess.diagnostics.len();
        let to = self.beyond_blocks(scope, |c| c.substituting(true, |c| c.resolve_ty(ty)));
        self.sess.diagnostics.truncate(mark);
        to != TyId::ERROR
    }

    /// The instance of a function template, made on first use.
    pub(crate) fn fn_instance(&mut self, t: TemplateId, args: Vec<TemplateArg>) -> Option<FnId> {
        let key = (t, args.into_boxed_slice());
        let known = self.inst.fn_instances.get(&key).copied();
        if let Some(f) = known.filter(|f| f.is_some() || !self.takes_unknown_types()) {
            return f;
        }
        let tpl = self.decls[t].clone();
        if !self.count_instantiation(tpl.span) {
            return None;
        }
        self.inst.fn_instances.insert(key.clone(), None);
        let f = self.make_instance(t, &tpl, &key.1, tpl.decl);
        self.inst.fn_instances.insert(key, f);
        f
    }

    pub(super) fn make_instance(
        &mut self,
        t: TemplateId,
        tpl: &Template,
        args: &[TemplateArg],
        decl: ast::DeclId,
    ) -> Option<FnId> {
        let mut d = self.ast[decl];
        let DeclKind::Function(fid) = d.kind else { return None };
        let func = self.ast[fid];
        let declared = tpl.declared_first.filter(|_| decl == tpl.decl);
        if let Some(declared) = declared {
            let said = self.ast[declared].specs;
            let words = [DeclSpecs::STATIC, DeclSpecs::EXPLICIT, DeclSpecs::DEVICE, DeclSpecs::HOST];
            d.specs = words.into_iter().filter(|&w| said.has(w)).fold(d.specs, DeclSpecs::with);
        }
        let around = self.around_template(tpl, args);
        let scope = self.bind_args(&tpl.params, args, around);
        let mark = self.sess.diagnostics.len();
        self.inst.depth += 1;
        let saved_cx = std::mem::take(&mut self.cx);
        let saved_pattern = std::mem::take(&mut self.inst.in_pattern);
        // The result type of a lambda may name what it captures.
        let around = tpl.record.and_then(|r| self.inst.generic_lambdas.get(&r).cloned());
        self.cx.closure = tpl.record.filter(|_| around.is_some());
        let around = around.map(|outers| std::mem::replace(&mut self.inst.outers, outers));
        let sig = with_scope!(self, scope, self.substituting(true, |c| c.signature(func.ty)));
        if let Some(outers) = around {
            self.inst.outers = outers;
        }
        self.inst.in_pattern = saved_pattern;
        self.cx = saved_cx;
        self.inst.depth -= 1;
        let failed = self.sess.diagnostics.len() > mark;
        let sig = sig?;
        let bad = sig.params.iter().any(|p| p.ty == TyId::ERROR) || (sig.ret == TyId::ERROR && !sig.deduced_ret);
        let host = !d.specs.any(ast::DeclSpecs::DEVICE.with(ast::DeclSpecs::GLOBAL));
        if (failed || bad) && !(host && self.takes_unknown_types()) {
            // Substitution failure drops the candidate.
            self.sess.diagnostics.truncate(mark);
            return None;
        }
        let is_host = self.is_cuda()
            && (func.host_only || matches!(func.body, ast::Body::Skipped))
            && !d.specs.any(ast::DeclSpecs::DEVICE.with(ast::DeclSpecs::GLOBAL));
        let mut f = with_scope!(self, scope, self.make_fn(decl, &d, &func, sig, tpl.record, is_host));
        if let Some(declared) = declared {
            self.take_defaults(&mut f, declared, scope);
        }
        let node = self.p.types.name(f.path).clone();
        f.path = self.p.types.new_name(node.parent, node.kind, Some(args.to_vec().into_boxed_slice()));
        f.template = Some(t);
        f.depth = self.inst.depth + 1;
        Some(self.push_fn(f))
    }

    /// The defaults of parameters are where a function was declared first.
    fn take_defaults(&mut self, f: &mut FnDecl, declared: ast::DeclId, scope: ScopeId) {
        let DeclKind::Function(fid) = self.ast[declared].kind else { return };
        let ty = self.ast[fid].ty;
        let mark = self.sess.diagnostics.len();
        let sig = with_scope!(self, scope, self.substituting(true, |c| c.signature(ty)));
        self.sess.diagnostics.truncate(mark);
        for (p, inside) in f.params.iter_mut().zip(sig.into_iter().flat_map(|s| s.params)) {
            p.default = p.default.or(inside.default);
        }
    }

    /// `f<args>` as a value.
    pub(crate) fn explicit_instance(&mut self, t: TemplateId, list: ast::List<ast::TemplateArg>) -> Option<FnId> {
        let bound = self.explicit_args(t, Some(Explicit::Written(list))).ok()?;
        self.instance_from(t, bound).ok()
    }

    /// The instance whose type is the wanted one.
    pub(crate) fn deduce_from_type(
        &mut self,
        t: TemplateId,
        explicit: Option<ast::List<ast::TemplateArg>>,
        want: &FnTy,
    ) -> Option<FnId> {
        let mut bound = self.explicit_args(t, explicit.map(Explicit::Written)).ok()?;
        let tpl = self.decls[t].clone();
        let pack = self.pattern_pack(&tpl);
        let plain = tpl.pattern.len() - usize::from(pack.is_some());
        let in_pack = want.params.len().checked_sub(plain)?;
        if in_pack > 0 && pack.is_none() {
            return None;
        }
        let mut rest = pack.map(|(_, pattern)| Elements::new(self.packs_in(&tpl, pattern)));
        for (i, &a) in want.params.iter().enumerate() {
            match (pack, rest.as_mut()) {
                (Some((k, pattern)), Some(rest)) if (k..k + in_pack).contains(&i) => {
                    let mut one = rest.ready(&bound);
                    if !self.unify(pattern, a, Quals::NONE, &mut one) {
                        return None;
                    }
                    rest.take(one, &mut bound);
                }
                _ => {
                    let behind = pack.is_some_and(|(k, _)| i >= k + in_pack);
                    let at = if behind { i + 1 - in_pack } else { i };
                    // Nothing follows from a type that no header says.
                    if self.takes_unknown_types() && a == TyId::ERROR {
                        continue;
                    }
                    if !self.unify(tpl.pattern[at], a, Quals::NONE, &mut bound) {
                        return None;
                    }
                }
            }
        }
        if let Some(rest) = rest {
            rest.bind(&mut bound);
        }
        self.unify(tpl.pattern_ret, want.ret, Quals::NONE, &mut bound);
        self.instance_from(t, bound).ok()
    }

    /// The instance of a conversion function template that gives `to` (C++17, 17.8.2.3).
    pub(crate) fn deduce_conversion(&mut self, t: TemplateId, to: TyId) -> Option<FnId> {
        let tpl = self.decls[t].clone();
        let mut bound: Bound = vec![None; tpl.params.len()];
        let pattern = self.strip_reference(tpl.pattern_ret);
        self.unify(pattern, to, Quals::NONE, &mut bound).then(|| self.instance_from(t, bound).ok())?
    }

    /// Partial ordering (C++17, 17.5.6.2): whether `a`'s template fits everything that it matches into `b`'s, but not the
    /// reverse, in a call with so many arguments. A parameter pack fits a parameter that is none no more than an absent one (CWG 1395).
    pub(crate) fn more_specialised(&mut self, a: FnId, b: FnId, args: usize) -> bool {
        let (Some(ta), Some(tb)) = (self.decls[a].template, self.decls[b].template) else {
            return false;
        };
        let (mut pa, mut pb) = (self.decls[ta].clone(), self.decls[tb].clone());
        // Of an operator, the first parameter of a function stands where a member's object does.
        let member = |c: &Self, f: FnId| c.decls[f].record.is_some() && !c.decls[f].is_static;
        let (of_a, of_b) = (member(self, a), member(self, b));
        for (general, other) in [(&mut pa, of_b && !of_a), (&mut pb, of_a && !of_b)] {
            if other && self.pattern_pack(general).is_none() && !general.pattern.is_empty() {
                Rc::make_mut(general).pattern.remove(0);
            }
        }
        // Of conversion functions it is the results that are compared.
        if self.decls[a].kind == FnKind::Conversion && self.decls[b].kind == FnKind::Conversion {
            for t in [&mut pa, &mut pb] {
                Rc::make_mut(t).pattern = vec![t.pattern_ret];
            }
        }
        // Only parameters for which the call has arguments are compared.
        for t in [&mut pa, &mut pb] {
            if t.pattern.len() > args && self.pattern_pack(t).is_none() {
                Rc::make_mut(t).pattern.truncate(args);
            }
        }
        match (self.takes_all_of(&pb, &pa), self.takes_all_of(&pa, &pb)) {
            (true, false) => true,
            (true, true) => self.nearer_references(&pa.pattern, &pb.pattern),
            _ => false,
        }
    }

    /// Of two templates that take the same, whether the references of `a` say more (C++17, 17.8.2.4, 9): lvalue references
    /// more than rvalue references, those to something qualified more than those to something that is not.
    fn nearer_references(&self, a: &[TyId], b: &[TyId]) -> bool {
        let nearer = |a: TyId, b: TyId| match (self.p.types.get(a), self.p.types.get(b)) {
            (Ty::Reference { quals: q, rvalue: x, .. }, Ty::Reference { quals: r, rvalue: y, .. }) => {
                (!x && *y) || (x == y && q != r && q.has(*r))
            }
            _ => false,
        };
        let pairs = || a.iter().copied().zip(b.iter().copied());
        pairs().any(|(x, y)| nearer(x, y)) && !pairs().any(|(x, y)| nearer(y, x))
    }

    /// Whether a template can be called with whatever another one can be.
    fn takes_all_of(&mut self, general: &Template, special: &Template) -> bool {
        let first = |c: &mut Self, t: &Template| c.pattern_pack(t).map_or(t.pattern.len(), |(k, _)| k);
        let (general_pack, special_pack) = (first(self, general), first(self, special));
        if general_pack > special_pack || general_pack == general.pattern.len() && special.pattern.len() > general_pack
        {
            return false;
        }
        let mut bound: Bound = vec![None; general.params.len()];
        let packs = general.pattern.get(general_pack).map_or(Vec::new(), |&p| self.packs_in(general, p));
        special.pattern.iter().enumerate().all(|(i, &s)| {
            let in_pack = i >= general_pack;
            let g = general.pattern[i.min(general_pack)];
            // Each element of a pack is something of its own.
            if in_pack {
                packs.iter().for_each(|&k| bound[k] = None);
            }
            let (g, s) = (self.strip_reference(g), self.strip_reference(s));
            if self.p.types.is_dependent(g) { self.unify(g, s, Quals::NONE, &mut bound) } else { g == s }
        })
    }
}
