//! Several work-groups in one call.
//!
//! A caller that runs groups one after another pays for each a call and the group's prologue: arguments, constants in vectors,
//! bounds. Kernels of a few instructions take longer for that than for their work. Here the function's body becomes the body of
//! two loops over the groups of a rectangle, from the context's `group_id` on and up to its `run_end` in x and its `rows_end` in y, so that
//! LLVM moves out of them what all of them share. Rows follow each other: a launch may have one group in each.
//!
//! Must hold: the function is as [`crate::work_group`] made it, and its caller sets both ends, which are beyond `group_id`. It leaves `group_id` at the last group. A group that stops the kernel does not stop the others. Cost: linear.

use ir::{Block, Builder, Flags, FuncId, Function, IntCC, MemInfo, Module, Opcode, Type, Value};
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
    let blocks: Vec<Block> = func.layout.blocks().collect();
    let header = func.new_block();
    let latches = Latches { columns: func.new_block(), rows: func.new_block(), done: func.new_block() };
    for b in blocks.into_iter().filter(|&b| b != entry) {
        let end = func.layout.terminator(b);
        if func.dfg.op(end) == Opcode::Return {
            func.remove_inst(end);
            Builder::at_end(func, b).jump(latches.columns, &[]);
        }
    }
    loops(func, context, (entry, header, body), &latches);
}

/// Where a run goes on behind a group, behind a row, and at its end.
struct Latches {
    columns: Block,
    rows: Block,
    done: Block,
}

/// The loops around the blocks from `body` on to the latches.
fn loops(func: &mut Function, context: Value, (entry, header, body): (Block, Block, Block), latches: &Latches) {
    let word = MemInfo::aligned(4);
    let row = func.new_block();
    let mut at = Builder::at_end(func, entry);
    let field = |at: &mut Builder<'_>, offset: i64| {
        let offset = at.iconst(Type::I64, offset);
        at.ptradd(context, offset, Flags::INBOUNDS)
    };
    let id_of_row = field(&mut at, GroupContext::OFFSET_GROUP_ID + 4);
    let [first, top] = [context, id_of_row].map(|place| at.load(Type::I32, place, word, Flags::NONE));
    let ends = [GroupContext::OFFSET_RUN_END, GroupContext::OFFSET_ROWS_END].map(|end| {
        let place = field(&mut at, end);
        at.load(Type::I32, place, word, Flags::INVARIANT)
    });
    at.jump(row, &[top]);
    let y = func.dfg.add_param(row, Type::I32);
    let mut at = Builder::at_end(func, row);
    at.store(id_of_row, y, word, Flags::NONE);
    at.jump(header, &[first]);
    let x = func.dfg.add_param(header, Type::I32);
    let mut at = Builder::at_end(func, header);
    at.store(context, x, word, Flags::NONE);
    at.jump(body, &[]);
    for (latch, now, end, again, on) in
        [(latches.columns, x, ends[0], header, latches.rows), (latches.rows, y, ends[1], row, latches.done)]
    {
        let mut at = Builder::at_end(func, latch);
        let one = at.iconst(Type::I32, 1);
        let next = at.add(now, one);
        let more = at.icmp(IntCC::Ult, next, end);
        at.br(more, (again, &[next]), (on, &[]));
    }
    Builder::at_end(func, latches.done).ret(None);
}

/// What is read where the context has the group's number in x or y is no longer the same during the whole call.
fn read_ids_again(func: &mut Function, context: Value) {
    let blocks: Vec<Block> = func.layout.blocks().collect();
    for b in blocks {
        let mut next = func.layout.first_inst(b);
        while let Some(i) = next {
            next = func.layout.next_inst(i);
            if func.dfg.op(i) == Opcode::Load && is_id(func, context, func.dfg.arg(i, 0)) {
                func.dfg.insts[i].flags = func.dfg.insts[i].flags.without(Flags::INVARIANT);
            }
        }
    }
}

/// Whether a place is that of the group's number in x or y, or one that is not known.
fn is_id(func: &Function, context: Value, place: Value) -> bool {
    if place == context {
        return true;
    }
    let Some(i) = func.dfg.def_op(place, Opcode::PtrAdd) else { return false };
    let offset = func.dfg.as_int(func.dfg.arg(i, 1));
    func.dfg.arg(i, 0) == context && offset.is_none_or(|o| o < GroupContext::OFFSET_GROUP_ID + 8)
}
