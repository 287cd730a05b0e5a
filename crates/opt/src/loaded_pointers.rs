//! Which kernels find only addresses of global memory in memory.
//!
//! A generic pointer that is read from memory (`c->rows[i]`, the next node of a list) leads to global memory if nothing
//! else was put there: the host can write no other address, and an address of a group's memory, of a stack slot or of a
//! parameter means something only to the launch that took it. So a kernel is looked at with all functions that it can
//! call: if none of them stores such an address, or hands it to something that might, what it loads is global. Addresses
//! of constants outlive a launch; where one gets into memory, nothing is said of any kernel.
//!
//! (NVIDIA's compiler goes the same way, kernel by kernel; it warned of it once: "assuming global memory space".)
//!
//! What must hold: calls are inlined as far as they will be, variables are values where they can be. Cost: linear, and
//! that of [`infer_space`] for each function with loads of generic pointers.

use crate::infer_space;
use analysis::Cfg;
use cranelift_entity::SecondaryMap;
use ir::{AddrSpace, FnKind, FuncId, Function, GlobalInit, Module, Opcode, Type};

/// Functions that are not in the module and keep no pointer that they are given.
const HARMLESS: [&str; 5] = ["malloc", "free", "vprintf", "__assertfail", "__assert_fail"];

/// The kernels for which it holds, and that read such pointers.
pub(crate) fn global(module: &Module) -> Vec<FuncId> {
    if !module.functions.values().any(loads_pointers)
        || module.globals.values().any(|g| holds_constants(module, &g.init))
    {
        return Vec::new();
    }
    let mut leaks: SecondaryMap<FuncId, bool> = SecondaryMap::new();
    for (id, f) in &module.functions {
        leaks[id] = if f.is_declaration() { !HARMLESS.contains(&f.name.as_str()) } else { lets_go(f) };
        if leaks[id] && casts_constants(f) {
            return Vec::new();
        }
    }
    let kernels = module.functions.iter().filter(|(_, f)| f.kind == FnKind::Kernel && loads_pointers(f));
    kernels.map(|(id, _)| id).filter(|&k| !reaches(module, k, &leaks)).collect()
}

/// Whether a function reads a generic pointer.
fn loads_pointers(f: &Function) -> bool {
    instructions(f).any(|i| f.dfg.op(i) == Opcode::Load && f.dfg.insts[i].ty == Type::PTR)
}

fn instructions(f: &Function) -> impl Iterator<Item = ir::Inst> + '_ {
    f.layout.blocks().flat_map(|b| f.layout.insts(b))
}

fn holds_constants(module: &Module, init: &GlobalInit) -> bool {
    let GlobalInit::Bytes(_, relocs) = init else { return false };
    relocs.iter().any(|r| r.generic && module.globals[r.global].space != AddrSpace::Global)
}

fn casts_constants(f: &Function) -> bool {
    instructions(f).any(|i| {
        let from = || f.dfg.ty(f.dfg.arg(i, 0)).space();
        f.dfg.op(i) == Opcode::AddrSpaceCast && from() == Some(AddrSpace::Constant)
    })
}

/// Whether the address of something that is not global may get into memory, or out of sight.
fn lets_go(f: &Function) -> bool {
    let cfg = Cfg::new(f);
    let spaces = infer_space::spaces(f, &cfg);
    instructions(f).any(|i| {
        let op = f.dfg.op(i);
        let kept = match op {
            Opcode::Store => 1..2,
            Opcode::PtrToInt if f.dfg.insts[i].ty.bits() == 64 => 0..1,
            Opcode::Scatter | Opcode::MaskedStore | Opcode::InlineAsm => 0..f.dfg.args(i).len(),
            Opcode::AtomicRmw | Opcode::AtomicCas => 1..f.dfg.args(i).len(),
            _ => return false,
        };
        f.dfg.args(i)[kept].iter().any(|&v| f.dfg.ty(v).is_ptr() && !spaces.is_global(v))
    })
}

/// Whether one of the functions that `from` can come to does what `leaks` says.
fn reaches(module: &Module, from: FuncId, leaks: &SecondaryMap<FuncId, bool>) -> bool {
    let mut seen: SecondaryMap<FuncId, bool> = SecondaryMap::new();
    let mut open = vec![from];
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut seen[id], true) {
            continue;
        }
        if leaks[id] {
            return true;
        }
        let f = &module.functions[id];
        open.extend(instructions(f).filter_map(|i| f.dfg.insts[i].callee()));
    }
    false
}
