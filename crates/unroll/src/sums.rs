//! Indices that are sums in the form that was measured: where `r = p + n` stands before a loop, `r[i]` in it is `p[n + i]`
//! there, and counts more.
//!
//! Measured on nvcc 13.5 with padded loops (2026-11-23). For sm_90 an address counts one more. For sm_100 it counts nothing
//! more where `r` is used in another place, too; one more in a group's memory, where `n` comes from a number of the launch
//! by constants alone, and where a loop around computes it; else two more.

use ir::{AddrSpace, Function, Opcode, Type, Value, ValueDef};

/// Operations between a number and its leaves.
const MAX_DEPTH: u32 = 6;

/// Uses of each value of a function, to 255.
#[derive(Default)]
pub(crate) struct Uses(Option<cranelift_entity::SecondaryMap<Value, u8>>);

impl Uses {
    /// How often a value was used when this was first asked.
    fn of(&mut self, func: &Function, v: Value) -> u8 {
        let count = || {
            let mut uses = cranelift_entity::SecondaryMap::<Value, u8>::new();
            for i in func.layout.blocks().flat_map(|b| func.layout.insts(b)) {
                func.dfg.for_each_use(i, |u| uses[u] = uses[u].saturating_add(1));
                // `r[i + 5]` was a use of `r` before the constant was taken out of the index.
                if func.dfg.op(i) != Opcode::PtrAdd || func.dfg.as_bits(func.dfg.arg(i, 1)).is_none() {
                    continue;
                }
                if let Some(element) = func.dfg.def_op(func.dfg.arg(i, 0), Opcode::PtrAdd) {
                    let base = func.dfg.arg(element, 0);
                    uses[base] = uses[base].saturating_add(1);
                }
            }
            uses
        };
        self.0.get_or_insert_with(count)[v]
    }
}

/// What an address counts beside the one for itself, whose base is `base + offset`, both computed before the loop.
pub(crate) fn extra(func: &Function, uses: &mut Uses, base: Value, offset: Value, for_sm_100: bool) -> u8 {
    if !for_sm_100 {
        return 1;
    }
    if uses.of(func, base) > 1 {
        return 0;
    }
    let near = func.dfg.ty(base).space() == Some(AddrSpace::Shared);
    if near || is_number(func, offset, 0) || is_of_a_loop(func, offset, 0) { 1 } else { 2 }
}

/// Whether a value is a number of the launch, or made of one by constants.
fn is_number(func: &Function, v: Value, depth: u32) -> bool {
    let Some(i) = func.dfg.def_inst(v) else { return false };
    match func.dfg.op(i) {
        Opcode::Special => func.dfg.ty(v) == Type::I32,
        _ if depth > MAX_DEPTH => false,
        Opcode::SExt | Opcode::ZExt => is_number(func, func.dfg.arg(i, 0), depth + 1),
        Opcode::Mul | Opcode::Shl | Opcode::Add => {
            func.dfg.as_bits(func.dfg.arg(i, 1)).is_some() && is_number(func, func.dfg.arg(i, 0), depth + 1)
        }
        _ => false,
    }
}

/// Whether a loop's variable takes part in a value.
fn is_of_a_loop(func: &Function, v: Value, depth: u32) -> bool {
    match func.dfg.def(v) {
        ValueDef::Param(b, _) => b != func.layout.entry(),
        ValueDef::Inst(i) if depth < MAX_DEPTH && func.dfg.op(i).is_pure() => {
            func.dfg.args(i).iter().any(|&a| is_of_a_loop(func, a, depth + 1))
        }
        _ => false,
    }
}
