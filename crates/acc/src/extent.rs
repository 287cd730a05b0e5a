//! The bounds of counted loops as polynomials, and what a region touches of the memory behind a pointer.

use crate::access::place;
use crate::ctype::Shape;
use crate::loops::{CountedLoop, strip};
use crate::poly::Poly;
use crate::region::Cx;
use crate::scope::{Use, VarId};
use crate::verdict::{MAX_SUBSTITUTIONS, Question};
use std::ops::Range;
use syntax::ast::{BinaryOp, BuiltinType, ExprId, ExprKind, StmtId, StmtKind, UnaryOp};

/// A loop with the range of its variable.
pub(crate) struct Counted {
    /// The variable.
    pub(crate) var: VarId,
    /// The loop in the text.
    pub(crate) range: Range<usize>,
    /// First and last value, if they are polynomials; the direction is upwards.
    pub(crate) first: Option<Poly>,
    pub(crate) last: Option<Poly>,
    /// The variable has every value between the two.
    pub(crate) every: bool,
}

/// The counted loops in a range.
pub(crate) fn counted_in(cx: &Cx<'_>, range: &Range<usize>) -> Vec<Counted> {
    let mut out = Vec::new();
    for s in cx.unit.stmts_in(range) {
        if !matches!(cx.unit.ast[s].kind, StmtKind::For { .. }) {
            continue;
        }
        let Some(l) = CountedLoop::of(cx.unit, cx.scopes, s).filter(|l| l.runs_towards_bound()) else { continue };
        if !sets_its_variable(cx, &l) {
            out.push(bounds(cx, &l));
        }
    }
    out
}

/// Whether a loop's body changes what it counts with; its own header may stand in what is taken as its body.
pub(crate) fn sets_its_variable(cx: &Cx<'_>, l: &CountedLoop) -> bool {
    let body = cx.unit.range(cx.unit.ast[l.body].span);
    let changed = |u: &Use| u.var == l.var && place(cx.unit, cx.scopes, cx.parents, u.expr).access.written;
    cx.scopes.uses_in(&body).iter().any(|u| changed(u) && !l.header.contains(&u.at.start))
}

pub(crate) fn bounds(cx: &Cx<'_>, l: &CountedLoop) -> Counted {
    let polynomial = |e: ExprId| simple(cx, e);
    let (lower, bound) = (polynomial(l.lower), polynomial(l.bound));
    let off = |p: Option<Poly>, n: i128| p.map(|p| p.add(&Poly::constant(n), 1));
    let (first, last) = match (l.compare, l.down) {
        (BinaryOp::Lt | BinaryOp::Ne, false) => (lower, off(bound, -1)),
        (BinaryOp::Le, _) => (lower, bound),
        (BinaryOp::Gt | BinaryOp::Ne, true) => (off(bound, 1), lower),
        _ => (bound, lower),
    };
    let every = l.step.is_none_or(|s| cx.unit.constant(s) == Some(1));
    Counted { var: l.var, range: l.range.clone(), first, last, every }
}

/// An expression as a polynomial of its variables as they are.
fn simple(cx: &Cx<'_>, e: ExprId) -> Option<Poly> {
    polynomial(cx, e, &|v| Some(Poly::variable(v)))
}

pub(crate) fn polynomial(cx: &Cx<'_>, e: ExprId, of: &dyn Fn(VarId) -> Option<Poly>) -> Option<Poly> {
    let unit = cx.unit;
    if let Some(n) = crate::constant::of_expression(unit, cx.scopes, e) {
        return Some(Poly::constant(n));
    }
    match unit.ast[strip(unit, e)].kind {
        ExprKind::Name(_) => {
            let v = *cx.scopes.of.get(&strip(unit, e))?;
            let ty = cx.scopes.var(v).ty?;
            match unit.shape(ty) {
                Shape::Number(b) if !matches!(b, BuiltinType::Float | BuiltinType::Double) => of(v),
                _ => None,
            }
        }
        ExprKind::Cast { ty, operand, .. } => match unit.shape(ty) {
            Shape::Number(
                BuiltinType::Int
                | BuiltinType::Long
                | BuiltinType::LongLong
                | BuiltinType::ULong
                | BuiltinType::ULongLong,
            ) => polynomial(cx, operand, of),
            _ => None,
        },
        ExprKind::Unary(UnaryOp::Minus, a) => Some(Poly::default().add(&polynomial(cx, a, of)?, -1)),
        ExprKind::Unary(UnaryOp::Plus, a) => polynomial(cx, a, of),
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (polynomial(cx, a, of)?, polynomial(cx, b, of)?);
            match op {
                BinaryOp::Add => Some(a.add(&b, 1)),
                BinaryOp::Sub => Some(a.add(&b, -1)),
                BinaryOp::Mul => a.mul(&b),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Most ends of accesses of one pointer that the host compares.
const MAX_COMPARED: usize = 64;

/// The element that an access begins with, where it is `a[i]`, `*(a + i)`, `(&a[i])[j]`, or these together. A function that is
/// given `&a[i]` is taken to access that element. What stands in brackets is a polynomial by `value`.
fn first_index(cx: &Cx<'_>, name: ExprId, value: &dyn Fn(ExprId) -> Option<Poly>) -> Option<Poly> {
    let (mut e, mut sum) = (name, Poly::default());
    // Where an element's address is taken, that element.
    let mut reached = None;
    loop {
        let Some(&p) = cx.parents.get(&e) else { return reached };
        match cx.unit.ast[p].kind {
            ExprKind::Paren(_) => e = p,
            ExprKind::Index { base, index } if base == e => {
                sum = sum.add(&value(index)?, 1);
                let Some(address) = address_of(cx, p) else { return Some(sum) };
                (e, reached) = (address, Some(sum.clone()));
            }
            ExprKind::Unary(UnaryOp::Deref, _) => return Some(sum),
            _ => {
                let Some((by, back)) = crate::pointers::offset(cx.unit, cx.scopes, p, e) else { return reached };
                sum = sum.add(&value(by)?, if back { -1 } else { 1 });
                e = p;
            }
        }
    }
}

/// The expression that takes the address of `e`, if one does.
fn address_of(cx: &Cx<'_>, e: ExprId) -> Option<ExprId> {
    let &p = cx.parents.get(&e)?;
    match cx.unit.ast[p].kind {
        ExprKind::Paren(_) => address_of(cx, p),
        ExprKind::Unary(UnaryOp::AddrOf, _) => Some(p),
        _ => None,
    }
}

/// The outermost loops of a range that count.
fn outermost(cx: &Cx<'_>, range: &Range<usize>) -> Vec<CountedLoop> {
    let is_for = |s: &StmtId| matches!(cx.unit.ast[*s].kind, StmtKind::For { .. });
    let counts = |l: &CountedLoop| l.runs_towards_bound() && !sets_its_variable(cx, l);
    let statements = cx.unit.stmts_in(range).into_iter().filter(is_for);
    let loops: Vec<CountedLoop> =
        statements.filter_map(|s| CountedLoop::of(cx.unit, cx.scopes, s)).filter(counts).collect();
    let around = |l: &CountedLoop, k: &CountedLoop| {
        k.stmt != l.stmt && k.range.start <= l.range.start && l.range.end <= k.range.end
    };
    loops.iter().filter(|l| !loops.iter().any(|k| around(l, k))).cloned().collect()
}

/// The subscripts behind a name, one for each pointer that is followed: `a[i][j]` of a pointer to pointers. `None` if it is used
/// in another way.
fn indices(cx: &Cx<'_>, name: ExprId, levels: usize, value: &dyn Fn(ExprId) -> Option<Poly>) -> Option<Vec<Poly>> {
    if levels == 1 {
        return Some(vec![first_index(cx, name, value)?]);
    }
    let (mut e, mut out) = (name, Vec::new());
    while out.len() < levels {
        let &p = cx.parents.get(&e)?;
        match cx.unit.ast[p].kind {
            ExprKind::Paren(_) => {}
            ExprKind::Index { base, index } if base == e => out.push(value(index)?),
            _ => return None,
        }
        e = p;
    }
    Some(out)
}

/// How many pointers are followed from a variable to its elements: 2 of `float **a`, and of an array of pointers.
fn levels(cx: &Cx<'_>, v: VarId) -> usize {
    let mut ty = cx.scopes.var(v).ty;
    let mut out = 0;
    while let Some(t) = ty {
        ty = match cx.unit.shape(t) {
            Shape::Pointer(p) => Some(p),
            Shape::Array(e, _) if out == 0 && matches!(cx.unit.shape(e), Shape::Pointer(_)) => Some(e),
            _ => None,
        };
        out += usize::from(ty.is_some());
    }
    out
}

/// What a region touches of one dimension, as C expressions of the host.
pub(crate) struct Extent {
    /// The first element.
    pub(crate) lower: String,
    /// How many there are.
    pub(crate) count: String,
    /// The last one.
    pub(crate) upper: String,
}

/// What a region touches of what a pointer points to; of pointers to pointers of each dimension. `None` if that is not known before
/// the region runs: of rows also where some may be longer than others.
pub(crate) fn extents(cx: &Cx<'_>, v: VarId) -> Option<Vec<Extent>> {
    let loops = counted_in(cx, &cx.range);
    let outer = outermost(cx, &cx.range);
    let questions: Vec<Question<'_, '_>> = outer.iter().map(|l| Question::of(cx, l)).collect();
    let levels = levels(cx, v).max(1);
    let mut ends: Vec<(Vec<Poly>, Vec<Poly>)> = vec![Default::default(); levels];
    for u in cx.scopes.uses_in(&cx.range).iter().filter(|u| u.var == v) {
        // What a loop's body has put into a variable of its own counts as that.
        let question = questions.iter().find(|q| q.body().contains(&u.at.start));
        let value = |e: ExprId| match question {
            Some(q) => q.subscript(e, MAX_SUBSTITUTIONS),
            None => simple(cx, e),
        };
        let all = indices(cx, u.expr, levels, &value)?;
        let around: Vec<&Counted> = loops.iter().filter(|l| l.range.contains(&u.at.start)).collect();
        for (level, index) in all.iter().enumerate() {
            let chosen_by = |v: VarId| all[..level].iter().any(|p| p.has(v));
            let (lo, hi) = range_of(index, &around, &chosen_by)?;
            if !is_known(cx, &lo) || !is_known(cx, &hi) {
                return None;
            }
            let (least, most) = &mut ends[level];
            if !least.contains(&lo) {
                least.push(lo);
            }
            if !most.contains(&hi) {
                most.push(hi);
            }
        }
    }
    ends.iter().map(|(least, most)| spanned(cx, least, most)).collect()
}

/// The least and the greatest value of a subscript in loops; `chosen_by`: the variables that choose the row that it is of.
fn range_of(index: &Poly, around: &[&Counted], chosen_by: &dyn Fn(VarId) -> bool) -> Option<(Poly, Poly)> {
    let mut ends = [index.clone(), index.clone()];
    // Inner loops first: their bounds may hold the variables of those around them.
    for l in around.iter().rev() {
        for (i, end) in ends.iter_mut().enumerate() {
            let (c, r) = end.linear(l.var)?;
            if c.number() == Some(0) {
                continue;
            }
            let (up, down) = if c.is_sum_of_products() { (&l.last, &l.first) } else { (&l.first, &l.last) };
            // Rows may end where they are used last.
            if chosen_by(l.var) || !c.is_sum_of_products() && c.number().is_none() {
                return None;
            }
            let value = if i == 1 { up.clone()? } else { down.clone()? };
            *end = r.add(&c.mul(&value)?, 1);
        }
    }
    let [lo, hi] = ends;
    Some((lo, hi))
}

/// Whether the host knows a value when the region begins.
fn is_known(cx: &Cx<'_>, p: &Poly) -> bool {
    p.variables().all(|x| {
        let var = cx.scopes.var(x);
        let written = cx.accesses.iter().any(|(y, a)| *y == x && (a.written || a.escapes));
        !written && !cx.range.contains(&var.at.start)
    })
}

/// From the least of the first values to the greatest of the last ones.
fn spanned(cx: &Cx<'_>, least: &[Poly], most: &[Poly]) -> Option<Extent> {
    let name = |x: VarId| cx.scopes.var(x).name.clone();
    // Of several the extreme one, if the differences are numbers.
    let extreme = |list: &[Poly], sign: i128| -> Option<Poly> {
        list.iter().find(|p| list.iter().all(|q| p.add(q, -1).number().is_some_and(|d| d * sign >= 0))).cloned()
    };
    if let (Some(lo), Some(hi)) = (extreme(least, -1), extreme(most, 1)) {
        let count = hi.add(&lo, -1).add(&Poly::constant(1), 1);
        return Some(Extent { lower: lo.text(&name), count: count.text(&name), upper: hi.text(&name) });
    }
    // Else the host compares them.
    let text = |list: &[Poly], sign: i128| match extreme(list, sign) {
        Some(p) => Some(p.text(&name)),
        None if list.len() > MAX_COMPARED => None,
        None => {
            let word = if sign > 0 { "__unspool_acc_greater" } else { "__unspool_acc_lesser" };
            let (first, rest) = list.split_first()?;
            let choose = |best: String, p: &Poly| format!("{word}({best}, {})", p.text(&name));
            Some(rest.iter().fold(first.text(&name), choose))
        }
    };
    let (lower, upper) = (text(least, -1)?, text(most, 1)?);
    let count = if lower == "0" { format!("{upper} + 1") } else { format!("{upper} - ({lower}) + 1") };
    Some(Extent { lower, count, upper })
}
