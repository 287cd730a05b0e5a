// C++20: braced lists and constructors: templates that take a `std::initializer_list`, `explicit` ones that lists as arguments may
// not choose; functions that are deleted where it is asked whether they can be called.
//@ file std=20

#include <initializer_list>
#include <limits>
#include <type_traits>
#include <utility>

struct Seeds {
    int n;
    FN Seeds() : n(0) {}
    template <class T> FN Seeds(std::initializer_list<T> l) : n((int)l.size() * 10 + (int)sizeof(T)) {}
    template <class I> FN Seeds(I a, I b) : n((int)(b - a)) {}
};
FN int seeds(Seeds s) { return s.n; }

BEGIN(constructor_templates_that_take_lists)
    Seeds a{4, 5, 6, 7, V(8)}, b{1.5, 2.5}, c(3, V(9)), d{}, e = {1l};
    I(a.n); I(b.n); I(c.n); I(d.n); I(e.n); //= 54 28 6 0 18
    I(seeds({'a', 'b', 'c'})); //= 31
END

struct tag {};
struct One { FN explicit One(tag, int) {} FN explicit One(int) {} };
struct Any { template <class... A> FN explicit Any(tag, A...) {} FN Any(int, int) {} };
template <class T> FN void take(T);
template <class T, class... A> concept from_list = requires(A... a) { take<T>({a...}); };
static_assert(!from_list<One, tag, int> && !from_list<One, int> && !from_list<Any, tag, int> && from_list<Any, int, int>);

struct Fixed {};
FN void swap(Fixed &, Fixed &) = delete;
template <class T> concept swaps = requires(T &a, T &b) { swap(a, b); };
struct Free {};
FN void swap(Free &, Free &) {}
static_assert(swaps<Free> && !swaps<Fixed>);

static_assert(!std::is_same_v<char8_t, unsigned char> && std::is_same_v<decltype(u8'a'), char8_t> && sizeof(u8"ab") == 3);

static_assert(std::is_same_v<std::make_signed_t<char16_t>, short> && std::is_same_v<std::make_signed_t<char>, signed char>);
static_assert(std::is_integral_v<char32_t> && std::is_integral_v<wchar_t> && std::numeric_limits<char16_t>::max() == 65535);

BEGIN(characters_of_utf_8)
    I(u8"ab"[V(1)] + (int)std::is_unsigned_v<char8_t> * 1000); //= 1098
END

struct Copied { FN Copied() {} FN explicit Copied(const Copied &) {} };
struct Cast { unsigned v; FN explicit operator unsigned() const noexcept { return v; } FN operator uint3() const { return uint3{v, v + 1, 7}; } };
static_assert(!std::is_convertible_v<const Copied &, Copied> && std::is_constructible_v<Copied, const Copied &>);
static_assert(std::is_constructible_v<unsigned, Cast> && std::is_constructible_v<dim3, uint3> && std::is_constructible_v<dim3, Cast>);
struct Days { int d; FN explicit Days(int d) : d(d) {} };
struct Date { int y; FN explicit operator Days() const { return Days(y * 365); } };

BEGIN(objects_that_convert_themselves)
    Cast c{(unsigned)V(5)};
    dim3 d{c};
    I(d.x * 100 + d.y * 10 + d.z); //= 567
    Date t{V(2)};
    I(Days{t}.d); //= 730
    int *p = (int *)::operator new(sizeof(int) * 2);
    p[1] = V(4);
    I(p[1]); //= 4
    ::operator delete(p);
    ::operator delete(::operator new(8), 8);
END

struct PaTwo { int d[2]; };
struct PaDeep { int x; PaTwo a; int z = 9; };
struct PaMade { int v = 4; FN PaMade() {} FN PaMade(int v) : v(v) {} };
struct PaMany { PaMade m[3]; };

BEGIN(parts_in_parentheses_wanted_braces)
    { PaTwo a(V(1), 2), b(V(5)); I(a.d[0] * 10 + a.d[1]); I(b.d[0] * 10 + b.d[1]); } //= 12 50
    { PaDeep d(1, V(2), 3), e(1, PaTwo{{V(4), 5}}, 6); I(d.x * 1000 + d.a.d[0] * 100 + d.a.d[1] * 10 + d.z); I(e.x * 1000 + e.a.d[0] * 100 + e.a.d[1] * 10 + e.z); } //= 1239 1456
    { PaMany m(V(7), 8); I(m.m[0].v * 100 + m.m[1].v * 10 + m.m[2].v); auto s = PaTwo(V(3), 1); I(s.d[0] - s.d[1]); } //= 784 2
END
