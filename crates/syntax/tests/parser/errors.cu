__global__ void k(int *p) {
  int x = ;
  p[0] = 1
  p[1] = 2;
  foo(1, ;
  if x) {}
  for (int i = 0; i < 3; ++i { p[i] = 0; }
  unsigned float y;
  #pragma unroll 2 3
  for (;;) {}
  #pragma unroll (4
  for (;;) {}
  #pragma clang loop unrol(enable)
  for (;;) {}
  return 1;
}
#pragma unroll
__device__ int y
__device__ int z;
}
__device__ int w = 08;
