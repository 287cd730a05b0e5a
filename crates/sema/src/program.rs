//! The typed program: what `lower` consumes.
//!
//! Everything implicit in the source is explicit here:
//!
//! * every conversion is a [`ExprKind::Cast`], every read of memory a [`ExprKind::Load`];
//! * operands of an operator already have the operator's type;
//! * overloads, templates and default arguments are resolved, member functions take `this` as parameter 0,
//!   constructors and destructors are calls, temporaries are [`Local`]s, references are pointers;
//! * constant expressions are folded, `sizeof` and its like are [`ExprKind::Int`];
//! * only functions reachable from an emitted function are in [`Program::functions`].
//!
//! Expressions, statements and lists are dense arenas; a program that sema reported an error for must not be lowered.
//!
//! **Values in memory.** A record or array rvalue is produced *into a destination* by [`ExprKind::Load`] (copy),
//! [`ExprKind::Call`], [`ExprKind::CallPtr`], [`ExprKind::Aggregate`], [`ExprKind::ZeroInit`], [`ExprKind::Cond`],
//! [`ExprKind::Comma`], [`ExprKind::BitCast`] or [`ExprKind::StmtExpr`], and [`ExprKind::Field`] of such a value; no
//! other kind has such a type as an rvalue.
//!
//! **Evaluation order** is C++17's: right before left for assignments, left to right everywhere else.

mod item;
mod operators;
mod side;
mod stmt;

pub use item::{
    Asked, FnAttrs, Function, Global, GlobalInit, Inlining, KernelText, LaunchBounds, Linkage, Local, Overrider,
    ParamText, Reloc, RelocTarget,
};
pub use operators::{BinaryOp, CastKind, CompareOp, UnaryOp};
pub use side::{HostEntity, Side};
pub use stmt::{Asm, AsmOperand, Case, LoopHints, Stmt, StmtKind, UnrollRequest};

use source::{HintId, Span};

use crate::types::{AddrSpace, BitField, Quals, RecordId, TyId, TypeTable};
use builtins::Meaning;
pub use syntax::ast::FpContract;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// Which expression of the [`Program`].
    ExprId;
    /// Which statement of the [`Program`].
    StmtId;
    /// Which function of the [`Program`].
    FuncId;
    /// Which global of the [`Program`].
    GlobalId;
    /// Which local of its [`Function`].
    LocalId;
    /// Which label of its [`Function`].
    LabelId;
}

/// A run of ids in one of the program's pools.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ListId {
    /// First.
    pub start: u32,
    /// How many.
    pub len: u32,
}

impl ListId {
    /// No elements.
    pub const EMPTY: Self = Self { start: 0, len: 0 };

    /// As a range of indices.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// A list of expressions.
pub type ExprList = ListId;
/// A list of statements.
pub type StmtList = ListId;

/// A whole typed program.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// Types.
    pub types: TypeTable,
    /// Expressions.
    pub exprs: Vec<Expr>,
    /// Statements.
    pub stmts: Vec<Stmt>,
    /// Constants of 128 bits.
    pub wide: Vec<u128>,
    /// Where [`ExprList`]s live.
    pub expr_pool: Vec<ExprId>,
    /// Where [`StmtList`]s live.
    pub stmt_pool: Vec<StmtId>,
    /// Elements of [`ExprKind::Aggregate`]s.
    pub init_pool: Vec<InitElem>,
    /// Labels of switches.
    pub case_pool: Vec<Case>,
    /// Inline assembly.
    pub asms: Vec<Asm>,
    /// Functions, in the order their emission was decided: source order, callees after their first callers.
    pub functions: Vec<Function>,
    /// Functions whose address is taken, in order of their ids. Pointers to them are compared and called, no more: what
    /// number one is decides lowering.
    pub addressed: Vec<FuncId>,
    /// Globals, including function-scope shared variables and string literals.
    pub globals: Vec<Global>,
    /// What only the host has, in source order: functions and variables that device code cannot use.
    pub host: Vec<HostEntity>,
}

impl Program {
    /// The expression `id`.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    /// The statement `id`.
    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.index()]
    }

    /// The function `id`.
    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.index()]
    }

    /// The global `id`.
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.index()]
    }

    /// The expressions of a list.
    pub fn exprs(&self, list: ExprList) -> &[ExprId] {
        &self.expr_pool[list.range()]
    }

    /// The statements of a list.
    pub fn stmts(&self, list: StmtList) -> &[StmtId] {
        &self.stmt_pool[list.range()]
    }

    /// The elements of an aggregate.
    pub fn inits(&self, list: ListId) -> &[InitElem] {
        &self.init_pool[list.range()]
    }

    /// The cases of a switch.
    pub fn cases(&self, list: ListId) -> &[Case] {
        &self.case_pool[list.range()]
    }
}

/// Whether an expression is a place or a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Category {
    /// A value.
    RValue,
    /// A place in memory: lowering it gives an address in [`Expr::space`].
    LValue,
}

/// An expression.
#[derive(Clone, Copy, Debug)]
pub struct Expr {
    /// What it does.
    pub kind: ExprKind,
    /// Its type: of the value, or of the object at the place. Never a reference.
    pub ty: TyId,
    /// Place or value.
    pub cat: Category,
    /// Of a place: qualifiers (`volatile` matters to lowering).
    pub quals: Quals,
    /// Of a place: address space of its address.
    pub space: AddrSpace,
    /// Where it stands in the source.
    pub span: Span,
}

/// What an expression does. Unless said otherwise operands are rvalues.
#[derive(Clone, Copy, Debug)]
pub enum ExprKind {
    /// Stands for an expression with an error; never in a program without errors.
    Error,
    /// An integer, `bool` or enumeration constant: its bits, zero-extended from the type's width. Those of 128 bits, too, if
    /// their value is that of the 64 bits, zero-extended.
    Int(u64),
    /// Another constant of 128 bits: its place in [`Program::wide`].
    Wide(u32),
    /// A floating constant, already rounded to the type: the bits of the equal `f64`.
    Float(u64),
    /// The null pointer of the type (also an all-zero opaque value).
    Null,
    /// The zero value of any type, aggregates included.
    ZeroInit,
    /// Place: a local variable or parameter. A reference variable appears as `Deref(Load(Local))` where the inner
    /// place has pointer type.
    Local(LocalId),
    /// Place: a global variable.
    Global(GlobalId),
    /// The address of a function, as a pointer value.
    FuncAddr(FuncId),
    /// Reads the place. Of an aggregate: its bytes are the value.
    Load(ExprId),
    /// Place: what the pointer points to.
    Deref(ExprId),
    /// The address of the place, as a pointer into the place's own address space.
    AddrOf(ExprId),
    /// Place (of a place `base`) or value (of an rvalue): a field of a record, by index into [`Record::fields`].
    ///
    /// [`Record::fields`]: crate::types::Record::fields
    Field {
        /// The record.
        base: ExprId,
        /// The record's type.
        record: RecordId,
        /// Which field.
        field: u32,
    },
    /// Place: element of the array place `base`.
    ArrayElem {
        /// Array place.
        base: ExprId,
        /// 64-bit integer.
        index: ExprId,
    },
    /// Components of a vector place (a place; with two or more components it can only be loaded or stored) or of a
    /// vector value. One component has scalar type. `comps` are components of `base`,
    /// or 3 of a vector of three (`v.hi`, `v.odd`), which is undefined and written nowhere.
    Swizzle {
        /// Vector.
        base: ExprId,
        /// Which components.
        comps: Components,
    },
    /// A component of a vector place (place) or value by computed index.
    VectorElem {
        /// Vector.
        base: ExprId,
        /// Integer.
        index: ExprId,
    },
    /// A vector out of scalars and vectors of its element type, whose components in order are exactly enough.
    VectorBuild(ExprList),
    /// Conversion of a value; for [`CastKind::DerivedToBase`] and [`CastKind::BaseToDerived`] also of a place.
    Cast {
        /// Which.
        kind: CastKind,
        /// Of what.
        operand: ExprId,
    },
    /// Arithmetic with one operand of the result's type (except [`UnaryOp::LogNot`]).
    Unary {
        /// Operator.
        op: UnaryOp,
        /// Operand.
        operand: ExprId,
    },
    /// Arithmetic: both operands have the result's type, except shifts, whose right operand is an integer (vector)
    /// of any width, taken modulo the left's width in OpenCL.
    Binary {
        /// Operator.
        op: BinaryOp,
        /// Left.
        lhs: ExprId,
        /// Right.
        rhs: ExprId,
    },
    /// Comparison of operands of one common type (arithmetic, pointer, vector). The result is `bool` (C++), `int` 0/1
    /// (C), or an integer vector of 0/-1.
    Compare {
        /// Operator.
        op: CompareOp,
        /// Left.
        lhs: ExprId,
        /// Right.
        rhs: ExprId,
    },
    /// `&&` with short circuit; operands are `bool`; result `bool` or `int`.
    LogAnd {
        /// Left.
        lhs: ExprId,
        /// Right.
        rhs: ExprId,
    },
    /// `||` with short circuit; operands are `bool`; result `bool` or `int`.
    LogOr {
        /// Left.
        lhs: ExprId,
        /// Right.
        rhs: ExprId,
    },
    /// `ptr + index` or `ptr - index` in elements of the pointee (`void` counts as 1 byte). `index` is a 64-bit
    /// integer.
    PtrOffset {
        /// Pointer.
        ptr: ExprId,
        /// Elements.
        index: ExprId,
        /// Subtract.
        negative: bool,
    },
    /// Difference of two pointers of one type, in elements; result `long`.
    PtrDiff {
        /// Left.
        lhs: ExprId,
        /// Right.
        rhs: ExprId,
    },
    /// `cond ? then : other`; `cond` is `bool`; both arms have the result's type and category (or are `void`).
    Cond {
        /// `bool`.
        cond: ExprId,
        /// If true.
        then: ExprId,
        /// If false.
        other: ExprId,
    },
    /// OpenCL `?:` on vectors: per component, `then` where the most significant bit of the integer vector `cond` is
    /// set.
    VectorSelect {
        /// Integer vector of the arms' shape.
        cond: ExprId,
        /// Where set.
        then: ExprId,
        /// Where clear.
        other: ExprId,
    },
    /// Stores `value` at `place`. As a place (C++): `place`; as a value: what was stored.
    Assign {
        /// Place.
        place: ExprId,
        /// Value of the place's type.
        value: ExprId,
        /// It is an object's first value, which nothing in `value` reads: objects are made where they are going to be.
        first: bool,
    },
    /// `place = to_place(op(from_place(place), value))`, with `place` evaluated once.
    AssignOp {
        /// Operator.
        op: BinaryOp,
        /// Place.
        place: ExprId,
        /// Right operand, of type `compute` (shifts: any integer).
        value: ExprId,
        /// Type the operation is done in.
        compute: TyId,
        /// Conversion from the place's type to `compute`.
        widen: CastKind,
        /// Conversion back.
        narrow: CastKind,
    },
    /// `place += index` for a pointer place; `index` is a 64-bit integer.
    AssignPtr {
        /// Pointer place.
        place: ExprId,
        /// Elements.
        index: ExprId,
        /// `-=`.
        negative: bool,
    },
    /// `++`, `--` on an arithmetic, pointer or vector place. A place if prefix in C++.
    IncDec {
        /// Place.
        place: ExprId,
        /// `++`.
        increment: bool,
        /// Value is the new one.
        prefix: bool,
    },
    /// `lhs`, whose value is dropped, then `rhs`. Has `rhs`'s category.
    Comma {
        /// First; may be a place or `void`.
        lhs: ExprId,
        /// Result.
        rhs: ExprId,
    },
    /// Direct call. The result is a value (a function that returns a reference gives a pointer value). Arguments match
    /// the parameters, `this` included; record parameters take record values.
    Call {
        /// Callee.
        callee: FuncId,
        /// Arguments.
        args: ExprList,
    },
    /// Call through a pointer.
    CallPtr {
        /// Pointer to function.
        callee: ExprId,
        /// Arguments.
        args: ExprList,
    },
    /// A builtin function; arguments already converted to the resolved signature. CUDA's vector records are
    /// [`ExprKind::BitCast`] to vectors and back around it. `threadIdx.x` is `ItemOp::Special` without arguments.
    /// Variable arguments of `printf` are as the default promotions make them.
    Builtin {
        /// What it does.
        meaning: Meaning,
        /// Arguments.
        args: ExprList,
    },
    /// `__builtin_provable(cond)`: `bool`, decided by the optimiser.
    Provable {
        /// `bool`.
        cond: ExprId,
        /// To be answered.
        hint: HintId,
    },
    /// `__builtin_assume(cond)`: `void`; `cond` has no side effect.
    Assume {
        /// `bool`.
        cond: ExprId,
        /// To be answered.
        hint: HintId,
    },
    /// `__builtin_expect(value, expected)`: `value`, likely equal to the constant.
    Expect {
        /// Integer.
        value: ExprId,
        /// Constant, sign-extended.
        expected: i64,
        /// To be answered.
        hint: HintId,
    },
    /// `__builtin_assume_aligned(ptr, align)`: `ptr`.
    AssumeAligned {
        /// Pointer.
        ptr: ExprId,
        /// Power of two.
        align: u64,
        /// To be answered.
        hint: HintId,
    },
    /// Reinterprets the bits of a value as another type: between CUDA's vector records and vectors,
    /// `__builtin_bit_cast`. Either side may be a record (a value in memory). Same size on both sides, except that
    /// 3-vectors count as 4 or as 3 as the other side needs.
    BitCast(ExprId),
    /// Place: the local, after `init` was stored to it. A temporary.
    Materialize {
        /// Slot.
        local: LocalId,
        /// Value of the local's type.
        init: ExprId,
    },
    /// A record or array value written element by element.
    Aggregate {
        /// In [`Program::init_pool`], ordered as written; later elements overwrite earlier ones.
        elems: ListId,
        /// Everything not written is zero (otherwise the elements cover the whole value).
        zero_fill: bool,
    },
    /// GNU statement expression: the statement, then the value (`None`: `void`).
    StmtExpr {
        /// A block; locals live in the function.
        body: StmtId,
        /// Evaluated after `body`.
        result: Option<ExprId>,
    },
}

/// One element of an [`ExprKind::Aggregate`].
#[derive(Clone, Copy, Debug)]
pub struct InitElem {
    /// Offset from the start of the whole value, in bytes.
    pub offset: u64,
    /// For a bit-field: its bits within the storage unit at `offset`, which has the size of the value's type.
    pub bits: Option<BitField>,
    /// Value.
    pub value: ExprId,
    /// How many times to store it, `value`'s size apart (array filled by a range designator); normally 1.
    pub repeat: u64,
}

/// Up to sixteen component indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Components {
    /// How many.
    pub len: u8,
    /// Four bits each, the first in the lowest.
    pub packed: u64,
}

impl Components {
    /// From indices below 16.
    pub fn new(indices: &[u8]) -> Self {
        let packed = indices.iter().take(16).enumerate().fold(0, |p, (i, &c)| p | (u64::from(c & 15) << (4 * i)));
        Self { len: indices.len().min(16) as u8, packed }
    }

    /// The indices in order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = u8> {
        (0..self.len as usize).map(move |i| ((self.packed >> (4 * i)) & 15) as u8)
    }

    /// Whether a component occurs twice (then it is no place).
    pub fn has_duplicates(self) -> bool {
        let mut seen = 0u16;
        self.iter().any(|c| {
            let dup = seen & (1 << c) != 0;
            seen |= 1 << c;
            dup
        })
    }
}
