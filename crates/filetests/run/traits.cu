// What libcu++ and CUB are written with: questions about types with packs, the type of an enumeration's values, folds over
// assignments, templates of friends, names that mean other things in other namespaces, `>` in brackets among template arguments.

#include <type_traits>
#include <utility>

enum class Small : unsigned char { A = 3, B };
enum Plain { SEVEN = 7 };
template <class T> __device__ constexpr std::underlying_type_t<T> number(T v) { return static_cast<std::underlying_type_t<T>>(v); }
template <class T> __device__ typename std::underlying_type<T>::type cast(T v) { return (__underlying_type(T))v; }

BEGIN(underlying_types)
    I(number(Small::B)); I(sizeof(cast(Small::A))); I(cast(SEVEN) + V(1)); //= 4 1 8
END

struct Pair {
    int a;
    __device__ Pair(int x, float y) : a(x + (int)y) {}
};
struct Wrapped {
    int a;
    __device__ explicit Wrapped(Pair p) : a(p.a) {}
    Wrapped() = delete;
};
template <class T, class... A> inline constexpr bool made = __is_constructible(T, A...);

BEGIN(constructible)
    I(made<Pair, int, float>); I(made<Pair, int>); I(made<Wrapped, Pair>); I(made<Wrapped>); //= 1 0 1 0
    I(made<int, double>); I(made<int, Pair>); I(made<int>); I(made<Wrapped, Wrapped>); //= 1 0 1 1
    I(__is_trivially_constructible(int, int)); I(__is_nothrow_constructible(Pair, int, float)); //= 1 0
    I(__is_assignable(int &, float)); I(__is_assignable(int, float)); //= 1 0
    I(__is_assignable(Pair &, Pair)); I(__is_assignable(Pair &, Wrapped)); //= 1 0
    I(__is_reference(int &)); I(__is_scalar(int *)); I(__is_object(int &)); I(__is_destructible(Pair)); //= 1 1 0 1
END

template <class... T> __device__ int folded(T... t) {
    int d = 0, s = 0, r = 0;
    ((d = t), ...);
    ((t, s) = ... = 5);
    (r += ... += t);
    return d * 100 + s;
}

BEGIN(folds_over_assignments)
    I(folded(V(1), V(2))); //= 205
END

struct Shifted {
    int v;
    template <class R> __device__ friend constexpr Shifted
    operator+(const R &l, const Shifted &r) { return Shifted{r.v + 10 * (int)l}; }
    template <class R> __device__ friend int plus(const R &l, const Shifted &r) { return (int)l + r.v; }
};

BEGIN(templates_of_friends)
    I((V(3) + Shifted{V(4)}).v); I(plus(2.5f, Shifted{V(4)})); //= 34 6
END

namespace other { __device__ void fn(int) {} }
namespace objects {
struct fn {
    template <class T> __device__ T operator()(T x) const { return x + 1; }
};
}
inline namespace cpo { inline constexpr auto next_one = objects::fn{}; }
namespace library {
template <class A, class B> struct pair { A first; B second; };
}
struct Swap {
    template <class T, class O> __device__ ::library::pair<O, T> operator()(const ::library::pair<T, O> &p) const {
        return {p.second, p.first};
    }
};
template <class A, class B> constexpr bool same_as = std::is_same_v<A, B>;
template <class T, class U> __device__ std::enable_if_t<same_as<decltype(std::declval<const T &>() > std::declval<const U &>()), bool>, bool>
greater(T a, U b) { return a > b; }

BEGIN(names_and_brackets)
    I(next_one(V(3))); //= 4
    auto p = Swap{}(library::pair<int, float>{V(1), 2.5f});
    F(p.first); I(p.second); //= 2.5 1
    I(greater(V(3), 2.0f)); //= 1
END

// Bases that are the results of functions which nobody defines, of neither side.
namespace asked {
template <class T> auto sized(T *) -> std::integral_constant<bool, (sizeof(T) > 4)>;
auto sized(...) -> std::false_type;
struct other { static constexpr int more = 5; };
auto give() -> other;
}
template <class T> struct is_large : decltype(asked::sized((T *)nullptr)) {};
template <class T> constexpr bool is_large_v = is_large<T>::value;
struct both : decltype(asked::sized((double *)nullptr)), public decltype(asked::give()) {};
BEGIN(bases_by_decltype)
    I(is_large<int>::value); I(is_large<double>::value); I(is_large_v<char>); //= 0 1 0
    I(both::value); I(both::more); //= 1 5
    if constexpr (is_large_v<long long>) I(7); //= 7
END

// What libraries ask of classes with virtual functions, of pointers to members and of arrays.
struct Sketch { __device__ virtual int area() = 0; };
struct Drawing : Sketch { __device__ int area() override { return 1; } };
struct Disposed { __device__ virtual ~Disposed() {} };
enum class Scoped1 { a };
struct Unpadded { int a; short b[2]; };
struct Padded1 { int a; short b; };

BEGIN(classes_are_asked_for_virtual_functions)
    I(__is_abstract(Sketch)); I(__is_abstract(Drawing)); I(__is_abstract(int)); I(__is_polymorphic(Drawing)); I(__is_polymorphic(Scoped1)); //= 1 0 0 1 0
    I(__has_virtual_destructor(Disposed)); I(__has_virtual_destructor(Drawing)); I(__is_aggregate(Drawing)); //= 1 0 0
    I(__is_aggregate(int[2])); I(__is_bounded_array(int[2])); I(__is_unbounded_array(int[])); I(__is_scoped_enum(Scoped1)); //= 1 1 1 1
    I(__is_member_pointer(int Sketch::*)); I(__is_member_function_pointer(int (Sketch::*)())); I(__is_member_object_pointer(int (Sketch::*)())); //= 1 1 0
    I(__has_unique_object_representations(int)); I(__has_unique_object_representations(float)); I(__has_unique_object_representations(Unpadded)); I(__has_unique_object_representations(Padded1)); //= 1 0 1 0
END
