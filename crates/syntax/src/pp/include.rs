//! `#include` and its family, the files they enter, and `__has_include`.

use super::directives::TextOrEmpty;
use super::{FileFacts, HostHeaders, OpenFile, Preprocessor, TokenKind as K, headers};
use crate::Token;
use crate::lex::Lexer;
use source::{Diagnostic, FileId, SourceError, Span};
use std::path::{Component, Path, PathBuf};

/// Files entered in all, repeated ones counted.
const MAX_INCLUDES: usize = 100_000;
/// Bytes read in all, repeated files counted.
const MAX_BYTES: usize = 1 << 30;

/// Which directive.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `#include`.
    Include,
    /// `#include_next`: the search goes on after the directory of the current file.
    Next,
    /// `#import`: as if the file said `#pragma once`.
    Import,
}

/// A header's name as written.
pub(super) struct HeaderName {
    name: String,
    angled: bool,
    span: Span,
}

/// Where a header was found.
enum Found {
    /// On the search path: the path, and the index of the directory.
    Path(PathBuf, usize),
    /// Among the headers in memory: its index.
    Memory(usize),
    /// One of ours, by its text.
    Own(headers::Stand),
}

impl Preprocessor<'_> {
    /// Enters a file; its tokens come next.
    pub(super) fn open(&mut self, id: FileId, found_in: usize, level: u32) {
        let text = &self.session.sources.file(id).text;
        self.bytes_read += text.len();
        let file = self.session.sources.file(id);
        if let Some(at) = file.replaced {
            let d = Diagnostic::warning("W0130", Span::new(file.base + at, file.base + at + 1), "literal is not UTF-8")
                .note("bytes that are not UTF-8 became `?`")
                .help("save the file as UTF-8, or write them as escapes: `\\xe9`")
                .group("invalid-utf8");
            self.session.report(d);
        }
        let text = &self.session.sources.file(id).text;
        let lexer = Lexer::new(text, self.session.sources.file(id).base, self.rules);
        self.files.push(OpenFile { id, lexer, conds: self.conds.len(), found_in, level, own: false });
    }

    /// Leaves a file; conditionals it left open are errors.
    pub(super) fn close_file(&mut self) {
        let Some(f) = self.files.pop() else { return };
        while self.conds.len() > f.conds {
            let Some(c) = self.conds.pop() else { return };
            if !self.fatal {
                self.session.report(
                    Diagnostic::error("E0123", c.span, "unterminated conditional directive")
                        .help("add the missing `#endif`"),
                );
            }
        }
    }

    /// What is known of a file.
    pub(super) fn facts_of(&mut self, id: FileId) -> &mut FileFacts {
        let i = id.0 as usize;
        if self.facts.len() <= i {
            self.facts.resize(i + 1, FileFacts::default());
        }
        &mut self.facts[i]
    }

    /// Enters the text of `-D`, `-U` and `-include`, on top of the main file.
    pub(super) fn open_command_line(&mut self) {
        use super::Define;
        if self.opts.defines.is_empty() && self.opts.forced_includes.is_empty() {
            return;
        }
        let mut text = String::new();
        let one_line = |s: &str| s.replace(['\n', '\r', '\0'], " ");
        for d in &self.opts.defines {
            match d {
                Define::Define(name, Some(body)) => {
                    text.push_str(&format!("#define {} {}\n", one_line(name), one_line(body)));
                }
                Define::Define(name, None) => text.push_str(&format!("#define {} 1\n", one_line(name))),
                Define::Undef(name) => text.push_str(&format!("#undef {}\n", one_line(name))),
            }
        }
        for name in &self.opts.forced_includes {
            text.push_str(&format!("#include \"{}\"\n", one_line(name)));
        }
        match self.session.sources.add("<command line>", text) {
            Ok(id) => self.open(id, usize::MAX, 0),
            Err(e) => self.session.report(Diagnostic::error("E0127", Span::NONE, e.to_string())),
        }
    }

    /// `#include`, `#include_next`, `#import`.
    pub(super) fn include(&mut self, name: Token, kind: Kind) {
        let Some(header) = self.header_name(name) else { return };
        self.expect_end("include");
        let level = self.files.last().map_or(0, |f| f.level) + 1;
        if level as usize > self.opts.limits.include_depth {
            let limit = self.opts.limits.include_depth;
            let what = format!("`#include` nested {limit} deep exceeds the limit");
            self.exceeded(header.span, &what, "a file includes itself over and over: give it `#pragma once`");
            return;
        }
        self.includes += 1;
        if self.includes > MAX_INCLUDES || self.bytes_read > MAX_BYTES {
            self.exceeded(header.span, "too much included text", "give the headers `#pragma once`");
            return;
        }
        match self.find(&header, kind == Kind::Next) {
            Some(Found::Path(path, dir)) => self.enter_file(path, dir, None, level, kind, &header),
            Some(Found::Memory(i)) => {
                // No path on disk begins like this.
                let key = Path::new("<memory>\0").join(&self.opts.virtual_headers[i].0);
                self.enter_file(key, usize::MAX, Some(i), level, kind, &header);
            }
            Some(Found::Own(stand)) => {
                // The one entered last is read first.
                for text in stand.own {
                    self.enter_own(text, level, &header);
                }
                self.enter_own(stand.common, level, &header);
            }
            None => self.report_missing(&header),
        }
    }

    /// Enters a file of the search path, or number `memory` of the headers in memory, unless it guards itself.
    fn enter_file(
        &mut self,
        path: PathBuf,
        dir: usize,
        memory: Option<usize>,
        level: u32,
        kind: Kind,
        header: &HeaderName,
    ) {
        let id = match self.by_path.get(&path) {
            Some(&id) => id,
            None => match self.load_or_known(&path, memory) {
                Ok(id) => {
                    if memory.is_none() && self.is_of_system(&path) {
                        self.session.add_system_header(id);
                    }
                    self.by_path.insert(path, id);
                    id
                }
                Err(e) => {
                    self.session.report(Diagnostic::error("E0127", header.span, e.to_string()));
                    return;
                }
            },
        };
        let facts = *self.facts_of(id);
        let open = self.files.iter().any(|f| f.id == id);
        if kind == Kind::Import {
            self.facts_of(id).once = true;
        }
        let guarded = facts.guard.is_some_and(|g| self.is_defined(g));
        if facts.once || guarded || (kind == Kind::Import && open) {
            return;
        }
        self.open(id, dir, level);
    }

    /// Whether a header is in a directory of `-isystem` or of the host's own headers: of what nobody here wrote nobody
    /// wants warnings.
    fn is_of_system(&self, path: &Path) -> bool {
        let mut dirs = self.opts.system_dirs.iter().chain(&self.opts.host_dirs);
        dirs.any(|dir| path.starts_with(normalized(dir)))
    }

    /// A file, or one that was read by another path if it says `#pragma once`.
    fn load_or_known(&mut self, path: &Path, memory: Option<usize>) -> Result<FileId, SourceError> {
        if memory.is_some() {
            return self.load(path, memory);
        }
        let identity = self.loader.identity(path);
        if let Some(&known) = self.by_identity.get(&identity)
            && self.facts_of(known).once
        {
            return Ok(known);
        }
        let id = self.load(path, memory)?;
        self.by_identity.entry(identity).or_insert(id);
        Ok(id)
    }

    fn load(&mut self, path: &Path, memory: Option<usize>) -> Result<FileId, SourceError> {
        if let Some((name, bytes)) = memory.map(|i| self.opts.virtual_headers[i].clone()) {
            return self.session.sources.add_bytes(name, bytes);
        }
        let name = path.display().to_string();
        let bytes = match self.loader.load(path) {
            Some(r) => r?,
            None => return Err(SourceError::Io(name, "no such file".to_owned())),
        };
        self.session.sources.add_bytes(name, bytes)
    }

    /// Enters one of our own texts, once.
    fn enter_own(&mut self, text: &'static str, level: u32, header: &HeaderName) {
        if text.is_empty() {
            return;
        }
        // The text is the key: several headers share one.
        let key = PathBuf::from(format!("<own {:p}>", text.as_ptr()));
        if self.by_path.contains_key(&key) {
            return;
        }
        match self.session.sources.add(format!("<unspool>/{}", header.name), text.to_owned()) {
            Ok(id) => {
                self.by_path.insert(key, id);
                self.open(id, usize::MAX, level);
                if let Some(file) = self.files.last_mut() {
                    file.own = true;
                }
            }
            Err(e) => self.session.report(Diagnostic::error("E0127", header.span, e.to_string())),
        }
    }

    fn report_missing(&mut self, header: &HeaderName) {
        let mut d = Diagnostic::error("E0125", header.span, format!("`{}` file not found", header.name));
        let dirs = self.search_dirs(header.angled);
        if !dirs.is_empty() {
            let list: Vec<String> = dirs.iter().map(|p| format!("`{}`", p.display())).collect();
            d = d.note(format!("searched in {}", list.join(", ")));
        }
        self.session.report(d.help("name its directory with `-I`"));
    }

    /// Every directory that is searched, the current file's first.
    fn search_dirs(&self, angled: bool) -> Vec<PathBuf> {
        let mut dirs = Vec::new();
        if !angled {
            dirs.push(self.current_dir());
            dirs.extend(self.opts.quote_dirs.iter().cloned());
        }
        dirs.extend(self.opts.include_dirs.iter().chain(&self.opts.system_dirs).cloned());
        for d in &mut dirs {
            if d.as_os_str().is_empty() {
                *d = PathBuf::from(".");
            }
        }
        dirs
    }

    fn current_dir(&self) -> PathBuf {
        let Some(f) = self.files.last() else { return PathBuf::new() };
        let file = self.session.sources.file(f.id);
        let path = file.path.as_deref().unwrap_or(Path::new(&file.name));
        path.parent().map_or_else(PathBuf::new, Path::to_path_buf)
    }

    /// Looks a header up. The index of a directory counts from the first of `-iquote`; the current file's own
    /// directory has none.
    fn find(&self, header: &HeaderName, next: bool) -> Option<Found> {
        let name = Path::new(&header.name);
        if header.name.is_empty() {
            return None;
        }
        if !next && let Some(i) = self.find_in_memory(header) {
            return Some(Found::Memory(i));
        }
        let exists = |dir: &Path| {
            let path = normalized(&dir.join(name));
            self.loader.exists(&path).then_some(path)
        };
        let own_named = |name: &str| {
            let stand_in = || headers::stand_in(name, self.opts.dialect);
            (self.opts.host_headers == HostHeaders::Accept).then(stand_in).flatten().map(Found::Own)
        };
        let own = || own_named(&header.name);
        // In place of what a directory has, if that is a toolkit's, or the one below it that the name leads to
        // (`third_party/gpus/cuda/include/cuda_fp16.h`).
        let own_for = |dir: &Path| {
            let of_toolkit = |dir: &Path| self.loader.exists(&normalized(&dir.join(headers::OF_TOOLKIT)));
            if headers::is_replaced(&header.name) && of_toolkit(dir) {
                return own();
            }
            let (below, last) = header.name.rsplit_once('/')?;
            (headers::is_replaced(last) && of_toolkit(&dir.join(below))).then(|| own_named(last)).flatten()
        };
        if name.is_absolute() {
            return exists(Path::new("")).map(|p| Found::Path(p, usize::MAX));
        }
        let quote = self.opts.quote_dirs.len();
        let mut from = if header.angled { quote } else { 0 };
        let found_in = self.files.last().map_or(usize::MAX, |f| f.found_in);
        if next && found_in != usize::MAX {
            from = from.max(found_in + 1);
        } else if !header.angled
            && !next
            && let Some(p) = exists(&self.current_dir())
        {
            if let Some(own) = own_for(&self.current_dir()) {
                return Some(own);
            }
            // `#include_next` in it goes on after the directory its includer was found in.
            return Some(Found::Path(p, found_in));
        }
        let dirs = self.opts.quote_dirs.iter().chain(&self.opts.include_dirs).chain(&self.opts.system_dirs);
        for (i, dir) in dirs.enumerate().skip(from) {
            if let Some(p) = exists(dir) {
                return own_for(dir).or(Some(Found::Path(p, i)));
            }
        }
        // A library that is there has all of its headers: one that it lacks is not made up beside it.
        let whole = headers::whole_library(&header.name);
        let mut dirs = self.opts.include_dirs.iter().chain(&self.opts.system_dirs);
        if whole.is_some_and(|mark| dirs.any(|dir| self.loader.exists(&normalized(&dir.join(mark))))) {
            return None;
        }
        let of_host = || self.opts.host_dirs.iter().find_map(|dir| exists(dir));
        own().or_else(|| of_host().map(|p| Found::Path(p, usize::MAX)))
    }

    /// The header in memory of that name; a quoted one may be named from where the current file is.
    fn find_in_memory(&self, header: &HeaderName) -> Option<usize> {
        let headers = &self.opts.virtual_headers;
        let named = |wanted: &Path| headers.iter().position(|(n, _)| normalized(Path::new(n)) == wanted);
        if headers.is_empty() {
            return None;
        }
        let name = Path::new(&header.name);
        let beside = || named(&normalized(&self.current_dir().join(name)));
        (!header.angled).then(beside).flatten().or_else(|| named(&normalized(name)))
    }

    /// Reads the name after `#include`.
    fn header_name(&mut self, directive: Token) -> Option<HeaderName> {
        if let Some(h) = self.literal_header_name(directive.span) {
            return h;
        }
        let first = self.next_expanded();
        self.header_name_from(first, directive.span, K::EndOfDirective)
    }

    /// `<…>` or `"…"` right here, as characters. `Some(None)` after an error.
    fn literal_header_name(&mut self, directive: Span) -> Option<Option<HeaderName>> {
        let Self { session, files, .. } = self;
        let f = files.last_mut()?;
        let text = session.sources.file(f.id).text.as_str();
        if !f.lexer.skip_trivia(text.as_bytes(), None) {
            session.report(missing_name(directive));
            return Some(None);
        }
        let start = f.lexer.pos;
        let (angled, close) = match text.as_bytes()[start] {
            b'<' => (true, '>'),
            b'"' => (false, '"'),
            _ => return None,
        };
        let rest = &text[start + 1..];
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let base = f.lexer.base + start as u32;
        let Some(len) = line.find(close) else {
            let span = Span::new(base, base + 1 + line.trim_end().len() as u32);
            session.report(Diagnostic::error("E0124", span, format!("missing terminating `{close}` character")));
            return Some(None);
        };
        f.lexer.pos = start + len + 2;
        let span = Span::new(base, base + len as u32 + 2);
        let name = line[..len].to_owned();
        if name.is_empty() {
            session.report(Diagnostic::error("E0124", span, "empty file name in `#include`"));
            return Some(None);
        }
        Some(Some(HeaderName { name, angled, span }))
    }

    /// A header's name out of tokens: a string, or `<` … `>`.
    fn header_name_from(&mut self, first: Token, directive: Span, end: crate::TokenKind) -> Option<HeaderName> {
        match first.kind {
            K::String => {
                let text = self.session.str(first.sym);
                let name = text.strip_prefix('"').and_then(|t| t.strip_suffix('"'))?.to_owned();
                Some(HeaderName { name, angled: false, span: first.span })
            }
            K::Less => {
                let mut name = String::new();
                loop {
                    let t = self.next_expanded();
                    match t.kind {
                        K::Greater => return Some(HeaderName { name, angled: true, span: first.span }),
                        K::Eof | K::EndOfDirective | K::EndOfArg => {
                            let d = Diagnostic::error("E0124", first.span, "missing `>` in `#include`");
                            self.session.report(d);
                            return None;
                        }
                        _ => {
                            if t.has_space_before() && !name.is_empty() {
                                name.push(' ');
                            }
                            name.push_str(self.session.str_or_empty(&t));
                        }
                    }
                }
            }
            k => {
                let at = if k == end { directive } else { first.span };
                self.session.report(missing_name(at));
                None
            }
        }
    }

    /// `__has_include(…)` and `__has_include_next(…)`, after the name: whether there is such a header.
    pub(super) fn has_include(&mut self, operator: Token, next: bool) -> bool {
        let open = self.next_unexpanded();
        if open.kind != K::LParen {
            let d = Diagnostic::error("E0120", operator.span, "missing `(` after `__has_include`");
            self.session.report(d);
            return false;
        }
        let literal = if self.contexts.is_empty() { self.literal_header_name(operator.span) } else { None };
        let header = match literal {
            Some(h) => h,
            None => {
                let first = self.next_expanded();
                self.header_name_from(first, operator.span, K::RParen)
            }
        };
        let Some(header) = header else { return false };
        let close = self.next_unexpanded();
        if close.kind != K::RParen {
            let d = Diagnostic::error("E0120", operator.span, "missing `)` after `__has_include`");
            self.session.report(d);
        }
        self.find(&header, next).is_some()
    }
}

fn missing_name(span: Span) -> Diagnostic {
    Diagnostic::error("E0124", span, "`#include` expects \"file\" or <file>")
}

/// The path without `.` and, where the directory is known, `..`: so that one file has one name.
fn normalized(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for c in path.components() {
        match c {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            c => out.push(c),
        }
    }
    out
}
