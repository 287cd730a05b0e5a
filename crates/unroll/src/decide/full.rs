//! Third priority: straight-line code for a constant trip count.
//!
//! The estimated size must stay below the threshold. If it does not, the loop may still be unrolled when much of it
//! folds away: the threshold grows by the ratio of rolled to unrolled simulated cost, in whole percent and at most
//! by `unroll-max-percent-threshold-boost`. Private arrays multiply it for the estimated size alone.

use super::Cascade;
use super::relevance::MAX_ARRAY_TRIP;
use crate::decision::{Decision, Finding, Kind, Priority};

impl Cascade<'_> {
    pub(super) fn try_full(&mut self) -> Option<Decision> {
        if self.facts.convergent && !self.params.full_convergent && self.trip.max(self.facts.max_trip) > 1 {
            self.note(Priority::Full, Finding::FullConvergent);
            return None;
        }
        if self.trip > 0 {
            return if self.full_fits(self.trip) { self.settle_full(Priority::Full, self.trip) } else { None };
        }
        let max = self.facts.max_trip;
        // A loop over a private array may be left as early as it likes: as straight-line code the array is in
        // registers.
        let over_array = max <= self.facts.local_array.min(MAX_ARRAY_TRIP) && self.params.full_over_arrays;
        let over_array = over_array && !self.facts.hidden_bound;
        let allowed = self.params.allow_upper_bound && max <= self.params.max_upperbound;
        if max == 0 || !(allowed || over_array) {
            self.note(Priority::Full, Finding::NoTripOrBound);
            return None;
        }
        if !self.full_fits(max) {
            return None;
        }
        let size = self.facts.unrolled_size(max);
        self.settle(Priority::Full, Finding::UpperBoundChosen { max, size }, Kind::UpperBound, max)
    }

    fn full_fits(&mut self, trip: u32) -> bool {
        let max = self.params.full_max_count;
        if trip > max {
            self.note(Priority::Full, Finding::TripExceedsMax { trip, max });
            return false;
        }
        let size = self.facts.unrolled_size(trip);
        let threshold = self.threshold;
        if size < u64::from(threshold) {
            return true;
        }
        let simulated = self.facts.simulated.filter(|s| s.iterations == trip);
        let Some(cost) = simulated.filter(|_| trip <= self.params.max_iteration_count_to_analyze) else {
            self.note(Priority::Full, Finding::TooLarge { size, threshold });
            return false;
        };
        let unrolled = cost.unrolled;
        // What folds is held against the threshold as it is without private arrays (measured, for both compilers).
        let budget =
            budget(threshold / self.multiplier, boost(cost.rolled, unrolled, self.params.max_percent_threshold_boost));
        if unrolled < budget {
            self.note(Priority::Full, Finding::SimulatedFits { size, threshold, unrolled, budget });
            return true;
        }
        self.note(Priority::Full, Finding::SimulatedTooLarge { size, threshold, unrolled, budget });
        false
    }
}

/// Rolled over unrolled cost in whole percent, at most `max`.
fn boost(rolled: u32, unrolled: u32, max: u32) -> u32 {
    let percent = u64::from(rolled) * 100 / u64::from(unrolled.max(1));
    u32::try_from(percent).unwrap_or(max).min(max)
}

fn budget(threshold: u32, percent: u32) -> u32 {
    u32::try_from(u64::from(threshold) * u64::from(percent) / 100).unwrap_or(u32::MAX)
}
