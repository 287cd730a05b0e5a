//! The text of inline PTX, as far as its statements and operands: what is written, what is declared, which memory is meant.
//!
//! Instructions are not checked here; the assembler does that, or `ptx-reader` where the code is for another machine.

/// Most statements of a text that are looked at.
const MAX_STATEMENTS: usize = 1 << 14;

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Statement<'t> {
    /// `p` of `@p`, `@!p`.
    pub(super) guard: Option<&'t str>,
    /// The opcode with its modifiers, or the directive: `ld.shared.b32`, `.reg`.
    pub(super) opcode: &'t str,
    /// What stands between the commas.
    pub(super) operands: Vec<&'t str>,
    /// Braces around it.
    pub(super) depth: u32,
    /// Whether a semicolon stands behind it.
    pub(super) ends: bool,
}

impl<'t> Statement<'t> {
    /// Its first word: `ld` of `ld.shared.b32`.
    pub(super) fn name(&self) -> &'t str {
        self.opcode.split('.').next().unwrap_or_default()
    }

    /// Whether a modifier stands in it.
    pub(super) fn has(&self, modifier: &str) -> bool {
        self.opcode.split('.').skip(1).any(|m| m.split("::").next() == Some(modifier))
    }

    /// The operand that it writes, if it writes one: the first, but of what has none to write.
    pub(super) fn written(&self) -> Option<&'t str> {
        const NONE: [&str; 22] = [
            "st",
            "red",
            "bar",
            "barrier",
            "membar",
            "fence",
            "bra",
            "call",
            "ret",
            "exit",
            "trap",
            "brkpt",
            "prefetch",
            "prefetchu",
            "nanosleep",
            "cp",
            "discard",
            "applypriority",
            "pmevent",
            "griddepcontrol",
            "stmatrix",
            "wmma",
        ];
        let loads = self.name() == "wmma" && !self.has("store") || self.name() == "barrier" && self.has("red");
        if self.opcode.starts_with('.') || NONE.contains(&self.name()) && !loads && self.opcode != "bar.red" {
            return None;
        }
        self.operands.first().copied().filter(|o| !o.starts_with('['))
    }

    /// The operands that it reads. What is in brackets is read even where memory is written.
    pub(super) fn read(&self) -> impl Iterator<Item = &'t str> + '_ {
        let skip = usize::from(self.written().is_some());
        self.guard.into_iter().chain(self.operands.iter().skip(skip).copied())
    }
}

/// The numbers of the operands that stand in a piece of text: `{%0, %1}`.
pub(super) fn numbers(text: &str) -> impl Iterator<Item = usize> + '_ {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let at = rest.find('%')?;
            let escaped = rest[at + 1..].starts_with('%');
            rest = &rest[at + 1 + usize::from(escaped)..];
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            if !escaped && digits > 0 {
                let n = rest[..digits].parse().ok();
                rest = &rest[digits..];
                if n.is_some() {
                    return n;
                }
            }
        }
    })
}

/// The words in a piece of text: names of registers, of labels, of symbols.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%'))).filter(|w| !w.is_empty())
}

/// A text without its comments, which become spaces.
pub(super) fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('/') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let end = if from.starts_with("//") {
            from.find('\n').unwrap_or(from.len())
        } else if from.starts_with("/*") {
            from.find("*/").map_or(from.len(), |e| e + 2)
        } else {
            out.push('/');
            rest = &from[1..];
            continue;
        };
        out.push(' ');
        rest = &from[end..];
    }
    out.push_str(rest);
    out
}

/// The statements of a text without comments.
pub(super) fn statements(text: &str) -> Vec<Statement<'_>> {
    let mut out = Vec::new();
    let (mut depth, mut start, mut inner) = (0u32, 0, 0u32);
    let bytes = text.as_bytes();
    for (i, &b) in bytes.iter().enumerate() {
        match b {
            b';' => {
                out.extend(statement(&text[start..i], depth, true));
                start = i + 1;
            }
            // Braces of a block stand where a statement could; others are vectors.
            b'{' if text[start..i].trim().is_empty() || ends_with_label(&text[start..i]) => {
                depth += 1;
                start = i + 1;
            }
            b'{' => inner += 1,
            b'}' if inner > 0 => inner -= 1,
            b'}' => {
                out.extend(statement(&text[start..i], depth, false));
                depth = depth.saturating_sub(1);
                start = i + 1;
            }
            _ => {}
        }
        if out.len() >= MAX_STATEMENTS {
            return out;
        }
    }
    out.extend(statement(&text[start..], depth, false));
    out
}

fn ends_with_label(text: &str) -> bool {
    text.trim_end().ends_with(':')
}

fn statement(text: &str, depth: u32, ends: bool) -> Option<Statement<'_>> {
    let mut rest = text.trim();
    // Labels before it.
    while let Some((label, after)) = rest.split_once(':') {
        if after.starts_with(':') || words(label).count() != 1 || label.contains(char::is_whitespace) {
            break;
        }
        rest = after.trim_start();
    }
    let guard = rest.strip_prefix('@').map(|r| r.split(char::is_whitespace).next().unwrap_or_default());
    if let Some(g) = guard {
        rest = rest[1 + g.len()..].trim_start();
    }
    if rest.is_empty() {
        return None;
    }
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let (opcode, list) = rest.split_at(end);
    Some(Statement { guard, opcode, operands: operands(list), depth, ends })
}

/// What stands between the commas outside of brackets.
fn operands(list: &str) -> Vec<&str> {
    let (mut out, mut depth, mut start) = (Vec::new(), 0i32, 0);
    for (i, b) in list.bytes().enumerate() {
        match b {
            b'[' | b'{' | b'(' => depth += 1,
            b']' | b'}' | b')' => depth -= 1,
            b',' if depth <= 0 => {
                out.push(list[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    let last = list[start..].trim();
    if !last.is_empty() {
        out.push(last);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_with_guards_labels_vectors_and_blocks() {
        let text = "{ .reg .pred p; L1: @!p ld.shared.v2.b32 {%0, %1}, [%2+4]; }\n\tst.global.b32 [%3], %%tid.x";
        let all = statements(text);
        assert_eq!(all.len(), 3);
        assert_eq!((all[0].opcode, &all[0].operands[..], all[0].depth), (".reg", &[".pred p"][..], 1));
        assert_eq!((all[1].guard, all[1].opcode), (Some("!p"), "ld.shared.v2.b32"));
        assert_eq!(all[1].operands, ["{%0, %1}", "[%2+4]"]);
        assert!(all[1].has("shared") && !all[1].has("global"));
        assert_eq!((all[2].depth, all[2].written()), (0, None));
        assert_eq!(all.iter().map(|s| s.ends).collect::<Vec<_>>(), [true, true, false]);
        assert_eq!(numbers("{%0, %12}, %%1, %tid").collect::<Vec<_>>(), [0, 12]);
    }

    #[test]
    fn comments_are_spaces_and_broken_texts_end() {
        assert_eq!(without_comments("a/*b*/c // d\ne / f /* g"), "a c  \ne / f  ");
        for text in ["", ";;;", "{{{", "}}}", "@", "@p", ":", "a:b:c", "add %0,,", "%", "{%", "[", ".reg"] {
            let _ = statements(&without_comments(text));
        }
    }
}
