// Transpose through 16 x 16 tiles in local memory.
#define TILE 16
__kernel void transpose(__global const float *in, __global float *out, int width, int height) {
  __local float tile[TILE][TILE + 1];
  int lx = get_local_id(0), ly = get_local_id(1);
  int x = get_group_id(0) * TILE + lx;
  int y = get_group_id(1) * TILE + ly;
  tile[ly][lx] = in[y * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  int ox = get_group_id(1) * TILE + lx;
  int oy = get_group_id(0) * TILE + ly;
  out[oy * height + ox] = tile[lx][ly];
}
