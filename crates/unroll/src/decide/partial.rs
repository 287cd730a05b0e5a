//! Fifth priority: several copies of a loop with a constant trip count.
//!
//! The factor is the largest power of two that divides the trip count and fits the partial threshold. Where that
//! would be 1, the default factor, halved until it fits, leaves the loop by a mid-loop exit in the last round.

use super::Cascade;
use crate::decision::{Decision, Finding, Priority};
use ir::UnrollRequest;

impl Cascade<'_> {
    pub(super) fn try_partial(&mut self) -> Option<Decision> {
        if !(self.params.allow_partial || self.explicit) {
            self.note(Priority::Partial, Finding::PartialDisabled);
            return None;
        }
        if !self.facts.innermost {
            self.note(Priority::Partial, Finding::NotInnermost);
            return None;
        }
        let mut count = self.dividing_factor();
        if count <= 1 && self.params.allow_remainder {
            count = self.halved_default();
        }
        if count < 2 {
            let (size, threshold) = (self.facts.unrolled_size(2), self.partial_threshold);
            self.note(Priority::Partial, Finding::NoFactor { size, threshold });
            return None;
        }
        if matches!(self.request.unroll, UnrollRequest::Full | UnrollRequest::Enable) && count != self.trip {
            self.note(Priority::Partial, Finding::WarnTooLarge);
        }
        self.settle_partial(Priority::Partial, count)
    }

    /// The largest factor that fits and divides the trip count; 0 or 1 if there is none.
    fn dividing_factor(&self) -> u32 {
        let trip = self.trip;
        let fitting = if self.facts.unrolled_size(trip) > u64::from(self.partial_threshold) {
            self.facts.copies_within(self.partial_threshold)
        } else {
            trip
        };
        let most = fitting.min(trip).min(self.params.max_count);
        if self.params.power_of_two && most < trip {
            // The powers of two that divide the trip count are those up to its lowest set bit.
            let lowest = trip & trip.wrapping_neg();
            return self.rounded(most).min(lowest);
        }
        largest_divisor(trip, most)
    }
}

/// The largest divisor of `n` that is at most `most`; 0 if `most` is 0.
fn largest_divisor(n: u32, most: u32) -> u32 {
    let mut best = u32::from(most > 0);
    let mut d = 1;
    while u64::from(d) * u64::from(d) <= u64::from(n) {
        if n.is_multiple_of(d) {
            for c in [d, n / d] {
                if c <= most {
                    best = best.max(c);
                }
            }
        }
        d += 1;
    }
    best
}

#[cfg(test)]
mod tests {
    #[test]
    fn divisors() {
        assert_eq!(super::largest_divisor(12, 5), 4);
        assert_eq!(super::largest_divisor(12, 12), 12);
        assert_eq!(super::largest_divisor(13, 12), 1);
        assert_eq!(super::largest_divisor(13, 0), 0);
        assert_eq!(super::largest_divisor(u32::MAX, u32::MAX - 1), u32::MAX / 3);
    }
}
