//! Data dependence between iterations of a loop around another: after how many iterations of the outer loop may two
//! accesses touch the same bytes?
//!
//! An address is taken apart into `base + outer × i + inner × j` ([`Subscript`]), `i` and `j` counting the iterations
//! of the two loops from 0. Two accesses meet if the difference of their addresses, a linear form over the iteration
//! numbers, comes closer to zero than their sizes. Three tests answer that, the first that applies:
//!
//! * the coefficients are constants: the form takes only multiples of their greatest common divisor (GCD test) between
//!   the bounds that the trip counts give it (Banerjee's). With one coefficient left the answer is exact (the ZIV and
//!   strong SIV tests of the literature);
//! * one coefficient is a variable, as in `a[i * n + j]`: rows that are at least as long as the other loop runs do not
//!   overlap;
//! * otherwise they may meet at once.
//!
//! What must hold: the accesses lie in one object; accesses of objects that differ are the caller's business. Numbers
//! of iterations are those of one execution of the outer loop. Limits: distances above [`MAX_DISTANCE`] are not told
//! apart. Cost per question: [`MAX_DISTANCE`] small sums.

use crate::address::Ext;
use crate::{Expr, Exprs, Loop, Node, Scev};
use ir::{Flags, Function, Inst, IntCC, Opcode, Value};
use smallvec::SmallVec;

/// Largest distance that is looked for, in iterations of the outer loop.
pub const MAX_DISTANCE: u32 = 256;

/// Most instructions looked through on the way from an address to its subscripts.
const MAX_STEPS: u32 = 24;

/// Sums beyond this wrap around the address space.
const MAX_REACH: i128 = 1 << 62;

/// An address as a linear form over the iterations of two loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Subscript {
    /// What does not vary with either loop.
    pub base: Expr,
    /// Added by each iteration of the outer loop.
    pub outer: Expr,
    /// Added by each iteration of the inner loop.
    pub inner: Expr,
}

/// One side of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The address, if it is a linear form.
    pub at: Option<Subscript>,
    /// Bytes.
    pub size: u32,
    /// Whether it stands in the inner loop.
    pub inside: bool,
}

/// Which iterations of the inner loop a question is about, if both accesses stand there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inner {
    /// Any two.
    Any,
    /// The first access's is later.
    Later,
}

/// A loop and what is known about its iterations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counted {
    /// The loop.
    pub l: Loop,
    /// The number of the last iteration, from 0, if an expression says so and some iteration runs.
    pub last: Option<Expr>,
    /// It is never more than this.
    pub max_last: Option<u64>,
    /// The loop tests before its body, so that `last` is one less than a count.
    pub tested_first: bool,
}

/// Two loops, one around the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nest {
    /// The one around.
    pub outer: Counted,
    /// The one inside.
    pub inner: Counted,
}

/// `coef × n` for some `n` from `lo` to `hi`; without `hi` there is no bound in either direction.
#[derive(Clone, Copy)]
struct Part {
    coef: i128,
    lo: i128,
    hi: Option<i128>,
}

impl Nest {
    /// Takes the address `ptr` of an access in the nest apart; `None` if it is no linear form.
    pub fn subscript(&self, scev: &mut Scev<'_>, ptr: Value) -> Option<Subscript> {
        let mut left = MAX_STEPS;
        let e = wide(scev, ptr, Ext::None, scev.func.dfg.ty(ptr).bits(), &mut left);
        let bits = scev.exprs.bits(e);
        let zero = scev.exprs.constant(0, bits);
        let mut form = Subscript { base: zero, outer: zero, inner: zero };
        let mut todo: SmallVec<[(Expr, u64); 4]> = SmallVec::from_slice(&[(e, 1)]);
        while let Some((e, factor)) = todo.pop() {
            let (constant, terms) = scev.exprs.terms(e);
            let constant = scev.exprs.constant(constant.wrapping_mul(factor), bits);
            form.base = scev.add(form.base, constant);
            for (atom, coef) in terms {
                let coef = coef.wrapping_mul(factor);
                if scev.is_invariant(atom, self.outer.l) {
                    let scaled = scev.scale(atom, coef);
                    form.base = scev.add(form.base, scaled);
                    continue;
                }
                let Node::AddRec { start, step, l, .. } = scev.exprs.node(atom) else { return None };
                if !scev.is_invariant(step, self.outer.l) {
                    return None;
                }
                let step = scev.scale(step, coef);
                if l == self.outer.l {
                    form.outer = scev.add(form.outer, step);
                } else if l == self.inner.l {
                    form.inner = scev.add(form.inner, step);
                } else {
                    return None;
                }
                todo.push((start, coef));
            }
        }
        Some(form)
    }

    /// The least number of outer iterations, at least 1, after which `y` may touch bytes that `x` touched; `None` if
    /// it never does.
    pub fn distance(&self, scev: &mut Scev<'_>, x: &Access, y: &Access, when: Inner) -> Option<u32> {
        let most = self.outer.max_last.map_or(MAX_DISTANCE, |n| n.min(u64::from(MAX_DISTANCE)) as u32);
        if most == 0 {
            return None;
        }
        let (Some(a), Some(b)) = (x.at, y.at) else { return Some(1) };
        let apart = scev.sub(a.base, b.base);
        let Some(apart) = scev.exprs.as_int(apart).map(i128::from) else { return Some(1) };
        let int = |e| scev.exprs.as_int(e).map(i128::from);
        match (int(a.outer), int(b.outer), int(a.inner), int(b.inner)) {
            (Some(ao), Some(bo), Some(ai), Some(bi)) => {
                let inner = self.inner_parts(x, y, (ai, bi), when);
                (1..=most).find(|&d| {
                    let mut parts = inner.clone();
                    let constant = apart - bo * i128::from(d);
                    if ao != bo {
                        let last = self.outer.max_last.map(|n| i128::from(n) - i128::from(d));
                        parts.push(Part { coef: ao - bo, lo: 0, hi: last });
                    }
                    may_meet(constant, &parts, x.size, y.size)
                })
            }
            _ if a.outer != b.outer || a.inner != b.inner || !(x.inside && y.inside) => Some(1),
            (Some(o), ..) => self.wide_inner_stride(scev, (o, a.inner), (apart, (x.size, y.size)), when, most),
            (None, _, Some(i), _) => {
                let room = apart.abs() + i128::from(x.size.max(y.size));
                (!self.is_longer(scev, a.outer, i, self.inner, room)).then_some(1)
            }
            _ => Some(1),
        }
    }

    /// What the inner loop adds to the difference of two addresses with these coefficients.
    fn inner_parts(&self, x: &Access, y: &Access, (ai, bi): (i128, i128), when: Inner) -> SmallVec<[Part; 3]> {
        let last = self.inner.max_last.map(i128::from);
        let whole = |coef| Part { coef, lo: 0, hi: last };
        let mut parts: SmallVec<[Part; 3]> = SmallVec::new();
        match (x.inside, y.inside) {
            (true, true) if ai == bi => {
                let lo = if when == Inner::Later { 1 } else { -last.unwrap_or(0) };
                parts.push(Part { coef: ai, lo, hi: last });
            }
            (x_inside, y_inside) => {
                if x_inside {
                    parts.push(whole(ai));
                }
                if y_inside {
                    parts.push(whole(-bi));
                }
            }
        }
        parts
    }

    /// Both step by the constant `o` in the outer loop and by the variable `i` in the inner one (columns).
    fn wide_inner_stride(
        &self,
        scev: &mut Scev<'_>,
        (o, i): (i128, Expr),
        (apart, sizes): (i128, (u32, u32)),
        when: Inner,
        most: u32,
    ) -> Option<u32> {
        let room = apart.abs() + i128::from(sizes.0.max(sizes.1));
        if !self.is_longer(scev, i, o, self.outer, room) {
            return Some(1);
        }
        // Different inner iterations do not meet; the same one may.
        let same = |d: &u32| may_meet(apart - o * i128::from(*d), &[], sizes.0, sizes.1);
        (1..=most).find(|d| when == Inner::Any && same(d))
    }

    /// Whether `stride`, a positive multiple of a variable, exceeds all that the iterations of `other` add, `step`
    /// each, by at least `room`.
    fn is_longer(&self, scev: &mut Scev<'_>, stride: Expr, step: i128, other: Counted, room: i128) -> bool {
        let Some(last) = other.last else { return false };
        let (0, terms) = scev.exprs.terms(stride) else { return false };
        let [(atom, scale)] = terms[..] else { return false };
        let scale = i128::from(scale as i64);
        let (length, signed) = match scev.exprs.node(atom) {
            Node::SExt(n) => (n, Some(true)),
            Node::ZExt(n) => (n, Some(false)),
            _ => (atom, None),
        };
        let Some(less) = short_of(scev, last, length, signed, other) else { return false };
        // last = length - less ≥ 0, so length ≥ less: scale × length - step × last is least at the shortest length.
        let step = step.abs();
        let shortest = i128::from(less.max(1));
        scale >= step && scale * shortest - step * (shortest - i128::from(less)) >= room
    }
}

/// The expression of `v` widened to `bits`. Promises not to wrap let a widened sum or product be that of the widened
/// operands also where the parts are no recurrences of their own: `i * n + j`.
fn wide(scev: &mut Scev<'_>, v: Value, ext: Ext, bits: u32, left: &mut u32) -> Expr {
    let func = scev.func;
    let inst = func.dfg.def_inst(v).filter(|&i| *left > 0 && !func.dfg.insts[i].ty.is_vector());
    if let Some(i) = inst {
        let exact = match ext {
            Ext::None => true,
            Ext::Sign => func.dfg.insts[i].flags.has(Flags::NSW),
            Ext::Zero => func.dfg.insts[i].flags.has(Flags::NUW),
        };
        let args = func.dfg.args(i);
        *left -= 1;
        let mut of = |v, ext| wide(scev, v, ext, bits, left);
        match (func.dfg.op(i), ext) {
            (Opcode::SExt, Ext::None | Ext::Sign) => return of(args[0], Ext::Sign),
            (Opcode::ZExt, _) => return of(args[0], Ext::Zero),
            (Opcode::Add | Opcode::PtrAdd, _) if exact => {
                let (a, b) = (of(args[0], ext), of(args[1], ext));
                return scev.add(a, b);
            }
            (Opcode::Sub, _) if exact => {
                let (a, b) = (of(args[0], ext), of(args[1], ext));
                return scev.sub(a, b);
            }
            (Opcode::Mul, _) if exact => {
                let (a, b) = (of(args[0], ext), of(args[1], ext));
                return scev.mul(a, b);
            }
            // At width - 1 the factor's sign differs from that of a multiplication.
            (Opcode::Shl, _) if exact && shift(func, i).is_some() => {
                let a = of(args[0], ext);
                return scev.scale(a, 1 << shift(func, i).unwrap_or(0));
            }
            _ => {}
        }
    }
    let e = scev.expr(v);
    match ext {
        Ext::None => e,
        Ext::Sign => scev.sext(e, bits),
        Ext::Zero => scev.zext(e, bits),
    }
}

/// The constant that a left shift shifts by, if that is a multiplication.
fn shift(func: &Function, i: Inst) -> Option<u32> {
    let by = func.dfg.as_bits(func.dfg.arg(i, 1))?;
    u32::try_from(by).ok().filter(|&n| n + 1 < func.dfg.insts[i].ty.bits())
}

/// The constant by which `last`, the number of a loop's last iteration, falls short of `length`; then `length`, read
/// as a signed or unsigned number (either will do if nobody says), is positive and at least that constant.
fn short_of(scev: &mut Scev<'_>, last: Expr, length: Expr, signed: Option<bool>, of: Counted) -> Option<i64> {
    let bits = scev.exprs.bits(last);
    if bits != scev.exprs.bits(length) {
        return None;
    }
    let (constant, terms) = scev.exprs.terms(last);
    let constant = scev.exprs.constant(constant, bits);
    let less = scev.exprs.as_int(constant)?.checked_neg().filter(|&n| n >= 0)?;
    let [(atom, 1)] = terms[..] else { return None };
    let bounded = |exprs: &Exprs, a, b| {
        let (least, other) = if exprs.as_int(a).is_some() { (a, b) } else { (b, a) };
        // Where the lower bound were taken, no iteration would run.
        other == length && exprs.as_int(least).is_some_and(|n| n >= 0 && n < less)
    };
    let holds = match scev.exprs.node(atom) {
        Node::SMax(a, b) if signed != Some(false) => bounded(&scev.exprs, a, b),
        Node::UMax(a, b) if signed != Some(true) => bounded(&scev.exprs, a, b),
        _ if atom != length || less > 1 => false,
        // An iteration runs, and there are as many as the length says.
        _ if of.tested_first && less == 1 && signed != Some(true) => true,
        _ => {
            let zero = scev.exprs.constant(0, bits);
            let mut known = |cc| scev.is_known_at_entry(cc, length, zero, of.l);
            known(IntCC::Sgt) || signed != Some(true) && (known(IntCC::Ne) || known(IntCC::Ugt))
        }
    };
    holds.then_some(less)
}

/// Whether `constant + Σ parts`, the address of one access minus that of another, can make them overlap.
fn may_meet(constant: i128, parts: &[Part], size: u32, other_size: u32) -> bool {
    // The differences at which they overlap.
    let (mut low, mut high) = (1 - i128::from(size) - constant, i128::from(other_size) - 1 - constant);
    let (mut least, mut most, mut divisor) = (0i128, 0i128, 0i128);
    let mut bounded = true;
    for p in parts.iter().filter(|p| p.coef != 0) {
        divisor = gcd(divisor, p.coef.abs());
        match p.hi {
            Some(hi) if p.lo > hi => return false,
            Some(hi) => {
                let (a, b) = (p.coef.saturating_mul(p.lo), p.coef.saturating_mul(hi));
                least = least.saturating_add(a.min(b));
                most = most.saturating_add(a.max(b));
            }
            None => bounded = false,
        }
    }
    if bounded && least > -MAX_REACH && most < MAX_REACH {
        (low, high) = (low.max(least), high.min(most));
    } else {
        // The sum may wrap around the address space; then only powers of two divide it.
        divisor = 1 << divisor.trailing_zeros().min(63);
    }
    let first = if divisor == 0 { 0.max(low) } else { low + (divisor - low.rem_euclid(divisor)) % divisor };
    if divisor == 0 { low <= 0 && high >= 0 } else { first <= high }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(coef: i128, lo: i128, hi: i128) -> Part {
        Part { coef, lo, hi: Some(hi) }
    }

    /// The test against trying every iteration.
    #[test]
    fn nothing_that_meets_is_missed_and_single_parts_are_exact() {
        for coef in [-12, -4, -3, 1, 4, 6, 8] {
            for (lo, hi) in [(0, 0), (0, 5), (-4, 4), (1, 7)] {
                for constant in -40..40 {
                    for (a, b) in [(4, 4), (1, 8), (16, 2)] {
                        let meets =
                            (lo..=hi).map(|n| constant + coef * n).any(|d| d > -i128::from(a) && d < i128::from(b));
                        assert_eq!(
                            may_meet(constant, &[part(coef, lo, hi)], a, b),
                            meets,
                            "{constant} + {coef} × {lo}..={hi}"
                        );
                        let two = (lo..=hi).flat_map(|n| (0..=3).map(move |k| constant + coef * n + 10 * k));
                        if two.into_iter().any(|d| d > -i128::from(a) && d < i128::from(b)) {
                            assert!(may_meet(constant, &[part(coef, lo, hi), part(10, 0, 3)], a, b));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn without_bounds_only_powers_of_two_tell_apart() {
        let endless = |coef| Part { coef, lo: 0, hi: None };
        assert!(!may_meet(4, &[endless(8)], 4, 4));
        assert!(may_meet(4, &[endless(12)], 4, 4), "12 × n wraps around to any multiple of 4");
        assert!(!may_meet(4, &[], 4, 4));
        assert!(may_meet(3, &[], 4, 4));
        assert!(!may_meet(0, &[part(4, 1, 0)], 4, 4), "no iteration, no meeting");
    }
}
