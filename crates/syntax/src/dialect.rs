//! Which language is read, and what follows from that.

/// `-fmode`: whose CUDA it is, where nvcc and clang differ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Mode {
    /// NVIDIA's compiler, as SCALE has it: what it takes and C++ does not is taken.
    #[default]
    Nvcc,
    /// clang: C++ to the letter.
    Clang,
}

/// The language of a source file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dialect {
    /// OpenCL C.
    OpenClC {
        /// `__OPENCL_C_VERSION__`: 100, 110, 120, 200 or 300.
        version: u16,
    },
    /// CUDA C++, device code.
    CudaCxx {
        /// The C++ standard's year without the century: 11, 14, 17, 20.
        std: u16,
    },
    /// C11 with accelerator directives.
    C11,
}

impl Dialect {
    /// OpenCL C 1.2, the default of `-cl-std`.
    pub const OPENCL: Self = Self::OpenClC { version: 120 };
    /// CUDA C++17, the default of `-std`.
    pub const CUDA: Self = Self::CudaCxx { std: 17 };

    /// Whether this is OpenCL C.
    pub const fn is_opencl(self) -> bool {
        matches!(self, Self::OpenClC { .. })
    }

    /// Whether this is CUDA C++.
    pub const fn is_cuda(self) -> bool {
        matches!(self, Self::CudaCxx { .. })
    }

    /// Whether this is plain C with directives.
    pub const fn is_c11(self) -> bool {
        matches!(self, Self::C11)
    }

    /// Whether C++ rules hold: classes, overloading, `::`, `true` and `false` in `#if`.
    pub const fn is_cxx(self) -> bool {
        self.is_cuda()
    }

    /// Whether `R"x(...)x"` is a string literal.
    pub const fn has_raw_strings(self) -> bool {
        self.is_cxx()
    }

    /// Whether `'` may separate digits: `1'000'000`.
    pub const fn has_digit_separators(self) -> bool {
        self.is_cxx()
    }

    /// Whether `u8"…"`, `u"…"` and `U"…"` are literals with a prefix.
    pub const fn has_unicode_literals(self) -> bool {
        !self.is_opencl()
    }

    /// The value of `__cplusplus`, if it is defined.
    pub const fn cplusplus(self) -> Option<u32> {
        match self {
            Self::CudaCxx { std: 0..=11 } => Some(201_103),
            Self::CudaCxx { std: 12..=14 } => Some(201_402),
            Self::CudaCxx { std: 15..=17 } => Some(201_703),
            Self::CudaCxx { .. } => Some(202_002),
            _ => None,
        }
    }
}
