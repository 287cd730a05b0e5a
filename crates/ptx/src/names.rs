//! Symbol names as PTX takes them.

use crate::out::push_hex;

/// Names that the assembler keeps for itself.
const RESERVED: [&str; 1] = ["WARP_SZ"];

/// Whether `name` is an identifier of PTX as it stands.
fn is_valid(name: &str) -> bool {
    let b = name.as_bytes();
    let follow = |c: &u8| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'$');
    match b {
        [c, rest @ ..] if c.is_ascii_alphabetic() => rest.iter().all(follow) && !RESERVED.contains(&name),
        [b'_' | b'$', rest @ ..] => !rest.is_empty() && rest.iter().all(follow),
        _ => false,
    }
}

/// Writes `name`, with characters that PTX does not take as `$` and their hexadecimal code.
pub(crate) fn push_name(out: &mut String, name: &str) {
    if is_valid(name) {
        out.push_str(name);
        return;
    }
    out.push_str("_$");
    for &c in name.as_bytes() {
        if c.is_ascii_alphanumeric() || c == b'_' {
            out.push(c as char);
        } else {
            out.push('$');
            push_hex(out, u64::from(c), 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let name = |n: &str| {
            let mut s = String::new();
            push_name(&mut s, n);
            s
        };
        assert_eq!(name("_Z3fooPf"), "_Z3fooPf");
        assert_eq!(name("a.b"), "_$a$2Eb");
        assert_eq!(name(""), "_$");
        assert_eq!(name("_"), "_$_");
        assert_eq!(name("9"), "_$9");
        assert_eq!(name("WARP_SZ"), "_$WARP_SZ");
        assert_eq!(name("é"), "_$$C3$A9");
    }
}
