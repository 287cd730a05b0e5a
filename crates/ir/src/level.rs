//! How hard the optimiser and back ends work.

/// How hard to optimise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum OptLevel {
    /// `-O0`: only what code generation needs, and `always_inline`.
    O0,
    /// `-O1`: cheap passes, no unrolling but what was asked for.
    O1,
    /// `-O2`: everything that pays in general.
    #[default]
    O2,
    /// `-O3`: the same with larger limits; of LLVM, everything twice and the dearest code generation, for code that is
    /// kept.
    O3,
}
