//! The text being written: appends to a string without the formatting machinery.

/// Appends the decimal digits of `n`.
pub(crate) fn push_u64(out: &mut String, mut n: u64) {
    let mut buf = [0u8; 20];
    let mut at = buf.len();
    loop {
        at -= 1;
        buf[at] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 {
            break;
        }
    }
    for &d in &buf[at..] {
        out.push(d as char);
    }
}

/// Appends `n` in decimal.
pub(crate) fn push_i64(out: &mut String, n: i64) {
    if n < 0 {
        out.push('-');
    }
    push_u64(out, n.unsigned_abs());
}

/// Appends `digits` upper-case hexadecimal digits of `n`.
pub(crate) fn push_hex(out: &mut String, n: u64, digits: u32) {
    for k in (0..digits).rev() {
        out.push(char::from(b"0123456789ABCDEF"[(n >> (4 * k) & 15) as usize]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let mut s = String::new();
        for n in [0, 7, -1, i64::MIN, i64::MAX] {
            push_i64(&mut s, n);
            s.push(' ');
        }
        push_u64(&mut s, u64::MAX);
        s.push(' ');
        push_hex(&mut s, 0x3f80_0000, 8);
        assert_eq!(s, "0 7 -1 -9223372036854775808 9223372036854775807 18446744073709551615 3F800000");
    }
}
