//! Host headers: what stands in for them where they are not on the include path.
//!
//! Device code does not need what they declare, except for the names of fixed-width integers, which real headers bring
//! along one way or another: so every accepted header gives those. Constants (`INT_MAX`, `FLT_MAX`, `M_PI`) are
//! predefined macros.

use crate::Dialect;

/// Headers accepted in CUDA C++ and in C, sorted.
static HOST: &[&str] = &[
    "algorithm",
    "any",
    "array",
    "assert.h",
    "atomic",
    "bitset",
    "cassert",
    "cctype",
    "cerrno",
    "cfenv",
    "cfloat",
    "channel_descriptor.h",
    "chrono",
    "cinttypes",
    "ciso646",
    "climits",
    "clocale",
    "cmath",
    "codecvt",
    "complex",
    "complex.h",
    "condition_variable",
    "cooperative_groups.h",
    "cooperative_groups/reduce.h",
    "cooperative_groups/scan.h",
    "csetjmp",
    "csignal",
    "cstdarg",
    "cstdbool",
    "cstddef",
    "cstdint",
    "cstdio",
    "cstdlib",
    "cstring",
    "ctime",
    "ctype.h",
    "cub/cub.cuh",
    "cublas.h",
    "cublas_v2.h",
    "cuda.h",
    "cuda/atomic",
    "cuda/std/cstddef",
    "cuda/std/cstdint",
    "cuda/std/limits",
    "cuda/std/type_traits",
    "cuda/std/utility",
    "cuda_bf16.h",
    "cuda_device_runtime_api.h",
    "cuda_fp16.h",
    "cuda_fp8.h",
    "cuda_pipeline.h",
    "cuda_profiler_api.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "cudnn.h",
    "cufft.h",
    "curand.h",
    "curand_kernel.h",
    "cusolverDn.h",
    "cusparse.h",
    "cwchar",
    "cwctype",
    "deque",
    "device_atomic_functions.h",
    "device_functions.h",
    "device_launch_parameters.h",
    "device_types.h",
    "driver_functions.h",
    "driver_types.h",
    "errno.h",
    "exception",
    "execution",
    "fcntl.h",
    "fenv.h",
    "filesystem",
    "float.h",
    "forward_list",
    "fstream",
    "functional",
    "future",
    "getopt.h",
    "host_defines.h",
    "initializer_list",
    "inttypes.h",
    "iomanip",
    "ios",
    "iosfwd",
    "iostream",
    "iso646.h",
    "istream",
    "iterator",
    "limits",
    "limits.h",
    "list",
    "locale",
    "locale.h",
    "malloc.h",
    "map",
    "math.h",
    "math_constants.h",
    "math_functions.h",
    "memory",
    "memory.h",
    "mma.h",
    "mutex",
    "new",
    "nppi.h",
    "numbers",
    "numeric",
    "nvToolsExt.h",
    "nvrtc.h",
    "omp.h",
    "openacc.h",
    "optional",
    "ostream",
    "pthread.h",
    "queue",
    "random",
    "ratio",
    "regex",
    "set",
    "setjmp.h",
    "shared_mutex",
    "signal.h",
    "sm_20_atomic_functions.h",
    "sm_30_intrinsics.h",
    "span",
    "sstream",
    "stack",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdexcept",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "streambuf",
    "string",
    "string.h",
    "string_view",
    "strings.h",
    "surface_types.h",
    "sys/mman.h",
    "sys/stat.h",
    "sys/time.h",
    "sys/types.h",
    "system_error",
    "texture_types.h",
    "tgmath.h",
    "thread",
    "thrust/device_ptr.h",
    "thrust/device_vector.h",
    "thrust/host_vector.h",
    "thrust/reduce.h",
    "thrust/scan.h",
    "thrust/sort.h",
    "time.h",
    "tuple",
    "type_traits",
    "typeindex",
    "typeinfo",
    "uchar.h",
    "unistd.h",
    "unordered_map",
    "unordered_set",
    "utility",
    "valarray",
    "variant",
    "vector",
    "vector_functions.h",
    "vector_types.h",
    "version",
    "wchar.h",
    "wctype.h",
];

/// Headers accepted as empty in OpenCL C, sorted.
static OPENCL: &[&str] = &["opencl-c-base.h", "opencl-c.h"];

/// The fixed-width integers.
const INTEGERS: &str = "\
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef signed char int_least8_t;
typedef short int_least16_t;
typedef int int_least32_t;
typedef long int_least64_t;
typedef unsigned char uint_least8_t;
typedef unsigned short uint_least16_t;
typedef unsigned int uint_least32_t;
typedef unsigned long uint_least64_t;
typedef signed char int_fast8_t;
typedef long int_fast16_t;
typedef long int_fast32_t;
typedef long int_fast64_t;
typedef unsigned char uint_fast8_t;
typedef unsigned long uint_fast16_t;
typedef unsigned long uint_fast32_t;
typedef unsigned long uint_fast64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;
typedef long ptrdiff_t;
typedef unsigned long size_t;
";

/// The same for C++, with the names in `std` that headers put there.
const INTEGERS_CXX: &str = "\
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;
typedef long ptrdiff_t;
typedef unsigned long size_t;
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
using ::intptr_t; using ::uintptr_t; using ::ptrdiff_t; using ::size_t;
}
";

/// What stands in for the header `name`, if it is one that is accepted.
pub(super) fn own_text(name: &str, dialect: Dialect) -> Option<&'static str> {
    let known = |table: &[&str]| table.binary_search(&name).is_ok();
    match dialect {
        Dialect::OpenClC { .. } => known(OPENCL).then_some(""),
        Dialect::CudaCxx { .. } => known(HOST).then_some(INTEGERS_CXX),
        Dialect::C11 => known(HOST).then_some(INTEGERS),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn tables_are_sorted() {
        assert!(super::HOST.is_sorted());
        assert!(super::OPENCL.is_sorted());
    }
}
