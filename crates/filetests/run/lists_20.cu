// C++20: braced lists and constructors: templates that take a `std::initializer_list`, `explicit` ones that lists as arguments may
// not choose; functions that are deleted where it is asked whether they can be called.
//@ file std=20

#include <initializer_list>
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

BEGIN(characters_of_utf_8)
    I(u8"ab"[V(1)] + (int)std::is_unsigned_v<char8_t> * 1000); //= 1098
END
