//! What LLVM is told of loops: our unroller's decisions stand; what may be summed in any order goes into vectors, or into several sums.

use super::func::FuncGen;
use super::ll::Val;
use inkwell::llvm_sys::prelude::LLVMMetadataRef;
use ir::{Block, Flags, Inst, Opcode, UnrollRequest, Value};
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
        if any_order {
            // LLVM takes that for leave to sum in another order.
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
