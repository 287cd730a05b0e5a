//! Deduction of the arguments of function templates.

use syntax::ast::{self, DeclKind};

use super::Bound;
use super::Explicit;
use super::elements::Elements;
use crate::check::call::Arg;
use crate::check::launches::Lenience;
use crate::check::overload::Why;
use crate::check::{Checker, FnId, Template, TemplateId, TemplateParam};
use crate::program::ExprId;
use crate::types::{FnTy, Promise, QualTy, Quals, RecordId, TemplateArg, Ty, TyId};

/// What a template parameter of host code is that is deduced from an argument of a type that no header says.
const UNKNOWN: TemplateArg = TemplateArg::Type(QualTy { ty: TyId::ERROR, quals: Quals::NONE });

impl Checker<'_> {
    /// Deduces a template's arguments from a call; the instance, or why there is none.
    pub(crate) fn deduce_call(&mut self, t: TemplateId, explicit: Option<Explicit>, args: &[Arg]) -> Result<FnId, Why> {
        let mut bound = self.explicit_args(t, explicit)?;
        let given = bound.clone();
        let tpl = self.decls[t].clone();
        let (patterns, pack) = self.expected(&tpl, &bound);
        let mut rest = pack.map(|(_, p)| Elements::new(self.packs_in(&tpl, p)));
        for (i, a) in args.iter().enumerate() {
            let (pattern, in_pack) = match (patterns.get(i), pack) {
                (_, Some((k, p))) if i >= k => (p, true),
                (Some(&Some(p)), _) => (p, false),
                (Some(None), _) => continue,
                (None, _) if tpl.variadic_pattern => break,
                (None, _) => return Err(Why::TakesPattern(t, args.len())),
            };
            if let Arg::List(e) = *a
                && !in_pack
                && !self.deduce_list(pattern, e, &mut bound, &given)
            {
                return Err(Why::Said("template argument deduction failed for an initialiser list".into()));
            }
            let Arg::Expr(e) = *a else { continue };
            if let Some(rest) = rest.as_mut().filter(|_| in_pack) {
                let mut one = rest.ready(&bound);
                if self.takes_unknown_types() && self.ty(e) == TyId::ERROR {
                    self.deduce_unknown(pattern, &mut one);
                }
                if self.deduce_arg(pattern, e, &mut one) {
                    rest.take(one, &mut bound);
                } else if !rest.pass(&bound) {
                    return Err(Why::Said(format!("argument {} does not fit the parameter pack", i + 1).into()));
                }
                continue;
            }
            if self.is_doubtful(pattern, e) {
                return Err(Why::Pattern(pattern, TyId::ERROR));
            }
            if self.deduces(pattern, 0) && !self.deduce_beside(pattern, e, &mut bound, &given) {
                return Err(Why::Pattern(pattern, self.ty(e)));
            }
        }
        if let Some(rest) = rest {
            rest.bind(&mut bound);
        }
        self.instance_from(t, bound)
    }

    /// Whether a type names a template parameter where an argument says what that is, and not only before `::` or in a
    /// computation (C++17, 17.8.2.5, 5): `Text<typename Same<T>::type>` does not, and the argument is converted.
    fn deduces(&self, ty: TyId, depth: u32) -> bool {
        if depth > 32 || !self.p.types.is_dependent(ty) {
            return depth > 32;
        }
        match self.p.types.get(ty) {
            Ty::DependentMember { .. } => false,
            Ty::Pointer { pointee: t, .. } | Ty::Reference { pointee: t, .. } | Ty::Array { elem: t, .. } => {
                self.deduces(*t, depth + 1)
            }
            Ty::TemplateSpec { args, .. } => args.iter().any(|a| self.deduces_argument(a, depth + 1)),
            _ => true,
        }
    }

    fn deduces_argument(&self, a: &TemplateArg, depth: u32) -> bool {
        match a {
            TemplateArg::Type(t) => self.deduces(t.ty, depth),
            TemplateArg::Param(_) | TemplateArg::Expansion { .. } => true,
            TemplateArg::Pack(all) => all.iter().any(|a| self.deduces_argument(a, depth)),
            _ => false,
        }
    }

    /// Deduces from a braced list for an array or a `std::initializer_list`; for all else it says nothing (C++17,
    /// 17.8.2.1, 1).
    pub(super) fn deduce_list(&mut self, pattern: TyId, e: ast::ExprId, bound: &mut Bound, given: &Bound) -> bool {
        let ast::ExprKind::InitList(items) = self.ast[e].kind else { return true };
        self.deduce_items(pattern, items, bound, given)
    }

    /// The instance of a template whose first parameter is a `std::initializer_list` that these items make.
    pub(crate) fn list_instance(&mut self, t: TemplateId, items: ast::List<ast::InitItem>) -> Option<FnId> {
        let pattern = self.strip_reference(*self.decls[t].pattern.first()?);
        match *self.p.types.get(pattern) {
            Ty::TemplateSpec { name, .. } if self.is_list_template(name) => {}
            _ => return None,
        }
        let mut bound = self.explicit_args(t, None).ok()?;
        let given = bound.clone();
        if !self.deduce_items(pattern, items, &mut bound, &given) {
            return None;
        }
        self.instance_from(t, bound).ok()
    }

    fn deduce_items(
        &mut self,
        pattern: TyId,
        items: ast::List<ast::InitItem>,
        bound: &mut Bound,
        given: &Bound,
    ) -> bool {
        let (elem, len) = match self.p.types.get(self.strip_reference(pattern)).clone() {
            Ty::Array { elem, .. } => (elem, None),
            Ty::DependentArray { elem, len } => (elem, Some(len)),
            Ty::TemplateSpec { name, args } if self.is_list_template(name) => match args.first() {
                Some(TemplateArg::Type(t)) => (t.ty, None),
                _ => return true,
            },
            _ => return true,
        };
        let args = self.list_args(items);
        let n = TemplateArg::Int { value: args.len() as i64, ty: TyId::INT };
        if len.is_some_and(|len| !self.unify_arg(&len, &n, bound)) {
            return false;
        }
        !self.p.types.is_dependent(elem)
            || args.iter().all(|a| match *a {
                Arg::Expr(e) => self.deduce_beside(elem, e, bound, given),
                _ => true,
            })
    }

    /// Deduces the parameters that were not given; to those that were, arguments are converted.
    fn deduce_beside(&mut self, pattern: TyId, e: ExprId, bound: &mut Bound, given: &Bound) -> bool {
        let fixed = |i: usize| matches!(given.get(i), Some(Some(a)) if !matches!(a, TemplateArg::Pack(_)));
        if !(0..bound.len()).any(fixed) {
            return self.deduce_arg(pattern, e, bound);
        }
        // `get<1>(tuple)`: of the argument's bases the one that agrees with what was given.
        let mut strict = bound.clone();
        if self.deduce_arg(pattern, e, &mut strict) {
            *bound = strict;
            return true;
        }
        // What names only parameters that were given takes no part in deduction: the argument is converted (C++17, 17.8.1, 6).
        if !(0..bound.len()).any(|i| !fixed(i) && self.type_names_param(pattern, i as u32, 0)) {
            return true;
        }
        let mut trial: Bound = bound.iter().enumerate().map(|(i, b)| if fixed(i) { None } else { b.clone() }).collect();
        let fits = self.deduce_arg(pattern, e, &mut trial);
        if !fits && !(0..bound.len()).all(fixed) {
            return false;
        }
        // A parameter that takes part in deduction must be what the argument is: `f<float>(tensor)` is no call of
        // `f(Tensor<Engine, Layout>)`, whatever a `Tensor<float, Layout>` were made of (C++17, 17.8.1, 6).
        let mut alone: Bound = vec![None; bound.len()];
        if self.deduce_arg(pattern, e, &mut alone) && (0..alone.len()).any(|i| alone[i].is_some() && !fixed(i)) {
            return false;
        }
        for (i, b) in trial.into_iter().enumerate() {
            if !fixed(i) {
                bound[i] = b;
            }
        }
        true
    }

    /// Where a function parameter pack begins, and its pattern.
    pub(super) fn pattern_pack(&mut self, tpl: &Template) -> Option<(usize, TyId)> {
        let DeclKind::Function(f) = self.ast[tpl.decl].kind else { return None };
        let ast::TypeKind::Function(ft) = self.ast[self.ast[f].ty].kind else { return None };
        let ast = self.ast;
        let own: Vec<_> = tpl.params.iter().filter(|p| p.pack).filter_map(|p| p.name).collect();
        let mut k = 0;
        for &p in ast.list(ast[ft].params) {
            let DeclKind::Param { ty, .. } = ast[p].kind else { continue };
            // Packs of the class around a member are known: so many parameters they are.
            let known = match ast[ty].kind {
                ast::TypeKind::Pack(inner) => {
                    let shadowed = |c: &Self| matches!(c.ast[inner].kind, ast::TypeKind::Name(n) if c.ast.plain_name(n).is_some_and(|s| own.contains(&s)));
                    if shadowed(self) {
                        return tpl.pattern.get(k).map(|&p| (k, p));
                    }
                    let n = self.beyond_blocks(tpl.scope, |c| c.pack_len_in_type(inner, 0));
                    let Some(n) = n else { return tpl.pattern.get(k).map(|&p| (k, p)) };
                    n
                }
                _ => 1,
            };
            k += known;
        }
        None
    }

    pub(super) fn explicit_args(&mut self, t: TemplateId, explicit: Option<Explicit>) -> Result<Bound, Why> {
        let n = self.decls[t].params.len();
        let mut bound: Bound = vec![None; n];
        let given = match explicit {
            None => return Ok(bound),
            Some(Explicit::Index(i)) => vec![TemplateArg::Int { value: i64::from(i), ty: TyId::ULONG }],
            Some(Explicit::Written(list)) => {
                let mark = self.sess.diagnostics.len();
                let Some(given) = self.written_args(t, list) else {
                    self.sess.diagnostics.truncate(mark);
                    return Err(Why::Said("has unsuitable explicit template arguments".into()));
                };
                given
            }
        };
        let tpl = self.decls[t].clone();
        let mut rest = given.into_iter();
        let mut so_far = Vec::new();
        for (i, p) in tpl.params.iter().enumerate() {
            if p.pack {
                let all: Vec<TemplateArg> = rest.by_ref().collect();
                if let Some(k) = all.iter().position(|a| !is_of_kind(p, a)) {
                    return Err(of_wrong_kind(i + k));
                }
                if !all.is_empty() {
                    let all = TemplateArg::Pack(all.into_boxed_slice());
                    if !self.takes_value(&tpl, p, &all, &so_far) {
                        return Err(of_another_type(i));
                    }
                    bound[i] = Some(self.fit_arg(&tpl, p, all, &so_far));
                }
                break;
            }
            let Some(a) = rest.next() else { break };
            if !is_of_kind(p, &a) {
                return Err(of_wrong_kind(i));
            }
            if !self.takes_value(&tpl, p, &a, &so_far) {
                return Err(of_another_type(i));
            }
            let a = self.fit_arg(&tpl, p, a, &so_far);
            so_far.push(a.clone());
            bound[i] = Some(a);
        }
        if rest.next().is_some() {
            return Err(Why::Said("has fewer template parameters than arguments were given".into()));
        }
        Ok(bound)
    }

    /// Deduces from one argument of a call.
    pub(super) fn deduce_arg(&mut self, pattern: TyId, e: ExprId, bound: &mut Bound) -> bool {
        let x = *self.e(e);
        if x.ty == TyId::ERROR {
            if self.leniency() == Lenience::Deduced {
                self.deduce_unknown(pattern, bound);
            }
            return true;
        }
        match *self.p.types.get(pattern) {
            Ty::Reference { pointee, quals, rvalue, .. } => {
                let bare = matches!(self.p.types.get(pointee), Ty::TemplateParam(_));
                if rvalue && bare && quals == Quals::NONE && self.is_lv(e) && !self.is_xvalue(e) {
                    // A forwarding reference bound to a place.
                    let space = self.default_space();
                    let t = self.p.types.reference(x.ty, x.quals, space, false);
                    return self.unify(pointee, t, Quals::NONE, bound);
                }
                let array = matches!(self.p.types.get(pointee), Ty::Array { .. } | Ty::DependentArray { .. });
                let q = if bare || array { x.quals.without(quals).without(Quals::RESTRICT) } else { Quals::NONE };
                let ty = self.qualified_like(pointee, x.ty, 0);
                self.unify_or_base(pointee, ty, q, bound)
            }
            _ => {
                let t = self.value_ty(e);
                let t = self.qualified_like(pattern, t, 0);
                self.unify_or_base(pattern, t, Quals::NONE, bound)
            }
        }
    }

    /// Whether an argument of a type that no header says would fit a parameter that may be anything. Whatever other arguments
    /// say of that, it is no sign that this template is the one of several that is called: `transform(policy, first, last,
    /// result, op)` is none of `transform(first, last, other, result, op)`.
    fn is_doubtful(&self, pattern: TyId, e: ExprId) -> bool {
        self.reads_host()
            && self.leniency() < Lenience::Deduced
            && self.ty(e) == TyId::ERROR
            && matches!(self.p.types.get(self.strip_reference(pattern)), Ty::TemplateParam(_))
    }

    /// An argument of a host template has a type that no header says: a parameter that stands for it alone is as unknown,
    /// unless another argument says what it is.
    fn deduce_unknown(&mut self, pattern: TyId, bound: &mut Bound) {
        let Ty::TemplateParam(i) = *self.p.types.get(self.strip_reference(pattern)) else { return };
        if let Some(slot @ None) = bound.get_mut(i as usize) {
            *slot = Some(UNKNOWN);
        }
    }

    /// The type of a pointer that an argument is, with the qualifiers that a parameter's pattern has besides: to that the
    /// argument converts (C++17, 17.8.2.1, 4).
    fn qualified_like(&mut self, pattern: TyId, ty: TyId, depth: u32) -> TyId {
        match (self.p.types.get(pattern).clone(), self.p.types.get(ty).clone()) {
            (Ty::Pointer { pointee: p, quals: pq, .. }, Ty::Pointer { pointee: a, quals: aq, space }) if depth < 16 => {
                if self.p.types.is_function(a) {
                    return self.quieter_pointer(ty, pattern);
                }
                let pointee = self.qualified_like(p, a, depth + 1);
                self.p.types.pointer(pointee, aq.with(pq), space)
            }
            (Ty::MemberPointer { quals: pq, .. }, Ty::MemberPointer { class, pointee, quals })
                if !self.p.types.is_function(pointee) =>
            {
                self.p.types.intern(Ty::MemberPointer { class, pointee, quals: quals.with(pq) })
            }
            (Ty::MemberPointer { .. }, Ty::MemberPointer { .. }) => self.quieter_member(ty, pattern),
            (Ty::Function(_), Ty::Function(_)) => self.quieter_function(ty, pattern),
            _ => ty,
        }
    }

    /// The argument's class or one of its bases. What a class that does not match has bound is forgotten.
    fn unify_or_base(&mut self, pattern: TyId, ty: TyId, quals: Quals, bound: &mut Bound) -> bool {
        let mut tried = bound.clone();
        if self.unify(pattern, ty, quals, &mut tried) {
            *bound = tried;
            return true;
        }
        // A pointer to a class fits one to its base, too.
        let (pattern, ty) = match (self.p.types.get(pattern), self.p.types.get(ty)) {
            (&Ty::Pointer { pointee: p, quals: pq, .. }, &Ty::Pointer { pointee: a, quals: aq, .. })
                if self.names_instance(p) =>
            {
                if !pq.has(aq) {
                    return false;
                }
                (p, a)
            }
            _ => (pattern, ty),
        };
        if !self.names_instance(pattern) {
            return !self.deducible(pattern);
        }
        self.unify_base(pattern, ty, bound)
    }

    /// Whether a pattern is `C<…>`.
    fn names_instance(&self, pattern: TyId) -> bool {
        matches!(self.p.types.get(pattern), Ty::TemplateSpec { .. } | Ty::TemplateParamSpec { .. })
    }

    /// A base class of the argument may match `C<T>`: one, or it is not known which (C++20, 13.10.3.2, 4.3). Bases of one
    /// that matches are not asked.
    fn unify_base(&mut self, pattern: TyId, ty: TyId, bound: &mut Bound) -> bool {
        let mut found: Option<Bound> = None;
        let mut seen: Vec<RecordId> = Vec::new();
        let mut left: Vec<RecordId> = self.bases_of(ty);
        while let Some(b) = left.pop() {
            if seen.contains(&b) {
                continue;
            }
            seen.push(b);
            let t = self.p.types.intern(Ty::Record(b));
            let mut tried = bound.clone();
            if !self.unify(pattern, t, Quals::NONE, &mut tried) {
                left.extend(self.bases_of(t));
            } else if found.as_ref().is_some_and(|f| *f != tried) {
                return false;
            } else {
                found = Some(tried);
            }
        }
        found.map(|f| *bound = f).is_some()
    }

    /// The direct bases of a class, which is completed for that.
    fn bases_of(&mut self, ty: TyId) -> Vec<RecordId> {
        let Some(r) = self.p.types.as_record(ty) else { return Vec::new() };
        self.complete_record(r);
        self.p.types.record(r).bases.iter().map(|b| b.record).collect()
    }

    /// Whether anything can be deduced from a pattern; otherwise it is a non-deduced context.
    fn deducible(&self, pattern: TyId) -> bool {
        !matches!(self.p.types.get(pattern), Ty::Dependent | Ty::DependentMember { .. })
            && self.p.types.is_dependent(pattern)
    }

    /// Matches a pattern against a type, binding parameters.
    pub(super) fn unify(&mut self, pattern: TyId, ty: TyId, quals: Quals, bound: &mut Bound) -> bool {
        let ty = self.p.types.canonical(ty);
        if !self.p.types.is_dependent(pattern) {
            return pattern == ty && quals == Quals::NONE;
        }
        // Qualifiers that are left are a parameter's to stand for.
        let takes_quals = matches!(
            self.p.types.get(pattern),
            Ty::TemplateParam(_)
                | Ty::Array { .. }
                | Ty::DependentArray { .. }
                | Ty::Dependent
                | Ty::DependentMember { .. }
        );
        if quals.without(Quals::RESTRICT) != Quals::NONE && !takes_quals {
            return false;
        }
        match (self.p.types.get(pattern).clone(), self.p.types.get(ty).clone()) {
            // An expansion may stand for any number of parameters.
            (Ty::TemplateParam(_), Ty::Expansion { .. }) => false,
            (Ty::TemplateParam(i), _) => {
                let a = TemplateArg::Type(QualTy { ty, quals });
                let Some(slot) = bound.get_mut(i as usize) else { return false };
                match slot {
                    Some(old) if *old != UNKNOWN => *old == a || matches!(old, TemplateArg::Pack(_)),
                    _ => {
                        *slot = Some(a);
                        true
                    }
                }
            }
            (Ty::Dependent | Ty::DependentMember { .. }, _) => true,
            (Ty::Pointer { pointee: p, quals: pq, space: ps }, Ty::Pointer { pointee: a, quals: aq, space: asp }) => {
                // A function is never `const`.
                if (ps != asp && !self.is_cxx()) || (pq != Quals::NONE && self.p.types.is_function(a)) {
                    return false;
                }
                // `S<const T *>` is nothing that `S<int *>` is: what a call may add has been added.
                aq.has(pq) && self.unify(p, a, aq.without(pq), bound)
            }
            // `S<T &>` is nothing that `S<int>` or `S<int &&>` is.
            (
                Ty::Reference { pointee: p, quals: pq, rvalue: pr, .. },
                Ty::Reference { pointee: a, quals: aq, rvalue: ar, .. },
            ) => pr == ar && aq.has(pq) && self.unify(p, a, aq.without(pq), bound),
            (
                Ty::MemberPointer { class: c, pointee: p, quals: q },
                Ty::MemberPointer { class: d, pointee: a, quals: r },
            ) => r.has(q) && self.unify(c, d, Quals::NONE, bound) && self.unify(p, a, r.without(q), bound),
            (Ty::Array { elem: p, len: pl }, Ty::Array { elem: a, len: al }) => {
                (pl.is_none() || pl == al) && self.unify(p, a, quals, bound)
            }
            (Ty::DependentArray { elem: p, len }, Ty::Array { elem: a, len: Some(n) }) => {
                let n = TemplateArg::Int { value: n as i64, ty: TyId::INT };
                self.unify_arg(&len, &n, bound) && self.unify(p, a, quals, bound)
            }
            // Of two templates that are ordered, the more special one's.
            (Ty::DependentArray { elem: p, len: l }, Ty::DependentArray { elem: a, len: m }) => {
                self.unify_arg(&l, &m, bound) && self.unify(p, a, Quals::NONE, bound)
            }
            (Ty::Function(p), Ty::Function(a)) => self.unify_function(&p, &a, bound),
            _ => self.unify_instance(pattern, ty, bound),
        }
    }

    /// The same of function types, the last parameter of which may be an expansion.
    fn unify_function(&mut self, p: &FnTy, a: &FnTy, bound: &mut Bound) -> bool {
        if p.variadic != a.variadic || p.quals != a.quals || p.ref_qual != a.ref_qual {
            return false;
        }
        let keeps = |promise: &Promise| match promise {
            Promise::When(n) => (**n).clone(),
            other => TemplateArg::Int { value: i64::from(*other == Promise::Noexcept), ty: TyId::BOOL },
        };
        if p.promise != a.promise && !self.unify_arg(&keeps(&p.promise), &keeps(&a.promise), bound) {
            return false;
        }
        if let Some((&last, first)) = p.params.split_last()
            && let Ty::Expansion { pattern, packs } = self.p.types.get(last).clone()
        {
            let of_type = |t: TyId| match self.p.types.get(t).clone() {
                Ty::Expansion { pattern, packs } => {
                    let pattern = Box::new(TemplateArg::Type(QualTy::plain(pattern)));
                    TemplateArg::Expansion { pattern, packs }
                }
                _ => TemplateArg::Type(QualTy::plain(t)),
            };
            let rest: Vec<TemplateArg> = a.params.iter().skip(first.len()).map(|&t| of_type(t)).collect();
            return first.len() <= a.params.len()
                && self.unify(p.ret, a.ret, Quals::NONE, bound)
                && first.iter().zip(a.params.iter()).all(|(&p, &a)| self.unify(p, a, Quals::NONE, bound))
                && self.unify_rest(&TemplateArg::Type(QualTy::plain(pattern)), &packs, &rest, bound);
        }
        p.params.len() == a.params.len()
            && self.unify(p.ret, a.ret, Quals::NONE, bound)
            && p.params.iter().zip(a.params.iter()).all(|(&p, &a)| self.unify(p, a, Quals::NONE, bound))
    }

    /// The same of instances of templates, and of templates that are ordered.
    fn unify_instance(&mut self, pattern: TyId, ty: TyId, bound: &mut Bound) -> bool {
        match (self.p.types.get(pattern).clone(), self.p.types.get(ty).clone()) {
            (Ty::TemplateSpec { name, args }, Ty::Record(r)) => {
                let Some((t, have)) = self.decls[r].instance.clone() else { return false };
                self.decls[t].path == name && self.unify_args(&args, &have, bound)
            }
            (Ty::TemplateParamSpec { param, args }, Ty::Record(r)) => {
                let Some((t, have)) = self.decls[r].instance.clone() else { return false };
                let name = self.decls[t].path;
                self.unify_named((param, &args), (TemplateArg::Template(name), &have), Some(t), bound)
            }
            // Of two templates that are ordered.
            (Ty::TemplateParamSpec { param, args }, Ty::TemplateSpec { name, args: have }) => {
                self.unify_named((param, &args), (TemplateArg::Template(name), &have), None, bound)
            }
            (Ty::TemplateParamSpec { param, args }, Ty::TemplateParamSpec { param: other, args: have }) => {
                self.unify_named((param, &args), (TemplateArg::Param(other), &have), None, bound)
            }
            (Ty::TemplateSpec { name: n, args: p }, Ty::TemplateSpec { name: m, args: a }) => {
                n == m && self.unify_args(&p, &a, bound)
            }
            _ => false,
        }
    }

    /// Matches the arguments of one template. `C<T...>` is all of them, whatever parameters `C` has.
    fn unify_args(&mut self, args: &[TemplateArg], have: &[TemplateArg], bound: &mut Bound) -> bool {
        if args.iter().any(|a| matches!(a, TemplateArg::Expansion { .. })) {
            let list = |l: &[TemplateArg]| TemplateArg::Pack(flattened(l).into_boxed_slice());
            return self.unify_arg(&list(args), &list(have), bound);
        }
        args.len() == have.len() && args.iter().zip(have).all(|(p, a)| self.unify_arg(p, a, bound))
    }

    /// Matches `C<arguments>`, `C` a parameter, against what a template with arguments is. Where the template has more
    /// parameters than `C` is given, they must have defaults (P0522).
    fn unify_named(
        &mut self,
        (param, args): (u32, &[TemplateArg]),
        (name, have): (TemplateArg, &[TemplateArg]),
        of: Option<TemplateId>,
        bound: &mut Bound,
    ) -> bool {
        let (args, have) = (flattened(args), flattened(have));
        if !self.unify_arg(&TemplateArg::Param(param), &name, bound) {
            return false;
        }
        let ends_in_pack = matches!(args.last(), Some(TemplateArg::Expansion { .. }));
        let mut given = have.len();
        if !ends_in_pack && given > args.len() {
            let tpl = of.map(|t| self.decls[t].clone());
            let left_out = tpl.is_some_and(|tpl| (args.len()..given).all(|i| self.with_default(&tpl, i).is_some()));
            if !left_out {
                return false;
            }
            given = args.len();
        }
        let list = |l: &[TemplateArg]| TemplateArg::Pack(l.to_vec().into_boxed_slice());
        self.unify_arg(&list(&args), &list(&have[..given]), bound)
    }

    pub(super) fn unify_arg(&mut self, p: &TemplateArg, a: &TemplateArg, bound: &mut Bound) -> bool {
        match (p, a) {
            (TemplateArg::Type(p), TemplateArg::Type(a)) => {
                if !self.p.types.is_dependent(p.ty) {
                    return p == a;
                }
                if !a.quals.has(p.quals) {
                    return false;
                }
                self.unify(p.ty, a.ty, a.quals.without(p.quals), bound)
            }
            (TemplateArg::Int { value: x, .. }, TemplateArg::Int { value: y, .. }) => x == y,
            (TemplateArg::Template(x), TemplateArg::Template(y)) => x == y,
            (TemplateArg::Function { .. }, TemplateArg::Function { .. })
            | (TemplateArg::Variable { .. }, TemplateArg::Variable { .. })
            | (TemplateArg::Object { .. }, TemplateArg::Object { .. }) => p == a,
            // An expansion may stand for none: no single parameter takes it.
            (TemplateArg::Param(_), TemplateArg::Expansion { .. } | TemplateArg::Type(_)) => false,
            (TemplateArg::Param(i), a) => {
                let Some(slot) = bound.get_mut(*i as usize) else { return false };
                match (slot.as_ref(), a) {
                    (Some(TemplateArg::Int { value: x, .. }), TemplateArg::Int { value: y, .. }) => x == y,
                    (Some(old), a) => old == a,
                    (None, a) => {
                        *slot = Some(a.clone());
                        true
                    }
                }
            }
            (TemplateArg::Pack(p), TemplateArg::Pack(a)) => {
                // `T...` at the end takes what is left.
                if let Some((TemplateArg::Expansion { pattern, packs }, first)) = p.split_last() {
                    return first.len() <= a.len()
                        && first.iter().zip(a.iter()).all(|(p, a)| self.unify_arg(p, a, bound))
                        && self.unify_rest(pattern, packs, &a[first.len()..], bound);
                }
                p.len() == a.len() && p.iter().zip(a.iter()).all(|(p, a)| self.unify_arg(p, a, bound))
            }
            (TemplateArg::Expansion { pattern: p, .. }, TemplateArg::Expansion { pattern: a, .. }) => {
                self.unify_arg(p, a, bound)
            }
            (TemplateArg::Dependent(_) | TemplateArg::Expansion { .. }, _) => true,
            _ => false,
        }
    }

    /// Matches each of `rest` against the pattern of a pack expansion, gathering what the packs in it stand for.
    fn unify_rest(&mut self, pattern: &TemplateArg, packs: &[u32], rest: &[TemplateArg], bound: &mut Bound) -> bool {
        let mut gathered: Vec<Vec<TemplateArg>> = vec![Vec::new(); packs.len()];
        for a in rest {
            // An expansion of the more general template, when two are ordered.
            let (a, expands) = match a {
                TemplateArg::Expansion { pattern, .. } => (&**pattern, true),
                a => (a, false),
            };
            let mut one = bound.clone();
            for &k in packs {
                if let Some(slot) = one.get_mut(k as usize) {
                    *slot = None;
                }
            }
            if !self.unify_arg(pattern, a, &mut one) {
                return false;
            }
            for (all, &k) in gathered.iter_mut().zip(packs) {
                if let Some(x) = one.get_mut(k as usize).and_then(Option::take) {
                    all.push(if expands {
                        TemplateArg::Expansion { pattern: Box::new(x), packs: Box::new([]) }
                    } else {
                        x
                    });
                }
            }
            for (i, b) in one.into_iter().enumerate() {
                if !packs.contains(&(i as u32)) {
                    bound[i] = b;
                }
            }
        }
        for (all, &k) in gathered.into_iter().zip(packs) {
            let Some(slot) = bound.get_mut(k as usize) else { return false };
            let all = TemplateArg::Pack(all.into_boxed_slice());
            match slot {
                // Arguments that were given may be the first of more.
                Some(TemplateArg::Pack(given)) => {
                    let TemplateArg::Pack(all) = &all else { return false };
                    if !all.starts_with(given) {
                        return false;
                    }
                    *given = all.clone();
                }
                Some(_) => return false,
                None => *slot = Some(all),
            }
        }
        true
    }
}

/// Whether an argument is what a parameter, or each element of a pack, takes: a type, a template, a value.
fn is_of_kind(p: &TemplateParam, a: &TemplateArg) -> bool {
    match a {
        TemplateArg::Type(_) => p.is_type,
        TemplateArg::Template(_) => p.is_template,
        _ => !p.is_type && !p.is_template,
    }
}

fn of_wrong_kind(position: usize) -> Why {
    Why::Said(format!("has a template argument of the wrong kind at position {}", position + 1).into())
}

fn of_another_type(position: usize) -> Why {
    Why::Said(format!("has a template argument of another type at position {}", position + 1).into())
}

/// Arguments with those of packs in the place of the packs.
fn flattened(list: &[TemplateArg]) -> Vec<TemplateArg> {
    let parts = list.iter().map(|a| if let TemplateArg::Pack(all) = a { all } else { std::slice::from_ref(a) });
    parts.flatten().cloned().collect()
}
