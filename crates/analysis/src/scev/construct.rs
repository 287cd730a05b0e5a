//! Making expressions: sums, products, quotients, extensions and extremes in canonical form.

use super::{Expr, Node, Range, Scev, Terms, Wrap, fits_signed, mask, sext};
use crate::Loop;
use ir::{Flags, Inst, Opcode, Value};

impl Scev<'_> {
    /// `a + b`
    pub fn add(&mut self, a: Expr, b: Expr) -> Expr {
        let bits = self.exprs.bits(a);
        match (self.exprs.as_const(a), self.exprs.as_const(b)) {
            (Some(x), Some(y)) => return self.exprs.constant(x.wrapping_add(y), bits),
            (Some(0), _) => return b,
            (_, Some(0)) => return a,
            _ => {}
        }
        let (c1, mut t1) = self.exprs.terms(a);
        let (c2, t2) = self.exprs.terms(b);
        t1.extend(t2);
        self.linear(c1.wrapping_add(c2), t1, bits)
    }

    /// `-a`
    pub fn neg(&mut self, a: Expr) -> Expr {
        self.scale(a, u64::MAX)
    }

    /// `a - b`
    pub fn sub(&mut self, a: Expr, b: Expr) -> Expr {
        let minus = self.neg(b);
        self.add(a, minus)
    }

    /// `~a`
    pub fn not(&mut self, a: Expr) -> Expr {
        let bits = self.exprs.bits(a);
        let ones = self.exprs.constant(u64::MAX, bits);
        self.sub(ones, a)
    }

    /// `a × n`
    pub fn scale(&mut self, a: Expr, n: u64) -> Expr {
        let bits = self.exprs.bits(a);
        if let Some(c) = self.exprs.as_const(a) {
            return self.exprs.constant(c.wrapping_mul(n), bits);
        }
        if n == 1 {
            return a;
        }
        let (c, mut terms) = self.exprs.terms(a);
        for t in &mut terms {
            t.1 = t.1.wrapping_mul(n);
        }
        self.linear(c.wrapping_mul(n), terms, bits)
    }

    /// Puts a sum together, with recurrences absorbing what is invariant in their loops.
    fn linear(&mut self, constant: u64, mut terms: Terms, bits: u32) -> Expr {
        let recs = terms.iter().filter(|t| matches!(self.exprs.node(t.0), Node::AddRec { .. })).count();
        let alone = terms.len() == 1 && terms[0].1 & mask(bits) == 1 && constant & mask(bits) == 0;
        if recs == 0 || alone {
            return self.exprs.sum_of(constant, &mut terms, bits);
        }
        // The recurrence of the innermost loop takes the rest as part of its start.
        let depth = |s: &Self, e: Expr| match s.exprs.node(e) {
            Node::AddRec { l, .. } => (s.info.loops.data(l).depth, Some(l)),
            _ => (0, None),
        };
        let deepest = terms.iter().map(|t| depth(self, t.0)).max();
        let Some((_, Some(l))) = deepest else { return self.exprs.sum_of(constant, &mut terms, bits) };
        let mut step = self.exprs.constant(0, bits);
        let mut start = self.exprs.constant(0, bits);
        let mut others = Terms::new();
        for &(e, coef) in &terms {
            match self.exprs.node(e) {
                Node::AddRec { start: s, step: t, l: of, .. } if of == l => {
                    let (s, t) = (self.scale(s, coef), self.scale(t, coef));
                    start = self.add(start, s);
                    step = self.add(step, t);
                }
                _ => others.push((e, coef)),
            }
        }
        if others.iter().any(|t| self.exprs.varies(t.0, self.func, self.info, l)) {
            return self.exprs.sum_of(constant, &mut terms, bits);
        }
        let rest = self.linear(constant, others, bits);
        let start = self.add(start, rest);
        self.add_rec(start, step, l, Wrap::NONE)
    }

    /// `{start, +, step}` of loop `l`.
    pub fn add_rec(&mut self, start: Expr, step: Expr, l: Loop, wrap: Wrap) -> Expr {
        if self.exprs.as_const(step) == Some(0) {
            return start;
        }
        let bits = self.exprs.bits(start);
        self.exprs.make(Node::AddRec { start, step, l, wrap }, bits)
    }

    /// An addition instruction: a recurrence that did not wrap keeps that if the sum does not wrap either.
    pub(super) fn add_flagged(&mut self, i: Inst, a: Expr, b: Expr, flags: Flags) -> Expr {
        let e = self.add(a, b);
        let Node::AddRec { start, step, l, wrap } = self.exprs.node(e) else { return e };
        if !self.runs_each_iteration(i, l) {
            return e;
        }
        let of = |s: &Self, x: Expr| match s.exprs.node(x) {
            Node::AddRec { l: of, wrap, .. } if of == l => Some(wrap),
            _ if !s.exprs.varies(x, s.func, s.info, l) => Some(Wrap::NUW.with(Wrap::NSW)),
            _ => None,
        };
        let (Some(x), Some(y)) = (of(self, a), of(self, b)) else { return e };
        // Two recurrences' sums may fit although the sum of their steps does not.
        let step_of = |s: &Self, x: Expr| match s.exprs.node(x) {
            Node::AddRec { step, .. } => s.exprs.as_int(step).map(i128::from),
            _ => Some(0),
        };
        let one_moves = self.is_invariant(a, l) || self.is_invariant(b, l);
        let step_fits = one_moves
            || matches!((step_of(self, a), step_of(self, b)), (Some(p), Some(q)) if fits_signed(p + q, self.exprs.bits(e)));
        let mut keep = Wrap::NONE;
        if flags.has(Flags::NSW) && step_fits {
            keep = keep.with(Wrap::NSW);
        }
        if flags.has(Flags::NUW) {
            keep = keep.with(Wrap::NUW);
        }
        self.add_rec(start, step, l, wrap.with(keep.common(x).common(y)))
    }

    /// Whether `i` is executed in every iteration of `l` before the one in which it last is: only then do its promises
    /// hold for the first value of a recurrence.
    fn runs_each_iteration(&self, i: Inst, l: Loop) -> bool {
        let Some(b) = self.func.layout.inst_block(i) else { return false };
        self.info.loops.contains(l, b) && self.info.loops.data(l).latches.iter().all(|&x| self.info.dom.dominates(b, x))
    }

    /// A multiplication instruction.
    pub(super) fn mul_flagged(&mut self, i: Inst, a: Expr, b: Expr, flags: Flags) -> Expr {
        let e = self.mul(a, b);
        let Node::AddRec { start, step, l, wrap } = self.exprs.node(e) else { return e };
        let is_rec = |s: &Self, x: Expr| matches!(s.exprs.node(x), Node::AddRec { l: of, .. } if of == l);
        let (rec, other) = if is_rec(self, a) { (a, b) } else { (b, a) };
        let Node::AddRec { start: s, step: t, l: of, wrap: known } = self.exprs.node(rec) else { return e };
        if of != l || !self.is_invariant(other, l) || !self.runs_each_iteration(i, l) {
            return e;
        }
        // The products fit, but their difference, the new step, need not: unless it is a constant that does, or
        // start and step pull the same way, so that the difference is no farther from zero than a product.
        let bits = self.exprs.bits(e);
        let step_fits = match (self.exprs.as_int(t), self.exprs.as_int(other)) {
            (Some(t), Some(n)) => fits_signed(i128::from(t) * i128::from(n), bits),
            _ => self.range(s).smin >= 0 && self.range(t).smin >= 0,
        };
        let mut keep = Wrap::NONE;
        if flags.has(Flags::NSW) && step_fits {
            keep = keep.with(Wrap::NSW);
        }
        if flags.has(Flags::NUW) && self.exprs.as_int(other).is_some_and(|n| n > 0) {
            keep = keep.with(Wrap::NUW);
        }
        self.add_rec(start, step, l, wrap.with(keep.common(known)))
    }

    /// `a × b`
    pub fn mul(&mut self, a: Expr, b: Expr) -> Expr {
        if let Some(n) = self.exprs.as_const(a) {
            return self.scale(b, n);
        }
        if let Some(n) = self.exprs.as_const(b) {
            return self.scale(a, n);
        }
        let bits = self.exprs.bits(a);
        for (x, y) in [(a, b), (b, a)] {
            if let Node::AddRec { start, step, l, .. } = self.exprs.node(x)
                && !self.exprs.varies(y, self.func, self.info, l)
            {
                let (s, t) = (self.mul(start, y), self.mul(step, y));
                return self.add_rec(s, t, l, Wrap::NONE);
            }
        }
        self.exprs.make(Node::Mul(a.min(b), a.max(b)), bits)
    }

    /// `a >> n`, zeros shifted in.
    pub(super) fn shift_right(&mut self, a: Expr, n: u64) -> Expr {
        let bits = self.exprs.bits(a);
        if n >= u64::from(bits) {
            return self.exprs.constant(0, bits);
        }
        let d = self.exprs.constant(1 << n, bits);
        self.udiv(a, d)
    }

    /// Unsigned quotient; the divisor is not zero.
    pub fn udiv(&mut self, a: Expr, b: Expr) -> Expr {
        let bits = self.exprs.bits(a);
        if let Some(d) = self.exprs.as_const(b).filter(|&d| d != 0) {
            if d == 1 {
                return a;
            }
            if let Some(n) = self.exprs.as_const(a) {
                return self.exprs.constant(n / d, bits);
            }
            if self.range(a).umax < d {
                return self.exprs.constant(0, bits);
            }
            if let Some(e) = self.divide_terms(a, d, bits) {
                return e;
            }
            if let Node::UDiv(x, y) = self.exprs.node(a)
                && let Some(inner) = self.exprs.as_const(y)
                && let Some(both) = inner.checked_mul(d).filter(|&n| n <= mask(bits))
            {
                let both = self.exprs.constant(both, bits);
                return self.exprs.make(Node::UDiv(x, both), bits);
            }
        }
        self.exprs.make(Node::UDiv(a, b), bits)
    }

    /// Divides each term of a sum that provably does not wrap and whose coefficients `d` divides.
    fn divide_terms(&mut self, a: Expr, d: u64, bits: u32) -> Option<Expr> {
        let (c, mut terms) = self.exprs.terms(a);
        let mut top = u128::from(c);
        for &(e, coef) in &terms {
            if coef % d != 0 {
                return None;
            }
            top = top.saturating_add(u128::from(coef) * u128::from(self.range(e).umax));
        }
        if top > u128::from(mask(bits)) {
            return None;
        }
        for t in &mut terms {
            t.1 /= d;
        }
        Some(self.linear(c / d, terms, bits))
    }

    /// Zero-extends to `bits`.
    pub fn zext(&mut self, e: Expr, bits: u32) -> Expr {
        let from = self.exprs.bits(e);
        if from == bits {
            return e;
        }
        match self.exprs.node(e) {
            Node::Const(n) => self.exprs.constant(n, bits),
            Node::ZExt(x) => self.zext(x, bits),
            Node::AddRec { start, step, l, wrap } => {
                if wrap.has(Wrap::NUW) || self.climbs(start, step, l, wrap) {
                    let (s, t) = (self.zext(start, bits), self.zext(step, bits));
                    self.add_rec(s, t, l, Wrap::NUW.with(Wrap::NSW))
                } else if wrap.has(Wrap::NUB) || self.descends(start, step, l) {
                    let (s, t) = (self.zext(start, bits), self.sext(step, bits));
                    self.add_rec(s, t, l, Wrap::NSW.with(Wrap::NUB))
                } else {
                    self.exprs.make(Node::ZExt(e), bits)
                }
            }
            Node::Sum { .. } => self.extend_sum(e, bits, false),
            _ => self.exprs.make(Node::ZExt(e), bits),
        }
    }

    /// Whether a recurrence, read as unsigned, provably grows without wrapping.
    fn climbs(&mut self, start: Expr, step: Expr, l: Loop, wrap: Wrap) -> bool {
        let (r, d) = (self.range(start), self.range(step));
        let most = i128::from(mask(self.exprs.bits(start)));
        d.smin >= 0
            && (wrap.has(Wrap::NSW) && r.smin >= 0 || self.reach(r, d, l, false).is_some_and(|(_, hi)| hi <= most))
    }

    /// Whether a recurrence, read as unsigned, provably falls without wrapping.
    fn descends(&mut self, start: Expr, step: Expr, l: Loop) -> bool {
        let (r, d) = (self.range(start), self.range(step));
        d.smax <= 0 && self.reach(r, d, l, false).is_some_and(|(lo, _)| lo >= 0)
    }

    /// Sign-extends to `bits`.
    pub fn sext(&mut self, e: Expr, bits: u32) -> Expr {
        let from = self.exprs.bits(e);
        if from == bits {
            return e;
        }
        match self.exprs.node(e) {
            Node::Const(n) => self.exprs.constant(sext(n, from) as u64, bits),
            Node::SExt(x) => self.sext(x, bits),
            Node::ZExt(x) => self.zext(x, bits),
            Node::AddRec { start, step, l, wrap } if wrap.has(Wrap::NSW) || self.stays_signed(e) => {
                let (s, t) = (self.sext(start, bits), self.sext(step, bits));
                self.add_rec(s, t, l, Wrap::NSW)
            }
            Node::Sum { .. } => self.extend_sum(e, bits, true),
            _ if self.range(e).smin >= 0 => self.zext(e, bits),
            _ => self.exprs.make(Node::SExt(e), bits),
        }
    }

    /// Whether a recurrence, as far as its loop's trip count tells, stays inside the signed numbers of its width.
    fn stays_signed(&mut self, e: Expr) -> bool {
        let Node::AddRec { start, step, l, .. } = self.exprs.node(e) else { return false };
        let (s, t) = (self.range(start), self.range(step));
        let full = Range::full(self.exprs.bits(e));
        self.reach(s, t, l, true).is_some_and(|(lo, hi)| lo >= full.smin.into() && hi <= full.smax.into())
    }

    /// Extends each summand if the sum provably does not wrap.
    fn extend_sum(&mut self, e: Expr, bits: u32, signed: bool) -> Expr {
        let from = self.exprs.bits(e);
        let (c, terms) = self.exprs.terms(e);
        if !self.sum_is_exact(e, signed) {
            if signed && self.range(e).smin >= 0 {
                return self.zext(e, bits);
            }
            return self.exprs.make(if signed { Node::SExt(e) } else { Node::ZExt(e) }, bits);
        }
        let wide = |n: u64| sext(n, from) as u64;
        let mut out = self.exprs.constant(wide(c), bits);
        for (atom, coef) in terms {
            let x = if signed { self.sext(atom, bits) } else { self.zext(atom, bits) };
            let x = self.scale(x, wide(coef));
            out = self.add(out, x);
        }
        out
    }

    /// Low `bits` of `e`.
    pub fn trunc(&mut self, e: Expr, bits: u32) -> Expr {
        if self.exprs.bits(e) == bits {
            return e;
        }
        match self.exprs.node(e) {
            Node::Const(n) => self.exprs.constant(n, bits),
            Node::Trunc(x) => self.trunc(x, bits),
            Node::ZExt(x) | Node::SExt(x) if self.exprs.bits(x) >= bits => self.trunc(x, bits),
            Node::ZExt(x) => self.zext(x, bits),
            Node::SExt(x) => self.sext(x, bits),
            Node::AddRec { start, step, l, .. } => {
                let (s, t) = (self.trunc(start, bits), self.trunc(step, bits));
                self.add_rec(s, t, l, Wrap::NONE)
            }
            Node::Sum { .. } => {
                let (c, terms) = self.exprs.terms(e);
                let mut out = self.exprs.constant(c, bits);
                for (atom, coef) in terms {
                    let x = self.trunc(atom, bits);
                    let x = self.scale(x, coef);
                    out = self.add(out, x);
                }
                out
            }
            _ => self.exprs.make(Node::Trunc(e), bits),
        }
    }

    /// Zero-extends a value, looking through instructions that promise not to wrap.
    pub(super) fn zext_value(&mut self, v: Value, bits: u32, depth: u32) -> Expr {
        if let Some(i) = self.func.dfg.def_inst(v)
            && depth < 8
        {
            let data = &self.func.dfg.insts[i];
            let nuw = data.flags.has(Flags::NUW);
            let args = self.func.dfg.args(i);
            let positive = |s: &mut Self, x: Value| {
                let e = s.expr(x);
                s.range(e).smin >= 0
            };
            match data.op {
                Opcode::Add
                    if nuw || data.flags.has(Flags::NSW) && positive(self, args[0]) && positive(self, args[1]) =>
                {
                    let (a, b) = (self.zext_value(args[0], bits, depth + 1), self.zext_value(args[1], bits, depth + 1));
                    return self.add(a, b);
                }
                Opcode::Sub if nuw => {
                    let (a, b) = (self.zext_value(args[0], bits, depth + 1), self.zext_value(args[1], bits, depth + 1));
                    return self.sub(a, b);
                }
                Opcode::Mul | Opcode::Shl if nuw => {
                    if let Some(factor) = self.const_factor(i) {
                        let a = self.zext_value(args[0], bits, depth + 1);
                        return self.scale(a, factor);
                    }
                }
                _ => {}
            }
        }
        let e = self.expr(v);
        self.zext(e, bits)
    }

    /// Sign-extends a value, looking through instructions that promise not to wrap.
    pub(super) fn sext_value(&mut self, v: Value, bits: u32, depth: u32) -> Expr {
        if let Some(i) = self.func.dfg.def_inst(v)
            && depth < 8
            && self.func.dfg.insts[i].flags.has(Flags::NSW)
        {
            let args = self.func.dfg.args(i);
            match self.func.dfg.op(i) {
                // What a counter is next is a recurrence that keeps the promise.
                Opcode::Add | Opcode::Sub if self.is_promised_recurrence(v) => {}
                op @ (Opcode::Add | Opcode::Sub) => {
                    let (a, b) = (self.sext_value(args[0], bits, depth + 1), self.sext_value(args[1], bits, depth + 1));
                    return if op == Opcode::Add { self.add(a, b) } else { self.sub(a, b) };
                }
                Opcode::Mul | Opcode::Shl => {
                    let from = self.func.dfg.ty(v).bits();
                    if let Some(factor) = self
                        .const_factor(i)
                        .map(|f| sext(f, from))
                        .filter(|&f| f > 0 || self.func.dfg.op(i) == Opcode::Mul)
                    {
                        let a = self.sext_value(args[0], bits, depth + 1);
                        return self.scale(a, factor as u64);
                    }
                }
                _ => {}
            }
        }
        let e = self.expr(v);
        self.sext(e, bits)
    }

    fn is_promised_recurrence(&mut self, v: Value) -> bool {
        let e = self.expr(v);
        matches!(self.exprs.node(e), Node::AddRec { wrap, .. } if wrap.has(Wrap::NSW))
    }

    /// The constant that a multiplication or shift multiplies its first operand by.
    fn const_factor(&self, i: Inst) -> Option<u64> {
        let c = self.func.dfg.as_bits(self.func.dfg.arg(i, 1))?;
        let bits = self.func.dfg.insts[i].ty.bits();
        match self.func.dfg.op(i) {
            Opcode::Mul => Some(c),
            Opcode::Shl if c < u64::from(bits) => Some(1 << c),
            _ => None,
        }
    }

    /// A minimum or maximum; `op` is one of the four opcodes for them.
    pub fn min_max(&mut self, op: Opcode, a: Expr, b: Expr) -> Expr {
        let (x, y) = (self.range(a), self.range(b));
        self.min_max_ranged(op, (a, x), (b, y))
    }

    pub(super) fn min_max_ranged(&mut self, op: Opcode, (a, x): (Expr, Range), (b, y): (Expr, Range)) -> Expr {
        if a == b {
            return a;
        }
        let (a_is_less, b_is_less) = match op {
            Opcode::UMin | Opcode::UMax => (x.umax <= y.umin, y.umax <= x.umin),
            _ => (x.smax <= y.smin, y.smax <= x.smin),
        };
        let minimum = matches!(op, Opcode::UMin | Opcode::SMin);
        if a_is_less {
            return if minimum { a } else { b };
        }
        if b_is_less {
            return if minimum { b } else { a };
        }
        let bits = self.exprs.bits(a);
        let (a, b) = (a.min(b), a.max(b));
        let node = match op {
            Opcode::UMin => Node::UMin(a, b),
            Opcode::UMax => Node::UMax(a, b),
            Opcode::SMin => Node::SMin(a, b),
            _ => Node::SMax(a, b),
        };
        self.exprs.make(node, bits)
    }

    /// Whether `e` has the same value in every iteration of `l`.
    pub fn is_invariant(&self, e: Expr, l: Loop) -> bool {
        !self.exprs.varies(e, self.func, self.info, l)
    }

    /// The value of `e` in iteration `k` (of the width of `e`, from 0) of loop `l`; `e` itself if it does not vary
    /// with the loop, `None` if it varies but not linearly.
    pub fn at_iteration(&mut self, e: Expr, l: Loop, k: Expr) -> Option<Expr> {
        if self.is_invariant(e, l) {
            return Some(e);
        }
        match self.exprs.node(e) {
            Node::AddRec { start, step, l: of, .. } if of == l => {
                let grown = self.mul(step, k);
                Some(self.add(start, grown))
            }
            Node::Sum { rest, atom, coef } => {
                let (a, b) = (self.at_iteration(rest, l, k)?, self.at_iteration(atom, l, k)?);
                let b = self.scale(b, coef);
                Some(self.add(a, b))
            }
            Node::ZExt(x) | Node::SExt(x) => {
                let narrow = self.exprs.bits(x);
                let k = self.trunc(k, narrow);
                let x = self.at_iteration(x, l, k)?;
                let bits = self.exprs.bits(e);
                Some(if matches!(self.exprs.node(e), Node::ZExt(_)) { self.zext(x, bits) } else { self.sext(x, bits) })
            }
            _ => None,
        }
    }
}
