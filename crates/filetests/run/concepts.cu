// C++20: concepts and constraints, comparisons that are rewritten or left to the compiler, `using enum`.
//@ file std=20

#include <bit>
#include <compare>
#include <concepts>
#include <type_traits>

template <class T> concept small = sizeof(T) <= 4;
template <class T> concept small_integer = small<T> && std::is_integral_v<T>;
template <class T> concept sized = requires(T t) {
    t.size();
    typename T::type;
    { t.size() } -> std::convertible_to<int>;
    { t.size() } -> std::same_as<int>;
    requires sizeof(T) >= 1;
};
struct bag { using type = int; FN int size() const { return 3; } };
struct lid { using type = int; FN float size() const { return 3; } };

template <class T> FN int f(T) { return 1; }
template <small T> FN int f(T) { return 2; }
template <small_integer T> FN int f(T) { return 3; }
template <class T> requires sized<T> FN int g(T t) { return t.size(); }
template <class T> FN int g(T) requires(!sized<T>) { return -1; }
FN int h(std::integral auto) { return 1; }
FN int h(std::floating_point auto) { return 2; }
FN int h(auto) { return 3; }

BEGIN(overloads_are_chosen_by_constraints)
    I(f(1.0)); I(f(1.0f)); I(f(V(1))); I(f(1ll)); //= 1 2 3 1
    I(g(bag{})); I(g(lid{})); I(g(V(5))); //= 3 -1 -1
    I(h(V(1))); I(h(1.0f)); I(h(out_)); //= 1 2 3
    I(small_integer<short>); I(small_integer<float>); I(sized<bag>); I(sized<int>); //= 1 0 1 0
END

template <class T> struct cell {
    T v;
    FN int kind() const requires std::integral<T> { return 1; }
    FN int kind() const requires std::signed_integral<T> { return 2; }
    FN int kind() const { return 0; }
};
template <class T> struct rank { static constexpr int v = 0; };
template <std::integral T> struct rank<T> { static constexpr int v = 1; };
template <class T> requires std::integral<T> && (sizeof(T) == 8) struct rank<T> { static constexpr int v = 2; };
template <class T> struct rank<T *> { static constexpr int v = 3; };
template <std::integral T> struct rank<T *> { static constexpr int v = 4; };
template <class T> concept number = std::integral<T> || std::floating_point<T>;
template <number T> constexpr T twice = T(2);
template <class T> requires number<T> using pointer_to = T *;
template <class T, class = void> struct has_pointer { static constexpr bool v = false; };
template <class T> struct has_pointer<T, std::void_t<pointer_to<T>>> { static constexpr bool v = true; };

BEGIN(classes_and_members_are_chosen_by_constraints)
    I(cell<int>{1}.kind()); I(cell<unsigned>{1}.kind()); I(cell<float>{1}.kind()); //= 2 1 0
    I(rank<float>::v); I(rank<int>::v); I(rank<long>::v); I(rank<float *>::v); I(rank<int *>::v); //= 0 1 2 3 4
    I(twice<int>); F(twice<float>); I(has_pointer<int>::v); I(has_pointer<bag>::v); //= 2 2.0 1 0
END

template <class T, class U> requires std::same_as<T, U> FN int same(T, U) { return 1; }
template <class T, class U> FN int same(T, U) { return 0; }
template <class T> constexpr bool addable = requires(T a, T b) { a + b; };
template <std::integral... T> FN int all(T...) { return sizeof...(T); }
template <class... T> FN int all(T...) { return 100; }
template <class F, class... A> requires std::invocable<F, A...> FN int call(F f, A... a) { return f(a...); }
template <class F, class... A> FN int call(F, A...) { return -1; }
template <class T> requires requires(T t) { t.size(); } FN int direct(T) { return 1; }
template <class T> FN int direct(T) { return 2; }

BEGIN(requirements)
    I(same(1, 2)); I(same(1, 2.0f)); I(addable<int>); I(addable<bag>); //= 1 0 1 0
    I(all(1, 2, 3)); I(all(1, 2.0f)); I(direct(bag{})); I(direct(1)); //= 3 100 1 2
    I(call([](int x) { return x + 1; }, V(4))); I(call([](int x) { return x + 1; }, bag{})); //= 5 -1
    I(requires { out_[0] + 1; }); //= 1
    auto twofold = []<std::integral T>(T a) { return a * 2; };
    auto any = []<class T>(T a) requires small<T> { return a; };
    std::integral auto z = V(5);
    I(twofold(V(4))); I(any(V(6))); I(z); //= 8 6 5
    if constexpr (std::totally_ordered<int> && !std::totally_ordered<bag> && std::regular<int>) I(1); else I(0); //= 1
END

struct two { int a; float b; auto operator<=>(const two &) const = default; };
struct back {
    int a;
    FN constexpr std::strong_ordering operator<=>(const back &o) const { return o.a <=> a; }
    FN constexpr bool operator==(const back &o) const { return a == o.a; }
};
struct base { int k; FN bool operator==(const base &) const = default; };
struct nested : base { int v[3]; two t; bool operator==(const nested &) const = default; };
struct mixed { int v; FN bool operator==(int o) const { return v == o; } FN auto operator<=>(int o) const { return v <=> o; } };
struct free_equal { int v; friend bool operator==(const free_equal &, const free_equal &) = default; };

BEGIN(comparisons_left_to_the_compiler)
    two p{V(3), V(1.5f)}, q{3, 2.5f};
    I(p < q); I(p > q); I(p <= q); I(p >= q); I(p == q); I(p != q); I(p == p); //= 1 0 1 0 0 1 1
    back a{V(3)}, b{V(4)};
    I(a < b); I(a >= b); I(a == b); I(a != b); I((a <=> b) == std::strong_ordering::greater); //= 0 1 0 1 1
    I((V(1) <=> 2) < 0); I((V(2.5f) <=> 2.5f) == 0); I(std::is_gt(V(3) <=> 1)); I((V(2u) <=> 3u) > 0); //= 1 1 1 0
    nested s{{1}, {1, 2, V(3)}, p}, t = s;
    I(s == t); t.v[2] = 4; I(s == t); t = s; t.k = 2; I(s != t); t = s; t.t.a = 9; I(s == t); //= 1 0 1 0
    mixed m{V(5)};
    I(m == 5); I(5 == m); I(5 != m); I(m < 6); I(4 < m); I(7 <= m); //= 1 1 0 1 1 0
    I(free_equal{V(1)} == free_equal{1}); I(free_equal{V(1)} != free_equal{1}); //= 1 0
END

// nvcc 13 takes what is no number for equal to everything.
BEGIN(comparisons_of_no_numbers)
    two n{3, __int_as_float(V(0x7fc00000))}, p{3, 1.5f};
    I(n == n); I(n < p); I(n >= p); I((n <=> p) == std::partial_ordering::unordered); I(n != p); //= 0 0 0 1 1
END

enum class colour { red = 1, green = 2, blue = 4 };
struct palette { using enum colour; };
FN int value(colour c) {
    using enum colour;
    switch (c) {
    case red: return 10;
    case green: return 20;
    case blue: return 30;
    }
    return 0;
}

BEGIN(enumerators_without_their_enumeration)
    I(value((colour)V(2))); I((int)palette::blue); using colour::red; I((int)red); //= 20 4 1
END

struct point {
    int a, b;
    constexpr bool operator==(const point &) const = default;
};
template <point P> struct line { static constexpr int s = P.a * 10 + P.b; };
template <point P> FN int apart() { return P.a - P.b; }
template <int N> struct text {
    char d[N];
    constexpr text(const char (&s)[N]) {
        for (int i = 0; i < N; i++) d[i] = s[i];
    }
};
template <text S> FN int length() { return sizeof(S.d) - 1; }
template <text S> FN int letter(int i) { return S.d[i]; }
template <double D> FN double scaled(double x) { return D * x; }
constexpr point origin{0, 7};

BEGIN(arguments_that_are_objects)
    I(line<point{1, 2}>::s); I(apart<point{9, 4}>()); I(line<origin>::s); I(apart<point{.b = 2}>()); //= 12 5 7 -2
    I(length<"hello">()); I(letter<"hello">(V(1))); I(letter<"jello">(V(0))); //= 5 101 106
    F(scaled<1.5>(V(2.0))); F(scaled<-0.25>(V(2.0))); I(point{1, V(2)} == point{1, 2}); I(point{1, 2} != point{1, V(3)}); //= 3.0 -0.5 1 1
END

struct counter {
    int n;
    FN int kind() { return 1; }
    FN int kind() const { return 2; }
};
FN const counter fixed(int n) { return {n}; }
FN counter loose(int n) { return {n}; }
template <class T> FN int through(T &&) { return std::is_const_v<std::remove_reference_t<T>>; }

BEGIN(results_stay_const)
    I(fixed(V(1)).kind()); I(loose(V(1)).kind()); I(through(fixed(1))); I(through(loose(1))); //= 2 1 1 0
    I(std::is_const_v<decltype(fixed(1))>); auto copy = fixed(V(4)); copy.n = 5; I(copy.n + copy.kind()); //= 1 6
END

// What says `requires` in the line after a constructor without a word, which looks like a macro's call.
template <class T> struct Counting {
    T base;
    Counting()
        requires requires { T(); }
    = default;
    FN constexpr explicit Counting(T const &b) : base(b) {}
    FN T next() const { return base + 1; }
};
#if __cpp_concepts < 201907L
#error concepts have no date
#endif

BEGIN(constraints_stand_in_the_next_line)
    Counting<int> c(V(4)); I(c.next()); //= 5
END

// Packs among the parameters of a requirement.
template <class F, class... A> concept called_with = requires(F f, A... a) { f(a...); };
template <class F, class... A> concept handed_on = requires(F &&f, A &&...a) { static_cast<F &&>(f)(static_cast<A &&>(a)...); };
struct TwoNumbers { FN int operator()(int, float) const { return 3; } };
FN int how_called(called_with auto) { return 1; }
FN int how_called(called_with<int, float> auto f) { return f(1, 2); }

BEGIN(packs_of_parameters_in_requirements)
    I(called_with<TwoNumbers>); I(called_with<TwoNumbers, int, int>); I(handed_on<const TwoNumbers &, int &, float>); //= 0 1 1
    I(how_called(TwoNumbers())); I(how_called([] {})); I(called_with<int (*)(int), int>); I(called_with<int (*)(int)>); //= 3 1 1 0
END

// Whether objects can be made by `new` is asked in requirements of concepts.
template <class T> concept made_by_new = requires { ::new T; } && requires { ::new (static_cast<void *>(nullptr)) T(); };
struct NeedsNumber { int x; FN explicit NeedsNumber(int v) : x(v) {} };

BEGIN(new_in_requirements_of_concepts)
    I(made_by_new<int>); I(made_by_new<Counting<int>>); I(made_by_new<NeedsNumber>); //= 1 1 0
END

// Of two templates the one that asks for more was not found where two of its parameters stand for one type. A class `max` hid the
// function `::max`. `std::bit_cast` was in no header.
namespace asking {
template <class T> concept all = requires { typename T::id; } && T::n > 0;
template <all A, all B> FN int f(A &a, const B &b) { return 1; }
template <all T, typename U> FN int f(T &a, const U &b) { return 2; }
struct Members {
    template <all T, typename U> static FN int f(T &a, const U &b) { return 2; }
    template <all A, all B> static FN int f(A &a, const B &b) { return 1; }
};
struct X {
    typedef int id;
    static const int n = 3;
};
struct max {
    template <class T> static FN T op(T a, T b) { return ::max(a, b); }
};
}

BEGIN(templates_that_ask_for_more)
    asking::X x;
    I(asking::f(x, x)); I(asking::f(x, 3)); I(asking::Members::f(x, x)); I(asking::Members::f(x, 3)); //= 1 2 1 2
    I(asking::max::op(V(3), 4)); I(std::bit_cast<int>(1.0f + V(0))); //= 4 1065353216
END

template <class C> __host__ consteval int cv_blocks() { return C::n; }
template <class C> __global__ __launch_bounds__(128, cv_blocks<C>()) void cv_kernel(int *p) { *p = 1; }
struct CvFew { static const int n = 2; };
template __global__ void cv_kernel<CvFew>(int *);

BEGIN(consteval_functions_of_the_host_were_refused)
    constexpr int x = cv_blocks<CvFew>(); I(x + V(1)); I(cv_blocks<CvFew>()); //= 3 2
END
