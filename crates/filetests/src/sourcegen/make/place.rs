//! Places: what can be read, and what can be assigned.

use super::{ALL, Gen, Var};
use crate::sourcegen::tree::{Expr, Form, Scalar, Ty};

/// Names of components.
const XYZW: [&str; 4] = ["x", "y", "z", "w"];

impl Gen {
    /// Whether expressions may read a variable here.
    fn readable(&self, v: &Var) -> bool {
        v.mask != 0 && (v.uniform || !self.only_uniform) && !self.is_locked(v)
    }

    /// Whether a variable, or what it may point to, is about to be changed beside this expression.
    fn is_locked(&self, v: &Var) -> bool {
        let pointer = matches!(v.ty, Ty::Pointer(..)) || v.name.starts_with("ref");
        !self.locked.is_empty() && (pointer || self.locked.contains(&v.name))
    }

    /// A scalar that can be read, of any type.
    pub(super) fn readable_place(&mut self, float: bool) -> Option<Expr> {
        self.any_place(|g, v| g.readable(v), false, &|s| s.is_float() == float)
    }

    /// A half that can be read.
    pub(super) fn half_place(&mut self) -> Option<Expr> {
        self.any_place(|g, v| g.readable(v), false, &|s| s == Scalar::F16)
    }

    /// A scalar that can be assigned.
    pub(super) fn writable_place(&mut self, wanted: impl Fn(Scalar) -> bool) -> Option<Expr> {
        self.any_place(|g, v| v.writable && v.mask != 0 && !g.is_locked(v), true, &wanted)
    }

    fn any_place(
        &mut self,
        usable: impl Fn(&Self, &Var) -> bool,
        write: bool,
        wanted: &dyn Fn(Scalar) -> bool,
    ) -> Option<Expr> {
        // New variables are read more often than old ones.
        for _ in 0..6 {
            if self.vars.is_empty() {
                return None;
            }
            let recent = self.vars.len().min(8);
            let back = if self.rng.chance(60) { self.rng.below(recent) } else { self.rng.below(self.vars.len()) };
            let v = self.vars[self.vars.len() - 1 - back].clone();
            if !usable(self, &v) {
                continue;
            }
            if let Some(e) = self.walk(v.expr(), v.mask, v.len, write)
                && e.ty.scalar().is_some_and(wanted)
            {
                return Some(e);
            }
        }
        None
    }

    /// From a place to a scalar in it.
    fn walk(&mut self, e: Expr, mask: u32, len: u32, write: bool) -> Option<Expr> {
        match e.ty.clone() {
            Ty::Scalar(_) => Some(e),
            Ty::Vector(s, n) => {
                let usable: Vec<u8> = (0..n).filter(|&c| mask >> c & 1 == 1).collect();
                if usable.is_empty() {
                    return None;
                }
                let c = self.rng.pick(&usable);
                Some(self.component(e, s, n, c))
            }
            Ty::Array(t, n) => {
                if mask != ALL {
                    return None;
                }
                let index = self.index(n);
                self.walk(e.index(*t, index), ALL, 1, write)
            }
            Ty::Pointer(_, t) | Ty::ConstPointer(_, t) => {
                if write && matches!(e.ty, Ty::ConstPointer(..)) {
                    return None;
                }
                let record = matches!(*t, Ty::Named(_));
                if len == 1 && record && self.rng.chance(60) {
                    return self.walk_fields(e, &t, mask, true, write);
                }
                let to = if len == 1 && self.rng.chance(70) {
                    Expr::prefix(*t, "*", e)
                } else {
                    let index = self.index(len);
                    e.index(*t, index)
                };
                self.walk(to, ALL, 1, write)
            }
            Ty::Reference(t) | Ty::ConstReference(t) => {
                if write && matches!(e.ty, Ty::ConstReference(_)) {
                    return None;
                }
                self.walk(Expr { ty: *t, ..e }, ALL, 1, write)
            }
            Ty::Named(_) => {
                let ty = e.ty.clone();
                self.walk_fields(e, &ty, mask, false, write)
            }
            Ty::Void | Ty::Auto => None,
        }
    }

    fn walk_fields(&mut self, e: Expr, ty: &Ty, mask: u32, arrow: bool, write: bool) -> Option<Expr> {
        let Ty::Named(name) = ty else { return None };
        let shape = self.records.iter().find(|r| r.name == *name)?.clone();
        let usable: Vec<usize> = (0..shape.fields.len()).filter(|&f| mask >> f & 1 == 1).collect();
        if usable.is_empty() {
            return None;
        }
        let field = self.rng.pick(&usable);
        let (t, f) = shape.fields[field].clone();
        let form = if arrow { Form::Arrow(f) } else { Form::Member(f) };
        let place = Expr::new(t.clone(), form, vec![e]);
        if shape.bits[field] && !write {
            // An unsigned bit-field narrower than `int` is an `int` as an operand.
            return Some(Expr::new(t, Form::Cast, vec![place]));
        }
        self.walk(place, ALL, 1, write)
    }

    /// One component of a vector, in one of the ways to say it.
    pub(super) fn component(&mut self, e: Expr, s: Scalar, n: u8, c: u8) -> Expr {
        let hex = |c: u8| {
            format!(
                "s{}",
                if c < 10 { c.to_string() } else { ["a", "B", "c", "D", "e", "F"][usize::from(c) - 10].into() }
            )
        };
        if !self.opencl {
            return e.member(s, XYZW[usize::from(c)]);
        }
        if n >= 4 && n.is_multiple_of(2) && self.rng.chance(15) {
            let (half, place, at) = match self.rng.below(4) {
                0 if c < n / 2 => ("lo", c, true),
                1 if c >= n / 2 => ("hi", c - n / 2, true),
                2 if c.is_multiple_of(2) => ("even", c / 2, true),
                3 if c % 2 == 1 => ("odd", c / 2, true),
                _ => ("", 0, false),
            };
            if at {
                let part = e.member(Ty::Vector(s, n / 2), half);
                return self.component(part, s, n / 2, place);
            }
        }
        if n <= 4 && self.rng.chance(70) { e.member(s, XYZW[usize::from(c)]) } else { e.member(s, hex(c)) }
    }

    /// All scalars in a variable that have a value.
    pub(super) fn leaves_of(&mut self, v: &Var) -> Vec<Expr> {
        let mut out = Vec::new();
        // What pointers point to is seen where it is declared.
        if !matches!(v.ty, Ty::Pointer(..) | Ty::ConstPointer(..) | Ty::Reference(_) | Ty::ConstReference(_)) {
            self.collect(v.expr(), v.mask, &mut out);
        }
        out
    }

    fn collect(&mut self, e: Expr, mask: u32, out: &mut Vec<Expr>) {
        match e.ty.clone() {
            Ty::Scalar(_) => out.push(e),
            Ty::Vector(s, n) => {
                for c in (0..n).filter(|&c| mask >> c & 1 == 1) {
                    let leaf = self.component(e.clone(), s, n, c);
                    out.push(leaf);
                }
            }
            Ty::Array(t, n) if mask == ALL => {
                for i in 0..n {
                    let at = e.clone().index((*t).clone(), Expr::literal(Scalar::I32, u64::from(i)));
                    self.collect(at, ALL, out);
                }
            }
            Ty::Named(name) => {
                let shape = self.records.iter().find(|r| r.name == name);
                // All of a union is seen in its first field.
                let count = shape.map_or(0, |r| if r.union { 1 } else { r.fields.len() });
                let fields = shape.map(|r| r.fields[..count].to_vec());
                for (n, (t, f)) in fields.unwrap_or_default().into_iter().enumerate() {
                    if mask >> n & 1 == 1 {
                        self.collect(e.clone().member(t, f), ALL, out);
                    }
                }
            }
            _ => {}
        }
    }

    /// A readable place of exactly this type, which is no scalar.
    pub(super) fn whole_place(&mut self, ty: &Ty) -> Option<Expr> {
        let found: Vec<Expr> = self
            .vars
            .iter()
            .filter(|v| self.readable(v) && v.mask == ALL)
            .filter_map(|v| match &v.ty {
                t if t == ty => Some(v.expr()),
                Ty::Pointer(_, t) | Ty::ConstPointer(_, t) if **t == *ty => {
                    Some(Expr::prefix((**t).clone(), "*", v.expr()))
                }
                Ty::Array(t, n) if **t == *ty => {
                    Some(v.expr().index((**t).clone(), Expr::literal(Scalar::I32, u64::from(n / 2))))
                }
                _ => None,
            })
            .collect();
        if found.is_empty() { None } else { Some(found[self.rng.below(found.len())].clone()) }
    }

    /// An index below `len`.
    pub(super) fn index(&mut self, len: u32) -> Expr {
        let number = |n: u32| Expr::literal(Scalar::I32, u64::from(n));
        if len <= 1 {
            return number(0);
        }
        let counters: Vec<Expr> =
            self.vars.iter().filter(|v| v.below.is_some_and(|b| b <= len) && self.readable(v)).map(Var::expr).collect();
        match self.rng.below(6) {
            0 | 1 if !counters.is_empty() => counters[self.rng.below(counters.len())].clone(),
            2 => number(self.rng.below(len as usize) as u32),
            _ if self.indices > 0 => number(self.rng.below(len as usize) as u32),
            _ => {
                self.indices += 1;
                let e = self.int(1);
                self.indices -= 1;
                if len.is_power_of_two() && self.rng.chance(60) {
                    let s = e.ty.scalar().map_or(Scalar::I32, Scalar::promoted);
                    Expr::binary(s.common(Scalar::I32), "&", e, number(len - 1))
                } else {
                    let e = if self.rng.chance(50) { e.cast(Scalar::U32) } else { e.cast(Scalar::U8) };
                    let s = e.ty.scalar().map_or(Scalar::U32, Scalar::promoted);
                    Expr::binary(s, "%", e, number(len))
                }
            }
        }
    }
}
