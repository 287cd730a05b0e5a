//! Header parameters that are recurrences: the back edge's argument is the parameter plus something invariant.

use super::{Expr, Scev, Wrap, sext};
use crate::Loop;
use ir::{Flags, Opcode, Value, ValueDef};

/// Most additions between a parameter and its value for the next iteration.
const MAX_STEPS: u32 = 16;

impl Scev<'_> {
    /// The recurrence of parameter `n` of the header of `l`.
    ///
    /// From the back edge's argument down to the parameter only additions, subtractions and pointer additions of
    /// invariant values are followed, and extensions under a truncation (`unsigned char i; i++`). No expression of a
    /// value inside the loop is needed for that, so nothing has to be computed twice.
    pub(super) fn recurrence(&mut self, param: Value, l: Loop, n: u32) -> Option<Expr> {
        let (entry, back) = self.incoming(l, n)?;
        let bits = self.func.dfg.ty(param).bits();
        let mut at = back;
        let mut step = self.exprs.constant(0, bits);
        let mut wrap = Wrap::NUW.with(Wrap::NSW).with(Wrap::NUB);
        let mut steps = 0;
        while at != param {
            steps += 1;
            if steps > MAX_STEPS {
                return None;
            }
            let i = self.func.dfg.def_inst(at)?;
            let flags = self.func.dfg.insts[i].flags;
            let args = self.func.dfg.args(i);
            match self.func.dfg.op(i) {
                Opcode::Trunc | Opcode::ZExt | Opcode::SExt if self.func.dfg.ty(at).bits() >= bits => {
                    // Truncation to the parameter's width at the end makes extensions on the way immaterial.
                    if self.func.dfg.ty(args[0]).bits() < bits {
                        return None;
                    }
                    wrap = Wrap::NONE;
                    at = args[0];
                }
                op @ (Opcode::Add | Opcode::PtrAdd) => {
                    let (x, y) = (args[0], args[1]);
                    let (next, inv) = if self.invariant_value(y, l, 0) {
                        (x, y)
                    } else if op == Opcode::Add && self.invariant_value(x, l, 0) {
                        (y, x)
                    } else {
                        return None;
                    };
                    let e = self.expr(inv);
                    let narrow = self.trunc(e, bits);
                    step = self.add(step, narrow);
                    wrap = wrap.common(self.add_wrap(op, flags, narrow, bits));
                    at = next;
                }
                Opcode::Sub if self.invariant_value(args[1], l, 0) => {
                    let e = self.expr(args[1]);
                    let narrow = self.trunc(e, bits);
                    step = self.sub(step, narrow);
                    let mut known = Wrap::NONE;
                    if let Some(c) = self.exprs.as_int(narrow).filter(|&c| c > 0) {
                        if flags.has(Flags::NSW) {
                            known = known.with(Wrap::NSW);
                        }
                        if flags.has(Flags::NUW) && c > 0 {
                            known = known.with(Wrap::NUB);
                        }
                    }
                    wrap = wrap.common(known);
                    at = args[0];
                }
                _ => return None,
            }
            at = self.func.dfg.resolve(at);
        }
        // Several additions: the total must be what each promised about its part.
        if steps > 1 && !self.same_sign(back, param, bits) {
            wrap = Wrap::NONE;
        }
        let start = self.expr(entry);
        Some(self.add_rec(start, step, l, wrap))
    }

    fn add_wrap(&self, op: Opcode, flags: Flags, step: Expr, bits: u32) -> Wrap {
        let mut known = Wrap::NONE;
        if flags.has(Flags::NSW) {
            known = known.with(Wrap::NSW);
        }
        if flags.has(Flags::NUW) {
            known = known.with(Wrap::NUW);
        }
        // An object does not wrap around the end of memory.
        if op == Opcode::PtrAdd
            && flags.has(Flags::INBOUNDS)
            && let Some(c) = self.exprs.as_const(step)
        {
            known = known.with(if sext(c, bits) > 0 { Wrap::NUW } else { Wrap::NUB });
        }
        known
    }

    /// Whether the additions from `param` to `back` all add positive or all add negative constants.
    fn same_sign(&self, back: Value, param: Value, bits: u32) -> bool {
        let (mut up, mut down) = (false, false);
        let mut at = back;
        let mut total = 0i128;
        while at != param {
            let Some(i) = self.func.dfg.def_inst(at) else { return false };
            let args = self.func.dfg.args(i);
            let (next, c) = match (self.func.dfg.as_int(args[0]), args.get(1).and_then(|&v| self.func.dfg.as_int(v))) {
                (_, Some(c)) => (args[0], c),
                (Some(c), _) if args.len() == 2 => (args[1], c),
                _ => return false,
            };
            let c = if self.func.dfg.op(i) == Opcode::Sub { -i128::from(c) } else { i128::from(c) };
            total += c;
            up |= c > 0;
            down |= c < 0;
            at = self.func.dfg.resolve(next);
        }
        up != down && total.unsigned_abs() < 1 << (bits - 1)
    }

    /// The argument for parameter `n` of the header from outside, and the one from the back edges, if there is just
    /// one of each.
    pub(super) fn incoming(&self, l: Loop, n: u32) -> Option<(Value, Value)> {
        let (mut entry, mut back) = (None, None);
        for e in self.info.cfg.preds(self.info.loops.header(l)) {
            let arg = self.func.dfg.resolve(*self.func.dfg.branch_args(e.inst, e.index as usize).get(n as usize)?);
            let place = if self.info.loops.contains(l, e.from) { &mut back } else { &mut entry };
            if place.is_some_and(|v| v != arg) {
                return None;
            }
            *place = Some(arg);
        }
        Some((entry?, back?))
    }

    /// Whether a value is the same in every iteration: defined outside, or computed inside from such values alone.
    fn invariant_value(&self, v: Value, l: Loop, depth: u32) -> bool {
        if self.info.loops.defined_outside(self.func, l, v) {
            return true;
        }
        match self.func.dfg.def(v) {
            ValueDef::Inst(i) if depth < 4 && self.func.dfg.insts[i].is_pure() => {
                Scev::has_expr(self.func.dfg.insts[i].ty)
                    && self.func.dfg.args(i).iter().all(|&a| self.invariant_value(a, l, depth + 1))
            }
            _ => false,
        }
    }
}
