//! Tokens of the text form.

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tok<'t> {
    /// Letters, digits, `_`, `.`, and for types `<`…`>`: opcodes, types, `block3`, `v4`.
    Word(&'t str),
    /// A decimal or hexadecimal integer, with sign.
    Number(i128),
    /// The rest of a constant after `type:`: raw characters up to a delimiter.
    Str(String),
    /// `@name` or `@"name"`.
    Symbol(String),
    /// Anything else.
    Punct(char),
    /// End of the text.
    End,
    /// Something unreadable.
    Error(String),
}

/// A one-token look-ahead lexer.
pub(crate) struct Lexer<'t> {
    text: &'t str,
    pos: usize,
    peeked: Option<Tok<'t>>,
    /// Start of the token last looked at.
    start: usize,
    /// Whether the token last looked at starts a line.
    newline: bool,
}

impl<'t> Lexer<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, pos: 0, peeked: None, start: 0, newline: true }
    }

    /// Line and column of the token last looked at.
    pub(crate) fn place(&self) -> (u32, u32) {
        let before = &self.text[..self.start.min(self.text.len())];
        let line = before.bytes().filter(|&b| b == b'\n').count() as u32 + 1;
        let col = before.len() - before.rfind('\n').map_or(0, |i| i + 1) + 1;
        (line, col as u32)
    }

    pub(crate) fn peek(&mut self) -> &Tok<'t> {
        if self.peeked.is_none() {
            let t = self.scan();
            self.peeked = Some(t);
        }
        self.peeked.as_ref().unwrap_or(&Tok::End)
    }

    pub(crate) fn next_tok(&mut self) -> Tok<'t> {
        match self.peeked.take() {
            Some(t) => t,
            None => self.scan(),
        }
    }

    /// Whether the next token starts a line.
    pub(crate) fn at_line_start(&mut self) -> bool {
        self.peek();
        self.newline
    }

    /// What is wrong with the token looked at, if it is unreadable.
    pub(crate) fn error(&self) -> Option<&str> {
        if let Some(Tok::Error(e)) = &self.peeked { Some(e) } else { None }
    }

    /// The raw characters of a constant after `type:`, up to white space or a delimiter.
    pub(crate) fn raw(&mut self) -> &'t str {
        debug_assert!(self.peeked.is_none(), "raw text after a look-ahead");
        self.start = self.pos;
        let rest = &self.text[self.pos..];
        let end = rest.find(|c: char| c.is_whitespace() || ",()[]{}".contains(c)).unwrap_or(rest.len());
        self.pos += end;
        &rest[..end]
    }

    /// Whether a `:` follows at once, which is then skipped. Only without a look-ahead.
    pub(crate) fn colon_follows(&mut self) -> bool {
        let found = self.peeked.is_none() && self.text[self.pos..].starts_with(':');
        if found {
            self.pos += 1;
        }
        found
    }

    fn skip_space(&mut self) {
        loop {
            let rest = &self.text[self.pos..];
            self.pos += rest.len() - rest.trim_start().len();
            if !self.text[self.pos..].starts_with(';') {
                return;
            }
            // A comment to the end of the line.
            let rest = &self.text[self.pos..];
            self.pos += rest.find('\n').unwrap_or(rest.len());
        }
    }

    fn scan(&mut self) -> Tok<'t> {
        let from = self.pos;
        self.skip_space();
        self.newline = from == 0 || self.text[from..self.pos].contains('\n');
        self.start = self.pos;
        let rest = &self.text[self.pos..];
        let Some(c) = rest.chars().next() else { return Tok::End };
        if c.is_ascii_digit() || (c == '-' && rest[1..].starts_with(|d: char| d.is_ascii_digit())) {
            return self.scan_number(rest);
        }
        if c.is_ascii_alphabetic() || c == '_' {
            let mut end = word_end(rest);
            // `ptr<global>x4`
            if rest[..end] == *"ptr"
                && rest[end..].starts_with('<')
                && let Some(close) = rest.find('>')
            {
                end = close + 1;
                end += word_end(&rest[end..]);
            }
            self.pos += end;
            return Tok::Word(&rest[..end]);
        }
        self.pos += c.len_utf8();
        match c {
            '"' => self.scan_string().map_or_else(Tok::Error, Tok::Str),
            '@' if self.text[self.pos..].starts_with('"') => {
                self.pos += 1;
                self.scan_string().map_or_else(Tok::Error, Tok::Symbol)
            }
            '@' => {
                let rest = &self.text[self.pos..];
                let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "_$.".contains(c))).unwrap_or(rest.len());
                self.pos += end;
                Tok::Symbol(rest[..end].to_owned())
            }
            c => Tok::Punct(c),
        }
    }

    fn scan_number(&mut self, rest: &'t str) -> Tok<'t> {
        let (sign, digits) = match rest.strip_prefix('-') {
            Some(d) => (-1, d),
            None => (1, rest),
        };
        let end = digits.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(digits.len());
        self.pos += rest.len() - digits.len() + end;
        let word = &digits[..end];
        let n = match word.strip_prefix("0x") {
            Some(hex) => i128::from_str_radix(hex, 16),
            None => word.parse::<i128>(),
        };
        match n {
            Ok(n) => Tok::Number(sign * n),
            Err(_) => Tok::Error(format!("`{word}` is no integer")),
        }
    }

    /// After the opening quote.
    fn scan_string(&mut self) -> Result<String, String> {
        let bytes = self.text.as_bytes();
        let mut out: Vec<u8> = Vec::new();
        while let Some(&b) = bytes.get(self.pos) {
            self.pos += 1;
            match b {
                b'"' => return String::from_utf8(out).map_err(|_| "escapes make no UTF-8".to_owned()),
                b'\\' => {
                    let hex = self.text.get(self.pos..self.pos + 2).and_then(|h| u8::from_str_radix(h, 16).ok());
                    let Some(h) = hex else { return Err("`\\` must be followed by two hexadecimal digits".to_owned()) };
                    out.push(h);
                    self.pos += 2;
                }
                b'\n' => break,
                b => out.push(b),
            }
        }
        Err("string without end".to_owned())
    }
}

fn word_end(s: &str) -> usize {
    s.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.')).unwrap_or(s.len())
}
