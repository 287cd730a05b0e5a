//! Host headers: what stands in for them where they are not on the include path.
//!
//! Device code does not need what they declare, except for the names of fixed-width integers, which real headers bring
//! along one way or another: so every accepted header gives those. Constants (`INT_MAX`, `FLT_MAX`, `M_PI`) are
//! predefined macros.

use crate::Dialect;

/// Headers accepted in CUDA C++ and in C, sorted.
static HOST: &[&str] = &[
    "aio.h",
    "algorithm",
    "alloca.h",
    "any",
    "argp.h",
    "array",
    "assert.h",
    "atomic",
    "avxintrin.h",
    "barrier",
    "bit",
    "bitset",
    "builtin_types.h",
    "byteswap.h",
    "cassert",
    "ccomplex",
    "cctype",
    "cerrno",
    "cfenv",
    "cfloat",
    "channel_descriptor.h",
    "charconv",
    "chrono",
    "cinttypes",
    "ciso646",
    "climits",
    "clocale",
    "cmath",
    "codecvt",
    "common_functions.h",
    "compare",
    "complex",
    "complex.h",
    "concepts",
    "condition_variable",
    "cooperative_groups.h",
    "coroutine",
    "crt/device_functions.h",
    "crt/host_defines.h",
    "crt/math_functions.h",
    "crt/mma.h",
    "crt/sm_90_rt.h",
    "crypt.h",
    "csetjmp",
    "csignal",
    "cstdalign",
    "cstdarg",
    "cstdbool",
    "cstddef",
    "cstdint",
    "cstdio",
    "cstdlib",
    "cstring",
    "ctgmath",
    "ctime",
    "ctype.h",
    "cuComplex.h",
    "cublas.h",
    "cublasLt.h",
    "cublasXt.h",
    "cublas_v2.h",
    "cuchar",
    "cuda.h",
    "cudaEGL.h",
    "cudaGL.h",
    "cudaProfiler.h",
    "cudaTypedefs.h",
    "cuda_awbarrier.h",
    "cuda_awbarrier_helpers.h",
    "cuda_awbarrier_primitives.h",
    "cuda_bf16.h",
    "cuda_bf16.hpp",
    "cuda_d3d11_interop.h",
    "cuda_device_runtime_api.h",
    "cuda_egl_interop.h",
    "cuda_fp16.h",
    "cuda_fp16.hpp",
    "cuda_fp4.h",
    "cuda_fp6.h",
    "cuda_fp8.h",
    "cuda_fp8.hpp",
    "cuda_gl_interop.h",
    "cuda_pipeline.h",
    "cuda_pipeline_primitives.h",
    "cuda_profiler_api.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "cuda_stdint.h",
    "cuda_surface_types.h",
    "cuda_texture_types.h",
    "cuda_vdpau_interop.h",
    "cudalibxt.h",
    "cudnn.h",
    "cufft.h",
    "cufftXt.h",
    "cufftw.h",
    "cufile.h",
    "cupti.h",
    "curand.h",
    "curand_globals.h",
    "curand_kernel.h",
    "curand_mtgp32_host.h",
    "curand_mtgp32_kernel.h",
    "curand_normal.h",
    "curand_philox4x32_x.h",
    "curand_precalc.h",
    "curand_uniform.h",
    "cusolverDn.h",
    "cusolverMg.h",
    "cusolverRf.h",
    "cusolverSp.h",
    "cusolver_common.h",
    "cusparse.h",
    "cusparse_v2.h",
    "cuviddec.h",
    "cwchar",
    "cwctype",
    "cxxabi.h",
    "deque",
    "device_atomic_functions.h",
    "device_double_functions.h",
    "device_functions.h",
    "device_launch_parameters.h",
    "device_types.h",
    "dirent.h",
    "dlfcn.h",
    "driver_functions.h",
    "driver_types.h",
    "elf.h",
    "emmintrin.h",
    "endian.h",
    "err.h",
    "errno.h",
    "error.h",
    "exception",
    "execinfo.h",
    "execution",
    "expected",
    "fcntl.h",
    "features.h",
    "fenv.h",
    "filesystem",
    "flat_map",
    "flat_set",
    "float.h",
    "fnmatch.h",
    "format",
    "forward_list",
    "fstream",
    "fts.h",
    "ftw.h",
    "functional",
    "future",
    "generator",
    "getopt.h",
    "glob.h",
    "grp.h",
    "host_config.h",
    "host_defines.h",
    "iconv.h",
    "ieeefp.h",
    "ifaddrs.h",
    "immintrin.h",
    "initializer_list",
    "intrin.h",
    "inttypes.h",
    "iomanip",
    "ios",
    "iosfwd",
    "iostream",
    "iso646.h",
    "istream",
    "iterator",
    "langinfo.h",
    "latch",
    "libgen.h",
    "libintl.h",
    "library_types.h",
    "limits",
    "limits.h",
    "link.h",
    "list",
    "locale",
    "locale.h",
    "malloc.h",
    "map",
    "math.h",
    "math_constants.h",
    "math_functions.h",
    "math_functions.hpp",
    "mcheck.h",
    "mdspan",
    "memory",
    "memory.h",
    "memory_resource",
    "mma.h",
    "mmintrin.h",
    "mntent.h",
    "monetary.h",
    "mpi.h",
    "mqueue.h",
    "mutex",
    "nccl.h",
    "netdb.h",
    "new",
    "nl_types.h",
    "nmmintrin.h",
    "npp.h",
    "nppcore.h",
    "nppdefs.h",
    "nppi.h",
    "npps.h",
    "nppversion.h",
    "numbers",
    "numeric",
    "nvJitLink.h",
    "nvPTXCompiler.h",
    "nvToolsExt.h",
    "nvToolsExtCuda.h",
    "nvToolsExtCudaRt.h",
    "nvjpeg.h",
    "nvml.h",
    "nvrtc.h",
    "nvscibuf.h",
    "nvscisync.h",
    "obstack.h",
    "omp.h",
    "openacc.h",
    "optional",
    "ostream",
    "paths.h",
    "pmmintrin.h",
    "poll.h",
    "print",
    "printf.h",
    "pthread.h",
    "pty.h",
    "pwd.h",
    "queue",
    "random",
    "ranges",
    "ratio",
    "regex",
    "regex.h",
    "resolv.h",
    "sched.h",
    "scoped_allocator",
    "search.h",
    "semaphore",
    "semaphore.h",
    "set",
    "setjmp.h",
    "shadow.h",
    "shared_mutex",
    "signal.h",
    "sm_20_atomic_functions.h",
    "sm_20_intrinsics.h",
    "sm_30_intrinsics.h",
    "sm_32_atomic_functions.h",
    "sm_32_intrinsics.h",
    "sm_35_atomic_functions.h",
    "sm_35_intrinsics.h",
    "sm_60_atomic_functions.h",
    "sm_61_intrinsics.h",
    "smmintrin.h",
    "source_location",
    "span",
    "spanstream",
    "spawn.h",
    "sstream",
    "stack",
    "stacktrace",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdexcept",
    "stdfloat",
    "stdint.h",
    "stdio.h",
    "stdio_ext.h",
    "stdlib.h",
    "stdnoreturn.h",
    "stop_token",
    "streambuf",
    "string",
    "string.h",
    "string_view",
    "strings.h",
    "stropts.h",
    "strstream",
    "surface_functions.h",
    "surface_indirect_functions.h",
    "surface_types.h",
    "syncstream",
    "syscall.h",
    "sysexits.h",
    "syslog.h",
    "system_error",
    "tar.h",
    "termios.h",
    "texture_fetch_functions.h",
    "texture_indirect_functions.h",
    "texture_types.h",
    "tgmath.h",
    "thread",
    "threads.h",
    "time.h",
    "tmmintrin.h",
    "tuple",
    "type_traits",
    "typeindex",
    "typeinfo",
    "uchar.h",
    "ucontext.h",
    "ulimit.h",
    "unistd.h",
    "unordered_map",
    "unordered_set",
    "utility",
    "utime.h",
    "utmp.h",
    "utmpx.h",
    "valarray",
    "values.h",
    "varargs.h",
    "variant",
    "vector",
    "vector_functions.h",
    "vector_functions.hpp",
    "vector_types.h",
    "vector_types.hpp",
    "version",
    "wait.h",
    "wchar.h",
    "wctype.h",
    "wordexp.h",
    "x86intrin.h",
    "xmmintrin.h",
];

/// Directories whose headers are all accepted in CUDA C++ and in C, sorted: the toolkit's libraries, the system's.
static HOST_DIRS: &[&str] = &[
    "EGL",
    "GL",
    "GLES2",
    "GLES3",
    "GLFW",
    "GLUT",
    "KHR",
    "X11",
    "arpa",
    "asm",
    "bits",
    "cooperative_groups",
    "cub",
    "cuda",
    "experimental",
    "ext",
    "gnu",
    "linux",
    "net",
    "netinet",
    "nv",
    "nvtx3",
    "sys",
    "thrust",
    "vulkan",
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
typedef long off_t;
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
using ::int_least8_t; using ::int_least16_t; using ::int_least32_t; using ::int_least64_t;
using ::uint_least8_t; using ::uint_least16_t; using ::uint_least32_t; using ::uint_least64_t;
using ::int_fast8_t; using ::int_fast16_t; using ::int_fast32_t; using ::int_fast64_t;
using ::uint_fast8_t; using ::uint_fast16_t; using ::uint_fast32_t; using ::uint_fast64_t;
using ::intmax_t; using ::uintmax_t;
using ::intptr_t; using ::uintptr_t; using ::ptrdiff_t; using ::size_t;
}
";

/// In C++20 these have `<concepts>` for their own templates, and programs count on it.
#[rustfmt::skip]
const WITH_CONCEPTS: &[&str] = &[
    "algorithm", "array", "chrono", "compare", "concepts", "cuda/std/concepts", "functional", "iostream", "iterator", "map",
    "memory", "string", "tuple", "utility", "vector",
];

/// These bring `<initializer_list>` along in GNU's library.
#[rustfmt::skip]
const WITH_LISTS: &[&str] = &[
    "algorithm", "any", "array", "bitset", "complex", "condition_variable", "deque", "execution", "filesystem", "forward_list", "fstream", "functional", "future", "initializer_list", "iomanip", "ios", "iostream",
    "istream", "iterator", "list", "locale", "map", "memory_resource", "mutex", "optional", "ostream", "queue", "random", "regex", "set", "shared_mutex", "sstream", "stack", "stdexcept", "streambuf", "string",
    "string_view", "system_error", "unordered_map", "unordered_set", "utility", "valarray", "variant", "vector",
];

/// What device code uses of C++'s and CUDA's libraries, in files of this directory, and the headers that bring it:
/// also those that are known for bringing it along.
static LIBRARY: &[(&[&str], &str)] = &[
    // What is named later is read first.
    (
        &["cuda/std/array", "cuda/std/optional", "cuda/std/tuple", "cuda/std/type_traits", "cuda/std/utility"],
        include_str!("headers/cuda_namespace.h"),
    ),
    (
        &[
            "array",
            "cuda/std/array",
            "cuda/std/optional",
            "cuda/std/tuple",
            "cuda/std/type_traits",
            "cuda/std/utility",
            "tuple",
        ],
        include_str!("headers/cuda_std.h"),
    ),
    (&["complex", "cuda/std/complex", "thrust/complex.h"], include_str!("headers/std_complex.h")),
    (&["cuda/std/complex", "thrust/complex.h"], include_str!("headers/cuda_complex.h")),
    (
        &["cuda/barrier", "cuda/pipeline", "cuda_awbarrier.h", "cuda_awbarrier_primitives.h", "cuda_pipeline.h"],
        include_str!("headers/cuda_barrier.h"),
    ),
    (
        &[
            "cuda/barrier",
            "cuda/pipeline",
            "cuda_awbarrier.h",
            "cuda_awbarrier_primitives.h",
            "cuda_pipeline.h",
            "cuda_pipeline_primitives.h",
        ],
        include_str!("headers/cuda_pipeline.h"),
    ),
    (
        &[
            "cuda/atomic",
            "cuda/barrier",
            "cuda/pipeline",
            "cuda/std/atomic",
            "cuda_awbarrier.h",
            "cuda_awbarrier_primitives.h",
            "cuda_pipeline.h",
            "cuda_pipeline_primitives.h",
        ],
        include_str!("headers/cuda_atomic.h"),
    ),
    (&["cooperative_groups", "cooperative_groups.h"], include_str!("headers/cooperative_groups.h")),
    (&["cub"], include_str!("headers/cub_more.h")),
    (&["cub"], include_str!("headers/cub.h")),
    (WITH_CONCEPTS, include_str!("headers/concepts.h")),
    (&["compare", "cuda/std/compare"], include_str!("headers/compare.h")),
    (&["cuda_fp8.h", "cuda_fp6.h", "cuda_fp4.h"], include_str!("headers/cuda_fp6.h")),
    (&["cuda_fp8.h", "cuda_fp6.h", "cuda_fp4.h"], include_str!("headers/cuda_fp8.h")),
    // By these programs ask what there is.
    (
        &["cuda_bf16.h", "cuda_bf16.hpp", "cuda_fp4.h", "cuda_fp6.h", "cuda_fp8.h", "cuda_fp8.hpp"],
        "#define __CUDA_BF16_TYPES_EXIST__\n",
    ),
    (
        &[
            "cuda_bf16.h",
            "cuda_bf16.hpp",
            "cuda_fp16.h",
            "cuda_fp16.hpp",
            "cuda_fp4.h",
            "cuda_fp6.h",
            "cuda_fp8.h",
            "cuda_fp8.hpp",
        ],
        "#define __CUDA_FP16_TYPES_EXIST__\n",
    ),
    (&["cstdlib", "stdlib.h"], include_str!("headers/stdlib.h")),
    (WITH_LISTS, include_str!("headers/initializer_list.h")),
    (
        &["algorithm", "functional", "map", "memory", "queue", "set", "string"],
        include_str!("headers/function_objects.h"),
    ),
    (&["algorithm", "numeric", "utility"], include_str!("headers/algorithms.h")),
    (&["ctime", "time.h"], include_str!("headers/time.h")),
    (&["bit"], include_str!("headers/bit.h")),
    (&["unistd.h"], include_str!("headers/unistd.h")),
    (&["cfenv", "fenv.h"], include_str!("headers/fenv.h")),
    (&["cinttypes", "inttypes.h"], include_str!("headers/inttypes.h")),
    (&["cstddef", "stddef.h"], include_str!("headers/stddef.h")),
    (&["cstdarg", "stdarg.h"], include_str!("headers/stdarg.h")),
    (&["crt/mma.h", "mma.h"], include_str!("headers/mma.h")),
    (&["nv"], include_str!("headers/nv_target.h")),
    (&["version"], include_str!("headers/host_library.h")),
    (&["cuda_runtime_api.h"], include_str!("headers/host_runtime.h")),
    (&["cuComplex.h", "cublas_v2.h", "cufft.h", "cufftXt.h", "cusparse.h"], include_str!("headers/complex.h")),
    (
        // With nvcc every file has `<cmath>`, which has `<limits>` in C++17.
        &["algorithm", "cmath", "complex", "cuda/std/limits", "functional", "limits", "numeric", "random", "vector"],
        include_str!("headers/limits.h"),
    ),
    (
        &[
            "algorithm",
            "array",
            "chrono",
            "compare",
            "concepts",
            "cub",
            "cuda/std/compare",
            "cuda/std/concepts",
            "cuda/std/array",
            "cuda/std/optional",
            "cuda/std/tuple",
            "cuda/std/type_traits",
            "cuda/std/utility",
            "functional",
            "iostream",
            "iterator",
            "map",
            "memory",
            "string",
            "thrust",
            "tuple",
            "type_traits",
            "utility",
            "vector",
        ],
        include_str!("headers/type_traits.h"),
    ),
];

/// Headers for which ours stand even where the include path has those of a CUDA toolkit, which speak to NVIDIA's compiler
/// only: they make the language's own words macros for its attributes, and declare its built-in functions. Sorted.
const REPLACED: &[&str] = &[
    "builtin_types.h",
    "channel_descriptor.h",
    "common_functions.h",
    "cooperative_groups.h",
    "crt/device_functions.h",
    "crt/host_defines.h",
    "crt/math_functions.h",
    "crt/mma.h",
    "crt/sm_90_rt.h",
    "cuda_bf16.h",
    "cuda_device_runtime_api.h",
    "cuda_fp16.h",
    "cuda_fp4.h",
    "cuda_fp6.h",
    "cuda_fp8.h",
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
pub(super) fn is_replaced(name: &str) -> bool {
    REPLACED.binary_search(&name).is_ok()
}

/// By which a directory is known to be a CUDA toolkit's.
pub(super) const OF_TOOLKIT: &str = "cuda_runtime_api.h";

/// What stands in for a header.
pub(super) struct Stand {
    /// What every header declares.
    pub(super) common: &'static str,
    /// What this one declares besides.
    pub(super) own: Vec<&'static str>,
}

/// What stands in for the header `name`, if it is one that is accepted.
pub(super) fn stand_in(name: &str, dialect: Dialect) -> Option<Stand> {
    let known = |table: &[&str]| table.binary_search(&name).is_ok();
    let dir = name.split_once('/').map(|(dir, _)| dir);
    let host = || known(HOST) || dir.is_some_and(|dir| HOST_DIRS.binary_search(&dir).is_ok());
    match dialect {
        Dialect::OpenClC { .. } => known(OPENCL).then_some(Stand { common: "", own: Vec::new() }),
        Dialect::CudaCxx { .. } => host().then(|| {
            let named = |names: &[&str]| names.iter().any(|&n| n == name || Some(n) == dir);
            let own = LIBRARY.iter().filter(|(names, _)| named(names)).map(|(_, text)| *text);
            Stand { common: INTEGERS_CXX, own: own.collect() }
        }),
        Dialect::C11 => host().then_some(Stand { common: INTEGERS, own: Vec::new() }),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn tables_are_sorted() {
        assert!(super::HOST.is_sorted());
        assert!(super::HOST_DIRS.is_sorted());
        assert!(super::OPENCL.is_sorted());
    }
}
