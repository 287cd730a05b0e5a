//! How hard LLVM works.

/// How hard LLVM works.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum OptLevel {
    /// No passes; fastest to compile.
    O0,
    /// Combining and control flow, and the cheaper half of code generation.
    O1,
    /// Common subexpressions and what does not change in loops as well: what pays where kernels are compiled as they are
    /// wanted.
    #[default]
    O2,
    /// All of it twice, unrolling and straight-line vectors between, and the dearest code generation: for code that is
    /// kept.
    O3,
}
