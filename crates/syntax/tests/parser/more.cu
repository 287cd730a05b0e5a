// Shapes of real files.
#define CHECK(x) do { cudaError_t e = (x); if (e) exit(1); } while (0)
namespace cg = cooperative_groups;
using namespace std;
static const int BLOCK = 16;
const char *names[] = { "a", "b" };
typedef struct latLong { float lat; float lng; } LatLong;
struct __align__(16) S { int a; float b; __host__ __device__ S() {} __host__ __device__ float get() const { return b + helper(); } __device__ float helper() const { return a; } };
template <class T, class U> struct is_same { static constexpr bool value = false; };
template <class T> struct is_same<T, T> { static constexpr bool value = true; };
template <class T> inline constexpr bool big = sizeof(T) > 4;
template <template <class, int> class C, class T = float, int... I> struct TT { C<T, (I + ...)> c; };
template <class T, std::enable_if_t<is_same<T, int>::value, int> = 0> __device__ T only(T x) { return x; }
typedef float (*op_t)(float, float);
__device__ op_t d_op = nullptr;
texture<float, 2> tex;
enum { N = 3, M };
__device__ unsigned int count[N] = {};
TEST(Foo, Bar) { EXPECT_EQ(1, 2); }
int *gpu_ptr, gpu_n = 3;
dim3 grid(1, 2);
std::map<std::string, std::vector<int>> registry = { {"a", {1}} };
auto lambda = [](int a) { return a; };
static void usage(char **argv) { fprintf(stderr, "x %s\n", argv[0]); }
bool operator<(const S &a, const S &b) { return a.a < b.a; }
std::ostream &operator<<(std::ostream &o, const S &s) { return o << s.a; }
Host::Host(int a) : x(a), y{a} { foo(); }
template <> void launch<float>(float *p) { kern<<<1, 1>>>(p); }
extern "C" { void c_host(int); __device__ int c_dev(int x); }
__device__ __noinline__ int c_dev(int x) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  cg::thread_block_tile<32> t2 = cg::tiled_partition<32>(block);
  S s; S *ps = &s; S arr[2] = {S(), {}};
  T *unknown_ptr = 0;
  int a = 1, b = 2, c = 3;
  a * b; a < b; (a) - b; (int)-b; (S)s; (float)a * b;
  float f = float(a) / float(b);
  if (a < b && c > a) return (a < b) ? a : b;
  for (int i = 0, *p = &a; i < N; i++) { *p += i; }
  const float4 *q = (const float4 *)ps, r = *(float4 *)&ps[a];
  float m[2][3] = {{1, 2, 3}, {4, 5, 6}};
  unsigned long long mask = 0xffffffffull; unsigned int u = 1u << 3;
  const auto &[x1, y1] = s;
  int (*fp)(int) = c_dev; int (&ra)[2] = *(int (*)[2])ps;
  sum += a; s.b = min(a, b); ::foo(a); a = b = c;
  static_assert(sizeof(int) == 4);
  using L = long; L l = L(3);
  switch (a) { case N: { break; } default: return 0; }
lab: while (true) { if (a) continue; goto lab; }
  asm("bar.sync 0;"); asm volatile("" ::: "memory");
  int w = s.get() < 3 ? s.a : ps->b > 2;
  printf("%d %s\n", a, __func__);
  do a--; while (a > 0);
  if (auto it = a; it > 0) {} else if (b) {} else {}
  return [&](auto... v) { return (v + ...); }(1, 2) + sizeof...(x) + (a >> b) + alignof(S) + 1'000;
}
template __global__ void foo<int, 3>(int *);
__global__ void last(__grid_constant__ const S s, float (&arr)[3], void (*cb)(int) = nullptr);
