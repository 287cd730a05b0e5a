// Macros of a program with the names that headers use, defined before the headers are read.

#define A 17
#define B +
#define F(x) x
#define N 1024
#define T float
#define K 3
#define M (N / 2)
#define U unsigned
#include <cooperative_groups.h>
#include <cub/cub.cuh>
#include <cuda/std/tuple>
#include <cuda/std/array>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuComplex.h>
#include <mma.h>
#include <type_traits>
#include <utility>
#undef F
#define F(...) (*out_++ = __double_as_longlong((double)(__VA_ARGS__)))

BEGIN(macros_before_headers)
    using C = std::conditional_t<std::is_same_v<T, float>, int, char>;
    auto g = cooperative_groups::this_thread_block();
    cuda::std::tuple<int, T> t{V(2), 3.5f};
    I(sizeof(C) + A); I(M); I(cuda::std::get<0>(t) B g.size() * 0); F(cuCaddf(make_cuFloatComplex(1, 2), make_cuFloatComplex(3, V(4))).y); //= 21 512 2 6.0
END
