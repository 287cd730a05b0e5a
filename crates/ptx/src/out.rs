//! The text being written: appends to a string without the formatting machinery.

/// Two digits of every number below 100.
const PAIRS: &str = "00010203040506070809101112131415161718192021222324252627282930313233343536373839\
                     40414243444546474849505152535455565758596061626364656667686970717273747576777879\
                     8081828384858687888990919293949596979899";

/// Appends ASCII bytes.
fn push_ascii(out: &mut String, bytes: &[u8]) {
    if let Ok(s) = std::str::from_utf8(bytes) {
        out.push_str(s);
    }
}

/// Appends the decimal digits of `n`.
pub(crate) fn push_u64(out: &mut String, mut n: u64) {
    if n < 100 {
        let at = 2 * n as usize;
        return out.push_str(if n < 10 { &PAIRS[at + 1..at + 2] } else { &PAIRS[at..at + 2] });
    }
    let mut buf = [0u8; 20];
    let mut at = buf.len();
    while n >= 100 {
        let pair = 2 * (n % 100) as usize;
        n /= 100;
        at -= 2;
        buf[at..at + 2].copy_from_slice(&PAIRS.as_bytes()[pair..pair + 2]);
    }
    let pair = 2 * n as usize;
    at -= 2;
    buf[at..at + 2].copy_from_slice(&PAIRS.as_bytes()[pair..pair + 2]);
    push_ascii(out, &buf[if n < 10 { at + 1 } else { at }..]);
}

/// Appends `n` in decimal.
pub(crate) fn push_i64(out: &mut String, n: i64) {
    if n < 0 {
        out.push('-');
    }
    push_u64(out, n.unsigned_abs());
}

/// Appends `digits` (at most 16) upper-case hexadecimal digits of `n`.
pub(crate) fn push_hex(out: &mut String, n: u64, digits: u32) {
    let mut buf = [0u8; 16];
    let digits = digits.min(16) as usize;
    for (k, d) in buf[..digits].iter_mut().enumerate() {
        *d = b"0123456789ABCDEF"[(n >> (4 * (digits - 1 - k)) & 15) as usize];
    }
    push_ascii(out, &buf[..digits]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let mut s = String::new();
        for n in [0, 7, -1, 10, 99, 100, 105, 12345, i64::MIN, i64::MAX] {
            push_i64(&mut s, n);
            s.push(' ');
        }
        push_u64(&mut s, u64::MAX);
        s.push(' ');
        push_hex(&mut s, 0x3f80_0000, 8);
        assert_eq!(
            s,
            "0 7 -1 10 99 100 105 12345 -9223372036854775808 9223372036854775807 18446744073709551615 3F800000"
        );
    }
}
