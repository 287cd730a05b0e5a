//! Assertions of the program that are wrong: two iterations of a loop that it calls independent, and that use the same element of
//! an array, which one of them writes.
//!
//! Only what surely happens counts: accesses that no branch decides about. Either their subscripts are linear in the loop's variable
//! and differ by the same number of iterations in every dimension, or there is a [witness](crate::witness).

use crate::extent::Counted;
use crate::loops::CountedLoop;
use crate::poly::Poly;
use crate::reach::Reach;
use crate::region::Cx;
use crate::scope::VarId;
use crate::verdict::Question;
use directives::Kind;
use syntax::ast::{ExprId, ExprKind, UnaryOp};

/// The collision in words, if one is proved; what the program makes private or reduces cannot collide.
pub(crate) fn collision(
    cx: &Cx<'_>,
    l: &CountedLoop,
    privates: &[VarId],
    reductions: &[(String, VarId)],
) -> Option<String> {
    let q = Question::of(cx, l);
    let depth = *cx.scopes.body_depth.get(&l.stmt)?;
    let sure = |r: &&Reach| {
        let loops = q.inner.iter().filter(|l| l.range.contains(&r.at)).count() as u32;
        !r.unknown && r.depth == depth + loops && !is_atomic(cx, r.at)
    };
    let all = q.accesses(privates, reductions);
    for w in all.iter().filter(|a| a.write).filter(sure) {
        for a in all.iter().filter(|a| a.is_like(w)).filter(sure) {
            if let Some(d) = distance(&q, w, a) {
                return Some(words(&q, w, a, d));
            }
        }
    }
    let accesses: Vec<&Reach> = all.iter().filter(sure).collect();
    crate::witness::find(&q, &accesses)
}

/// Whether a place stands in a statement with `atomic`.
pub(crate) fn is_atomic(cx: &Cx<'_>, at: usize) -> bool {
    let atomics = cx.scopes.sites.iter().filter(|s| s.directive.kind == Kind::Atomic);
    atomics.filter_map(|s| s.target).any(|t| cx.unit.range(cx.unit.ast[t].span).contains(&at))
}

/// Whether the inner loops that count the elements of an access run over the same numbers in each iteration.
fn runs_alike(q: &Question<'_, '_>, r: &Reach) -> bool {
    let counts = |l: &&Counted| r.subscripts.iter().flatten().any(|p| p.has(l.var));
    let steady = |p: &Option<Poly>| p.as_ref().is_some_and(|p| q.is_steady(p));
    let mut around = q.inner.iter().filter(|l| l.range.contains(&r.at)).filter(counts);
    around.all(|l| steady(&l.first) && steady(&l.last))
}

/// After how many iterations the second access is where the first was; never 0.
fn distance(q: &Question<'_, '_>, w: &Reach, a: &Reach) -> Option<i128> {
    if !runs_alike(q, w) || !runs_alike(q, a) {
        return None;
    }
    let mut found: Option<i128> = None;
    for (f, g) in w.subscripts.iter().zip(&a.subscripts) {
        let (c, r) = f.as_ref()?.linear(q.l.var)?;
        let (d, s) = g.as_ref()?.linear(q.l.var)?;
        let difference = r.add(&s, -1).number()?;
        if c != d {
            return None;
        }
        match c.number()? {
            0 if difference != 0 => return None,
            0 => {}
            c if difference % c == 0 => {
                let d = difference / c;
                if found.is_some_and(|f| f != d) {
                    return None;
                }
                found = Some(d);
            }
            _ => return None,
        }
    }
    let step = q.l.step.map_or(Some(1), |s| q.cx.unit.constant(s))?;
    // Without any subscript that varies each iteration reads what the one before has written.
    let d = match found {
        None if a.write => return None,
        None => step,
        Some(d) => d,
    };
    let between = step != 0 && d != 0 && d % step == 0;
    (between && q.iterations().is_none_or(|n| d.abs() < n)).then_some(d)
}

fn words(q: &Question<'_, '_>, w: &Reach, a: &Reach, d: i128) -> String {
    let i = &q.cx.scopes.var(q.l.var).name;
    let first = crate::extent::bounds(q.cx, q.l).first.as_ref().and_then(Poly::number);
    let (one, other) = match first {
        // The earlier of the two is the loop's first.
        Some(n) if d > 0 => (format!("{i} = {n}"), format!("{i} = {}", n + d)),
        Some(n) => (format!("{i} = {}", n - d), format!("{i} = {n}")),
        None if d > 0 => (format!("some {i}"), format!("{i} + {d}")),
        None => (format!("some {i}"), format!("{i} - {}", -d)),
    };
    let (x, y) = (access(q, w.expr), access(q, a.expr));
    let uses = if a.write { "writes it, too" } else { "reads it" };
    format!("iteration {one} writes `{x}`, and iteration {other} {uses}, as `{y}`")
}

/// An access as the program spells it.
pub(crate) fn access(q: &Question<'_, '_>, name: ExprId) -> String {
    let mut e = name;
    while let Some(&p) = q.cx.parents.get(&e) {
        match q.cx.unit.ast[p].kind {
            ExprKind::Index { base, .. } if base == e => e = p,
            ExprKind::Paren(_) | ExprKind::Member { .. } | ExprKind::Unary(UnaryOp::Deref, _) => e = p,
            _ if crate::pointers::offset(q.cx.unit, q.cx.scopes, p, e).is_some() => e = p,
            _ => break,
        }
    }
    q.cx.unit.slice(q.cx.unit.ast[e].span).to_owned()
}
