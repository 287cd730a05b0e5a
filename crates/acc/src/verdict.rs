//! May the iterations of a loop run in any order?
//!
//! For each variable that a body changes: a scalar must be set before it is read in each iteration and not be wanted
//! afterwards, or be the sum of what the iterations give; accesses of an array of which one is a write must not meet in
//! different iterations. Subscripts are compared as polynomials, dimension by dimension: equal multiples of the loop's
//! variable with rests that differ by less than a multiple (strong SIV, and rows that do not overlap in arrays made linear);
//! numbers that differ (ZIV). What is not proved is a dependence. Different pointers may point to the same unless one is
//! `restrict`, or their types differ.

use crate::access::{Access, place, summary};
use crate::ctype::Shape;
use crate::extent::{Counted, bounds, counted_in, polynomial, sets_its_variable};
use crate::loops::{CountedLoop, strip};
use crate::poly::Poly;
use crate::region::Cx;
use crate::scope::{Storage, Use, VarId};
use std::ops::Range;
use syntax::ast::{BinaryOp, BuiltinType, ExprId, ExprKind, StmtKind, UnaryOp};

/// What was found out.
#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    /// They may, if each has its own of these variables and these are put together.
    Parallel {
        /// Variables that each iteration sets before it reads them.
        privates: Vec<VarId>,
        /// Sums and their like.
        reductions: Vec<(String, VarId)>,
    },
    /// They may not, for all that is known.
    Serial {
        /// Why, in the words of `-Minfo`.
        reasons: Vec<String>,
        /// If they may where these pointers point to different memory: the pairs.
        overlaps: Vec<(VarId, VarId)>,
    },
}

/// Deepest substitution of a scalar by what was assigned to it.
const MAX_SUBSTITUTIONS: u32 = 8;

/// An access of memory.
pub(crate) struct Reach {
    pub(crate) var: VarId,
    pub(crate) subscripts: Vec<Option<Poly>>,
    /// No chain of subscripts: anything that the pointer reaches.
    pub(crate) unknown: bool,
    pub(crate) write: bool,
    /// The name.
    pub(crate) expr: ExprId,
    /// Where it stands, and under how many branches and loops.
    pub(crate) at: usize,
    pub(crate) depth: u32,
}

/// What two accesses do in different iterations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meeting {
    Never,
    Known,
    Unknown,
}

/// A loop and what is known about its body.
pub(crate) struct Question<'a, 'c> {
    pub(crate) cx: &'a Cx<'c>,
    pub(crate) l: &'a CountedLoop,
    body: Range<usize>,
    pub(crate) inner: Vec<Counted>,
    written: Vec<(VarId, Access)>,
}

/// Asks for one loop; what the program says to be private or reduced is believed.
pub(crate) fn of_loop(cx: &Cx<'_>, l: &CountedLoop, privates: &[VarId], reductions: &[(String, VarId)]) -> Verdict {
    let q = Question::of(cx, l);
    let mut reasons = q.control();
    if sets_its_variable(cx, l) {
        reasons.push(format!("Accelerator restriction: loop changes its variable {}", cx.scopes.var(l.var).name));
    }
    let (mut own, mut sums) = (Vec::new(), Vec::new());
    q.scalars(privates, reductions, &mut own, &mut sums, &mut reasons);
    let mut overlaps = Vec::new();
    let others = reasons.len() + q.memory(privates, reductions, &mut reasons, &mut overlaps);
    if reasons.is_empty() {
        return Verdict::Parallel { privates: own, reductions: sums };
    }
    if others > 0 {
        overlaps.clear();
    }
    Verdict::Serial { reasons, overlaps }
}

/// The scalars that each iteration of a loop that the program calls independent has for itself, and those that are sums.
pub(crate) fn scalars_of(
    cx: &Cx<'_>,
    l: &CountedLoop,
    privates: &[VarId],
    reductions: &[(String, VarId)],
) -> (Vec<VarId>, Vec<(String, VarId)>) {
    let q = Question::of(cx, l);
    let (mut own, mut sums) = (Vec::new(), Vec::new());
    q.scalars(privates, reductions, &mut own, &mut sums, &mut Vec::new());
    for &(v, access) in &q.written {
        let number = matches!(cx.scopes.var(v).ty.map(|t| cx.unit.shape(t)), Some(Shape::Number(_)));
        if access.written && number && !access.escapes && !q.is_local(v) && q.set_first(v) && !own.contains(&v) {
            own.push(v);
        }
    }
    (own, sums)
}

impl<'a, 'c> Question<'a, 'c> {
    pub(crate) fn of(cx: &'a Cx<'c>, l: &'a CountedLoop) -> Self {
        let body = cx.unit.range(cx.unit.ast[l.body].span);
        let written = summary(cx.unit, cx.scopes, cx.parents, &body);
        let inner = counted_in(cx, &body);
        Self { cx, l, body, inner, written }
    }
}

impl Question<'_, '_> {
    /// Jumps out of the loop and calls of what is not known.
    fn control(&self) -> Vec<String> {
        let ast = &self.cx.unit.ast;
        let mut out = Vec::new();
        let inside = |at: &Range<usize>| self.body.start <= at.start && at.end <= self.body.end;
        let mut holders: Vec<Range<usize>> = Vec::new();
        for s in &ast.stmts {
            if matches!(
                s.kind,
                StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::Do { .. } | StmtKind::Switch { .. }
            ) {
                let at = self.cx.unit.range(s.span);
                if inside(&at) {
                    holders.push(at);
                }
            }
        }
        for s in &ast.stmts {
            let exits = match s.kind {
                StmtKind::Break => {
                    let at = self.cx.unit.range(s.span);
                    inside(&at) && !holders.iter().any(|h| h.contains(&at.start))
                }
                StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::GotoIndirect(_) => {
                    inside(&self.cx.unit.range(s.span))
                }
                _ => false,
            };
            if exits {
                out.push("Accelerator restriction: loop has multiple exits".to_owned());
                break;
            }
        }
        for e in &ast.exprs {
            let ExprKind::Call { callee, .. } = e.kind else { continue };
            if !inside(&self.cx.unit.range(e.span)) {
                continue;
            }
            let name = self.cx.unit.slice(ast[callee].span).trim().to_owned();
            if !self.is_pure(&name) {
                let text = format!("Accelerator restriction: call to '{name}' with side effects that are not known");
                if !out.contains(&text) {
                    out.push(text);
                }
            }
        }
        out
    }

    /// Whether a function only computes: one of the library's, or one of this file that writes nothing but its own variables.
    fn is_pure(&self, name: &str) -> bool {
        const PURE: [&str; 34] = [
            "abs", "fabs", "fabsf", "sqrt", "sqrtf", "exp", "expf", "log", "logf", "pow", "powf", "sin", "sinf", "cos",
            "cosf", "tan", "tanf", "atan", "atan2", "floor", "ceil", "fmax", "fmin", "fmaxf", "fminf", "fmod", "labs",
            "round", "log10", "log2", "tanh", "sinh", "cosh", "floorf",
        ];
        if PURE.contains(&name) {
            return true;
        }
        let unit = self.cx.unit;
        let bodies = unit
            .declared
            .get(name)
            .into_iter()
            .flatten()
            .filter(|&&i| unit.text[unit.externals[i].clone()].ends_with('}'));
        let mut any = false;
        for &i in bodies {
            any = true;
            let range = &unit.externals[i];
            let uses = self.cx.scopes.uses_in(range);
            let bad = |u: &Use| {
                let var = self.cx.scopes.var(u.var);
                let p = place(unit, self.cx.parents, u.expr);
                var.storage == Storage::Static
                    || p.memory && p.access.written
                    || p.access.escapes
                    || var.storage == Storage::Other && unit.declared.contains_key(&var.name)
            };
            if uses.iter().any(bad) {
                return false;
            }
        }
        any
    }

    fn uses(&self, v: VarId) -> impl Iterator<Item = &Use> {
        self.cx.scopes.uses_in(&self.body).iter().filter(move |u| u.var == v)
    }

    fn is_local(&self, v: VarId) -> bool {
        self.body.contains(&self.cx.scopes.var(v).at.start)
    }

    fn scalars(
        &self,
        privates: &[VarId],
        reductions: &[(String, VarId)],
        own: &mut Vec<VarId>,
        sums: &mut Vec<(String, VarId)>,
        reasons: &mut Vec<String>,
    ) {
        for &(v, access) in &self.written {
            let var = self.cx.scopes.var(v);
            let asked = privates.contains(&v) || reductions.iter().any(|r| r.1 == v) || v == self.l.var;
            if !access.written || asked || self.is_local(v) || var.storage == Storage::Other {
                continue;
            }
            if matches!(var.ty.map(|t| self.cx.unit.shape(t)), Some(Shape::Array(..))) {
                continue;
            }
            if self.inner.iter().any(|l| l.var == v) {
                own.push(v);
                continue;
            }
            if let Some(op) = self.sum(v) {
                sums.push((op, v));
                continue;
            }
            if access.escapes || !self.set_first(v) {
                let line = self.uses(v).next().map_or(0, |u| self.cx.unit.line(u.at.start).0);
                reasons.push(format!("Loop carried scalar dependence for {} at line {line}", var.name));
            } else if self.wanted_later(v) {
                reasons.push(format!("Accelerator restriction: induction variable live-out from loop: {}", var.name));
            } else {
                own.push(v);
            }
        }
    }

    /// Where a variable has surely been set in the same run of the statements around: from behind an assignment that stands
    /// by itself in a block to the block's end.
    fn set_ranges(&self, v: VarId) -> Vec<Range<usize>> {
        let (unit, ast) = (self.cx.unit, &self.cx.unit.ast);
        let sets = |e: ExprId| match ast[strip(unit, e)].kind {
            ExprKind::Assign(None, place, _) => self.cx.scopes.of.get(&strip(unit, place)) == Some(&v),
            _ => false,
        };
        let mut out = Vec::new();
        for s in &ast.stmts {
            let StmtKind::Compound(list) = s.kind else { continue };
            let end = unit.range(s.span).end;
            for &child in ast.list(list) {
                let at = unit.range(ast[child].span);
                match ast[child].kind {
                    StmtKind::Expr(e) if sets(e) => out.push(at.end..end),
                    StmtKind::For { init: Some(init), .. } => match ast[init].kind {
                        StmtKind::Expr(e) if sets(e) => out.push(unit.range(ast[init].span).end..end),
                        _ => {}
                    },
                    _ => {}
                }
            }
        }
        out
    }

    fn is_read(&self, u: &Use) -> bool {
        let p = place(self.cx.unit, self.cx.parents, u.expr);
        p.access.read || p.access.escapes || !p.access.written
    }

    /// Whether each iteration sets a variable before it reads it.
    fn set_first(&self, v: VarId) -> bool {
        let sets = self.set_ranges(v);
        let own = |r: &&Range<usize>| self.body.start <= r.start && r.end <= self.body.end;
        self.uses(v).filter(|u| self.is_read(u)).all(|u| sets.iter().filter(own).any(|r| r.contains(&u.at.start)))
    }

    /// Whether a variable's value may be read after the loop.
    fn wanted_later(&self, v: VarId) -> bool {
        let var = self.cx.scopes.var(v);
        let unit = self.cx.unit;
        let Some(function) = unit.external_at(self.body.start).map(|i| unit.externals[i].clone()) else { return true };
        if var.storage == Storage::Static {
            return true;
        }
        let sets = self.set_ranges(v);
        let here = &self.l.range;
        // Behind the loop, and, if another one is around it, before it in there.
        let again = self.enclosing_loop();
        let later = |at: usize| at >= here.end || again.as_ref().is_some_and(|r| r.contains(&at) && at < here.start);
        let set_between = |u: &Use| {
            sets.iter().any(|r| {
                let from = if u.at.start >= here.end { here.end } else { again.as_ref().map_or(0, |a| a.start) };
                r.start >= from && r.contains(&u.at.start)
            })
        };
        let read = self
            .cx
            .scopes
            .uses_in(&function)
            .iter()
            .any(|u| u.var == v && later(u.at.start) && self.is_read(u) && !set_between(u));
        let named = self.cx.scopes.sites_in(&function).any(|(_, s)| {
            let data = s.directive.clauses.iter().filter(|c| !matches!(c.kind, directives::ClauseKind::Private));
            later(s.directive.span.start)
                && data
                    .flat_map(|c| &c.operands)
                    .any(|o| crate::unit::words(&unit.text[o.text.clone()]).any(|w| s.names.get(w) == Some(&v)))
        });
        read || named
    }

    /// The outermost loop around this one.
    fn enclosing_loop(&self) -> Option<Range<usize>> {
        let ast = &self.cx.unit.ast;
        let loops = ast
            .stmts
            .iter()
            .filter(|s| matches!(s.kind, StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::Do { .. }));
        let around = loops
            .map(|s| self.cx.unit.range(s.span))
            .filter(|r| r.start < self.l.range.start && r.end >= self.l.range.end);
        around.max_by_key(Range::len)
    }

    /// The operator, if a variable only takes part in `v op= e` or `v = v op e`.
    fn sum(&self, v: VarId) -> Option<String> {
        let ast = &self.cx.unit.ast;
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

    /// A subscript: variables that the body sets are what was assigned to them.
    fn subscript(&self, e: ExprId, left: u32) -> Option<Poly> {
        let of = |v: VarId| {
            if v == self.l.var || self.inner.iter().any(|l| l.var == v) {
                return Some(Poly::variable(v));
            }
            let access = self.written.iter().find(|(x, _)| *x == v).map(|(_, a)| *a);
            if access.is_none_or(|a| !a.written) && !self.is_local(v) {
                return Some(Poly::variable(v));
            }
            self.substitute(v, e, left)
        };
        polynomial(self.cx, e, &of)
    }

    /// The one value that a variable of the body has.
    fn substitute(&self, v: VarId, at: ExprId, left: u32) -> Option<Poly> {
        if left == 0 {
            return None;
        }
        let at = self.cx.unit.range(self.cx.unit.ast[at].span);
        let mut writes = self.uses(v).filter(|u| place(self.cx.unit, self.cx.parents, u.expr).access.written);
        if let Some(w) = writes.next() {
            if writes.next().is_some() || w.at.start > at.start {
                return None;
            }
            let &p = self.cx.parents.get(&w.expr)?;
            let ExprKind::Assign(None, _, value) = self.cx.unit.ast[p].kind else { return None };
            // In the same loops, so that it is this iteration's.
            let holders = |at: usize| self.inner.iter().filter(|l| l.range.contains(&at)).count();
            let read = self.uses(v).find(|u| at.contains(&u.at.start))?;
            if holders(w.at.start) != holders(at.start) || w.depth > read.depth {
                return None;
            }
            return self.subscript(value, left - 1);
        }
        // Declared in the body with its value.
        let decl_at = self.cx.scopes.var(v).at.clone();
        let d = self.cx.unit.ast.decls.iter().find(|d| {
            matches!(d.kind, syntax::ast::DeclKind::Var { .. })
                && self.cx.unit.range(self.cx.unit.ast[d.name].span) == decl_at
        })?;
        let syntax::ast::DeclKind::Var { init: syntax::ast::Init::Copy(value), .. } = d.kind else { return None };
        self.subscript(value, left - 1)
    }

    /// What keeps iterations apart in memory; the number of reasons that are more than pointers that may point to the same, which
    /// are `overlaps`.
    fn memory(
        &self,
        privates: &[VarId],
        reductions: &[(String, VarId)],
        reasons: &mut Vec<String>,
        overlaps: &mut Vec<(VarId, VarId)>,
    ) -> usize {
        let all = self.accesses(privates, reductions);
        let mut told: Vec<VarId> = Vec::new();
        let mut others = 0;
        for w in all.iter().filter(|a| a.write) {
            for a in &all {
                let meeting = if a.var == w.var { self.meet(w, a) } else { self.alias(w, a) };
                if meeting == Meeting::Never {
                    continue;
                }
                let pair = (w.var.min(a.var), w.var.max(a.var));
                if a.var == w.var {
                    others += 1;
                } else if !overlaps.contains(&pair) {
                    overlaps.push(pair);
                }
                if told.contains(&w.var) {
                    continue;
                }
                told.push(w.var);
                let name = &self.cx.scopes.var(w.var).name;
                let text = if self.would_be_private(w.var, &all) {
                    format!("Parallelization would require privatization of array {}", self.section(w.var))
                } else if a.var != w.var {
                    let other = &self.cx.scopes.var(a.var).name;
                    format!("Complex loop carried dependence of {name}->,{other}-> prevents parallelization")
                } else if meeting == Meeting::Known {
                    format!("Loop carried dependence of {name} prevents parallelization")
                } else {
                    format!("Complex loop carried dependence of {name} prevents parallelization")
                };
                reasons.push(text);
            }
        }
        others
    }

    /// An array as messages about privatisation show it.
    fn section(&self, v: VarId) -> String {
        let var = self.cx.scopes.var(v);
        let dims = var.ty.map(|t| self.cx.unit.dimensions(t).0).unwrap_or_default();
        if self.cx.scopes.sites[self.cx.site].directive.inclusive && dims.iter().all(Option::is_some) {
            let bounds: String = dims.iter().flatten().map(|n| format!("[0:{}]", n.saturating_sub(1))).collect();
            return format!("'{}{bounds}'", var.name);
        }
        format!("{}(:)", var.name)
    }

    /// Whether all that keeps the iterations apart is that they use the same array in the same way.
    fn would_be_private(&self, v: VarId, all: &[Reach]) -> bool {
        let own: Vec<&Reach> = all.iter().filter(|a| a.var == v).collect();
        let still =
            |a: &&Reach| !a.unknown && a.subscripts.iter().all(|s| s.as_ref().is_some_and(|s| !s.has(self.l.var)));
        own.iter().all(still) && own.first().is_some_and(|a| a.write)
    }

    /// The accesses of memory that is not each iteration's own.
    pub(crate) fn accesses(&self, privates: &[VarId], reductions: &[(String, VarId)]) -> Vec<Reach> {
        let mut out = Vec::new();
        for u in self.cx.scopes.uses_in(&self.body) {
            let var = self.cx.scopes.var(u.var);
            let shape = var.ty.map(|t| self.cx.unit.shape(t));
            let pointer = matches!(shape, Some(Shape::Pointer(_)));
            let array = matches!(shape, Some(Shape::Array(..)));
            if !(pointer || array || matches!(shape, Some(Shape::Record))) {
                continue;
            }
            if privates.contains(&u.var) || reductions.iter().any(|r| r.1 == u.var) || array && self.is_local(u.var) {
                continue;
            }
            let p = place(self.cx.unit, self.cx.parents, u.expr);
            if !p.memory && !array && !p.access.escapes {
                continue;
            }
            let (subscripts, unknown) = self.chain(u);
            // A pointer of the body's own may point anywhere.
            let unknown = unknown
                || pointer && (self.is_local(u.var) || self.written.iter().any(|(v, a)| *v == u.var && a.written));
            let write = p.access.written || p.access.escapes;
            let reach = |subscripts, write| Reach {
                var: u.var,
                subscripts,
                unknown,
                write,
                expr: u.expr,
                at: u.at.start,
                depth: u.depth,
            };
            if p.access.read || p.access.escapes || !write {
                out.push(reach(subscripts.clone(), false));
            }
            if write {
                out.push(reach(subscripts, true));
            }
        }
        out
    }

    /// The subscripts behind a name.
    fn chain(&self, u: &Use) -> (Vec<Option<Poly>>, bool) {
        let mut out = Vec::new();
        let mut e = u.expr;
        while let Some(&p) = self.cx.parents.get(&e) {
            match self.cx.unit.ast[p].kind {
                ExprKind::Paren(_) => {}
                ExprKind::Index { base, index } if base == e => out.push(self.subscript(index, MAX_SUBSTITUTIONS)),
                ExprKind::Unary(UnaryOp::Deref, _) if out.is_empty() => out.push(Some(Poly::constant(0))),
                ExprKind::Member { arrow: false, .. } => {}
                ExprKind::Member { arrow: true, .. } => return (out, true),
                _ => break,
            }
            e = p;
        }
        let unknown = out.is_empty();
        (out, unknown)
    }

    /// Whether two accesses of one array meet in different iterations.
    fn meet(&self, a: &Reach, b: &Reach) -> Meeting {
        if a.unknown || b.unknown {
            return Meeting::Unknown;
        }
        let mut worst = Meeting::Known;
        for (f, g) in a.subscripts.iter().zip(&b.subscripts) {
            let met = match (f, g) {
                (Some(f), Some(g)) => self.dimension(f, g),
                _ => Meeting::Unknown,
            };
            match met {
                Meeting::Never => return Meeting::Never,
                Meeting::Unknown => worst = Meeting::Unknown,
                Meeting::Known => {}
            }
        }
        worst
    }

    fn dimension(&self, f: &Poly, g: &Poly) -> Meeting {
        let (Some((c, r)), Some((d, s))) = (f.linear(self.l.var), g.linear(self.l.var)) else {
            return Meeting::Unknown;
        };
        if c != d {
            return Meeting::Unknown;
        }
        let varies = |p: &Poly| self.inner.iter().any(|l| p.has(l.var));
        let difference = r.add(&s, -1).number();
        if let (Some(c), Some(difference), false) = (c.number(), difference, varies(&r) || varies(&s)) {
            return match c {
                0 if difference != 0 => Meeting::Never,
                0 => Meeting::Known,
                // The same iteration, or none.
                _ if difference == 0 || difference % c != 0 => Meeting::Never,
                _ => match self.iterations() {
                    Some(n) if (difference / c).abs() >= n => Meeting::Never,
                    _ => Meeting::Known,
                },
            };
        }
        // Rows: what is added to a row's beginning stays below its length.
        let rows = || {
            let (low_r, high_r) = self.range_of(&r)?;
            let (low_s, high_s) = self.range_of(&s)?;
            let fits = |most: &Poly, least: &Poly| {
                c.add(&Poly::constant(1), -1).add(most, -1).add(least, 1).number().is_some_and(|n| n >= 0)
            };
            (c.number() != Some(0) && fits(&high_r, &low_s) && fits(&high_s, &low_r)).then_some(())
        };
        if rows().is_some() { Meeting::Never } else { Meeting::Unknown }
    }

    /// How many iterations there are, if that is a number.
    pub(crate) fn iterations(&self) -> Option<i128> {
        let b = bounds(self.cx, self.l);
        b.last?.add(&b.first?, -1).number().map(|n| n + 1)
    }

    /// Least and greatest value over the inner loops.
    fn range_of(&self, p: &Poly) -> Option<(Poly, Poly)> {
        let (mut low, mut high) = (p.clone(), p.clone());
        for l in self.inner.iter().rev() {
            if !p.has(l.var) && !low.has(l.var) && !high.has(l.var) {
                continue;
            }
            let (c, r) = low.linear(l.var)?;
            let (d, s) = high.linear(l.var)?;
            // A factor that is a product of variables is the length of rows: positive where anything is accessed.
            let positive = |c: &Poly| c.number().map_or(c.is_sum_of_products(), |n| n >= 0);
            if !positive(&c) || !positive(&d) {
                return None;
            }
            low = r.add(&c.mul(l.first.as_ref()?)?, 1);
            high = s.add(&d.mul(l.last.as_ref()?)?, 1);
        }
        // What differs from iteration to iteration is no bound of all of them.
        let steady = |p: &Poly| {
            p.variables().all(|v| {
                v != self.l.var && !self.is_local(v) && !self.written.iter().any(|(x, a)| *x == v && a.written)
            })
        };
        (steady(&low) && steady(&high)).then_some((low, high))
    }

    /// Whether accesses through different names may meet.
    fn alias(&self, a: &Reach, b: &Reach) -> Meeting {
        if self.cx.apart.contains(&(a.var.min(b.var), a.var.max(b.var))) {
            return Meeting::Never;
        }
        let one = |r: &Reach| {
            let var = self.cx.scopes.var(r.var);
            let ty = var.ty?;
            let unit = self.cx.unit;
            let shape = unit.shape(ty);
            let object = matches!(shape, Shape::Array(..) | Shape::Record) && var.storage != Storage::Param;
            let restrict = matches!(shape, Shape::Pointer(_)) && unit.ast[unit.resolve(ty)].quals.is_restrict;
            let element = match unit.shape(unit.dimensions(ty).1) {
                Shape::Number(b) => Some(b),
                _ => None,
            };
            Some((object, restrict && !self.is_local(r.var), element))
        };
        let (Some((a_object, a_restrict, a_type)), Some((b_object, b_restrict, b_type))) = (one(a), one(b)) else {
            return Meeting::Unknown;
        };
        let character = |b: BuiltinType| matches!(b, BuiltinType::Char | BuiltinType::SChar | BuiltinType::UChar);
        let types_differ = match (a_type, b_type) {
            (Some(x), Some(y)) => {
                x != y
                    && !character(x)
                    && !character(y)
                    && crate::ctype::number_bytes(x) != crate::ctype::number_bytes(y)
                    || is_float(x) != is_float(y) && !character(x) && !character(y)
            }
            _ => false,
        };
        if a_object && b_object || a_restrict || b_restrict || types_differ { Meeting::Never } else { Meeting::Unknown }
    }
}

fn is_float(b: BuiltinType) -> bool {
    matches!(b, BuiltinType::Float | BuiltinType::Double)
}
