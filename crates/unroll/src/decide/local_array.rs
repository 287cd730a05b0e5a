//! Private arrays: thresholds grow with the array, because unrolling turns its elements into registers.
//!
//! Measured: a 4-element array multiplies the full-unroll threshold by 4, 8 elements and more by 6; the partial
//! threshold stays. For sm_100 and later two elements multiply by 8, as do more.

use super::Cascade;
use crate::decision::{Finding, Priority};

impl Cascade<'_> {
    pub(super) fn multiply_thresholds(&mut self) {
        let size = self.facts.local_array;
        if size == 0 || self.params.max_local_multiplier <= 1 {
            return;
        }
        let multiplier = match self.params.array_multiplier {
            0 => size.min(self.params.max_local_multiplier),
            any if size > 1 => any,
            _ => return,
        };
        self.note(Priority::LocalArray, Finding::LocalArray { size, multiplier });
        self.multiplier = multiplier.max(1);
        self.threshold = self.threshold.saturating_mul(multiplier);
        self.pragma_threshold = self.pragma_threshold.saturating_mul(multiplier);
    }
}
