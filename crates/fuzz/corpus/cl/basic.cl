__kernel __attribute__((reqd_work_group_size(64, 1, 1))) __attribute__((vec_type_hint(float4)))
void saxpy(__global const float *restrict x, __global float *y, float a, int n) {
    size_t i = get_global_id(0);
    if (i < n) y[i] = mad(a, x[i], y[i]);
}
kernel void vec(global float4 *p, local int *s, constant float2 *c, int n) {
    int l = get_local_id(0);
    s[l] = n;
    barrier(CLK_LOCAL_MEM_FENCE);
    float4 v = p[l];
    v.xy = v.zw * c[0].yx;
    v.s03 += (float2)(1, s[0]);
    int4 m = v > (float4)(0.5f);
    p[l] = select(v, v.wzyx, m) + convert_float4_rte(convert_int4_sat(v)) + as_float4(m);
    __attribute__((opencl_unroll_hint(4)))
    for (uint i = 0; i < 16; i++) p[i].lo = vload2(i, (global float *)p);
    float16 w = (float16)(v, v, v.even, v.odd, 1, 2, 3, 4);
    p[1] = w.s89ab + dot(v, v) + normalize(v) + clamp(v, 0.f, 1.f);
}
