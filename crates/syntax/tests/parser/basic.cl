#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef struct { float x; int n : 3; } pair;
__constant float table[4] = {1.0f, 2.0f, [2] = 3.0f, 4.0f};
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((vec_type_hint(float4)))
void add(__global const float4 *restrict a, global float *b, __local int *l, read_only image2d_t img, uint n)
{
  size_t i = get_global_id(0);
  float4 v = (float4)(1.0f, 2.0f, a[i].xy);
  v.s01 = (float2)(0.5f);
  __local float tile[16][17];
  #pragma unroll 4
  for (int k = 0; k < 16; ++k) tile[k][0] += v.lo.x * as_float(k) + convert_float_rte(n);
  #pragma unroll
  #pragma nounroll
  __attribute__((opencl_unroll_hint(2)))
  while (n--) { if (n == 3) break; else continue; }
  #pragma unrol 3
  do { b[i] = (float)n; } while (0);
  int x = (int)(i, 2);
  switch (x) { case 1: case 2 ... 4: b[0] = 1; break; default: ; }
  half h = 1.0h;
  bool ok = true;
}
