//! Contraction: a multiplication and an addition become one fused multiply-add.
//!
//! `a × b + c`, `a × b - c` and `c - a × b`, also with the product negated, where both operations carry `contract`
//! and have the same type and flushing, neither has another rounding mode or saturates its product, and the product
//! is used only here: otherwise the multiplication would stay and nothing be saved. Of two candidates the first
//! operand is taken.
//!
//! What must hold: verified IR. Cost: linear, one table of use counts.

use crate::PassContext;
use cranelift_entity::SecondaryMap;
use ir::{Builder, Flags, Function, Inst, Opcode, Payload, Round, Type, Value};

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    cx.keep_graph();
    let mut uses: SecondaryMap<Value, u32> = ir::side_table(func.dfg.values.len());
    let mut candidates: Vec<Inst> = Vec::new();
    for b in func.layout.blocks() {
        for i in func.layout.insts(b) {
            func.dfg.for_each_use(i, |v| uses[v] += 1);
            let data = &func.dfg.insts[i];
            if matches!(data.op, Opcode::FAdd | Opcode::FSub) && data.flags.has(Flags::CONTRACT) && is_nearest(func, i)
            {
                candidates.push(i);
            }
        }
    }
    let mut changed = false;
    for i in candidates {
        changed |= fuse(func, &mut uses, i);
    }
    changed
}

fn is_nearest(func: &Function, i: Inst) -> bool {
    matches!(func.dfg.insts[i].payload, Payload::None | Payload::Round(Round::NearestEven))
}

/// A product that may be fused into its only user.
struct Product {
    mul: Inst,
    neg: Option<Inst>,
}

fn product(func: &Function, uses: &SecondaryMap<Value, u32>, v: Value, flags: Flags) -> Option<Product> {
    if uses[v] != 1 {
        return None;
    }
    let mut i = func.dfg.def_inst(v)?;
    let mut neg = None;
    if func.dfg.op(i) == Opcode::FNeg {
        let inner = func.dfg.arg(i, 0);
        if uses[inner] != 1 {
            return None;
        }
        neg = Some(i);
        i = func.dfg.def_inst(inner)?;
    }
    let data = &func.dfg.insts[i];
    let same = data.flags.has(Flags::FTZ) == flags.has(Flags::FTZ);
    let fits = data.op == Opcode::FMul && data.flags.has(Flags::CONTRACT) && !data.flags.has(Flags::SAT) && same;
    (fits && is_nearest(func, i)).then_some(Product { mul: i, neg })
}

fn fuse(func: &mut Function, uses: &mut SecondaryMap<Value, u32>, i: Inst) -> bool {
    let data = &func.dfg.insts[i];
    let (ty, flags, sub) = (data.ty, data.flags, data.op == Opcode::FSub);
    let (x, y) = (func.dfg.arg(i, 0), func.dfg.arg(i, 1));
    // Which operand is the product, whether it is negated, and whether the other one is.
    let (p, minus_product, other, minus_other) = if let Some(p) = product(func, uses, x, flags) {
        (p, false, y, sub)
    } else if let Some(p) = product(func, uses, y, flags) {
        (p, sub, x, false)
    } else {
        return false;
    };
    let minus_product = minus_product != p.neg.is_some();
    let (mut a, b) = (func.dfg.arg(p.mul, 0), func.dfg.arg(p.mul, 1));
    if minus_product {
        a = negated(func, uses, a, ty, i);
    }
    let c = if minus_other { negated(func, uses, other, ty, i) } else { other };
    let keep = flags.common(func.dfg.insts[p.mul].flags).with(flags.common(Flags::SAT));
    let payload = func.dfg.insts[i].payload.clone();
    func.dfg.rewrite(i, Opcode::Fma, keep, &[a, b, c], payload);
    if let Some(n) = p.neg {
        func.layout.remove_inst(n);
    }
    func.layout.remove_inst(p.mul);
    true
}

/// `-v`: the operand of a negation, or a new one; back ends fold it into the operation.
fn negated(func: &mut Function, uses: &mut SecondaryMap<Value, u32>, v: Value, ty: Type, before: Inst) -> Value {
    if let Some(n) = func.dfg.def_op(v, Opcode::FNeg) {
        return func.dfg.arg(n, 0);
    }
    if let Some(bits) = func.dfg.as_bits(v) {
        return func.dfg.bits(ty, bits ^ 1 << (ty.bits() - 1));
    }
    let r = Builder::before(func, before).value(Opcode::FNeg, ty, Flags::NONE, &[v], Payload::None);
    uses[r] = 1;
    r
}
