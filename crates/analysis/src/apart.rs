//! What a function does that only works as a part of its kernel.
//!
//! On targets where the work-items of a group run in one another's place (loops over them, lanes of vectors), a
//! function that is called is code for one work-item that knows nothing of its place in the group. What asks for that,
//! or waits for others, has to be inlined into the kernel.

use cranelift_entity::SecondaryMap;
use ir::{AddrSpace, ConstKind, FuncId, Intrinsic, Module, Opcode, SpecialReg, ValueDef};

/// What in a function itself makes it a part of its kernel, in words that follow "which"; its callees are not looked at.
pub fn needs_kernel(module: &Module, f: FuncId) -> Option<&'static str> {
    let func = &module.functions[f];
    if func.is_heap_function() {
        return None;
    }
    if func.is_declaration() {
        return Some("has no body");
    }
    let shared = |v: ir::Value| {
        matches!(func.dfg.values[v].def, ValueDef::Const(ConstKind::Global(g))
            if module.globals[g].space == AddrSpace::Shared)
    };
    for i in func.layout.blocks().flat_map(|b| func.layout.insts(b)) {
        let data = &func.dfg.insts[i];
        let mut uses_shared = false;
        func.dfg.for_each_use(i, |v| uses_shared |= shared(v));
        if uses_shared {
            return Some("uses work-group memory");
        }
        match data.op {
            Opcode::Special if !matches!(data.special(), Some(SpecialReg::WarpSize) | None) => {
                return Some("asks for the work-item's place");
            }
            Opcode::InlineAsm => return Some("contains inline assembly"),
            Opcode::Intrinsic => match data.intrinsic() {
                Some(Intrinsic::Trap | Intrinsic::Exit) => return Some("may end the work-item"),
                Some(
                    Intrinsic::IsGlobal
                    | Intrinsic::IsConst
                    | Intrinsic::IsLocal
                    | Intrinsic::IsShared
                    | Intrinsic::IsCluster
                    | Intrinsic::IsParam,
                ) => {
                    return Some("asks for a pointer's address space");
                }
                _ if data.is_convergent() => return Some("waits for other work-items"),
                _ => {}
            },
            _ => {}
        }
    }
    None
}

/// The same for a function and all that it calls: the function at fault and the words. `seen` are functions that are known
/// to be separate, to which those that this one reaches are added.
pub fn reaches_kernel(
    module: &Module,
    callee: FuncId,
    seen: &mut SecondaryMap<FuncId, bool>,
) -> Option<(FuncId, &'static str)> {
    let mut todo = vec![callee];
    while let Some(f) = todo.pop() {
        if std::mem::replace(&mut seen[f], true) {
            continue;
        }
        if let Some(what) = needs_kernel(module, f) {
            return Some((f, what));
        }
        let func = &module.functions[f];
        if func.is_declaration() {
            continue;
        }
        let insts = func.layout.blocks().flat_map(|b| func.layout.insts(b));
        todo.extend(insts.filter_map(|i| func.dfg.insts[i].callee()));
    }
    None
}
