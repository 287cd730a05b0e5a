//! Fourth priority: iterations before the loop, so that values which only the first ones change become invariant, or
//! so that a loop which is expected to run few iterations is not reached.

use super::Cascade;
use crate::decision::{Decision, Finding, Kind, Priority};

impl Cascade<'_> {
    pub(super) fn try_peel(&mut self) -> Option<Decision> {
        let peel = self.facts.settles_after.max(self.expected_iterations());
        if peel == 0 || !self.facts.innermost {
            self.note(Priority::Peel, Finding::NoPeel);
            return None;
        }
        if !self.params.allow_peeling {
            self.note(Priority::Peel, Finding::PeelDisabled);
            return None;
        }
        let size = self.facts.unrolled_size(peel + 1);
        let threshold = self.threshold;
        let whole = self.trip > 0 && peel >= self.trip;
        if peel > self.params.max_peel_count || size > u64::from(threshold) || whole {
            self.note(Priority::Peel, Finding::PeelTooLarge { count: peel, size, threshold });
            return None;
        }
        self.settle(Priority::Peel, Finding::PeelChosen { count: peel }, Kind::Peel, 1).map(|d| Decision { peel, ..d })
    }

    /// Iterations that a loop is expected to run, where the programmer says so and nobody knows; 0 if they are too
    /// many to peel.
    fn expected_iterations(&self) -> u32 {
        let asked = self.params.peel_by_profile && self.trip == 0 && !self.explicit;
        let expected = self.facts.estimated_trip.filter(|&n| asked && n <= self.params.max_peel_count);
        expected.unwrap_or(0)
    }
}
