//! What LLVM is told of loops: our unroller's decisions stand; what may be summed in any order goes into vectors, or into several sums.
//! So do loops beside the lanes of work-items that only store numbers which are the same for all of these.

use super::func::FuncGen;
use super::ll::Val;
use inkwell::llvm_sys::prelude::LLVMMetadataRef;
use ir::{Block, Flags, Function, Inst, Module, Opcode, UnrollRequest, Value};
use rustc_hash::FxHashSet;

/// So many sums hide what an addition takes.
const SUMS: u64 = 4;

impl FuncGen<'_> {
    /// What is known of the loop that the terminator of a block repeats.
    pub(super) fn loop_metadata(&self, i: Inst, terminator: Val) {
        let ll = self.ll;
        let mut parts: Vec<LLVMMetadataRef> = Vec::new();
        let number = |name: &str, n: u64| ll.md_node(&[ll.md_string(name), ll.md_constant(ll.iconst(32, 1, n))]);
        let meta = self.f.dfg.insts[i].loop_md().map(|md| &self.f.loops[md]);
        if meta.is_some_and(|m| m.done || m.nounroll || m.unroll == UnrollRequest::Disable) {
            parts.push(ll.md_node(&[ll.md_string("llvm.loop.unroll.disable")]));
        }
        if meta.is_some_and(|m| m.must_progress) {
            parts.push(ll.md_node(&[ll.md_string("llvm.loop.mustprogress")]));
        }
        let any_order = meta.is_some_and(|m| m.any_order);
        let found_by_indices =
            self.f.layout.inst_block(i).is_some_and(|b| (any_order || self.repeats_a_sum(i, b)) && self.gathers(b));
        let fills = |b| self.cx.target.has_lanes() && fills(self.f, b) && has_lanes(self.f);
        if any_order || self.f.layout.inst_block(i).is_some_and(fills) {
            // Of sums, LLVM takes that for leave to sum in another order.
            parts.push(ll.md_node(&[ll.md_string("llvm.loop.vectorize.enable"), ll.md_constant(ll.iconst(1, 1, 1))]));
        }
        if found_by_indices {
            // Loads of lanes from anywhere take longer than one after another on many processors, most of all where they were mended in
            // microcode: what such a loop waits for is its sum.
            parts.push(number("llvm.loop.vectorize.width", 1));
            parts.push(number("llvm.loop.interleave.count", SUMS));
        }
        if meta.is_some_and(|m| m.keeps_loads) {
            parts.push(ll.md_node(&[ll.md_string("llvm.licm.disable")]));
        }
        if !parts.is_empty() {
            ll.set_metadata(terminator, "llvm.loop", ll.md_self_node(&parts));
        }
    }

    /// Whether a terminator repeats its own block, in which something may be added in another order.
    fn repeats_a_sum(&self, i: Inst, b: Block) -> bool {
        let dfg = &self.f.dfg;
        let sums = |i: Inst| dfg.op(i) == Opcode::FAdd && dfg.insts[i].flags.has(Flags::REASSOC);
        dfg.successors(i).any(|to| to == b) && self.f.layout.insts(b).any(sums)
    }

    /// Whether a loop of one block loads from addresses that it has loaded, or computed of what it has.
    fn gathers(&self, b: Block) -> bool {
        let dfg = &self.f.dfg;
        let mut loaded: FxHashSet<Value> = FxHashSet::default();
        for i in self.f.layout.insts(b) {
            let is_load = dfg.op(i) == Opcode::Load;
            let depends = dfg.args(i).iter().any(|&v| loaded.contains(&dfg.resolve(v)));
            if is_load && depends {
                return true;
            }
            if is_load || depends {
                loaded.extend(dfg.result(i));
            }
        }
        false
    }
}

/// Whether a module has loops that only store, one number after another, beside vectors.
pub(crate) fn has_fills(module: &Module) -> bool {
    let in_function = |f: &Function| f.layout.blocks().any(|b| fills(f, b)) && has_lanes(f);
    module.functions.values().any(|f| !f.is_declaration() && in_function(f))
}

/// Whether a block repeats itself and does nothing but store single numbers that it does not load: what all work-items do alike, as clearing
/// an array of the work-group, is a loop of scalars beside their vectors. Floats that it hands on would be summed in another order.
fn fills(f: &Function, b: Block) -> bool {
    let t = f.layout.terminator(b);
    let hands_floats_on = f.dfg.params(b).iter().any(|&v| f.dfg.ty(v).scalar().is_float());
    if f.dfg.op(t) != Opcode::Br || !f.dfg.successors(t).any(|to| to == b) || hands_floats_on {
        return false;
    }
    let mut stores = 0;
    let fits = f.layout.insts(b).all(|i| {
        let data = &f.dfg.insts[i];
        match data.op {
            Opcode::Store if !data.flags.has(Flags::VOLATILE) => {
                stores += 1;
                !f.dfg.ty(f.dfg.arg(i, 1)).is_vector()
            }
            _ => data.op.is_terminator() || data.is_pure() && !data.ty.is_vector(),
        }
    });
    fits && stores > 0
}

/// Whether a function computes in vectors.
fn has_lanes(f: &Function) -> bool {
    f.layout.blocks().flat_map(|b| f.layout.insts(b)).any(|i| f.dfg.insts[i].ty.is_vector())
}
