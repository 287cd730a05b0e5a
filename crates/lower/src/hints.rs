//! Questions and promises to the compiler, and their answers in the ledger.

use crate::func::FunctionLowering;
use ir::{Flags, Opcode, Payload, Type, Value};
use sema::program::ExprId;
use source::{Fate, HintId};

impl FunctionLowering<'_, '_> {
    /// Answers a hint in the function being lowered.
    pub(crate) fn answer(&mut self, hint: HintId, fate: Fate, done: &str, reason: &str) {
        let answer = source::Answer {
            fate,
            done: done.to_owned(),
            reason: reason.to_owned(),
            function: self.func.display.clone(),
            place: self.span,
            trail: Vec::new(),
        };
        self.cx.session.ledger.answer(hint, answer);
    }

    /// `__builtin_provable`.
    pub(crate) fn provable(&mut self, cond: ExprId, hint: HintId) -> Value {
        let c = self.expr(cond);
        self.make(Opcode::Provable, Type::I1, Flags::NONE, &[c], Payload::Hint(hint))
    }

    /// `__builtin_assume`.
    pub(crate) fn assume(&mut self, cond: ExprId, hint: HintId) -> Option<Value> {
        let c = self.expr(cond);
        self.build(|b| b.inst(Opcode::Assume, Type::VOID, Flags::NONE, &[c], Payload::None));
        let (done, why) = ("given to the optimiser as a fact", "the condition has no side effects");
        self.answer(hint, Fate::Honoured, done, why);
        None
    }

    /// `__builtin_expect`: the value.
    pub(crate) fn expected(&mut self, value: ExprId, hint: HintId) -> Option<Value> {
        // The condition of a loop has been answered for.
        if self.cx.session.ledger.hint(hint).answers.is_empty() {
            let why = "only expectations about whole loop conditions are weighed, for trip counts";
            self.answer(hint, Fate::Unused, "no code changed", why);
        }
        self.expr_value(value)
    }

    /// `__builtin_assume_aligned`: the pointer.
    pub(crate) fn alignment_promise(&mut self, ptr: ExprId, align: u64, hint: HintId) -> Option<Value> {
        let (done, why) = ("given to the optimiser as a fact", "the low bits of the pointer are clear");
        self.answer(hint, Fate::Honoured, done, why);
        let p = self.expr_value(ptr)?;
        if align > 1 {
            self.build(|b| {
                let address = b.cast(Opcode::PtrToInt, p, Type::I64);
                let low = b.iconst(Type::I64, align as i64 - 1);
                let (rest, zero) = (b.binary(Opcode::And, address, low), b.iconst(Type::I64, 0));
                let aligned = b.icmp(ir::IntCC::Eq, rest, zero);
                b.inst(Opcode::Assume, Type::VOID, Flags::NONE, &[aligned], Payload::None)
            });
        }
        Some(p)
    }
}
