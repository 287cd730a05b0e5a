//! Swaps offsets: in `(p + changes) + stays` what stays is added first, before the loop (LLVM's `hoistGEP`): `t[k][threadIdx.x]`
//! in a loop over `k`.
//!
//! What must hold: `p` and `stays` are defined outside, and the address in the middle is used once. It may then lie outside
//! of the object, so that nothing is promised of the new ones. Cost: linear in the loop's instructions.

use analysis::{Loop, LoopInfo};
use cranelift_entity::SecondaryMap;
use ir::{Builder, Flags, Function, Inst, Opcode, Payload, Value};

/// How often each value is used.
pub(super) fn uses(func: &Function) -> SecondaryMap<Value, u32> {
    let mut uses = ir::side_table(func.dfg.values.len());
    for i in func.layout.blocks().flat_map(|b| func.layout.insts(b)) {
        func.dfg.for_each_use(i, |v| uses[func.dfg.resolve(v)] += 1);
    }
    uses
}

/// Swaps what it can in one loop, which has a preheader.
pub(super) fn run(func: &mut Function, info: &LoopInfo, l: Loop, uses: &mut SecondaryMap<Value, u32>) -> bool {
    let Some(pre) = info.loops.preheader(func, &info.cfg, l) else { return false };
    let insts: Vec<Inst> = info.loops.data(l).blocks.iter().flat_map(|&b| func.layout.insts(b)).collect();
    let mut changed = false;
    for i in insts {
        if let Some((base, offset, inner)) = swappable(func, info, l, i, uses) {
            let (at, stays) = (func.layout.terminator(pre), func.dfg.arg(i, 1));
            let mut add = |at: Inst, p: Value, offset: Value| {
                let ty = func.dfg.ty(func.dfg.res(i));
                Builder::before(func, at).value(Opcode::PtrAdd, ty, Flags::NONE, &[p, offset], Payload::None)
            };
            let fixed = add(at, base, stays);
            let new = add(i, fixed, offset);
            let old = func.dfg.res(i);
            uses[fixed] = 1;
            uses[new] = uses[old];
            func.dfg.replace_value(old, new);
            func.layout.remove_inst(i);
            func.layout.remove_inst(inner);
            changed = true;
        }
    }
    changed
}

/// The base and the changing offset of an address whose own offset stays, with the instruction that adds them.
fn swappable(
    func: &Function,
    info: &LoopInfo,
    l: Loop,
    i: Inst,
    uses: &SecondaryMap<Value, u32>,
) -> Option<(Value, Value, Inst)> {
    let outside = |v: Value| info.loops.defined_outside(func, l, func.dfg.resolve(v));
    let scalar = |i: Inst| func.dfg.op(i) == Opcode::PtrAdd && !func.dfg.ty(func.dfg.res(i)).is_vector();
    if !scalar(i) || !outside(func.dfg.arg(i, 1)) || func.dfg.as_const(func.dfg.arg(i, 1)).is_some() {
        return None;
    }
    let middle = func.dfg.resolve(func.dfg.arg(i, 0));
    let inner = func.dfg.def_inst(middle).filter(|&x| scalar(x) && uses[middle] == 1)?;
    let (base, offset) = (func.dfg.arg(inner, 0), func.dfg.arg(inner, 1));
    let within = func.layout.inst_block(inner).is_some_and(|b| info.loops.contains(l, b));
    (within && outside(base) && !outside(offset)).then_some((base, offset, inner))
}
