//! Kernels: section 5.9 of the specification.

mod arguments;
mod create;
mod info;

pub use arguments::*;
pub use create::*;
pub use info::*;

#[cfg(test)]
mod tests;
