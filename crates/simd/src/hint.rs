//! `vec_type_hint`: how many work-items it asks to share a vector, and the answer in the ledger.

use crate::widen::Widened;
use crate::{Options, VectorIsa};
use ir::{Function, Type};
use source::{Answer, Fate, HintId, HintKind, Session};

/// The work-items per vector that a hint of this type asks for: the lanes of the machine's vectors, divided by the width
/// of the type, of which a vector of three elements takes four; at least 1.
pub fn lanes(hint: Type, machine: VectorIsa) -> u32 {
    let element = hint.bits().max(8);
    let width = u32::from(hint.lanes()).next_power_of_two();
    (machine.vector_bits.max(64) / element / width).max(1)
}

/// Answers the hint of a kernel, if it has one.
pub(crate) fn answer(session: &mut Session, kernel: &Function, options: &Options, widened: &Widened) {
    let Some(hint) = kernel.attrs.vec_type_hint else { return };
    let of_kernel = |h: &source::Hint| h.answers.iter().any(|a| a.function == kernel.display);
    let found: Option<HintId> =
        session.ledger.iter().find(|(_, h)| h.kind == HintKind::VecTypeHint && of_kernel(h)).map(|(id, _)| id);
    let Some(id) = found else { return };
    let asked = lanes(hint, options.machine);
    let (got, bits) = (widened.lanes, options.machine.vector_bits);
    let done = if got > 1 { format!("{got} work-items per vector") } else { "one work-item at a time".to_owned() };
    let rule = format!("vectors of {bits} bits hold {asked} of `{hint}`");
    let (fate, reason) = if !options.vectorise {
        (Fate::Refused, "vectors are switched off".to_owned())
    } else if got == asked {
        (Fate::Honoured, rule)
    } else if got > 1 {
        let size = options.local_size;
        (Fate::Adjusted, format!("{rule}; groups of {size} work-items and what the kernel does ask for {got}"))
    } else {
        (Fate::Refused, widened.reason.clone().unwrap_or(rule))
    };
    let place = session.ledger.hint(id).span;
    let function = kernel.display.clone();
    session.ledger.answer(id, Answer { fate, done, reason, function, place, trail: Vec::new() });
}
