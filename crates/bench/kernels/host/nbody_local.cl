// The same, through tiles in local memory with barriers.
__kernel void nbody_local(__global const float4 *pos, __global float4 *acc, int n, float eps, __local float4 *tile) {
  int i = get_global_id(0);
  int l = get_local_id(0);
  int size = get_local_size(0);
  float4 p = pos[i];
  float4 a = (float4)(0.0f);
  for (int t = 0; t < n; t += size) {
    tile[l] = pos[t + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < size; ++j) {
      float4 q = tile[j];
      float4 d = q - p;
      float r2 = d.x * d.x + d.y * d.y + d.z * d.z + eps;
      float inv = rsqrt(r2);
      a += d * (q.w * inv * inv * inv);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a.w = 0.0f;
  acc[i] = a;
}
