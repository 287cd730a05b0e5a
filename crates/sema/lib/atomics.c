// Atomics that some targets lack, as loops of compare-and-swap. `lower` asks for these by name; here a pointer is a real
// one, into any space.

//@ fn __unspool_atomic_add_f64
// For targets before sm_60.
static double __unspool_atomic_add_f64(volatile __generic double *p, double v) {
  unsigned long old = __builtin_unspool_as_ulong(*p), seen;
  do {
    seen = old;
    old = __builtin_unspool_cas_u64(p, seen, __builtin_unspool_as_ulong(__builtin_unspool_as_double(seen) + v));
  } while (old != seen);
  return __builtin_unspool_as_double(old);
}

//@ fn __unspool_atomic_min_f32
static float __unspool_atomic_min_f32(volatile __generic float *p, float v) {
  unsigned int old = __builtin_unspool_as_uint(*p), seen;
  do {
    seen = old;
    old = __builtin_unspool_cas_u32(p, seen, __builtin_unspool_as_uint(__builtin_fminf(__builtin_unspool_as_float(seen), v)));
  } while (old != seen);
  return __builtin_unspool_as_float(old);
}

//@ fn __unspool_atomic_max_f32
static float __unspool_atomic_max_f32(volatile __generic float *p, float v) {
  unsigned int old = __builtin_unspool_as_uint(*p), seen;
  do {
    seen = old;
    old = __builtin_unspool_cas_u32(p, seen, __builtin_unspool_as_uint(__builtin_fmaxf(__builtin_unspool_as_float(seen), v)));
  } while (old != seen);
  return __builtin_unspool_as_float(old);
}

//@ fn __unspool_atomic_min_f64
static double __unspool_atomic_min_f64(volatile __generic double *p, double v) {
  unsigned long old = __builtin_unspool_as_ulong(*p), seen;
  do {
    seen = old;
    old = __builtin_unspool_cas_u64(p, seen, __builtin_unspool_as_ulong(__builtin_fmin(__builtin_unspool_as_double(seen), v)));
  } while (old != seen);
  return __builtin_unspool_as_double(old);
}

//@ fn __unspool_atomic_max_f64
static double __unspool_atomic_max_f64(volatile __generic double *p, double v) {
  unsigned long old = __builtin_unspool_as_ulong(*p), seen;
  do {
    seen = old;
    old = __builtin_unspool_cas_u64(p, seen, __builtin_unspool_as_ulong(__builtin_fmax(__builtin_unspool_as_double(seen), v)));
  } while (old != seen);
  return __builtin_unspool_as_double(old);
}
