//! What nvcc's headers have in inline assembly, and is an instruction here: its optimiser sees no more than that there is some.

use ir::{CacheOp, Function, Inst, Opcode, Type};

/// Whether an instruction is arithmetic with 16-bit floating-point numbers (`cuda_fp16.hpp`, `cuda_bf16.hpp`).
pub fn is_of_halves(func: &Function, inst: Inst) -> bool {
    use Opcode::*;
    let data = &func.dfg.insts[inst];
    let is_half = |t: Type| matches!(t.scalar(), Type::F16 | Type::BF16);
    match data.op {
        FAdd | FSub | FMul | Fma | FNeg | FAbs | FMin | FMax | FSqrt => is_half(data.ty),
        FCeil | FFloor | FTrunc | FRint | FpTrunc | SiToFp | UiToFp => is_half(data.ty),
        Fcmp | FpExt | FpToSi | FpToUi => is_half(func.dfg.ty(func.dfg.arg(inst, 0))),
        _ => false,
    }
}

/// Whether an instruction is assembly in the headers: [that](is_of_halves), or an access with a cache operator (`__ldcg`).
pub fn is_assembly(func: &Function, inst: Inst) -> bool {
    let cache = func.dfg.insts[inst].mem().map_or(CacheOp::None, |m| m.cache);
    !matches!(cache, CacheOp::None | CacheOp::NonCoherent) || is_of_halves(func, inst)
}
