// Each instantiation is a function of its own, merged with equal ones of other modules.
template <typename T, int N> __device__ T power(T x) {
    T r = 1;
    for (int i = 0; i < N; i++) r *= x;
    return r;
}

struct Counter {
    int n;
    __device__ Counter(int n) : n(n) {}
    __device__ int next() { return n++; }
};

__global__ void templates(float *f, int *i) {
    Counter c(5);
    f[0] = power<float, 3>(f[1]);
    i[0] = power<int, 2>(c.next());
    auto twice = [=](int x) { return x * 2 + i[2]; };
    i[1] = twice(c.next());
}
