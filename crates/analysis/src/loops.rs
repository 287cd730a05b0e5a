//! Loop forest: natural loops, their nesting, and what is irreducible.
//!
//! A natural loop is a header and the blocks that reach one of its latches without leaving through the header. Cycles
//! that are entered beside a dominating header are irreducible: they are no loops here, and the function is marked.
//! Out of date once the control-flow graph changes. Cost: blocks and edges times nesting depth.

use crate::{Cfg, DomTree, Edge};
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use ir::{Block, ConstKind, Function, Inst, Intrinsic, LoopMd, LoopMeta, Opcode, Value, ValueDef};
use smallvec::SmallVec;

/// A loop of a [`LoopForest`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Loop(u32);
entity_impl!(Loop, "L");

/// A natural loop.
#[derive(Clone, Debug)]
pub struct LoopData {
    /// The block that dominates all others and through which the loop is entered.
    pub header: Block,
    /// The loop around it.
    pub parent: PackedOption<Loop>,
    /// Loops directly inside, in reverse post-order of their headers.
    pub children: SmallVec<[Loop; 4]>,
    /// Blocks that branch back to the header, in reverse post-order.
    pub latches: SmallVec<[Block; 2]>,
    /// Every block of the loop, inner loops included, in reverse post-order; the header comes first.
    pub blocks: Vec<Block>,
    /// Nesting depth, 1 for an outermost loop.
    pub depth: u32,
}

/// Loops of a function. Ids follow the reverse post-order of headers, so a parent comes before its children.
#[derive(Clone, Debug)]
pub struct LoopForest {
    loops: PrimaryMap<Loop, LoopData>,
    innermost: SecondaryMap<Block, PackedOption<Loop>>,
    irreducible: bool,
}

impl LoopForest {
    /// Finds the loops.
    pub fn new(cfg: &Cfg, dom: &DomTree) -> Self {
        let mut forest = Self { loops: PrimaryMap::new(), innermost: SecondaryMap::new(), irreducible: false };
        forest.find_headers(cfg, dom);
        if forest.loops.is_empty() {
            return forest;
        }
        forest.innermost = cfg.order().table();
        let mut stack = Vec::new();
        // Inner loops first: a header's loop contains every loop whose header it reaches backwards.
        for n in (0..forest.loops.len()).rev() {
            forest.discover(cfg, dom, Loop::from_u32(n as u32), &mut stack);
        }
        forest.finish(cfg);
        forest
    }

    fn find_headers(&mut self, cfg: &Cfg, dom: &DomTree) {
        for &b in cfg.rpo() {
            let mut latches = SmallVec::new();
            for e in cfg.preds(b).iter().filter(|e| cfg.rpo_number(e.from) >= cfg.rpo_number(b)) {
                if dom.dominates(b, e.from) {
                    if latches.last() != Some(&e.from) {
                        latches.push(e.from);
                    }
                } else {
                    self.irreducible = true;
                }
            }
            if !latches.is_empty() {
                self.loops.push(LoopData {
                    header: b,
                    parent: None.into(),
                    children: SmallVec::new(),
                    latches,
                    blocks: Vec::new(),
                    depth: 0,
                });
            }
        }
    }

    /// Walks backwards from the latches; loops found inside become children, skipped over by their headers.
    fn discover(&mut self, cfg: &Cfg, dom: &DomTree, l: Loop, stack: &mut Vec<Block>) {
        let header = self.loops[l].header;
        stack.extend_from_slice(&self.loops[l].latches);
        while let Some(b) = stack.pop() {
            match self.innermost[b].expand() {
                None if dom.is_reachable(b) => {
                    self.innermost[b] = l.into();
                    if b != header {
                        stack.extend(cfg.preds(b).iter().map(|e| e.from));
                    }
                }
                None => {}
                Some(inner) => {
                    let top = self.outermost(inner);
                    if top != l {
                        self.loops[top].parent = l.into();
                        let inner_header = self.loops[top].header;
                        stack.extend(cfg.preds(inner_header).iter().map(|e| e.from));
                    }
                }
            }
        }
        // A latch that is its own header's only block, or a header inside no latch's walk, is covered by the walk:
        // it always ends at the header.
        self.innermost[header] = l.into();
    }

    /// The outermost loop known so far that contains `l`.
    fn outermost(&self, mut l: Loop) -> Loop {
        while let Some(p) = self.loops[l].parent.expand() {
            l = p;
        }
        l
    }

    fn finish(&mut self, cfg: &Cfg) {
        for l in self.loops.keys() {
            let parent = self.loops[l].parent.expand();
            self.loops[l].depth = 1 + parent.map_or(0, |p| self.loops[p].depth);
            if let Some(p) = parent {
                self.loops[p].children.push(l);
            }
        }
        for &b in cfg.rpo() {
            let mut at = self.innermost[b].expand();
            while let Some(l) = at {
                self.loops[l].blocks.push(b);
                at = self.loops[l].parent.expand();
            }
        }
    }

    /// Whether there is no loop.
    pub fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }

    /// Number of loops.
    pub fn len(&self) -> usize {
        self.loops.len()
    }

    /// Every loop, outer loops before those inside them.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Loop> + ExactSizeIterator + use<> {
        self.loops.keys()
    }

    /// Every loop, inner loops before those around them.
    pub fn inner_first(&self) -> impl Iterator<Item = Loop> + use<> {
        self.loops.keys().rev()
    }

    /// What is known about a loop.
    pub fn data(&self, l: Loop) -> &LoopData {
        &self.loops[l]
    }

    /// The innermost loop around a block.
    pub fn innermost(&self, b: Block) -> Option<Loop> {
        self.innermost[b].expand()
    }

    /// The loop of which `b` is the header.
    pub fn header_loop(&self, b: Block) -> Option<Loop> {
        self.innermost(b).filter(|&l| self.loops[l].header == b)
    }

    /// The header.
    pub fn header(&self, l: Loop) -> Block {
        self.loops[l].header
    }

    /// The loop around `l`.
    pub fn parent(&self, l: Loop) -> Option<Loop> {
        self.loops[l].parent.expand()
    }

    /// Nesting depth of a block; 0 outside loops.
    pub fn depth(&self, b: Block) -> u32 {
        self.innermost(b).map_or(0, |l| self.loops[l].depth)
    }

    /// Whether `b` is in `l` or in a loop inside it.
    pub fn contains(&self, l: Loop, b: Block) -> bool {
        self.innermost(b).is_some_and(|inner| self.encloses(l, inner))
    }

    /// Whether `inner` is `outer` or lies inside it.
    pub fn encloses(&self, outer: Loop, inner: Loop) -> bool {
        let depth = self.loops[outer].depth;
        let mut at = inner;
        while self.loops[at].depth > depth {
            let Some(p) = self.loops[at].parent.expand() else { return false };
            at = p;
        }
        at == outer
    }

    /// Whether some cycle is no natural loop.
    pub fn has_irreducible(&self) -> bool {
        self.irreducible
    }

    /// The only latch, if there is just one.
    pub fn latch(&self, l: Loop) -> Option<Block> {
        if let [b] = self.loops[l].latches[..] { Some(b) } else { None }
    }

    /// The only edge into the loop, if there is just one.
    pub fn entry_edge(&self, cfg: &Cfg, l: Loop) -> Option<Edge> {
        let mut outside = cfg.preds(self.header(l)).iter().filter(|e| !self.contains(l, e.from));
        let first = *outside.next()?;
        outside.next().is_none().then_some(first)
    }

    /// The only block outside that branches to the header, if it branches nowhere else.
    pub fn preheader(&self, func: &Function, cfg: &Cfg, l: Loop) -> Option<Block> {
        let e = self.entry_edge(cfg, l)?;
        (func.dfg.successor_count(e.inst) == 1).then_some(e.from)
    }

    /// Edges out of the loop, in reverse post-order of the blocks they leave.
    pub fn exit_edges(&self, func: &Function, l: Loop) -> SmallVec<[Edge; 4]> {
        let mut out = SmallVec::new();
        for &b in &self.loops[l].blocks {
            let inst = func.layout.terminator(b);
            for (index, s) in func.dfg.successors(inst).enumerate() {
                if !self.contains(l, s) {
                    out.push(Edge { from: b, inst, index: index as u32 });
                }
            }
        }
        out
    }

    /// [Those](Self::exit_edges) that do not end the program: control does not come back from a trap.
    pub fn leaving_edges(&self, func: &Function, l: Loop) -> SmallVec<[Edge; 4]> {
        let mut edges = self.exit_edges(func, l);
        if edges.len() > 1 {
            edges.retain(|e| !traps(func, func.dfg.successor(e.inst, e.index as usize)));
        }
        edges
    }

    /// Blocks of the loop that branch out of it, in reverse post-order, each once.
    pub fn exiting_blocks(&self, func: &Function, l: Loop) -> SmallVec<[Block; 4]> {
        let mut out: SmallVec<[Block; 4]> = self.exit_edges(func, l).iter().map(|e| e.from).collect();
        out.dedup();
        out
    }

    /// Blocks outside that the loop branches to, each once, in the order of the edges.
    pub fn exit_blocks(&self, func: &Function, l: Loop) -> SmallVec<[Block; 4]> {
        let mut out: SmallVec<[Block; 4]> = SmallVec::new();
        for e in self.exit_edges(func, l) {
            let to = func.dfg.successor(e.inst, e.index as usize);
            if !out.contains(&to) {
                out.push(to);
            }
        }
        out
    }

    /// The terminator on whose back edge the loop's metadata hangs: that of the last latch that has some.
    pub fn md_holder(&self, func: &Function, l: Loop) -> Option<Inst> {
        let terms = self.loops[l].latches.iter().rev().map(|&b| func.layout.terminator(b));
        terms.into_iter().find(|&t| func.dfg.insts[t].loop_md().is_some())
    }

    /// The loop's metadata id.
    pub fn md(&self, func: &Function, l: Loop) -> Option<LoopMd> {
        self.md_holder(func, l).and_then(|t| func.dfg.insts[t].loop_md())
    }

    /// The loop's metadata.
    pub fn meta<'f>(&self, func: &'f Function, l: Loop) -> Option<&'f LoopMeta> {
        self.md(func, l).map(|md| &func.loops[md])
    }

    /// Whether `v` is defined outside the loop (constants are).
    pub fn defined_outside(&self, func: &Function, l: Loop, v: Value) -> bool {
        match func.dfg.def(v) {
            ValueDef::Inst(i) => func.layout.inst_block(i).is_none_or(|b| !self.contains(l, b)),
            ValueDef::Param(b, _) => !self.contains(l, b),
            ValueDef::Const(ConstKind::Undef | ConstKind::Bits(_) | ConstKind::Global(_) | ConstKind::Slot(_)) => true,
            ValueDef::Alias(_) => false,
        }
    }
}
/// Whether a block stops the program, and nothing comes after that.
pub fn traps(func: &Function, b: Block) -> bool {
    func.dfg.op(func.layout.terminator(b)) == Opcode::Unreachable
        && func.layout.insts(b).any(|i| func.dfg.insts[i].intrinsic() == Some(Intrinsic::Trap))
}
