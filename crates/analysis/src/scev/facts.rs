//! What holds whenever a loop is entered: conditions of branches that dominate it, and assumptions.

use super::{Expr, Node, Range, Scev, mask};
use crate::{Edge, Loop};
use ir::{IntCC, Opcode, Payload, Value};
use std::rc::Rc;

/// Most dominating blocks looked at.
const MAX_BLOCKS: usize = 64;
/// Most facts kept for one loop.
const MAX_FACTS: usize = 48;

/// Something that holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fact {
    /// Bounds of an expression.
    Range(Expr, Range),
    /// The expression is a multiple of a number.
    Multiple(Expr, u64),
    /// A comparison of two expressions.
    Cmp(IntCC, Expr, Expr),
}

impl Scev<'_> {
    /// What holds whenever `l` is entered.
    pub(super) fn facts(&mut self, l: Loop) -> Rc<[Fact]> {
        if let Some(f) = self.facts.get(&l) {
            return f.clone();
        }
        // Whoever asks again while this is being found gets none.
        self.facts.insert(l, Rc::new([]));
        if self.bare {
            return Rc::new([]);
        }
        let mut out = Vec::new();
        self.branch_facts(l, &mut out);
        self.assumed_facts(l, &mut out);
        out.truncate(MAX_FACTS);
        let out: Rc<[Fact]> = out.into();
        self.facts.insert(l, out.clone());
        out
    }

    fn branch_facts(&mut self, l: Loop, out: &mut Vec<Fact>) {
        let info = self.info;
        let mut at = info.loops.header(l);
        let mut edge = info.loops.entry_edge(&info.cfg, l);
        for _ in 0..MAX_BLOCKS {
            if let Some(e) = edge {
                self.edge_facts(e, out);
            }
            let Some(up) = info.dom.idom(at) else { return };
            at = up;
            edge = match info.loops.header_loop(at) {
                Some(outer) => info.loops.entry_edge(&info.cfg, outer),
                None => info.cfg.single_pred(at),
            };
        }
    }

    fn edge_facts(&mut self, e: Edge, out: &mut Vec<Fact>) {
        let data = &self.func.dfg.insts[e.inst];
        if let Payload::Br(calls, _) = &data.payload
            && calls[0].block != calls[1].block
        {
            self.condition_facts(self.func.dfg.arg(e.inst, 0), e.index == 0, out, 0);
        }
    }

    fn assumed_facts(&mut self, l: Loop, out: &mut Vec<Fact>) {
        let (func, info) = (self.func, self.info);
        let header = info.loops.header(l);
        for &i in info.assumes(func) {
            let Some(b) = func.layout.inst_block(i) else { continue };
            if func.dfg.op(i) == Opcode::Assume && info.dom.strictly_dominates(b, header) {
                self.condition_facts(func.dfg.arg(i, 0), true, out, 0);
            }
        }
    }

    /// What it says that `cond` is `truth`.
    fn condition_facts(&mut self, cond: Value, truth: bool, out: &mut Vec<Fact>, depth: u32) {
        let func = self.func;
        let Some(i) = func.dfg.def_inst(cond) else { return };
        if depth > 8 || out.len() >= MAX_FACTS {
            return;
        }
        let args = func.dfg.args(i);
        match func.dfg.op(i) {
            Opcode::And if truth => args.iter().for_each(|&a| self.condition_facts(a, true, out, depth + 1)),
            Opcode::Or if !truth => args.iter().for_each(|&a| self.condition_facts(a, false, out, depth + 1)),
            Opcode::Xor if func.dfg.as_bits(args[1]) == Some(1) => {
                self.condition_facts(args[0], !truth, out, depth + 1);
            }
            Opcode::Select => {
                // `a && b` and `a || b` as selects.
                let short = func.dfg.as_bits(args[if truth { 2 } else { 1 }]);
                if short == Some(u64::from(!truth)) {
                    self.condition_facts(args[0], truth, out, depth + 1);
                    self.condition_facts(args[if truth { 1 } else { 2 }], truth, out, depth + 1);
                }
            }
            Opcode::Icmp if Self::has_expr(func.dfg.ty(args[0])) => {
                let Some(cc) = func.dfg.insts[i].int_cc() else { return };
                let cc = if truth { cc } else { cc.inverse() };
                self.comparison_facts(cc, args[0], args[1], out);
            }
            _ => {}
        }
    }

    fn comparison_facts(&mut self, cc: IntCC, a: Value, b: Value, out: &mut Vec<Fact>) {
        if cc == IntCC::Eq && self.func.dfg.as_bits(b) == Some(0) {
            self.remainder_fact(a, out);
        }
        let (x, y) = (self.expr(a), self.expr(b));
        let bits = self.exprs.bits(x);
        out.push(Fact::Cmp(cc, x, y));
        for (x, y, cc) in [(x, y, cc), (y, x, cc.swapped())] {
            if let Some(n) = self.exprs.as_const(y) {
                out.push(Fact::Range(x, Range::compared(cc, n, bits)));
            } else {
                // The other side's bounds, where the comparison hands them on.
                let r = self.range(y);
                let known = match cc {
                    IntCC::Ult | IntCC::Ule => Range::compared(cc, r.umax, bits),
                    IntCC::Ugt | IntCC::Uge => Range::compared(cc, r.umin, bits),
                    IntCC::Slt | IntCC::Sle => Range::compared(cc, r.smax as u64 & mask(bits), bits),
                    IntCC::Sgt | IntCC::Sge => Range::compared(cc, r.smin as u64 & mask(bits), bits),
                    IntCC::Eq => r,
                    IntCC::Ne => continue,
                };
                if self.exprs.as_const(x).is_none() && known != Range::full(bits) {
                    out.push(Fact::Range(x, known));
                }
            }
        }
    }

    /// `x % c` or `x & (2^k - 1)` is zero.
    fn remainder_fact(&mut self, v: Value, out: &mut Vec<Fact>) {
        let func = self.func;
        let Some(i) = func.dfg.def_inst(v) else { return };
        let args = func.dfg.args(i);
        let Some(n) = args.get(1).and_then(|&c| func.dfg.as_bits(c)) else { return };
        let bits = func.dfg.insts[i].ty.bits();
        let multiple = match func.dfg.op(i) {
            Opcode::URem => n,
            Opcode::SRem => super::sext(n, bits).unsigned_abs(),
            // Of a mask only the run of ones at the bottom tells a multiple.
            Opcode::And if n < mask(bits) => 1 << n.trailing_ones(),
            _ => return,
        };
        if multiple < 2 {
            return;
        }
        let x = self.expr(args[0]);
        let full = Range::full(bits);
        out.push(Fact::Multiple(x, multiple));
        out.push(Fact::Range(x, Range { tz: multiple.trailing_zeros(), ..full }));
    }

    /// Whether two expressions have one value: what is known of a recurrence's overflow does not tell them apart.
    fn same(&mut self, a: Expr, b: Expr) -> bool {
        a == b
            || self.exprs.bits(a) == self.exprs.bits(b) && {
                let d = self.sub(a, b);
                self.exprs.as_const(d) == Some(0)
            }
    }

    /// Whether `a cc b` holds whenever `l` is entered, as far as ranges and facts tell.
    pub fn is_known_at_entry(&mut self, cc: IntCC, a: Expr, b: Expr, l: Loop) -> bool {
        let facts = self.facts(l);
        let (x, y) = (self.range_with(a, &facts), self.range_with(b, &facts));
        let by_range = match cc {
            IntCC::Eq => a == b,
            IntCC::Ne => x.umax < y.umin || y.umax < x.umin || x.smax < y.smin || y.smax < x.smin,
            IntCC::Slt => x.smax < y.smin,
            IntCC::Sle => x.smax <= y.smin || a == b,
            IntCC::Sgt => x.smin > y.smax,
            IntCC::Sge => x.smin >= y.smax || a == b,
            IntCC::Ult => x.umax < y.umin,
            IntCC::Ule => x.umax <= y.umin || a == b,
            IntCC::Ugt => x.umin > y.umax,
            IntCC::Uge => x.umin >= y.umax || a == b,
        };
        by_range
            || self.is_known_narrow(cc, a, b, l)
            || facts.iter().any(|f| match *f {
                Fact::Cmp(known, p, q) if self.same(p, a) && self.same(q, b) => implies(known, cc),
                Fact::Cmp(known, p, q) if self.same(q, a) && self.same(p, b) => implies(known.swapped(), cc),
                _ => false,
            })
            || self.is_known_by_another(cc, a, b, &facts)
    }
}

impl Scev<'_> {
    /// `a < b` or `a <= b`, or the other way round, by something between: `i < n` of an `i` that is not negative makes `0 < n`.
    fn is_known_by_another(&mut self, cc: IntCC, a: Expr, b: Expr, facts: &[Fact]) -> bool {
        use IntCC::*;
        let (cc, a, b) = match cc {
            Sgt | Sge | Ugt | Uge => (cc.swapped(), b, a),
            _ => (cc, a, b),
        };
        if !matches!(cc, Slt | Sle | Ult | Ule) {
            return false;
        }
        let signed = matches!(cc, Slt | Sle);
        let low = self.range_with(a, facts);
        for f in facts {
            let Fact::Cmp(known, p, q) = *f else { continue };
            let (known, p) = match known {
                Slt | Sle | Ult | Ule if self.same(q, b) => (known, p),
                Sgt | Sge | Ugt | Uge if self.same(p, b) => (known.swapped(), q),
                _ => continue,
            };
            if signed != matches!(known, Slt | Sle) {
                continue;
            }
            // `b` is at least so much more than what is between, and has to be so much more than `a`.
            let one_more = |cc| i128::from(matches!(cc, Slt | Ult));
            let between = self.range_with(p, facts);
            let (below, between) = if signed {
                (i128::from(low.smax), i128::from(between.smin))
            } else {
                (i128::from(low.umax), i128::from(between.umin))
            };
            if between + one_more(known) >= below + one_more(cc) {
                return true;
            }
        }
        false
    }

    /// The same of two extended values, from what they are extended of.
    fn is_known_narrow(&mut self, cc: IntCC, a: Expr, b: Expr, l: Loop) -> bool {
        let (p, q, signed) = match (self.exprs.node(a), self.exprs.node(b)) {
            (Node::SExt(p), Node::SExt(q)) => (p, q, true),
            (Node::ZExt(p), Node::ZExt(q)) => (p, q, false),
            _ => return false,
        };
        let keeps = signed == matches!(cc, IntCC::Slt | IntCC::Sle | IntCC::Sgt | IntCC::Sge);
        keeps && self.exprs.bits(p) == self.exprs.bits(q) && self.is_known_at_entry(cc, p, q, l)
    }
}

/// Whether `a known b` makes `a cc b` true.
fn implies(known: IntCC, cc: IntCC) -> bool {
    use IntCC::*;
    known == cc
        || match known {
            Eq => matches!(cc, Sle | Sge | Ule | Uge),
            Slt => matches!(cc, Sle | Ne),
            Sgt => matches!(cc, Sge | Ne),
            Ult => matches!(cc, Ule | Ne),
            Ugt => matches!(cc, Uge | Ne),
            _ => false,
        }
}
