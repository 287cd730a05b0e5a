//! Resolves `__builtin_provable`: true if its condition is proved, false otherwise.
//!
//! [`run`] comes when everything that could make the condition simple has run (inlining, unrolling, the facts of branches
//! and assumptions), and asks the [prover](crate::prove) about what has not become a constant. [`early`] comes before
//! loops are changed, while the conditions in their headers still stand above their bodies, and only says yes.
//!
//! Every instance goes to the ledger by itself, with the calls through which it has come; what could not be proved with the
//! value that stood in the way, and with the weakest fact that would have been enough where explanations are wanted.
//!
//! What must hold: verified IR without aliases. After [`run`] no `provable` is left.
//!
//! Limits: the search for what stood in the way looks at [`MAX_SEARCH`] values; [`MAX_PROOFS`] instances of a function are
//! proved, the others only if their conditions are constants; of [`MAX_EXPLAINED`] it is said what would have been enough.
//!
//! Cost: linear where nothing asks.

use crate::PassContext;
use crate::prove::Prover;
use ir::{ConstKind, Function, Inst, Opcode, Payload, Value, ValueDef};
use source::{Answer, Fate, HintId};
use std::fmt::Write;

/// Most values looked at for a reason.
const MAX_SEARCH: usize = 64;
/// Most instances of a function that are proved.
const MAX_PROOFS: usize = 512;
/// Most instances of a function for which the weakest fact is looked for.
const MAX_EXPLAINED: usize = 16;

/// What was found out about an instance.
struct Instance {
    inst: Inst,
    proved: bool,
    reason: String,
}

/// Whether anything asks.
pub fn asks(func: &Function) -> bool {
    func.layout.blocks().any(|b| func.layout.insts(b).any(|i| func.dfg.op(i) == Opcode::Provable))
}

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    cx.keep_graph();
    let found = questions(func);
    resolve(func, cx, &found, true)
}

/// Resolves what can be proved already.
pub fn early(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    cx.keep_graph();
    let mut found = questions(func);
    found.retain(|&i| func.dfg.as_bits(func.dfg.arg(i, 0)).is_none());
    resolve(func, cx, &found, false)
}

fn questions(func: &Function) -> Vec<Inst> {
    let all = func.layout.blocks().flat_map(|b| func.layout.insts(b));
    all.filter(|&i| func.dfg.op(i) == Opcode::Provable).collect()
}

fn resolve(func: &mut Function, cx: &mut PassContext<'_>, found: &[Inst], last: bool) -> bool {
    if found.is_empty() {
        return false;
    }
    let mut answers = judge(func, cx, found);
    if !last {
        answers.retain(|a| a.proved);
    }
    tell(func, cx, &answers);
    for a in &answers {
        let (old, k) = (func.dfg.res(a.inst), func.dfg.iconst(ir::Type::I1, i64::from(a.proved)));
        func.dfg.replace_value(old, k);
        func.remove_inst(a.inst);
    }
    if !answers.is_empty() {
        func.resolve_aliases();
    }
    !answers.is_empty()
}

fn judge(func: &Function, cx: &mut PassContext<'_>, found: &[Inst]) -> Vec<Instance> {
    let (cfg, dom) = (cx.cfg(func), cx.dom(func));
    let prover = Prover::new(func, cx.module, &cfg, &dom, cx.options.target);
    let mut explained = 0;
    let mut out = Vec::with_capacity(found.len());
    for (n, &inst) in found.iter().enumerate() {
        let cond = func.dfg.arg(inst, 0);
        let constant = func.dfg.as_bits(cond);
        let proved = constant.map_or_else(|| n < MAX_PROOFS && prover.holds(cond, inst), |c| c == 1);
        let mut reason = match (proved, constant) {
            (true, _) => "the condition is always true".to_owned(),
            (_, Some(_)) => "the condition is always false".to_owned(),
            _ => obstacle(func, cx, cond),
        };
        if !proved && constant.is_none() && cx.session.ledger.explain && explained < MAX_EXPLAINED {
            explained += 1;
            if let Some(fact) = prover.weakest_fact(cond, inst) {
                let _ = write!(reason, "; it would be proved if {fact}");
            }
        }
        out.push(Instance { inst, proved, reason });
    }
    out
}

/// Enters the answers: one for each call path, copies that came of unrolling counted.
fn tell(func: &Function, cx: &mut PassContext<'_>, answers: &[Instance]) {
    let mut told: Vec<(HintId, String, &Instance, usize)> = Vec::new();
    for a in answers {
        let Some(hint) = hint_of(func, cx, a.inst) else { continue };
        let path = path(func, cx, a.inst);
        let same = told
            .iter_mut()
            .find(|(h, p, other, _)| (*h, p, other.proved, &other.reason) == (hint, &path, a.proved, &a.reason));
        match same {
            Some(t) => t.3 += 1,
            None => told.push((hint, path, a, 1)),
        }
    }
    for (hint, path, a, copies) in told {
        let copies = if copies > 1 { format!(" in {copies} copies") } else { String::new() };
        let answer = Answer {
            fate: if a.proved { Fate::Honoured } else { Fate::Refused },
            done: format!("{}{copies}{path}", a.proved),
            reason: a.reason.clone(),
            function: func.display.clone(),
            place: func.dfg.span(a.inst),
            trail: Vec::new(),
        };
        cx.session.ledger.answer(hint, answer);
    }
}

/// Through which calls an instance has come: of `half(int)` called at 4:10.
fn path(func: &Function, cx: &PassContext<'_>, i: Inst) -> String {
    let mut out = String::new();
    for step in func.dfg.came_by.get(&i).iter().flat_map(|p| p.iter()) {
        let place = cx.session.sources.presumed(cx.session.sources.call_site(step.call).lo);
        let _ = write!(out, " in `{}`", step.callee);
        if let Some((_, at)) = place {
            let _ = write!(out, " called at {}:{}", at.line, at.col);
        }
    }
    out
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
