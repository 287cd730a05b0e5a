// Integer, common, geometric and mathematical functions of OpenCL C.

BEGIN(integer)
    I(abs(V(-5))); //= 5
    I(abs(V((char)-128))); //= 128
    I(abs_diff(V(-2000000000), 2000000000)); //= 4000000000
    I(add_sat(V(2147483647), 1)); //= 2147483647
    I(add_sat((char)V(-100), (char)-100)); //= -128
    I(add_sat((uchar)V(200), (uchar)100)); //= 255
    I(sub_sat(V(5u), 10u)); //= 0
    I(sub_sat(V(-2147483647), 100)); //= -2147483648
    I(add_sat(V(0x7fffffffffffffffL), 1L)); //= 9223372036854775807
    I(hadd(V(7), 4)); //= 5
    I(hadd(V(-7), 4)); //= -2
    I(rhadd(V(7), 4)); //= 6
    I(hadd(V(0xffffffffu), 0xffffffffu)); //= 4294967295
    I(clamp(V(15), 0, 10)); //= 10
    I(clamp(V(-5L), 0L, 10L)); //= 0
    I(clz(V(1))); //= 31
    I(clz((uchar)V(1))); //= 7
    I(clz(V(0))); //= 32
    I(clz((short)V(-1))); //= 0
    I(popcount(V(0xff00ff))); //= 16
    I(popcount((char)V(-1))); //= 8
    I(popcount(V(-1L))); //= 64
    I(mad_hi(V(0x40000000), 8, 5)); //= 7
    I(mad_sat(V(100000), 100000, 5)); //= 2147483647
    I(mad_sat((char)V(-100), (char)2, (char)5)); //= -128
    I(mul_hi(V(0x40000000), 8)); //= 2
    I(mul_hi(V(0xffffffffu), 2u)); //= 1
    I(mul_hi(V(-1L), 2L)); //= -1
    I(mul_hi((uchar)V(200), (uchar)200)); //= 156
    I(mul24(V(5), -3)); //= -15
    I(mad24(V(5), 3, 2)); //= 17
    I(rotate(V(0x80000001u), 1u)); //= 3
    I(rotate(V(1), -1)); //= -2147483648
    I(rotate((uchar)V(0x81), (uchar)4)); //= 24
    I(rotate(V(1L), 65L)); //= 2
    I(upsample((char)V(-1), (uchar)5)); //= -251
    I(upsample(V(1u), 2u)); //= 4294967298
    I(max((char)V(-1), (char)2)); //= 2
    I(min(V(3u), 2u)); //= 2
    I(max((int2)(V(1), 5), 3).x); //= 3
    I(min((uchar4)(V(1), 5, 3, 4), (uchar4)(2)).y); //= 2
    I(clamp((int4)(V(-3), 5, 20, 1), 0, 10).z); //= 10
    I(abs((int2)(V(-3), 4)).x); //= 3
    I(add_sat((uchar2)(V(250), 1), (uchar2)(10)).x); //= 255
    I(rotate((uint2)(V(1), 2), (uint2)(31, 1)).x); //= 2147483648
END

BEGIN(common)
    F(clamp(V(1.5f), 0.0f, 1.0f)); //= 1.0
    F(degrees(V(3.14159265f))); //~ 180.0
    F(radians(V(180.0f))); //~ 3.14159274
    F(max(V(1.0f), 2.0f)); //= 2.0
    F(min(V(1.0), 2.0)); //= 1.0
    F(mix(V(1.0f), 3.0f, 0.25f)); //= 1.5
    F(step(V(1.0f), 0.5f)); //= 0.0
    F(step(V(1.0f), 1.0f)); //= 1.0
    F(smoothstep(V(0.0f), 1.0f, 0.25f)); //= 0.15625
    F(sign(V(1) * -0.0f)); //= -0.0
    F(sign(V(-3.0f))); //= -1.0
    F(sign(V(NAN))); //= 0.0
    F(mix((float2)(V(1.0f), 2), (float2)(3, 4), 0.5f).y); //= 3.0
    F(max((float4)(V(1.0f), 5, 2, 3), 2.5f).x); //= 2.5
    F(clamp((float2)(V(-1.0f), 5), (float2)(0), (float2)(1, 2)).y); //= 2.0
    F(cross((float4)(V(1.0f), 0, 0, 0), (float4)(0, 1, 0, 0)).z); //= 1.0
    F(cross((float3)(V(1.0f), 2, 3), (float3)(4, 5, 6)).y); //= 6.0
    F(dot((float4)(V(1.0f), 2, 3, 4), (float4)(5, 6, 7, 8))); //= 70.0
    F(dot(V(2.0f), 3.0f)); //= 6.0
    F(length((float2)(V(3.0f), 4))); //= 5.0
    F(distance((float3)(V(1.0f), 2, 3), (float3)(1, 5, 7))); //= 5.0
    F(normalize((float2)(V(3.0f), 4)).y); //~ 0.8
    F(fast_length((float2)(V(3.0f), 4))); //~ 5.0
    F(fast_normalize((float2)(V(3.0f), 4)).x); //~ 0.6
    F(length((double2)(V(3.0), 4))); //= 5.0
END

BEGIN(exact)
    F(floor(V(-2.5f))); //= -3.0
    F(ceil(V(2.1))); //= 3.0
    F(trunc(V(-2.7f))); //= -2.0
    F(rint(V(2.5f))); //= 2.0
    F(round(V(2.5f))); //= 3.0
    F(round(V(-2.5))); //= -3.0
    F(fabs(V(-2.5f))); //= 2.5
    F(copysign(V(2.0f), -0.0f)); //= -2.0
    F(fmax(V(NAN), 2.0f)); //= 2.0
    F(fmin(V(1.0f), NAN)); //= 1.0
    F(fdim(V(5.0f), 3.0f)); //= 2.0
    F(fdim(V(3.0f), 5.0f)); //= 0.0
    F(fmod(V(7.5f), 2.0f)); //= 1.5
    F(fmod(V(-7.5), 2.0)); //= -1.5
    F(remainder(V(7.0f), 4.0f)); //= -1.0
    F(remainder(V(6.0), 4.0)); //= -2.0
    F(sqrt(V(16.0f))); //= 4.0
    F(sqrt(V(2.0))); //= 1.4142135623730951
    F(fma(V(2.0f), 3.0f, 4.0f)); //= 10.0
    F(mad(V(2.0f), 3.0f, 4.0f)); //= 10.0
    F(ldexp(V(1.5f), 4)); //= 24.0
    F(ldexp(V(1.0), -1074)); //= 4.9e-324
    I(ilogb(V(10.0f))); //= 3
    F(logb(V(0.1f))); //= -4.0
    F(nextafter(V(1.0f), 2.0f)); //= 1.0000001192092896
    F(maxmag(V(-3.0f), 2.0f)); //= -3.0
    F(minmag(V(-3.0f), 2.0f)); //= 2.0
    float ip; int e; double dp;
    F(modf(V(-2.75f), &ip)); //= -0.75
    F(ip); //= -2.0
    F(frexp(V(10.0f), &e)); //= 0.625
    I(e); //= 4
    F(fract(V(-0.25f), &ip)); //= 0.75
    F(ip); //= -1.0
    F(frexp(V(0.15625), &e)); //= 0.625
    I(e); //= -2
    F(remquo(V(7.0f), 2.0f, &e)); //= -1.0
    I(e & 7); //= 4
    F(modf(V(1e10), &dp)); //= 0.0
    F(dp); //= 10000000000.0
    float4 fp;
    F(fract((float4)(V(1.5f), 2.25f, -0.5f, 3), &fp).y); //= 0.25
    F(fp.z); //= -1.0
    F(nan(V(0u))); //= nan
    F(floor((float4)(V(-1.5f), 2.5f, 0, 1)).x); //= -2.0
    F(V(1.0f) / 3.0f); //~ 0.3333333333
    F(V(1.0) / 3.0); //= 0.3333333333333333
    F(native_divide(V(1.0f), 4.0f)); //~ 0.25
    F(half_sqrt(V(4.0f))); //~ 2.0
END

BEGIN(transcendental)
    F(sin(V(1.0f))); //~ 0.8414709848078965
    F(cos(V(1.0f))); //~ 0.5403023058681398
    F(tan(V(1.0f))); //~ 1.5574077246549023
    F(sin(V(1e6f))); //~ -0.3499935021712930
    F(cos(V(1e6f))); //~ 0.9367521275331447
    F(asin(V(0.5f))); //~ 0.5235987755982989
    F(acos(V(0.5f))); //~ 1.0471975511965979
    F(atan(V(2.0f))); //~ 1.1071487177940904
    F(atan2(V(-1.0f), -2.0f)); //~ -2.677945044588987
    F(sinh(V(1.0f))); //~ 1.1752011936438014
    F(cosh(V(1.0f))); //~ 1.5430806348152437
    F(tanh(V(0.5f))); //~ 0.46211715726000973
    F(asinh(V(1.0f))); //~ 0.881373587019543
    F(acosh(V(2.0f))); //~ 1.3169578969248166
    F(atanh(V(0.5f))); //~ 0.5493061443340549
    F(sinpi(V(0.25f))); //~ 0.7071067811865475
    F(cospi(V(1.0f))); //= -1.0
    F(atanpi(V(1.0f))); //~ 0.25
    F(exp(V(1.0f))); //~ 2.718281828459045
    F(exp2(V(0.5f))); //~ 1.4142135623730951
    F(exp10(V(2.0f))); //~ 100.0
    F(expm1(V(1e-5f))); //~ 0.00001000004988
    F(log(V(10.0f))); //~ 2.302585092994046
    F(log2(V(10.0f))); //~ 3.321928094887362
    F(log10(V(1000.0f))); //~ 3.0
    F(log1p(V(1e-5f))); //~ 0.0000099999497
    F(pow(V(2.0f), 0.5f)); //~ 1.4142135623730951
    F(pow(V(-2.0f), 3.0f)); //~ -8.0
    F(pow(V(0.0f), 0.0f)); //= 1.0
    F(pown(V(1.5f), 3)); //~ 3.375
    F(pown(V(2.0f), -2)); //~ 0.25
    F(powr(V(2.0f), 10.0f)); //~ 1024.0
    F(rootn(V(27.0f), 3)); //~ 3.0
    F(cbrt(V(27.0f))); //~ 3.0
    F(rsqrt(V(4.0f))); //~ 0.5
    F(hypot(V(3.0f), 4.0f)); //~ 5.0
    F(erf(V(0.5f))); //~ 0.5204998778130465
    F(erfc(V(2.0f))); //~ 0.004677734981063
    F(tgamma(V(5.0f))); //~ 24.0
    F(lgamma(V(10.0f))); //~ 12.801827480081469
    F(sin(V(1.0))); //~ 0.8414709848078965
    F(cos(V(100.0))); //~ 0.8623188722876839
    F(exp(V(-1.0))); //~ 0.36787944117144233
    F(log(V(1e300))); //~ 690.7755278982137
    F(pow(V(1.1), 10.0)); //~ 2.5937424601000023
    F(atan2(V(1.0), 3.0)); //~ 0.3217505543966422
    F(tanh(V(20.0))); //~ 1.0
    F(exp((float2)(V(0.0f), 1)).y); //~ 2.718281828459045
    F(pow((float2)(V(2.0f), 3), (float2)(3, 2)).y); //~ 9.0
    F(native_sin(V(1.0f))); //~ 0.8414709848078965
    F(native_exp(V(1.0f))); //~ 2.718281828459045
    F(half_log(V(10.0f))); //~ 2.302585092994046
    F(exp(V(1000.0f))); //= inf
    F(exp(V(-1000.0f))); //= 0.0
    F(log(V(0.0f))); //= -inf
    F(log(V(-1.0f))); //= nan
    F(sqrt(V(-1.0f))); //= nan
    F(acos(V(2.0f))); //= nan
    float c;
    F(sincos(V(1.0f), &c)); //~ 0.8414709848078965
    F(c); //~ 0.5403023058681398
    int sg;
    F(lgamma_r(V(-0.5f), &sg)); //~ 1.2655121234846454
    I(sg); //= -1
END

kernel void unused(global int *p) { p[0] = 1; }

//@ grid=2 block=16
BEGIN(groups)
    local int s[16];
    local float4 f[2];
    int t = get_local_id(0);
    s[t] = t * 2;
    if (t < 2) f[t] = (float4)(t);
    barrier(CLK_LOCAL_MEM_FENCE);
    I(s[15 - t]); //= 30+18446744073709551614*lid
    F(f[1].w); //= 1.0
    I(get_global_id(0)); //= id
    I(get_group_id(0)); //= gid
    I(get_local_size(0) + get_global_size(0) * 100 + get_num_groups(0) * 10000); //= 23216
    I(get_work_dim()); //= 1
    I(get_global_id(1) + get_local_size(2) + get_global_offset(0)); //= 1
    I(get_local_size(5)); //= 1
    barrier(CLK_LOCAL_MEM_FENCE);
    local int n, lo;
    local uint un;
    if (t == 0) { n = 0; lo = 100; un = 0; }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&n, t);
    atomic_min(&lo, t - 3);
    atomic_inc(&un);
    barrier(CLK_LOCAL_MEM_FENCE);
    I(n); //= 120
    I(lo); //= -3
    I(un); //= 16
END
