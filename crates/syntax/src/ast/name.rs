//! Names, as written.

use super::{ExprId, List, TypeId};
use source::{Span, Symbol};

/// An identifier and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The identifier.
    pub sym: Symbol,
    /// Its place.
    pub span: Span,
}

/// A possibly qualified name: `x`, `::a::b`, `T::template f<int>`, `operator+`, `~S`.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    /// The last component.
    pub kind: NameKind,
    /// The whole of it, qualifier and template arguments included.
    pub span: Span,
    /// Whether it starts with `::`.
    pub global: bool,
    /// Whether `typename` stood before it.
    pub typename: bool,
    /// Whether `template` stood before the last component.
    pub template: bool,
    /// What stands before the last `::`, outermost first.
    pub qualifier: List<NameSegment>,
    /// `<…>` after the last component; `None` if there is none.
    pub args: Option<List<TemplateArg>>,
}

/// The last component of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameKind {
    /// No name: an unnamed parameter, bit-field, namespace, structure.
    None,
    /// An identifier.
    Ident(Symbol),
    /// `operator` and a symbol.
    Operator(Operator),
    /// `operator T`.
    Conversion(TypeId),
    /// `~S`.
    Destructor(Symbol),
    /// `operator""_x`.
    Literal(Symbol),
}

/// One component of a qualifier.
#[derive(Clone, Copy, Debug)]
pub struct NameSegment {
    /// Its identifier, or the type that `decltype(e)` denotes.
    pub kind: SegmentKind,
    /// `<…>` after it.
    pub args: Option<List<TemplateArg>>,
    /// Whether `template` stood before it.
    pub template: bool,
    /// Where.
    pub span: Span,
}

/// What a component of a qualifier is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SegmentKind {
    /// A namespace, class, enumeration or template parameter.
    Ident(Symbol),
    /// `decltype(e)`.
    Decltype(ExprId),
}

/// An argument of a template-id.
#[derive(Clone, Copy, Debug)]
pub enum TemplateArg {
    /// A type, or a name that is known to be one. Where the argument is a template for a template parameter this is
    /// a [`super::TypeKind::Name`] without arguments.
    Type(TypeId),
    /// A constant expression, or a dependent name of unknown kind.
    Expr(ExprId),
    /// `T…`
    TypePack(TypeId),
    /// `e…`
    ExprPack(ExprId),
}

/// What can follow `operator`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "named after the tokens; `as_str` spells them")]
pub enum Operator {
    New,
    Delete,
    NewArray,
    DeleteArray,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Xor,
    And,
    Or,
    Tilde,
    Not,
    Assign,
    Lt,
    Gt,
    AddAssign,
    SubAssign,
    MulAssign,
    DivAssign,
    RemAssign,
    XorAssign,
    AndAssign,
    OrAssign,
    Shl,
    Shr,
    ShlAssign,
    ShrAssign,
    Eq,
    Ne,
    Le,
    ThreeWay,
    Ge,
    LogAnd,
    LogOr,
    Inc,
    Dec,
    Comma,
    ArrowStar,
    Arrow,
    Call,
    Index,
}

impl Operator {
    /// The operator as it stands after `operator`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Delete => "delete",
            Self::NewArray => "new[]",
            Self::DeleteArray => "delete[]",
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::Xor => "^",
            Self::And => "&",
            Self::Or => "|",
            Self::Tilde => "~",
            Self::Not => "!",
            Self::Assign => "=",
            Self::Lt => "<",
            Self::Gt => ">",
            Self::AddAssign => "+=",
            Self::SubAssign => "-=",
            Self::MulAssign => "*=",
            Self::DivAssign => "/=",
            Self::RemAssign => "%=",
            Self::XorAssign => "^=",
            Self::AndAssign => "&=",
            Self::OrAssign => "|=",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::ShlAssign => "<<=",
            Self::ShrAssign => ">>=",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Le => "<=",
            Self::ThreeWay => "<=>",
            Self::Ge => ">=",
            Self::LogAnd => "&&",
            Self::LogOr => "||",
            Self::Inc => "++",
            Self::Dec => "--",
            Self::Comma => ",",
            Self::ArrowStar => "->*",
            Self::Arrow => "->",
            Self::Call => "()",
            Self::Index => "[]",
        }
    }
}
