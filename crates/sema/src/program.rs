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

use smallvec::SmallVec;
use source::{HintId, Span, Symbol};

use crate::types::{AddrSpace, BitField, NameId, Quals, RecordId, TyId, TypeTable};
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
    /// Globals, including function-scope shared variables and string literals.
    pub globals: Vec<Global>,
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
    /// An integer, `bool` or enumeration constant: its bits, zero-extended from the type's width.
    Int(u64),
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
    /// vector value. One component has scalar type. `comps` are components of `base`.
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

/// Kinds of conversion. Component-wise where source and target are vectors of one length.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CastKind {
    /// None: same representation (used where a conversion must be named).
    NoOp,
    /// Integer (or `bool`, enumeration) to integer: truncates, or extends by the *source's* signedness.
    IntToInt,
    /// Integer to floating, by the source's signedness.
    IntToFloat,
    /// Floating to integer, towards zero.
    FloatToInt,
    /// Floating to floating.
    FloatToFloat,
    /// To `bool`: unequal to zero.
    IntToBool,
    /// To `bool`: unequal to zero.
    FloatToBool,
    /// To `bool`: not null.
    PtrToBool,
    /// Pointer to integer.
    PtrToInt,
    /// Integer to pointer.
    IntToPtr,
    /// Pointer to pointer in the same address space.
    PtrToPtr,
    /// Pointer to pointer in another address space.
    AddrSpace,
    /// Array place to pointer to its first element, in the place's address space.
    ArrayToPtr,
    /// Scalar to vector of that element type: all components alike.
    Splat,
    /// Pointer, or place: to a base class at this offset. A null pointer stays null where `offset` is not 0.
    DerivedToBase {
        /// Bytes to add.
        offset: u32,
    },
    /// Pointer, or place: to a derived class.
    BaseToDerived {
        /// Bytes to subtract.
        offset: u32,
    },
    /// Value is dropped.
    ToVoid,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `~`
    Not,
    /// `!` on a `bool` operand; result `bool` or `int`.
    LogNot,
}

/// Arithmetic operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `<<`
    Shl,
    /// `>>`: arithmetic if the left type is signed.
    Shr,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
}

/// Comparisons. Floating ones are ordered except `Ne`; pointer ones unsigned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CompareOp {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// A statement.
#[derive(Clone, Copy, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it stands.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Copy, Debug)]
pub enum StmtKind {
    /// Nothing.
    Empty,
    /// Statements in order.
    Block(StmtList),
    /// Evaluates, drops the value.
    Expr(ExprId),
    /// A local comes to life (fresh on each execution) with a value, if given.
    Decl {
        /// Which.
        local: LocalId,
        /// Value of the local's type.
        init: Option<ExprId>,
    },
    /// `cond` is `bool`.
    If {
        /// Condition.
        cond: ExprId,
        /// If true.
        then: StmtId,
        /// If false.
        other: Option<StmtId>,
    },
    /// `while`.
    While {
        /// Condition, `bool`.
        cond: ExprId,
        /// Body.
        body: StmtId,
        /// Index into [`Function::loops`].
        hints: u32,
    },
    /// `do … while`.
    DoWhile {
        /// Body.
        body: StmtId,
        /// Condition, `bool`.
        cond: ExprId,
        /// Index into [`Function::loops`].
        hints: u32,
    },
    /// `for`; `continue` goes to `step`.
    For {
        /// Before the loop.
        init: Option<StmtId>,
        /// Statements at the top of each iteration before `cond` (a declared condition variable); rare.
        cond: Option<ExprId>,
        /// After each iteration.
        step: Option<ExprId>,
        /// Body.
        body: StmtId,
        /// Index into [`Function::loops`].
        hints: u32,
    },
    /// `switch`: jumps to the [`StmtKind::Case`] of the matching case, else to the default, else past `body`.
    Switch {
        /// Integer after promotion.
        value: ExprId,
        /// In [`Program::case_pool`].
        cases: ListId,
        /// There is a default: the `Case` mark numbered like [`ListId::len`].
        has_default: bool,
        /// Body.
        body: StmtId,
    },
    /// The landing place of case number `n` of the innermost switch around.
    Case(u32),
    /// Leaves the innermost loop or switch.
    Break,
    /// Goes on with the innermost loop's next iteration.
    Continue,
    /// Leaves the function.
    Return(Option<ExprId>),
    /// Jumps.
    Goto(LabelId),
    /// The landing place of a label.
    Label(LabelId),
    /// Inline assembly: index into [`Program::asms`].
    Asm(u32),
    /// From here to the end of the [`StmtKind::Block`] around, this holds for contraction.
    FpContract(FpContract),
}

/// A case of a switch: values `lo..=hi` in the type of the switched value, bits zero-extended; `lo == hi` normally.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// First value.
    pub lo: u64,
    /// Last value.
    pub hi: u64,
    /// The `case`.
    pub span: Span,
}

/// Inline assembly (PTX).
#[derive(Clone, Debug)]
pub struct Asm {
    /// Text with `%0`…, `%%`, `{`, `}` as written.
    pub template: String,
    /// Places written (`=r`) or read and written (`+r`).
    pub outputs: Vec<AsmOperand>,
    /// Values read.
    pub inputs: Vec<AsmOperand>,
    /// Clobbered registers, `memory` among them.
    pub clobbers: Vec<String>,
    /// May not be removed or moved.
    pub volatile: bool,
}

/// An operand of inline assembly.
#[derive(Clone, Debug)]
pub struct AsmOperand {
    /// `=r`, `l`, `f`, `n`…
    pub constraint: String,
    /// Name of `%[name]`.
    pub name: Option<Symbol>,
    /// Place (output) or value (input).
    pub expr: ExprId,
}

/// What a hint asks of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum UnrollRequest {
    /// Nothing.
    #[default]
    None,
    /// Never.
    Disable,
    /// Gladly, as much as pays.
    Enable,
    /// All of it.
    Full,
    /// By this factor.
    Count(u32),
}

/// The hints of a loop.
#[derive(Clone, Debug, Default)]
pub struct LoopHints {
    /// Unrolling.
    pub unroll: UnrollRequest,
    /// Unroll-and-jam.
    pub and_jam: UnrollRequest,
    /// `ivdep` and its like: iterations are independent.
    pub independent: bool,
    /// The ledger entries that asked; each must be answered for this loop.
    pub hints: SmallVec<[HintId; 2]>,
    /// The loop's place: its keyword.
    pub span: Span,
}

/// Who can see a function or global.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Linkage {
    /// Other compilation units.
    External,
    /// Other compilation units, which may have the same definition (templates, `inline`).
    Weak,
    /// This unit only.
    Internal,
}

/// Whether to inline.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Inlining {
    /// As the optimiser thinks.
    #[default]
    Auto,
    /// `inline`: rather yes.
    Hint,
    /// `__forceinline__`, `always_inline`.
    Always,
    /// `__noinline__`.
    Never,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name in the object: mangled in C++ unless `extern "C"`.
    pub symbol: String,
    /// Its name for people: `kernel<4>(float*)`; plain in C.
    pub display: String,
    /// Its unqualified name as written.
    pub name: Symbol,
    /// In the name tree.
    pub path: NameId,
    /// Where its name is declared.
    pub span: Span,
    /// Callable by the host.
    pub is_kernel: bool,
    /// Result type; a reference has become a pointer.
    pub ret: TyId,
    /// Ends in `...` (only undefined functions).
    pub variadic: bool,
    /// The first `param_count` locals are the parameters.
    pub param_count: u32,
    /// Parameters and variables.
    pub locals: Vec<Local>,
    /// Number of labels.
    pub labels: Vec<Symbol>,
    /// Loops, by the index that loop statements carry.
    pub loops: Vec<LoopHints>,
    /// Who sees it.
    pub linkage: Linkage,
    /// Attributes.
    pub attrs: FnAttrs,
    /// Of kernels: how the source writes the signature.
    pub text: KernelText,
    /// Function-scope shared and static variables.
    pub owned_globals: Vec<GlobalId>,
    /// Body; `None` if only declared (an external device function).
    pub body: Option<StmtId>,
    /// Contraction of floating-point operations where the body begins.
    pub contract: FpContract,
}

/// How a kernel's signature is written.
#[derive(Clone, Debug, Default)]
pub struct KernelText {
    /// Each parameter, in order.
    pub params: Vec<ParamText>,
    /// The attributes of OpenCL C: `reqd_work_group_size(8,4,1)`, in source order.
    pub attributes: Vec<String>,
}

/// How a parameter is written.
#[derive(Clone, Debug)]
pub struct ParamText {
    /// Its type as `clGetKernelArgInfo` names it: typedef names as written, no qualifiers, no spaces: `uint`, `float4*`.
    pub type_name: String,
}

/// A function's attributes.
#[derive(Clone, Debug, Default)]
pub struct FnAttrs {
    /// `reqd_work_group_size`.
    pub reqd_work_group_size: Option<Asked<[u32; 3]>>,
    /// `work_group_size_hint`.
    pub work_group_size_hint: Option<Asked<[u32; 3]>>,
    /// `vec_type_hint`.
    pub vec_type_hint: Option<Asked<TyId>>,
    /// `__launch_bounds__`.
    pub launch_bounds: Option<Asked<LaunchBounds>>,
    /// `__maxnreg__`.
    pub maxnreg: Option<Asked<u32>>,
    /// Inlining.
    pub inlining: Inlining,
    /// The ledger entry of the inlining request, if it was written.
    pub inline_hint: Option<HintId>,
    /// `optsize`.
    pub optsize: bool,
    /// `minsize`.
    pub minsize: bool,
    /// `optnone`.
    pub optnone: bool,
    /// `cold`.
    pub cold: bool,
    /// `noreturn`.
    pub noreturn: bool,
    /// `pure` or `const`.
    pub pure: bool,
    /// `convergent`.
    pub convergent: bool,
    /// `unspool_unroll(knob=value…)`: the unroller's knobs for this function.
    pub unroll_knobs: Vec<(String, i64)>,
    /// Further ledger entries about this function that later stages answer.
    pub hints: Vec<HintId>,
    /// The attributes of OpenCL C as `CL_KERNEL_ATTRIBUTES` spells them, in source order.
    pub written: Vec<String>,
}

/// A value that a hint asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked<T> {
    /// What.
    pub value: T,
    /// To be answered.
    pub hint: HintId,
}

/// `__launch_bounds__(max_threads, min_blocks, max_cluster)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LaunchBounds {
    /// Threads per block at most.
    pub max_threads: u32,
    /// Blocks per multiprocessor at least; 0: not given.
    pub min_blocks: u32,
    /// Blocks per cluster at most; 0: not given.
    pub max_cluster: u32,
}

/// A parameter or variable of a function.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    /// Name; `None` for temporaries and unnamed parameters.
    pub name: Option<Symbol>,
    /// Type; a reference has become a pointer.
    pub ty: TyId,
    /// Qualifiers; `RESTRICT` on a parameter says that its pointee is not aliased.
    pub quals: Quals,
    /// Alignment in bytes.
    pub align: u32,
    /// It was declared as a reference (so it is never null, and never changes).
    pub is_reference: bool,
    /// `__grid_constant__` parameter.
    pub grid_constant: bool,
    /// The ledger entry of `restrict`, if one was made.
    pub restrict_hint: Option<HintId>,
    /// Where it is declared.
    pub span: Span,
}

/// A global variable, a function's static or shared variable, or a string literal.
#[derive(Clone, Debug)]
pub struct Global {
    /// Name in the object.
    pub symbol: String,
    /// Name as written; `None` for string literals.
    pub name: Option<Symbol>,
    /// Type.
    pub ty: TyId,
    /// Qualifiers.
    pub quals: Quals,
    /// Where it lives: `Global`, `Shared` or `Constant`.
    pub space: AddrSpace,
    /// Alignment in bytes.
    pub align: u32,
    /// Who sees it.
    pub linkage: Linkage,
    /// `extern __shared__ T x[]`: the launch decides its size; all such variables share one address.
    pub dynamic_shared: bool,
    /// `__managed__`.
    pub managed: bool,
    /// Defined elsewhere.
    pub is_extern: bool,
    /// Initial contents; `None`: zero (shared: undefined).
    pub init: Option<GlobalInit>,
    /// The function it was declared in.
    pub owner: Option<FuncId>,
    /// Where it is declared.
    pub span: Span,
}

/// Initial contents of a global.
#[derive(Clone, Debug, Default)]
pub struct GlobalInit {
    /// As many bytes as the type is large (trailing zeros may be left off).
    pub bytes: Vec<u8>,
    /// Addresses to add in, each 8 bytes wide.
    pub relocs: Vec<Reloc>,
}

/// An address inside a global's contents.
#[derive(Clone, Copy, Debug)]
pub struct Reloc {
    /// Where in the contents.
    pub offset: u64,
    /// Whose address.
    pub target: RelocTarget,
    /// Bytes to add to it.
    pub addend: i64,
    /// The address is stored as one of this space (`Generic` needs a conversion).
    pub space: AddrSpace,
}

/// What a [`Reloc`] points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RelocTarget {
    /// A global.
    Global(GlobalId),
    /// A function.
    Function(FuncId),
}
