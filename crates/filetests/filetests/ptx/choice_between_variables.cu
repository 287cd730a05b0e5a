// test: ptx -arch=sm_90
// `c ? a : x` of two variables is a place in C++; read at once, it must not put the variables into memory.
extern "C" __global__ void clamp(float *o, const float *in, float a, int n) {
    float x = 0;
    for (int i = 0; i < n; i++) {
        x += in[i];
        x = x > a ? a : x;
    }
    *o = x;
}
// check: .visible .entry clamp(
// not: .local
// check: st.global
