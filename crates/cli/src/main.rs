//! The `unspool` command.
fn main() {}
