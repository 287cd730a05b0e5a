//! Files, positions, and the macro expansions that positions come out of.
//!
//! All files share one space of `u32` byte positions: file `n` occupies `base(n) .. base(n) + len(n)`, with one unused
//! position after each file so that an end-of-file span is still inside its own file. A [`Span`] is a stretch of that
//! space (where the characters were *spelt*) plus the macro expansion, if any, that put them into the program.

use std::path::{Path, PathBuf};

/// Which file of the [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub u32);

/// Which macro expansion of the [`SourceMap`]; [`ExpnId::NONE`] for text that stands in a file as it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct ExpnId(pub u32);

impl ExpnId {
    /// Not out of a macro.
    pub const NONE: Self = Self(0);

    /// Whether this is no expansion.
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }
}

/// A stretch of source: `lo..hi` in bytes of the shared position space, and the expansion it came out of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// First byte.
    pub lo: u32,
    /// One past the last byte.
    pub hi: u32,
    /// The macro expansion that produced it.
    pub expn: ExpnId,
}

impl Span {
    /// A span that names no place (code made by the compiler). Position 0 belongs to no file.
    pub const NONE: Self = Self { lo: 0, hi: 0, expn: ExpnId::NONE };

    /// `lo..hi`, not out of a macro.
    pub const fn new(lo: u32, hi: u32) -> Self {
        Self { lo, hi, expn: ExpnId::NONE }
    }

    /// Whether this names no place.
    pub fn is_none(self) -> bool {
        self.lo == 0 && self.hi == 0
    }

    /// From the start of `self` to the end of `end`. Where the two come out of different expansions the result is
    /// `self`: use [`SourceMap::join`] to join them at their common call site.
    pub fn to(self, end: Self) -> Self {
        if self.is_none() {
            end
        } else if end.is_none() || self.expn != end.expn || end.hi < self.lo {
            self
        } else {
            Self { lo: self.lo, hi: end.hi.max(self.hi), expn: self.expn }
        }
    }

    /// The empty span at the end of `self`.
    pub fn after(self) -> Self {
        Self { lo: self.hi, hi: self.hi, expn: self.expn }
    }
}

/// How places and hints of one session are called in another that took it in ([`Session::absorb`]).
///
/// [`Session::absorb`]: crate::Session::absorb
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Shift {
    pub(crate) pos: u32,
    pub(crate) expn: u32,
    pub(crate) hint: u32,
}

impl Shift {
    /// A place.
    pub fn span(self, s: Span) -> Span {
        if s.is_none() {
            return s;
        }
        let expn = if s.expn.is_none() { s.expn } else { ExpnId(s.expn.0 + self.expn) };
        Span { lo: s.lo + self.pos, hi: s.hi + self.pos, expn }
    }

    /// A hint.
    pub fn hint(self, h: crate::HintId) -> crate::HintId {
        crate::HintId(h.0 + self.hint)
    }
}

/// One expansion of a macro.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// The macro's name; shared among its expansions.
    pub name: std::sync::Arc<str>,
    /// Where it was used; may itself be inside another expansion.
    pub call_site: Span,
    /// Where it was defined.
    pub def_site: Span,
}

/// A `#line` directive: from byte `pos` on, lines count from `line` and the file calls itself `name`.
#[derive(Clone, Debug)]
pub struct LineDirective {
    /// First byte of the line after the directive, in the shared position space.
    pub pos: u32,
    /// Its presumed line number, from 1.
    pub line: u32,
    /// The presumed file name, if the directive gave one.
    pub name: Option<String>,
}

/// A file's text and name.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// As the user or an `#include` spelt it.
    pub name: String,
    /// The path it was read from, if it was.
    pub path: Option<PathBuf>,
    /// The text; valid UTF-8, newlines as they were.
    pub text: String,
    /// Position of the first byte.
    pub base: u32,
    /// Offset of the first byte of a literal that was not UTF-8 and became `?`, if any.
    pub replaced: Option<u32>,
    /// Position of each line's first byte relative to `base`; filled on first use.
    lines: std::sync::OnceLock<Vec<u32>>,
    line_directives: Vec<LineDirective>,
}

impl SourceFile {
    fn lines(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let mut starts = vec![0];
            starts.extend(self.text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1));
            starts
        })
    }

    /// The whole file.
    pub fn span(&self) -> Span {
        Span::new(self.base, self.base + self.text.len() as u32)
    }
}

/// Line and column, both from 1; the column counts bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineCol {
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub col: u32,
}

/// Why a file could not become part of the source map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceError {
    /// The shared position space (4 GiB) or the per-file limit ([`SourceMap::MAX_FILE`]) is exhausted.
    TooLarge(String),
    /// The file is not UTF-8 text; the byte offset of the first offending byte.
    NotUtf8(String, usize),
    /// The file has a NUL byte, so it is no source text.
    Binary(String),
    /// The path is a directory.
    IsDirectory(String),
    /// The system's word on why it can't be read.
    Io(String, String),
}

impl std::fmt::Display for SourceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooLarge(n) => write!(f, "`{n}` is too large: source files are limited to 64 MiB each, 1 GiB in all"),
            Self::NotUtf8(n, at) => write!(f, "`{n}` is not UTF-8 text: invalid byte at offset {at}"),
            Self::Binary(n) => write!(f, "`{n}` is a binary file: it contains a NUL byte"),
            Self::IsDirectory(n) => write!(f, "`{n}` is a directory; name a source file"),
            Self::Io(n, why) => write!(f, "cannot read `{n}`: {why}"),
        }
    }
}

impl std::error::Error for SourceError {}

/// Every file and every macro expansion of one compilation.
#[derive(Clone, Debug)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    next: u32,
    expansions: Vec<Expansion>,
}

impl Default for SourceMap {
    fn default() -> Self {
        Self { files: Vec::new(), next: 1, expansions: Vec::new() }
    }
}

impl SourceMap {
    /// Largest file accepted, in bytes.
    pub const MAX_FILE: usize = 64 << 20;
    /// Largest sum of all files, in bytes.
    pub const MAX_TOTAL: u32 = 1 << 30;

    /// Adds a text under a name.
    ///
    /// # Errors
    /// [`SourceError::TooLarge`], [`SourceError::Binary`].
    pub fn add(&mut self, name: impl Into<String>, text: String) -> Result<FileId, SourceError> {
        let name = name.into();
        if text.len() > Self::MAX_FILE || self.next + text.len() as u32 > Self::MAX_TOTAL {
            return Err(SourceError::TooLarge(name));
        }
        if text.as_bytes().contains(&0) {
            return Err(SourceError::Binary(name));
        }
        let id = FileId(self.files.len() as u32);
        let base = self.next;
        self.next += text.len() as u32 + 1;
        self.files.push(SourceFile {
            name,
            path: None,
            text,
            base,
            replaced: None,
            lines: std::sync::OnceLock::new(),
            line_directives: Vec::new(),
        });
        Ok(id)
    }

    /// Adds raw bytes, which must be UTF-8, except in comments and literals: there bytes of older encodings become `?`,
    /// so that every offset stays as it was; [`SourceFile::replaced`] tells of literals.
    ///
    /// # Errors
    /// As [`SourceMap::add`], and [`SourceError::NotUtf8`].
    pub fn add_bytes(&mut self, name: impl Into<String>, bytes: Vec<u8>) -> Result<FileId, SourceError> {
        let name = name.into();
        if bytes.contains(&0) {
            return Err(SourceError::Binary(name));
        }
        let (text, replaced) = match String::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(e) => crate::encoding::recover(e.into_bytes()).map_err(|at| SourceError::NotUtf8(name.clone(), at))?,
        };
        let id = self.add(name, text)?;
        self.files[id.0 as usize].replaced = replaced.map(|at| at as u32);
        Ok(id)
    }

    /// Reads and adds a file from disk.
    ///
    /// # Errors
    /// Any [`SourceError`].
    pub fn load(&mut self, path: &Path) -> Result<FileId, SourceError> {
        let name = path.display().to_string();
        let bytes = crate::read::read_source(path, true)?;
        let id = self.add_bytes(name, bytes)?;
        self.files[id.0 as usize].path = Some(path.to_path_buf());
        Ok(id)
    }

    /// Adds all files and expansions of another map behind those that are here; says how places of `other` move.
    ///
    /// # Errors
    /// [`SourceError::TooLarge`] if the sum of all files is; nothing was added then.
    pub(crate) fn absorb(&mut self, other: &Self) -> Result<Shift, SourceError> {
        // `other` counts from position 1.
        let pos = self.next - 1;
        if pos.checked_add(other.next).is_none_or(|end| end > Self::MAX_TOTAL) {
            let name = other.files.first().map_or(String::new(), |f| f.name.clone());
            return Err(SourceError::TooLarge(name));
        }
        let shift = Shift { pos, expn: self.expansions.len() as u32, hint: 0 };
        for f in &other.files {
            let mut f = f.clone();
            f.base += pos;
            for d in &mut f.line_directives {
                d.pos += pos;
            }
            self.files.push(f);
        }
        self.next += other.next - 1;
        for e in &other.expansions {
            let (call_site, def_site) = (shift.span(e.call_site), shift.span(e.def_site));
            self.expansions.push(Expansion { name: e.name.clone(), call_site, def_site });
        }
        Ok(shift)
    }

    /// The file `id`.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// Every file, in the order added.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(i, f)| (FileId(i as u32), f))
    }

    /// The file that position `pos` lies in; `None` for [`Span::NONE`]'s position.
    pub fn file_at(&self, pos: u32) -> Option<FileId> {
        let i = self.files.partition_point(|f| f.base <= pos);
        i.checked_sub(1).map(|i| FileId(i as u32))
    }

    /// Records a `#line` directive of the file that `directive.pos` lies in.
    pub fn add_line_directive(&mut self, directive: LineDirective) {
        if let Some(f) = self.file_at(directive.pos) {
            self.files[f.0 as usize].line_directives.push(directive);
        }
    }

    /// Records an expansion and names it.
    pub fn add_expansion(&mut self, expansion: Expansion) -> ExpnId {
        self.expansions.push(expansion);
        ExpnId(self.expansions.len() as u32)
    }

    /// The expansion `id`; `None` for [`ExpnId::NONE`].
    pub fn expansion(&self, id: ExpnId) -> Option<&Expansion> {
        (id.0 as usize).checked_sub(1).and_then(|i| self.expansions.get(i))
    }

    /// The stretch of a file that the user sees for `span`: out of all macros, the outermost call site.
    pub fn call_site(&self, mut span: Span) -> Span {
        while let Some(e) = self.expansion(span.expn) {
            span = e.call_site;
        }
        span
    }

    /// From `a` to `b`; where they come out of different expansions, from call site to call site.
    pub fn join(&self, a: Span, b: Span) -> Span {
        if a.expn == b.expn { a.to(b) } else { self.call_site(a).to(self.call_site(b)) }
    }

    /// The characters of `span` as spelt.
    pub fn snippet(&self, span: Span) -> &str {
        let Some(id) = self.file_at(span.lo) else { return "" };
        let f = self.file(id);
        let (lo, hi) = ((span.lo - f.base) as usize, (span.hi.max(span.lo) - f.base) as usize);
        f.text.get(lo..hi.min(f.text.len())).unwrap_or("")
    }

    /// Physical file, line and column of position `pos`.
    pub fn line_col(&self, pos: u32) -> Option<(FileId, LineCol)> {
        let id = self.file_at(pos)?;
        let f = self.file(id);
        let off = pos - f.base;
        let lines = f.lines();
        let line = lines.partition_point(|&s| s <= off);
        Some((id, LineCol { line: line as u32, col: off - lines[line - 1] + 1 }))
    }

    /// File name, line and column as the user shall read them: `#line` directives applied.
    pub fn presumed(&self, pos: u32) -> Option<(&str, LineCol)> {
        let (id, at) = self.line_col(pos)?;
        let f = self.file(id);
        let before = f.line_directives.partition_point(|d| d.pos <= pos);
        let Some(d) = before.checked_sub(1).map(|i| &f.line_directives[i]) else { return Some((&f.name, at)) };
        let (_, from) = self.line_col(d.pos)?;
        let name = f.line_directives[..before].iter().rev().find_map(|d| d.name.as_deref()).unwrap_or(&f.name);
        Some((name, LineCol { line: d.line.saturating_add(at.line - from.line), col: at.col }))
    }

    /// `file:line:col` of the span's call site; `<unknown>` where it has none.
    pub fn display(&self, span: Span) -> String {
        match self.presumed(self.call_site(span).lo) {
            Some((name, at)) => format!("{name}:{}:{}", at.line, at.col),
            None => "<unknown>".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns() {
        let mut m = SourceMap::default();
        m.add("a", "x\nyz\n".into()).unwrap();
        let b = m.add("b", "q".into()).unwrap();
        assert_eq!(m.line_col(1).unwrap().1, LineCol { line: 1, col: 1 });
        assert_eq!(m.line_col(4).unwrap().1, LineCol { line: 2, col: 2 });
        assert_eq!(m.file_at(m.file(b).base), Some(b));
        assert_eq!(m.display(Span::new(3, 4)), "a:2:1");
        assert_eq!(m.display(Span::NONE), "<unknown>");
    }

    #[test]
    fn line_directives_apply_from_their_position() {
        let mut m = SourceMap::default();
        m.add("a", "one\n#line 100 \"g.h\"\ntwo\nthree\n".into()).unwrap();
        m.add_line_directive(LineDirective { pos: 21, line: 100, name: Some("g.h".into()) });
        assert_eq!(m.display(Span::new(1, 2)), "a:1:1");
        assert_eq!(m.display(Span::new(25, 26)), "g.h:101:1");
    }
}
