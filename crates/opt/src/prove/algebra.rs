//! Equality of integers by their algebra: as polynomials modulo the width, and as sums of bitwise operations.

use super::cases::Fixed;
use super::info::{Info, mask, signed};
use super::{Fact, Prover, State};
use ir::{IntCC, Opcode, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;

type Overlay = FxHashMap<Value, Info>;

/// Most terms of a polynomial, and most factors of a term.
const MAX_TERMS: usize = 48;
const MAX_FACTORS: usize = 6;
/// Deepest chain of instructions that becomes a polynomial.
const MAX_DEPTH: u32 = 16;
/// Most inputs of a sum of bitwise operations.
const MAX_INPUTS: usize = 4;
/// Most equalities that are used as rules.
const MAX_RULES: usize = 6;

/// What a polynomial is over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Atom {
    Value(Value),
    /// `a / b` in one of its meanings, however it is written.
    Quotient(Opcode, Value, u64, Option<Value>),
}

type Factors = SmallVec<[Atom; 4]>;

/// Coefficients of products of atoms, modulo 2 to some width.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Poly(BTreeMap<Factors, u64>);

impl Poly {
    fn constant(c: u64) -> Self {
        Self(BTreeMap::from([(Factors::new(), c)]))
    }

    fn atom(a: Atom) -> Self {
        Self(BTreeMap::from([(Factors::from_slice(&[a]), 1)]))
    }

    fn add(mut self, other: &Self, k: u64, bits: u32) -> Option<Self> {
        for (f, c) in &other.0 {
            let e = self.0.entry(f.clone()).or_default();
            *e = e.wrapping_add(c.wrapping_mul(k)) & mask(bits);
        }
        self.0.retain(|_, c| *c & mask(bits) != 0);
        (self.0.len() <= MAX_TERMS).then_some(self)
    }

    fn times(&self, other: &Self, bits: u32) -> Option<Self> {
        if self.0.len() * other.0.len() > MAX_TERMS * 4 {
            return None;
        }
        let mut r = Self::default();
        for (f, c) in &self.0 {
            for (g, d) in &other.0 {
                let mut all: Factors = f.iter().chain(g).copied().collect();
                if all.len() > MAX_FACTORS {
                    return None;
                }
                all.sort_unstable();
                let e = r.0.entry(all).or_default();
                *e = e.wrapping_add(c.wrapping_mul(*d)) & mask(bits);
            }
        }
        r.0.retain(|_, c| *c != 0);
        (r.0.len() <= MAX_TERMS).then_some(r)
    }

    /// The number that it is.
    fn as_constant(&self) -> Option<u64> {
        match self.0.first_key_value() {
            None => Some(0),
            Some((f, c)) => (self.0.len() == 1 && f.is_empty()).then_some(*c),
        }
    }

    /// A shift that keeps the sign and one that does not agree once the result is shifted back.
    fn settled(mut self, bits: u32) -> Self {
        let found: Vec<(Factors, u64)> = self.0.iter().map(|(f, c)| (f.clone(), *c)).collect();
        for (f, c) in found {
            if let [Atom::Quotient(Opcode::AShr, x, n, None)] = f[..]
                && n < 64
                && c.trailing_zeros() >= n as u32
            {
                self.0.remove(&f);
                let e = self.0.entry(Factors::from_slice(&[Atom::Quotient(Opcode::LShr, x, n, None)])).or_default();
                *e = e.wrapping_add(c) & mask(bits);
            }
        }
        self.0.retain(|_, c| *c != 0);
        self
    }
}

impl Prover<'_> {
    fn poly(&self, known: &Overlay, v: Value, depth: u32) -> Option<Poly> {
        let dfg = &self.func.dfg;
        let v = dfg.resolve(v);
        if let Some(c) = dfg.as_bits(v) {
            return Some(if c == 0 { Poly::default() } else { Poly::constant(c) });
        }
        let opaque = || Some(Poly::atom(Atom::Value(v)));
        let Some(i) = dfg.def_inst(v).filter(|_| depth < MAX_DEPTH) else { return opaque() };
        let ty = dfg.ty(v);
        let bits = ty.bits();
        if !(ty.is_int() || ty.is_ptr()) || ty.is_vector() || !self.spend() {
            return opaque();
        }
        let data = &dfg.insts[i];
        let arg = |n: usize| dfg.resolve(dfg.arg(i, n));
        let sub = |n: usize| self.poly(known, arg(n), depth + 1);
        let constant = |n: usize| dfg.as_bits(arg(n));
        match data.op {
            Opcode::Add | Opcode::PtrAdd => sub(0)?.add(&sub(1)?, 1, bits),
            Opcode::PtrToInt | Opcode::IntToPtr if dfg.ty(arg(0)).bits() == bits => sub(0),
            Opcode::AddrSpaceCast if self.is_same_address(arg(0)) => sub(0),
            Opcode::Sub => sub(0)?.add(&sub(1)?, mask(bits), bits),
            Opcode::Mul => sub(0)?.times(&sub(1)?, bits),
            Opcode::Shl => match constant(1) {
                Some(n) if n < u64::from(bits) => Poly::default().add(&sub(0)?, 1 << n, bits),
                _ => opaque(),
            },
            // ~x is -x - 1.
            Opcode::Xor if constant(1) == Some(mask(bits)) => {
                Poly::constant(mask(bits)).add(&sub(0)?, mask(bits), bits)
            }
            Opcode::And => match constant(1) {
                Some(m) if (m + 1).is_power_of_two() && m != mask(bits) => {
                    let n = m.trailing_ones();
                    let q = Poly::atom(Atom::Quotient(Opcode::LShr, arg(0), n.into(), None));
                    sub(0)?.add(&q, (1u64 << n).wrapping_neg(), bits)
                }
                Some(m) if m != 0 && (!m & mask(bits)).wrapping_add(1).is_power_of_two() => {
                    let n = m.trailing_zeros();
                    let q = Poly::atom(Atom::Quotient(Opcode::LShr, arg(0), n.into(), None));
                    Poly::default().add(&q, 1 << n, bits)
                }
                _ => opaque(),
            },
            Opcode::LShr | Opcode::AShr => match constant(1) {
                Some(n) if n < u64::from(bits) => match sub(0)?.as_constant() {
                    Some(c) if data.op == Opcode::LShr => Some(Poly::constant(c >> n)),
                    Some(c) => Some(Poly::constant((signed(c, bits) >> n) as u64 & mask(bits))),
                    None => Some(Poly::atom(Atom::Quotient(data.op, arg(0), n, None))),
                },
                _ => opaque(),
            },
            Opcode::UDiv | Opcode::SDiv => Some(Poly::atom(quotient(known, data.op, arg(0), arg(1), constant(1)))),
            Opcode::URem | Opcode::SRem => {
                let op = if data.op == Opcode::URem { Opcode::UDiv } else { Opcode::SDiv };
                let q = Poly::atom(quotient(known, op, arg(0), arg(1), constant(1)));
                sub(0)?.add(&q.times(&sub(1)?, bits)?, mask(bits), bits)
            }
            _ => opaque(),
        }
    }

    /// `a - b` if it is the same number for all inputs.
    fn constant_difference(&self, known: &Overlay, a: Value, b: Value, rules: &[(Factors, Poly)]) -> Option<u64> {
        let bits = self.func.dfg.ty(a).bits();
        let by_terms = || {
            let mut p = self.poly(known, a, 0)?.add(&self.poly(known, b, 0)?, mask(bits), bits)?;
            for (f, instead) in rules {
                if let Some(c) = p.0.remove(f) {
                    p = p.add(instead, c, bits)?;
                }
            }
            p.settled(bits).as_constant()
        };
        by_terms().or_else(|| self.bitwise_difference(a, b))
    }

    /// The same for sums of bitwise operations with constant factors. Such a sum is the same for all inputs exactly if it
    /// is so for all inputs that have no more than one bit, and that at the same place.
    fn bitwise_difference(&self, a: Value, b: Value) -> Option<u64> {
        let mut inputs: SmallVec<[Value; 4]> = SmallVec::new();
        let mut left = 64;
        if !self.is_sum_of_bitwise(a, &mut inputs, &mut left) || !self.is_sum_of_bitwise(b, &mut inputs, &mut left) {
            return None;
        }
        if inputs.is_empty() || inputs.len() > MAX_INPUTS {
            return None;
        }
        let bits = self.func.dfg.ty(a).bits();
        let mut expected = None;
        for bit in 0..bits {
            for choice in 0..1u64 << inputs.len() {
                let mut env = Fixed::new(self.func);
                for (n, &v) in inputs.iter().enumerate() {
                    env.set(v, (choice >> n & 1) << bit);
                }
                if !self.spend() {
                    return None;
                }
                let difference = env.value(a)?.wrapping_sub(env.value(b)?) & mask(bits);
                if *expected.get_or_insert(difference) != difference {
                    return None;
                }
            }
        }
        expected
    }

    fn is_sum_of_bitwise(&self, v: Value, inputs: &mut SmallVec<[Value; 4]>, left: &mut u32) -> bool {
        let dfg = &self.func.dfg;
        let v = dfg.resolve(v);
        if dfg.as_bits(v).is_some() {
            return true;
        }
        *left = left.saturating_sub(1);
        if *left == 0 {
            return false;
        }
        let Some(i) = dfg.def_inst(v) else { return self.is_bitwise(v, inputs, left) };
        let arg = |n: usize| dfg.resolve(dfg.arg(i, n));
        match dfg.op(i) {
            Opcode::Add | Opcode::Sub => {
                self.is_sum_of_bitwise(arg(0), inputs, left) && self.is_sum_of_bitwise(arg(1), inputs, left)
            }
            Opcode::Mul | Opcode::Shl if dfg.as_bits(arg(1)).is_some() => self.is_sum_of_bitwise(arg(0), inputs, left),
            // A complement is a bitwise operation of its operand, and -x - 1 of a sum.
            Opcode::Xor if dfg.as_bits(arg(1)) == Some(mask(dfg.ty(v).bits())) => {
                self.is_sum_of_bitwise(arg(0), inputs, left)
            }
            _ => self.is_bitwise(v, inputs, left),
        }
    }

    fn is_bitwise(&self, v: Value, inputs: &mut SmallVec<[Value; 4]>, left: &mut u32) -> bool {
        let dfg = &self.func.dfg;
        let v = dfg.resolve(v);
        if dfg.as_bits(v).is_some() || inputs.contains(&v) {
            return true;
        }
        *left = left.saturating_sub(1);
        if *left == 0 {
            return false;
        }
        if let Some(i) = dfg.def_inst(v)
            && matches!(dfg.op(i), Opcode::And | Opcode::Or | Opcode::Xor)
        {
            return dfg.args(i).iter().all(|&a| self.is_bitwise(a, inputs, left));
        }
        inputs.push(v);
        inputs.len() <= MAX_INPUTS
    }
}

/// A quotient. By a power of two, of what is not negative, it is a shift.
fn quotient(known: &Overlay, op: Opcode, a: Value, b: Value, c: Option<u64>) -> Atom {
    match c {
        Some(c) if c.is_power_of_two() && (op == Opcode::UDiv || known.get(&a).is_some_and(|i| i.slo >= 0)) => {
            Atom::Quotient(Opcode::LShr, a, c.trailing_zeros().into(), None)
        }
        Some(c) => Atom::Quotient(op, a, c, None),
        None => Atom::Quotient(op, a, 0, Some(b)),
    }
}

impl State<'_, '_> {
    /// Whether what is said to differ is equal, or the other way round.
    pub(super) fn contradicts_algebra(&self, comparisons: &[(IntCC, Value, Value)]) -> bool {
        let prover = self.prover;
        let dfg = &prover.func.dfg;
        let known = &self.overlay;
        let is_number =
            |v: Value| (dfg.ty(v).is_int() || dfg.ty(v).is_ptr()) && !dfg.ty(v).is_vector() && dfg.ty(v).bits() > 1;
        let mut rules: Vec<(Factors, Poly)> = Vec::new();
        for &(cc, a, b) in comparisons {
            if cc != IntCC::Eq || !is_number(a) || rules.len() >= MAX_RULES {
                continue;
            }
            let bits = dfg.ty(a).bits();
            let Some(mut p) =
                prover.poly(known, a, 0).and_then(|p| p.add(&prover.poly(known, b, 0)?, mask(bits), bits))
            else {
                continue;
            };
            for (f, instead) in &rules {
                if let Some(c) = p.0.remove(f) {
                    p = match p.add(instead, c, bits) {
                        Some(p) => p,
                        None => return false,
                    };
                }
            }
            // A term that occurs once with a factor of 1 or -1 is what the others say.
            let chosen = p.0.iter().filter(|(f, _)| !f.is_empty()).find(|(_, c)| **c == 1 || **c == mask(bits));
            let Some((f, c)) = chosen.map(|(f, c)| (f.clone(), *c)) else { continue };
            p.0.remove(&f);
            let k = if c == 1 { mask(bits) } else { 1 };
            if let Some(instead) = Poly::default().add(&p, k, bits) {
                rules.push((f, instead));
            }
        }
        comparisons.iter().any(|&(cc, a, b)| {
            is_number(a)
                && match cc {
                    IntCC::Eq => prover.constant_difference(known, a, b, &[]).is_some_and(|d| d != 0),
                    _ if cc.eval(0, 0, 8) => false,
                    _ => prover.constant_difference(known, a, b, &rules) == Some(0),
                }
        })
    }

    /// All comparisons that hold.
    pub(super) fn comparisons(&self) -> Vec<(IntCC, Value, Value)> {
        let mut out = Vec::new();
        for f in &self.facts {
            match *f {
                Fact::Truth(v, t) => self.comparisons_of(v, t, &mut out, 0),
                Fact::Compare(cc, a, b) => out.push((cc, a, b)),
                Fact::Known(..) => {}
            }
        }
        out
    }

    fn comparisons_of(&self, v: Value, truth: bool, out: &mut Vec<(IntCC, Value, Value)>, depth: u32) {
        let dfg = &self.prover.func.dfg;
        let Some(i) = dfg.def_inst(v).filter(|_| depth < 8) else { return };
        let arg = |n: usize| dfg.resolve(dfg.arg(i, n));
        match dfg.op(i) {
            Opcode::And | Opcode::Or => {
                let settles = truth == (dfg.op(i) == Opcode::And);
                for (x, y) in [(arg(0), arg(1)), (arg(1), arg(0))] {
                    let known = |v| self.overlay.get(&v).and_then(Info::single);
                    if dfg.ty(v).bits() == 1 && (settles || known(y) == Some(u64::from(!truth))) {
                        self.comparisons_of(x, truth, out, depth + 1);
                    }
                }
            }
            Opcode::Xor if dfg.ty(v).bits() == 1 && dfg.as_bits(arg(1)) == Some(1) => {
                self.comparisons_of(arg(0), !truth, out, depth + 1);
            }
            Opcode::Icmp => {
                if let Some(cc) = dfg.insts[i].int_cc() {
                    out.push((if truth { cc } else { cc.inverse() }, arg(0), arg(1)));
                }
            }
            _ => {}
        }
    }
}
