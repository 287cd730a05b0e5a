//! What a host must know of a kernel to call it: the names and types of its parameters, as the source has them.

use sema::program::{Function, Local, Program};
use sema::types::{AddrSpace, FloatKind, IntKind, Ty, TyId, TypeTable};
use serde::{Deserialize, Serialize};
use source::{Session, Span};
use syntax::Dialect;

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
    /// Something a host cannot pass here: images, samplers, queues.
    Opaque,
}

/// A parameter of a kernel.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ParamInfo {
    /// Its name; may be empty.
    pub name: String,
    /// Its type as the dialect spells it.
    pub ty: String,
    /// What it takes.
    pub kind: ParamKind,
    /// Where it is declared; [`Span::NONE`] when it comes out of a stored file.
    #[serde(skip)]
    pub span: Span,
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
    /// Where it is declared; [`Span::NONE`] when it comes out of a stored file.
    #[serde(skip)]
    pub span: Span,
}

/// The kernels of a checked program, in source order.
pub(crate) fn gather(program: &Program, session: &Session, dialect: Dialect) -> Vec<KernelInfo> {
    let kernels = program.functions.iter().filter(|f| f.is_kernel && f.body.is_some());
    kernels.map(|f| kernel(f, &program.types, session, dialect)).collect()
}

fn kernel(f: &Function, types: &TypeTable, session: &Session, dialect: Dialect) -> KernelInfo {
    KernelInfo {
        symbol: f.symbol.clone(),
        display: f.display.clone(),
        name: session.str(f.name).to_owned(),
        params: f.locals[..f.param_count as usize].iter().map(|p| param(p, types, session, dialect)).collect(),
        span: f.span,
    }
}

fn param(p: &Local, types: &TypeTable, session: &Session, dialect: Dialect) -> ParamInfo {
    ParamInfo {
        name: p.name.map_or("", |s| session.str(s)).to_owned(),
        ty: sema::display::type_name(types, &session.strings, p.ty, dialect),
        kind: param_kind(types, p.ty),
        span: p.span,
    }
}

fn param_kind(types: &TypeTable, ty: TyId) -> ParamKind {
    match types.get(ty) {
        Ty::Pointer { pointee, quals, space } | Ty::Reference { pointee, quals, space, .. } => {
            let space = match space {
                AddrSpace::Shared => Space::Local,
                AddrSpace::Constant => Space::Constant,
                AddrSpace::Generic | AddrSpace::Global | AddrSpace::Private => Space::Global,
            };
            ParamKind::Pointer {
                space,
                element: element(types, *pointee),
                element_bytes: types.size_of(*pointee).unwrap_or(1).max(1),
                read_only: quals.is_const() || space == Space::Constant,
            }
        }
        Ty::Opaque(_) => ParamKind::Opaque,
        _ => match (element(types, ty), types.size_of(ty)) {
            (Some(e), _) => ParamKind::Value(e),
            (None, Some(bytes)) => ParamKind::Bytes { bytes },
            (None, None) => ParamKind::Opaque,
        },
    }
}

/// A type as so many of one scalar, if it is that without holes between them.
fn element(types: &TypeTable, ty: TyId) -> Option<Element> {
    let bytes = types.size_of(ty)?;
    let (scalar, count) = match types.get(ty) {
        Ty::Vector { elem, n } => (scalar(types, *elem)?, u32::from(*n)),
        Ty::Array { elem, len: Some(len) } => {
            let e = element(types, *elem)?;
            (e.scalar, dense(e)?.checked_mul(u32::try_from(*len).ok()?)?)
        }
        Ty::Record(id) => {
            let record = types.record(*id);
            let bits = record.fields.iter().any(|f| f.bits.is_some());
            if record.is_union || !record.complete || !record.bases.is_empty() || bits {
                return None;
            }
            let mut parts = record.fields.iter().map(|f| element(types, f.ty));
            let first = parts.next()??;
            let count = parts.try_fold(dense(first)?, |n, part| {
                let part = part?;
                if part.scalar == first.scalar { n.checked_add(dense(part)?) } else { None }
            })?;
            (first.scalar, count)
        }
        _ => (scalar(types, ty)?, 1),
    };
    let full = scalar.bytes() * u64::from(count) == bytes;
    (full || types.is_vector(ty)).then_some(Element { scalar, count, bytes })
}

/// How many scalars an element has, unless there are holes in it.
fn dense(e: Element) -> Option<u32> {
    (e.scalar.bytes() * u64::from(e.count) == e.bytes).then_some(e.count)
}

fn scalar(types: &TypeTable, ty: TyId) -> Option<Scalar> {
    if *types.get(ty) == Ty::Bool {
        return Some(Scalar::Bool);
    }
    if let Some(f) = types.float_kind(ty) {
        return Some(match f {
            FloatKind::Half => Scalar::F16,
            FloatKind::BFloat16 => Scalar::BF16,
            FloatKind::Float => Scalar::F32,
            FloatKind::Double => Scalar::F64,
        });
    }
    let kind: IntKind = types.int_kind(ty)?;
    Some(match (kind.bits(), kind.signed()) {
        (8, true) => Scalar::I8,
        (8, false) => Scalar::U8,
        (16, true) => Scalar::I16,
        (16, false) => Scalar::U16,
        (32, true) => Scalar::I32,
        (32, false) => Scalar::U32,
        (_, true) => Scalar::I64,
        (_, false) => Scalar::U64,
    })
}
