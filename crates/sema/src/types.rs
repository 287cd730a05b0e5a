//! Types, interned, with their layout.
//!
//! Equal [`TyId`]s are equal types. Qualifiers are not part of a type: they stand beside it wherever one is used
//! (pointee, field, variable, lvalue expression), as does the address space.
//!
//! Records and enumerations are nominal: each declaration makes a new [`RecordId`] / [`EnumId`] whose contents are
//! filled in when the body has been read. Names for mangling and display form a tree of [`NameNode`]s.

use rustc_hash::FxHashMap;
use source::{Span, Symbol};

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
}

impl IntKind {
    /// Width in bits.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Char | Self::SChar | Self::UChar => 8,
            Self::Short | Self::UShort => 16,
            Self::Int | Self::UInt | Self::WChar | Self::LaneMask32 => 32,
            Self::Long | Self::ULong | Self::LongLong | Self::ULongLong | Self::LaneMask64 => 64,
        }
    }

    /// Whether negative values exist.
    pub const fn signed(self) -> bool {
        matches!(self, Self::Char | Self::SChar | Self::WChar | Self::Short | Self::Int | Self::Long | Self::LongLong)
    }

    /// C's integer conversion rank.
    pub const fn rank(self) -> u8 {
        match self {
            Self::Char | Self::SChar | Self::UChar => 1,
            Self::Short | Self::UShort => 2,
            Self::Int | Self::UInt | Self::WChar | Self::LaneMask32 => 3,
            Self::Long | Self::ULong => 4,
            Self::LongLong | Self::ULongLong | Self::LaneMask64 => 5,
        }
    }

    /// The unsigned type of the same rank.
    #[must_use]
    pub const fn to_unsigned(self) -> Self {
        match self {
            Self::Char | Self::SChar | Self::UChar => Self::UChar,
            Self::Short | Self::UShort => Self::UShort,
            Self::Int | Self::UInt | Self::WChar => Self::UInt,
            Self::Long | Self::ULong => Self::ULong,
            Self::LongLong | Self::ULongLong => Self::ULongLong,
            Self::LaneMask32 => Self::LaneMask32,
            Self::LaneMask64 => Self::LaneMask64,
        }
    }

    /// The signed type of the same rank.
    #[must_use]
    pub const fn to_signed(self) -> Self {
        match self {
            Self::Char => Self::Char,
            Self::SChar | Self::UChar => Self::SChar,
            Self::Short | Self::UShort => Self::Short,
            Self::Int | Self::UInt | Self::WChar | Self::LaneMask32 => Self::Int,
            Self::Long | Self::ULong => Self::Long,
            Self::LongLong | Self::ULongLong | Self::LaneMask64 => Self::LongLong,
        }
    }
}

/// The floating types. `long double` is `double` on the device.
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
}

impl FloatKind {
    /// Width in bits.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Half | Self::BFloat16 => 16,
            Self::Float => 32,
            Self::Double => 64,
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

/// A function's type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FnTy {
    /// Result.
    pub ret: TyId,
    /// Parameters, decayed, unqualified; references are [`Ty::Reference`].
    pub params: Box<[TyId]>,
    /// Ends in `...`.
    pub variadic: bool,
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
    /// `elem[N]` with a dependent `N`. Only in signatures of templates.
    DependentArray {
        /// Element.
        elem: TyId,
        /// The length: [`TemplateArg::Param`] where it is plainly a parameter.
        len: TemplateArg,
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

/// An argument of a template.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TemplateArg {
    /// A type, with qualifiers (`Foo<const float>`).
    Type(QualTy),
    /// A value of an integral or enumeration type; sign-extended from its width.
    Int {
        /// Value.
        value: i64,
        /// Type.
        ty: TyId,
    },
    /// The parameter at this position of the enclosing template. Only in signatures of templates.
    Param(u32),
    /// A parameter pack's arguments.
    Pack(Box<[TemplateArg]>),
    /// A dependent expression not modelled. Only in signatures of templates.
    Dependent,
}

/// One node of the name tree: a namespace, record, enumeration or function with its template arguments.
#[derive(Clone, PartialEq, Debug)]
pub struct NameNode {
    /// The enclosing scope; the root's parent is the root.
    pub parent: NameId,
    /// What kind of name.
    pub kind: NameKind,
    /// Template arguments, where it is a specialisation.
    pub args: Option<Box<[TemplateArg]>>,
}

/// What a [`NameNode`] names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NameKind {
    /// The global namespace.
    Root,
    /// A namespace.
    Namespace(Symbol),
    /// An anonymous namespace.
    AnonNamespace,
    /// A record or enumeration.
    Type(Symbol),
    /// An unnamed record or enumeration; the number tells them apart.
    Unnamed(u32),
    /// A lambda's closure type; the number tells them apart.
    Lambda(u32),
    /// A function or variable.
    Entity(Symbol),
    /// A constructor of the parent.
    Constructor,
    /// The destructor of the parent.
    Destructor,
    /// An overloaded operator.
    Operator(OperatorName),
    /// A conversion operator to this type.
    Conversion(TyId),
}

/// The operators that can be overloaded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum OperatorName {
    /// `+` with two operands.
    Add,
    /// `-` with two operands.
    Sub,
    /// `*` with two operands.
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `^`
    Xor,
    /// `&` with two operands.
    And,
    /// `|`
    Or,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `+` with one operand.
    Plus,
    /// `-` with one operand.
    Neg,
    /// `*` with one operand.
    Deref,
    /// `&` with one operand.
    AddrOf,
    /// `~`
    Not,
    /// `!`
    LogNot,
    /// `=`
    Assign,
    /// `+=`
    AddAssign,
    /// `-=`
    SubAssign,
    /// `*=`
    MulAssign,
    /// `/=`
    DivAssign,
    /// `%=`
    RemAssign,
    /// `^=`
    XorAssign,
    /// `&=`
    AndAssign,
    /// `|=`
    OrAssign,
    /// `<<=`
    ShlAssign,
    /// `>>=`
    ShrAssign,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `>`
    Gt,
    /// `<=`
    Le,
    /// `>=`
    Ge,
    /// `&&`
    LogAnd,
    /// `||`
    LogOr,
    /// `++`
    Inc,
    /// `--`
    Dec,
    /// `,`
    Comma,
    /// `->`
    Arrow,
    /// `()`
    Call,
    /// `[]`
    Subscript,
    /// `new`, `delete` and whatever else is only ever declared.
    Other,
}

/// A bit-field's place in its record.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BitField {
    /// First bit, counted from the least significant bit of the storage unit at the field's byte offset.
    pub bit: u8,
    /// Number of bits.
    pub width: u8,
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
    /// Size without tail padding: where a derived class may put its first member.
    pub data_size: u64,
    /// No data at all.
    pub empty: bool,
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
    /// `enum class`.
    pub scoped: bool,
    /// The underlying type was written, or the body has been read.
    pub complete: bool,
    /// The underlying type was written.
    pub fixed: bool,
    /// Declared here.
    pub span: Span,
}

/// Every type, record, enumeration and name of a compilation.
#[derive(Debug, Clone)]
pub struct TypeTable {
    types: Vec<Ty>,
    map: FxHashMap<Ty, TyId>,
    /// Records by [`RecordId`].
    pub records: Vec<Record>,
    /// Enumerations by [`EnumId`].
    pub enums: Vec<Enum>,
    names: Vec<NameNode>,
    name_map: FxHashMap<(NameId, NameKind), NameId>,
}

macro_rules! common_types {
    ($($name:ident = $n:literal => $ty:expr, $doc:literal;)*) => {
        impl TyId { $(#[doc = $doc] pub const $name: TyId = TyId($n);)* }
        /// The types whose ids are fixed, in order.
        const COMMON: &[Ty] = &[$($ty),*];
    };
}

common_types! {
    ERROR = 0 => Ty::Error, "The type of erroneous expressions.";
    VOID = 1 => Ty::Void, "`void`.";
    BOOL = 2 => Ty::Bool, "`bool`.";
    CHAR = 3 => Ty::Int(IntKind::Char), "`char`.";
    SCHAR = 4 => Ty::Int(IntKind::SChar), "`signed char`.";
    UCHAR = 5 => Ty::Int(IntKind::UChar), "`unsigned char`.";
    WCHAR = 6 => Ty::Int(IntKind::WChar), "`wchar_t`.";
    SHORT = 7 => Ty::Int(IntKind::Short), "`short`.";
    USHORT = 8 => Ty::Int(IntKind::UShort), "`unsigned short`.";
    INT = 9 => Ty::Int(IntKind::Int), "`int`.";
    UINT = 10 => Ty::Int(IntKind::UInt), "`unsigned int`.";
    LONG = 11 => Ty::Int(IntKind::Long), "`long`.";
    ULONG = 12 => Ty::Int(IntKind::ULong), "`unsigned long`.";
    LONGLONG = 13 => Ty::Int(IntKind::LongLong), "`long long`.";
    ULONGLONG = 14 => Ty::Int(IntKind::ULongLong), "`unsigned long long`.";
    LANEMASK32 = 15 => Ty::Int(IntKind::LaneMask32), "`cudaLaneMask_t` of 32 lanes.";
    LANEMASK64 = 16 => Ty::Int(IntKind::LaneMask64), "`cudaLaneMask_t` of 64 lanes.";
    HALF = 17 => Ty::Float(FloatKind::Half), "`half`.";
    BFLOAT16 = 18 => Ty::Float(FloatKind::BFloat16), "`__nv_bfloat16`.";
    FLOAT = 19 => Ty::Float(FloatKind::Float), "`float`.";
    DOUBLE = 20 => Ty::Float(FloatKind::Double), "`double`.";
    NULLPTR = 21 => Ty::NullPtr, "`std::nullptr_t`.";
    DEPENDENT = 22 => Ty::Dependent, "A dependent type not modelled.";
}

impl Default for TypeTable {
    fn default() -> Self {
        let mut map = FxHashMap::default();
        map.reserve(64);
        for (i, t) in COMMON.iter().enumerate() {
            map.insert(t.clone(), TyId(i as u32));
        }
        Self {
            types: COMMON.to_vec(),
            map,
            records: Vec::new(),
            enums: Vec::new(),
            names: vec![NameNode { parent: NameId::ROOT, kind: NameKind::Root, args: None }],
            name_map: FxHashMap::default(),
        }
    }
}

impl TypeTable {
    /// The id of `ty`.
    pub fn intern(&mut self, ty: Ty) -> TyId {
        if let Some(&id) = self.map.get(&ty) {
            return id;
        }
        let id = TyId(self.types.len() as u32);
        self.types.push(ty.clone());
        self.map.insert(ty, id);
        id
    }

    /// The type `id`.
    pub fn get(&self, id: TyId) -> &Ty {
        &self.types[id.0 as usize]
    }

    /// Number of types.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Never: the common types are always there.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// An integer type.
    pub fn int(&self, kind: IntKind) -> TyId {
        TyId(TyId::CHAR.0 + kind as u32)
    }

    /// A floating type.
    pub fn float(&self, kind: FloatKind) -> TyId {
        TyId(TyId::HALF.0 + kind as u32)
    }

    /// A pointer type.
    pub fn pointer(&mut self, pointee: TyId, quals: Quals, space: AddrSpace) -> TyId {
        self.intern(Ty::Pointer { pointee, quals: quals.without(Quals::RESTRICT), space })
    }

    /// A reference type.
    pub fn reference(&mut self, pointee: TyId, quals: Quals, space: AddrSpace, rvalue: bool) -> TyId {
        self.intern(Ty::Reference { pointee, quals, space, rvalue })
    }

    /// A vector type.
    pub fn vector(&mut self, elem: TyId, n: u8) -> TyId {
        self.intern(Ty::Vector { elem, n })
    }

    /// An array type.
    pub fn array(&mut self, elem: TyId, len: Option<u64>) -> TyId {
        self.intern(Ty::Array { elem, len })
    }

    /// A record.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    /// An enumeration.
    pub fn enumeration(&self, id: EnumId) -> &Enum {
        &self.enums[id.0 as usize]
    }

    /// Adds a record and gives its type.
    pub fn add_record(&mut self, record: Record) -> (RecordId, TyId) {
        let id = RecordId(self.records.len() as u32);
        self.records.push(record);
        (id, self.intern(Ty::Record(id)))
    }

    /// Adds an enumeration and gives its type.
    pub fn add_enum(&mut self, e: Enum) -> (EnumId, TyId) {
        let id = EnumId(self.enums.len() as u32);
        self.enums.push(e);
        (id, self.intern(Ty::Enum(id)))
    }

    /// A node of the name tree.
    pub fn name(&self, id: NameId) -> &NameNode {
        &self.names[id.0 as usize]
    }

    /// The child `kind` of `parent` without template arguments; the same id each time.
    pub fn child_name(&mut self, parent: NameId, kind: NameKind) -> NameId {
        if let Some(&id) = self.name_map.get(&(parent, kind)) {
            return id;
        }
        let id = self.new_name(parent, kind, None);
        self.name_map.insert((parent, kind), id);
        id
    }

    /// A fresh child of `parent` with template arguments. The caller keeps specialisations unique.
    pub fn new_name(&mut self, parent: NameId, kind: NameKind, args: Option<Box<[TemplateArg]>>) -> NameId {
        let id = NameId(self.names.len() as u32);
        self.names.push(NameNode { parent, kind, args });
        id
    }

    /// Size in bytes; `None` for incomplete, function and dependent types and for sizes beyond [`MAX_SIZE`].
    /// `void` has none either.
    pub fn size_of(&self, id: TyId) -> Option<u64> {
        let size = match self.get(id) {
            Ty::Bool => 1,
            Ty::Int(k) => u64::from(k.bits() / 8),
            Ty::Float(k) => u64::from(k.bits() / 8),
            Ty::Opaque(Opaque::Sampler) => 4,
            Ty::Vector { elem, n } => self.size_of(*elem)? * u64::from(if *n == 3 { 4 } else { *n }),
            Ty::Pointer { .. } | Ty::Reference { .. } | Ty::NullPtr | Ty::Opaque(_) => 8,
            Ty::Array { elem, len } => self.size_of(*elem)?.checked_mul((*len)?)?,
            Ty::Record(r) => {
                let r = self.record(*r);
                if !r.complete {
                    return None;
                }
                r.size
            }
            Ty::Enum(e) => {
                let e = self.enumeration(*e);
                if !e.complete {
                    return None;
                }
                return self.size_of(e.underlying);
            }
            _ => return None,
        };
        (size <= MAX_SIZE).then_some(size)
    }

    /// Alignment in bytes; 1 where there is none to speak of.
    pub fn align_of(&self, id: TyId) -> u32 {
        match self.get(id) {
            Ty::Bool => 1,
            Ty::Int(k) => k.bits() / 8,
            Ty::Float(k) => k.bits() / 8,
            Ty::Opaque(Opaque::Sampler) => 4,
            Ty::Vector { .. } => self.size_of(id).unwrap_or(1) as u32,
            Ty::Pointer { .. } | Ty::Reference { .. } | Ty::NullPtr | Ty::Opaque(_) => 8,
            Ty::Array { elem, .. } => self.align_of(*elem),
            Ty::Record(r) => self.record(*r).align.max(1),
            Ty::Enum(e) => self.align_of(self.enumeration(*e).underlying),
            _ => 1,
        }
    }

    /// The element type of a vector, otherwise the type itself.
    pub fn scalar_of(&self, id: TyId) -> TyId {
        match self.get(id) {
            Ty::Vector { elem, .. } => *elem,
            _ => id,
        }
    }

    /// Number of components: 1 for what is no vector.
    pub fn lanes(&self, id: TyId) -> u8 {
        match self.get(id) {
            Ty::Vector { n, .. } => *n,
            _ => 1,
        }
    }

    /// An integer's kind; also of an enumeration's underlying type.
    pub fn int_kind(&self, id: TyId) -> Option<IntKind> {
        match self.get(id) {
            Ty::Int(k) => Some(*k),
            Ty::Enum(e) => self.int_kind(self.enumeration(*e).underlying),
            _ => None,
        }
    }

    /// A floating type's kind.
    pub fn float_kind(&self, id: TyId) -> Option<FloatKind> {
        match self.get(id) {
            Ty::Float(k) => Some(*k),
            _ => None,
        }
    }

    /// Whether an integer (or `bool`, or enumeration) has negative values.
    pub fn is_signed(&self, id: TyId) -> bool {
        match self.get(id) {
            Ty::Enum(e) => self.is_signed(self.enumeration(*e).underlying),
            Ty::Int(k) => k.signed(),
            _ => false,
        }
    }

    /// `bool`, an integer, or an unscoped enumeration.
    pub fn is_integral(&self, id: TyId) -> bool {
        match self.get(id) {
            Ty::Bool | Ty::Int(_) => true,
            Ty::Enum(e) => !self.enumeration(*e).scoped,
            _ => false,
        }
    }

    /// A floating type.
    pub fn is_float(&self, id: TyId) -> bool {
        matches!(self.get(id), Ty::Float(_))
    }

    /// An arithmetic scalar.
    pub fn is_arithmetic(&self, id: TyId) -> bool {
        self.is_integral(id) || self.is_float(id)
    }

    /// A pointer.
    pub fn is_pointer(&self, id: TyId) -> bool {
        matches!(self.get(id), Ty::Pointer { .. })
    }

    /// A vector.
    pub fn is_vector(&self, id: TyId) -> bool {
        matches!(self.get(id), Ty::Vector { .. })
    }

    /// A record; which.
    pub fn as_record(&self, id: TyId) -> Option<RecordId> {
        match self.get(id) {
            Ty::Record(r) => Some(*r),
            _ => None,
        }
    }

    /// A record or an array: a value that lives in memory only.
    pub fn is_aggregate(&self, id: TyId) -> bool {
        matches!(self.get(id), Ty::Record(_) | Ty::Array { .. })
    }

    /// Whether any template parameter occurs in it.
    pub fn is_dependent(&self, id: TyId) -> bool {
        match self.get(id) {
            Ty::TemplateParam(_)
            | Ty::TemplateSpec { .. }
            | Ty::DependentArray { .. }
            | Ty::DependentMember { .. }
            | Ty::Dependent => true,
            Ty::Vector { elem, .. } | Ty::Array { elem, .. } => self.is_dependent(*elem),
            Ty::Pointer { pointee, .. } | Ty::Reference { pointee, .. } => self.is_dependent(*pointee),
            Ty::Function(f) => self.is_dependent(f.ret) || f.params.iter().any(|&p| self.is_dependent(p)),
            _ => false,
        }
    }

    /// Whether a template argument has a template parameter in it.
    pub fn arg_is_dependent(&self, arg: &TemplateArg) -> bool {
        match arg {
            TemplateArg::Type(t) => self.is_dependent(t.ty),
            TemplateArg::Int { .. } => false,
            TemplateArg::Param(_) | TemplateArg::Dependent => true,
            TemplateArg::Pack(all) => all.iter().any(|a| self.arg_is_dependent(a)),
        }
    }
}

/// Largest object accepted: 256 GiB, beyond any device's memory.
pub const MAX_SIZE: u64 = 1 << 38;
