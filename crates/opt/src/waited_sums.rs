//! Sums that a loop waits for stay sums: they are not contracted with the products that go into them.
//!
//! In `sum += a[k] * b[index[k]]` each iteration waits for the sum of the one before it. A fused operation of products and
//! sums takes four cycles on today's processors and a sum two or three, while the product is ready in time: it does not wait.
//! Where the loop runs in several vectors side by side there are other things to do during the wait, and one operation is
//! better than two. Two things keep it from that: where the loads come from, and groups of one work-item, in which there is
//! nobody to run beside.
//!
//! So: a sum of numbers in an innermost loop, carried around it, whose product has a factor that is loaded from where another
//! load of the iteration says; and in kernels for groups of one work-item any such sum, if there are at most [`FEW`]. What must
//! hold: verified IR; contraction is left to the back end, which asks the flag that is taken away here. Limits: [`CHAIN`]
//! operations of an address are looked at. Cost: linear.

use crate::PassContext;
use analysis::{Loop, LoopInfo};
use ir::{Flags, Function, Inst, Opcode, Value};
use rustc_hash::FxHashSet;

/// Most operations between two loads.
const CHAIN: u32 = 12;

/// Most sums of a loop that wait for themselves alone: more have each other to do during the wait.
const FEW: usize = 4;

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    cx.keep_graph();
    let info = cx.loops(func);
    let loops: Vec<Loop> = info.loops.iter().filter(|&l| is_innermost(&info, l)).collect();
    let alone = func.attrs.reqd_work_group_size == Some([1; 3]);
    let mut sums = Vec::new();
    for l in loops {
        let carried = carried(func, &info, l);
        let every = alone && carried.len() <= FEW;
        let waits = |&&(_, product): &&(Inst, Inst)| {
            every || func.dfg.args(product).iter().any(|&v| is_indirect(func, &info, l, v))
        };
        sums.extend(carried.iter().filter(waits).map(|c| c.0));
    }
    for &i in &sums {
        func.dfg.insts[i].flags = func.dfg.insts[i].flags.without(Flags::CONTRACT);
    }
    !sums.is_empty()
}

fn is_innermost(info: &LoopInfo, l: Loop) -> bool {
    info.loops.data(l).blocks.iter().all(|&b| info.loops.innermost(b) == Some(l))
}

/// Sums that are carried around a loop and may be contracted with a product, and the products.
fn carried(func: &Function, info: &LoopInfo, l: Loop) -> Vec<(Inst, Inst)> {
    let dfg = &func.dfg;
    let numbers = dfg.params(info.loops.header(l)).iter().copied().filter(|&p| dfg.ty(p).is_float());
    let mut carried: FxHashSet<Value> = numbers.collect();
    let mut out = Vec::new();
    if carried.is_empty() {
        return out;
    }
    for i in info.loops.data(l).blocks.iter().flat_map(|&b| func.layout.insts(b)) {
        let data = &dfg.insts[i];
        if !matches!(data.op, Opcode::FAdd | Opcode::FSub) || !data.flags.has(Flags::CONTRACT) {
            continue;
        }
        let (x, y) = (dfg.resolve(dfg.arg(i, 0)), dfg.resolve(dfg.arg(i, 1)));
        let other = match (carried.contains(&x), carried.contains(&y)) {
            (true, false) => y,
            (false, true) => x,
            _ => continue,
        };
        carried.insert(dfg.res(i));
        out.extend(dfg.def_op(other, Opcode::FMul).map(|product| (i, product)));
    }
    out
}

/// Whether a number is loaded from a place that another load of the loop says.
fn is_indirect(func: &Function, info: &LoopInfo, l: Loop, v: Value) -> bool {
    let dfg = &func.dfg;
    let mut left = CHAIN;
    let (mut waiting, mut loads) = (vec![dfg.resolve(v)], 0);
    while let Some(v) = waiting.pop() {
        if info.loops.defined_outside(func, l, v) {
            continue;
        }
        let Some(i) = dfg.def_inst(v).filter(|_| left > 0) else { continue };
        left -= 1;
        loads += u32::from(dfg.op(i) == Opcode::Load);
        if loads > 1 {
            return true;
        }
        // A number that is computed from several loads is not loaded; only a conversion may be in between.
        if loads == 0 && dfg.args(i).len() > 1 {
            return false;
        }
        waiting.extend(dfg.args(i).iter().map(|&a| dfg.resolve(a)));
    }
    false
}
