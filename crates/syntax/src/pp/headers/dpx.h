/* DPX, the comparisons of dynamic programming (sm_90 has instructions for them): written for unspool. */
static __host__ __device__ inline int __dpx_low(unsigned v) { return (short)(v & 0xffff); }
static __host__ __device__ inline int __dpx_high(unsigned v) { return (short)(v >> 16); }
static __host__ __device__ inline unsigned __dpx_pack(int high, int low) { return (unsigned)high << 16 | ((unsigned)low & 0xffff); }
static __host__ __device__ inline int __viaddmax_s32(int a, int b, int c) {
    int v = (int)((unsigned)a + (unsigned)b);
    return v < c ? c : v;
}
static __host__ __device__ inline int __vimax3_s32(int a, int b, int c) {
    int v = a < b ? b : a;
    return v < c ? c : v;
}
static __host__ __device__ inline int __vibmax_s32(int a, int b, bool *first) {
    *first = a >= b;
    return *first ? a : b;
}
static __host__ __device__ inline int __vimax_s32_relu(int a, int b) {
    int v = a < b ? b : a;
    return v < 0 ? 0 : v;
}
static __host__ __device__ inline int __viaddmax_s32_relu(int a, int b, int c) {
    int v = __viaddmax_s32(a, b, c);
    return v < 0 ? 0 : v;
}
static __host__ __device__ inline int __vimax3_s32_relu(int a, int b, int c) {
    int v = __vimax3_s32(a, b, c);
    return v < 0 ? 0 : v;
}
static __host__ __device__ inline int __viaddmin_s32(int a, int b, int c) {
    int v = (int)((unsigned)a + (unsigned)b);
    return v > c ? c : v;
}
static __host__ __device__ inline int __vimin3_s32(int a, int b, int c) {
    int v = a > b ? b : a;
    return v > c ? c : v;
}
static __host__ __device__ inline int __vibmin_s32(int a, int b, bool *first) {
    *first = a <= b;
    return *first ? a : b;
}
static __host__ __device__ inline int __vimin_s32_relu(int a, int b) {
    int v = a > b ? b : a;
    return v < 0 ? 0 : v;
}
static __host__ __device__ inline int __viaddmin_s32_relu(int a, int b, int c) {
    int v = __viaddmin_s32(a, b, c);
    return v < 0 ? 0 : v;
}
static __host__ __device__ inline int __vimin3_s32_relu(int a, int b, int c) {
    int v = __vimin3_s32(a, b, c);
    return v < 0 ? 0 : v;
}
static __host__ __device__ inline unsigned __viaddmax_u32(unsigned a, unsigned b, unsigned c) {
    unsigned v = a + b;
    return v < c ? c : v;
}
static __host__ __device__ inline unsigned __vimax3_u32(unsigned a, unsigned b, unsigned c) {
    unsigned v = a < b ? b : a;
    return v < c ? c : v;
}
static __host__ __device__ inline unsigned __vibmax_u32(unsigned a, unsigned b, bool *first) {
    *first = a >= b;
    return *first ? a : b;
}
static __host__ __device__ inline unsigned __viaddmin_u32(unsigned a, unsigned b, unsigned c) {
    unsigned v = a + b;
    return v > c ? c : v;
}
static __host__ __device__ inline unsigned __vimin3_u32(unsigned a, unsigned b, unsigned c) {
    unsigned v = a > b ? b : a;
    return v > c ? c : v;
}
static __host__ __device__ inline unsigned __vibmin_u32(unsigned a, unsigned b, bool *first) {
    *first = a <= b;
    return *first ? a : b;
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
/* Both halves at once. */
#define __DPX_PAIR(NAME, OPERATION) \
    static __device__ inline unsigned NAME(unsigned a, unsigned b) { \
        unsigned v; \
        asm(OPERATION " %0, %1, %2;" : "=r"(v) : "r"(a), "r"(b)); \
        return v; \
    }
__DPX_PAIR(__dpx_add2, "add.u16x2")
__DPX_PAIR(__dpx_smax2, "max.s16x2")
__DPX_PAIR(__dpx_smin2, "min.s16x2")
__DPX_PAIR(__dpx_umax2, "max.u16x2")
__DPX_PAIR(__dpx_umin2, "min.u16x2")
__DPX_PAIR(__dpx_smax2_relu, "max.s16x2.relu")
__DPX_PAIR(__dpx_smin2_relu, "min.s16x2.relu")
#undef __DPX_PAIR
#define __DPX_FUNCTION static __host__ __device__ inline unsigned
__DPX_FUNCTION __viaddmax_s16x2(unsigned a, unsigned b, unsigned c) { return __dpx_smax2(__dpx_add2(a, b), c); }
__DPX_FUNCTION __vimax3_s16x2(unsigned a, unsigned b, unsigned c) { return __dpx_smax2(__dpx_smax2(a, b), c); }
__DPX_FUNCTION __viaddmax_u16x2(unsigned a, unsigned b, unsigned c) { return __dpx_umax2(__dpx_add2(a, b), c); }
__DPX_FUNCTION __vimax3_u16x2(unsigned a, unsigned b, unsigned c) { return __dpx_umax2(__dpx_umax2(a, b), c); }
__DPX_FUNCTION __viaddmax_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __dpx_smax2_relu(__dpx_add2(a, b), c); }
__DPX_FUNCTION __vimax3_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __dpx_smax2_relu(__dpx_smax2(a, b), c); }
__DPX_FUNCTION __vimax_s16x2_relu(unsigned a, unsigned b) { return __dpx_smax2_relu(a, b); }
__DPX_FUNCTION __viaddmin_s16x2(unsigned a, unsigned b, unsigned c) { return __dpx_smin2(__dpx_add2(a, b), c); }
__DPX_FUNCTION __vimin3_s16x2(unsigned a, unsigned b, unsigned c) { return __dpx_smin2(__dpx_smin2(a, b), c); }
__DPX_FUNCTION __viaddmin_u16x2(unsigned a, unsigned b, unsigned c) { return __dpx_umin2(__dpx_add2(a, b), c); }
__DPX_FUNCTION __vimin3_u16x2(unsigned a, unsigned b, unsigned c) { return __dpx_umin2(__dpx_umin2(a, b), c); }
__DPX_FUNCTION __viaddmin_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __dpx_smin2_relu(__dpx_add2(a, b), c); }
__DPX_FUNCTION __vimin3_s16x2_relu(unsigned a, unsigned b, unsigned c) { return __dpx_smin2_relu(__dpx_smin2(a, b), c); }
__DPX_FUNCTION __vimin_s16x2_relu(unsigned a, unsigned b) { return __dpx_smin2_relu(a, b); }
#undef __DPX_FUNCTION
#else
static __host__ __device__ inline unsigned __viaddmax_s16x2(unsigned a, unsigned b, unsigned c) {
    return __dpx_pack(__vimax3_s32((short)(__dpx_high(a) + __dpx_high(b)), __dpx_high(c), __dpx_high(c)),
                      __vimax3_s32((short)(__dpx_low(a) + __dpx_low(b)), __dpx_low(c), __dpx_low(c)));
}
static __host__ __device__ inline unsigned __vimax3_s16x2(unsigned a, unsigned b, unsigned c) {
    return __dpx_pack(__vimax3_s32(__dpx_high(a), __dpx_high(b), __dpx_high(c)), __vimax3_s32(__dpx_low(a), __dpx_low(b), __dpx_low(c)));
}
static __host__ __device__ inline unsigned __viaddmax_s16x2_relu(unsigned a, unsigned b, unsigned c) {
    return __dpx_pack(__vimax3_s32_relu((short)(__dpx_high(a) + __dpx_high(b)), __dpx_high(c), __dpx_high(c)),
                      __vimax3_s32_relu((short)(__dpx_low(a) + __dpx_low(b)), __dpx_low(c), __dpx_low(c)));
}
static __host__ __device__ inline unsigned __vimax3_s16x2_relu(unsigned a, unsigned b, unsigned c) {
    return __dpx_pack(__vimax3_s32_relu(__dpx_high(a), __dpx_high(b), __dpx_high(c)), __vimax3_s32_relu(__dpx_low(a), __dpx_low(b), __dpx_low(c)));
}
static __host__ __device__ inline unsigned __vimax_s16x2_relu(unsigned a, unsigned b) { return __vimax3_s16x2_relu(a, b, b); }
static __host__ __device__ inline unsigned __viaddmin_s16x2(unsigned a, unsigned b, unsigned c) {
    return __dpx_pack(__vimin3_s32((short)(__dpx_high(a) + __dpx_high(b)), __dpx_high(c), __dpx_high(c)),
                      __vimin3_s32((short)(__dpx_low(a) + __dpx_low(b)), __dpx_low(c), __dpx_low(c)));
}
static __host__ __device__ inline unsigned __vimin3_s16x2(unsigned a, unsigned b, unsigned c) {
    return __dpx_pack(__vimin3_s32(__dpx_high(a), __dpx_high(b), __dpx_high(c)), __vimin3_s32(__dpx_low(a), __dpx_low(b), __dpx_low(c)));
}
static __host__ __device__ inline unsigned __viaddmin_s16x2_relu(unsigned a, unsigned b, unsigned c) {
    return __dpx_pack(__vimin3_s32_relu((short)(__dpx_high(a) + __dpx_high(b)), __dpx_high(c), __dpx_high(c)),
                      __vimin3_s32_relu((short)(__dpx_low(a) + __dpx_low(b)), __dpx_low(c), __dpx_low(c)));
}
static __host__ __device__ inline unsigned __vimin3_s16x2_relu(unsigned a, unsigned b, unsigned c) {
    return __dpx_pack(__vimin3_s32_relu(__dpx_high(a), __dpx_high(b), __dpx_high(c)), __vimin3_s32_relu(__dpx_low(a), __dpx_low(b), __dpx_low(c)));
}
static __host__ __device__ inline unsigned __vimin_s16x2_relu(unsigned a, unsigned b) { return __vimin3_s16x2_relu(a, b, b); }
static __host__ __device__ inline unsigned __viaddmax_u16x2(unsigned a, unsigned b, unsigned c) {
    return __dpx_pack(__vimax3_u32((unsigned short)((a >> 16) + (b >> 16)), (c >> 16), (c >> 16)),
                      __vimax3_u32((unsigned short)((a & 0xffff) + (b & 0xffff)), (c & 0xffff), (c & 0xffff)));
}
static __host__ __device__ inline unsigned __vimax3_u16x2(unsigned a, unsigned b, unsigned c) {
    return __dpx_pack(__vimax3_u32((a >> 16), (b >> 16), (c >> 16)), __vimax3_u32((a & 0xffff), (b & 0xffff), (c & 0xffff)));
}
static __host__ __device__ inline unsigned __viaddmin_u16x2(unsigned a, unsigned b, unsigned c) {
    return __dpx_pack(__vimin3_u32((unsigned short)((a >> 16) + (b >> 16)), (c >> 16), (c >> 16)),
                      __vimin3_u32((unsigned short)((a & 0xffff) + (b & 0xffff)), (c & 0xffff), (c & 0xffff)));
}
static __host__ __device__ inline unsigned __vimin3_u16x2(unsigned a, unsigned b, unsigned c) {
    return __dpx_pack(__vimin3_u32((a >> 16), (b >> 16), (c >> 16)), __vimin3_u32((a & 0xffff), (b & 0xffff), (c & 0xffff)));
}
#endif
static __host__ __device__ inline unsigned __vibmax_s16x2(unsigned a, unsigned b, bool *high, bool *low) {
    return __dpx_pack(__vibmax_s32(__dpx_high(a), __dpx_high(b), high), __vibmax_s32(__dpx_low(a), __dpx_low(b), low));
}
static __host__ __device__ inline unsigned __vibmin_s16x2(unsigned a, unsigned b, bool *high, bool *low) {
    return __dpx_pack(__vibmin_s32(__dpx_high(a), __dpx_high(b), high), __vibmin_s32(__dpx_low(a), __dpx_low(b), low));
}
static __host__ __device__ inline unsigned __vibmax_u16x2(unsigned a, unsigned b, bool *high, bool *low) {
    return __dpx_pack(__vibmax_u32((a >> 16), (b >> 16), high), __vibmax_u32((a & 0xffff), (b & 0xffff), low));
}
static __host__ __device__ inline unsigned __vibmin_u16x2(unsigned a, unsigned b, bool *high, bool *low) {
    return __dpx_pack(__vibmin_u32((a >> 16), (b >> 16), high), __vibmin_u32((a & 0xffff), (b & 0xffff), low));
}
