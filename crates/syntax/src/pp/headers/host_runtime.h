/* Functions of CUDA's run-time library that templates take the address of. Device code may call those of the device run-time: written for unspool. */
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault = 0,
    cudaSharedMemBankSizeFourByte = 1,
    cudaSharedMemBankSizeEightByte = 2
};
extern "C" {
__host__ __device__ cudaError_t cudaMalloc(void **memory, size_t bytes);
__host__ __device__ cudaError_t cudaMallocManaged(void **memory, size_t bytes, unsigned flags = 1);
__host__ __device__ cudaError_t cudaMallocHost(void **memory, size_t bytes);
__host__ __device__ cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t stream);
__host__ __device__ cudaError_t cudaFree(void *memory);
__host__ __device__ cudaError_t cudaFreeHost(void *memory);
__host__ __device__ cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream);
}
