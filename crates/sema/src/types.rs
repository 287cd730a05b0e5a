//! Types, interned, with their layout.
//!
//! Equal [`TyId`]s are equal types. Qualifiers are not part of a type: they stand beside it wherever one is used
//! (pointee, field, variable, lvalue expression), as does the address space.
//!
//! Records and enumerations are nominal: each declaration makes a new [`RecordId`] / [`EnumId`] whose contents are
//! filled in when the body has been read. Names for mangling and display form a tree of [`NameNode`]s.

mod kinds;
mod names;
mod table;

pub use kinds::{FloatKind, ImageAccess, ImageDims, IntKind, Opaque};
pub use names::{BodyName, DependentExpr, LambdaName, NameKind, NameNode, OperatorName, TemplateArg};
pub use table::{MAX_EMPTIES, MAX_SIZE, TypeTable};

use source::{Span, Symbol};
use syntax::ast::{AccessSpec, RefQual};

/// Which type of the [`TypeTable`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TyId(pub u32);

/// Which record (struct, union, class) of the [`TypeTable`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RecordId(pub u32);

/// Which enumeration of the [`TypeTable`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EnumId(pub u32);

/// Which name of the [`TypeTable`]'s name tree; [`NameId::ROOT`] is the global namespace.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NameId(pub u32);

impl NameId {
    /// The global namespace.
    pub const ROOT: Self = Self(0);
}

/// Address spaces, numbered as in the IR.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
#[repr(u8)]
pub enum AddrSpace {
    /// Any of the others but constant; CUDA's plain pointers.
    #[default]
    Generic = 0,
    /// `__global`, `__device__`.
    Global = 1,
    /// `__local`, `__shared__`.
    Shared = 3,
    /// `__constant`, `__constant__`.
    Constant = 4,
    /// `__private`: locals and parameters.
    Private = 5,
}

/// `const`, `volatile`, `restrict`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Quals(pub u8);

impl Quals {
    /// No qualifier.
    pub const NONE: Self = Self(0);
    /// `const`.
    pub const CONST: Self = Self(1);
    /// `volatile`.
    pub const VOLATILE: Self = Self(2);
    /// `restrict` (of a pointer variable itself).
    pub const RESTRICT: Self = Self(4);

    /// Whether every qualifier of `other` is in `self`.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both sets together.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// `self` less `other`.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// `const` is in it.
    pub fn is_const(self) -> bool {
        self.has(Self::CONST)
    }

    /// `volatile` is in it.
    pub fn is_volatile(self) -> bool {
        self.has(Self::VOLATILE)
    }

    /// An lvalue reference to what has these qualifiers may be bound to a temporary object (C++17, 11.6.3, 5.2).
    pub fn lets_bind_temporaries(self) -> bool {
        self.is_const() && !self.is_volatile()
    }
}

/// A type with the qualifiers it is used under.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QualTy {
    /// The type.
    pub ty: TyId,
    /// Its qualifiers.
    pub quals: Quals,
}

impl QualTy {
    /// `ty` without qualifiers.
    pub const fn plain(ty: TyId) -> Self {
        Self { ty, quals: Quals::NONE }
    }
}

impl From<TyId> for QualTy {
    fn from(ty: TyId) -> Self {
        Self::plain(ty)
    }
}

/// A function's type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FnTy {
    /// Result.
    pub ret: TyId,
    /// Parameters, decayed, unqualified; references are [`Ty::Reference`].
    pub params: Box<[TyId]>,
    /// Ends in `...`.
    pub variadic: bool,
    /// Qualifiers of `*this`: of types of member functions alone, which pointers to members point to and templates take apart.
    pub quals: Quals,
    /// `&` or `&&`, of the same.
    pub ref_qual: RefQual,
    /// Whether it is `noexcept` (part of the type since C++17).
    pub promise: Promise,
}

impl FnTy {
    /// The type of a function that is no member and may throw.
    pub fn plain(ret: TyId, params: Box<[TyId]>, variadic: bool) -> Self {
        Self { ret, params, variadic, quals: Quals::NONE, ref_qual: RefQual::None, promise: Promise::None }
    }

    /// Whether there may be pointers and references to functions of this type: not if it is a member function's with
    /// qualifiers (C++17, 11.3.5, 6).
    pub fn is_referenceable(&self) -> bool {
        self.quals == Quals::NONE && self.ref_qual == RefQual::None
    }
}

/// What a function's type says of exceptions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Promise {
    /// Nothing.
    None,
    /// `noexcept`.
    Noexcept,
    /// `noexcept(N)` with a dependent `N`. Only in signatures of templates.
    When(Box<TemplateArg>),
}

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ty {
    /// Stands for any type after an error was reported; never in a program without errors.
    Error,
    /// `void`.
    Void,
    /// `bool`, `_Bool`: 8 bits in memory.
    Bool,
    /// An integer.
    Int(IntKind),
    /// A floating type.
    Float(FloatKind),
    /// An OpenCL (or ext_vector) vector; `n` is 2, 3, 4, 8 or 16. Three occupy four.
    Vector {
        /// Scalar element.
        elem: TyId,
        /// Number of components.
        n: u8,
    },
    /// A pointer.
    Pointer {
        /// What it points to.
        pointee: TyId,
        /// Qualifiers of the pointee.
        quals: Quals,
        /// Where the pointee lives.
        space: AddrSpace,
    },
    /// A C++ reference. In expressions it never appears; in signatures and variables it is a pointer for lowering.
    Reference {
        /// What it refers to.
        pointee: TyId,
        /// Qualifiers of the referent.
        quals: Quals,
        /// Where the referent lives.
        space: AddrSpace,
        /// `&&`.
        rvalue: bool,
    },
    /// `elem[len]`; `None` for an incomplete array. The element's qualifiers stand with the array's user.
    Array {
        /// Element.
        elem: TyId,
        /// Number of elements.
        len: Option<u64>,
    },
    /// A function.
    Function(FnTy),
    /// A struct, union or class.
    Record(RecordId),
    /// An enumeration.
    Enum(EnumId),
    /// A pointer to a member.
    MemberPointer {
        /// The class: a record, or dependent.
        class: TyId,
        /// The member's type.
        pointee: TyId,
        /// Qualifiers of a member that is no function; those of functions are in their type.
        quals: Quals,
    },
    /// An OpenCL opaque type.
    Opaque(Opaque),
    /// `std::nullptr_t`.
    NullPtr,
    /// A template's type parameter, by position. Only in signatures of templates (deduction, mangling).
    TemplateParam(u32),
    /// A class template named with dependent arguments. Only in signatures of templates.
    TemplateSpec {
        /// The template's name.
        name: NameId,
        /// Arguments, some dependent.
        args: Box<[TemplateArg]>,
    },
    /// A template template parameter named with arguments, `C<T, U...>`. Only in signatures of templates.
    TemplateParamSpec {
        /// The parameter, by position.
        param: u32,
        /// Arguments.
        args: Box<[TemplateArg]>,
    },
    /// `elem[N]` with a dependent `N`. Only in signatures of templates.
    DependentArray {
        /// Element.
        elem: TyId,
        /// The length: [`TemplateArg::Param`] where it is plainly a parameter.
        len: TemplateArg,
    },
    /// `T...` among the parameters of a function type. Only in signatures of templates.
    Expansion {
        /// What stands for each of the parameters.
        pattern: TyId,
        /// The packs in it, by position.
        packs: Box<[u32]>,
    },
    /// `typename base::name`. Only in signatures of templates.
    DependentMember {
        /// The dependent qualifier.
        base: TyId,
        /// The member.
        name: Symbol,
    },
    /// A type that depends on template parameters in a way not modelled here. Only in signatures of templates.
    Dependent,
}

/// A bit-field's place in its record.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BitField {
    /// First bit, counted from the least significant bit of the storage unit at the field's byte offset.
    pub bit: u8,
    /// Number of bits.
    pub width: u8,
    /// Whether there is no such unit: a packed bit-field begins in any byte, goes beyond what its type has, and the record may end
    /// with it. Only the bytes that it covers are accessed.
    pub packed: bool,
}

/// A field of a record.
#[derive(Clone, Debug)]
pub struct Field {
    /// Name; `None` for anonymous struct or union members.
    pub name: Option<Symbol>,
    /// Type.
    pub ty: TyId,
    /// Qualifiers (`mutable` is not recorded here).
    pub quals: Quals,
    /// `mutable`.
    pub mutable: bool,
    /// Offset in bytes; of a bit-field, of its storage unit (whose size is that of `ty`).
    pub offset: u64,
    /// Where the bits are, for a bit-field.
    pub bits: Option<BitField>,
    /// Declared here.
    pub span: Span,
}

/// A base class.
#[derive(Clone, Copy, Debug)]
pub struct Base {
    /// Which.
    pub record: RecordId,
    /// Offset of the subobject in bytes.
    pub offset: u64,
    /// Who may know of it.
    pub access: AccessSpec,
}

/// A struct, union or class.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its name.
    pub name: NameId,
    /// `union`.
    pub is_union: bool,
    /// The body has been read; otherwise size and fields mean nothing.
    pub complete: bool,
    /// Data members in order.
    pub fields: Vec<Field>,
    /// Base classes in order.
    pub bases: Vec<Base>,
    /// Size in bytes, a multiple of `align`, at least 1 in C++.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u32,
    /// Size without tail padding: where a derived class may put its first member (the ABI's `nvsize`; 0 of an empty class).
    pub data_size: u64,
    /// A plain structure as C++03 had it: its tail padding is its own, also where it is a base class or a member.
    pub plain: bool,
    /// Something lies in the tail padding of an object of it that is a part of another.
    pub shares_tail: bool,
    /// No data at all.
    pub empty: bool,
    /// The empty classes that it, its bases and its members have, and where: two of one class never lie at one place.
    pub empties: Vec<(RecordId, u64)>,
    /// Copying it is copying its bytes: no user-written copy constructor, copy assignment or destructor inside.
    pub trivial: bool,
    /// Declared here.
    pub span: Span,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enum {
    /// Its name.
    pub name: NameId,
    /// The integer type of its values.
    pub underlying: TyId,
    /// What its values promote to, whatever holds them: in C++, where no underlying type was written the first of `int`,
    /// `unsigned`, `long` and `unsigned long` that has all of them (C++17, 7.6p3).
    pub promotes_to: Option<TyId>,
    /// `enum class`.
    pub scoped: bool,
    /// The underlying type was written, or the body has been read.
    pub complete: bool,
    /// The underlying type was written.
    pub fixed: bool,
    /// Declared here.
    pub span: Span,
}
