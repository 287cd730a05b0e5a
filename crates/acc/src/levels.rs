//! Levels of parallelism of functions: gangs hold workers, and workers vectors, also where a function is called whose loops they
//! share (OpenACC 3.4, 2.9 and 2.15.1).

use crate::region;
use crate::routine::{self, LEVELS};
use crate::scope::{Scopes, Site, Storage, Use};
use crate::unit::Unit;
use directives::{ClauseKind as C, Kind};
use rustc_hash::FxHashMap;
use source::Diagnostic;
use std::ops::Range;

/// What is wrong with the `routine` directives of a file, with the loops of the functions that they name, and with calls of these.
pub(crate) fn check(unit: &Unit, scopes: &Scopes) -> Vec<Diagnostic> {
    let mut all = Levels { unit, scopes, said: Vec::new() };
    let mut before: FxHashMap<String, C> = FxHashMap::default();
    for site in &scopes.sites {
        match site.directive.kind {
            Kind::Routine => all.routine(site, &mut before),
            kind if region::construct(kind).is_some() => {
                if let Some(t) = site.target {
                    all.calls(&unit.range(unit.ast[t].span), Some(site), None);
                }
            }
            Kind::Loop | Kind::For => all.looped(site),
            _ => {}
        }
    }
    all.calls_in_routines();
    all.said
}

struct Levels<'a> {
    unit: &'a Unit,
    scopes: &'a Scopes,
    said: Vec<Diagnostic>,
}

/// The place of a level among the four.
fn rank(level: C) -> usize {
    LEVELS.iter().position(|&l| l == level).unwrap_or(LEVELS.len() - 1)
}

impl Levels<'_> {
    fn error(&mut self, code: &'static str, at: &Range<usize>, text: String, help: &str) {
        self.said.push(Diagnostic::error(code, self.unit.span(at), text).help(help.to_owned()));
    }

    /// One level, the same on all directives of a function, the first before its definition.
    fn routine(&mut self, site: &Site, before: &mut FxHashMap<String, C>) {
        let d = &site.written;
        let levels: Vec<_> = d.clauses.iter().filter(|c| LEVELS.contains(&c.kind)).collect();
        for (n, c) in levels.iter().enumerate() {
            if let Some(a) = levels[..n].iter().find(|a| a.device_types == c.device_types && a.kind != c.kind) {
                let text = format!("`{}` and `{}` on one directive", a.kind.word(), c.kind.word());
                self.error("E0810", &c.span, text, "a function has one level (OpenACC 3.4, 2.15.1): keep one");
            }
        }
        let Some(name) = routine::named(self.unit, &site.directive) else { return };
        let level = LEVELS.into_iter().find(|&l| site.directive.has(l)).unwrap_or(C::Seq);
        let other = *before.entry(name.clone()).or_insert(level);
        if other != level {
            let text = format!("`{name}` is a `{}` routine, and here a `{}` one", other.word(), level.word());
            self.error(
                "E0810",
                &d.span,
                text,
                "a function has one level (OpenACC 3.4, 2.15.1): write the same on both",
            );
        }
        let definition = crate::captured::definition(self.unit, &name).map(|i| self.unit.externals[i].start);
        if definition.is_some_and(|at| at < d.span.start) {
            let text = format!("`routine` for `{name}` stands behind its definition");
            let said = Diagnostic::warning("W0822", self.unit.span(&d.span), text).group("unknown-pragmas");
            let help = "it counts all the same; other compilers want it before that (OpenACC 3.4, 2.15.1)";
            self.said.push(said.help(help.to_owned()));
        }
    }

    /// The lowest level of the loops around a place that begin within a range.
    fn around(&self, at: usize, range: &Range<usize>, construct: Option<&Site>) -> Option<C> {
        let holds = |s: &Site| s.target.is_some_and(|t| self.unit.range(self.unit.ast[t].span).contains(&at));
        let loops = self.scopes.sites_in(range).map(|(_, s)| s).chain(construct);
        let levels = loops.filter(|s| holds(s)).flat_map(|s| &s.directive.clauses).map(|c| c.kind);
        levels.filter(|k| LEVELS[..3].contains(k)).max_by_key(|&k| rank(k))
    }

    /// Calls of routines in a range of the text: a compute construct, or the body of a routine with a level of its own.
    fn calls(&mut self, range: &Range<usize>, construct: Option<&Site>, own: Option<(&str, C)>) {
        for u in self.scopes.uses_in(range) {
            let Some((callee, called)) = self.called(u).filter(|c| own.is_none_or(|o| o.0 != c.0)) else { continue };
            let outer = self.around(u.at.start, range, construct).filter(|&o| rank(called) <= rank(o));
            let within = own.map(|o| o.1).filter(|&o| rank(called) < rank(o));
            let Some((whose, what)) = outer.map(|o| (o, "loop")).or(within.map(|o| (o, "routine"))) else { continue };
            let text =
                format!("`{callee}` is a `{}` routine, and called in a `{}` {what}", called.word(), whose.word());
            self.error("E0816", &u.at, text, "gangs hold workers, and workers vectors (OpenACC 3.4, 2.15.1)");
        }
    }

    /// The routine that a use names, and its level, unless that is the lowest.
    fn called(&self, u: &Use) -> Option<(String, C)> {
        let var = self.scopes.var(u.var);
        let level = self.scopes.routines.get(&var.name).filter(|_| var.storage == Storage::Other)?.level?;
        (level != C::Seq).then(|| (var.name.clone(), level))
    }

    /// Calls of routines in routines.
    fn calls_in_routines(&mut self) {
        let mut names: Vec<&String> = self.scopes.routines.keys().collect();
        names.sort_unstable();
        for name in names {
            let Some(own) = self.scopes.routines[name].level else { continue };
            let Some(i) = crate::captured::definition(self.unit, name) else { continue };
            self.calls(&self.unit.externals[i].clone(), None, Some((name, own)));
        }
    }

    /// A loop of a routine, which is shared among what the routine's level has.
    fn looped(&mut self, site: &Site) {
        let Some(own) = self.scopes.routines.get(&site.function).and_then(|r| r.level) else { return };
        let Some(c) = site.directive.clauses.iter().find(|c| LEVELS[..3].contains(&c.kind)) else { return };
        let parents = std::iter::successors(site.parent, |&i| self.scopes.sites[i].parent);
        let is_constructs =
            parents.map(|i| &self.scopes.sites[i]).any(|s| region::construct(s.directive.kind).is_some());
        if is_constructs {
            return;
        }
        if c.kind == C::Gang && site.directive.has(C::Reduction) {
            let text = "the gangs of a routine's loop have no end at which they could reduce".to_owned();
            let help = "reduce in the compute construct (OpenACC 3.4, 2.9.11), or write `worker` or `vector`";
            return self.error("E0816", &c.span.clone(), text, help);
        }
        if rank(c.kind) < rank(own) {
            let text =
                format!("a `{}` loop in `{}`, which is a `{}` routine", c.kind.word(), site.function, own.word());
            let help = "write the loop's level on `routine`, or a lower one on the loop (OpenACC 3.4, 2.15.1)";
            self.error("E0816", &c.span.clone(), text, help);
        }
    }
}
