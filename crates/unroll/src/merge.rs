//! Joins blocks that copies leave in a row.
//!
//! Each copy of a loop's body comes with blocks of its own, although most of them are only entered from the one before.
//! Joined at once, they are no blocks, jumps and parameters to copy again when the loop around is unrolled, nor for the
//! passes after the unroller to look at.
//!
//! What must hold: no aliases, no unreachable blocks. No alias is left. Cost: linear in blocks and in what moves; where anything was joined, one
//! walk over the function.

use analysis::Cfg;
use ir::{Block, Function, Opcode, Value};
use smallvec::SmallVec;

/// Appends to each block the one it jumps to, as long as nothing else branches there.
pub(crate) fn join_rows(func: &mut Function, cfg: &Cfg) {
    let mut aliased = false;
    for &b in cfg.rpo() {
        // What was joined already stands nowhere.
        while func.layout.is_placed(b)
            && let Some(s) = only_successor(func, cfg, b)
        {
            aliased |= join(func, b, s);
        }
    }
    if aliased {
        func.resolve_aliases();
    }
}

/// The block that `b` jumps to, if nothing else does.
fn only_successor(func: &Function, cfg: &Cfg, b: Block) -> Option<Block> {
    let t = func.layout.terminator(b);
    if func.dfg.op(t) != Opcode::Jump || func.dfg.insts[t].loop_md().is_some() {
        return None;
    }
    let s = func.dfg.successor(t, 0);
    (cfg.preds(s).len() == 1 && s != cfg.entry()).then_some(s)
}

/// Appends `s` to `b`, which alone jumps there. Whether values took the place of parameters.
fn join(func: &mut Function, b: Block, s: Block) -> bool {
    let t = func.layout.terminator(b);
    let args: SmallVec<[Value; 8]> = func.dfg.branch_args(t, 0).into();
    for (n, &v) in args.iter().enumerate() {
        let p = func.dfg.params(s)[n];
        func.dfg.replace_value(p, v);
    }
    func.layout.remove_inst(t);
    if let Some(first) = func.layout.first_inst(s) {
        func.layout.split_block(first, b);
    }
    func.layout.remove_block(s);
    !args.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::{Builder, FnKind, Type};

    #[test]
    fn a_row_becomes_one_block() {
        let mut f = Function::new("f", FnKind::Device);
        f.params.push(ir::Param { ty: Type::I32, name: String::new(), attrs: ir::ParamAttrs::default() });
        f.ret = Type::I32;
        let entry = f.new_entry_block();
        // Placed before the block that jumps to it.
        let (third, second) = (f.new_block(), f.new_block());
        let x = f.dfg.params(entry)[0];
        let (y, z) = (f.dfg.add_param(second, Type::I32), f.dfg.add_param(third, Type::I32));
        let mut b = Builder::at_end(&mut f, entry);
        b.jump(second, &[x]);
        b.switch_to(second);
        let sum = b.add(y, y);
        b.jump(third, &[sum]);
        b.switch_to(third);
        let product = b.add(z, x);
        b.ret(Some(product));
        let cfg = Cfg::new(&f);
        join_rows(&mut f, &cfg);
        assert_eq!(f.layout.blocks().collect::<Vec<_>>(), [entry]);
        let insts: Vec<_> = f.layout.insts(entry).collect();
        assert_eq!(f.dfg.args(insts[0]), [x, x]);
        assert_eq!(f.dfg.args(insts[1]), [f.dfg.res(insts[0]), x]);
    }

    #[test]
    fn a_loop_without_exit_stays() {
        let mut f = Function::new("f", FnKind::Device);
        let entry = f.new_entry_block();
        let (head, latch) = (f.new_block(), f.new_block());
        Builder::at_end(&mut f, entry).jump(head, &[]);
        Builder::at_end(&mut f, head).jump(latch, &[]);
        Builder::at_end(&mut f, latch).jump(head, &[]);
        let cfg = Cfg::new(&f);
        join_rows(&mut f, &cfg);
        assert_eq!(f.layout.blocks().collect::<Vec<_>>(), [entry, head]);
        assert_eq!(f.succs(head).collect::<Vec<_>>(), [head]);
    }
}
