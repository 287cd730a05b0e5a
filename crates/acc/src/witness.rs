//! Two iterations that use the same element, found by trying the first few of each loop: for subscripts in which variables of several
//! loops meet (`x[i]` and `x[j]`).
//!
//! What the program knows and we do not (`n`) has several values; only what collides with all of them counts. Subscripts are
//! polynomials, so that what holds for values chosen without regard to them holds for all that let the loops run so far.

use crate::collide::access;
use crate::extent::{Counted, bounds};
use crate::poly::Poly;
use crate::reach::Reach;
use crate::scope::VarId;
use crate::verdict::Question;

/// Iterations that are tried of the loop in question, and of each inside of it.
const OUTER: i128 = 4;
const INNER: i128 = 3;
/// Most pairs of accesses that are compared, and most inner loops around one.
const MAX_PAIRS: usize = 64;
const MAX_INNER: usize = 3;
/// Values for what is not known.
const WORLDS: [i128; 3] = [0, 1, 2];

/// An iteration: the loop's variable, and those of the loops inside of it.
type Iteration = Vec<(VarId, i128)>;

/// A collision in words, if there is one among these accesses.
pub(crate) fn find(q: &Question<'_, '_>, accesses: &[&Reach]) -> Option<String> {
    let outer = bounds(q.cx, q.l);
    let pairs = accesses
        .iter()
        .filter(|w| w.write)
        .flat_map(|w| accesses.iter().filter(|a| a.is_like(w) && !w.subscripts.is_empty()).map(move |a| (*w, *a)));
    for (w, a) in pairs.take(MAX_PAIRS) {
        let (Some(writes), Some(others)) = (iterations(q, &outer, w), iterations(q, &outer, a)) else { continue };
        for one in &writes {
            let meets =
                |other: &&Iteration| one[0].1 != other[0].1 && WORLDS.iter().all(|&k| same(w, one, a, other, k));
            if let Some(other) = others.iter().find(meets) {
                return Some(words(q, (w, one), (a, other)));
            }
        }
    }
    None
}

/// What a variable is in one of the worlds.
fn value(v: VarId, at: &Iteration, world: i128) -> i128 {
    let known = at.iter().find(|(x, _)| *x == v).map(|x| x.1);
    known.unwrap_or_else(|| 61 + (v.0 as i128 * 37 + world * 101) % 97)
}

fn evaluate(p: &Poly, at: &Iteration, world: i128) -> Option<i128> {
    p.value(&|v| Some(value(v, at, world)))
}

fn same(w: &Reach, one: &Iteration, a: &Reach, other: &Iteration, world: i128) -> bool {
    let at = |p: &Option<Poly>, i: &Iteration| evaluate(p.as_ref()?, i, world);
    w.subscripts.iter().zip(&a.subscripts).all(|(f, g)| {
        let (f, g) = (at(f, one), at(g, other));
        f.is_some() && f == g
    })
}

/// The first iterations of the loop, each with the first of the loops inside of it that are around an access; all of them run
/// whatever is not known.
fn iterations(q: &Question<'_, '_>, outer: &Counted, r: &Reach) -> Option<Vec<Iteration>> {
    let inner: Vec<&Counted> = q.inner.iter().filter(|l| l.range.contains(&r.at)).collect();
    if inner.len() > MAX_INNER || !outer.every || inner.iter().any(|l| !l.every) {
        return None;
    }
    let mut out = vec![Iteration::new()];
    for (l, count) in std::iter::once((outer, OUTER)).chain(inner.into_iter().map(|l| (l, INNER))) {
        let (first, last) = (l.first.as_ref()?, l.last.as_ref()?);
        // What an iteration computes for itself may be another number in each.
        let known = |v: VarId| out[0].iter().any(|x| x.0 == v) || q.is_steady(&Poly::variable(v));
        if !first.variables().chain(last.variables()).all(known) {
            return None;
        }
        let mut next = Vec::new();
        for at in &out {
            let from = evaluate(first, at, WORLDS[0])?;
            for v in from..from.saturating_add(count) {
                let runs = |k: i128| Some(evaluate(first, at, k)? == from && v <= evaluate(last, at, k)?);
                if WORLDS.iter().all(|&k| runs(k) == Some(true)) {
                    let mut at = at.clone();
                    at.push((l.var, v));
                    next.push(at);
                }
            }
        }
        if next.is_empty() {
            return None;
        }
        out = next;
    }
    Some(out)
}

fn words(q: &Question<'_, '_>, (w, one): (&Reach, &Iteration), (a, other): (&Reach, &Iteration)) -> String {
    let name = |v: VarId| q.cx.scopes.var(v).name.as_str();
    let spelled = |r: &Reach, at: &Iteration| {
        let inner: Vec<String> = at[1..].iter().map(|(v, n)| format!("{} = {n}", name(*v))).collect();
        let with = if inner.is_empty() { String::new() } else { format!(" with {}", inner.join(", ")) };
        format!("`{}`{with}", access(q, r.expr))
    };
    let i = name(one[0].0);
    let uses = if a.write { "writes it, too" } else { "reads it" };
    format!(
        "iteration {i} = {} writes {}, and iteration {i} = {} {uses}, as {}",
        one[0].1,
        spelled(w, one),
        other[0].1,
        spelled(a, other)
    )
}
