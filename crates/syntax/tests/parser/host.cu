#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#ifdef RD_WG_SIZE
#endif
using std::vector;
typedef std::vector<float> fvec;
typedef unsigned int uint;
struct Params { int w, h; std::string name; };
struct Functor { float a; Functor(float _a) : a(_a) {} __host__ __device__ float operator()(const float &x, const float &y) const { return a * x + y; } };
template <typename T> class DeviceArray { T *p; size_t n; public: DeviceArray(size_t n) : n(n) { cudaMalloc(&p, n * sizeof(T)); } ~DeviceArray() { cudaFree(p); } operator T *() { return p; } __device__ T get(int i) { return p[i]; } };
inline void __checkCudaErrors(cudaError err, const char *file, const int line) { if (cudaSuccess != err) { fprintf(stderr, "x"); exit(-1); } }
template <typename T> struct SharedMemory { __device__ inline operator T *() { extern __shared__ int __smem[]; return (T *)__smem; } };
template <> struct SharedMemory<double> { __device__ inline operator double *() { extern __shared__ double __smem_d[]; return (double *)__smem_d; } };
template <class T, unsigned int blockSize, bool nIsPow2> __global__ void reduce6(T *g_idata, T *g_odata, unsigned int n) {
  T *sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x;
  unsigned int gridSize = blockSize * 2 * gridDim.x;
  T mySum = 0;
  while (tid < n) { mySum += g_idata[tid]; if (nIsPow2 || tid + blockSize < n) mySum += g_idata[tid + blockSize]; tid += gridSize; }
  if ((blockSize >= 512) && (tid < 256)) { sdata[tid] = mySum = mySum + sdata[tid + 256]; }
  __syncthreads();
  volatile T *smem = sdata;
  for (int offset = warpSize / 2; offset > 0; offset /= 2) mySum += __shfl_down_sync(0xffffffff, mySum, offset);
  if (tid == 0) g_odata[blockIdx.x] = mySum;
}
template <class T> void reduce(int size, int threads, T *d) {
  switch (threads) { case 512: reduce6<T, 512, true><<<1, 2, 3>>>(d, d, size); break; }
}
template void reduce<int>(int size, int threads, int *d);
int main(int argc, char **argv) try { thrust::device_vector<int> v(3); std::cout << v[0] << std::endl; return 0; } catch (std::exception &e) { return 1; }
static __global__ void mm(float (*A)[16], float B[][16]) { __shared__ float As[16][16]; As[threadIdx.y][threadIdx.x] = A[0][0];
#pragma unroll
  for (int k = 0; k < 16; ++k)
#pragma nv_diag_suppress 177
    As[k][k] += B[k][k]; }
long long t0, t1; cudaEvent_t start, stop;
__global__ void bad() { undefined_t x(3); x.foo<int>(2); y = a < b; }
const std::string kName = "x";
void runTest(int argc, char **argv);
void (*handler)(int) = 0;
std::function<void(int)> cb = [](int x) { kernel<<<dim3(1), 32, 0, s>>>(x); };
template void reduce6<int, 4, true>(int *, int *, unsigned int);

// What is read of host code for its launches: statements that do not parse are left out.
template <int N> __global__ void launched(float *p);
template <typename T> T *tolerant(const std::map<int, T> &m, std::size_t n) {
  std::unique_ptr<T[]> owned(new T[n]);
  int i = ] 3;
  for (auto &[key, value] : m) { launched<2><<<dim3(n), 1>>>(value); }
  if (n @ 4) { launched<3><<<1, 1>>>(owned.get()); } else launched<4><<<1, 1>>>(0);
#pragma omp parallel for
  for (int j = 0; j < n; j++) std::cout << j << std::endl;
  try { throw n; } catch (...) { return 0; }
  return nullptr;
}
