//@ file std=17
// The operators of `std::complex` are templates: a program's own for one type are better, and numbers are not made complex. They were
// friends of each class, and calls of both ambiguous.
#include <complex>

namespace cx_own {
__device__ bool operator==(const std::complex<float> &a, const std::complex<float> &b) { return a.real() == b.real(); }
__device__ bool same(const std::complex<float> &a, const std::complex<float> &b) { return a == b; }
__device__ std::complex<float> operator*(const std::complex<float> &a, const std::complex<float> &b) { return {a.real(), b.imag()}; }
__device__ std::complex<float> times(const std::complex<float> &a, const std::complex<float> &b) { return a * b; }
}
template <class A, class B, class = decltype(std::declval<A>() + std::declval<B>())> constexpr bool cx_adds(int) { return true; }
template <class A, class B> constexpr bool cx_adds(...) { return false; }
static_assert(cx_adds<std::complex<float>, float>(0) && cx_adds<float, std::complex<float>>(0));
static_assert(!cx_adds<std::complex<float>, int>(0) && !cx_adds<std::complex<float>, std::complex<double>>(0));

BEGIN(own_operators_for_complex_numbers_were_ambiguous)
    std::complex<float> a(V(1), V(2)), b(V(1), V(3));
    I(cx_own::same(a, b)); I(a == b); I(a != b); I(a == 1.0f); //= 1 0 1 0
    std::complex<float> c = cx_own::times(a, b);
    I(c.real()); I(c.imag()); //= 1 3
    c = a * b + 2.0f - b / std::complex<float>(0, 1);
    I(c.real()); I(c.imag()); //= -6 6
    c = 8.0f / std::complex<float>(2, 2) * 3.0f;
    I(c.real()); I(c.imag()); //= 6 -6
    std::complex<double> d(a);
    d += a;
    d *= 4.0;
    d = -d;
    I(d.real()); I(d.imag()); //= -8 -16
    // An infinite part times a real number stays apart from the other one.
    std::complex<float> inf(V(1) / 0.0f, 0);
    inf *= 2.0f;
    I(inf.imag() == 0.0f); //= 1
END
