//! What the compiler has beyond the core of OpenCL C.

/// Extensions, each of which is also a macro in programs.
pub const EXTENSIONS: &[&str] = &[
    "cl_khr_byte_addressable_store",
    "cl_khr_fp64",
    "cl_khr_global_int32_base_atomics",
    "cl_khr_global_int32_extended_atomics",
    "cl_khr_int64_base_atomics",
    "cl_khr_int64_extended_atomics",
    "cl_khr_local_int32_base_atomics",
    "cl_khr_local_int32_extended_atomics",
    "cl_nv_pragma_unroll",
];

/// Optional features of OpenCL C 3.0, each of which is also a macro in programs.
pub const FEATURES: &[&str] = &["__opencl_c_fp64", "__opencl_c_int64"];

/// Work-items of a sub-group.
pub const SUB_GROUP_SIZE: u32 = 32;
