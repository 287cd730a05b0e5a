//! Fourth priority: iterations before the loop, so that values which only the first ones change become invariant.

use super::Cascade;
use crate::decision::{Decision, Finding, Kind, Priority};

impl Cascade<'_> {
    pub(super) fn try_peel(&mut self) -> Option<Decision> {
        let peel = self.facts.settles_after;
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
}
