// Templates of C++17: packs in patterns, variable templates, substitution failure, <utility>.

#include <type_traits>
#include <utility>

template <class T, T... Is> struct Seq { static constexpr int n = sizeof...(Is); };
template <int N, int... Is> struct Made : Made<N - 1, N - 1, Is...> {};
template <int... Is> struct Made<0, Is...> { using type = Seq<int, Is...>; };
template <int... Is> __device__ int weighted(const int *a, Seq<int, Is...>) { return (a[Is] * Is + ...); }

template <class... T> struct List {};
template <class L> struct Tail;
template <class T, class... R> struct Tail<List<T, R...>> {
    using type = T;
    static constexpr int n = sizeof...(R);
};
template <class L> struct Pointers { static constexpr int n = -1; };
template <class... T> struct Pointers<List<T *...>> { static constexpr int n = sizeof...(T); };
template <> struct Pointers<List<int>> { static constexpr int n = 77; };
template <class A, class B> struct Joined;
template <class... A, class... B> struct Joined<List<A...>, List<B...>> { using type = List<A..., B...>; };
template <class... T> struct Count { static constexpr int n = 0; };
template <class T> struct Count<T> { static constexpr int n = 1; };
template <class T, class... R> struct Count<T, R...> { static constexpr int n = 2 + Count<R...>::n; };
template <class T, class... R> __device__ int behind(List<T, R...>, T x) { return sizeof...(R) * 10 + x; }
template <unsigned long... I> using Indices = Seq<unsigned long, I...>;
template <unsigned long... I> __device__ int through_alias(Indices<I...>) { return (int(I) + ... + 0); }

BEGIN(packs_in_patterns)
    int a[5] = {1, 2, 3, V(4), 5};
    I(weighted(a, typename Made<4>::type{})); //= 20
    I(Made<5>::type::n); //= 5
    I(Tail<List<int, float, char>>::n); //= 2
    I(sizeof(Tail<List<char>>::type)); //= 1
    I(Pointers<List<int *, float *>>::n); I(Pointers<List<int>>::n); I(Pointers<List<int *, float>>::n); //= 2 77 -1
    I(Tail<Joined<List<char>, List<int, int>>::type>::n); //= 2
    I(Count<>::n); I(Count<int>::n); I(Count<int, int, int>::n); //= 0 1 5
    I(behind(List<int, float>{}, V(3))); //= 13
    I(through_alias(Indices<1, 2, 4>{})); //= 7
END

template <bool B, class T = void> struct When {};
template <class T> struct When<true, T> { using type = T; };
template <class T> struct IsFloat { static constexpr bool value = false; };
template <> struct IsFloat<float> { static constexpr bool value = true; };
template <class T> inline constexpr bool is_float_v = IsFloat<T>::value;
template <class T, typename When<is_float_v<T>, int>::type = 0> __device__ T scaled(T a) { return a * 2.5f; }
template <class T, typename When<!is_float_v<T>, int>::type = 0> __device__ T scaled(T a) { return a * 3; }
template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0> __device__ int kind(T) { return 1; }
template <class T, std::enable_if_t<std::is_floating_point_v<T>, int> = 0> __device__ int kind(T) { return 2; }
template <class T, std::enable_if_t<std::is_pointer_v<T>, int> = 0> __device__ int kind(T) { return 3; }

BEGIN(values_whose_types_do_not_exist)
    F(scaled(V(2.0f))); //= 5.0
    I(scaled(V(2))); //= 6
    const int c = 1;
    I(kind(V(1))); I(kind(V(1.0f))); I(kind(&c)); //= 1 2 3
END

template <std::size_t... I> __device__ int sum_at(const int *a, std::index_sequence<I...>) { return (a[I] + ... + 0); }
template <class F, class... A> __device__ auto apply_to(F &&f, A &&...a) {
    return std::forward<F>(f)(std::forward<A>(a)...);
}
struct Which {
    int n;
    __device__ int take(int &) { return 1; }
    __device__ int take(const int &) { return 2; }
    __device__ int take(int &&) { return 3; }
};
template <class T> __device__ int forwarded(Which w, T &&t) { return w.take(std::forward<T>(t)); }

BEGIN(utility)
    int a[70];
    for (int i = 0; i < 70; i++) a[i] = i;
    I(sum_at(a, std::make_index_sequence<66>{})); //= 2145
    I(sum_at(a + 1, std::index_sequence_for<int, float>{})); //= 3
    I(sum_at(a, std::make_index_sequence<0>{})); //= 0
    I(apply_to([](int x, int y) { return x * y; }, V(4), 3)); //= 12
    int n = V(1);
    const int c = n;
    Which w{0};
    I(w.take(n)); I(w.take(c)); I(w.take(std::move(n))); I(w.take(static_cast<int &&>(n))); //= 1 2 3 3
    I(forwarded(w, n)); I(forwarded(w, c)); I(forwarded(w, V(2))); //= 1 2 3
    int m = std::move(n);
    I(m); //= 1
END

// Specialisations of variable templates, which were passed over without a word.
template <class T, class U> constexpr bool alike = false;
template <class T> constexpr bool alike<T, T> = true;
template <int N> constexpr int named = N;
template <> constexpr int named<4> = 40;
template <class T> constexpr int depth = 0;
template <class T> constexpr int depth<T *> = 1 + depth<T>;
BEGIN(specialised_variables)
    I(alike<int, int>); I(alike<int, float>); I(named<3>); I(named<4>); I(depth<int>); I(depth<int ***>); //= 1 0 3 40 0 3
END

// Explicit conversion functions to CUDA's vectors.
struct Wide {
    float v;
    FN explicit operator float2() const { return make_float2(v, -v); }
};
BEGIN(converted_to_vector)
    Wide w{V(1.5f)};
    F(((float2)w).y); F(float2(w).x); F(static_cast<float2>(w).y); //= -1.5 1.5 -1.5
END

// Partial specialisations with conditions, of which the first stood for everything, without a word.
template <class T, class = void> struct Chosen { static constexpr int n = 1; };
template <class T> struct Chosen<T, std::enable_if_t<std::is_floating_point<T>::value>> { static constexpr int n = 2; };
template <class T> struct Chosen<T, typename std::enable_if<sizeof(T) == 8 && std::is_integral<T>::value>::type> {
    static constexpr int n = 3;
};
struct Typed { using type = int; };
template <class T, class = void> struct HasType { static constexpr int n = 0; };
template <class T> struct HasType<T, std::void_t<typename T::type>> { static constexpr int n = 1; };
template <class T, class = void> struct Comparable { static constexpr int n = 0; };
template <class T> struct Comparable<T, std::void_t<decltype(std::declval<const T &>() == std::declval<const T &>())>> {
    static constexpr int n = 1;
};
template <class T> using Getter = T (*)();
template <class T, class = void> extern Getter<void> made;
template <class T> extern Getter<T &&> made<T, std::void_t<T &&>>;
template <class T, class = void> constexpr int added = 0;
template <class T> constexpr int added<T, std::void_t<decltype(made<T>() + made<T>())>> = 1;
BEGIN(conditions_of_specialisations)
    I(Chosen<int>::n); I(Chosen<float>::n); I(Chosen<long long>::n); I(Chosen<double>::n); //= 1 2 3 2
    I(HasType<int>::n); I(HasType<Typed>::n); //= 0 1
    I(Comparable<int>::n); I(Comparable<Typed>::n); I(Comparable<int *>::n); //= 1 0 1
    I(sizeof(decltype(made<double>()))); I(added<float>); I(added<Typed>); //= 8 1 0
END

// Functions and null pointers as arguments.
FN int doubled(int x) { return x * 2; }
FN int squared(int x) { return x * x; }
template <int (*f)(int)> FN int twice(int x, int more) { return f(f(x)) + more; }
template <int (*f)(int)> FN int twice(int x) { return twice<f>(x, 1); }
template <int (*f)(int)> struct Held { FN static int call(int x) { return [x] { return f(x); }(); } };
template <class T, typename std::enable_if<std::is_integral<T>::value>::type * = nullptr> FN int sort(T) { return 1; }
template <class T, typename std::enable_if<!std::is_integral<T>::value>::type * = nullptr> FN int sort(T) { return 2; }
template <const int *p> FN int or_none() { return p == nullptr; }
BEGIN(functions_and_null_pointers_as_arguments)
    I(twice<doubled>(V(3))); I(twice<&squared>(V(3))); I(Held<doubled>::call(V(4))); //= 13 82 8
    I(sort(V(1))); I(sort(V(1.0f))); I(or_none<nullptr>()); //= 1 2 1
END

// A member template that is `static` in its class was not any more once its definition outside had been found: the second call wanted an
// object, or was made with one argument too many.
template <class A> struct StaticOutside {
    template <class T, class... R> static FN int made(A a, T b, R &&...rest);
};
template <class A> template <class T, class... R> FN int StaticOutside<A>::made(A a, T b, R &&...rest) {
    return a + b + (0 + ... + rest);
}
template <class A> struct UsesStaticOutside {
    using other = StaticOutside<A>;
    FN int get(A a) { return other::made(a, 1, 2) * 100 + other::made(a, 2, 3); }
};

BEGIN(static_member_template_defined_outside)
    auto inside = [=](int a) { return StaticOutside<int>::made(a, 1, 2); };
    I(UsesStaticOutside<int>().get(V(1))); I(inside(V(3))); //= 406 6
END
