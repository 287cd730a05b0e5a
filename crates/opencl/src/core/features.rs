//! What the compiler has beyond the core of OpenCL C.

pub use unspool::cl::{EXTENSIONS, FEATURES};

/// Extensions of the host interface alone.
pub const HOST_EXTENSIONS: &[&str] = &["cl_khr_suggested_local_work_size"];

/// The major version of an extension as it is reported; minor ones are 0.
pub fn extension_major(name: &str) -> u32 {
    if name == "cl_khr_integer_dot_product" { 2 } else { 1 }
}

/// Whether kernels read and write images, so that there are images at all.
pub fn images() -> bool {
    FEATURES.contains(&"__opencl_c_images")
}

/// Whether a kernel reads and writes the same image.
pub fn read_write_images() -> bool {
    FEATURES.contains(&"__opencl_c_read_write_images")
}
