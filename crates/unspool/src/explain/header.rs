//! The header of a `for` as the source has it: what bounds the loop's count, and the text with something else there.
//!
//! It is for experiments: advice to bound a count or to make it a constant is followed as a user would, and compiled.
//! A header that is not understood gives no experiment, and a text that does not compile shows that the advice is none.

use std::ops::Range;

/// Longest condition that is shown.
const MAX_SHOWN: usize = 60;

/// What is put in place of a loop's bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Limit {
    /// `(n & mask)`
    Mask(u32),
    /// The number.
    Number(u32),
}

/// A text with another bound of a loop.
pub(super) struct Limited {
    /// The whole text.
    pub(super) text: String,
    /// The part of the header that is new: `i < (n & 15)`.
    pub(super) shown: String,
}

/// The text in which the `for` at byte `at` runs as often as `limit` says.
pub(super) fn limited(text: &str, at: usize, limit: Limit) -> Option<Limited> {
    let [init, condition] = parts(text, at)?;
    let bytes = text.as_bytes();
    let (operator, upwards) = comparison(bytes, condition.clone())?;
    // A loop that counts down is bounded by where it starts.
    let (part, bound) = if upwards {
        (condition.clone(), trimmed(text, operator.end..condition.end))
    } else {
        let equals = single(bytes, init.clone(), |b, n| (b[n] == b'=').then_some(1))?;
        (init.clone(), trimmed(text, equals.end..init.end))
    };
    let old = &text[bound.clone()];
    if old.is_empty() || old.contains('\n') {
        return None;
    }
    let new = match limit {
        Limit::Number(n) => n.to_string(),
        Limit::Mask(mask) if is_simple(old) => format!("({old} & {mask})"),
        Limit::Mask(mask) => format!("(({old}) & {mask})"),
    };
    let part = trimmed(text, part);
    let shown = format!("{}{new}{}", &text[part.start..bound.start], &text[bound.end..part.end]);
    if shown.len() > MAX_SHOWN || shown.contains(['\n', '`']) {
        return None;
    }
    Some(Limited { text: format!("{}{new}{}", &text[..bound.start], &text[bound.end..]), shown })
}

/// The first two parts of the header of the `for` at `at`.
fn parts(text: &str, at: usize) -> Option<[Range<usize>; 2]> {
    let rest = text.get(at..)?.strip_prefix("for")?;
    let open = at + 3 + rest.len() - rest.trim_start().len();
    let bytes = text.as_bytes();
    if bytes.get(open) != Some(&b'(') {
        return None;
    }
    let mut ends = [0; 2];
    let (mut n, mut depth, mut found) = (open + 1, 0u32, 0);
    while found < ends.len() {
        n = behind_trivia(bytes, n);
        match *bytes.get(n)? {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            b';' if depth == 0 => {
                ends[found] = n;
                found += 1;
            }
            _ => {}
        }
        n += 1;
    }
    Some([open + 1..ends[0], ends[0] + 1..ends[1]])
}

/// The only comparison of a condition, and whether its right side is what a count goes up to.
fn comparison(bytes: &[u8], condition: Range<usize>) -> Option<(Range<usize>, bool)> {
    let found = single(bytes, condition, |b, n| match (b[n], b.get(n + 1)) {
        (b'<' | b'>' | b'!', Some(b'=')) => Some(2),
        (b'<' | b'>', _) => Some(1),
        // What a bound may not be a part of.
        (b'&', Some(b'&')) | (b'|', Some(b'|')) | (b'=', Some(b'=')) => Some(0),
        (b'?' | b',' | b'=', _) => Some(0),
        _ => None,
    })?;
    let upwards = bytes[found.start] != b'>';
    Some((found, upwards))
}

/// The only place outside of brackets at which `operator` finds one of so many bytes; one of none spoils it.
fn single(bytes: &[u8], part: Range<usize>, operator: impl Fn(&[u8], usize) -> Option<usize>) -> Option<Range<usize>> {
    let (mut n, mut depth, mut found) = (part.start, 0u32, None);
    while n < part.end {
        n = behind_trivia(bytes, n);
        if n >= part.end {
            break;
        }
        let mut length = 1;
        match bytes[n] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            // No comparisons.
            b'-' if bytes.get(n + 1) == Some(&b'>') => length = 2,
            b'<' | b'>' if bytes.get(n + 1) == Some(&bytes[n]) => length = 2,
            _ if depth == 0 => {
                if let Some(long) = operator(bytes, n) {
                    if long == 0 || found.is_some() {
                        return None;
                    }
                    found = Some(n..n + long);
                    length = long;
                }
            }
            _ => {}
        }
        n += length;
    }
    found
}

/// The next byte that is part of neither a comment nor a literal of characters.
fn behind_trivia(bytes: &[u8], mut n: usize) -> usize {
    loop {
        let rest = bytes.get(n..).unwrap_or_default();
        n += match rest {
            [b'/', b'*', ..] => 2 + rest[2..].windows(2).position(|w| w == b"*/").map_or(rest.len() - 2, |p| p + 2),
            [b'/', b'/', ..] => rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len()),
            [quote @ (b'"' | b'\''), ..] => literal(rest, *quote),
            _ => return n,
        };
    }
}

/// Length of the literal that a quote begins.
fn literal(rest: &[u8], quote: u8) -> usize {
    let mut n = 1;
    while n < rest.len() && rest[n] != quote && rest[n] != b'\n' {
        n += if rest[n] == b'\\' { 2 } else { 1 };
    }
    (n + 1).min(rest.len())
}

/// A range without white space at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + part.len() - part.trim_start().len();
    start..start + part.trim().len()
}

/// Whether an expression needs no parentheses around it.
fn is_simple(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b':'))
}

#[cfg(test)]
mod tests {
    use super::{Limit, limited};

    fn shown(header: &str, limit: Limit) -> Option<String> {
        let text = format!("{{ {header} s++; }}");
        limited(&text, 2, limit).map(|l| {
            assert_ne!(l.text, text);
            l.shown
        })
    }

    #[test]
    fn bounds_are_found_in_headers() {
        let mask = |h| shown(h, Limit::Mask(15));
        let is = |h, want: &str| assert_eq!(mask(h).as_deref(), Some(want), "{h}");
        is("for (int i = 0; i < n; i++)", "i < (n & 15)");
        is("for(i=0;i<=p->n-1;++i)", "i<=((p->n-1) & 15)");
        is("for (int i = 0, j = 1; i != f(a, b); i++)", "i != ((f(a, b)) & 15)");
        is("for (i = a[b < c]; i /* < ; */ < (n << 1); i++)", "i /* < ; */ < (((n << 1)) & 15)");
        is("for (int i = n; i > 0; i--)", "int i = (n & 15)");
        is("for (unsigned h = blockDim.x / 2; h > 0; h >>= 1)", "unsigned h = ((blockDim.x / 2) & 15)");
        assert_eq!(shown("for (int i = 0; i < n; i++)", Limit::Number(16)).as_deref(), Some("i < 16"));
    }

    #[test]
    fn headers_that_are_not_understood_give_nothing() {
        for h in [
            "for (;;)",
            "for (auto x : a)",
            "for (int i = 0; i < n && a[i]; i++)",
            "for (int i = 0; i < n ? a : b; i++)",
            "for (int i = 0; f<8>(i); i++)",
            "for (int i = 0; a < b < c; i++)",
            "for (int i = 0; i < \n n +\n 1; i++)",
            "for (int i = 0, j = 1; i > 0; i--)",
            "for (int i = 0; ok; i++)",
            "for (int i = 0; i < 'x",
            "for (; /* ",
            "while (i < n)",
            "for",
            "forty (i = 0; i < n; i++)",
        ] {
            assert_eq!(shown(h, Limit::Mask(15)), None, "{h}");
        }
    }
}
