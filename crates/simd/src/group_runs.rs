//! Several work-groups in one call.
//!
//! A caller that runs groups one after another pays for each a call and the group's prologue: arguments, constants in vectors,
//! bounds. Kernels of a few instructions take longer for that than for their work. Here the function's body becomes the body of
//! a loop over groups that follow each other in x, from the context's `group_id` on and up to its `run_end`, so that LLVM moves
//! out of it what all of them share.
//!
//! Must hold: the function is as [`crate::work_group`] made it, and its caller sets `run_end`. It leaves `group_id` at the
//! last group. A group that stops the kernel does not stop the others. Cost: linear.

use ir::{Builder, Flags, FuncId, IntCC, MemInfo, Module, Opcode, Type, Value};
use launch::context::GroupContext;

/// Makes a work-group function one of runs of groups.
pub fn loop_over_groups(module: &mut Module, func: FuncId) {
    let func = &mut module.functions[func];
    let body = func.layout.entry();
    let entry = func.new_entry_block();
    func.layout.remove_block(entry);
    func.layout.insert_block_before(entry, body);
    let (old, new) = (func.dfg.params(body).to_vec(), func.dfg.params(entry).to_vec());
    func.dfg.retain_params(body, &vec![false; old.len()]);
    for (old, &new) in old.into_iter().zip(&new) {
        func.dfg.replace_value(old, new);
    }
    func.resolve_aliases();
    let context = new[1];
    read_ids_again(func, context);
    let blocks: Vec<ir::Block> = func.layout.blocks().collect();
    let (header, latch, done) = (func.new_block(), func.new_block(), func.new_block());
    for b in blocks.into_iter().filter(|&b| b != entry) {
        let end = func.layout.terminator(b);
        if func.dfg.op(end) == Opcode::Return {
            func.remove_inst(end);
            Builder::at_end(func, b).jump(latch, &[]);
        }
    }
    let word = MemInfo::aligned(4);
    let mut at = Builder::at_end(func, entry);
    let first = at.load(Type::I32, context, word, Flags::NONE);
    let offset = at.iconst(Type::I64, GroupContext::OFFSET_RUN_END);
    let place = at.ptradd(context, offset, Flags::INBOUNDS);
    let end = at.load(Type::I32, place, word, Flags::INVARIANT);
    at.jump(header, &[first]);
    let group = func.dfg.add_param(header, Type::I32);
    let mut at = Builder::at_end(func, header);
    at.store(context, group, word, Flags::NONE);
    at.jump(body, &[]);
    let mut at = Builder::at_end(func, latch);
    let one = at.iconst(Type::I32, 1);
    let next = at.add(group, one);
    let more = at.icmp(IntCC::Ult, next, end);
    at.br(more, (header, &[next]), (done, &[]));
    Builder::at_end(func, done).ret(None);
}

/// What is read where the context has the group's number is no longer the same during the whole call.
fn read_ids_again(func: &mut ir::Function, context: Value) {
    let blocks: Vec<ir::Block> = func.layout.blocks().collect();
    for b in blocks {
        let mut next = func.layout.first_inst(b);
        while let Some(i) = next {
            next = func.layout.next_inst(i);
            if func.dfg.op(i) == Opcode::Load && func.dfg.arg(i, 0) == context {
                func.dfg.insts[i].flags = func.dfg.insts[i].flags.without(Flags::INVARIANT);
            }
        }
    }
}
