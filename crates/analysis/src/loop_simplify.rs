//! Brings loops into the shape that loop passes demand: a preheader (one block outside that jumps to the header and
//! nowhere else) and one latch.
//!
//! What must hold: [`LoopInfo`] is up to date for the loop worked on; loops worked on with the same info do not lie
//! inside each other. New blocks are unknown to the info. Cost: linear in the edges to the header.

use crate::{Loop, LoopInfo};
use ir::edit::{Passing, insert_in_front};
use ir::{Edge, Function, Opcode, Value};
use smallvec::SmallVec;

/// Gives a loop a preheader, if it has none and is entered at all. Whether one was made; then the info is out of date.
pub fn insert_preheader(func: &mut Function, info: &LoopInfo, l: Loop) -> bool {
    if info.loops.preheader(func, &info.cfg, l).is_some() {
        return false;
    }
    let header = info.loops.header(l);
    let preds = info.cfg.preds(header).iter();
    let outside: SmallVec<[Edge; 4]> = preds.filter(|e| !info.loops.contains(l, e.from)).copied().collect();
    if outside.is_empty() {
        return false;
    }
    let preheader = insert_in_front(func, header, &outside, Passing::Direct);
    func.layout.insert_block_before(preheader, header);
    true
}

/// Gives a loop a preheader and a single latch. Whether anything changed; then the info is out of date.
pub fn simplify(func: &mut Function, info: &LoopInfo, l: Loop) -> bool {
    let header = info.loops.header(l);
    let preds = info.cfg.preds(header).iter();
    let inside: SmallVec<[Edge; 4]> = preds.filter(|e| info.loops.contains(l, e.from)).copied().collect();
    let mut changed = insert_preheader(func, info, l);
    if inside.len() > 1 {
        merge_latches(func, info, l, &inside);
        changed = true;
    }
    changed | (inside.len() == 1 && fold_empty_latch(func, info, l, inside[0]))
}

/// One block that takes over all back edges, and the metadata with them.
fn merge_latches(func: &mut Function, info: &LoopInfo, l: Loop, back: &[Edge]) {
    let header = info.loops.header(l);
    let md = info.loops.md(func, l);
    let latch = insert_in_front(func, header, back, Passing::Params);
    let last = back.iter().map(|e| e.from).max_by_key(|&b| info.cfg.rpo_number(b)).unwrap_or(header);
    func.layout.insert_block_after(latch, last);
    for e in back {
        func.dfg.set_loop_md(e.inst, None);
    }
    let jump = func.layout.terminator(latch);
    func.dfg.set_loop_md(jump, md);
}

/// Takes an empty latch out, so that the test before it (`do … while`) is seen to stand at the bottom.
fn fold_empty_latch(func: &mut Function, info: &LoopInfo, l: Loop, back: Edge) -> bool {
    let latch = back.from;
    let [into] = *info.cfg.preds(latch) else { return false };
    let empty = func.layout.first_inst(latch) == Some(back.inst) && func.dfg.op(back.inst) == Opcode::Jump;
    let header = info.loops.header(l);
    let tested = func.dfg.op(into.inst) == Opcode::Br
        && info.loops.innermost(into.from) == Some(l)
        && func.dfg.insts[into.inst].loop_md().is_none()
        && func.succs(into.from).all(|s| s == latch || !info.loops.contains(l, s));
    if !empty || !tested || latch == header {
        return false;
    }
    let params: SmallVec<[Value; 8]> = func.dfg.params(latch).into();
    let given: SmallVec<[Value; 8]> = func.dfg.branch_args(into.inst, into.index as usize).into();
    let args: SmallVec<[Value; 8]> = func
        .dfg
        .branch_args(back.inst, 0)
        .iter()
        .map(|v| params.iter().position(|p| p == v).map_or(*v, |n| given[n]))
        .collect();
    let md = func.dfg.insts[back.inst].loop_md();
    func.dfg.set_successor(into.inst, into.index as usize, header);
    func.dfg.set_branch_args(into.inst, into.index as usize, &args);
    func.dfg.set_loop_md(into.inst, md);
    func.layout.remove_block(latch);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::{Block, Builder, FnKind, IntCC, LoopMeta, Module, Param, ParamAttrs, Type};

    /// A loop that two blocks enter and that goes back from two blocks; `back` says what follows the header.
    fn two_ways_in_and_back() -> (Function, Block) {
        let mut f = Function::new("f", FnKind::Device);
        for ty in [Type::I1, Type::I32] {
            f.params.push(Param { ty, name: String::new(), attrs: ParamAttrs::default() });
        }
        let entry = f.new_entry_block();
        let (left, header, even, odd, exit) =
            (f.new_block(), f.new_block(), f.new_block(), f.new_block(), f.new_block());
        let (c, n) = (f.dfg.params(entry)[0], f.dfg.params(entry)[1]);
        let i = f.dfg.add_param(header, Type::I32);
        let md = f.loops.push(LoopMeta::default());
        let mut b = Builder::at_end(&mut f, entry);
        let (zero, one) = (b.iconst(Type::I32, 0), b.iconst(Type::I32, 1));
        b.br(c, (left, &[]), (header, &[zero]));
        b.switch_to(left);
        b.jump(header, &[one]);
        b.switch_to(header);
        b.br(c, (even, &[]), (odd, &[]));
        b.switch_to(even);
        let next = b.add(i, one);
        b.jump_md(header, &[next], Some(md));
        b.switch_to(odd);
        let next = b.add(i, n);
        let more = b.icmp(IntCC::Slt, next, n);
        b.br_md(more, (header, &[next]), (exit, &[]), Some(md));
        b.switch_to(exit);
        b.ret(None);
        (f, header)
    }

    fn only_loop(info: &LoopInfo) -> Loop {
        let loops: Vec<Loop> = info.loops.iter().collect();
        assert_eq!(loops.len(), 1);
        loops[0]
    }

    #[test]
    fn ways_in_and_back_become_one() {
        let (mut f, header) = two_ways_in_and_back();
        let info = LoopInfo::new(&f);
        let l = only_loop(&info);
        assert_eq!((info.loops.preheader(&f, &info.cfg, l), info.loops.latch(l)), (None, None));
        assert!(simplify(&mut f, &info, l));

        let info = LoopInfo::new(&f);
        let l = only_loop(&info);
        let (preheader, latch) = (info.loops.preheader(&f, &info.cfg, l).unwrap(), info.loops.latch(l).unwrap());
        assert_eq!(info.loops.header(l), header);
        assert_eq!(info.cfg.preds(header).iter().map(|e| e.from).collect::<Vec<_>>(), [preheader, latch]);
        assert_eq!((f.dfg.params(preheader).len(), f.dfg.params(latch).len()), (1, 1));
        assert!(info.loops.md(&f, l).is_some(), "the metadata moved to the one way back");
        assert!(!simplify(&mut f, &info, l), "nothing is left to do");
        let mut module = Module::default();
        module.functions.push(f);
        ir::verify::verify_module(&module).unwrap();
    }

    #[test]
    fn an_empty_latch_is_folded_into_the_test() {
        let mut f = Function::new("f", FnKind::Device);
        f.params.push(Param { ty: Type::I1, name: String::new(), attrs: ParamAttrs::default() });
        let entry = f.new_entry_block();
        let (header, latch, exit) = (f.new_block(), f.new_block(), f.new_block());
        let c = f.dfg.params(entry)[0];
        let md = f.loops.push(LoopMeta::default());
        let mut b = Builder::at_end(&mut f, entry);
        b.jump(header, &[]);
        b.switch_to(header);
        b.br(c, (latch, &[]), (exit, &[]));
        b.switch_to(latch);
        b.jump_md(header, &[], Some(md));
        b.switch_to(exit);
        b.ret(None);
        let info = LoopInfo::new(&f);
        assert!(simplify(&mut f, &info, only_loop(&info)));
        assert_eq!(f.succs(header).collect::<Vec<_>>(), [header, exit]);
        assert!(!f.layout.is_placed(latch));
        let info = LoopInfo::new(&f);
        assert_eq!(info.loops.md(&f, only_loop(&info)), Some(md));
    }
}
