// test: ptx -O2
#pragma OPENCL FP_CONTRACT OFF
kernel void off_in_file(global float *p) { p[0] = p[1] * p[2] + p[3]; }
// check: off_in_file(
// check: mul.rn.f32
// check: add.rn.f32

kernel void block_restores(global float *p) {
    {
#pragma OPENCL FP_CONTRACT ON
        p[0] = p[1] * p[2] + p[3];
    }
    p[4] = p[5] * p[6] + p[7];
}
// check: block_restores(
// check: fma.rn.f32
// check: mul.rn.f32
// check: add.rn.f32

#pragma clang fp contract(on)
kernel void within_expressions(global float *p) {
    float t = p[1] * p[2];
    p[0] = t + p[3];
    p[4] += p[5] * p[6];
}
// check: within_expressions(
// check: mul.rn.f32
// check: add.rn.f32
// check: fma.rn.f32

#pragma clang fp contract(fast)
kernel void across_statements(global float *p) {
    float t = p[1] * p[2];
    p[0] = t + p[3];
}
// check: across_statements(
// not: mul.
// check: fma.rn.f32

#pragma STDC FP_CONTRACT DEFAULT
kernel void as_options_say(global float *p) {
    { _Pragma("STDC FP_CONTRACT OFF") p[4] = p[5] * p[6] + p[7]; }
    p[0] = p[1] * p[2] + p[3];
}
// check: as_options_say(
// check: mul.rn.f32
// check: add.rn.f32
// check: fma.rn.f32
