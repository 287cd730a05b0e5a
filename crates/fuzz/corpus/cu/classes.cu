struct Vec {
    float x, y;
    __device__ Vec(float a = 0, float b = 0) : x(a), y(b) {}
    __device__ Vec operator+(const Vec &o) const { return Vec(x + o.x, y + o.y); }
    __device__ float dot(Vec o) const { return x * o.x + y * o.y; }
    __device__ float &operator[](int i) { return i ? y : x; }
};
namespace g { namespace h { __device__ int twice(int v) { return v * 2; } } using h::twice; }
enum class Mode : unsigned { A = 1, B = A << 2 };
constexpr int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
__constant__ float weights[4] = {1.f, 2.f, .5f, 1e-3f};
__global__ void k(float4 *p, Vec *v, Mode m) {
    __shared__ float tile[fact(4)][2];
    auto i = threadIdx.x;
    tile[i % 24][0] = weights[i & 3];
    __syncthreads();
    Vec w = v[i] + Vec{1, 2};
    w[1] += g::twice(i);
    float4 q = p[i];
    q.x += m == Mode::B ? w.dot(v[0]) : tile[0][1];
    p[i] = make_float4(q.w, q.z, q.y, q.x);
}
