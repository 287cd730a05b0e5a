//! Uniformity: which values and branches are the same for all work-items of a warp or work-group.
//!
//! A value is divergent if it comes from a source of difference (the work-item's number, private memory and its addresses,
//! an atomic), from a divergent operand, from a merge that a divergent branch decides, or from a loop that work-items
//! leave in different iterations. Everything starts uniform; divergence spreads until nothing changes. Where a cycle has
//! several entries, all that is computed counts as divergent. Out of date once the function changes. Cost: a few passes
//! over the instructions, plus the size of the region that each divergent branch decides.

use crate::{Cfg, DomTree, Loop, LoopForest, LoopInfo, PostDomTree};
use cranelift_entity::SecondaryMap;
use ir::{AddrSpace, Block, ConstKind, Function, Inst, Intrinsic, Opcode, SpecialReg, Value, ValueDef};

/// Over which work-items values are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Among {
    /// Those of one warp.
    Warp,
    /// Those of one warp of so many lanes, in groups whose rows along the first dimension are whole warps.
    Row(u32),
    /// Those of one work-group.
    Group,
}

/// Uniformity of one function.
#[derive(Clone, Debug)]
pub struct Uniformity {
    divergent: SecondaryMap<Value, bool>,
    branch: SecondaryMap<Block, bool>,
    uneven: SecondaryMap<Loop, bool>,
    /// Blocks whose execution a divergent branch decides.
    partial: SecondaryMap<Block, bool>,
}

impl Uniformity {
    /// Computes it. `kernel_args` says that parameters are the same for all work-items, as a kernel's are.
    pub fn new(func: &Function, info: &LoopInfo, post: &PostDomTree, among: Among, kernel_args: bool) -> Self {
        let mut this = Self {
            divergent: ir::side_table(func.dfg.values.len()),
            branch: ir::side_table(func.dfg.blocks.len()),
            uneven: SecondaryMap::new(),
            partial: ir::side_table(func.dfg.blocks.len()),
        };
        // Each work-item has private memory of its own: what looks like one address names as many places.
        for (v, data) in func.dfg.values.iter() {
            this.divergent[v] = matches!(data.def, ValueDef::Const(ConstKind::Slot(_)));
        }
        if !kernel_args {
            for &v in func.dfg.params(info.cfg.entry()) {
                this.divergent[v] = true;
            }
        }
        if info.loops.has_irreducible() {
            this.doubt_all(func, info);
        }
        let mut walk = Walk {
            func,
            cfg: &info.cfg,
            dom: &info.dom,
            loops: &info.loops,
            post,
            among,
            seen: SecondaryMap::new(),
            leaving: ir::side_table(info.loops.len()),
        };
        while walk.round(&mut this) {}
        this
    }

    /// In a cycle with several entries, which is no loop here, work-items may be in different rounds: then whatever is
    /// computed counts as divergent.
    fn doubt_all(&mut self, func: &Function, info: &LoopInfo) {
        let entry = info.cfg.entry();
        for &b in info.cfg.rpo() {
            for &v in func.dfg.params(b).iter().filter(|_| b != entry) {
                self.divergent[v] = true;
            }
            for v in func.layout.insts(b).filter_map(|i| func.dfg.result(i)) {
                self.divergent[v] = true;
            }
            self.branch[b] = matches!(func.dfg.op(func.layout.terminator(b)), Opcode::Br | Opcode::Switch);
            self.partial[b] = b != entry;
        }
        for l in info.loops.iter() {
            self.uneven[l] = true;
        }
    }

    /// Whether `v` may differ between work-items where it is defined.
    pub fn is_divergent(&self, v: Value) -> bool {
        self.divergent[v]
    }

    /// Whether `v` is the same for all work-items where it is defined.
    pub fn is_uniform(&self, v: Value) -> bool {
        !self.divergent[v]
    }

    /// Whether work-items may leave `b` in different ways.
    pub fn is_divergent_branch(&self, b: Block) -> bool {
        self.branch[b]
    }

    /// Whether work-items may leave `l` in different iterations.
    pub fn has_divergent_exit(&self, l: Loop) -> bool {
        self.uneven[l]
    }

    /// Whether some work-items may execute `b` while others do not.
    pub fn is_partially_executed(&self, b: Block) -> bool {
        self.partial[b]
    }

    /// Whether `v`, used in block `at`, may differ: also if it is uniform in its loop, but work-items left that loop
    /// in different iterations.
    pub fn is_divergent_at(&self, func: &Function, loops: &LoopForest, v: Value, at: Block) -> bool {
        let v = func.dfg.resolve(v);
        if self.divergent[v] {
            return true;
        }
        let home = match func.dfg.values[v].def {
            ValueDef::Inst(i) => func.layout.inst_block(i),
            ValueDef::Param(b, _) => Some(b),
            _ => None,
        };
        let mut l = home.and_then(|b| loops.innermost(b));
        while let Some(x) = l.filter(|&x| !loops.contains(x, at)) {
            if self.uneven[x] {
                return true;
            }
            l = loops.parent(x);
        }
        false
    }
}

/// Operations that a question about places looks through.
const MAX_DEPTH: u32 = 16;

/// Where rows of whole warps begin along the first dimension.
struct Rows<'a> {
    func: &'a Function,
    loops: &'a LoopForest,
    u: &'a Uniformity,
    /// Where the values are used.
    at: Block,
    lanes: u32,
}

impl Rows<'_> {
    /// Whether a value is a lane's number, or more by what is the same for all and a multiple of the lanes.
    fn counts(&self, v: Value, depth: u32) -> bool {
        let dfg = &self.func.dfg;
        let (Some(depth), ValueDef::Inst(i)) = (depth.checked_sub(1), dfg.def(dfg.resolve(v))) else { return false };
        let args = dfg.args(i);
        match dfg.op(i) {
            Opcode::Special => dfg.insts[i].special() == Some(SpecialReg::TidX),
            Opcode::SExt | Opcode::ZExt => self.counts(args[0], depth),
            Opcode::Add | Opcode::Or => {
                let one = |a: Value, b: Value| self.starts(a, depth) && self.counts(b, depth);
                one(args[0], args[1]) || one(args[1], args[0])
            }
            _ => false,
        }
    }

    /// Whether a value is a multiple of the lanes and the same for all.
    fn starts(&self, v: Value, depth: u32) -> bool {
        !self.u.is_divergent_at(self.func, self.loops, v, self.at) && self.is_whole(v, depth)
    }

    /// Whether a value is a multiple of the lanes.
    fn is_whole(&self, v: Value, depth: u32) -> bool {
        let dfg = &self.func.dfg;
        if let Some(n) = dfg.as_int(v) {
            return i128::from(n) % i128::from(self.lanes) == 0;
        }
        let (Some(depth), ValueDef::Inst(i)) = (depth.checked_sub(1), dfg.def(dfg.resolve(v))) else { return false };
        let args = dfg.args(i);
        match dfg.op(i) {
            Opcode::Special => dfg.insts[i].special() == Some(SpecialReg::NtidX),
            Opcode::SExt | Opcode::ZExt => self.is_whole(args[0], depth),
            Opcode::Add | Opcode::Sub => self.is_whole(args[0], depth) && self.is_whole(args[1], depth),
            Opcode::Mul => self.is_whole(args[0], depth) || self.is_whole(args[1], depth),
            Opcode::Shl => {
                let by = dfg.as_int(args[1]).filter(|n| (0..64).contains(n));
                by.is_some_and(|n| (1i128 << n) % i128::from(self.lanes) == 0) || self.is_whole(args[0], depth)
            }
            _ => false,
        }
    }
}

struct Walk<'a> {
    func: &'a Function,
    cfg: &'a Cfg,
    dom: &'a DomTree,
    loops: &'a LoopForest,
    post: &'a PostDomTree,
    among: Among,
    /// Which successors of the branch at hand reach a block.
    seen: SecondaryMap<Block, u64>,
    /// The blocks from which each loop is left, where somebody asked: many branches do.
    leaving: SecondaryMap<Loop, std::cell::OnceCell<Vec<Block>>>,
}

impl Walk<'_> {
    /// One pass in reverse post-order; whether something new became divergent.
    fn round(&mut self, u: &mut Uniformity) -> bool {
        let mut changed = false;
        for &b in self.cfg.rpo() {
            changed |= self.params(u, b);
            for i in self.func.layout.insts(b) {
                if let Some(v) = self.func.dfg.result(i).filter(|&v| !u.divergent[v])
                    && self.result_diverges(u, i, b)
                {
                    u.divergent[v] = true;
                    changed = true;
                }
            }
            let t = self.func.layout.terminator(b);
            if !u.branch[b]
                && matches!(self.func.dfg.op(t), Opcode::Br | Opcode::Switch)
                && u.is_divergent_at(self.func, self.loops, self.func.dfg.arg(t, 0), b)
            {
                u.branch[b] = true;
                self.spread(u, b, t);
                changed = true;
            }
        }
        changed
    }

    /// A block parameter is divergent if one of its arguments is.
    fn params(&self, u: &mut Uniformity, b: Block) -> bool {
        let mut changed = false;
        for (n, &p) in self.func.dfg.params(b).iter().enumerate() {
            let diverges = !u.divergent[p]
                && self.cfg.preds(b).iter().any(|e| {
                    let arg = self.func.dfg.branch_args(e.inst, e.index as usize)[n];
                    u.is_divergent_at(self.func, self.loops, arg, b)
                });
            if diverges {
                u.divergent[p] = true;
                changed = true;
            }
        }
        changed
    }

    fn result_diverges(&self, u: &Uniformity, i: Inst, b: Block) -> bool {
        let data = &self.func.dfg.insts[i];
        let args = self.func.dfg.args(i);
        let operands = || args.iter().any(|&v| u.is_divergent_at(self.func, self.loops, v, b));
        match data.op {
            Opcode::Special => data.special().is_none_or(|r| self.register_diverges(r)),
            Opcode::Load => {
                let space = self.func.dfg.ty(args[0]).space();
                matches!(space, Some(AddrSpace::Private | AddrSpace::Generic) | None) && !self.is_own_constant(args[0])
                    || operands()
            }
            Opcode::LShr | Opcode::AShr | Opcode::UDiv | Opcode::And | Opcode::Icmp if self.is_of_row(u, i, b) => false,
            Opcode::AtomicRmw | Opcode::AtomicCas | Opcode::Call | Opcode::InlineAsm => true,
            Opcode::Intrinsic => match data.intrinsic() {
                Some(op) => self.intrinsic_diverges(op, args, operands()),
                None => true,
            },
            _ => operands(),
        }
    }

    /// A pointer that is the address of device memory under a generic type.
    fn is_own_constant(&self, ptr: Value) -> bool {
        let base = crate::Address::across_spaces(self.func, ptr).base;
        matches!(
            self.func.dfg.ty(base).space(),
            Some(AddrSpace::Global | AddrSpace::Constant | AddrSpace::Shared | AddrSpace::Param)
        )
    }

    fn register_diverges(&self, r: SpecialReg) -> bool {
        use SpecialReg::*;
        match r {
            TidY | TidZ if matches!(self.among, Among::Row(_)) => false,
            TidX | TidY | TidZ | LaneId | LaneMaskEq | LaneMaskLt | LaneMaskLe | LaneMaskGt | LaneMaskGe => true,
            Clock | Clock64 | GlobalTimer | SmId | WarpId => self.among == Among::Group || !matches!(r, WarpId | SmId),
            _ => false,
        }
    }

    /// Whether an instruction asks of a place along the first dimension only what is the same for a whole warp: which row
    /// of lanes it is in, or on which side of where a row begins.
    fn is_of_row(&self, u: &Uniformity, i: Inst, at: Block) -> bool {
        let Among::Row(lanes) = self.among else { return false };
        let dfg = &self.func.dfg;
        let [a, b] = *dfg.args(i) else { return false };
        let rows = Rows { func: self.func, loops: self.loops, u, at, lanes };
        let whole = |n: i128| n % i128::from(lanes) == 0;
        let constant = dfg.as_int(b).map(i128::from);
        match dfg.op(i) {
            Opcode::LShr | Opcode::AShr => {
                constant.is_some_and(|n| (0..64).contains(&n) && whole(1 << n)) && rows.counts(a, MAX_DEPTH)
            }
            Opcode::UDiv => constant.is_some_and(|n| n > 0 && whole(n)) && rows.counts(a, MAX_DEPTH),
            Opcode::And => constant.is_some_and(whole) && rows.counts(a, MAX_DEPTH),
            Opcode::Icmp => {
                use ir::IntCC::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
                let Some(cc) = dfg.insts[i].int_cc() else { return false };
                let (place, limit, cc) = if rows.counts(a, MAX_DEPTH) { (a, b, cc) } else { (b, a, cc.swapped()) };
                let next = match cc {
                    Slt | Ult | Sge | Uge => 0,
                    Sgt | Ugt | Sle | Ule => 1,
                    Eq | Ne => return false,
                };
                let begins = match dfg.as_int(limit) {
                    Some(n) => whole(i128::from(n) + next),
                    None => next == 0 && rows.starts(limit, MAX_DEPTH),
                };
                begins && rows.counts(place, MAX_DEPTH)
            }
            _ => false,
        }
    }

    fn intrinsic_diverges(&self, op: Intrinsic, args: &[Value], operands: bool) -> bool {
        use Intrinsic::*;
        match op {
            BarrierPopc | BarrierAnd | BarrierOr => false,
            VoteAll | VoteAny | VoteUni | Ballot | ReduxAdd | ReduxSMin | ReduxSMax | ReduxUMin | ReduxUMax
            | ReduxAnd | ReduxOr | ReduxXor | MatchAll => {
                // The same for all lanes of the mask: for the warp only if the mask is all of it.
                let whole = args.first().and_then(|&m| self.func.dfg.as_int(m)) == Some(-1);
                !(whole && self.among != Among::Group)
            }
            ActiveMask | MatchAny => true,
            ShflIdx | ShflUp | ShflDown | ShflBfly => operands || self.among == Among::Group,
            VPrintf => true,
            _ => operands,
        }
    }

    /// Marks what the divergent branch `t` at the end of `b` decides.
    fn spread(&mut self, u: &mut Uniformity, b: Block, t: Inst) {
        let end = self.post.ipdom(b);
        self.seen.clear();
        let mut touched: Vec<Block> = Vec::new();
        let mut stack: Vec<(Block, u64)> = Vec::new();
        for (n, s) in self.func.dfg.successors(t).enumerate() {
            stack.push((s, 1 << n.min(63)));
        }
        // Work-items that stay in a loop around `b` are in step again at its header.
        let around = |x: Block| self.loops.header_loop(x).is_some_and(|l| self.loops.contains(l, b));
        while let Some((x, ways)) = stack.pop() {
            let before = self.seen[x];
            if before & ways == ways {
                continue;
            }
            if before == 0 {
                touched.push(x);
            }
            self.seen[x] = before | ways;
            if Some(x) == end || around(x) {
                continue;
            }
            stack.extend(self.func.succs(x).map(|s| (s, before | ways)));
        }
        for x in touched {
            let is_end = Some(x) == end;
            if !is_end && !self.dom.dominates(x, b) {
                u.partial[x] = true;
            }
            if (is_end || self.seen[x].count_ones() > 1) && !around(x) {
                for &p in self.func.dfg.params(x) {
                    u.divergent[p] = true;
                }
            }
            // Paths of different branches meet at a header with different values for the next iteration.
            if around(x) && self.seen[x].count_ones() > 1 {
                self.merge_at_header(u, x, b);
            }
        }
        self.exits(u, b, t);
    }

    /// The header's parameters diverge if more than one latch, reached under the branch, hands on other values.
    fn merge_at_header(&self, u: &mut Uniformity, header: Block, b: Block) {
        let Some(l) = self.loops.header_loop(header) else { return };
        let latches: Vec<_> = self.cfg.preds(header).iter().filter(|e| self.loops.contains(l, e.from)).collect();
        if latches.len() < 2 && !self.loops.data(l).latches.contains(&b) {
            return;
        }
        for (n, &p) in self.func.dfg.params(header).iter().enumerate() {
            let mut args = latches.iter().map(|e| self.func.dfg.branch_args(e.inst, e.index as usize)[n]);
            let first = args.next();
            if args.any(|a| Some(a) != first) {
                u.divergent[p] = true;
            }
        }
    }

    /// A divergent branch that leaves loops makes them end unevenly.
    fn exits(&self, u: &mut Uniformity, b: Block, t: Inst) {
        for s in self.func.dfg.successors(t) {
            let mut l = self.loops.innermost(b);
            while let Some(x) = l.filter(|&x| !self.loops.contains(x, s)) {
                self.mark_uneven(u, x);
                l = self.loops.parent(x);
            }
        }
        // A branch inside the body may also decide which exit is taken, or whether one is.
        let mut l = self.loops.innermost(b);
        while let Some(x) = l {
            let from = || self.loops.exit_edges(self.func, x).iter().map(|e| e.from).collect();
            if !u.uneven[x] && self.leaving[x].get_or_init(from).iter().any(|&b| u.partial[b]) {
                self.mark_uneven(u, x);
            }
            l = self.loops.parent(x);
        }
    }

    fn mark_uneven(&self, u: &mut Uniformity, l: Loop) {
        if u.uneven[l] {
            return;
        }
        u.uneven[l] = true;
        let exits = self.loops.exit_blocks(self.func, l);
        for &e in &exits {
            // Those who left through another exit, or later, wait elsewhere.
            if exits.len() > 1 {
                u.partial[e] = true;
            }
            for &p in self.func.dfg.params(e) {
                u.divergent[p] = true;
            }
        }
        for &b in &self.loops.data(l).blocks {
            u.partial[b] = true;
        }
    }
}
