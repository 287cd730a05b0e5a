//! Text of others in a page: nothing in it may act as markup, and nothing may hide.

/// Whether a character changes how its neighbours show, or shows as nothing (as in "Trojan Source").
fn hides(c: char) -> bool {
    matches!(c,
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// What replaces a character in text and attributes; none if it may stand.
fn entity(c: char) -> Option<&'static str> {
    Some(match c {
        '&' => "&amp;",
        '<' => "&lt;",
        '>' => "&gt;",
        '"' => "&quot;",
        '\'' => "&#39;",
        _ => return None,
    })
}

/// Appends `text` as content. Control characters show as their pictures, hidden ones as their number.
pub(super) fn text(out: &mut String, text: &str) {
    for c in text.chars() {
        if let Some(e) = entity(c) {
            out.push_str(e);
        } else if c == '\t' || c == '\n' {
            out.push(c);
        } else if hides(c) {
            out.push_str(&format!("<s>U+{:04X}</s>", c as u32));
        } else {
            out.push(visible(c));
        }
    }
}

/// Appends a sentence: what stands between backticks is code.
pub(super) fn prose(out: &mut String, sentence: &str) {
    let mut parts = sentence.split('`').peekable();
    let mut code = false;
    while let Some(part) = parts.next() {
        // A backtick without a partner is itself.
        let open = code && parts.peek().is_some();
        out.push_str(if open {
            "<code>"
        } else if code {
            "`"
        } else {
            ""
        });
        text(out, part);
        out.push_str(if open { "</code>" } else { "" });
        code = !code;
    }
}

/// Appends `text` as the value of an attribute in double quotes.
pub(super) fn attribute(out: &mut String, text: &str) {
    for c in text.chars() {
        match entity(c) {
            Some(e) => out.push_str(e),
            None if hides(c) => out.push_str(&format!("U+{:04X}", c as u32)),
            None => out.push(visible(c)),
        }
    }
}

/// A control character's picture, anything else as it is.
fn visible(c: char) -> char {
    match c {
        '\0'..='\x1f' => char::from_u32(0x2400 + c as u32).unwrap_or(' '),
        '\x7f' => '\u{2421}',
        '\u{80}'..='\u{9f}' => '\u{fffd}',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(t: &str) -> String {
        let mut out = String::new();
        text(&mut out, t);
        out
    }

    #[test]
    fn backticks_become_code() {
        let shown = |t: &str| {
            let mut out = String::new();
            prose(&mut out, t);
            out
        };
        assert_eq!(
            shown("ask for `#pragma unroll 4`, or `<b>`"),
            "ask for <code>#pragma unroll 4</code>, or <code>&lt;b&gt;</code>"
        );
        assert_eq!(shown("one ` alone"), "one ` alone");
        assert_eq!(shown("`a` and ` alone"), "<code>a</code> and ` alone");
        assert_eq!(shown("plain"), "plain");
    }

    #[test]
    fn markup_and_hidden_characters_show() {
        assert_eq!(
            shown("</script><img onerror='x'>&\"\t"),
            "&lt;/script&gt;&lt;img onerror=&#39;x&#39;&gt;&amp;&quot;\t"
        );
        assert_eq!(shown("a\u{202e}b\u{0}\u{1b}[31m"), "a<s>U+202E</s>b␀␛[31m");
        assert_eq!(shown("ä 𝄞 中"), "ä 𝄞 中");
        let mut out = String::new();
        attribute(&mut out, "\"\u{200b}\n<");
        assert_eq!(out, "&quot;U+200B␊&lt;");
    }
}
