//! Which expressions of the host are constants to its compiler, wherever C asks for one: what initialises objects that last
//! (C23 6.7.11, 6.6).

/// Whether a text is made of integers, signs, casts to integers and the sizes of what `has_fixed_size` knows to have one when
/// the program is compiled. Divisions, which may be by zero, comparisons and enumerators are not looked into: they are evaluated
/// where they stand.
pub(crate) fn is_fixed(text: &str, has_fixed_size: &dyn Fn(&str) -> bool) -> bool {
    let mut rest = text.trim_start();
    // Parentheses that are open since a `sizeof`.
    let (mut depth, mut sizes) = (0usize, Vec::new());
    while let Some(c) = rest.chars().next() {
        let len = |ok: fn(char) -> bool| rest.find(|c: char| !ok(c)).unwrap_or(rest.len());
        let word = len(|c| c.is_ascii_alphanumeric() || c == '_');
        let mut taken = word.max(1);
        if c.is_ascii_digit() {
            // No floating constants.
            if rest[word..].starts_with('.') {
                return false;
            }
        } else if word > 0 {
            match &rest[..word] {
                "sizeof" => {
                    let behind = rest[word..].trim_start();
                    if !behind.starts_with('(') {
                        return false;
                    }
                    taken = rest.len() - behind.len() + 1;
                    depth += 1;
                    sizes.push(depth);
                }
                "long" | "unsigned" | "int" => {}
                name if !sizes.is_empty() && has_fixed_size(name) => {}
                _ => return false,
            }
        } else {
            match c {
                '(' => depth += 1,
                ')' => {
                    sizes.pop_if(|s| *s == depth);
                    let Some(less) = depth.checked_sub(1) else { return false };
                    depth = less;
                }
                '+' | '-' | '*' => {}
                '[' | ']' if !sizes.is_empty() => {}
                _ => return false,
            }
        }
        rest = rest[taken..].trim_start();
    }
    depth == 0
}

#[cfg(test)]
mod tests {
    use super::is_fixed;

    #[test]
    fn integers_and_sizes_are_fixed_and_what_runs_is_not() {
        let fixed = |text: &str| is_fixed(text, &|name| name == "a");
        for text in ["1", "(long)(4000 + 0)", "sizeof((a)[0]) * (unsigned long)(3 * -2)", "sizeof(a)", "0x10ul"] {
            assert!(fixed(text), "{text}");
        }
        for text in
            ["n", "a", "sizeof(b)", "sizeof(a) + a", "1 / 0", "f(1)", "1.5", "(1", "1)", "sizeof a", "x ? 1 : 2"]
        {
            assert!(!fixed(text), "{text}");
        }
    }
}
