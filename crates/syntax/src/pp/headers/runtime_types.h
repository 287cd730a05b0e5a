/* Plain types of CUDA's run-time library that device code may name without an `#include`: written for unspool. */
struct cudaPitchedPtr { void *ptr; size_t pitch, xsize, ysize; };
struct cudaExtent { size_t width, height, depth; };
struct cudaPos { size_t x, y, z; };
typedef unsigned long long cudaGraphConditionalHandle;
__host__ __device__ inline cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t xsize, size_t ysize) {
    return cudaPitchedPtr{p, pitch, xsize, ysize};
}
__host__ __device__ inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
    return cudaExtent{width, height, depth};
}
__host__ __device__ inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return cudaPos{x, y, z}; }
