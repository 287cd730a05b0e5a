//! What the checker must know beside the tree.

use syntax::Dialect;
pub use syntax::Mode;
use target::Target;

/// The language and the target, as far as checking depends on them.
#[derive(Clone, Debug)]
pub struct SemaOptions {
    /// The language.
    pub dialect: Dialect,
    /// `-fmode`.
    pub mode: Mode,
    /// What the program is for.
    pub target: Target,
    /// `--use_fast_math`, `-cl-fast-relaxed-math`: approximate functions replace accurate ones.
    pub fast_math: bool,
    /// `-cl-single-precision-constant`: floating literals without suffix are `float`.
    pub single_precision_constants: bool,
    /// Emit functions that nothing in the unit calls but other units could.
    pub emit_external_functions: bool,
    /// Emit `static` functions that nothing calls: the builtin library is compiled before its callers.
    pub emit_internal_functions: bool,
    /// What the file's own names are told apart by ([`crate::mangle::Mangler::with_module`]).
    pub module: Option<String>,
}

impl SemaOptions {
    /// The defaults of a dialect.
    pub fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            mode: Mode::Nvcc,
            target: Target::default(),
            fast_math: false,
            single_precision_constants: false,
            emit_external_functions: true,
            emit_internal_functions: false,
            module: None,
        }
    }
}
