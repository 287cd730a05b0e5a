// Sparse matrix in compressed rows by a vector: rows of different lengths.
__kernel void spmv(__global const int *row_start, __global const int *columns, __global const float *values,
                   __global const float *x, __global float *y) {
  int row = get_global_id(0);
  float sum = 0.0f;
  for (int k = row_start[row]; k < row_start[row + 1]; ++k)
    sum += values[k] * x[columns[k]];
  y[row] = sum;
}
