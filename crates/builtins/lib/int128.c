// Integers of 128 bits as two halves, the low one first.

//@ fn __unspool_quotient_digit inline
// One digit of 32 bits of the quotient of (top * 2^32 + next) by d, and the rest, where top < d and d has its highest bit set.
static ulong2 __unspool_quotient_digit(ulong top, ulong next, ulong d) {
  ulong dh = d >> 32, dl = d & 0xffffffffUL;
  ulong q = top / dh, r = top - q * dh;
  // The estimate by the divisor's upper half is at most two too large.
  while (q > 0xffffffffUL || q * dl > (r << 32 | next)) {
    q -= 1UL;
    r += dh;
    if (r > 0xffffffffUL) break;
  }
  return (ulong2)(q, (top << 32 | next) - q * d);
}

//@ fn __unspool_divide_two_by_one
// Quotient and rest of (high * 2^64 + low) by d, where high < d.
static ulong2 __unspool_divide_two_by_one(ulong high, ulong low, ulong d) {
  if (high == 0UL) return (ulong2)(low / d, low % d);
  int s = (int)__builtin_clzl(d);
  d <<= s;
  high = high << s | (low >> 1) >> (63 - s);
  low <<= s;
  ulong2 first = __unspool_quotient_digit(high, low >> 32, d);
  ulong2 second = __unspool_quotient_digit(first.y, low & 0xffffffffUL, d);
  return (ulong2)(first.x << 32 | second.x, second.y >> s);
}

//@ fn __unspool_divide_wide
// Quotient, then rest, of unsigned integers.
static ulong4 __unspool_divide_wide(ulong nl, ulong nh, ulong dl, ulong dh) {
  if (dh == 0UL) {
    ulong high = nh / dl;
    ulong2 low = __unspool_divide_two_by_one(nh - high * dl, nl, dl);
    return (ulong4)(low.x, high, low.y, 0UL);
  }
  int s = (int)__builtin_clzl(dh);
  // The quotient has 64 bits; that of half the dividend by the divisor's 64 highest bits gives it, or one more.
  ulong top = dh << s | (dl >> 1) >> (63 - s);
  ulong q = __unspool_divide_two_by_one(nh >> 1, nh << 63 | nl >> 1, top).x >> (63 - s);
  if (q != 0UL) q -= 1UL;
  ulong pl = q * dl, ph = __builtin_unspool_mulhi_u64(q, dl) + q * dh;
  ulong rl = nl - pl, rh = nh - ph - (ulong)(nl < pl);
  if (rh > dh || (rh == dh && rl >= dl)) {
    q += 1UL;
    rh = rh - dh - (ulong)(rl < dl);
    rl -= dl;
  }
  return (ulong4)(q, 0UL, rl, rh);
}

//@ fn __unspool_wide_scale inline
// The 64 highest bits of a number whose upper half is not 0, the lowest of them set if any below are; the shift.
static ulong2 __unspool_wide_scale(ulong low, ulong high) {
  int s = (int)__builtin_clzl(high);
  ulong m = high << s | (low >> 1) >> (63 - s);
  return (ulong2)(m | (ulong)((low << s) != 0UL), (ulong)(64 - s));
}

//@ fn __unspool_wide_to_double
static double __unspool_wide_to_double(ulong low, ulong high) {
  if (high == 0UL) return (double)low;
  ulong2 m = __unspool_wide_scale(low, high);
  return (double)m.x * __builtin_unspool_as_double((1023UL + m.y) << 52);
}

//@ fn __unspool_wide_to_float
static float __unspool_wide_to_float(ulong low, ulong high) {
  if (high == 0UL) return (float)low;
  ulong2 m = __unspool_wide_scale(low, high);
  return (float)m.x * __builtin_unspool_as_float((127u + (uint)m.y) << 23);
}

//@ fn __unspool_wide_magnitude
// The whole part of |x|; all bits set from 2^128 on, 0 for what is no number.
static ulong2 __unspool_wide_magnitude(double x) {
  ulong bits = __builtin_unspool_as_ulong(x) & 0x7fffffffffffffffUL;
  int e = (int)(bits >> 52) - 1023;
  if (e < 0 || bits > 0x7ff0000000000000UL) return (ulong2)(0UL, 0UL);
  if (e > 127) return (ulong2)(0xffffffffffffffffUL, 0xffffffffffffffffUL);
  ulong m = (bits & 0xfffffffffffffUL) | 0x10000000000000UL;
  if (e <= 52) return (ulong2)(m >> (52 - e), 0UL);
  int k = e - 52;
  if (k >= 64) return (ulong2)(0UL, m << (k - 64));
  return (ulong2)(m << k, m >> (64 - k));
}
