//! Loops that take one bit after another away run as often as there are bits: `while (x) { x &= x - 1; n++; }`.
//!
//! What is left of `x` counts down instead: it begins as the number of bits, and one is taken from it where the lowest bit was
//! (Kernighan's loop; LLVM's `LoopIdiomRecognize`). The test for zero is right for both. The number of iterations is known when the loop
//! begins then, and [`crate::loop_delete`] removes it with what it has counted.
//!
//! What must hold: verified IR, loops rotated; the loop has no effects and ends by this test alone, and nothing else in it uses `x`.
//! Behind the loop `x` is zero either way. A loop that begins without a bit runs once. Cost: linear, and a look at all uses for each
//! such loop.

use crate::PassContext;
use crate::loop_delete::is_quiet;
use crate::loop_util::with_preheaders;
use analysis::{Loop, LoopInfo};
use ir::{Builder, Flags, Function, Inst, IntCC, Opcode, Payload, Value};

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    if !has_pattern(func) {
        cx.keep_graph();
        return false;
    }
    let info = with_preheaders(func, cx);
    let found: Vec<Counted> = info.loops.iter().filter_map(|l| counted(func, &info, l)).collect();
    for c in &found {
        apply(func, c);
    }
    !found.is_empty()
}

/// Whether a bit is taken away anywhere.
fn has_pattern(func: &Function) -> bool {
    func.layout.blocks().flat_map(|b| func.layout.insts(b)).any(|i| without_lowest_bit(func, i).is_some())
}

/// `x` and `x - 1` of `x & (x - 1)`.
fn without_lowest_bit(func: &Function, i: Inst) -> Option<(Value, Value)> {
    let dfg = &func.dfg;
    let data = &dfg.insts[i];
    if data.op != Opcode::And || data.ty.is_vector() {
        return None;
    }
    let [a, b] = [0, 1].map(|n| dfg.resolve(dfg.arg(i, n)));
    let is_less_one = |v: Value, x: Value| {
        let of = |op, by| {
            dfg.def_op(v, op).is_some_and(|d| {
                let args = [0, 1].map(|n| dfg.resolve(dfg.arg(d, n)));
                args[0] == x && dfg.as_int(args[1]) == Some(by)
            })
        };
        of(Opcode::Add, -1) || of(Opcode::Sub, 1)
    };
    match () {
        () if is_less_one(b, a) => Some((a, b)),
        () if is_less_one(a, b) => Some((b, a)),
        () => None,
    }
}

/// A loop that counts bits.
struct Counted {
    /// What enters it, a jump, and which of its arguments is the number whose bits are counted.
    entry: Inst,
    arg: usize,
    /// `x & (x - 1)`, and `x`.
    taken: Inst,
    x: Value,
}

fn counted(func: &Function, info: &LoopInfo, l: Loop) -> Option<Counted> {
    let dfg = &func.dfg;
    let header = info.loops.header(l);
    let entry = info.loops.entry_edge(&info.cfg, l)?.inst;
    let exits = info.loops.exit_edges(func, l);
    let &[exit] = exits.as_slice() else { return None };
    if dfg.op(entry) != Opcode::Jump || !is_quiet(func, info, l) {
        return None;
    }
    let test = dfg.def_op(dfg.arg(exit.inst, 0), Opcode::Icmp).filter(|_| dfg.op(exit.inst) == Opcode::Br)?;
    // The loop goes on where something is left.
    let stays = if exit.index == 1 { IntCC::Ne } else { IntCC::Eq };
    if dfg.insts[test].int_cc() != Some(stays) || dfg.as_int(dfg.arg(test, 1)) != Some(0) {
        return None;
    }
    let left = dfg.resolve(dfg.arg(test, 0));
    let taken = dfg.def_inst(left)?;
    let (x, less) = without_lowest_bit(func, taken)?;
    let arg = dfg.params(header).iter().position(|&p| p == x)?;
    let mut backs = info.cfg.preds(header).iter().filter(|e| info.loops.contains(l, e.from));
    if !backs.all(|e| dfg.resolve(dfg.branch_args(e.inst, e.index as usize)[arg]) == left) {
        return None;
    }
    let found = Counted { entry, arg, taken, x };
    uses_are_its_own(func, info, l, &found, (less, left), test).then_some(found)
}

/// Whether the number and what is left of it are used for counting alone; behind the loop what is left may be.
fn uses_are_its_own(
    func: &Function,
    info: &LoopInfo,
    l: Loop,
    found: &Counted,
    (less, left): (Value, Value),
    test: Inst,
) -> bool {
    let dfg = &func.dfg;
    let header = info.loops.header(l);
    info.cfg.rpo().iter().all(|&b| {
        let inside = info.loops.contains(l, b);
        func.layout.insts(b).all(|i| {
            let plain = dfg.args(i).iter().all(|&v| match dfg.resolve(v) {
                v if v == found.x => i == found.taken || dfg.result(i) == Some(less),
                v if v == less => i == found.taken,
                v if v == left => !inside || i == test,
                _ => true,
            });
            let passed = (0..dfg.successor_count(i)).all(|n| {
                let to = dfg.successor(i, n);
                dfg.branch_args(i, n).iter().enumerate().all(|(k, &v)| match dfg.resolve(v) {
                    v if v == found.x || v == less => false,
                    v if v == left => !info.loops.contains(l, to) || to == header && k == found.arg,
                    _ => true,
                })
            });
            plain && passed
        })
    })
}

fn apply(func: &mut Function, c: &Counted) {
    let ty = func.dfg.ty(c.x);
    let number = func.dfg.branch_args(c.entry, 0)[c.arg];
    let one = func.dfg.iconst(ty, 1);
    let mut build = Builder::before(func, c.entry);
    let bits = build.value(Opcode::Popcnt, ty, Flags::NONE, &[number], Payload::None);
    let times = build.value(Opcode::UMax, ty, Flags::NONE, &[bits, one], Payload::None);
    func.dfg.branch_args_mut(c.entry, 0)[c.arg] = times;
    let fewer = Builder::before(func, c.taken).value(Opcode::Sub, ty, Flags::NONE, &[c.x, one], Payload::None);
    let left = func.dfg.res(c.taken);
    func.dfg.replace_value(left, fewer);
    func.layout.remove_inst(c.taken);
    func.resolve_aliases();
}
