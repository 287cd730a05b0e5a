//@ fn __unspool_fast_expf inline
static float __unspool_fast_expf(float x) { return __builtin_unspool_ex2_approx(x * 1.4426950408889634f); }
