//! Unroll-and-jam, on request: copies of an outer loop's body with their inner loops fused.

use super::Cascade;
use crate::decision::{Decision, Finding, Kind, Priority};
use ir::UnrollRequest;

impl Cascade<'_> {
    pub(super) fn try_jam(&mut self) -> Option<Decision> {
        let asked = match self.request.jam {
            UnrollRequest::None | UnrollRequest::Disable => return None,
            UnrollRequest::Count(n) => Some(n),
            UnrollRequest::Enable | UnrollRequest::Full => None,
        };
        if !self.params.allow_unroll_and_jam || self.params.skip_pragmas || self.facts.jam_size == 0 {
            self.note(Priority::Jam, Finding::JamImpossible);
            return None;
        }
        let trip = self.facts.trip_count;
        let mut count = asked.unwrap_or(self.params.default_count);
        if asked.is_none() {
            let room = self.params.jam_threshold / self.facts.jam_size.max(1);
            count = self.rounded(count.min(room.max(1)));
        }
        // Left-over outer iterations are not jammed; without a divisor the hint gets the nearest one below.
        while count > 1 && (trip == 0 || !trip.is_multiple_of(count)) {
            count -= 1;
        }
        let size = u64::from(self.facts.jam_size) * u64::from(count);
        if size >= u64::from(self.pragma_threshold) {
            let threshold = self.pragma_threshold;
            self.note(Priority::Jam, Finding::TooLarge { size, threshold });
            return None;
        }
        if count < 2 {
            self.note(Priority::Jam, Finding::JamImpossible);
            return None;
        }
        self.settle(Priority::Jam, Finding::JamChosen { count }, Kind::Jam, count)
            .map(|d| Decision { explicit: true, ..d })
    }
}
