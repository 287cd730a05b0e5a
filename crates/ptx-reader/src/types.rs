//! Types and state spaces of PTX.

use ir::{AddrSpace, Type};

/// A type as instructions and declarations name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PtxType {
    Pred,
    /// Untyped bits.
    B(u32),
    /// Unsigned integer.
    U(u32),
    /// Signed integer.
    S(u32),
    F16,
    BF16,
    F32,
    F64,
    /// Two of these in 32 bits.
    F16x2,
    BF16x2,
    U16x2,
    S16x2,
    /// Two in 64 bits.
    F32x2,
}

impl PtxType {
    /// The type of that name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "pred" => Self::Pred,
            "b8" => Self::B(8),
            "b16" => Self::B(16),
            "b32" => Self::B(32),
            "b64" => Self::B(64),
            "b128" => Self::B(128),
            "u8" => Self::U(8),
            "u16" => Self::U(16),
            "u32" => Self::U(32),
            "u64" => Self::U(64),
            "s8" => Self::S(8),
            "s16" => Self::S(16),
            "s32" => Self::S(32),
            "s64" => Self::S(64),
            "f16" => Self::F16,
            "bf16" => Self::BF16,
            "f32" => Self::F32,
            "f64" => Self::F64,
            "f16x2" => Self::F16x2,
            "bf16x2" => Self::BF16x2,
            "u16x2" => Self::U16x2,
            "s16x2" => Self::S16x2,
            "f32x2" => Self::F32x2,
            _ => return None,
        })
    }

    /// How it is written.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Pred => ".pred".to_owned(),
            Self::B(n) => format!(".b{n}"),
            Self::U(n) => format!(".u{n}"),
            Self::S(n) => format!(".s{n}"),
            Self::F16 => ".f16".to_owned(),
            Self::BF16 => ".bf16".to_owned(),
            Self::F32 => ".f32".to_owned(),
            Self::F64 => ".f64".to_owned(),
            Self::F16x2 => ".f16x2".to_owned(),
            Self::BF16x2 => ".bf16x2".to_owned(),
            Self::U16x2 => ".u16x2".to_owned(),
            Self::S16x2 => ".s16x2".to_owned(),
            Self::F32x2 => ".f32x2".to_owned(),
        }
    }

    /// Bits; 1 for predicates.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Self::Pred => 1,
            Self::B(n) | Self::U(n) | Self::S(n) => n,
            Self::F16 | Self::BF16 => 16,
            Self::F32 | Self::F16x2 | Self::BF16x2 | Self::U16x2 | Self::S16x2 => 32,
            Self::F64 | Self::F32x2 => 64,
        }
    }

    /// Bytes in memory.
    pub(crate) fn bytes(self) -> u64 {
        u64::from(self.bits().div_ceil(8))
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::BF16 | Self::F32 | Self::F64 | Self::F16x2 | Self::BF16x2 | Self::F32x2)
    }

    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Self::S(_) | Self::S16x2)
    }

    /// Whether it is a signed or unsigned integer of one element.
    pub(crate) fn is_int(self) -> bool {
        matches!(self, Self::U(_) | Self::S(_))
    }

    /// The type that values are computed in. 128 bits are moved only.
    pub(crate) fn ir(self) -> Option<Type> {
        Some(match self {
            Self::Pred => Type::I1,
            Self::B(128) => Type::I64.vector(2)?,
            Self::B(n) | Self::U(n) | Self::S(n) => Type::int(n)?,
            Self::F16 => Type::F16,
            Self::BF16 => Type::BF16,
            Self::F32 => Type::F32,
            Self::F64 => Type::F64,
            Self::F16x2 => Type::F16.vector(2)?,
            Self::BF16x2 => Type::BF16.vector(2)?,
            Self::U16x2 | Self::S16x2 => Type::I16.vector(2)?,
            Self::F32x2 => Type::F32.vector(2)?,
        })
    }

    /// The type that a register declared so holds.
    pub(crate) fn register(self) -> Option<Type> {
        match self {
            Self::Pred => Some(Type::I1),
            Self::F32 => Some(Type::F32),
            Self::F64 => Some(Type::F64),
            Self::B(128) => Type::I64.vector(2),
            _ => Type::int(self.bits()),
        }
    }

    /// Untyped bits of the same size.
    pub(crate) fn untyped(self) -> Self {
        if self == Self::Pred { self } else { Self::B(self.bits()) }
    }
}

/// A state space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Space {
    Reg,
    Generic,
    Global,
    Param,
    Shared,
    Const,
    Local,
}

impl Space {
    /// The space of that name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "reg" => Self::Reg,
            "global" => Self::Global,
            "param" | "param::entry" | "param::func" => Self::Param,
            // A cluster has one group here.
            "shared" | "shared::cta" | "shared::cluster" => Self::Shared,
            "const" => Self::Const,
            "local" => Self::Local,
            _ => return None,
        })
    }

    /// What the IR calls it.
    pub(crate) fn ir(self) -> AddrSpace {
        match self {
            Self::Generic | Self::Reg => AddrSpace::Generic,
            Self::Global => AddrSpace::Global,
            Self::Param => AddrSpace::Param,
            Self::Shared => AddrSpace::Shared,
            Self::Const => AddrSpace::Constant,
            Self::Local => AddrSpace::Private,
        }
    }

    /// How it is written.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Reg => ".reg",
            Self::Generic => "generic",
            Self::Global => ".global",
            Self::Param => ".param",
            Self::Shared => ".shared",
            Self::Const => ".const",
            Self::Local => ".local",
        }
    }
}
