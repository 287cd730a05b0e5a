//! Control-flow graph: predecessors, depth-first orders, reachability.
//!
//! Out of date once a terminator changes or a block comes or goes. Cost: linear in blocks and edges.

use cranelift_entity::{EntityRef, SecondaryMap};
use ir::{Block, Edge, Function, Inst, ReversePostOrder};

/// Control-flow graph of a function with a body. Blocks that the entry does not reach take no part: they have no
/// number, and their branches are nobody's predecessors.
#[derive(Clone, Debug)]
pub struct Cfg {
    order: ReversePostOrder,
    pred_start: SecondaryMap<Block, (u32, u32)>,
    preds: Vec<Edge>,
}

impl Cfg {
    /// Reads the graph.
    ///
    /// # Panics
    /// If the function is a declaration or a block lacks its terminator.
    pub fn new(func: &Function) -> Self {
        let order = ReversePostOrder::new(func);
        let mut cfg = Self { pred_start: order.table(), order, preds: Vec::new() };
        cfg.collect_preds(func);
        cfg
    }

    /// Counts, then places: a compressed list per block, in reverse post-order of the predecessors.
    fn collect_preds(&mut self, func: &Function) {
        let mut edges: Vec<(Block, Edge)> = Vec::with_capacity(2 * self.rpo().len());
        for &b in self.order.blocks() {
            let inst = func.layout.terminator(b);
            for (index, s) in func.dfg.successors(inst).enumerate() {
                self.pred_start[s].1 += 1;
                edges.push((s, Edge { from: b, inst, index: index as u32 }));
            }
        }
        let mut at = 0;
        for &b in self.order.blocks() {
            let n = std::mem::take(&mut self.pred_start[b].1);
            self.pred_start[b].0 = at;
            at += n;
        }
        let none = Edge { from: self.entry(), inst: Inst::new(0), index: 0 };
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
        self.order == now.order && self.preds == now.preds && self.rpo().iter().all(|&b| self.preds(b) == now.preds(b))
    }

    /// The entry block.
    pub fn entry(&self) -> Block {
        self.rpo()[0]
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
        self.order.blocks()
    }

    /// Reachable blocks in post-order.
    pub fn post_order(&self) -> impl DoubleEndedIterator<Item = Block> + ExactSizeIterator + '_ {
        self.rpo().iter().rev().copied()
    }

    /// Position of a block in [`Cfg::rpo`].
    pub fn rpo_number(&self, b: Block) -> Option<u32> {
        self.order.position(b)
    }

    /// The blocks that can be reached, and their order.
    pub fn order(&self) -> &ReversePostOrder {
        &self.order
    }

    /// Whether the entry reaches `b`.
    pub fn is_reachable(&self, b: Block) -> bool {
        self.order.contains(b)
    }

    /// Whether some placed block cannot be reached.
    pub fn has_unreachable(&self) -> bool {
        self.order.has_unreachable()
    }
}
