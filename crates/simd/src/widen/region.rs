//! The control flow of one iteration of a loop over work-items, level by level.
//!
//! A *level* is a loop seen as an acyclic graph: its own blocks, and each loop directly inside as a single node that
//! goes by the name of its header. Edges back to the level's header and out of the loop lead to the level's end. All
//! questions about who meets where are asked per level, so that an iteration never meets the next one.
//!
//! Code is emitted along the *emission tree*: a block's parent is its immediate dominator, lifted out of loops that do
//! not contain the block. What a block computes is used only in its subtree, or after a loop around it has been left.

use super::slots::Interleaved;
use analysis::{Loop, LoopInfo};
use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use ir::{Block, ConstKind, Function, Opcode, Slot, Value, ValueDef};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The control flow of the body of the loop `root`.
pub(super) struct Region<'a> {
    pub(super) func: &'a Function,
    pub(super) info: &'a LoopInfo,
    pub(super) root: Loop,
    pub(super) interleaved: &'a Interleaved,
    /// Blocks in reverse post-order, the header first.
    pub(super) blocks: Vec<Block>,
    /// Children in the emission tree, in reverse post-order.
    children: SecondaryMap<Block, Vec<Block>>,
    /// Immediate post-dominator in the level in which the block is a node; none for the level's end.
    post: SecondaryMap<Block, PackedOption<Block>>,
    /// The same for headers in the level of their own loop.
    own_post: SecondaryMap<Block, PackedOption<Block>>,
    /// Values that are used outside of an inner loop that computes them (arguments of its exits aside), with the
    /// outermost loop that they leave.
    pub(super) escapes: FxHashMap<Value, Loop>,
}

/// Where an edge of a level leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// To a node of the level.
    Node(Block),
    /// Back to the header.
    Back,
    /// Out of the loop.
    Out,
}

impl<'a> Region<'a> {
    /// Looks at the body of `root`, a loop without irreducible cycles.
    pub(super) fn new(func: &'a Function, info: &'a LoopInfo, root: Loop, interleaved: &'a Interleaved) -> Self {
        let mut blocks = info.loops.data(root).blocks.clone();
        blocks.sort_by_key(|&b| info.cfg.rpo_number(b));
        let mut r = Self {
            func,
            info,
            root,
            interleaved,
            blocks,
            children: SecondaryMap::new(),
            post: SecondaryMap::new(),
            own_post: SecondaryMap::new(),
            escapes: FxHashMap::default(),
        };
        for n in 1..r.blocks.len() {
            let b = r.blocks[n];
            if let Some(p) = r.parent(b) {
                r.children[p].push(b);
            }
        }
        let loops: Vec<Loop> = info.loops.iter().filter(|&l| info.loops.encloses(root, l)).collect();
        for l in loops {
            r.find_post_dominators(l);
        }
        r.find_escapes();
        r
    }

    fn find_escapes(&mut self) {
        for v in self.live_out() {
            if let Some(l) = self.home(v).and_then(|home| self.left(self.loop_of(home), self.latch())) {
                self.escapes.insert(v, l);
            }
        }
        for n in 0..self.blocks.len() {
            let b = self.blocks[n];
            for i in self.func.layout.insts(b) {
                let mut found: SmallVec<[(Value, Loop); 4]> = SmallVec::new();
                self.func.dfg.for_each_use(i, |v| {
                    let v = self.func.dfg.resolve(v);
                    if let Some(home) = self.home(v)
                        && let Some(l) = self.left(self.loop_of(home), b)
                    {
                        found.push((v, l));
                    }
                });
                for (v, l) in found {
                    let outer = self.escapes.entry(v).or_insert(l);
                    if self.info.loops.encloses(l, *outer) {
                        *outer = l;
                    }
                }
            }
        }
    }

    /// Values of the body that are used after all iterations, as the last one leaves them: what passes have moved there.
    pub(super) fn live_out(&self) -> Vec<Value> {
        let mut found = Vec::new();
        let mut note = |v: Value| {
            let v = self.func.dfg.resolve(v);
            if self.home(v).is_some() && !found.contains(&v) {
                found.push(v);
            }
        };
        for b in self.func.layout.blocks().filter(|&b| !self.contains(b)) {
            for i in self.func.layout.insts(b) {
                self.func.dfg.for_each_use(i, &mut note);
            }
        }
        let t = self.func.layout.terminator(self.latch());
        for n in 0..self.func.dfg.successor_count(t) {
            if self.func.dfg.successor(t, n) != self.header() {
                self.func.dfg.branch_args(t, n).iter().copied().for_each(&mut note);
            }
        }
        found
    }

    /// The outermost loop around `l`, or `l`, that does not contain `b`.
    pub(super) fn left(&self, mut l: Loop, b: Block) -> Option<Loop> {
        let mut out = None;
        while !self.info.loops.contains(l, b) {
            out = Some(l);
            l = self.info.loops.parent(l)?;
        }
        out
    }

    pub(super) fn header(&self) -> Block {
        self.info.loops.header(self.root)
    }

    /// The block that ends an iteration.
    pub(super) fn latch(&self) -> Block {
        self.info.loops.latch(self.root).unwrap_or_else(|| self.header())
    }

    pub(super) fn contains(&self, b: Block) -> bool {
        self.info.loops.contains(self.root, b)
    }

    /// The inner loop of which `b` is the header.
    pub(super) fn inner_loop(&self, b: Block) -> Option<Loop> {
        self.info.loops.header_loop(b).filter(|&l| l != self.root)
    }

    /// The innermost loop around `b`, for a block of the region.
    pub(super) fn loop_of(&self, b: Block) -> Loop {
        self.info.loops.innermost(b).unwrap_or(self.root)
    }

    /// The level in which `b` is a node: a header of an inner loop stands for its loop in the level around it.
    pub(super) fn level_of(&self, b: Block) -> Loop {
        match self.inner_loop(b) {
            Some(l) => self.info.loops.parent(l).unwrap_or(self.root),
            None => self.loop_of(b),
        }
    }

    /// The node of level `l` in which `b` lies.
    pub(super) fn node(&self, b: Block, l: Loop) -> Block {
        let mut node = b;
        let mut at = self.loop_of(b);
        while at != l {
            node = self.info.loops.header(at);
            match self.info.loops.parent(at) {
                Some(p) => at = p,
                None => break,
            }
        }
        node
    }

    pub(super) fn parent(&self, b: Block) -> Option<Block> {
        let mut p = self.info.dom.idom(b)?;
        let mut at = self.loop_of(p);
        while !self.info.loops.contains(at, b) {
            p = self.info.loops.header(at);
            at = self.info.loops.parent(at)?;
        }
        Some(p)
    }

    /// Children of `b` in the emission tree, in an order in which control comes to them.
    pub(super) fn children(&self, b: Block) -> &[Block] {
        &self.children[b]
    }

    /// The loop of which `node` is a node, as a node of its level: the loop's exits; else the block's branches.
    /// Calls `f` with where each edge leads.
    pub(super) fn edges(&self, node: Block, l: Loop, mut f: impl FnMut(Block, usize, Way)) {
        let inner = self.inner_loop(node).filter(|&i| i != l);
        let one = [node];
        let from: &[Block] = match inner {
            Some(i) => &self.info.loops.data(i).blocks,
            None => &one,
        };
        for &b in from {
            let t = self.func.layout.terminator(b);
            for (n, to) in self.func.dfg.successors(t).enumerate() {
                if inner.is_some_and(|i| self.info.loops.contains(i, to)) {
                    continue;
                }
                f(b, n, self.way(to, l));
            }
        }
    }

    fn way(&self, to: Block, l: Loop) -> Way {
        if !self.info.loops.contains(l, to) {
            Way::Out
        } else if to == self.info.loops.header(l) {
            Way::Back
        } else {
            Way::Node(self.node(to, l))
        }
    }

    /// Nodes of a level in reverse post-order.
    pub(super) fn nodes(&self, l: Loop) -> Vec<Block> {
        let header = self.info.loops.header(l);
        let mut nodes = self.info.loops.data(l).blocks.clone();
        nodes.retain(|&b| b == header || self.level_of(b) == l);
        nodes
    }

    fn find_post_dominators(&mut self, l: Loop) {
        let nodes = self.nodes(l);
        let mut depth: SecondaryMap<Block, u32> = SecondaryMap::new();
        for &n in nodes.iter().rev() {
            // None: nothing known yet; Some(None): the end.
            let mut meet: Option<Option<Block>> = None;
            let mut targets = Vec::new();
            self.edges(n, l, |_, _, way| targets.push(way));
            for way in targets {
                let to = if let Way::Node(t) = way { Some(t) } else { None };
                meet = Some(match meet {
                    None => to,
                    Some(m) => self.meet(m, to, &depth),
                });
            }
            let p = meet.flatten();
            depth[n] = p.map_or(1, |p| depth[p] + 1);
            // A header is a node of the level around it as well.
            if n == self.info.loops.header(l) { self.own_post[n] = p.into() } else { self.post[n] = p.into() }
        }
    }

    /// The immediate post-dominator of a node of level `l`; none for the level's end.
    pub(super) fn post(&self, node: Block, l: Loop) -> Option<Block> {
        if node == self.info.loops.header(l) { self.own_post[node].expand() } else { self.post[node].expand() }
    }

    /// Whether everybody who executes `parent`, the parent of `b` in the emission tree, comes to `b` in the same
    /// iteration.
    pub(super) fn is_always_reached(&self, b: Block, parent: Block) -> bool {
        let l = self.level_of(b);
        let number = |b| self.info.cfg.rpo_number(b);
        let mut at = self.post(parent, l);
        // A level has no cycles: what is met later comes later.
        while let Some(p) = at.filter(|&p| number(p) < number(b)) {
            at = self.post(p, l);
        }
        at == Some(b)
    }

    /// The stack slot into which `v` points for sure, if it is defined outside of the region (passes move addresses
    /// out of loops): each lane has a copy of the slot, so it is not the same for all.
    pub(super) fn slot(&self, v: Value) -> Option<Slot> {
        let dfg = &self.func.dfg;
        let mut v = dfg.resolve(v);
        loop {
            if !dfg.ty(v).is_ptr() {
                return None;
            }
            match dfg.values[v].def {
                ValueDef::Const(ConstKind::Slot(slot)) => return Some(slot),
                ValueDef::Inst(i)
                    if matches!(dfg.op(i), Opcode::PtrAdd | Opcode::AddrSpaceCast) && self.home(v).is_none() =>
                {
                    v = dfg.resolve(dfg.arg(i, 0));
                }
                _ => return None,
            }
        }
    }

    /// Whether addresses of slots are used outside of the region in another way than to compute addresses.
    pub(super) fn mixes_slots(&self) -> bool {
        let dfg = &self.func.dfg;
        let outside = self.func.layout.blocks().filter(|&b| !self.contains(b));
        outside.flat_map(|b| self.func.layout.insts(b)).any(|i| {
            !matches!(dfg.op(i), Opcode::PtrAdd | Opcode::AddrSpaceCast | Opcode::Load | Opcode::Store)
                && dfg.result(i).is_some()
                && dfg.args(i).iter().any(|&v| self.slot(v).is_some())
        })
    }

    /// Where `v` is defined, if in the region.
    pub(super) fn home(&self, v: Value) -> Option<Block> {
        let b = match self.func.dfg.def(v) {
            ValueDef::Inst(i) => self.func.layout.inst_block(i)?,
            ValueDef::Param(b, _) => b,
            _ => return None,
        };
        self.contains(b).then_some(b)
    }

    fn meet(&self, a: Option<Block>, b: Option<Block>, depth: &SecondaryMap<Block, u32>) -> Option<Block> {
        let (mut a, mut b) = (a?, b?);
        while a != b {
            if depth[a] >= depth[b] {
                a = self.post[a].expand()?;
            } else {
                b = self.post[b].expand()?;
            }
        }
        Some(a)
    }
}
