//! Types, names and meaning: from the syntax tree to the typed program.

pub mod builtins;
pub mod library;
pub mod mangle;
pub mod num;
pub mod program;
pub mod types;
