//! Launches of kernels in the reference interpreter, and what they do wrong in words: for the command (`run --check`) and
//! for programs that run on the OpenCL platform (`UNSPOOL_CHECK`).
//!
//! A [`Checker`] is given the objects that arguments point to and the arguments, runs the launch and has the objects'
//! contents afterwards. [`explain`] makes a diagnostic of what was found.
//!
//! Found are accesses outside of buffers and variables, misaligned ones, writes to what may only be read, uninitialised
//! values that decide something or are read from memory, races between the work-items of a group and between groups,
//! barriers and warp operations that not everybody reaches, division by zero, calls that nest too deep. In code that was
//! compiled for it (`unspool::Options::checks`) also what barriers' fence flags leave unordered, asynchronous copies that
//! nobody has waited for, and indices that leave an array inside of a larger object.

mod checker;
mod explain;

pub use checker::{Checker, Code, Contents, Problem, Surveyed, param_name};
pub use explain::{Caller, explain, explain_finding};
pub use interp::{Finding, Trap, TrapKind};
