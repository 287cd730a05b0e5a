//! Loops that all work-items run equally often though each counts from a number of its own.
//!
//! `for (i = x; i < x + n; i++)`: its test differs from lane to lane, so lanes that are done would wait under a mask, and no
//! access in the loop would do without one. Scalar evolution knows that it runs `n` times; with a counter from zero the test is
//! the same for all.
//!
//! What must hold: the loop has one exit, a test of which the exact count is known, made of values that are the same for the whole
//! group where the loop begins, and computed without a division. Cost: one look at each loop whose test differs.

use analysis::{Among, Expr, Exprs, Loop, LoopInfo, PostDomTree, Scev, Uniformity};
use ir::{Block, Builder, Function, Inst, IntCC, Opcode, Type, Value};
use rustc_hash::FxHashMap;
use target::Target;

/// Most nodes of an expression that is computed before a loop.
const MAX_SIZE: u32 = 16;

/// A loop that gets a counter.
struct Job {
    header: Block,
    /// The branch into the loop.
    entry: Inst,
    /// The branches back, with the number of the way.
    backs: Vec<(Inst, usize)>,
    test: Inst,
    /// Which of the test's ways stays in the loop.
    stays: usize,
    /// The loop around it, by which its expressions are found.
    parent: Option<Loop>,
    count: Expr,
}

/// Gives counters to the loops of a kernel that run equally often for all of its work-items.
pub(crate) fn run(func: &mut Function, target: Target) {
    let info = LoopInfo::new(func);
    if info.loops.iter().next().is_none() || info.loops.has_irreducible() {
        return;
    }
    let post = PostDomTree::new(func, &info.cfg, &info.loops);
    let uniform = Uniformity::new(func, &info, &post, Among::Group, true);
    // One for all loops that stand in the same one: what is known of each that comes before is asked for each.
    let mut within: FxHashMap<Option<Loop>, Scev<'_>> = FxHashMap::default();
    let mut job = |l: Loop| {
        let new = || Scev::within(func, &info, target, l);
        job(func, &info, &uniform, within.entry(info.loops.parent(l)).or_insert_with(new), l)
    };
    let jobs: Vec<Job> = info.loops.iter().filter_map(&mut job).collect();
    let exprs: FxHashMap<_, Exprs> = within.into_iter().map(|(parent, scev)| (parent, scev.into_exprs())).collect();
    for job in &jobs {
        job.run(func, &exprs[&job.parent]);
    }
}

fn job(func: &Function, info: &LoopInfo, uniform: &Uniformity, scev: &mut Scev<'_>, l: Loop) -> Option<Job> {
    let (loops, dfg) = (&info.loops, &func.dfg);
    let [exit] = loops.exit_edges(func, l)[..] else { return None };
    let test = exit.inst;
    if dfg.op(test) != Opcode::Br || uniform.is_uniform(dfg.arg(test, 0)) {
        return None;
    }
    dfg.def_op(dfg.arg(test, 0), Opcode::Icmp)?;
    let entry = loops.entry_edge(&info.cfg, l)?;
    let count = scev.exit_count(l, exit.from).exact?;
    let exprs = &scev.exprs;
    let mut same = exprs.size(count) <= MAX_SIZE && exprs.is_expandable(count) && exprs.is_cheap(count);
    exprs.for_each_value(count, &mut |v| same &= !uniform.is_divergent_at(func, loops, v, entry.from));
    let header = loops.header(l);
    let ways = info.cfg.preds(header).iter().filter(|e| loops.contains(l, e.from));
    let backs = ways.map(|e| (e.inst, e.index as usize)).collect();
    let stays = usize::from(exit.index == 0);
    same.then_some(Job { header, entry: entry.inst, backs, test, stays, parent: loops.parent(l), count })
}

impl Job {
    fn run(&self, func: &mut Function, exprs: &Exprs) {
        let Some(count) = exprs.expand(func, self.count, self.entry) else { return };
        let ty: Type = func.dfg.ty(count);
        let (zero, one) = (func.dfg.iconst(ty, 0), func.dfg.iconst(ty, 1));
        let n = func.dfg.add_param(self.header, ty);
        let way = (0..func.dfg.successor_count(self.entry)).find(|&w| func.dfg.successor(self.entry, w) == self.header);
        let Some(way) = way else { return };
        pass(func, self.entry, way, zero);
        for &(back, way) in &self.backs {
            let next = Builder::before(func, back).add(n, one);
            pass(func, back, way, next);
        }
        let goes_on = if self.stays == 0 { IntCC::Ult } else { IntCC::Uge };
        let cond = Builder::before(func, self.test).icmp(goes_on, n, count);
        func.dfg.args_mut(self.test)[0] = cond;
    }
}

/// Has a branch bring one value more.
fn pass(func: &mut Function, branch: Inst, way: usize, v: Value) {
    let args: Vec<Value> = func.dfg.branch_args(branch, way).iter().copied().chain([v]).collect();
    func.dfg.set_branch_args(branch, way, &args);
}
