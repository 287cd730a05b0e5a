//! Statements: declarations, assignments of all kinds, pointers.

use super::integers::scalar;
use super::{Gen, Var};
use crate::sourcegen::tree::{Decl, Expr, Form, Scalar, Space, Stmt, Ty};

impl Gen {
    /// Adds a statement, or a few that belong together.
    pub(super) fn stmt(&mut self, out: &mut Vec<Stmt>, depth: u32) {
        self.budget = self.budget.saturating_sub(1);
        let room = depth < 3 && self.budget > 0;
        match self.rng.below(40) {
            0..5 => self.declaration(out),
            5..9 => self.assignment(out),
            9..11 => self.compound(out),
            11 => self.step(out),
            12 | 13 => self.pointer(out),
            14 => self.side_effect(out),
            15 => self.vector_part(out),
            16 => self.call_statement(out),
            17 => self.whole_assignment(out),
            18..22 if room => self.pending(out, depth),
            22 | 23 if room => self.branch(out, depth),
            24 | 25 if room => self.switch(out, depth),
            26..29 if room => self.cycle(out, depth),
            29 if room => self.jump(out, depth),
            30..33 if self.in_kernel && self.uniform => self.together(out, depth),
            33 if self.in_kernel => self.global_atomic(out),
            34 if self.in_kernel => self.own_atomic(out),
            35..39 if !self.opencl => self.modern(out),
            39 if self.in_kernel => self.lines(out),
            _ => self.assignment(out),
        }
    }

    /// A few statements in a scope of their own.
    pub(super) fn block(&mut self, depth: u32) -> Vec<Stmt> {
        let scope = self.vars.len();
        let mut out = Vec::new();
        for _ in 0..1 + self.rng.below(3) {
            if self.budget == 0 && !out.is_empty() {
                break;
            }
            self.stmt(&mut out, depth + 1);
        }
        self.leave(scope);
        out
    }

    /// A type for a variable.
    pub(super) fn any_type(&mut self) -> Ty {
        match self.rng.below(14) {
            0..4 => self.element_type().into(),
            4..6 => self.rng.pick(&Scalar::INTEGERS).into(),
            6 => self.float_type().into(),
            7..10 => {
                let float = self.float_vectors();
                let (s, n) = self.vector_type(float);
                Ty::Vector(s, n)
            }
            10..12 => match self.any_record() {
                Some(r) => Ty::Named(r.name),
                None => Scalar::U32.into(),
            },
            12 => Ty::Array(Box::new(self.element_type().into()), self.rng.pick(&[2, 3, 4, 5, 8])),
            _ => {
                let element = match self.any_record() {
                    Some(r) if self.rng.chance(60) => Ty::Named(r.name),
                    _ => {
                        let (s, n) = self.vector_type(false);
                        Ty::Vector(s, n.min(4))
                    }
                };
                Ty::Array(Box::new(element), self.rng.pick(&[2, 3, 4]))
            }
        }
    }

    pub(super) fn declare(&mut self, out: &mut Vec<Stmt>, prefix: &str, var: Var, init: Option<Expr>) {
        let (ty, name) = (var.ty.clone(), var.name.clone());
        out.push(Stmt::Decl(Decl { prefix: prefix.to_owned(), ty, name, init }));
        self.vars.push(var);
    }

    fn declaration(&mut self, out: &mut Vec<Stmt>) {
        let ty = self.any_type();
        let depth = 1 + self.rng.below(2) as u32;
        let Some(init) = self.initialiser(&ty, depth) else { return };
        let name = self.name("v");
        let fixed = self.rng.chance(10);
        let var = Var { writable: !fixed, ..Var::new(name, ty) };
        self.declare(out, if fixed { "const " } else { "" }, var, Some(init));
    }

    /// What may be assigned to a scalar place.
    pub(super) fn value_for(&mut self, s: Scalar, depth: u32) -> Expr {
        if s.is_float() { self.float(s, depth) } else { self.int(depth) }
    }

    fn assignment(&mut self, out: &mut Vec<Stmt>) {
        let depth = 1 + self.rng.below(3) as u32;
        let Some(place) = self.writable_place(|_| true) else { return self.declaration(out) };
        let value = self.value_for(scalar(&place), depth);
        out.push(place.assign(value));
    }

    /// `place op= value`.
    fn compound(&mut self, out: &mut Vec<Stmt>) {
        let Some(place) = self.writable_place(|_| true) else { return self.declaration(out) };
        let depth = 1 + self.rng.below(2) as u32;
        let e = self.compound_of(place, depth);
        out.push(Stmt::Expr(e));
    }

    /// A compound assignment to a scalar place, defined whatever it holds.
    pub(super) fn compound_of(&mut self, place: Expr, depth: u32) -> Expr {
        let s = scalar(&place);
        let value = self.value_for(s, depth);
        if s.is_float() {
            return Expr::binary(s, self.rng.pick(&["+=", "-=", "*=", "/="]), place, value);
        }
        // Bit-fields are called so; what they are promoted to depends on their width.
        let bit_field = matches!(&place.form, Form::Member(f) | Form::Arrow(f) if f.starts_with('b'));
        let shifts = !s.is_signed() && s.bits() >= 32 && !bit_field;
        let op = self.rng.pick(&["+=", "-=", "*=", "&=", "|=", "^=", "/=", "%=", "<<=", ">>="]);
        let wide = if s.bits() == 64 { Scalar::U64 } else { Scalar::U32 };
        let value = match op {
            "+=" | "-=" | "*=" => value.cast(wide),
            "/=" | "%=" => self.divisor(value),
            "<<=" | ">>=" if shifts || op == ">>=" => {
                let mask = Expr::literal(Scalar::I32, u64::from(s.bits() - 1));
                Expr::binary(scalar(&value).common(Scalar::I32), "&", value, mask)
            }
            "<<=" => return Expr::binary(s, "^=", place, value),
            _ => value,
        };
        Expr::binary(s, op, place, value)
    }

    /// `++` and `--` where they cannot overflow.
    pub(super) fn step_of(&mut self) -> Option<Expr> {
        let place = self.writable_place(|s| !s.is_signed() || s.bits() < 32)?;
        let op = self.rng.pick(&["++", "--"]);
        let form = if self.rng.chance(50) { Form::Prefix(op) } else { Form::Postfix(op) };
        Some(Expr::new(place.ty.clone(), form, vec![place]))
    }

    fn step(&mut self, out: &mut Vec<Stmt>) {
        match self.step_of() {
            Some(e) => out.push(Stmt::Expr(e)),
            None => self.compound(out),
        }
    }

    /// A change of a variable inside an expression whose other operands do not name it.
    pub(super) fn changing(&mut self, depth: u32) -> Option<Expr> {
        let names: Vec<(String, Scalar)> = self
            .vars
            .iter()
            .filter(|v| v.writable && v.mask == super::ALL && !v.uniform && !self.locked.contains(&v.name))
            .filter(|v| !v.name.starts_with("ref"))
            .filter_map(|v| Some((v.name.clone(), v.ty.scalar()?)))
            .filter(|v| !v.1.is_float())
            .collect();
        if names.is_empty() {
            return None;
        }
        let (name, s) = names[self.rng.below(names.len())].clone();
        let place = Expr::name(s, name.clone());
        // Whether or not anything beside the change reads it, its own operand may.
        let change = match self.rng.below(3) {
            0 if !s.is_signed() || s.bits() < 32 => Expr::new(s, Form::Postfix("++"), vec![place]),
            1 => {
                let value = self.int(depth);
                Expr::binary(s, "=", place, value)
            }
            _ => self.compound_of(place, depth),
        };
        self.locked.push(name);
        let other = self.int(depth);
        self.locked.pop();
        Some(if self.rng.chance(50) { self.guarded("+", change, other) } else { self.guarded("^", other, change) })
    }

    /// Side effects behind `&&`, `||`, `?:` and commas.
    fn side_effect(&mut self, out: &mut Vec<Stmt>) {
        let Some(place) = self.writable_place(|s| !s.is_float()) else { return self.declaration(out) };
        let c = self.condition(1);
        let Some(change) = self.changing(1) else { return self.assignment(out) };
        let s = scalar(&change);
        let value = match self.rng.below(4) {
            0 => Expr::binary(Scalar::I32, "&&", c, change),
            1 => Expr::binary(Scalar::I32, "||", c, change),
            2 => {
                let Some(other) = self.changing(1) else { return };
                Expr::new(s.common(scalar(&other)), Form::Ternary, vec![c, change, other])
            }
            _ => {
                let last = self.int(1);
                Expr::binary(last.ty.clone(), ",", change, last)
            }
        };
        // The place's index is evaluated beside the value: it must not be changed by it.
        if matches!(place.form, Form::Name(_)) {
            let name = self.name("t");
            let ty: Ty = scalar(&value).into();
            self.declare(out, "", Var::new(name.clone(), ty.clone()), Some(value));
            out.push(place.assign(Expr::name(ty, name)));
        } else {
            out.push(Stmt::If(value, vec![place.assign(Expr::literal(Scalar::I32, 5))], Vec::new()));
        }
    }

    /// Components of a vector, several at once, and whole vectors under compound assignment.
    fn vector_part(&mut self, out: &mut Vec<Stmt>) {
        let candidates: Vec<(Expr, Scalar, u8)> = self
            .vars
            .iter()
            .filter(|v| v.writable && v.mask == super::ALL)
            .filter_map(|v| if let Ty::Vector(s, n) = v.ty { Some((v.expr(), s, n)) } else { None })
            .collect();
        if candidates.is_empty() || !self.opencl {
            return self.assignment(out);
        }
        let (v, s, n) = candidates[self.rng.below(candidates.len())].clone();
        if self.rng.chance(30) && !s.is_float() {
            let op = if s.is_signed() {
                self.rng.pick(&["&=", "|=", "^=", ">>="])
            } else {
                self.rng.pick(&["+=", "-=", "*=", "^=", "<<="])
            };
            let value = self.vector(s, n, 2);
            out.push(Stmt::Expr(Expr::binary(v.ty.clone(), op, v, value)));
            return;
        }
        let (k, name) = self.part(n);
        let ty = Ty::Vector(s, k);
        let place = v.member(ty, name);
        let value = if s.is_float() { self.float_vector(s, k, 1) } else { self.vector(s, k, 2) };
        if !s.is_signed() && self.rng.chance(25) {
            out.push(Stmt::Expr(Expr::binary(place.ty.clone(), "+=", place, value)));
        } else {
            out.push(place.assign(value));
        }
    }

    /// Some components of a vector of `n`, each once: how many, and how they are called.
    pub(super) fn part(&mut self, n: u8) -> (u8, String) {
        // Of three, `hi` and `odd` write a fourth component, too, which there is not.
        if n >= 3 && self.rng.chance(40) {
            return (n.div_ceil(2), self.rng.pick(&["lo", "hi", "even", "odd"]).to_owned());
        }
        let fits: Vec<u8> = [2, 3, 4].into_iter().filter(|&k| k <= n).collect();
        let k = self.rng.pick(&fits);
        (k, self.selection(n, k.into(), false))
    }

    fn whole_assignment(&mut self, out: &mut Vec<Stmt>) {
        let candidates: Vec<(Expr, Ty)> = self
            .vars
            .iter()
            .filter(|v| v.writable && v.mask == super::ALL && matches!(v.ty, Ty::Named(_) | Ty::Vector(..)))
            .map(|v| (v.expr(), v.ty.clone()))
            .collect();
        if candidates.is_empty() {
            return self.declaration(out);
        }
        let (place, ty) = candidates[self.rng.below(candidates.len())].clone();
        let value = match &ty {
            Ty::Named(_) => self.whole_place(&ty),
            _ => self.initialiser(&ty, 2),
        };
        match value {
            Some(v) => out.push(place.assign(v)),
            None => self.assignment(out),
        }
    }

    /// Variables that have an address, with how many elements there are.
    pub(super) fn addressable(&self, wanted: impl Fn(&Ty) -> bool) -> Vec<(Expr, u32)> {
        // Elements of work-group arrays are in another space.
        let own = |v: &&Var| v.writable && v.mask == super::ALL && !v.name.ends_with(']');
        self.vars
            .iter()
            .filter(own)
            .filter_map(|v| match &v.ty {
                Ty::Array(t, n) if wanted(t) => Some((v.expr().cast((**t).clone().pointer(Space::Private)), *n)),
                t @ (Ty::Scalar(_) | Ty::Vector(..) | Ty::Named(_)) if wanted(t) => {
                    Some((Expr::prefix(t.clone().pointer(Space::Private), "&", v.expr()), 1))
                }
                _ => None,
            })
            .collect()
    }

    /// A pointer to a variable of its own, or to one of those; or to such a pointer.
    fn pointer(&mut self, out: &mut Vec<Stmt>) {
        let candidates = self.addressable(|_| true);
        if candidates.is_empty() {
            return self.declaration(out);
        }
        let (mut e, mut len) = candidates[self.rng.below(candidates.len())].clone();
        if let Form::Cast = e.form {
            // An array is its first element's address by itself.
            let array = e.args[0].clone();
            e = Expr { ty: e.ty, ..array };
            if len > 1 && self.rng.chance(40) {
                let k = 1 + self.rng.below(len as usize - 1) as u32;
                e = Expr::binary(e.ty.clone(), "+", e, Expr::literal(Scalar::I32, k.into()));
                len -= k;
            }
        }
        let ty = e.ty.clone();
        let others = self.addressable(|t| ty == t.clone().pointer(Space::Private));
        if self.rng.chance(30) && others.len() > 1 {
            // One of two, as the data say.
            let (mut b, other) = others[self.rng.below(others.len())].clone();
            if let Form::Cast = b.form {
                b = Expr { ty: b.ty, ..b.args[0].clone() };
            }
            len = len.min(other);
            let c = self.condition(1);
            e = Expr::new(ty.clone(), Form::Ternary, vec![c, e, b]);
        }
        let name = self.name("p");
        let var = Var { writable: true, ..Var::pointer(name.clone(), ty.clone(), len) };
        self.declare(out, "", var, Some(e));
        if self.rng.chance(25) {
            let outer = ty.clone().pointer(Space::Private);
            let to = Expr::prefix(outer.clone(), "&", Expr::name(ty, name));
            let name = self.name("pp");
            let var = Var { writable: true, ..Var::pointer(name, outer, 1) };
            // What is behind two stars is one element at least.
            self.declare(out, "", var, Some(to));
        }
    }
}
