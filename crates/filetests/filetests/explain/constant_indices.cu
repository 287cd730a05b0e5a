// test: explain -arch=sm_90
// A constant in an index is part of the measured size, although clean-up has moved it into the address: a sum for each,
// an extension and an address for all but one; the sum is free where it is the loop's next counter.
extern "C" __global__ void plain(float *o, const float *in, int n) {
    float x = 0;
    for (int i = 0; i < n; i++) x += in[i];
    *o = x;
}
// check: size 7, exits 1
extern "C" __global__ void shifted(float *o, const float *in, int n) {
    float x = 0;
    for (int i = 0; i < n; i++) x += in[i + 5];
    *o = x;
}
// check: size 8, exits 1
extern "C" __global__ void neighbours(float *o, const float *in, int n) {
    float x = 0;
    for (int i = 0; i < n; i++) x += in[i] * in[i + 1];
    *o = x;
}
// check: size 11, exits 1
extern "C" __global__ void two(float *o, const float *in, int n) {
    float x = 0;
    for (int i = 0; i < n; i++) x += in[i * 13 + 3] + in[i * 13 + 5];
    *o = x;
}
// check: size 14, exits 1
