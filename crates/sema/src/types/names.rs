//! The tree of names that entities have: namespaces, classes, instances of templates.

use super::{NameId, QualTy, Quals, TyId};
use source::Symbol;
use syntax::ast::RefQual;

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
    /// An object of a class or a floating-point number (C++20).
    Object {
        /// Its bytes.
        bytes: Box<[u8]>,
        /// Type.
        ty: TyId,
    },
    /// A function, whose address it is.
    Function {
        /// Its number in the checker that made the argument.
        id: u32,
        /// Its name.
        path: NameId,
        /// Its symbol.
        symbol: Symbol,
    },
    /// A variable that a reference is bound to, or whose address it is.
    Variable {
        /// Its number in the checker that made the argument.
        id: u32,
        /// Its name.
        name: Symbol,
        /// Its symbol.
        symbol: Symbol,
        /// Whether it is the variable's address, of an array that of its first element.
        address: bool,
    },
    /// A class or alias template, by its name: what a template template parameter takes.
    Template(NameId),
    /// The parameter at this position of the enclosing template. Only in signatures of templates.
    Param(u32),
    /// A parameter pack's arguments.
    Pack(Box<[TemplateArg]>),
    /// `pattern...`, which stands for any number of arguments. Only in signatures of templates.
    Expansion {
        /// What each of them looks like.
        pattern: Box<TemplateArg>,
        /// The positions of the parameter packs in it.
        packs: Box<[u32]>,
    },
    /// A dependent expression, where it is modelled. Only in signatures of templates.
    Dependent(Option<Box<DependentExpr>>),
}

/// An expression with template parameters in it, as signatures are told apart by it and symbols have it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum DependentExpr {
    /// A number, or a parameter.
    Value(TemplateArg),
    /// `X<T>::value`, `T::value`
    Member {
        /// The class.
        of: TyId,
        /// The member.
        name: Symbol,
    },
    /// `is_x_v<T>`: symbols have only the variable template.
    Variable {
        /// The namespace.
        scope: NameId,
        /// The template.
        name: Symbol,
        /// Its arguments.
        args: Box<[TemplateArg]>,
    },
    /// `ns::f<T>()`
    Call {
        /// Whether `::` is written before all.
        global: bool,
        /// The names before it, as they are written.
        path: Box<[Symbol]>,
        /// The function template.
        name: Symbol,
        /// Its arguments.
        args: Box<[TemplateArg]>,
    },
    /// `sizeof(T)`
    SizeOf(TyId),
    /// An operator before its operand.
    Unary(OperatorName, Box<DependentExpr>),
    /// An operator between its operands.
    Binary(OperatorName, Box<[DependentExpr; 2]>),
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
    /// A record or enumeration that a function declares after others of that name, and how many: they are different types.
    Local(Symbol, u32),
    /// An unnamed record or enumeration; the number tells them apart.
    Unnamed(u32),
    /// A lambda's closure type; the number tells them apart.
    Lambda(u32),
    /// The body of the parent, a function, around what it declares: one of [`bodies`](crate::types::TypeTable::bodies).
    Body(u32),
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
    /// A literal operator, by its suffix.
    Literal(Symbol),
}

/// What tells a function apart in the names of what its body declares.
#[derive(Clone, Debug)]
pub struct BodyName {
    /// The function's name.
    pub path: NameId,
    /// Result type; of a specialisation that of the template.
    pub ret: TyId,
    /// Parameters without `this`; of a specialisation those of the template.
    pub params: Box<[TyId]>,
    /// Which parameters are expansions of packs; those behind its end are none.
    pub expansions: Box<[bool]>,
    /// Ends in `...`.
    pub variadic: bool,
    /// `const` and `volatile` of a member function.
    pub this_quals: Quals,
    /// `&` and `&&` of a member function.
    pub ref_qual: RefQual,
    /// Tells templates of functions apart; 0 where there is none.
    pub template: u32,
    /// It has its plain name in symbols.
    pub plain: bool,
    /// It is the file's own.
    pub internal: bool,
}

/// What tells a lambda apart from others of one function.
#[derive(Clone, Debug)]
pub struct LambdaName {
    /// Its parameters; of a generic lambda those of the template.
    pub params: Box<[TyId]>,
    /// Which parameters are expansions of packs; those behind its end are none.
    pub expansions: Box<[bool]>,
    /// Ends in `...`.
    pub variadic: bool,
    /// How many specialisations of templates are around it.
    pub level: u32,
    /// How many with the same parameters the function has before it.
    pub number: u32,
}

/// The operators that can be overloaded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum OperatorName {
    /// `+` with two operands.
    Add,
    /// `<=>`
    ThreeWay,
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
    /// `->*`
    ArrowStar,
    /// `()`
    Call,
    /// `[]`
    Subscript,
    /// `new`, `delete` and whatever else is only ever declared.
    Other,
}
