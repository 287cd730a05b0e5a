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
mod exit;
mod expand;
mod facts;
mod interval;
mod range;
mod recurrence;

pub use exit::{ExitCount, TripCount};
pub use interval::first_in_interval;
pub use range::Range;

use crate::{Loop, LoopInfo};
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use facts::Fact;
use ir::{Block, ConstKind, Flags, Function, Inst, IntCC, Opcode, Type, Value, ValueDef};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// Deepest chain of instructions that becomes one expression.
pub const MAX_DEPTH: u32 = 48;
/// Most nodes of an expression, shared ones counted as often as they are reached.
pub const MAX_SIZE: u32 = 96;

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

    /// The value that `e` stands for, if it is opaque.
    pub fn as_unknown(&self, e: Expr) -> Option<Value> {
        if let Node::Unknown(v) = self.node(e) { Some(v) } else { None }
    }

    fn make(&mut self, node: Node, bits: u32) -> Expr {
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
    /// The expressions.
    pub exprs: Exprs,
    values: SecondaryMap<Value, PackedOption<Expr>>,
    ranges: SecondaryMap<Expr, Option<Range>>,
    assumes: Option<Vec<Inst>>,
    facts: SecondaryMap<Loop, Option<Rc<[Fact]>>>,
    exits: FxHashMap<(Loop, Block), ExitCount>,
    /// Loops whose exits are being looked at.
    busy: SecondaryMap<Loop, bool>,
    /// Something was answered with less than a later question would get.
    unfinished: bool,
    depth: u32,
}

impl<'a> Scev<'a> {
    /// Computes nothing yet: everything is found when asked for.
    pub fn new(func: &'a Function, info: &'a LoopInfo) -> Self {
        Self {
            func,
            info,
            exprs: Exprs::default(),
            values: SecondaryMap::new(),
            ranges: SecondaryMap::new(),
            assumes: None,
            facts: SecondaryMap::new(),
            exits: FxHashMap::default(),
            busy: SecondaryMap::new(),
            unfinished: false,
            depth: 0,
        }
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
        if let Some(e) = self.values[v].expand() {
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
        self.values[v] = e.into();
        e
    }

    fn compute(&mut self, v: Value, bits: u32) -> Expr {
        match self.func.dfg.def(v) {
            ValueDef::Const(ConstKind::Bits(n)) => self.exprs.constant(n, bits),
            ValueDef::Const(_) | ValueDef::Alias(_) => self.exprs.unknown(v, bits),
            ValueDef::Param(b, n) => {
                let rec = self.info.loops.header_loop(b).and_then(|l| self.recurrence(v, l, n));
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

    /// A select that is a minimum or maximum.
    fn select(&mut self, cond: Value, yes: Value, no: Value) -> Option<Expr> {
        let i = self.func.dfg.def_op(cond, Opcode::Icmp)?;
        let cc = self.func.dfg.insts[i].int_cc()?;
        let (a, b) = (self.func.dfg.arg(i, 0), self.func.dfg.arg(i, 1));
        if !Self::has_expr(self.func.dfg.ty(a)) || self.func.dfg.ty(a) != self.func.dfg.ty(yes) {
            return None;
        }
        let (a, b, yes, no) = (self.expr(a), self.expr(b), self.expr(yes), self.expr(no));
        let cc = if (a, b) == (yes, no) {
            cc
        } else if (b, a) == (yes, no) {
            cc.swapped()
        } else {
            return None;
        };
        let op = match cc {
            IntCC::Slt | IntCC::Sle => Opcode::SMin,
            IntCC::Sgt | IntCC::Sge => Opcode::SMax,
            IntCC::Ult | IntCC::Ule => Opcode::UMin,
            IntCC::Ugt | IntCC::Uge => Opcode::UMax,
            IntCC::Eq => return Some(no),
            IntCC::Ne => return Some(yes),
        };
        Some(self.min_max(op, yes, no))
    }

    // ---- constructors -------------------------------------------------------------------------------------------

    /// `a + b`
    pub fn add(&mut self, a: Expr, b: Expr) -> Expr {
        let bits = self.exprs.bits(a);
        let (c1, mut t1) = self.exprs.terms(a);
        let (c2, t2) = self.exprs.terms(b);
        t1.extend(t2);
        self.linear(c1.wrapping_add(c2), t1, bits)
    }

    /// `-a`
    pub fn neg(&mut self, a: Expr) -> Expr {
        self.scale(a, u64::MAX)
    }

    /// `a - b`
    pub fn sub(&mut self, a: Expr, b: Expr) -> Expr {
        let minus = self.neg(b);
        self.add(a, minus)
    }

    /// `~a`
    pub fn not(&mut self, a: Expr) -> Expr {
        let bits = self.exprs.bits(a);
        let ones = self.exprs.constant(u64::MAX, bits);
        self.sub(ones, a)
    }

    /// `a × n`
    pub fn scale(&mut self, a: Expr, n: u64) -> Expr {
        let bits = self.exprs.bits(a);
        let (c, mut terms) = self.exprs.terms(a);
        for t in &mut terms {
            t.1 = t.1.wrapping_mul(n);
        }
        self.linear(c.wrapping_mul(n), terms, bits)
    }

    /// Puts a sum together, with recurrences absorbing what is invariant in their loops.
    fn linear(&mut self, constant: u64, mut terms: Terms, bits: u32) -> Expr {
        let recs = terms.iter().filter(|t| matches!(self.exprs.node(t.0), Node::AddRec { .. })).count();
        let alone = terms.len() == 1 && terms[0].1 & mask(bits) == 1 && constant & mask(bits) == 0;
        if recs == 0 || alone {
            return self.exprs.sum_of(constant, &mut terms, bits);
        }
        // The recurrence of the innermost loop takes the rest as part of its start.
        let depth = |s: &Self, e: Expr| match s.exprs.node(e) {
            Node::AddRec { l, .. } => (s.info.loops.data(l).depth, Some(l)),
            _ => (0, None),
        };
        let deepest = terms.iter().map(|t| depth(self, t.0)).max();
        let Some((_, Some(l))) = deepest else { return self.exprs.sum_of(constant, &mut terms, bits) };
        let mut step = self.exprs.constant(0, bits);
        let mut start = self.exprs.constant(0, bits);
        let mut others = Terms::new();
        for &(e, coef) in &terms {
            match self.exprs.node(e) {
                Node::AddRec { start: s, step: t, l: of, .. } if of == l => {
                    let (s, t) = (self.scale(s, coef), self.scale(t, coef));
                    start = self.add(start, s);
                    step = self.add(step, t);
                }
                _ => others.push((e, coef)),
            }
        }
        if others.iter().any(|t| self.exprs.varies(t.0, self.func, self.info, l)) {
            return self.exprs.sum_of(constant, &mut terms, bits);
        }
        let rest = self.linear(constant, others, bits);
        let start = self.add(start, rest);
        self.add_rec(start, step, l, Wrap::NONE)
    }

    /// `{start, +, step}` of loop `l`.
    pub fn add_rec(&mut self, start: Expr, step: Expr, l: Loop, wrap: Wrap) -> Expr {
        if self.exprs.as_const(step) == Some(0) {
            return start;
        }
        let bits = self.exprs.bits(start);
        self.exprs.make(Node::AddRec { start, step, l, wrap }, bits)
    }

    /// An addition instruction: a recurrence that did not wrap keeps that if the sum does not wrap either.
    fn add_flagged(&mut self, i: Inst, a: Expr, b: Expr, flags: Flags) -> Expr {
        let e = self.add(a, b);
        let Node::AddRec { start, step, l, wrap } = self.exprs.node(e) else { return e };
        if !self.runs_each_iteration(i, l) {
            return e;
        }
        let of = |s: &Self, x: Expr| match s.exprs.node(x) {
            Node::AddRec { l: of, wrap, .. } if of == l => Some(wrap),
            _ if !s.exprs.varies(x, s.func, s.info, l) => Some(Wrap::NUW.with(Wrap::NSW)),
            _ => None,
        };
        let (Some(x), Some(y)) = (of(self, a), of(self, b)) else { return e };
        // Two recurrences' sums may fit although the sum of their steps does not.
        let step_of = |s: &Self, x: Expr| match s.exprs.node(x) {
            Node::AddRec { step, .. } => s.exprs.as_int(step).map(i128::from),
            _ => Some(0),
        };
        let one_moves = self.is_invariant(a, l) || self.is_invariant(b, l);
        let step_fits = one_moves
            || matches!((step_of(self, a), step_of(self, b)), (Some(p), Some(q)) if fits_signed(p + q, self.exprs.bits(e)));
        let mut keep = Wrap::NONE;
        if flags.has(Flags::NSW) && step_fits {
            keep = keep.with(Wrap::NSW);
        }
        if flags.has(Flags::NUW) {
            keep = keep.with(Wrap::NUW);
        }
        self.add_rec(start, step, l, wrap.with(keep.common(x).common(y)))
    }

    /// Whether `i` is executed in every iteration of `l` before the one in which it last is: only then do its promises
    /// hold for the first value of a recurrence.
    fn runs_each_iteration(&self, i: Inst, l: Loop) -> bool {
        let Some(b) = self.func.layout.inst_block(i) else { return false };
        self.info.loops.contains(l, b) && self.info.loops.data(l).latches.iter().all(|&x| self.info.dom.dominates(b, x))
    }

    /// A multiplication instruction.
    fn mul_flagged(&mut self, i: Inst, a: Expr, b: Expr, flags: Flags) -> Expr {
        let e = self.mul(a, b);
        let Node::AddRec { start, step, l, wrap } = self.exprs.node(e) else { return e };
        let is_rec = |s: &Self, x: Expr| matches!(s.exprs.node(x), Node::AddRec { l: of, .. } if of == l);
        let (rec, other) = if is_rec(self, a) { (a, b) } else { (b, a) };
        let Node::AddRec { start: s, step: t, l: of, wrap: known } = self.exprs.node(rec) else { return e };
        if of != l || !self.is_invariant(other, l) || !self.runs_each_iteration(i, l) {
            return e;
        }
        // The products fit, but their difference, the new step, need not: unless it is a constant that does, or
        // start and step pull the same way, so that the difference is no farther from zero than a product.
        let bits = self.exprs.bits(e);
        let step_fits = match (self.exprs.as_int(t), self.exprs.as_int(other)) {
            (Some(t), Some(n)) => fits_signed(i128::from(t) * i128::from(n), bits),
            _ => self.range(s).smin >= 0 && self.range(t).smin >= 0,
        };
        let mut keep = Wrap::NONE;
        if flags.has(Flags::NSW) && step_fits {
            keep = keep.with(Wrap::NSW);
        }
        if flags.has(Flags::NUW) && self.exprs.as_int(other).is_some_and(|n| n > 0) {
            keep = keep.with(Wrap::NUW);
        }
        self.add_rec(start, step, l, wrap.with(keep.common(known)))
    }

    /// `a × b`
    pub fn mul(&mut self, a: Expr, b: Expr) -> Expr {
        if let Some(n) = self.exprs.as_const(a) {
            return self.scale(b, n);
        }
        if let Some(n) = self.exprs.as_const(b) {
            return self.scale(a, n);
        }
        let bits = self.exprs.bits(a);
        for (x, y) in [(a, b), (b, a)] {
            if let Node::AddRec { start, step, l, .. } = self.exprs.node(x)
                && !self.exprs.varies(y, self.func, self.info, l)
            {
                let (s, t) = (self.mul(start, y), self.mul(step, y));
                return self.add_rec(s, t, l, Wrap::NONE);
            }
        }
        self.exprs.make(Node::Mul(a.min(b), a.max(b)), bits)
    }

    /// `a >> n`, zeros shifted in.
    fn shift_right(&mut self, a: Expr, n: u64) -> Expr {
        let bits = self.exprs.bits(a);
        if n >= u64::from(bits) {
            return self.exprs.constant(0, bits);
        }
        let d = self.exprs.constant(1 << n, bits);
        self.udiv(a, d)
    }

    /// Unsigned quotient; the divisor is not zero.
    pub fn udiv(&mut self, a: Expr, b: Expr) -> Expr {
        let bits = self.exprs.bits(a);
        if let Some(d) = self.exprs.as_const(b).filter(|&d| d != 0) {
            if d == 1 {
                return a;
            }
            if let Some(n) = self.exprs.as_const(a) {
                return self.exprs.constant(n / d, bits);
            }
            if self.range(a).umax < d {
                return self.exprs.constant(0, bits);
            }
            if let Some(e) = self.divide_terms(a, d, bits) {
                return e;
            }
            if let Node::UDiv(x, y) = self.exprs.node(a)
                && let Some(inner) = self.exprs.as_const(y)
                && let Some(both) = inner.checked_mul(d).filter(|&n| n <= mask(bits))
            {
                let both = self.exprs.constant(both, bits);
                return self.exprs.make(Node::UDiv(x, both), bits);
            }
        }
        self.exprs.make(Node::UDiv(a, b), bits)
    }

    /// Divides each term of a sum that provably does not wrap and whose coefficients `d` divides.
    fn divide_terms(&mut self, a: Expr, d: u64, bits: u32) -> Option<Expr> {
        let (c, mut terms) = self.exprs.terms(a);
        let mut top = u128::from(c);
        for &(e, coef) in &terms {
            if coef % d != 0 {
                return None;
            }
            top += u128::from(coef) * u128::from(self.range(e).umax);
        }
        if top > u128::from(mask(bits)) {
            return None;
        }
        for t in &mut terms {
            t.1 /= d;
        }
        Some(self.linear(c / d, terms, bits))
    }

    /// Zero-extends to `bits`.
    pub fn zext(&mut self, e: Expr, bits: u32) -> Expr {
        let from = self.exprs.bits(e);
        if from == bits {
            return e;
        }
        match self.exprs.node(e) {
            Node::Const(n) => self.exprs.constant(n, bits),
            Node::ZExt(x) => self.zext(x, bits),
            Node::AddRec { start, step, l, wrap } => {
                let (r, d) = (self.range(start), self.range(step));
                let up = wrap.has(Wrap::NUW)
                    || d.smin >= 0
                        && (wrap.has(Wrap::NSW) && r.smin >= 0
                            || self.reach(r, d, l, false).is_some_and(|(_, hi)| hi <= i128::from(mask(from))));
                if up {
                    let (s, t) = (self.zext(start, bits), self.zext(step, bits));
                    self.add_rec(s, t, l, Wrap::NUW.with(Wrap::NSW))
                } else if wrap.has(Wrap::NUB)
                    || self.reach(r, d, l, false).is_some_and(|(lo, _)| lo >= 0 && d.smax <= 0)
                {
                    let (s, t) = (self.zext(start, bits), self.sext(step, bits));
                    self.add_rec(s, t, l, Wrap::NSW.with(Wrap::NUB))
                } else {
                    self.exprs.make(Node::ZExt(e), bits)
                }
            }
            Node::Sum { .. } => self.extend_sum(e, bits, false),
            _ => self.exprs.make(Node::ZExt(e), bits),
        }
    }

    /// Sign-extends to `bits`.
    pub fn sext(&mut self, e: Expr, bits: u32) -> Expr {
        let from = self.exprs.bits(e);
        if from == bits {
            return e;
        }
        match self.exprs.node(e) {
            Node::Const(n) => self.exprs.constant(sext(n, from) as u64, bits),
            Node::SExt(x) => self.sext(x, bits),
            Node::ZExt(x) => self.zext(x, bits),
            Node::AddRec { start, step, l, wrap } if wrap.has(Wrap::NSW) || self.stays_signed(e) => {
                let (s, t) = (self.sext(start, bits), self.sext(step, bits));
                self.add_rec(s, t, l, Wrap::NSW)
            }
            Node::Sum { .. } => self.extend_sum(e, bits, true),
            _ if self.range(e).smin >= 0 => self.zext(e, bits),
            _ => self.exprs.make(Node::SExt(e), bits),
        }
    }

    /// Whether a recurrence, as far as its loop's trip count tells, stays inside the signed numbers of its width.
    fn stays_signed(&mut self, e: Expr) -> bool {
        let Node::AddRec { start, step, l, .. } = self.exprs.node(e) else { return false };
        let (s, t) = (self.range(start), self.range(step));
        let full = Range::full(self.exprs.bits(e));
        self.reach(s, t, l, true).is_some_and(|(lo, hi)| lo >= full.smin.into() && hi <= full.smax.into())
    }

    /// Extends each summand if the sum provably does not wrap.
    fn extend_sum(&mut self, e: Expr, bits: u32, signed: bool) -> Expr {
        let from = self.exprs.bits(e);
        let (c, terms) = self.exprs.terms(e);
        if !self.sum_is_exact(e, signed) {
            if signed && self.range(e).smin >= 0 {
                return self.zext(e, bits);
            }
            return self.exprs.make(if signed { Node::SExt(e) } else { Node::ZExt(e) }, bits);
        }
        let wide = |n: u64| sext(n, from) as u64;
        let mut out = self.exprs.constant(wide(c), bits);
        for (atom, coef) in terms {
            let x = if signed { self.sext(atom, bits) } else { self.zext(atom, bits) };
            let x = self.scale(x, wide(coef));
            out = self.add(out, x);
        }
        out
    }

    /// Low `bits` of `e`.
    pub fn trunc(&mut self, e: Expr, bits: u32) -> Expr {
        if self.exprs.bits(e) == bits {
            return e;
        }
        match self.exprs.node(e) {
            Node::Const(n) => self.exprs.constant(n, bits),
            Node::Trunc(x) => self.trunc(x, bits),
            Node::ZExt(x) | Node::SExt(x) if self.exprs.bits(x) >= bits => self.trunc(x, bits),
            Node::ZExt(x) => self.zext(x, bits),
            Node::SExt(x) => self.sext(x, bits),
            Node::AddRec { start, step, l, .. } => {
                let (s, t) = (self.trunc(start, bits), self.trunc(step, bits));
                self.add_rec(s, t, l, Wrap::NONE)
            }
            Node::Sum { .. } => {
                let (c, terms) = self.exprs.terms(e);
                let mut out = self.exprs.constant(c, bits);
                for (atom, coef) in terms {
                    let x = self.trunc(atom, bits);
                    let x = self.scale(x, coef);
                    out = self.add(out, x);
                }
                out
            }
            _ => self.exprs.make(Node::Trunc(e), bits),
        }
    }

    /// Zero-extends a value, looking through instructions that promise not to wrap.
    fn zext_value(&mut self, v: Value, bits: u32, depth: u32) -> Expr {
        if let Some(i) = self.func.dfg.def_inst(v)
            && depth < 8
        {
            let data = &self.func.dfg.insts[i];
            let nuw = data.flags.has(Flags::NUW);
            let args = self.func.dfg.args(i);
            let positive = |s: &mut Self, x: Value| {
                let e = s.expr(x);
                s.range(e).smin >= 0
            };
            match data.op {
                Opcode::Add
                    if nuw || data.flags.has(Flags::NSW) && positive(self, args[0]) && positive(self, args[1]) =>
                {
                    let (a, b) = (self.zext_value(args[0], bits, depth + 1), self.zext_value(args[1], bits, depth + 1));
                    return self.add(a, b);
                }
                Opcode::Sub if nuw => {
                    let (a, b) = (self.zext_value(args[0], bits, depth + 1), self.zext_value(args[1], bits, depth + 1));
                    return self.sub(a, b);
                }
                Opcode::Mul | Opcode::Shl if nuw => {
                    if let Some(factor) = self.const_factor(i) {
                        let a = self.zext_value(args[0], bits, depth + 1);
                        return self.scale(a, factor);
                    }
                }
                _ => {}
            }
        }
        let e = self.expr(v);
        self.zext(e, bits)
    }

    /// Sign-extends a value, looking through instructions that promise not to wrap.
    fn sext_value(&mut self, v: Value, bits: u32, depth: u32) -> Expr {
        if let Some(i) = self.func.dfg.def_inst(v)
            && depth < 8
            && self.func.dfg.insts[i].flags.has(Flags::NSW)
        {
            let args = self.func.dfg.args(i);
            match self.func.dfg.op(i) {
                op @ (Opcode::Add | Opcode::Sub) => {
                    let (a, b) = (self.sext_value(args[0], bits, depth + 1), self.sext_value(args[1], bits, depth + 1));
                    return if op == Opcode::Add { self.add(a, b) } else { self.sub(a, b) };
                }
                Opcode::Mul | Opcode::Shl => {
                    let from = self.func.dfg.ty(v).bits();
                    if let Some(factor) = self
                        .const_factor(i)
                        .map(|f| sext(f, from))
                        .filter(|&f| f > 0 || self.func.dfg.op(i) == Opcode::Mul)
                    {
                        let a = self.sext_value(args[0], bits, depth + 1);
                        return self.scale(a, factor as u64);
                    }
                }
                _ => {}
            }
        }
        let e = self.expr(v);
        self.sext(e, bits)
    }

    /// The constant that a multiplication or shift multiplies its first operand by.
    fn const_factor(&self, i: Inst) -> Option<u64> {
        let c = self.func.dfg.as_bits(self.func.dfg.arg(i, 1))?;
        let bits = self.func.dfg.insts[i].ty.bits();
        match self.func.dfg.op(i) {
            Opcode::Mul => Some(c),
            Opcode::Shl if c < u64::from(bits) => Some(1 << c),
            _ => None,
        }
    }

    /// A minimum or maximum; `op` is one of the four opcodes for them.
    pub fn min_max(&mut self, op: Opcode, a: Expr, b: Expr) -> Expr {
        let (x, y) = (self.range(a), self.range(b));
        self.min_max_ranged(op, (a, x), (b, y))
    }

    fn min_max_ranged(&mut self, op: Opcode, (a, x): (Expr, Range), (b, y): (Expr, Range)) -> Expr {
        if a == b {
            return a;
        }
        let (a_is_less, b_is_less) = match op {
            Opcode::UMin | Opcode::UMax => (x.umax <= y.umin, y.umax <= x.umin),
            _ => (x.smax <= y.smin, y.smax <= x.smin),
        };
        let minimum = matches!(op, Opcode::UMin | Opcode::SMin);
        if a_is_less {
            return if minimum { a } else { b };
        }
        if b_is_less {
            return if minimum { b } else { a };
        }
        let bits = self.exprs.bits(a);
        let (a, b) = (a.min(b), a.max(b));
        let node = match op {
            Opcode::UMin => Node::UMin(a, b),
            Opcode::UMax => Node::UMax(a, b),
            Opcode::SMin => Node::SMin(a, b),
            _ => Node::SMax(a, b),
        };
        self.exprs.make(node, bits)
    }

    /// Whether `e` has the same value in every iteration of `l`.
    pub fn is_invariant(&self, e: Expr, l: Loop) -> bool {
        !self.exprs.varies(e, self.func, self.info, l)
    }

    /// The value of `e` in iteration `k` (of the width of `e`, from 0) of loop `l`; `e` itself if it does not vary
    /// with the loop, `None` if it varies but not linearly.
    pub fn at_iteration(&mut self, e: Expr, l: Loop, k: Expr) -> Option<Expr> {
        if self.is_invariant(e, l) {
            return Some(e);
        }
        match self.exprs.node(e) {
            Node::AddRec { start, step, l: of, .. } if of == l => {
                let grown = self.mul(step, k);
                Some(self.add(start, grown))
            }
            Node::Sum { rest, atom, coef } => {
                let (a, b) = (self.at_iteration(rest, l, k)?, self.at_iteration(atom, l, k)?);
                let b = self.scale(b, coef);
                Some(self.add(a, b))
            }
            Node::ZExt(x) | Node::SExt(x) => {
                let narrow = self.exprs.bits(x);
                let k = self.trunc(k, narrow);
                let x = self.at_iteration(x, l, k)?;
                let bits = self.exprs.bits(e);
                Some(if matches!(self.exprs.node(e), Node::ZExt(_)) { self.zext(x, bits) } else { self.sext(x, bits) })
            }
            _ => None,
        }
    }
}
