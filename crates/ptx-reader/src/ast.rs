//! PTX as it is written.

use crate::types::{PtxType, Space};
use source::Span;

/// A name and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'a> {
    pub(crate) text: &'a str,
    pub(crate) span: Span,
}

/// An operand of an instruction.
#[derive(Clone, Debug)]
pub(crate) enum Operand<'a> {
    /// A register, a variable, a label, a function.
    Name(Name<'a>),
    /// `%tid.x`
    Member(Name<'a>, &'a str),
    /// A variable's address plus bytes.
    Sum(Name<'a>, i64),
    /// An integer, its bits.
    Int(u64, Span),
    /// Bits of an `f32`.
    F32(u32, Span),
    /// Bits of an `f64`.
    F64(u64, Span),
    /// `{a, b}`
    Vector(Vec<Operand<'a>>, Span),
    /// `[base+offset]`; without a base the offset is the address.
    Address(Option<Name<'a>>, i64, Span),
    /// `!p`
    Not(Name<'a>),
    /// `p|q`
    Pair(Name<'a>, Name<'a>),
    /// `(a, b)` of a call.
    Tuple(Vec<Name<'a>>, Span),
}

impl Operand<'_> {
    /// Where it stands.
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Name(n) | Self::Member(n, _) | Self::Sum(n, _) | Self::Not(n) => n.span,
            Self::Pair(p, q) => p.span.to(q.span),
            Self::Int(_, s) | Self::F32(_, s) | Self::F64(_, s) => *s,
            Self::Vector(_, s) | Self::Address(_, _, s) | Self::Tuple(_, s) => *s,
        }
    }
}

/// An instruction.
#[derive(Clone, Debug)]
pub(crate) struct Instruction<'a> {
    /// `@p`, `@!p`: the predicate, and whether it is negated.
    pub(crate) guard: Option<(Name<'a>, bool)>,
    /// The word before the first dot.
    pub(crate) name: &'a str,
    /// The words behind dots.
    pub(crate) modifiers: Vec<&'a str>,
    /// Operands.
    pub(crate) operands: Vec<Operand<'a>>,
    /// The whole.
    pub(crate) span: Span,
}

impl Instruction<'_> {
    /// The name as it is written.
    pub(crate) fn full_name(&self) -> String {
        let mut s = self.name.to_owned();
        for m in &self.modifiers {
            s.push('.');
            s.push_str(m);
        }
        s
    }
}

/// An element of an initial value.
#[derive(Clone, Debug)]
pub(crate) enum Element<'a> {
    /// Integer bits.
    Int(u64),
    /// Bits of an `f32`.
    F32(u32),
    /// Bits of an `f64`.
    F64(u64),
    /// An address: of what, plus bytes, whether it is generic, and which of its bytes (`0xFF00(x)`), if it is one.
    Address { name: Name<'a>, addend: i64, generic: bool, mask: Option<u64> },
}

/// A variable, a parameter, or registers.
#[derive(Clone, Debug)]
pub(crate) struct Variable<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) space: Space,
    pub(crate) ty: PtxType,
    /// Elements of a `.v2` or `.v4`; 1 without.
    pub(crate) lanes: u8,
    pub(crate) align: Option<u32>,
    /// Bytes of an array, or of one element; 0 for `x[]`.
    pub(crate) size: u64,
    /// Whether brackets stand behind the name.
    pub(crate) array: bool,
    /// `%r<10>`: how many registers the name stands for.
    pub(crate) count: Option<u32>,
    /// The value, if one is written: elements, one after another, from their positions.
    pub(crate) init: Option<Vec<(u64, Element<'a>)>>,
    /// `.ptr`, and the space it names.
    pub(crate) pointer: Option<Option<Space>>,
    pub(crate) pointer_align: u32,
    pub(crate) linkage: Linkage,
}

/// Who may see something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Linkage {
    #[default]
    Internal,
    Visible,
    Weak,
    Extern,
}

/// A line of a body.
#[derive(Clone, Debug)]
pub(crate) enum Statement<'a> {
    Label(Name<'a>),
    Instruction(Instruction<'a>),
    Variable(Variable<'a>),
    /// `{`
    Open,
    /// `}`
    Close,
    /// `.pragma "nounroll"`
    NoUnroll,
    /// `name: .branchtargets a, b;`
    Targets(Name<'a>, Vec<Name<'a>>),
    /// `name: .callprototype (result) _ (parameters);`
    Prototype(Name<'a>, Prototype<'a>),
    /// `name: .calltargets f, g;`
    Callees(Name<'a>, Vec<Name<'a>>),
}

/// What is known of a function that is called through a pointer.
#[derive(Clone, Debug)]
pub(crate) struct Prototype<'a> {
    pub(crate) noreturn: bool,
    pub(crate) results: Vec<Variable<'a>>,
    pub(crate) params: Vec<Variable<'a>>,
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct Function<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) kernel: bool,
    pub(crate) linkage: Linkage,
    pub(crate) noreturn: bool,
    pub(crate) results: Vec<Variable<'a>>,
    pub(crate) params: Vec<Variable<'a>>,
    /// `.maxntid` and its like, with their numbers.
    pub(crate) bounds: Vec<(&'a str, Vec<u32>)>,
    pub(crate) body: Option<Vec<Statement<'a>>>,
}

/// A text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Text<'a> {
    /// `.version`
    pub(crate) version: (u32, u32),
    /// `.target`
    pub(crate) target: &'a str,
    pub(crate) variables: Vec<Variable<'a>>,
    pub(crate) functions: Vec<Function<'a>>,
    /// `.file`: number and name.
    pub(crate) files: Vec<(u32, &'a str)>,
    /// `.loc`: from which position on, file, line and column; no file where a function begins.
    pub(crate) places: Vec<(u32, [u32; 3])>,
}
