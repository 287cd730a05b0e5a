//! Whether the cascade asks for the size of a loop at all.
//!
//! Measuring what a loop's body holds costs more than everything else about it. A loop whose trip count is not known
//! stays as it is whatever it holds, unless somebody asked or a priority for such loops applies.

use crate::facts::LoopFacts;
use crate::params::UnrollParams;
use crate::request::Request;
use ir::UnrollRequest;

/// More iterations than any private array that is worth straight-line code has elements.
pub(super) const MAX_ARRAY_TRIP: u32 = 4096;

/// Whether a decision may depend on what the loop's body holds. If not, the loop is kept. Looks at trip counts, exits
/// and nesting only, and says yes where in doubt.
pub(crate) fn size_matters(facts: &LoopFacts, request: &Request, params: &UnrollParams) -> bool {
    let asked = request.unroll != UnrollRequest::None || params.count.is_some() || params.peel_count.is_some();
    let counted = facts.trip_count > 0 || facts.counted_trip == 1 || facts.max_trip == 1;
    let bounded = params.allow_upper_bound && (1..=params.max_upperbound).contains(&facts.max_trip);
    let over_array = params.full_over_arrays && (1..=MAX_ARRAY_TRIP).contains(&facts.max_trip);
    let peeled = params.allow_peeling && (facts.settles_after > 0 || facts.flips > 0 || facts.estimated_trip.is_some());
    let few = facts.depth == 1 && (1..params.few_iterations).contains(&facts.apparent_max_trip);
    let runtime = params.runtime && facts.runtime_trip && facts.exits == 1 && !few;
    asked || counted || bounded || over_array || facts.innermost && (peeled || runtime)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::decide;
    use crate::decision::Kind;

    #[test]
    fn a_loop_whose_size_does_not_matter_is_kept_at_every_size() {
        let mut seed = 1u64;
        let mut next = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) % n) as u32
        };
        let mut skipped = 0;
        for _ in 0..20_000 {
            let mut params = UnrollParams::default();
            [Config::A, Config::B, Config::C, Config::D, Config::E][next(5) as usize].apply(&mut params);
            params.allow_upper_bound |= next(4) == 0;
            params.small_function_threshold = next(2) * 10_000;
            params.count = (next(16) == 0).then_some(4);
            let facts = LoopFacts {
                trip_count: [0, 0, 0, 1, 16][next(5) as usize],
                counted_trip: [0, 0, 1, 16][next(4) as usize],
                max_trip: [0, 0, 1, 2, 6, 100][next(6) as usize],
                apparent_max_trip: [0, 7, 100][next(3) as usize],
                exits: next(3),
                innermost: next(2) == 0,
                depth: 1 + next(2),
                estimated_trip: (next(4) == 0).then_some(3),
                runtime_trip: next(2) == 0,
                settles_after: next(6) / 5,
                flips: (next(8) / 7) << 3,
                ..LoopFacts::default()
            };
            if size_matters(&facts, &Request::NONE, &params) {
                continue;
            }
            skipped += 1;
            let measured = LoopFacts {
                size: 3 + next(200),
                local_array: next(2) * 8,
                convergent: next(4) == 0,
                calls: next(4) == 0,
                duplicable: next(4) > 0,
                function_size: next(20_000),
                ..facts
            };
            assert_eq!(decide(&measured, &Request::NONE, &params).kind, Kind::Keep, "{measured:?}");
        }
        assert!(skipped > 1000, "{skipped}");
    }
}
