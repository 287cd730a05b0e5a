//! The preprocessor.
//!
//! [`preprocess`] reads a file and what it includes, and gives the program's tokens. Text without macros goes from the
//! lexer into the output without a stop ([`Preprocessor::run_file`]); identifiers that may be macros and lines that begin
//! with `#` leave that loop.
//!
//! * `define`, `macros`, `predefined`: the macro table. Predefined macros are looked up lazily, at the first use of an
//!   identifier, so that they cost nothing at the start.
//! * `expand`: macro expansion by a stack of contexts; a macro whose context is on the stack is not expanded again.
//! * `directives`, `conditional`, `expr`, `include`, `pragma`: the directives.
//! * `implied`: what CUDA's compiler declares without an `#include`.
//! * `print`: the text that `-E` prints.
//!
//! Every input ends: the number of tokens made, of files read and of nested arguments is bounded ([`PpLimits`]), and a
//! bound exceeded is an error that ends preprocessing.

mod conditional;
mod define;
mod directives;
mod expand;
mod expr;
mod features;
mod headers;
mod implied;
mod include;
mod macros;
mod operands;
mod options;
mod pragma;
mod predefined;
mod print;
mod runtime_types;
#[cfg(test)]
mod tests;
mod toolkit;

pub use options::{Define, Disk, FileLoader, HostHeaders, PpLimits, PpOptions};
pub use print::print_preprocessed;

use crate::lex::{Lexer, Rules};
use crate::{Token, TokenFlags, TokenKind};
use expand::Context;
use macros::{MacroKind, MacroTable, Slot};
use rustc_hash::FxHashMap;
use source::{Diagnostic, FileId, Session, Span, Symbol};

/// The tokens of a translation unit; the last one is [`crate::TokenKind::Eof`].
#[derive(Clone, Debug, Default)]
pub struct TokenStream {
    /// The tokens.
    pub tokens: Vec<Token>,
}

impl std::ops::Deref for TokenStream {
    type Target = [Token];
    fn deref(&self) -> &[Token] {
        &self.tokens
    }
}

/// Preprocesses the file `main`, reading what it includes from disk.
///
/// Errors go to the session's diagnostics; the tokens are usable even so.
pub fn preprocess(session: &mut Session, opts: &PpOptions, main: FileId) -> TokenStream {
    preprocess_with(session, opts, main, &Disk)
}

/// Preprocesses the file `main`, reading what it includes through `loader`.
pub fn preprocess_with(session: &mut Session, opts: &PpOptions, main: FileId, loader: &dyn FileLoader) -> TokenStream {
    session.set_main_file(main);
    let mut pp = Preprocessor::new(session, opts, main, loader);
    pp.run();
    let mut tokens = pp.out;
    implied::add(session, opts, &mut tokens, loader);
    let end = session.sources.file(main).span().after();
    tokens.push(Token { flags: TokenFlags::START_OF_LINE, ..Token::punct(TokenKind::Eof, end) });
    TokenStream { tokens }
}

/// Identifiers that the preprocessor itself asks for.
struct Words {
    va_args: Symbol,
    va_opt: Symbol,
    defined: Symbol,
}

/// An open `#if`.
struct Cond {
    /// Its directive's name, for messages about it.
    span: Span,
    /// A group of it has been taken.
    taken: bool,
    /// Its `#else`.
    els: Option<Span>,
    /// The name X if this may be the include guard `#ifndef X` of its file.
    guard: Option<Symbol>,
}

/// A file being read.
struct OpenFile {
    id: FileId,
    lexer: Lexer,
    /// Number of open conditionals when it was entered.
    conds: usize,
    /// Index of the search directory it was found in; `#include_next` goes on after it.
    found_in: usize,
    /// `__INCLUDE_LEVEL__`.
    level: u32,
    /// One of our own headers: what a program calls its macros is nothing to it.
    own: bool,
}

/// What is known of a file across its inclusions.
#[derive(Default, Clone, Copy)]
struct FileFacts {
    /// `#pragma once` or `#import`.
    once: bool,
    /// While this macro is defined the file has nothing to give.
    guard: Option<Symbol>,
}

struct Preprocessor<'a> {
    session: &'a mut Session,
    opts: &'a PpOptions,
    loader: &'a dyn FileLoader,
    rules: Rules,
    main: FileId,
    words: Words,
    macros: MacroTable,
    pushed_macros: FxHashMap<Symbol, Vec<Slot>>,
    files: Vec<OpenFile>,
    facts: Vec<FileFacts>,
    by_path: FxHashMap<std::path::PathBuf, FileId>,
    /// The first of the files that are the same on disk, by [`FileLoader::identity`]: `#pragma once` counts for all of them.
    by_identity: FxHashMap<std::path::PathBuf, FileId>,
    conds: Vec<Cond>,
    contexts: Vec<Context>,
    pool: Vec<Vec<Token>>,
    out: Vec<Token>,
    /// Depth of macro arguments being expanded.
    arg_depth: usize,
    /// Where the value of `__LINE__` is taken: the outermost macro call under way.
    outermost_call: Span,
    counter: u64,
    includes: usize,
    bytes_read: usize,
    expanded_tokens: usize,
    expansions: usize,
    made_text: usize,
    /// The version of CUDA, once somebody has asked.
    toolkit: Option<u32>,
    /// A bound was exceeded: every source of tokens is dry from now on.
    fatal: bool,
}

/// The words of CUDA that are macros for nvcc.
const CUDA_WORDS: [&str; 10] = [
    "__host__",
    "__device__",
    "__global__",
    "__shared__",
    "__constant__",
    "__managed__",
    "__forceinline__",
    "__noinline__",
    "__launch_bounds__",
    "__align__",
];

impl<'a> Preprocessor<'a> {
    fn new(session: &'a mut Session, opts: &'a PpOptions, main: FileId, loader: &'a dyn FileLoader) -> Self {
        let words = Words {
            va_args: session.intern("__VA_ARGS__"),
            va_opt: session.intern("__VA_OPT__"),
            defined: session.intern("defined"),
        };
        let expected = session.sources.file(main).text.len() / 4;
        let mut this = Self {
            session,
            opts,
            loader,
            rules: Rules::of(opts.dialect),
            main,
            words,
            macros: MacroTable::default(),
            pushed_macros: FxHashMap::default(),
            files: Vec::new(),
            facts: Vec::new(),
            by_path: FxHashMap::default(),
            by_identity: FxHashMap::default(),
            conds: Vec::new(),
            contexts: Vec::new(),
            pool: Vec::new(),
            out: Vec::with_capacity(expected.min(1 << 20)),
            arg_depth: 0,
            outermost_call: Span::NONE,
            counter: 0,
            includes: 0,
            bytes_read: 0,
            expanded_tokens: 0,
            expansions: 0,
            made_text: 0,
            toolkit: None,
            fatal: false,
        };
        this.open(main, usize::MAX, 0);
        this.open_command_line();
        this
    }

    /// Reads everything.
    fn run(&mut self) {
        while !self.files.is_empty() && !self.fatal {
            let t = self.run_file();
            match t.kind {
                TokenKind::Eof => self.close_file(),
                TokenKind::Hash => {
                    if let Some(mut out) = self.directive(t, false) {
                        self.out.append(&mut out);
                    }
                }
                _ => {
                    self.outermost_call = t.span;
                    self.identifier(t);
                    while let Some(t) = self.context_token() {
                        if t.kind == TokenKind::Ident { self.identifier(t) } else { self.push(t) }
                    }
                }
            }
        }
        while !self.files.is_empty() {
            self.close_file();
        }
    }

    /// Copies tokens from the file being read to the output, up to one that needs thought: an identifier that may be
    /// a macro, the `#` of a directive, the end.
    fn run_file(&mut self) -> Token {
        let limit = self.opts.limits.output_tokens;
        let Self { session, files, macros, out, .. } = self;
        let Session { sources, strings, diagnostics, .. } = &mut **session;
        let Some(file) = files.last_mut() else { return Token::punct(TokenKind::Eof, Span::NONE) };
        let text = sources.file(file.id).text.as_str();
        while out.len() < limit {
            let t = file.lexer.next(text, strings, diagnostics);
            match t.kind {
                TokenKind::Ident if !macros.is_plain(t.sym) => return t,
                TokenKind::Hash if t.flags.has(TokenFlags::START_OF_LINE) => return t,
                TokenKind::Eof => return t,
                _ => out.push(t),
            }
        }
        let at = file.lexer.base + file.lexer.pos as u32;
        self.exceeded(Span::new(at, at), "the program has too many tokens", "split the program");
        Token::punct(TokenKind::Eof, Span::NONE)
    }

    /// Emits an identifier, or what it expands to if it is a macro.
    fn identifier(&mut self, t: Token) {
        if let Some(t) = self.try_expand(t) {
            self.push(t);
        }
    }

    fn push(&mut self, t: Token) {
        if self.out.len() >= self.opts.limits.output_tokens {
            self.exceeded(t.span, "the program has too many tokens", "split the program");
            return;
        }
        self.out.push(t);
    }

    /// A raw token of the file being read: not expanded, no directive obeyed.
    fn lex(&mut self) -> Token {
        let Self { session, files, .. } = self;
        let Session { sources, strings, diagnostics, .. } = &mut **session;
        match files.last_mut() {
            Some(f) => f.lexer.next(&sources.file(f.id).text, strings, diagnostics),
            None => Token::punct(TokenKind::Eof, Span::NONE),
        }
    }

    /// What an identifier is, looking it up among the predefined macros if that has not been done.
    fn lookup(&mut self, sym: Symbol) -> Slot {
        let slot = self.macros.slot(sym);
        if slot == Slot::UNKNOWN { self.lookup_predefined(sym) } else { slot }
    }

    /// Whether `#ifdef` finds it.
    fn is_defined(&mut self, sym: Symbol) -> bool {
        let Some(i) = self.lookup(sym).macro_index() else {
            // nvcc's own headers define the words of the language: headers that C++ compilers read, too, ask for them.
            return self.opts.dialect.is_cuda() && CUDA_WORDS.contains(&self.session.str(sym));
        };
        match self.macros.get(i).kind {
            MacroKind::Builtin(b) => b.is_macro(),
            MacroKind::Poisoned => false,
            _ => true,
        }
    }

    fn poisoned(&self, sym: Symbol) -> bool {
        self.macros.slot(sym).macro_index().is_some_and(|i| self.macros.get(i).kind == MacroKind::Poisoned)
    }

    fn report_poisoned(&mut self, t: Token) {
        let what = format!("attempt to use the poisoned identifier `{}`", self.session.str(t.sym));
        self.session.report(
            Diagnostic::error("E0132", t.span, what).help("a `#pragma GCC poison` forbids this name; use another"),
        );
    }

    /// Reports that a bound was exceeded, and makes every source of tokens dry.
    #[cold]
    fn exceeded(&mut self, span: Span, what: &str, help: &str) {
        if !self.fatal {
            self.session.report(Diagnostic::error("E0133", span, what).help(help));
        }
        self.fatal = true;
    }
}
