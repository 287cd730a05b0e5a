//! Scalar evolution: integer and pointer values as expressions over loop iterations, and from them trip counts.
//!
//! Expressions are hash-consed in [`Exprs`]: equal ids are equal expressions. Sums are kept in one canonical form, a
//! constant plus `coefficient × atom` in the order of atom ids, so that differences cancel; a recurrence of a loop
//! absorbs what is invariant in that loop. All arithmetic is modulo 2 to the width.
//!
//! What a value's expression says: in every iteration the value equals the expression, or the program had wrapped in
//! an instruction that promised not to and the value is arbitrary. Expressions of values of a loop, used outside of
//! it, mean the value of the last iteration.
//!
//! Limits: [`MAX_DEPTH`] nested instructions, [`MAX_SIZE`] nodes per expression; what is larger is opaque. Cost: each
//! value is looked at once; exits as [`exit`] says. Out of date once the function changes; [`Scev::into_exprs`] keeps
//! the expressions, which may then be expanded into the changed function.

mod brute;
mod construct;
mod exit;
mod expand;
mod facts;
mod finite;
mod interval;
mod ordered;
mod range;
mod recurrence;
mod shift;

pub use exit::{ExitCount, TripCount};
pub use interval::first_in_interval;
pub use range::Range;

use crate::{Loop, LoopInfo};
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use facts::Fact;
use ir::{Block, ConstKind, Flags, Function, Inst, IntCC, Opcode, Pages, Type, Value, ValueDef};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;
use target::Target;

/// Deepest chain of instructions that becomes one expression.
pub const MAX_DEPTH: u32 = 48;
/// Most nodes of an expression, shared ones counted as often as they are reached.
pub const MAX_SIZE: u32 = 96;

/// Expressions that most functions need at least.
const EXPECTED: usize = 96;

/// An expression of [`Exprs`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expr(u32);
entity_impl!(Expr, "e");

/// What a recurrence is known not to do over the iterations of its loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Wrap(u8);

impl Wrap {
    /// Nothing is known.
    pub const NONE: Self = Self(0);
    /// Adding the step, as an unsigned number, never exceeds the type.
    pub const NUW: Self = Self(1);
    /// Adding the step, as a signed number, never leaves the type.
    pub const NSW: Self = Self(2);
    /// Subtracting the negated step, as an unsigned number, never goes below zero.
    pub const NUB: Self = Self(4);

    /// Whether all of `other` are known.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What both know.
    #[must_use]
    pub fn common(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// An expression's top.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A constant, zero-extended.
    Const(u64),
    /// A value about which nothing structural is known.
    Unknown(Value),
    /// `rest + coef × atom`. `rest` is a constant or such a sum of atoms with smaller ids; `coef` is not 0, and not 1
    /// if `rest` is 0.
    Sum {
        /// The other summands.
        rest: Expr,
        /// No constant and no sum.
        atom: Expr,
        /// Modulo 2 to the width.
        coef: u64,
    },
    /// Product of two expressions, neither of them constant.
    Mul(Expr, Expr),
    /// Unsigned quotient.
    UDiv(Expr, Expr),
    /// `start + k × step` in iteration k (from 0) of a loop in which both are invariant.
    AddRec {
        /// Value in the first iteration.
        start: Expr,
        /// Added by each iteration.
        step: Expr,
        /// The loop.
        l: Loop,
        /// What it is known not to do.
        wrap: Wrap,
    },
    /// Zero-extension of a narrower expression.
    ZExt(Expr),
    /// Sign-extension of a narrower expression.
    SExt(Expr),
    /// Low bits of a wider expression.
    Trunc(Expr),
    /// Unsigned minimum.
    UMin(Expr, Expr),
    /// Unsigned maximum.
    UMax(Expr, Expr),
    /// Signed minimum.
    SMin(Expr, Expr),
    /// Signed maximum.
    SMax(Expr, Expr),
}

/// A pool of expressions.
#[derive(Clone, Debug, Default)]
pub struct Exprs {
    nodes: PrimaryMap<Expr, (Node, u8, u32)>,
    index: FxHashMap<(Node, u8), Expr>,
}

/// A sum taken apart: a constant and `coefficient × atom` in the order of atom ids.
pub type Terms = SmallVec<[(Expr, u64); 8]>;

/// All ones in `bits`.
pub(crate) fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// Sign-extends `bits` of `x`.
pub(crate) fn sext(x: u64, bits: u32) -> i64 {
    ((x << (64 - bits)) as i64) >> (64 - bits)
}

/// Whether `n` is a signed number of `bits`.
fn fits_signed(n: i128, bits: u32) -> bool {
    let top = 1i128 << (bits - 1);
    -top <= n && n < top
}

impl Exprs {
    /// The top of an expression.
    pub fn node(&self, e: Expr) -> Node {
        self.nodes[e].0
    }

    /// Width of an expression in bits.
    pub fn bits(&self, e: Expr) -> u32 {
        u32::from(self.nodes[e].1)
    }

    /// Number of nodes.
    pub fn size(&self, e: Expr) -> u32 {
        self.nodes[e].2
    }

    /// The constant that `e` is, zero-extended.
    pub fn as_const(&self, e: Expr) -> Option<u64> {
        if let Node::Const(n) = self.node(e) { Some(n) } else { None }
    }

    /// The constant that `e` is, sign-extended.
    pub fn as_int(&self, e: Expr) -> Option<i64> {
        self.as_const(e).map(|n| sext(n, self.bits(e)))
    }

    fn make(&mut self, node: Node, bits: u32) -> Expr {
        if self.index.is_empty() {
            self.index.reserve(EXPECTED);
            self.nodes.reserve(EXPECTED);
        }
        if let Some(&e) = self.index.get(&(node, bits as u8)) {
            return e;
        }
        let size = 1 + match node {
            Node::Const(_) | Node::Unknown(_) => 0,
            Node::ZExt(a) | Node::SExt(a) | Node::Trunc(a) => self.size(a),
            Node::Sum { rest: a, atom: b, .. }
            | Node::AddRec { start: a, step: b, .. }
            | Node::Mul(a, b)
            | Node::UDiv(a, b)
            | Node::UMin(a, b)
            | Node::UMax(a, b)
            | Node::SMin(a, b)
            | Node::SMax(a, b) => self.size(a).saturating_add(self.size(b)),
        };
        let e = self.nodes.push((node, bits as u8, size.min(u32::MAX - 1)));
        self.index.insert((node, bits as u8), e);
        e
    }

    /// A constant of `bits`.
    pub fn constant(&mut self, n: u64, bits: u32) -> Expr {
        self.make(Node::Const(n & mask(bits)), bits)
    }

    /// An opaque value of `bits`.
    pub fn unknown(&mut self, v: Value, bits: u32) -> Expr {
        self.make(Node::Unknown(v), bits)
    }

    /// Takes a sum apart: its constant and its terms. Any expression is a sum of at least no term.
    pub fn terms(&self, e: Expr) -> (u64, Terms) {
        let mut terms = Terms::new();
        let mut at = e;
        let constant = loop {
            match self.node(at) {
                Node::Const(n) => break n,
                Node::Sum { rest, atom, coef } => {
                    terms.push((atom, coef));
                    at = rest;
                }
                _ => {
                    terms.push((at, 1));
                    break 0;
                }
            }
        };
        terms.reverse();
        (constant, terms)
    }

    /// Puts a sum together from atoms, in any order and with repetitions; recurrences are not merged.
    fn sum_of(&mut self, constant: u64, terms: &mut Terms, bits: u32) -> Expr {
        let m = mask(bits);
        terms.sort_unstable_by_key(|t| t.0);
        let mut rest = self.constant(constant, bits);
        let mut n = 0;
        while n < terms.len() {
            let (atom, mut coef) = terms[n];
            n += 1;
            while n < terms.len() && terms[n].0 == atom {
                coef = coef.wrapping_add(terms[n].1);
                n += 1;
            }
            coef &= m;
            if coef == 0 {
                continue;
            }
            rest = if coef == 1 && self.node(rest) == Node::Const(0) {
                atom
            } else if let Node::Sum { .. } | Node::Const(_) = self.node(rest) {
                self.make(Node::Sum { rest, atom, coef }, bits)
            } else {
                // The first atom stood alone: give it its place in a chain that starts with the constant 0.
                let zero = self.constant(0, bits);
                let first = self.make(Node::Sum { rest: zero, atom: rest, coef: 1 }, bits);
                self.make(Node::Sum { rest: first, atom, coef }, bits)
            };
        }
        rest
    }

    /// Whether some recurrence of `l` or of a loop inside it, or some value defined there, occurs in `e`.
    fn varies(&self, e: Expr, func: &Function, info: &LoopInfo, l: Loop) -> bool {
        match self.node(e) {
            Node::Const(_) => false,
            Node::Unknown(v) => !info.loops.defined_outside(func, l, v),
            Node::ZExt(a) | Node::SExt(a) | Node::Trunc(a) => self.varies(a, func, info, l),
            Node::AddRec { start, step, l: of, .. } => {
                info.loops.encloses(l, of) || self.varies(start, func, info, l) || self.varies(step, func, info, l)
            }
            Node::Sum { rest: a, atom: b, .. }
            | Node::Mul(a, b)
            | Node::UDiv(a, b)
            | Node::UMin(a, b)
            | Node::UMax(a, b)
            | Node::SMin(a, b)
            | Node::SMax(a, b) => self.varies(a, func, info, l) || self.varies(b, func, info, l),
        }
    }
}

/// Scalar evolution of one function.
pub struct Scev<'a> {
    /// The function.
    pub func: &'a Function,
    /// Its loops.
    pub info: &'a LoopInfo,
    /// What it is for: bounds of ids and sizes.
    pub target: Target,
    /// Whether kernels return by promise, as cicc for sm_100 takes it: see [`Scev::may_assume_positive`].
    pub returns: bool,
    /// What conditions add up has bounds: a number that each of three may raise by one is at most three larger.
    pub counts: bool,
    /// The expressions.
    pub exprs: Exprs,
    values: Pages<Value, PackedOption<Expr>>,
    ranges: SecondaryMap<Expr, Option<Range>>,
    facts: FxHashMap<Loop, Rc<[Fact]>>,
    exits: FxHashMap<(Loop, Block), ExitCount>,
    /// Most executions of a loop's header, where that has been found out for good.
    max_trips: Pages<Loop, Option<Option<u64>>>,
    /// Loops whose exits are being looked at.
    busy: SmallVec<[Loop; 4]>,
    /// Something was answered with less than a later question would get.
    unfinished: bool,
    /// Counters whose bounds are being looked for, each for the bound of another.
    counters: u32,
    /// See [`Scev::bare`].
    bare: bool,
    /// Nothing is known of the identities and sizes of work-items and groups.
    any_ids: bool,
    /// See [`Scev::within`].
    within: Option<Loop>,
    depth: u32,
}

impl<'a> Scev<'a> {
    /// Computes nothing yet: everything is found when asked for.
    pub fn new(func: &'a Function, info: &'a LoopInfo, target: Target) -> Self {
        Self {
            func,
            info,
            target,
            returns: false,
            counts: false,
            exprs: Exprs::default(),
            values: Pages::new(),
            ranges: SecondaryMap::new(),
            facts: FxHashMap::default(),
            exits: FxHashMap::default(),
            max_trips: Pages::new(),
            busy: SmallVec::new(),
            unfinished: false,
            counters: 0,
            bare: false,
            any_ids: false,
            within: None,
            depth: 0,
        }
    }

    /// The same for those who want to know what the arithmetic of a loop shows by itself: without the conditions around
    /// it, without bounds of remainders, which are sums of products here, and, if asked for, without bounds of ids and sizes.
    pub fn bare(func: &'a Function, info: &'a LoopInfo, target: Target, any_ids: bool) -> Self {
        Self { bare: true, any_ids, ..Self::new(func, info, target) }
    }

    /// The same for those who write the expressions of one loop back as code before it ([`Exprs::expand`]): what the loops
    /// around it count is opaque, like all that is available there.
    pub fn within(func: &'a Function, info: &'a LoopInfo, target: Target, l: Loop) -> Self {
        Self { within: Some(l), ..Self::new(func, info, target) }
    }

    /// The expressions alone, for use while the function changes.
    pub fn into_exprs(self) -> Exprs {
        self.exprs
    }

    /// Whether values of this type have expressions: scalar integers and pointers.
    pub fn has_expr(ty: Type) -> bool {
        !ty.is_vector() && (ty.is_int() || ty.is_ptr())
    }

    /// The expression of a scalar integer or pointer.
    ///
    /// # Panics
    /// If the value has another type (see [`Scev::has_expr`]).
    pub fn expr(&mut self, v: Value) -> Expr {
        let v = self.func.dfg.resolve(v);
        if let Some(e) = self.values.get(v).expand() {
            return e;
        }
        let bits = self.func.dfg.ty(v).bits();
        assert!(Self::has_expr(self.func.dfg.ty(v)), "no expression for this type");
        if self.depth >= MAX_DEPTH {
            return self.exprs.unknown(v, bits);
        }
        self.depth += 1;
        let mut e = self.compute(v, bits);
        self.depth -= 1;
        if self.exprs.size(e) > MAX_SIZE {
            e = self.exprs.unknown(v, bits);
        }
        debug_assert_eq!(self.exprs.bits(e), bits);
        self.values.set(v, e.into());
        e
    }

    fn compute(&mut self, v: Value, bits: u32) -> Expr {
        match self.func.dfg.def(v) {
            ValueDef::Const(ConstKind::Bits(n)) => self.exprs.constant(n, bits),
            ValueDef::Const(_) | ValueDef::Alias(_) => self.exprs.unknown(v, bits),
            ValueDef::Param(b, n) => {
                let loops = &self.info.loops;
                let is_around = |l: Loop| self.within.is_some_and(|w| w != l && loops.encloses(l, w));
                let rec = loops.header_loop(b).filter(|&l| !is_around(l)).and_then(|l| self.recurrence(v, l, n));
                rec.unwrap_or_else(|| self.exprs.unknown(v, bits))
            }
            ValueDef::Inst(i) => self.inst_expr(i, bits).unwrap_or_else(|| self.exprs.unknown(v, bits)),
        }
    }

    fn inst_expr(&mut self, i: Inst, bits: u32) -> Option<Expr> {
        let func = self.func;
        let data = &func.dfg.insts[i];
        let args = func.dfg.args(i);
        let arg_const = |n: usize| func.dfg.as_bits(args[n]);
        Some(match data.op {
            Opcode::Add | Opcode::PtrAdd => {
                let (a, b) = (self.expr(args[0]), self.expr(args[1]));
                self.add_flagged(i, a, b, data.flags)
            }
            Opcode::Sub => {
                let (a, b) = (self.expr(args[0]), self.expr(args[1]));
                let minus = self.neg(b);
                // A no-wrap promise of a subtraction says the same about the sum except at the smallest number.
                let keep = if data.flags.has(Flags::NSW)
                    && self.exprs.as_int(b).is_some_and(|n| n != i64::MIN >> (64 - bits))
                {
                    Flags::NSW
                } else {
                    Flags::NONE
                };
                self.add_flagged(i, a, minus, keep)
            }
            Opcode::Mul => {
                let (a, b) = (self.expr(args[0]), self.expr(args[1]));
                self.mul_flagged(i, a, b, data.flags)
            }
            Opcode::Shl => {
                let c = arg_const(1)?;
                let a = self.expr(args[0]);
                if c >= u64::from(bits) {
                    return Some(self.exprs.constant(0, bits));
                }
                let factor = self.exprs.constant(1 << c, bits);
                // At width - 1 the factor is negative, and the promise is not that of a multiplication.
                let flags = if c + 1 == u64::from(bits) { data.flags.without(Flags::NSW) } else { data.flags };
                self.mul_flagged(i, a, factor, flags)
            }
            Opcode::LShr => {
                let c = arg_const(1)?;
                let a = self.expr(args[0]);
                self.shift_right(a, c)
            }
            Opcode::AShr => {
                let c = arg_const(1)?;
                let a = self.expr(args[0]);
                if self.range(a).smin < 0 {
                    return None;
                }
                self.shift_right(a, c)
            }
            Opcode::UDiv | Opcode::SDiv => {
                let (a, b) = (self.expr(args[0]), self.expr(args[1]));
                let signed = data.op == Opcode::SDiv;
                if signed && (self.range(a).smin < 0 || self.range(b).smin < 0) || self.exprs.as_const(b) == Some(0) {
                    return None;
                }
                self.udiv(a, b)
            }
            Opcode::And => {
                let m = arg_const(1).or_else(|| arg_const(0))?;
                let x = if arg_const(1).is_some() { args[0] } else { args[1] };
                self.and_mask(x, m, bits)?
            }
            Opcode::Or => {
                let (a, b) = (self.expr(args[0]), self.expr(args[1]));
                let c = self.exprs.as_const(b)?;
                // Bits below the trailing zeros of `a`: no carry.
                (c <= mask(self.range(a).tz)).then(|| self.add(a, b))?
            }
            Opcode::Xor if arg_const(1) == Some(mask(bits)) => {
                let a = self.expr(args[0]);
                self.not(a)
            }
            Opcode::ZExt => self.zext_value(args[0], bits, 0),
            Opcode::SExt => self.sext_value(args[0], bits, 0),
            Opcode::Trunc => {
                let a = self.expr(args[0]);
                self.trunc(a, bits)
            }
            Opcode::PtrToInt | Opcode::IntToPtr => self.expr(args[0]),
            Opcode::UMin | Opcode::UMax | Opcode::SMin | Opcode::SMax => {
                let (a, b) = (self.expr(args[0]), self.expr(args[1]));
                self.min_max(data.op, a, b)
            }
            Opcode::Select => self.select(args[0], args[1], args[2])?,
            _ => return None,
        })
    }

    /// `x & m`: a run of low zeros in the mask divides; everything else is opaque (with a known range).
    fn and_mask(&mut self, x: Value, m: u64, bits: u32) -> Option<Expr> {
        let tz = m.trailing_zeros();
        if m == 0 {
            return Some(self.exprs.constant(0, bits));
        }
        let a = self.expr(x);
        if m == mask(bits) {
            return Some(a);
        }
        if self.range(a).umax <= m && (m + 1).is_power_of_two() {
            return Some(a);
        }
        if m | mask(tz) != mask(bits) {
            return None;
        }
        let q = self.shift_right(a, u64::from(tz));
        let factor = self.exprs.constant(1 << tz, bits);
        Some(self.mul(q, factor))
    }

    /// A select that is a minimum or maximum, perhaps plus something: `a > b ? a + x : b + x` is `max(a, b) + x`, and so is
    /// `a > b ? a - b : 0`.
    fn select(&mut self, cond: Value, yes: Value, no: Value) -> Option<Expr> {
        let i = self.func.dfg.def_op(cond, Opcode::Icmp)?;
        let cc = self.func.dfg.insts[i].int_cc()?;
        let (a, b) = (self.func.dfg.arg(i, 0), self.func.dfg.arg(i, 1));
        if !Self::has_expr(self.func.dfg.ty(a)) || self.func.dfg.ty(a) != self.func.dfg.ty(yes) {
            return None;
        }
        let (a, b, yes, no) = (self.expr(a), self.expr(b), self.expr(yes), self.expr(no));
        let straight = self.sub(yes, a);
        let (cc, more) = if straight == self.sub(no, b) {
            (cc, straight)
        } else {
            let crossed = self.sub(yes, b);
            if crossed != self.sub(no, a) {
                return None;
            }
            (cc.swapped(), crossed)
        };
        let op = match cc {
            IntCC::Slt | IntCC::Sle => Opcode::SMin,
            IntCC::Sgt | IntCC::Sge => Opcode::SMax,
            IntCC::Ult | IntCC::Ule => Opcode::UMin,
            IntCC::Ugt | IntCC::Uge => Opcode::UMax,
            IntCC::Eq => return Some(no),
            IntCC::Ne => return Some(yes),
        };
        let (yes, no) = (self.sub(yes, more), self.sub(no, more));
        let chosen = self.min_max(op, yes, no);
        Some(self.add(chosen, more))
    }
}
