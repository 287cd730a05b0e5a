//! Host headers: what stands in for them where they are not on the include path.
//!
//! Device code does not need what they declare, except for the names of fixed-width integers, which real headers bring
//! along one way or another: so every accepted header gives those. Constants (`INT_MAX`, `FLT_MAX`, `M_PI`) are
//! predefined macros.

mod replaced;

pub(super) use replaced::{OF_TOOLKIT, is_replaced};

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
    "unwind.h",
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
const INTEGERS: &str = include_str!("headers/integers.h");

/// The same for C++, with the names in `std` that headers put there.
const INTEGERS_CXX: &str = concat!(include_str!("headers/integers.h"), include_str!("headers/integers_std.h"));

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

/// These bring the traits of types, pairs and the functions of `<utility>` along.
#[rustfmt::skip]
const WITH_TRAITS: &[&str] = &[
    "algorithm", "any", "array", "bit", "bitset", "charconv", "chrono", "compare", "complex", "concepts", "condition_variable", "cub", "cuda/std/array", "cuda/std/compare", "cuda/std/concepts", "cuda/std/optional",
    "cuda/std/tuple", "cuda/std/type_traits", "cuda/std/utility", "deque", "exception", "filesystem", "forward_list", "fstream", "functional", "future", "iomanip", "ios", "iostream", "istream", "iterator", "list", "locale", "map", "memory", "mutex", "new", "numbers", "numeric",
    "optional", "ostream", "queue", "random", "ratio", "regex", "set", "shared_mutex", "span", "sstream", "stack", "stdexcept", "streambuf", "string", "string_view", "system_error", "thread", "thrust", "tuple", "type_traits", "unordered_map",
    "unordered_set", "utility", "variant", "vector",
];

/// These bring `std::errc` along.
#[rustfmt::skip]
const WITH_ERRORS: &[&str] = &[
    "charconv", "condition_variable", "filesystem", "fstream", "future", "iomanip", "ios", "iostream", "istream", "mutex",
    "ostream", "shared_mutex", "sstream", "system_error", "thread",
];

/// These bring the functions of `<iterator>` along.
#[rustfmt::skip]
const WITH_ITERATORS: &[&str] = &[
    "algorithm", "array", "cuda/std/array", "cuda/std/optional", "cuda/std/tuple", "cuda/std/type_traits", "cuda/std/utility", "deque", "functional", "iostream", "iterator", "list", "map",
    "memory", "numeric", "queue", "set", "span", "stack", "string", "string_view", "tuple", "unordered_map", "unordered_set", "vector",
];

/// These bring `std::array` along.
#[rustfmt::skip]
const WITH_ARRAYS: &[&str] = &[
    "array", "cuda/std/array", "cuda/std/optional", "cuda/std/tuple", "cuda/std/type_traits", "cuda/std/utility", "functional", "span", "tuple",
];

/// These bring `std::tuple` along.
#[rustfmt::skip]
const WITH_TUPLES: &[&str] = &[
    "array", "cuda/std/array", "cuda/std/optional", "cuda/std/tuple", "cuda/std/type_traits", "cuda/std/utility", "condition_variable", "functional", "map", "memory", "mutex", "set", "shared_mutex", "thread", "tuple", "unordered_map",
    "unordered_set",
];

/// These bring the host's streams along.
#[rustfmt::skip]
const WITH_STREAMS: &[&str] = &[
    "complex", "fstream", "iomanip", "ios", "iostream", "istream", "ostream", "random", "sstream", "thread",
];

/// These bring `std::string` and `std::string_view` along.
#[rustfmt::skip]
const WITH_STRINGS: &[&str] = &[
    "bitset", "charconv", "complex", "exception", "filesystem", "fstream", "functional", "iomanip", "ios", "iostream", "istream", "locale", "mutex", "new", "ostream", "random", "regex", "sstream",
    "stdexcept", "streambuf", "string", "string_view", "system_error", "thread",
];

/// What brings the host's clocks along.
const WITH_CLOCKS: &[&str] = &["chrono", "condition_variable", "future", "mutex", "shared_mutex", "thread"];

/// What device code uses of C++'s and CUDA's libraries, in files of this directory, and the headers that bring it:
/// also those that are known for bringing it along.
static LIBRARY: &[(&[&str], &str)] = &[
    // What is named later is read first.
    (
        &[
            "cuda/std/array",
            "cuda/std/limits",
            "cuda/std/optional",
            "cuda/std/tuple",
            "cuda/std/type_traits",
            "cuda/std/utility",
        ],
        include_str!("headers/cuda_namespace.h"),
    ),
    (WITH_ERRORS, include_str!("headers/errc.h")),
    (&["variant"], include_str!("headers/variant.h")),
    (&["span"], include_str!("headers/span.h")),
    (&["memory"], include_str!("headers/memory_functions.h")),
    (&["sstream"], include_str!("headers/string_streams.h")),
    (&["condition_variable", "mutex", "shared_mutex", "thread"], include_str!("headers/threads.h")),
    (&["memory_resource"], include_str!("headers/memory_resource.h")),
    (&["bitset"], include_str!("headers/bitset.h")),
    (&["random"], include_str!("headers/random.h")),
    (WITH_CLOCKS, include_str!("headers/chrono.h")),
    (WITH_STREAMS, include_str!("headers/streams.h")),
    (
        &["exception", "new", "stdexcept", "string", "sstream", "iostream", "system_error"],
        include_str!("headers/exceptions.h"),
    ),
    (
        &["deque", "list", "map", "queue", "set", "stack", "unordered_map", "unordered_set"],
        include_str!("headers/containers.h"),
    ),
    (&["vector"], include_str!("headers/vector.h")),
    (&["functional"], include_str!("headers/host_functions.h")),
    (&["memory"], include_str!("headers/owners.h")),
    (WITH_STRINGS, include_str!("headers/string.h")),
    (WITH_STRINGS, include_str!("headers/string_view.h")),
    (&["cuda/std/optional", "cuda/std/tuple", "cuda/std/utility", "optional"], include_str!("headers/optional.h")),
    (&["functional"], include_str!("headers/invoke.h")),
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
        &[
            "algorithm",
            "deque",
            "functional",
            "list",
            "map",
            "memory",
            "numeric",
            "queue",
            "set",
            "stack",
            "string",
            "unordered_map",
            "unordered_set",
        ],
        include_str!("headers/function_objects.h"),
    ),
    (&["algorithm", "functional", "numeric"], include_str!("headers/sorting.h")),
    (&["algorithm", "functional", "numeric", "utility"], include_str!("headers/algorithms.h")),
    (&["bit"], include_str!("headers/bit.h")),
    (&["numbers"], include_str!("headers/numbers.h")),
    (
        &["chrono", "condition_variable", "future", "mutex", "ratio", "shared_mutex", "thread"],
        include_str!("headers/ratio.h"),
    ),
    (WITH_TUPLES, include_str!("headers/tuple.h")),
    (WITH_ARRAYS, include_str!("headers/array.h")),
    (WITH_ITERATORS, include_str!("headers/iterators.h")),
    (&["ctime", "time.h"], include_str!("headers/time.h")),
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
    (&["cmath", "complex", "math.h", "random"], include_str!("headers/cmath.h")),
    (
        // With nvcc every file has `<cmath>`, which has `<limits>` in C++17.
        &[
            "algorithm",
            "chrono",
            "cmath",
            "complex",
            "condition_variable",
            "cuda/std/limits",
            "functional",
            "future",
            "limits",
            "mutex",
            "numeric",
            "random",
            "shared_mutex",
            "thread",
            "vector",
        ],
        include_str!("headers/limits.h"),
    ),
    (WITH_TRAITS, include_str!("headers/swap.h")),
    (WITH_TRAITS, include_str!("headers/pair.h")),
    (WITH_TRAITS, include_str!("headers/traits.h")),
    (WITH_TRAITS, include_str!("headers/type_traits.h")),
];

/// What stands in for a header.
pub(super) struct Stand {
    /// What every header declares.
    pub(super) common: &'static str,
    /// What this one declares besides.
    pub(super) own: Vec<&'static str>,
}

/// By which file a directory is known to have the whole library of which `name` is a header; of those that stand-ins are parts of.
pub(super) fn whole_library(name: &str) -> Option<&'static str> {
    name.starts_with("cub/").then_some("cub/version.cuh")
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
