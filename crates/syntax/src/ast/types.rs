//! Types, as written.

use super::{DeclId, ExprId, FnTypeId, List, NameId, TypeId};
use source::Span;

/// A type, with the qualifiers that stand at this level.
#[derive(Clone, Copy, Debug)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Qualifiers of this very level: `const` of the pointer in `int *const`, of the `int` in `const int *`.
    pub quals: Quals,
    /// Where.
    pub span: Span,
}

/// What a type is.
#[derive(Clone, Copy, Debug)]
pub enum TypeKind {
    /// Something that did not parse; an error was reported.
    Error,
    /// Arithmetic type, `void`, `auto`.
    Builtin(BuiltinType),
    /// A type known by name: typedef, class, OpenCL vector (`float4`), template-id, dependent `typename T::X`.
    Name(NameId),
    /// `struct S {…}`, `enum E {…}`: defined (or, in C, first mentioned) right here; a [`super::DeclKind::Record`] or
    /// [`super::DeclKind::Enum`].
    Tag(DeclId),
    /// `struct S`, `enum E` without a body.
    Elaborated {
        /// The keyword.
        tag: TagKind,
        /// The name after it.
        name: NameId,
    },
    /// `typeof(e)`
    TypeofExpr(ExprId),
    /// `typeof(T)`
    TypeofType(TypeId),
    /// `__underlying_type(E)`
    Underlying(TypeId),
    /// `decltype(e)`
    Decltype(ExprId),
    /// `_Atomic(T)`
    Atomic(TypeId),
    /// `T *`
    Pointer(TypeId),
    /// `T &`
    LvalueRef(TypeId),
    /// `T &&`
    RvalueRef(TypeId),
    /// `T C::*`
    MemberPointer {
        /// The class.
        class: NameId,
        /// The member's type.
        pointee: TypeId,
    },
    /// `T [n]`
    Array {
        /// The element.
        element: TypeId,
        /// The bound.
        size: ArraySize,
    },
    /// A type that attributes make another: `ext_vector_type`, `vector_size`, `mode`.
    Attributed {
        /// What they are applied to.
        ty: TypeId,
        /// Those that change it, no others.
        attrs: List<super::Attr>,
    },
    /// `T (…)`
    Function(FnTypeId),
    /// `T…` in a list of types or parameters.
    Pack(TypeId),
}

/// The bound of an array declarator.
#[derive(Clone, Copy, Debug)]
pub enum ArraySize {
    /// `[]`
    Unknown,
    /// `[*]`
    Star,
    /// `[n]`
    Expr(ExprId),
    /// `[static n]`, in a parameter.
    Static(ExprId),
}

/// A tag's keyword.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TagKind {
    /// `struct`
    Struct,
    /// `class`
    Class,
    /// `union`
    Union,
    /// `enum`
    Enum,
}

impl TagKind {
    /// The keyword.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Struct => "struct",
            Self::Class => "class",
            Self::Union => "union",
            Self::Enum => "enum",
        }
    }
}

/// Types that keywords denote.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "named after the types; `as_str` spells them")]
pub enum BuiltinType {
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
    Int128,
    UInt128,
    /// OpenCL `half`, `_Float16`, `__fp16`.
    Half,
    Float,
    Double,
    LongDouble,
    /// `float _Complex`
    ComplexFloat,
    /// `double _Complex`
    ComplexDouble,
    /// `long double _Complex`
    ComplexLongDouble,
    /// `__bf16`
    BFloat16,
    WChar,
    Char8,
    Char16,
    Char32,
    /// C++ `auto`, to be deduced.
    Auto,
    /// C++ `decltype(auto)`.
    DecltypeAuto,
    /// GNU `__auto_type`.
    AutoType,
    /// `__builtin_va_list`
    VaList,
}

impl BuiltinType {
    /// The type in words.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Void => "void",
            Self::Bool => "bool",
            Self::Char => "char",
            Self::SChar => "signed char",
            Self::UChar => "unsigned char",
            Self::Short => "short",
            Self::UShort => "unsigned short",
            Self::Int => "int",
            Self::UInt => "unsigned int",
            Self::Long => "long",
            Self::ULong => "unsigned long",
            Self::LongLong => "long long",
            Self::ULongLong => "unsigned long long",
            Self::Int128 => "__int128",
            Self::UInt128 => "unsigned __int128",
            Self::Half => "half",
            Self::Float => "float",
            Self::Double => "double",
            Self::LongDouble => "long double",
            Self::ComplexFloat => "float _Complex",
            Self::ComplexDouble => "double _Complex",
            Self::ComplexLongDouble => "long double _Complex",
            Self::BFloat16 => "__bf16",
            Self::WChar => "wchar_t",
            Self::Char8 => "char8_t",
            Self::Char16 => "char16_t",
            Self::Char32 => "char32_t",
            Self::Auto => "auto",
            Self::DecltypeAuto => "decltype(auto)",
            Self::AutoType => "__auto_type",
            Self::VaList => "__builtin_va_list",
        }
    }
}

/// Qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Quals {
    /// `const`
    pub is_const: bool,
    /// `volatile`
    pub is_volatile: bool,
    /// `restrict` and its spellings.
    pub is_restrict: bool,
    /// `_Atomic`
    pub is_atomic: bool,
    /// OpenCL address space.
    pub space: Option<AddressSpace>,
    /// OpenCL image access.
    pub access: Option<Access>,
}

impl Quals {
    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Both together; the other's address space and access win.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            is_const: self.is_const || other.is_const,
            is_volatile: self.is_volatile || other.is_volatile,
            is_restrict: self.is_restrict || other.is_restrict,
            is_atomic: self.is_atomic || other.is_atomic,
            space: other.space.or(self.space),
            access: other.access.or(self.access),
        }
    }
}

/// An OpenCL address-space qualifier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "named after the qualifiers")]
pub enum AddressSpace {
    Private,
    Global,
    Local,
    Constant,
    Generic,
}

impl AddressSpace {
    /// The qualifier.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Private => "__private",
            Self::Global => "__global",
            Self::Local => "__local",
            Self::Constant => "__constant",
            Self::Generic => "__generic",
        }
    }
}

/// An OpenCL image access qualifier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "named after the qualifiers")]
pub enum Access {
    ReadOnly,
    WriteOnly,
    ReadWrite,
}

impl Access {
    /// The qualifier.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ReadOnly => "__read_only",
            Self::WriteOnly => "__write_only",
            Self::ReadWrite => "__read_write",
        }
    }
}

/// A function type.
#[derive(Clone, Copy, Debug)]
pub struct FnType {
    /// What it returns; for constructors and destructors `void`, for conversion functions the target type.
    pub ret: TypeId,
    /// Parameters ([`super::DeclKind::Param`]); `(void)` is an empty list.
    pub params: List<DeclId>,
    /// Whether `...` ends the list.
    pub variadic: bool,
    /// C `()`: parameters unspecified.
    pub unprototyped: bool,
    /// `const`, `volatile` after the parameters.
    pub quals: Quals,
    /// `&`, `&&` after the parameters.
    pub ref_qual: RefQual,
    /// Exception specification.
    pub noexcept: Noexcept,
    /// Whether the return type stood behind `->`.
    pub trailing: bool,
    /// The constraint behind it: `requires e`.
    pub requires: Option<ExprId>,
    /// The condition in `explicit(e)` before it (C++20).
    pub explicit_if: Option<ExprId>,
}

/// A reference qualifier of a member function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum RefQual {
    /// None.
    #[default]
    None,
    /// `&`
    Lvalue,
    /// `&&`
    Rvalue,
}

/// An exception specification.
#[derive(Clone, Copy, Default, Debug)]
pub enum Noexcept {
    /// None.
    #[default]
    None,
    /// `noexcept`, `throw()`.
    Yes,
    /// `noexcept(e)`
    Expr(ExprId),
}
