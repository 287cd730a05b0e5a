//! The decision engine: a cascade of priorities, each in a file of its own; the first that settles a loop wins.
//!
//! | priority | file | settles |
//! |---|---|---|
//! | – | [`local_array`] | nothing: multiplies thresholds for loops over private arrays |
//! | 1 | [`forced`] | `unroll-count`, `unroll-peel-count` |
//! | 2 | [`pragma`] | `#pragma unroll N`, `#pragma unroll`, `#pragma unroll 1` |
//! | 3 | [`full`] | constant trip counts that become small enough |
//! | 4 | [`peel`] | values that settle after a few iterations |
//! | 5 | [`partial`] | constant trip counts that do not |
//! | 6 | [`runtime`] | trip counts known only when the loop starts |
//! | – | [`small_function`] | what is left, in tiny functions |
//!
//! [`jam`] is asked before, about nests.
//!
//! [`decide`] is a pure function. It changes no parameter; thresholds that one priority raises for later ones live in
//! the cascade's own state.

mod forced;
mod full;
mod jam;
mod local_array;
mod partial;
mod peel;
mod pragma;
mod relevance;
mod runtime;
mod small_function;
#[cfg(test)]
mod tests;

pub use jam::decide_jam;
pub(crate) use relevance::size_matters;

use crate::decision::{Decision, Finding, Kind, Leftover, Priority, Remainder, Step, Trail};
use crate::facts::LoopFacts;
use crate::params::{Profile, UnrollParams};
use crate::request::Request;
use ir::UnrollRequest;

/// Decides what becomes of a loop.
pub fn decide(facts: &LoopFacts, request: &Request, params: &UnrollParams) -> Decision {
    let mut c = Cascade::new(facts, *request, params);
    let settled = c.run();
    c.finish(settled)
}

/// The state of the cascade.
struct Cascade<'a> {
    facts: &'a LoopFacts,
    request: Request,
    params: &'a UnrollParams,
    /// Full unrolling must stay below this.
    threshold: u32,
    /// By how much a private array has multiplied it.
    multiplier: u32,
    /// Partial unrolling must not exceed this.
    partial_threshold: u32,
    /// A hint's unrolling must stay below this.
    pragma_threshold: u32,
    /// The programmer or a knob asks for unrolling.
    explicit: bool,
    /// Trip count that may be relied on; 0 if unknown.
    trip: u32,
    trail: Trail,
}

/// As many copies ptxas makes of a loop that counts (measured with ptxas 13.5: of four loads a round sixteen, then eight
/// and four for what is left).
const ASSEMBLER_COPIES: u32 = 4;

impl<'a> Cascade<'a> {
    fn new(facts: &'a LoopFacts, request: Request, params: &'a UnrollParams) -> Self {
        let request = if params.skip_pragmas { Request::NONE } else { request };
        let explicit = request.is_explicit() || params.count.is_some_and(|n| n > 1);
        let whole =
            request.unroll == UnrollRequest::Full && params.profile == Profile::Cicc23 && params.count.is_none();
        Self {
            facts,
            request,
            params,
            threshold: params.threshold,
            multiplier: 1,
            partial_threshold: params.partial_threshold,
            pragma_threshold: params.pragma_threshold,
            explicit,
            // A count that only one half of a test knows is left to hints; for sm_100, to those that name a factor.
            trip: if explicit && !whole { facts.counted_trip } else { facts.trip_count },
            trail: Trail::new(),
        }
    }

    fn run(&mut self) -> Option<Decision> {
        if self.facts.done {
            self.note(Priority::Entry, Finding::AlreadyDone);
            return None;
        }
        if self.facts.max_trip == 1 || self.facts.counted_trip == 1 {
            // No loop at all, whatever is asked: the way back is never taken.
            let kind = if self.facts.counted_trip == 1 { Kind::Full } else { Kind::UpperBound };
            return self.settle(Priority::Entry, Finding::RunsOnce, kind, 1);
        }
        if !self.facts.duplicable {
            self.note(Priority::Entry, Finding::NotDuplicable);
            return None;
        }
        self.multiply_thresholds();
        self.try_forced()
            .or_else(|| self.try_pragma())
            .or_else(|| self.try_full())
            .or_else(|| self.try_peel())
            .or_else(|| if self.trip > 0 { self.try_partial() } else { self.try_runtime() })
    }

    /// The verdict with the reasoning; without one the loop stays as it is.
    fn finish(self, settled: Option<Decision>) -> Decision {
        Decision { trail: self.trail, ..settled.unwrap_or_else(|| Decision::keep(Trail::new())) }
    }

    /// Enters a finding that does not settle the matter.
    fn note(&mut self, priority: Priority, finding: Finding) {
        self.trail.push(Step { priority, finding, decided: false });
    }

    /// Enters the finding that settles the matter and makes the verdict.
    fn settle(&mut self, priority: Priority, finding: Finding, kind: Kind, count: u32) -> Option<Decision> {
        self.trail.push(Step { priority, finding, decided: true });
        Some(Decision { kind, count, explicit: self.explicit, ..Decision::keep(Trail::new()) })
    }

    /// Settles for one copy per iteration.
    fn settle_full(&mut self, priority: Priority, trip: u32) -> Option<Decision> {
        let size = self.facts.unrolled_size(trip);
        self.settle(priority, Finding::FullChosen { trip, size }, Kind::Full, trip)
    }

    /// Settles for `count` copies of a loop whose trip count is known; for straight-line code if that is all of it.
    fn settle_partial(&mut self, priority: Priority, count: u32) -> Option<Decision> {
        if count >= self.trip {
            return self.settle_full(priority, self.trip);
        }
        let breakout = self.trip % count;
        let size = self.facts.unrolled_size(count);
        let finding = Finding::PartialChosen { count, breakout, size };
        self.settle(priority, finding, Kind::Partial, count).map(|d| Decision { breakout, ..d })
    }

    /// Settles for `count` copies of a loop whose trip count is not known, or finds that no remainder loop can be
    /// made; then a hint gets copies with side exits, and nobody else gets anything.
    fn settle_runtime(&mut self, priority: Priority, count: u32) -> Option<Decision> {
        let exits = self.facts.exits;
        if exits == 0 {
            self.note(priority, Finding::Refused { why: "the loop has no exit" });
            return None;
        }
        let unshown = self.facts.counted_by_ids && !self.forces();
        if exits > 1 || unshown || !self.facts.runtime_trip {
            self.note(priority, Finding::NoRemainderLoop { exits });
            if !self.forces() {
                return None;
            }
            return self.settle(priority, Finding::SideExitsChosen { count }, Kind::SideExits, count);
        }
        let size = self.facts.unrolled_size(count);
        let nested = self.facts.depth > 1 && size < u64::from(self.params.nest_remainder_threshold);
        // Many left-over iterations are not worth a loop.
        let wide = !self.forces() && self.params.cheap_count > 0 && self.facts.cheap_trip;
        let leftover = match (wide, count) {
            (false, _) => self.leftover(nested),
            (true, 9..) if self.facts.depth == 1 => Leftover::Blocks,
            (true, _) => Leftover::Binary,
        };
        let remainder = self.remainder_side(wide && count > 2);
        let finding = Finding::RuntimeChosen { count, leftover, size };
        let few_rounds = (1..count.saturating_mul(ASSEMBLER_COPIES)).contains(&self.facts.max_trip);
        self.settle(priority, finding, Kind::Runtime, count).map(|d| Decision { remainder, leftover, few_rounds, ..d })
    }

    /// What becomes of left-over iterations; `nested` says that a loop would cost more than its copies.
    fn leftover(&self, nested: bool) -> Leftover {
        if self.params.binary_remainder {
            Leftover::Binary
        } else if self.params.unroll_remainder || nested {
            Leftover::Straight
        } else {
            Leftover::Loop
        }
    }

    /// Loops that count from a constant keep that start, and with it the alignment of their accesses: what is left
    /// over comes last. So it does in all loops that get a factor by their counts' cost, but for two copies.
    fn remainder_side(&self, by_cost: bool) -> Remainder {
        let epilogue =
            self.params.runtime_epilog.unwrap_or(self.params.force_epilogue && (self.facts.constant_start || by_cost));
        if epilogue { Remainder::Epilogue } else { Remainder::Prologue }
    }

    /// Whether a factor was named, so that heuristics about profit do not apply.
    fn forces(&self) -> bool {
        matches!(self.request.unroll, UnrollRequest::Count(_)) || self.params.count.is_some()
    }

    /// The largest power of two not above `count`, if the profile wants one.
    fn rounded(&self, count: u32) -> u32 {
        if self.params.power_of_two && count > 0 { 1 << count.ilog2() } else { count }
    }

    /// The default factor, halved until it fits the partial threshold; below 2 if nothing fits.
    fn halved_default(&self) -> u32 {
        let mut count = self.params.default_count;
        while count > 1 && self.facts.unrolled_size(count) > u64::from(self.partial_threshold) {
            count >>= 1;
        }
        self.rounded(count.min(self.params.max_count))
    }
}
