//@ file std=17
// Operators that the language provides for objects of classes: `?:` of numbers that they convert to, `=` of any object.

extern "C" {
#include <cmath>
#include <math.h>
}

template <int V> struct C { __device__ constexpr operator int() const { return V; } };
template <int V> __device__ constexpr C<-V> operator-(C<V>) { return {}; }
struct Long { long long v; __device__ operator long long() const { return v; } };
struct Place { int *p; __device__ operator int *() const { return p; } };
struct Other { int *p; __device__ operator int *() const { return p + 1; } };
enum E { zero, one };
struct One { __device__ operator E() const { return one; } };
struct Two { __device__ operator bool() const { return false; } };
struct Both { int *p; __device__ operator int *() const { return p; } __device__ operator int() const { return 9; } };
struct Leaf {
  int &r;
  __device__ Leaf(int &x) : r(x) {}
  __device__ Leaf &operator=(const Leaf &o) { r = o.r; return *this; }
};
struct Ref : Leaf {
  __device__ Ref(int &x) : Leaf(x) {}
  Ref(const Ref &) = default;
  Ref &operator=(const Ref &) = default;
  Ref &operator=(Ref &&) = default;
};
struct Plain { int x; };
struct Held { Leaf l; };
__device__ Ref at(int *p, int i) { return Ref(p[i]); }
__device__ Plain made(int x) { return Plain{x}; }
__device__ Held held(int *p, int i) { return Held{Leaf(p[i])}; }

BEGIN(arms_of_two_classes_had_no_type)
    for (int i = 0; i < 2; i++) { const int n = i % 2 == 0 ? C<8>{} : -C<8>{}; I(n); } //= 8 -8
    for (int i = 0; i < 2; i++) { auto n = i ? C<8>{} : Long{1LL << 40}; I(sizeof n); I(n >> 3); } //= 8 137438953472 8 1
    for (int i = 0; i < 2; i++) { auto n = i ? C<8>{} : 2.5; F(n); } //= 2.5 8.0
    for (int i = 0; i < 2; i++) { auto n = i ? One{} : Two{}; I(n); I(sizeof n); } //= 0 4 1 4
    int x[2] = {5, 6}; for (int i = 0; i < 2; i++) I(*(i ? Place{x} : Other{x})); //= 6 5
END

BEGIN(objects_that_are_pointers_had_no_indirection)
    int x[2] = {5, 6}; Place p{x}; *p += 2; I(x[0]); I(*Other{x}); I(*Both{x}); //= 7 6 7
END

BEGIN(temporaries_were_not_assignable)
    int p[] = {1, 2, 3, 4};
    at(p, 0) = at(p, 1); held(p, 2) = held(p, 3); I(p[0]); I(p[1]); I(p[2]); I(p[3]); //= 2 2 4 4
    I((made(3) = made(4)).x); Plain{} = Plain{3}; //= 4
END

BEGIN(headers_of_the_library_had_the_linkage_around_them)
    I(std::fpclassify(1.0f) == FP_NORMAL); F(std::fabs(-1.5)); F(fabsf(-2.5f)); //= 1 1.5 2.5
END

template <class F, class... T> __device__ auto call(F &&f, T &&...t) { return f(static_cast<T &&>(t)...); }

BEGIN(packs_of_lambdas_in_lambdas_were_those_around_them)
    auto count = [](auto const &...outer) {
      return call([&](auto const &...in) { return (int)sizeof...(in) * 10 + (int)sizeof...(outer) + (0 + ... + in); }, 1, 2, 3);
    };
    I(count(1.5f, 2.5f)); I(count()); //= 38 36
    auto sizes = [](auto... outer) {
      return call([](auto... in) { return (int)sizeof...(outer) * 100 + (0 + ... + (int)sizeof(outer)) + (0 + ... + in); }, 1, 2);
    };
    I(sizes('a', 2.5, 3)); I(sizes()); //= 316 3
    auto deep = [](auto... outer) {
      return call([=](auto... in) { return call([](auto... z) { return (int)sizeof...(outer) * 10 + (int)sizeof...(in); }, 1) + (0 + ... + outer); }, 1, 2);
    };
    I(deep(1, 2, 3)); //= 38
END
