/* Complex numbers of the CUDA toolkit: written for unspool. */
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef float2 cuComplex;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef float2 cufftComplex;
typedef double2 cufftDoubleComplex;

#define __UNSPOOL_COMPLEX(T, R, SUFFIX, MAKE, ROOT)                                                                    \
    __host__ __device__ inline R cuCreal##SUFFIX(T a) { return a.x; }                                                  \
    __host__ __device__ inline R cuCimag##SUFFIX(T a) { return a.y; }                                                  \
    __host__ __device__ inline T cuConj##SUFFIX(T a) { return MAKE(a.x, -a.y); }                                       \
    __host__ __device__ inline T cuCadd##SUFFIX(T a, T b) { return MAKE(a.x + b.x, a.y + b.y); }                       \
    __host__ __device__ inline T cuCsub##SUFFIX(T a, T b) { return MAKE(a.x - b.x, a.y - b.y); }                       \
    __host__ __device__ inline T cuCmul##SUFFIX(T a, T b) {                                                            \
        return MAKE(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                                     \
    }                                                                                                                  \
    __host__ __device__ inline T cuCfma##SUFFIX(T a, T b, T c) {                                                       \
        return MAKE(a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y);                                         \
    }                                                                                                                  \
    __host__ __device__ inline R cuCabs##SUFFIX(T a) {                                                                 \
        R x = a.x < 0 ? -a.x : a.x, y = a.y < 0 ? -a.y : a.y;                                                          \
        R big = x > y ? x : y, small = x > y ? y : x;                                                                  \
        if (big == 0 || big + big == big) return x + y;                                                                \
        R q = small / big;                                                                                             \
        return big * ROOT(1 + q * q);                                                                                  \
    }                                                                                                                  \
    __host__ __device__ inline T cuCdiv##SUFFIX(T a, T b) {                                                            \
        R x = b.x < 0 ? -b.x : b.x, y = b.y < 0 ? -b.y : b.y, scale = 1 / (x + y);                                     \
        R ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale, d = 1 / (bx * bx + by * by);         \
        return MAKE((ax * bx + ay * by) * d, (ay * bx - ax * by) * d);                                                 \
    }
__UNSPOOL_COMPLEX(cuFloatComplex, float, f, make_float2, sqrtf)
__UNSPOOL_COMPLEX(cuDoubleComplex, double, , make_double2, sqrt)
#undef __UNSPOOL_COMPLEX
__host__ __device__ inline cuFloatComplex make_cuFloatComplex(float x, float y) { return make_float2(x, y); }
__host__ __device__ inline cuDoubleComplex make_cuDoubleComplex(double x, double y) { return make_double2(x, y); }
__host__ __device__ inline cuComplex make_cuComplex(float x, float y) { return make_float2(x, y); }
__host__ __device__ inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return make_double2(a.x, a.y); }
__host__ __device__ inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
    return make_float2((float)a.x, (float)a.y);
}
