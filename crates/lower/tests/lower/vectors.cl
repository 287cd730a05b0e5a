// Vectors are values; lanes are taken and put one by one, swizzles are shuffles. Shifts take their amount modulo the
// width.
kernel void vectors(global float4 *out, float4 a, float4 b, int4 n, int k) {
    float4 c = a * b + (float4)(1.0f, 2.0f, a.y, 4.0f);
    c.zw = a.yx;
    c.s0 = b.w;
    out[0] = c.wzyx;
    int4 m = n << k;
    m = n < m ? n : -m;
    out[1] = convert_float4(m);
    vstore3(c.xyz, 2, (global float *)out);
}
