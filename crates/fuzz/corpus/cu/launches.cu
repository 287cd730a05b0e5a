#include <vector>
#include <iostream>
template <typename T, int N> __global__ void k(T *p, T a) { for (int i = 0; i < N; i++) p[i] *= a; }
template <template <class> class Op, class T> __global__ void each(T *p) { *p = Op<T>::of(*p); }
template <class T> __constant__ T table[4];
namespace n { template <class T> struct Twice { T v; static __device__ T of(T x) { return 2 * x + table<T>[1]; } }; }
template <class T> class Owner {
    std::vector<T> host; T *device = nullptr;
public:
    Owner(size_t n) : host(n) { device = new T[n]; }
    ~Owner() { delete[] device; }
    virtual void go(int s = 3) const { k<T, 4><<<dim3(1, s), 32>>>(device, T(2)); }
};
template <class F, class... A> auto start(F f, A &&...a) -> decltype(f(a...)) { f<<<1, 1>>>(std::forward<A>(a)...); }
template <typename T> T run(const std::vector<T> &v, T *p) {
    for (auto &[i, x] : v) if (x > i) k<T, sizeof(T)><<<1, x>>>(p, x); else return x;
    if constexpr (sizeof(T) > 4) each<n::Twice><<<1, 1>>>(p); else run<double>(v, nullptr);
    switch (v.size()) { case 1: k<T, 1><<<1, 1>>>(p, 1); break; default: throw std::runtime_error("none"); }
}
static void (*const all[])(float *, float) = {k<float, 8>, &k<float, 9>};
int main(int argc, char **argv) {
    Owner<float> o(argc); o.go();
    auto f = [&](auto m) { constexpr int N = 3 * 2; [=] { k<int, N><<<1, m>>>(nullptr, argc); }(); };
    try { f(run({1, 2}, (float *)argv)); } catch (...) { std::cout << "x" << std::endl; }
    void *args[] = {&argc}; cudaLaunchKernel((void *)each<n::Twice, short>, 1, 1, args);
    start(k<n::Twice<char> *, 2>, nullptr, nullptr);
    return all[0] == nullptr;
}
