// test: ptx -O0
// What the builtin library marks `inline` is inlined at every level, and what it does not stays a call at -O0.
// not: asin_poly
kernel void k(global float *p) { p[0] = asin(p[1]); }
// check: .func
// check: __unspool_asinf
// check: .entry k(
// check: call
// not: asin_poly
