//! Pointers taken apart: base + constant + Σ coefficient × value.
//!
//! Unlike [`crate::scev`] this knows nothing of loops and keeps no tables, so it suits passes that ask about every
//! memory access. Limits: [`MAX_DEPTH`] instructions, beyond which an offset is opaque; sums of more than
//! [`MAX_TERMS`] terms are not compared.

use ir::{Flags, Function, Opcode, Value};
use smallvec::SmallVec;

/// Most instructions looked through.
pub const MAX_DEPTH: u32 = 64;
/// Most terms compared.
pub const MAX_TERMS: usize = 12;

/// How a term's value becomes 64 bits wide.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Ext {
    /// It is 64 bits wide.
    None,
    /// By its sign.
    Sign,
    /// By zeros.
    Zero,
}

/// `coef × value`, modulo 2^64.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term {
    /// The value.
    pub value: Value,
    /// How it is widened.
    pub ext: Ext,
    /// Its factor.
    pub coef: i64,
}

/// An address as a sum, modulo 2^64.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// A pointer that is no pointer addition (and no address-space cast, if those were looked through).
    pub base: Value,
    /// Constant bytes.
    pub offset: i64,
    /// Variable bytes, in the order of values, each value once per way of widening.
    pub terms: SmallVec<[Term; 4]>,
    /// Whether every pointer addition on the way stays inside its object.
    pub inbounds: bool,
}

impl Address {
    /// Takes `ptr` apart without leaving its address space: `base` has the type of `ptr`.
    pub fn of(func: &Function, ptr: Value) -> Self {
        Self::walk(func, ptr, false, &|_| false)
    }

    /// As [`Address::of`], but takes values of which `leaf` is true as they are, constants aside.
    pub fn down_to(func: &Function, ptr: Value, leaf: impl Fn(Value) -> bool) -> Self {
        Self::walk(func, ptr, false, &leaf)
    }

    /// Takes `ptr` apart, through address-space casts: addresses with one base are comparable across spaces, but
    /// `base` may be a pointer to another space.
    pub fn across_spaces(func: &Function, ptr: Value) -> Self {
        Self::walk(func, ptr, true, &|_| false)
    }

    fn walk(func: &Function, ptr: Value, casts: bool, leaf: &dyn Fn(Value) -> bool) -> Self {
        let mut a = Self { base: func.dfg.resolve(ptr), offset: 0, terms: SmallVec::new(), inbounds: true };
        let mut left = MAX_DEPTH;
        while !leaf(a.base)
            && let Some(i) = func.dfg.def_inst(a.base)
        {
            let args = func.dfg.args(i);
            match func.dfg.op(i) {
                Opcode::PtrAdd if left > 0 && !func.dfg.insts[i].ty.is_vector() => {
                    left -= 1;
                    a.inbounds &= func.dfg.insts[i].flags.has(Flags::INBOUNDS);
                    a.add_offset(func, args[1], Ext::None, 1, &mut left, leaf);
                }
                Opcode::AddrSpaceCast if casts && left > 0 => left -= 1,
                _ => break,
            }
            a.base = func.dfg.resolve(args[0]);
        }
        if a.terms.len() > 1 {
            a.terms.sort_unstable();
            a.merge();
        }
        a
    }

    /// Adds `coef × ext(v)`, taken apart further where that is exact.
    fn add_offset(
        &mut self,
        func: &Function,
        v: Value,
        ext: Ext,
        coef: i64,
        left: &mut u32,
        leaf: &dyn Fn(Value) -> bool,
    ) {
        let v = func.dfg.resolve(v);
        let ty = func.dfg.ty(v);
        if let Some(n) = func.dfg.as_bits(v) {
            let n = if ext == Ext::Sign { func.dfg.as_int(v).unwrap_or(0) } else { n as i64 };
            self.offset = self.offset.wrapping_add(n.wrapping_mul(coef));
            return;
        }
        if *left > 0
            && !leaf(v)
            && let Some(i) = func.dfg.def_inst(v)
        {
            let flags = func.dfg.insts[i].flags;
            // A widened sum is the sum of the widened summands only if it did not wrap.
            let exact = match ext {
                Ext::None => true,
                Ext::Sign => flags.has(Flags::NSW),
                Ext::Zero => flags.has(Flags::NUW),
            };
            let args = func.dfg.args(i);
            let op = func.dfg.op(i);
            let factor = match op {
                Opcode::Mul | Opcode::Shl | Opcode::Or if ext == Ext::Zero => {
                    func.dfg.as_bits(args[1]).map(|n| n as i64)
                }
                Opcode::Mul | Opcode::Shl | Opcode::Or => func.dfg.as_int(args[1]),
                _ => None,
            };
            *left -= 1;
            match (op, factor) {
                (Opcode::Add, _) if exact => {
                    self.add_offset(func, args[0], ext, coef, left, leaf);
                    return self.add_offset(func, args[1], ext, coef, left, leaf);
                }
                (Opcode::Sub, _) if exact => {
                    self.add_offset(func, args[0], ext, coef, left, leaf);
                    return self.add_offset(func, args[1], ext, coef.wrapping_neg(), left, leaf);
                }
                (Opcode::Mul, Some(c)) if exact => {
                    return self.add_offset(func, args[0], ext, coef.wrapping_mul(c), left, leaf);
                }
                // At width - 1 the factor's sign differs from that of a multiplication.
                (Opcode::Shl, Some(c)) if exact && (0..i64::from(ty.bits()) - 1).contains(&c) => {
                    return self.add_offset(func, args[0], ext, coef.wrapping_shl(c as u32), left, leaf);
                }
                // Low zero bits of the other operand make it an addition.
                (Opcode::Or, Some(c)) if c > 0 && is_multiple(func, args[0], (c as u64 + 1).next_power_of_two()) => {
                    self.add_offset(func, args[0], ext, coef, left, leaf);
                    return self.add_offset(func, args[1], ext, coef, left, leaf);
                }
                (Opcode::SExt, _) if ext != Ext::Zero => {
                    return self.add_offset(func, args[0], Ext::Sign, coef, left, leaf);
                }
                (Opcode::ZExt, _) => return self.add_offset(func, args[0], Ext::Zero, coef, left, leaf),
                _ => *left += 1,
            }
        }
        if coef != 0 {
            self.terms.push(Term { value: v, ext, coef });
        }
    }

    /// Adds up terms of one value.
    fn merge(&mut self) {
        let mut out: SmallVec<[Term; 4]> = SmallVec::new();
        for t in self.terms.drain(..) {
            match out.last_mut() {
                Some(last) if last.value == t.value && last.ext == t.ext => last.coef = last.coef.wrapping_add(t.coef),
                _ => out.push(t),
            }
        }
        out.retain(|t| t.coef != 0);
        self.terms = out;
    }

    /// Whether this is the base itself plus a constant.
    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    /// Bytes from `other` to `self`, if they differ by a constant.
    pub fn minus(&self, other: &Self) -> Option<i64> {
        let same = self.base == other.base && self.terms.len() <= MAX_TERMS && self.terms == other.terms;
        same.then(|| self.offset.wrapping_sub(other.offset))
    }
}

/// Whether `v` is visibly a multiple of a power of two.
fn is_multiple(func: &Function, v: Value, of: u64) -> bool {
    let tz = of.trailing_zeros();
    let Some(i) = func.dfg.def_inst(v) else { return false };
    let c = func.dfg.args(i).get(1).and_then(|&c| func.dfg.as_bits(c));
    match (func.dfg.op(i), c) {
        (Opcode::Shl, Some(n)) => n >= u64::from(tz),
        (Opcode::Mul | Opcode::And, Some(n)) => n.trailing_zeros() >= tz,
        _ => false,
    }
}
