//! Second priority: hints in the source.
//!
//! A factor is taken as it is while its size stays below the pragma threshold; one that does not divide the trip
//! count leaves the loop by a mid-loop exit or needs a remainder loop. A bare hint asks for straight-line code, or,
//! with a small upper bound, for straight-line code with side exits. What does not fit falls to lower priorities,
//! which then work with the pragma threshold.

use super::Cascade;
use crate::decision::{Decision, Finding, Kind, Priority};
use ir::UnrollRequest;

impl Cascade<'_> {
    pub(super) fn try_pragma(&mut self) -> Option<Decision> {
        let verdict = match self.request.unroll {
            UnrollRequest::None => {
                let skipped = self.params.skip_pragmas;
                self.note(Priority::Pragma, if skipped { Finding::PragmaSkipped } else { Finding::NoPragma });
                None
            }
            UnrollRequest::Disable => self.settle(Priority::Pragma, Finding::PragmaForbids, Kind::Forbidden, 1),
            UnrollRequest::Enable => {
                self.note(Priority::Pragma, Finding::PragmaEnable);
                None
            }
            UnrollRequest::Count(count) => self.pragma_count(count),
            UnrollRequest::Full => self.pragma_full(),
        };
        if verdict.is_none() && self.explicit && self.trip > 0 {
            self.threshold = self.threshold.max(self.pragma_threshold);
            self.partial_threshold = self.partial_threshold.max(self.pragma_threshold);
        }
        verdict
    }

    fn pragma_count(&mut self, count: u32) -> Option<Decision> {
        self.note(Priority::Pragma, Finding::PragmaCount { count });
        // A factor above the trip count is full unrolling, priced as it stands in the source; if that is too much,
        // the third priority prices the trip count.
        let copies = if self.trip > 0 { count.min(self.trip) } else { count };
        let multiple = self.facts.trip_multiple;
        if !self.params.allow_remainder && !multiple.is_multiple_of(copies) {
            self.note(Priority::Pragma, Finding::RemainderNotAllowed { count, multiple });
            return None;
        }
        // A round of so many copies would never be complete: as where the trip count is known, that is full unrolling.
        let max = self.facts.max_trip;
        if self.trip == 0 && (1..=self.params.max_pragma_upperbound.min(count - 1)).contains(&max) {
            return self.pragma_upper_bound(max);
        }
        if !self.below_pragma_threshold(count) {
            return None;
        }
        if self.trip > 0 {
            self.settle_partial(Priority::Pragma, copies)
        } else {
            self.settle_runtime(Priority::Pragma, copies)
        }
    }

    fn pragma_full(&mut self) -> Option<Decision> {
        self.note(Priority::Pragma, Finding::PragmaFull);
        if self.trip > 0 {
            return if self.below_pragma_threshold(self.trip) {
                self.settle_full(Priority::Pragma, self.trip)
            } else {
                None
            };
        }
        let max = self.facts.max_trip;
        if max == 0 || max > self.params.max_pragma_upperbound {
            self.note(Priority::Pragma, Finding::NoTripOrBound);
            return None;
        }
        self.pragma_upper_bound(max)
    }

    /// Straight-line code for the largest possible number of iterations.
    fn pragma_upper_bound(&mut self, max: u32) -> Option<Decision> {
        if !self.below_pragma_threshold(max) {
            return None;
        }
        let size = self.facts.unrolled_size(max);
        self.settle(Priority::Pragma, Finding::UpperBoundChosen { max, size }, Kind::UpperBound, max)
    }

    fn below_pragma_threshold(&mut self, copies: u32) -> bool {
        let size = self.facts.unrolled_size(copies);
        let fits = size < u64::from(self.pragma_threshold);
        if !fits {
            let threshold = self.pragma_threshold;
            self.note(Priority::Pragma, Finding::TooLarge { size, threshold });
        }
        fits
    }
}
