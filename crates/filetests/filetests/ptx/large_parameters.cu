// test: ptx -arch=sm_80
// More than 4352 bytes of parameters, up to 32764, are PTX 8.1's.
// check: .version 8.1
struct Large {
    int values[8000];
};
__global__ void large(Large p, int *out) {
    out[0] = p.values[out[1]];
}
// check: .b8 _Z5large5LargePi_param_0[32000]
