//! Colours for a line of source: comments, words of the language, literals, directives.
//!
//! A light-weight scanner: what it gets wrong is a colour. Comments run over lines; their state is kept by
//! [`Highlighter`].

use super::escape;

const WORDS: &[&str] = &[
    "__constant",
    "__constant__",
    "__device__",
    "__forceinline__",
    "__global",
    "__global__",
    "__kernel",
    "__launch_bounds__",
    "__local",
    "__noinline__",
    "__private",
    "__restrict__",
    "__shared__",
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "class",
    "const",
    "constant",
    "constexpr",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "false",
    "float",
    "float2",
    "float4",
    "for",
    "global",
    "goto",
    "half",
    "if",
    "inline",
    "int",
    "int2",
    "int4",
    "kernel",
    "local",
    "long",
    "namespace",
    "private",
    "restrict",
    "return",
    "short",
    "signed",
    "size_t",
    "sizeof",
    "static",
    "struct",
    "switch",
    "template",
    "this",
    "true",
    "typedef",
    "typename",
    "uchar",
    "uint",
    "ulong",
    "union",
    "unsigned",
    "ushort",
    "using",
    "void",
    "volatile",
    "while",
];

/// Scans lines in order.
#[derive(Default)]
pub(super) struct Highlighter {
    in_comment: bool,
}

impl Highlighter {
    /// Appends a line with its colours.
    pub(super) fn line(&mut self, out: &mut String, line: &str) {
        let mut rest = line;
        if !self.in_comment && line.trim_start().starts_with('#') {
            // Up to a comment, the line is a directive.
            let end = [line.find("//"), line.find("/*")].into_iter().flatten().min().unwrap_or(line.len());
            wrap(out, "em", &line[..end]);
            rest = &line[end..];
        }
        while !rest.is_empty() {
            let (tag, len) = self.token(rest);
            let (token, after) = rest.split_at(len);
            match tag {
                Some(tag) => wrap(out, tag, token),
                None => escape::text(out, token),
            }
            rest = after;
        }
    }

    /// The first token's tag and length, which is at least one.
    fn token(&mut self, text: &str) -> (Option<&'static str>, usize) {
        if self.in_comment || text.starts_with("/*") {
            let from = if self.in_comment { 0 } else { 2 };
            let end = text[from..].find("*/").map(|n| from + n + 2);
            self.in_comment = end.is_none();
            return (Some("i"), end.unwrap_or(text.len()));
        }
        if text.starts_with("//") {
            return (Some("i"), text.len());
        }
        // Not empty.
        let c = text.chars().next().unwrap_or(' ');
        if c == '"' || c == '\'' {
            return (Some("u"), literal(text, c));
        }
        let word = |c: char| c == '_' || c.is_alphanumeric();
        if word(c) {
            let number = c.is_ascii_digit();
            let end = text.find(|c: char| !(word(c) || number && c == '.')).unwrap_or(text.len());
            let tag = if number {
                Some("u")
            } else if WORDS.binary_search(&&text[..end]).is_ok() {
                Some("b")
            } else {
                None
            };
            return (tag, end);
        }
        let special = |c: char| word(c) || matches!(c, '"' | '\'' | '/');
        (None, text[c.len_utf8()..].find(special).map_or(text.len(), |n| n + c.len_utf8()))
    }
}

/// Length of a literal, with its quotes as far as they are there.
fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if !escaped && c == quote {
            return at + c.len_utf8();
        }
        escaped = !escaped && c == '\\';
    }
    text.len()
}

fn wrap(out: &mut String, tag: &str, text: &str) {
    out.push('<');
    out.push_str(tag);
    out.push('>');
    escape::text(out, text);
    out.push_str("</");
    out.push_str(tag);
    out.push('>');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(lines: &[&str]) -> String {
        let mut h = Highlighter::default();
        let mut out = String::new();
        for l in lines {
            h.line(&mut out, l);
            out.push('\n');
        }
        out
    }

    #[test]
    fn tokens_have_their_tags() {
        assert!(WORDS.windows(2).all(|w| w[0] < w[1]));
        assert_eq!(
            shown(&["for (x = 1.5f; \"a\\\"<\"; 'b') // <c>", "/* d", "for */ y/z"]),
            "<b>for</b> (x = <u>1.5f</u>; <u>&quot;a\\&quot;&lt;&quot;</u>; <u>&#39;b&#39;</u>) <i>// &lt;c&gt;</i>\n\
             <i>/* d</i>\n<i>for */</i> y/z\n"
        );
        assert_eq!(shown(&["#pragma unroll 4 // x"]), "<em>#pragma unroll 4 </em><i>// x</i>\n");
        assert_eq!(shown(&["\"open \\", "ä€ <", "/"]), "<u>&quot;open \\</u>\nä€ &lt;\n/\n");
    }
}
