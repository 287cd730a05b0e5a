// One kernel a mathematical function, in both precisions: `scripts/sass_compare.py crates/bench/kernels/math.cu` compares the
// library's code with that of CUDA's.

#define ONE(name) \
  extern "C" __global__ void name##_f64(double *d, const double *a) { d[threadIdx.x] = name(a[threadIdx.x]); } \
  extern "C" __global__ void name##_f32(float *d, const float *a) { d[threadIdx.x] = name##f(a[threadIdx.x]); }

#define TWO(name) \
  extern "C" __global__ void name##_f64(double *d, const double *a, const double *b) { d[threadIdx.x] = name(a[threadIdx.x], b[threadIdx.x]); } \
  extern "C" __global__ void name##_f32(float *d, const float *a, const float *b) { d[threadIdx.x] = name##f(a[threadIdx.x], b[threadIdx.x]); }

ONE(acos) ONE(acosh) ONE(asin) ONE(asinh) ONE(atan) ONE(atanh)
ONE(cbrt) ONE(ceil) ONE(cos) ONE(cosh) ONE(cospi) ONE(erf) ONE(erfc) ONE(erfcinv) ONE(erfcx) ONE(erfinv)
ONE(exp) ONE(exp10) ONE(exp2) ONE(expm1) ONE(floor) ONE(j0) ONE(j1)
ONE(lgamma) ONE(log) ONE(log10) ONE(log1p) ONE(log2) ONE(logb) ONE(normcdf) ONE(normcdfinv)
ONE(rcbrt) ONE(rint) ONE(round) ONE(rsqrt) ONE(sin) ONE(sinh) ONE(sinpi) ONE(sqrt)
ONE(tan) ONE(tanh) ONE(tgamma) ONE(trunc) ONE(y0) ONE(y1)
TWO(atan2) TWO(copysign) TWO(fdim) TWO(fmax) TWO(fmod) TWO(hypot) TWO(nextafter) TWO(pow) TWO(remainder)

extern "C" __global__ void sincos_f64(double *d, const double *a) { sincos(a[threadIdx.x], d + threadIdx.x, d + threadIdx.x + 512); }
extern "C" __global__ void sincos_f32(float *d, const float *a) { sincosf(a[threadIdx.x], d + threadIdx.x, d + threadIdx.x + 512); }
