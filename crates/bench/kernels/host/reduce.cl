// Sums of work-groups: a tree in local memory.
__kernel void reduce(__global const float *in, __global float *out, __local float *scratch) {
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
