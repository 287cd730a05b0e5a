//! Cuts an option string into words, as compilers' drivers do it for `clBuildProgram`.

/// The words of `text`: separated by white space, where `"…"` and `'…'` keep it, and `\` takes the next character as it
/// is (within `'…'` only before a quote or another `\`).
///
/// # Errors
/// A quote that nothing closes: the word that it stands in.
pub(super) fn words(text: &str) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    // The API ends the text with its first NUL.
    let mut chars = text.chars().take_while(|&c| c != '\0').peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some('\''), '\\') if !matches!(chars.peek(), Some('\'' | '\\')) => word.get_or_insert_default().push(c),
            (_, '\\') => word.get_or_insert_default().push(chars.next().unwrap_or('\\')),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => all.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(word.unwrap_or_default());
    }
    all.extend(word);
    Ok(all)
}
