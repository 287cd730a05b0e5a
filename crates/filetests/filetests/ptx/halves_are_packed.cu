// test: ptx -arch=sm_90
// A number that is put together of two halves is a move of both: with shifts and unions ptxas rounded floats to halves one by one.
// check: .visible .entry _Z4wordttPj(
// check: mov.b32
// not: shl
// not: or.b32
// check: st.global
__global__ void word(unsigned short lo, unsigned short hi, unsigned *out) {
    *out = lo | (unsigned)hi << 16;
}
// check: .visible .entry _Z9long_wordjjPy(
// check: mov.b64
// not: shl
// not: or.b64
// check: st.global
__global__ void long_word(unsigned lo, unsigned hi, unsigned long long *out) {
    *out = (unsigned long long)hi << 32 | lo;
}
// Sums that inline assembly changes in place keep their registers from one to the next.
// check: .visible .entry _Z5chainPf(
// check: ld.global
// not: mov.f32
// check: ret;
__global__ void chain(float *p) {
    float a = p[0], b = p[1], c = p[2], d = p[3];
    for (int i = 0; i < 4; i++)
        asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %4, 0;\n@p fma.rn.f32 %0, %1, %2, %3;\n@p fma.rn.f32 %1, %0, %2, %3;\n"
                     "@p fma.rn.f32 %2, %1, %0, %3;\n@p fma.rn.f32 %3, %1, %2, %0;\n}"
                     : "+f"(a), "+f"(b), "+f"(c), "+f"(d)
                     : "r"(i));
    p[0] = a, p[1] = b, p[2] = c, p[3] = d;
}
