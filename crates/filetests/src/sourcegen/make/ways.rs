//! Ways that work-items take on their own between barriers, where one that nobody takes leaves the kernel: what comes
//! after them is the whole group's, though a way leads around it.

use super::{Gen, MOST_ROUNDS};
use crate::sourcegen::tree::{Arm, Expr, Label, Scalar, Stmt};
use Scalar::{I32, U32};

impl Gen {
    /// A `switch` or a chain of `if`, then a barrier; sometimes again and again.
    ///
    /// ```c
    /// for (int j = 0; j < 3; j++) { switch (x % (n + 1u)) { case 0: …; break; …; default: return; } barrier(…); }
    /// ```
    ///
    /// The kernel's `n` is below 8, which no compiler knows.
    pub(super) fn ways(&mut self, out: &mut Vec<Stmt>, depth: u32) {
        let rounds = 1 + self.rng.below(3) as u32;
        if self.weight * rounds > MOST_ROUNDS {
            return;
        }
        let outer = self.weight;
        self.weight *= rounds;
        let most = Expr::binary(U32, "+", Expr::name(I32, "n").cast(U32), Expr::literal(U32, 1));
        let x = self.int(1).cast(U32);
        let x = Expr::binary(U32, "%", x, most);
        let mut body = Vec::new();
        if self.rng.chance(50) {
            self.way_by_case(&mut body, x, depth);
        } else {
            self.way_by_test(&mut body, x, depth);
        }
        let barrier = self.barrier();
        body.push(barrier);
        self.weight = outer;
        if rounds == 1 {
            out.push(Stmt::Block(body));
        } else {
            let j = Expr::name(I32, self.name("j"));
            out.push(super::flow::counted(&j, rounds, body));
        }
    }

    fn way_by_case(&mut self, out: &mut Vec<Stmt>, x: Expr, depth: u32) {
        let mut arms: Vec<Arm> = Vec::new();
        // Every value has a way of its own but those that share the last.
        let last = 1 + self.rng.below(4) as i64;
        self.within(false, |g| {
            for case in 0..=last {
                let labels = if case == last { (last..8).map(Label::Case).collect() } else { vec![Label::Case(case)] };
                let mut body = g.block(depth);
                if case == last || g.rng.chance(70) {
                    body.push(Stmt::Break);
                }
                arms.push(Arm { labels, body });
            }
        });
        arms.push(Arm { labels: vec![Label::Default], body: vec![Stmt::Return(None)] });
        out.push(Stmt::Switch(x, arms));
    }

    fn way_by_test(&mut self, out: &mut Vec<Stmt>, x: Expr, depth: u32) {
        let bound = Expr::literal(U32, 7);
        let within = Expr::binary(I32, "<=", x, bound);
        let mut chain = self.within(false, |g| vec![Stmt::If(within, g.block(depth), vec![Stmt::Return(None)])]);
        for _ in 0..1 + self.rng.below(2) {
            let c = self.condition(1);
            let yes = self.within(false, |g| g.block(depth));
            chain = vec![Stmt::If(c, yes, chain)];
        }
        out.extend(chain);
    }
}
