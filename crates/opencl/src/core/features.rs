//! What the compiler has beyond the core of OpenCL C.

pub use unspool::cl::{EXTENSIONS, FEATURES};

/// Extensions of the host interface alone.
pub const HOST_EXTENSIONS: &[&str] = &["cl_khr_suggested_local_work_size"];

/// Work-items of a sub-group.
pub const SUB_GROUP_SIZE: u32 = 32;
