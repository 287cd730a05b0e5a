//! Types, names and meaning: from the syntax tree to the typed program.

mod check;
pub mod display;
pub mod dump;
pub mod mangle;
pub mod num;
pub mod options;
pub mod program;
pub mod types;

pub use check::check;
pub use options::{Mode, SemaOptions};
