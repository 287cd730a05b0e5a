// The Mandelbrot set: how many steps each point takes to leave, `limit` if it does not.
//
//   unspool run examples/mandel.cu --grid 64,64 --block 16,16 --arg out:i32:1024x1024 --arg 1024 --arg 256 --image mandel.png:log
//   unspool compile examples/mandel.cu -arch=sm_90 -o mandel.ptx
//
// The loop has a bound that is known when the kernel starts only, and an exit of its own for each work-item: the host
// runs it in the lanes of vectors all the same, until the last lane has left.
extern "C" __global__ void mandel(int *out, int width, int limit) {
    const int px = blockIdx.x * blockDim.x + threadIdx.x;
    const int py = blockIdx.y * blockDim.y + threadIdx.y;
    const float cx = -2.2f + 3.2f * px / width;
    const float cy = -1.6f + 3.2f * py / width;
    float x = 0.0f, y = 0.0f;
    int n = 0;
#pragma unroll 1
    while (n < limit && x * x + y * y <= 4.0f) {
        const float next = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = next;
        n++;
    }
    out[py * width + px] = n;
}
