// test: ptx
// Names that nvcc's host code asks for. Packs were named as their elements' type, pairs as vectors, and no instance of a kernel with
// a pack could be asked for.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
template <class... T> struct tup {};
template <class T> __global__ void k(T *p) {}
template __global__ void k(half2 *);
template __global__ void k(__nv_bfloat162 *);
template <int N, class... T> __global__ void pk(T *...p) {}
template __global__ void pk<3>(int *, float *);
template <class... T> __global__ void pt(tup<T...> a, T... p, tup<T...> *b) {}
template __global__ void pt<int, float>(tup<int, float>, int, float, tup<int, float> *);
template <class F, class... A> __global__ void apply(F f, A... a) { f(a...); }
struct Store { __device__ void operator()(int *p, int v) { *p = v; } };
void host(int *p) { apply<<<1, 1>>>(Store(), p, 1); }
// check: .entry _Z1kI7__half2EvPT_(
// check: .entry _Z1kI14__nv_bfloat162EvPT_(
// check: .entry _Z2pkILi3EJifEEvDpPT0_(
// check: .entry _Z2ptIJifEEv3tupIJDpT_EES2_PS3_(
// check: .entry _Z5applyI5StoreJPiiEEvT_DpT0_(
