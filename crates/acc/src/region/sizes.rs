//! Sizes of gangs: `num_gangs`, `gang(n)`, PGI's `parallel(n)`, and loops whose levels have one lane.
//!
//! On GPUs a launch has so many blocks, which go on to other iterations until none is left; on the cores at most so many threads take
//! part. Where all levels that a loop is shared by have one of everything its iterations run one after another, as programs expect that
//! are written so.

use super::{Construct, Cx};
use crate::constant;
use crate::host::by_device;
use crate::loop_words::LoopWords;
use crate::loops::{CountedLoop, plain};
use crate::scope::{Site, Storage};
use directives::{Clause, ClauseKind as C, Directive, Kind, Operand};
use syntax::ast::StmtId;

/// How many gangs a nest of loops asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Gangs {
    /// As the program has it, for messages.
    pub(crate) words: String,
    /// An expression of the host.
    pub(crate) count: String,
}

/// The size that a clause gives, if it does: not `static` or `dim`, nor `*`.
fn size(c: &Clause) -> Option<&Operand> {
    c.operands.iter().find(|o| matches!(o.keyword.as_deref(), None | Some("num" | "length")))
}

/// The sizes that the clauses of a kind give: numbers of gangs in each dimension, or the one size of others.
fn sizes(d: &Directive, kind: C) -> Vec<Operand> {
    let all = d.all(kind);
    match kind {
        C::NumGangs => all.flat_map(|c| c.operands.iter().filter(|o| o.keyword.is_none())).cloned().collect(),
        _ => all.filter_map(size).take(1).cloned().collect(),
    }
}

impl Cx<'_> {
    /// The directives on the loops of a nest.
    fn sites_of<'s>(&'s self, loops: &'s [CountedLoop]) -> impl Iterator<Item = &'s Site> {
        let on_nest =
            |s: &&Site| s.target.is_some_and(|t| loops.iter().any(|l| plain(self.unit, t) == plain(self.unit, l.stmt)));
        self.scopes.sites.iter().filter(|s| matches!(s.directive.kind, Kind::Loop | Kind::For)).filter(on_nest)
    }

    /// The gangs that a nest asks for: its loops, or its construct.
    pub(crate) fn gangs_asked(&self, loops: &[CountedLoop]) -> Option<Gangs> {
        let construct = &self.scopes.sites[self.site];
        let on_loops = self.sites_of(loops).find_map(|s| self.gangs_of(s, &[C::Gang, C::Parallel]));
        // PGI's `parallel(n)` and `gang(n)` of combined constructs stand on the construct.
        on_loops.or_else(|| self.gangs_of(construct, &[C::Gang, C::Parallel, C::NumGangs]))
    }

    /// The gangs that one directive asks for: in several dimensions (`num_gangs(m, n)`, OpenACC 3.4, 2.5.10; CAPS'
    /// `num_gangs[0](m) num_gangs[1](n)`) those of all together.
    fn gangs_of(&self, site: &Site, kinds: &[C]) -> Option<Gangs> {
        let of = |d: &Directive| -> Option<Vec<Operand>> {
            let known = |o: &Operand| self.host_evaluates(site, o);
            kinds.iter().map(|&k| sizes(d, k)).find(|all| !all.is_empty()).filter(|all| all.iter().all(known))
        };
        let here = |o: &Operand| self.unit.text[o.text.clone()].trim().to_owned();
        let mine = of(&site.directive)?;
        let count = by_device(site, |d| {
            let all = of(d).unwrap_or_default();
            let product = all.iter().map(|o| format!("(long)({})", here(o)));
            product
                .reduce(|m, n| format!("__unspool_acc_times({m}, {n})"))
                .map_or("0L".to_owned(), |n| format!("({n})"))
        });
        let words = match mine.as_slice() {
            [one] => here(one),
            all => all.iter().map(|o| format!("({})", here(o))).collect::<Vec<_>>().join(" * "),
        };
        Some(Gangs { words, count })
    }

    /// Whether an operand's value is known where the construct begins.
    fn host_evaluates(&self, site: &Site, o: &Operand) -> bool {
        if std::ptr::eq(site, &raw const self.scopes.sites[self.site]) {
            return true;
        }
        if constant::of_operand(self.unit, self.scopes, site, &o.text).is_some() {
            return true;
        }
        let name = self.unit.text[o.text.clone()].trim();
        site.names.get(name).is_some_and(|&v| {
            let var = self.scopes.var(v);
            let written = self.accesses.iter().any(|(w, a)| *w == v && a.written);
            var.storage != Storage::Other && !self.range.contains(&var.at.start) && !written
        })
    }

    /// Whether the levels that share a loop of `parallel` have one lane together: each that its directive names, or, where it names
    /// none, gangs and vectors.
    pub(crate) fn has_one_lane(&self, l: &CountedLoop, words: &LoopWords) -> bool {
        if self.construct != Construct::Parallel || words.seq || words.collapse > 1 || self.holds_directives(l.stmt) {
            return false;
        }
        let construct = &self.scopes.sites[self.site];
        let sites: Vec<&Site> = self.sites_of(std::slice::from_ref(l)).chain([construct]).collect();
        let is_combined = construct.directive.kind == Kind::ParallelLoop;
        let on_loop = || sites.iter().filter(|s| is_combined || !std::ptr::eq(**s, construct));
        let named = |k: C| on_loop().any(|s| s.directive.has(k));
        let none = ![C::Gang, C::Worker, C::Vector].into_iter().any(named);
        let one = |own: C, of_construct: C| {
            let sizes =
                sites.iter().flat_map(|s| [own, of_construct].map(|k| (s, s.directive.clause(k).and_then(size))));
            let first = sizes.filter_map(|(s, o)| Some((s, o?))).next();
            first.map(|(s, o)| constant::of_operand(self.unit, self.scopes, s, &o.text) == Some(1))
        };
        let gangs = !(none || named(C::Gang)) || one(C::Gang, C::NumGangs) == Some(true);
        // Nobody has workers who asks for none.
        let workers = one(C::Worker, C::NumWorkers) != Some(false);
        let vectors = !(none || named(C::Vector)) || one(C::Vector, C::VectorLength) == Some(true);
        gangs && vectors && workers
    }

    /// Whether loops with a directive stand in a loop.
    fn holds_directives(&self, s: StmtId) -> bool {
        let range = self.unit.range(self.unit.ast[plain(self.unit, s)].span);
        self.scopes.sites_in(&range).any(|(_, s)| matches!(s.directive.kind, Kind::Loop | Kind::For))
    }
}
