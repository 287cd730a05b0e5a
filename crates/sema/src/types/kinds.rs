//! Kinds of numbers, images and other opaque things.

/// The integer types, C's names; `Char` is signed. Ranks follow the order within each width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum IntKind {
    /// Plain `char`: 8 bits, signed.
    Char,
    /// `signed char`.
    SChar,
    /// `unsigned char`.
    UChar,
    /// `wchar_t` (32 bits, signed): distinct in C++ only.
    WChar,
    /// `short`.
    Short,
    /// `unsigned short`.
    UShort,
    /// `int`.
    Int,
    /// `unsigned int`.
    UInt,
    /// `long`: 64 bits.
    Long,
    /// `unsigned long`.
    ULong,
    /// `long long`: 64 bits (OpenCL has none).
    LongLong,
    /// `unsigned long long`.
    ULongLong,
    /// `cudaLaneMask_t`: unsigned, as wide as the warp (32 or 64 bits).
    LaneMask32,
    /// `cudaLaneMask_t` where warps have 64 lanes.
    LaneMask64,
    /// `__int128`: two 64-bit halves, the low one first.
    Int128,
    /// `unsigned __int128`.
    UInt128,
    /// `char8_t` (8 bits, unsigned) of C++20.
    Char8,
    /// `char16_t` (16 bits, unsigned) of C++.
    Char16,
    /// `char32_t` (32 bits, unsigned) of C++.
    Char32,
}

impl IntKind {
    /// Width in bits.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Char | Self::SChar | Self::UChar | Self::Char8 => 8,
            Self::Short | Self::UShort | Self::Char16 => 16,
            Self::Int | Self::UInt | Self::WChar | Self::Char32 | Self::LaneMask32 => 32,
            Self::Long | Self::ULong | Self::LongLong | Self::ULongLong | Self::LaneMask64 => 64,
            Self::Int128 | Self::UInt128 => 128,
        }
    }

    /// Whether negative values exist.
    pub const fn signed(self) -> bool {
        matches!(
            self,
            Self::Char
                | Self::SChar
                | Self::WChar
                | Self::Short
                | Self::Int
                | Self::Long
                | Self::LongLong
                | Self::Int128
        )
    }

    /// C's integer conversion rank.
    pub const fn rank(self) -> u8 {
        match self {
            Self::Char | Self::SChar | Self::UChar | Self::Char8 => 1,
            Self::Short | Self::UShort | Self::Char16 => 2,
            Self::Int | Self::UInt | Self::WChar | Self::Char32 | Self::LaneMask32 => 3,
            Self::Long | Self::ULong => 4,
            Self::LongLong | Self::ULongLong | Self::LaneMask64 => 5,
            Self::Int128 | Self::UInt128 => 6,
        }
    }

    /// The unsigned type of the same rank.
    #[must_use]
    pub const fn to_unsigned(self) -> Self {
        match self {
            Self::Char | Self::SChar | Self::UChar | Self::Char8 => Self::UChar,
            Self::Short | Self::UShort | Self::Char16 => Self::UShort,
            Self::Int | Self::UInt | Self::WChar | Self::Char32 => Self::UInt,
            Self::Long | Self::ULong => Self::ULong,
            Self::LongLong | Self::ULongLong => Self::ULongLong,
            Self::LaneMask32 => Self::LaneMask32,
            Self::LaneMask64 => Self::LaneMask64,
            Self::Int128 | Self::UInt128 => Self::UInt128,
        }
    }

    /// The signed type of the same rank.
    #[must_use]
    pub const fn to_signed(self) -> Self {
        match self {
            Self::Char => Self::Char,
            Self::SChar | Self::UChar | Self::Char8 => Self::SChar,
            Self::Short | Self::UShort | Self::Char16 => Self::Short,
            Self::Int | Self::UInt | Self::WChar | Self::Char32 | Self::LaneMask32 => Self::Int,
            Self::Long | Self::ULong => Self::Long,
            Self::LongLong | Self::ULongLong | Self::LaneMask64 => Self::LongLong,
            Self::Int128 | Self::UInt128 => Self::Int128,
        }
    }
}

/// The floating types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum FloatKind {
    /// IEEE binary16: OpenCL `half`, CUDA `__half`.
    Half,
    /// bfloat16.
    BFloat16,
    /// IEEE binary32.
    Float,
    /// IEEE binary64.
    Double,
    /// CUDA C++'s `long double`: a type of its own with the host's size, whose values are binary64 on the device, as nvcc has
    /// it. Other languages have no such type: there it is `double`.
    LongDouble,
}

impl FloatKind {
    /// Width of the value in bits.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Half | Self::BFloat16 => 16,
            Self::Float => 32,
            Self::Double | Self::LongDouble => 64,
        }
    }

    /// Size of an object in bytes, which is its alignment as well.
    pub const fn bytes(self) -> u32 {
        match self {
            Self::LongDouble => 16,
            _ => self.bits() / 8,
        }
    }
}

/// OpenCL's opaque types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Opaque {
    /// `event_t`: a 64-bit handle (async copies complete at once, so its value is never read).
    Event,
    /// `sampler_t`: 32 bits.
    Sampler,
    /// An image: the address of its description in constant memory.
    Image(ImageDims, ImageAccess),
    /// `queue_t`, `reserve_id_t`, `pipe` and the rest.
    Other,
}

/// The shape of an image.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ImageDims {
    /// `image1d_t`.
    D1,
    /// `image1d_array_t`.
    D1Array,
    /// `image1d_buffer_t`.
    D1Buffer,
    /// `image2d_t`.
    D2,
    /// `image2d_array_t`.
    D2Array,
    /// `image3d_t`.
    D3,
}

impl ImageDims {
    /// The type's name.
    pub const fn type_name(self) -> &'static str {
        match self {
            Self::D1 => "image1d_t",
            Self::D1Array => "image1d_array_t",
            Self::D1Buffer => "image1d_buffer_t",
            Self::D2 => "image2d_t",
            Self::D2Array => "image2d_array_t",
            Self::D3 => "image3d_t",
        }
    }

    /// Dimensions of one layer.
    pub const fn count(self) -> u8 {
        match self {
            Self::D1 | Self::D1Array | Self::D1Buffer => 1,
            Self::D2 | Self::D2Array => 2,
            Self::D3 => 3,
        }
    }

    /// Whether it has layers.
    pub const fn is_array(self) -> bool {
        matches!(self, Self::D1Array | Self::D2Array)
    }
}

/// What a kernel may do to an image.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ImageAccess {
    /// `read_only`, and images that do not say.
    ReadOnly,
    /// `write_only`.
    WriteOnly,
    /// `read_write`.
    ReadWrite,
}
