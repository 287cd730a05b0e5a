//! Sums, products and shifts of numbers narrower than addresses that cannot wrap say so.
//!
//! `const int at = n + get_local_id(0) * 4` is computed in 64 bits in OpenCL C and cut off, which leaves a sum of 32 bits that might
//! wrap by its type, and does not by the range of the local id. Where such a sum is part of an index, its widening to the size of an
//! address is a sum itself only if it does not wrap: else neighbours in memory are not found to be neighbours
//! ([`crate::vectorize`]), nor that lanes follow each other.
//!
//! What must hold: verified IR. Only flags are added. Runs late: flags are kept through rewriting at a price. Cost: linear, with a few
//! operands looked at for each operation ([`crate::known`]).

use crate::PassContext;
use crate::known::Known;
use ir::{Flags, Function, Inst, Opcode};
use target::Target;

/// Bits of numbers that need no widening.
const ADDRESS: u32 = 64;

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    cx.keep_graph();
    let insts: Vec<Inst> = func.layout.blocks().flat_map(|b| func.layout.insts(b)).collect();
    let exact: Vec<Inst> = insts.into_iter().filter(|&i| never_wraps(func, cx.options.target, i)).collect();
    for &i in &exact {
        let flags = &mut func.dfg.insts[i].flags;
        *flags = *flags | Flags::NSW | Flags::NUW;
    }
    !exact.is_empty()
}

/// Whether the operands of a sum, product or shift without a promise are so small that it cannot wrap, with or without a sign.
fn never_wraps(func: &Function, target: Target, i: Inst) -> bool {
    let data = &func.dfg.insts[i];
    let open = !data.flags.has(Flags::NSW) && !data.ty.is_vector() && data.ty.is_int();
    if !open || data.ty.bits() >= ADDRESS || !matches!(data.op, Opcode::Add | Opcode::Mul | Opcode::Shl) {
        return false;
    }
    let known = Known::new(func, target);
    let [a, b] = [0, 1].map(|n| u128::from(known.range(func.dfg.arg(i, n)).hi));
    let most = match data.op {
        Opcode::Add => a + b,
        Opcode::Mul => a * b,
        // Shifts of the width or more have no value.
        _ if b < u128::from(data.ty.bits()) => a << b,
        _ => return false,
    };
    most <= u128::from(data.ty.mask() >> 1)
}
