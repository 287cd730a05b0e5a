//! The pass's seven constructor parameters, and the sets of them that the pipeline uses.

use crate::params::UnrollParams;

/// Which of the two invocations in the pipeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Invocation {
    /// In the main sequence: every kind of unrolling.
    Early,
    /// After clean-up: only full unrolling of what has become small enough, and what hints ask for.
    Late,
}

/// What a pipeline position passes to the unroller. `None` is the `-1` of the documented constructor: the default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// Optimisation level; `None` takes the caller's.
    pub level: Option<u8>,
    /// Full-unroll threshold.
    pub threshold: Option<u32>,
    /// Explicit factor.
    pub count: Option<u32>,
    /// Partial unrolling.
    pub partial: Option<bool>,
    /// Runtime unrolling.
    pub runtime: Option<bool>,
    /// Upper-bound unrolling.
    pub upper_bound: Option<bool>,
    /// Unrolling guided by a profile.
    pub profile: Option<bool>,
}

impl Config {
    const DEFAULT: Self = Self {
        level: None,
        threshold: None,
        count: None,
        partial: None,
        runtime: None,
        upper_bound: None,
        profile: None,
    };
    const OFF: Option<bool> = Some(false);

    /// Standard pipeline at -O1 and -O2: everything at its default.
    pub const A: Self = Self { level: Some(2), ..Self::DEFAULT };
    /// Code-size mode: only known trip counts.
    pub const B: Self =
        Self { partial: Self::OFF, runtime: Self::OFF, upper_bound: Self::OFF, profile: Self::OFF, ..Self::DEFAULT };
    /// Normal optimiser: everything at its default, the caller's level.
    pub const C: Self = Self::DEFAULT;
    /// Late pipeline: no partial, no runtime unrolling.
    pub const D: Self = Self { partial: Self::OFF, runtime: Self::OFF, ..Self::DEFAULT };
    /// -O3 pipeline: no partial, runtime or profile-guided unrolling.
    pub const E: Self =
        Self { level: Some(3), partial: Self::OFF, runtime: Self::OFF, profile: Self::OFF, ..Self::DEFAULT };

    /// Configuration F: all seven from the user.
    pub const fn user(parameters: Self) -> Self {
        parameters
    }

    /// The configuration called `name`, `A` to `E`.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "A" | "a" => Self::A,
            "B" | "b" => Self::B,
            "C" | "c" => Self::C,
            "D" | "d" => Self::D,
            "E" | "e" => Self::E,
            _ => return None,
        })
    }

    /// Overrides parameters.
    pub fn apply(self, p: &mut UnrollParams) {
        p.threshold = self.threshold.unwrap_or(p.threshold);
        p.count = self.count.or(p.count);
        p.allow_partial = self.partial.unwrap_or(p.allow_partial);
        p.runtime = self.runtime.unwrap_or(p.runtime);
        p.allow_upper_bound = self.upper_bound.unwrap_or(p.allow_upper_bound);
        p.full_over_arrays &= self.upper_bound != Self::OFF;
        if self.profile == Some(false) {
            p.flat_loop_tripcount_threshold = 0;
            p.peel_by_profile = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_takes_partial_and_runtime_away() {
        let mut p = UnrollParams::default();
        Config::D.apply(&mut p);
        assert!(!p.allow_partial && !p.runtime);
        assert_eq!(p.threshold, 405);
        let mut q = UnrollParams::default();
        Config::user(Config { threshold: Some(9), count: Some(3), ..Config::C }).apply(&mut q);
        assert_eq!((q.threshold, q.count), (9, Some(3)));
    }

    #[test]
    fn names() {
        assert_eq!(Config::named("B"), Some(Config::B));
        assert_eq!(Config::named("F"), None);
    }
}
