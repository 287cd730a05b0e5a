// Signed arithmetic does not wrap, unsigned does; small types are computed as `int`; conversions are explicit.
kernel void arithmetic(global long *out, int a, int b, uint u, char c, uchar d, float f, double g) {
    out[0] = a + b * 3 - (a >> 2);
    out[1] = u + 7u;
    out[2] = (u >> 3) / 5u % 2u;
    out[3] = c * d;
    out[4] = (long)a * b;
    out[5] = (int)f + (uint)g;
    out[6] = f < g;
    out[7] = ~a ^ -b;
    out[8] = (char)(a + 300);
}
