//! Changes to control flow that several passes make. Each leaves a function that the verifier accepts, if it is given
//! one; where values take the place of parameters, aliases stay behind for the caller to resolve.

use crate::{Block, Builder, Dfg, Function, Inst, LoopMd, Opcode, ReversePostOrder, Type, Value};
use smallvec::SmallVec;

/// A branch from one block to another: successor `index` of the terminator `inst` of `from`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The block that is left.
    pub from: Block,
    /// Its terminator.
    pub inst: Inst,
    /// Which successor of the terminator.
    pub index: u32,
}

/// How the values of an edge get through a block that is put into it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passing {
    /// Past the block where only one edge leads through it, as parameters of the block where several do.
    Direct,
    /// As parameters of the block: what leaves a loop in closed form does.
    Params,
}

/// Takes out the blocks that are not in `order`. Whether there were any.
pub fn remove_unreachable(func: &mut Function, order: &ReversePostOrder) -> bool {
    if !order.has_unreachable() {
        return false;
    }
    let mut next = func.layout.first_block();
    while let Some(b) = next {
        next = func.layout.next_block(b);
        if !order.contains(b) {
            func.layout.remove_block(b);
        }
    }
    true
}

/// Keeps the parameters of `block` for which `keep` says so, and their arguments in `preds`, which are all branches to
/// it. The caller has replaced the other parameters' values.
pub fn retain_params(func: &mut Function, block: Block, preds: &[Edge], keep: &[bool]) {
    for e in preds {
        let args = func.dfg.branch_args(e.inst, e.index as usize).iter().zip(keep);
        let args: SmallVec<[Value; 8]> = args.filter(|(_, keep)| **keep).map(|(v, _)| *v).collect();
        func.dfg.set_branch_args(e.inst, e.index as usize, &args);
    }
    func.dfg.retain_params(block, keep);
}

/// The only instruction of a block, if it has just one.
pub fn only_inst(func: &Function, block: Block) -> Option<Inst> {
    let i = func.layout.first_inst(block)?;
    (func.layout.last_inst(block) == Some(i)).then_some(i)
}

/// A new block that takes over `edges` to `target`, at least one, and jumps there. The caller places it. Loop metadata
/// stays on the edges.
pub fn insert_in_front(func: &mut Function, target: Block, edges: &[Edge], passing: Passing) -> Block {
    let block = func.dfg.make_block();
    let span = func.dfg.span(edges[0].inst);
    let mut passed: SmallVec<[Value; 8]> = SmallVec::new();
    if let ([only], Passing::Direct) = (edges, passing) {
        passed.extend_from_slice(func.dfg.branch_args(only.inst, only.index as usize));
        func.dfg.set_branch_args(only.inst, only.index as usize, &[]);
    } else {
        let types: SmallVec<[Type; 8]> = func.dfg.params(target).iter().map(|&p| func.dfg.ty(p)).collect();
        passed.extend(types.iter().map(|&t| func.dfg.add_param(block, t)));
    }
    for e in edges {
        func.dfg.set_successor(e.inst, e.index as usize, block);
    }
    let mut b = Builder::at_end(func, block);
    b.set_span(span);
    b.jump(target, &passed);
    block
}

/// Puts a new block into one edge, places it behind `place` and returns it.
pub fn split_edge(func: &mut Function, edge: Edge, place: Block, passing: Passing) -> Block {
    let target = func.dfg.successor(edge.inst, edge.index as usize);
    let block = insert_in_front(func, target, &[edge], passing);
    func.layout.insert_block_after(block, place);
    block
}

/// Appends to `block` the block that it jumps to, and that nothing else branches to. `bind` is called with each of that
/// block's parameters and its value, and makes the value take the parameter's place. What metadata the jump had is
/// lost.
pub fn merge_successor(func: &mut Function, block: Block, mut bind: impl FnMut(&mut Dfg, Value, Value)) {
    let jump = func.layout.terminator(block);
    debug_assert_eq!(func.dfg.op(jump), Opcode::Jump, "only a block's one successor is appended to it");
    let next = func.dfg.successor(jump, 0);
    for n in 0..func.dfg.params(next).len() {
        let (param, value) = (func.dfg.params(next)[n], func.dfg.branch_args(jump, 0)[n]);
        bind(&mut func.dfg, param, value);
    }
    func.layout.remove_inst(jump);
    if let Some(first) = func.layout.first_inst(next) {
        func.layout.split_block(first, block);
    }
    func.layout.remove_block(next);
}

/// Puts a jump in the place of a terminator.
pub fn replace_by_jump(func: &mut Function, term: Inst, to: Block, args: &[Value], md: Option<LoopMd>) -> Inst {
    let jump = Builder::before(func, term).jump_md(to, args, md);
    func.layout.remove_inst(term);
    jump
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FnKind, Param, ParamAttrs, verify};

    /// `entry(x, c)` branches to `end(p)` with `x` or with 0.
    fn forked() -> (Function, Block, Block, Inst) {
        let mut f = Function::new("f", FnKind::Device);
        for ty in [Type::I32, Type::I1] {
            f.params.push(Param { ty, name: String::new(), attrs: ParamAttrs::default() });
        }
        f.ret = Type::I32;
        let entry = f.new_entry_block();
        let end = f.new_block();
        let (x, c) = (f.dfg.params(entry)[0], f.dfg.params(entry)[1]);
        let p = f.dfg.add_param(end, Type::I32);
        let mut b = Builder::at_end(&mut f, entry);
        let zero = b.iconst(Type::I32, 0);
        let t = b.br(c, (end, &[x]), (end, &[zero]));
        b.switch_to(end);
        b.ret(Some(p));
        (f, entry, end, t)
    }

    fn check(f: Function) {
        let mut module = crate::Module::default();
        module.functions.push(f);
        verify::verify_module(&module).unwrap();
    }

    #[test]
    fn one_edge_hands_its_values_past_the_new_block() {
        let (mut f, entry, end, t) = forked();
        let x = f.dfg.params(entry)[0];
        let new = split_edge(&mut f, Edge { from: entry, inst: t, index: 0 }, entry, Passing::Direct);
        assert_eq!(f.layout.blocks().collect::<Vec<_>>(), [entry, new, end]);
        assert!(f.dfg.params(new).is_empty() && f.dfg.branch_args(t, 0).is_empty());
        assert_eq!(f.dfg.branch_args(f.layout.terminator(new), 0), [x]);
        check(f);
    }

    #[test]
    fn values_pass_as_parameters_where_asked() {
        let (mut f, entry, _, t) = forked();
        let x = f.dfg.params(entry)[0];
        let new = split_edge(&mut f, Edge { from: entry, inst: t, index: 0 }, entry, Passing::Params);
        assert_eq!(f.dfg.branch_args(t, 0), [x]);
        assert_eq!(f.dfg.branch_args(f.layout.terminator(new), 0), f.dfg.params(new).to_vec());
        check(f);
    }

    #[test]
    fn several_edges_need_parameters() {
        let (mut f, entry, end, t) = forked();
        let edges = [0, 1].map(|index| Edge { from: entry, inst: t, index });
        let new = insert_in_front(&mut f, end, &edges, Passing::Direct);
        f.layout.insert_block_before(new, end);
        assert_eq!(f.dfg.params(new).len(), 1);
        assert_eq!(f.succs(entry).collect::<Vec<_>>(), [new, new]);
        check(f);
    }

    #[test]
    fn a_parameter_goes_with_its_arguments() {
        let (mut f, entry, end, t) = forked();
        let (x, p) = (f.dfg.params(entry)[0], f.dfg.params(end)[0]);
        let edges = [0, 1].map(|index| Edge { from: entry, inst: t, index });
        f.dfg.replace_value(p, x);
        retain_params(&mut f, end, &edges, &[false]);
        f.resolve_aliases();
        assert!(f.dfg.params(end).is_empty() && f.dfg.branch_args(t, 1).is_empty());
        check(f);
    }

    #[test]
    fn a_successor_is_appended() {
        let (mut f, entry, end, t) = forked();
        let x = f.dfg.params(entry)[0];
        replace_by_jump(&mut f, t, end, &[x], None);
        merge_successor(&mut f, entry, Dfg::replace_value);
        f.resolve_aliases();
        assert_eq!(f.layout.blocks().collect::<Vec<_>>(), [entry]);
        assert_eq!(f.dfg.args(f.layout.terminator(entry)), [x]);
        check(f);
    }

    #[test]
    fn unreachable_blocks_go() {
        let (mut f, entry, end, _) = forked();
        let dead = f.new_block();
        let zero = f.dfg.iconst(Type::I32, 0);
        Builder::at_end(&mut f, dead).jump(end, &[zero]);
        let order = ReversePostOrder::new(&f);
        assert!(remove_unreachable(&mut f, &order));
        assert_eq!(f.layout.blocks().collect::<Vec<_>>(), [entry, end]);
        let order = ReversePostOrder::new(&f);
        assert!(!remove_unreachable(&mut f, &order));
        check(f);
    }

    #[test]
    fn a_block_with_one_instruction_is_seen() {
        let (f, entry, end, t) = forked();
        assert_eq!(only_inst(&f, entry), Some(t));
        assert_eq!(only_inst(&f, end).map(|i| f.dfg.op(i)), Some(Opcode::Return));
    }
}
