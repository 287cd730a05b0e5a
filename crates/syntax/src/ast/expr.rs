//! Expressions.

use super::{DeclId, ExprId, FnTypeId, Ident, LambdaId, List, NameId, NewId, RequiresId, StmtId, StrId, TypeId};
use crate::literal::{CharLiteral, FloatLiteral, IntLiteral};
use source::{Span, Symbol};

/// An expression.
#[derive(Clone, Copy, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where, from first to last token.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Copy, Debug)]
pub enum ExprKind {
    /// Something that did not parse; an error was reported.
    Error,
    /// An integer constant.
    Int(IntLiteral),
    /// A floating constant.
    Float(FloatLiteral),
    /// A character constant.
    Char(CharLiteral),
    /// A string literal.
    Str(StrId),
    /// `true`, `false` (where they are keywords).
    Bool(bool),
    /// `nullptr`
    Nullptr,
    /// A literal with a user-defined suffix.
    UserLiteral {
        /// The literal proper.
        literal: ExprId,
        /// The suffix with its underscore.
        suffix: Symbol,
        /// A number as it is spelt, as a string; of other literals themselves.
        spelling: ExprId,
        /// The arguments of a literal operator that is a template: the characters of a number, the string.
        args: List<super::TemplateArg>,
    },
    /// A name.
    Name(NameId),
    /// `this`
    This,
    /// `__func__`, `__FUNCTION__`, `__PRETTY_FUNCTION__`.
    FuncName(FuncName),
    /// `(e)`
    Paren(ExprId),
    /// Prefix and postfix operators.
    Unary(UnaryOp, ExprId),
    /// Binary operators without assignment and comma.
    Binary(BinaryOp, ExprId, ExprId),
    /// `l = r`, or `l op= r`.
    Assign(Option<BinaryOp>, ExprId, ExprId),
    /// `l, r`
    Comma(ExprId, ExprId),
    /// `c ? t : f`
    Cond {
        /// The condition.
        cond: ExprId,
        /// The middle; `None` for GNU `c ?: f`.
        then: Option<ExprId>,
        /// The last.
        els: ExprId,
    },
    /// `(T)e` and the named casts.
    Cast {
        /// Which.
        kind: CastKind,
        /// To what.
        ty: TypeId,
        /// Of what.
        operand: ExprId,
    },
    /// OpenCL `(T)(a, b, …)` of two expressions or more. If `T` is no vector it is a cast of a comma expression.
    VectorLit {
        /// The vector type.
        ty: TypeId,
        /// The elements.
        elems: List<ExprId>,
    },
    /// `T(a, …)` and, with one [`ExprKind::InitList`] argument, `T{a, …}`.
    Construct {
        /// The type.
        ty: TypeId,
        /// The arguments.
        args: List<ExprId>,
        /// Whether it was written with braces.
        braces: bool,
    },
    /// `(T){…}`
    CompoundLit {
        /// The type.
        ty: TypeId,
        /// An [`ExprKind::InitList`].
        init: ExprId,
    },
    /// `{a, .x = b, [3] = c}`; in initialisers, arguments, `return`.
    InitList(List<InitItem>),
    /// `f(a, …)`
    Call {
        /// What is called.
        callee: ExprId,
        /// The arguments.
        args: List<ExprId>,
    },
    /// `f<<<grid, block, …>>>(a, …)`
    Launch {
        /// The kernel.
        callee: ExprId,
        /// The configuration.
        config: List<ExprId>,
        /// The arguments.
        args: List<ExprId>,
    },
    /// `a[i]`
    Index {
        /// The left operand.
        base: ExprId,
        /// The subscript.
        index: ExprId,
    },
    /// `a.x`, `a->x`; vector swizzles too.
    Member {
        /// The object.
        base: ExprId,
        /// Whether it was `->`.
        arrow: bool,
        /// The member.
        name: NameId,
    },
    /// `sizeof e`
    SizeofExpr(ExprId),
    /// `sizeof(T)`
    SizeofType(TypeId),
    /// `sizeof...(P)`
    SizeofPack(Symbol),
    /// `__alignof__ e`
    AlignofExpr(ExprId),
    /// `alignof(T)`
    AlignofType(TypeId),
    /// `noexcept(e)`
    Noexcept(ExprId),
    /// `_Generic(e, T: a, default: b)`
    Generic {
        /// The controlling expression.
        control: ExprId,
        /// The associations.
        arms: List<GenericArm>,
    },
    /// `({ … })`
    StmtExpr(StmtId),
    /// `__builtin_offsetof(T, a.b[2])`
    Offsetof {
        /// The type.
        ty: TypeId,
        /// The member path; the first is a field.
        path: List<Designator>,
    },
    /// `__builtin_va_arg(list, T)`
    VaArg {
        /// The list.
        list: ExprId,
        /// The type.
        ty: TypeId,
    },
    /// `__builtin_choose_expr(c, a, b)`
    Choose {
        /// The constant.
        cond: ExprId,
        /// If it is not zero.
        then: ExprId,
        /// If it is.
        els: ExprId,
    },
    /// `__builtin_types_compatible_p(A, B)`, `__is_same(A, B)` and other questions about types.
    TypeTrait {
        /// The builtin's name.
        name: Symbol,
        /// The types.
        args: List<TypeId>,
    },
    /// `__builtin_bit_cast(T, e)`
    BitCast {
        /// To what.
        ty: TypeId,
        /// Of what.
        operand: ExprId,
    },
    /// `[…](…) {…}`
    Lambda(LambdaId),
    /// `(l op … op r)`, with either operand missing in a unary fold.
    Fold {
        /// The operator.
        op: FoldOp,
        /// What stands before `…`.
        left: Option<ExprId>,
        /// What stands after it.
        right: Option<ExprId>,
    },
    /// `e…` in a list.
    Pack(ExprId),
    /// `new T`; not supported on devices.
    New(NewId),
    /// `requires { … }`
    Requires(RequiresId),
    /// `delete p`, `delete[] p`; not supported on devices.
    Delete {
        /// Whether with `[]`.
        array: bool,
        /// The pointer.
        operand: ExprId,
    },
    /// `throw e`; not supported on devices.
    Throw(Option<ExprId>),
    /// `typeid(e)`; not supported on devices.
    TypeidExpr(ExprId),
    /// `typeid(T)`; not supported on devices.
    TypeidType(TypeId),
    /// GNU `&&label`; not supported on devices.
    LabelAddr(Symbol),
}

/// The names of the enclosing function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FuncName {
    /// `__func__`
    Func,
    /// `__FUNCTION__`
    Function,
    /// `__PRETTY_FUNCTION__`
    Pretty,
}

/// Operators of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "named after the operators; `as_str` spells them")]
pub enum UnaryOp {
    Plus,
    Minus,
    Not,
    BitNot,
    Deref,
    AddrOf,
    PreInc,
    PreDec,
    PostInc,
    PostDec,
    /// GNU `__real__`
    Real,
    /// GNU `__imag__`
    Imag,
    /// `__extension__`
    Extension,
}

impl UnaryOp {
    /// The operator; postfix ones have an `x` before them.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Not => "!",
            Self::BitNot => "~",
            Self::Deref => "*",
            Self::AddrOf => "&",
            Self::PreInc => "++",
            Self::PreDec => "--",
            Self::PostInc => "x++",
            Self::PostDec => "x--",
            Self::Real => "__real__",
            Self::Imag => "__imag__",
            Self::Extension => "__extension__",
        }
    }
}

/// Operators of two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "named after the operators; `as_str` spells them")]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    /// `<=>`
    ThreeWay,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    LogAnd,
    LogOr,
    /// `.*`
    DotStar,
    /// `->*`
    ArrowStar,
}

impl BinaryOp {
    /// The operator.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::Add => "+",
            Self::Sub => "-",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::Lt => "<",
            Self::Gt => ">",
            Self::Le => "<=",
            Self::ThreeWay => "<=>",
            Self::Ge => ">=",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::BitAnd => "&",
            Self::BitXor => "^",
            Self::BitOr => "|",
            Self::LogAnd => "&&",
            Self::LogOr => "||",
            Self::DotStar => ".*",
            Self::ArrowStar => "->*",
        }
    }
}

/// The operator of a fold expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldOp {
    /// A binary operator.
    Binary(BinaryOp),
    /// Assignment, perhaps compound.
    Assign(Option<BinaryOp>),
    /// `,`
    Comma,
}

/// The spelling of a cast.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastKind {
    /// `(T)e`
    C,
    /// `static_cast`
    Static,
    /// `reinterpret_cast`
    Reinterpret,
    /// `const_cast`
    Const,
    /// `dynamic_cast`; not supported on devices.
    Dynamic,
}

impl CastKind {
    /// The keyword; `cast` for a C cast.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::C => "cast",
            Self::Static => "static_cast",
            Self::Reinterpret => "reinterpret_cast",
            Self::Const => "const_cast",
            Self::Dynamic => "dynamic_cast",
        }
    }
}

/// One initialiser of a list, with the designators before it.
#[derive(Clone, Copy, Debug)]
pub struct InitItem {
    /// `.x[3]`; empty if there is none.
    pub designators: List<Designator>,
    /// The value, perhaps an [`ExprKind::InitList`].
    pub value: ExprId,
}

/// A step of a designation or of a member path.
#[derive(Clone, Copy, Debug)]
pub enum Designator {
    /// `.x` (or the old `x:`)
    Field(Ident),
    /// `[i]`
    Index(ExprId),
    /// `[lo ... hi]`
    Range(ExprId, ExprId),
}

/// An association of `_Generic`.
#[derive(Clone, Copy, Debug)]
pub struct GenericArm {
    /// The type; `None` for `default`.
    pub ty: Option<TypeId>,
    /// The result.
    pub value: ExprId,
}

/// A lambda expression.
#[derive(Clone, Copy, Debug)]
pub struct Lambda {
    /// `[=]`, `[&]`.
    pub default: CaptureDefault,
    /// The captures named.
    pub captures: List<Capture>,
    /// `<class T>` (C++20), empty if none.
    pub template_params: List<DeclId>,
    /// Parameters and return type (`auto` where none was written).
    pub ty: FnTypeId,
    /// Whether `mutable`.
    pub mutable: bool,
    /// `constexpr`, `__device__` …
    pub specs: super::DeclSpecs,
    /// The body, a compound statement.
    pub body: StmtId,
    /// Contraction where it begins.
    pub contract: super::FpContract,
    /// The first of the names in it, and the first one after them.
    pub names: (NameId, NameId),
    /// Of a generic lambda: its call operator, what its body mentions, and whether that has `this` in it.
    pub generic: Option<GenericLambda>,
}

/// What a lambda with template parameters has beyond others.
#[derive(Clone, Copy, Debug)]
pub struct GenericLambda {
    /// The call operator: a function, whose template parameters are the lambda's.
    pub call: DeclId,
    /// Each unqualified name in the body, once, in the order of the text.
    pub mentions: List<Ident>,
    /// Whether the body has `this` in it.
    pub mentions_this: bool,
}

/// What a lambda captures that it does not name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CaptureDefault {
    /// Nothing.
    None,
    /// `=`
    Copy,
    /// `&`
    Ref,
}

/// A capture.
#[derive(Clone, Copy, Debug)]
pub struct Capture {
    /// The variable; `None` for `this` and `*this`.
    pub name: Option<Ident>,
    /// Whether by reference.
    pub by_ref: bool,
    /// `x = e`
    pub init: Option<ExprId>,
    /// `x…`
    pub pack: bool,
    /// Where.
    pub span: Span,
}

/// A `requires` expression.
#[derive(Clone, Debug)]
pub struct Requires {
    /// Its parameters.
    pub params: List<DeclId>,
    /// What must be so.
    pub list: Vec<Requirement>,
}

/// A requirement.
#[derive(Clone, Copy, Debug)]
pub enum Requirement {
    /// `e;`, `{ e } -> C<…>;`: the expression is valid, and the concept holds for its type.
    Expr {
        /// The expression.
        value: ExprId,
        /// Whether it must not throw: `{ e } noexcept`.
        noexcept: bool,
        /// The concept.
        result: Option<NameId>,
    },
    /// `typename T::x;`: the type exists.
    Type(TypeId),
    /// `requires e;`: the constraint is satisfied.
    Nested(ExprId),
}

/// A `new` expression.
#[derive(Clone, Copy, Debug)]
pub struct New {
    /// Placement arguments.
    pub placement: List<ExprId>,
    /// The type.
    pub ty: TypeId,
    /// The initialiser: an argument list, or one [`ExprKind::InitList`].
    pub init: Option<List<ExprId>>,
}
