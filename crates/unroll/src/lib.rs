//! The loop unroller: facts → request → decide → transform → remarks.
//!
//! * [`facts`]: what is known about a loop, as plain data.
//! * [`request`]: what was asked.
//! * [`params`], [`config`]: every knob, the profiles, and the pipeline's configurations.
//! * [`decide`]: a pure cascade of priorities that says what becomes of a loop, with the whole reasoning.
//! * [`measure`], [`cost`], [`library`], [`simulate`], `trips`: facts read out of the IR.
//! * [`lcssa`], [`rotate`], [`transform`], with [`analysis::loop_simplify`] and [`analysis::straight_line`]: what
//!   changes code.
//! * [`driver`]: the pass, run twice in the pipeline.
//! * [`remarks`]: the reasoning in words: `-Rpass` remarks, trails of the hint ledger, fixes.

mod assembly;
mod config;
pub mod cost;
mod decide;
pub mod decision;
pub mod driver;
mod expansion;
pub mod facts;
mod flips;
mod lanes;
pub mod lcssa;
pub mod library;
pub mod measure;
mod nest;
mod nested_conditions;
pub mod params;
mod plain;
mod private;
mod reassociated;
pub mod remarks;
pub mod request;
pub mod rotate;
pub mod simulate;
mod ssa;
mod strides;
mod sums;
mod transform;
mod trips;
mod widened;

pub use config::{Config, Invocation};
pub use decide::{decide, decide_jam};
pub use decision::{Decision, Finding, Kind, Leftover, Priority, Remainder, Step, Trail};
pub use driver::{Chaos, RemarkFilter, UnrollContext, run, run_jam, run_with};
pub use facts::{Conflict, FIXED_COST, Jam, JamObstacle, LoopFacts, Memory, NestFacts, SimulatedCost};
pub use params::{CheapThresholds, KNOBS, Knob, KnobError, KnobKind, Knobs, Profile, SizeLevel, UnrollParams};
pub use reassociated::note as note_trees;
pub use request::Request;
