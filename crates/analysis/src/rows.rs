//! Whether work-items that follow each other in y access neighbours, where those in x do not.
//!
//! GPUs run work-items that follow each other in x side by side, and programs for them let x be the last index of an array.
//! Others let it be the first, as in `c[get_global_id(0) * n + get_global_id(1)]`: in vectors along x each access is to as
//! many rows as there are lanes; along y it is a vector.
//!
//! How an address changes from one work-item to the next is followed from the ids through sums, products and conversions,
//! whatever sizes are, and around loops until nothing changes; accesses in loops count more, as often as the loop runs where that is
//! known. Limits: indices which are
//! loaded count as far apart in both directions; [`MAX_PASSES`] over the function. Cost: linear for each pass, and nothing
//! for kernels that do not ask for both ids.

use crate::scev::Scev;
use crate::{Loop, LoopInfo};
use cranelift_entity::SecondaryMap;
use ir::{AddrSpace, Block, Function, Inst, Opcode, SpecialReg, Value, ValueDef};
use target::Target;

/// What an access to neighbours costs, or one to the same place.
const NEAR: u64 = 1;
/// What an access costs in which each lane has its own place.
const FAR: u64 = 16;
/// How often a loop is taken to run, if it does not say.
const ITERATIONS: u64 = 8;
/// Most iterations that count, of one loop and of all around an access.
const MOST: u64 = 64;
const MOST_IN_ALL: u64 = ITERATIONS.pow(4);
/// Most passes over a function: variables of nests of loops that go on changing are taken to go far.
const MAX_PASSES: u32 = 8;

/// How a value changes from a work-item to the next in one dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// By so much.
    By(i64),
    /// By something else.
    Far,
    /// Nothing is known yet: a variable of a loop changes as what it begins with.
    Open,
}

/// How the rows of a kernel's groups should lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rows {
    /// Rows along y suit it better than rows along x: its accesses cost half as much at most.
    pub in_y: bool,
    /// All that work-items access lies next to what their neighbours in the same row access, once each: then longer rows of
    /// a group lose nothing, since what rows share is still near when the next one comes. Loops might read columns, which
    /// groups of several rows share.
    pub streamed: bool,
}

impl Rows {
    /// Looks at all accesses of a kernel.
    pub fn of(func: &Function, info: &LoopInfo, target: Target) -> Self {
        let ids = [SpecialReg::TidX, SpecialReg::TidY].map(|id| asks_for(func, id));
        let insts = || func.layout.blocks().flat_map(|b| func.layout.insts(b));
        let may_stream = info.loops.is_empty() && insts().all(|i| is_plain(func, i));
        let x = (ids[0] && (ids[1] || may_stream)).then(|| Steps::of(func, info, SpecialReg::TidX));
        let y = (ids[0] && ids[1]).then(|| Steps::of(func, info, SpecialReg::TidY));
        let in_y = x.as_ref().zip(y.as_ref()).is_some_and(|(x, y)| {
            let times = times(func, info, target);
            let (x, y) = (x.cost(info, &times), y.cost(info, &times));
            y * 2 <= x && x > 0
        });
        let near =
            |steps: Steps<'_>| insts().filter_map(|i| access(func, i)).all(|(at, bytes)| steps.price(at, bytes) < FAR);
        let streamed = may_stream && if in_y { y } else { x }.is_some_and(near);
        Self { in_y, streamed }
    }
}

/// How often the blocks of each loop are taken to run.
fn times(func: &Function, info: &LoopInfo, target: Target) -> SecondaryMap<Loop, u64> {
    let mut scev = Scev::new(func, info, target);
    let mut times = SecondaryMap::with_default(1);
    let mut loops: Vec<Loop> = info.loops.iter().collect();
    loops.sort_by_key(|&l| info.loops.data(l).depth);
    for l in loops {
        let own = scev.trip_count(l).exact.map_or(ITERATIONS, |n| n.clamp(1, MOST));
        times[l] = info.loops.parent(l).map_or(own, |p| (times[p] * own).min(MOST_IN_ALL));
    }
    times
}

/// Whether an instruction waits for nobody and does nothing to memory but load and store.
fn is_plain(func: &Function, i: Inst) -> bool {
    use Opcode::*;
    let local = |v: Value| func.dfg.ty(v).space() == Some(AddrSpace::Shared);
    match func.dfg.op(i) {
        Load | Store => !local(func.dfg.arg(i, 0)),
        op => op.is_terminator() || !func.dfg.insts[i].has_side_effects(),
    }
}

/// Whether a function reads a special register.
fn asks_for(func: &Function, id: SpecialReg) -> bool {
    func.layout.blocks().flat_map(|b| func.layout.insts(b)).any(|i| func.dfg.insts[i].special() == Some(id))
}

/// The address of a load or store, and the bytes of an element.
fn access(func: &Function, i: Inst) -> Option<(Value, u64)> {
    let ty = match func.dfg.op(i) {
        Opcode::Load => func.dfg.insts[i].ty,
        Opcode::Store => func.dfg.ty(func.dfg.arg(i, 1)),
        _ => return None,
    };
    Some((func.dfg.arg(i, 0), u64::from(ty.bytes())))
}

/// How values change with one id.
struct Steps<'a> {
    func: &'a Function,
    id: SpecialReg,
    /// What instructions and parameters of blocks do.
    known: SecondaryMap<Value, Step>,
}

impl<'a> Steps<'a> {
    fn of(func: &'a Function, info: &LoopInfo, id: SpecialReg) -> Self {
        let mut steps = Self { func, id, known: SecondaryMap::with_default(Step::Open) };
        steps.settle(info);
        steps
    }

    /// Follows all values until nothing changes: each begins as unknown, and knows more with each pass.
    fn settle(&mut self, info: &LoopInfo) {
        for pass in 1..=MAX_PASSES {
            let mut changed = false;
            for &b in info.cfg.rpo() {
                for n in 0..self.func.dfg.params(b).len() {
                    let s = self.merged(info, b, n);
                    changed |= self.note(self.func.dfg.params(b)[n], s, pass);
                }
                for i in self.func.layout.insts(b) {
                    let Some(v) = self.func.dfg.result(i) else { continue };
                    let s = self.computed(i);
                    changed |= self.note(v, s, pass);
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Whether that is new. In the last pass it is too late for news.
    fn note(&mut self, v: Value, s: Step, pass: u32) -> bool {
        let old = std::mem::replace(&mut self.known[v], s);
        if pass == MAX_PASSES && old != s {
            self.known[v] = Step::Far;
        }
        old != s
    }

    /// What all accesses cost.
    fn cost(&self, info: &LoopInfo, times: &SecondaryMap<Loop, u64>) -> u64 {
        let mut cost = 0;
        for &b in info.cfg.rpo() {
            let times = info.loops.innermost(b).map_or(1, |l| times[l]);
            let accesses = self.func.layout.insts(b).filter_map(|i| access(self.func, i));
            cost += times * accesses.map(|(at, bytes)| self.price(at, bytes)).sum::<u64>();
        }
        cost
    }

    fn price(&self, at: Value, bytes: u64) -> u64 {
        match self.step(at) {
            Step::By(n) if n.unsigned_abs() <= bytes => NEAR,
            // Fields of structures that follow each other.
            Step::By(n) if n.unsigned_abs() <= 4 * bytes => 3 * NEAR,
            Step::Open => NEAR,
            _ => FAR,
        }
    }

    fn step(&self, v: Value) -> Step {
        let v = self.func.dfg.resolve(v);
        match self.func.dfg.def(v) {
            ValueDef::Inst(_) | ValueDef::Param(..) => self.known[v],
            _ => Step::By(0),
        }
    }

    /// What comes into a block from everywhere. The parameters of a kernel are the same for all.
    fn merged(&self, info: &LoopInfo, b: Block, n: usize) -> Step {
        if b == self.func.layout.entry() {
            return Step::By(0);
        }
        let dfg = &self.func.dfg;
        let incoming = info.cfg.preds(b).iter().map(|e| self.step(dfg.branch_args(e.inst, e.index as usize)[n]));
        incoming.fold(Step::Open, join)
    }

    fn computed(&self, i: Inst) -> Step {
        use Opcode::*;
        let func = self.func;
        let (dfg, op) = (&func.dfg, func.dfg.op(i));
        let arg = |n: usize| dfg.arg(i, n);
        match op {
            Special => Step::By(i64::from(dfg.insts[i].special() == Some(self.id))),
            Add | PtrAdd => sum(self.step(arg(0)), self.step(arg(1)), 1),
            Sub => sum(self.step(arg(0)), self.step(arg(1)), -1),
            Mul => match (self.step(arg(0)), dfg.as_int(arg(1))) {
                (Step::By(n), Some(c)) => Step::By(n.wrapping_mul(c)),
                (Step::By(0), None) if self.step(arg(1)) == Step::By(0) => Step::By(0),
                _ => Step::Far,
            },
            Shl => match (self.step(arg(0)), dfg.as_int(arg(1))) {
                (Step::By(n), Some(c @ 0..=62)) => Step::By(n.wrapping_shl(c as u32)),
                _ => self.same(i),
            },
            ZExt | SExt | Trunc | AddrSpaceCast | PtrToInt | IntToPtr => self.step(arg(0)),
            Select => join(self.step(arg(1)), self.step(arg(2))),
            SMin | SMax | UMin | UMax => join(self.step(arg(0)), self.step(arg(1))),
            Load => match self.step(arg(0)) {
                Step::By(0) => Step::By(0),
                _ => Step::Far,
            },
            _ => self.same(i),
        }
    }

    /// The same for all if all operands are.
    fn same(&self, i: Inst) -> Step {
        let func = self.func;
        let uniform = !func.dfg.op(i).is_terminator() && func.dfg.args(i).iter().all(|&a| self.step(a) == Step::By(0));
        if uniform && !matches!(func.dfg.op(i), Opcode::Call | Opcode::Intrinsic) { Step::By(0) } else { Step::Far }
    }
}

fn sum(a: Step, b: Step, sign: i64) -> Step {
    match (a, b) {
        (Step::By(a), Step::By(b)) => Step::By(a.wrapping_add(b.wrapping_mul(sign))),
        (Step::Open, _) | (_, Step::Open) => Step::Open,
        _ => Step::Far,
    }
}

fn join(a: Step, b: Step) -> Step {
    match (a, b) {
        (Step::Open, s) | (s, Step::Open) => s,
        // A clamped id: the same for some lanes, neighbours for most.
        (Step::By(0), s @ Step::By(_)) | (s @ Step::By(_), Step::By(0)) => s,
        (a, b) if a == b => a,
        _ => Step::Far,
    }
}
