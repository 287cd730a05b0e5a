//! When does an arithmetic progression modulo a power of two first hit an interval?

/// The smallest `k` with `(x + k × t) mod 2^bits` in the cyclic interval of `len` numbers from `lo`, if there is one.
///
/// This answers "after how many iterations does this comparison with a constant end the loop", for every comparison,
/// start and step, with every wrap taken into account. Cost: that of Euclid's algorithm.
pub fn first_in_interval(x: u64, t: u64, lo: u64, len: u128, bits: u32) -> Option<u64> {
    let m = 1u128 << bits;
    if len == 0 {
        return None;
    }
    // k × t must hit [l, r] modulo m.
    let l = (u128::from(lo).wrapping_sub(u128::from(x))) & (m - 1);
    let r = l + len - 1;
    if r >= m {
        return Some(0);
    }
    first_multiple(u128::from(t) & (m - 1), m, l, r).map(|k| k as u64)
}

/// The smallest `k` with `l <= a × k mod m <= r`, for `a < m` and `l <= r < m`.
///
/// Without a multiple of `a` inside, `a × k - m × y` lies in the interval for the smallest `y` for which
/// `m × y mod a` lies in the mirrored interval modulo `a`: the same question with smaller numbers.
fn first_multiple(a: u128, m: u128, l: u128, r: u128) -> Option<u128> {
    if l == 0 {
        return Some(0);
    }
    if a == 0 {
        return None;
    }
    let k = l.div_ceil(a);
    if a * k <= r {
        return Some(k);
    }
    let back = |x: u128| (a - x % a) % a;
    let y = first_multiple(m % a, a, back(r), back(l))?;
    Some((l + m * y).div_ceil(a))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_search() {
        for t in 0..=255u64 {
            for lo in (0..256u64).step_by(7) {
                for len in [1u128, 2, 3, 17, 128, 255, 256] {
                    let x = (t * 31 + lo * 3) & 255;
                    let slow = (0..256u64).find(|k| {
                        let d = (x + k * t).wrapping_sub(lo) & 255;
                        u128::from(d) < len
                    });
                    assert_eq!(first_in_interval(x, t, lo, len, 8), slow, "{x} {t} {lo} {len}");
                }
            }
        }
    }

    #[test]
    fn full_width() {
        assert_eq!(first_in_interval(0, 3, 1, 1, 64), Some(0xaaaa_aaaa_aaaa_aaab));
        assert_eq!(first_in_interval(0, 2, 1, 1, 64), None);
        assert_eq!(first_in_interval(5, u64::MAX, 0, 1, 64), Some(5));
        assert_eq!(first_in_interval(0, 1, u64::MAX, 1, 64), Some(u64::MAX));
        assert_eq!(first_in_interval(9, 9, 3, 0, 64), None);
        assert_eq!(first_in_interval(9, 9, 3, 1 << 64, 64), Some(0));
    }
}
