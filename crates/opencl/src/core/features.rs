//! What the compiler has beyond the core of OpenCL C.

pub use unspool::cl::{EXTENSIONS, FEATURES};

/// Work-items of a sub-group.
pub const SUB_GROUP_SIZE: u32 = 32;
