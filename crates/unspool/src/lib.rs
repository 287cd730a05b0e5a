//! unspool: a compiler of GPU kernels that answers for every hint.
//!
//! ```no_run
//! use unspool::{Emit, Input, Options, compile};
//!
//! let options = Options::new(unspool::Dialect::CUDA);
//! let result = compile(&Input::text("k.cu", "__global__ void k(int *p) { *p = 1; }"), &options, &Emit::PTX);
//! println!("{}", result.output().unwrap_or(""));
//! for diagnostic in result.session.diagnostics.iter() {
//!     eprintln!("{}", diagnostic.message);
//! }
//! ```
//!
//! [`compile`] takes one source through the whole pipeline, on a stack of its own that is large enough for whatever
//! nesting the stages accept. Nothing is printed: diagnostics, the hint ledger and the timings are in the
//! [`Compilation`].

mod backend;
mod bundle;
pub mod cl;
mod compile;
pub mod explain;
mod kernels;
mod library;
pub mod link;
mod macros;
mod missed_hints;
pub mod object;
mod options;
mod preprocessed;
mod product;
mod ptx_backend;
mod watch;

pub use backend::{Backend, Backends, CodeOptions, Unit};
pub use bundle::bundle;
pub use compile::{Compilation, Input, Timing, compile};
pub use ir::OptLevel;
pub use launch::kernels::KernelInfo;
pub use link::{Linkable, link, link_library};
pub use options::{LoopFactor, MathOptions, Options, Remarks};
pub use preprocessed::{Preprocessed, preprocess};
pub use product::{Artefact, Contents, Emit, Product};
pub use ptx_backend::PtxBackend;
pub use sema::Mode;
pub use syntax::Dialect;
pub use syntax::pp::Define;
pub use target::{Arch, ParseArchError, Target};
pub use unroll::{KnobError, Knobs};
