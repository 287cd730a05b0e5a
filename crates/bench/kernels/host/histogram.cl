// 256 bins: atomics in local memory, then in global memory.
__kernel void histogram(__global const uchar *in, __global uint *bins, int per_item, __local uint *local_bins) {
  int l = get_local_id(0);
  for (int b = l; b < 256; b += get_local_size(0))
    local_bins[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  size_t stride = get_global_size(0);
  size_t at = get_global_id(0);
  for (int k = 0; k < per_item; ++k, at += stride)
    atomic_inc(&local_bins[in[at]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int b = l; b < 256; b += get_local_size(0))
    atomic_add(&bins[b], local_bins[b]);
}
