//! Blocks in the order of the text, and loops.
//!
//! Only reachable blocks are placed. The order is a reverse post-order in which the blocks of a loop are contiguous, so
//! a loop's exit code never stands inside the loop. Cost: linear in blocks and edges. Where the graph is irreducible
//! no loop is reported at all, which only costs the sharing of registers.

use cranelift_entity::EntityRef;
use ir::{Block, Function, ReversePostOrder};

/// No block, no loop.
const NONE: u32 = u32::MAX;

/// A natural loop.
pub(crate) struct Loop {
    /// Its header.
    pub(crate) header: Block,
    /// Edges that go back to it.
    pub(crate) latches: u32,
    parent: u32,
    depth: u32,
}

/// Order and loops of one function.
#[derive(Default)]
pub(crate) struct Cfg {
    /// Reachable blocks in the order of the text; entry first.
    pub(crate) order: Vec<Block>,
    /// Whether a branch goes back to the entry.
    pub(crate) entry_is_target: bool,
    /// Loops.
    pub(crate) loops: Vec<Loop>,
    position: Vec<u32>,
    innermost: Vec<u32>,
}

impl Cfg {
    /// Orders the blocks of `f`, which has a body.
    pub(crate) fn new(f: &Function) -> Self {
        let n = f.dfg.blocks.len();
        let rpo = ReversePostOrder::new(f);
        let rpo = rpo.blocks();
        let mut number = vec![NONE; n];
        for (k, b) in rpo.iter().enumerate() {
            number[b.index()] = k as u32;
        }
        let mut cfg = Self { innermost: vec![NONE; n], position: vec![NONE; n], ..Self::default() };
        if !cfg.find_loops(f, rpo, &number) {
            cfg.loops.clear();
            cfg.innermost.fill(NONE);
        }
        cfg.place(rpo);
        cfg.entry_is_target = rpo.iter().any(|&b| f.succs(b).any(|s| s == rpo[0]));
        for (k, b) in cfg.order.iter().enumerate() {
            cfg.position[b.index()] = k as u32;
        }
        cfg
    }

    /// Place of a block in the order; `None` if it is unreachable.
    pub(crate) fn position(&self, b: Block) -> Option<usize> {
        Some(self.position[b.index()]).filter(|&p| p != NONE).map(|p| p as usize)
    }

    /// The innermost loop around a block.
    pub(crate) fn loop_of(&self, b: Block) -> u32 {
        self.innermost[b.index()]
    }

    /// The loop whose header `b` is.
    pub(crate) fn loop_headed_by(&self, b: Block) -> Option<u32> {
        let l = self.loop_of(b);
        (l != NONE && self.loops[l as usize].header == b).then_some(l)
    }

    /// Whether the loop `outer` is `inner` or around it.
    pub(crate) fn contains(&self, outer: u32, mut inner: u32) -> bool {
        while inner != NONE {
            if inner == outer {
                return true;
            }
            inner = self.loops[inner as usize].parent;
        }
        false
    }

    /// The innermost loop around both.
    pub(crate) fn common(&self, mut a: u32, mut b: u32) -> u32 {
        while a != b {
            if a == NONE || b == NONE {
                return NONE;
            }
            if self.loops[a as usize].depth >= self.loops[b as usize].depth {
                a = self.loops[a as usize].parent;
            } else {
                b = self.loops[b as usize].parent;
            }
        }
        a
    }

    /// Finds natural loops, inner ones first; false if the graph is irreducible.
    fn find_loops(&mut self, f: &Function, rpo: &[Block], number: &[u32]) -> bool {
        let mut preds: Vec<Vec<u32>> = Vec::new();
        let has_retreat = rpo.iter().any(|&b| f.succs(b).any(|s| number[s.index()] <= number[b.index()]));
        if !has_retreat {
            return true;
        }
        preds.resize(rpo.len(), Vec::new());
        for (k, &b) in rpo.iter().enumerate() {
            for s in f.succs(b) {
                preds[number[s.index()] as usize].push(k as u32);
            }
        }
        let mut work = Vec::new();
        for h in (0..rpo.len() as u32).rev() {
            work.extend(preds[h as usize].iter().copied().filter(|&p| p >= h));
            if work.is_empty() {
                continue;
            }
            let new = self.loops.len() as u32;
            self.loops.push(Loop { header: rpo[h as usize], latches: work.len() as u32, parent: NONE, depth: 0 });
            self.innermost_or_set(rpo[h as usize], new);
            while let Some(k) = work.pop() {
                if k < h {
                    return false;
                }
                let b = rpo[k as usize];
                let inner = self.outermost(self.innermost[b.index()]);
                if inner == new {
                    continue;
                }
                let entry = if inner == NONE {
                    self.innermost[b.index()] = new;
                    k
                } else {
                    self.loops[inner as usize].parent = new;
                    number[self.loops[inner as usize].header.index()]
                };
                if entry != h {
                    work.extend(&preds[entry as usize]);
                }
            }
        }
        for l in (0..self.loops.len()).rev() {
            let parent = self.loops[l].parent;
            self.loops[l].depth = if parent == NONE { 1 } else { self.loops[parent as usize].depth + 1 };
        }
        true
    }

    fn innermost_or_set(&mut self, b: Block, l: u32) {
        let slot = &mut self.innermost[b.index()];
        if *slot == NONE {
            *slot = l;
        }
    }

    fn outermost(&self, mut l: u32) -> u32 {
        while l != NONE && self.loops[l as usize].parent != NONE {
            l = self.loops[l as usize].parent;
        }
        l
    }

    /// Reverse post-order with each loop's blocks brought together where its header stands.
    fn place(&mut self, rpo: &[Block]) {
        if self.loops.is_empty() {
            self.order = rpo.to_vec();
            return;
        }
        enum Item {
            Block(Block),
            Loop(u32),
        }
        let root = self.loops.len();
        let mut lists: Vec<Vec<Item>> = (0..=root).map(|_| Vec::new()).collect();
        for &b in rpo {
            let l = self.loop_of(b);
            if l != NONE && self.loops[l as usize].header == b {
                let parent = self.loops[l as usize].parent;
                lists[if parent == NONE { root } else { parent as usize }].push(Item::Loop(l));
            }
            lists[if l == NONE { root } else { l as usize }].push(Item::Block(b));
        }
        let mut stack = vec![(root, 0)];
        while let Some((list, at)) = stack.pop() {
            let Some(item) = lists[list].get(at) else { continue };
            stack.push((list, at + 1));
            match item {
                Item::Block(b) => self.order.push(*b),
                Item::Loop(l) => stack.push((*l as usize, 0)),
            }
        }
    }
}
