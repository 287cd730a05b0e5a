// Iterations until a point of the plane escapes: rows of work-items part ways.
__kernel void mandel(__global int *out, int width, int limit) {
  int px = get_global_id(0);
  int py = get_global_id(1);
  float cx = -2.0f + 3.0f * px / width;
  float cy = -1.5f + 3.0f * py / width;
  float x = 0.0f, y = 0.0f;
  int n = 0;
  while (n < limit && x * x + y * y < 4.0f) {
    float t = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = t;
    ++n;
  }
  out[py * width + px] = n;
}
