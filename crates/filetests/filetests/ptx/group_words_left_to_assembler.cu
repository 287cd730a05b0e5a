// test: ptx -arch=sm_90
// Loads of neighbouring words of a group's memory stay apart: NVIDIA's assembler joins them, after it has unrolled loops by
// their number of instructions. Joined here, this loop was unrolled four times more. What the program reads as a whole stays
// whole, and bytes, which the assembler leaves apart, are joined.
__global__ void words(float *out) {
    __shared__ float part[512];
    part[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int i = 0; i < 512; i++) sum += part[i];
        out[0] = sum;
    }
}
// check: ld.shared.f32
// check: ld.shared.f32
// check: .visible .entry _Z5wholePfi
__global__ void whole(float *out, int n) {
    __shared__ float4 part[128];
    part[threadIdx.x] = make_float4(n, 1, 2, out[threadIdx.x]);
    __syncthreads();
    float4 v = part[threadIdx.x ^ n];
    out[threadIdx.x] = v.x * v.y + v.z * v.w;
}
// check: ld.shared.v4.f32
// check: .visible .entry _Z5bytesPi
__global__ void bytes(int *out) {
    __shared__ unsigned char part[512];
    part[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    unsigned char *p = part + 4 * (threadIdx.x & 15);
    out[threadIdx.x] = p[0] * p[1] + p[2] * p[3];
}
// check: ld.shared.v4.u8
