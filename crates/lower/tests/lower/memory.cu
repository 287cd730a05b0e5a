// Variables whose address is taken live in slots, as arrays and structures do; the others are values.
struct Pair { int first; float second; };

__shared__ float tile[16];
__constant__ int table[3] = {1, 2, 3};
__device__ int counter;

__global__ void memory(Pair *out, Pair in, int n) {
    int taken = n, value = n + 1;
    int *p = &taken;
    *p += value;
    Pair copy = in;
    copy.second = 2.5f;
    out[0] = copy;
    int array[4] = {1, n};
    tile[n] = array[n & 3];
    volatile int *v = &out->first;
    *v = table[n] + counter + taken;
}
