//! Scalars that iterations put together: sums and their like, the greatest and the least.

use crate::access::place;
use crate::ctype::Shape;
use crate::loops::{CountedLoop, strip};
use crate::region::{Construct, Cx};
use crate::scope::{Storage, Use, VarId};
use crate::verdict::{Question, is_float};
use directives::ClauseKind;
use std::ops::Range;
use syntax::ast::{BinaryOp, BuiltinType, ExprId, ExprKind, StmtId, StmtKind, UnaryOp};

impl Cx<'_> {
    /// The scalars that a loop of `parallel` puts together and that are read behind it, though no clause says so. Each gang would
    /// have its own, and its value would be lost: as NVIDIA's compiler does, the reduction that is meant is taken as said.
    pub(crate) fn implied_reductions(
        &self,
        l: &CountedLoop,
        privates: &[VarId],
        reductions: &[(String, VarId)],
    ) -> Vec<(String, VarId)> {
        if self.construct != Construct::Parallel || !self.host_variables.is_empty() {
            return Vec::new();
        }
        let site = &self.scopes.sites[self.site];
        let own = |kind| site.directive.all(kind).flat_map(|c| self.named(site, c)).collect::<Vec<VarId>>();
        let [firsts, own, asked] = [ClauseKind::Firstprivate, ClauseKind::Private, ClauseKind::Reduction].map(own);
        let inner: Vec<VarId> = self.scopes.sites_in(&l.range).flat_map(|(i, _)| self.words_of(i).privates).collect();
        let q = Question::of(self, l);
        let mut out = Vec::new();
        for &(v, access) in &self.accesses {
            let var = self.scopes.var(v);
            let said = [privates, &firsts, &own, &asked, &inner].iter().any(|list| list.contains(&v))
                || reductions.iter().any(|r| r.1 == v);
            let outside = !self.range.contains(&var.at.start) && var.storage != Storage::Other;
            let atomic = q.uses(v).any(|u| crate::collide::is_atomic(self, u.at.start));
            if !access.written || said || !outside || atomic || !self.is_wanted_behind(v, &l.range) {
                continue;
            }
            out.extend(q.put_together(v).map(|op| (op, v)));
        }
        out
    }

    /// All of them in a construct.
    pub(crate) fn all_implied_reductions(&self, target: StmtId) -> Vec<VarId> {
        let nests = self.nests(target).into_iter();
        let loops = nests.filter_map(|s| Some((self.loop_words(s), CountedLoop::of(self.unit, self.scopes, s)?)));
        loops
            .flat_map(|(words, l)| self.implied_reductions(&l, &words.privates, &words.reductions))
            .map(|(_, v)| v)
            .collect()
    }

    /// Whether a `reduction` clause names a variable.
    pub(crate) fn is_asked_to_reduce(&self, s: StmtId, v: VarId) -> bool {
        let site = &self.scopes.sites[self.site];
        self.loop_words(s).reductions.iter().any(|r| r.1 == v)
            || site.directive.all(ClauseKind::Reduction).any(|c| self.named(site, c).contains(&v))
    }
}

impl Question<'_, '_> {
    /// The operator, if the iterations only put their values together in a variable, which they do not read otherwise.
    pub(crate) fn put_together(&self, v: VarId) -> Option<String> {
        self.sum(v).or_else(|| self.extreme(v))
    }

    /// The operator, if a variable only takes part in `v op= e` or `v = v op e`.
    fn sum(&self, v: VarId) -> Option<String> {
        let ast = &self.cx.unit.ast;
        let integral = match self.cx.scopes.var(v).ty.map(|t| self.cx.unit.shape(t)) {
            // A sum of `_Bool` stays at 1, and a difference changes between two values.
            Some(Shape::Number(BuiltinType::Bool)) => return None,
            Some(Shape::Number(b)) => !is_float(b),
            _ => return None,
        };
        let mut op: Option<&'static str> = None;
        let mut whole: Vec<Range<usize>> = Vec::new();
        for u in self.uses(v) {
            if whole.iter().any(|r| r.contains(&u.at.start)) {
                continue;
            }
            let &p = self.cx.parents.get(&u.expr)?;
            if self.cx.parents.contains_key(&p) {
                return None;
            }
            let (this, value, allowed) = match ast[p].kind {
                ExprKind::Assign(Some(op), place, value) if place == u.expr => (op, value, 0),
                ExprKind::Assign(None, place, value) if place == u.expr => {
                    let ExprKind::Binary(op, a, b) = ast[strip(self.cx.unit, value)].kind else { return None };
                    let is_v = |e: ExprId| self.cx.scopes.of.get(&strip(self.cx.unit, e)) == Some(&v);
                    if !(is_v(a) || is_v(b) && op != BinaryOp::Sub) {
                        return None;
                    }
                    (op, value, 1)
                }
                _ => return None,
            };
            let word = match this {
                BinaryOp::Add | BinaryOp::Sub => "+",
                BinaryOp::Mul => "*",
                BinaryOp::BitAnd => "&",
                BinaryOp::BitOr => "|",
                BinaryOp::BitXor => "^",
                _ => return None,
            };
            // Each step of `n += 0.5` is rounded to an integer.
            if integral && !self.is_integral(value) {
                return None;
            }
            let value = self.cx.unit.range(ast[value].span);
            if self.uses(v).filter(|u| value.contains(&u.at.start)).count() != allowed || op.is_some_and(|o| o != word)
            {
                return None;
            }
            op = Some(word);
            whole.push(self.cx.unit.range(ast[p].span));
        }
        op.map(str::to_owned)
    }

    /// Whether an expression surely is an integer.
    fn is_integral(&self, e: ExprId) -> bool {
        let unit = self.cx.unit;
        match unit.ast[e].kind {
            ExprKind::Int(_) | ExprKind::SizeofExpr(_) | ExprKind::SizeofType(_) => true,
            ExprKind::Paren(a) | ExprKind::Unary(UnaryOp::Plus | UnaryOp::Minus, a) => self.is_integral(a),
            ExprKind::Unary(UnaryOp::Not | UnaryOp::BitNot, _) => true,
            ExprKind::Binary(op, a, b) => match op {
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => {
                    self.is_integral(a) && self.is_integral(b)
                }
                _ => true,
            },
            ExprKind::Cond { then, els, .. } => then.is_some_and(|t| self.is_integral(t)) && self.is_integral(els),
            _ => match unit.type_of(self.cx.scopes, e).map(|t| unit.shape(t)) {
                Some(Shape::Number(b)) => !is_float(b),
                Some(Shape::Enum) => true,
                _ => unit.constant(e).is_some(),
            },
        }
    }

    /// `max` or `min`, if a variable only takes part in `v = fmax(v, e)`, `v = v > e ? v : e` and `if (e > v) v = e;`.
    ///
    /// Where values are NaN the second of these depends on the order, as sums of floating-point numbers do.
    fn extreme(&self, v: VarId) -> Option<String> {
        let Some(Shape::Number(kind)) = self.cx.scopes.var(v).ty.map(|t| self.cx.unit.shape(t)) else { return None };
        if kind == BuiltinType::Bool {
            return None;
        }
        let mut steps: Vec<(bool, Range<usize>)> = Vec::new();
        for s in self.cx.unit.stmts_in(self.body()) {
            let s = &self.cx.unit.ast[s];
            let at = self.cx.unit.range(s.span);
            let found = match s.kind {
                StmtKind::Expr(e) => self.assigned_extreme(v, kind, e),
                StmtKind::If { .. } => self.guarded_extreme(v, kind, &s.kind),
                _ => None,
            };
            // An assignment under its `if` is a part of that one.
            if let Some(greatest) = found {
                steps.push((greatest, at));
            }
        }
        let &(greatest, _) = steps.first()?;
        let all = self.uses(v).all(|u| steps.iter().any(|s| s.0 == greatest && s.1.contains(&u.at.start)));
        all.then(|| if greatest { "max" } else { "min" }.to_owned())
    }

    /// Whether `v = …` takes the greatest (true) or the least of `v` and another value.
    fn assigned_extreme(&self, v: VarId, kind: BuiltinType, e: ExprId) -> Option<bool> {
        let unit = self.cx.unit;
        let ExprKind::Assign(None, place, value) = unit.ast[strip(unit, e)].kind else { return None };
        if !self.is_name(place, v) {
            return None;
        }
        match unit.ast[strip(unit, value)].kind {
            ExprKind::Call { callee, args } => {
                let name = unit.slice(unit.ast[callee].span).trim();
                let &[a, b] = unit.ast.list(args) else { return None };
                let other = if self.is_name(a, v) { b } else { a };
                let greatest = match name.strip_prefix("__builtin_").unwrap_or(name) {
                    "fmax" | "fmaxf" => true,
                    "fmin" | "fminf" => false,
                    _ => return None,
                };
                let one = self.is_name(a, v) != self.is_name(b, v);
                (one && is_float(kind) && self.is_free_of(other, v) && !self.cx.is_defined_here(name))
                    .then_some(greatest)
            }
            ExprKind::Cond { cond, then: Some(then), els } => {
                let other = match (self.is_name(then, v), self.is_name(els, v)) {
                    (true, false) => els,
                    (false, true) => then,
                    _ => return None,
                };
                // Which of the two is taken where `v` is greater.
                let greatest = self.compares(v, kind, cond, other)?;
                Some(greatest == (other == els))
            }
            _ => None,
        }
    }

    /// The same of `if (e > v) v = e;`.
    fn guarded_extreme(&self, v: VarId, kind: BuiltinType, s: &StmtKind) -> Option<bool> {
        let unit = self.cx.unit;
        let StmtKind::If { cond: syntax::ast::Condition::Expr(cond), then, els: None, .. } = *s else { return None };
        let StmtKind::Expr(e) = unit.ast[crate::loops::plain(unit, then)].kind else { return None };
        let ExprKind::Assign(None, place, value) = unit.ast[strip(unit, e)].kind else { return None };
        if !self.is_name(place, v) {
            return None;
        }
        self.compares(v, kind, cond, value).map(|greater| !greater)
    }

    /// Whether a condition is `v > e` or the like (true), or `v < e` (false), `e` being spelled as another expression is.
    fn compares(&self, v: VarId, kind: BuiltinType, cond: ExprId, value: ExprId) -> Option<bool> {
        let unit = self.cx.unit;
        let ExprKind::Binary(op, a, b) = unit.ast[strip(unit, cond)].kind else { return None };
        let greater = match op {
            BinaryOp::Gt | BinaryOp::Ge => true,
            BinaryOp::Lt | BinaryOp::Le => false,
            _ => return None,
        };
        let (greater, other) = match (self.is_name(a, v), self.is_name(b, v)) {
            (true, false) => (greater, b),
            (false, true) => (!greater, a),
            _ => return None,
        };
        let text = |e: ExprId| unit.slice(unit.ast[strip(unit, e)].span).split_whitespace().collect::<String>();
        // Integers are compared as what both become, and cut off when they are assigned.
        let same = is_float(kind) || self.number(other) == Some(kind);
        (same && text(other) == text(value) && self.is_free_of(other, v)).then_some(greater)
    }

    /// The type of a number, where it is plain.
    fn number(&self, e: ExprId) -> Option<BuiltinType> {
        match self.cx.unit.type_of(self.cx.scopes, e).map(|t| self.cx.unit.shape(t)) {
            Some(Shape::Number(b)) => Some(b),
            _ => None,
        }
    }

    fn is_name(&self, e: ExprId, v: VarId) -> bool {
        self.cx.scopes.of.get(&strip(self.cx.unit, e)) == Some(&v)
    }

    /// Whether an expression does not use a variable, and changes nothing: it may stand there twice.
    fn is_free_of(&self, e: ExprId, v: VarId) -> bool {
        let at = self.cx.unit.range(self.cx.unit.ast[e].span);
        let changes = |u: &Use| {
            let access = place(self.cx.unit, self.cx.scopes, self.cx.parents, u.expr).access;
            access.written || access.escapes
        };
        !self.cx.scopes.uses_in(&at).iter().any(|u| u.var == v || changes(u))
    }
}
