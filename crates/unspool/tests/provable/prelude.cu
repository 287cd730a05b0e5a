// Functions that ask, for the conditions of conditions.txt. T(e) is the question.
__device__ int even(int v) { return T(v % 2 == 0); }
__device__ int quads(int v) { return T(v % 4 == 0); }
__device__ int positive(int v) { return T(v > 0); }
__device__ int small(unsigned v) { return T(v < 256); }
__device__ int ordered(int v, int t) { return T(v <= t); }
__device__ int twice(int v) { return even(v + v); }
__device__ int clamp(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }
__device__ int up(int v) { return (v + 3) & ~3; }
__device__ int pick(int k, int v) { switch (k & 3) { case 0: return v * 2; case 1: return 4; case 2: return v & ~1; default: return -6; } }
__device__ int total(int k) { int t = 0; for (int i = 0; i < k; i++) t += 2; return t; }
template <int K> __device__ int multiple(int v) { return T(v % K == 0); }
template <int K> __device__ int below(unsigned v) { return T(v < K); }
