// Written by generate.py from templates.py; change it there.

//@ fn __unspool_nextafter_hf
// The neighbour on the grid of binary16; x and y are halves. Every step is exact in float.
static float __unspool_nextafter_hf(float x, float y) {
  if (x != x || y != y) { return x + y; }
  if (x == y) { return y; }
  float a = __builtin_fabsf(x);
  int away = (y > x) == (x >= 0.0f) || a == 0.0f;
  if (a == 0.0f) { return __builtin_copysignf(5.9604644775390625e-8f, y); }
  if (a == __builtin_inff()) { return __builtin_copysignf(65504.0f, x); }
  int e = (int)(__builtin_unspool_as_uint(a) >> 23) - 127;
  int power = (__builtin_unspool_as_uint(a) & 0x7fffffu) == 0u;
  // Below a power of two the grid is twice as fine.
  e = !away && power ? e - 1 : e;
  e = e < -14 ? -14 : e;
  float step = __builtin_unspool_as_float((unsigned int)(e + 117) << 23);
  float r = away ? a + step : a - step;
  return __builtin_copysignf(r > 65504.0f ? __builtin_inff() : r, x);
}

//@ fn __unspool_fract_hf inline
static float __unspool_fract_hf(float x, float *whole) {
  float t = __builtin_floorf(x);
  *whole = t;
  float f = __builtin_fabsf(x) == __builtin_inff() ? 0.0f : __builtin_fminf(x - t, 0.99951171875f);
  return x != x ? x : __builtin_copysignf(f, x == 0.0f ? x : f);
}

//@ fn __unspool_heqf inline
static float __unspool_heqf(float x, float y) { return x == y ? 1.0f : 0.0f; }

//@ fn __unspool_hnef inline
static float __unspool_hnef(float x, float y) { return x == x && y == y && x != y ? 1.0f : 0.0f; }

//@ fn __unspool_hltf inline
static float __unspool_hltf(float x, float y) { return x < y ? 1.0f : 0.0f; }

//@ fn __unspool_hlef inline
static float __unspool_hlef(float x, float y) { return x <= y ? 1.0f : 0.0f; }

//@ fn __unspool_hgtf inline
static float __unspool_hgtf(float x, float y) { return x > y ? 1.0f : 0.0f; }

//@ fn __unspool_hgef inline
static float __unspool_hgef(float x, float y) { return x >= y ? 1.0f : 0.0f; }

//@ fn __unspool_hequf inline
// Also where one is no number.
static float __unspool_hequf(float x, float y) { return !(x < y || x > y) ? 1.0f : 0.0f; }

//@ fn __unspool_hneuf inline
// Also where one is no number.
static float __unspool_hneuf(float x, float y) { return x != y ? 1.0f : 0.0f; }

//@ fn __unspool_hltuf inline
// Also where one is no number.
static float __unspool_hltuf(float x, float y) { return !(x >= y) ? 1.0f : 0.0f; }

//@ fn __unspool_hleuf inline
// Also where one is no number.
static float __unspool_hleuf(float x, float y) { return !(x > y) ? 1.0f : 0.0f; }

//@ fn __unspool_hgtuf inline
// Also where one is no number.
static float __unspool_hgtuf(float x, float y) { return !(x <= y) ? 1.0f : 0.0f; }

//@ fn __unspool_hgeuf inline
// Also where one is no number.
static float __unspool_hgeuf(float x, float y) { return !(x < y) ? 1.0f : 0.0f; }

//@ fn __unspool_hisnanf inline
static float __unspool_hisnanf(float x) { return x != x ? 1.0f : 0.0f; }

//@ fn __unspool_hadd_satf inline
// Clamped to [0, 1]; a NaN gives 0. The rounding to float cannot disturb the one to half.
static float __unspool_hadd_satf(float x, float y) { return __builtin_fminf(__builtin_fmaxf(x + y, 0.0f), 1.0f); }

//@ fn __unspool_hsub_satf inline
// Clamped to [0, 1]; a NaN gives 0. The rounding to float cannot disturb the one to half.
static float __unspool_hsub_satf(float x, float y) { return __builtin_fminf(__builtin_fmaxf(x - y, 0.0f), 1.0f); }

//@ fn __unspool_hmul_satf inline
// Clamped to [0, 1]; a NaN gives 0. The rounding to float cannot disturb the one to half.
static float __unspool_hmul_satf(float x, float y) { return __builtin_fminf(__builtin_fmaxf(x * y, 0.0f), 1.0f); }
