// test: ptx -arch=sm_90
extern "C" __global__ void saxpy(float *y, const float *__restrict__ x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
// check: .target sm_90
// check: .visible .entry saxpy(
// check: fma.rn.f32
// check: st.global
