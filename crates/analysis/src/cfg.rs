//! Control-flow graph: predecessors, depth-first orders, reachability.
//!
//! Out of date once a terminator changes or a block comes or goes. Cost: linear in blocks and edges.

use cranelift_entity::{EntityRef, SecondaryMap};
use ir::{Block, Function, Inst};

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

const UNREACHABLE: u32 = u32::MAX;

/// Control-flow graph of a function with a body. Blocks that the entry does not reach take no part: they have no
/// number, and their branches are nobody's predecessors.
#[derive(Clone, Debug)]
pub struct Cfg {
    entry: Block,
    rpo: Vec<Block>,
    number: SecondaryMap<Block, u32>,
    pred_start: SecondaryMap<Block, (u32, u32)>,
    preds: Vec<Edge>,
    unreachable: bool,
}

impl Cfg {
    /// Reads the graph.
    ///
    /// # Panics
    /// If the function is a declaration or a block lacks its terminator.
    pub fn new(func: &Function) -> Self {
        let entry = func.layout.entry();
        let blocks = func.dfg.blocks.len();
        let mut number = SecondaryMap::with_default(UNREACHABLE);
        number.resize(blocks);
        let rpo = reverse_post_order(func, entry, &mut number);
        for (n, &b) in rpo.iter().enumerate() {
            number[b] = n as u32;
        }
        let mut cfg = Self {
            entry,
            unreachable: func.layout.blocks().any(|b| number[b] == UNREACHABLE),
            rpo,
            number,
            pred_start: ir::side_table(blocks),
            preds: Vec::new(),
        };
        cfg.collect_preds(func);
        cfg
    }

    /// Counts, then places: a compressed list per block, in reverse post-order of the predecessors.
    fn collect_preds(&mut self, func: &Function) {
        let mut edges: Vec<(Block, Edge)> = Vec::with_capacity(2 * self.rpo.len());
        for &b in &self.rpo {
            let inst = func.layout.terminator(b);
            for (index, s) in func.dfg.successors(inst).enumerate() {
                self.pred_start[s].1 += 1;
                edges.push((s, Edge { from: b, inst, index: index as u32 }));
            }
        }
        let mut at = 0;
        for &b in &self.rpo {
            let n = std::mem::take(&mut self.pred_start[b].1);
            self.pred_start[b].0 = at;
            at += n;
        }
        let none = Edge { from: self.entry, inst: Inst::new(0), index: 0 };
        self.preds.resize(edges.len(), none);
        for (s, edge) in edges {
            let (start, n) = &mut self.pred_start[s];
            self.preds[(*start + *n) as usize] = edge;
            *n += 1;
        }
    }

    /// Whether this is what [`Cfg::new`] would find.
    pub fn is_current(&self, func: &Function) -> bool {
        let now = Self::new(func);
        self.entry == now.entry
            && self.rpo == now.rpo
            && self.preds == now.preds
            && self.unreachable == now.unreachable
            && self.rpo.iter().all(|&b| self.preds(b) == now.preds(b))
    }

    /// The entry block.
    pub fn entry(&self) -> Block {
        self.entry
    }

    /// Branches to `b` from reachable blocks, in reverse post-order; one per edge, so a block may come twice.
    pub fn preds(&self, b: Block) -> &[Edge] {
        let (start, n) = self.pred_start[b];
        &self.preds[start as usize..(start + n) as usize]
    }

    /// The only edge to `b`, if there is just one.
    pub fn single_pred(&self, b: Block) -> Option<Edge> {
        if let [e] = self.preds(b) { Some(*e) } else { None }
    }

    /// Reachable blocks in reverse post-order: a block comes before its successors, back edges aside.
    pub fn rpo(&self) -> &[Block] {
        &self.rpo
    }

    /// Reachable blocks in post-order.
    pub fn post_order(&self) -> impl DoubleEndedIterator<Item = Block> + ExactSizeIterator + '_ {
        self.rpo.iter().rev().copied()
    }

    /// Position of a block in [`Cfg::rpo`].
    pub fn rpo_number(&self, b: Block) -> Option<u32> {
        Some(self.number[b]).filter(|&n| n != UNREACHABLE)
    }

    /// Positions of all blocks in [`Cfg::rpo`]; `u32::MAX` for those that the entry does not reach.
    pub(crate) fn numbers(&self) -> &SecondaryMap<Block, u32> {
        &self.number
    }

    /// Number of the function's blocks, placed or not: tables by block have this size.
    pub(crate) fn block_count(&self) -> usize {
        self.number.keys().len()
    }

    /// Whether the entry reaches `b`.
    pub fn is_reachable(&self, b: Block) -> bool {
        self.number[b] != UNREACHABLE
    }

    /// Whether some placed block cannot be reached.
    pub fn has_unreachable(&self) -> bool {
        self.unreachable
    }
}

/// Depth-first search with its own stack, successors last to first so that the first successor comes first in the
/// order. Marks visited blocks in `seen` with a number other than `UNREACHABLE`.
fn reverse_post_order(func: &Function, entry: Block, seen: &mut SecondaryMap<Block, u32>) -> Vec<Block> {
    let mut order = Vec::with_capacity(func.dfg.blocks.len());
    let mut stack: Vec<(Block, Inst, u32)> = Vec::with_capacity(16);
    let mut push = |b: Block, stack: &mut Vec<(Block, Inst, u32)>| {
        if seen[b] == UNREACHABLE {
            seen[b] = 0;
            let t = func.layout.terminator(b);
            stack.push((b, t, func.dfg.successor_count(t) as u32));
        }
    };
    push(entry, &mut stack);
    while let Some((b, t, left)) = stack.last_mut() {
        if *left == 0 {
            order.push(*b);
            stack.pop();
            continue;
        }
        *left -= 1;
        let next = func.dfg.successor(*t, *left as usize);
        push(next, &mut stack);
    }
    order.reverse();
    order
}
