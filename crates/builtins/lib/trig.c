// Written by generate.py from templates.py; change it there.

//@ data __unspool_two_over_pif
// A zero, then the bits of 2/pi.
static __constant const unsigned int __unspool_two_over_pif[7] = {0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u};

//@ data __unspool_two_over_pi
static __constant const unsigned long __unspool_two_over_pi[21] = {0ul, 0xa2f9836e4e441529ul, 0xfc2757d1f534ddc0ul, 0xdb6295993c439041ul, 0xfe5163abdebbc561ul, 0xb7246e3a424dd2e0ul, 0x06492eea09d1921cul, 0xfe1deb1cb129a73eul, 0xe88235f52ebb4484ul, 0xe99c7026b45f7e41ul, 0x3991d639835339f4ul, 0x9c845f8bbdf9283bul, 0x1ff897ffde05980ful, 0xef2f118b5a0a6d1ful, 0x6d367ecf27cb09b7ul, 0x4f463f669e5fea2dul, 0x7527bac7ebe5f17bul, 0x3d0739f78a5292eaul, 0x6bfb5fb11f8d5d08ul, 0x56033046fc7b6babul, 0xf0cfbc209af4361dul};

//@ fn __unspool_trig_slowf
// Payne and Hanek: multiplies the mantissa with that window of 2/pi whose product matters modulo 4.
static float __unspool_trig_slowf(float x, int *quadrant) {
  unsigned int b = __builtin_unspool_as_uint(x);
  int e = (int)((b >> 23) & 255u) - 128;
  unsigned long m = (unsigned long)((b << 8) | 0x80000000u);
  int w = e >> 5, s = e & 31;
  unsigned long t0 = __unspool_two_over_pif[w], t1 = __unspool_two_over_pif[w + 1];
  unsigned long t2 = __unspool_two_over_pif[w + 2], t3 = __unspool_two_over_pif[w + 3];
  unsigned long u0 = (((t0 << 32) | t1) << s) >> 32;
  unsigned long u1 = (((t1 << 32) | t2) << s) >> 32;
  unsigned long u2 = (((t2 << 32) | t3) << s) >> 32;
  unsigned long h = ((m * u0) << 32) + m * u1 + ((m * u2) >> 32);
  int q = (int)(h >> 62);
  long f = (long)(h << 2);
  q += f < 0 ? 1 : 0;
  float r = (float)((double)f * 8.5153039502163861e-20);
  *quadrant = x < 0.0f ? -q : q;
  return x < 0.0f ? -r : r;
}

//@ fn __unspool_trig_slow
static double __unspool_trig_slow(double x, int *quadrant) {
  unsigned long b = __builtin_unspool_as_ulong(x);
  int e = (int)((b >> 52) & 2047ul) - 1024;
  unsigned long m = (b << 11) | 0x8000000000000000ul;
  int w = e >> 6, s = e & 63;
  unsigned long t0 = __unspool_two_over_pi[w], t1 = __unspool_two_over_pi[w + 1];
  unsigned long t2 = __unspool_two_over_pi[w + 2], t3 = __unspool_two_over_pi[w + 3];
  unsigned long u0 = s == 0 ? t0 : (t0 << s) | (t1 >> (64 - s));
  unsigned long u1 = s == 0 ? t1 : (t1 << s) | (t2 >> (64 - s));
  unsigned long u2 = s == 0 ? t2 : (t2 << s) | (t3 >> (64 - s));
  unsigned long l = m * u1;
  unsigned long h = m * u0 + __builtin_unspool_mulhi_u64(m, u1);
  unsigned long c = __builtin_unspool_mulhi_u64(m, u2);
  l += c;
  h += l < c ? 1ul : 0ul;
  int q = (int)(h >> 62);
  h = (h << 2) | (l >> 62);
  l <<= 2;
  int negative = (long)h < 0;
  q += negative;
  if (negative) { h = ~h + (l == 0ul ? 1ul : 0ul); l = ~l + 1ul; }
  int z = h == 0ul ? 63 : __builtin_clzl(h);
  if (z > 0) { h = (h << z) | (l >> (64 - z)); l <<= z; }
  // h has its top bit set: 53 bits exactly, the other 11 beside them.
  double top = (double)(h & ~2047ul);
  double rest = (double)(h & 2047ul);
  double r = __builtin_fma(top, 1.5707963267948966, __builtin_fma(top, 6.123233995736766e-17, rest * 1.5707963267948966));
  r *= __builtin_unspool_as_double((unsigned long)(1023 - 64 - z) << 52);
  *quadrant = x < 0.0 ? -q : q;
  return (x < 0.0) != (negative != 0) ? -r : r;
}

//@ data __unspool_quadrants
// Of the sine, then of the cosine, all but the first.
static __constant const double __unspool_quadrants[12] = {1.6058521349954986e-10, -2.5052106167335705e-08, 2.7557319219150783e-06, -0.00019841269841264821, 0.0083333333333333315, -0.16666666666666666, 2.0875869296436163e-09, -2.7557315455750886e-07, 2.4801587293373488e-05, -0.0013888888888880361, 0.041666666666666637, -0.5};

//@ fn __unspool_trig_reducef
// x minus the nearest multiple of pi/2, and which multiple (modulo 4).
static float __unspool_trig_reducef(float x, int *quadrant) {
  float a = __builtin_fabsf(x);
  if (!(a < 105615.0f)) {
    if (!(a < __builtin_inff())) { *quadrant = 0; return __builtin_nanf(""); }
    return __unspool_trig_slowf(x, quadrant);
  }
  // The whole part is left in the low bits of the sum.
  float m = __builtin_fmaf(x, 0.636619747f, 12582912.0f);
  float k = m - 12582912.0f;
  *quadrant = (int)__builtin_unspool_as_uint(m);
  float r = __builtin_fmaf(k, -1.57079637f, x);
  r = __builtin_fmaf(k, -(-4.37113883e-08f), r);
  return __builtin_fmaf(k, -(-1.71512451e-15f), r);
}

//@ fn __unspool_sin_polyf inline
static float __unspool_sin_polyf(float r) {
  float z = r * r;
  float p = 2.72468696e-06f;
  p = __builtin_fmaf(p, z, (-0.000198400638f));
  p = __builtin_fmaf(p, z, 0.00833333191f);
  p = __builtin_fmaf(p, z, (-0.166666672f));
  return __builtin_fmaf(p * z, r, r);
}

//@ fn __unspool_cos_polyf inline
static float __unspool_cos_polyf(float r) {
  float z = r * r;
  float p = 2.45454194e-05f;
  p = __builtin_fmaf(p, z, (-0.00138882909f));
  p = __builtin_fmaf(p, z, 0.0416666642f);
  float h = 0.5f * z, w = 1.0f - h;
  return w + __builtin_fmaf(z * z, p, (1.0f - w) - h);
}

//@ fn __unspool_quadrant_sinf inline
// One polynomial for both, whose coefficients are chosen: neighbours need not take turns.
static float __unspool_quadrant_sinf(float r, int q) {
  int odd = q & 1;
  float z = r * r;
  float p = odd != 0 ? 2.44604325e-05f : 2.72468696e-06f;
  p = __builtin_fmaf(p, z, odd != 0 ? (-0.00138875633f) : (-0.000198400638f));
  p = __builtin_fmaf(p, z, odd != 0 ? 0.0416666493f : 0.00833333191f);
  p = __builtin_fmaf(p, z, odd != 0 ? (-0.5f) : (-0.166666672f));
  float b = odd != 0 ? 1.0f : r;
  b = __builtin_unspool_as_float(__builtin_unspool_as_uint(b) ^ ((unsigned int)(unsigned int)(q & 2) << 30));
  return __builtin_fmaf(p * z, b, b);
}

//@ fn __unspool_sinf
static float __unspool_sinf(float x) {
  int q;
  float r = __unspool_trig_reducef(x, &q);
  return x == 0.0f ? x : __unspool_quadrant_sinf(r, q);
}

//@ fn __unspool_cosf
static float __unspool_cosf(float x) {
  int q;
  float r = __unspool_trig_reducef(x, &q);
  return __unspool_quadrant_sinf(r, q + 1);
}

//@ fn __unspool_sincosf
static float __unspool_sincosf(float x, float *cosine) {
  int q;
  float r = __unspool_trig_reducef(x, &q);
  float s = __unspool_sin_polyf(r), c = __unspool_cos_polyf(r);
  float u = (q & 1) != 0 ? c : s, v = (q & 1) != 0 ? s : c;
  *cosine = ((q + 1) & 2) != 0 ? -v : v;
  return x == 0.0f ? x : (q & 2) != 0 ? -u : u;
}

//@ fn __unspool_tanf
static float __unspool_tanf(float x) {
  int q;
  float r = __unspool_trig_reducef(x, &q);
  float s = __unspool_sin_polyf(r), c = __unspool_cos_polyf(r);
  float t = __unspool_quotientf((q & 1) != 0 ? -c : s, (q & 1) != 0 ? s : c);
  return x == 0.0f ? x : t;
}

//@ fn __unspool_pi_reducef inline
// pi times the distance of x from the nearest multiple of 1/2, and which multiple.
static float __unspool_pi_reducef(float x, int *quadrant) {
  float n = __builtin_truncf(x * 0.5f);
  float f = __builtin_fabsf(x) < 16777216.0f ? __builtin_fmaf(n, -2.0f, x) : 0.0f;
  float m = __builtin_fmaf(f, 2.0f, 12582912.0f);
  float k = m - 12582912.0f;
  *quadrant = (int)__builtin_unspool_as_uint(m);
  float r = __builtin_fmaf(k, -0.5f, f);
  r = __builtin_fmaf(r, 3.14159274f, r * (-8.74227766e-08f));
  return __builtin_fabsf(x) < __builtin_inff() ? r : __builtin_nanf("");
}

//@ fn __unspool_half_turnsf inline
// The same of what is finite; the multiple only if it is a number of its type.
static float __unspool_half_turnsf(float x, int *quadrant) {
  float k = __builtin_rintf(x + x);
  *quadrant = (int)(int)k;
  float r = __builtin_fmaf(k, -0.5f, x);
  return __builtin_fmaf(r, 3.14159274f, r * (-8.74227766e-08f));
}

//@ fn __unspool_sinpif
static float __unspool_sinpif(float x) {
  int q;
  float r = __unspool_half_turnsf(x, &q);
  float v = __unspool_quadrant_sinf(r, q);
  return __builtin_truncf(x) == x ? x * 0.0f : v;
}

//@ fn __unspool_cospif
static float __unspool_cospif(float x) {
  int q;
  float r = __unspool_half_turnsf(__builtin_fabsf(x) < 16777216.0f ? x : x * 0.0f, &q);
  return __unspool_quadrant_sinf(r, q + 1) + 0.0f;
}

//@ fn __unspool_tanpif
static float __unspool_tanpif(float x) {
  int q;
  float r = __unspool_pi_reducef(x, &q);
  float s = __unspool_sin_polyf(r), c = __unspool_cos_polyf(r);
  float t = (q & 1) != 0 ? -c / s : s / c;
  // Zeros and poles have the signs that OpenCL gives them: by the parity of the whole or half number.
  if (r == 0.0f) {
    float z = (q & 2) != 0 ? -0.0f : 0.0f;
    float zero = (q & 1) == 0 ? __builtin_copysignf(1.0f, x) * ((q & 2) != 0 ? -0.0f : 0.0f) : z;
    return (q & 1) != 0 ? ((q & 2) != 0 ? -__builtin_inff() : __builtin_inff()) : zero;
  }
  return t;
}

//@ fn __unspool_trig_reduce
// x minus the nearest multiple of pi/2, and which multiple (modulo 4).
static double __unspool_trig_reduce(double x, int *quadrant) {
  double a = __builtin_fabs(x);
  if (!(a < 2147483648.0)) {
    if (!(a < __builtin_inf())) { *quadrant = 0; return __builtin_nan(""); }
    return __unspool_trig_slow(x, quadrant);
  }
  // The whole part is left in the low bits of the sum.
  double m = __builtin_fma(x, 0.63661977236758138, 6755399441055744.0);
  double k = m - 6755399441055744.0;
  *quadrant = (int)__builtin_unspool_as_ulong(m);
  double r = __builtin_fma(k, -1.5707963267948966, x);
  r = __builtin_fma(k, -6.123233995736766e-17, r);
  return __builtin_fma(k, -(-1.4973849048591698e-33), r);
}

//@ fn __unspool_sin_poly inline
static double __unspool_sin_poly(double r) {
  double z = r * r;
  double p = (-7.5860975487507254e-13);
  p = __builtin_fma(p, z, 1.6058521179473928e-10);
  p = __builtin_fma(p, z, (-2.5052106164238619e-08));
  p = __builtin_fma(p, z, 2.7557319219133097e-06);
  p = __builtin_fma(p, z, (-0.00019841269841264781));
  p = __builtin_fma(p, z, 0.0083333333333333315);
  p = __builtin_fma(p, z, (-0.16666666666666666));
  return __builtin_fma(p * z, r, r);
}

//@ fn __unspool_cos_poly inline
static double __unspool_cos_poly(double r) {
  double z = r * r;
  double p = 4.7455366459364656e-14;
  p = __builtin_fma(p, z, (-1.147045652905021e-11));
  p = __builtin_fma(p, z, 2.0876758100030202e-09);
  p = __builtin_fma(p, z, (-2.7557319250371817e-07));
  p = __builtin_fma(p, z, 2.4801587301697528e-05);
  p = __builtin_fma(p, z, (-0.0013888888888889028));
  p = __builtin_fma(p, z, 0.041666666666666664);
  double h = 0.5 * z, w = 1.0 - h;
  return w + __builtin_fma(z * z, p, (1.0 - w) - h);
}

//@ fn __unspool_quadrant_sin inline
// One polynomial for both, whose coefficients are chosen: neighbours need not take turns.
static double __unspool_quadrant_sin(double r, int q) {
  int odd = q & 1;
  double z = r * r;
  double p = odd != 0 ? (-1.1366975624675068e-11) : (-7.5860947896726206e-13);
  p = __builtin_fma(p, z, __unspool_quadrants[6 * odd + 0]);
  p = __builtin_fma(p, z, __unspool_quadrants[6 * odd + 1]);
  p = __builtin_fma(p, z, __unspool_quadrants[6 * odd + 2]);
  p = __builtin_fma(p, z, __unspool_quadrants[6 * odd + 3]);
  p = __builtin_fma(p, z, __unspool_quadrants[6 * odd + 4]);
  p = __builtin_fma(p, z, __unspool_quadrants[6 * odd + 5]);
  double b = odd != 0 ? 1.0 : r;
  b = __builtin_unspool_as_double(__builtin_unspool_as_ulong(b) ^ ((unsigned long)(unsigned int)(q & 2) << 62));
  return __builtin_fma(p * z, b, b);
}

//@ fn __unspool_sin
static double __unspool_sin(double x) {
  int q;
  double r = __unspool_trig_reduce(x, &q);
  return x == 0.0 ? x : __unspool_quadrant_sin(r, q);
}

//@ fn __unspool_cos
static double __unspool_cos(double x) {
  int q;
  double r = __unspool_trig_reduce(x, &q);
  return __unspool_quadrant_sin(r, q + 1);
}

//@ fn __unspool_sincos
static double __unspool_sincos(double x, double *cosine) {
  int q;
  double r = __unspool_trig_reduce(x, &q);
  double s = __unspool_sin_poly(r), c = __unspool_cos_poly(r);
  double u = (q & 1) != 0 ? c : s, v = (q & 1) != 0 ? s : c;
  *cosine = ((q + 1) & 2) != 0 ? -v : v;
  return x == 0.0 ? x : (q & 2) != 0 ? -u : u;
}

//@ fn __unspool_tan
static double __unspool_tan(double x) {
  int q;
  double r = __unspool_trig_reduce(x, &q);
  double s = __unspool_sin_poly(r), c = __unspool_cos_poly(r);
  double t = __unspool_quotient((q & 1) != 0 ? -c : s, (q & 1) != 0 ? s : c);
  return x == 0.0 ? x : t;
}

//@ fn __unspool_pi_reduce inline
// pi times the distance of x from the nearest multiple of 1/2, and which multiple.
static double __unspool_pi_reduce(double x, int *quadrant) {
  double n = __builtin_trunc(x * 0.5);
  double f = __builtin_fabs(x) < 9007199254740992.0 ? __builtin_fma(n, -2.0, x) : 0.0;
  double m = __builtin_fma(f, 2.0, 6755399441055744.0);
  double k = m - 6755399441055744.0;
  *quadrant = (int)__builtin_unspool_as_ulong(m);
  double r = __builtin_fma(k, -0.5, f);
  r = __builtin_fma(r, 3.1415926535897931, r * 1.2246467991473532e-16);
  return __builtin_fabs(x) < __builtin_inf() ? r : __builtin_nan("");
}

//@ fn __unspool_half_turns inline
// The same of what is finite; the multiple only if it is a number of its type.
static double __unspool_half_turns(double x, int *quadrant) {
  double k = __builtin_rint(x + x);
  *quadrant = (int)(long)k;
  double r = __builtin_fma(k, -0.5, x);
  return __builtin_fma(r, 3.1415926535897931, r * 1.2246467991473532e-16);
}

//@ fn __unspool_sinpi
static double __unspool_sinpi(double x) {
  int q;
  double r = __unspool_half_turns(x, &q);
  double v = __unspool_quadrant_sin(r, q);
  return __builtin_trunc(x) == x ? x * 0.0 : v;
}

//@ fn __unspool_cospi
static double __unspool_cospi(double x) {
  int q;
  double r = __unspool_half_turns(__builtin_fabs(x) < 9007199254740992.0 ? x : x * 0.0, &q);
  return __unspool_quadrant_sin(r, q + 1) + 0.0;
}

//@ fn __unspool_tanpi
static double __unspool_tanpi(double x) {
  int q;
  double r = __unspool_pi_reduce(x, &q);
  double s = __unspool_sin_poly(r), c = __unspool_cos_poly(r);
  double t = (q & 1) != 0 ? -c / s : s / c;
  // Zeros and poles have the signs that OpenCL gives them: by the parity of the whole or half number.
  if (r == 0.0) {
    double z = (q & 2) != 0 ? -0.0 : 0.0;
    double zero = (q & 1) == 0 ? __builtin_copysign(1.0, x) * ((q & 2) != 0 ? -0.0 : 0.0) : z;
    return (q & 1) != 0 ? ((q & 2) != 0 ? -__builtin_inf() : __builtin_inf()) : zero;
  }
  return t;
}

//@ fn __unspool_sincos_outf
static void __unspool_sincos_outf(float x, float *sine, float *cosine) {
  float c;
  *sine = __unspool_sincosf(x, &c);
  *cosine = c;
}

//@ fn __unspool_sincospif
static void __unspool_sincospif(float x, float *sine, float *cosine) {
  *sine = __unspool_sinpif(x);
  *cosine = __unspool_cospif(x);
}

//@ fn __unspool_sincos_out
static void __unspool_sincos_out(double x, double *sine, double *cosine) {
  double c;
  *sine = __unspool_sincos(x, &c);
  *cosine = c;
}

//@ fn __unspool_sincospi
static void __unspool_sincospi(double x, double *sine, double *cosine) {
  *sine = __unspool_sinpi(x);
  *cosine = __unspool_cospi(x);
}
