//! Pictures in launches of one dimension: a work-item's line and its place in it by division, and sums of what lies behind it.

use super::{Gen, INPUT, MOST_ROUNDS, Var};
use crate::sourcegen::tree::{Decl, Expr, Form, Scalar, Space, Stmt, Ty};
use Scalar::{I32, I64, U8, U32, U64};

/// Most rounds of a sum.
const ROUNDS: u32 = 4;

impl Gen {
    /// ```c
    /// const int w = n + 14, y = gid / w, x = gid % w;
    /// uint sum = 0;
    /// if (y + x < 60) { for (int j = x; j < x + (n & 3); j++) { sum += in[y + j]; } }
    /// ```
    pub(super) fn lines(&mut self, out: &mut Vec<Stmt>) {
        if self.weight * ROUNDS > MOST_ROUNDS {
            return;
        }
        let ty = self.rng.pick(&[U32, I32, U64, I64]);
        let literal = |n: u32| Expr::literal(ty, n.into());
        let n = Expr::name(I32, "n");
        let width = match self.rng.below(10) {
            0..3 => literal(self.rng.pick(&[1, 3, 8, 16, 20, 33])),
            _ => Expr::binary(ty, "+", n.clone().cast(ty), literal(self.rng.pick(&[1, 4, 9, 14, 16, 29]))),
        };
        let id = if self.rng.chance(75) { "gid" } else { "lid" };
        let id = Expr::name(U32, id).cast(ty);
        let w = self.fixed(out, "w", ty, width);
        let y = self.fixed(out, "y", ty, Expr::binary(ty, "/", id.clone(), w.clone()));
        let rest = if self.rng.chance(60) {
            Expr::binary(ty, "%", id, w.clone())
        } else {
            let before = Expr::binary(ty, "*", y.clone(), w.clone());
            Expr::binary(ty, "-", id, before)
        };
        let x = self.fixed(out, "x", ty, rest);
        let sum = Var::new(self.name("sum"), U32);
        let total = sum.expr();
        self.declare(out, "", sum, Some(Expr::literal(U32, 0)));
        let line = if self.rng.chance(50) { y } else { Expr::binary(ty, "*", y, w) };
        let at = Expr::binary(ty, "+", line.clone(), x.clone());
        let rounds = match self.rng.below(3) {
            0 => literal(ROUNDS),
            _ => Expr::binary(I32, "&", n, Expr::literal(I32, 3)).cast(ty),
        };
        let walk = self.sum_behind(ty, &total, line, x, rounds);
        // What is on the line and behind it is in the input, or who goes too far does nothing.
        if self.launch.items() + ROUNDS <= INPUT {
            out.push(walk);
        } else {
            let bound = literal(INPUT - ROUNDS);
            out.push(Stmt::If(Expr::binary(I32, "<", at, bound), vec![walk], Vec::new()));
        }
    }

    fn fixed(&mut self, out: &mut Vec<Stmt>, stem: &str, ty: Scalar, init: Expr) -> Expr {
        let var = Var::fixed(self.name(stem), ty);
        let e = var.expr();
        self.declare(out, "const ", var, Some(init));
        e
    }

    /// `for (j = x; j < x + rounds; j++) sum += in[line + j];`
    fn sum_behind(&mut self, ty: Scalar, sum: &Expr, line: Expr, x: Expr, rounds: Expr) -> Stmt {
        let j = Expr::name(ty, self.name("j"));
        let Form::Name(name) = j.form.clone() else { return Stmt::Block(Vec::new()) };
        let at = Expr::binary(ty, "+", line, j.clone());
        let word = Ty::ConstPointer(Space::Global, Box::new(U32.into()));
        let term = if self.rng.chance(50) {
            let word = Expr::name(word, "in").index(U32, at);
            Expr::binary(U32, "*", word, Expr::literal(U32, 3))
        } else {
            let pixels = if self.opencl { "((const global uchar4 *)in)" } else { "((const uchar4 *)in)" };
            let pixel = Ty::Vector(U8, 4);
            let pixels = Expr::name(Ty::ConstPointer(Space::Global, Box::new(pixel.clone())), pixels);
            let part = |c: &str| pixels.clone().index(pixel.clone(), at.clone()).member(U8, c).cast(U32);
            let (first, second) = (part("y"), part("w"));
            let more = Expr::binary(U32, "*", second, Expr::literal(U32, 17));
            Expr::binary(U32, "+", first, more)
        };
        let init = Decl { prefix: String::new(), ty: ty.into(), name, init: Some(x.clone()) };
        Stmt::For {
            hint: String::new(),
            init: Some(Box::new(Stmt::Decl(init))),
            cond: Some(Expr::binary(I32, "<", j.clone(), Expr::binary(ty, "+", x, rounds))),
            step: Some(Expr::new(ty, Form::Postfix("++"), vec![j])),
            body: vec![sum.clone().assign(Expr::binary(U32, "+", sum.clone(), term))],
        }
    }
}
