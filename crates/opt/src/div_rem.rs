//! A quotient and a remainder of the same operands are divided once.
//!
//! A division by what is not known takes a machine without one tens of instructions, for the remainder as for the quotient.
//! Where one of the two is computed whenever the other is, the remainder is the dividend less the quotient times the
//! divisor. If the remainder comes first, the quotient is computed there.
//!
//! What must hold: divisions by constants are gone ([`crate::div`]), equal ones are one ([`crate::gvn`]). Cost: linear, but
//! for the search in the block of both.

use crate::PassContext;
use ir::{Builder, Flags, Function, Inst, Opcode, Payload, Value};
use std::collections::HashMap;

/// What is divided by what, and whether as signed numbers.
type Key = (bool, Value, Value);
/// Quotients by what they are of.
type Quotients = HashMap<Key, Vec<Inst>>;

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    cx.keep_graph();
    let (mut quotients, rests) = divisions(func);
    if !rests.iter().any(|(key, _)| quotients.contains_key(key)) {
        return false;
    }
    let dom = cx.dom(func);
    let mut changed = false;
    for (key, rest) in rests {
        let Some(list) = quotients.get_mut(&key) else { continue };
        let quotient = match list.iter().find(|&&q| dom.dominates_inst(func, q, rest)) {
            Some(&q) => q,
            None => {
                let Some(at) = list.iter().position(|&q| dom.dominates_inst(func, rest, q)) else { continue };
                // Its operands are known where the remainder is computed of them.
                func.layout.remove_inst(list[at]);
                func.layout.insert_inst_before(list[at], rest);
                list[at]
            }
        };
        from_quotient(func, rest, quotient);
        changed = true;
    }
    if changed {
        func.resolve_aliases();
    }
    changed
}

/// The quotients by their operands, and the remainders in order.
fn divisions(func: &Function) -> (Quotients, Vec<(Key, Inst)>) {
    let (mut quotients, mut rests) = (Quotients::new(), Vec::new());
    for i in func.layout.blocks().flat_map(|b| func.layout.insts(b)) {
        let op = func.dfg.op(i);
        let signed = matches!(op, Opcode::SDiv | Opcode::SRem);
        if !matches!(op, Opcode::SDiv | Opcode::UDiv | Opcode::SRem | Opcode::URem) || func.dfg.insts[i].ty.is_vector()
        {
            continue;
        }
        let key = (signed, func.dfg.resolve(func.dfg.arg(i, 0)), func.dfg.resolve(func.dfg.arg(i, 1)));
        match op {
            Opcode::SDiv | Opcode::UDiv => quotients.entry(key).or_default().push(i),
            _ => rests.push((key, i)),
        }
    }
    (quotients, rests)
}

/// Replaces a remainder by what the quotient leaves.
fn from_quotient(func: &mut Function, rest: Inst, quotient: Inst) {
    let (x, y) = (func.dfg.resolve(func.dfg.arg(rest, 0)), func.dfg.resolve(func.dfg.arg(rest, 1)));
    // What is taken away is no larger than the dividend, and has its sign.
    let signed = func.dfg.op(rest) == Opcode::SRem;
    let promise = if signed { Flags::NSW } else { Flags::NUW };
    let ty = func.dfg.ty(x);
    let quotient = func.dfg.res(quotient);
    let mut b = Builder::before(func, rest);
    let whole = b.mul(quotient, y);
    let new = b.value(Opcode::Sub, ty, promise, &[x, whole], Payload::None);
    let old = func.dfg.res(rest);
    func.dfg.replace_value(old, new);
    func.layout.remove_inst(rest);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run_pass;
    use ir::{Module, Type};

    /// The text of a function of two numbers that returns the sum of what `ops` make of them.
    fn text(ops: [Opcode; 2]) -> String {
        let mut module = Module::default();
        let id = run_pass(&mut module, Type::I32, &[Type::I32; 2], run, |f, entry, v| {
            let mut b = Builder::at_end(f, entry);
            let (p, q) = (b.binary(ops[0], v[0], v[1]), b.binary(ops[1], v[0], v[1]));
            let sum = b.add(p, q);
            b.ret(Some(sum));
        });
        ir::print::function_to_text(&module, &module.functions[id])
    }

    #[test]
    fn one_division_is_left_whichever_comes_first() {
        use Opcode::{SDiv, SRem, UDiv, URem};
        for ops in [[SDiv, SRem], [SRem, SDiv], [UDiv, URem], [URem, UDiv]] {
            let t = text(ops);
            assert!(!t.contains("rem") && t.matches("div ").count() == 1 && t.contains("mul"), "{t}");
        }
    }

    #[test]
    fn signed_and_unsigned_stay_apart() {
        let t = text([Opcode::SDiv, Opcode::URem]);
        assert!(t.contains("sdiv") && t.contains("urem"), "{t}");
    }
}
