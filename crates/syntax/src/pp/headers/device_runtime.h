/* What kernels may ask of CUDA's runtime (CUDA Programming Guide, "CUDA Dynamic Parallelism"), by the names that cudadevrt
   has it under; and how they launch kernels. Written for unspool. */
extern "C" {
__device__ cudaError_t __cudaCDP2DeviceGetAttribute(int *value, int attribute, int device);
__device__ cudaError_t __cudaCDP2DeviceGetLimit(size_t *value, int limit);
__device__ cudaError_t __cudaCDP2GetLastError();
__device__ cudaError_t __cudaCDP2PeekAtLastError();
__device__ const char *__cudaCDP2GetErrorString(cudaError_t error);
__device__ const char *__cudaCDP2GetErrorName(cudaError_t error);
__device__ cudaError_t __cudaCDP2GetDeviceCount(int *count);
__device__ cudaError_t __cudaCDP2GetDevice(int *device);
__device__ cudaError_t __cudaCDP2StreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
__device__ cudaError_t __cudaCDP2StreamDestroy(cudaStream_t stream);
__device__ cudaError_t __cudaCDP2StreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
__device__ cudaError_t __cudaCDP2EventCreateWithFlags(cudaEvent_t *event, unsigned flags);
__device__ cudaError_t __cudaCDP2EventRecord(cudaEvent_t event, cudaStream_t stream);
__device__ cudaError_t __cudaCDP2EventDestroy(cudaEvent_t event);
__device__ cudaError_t __cudaCDP2Free(void *pointer);
__device__ cudaError_t __cudaCDP2Malloc(void **pointer, size_t size);
__device__ cudaError_t __cudaCDP2MemcpyAsync(void *to, const void *from, size_t size, int kind, cudaStream_t stream);
__device__ cudaError_t __cudaCDP2Memcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                               size_t height, int kind, cudaStream_t stream);
__device__ cudaError_t __cudaCDP2MemsetAsync(void *pointer, int value, size_t size, cudaStream_t stream);
__device__ cudaError_t __cudaCDP2Memset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                                               cudaStream_t stream);
__device__ cudaError_t __cudaCDP2RuntimeGetVersion(int *version);
__device__ cudaError_t __cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel,
                                                                                   int block, size_t shared,
                                                                                   unsigned flags);
__device__ void *__cudaCDP2GetParameterBufferV2(void *kernel, dim3 grid, dim3 block, unsigned shared);
__device__ cudaError_t __cudaCDP2LaunchDeviceV2(void *buffer, cudaStream_t stream);
__device__ void cudaGraphSetConditional(unsigned long long handle, unsigned value);
}
static __device__ __forceinline__ cudaError_t cudaDeviceGetAttribute(int *value, int attribute, int device) {
    return __cudaCDP2DeviceGetAttribute(value, attribute, device);
}
static __device__ __forceinline__ cudaError_t cudaDeviceGetLimit(size_t *value, int limit) {
    return __cudaCDP2DeviceGetLimit(value, limit);
}
static __device__ __forceinline__ cudaError_t cudaGetLastError() { return __cudaCDP2GetLastError(); }
static __device__ __forceinline__ cudaError_t cudaPeekAtLastError() { return __cudaCDP2PeekAtLastError(); }
static __device__ __forceinline__ const char *cudaGetErrorString(cudaError_t error) {
    return __cudaCDP2GetErrorString(error);
}
static __device__ __forceinline__ const char *cudaGetErrorName(cudaError_t error) {
    return __cudaCDP2GetErrorName(error);
}
static __device__ __forceinline__ cudaError_t cudaGetDeviceCount(int *count) { return __cudaCDP2GetDeviceCount(count); }
static __device__ __forceinline__ cudaError_t cudaGetDevice(int *device) { return __cudaCDP2GetDevice(device); }
static __device__ __forceinline__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    return __cudaCDP2StreamCreateWithFlags(stream, flags);
}
static __device__ __forceinline__ cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return __cudaCDP2StreamDestroy(stream);
}
static __device__ __forceinline__ cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                                                  unsigned flags = 0) {
    return __cudaCDP2StreamWaitEvent(stream, event, flags);
}
static __device__ __forceinline__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    return __cudaCDP2EventCreateWithFlags(event, flags);
}
static __device__ __forceinline__ cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0) {
    return __cudaCDP2EventRecord(event, stream);
}
static __device__ __forceinline__ cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return __cudaCDP2EventDestroy(event);
}
static __device__ __forceinline__ cudaError_t cudaFree(void *pointer) { return __cudaCDP2Free(pointer); }
static __device__ __forceinline__ cudaError_t cudaMalloc(void **pointer, size_t size) {
    return __cudaCDP2Malloc(pointer, size);
}
template <class T>
static __device__ __forceinline__ cudaError_t cudaMalloc(T **pointer, size_t size) {
    return __cudaCDP2Malloc((void **)(void *)pointer, size);
}
static __device__ __forceinline__ cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, int kind,
                                                              cudaStream_t stream = 0) {
    return __cudaCDP2MemcpyAsync(to, from, size, kind, stream);
}
static __device__ __forceinline__ cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from,
                                                                size_t from_pitch, size_t width, size_t height, int kind,
                                                                cudaStream_t stream = 0) {
    return __cudaCDP2Memcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, stream);
}
static __device__ __forceinline__ cudaError_t cudaMemsetAsync(void *pointer, int value, size_t size,
                                                              cudaStream_t stream = 0) {
    return __cudaCDP2MemsetAsync(pointer, value, size, stream);
}
static __device__ __forceinline__ cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width,
                                                                size_t height, cudaStream_t stream = 0) {
    return __cudaCDP2Memset2DAsync(pointer, pitch, value, width, height, stream);
}
static __device__ __forceinline__ cudaError_t cudaRuntimeGetVersion(int *version) {
    return __cudaCDP2RuntimeGetVersion(version);
}
template <class T>
static __device__ __forceinline__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel, int block,
                                                                                            size_t shared) {
    return __cudaCDP2OccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)kernel, block, shared, 0);
}
namespace __unspool_device_runtime {
template <class T>
struct given {
    typedef T type;
};
/* Arguments lie in the buffer as in a kernel's parameters; the buffer is aligned for any of them. */
template <class... P>
static __device__ __forceinline__ void launch(void (*kernel)(P...), dim3 grid, dim3 block, unsigned shared,
                                              cudaStream_t stream, typename given<P>::type... arguments) {
    char *buffer = (char *)__cudaCDP2GetParameterBufferV2((void *)kernel, grid, block, shared);
    if (buffer) {
        unsigned long long at = 0;
        ((at = (at + alignof(P) - 1) / alignof(P) * alignof(P), new (buffer + at) P(arguments), at += sizeof(P)), ...);
        __cudaCDP2LaunchDeviceV2(buffer, stream);
    }
}
}
