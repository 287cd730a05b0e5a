//! Whether work-items that follow each other in y access neighbours, where those in x do not.
//!
//! GPUs run work-items that follow each other in x side by side, and programs for them let x be the last index of an array.
//! Others let it be the first, as in `c[get_global_id(0) * n + get_global_id(1)]`: in vectors along x each access is to as
//! many rows as there are lanes; along y it is a vector.
//!
//! How an address changes from one work-item to the next is followed through sums, products and conversions back to the
//! ids, whatever sizes are; accesses in loops count more. A limit is that indices which are loaded count as far apart in
//! both directions. Cost: linear in the function.

use crate::LoopInfo;
use ir::{Function, Inst, Opcode, SpecialReg, Value, ValueDef};
use rustc_hash::FxHashMap;

/// What an access to neighbours costs, or one to the same place.
const NEAR: u64 = 1;
/// What an access costs in which each lane has its own place.
const FAR: u64 = 16;
/// How often a loop is taken to run.
const ITERATIONS: u64 = 8;
/// Deepest nest of loops that counts.
const MAX_NEST: u32 = 4;
/// Deepest chain of operations that is followed.
const MAX_DEPTH: u32 = 32;

/// How a value changes from a work-item to the next in one dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// By so much.
    By(i64),
    /// By something else.
    Far,
    /// Not looked at yet: a variable of a loop changes as what it begins with.
    Open,
}

/// Whether rows along y suit a kernel better than rows along x: its accesses cost half as much at most.
pub fn are_in_y(func: &Function, info: &LoopInfo) -> bool {
    let mut costs = [0u64; 2];
    let mut steps =
        [SpecialReg::TidX, SpecialReg::TidY].map(|id| Steps { func, info, id, known: FxHashMap::default() });
    for &b in info.cfg.rpo() {
        let nest = info.loops.innermost(b).map_or(0, |l| info.loops.data(l).depth).min(MAX_NEST);
        let times = ITERATIONS.pow(nest);
        for i in func.layout.insts(b) {
            let Some((at, bytes)) = access(func, i) else { continue };
            for (cost, steps) in costs.iter_mut().zip(&mut steps) {
                *cost += times * steps.cost(at, bytes);
            }
        }
    }
    costs[1] * 2 <= costs[0] && costs[0] > 0
}

/// The address of a load or store, and the bytes of an element.
fn access(func: &Function, i: Inst) -> Option<(Value, i64)> {
    let ty = match func.dfg.op(i) {
        Opcode::Load => func.dfg.insts[i].ty,
        Opcode::Store => func.dfg.ty(func.dfg.arg(i, 1)),
        _ => return None,
    };
    Some((func.dfg.arg(i, 0), i64::from(ty.bytes())))
}

/// How values change with one id.
struct Steps<'a> {
    func: &'a Function,
    info: &'a LoopInfo,
    id: SpecialReg,
    known: FxHashMap<Value, Step>,
}

impl Steps<'_> {
    fn cost(&mut self, at: Value, bytes: i64) -> u64 {
        match self.of(at, MAX_DEPTH) {
            Step::By(n) if n.abs() <= bytes => NEAR,
            // Fields of structures that follow each other.
            Step::By(n) if n.abs() <= 4 * bytes => 3 * NEAR,
            Step::Open => NEAR,
            _ => FAR,
        }
    }

    fn of(&mut self, v: Value, depth: u32) -> Step {
        let v = self.func.dfg.resolve(v);
        if let Some(&s) = self.known.get(&v) {
            return s;
        }
        if depth == 0 {
            return Step::Far;
        }
        self.known.insert(v, Step::Open);
        let s = match self.func.dfg.def(v) {
            ValueDef::Inst(i) => self.computed(i, depth - 1),
            ValueDef::Param(b, n) => self.merged(b, n as usize, depth - 1),
            _ => Step::By(0),
        };
        if s == Step::Open {
            // What the loop's variable begins with is not known yet.
            self.known.remove(&v);
        } else {
            self.known.insert(v, s);
        }
        s
    }

    /// What comes into a block from everywhere.
    fn merged(&mut self, b: ir::Block, n: usize, depth: u32) -> Step {
        let func = self.func;
        let mut all = Step::Open;
        for e in self.info.cfg.preds(b) {
            all = join(all, self.of(func.dfg.branch_args(e.inst, e.index as usize)[n], depth));
        }
        // The parameters of a kernel are the same for all.
        if all == Step::Open { Step::By(0) } else { all }
    }

    fn computed(&mut self, i: Inst, depth: u32) -> Step {
        use Opcode::*;
        let func = self.func;
        let (dfg, op) = (&func.dfg, func.dfg.op(i));
        let arg = |n: usize| dfg.arg(i, n);
        match op {
            Special => Step::By(i64::from(dfg.insts[i].special() == Some(self.id))),
            Add | PtrAdd => sum(self.of(arg(0), depth), self.of(arg(1), depth), 1),
            Sub => sum(self.of(arg(0), depth), self.of(arg(1), depth), -1),
            Mul => match (self.of(arg(0), depth), dfg.as_int(arg(1))) {
                (Step::By(n), Some(c)) => Step::By(n.wrapping_mul(c)),
                (Step::By(0), None) if self.of(arg(1), depth) == Step::By(0) => Step::By(0),
                _ => Step::Far,
            },
            Shl => match (self.of(arg(0), depth), dfg.as_int(arg(1))) {
                (Step::By(n), Some(c @ 0..=62)) => Step::By(n.wrapping_shl(c as u32)),
                _ => self.same(i, depth),
            },
            ZExt | SExt | Trunc | AddrSpaceCast | PtrToInt | IntToPtr => self.of(arg(0), depth),
            Select => join(self.of(arg(1), depth), self.of(arg(2), depth)),
            SMin | SMax | UMin | UMax => join(self.of(arg(0), depth), self.of(arg(1), depth)),
            Load => match self.of(arg(0), depth) {
                Step::By(0) => Step::By(0),
                _ => Step::Far,
            },
            _ => self.same(i, depth),
        }
    }

    /// The same for all if all operands are.
    fn same(&mut self, i: Inst, depth: u32) -> Step {
        let func = self.func;
        let uniform =
            !func.dfg.op(i).is_terminator() && func.dfg.args(i).iter().all(|&a| self.of(a, depth) == Step::By(0));
        if uniform && !matches!(func.dfg.op(i), Opcode::Call | Opcode::Intrinsic) { Step::By(0) } else { Step::Far }
    }
}

fn sum(a: Step, b: Step, sign: i64) -> Step {
    match (a, b) {
        (Step::By(a), Step::By(b)) => Step::By(a.wrapping_add(b.wrapping_mul(sign))),
        // A variable of a loop that the same is added to in all work-items.
        (Step::Open, Step::By(0)) | (Step::By(0), Step::Open) => Step::Open,
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
