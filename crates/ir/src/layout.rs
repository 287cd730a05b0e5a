//! Where blocks and instructions stand: two doubly linked lists, so that insertion and removal cost O(1).

use crate::{Block, Inst};
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, SecondaryMap};

#[derive(Clone, Debug, Default)]
struct BlockNode {
    prev: PackedOption<Block>,
    next: PackedOption<Block>,
    first: PackedOption<Inst>,
    last: PackedOption<Inst>,
    placed: bool,
}

#[derive(Clone, Debug, Default)]
struct InstNode {
    block: PackedOption<Block>,
    prev: PackedOption<Inst>,
    next: PackedOption<Inst>,
}

/// Order of blocks, and of instructions in them. The first block is the entry.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    blocks: SecondaryMap<Block, BlockNode>,
    insts: SecondaryMap<Inst, InstNode>,
    first: PackedOption<Block>,
    last: PackedOption<Block>,
}

impl Layout {
    /// The first block: the function's entry.
    #[inline]
    pub fn first_block(&self) -> Option<Block> {
        self.first.expand()
    }

    /// The entry block.
    ///
    /// # Panics
    /// If the function has no block (a declaration).
    #[inline]
    pub fn entry(&self) -> Block {
        self.first.expand().expect("function without body")
    }

    /// The last block.
    #[inline]
    pub fn last_block(&self) -> Option<Block> {
        self.last.expand()
    }

    /// The block after `b`.
    #[inline]
    pub fn next_block(&self, b: Block) -> Option<Block> {
        self.blocks[b].next.expand()
    }

    /// Whether `b` stands in the function.
    #[inline]
    pub fn is_placed(&self, b: Block) -> bool {
        self.blocks[b].placed
    }

    /// Blocks in order.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + '_ {
        std::iter::successors(self.first_block(), |&b| self.next_block(b))
    }

    /// Puts `b` at the end.
    pub fn append_block(&mut self, b: Block) {
        match self.last.expand() {
            Some(last) => self.insert_block_after(b, last),
            None => {
                self.blocks[b] = BlockNode { placed: true, ..BlockNode::default() };
                self.first = b.into();
                self.last = b.into();
            }
        }
    }

    /// Puts `b` right after `after`.
    pub fn insert_block_after(&mut self, b: Block, after: Block) {
        debug_assert!(!self.blocks[b].placed, "block placed twice");
        let next = self.blocks[after].next;
        let node = &mut self.blocks[b];
        node.placed = true;
        node.prev = after.into();
        node.next = next;
        self.blocks[after].next = b.into();
        match next.expand() {
            Some(n) => self.blocks[n].prev = b.into(),
            None => self.last = b.into(),
        }
    }

    /// Puts `b` right before `before`.
    pub fn insert_block_before(&mut self, b: Block, before: Block) {
        debug_assert!(!self.blocks[b].placed, "block placed twice");
        let prev = self.blocks[before].prev;
        let node = &mut self.blocks[b];
        node.placed = true;
        node.prev = prev;
        node.next = before.into();
        self.blocks[before].prev = b.into();
        match prev.expand() {
            Some(p) => self.blocks[p].next = b.into(),
            None => self.first = b.into(),
        }
    }

    /// Gives all instructions that stand here new names.
    pub(crate) fn renumber(&mut self, name: impl Fn(Inst) -> Inst) {
        let mut insts = SecondaryMap::new();
        let mut block = self.first_block();
        while let Some(b) = block {
            for i in self.insts(b) {
                let InstNode { block, prev, next } = self.insts[i].clone();
                insts[name(i)] = InstNode { block, prev: prev.map(&name).into(), next: next.map(&name).into() };
            }
            let node = &mut self.blocks[b];
            (node.first, node.last) = (node.first.map(&name).into(), node.last.map(&name).into());
            block = self.next_block(b);
        }
        self.insts = insts;
    }

    /// Takes `b` out, with the instructions in it (they then stand nowhere).
    pub fn remove_block(&mut self, b: Block) {
        while let Some(i) = self.first_inst(b) {
            self.remove_inst(i);
        }
        let node = std::mem::take(&mut self.blocks[b]);
        match node.prev.expand() {
            Some(p) => self.blocks[p].next = node.next,
            None => self.first = node.next,
        }
        match node.next.expand() {
            Some(n) => self.blocks[n].prev = node.prev,
            None => self.last = node.prev,
        }
    }

    /// The block in which `i` stands.
    #[inline]
    pub fn inst_block(&self, i: Inst) -> Option<Block> {
        self.insts[i].block.expand()
    }

    /// The first instruction of `b`.
    #[inline]
    pub fn first_inst(&self, b: Block) -> Option<Inst> {
        self.blocks[b].first.expand()
    }

    /// The last instruction of `b`.
    #[inline]
    pub fn last_inst(&self, b: Block) -> Option<Inst> {
        self.blocks[b].last.expand()
    }

    /// The terminator of a finished block.
    ///
    /// # Panics
    /// If the block is empty.
    #[inline]
    pub fn terminator(&self, b: Block) -> Inst {
        self.blocks[b].last.expand().expect("block without terminator")
    }

    /// The instruction after `i` in its block.
    #[inline]
    pub fn next_inst(&self, i: Inst) -> Option<Inst> {
        self.insts[i].next.expand()
    }

    /// The instruction before `i` in its block.
    #[inline]
    pub fn prev_inst(&self, i: Inst) -> Option<Inst> {
        self.insts[i].prev.expand()
    }

    /// Instructions of `b` in order.
    pub fn insts(&self, b: Block) -> impl Iterator<Item = Inst> + '_ {
        std::iter::successors(self.first_inst(b), |&i| self.next_inst(i))
    }

    /// Instructions of `b` from last to first.
    pub fn insts_rev(&self, b: Block) -> impl Iterator<Item = Inst> + '_ {
        std::iter::successors(self.last_inst(b), |&i| self.prev_inst(i))
    }

    /// Grows the table in steps, not by one entry per instruction.
    #[inline]
    fn make_room(&mut self, i: Inst) {
        if self.insts.get(i).is_none() {
            self.insts.resize((i.index() + 8) * 2);
        }
    }

    /// Puts `i` at the end of `b`.
    #[inline]
    pub fn append_inst(&mut self, i: Inst, b: Block) {
        debug_assert!(self.insts[i].block.is_none(), "instruction placed twice");
        self.make_room(i);
        let last = self.blocks[b].last;
        self.insts[i] = InstNode { block: b.into(), prev: last, next: None.into() };
        match last.expand() {
            Some(l) => self.insts[l].next = i.into(),
            None => self.blocks[b].first = i.into(),
        }
        self.blocks[b].last = i.into();
    }

    /// Puts `i` at the start of `b`.
    pub fn prepend_inst(&mut self, i: Inst, b: Block) {
        match self.first_inst(b) {
            Some(first) => self.insert_inst_before(i, first),
            None => self.append_inst(i, b),
        }
    }

    /// Puts `i` right before `before`.
    pub fn insert_inst_before(&mut self, i: Inst, before: Inst) {
        debug_assert!(self.insts[i].block.is_none(), "instruction placed twice");
        self.make_room(i);
        let InstNode { block, prev, .. } = self.insts[before].clone();
        self.insts[i] = InstNode { block, prev, next: before.into() };
        self.insts[before].prev = i.into();
        match prev.expand() {
            Some(p) => self.insts[p].next = i.into(),
            None => {
                if let Some(b) = block.expand() {
                    self.blocks[b].first = i.into();
                }
            }
        }
    }

    /// Takes `i` out.
    pub fn remove_inst(&mut self, i: Inst) {
        let node = std::mem::take(&mut self.insts[i]);
        let Some(b) = node.block.expand() else { return };
        match node.prev.expand() {
            Some(p) => self.insts[p].next = node.next,
            None => self.blocks[b].first = node.next,
        }
        match node.next.expand() {
            Some(n) => self.insts[n].prev = node.prev,
            None => self.blocks[b].last = node.prev,
        }
    }

    /// Moves the instructions from `from` to the end of its block into `to` (another placed block), after what is there.
    pub fn split_block(&mut self, from: Inst, to: Block) {
        let InstNode { block, prev, .. } = self.insts[from].clone();
        let Some(block) = block.expand() else { return };
        debug_assert_ne!(block, to, "a block's end moved into itself");
        let end = std::mem::replace(&mut self.blocks[block].last, prev);
        match prev.expand() {
            Some(p) => self.insts[p].next = None.into(),
            None => self.blocks[block].first = None.into(),
        }
        let before = std::mem::replace(&mut self.blocks[to].last, end);
        match before.expand() {
            Some(l) => self.insts[l].next = from.into(),
            None => self.blocks[to].first = from.into(),
        }
        self.insts[from].prev = before;
        let mut next = Some(from);
        while let Some(i) = next {
            let node = &mut self.insts[i];
            node.block = to.into();
            next = node.next.expand();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cranelift_entity::EntityRef;

    #[test]
    fn insert_and_remove() {
        let mut l = Layout::default();
        let (a, b, c) = (Block::new(0), Block::new(1), Block::new(2));
        l.append_block(a);
        l.append_block(c);
        l.insert_block_before(b, c);
        assert_eq!(l.blocks().collect::<Vec<_>>(), [a, b, c]);
        let i: Vec<Inst> = (0..4).map(Inst::new).collect();
        l.append_inst(i[1], b);
        l.prepend_inst(i[0], b);
        l.append_inst(i[2], b);
        l.insert_inst_before(i[3], i[2]);
        assert_eq!(l.insts(b).collect::<Vec<_>>(), [i[0], i[1], i[3], i[2]]);
        l.split_block(i[3], c);
        assert_eq!(l.insts(b).collect::<Vec<_>>(), [i[0], i[1]]);
        assert_eq!(l.insts_rev(c).collect::<Vec<_>>(), [i[2], i[3]]);
        l.remove_block(b);
        assert_eq!(l.blocks().collect::<Vec<_>>(), [a, c]);
        assert_eq!(l.inst_block(i[0]), None);
    }
}
