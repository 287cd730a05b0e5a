//! What the unroller knows about a loop.
//!
//! [`LoopFacts`] is plain data: the decision engine sees nothing else, so a test can write one by hand. Sizes are in
//! cicc's units: one for most instructions, four for a division, nothing for what disappears into
//! an addressing mode ([`crate::cost`]).

use std::fmt;

/// Instructions of a loop that unrolling does not replicate: the exit comparison and the back edge's branch.
pub const FIXED_COST: u32 = 2;

/// Everything that decides a loop's fate, besides what was asked and the parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopFacts {
    /// Times the body runs unless it is left early: the count of an exit that counts to a constant. 0 if there is none,
    /// or if its test would be one with another exit's.
    pub trip_count: u32,
    /// Times the body runs unless another exit is taken before: for loops that count to a constant and may leave
    /// early. Equal to `trip_count` where that is known; 0 if no exit counts to a constant.
    pub counted_trip: u32,
    /// The body runs at most so often; 0 if no bound is known.
    pub max_trip: u32,
    /// The bound on the trip count that the arithmetic of the exit test itself shows, without what is known from
    /// elsewhere; 0 if it shows none.
    pub apparent_max_trip: u32,
    /// The compiler that is followed does not see [`max_trip`](Self::max_trip).
    pub hidden_bound: bool,
    /// That the trip count can be computed follows from the range of ids or sizes, or from conditions around the loop.
    pub counted_by_ids: bool,
    /// A number that divides every possible trip count; at least 1.
    pub trip_multiple: u32,
    /// Size of one iteration.
    pub size: u32,
    /// Part of `size` that unrolling does not replicate.
    pub fixed: u32,
    /// Elements of the largest private array that the loop accesses; 0 if it accesses none.
    pub local_array: u32,
    /// So many copies, or a multiple of it, access private arrays at constant places only; 0 if no number does.
    pub array_period: u32,
    /// Has operations that work-items must reach together.
    pub convergent: bool,
    /// Asks which lanes of a warp are there, whose iterations a remainder loop would put at different places.
    pub asks_active: bool,
    /// Has calls.
    pub calls: bool,
    /// Edges that leave the loop.
    pub exits: u32,
    /// Has no loop inside.
    pub innermost: bool,
    /// 1 for an outermost loop.
    pub depth: u32,
    /// Expected trip count from `__builtin_expect` and its like.
    pub estimated_trip: Option<u32>,
    /// The trip count can be computed before the loop starts.
    pub runtime_trip: bool,
    /// No condition is nested in another one, and that count is plain, or the loop does not both load and store: as measured for
    /// sm_100, larger factors are taken then.
    pub cheap_trip: bool,
    /// For sm_100: that count is too dear for a loop in a nest to be computed for the default factor.
    pub dear_trip: bool,
    /// What the loop does to memory.
    pub memory: Memory,
    /// The step is a variable that nothing but the loop's end shows to be positive.
    pub variable_step: bool,
    /// Instructions of the measured form, merged values at the header included, each counted once whatever it costs; told only
    /// where the step is such a variable.
    pub instructions: u32,
    /// The loop counts from a constant.
    pub constant_start: bool,
    /// After so many iterations a value that the first iterations change stays the same; 0 if nothing does.
    pub settles_after: u32,
    /// Bit `k` is set if a branch goes one way in the first `k` iterations and the other way in all others.
    pub flips: u32,
    /// The body may be duplicated.
    pub duplicable: bool,
    /// Cost of the loop, simulated iteration by iteration; absent where nobody needed it or it cannot be told.
    pub simulated: Option<SimulatedCost>,
    /// What the first two iterations cost once their numbers are constants, and what each behind them; absent where nobody needed it.
    pub folded_cost: Option<[u32; 3]>,
    /// An unroller made this loop or decided on it for good.
    pub done: bool,
    /// Instructions of the whole function.
    pub function_size: u32,
    /// Whether iterations may run side by side around the loop inside.
    pub jam: Jam,
}

/// What a loop does to memory, as far as factors for sm_100 depend on it. Atomics are none of these.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// It loads, from other than shared and constant memory.
    pub loads: bool,
    /// Loads from shared and constant memory.
    pub fast_loads: u32,
    /// It stores.
    pub stores: bool,
}

/// Whether iterations of an outer loop may run side by side, their inner loops fused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Jam {
    /// Nobody asked.
    #[default]
    Unknown,
    /// They may not.
    No(JamObstacle),
    /// Groups of them may.
    Yes(NestFacts),
}

/// A nest of two loops whose outer iterations may run side by side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NestFacts {
    /// Size of one iteration of the inner loop.
    pub inner_size: u32,
    /// Iterations of the inner loop; 0 if that is no constant.
    pub inner_trip: u32,
    /// Loads of the inner loop whose address does not vary with the outer one: what jamming saves.
    pub shared_loads: u32,
    /// The inner loop's body is straight-line code.
    pub straight: bool,
    /// The largest group that may run side by side.
    pub most: u32,
    /// What forbids larger ones.
    pub conflict: Option<Conflict>,
}

/// Two accesses that may touch the same memory, in different iterations of the outer loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conflict {
    /// So many iterations apart, at least.
    pub distance: u32,
    /// Line of the one that comes first; 0 if unknown.
    pub first: u32,
    /// Line of the other; 0 if unknown.
    pub second: u32,
}

/// Why iterations of an outer loop may not run side by side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JamObstacle {
    /// The loop does not hold exactly one loop.
    NotANest,
    /// The loop inside holds further loops.
    Deeper,
    /// The loop inside is not reached and left exactly once, at one place.
    Irregular,
    /// The loop inside does not run equally often each time, or how often is not known.
    InnerTrip,
    /// An iteration starts from what the inner loop before it, or what follows that, has computed.
    Carried,
    /// Calls, atomics, barriers, volatile accesses.
    Effects,
    /// More accesses than are compared.
    ManyAccesses,
    /// Neighbouring iterations may touch the same memory in another order.
    Conflict(Conflict),
}

impl fmt::Display for JamObstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotANest => write!(f, "the loop does not hold exactly one loop"),
            Self::Deeper => write!(f, "the loop inside holds further loops; only the two innermost are jammed"),
            Self::Irregular => {
                write!(f, "the loop inside is not reached and left once in each iteration, at one place")
            }
            Self::InnerTrip => write!(f, "the loop inside is not known to run equally often in each iteration"),
            Self::Carried => write!(f, "an iteration starts from what the inner loop of the one before computed"),
            Self::Effects => write!(f, "calls, atomics, barriers or volatile accesses keep their order"),
            Self::ManyAccesses => write!(f, "the loops hold more memory accesses than are compared"),
            Self::Conflict(c) => write!(f, "{c}"),
        }
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.distance {
            1 => write!(f, "neighbouring iterations may touch the same memory")?,
            n => write!(f, "iterations that are {n} apart may touch the same memory")?,
        }
        match (self.first, self.second) {
            (0, _) | (_, 0) => Ok(()),
            (a, b) if a == b => write!(f, " (line {a})"),
            (a, b) => write!(f, " (lines {a} and {b})"),
        }
    }
}

/// What running all iterations costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SimulatedCost {
    /// Iterations simulated: all of the loop's.
    pub iterations: u32,
    /// Executed cost as a loop.
    pub rolled: u32,
    /// Cost of the straight-line code, with what folds to constants taken out.
    pub unrolled: u32,
}

impl Default for LoopFacts {
    /// An innermost outermost loop with one exit about which nothing else is known.
    fn default() -> Self {
        Self {
            trip_count: 0,
            counted_trip: 0,
            max_trip: 0,
            apparent_max_trip: 0,
            hidden_bound: false,
            counted_by_ids: false,
            trip_multiple: 1,
            size: FIXED_COST + 1,
            fixed: FIXED_COST,
            local_array: 0,
            array_period: 0,
            convergent: false,
            asks_active: false,
            calls: false,
            exits: 1,
            innermost: true,
            depth: 1,
            estimated_trip: None,
            runtime_trip: true,
            cheap_trip: true,
            dear_trip: false,
            memory: Memory { loads: true, ..Memory::default() },
            variable_step: false,
            instructions: 0,
            constant_start: true,
            settles_after: 0,
            flips: 0,
            duplicable: true,
            simulated: None,
            folded_cost: None,
            done: false,
            function_size: u32::MAX,
            jam: Jam::Unknown,
        }
    }
}

impl LoopFacts {
    /// A loop that runs `trip` times through a body of `size`.
    pub fn counted(trip: u32, size: u32) -> Self {
        Self {
            trip_count: trip,
            counted_trip: trip,
            max_trip: trip,
            trip_multiple: trip.max(1),
            size,
            ..Self::default()
        }
    }

    /// A loop through a body of `size` whose trip count is known only when it runs.
    pub fn runtime(size: u32) -> Self {
        Self { size, ..Self::default() }
    }

    /// The facts that people ask about, as names and values in a fixed order.
    pub fn in_words(&self) -> Vec<(&'static str, String)> {
        let trips = match (self.trip_count, self.counted_trip, self.max_trip) {
            (n @ 1.., ..) if self.exits < 2 => n.to_string(),
            (_, n @ 1.., _) => format!("{n} unless left early"),
            (0, 0, n @ 1..) => format!("unknown, at most {n}"),
            _ if self.runtime_trip => "known when it runs".to_owned(),
            _ => "unknown".to_owned(),
        };
        let mut words = vec![("trips", trips), ("size", self.size.to_string()), ("exits", self.exits.to_string())];
        if self.trip_multiple > 1 && self.trip_count == 0 {
            words.push(("multiple of", self.trip_multiple.to_string()));
        }
        if let Some(n) = self.estimated_trip {
            words.push(("expected", n.to_string()));
        }
        if self.local_array > 0 {
            words.push(("private array of", self.local_array.to_string()));
        }
        if self.depth > 1 {
            words.push(("depth", self.depth.to_string()));
        }
        for (holds, name) in
            [(self.convergent, "convergent"), (self.calls, "calls"), (!self.innermost, "has inner loops")]
        {
            if holds {
                words.push((name, "yes".to_owned()));
            }
        }
        words
    }

    /// What one more copy costs.
    pub fn marginal(&self) -> u32 {
        self.size.saturating_sub(self.fixed).max(1)
    }

    /// Estimated size with `count` copies.
    pub fn unrolled_size(&self, count: u32) -> u64 {
        u64::from(self.fixed) + u64::from(count) * u64::from(self.marginal())
    }

    /// The largest number of copies that `limit` has room for.
    pub fn copies_within(&self, limit: u32) -> u32 {
        limit.max(self.fixed.saturating_add(1)).saturating_sub(self.fixed) / self.marginal()
    }

    /// Elements of private arrays that `count` copies of the loop still address by variables.
    pub fn local_array_after(&self, count: u32) -> u32 {
        if self.array_period > 0 && count.is_multiple_of(self.array_period) { 0 } else { self.local_array }
    }

    /// The iterations left over when a known trip count is divided by `count`.
    pub fn breakout(&self, count: u32) -> u32 {
        if count == 0 { 0 } else { self.counted_trip % count }
    }
}
