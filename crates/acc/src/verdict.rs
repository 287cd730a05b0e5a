//! May the iterations of a loop run in any order?
//!
//! For each variable that a body changes: a scalar must be set before it is read in each iteration and not be wanted
//! afterwards, or be the sum of what the iterations give; accesses of an array of which one is a write must not meet in
//! different iterations. Subscripts are compared as polynomials, dimension by dimension: equal multiples of the loop's
//! variable with rests that differ by less than a multiple (strong SIV, and rows that do not overlap in arrays made linear);
//! numbers that differ (ZIV); [different multiples](crate::dependence). What is not proved is a dependence. Different pointers may point to the same unless one is
//! `restrict`, or their types differ.

use crate::access::{Access, place, summary};
use crate::ctype::Shape;
use crate::extent::{Counted, bounds, counted_in, polynomial, sets_its_variable};
use crate::loops::CountedLoop;
use crate::poly::Poly;
use crate::reach::Reach;
use crate::region::{Construct, Cx};
use crate::scope::{Storage, Use, VarId};
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};
use std::ops::Range;
use syntax::ast::{BuiltinType, ExprId, ExprKind, StmtId, StmtKind};

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

/// Why a loop that a `break` may end has no iterations to share.
pub(crate) const EXITS: &str = "Accelerator restriction: loop has multiple exits";

/// Deepest substitution of a scalar by what was assigned to it.
pub(crate) const MAX_SUBSTITUTIONS: u32 = 8;

/// What two accesses do in different iterations.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meeting {
    /// They have no element in common.
    Never,
    /// There are iterations that have one.
    Known,
    /// There may be.
    Unknown,
}

/// A loop and what is known about its body.
pub(crate) struct Question<'a, 'c> {
    pub(crate) cx: &'a Cx<'c>,
    pub(crate) l: &'a CountedLoop,
    body: Range<usize>,
    pub(crate) inner: Vec<Counted>,
    written: Vec<(VarId, Access)>,
    /// What [`Question::is_copied`] and [`Question::is_of_the_caller`] have found: each pair of accesses asks.
    copied: RefCell<FxHashMap<VarId, bool>>,
    of_caller: RefCell<FxHashMap<VarId, bool>>,
    /// What [`Question::lengths`] has found.
    pub(crate) lengths: OnceCell<Vec<(Range<usize>, Poly)>>,
}

/// Asks for one loop; what the program says to be private or reduced is believed.
pub(crate) fn of_loop(cx: &Cx<'_>, l: &CountedLoop, privates: &[VarId], reductions: &[(String, VarId)]) -> Verdict {
    let q = Question::of(cx, l);
    let mut reasons = q.control();
    if sets_its_variable(cx, l) {
        reasons.push(format!("Accelerator restriction: loop changes its variable {}", cx.scopes.var(l.var).name));
    }
    let kept = cx.construct == Construct::Kernels
        && !l.range.contains(&cx.scopes.var(l.var).at.start)
        && !privates.contains(&l.var)
        && !cx.counts_a_directed_loop(l.var);
    if kept && cx.is_wanted_behind(l.var, &l.range) {
        reasons.push(live_out(cx, l.var));
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

fn live_out(cx: &Cx<'_>, v: VarId) -> String {
    format!("Accelerator restriction: induction variable live-out from loop: {}", cx.scopes.var(v).name)
}

/// Operators, and the variables that they put together.
type Sums = Vec<(String, VarId)>;

/// The scalars that each iteration of a loop that the program calls independent has for itself, and those that are sums. `None` if
/// there are others: iterations would write them into each other's hands.
pub(crate) fn scalars_of(
    cx: &Cx<'_>,
    l: &CountedLoop,
    privates: &[VarId],
    reductions: &[(String, VarId)],
) -> Option<(Vec<VarId>, Sums)> {
    let q = Question::of(cx, l);
    let (mut own, mut sums) = (Vec::new(), Vec::new());
    q.scalars(privates, reductions, &mut own, &mut sums, &mut Vec::new());
    for &(v, access) in &q.written {
        let number = matches!(cx.scopes.var(v).ty.map(|t| cx.unit.shape(t)), Some(Shape::Number(_)));
        if access.written
            && number
            && !access.escapes
            && !q.is_local(v)
            && cx.sets_first(v, &q.body)
            && !own.contains(&v)
        {
            own.push(v);
        }
    }
    let known = |v: VarId| {
        let var = cx.scopes.var(v);
        let array = matches!(var.ty.map(|t| cx.unit.shape(t)), Some(Shape::Array(..)));
        let named = |list: &[(String, VarId)]| list.iter().any(|r| r.1 == v);
        let has_one = own.contains(&v) || privates.contains(&v) || named(&sums) || named(reductions);
        array || has_one || v == l.var || q.is_local(v) || var.storage == Storage::Other
    };
    q.written.iter().all(|&(v, access)| !access.written || known(v)).then_some((own, sums))
}

impl<'a, 'c> Question<'a, 'c> {
    pub(crate) fn of(cx: &'a Cx<'c>, l: &'a CountedLoop) -> Self {
        let body = cx.unit.range(cx.unit.ast[l.body].span);
        let written = summary(cx.unit, cx.scopes, cx.parents, &body);
        let mut inner = counted_in(cx, &body);
        // It may stand in what is taken as its body.
        inner.retain(|i| i.var != l.var);
        Self {
            cx,
            l,
            body,
            inner,
            written,
            copied: RefCell::default(),
            of_caller: RefCell::default(),
            lengths: OnceCell::new(),
        }
    }
}

impl Question<'_, '_> {
    /// Whether the body jumps out of the loop.
    pub(crate) fn has_exits(&self) -> bool {
        let ast = &self.cx.unit.ast;
        let holds = |k: &StmtKind| {
            matches!(k, StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::Do { .. } | StmtKind::Switch { .. })
        };
        let all = self.cx.unit.stmts_in(&self.body);
        let at = |s: &StmtId| self.cx.unit.range(ast[*s].span);
        let holders: Vec<Range<usize>> = all.iter().filter(|s| holds(&ast[**s].kind)).map(at).collect();
        // Where a jump goes to in the body itself.
        let label = |s: &StmtId| if let StmtKind::Label(name) = ast[*s].kind { Some(name) } else { None };
        let labels: Vec<_> = all.iter().filter_map(label).collect();
        all.iter().any(|s| match ast[*s].kind {
            StmtKind::Goto(name) if labels.contains(&name) => false,
            StmtKind::Break => !holders.iter().any(|h| h.contains(&at(s).start)),
            StmtKind::Return(_) | StmtKind::Goto(_) | StmtKind::GotoIndirect(_) => true,
            _ => false,
        })
    }

    /// Jumps out of the loop and calls of what is not known.
    fn control(&self) -> Vec<String> {
        let ast = &self.cx.unit.ast;
        let mut out = Vec::new();
        if self.has_exits() {
            out.push(EXITS.to_owned());
        }
        for e in self.cx.unit.exprs_in(&self.body) {
            let ExprKind::Call { callee, .. } = ast[e].kind else { continue };
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

    pub(crate) fn uses(&self, v: VarId) -> impl Iterator<Item = &Use> {
        self.cx.scopes.uses_in(&self.body).iter().filter(move |u| u.var == v)
    }

    pub(crate) fn is_local(&self, v: VarId) -> bool {
        self.body.contains(&self.cx.scopes.var(v).at.start)
    }

    pub(crate) fn body(&self) -> &Range<usize> {
        &self.body
    }

    /// Whether the body changes a variable.
    pub(crate) fn sets(&self, v: VarId) -> bool {
        self.written.iter().any(|(x, a)| *x == v && a.written)
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
            // What a directive on a loop makes private nobody reads before or behind it.
            if self.inner.iter().any(|l| l.var == v)
                && (self.cx.construct != Construct::Kernels || self.cx.counts_a_directed_loop(v))
            {
                own.push(v);
                continue;
            }
            if let Some(op) = self.put_together(v) {
                sums.push((op, v));
                continue;
            }
            if access.escapes || !self.cx.sets_first(v, &self.body) {
                let line = self.uses(v).next().map_or(0, |u| self.cx.unit.line(u.at.start).0);
                reasons.push(format!("Loop carried scalar dependence for {} at line {line}", var.name));
            } else if self.cx.is_wanted_behind(v, &self.l.range) {
                reasons.push(live_out(self.cx, v));
            } else {
                own.push(v);
            }
        }
    }

    /// A subscript: variables that the body sets are what was assigned to them.
    pub(crate) fn subscript(&self, e: ExprId, left: u32) -> Option<Poly> {
        let at = self.cx.unit.range(self.cx.unit.ast[e].span).start;
        let of = |v: VarId| {
            if v == self.l.var {
                return Some(Poly::variable(v));
            }
            if self.inner.iter().any(|l| l.var == v) {
                // Behind its loop it has a value that no iteration had.
                return self.inner.iter().any(|l| l.var == v && l.range.contains(&at)).then(|| Poly::variable(v));
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
        // What is narrower cuts off what is assigned to it.
        let wide = matches!(
            self.cx.scopes.var(v).ty.map(|t| self.cx.unit.shape(t)),
            Some(Shape::Number(
                BuiltinType::Int
                    | BuiltinType::UInt
                    | BuiltinType::Long
                    | BuiltinType::ULong
                    | BuiltinType::LongLong
                    | BuiltinType::ULongLong
            ))
        );
        if left == 0 || !wide || self.cx.scopes.var(v).storage == Storage::Static && self.is_local(v) {
            return None;
        }
        let at = self.cx.unit.range(self.cx.unit.ast[at].span);
        let mut writes =
            self.uses(v).filter(|u| place(self.cx.unit, self.cx.scopes, self.cx.parents, u.expr).access.written);
        if let Some(w) = writes.next() {
            if writes.next().is_some() || w.at.start > at.start {
                return None;
            }
            let &p = self.cx.parents.get(&w.expr)?;
            let ExprKind::Assign(None, _, value) = self.cx.unit.ast[p].kind else { return None };
            // It has surely been set where it is read, in the same iteration of all loops.
            let read = self.uses(v).find(|u| at.contains(&u.at.start))?;
            let sets = self.cx.set_ranges(v, &self.body);
            if !sets.iter().any(|r| r.contains(&read.at.start)) {
                return None;
            }
            return self.subscript(value, left - 1);
        }
        // Declared in the body with its value.
        let d = self.cx.unit.variable_at(&self.cx.scopes.var(v).at)?;
        let syntax::ast::DeclKind::Var { init: syntax::ast::Init::Copy(value), .. } = self.cx.unit.ast[d].kind else {
            return None;
        };
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
                let by_extent = match a.var == w.var {
                    true => self.is_apart_by_rows(w, a),
                    false => w.is_of_its_clause() && a.is_of_its_clause(),
                };
                if !by_extent {
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

    /// Whether two accesses of one array meet in different iterations.
    fn meet(&self, a: &Reach, b: &Reach) -> Meeting {
        if a.unknown || b.unknown {
            return Meeting::Unknown;
        }
        match (a.through, b.through) {
            (None, None) => self.elements((a, 0), (b, 0)),
            (Some(n), Some(m)) if n == m && a.members == b.members => {
                let steady = |p: &Option<Poly>| p.as_ref().is_some_and(|p| self.is_steady(p));
                if a.subscripts[..n] == b.subscripts[..n] && a.subscripts[..n].iter().all(steady) {
                    return self.elements((a, n), (b, n));
                }
                // Rows of their own, if somebody has looked.
                if self.cx.apart.contains(&(a.var, a.var)) { self.elements((a, 0), (b, 0)) } else { Meeting::Unknown }
            }
            _ if self.types_differ(a.element, b.element) => Meeting::Never,
            _ => Meeting::Unknown,
        }
    }

    /// Whether all that may make two accesses meet is that two pointers of an array of them point to the same.
    fn is_apart_by_rows(&self, a: &Reach, b: &Reach) -> bool {
        let same = a.members.is_empty() && b.members.is_empty() && a.through.is_some() && a.through == b.through;
        same && !a.unknown && !b.unknown && self.elements((a, 0), (b, 0)) == Meeting::Never
    }

    /// Compares subscripts, dimension by dimension, from the given ones on.
    fn elements(&self, (a, n): (&Reach, usize), (b, m): (&Reach, usize)) -> Meeting {
        let mut worst = Meeting::Known;
        for (f, g) in a.subscripts[n..].iter().zip(&b.subscripts[m..]) {
            let met = match (f, g) {
                (Some(f), Some(g)) => self.dimension((f, a.at), (g, b.at)),
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

    /// How many iterations there are, if that is a number.
    pub(crate) fn iterations(&self) -> Option<i128> {
        let b = bounds(self.cx, self.l);
        b.last?.add(&b.first?, -1).number().map(|n| n + 1)
    }

    /// Whether a value is the same in all iterations.
    pub(crate) fn is_steady(&self, p: &Poly) -> bool {
        p.variables().all(|v| v != self.l.var && !self.is_local(v) && !self.sets(v))
    }

    /// The uses of a variable in the whole function.
    fn uses_in_function(&self, v: VarId) -> impl Iterator<Item = &Use> {
        let unit = self.cx.unit;
        let function = unit.external_at(self.body.start).map_or(0..0, |i| unit.externals[i].clone());
        self.cx.scopes.uses_in(&function).iter().filter(move |u| u.var == v)
    }

    /// Whether other pointers are made of the value of one.
    fn is_copied(&self, v: VarId) -> bool {
        if let Some(&known) = self.copied.borrow().get(&v) {
            return known;
        }
        let access = |u: &Use| place(self.cx.unit, self.cx.scopes, self.cx.parents, u.expr).access;
        let found = self.uses_in_function(v).any(|u| access(u).copied || access(u).escapes);
        self.copied.borrow_mut().insert(v, found);
        found
    }

    /// Whether a variable is an array of its own, or a pointer that the caller gave and the function keeps as it is.
    fn is_of_the_caller(&self, v: VarId) -> bool {
        if let Some(&known) = self.of_caller.borrow().get(&v) {
            return known;
        }
        let var = self.cx.scopes.var(v);
        let array = matches!(var.ty.map(|t| self.cx.unit.shape(t)), Some(Shape::Array(..)));
        let written = |u: &Use| {
            let p = place(self.cx.unit, self.cx.scopes, self.cx.parents, u.expr);
            p.access.written && !p.memory
        };
        let found = array || var.storage == Storage::Param && !self.uses_in_function(v).any(written);
        self.of_caller.borrow_mut().insert(v, found);
        found
    }

    /// Whether accesses through different names may meet.
    pub(crate) fn alias(&self, a: &Reach, b: &Reach) -> Meeting {
        if self.cx.apart.contains(&(a.var.min(b.var), a.var.max(b.var))) {
            return Meeting::Never;
        }
        let one = |r: &Reach| {
            let var = self.cx.scopes.var(r.var);
            let ty = var.ty?;
            let unit = self.cx.unit;
            let shape = unit.shape(ty);
            // What members and elements point to may be anything.
            let own = r.through.is_none();
            let object = own && matches!(shape, Shape::Array(..) | Shape::Record) && var.storage != Storage::Param;
            // `A[restrict n][m]` of a parameter is a pointer to rows.
            let pointer = matches!(shape, Shape::Pointer(_)) || var.storage == Storage::Param;
            let restrict = pointer && unit.ast[unit.resolve(ty)].quals.is_restrict;
            let element = r.element.or_else(|| match unit.shape(unit.dimensions(ty).1) {
                Shape::Number(b) => Some(b),
                _ => None,
            });
            Some((object, own && restrict && !self.is_local(r.var), element))
        };
        // A pointer made of one that is `restrict` may point to the same.
        let alone = |r: &Reach, other: &Reach| !self.is_copied(r.var) || self.is_of_the_caller(other.var);
        let (Some((a_object, a_restrict, a_type)), Some((b_object, b_restrict, b_type))) = (one(a), one(b)) else {
            return Meeting::Unknown;
        };
        let apart = a_object && b_object
            || a_restrict && alone(a, b)
            || b_restrict && alone(b, a)
            || self.types_differ(a_type, b_type);
        if apart { Meeting::Never } else { Meeting::Unknown }
    }

    /// Whether numbers of two types have no bytes in common, by C's rules about types, if the program keeps to them.
    fn types_differ(&self, a: Option<BuiltinType>, b: Option<BuiltinType>) -> bool {
        let character = |b: BuiltinType| matches!(b, BuiltinType::Char | BuiltinType::SChar | BuiltinType::UChar);
        match (a, b) {
            (Some(x), Some(y)) if self.cx.typed_memory && !character(x) && !character(y) => {
                x != y && crate::ctype::number_bytes(x) != crate::ctype::number_bytes(y) || is_float(x) != is_float(y)
            }
            _ => false,
        }
    }
}

pub(crate) fn is_float(b: BuiltinType) -> bool {
    matches!(b, BuiltinType::Float | BuiltinType::Double)
}
