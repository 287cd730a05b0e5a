//! The parser: directives, functions, statements. Instructions and operands are in [`inst`], variables in [`vars`].

mod inst;
mod vars;

use crate::ast::{Function, Linkage, Name, Prototype, Statement, Text};
use crate::error::{Outcome, PtxError};
use crate::lex::{Tok, Token};
use source::Span;

/// Deepest nesting of braces and parentheses.
pub(crate) const MAX_DEPTH: usize = 64;

/// A text being parsed.
pub(crate) struct Parser<'a, 't> {
    tokens: &'t [Token<'a>],
    at: usize,
    places: Vec<(u32, [u32; 3])>,
}

/// Parses a module.
pub(crate) fn module<'a>(tokens: &[Token<'a>]) -> Outcome<Text<'a>> {
    let mut p = Parser { tokens, at: 0, places: Vec::new() };
    let mut text = Text::default();
    while p.peek() != Tok::End {
        p.directive(&mut text)?;
    }
    text.places = p.places;
    Ok(text)
}

/// Parses the statements of inline assembly.
pub(crate) fn statements<'a>(tokens: &[Token<'a>]) -> Outcome<Vec<Statement<'a>>> {
    let mut p = Parser { tokens, at: 0, places: Vec::new() };
    let mut out = Vec::new();
    let mut depth = 0;
    while p.peek() != Tok::End {
        p.statement(&mut out, &mut depth)?;
    }
    match depth {
        0 => Ok(out),
        _ => Err(p.unexpected("`}`")),
    }
}

impl<'a> Parser<'a, '_> {
    fn peek(&self) -> Tok<'a> {
        self.tokens[self.at].tok
    }

    fn peek_at(&self, ahead: usize) -> Tok<'a> {
        self.tokens.get(self.at + ahead).map_or(Tok::End, |t| t.tok)
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The place of the token before.
    fn before(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn next(&mut self) -> Tok<'a> {
        let t = self.peek();
        if t != Tok::End {
            self.at += 1;
        }
        t
    }

    fn eat(&mut self, c: char) -> bool {
        let yes = self.peek() == Tok::Punct(c);
        self.at += usize::from(yes);
        yes
    }

    fn eat_dot(&mut self, word: &str) -> bool {
        let yes = self.peek() == Tok::Dot(word);
        self.at += usize::from(yes);
        yes
    }

    fn unexpected(&self, wanted: &str) -> PtxError {
        let found = match self.peek() {
            Tok::End => "the end of the text".to_owned(),
            Tok::Word(w) => format!("`{w}`"),
            Tok::Dot(w) => format!("`.{w}`"),
            Tok::Punct(c) => format!("`{c}`"),
            Tok::Int(_) | Tok::F32(_) | Tok::F64(_) => "a number".to_owned(),
            Tok::Str(_) => "a string".to_owned(),
        };
        PtxError::syntax(self.span(), format!("expected {wanted}, found {found}"))
    }

    fn expect(&mut self, c: char) -> Outcome<()> {
        if self.eat(c) { Ok(()) } else { Err(self.unexpected(&format!("`{c}`"))) }
    }

    fn name(&mut self, what: &str) -> Outcome<Name<'a>> {
        match self.peek() {
            Tok::Word(text) => {
                let span = self.span();
                self.at += 1;
                Ok(Name { text, span })
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// An integer of 32 bits.
    fn number(&mut self, what: &str) -> Outcome<u32> {
        match self.peek() {
            Tok::Int(n) => match u32::try_from(n) {
                Ok(n) => {
                    self.at += 1;
                    Ok(n)
                }
                Err(_) => Err(PtxError::limit(self.span(), format!("{n} is too large for {what}"))),
            },
            _ => Err(self.unexpected(what)),
        }
    }

    // ---- module level ---------------------------------------------------------------------------------------------

    fn directive(&mut self, text: &mut Text<'a>) -> Outcome<()> {
        let Tok::Dot(word) = self.peek() else { return Err(self.unexpected("a directive such as `.version`")) };
        match word {
            "version" => {
                self.at += 1;
                text.version = match self.next() {
                    // Written with a dot, it looks like a decimal number.
                    Tok::F64(bits) => {
                        let tenths = (f64::from_bits(bits) * 10.0).round();
                        ((tenths / 10.0) as u32, tenths as u32 % 10)
                    }
                    Tok::Int(n) => (u32::try_from(n).unwrap_or(u32::MAX), 0),
                    _ => return Err(PtxError::syntax(self.before(), "expected a version such as 8.0")),
                };
                Ok(())
            }
            "target" => {
                self.at += 1;
                text.target = self.name("an architecture such as sm_80")?.text;
                while self.eat(',') {
                    self.name("an option of the target")?;
                }
                Ok(())
            }
            "address_size" => {
                self.at += 1;
                let n = self.number("an address size")?;
                if n == 64 {
                    return Ok(());
                }
                Err(PtxError::unsupported(self.before(), format!("addresses of {n} bits"))
                    .help("compile for 64-bit addresses"))
            }
            "file" => self.file(text),
            "section" => self.section(),
            "pragma" => {
                self.at += 1;
                self.skip_to_semicolon()
            }
            "alias" => {
                Err(PtxError::unsupported(self.span(), "`.alias` is not covered")
                    .help("call the function by its own name"))
            }
            _ => self.linked(text),
        }
    }

    /// `.file number "name" [, time, size]`
    fn file(&mut self, text: &mut Text<'a>) -> Outcome<()> {
        self.at += 1;
        let n = self.number("the number of a file")?;
        let Tok::Str(name) = self.next() else { return Err(PtxError::syntax(self.before(), "expected a file's name")) };
        text.files.push((n, name));
        while self.eat(',') {
            self.next();
        }
        Ok(())
    }

    /// `.section .debug_info { … }`: bytes for debuggers.
    fn section(&mut self) -> Outcome<()> {
        while !matches!(self.peek(), Tok::Punct('{') | Tok::End) {
            self.at += 1;
        }
        self.expect('{')?;
        loop {
            match self.peek() {
                Tok::End => return Err(self.unexpected("`}`")),
                Tok::Punct('}') => {
                    self.at += 1;
                    return Ok(());
                }
                _ => self.at += 1,
            }
        }
    }

    fn skip_to_semicolon(&mut self) -> Outcome<()> {
        while !matches!(self.peek(), Tok::Punct(';') | Tok::End) {
            self.at += 1;
        }
        self.expect(';')
    }

    /// A variable or function, after its linkage.
    fn linked(&mut self, text: &mut Text<'a>) -> Outcome<()> {
        let linkage = self.linkage();
        match self.peek() {
            Tok::Dot("entry" | "func") => {
                let f = self.function(linkage)?;
                text.functions.push(f);
                Ok(())
            }
            Tok::Dot(_) => self.variables(linkage, &mut |v| text.variables.push(v)),
            _ => Err(self.unexpected("a variable or function")),
        }
    }

    fn linkage(&mut self) -> Linkage {
        let mut linkage = Linkage::Internal;
        loop {
            linkage = match self.peek() {
                Tok::Dot("visible") => Linkage::Visible,
                Tok::Dot("weak" | "common") => Linkage::Weak,
                Tok::Dot("extern") => Linkage::Extern,
                _ => return linkage,
            };
            self.at += 1;
        }
    }

    fn function(&mut self, linkage: Linkage) -> Outcome<Function<'a>> {
        let kernel = self.peek() == Tok::Dot("entry");
        self.at += 1;
        let mut noreturn = self.eat_dot("noreturn");
        let results = if self.peek() == Tok::Punct('(') { self.params()? } else { Vec::new() };
        let name = self.name("a function's name")?;
        let params = if self.peek() == Tok::Punct('(') { self.params()? } else { Vec::new() };
        let mut bounds = Vec::new();
        while let Tok::Dot(word) = self.peek() {
            self.at += 1;
            match word {
                "noreturn" => noreturn = true,
                "pragma" => self.skip_to_semicolon()?,
                _ => {
                    let mut numbers = Vec::new();
                    while let Tok::Int(_) = self.peek() {
                        numbers.push(self.number(word)?);
                        self.eat(',');
                    }
                    bounds.push((word, numbers));
                }
            }
        }
        self.places.push((name.span.lo, [0; 3]));
        let body = if self.eat(';') { None } else { Some(self.body()?) };
        Ok(Function { name, kernel, linkage, noreturn, results, params, bounds, body })
    }

    fn params(&mut self) -> Outcome<Vec<crate::ast::Variable<'a>>> {
        let mut out = Vec::new();
        self.expect('(')?;
        while !self.eat(')') {
            if !out.is_empty() {
                self.expect(',')?;
            }
            let v = self.variable(Linkage::Internal)?;
            out.push(v);
        }
        Ok(out)
    }

    // ---- bodies ---------------------------------------------------------------------------------------------------

    fn body(&mut self) -> Outcome<Vec<Statement<'a>>> {
        self.expect('{')?;
        let mut out = Vec::new();
        let mut depth = 1;
        while depth > 0 {
            if self.peek() == Tok::End {
                return Err(self.unexpected("`}`"));
            }
            self.statement(&mut out, &mut depth)?;
        }
        // The function's own brace opens no scope.
        out.pop();
        Ok(out)
    }

    fn statement(&mut self, out: &mut Vec<Statement<'a>>, depth: &mut usize) -> Outcome<()> {
        match self.peek() {
            Tok::Punct('{') => {
                if *depth >= MAX_DEPTH {
                    return Err(PtxError::limit(self.span(), format!("braces are nested deeper than {MAX_DEPTH}")));
                }
                *depth += 1;
                self.at += 1;
                out.push(Statement::Open);
            }
            Tok::Punct('}') => {
                if *depth == 0 {
                    return Err(self.unexpected("an instruction"));
                }
                *depth -= 1;
                self.at += 1;
                out.push(Statement::Close);
            }
            Tok::Punct(';') => self.at += 1,
            Tok::Dot(word) => self.body_directive(word, out)?,
            Tok::Word(_) if self.peek_at(1) == Tok::Punct(':') => {
                let name = self.name("a label")?;
                self.at += 1;
                match self.peek() {
                    Tok::Dot("branchtargets") => {
                        self.at += 1;
                        let list = self.names("a label")?;
                        out.push(Statement::Targets(name, list));
                    }
                    Tok::Dot("calltargets") => {
                        self.at += 1;
                        let list = self.names("a function")?;
                        out.push(Statement::Callees(name, list));
                    }
                    Tok::Dot("callprototype") => {
                        self.at += 1;
                        let p = self.prototype()?;
                        out.push(Statement::Prototype(name, p));
                    }
                    _ => out.push(Statement::Label(name)),
                }
            }
            Tok::Word(_) | Tok::Punct('@') => out.push(Statement::Instruction(self.instruction()?)),
            _ => return Err(self.unexpected("an instruction")),
        }
        Ok(())
    }

    /// Names up to a semicolon.
    fn names(&mut self, what: &str) -> Outcome<Vec<Name<'a>>> {
        let mut list = vec![self.name(what)?];
        while self.eat(',') {
            list.push(self.name(what)?);
        }
        self.expect(';')?;
        Ok(list)
    }

    /// `(.param .b32 _) _ (.param .b64 _) .noreturn;`
    fn prototype(&mut self) -> Outcome<Prototype<'a>> {
        let results = if self.peek() == Tok::Punct('(') { self.params()? } else { Vec::new() };
        if let Tok::Word(_) = self.peek() {
            self.at += 1;
        }
        let params = if self.peek() == Tok::Punct('(') { self.params()? } else { Vec::new() };
        let mut noreturn = false;
        while let Tok::Dot(word) = self.peek() {
            self.at += 1;
            match word {
                "noreturn" => noreturn = true,
                // Sizes of calling conventions.
                "abi_preserve" | "abi_preserve_control" => {
                    self.number(word)?;
                }
                _ => return Err(PtxError::unsupported(self.before(), format!("`.{word}` is not understood here"))),
            }
        }
        self.expect(';')?;
        Ok(Prototype { noreturn, results, params })
    }

    fn body_directive(&mut self, word: &'a str, out: &mut Vec<Statement<'a>>) -> Outcome<()> {
        match word {
            "loc" => {
                self.at += 1;
                let mut n = [0; 3];
                for (k, slot) in n.iter_mut().enumerate() {
                    if k == 2 && !matches!(self.peek(), Tok::Int(_)) {
                        break;
                    }
                    *slot = self.number("a file, a line and a column")?;
                }
                // `, function_name label+4, inlined_at file line column`
                while self.eat(',') {
                    if self.name("`function_name` or `inlined_at`")?.text == "function_name" {
                        self.name("a label")?;
                        self.offset()?;
                    } else {
                        for _ in 0..3 {
                            self.number("a file, a line and a column")?;
                        }
                    }
                }
                self.places.push((self.before().hi, n));
                Ok(())
            }
            "pragma" => {
                self.at += 1;
                loop {
                    match self.next() {
                        Tok::Str("nounroll") => out.push(Statement::NoUnroll),
                        Tok::Str(_) => {}
                        _ => return Err(PtxError::syntax(self.before(), "expected a pragma in quotes")),
                    }
                    if !self.eat(',') {
                        return self.expect(';');
                    }
                }
            }
            _ => {
                let linkage = self.linkage();
                self.variables(linkage, &mut |v| out.push(Statement::Variable(v)))
            }
        }
    }
}
