// `long double`: a type of its own with the host's size, whose values are those of `double`.

#include <limits>
#include <type_traits>

__host__ __device__ inline int ld_which(float) { return 1; }
__host__ __device__ inline int ld_which(double) { return 2; }
__host__ __device__ inline int ld_which(long double) { return 3; }
template <class T> struct LdPromoted { static const int v = 0; };
template <> struct LdPromoted<double> { static const int v = 1; };
template <> struct LdPromoted<long double> { static const int v = 2; };
template <class T> __device__ T ld_sum(const T *p, int n) {
    T s = 0;
    for (int i = 0; i < n; i++) s += p[i];
    return s;
}
struct LdFields {
    char c;
    long double d;
    short s;
};
constexpr long double operator""_half(long double v) { return v / 2; }

BEGIN(long_double_is_chosen_by_overloads_and_templates)
    double d = V(3);
    long double l = V(4);
    I(ld_which(1.0f)); I(ld_which(d)); I(ld_which(l)); I(ld_which(1.0L)); //= 1 2 3 3
    I(ld_which(l + 1)); I(ld_which(d + 1.0L)); I(ld_which(1.0f * l)); I(ld_which(V(1) ? l : d)); //= 3 3 3 3
    I(LdPromoted<float>::v); I(LdPromoted<double>::v); I(LdPromoted<long double>::v); //= 0 1 2
    I(std::is_same<long double, double>::value); I(std::is_floating_point<const long double>::value); //= 0 1
    I(std::is_arithmetic<long double>::value); I(std::is_signed<long double>::value); //= 1 1
    I(std::numeric_limits<long double>::is_specialized); I(std::numeric_limits<long double>::radix); //= 1 2
END

BEGIN(long_double_has_the_hosts_size_and_a_doubles_values)
    I(sizeof(long double)); I(alignof(long double)); I(sizeof(LdFields)); //= 16 16 48
    long double l = V(7);
    l /= 2;
    F(l); I((int)l); I((unsigned char)(l * 10)); F((float)l); //= 3.5 3 35 3.5
    l = (long double)V(1) / 3;
    F((double)l * 3); I((double)l == 1.0 / V(3)); //= 1.0 1
    LdFields f = {'a', 2.5L, 9}, g = f;
    g.d += f.d;
    I(g.c); F(g.d); I(g.s); F(f.d); //= 97 5.0 9 2.5
    long double a[4] = {1, 2.5f, 3};
    a[3] = V(10);
    F(ld_sum(a, 4)); I(sizeof(a)); //= 16.5 64
    F(5.0_half); F(-l < 0 ? 1.0L : 2.0L); I(!l); I(l > 0.25 && l < 1); //= 2.5 1.0 0 1
    l = -2;
    l++;
    F(l); F(l * l - 4); I(static_cast<long long>(l * 1e10L)); //= -1.0 -3.0 -10000000000
END

// A parameter of 16 bytes had no value in constants: `1.5_q` was none.
constexpr double ld_narrowed(long double v) { return double(v); }
constexpr double operator""_narrow(long double v) { return double(v); }
struct LdKept {
    long double a[2];
    int n;
};
constexpr long double ld_of(LdKept k) { return k.a[1] * k.n; }
BEGIN(long_double_in_constants)
    constexpr double a = ld_narrowed(1.5L), b = 2.25_narrow / 9.0_narrow;
    constexpr LdKept kept = {{1.0L, 2.5L}, 3};
    constexpr double c = (double)ld_of(kept);
    static_assert(a == 1.5 && b == 0.25 && c == 7.5, "");
    F(a * V(1)); F(b * V(1)); F(c * V(1)); //= 1.5 0.25 7.5
END
