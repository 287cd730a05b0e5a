//! The knobs: every parameter of the unroller by name, with its defaults and where they come from.
//!
//! A [`UnrollParams`] is what the decision engine reads. [`Knobs`] is what the user wrote: assignments such as
//! `-unroll-threshold=50`, for all functions or, with `@name`, for one. [`Knobs::params_for`] turns one into the
//! other: profile, optimisation level, size attributes, pipeline invocation, then the assignments.

use crate::config::{Config, Invocation};
use crate::facts::Memory;
use std::fmt;

/// Whose heuristics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Profile {
    /// NVIDIA's, as documented and as measured on nvcc 13.
    #[default]
    Cicc,
    /// NVIDIA's for sm_100 and later, as measured on nvcc 13.
    Cicc23,
    /// Upstream LLVM's with the NVPTX target's preferences.
    Llvm,
}

/// Optimise for speed or size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SizeLevel {
    /// Speed.
    #[default]
    Speed,
    /// `optsize`
    Optsize,
    /// `minsize`
    Minsize,
}

/// Everything that tunes the decision engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnrollParams {
    /// Whose heuristics.
    pub profile: Profile,
    /// Full unrolling must stay below this.
    pub threshold: u32,
    /// Partial and runtime unrolling must not exceed this.
    pub partial_threshold: u32,
    /// Largest factor, in percent, by which simulated savings may stretch `threshold`.
    pub max_percent_threshold_boost: u32,
    /// Loops with more iterations are not simulated.
    pub max_iteration_count_to_analyze: u32,
    /// A factor forced on every loop.
    pub count: Option<u32>,
    /// Cap on automatic factors.
    pub max_count: u32,
    /// Cap on the trip count of automatic full unrolling.
    pub full_max_count: u32,
    /// Iterations to peel off every loop.
    pub peel_count: Option<u32>,
    /// Static partial unrolling without a hint.
    pub allow_partial: bool,
    /// Remainder loops and breakouts.
    pub allow_remainder: bool,
    /// Runtime unrolling without a hint.
    pub runtime: bool,
    /// Full unrolling by an upper bound without a hint.
    pub allow_upper_bound: bool,
    /// Largest bound of it.
    pub max_upperbound: u32,
    /// Full unrolling by an upper bound without a hint, of loops over a private array of at least so many elements.
    pub full_over_arrays: bool,
    /// Peeling.
    pub allow_peeling: bool,
    /// Peeling as many iterations as a loop is expected to run.
    pub peel_by_profile: bool,
    /// Most iterations peeled.
    pub max_peel_count: u32,
    /// Unrolling by a hint must stay below this.
    pub pragma_threshold: u32,
    /// Loops expected to run fewer iterations are not runtime-unrolled.
    pub flat_loop_tripcount_threshold: u32,
    /// Larger bodies are not runtime-unrolled.
    pub runtime_threshold: u32,
    /// Largest bound for full unrolling by a bare hint.
    pub max_pragma_upperbound: u32,
    /// Stands for an array dimension that is not known.
    pub assumed_size: u32,
    /// Cap on the threshold multiplier of private arrays; 1 switches it off.
    pub max_local_multiplier: u32,
    /// The multiplier for all arrays of two elements and more; 0 leaves it to the number of elements.
    pub array_multiplier: u32,
    /// Factors are powers of two unless a hint says otherwise.
    pub power_of_two: bool,
    /// Factor where no trip count guides the choice.
    pub default_count: u32,
    /// Factor that runtime unrolling starts from where the trip count is cheap to compute; 0 for `default_count`.
    pub cheap_count: u32,
    /// So many times the size of an iteration must not exceed these then.
    pub cheap_thresholds: CheapThresholds,
    /// Bodies of more [instructions](crate::LoopFacts::instructions) are not runtime-unrolled where the step is a variable.
    pub strided_threshold: u32,
    /// Outermost loops whose bound shows fewer iterations are not runtime-unrolled without a hint.
    pub few_iterations: u32,
    /// Runtime unrolling of loops with convergent operations.
    pub runtime_convergent: bool,
    /// Full unrolling of loops with convergent operations, without a hint.
    pub full_convergent: bool,
    /// Where left-over iterations run: `None` lets the loop decide.
    pub runtime_epilog: Option<bool>,
    /// Epilogues for loops that count from a constant.
    pub force_epilogue: bool,
    /// Left-over iterations as straight-line code.
    pub unroll_remainder: bool,
    /// Left-over iterations as straight-line blocks of a power of two of iterations each.
    pub binary_remainder: bool,
    /// In a nest, left-over iterations become straight-line code while the unrolled size stays below this.
    pub nest_remainder_threshold: u32,
    /// Functions smaller than this get more; 0 switches it off.
    pub small_function_threshold: u32,
    /// Unroll-and-jam on request.
    pub allow_unroll_and_jam: bool,
    /// Unroll-and-jam without a hint, where it gains something.
    pub auto_jam: bool,
    /// A factor of unroll-and-jam forced on every nest.
    pub jam_count: Option<u32>,
    /// Unroll-and-jam without a factor must keep the inner body below this.
    pub jam_threshold: u32,
    /// Hints are ignored (fast-code mode).
    pub skip_pragmas: bool,
    /// The whole pass is off.
    pub disabled: bool,
    /// The late invocation is off.
    pub late_disabled: bool,
}

/// How large loops may become whose trip count is cheap to compute, by what they do to memory: copies are worth more where
/// there is more to wait for. What does nothing to memory gets the usual factor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CheapThresholds {
    /// Of loops that load.
    pub loads: u64,
    /// Of loops that load from shared and constant memory: what they may have without such loads and more for each of them,
    /// in twentieths. Eight copies and more, where nothing else is loaded.
    pub many: (u64, u64),
    /// The same for four copies and fewer.
    pub few: (u64, u64),
    /// Of loops that only store.
    pub stores: u64,
}

impl CheapThresholds {
    /// The largest size of so many copies, as measured.
    pub fn limit(&self, count: u32, memory: Memory) -> u64 {
        let loads = u64::from(memory.fast_loads);
        let fast = |(none, each): (u64, u64)| (none + each * loads) / 20;
        match (memory.loads, loads) {
            (true, _) if count < 8 => self.loads.max(fast(self.few)),
            (true, _) => self.loads,
            (false, 0) if memory.stores => self.stores,
            (false, 0) => 0,
            (false, _) => fast(if count < 8 { self.few } else { self.many }),
        }
    }
}

/// Full-unroll threshold at -O2 and above.
pub const THRESHOLD_O2: u32 = 405;
/// Full-unroll threshold at -O1 and for code optimised for size.
pub const THRESHOLD_SMALL: u32 = 150;
/// Partial threshold, as measured.
pub const PARTIAL_THRESHOLD: u32 = 202;

impl UnrollParams {
    /// The defaults of a profile at an optimisation level.
    pub fn new(profile: Profile, opt_level: u8, size: SizeLevel) -> Self {
        let mut p = match profile {
            Profile::Cicc => Self::cicc(),
            Profile::Cicc23 => Self::cicc23(),
            Profile::Llvm => Self::llvm(opt_level),
        };
        if profile != Profile::Llvm && (opt_level < 2 || size != SizeLevel::Speed) {
            p.threshold = THRESHOLD_SMALL;
        }
        if profile == Profile::Llvm && size != SizeLevel::Speed {
            (p.threshold, p.partial_threshold) = (0, 0);
        }
        p
    }

    fn cicc() -> Self {
        Self {
            profile: Profile::Cicc,
            threshold: THRESHOLD_O2,
            partial_threshold: PARTIAL_THRESHOLD,
            max_percent_threshold_boost: 400,
            max_iteration_count_to_analyze: 10,
            count: None,
            max_count: u32::MAX,
            full_max_count: u32::MAX,
            peel_count: None,
            allow_partial: true,
            allow_remainder: true,
            runtime: true,
            allow_upper_bound: false,
            max_upperbound: 8,
            full_over_arrays: true,
            allow_peeling: true,
            peel_by_profile: true,
            max_peel_count: 7,
            pragma_threshold: 32768,
            flat_loop_tripcount_threshold: 5,
            runtime_threshold: 95,
            max_pragma_upperbound: 64,
            assumed_size: 4,
            max_local_multiplier: 6,
            array_multiplier: 0,
            power_of_two: true,
            default_count: 4,
            cheap_count: 0,
            cheap_thresholds: CheapThresholds::default(),
            strided_threshold: u32::MAX,
            few_iterations: 21,
            runtime_convergent: true,
            full_convergent: true,
            runtime_epilog: None,
            force_epilogue: true,
            unroll_remainder: false,
            binary_remainder: false,
            nest_remainder_threshold: 3 * PARTIAL_THRESHOLD,
            small_function_threshold: 0,
            allow_unroll_and_jam: true,
            auto_jam: false,
            jam_count: None,
            jam_threshold: 60,
            skip_pragmas: false,
            disabled: false,
            late_disabled: false,
        }
    }

    fn cicc23() -> Self {
        Self {
            profile: Profile::Cicc23,
            cheap_count: 16,
            cheap_thresholds: CheapThresholds { loads: 218, many: (1970, 523), few: (1906, 522), stores: 100 },
            strided_threshold: 34,
            array_multiplier: 8,
            allow_peeling: false,
            ..Self::cicc()
        }
    }

    fn llvm(opt_level: u8) -> Self {
        Self {
            profile: Profile::Llvm,
            threshold: if opt_level > 2 { 300 } else { 150 },
            partial_threshold: if opt_level > 2 { 75 } else { 37 },
            pragma_threshold: 16384,
            runtime_threshold: u32::MAX,
            max_pragma_upperbound: 8,
            max_local_multiplier: 1,
            full_over_arrays: false,
            power_of_two: false,
            default_count: 8,
            few_iterations: 8,
            runtime_convergent: false,
            force_epilogue: true,
            nest_remainder_threshold: 0,
            allow_upper_bound: false,
            ..Self::cicc()
        }
    }
}

impl Default for UnrollParams {
    fn default() -> Self {
        Self::new(Profile::Cicc, 3, SizeLevel::Speed)
    }
}

/// What sort of value a knob takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnobKind {
    /// A number from 0 to 2³²−1.
    Number,
    /// `true`, `false`, `1`, `0`; nothing means true.
    Bool,
}

/// A parameter as the user names it.
pub struct Knob {
    /// Name without the dash.
    pub name: &'static str,
    /// Its values.
    pub kind: KnobKind,
    /// Default in the `cicc` profile.
    pub default: &'static str,
    /// Default in the `llvm` profile.
    pub llvm_default: &'static str,
    /// Where the default comes from.
    pub source: &'static str,
    /// What it does.
    pub doc: &'static str,
    set: fn(&mut UnrollParams, u32),
}

impl fmt::Debug for Knob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Knob").field("name", &self.name).field("kind", &self.kind).finish_non_exhaustive()
    }
}

macro_rules! knobs {
    ($($name:literal $kind:ident $default:literal $llvm:literal $source:literal $doc:literal $set:expr;)*) => {
        /// Every knob, sorted by name.
        pub static KNOBS: &[Knob] = &[$(Knob {
            name: $name, kind: KnobKind::$kind, default: $default, llvm_default: $llvm, source: $source, doc: $doc,
            set: $set,
        }),*];
    };
}

knobs! {
    "allow-unroll-and-jam" Bool "true" "true" "LLVM" "Unroll-and-jam on request."
        |p, v| p.allow_unroll_and_jam = v != 0;
    "disable-LoopUnrollPass" Bool "false" "false" "documented; measured: switches nothing off before the late invocation" "Switches the late invocation off."
        |p, v| p.late_disabled |= v != 0;
    "disable-loop-unrolling" Bool "false" "false" "LLVM; measured: switches nothing off before the late invocation" "Switches the late invocation off."
        |p, v| p.late_disabled |= v != 0;
    "enable-unroll-and-jam" Bool "false" "false" "LLVM" "Unroll-and-jam without a hint, where inner loops share loads."
        |p, v| p.auto_jam = v != 0;
    "flat-loop-tripcount-threshold" Number "5" "5" "documented" "Loops expected to run fewer iterations are not runtime-unrolled."
        |p, v| p.flat_loop_tripcount_threshold = v;
    "max-pragma-upperbound-unroll" Number "64" "8" "documented, measured" "Largest trip-count bound up to which a bare hint unrolls fully with side exits."
        |p, v| p.max_pragma_upperbound = v;
    "nv-disable-loop-unrolling" Bool "false" "false" "documented" "Switches the late invocation off."
        |p, v| p.late_disabled |= v != 0;
    "pragma-unroll-threshold" Number "32768" "16384" "documented, measured" "Unrolling by a hint must stay below this size."
        |p, v| p.pragma_threshold = v;
    "runtime-unroll-threshold" Number "95" "unlimited" "documented, measured" "Larger bodies are not runtime-unrolled without a hint."
        |p, v| p.runtime_threshold = v;
    "unroll-allow-partial" Bool "true" "true" "target; measured" "Static partial unrolling without a hint."
        |p, v| p.allow_partial = v != 0;
    "unroll-allow-peeling" Bool "true" "true" "LLVM" "Peeling."
        |p, v| p.allow_peeling = v != 0;
    "unroll-allow-remainder" Bool "true" "true" "documented, measured" "Remainder loops and mid-loop breakouts."
        |p, v| p.allow_remainder = v != 0;
    "unroll-allow-upper-bound" Bool "false" "false" "LLVM" "Full unrolling by an upper bound without a hint."
        |p, v| p.allow_upper_bound = v != 0;
    "unroll-and-jam-count" Number "unset" "unset" "LLVM" "Forces a factor of unroll-and-jam on every nest that allows it."
        |p, v| p.jam_count = Some(v.max(1));
    "unroll-and-jam-threshold" Number "60" "60" "LLVM" "Unroll-and-jam keeps the inner body below this size."
        |p, v| p.jam_threshold = v;
    "unroll-assumed-size" Number "4" "4" "documented" "Stands for an array dimension that is not known."
        |p, v| p.assumed_size = v;
    "unroll-count" Number "unset" "unset" "documented, measured" "Forces a factor on every loop."
        |p, v| p.count = Some(v);
    "unroll-full-convergent" Bool "true" "true" "here" "Full unrolling of loops with convergent operations without a hint; off for the host, which splits kernels at barriers."
        |p, v| p.full_convergent = v != 0;
    "unroll-full-max-count" Number "unlimited" "unlimited" "documented, measured" "Largest trip count of automatic full unrolling."
        |p, v| p.full_max_count = v;
    "unroll-max-count" Number "unlimited" "unlimited" "documented, measured" "Largest automatic factor."
        |p, v| p.max_count = v;
    "unroll-max-iteration-count-to-analyze" Number "10" "10" "documented, measured" "Loops with more iterations are not simulated."
        |p, v| p.max_iteration_count_to_analyze = v;
    "unroll-max-percent-threshold-boost" Number "400" "400" "documented, measured" "Most percent of the threshold that simulated savings may earn."
        |p, v| p.max_percent_threshold_boost = v;
    "unroll-max-upperbound" Number "8" "8" "documented" "Largest bound of full unrolling by an upper bound."
        |p, v| p.max_upperbound = v;
    "unroll-optsize-threshold" Number "150" "0" "LLVM; measured: no effect at -O2 and above" "Accepted; use `unroll-threshold`."
        |_, _| ();
    "unroll-partial-threshold" Number "202" "75" "measured" "Partial and runtime unrolling must not exceed this size."
        |p, v| p.partial_threshold = v;
    "unroll-peel-count" Number "unset" "unset" "documented, measured" "Forces so many peeled iterations."
        |p, v| p.peel_count = Some(v);
    "unroll-remainder" Bool "false" "false" "LLVM, measured" "Left-over iterations become straight-line code."
        |p, v| p.unroll_remainder = v != 0;
    "unroll-remainder-binary" Bool "false" "false" "here" "Left-over iterations become straight-line blocks of 4, 2 and 1 iterations."
        |p, v| p.binary_remainder = v != 0;
    "unroll-revisit-child-loops" Bool "false" "false" "LLVM" "Accepted; inner loops are always visited first."
        |_, _| ();
    "unroll-runtime" Bool "true" "true" "documented, measured" "Runtime unrolling without a hint."
        |p, v| p.runtime = v != 0;
    "unroll-runtime-convergent" Bool "true" "false" "documented" "Runtime unrolling of loops with convergent operations."
        |p, v| p.runtime_convergent = v != 0;
    "unroll-runtime-epilog" Bool "unset" "unset" "documented; measured: `false` forces a prologue" "Left-over iterations after (true) or before (false) the unrolled loop."
        |p, v| p.runtime_epilog = Some(v != 0);
    "unroll-skip-pragmas" Bool "false" "false" "documented" "Hints are ignored, as in fast-code mode."
        |p, v| p.skip_pragmas = v != 0;
    "unroll-small-function-threshold" Number "0" "0" "here" "Functions smaller than this are runtime-unrolled whatever the body's size; 0 switches it off."
        |p, v| p.small_function_threshold = v;
    "unroll-threshold" Number "405" "300" "documented, measured" "Full unrolling must stay below this size (multiplied for private arrays)."
        |p, v| p.threshold = v;
    "unroll-threshold-aggressive" Number "405" "300" "LLVM; measured: no effect" "Accepted; use `unroll-threshold`."
        |_, _| ();
    "unroll-threshold-default" Number "405" "150" "LLVM; measured: no effect" "Accepted; use `unroll-threshold`."
        |_, _| ();
    "waterfall-unrolling-force-epilogue" Bool "true" "true" "documented" "Epilogues for loops that count from a constant."
        |p, v| p.force_epilogue = v != 0;
}

/// The knob `name`.
pub fn knob(name: &str) -> Option<&'static Knob> {
    KNOBS.iter().find(|k| k.name == name)
}

/// Why an assignment was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KnobError {
    /// There is no such knob.
    Unknown {
        /// What was written.
        name: String,
        /// The knob with the nearest name, if one is near.
        nearest: Option<&'static str>,
    },
    /// The knob has no such value.
    BadValue {
        /// The knob.
        name: &'static str,
        /// What was written.
        value: String,
        /// What it takes.
        kind: KnobKind,
    },
    /// The knob needs a value.
    NoValue {
        /// The knob.
        name: &'static str,
    },
}

impl fmt::Display for KnobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name, nearest: Some(near) } => {
                write!(f, "unknown unroller knob `{name}`; did you mean `{near}`?")
            }
            Self::Unknown { name, nearest: None } => write!(f, "unknown unroller knob `{name}`"),
            Self::BadValue { name, value, kind: KnobKind::Number } => {
                write!(f, "`{name}` takes a number from 0 to 4294967295, not `{value}`")
            }
            Self::BadValue { name, value, kind: KnobKind::Bool } => {
                write!(f, "`{name}` takes `true` or `false`, not `{value}`")
            }
            Self::NoValue { name } => write!(f, "`{name}` needs a value: `-{name}=N`"),
        }
    }
}

impl std::error::Error for KnobError {}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Assignment {
    knob: usize,
    value: u32,
    function: Option<String>,
}

/// What the user set.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Knobs {
    /// Whose heuristics; `None` leaves it to the target.
    pub profile: Option<Profile>,
    /// Optimisation level, 0 to 3; `None` is 3.
    pub opt_level: Option<u8>,
    /// Hints are ignored (fast-code mode).
    pub skip_pragmas: bool,
    /// Replaces the early invocation's configuration.
    pub early: Option<Config>,
    /// Replaces the late invocation's configuration.
    pub late: Option<Config>,
    assignments: Vec<Assignment>,
}

impl Knobs {
    /// Whether `text` looks like an assignment to a knob of the unroller, existing or misspelt.
    pub fn looks_like_knob(text: &str) -> bool {
        let name = text.trim_start_matches('-').split(['=', '@']).next().unwrap_or("");
        name == "unroll-profile" || knob(name).is_some() || name.contains("unroll") || nearest(name).is_some()
    }

    /// Takes one assignment: `-name=value`, `--name=value`, `name` for a Boolean, `-name@function=value`.
    ///
    /// # Errors
    /// If there is no such knob or no such value.
    pub fn assign(&mut self, text: &str) -> Result<(), KnobError> {
        let body = text.trim().trim_start_matches('-');
        let (left, value) = match body.split_once('=') {
            Some((l, v)) => (l, Some(v.trim())),
            None => (body, None),
        };
        let (name, function) = match left.split_once('@') {
            Some((n, f)) => (n.trim(), Some(f.trim())),
            None => (left.trim(), None),
        };
        self.set(name, value, function)
    }

    /// Sets knob `name`, for one function or for all.
    ///
    /// # Errors
    /// If there is no such knob or no such value.
    pub fn set(&mut self, name: &str, value: Option<&str>, function: Option<&str>) -> Result<(), KnobError> {
        if name == "unroll-profile" {
            self.profile = match value {
                Some("cicc") => Some(Profile::Cicc),
                Some("cicc23") => Some(Profile::Cicc23),
                Some("llvm") => Some(Profile::Llvm),
                _ => {
                    let value = value.unwrap_or("").into();
                    return Err(KnobError::BadValue { name: "unroll-profile", value, kind: KnobKind::Bool });
                }
            };
            return Ok(());
        }
        let Some(index) = KNOBS.iter().position(|k| k.name == name) else {
            return Err(KnobError::Unknown { name: name.into(), nearest: nearest(name) });
        };
        let value = parse_value(&KNOBS[index], value)?;
        self.assignments.push(Assignment { knob: index, value, function: function.map(Into::into) });
        Ok(())
    }

    /// Sets knob `name` for all functions, below what the user has set or will set: a default of the target.
    ///
    /// # Errors
    /// If there is no such knob or no such value.
    pub fn set_default(&mut self, name: &str, value: &str) -> Result<(), KnobError> {
        self.set(name, Some(value), None)?;
        self.assignments.rotate_right(1);
        Ok(())
    }

    /// Sets a knob of an attribute in the source, where names stand without `unroll-` and with underscores:
    /// `threshold`, `max_count`.
    ///
    /// # Errors
    /// If there is no such knob.
    pub fn apply_attribute(params: &mut UnrollParams, name: &str, value: i64) -> Result<(), KnobError> {
        let dashed = name.replace('_', "-");
        let long = format!("unroll-{dashed}");
        let found = knob(&dashed).or_else(|| knob(&long));
        let Some(k) = found else {
            return Err(KnobError::Unknown { name: name.into(), nearest: nearest(&long) });
        };
        let Ok(v) = u32::try_from(value) else {
            return Err(KnobError::BadValue { name: k.name, value: value.to_string(), kind: k.kind });
        };
        (k.set)(params, v);
        Ok(())
    }

    /// The parameters for one function in one invocation. `names` are the names by which overrides may call it.
    pub fn params_for(&self, names: &[&str], size: SizeLevel, invocation: Invocation) -> UnrollParams {
        let level = self.opt_level.unwrap_or(3);
        let mut params = UnrollParams::new(self.profile.unwrap_or_default(), level, size);
        params.skip_pragmas = self.skip_pragmas;
        // Assignments speak of what the pass may do at all; the invocation's configuration then takes features away.
        for global in [true, false] {
            for a in self.assignments.iter().filter(|a| a.function.is_none() == global) {
                if a.function.as_deref().is_none_or(|f| names.contains(&f)) {
                    (KNOBS[a.knob].set)(&mut params, a.value);
                }
            }
        }
        let config = match invocation {
            Invocation::Early => self.early.unwrap_or(Config::C),
            Invocation::Late => self.late.unwrap_or(Config::D),
        };
        config.apply(&mut params);
        if invocation == Invocation::Late && params.late_disabled {
            params.disabled = true;
        }
        params
    }
}

fn parse_value(knob: &Knob, value: Option<&str>) -> Result<u32, KnobError> {
    let bad = |v: &str| KnobError::BadValue { name: knob.name, value: v.into(), kind: knob.kind };
    match (knob.kind, value) {
        (KnobKind::Bool, None | Some("true" | "TRUE" | "True" | "1" | "on" | "yes")) => Ok(1),
        (KnobKind::Bool, Some("false" | "FALSE" | "False" | "0" | "off" | "no")) => Ok(0),
        (KnobKind::Number, None | Some("")) => Err(KnobError::NoValue { name: knob.name }),
        (KnobKind::Number, Some(v)) => match v.strip_prefix("0x").or_else(|| v.strip_prefix("0X")) {
            Some(hex) => u32::from_str_radix(hex, 16).map_err(|_| bad(v)),
            None => v.parse().map_err(|_| bad(v)),
        },
        (KnobKind::Bool, Some(v)) => Err(bad(v)),
    }
}

/// The knob whose name is nearest to `name`.
pub fn nearest(name: &str) -> Option<&'static str> {
    source::words::nearest(name, KNOBS.iter().map(|k| k.name).chain(["unroll-profile"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(assignments: &[&str]) -> UnrollParams {
        let mut k = Knobs::default();
        for a in assignments {
            k.assign(a).unwrap();
        }
        k.params_for(&["kernel"], SizeLevel::Speed, Invocation::Early)
    }

    #[test]
    fn knobs_are_sorted_and_named_once() {
        for w in KNOBS.windows(2) {
            assert!(w[0].name < w[1].name, "{} before {}", w[0].name, w[1].name);
        }
    }

    #[test]
    fn every_documented_knob_exists() {
        for name in [
            "unroll-threshold",
            "unroll-partial-threshold",
            "unroll-max-percent-threshold-boost",
            "unroll-max-iteration-count-to-analyze",
            "unroll-count",
            "unroll-max-count",
            "unroll-full-max-count",
            "unroll-peel-count",
            "unroll-allow-partial",
            "unroll-allow-remainder",
            "unroll-runtime",
            "unroll-max-upperbound",
            "pragma-unroll-threshold",
            "flat-loop-tripcount-threshold",
            "runtime-unroll-threshold",
            "max-pragma-upperbound-unroll",
            "unroll-assumed-size",
            "unroll-runtime-convergent",
            "unroll-runtime-epilog",
            "waterfall-unrolling-force-epilogue",
        ] {
            assert!(knob(name).is_some(), "{name}");
        }
    }

    #[test]
    fn spellings() {
        assert_eq!(params(&["-unroll-threshold=50"]).threshold, 50);
        assert_eq!(params(&["--unroll-threshold=0x40"]).threshold, 64);
        assert!(!params(&["unroll-runtime=false"]).runtime);
        assert!(params(&["-unroll-remainder"]).unroll_remainder);
        assert_eq!(params(&["-unroll-threshold=50", "-unroll-threshold=60"]).threshold, 60);
    }

    #[test]
    fn overrides_of_one_function_win_over_those_of_all() {
        let p = params(&["-unroll-threshold@kernel=50", "-unroll-threshold=60", "-unroll-threshold@other=70"]);
        assert_eq!(p.threshold, 50);
    }

    #[test]
    fn refused() {
        let mut k = Knobs::default();
        let unknown = k.assign("-unroll-treshold=50").unwrap_err();
        assert_eq!(unknown, KnobError::Unknown { name: "unroll-treshold".into(), nearest: Some("unroll-threshold") });
        assert!(unknown.to_string().contains("did you mean `unroll-threshold`"));
        assert!(matches!(k.assign("-zzz=1"), Err(KnobError::Unknown { nearest: None, .. })));
        assert!(matches!(k.assign("-unroll-threshold=-1"), Err(KnobError::BadValue { .. })));
        assert!(matches!(k.assign("-unroll-threshold=4294967296"), Err(KnobError::BadValue { .. })));
        assert!(matches!(k.assign("-unroll-threshold"), Err(KnobError::NoValue { .. })));
        assert!(matches!(k.assign("-unroll-runtime=maybe"), Err(KnobError::BadValue { .. })));
        assert!(matches!(k.assign(""), Err(KnobError::Unknown { .. })));
        assert!(matches!(k.assign("-unroll-profile=gcc"), Err(KnobError::BadValue { .. })));
    }

    #[test]
    fn levels_and_profiles() {
        let at = |profile, level, size| UnrollParams::new(profile, level, size);
        assert_eq!(at(Profile::Cicc, 3, SizeLevel::Speed).threshold, 405);
        assert_eq!(at(Profile::Cicc, 2, SizeLevel::Speed).threshold, 405);
        assert_eq!(at(Profile::Cicc, 1, SizeLevel::Speed).threshold, 150);
        assert_eq!(at(Profile::Cicc, 3, SizeLevel::Minsize).threshold, 150);
        assert_eq!(at(Profile::Cicc, 3, SizeLevel::Optsize).threshold, 150);
        let llvm = at(Profile::Llvm, 3, SizeLevel::Speed);
        assert_eq!((llvm.threshold, llvm.partial_threshold, llvm.pragma_threshold), (300, 75, 16384));
        assert!(!llvm.power_of_two && llvm.max_local_multiplier == 1);
    }

    #[test]
    fn attributes_in_the_source() {
        let mut p = UnrollParams::default();
        Knobs::apply_attribute(&mut p, "threshold", 50).unwrap();
        Knobs::apply_attribute(&mut p, "max_count", 2).unwrap();
        Knobs::apply_attribute(&mut p, "pragma_unroll_threshold", 9).unwrap();
        assert_eq!((p.threshold, p.max_count, p.pragma_threshold), (50, 2, 9));
        assert!(Knobs::apply_attribute(&mut p, "thresold", 1).is_err());
        assert!(Knobs::apply_attribute(&mut p, "threshold", -1).is_err());
    }
}
