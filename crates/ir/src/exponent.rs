//! Parts and scales of floating-point numbers, as processors with AVX-512 have them as instructions: what
//! [`crate::Intrinsic::Scale`] and its like give. Of `f32` by way of `f64`, which is exact but for the one rounding at the end.

/// `x * 2^floor(y)`, rounded once. Infinite scales of NaN are infinity and 0, as processors have it.
pub fn scale(x: f64, y: f64) -> f64 {
    if y.is_nan() {
        return y;
    }
    if y.is_infinite() {
        if x.is_nan() {
            return if y > 0.0 { f64::INFINITY } else { 0.0 };
        }
        return if y > 0.0 { x * y } else { x * 0.0 };
    }
    let (mut x, mut k) = (x, y.floor().clamp(-2200.0, 2200.0) as i64);
    // Only the last step may leave the normal numbers: what is that far down before it vanishes.
    while !(-1022..=1023).contains(&k) {
        let step = if k < 0 { -968 } else { 1023 };
        x *= power(step);
        k -= step;
    }
    x * power(k)
}

/// `2^k` of the normal numbers.
fn power(k: i64) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}

/// The whole number below `log2(|x|)`: negative infinity of 0, infinity of infinity.
pub fn exponent(x: f64) -> f64 {
    let size = x.abs();
    if size == 0.0 {
        return f64::NEG_INFINITY;
    }
    if !size.is_finite() {
        return size;
    }
    let (normal, down) = if size < f64::MIN_POSITIVE { (size * power(54), 54) } else { (size, 0) };
    ((normal.to_bits() >> 52) as i64 - 1023 - down) as f64
}

/// `x` without the power of two that leaves it from 3/4 up to 3/2. Of zeros 1 with their sign, of infinity 1, of what else
/// is negative NaN.
pub fn significand(x: f64) -> f64 {
    const FRACTION: u64 = (1 << 52) - 1;
    if x.is_nan() {
        return x;
    }
    if x == 0.0 {
        return 1.0f64.copysign(x);
    }
    if x < 0.0 {
        return f64::NAN;
    }
    if x.is_infinite() {
        return 1.0;
    }
    let normal = if x < f64::MIN_POSITIVE { x * power(54) } else { x };
    let fraction = normal.to_bits() & FRACTION;
    let exponent = if fraction >> 51 == 1 { 1022 } else { 1023 };
    f64::from_bits(exponent << 52 | fraction)
}

/// What an operation of this family gives of bits; `single` says of which type.
pub fn eval(op: crate::Intrinsic, single: bool, a: u64, b: u64) -> Option<u64> {
    let wide = |v: u64| if single { f64::from(f32::from_bits(v as u32)) } else { f64::from_bits(v) };
    let r = match op {
        crate::Intrinsic::Scale => scale(wide(a), wide(b)),
        crate::Intrinsic::Exponent => exponent(wide(a)),
        crate::Intrinsic::Significand => significand(wide(a)),
        _ => return None,
    };
    Some(if single { u64::from((r as f32).to_bits()) } else { r.to_bits() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_its_significand_scaled() {
        for x in [1.0, 1.5, 0.75, 1.4999, 3.0e-310, 5.0e-324, f64::MAX, 0.1] {
            let (m, e) = (significand(x), exponent(x) - exponent(significand(x)));
            assert!((0.75..1.5).contains(&m), "{x}");
            assert_eq!(scale(m, e), x);
        }
        assert_eq!((exponent(0.0), exponent(f64::INFINITY)), (f64::NEG_INFINITY, f64::INFINITY));
        assert!(significand(-1.0).is_nan() && significand(f64::NEG_INFINITY).is_nan());
        assert_eq!((significand(0.0), significand(-0.0), significand(f64::INFINITY)), (1.0, -1.0, 1.0));
    }

    #[test]
    fn scales_round_once() {
        // Halfway between two subnormal numbers, and a little above.
        assert_eq!(scale(1.5, -1074.9), f64::from_bits(1));
        assert_eq!(scale(f64::from_bits(1.5f64.to_bits() + 1), -1074.0), f64::from_bits(2));
        assert_eq!((scale(1.0, f64::NEG_INFINITY), scale(1.0, 5000.0)), (0.0, f64::INFINITY));
        assert!(scale(0.0, f64::INFINITY).is_nan() && scale(1.0, f64::NAN).is_nan());
        assert_eq!(scale(f64::MAX, -2098.0), f64::from_bits(1));
    }
}
