//! Kernels: section 5.9 of the specification.

mod arguments;
mod create;
mod info;
mod work_group;

pub use arguments::*;
pub use create::*;
pub use info::*;
pub use work_group::*;

#[cfg(test)]
mod tests;
