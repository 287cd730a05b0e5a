//! Sixth priority: loops whose trip count is known only when they start.
//!
//! The default factor, halved until it fits the partial threshold; left-over iterations run in a remainder. Without a
//! hint: innermost loops only, bodies up to `runtime-unroll-threshold`, and not where few iterations are known or
//! expected. Measured: a loop outside of all others whose bound shows that it runs at most 20 times is left alone
//! (`n & 15`, `min(n, 20)`); what is known from conditions around the loop does not count.

use super::Cascade;
use crate::decision::{Decision, Finding, Priority};
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
        let max = facts.apparent_max_trip;
        if facts.depth == 1 && max > 0 && max < params.few_iterations && !forced {
            return Some(Finding::FewIterations { max });
        }
        if facts.convergent && !params.runtime_convergent {
            return Some(Finding::Convergent);
        }
        if facts.size > params.runtime_threshold {
            return Some(Finding::BodyTooLarge { size: facts.size, threshold: params.runtime_threshold });
        }
        if !facts.innermost {
            return Some(Finding::NotInnermostRuntime);
        }
        let threshold = params.flat_loop_tripcount_threshold;
        let estimated = facts.estimated_trip.filter(|&n| n < threshold && !forced);
        estimated.map(|estimated| Finding::FlatLoop { estimated, threshold })
    }

    fn runtime_count(&self) -> u32 {
        let mut count = self.halved_default();
        if !self.params.allow_remainder {
            while count > 1 && !self.facts.trip_multiple.is_multiple_of(count) {
                count >>= 1;
            }
        }
        count
    }
}
