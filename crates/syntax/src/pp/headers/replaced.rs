//! The headers of a CUDA toolkit that are not read.

/// Headers for which ours stand even where the include path has those of a CUDA toolkit, which speak to NVIDIA's compiler
/// only: they make the language's own words macros for its attributes, and declare its built-in functions. Sorted.
const REPLACED: &[&str] = &[
    "builtin_types.h",
    "channel_descriptor.h",
    "common_functions.h",
    "cooperative_groups.h",
    "cooperative_groups/memcpy_async.h",
    "cooperative_groups/reduce.h",
    "cooperative_groups/scan.h",
    "crt/device_functions.h",
    "crt/host_defines.h",
    "crt/math_functions.h",
    "crt/mma.h",
    "crt/sm_90_rt.h",
    "cuda_bf16.h",
    "cuda_bf16.hpp",
    "cuda_device_runtime_api.h",
    "cuda_fp16.h",
    "cuda_fp16.hpp",
    "cuda_fp4.h",
    "cuda_fp6.h",
    "cuda_fp8.h",
    "cuda_fp8.hpp",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "device_atomic_functions.h",
    "device_double_functions.h",
    "device_functions.h",
    "device_launch_parameters.h",
    "device_types.h",
    "driver_functions.h",
    "driver_types.h",
    "host_config.h",
    "host_defines.h",
    "library_types.h",
    "math_functions.h",
    "mma.h",
    "sm_20_atomic_functions.h",
    "sm_20_intrinsics.h",
    "sm_30_intrinsics.h",
    "sm_32_atomic_functions.h",
    "sm_32_intrinsics.h",
    "sm_35_atomic_functions.h",
    "sm_35_intrinsics.h",
    "sm_60_atomic_functions.h",
    "sm_61_intrinsics.h",
    "surface_functions.h",
    "surface_indirect_functions.h",
    "surface_types.h",
    "texture_fetch_functions.h",
    "texture_indirect_functions.h",
    "texture_types.h",
    "vector_functions.h",
    "vector_types.h",
];

/// Whether ours stands for a header of a CUDA toolkit.
pub(in crate::pp) fn is_replaced(name: &str) -> bool {
    REPLACED.binary_search(&name).is_ok()
}

/// By which a directory is known to be a CUDA toolkit's.
pub(in crate::pp) const OF_TOOLKIT: &str = "cuda_runtime_api.h";
