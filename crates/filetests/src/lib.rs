//! What the tests of the whole compiler share.
//!
//! * [`program`] makes random programs that end, trap nowhere, and mean one thing.
//! * [`oracle`] runs a program in the reference interpreter and compares two runs.
//! * [`passes`] applies a pass of the optimiser by name, or the unroller with random legal decisions.
//! * [`differential`] puts these together: a pass must not change what a program computes.
//! * [`reduce`] makes a failing program small.
//! * [`cppgen`] makes random C++ whose meaning another compiler says.
//! * [`corpus`] reads the source programs under `run/`, each with what it computes.
//! * [`sourcegen`] makes random source programs, and takes them through the whole compiler.
//! * [`runner`] runs the test files under `filetests/`.

pub mod corpus;
pub mod cppgen;
pub mod differential;
pub mod gpu;
pub mod mutate;
pub mod oracle;
pub mod passes;
pub mod program;
pub mod reduce;
mod rng;
pub mod runner;
pub mod sourcegen;

pub use rng::Rng;
