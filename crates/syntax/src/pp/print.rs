//! The text of a token stream, as `-E` prints it.

use super::TokenStream;
use crate::lex::{Rules, scan};
use crate::{Dialect, Token, TokenFlags, TokenKind as K};
use source::{FileId, Session};
use std::fmt::Write;

/// Blank lines printed to keep the numbering before a line marker takes over.
const MAX_BLANK: u32 = 8;

/// Writes tokens so that reading them again gives the same tokens, at the same lines.
struct Printer<'a> {
    session: &'a Session,
    dialect: Dialect,
    markers: bool,
    out: String,
    /// The file and the line that the output stands in.
    file: Option<FileId>,
    name: String,
    line: u32,
    /// Start, in the output, of the last token printed on this line.
    last: Option<(usize, K)>,
}

/// The preprocessed program as text; `line_markers` puts in `# 3 "file"` where the line or the file jumps.
pub fn print_preprocessed(session: &Session, dialect: Dialect, tokens: &TokenStream, line_markers: bool) -> String {
    let mut p = Printer {
        session,
        dialect,
        markers: line_markers,
        out: String::with_capacity(tokens.len() * 4),
        file: None,
        name: String::new(),
        line: 1,
        last: None,
    };
    let mut in_pragma = false;
    for t in tokens.iter() {
        match t.kind {
            K::Eof => {}
            K::Pragma => {
                p.new_line_at(t);
                p.fresh_line();
                p.out.push_str("#pragma");
                p.last = Some((p.out.len() - 6, K::Ident));
                in_pragma = true;
            }
            K::EndPragma => {
                in_pragma = false;
                p.break_line();
            }
            _ => {
                if !in_pragma {
                    p.new_line_at(t);
                }
                p.token(t, in_pragma);
            }
        }
    }
    p.fresh_line();
    p.out
}

impl Printer<'_> {
    fn break_line(&mut self) {
        self.out.push('\n');
        self.line += 1;
        self.last = None;
    }

    fn fresh_line(&mut self) {
        if self.last.is_some() {
            self.break_line();
        }
    }

    /// Goes to the line that the token stands in, as the user counts.
    fn new_line_at(&mut self, t: &Token) {
        let sources = &self.session.sources;
        let pos = sources.call_site(t.span).lo;
        let inside = self.last.is_some() && !t.flags.has(TokenFlags::START_OF_LINE);
        if inside && self.file.is_some() && self.file == sources.file_at(pos) {
            return;
        }
        let Some((name, at)) = sources.presumed(pos) else { return };
        let file = sources.file_at(pos);
        let same = self.file == file && self.name == name;
        if same && at.line == self.line && !self.out.is_empty() {
            return;
        }
        if same && at.line >= self.line && at.line - self.line <= MAX_BLANK {
            while self.line < at.line {
                self.break_line();
            }
            return;
        }
        self.fresh_line();
        if self.markers {
            let flag = match self.file {
                None => "",
                Some(old) if file > Some(old) => " 1",
                Some(_) if !same => " 2",
                Some(_) => "",
            };
            let quoted = name.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(self.out, "# {} \"{quoted}\"{flag}", at.line);
        }
        self.file = file;
        name.clone_into(&mut self.name);
        self.line = at.line;
    }

    fn token(&mut self, t: &Token, in_pragma: bool) {
        let text = t.text(&self.session.strings);
        match self.last {
            Some((start, kind)) if t.has_space_before() || self.would_join(start, kind, text) => self.out.push(' '),
            Some(_) => {}
            None if t.flags.has(TokenFlags::START_OF_LINE) && !in_pragma => self.indent(t),
            None => {}
        }
        // A `#` that begins a line would be read as a directive.
        if self.last.is_none() && t.kind == K::Hash {
            self.out.push(' ');
        }
        self.last = Some((self.out.len(), t.kind));
        self.out.push_str(text);
        // Raw strings may have lines in them.
        if t.kind == K::String {
            self.line += text.bytes().filter(|&b| b == b'\n').count() as u32;
        }
    }

    /// Keeps the column of a line's first token.
    fn indent(&mut self, t: &Token) {
        let pos = self.session.sources.call_site(t.span).lo;
        if let Some((_, at)) = self.session.sources.line_col(pos) {
            for _ in 1..at.col.min(80) {
                self.out.push(' ');
            }
        }
    }

    /// Whether two tokens without a space between would be read as something else.
    fn would_join(&self, start: usize, kind: K, text: &str) -> bool {
        // Two points alone do not join, but a third would join them.
        if kind == K::Dot && text.starts_with('.') {
            return true;
        }
        let previous = &self.out[start..];
        if matches!(kind, K::LParen | K::Comma | K::Semi | K::String) && !text.starts_with('"') {
            return false;
        }
        let joined: String = previous.chars().chain(text.chars().take(3)).collect();
        let comment = joined[previous.len() - 1..].starts_with("//") || joined[previous.len() - 1..].starts_with("/*");
        let s = scan(joined.as_bytes(), 0, Rules::of(self.dialect));
        comment || s.spliced || s.end != previous.len()
    }
}
