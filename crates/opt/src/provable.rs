//! Resolves `__builtin_provable`: true if its condition has become the constant true, false otherwise.
//!
//! Runs when everything that could prove the condition has run (inlining, unrolling, the facts of branches and
//! assumptions). Both outcomes go to the ledger; what could not be proved with the value that stood in the way.
//!
//! What must hold: verified IR. Afterwards no `provable` is left.
//!
//! Limits: the search for what stood in the way looks at [`MAX_SEARCH`] values.
//!
//! Cost: linear.

use crate::PassContext;
use ir::{ConstKind, Function, Inst, Opcode, Payload, Value, ValueDef};
use source::{Answer, Fate, HintId};

/// Most values looked at for a reason.
const MAX_SEARCH: usize = 64;

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    cx.keep_graph();
    let mut found: Vec<Inst> = Vec::new();
    for b in func.layout.blocks() {
        found.extend(func.layout.insts(b).filter(|&i| func.dfg.op(i) == Opcode::Provable));
    }
    for &i in &found {
        let cond = func.dfg.arg(i, 0);
        let proved = func.dfg.as_bits(cond) == Some(1);
        let refuted = func.dfg.as_bits(cond) == Some(0);
        if let Some(hint) = hint_of(func, cx, i) {
            let reason = if proved {
                "the condition is always true".to_owned()
            } else if refuted {
                "the condition is always false".to_owned()
            } else {
                obstacle(func, cx, cond)
            };
            let answer = Answer {
                fate: if proved { Fate::Honoured } else { Fate::Refused },
                done: if proved { "true" } else { "false" }.to_owned(),
                reason,
                function: func.display.clone(),
                place: func.dfg.span(i),
                trail: Vec::new(),
            };
            cx.session.ledger.answer(hint, answer);
        }
        let (old, k) = (func.dfg.res(i), func.dfg.iconst(ir::Type::I1, i64::from(proved)));
        func.dfg.replace_value(old, k);
        func.remove_inst(i);
    }
    if !found.is_empty() {
        func.resolve_aliases();
    }
    !found.is_empty()
}

/// The hint that the instruction comes from; text IR may name one that does not exist.
fn hint_of(func: &Function, cx: &PassContext<'_>, i: Inst) -> Option<HintId> {
    match func.dfg.insts[i].payload {
        Payload::Hint(h) if (h.0 as usize) < cx.session.ledger.len() => Some(h),
        _ => None,
    }
}

/// What the condition depends on that is not known.
fn obstacle(func: &Function, cx: &PassContext<'_>, cond: Value) -> String {
    let mut work = vec![cond];
    let mut seen = 0;
    while let Some(v) = work.pop() {
        seen += 1;
        if seen > MAX_SEARCH {
            break;
        }
        match func.dfg.def(v) {
            ValueDef::Param(b, n) if b == func.layout.entry() => {
                let what = if func.kind == ir::FnKind::Kernel { "kernel argument" } else { "argument" };
                let name = func.params.get(n as usize).map_or("", |p| p.name.as_str());
                return format!("it depends on `{name}`, a {what} that is not known at compile time");
            }
            ValueDef::Param(..) => {
                return "it depends on a value that changes from one path or loop iteration to the next".to_owned();
            }
            ValueDef::Inst(i) => {
                let data = &func.dfg.insts[i];
                match data.op {
                    Opcode::Load | Opcode::AtomicRmw | Opcode::AtomicCas => {
                        return "it depends on a value read from memory".to_owned();
                    }
                    Opcode::Special => {
                        let name = data.special().map_or("", ir::SpecialReg::name);
                        return format!(
                            "it depends on the special register `{name}`, which differs between work-items or launches"
                        );
                    }
                    Opcode::Call => {
                        let name = data.callee().map_or("", |f| cx.module.functions[f].display.as_str());
                        return format!("it depends on the result of a call of `{name}`, which was not inlined");
                    }
                    Opcode::InlineAsm => return "it depends on inline assembly".to_owned(),
                    Opcode::Intrinsic => {
                        let name = data.intrinsic().map_or("", ir::Intrinsic::name);
                        return format!("it depends on the result of `{name}`");
                    }
                    _ => work.extend(func.dfg.args(i).iter().rev()),
                }
            }
            ValueDef::Const(ConstKind::Undef) => return "it depends on a variable that was never set".to_owned(),
            _ => {}
        }
    }
    "no rule of the optimiser decides it".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run_pass;
    use ir::{Builder, Flags, Module, Type};

    #[test]
    fn only_the_constant_true_is_proved() {
        let mut module = Module::default();
        let f = run_pass(&mut module, Type::I1, &[Type::I1], run, |f, entry, p| {
            let mut b = Builder::at_end(f, entry);
            let t = b.iconst(Type::I1, 1);
            let mut provable = |v| {
                let i = b.inst(Opcode::Provable, Type::I1, Flags::NONE, &[v], Payload::Hint(HintId(0)));
                b.func.dfg.res(i)
            };
            let (x, y) = (provable(t), provable(p[0]));
            let both = b.binary(Opcode::Xor, x, y);
            b.ret(Some(both));
        });
        let f = &module.functions[f];
        let xor = f.layout.first_inst(f.layout.entry()).unwrap();
        assert_eq!((f.dfg.as_int(f.dfg.arg(xor, 0)), f.dfg.as_int(f.dfg.arg(xor, 1))), (Some(-1), Some(0)));
    }
}
