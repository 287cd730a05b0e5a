//! Division and remainder by constants, without dividing.
//!
//! A quotient by a constant is the high half of a product with a scaled reciprocal, rounded so that it is exact for
//! every dividend (Granlund and Montgomery, 1994), then shifted; signed quotients are corrected towards zero. Signed
//! divisions by powers of two are shifts of the dividend, biased if negative. A remainder is the dividend less the
//! quotient times the divisor. Divisions of 8 and 16 bits are done in 32; those of 64 bits whose operands are known to
//! fit in 32 likewise, also by variables.
//!
//! What must hold: simplified IR (unsigned divisions by powers of two are shifts already). Runs late: until then a
//! division is easier to reason about. Cost: linear.

use crate::PassContext;
use crate::known::Known;
use ir::{Builder, Flags, Function, Inst, IntCC, Opcode, Type, Value};
use target::Target;

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    cx.keep_graph();
    let mut divisions: Vec<Inst> = Vec::new();
    for b in func.layout.blocks() {
        let is_division =
            |&i: &Inst| matches!(func.dfg.op(i), Opcode::SDiv | Opcode::UDiv | Opcode::SRem | Opcode::URem);
        divisions.extend(func.layout.insts(b).filter(is_division));
    }
    let mut changed = false;
    for i in divisions {
        changed |= reduce(func, cx.options.target, i);
    }
    if changed {
        func.resolve_aliases();
    }
    changed
}

/// Replaces one division, if something cheaper does the same.
fn reduce(func: &mut Function, target: Target, i: Inst) -> bool {
    let data = &func.dfg.insts[i];
    let (op, ty, exact) = (data.op, data.ty, data.flags.has(Flags::EXACT));
    let (x, y) = (func.dfg.resolve(func.dfg.arg(i, 0)), func.dfg.resolve(func.dfg.arg(i, 1)));
    let divisor = func.dfg.as_bits(y);
    if divisor == Some(0) || divisor.is_none() && !may_narrow(func, target, op, x, y, ty) {
        return false;
    }
    let signed = matches!(op, Opcode::SDiv | Opcode::SRem);
    let narrow = may_narrow(func, target, op, x, y, ty);
    let mut b = Builder::before(func, i);
    let new = if narrow {
        in_32_bits(&mut b, op, x, y, ty, Opcode::ZExt)
    } else if ty.bits() < 32 {
        in_32_bits(&mut b, op, x, y, ty, if signed { Opcode::SExt } else { Opcode::ZExt })
    } else if let Some(d) = divisor {
        by_constant(&mut b, op, x, d, ty, exact)
    } else {
        return false;
    };
    let old = func.dfg.res(i);
    func.dfg.replace_value(old, new);
    func.layout.remove_inst(i);
    true
}

/// Whether an unsigned division of 64 bits has operands of 32.
fn may_narrow(func: &Function, target: Target, op: Opcode, x: Value, y: Value, ty: Type) -> bool {
    let small = |v: Value| Known::new(func, target).range(v).hi <= u64::from(u32::MAX);
    ty == Type::I64 && matches!(op, Opcode::UDiv | Opcode::URem) && small(x) && small(y)
}

/// Converts the operands to 32 bits, divides there, and converts back.
fn in_32_bits(b: &mut Builder<'_>, op: Opcode, x: Value, y: Value, ty: Type, extend: Opcode) -> Value {
    let mid = ty.with_scalar(Type::I32);
    let convert = |b: &mut Builder<'_>, v: Value| match (b.func.dfg.as_bits(v), ty.bits() < 32) {
        (Some(_), true) if extend == Opcode::SExt => {
            let n = b.func.dfg.as_int(v).unwrap_or(0);
            b.iconst(mid, n)
        }
        (Some(n), _) => b.func.dfg.bits(mid, n),
        (None, true) => b.cast(extend, v, mid),
        (None, false) => b.cast(Opcode::Trunc, v, mid),
    };
    let (x, y) = (convert(b, x), convert(b, y));
    let q = match b.func.dfg.as_bits(y) {
        Some(d) => by_constant(b, op, x, d, mid, false),
        None => b.binary(op, x, y),
    };
    b.cast(if ty.bits() < 32 { Opcode::Trunc } else { Opcode::ZExt }, q, ty)
}

/// Quotient or remainder by `d`, not zero, in 32 or 64 bits.
fn by_constant(b: &mut Builder<'_>, op: Opcode, x: Value, d: u64, ty: Type, exact: bool) -> Value {
    let w = ty.bits();
    let d = d & ty.mask();
    let d_signed = ((d << (64 - w)) as i64) >> (64 - w);
    match op {
        Opcode::UDiv => unsigned(b, x, d, ty),
        Opcode::SDiv if exact && d_signed > 0 => exact_signed(b, x, d, ty),
        Opcode::SDiv => signed(b, x, d_signed, ty),
        Opcode::URem if d.is_power_of_two() => {
            let m = b.func.dfg.bits(ty, d - 1);
            b.binary(Opcode::And, x, m)
        }
        Opcode::URem => {
            let q = unsigned(b, x, d, ty);
            rest(b, x, q, d, ty)
        }
        _ => {
            // The sign of the divisor does not matter; of the smallest number's magnitude, as an unsigned number, too.
            let m = d_signed.unsigned_abs();
            if m == 1 {
                return b.iconst(ty, 0);
            }
            if m.is_power_of_two() {
                let biased = biased(b, x, m.trailing_zeros(), ty);
                let mask = b.func.dfg.bits(ty, m.wrapping_neg());
                let whole = b.binary(Opcode::And, biased, mask);
                return b.binary(Opcode::Sub, x, whole);
            }
            let q = signed(b, x, m as i64, ty);
            rest(b, x, q, m, ty)
        }
    }
}

fn rest(b: &mut Builder<'_>, x: Value, q: Value, d: u64, ty: Type) -> Value {
    let d = b.func.dfg.bits(ty, d);
    let whole = b.mul(q, d);
    b.binary(Opcode::Sub, x, whole)
}

fn shift(b: &mut Builder<'_>, op: Opcode, x: Value, n: u32) -> Value {
    if n == 0 {
        return x;
    }
    let ty = b.ty(x);
    let n = b.iconst(ty, i64::from(n));
    b.binary(op, x, n)
}

/// How to divide unsigned numbers: `mulhi(x >> before, factor) >> after`, where `add` stands for one more bit of the
/// factor above its width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Unsigned {
    factor: u64,
    before: u32,
    after: u32,
    add: bool,
}

/// For `d` not a power of two and at most half the range.
fn unsigned_magic(d: u64, w: u32) -> Unsigned {
    // ceil(2^(w+s) / d) is right for all x < 2^n if it exceeds the exact quotient times d by at most 2^(w+s-n).
    let attempt = |d: u64, n: u32| {
        (0..w).find_map(|s| {
            let power = 1u128 << (w + s);
            let m = power.div_ceil(u128::from(d));
            let error = m * u128::from(d) - power;
            let fits = m < 1u128 << w && error <= 1u128 << (w + s - n);
            fits.then_some((m as u64, s))
        })
    };
    if let Some((factor, after)) = attempt(d, w) {
        return Unsigned { factor, before: 0, after, add: false };
    }
    let tz = d.trailing_zeros();
    if tz > 0
        && let Some((factor, after)) = attempt(d >> tz, w - tz)
    {
        return Unsigned { factor, before: tz, after, add: false };
    }
    let bits = 64 - (d - 1).leading_zeros();
    let m = (1u128 << (w + bits)).div_ceil(u128::from(d));
    Unsigned { factor: (m - (1u128 << w)) as u64, before: 0, after: bits, add: true }
}

fn unsigned(b: &mut Builder<'_>, x: Value, d: u64, ty: Type) -> Value {
    let w = ty.bits();
    if d.is_power_of_two() {
        return shift(b, Opcode::LShr, x, d.trailing_zeros());
    }
    if d > ty.mask() >> 1 {
        let d = b.func.dfg.bits(ty, d);
        let c = b.icmp(IntCC::Uge, x, d);
        return b.cast(Opcode::ZExt, c, ty);
    }
    let m = unsigned_magic(d, w);
    let x = shift(b, Opcode::LShr, x, m.before);
    let factor = b.func.dfg.bits(ty, m.factor);
    let high = b.binary(Opcode::MulHiU, x, factor);
    if !m.add {
        return shift(b, Opcode::LShr, high, m.after);
    }
    // (x + high) >> after, without losing the carry.
    let less = b.binary(Opcode::Sub, x, high);
    let half = shift(b, Opcode::LShr, less, 1);
    let sum = b.add(half, high);
    shift(b, Opcode::LShr, sum, m.after - 1)
}

/// The factor and shift for a signed division by `d`, at least 3 and no power of two.
fn signed_magic(d: u64, w: u32) -> (u64, u32) {
    let d = u128::from(d);
    let half = 1u128 << (w - 1);
    let limit = half - 1 - half % d;
    let mut s = 0;
    loop {
        let power = 1u128 << (w + s);
        let missing = d - power % d;
        if power > limit * missing || s == w - 1 {
            return (((power + missing) / d) as u64, s);
        }
        s += 1;
    }
}

fn signed(b: &mut Builder<'_>, x: Value, d: i64, ty: Type) -> Value {
    let w = ty.bits();
    let m = d.unsigned_abs();
    let negate = |b: &mut Builder<'_>, q: Value| {
        let zero = b.iconst(ty, 0);
        b.binary(Opcode::Sub, zero, q)
    };
    if m == 1 {
        return if d < 0 { negate(b, x) } else { x };
    }
    if m == 1 << (w - 1) {
        // Only the smallest number has a quotient by itself.
        let d = b.iconst(ty, d);
        let c = b.icmp(IntCC::Eq, x, d);
        return b.cast(Opcode::ZExt, c, ty);
    }
    let q = if m.is_power_of_two() {
        let biased = biased(b, x, m.trailing_zeros(), ty);
        shift(b, Opcode::AShr, biased, m.trailing_zeros())
    } else {
        let (factor, s) = signed_magic(m, w);
        let f = b.func.dfg.bits(ty, factor);
        let mut q = b.binary(Opcode::MulHiS, x, f);
        // As a signed number the factor may have come out 2^w too small.
        if factor >> (w - 1) & 1 != 0 {
            q = b.add(q, x);
        }
        let q = shift(b, Opcode::AShr, q, s);
        let sign = shift(b, Opcode::LShr, q, w - 1);
        b.add(q, sign)
    };
    if d < 0 { negate(b, q) } else { q }
}

/// `x`, plus `2^k - 1` if it is negative: shifting it rounds towards zero.
fn biased(b: &mut Builder<'_>, x: Value, k: u32, ty: Type) -> Value {
    let w = ty.bits();
    let sign = if k > 1 { shift(b, Opcode::AShr, x, w - 1) } else { x };
    let bias = shift(b, Opcode::LShr, sign, w - k);
    b.add(x, bias)
}

/// A division that leaves no remainder: shift the twos out, multiply by the inverse of the odd rest.
fn exact_signed(b: &mut Builder<'_>, x: Value, d: u64, ty: Type) -> Value {
    let tz = d.trailing_zeros();
    let x = shift(b, Opcode::AShr, x, tz);
    let odd = d >> tz;
    if odd == 1 {
        return x;
    }
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    let inverse = b.func.dfg.bits(ty, inverse);
    b.mul(x, inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(w: u32, d: u64) -> Vec<u64> {
        let m = if w == 64 { u64::MAX } else { (1 << w) - 1 };
        let mut xs = vec![0, 1, 2, m, m - 1, m >> 1, (m >> 1) + 1];
        let q = m / d;
        for k in [1, 2, 3, q / 2, q.saturating_sub(1), q] {
            let x = d.wrapping_mul(k) & m;
            xs.extend([x, x.wrapping_sub(1) & m, x.wrapping_add(1) & m]);
        }
        xs
    }

    fn divisors(w: u32) -> impl Iterator<Item = u64> {
        let top = if w == 64 { i64::MAX as u64 } else { (1 << (w - 1)) - 1 };
        let big = (0..200u64).map(move |k| top - k * k * 37);
        let spread = (0..w - 2).flat_map(|k| [(1u64 << k) + 1, (1 << k) + 3, (3 << k) - 1, 5 << k]);
        (3..3000).chain(spread).chain(big).filter(move |d| !d.is_power_of_two() && *d >= 3 && *d <= top)
    }

    #[test]
    fn unsigned_quotients() {
        for w in [32, 64] {
            for d in divisors(w) {
                let m = unsigned_magic(d, w);
                for x in edges(w, d) {
                    let y = x >> m.before;
                    let high = ((u128::from(y) * u128::from(m.factor)) >> w) as u64;
                    let q = if m.add { (((y - high) >> 1) + high) >> (m.after - 1) } else { high >> m.after };
                    assert_eq!(q, x / d, "{x} / {d} in {w}: {m:?}");
                }
            }
        }
    }

    #[test]
    fn signed_quotients() {
        for w in [32, 64] {
            let sext = |x: u64| ((x << (64 - w)) as i64) >> (64 - w);
            for d in divisors(w) {
                let (factor, s) = signed_magic(d, w);
                for x in edges(w, d).into_iter().map(sext) {
                    let mut q = ((i128::from(x) * i128::from(sext(factor))) >> w) as i64;
                    if sext(factor) < 0 {
                        q = sext((q as u64).wrapping_add(x as u64));
                    }
                    q >>= s;
                    q += i64::from(q < 0);
                    assert_eq!(q, x / d as i64, "{x} / {d} in {w}");
                }
            }
        }
    }
}
