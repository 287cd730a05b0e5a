//! Declarations and attributes.

use super::{
    AsmId, ExprId, FpContract, FunctionId, Ident, List, NameId, PragmaId, RecordId, StmtId, StrId, TagKind, TypeId,
};
use source::{Span, Symbol};

/// A declaration.
#[derive(Clone, Copy, Debug)]
pub struct Decl {
    /// What it declares.
    pub kind: DeclKind,
    /// The name declared; [`super::NameKind::None`] where there is none.
    pub name: NameId,
    /// Storage class, function specifiers, dialect keywords.
    pub specs: DeclSpecs,
    /// Attributes, in source order; those before the declaration apply to each of its declarators.
    pub attrs: List<Attr>,
    /// Where, from first to last token of specifiers, declarator and initialiser or body.
    pub span: Span,
}

/// What a declaration declares.
#[derive(Clone, Copy, Debug)]
pub enum DeclKind {
    /// Something that did not parse; an error was reported.
    Error,
    /// `;`, or a declaration that declares nothing.
    Empty,
    /// A variable.
    Var {
        /// Its type.
        ty: TypeId,
        /// Its initialiser.
        init: Init,
        /// `asm("name")`
        asm_label: Option<StrId>,
    },
    /// A parameter of a function.
    Param {
        /// Its type, not yet adjusted; [`super::TypeKind::Pack`] for a parameter pack.
        ty: TypeId,
        /// Its default argument.
        default: Option<ExprId>,
    },
    /// A non-static data member.
    Field {
        /// Its type.
        ty: TypeId,
        /// `: n`
        bits: Option<ExprId>,
        /// `= e` or `{…}`
        init: Option<ExprId>,
    },
    /// A function, declared or defined.
    Function(FunctionId),
    /// `struct`, `class`, `union`.
    Record(RecordId),
    /// `enum`
    Enum {
        /// `enum class`
        scoped: bool,
        /// `: T`
        underlying: Option<TypeId>,
        /// The [`DeclKind::Enumerator`]s; `None` without a body.
        members: Option<List<super::DeclId>>,
    },
    /// A member of an enumeration.
    Enumerator {
        /// `= e`
        value: Option<ExprId>,
    },
    /// `typedef T x;`, `using x = T;`
    Typedef {
        /// The type.
        ty: TypeId,
    },
    /// `namespace a { … }`; nested ones for `a::b`.
    Namespace {
        /// `inline`
        inline: bool,
        /// What is in it.
        members: List<super::DeclId>,
    },
    /// `namespace a = b;`
    NamespaceAlias {
        /// What it stands for.
        target: NameId,
    },
    /// `using namespace a;` ([`Decl::name`] is `a`)
    UsingDirective,
    /// `using a::b;` ([`Decl::name`] is `a::b`)
    Using,
    /// `extern "C" { … }`, `extern "C" decl`.
    Linkage {
        /// `"C"`, as against `"C++"`.
        c: bool,
        /// What is in it.
        members: List<super::DeclId>,
    },
    /// `static_assert(e, "m");`
    StaticAssert {
        /// The condition.
        cond: ExprId,
        /// The message.
        message: Option<StrId>,
    },
    /// `template<…> decl`; an explicit specialisation has no parameters. A partial specialisation's name has arguments.
    Template {
        /// [`DeclKind::TypeParam`], [`DeclKind::Param`] (non-type), [`DeclKind::TemplateParam`].
        params: List<super::DeclId>,
        /// What is parameterised: a function, record, variable, typedef or another template (member templates).
        decl: super::DeclId,
    },
    /// `template decl;`, `extern template decl;`
    Instantiation {
        /// `extern`
        is_extern: bool,
        /// What is instantiated.
        decl: super::DeclId,
    },
    /// `class T`, `class… T`
    TypeParam {
        /// `= T`
        default: Option<TypeId>,
        /// `…`
        pack: bool,
    },
    /// `template<…> class T`
    TemplateParam {
        /// Its own parameters.
        params: List<super::DeclId>,
        /// `= T`
        default: Option<TypeId>,
        /// `…`
        pack: bool,
    },
    /// `friend T;`
    FriendType(TypeId),
    /// `friend` and a declaration.
    Friend(super::DeclId),
    /// `public:` …
    Access(AccessSpec),
    /// `auto [a, b] = e;`
    Bindings {
        /// The names.
        names: List<Ident>,
        /// `auto` with qualifiers and perhaps a reference.
        ty: TypeId,
        /// The initialiser.
        init: Init,
    },
    /// `asm("…");` at file scope.
    Asm(AsmId),
    /// A pragma kept for a later stage.
    Pragma(PragmaId),
    /// Host code of a `.cu` file, skipped unparsed.
    HostOnly(HostReason),
    /// What could be read of the host code that the [`DeclKind::HostOnly`] before it stands for. Only the search for
    /// launches looks at it: what did not parse is missing from it without a word.
    HostView(super::DeclId),
    /// The member that device code has in place of one of the host's, of which a [`DeclKind::HostView`] behind it says what
    /// it is for the host: a field of the same size.
    DeviceView(super::DeclId),
    /// The scope of the class that the [`DeclKind::HostOnly`] before it stands for: what in it needs no layout.
    HostScope {
        /// Its base classes, as far as they are plain names.
        bases: List<Base>,
        /// Enumerations, types and constants.
        members: List<super::DeclId>,
    },
    /// `k<T, 4><<<…>>>` in skipped host code: it instantiates the kernel that [`Decl::name`] names with arguments.
    Launch,
}

/// Why a declaration is host-only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HostReason {
    /// A function without `__device__`, `__global__` or `constexpr`.
    Function,
    /// A class's constructor of that kind that takes an object of the class.
    CopyConstructor,
    /// A variable without `__device__`, `__constant__`, `__shared__` or `constexpr` whose type or initialiser is not
    /// device code.
    Variable,
    /// A data member whose type, and with it its size, is not known to the device compiler.
    Member,
    /// A class that uses types unknown to the device compiler.
    Class,
    /// Another declaration that uses names unknown to the device compiler.
    UnknownType,
}

impl HostReason {
    /// The reason in words.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Function => "a host function",
            Self::CopyConstructor => "a host constructor for copies",
            Self::Variable => "a host variable",
            Self::Member => "a member of a host-only type",
            Self::Class => "a class that uses host-only types",
            Self::UnknownType => "a declaration that uses host-only names",
        }
    }
}

/// The initialiser of a variable.
#[derive(Clone, Copy, Debug)]
pub enum Init {
    /// None.
    None,
    /// `= e`; `= {…}` has an [`super::ExprKind::InitList`].
    Copy(ExprId),
    /// `(a, …)`
    Paren(List<ExprId>),
    /// `{…}`: an [`super::ExprKind::InitList`].
    Brace(ExprId),
}

/// What a function has beyond its [`Decl`].
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// Its type: a [`super::TypeKind::Function`], or a name for a typedef of one.
    pub ty: TypeId,
    /// What sort of function.
    pub kind: FunctionKind,
    /// Its body.
    pub body: Body,
    /// The first declaration behind those of its body, whose numbers come after its own; any, if it has no body.
    pub end: super::DeclId,
    /// `: a(x), b{y}`
    pub inits: List<CtorInit>,
    /// `= 0`
    pub pure: bool,
    /// `override`, `final` stood after it.
    pub overrides: bool,
    /// `asm("name")`
    pub asm_label: Option<StrId>,
    /// In a `.cu` file: nothing makes it device code, its body was skipped.
    pub host_only: bool,
    /// Contraction where its body begins.
    pub contract: FpContract,
}

/// What sort of function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionKind {
    /// One that has a return type; operators too.
    Plain,
    /// A constructor.
    Constructor,
    /// A destructor.
    Destructor,
    /// `operator T`
    Conversion,
    /// A deduction guide: `S(T) -> S<T>;`
    Guide,
}

/// The body of a function.
#[derive(Clone, Copy, Debug)]
pub enum Body {
    /// Declared only.
    None,
    /// A compound statement.
    Stmt(StmtId),
    /// `= default`
    Default,
    /// `= delete`
    Delete,
    /// There is one, but it is host code and was skipped.
    Skipped,
}

/// A member initialiser of a constructor.
#[derive(Clone, Copy, Debug)]
pub struct CtorInit {
    /// The member or base.
    pub name: NameId,
    /// The arguments; with `braces` one [`super::ExprKind::InitList`].
    pub args: List<ExprId>,
    /// Whether written with braces.
    pub braces: bool,
    /// `…` after it.
    pub pack: bool,
    /// Where.
    pub span: Span,
}

/// What a class has beyond its [`Decl`].
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// The keyword.
    pub tag: TagKind,
    /// Whether it has a body.
    pub defined: bool,
    /// Base classes.
    pub bases: List<Base>,
    /// Members in order: fields, functions, nested types, access specifiers…
    pub members: List<super::DeclId>,
    /// `final`
    pub is_final: bool,
    /// The pack alignment in force (`#pragma pack(n)`), 0 if none.
    pub pack: u8,
}

/// A base class.
#[derive(Clone, Copy, Debug)]
pub struct Base {
    /// Its type.
    pub ty: TypeId,
    /// The access written, if any.
    pub access: Option<AccessSpec>,
    /// `virtual`
    pub is_virtual: bool,
    /// `…`
    pub pack: bool,
}

/// An access specifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "named after the keywords")]
pub enum AccessSpec {
    Public,
    Protected,
    Private,
}

macro_rules! specs {
    ($($(#[$m:meta])* $name:ident = $bit:expr, $word:expr;)*) => {
        impl DeclSpecs {
            $($(#[$m])* pub const $name: Self = Self(1 << $bit);)*

            /// Every specifier with its word, in a fixed order.
            pub const ALL: &'static [(Self, &'static str)] = &[$((Self::$name, $word),)*];
        }
    };
}

/// A set of declaration specifiers that are neither types nor qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct DeclSpecs(pub u32);

specs! {
    /// `extern`
    EXTERN = 0, "extern";
    /// `static`
    STATIC = 1, "static";
    /// `register`
    REGISTER = 2, "register";
    /// `_Thread_local`, `thread_local`, `__thread`
    THREAD = 3, "thread_local";
    /// `inline` and its spellings
    INLINE = 4, "inline";
    /// `_Noreturn`
    NORETURN = 5, "_Noreturn";
    /// `constexpr`
    CONSTEXPR = 6, "constexpr";
    /// `consteval`
    CONSTEVAL = 7, "consteval";
    /// `constinit`
    CONSTINIT = 8, "constinit";
    /// `virtual`
    VIRTUAL = 9, "virtual";
    /// `explicit`
    EXPLICIT = 10, "explicit";
    /// `friend`
    FRIEND = 11, "friend";
    /// `mutable`
    MUTABLE = 12, "mutable";
    /// OpenCL `__kernel`
    KERNEL = 13, "__kernel";
    /// CUDA `__global__`
    GLOBAL = 14, "__global__";
    /// CUDA `__device__`
    DEVICE = 15, "__device__";
    /// CUDA `__host__`
    HOST = 16, "__host__";
    /// CUDA `__shared__`
    SHARED = 17, "__shared__";
    /// CUDA `__constant__`
    CONSTANT = 18, "__constant__";
    /// CUDA `__managed__`
    MANAGED = 19, "__managed__";
    /// CUDA `__grid_constant__`
    GRID_CONSTANT = 20, "__grid_constant__";
    /// CUDA `__forceinline__`
    FORCEINLINE = 21, "__forceinline__";
    /// CUDA `__noinline__`
    NOINLINE = 22, "__noinline__";
    /// Inside `extern "C"`, in braces or not.
    EXTERN_C = 23, "extern_c";
    /// `typedef`
    TYPEDEF = 24, "typedef";
    /// C `auto` (a storage class without meaning)
    AUTO = 25, "auto";
    /// OpenCL/CUDA `__tile_static__`-like pipe qualifier `pipe`
    PIPE = 26, "pipe";
}

impl DeclSpecs {
    /// No specifier.
    pub const NONE: Self = Self(0);

    /// Whether all of `other` are in it.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether any of `other` is in it.
    pub const fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Both together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Without `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The words of the set, in a fixed order.
    pub fn words(self) -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().filter(move |(s, _)| self.has(*s)).map(|&(_, w)| w)
    }
}

impl std::fmt::Debug for DeclSpecs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.words()).finish()
    }
}

/// An attribute, unresolved.
#[derive(Clone, Copy, Debug)]
pub struct Attr {
    /// How it was written.
    pub syntax: AttrSyntax,
    /// `clang` of `clang::x`.
    pub scope: Option<Symbol>,
    /// Its name as written; `sema` strips the underscores of `__x__`.
    pub name: Symbol,
    /// Whether `(…)` followed.
    pub parens: bool,
    /// The arguments.
    pub args: List<AttrArg>,
    /// Where.
    pub span: Span,
}

/// How an attribute was written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AttrSyntax {
    /// `__attribute__((x))`
    Gnu,
    /// `[[x]]`
    Cxx,
    /// A keyword with arguments: `__launch_bounds__(…)`, `__maxnreg__(…)`, `_Alignas(…)` as `alignas`.
    Keyword,
    /// `__declspec(x)`
    Declspec,
}

/// An argument of an attribute.
#[derive(Clone, Copy, Debug)]
pub enum AttrArg {
    /// An expression; a lone identifier is a [`super::ExprKind::Name`].
    Expr(ExprId),
    /// A type: `vec_type_hint(float4)`, `alignas(T)`.
    Type(TypeId),
    /// `name = e`
    Named(Ident, ExprId),
}
