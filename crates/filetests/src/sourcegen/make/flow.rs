//! Branches, loops, `switch` and `goto`.

use super::integers::scalar;
use super::{Gen, MOST_ROUNDS, Var};
use crate::sourcegen::tree::{Arm, Decl, Expr, Form, Label, Scalar, Stmt, Ty};
use Scalar::{I16, I32, U32};

/// How a loop counts.
struct Count {
    /// The type of its counter.
    ty: Scalar,
    /// How many rounds it takes, as an expression; at most `most`.
    rounds: Expr,
    most: u32,
}

impl Gen {
    /// A condition, and whether all work-items agree on it.
    pub(super) fn decision(&mut self, depth: u32) -> (Expr, bool) {
        let uniform = self.uniform && self.rng.chance(45);
        let e = self.with_uniform(uniform, |g| g.condition(depth));
        (e, uniform)
    }

    /// Makes expressions that are the same for all work-items, if `wanted`.
    pub(super) fn with_uniform<T>(&mut self, wanted: bool, make: impl FnOnce(&mut Self) -> T) -> T {
        let all = wanted || self.only_uniform;
        let old = std::mem::replace(&mut self.only_uniform, all);
        let t = make(self);
        self.only_uniform = old;
        t
    }

    /// Makes statements where the group comes by as a whole only if `uniform`.
    pub(super) fn within<T>(&mut self, uniform: bool, make: impl FnOnce(&mut Self) -> T) -> T {
        let all = uniform && self.uniform;
        let old = std::mem::replace(&mut self.uniform, all);
        let t = make(self);
        self.uniform = old;
        t
    }

    pub(super) fn branch(&mut self, out: &mut Vec<Stmt>, depth: u32) {
        let (c, uniform) = self.decision(2);
        let (yes, no) = self.within(uniform, |g| {
            let yes = g.block(depth);
            let no = if g.rng.chance(45) { g.block(depth) } else { Vec::new() };
            (yes, no)
        });
        out.push(Stmt::If(c, yes, no));
    }

    /// A selector that takes values from 0 to below `ways` only.
    pub(super) fn selector(&mut self, ways: u32) -> Expr {
        let e = self.int(1);
        if ways.is_power_of_two() && self.rng.chance(60) {
            let s = scalar(&e).common(I32);
            return Expr::binary(s, "&", e, Expr::literal(I32, u64::from(ways - 1)));
        }
        Expr::binary(U32, "%", e.cast(U32), Expr::literal(U32, ways.into()))
    }

    /// A `switch` that says nothing about what it assigns.
    pub(super) fn switch(&mut self, out: &mut Vec<Stmt>, depth: u32) {
        let uniform = self.uniform && self.rng.chance(40);
        let ways = 2 + self.rng.below(4) as u32;
        let e = self.with_uniform(uniform, |g| if g.rng.chance(70) { g.selector(ways) } else { g.int(1).cast(I32) });
        let mut labels: Vec<i64> = (0..i64::from(ways)).collect();
        if self.rng.chance(20) {
            labels.push(self.rng.pick(&[-1, 100, 255, 65535]));
        }
        let default = self.rng.chance(70).then(|| self.rng.below(labels.len() + 1));
        let mut arms = Vec::new();
        self.within(uniform, |g| {
            while !labels.is_empty() {
                let mut own = vec![Label::Case(labels.remove(g.rng.below(labels.len())))];
                if g.rng.chance(15) && !labels.is_empty() {
                    own.push(Label::Case(labels.remove(0)));
                }
                if default == Some(arms.len()) {
                    own.push(Label::Default);
                }
                let mut body = if g.rng.chance(85) { g.block(depth) } else { Vec::new() };
                if g.rng.chance(60) {
                    body.push(Stmt::Break);
                }
                arms.push(Arm { labels: own, body });
            }
        });
        out.push(Stmt::Switch(e, arms));
    }

    /// How often a loop runs: the data say it.
    fn count(&mut self, uniform: bool) -> Count {
        let ty = self.rng.pick(&[I32, I32, I32, U32, Scalar::U8, I16, Scalar::I64]);
        self.with_uniform(uniform, |g| match g.rng.below(5) {
            0 => {
                let most = 1 + g.rng.below(6) as u32;
                Count { ty, rounds: Expr::literal(I32, most.into()), most }
            }
            1 if g.in_kernel => Count { ty, rounds: Expr::name(I32, "n"), most: 7 },
            _ => {
                let mask = g.rng.pick(&[1, 3, 3, 7]);
                let e = g.int(1).cast(I32);
                let rounds = Expr::binary(I32, "&", e, Expr::literal(I32, mask.into()));
                if g.rng.chance(50) {
                    let one = Expr::literal(I32, 1);
                    Count { ty, rounds: Expr::binary(I32, "+", rounds, one), most: mask + 1 }
                } else {
                    Count { ty, rounds, most: mask }
                }
            }
        })
    }

    /// What may stand before a loop.
    fn hint(&mut self) -> String {
        if !self.rng.chance(25) {
            return String::new();
        }
        let n = self.rng.pick(&[1, 2, 3, 4, 8]);
        let all = [
            format!("#pragma unroll {n}"),
            "#pragma unroll".to_owned(),
            "#pragma nounroll".to_owned(),
            if self.opencl {
                format!("__attribute__((opencl_unroll_hint({n})))")
            } else {
                "#pragma unroll 1".to_owned()
            },
        ];
        all[self.rng.below(all.len())].clone()
    }

    /// A loop of any kind.
    pub(super) fn cycle(&mut self, out: &mut Vec<Stmt>, depth: u32) {
        let uniform = self.uniform && self.rng.chance(50);
        let count = self.count(uniform);
        if self.weight * count.most.max(1) > MOST_ROUNDS {
            return self.branch(out, depth);
        }
        let outer = self.weight;
        self.weight *= count.most.max(1);
        let scope = self.vars.len();
        match self.rng.below(5) {
            0..2 => self.for_up(out, count, uniform, depth),
            2 => self.for_down(out, count, uniform, depth),
            3 => self.while_loop(out, count, uniform, depth),
            _ => self.endless(out, count, uniform, depth),
        }
        self.leave(scope);
        self.weight = outer;
    }

    /// The body of a loop, with ways out of it.
    fn loop_body(&mut self, uniform: bool, depth: u32) -> Vec<Stmt> {
        let scope = self.vars.len();
        let mut out = Vec::new();
        self.within(uniform, |g| {
            for _ in 0..1 + g.rng.below(3) {
                if g.budget == 0 && !out.is_empty() {
                    break;
                }
                if g.rng.chance(70) || g.budget == 0 {
                    g.stmt(&mut out, depth + 1);
                } else {
                    g.way_out(&mut out, uniform);
                }
            }
        });
        self.leave(scope);
        out
    }

    fn way_out(&mut self, out: &mut Vec<Stmt>, uniform: bool) {
        // Whoever leaves a loop that the group runs together takes everybody along.
        let c = self.with_uniform(uniform && self.uniform, |g| g.condition(1));
        let exit = if self.rng.chance(50) { Stmt::Break } else { Stmt::Continue };
        if self.rng.chance(20) {
            // `continue` and `break` mean different things inside of a `switch`.
            let e = self.with_uniform(uniform && self.uniform, |g| g.selector(3));
            let arms = vec![
                Arm { labels: vec![Label::Case(2)], body: vec![Stmt::Continue] },
                Arm { labels: vec![Label::Default], body: vec![Stmt::Break] },
                Arm { labels: vec![Label::Case(0)], body: Vec::new() },
            ];
            out.push(Stmt::Switch(e, arms));
            return;
        }
        out.push(Stmt::If(c, vec![exit], Vec::new()));
    }

    fn counter(&mut self, ty: Scalar, most: u32, uniform: bool) -> Expr {
        let name = self.name("i");
        let v = Var { uniform, ..Var::counter(name, ty, most) };
        let e = v.expr();
        self.vars.push(v);
        e
    }

    fn for_up(&mut self, out: &mut Vec<Stmt>, c: Count, uniform: bool, depth: u32) {
        let i = self.counter(c.ty, c.most, uniform);
        let stride = self.rng.pick(&[1, 1, 1, 2, 3]);
        let step = if stride == 1 {
            Expr::new(c.ty, if self.rng.chance(50) { Form::Postfix("++") } else { Form::Prefix("++") }, vec![i.clone()])
        } else {
            Expr::binary(c.ty, "+=", i.clone(), Expr::literal(I32, stride))
        };
        // A number of rounds that changes on the way could be missed.
        let steady = uniform || matches!(c.rounds.form, Form::Literal(_));
        let rounds = if c.ty.is_signed() { c.rounds } else { c.rounds.cast(U32) };
        let op = if stride == 1 && steady && self.rng.chance(25) { "!=" } else { "<" };
        let cond = Some(Expr::binary(I32, op, i.clone(), rounds));
        let Form::Name(name) = i.form else { return };
        let init = Decl { prefix: String::new(), ty: c.ty.into(), name, init: Some(Expr::literal(c.ty, 0)) };
        let body = self.loop_body(uniform, depth);
        let hint = self.hint();
        out.push(Stmt::For { hint, init: Some(Box::new(Stmt::Decl(init))), cond, step: Some(step), body });
    }

    fn for_down(&mut self, out: &mut Vec<Stmt>, c: Count, uniform: bool, depth: u32) {
        let i = self.counter(I32, c.most + 1, uniform);
        let step = Some(Expr::new(I32, Form::Postfix("--"), vec![i.clone()]));
        let cond = Some(Expr::binary(I32, ">", i.clone(), Expr::literal(I32, 0)));
        let Form::Name(name) = i.form else { return };
        let init = Decl { prefix: String::new(), ty: I32.into(), name, init: Some(c.rounds) };
        let body = self.loop_body(uniform, depth);
        let hint = self.hint();
        out.push(Stmt::For { hint, init: Some(Box::new(Stmt::Decl(init))), cond, step, body });
    }

    /// `while` and `do`, whose counters go on before anything can leave the round.
    fn while_loop(&mut self, out: &mut Vec<Stmt>, c: Count, uniform: bool, depth: u32) {
        let i = self.counter(I32, c.most + 2, uniform);
        let Form::Name(name) = i.form.clone() else { return };
        let zero = Expr::literal(I32, 0);
        let decl = Decl { prefix: String::new(), ty: I32.into(), name, init: Some(zero.clone()) };
        out.push(Stmt::Decl(decl));
        let up = Expr::new(I32, if self.rng.chance(50) { Form::Postfix("++") } else { Form::Prefix("++") }, vec![i]);
        let mut cond = Expr::binary(I32, "<", up, c.rounds);
        if self.rng.chance(30) {
            let more = self.with_uniform(uniform, |g| g.condition(1));
            cond = Expr::binary(I32, "&&", cond, more);
        }
        let hint = self.hint();
        let body = self.loop_body(uniform, depth);
        if self.rng.chance(50) {
            out.push(Stmt::While(hint, cond, body));
        } else {
            out.push(Stmt::DoWhile(body, cond));
        }
    }

    fn endless(&mut self, out: &mut Vec<Stmt>, c: Count, uniform: bool, depth: u32) {
        let i = self.counter(I32, c.most + 1, uniform);
        let Form::Name(name) = i.form.clone() else { return };
        let decl = Decl { prefix: String::new(), ty: I32.into(), name, init: Some(Expr::literal(I32, 0)) };
        out.push(Stmt::Decl(decl));
        let up = Expr::new(I32, Form::Postfix("++"), vec![i]);
        let over = Expr::binary(I32, ">=", up, c.rounds);
        let mut body = vec![Stmt::If(over, vec![Stmt::Break], Vec::new())];
        body.extend(self.loop_body(uniform, depth));
        let one = Expr::literal(I32, 1);
        out.push(match self.rng.below(3) {
            0 => Stmt::For { hint: String::new(), init: None, cond: None, step: None, body },
            1 => Stmt::While(String::new(), one, body),
            _ => Stmt::DoWhile(body, one),
        });
    }

    /// `goto`: forward over statements, out of two loops, or back some times.
    pub(super) fn jump(&mut self, out: &mut Vec<Stmt>, depth: u32) {
        let label = self.name("L");
        match self.rng.below(3) {
            0 => {
                let (c, uniform) = self.decision(1);
                let body = self.within(uniform, |g| g.block(depth));
                out.push(Stmt::If(c, vec![Stmt::Goto(label.clone())], Vec::new()));
                out.push(Stmt::Block(body));
                out.push(Stmt::Label(label));
            }
            1 if self.weight * 12 <= MOST_ROUNDS => {
                let outer = self.weight;
                self.weight *= 12;
                let mut both = Vec::new();
                let scope = self.vars.len();
                let mut inner = Vec::new();
                let counters: Vec<Expr> = (0..2).map(|k| self.counter(I32, 3 + k, false)).collect();
                self.within(false, |g| {
                    inner.extend(g.block(depth + 1));
                    let c = g.condition(1);
                    inner.push(Stmt::If(c, vec![Stmt::Goto(label.clone())], Vec::new()));
                });
                both.push(counted(&counters[1], 4, inner));
                self.leave(scope);
                self.weight = outer;
                out.push(counted(&counters[0], 3, both));
                out.push(Stmt::Label(label));
            }
            _ if self.weight * 4 <= MOST_ROUNDS => {
                let outer = self.weight;
                self.weight *= 4;
                let i = self.name("g");
                let scope = self.vars.len();
                let (c, uniform) = self.decision(1);
                let ty = Ty::from(I32);
                let zero = Some(Expr::literal(I32, 0));
                out.push(Stmt::Decl(Decl { prefix: String::new(), ty: ty.clone(), name: i.clone(), init: zero }));
                self.vars.push(Var { uniform, ..Var::counter(i.clone(), ty.clone(), 4) });
                out.push(Stmt::Label(label.clone()));
                let body = self.within(uniform, |g| g.block(depth));
                out.push(Stmt::Block(body));
                let up = Expr::new(I32, Form::Prefix("++"), vec![Expr::name(ty, i)]);
                let more = Expr::binary(I32, "<", up, Expr::literal(I32, 4));
                let again = Expr::binary(I32, "&&", more, c);
                out.push(Stmt::If(again, vec![Stmt::Goto(label)], Vec::new()));
                self.leave(scope);
                self.weight = outer;
            }
            _ => self.branch(out, depth),
        }
    }
}

/// `for (int i = 0; i < most; i++) body`
pub(super) fn counted(i: &Expr, most: u32, body: Vec<Stmt>) -> Stmt {
    let Form::Name(name) = i.form.clone() else { return Stmt::Block(body) };
    let init = Decl { prefix: String::new(), ty: i.ty.clone(), name, init: Some(Expr::literal(I32, 0)) };
    Stmt::For {
        hint: String::new(),
        init: Some(Box::new(Stmt::Decl(init))),
        cond: Some(Expr::binary(I32, "<", i.clone(), Expr::literal(I32, most.into()))),
        step: Some(Expr::new(i.ty.clone(), Form::Postfix("++"), vec![i.clone()])),
        body,
    }
}
