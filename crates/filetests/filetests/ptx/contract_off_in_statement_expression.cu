// test: ptx -arch=sm_80 -O0
// A pragma against contraction inside of a statement expression was forgotten before the expression that is its value.
extern "C" __global__ void apart(float *o, float a, float c) {
    *o = ({ _Pragma("STDC FP_CONTRACT OFF") a * a - c; });
}
// check: mul.rn.f32
// nextln: sub.rn.f32
// not: fma
