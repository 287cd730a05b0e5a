// When constructors, copies and destructors run.

__device__ int trace_log(int *p, int k) { return *p = *p * 10 + k; }
struct T {
    int *p;
    int v;
    __device__ T(int *p, int v) : p(p), v(v) { trace_log(p, 1); }
    __device__ T(const T &o) : p(o.p), v(o.v + 1) { trace_log(p, 2); }
    __device__ T &operator=(const T &o) { v = o.v; trace_log(p, 3); return *this; }
    __device__ ~T() { trace_log(p, 4); }
};
struct Holder { T t; int k; __device__ Holder(int *p) : t(p, 5), k(6) {} };
struct Deep : Holder { T u; __device__ Deep(int *p) : Holder(p), u(p, 7) {} __device__ ~Deep() { trace_log(u.p, 5); } };
__device__ int by_value(T t) { return t.v; }
__device__ T make(int *p, int v) { return T(p, v); }
struct Guard { int *p; __device__ ~Guard() { *p += 1; } };

BEGIN(copies)
    int t = 0;
    { T a(&t, V(1)); T b = a; I(b.v); } //= 2
    I(t); //= 1244
    t = 0;
    { T a(&t, V(1)), b(&t, 5); b = a; I(b.v); } //= 1
    I(t); //= 11344
    t = 0;
    { T a(&t, V(3)); I(by_value(a)); } //= 4
    I(t); //= 1244
    t = 0;
    { Deep d(&t); I(d.u.v + d.t.v); } //= 12
    I(t); //= 11544
END

BEGIN(elision)
    int t = 0;
    { T a = make(&t, V(1)); I(a.v); } //= 1
    I(t); //= 14
    t = 0;
    int n = 0;
    for (int i = 0; i < V(3); i++) { Guard g{&n}; if (i == 1) continue; n += 10; }
    I(n); //= 23
END
