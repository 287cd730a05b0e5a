//! Concepts and constraints (C++20, 13.5): whether arguments satisfy them, and which of two declarations asks for more.
//!
//! An error in what is asked means that it is not so. Of two declarations that fit equally well the more constrained one is
//! taken; their constraints are compared as they are for the arguments at hand.

use super::{Checker, Entity, FnId, RTy, ScopeId, TemplateId, TemplateKind, with_scope};
use crate::program::{ExprId, LocalId};
use crate::types::{QualTy, Quals, TemplateArg, Ty, TyId};
use source::{Diagnostic, Span, Symbol};
use std::rc::Rc;
use syntax::ast::{self, DeclKind, Requirement};

/// Constraints that stand in one another, at most.
const MAX_DEPTH: u16 = 64;
/// Alternatives of a constraint that are compared; of constraints with more neither is the more constrained.
const MAX_CLAUSES: usize = 256;

/// A constraint that is not made of others: where it stands, for which arguments of the concept around it.
type Atom = (ast::ExprId, Rc<[TemplateArg]>);

/// A constraint taken apart.
enum Normal {
    All(Vec<Normal>),
    Any(Vec<Normal>),
    Atom(Atom),
}

/// A concept with arguments, as a name in an expression.
enum Named {
    No,
    /// Its arguments mean nothing.
    Invalid,
    Concept(TemplateId, Vec<TemplateArg>),
}

impl Checker<'_> {
    pub(crate) fn is_concept(&self, t: TemplateId) -> bool {
        self.decls[t].kind == TemplateKind::Variable && self.ast.concepts.contains(&self.decls[t].decl)
    }

    /// Whether arguments, bound in a scope, satisfy what the `template<…>` before a declaration asks of them.
    pub(crate) fn satisfies(&mut self, decl: ast::DeclId, scope: ScopeId) -> bool {
        let ast = self.ast;
        let Some(by) = ast.constraints.get(&decl) else { return true };
        let span = ast[ast[decl].name].span;
        self.may_ask(span) && self.apart(scope, |c| by.iter().all(|&e| c.is_satisfied(e)))
    }

    /// Whether the `requires` behind a function's parameters lets it be called.
    pub(crate) fn may_be_called(&mut self, f: FnId) -> bool {
        let Some(e) = self.trailing_constraint(f) else { return true };
        if let Some(&known) = self.inst.callable.get(&f) {
            return known;
        }
        let d = self.decls[f].clone();
        if !self.may_ask(d.span) {
            return false;
        }
        // One whose constraint calls it cannot be called.
        self.inst.callable.insert(f, false);
        let r = self.apart(d.scope, |c| {
            for p in &d.params {
                let Some(n) = p.name else { continue };
                let ty = c.strip_reference(p.ty);
                let l = c.new_local(Some(n), ty, p.quals, p.span);
                c.cx.names.push((n, Entity::Local(l)));
            }
            c.is_satisfied(e)
        });
        self.inst.callable.insert(f, r);
        r
    }

    /// Says so if the result of a function does not satisfy the constraint before the `auto` in its type.
    pub(crate) fn check_result(&mut self, ty: ast::TypeId, deduced: TyId, span: Span) {
        if self.is_decltype_auto(ty) {
            return self.check_placeholder(ty, deduced, span);
        }
        let (mut at, mut found) = (ty, self.strip_reference(deduced));
        loop {
            match (self.ast[at].kind, self.p.types.get(found)) {
                (ast::TypeKind::Pointer(t), &Ty::Pointer { pointee, .. }) => (at, found) = (t, pointee),
                (ast::TypeKind::LvalueRef(t) | ast::TypeKind::RvalueRef(t), _) => at = t,
                _ => break,
            }
        }
        self.check_placeholder(at, found, span);
    }

    fn is_decltype_auto(&self, ty: ast::TypeId) -> bool {
        matches!(self.ast[ty].kind, ast::TypeKind::Builtin(ast::BuiltinType::DecltypeAuto))
    }

    /// Says so if what the `auto` in a type stands for does not satisfy the constraint before it.
    pub(crate) fn check_placeholder(&mut self, ty: ast::TypeId, found: TyId, span: Span) {
        use ast::TypeKind as K;
        let mut at = ty;
        let e = loop {
            if let Some(&e) = self.ast.auto_constraints.get(&at) {
                break e;
            }
            match self.ast[at].kind {
                K::LvalueRef(t) | K::RvalueRef(t) | K::Pointer(t) | K::Attributed { ty: t, .. } => at = t,
                _ => return,
            }
        };
        let found = if self.is_decltype_auto(at) { found } else { self.strip_reference(found) };
        if found == TyId::ERROR || self.p.types.is_dependent(found) || !self.may_ask(span) {
            return;
        }
        let saved = (self.cx.auto_ty.replace(found), self.cx.prechecked.take());
        let mark = self.sess.diagnostics.len();
        let holds = self.is_satisfied(e);
        self.sess.diagnostics.truncate(mark);
        (self.cx.auto_ty, self.cx.prechecked) = saved;
        if !holds {
            let name = self.show(found);
            let message = format!("the constraints of `auto` are not satisfied: it stands for `{name}`");
            let d = Diagnostic::error("E0479", span, message).label(self.ast[e].span, "asked for here");
            self.report(d);
        }
    }

    /// Whether one more constraint may be looked at: those that ask for themselves, with other arguments each time, end here.
    pub(crate) fn may_ask(&mut self, span: Span) -> bool {
        self.inst.depth < MAX_DEPTH && self.count_instantiation(span)
    }

    /// Whether a `requires` stands behind a function's parameters.
    pub(crate) fn is_constrained(&self, f: FnId) -> bool {
        self.trailing_constraint(f).is_some()
    }

    fn trailing_constraint(&self, f: FnId) -> Option<ast::ExprId> {
        let DeclKind::Function(fid) = self.ast[self.decls[f].ast?].kind else { return None };
        let ast::TypeKind::Function(ty) = self.ast[self.ast[fid].ty].kind else { return None };
        self.ast[ty].requires
    }

    /// Does something in a scope, away from the function that is being checked and without a word of its errors.
    pub(crate) fn apart<R>(&mut self, scope: ScopeId, f: impl FnOnce(&mut Self) -> R) -> R {
        let mark = self.sess.diagnostics.len();
        let cx = std::mem::take(&mut self.cx);
        let pattern = std::mem::take(&mut self.inst.in_pattern);
        self.inst.depth += 1;
        let r = with_scope!(self, scope, self.substituting(true, f));
        self.inst.depth -= 1;
        self.inst.in_pattern = pattern;
        self.cx = cx;
        self.sess.diagnostics.truncate(mark);
        r
    }

    /// The value of a concept with arguments as an expression.
    pub(crate) fn concept_value(&mut self, t: TemplateId, list: ast::List<ast::TemplateArg>, span: Span) -> ExprId {
        let Some(args) = self.template_args(t, list, span) else { return self.err(span) };
        if args.iter().any(|a| self.p.types.arg_is_dependent(a)) {
            return self.err(span);
        }
        let holds = self.concept_holds(t, args);
        let ty = self.bool_ty();
        self.int(i128::from(holds), ty, span)
    }

    fn concept_holds(&mut self, t: TemplateId, args: Vec<TemplateArg>) -> bool {
        let key = (t, args.into_boxed_slice());
        if let Some(&(known, missed)) = self.inst.concepts.get(&key) {
            self.decls.host_missed += u32::from(missed);
            if !known {
                self.note_host_arguments(&key.1);
            }
            return known;
        }
        let tpl = self.decls[t].clone();
        if !self.may_ask(tpl.span) {
            return false;
        }
        // One that asks for itself does not hold.
        self.inst.concepts.insert(key.clone(), (false, false));
        let missed = self.decls.host_missed;
        let scope = self.bind_args(&tpl.params, &key.1, tpl.scope);
        let holds = self.meaning_of(tpl.decl).is_some_and(|e| self.apart(scope, |c| c.is_satisfied(e)));
        if !holds {
            self.note_host_arguments(&key.1);
        }
        self.inst.concepts.insert(key, (holds, self.decls.host_missed != missed));
        holds
    }

    /// Notes that a concept does not hold for a class that is the host's.
    fn note_host_arguments(&mut self, args: &[TemplateArg]) {
        for a in args {
            let TemplateArg::Type(t) = a else { continue };
            let ty = self.strip_reference(t.ty);
            if let Some(r) = self.p.types.as_record(ty) {
                self.note_host_class(r);
            }
        }
    }

    fn meaning_of(&self, concept: ast::DeclId) -> Option<ast::ExprId> {
        match self.ast[concept].kind {
            DeclKind::Var { init: ast::Init::Copy(e), .. } => Some(e),
            _ => None,
        }
    }

    fn named_concept(&mut self, n: ast::NameId) -> Named {
        let Some(list) = self.ast[n].args else { return Named::No };
        let Some(found) = self.find_name(n) else { return Named::No };
        let Some(&Entity::Template(t)) = found.entities.first() else { return Named::No };
        if !self.is_concept(t) {
            return Named::No;
        }
        match self.template_args(t, list, self.ast[n].span) {
            Some(args) => Named::Concept(t, args),
            None => Named::Invalid,
        }
    }

    /// Whether a constraint is satisfied where the checker stands.
    fn is_satisfied(&mut self, e: ast::ExprId) -> bool {
        match self.ast[e].kind {
            ast::ExprKind::Paren(inner) => self.is_satisfied(inner),
            ast::ExprKind::Binary(ast::BinaryOp::LogAnd, a, b) => self.is_satisfied(a) && self.is_satisfied(b),
            ast::ExprKind::Binary(ast::BinaryOp::LogOr, a, b) => self.is_satisfied(a) || self.is_satisfied(b),
            ast::ExprKind::Name(n) => {
                let mark = self.sess.diagnostics.len();
                let named = self.named_concept(n);
                self.sess.diagnostics.truncate(mark);
                match named {
                    Named::Concept(t, args) => self.concept_holds(t, args),
                    Named::Invalid => false,
                    Named::No => self.is_true(e),
                }
            }
            _ => self.is_true(e),
        }
    }

    /// Whether an expression is constant and true.
    pub(crate) fn is_true(&mut self, e: ast::ExprId) -> bool {
        let (value, failed) = self.tried(|c| c.constant_expr(e).and_then(|v| c.truth(v)));
        !failed && value == Some(true)
    }

    /// What comes of something, and whether there was an error.
    pub(crate) fn tried<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> (R, bool) {
        let (mark, errors) = (self.sess.diagnostics.len(), self.sess.diagnostics.error_count());
        let r = f(self);
        let failed = self.sess.diagnostics.error_count() > errors;
        self.sess.diagnostics.truncate(mark);
        (r, failed)
    }

    /// `requires { … }` as an expression.
    pub(crate) fn requires_expr(&mut self, id: ast::RequiresId, span: Span) -> ExprId {
        let ast = self.ast;
        let (names, locals) = (self.cx.names.len(), self.cx.locals.len());
        let (holds, failed) = self.tried(|c| {
            c.requires_parameters(ast[id].params);
            let list = &ast[id].list;
            c.substituting(true, |c| list.iter().all(|&r| c.requirement(r)))
        });
        self.cx.names.truncate(names);
        self.cx.locals.truncate(locals);
        self.cx.infos.truncate(locals);
        let ty = self.bool_ty();
        self.int(i128::from(holds && !failed), ty, span)
    }

    fn requires_parameters(&mut self, params: ast::List<ast::DeclId>) {
        let ast = self.ast;
        for &p in ast.list(params) {
            let d = ast[p];
            let DeclKind::Param { ty, .. } = d.kind else { continue };
            if let ast::TypeKind::Pack(pattern) = ast[ty].kind {
                let elements: Vec<RTy> = self.expand_type_pack(pattern);
                let name = self.decl_symbol(&d);
                let locals = elements.into_iter().map(|r| self.unevaluated_parameter(name, r, d.span)).collect();
                self.flush_pack(name.map(|n| (n, locals)));
                continue;
            }
            let r = self.resolve(ty);
            let Some(n) = self.decl_symbol(&d) else { continue };
            let l = self.unevaluated_parameter(Some(n), r, d.span);
            self.cx.names.push((n, Entity::Local(l)));
        }
    }

    /// A parameter that is only asked for its type.
    pub(crate) fn unevaluated_parameter(&mut self, name: Option<Symbol>, of: RTy, span: Span) -> LocalId {
        let r = self.adjust_param(of);
        match *self.p.types.get(r.ty) {
            // What it refers to may be `const`, which the parameter itself is not.
            Ty::Reference { pointee, quals, space, .. } => {
                let held = self.p.types.pointer(pointee, quals, space);
                let l = self.new_local(name, held, Quals::NONE, span);
                self.cx.locals[l.index()].is_reference = true;
                self.cx.infos[l.index()].decl_ty = Some(r.ty);
                l
            }
            _ => self.new_local(name, r.ty, r.quals, span),
        }
    }

    fn requirement(&mut self, r: Requirement) -> bool {
        match r {
            Requirement::Type(t) => {
                let (ty, failed) = self.tried(|c| c.resolve_ty(t));
                !failed && ty != TyId::ERROR
            }
            Requirement::Nested(e) => self.is_satisfied(e),
            Requirement::Expr { value, noexcept, result } => {
                let missed = self.decls.host_missed;
                let mark = self.sess.diagnostics.len();
                let ((found, deleted), failed) = self.tried(|c| {
                    let found = c.valid_type(value);
                    (found, c.sess.diagnostics.iter().skip(mark).any(|d| d.code == "E0441"))
                });
                // Of the host's functions nothing but their names is known here. They may be asked about: nothing is called. Where a
                // deleted function is what a call means, nothing was missed for it.
                let Some((v, ty)) = found.filter(|_| !failed) else {
                    return !deleted && self.decls.host_missed != missed;
                };
                !(noexcept && self.may_throw(v)) && result.is_none_or(|n| self.result_satisfies(n, ty))
            }
        }
    }

    /// An expression and its type as that of one in parentheses, if it is valid.
    fn valid_type(&mut self, e: ast::ExprId) -> Option<(ExprId, TemplateArg)> {
        self.cx.unevaluated += 1;
        let v = self.expr(e);
        self.cx.unevaluated -= 1;
        if self.is_err(v) {
            return None;
        }
        let x = *self.e(v);
        let (ty, quals) = if self.is_lv(v) {
            let space = self.default_space();
            (self.p.types.reference(x.ty, x.quals, space, self.is_xvalue(v)), Quals::NONE)
        } else {
            (x.ty, if self.p.types.as_record(x.ty).is_some() { x.quals } else { Quals::NONE })
        };
        Some((v, TemplateArg::Type(QualTy { ty, quals })))
    }

    /// Whether `C<T, arguments…>` holds for the type of an expression, where `C<arguments…>` is written.
    fn result_satisfies(&mut self, n: ast::NameId, ty: TemplateArg) -> bool {
        let (named, failed) = self.tried(|c| {
            let found = c.find_name(n)?;
            let Some(&Entity::Template(t)) = found.entities.first() else { return None };
            let list = c.ast[n].args.unwrap_or(ast::List::EMPTY);
            let args = c.template_args_after(t, ty, list, c.ast[n].span)?;
            c.is_concept(t).then_some((t, args))
        });
        !failed && named.is_some_and(|(t, args)| self.concept_holds(t, args))
    }

    // ---- which of two asks for more ------------------------------------------------------------------------------

    /// Whether a function, or what its template asks of the arguments that it has, is more constrained than another one.
    pub(crate) fn more_constrained(&mut self, a: FnId, b: FnId) -> bool {
        let (x, y) = (self.constraints_of(a), self.constraints_of(b));
        if x.is_empty() && y.is_empty() {
            return false;
        }
        let [sa, sb] = [a, b].map(|f| self.compared_scope(f));
        self.asks_more((&x, sa), (&y, sb))
    }

    /// Where the constraints of a function mean what they are compared by: of a template its parameters, not what they stand for, which
    /// may be one thing for two of them (C++20, 13.5.2).
    fn compared_scope(&mut self, f: FnId) -> ScopeId {
        let Some(t) = self.decls[f].template else { return self.decls[f].scope };
        let tpl = self.decls[t].clone();
        let packs = std::mem::take(&mut self.inst.pattern_packs);
        let scope = self.pattern_scope(&tpl.params, tpl.scope);
        self.inst.pattern_packs = packs;
        scope
    }

    fn constraints_of(&self, f: FnId) -> Vec<ast::ExprId> {
        let of_template = self.decls[f].template.and_then(|t| self.ast.constraints.get(&self.decls[t].decl));
        of_template.into_iter().flatten().copied().chain(self.trailing_constraint(f)).collect()
    }

    /// Whether one list of constraints asks for all that another one asks for, and not the reverse.
    pub(crate) fn asks_more(&mut self, a: (&[ast::ExprId], ScopeId), b: (&[ast::ExprId], ScopeId)) -> bool {
        let none: Rc<[TemplateArg]> = Rc::from([]);
        let mut normal = |(list, scope): (&[ast::ExprId], ScopeId)| {
            self.apart_as_pattern(scope, |c| Normal::All(list.iter().map(|&e| c.normal(e, &none)).collect()))
        };
        let (a, b) = (normal(a), normal(b));
        subsumes(&a, &b) && !subsumes(&b, &a)
    }

    fn apart_as_pattern<R>(&mut self, scope: ScopeId, f: impl FnOnce(&mut Self) -> R) -> R {
        self.apart(scope, |c| {
            c.inst.in_pattern = true;
            f(c)
        })
    }

    fn normal(&mut self, e: ast::ExprId, of: &Rc<[TemplateArg]>) -> Normal {
        match self.ast[e].kind {
            ast::ExprKind::Paren(inner) => self.normal(inner, of),
            ast::ExprKind::Binary(ast::BinaryOp::LogAnd, a, b) => {
                Normal::All(vec![self.normal(a, of), self.normal(b, of)])
            }
            ast::ExprKind::Binary(ast::BinaryOp::LogOr, a, b) => {
                Normal::Any(vec![self.normal(a, of), self.normal(b, of)])
            }
            ast::ExprKind::Name(n) => match self.named_concept(n) {
                Named::Concept(t, args) if self.inst.depth < MAX_DEPTH => {
                    let tpl = self.decls[t].clone();
                    let Some(inner) = self.meaning_of(tpl.decl) else { return Normal::Atom((e, Rc::clone(of))) };
                    let scope = self.bind_args(&tpl.params, &args, tpl.scope);
                    let args: Rc<[TemplateArg]> = Rc::from(args);
                    self.apart_as_pattern(scope, |c| c.normal(inner, &args))
                }
                _ => Normal::Atom((e, Rc::clone(of))),
            },
            _ => Normal::Atom((e, Rc::clone(of))),
        }
    }
}

/// Whether `a` implies `b` (C++20, 13.5.4): each alternative of `a` has a part of each clause of `b`.
fn subsumes(a: &Normal, b: &Normal) -> bool {
    let (Some(alternatives), Some(clauses)) = (clauses(a, false), clauses(b, true)) else { return false };
    alternatives.iter().all(|x| clauses.iter().all(|y| y.iter().any(|atom| x.contains(atom))))
}

/// The clauses of the conjunctive normal form, or of the disjunctive one; `None` if there are too many.
fn clauses(n: &Normal, conjunctive: bool) -> Option<Vec<Vec<Atom>>> {
    let (parts, joined) = match n {
        Normal::Atom(a) => return Some(vec![vec![a.clone()]]),
        Normal::All(parts) => (parts, conjunctive),
        Normal::Any(parts) => (parts, !conjunctive),
    };
    let mut out: Vec<Vec<Atom>> = if joined { Vec::new() } else { vec![Vec::new()] };
    for p in parts {
        let inner = clauses(p, conjunctive)?;
        if joined {
            out.extend(inner);
        } else {
            let pairs = out.iter().flat_map(|x| inner.iter().map(move |y| x.iter().chain(y).cloned().collect()));
            out = pairs.take(MAX_CLAUSES + 1).collect();
        }
        if out.len() > MAX_CLAUSES {
            return None;
        }
    }
    Some(out)
}
