//! Expressions back into instructions.

use super::{Expr, Exprs, Node, sext};
use ir::{Builder, Function, Inst, IntCC, Opcode, Type, Value};
use rustc_hash::FxHashMap;

impl Exprs {
    /// Computes `e` by instructions right before `before`, where every value in it must be available; the result has
    /// the integer type of the width of `e`. `None`, with nothing left in the function, if a recurrence or an odd
    /// width occurs.
    pub fn expand(&self, func: &mut Function, e: Expr, before: Inst) -> Option<Value> {
        if !self.is_expandable(e) {
            return None;
        }
        let mut x = Expander { exprs: self, b: Builder::before(func, before), done: FxHashMap::default() };
        Some(x.value(e))
    }

    /// Whether [`Exprs::expand`] can compute it.
    pub fn is_expandable(&self, e: Expr) -> bool {
        Type::int(self.bits(e)).is_some() && !self.any(e, &mut |n| matches!(n, Node::AddRec { .. }))
    }

    /// Whether no division is needed but by powers of two.
    pub fn is_cheap(&self, e: Expr) -> bool {
        !self.any(e, &mut |n| match n {
            Node::UDiv(_, d) => !self.as_const(d).is_some_and(u64::is_power_of_two),
            _ => false,
        })
    }

    /// Whether no division is needed but by constants, so that it can be computed anywhere.
    pub fn divides_by_constants(&self, e: Expr) -> bool {
        !self.any(e, &mut |n| matches!(n, Node::UDiv(_, d) if self.as_const(d).is_none_or(|d| d == 0)))
    }

    /// Calls `f` with every opaque value in `e`.
    pub fn for_each_value(&self, e: Expr, f: &mut impl FnMut(Value)) {
        self.any(e, &mut |n| {
            if let Node::Unknown(v) = n {
                f(v);
            }
            false
        });
    }

    fn any(&self, e: Expr, f: &mut impl FnMut(Node) -> bool) -> bool {
        let node = self.node(e);
        if f(node) {
            return true;
        }
        match node {
            Node::Const(_) | Node::Unknown(_) => false,
            Node::ZExt(a) | Node::SExt(a) | Node::Trunc(a) => self.any(a, f),
            Node::Sum { rest: a, atom: b, .. }
            | Node::AddRec { start: a, step: b, .. }
            | Node::Mul(a, b)
            | Node::UDiv(a, b)
            | Node::UMin(a, b)
            | Node::UMax(a, b)
            | Node::SMin(a, b)
            | Node::SMax(a, b) => self.any(a, f) || self.any(b, f),
        }
    }
}

struct Expander<'e, 'f> {
    exprs: &'e Exprs,
    b: Builder<'f>,
    done: FxHashMap<Expr, Value>,
}

impl Expander<'_, '_> {
    fn value(&mut self, e: Expr) -> Value {
        if let Some(&v) = self.done.get(&e) {
            return v;
        }
        let ty = Type::int(self.exprs.bits(e)).unwrap_or(Type::I64);
        let v = match self.exprs.node(e) {
            Node::Const(n) => self.b.func.dfg.bits(ty, n),
            Node::Unknown(v) if self.b.ty(v).is_ptr() => self.b.cast(Opcode::PtrToInt, v, ty),
            Node::Unknown(v) => v,
            Node::Sum { .. } => self.sum(e, ty),
            Node::Mul(a, b) => self.two(Opcode::Mul, a, b),
            Node::UDiv(a, d) => match self.exprs.as_const(d).filter(|d| d.is_power_of_two()) {
                Some(d) => {
                    let a = self.value(a);
                    let n = self.b.iconst(ty, i64::from(d.trailing_zeros()));
                    self.b.binary(Opcode::LShr, a, n)
                }
                None => self.two(Opcode::UDiv, a, d),
            },
            // Excluded by `is_expandable`; a recurrence's first value is the nearest meaning.
            Node::AddRec { start, .. } => self.value(start),
            Node::ZExt(a) => self.cast(Opcode::ZExt, a, ty),
            Node::SExt(a) => self.cast(Opcode::SExt, a, ty),
            Node::Trunc(a) => self.cast(Opcode::Trunc, a, ty),
            Node::UMin(a, b) => self.two(Opcode::UMin, a, b),
            Node::UMax(a, b) => self.two(Opcode::UMax, a, b),
            Node::SMin(a, b) => self.two(Opcode::SMin, a, b),
            Node::SMax(a, b) => self.two(Opcode::SMax, a, b),
        };
        self.done.insert(e, v);
        v
    }

    fn two(&mut self, op: Opcode, a: Expr, b: Expr) -> Value {
        let (a, b) = (self.value(a), self.value(b));
        if self.b.ty(a) == Type::I1 && matches!(op, Opcode::UMin | Opcode::UMax | Opcode::SMin | Opcode::SMax) {
            let cc = if matches!(op, Opcode::UMin | Opcode::SMax) { IntCC::Ult } else { IntCC::Ugt };
            let c = self.b.icmp(cc, a, b);
            return self.b.select(c, a, b);
        }
        self.b.binary(op, a, b)
    }

    fn cast(&mut self, op: Opcode, a: Expr, ty: Type) -> Value {
        let a = self.value(a);
        self.b.cast(op, a, ty)
    }

    /// Positive terms first, so that a difference is one subtraction.
    fn sum(&mut self, e: Expr, ty: Type) -> Value {
        let (c, terms) = self.exprs.terms(e);
        let bits = ty.bits();
        let c = sext(c, bits);
        let mut acc: Option<Value> = None;
        for negative in [false, true] {
            for &(atom, coef) in &terms {
                let k = sext(coef, bits);
                if (k < 0) != negative {
                    continue;
                }
                let x = self.value(atom);
                let term = self.scaled(x, k.unsigned_abs(), ty);
                acc = Some(match (acc, negative) {
                    (None, false) => term,
                    (None, true) => {
                        let start = self.b.iconst(ty, c);
                        self.b.binary(Opcode::Sub, start, term)
                    }
                    (Some(a), false) => self.b.add(a, term),
                    (Some(a), true) => self.b.binary(Opcode::Sub, a, term),
                });
            }
        }
        let used = !terms.iter().any(|t| sext(t.1, bits) >= 0);
        match acc {
            Some(a) if c != 0 && !used => {
                let c = self.b.iconst(ty, c);
                self.b.add(a, c)
            }
            Some(a) => a,
            None => self.b.iconst(ty, c),
        }
    }

    fn scaled(&mut self, x: Value, k: u64, ty: Type) -> Value {
        if k == 1 {
            x
        } else if k.is_power_of_two() {
            let n = self.b.iconst(ty, i64::from(k.trailing_zeros()));
            self.b.binary(Opcode::Shl, x, n)
        } else {
            let k = self.b.iconst(ty, k as i64);
            self.b.mul(x, k)
        }
    }
}
