//! The region compiler: a preprocessed C file with accelerator directives becomes a C file for the host's compiler, in which
//! regions are calls, and kernels in C for unspool.
//!
//! * Text outside of regions is the user's, byte for byte and line by line; what a directive becomes stands on its line.
//! * A region that cannot be compiled stays in the text and runs on the host, and [`Translation::info`] says why; so the
//!   program is always whole.
//! * Sizes, bounds and operands of clauses are C expressions that the host evaluates.
//!
//! The order: [`Unit`](unit) reads the file, [`scope`] finds directives and whose each name is, [`region`] plans a
//! construct with [`verdict`], [`data`] and [`kernel`], [`host`] writes the result.

mod access;
mod apart;
mod atomic;
mod block;
mod branching;
mod captured;
mod checks;
mod collide;
mod constant;
mod ctype;
mod data;
mod dependence;
mod edit;
mod events;
mod explain;
mod extent;
mod firsts;
mod fixed;
mod host;
mod index;
mod info;
mod kernel;
mod levels;
mod linear;
mod liveness;
mod loop_words;
mod loops;
mod operands;
mod own_memory;
mod placing;
mod pointers;
mod poly;
mod purity;
mod questions;
mod reach;
mod reduction;
mod region;
mod routine;
mod rules;
mod scope;
mod sources;
mod strides;
mod sums;
mod told;
mod unit;
mod varied;
mod verdict;
mod witness;

pub use explain::{Fate, Told, ToldClause};
pub use host::{
    Compile, Entry, GpuCode, ITEMS, KernelCode, KernelSource, LOCAL, LOCAL_SHARING, Layout, NARROW, Options, PRELUDE,
    SHARING, Translation, is_for_overlaps, translate,
};
pub use info::Info;
pub use routine::RoutineSource;
