// test: ptx
// What traits say of NVIDIA's small numbers, as nvcc's host library does: they are classes. Those that are numbers here were numbers.
#include <type_traits>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#define A(T) (std::is_floating_point<T>::value | std::is_class<T>::value << 1 | std::is_arithmetic<T>::value << 2 | std::is_scalar<T>::value << 3 | std::is_fundamental<T>::value << 4 | std::is_compound<T>::value << 5 | std::is_object<T>::value << 6 | std::is_trivially_copyable<T>::value << 7 | std::is_signed<T>::value << 8 | std::is_empty<T>::value << 9 | std::is_trivial<T>::value << 10 | std::is_standard_layout<T>::value << 11 | std::is_pod<T>::value << 12 | std::is_trivially_default_constructible<T>::value << 13 | std::is_trivially_destructible<T>::value << 14 | std::is_convertible<T, float>::value << 15 | std::is_convertible<float, T>::value << 16 | std::is_convertible<int, T>::value << 17 | std::is_constructible<T, double>::value << 18 | std::is_default_constructible<T>::value << 19)
template<int N> __global__ void k() {}
template __global__ void k<A(__half)>();
template __global__ void k<A(__nv_bfloat16) | 1 << 30>();
template __global__ void k<A(__half2) | 1 << 29>();
template __global__ void k<A(__nv_bfloat162) | 1 << 28>();
template __global__ void k<A(float4) | 1 << 27>();
template __global__ void k<A(float) | 1 << 26>();
// check: .entry _Z1kILi1047778EEvv(
// check: .entry _Z1kILi1074789602EEvv(
// check: .entry _Z1kILi537421922EEvv(
// check: .entry _Z1kILi268986466EEvv(
// check: .entry _Z1kILi134773986EEvv(
// check: .entry _Z1kILi68156893EEvv(
