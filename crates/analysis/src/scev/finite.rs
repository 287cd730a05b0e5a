//! Loops that may be assumed to end.

use super::{Expr, Node, Range, Scev, Wrap, mask};
use crate::Loop;
use crate::headers::is_assembly;
use ir::{Flags, Opcode, Payload};

impl Scev<'_> {
    /// Whether a loop that only a test of a recurrence can end does end, because it would be undefined behaviour not
    /// to: the language promises progress, and the loop does nothing that others could wait for. Plain stores are no
    /// such thing.
    pub(super) fn ends_by_assumption(&self, l: Loop) -> bool {
        self.is_promised(l) && !self.has_observable_effects(l)
    }

    pub(super) fn is_promised(&self, l: Loop) -> bool {
        self.info.loops.meta(self.func, l).is_some_and(|m| m.must_progress)
    }

    /// Whether the loop does more than to compute and to store.
    fn has_observable_effects(&self, l: Loop) -> bool {
        let func = self.func;
        let mut insts = self.info.loops.data(l).blocks.iter().flat_map(|&b| func.layout.insts(b));
        insts.any(|i| {
            let data = &func.dfg.insts[i];
            match data.op {
                Opcode::Store | Opcode::MaskedStore | Opcode::Scatter | Opcode::MemCpy | Opcode::MemSet => {
                    data.flags.has(Flags::VOLATILE) || is_assembly(func, i)
                }
                Opcode::Assume => false,
                op => !op.is_terminator() && (data.has_side_effects() || is_assembly(func, i)),
            }
        })
    }

    /// The step that a recurrence has in a loop that goes on while it is less than its bound and that ends: at least
    /// one. With a negative one it would wrap, which it promised not to, and with zero it would never end.
    pub(super) fn assumed_positive(&mut self, step: Expr) -> Expr {
        let one = self.exprs.constant(1, self.exprs.bits(step));
        self.min_max(Opcode::SMax, step, one)
    }

    /// Whether that may be assumed of a recurrence whose comparison with a bound is all that ends the loop. `t` is the range of
    /// the step.
    ///
    /// Where kernels return by promise, every loop of one ends, whatever it does; but then the promise not to wrap holds only
    /// for additions that are sure to be done once the loop is entered, which is seen of loops of one block. A step that is at
    /// least zero needs no such promise. The additions of a sum are joined with the counter's, which leaves no promise either.
    /// (LLVM: `loopIsFiniteByAssumption`, `isSCEVExprNeverPoison`, Reassociate; measured.)
    pub(super) fn may_assume_positive(&mut self, l: Loop, step: Expr, t: &Range, wrap: Wrap) -> bool {
        if matches!(self.exprs.node(step), Node::Const(_)) || !wrap.has(Wrap::NSW) {
            return false;
        }
        if self.returns {
            return self.is_promised(l) && (t.smin >= 0 || self.runs_through(l) && !self.is_sum(step));
        }
        self.ends_by_assumption(l)
    }

    /// Whether an expression is no negative number, whatever ids and sizes may be: cicc for sm_90 does not ask for their limits.
    pub(super) fn is_natural(&mut self, e: Expr) -> bool {
        match self.exprs.node(e) {
            Node::ZExt(_) => true,
            Node::SExt(a) => self.is_natural(a),
            Node::Mul(a, b) => self.range(e).smin >= 0 && self.is_natural(a) && self.is_natural(b),
            Node::Sum { .. } => {
                let terms = self.exprs.terms(e).1;
                self.range(e).smin >= 0 && terms.iter().all(|&(atom, _)| self.is_natural(atom))
            }
            Node::Unknown(v) if self.func.dfg.def_op(v, Opcode::Special).is_some() => false,
            _ => self.range(e).smin >= 0,
        }
    }

    fn is_sum(&mut self, e: Expr) -> bool {
        let (constant, terms) = self.exprs.terms(e);
        constant != 0 || terms.len() > 1
    }

    /// Whether a recurrence that goes on while it is below its bound comes there, as unsigned numbers: the step `t` is a variable,
    /// the bound `r` is so small that the recurrence can't pass it and wrap, and kernels [return](Self::returns), so that the step
    /// is not zero.
    pub(super) fn steps_to_bound(&self, l: Loop, step: Expr, t: &Range, r: &Range) -> bool {
        let most = mask(self.exprs.bits(step));
        self.returns
            && !matches!(self.exprs.node(step), Node::Const(_))
            && self.is_promised(l)
            && r.umax.checked_add(t.umax).is_some_and(|end| end <= most)
    }

    /// Whether the loop is one block in which nothing could keep control from its end.
    fn runs_through(&self, l: Loop) -> bool {
        let func = self.func;
        let [block] = self.info.loops.data(l).blocks[..] else { return false };
        func.layout.insts(block).all(|i| {
            let data = &func.dfg.insts[i];
            match data.op {
                Opcode::Fence => false,
                Opcode::InlineAsm => !matches!(data.payload, Payload::Asm(a) if func.dfg.asms[a].volatile),
                Opcode::Intrinsic | Opcode::Special => !data.has_side_effects(),
                _ => true,
            }
        })
    }
}
