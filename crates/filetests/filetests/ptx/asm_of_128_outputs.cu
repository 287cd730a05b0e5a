// test: ptx
// The matrix products of sm_90 have up to 128 results; more than 64 were refused.
#define F4(n) "+f"(d[n]), "+f"(d[n + 1]), "+f"(d[n + 2]), "+f"(d[n + 3])
#define F16(n) F4(n), F4(n + 4), F4(n + 8), F4(n + 12)
#define F64(n) F16(n), F16(n + 16), F16(n + 32), F16(n + 48)
__global__ void k(float *p) {
  float d[128];
  for (int i = 0; i < 128; i++) d[i] = p[i];
  asm volatile("add.f32 %0, %0, %127;" : F64(0), F64(64));
  for (int i = 0; i < 128; i++) p[i] = d[i];
}
// check: add.f32
