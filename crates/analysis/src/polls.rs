//! Loops in which a work-item waits until another one has written something: locks, flags of predecessors, counters of arrivals.
//!
//! Nothing in OpenCL or CUDA promises that they end, but programs count on what their platforms do: that work-groups run
//! beside each other, and that a work-item of a group which waits does not keep the others from going on. Lanes of a vector
//! cannot: who has left the loop with the lock waits behind it for those who still want it.
//!
//! A *poll* is an access in a loop that others' writes make end: an atomic operation or a volatile load, or any load if the
//! loop has a fence, of a place that is the same in all iterations, which asks the same each time (it loads, adds 0, compares
//! and exchanges the same values) and decides whether the loop is left. Loops that make progress themselves, as the one that
//! takes work by `atomic_inc(next)` or the one that adds to a float by `atomic_cmpxchg(p, old, old + x)`, are none.
//! The latter is noted all the same where all work-items do it to one place: lanes would try as often as there are lanes.
//! Cycles with several entries are not looked at. Cost: linear, and nothing more for functions without such accesses.

use crate::{Among, Cfg, DomTree, Edge, Loop, LoopInfo, PostDomTree, Uniformity};
use ir::{
    AddrSpace, AtomicOp, Block, Flags, FuncId, Function, Inst, IntCC, Module, Opcode, Payload, SpecialReg, Value,
    ValueDef,
};
use rustc_hash::FxHashSet;

/// Most operations between a value and what it is made of that are looked through.
const DEPTH: u32 = 16;

/// How the work-items of a kernel wait for each other in loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Polls {
    /// For what other work-groups do.
    pub groups: bool,
    /// Several work-items of a row may do so at a time, so that one may wait for the other.
    pub items: bool,
}

impl Polls {
    /// Of a kernel and the functions that it calls. Which of the work-items call one is not looked at, and need not be: a
    /// function that is called runs for one work-item at a time.
    pub fn of(module: &Module, kernel: FuncId) -> Self {
        let mut all = Self::of_body(&module.functions[kernel], true);
        let mut seen: FxHashSet<FuncId> = FxHashSet::default();
        let mut todo = callees(&module.functions[kernel]);
        while let Some(f) = todo.pop() {
            if seen.insert(f) && !module.functions[f].is_declaration() {
                all.groups |= Self::of_body(&module.functions[f], false).groups;
                todo.append(&mut callees(&module.functions[f]));
            }
        }
        all
    }

    /// Of a function itself; whether it is a kernel.
    pub fn of_body(func: &Function, kernel: bool) -> Self {
        let mut all = Self::default();
        let Some(info) = loops_to_look_at(func) else { return all };
        let mut uniform = None;
        for l in info.loops.iter() {
            let look = Look::at(func, &info, l);
            for (access, kind) in look.found() {
                let place = func.dfg.arg(access, 0);
                all.groups |= kind == Kind::Poll && is_seen_by_groups(func, access);
                let uniform = uniform.get_or_insert_with(|| {
                    let post = PostDomTree::new(func, &info.cfg, &info.loops);
                    Uniformity::new(func, &info, &post, Among::Group, kernel)
                });
                let block = func.layout.inst_block(access);
                let alone = block.is_some_and(|b| is_alone(func, &info.cfg, &info.dom, uniform, b));
                let waits = kind == Kind::Poll || uniform.is_uniform(func.dfg.resolve(place));
                all.items |= waits && !alone && !look.meets();
            }
        }
        all
    }
}

/// The back edges of the loops in which work-items wait for other groups.
pub fn back_edges(func: &Function) -> Vec<Edge> {
    let Some(info) = loops_to_look_at(func) else { return Vec::new() };
    let waits = |&l: &Loop| {
        let found = Look::at(func, &info, l).found();
        found.into_iter().any(|(i, kind)| kind == Kind::Poll && is_seen_by_groups(func, i))
    };
    let back = |l: Loop| {
        let edges = info.cfg.preds(info.loops.header(l)).iter();
        edges.filter(|e| info.loops.contains(l, e.from)).copied().collect::<Vec<_>>()
    };
    info.loops.iter().filter(waits).flat_map(back).collect()
}

/// The loops of a function that has accesses which may be polls.
fn loops_to_look_at(func: &Function) -> Option<LoopInfo> {
    let watched = func.layout.blocks().any(|b| func.layout.insts(b).any(|i| is_watched(func, i)));
    watched.then(|| LoopInfo::new(func)).filter(|info| !info.loops.is_empty())
}

/// Whether other groups may write what an access reads.
fn is_seen_by_groups(func: &Function, access: Inst) -> bool {
    func.dfg.ty(func.dfg.arg(access, 0)).space() != Some(AddrSpace::Shared)
}

/// Accesses that decide whether their loop is left.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It ends when another work-item has written.
    Poll,
    /// A compare-and-exchange of one place with what was found there: of those that try at a time one succeeds.
    Retry,
}

fn callees(func: &Function) -> Vec<FuncId> {
    let insts = func.layout.blocks().flat_map(|b| func.layout.insts(b));
    insts.filter_map(|i| func.dfg.insts[i].callee()).collect()
}

/// Whether an access may be a poll, if it stands in a loop.
fn is_watched(func: &Function, i: Inst) -> bool {
    let data = &func.dfg.insts[i];
    match data.op {
        Opcode::AtomicRmw | Opcode::AtomicCas | Opcode::Fence => true,
        Opcode::Load => data.flags.has(Flags::VOLATILE),
        _ => false,
    }
}

/// A loop, and what is asked about it.
struct Look<'a> {
    func: &'a Function,
    info: &'a LoopInfo,
    l: Loop,
    /// Whether there is a fence in it.
    fenced: bool,
}

impl<'a> Look<'a> {
    fn at(func: &'a Function, info: &'a LoopInfo, l: Loop) -> Self {
        let this = Self { func, info, l, fenced: false };
        let fenced = this.insts().any(|i| func.dfg.op(i) == Opcode::Fence);
        Self { fenced, ..this }
    }

    fn insts(&self) -> impl Iterator<Item = Inst> + '_ {
        self.info.loops.data(self.l).blocks.iter().flat_map(|&b| self.func.layout.insts(b))
    }

    /// What stands in this loop and in none inside of it.
    fn found(&self) -> Vec<(Inst, Kind)> {
        let kind = |i: Inst| {
            let block = self.func.layout.inst_block(i)?;
            let retry = || self.func.dfg.op(i) == Opcode::AtomicCas && self.is_fixed(self.func.dfg.arg(i, 0));
            let kind = if self.asks_the_same(i) { Kind::Poll } else { retry().then_some(Kind::Retry)? };
            (self.info.loops.innermost(block) == Some(self.l)).then_some((i, kind))
        };
        let mut found: Vec<(Inst, Kind)> = self.insts().filter_map(kind).collect();
        if !found.is_empty() {
            let decides = self.deciders();
            let matters = |i| self.func.dfg.result(i).is_some_and(|v| decides.contains(&v));
            found.retain(|&(i, kind)| matters(i) && (kind == Kind::Retry || !self.is_updated(i)));
        }
        found
    }

    fn is_fixed(&self, v: Value) -> bool {
        self.info.loops.defined_outside(self.func, self.l, self.func.dfg.resolve(v))
    }

    /// Whether an access is of one place and leaves it, after some iterations, as it is if nobody else writes there.
    fn asks_the_same(&self, i: Inst) -> bool {
        let (dfg, data) = (&self.func.dfg, &self.func.dfg.insts[i]);
        let foreign = |v: Value| {
            let space = dfg.ty(v).space();
            matches!(space, Some(AddrSpace::Global | AddrSpace::Shared | AddrSpace::Generic))
        };
        let args = dfg.args(i);
        match data.op {
            Opcode::Load => {
                (data.flags.has(Flags::VOLATILE) || self.fenced) && foreign(args[0]) && self.is_fixed(args[0])
            }
            Opcode::AtomicCas => args.iter().all(|&v| self.is_fixed(v)),
            Opcode::AtomicRmw => {
                let Payload::Atomic(op, ..) = data.payload else { return false };
                let same = match op {
                    AtomicOp::Add | AtomicOp::Sub | AtomicOp::Xor => dfg.as_int(args[1]) == Some(0),
                    AtomicOp::FAdd | AtomicOp::Inc | AtomicOp::Dec => false,
                    _ => true,
                };
                same && args.iter().all(|&v| self.is_fixed(v))
            }
            _ => false,
        }
    }

    /// Whether the loop itself brings the place on: by an exchange there with what it has found, or any other write.
    fn is_updated(&self, poll: Inst) -> bool {
        let dfg = &self.func.dfg;
        let place = dfg.resolve(dfg.arg(poll, 0));
        self.insts().any(|i| {
            let writes = match dfg.op(i) {
                Opcode::AtomicRmw | Opcode::AtomicCas => !self.asks_the_same(i),
                Opcode::Store => dfg.op(poll) == Opcode::Load,
                _ => false,
            };
            writes && i != poll && dfg.resolve(dfg.arg(i, 0)) == place
        })
    }

    /// All values that decide whether the loop is left.
    fn deciders(&self) -> FxHashSet<Value> {
        let func = self.func;
        let mut seen = FxHashSet::default();
        let mut todo: Vec<Value> = Vec::new();
        let mut asked = FxHashSet::default();
        let mut ask = |b: Block, todo: &mut Vec<Value>| {
            if asked.insert(b) && self.info.loops.contains(self.l, b) {
                let t = func.layout.terminator(b);
                if matches!(func.dfg.op(t), Opcode::Br | Opcode::Switch) {
                    todo.push(func.dfg.arg(t, 0));
                }
            }
        };
        for b in self.info.loops.exiting_blocks(func, self.l) {
            ask(b, &mut todo);
        }
        while let Some(v) = todo.pop() {
            let v = func.dfg.resolve(v);
            if self.is_fixed(v) || !seen.insert(v) {
                continue;
            }
            match func.dfg.def(v) {
                ValueDef::Inst(i) if func.dfg.insts[i].is_pure() => todo.extend_from_slice(func.dfg.args(i)),
                ValueDef::Param(b, n) => {
                    // What is merged, and, but for what goes around, on which way it comes.
                    let header = b == self.info.loops.header(self.l);
                    for e in self.info.cfg.preds(b) {
                        todo.push(func.dfg.branch_args(e.inst, e.index as usize)[n as usize]);
                        if !header {
                            ask(e.from, &mut todo);
                        }
                    }
                    if let Some(d) = self.info.dom.idom(b).filter(|_| !header) {
                        ask(d, &mut todo);
                    }
                }
                _ => {}
            }
        }
        seen
    }

    /// Whether the group or the warp meets in the loop, so that its work-items leave it together.
    fn meets(&self) -> bool {
        self.insts().any(|i| self.func.dfg.insts[i].is_convergent())
    }
}

/// Whether one work-item of a row at most comes to a block: behind a test of its number in x for one value.
fn is_alone(func: &Function, cfg: &Cfg, dom: &DomTree, uniform: &Uniformity, block: Block) -> bool {
    let mut at = Some(block);
    while let Some(b) = at {
        if let Some(e) = cfg.single_pred(b)
            && func.dfg.op(e.inst) == Opcode::Br
            && picks_one(func, uniform, func.dfg.arg(e.inst, 0), e.index == 0, DEPTH)
        {
            return true;
        }
        at = dom.idom(b);
    }
    false
}

/// Whether a condition is `holds` for one number in x at most.
fn picks_one(func: &Function, uniform: &Uniformity, cond: Value, holds: bool, depth: u32) -> bool {
    let ValueDef::Inst(i) = func.dfg.def(cond) else { return false };
    let Some(depth) = depth.checked_sub(1) else { return false };
    let args = func.dfg.args(i);
    match func.dfg.op(i) {
        Opcode::Icmp => {
            let cc = func.dfg.insts[i].int_cc();
            let equal = cc == Some(if holds { IntCC::Eq } else { IntCC::Ne });
            let one = |x, y| is_number(func, uniform, x, depth) && is_same(func, uniform, y, depth);
            equal && (one(args[0], args[1]) || one(args[1], args[0]))
        }
        Opcode::And if holds => args.iter().any(|&v| picks_one(func, uniform, v, true, depth)),
        Opcode::Or if !holds => args.iter().any(|&v| picks_one(func, uniform, v, false, depth)),
        _ => false,
    }
}

/// Whether a value differs between any two work-items of a row: their number in x, and what is the same added to it.
fn is_number(func: &Function, uniform: &Uniformity, v: Value, depth: u32) -> bool {
    let ValueDef::Inst(i) = func.dfg.def(v) else { return false };
    let Some(depth) = depth.checked_sub(1) else { return false };
    let args = func.dfg.args(i);
    match func.dfg.op(i) {
        Opcode::Special => func.dfg.insts[i].special() == Some(SpecialReg::TidX),
        Opcode::ZExt | Opcode::SExt => is_number(func, uniform, args[0], depth),
        // Groups have fewer work-items than 16 bits count.
        Opcode::Trunc => func.dfg.ty(v).bits() >= 16 && is_number(func, uniform, args[0], depth),
        Opcode::Add | Opcode::Sub => {
            let one = |x, y| is_number(func, uniform, x, depth) && is_same(func, uniform, y, depth);
            one(args[0], args[1]) || one(args[1], args[0])
        }
        _ => false,
    }
}

/// Whether a value is the same for all work-items of a row.
fn is_same(func: &Function, uniform: &Uniformity, v: Value, depth: u32) -> bool {
    if uniform.is_uniform(func.dfg.resolve(v)) {
        return true;
    }
    let ValueDef::Inst(i) = func.dfg.def(v) else { return false };
    let Some(depth) = depth.checked_sub(1) else { return false };
    match func.dfg.op(i) {
        Opcode::Special => matches!(func.dfg.insts[i].special(), Some(SpecialReg::TidY | SpecialReg::TidZ)),
        _ if func.dfg.insts[i].is_pure() => func.dfg.args(i).iter().all(|&v| is_same(func, uniform, v, depth)),
        _ => false,
    }
}
