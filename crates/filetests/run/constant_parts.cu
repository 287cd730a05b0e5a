// Bit-fields, components of vectors and builtins that count bits, in constant expressions.

struct Packed {
    unsigned low : 3;
    int middle : 5;
    unsigned long wide : 40;
    bool flag : 1;
    __device__ constexpr Packed(int a, int b) : low(a), middle(b), wide(0), flag(false) {
        wide = 0xabcdef0123ul;
        middle += 2;
        low++;
        flag = middle < 0;
    }
    __device__ constexpr int sum() const { return int(low) * 1000 + middle * 10 + flag; }
};
struct Plain { unsigned a : 4, b : 4; };
constexpr Packed packed(6, -9);
constexpr Plain plain{9, 5};
static_assert(packed.sum() == 7000 - 70 + 1);
static_assert(plain.a == 9 && plain.b == 5);
__device__ constexpr int wrapped() {
    Packed p(7, 14);
    return p.low * 100 + p.middle;
}
static_assert(wrapped() == -16);

BEGIN(bit_fields)
    constexpr Packed p(1, 2); I(p.sum()); I(packed.wide == 0xabcdef0123ul); I(packed.sum()); I(wrapped()); //= 2040 1 6931 -16
END

__device__ constexpr float2 turned(float2 v) { return float2{-v.y, v.x}; }
__device__ constexpr int4 counted(int n) {
    int4 r = {0, 0, 0, 0};
    for (int i = 0; i < n; i++) {
        r.x += i;
        r.w = r.x * 2;
    }
    return r;
}
constexpr float2 half_turn = turned(turned(float2{1, 2}));
static_assert(counted(5).x == 10 && counted(5).w == 20 && half_turn.y == -2);

BEGIN(vector_components)
    constexpr int4 c = counted(4); I(c.x); I(c.w); F(half_turn.x); I(counted(V(3)).w); //= 6 12 -1.0 6
END

template <unsigned N> struct Counts {
    static constexpr int ones = __builtin_popcount(N), leading = __builtin_clz(N), trailing = __builtin_ctz(N), first = __builtin_ffs(N);
};
static_assert(Counts<24>::ones == 2 && Counts<24>::leading == 27 && Counts<24>::trailing == 3 && Counts<24>::first == 4);

BEGIN(bits_counted)
    I(Counts<24>::ones); I(Counts<1>::leading); I(__builtin_popcount(V(24))); //= 2 31 2
END

// What a class declares statically, its own declarations may name before it is complete.
struct Early {
    static __device__ short small();
    static __device__ constexpr auto made() { return 3L; }
    using small_t = decltype(small());
    decltype(made()) m;
};
template <class T> struct Storage {
    static __device__ constexpr auto helper() {
        if constexpr (sizeof(T) == 4) {
            return 1;
        } else {
            struct Own { int a[4]; };
            return Own{};
        }
    }
    using type = decltype(helper());
    type t;
};

BEGIN(names_before_the_class_is_complete)
    Early e{V(5)}; I(e.m + sizeof(Early::small_t)); I(sizeof(Storage<float>)); I(sizeof(Storage<double>)); //= 7 4 16
END
