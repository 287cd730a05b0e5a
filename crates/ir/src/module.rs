//! Modules: functions, globals, and the options that code generation shares.

use crate::{AddrSpace, FuncId, Function, Global, Linkage, Type};
use cranelift_entity::PrimaryMap;
use source::Span;

/// An address inside a global's initialiser.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reloc {
    /// Where in the initialiser, in bytes; 8 bytes are written.
    pub offset: u32,
    /// Address of which global.
    pub global: Global,
    /// Plus so many bytes.
    pub addend: i64,
    /// The pointer is generic, not one of the global's own space.
    pub generic: bool,
}

/// What a global holds before the first kernel runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GlobalInit {
    /// Nothing in particular (work-group memory), or it lives in another module.
    None,
    /// Zeros.
    Zero,
    /// These bytes, then zeros; with addresses.
    Bytes(Vec<u8>, Vec<Reloc>),
}

/// A global variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GlobalData {
    /// Symbol name.
    pub name: String,
    /// Address space.
    pub space: AddrSpace,
    /// Bytes; 0 for dynamically sized work-group memory (`extern __shared__ T x[]`).
    pub size: u64,
    /// Alignment in bytes, a power of two.
    pub align: u32,
    /// Initial contents.
    pub init: GlobalInit,
    /// Never written: loads may be folded.
    pub constant: bool,
    /// Visibility.
    pub linkage: Linkage,
    /// Defined elsewhere.
    pub external: bool,
    /// Scalar type of the elements, for readable output and typed initialisers.
    pub elem: Type,
    /// Where it was declared.
    pub span: Span,
}

/// Floating-point options of a compilation that back ends need besides instruction flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MathMode {
    /// `-ftz=true`: single-precision subnormals are flushed.
    pub ftz: bool,
    /// `-prec-div=true`: IEEE single-precision division; otherwise 2 ulp.
    pub prec_div: bool,
    /// `-prec-sqrt=true`: IEEE single-precision square root.
    pub prec_sqrt: bool,
    /// `-fmad=true`: multiplications and additions that no pragma is about were given `contract`. Passes and back ends
    /// go by the flag of each operation.
    pub fmad: bool,
}

impl Default for MathMode {
    fn default() -> Self {
        Self { ftz: false, prec_div: true, prec_sqrt: true, fmad: true }
    }
}

/// A compilation unit.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Name of the source file.
    pub name: String,
    /// Functions.
    pub functions: PrimaryMap<FuncId, Function>,
    /// Globals.
    pub globals: PrimaryMap<Global, GlobalData>,
    /// Floating-point options.
    pub math: MathMode,
}

impl Module {
    /// The function with this symbol name.
    pub fn find(&self, name: &str) -> Option<FuncId> {
        self.functions.iter().find(|(_, f)| f.name == name).map(|(id, _)| id)
    }
}
