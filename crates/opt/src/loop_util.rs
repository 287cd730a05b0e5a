//! Preheaders: a block before each loop where code may be put that runs once per entry.

use crate::PassContext;
use analysis::{Edge, Loop, LoopInfo};
use ir::{Block, Flags, Function, Opcode, Payload, Type, Value};
use smallvec::SmallVec;

/// Gives every loop of a function a preheader, and returns its control flow as it then is. The caller leaves it so.
pub(crate) fn with_preheaders(func: &mut Function, cx: &mut PassContext<'_>) -> LoopInfo {
    let info = cx.loops(func);
    let mut changed = false;
    for l in info.loops.iter() {
        if info.loops.preheader(func, &info.cfg, l).is_none() {
            add_preheader(func, &info, l);
            changed = true;
        }
    }
    if !changed {
        cx.keep_graph();
        return info;
    }
    LoopInfo::new(func)
}

/// A new block through which every edge into the loop leads. The header's loop metadata stays on its back edges.
fn add_preheader(func: &mut Function, info: &LoopInfo, l: Loop) {
    let header = info.loops.header(l);
    let outside: SmallVec<[Edge; 4]> =
        info.cfg.preds(header).iter().copied().filter(|e| !info.loops.contains(l, e.from)).collect();
    let pre: Block = func.dfg.make_block();
    func.layout.insert_block_before(pre, header);
    let types: SmallVec<[Type; 8]> = func.dfg.params(header).iter().map(|&p| func.dfg.ty(p)).collect();
    let params: SmallVec<[Value; 8]> = types.into_iter().map(|ty| func.dfg.add_param(pre, ty)).collect();
    for e in &outside {
        func.dfg.set_successor(e.inst, e.index as usize, pre);
    }
    let call = func.dfg.block_call(header, &params);
    let jump = func.dfg.make_inst(Opcode::Jump, Type::VOID, Flags::NONE, &[], Payload::Jump(call, None.into()));
    if let Some(e) = outside.first() {
        let span = func.dfg.span(e.inst);
        func.dfg.set_span(jump, span);
    }
    func.layout.append_inst(jump, pre);
}
