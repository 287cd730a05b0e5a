// What a group of work-items does together, and CUDA's device functions.

//@ grid=2 block=64
BEGIN(indices)
    I(threadIdx.x); //= lid
    I(blockIdx.x); //= gid
    I(blockIdx.x * blockDim.x + threadIdx.x); //= id
    I(blockDim.x + gridDim.x * 100 + blockDim.y + gridDim.z); //= 266
    I(warpSize); //= 32
END

//@ block=64
BEGIN(reduction)
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t * t + V(0);
    __syncthreads();
    for (int d = 32; d > 0; d >>= 1) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    I(s[0]); //= 85344
    __syncthreads();
    s[t] = t;
    __syncthreads();
    I(s[63 - t]); //= 63+18446744073709551615*lid
    I(__syncthreads_count(t < 10)); //= 10
    I(__syncthreads_and(t < 64)); //= 1
    I(__syncthreads_or(t == 5)); //= 1
END

//@ block=32 shared=512
BEGIN(dynamic_shared)
    extern __shared__ float dyn[];
    int t = threadIdx.x;
    dyn[t] = t;
    dyn[t + 32] = 100 - t;
    __syncthreads();
    I(dyn[31 - t] + dyn[32 + t] == 131 - 2 * t); //= 1
END

//@ block=64
BEGIN(scan)
    __shared__ int a[2][64];
    int t = threadIdx.x, in = 0;
    a[0][t] = 1;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        a[1 - in][t] = t >= d ? a[in][t] + a[in][t - d] : a[in][t];
        in = 1 - in;
        __syncthreads();
    }
    I(a[in][t]); //= lid+1
END

//@ block=32
BEGIN(transpose)
    __shared__ int tile[8][9];
    int x = threadIdx.x % 4, y = threadIdx.x / 4;
    tile[y][x] = y * 10 + x;
    __syncthreads();
    I(tile[threadIdx.x % 8][threadIdx.x / 8] == threadIdx.x % 8 * 10 + threadIdx.x / 8); //= 1
END

//@ block=32
BEGIN(warp)
    int t = threadIdx.x;
    unsigned all = 0xffffffffu;
    I(__shfl_sync(all, t * 3, V(5))); //= 15
    I(__shfl_up_sync(all, t, 1) == (t ? t - 1 : 0)); //= 1
    I(__shfl_down_sync(all, t, 2) == (t < 30 ? t + 2 : t)); //= 1
    I(__shfl_xor_sync(all, t, 1) == (t ^ 1)); //= 1
    I(__shfl_sync(all, t, 1, 8) == t / 8 * 8 + 1); //= 1
    I(__shfl_xor_sync(all, (long long)t << 33, 3) >> 33 == (t ^ 3)); //= 1
    F(__shfl_sync(all, t * 0.5f, 3)); //= 1.5
    F(__shfl_sync(all, t * 0.25, 3)); //= 0.75
    I(__ballot_sync(all, t % 2)); //= 0xaaaaaaaa
    I(__any_sync(all, t == 31)); //= 1
    I(__all_sync(all, t < 31)); //= 0
    I(__popc(__ballot_sync(all, t < V(7)))); //= 7
    I(__activemask()); //= 0xffffffff
    int v = t;
    for (int d = 16; d; d >>= 1) v += __shfl_down_sync(all, v, d);
    I(__shfl_sync(all, v, 0)); //= 496
    v = t + 1;
    for (int d = 1; d < 32; d <<= 1) v = max(v, __shfl_xor_sync(all, v, d));
    I(v); //= 32
    unsigned m = __match_any_sync(all, t / 8);
    I(m == 0xffu << (t / 8 * 8)); //= 1
    int pred;
    I(__match_all_sync(all, V(4), &pred)); //= 0xffffffff
    I(pred); //= 1
    __syncwarp();
    I(t < 16 ? __ballot_sync(0xffff, t & 1) : 0xaaaa); //= 0xaaaa
END

__device__ int counter[8];
__device__ unsigned ucounter;
__device__ float fcounter = 1.5f;
__device__ unsigned long long lcounter;
__device__ double dcounter;
__device__ int table[4] = {1, 2, 3};
__constant__ int lut[5] = {5, 4, 3, 2, 1};

//@ block=64
BEGIN(atomics)
    int t = threadIdx.x;
    __shared__ int s, lo, hi, bits[3];
    __shared__ unsigned inc, dec;
    __shared__ float fs;
    __shared__ unsigned long long ls;
    if (t == 0) { s = 0; lo = 1000; hi = -1000; bits[0] = -1; bits[1] = 0; bits[2] = 0; inc = 0; dec = 5; fs = 0; ls = 0; }
    __syncthreads();
    atomicAdd(&s, t);
    atomicMin(&lo, t - 10);
    atomicMax(&hi, t - 10);
    atomicAnd(&bits[0], ~(1 << (t & 7)));
    atomicOr(&bits[1], 1 << (t & 3));
    atomicXor(&bits[2], t);
    atomicInc(&inc, 9);
    atomicDec(&dec, 9);
    atomicAdd(&fs, 0.5f);
    atomicAdd(&ls, 1ull << 32);
    atomicAdd(&counter[t & 7], 1);
    atomicSub(&counter[t & 7], 3);
    atomicAdd(&ucounter, 1u);
    atomicAdd(&fcounter, 0.25f);
    atomicMax(&lcounter, (unsigned long long)t << 40);
    atomicAdd(&dcounter, 0.125);
    __threadfence();
    __syncthreads();
    I(s); //= 2016
    I(lo); //= -10
    I(hi); //= 53
    I(bits[0]); //= -256
    I(bits[1]); //= 15
    I(bits[2]); //= 0
    I(inc); //= 4
    I(dec); //= 1
    F(fs); //= 32.0
    I(ls); //= 274877906944
    I(counter[t & 7]); //= -16
    I(ucounter); //= 64
    F(fcounter); //= 17.5
    I(lcounter >> 40); //= 63
    F(dcounter); //= 8.0
END

BEGIN(atomic_results)
    int x = V(5);
    __shared__ int s;
    s = V(5);
    I(atomicAdd(&s, 3)); //= 5
    I(atomicExch(&s, 20)); //= 8
    I(atomicCAS(&s, 20, 30)); //= 20
    I(atomicCAS(&s, 20, 40)); //= 30
    I(s); //= 30
    I(atomicSub(&s, 1)); //= 30
    I(atomicMax(&s, 100)); //= 29
    I(atomicMin(&s, -1)); //= 100
    I(atomicOr(&s, 1)); //= -1
    I(atomicExch(&table[V(1)], x)); //= 2
    I(table[1] + table[2] + table[3]); //= 8
    __shared__ unsigned u;
    u = V(9u);
    I(atomicInc(&u, 9)); //= 9
    I(u); //= 0
    I(atomicDec(&u, 7)); //= 0
    I(u); //= 7
    I(atomicDec(&u, 3)); //= 7
    I(u); //= 3
    __shared__ unsigned long long l;
    l = V(1ull << 40);
    I(atomicCAS(&l, 1ull << 40, 7ull)); //= 1099511627776
    I(atomicExch(&l, 8ull)); //= 7
    __shared__ float f;
    f = V(1.5f);
    F(atomicExch(&f, 2.5f)); //= 1.5
    F(atomicAdd(&f, 1.0f)); //= 2.5
    F(f); //= 3.5
    I(lut[V(1)] + lut[4]); //= 5
END

BEGIN(integer_intrinsics)
    I(__popc(V(0xf0f0u))); //= 8
    I(__popcll(V(0xf0f0f0f0f0f0ull))); //= 24
    I(__clz(V(1))); //= 31
    I(__clz(V(0))); //= 32
    I(__clzll(V(1LL))); //= 63
    I(__ffs(V(8))); //= 4
    I(__ffs(V(0))); //= 0
    I(__ffsll(V(1LL << 40))); //= 41
    I(__brev(V(1u))); //= 2147483648
    I(__brevll(V(1ull))); //= -9223372036854775808
    I(__mulhi(V(0x40000000), 8)); //= 2
    I(__umulhi(V(0xffffffffu), 2u)); //= 1
    I(__mul64hi(V(1LL << 62), 8)); //= 2
    I(__umul64hi(V(~0ull), 2ull)); //= 1
    I(__mul24(V(0x1000005), 3)); //= 15
    I(__umul24(V(0xff000002u), 4u)); //= 8
    I(__sad(V(3), 10, 5u)); //= 12
    I(__usad(V(3u), 10u, 5u)); //= 12
    I(__hadd(V(7), 4)); //= 5
    I(__rhadd(V(7), 4)); //= 6
    I(__byte_perm(V(0x33221100), 0x77665544, 0x7410)); //= 2000949504
    I(__funnelshift_l(V(0x80000000u), 1u, 4)); //= 24
    I(__funnelshift_r(V(0x80000000u), 1u, 4)); //= 402653184
    I(__funnelshift_lc(V(0x80000000u), 1u, 40)); //= 2147483648
    I(min(V(-1), 2)); //= -1
    I(max(V(-1), 2)); //= 2
    I(max(V(3u), 2u)); //= 3
    I(min(V(5LL), 2LL)); //= 2
    I(abs(V(-5))); //= 5
    I(llabs(V(-5LL))); //= 5
    F(fabsf(V(1) * -2.5f)); //= 2.5
    I(__float_as_int(V(1.0f))); //= 1065353216
    F(__int_as_float(V(0x40000000))); //= 2.0
    I(__double2hiint(V(1.0))); //= 1072693248
    I(__double2loint(V(1.0))); //= 0
    F(__hiloint2double(V(0x40080000), 0)); //= 3.0
    I(__float2int_rn(V(2.5f))); //= 2
    I(__float2int_rz(V(2.9f))); //= 2
    I(__float2int_ru(V(2.1f))); //= 3
    I(__float2int_rd(V(-2.1f))); //= -3
    I(__double2ll_rn(V(3.5))); //= 4
    F(__int2float_rz(V(16777219))); //= 16777218.0
    F(__uint2float_rn(V(0xffffffffu))); //= 4294967296.0
    F(__fadd_rz(V(1.0f), 1e-8f)); //= 1.0
    F(__fadd_ru(V(1.0f), 1e-8f)); //= 1.0000001192092896
    F(__fmaf_rn(V(2.0f), 3.0f, 4.0f)); //= 10.0
    F(__fmul_rd(V(3.0f), 0.5f)); //= 1.5
    F(__frcp_rn(V(4.0f))); //= 0.25
    F(__fsqrt_rn(V(16.0f))); //= 4.0
    F(__fdividef(V(1.0f), 4.0f)); //~ 0.25
    F(__saturatef(V(1.5f))); //= 1.0
    F(__saturatef(V(1) * -0.5f)); //= 0.0
    I(__vadd4(V(0x01ff0203), 0x01010101)); //= 33555204
    I(__vabsdiffu4(V(0x05010203), 0x01040101)); //= 67305730
    I(__vmaxs2(V(0x0001ffff), 0x00020000)); //= 131072
    I(__dp4a(V(0x01020304), 0x01010101, 5)); //= 15
    I(__dp4a(make_char4(V(1), -2, 3, 4), make_char4(1, 1, 1, 1), 5)); I(__dp4a(make_uchar4(V(255), 0, 0, 1), make_uchar4(2, 0, 0, 3), 1u)); //= 11 514
    I(__dp2a_lo(make_short2(V(-300), 2), make_char4(3, 4, 5, 6), 1)); I(__dp2a_hi(make_ushort2(V(300), 2), make_uchar4(3, 4, 5, 6), 1u)); //= -891 1513
END

struct __align__(16) Rec { float4 v; int k; };
__device__ float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }

BEGIN(vector_records)
    float4 f = make_float4(V(1.0f), 2, 3, 4);
    F(f.x + f.w); //= 5.0
    f.y = V(9);
    float4 g = f + f;
    F(g.y); //= 18.0
    int2 i = {V(1), 2};
    I(i.x + i.y * 10); //= 21
    uchar4 c = make_uchar4(V(250), 2, 3, 4);
    c.x += 10;
    I(c.x); //= 4
    I(sizeof(float3)); //= 12
    I(sizeof(float4)); //= 16
    I(alignof(float4)); //= 16
    I(sizeof(uchar3)); //= 3
    I(sizeof(Rec)); //= 32
    Rec r = {{1, 2, 3, 4}, V(5)};
    r.v = g;
    F(r.v.y); //= 18.0
    I(r.k); //= 5
    float *p = &f.x;
    F(p[3]); //= 4.0
    float4 a[2] = {f, g};
    F(a[V(1)].y); //= 18.0
    F(reinterpret_cast<float *>(a)[V(5)]); //= 18.0
    dim3 d(V(4), 5);
    I(d.x + d.y * 10 + d.z * 100); //= 154
    double2 dd = make_double2(V(1.5), 2);
    F(dd.x * dd.y); //= 3.0
    longlong2 l = make_longlong2(V(1LL) << 40, 1);
    I(l.x + l.y); //= 1099511627777
    float3 h = {1, 2, V(3.0f)};
    float3 h2 = h;
    h2.x = h.z;
    F(h2.x + h.x); //= 4.0
END

//@ printf=a 5 -3 ff\n 1.500000 x hey 7%\n10000000000 c
BEGIN(printing)
    printf("a %d %i %x\n", V(5), V(-3), V(255));
    printf(" %f %c %s %u%%\n", V(1.5f), 'x', "hey", V(7u));
    printf("%lld %c", V(10000000000LL), V('c'));
    I(1); //= 1
END

BEGIN(memory_functions)
    char a[16];
    memset(a, V(7), 16);
    I(a[15]); //= 7
    int b[4] = {1, 2, 3, V(4)}, c[4];
    memcpy(c, b, sizeof(b));
    I(c[3] + c[0]); //= 5
    memcpy(a + 1, b, V(5));
    I(a[1] * 100 + a[5] * 10 + a[6]); //= 127
    double d = V(1.0);
    long long l;
    memcpy(&l, &d, 8);
    I(l); //= 4607182418800017408
    memset(c, 0xff, V(8));
    I(c[1]); //= -1
    I(c[2]); //= 3
    struct { int a; char b[3]; } s, t;
    memset(&s, 0, sizeof s);
    s.b[V(1)] = 5;
    t = s;
    I(t.b[1] + t.b[0] + t.a); //= 5
END

BEGIN(provable)
    int n = V(8);
    I(__builtin_provable(3 < 4)); //= 1
    I(__builtin_provable(blockDim.x == 7)); //= 0
    int sum = 0;
    for (int i = 0; i < n; i++) if (!__builtin_provable(zero_ == 12345)) sum += i;
    I(sum); //= 28
END

FN bool is_near(double x, double want) { return fabs(x - want) <= 1e-6 * fabs(want) + 2e-7; }

BEGIN(bessel_functions_and_norms_of_arrays)
    double x = V(3);
    float f = V(12);
    I(is_near(j0(x), -0.26005195490193344)); I(is_near(j1(x), 0.33905895852593646)); //= 1 1
    I(is_near(y0(x), 0.3768500100127904)); I(is_near(y1f(V(3)), 0.32467442479179998)); //= 1 1
    I(is_near(j0f(f), 0.047689310796833536)); I(is_near(y1(12.0f), -0.0570992182608965)); //= 1 1
    I(is_near(jn(3, x), 0.30906272225525164)); I(is_near(ynf(3, 3.0f), -0.5385416161050316)); //= 1 1
    I(is_near(jn(V(20), x) * 1e15, 1.2275946737993)); I(is_near(jn(V(2), 12.0), -0.084930494878604805)); //= 1 1
    I(is_near(cyl_bessel_i0(x), 4.8807925858650245)); I(is_near(cyl_bessel_i1f(-f) / 1e4, -1.8141348781638832)); //= 1 1
    I(y0(0.0 * x) < -1e300); I(y1(-x) == y1(-x)); I(jn(-1, x) == 0.0); //= 1 0 0
    double w[3] = {x, 4e200, -3e200};
    I(is_near(norm(3, w) * 1e-200, 5)); I(is_near(rnorm(1, w), 1.0 / 3.0)); I(normf(V(0), &f) == 0.0f); //= 1 1 1
END
