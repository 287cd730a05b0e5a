//! Overload resolution.

use std::borrow::Cow;
use std::cmp::Ordering;

use smallvec::SmallVec;
use source::{Diagnostic, Span};
use syntax::ast;

use super::call::Arg;
use super::call::built_in::OperandTypes;
use super::class::Copier;
use super::convert::Rank;
use super::convert::classify::added_quals;
use super::launches::Lenience;
use super::template::Explicit;
use super::{BodySource, Checker, Entity, FnId, Found, TemplateId, TemplateKind};
use crate::program::{ExprId, ExprKind};
use crate::types::{AddrSpace, FnTy, OperatorName, Quals, Ty, TyId};

/// A function that could be called, and how well.
struct Viable {
    /// The function; `None` if it is a built-in operator, or what the compiler provides for a class.
    f: Option<FnId>,
    ranks: Ranks,
    from_template: bool,
    /// How many arguments the call has, without an object.
    args: usize,
}

/// How well an object and arguments fit.
pub(crate) type Ranks = SmallVec<[Rank; 4]>;

/// What an operator calls.
pub(crate) enum Operator {
    /// A function, and whether it is a member.
    Function(FnId, bool),
    /// No function is better than what is built in.
    BuiltIn,
    /// Several are equally good, which was reported.
    Ambiguous,
}

/// A function or template that cannot be called so.
pub(crate) struct Rejected {
    /// Where it is declared.
    pub(crate) at: Span,
    pub(crate) why: Why,
}

/// What is in the way. Of a thousand functions of one name nearly all are rejected at each call, so words are made where
/// somebody reads them.
pub(crate) enum Why {
    Said(Cow<'static, str>),
    /// An argument's type is not of the pattern that a template's parameter is: pattern and type.
    Pattern(TyId, TyId),
    /// It takes another number of arguments than are given.
    Takes(FnId),
    /// The same of a template, and how many are given.
    TakesPattern(TemplateId, usize),
    /// There is no conversion of this argument to what it takes.
    Argument(FnId, usize),
}

/// Most candidates that an error lists.
const MAX_LISTED: usize = 4;

impl Checker<'_> {
    /// The best overload; reports why there is none if told to.
    pub(crate) fn resolve_overload(
        &mut self,
        entities: &[Entity],
        object: Option<ExprId>,
        args: &[Arg],
        explicit: Option<Explicit>,
        at: Span,
        report: bool,
    ) -> Option<FnId> {
        // One function of no template: convert the arguments and let that report what is wrong.
        if let [Entity::Fn(f)] = entities
            && explicit.is_none()
        {
            return self.only_candidate(*f, args, at, report);
        }
        let (mut viable, rejected) = self.viable(entities, object, args, explicit);
        let lone = entities.len() == 1;
        for lenience in [Lenience::Unknown, Lenience::Deduced] {
            if viable.is_empty() && self.reads_host() && (lone || lenience < Lenience::Deduced) {
                viable = self.with_unknown_types(lenience, |c| c.viable(entities, object, args, explicit).0);
            }
        }
        match self.best(&viable).or_else(|ambiguous| self.least_bad(&viable, ambiguous && report).ok_or(ambiguous)) {
            Ok(i) => viable[i].f,
            Err(ambiguous) => {
                if self.reads_host() {
                    self.lost_call(entities, &rejected, at);
                }
                if report {
                    self.report_candidates(ambiguous, &viable, &rejected, entities, args, at);
                }
                None
            }
        }
    }

    /// The best overload with its worst conversion, silently.
    pub(crate) fn resolve_ranked(
        &mut self,
        entities: &[Entity],
        object: Option<ExprId>,
        args: &[Arg],
    ) -> Option<(FnId, Rank)> {
        let (viable, _) = self.viable(entities, object, args, None);
        let v = &viable[self.best(&viable).ok()?];
        Some((v.f?, v.ranks.iter().copied().max_by_key(|r| (r.class, r.sub, r.bind)).unwrap_or(Rank::EXACT)))
    }

    /// What copies or assigns `arg`, of functions declared and, by the type of their parameter, those that the compiler
    /// provides. `explicit`: constructors too that are no conversions.
    pub(crate) fn resolve_beside(
        &mut self,
        entities: &[Entity],
        (object, arg): (Option<ExprId>, Arg),
        provided: &[TyId],
        explicit: bool,
    ) -> Copier {
        let (mut all, _) = self.viable(entities, object, &[arg], None);
        all.retain(|v| explicit || v.f.is_none_or(|f| !self.decls[f].explicit));
        let declared = all.len();
        let mut types: SmallVec<[TyId; 2]> = SmallVec::new();
        let of_object = match object {
            Some(o) => self.rank_object(o, Quals::NONE, ast::RefQual::None).ok(),
            None => Some(Rank::EXACT),
        };
        for &p in provided {
            if let (Some(of_object), Some(of_arg)) = (of_object, self.rank_arg(arg, p)) {
                let ranks = Ranks::from_slice(&[of_object, of_arg]);
                all.push(Viable { f: None, ranks, from_template: false, args: 1 });
                types.push(p);
            }
        }
        match self.best(&all) {
            Ok(i) => match all[i].f {
                Some(f) if self.decls[f].body == BodySource::Defaulted => match self.decls[f].params.first() {
                    Some(p) => Copier::Provided(p.ty),
                    None => Copier::Missing,
                },
                Some(f) => Copier::Declared(f),
                None => Copier::Provided(types[i - declared]),
            },
            Err(true) => Copier::Ambiguous,
            Err(false) => Copier::Missing,
        }
    }

    /// The function that an operator calls, of the members of its first operand's class and of others, beside which the
    /// built-in operators stand; whether it is a member.
    pub(crate) fn resolve_operator(
        &mut self,
        op: OperatorName,
        (members, object): (&[Entity], ExprId),
        free: &[Entity],
        operands: &[ExprId],
        at: Span,
    ) -> Operator {
        let args: SmallVec<[Arg; 2]> = operands.iter().map(|&e| Arg::Expr(e)).collect();
        let args = &args[..];
        let (mut all, _) = self.viable(members, Some(object), &args[1..], None);
        let own = all.len();
        // What a base defines takes the operand as an object of that base, which another function need not.
        if let (Some(&first), Some(b)) = (operands.first(), self.p.types.as_record(self.ty(object)))
            && let Some(d) = self.p.types.as_record(self.ty(first)).filter(|&d| d != b)
        {
            let part = Rank::CONVERSION.sub(self.base_distance(d, b));
            for v in &mut all {
                v.ranks[0] = Rank { bind: v.ranks[0].bind, ..part };
            }
        }
        for mut v in self.viable(free, None, args, None).0 {
            // The operand stands where a member's object does.
            v.ranks.remove(0);
            all.push(v);
        }
        if all.is_empty() {
            return Operator::BuiltIn;
        }
        let mut best = self.best(&all);
        // A built-in operator takes an object by a conversion that a class defines: what fits without is better in any case.
        let fits = |c: &Self, v: &Viable| {
            let ranks = v.ranks.iter().zip(operands);
            ranks.into_iter().all(|(r, &e)| {
                let most = if c.p.types.as_record(c.ty(e)).is_some() { Rank::CONVERSION } else { Rank::EXACT };
                r.class <= most.class
            })
        };
        if !best.is_ok_and(|i| fits(self, &all[i])) {
            for (types, ranks) in self.built_in_candidates(op, operands) {
                if !self.takes_just(free, &types) {
                    all.push(Viable { f: None, ranks, from_template: false, args: operands.len() });
                }
            }
            best = self.best(&all);
        }
        match best.or_else(|ambiguous| self.least_bad(&all, ambiguous).ok_or(ambiguous)) {
            Ok(i) => all[i].f.map_or(Operator::BuiltIn, |f| Operator::Function(f, i < own)),
            // Of equally good ones the member, where not everything is known.
            Err(_) if self.reads_host() => match self.best(&all[..own]) {
                Ok(i) => all[i].f.map_or(Operator::BuiltIn, |f| Operator::Function(f, true)),
                Err(_) => Operator::BuiltIn,
            },
            Err(_) => {
                all.retain(|v| v.f.is_some());
                self.report_candidates(true, &all, &[], &[members, free].concat(), args, at);
                Operator::Ambiguous
            }
        }
    }

    /// Whether one of some functions that are no templates takes just these types: then it stands for the built-in operator.
    fn takes_just(&self, free: &[Entity], types: &[TyId]) -> bool {
        free.iter().any(|e| match *e {
            Entity::Fn(f) => self.decls[f].params.iter().map(|p| p.ty).eq(types.iter().copied()),
            _ => false,
        })
    }

    /// The best of the candidates of a built-in operator.
    pub(crate) fn best_built_in<'c>(&mut self, candidates: &'c [(OperandTypes, Ranks)]) -> Option<&'c OperandTypes> {
        let args = candidates.first()?.0.len();
        let made = |ranks: &Ranks| Viable { f: None, ranks: ranks.clone(), from_template: false, args };
        let all: Vec<Viable> = candidates.iter().map(|(_, ranks)| made(ranks)).collect();
        self.best(&all).ok().map(|i| &candidates[i].0)
    }

    fn only_candidate(&mut self, f: FnId, args: &[Arg], at: Span, report: bool) -> Option<FnId> {
        let callable = self.may_be_called(f);
        let d = &self.decls[f];
        let max = d.params.len();
        let min = d.params.iter().take_while(|p| p.default.is_none()).count();
        if d.unprototyped && d.params.is_empty() && args.is_empty() {
            return Some(f);
        }
        let ok = args.len() >= min && (args.len() <= max || d.variadic);
        if ok && !callable {
            if report {
                let (there, name) = (self.decls[f].span, self.text(self.decls[f].name).to_owned());
                let d = Diagnostic::error("E0479", at, format!("the constraints of `{name}` are not satisfied"))
                    .label(there, "declared here");
                self.report(d);
            }
            return None;
        }
        if ok {
            return Some(f);
        }
        if report {
            let there = d.span;
            let name = self.text(d.name).to_owned();
            let expected = if d.variadic {
                format!("at least {min}")
            } else if min == max {
                format!("{max}")
            } else {
                format!("{min} to {max}")
            };
            let what = if args.len() < min { "few" } else { "many" };
            let d = Diagnostic::error(
                "E0438",
                at,
                format!("too {what} arguments to function call `{name}`: expected {expected}, have {}", args.len()),
            )
            .label(there, format!("`{name}` declared here"));
            self.report(d);
        }
        None
    }

    fn viable(
        &mut self,
        entities: &[Entity],
        object: Option<ExprId>,
        args: &[Arg],
        explicit: Option<Explicit>,
    ) -> (Vec<Viable>, Vec<Rejected>) {
        let mut viable = Vec::new();
        let mut rejected = Vec::new();
        for e in entities {
            let (f, from_template) = match *e {
                Entity::Fn(f) if explicit.is_none() => (f, false),
                Entity::Template(t) if self.decls[t].kind == TemplateKind::Function => {
                    match self.deduce_call(t, explicit, args) {
                        Ok(f) => (f, true),
                        Err(why) => {
                            rejected.push(Rejected { at: self.decls[t].span, why });
                            continue;
                        }
                    }
                }
                _ => continue,
            };
            if !self.may_be_called(f) {
                let why = Why::Said("has a constraint that is not satisfied".into());
                rejected.push(Rejected { at: self.decls[f].span, why });
                continue;
            }
            match self.rank_call(f, object, args) {
                Ok(ranks) => viable.push(Viable { f: Some(f), ranks, from_template, args: args.len() }),
                Err(why) => rejected.push(Rejected { at: self.decls[f].span, why }),
            }
        }
        (viable, rejected)
    }

    /// How well the arguments fit a function's parameters.
    fn rank_call(&mut self, f: FnId, object: Option<ExprId>, args: &[Arg]) -> Result<Ranks, Why> {
        let d = &self.decls[f];
        let min = d.params.iter().take_while(|p| p.default.is_none()).count();
        if args.len() < min || (args.len() > d.params.len() && !d.variadic) {
            return Err(Why::Takes(f));
        }
        if d.body == BodySource::Deleted && args.is_empty() {
            return Err(Why::Said("is deleted".into()));
        }
        let mut ranks = Ranks::new();
        if d.record.is_some() && !d.is_static && d.kind != super::FnKind::Constructor {
            ranks.push(match object {
                Some(o) => self.rank_object(o, d.this_quals, d.ref_qual).map_err(|why| Why::Said(why.into()))?,
                None => Rank::EXACT,
            });
        } else {
            ranks.push(Rank::EXACT);
        }
        for (i, &a) in args.iter().enumerate() {
            let Some(to) = self.decls[f].params.get(i).map(|p| p.ty) else {
                ranks.push(Rank::ELLIPSIS);
                continue;
            };
            ranks.push(self.rank_arg(a, to).ok_or(Why::Argument(f, i))?);
        }
        Ok(ranks)
    }

    /// Why a function cannot be called with these arguments, in words.
    pub(crate) fn explain(&mut self, why: &Why, args: &[Arg]) -> String {
        match *why {
            Why::Said(ref text) => text.clone().into_owned(),
            Why::Pattern(pattern, ty) => {
                let (pattern, ty) = (self.show(pattern), self.show(ty));
                format!("template argument deduction failed: `{ty}` does not match `{pattern}`")
            }
            Why::Takes(f) => format!("takes {} arguments, {} given", self.decls[f].params.len(), args.len()),
            Why::TakesPattern(t, given) => {
                format!("takes {} arguments, {given} given", self.decls[t].pattern.len())
            }
            Why::Argument(f, i) => {
                let to = self.show(self.decls[f].params[i].ty);
                let from = match args[i] {
                    Arg::Expr(e) => {
                        let (t, q) = (self.value_ty(e), self.e(e).quals);
                        self.show_q(t, q)
                    }
                    Arg::List(_) => "initialiser list".to_owned(),
                    Arg::Overload(_) => "overloaded function".to_owned(),
                };
                format!("no conversion from `{from}` to `{to}` for argument {}", i + 1)
            }
        }
    }

    /// How well an object fits a member function with these qualifiers.
    pub(crate) fn rank_object(&self, object: ExprId, quals: Quals, ref_qual: ast::RefQual) -> Result<Rank, String> {
        let q = self.e(object).quals.without(Quals::RESTRICT);
        if !quals.has(q) {
            return Err("is not marked const".to_owned());
        }
        // Each qualifier that the object lacks counts: `f() const` is nearer than `f() const volatile`.
        let mut bind = added_quals(q, quals);
        let value = !self.is_lv(object) || self.is_xvalue(object);
        match ref_qual {
            ast::RefQual::Rvalue if !value => return Err("is for temporary objects (`&&`)".to_owned()),
            ast::RefQual::Lvalue if value && !quals.lets_bind_temporaries() => {
                return Err("is not for temporary objects (`&`)".to_owned());
            }
            // `f() &&` is nearer to a temporary object than `f() const &`, whatever else they say.
            ast::RefQual::Lvalue if value => bind += Rank::TEMPORARY,
            // As any reference to what lasts.
            _ if !value => bind += Rank::TEMPORARY,
            _ => {}
        }
        Ok(Rank::EXACT.bound(bind))
    }

    pub(crate) fn rank_arg(&mut self, a: Arg, to: TyId) -> Option<Rank> {
        match a {
            Arg::Expr(e) => self.rank(e, to),
            Arg::List(e) => {
                let ast::ExprKind::InitList(items) = self.ast[e].kind else { return None };
                self.rank_listed(items, to)
            }
            Arg::Overload(e) => {
                let mark = self.sess.diagnostics.len();
                let f = self.overloaded_address(e, to);
                self.sess.diagnostics.truncate(mark);
                f.map(|_| Rank::EXACT)
            }
        }
    }

    /// The best of the viable functions, by its number; `Err(true)` if two are equally good.
    fn best(&mut self, viable: &[Viable]) -> Result<usize, bool> {
        let mut best: Option<usize> = None;
        for i in 0..viable.len() {
            match best {
                None => best = Some(i),
                Some(b) => {
                    if self.better(&viable[i], &viable[b]) {
                        best = Some(i);
                    }
                }
            }
        }
        let Some(b) = best else { return Err(false) };
        for (i, v) in viable.iter().enumerate() {
            let same = v.f.is_some() && v.f == viable[b].f;
            if i != b && !same && !self.better(&viable[b], v) {
                return Err(true);
            }
        }
        // A conversion that is ambiguous in itself is an error where it is needed.
        if viable[b].ranks.iter().any(|r| r.is_ambiguous()) {
            return Err(true);
        }
        Ok(b)
    }

    /// Of functions none of which is the best, if that is what is `wanted`, the one whose worst conversion is better than any other's: what g++ and nvcc
    /// take, though to C++ such a call is ambiguous.
    fn least_bad(&self, viable: &[Viable], wanted: bool) -> Option<usize> {
        // What only asks whether a call is one follows the language.
        let asks = !wanted || !self.is_cuda() || self.cx.unevaluated > 0;
        if asks || viable.iter().any(|v| v.ranks.iter().any(|r| r.is_ambiguous())) {
            return None;
        }
        let worst = |v: &Viable| v.ranks.iter().map(|r| r.class).max();
        let least = viable.iter().map(worst).min()?;
        let mut found = viable.iter().enumerate().filter(|(_, v)| worst(v) == least).map(|(i, _)| i);
        found.next().filter(|_| found.next().is_none())
    }

    fn better(&mut self, a: &Viable, b: &Viable) -> bool {
        let n = a.ranks.len().min(b.ranks.len());
        let mut some = false;
        for i in 0..n {
            match a.ranks[i].against(b.ranks[i]) {
                Ordering::Greater => return false,
                Ordering::Less => some = true,
                Ordering::Equal => {}
            }
        }
        if some {
            return true;
        }
        if a.from_template != b.from_template {
            return !a.from_template;
        }
        let (Some(f), Some(g)) = (a.f, b.f) else { return false };
        // Of an operator's member and another function the member has one argument less: that is what is compared.
        let n = a.args.min(b.args);
        if a.from_template && self.more_specialised(f, g, n) {
            return true;
        }
        if a.from_template && self.more_specialised(g, f, n) {
            return false;
        }
        self.same_parameters(f, g) && self.more_constrained(f, g)
    }

    /// Whether two functions, or the templates that they are from, take the same: only then do their constraints tell them
    /// apart (C++20, 12.4.4).
    fn same_parameters(&self, a: FnId, b: FnId) -> bool {
        match (self.decls[a].template, self.decls[b].template) {
            (Some(s), Some(t)) => {
                let (s, t) = (&self.decls[s], &self.decls[t]);
                s.pattern == t.pattern
                    && s.params.len() == t.params.len()
                    && s.params.iter().zip(&t.params).all(|(x, y)| (x.is_type, x.pack) == (y.is_type, y.pack))
            }
            (None, None) => {
                let types = |f: FnId| self.decls[f].params.iter().map(|p| p.ty);
                types(a).eq(types(b))
            }
            _ => false,
        }
    }

    fn report_candidates(
        &mut self,
        ambiguous: bool,
        viable: &[Viable],
        rejected: &[Rejected],
        entities: &[Entity],
        args: &[Arg],
        at: Span,
    ) {
        let name = entities
            .iter()
            .find_map(|e| match e {
                Entity::Fn(f) => Some(self.decls[*f].name),
                Entity::Template(t) => Some(self.decls[*t].name),
                _ => None,
            })
            .map(|s| self.text(s).to_owned())
            .unwrap_or_default();
        let mut d = if ambiguous {
            Diagnostic::error("E0445", at, format!("call to `{name}` is ambiguous"))
        } else {
            let types: Vec<String> = args
                .iter()
                .map(|a| match a {
                    Arg::Expr(e) => {
                        let t = self.ty(*e);
                        self.show(t)
                    }
                    Arg::List(_) => "{…}".to_owned(),
                    Arg::Overload(_) => "<overloaded>".to_owned(),
                })
                .collect();
            Diagnostic::error("E0446", at, format!("no matching function for call to `{name}({})`", types.join(", ")))
        };
        if ambiguous {
            for f in viable.iter().filter_map(|v| v.f).take(MAX_LISTED) {
                let text = self.show_fn(f);
                d = d.label(self.decls[f].span, format!("candidate: `{text}`"));
            }
        } else {
            // Those that take as many arguments are what was meant.
            let takes_others = |r: &&Rejected| matches!(r.why, Why::Takes(_) | Why::TakesPattern(..));
            let nearest = rejected.iter().filter(|r| !takes_others(r));
            for r in nearest.chain(rejected.iter().filter(takes_others)).take(MAX_LISTED) {
                let why = self.explain(&r.why, args);
                d = d.label(r.at, format!("candidate {why}"));
            }
            if rejected.len() > MAX_LISTED {
                d = d.note(format!("and {} more candidates", rejected.len() - MAX_LISTED));
            }
        }
        self.report(d);
        if !ambiguous && let Some(name) = self.sess.strings.get(&name) {
            self.bring_out_held(name);
        }
    }

    /// A function's name used as a value.
    pub(crate) fn function_value(&mut self, found: &Found, n: ast::NameId, span: Span) -> ExprId {
        let mut fns = Self::functions_of(&found.entities);
        if let Some(list) = self.ast[n].args {
            // With arguments it is a template's name.
            let whole = self.whole_instances(&found.entities, list);
            if !whole.is_empty() {
                fns = whole;
            }
        }
        match fns[..] {
            [f] => self.function_place(f, span),
            _ => {
                let text = self.name_text(n);
                self.error(
                    "E0447",
                    span,
                    format!("`{text}` names overloaded functions; the context does not say which"),
                );
                self.err(span)
            }
        }
    }

    /// What the templates of one name are with all of their arguments (C++17, 17.8.1); those that the arguments do not fit are nothing.
    /// Of several with one type the nearest.
    pub(crate) fn whole_instances(&mut self, found: &[Entity], list: ast::List<ast::TemplateArg>) -> Vec<FnId> {
        let templates = found.iter().filter_map(|e| if let Entity::Template(t) = *e { Some(t) } else { None });
        let mark = self.sess.diagnostics.len();
        let all: Vec<FnId> = templates.filter_map(|t| self.explicit_instance(t, list)).collect();
        if !all.is_empty() {
            self.sess.diagnostics.truncate(mark);
        }
        let alike = all.iter().all(|&f| self.fn_type_of(f) == self.fn_type_of(all[0]));
        if alike { self.nearest_of_type(&all).into_iter().collect() } else { all }
    }

    /// What a function's name is: in C++ the function itself, which is a place; in C its address.
    pub(crate) fn function_place(&mut self, f: FnId, span: Span) -> ExprId {
        let p = self.function_address(f, span);
        if self.is_cxx() { self.deref(p, span) } else { p }
    }

    pub(crate) fn function_address(&mut self, f: FnId, span: Span) -> ExprId {
        self.note_use(f, span);
        self.need(f);
        let id = self.func_id(f);
        let ty = self.function_pointer(f);
        self.rv(ExprKind::FuncAddr(id), ty, span)
    }

    fn function_pointer(&mut self, f: FnId) -> TyId {
        // Of a member function (`decltype(f)` in its class, a static one) the type has no qualifiers.
        let of = FnTy { quals: Quals::NONE, ref_qual: ast::RefQual::None, ..self.fn_type_of(f) };
        let t = self.p.types.intern(Ty::Function(of));
        self.p.types.pointer(t, Quals::NONE, AddrSpace::Generic)
    }

    /// The overload whose address has the wanted pointer type.
    pub(crate) fn overloaded_address(&mut self, e: ast::ExprId, to: TyId) -> Option<ExprId> {
        let mut at = e;
        while let ast::ExprKind::Paren(i) | ast::ExprKind::Unary(ast::UnaryOp::AddrOf, i) = self.ast[at].kind {
            at = i;
        }
        let ast::ExprKind::Name(n) = self.ast[at].kind else { return None };
        let mut to = self.strip_reference(to);
        let itself = self.p.types.is_function(to);
        if itself {
            to = self.p.types.pointer(to, Quals::NONE, AddrSpace::Generic);
        }
        if let Ty::MemberPointer { .. } = self.p.types.get(to) {
            let mark = self.sess.diagnostics.len();
            let found = self.find_name(n);
            self.sess.diagnostics.truncate(mark);
            let span = self.ast[e].span;
            return self.overloaded_member(&found?.entities, to, span);
        }
        let span = self.ast[e].span;
        let f = self.overload_of_type(n, to)?;
        Some(if itself { self.function_place(f, span) } else { self.function_address(f, span) })
    }

    /// The function of a name to which a pointer of type `to` can point. To find it is no use of it.
    pub(crate) fn overload_of_type(&mut self, n: ast::NameId, to: TyId) -> Option<FnId> {
        let Ty::Pointer { pointee, .. } = *self.p.types.get(to) else { return None };
        let Ty::Function(want) = self.p.types.get(pointee).clone() else { return None };
        let mark = self.sess.diagnostics.len();
        let found = self.find_name(n);
        self.sess.diagnostics.truncate(mark);
        let fits = |e| {
            let f = match e {
                Entity::Fn(f) => f,
                Entity::Template(t) if self.decls[t].kind == TemplateKind::Function => {
                    self.deduce_from_type(t, self.ast[n].args, &want)?
                }
                _ => return None,
            };
            let ty = self.function_pointer(f);
            (self.quieter_pointer(ty, to) == to).then_some(f)
        };
        let fitting: Vec<FnId> = found?.entities.into_iter().filter_map(fits).collect();
        self.nearest_of_type(&fitting)
    }

    /// Of functions that all have the type of an address, an explicit specialisation or an explicit instantiation, the one that it
    /// means (C++20, 12.5 and 13.10.3.7): one that is no template's, then the more specialised template's, then the more
    /// constrained one. The first where nothing tells them apart.
    pub(crate) fn nearest_of_type(&mut self, fitting: &[FnId]) -> Option<FnId> {
        fitting.iter().copied().reduce(|best, f| if self.is_nearer(f, best) { f } else { best })
    }

    fn is_nearer(&mut self, f: FnId, g: FnId) -> bool {
        let n = self.decls[f].params.len();
        match (self.decls[f].template.is_some(), self.decls[g].template.is_some()) {
            (true, true) if self.more_specialised(f, g, n) => true,
            (true, true) if self.more_specialised(g, f, n) => false,
            (x, y) if x == y => self.same_parameters(f, g) && self.more_constrained(f, g),
            (of_template, _) => !of_template,
        }
    }

    /// A name's value, found again.
    pub(crate) fn name_value(&mut self, n: ast::NameId, span: Span) -> ExprId {
        match self.find_name(n) {
            Some(found) => self.named_expr(&found, n, span),
            None => self.err(span),
        }
    }
}
