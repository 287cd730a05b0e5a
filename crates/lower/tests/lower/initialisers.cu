// Only what an initialiser leaves out is zeroed, where that is little; a load that asks for no order needs no fence.
__global__ void gaps(int *out, int i) {
    const char text[] = "abc";
    int few[8] = {1};
    struct { short a; int b[3]; } most = {2, {3, 4}};
    out[0] = text[i] + few[i] + most.b[i] + __nv_atomic_load_n(out + 1, __NV_ATOMIC_RELAXED);
}
