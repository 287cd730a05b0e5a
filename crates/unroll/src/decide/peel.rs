//! Fourth priority: iterations before the loop, so that values which only the first ones change become invariant, so
//! that a branch which only the first ones take another way is gone, or so that a loop which is expected to run few
//! iterations is not reached.

use super::Cascade;
use crate::decision::{Decision, Finding, Kind, Priority};

impl Cascade<'_> {
    pub(super) fn try_peel(&mut self) -> Option<Decision> {
        let values = self.facts.settles_after.max(self.expected_iterations());
        let tests = self.tests_gone();
        let peel = if tests > 0 && (tests > values || !self.fits(values)) { tests } else { values };
        if peel == 0 || !self.facts.innermost {
            self.note(Priority::Peel, Finding::NoPeel);
            return None;
        }
        if !self.params.allow_peeling {
            self.note(Priority::Peel, Finding::PeelDisabled);
            return None;
        }
        if !self.fits(peel) {
            let (size, threshold) = (self.facts.unrolled_size(peel + 1), self.threshold);
            self.note(Priority::Peel, Finding::PeelTooLarge { count: peel, size, threshold });
            return None;
        }
        self.settle(Priority::Peel, Finding::PeelChosen { count: peel }, Kind::Peel, 1).map(|d| Decision { peel, ..d })
    }

    fn fits(&self, peel: u32) -> bool {
        let whole = self.trip > 0 && peel >= self.trip;
        let size = self.facts.unrolled_size(peel.saturating_add(1));
        peel <= self.params.max_peel_count && size <= u64::from(self.threshold) && !whole
    }

    /// Most iterations that fit and settle a branch.
    fn tests_gone(&self) -> u32 {
        let most = (self.threshold / self.facts.size.max(1)).saturating_sub(1);
        (1..=most.min(self.params.max_peel_count)).rev().find(|&k| self.facts.flips >> k & 1 == 1).unwrap_or(0)
    }

    /// Iterations that a loop is expected to run, where the programmer says so and nobody knows; 0 if they are too
    /// many to peel.
    fn expected_iterations(&self) -> u32 {
        let asked = self.params.peel_by_profile && self.trip == 0 && !self.explicit;
        let expected = self.facts.estimated_trip.filter(|&n| asked && n <= self.params.max_peel_count);
        expected.unwrap_or(0)
    }
}
