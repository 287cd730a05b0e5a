//! Fuzzing of the layers that read what users write.
//!
//! [`layers`] has one entry per layer, shared by the `cargo fuzz` targets under `fuzz/` and by the fixed-budget run in
//! `tests/`, which drives them with [`Mutator`], a small deterministic mutation engine over the seed corpus. No entry
//! may panic, hang or grow without bound, whatever the bytes.

pub mod layers;
mod mutate;

pub use mutate::{Mutator, Rng};
