//! Variables that are declared without a value and assigned later, on every path: what the issue that asked for this
//! generator was about. Of vectors and structures perhaps not all components; only those are read that every path
//! assigns.

use super::{ALL, Gen, Var};
use crate::sourcegen::tree::{Arm, Expr, Form, Label, Scalar, Space, Stmt, Ty};
use Scalar::I32;

/// What is to be assigned, and which components of it.
#[derive(Clone)]
struct Target {
    place: Expr,
    /// Whether the place is a pointer to it.
    pointer: bool,
    mask: u32,
}

impl Gen {
    pub(super) fn pending(&mut self, out: &mut Vec<Stmt>, depth: u32) {
        let ty = match self.rng.below(10) {
            0..3 => self.element_type().into(),
            3..7 => {
                let float = self.float_vectors();
                let (s, n) = self.vector_type(float);
                Ty::Vector(s, n)
            }
            7 | 8 => match self.any_record().filter(|r| !r.union) {
                Some(r) => Ty::Named(r.name),
                None => Scalar::I32.into(),
            },
            _ => Ty::Array(Box::new(self.element_type().into()), self.rng.pick(&[2, 3, 4])),
        };
        let parts = self.parts_of(&ty);
        let full = if parts == 32 { ALL } else { (1 << parts) - 1 };
        let mask = if self.rng.chance(60) || parts == 1 { full } else { (self.rng.bits() as u32 & full) | 1 };
        let name = self.name("q");
        let mut var = Var { mask: 0, ..Var::new(name.clone(), ty.clone()) };
        let place = var.expr();
        self.declare(out, "", var.clone(), None);
        if self.rng.chance(30) {
            // What stands between must not mind that it has no value yet.
            self.stmt(out, depth + 1);
        }
        let target = if self.rng.chance(15) && !matches!(ty, Ty::Array(..)) {
            let p = Expr::prefix(ty.clone().pointer(Space::Private), "&", place);
            let name = self.name("p");
            let decl = Var::pointer(name, p.ty.clone(), 1);
            let e = decl.expr();
            out.push(Stmt::Decl(crate::sourcegen::tree::Decl {
                prefix: String::new(),
                ty: decl.ty.clone(),
                name: decl.name.clone(),
                init: Some(p),
            }));
            Target { place: e, pointer: true, mask }
        } else {
            Target { place, pointer: false, mask }
        };
        let ways = self.assigned(&target, depth + 1);
        out.extend(ways);
        var.mask = if mask == full { ALL } else { mask };
        var.writable = mask == full;
        // In place: it has been there all the time.
        if let Some(v) = self.vars.iter_mut().find(|v| v.name == name) {
            *v = var;
        }
    }

    /// How many components a type has that can be assigned one by one; elements of arrays go together.
    fn parts_of(&self, ty: &Ty) -> u32 {
        match ty {
            Ty::Vector(_, n) => (*n).into(),
            Ty::Named(r) => self.shape(r).map_or(1, |s| s.fields.len() as u32),
            _ => 1,
        }
    }

    /// Statements after which the target has a value, whatever way they were passed.
    fn assigned(&mut self, t: &Target, depth: u32) -> Vec<Stmt> {
        if depth >= 4 || self.rng.chance(15) {
            return self.directly(t);
        }
        self.budget = self.budget.saturating_sub(1);
        let mut out = Vec::new();
        match self.rng.below(9) {
            0 | 1 => {
                let (c, uniform) = self.decision(1);
                self.within(uniform, |g| {
                    let yes = g.around(t, depth);
                    let no = g.around(t, depth);
                    out.push(Stmt::If(c, yes, no));
                });
            }
            2..6 => self.by_switch(t, depth, &mut out),
            6 => {
                // At least once.
                if self.weight * 3 > super::MOST_ROUNDS {
                    return self.directly(t);
                }
                let outer = self.weight;
                self.weight *= 3;
                let i = Expr::name(I32, self.name("i"));
                let more = self.selector(3).cast(I32);
                let body = self.within(false, |g| g.around(t, depth));
                let one = Expr::literal(I32, 1);
                let mut e = super::flow::counted(&i, 1, body);
                if let Stmt::For { cond: Some(c), .. } = &mut e {
                    c.args[1] = Expr::binary(I32, "+", more, one);
                }
                self.weight = outer;
                out.push(e);
            }
            7 => {
                // Left from two places.
                let c = self.condition(1);
                let mut first = self.directly(t);
                first.push(Stmt::Break);
                let mut body = vec![Stmt::If(c, first, Vec::new())];
                body.extend(self.within(false, |g| g.around(t, depth)));
                body.push(Stmt::Break);
                let hint = String::new();
                out.push(if self.rng.chance(50) {
                    Stmt::For { hint, init: None, cond: None, step: None, body }
                } else {
                    Stmt::While(hint, Expr::literal(I32, 1), body)
                });
            }
            _ => {
                let (over, end) = (self.name("L"), self.name("L"));
                let c = self.condition(1);
                out.push(Stmt::If(c, vec![Stmt::Goto(over.clone())], Vec::new()));
                let first = self.within(false, |g| g.around(t, depth));
                out.push(Stmt::Block(first));
                out.push(Stmt::Goto(end.clone()));
                out.push(Stmt::Label(over));
                let second = self.directly(t);
                out.push(Stmt::Block(second));
                out.push(Stmt::Label(end));
            }
        }
        out
    }

    /// Assigned, with something else before it or after it.
    fn around(&mut self, t: &Target, depth: u32) -> Vec<Stmt> {
        let scope = self.vars.len();
        let mut out = Vec::new();
        if self.budget > 0 && self.rng.chance(25) {
            self.stmt(&mut out, depth + 1);
        }
        out.extend(self.assigned(t, depth + 1));
        if self.budget > 0 && self.rng.chance(20) {
            self.stmt(&mut out, depth + 1);
        }
        self.leave(scope);
        out
    }

    /// A `switch` all of whose ways assign the target: an arm that falls into the next one need not do all of it.
    fn by_switch(&mut self, t: &Target, depth: u32, out: &mut Vec<Stmt>) {
        let ways = 2 + self.rng.below(3) as u32;
        let uniform = self.uniform && self.rng.chance(30);
        let e = self.with_uniform(uniform, |g| g.selector(ways));
        let mut labels: Vec<i64> = (0..i64::from(ways)).collect();
        let mut arms: Vec<Arm> = Vec::new();
        let count = labels.len();
        for n in 0..count {
            let label = labels.remove(self.rng.below(labels.len()));
            let last = n + 1 == count;
            let falls = !last && self.rng.chance(55);
            let body = self.within(uniform, |g| {
                if falls {
                    let some = Target { mask: g.rng.bits() as u32, ..t.clone() };
                    if g.rng.chance(75) { g.directly(&some) } else { Vec::new() }
                } else {
                    let mut body = g.around(t, depth);
                    if !last || g.rng.chance(50) {
                        body.push(Stmt::Break);
                    }
                    body
                }
            });
            arms.push(Arm { labels: vec![Label::Case(label)], body });
        }
        // One of them may stand for the others, too.
        if self.rng.chance(50) {
            let n = self.rng.below(arms.len());
            let label = Label::Default;
            if self.rng.chance(50) { arms[n].labels = vec![label] } else { arms[n].labels.push(label) }
        }
        out.push(Stmt::Switch(e, arms));
    }

    /// Assignments to all the components of a target, in one of the ways to write them.
    fn directly(&mut self, t: &Target) -> Vec<Stmt> {
        let whole = match (&t.place.ty, t.pointer) {
            (Ty::Pointer(_, inner), true) => Expr::prefix((**inner).clone(), "*", t.place.clone()),
            _ => t.place.clone(),
        };
        let ty = whole.ty.clone();
        let all = (0..self.parts_of(&ty)).all(|c| t.mask >> c & 1 == 1);
        let mut out = Vec::new();
        match &ty {
            Ty::Array(element, n) => {
                let i = Expr::name(I32, self.name("i"));
                let value = self.initialiser(element, 1);
                if let Some(value) = value {
                    let assign = whole.index((**element).clone(), i.clone()).assign(value);
                    out.push(super::flow::counted(&i, *n, vec![assign]));
                }
            }
            Ty::Vector(s, n) if !all || self.rng.chance(60) => self.by_component(&whole, *s, *n, t.mask, &mut out),
            Ty::Named(r) => {
                let copy = self.whole_place(&ty).filter(|_| all && self.rng.chance(30));
                if let Some(value) = copy {
                    out.push(whole.assign(value));
                } else if let Some(shape) = self.shape(r).cloned() {
                    for (n, (ty, name)) in shape.fields.into_iter().enumerate().filter(|f| t.mask >> f.0 & 1 == 1) {
                        let _ = n;
                        let form = if t.pointer { Form::Arrow(name) } else { Form::Member(name) };
                        let field = Expr::new(ty, form, vec![t.place.clone()]);
                        let part = Target { place: field, pointer: false, mask: ALL };
                        out.extend(self.directly(&part));
                    }
                }
            }
            _ => {
                if let Some(value) = self.initialiser(&ty, 2) {
                    out.push(whole.assign(value));
                }
            }
        }
        out
    }

    fn by_component(&mut self, whole: &Expr, s: Scalar, n: u8, mask: u32, out: &mut Vec<Stmt>) {
        let mut left: Vec<u8> = (0..n).filter(|&c| mask >> c & 1 == 1).collect();
        while !left.is_empty() {
            // Two at once where the language can.
            if self.opencl && left.len() >= 2 && self.rng.chance(35) && n <= 4 {
                let (a, b) = (left.remove(self.rng.below(left.len())), left.remove(0));
                let name: String = [a, b].iter().map(|&c| ['x', 'y', 'z', 'w'][usize::from(c)]).collect();
                let place = whole.clone().member(Ty::Vector(s, 2), name);
                let value = if s.is_float() { self.float_vector(s, 2, 1) } else { self.vector(s, 2, 1) };
                out.push(place.assign(value));
                continue;
            }
            let c = left.remove(self.rng.below(left.len()));
            let place = self.component(whole.clone(), s, n, c);
            let value = self.value_for(s, 1);
            out.push(place.assign(value));
        }
    }
}
