//! Builtins of every dialect: one static table per dialect, found by binary search, resolved by patterns.
//!
//! The checker asks [`lookup`] for a name that user code did not declare, then [`Builtin::resolve`] with the types of
//! the call's arguments. The answer, [`Resolved`], has concrete parameter and result types (the checker converts the
//! arguments to them by its own rules) and what is called: a [`Meaning`] (an operation, or a function of the builtin
//! library) or a [`Form`], which the checker takes apart. Nothing is built at start-up; a look-up costs a dozen string comparisons.
//!
//! - A table row is a name and its signatures; a signature is a short pattern (see [`pattern`]).
//! - `convert_*`, `as_*`, `vloadn`, `make_float4`, … are not enumerated: their names are parsed ([`names`]).

mod constants;
mod cuda_numbers;
mod effects;
pub mod library;
pub mod names;
pub mod op;
pub mod pattern;
mod row;
mod table_c;
mod table_common;
mod table_cuda;
mod table_opencl;
mod ty;
pub mod vocabulary;

pub use effects::Effects;
use library::LibFn;
use names::NamePattern;
pub use op::{
    AtomicOp, ControlOp, FloatOp, Flushed, Form, GeometricOp, IntegerOp, ItemOp, LaneOp, MemoryOp, Op, SyncOp, ValueOp,
};
use row::{Row, What};
use smallvec::SmallVec;
use std::borrow::Cow;
pub use ty::{BType, Pointer, Scalar, Space};
pub use vocabulary::{
    Axis, Cache, FClass, FCmp, LaneSet, Order, Over, Reduce, Rmw, Round, Scope, Shuffle, Special, Vote, WorkItem,
};

/// Which names are in scope besides the common `__builtin_*` ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lang {
    /// OpenCL C.
    OpenCl,
    /// CUDA C++ device code.
    Cuda,
    /// Plain C, and the builtin library itself: common names only.
    C,
}

/// A builtin's name, found by [`lookup`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Builtin(Kind);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Row {
        lang: Lang,
        common: bool,
        row: u16,
    },
    /// A C library function under a prefix (`__builtin_sinf`, `__nv_sin`): a CUDA row without C++'s overloading.
    CName {
        row: u16,
    },
    Name(NamePattern),
}

/// What a call of a builtin does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// An operation that `builtin-lower` maps to IR.
    Op(Op),
    /// A call of a scalar function of the builtin library.
    ///
    /// Component-wise: vector operands are taken apart and the function is called once per lane. A pointer parameter
    /// is an out-parameter: the function writes a private scalar, which is then stored through the real pointer, in
    /// whatever space that points to.
    Lib {
        /// The function.
        func: LibFn,
        /// Operands narrower than the function's own (`half`) are widened to `float` and the result narrowed again.
        via_f32: bool,
    },
    /// A call of a function of the builtin library that reads or writes images; operands and result go as they are.
    Image(LibFn),
}

impl Meaning {
    /// What the call does besides computing its result.
    pub fn effects(self) -> Effects {
        match self {
            Self::Op(op) => op.effects(),
            Self::Lib { func, .. } => func.effects(),
            Self::Image(func) => Effects { reads: true, ..func.effects() },
        }
    }
}

/// What a call of a builtin is to the checker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A call on the values of its operands.
    Meaning(Meaning),
    /// A form of its own.
    Form(Form),
}

/// A call resolved: concrete types and a meaning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resolved {
    /// What is called.
    pub callee: Callee,
    /// Parameter types; arguments are to be converted to these (a scalar to a vector by splat).
    pub params: SmallVec<[BType; 4]>,
    /// Result type.
    pub ret: BType,
    /// Whether more arguments may follow, passed by the default argument promotions.
    pub variadic: bool,
}

/// Why a call of a builtin does not resolve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResolveError {
    /// No signature takes this many arguments.
    Arity {
        /// The fewest a signature takes.
        min: u8,
        /// The most a signature takes.
        max: u8,
    },
    /// No signature takes an argument of this type at this place.
    NoMatch {
        /// Index of the first argument that does not fit.
        arg: u8,
    },
    /// The builtin is known but not supported; the text names the feature (`"textures"`).
    Unsupported(&'static str),
}

/// Finds a builtin by name.
pub fn lookup(lang: Lang, name: &str) -> Option<Builtin> {
    let own = rows(lang, false);
    if let Some(row) = find(own, name) {
        return Some(Builtin(Kind::Row { lang, common: false, row }));
    }
    if name.starts_with('_')
        && let Some(row) = find(rows(lang, true), name)
    {
        return Some(Builtin(Kind::Row { lang, common: true, row }));
    }
    if let Some(row) = c_name(name) {
        return Some(Builtin(Kind::CName { row }));
    }
    if lang == Lang::C && table_c::LIBRARY.binary_search(&name).is_ok() {
        return find(table_cuda::ROWS, name).map(|row| Builtin(Kind::CName { row }));
    }
    names::parse(lang, name).map(|n| Builtin(Kind::Name(n)))
}

/// Every name that [`lookup`] finds in a dialect, those of C's libraries apart and of the names that carry types those
/// without a rounding: what a misspelt one may have meant.
pub fn names(lang: Lang) -> impl Iterator<Item = Cow<'static, str>> {
    let listed = rows(lang, false).iter().chain(rows(lang, true)).map(|r| Cow::Borrowed(r.name));
    listed.chain(names::spelt(lang).map(Cow::Owned))
}

/// The row of CUDA's table for `__builtin_<libm name>` or libdevice's `__nv_<name>`.
fn c_name(name: &str) -> Option<u16> {
    let cuda = table_cuda::ROWS;
    if let Some(base) = name.strip_prefix("__builtin_") {
        // Only what is a mathematical function there.
        return find(cuda, base).filter(|&r| matches!(cuda[usize::from(r)].sigs[0].what, What::Math(_)));
    }
    let base = name.strip_prefix("__nv_")?;
    // `__nv_fast_sinf` is CUDA's `__sinf`, `__nv_float2int_rn` its `__float2int_rn`, `__nv_sinf` its `sinf`.
    if let Some(fast) = base.strip_prefix("fast_") {
        return find_joined(cuda, "__", fast);
    }
    find(cuda, base).or_else(|| find_joined(cuda, "__", base))
}

fn find_joined(rows: &'static [Row], prefix: &str, rest: &str) -> Option<u16> {
    let i = rows.binary_search_by(|r| r.name.bytes().cmp(prefix.bytes().chain(rest.bytes()))).ok()?;
    u16::try_from(i).ok()
}

fn rows(lang: Lang, common: bool) -> &'static [Row] {
    match lang {
        _ if common => table_common::ROWS,
        Lang::OpenCl => table_opencl::ROWS,
        Lang::Cuda => table_cuda::ROWS,
        Lang::C => table_c::ROWS,
    }
}

fn find(rows: &'static [Row], name: &str) -> Option<u16> {
    let i = rows.binary_search_by(|r| r.name.cmp(name)).ok()?;
    u16::try_from(i).ok()
}

impl Builtin {
    fn sigs(self) -> Option<(&'static Row, Lang)> {
        match self.0 {
            Kind::Row { lang, common, row } => Some((&rows(lang, common)[usize::from(row)], lang)),
            Kind::CName { row } => Some((&table_cuda::ROWS[usize::from(row)], Lang::C)),
            Kind::Name(_) => None,
        }
    }

    /// Chooses the signature for a call and makes its types concrete.
    pub fn resolve(self, args: &[BType]) -> Result<Resolved, ResolveError> {
        match self.0 {
            Kind::Name(n) => n.resolve(args),
            Kind::Row { .. } => {
                let (row, lang) = self.sigs().ok_or(ResolveError::NoMatch { arg: 0 })?;
                resolve_row(row, lang, args)
            }
            Kind::CName { row } => {
                // C has no overloads: what is generic in C++ takes doubles.
                let widen = |a: &BType| match a.scalar {
                    Scalar::Half | Scalar::BFloat | Scalar::Float if *a == BType::scalar(a.scalar) => {
                        BType::scalar(Scalar::Double)
                    }
                    _ => *a,
                };
                let args: SmallVec<[BType; 4]> = args.iter().map(widen).collect();
                resolve_row(&table_cuda::ROWS[usize::from(row)], Lang::C, &args)
            }
        }
    }

    /// The signatures as text, for a diagnostic's notes.
    pub fn signatures(self) -> Vec<String> {
        match self.0 {
            Kind::Name(n) => vec![n.signature()],
            Kind::Row { .. } | Kind::CName { .. } => self.sigs().map_or_else(Vec::new, |(row, _)| {
                row.sigs.iter().map(|s| pattern::describe(row.name, s.pattern)).collect()
            }),
        }
    }
}

fn resolve_row(row: &'static Row, lang: Lang, args: &[BType]) -> Result<Resolved, ResolveError> {
    let mut best: Option<(u32, pattern::Match, What)> = None;
    let (mut min, mut max, mut worst) = (u8::MAX, 0, None);
    for sig in row.sigs {
        if let What::Unsupported(what) = sig.what {
            return Err(ResolveError::Unsupported(what));
        }
        match pattern::matches(sig.pattern, lang, args) {
            Ok(m) => {
                if best.as_ref().is_none_or(|(cost, ..)| m.cost < *cost) {
                    best = Some((m.cost, m, sig.what));
                }
                if best.as_ref().is_some_and(|(cost, ..)| *cost == 0) {
                    break;
                }
            }
            Err(pattern::Mismatch::Arity { min: lo, max: hi }) => {
                min = min.min(lo);
                max = max.max(hi);
            }
            Err(pattern::Mismatch::Arg(i)) => worst = Some(worst.map_or(i, |w: u8| w.max(i))),
        }
    }
    let Some((_, m, what)) = best else {
        return Err(worst.map_or(ResolveError::Arity { min, max }, |arg| ResolveError::NoMatch { arg }));
    };
    let callee = callee(what, m.bound)?;
    Ok(Resolved { callee, params: m.params, ret: m.ret, variadic: m.variadic })
}

/// What a row means for the bound generic type.
fn callee(what: What, bound: BType) -> Result<Callee, ResolveError> {
    let lib = |func: Option<LibFn>, via_f32| {
        let func = func.ok_or(ResolveError::Unsupported("this type"))?;
        Ok(Callee::Meaning(Meaning::Lib { func, via_f32 }))
    };
    match what {
        What::Op(op) => Ok(Callee::Meaning(Meaning::Op(op))),
        What::Form(form) => Ok(Callee::Form(form)),
        What::Lib(name) => lib(library::find(name), false),
        What::Math(base) => {
            let double = bound.scalar == Scalar::Double;
            lib(library::find_math(base, double), bound.scalar.is_float() && bound.scalar.bits() == 16)
        }
        What::Unsupported(what) => Err(ResolveError::Unsupported(what)),
    }
}

/// The fast form of a library call under `--use_fast_math` / `-cl-fast-relaxed-math`: an approximate instruction in
/// place of the accurate function, where the dialects' documents name one. CUDA's `powf` is `__powf` then (CUDA C++ Programming
/// Guide, intrinsic functions); OpenCL C's takes negative numbers to whole powers as before (OpenCL C 3.0, relative error under
/// unsafe mathematics).
pub fn fast_form(meaning: Meaning, lang: Lang) -> Option<Meaning> {
    let Meaning::Lib { func, via_f32 } = meaning else { return None };
    Some(Meaning::Op(Op::Float(match func.name() {
        "__unspool_sinf" => FloatOp::SinApprox,
        "__unspool_cosf" => FloatOp::CosApprox,
        "__unspool_log2f" => FloatOp::Log2Approx,
        other => {
            let fast = match other {
                "__unspool_tanf" => "__unspool_fast_tanf",
                "__unspool_expf" => "__unspool_fast_expf",
                "__unspool_exp10f" => "__unspool_fast_exp10f",
                "__unspool_logf" => "__unspool_fast_logf",
                "__unspool_log10f" => "__unspool_fast_log10f",
                "__unspool_powf" if lang == Lang::OpenCl => "__unspool_fast_signed_powf",
                "__unspool_powf" => "__unspool_fast_powf",
                "__unspool_sincos_outf" => "__unspool_fast_sincosf",
                _ => return None,
            };
            return Some(Meaning::Lib { func: library::find(fast)?, via_f32 });
        }
    })))
}

/// What stands for a GPU's approximate instruction on the host: a function of the library, of the instruction's accuracy
/// or better. Division, square root and their like stay operations: the host has instructions for them. With `fast`, the
/// same for functions that are single instructions of a GPU and so have no fast form there.
pub fn host_form(meaning: Meaning, ret: BType, fast: bool) -> Option<Meaning> {
    let op = match meaning {
        Meaning::Op(Op::Float(op)) => op,
        Meaning::Lib { func, via_f32 } if fast => {
            let name = match func.name() {
                "__unspool_exp2f" => "__unspool_fast_exp2f",
                "__unspool_powrf" => "__unspool_fast_powf",
                "__unspool_sincosf" => "__unspool_fast_sincos_valuef",
                _ => return None,
            };
            return Some(Meaning::Lib { func: library::find(name)?, via_f32 });
        }
        Meaning::Op(_) | Meaning::Lib { .. } | Meaning::Image(_) => return None,
    };
    let base = match op {
        FloatOp::SinApprox => "fast_sin",
        FloatOp::CosApprox => "fast_cos",
        FloatOp::Exp2Approx | FloatOp::Flushed(Flushed::Exp2) => "fast_exp2",
        FloatOp::Log2Approx | FloatOp::Flushed(Flushed::Log2) => "fast_log2",
        FloatOp::TanhApprox => "tanh",
        _ => return None,
    };
    let double = ret.scalar == Scalar::Double;
    let via_f32 = ret.scalar.is_float() && ret.scalar.bits() == 16;
    Some(Meaning::Lib { func: library::find_math(base, double)?, via_f32 })
}

/// A variable that CUDA provides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CudaVariable {
    /// `threadIdx`, of type `uint3`.
    ThreadIdx,
    /// `blockIdx`, of type `uint3`.
    BlockIdx,
    /// `blockDim`, of type `dim3`.
    BlockDim,
    /// `gridDim`, of type `dim3`.
    GridDim,
    /// `warpSize`, of type `int`.
    WarpSize,
}

impl CudaVariable {
    /// The variable of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "threadIdx" => Self::ThreadIdx,
            "blockIdx" => Self::BlockIdx,
            "blockDim" => Self::BlockDim,
            "gridDim" => Self::GridDim,
            "warpSize" => Self::WarpSize,
            _ => return None,
        })
    }

    /// The value of a component (the axis is ignored for `warpSize`).
    pub const fn special(self, axis: Axis) -> Special {
        match self {
            Self::ThreadIdx => Special::ThreadId(axis),
            Self::BlockIdx => Special::GroupId(axis),
            Self::BlockDim => Special::GroupSize(axis),
            Self::GridDim => Special::NumGroups(axis),
            Self::WarpSize => Special::WarpSize,
        }
    }
}

pub use constants::{Constant, constant};
pub use cuda_numbers::runtime_number;

#[cfg(test)]
mod tests;
