//! Value types.

use std::fmt;

/// Kind of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum ScalarKind {
    /// No value.
    Void,
    /// Truth value.
    I1,
    /// 8-bit integer.
    I8,
    /// 16-bit integer.
    I16,
    /// 32-bit integer.
    I32,
    /// 64-bit integer.
    I64,
    /// IEEE binary16.
    F16,
    /// bfloat16.
    BF16,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// Pointer, 64 bits.
    Ptr,
}

/// Address spaces, numbered as NVPTX numbers them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum AddrSpace {
    /// Any of the others, told apart at run time.
    Generic = 0,
    /// Device memory.
    Global = 1,
    /// Kernel parameter space (PTX `.param`).
    Param = 2,
    /// Memory of a work-group: CUDA `__shared__`, OpenCL `__local`.
    Shared = 3,
    /// Constant memory.
    Constant = 4,
    /// Memory of one work-item: the stack.
    Private = 5,
}

impl AddrSpace {
    /// Every address space.
    pub const ALL: [Self; 6] = [Self::Generic, Self::Global, Self::Param, Self::Shared, Self::Constant, Self::Private];

    /// The space with this number.
    pub fn from_number(n: u8) -> Option<Self> {
        Self::ALL.get(n as usize).copied()
    }

    /// The word for it in text IR.
    pub fn name(self) -> &'static str {
        ["generic", "global", "param", "shared", "constant", "private"][self as usize]
    }
}

/// A value's type: a scalar, or a vector of 2, 3, 4, 8 or 16 of them, or of 32 or 64 where lanes are work-items,
/// or of as many as inline assembly has outputs, at most 128.
/// Two bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Type(u16);

const LANES: [u8; 9] = [1, 2, 3, 4, 8, 16, 32, 64, 128];
const KINDS: [ScalarKind; 11] = [
    ScalarKind::Void,
    ScalarKind::I1,
    ScalarKind::I8,
    ScalarKind::I16,
    ScalarKind::I32,
    ScalarKind::I64,
    ScalarKind::F16,
    ScalarKind::BF16,
    ScalarKind::F32,
    ScalarKind::F64,
    ScalarKind::Ptr,
];

impl Type {
    /// No value: the result type of stores and terminators.
    pub const VOID: Self = Self::of(ScalarKind::Void);
    /// `i1`
    pub const I1: Self = Self::of(ScalarKind::I1);
    /// `i8`
    pub const I8: Self = Self::of(ScalarKind::I8);
    /// `i16`
    pub const I16: Self = Self::of(ScalarKind::I16);
    /// `i32`
    pub const I32: Self = Self::of(ScalarKind::I32);
    /// `i64`
    pub const I64: Self = Self::of(ScalarKind::I64);
    /// `f16`
    pub const F16: Self = Self::of(ScalarKind::F16);
    /// `bf16`
    pub const BF16: Self = Self::of(ScalarKind::BF16);
    /// `f32`
    pub const F32: Self = Self::of(ScalarKind::F32);
    /// `f64`
    pub const F64: Self = Self::of(ScalarKind::F64);
    /// Pointer into the generic space.
    pub const PTR: Self = Self::ptr(AddrSpace::Generic);

    const fn of(kind: ScalarKind) -> Self {
        Self(kind as u16)
    }

    /// A pointer into `space`.
    pub const fn ptr(space: AddrSpace) -> Self {
        Self(ScalarKind::Ptr as u16 | (space as u16) << 8)
    }

    /// The integer type of `bits` ∈ {1, 8, 16, 32, 64}.
    pub fn int(bits: u32) -> Option<Self> {
        Some(match bits {
            1 => Self::I1,
            8 => Self::I8,
            16 => Self::I16,
            32 => Self::I32,
            64 => Self::I64,
            _ => return None,
        })
    }

    /// The vector of `lanes` ∈ {1, 2, 3, 4, 8, 16, 32, 64, 128} elements of the scalar type `self`; 1 gives the scalar.
    pub fn vector(self, lanes: u8) -> Option<Self> {
        let code = LANES.iter().position(|&n| n == lanes)? as u16;
        (self.lanes() == 1 && self != Self::VOID).then_some(Self(self.0 | code << 4))
    }

    /// Kind of the element.
    #[inline]
    pub fn kind(self) -> ScalarKind {
        KINDS[(self.0 & 15) as usize]
    }

    /// Number of lanes; 1 for scalars.
    #[inline]
    pub fn lanes(self) -> u8 {
        LANES[((self.0 >> 4) & 15) as usize]
    }

    /// The element type of a vector; a scalar itself.
    #[inline]
    pub fn scalar(self) -> Self {
        Self(self.0 & !0xf0)
    }

    /// The same lanes with another element type.
    #[inline]
    pub fn with_scalar(self, scalar: Self) -> Self {
        Self(scalar.0 & !0xf0 | self.0 & 0xf0)
    }

    /// The address space of a pointer or vector of pointers.
    #[inline]
    pub fn space(self) -> Option<AddrSpace> {
        if self.is_ptr() { AddrSpace::from_number((self.0 >> 8) as u8) } else { None }
    }

    /// Bits of one element: 0 for void, 64 for pointers.
    #[inline]
    pub fn bits(self) -> u32 {
        match self.kind() {
            ScalarKind::Void => 0,
            ScalarKind::I1 => 1,
            ScalarKind::I8 => 8,
            ScalarKind::I16 | ScalarKind::F16 | ScalarKind::BF16 => 16,
            ScalarKind::I32 | ScalarKind::F32 => 32,
            ScalarKind::I64 | ScalarKind::F64 | ScalarKind::Ptr => 64,
        }
    }

    /// Bytes of one element in memory; `i1` takes one.
    #[inline]
    pub fn scalar_bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }

    /// Bytes that a load or store of this type touches: lanes × element bytes (a 3-vector touches 3 elements).
    #[inline]
    pub fn bytes(self) -> u32 {
        self.scalar_bytes() * u32::from(self.lanes())
    }

    /// All ones in the width of one element.
    #[inline]
    pub fn mask(self) -> u64 {
        match self.bits() {
            0 => 0,
            64 => u64::MAX,
            n => (1 << n) - 1,
        }
    }

    /// Whether the elements are integers (`i1` included).
    #[inline]
    pub fn is_int(self) -> bool {
        (ScalarKind::I1..=ScalarKind::I64).contains(&self.kind())
    }

    /// Whether the elements are floating-point numbers.
    #[inline]
    pub fn is_float(self) -> bool {
        (ScalarKind::F16..=ScalarKind::F64).contains(&self.kind())
    }

    /// Whether the elements are pointers.
    #[inline]
    pub fn is_ptr(self) -> bool {
        self.kind() == ScalarKind::Ptr
    }

    /// Whether this is a vector.
    #[inline]
    pub fn is_vector(self) -> bool {
        self.lanes() > 1
    }

    /// Whether there is no value.
    #[inline]
    pub fn is_void(self) -> bool {
        self == Self::VOID
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.kind() {
            ScalarKind::Void => "void",
            ScalarKind::I1 => "i1",
            ScalarKind::I8 => "i8",
            ScalarKind::I16 => "i16",
            ScalarKind::I32 => "i32",
            ScalarKind::I64 => "i64",
            ScalarKind::F16 => "f16",
            ScalarKind::BF16 => "bf16",
            ScalarKind::F32 => "f32",
            ScalarKind::F64 => "f64",
            ScalarKind::Ptr => "ptr",
        };
        f.write_str(name)?;
        if let Some(space) = self.space()
            && space != AddrSpace::Generic
        {
            write!(f, "<{}>", space.name())?;
        }
        if self.is_vector() { write!(f, "x{}", self.lanes()) } else { Ok(()) }
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing() {
        let p = Type::ptr(AddrSpace::Shared).vector(4).unwrap();
        assert_eq!((p.lanes(), p.space(), p.bytes()), (4, Some(AddrSpace::Shared), 32));
        assert_eq!(p.to_string(), "ptr<shared>x4");
        assert_eq!(Type::F32.vector(3).unwrap().bytes(), 12);
        assert_eq!(Type::F32.vector(5), None);
        assert_eq!(Type::I16.vector(2).unwrap().with_scalar(Type::I1).to_string(), "i1x2");
        assert_eq!(p.scalar(), Type::ptr(AddrSpace::Shared));
    }
}
