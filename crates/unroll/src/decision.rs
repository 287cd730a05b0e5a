//! What the engine decides, and why.

use crate::facts::{Conflict, JamObstacle};
use smallvec::SmallVec;
use std::fmt;

/// How a loop is transformed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Not at all.
    Keep,
    /// Not at all, because the programmer said so; nobody asks again.
    Forbidden,
    /// Straight-line code: one copy for each iteration.
    Full,
    /// Straight-line code for the largest possible trip count; each copy may leave.
    UpperBound,
    /// Several copies of a loop with a known trip count.
    Partial,
    /// Several copies of a loop whose trip count is known only when it runs; the left-over iterations apart.
    Runtime,
    /// Several copies, each with its own exit tests: the trip count cannot be computed before.
    SideExits,
    /// The first iterations before the loop.
    Peel,
    /// Copies of the outer loop's body, inner loops fused.
    Jam,
}

impl Kind {
    /// Its name in explanations.
    pub fn name(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Forbidden => "forbidden",
            Self::Full => "full",
            Self::UpperBound => "upper-bound",
            Self::Partial => "partial",
            Self::Runtime => "runtime",
            Self::SideExits => "side-exits",
            Self::Peel => "peel",
            Self::Jam => "jam",
        }
    }
}

/// Where the left-over iterations of a runtime-unrolled loop run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Remainder {
    /// There are none, or the loop breaks out.
    None,
    /// Before the unrolled loop.
    Prologue,
    /// After it.
    Epilogue,
}

/// What left-over iterations become.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Leftover {
    /// A loop.
    #[default]
    Loop,
    /// Copies in a row, each followed by a test whether it was the last.
    Straight,
    /// Blocks of …, 4, 2 and 1 iterations, each executed if the number of left-over iterations has that binary digit.
    Binary,
    /// Such blocks of 4 and more, then a loop.
    Blocks,
}

/// The verdict on one loop.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    /// What to do.
    pub kind: Kind,
    /// Copies of the body; 1 if it stays as it is.
    pub count: u32,
    /// Iterations peeled off the front.
    pub peel: u32,
    /// Where left-over iterations run.
    pub remainder: Remainder,
    /// What they become.
    pub leftover: Leftover,
    /// With a known trip count: the copy after which the loop is left is `breakout`, counted from one; 0 for the last.
    pub breakout: u32,
    /// The programmer asked for it: later invocations and the assembler leave the result alone.
    pub explicit: bool,
    /// What is left of the loop runs so few rounds that copies made by the assembler would never be complete.
    pub few_rounds: bool,
    /// What each priority found, in order.
    pub trail: Trail,
}

impl Leftover {
    /// Where the iterations left over by a factor of `count` go, in words.
    pub(crate) fn place(self, count: u32) -> &'static str {
        match self {
            _ if count == 2 => "straight-line code",
            Self::Loop => "a remainder loop",
            Self::Straight => "straight-line code",
            Self::Binary => "straight-line blocks by binary digits",
            Self::Blocks => "straight-line blocks and a loop",
        }
    }
}

impl Decision {
    /// The assembler is told to leave what becomes of the loop alone.
    pub(crate) fn settles_assembler(&self) -> bool {
        self.explicit || self.few_rounds
    }

    /// The loop stays as it is.
    pub fn keep(trail: Trail) -> Self {
        Self {
            kind: Kind::Keep,
            count: 1,
            peel: 0,
            remainder: Remainder::None,
            leftover: Leftover::Loop,
            breakout: 0,
            explicit: false,
            few_rounds: false,
            trail,
        }
    }

    /// Whether code changes.
    pub fn transforms(&self) -> bool {
        !matches!(self.kind, Kind::Keep | Kind::Forbidden)
    }

    /// The finding that decided.
    pub fn deciding(&self) -> Option<Finding> {
        self.trail.iter().rev().find(|s| s.decided).map(|s| s.finding)
    }

    /// The last thing that stood in the way of what was asked, if something did.
    pub fn obstacle(&self) -> Option<Finding> {
        self.trail.iter().map(|s| s.finding).find(|f| f.is_obstacle())
    }
}

/// The rules of the cascade, in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Priority {
    /// Whether the loop may be touched at all.
    Entry,
    /// Private arrays raise the thresholds.
    LocalArray,
    /// A count forced by `unroll-count` or `unroll-peel-count`.
    Forced,
    /// `#pragma unroll` in any form.
    Pragma,
    /// Full unrolling.
    Full,
    /// Peeling.
    Peel,
    /// Partial unrolling of a known trip count.
    Partial,
    /// Runtime unrolling.
    Runtime,
    /// Small functions.
    SmallFunction,
    /// Unroll-and-jam.
    Jam,
    /// What the transformation met.
    Transform,
}

impl Priority {
    /// Its name in trails and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Entry => "entry",
            Self::LocalArray => "local-array",
            Self::Forced => "forced",
            Self::Pragma => "pragma",
            Self::Full => "full",
            Self::Peel => "peel",
            Self::Partial => "partial",
            Self::Runtime => "runtime",
            Self::SmallFunction => "small-function",
            Self::Jam => "unroll-and-jam",
            Self::Transform => "transform",
        }
    }

    /// What `-Rpass-analysis` says when the rule is tried, as cicc words it.
    pub fn attempt(self) -> Option<&'static str> {
        Some(match self {
            Self::Pragma => "Trying to unroll by #pragma (2nd priority)...",
            Self::Full => "Trying to fully unroll (3rd priority)...",
            Self::Peel => "Trying loop peeling (4th priority)...",
            Self::Partial => "Trying static partial unrolling (5th priority)...",
            Self::Runtime => "Trying runtime unrolling (6th priority)...",
            _ => return None,
        })
    }
}

/// One step of the reasoning.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// Who looked.
    pub priority: Priority,
    /// What it found.
    pub finding: Finding,
    /// Whether that settled the matter.
    pub decided: bool,
}

/// The reasoning, in order.
pub type Trail = SmallVec<[Step; 8]>;

/// What a rule found. Numbers, not text: words are made only for those who ask ([`fmt::Display`], [`crate::remarks`]).
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Finding {
    /// An earlier invocation settled this loop.
    AlreadyDone,
    /// The body runs once each time the loop is reached.
    RunsOnce,
    /// The body holds something that must stay unique.
    NotDuplicable,
    /// The loop accesses private arrays; thresholds are multiplied.
    LocalArray { size: u32, multiplier: u32 },
    /// `unroll-count` forces a factor.
    ForcedCount { count: u32 },
    /// The forced factor is too large.
    ForcedTooLarge { count: u32, size: u64, threshold: u32 },
    /// `unroll-peel-count` forces peeling.
    ForcedPeel { count: u32 },
    /// No pragma.
    NoPragma,
    /// Pragmas are skipped in fast-code mode.
    PragmaSkipped,
    /// `#pragma unroll 1` and its like.
    PragmaForbids,
    /// A factor was asked for.
    PragmaCount { count: u32 },
    /// Full unrolling was asked for.
    PragmaFull,
    /// Unrolling was asked for.
    PragmaEnable,
    /// The size estimate exceeds the limit.
    TooLarge { size: u64, threshold: u32 },
    /// Straight-line code is too large, simulated savings included.
    SimulatedTooLarge { size: u64, threshold: u32, unrolled: u32, budget: u32 },
    /// Small enough only because so much folds away.
    SimulatedFits { size: u64, threshold: u32, unrolled: u32, budget: u32 },
    /// Remainder loops are switched off and the factor does not divide the trip count.
    RemainderNotAllowed { count: u32, multiple: u32 },
    /// Neither the trip count nor a bound on it is known.
    NoTripOrBound,
    /// The trip count exceeds `unroll-full-max-count`.
    TripExceedsMax { trip: u32, max: u32 },
    /// The trip count is not a constant.
    NoTrip,
    /// Full unrolling was asked for and is impossible, because the trip count is not a constant.
    WarnRuntimeTrip,
    /// Full unrolling was asked for and is too large.
    WarnTooLarge,
    /// Nothing to gain from peeling.
    NoPeel,
    /// Peeling is switched off.
    PeelDisabled,
    /// Peeling would cost too much.
    PeelTooLarge { count: u32, size: u64, threshold: u32 },
    /// Static partial unrolling is switched off in this invocation.
    PartialDisabled,
    /// The loop has loops inside.
    NotInnermost,
    /// Two copies exceed the partial threshold.
    NoFactor { size: u64, threshold: u32 },
    /// Runtime unrolling is switched off in this invocation.
    RuntimeDisabled,
    /// The body is too large for runtime unrolling.
    BodyTooLarge { size: u32, threshold: u32 },
    /// The loop runs few iterations.
    FewIterations { max: u32 },
    /// The loop is expected to run few iterations.
    FlatLoop { estimated: u32, threshold: u32 },
    /// The outer loop of a nest is not runtime-unrolled.
    NotInnermostRuntime,
    /// Convergent operations, and `unroll-runtime-convergent` is off.
    Convergent,
    /// Operations of the active lanes: not the same lanes would meet in a remainder loop.
    ActiveLanes,
    /// The number of iterations, computed again for each run of the loop, costs too much.
    DearTripCount,
    /// Convergent operations, and `unroll-full-convergent` is off.
    FullConvergent,
    /// The trip count cannot be computed before the loop, or there are several exits: no remainder loop.
    NoRemainderLoop { exits: u32 },
    /// Several copies, each with its own exits.
    SideExitsChosen { count: u32 },
    /// Nothing in a small function helps.
    FunctionTooLarge { size: u32, threshold: u32 },
    /// `#pragma nounroll_and_jam`.
    JamForbidden,
    /// The iterations may not run side by side.
    JamRefused { why: JamObstacle },
    /// Larger groups of iterations may not run side by side.
    JamLimited { count: u32, conflict: Conflict },
    /// Copies of the inner body would be too large.
    JamTooLarge { count: u32, size: u64, threshold: u32 },
    /// Nobody asked, and there is nothing to gain.
    JamUnprofitable { shared_loads: u32, inner_size: u32, inner_trip: u32 },
    /// Straight-line code for all iterations.
    FullChosen { trip: u32, size: u64 },
    /// Straight-line code up to the bound.
    UpperBoundChosen { max: u32, size: u64 },
    /// A factor for a known trip count.
    PartialChosen { count: u32, breakout: u32, size: u64 },
    /// A factor for an unknown trip count.
    RuntimeChosen { count: u32, leftover: Leftover, size: u64 },
    /// Iterations before the loop.
    PeelChosen { count: u32 },
    /// Outer copies, inner loops fused.
    JamChosen { count: u32, size: u64, remainder: bool },
    /// The transformation met something it cannot do.
    Refused { why: &'static str },
}

impl Finding {
    /// Whether it stands in the way of what was asked.
    pub fn is_obstacle(&self) -> bool {
        use Finding::*;
        matches!(
            self,
            AlreadyDone
                | NotDuplicable
                | ForcedTooLarge { .. }
                | PragmaSkipped
                | TooLarge { .. }
                | SimulatedTooLarge { .. }
                | RemainderNotAllowed { .. }
                | NoTripOrBound
                | TripExceedsMax { .. }
                | NoTrip
                | PartialDisabled
                | NotInnermost
                | NoFactor { .. }
                | RuntimeDisabled
                | BodyTooLarge { .. }
                | FewIterations { .. }
                | FlatLoop { .. }
                | NotInnermostRuntime
                | Convergent
                | ActiveLanes
                | DearTripCount
                | FullConvergent
                | NoRemainderLoop { .. }
                | JamRefused { .. }
                | JamLimited { .. }
                | JamTooLarge { .. }
                | Refused { .. }
        )
    }
}

fn plural(n: u32) -> &'static str {
    if n == 1 { "" } else { "s" }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Finding::*;
        match *self {
            AlreadyDone => write!(f, "the loop was settled before and is left alone"),
            RunsOnce => write!(f, "the body runs just once"),
            NotDuplicable => write!(f, "the body holds something that must not be duplicated"),
            LocalArray { size, multiplier } => {
                write!(
                    f,
                    "the loop accesses private arrays of up to {size} elements: thresholds are multiplied by {multiplier}"
                )
            }
            ForcedCount { count } => write!(f, "`unroll-count` forces a factor of {count}"),
            ForcedTooLarge { count, size, threshold } => {
                write!(f, "the factor {count} of `unroll-count` makes a size of {size}, the threshold is {threshold}")
            }
            ForcedPeel { count } => write!(f, "`unroll-peel-count` forces {count} peeled iteration{}", plural(count)),
            NoPragma => write!(f, "no unroll hint"),
            PragmaSkipped => write!(f, "hints are skipped in fast-code mode"),
            PragmaForbids => write!(f, "the source forbids unrolling"),
            PragmaCount { count } => write!(f, "a factor of {count} is asked for"),
            PragmaFull => write!(f, "full unrolling is asked for"),
            PragmaEnable => write!(f, "unrolling is asked for"),
            TooLarge { size, threshold } => {
                write!(f, "the estimated unrolled size {size} does not stay below the threshold {threshold}")
            }
            SimulatedTooLarge { size, threshold, unrolled, budget } => write!(
                f,
                "the estimated unrolled size {size} does not stay below the threshold {threshold}; what folds away leaves {unrolled} of a budget of {budget}"
            ),
            SimulatedFits { size, threshold, unrolled, budget } => write!(
                f,
                "the estimated unrolled size {size} exceeds the threshold {threshold}, but so much folds away that {unrolled} remains of a budget of {budget}"
            ),
            RemainderNotAllowed { count, multiple } => write!(
                f,
                "remainder loops are switched off and {count} does not divide the trip count (known multiple {multiple})"
            ),
            NoTripOrBound => write!(f, "neither the trip count nor a bound on it is a compile-time constant"),
            TripExceedsMax { trip, max } => write!(f, "the trip count {trip} exceeds `unroll-full-max-count` {max}"),
            NoTrip => write!(f, "the trip count is not a compile-time constant"),
            WarnRuntimeTrip => {
                write!(f, "the loop cannot be unrolled fully: its trip count is known only when it runs")
            }
            WarnTooLarge => write!(f, "the loop cannot be unrolled fully: it would become too large"),
            NoPeel => write!(f, "nothing settles after the first iterations"),
            PeelDisabled => write!(f, "peeling is switched off"),
            PeelTooLarge { count, size, threshold } => {
                write!(
                    f,
                    "{count} peeled iteration{} make a size of {size}, the threshold is {threshold}",
                    plural(count)
                )
            }
            PartialDisabled => {
                write!(f, "loops of known trip counts are not unrolled in part here (`-unroll-allow-partial`)")
            }
            NotInnermost => write!(f, "the loop has loops inside"),
            NoFactor { size, threshold } => {
                write!(f, "two copies make a size of {size}, the partial threshold is {threshold}")
            }
            RuntimeDisabled => write!(
                f,
                "loops whose trip count is known only when they run are not unrolled here (`-unroll-runtime`)"
            ),
            BodyTooLarge { size, threshold } => {
                write!(f, "the body's size {size} exceeds the limit {threshold} of runtime unrolling")
            }
            FewIterations { max } => write!(f, "the loop runs at most {max} time{}", plural(max)),
            FlatLoop { estimated, threshold } => {
                write!(f, "the loop is expected to run {estimated} time{}, fewer than {threshold}", plural(estimated))
            }
            NotInnermostRuntime => write!(f, "only innermost loops are runtime-unrolled without a hint"),
            Convergent => write!(f, "convergent operations, and `unroll-runtime-convergent` is off"),
            DearTripCount => write!(f, "the number of iterations costs too much to compute each time the loop begins"),
            ActiveLanes => write!(f, "operations of the active lanes, which would be others in a remainder loop"),
            FullConvergent => write!(f, "convergent operations, and `unroll-full-convergent` is off"),
            NoRemainderLoop { exits } if exits > 1 => {
                write!(f, "the loop has {exits} exits: no remainder loop can be made")
            }
            NoRemainderLoop { .. } => {
                write!(f, "the trip count cannot be computed before the loop: no remainder loop can be made")
            }
            SideExitsChosen { count } => {
                write!(f, "{count} copies, each with its own exit test")
            }
            FunctionTooLarge { size, threshold } => write!(f, "the function's size {size} is not below {threshold}"),
            JamForbidden => write!(f, "the source forbids unroll-and-jam"),
            JamRefused { why } => write!(f, "iterations cannot run side by side: {why}"),
            JamLimited { count, conflict } => write!(f, "{count} iterations cannot run side by side: {conflict}"),
            JamTooLarge { count, size, threshold } => write!(
                f,
                "{count} copies of the inner body make a size of {size}, which does not stay below {threshold}"
            ),
            JamUnprofitable { shared_loads: 0, .. } => {
                write!(f, "no load of the inner loop is the same in neighbouring iterations")
            }
            JamUnprofitable { inner_size, inner_trip, .. } => write!(
                f,
                "the inner loop, {inner_trip} iterations of size {inner_size}, is better unrolled or has branches"
            ),
            FullChosen { trip, size } => {
                write!(f, "unrolled fully: {trip} iteration{}, estimated size {size}", plural(trip))
            }
            UpperBoundChosen { max, size } => {
                write!(
                    f,
                    "unrolled fully with side exits for at most {max} iteration{}, estimated size {size}",
                    plural(max)
                )
            }
            PartialChosen { count, breakout: 0, size } => {
                write!(f, "unrolled by {count}, which divides the trip count, estimated size {size}")
            }
            PartialChosen { count, breakout, size } => {
                write!(f, "unrolled by {count}, leaving after copy {breakout} in the last round, estimated size {size}")
            }
            RuntimeChosen { count, leftover, size } => write!(
                f,
                "unrolled by {count} with the left-over iterations in {}, estimated size {size}",
                leftover.place(count)
            ),
            PeelChosen { count } => write!(f, "{count} iteration{} peeled off", plural(count)),
            JamChosen { count, size, remainder } => write!(
                f,
                "unrolled by {count} and jammed, estimated inner size {size}{}",
                if remainder { ", the left-over iterations apart" } else { "" }
            ),
            Refused { why } => write!(f, "not possible: {why}"),
        }
    }
}
