#include <vector>
#include <iostream>
template <typename T, int N = 4, class... Rest> struct Vec {
  T data[N];
  __device__ Vec() : data{} {}
  __device__ explicit Vec(T v, Rest... r) { for (int i = 0; i < N; ++i) data[i] = v; later(); }
  __device__ T &operator[](int i) { return data[i]; }
  __device__ operator T() const { return data[0]; }
  template <int M> __device__ Vec<T, M> resize() const;
  __device__ void later() {}
  Vec(const Vec &) = default;
  void host(std::vector<T> v) { std::cout << v; }
  static constexpr int size = N;
 private:
  ~Vec();
};
template <typename T, int N, class... Rest> template <int M>
__device__ Vec<T, M> Vec<T, N, Rest...>::resize() const { return Vec<T, M>{}; }
namespace a::b { inline namespace c { using X = float; template <class T> using P = T *; } enum class E : int { A, B }; }
namespace ab = a::b;
using namespace a;
std::vector<int> g;
class Host : public std::exception { std::string s; public: int f() { return 1; } };
void host(int n) { std::vector<std::vector<int>> v; auto f = [&](int x) { return x > 3; }; k<<<1, n>>>(v); }
template <class T> void hostt(T t) { launch<T>(t); }
__constant__ float coef[16];
template <typename T, typename... A> __device__ __forceinline__ auto sum(A... a) -> decltype((a + ...)) { return (a + ... + T(0)); }
extern "C" __global__ void __launch_bounds__(256, 2) kern(const float *__restrict__ in, float *out, int n = 3, a::b::X x = {}) {
  extern __shared__ float smem[];
  __shared__ Vec<float, 8> tile;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  dim3 d(1, 2, 3);
  float4 v = make_float4(1.f, 2, 3, 4);
  auto *p = reinterpret_cast<const float4 *>(in);
  Vec<Vec<float, 2>, 3> vv; Vec<int, (3 > 2)> w(1);
  if constexpr (sizeof(float) == 4) v.x = static_cast<float>(i);
  [[clang::loop_unroll 4]] for (int j = 0; j < n; ++j) out[j] = tile.resize<3>()[0];
#pragma unroll (N + 1)
  for (auto &e : smem) e = __ldg(&in[i]);
#pragma clang loop unroll_count(4) vectorize(enable)
  while (int q = n--) { if (int r = q; r > 2) break; }
  auto lam = [=, &out] __device__ (int y) mutable -> int { return y + n; };
  auto [s, t] = d;
  float z = float(i) + a::b::X(3) + int{4} + sum<float>(1, 2) + tex2D<float>(tex, 1, 2);
  bool lt = i < n && n > i;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(i) :: "memory");
  typename Vec<int>::T q2; unsigned u = unsigned(3);
  ptr->template get<3>();
  delete p;
}
template __global__ void inst<float>(float *);
template <> __device__ int spec<int>(int x) { return x; }
constexpr int sq(int x) { return x * x; }
int main() { kern<<<1, 2>>>(0, 0); return 0; }
