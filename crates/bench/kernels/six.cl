// Six small kernels in one program, as host programs have them: what `first_launch` builds.

kernel void saxpy(float a, global const float *x, global float *y) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}

// Sums of work-groups: a tree in local memory.
kernel void reduce(global const float *in, global float *out, local float *scratch) {
  size_t g = get_global_id(0);
  size_t l = get_local_id(0);
  scratch[l] = in[2 * g] + in[2 * g + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (l < s)
      scratch[l] += scratch[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    out[get_group_id(0)] = scratch[0];
}

// Transpose through tiles in local memory.
#define TILE 16
kernel void transpose(global const float *in, global float *out, int width, int height) {
  local float tile[TILE][TILE + 1];
  int lx = get_local_id(0), ly = get_local_id(1);
  int x = get_group_id(0) * TILE + lx;
  int y = get_group_id(1) * TILE + ly;
  tile[ly][lx] = in[y * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  int ox = get_group_id(1) * TILE + lx;
  int oy = get_group_id(0) * TILE + ly;
  out[oy * height + ox] = tile[lx][ly];
}

// A three-point stencil with clamped borders.
kernel void blur(global const float *in, global float *out, int n) {
  int i = get_global_id(0);
  float left = in[max(i - 1, 0)], right = in[min(i + 1, n - 1)];
  out[i] = 0.25f * left + 0.5f * in[i] + 0.25f * right;
}

// Counts of values in 16 classes, with atomics.
kernel void histogram(global const uint *in, global uint *bins, int n) {
  local uint mine[16];
  int l = get_local_id(0);
  if (l < 16)
    mine[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_inc(&mine[in[i] & 15]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16)
    atomic_add(&bins[l], mine[l]);
}

// Iterations until a point of the plane escapes.
kernel void mandel(global int *out, int width, int limit) {
  int px = get_global_id(0), py = get_global_id(1);
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
