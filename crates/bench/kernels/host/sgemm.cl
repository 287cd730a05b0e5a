// C = A B, square, row by row: one work-item per element, no tiling.
__kernel void sgemm(__global const float *a, __global const float *b, __global float *c, int n) {
  int col = get_global_id(0);
  int row = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}
