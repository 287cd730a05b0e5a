//! First priority: `unroll-count` and `unroll-peel-count`, which speak of every loop.

use super::Cascade;
use crate::decision::{Decision, Finding, Kind, Priority};
use ir::UnrollRequest;

/// Most iterations that `unroll-peel-count` may peel off.
const MAX_FORCED_PEEL: u32 = 64;

impl Cascade<'_> {
    pub(super) fn try_forced(&mut self) -> Option<Decision> {
        if let Some(peel) = self.params.peel_count.filter(|&n| n > 0) {
            let peel = peel.min(MAX_FORCED_PEEL);
            return self
                .settle(Priority::Forced, Finding::ForcedPeel { count: peel }, Kind::Peel, 1)
                .map(|d| Decision { peel, ..d });
        }
        let count = self.params.count?;
        if count <= 1 {
            return self.settle(Priority::Forced, Finding::ForcedCount { count: 1 }, Kind::Forbidden, 1);
        }
        if self.request.unroll == UnrollRequest::Disable {
            return None;
        }
        // The estimate is made for the asked factor even if the loop runs fewer iterations.
        let size = self.facts.unrolled_size(count);
        let divides = self.facts.trip_multiple.is_multiple_of(count);
        if size >= u64::from(self.threshold) || !(self.params.allow_remainder || divides) {
            let threshold = self.threshold;
            self.note(Priority::Forced, Finding::ForcedTooLarge { count, size, threshold });
            return None;
        }
        if self.trip > 0 {
            self.settle_partial(Priority::Forced, count)
        } else {
            self.settle_runtime(Priority::Forced, count)
        }
    }
}
