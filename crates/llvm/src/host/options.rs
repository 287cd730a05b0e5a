//! What a caller may ask for.

use super::Effort;
use crate::OptLevel;

/// Who flushes the subnormal operands and results of instructions with the flag `ftz`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Denormals {
    /// The processor: the caller sets flush-to-zero and denormals-are-zero (`MXCSR` on x86, `FPCR` on AArch64) around
    /// the calls of entry points if `ir::Module::math` says `ftz`, and costs nothing. Instructions without the flag are
    /// then flushed, too, and doubles.
    #[default]
    Environment,
    /// The code, instruction by instruction: exact, and slow.
    Emulate,
}

/// What to compile, and how.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// Names of the work-group functions that are to be visible outside. What they do not reach is left out.
    pub entries: &'a [&'a str],
    /// How hard to work.
    pub opt: OptLevel,
    /// Whether the iterations of loops go into the lanes of vectors (from [`OptLevel::O2`] on): for work-groups of one work-item,
    /// whose vectors are empty else.
    pub loops: bool,
    /// Whether scalars of a work-item that lie side by side go into the lanes of vectors (from [`OptLevel::O2`] on): for kernels whose work-items run one
    /// after another through vectors and records.
    pub packs: bool,
    /// Who flushes subnormals.
    pub denormals: Denormals,
    /// Source lines for debuggers and profilers, from this map.
    pub debug_lines: Option<&'a source::SourceMap>,
    /// Whether [variables that outlive kernels](launch::variables) are left out of the code, which then refers to their
    /// [symbols](launch::variables::symbol); else they are parts of it, initialised.
    pub import_variables: bool,
    /// Most bytes of private memory along a chain of calls; 0 stands for [`Options::DEFAULT_STACK`].
    pub max_stack: u64,
    /// The most that LLVM does for a function, whatever its size.
    pub effort: Effort,
}

impl Options<'_> {
    /// Half of what threads have by default.
    pub const DEFAULT_STACK: u64 = 1 << 20;
}
