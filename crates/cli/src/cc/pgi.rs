//! PGI's directives through a preprocessor that knows OpenACC's only: it expands macros in directives whose names it knows, so
//! `acc region` is called `acc serial` with a mark behind it for as long as that takes.

/// What stands behind the borrowed name.
const MARK: &str = "__unspool_pgi_";

/// PGI's name, and the borrowed one.
const NAMES: [(&str, &str); 2] = [("region", "serial"), ("for", "loop")];

/// The text with PGI's directives renamed; `None` if there are none.
pub(super) fn hidden(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len() + 256);
    let mut any = false;
    for line in text.split_inclusive('\n') {
        match renamed(line) {
            Some(new) => {
                any = true;
                out.push_str(&new);
            }
            None => out.push_str(line),
        }
    }
    any.then_some(out)
}

/// A line `#pragma acc region …` or `#pragma acc for …` with the borrowed name.
fn renamed(line: &str) -> Option<String> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("pragma")?;
    let rest = rest.trim_start().strip_prefix("acc")?;
    let word = rest.trim_start();
    let (name, borrowed) = NAMES.iter().find(|(n, _)| {
        word.strip_prefix(n).is_some_and(|t| !t.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
    })?;
    if word.len() == rest.len() {
        return None;
    }
    let head = &line[..line.len() - word.len()];
    Some(format!("{head}{borrowed} {MARK}{name}{}", &word[name.len()..]))
}

/// The opposite of [`hidden`], after the preprocessor.
pub(super) fn shown(text: &str) -> String {
    let mut out = text.to_owned();
    for (name, borrowed) in NAMES {
        out = out.replace(&format!("{borrowed} {MARK}{name}"), name);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        let text =
            "#define N 3\n  # pragma acc region copy(a[0:N-1])\n#pragma acc for private(x)\n#pragma acc format\n";
        let there = hidden(text).expect("two of them");
        assert!(
            there.contains("acc serial __unspool_pgi_region copy")
                && there.contains("acc loop __unspool_pgi_for private")
        );
        assert_eq!(shown(&there), text);
        assert_eq!(hidden("#pragma acc parallel\n"), None);
    }
}
