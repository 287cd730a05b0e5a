__global__ void a(int *p) {
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
    p[0] = s[1];
}
__global__ void b(long *p) {
    extern __shared__ int s[];
    s[threadIdx.x] = 2;
    p[0] = s[1];
}
