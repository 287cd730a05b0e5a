//! Small functions: where code growth hardly matters, the body-size gate of runtime unrolling does not apply.
//!
//! The page documents such an override; cicc never took it, so its threshold is 0 by default.

use super::Cascade;
use crate::decision::{Decision, Finding, Priority};

impl Cascade<'_> {
    pub(super) fn try_small_function(&mut self) -> Option<Decision> {
        let (size, threshold) = (self.facts.function_size, self.params.small_function_threshold);
        if threshold == 0 {
            return None;
        }
        if size >= threshold || !self.facts.innermost {
            self.note(Priority::SmallFunction, Finding::FunctionTooLarge { size, threshold });
            return None;
        }
        let mut count = self.rounded(self.params.default_count.min(self.params.max_count));
        while count > 1 && self.facts.unrolled_size(count) > u64::from(self.threshold) {
            count >>= 1;
        }
        if count < 2 {
            let (size, threshold) = (self.facts.unrolled_size(2), self.threshold);
            self.note(Priority::SmallFunction, Finding::NoFactor { size, threshold });
            return None;
        }
        self.settle_runtime(Priority::SmallFunction, count)
    }
}
