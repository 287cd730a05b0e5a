// test: ptx -arch=sm_90
// Tiles of a work-group begin at multiples of 16 bytes, so that neighbours are written together; what has another size stays
// where it is.
__global__ void k(float *out, const float *in) {
    __shared__ float tile[8][64];
    __shared__ float odd[5];
    for (int i = threadIdx.x; i < 512; i += blockDim.x) tile[i / 64][i % 64] = in[i];
    if (threadIdx.x < 5) odd[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    float *row = &tile[threadIdx.x & 7][4 * (threadIdx.x & 15)];
    out[threadIdx.x] = row[0] * row[1] + row[2] * row[3] + odd[0];
    row[0] = 1, row[1] = out[1], row[2] = 2, row[3] = 3;
    __syncthreads();
    out[threadIdx.x + 256] = tile[threadIdx.x & 7][threadIdx.x >> 3];
}
// check: .shared .align 16 .f32 _ZZ1kPfPKfE4tile[512]
// check: .shared .align 4 .f32 _ZZ1kPfPKfE3odd[5]
// check: st.shared.v4.f32
