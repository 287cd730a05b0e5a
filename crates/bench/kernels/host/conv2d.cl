// 3 x 3 convolution with clamped edges.
__kernel void conv2d(__global const float *in, __global float *out, __constant float *weights, int width, int height) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  float sum = 0.0f;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      int sx = clamp(x + dx, 0, width - 1);
      int sy = clamp(y + dy, 0, height - 1);
      sum += weights[(dy + 1) * 3 + dx + 1] * in[sy * width + sx];
    }
  out[y * width + x] = sum;
}
