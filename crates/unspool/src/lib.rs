//! unspool: a compiler of GPU kernels that answers for every hint.
//!
//! ```
//! use unspool::{Dialect, Emit, Input, Options, compile};
//!
//! // A kernel with a hint: 4 copies of the loop's body.
//! let text = "__global__ void scale(float *x, float a, int n) {
//! #pragma unroll 4
//!     for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] *= a;
//! }";
//!
//! // What to compile for, and how: the options of nvcc and clang, as fields.
//! let mut options = Options::new(Dialect::CUDA);
//! options.set_arch("sm_90".parse()?);
//! // An error is the whole log: every diagnostic with its source line.
//! let result = compile(&Input::text("scale.cu", text), &options, &Emit::PTX)?;
//!
//! // Warnings. Nothing is printed by the library.
//! print!("{}", result.log());
//!
//! // The product, with a name for its file.
//! let ptx = &result.artefacts[0];
//! assert_eq!(ptx.name, "scale.ptx");
//! assert!(result.output().is_some_and(|text| text.contains(".target sm_90")));
//!
//! // What became of each hint, where, and why.
//! let hint = result.hints().next().ok_or("one hint stands in the source")?;
//! assert_eq!((hint.asked, hint.line, hint.column), ("#pragma unroll 4", 2, 1));
//! for answer in hint.answers() {
//!     println!("{}:{}: {}: {} ({})", hint.line, hint.column, hint.asked, answer.done, answer.reason);
//! }
//! assert_eq!(hint.fate, Some(unspool::Fate::Honoured));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Products of the IR are made by [`Backend`]s that are registered in [`Options::backends`]: PTX by this library; machine
//! code, which needs LLVM, by the crate `runtime`, which also runs kernels on this machine. What others call kernels by
//! ([`KernelInfo`]), explanations ([`explain`]), programs of several sources ([`link()`]) and stored ones ([`object`]) are
//! here, too.
//!
//! `crates/unspool/examples` has programs: `compile`, `hints`, `factors`.
//!
//! [`compile`] takes one source through the whole pipeline, on a stack of its own that is large enough for whatever
//! nesting the stages accept. Nothing is printed: diagnostics, the hint ledger and the timings are in the
//! [`Compilation`]; [`compile_with_log`] gives it whether there were errors or not.

mod backend;
mod bundle;
pub mod cl;
mod compile;
mod error;
pub mod explain;
mod hints;
mod kernels;
mod layouts;
mod library;
pub mod link;
mod macros;
mod missed_hints;
pub mod object;
mod options;
mod preprocessed;
mod product;
mod ptx_backend;
mod ptx_input;
mod watch;

pub use backend::{Backend, Backends, CodeOptions, Unit};
pub use bundle::bundle;
pub use compile::{Compilation, Input, Timing, compile, compile_with_log};
pub use error::CompileError;
pub use hints::{PlacedAnswer, PlacedHint};
pub use ir::{Module, OptLevel};
pub use launch::kernels::{KernelInfo, VariableInfo};
pub use layouts::{TypeLayout, layouts};
pub use link::{Linkable, link, link_library};
pub use options::{LoopFactor, MathOptions, Options, Remarks};
pub use preprocessed::{Preprocessed, preprocess};
pub use product::{Artefact, Contents, Emit, Product};
pub use ptx_backend::PtxBackend;
pub use ptx_input::ptx_target;
pub use ptx_reader::Origins;
pub use sema::Mode;
pub use source::{
    Advice, Answer, Attempt, Diagnostic, Diagnostics, Fate, FileId, Fix, Hint, HintId, HintKind, Instance, Ledger,
    LoopReport, Session, Severity, SourceMap, Span, TrailStep,
};
pub use syntax::Dialect;
pub use syntax::pp::Define;
pub use target::{Arch, ParseArchError, ParsedArch, Target};
pub use unroll::{KnobError, Knobs};

/// The crates whose types results are made of, for what is not named above: the IR of [`Compilation::module`], arguments
/// of kernels, renderers of diagnostics, occupancy.
pub use {ir, launch, source, target};
