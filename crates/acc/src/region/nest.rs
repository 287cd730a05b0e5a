//! Nests of loops whose iterations become work-items: how many loops are in one, and how it is launched.

use super::team::{Gang, Team};
use super::{Construct, Cx};
use crate::block::{Block, Tile};
use crate::info::Info;
use crate::kernel::{Kernel, Passing, Schedule};
use crate::loop_words::LoopWords;
use crate::loops::CountedLoop;
use crate::scope::{Storage, VarId};
use crate::verdict::{self, Verdict};
use directives::ClauseKind;
use std::ops::Range;
use syntax::ast::{ExprId, StmtId, StmtKind};

impl Cx<'_> {
    /// A nest of loops whose iterations become work-items.
    pub(crate) fn nest(&mut self, s: StmtId, words: LoopWords) -> Result<Kernel, String> {
        let not_counted =
            || "a parallel loop does not count: it needs `for (i = lower; i < upper; i += step)`".to_owned();
        let first = CountedLoop::of(self.unit, self.scopes, s)
            .filter(CountedLoop::runs_towards_bound)
            .ok_or_else(not_counted)?;
        if words.seq {
            return self.whole(s, Some("1L".to_owned()));
        }
        if self.has_one_lane(&first, &words) {
            return self.one_lane(s, &first, &words);
        }
        let mut loops = vec![first];
        let (mut privates, mut reductions) = (words.privates.clone(), words.reductions.clone());
        while loops.len() < words.collapse {
            let body = loops[loops.len() - 1].body;
            let next = CountedLoop::of(self.unit, self.scopes, body);
            if next.is_none() && words.force {
                // What stands between the loops runs once for each iteration that it belongs to.
                let (line, _) = self.unit.line(loops[0].range.start);
                let text =
                    format!("collapse(force:{}): the iterations of {} shared", words.collapse, count(loops.len()));
                self.say(line, &text);
                break;
            }
            let next = next.ok_or_else(|| too_shallow(&words, loops.len()))?;
            if let Some(v) = self.bounds_depend_on(&next, &loops) {
                self.tell_of_triangle(&next, v, &loops);
                privates.push(next.var);
                break;
            }
            loops.push(next);
        }
        let asked = loops.len();
        if let Some(l) = loops.iter().find(|l| crate::extent::sets_its_variable(self, l)) {
            return Err(format!(
                "a parallel loop does not count: it changes its variable `{}`",
                self.scopes.var(l.var).name
            ));
        }
        self.must_run_whole(&loops)?;
        let implied = self.implied_reductions(&loops[0], &privates, &reductions);
        reductions.extend(implied);
        self.extend(&mut loops, &mut privates, &reductions);
        let d = &self.scopes.sites[self.site];
        for c in d.directive.all(ClauseKind::Private) {
            privates.extend(self.named(d, c));
        }
        for c in d.directive.all(ClauseKind::Reduction) {
            let op = c.modifiers.first().cloned().unwrap_or_default();
            for v in self.named(d, c) {
                if !reductions.iter().any(|r| r.1 == v) {
                    reductions.push((op.clone(), v));
                }
            }
        }
        for l in &loops[..asked] {
            self.judge(l, &words, &privates, &reductions);
        }
        let sections = self.sections();
        let nest = self.unit.range(self.unit.ast[loops[0].stmt].span);
        let inner = self.scopes.sites_in(&nest).flat_map(|(i, _)| self.words_of(i).privates).collect::<Vec<_>>();
        let firsts: Vec<VarId> = self.firsts(&sections).into_iter().filter(|f| f.1).map(|f| f.0).collect();
        let computed_private = privates.iter().chain(&inner).chain(&firsts).any(|&v| self.is_computed(v, &sections));
        let computed_private = computed_private || !self.local_arrays(&nest).is_empty();
        let known = loops.iter().all(|l| self.host_knows(l, &loops, &privates));
        let direct = known && reductions.is_empty() && !computed_private && loops.len() <= 3;
        let body = loops[loops.len() - 1].body;
        let range = self.unit.range(self.unit.ast[loops[0].stmt].span);
        let (line, _) = self.unit.line(range.start);
        for l in &loops {
            let (line, _) = self.unit.line(l.range.start);
            self.say(line, "Loop is parallelizable");
        }
        if self.order_by_memory(&mut loops, &privates, &reductions) {
            self.say(line, &self.interchanged(&loops));
        }
        let narrow = loops.last().is_some_and(|l| self.is_narrow(l, &privates, &reductions));
        let schedule = match direct {
            true => Schedule::Items(loops.clone()),
            false => Schedule::Shared(loops.clone(), known),
        };
        let team = self.team(&Gang { schedule: &schedule, body, privates: &privates, reductions: &reductions });
        let (block, tile) = match (&team, direct) {
            (Some(team), _) => (team.block, None),
            (None, true) => (self.block_of_nest(&loops, &privates, &reductions), None),
            (None, false) => self.block_of_shared(&loops),
        };
        self.tell_schedule((&loops, tile), direct, narrow, (block, team.as_ref()));
        for (op, v) in &reductions {
            let name = &self.scopes.var(*v).name;
            let implicit = if self.is_asked_to_reduce(s, *v) { "" } else { "implicit " };
            let text = format!("Generating {implicit}reduction({op}:{name})");
            self.info.push(Info { line, text });
        }
        self.tell_team(team.as_ref());
        self.kernel((schedule, team), body, &range, privates, reductions)
    }

    /// A loop that one lane has for itself.
    fn one_lane(&mut self, s: StmtId, l: &CountedLoop, words: &LoopWords) -> Result<Kernel, String> {
        let (line, _) = self.unit.line(l.range.start);
        self.say(line, "One gang, worker and lane: its iterations run one after another");
        self.say(line, "#pragma acc loop seq");
        let implied = self.implied_reductions(l, &words.privates, &words.reductions);
        self.whole_reducing(s, Some("1L".to_owned()), implied)
    }

    /// Refuses loops that the program shares out, and that do not run all their iterations: what would run behind the jump?
    pub(super) fn must_run_whole(&self, loops: &[CountedLoop]) -> Result<(), String> {
        let leaves = loops.iter().any(|l| verdict::Question::of(self, l).has_exits());
        if leaves { Err("loop has multiple exits".to_owned()) } else { Ok(()) }
    }

    /// What becomes of a nest, in the words of its target; `tile` if blocks share tiles of them, `direct` if each loop is
    /// a dimension of the launch, `narrow` if vectors are for the loops inside.
    pub(super) fn tell_schedule(
        &mut self,
        (loops, tile): (&[CountedLoop], Option<Tile>),
        direct: bool,
        narrow: bool,
        (block, team): (Block, Option<&Team>),
    ) {
        let lines: Vec<u32> = loops.iter().map(|l| self.unit.line(l.range.start).0).collect();
        let collapse = if loops.len() > 1 { format!(" collapse({})", loops.len()) } else { String::new() };
        let first = lines.iter().copied().min().unwrap_or(0);
        let gangs = self.gangs_asked(loops).map_or_else(String::new, |g| format!("({})", g.words));
        if !self.gpu {
            self.say(first, "Generating Multicore code");
            let lanes = if direct { crate::kernel::LOCAL } else { crate::kernel::SHARING };
            let vector = if narrow { String::new() } else { format!(", vector({lanes})") };
            return self.say(first, &format!("#pragma acc loop gang{gangs}{vector}{collapse}"));
        }
        self.say(first, "Generating NVIDIA GPU code");
        let rows = block.rows();
        let (block, ids) = match team {
            // The threads share loops inside.
            Some(_) => (String::new(), "blockIdx.x"),
            None => (block.words(), "blockIdx.x threadIdx.x"),
        };
        if !direct {
            let nest = tile.map_or(collapse, |t| format!(" tile({},{})", t.across, t.down));
            let text = format!("#pragma acc loop gang{gangs}{block}{nest} /* {ids} */");
            return self.say(first, &text);
        }
        for (n, &line) in lines.iter().enumerate() {
            // Blocks that the program counts are numbered in one dimension.
            let (counted, y, z) = match gangs.as_str() {
                "" => ("", "y", "z"),
                words => (if n == 0 { words } else { "" }, "x", "x"),
            };
            let text = match lines.len() - 1 - n {
                0 => format!("#pragma acc loop gang{counted}{block} /* {ids} */"),
                1 if rows > 1 => {
                    format!("#pragma acc loop gang{counted}, vector({rows}) /* blockIdx.{y} threadIdx.y */")
                }
                1 => format!("#pragma acc loop gang{counted} /* blockIdx.{y} */"),
                _ => format!("#pragma acc loop gang{counted} /* blockIdx.{z} */"),
            };
            self.say(line, &text);
        }
    }

    /// The new order of a nest's loops, in the words of `-Minfo`; loops of one line are told apart by their variables.
    pub(super) fn interchanged(&self, loops: &[CountedLoop]) -> String {
        let lines: Vec<u32> = loops.iter().map(|l| self.unit.line(l.range.start).0).collect();
        let one_each = lines.iter().enumerate().all(|(n, line)| !lines[..n].contains(line));
        let word = |(l, line): (&CountedLoop, &u32)| match one_each {
            true => line.to_string(),
            false => format!("{line} ({})", self.scopes.var(l.var).name),
        };
        let order: Vec<String> = loops.iter().zip(&lines).map(word).collect();
        format!("Loop interchange produces reordered loop nest: {}", order.join(", "))
    }

    /// What becomes of the loops that the threads of a block share.
    pub(super) fn tell_team(&mut self, team: Option<&Team>) {
        for l in team.into_iter().flat_map(|t| &t.loops) {
            let (line, _) = self.unit.line(l.counted.range.start);
            let block = team.map_or_else(String::new, |t| t.block.words());
            let (gang, ids) = match l.gang {
                true => ("gang, ", "blockIdx.x threadIdx.x"),
                false => ("", "threadIdx.x"),
            };
            self.say(line, "Loop is parallelizable");
            self.say(line, &format!("#pragma acc loop {gang}{} /* {ids} */", block.trim_start_matches(", ")));
            for (op, v) in &l.reductions {
                let implicit = if self.is_asked_to_reduce(l.counted.stmt, *v) { "" } else { "implicit " };
                let text = format!("Generating {implicit}reduction({op}:{})", self.scopes.var(*v).name);
                self.say(line, &text);
            }
        }
    }

    /// Takes loops that stand alone in the one before into the nest, if they are parallel, too: since the program says so, or, where
    /// it says nothing of them, since that is proved. What they reduce is what the loops around them do. On GPUs such loops are for a
    /// block's threads, which then need not divide to know their iterations.
    fn extend(&mut self, loops: &mut Vec<CountedLoop>, privates: &mut Vec<VarId>, reductions: &[(String, VarId)]) {
        while loops.len() < 3 && (reductions.is_empty() || !self.gpu) {
            let body = loops[loops.len() - 1].body;
            let Some(inner) = CountedLoop::of(self.unit, self.scopes, body).filter(CountedLoop::runs_towards_bound)
            else {
                return;
            };
            let words = self.loop_words(inner.stmt);
            let is_reduced_around = |r: &(String, VarId)| reductions.contains(r);
            if words.seq || !words.reductions.iter().all(is_reduced_around) || words.collapse > 1 {
                return;
            }
            if !self.host_knows(&inner, loops, privates) || self.is_short(&inner) {
                return;
            }
            let around = self.unit.range(self.unit.ast[body].span);
            if !words.there && self.hinted_loops(&around).contains(&inner.stmt) {
                return;
            }
            if words.there && !words.auto && (self.construct == Construct::Parallel || words.independent) {
                let known: Vec<VarId> = privates.iter().chain(&words.privates).copied().collect();
                if self.judge(&inner, &words, &known, reductions) {
                    // One after another it is right in any case.
                    return;
                }
                privates.extend(&words.privates);
            } else {
                self.ended.clone_from(privates);
                let verdict = verdict::of_loop(self, &inner, &words.privates, &words.reductions);
                self.ended.clear();
                match verdict {
                    Verdict::Parallel { privates: p, reductions: r } if r.iter().all(is_reduced_around) => {
                        privates.extend(p);
                        privates.extend(&words.privates);
                    }
                    _ => return,
                }
            }
            loops.push(inner);
        }
    }

    /// The loops in a part of the text before which a hint stands that is about the loop (`#pragma unroll`): they stay loops.
    pub(super) fn hinted_loops(&self, range: &Range<usize>) -> Vec<StmtId> {
        let unit = self.unit;
        let hinted = |s: &StmtId| matches!(unit.ast[*s].kind, StmtKind::Attributed { hints, .. } if !hints.is_empty());
        unit.stmts_in(range).into_iter().filter(hinted).map(|s| crate::loops::plain(unit, s)).collect()
    }

    /// Whether the host can tell a loop's bounds before the region runs.
    pub(super) fn host_knows(&self, l: &CountedLoop, nest: &[CountedLoop], privates: &[VarId]) -> bool {
        let counted: Vec<VarId> = nest.iter().map(|n| n.var).collect();
        let parts = [Some(l.lower), Some(l.bound), l.step];
        parts.into_iter().flatten().all(|e| self.host_knows_value(e, &counted, privates))
    }

    /// Of loops that are asked to be one and cannot be, the outer ones are shared.
    fn tell_of_triangle(&mut self, l: &CountedLoop, depends: VarId, around: &[CountedLoop]) {
        let name = |v: VarId| self.scopes.var(v).name.clone();
        let text = format!(
            "the bounds of `{}` depend on `{}`: the iterations of {} shared",
            name(l.var),
            name(depends),
            count(around.len())
        );
        let at = self.scopes.sites[self.site].directive.span.clone();
        let help = "`collapse` and `tile` want loops that count alike in each round (OpenACC 3.4, 2.9.1)";
        self.warnings.push(super::Warning { at, text, help, rule: None });
    }

    /// The loop's variable among those that the bounds of one inside of them depend on: what is collapsed or tiled counts alike in
    /// each round of the loops around it (2.9.1).
    pub(super) fn bounds_depend_on(&self, l: &CountedLoop, around: &[CountedLoop]) -> Option<VarId> {
        let parts = [Some(l.lower), Some(l.bound), l.step];
        let ranges = parts.into_iter().flatten().map(|e| self.unit.range(self.unit.ast[e].span));
        let uses = ranges.flat_map(|r| self.scopes.uses_in(&r).iter().map(|u| u.var).collect::<Vec<_>>());
        uses.into_iter().find(|v| around.iter().any(|o| o.var == *v))
    }

    /// Whether the host can tell the value of an expression before the region runs, in which loops count with variables.
    pub(crate) fn host_knows_value(&self, e: ExprId, counted: &[VarId], privates: &[VarId]) -> bool {
        let range = self.unit.range(self.unit.ast[e].span);
        let uses = self.scopes.uses_in(&range);
        let call = uses.iter().any(|u| self.scopes.var(u.var).storage == Storage::Other && self.is_function(u.var));
        !self.reads_memory(&range)
            && !call
            && uses.iter().all(|u| {
                let written = self.accesses.iter().any(|(v, a)| *v == u.var && a.written);
                let var = self.scopes.var(u.var);
                let by_host = self.host_variables.contains(&u.var);
                (by_host || !written && !self.range.contains(&var.at.start))
                    && !privates.contains(&u.var)
                    && !counted.contains(&u.var)
                    && (var.storage == Storage::Other || self.passing(u.var, &[], &[], &[]) == Passing::Value)
            })
    }
}

/// `the outer loop are`, `the outer 2 loops are`
fn count(loops: usize) -> String {
    if loops == 1 { "the outer loop are".to_owned() } else { format!("the outer {loops} loops are") }
}

/// Why loops cannot be collapsed (OpenACC 3.4, 2.9.1: they are tightly nested).
fn too_shallow(words: &LoopWords, there: usize) -> String {
    let loops = if there == 1 { "loop is" } else { "loops are" };
    let asked = words.collapse;
    if words.tile {
        return format!(
            "tile with {asked} sizes wants {asked} counted loops with nothing between them, and only {there} {loops} here: leave \
             sizes out, or move what stands between the loops into the innermost"
        );
    }
    format!(
        "collapse({asked}) wants {asked} counted loops with nothing between them, and only {there} {loops} here: write \
         collapse({there}), or move what stands between the loops into the innermost"
    )
}
