//! What a host must know of a kernel to call it: the names and types of its parameters, as the source has them.

use serde::{Deserialize, Serialize};
use source::Span;

/// A scalar type in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Scalar {
    /// A truth value in one byte, 0 or 1.
    Bool,
    /// Signed, 8 bits.
    I8,
    /// Unsigned, 8 bits.
    U8,
    /// Signed, 16 bits.
    I16,
    /// Unsigned, 16 bits.
    U16,
    /// Signed, 32 bits.
    I32,
    /// Unsigned, 32 bits.
    U32,
    /// Signed, 64 bits.
    I64,
    /// Unsigned, 64 bits.
    U64,
    /// IEEE binary16.
    F16,
    /// bfloat16.
    BF16,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
}

impl Scalar {
    /// Size in bytes.
    pub const fn bytes(self) -> u64 {
        match self {
            Self::Bool | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 | Self::F16 | Self::BF16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    /// Whether it is a floating-point type.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::BF16 | Self::F32 | Self::F64)
    }

    /// Whether it is an integer type with negative values.
    pub const fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64)
    }
}

/// A scalar, a vector, or an aggregate made of one kind of scalar only (CUDA's `float4`, `struct { int x, y; }`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Element {
    /// The scalars.
    pub scalar: Scalar,
    /// How many of them mean something.
    pub count: u32,
    /// Size in memory in bytes; more than the scalars take for vectors of three.
    pub bytes: u64,
}

/// Where a pointer parameter points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Space {
    /// Device memory; CUDA's plain pointers.
    Global,
    /// OpenCL's `__constant`.
    Constant,
    /// Memory of the work-group (OpenCL's `__local`): the launch gives its size.
    Local,
}

/// What a parameter takes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ParamKind {
    /// A value; a C++ `enum` counts as its integer.
    Value(Element),
    /// A pointer or reference.
    Pointer {
        /// Where it points.
        space: Space,
        /// What it points to; `None` for `void` and mixed aggregates.
        element: Option<Element>,
        /// Size of what it points to in bytes; 1 for `void`.
        element_bytes: u64,
        /// Nothing is written through it.
        read_only: bool,
    },
    /// An aggregate of mixed members, by value.
    Bytes {
        /// Size in bytes.
        bytes: u64,
    },
    /// An image: the address of its description ([`ImageDesc`](crate::image::ImageDesc)).
    Image {
        /// What the kernel may do to it.
        access: Access,
        /// Its shape.
        dims: ImageDims,
    },
    /// A sampler: a `uint` of the bits in [`crate::image`].
    Sampler,
    /// Something a host cannot pass here: queues.
    Opaque,
}

/// A parameter of a kernel.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ParamInfo {
    /// Its name; may be empty.
    pub name: String,
    /// Its type as the dialect spells it.
    pub ty: String,
    /// Its type as `CL_KERNEL_ARG_TYPE_NAME` has it: as declared, without qualifiers and spaces, unsigned types in one
    /// word: `uint`, `float4*`, `my_struct*`.
    pub type_name: String,
    /// `CL_KERNEL_ARG_ADDRESS_QUALIFIER`.
    pub address: Address,
    /// `CL_KERNEL_ARG_ACCESS_QUALIFIER`.
    pub access: Access,
    /// `CL_KERNEL_ARG_TYPE_QUALIFIER`.
    pub qualifiers: TypeQualifiers,
    /// What it takes.
    pub kind: ParamKind,
    /// Where it is declared; [`Span::NONE`] when it comes out of a stored file.
    #[serde(skip)]
    pub span: Span,
}

/// The address space of a parameter, as the host API names it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Address {
    /// Pointers to global memory, images and pipes.
    Global,
    /// Pointers to local memory.
    Local,
    /// Pointers to constant memory.
    Constant,
    /// Values.
    Private,
}

/// The shape of an image.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ImageDims {
    /// `image1d_t`
    D1,
    /// `image1d_array_t`
    D1Array,
    /// `image1d_buffer_t`
    D1Buffer,
    /// `image2d_t`
    D2,
    /// `image2d_array_t`
    D2Array,
    /// `image3d_t`
    D3,
}

/// Access of an image or pipe, as the host API names it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Access {
    /// Neither image nor pipe.
    None,
    /// `read_only`, and images that do not say.
    ReadOnly,
    /// `write_only`.
    WriteOnly,
    /// `read_write`.
    ReadWrite,
}

/// Qualifiers of a parameter's type, as the host API reports them: those of what a pointer points to, and `restrict`
/// of the pointer. Values have none: they are copies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct TypeQualifiers {
    /// `const`; pointers to constant memory have it always.
    pub is_const: bool,
    /// `restrict`
    pub is_restrict: bool,
    /// `volatile`
    pub is_volatile: bool,
    /// `pipe`
    pub is_pipe: bool,
}

/// `vec_type_hint`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct VecTypeHint {
    /// The type, in one word: `float4`.
    pub type_name: String,
    /// Its components; 1 for scalars.
    pub width: u32,
    /// Size of a component in bytes.
    pub scalar_bytes: u32,
}

/// A kernel as its callers see it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct KernelInfo {
    /// Symbol name: mangled in C++ unless `extern "C"`.
    pub symbol: String,
    /// Name for people, with template arguments and parameters in C++: `scale<4>(float*)`.
    pub display: String,
    /// Name as written.
    pub name: String,
    /// Parameters in order.
    pub params: Vec<ParamInfo>,
    /// `CL_KERNEL_ATTRIBUTES`: the attributes of the source without spaces in them, in its order, with one space
    /// between: `reqd_work_group_size(8,4,1) vec_type_hint(float4)`.
    pub attributes: String,
    /// `reqd_work_group_size`.
    pub reqd_work_group_size: Option<[u32; 3]>,
    /// `work_group_size_hint`.
    pub work_group_size_hint: Option<[u32; 3]>,
    /// `vec_type_hint`.
    pub vec_type_hint: Option<VecTypeHint>,
    /// Work-items that follow each other in y access neighbours, those in x do not ([`ir::FnAttrs::rows_in_y`]).
    pub rows_in_y: bool,
    /// Work-items stream through memory, row by row ([`ir::FnAttrs::streams`]).
    pub streams: bool,
    /// [How many dimensions](dimensions) it asks about.
    pub dimensions: u32,
    /// [Bits of what it mostly computes with](element_bits).
    pub element_bits: u32,
    /// Where it is declared; [`Span::NONE`] when it comes out of a stored file.
    #[serde(skip)]
    pub span: Span,
}

/// How many dimensions a kernel asks about: 1 more than the last one whose ids or sizes it reads, 1 if it reads none.
pub fn dimensions(func: &ir::Function) -> u32 {
    use ir::SpecialReg::*;
    let insts = func.layout.blocks().flat_map(|b| func.layout.insts(b));
    let asked = insts.filter_map(|i| func.dfg.insts[i].special()).map(|r| match r {
        TidY | NtidY | CtaidY | NctaidY | OffsetY => 2,
        TidZ | NtidZ | CtaidZ | NctaidZ | OffsetZ => 3,
        _ => 1,
    });
    asked.max().unwrap_or(1)
}

/// Bits of the elements that a kernel mostly computes with: 32, or 64 where doubles are all that it has, or nearly. What is only
/// loaded, stored and converted to doubles is not computed with: in vectors of such elements each conversion would be in halves.
pub fn element_bits(func: &ir::Function) -> u32 {
    use ir::{Opcode, ScalarKind};
    let (mut narrow, mut wide) = (0u32, 0u32);
    for i in func.layout.blocks().flat_map(|b| func.layout.insts(b)) {
        let data = &func.dfg.insts[i];
        let moves = matches!(data.op, Opcode::Load | Opcode::FpTrunc);
        match data.ty.kind() {
            ScalarKind::F32 | ScalarKind::F16 | ScalarKind::BF16 => narrow += u32::from(!moves),
            ScalarKind::F64 => wide += 1,
            _ => {}
        }
    }
    if wide > NEARLY * narrow { 64 } else { 32 }
}

/// Operations on doubles for each on narrower numbers from which a kernel mostly computes with doubles.
const NEARLY: u32 = 8;

/// A variable outside of functions, or a static one in a function, in global or constant memory, as its source has it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct VariableInfo {
    /// Symbol name: mangled in C++ namespaces and functions.
    pub symbol: String,
    /// Name with those of the namespaces or the function around it: `tables::sine`.
    pub path: String,
    /// Name as written.
    pub name: String,
    /// Its type as the dialect spells it.
    pub ty: String,
    /// What it is made of; `None` for pointers and mixed aggregates.
    pub element: Option<Element>,
    /// Size in bytes.
    pub bytes: u64,
    /// Where it is declared; [`Span::NONE`] when it comes out of a stored file.
    #[serde(skip)]
    pub span: Span,
}
