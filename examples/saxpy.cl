// y = a * x + y, four elements per work-item.
//
//   unspool compile examples/saxpy.cl -arch=sm_80 -cl-std=CL1.2 --emit ptx -o saxpy.ptx
#define PER_ITEM 4

__kernel void saxpy(__global float *restrict y, __global const float *restrict x, const float a, const uint n) {
    const uint base = get_global_id(0) * PER_ITEM;
    __attribute__((opencl_unroll_hint(PER_ITEM)))
    for (uint i = 0; i < PER_ITEM; i++) {
        const uint at = base + i;
        if (at < n) {
            y[at] = a * x[at] + y[at];
        }
    }
}
