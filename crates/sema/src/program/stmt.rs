//! Statements, and the hints of loops.

use super::{ExprId, FpContract, LabelId, ListId, LocalId, StmtId, StmtList};
use smallvec::SmallVec;
use source::{HintId, Span};

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
    /// Text with `%%`, `{`, `}` as written; `%[name]` is the operand's number, `%0`….
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
    /// `vectorize(enable)`: iterations are wanted in vectors, and what they sum may be summed in any order, as with clang.
    pub any_order: bool,
    /// The ledger entries that asked; each must be answered for this loop.
    pub hints: SmallVec<[HintId; 2]>,
    /// The loop's place: its keyword.
    pub span: Span,
}
