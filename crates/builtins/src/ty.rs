//! The type vocabulary of the builtin tables: small values, independent of the checker's type table.

/// A scalar type as the tables know it.
///
/// `Long` is 64 bits wide in every dialect; CUDA's `long long` is a type of its own, as overload resolution needs it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Scalar {
    Void,
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Half,
    BFloat,
    Float,
    Double,
    /// OpenCL's `event_t`.
    Event,
    /// Anything the tables have no word for (records, images, functions).
    Other,
}

impl Scalar {
    /// Width in bits; 0 for types without a value.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Void | Self::Other => 0,
            Self::Bool | Self::Char | Self::SChar | Self::UChar => 8,
            Self::Short | Self::UShort | Self::Half | Self::BFloat => 16,
            Self::Int | Self::UInt | Self::Float => 32,
            Self::Long | Self::ULong | Self::LongLong | Self::ULongLong | Self::Double | Self::Event => 64,
        }
    }

    /// Whether this is a floating-point type.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::Half | Self::BFloat | Self::Float | Self::Double)
    }

    /// Whether this is an integer type (`bool` included).
    pub const fn is_int(self) -> bool {
        !self.is_float() && !matches!(self, Self::Void | Self::Event | Self::Other)
    }

    /// Whether this is a signed integer type; plain `char` is signed in every dialect.
    pub const fn is_signed(self) -> bool {
        matches!(self, Self::Char | Self::SChar | Self::Short | Self::Int | Self::Long | Self::LongLong)
    }

    /// The unsigned integer type of the same rank; floats and others unchanged.
    pub const fn to_unsigned(self) -> Self {
        match self {
            Self::Char | Self::SChar => Self::UChar,
            Self::Short => Self::UShort,
            Self::Int => Self::UInt,
            Self::Long => Self::ULong,
            Self::LongLong => Self::ULongLong,
            other => other,
        }
    }

    /// The signed integer type of the same rank; floats and others unchanged.
    pub const fn to_signed(self) -> Self {
        match self {
            Self::UChar => Self::Char,
            Self::UShort => Self::Short,
            Self::UInt => Self::Int,
            Self::ULong => Self::Long,
            Self::ULongLong => Self::LongLong,
            other => other,
        }
    }

    /// The signed integer type of a width; `Other` for a width without one.
    pub const fn int_of_bits(bits: u32) -> Self {
        match bits {
            8 => Self::Char,
            16 => Self::Short,
            32 => Self::Int,
            64 => Self::Long,
            _ => Self::Other,
        }
    }

    /// The name of the type as a user writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Void => "void",
            Self::Bool => "bool",
            Self::Char => "char",
            Self::SChar => "signed char",
            Self::UChar => "uchar",
            Self::Short => "short",
            Self::UShort => "ushort",
            Self::Int => "int",
            Self::UInt => "uint",
            Self::Long => "long",
            Self::ULong => "ulong",
            Self::LongLong => "long long",
            Self::ULongLong => "unsigned long long",
            Self::Half => "half",
            Self::BFloat => "bfloat16",
            Self::Float => "float",
            Self::Double => "double",
            Self::Event => "event_t",
            Self::Other => "<other>",
        }
    }
}

/// The address space of a pointer in a builtin's signature.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Space {
    Generic,
    Global,
    Local,
    Constant,
    Private,
}

/// What makes a [`BType`] a pointer: the space it points into and the qualifiers of the pointee.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pointer {
    /// Address space of the pointee.
    pub space: Space,
    /// Whether the pointee is `const`.
    pub is_const: bool,
    /// Whether the pointee is `volatile`.
    pub is_volatile: bool,
}

/// The type of an argument, a parameter or a result: `scalar × lanes`, or a pointer to that.
///
/// The checker turns its own types into these (everything unknown becomes [`BType::OTHER`]) and back. CUDA's vector
/// records (`float4`, `uint3`, `dim3` excepted) and `__half2` are `lanes > 1`, as OpenCL's vectors are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BType {
    /// Element type.
    pub scalar: Scalar,
    /// 1 for a scalar; 2, 3, 4, 8 or 16 for a vector; CUDA's `float1` has no such form and is `OTHER`.
    pub lanes: u8,
    /// Set when the type is a pointer to `scalar × lanes`.
    pub ptr: Option<Pointer>,
}

impl BType {
    /// `void`.
    pub const VOID: Self = Self::scalar(Scalar::Void);
    /// A type the tables cannot name. As a last resort it fits a scalar parameter (a class may convert), never a generic
    /// one on its own.
    pub const OTHER: Self = Self::scalar(Scalar::Other);

    /// A scalar type.
    pub const fn scalar(scalar: Scalar) -> Self {
        Self { scalar, lanes: 1, ptr: None }
    }

    /// A vector type (or the scalar for one lane).
    pub const fn vector(scalar: Scalar, lanes: u8) -> Self {
        Self { scalar, lanes, ptr: None }
    }

    /// A pointer to `scalar × lanes`.
    pub const fn pointer(scalar: Scalar, lanes: u8, ptr: Pointer) -> Self {
        Self { scalar, lanes, ptr: Some(ptr) }
    }

    /// Whether this is a pointer.
    pub const fn is_pointer(self) -> bool {
        self.ptr.is_some()
    }

    /// Size in bytes of the value, or of the pointee for a pointer; a 3-vector counts as 4.
    pub const fn bytes(self) -> u32 {
        let lanes = if self.lanes == 3 { 4 } else { self.lanes as u32 };
        self.scalar.bits() / 8 * lanes
    }
}

impl std::fmt::Display for BType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(p) = self.ptr {
            f.write_str(match p.space {
                Space::Generic => "",
                Space::Global => "global ",
                Space::Local => "local ",
                Space::Constant => "constant ",
                Space::Private => "private ",
            })?;
            if p.is_const {
                f.write_str("const ")?;
            }
            if p.is_volatile {
                f.write_str("volatile ")?;
            }
        }
        f.write_str(self.scalar.name())?;
        if self.lanes > 1 {
            write!(f, "{}", self.lanes)?;
        }
        if self.ptr.is_some() { f.write_str(" *") } else { Ok(()) }
    }
}
