//! Functions and variables.

use super::{FpContract, FuncId, GlobalId, LoopHints, Side, StmtId};
use crate::types::{AddrSpace, NameId, Quals, TyId};
use source::{HintId, Span, Symbol};

/// Who can see a function or global.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Linkage {
    /// Other compilation units.
    External,
    /// Other compilation units, which may have the same definition (templates, `inline`).
    Weak,
    /// This unit only.
    Internal,
}

/// Whether to inline.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Inlining {
    /// As the optimiser thinks.
    #[default]
    Auto,
    /// `inline`: rather yes.
    Hint,
    /// `__forceinline__`, `always_inline`.
    Always,
    /// `__noinline__`.
    Never,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name in the object: mangled in C++ unless `extern "C"`.
    pub symbol: String,
    /// Its name for people: `kernel<4>(float*)`; plain in C.
    pub display: String,
    /// Its unqualified name as written.
    pub name: Symbol,
    /// In the name tree.
    pub path: NameId,
    /// Where its name is declared.
    pub span: Span,
    /// Callable by the host, as a kernel.
    pub is_kernel: bool,
    /// Who may call it.
    pub side: Side,
    /// Result type; a reference has become a pointer.
    pub ret: TyId,
    /// Ends in `...` (only undefined functions).
    pub variadic: bool,
    /// The first `param_count` locals are the parameters.
    pub param_count: u32,
    /// Parameters and variables.
    pub locals: Vec<Local>,
    /// Number of labels.
    pub labels: Vec<Symbol>,
    /// Loops, by the index that loop statements carry.
    pub loops: Vec<LoopHints>,
    /// Who sees it.
    pub linkage: Linkage,
    /// Attributes.
    pub attrs: FnAttrs,
    /// Of kernels: how the source writes the signature.
    pub text: KernelText,
    /// Function-scope shared and static variables.
    pub owned_globals: Vec<GlobalId>,
    /// Body; `None` if only declared (an external device function).
    pub body: Option<StmtId>,
    /// Of what stands for a virtual function: what a call comes to. It has no body.
    pub overriders: Option<Vec<Overrider>>,
    /// Contraction of floating-point operations where the body begins.
    pub contract: FpContract,
}

/// What a call of a virtual function comes to for objects of one class.
///
/// Constructors leave a number in the first eight bytes of each part of an object that has virtual functions. It tells the
/// class of the whole object, and which part this is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overrider {
    /// The number.
    pub number: u64,
    /// What is called; `None` for a destructor that does nothing.
    pub function: Option<FuncId>,
    /// Bytes to add to the part's address for the `this` of `function`.
    pub this_offset: i64,
    /// Bytes to add to the result, a pointer to a class that is derived from the one expected; null stays null. With
    /// `gives_start`, bytes from the part to the start of the object.
    pub result_offset: i64,
    /// A destructor: the result is the address of the whole object, for `delete`.
    pub gives_start: bool,
}

/// How a kernel's signature is written.
#[derive(Clone, Debug, Default)]
pub struct KernelText {
    /// Each parameter, in order.
    pub params: Vec<ParamText>,
    /// The attributes of OpenCL C: `reqd_work_group_size(8,4,1)`, in source order.
    pub attributes: Vec<String>,
}

/// How a parameter is written.
#[derive(Clone, Debug)]
pub struct ParamText {
    /// Its type as `clGetKernelArgInfo` names it: typedef names as written, no qualifiers, no spaces: `uint`, `float4*`.
    pub type_name: String,
}

/// A function's attributes.
#[derive(Clone, Debug, Default)]
pub struct FnAttrs {
    /// `reqd_work_group_size`.
    pub reqd_work_group_size: Option<Asked<[u32; 3]>>,
    /// `work_group_size_hint`.
    pub work_group_size_hint: Option<Asked<[u32; 3]>>,
    /// `vec_type_hint`.
    pub vec_type_hint: Option<Asked<TyId>>,
    /// `__launch_bounds__`.
    pub launch_bounds: Option<Asked<LaunchBounds>>,
    /// `__maxnreg__`.
    pub maxnreg: Option<Asked<u32>>,
    /// `__cluster_dims__`: blocks of a cluster; zeros where the launch says how many.
    pub cluster_dims: Option<Asked<[u32; 3]>>,
    /// Inlining.
    pub inlining: Inlining,
    /// The ledger entry of the inlining request, if it was written.
    pub inline_hint: Option<HintId>,
    /// `optsize`.
    pub optsize: bool,
    /// `minsize`.
    pub minsize: bool,
    /// `optnone`.
    pub optnone: bool,
    /// `cold`.
    pub cold: bool,
    /// `noreturn`.
    pub noreturn: bool,
    /// `pure` or `const`.
    pub pure: bool,
    /// `convergent`.
    pub convergent: bool,
    /// `unspool_unroll(knob=value…)`: the unroller's knobs for this function.
    pub unroll_knobs: Vec<(String, i64)>,
    /// Further ledger entries about this function that later stages answer.
    pub hints: Vec<HintId>,
    /// The attributes of OpenCL C as `CL_KERNEL_ATTRIBUTES` spells them, in source order.
    pub written: Vec<String>,
}

/// A value that a hint asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked<T> {
    /// What.
    pub value: T,
    /// To be answered.
    pub hint: HintId,
}

/// `__launch_bounds__(max_threads, min_blocks, max_cluster)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaunchBounds {
    /// Threads per block at most.
    pub max_threads: u32,
    /// Blocks per multiprocessor at least; 0: not given.
    pub min_blocks: u32,
    /// Blocks per cluster at most; 0: not given.
    pub max_cluster: u32,
}

/// A parameter or variable of a function.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    /// Name; `None` for temporaries and unnamed parameters.
    pub name: Option<Symbol>,
    /// An object that an expression makes and has as its value: what the value initialises is that object (C++17, 11.6p17).
    pub is_made: bool,
    /// Type; a reference has become a pointer.
    pub ty: TyId,
    /// Qualifiers; `RESTRICT` on a parameter says that its pointee is not aliased.
    pub quals: Quals,
    /// Alignment in bytes.
    pub align: u32,
    /// It was declared as a reference (so it is never null, and never changes).
    pub is_reference: bool,
    /// `__grid_constant__` parameter.
    pub grid_constant: bool,
    /// The ledger entry of `restrict`, if one was made.
    pub restrict_hint: Option<HintId>,
    /// Where it is declared.
    pub span: Span,
}

/// A global variable, a function's static or shared variable, or a string literal.
#[derive(Clone, Debug)]
pub struct Global {
    /// Name in the object.
    pub symbol: String,
    /// Name as written; `None` for string literals.
    pub name: Option<Symbol>,
    /// Type.
    pub ty: TyId,
    /// Qualifiers.
    pub quals: Quals,
    /// Where it lives: `Global`, `Shared` or `Constant`.
    pub space: AddrSpace,
    /// Alignment in bytes.
    pub align: u32,
    /// Who sees it.
    pub linkage: Linkage,
    /// Who may use it by its name.
    pub side: Side,
    /// `extern __shared__ T x[]`: the launch decides its size; all such variables share one address.
    pub dynamic_shared: bool,
    /// `__managed__`.
    pub managed: bool,
    /// Defined elsewhere.
    pub is_extern: bool,
    /// Initial contents; `None`: zero (shared: undefined).
    pub init: Option<GlobalInit>,
    /// The function it was declared in.
    pub owner: Option<FuncId>,
    /// Where it is declared.
    pub span: Span,
}

/// Initial contents of a global.
#[derive(Clone, Debug, Default)]
pub struct GlobalInit {
    /// As many bytes as the type is large (trailing zeros may be left off).
    pub bytes: Vec<u8>,
    /// Addresses to add in, each 8 bytes wide.
    pub relocs: Vec<Reloc>,
}

/// An address inside a global's contents.
#[derive(Clone, Copy, Debug)]
pub struct Reloc {
    /// Where in the contents.
    pub offset: u64,
    /// Whose address.
    pub target: RelocTarget,
    /// Bytes to add to it.
    pub addend: i64,
    /// The address is stored as one of this space (`Generic` needs a conversion).
    pub space: AddrSpace,
}

/// What a [`Reloc`] points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RelocTarget {
    /// A global.
    Global(GlobalId),
    /// A function.
    Function(FuncId),
}
