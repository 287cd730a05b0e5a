// Vectors of OpenCL C: components, literals, operators, conversions, memory.

BEGIN(scalars_stored_as_vectors)
    float mem[8];
    char bytes[4];
    vstore3(V(2.5f), 0, mem);
    vstore4(V(7), 1, mem);
    F(mem[2]); //= 2.5
    F(mem[4] + mem[7]); //= 14.0
    vstore4((char)V(5), 0, bytes);
    I(bytes[0] + bytes[3]); //= 10
    half h[4];
    vstore_half2(V(1.5f), 1, h);
    F(vload_half(3, h)); //= 1.5
    __builtin_store_half(V(2.5), h);
    __builtin_store_halff(V(0x1.001p0f), h + 1);
    F(__builtin_load_half(h) + __builtin_load_halff(h + 1)); //= 3.5
    F(__builtin_fabsf16(-h[0])); //= 2.5
END

typedef struct { char a; ulong4 b; ushort c; } Wide;
__attribute__((noinline)) int wide_by_value(char pad, Wide w) { char unaligned[3] = {pad, 1, 2}; return w.b.w + w.c + unaligned[1]; }

BEGIN(aligned_structures_by_value)
    char one[5] = {V(1), 2, 3, 4, 5};
    Wide w = {one[1], (ulong4)(V(1), 2, 3, 4), 5};
    I(wide_by_value(one[0], w)); //= 10
    I(wide_by_value(one[4], w)); //= 10
END

BEGIN(components)
    int4 v = (int4)(V(1), 2, 3, 4);
    I(v.x); //= 1
    I(v.s3); //= 4
    I(v.zyx.x); //= 3
    int2 h = v.hi;
    I(h.x * 10 + h.y); //= 34
    h = v.odd;
    I(h.x * 10 + h.y); //= 24
    h = v.even;
    I(h.x * 10 + h.y); //= 13
    v.lo = (int2)(V(7), 8);
    I(v.x * 10 + v.y); //= 78
    v.xw = v.wx;
    I(v.x * 1000 + v.y * 100 + v.z * 10 + v.w); //= 4837
    v.odd = 0;
    I(v.x * 1000 + v.y * 100 + v.z * 10 + v.w); //= 4030
    v.yz = v.zy + 1;
    I(v.x * 1000 + v.y * 100 + v.z * 10 + v.w); //= 4410
    v.s2 = 5;
    I(v.z); //= 5
    v.w += 3;
    I(v.w); //= 3
    v.x++;
    I(v.x--); //= 5
    I(v.x); //= 4
    int3 t = v.xyz;
    I(t.z); //= 5
    I(sizeof(t)); //= 16
    I(sizeof(char3)); //= 4
    t.odd = (int2)(V(6), 7);
    I(t.x * 100 + t.y * 10 + t.z); //= 465
    t.hi = (int2)(V(8), 9);
    I(t.x * 100 + t.y * 10 + t.z); //= 468
    t.hi.y = V(1);
    t.odd += (int2)(V(1), 50);
    I(t.x * 100 + t.y * 10 + t.z); //= 478
    int8 e = (int8)(v, V(5), 6, (int2)(7, 8));
    I(e.s0 + e.s7); //= 12
    I(e.hi.lo.y); //= 6
    I(e.s7654.w); //= 5
    int16 q = (int16)(e, e + 10);
    I(q.sF); //= 18
    I(q.sa); //= 15
    q.sCDEF = (int4)(1, 2, 3, V(4));
    I(q.se); //= 3
    I(q.odd.hi.s2); //= 2
    int4 b = (int4)(V(9));
    I(b.x + b.y + b.z + b.w); //= 36
    b = V(3);
    I(b.w); //= 3
    int4 *p = &b;
    p->y = 40;
    (*p).zw = (int2)(50, 60);
    I(b.y + b.z + b.w); //= 150
    int3 c3 = (int3)(1, (int2)(2, V(3)));
    I(c3.z); //= 3
    I(c3.s210.x); //= 3
    I(c3.lo.y + c3.hi.x); //= 5
END

BEGIN(operators)
    int4 a = (int4)(V(1), -2, 3, -4), b = (int4)(5, 6, V(7), 8);
    int4 c = a + b * 2 - (int4)(1);
    I(c.x); //= 10
    I(c.w); //= 11
    c = -a;
    I(c.y); //= 2
    c = ~a;
    I(c.x); //= -2
    c = !a;
    I(c.x); //= 0
    c = !(int4)(0, 1, V(0), 2);
    I(c.x); //= -1
    c = a < b;
    I(c.x); //= -1
    I(c.y); //= -1
    c = a == (int4)(1, 2, 3, V(4));
    I(c.x + c.y * 2 + c.z * 4 + c.w * 8); //= -5
    c = a && (int4)(0, 1, V(1), 0);
    I(c.x + c.y * 2 + c.z * 4 + c.w * 8); //= -6
    c = a || (int4)(0, 1, V(1), 0);
    I(c.x + c.y * 2); //= -3
    c = (a > 0) ? b : a;
    I(c.x); //= 5
    I(c.y); //= -2
    c = b / a;
    I(c.w); //= -2
    c = b % (int4)(V(3));
    I(c.y * 10 + c.w); //= 2
    c = a >> 1;
    I(c.w); //= -2
    c = b << (int4)(1, 2, 3, 33);
    I(c.w); //= 16
    c ^= a;
    I(c.x); //= 11
    c &= 0xff;
    I(c.y); //= 230
    c |= b;
    I(c.z); //= 63
    c += V(1);
    I(c.x); //= 16
    ++c;
    I(c.x); //= 17
    c--;
    I(c.x); //= 16
    uchar4 u = (uchar4)(200, 100, V(50), 255);
    u += (uchar4)(100);
    I(u.x); //= 44
    I(u.w); //= 99
    u = u * u;
    I(u.y); //= 64
    short2 s = (short2)(V(-1), 5);
    I((s < (short)0).x); //= -1
    I((s < (short)0).y); //= 0
    ushort2 us = (ushort2)(V(65535), 1);
    I((us > (ushort)1).x); //= -1
    us++;
    I(us.x); //= 0
    float4 f = (float4)(V(1.5f), 2, 3, 4);
    f = f * 2 + (float4)(0, 1, 2, 3);
    F(f.x); //= 3.0
    F(f.w); //= 11.0
    f = f / f.wzyx;
    F(f.x); //~ 0.27272728085517883
    int4 r = f < f.yxwz;
    I(r.x * 2 + r.y); //= -2
    f = -f;
    F(f.w); //~ -3.6666667461395264
    double2 d = (double2)(V(1.0), 3.0);
    d /= 4;
    F(d.y); //= 0.75
    long2 l = d == (double2)(0.25, 7);
    I(l.x); //= -1
    I(l.y); //= 0
    float2 nan2 = (float2)(NAN, V(1.0f));
    I((nan2 == nan2).x); //= 0
    I((nan2 != nan2).x); //= -1
    I((nan2 == nan2).y); //= -1
    long4 w = (long4)(V(1L)) << 40;
    I(w.z); //= 1099511627776
    int4 z = (int4)(V(1), 0, -1, 5) ? (int4)(10) : (int4)(20);
    I(z.x); //= 20
    I(z.z); //= 10
END

// Undefined, but all compilers take the low bits of an integer of 32, and an image filter here had 255 where they have 44.
BEGIN(narrow_conversions_of_floats_that_do_not_fit_wrap)
    float4 f = (float4)(V(300.7f), 70000.0f, -129.0f, 511.5f);
    uchar4 u = convert_uchar4(f);
    I(u.x); //= 44
    I(u.y); //= 112
    I(u.w); //= 255
    I(convert_char4(f).z); //= 127
    I(convert_char4_rtp(f).x); //= 45
    I(convert_short4(f).y); //= 4464
    I(convert_uchar_rte(f.w)); //= 0
    I((uchar)f.x); //= 44
    I((char)f.z); //= 127
    I((ushort)f.y); //= 4464
    I((uchar)300.7f); //= 44
    I((short)-32769.0); //= 32767
    I(convert_uchar4_sat(f).x); //= 255
    I(convert_char4_sat(f).z); //= -128
    I((uchar)V(-3.0f)); //= 0
    I((uchar)V(NAN)); //= 0
END

BEGIN(wide_conversions_of_floats_that_do_not_fit_saturate)
    float4 f = (float4)(V(5e9f), -5e9f, NAN, 2147483648.0f);
    uint4 u = convert_uint4(f);
    I(u.x); //= 4294967295
    I(u.y); //= 0
    I(u.z); //= 0
    I(u.w); //= 2147483648
    int4 i = convert_int4(f);
    I(i.x); //= 2147483647
    I(i.y); //= -2147483648
    I(i.z); //= 0
    f *= 1e10f;
    I(convert_long4(f).x); //= 9223372036854775807
    I(convert_long4(f).y == LONG_MIN); //= 1
    I(convert_ulong4(f).x); //= -1
    I(convert_ulong4(f).y); //= 0
    double4 d = convert_double4((float4)(V(3e9f), -1.5f, 5e9f, NAN));
    I(convert_uint4(d).x); //= 3000000000
    I(convert_uint4(d).z); //= 4294967295
    I(convert_ulong4(d).z); //= 5000000000
    I(convert_long4(d).y); //= -1
    I(convert_long4(d).w); //= 0
END

BEGIN(conversions)
    float4 f = (float4)(V(-1.5f), 2.5f, 300.7f, -0.5f);
    int4 i = convert_int4(f);
    I(i.x); //= -1
    I(i.z); //= 300
    i = convert_int4_rte(f);
    I(i.x); //= -2
    I(i.y); //= 2
    I(i.w); //= 0
    i = convert_int4_rtp(f);
    I(i.x); //= -1
    I(i.y); //= 3
    i = convert_int4_rtn(f);
    I(i.x); //= -2
    I(i.w); //= -1
    i = convert_int4_rtz(f);
    I(i.z); //= 300
    uchar4 u = convert_uchar4_sat(f);
    I(u.x); //= 0
    I(u.y); //= 2
    I(u.z); //= 255
    u = convert_uchar4_sat_rte(f);
    I(u.y); //= 2
    char4 c = convert_char4_sat((int4)(V(200), -200, 5, 127));
    I(c.x); //= 127
    I(c.y); //= -128
    I(c.z); //= 5
    I(convert_uchar_sat(V(-5))); //= 0
    I(convert_uchar_sat(V(256))); //= 255
    I(convert_uchar(V(257))); //= 1
    I(convert_short_sat(V(1e10f))); //= 32767
    I(convert_short_sat(V(-1e10f))); //= -32768
    I(convert_int_sat(V(1e10f))); //= 2147483647
    I(convert_int_sat(V(-1e10))); //= -2147483648
    I(convert_int_sat(V(NAN))); //= 0
    I(convert_uint_sat(V(-1.0f))); //= 0
    I(convert_uint_sat(V(1e20f))); //= 4294967295
    I(convert_long_sat(V(1e30f))); //= 9223372036854775807
    I(convert_ulong_sat(V(1e30))); //= -1
    I(convert_ulong_sat(V(-1L))); //= 0
    I(convert_long_sat(V(0xffffffffffffffffUL))); //= 9223372036854775807
    I(convert_int_sat(V(0xffffffffu))); //= 2147483647
    I(convert_char_sat(V(200u))); //= 127
    I(convert_ushort_sat(V(-1))); //= 0
    I(convert_ushort_sat(V(70000L))); //= 65535
    I(convert_int_rte(V(2.5))); //= 2
    I(convert_int_rte(V(3.5))); //= 4
    I(convert_int_rtp(V(2.0000001))); //= 3
    I(convert_long_rtn(V(-2.5f))); //= -3
    F(convert_float_rtz(V(16777219))); //= 16777218.0
    F(convert_float_rtp(V(16777217))); //= 16777218.0
    F(convert_float_rtn(V(16777219))); //= 16777218.0
    F(convert_float_rte(V(16777219))); //= 16777220.0
    F(convert_float_rtn(V(-16777217))); //= -16777218.0
    F(convert_float_rtz(V(0.1))); //= 0.09999999403953552
    F(convert_float_rtp(V(0.1))); //= 0.10000000149011612
    F(convert_double(V(0.1f))); //= 0.10000000149011612
    F(convert_double2((int2)(V(3), 4)).y); //= 4.0
    F(convert_float3((uchar3)(1, V(2), 255)).z); //= 255.0
    I(convert_short8((int8)(V(70000))).s5); //= 4464
    I(convert_long4((uint4)(V(0xffffffffu))).w); //= 4294967295
END

BEGIN(reinterpretation)
    I(as_int(V(1.0f))); //= 1065353216
    F(as_float(V(0x40000000))); //= 2.0
    I(as_uint(V(-1))); //= 4294967295
    I(as_long(V(1.0))); //= 4607182418800017408
    I(as_uchar4(V(0x04030201)).z); //= 3
    I(as_int((uchar4)(V(1), 2, 3, 4))); //= 67305985
    I(as_char((uchar)V(0)) + as_char((uchar)V(200))); //= -56
    I(as_short2(V(0x8000ffff)).x); //= -1
    I(as_ulong((uint2)(V(1), 2))); //= 8589934593
    F(as_double((int2)(V(0), 0x40080000))); //= 3.0
    I(as_int4((float4)(V(1.0f), 0, 2, -0.0f)).w); //= -2147483648
    I(as_uchar8(V(0x0807060504030201L)).s6); //= 7
    I(as_int3((float3)(V(1.0f), 2, 3)).z); //= 1077936128
    I(as_ushort((half)V(1.0f))); //= 15360
END

BEGIN(relational)
    float4 f = (float4)(V(1.0f), NAN, -INFINITY, 0.0f);
    I(isnan(f).y); //= -1
    I(isnan(f).x); //= 0
    I(isnan(V(NAN))); //= 1
    I(isinf(f).z); //= -1
    I(isfinite(f).x); //= -1
    I(isnormal(f).w); //= 0
    I(signbit(f).z); //= -1
    I(signbit(V(1) * -0.0f)); //= 1
    I(isequal(V(1.0f), 1.0f)); //= 1
    I(isequal(f, f).y); //= 0
    I(isequal(f, f).x); //= -1
    I(isnotequal(f, f).y); //= -1
    I(isgreater(f, (float4)(0)).x); //= -1
    I(isless(V(1.0f), NAN)); //= 0
    I(islessequal(V(2.0), 2.0)); //= 1
    I(islessgreater(V(1.0f), 2.0f)); //= 1
    I(isordered(f, f).y); //= 0
    I(isunordered(V(NAN), 1.0f)); //= 1
    I(any((int4)(V(0), 0, -1, 0))); //= 1
    I(any((int4)(V(0), 1, 2, 0))); //= 0
    I(all((int4)(V(-1), -1, -1, -2))); //= 1
    I(all((int2)(V(-1), 5))); //= 0
    I(any(V(-5))); //= 1
    I(select(V(1), 2, -1)); //= 2
    I(select(V(1), 2, 5)); //= 2
    I(select(V(1), 2, 0)); //= 1
    int4 s = select((int4)(1), (int4)(2), (int4)(V(-1), 1, 0, 0x80000000));
    I(s.x * 1000 + s.y * 100 + s.z * 10 + s.w); //= 2112
    F(select((float2)(1, 2), (float2)(3, 4), (int2)(V(0), -1)).y); //= 4.0
    F(select(V(1.0), 2.0, V(1L))); //= 2.0
    I(bitselect(V(0x0f0f), 0x3333, 0xff)); //= 3891
    F(bitselect(V(1.0f), -2.0f, as_float(0x80000000))); //= -1.0
    I((isequal((double2)(V(1.0), 2), (double2)(1, 3))).x); //= -1
    I(sizeof(isequal((double2)(1), (double2)(1)))); //= 16
END

BEGIN(shuffles)
    int4 a = (int4)(V(1), 2, 3, 4), b = (int4)(5, 6, 7, 8);
    int4 r = shuffle(a, (uint4)(3, 2, 1, V(0u)));
    I(r.x * 1000 + r.y * 100 + r.z * 10 + r.w); //= 4321
    int8 r8 = shuffle2(a, b, (uint8)(0, 4, 1, 5, 2, 6, 3, V(7u)));
    I(r8.s1 * 10 + r8.s7); //= 58
    int2 r2 = shuffle(a, (uint2)(7, V(2u)));
    I(r2.x * 10 + r2.y); //= 43
    uchar16 c = (uchar16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, V(15));
    I(shuffle(c, c.sFEDCBA9876543210).s3); //= 12
    float2 f = shuffle((float4)(V(1.0f), 2, 3, 4), (uint2)(1, 3));
    F(f.y); //= 4.0
    I(shuffle2((short2)(1, V(2)), (short2)(3, 4), (ushort2)(3, 0)).x); //= 4
    int3 t = (int3)(V(1), 2, 3);
    I(t.zzy.y); //= 3
    I(vec_step(t)); //= 4
    I(vec_step(int2)); //= 2
    I(vec_step(V(1))); //= 1
END

BEGIN(memory)
    int a[24];
    for (int i = 0; i < 24; i++) a[i] = V(i) * 3;
    int4 v = vload4(1, a);
    I(v.y); //= 15
    v = vload4(0, a + 1);
    I(v.x); //= 3
    int3 t = vload3(2, a);
    I(t.z); //= 24
    vstore3((int3)(V(100), 101, 102), 1, a);
    I(a[2] + a[3] + a[5] + a[6]); //= 226
    vstore2((int2)(V(1), 2), 5, a);
    I(a[10] * 10 + a[11]); //= 12
    int8 e = vload8(1, a);
    I(e.s7); //= 45
    vstore16((int16)(V(7)), 0, a);
    I(a[15] + a[16]); //= 55
    uchar b[32];
    for (int i = 0; i < 32; i++) b[i] = i * 9;
    uchar16 w = vload16(0, b + V(3));
    I(w.s0 * 1000 + w.sf); //= 27162
    half h[8] __attribute__((aligned(16)));
    vstore_half(V(1.5f), 0, h);
    vstore_half(V(-2.25f), 1, h);
    F(vload_half(0, h)); //= 1.5
    F(vload_half(1, h)); //= -2.25
    vstore_half4((float4)(V(1.0f), 65504, 1e-8f, 0.1f), 1, h);
    F(vload_half4(1, h).y); //= 65504.0
    F(vload_half4(1, h).z); //= 0.0
    F(vload_half(7, h)); //= 0.0999755859375
    vstore_half_rtp(V(0.1f), 2, h);
    F(vload_half(2, h)); //= 0.10003662109375
    vstore_half_rtz(V(1e6f), 2, h);
    F(vload_half(2, h)); //= 65504.0
    vstore_half(V(1e6f), 2, h);
    F(vload_half(2, h)); //= inf
    vstorea_half2((float2)(V(3.0f), 4), 1, h);
    F(vloada_half2(1, h).y); //= 4.0
    float4 fv[2];
    fv[V(1)] = (float4)(1, 2, 3, 4);
    F(((float *)fv)[6]); //= 3.0
    int3 t3[2];
    t3[0] = (int3)(1, 2, V(3));
    t3[1] = t3[0].zyx;
    I(((int *)t3)[4]); //= 3
    I((char *)(t3 + 1) - (char *)t3); //= 16
    struct { char c; float4 f; } s = {1, (float4)(V(2.0f))};
    I(sizeof(s)); //= 32
    F(s.f.z); //= 2.0
    int4 arr[3] = {(int4)(1), (int4)(2, 3, 4, V(5))};
    I(arr[1].w + arr[2].x + arr[V(0)].y); //= 6
    vstore4(convert_uchar4((int4)(V(1), 2, 3, 4)), 0, b);
    I(b[2]); //= 3
    double dd[2] = {V(1.0), 2.0};
    double2 d = vload2(0, dd);
    F(d.y); //= 2.0
END

int4 twist(int4 v, int2 w) { return (int4)(v.yx, w.yx); }
float3 cross_own(float3 a, float3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; }
void out(float4 *p, float x) { p->w = x; *p += 1.0f; }

BEGIN(functions)
    int4 r = twist((int4)(V(1), 2, 3, 4), (int2)(8, 9));
    I(r.x * 1000 + r.y * 100 + r.z * 10 + r.w); //= 2198
    float3 c = cross_own((float3)(V(1.0f), 0, 0), (float3)(0, 1, 0));
    F(c.z); //= 1.0
    float4 f = (float4)(V(1.0f));
    out(&f, 5);
    F(f.w); //= 6.0
    F(f.x); //= 2.0
END

FN int2 first(int n, const int *s) {
    int2 a;
    switch (n) {
    case 2: a.y = s[1];
    case 1: a.x = s[0]; break;
    }
    return a;
}

FN int4 all(int n, const int *s) {
    int4 a;
    switch (n) {
    case 4: a.w = s[3];
    case 3: a.z = s[2];
    case 2: a.y = s[1];
    default: a.x = s[0];
    }
    return a;
}

FN int3 chosen(int n, int v) {
    int3 a;
    switch (n) {
    case 0: a.x = v; a.yz = v + 1; break;
    case 1: a.xyz = v; a.y++; break;
    default: a.z = v; goto rest;
    }
    return a;
rest:
    a.x = v * 2;
last:
    a.y = v * 3;
    return a;
}

// Of a vector without a value, the components assigned in a block that is entered one way only were lost.
BEGIN(components_assigned_in_a_switch_vanished)
    int s[4] = {V(11), V(22), V(33), V(44)};
    I(first(V(1), s).x); //= 11
    I(first(V(2), s).x); //= 11
    I(first(V(2), s).y); //= 22
    I(all(V(4), s).x + all(V(4), s).w); //= 55
    I(all(V(3), s).z); //= 33
    I(all(V(0), s).x); //= 11
    for (int i = 0; i < 3; i++) { int3 a = chosen(V(i), V(7)); I(a.x); I(a.y); I(a.z); } //= 7 8 8 7 8 7 14 21 7
    int2 b;
    do { b.x = V(1); b.y = V(2); } while (0);
    I(b.x * 10 + b.y); //= 12
    int2 c;
    for (;;) { c.y = V(3); c.x = V(4); if (c.x) break; }
    I(c.x * 10 + c.y); //= 43
    int2 d;
    while ((d.x = V(5)) == 0) d.x = 6;
    d.y = ({ int2 e; switch (V(1)) { case 1: e.y = V(8); } e.y; });
    I(d.x * 10 + d.y); //= 58
    int2 f;
    V(1) && ({ f.x = V(6); inner: f.y = V(9); 1; });
    I(f.x * 10 + f.y); //= 69
    int2 g;
    int k = 5;
    switch (V(2)) { case 0: do { g.y = k; case 2: g.x = k; } while (--k > 3); }
    I(g.x * 10 + g.y); //= 44
    float4 h;
    switch (V(1)) { case 1: h.lo = (float2)(V(1.0f), V(2.0f)); h.hi = h.lo + 2.0f; break; case 2: h.lo = 1; }
    F(h.x + h.y * 10 + h.z * 100 + h.w * 1000); //= 4321.0
END

BEGIN(scalar_arms_of_narrow_conditions_were_promoted)
    char4 c = (char4)(V(-1), 0, -1, 0);
    char a = V(5);
    uchar b = V(200);
    char4 r = c ? a : (char)7;
    I(r.x * 10 + r.y); //= 57
    uchar4 u = c ? b : a;
    I(u.x * 10 + u.y); //= 2005
    short2 s = (short2)(V(0), -1);
    short2 t = s ? (short)V(-300) : a;
    I(t.x); //= 5
    I(t.y); //= -300
    I(sizeof(c ? a : a)); //= 4
    long2 l = (long2)(V(-1), 0);
    double2 d = l ? V(1.5) : 2;
    F(d.x + d.y); //= 3.5
END

BEGIN(excess_initialisers_are_dropped)
    struct S { int x; int y; };
    int n = V(3);
    struct S s = {{n, 2}};
    I(s.x * 10 + s.y); //= 30
    int i = {n, n++};
    I(i * 10 + n); //= 33
    int m[2][2] = {{1, n, 3}, {{4}}};
    I(m[0][1] * 100 + m[1][0] * 10 + m[1][1]); //= 340
    char t[3] = "abcd";
    I(t[2]); //= 99
END

BEGIN(signed_components_were_promised_not_to_overflow)
    char4 a = (char4)(V(100), 127, -128, 5);
    char4 b = a + a;
    I(b.x); //= -56
    I(b.z); //= 0
    I(((a + (char)1) > a).y); //= 0
    I((-a).z); //= -128
    int2 m = (int2)(V(0x7fffffff), 3);
    I(((m + 1) > m).x); //= 0
    a.s3 = 127;
    a++;
    I(a.w); //= -128
    I((a * a).x); //= -39
END

// clang's spelling of `as_T`, which was a syntax error.
BEGIN(builtin_astype)
    float4 v = (float4)(V(1.0f), 2.0f, 3.0f, 4.0f);
    typedef float3 three;
    three t = __builtin_astype(v * 2.0f, three);
    I(__builtin_astype(t.z, int)); //= 0x40c00000
    I(__builtin_astype(v, uint4).y); //= 0x40000000
    I((int)__builtin_astype((char4)(V(1), 2, 3, 4), uint)); //= 0x04030201
    F(__builtin_astype(__builtin_astype(v, ulong2).y, float2).x); //= 3.0
    I(sizeof(__builtin_astype(V(1.0), long))); //= 8
END

// GCC's and clang's steps of bytes, which were refused.
BEGIN(pointers_to_void_step_by_bytes)
    int a[4] = { V(1), 2, 3, 4 };
    void *p = a;
    void *q = p + V(8);
    I(*(int *)q); //= 3
    q++;
    I((int)(q - p)); //= 9
    q -= 5;
    I(*(int *)q); //= 2
END
