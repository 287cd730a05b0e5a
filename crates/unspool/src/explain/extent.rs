//! How far a loop reaches in its source: from its keyword to the end of its body.
//!
//! Loops are known by their keyword; for marking their lines, the text after it is skimmed for the end of the statement,
//! past comments, literals and brackets. Where macros hide the shape, the answer may be short or long by some lines;
//! nothing but what is marked depends on it. Nesting is bounded by [`MAX_DEPTH`], the work by the caller's budget.

/// Statements in statements that are followed.
const MAX_DEPTH: u32 = 100;

/// The end of the statement that begins at byte `at`; `at` itself where none can be made out. What is skimmed is taken
/// from `budget`.
pub(crate) fn statement_end(text: &str, at: usize, budget: &mut usize) -> usize {
    let mut s = Skimmer { text: text.as_bytes(), pos: at, budget };
    match s.statement(0) {
        Some(()) => s.pos.min(text.len()),
        None => at,
    }
}

struct Skimmer<'a> {
    text: &'a [u8],
    pos: usize,
    budget: &'a mut usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'a> {
    Word(&'a [u8]),
    Mark(u8),
}

impl<'a> Skimmer<'a> {
    /// Takes the next token; none at the end of the text or of the budget.
    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let c = *self.text.get(self.pos)?;
            *self.budget = self.budget.checked_sub(1)?;
            match c {
                b'/' if self.at(1) == Some(b'/') => self.skip_line(),
                b'/' if self.at(1) == Some(b'*') => self.skip_past(b"*/"),
                b'#' => self.skip_line(),
                b'"' | b'\'' => self.skip_literal(c),
                c if c.is_ascii_whitespace() => self.pos += 1,
                c if c == b'_' || c.is_ascii_alphanumeric() => {
                    let word = |c: &u8| !(*c == b'_' || c.is_ascii_alphanumeric());
                    let rest = &self.text[self.pos..];
                    let len = rest.iter().position(word).unwrap_or(rest.len());
                    self.pos += len;
                    *self.budget = self.budget.saturating_sub(len);
                    return Some(Token::Word(&rest[..len]));
                }
                c => {
                    self.pos += 1;
                    return Some(Token::Mark(c));
                }
            }
        }
    }

    fn at(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.pos + ahead).copied()
    }

    fn peek(&mut self) -> Option<Token<'a>> {
        let from = self.pos;
        let t = self.next();
        self.pos = from;
        t
    }

    fn spend(&mut self, from: usize) {
        *self.budget = self.budget.saturating_sub(self.pos - from);
    }

    /// To the end of the line; a backslash goes on with the next one.
    fn skip_line(&mut self) {
        let from = self.pos;
        while let Some(c) = self.at(0) {
            self.pos += if c == b'\\' { 2 } else { 1 };
            if c == b'\n' {
                break;
            }
        }
        self.pos = self.pos.min(self.text.len());
        self.spend(from);
    }

    fn skip_past(&mut self, end: &[u8]) {
        let from = self.pos;
        let found = self.text[self.pos + 2..].windows(end.len()).position(|w| w == end);
        self.pos = found.map_or(self.text.len(), |n| self.pos + 2 + n + end.len());
        self.spend(from);
    }

    fn skip_literal(&mut self, quote: u8) {
        let from = self.pos;
        self.pos += 1;
        while let Some(c) = self.at(0) {
            self.pos += if c == b'\\' { 2 } else { 1 };
            if c == quote || c == b'\n' {
                break;
            }
        }
        self.pos = self.pos.min(self.text.len());
        self.spend(from);
    }

    /// Past the bracket that closes the one just taken.
    fn brackets(&mut self) -> Option<()> {
        let mut open = 1u32;
        while open > 0 {
            match self.next()? {
                Token::Mark(b'(' | b'[' | b'{') => open += 1,
                Token::Mark(b')' | b']' | b'}') => open -= 1,
                _ => {}
            }
        }
        Some(())
    }

    /// Past a parenthesised group, if one stands here.
    fn group(&mut self) -> Option<()> {
        if self.peek()? == Token::Mark(b'(') {
            self.next()?;
            self.brackets()?;
        }
        Some(())
    }

    fn statement(&mut self, depth: u32) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        match self.next()? {
            Token::Mark(b'{') => self.brackets(),
            Token::Mark(b';') => Some(()),
            Token::Word(b"for" | b"while" | b"switch") => {
                self.group()?;
                self.statement(depth + 1)
            }
            Token::Word(b"if") => {
                self.group()?;
                self.statement(depth + 1)?;
                if self.peek() == Some(Token::Word(b"else")) {
                    self.next()?;
                    self.statement(depth + 1)?;
                }
                Some(())
            }
            Token::Word(b"do") => {
                self.statement(depth + 1)?;
                self.next()?;
                self.group()?;
                self.expression()
            }
            // Attributes before a statement.
            Token::Mark(b'[') => {
                self.brackets()?;
                self.statement(depth + 1)
            }
            Token::Word(b"__attribute__" | b"_Pragma") => {
                self.group()?;
                self.statement(depth + 1)
            }
            Token::Mark(b'(') => {
                self.brackets()?;
                self.expression()
            }
            _ => self.expression(),
        }
    }

    /// Past the next semicolon outside of brackets.
    fn expression(&mut self) -> Option<()> {
        loop {
            match self.next()? {
                Token::Mark(b';') => return Some(()),
                Token::Mark(b'(' | b'[' | b'{') => self.brackets()?,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::statement_end;

    fn reach(text: &str) -> &str {
        &text[..statement_end(text, 0, &mut 10_000)]
    }

    #[test]
    fn statements_end_where_their_body_does() {
        assert_eq!(reach("for (;;) a[i] = 1; b();"), "for (;;) a[i] = 1;");
        assert_eq!(reach("for (int i = 0; i < n; i++) { a; { b; } } c;"), "for (int i = 0; i < n; i++) { a; { b; } }");
        assert_eq!(reach("while (x) if (y) a; else for (;;) b; c;"), "while (x) if (y) a; else for (;;) b;");
        assert_eq!(reach("do { a; } while (x); c;"), "do { a; } while (x);");
        assert_eq!(reach("do a; while (x); c;"), "do a; while (x);");
        assert_eq!(reach("for (;;) [[likely]] x = y; z"), "for (;;) [[likely]] x = y;");
        assert_eq!(
            reach("for (;;)\n#pragma unroll 4 }\n  while (x) { } y"),
            "for (;;)\n#pragma unroll 4 }\n  while (x) { }"
        );
    }

    #[test]
    fn brackets_in_comments_and_literals_do_not_count() {
        assert_eq!(
            reach("for (;;) { /* } */ s = \"}\\\"}\"; c = '}'; // }\n } x"),
            "for (;;) { /* } */ s = \"}\\\"}\"; c = '}'; // }\n }"
        );
    }

    #[test]
    fn unfinished_deep_and_long_text_has_no_reach() {
        assert_eq!(reach("for (;;) {"), "");
        assert_eq!(reach("for (;;"), "");
        assert_eq!(reach("for (;;) /* "), "");
        assert_eq!(reach("for (;;) \"abc\\"), "");
        assert_eq!(reach(&"for(;;)".repeat(1000)), "");
        let mut budget = 5;
        assert_eq!(statement_end("for (;;) { }", 0, &mut budget), 0);
    }
}
