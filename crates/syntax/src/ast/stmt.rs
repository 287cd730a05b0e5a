//! Statements, and the hints about loops.

use super::{AsmId, AttrSyntax, DeclId, ExprId, List, PragmaId, StmtId, StrId};
use source::{Span, Symbol};

/// A statement.
#[derive(Clone, Copy, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where, from first to last token.
    pub span: Span,
}

/// What a statement is.
///
/// Labels (`case`, `default`, `name:`) stand as statements of their own in the list of a [`StmtKind::Compound`], each
/// labelling the point before the statement that follows it there. Where the grammar has a labelled statement in
/// another place (`if (x) l: f();`), the parser makes a compound of label and statement.
#[derive(Clone, Copy, Debug)]
pub enum StmtKind {
    /// Something that did not parse; an error was reported.
    Error,
    /// `;`
    Empty,
    /// `e;`
    Expr(ExprId),
    /// `int a, b;`
    Decl(List<DeclId>),
    /// `{ … }`
    Compound(List<StmtId>),
    /// Two statements or more that the parser made of one label and what it labels: a compound without a scope.
    Labelled(List<StmtId>),
    /// `if`
    If {
        /// Whether `if constexpr`.
        is_constexpr: bool,
        /// `if (init; …)`
        init: Option<StmtId>,
        /// The condition.
        cond: Condition,
        /// The first branch.
        then: StmtId,
        /// The second.
        els: Option<StmtId>,
    },
    /// `while`
    While {
        /// The condition.
        cond: Condition,
        /// The body.
        body: StmtId,
    },
    /// `do … while`
    Do {
        /// The body.
        body: StmtId,
        /// The condition.
        cond: ExprId,
    },
    /// `for (init; cond; step)`
    For {
        /// An expression or declaration statement.
        init: Option<StmtId>,
        /// The condition.
        cond: Option<Condition>,
        /// The third expression.
        step: Option<ExprId>,
        /// The body.
        body: StmtId,
    },
    /// `for (decl : range)`
    RangeFor {
        /// C++20 `for (init; decl : range)`.
        init: Option<StmtId>,
        /// The loop's variable ([`super::DeclKind::Var`] or [`super::DeclKind::Bindings`]).
        decl: DeclId,
        /// What is walked over.
        range: ExprId,
        /// The body.
        body: StmtId,
    },
    /// `switch`
    Switch {
        /// `switch (init; …)`
        init: Option<StmtId>,
        /// The condition.
        cond: Condition,
        /// The body.
        body: StmtId,
    },
    /// `case lo:`, GNU `case lo ... hi:`
    Case {
        /// The value.
        lo: ExprId,
        /// The last value of a range.
        hi: Option<ExprId>,
    },
    /// `default:`
    Default,
    /// `name:`
    Label(Symbol),
    /// `goto name;`
    Goto(Symbol),
    /// GNU `goto *e;`; not supported on devices.
    GotoIndirect(ExprId),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return e;`
    Return(Option<ExprId>),
    /// `asm`
    Asm(AsmId),
    /// Hints and attributes before a statement, whatever statement it is.
    Attributed {
        /// Loop hints, in source order.
        hints: List<LoopHint>,
        /// Other attributes.
        attrs: List<super::Attr>,
        /// The statement.
        stmt: StmtId,
    },
    /// `try { … } catch (…) { … }`; not supported on devices. Handlers are skipped.
    Try {
        /// The block.
        body: StmtId,
    },
    /// GNU `__label__ a, b;`
    LocalLabels(List<super::Ident>),
    /// A pragma kept for a later stage.
    Pragma(PragmaId),
}

/// The condition of `if`, `while`, `for`, `switch`.
#[derive(Clone, Copy, Debug)]
pub enum Condition {
    /// `e`
    Expr(ExprId),
    /// `int x = e`
    Decl(DeclId),
}

/// A hint about a loop, as written. What it means is decided by `sema`; syntactic defects were reported by the parser.
#[derive(Clone, Copy, Debug)]
pub struct LoopHint {
    /// Which hint, in which spelling.
    pub kind: LoopHintKind,
    /// Where, from `#` or `[[` to its last token.
    pub span: Span,
    /// As the user spelt it, e.g. `#pragma unroll 4`.
    pub text: Symbol,
    /// The factor.
    pub operand: Option<ExprId>,
    /// A defect that makes it void. The parser has reported it, as an error or warning by dialect.
    pub problem: Option<HintProblem>,
}

/// Which loop hint, in which spelling.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LoopHintKind {
    /// `#pragma unroll`, `#pragma unroll N`
    Unroll,
    /// `#pragma nounroll`
    Nounroll,
    /// `#pragma unroll_and_jam`, `… N`
    UnrollAndJam,
    /// `#pragma nounroll_and_jam`
    NounrollAndJam,
    /// One option of `#pragma clang loop`.
    ClangLoop(ClangLoopOption, ClangLoopState),
    /// `#pragma GCC unroll N`
    GccUnroll,
    /// `#pragma GCC ivdep`
    GccIvdep,
    /// `[[clang::loop_unroll N]]`, `[[clang::loop_unroll(N)]]`
    ClangLoopUnrollAttr,
    /// `__attribute__((opencl_unroll_hint(N)))`
    OpenclUnrollHintAttr(AttrSyntax),
}

/// The name of an option of `#pragma clang loop`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "named after the options; `as_str` spells them")]
pub enum ClangLoopOption {
    Unroll,
    UnrollCount,
    Vectorize,
    VectorizeWidth,
    VectorizePredicate,
    Interleave,
    InterleaveCount,
    Distribute,
    Pipeline,
    PipelineInitiationInterval,
    LicmVersioning,
}

impl ClangLoopOption {
    /// Every option.
    pub const ALL: [Self; 11] = [
        Self::Unroll,
        Self::UnrollCount,
        Self::Vectorize,
        Self::VectorizeWidth,
        Self::VectorizePredicate,
        Self::Interleave,
        Self::InterleaveCount,
        Self::Distribute,
        Self::Pipeline,
        Self::PipelineInitiationInterval,
        Self::LicmVersioning,
    ];

    /// The option's name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unroll => "unroll",
            Self::UnrollCount => "unroll_count",
            Self::Vectorize => "vectorize",
            Self::VectorizeWidth => "vectorize_width",
            Self::VectorizePredicate => "vectorize_predicate",
            Self::Interleave => "interleave",
            Self::InterleaveCount => "interleave_count",
            Self::Distribute => "distribute",
            Self::Pipeline => "pipeline",
            Self::PipelineInitiationInterval => "pipeline_initiation_interval",
            Self::LicmVersioning => "licm_versioning",
        }
    }
}

/// The argument of an option of `#pragma clang loop`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClangLoopState {
    /// `enable`
    Enable,
    /// `disable`
    Disable,
    /// `full`
    Full,
    /// `assume_safety`
    AssumeSafety,
    /// A number: [`LoopHint::operand`]. For `vectorize_width` also `scalable`, `fixed`, without operand.
    Value,
}

/// What is wrong with the form of a hint.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HintProblem {
    /// Tokens after its end.
    TrailingTokens,
    /// `(` without `)`.
    MissingParen,
    /// An argument is required and missing.
    MissingArgument,
    /// The argument does not parse as an expression, or is no option's word.
    BadArgument,
    /// `#pragma clang loop` with an unknown option.
    BadOption,
}

/// A pragma kept for later stages.
#[derive(Clone, Copy, Debug)]
pub struct Pragma {
    /// Which.
    pub kind: PragmaKind,
    /// Where.
    pub span: Span,
    /// Its tokens after the name, as a stretch of the tokens' pool.
    pub tokens: List<crate::token::Token>,
}

/// Pragmas kept for later stages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PragmaKind {
    /// `#pragma STDC FP_CONTRACT ON|OFF|DEFAULT`, `#pragma clang fp contract(fast|on|off)`, OpenCL's too.
    FpContract(FpContract),
    /// `#pragma OPENCL EXTENSION name : behaviour`
    OpenclExtension,
    /// `#pragma acc …`
    Acc,
    /// `#pragma omp …`
    Omp,
    /// `#pragma unroll` and its like where no statement can follow (file scope); reported.
    MisplacedHint,
}

/// Whether a multiplication and an addition may become one fused operation, as a pragma says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FpContract {
    /// `DEFAULT`, or no pragma: as the options say.
    #[default]
    Default,
    /// `ON`: as the options say if they allow it, otherwise within an expression.
    On,
    /// `OFF`, clang's `off`: not.
    Off,
    /// clang's `on`: within an expression.
    Expression,
    /// clang's `fast`: across statements, too.
    Fast,
}

/// `asm` with its operands.
#[derive(Clone, Copy, Debug)]
pub struct Asm {
    /// `volatile`
    pub volatile: bool,
    /// `goto`; not supported.
    pub goto: bool,
    /// The template.
    pub template: StrId,
    /// Output operands.
    pub outputs: List<AsmOperand>,
    /// Input operands.
    pub inputs: List<AsmOperand>,
    /// Clobbers.
    pub clobbers: List<StrId>,
    /// Whether there was a `:` at all (GNU extended form, where `%` escapes).
    pub extended: bool,
}

/// An operand of `asm`.
#[derive(Clone, Copy, Debug)]
pub struct AsmOperand {
    /// `[name]`
    pub name: Option<Symbol>,
    /// The constraint.
    pub constraint: StrId,
    /// The value or place.
    pub value: ExprId,
    /// Where.
    pub span: Span,
}
