//! Loops that must run one iteration after another around loops that may run in parallel, put inside of these.
//!
//! `for (j …) for (i …) a[i][j] = a[i][j - 1]` depends on the iteration of `j` before, and no `i` on another: with `i` outermost
//! each work-item has one of its iterations, and goes through those of `j` by itself. That is one launch in place of one for each
//! `j`, and where `j` goes from neighbour to neighbour in memory it is the only order that does not load each line anew.
//!
//! What must hold: nothing stands between the loops; the bounds of none depend on another's variable; the inner ones are
//! parallel with the whole outer loop as their body, which is asked of [`verdict::of_loop`]. On processors the outer loop must
//! be the one that is nearer in memory: rows that are read one after another are better than columns side by side. GPUs, to which a
//! launch takes as long as some thousand instructions, have it always. Limits: two parallel loops. Cost: a verdict for each.

use super::Cx;
use crate::kernel::{Kernel, Schedule};
use crate::loop_words::LoopWords;
use crate::loops::CountedLoop;
use crate::scope::VarId;
use crate::verdict::{self, Question, Verdict};

/// Most loops that are moved out.
const MOST: usize = 2;

impl Cx<'_> {
    /// The kernel of a serial loop, and of the parallel ones that stand alone in it and are moved out of it; `None` if none is.
    pub(super) fn moved_out(&mut self, outer: &CountedLoop, words: &LoopWords) -> Result<Option<Kernel>, String> {
        let mut privates = words.privates.clone();
        let moved = self.movable(outer, &mut privates);
        let Some(last) = moved.last().filter(|_| words.reductions.is_empty()) else { return Ok(None) };
        if !self.gpu && !self.is_nearer(outer, last, &privates) {
            return Ok(None);
        }
        let line = |l: &CountedLoop| self.unit.line(l.range.start).0;
        let serial = line(outer);
        let order: Vec<CountedLoop> = moved.iter().chain([outer]).cloned().collect();
        self.say(serial, &self.interchanged(&order));
        self.say(serial, "#pragma acc loop seq");
        for l in &moved {
            self.say(self.unit.line(l.range.start).0, "Loop is parallelizable");
        }
        // What runs in parallel has all of the serial loop as its body.
        let nest: Vec<CountedLoop> = moved.iter().map(|l| CountedLoop { body: outer.stmt, ..l.clone() }).collect();
        let narrow = nest.last().is_some_and(|l| self.is_narrow(l, &privates, &[]));
        let block = self.block_of_nest(&nest, &privates, &[]);
        self.tell_schedule((&nest, None), true, narrow, (block, None));
        self.kernel((Schedule::Items(nest), None), outer.stmt, &outer.range, privates, Vec::new()).map(Some)
    }

    /// The loops that can be moved out of one, outermost first; what clauses make private for their iterations is added.
    fn movable(&self, outer: &CountedLoop, privates: &mut Vec<VarId>) -> Vec<CountedLoop> {
        let (mut around, mut moved) = (vec![outer.clone()], Vec::new());
        let kept = |v: VarId| self.kept.contains(&v) || self.has_clause(v);
        if kept(outer.var) || crate::extent::sets_its_variable(self, outer) {
            return moved;
        }
        while moved.len() < MOST {
            let body = around[around.len() - 1].body;
            let Some(l) = CountedLoop::of(self.unit, self.scopes, body).filter(CountedLoop::runs_towards_bound) else {
                break;
            };
            let words = self.loop_words(l.stmt);
            let plain = !words.seq && words.collapse <= 1 && words.reductions.is_empty();
            if !plain
                || kept(l.var)
                || l.var == outer.var
                || self.is_short(&l)
                || self.bounds_depend_on(outer, std::slice::from_ref(&l)).is_some()
                || !self.host_knows(&l, &around, privates)
                || Question::of(self, &l).has_exits()
                || crate::extent::sets_its_variable(self, &l)
            {
                break;
            }
            let own: Vec<VarId> = privates.iter().chain(&words.privates).copied().collect();
            let out = CountedLoop { body: outer.stmt, range: outer.range.clone(), ..l.clone() };
            match verdict::of_loop(self, &out, &own, &[]) {
                Verdict::Parallel { privates: more, reductions } if reductions.is_empty() => {
                    privates.extend(&words.privates);
                    privates.extend(more);
                }
                // Those that would not be shared any more are worth more than what an order is.
                _ if self.is_parallel_inside(&l, &own) => return Vec::new(),
                _ => break,
            }
            around.push(l.clone());
            moved.push(l);
        }
        moved
    }

    fn is_parallel_inside(&self, l: &CountedLoop, privates: &[VarId]) -> bool {
        matches!(verdict::of_loop(self, l, privates, &[]), Verdict::Parallel { reductions, .. } if reductions.is_empty())
    }

    /// Whether a loop goes from neighbour to neighbour in memory where one inside of it goes further.
    fn is_nearer(&self, outer: &CountedLoop, inner: &CountedLoop, privates: &[VarId]) -> bool {
        let q = Question::of(self, inner);
        let accesses = q.accesses(privates, &[]);
        self.cost(&q, &accesses, outer) * 10 < self.cost(&q, &accesses, inner) * 9
    }
}
