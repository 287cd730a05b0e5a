//! Sixth priority: loops whose trip count is known only when they start.
//!
//! The default factor, halved until it fits the partial threshold; left-over iterations run in a remainder. Without a
//! hint: innermost loops only, bodies up to `runtime-unroll-threshold`, and not where few iterations are known or
//! expected. Measured: a loop outside of all others whose bound shows that it runs at most 20 times is left alone
//! (`n & 15`, `min(n, 20)`); what is known from conditions around the loop does not count,
//! nor, before sm_100, what is known of ids and sizes of groups.

use super::Cascade;
use crate::decision::{Decision, Finding, Kind, Priority};
use ir::UnrollRequest;

impl Cascade<'_> {
    pub(super) fn try_runtime(&mut self) -> Option<Decision> {
        self.note(Priority::Partial, Finding::NoTrip);
        if self.request.unroll == UnrollRequest::Full {
            self.note(Priority::Runtime, Finding::WarnRuntimeTrip);
        }
        if let Some(obstacle) = self.runtime_obstacle() {
            self.note(Priority::Runtime, obstacle);
            if !matches!(obstacle, Finding::BodyTooLarge { .. }) {
                return None;
            }
            return self.try_small_function();
        }
        let count = self.runtime_count();
        let max = if self.facts.hidden_bound { 0 } else { self.facts.max_trip };
        if count > self.params.default_count && self.facts.runtime_trip && (1..count).contains(&max) {
            // A round of all copies would never be complete.
            let size = self.facts.unrolled_size(max);
            return self.settle(Priority::Runtime, Finding::UpperBoundChosen { max, size }, Kind::UpperBound, max);
        }
        if count < 2 {
            let (size, threshold) = (self.facts.unrolled_size(2), self.partial_threshold);
            self.note(Priority::Runtime, Finding::NoFactor { size, threshold });
            return self.try_small_function();
        }
        self.settle_runtime(Priority::Runtime, count)
    }

    fn runtime_obstacle(&self) -> Option<Finding> {
        let (facts, params) = (self.facts, self.params);
        let forced = self.forces();
        if !(params.runtime || forced || self.request.unroll == UnrollRequest::Enable) {
            return Some(Finding::RuntimeDisabled);
        }
        let max = if facts.hidden_bound { 0 } else { facts.apparent_max_trip };
        if facts.depth == 1 && max > 0 && max < params.few_iterations && !forced {
            return Some(Finding::FewIterations { max });
        }
        if facts.convergent && !params.runtime_convergent {
            return Some(Finding::Convergent);
        }
        if facts.asks_active {
            return Some(Finding::ActiveLanes);
        }
        if facts.size > params.runtime_threshold {
            return Some(Finding::BodyTooLarge { size: facts.size, threshold: params.runtime_threshold });
        }
        if !facts.innermost {
            return Some(Finding::NotInnermostRuntime);
        }
        if facts.variable_step && facts.instructions > params.strided_threshold {
            return Some(Finding::BodyTooLarge { size: facts.instructions, threshold: params.strided_threshold });
        }
        if facts.dear_trip && self.cheap_count() < 2 && !forced {
            return Some(Finding::DearTripCount);
        }
        if params.cheap_count > 0 && !facts.hidden_bound && (1..FEWEST_WIDE).contains(&facts.max_trip) && !forced {
            return Some(Finding::FewIterations { max: facts.max_trip });
        }
        let threshold = params.flat_loop_tripcount_threshold;
        let estimated = facts.estimated_trip.filter(|&n| n < threshold && !forced);
        estimated.map(|estimated| Finding::FlatLoop { estimated, threshold })
    }

    fn runtime_count(&self) -> u32 {
        let mut count = self.halved_default().max(self.cheap_count());
        if !self.params.allow_remainder {
            while count > 1 && !self.facts.trip_multiple.is_multiple_of(count) {
                count >>= 1;
            }
        }
        count
    }

    /// The factor where the trip count is cheap to compute, halved until it fits; 0 where the profile has none.
    fn cheap_count(&self) -> u32 {
        let (facts, limits) = (self.facts, self.params.cheap_thresholds);
        let mut count = if facts.cheap_trip { self.params.cheap_count } else { 0 };
        while count > 1 && u64::from(count) * u64::from(facts.size) > limits.limit(count, facts.memory) {
            count >>= 1;
        }
        count.min(self.params.max_count)
    }
}

/// Loops that run at most fewer times, in nests, too, stay as they are where large factors are tried.
const FEWEST_WIDE: u32 = 9;
