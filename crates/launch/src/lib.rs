//! What compilers and runtimes agree on about launches.
//!
//! * What is asked for: a [`Shape`] or an [`NdRange`] of work-items, and the local size that is [chosen](choose_local)
//!   where nobody gives one.
//! * What kernels take: [`kernels`] describes their parameters as the source has them, [`image`] the memory behind image
//!   and sampler arguments, [`buffer`] holds what pointers point to.
//! * What is known of a kernel that was [made ready](Prepared), and for which [local sizes](CodeSize) it was.
//! * What outlives kernels: the [`variables`] of a program.
//! * How a group is run: [`context`] is the interface between the function of a work-group and its caller.
//!
//! Nothing here compiles or runs anything. A layout or a number that two crates must know is written down here, once.

pub mod buffer;
mod code_size;
pub mod context;
pub mod image;
pub mod kernels;
mod local_size;
mod prepared;
mod range;
mod shape;
pub mod variables;

pub use code_size::{CodeSize, ROOM, ScratchSize, room_for};
pub use local_size::{LocalSizeConstraints, choose_local};
pub use prepared::Prepared;
pub use range::{Launch, NdRange, Part};
pub use shape::{Extent, Shape, ShapeError};
