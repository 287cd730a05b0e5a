//! Merges blocks that follow one another without a choice.
//!
//! What must hold: no aliases, no unreachable blocks. No alias is left. Cost: linear in blocks and in what moves; where
//! anything was merged that had parameters, one walk over the function.

use crate::Cfg;
use ir::edit::merge_successor;
use ir::{Block, Flags, Function, Opcode};

/// Appends to each block the one it jumps to, as long as nothing else branches there. A jump with loop metadata stays, and one that is kept
/// [apart](Flags::APART).
/// Whether anything was merged; then `cfg` is out of date.
pub fn merge_blocks(func: &mut Function, cfg: &Cfg) -> bool {
    let (mut merged, mut aliased) = (false, false);
    for &b in cfg.rpo() {
        // What was appended already stands nowhere.
        while func.layout.is_placed(b) && has_only_successor(func, cfg, b) {
            merge_successor(func, b, |dfg, param, value| {
                dfg.replace_value(param, value);
                aliased = true;
            });
            merged = true;
        }
    }
    if aliased {
        func.resolve_aliases();
    }
    merged
}

/// Whether `b` jumps to a block that nothing else branches to.
fn has_only_successor(func: &Function, cfg: &Cfg, b: Block) -> bool {
    let t = func.layout.terminator(b);
    let stays = func.dfg.insts[t].loop_md().is_some() || func.dfg.insts[t].flags.has(Flags::APART);
    if func.dfg.op(t) != Opcode::Jump || stays {
        return false;
    }
    let s = func.dfg.successor(t, 0);
    cfg.preds(s).len() == 1 && s != cfg.entry()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::{Builder, FnKind, Type};

    #[test]
    fn blocks_in_a_row_become_one() {
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
        assert!(merge_blocks(&mut f, &cfg));
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
        assert!(merge_blocks(&mut f, &cfg));
        assert_eq!(f.layout.blocks().collect::<Vec<_>>(), [entry, head]);
        assert_eq!(f.succs(head).collect::<Vec<_>>(), [head]);
    }
}
