//! `warpSize` becomes the number that it is.
//!
//! For GPUs before sm_100 nvcc decides about loops while `warpSize` still is a value that only the machine knows: loops that
//! halve it stay, loops up to it are unrolled with a remainder. So it is an [`ir::SpecialReg`] there until loops are decided
//! ([`target::Target::has_late_warp_size`]), and this pass runs right behind.
//!
//! What must hold: nothing. Cost: linear.

use crate::PassContext;
use ir::{Function, Inst, SpecialReg, Type};

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let reads: Vec<Inst> = func
        .layout
        .blocks()
        .flat_map(|b| func.layout.insts(b))
        .filter(|&i| func.dfg.insts[i].special() == Some(SpecialReg::WarpSize))
        .collect();
    let size = func.dfg.bits(Type::I32, cx.options.target.warp_size().into());
    for &i in &reads {
        let old = func.dfg.res(i);
        func.dfg.replace_value(old, size);
        func.layout.remove_inst(i);
    }
    cx.keep_graph();
    if !reads.is_empty() {
        func.resolve_aliases();
    }
    !reads.is_empty()
}
