//! Whether two subscripts ever are the same in different iterations of a loop.
//!
//! Of subscripts that are the same multiple of the loop's variable their distance decides, or that they are rows, or rows of planes,
//! which do not overlap. There are three more tests, each of
//! which may prove that they never meet: a common divisor of all that varies which does not divide what is
//! constant (`a[2 * i]` and `a[2 * j + 1]`); ranges over all iterations that do not overlap (`a[i]` and `a[i + n]` for `i < n`);
//! and, of loops of which the bounds are numbers, each iteration tried.

use crate::access::place;
use crate::extent::{Counted, bounds, counted_in};
use crate::poly::Poly;
use crate::scope::{Use, VarId};
use crate::verdict::{Meeting, Question};
use std::ops::Range;

/// Most iterations that are tried one by one.
const MAX_TRIED: i128 = 1 << 12;

impl Question<'_, '_> {
    /// Compares one subscript of two accesses, whose places are behind them.
    pub(crate) fn dimension(&self, (f, f_at): (&Poly, usize), (g, g_at): (&Poly, usize)) -> Meeting {
        match self.same_multiple((f, f_at), (g, g_at)) {
            Some(met) if met != Meeting::Unknown => met,
            met => {
                let stride = self.l.step.map_or(Some(1), |s| self.cx.unit.constant(s)).filter(|&s| s > 0).unwrap_or(1);
                if divided(f, g, self.l.var, stride, &|v| self.is_steady(&Poly::variable(v))) {
                    return Meeting::Never;
                }
                let ranges = self.range_over(f, f_at).zip(self.range_over(g, g_at));
                let b = bounds(self.cx, self.l);
                let span = b.last.zip(b.first).map(|(last, first)| last.add(&first, -1)).unwrap_or_default();
                if ranges.is_some_and(|(f, g)| disjoint(&f, &g, &span)) {
                    return Meeting::Never;
                }
                if met.is_some() { Meeting::Unknown } else { self.in_turn(f, g) }
            }
        }
    }

    /// Compares subscripts iteration by iteration, where the loop's bounds are numbers.
    fn in_turn(&self, f: &Poly, g: &Poly) -> Meeting {
        // Variables of inner loops have other values in the other iteration.
        if self.inner.iter().any(|l| f.has(l.var) || g.has(l.var)) {
            return Meeting::Unknown;
        }
        let b = bounds(self.cx, self.l);
        let ends = b.first.and_then(|p| p.number()).zip(b.last.and_then(|p| p.number()));
        // Of other loops more is tried than they run.
        let met = ends.and_then(|(first, last)| tried(f, g, self.l.var, (first, last, 1)));
        match met {
            Some(false) => Meeting::Never,
            Some(true) if b.every => Meeting::Known,
            _ => Meeting::Unknown,
        }
    }

    /// Compares subscripts that are the same multiple of the loop's variable; `None` if they are not.
    fn same_multiple(&self, (f, f_at): (&Poly, usize), (g, g_at): (&Poly, usize)) -> Option<Meeting> {
        let ((c, r), (d, s)) = (f.linear(self.l.var)?, g.linear(self.l.var)?);
        if c != d {
            return None;
        }
        let varies = |p: &Poly| self.inner.iter().any(|l| p.has(l.var));
        let difference = r.add(&s, -1).number();
        if let (Some(c), Some(difference), false) = (c.number(), difference, varies(&r) || varies(&s)) {
            let stride = self.l.step.map_or(Some(1), |s| self.cx.unit.constant(s)).filter(|&s| s > 0).unwrap_or(1);
            return Some(match c {
                0 if difference != 0 => Meeting::Never,
                0 => Meeting::Known,
                // The same iteration, or none.
                _ if difference == 0 || difference % c.saturating_mul(stride) != 0 => Meeting::Never,
                _ => match self.iterations() {
                    Some(n) if (difference / c).abs() >= n => Meeting::Never,
                    _ => Meeting::Known,
                },
            });
        }
        let apart = c.number() != Some(0) && self.are_rows_apart(&c, (&r, f_at), (&s, g_at));
        Some(if apart { Meeting::Never } else { Meeting::Unknown })
    }

    /// Whether `c × i + r` and `c × i + s` are rows of elements that don't overlap for different `i`: what is added to a row's
    /// beginning stays below its length `c`. A part of it may be more if it is a multiple of what all rows together have, as in
    /// `a[(k * m + i) * n + j]`, where `k` counts planes.
    fn are_rows_apart(&self, c: &Poly, (r, f_at): (&Poly, usize), (s, g_at): (&Poly, usize)) -> bool {
        let varies = |key: &[VarId]| key.iter().any(|v| self.inner.iter().any(|l| l.var == *v));
        let planes = r.terms().chain(s.terms()).filter(|(key, _)| varies(key));
        let planes = planes.map(|(key, n)| {
            let steady: Vec<VarId> = key.iter().copied().filter(|v| !varies(&[*v])).collect();
            Some((steady, n.abs()))
        });
        let upwards = c.number().map(|n| Poly::constant(n.abs()));
        let c = upwards.as_ref().unwrap_or(c);
        let b = bounds(self.cx, self.l);
        let all_rows = b.last.zip(b.first).and_then(|(last, first)| c.mul(&last.add(&first, -1)));
        [None].into_iter().chain(planes).any(|plane| {
            let within = |p: &Poly| match &plane {
                Some((steady, n)) => part(p, &|key, m| !varies(key) || m % n != 0 || !holds(key, steady)),
                None => p.clone(),
            };
            let ends = self.range_of(&within(r), f_at).zip(self.range_of(&within(s), g_at));
            let Some(((low_r, high_r), (low_s, high_s))) = ends else { return false };
            let below = |most: &Poly| {
                let fits = |p: Poly| self.is_positive(&p, f_at);
                fits(most.add(&high_r, -1).add(&low_s, 1)) && fits(most.add(&high_s, -1).add(&low_r, 1))
            };
            let whole = |(steady, n): &(Vec<VarId>, i128)| {
                all_rows.as_ref().is_some_and(|rows| below(&Poly::term(steady, *n).add(rows, -1)))
            };
            below(c) && plane.as_ref().is_none_or(whole)
        })
    }

    /// Whether a value is at least 1 wherever the place is reached: as it is a number, or since the loops around that place run, of
    /// which each has a last value that is no less than its first.
    fn is_positive(&self, p: &Poly, at: usize) -> bool {
        let rest = p.add(&Poly::constant(1), -1);
        if let Some(n) = rest.number() {
            return n >= 0;
        }
        let mut terms = p.terms();
        if let (Some((factors @ [_, _, ..], 1..)), None) = (terms.next(), terms.next()) {
            return factors.iter().all(|&v| self.is_positive(&Poly::variable(v), at));
        }
        let around = self.lengths.get_or_init(|| self.lengths()).iter().filter(|l| l.0.contains(&at));
        around.map(|l| &l.1).any(|more| rest.add(more, -1).number().is_some_and(|n| n >= 0))
    }

    /// The loops of the function, and what the last value of each is above its first, where that is the same all the while.
    fn lengths(&self) -> Vec<(Range<usize>, Poly)> {
        let (cx, unit) = (self.cx, self.cx.unit);
        let changed = |v: VarId, l: &Counted| {
            let written = |u: &Use| place(unit, cx.scopes, cx.parents, u.expr).access.written;
            cx.scopes.uses_in(&l.range).iter().any(|u| u.var == v && written(u))
        };
        let length = |l: Counted| {
            let more = l.last.as_ref()?.add(l.first.as_ref()?, -1);
            let steady = !more.variables().any(|v| changed(v, &l));
            steady.then_some((l.range, more))
        };
        counted_in(cx, &unit.function_at(self.l.range.start)).into_iter().filter_map(length).collect()
    }

    /// Least and greatest value over the inner loops around a place.
    fn range_of(&self, p: &Poly, at: usize) -> Option<(Poly, Poly)> {
        self.range_within(p, self.inner.iter().rev().filter(|l| l.range.contains(&at)))
    }

    /// The same over all iterations of the loop itself, too.
    fn range_over(&self, p: &Poly, at: usize) -> Option<(Poly, Poly)> {
        let whole = bounds(self.cx, self.l);
        self.range_within(p, self.inner.iter().rev().filter(|l| l.range.contains(&at)).chain([&whole]))
    }

    /// Least and greatest value over loops, the innermost first.
    fn range_within<'l>(&self, p: &Poly, loops: impl Iterator<Item = &'l Counted>) -> Option<(Poly, Poly)> {
        let (mut low, mut high) = (p.clone(), p.clone());
        for l in loops {
            if !low.has(l.var) && !high.has(l.var) {
                continue;
            }
            let (c, r) = low.linear(l.var)?;
            let (d, s) = high.linear(l.var)?;
            let (first, last) = (l.first.as_ref()?, l.last.as_ref()?);
            // A factor that is a product of variables is the length of rows: positive where anything is accessed.
            let negative = |c: &Poly| match c.number() {
                Some(n) => Some(n < 0),
                None => c.is_sum_of_products().then_some(false),
            };
            low = r.add(&c.mul(if negative(&c)? { last } else { first })?, 1);
            high = s.add(&d.mul(if negative(&d)? { first } else { last })?, 1);
        }
        // What differs from iteration to iteration is no bound of all of them.
        (self.is_steady(&low) && self.is_steady(&high)).then_some((low, high))
    }
}

/// The terms of a sum that are asked for.
fn part(p: &Poly, wanted: &dyn Fn(&[VarId], i128) -> bool) -> Poly {
    let terms = p.terms().filter(|(key, n)| wanted(key, *n));
    terms.fold(Poly::default(), |sum, (key, n)| sum.add(&Poly::term(key, n), 1))
}

/// Whether a product has all factors of another.
fn holds(product: &[VarId], factors: &[VarId]) -> bool {
    let times = |list: &[VarId], v: VarId| list.iter().filter(|x| **x == v).count();
    factors.iter().all(|&v| times(product, v) >= times(factors, v))
}

/// Whether a common divisor keeps `f` in one iteration and `g` in another apart: all that varies is a multiple of it, and what is
/// constant is not. `is_steady` says of a variable whether it is the same in both; `stride` is the least distance between values of
/// the variable `v`.
fn divided(f: &Poly, g: &Poly, v: VarId, stride: i128, is_steady: &dyn Fn(VarId) -> bool) -> bool {
    let (mut divisor, mut same) = (0i128, Poly::default());
    let mut rest = |p: &Poly, sign: i128| {
        let mut still = Poly::default();
        for (key, n) in p.terms() {
            if key.iter().all(|&x| is_steady(x)) {
                still = still.add(&Poly::term(key, n), 1);
            } else {
                divisor = gcd(divisor, n);
            }
        }
        same = same.add(&still, sign);
    };
    // Equal multiples of the variable differ by multiples of its stride.
    match (f.linear(v), g.linear(v)) {
        (Some((c, r)), Some((d, s))) if c == d && c.number().is_some() => {
            rest(&r, 1);
            rest(&s, -1);
            divisor = gcd(divisor, c.number().unwrap_or(0).saturating_mul(stride));
        }
        _ => {
            rest(f, 1);
            rest(g, -1);
        }
    }
    let constant = same.terms().find(|(key, _)| key.is_empty()).map_or(0, |(_, n)| n);
    let divisor = same.terms().filter(|(key, _)| !key.is_empty()).fold(divisor, |d, (_, n)| gcd(d, n));
    divisor > 1 && constant % divisor != 0
}

/// Most times that the distance of a loop's first and last value is taken from the distance of two ranges.
const MAX_SPANS: i128 = 4;

/// Whether what lies between two bounds never meets what lies between two others. `span` is what the loop's last value is above its
/// first: at least 0, or there are no iterations to meet.
fn disjoint((f_low, f_high): &(Poly, Poly), (g_low, g_high): &(Poly, Poly), span: &Poly) -> bool {
    let above = |low: &Poly, high: &Poly| {
        let distance = low.add(high, -1);
        (0..=MAX_SPANS).any(|n| distance.add(span, -n).number().is_some_and(|n| n > 0))
    };
    above(f_low, g_high) || above(g_low, f_high)
}

/// Whether `f` in one iteration is `g` in another, of a loop whose variable `v` goes from `first` in steps of `stride` to `last`.
/// `None` if that cannot be tried.
fn tried(f: &Poly, g: &Poly, v: VarId, (first, last, stride): (i128, i128, i128)) -> Option<bool> {
    let ((c, r), (d, s)) = (f.linear(v)?, g.linear(v)?);
    let (c, d, constant) = (c.number()?, d.number()?, s.add(&r, -1).number()?);
    let count = last.checked_sub(first)?.checked_div(stride)?.checked_add(1)?;
    if stride < 1 || count > MAX_TRIED {
        return None;
    }
    for n in 0..count {
        let i = first + n * stride;
        // c × i + r = d × j + s
        let left = c.checked_mul(i)?.checked_sub(constant)?;
        let met = match d {
            0 => left == 0 && count > 1,
            d => {
                left % d == 0 && {
                    let j = left / d;
                    j != i && j >= first && j <= last && (j - first) % stride == 0
                }
            }
        };
        if met {
            return Some(true);
        }
    }
    Some(false)
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.saturating_abs(), b.saturating_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    const I: VarId = VarId(1);
    const J: VarId = VarId(2);
    const N: VarId = VarId(3);

    fn sum(terms: &[(&[VarId], i128)]) -> Poly {
        terms.iter().fold(Poly::default(), |p, (key, n)| p.add(&Poly::term(key, *n), 1))
    }

    #[test]
    fn even_and_odd_elements_never_meet() {
        let steady = |v: VarId| v == N;
        let (even, odd) = (sum(&[(&[I], 2)]), sum(&[(&[J], 4), (&[], 1)]));
        assert!(divided(&even, &odd, I, 1, &steady));
        assert!(!divided(&even, &sum(&[(&[J], 3), (&[], 1)]), I, 1, &steady));
        // What is not known, but the same in both, counts for nothing; by itself it may be anything.
        let (f, g) = (sum(&[(&[I], 2), (&[N], 1)]), sum(&[(&[I], 2), (&[N], 1), (&[], 1)]));
        assert!(divided(&f, &g, I, 1, &steady) && !divided(&even, &g, I, 1, &steady));
        // Steps of two.
        assert!(divided(&sum(&[(&[I], 1)]), &sum(&[(&[I], 1), (&[], 1)]), I, 2, &steady));
    }

    #[test]
    fn iterations_of_few_are_tried() {
        let (i, twice) = (sum(&[(&[I], 1)]), sum(&[(&[I], 2), (&[], 1)]));
        assert_eq!(tried(&i, &twice, I, (0, 9, 1)), Some(true));
        let far = sum(&[(&[I], 2), (&[], 10)]);
        assert_eq!(tried(&i, &far, I, (0, 9, 1)), Some(false));
        // They meet in the same iteration alone.
        let mirrored = sum(&[(&[I], -1), (&[], 2)]);
        assert_eq!(tried(&i, &mirrored, I, (1, 1, 1)), Some(false));
        assert_eq!(tried(&i, &sum(&[(&[], 3)]), I, (0, 9, 1)), Some(true));
        assert_eq!(tried(&i, &sum(&[(&[], 3)]), I, (4, 9, 1)), Some(false));
        assert_eq!(tried(&i, &sum(&[(&[N], 1)]), I, (0, 9, 1)), None);
    }

    #[test]
    fn ranges_of_equal_unknown_length_are_apart() {
        let n = sum(&[(&[N], 1)]);
        let low = (sum(&[(&[], 0)]), n.add(&Poly::constant(1), -1));
        let high = (n.clone(), n.add(&n, 1));
        let (one, none) = (Poly::constant(1), Poly::default());
        assert!(disjoint(&low, &high, &none) && disjoint(&high, &low, &none));
        assert!(!disjoint(&low, &(n.add(&one, -1), n.clone()), &none));
        // Twice the length above: the loop runs, so that the length is at least 1.
        let far = (n.add(&n, 1), n.add(&n, 2));
        assert!(disjoint(&low, &far, &n.add(&one, -1)) && !disjoint(&low, &far, &none));
    }
}
