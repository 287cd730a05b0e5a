// Each work-group sorts 512 keys in local memory.
#define KEYS 512
__kernel void bitonic(__global uint *keys) {
  __local uint a[KEYS];
  uint l = get_local_id(0);
  size_t base = get_group_id(0) * KEYS;
  a[l] = keys[base + l];
  a[l + KEYS / 2] = keys[base + l + KEYS / 2];
  for (uint size = 2; size <= KEYS; size <<= 1)
    for (uint stride = size / 2; stride > 0; stride >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint at = 2 * l - (l & (stride - 1));
      uint up = (l & (size / 2)) == 0;
      uint x = a[at], y = a[at + stride];
      if ((x > y) == up) {
        a[at] = y;
        a[at + stride] = x;
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  keys[base + l] = a[l];
  keys[base + l + KEYS / 2] = a[l + KEYS / 2];
}
