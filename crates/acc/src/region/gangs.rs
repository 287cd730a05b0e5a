//! What gangs share, and what each of them does and has by itself (OpenACC 3.4, 2.5.1 and 2.9).

use super::{Construct, Cx};
use crate::ctype::Shape;
use crate::loop_words::LoopWords;
use crate::loops::CountedLoop;
use crate::scope::{Use, VarId};
use directives::{Clause, ClauseKind, Directive, Kind, Operand};
use std::ops::Range;
use syntax::ast::StmtId;

impl Cx<'_> {
    /// The outermost loops with a directive in a region that gangs run: they share them.
    pub(super) fn gang_loops(
        &self,
        range: &Range<usize>,
        out: &mut Vec<CountedLoop>,
        reductions: &mut Vec<(String, VarId)>,
    ) {
        let mut end = 0;
        let of_gangs = self.privates_of_gangs();
        let redundant = self.are_gangs_counted(range);
        for (i, site) in self.scopes.sites_in(range) {
            if site.directive.kind != Kind::Loop || site.directive.span.start < end {
                continue;
            }
            let words = self.words_of(i);
            let counted = site.target.and_then(|t| CountedLoop::of(self.unit, self.scopes, t));
            let is_own = |v: &VarId| range.contains(&self.scopes.var(*v).at.start) || of_gangs.contains(v);
            let Some(l) = counted.filter(|l| l.runs_towards_bound() && !words.seq && !words.auto) else {
                // What they put together is wanted behind the construct all the same.
                reductions.extend(words.reductions.into_iter().filter(|(_, v)| !is_own(v)));
                continue;
            };
            // What is reduced into a gang's own variable each gang computes by itself.
            let own = words.reductions.iter().any(|(_, v)| is_own(v));
            end = l.range.end;
            if own || is_workers(&site.directive) && self.is_each_gangs(&l, &words, range, &is_own, redundant) {
                continue;
            }
            reductions.extend(words.reductions);
            out.push(l);
        }
    }

    /// Variables that clauses of the construct make each gang's own.
    fn privates_of_gangs(&self) -> Vec<VarId> {
        let site = &self.scopes.sites[self.site];
        let clauses = [ClauseKind::Private, ClauseKind::Firstprivate].into_iter().flat_map(|c| site.directive.all(c));
        clauses.flat_map(|c| self.named(site, c)).collect()
    }

    /// Whether each gang has to run a loop of workers or vectors, which it does by 2.9: it counts how often, or writes what each gang
    /// has for itself. What others do is the same if gangs share them.
    fn is_each_gangs(
        &self,
        l: &CountedLoop,
        words: &LoopWords,
        range: &Range<usize>,
        is_own: &dyn Fn(&VarId) -> bool,
        several: bool,
    ) -> bool {
        if !words.reductions.is_empty() {
            return false;
        }
        let counting = self.loop_variables(range);
        let ends_with_it = |v: VarId| self.sets_first(v, &l.range) && !self.is_wanted_behind(v, &l.range);
        let written = |u: &Use| crate::access::place(self.unit, self.scopes, self.parents, u.expr).access.written;
        let of_gang = |u: &Use| {
            let v = u.var;
            let outside = !l.range.contains(&self.scopes.var(v).at.start);
            outside
                && is_own(&v)
                && !counting.contains(&v)
                && !words.privates.contains(&v)
                && written(u)
                && !ends_with_it(v)
        };
        several && self.scopes.sites_in(&l.range).any(|(_, s)| s.directive.kind == Kind::Atomic)
            || self.scopes.uses_in(&l.range).iter().any(of_gang)
    }

    /// Whether it can be seen how often gangs run something: where the program says how many there are, or has loops for them.
    /// Otherwise the gangs are ours to choose, and sharing a loop is as if there were one.
    fn are_gangs_counted(&self, range: &Range<usize>) -> bool {
        let asked = |c: &Clause| {
            let one = |o: &Operand| self.unit.text[o.text.clone()].trim() == "1";
            !c.operands.first().is_some_and(one)
        };
        self.construct == Construct::Parallel
            && (self.scopes.sites[self.site].directive.all(ClauseKind::NumGangs).any(asked)
                || self.scopes.sites_in(range).any(|(_, s)| s.directive.has(ClauseKind::Gang)))
    }

    /// Whether a scalar that is each gang's own takes a value from one of these loops to another.
    pub(super) fn pass_values(&self, list: &[StmtId]) -> bool {
        let at = |s: &StmtId| self.unit.range(self.unit.ast[*s].span);
        let is_own = |s: &StmtId, v: VarId| self.loop_words(*s).privates.contains(&v);
        let written = |u: &Use| crate::access::place(self.unit, self.scopes, self.parents, u.expr).access.written;
        let sets = |s: &StmtId, v: VarId| self.scopes.uses_in(&at(s)).iter().any(|u| u.var == v && written(u));
        let is_scalar = |v: &VarId| {
            matches!(self.scopes.var(*v).ty.map(|t| self.unit.shape(t)), Some(Shape::Number(_) | Shape::Enum))
        };
        self.privates_of_gangs().into_iter().filter(is_scalar).any(|v| {
            list.iter().enumerate().skip(1).any(|(n, s)| {
                !is_own(s, v)
                    && !self.sets_first(v, &at(s))
                    && list[..n].iter().any(|before| !is_own(before, v) && sets(before, v))
            })
        })
    }
}

/// Whether a directive on a loop names workers or vectors, and not gangs.
fn is_workers(d: &Directive) -> bool {
    (d.has(ClauseKind::Worker) || d.has(ClauseKind::Vector)) && !d.has(ClauseKind::Gang)
}
