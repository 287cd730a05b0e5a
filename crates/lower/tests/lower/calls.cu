// `bool` is a byte in signatures; aggregates are handed over and given back in memory.
struct Big { double a, b, c; };

__device__ bool odd(int x) { return x & 1; }
__device__ Big scaled(Big b, double k) { b.a *= k; b.b *= k; return b; }
__device__ __noinline__ void store(int *to, bool flag) { *to = flag; }

__global__ void calls(Big *out, int *flag, int n) {
    Big b = out[0];
    out[1] = scaled(b, 2.0);
    store(flag, odd(n));
}
