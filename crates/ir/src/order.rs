//! Reverse post-order of blocks, and with it what can be reached at all.
//!
//! Out of date once a terminator changes or a block comes or goes. Cost: linear in blocks and edges; the search keeps
//! its own stack, so that long chains of blocks do not exhaust the thread's.

use crate::{Block, Function, Inst, side_table};
use cranelift_entity::SecondaryMap;

/// No position: the block cannot be reached.
const NONE: u32 = u32::MAX;

/// The blocks that can be reached from the entry, each before its successors, back edges aside. A block that dominates
/// another stands before it. The first successor of a branch comes first where there is a choice.
#[derive(Clone, PartialEq, Debug)]
pub struct ReversePostOrder {
    blocks: Vec<Block>,
    position: SecondaryMap<Block, u32>,
    unreachable: bool,
}

impl ReversePostOrder {
    /// The order of all blocks that the entry reaches.
    ///
    /// # Panics
    /// If the function is a declaration or a block that is reached lacks its terminator.
    pub fn new(func: &Function) -> Self {
        Self::search(func, None)
    }

    /// The order of the blocks that the entry reaches without going through `avoided`, which is not in it.
    ///
    /// # Panics
    /// As [`Self::new`].
    pub fn avoiding(func: &Function, avoided: Block) -> Self {
        Self::search(func, Some(avoided))
    }

    /// Depth-first, the last successor first, so that the first one ends up right behind its predecessor.
    fn search(func: &Function, avoided: Option<Block>) -> Self {
        let count = func.dfg.blocks.len();
        let mut position = SecondaryMap::with_default(NONE);
        position.resize(count);
        let mut blocks = Vec::with_capacity(count);
        let mut stack: Vec<(Block, Inst, u32)> = Vec::with_capacity(16);
        let mut visit = |b: Block, stack: &mut Vec<(Block, Inst, u32)>| {
            if position[b] == NONE && Some(b) != avoided {
                position[b] = 0;
                let t = func.layout.terminator(b);
                stack.push((b, t, func.dfg.successor_count(t) as u32));
            }
        };
        visit(func.layout.entry(), &mut stack);
        while let Some((b, t, left)) = stack.last_mut() {
            if *left == 0 {
                blocks.push(*b);
                stack.pop();
                continue;
            }
            *left -= 1;
            let next = func.dfg.successor(*t, *left as usize);
            visit(next, &mut stack);
        }
        blocks.reverse();
        for (n, &b) in blocks.iter().enumerate() {
            position[b] = n as u32;
        }
        let unreachable = func.layout.blocks().any(|b| position[b] == NONE);
        Self { blocks, position, unreachable }
    }

    /// The blocks in order.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Position of a block in the order; none if it is not reached.
    pub fn position(&self, b: Block) -> Option<u32> {
        Some(self.position[b]).filter(|&n| n != NONE)
    }

    /// Positions of all blocks, `u32::MAX` for those that are not reached.
    pub fn positions(&self) -> &SecondaryMap<Block, u32> {
        &self.position
    }

    /// Whether a block is reached.
    pub fn contains(&self, b: Block) -> bool {
        self.position[b] != NONE
    }

    /// Whether some placed block is not reached.
    pub fn has_unreachable(&self) -> bool {
        self.unreachable
    }

    /// A side table with an entry for each of the function's blocks, placed or not.
    pub fn table<V: Clone + Default>(&self) -> SecondaryMap<Block, V> {
        side_table(self.position.keys().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Builder, FnKind, Type};

    /// entry → (yes, no) → end, and a block that nobody reaches, placed first after the entry.
    fn diamond() -> (Function, [Block; 5]) {
        let mut f = Function::new("f", FnKind::Device);
        let entry = f.new_entry_block();
        let (dead, end, no, yes) = (f.new_block(), f.new_block(), f.new_block(), f.new_block());
        let mut b = Builder::at_end(&mut f, entry);
        let c = b.iconst(Type::I1, 1);
        b.br(c, (yes, &[]), (no, &[]));
        for from in [yes, no, dead] {
            b.switch_to(from);
            b.jump(end, &[]);
        }
        b.switch_to(end);
        b.ret(None);
        (f, [entry, yes, no, end, dead])
    }

    #[test]
    fn first_successors_come_first() {
        let (f, [entry, yes, no, end, dead]) = diamond();
        let order = ReversePostOrder::new(&f);
        assert_eq!(order.blocks(), [entry, yes, no, end]);
        assert_eq!(order.position(end), Some(3));
        assert_eq!(order.position(dead), None);
        assert!(order.has_unreachable() && order.contains(no) && !order.contains(dead));
    }

    #[test]
    fn a_block_is_avoided() {
        let (f, [entry, yes, no, end, _]) = diamond();
        assert_eq!(ReversePostOrder::avoiding(&f, yes).blocks(), [entry, no, end]);
        assert!(!ReversePostOrder::avoiding(&f, entry).contains(end), "the entry itself");
    }

    #[test]
    fn cycles_end() {
        let mut f = Function::new("f", FnKind::Device);
        let entry = f.new_entry_block();
        let (head, latch) = (f.new_block(), f.new_block());
        Builder::at_end(&mut f, entry).jump(head, &[]);
        Builder::at_end(&mut f, head).jump(latch, &[]);
        Builder::at_end(&mut f, latch).jump(head, &[]);
        let order = ReversePostOrder::new(&f);
        assert_eq!(order.blocks(), [entry, head, latch]);
        assert!(!order.has_unreachable());
    }
}
