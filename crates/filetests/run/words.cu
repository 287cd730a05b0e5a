// CUDA's SIMD functions on halves and bytes of a word, and those for dynamic programming, against the same lane by lane.

__device__ unsigned word(unsigned n) {
    unsigned edges = 0, any = n * 2654435761u ^ n * n * 40503u;
    for (int i = 0; i < 4; i++) {
        int e = (n >> 2 * i) & 7;
        edges |= (unsigned)(e == 0 ? 0 : e == 1 ? 1 : e == 2 ? 127 : e == 3 ? 128 : e == 4 ? 129 : e == 5 ? 255 : e == 6 ? 254 : 126) << 8 * i;
    }
    return n % 3 == 0 ? any : edges ^ (n % 5 == 0 ? 256 : 0);
}

template <int BITS, bool SIGNED>
__device__ int lane(unsigned w, int i) {
    unsigned v = w << (32 - BITS - i);
    return SIGNED ? (int)v >> (32 - BITS) : (int)(v >> (32 - BITS));
}

__device__ int clamped(int v, int least, int most) { return v < least ? least : v > most ? most : v; }

#define EACH for (int k = 0; k < 20; k++)
#define A word(threadIdx.x * 20 + k + V(0))
#define B word(threadIdx.x * 77 + k * 13 + V(5))
#define LANES(CALL, BITS, SIGNED, EXPRESSION)                                               \
    EACH {                                                                                  \
        unsigned a = A, b = B, r = 0;                                                       \
        for (int i = 0; i < 32; i += BITS) {                                                \
            int x = lane<BITS, SIGNED>(a, i), y = lane<BITS, SIGNED>(b, i);                 \
            (void)y;                                                                        \
            r |= ((unsigned)(EXPRESSION) & (0xffffffffu >> (32 - BITS))) << i;              \
        }                                                                                   \
        wrong += (CALL) != r;                                                               \
    }
#define SUM(CALL, BITS, SIGNED)                                                             \
    EACH {                                                                                  \
        unsigned a = A, b = B, r = 0;                                                       \
        for (int i = 0; i < 32; i += BITS)                                                  \
            r += abs(lane<BITS, SIGNED>(a, i) - lane<BITS, SIGNED>(b, i));                  \
        wrong += (CALL) != r;                                                               \
    }
#define BOTH(NAME, ARGUMENTS, SIGNED, E2, E4) LANES(NAME##2 ARGUMENTS, 16, SIGNED, E2) LANES(NAME##4 ARGUMENTS, 8, SIGNED, E4)

//@ block=16
BEGIN(arithmetic)
    int wrong = V(0);
    BOTH(__vadd, (a, b), false, x + y, x + y)
    BOTH(__vsub, (a, b), false, x - y, x - y)
    BOTH(__vneg, (a), true, -x, -x)
    BOTH(__vabs, (a), true, abs(x), abs(x))
    BOTH(__vnegss, (a), true, clamped(-x, -32768, 32767), clamped(-x, -128, 127))
    BOTH(__vabsss, (a), true, clamped(abs(x), 0, 32767), clamped(abs(x), 0, 127))
    I(wrong); //= 0
    BOTH(__vaddss, (a, b), true, clamped(x + y, -32768, 32767), clamped(x + y, -128, 127))
    BOTH(__vsubss, (a, b), true, clamped(x - y, -32768, 32767), clamped(x - y, -128, 127))
    BOTH(__vaddus, (a, b), false, clamped(x + y, 0, 65535), clamped(x + y, 0, 255))
    BOTH(__vsubus, (a, b), false, clamped(x - y, 0, 65535), clamped(x - y, 0, 255))
    I(wrong); //= 0
    BOTH(__vhaddu, (a, b), false, (x + y) >> 1, (x + y) >> 1)
    BOTH(__vavgu, (a, b), false, (x + y + 1) >> 1, (x + y + 1) >> 1)
    BOTH(__vavgs, (a, b), true, (x + y + (x + y >= 0)) >> 1, (x + y + (x + y >= 0)) >> 1)
    I(wrong); //= 0
END

//@ block=16
BEGIN(choices)
    int wrong = V(0);
    BOTH(__vabsdiffs, (a, b), true, abs(x - y), abs(x - y))
    BOTH(__vabsdiffu, (a, b), false, abs(x - y), abs(x - y))
    SUM(__vsads2(a, b), 16, true)
    SUM(__vsads4(a, b), 8, true)
    SUM(__vsadu2(a, b), 16, false)
    SUM(__vsadu4(a, b), 8, false)
    I(wrong); //= 0
    BOTH(__vmaxs, (a, b), true, max(x, y), max(x, y))
    BOTH(__vmaxu, (a, b), false, max(x, y), max(x, y))
    BOTH(__vmins, (a, b), true, min(x, y), min(x, y))
    BOTH(__vminu, (a, b), false, min(x, y), min(x, y))
    I(wrong); //= 0
END

#define TESTS(WHICH, SIGNED, TEST)                                                                 \
    BOTH(__vcmp##WHICH, (a, b), SIGNED, TEST ? -1 : 0, TEST ? -1 : 0)                              \
    BOTH(__vset##WHICH, (a, b), SIGNED, TEST ? 1 : 0, TEST ? 1 : 0)

//@ block=16
BEGIN(comparisons)
    int wrong = V(0);
    TESTS(eq, false, x == y)
    TESTS(ne, false, x != y)
    TESTS(ges, true, x >= y)
    TESTS(geu, false, x >= y)
    TESTS(gts, true, x > y)
    TESTS(gtu, false, x > y)
    I(wrong); //= 0
    TESTS(les, true, x <= y)
    TESTS(leu, false, x <= y)
    TESTS(lts, true, x < y)
    TESTS(ltu, false, x < y)
    I(wrong); //= 0
END

//@ block=16
BEGIN(dynamic_programming)
    int wrong = V(0);
    // The third operand is the complement of the first.
    LANES(__viaddmax_s16x2(a, b, ~a), 16, true, max((short)(x + y), ~x))
    LANES(__viaddmin_s16x2(a, b, ~a), 16, true, min((short)(x + y), ~x))
    LANES(__viaddmax_u16x2(a, b, ~a), 16, false, max((x + y) & 65535, 65535 - x))
    LANES(__viaddmin_u16x2(a, b, ~a), 16, false, min((x + y) & 65535, 65535 - x))
    LANES(__viaddmax_s16x2_relu(a, b, ~a), 16, true, max(max((short)(x + y), ~x), 0))
    LANES(__viaddmin_s16x2_relu(a, b, ~a), 16, true, max(min((short)(x + y), ~x), 0))
    I(wrong); //= 0
    LANES(__vimax3_s16x2(a, b, ~a), 16, true, max(max(x, y), ~x))
    LANES(__vimin3_s16x2(a, b, ~a), 16, true, min(min(x, y), ~x))
    LANES(__vimax3_u16x2(a, b, ~a), 16, false, max(max(x, y), 65535 - x))
    LANES(__vimin3_u16x2(a, b, ~a), 16, false, min(min(x, y), 65535 - x))
    LANES(__vimax3_s16x2_relu(a, b, ~a), 16, true, max(max(max(x, y), ~x), 0))
    LANES(__vimin3_s16x2_relu(a, b, ~a), 16, true, max(min(min(x, y), ~x), 0))
    LANES(__vimax_s16x2_relu(a, b), 16, true, max(max(x, y), 0))
    LANES(__vimin_s16x2_relu(a, b), 16, true, max(min(x, y), 0))
    I(wrong); //= 0
END
