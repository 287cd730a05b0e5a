//! What LLVM is told of loops: our unroller's decisions stand; what may be summed in any order goes into vectors, or into several sums.

use super::func::FuncGen;
use super::ll::Val;
use inkwell::llvm_sys::prelude::LLVMMetadataRef;
use ir::{Block, Inst, Opcode, UnrollRequest, Value};
use rustc_hash::FxHashSet;

/// So many sums hide what an addition takes.
const SUMS: u64 = 4;

impl FuncGen<'_> {
    /// What is known of the loop that the terminator of a block repeats.
    pub(super) fn loop_metadata(&self, i: Inst, terminator: Val) {
        let Some(md) = self.f.dfg.insts[i].loop_md() else { return };
        let meta = &self.f.loops[md];
        let ll = self.ll;
        let mut parts: Vec<LLVMMetadataRef> = Vec::new();
        let number = |name: &str, n: u64| ll.md_node(&[ll.md_string(name), ll.md_constant(ll.iconst(32, 1, n))]);
        if meta.done || meta.nounroll || meta.unroll == UnrollRequest::Disable {
            parts.push(ll.md_node(&[ll.md_string("llvm.loop.unroll.disable")]));
        }
        if meta.must_progress {
            parts.push(ll.md_node(&[ll.md_string("llvm.loop.mustprogress")]));
        }
        if meta.any_order {
            // LLVM takes that for leave to sum in another order.
            parts.push(ll.md_node(&[ll.md_string("llvm.loop.vectorize.enable"), ll.md_constant(ll.iconst(1, 1, 1))]));
            // Loads of lanes from anywhere take longer than one after another on many processors, most of all where they were mended in
            // microcode: what such a loop waits for is its sum.
            if self.f.layout.inst_block(i).is_some_and(|b| self.gathers(b)) {
                parts.push(number("llvm.loop.vectorize.width", 1));
                parts.push(number("llvm.loop.interleave.count", SUMS));
            }
        }
        if meta.keeps_loads {
            parts.push(ll.md_node(&[ll.md_string("llvm.licm.disable")]));
        }
        if !parts.is_empty() {
            ll.set_metadata(terminator, "llvm.loop", ll.md_self_node(&parts));
        }
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
