//! A translation unit as the host's preprocessor left it: its text, its tree, and where each line came from.

use crate::index::Index;
use rustc_hash::{FxHashMap, FxHashSet};
use source::{Session, Span, Symbol};
use std::cell::OnceCell;
use std::ops::Range;
use syntax::Dialect;
use syntax::ast::{Ast, DeclId, DeclKind, NameKind, TypeId};
use syntax::pp::{Define, PpOptions, preprocess};

/// Types of GNU C that this front end has no values of. They are read as what is nearest, so that headers can be; code that
/// uses them in a region is refused by [`Unit::foreign_word`].
const STAND_INS: [(&str, &str); 9] = [
    ("_Float32", "float"),
    ("_Float64", "double"),
    ("_Float32x", "double"),
    ("_Float64x", "double"),
    ("_Float128", "double"),
    ("__float128", "double"),
    ("_Decimal32", "float"),
    ("_Decimal64", "double"),
    ("_Decimal128", "double"),
];

/// A preprocessed file.
#[derive(Debug)]
pub(crate) struct Unit {
    /// Sources and what was found wrong with them.
    pub(crate) session: Session,
    /// The tree. Parts that did not parse are missing: the host's compiler is who judges them.
    pub(crate) ast: Ast,
    /// The text, as the preprocessor gave it.
    pub(crate) text: String,
    /// External declarations, in order: their texts with the final `;` or `}`.
    pub(crate) externals: Vec<Range<usize>>,
    /// What is declared at file scope by name: index into [`Unit::externals`]. Tags are `struct x`, `union x`, `enum x`.
    pub(crate) declared: FxHashMap<String, Vec<usize>>,
    /// The external declarations that declare types or enumerators.
    pub(crate) type_declarations: FxHashSet<usize>,
    /// The types that typedefs at file scope name.
    pub(crate) typedefs: FxHashMap<Symbol, TypeId>,
    /// Where the nodes of the tree stand.
    pub(crate) index: Index,
    /// Where each word stands first, lines of the preprocessor and directives left out.
    first_words: OnceCell<FxHashMap<String, usize>>,
    base: u32,
}

impl Unit {
    /// Reads a text.
    pub(crate) fn new(name: &str, text: String) -> Result<Self, source::SourceError> {
        let mut session = Session::default();
        let file = session.sources.add(name, text.clone())?;
        let base = session.sources.file(file).base;
        let mut options = PpOptions::new(Dialect::C11);
        options.defines =
            STAND_INS.iter().map(|(n, t)| Define::Define((*n).to_owned(), Some((*t).to_owned()))).collect();
        let tokens = preprocess(&mut session, &options, file);
        let ast = syntax::parse::parse(&mut session, &Dialect::C11, &tokens);
        let externals = externals(&text);
        let mut unit = Self {
            session,
            ast,
            text,
            externals,
            declared: FxHashMap::default(),
            type_declarations: FxHashSet::default(),
            typedefs: FxHashMap::default(),
            index: Index::default(),
            first_words: OnceCell::new(),
            base,
        };
        unit.join_old_style();
        unit.declare_all();
        unit.index = Index::of(&unit);
        Ok(unit)
    }

    /// The bytes of the text that a place covers.
    pub(crate) fn range(&self, span: Span) -> Range<usize> {
        let span = self.session.sources.call_site(span);
        let (lo, hi) = (span.lo.saturating_sub(self.base) as usize, span.hi.saturating_sub(self.base) as usize);
        let end = hi.min(self.text.len());
        lo.min(end)..end
    }

    /// The place of bytes of the text.
    pub(crate) fn span(&self, range: &Range<usize>) -> Span {
        Span::new(self.base + range.start as u32, self.base + range.end as u32)
    }

    /// The text at a place.
    pub(crate) fn slice(&self, span: Span) -> &str {
        self.text.get(self.range(span)).unwrap_or("")
    }

    /// The line that the user sees, and the file.
    pub(crate) fn line(&self, at: usize) -> (u32, &str) {
        match self.session.sources.presumed(self.base + at as u32) {
            Some((name, place)) => (place.line, name),
            None => (0, ""),
        }
    }

    /// Code for the place of a directive. The host's compiler takes it for a system header's: it warns of what the user wrote.
    pub(crate) fn generated(&self, directive: &Range<usize>, code: &str) -> String {
        let (line, file) = self.line(directive.start);
        let (next, _) = self.line((directive.end + 1).min(self.text.len()));
        let file = file.replace('\\', "\\\\").replace('"', "\\\"");
        let next = if next == 0 { line + 1 } else { next };
        format!("\n# {line} \"{file}\" 3\n{code}\n# {next} \"{file}\"")
    }

    /// The functions that the file defines, by their names, in order.
    pub(crate) fn defined_functions(&self) -> Vec<String> {
        let mut names: Vec<String> = self.declared.keys().filter(|name| self.defines(name)).cloned().collect();
        names.sort_unstable();
        names
    }

    /// Whether the file has a function's body.
    pub(crate) fn defines(&self, name: &str) -> bool {
        let at = self.declared.get(name).into_iter().flatten();
        at.into_iter().any(|&n| self.text[self.externals[n].clone()].ends_with('}'))
    }

    /// The external declaration that a place is in.
    pub(crate) fn external_at(&self, at: usize) -> Option<usize> {
        let i = self.externals.partition_point(|r| r.end <= at);
        self.externals.get(i).filter(|r| r.start <= at).map(|_| i)
    }

    /// Whether a word stands before a place, in lines that are neither the preprocessor's nor directives.
    pub(crate) fn has_word_before(&self, word: &str, at: usize) -> bool {
        let first = self.first_words.get_or_init(|| {
            let mut out = FxHashMap::default();
            let mut start = 0;
            for line in self.text.split_inclusive('\n') {
                if !line.trim_start().starts_with('#') {
                    for r in word_ranges(line) {
                        out.entry(line[r.clone()].to_owned()).or_insert(start + r.start);
                    }
                }
                start += line.len();
            }
            out
        });
        first.get(word).is_some_and(|&first| first < at)
    }

    /// What stands before a declared name: its type, and, for parameters, those before it.
    pub(crate) fn before_name(&self, at: &Range<usize>) -> &str {
        let text = &self.text[..at.start.min(self.text.len())];
        let start = text.rfind([';', '{', '}', '(']).map_or(0, |i| i + 1);
        &text[start..]
    }

    /// A word in the text that means something that kernels cannot compute with as the host does.
    pub(crate) fn foreign_word(text: &str) -> Option<&'static str> {
        let found = words(text).find_map(|w| STAND_INS.iter().map(|s| s.0).find(|s| *s == w));
        // `long double` has 16 bytes on the host and 8 here.
        let long_double = || {
            let all: Vec<&str> = words(text).collect();
            let there = all.windows(2).any(|w| matches!(w, ["long", "double"] | ["double", "long"]));
            there.then_some("long double")
        };
        found.or_else(long_double)
    }

    /// Functions whose parameters are declared behind their parentheses were taken apart at the `;` of these declarations.
    fn join_old_style(&mut self) {
        for &d in &self.ast.top {
            let whole = self.range(self.ast[d].span);
            if !matches!(self.ast[d].kind, DeclKind::Function(_)) {
                continue;
            }
            let first = self.externals.partition_point(|r| r.end <= whole.start);
            let last = self.externals.partition_point(|r| r.start < whole.end);
            let (Some(from), Some(to)) = (self.externals.get(first), self.externals[..last].last()) else { continue };
            if last < first + 2 {
                continue;
            }
            let (start, end) = (from.start, to.end);
            // What follows its body had no beginning of its own.
            let rest = self.text.get(whole.end..end).filter(|t| !t.trim().is_empty());
            let rest = rest.map(|t| whole.end + (t.len() - t.trim_start().len())..end);
            self.externals.splice(first..last, std::iter::once(start..whole.end).chain(rest));
        }
    }

    fn declare_all(&mut self) {
        let mut found = Vec::new();
        for &d in &self.ast.top {
            if let DeclKind::Typedef { ty } = self.ast[d].kind
                && let Some(sym) = self.ast.plain_name(self.ast[d].name)
            {
                self.typedefs.insert(sym, ty);
            }
            self.names_of(d, &mut found);
        }
        for (name, d) in found {
            let at = self.range(self.ast[d].span).start;
            let Some(i) = self.external_at(at) else { continue };
            if !matches!(self.ast[d].kind, DeclKind::Function(_)) {
                self.type_declarations.insert(i);
            }
            let list = self.declared.entry(name).or_default();
            if !list.contains(&i) {
                list.push(i);
            }
        }
    }

    fn names_of(&self, d: DeclId, out: &mut Vec<(String, DeclId)>) {
        let decl = &self.ast[d];
        let name = match self.ast[decl.name].kind {
            NameKind::Ident(sym) => self.session.str(sym),
            _ => "",
        };
        match decl.kind {
            DeclKind::Typedef { .. } | DeclKind::Function(_) if !name.is_empty() => out.push((name.to_owned(), d)),
            DeclKind::Record(r) if self.ast[r].defined => {
                let tag = self.ast[r].tag.as_str();
                out.push((format!("{tag} {name}"), d));
                // A structure is no scope (C11 6.2.1p4).
                self.ast.list(self.ast[r].members).iter().for_each(|&m| self.names_of(m, out));
            }
            DeclKind::Enum { members: Some(members), .. } => {
                out.push((format!("enum {name}"), d));
                for &m in self.ast.list(members) {
                    if let NameKind::Ident(sym) = self.ast[self.ast[m].name].kind {
                        out.push((self.session.str(sym).to_owned(), d));
                    }
                }
            }
            _ => {}
        }
    }
}

/// The names and keywords of a text, without those in literals, comments being gone.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    word_ranges(text).map(move |r| &text[r])
}

/// Where the names and keywords of a text are.
pub(crate) fn word_ranges(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut i = 0;
    std::iter::from_fn(move || {
        while let Some(&c) = bytes.get(i) {
            match c {
                b'"' | b'\'' => i = quoted_end(bytes, i),
                b'0'..=b'9' => {
                    while bytes.get(i).is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'.')) {
                        i += 1;
                    }
                }
                _ if c == b'_' || c.is_ascii_alphabetic() => {
                    let start = i;
                    while bytes.get(i).is_some_and(|c| c.is_ascii_alphanumeric() || *c == b'_') {
                        i += 1;
                    }
                    return Some(start..i);
                }
                _ => i += 1,
            }
        }
        None
    })
}

/// A text without the spaces that it means the same without: macros leave some around what they stand for.
pub(crate) fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut gap = false;
    for c in text.chars() {
        if c.is_whitespace() {
            gap = true;
            continue;
        }
        let last = out.chars().next_back();
        // Words would be one, and operators another.
        if gap && last.is_some_and(|l| word(l) && word(c) || l == c && "+-&|<>=".contains(c)) {
            out.push(' ');
        }
        out.push(c);
        gap = false;
    }
    out
}

/// Index behind the string or character that begins at `start`.
fn quoted_end(bytes: &[u8], start: usize) -> usize {
    let mut i = start + 1;
    while let Some(&c) = bytes.get(i) {
        i += if c == b'\\' { 2 } else { 1 };
        if c == bytes[start] || c == b'\n' {
            break;
        }
    }
    i.min(bytes.len())
}

/// The external declarations of a preprocessed text: what is between `;` and `}` outside of braces.
fn externals(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let (mut i, mut depth, mut parens) = (0, 0usize, 0usize);
    let mut start: Option<usize> = None;
    // Whether the outermost brace is that of a function: nothing but its end follows it.
    let mut function = false;
    let mut last = 0u8;
    let mut initialiser = false;
    while let Some(&c) = bytes.get(i) {
        let at_line_start = i == 0 || bytes[i - 1] == b'\n';
        if c == b'#' && at_line_start {
            i += bytes[i..].iter().position(|&b| b == b'\n').unwrap_or(bytes.len() - i);
            continue;
        }
        if c.is_ascii_whitespace() {
            i += 1;
            continue;
        }
        start.get_or_insert(i);
        let mut next = i + 1;
        match c {
            b'"' | b'\'' => next = quoted_end(bytes, i),
            b'(' | b'[' => parens += 1,
            b')' | b']' => parens = parens.saturating_sub(1),
            b'=' if depth == 0 => initialiser = true,
            b'{' => {
                if depth == 0 && parens == 0 {
                    function = last == b')' && !initialiser;
                }
                depth += 1;
            }
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 && function && parens == 0 {
                    out.extend(start.take().map(|s| s..i + 1));
                    (function, initialiser) = (false, false);
                }
            }
            b';' if depth == 0 && parens == 0 => {
                out.extend(start.take().map(|s| s..i + 1));
                initialiser = false;
            }
            _ => {}
        }
        last = c;
        i = next;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn external_declarations_end_where_they_end() {
        let text = "# 1 \"x.h\"\ntypedef struct { int a; } S;\nint f(void) { if (1) { return '}'; } return 0; }\nint x = 3, y[] = { 1, 2 };\nvoid g(int) __attribute__((nothrow));\n";
        let found: Vec<&str> = externals(text).into_iter().map(|r| &text[r]).collect();
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(found[1].starts_with("int f") && found[1].ends_with("return 0; }"));
    }

    #[test]
    fn spaces_that_macros_leave_are_gone_from_messages() {
        assert_eq!(tidy("A[0:1000 -1][ 0 : 500 - 1 ]"), "A[0:1000-1][0:500-1]");
        assert_eq!(tidy("a[0:sizeof (long int) - -n]"), "a[0:sizeof(long int)- -n]");
    }

    #[test]
    fn types_without_values_are_named() {
        assert_eq!(Unit::foreign_word("x = (long double)y;"), Some("long double"));
        assert_eq!(Unit::foreign_word("_Decimal64 z;"), Some("_Decimal64"));
        assert_eq!(Unit::foreign_word("f(\"long double\"); long longdouble;"), None);
    }
}
