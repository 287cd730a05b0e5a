//! The tree of a generated program: one for OpenCL C and CUDA C++, typed, made so that any part of it can be cut off or
//! replaced. All operations are a [`Form`] over a list of operands; blocks are lists of statements.

/// An arithmetic type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "named for what they are")]
pub enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
    /// `half`, CUDA's `__half`.
    F16,
}

use Scalar::{F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};

impl Scalar {
    /// The integers, a signed one before its unsigned one.
    pub const INTEGERS: [Self; 8] = [I8, U8, I16, U16, I32, U32, I64, U64];

    /// Its size in bits.
    pub fn bits(self) -> u32 {
        match self {
            I8 | U8 => 8,
            I16 | U16 | F16 => 16,
            I32 | U32 | F32 => 32,
            I64 | U64 | F64 => 64,
        }
    }

    /// Whether it is `half`, `float` or `double`.
    pub fn is_float(self) -> bool {
        matches!(self, F16 | F32 | F64)
    }

    /// Whether it has negative values.
    pub fn is_signed(self) -> bool {
        matches!(self, I8 | I16 | I32 | I64) || self.is_float()
    }

    /// The unsigned integer of its size.
    pub fn unsigned(self) -> Self {
        [U8, U16, U32, U64][self.bits().trailing_zeros() as usize - 3]
    }

    /// The signed integer of its size.
    pub fn signed(self) -> Self {
        [I8, I16, I32, I64][self.bits().trailing_zeros() as usize - 3]
    }

    /// What it becomes as an operand (C11, 6.3.1.1).
    pub fn promoted(self) -> Self {
        if self.bits() < 32 && self != F16 { I32 } else { self }
    }

    /// The type of an operation on two of them (C11, 6.3.1.8).
    pub fn common(self, other: Self) -> Self {
        let (a, b) = (self.promoted(), other.promoted());
        if a.is_float() || b.is_float() {
            return [F64, F32].into_iter().find(|f| a == *f || b == *f).unwrap_or(F16);
        }
        match (a.bits().cmp(&b.bits()), a.is_signed()) {
            (std::cmp::Ordering::Greater, _) | (std::cmp::Ordering::Equal, false) => a,
            _ => b,
        }
    }
}

/// An address space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "named for what they are")]
pub enum Space {
    Private,
    Global,
    Local,
    Constant,
}

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "named for what they are")]
pub enum Ty {
    Void,
    Scalar(Scalar),
    Vector(Scalar, u8),
    /// A structure, union, class, enumeration or `typedef` by its name.
    Named(String),
    Array(Box<Ty>, u32),
    Pointer(Space, Box<Ty>),
    /// `const T *`.
    ConstPointer(Space, Box<Ty>),
    /// CUDA's `T &`.
    Reference(Box<Ty>),
    /// CUDA's `const T &`.
    ConstReference(Box<Ty>),
    /// CUDA's `auto`.
    Auto,
}

impl Ty {
    /// A pointer to it.
    pub fn pointer(self, space: Space) -> Self {
        Self::Pointer(space, Box::new(self))
    }

    /// The scalar that it is.
    pub fn scalar(&self) -> Option<Scalar> {
        if let Self::Scalar(s) = self { Some(*s) } else { None }
    }
}

impl From<Scalar> for Ty {
    fn from(s: Scalar) -> Self {
        Self::Scalar(s)
    }
}

/// What an expression does with its operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// A literal: its value, in the bits of its type, of a `half` in those of a `float`. Vectors: in each component.
    Literal(u64),
    /// A name, or anything else that binds as tightly.
    Name(String),
    /// `-a`, `++a`, `*a`, `&a`, `sizeof a`.
    Prefix(&'static str),
    /// `a++`.
    Postfix(&'static str),
    /// `a + b`, `a = b`, `a, b`.
    Binary(&'static str),
    /// `a ? b : c`.
    Ternary,
    /// `f(a, b)`.
    Call(String),
    /// `a.f(b, c)`.
    Method(String),
    /// `a.x`.
    Member(String),
    /// `a->x`.
    Arrow(String),
    /// `a[b]`.
    Index,
    /// `(T)a`, `T` being the expression's type.
    Cast,
    /// `T(a, b)` or `(T)(a, b)`: a vector or an object of its components.
    Construct,
    /// `{a, b}`, as an initialiser.
    Braces,
    /// `[=](T x) { … }`.
    Lambda(Box<Lambda>),
}

/// A lambda.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lambda {
    /// How it takes what is around it: `=` or `&`.
    pub capture: &'static str,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its statements.
    pub body: Vec<Stmt>,
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    /// Its type.
    pub ty: Ty,
    /// What it does.
    pub form: Form,
    /// With what.
    pub args: Vec<Expr>,
}

impl Expr {
    /// An expression.
    pub fn new(ty: impl Into<Ty>, form: Form, args: Vec<Self>) -> Self {
        Self { ty: ty.into(), form, args }
    }

    /// A name.
    pub fn name(ty: impl Into<Ty>, name: impl Into<String>) -> Self {
        Self::new(ty, Form::Name(name.into()), Vec::new())
    }

    /// A literal.
    pub fn literal(ty: impl Into<Ty>, bits: u64) -> Self {
        Self::new(ty, Form::Literal(bits), Vec::new())
    }

    /// `a OP b`.
    pub fn binary(ty: impl Into<Ty>, op: &'static str, a: Self, b: Self) -> Self {
        Self::new(ty, Form::Binary(op), vec![a, b])
    }

    /// `OP a`.
    pub fn prefix(ty: impl Into<Ty>, op: &'static str, a: Self) -> Self {
        Self::new(ty, Form::Prefix(op), vec![a])
    }

    /// `f(args)`.
    pub fn call(ty: impl Into<Ty>, f: impl Into<String>, args: Vec<Self>) -> Self {
        Self::new(ty, Form::Call(f.into()), args)
    }

    /// `(ty)self`; nothing if it has the type.
    pub fn cast(self, ty: impl Into<Ty>) -> Self {
        let ty = ty.into();
        if self.ty == ty { self } else { Self::new(ty, Form::Cast, vec![self]) }
    }

    /// `self.name`.
    pub fn member(self, ty: impl Into<Ty>, name: impl Into<String>) -> Self {
        Self::new(ty, Form::Member(name.into()), vec![self])
    }

    /// `self[index]`.
    pub fn index(self, ty: impl Into<Ty>, index: Self) -> Self {
        Self::new(ty, Form::Index, vec![self, index])
    }

    /// `self = value;`
    pub fn assign(self, value: Self) -> Stmt {
        Stmt::Expr(Self::binary(self.ty.clone(), "=", self, value))
    }
}

/// A label of a `switch`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Label {
    /// `case N:`
    Case(i64),
    /// `default:`
    Default,
}

/// A part of a `switch`, which falls into the next one unless it ends otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arm {
    /// Its labels.
    pub labels: Vec<Label>,
    /// Its statements.
    pub body: Vec<Stmt>,
}

/// A variable's declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decl {
    /// `const`, `local`, `__shared__`, with a space at the end.
    pub prefix: String,
    /// Its type.
    pub ty: Ty,
    /// Its name.
    pub name: String,
    /// What it begins with.
    pub init: Option<Expr>,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "named for what they are")]
pub enum Stmt {
    Decl(Decl),
    Expr(Expr),
    Block(Vec<Stmt>),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// With what stands before it: a pragma or an attribute.
    For {
        hint: String,
        init: Option<Box<Stmt>>,
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Vec<Stmt>,
    },
    /// C++'s `for (T &e : array)`: what is declared, the array.
    RangeFor(String, Expr, Vec<Stmt>),
    While(String, Expr, Vec<Stmt>),
    DoWhile(Vec<Stmt>, Expr),
    Switch(Expr, Vec<Arm>),
    Break,
    Continue,
    Return(Option<Expr>),
    Goto(String),
    Label(String),
}

/// A field of a structure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its type.
    pub ty: Ty,
    /// Its name; empty for padding.
    pub name: String,
    /// Its width, if it is a bit-field.
    pub width: Option<u32>,
}

/// A structure or union.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Its name.
    pub name: String,
    /// Whether its fields share their place.
    pub union: bool,
    /// Its fields.
    pub fields: Vec<Field>,
    /// Constructors, methods and operators, with all that stands in the class.
    pub methods: Vec<Function>,
    /// `__attribute__((packed))` and the like.
    pub attribute: String,
}

/// A parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its type.
    pub ty: Ty,
    /// Its name.
    pub name: String,
    /// CUDA: what it is if nobody says.
    pub default: Option<Expr>,
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// What stands before the type: `kernel`, `__device__`, `template <typename T>`, with a space at the end.
    pub prefix: String,
    /// What it returns; [`Ty::Named`] of nothing for constructors.
    pub ret: Ty,
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<Param>,
    /// What stands behind the parameters: `const`, a constructor's initialisers.
    pub suffix: String,
    /// Its statements.
    pub body: Vec<Stmt>,
}

/// What a program consists of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A line as it stands: an enumeration, a `typedef`.
    Text(String),
    /// A structure or union.
    Record(Record),
    /// A variable of the program.
    Global(Decl),
    /// A function.
    Function(Function),
    /// A kernel.
    Kernel(Function),
}

/// How the kernels are launched, and with what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// Work-groups.
    pub groups: [u32; 3],
    /// Work-items of a group.
    pub local: [u32; 3],
    /// 64-bit results of each work-item.
    pub results: u32,
    /// Words of the read-only buffer.
    pub input: Vec<u32>,
    /// Words of the buffer of atomics.
    pub accumulators: Vec<u32>,
    /// The argument `n`: small.
    pub n: i32,
    /// The argument `m`: anything.
    pub m: u32,
}

impl Launch {
    /// Work-items of a group.
    pub fn group_items(&self) -> u32 {
        self.local.iter().product()
    }

    /// Work-items of the launch.
    pub fn items(&self) -> u32 {
        self.group_items() * self.groups.iter().product::<u32>()
    }
}

/// A program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Its language.
    pub dialect: unspool::Dialect,
    /// Its parts, each before those that need it.
    pub items: Vec<Item>,
    /// Its launch.
    pub launch: Launch,
}

impl Program {
    /// Its kernels, in the order in which they run.
    pub fn kernels(&self) -> impl Iterator<Item = &Function> {
        self.items.iter().filter_map(|i| if let Item::Kernel(k) = i { Some(k) } else { None })
    }
}
