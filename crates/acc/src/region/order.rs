//! The order of the loops of a nest whose iterations are independent: the one that goes from neighbour to neighbour in memory is
//! the innermost, as McKinley, Carr and Tseng have it ("Improving data locality with loop transformations", 1996).
//!
//! Each access costs a loop the part of a cache line that its next iteration moves it by: nothing where it stays, all of a line
//! where it goes to another row, and a little more the further it goes. What loops inside of the nest repeat counts more. The
//! cheapest loop becomes the innermost, whose iterations are the lanes of vectors and the threads of a warp; the others follow. A
//! loop of a few iterations fills neither, and goes outside.
//!
//! What must hold: iterations of all loops in any order mean the same. Limits: subscripts that are polynomials; what the program
//! says about the levels of single loops is kept for GPUs. Cost: a look at each access for each loop.

use super::Cx;
use crate::ctype::number_bytes;
use crate::loops::CountedLoop;
use crate::poly::Poly;
use crate::reach::Reach;
use crate::scope::VarId;
use crate::verdict::Question;
use directives::ClauseKind;

/// Bytes of a cache line, and what an access costs that takes one.
const LINE: u128 = 64;
/// Bytes of what has no number's type.
const USUAL_BYTES: u32 = 16;
/// How much more often than what stands around it a loop's body runs.
const REPEATED: u128 = 8;

impl Cx<'_> {
    /// Orders the loops of a nest, outermost first; whether that changed anything. The last of them has the nest's body then.
    pub(super) fn order_by_memory(
        &self,
        loops: &mut [CountedLoop],
        privates: &[VarId],
        reductions: &[(String, VarId)],
    ) -> bool {
        let Some(innermost) = loops.last().filter(|_| loops.len() > 1 && !self.keeps_order(loops)).cloned() else {
            return false;
        };
        let q = Question::of(self, &innermost);
        let accesses = q.accesses(privates, reductions);
        let mut costs: Vec<u128> = loops.iter().map(|l| self.cost(&q, &accesses, l)).collect();
        let mut short: Vec<bool> = loops.iter().map(|l| self.is_short(l)).collect();
        let mut changed = false;
        for place in (1..loops.len()).rev() {
            let (now, shorter) = (costs[place], short[place]);
            let best = (0..place).rev().filter(|&i| !short[i]).min_by_key(|&i| costs[i]);
            // A little better is not worth another order than what is written.
            let Some(best) = best.filter(|&i| shorter || costs[i] * 10 < now * 9) else { continue };
            loops[best..=place].rotate_left(1);
            costs[best..=place].rotate_left(1);
            short[best..=place].rotate_left(1);
            changed = true;
        }
        if let Some(last) = loops.last_mut().filter(|_| changed) {
            last.body = innermost.body;
        }
        changed
    }

    /// Whether iterations of a nest that follow each other in the last loop but one use the same memory, of which the last loop alone
    /// goes through more than caches hold: all of a panel (`b[k][j]` in a product, `j` being the last loop's), or lines of which each
    /// uses a part (a transposition). It is better to go down before going on: on processors in the order of groups, on GPUs by blocks
    /// with threads in both loops, whose first-level cache has then what all of them read.
    pub(crate) fn share_columns(
        &self,
        loops: &[CountedLoop],
        privates: &[VarId],
        reductions: &[(String, VarId)],
    ) -> bool {
        let [.., rows, last] = loops else { return false };
        let q = Question::of(self, last);
        // A panel that all rows go through.
        let is_panel = |a: &Reach| {
            matches!((self.step_of(a, last), self.step_of(a, rows)), (Some(1..), Some(0)))
                && q.inner.iter().any(|i| {
                    let moves = |s: &Option<Poly>| s.as_ref().is_some_and(|s| s.has(i.var));
                    i.range.contains(&a.at) && a.subscripts.iter().any(moves)
                })
        };
        // Lines of its own for each iteration of the last loop, a part of them for each of the loop before it.
        let is_part_of_lines = |a: &Reach| {
            let both = self.step_of(a, last).zip(self.step_of(a, rows));
            both.is_some_and(|(across, down)| across > LINE && (1..LINE).contains(&down))
        };
        q.accesses(privates, reductions).iter().any(|a| is_part_of_lines(a) || is_panel(a))
    }

    /// Whether the program says of the loops of a nest which are for blocks and which for threads, and there is code for these.
    fn keeps_order(&self, loops: &[CountedLoop]) -> bool {
        let levels = [ClauseKind::Gang, ClauseKind::Worker, ClauseKind::Vector];
        self.gpu && loops[1..].iter().any(|l| levels.into_iter().any(|c| self.says(l.stmt, c)))
    }

    /// What the accesses of a nest's body cost where `l` is the innermost loop.
    pub(super) fn cost(&self, q: &Question<'_, '_>, accesses: &[Reach], l: &CountedLoop) -> u128 {
        let one = |a: &Reach| {
            let around = q.inner.iter().filter(|i| i.range.contains(&a.at)).count().min(4);
            let often = REPEATED.pow(around as u32);
            // Writes take their line twice: from memory, and back to it.
            let weight = if a.write { 5 } else { 4 };
            self.step_of(a, l).unwrap_or(0) * often * weight
        };
        accesses.iter().map(one).sum()
    }

    /// What an access costs for the next iteration of a loop, in bytes of a line; `None` if that is not known.
    fn step_of(&self, a: &Reach, l: &CountedLoop) -> Option<u128> {
        let (v, by) = (l.var, l.step.map_or(Some(1), |s| self.unit.constant(s)).unwrap_or(1));
        let subscripts = a.subscripts.iter().cloned().collect::<Option<Vec<Poly>>>().filter(|_| !a.unknown)?;
        let dims = self.scopes.var(a.var).ty.map(|t| self.unit.dimensions(t).0).unwrap_or_default();
        let own = a.through.is_none() && dims.len() == subscripts.len();
        let element = a.element.and_then(number_bytes).unwrap_or(USUAL_BYTES);
        let mut row = Some(i128::from(element));
        let (mut bytes, mut far) = (0i128, None);
        for (n, s) in subscripts.iter().enumerate().rev() {
            if s.has(v) {
                // How many rows lie behind it, and how many extents it is multiplied by: the more the further.
                let behind = (subscripts.len() - n) as u128;
                let (factor, degree) = s.linear(v).map_or((None, 2), |(c, _)| (c.number(), degree(&c)));
                let step = factor.zip(row).and_then(|(f, row)| f.checked_mul(row)?.checked_mul(by));
                match step {
                    Some(step) => bytes = bytes.saturating_add(step),
                    None => far = far.max(Some(2 * LINE + LINE / 2 * (behind + degree))),
                }
            }
            let extent = dims.get(n).copied().flatten().filter(|_| own).map(i128::from);
            row = row.zip(extent).and_then(|(row, e)| row.checked_mul(e));
        }
        Some(far.unwrap_or_else(|| match bytes.unsigned_abs() {
            near if near <= LINE => near,
            bytes => LINE + u128::from((bytes / LINE).ilog2()),
        }))
    }
}

/// The most variables that a term multiplies.
fn degree(p: &Poly) -> u128 {
    p.terms().map(|(key, _)| key.len() as u128).max().unwrap_or(0)
}
