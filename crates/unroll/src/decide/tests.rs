//! Hand-written facts for every priority.

use super::{decide, decide_jam};
use crate::config::Config;
use crate::decision::{Decision, Finding, Kind, Leftover, Remainder};
use crate::facts::{Conflict, Jam, JamObstacle, LoopFacts, Memory, NestFacts, SimulatedCost};
use crate::params::{Profile, SizeLevel, UnrollParams};
use crate::request::Request;
use ir::UnrollRequest;

fn early(facts: &LoopFacts, request: Request) -> Decision {
    decide(facts, &request, &UnrollParams::default())
}

fn late(facts: &LoopFacts, request: Request) -> Decision {
    let mut p = UnrollParams::default();
    Config::D.apply(&mut p);
    decide(facts, &request, &p)
}

fn with(facts: &LoopFacts, request: Request, f: impl FnOnce(&mut UnrollParams)) -> Decision {
    let mut p = UnrollParams::default();
    f(&mut p);
    decide(facts, &request, &p)
}

fn shape(d: &Decision) -> (Kind, u32) {
    (d.kind, d.count)
}

const FULL: Request = Request::FULL;
const NONE: Request = Request::NONE;

fn jam(r: UnrollRequest) -> Request {
    Request { jam: r, ..NONE }
}

#[test]
fn full_stays_below_the_threshold() {
    assert_eq!(shape(&early(&LoopFacts::counted(13, 32), NONE)), (Kind::Full, 13)); // 392
    assert_eq!(shape(&early(&LoopFacts::counted(13, 33), NONE)), (Kind::Partial, 4)); // 405 is not below 405
}

#[test]
fn simulated_savings_stretch_the_threshold() {
    let mut f = LoopFacts::counted(9, 54); // 470
    f.simulated = Some(SimulatedCost { iterations: 9, rolled: 9 * 54, unrolled: 9 * 49 });
    assert_eq!(shape(&early(&f, NONE)), (Kind::Full, 9));
    f.simulated = Some(SimulatedCost { iterations: 9, rolled: 9 * 55, unrolled: 9 * 50 });
    assert_ne!(early(&f, NONE).kind, Kind::Full);
    f.simulated = Some(SimulatedCost { iterations: 8, rolled: 9 * 54, unrolled: 9 * 49 });
    assert_ne!(early(&f, NONE).kind, Kind::Full, "a simulation of fewer iterations proves nothing");
}

#[test]
fn boost_has_a_limit() {
    let mut f = LoopFacts::counted(10, 400);
    f.simulated = Some(SimulatedCost { iterations: 10, rolled: u32::MAX, unrolled: 1619 });
    assert_eq!(early(&f, NONE).kind, Kind::Full);
    f.simulated = Some(SimulatedCost { iterations: 10, rolled: u32::MAX, unrolled: 1620 });
    assert_ne!(early(&f, NONE).kind, Kind::Full);
}

#[test]
fn private_arrays_multiply_the_threshold() {
    let f = |elements, size| LoopFacts { local_array: elements, ..LoopFacts::counted(16, size) };
    assert_eq!(early(&f(4, 102), NONE).kind, Kind::Full); // 1602 < 1620
    assert_eq!(early(&f(4, 104), NONE).kind, Kind::Keep); // 1634, and two copies exceed 202
    assert_eq!(early(&f(256, 104), NONE).kind, Kind::Full); // 6 × 405 = 2430
    assert_eq!(early(&f(1, 30), NONE).kind, Kind::Partial); // 1 × 405 ≤ 450
}

#[test]
fn automatic_factors_are_powers_of_two_that_divide() {
    let partial = |trip, size| shape(&early(&LoopFacts::counted(trip, size), NONE));
    assert_eq!(partial(1000, 11), (Kind::Partial, 8));
    assert_eq!(partial(100, 8), (Kind::Partial, 4));
    assert_eq!(partial(128, 11), (Kind::Partial, 16));
    assert_eq!(partial(46, 11), (Kind::Partial, 2));
    assert_eq!(partial(1000, 47), (Kind::Partial, 4));
    assert_eq!(partial(10, 102), (Kind::Partial, 2)); // exactly 202
    assert_eq!(partial(10, 103).0, Kind::Keep);
}

#[test]
fn odd_trip_counts_break_out() {
    let d = early(&LoopFacts::counted(47, 11), NONE);
    assert_eq!((d.kind, d.count, d.breakout), (Kind::Partial, 4, 3));
    let d = early(&LoopFacts::counted(5, 91), NONE);
    assert_eq!((d.kind, d.count, d.breakout), (Kind::Partial, 2, 1));
}

#[test]
fn pragma_takes_any_factor() {
    let d = early(&LoopFacts::counted(25, 11), Request::count(3));
    assert_eq!((d.kind, d.count, d.breakout, d.explicit), (Kind::Partial, 3, 1, true));
    for n in [25, 26, 2000] {
        assert_eq!(shape(&early(&LoopFacts::counted(25, 11), Request::count(n))), (Kind::Full, 25));
    }
    assert_eq!(shape(&early(&LoopFacts::counted(25, 11), Request::count(24))), (Kind::Partial, 24));
    assert_eq!(early(&LoopFacts::counted(25, 11), Request::count(1)).kind, Kind::Forbidden);
    for n in [i32::MAX as u32, u32::MAX] {
        assert_eq!(shape(&early(&LoopFacts::counted(25, 11), Request::count(n))), (Kind::Full, 25));
        let too_large = early(&LoopFacts::counted(u32::MAX, 11), Request::count(n));
        assert!(too_large.count <= 3640, "{too_large:?}");
    }
}

#[test]
fn pragma_threshold_is_exact() {
    let f = LoopFacts::counted(1000, 47); // 45 per copy
    assert_eq!(shape(&early(&f, Request::count(728))), (Kind::Partial, 728)); // 32762
    assert_eq!(shape(&early(&f, Request::count(729))), (Kind::Partial, 8)); // 32807
    assert_eq!(shape(&early(&LoopFacts::counted(4096, 8), FULL)), (Kind::Full, 4096));
    assert_eq!(shape(&early(&LoopFacts::counted(8192, 8), FULL)), (Kind::Partial, 4096));
    assert_eq!(shape(&early(&LoopFacts::counted(10000, 8), FULL)), (Kind::Partial, 16));
    assert_eq!(shape(&early(&LoopFacts::counted(1001, 47), FULL)), (Kind::Partial, 4));
    assert!(early(&LoopFacts::counted(8192, 8), FULL).trail.iter().any(|s| s.finding == Finding::WarnTooLarge));
}

#[test]
fn runtime_factors() {
    let runtime = |size| shape(&early(&LoopFacts::runtime(size), NONE));
    assert_eq!(runtime(8), (Kind::Runtime, 4));
    assert_eq!(runtime(52), (Kind::Runtime, 4)); // 202
    assert_eq!(runtime(53), (Kind::Runtime, 2));
    assert_eq!(runtime(95), (Kind::Runtime, 2));
    assert_eq!(runtime(96).0, Kind::Keep);
    assert_eq!(shape(&early(&LoopFacts::runtime(500), Request::count(16))), (Kind::Runtime, 16));
    assert_eq!(shape(&early(&LoopFacts::runtime(47), Request::count(1000))), (Kind::Runtime, 4));
    assert_eq!(shape(&early(&LoopFacts::runtime(107), Request::count(2000))).0, Kind::Keep);
}

#[test]
fn bare_pragma_and_runtime_trip() {
    let d = early(&LoopFacts::runtime(11), FULL);
    assert_eq!(shape(&d), (Kind::Runtime, 4));
    assert!(d.trail.iter().any(|s| s.finding == Finding::WarnRuntimeTrip));
}

#[test]
fn few_iterations() {
    let bounded = |max| LoopFacts { max_trip: max, apparent_max_trip: max, ..LoopFacts::runtime(11) };
    assert_eq!(early(&bounded(20), NONE).kind, Kind::Keep);
    assert_eq!(shape(&early(&bounded(21), NONE)), (Kind::Runtime, 4));
    let inner = LoopFacts { depth: 2, ..bounded(7) };
    assert_eq!(shape(&early(&inner, NONE)), (Kind::Runtime, 4));
    let guarded = LoopFacts { apparent_max_trip: 0, ..bounded(7) };
    assert_eq!(shape(&early(&guarded, NONE)), (Kind::Runtime, 4));
    assert_eq!(shape(&early(&bounded(7), FULL)), (Kind::UpperBound, 7));
    assert_eq!(shape(&early(&bounded(64), FULL)), (Kind::UpperBound, 64));
    assert_eq!(shape(&early(&bounded(65), FULL)), (Kind::Runtime, 4));
    assert_eq!(shape(&early(&bounded(7), Request::count(4))), (Kind::Runtime, 4));
}

#[test]
fn expected_iterations() {
    let expected = |n| LoopFacts { estimated_trip: Some(n), ..LoopFacts::runtime(11) };
    let d = early(&expected(4), NONE);
    assert_eq!((d.kind, d.peel), (Kind::Peel, 4));
    let flat = |n, r| with(&expected(n), r, |p| p.peel_by_profile = false);
    assert!(flat(4, NONE).trail.iter().any(|s| matches!(s.finding, Finding::FlatLoop { estimated: 4, threshold: 5 })));
    assert_eq!(flat(4, NONE).kind, Kind::Keep);
    assert_eq!(shape(&flat(5, NONE)), (Kind::Runtime, 4));
    assert_eq!(shape(&flat(4, Request::count(4))), (Kind::Runtime, 4), "a factor is taken as it is");
    assert_eq!(shape(&early(&expected(8), NONE)), (Kind::Runtime, 4), "too many to peel");
    assert_eq!(shape(&early(&expected(2000), NONE)), (Kind::Runtime, 4));
    let mut unguided = UnrollParams::default();
    Config::E.apply(&mut unguided);
    unguided.runtime = true;
    assert_eq!(shape(&decide(&expected(1), &NONE, &unguided)), (Kind::Runtime, 4), "no profile is used");
    let known = LoopFacts { estimated_trip: Some(1), ..LoopFacts::counted(8, 11) };
    assert_eq!(shape(&early(&known, NONE)), (Kind::Full, 8), "what is known needs no estimate");
}

#[test]
fn a_factor_above_a_known_bound_is_full_unrolling() {
    let bounded = |max| LoopFacts { max_trip: max, apparent_max_trip: max, ..LoopFacts::runtime(11) };
    let d = early(&bounded(15), Request::count(100));
    assert_eq!(shape(&d), (Kind::UpperBound, 15));
    assert_eq!(crate::remarks::fate(&d, &Request::count(100)), source::Fate::Honoured);
    assert_eq!(shape(&early(&bounded(15), Request::count(15))), (Kind::Runtime, 15));
    assert_eq!(shape(&early(&bounded(65), Request::count(100))), (Kind::Runtime, 100));
}

#[test]
fn upper_bound_without_a_hint_only_on_request() {
    let bounded = LoopFacts { max_trip: 7, ..LoopFacts::runtime(11) };
    assert_eq!(shape(&with(&bounded, NONE, |p| p.allow_upper_bound = true)), (Kind::UpperBound, 7));
    let more = LoopFacts { max_trip: 9, apparent_max_trip: 9, ..LoopFacts::runtime(11) };
    assert_eq!(with(&more, NONE, |p| p.allow_upper_bound = true).kind, Kind::Keep);
}

#[test]
fn remainder_side() {
    let side = |constant_start, f: fn(&mut UnrollParams)| {
        with(&LoopFacts { constant_start, ..LoopFacts::runtime(11) }, NONE, f).remainder
    };
    assert_eq!(side(true, |_| ()), Remainder::Epilogue);
    assert_eq!(side(false, |_| ()), Remainder::Prologue);
    assert_eq!(side(true, |p| p.runtime_epilog = Some(false)), Remainder::Prologue);
    assert_eq!(side(false, |p| p.runtime_epilog = Some(true)), Remainder::Epilogue);
}

#[test]
fn nested_remainders_become_straight_line() {
    let nested = |size| LoopFacts { depth: 2, ..LoopFacts::runtime(size) };
    assert!(early(&nested(152), Request::count(4)).leftover == Leftover::Straight); // 602
    assert!(early(&nested(153), Request::count(4)).leftover == Leftover::Loop); // 606
    assert_eq!(early(&LoopFacts::runtime(11), NONE).leftover, Leftover::Loop);
    let leftover = |f: fn(&mut UnrollParams)| with(&LoopFacts::runtime(11), NONE, f).leftover;
    assert_eq!(leftover(|p| p.unroll_remainder = true), Leftover::Straight);
    assert_eq!(leftover(|p| p.binary_remainder = true), Leftover::Binary);
}

#[test]
fn several_exits() {
    let leaves_early =
        LoopFacts { trip_count: 0, counted_trip: 100, max_trip: 100, exits: 2, ..LoopFacts::runtime(13) };
    assert_eq!(early(&leaves_early, NONE).kind, Kind::Keep);
    assert_eq!(shape(&early(&leaves_early, FULL)), (Kind::Full, 100));
    assert_eq!(shape(&early(&leaves_early, Request::count(3))), (Kind::Partial, 3));
    let unknown = LoopFacts { exits: 2, ..LoopFacts::runtime(13) };
    assert_eq!(early(&unknown, FULL).kind, Kind::Keep);
    assert_eq!(shape(&early(&unknown, Request::count(4))), (Kind::SideExits, 4));
    let uncountable = LoopFacts { runtime_trip: false, ..LoopFacts::runtime(13) };
    assert_eq!(early(&uncountable, NONE).kind, Kind::Keep);
    assert_eq!(shape(&early(&uncountable, Request::count(4))), (Kind::SideExits, 4));
    let endless = LoopFacts { exits: 0, runtime_trip: false, ..LoopFacts::runtime(13) };
    assert_eq!(early(&endless, Request::count(4)).kind, Kind::Keep);
}

#[test]
fn a_count_that_stands_apart_from_other_exits_needs_no_hint() {
    let f = |trip, size| LoopFacts { exits: 2, runtime_trip: false, ..LoopFacts::counted(trip, size) };
    assert_eq!(shape(&early(&f(8, 9), NONE)), (Kind::Full, 8));
    assert_eq!(shape(&early(&f(100, 26), NONE)), (Kind::Partial, 4));
}

#[test]
fn loops_over_private_arrays_become_straight_by_a_bound() {
    let f = |max, elements| LoopFacts { max_trip: max, local_array: elements, ..LoopFacts::runtime(7) };
    assert_eq!(shape(&early(&f(11, 12), NONE)), (Kind::UpperBound, 11));
    assert_eq!(shape(&early(&f(11, 4), NONE)), (Kind::Runtime, 4));
    assert_eq!(early(&LoopFacts { size: 500, ..f(11, 12) }, NONE).kind, Kind::Keep);
    assert_eq!(
        with(&f(11, 12), NONE, |p| *p = UnrollParams::new(Profile::Llvm, 3, SizeLevel::Speed)).kind,
        Kind::Runtime
    );
}

#[test]
fn a_count_that_only_ids_make_computable_is_for_hints() {
    let f = LoopFacts { counted_by_ids: true, ..LoopFacts::runtime(11) };
    assert_eq!(early(&f, NONE).kind, Kind::Keep);
    assert_eq!(shape(&early(&f, Request::count(4))), (Kind::Runtime, 4));
}

#[test]
fn convergent_loops_are_unrolled_unless_forbidden() {
    let f = LoopFacts { convergent: true, ..LoopFacts::runtime(11) };
    assert_eq!(shape(&early(&f, NONE)), (Kind::Runtime, 4));
    assert_eq!(with(&f, NONE, |p| p.runtime_convergent = false).kind, Kind::Keep);
}

#[test]
fn nests() {
    let outer = LoopFacts { innermost: false, ..LoopFacts::runtime(30) };
    assert_eq!(early(&outer, NONE).kind, Kind::Keep);
    assert_eq!(shape(&early(&outer, Request::count(2))), (Kind::Runtime, 2));
    let counted = LoopFacts { innermost: false, ..LoopFacts::counted(100, 30) };
    assert_eq!(early(&counted, NONE).kind, Kind::Keep);
    let small = LoopFacts { innermost: false, ..LoopFacts::counted(4, 30) };
    assert_eq!(shape(&early(&small, NONE)), (Kind::Full, 4));
}

#[test]
fn branches_that_flip_are_peeled_off() {
    let flips =
        |at: &[u32], size| LoopFacts { flips: at.iter().fold(0, |bits, k| bits | 1 << k), ..LoopFacts::runtime(size) };
    let peeled = |at: &[u32], size| {
        let d = early(&flips(at, size), NONE);
        (d.kind, d.peel)
    };
    assert_eq!(peeled(&[4], 21), (Kind::Peel, 4));
    assert_eq!(peeled(&[3, 5], 21), (Kind::Peel, 5));
    // Not more than fits: 405 / 90 - 1 iterations.
    assert_eq!(peeled(&[3, 5], 90), (Kind::Peel, 3));
    assert_eq!(peeled(&[5], 90).0, Kind::Runtime);
    // A value that settles needs its own number of iterations.
    let both = LoopFacts { settles_after: 1, ..flips(&[3], 21) };
    assert_eq!(early(&both, NONE).peel, 3);
    assert_eq!(early(&LoopFacts { settles_after: 4, ..both }, NONE).peel, 4);
    assert_ne!(early(&LoopFacts { innermost: false, ..flips(&[4], 21) }, NONE).kind, Kind::Peel);
    assert_eq!(early(&flips(&[4], 21), Request::count(2)).kind, Kind::Runtime);
}

#[test]
fn peeling() {
    let f = LoopFacts { settles_after: 1, ..LoopFacts::runtime(13) };
    let d = early(&f, NONE);
    assert_eq!((d.kind, d.peel), (Kind::Peel, 1));
    assert_eq!(with(&f, NONE, |p| p.allow_peeling = false).kind, Kind::Runtime);
    assert_eq!(early(&LoopFacts { settles_after: 8, ..f.clone() }, NONE).kind, Kind::Runtime);
    let d = with(&LoopFacts::runtime(13), NONE, |p| p.peel_count = Some(2));
    assert_eq!((d.kind, d.peel), (Kind::Peel, 2));
}

#[test]
fn late_unrolls_fully_only() {
    assert_eq!(shape(&late(&LoopFacts::counted(5, 80), NONE)), (Kind::Full, 5));
    assert_eq!(late(&LoopFacts::counted(1000, 80), NONE).kind, Kind::Keep);
    assert_eq!(late(&LoopFacts::runtime(11), NONE).kind, Kind::Keep);
    assert_eq!(late(&LoopFacts { done: true, ..LoopFacts::counted(5, 8) }, FULL).kind, Kind::Keep);
    assert_eq!(shape(&late(&LoopFacts::runtime(11), Request::count(4))), (Kind::Runtime, 4));
}

#[test]
fn forced_count() {
    let three = |f: &LoopFacts, r| with(f, r, |p| p.count = Some(3));
    assert_eq!(shape(&three(&LoopFacts::counted(8, 11), NONE)), (Kind::Partial, 3));
    assert_eq!(shape(&three(&LoopFacts::counted(64, 11), FULL)), (Kind::Partial, 3));
    assert_eq!(shape(&three(&LoopFacts::runtime(11), NONE)), (Kind::Runtime, 3));
    assert_eq!(shape(&with(&LoopFacts::counted(20, 23), NONE, |p| p.count = Some(64))), (Kind::Full, 20));
    assert_eq!(with(&LoopFacts::counted(8, 11), NONE, |p| p.count = Some(1)).kind, Kind::Forbidden);
}

#[test]
fn remainders_not_allowed() {
    let no = |f: &LoopFacts, r| with(f, r, |p| p.allow_remainder = false);
    assert_eq!(no(&LoopFacts::counted(45, 11), NONE).kind, Kind::Keep);
    assert_eq!(no(&LoopFacts::runtime(11), NONE).kind, Kind::Keep);
    assert_eq!(shape(&no(&LoopFacts::counted(50, 11), Request::count(4))), (Kind::Full, 50));
    assert_eq!(no(&LoopFacts::runtime(11), Request::count(3)).kind, Kind::Keep);
    let by_four = LoopFacts { trip_multiple: 4, ..LoopFacts::runtime(11) };
    assert_eq!(shape(&no(&by_four, NONE)), (Kind::Runtime, 4));
}

#[test]
fn caps() {
    assert_eq!(shape(&with(&LoopFacts::counted(1000, 11), NONE, |p| p.max_count = 4)), (Kind::Partial, 4));
    assert_eq!(shape(&with(&LoopFacts::counted(45, 11), NONE, |p| p.max_count = 2)), (Kind::Partial, 2));
    assert_eq!(shape(&with(&LoopFacts::runtime(11), NONE, |p| p.max_count = 2)), (Kind::Runtime, 2));
    assert_eq!(with(&LoopFacts::counted(1000, 11), NONE, |p| p.max_count = 1).kind, Kind::Keep);
    // Partial unrolling by the whole trip count is straight-line code again.
    assert_eq!(shape(&with(&LoopFacts::counted(8, 11), NONE, |p| p.full_max_count = 4)), (Kind::Full, 8));
    assert_eq!(shape(&with(&LoopFacts::counted(50, 11), NONE, |p| p.full_max_count = 4)), (Kind::Partial, 2));
    assert_eq!(shape(&with(&LoopFacts::counted(64, 11), FULL, |p| p.full_max_count = 4)), (Kind::Full, 64));
}

#[test]
fn fast_code_mode_skips_hints() {
    let d = with(&LoopFacts::counted(1000, 11), FULL, |p| p.skip_pragmas = true);
    assert_eq!((d.kind, d.count, d.explicit), (Kind::Partial, 8, false));
}

#[test]
fn small_functions() {
    let f = LoopFacts { function_size: 30, ..LoopFacts::runtime(97) };
    assert_eq!(early(&f, NONE).kind, Kind::Keep);
    assert_eq!(shape(&with(&f, NONE, |p| p.small_function_threshold = 40)), (Kind::Runtime, 4));
    assert_eq!(with(&f, NONE, |p| p.small_function_threshold = 30).kind, Kind::Keep);
}

/// A nest of `trip` outer iterations around an inner body of size 10.
fn nest(trip: u32) -> (LoopFacts, NestFacts) {
    let facts = LoopFacts { innermost: false, ..LoopFacts::counted(trip, 30) };
    let conflict = None;
    (facts, NestFacts { inner_size: 10, inner_trip: 0, shared_loads: 1, straight: true, most: u32::MAX, conflict })
}

fn jammed(trip: u32, r: UnrollRequest, f: impl FnOnce(&mut NestFacts, &mut UnrollParams)) -> Decision {
    let ((facts, mut n), mut p) = (nest(trip), UnrollParams::default());
    f(&mut n, &mut p);
    decide_jam(&LoopFacts { jam: Jam::Yes(n), ..facts }, &jam(r), &p)
}

#[test]
fn unroll_and_jam_on_request() {
    let by = |trip, n| jammed(trip, UnrollRequest::Count(n), |_, _| ());
    assert_eq!((by(12, 4).kind, by(12, 4).count, by(12, 4).remainder), (Kind::Jam, 4, Remainder::None));
    assert_eq!((shape(&by(12, 5)), by(12, 5).remainder), ((Kind::Jam, 5), Remainder::Epilogue));
    for n in [12, 13, i32::MAX as u32] {
        assert_eq!((shape(&by(12, n)), by(12, n).remainder), ((Kind::Jam, 12), Remainder::None));
    }
    assert_eq!(shape(&jammed(12, UnrollRequest::Enable, |_, _| ())), (Kind::Jam, 4));
    assert_eq!(shape(&jammed(12, UnrollRequest::Enable, |n, _| n.inner_size = 29)), (Kind::Jam, 2));
    assert_eq!(jammed(12, UnrollRequest::Enable, |n, _| n.inner_size = 30).kind, Kind::Keep);
    assert_eq!(jammed(12, UnrollRequest::Disable, |_, _| ()).kind, Kind::Keep);
    assert_eq!(jammed(12, UnrollRequest::Count(4), |_, p| p.allow_unroll_and_jam = false).kind, Kind::Keep);
    assert_eq!(jammed(12, UnrollRequest::Count(4), |_, p| p.skip_pragmas = true).kind, Kind::Keep);
    assert_eq!(shape(&jammed(12, UnrollRequest::Count(5), |_, p| p.allow_remainder = false)), (Kind::Jam, 4));
    assert_eq!(jammed(1001, UnrollRequest::Count(1000), |_, p| p.pragma_threshold = 100).count, 3);
}

#[test]
fn unroll_and_jam_stops_at_a_dependence() {
    let conflict = Some(Conflict { distance: 3, first: 7, second: 8 });
    let d = jammed(12, UnrollRequest::Count(8), |n, _| (n.most, n.conflict) = (3, conflict));
    assert_eq!(shape(&d), (Kind::Jam, 3));
    assert!(d.obstacle().is_some_and(|o| o.to_string().contains("lines 7 and 8")), "{:?}", d.obstacle());
    let why = JamObstacle::Carried;
    let d = decide_jam(
        &LoopFacts { jam: Jam::No(why), ..nest(12).0 },
        &jam(UnrollRequest::Count(4)),
        &UnrollParams::default(),
    );
    assert_eq!((d.kind, d.obstacle()), (Kind::Keep, Some(Finding::JamRefused { why })));
}

#[test]
fn unroll_and_jam_unasked_only_where_it_gains() {
    let auto = |f: fn(&mut NestFacts)| {
        jammed(12, UnrollRequest::None, |n, p| {
            p.auto_jam = true;
            f(n);
        })
    };
    assert_eq!(shape(&auto(|_| ())), (Kind::Jam, 4));
    assert_eq!(auto(|n| n.shared_loads = 0).kind, Kind::Keep);
    assert_eq!(auto(|n| n.straight = false).kind, Kind::Keep);
    assert_eq!(auto(|n| n.inner_trip = 40).kind, Kind::Keep, "the inner loop is unrolled fully instead");
    assert_eq!(auto(|n| n.inner_trip = 41).kind, Kind::Jam);
    assert_eq!(jammed(12, UnrollRequest::None, |_, _| ()).kind, Kind::Keep);
    assert_eq!(shape(&jammed(12, UnrollRequest::None, |_, p| p.jam_count = Some(3))), (Kind::Jam, 3));
}

#[test]
fn differences_from_upstream() {
    let llvm = |f: &LoopFacts, r: Request| decide(f, &r, &UnrollParams::new(Profile::Llvm, 3, SizeLevel::Speed));
    // Pragma threshold 16384 instead of 32768.
    assert_eq!(shape(&llvm(&LoopFacts::counted(4096, 8), FULL)).0, Kind::Partial);
    assert_eq!(shape(&llvm(&LoopFacts::counted(2048, 8), FULL)), (Kind::Full, 2048));
    // Any dividing factor, not only powers of two.
    assert_eq!(shape(&llvm(&LoopFacts::counted(60, 12), NONE)), (Kind::Partial, 6));
    assert_eq!(shape(&early(&LoopFacts::counted(60, 12), NONE)), (Kind::Partial, 4));
    // No local-array multiplier.
    let array = LoopFacts { local_array: 16, ..LoopFacts::counted(16, 60) };
    assert_eq!(early(&array, NONE).kind, Kind::Full);
    assert_ne!(llvm(&array, NONE).kind, Kind::Full);
    // Default runtime factor 8, no body-size gate.
    assert_eq!(shape(&llvm(&LoopFacts::runtime(8), NONE)), (Kind::Runtime, 8));
}

#[test]
fn nothing_overflows() {
    for size in [0, 1, 2, 3, u32::MAX] {
        for trip in [0, 1, 2, u32::MAX - 1, u32::MAX] {
            for request in [NONE, FULL, Request::count(2), Request::count(u32::MAX)] {
                let f = LoopFacts::counted(trip, size);
                let d = early(&f, request);
                assert!(d.count >= 1);
                let _ = late(&f, request);
            }
        }
    }
}

#[test]
fn an_array_whose_places_become_constants_raises_no_threshold() {
    let f = LoopFacts { local_array: 2, array_period: 2, ..LoopFacts::counted(32, 30) };
    assert_eq!((f.local_array_after(4), f.local_array_after(3)), (0, 2));
    assert_eq!(LoopFacts { array_period: 0, ..f }.local_array_after(4), 2, "the places never repeat");
}

#[test]
fn every_loop_gets_a_trail_and_words() {
    for f in [LoopFacts::counted(45, 11), LoopFacts::runtime(11), LoopFacts::runtime(500)] {
        for r in [NONE, FULL, Request::count(3), Request::count(1)] {
            let d = early(&f, r);
            assert!(!d.trail.is_empty());
            assert!(crate::remarks::trail(&d).iter().all(|s| !s.finding.is_empty()));
            assert!(!crate::remarks::reason(&d).is_empty());
            assert!(crate::remarks::remarks(&d, &r, "k").len() > 1);
        }
    }
}

#[test]
fn newer_gpus_get_larger_factors() {
    let p = UnrollParams::new(Profile::Cicc23, 3, SizeLevel::Speed);
    let at = |f: &LoopFacts| shape(&decide(f, &NONE, &p));
    for (size, count) in [(8, 16), (13, 16), (14, 8), (27, 8), (28, 4), (54, 4), (55, 2), (95, 2)] {
        assert_eq!(at(&LoopFacts::runtime(size)), (Kind::Runtime, count), "{size}");
    }
    assert_eq!(at(&LoopFacts::runtime(96)).0, Kind::Keep);
    // Counts that cost more to compute keep the factors of before.
    let dear = |size| LoopFacts { cheap_trip: false, ..LoopFacts::runtime(size) };
    for (size, count) in [(8, 4), (52, 4), (53, 2), (95, 2)] {
        assert_eq!(at(&dear(size)), (Kind::Runtime, count), "{size}");
    }
    // Loops with steps that are known only at run time are limited by their instructions, whatever these cost.
    let strided = |instructions| LoopFacts { variable_step: true, instructions, ..dear(40) };
    assert_eq!(at(&strided(34)), (Kind::Runtime, 4));
    assert_eq!(at(&strided(35)).0, Kind::Keep);
    // A round of sixteen that would never be complete.
    let few = |max| LoopFacts { max_trip: max, depth: 2, ..LoopFacts::runtime(10) };
    assert_eq!(at(&few(15)), (Kind::UpperBound, 15));
    assert_eq!(at(&few(31)), (Kind::Runtime, 16));
    assert_eq!(at(&few(8)).0, Kind::Keep);
    let array = |elements, size| LoopFacts { local_array: elements, ..LoopFacts::counted(64, size) };
    assert_eq!((at(&array(2, 52)).0, at(&array(2, 53)).0), (Kind::Full, Kind::Partial));
    assert_eq!(at(&array(1, 16)).0, Kind::Partial);
    assert_eq!(at(&LoopFacts { settles_after: 1, flips: 8, ..LoopFacts::runtime(8) }), (Kind::Runtime, 16));
    assert_eq!(at(&LoopFacts::counted(1000, 20)), shape(&early(&LoopFacts::counted(1000, 20), NONE)));
}

#[test]
fn newer_gpus_get_the_larger_factors_the_more_there_is_to_wait_for() {
    let p = UnrollParams::new(Profile::Cicc23, 3, SizeLevel::Speed);
    let at = |memory: Memory, size| shape(&decide(&LoopFacts { memory, ..LoopFacts::runtime(size) }, &NONE, &p)).1;
    let fast = |fast_loads| Memory { fast_loads, ..Memory::default() };
    let sizes = |memory| [6, 7, 9, 10, 12, 13, 15, 18, 19].map(|size| at(memory, size));
    assert_eq!(sizes(Memory { loads: true, ..Memory::default() }), [16, 16, 16, 16, 16, 16, 8, 8, 8]);
    assert_eq!(sizes(fast(1)), [16, 16, 8, 8, 8, 8, 8, 4, 4]);
    assert_eq!(sizes(fast(2)), [16, 16, 16, 8, 8, 8, 8, 8, 4]);
    let most = |memory, copies| (1..=95).rev().find(|&size| at(memory, size) >= copies);
    for (loads, eight, four) in
        [(3, 22, 52), (5, 28, 56), (6, 31, 62), (7, 35, 69), (8, 38, 76), (10, 45, 89), (12, 51, 95)]
    {
        assert_eq!((most(fast(loads), 8), most(fast(loads), 4)), (Some(eight), Some(four)), "{loads} loads");
        let both = Memory { loads: true, ..fast(loads) };
        assert_eq!((most(both, 8), most(both, 4)), (Some(27), Some(four.max(54))), "{loads} loads and others");
    }
    assert_eq!(sizes(Memory { stores: true, ..Memory::default() }), [16, 8, 8, 8, 8, 4, 4, 4, 4]);
    assert_eq!(sizes(Memory::default()), [4; 9]);
}
