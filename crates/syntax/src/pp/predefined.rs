//! Predefined macros: one sorted table, looked up at the first use of an identifier that nobody defined.
//!
//! A *soft* macro is one that users expect from a header (`FLT_MAX`, `M_PI`): a program may redefine it without a
//! warning.

use super::features::{self, Query};
use super::macros::{Macro, MacroKind, Slot};
use super::{Preprocessor, TokenKind as K};
use crate::{Dialect, Token, TokenFlags};
use source::{Diagnostic, Span, Symbol};

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
    /// The version of OpenCL C.
    OpenClVersion,
    /// 1 from this version of OpenCL C on.
    Since(u16),
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
            Body::OpenClVersion => self.opencl_version(),
            Body::Since(v) => flag(self.opencl_version() >= Some(v.into())),
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
                let suffix = if matches!(row.body, Body::Cplusplus) { "L" } else { "" };
                self.define_predefined(sym, &[], &format!("{n}{suffix}"), row.soft)
            }
            None => {
                self.macros.set(sym, Slot::PLAIN);
                Slot::PLAIN
            }
        }
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
    OpenClVersion, Optimize, Ptx, Since, Text, UseFastMath,
};

/// Every predefined macro, sorted by name; the rows of one name differ in their dialects.
#[rustfmt::skip]
static TABLE: &[Row] = &[
    row("ATOMIC_FLAG_INIT", CL, Text("0"), true),
    row("ATOMIC_VAR_INIT", CL, Body::Call(&["value"], "(value)"), true),
    row("CHAR_BIT", ALL, Text("8"), true),
    row("CHAR_MAX", ALL, Text("127"), true),
    row("CHAR_MIN", ALL, Text("(-127 - 1)"), true),
    row("CLK_A", CL, Text("0x10B1"), true),
    row("CLK_ABGR", CL, Text("0x10C3"), true),
    row("CLK_ADDRESS_CLAMP", CL, Text("4"), true),
    row("CLK_ADDRESS_CLAMP_TO_EDGE", CL, Text("2"), true),
    row("CLK_ADDRESS_MIRRORED_REPEAT", CL, Text("8"), true),
    row("CLK_ADDRESS_NONE", CL, Text("0"), true),
    row("CLK_ADDRESS_REPEAT", CL, Text("6"), true),
    row("CLK_ARGB", CL, Text("0x10B7"), true),
    row("CLK_BGRA", CL, Text("0x10B6"), true),
    row("CLK_DEPTH", CL, Text("0x10BD"), true),
    row("CLK_DEPTH_STENCIL", CL, Text("0x10BE"), true),
    row("CLK_FILTER_LINEAR", CL, Text("0x20"), true),
    row("CLK_FILTER_NEAREST", CL, Text("0x10"), true),
    row("CLK_FLOAT", CL, Text("0x10DE"), true),
    row("CLK_GLOBAL_MEM_FENCE", CL, Text("2"), true),
    row("CLK_HALF_FLOAT", CL, Text("0x10DD"), true),
    row("CLK_IMAGE_MEM_FENCE", CL, Text("4"), true),
    row("CLK_INTENSITY", CL, Text("0x10B8"), true),
    row("CLK_LOCAL_MEM_FENCE", CL, Text("1"), true),
    row("CLK_LUMINANCE", CL, Text("0x10B9"), true),
    row("CLK_NORMALIZED_COORDS_FALSE", CL, Text("0"), true),
    row("CLK_NORMALIZED_COORDS_TRUE", CL, Text("1"), true),
    row("CLK_R", CL, Text("0x10B0"), true),
    row("CLK_RA", CL, Text("0x10B3"), true),
    row("CLK_RG", CL, Text("0x10B2"), true),
    row("CLK_RGB", CL, Text("0x10B4"), true),
    row("CLK_RGBA", CL, Text("0x10B5"), true),
    row("CLK_RGBx", CL, Text("0x10BC"), true),
    row("CLK_RGx", CL, Text("0x10BB"), true),
    row("CLK_Rx", CL, Text("0x10BA"), true),
    row("CLK_SIGNED_INT16", CL, Text("0x10D8"), true),
    row("CLK_SIGNED_INT32", CL, Text("0x10D9"), true),
    row("CLK_SIGNED_INT8", CL, Text("0x10D7"), true),
    row("CLK_SNORM_INT16", CL, Text("0x10D1"), true),
    row("CLK_SNORM_INT8", CL, Text("0x10D0"), true),
    row("CLK_UNORM_INT16", CL, Text("0x10D3"), true),
    row("CLK_UNORM_INT24", CL, Text("0x10DF"), true),
    row("CLK_UNORM_INT8", CL, Text("0x10D2"), true),
    row("CLK_UNORM_INT_101010", CL, Text("0x10D6"), true),
    row("CLK_UNORM_INT_101010_2", CL, Text("0x10E0"), true),
    row("CLK_UNORM_SHORT_555", CL, Text("0x10D5"), true),
    row("CLK_UNORM_SHORT_565", CL, Text("0x10D4"), true),
    row("CLK_UNSIGNED_INT16", CL, Text("0x10DB"), true),
    row("CLK_UNSIGNED_INT32", CL, Text("0x10DC"), true),
    row("CLK_UNSIGNED_INT8", CL, Text("0x10DA"), true),
    row("CLK_sBGRA", CL, Text("0x10C2"), true),
    row("CLK_sRGB", CL, Text("0x10BF"), true),
    row("CLK_sRGBA", CL, Text("0x10C1"), true),
    row("CLK_sRGBx", CL, Text("0x10C0"), true),
    row("CL_VERSION_1_0", CL, Text("100"), false),
    row("CL_VERSION_1_1", CL, Text("110"), false),
    row("CL_VERSION_1_2", CL, Text("120"), false),
    row("CL_VERSION_2_0", CL, Text("200"), false),
    row("CL_VERSION_2_1", CL, Text("210"), false),
    row("CL_VERSION_2_2", CL, Text("220"), false),
    row("CL_VERSION_3_0", CL, Text("300"), false),
    row("CUDARTAPI", CUDA, Text(""), true),
    row("CUDARTAPI_CDECL", CUDA, Text(""), true),
    row("CUDART_2_OVER_PI", CUDA, Text("0x1.45f306dc9c883p-1"), true),
    row("CUDART_2_OVER_PI_F", CUDA, Text("0x1.45f306p-1f"), true),
    row("CUDART_CBRT2", CUDA, Text("0x1.428a2f98d728bp+0"), true),
    row("CUDART_CBRT2_F", CUDA, Text("0x1.428a30p+0f"), true),
    row("CUDART_INF", CUDA, Text("__builtin_huge_val()"), true),
    row("CUDART_INF_F", CUDA, Text("__builtin_huge_valf()"), true),
    row("CUDART_L2E", CUDA, Text("0x1.71547652b82fep+0"), true),
    row("CUDART_L2E_F", CUDA, Text("0x1.715476p+0f"), true),
    row("CUDART_LN2", CUDA, Text("0x1.62e42fefa39efp-1"), true),
    row("CUDART_LN2_F", CUDA, Text("0x1.62e430p-1f"), true),
    row("CUDART_LNT", CUDA, Text("0x1.26bb1bbb55516p+1"), true),
    row("CUDART_LNT_F", CUDA, Text("0x1.26bb1cp+1f"), true),
    row("CUDART_MAX_NORMAL_F", CUDA, Text("0x1.fffffep127f"), true),
    row("CUDART_MIN_DENORM", CUDA, Text("0x1.0p-1074"), true),
    row("CUDART_MIN_DENORM_F", CUDA, Text("0x1.0p-149f"), true),
    row("CUDART_NAN", CUDA, Text("__builtin_nan(\"\")"), true),
    row("CUDART_NAN_F", CUDA, Text("__builtin_nanf(\"\")"), true),
    row("CUDART_NEG_ZERO", CUDA, Text("(-0.0)"), true),
    row("CUDART_NEG_ZERO_F", CUDA, Text("(-0.0f)"), true),
    row("CUDART_ONE", CUDA, Text("1.0"), true),
    row("CUDART_ONE_F", CUDA, Text("1.0f"), true),
    row("CUDART_PI", CUDA, Text("0x1.921fb54442d18p+1"), true),
    row("CUDART_PIO2", CUDA, Text("0x1.921fb54442d18p+0"), true),
    row("CUDART_PIO2_F", CUDA, Text("0x1.921fb6p+0f"), true),
    row("CUDART_PIO4", CUDA, Text("0x1.921fb54442d18p-1"), true),
    row("CUDART_PIO4_F", CUDA, Text("0x1.921fb6p-1f"), true),
    row("CUDART_PI_F", CUDA, Text("0x1.921fb6p+1f"), true),
    row("CUDART_SQRT_2PI", CUDA, Text("0x1.40d931ff62706p+1"), true),
    row("CUDART_SQRT_2PI_F", CUDA, Text("0x1.40d932p+1f"), true),
    row("CUDART_SQRT_HALF", CUDA, Text("0x1.6a09e667f3bcdp-1"), true),
    row("CUDART_SQRT_HALF_F", CUDA, Text("0x1.6a09e6p-1f"), true),
    row("CUDART_SQRT_TWO", CUDA, Text("0x1.6a09e667f3bcdp+0"), true),
    row("CUDART_SQRT_TWO_F", CUDA, Text("0x1.6a09e6p+0f"), true),
    row("CUDART_THIRD", CUDA, Text("0x1.5555555555555p-2"), true),
    row("CUDART_THIRD_F", CUDA, Text("0x1.555556p-2f"), true),
    row("CUDART_TWO_TO_23", CUDA, Text("8388608.0"), true),
    row("CUDART_TWO_TO_23_F", CUDA, Text("8388608.0f"), true),
    row("CUDART_VERSION", CUDA, Text("13000"), true),
    row("CUDART_ZERO", CUDA, Text("0.0"), true),
    row("CUDART_ZERO_F", CUDA, Text("0.0f"), true),
    row("CUDA_VERSION", CUDA, Text("13000"), true),
    row("DBL_DIG", ALL, Text("15"), true),
    row("DBL_EPSILON", ALL, Text("0x1.0p-52"), true),
    row("DBL_MANT_DIG", ALL, Text("53"), true),
    row("DBL_MAX", ALL, Text("0x1.fffffffffffffp1023"), true),
    row("DBL_MAX_10_EXP", ALL, Text("308"), true),
    row("DBL_MAX_EXP", ALL, Text("1024"), true),
    row("DBL_MIN", ALL, Text("0x1.0p-1022"), true),
    row("DBL_MIN_10_EXP", ALL, Text("(-307)"), true),
    row("DBL_MIN_EXP", ALL, Text("(-1021)"), true),
    row("DBL_RADIX", CL, Text("2"), true),
    row("FLT_DIG", ALL, Text("6"), true),
    row("FLT_EPSILON", ALL, Text("0x1.0p-23f"), true),
    row("FLT_MANT_DIG", ALL, Text("24"), true),
    row("FLT_MAX", ALL, Text("0x1.fffffep127f"), true),
    row("FLT_MAX_10_EXP", ALL, Text("38"), true),
    row("FLT_MAX_EXP", ALL, Text("128"), true),
    row("FLT_MIN", ALL, Text("0x1.0p-126f"), true),
    row("FLT_MIN_10_EXP", ALL, Text("(-37)"), true),
    row("FLT_MIN_EXP", ALL, Text("(-125)"), true),
    row("FLT_RADIX", ALL, Text("2"), true),
    row("FP_ILOGB0", CL, Text("(-2147483647 - 1)"), true),
    row("FP_ILOGBNAN", CL, Text("(-2147483647 - 1)"), true),
    row("HALF_DIG", CL, Text("3"), true),
    row("HALF_EPSILON", CL, Text("0x1.0p-10h"), true),
    row("HALF_MANT_DIG", CL, Text("11"), true),
    row("HALF_MAX", CL, Text("0x1.ffcp15h"), true),
    row("HALF_MAX_10_EXP", CL, Text("4"), true),
    row("HALF_MAX_EXP", CL, Text("16"), true),
    row("HALF_MIN", CL, Text("0x1.0p-14h"), true),
    row("HALF_MIN_10_EXP", CL, Text("(-4)"), true),
    row("HALF_MIN_EXP", CL, Text("(-13)"), true),
    row("HALF_RADIX", CL, Text("2"), true),
    row("HUGE_VAL", CL, Text("__builtin_huge_val()"), true),
    row("HUGE_VAL", HOSTED, Text("__builtin_huge_val()"), true),
    row("HUGE_VALF", CL, Text("__builtin_huge_valf()"), true),
    row("HUGE_VALF", HOSTED, Text("__builtin_huge_valf()"), true),
    row("INFINITY", CL, Text("__builtin_inff()"), true),
    row("INFINITY", HOSTED, Text("__builtin_inff()"), true),
    row("INT16_C", HOSTED, Body::Call(&["c"], "c"), true),
    row("INT16_MAX", HOSTED, Text("32767"), true),
    row("INT16_MIN", HOSTED, Text("(-32768)"), true),
    row("INT32_C", HOSTED, Body::Call(&["c"], "c"), true),
    row("INT32_MAX", HOSTED, Text("2147483647"), true),
    row("INT32_MIN", HOSTED, Text("(-2147483647 - 1)"), true),
    row("INT64_C", HOSTED, Body::Call(&["c"], "c##L"), true),
    row("INT64_MAX", HOSTED, Text("0x7fffffffffffffffL"), true),
    row("INT64_MIN", HOSTED, Text("(-0x7fffffffffffffffL - 1)"), true),
    row("INT8_C", HOSTED, Body::Call(&["c"], "c"), true),
    row("INT8_MAX", HOSTED, Text("127"), true),
    row("INT8_MIN", HOSTED, Text("(-128)"), true),
    row("INT_MAX", ALL, Text("2147483647"), true),
    row("INT_MIN", ALL, Text("(-2147483647 - 1)"), true),
    row("LLONG_MAX", HOSTED, Text("0x7fffffffffffffffLL"), true),
    row("LLONG_MIN", HOSTED, Text("(-0x7fffffffffffffffLL - 1)"), true),
    row("LONG_MAX", ALL, Text("0x7fffffffffffffffL"), true),
    row("LONG_MIN", ALL, Text("(-0x7fffffffffffffffL - 1)"), true),
    row("MAXFLOAT", CL, Text("0x1.fffffep127f"), true),
    row("M_1_PI", ALL, Text("0.31830988618379067154"), true),
    row("M_1_PI_F", CL, Text("0.31830988618379067154f"), true),
    row("M_1_PI_H", CL, Text("0.31830988618379067154h"), true),
    row("M_2_PI", ALL, Text("0.63661977236758134308"), true),
    row("M_2_PI_F", CL, Text("0.63661977236758134308f"), true),
    row("M_2_PI_H", CL, Text("0.63661977236758134308h"), true),
    row("M_2_SQRTPI", ALL, Text("1.12837916709551257390"), true),
    row("M_2_SQRTPI_F", CL, Text("1.12837916709551257390f"), true),
    row("M_2_SQRTPI_H", CL, Text("1.12837916709551257390h"), true),
    row("M_E", ALL, Text("2.71828182845904523536"), true),
    row("M_E_F", CL, Text("2.71828182845904523536f"), true),
    row("M_E_H", CL, Text("2.71828182845904523536h"), true),
    row("M_LN10", ALL, Text("2.30258509299404568402"), true),
    row("M_LN10_F", CL, Text("2.30258509299404568402f"), true),
    row("M_LN10_H", CL, Text("2.30258509299404568402h"), true),
    row("M_LN2", ALL, Text("0.69314718055994530942"), true),
    row("M_LN2_F", CL, Text("0.69314718055994530942f"), true),
    row("M_LN2_H", CL, Text("0.69314718055994530942h"), true),
    row("M_LOG10E", ALL, Text("0.43429448190325182765"), true),
    row("M_LOG10E_F", CL, Text("0.43429448190325182765f"), true),
    row("M_LOG10E_H", CL, Text("0.43429448190325182765h"), true),
    row("M_LOG2E", ALL, Text("1.44269504088896340736"), true),
    row("M_LOG2E_F", CL, Text("1.44269504088896340736f"), true),
    row("M_LOG2E_H", CL, Text("1.44269504088896340736h"), true),
    row("M_PI", ALL, Text("3.14159265358979323846"), true),
    row("M_PI_2", ALL, Text("1.57079632679489661923"), true),
    row("M_PI_2_F", CL, Text("1.57079632679489661923f"), true),
    row("M_PI_2_H", CL, Text("1.57079632679489661923h"), true),
    row("M_PI_4", ALL, Text("0.78539816339744830962"), true),
    row("M_PI_4_F", CL, Text("0.78539816339744830962f"), true),
    row("M_PI_4_H", CL, Text("0.78539816339744830962h"), true),
    row("M_PI_F", CL, Text("3.14159265358979323846f"), true),
    row("M_PI_H", CL, Text("3.14159265358979323846h"), true),
    row("M_SQRT1_2", ALL, Text("0.70710678118654752440"), true),
    row("M_SQRT1_2_F", CL, Text("0.70710678118654752440f"), true),
    row("M_SQRT1_2_H", CL, Text("0.70710678118654752440h"), true),
    row("M_SQRT2", ALL, Text("1.41421356237309504880"), true),
    row("M_SQRT2_F", CL, Text("1.41421356237309504880f"), true),
    row("M_SQRT2_H", CL, Text("1.41421356237309504880h"), true),
    row("NAN", CL, Text("__builtin_nanf(\"\")"), true),
    row("NAN", HOSTED, Text("__builtin_nanf(\"\")"), true),
    row("NULL", CUDA, Text("0"), true),
    row("NULL", CL_C, Text("((void*)0)"), true),
    row("SCHAR_MAX", ALL, Text("127"), true),
    row("SCHAR_MIN", ALL, Text("(-127 - 1)"), true),
    row("SHRT_MAX", ALL, Text("32767"), true),
    row("SHRT_MIN", ALL, Text("(-32767 - 1)"), true),
    row("SIZE_MAX", HOSTED, Text("0xffffffffffffffffUL"), true),
    row("UCHAR_MAX", ALL, Text("255"), true),
    row("UINT16_C", HOSTED, Body::Call(&["c"], "c"), true),
    row("UINT16_MAX", HOSTED, Text("65535"), true),
    row("UINT32_C", HOSTED, Body::Call(&["c"], "c##U"), true),
    row("UINT32_MAX", HOSTED, Text("4294967295U"), true),
    row("UINT64_C", HOSTED, Body::Call(&["c"], "c##UL"), true),
    row("UINT64_MAX", HOSTED, Text("0xffffffffffffffffUL"), true),
    row("UINT8_C", HOSTED, Body::Call(&["c"], "c"), true),
    row("UINT8_MAX", HOSTED, Text("255"), true),
    row("UINT_MAX", ALL, Text("0xffffffffu"), true),
    row("ULLONG_MAX", HOSTED, Text("0xffffffffffffffffULL"), true),
    row("ULONG_MAX", ALL, Text("0xffffffffffffffffUL"), true),
    row("USHRT_MAX", ALL, Text("65535"), true),
    row("_GNU_SOURCE", CUDA, Text("1"), false),
    row("_LP64", ALL, Text("1"), false),
    row("_OPENACC", C, OpenAcc, false),
    row("_Pragma", ALL, Body::Builtin(Builtin::PragmaOperator), false),
    row("__BASE_FILE__", ALL, Body::Builtin(Builtin::BaseFile), false),
    row("__BYTE_ORDER__", ALL, Text("1234"), false),
    row("__CHAR_BIT__", ALL, Text("8"), false),
    row("__COUNTER__", ALL, Body::Builtin(Builtin::Counter), false),
    row("__CUDACC_DEBUG__", CUDA, DebugInfo, false),
    row("__CUDACC_VER_BUILD__", CUDA, Text("88"), false),
    row("__CUDACC_VER_MAJOR__", CUDA, Text("13"), false),
    row("__CUDACC_VER_MINOR__", CUDA, Text("0"), false),
    row("__CUDACC__", CUDA, Text("1"), false),
    row("__CUDA_API_VER_MAJOR__", CUDA, Text("13"), false),
    row("__CUDA_API_VER_MINOR__", CUDA, Text("0"), false),
    row("__CUDA_ARCH_LIST__", CUDA, CudaArch, false),
    row("__CUDA_ARCH__", CUDA, CudaArch, false),
    row("__CUDA__", CUDA, Text("1"), false),
    row("__DATE__", ALL, Text("\"Jan  1 1970\""), false),
    row("__DBL_EPSILON__", ALL, Text("2.2204460492503131e-016"), false),
    row("__DBL_MAX__", ALL, Text("1.7976931348623158e+308"), false),
    row("__DBL_MIN__", ALL, Text("2.2250738585072014e-308"), false),
    row("__ELF__", HOSTED, Text("1"), false),
    row("__ENDIAN_LITTLE__", CL, Text("1"), false),
    row("__FAST_RELAXED_MATH__", CL, FastRelaxedMath, false),
    row("__FILE_NAME__", ALL, Body::Builtin(Builtin::FileName), false),
    row("__FILE__", ALL, Body::Builtin(Builtin::File), false),
    row("__FINITE_MATH_ONLY__", CL, FiniteMathOnly, false),
    row("__FLT_EPSILON__", ALL, Text("1.192092896e-07F"), false),
    row("__FLT_MAX__", ALL, Text("3.402823466e+38F"), false),
    row("__FLT_MIN__", ALL, Text("1.175494351e-38F"), false),
    row("__GLIBC_PREREQ", HOSTED, Body::Call(&["a", "b"], "((2 << 16) + 36 >= ((a) << 16) + (b))"), true),
    row("__GNUC_MINOR__", HOSTED, Text("2"), false),
    row("__GNUC_PATCHLEVEL__", HOSTED, Text("0"), false),
    row("__GNUC__", HOSTED, Text("12"), false),
    row("__GNUG__", CUDA, Text("12"), false),
    row("__IMAGE_SUPPORT__", CL, ImagesSince(100), false),
    row("__INCLUDE_LEVEL__", ALL, Body::Builtin(Builtin::IncludeLevel), false),
    row("__INT32_TYPE__", ALL, Text("int"), false),
    row("__INT64_TYPE__", ALL, Text("long"), false),
    row("__INTPTR_TYPE__", ALL, Text("long"), false),
    row("__INT_MAX__", ALL, Text("2147483647"), false),
    row("__LINE__", ALL, Body::Builtin(Builtin::Line), false),
    row("__LITTLE_ENDIAN__", ALL, Text("1"), false),
    row("__LONG_LONG_MAX__", ALL, Text("9223372036854775807LL"), false),
    row("__LONG_MAX__", ALL, Text("9223372036854775807L"), false),
    row("__LP64__", ALL, Text("1"), false),
    row("__NVCC__", CUDA, Text("1"), false),
    row("__NVPTX__", CL, Ptx, false),
    row("__NV_ATOMIC_ACQUIRE", CUDA, Text("2"), false),
    row("__NV_ATOMIC_ACQ_REL", CUDA, Text("4"), false),
    row("__NV_ATOMIC_CONSUME", CUDA, Text("1"), false),
    row("__NV_ATOMIC_RELAXED", CUDA, Text("0"), false),
    row("__NV_ATOMIC_RELEASE", CUDA, Text("3"), false),
    row("__NV_ATOMIC_SEQ_CST", CUDA, Text("5"), false),
    row("__NV_CL_C_VERSION", CL, OpenClVersion, false),
    row("__NV_SILENCE_DEPRECATION_BEGIN", CUDA, Text(""), true),
    row("__NV_SILENCE_DEPRECATION_END", CUDA, Text(""), true),
    row("__NV_THREAD_SCOPE_BLOCK", CUDA, Text("1"), false),
    row("__NV_THREAD_SCOPE_CLUSTER", CUDA, Text("2"), false),
    row("__NV_THREAD_SCOPE_DEVICE", CUDA, Text("3"), false),
    row("__NV_THREAD_SCOPE_SYSTEM", CUDA, Text("4"), false),
    row("__NV_THREAD_SCOPE_THREAD", CUDA, Text("0"), false),
    row("__OPENCL_C_VERSION__", CL, OpenClVersion, false),
    row("__OPENCL_VERSION__", CL, Text("300"), false),
    row("__OPTIMIZE__", ALL, Optimize, false),
    row("__ORDER_BIG_ENDIAN__", ALL, Text("4321"), false),
    row("__ORDER_LITTLE_ENDIAN__", ALL, Text("1234"), false),
    row("__PTRDIFF_TYPE__", ALL, Text("long"), false),
    row("__PTX__", CL, Ptx, false),
    row("__REDSCALE__", ALL, Text("1"), false),
    row("__SCHAR_MAX__", ALL, Text("127"), false),
    row("__SHRT_MAX__", ALL, Text("32767"), false),
    row("__SIZEOF_DOUBLE__", ALL, Text("8"), false),
    row("__SIZEOF_FLOAT__", ALL, Text("4"), false),
    row("__SIZEOF_INT__", ALL, Text("4"), false),
    row("__SIZEOF_LONG_LONG__", ALL, Text("8"), false),
    row("__SIZEOF_LONG__", ALL, Text("8"), false),
    row("__SIZEOF_POINTER__", ALL, Text("8"), false),
    row("__SIZEOF_PTRDIFF_T__", ALL, Text("8"), false),
    row("__SIZEOF_SHORT__", ALL, Text("2"), false),
    row("__SIZEOF_SIZE_T__", ALL, Text("8"), false),
    row("__SIZEOF_WCHAR_T__", ALL, Text("4"), false),
    row("__SIZE_TYPE__", ALL, Text("unsigned long"), false),
    row("__STDC_HOSTED__", ALL, Text("1"), false),
    row("__STDC_VERSION__", CL, Text("199901L"), false),
    row("__STDC_VERSION__", C, Text("201112L"), false),
    row("__STDC__", ALL, Text("1"), false),
    row("__TIMESTAMP__", ALL, Text("\"Thu Jan  1 00:00:00 1970\""), false),
    row("__TIME__", ALL, Text("\"00:00:00\""), false),
    row("__UINT32_TYPE__", ALL, Text("unsigned int"), false),
    row("__UINT64_TYPE__", ALL, Text("unsigned long"), false),
    row("__UINTPTR_TYPE__", ALL, Text("unsigned long"), false),
    row("__UNSPOOL__", ALL, Text("1"), false),
    row("__USE_FAST_MATH__", CUDA, UseFastMath, false),
    row("__WCHAR_TYPE__", ALL, Text("int"), false),
    row("__amd64__", HOSTED, Text("1"), false),
    row("__annotate__", CUDA, Body::Call(&["a"], ""), true),
    row("__builtin_align__", CUDA, Body::Call(&["n"], "__align__(n)"), true),
    row("__cplusplus", CUDA, Cplusplus, false),
    row("__cpp_constexpr", CUDA, Text("201603L"), false),
    row("__cpp_decltype", CUDA, Text("200707L"), false),
    row("__cpp_if_constexpr", CUDA, Text("201606L"), false),
    row("__cpp_lambdas", CUDA, Text("200907L"), false),
    row("__cpp_nsdmi", CUDA, Text("200809L"), false),
    row("__cpp_range_based_for", CUDA, Text("201603L"), false),
    row("__cpp_rvalue_references", CUDA, Text("200610L"), false),
    row("__cpp_static_assert", CUDA, Text("201411L"), false),
    row("__cpp_variadic_templates", CUDA, Text("200704L"), false),
    row("__cudart_builtin__", CUDA, Text(""), true),
    row("__device_builtin__", CUDA, Text(""), true),
    row("__device_builtin_surface_type__", CUDA, Text(""), true),
    row("__device_builtin_texture_type__", CUDA, Text(""), true),
    row("__gnu_linux__", HOSTED, Text("1"), false),
    row("__has_attribute", ALL, Body::Builtin(Builtin::Has(Query::Attribute)), false),
    row("__has_builtin", ALL, Body::Builtin(Builtin::Has(Query::Builtin)), false),
    row("__has_c_attribute", ALL, Body::Builtin(Builtin::Has(Query::CppAttribute)), false),
    row("__has_cpp_attribute", ALL, Body::Builtin(Builtin::Has(Query::CppAttribute)), false),
    row("__has_extension", ALL, Body::Builtin(Builtin::Has(Query::Extension)), false),
    row("__has_feature", ALL, Body::Builtin(Builtin::Has(Query::Feature)), false),
    row("__has_include", ALL, Body::Builtin(Builtin::HasInclude), false),
    row("__has_include_next", ALL, Body::Builtin(Builtin::HasIncludeNext), false),
    row("__has_warning", ALL, Body::Builtin(Builtin::Has(Query::Warning)), false),
    row("__kernel_exec", CL, Call(&["X", "T"], "__kernel __attribute__((work_group_size_hint(X, 1, 1))) __attribute__((vec_type_hint(T)))"), true),
    row("__linux", HOSTED, Text("1"), false),
    row("__linux__", HOSTED, Text("1"), false),
    row("__location__", CUDA, Body::Call(&["a"], ""), true),
    row("__no_return__", CUDA, Text("__attribute__((noreturn))"), true),
    row("__opencl_c_3d_image_writes", CL, ImagesSince(300), false),
    row("__opencl_c_atomic_order_acq_rel", CL, Since(300), false),
    row("__opencl_c_atomic_order_seq_cst", CL, Since(300), false),
    row("__opencl_c_atomic_scope_device", CL, Since(300), false),
    row("__opencl_c_fp64", CL, Since(300), false),
    row("__opencl_c_generic_address_space", CL, Since(300), false),
    row("__opencl_c_images", CL, ImagesSince(300), false),
    row("__opencl_c_int64", CL, Since(300), false),
    row("__opencl_c_integer_dot_product_input_4x8bit", CL, Since(300), false),
    row("__opencl_c_integer_dot_product_input_4x8bit_packed", CL, Since(300), false),
    row("__opencl_c_program_scope_global_variables", CL, Since(300), false),
    row("__opencl_c_read_write_images", CL, ImagesSince(300), false),
    row("__opencl_c_subgroups", CL, Since(300), false),
    row("__opencl_c_work_group_collective_functions", CL, Since(300), false),
    row("__specialization_static", CUDA, Text("static"), true),
    row("__unix", HOSTED, Text("1"), false),
    row("__unix__", HOSTED, Text("1"), false),
    row("__x86_64", HOSTED, Text("1"), false),
    row("__x86_64__", HOSTED, Text("1"), false),
    row("assert", CUDA, Assert, true),
    row("assert", C, Call(&["e"], "((void)0)"), true),
    row("cl_khr_3d_image_writes", CL, ImagesSince(100), false),
    row("cl_khr_byte_addressable_store", CL, Text("1"), false),
    row("cl_khr_fp16", CL, Half, false),
    row("cl_khr_fp64", CL, Text("1"), false),
    row("cl_khr_global_int32_base_atomics", CL, Text("1"), false),
    row("cl_khr_global_int32_extended_atomics", CL, Text("1"), false),
    row("cl_khr_int64_base_atomics", CL, Text("1"), false),
    row("cl_khr_int64_extended_atomics", CL, Text("1"), false),
    row("cl_khr_integer_dot_product", CL, Text("1"), false),
    row("cl_khr_local_int32_base_atomics", CL, Text("1"), false),
    row("cl_khr_local_int32_extended_atomics", CL, Text("1"), false),
    row("cl_khr_subgroup_ballot", CL, Text("1"), false),
    row("cl_khr_subgroup_clustered_reduce", CL, Text("1"), false),
    row("cl_khr_subgroup_extended_types", CL, Text("1"), false),
    row("cl_khr_subgroup_non_uniform_arithmetic", CL, Text("1"), false),
    row("cl_khr_subgroup_non_uniform_vote", CL, Text("1"), false),
    row("cl_khr_subgroup_rotate", CL, Text("1"), false),
    row("cl_khr_subgroup_shuffle", CL, Text("1"), false),
    row("cl_khr_subgroup_shuffle_relative", CL, Text("1"), false),
    row("cl_nv_compiler_options", CL, Ptx, false),
    row("cl_nv_pragma_unroll", CL, Text("1"), false),
    row("cudaStreamLegacy", CUDA, Text("((cudaStream_t)1)"), true),
    row("cudaStreamPerThread", CUDA, Text("((cudaStream_t)2)"), true),
    row("kernel_exec", CL, Call(&["X", "T"], "__kernel __attribute__((work_group_size_hint(X, 1, 1))) __attribute__((vec_type_hint(T)))"), true),
    row("offsetof", HOSTED, Call(&["t", "m"], "__builtin_offsetof(t, m)"), true),
];

#[cfg(test)]
mod tests;
