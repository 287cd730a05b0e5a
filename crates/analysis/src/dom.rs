//! Dominator and post-dominator trees.
//!
//! Cooper, Harvey and Kennedy's iteration over a depth-first order, then one walk of the tree that numbers it, so that
//! a dominance query is two comparisons. Out of date once the control-flow graph changes. Cost: near-linear on the
//! reducible graphs that programs have.

use crate::{Cfg, LoopForest};
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use ir::{Block, Function, Inst};

const NONE: u32 = u32::MAX;

/// Immediate dominators over dense node numbers in which every node but 0, the root, has its dominator before it.
/// `preds(n)` calls back with the predecessors of `n`. What comes back to a node from behind is dominated by it unless
/// the graph is irreducible; so it is only looked at once the others are known, and mostly just confirms them.
fn solve(nodes: usize, mut preds: impl FnMut(u32, &mut dyn FnMut(u32))) -> Vec<u32> {
    let mut idom = vec![NONE; nodes];
    if nodes == 0 {
        return idom;
    }
    idom[0] = 0;
    let mut backward: Vec<(u32, u32)> = Vec::new();
    for n in 1..nodes as u32 {
        let mut new = NONE;
        preds(n, &mut |p| {
            if p >= n {
                backward.push((p, n));
            } else if idom[p as usize] != NONE {
                new = if new == NONE { p } else { intersect(&idom, p, new) };
            }
        });
        idom[n as usize] = new;
    }
    let confirms = |&(p, n): &(u32, u32)| p == n || idom[p as usize] != NONE && intersect(&idom, p, n) == n;
    let mut changed = !backward.iter().all(confirms);
    while changed {
        changed = false;
        for n in 1..nodes as u32 {
            let mut new = NONE;
            preds(n, &mut |p| {
                if idom[p as usize] != NONE {
                    new = if new == NONE { p } else { intersect(&idom, p, new) };
                }
            });
            if idom[n as usize] != new {
                idom[n as usize] = new;
                changed = true;
            }
        }
    }
    idom
}

fn intersect(idom: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while a > b {
            a = idom[a as usize];
        }
        while b > a {
            b = idom[b as usize];
        }
    }
    a
}

/// First and last number of each node's subtree in a pre-order walk.
#[derive(Clone, Debug, Default)]
struct Numbering {
    pre: Vec<u32>,
    last: Vec<u32>,
}

impl Numbering {
    /// `idom[n] < n` for every node but 0.
    fn new(idom: &[u32]) -> Self {
        let n = idom.len();
        let mut size = vec![1u32; n];
        for k in (1..n).rev() {
            if idom[k] != NONE {
                size[idom[k] as usize] += size[k];
            }
        }
        let (mut pre, mut last) = (vec![0u32; n], vec![0u32; n]);
        let mut next = vec![1u32; n];
        for k in 0..n {
            if k > 0 {
                let p = idom[k] as usize;
                pre[k] = pre[p] + next[p];
                next[p] += size[k];
            }
            last[k] = pre[k] + size[k] - 1;
        }
        Self { pre, last }
    }

    fn dominates(&self, a: u32, b: u32) -> bool {
        let x = self.pre[b as usize];
        self.pre[a as usize] <= x && x <= self.last[a as usize]
    }
}

/// Dominator tree of the reachable blocks.
#[derive(Clone, Debug)]
pub struct DomTree {
    number: SecondaryMap<Block, u32>,
    order: Vec<Block>,
    idom: Vec<u32>,
    depth: Vec<u32>,
    tree: Numbering,
    preorder: Vec<Block>,
}

impl DomTree {
    /// Computes the tree.
    pub fn new(cfg: &Cfg) -> Self {
        let order = cfg.rpo().to_vec();
        let number = cfg.order().positions().clone();
        let idom = solve(order.len(), |n, f| {
            for e in cfg.preds(order[n as usize]) {
                f(number[e.from]);
            }
        });
        let tree = Numbering::new(&idom);
        let mut depth = vec![0; order.len()];
        let mut preorder = order.clone();
        for n in 0..order.len() {
            preorder[tree.pre[n] as usize] = order[n];
            if n > 0 {
                depth[n] = depth[idom[n] as usize] + 1;
            }
        }
        Self { number, order, idom, depth, tree, preorder }
    }

    /// The block that immediately dominates `b`; none for the entry and for unreachable blocks.
    pub fn idom(&self, b: Block) -> Option<Block> {
        let n = self.number[b];
        (n != NONE && n != 0).then(|| self.order[self.idom[n as usize] as usize])
    }

    /// Whether every way to `b` leads through `a`; a block dominates itself. Unreachable blocks are dominated by all
    /// and dominate only unreachable ones.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        let (x, y) = (self.number[a], self.number[b]);
        y == NONE || x != NONE && self.tree.dominates(x, y)
    }

    /// Whether `a` dominates `b` and is another block.
    pub fn strictly_dominates(&self, a: Block, b: Block) -> bool {
        a != b && self.dominates(a, b)
    }

    /// Whether the entry reaches `b`.
    pub fn is_reachable(&self, b: Block) -> bool {
        self.number[b] != NONE
    }

    /// Distance from the root.
    pub fn depth(&self, b: Block) -> u32 {
        let n = self.number[b];
        if n == NONE { 0 } else { self.depth[n as usize] }
    }

    /// Reachable blocks in pre-order of the tree.
    pub fn preorder(&self) -> &[Block] {
        &self.preorder
    }

    /// The blocks that `b` dominates, `b` first, in pre-order of the tree.
    pub fn subtree(&self, b: Block) -> &[Block] {
        let n = self.number[b];
        if n == NONE {
            return &[];
        }
        &self.preorder[self.tree.pre[n as usize] as usize..=self.tree.last[n as usize] as usize]
    }

    /// The nearest block that dominates both; `None` if one is unreachable.
    pub fn common(&self, a: Block, b: Block) -> Option<Block> {
        let (x, y) = (self.number[a], self.number[b]);
        (x != NONE && y != NONE).then(|| self.order[intersect(&self.idom, x, y) as usize])
    }

    /// Whether `a` is executed before `b` whenever `b` is: `a` stands before `b` in one block, or in a block that
    /// strictly dominates that of `b`. An instruction does not dominate itself. Linear in the distance of the two
    /// when they stand in one block.
    pub fn dominates_inst(&self, func: &Function, a: Inst, b: Inst) -> bool {
        let (Some(x), Some(y)) = (func.layout.inst_block(a), func.layout.inst_block(b)) else { return false };
        if x != y {
            return self.dominates(x, y);
        }
        comes_before(func, a, b)
    }
}

/// Whether `a` stands before `b` in the block of both; searches from both sides at once.
fn comes_before(func: &Function, a: Inst, b: Inst) -> bool {
    let (mut from_a, mut from_b) = (func.layout.next_inst(a), func.layout.next_inst(b));
    loop {
        match from_a {
            None => return false,
            Some(i) if i == b => return true,
            Some(i) => from_a = func.layout.next_inst(i),
        }
        match from_b {
            None => return a != b,
            Some(i) if i == a => return false,
            Some(i) => from_b = func.layout.next_inst(i),
        }
    }
}

/// Post-dominator tree. Its root is no block but the function's end, to which every block that returns or does not
/// come back leads; a cycle without a way out counts as leading there from its header.
#[derive(Clone, Debug)]
pub struct PostDomTree {
    number: SecondaryMap<Block, u32>,
    order: Vec<PackedOption<Block>>,
    idom: Vec<u32>,
    tree: Numbering,
}

impl PostDomTree {
    /// Computes the tree.
    pub fn new(func: &Function, cfg: &Cfg, loops: &LoopForest) -> Self {
        let mut search = Reverse { number: SecondaryMap::with_default(NONE), post: Vec::new(), root: Vec::new() };
        for b in cfg.post_order() {
            if func.succs(b).len() == 0 {
                search.run(cfg, b);
            }
        }
        // What is left reaches no exit: take loop headers (outermost first), then anything.
        for headers in [true, false] {
            for &b in cfg.rpo() {
                if search.number[b] == NONE && (!headers || loops.header_loop(b).is_some()) {
                    search.run(cfg, b);
                }
            }
        }
        let Reverse { mut number, mut post, root } = search;
        post.reverse();
        let mut order: Vec<PackedOption<Block>> = vec![None.into()];
        for b in post {
            number[b] = order.len() as u32;
            order.push(b.into());
        }
        let mut is_root = vec![false; order.len()];
        for b in root {
            is_root[number[b] as usize] = true;
        }
        let idom = solve(order.len(), |n, f| {
            if is_root[n as usize] {
                f(0);
            }
            if let Some(b) = order[n as usize].expand() {
                for s in func.succs(b) {
                    f(number[s]);
                }
            }
        });
        let tree = Numbering::new(&idom);
        Self { number, order, idom, tree }
    }

    /// The block that immediately post-dominates `b`; none if that is the function's end.
    pub fn ipdom(&self, b: Block) -> Option<Block> {
        let n = self.number[b];
        if n == NONE { None } else { self.order[self.idom[n as usize] as usize].expand() }
    }

    /// Whether every way from `b` to the end leads through `a`; a block post-dominates itself.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        let (x, y) = (self.number[a], self.number[b]);
        x != NONE && y != NONE && self.tree.dominates(x, y)
    }
}

struct Reverse {
    number: SecondaryMap<Block, u32>,
    post: Vec<Block>,
    root: Vec<Block>,
}

impl Reverse {
    /// Depth-first search against the edges.
    fn run(&mut self, cfg: &Cfg, from: Block) {
        self.root.push(from);
        self.number[from] = 0;
        let mut stack = vec![(from, 0)];
        while let Some((b, next)) = stack.last_mut() {
            let Some(e) = cfg.preds(*b).get(*next) else {
                self.post.push(*b);
                stack.pop();
                continue;
            };
            *next += 1;
            if self.number[e.from] == NONE {
                self.number[e.from] = 0;
                stack.push((e.from, 0));
            }
        }
    }
}
