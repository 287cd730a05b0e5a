//! Decisions in words: remarks in cicc's wording, trails of the hint ledger, and fixes.

use crate::decision::{Decision, Finding, Kind, Leftover, Priority, Remainder, Step};
use crate::facts::{FIXED_COST, JamObstacle};
use crate::request::Request;
use ir::UnrollRequest;
use source::{Advice, Attempt, Fate, Span, TrailStep};

/// Which switch shows a remark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RemarkKind {
    /// `-Rpass=loop-unroll`
    Passed,
    /// `-Rpass-missed=loop-unroll`
    Missed,
    /// `-Rpass-analysis=loop-unroll`
    Analysis,
}

/// A remark about one loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// Which switch shows it.
    pub kind: RemarkKind,
    /// What it says.
    pub text: String,
}

fn remark(kind: RemarkKind, text: impl Into<String>) -> Remark {
    Remark { kind, text: text.into() }
}

/// What was done to the loop, in cicc's words; `None` if nothing was.
pub fn passed(d: &Decision) -> Option<String> {
    let count = d.count;
    Some(match d.kind {
        Kind::Keep | Kind::Forbidden => return None,
        Kind::Full | Kind::UpperBound if count == 1 => return None,
        Kind::Full | Kind::UpperBound => format!("completely unrolled loop with {count} iterations"),
        Kind::Partial => format!("unrolled loop by a factor of {count} with a breakout at trip {}", d.breakout),
        Kind::Runtime if count == 2 => {
            format!("unrolled loop by a factor of {count} with run-time trip count without remainder loop")
        }
        Kind::Runtime => format!("unrolled loop by a factor of {count} with run-time trip count"),
        Kind::SideExits => format!("unrolled loop by a factor of {count} with side exits"),
        Kind::Peel => format!("peeled loop by {} iterations", d.peel),
        Kind::Jam => format!("unroll-and-jammed loop by a factor of {count}"),
    })
}

/// The strategy that a deciding finding names, in cicc's words.
fn strategy(finding: Finding, d: &Decision) -> Option<String> {
    Some(match finding {
        Finding::FullChosen { .. } => "fully unroll to straight-line code".into(),
        Finding::UpperBoundChosen { .. } => "fully unroll with side exits by known upper bound".into(),
        Finding::PartialChosen { count, breakout: 0, .. } => format!("partially unroll by factor of {count}"),
        Finding::PartialChosen { count, .. } => format!("partially unroll by factor of {count} with remainder loop"),
        Finding::RuntimeChosen { count, .. } => {
            let full = if !matches!(d.leftover, Leftover::Loop | Leftover::Blocks)
                && d.remainder != Remainder::None
                && count > 2
            {
                " and remainder loop will be fully unrolled"
            } else {
                ""
            };
            format!("runtime unroll by factor of {count} with remainder loop{full}")
        }
        Finding::SideExitsChosen { count } => format!("runtime unroll by factor of {count} with remainder loop"),
        Finding::PeelChosen { count } | Finding::ForcedPeel { count } => format!("loop peeling by {count} iterations"),
        Finding::JamChosen { count, .. } => format!("unroll and jam by factor of {count}"),
        _ => return None,
    })
}

/// What one step says under `-Rpass-analysis`, in cicc's words where it has some.
fn analysis(step: &Step) -> String {
    use Finding::*;
    match step.finding {
        AlreadyDone => "Not unrolling : loop has unroll disable pragma".into(),
        LocalArray { size, .. } => format!("Reminder: loop accesses local arrays with approximate size of {size}"),
        NoPragma => "Failed : \"#pragma unroll\" is not set".into(),
        PragmaForbids => "Unrolling is disabled by source code \"#pragma unroll 1\"".into(),
        PragmaCount { count } => format!("Loop has \"#pragma unroll {count}\""),
        PragmaFull => "Loop has \"#pragma unroll\" (full unroll directive)".into(),
        TooLarge { size, threshold } | ForcedTooLarge { size, threshold, .. } => {
            format!("Failed : estimated unrolled loop size {size} exceeds threshold {threshold}")
        }
        SimulatedTooLarge { size, threshold, .. } => {
            format!("Failed : estimated unrolled loop size {size} exceeds threshold {threshold}")
        }
        RemainderNotAllowed { count, multiple } => format!(
            "Failed : not allow remainder loops and pragma count {count} does not divide trip multiple {multiple}"
        ),
        NoTripOrBound => "Failed : trip count or its upper bound could not be statically calculated".into(),
        TripExceedsMax { trip, max } => format!("Failed : trip count {trip} exceeds threshold {max}"),
        NoTrip => "Failed : trip count could not be statically calculated".into(),
        WarnRuntimeTrip => "Warning : unable to fully unroll loop as directed by unroll(full) pragma because loop \
                            has a runtime trip count"
            .into(),
        WarnTooLarge => "Warning : unable to fully unroll loop as directed by unroll pragma or unroll(enable) pragma \
                         because unrolled size is too large"
            .into(),
        NoPeel | PeelDisabled | PeelTooLarge { .. } => "Failed : cannot do loop peeling".into(),
        PartialDisabled => "Failed : static partial unrolling is disabled".into(),
        NotInnermost => "Failed : not an innermost loop".into(),
        RuntimeDisabled => "Failed : runtime unrolling is disabled".into(),
        BodyTooLarge { size, .. } => format!("Failed : loop body size {size} is too large"),
        FewIterations { .. } => "Failed : loop may execute very few iterations".into(),
        NotInnermostRuntime => "Failed : Not innermost loop (ProfitableToRTUnroll returns false)".into(),
        NoRemainderLoop { .. } => {
            "Failed : remainder loops could not be generated when assuming runtime trip count".into()
        }
        SideExitsChosen { .. } => "Note : cannot generate the remainder loop. Will unroll the main loop with \
                                   side-exits that may hurt performance"
            .into(),
        other => {
            let text = other.to_string();
            if other.is_obstacle() { format!("Failed : {text}") } else { text }
        }
    }
}

/// Every remark about a loop, in order. `function` is its name as the user knows it.
pub fn remarks(d: &Decision, request: &Request, function: &str) -> Vec<Remark> {
    use RemarkKind::{Analysis, Missed, Passed};
    let mut out = vec![remark(Analysis, format!("Starting analysis in loop, in function F[{function}]..."))];
    let mut attempted = None;
    for step in &d.trail {
        if attempted != Some(step.priority) {
            attempted = Some(step.priority);
            out.extend(step.priority.attempt().map(|t| remark(Analysis, t)));
        }
        if step.decided
            && let Some(text) = strategy(step.finding, d)
        {
            out.push(remark(Analysis, format!("Success! Unrolling strategy : {text}")));
        }
        if !step.decided || matches!(step.finding, Finding::PragmaForbids | Finding::SideExitsChosen { .. }) {
            out.push(remark(Analysis, analysis(step)));
        }
    }
    match passed(d) {
        Some(text) => out.push(remark(Passed, text)),
        None if d.transforms() => {}
        None if request.is_explicit() => {
            let why = d.obstacle().map_or_else(|| "nothing to gain".into(), |f| f.to_string());
            out.push(remark(Missed, format!("loop not unrolled: {why}")));
        }
        None => {
            if let Some(f) = d.obstacle() {
                out.push(remark(Missed, format!("loop not unrolled: {f}")));
            }
        }
    }
    out
}

/// The deciding remarks only, as the measured rows list them.
pub fn condensed(d: &Decision) -> Vec<String> {
    use Finding::*;
    let mut out = Vec::new();
    for step in &d.trail {
        match step.finding {
            _ if step.decided => {
                if step.finding == PragmaForbids {
                    out.push(analysis(step));
                }
                out.extend(strategy(step.finding, d));
            }
            AlreadyDone
            | LocalArray { .. }
            | TooLarge { .. }
            | SimulatedTooLarge { .. }
            | TripExceedsMax { .. }
            | WarnRuntimeTrip
            | WarnTooLarge
            | PartialDisabled
            | RuntimeDisabled
            | BodyTooLarge { .. } => out.push(analysis(step)),
            _ => {}
        }
    }
    out.extend(passed(d));
    out
}

/// The reasoning as the hint ledger keeps it.
pub fn trail(d: &Decision) -> Vec<TrailStep> {
    d.trail
        .iter()
        .map(|s| TrailStep { rule: s.priority.name(), finding: s.finding.to_string(), decided: s.decided })
        .collect()
}

/// What became of the hint.
pub fn fate(d: &Decision, request: &Request) -> Fate {
    if request.unroll == UnrollRequest::None {
        return jam_fate(d, request);
    }
    match (request.unroll, d.kind) {
        (UnrollRequest::Disable, Kind::Keep | Kind::Forbidden) => Fate::Honoured,
        // Straight-line code already: every wish about it is fulfilled.
        (_, Kind::Full | Kind::UpperBound) if d.count == 1 => Fate::Honoured,
        (_, Kind::Keep | Kind::Forbidden) => Fate::Refused,
        (UnrollRequest::Full, Kind::Full | Kind::UpperBound) | (UnrollRequest::Enable, _) => Fate::Honoured,
        (UnrollRequest::Count(n), Kind::Partial | Kind::Runtime | Kind::SideExits) if n == d.count => Fate::Honoured,
        (UnrollRequest::Count(n), Kind::Full | Kind::UpperBound) if n >= d.count => Fate::Honoured,
        _ => Fate::Adjusted,
    }
}

fn jam_fate(d: &Decision, request: &Request) -> Fate {
    match (request.jam, d.kind) {
        (UnrollRequest::Disable, kind) if kind != Kind::Jam => Fate::Honoured,
        (UnrollRequest::Count(n), Kind::Jam) if n != d.count => Fate::Adjusted,
        (_, Kind::Jam) => Fate::Honoured,
        _ => Fate::Refused,
    }
}

/// What was done, in a few words.
pub fn done(d: &Decision) -> String {
    let count = d.count;
    match d.kind {
        Kind::Keep => "left as a loop".into(),
        Kind::Forbidden => "kept as a loop, as asked".into(),
        Kind::Full | Kind::UpperBound if count == 1 => "nothing to unroll, the body runs once".into(),
        Kind::Full => format!("unrolled fully, {count} iterations"),
        Kind::UpperBound => format!("unrolled fully for at most {count} iterations, with side exits"),
        Kind::Partial if d.breakout == 0 => format!("unrolled by {count}"),
        Kind::Partial => format!("unrolled by {count}, leaving after copy {} in the last round", d.breakout),
        Kind::Runtime => {
            let rest = match (d.leftover, d.remainder) {
                (Leftover::Binary, _) if count > 2 => "the rest in straight-line blocks by binary digits",
                (Leftover::Blocks, _) if count > 4 => "the rest in straight-line blocks and a loop",
                (Leftover::Loop, Remainder::Prologue) if count > 2 => "a remainder loop before it",
                (Leftover::Loop, _) if count > 2 => "a remainder loop after it",
                _ => "the rest in straight-line code",
            };
            format!("unrolled by {count}, {rest}")
        }
        Kind::SideExits => format!("unrolled by {count}, each copy with its own exit tests: this may hurt performance"),
        Kind::Peel => format!("{} iterations peeled off", d.peel),
        Kind::Jam => format!("unrolled by {count} and jammed"),
    }
}

/// Why: the deciding fact.
pub fn reason(d: &Decision) -> String {
    let last = d.deciding().or_else(|| d.obstacle()).or_else(|| d.trail.last().map(|s| s.finding));
    let Some(last) = last else { return String::new() };
    // An adjusted hint is explained by what stood in its way, not by what was done instead.
    match d.obstacle() {
        // What was done says the rest.
        Some(o) if matches!(last, Finding::SideExitsChosen { .. }) => o.to_string(),
        Some(o) if d.transforms() => format!("{o}; {}", because(last)),
        Some(o) => o.to_string(),
        None => because(last),
    }
}

/// The fact behind a choice, where the finding itself only names the choice.
fn because(finding: Finding) -> String {
    use Finding::*;
    match finding {
        FullChosen { trip, size } => {
            format!("the trip count is the constant {trip} and straight-line code of estimated size {size} fits")
        }
        UpperBoundChosen { max, size } => {
            format!("at most {max} iterations run and straight-line code of estimated size {size} fits")
        }
        PartialChosen { count, breakout: 0, size } => {
            format!("{count} divides the trip count and {count} copies of estimated size {size} fit")
        }
        PartialChosen { count, breakout, size } => {
            format!("{count} copies of estimated size {size} fit and the trip count leaves {breakout} over")
        }
        RuntimeChosen { count, size, .. } => {
            format!("the trip count is known when the loop starts and {count} copies of estimated size {size} fit")
        }
        other => other.to_string(),
    }
}

/// Iterations with which it is tried whether a constant count helps, and one more than a bound that is tried.
const TRIED_TRIPS: u32 = 16;
/// Factors among which one is looked for that divides a trip count.
const MOST_DIVISORS: usize = 64;
/// What helps where a trip count must be known.
const CONSTANT_COUNT: &str = "make the trip count a constant (a template parameter, `constexpr`, a macro)";
/// Where a hint about jamming belongs.
const AROUND: &str = "put the hint on the loop around the innermost one";

/// Changes of the source or of the options that would make the hint work, as far as they are known. The loop stands at
/// `place`, the nearest one that can be jammed at `nest`.
pub fn advice(d: &Decision, request: &Request, multiplier: u32, place: Span, nest: Option<Span>) -> Vec<Advice> {
    use Finding::*;
    let wanted = (request.is_explicit() || request.wants_jam()) && fate(d, request) != Fate::Honoured;
    let obstacle = d.trail.iter().map(|s| s.finding).find(|f| f.is_obstacle());
    let (true, Some(obstacle)) = (wanted, obstacle) else { return Vec::new() };
    let any = || by_hand("ask for a factor with `#pragma unroll {}`", Some(Attempt::AnyFactor));
    let smaller = || by_hand("ask for a smaller factor with `#pragma unroll {}`", Some(Attempt::AnyFactor));
    match obstacle {
        TooLarge { size, threshold } | SimulatedTooLarge { size, threshold, .. } if size < u64::from(u32::MAX) => {
            let needed = (size + 1).div_ceil(u64::from(multiplier.max(1)));
            let pass = knob("pragma-unroll-threshold", needed);
            match fitting(request, size, threshold) {
                n if n > 1 => {
                    let at_most = u32::try_from(n).ok().map(Attempt::Factor);
                    vec![by_hand(format!("ask for at most `#pragma unroll {n}`"), at_most), pass]
                }
                _ => vec![pass, smaller()],
            }
        }
        NoTripOrBound | NoTrip if matches!(request.unroll, UnrollRequest::Full | UnrollRequest::Enable) => vec![
            by_hand(CONSTANT_COUNT, Some(Attempt::Trips(TRIED_TRIPS))),
            by_hand("bound it as in `{}`", Some(Attempt::Mask(TRIED_TRIPS - 1))),
            any(),
        ],
        RemainderNotAllowed { count, multiple } => {
            let allow = "allow remainder loops (`-unroll-allow-remainder=true`)";
            let divides = (2..count).rev().take(MOST_DIVISORS).find(|&n| multiple.is_multiple_of(n));
            let divides = divides.map(|n| {
                let (hint, attempt) = match request.wants_jam() {
                    true => ("unroll_and_jam", Attempt::Jam(place, n)),
                    false => ("unroll", Attempt::Factor(n)),
                };
                by_hand(format!("ask for a factor that divides the trip count: `#pragma {hint} {n}`"), Some(attempt))
            });
            let knob = Attempt::Knob("unroll-allow-remainder", "true".into());
            std::iter::once(by_hand(allow, Some(knob))).chain(divides).collect()
        }
        NoRemainderLoop { exits } if exits > 1 => vec![by_hand("leave the loop at one place only", None), any()],
        NoRemainderLoop { .. } => {
            vec![by_hand("count with a constant step to a bound that the loop does not change", None), any()]
        }
        BodyTooLarge { size, .. } => {
            vec![knob("runtime-unroll-threshold", size), smaller()]
        }
        Convergent => vec![knob("unroll-runtime-convergent", true)],
        ActiveLanes => vec![by_hand(CONSTANT_COUNT, Some(Attempt::Trips(TRIED_TRIPS)))],
        FullConvergent => vec![by_hand("ask for it with `#pragma unroll`", None)],
        PragmaSkipped => vec![by_hand("compile without fast-code mode", None)],
        NotInnermost
        | NotInnermostRuntime
        | FewIterations { .. }
        | DearTripCount
        | PartialDisabled
        | RuntimeDisabled => {
            vec![by_hand("ask for a factor with `#pragma unroll {}` on this loop", Some(Attempt::AnyFactor))]
        }
        NotDuplicable => vec![by_hand("move inline assembly and calls that must stay single out of the loop", None)],
        ForcedTooLarge { count, size, threshold } => {
            let fits = u64::from(count) * u64::from(threshold) / size.max(1);
            let fewer = (fits > 1).then(|| knob("unroll-count", fits));
            std::iter::once(knob("unroll-threshold", size + 1)).chain(fewer).collect()
        }
        TripExceedsMax { trip, .. } => vec![knob("unroll-full-max-count", trip)],
        NoFactor { size, .. } => vec![knob("unroll-partial-threshold", size), by_hand("split the loop's body", None)],
        FlatLoop { estimated, .. } => vec![knob("flat-loop-tripcount-threshold", estimated), any()],
        JamRefused { why: JamObstacle::NotANest | JamObstacle::Deeper } => match (nest, request.jam) {
            (Some(nest), UnrollRequest::Count(n)) => vec![by_hand(AROUND, Some(Attempt::Jam(nest, n)))],
            (Some(nest), _) => vec![by_hand(AROUND, Some(Attempt::AnyJam(nest, u32::MAX)))],
            // No loop stands around another.
            (None, _) => {
                vec![by_hand("ask for copies of this loop alone with `#pragma unroll {}`", Some(Attempt::AnyFactor))]
            }
        },
        JamRefused { why } => jam_fix(why).map(|t| by_hand(t, None)).into_iter().collect(),
        JamLimited { count, .. } if count > 1 => {
            let fewer = (count > 2).then(|| fewer(place, count));
            let apart = by_hand("declare pointers to different memory `restrict`", None);
            fewer.into_iter().chain([apart]).collect()
        }
        JamTooLarge { count, .. } if count > 2 => vec![fewer(place, count)],
        _ => Vec::new(),
    }
}

/// Unroll-and-jam of fewer iterations than was asked for.
fn fewer(place: Span, count: u32) -> Advice {
    by_hand("ask for fewer iterations with `#pragma unroll_and_jam {}`", Some(Attempt::AnyJam(place, count)))
}

fn by_hand(text: impl Into<String>, attempt: Option<Attempt>) -> Advice {
    Advice { text: text.into(), attempt }
}

fn knob(name: &'static str, value: impl std::fmt::Display) -> Advice {
    Advice { text: format!("pass `-{name}={value}`"), attempt: Some(Attempt::Knob(name, value.to_string())) }
}

/// What lets the iterations of a nest run side by side.
fn jam_fix(why: JamObstacle) -> Option<&'static str> {
    Some(match why {
        JamObstacle::NotANest | JamObstacle::Deeper => AROUND,
        JamObstacle::Irregular => "leave the inner loop at one place only, and run it in every iteration",
        JamObstacle::InnerTrip => "give the inner loop a bound that the outer loop does not change",
        JamObstacle::Carried => "split the outer loop, so that no iteration starts from the result of the one before",
        JamObstacle::Effects => "move calls, atomics and barriers out of the nest",
        JamObstacle::ManyAccesses => "split the inner loop",
        JamObstacle::Conflict(_) => "declare pointers to different memory `restrict`",
    })
}

/// The largest factor below the one asked for whose size stays below `threshold`; 0 if no factor was asked for.
fn fitting(request: &Request, size: u64, threshold: u32) -> u64 {
    match request.unroll {
        UnrollRequest::Count(n) if n > 1 && size > u64::from(FIXED_COST) => {
            let per_copy = (size - u64::from(FIXED_COST)) / u64::from(n);
            (u64::from(threshold).saturating_sub(u64::from(FIXED_COST) + 1) / per_copy.max(1)).max(1)
        }
        _ => 0,
    }
}

/// The factor to ask for instead, where a smaller one is what would make the hint work.
pub fn suggested(d: &Decision, request: &Request) -> Option<u32> {
    if !request.is_explicit() || fate(d, request) == Fate::Honoured {
        return None;
    }
    match d.obstacle()? {
        Finding::TooLarge { size, threshold } | Finding::SimulatedTooLarge { size, threshold, .. } => {
            u32::try_from(fitting(request, size, threshold)).ok().filter(|&n| n > 1)
        }
        _ => None,
    }
}

/// The multiplier that private arrays gave to the thresholds of this decision.
pub fn multiplier(d: &Decision) -> u32 {
    let found = d.trail.iter().find(|s| s.priority == Priority::LocalArray);
    match found.map(|s| s.finding) {
        Some(Finding::LocalArray { multiplier, .. }) => multiplier,
        _ => 1,
    }
}
