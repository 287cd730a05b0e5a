//! Texts in encodings older than UTF-8: names and units in comments (`\xe9`, `\xb5`) are no reason to refuse a file.

/// Where a byte stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Code,
    LineComment,
    BlockComment,
    /// Inside a literal that this quote ends.
    Literal(u8),
}

/// Replaces bytes that are not UTF-8 by `?` in comments and literals. Gives the text, and the offset of the first
/// byte replaced in a literal.
///
/// # Errors
/// The offset of the first such byte outside them.
pub(crate) fn recover(mut bytes: Vec<u8>) -> Result<(String, Option<usize>), usize> {
    let (mut state, mut at, mut replaced) = (State::Code, 0, None);
    while at < bytes.len() {
        let from = at;
        let (valid, bad) = match std::str::from_utf8(&bytes[from..]) {
            Ok(_) => (bytes.len(), 0),
            Err(e) => (from + e.valid_up_to(), e.error_len().unwrap_or(bytes.len() - from - e.valid_up_to())),
        };
        // Replaced bytes are plain text to the scan, whatever they were.
        state = scan(&bytes[..valid], from, state);
        if bad > 0 {
            match state {
                State::Code => return Err(valid),
                State::Literal(_) => replaced = replaced.or(Some(valid)),
                State::LineComment | State::BlockComment => {}
            }
            bytes[valid..valid + bad].fill(b'?');
        }
        at = valid + bad;
    }
    String::from_utf8(bytes).map(|text| (text, replaced)).map_err(|e| e.utf8_error().valid_up_to())
}

/// The state after `text[from..]`, which begins in `state`.
fn scan(text: &[u8], from: usize, mut state: State) -> State {
    let mut i = from;
    while let Some(&b) = text.get(i) {
        let next = text.get(i + 1).copied();
        let two = match (state, b) {
            (State::Code, b'/') if next == Some(b'/') => {
                state = State::LineComment;
                true
            }
            (State::Code, b'/') if next == Some(b'*') => {
                state = State::BlockComment;
                true
            }
            (State::Code, b'"') => {
                state = State::Literal(b);
                false
            }
            // In a number it separates digits.
            (State::Code, b'\'') if !(i > 0 && text[i - 1].is_ascii_alphanumeric()) => {
                state = State::Literal(b);
                false
            }
            (State::BlockComment, b'*') if next == Some(b'/') => {
                state = State::Code;
                true
            }
            (State::LineComment, b'\n') | (State::Literal(_), b'\n') => {
                state = State::Code;
                false
            }
            // A backslash before the line's end carries comment and literal on; others protect a quote.
            (State::LineComment | State::Literal(_), b'\\') if next == Some(b'\r') => {
                i += 1;
                true
            }
            (State::LineComment | State::Literal(_), b'\\') => true,
            (State::Literal(q), _) if b == q => {
                state = State::Code;
                false
            }
            _ => false,
        };
        i += 1 + usize::from(two);
    }
    state
}

#[cfg(test)]
mod tests {
    use super::recover;

    #[test]
    fn comments_may_hold_any_bytes() {
        let text = b"// caf\xe9 \\\n more \xe9\nint a; /* \xb5s\n\xb5 */ int b;".to_vec();
        let len = text.len();
        let (text, replaced) = recover(text).expect("only comments");
        assert_eq!(replaced, None);
        assert_eq!(text.len(), len);
        assert!(text.contains("/* ?s\n? */ int b;"));
    }

    #[test]
    fn literals_are_told_of_and_code_is_refused() {
        let text = b"char c = '\\''; printf(\"\\\"5 \xb5s\");".to_vec();
        assert_eq!(recover(text).expect("only literals").1, Some(27));
        assert_eq!(recover(b"int \xe9;".to_vec()), Err(4));
        assert_eq!(recover(b"/* x */ int \xe9;".to_vec()), Err(12));
        assert_eq!(recover(b"int n = 1'000; int \xe9; // '".to_vec()), Err(19));
    }

    #[test]
    fn an_end_cut_short_is_no_end_of_the_world() {
        assert_eq!(recover(b"// \xe2\x82".to_vec()).expect("comment").0, "// ??");
        assert_eq!(recover(b"\xff".to_vec()), Err(0));
    }
}
