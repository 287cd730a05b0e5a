//! Predefined macros: one sorted table, looked up at the first use of an identifier that nobody defined.
//!
//! A *soft* macro is one that users expect from a header (`FLT_MAX`, `M_PI`): a program may redefine it without a
//! warning.

mod table;

use super::features::{self, Query};
use super::macros::{Macro, MacroKind, Slot};
use super::{Preprocessor, TokenKind as K, toolkit};
use crate::{Dialect, Token, TokenFlags};
use source::{Diagnostic, Span, Symbol};
use std::path::PathBuf;
use table::TABLE;

/// A macro whose value the preprocessor computes at each use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Builtin {
    /// `__LINE__`.
    Line,
    /// `__FILE__`.
    File,
    /// `__FILE_NAME__`: without directories.
    FileName,
    /// `__BASE_FILE__`.
    BaseFile,
    /// `__COUNTER__`.
    Counter,
    /// `__INCLUDE_LEVEL__`.
    IncludeLevel,
    /// `_Pragma`, which is an operator.
    PragmaOperator,
    /// `__has_include`.
    HasInclude,
    /// `__has_include_next`.
    HasIncludeNext,
    /// `__has_builtin` and its family.
    Has(Query),
}

impl Builtin {
    /// Whether `#ifdef` finds it.
    pub(super) fn is_macro(self) -> bool {
        self != Self::PragmaOperator
    }
}

/// What a predefined macro stands for.
#[derive(Clone, Copy, Debug)]
enum Body {
    /// This text.
    Text(&'static str),
    /// A function-like macro.
    Call(&'static [&'static str], &'static str),
    /// A value computed at each use.
    Builtin(Builtin),
    /// `__cplusplus`.
    Cplusplus,
    /// The architecture, 900 for `sm_90`.
    CudaArch,
    /// The version of CUDA: the number divided by the first, modulo the second.
    Toolkit(u32, u32),
    /// The version of OpenCL C.
    OpenClVersion,
    /// 1 from this version of OpenCL C on.
    Since(u16),
    /// A feature of C++, since this version of it: the date of its text.
    SinceCxx(u8, u32),
    /// 1 in code that becomes PTX.
    Ptx,
    /// 1 where there are images, from this version of OpenCL C on.
    ImagesSince(u16),
    /// 1 where kernels may compute with `half`.
    Half,
    /// 1 if optimising.
    Optimize,
    /// 1 under `-G`.
    DebugInfo,
    /// 1 under `-use_fast_math`.
    UseFastMath,
    /// 1 under `-cl-fast-relaxed-math`.
    FastRelaxedMath,
    /// 1 or 0.
    FiniteMathOnly,
    /// The version of OpenACC.
    OpenAcc,
    /// Device `assert`: stops the kernel unless `NDEBUG` is defined.
    Assert,
}

/// One row of the table.
struct Row {
    name: &'static str,
    /// Dialects that have it, as a set of bits.
    dialects: u8,
    body: Body,
    soft: bool,
}

const fn row(name: &'static str, dialects: u8, body: Body, soft: bool) -> Row {
    Row { name, dialects, body, soft }
}

const CL: u8 = 1;
const CUDA: u8 = 2;
const C: u8 = 4;
const CL_C: u8 = CL | C;
const HOSTED: u8 = CUDA | C;
const ALL: u8 = CL | CUDA | C;

impl Preprocessor<'_> {
    /// Settles what an identifier that nobody defined is.
    #[cold]
    pub(super) fn lookup_predefined(&mut self, sym: Symbol) -> Slot {
        let dialect = match self.opts.dialect {
            Dialect::OpenClC { .. } => CL,
            Dialect::CudaCxx { .. } => CUDA,
            Dialect::C11 => C,
        };
        let name = self.session.str(sym);
        let from = TABLE.partition_point(|r| r.name < name);
        let found = TABLE[from..].iter().take_while(|r| r.name == name).find(|r| r.dialects & dialect != 0);
        match found {
            Some(row) => self.define_row(sym, row),
            None => {
                self.macros.set(sym, Slot::PLAIN);
                Slot::PLAIN
            }
        }
    }

    fn define_row(&mut self, sym: Symbol, row: &Row) -> Slot {
        let o = self.opts;
        let flag = |on: bool| on.then_some(1);
        let number: Option<u32> = match row.body {
            Body::Text(text) => return self.define_predefined(sym, &[], text, row.soft),
            Body::Call(params, text) => return self.define_predefined(sym, params, text, row.soft),
            Body::Builtin(b) => {
                let m = Macro { predefined: true, ..Macro::new(MacroKind::Builtin(b), row.name, Span::NONE) };
                return self.macros.define(sym, m);
            }
            Body::Assert => {
                let ndebug = self.session.intern("NDEBUG");
                let text =
                    if self.is_defined(ndebug) { "((void)0)" } else { "((e) ? (void)0 : __assertfail(0, 0, 0, 0))" };
                return self.define_predefined(sym, &["e"], text, row.soft);
            }
            Body::Cplusplus => o.dialect.cplusplus(),
            Body::CudaArch => Some(o.cuda_arch).filter(|&a| a > 0),
            Body::Toolkit(unit, limit) => Some(self.toolkit() / unit % limit),
            Body::OpenClVersion => self.opencl_version(),
            Body::Since(v) => flag(self.opencl_version() >= Some(v.into())),
            Body::SinceCxx(v, date) => {
                matches!(o.dialect, Dialect::CudaCxx { std } if u32::from(std) >= u32::from(v)).then_some(date)
            }
            Body::Ptx => flag(o.ptx),
            Body::Half => flag(o.half),
            Body::ImagesSince(v) => flag(o.images && self.opencl_version() >= Some(v.into())),
            Body::Optimize => flag(o.optimize),
            Body::DebugInfo => flag(o.debug),
            Body::UseFastMath => flag(o.use_fast_math),
            Body::FastRelaxedMath => flag(o.fast_relaxed_math),
            Body::FiniteMathOnly => Some((o.fast_relaxed_math || o.finite_math_only).into()),
            Body::OpenAcc => o.openacc.then_some(202_211),
        };
        match number {
            Some(n) => {
                let suffix = if matches!(row.body, Body::Cplusplus | Body::SinceCxx(..)) { "L" } else { "" };
                self.define_predefined(sym, &[], &format!("{n}{suffix}"), row.soft)
            }
            None => {
                self.macros.set(sym, Slot::PLAIN);
                Slot::PLAIN
            }
        }
    }

    /// The version of CUDA, 13000 for 13.0.
    fn toolkit(&mut self) -> u32 {
        let (o, loader) = (self.opts, self.loader);
        *self.toolkit.get_or_insert_with(|| {
            let dirs = o.include_dirs.iter().chain(&o.system_dirs).map(PathBuf::as_path);
            toolkit::version(loader, dirs).unwrap_or(toolkit::DEFAULT)
        })
    }

    fn opencl_version(&self) -> Option<u32> {
        match self.opts.dialect {
            Dialect::OpenClC { version } => Some(version.into()),
            _ => None,
        }
    }

    /// Gives the value of a builtin macro; `None` for an operator that gives nothing.
    pub(super) fn expand_builtin(&mut self, b: Builtin, mut t: Token) -> Option<Token> {
        let in_condition = self.files.last().is_some_and(|f| f.lexer.in_directive);
        match b {
            Builtin::Line => {
                let at = if t.span.expn.is_none() && self.contexts.is_empty() { t.span } else { self.outermost_call };
                let line = self.line_of(at).to_string();
                self.value(K::Number, &line, t)
            }
            Builtin::File | Builtin::FileName => {
                let at = self.session.sources.call_site(t.span).lo;
                let name = self.session.sources.presumed(at).map_or("", |(n, _)| n);
                let name = if b == Builtin::FileName { name.rsplit('/').next().unwrap_or(name) } else { name };
                let quoted = quote(name);
                self.value(K::String, &quoted, t)
            }
            Builtin::BaseFile => {
                let quoted = quote(&self.session.sources.file(self.main).name);
                self.value(K::String, &quoted, t)
            }
            Builtin::Counter => {
                let n = self.counter.to_string();
                self.counter += 1;
                self.value(K::Number, &n, t)
            }
            Builtin::IncludeLevel => {
                let n = self.files.last().map_or(0, |f| f.level).to_string();
                self.value(K::Number, &n, t)
            }
            Builtin::PragmaOperator => {
                // In an argument, or in a directive, it waits until its tokens reach the program.
                if self.arg_depth > 0 || in_condition {
                    return Some(t);
                }
                self.pragma_operator(t);
                None
            }
            Builtin::HasInclude | Builtin::HasIncludeNext if in_condition => {
                // The operand is expanded, and may have another operator in it.
                if self.arg_depth >= self.opts.limits.expansion_depth {
                    self.exceeded(t.span, "`__has_include` is nested too deeply", "nest fewer");
                    return None;
                }
                self.arg_depth += 1;
                let yes = self.has_include(t, b == Builtin::HasIncludeNext);
                self.arg_depth -= 1;
                self.value(K::Number, if yes { "1" } else { "0" }, t)
            }
            Builtin::HasInclude | Builtin::HasIncludeNext => {
                let what = "`__has_include` can only be used in a preprocessing condition";
                self.session.report(Diagnostic::error("E0120", t.span, what));
                t.flags = t.flags.with(TokenFlags::NO_EXPAND);
                Some(t)
            }
            Builtin::Has(query) => self.has(query, t),
        }
    }

    fn value(&mut self, kind: crate::TokenKind, text: &str, at: Token) -> Option<Token> {
        // Values are interned: a program that counts up for ever must end.
        self.made(text.len(), at.span).then(|| self.make(kind, text, at))
    }

    /// `__has_builtin(x)` and its family.
    fn has(&mut self, query: Query, at: Token) -> Option<Token> {
        let mut name = String::new();
        let open = self.next_unexpanded();
        let mut t = open;
        if open.kind == K::LParen {
            loop {
                t = self.next_unexpanded();
                match t.kind {
                    K::Ident | K::ColonColon | K::Colon | K::String | K::Number => {
                        name.push_str(t.text(&self.session.strings))
                    }
                    _ => break,
                }
            }
        }
        if t.kind != K::RParen || name.is_empty() {
            let word = self.session.str(at.sym).to_owned();
            self.session.report(Diagnostic::error("E0120", at.span, format!("`{word}` takes a name in parentheses")));
        }
        let n = features::answer(query, &name, self.opts.dialect).to_string();
        self.value(K::Number, &n, at)
    }
}

/// A string literal that means `text`.
fn quote(text: &str) -> String {
    let mut s = String::with_capacity(text.len() + 2);
    s.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => s.extend(['\\', c]),
            '\n' => s.push_str("\\n"),
            _ => s.push(c),
        }
    }
    s.push('"');
    s
}

use Body::{
    Assert, Call, Cplusplus, CudaArch, DebugInfo, FastRelaxedMath, FiniteMathOnly, Half, ImagesSince, OpenAcc,
    OpenClVersion, Optimize, Ptx, Since, Text, Toolkit, UseFastMath,
};

#[cfg(test)]
mod tests;
