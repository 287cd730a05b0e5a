// Which of several functions, templates and specialisations stand for what is written.

#include <cuda_fp16.h>
#include <string>
#include <vector>

template <class K> struct Pair {
    K k;
    int v;
    __device__ constexpr Pair() {}
    __device__ constexpr Pair(K a, int b) : k(a), v(b) {}
};

// A value and a reference that adds `const` are equally near (C++17, 16.3.3.2): the more special template is taken.
template <class T> __device__ int value_or(const T v, int = 0) { return 1; }
template <class T> __device__ int value_or(T *const v, int = 0) { return 2; }
template <class T> __device__ int value_or(const Pair<T> &v, int = 0) { return 3; }
template <class T> __device__ int reference_or(T &v) { return 1; }
template <class T> __device__ int reference_or(const Pair<T> &v) { return 2; }
template <class T> __device__ int forwarded(T &&v) { return 1; }
template <class T> __device__ int forwarded(const Pair<T> &v) { return 2; }
template <class T> __device__ int taken(const T &v) { return 1; }
template <class T> __device__ int taken(Pair<T> v) { return 2; }

BEGIN(references_and_values)
    Pair<float> a(1.0f, V(2)); const Pair<float> c(2.0f, V(3));
    I(value_or(a)); I(value_or(c, 1)); I(value_or(&a)); I(value_or(V(1))); //= 3 3 2 1
    I(reference_or(a)); I(reference_or(c)); I(forwarded(a)); I(forwarded(c)); I(forwarded(Pair<int>(1, 2))); I(taken(a)); //= 1 2 1 2 1 2
END

// A conversion that a class defines is not followed by one to `__half`, which is a class, too.
struct Element {
    float f;
    __device__ operator const float &() const { return f; }
    __device__ operator float &() { return f; }
};
__device__ int kind(float) { return 1; }
__device__ int kind(__half) { return 2; }
__device__ int number(int) { return 1; }
__device__ int number(__half) { return 2; }

BEGIN(classes_of_16_bits)
    Element e{2.5f}; const Element c{1.0f};
    I(kind(e)); I(kind(c)); I(kind(__float2half(1.0f))); I(kind(1.0f)); I(number(2.5f)); //= 1 1 2 1 1
END

struct Held {
    int v;
    __device__ bool operator==(const Held &o) const { return v == o.v; }
    template <class T> __device__ int operator+(const T &o) const { return 1; }
};
template <class T> __device__ int operator+(const Held &h, T *o) { return 2; }

BEGIN(operators_of_members_and_others)
    Held h{V(3)}, g{V(3)}; I(h == g); I(h + V(1)); I(h + &g); //= 1 1 2
END

// A specialisation's pattern leaves an argument to a default that asks another one.
template <class T> struct bits_of { static const int value = sizeof(T) * 8; };
template <class T, int N, bool Wide = (bits_of<T>::value >= 32)> struct Row;
template <class T, int N> struct Row<T, N, true> { T d[N]; };
template <class T, int N> struct Row<T, N, false> { unsigned d[(N + 1) / 2]; };
template <class T> struct Scale { static const int kind = 0; };
template <class T, int N> struct Scale<Row<T, N>> { static const int kind = bits_of<T>::value; };
template <int N> struct Scale<Row<short, N>> { static const int kind = 7; };

BEGIN(patterns_with_defaults)
    I((Scale<Row<float, 4>>::kind)); I((Scale<Row<double, 2>>::kind)); I((Scale<Row<short, 3>>::kind)); I((Scale<Row<float, 4, false>>::kind)); //= 32 64 7 0
END

// Defaults in a declaration, other names for the parameters in the definition.
template <class A_, class B_ = A_, int K_ = sizeof(B_)> struct Announced;
template <class X, class Y, int N> struct Announced { X x; Y y; static const int n = N; };
template <class T, class U = T> __device__ U announced(T t);
template <class From, class To> __device__ To announced(From t) { return To(t) + sizeof(From); }

BEGIN(names_of_parameters)
    Announced<short> a{1, 2}; Announced<short, double> b{1, 2}; I(a.n); I(b.n); I(sizeof(a)); I(announced(V(2))); //= 2 8 4 6
END

// Of a class of the host, its enumerations, types and constants.
struct Trained {
    enum Kind { Flat, Tree = 5 };
    virtual void train(const std::vector<float> &v);
    std::vector<float> state;
};
class Quantizer : public Trained {
    std::string name;
    void check(std::string s) const { name.size(); }

public:
    enum class Bits { four = 4, eight = 8 };
    static constexpr int limit = 7;
    using code = unsigned short;
    struct Range { int from, to; };
    Bits bits = Bits::eight;
    Quantizer(int d, Bits b);
};
template <Quantizer::Bits B> __device__ int coded(int x) {
    Quantizer::Range r{x, x + int(B)};
    return B == Quantizer::Bits::eight ? r.to * Quantizer::limit : r.from;
}

BEGIN(scopes_of_host_classes)
    I(coded<Quantizer::Bits::eight>(V(2))); I(coded<Quantizer::Bits::four>(V(2))); I(sizeof(Quantizer::code)); I(Quantizer::Tree); //= 70 2 2 5
END

// Shared variables of classes whose constructors do nothing.
struct Cell { Pair<int> p[2]; Cell() = default; };

BEGIN(shared_with_empty_constructors)
    __shared__ Pair<int> s[2]; __shared__ Cell c; s[V(1)].v = V(4); c.p[V(0)].k = V(3); I(s[1].v + c.p[0].k); //= 7
END

// A member with the name of a template elsewhere is no type.
template <class A, class B, class C> struct Triple { A a; B b; C c; };
namespace shapes { template <class T> struct W { T t; }; }
struct Extent {
    int W, C;
    __device__ bool same(const Extent &o) const { return (W == o.W) && (C == o.C); }
};

BEGIN(members_in_parentheses)
    Extent a{V(1), V(2)}, b{V(1), V(2)}; I(a.same(b)); //= 1
END

// Defaults of arguments, members and template arguments, aliases and variable templates name nothing of who uses them.
constexpr int Far = 5;
__device__ int by_default(int a, int b = Far) { return a * 10 + b; }
struct Defaulted { int a, far = Far; };
template <int K = Far> struct Counted { static const int v = K; };
template <class A> constexpr int sized = sizeof(A) + Far;
template <bool B, class A, class C> struct chosen { typedef A type; };
template <class A, class C> struct chosen<false, A, C> { typedef C type; };
template <bool B, class A, class C> using chosen_t = typename chosen<B, A, C>::type;

template <class T> __device__ int hidden(const T *A, const T *B, T *C, int Far) {
    using wide = chosen_t<sizeof(T) == 2, int, chosen_t<sizeof(T) == 4, double, T>>;
    Defaulted d{Far};
    auto inner = [=](int z) { return by_default(z) + Far; };
    return sizeof(wide) + 100 * by_default(Far) + 10000 * d.far + 100000 * Counted<>::v + 1000000 * sized<short> + 10000000 * inner(1);
}

BEGIN(names_of_who_uses_them)
    float x[2] = {}; I(hidden(x, x, x, V(3))); //= 187553508
END

// `int(b.x) * 4` in parentheses is no parameter.
struct Offset {
    using Index = int;
    int r, c;
    __device__ Offset(int a, int b) : r(a), c(b) {}
};

BEGIN(casts_that_are_no_parameters)
    int2 b{V(2), V(3)}; Offset o(Offset::Index(int(b.x) * 4 + b.y), Offset::Index(int(b.y) * 2)); I(o.r * 100 + o.c); //= 1106
END

// A namespace that a parameter hides is still one before `::`.
namespace layout { struct Pitch { int s; __device__ Pitch(int a) : s(a) {} }; }
struct Params {
    layout::Pitch p;
    __device__ Params(const int &layout) : p(layout::Pitch(layout)) {}
};
template <int R> struct Coord {
    int idx[R];
    __device__ Coord(const int (&c)[R]) { for (int i = 0; i < R; i++) idx[i] = c[i]; }
    __device__ Coord(const Coord &o) { for (int i = 0; i < R; i++) idx[i] = o.idx[i]; }
};
struct Strided { using Stride = Coord<3>; };

BEGIN(hidden_namespaces_and_lists_for_arrays)
    Params p(V(7)); Strided::Stride s({V(1), V(2), 3}); I(p.p.s); I(s.idx[0] * 100 + s.idx[1] * 10 + s.idx[2]); //= 7 123
END

// Of two conversions by one conversion function, the one that leaves its result as it is.
struct Wide {
    float f;
    __device__ operator float() const { return f; }
};
struct Narrow {
    int from;
    __device__ explicit Narrow(float) : from(1) {}
    __device__ explicit Narrow(__half) : from(2) {}
    __device__ explicit Narrow(double) : from(3) {}
    __device__ explicit Narrow(int) : from(4) {}
};

BEGIN(conversions_by_one_function)
    Wide w{1.5f}; I(static_cast<Narrow>(w).from); I(Narrow(2.0).from); I(Narrow(V(1)).from); //= 1 3 4
END

// A function template with all of its arguments written is one function, of which a parameter's type is deduced.
template <class T> __device__ Pair<T> larger(const Pair<T> &a, const Pair<T> &b) { return a.k > b.k ? a : b; }
template <class T> struct Folded {
    template <class Op> __device__ T fold(T a, T b, Op op) { return op(a, b); }
    template <class Op> __device__ T fold(T a, Op op) { return op(a, a); }
};
template <int N, class T> struct Row2 { T d[N]; };
template <int N> __device__ int elaborated(int x) {
    using row = struct Row2<N, int>;
    row r[2];
    r[1].d[N - 1] = x;
    struct Row2<N, int> copy = r[1];
    return copy.d[N - 1] + sizeof(row);
}

BEGIN(functions_as_arguments_and_elaborated_types)
    Folded<Pair<float>> f; Pair<float> a(1, 5), b(2, V(7)); I(f.fold(a, b, larger<float>).v); I(f.fold(a, larger<float>).v); I(elaborated<3>(V(4))); //= 7 5 16
END

// Constants of enumerations without a type of their own were unsigned: `x - few < 0` never held.
enum { few = 32 };
enum wide : unsigned { many = 32 };
enum large { top = 0x80000000u };
template <int N> struct Tile {
    enum { size = N };
};
__device__ int taken(int) { return 1; }
__device__ int taken(unsigned long) { return 2; }
template <class T> __device__ int sort_of(T) { return T(-1) < T(0) ? int(sizeof(T)) : -int(sizeof(T)); }

BEGIN(enumerations_promote_to_int)
    int x = V(3);
    I(x - few < 0); I(x - many < 0); I((x - Tile<40>::size) / 2); I(x > -few); //= 1 0 -18 1
    I(taken(few)); I(sort_of(+few)); I(sort_of(+many)); I(sort_of(+top)); F(x - few); //= 1 4 -4 -4 -29.0
END

enum class sort { one, two };
template <class T, T Value> struct Constant {
    __device__ constexpr operator T() const { return Value; }
};

// Of classes that convert to enumerations.
BEGIN(enumerations_of_classes)
    I(Constant<sort, sort::one>() == Constant<sort, sort::one>()); I(Constant<sort, sort::one>() != sort::two); //= 1 1
    I(sort::two < Constant<sort, sort::one>()); //= 0
END

template <int N> __device__ void put(int *p) { *p += N; }
__device__ void double_it(int *p) { *p *= 2; }
typedef void (*step)(int *);
template <int N> struct Steps {
    static constexpr step first = put<N>;
    static constexpr step second = &double_it;
};
constexpr step last = put<100>;

// They were taken for the host's.
BEGIN(constants_that_are_functions)
    int x = V(1);
    Steps<5>::first(&x); Steps<5>::second(&x); last(&x);
    constexpr step again = Steps<7>::first;
    again(&x);
    I(x); //= 119
END

BEGIN(ranges_that_are_lists)
    int s = 0;
    for (int x : {V(1), 20, 300}) s += x;
    for (auto x : {0.5, 1.5}) s += int(x * 2000);
    for (const char *t : {"ab", "c"}) s += t[0];
    I(s); //= 4517
END

// All functions of a name that a `using` brings into a block.
namespace brought {
FN int count(int) { return 1; }
FN int count(int, int) { return 2; }
template <class T> FN int count(T *) { return 3; }
namespace more { FN int count(float) { return 4; } }
}

BEGIN(using_in_a_block_brings_all_overloads)
    using brought::count;
    using brought::more::count;
    int n = V(1); I(count(n)); I(count(n, n)); I(count(&n)); I(count(2.5f)); //= 1 2 3 4
    if (n == 1) { using brought::more::count; I(count(n)); } //= 4
    { I(count(n, 3)); } //= 2
END

// What comes later is no overload, hides nothing, and specialises nothing for what was written before; look-up by the types of
// arguments finds it.
FN int earlier(double) { return 1; }
template <class T> FN int by_template(T x) { return earlier(1) + 100 * earlier(x); }
FN int by_function() { return earlier(1); }
template <class T> struct EarlierUser {
    FN int inside(T x) { return earlier(x); }
    FN int outside(T x);
};
FN int earlier(int) { return 10; }
template <class T> FN int EarlierUser<T>::outside(T x) { return earlier(x); }
struct LaterFound {};
template <class T> FN int finds_later(T x) { return only_later(x); }
FN int only_later(LaterFound) { return 7; }
namespace two_phases {
template <class T> FN constexpr int value() { return 1; }
template <class T> struct Kind { static constexpr int value = 1; };
namespace inner {
template <class T> FN constexpr int user() { return value<T>() + Kind<T>::value; }
template <class T> FN constexpr int qualified() { return two_phases::value<T>(); }
template <class T> FN constexpr int value() { return 10; }
template <class T> struct Kind { static constexpr int value = 10; };
}
template <class T, int N> FN constexpr int value() { return N; }
}

BEGIN(what_came_later_was_found)
    EarlierUser<int> s; I(by_template(1)); I(by_function()); I(s.inside(1)); I(s.outside(1)); //= 101 1 1 10
    I(finds_later(LaterFound())); I(two_phases::inner::user<int>()); I(two_phases::inner::qualified<int>()); //= 7 2 1
END

// A parameter's type need not exist for the arguments before it: then the template has no such instance.
template <bool B, class T = void> struct if_so {};
template <class T> struct if_so<true, T> { typedef T type; };
template <bool B, typename if_so<B, int>::type = 0> constexpr int required = 0;
template <class T> constexpr bool names_place = false;
template <class T> constexpr bool names_place<T &> = true;
struct ByValue { int v; FN int operator*() const { return v; } };
template <class T> FN auto dereferences(T &&t) -> decltype(required<names_place<decltype(*t)>>, void());
template <class... A> FN auto does_dereference(int, decltype(&dereferences<A...>)) -> char (&)[1];
template <class... A> FN auto does_dereference(...) -> char (&)[2];

BEGIN(parameters_without_a_type_were_taken)
    I(sizeof(does_dereference<ByValue &>(0, nullptr))); I(sizeof(does_dereference<int *>(0, nullptr))); //= 2 1
END

// To ask what kind of type a class is does not define it, which may not be possible yet.
template <class P> struct Proxy { P const pointer; };
template <class T> struct FancyBase {
    static constexpr bool plain = __is_same(Proxy<T>, int) || __is_integral(Proxy<T>) || __is_union(Proxy<T>);
    static constexpr bool is_class = __is_class(Proxy<T>);
};
template <class T> struct Fancy : FancyBase<Fancy<T>> {
    T *raw;
    FN Proxy<Fancy> proxy() const { return Proxy<Fancy>{*this}; }
};

BEGIN(traits_defined_classes_too_early)
    int x = V(5); Fancy<int> f; f.raw = &x; I(*f.proxy().pointer.raw); I(Fancy<int>::plain); I(Fancy<int>::is_class); //= 5 0 1
    I(*__builtin_launder(f.raw)); //= 5
END

// A parameter of a template may be a member function; of overloads the one of its type is the argument.
struct Numbered {
    int v;
    FN int plus(int n) { return v + n; }
    FN static int twice(int n) { return 2 * n; }
};
FN int halved(int n) { return n / 2; }
FN double halved(double x) { return x / 2; }
template <int (Numbered::*M)(int)> FN int through_member(int n) { Numbered c{10}; return (c.*M)(n); }
template <class F, F f> struct Bound { template <class T> FN auto operator()(T x) const { return f(x); } };
template <double (*D)(double)> FN double through_double(double x) { return D(x); }

BEGIN(functions_as_arguments)
    I(through_member<&Numbered::plus>(V(3))); I(Bound<int (*)(int), Numbered::twice>()(V(4))); //= 13 8
    I(Bound<int (*)(int), halved>()(V(9))); F(through_double<halved>(V(9))); //= 4 4.5
END

// `this` may be named in the result type behind the parameters, and calls of members need it.
struct Evaluated {
    int m;
    template <class T> FN int eval(T t) const { return t + m; }
    FN int plain(int t) const { return t - m; }
    FN static int fixed(int t) { return t; }
};
template <class E> struct Actor : E {
    FN Actor(const E &e) : E(e) {}
    template <class... T> FN auto operator()(T &&...t) const -> decltype(E::eval(static_cast<T &&>(t)...)) { return E::eval(static_cast<T &&>(t)...); }
    template <class T> FN auto plainly(T t) const -> decltype(E::plain(t)) { return E::plain(t); }
    template <class T> FN auto by_this(T t) const -> decltype(this->eval(t)) { return this->eval(t) + 1; }
    template <class T> FN auto by_field(T t) const -> decltype(E::m + t) { return E::m + t; }
    template <class T> FN auto fixedly(T t) const -> decltype(E::fixed(t)) { return E::fixed(t); }
    FN auto member(int t) const -> decltype(E::plain(t)) { return E::plain(t) * 2; }
};

BEGIN(this_in_result_types)
    Actor<Evaluated> a(Evaluated{V(3)});
    I(a(4)); I(a.plainly(4)); I(a.by_this(4)); I(a.by_field(4)); I(a.fixedly(4)); I(a.member(4)); //= 7 1 8 7 4 2
END

// An object that converts itself to a class initialises one that has constructors, none of which takes it.
struct Point {
    float x, y;
    FN Point() : x(0), y(0) {}
    FN Point(float a, float b) : x(a), y(b) {}
};
template <class T, class D> struct ReferenceBase {
    T *p;
    FN operator T() const { return *p; }
};
struct PointReference : ReferenceBase<Point, PointReference> {};
struct PointHolder {
    Point p;
    FN PointHolder(PointReference r) : p(r) {}
};

BEGIN(converted_objects_initialise)
    Point o(V(1), V(2)); PointReference r; r.p = &o; Point a(r), b{r}, c = r; PointHolder h(r);
    F(a.x + b.y + c.x + h.p.y + Point(r).x); //= 7.0
END

// A member of a class template that another class has a type of the name of.
struct HasTypeCall { using called = int; };
template <class T, class = void> struct Caller;
template <class T> FN constexpr decltype(Caller<T>::called(1)) calls(const T &t) { return Caller<T>::called(t.v); }
template <class T, class> struct Caller { FN static constexpr long called(int n) { return n * 3; } };
struct Callee { int v; };

BEGIN(a_type_of_that_name_elsewhere)
    I(calls(Callee{V(4)})); I(sizeof(calls(Callee{1}))); //= 12 8
END

// Two classes that each convert to the other have no common type; a class's value is as `const` as the arm that it is of.
template <class T> struct Both {
    T data;
    Both(const Both &) = default;
    template <class U> FN constexpr Both(const Both<U> &o) : data(o.data) {}
    FN constexpr Both(T d) : data(d) {}
};
struct OneWay { int v; FN operator Both<int>() const { return v; } };
template <class A, class B, class = void> constexpr bool has_common = false;
template <class A, class B>
constexpr bool has_common<A, B, decltype(void(true ? *(A *)nullptr : *(B *)nullptr))> = true;
template <class T> constexpr bool is_constant = false;
template <class T> constexpr bool is_constant<const T> = true;

BEGIN(common_types_of_classes)
    I(has_common<Both<int>, Both<long>>); I(has_common<OneWay, Both<int>>); I(has_common<Both<int>, OneWay>); //= 0 1 1
    I(has_common<Both<int>, int>); I(has_common<const Both<int>, Both<int>>); //= 1 1
    I(is_constant<decltype(true ? *(OneWay *)nullptr : *(const Both<int> *)nullptr)>); //= 1
    I(is_constant<decltype(true ? *(Both<int> *)nullptr : *(const OneWay *)nullptr)>); //= 0
    OneWay o{V(3)}; Both<int> b(4); I((V(1) ? o : b).data); I((V(0) ? b : o).data); //= 3 3
END

// A template of an inline namespace is specialised in the namespace around it.
namespace versions { inline namespace v1 {
template <class T> struct Versioned { static const int k = 1; };
template <class T, class U> struct Paired;
template <class T> constexpr int versioned = 1;
template <class T> FN int version_of(T) { return 1; }
template <class T> struct Method { FN int of(); };
} }
namespace versions {
template <> struct Versioned<int> { static const int k = 2; };
template <class T> struct Versioned<T *> { static const int k = 3; };
template <class T> struct Paired<T, int> { static const int k = 4; };
template <class T> constexpr int versioned<T *> = 5;
template <> FN int version_of<int>(int) { return 6; }
template <class T> FN int Method<T>::of() { return 7; }
}

BEGIN(specialised_around_inline_namespaces)
    I(versions::Versioned<int>::k); I(versions::Versioned<int *>::k); I(versions::Versioned<char>::k); //= 2 3 1
    I(versions::Paired<char, int>::k); I(versions::versioned<char *>); I(versions::version_of(V(1))); //= 4 5 6
    I(versions::Method<int>().of()); //= 7
END

// A class that converts to a pointer could not choose between `const void *` and `bool`.
struct AsPointer {
    FN operator const int *() const { return nullptr; }
};
FN int pointed(const void *) { return 4; }
FN int pointed(bool) { return 6; }

BEGIN(pointers_of_classes_are_no_conditions)
    I(pointed(AsPointer())); I(pointed(V(1) > 0)); //= 4 6
END

namespace ra_outer {
namespace ra_one { struct Op {}; template <class T> __device__ int unpack(const T &, int n) { return n + 100; } }
namespace ra_two { struct Op {}; template <class T> __device__ int unpack(const T &, int n) { return n + 200; } }
template <class Op> struct Traits {};
template <> struct Traits<ra_two::Op> : Traits<ra_one::Op> {};
struct Whole : Traits<ra_two::Op> {};
}
namespace ra_based { struct Base {}; __device__ int met(const Base &) { return 5; } }
template <class T> struct RaBox {};
struct RaFrom : RaBox<ra_based::Base>, ra_based::Base {};
template <class T> __device__ int ra_call(const T &t, int n) { return unpack(t, n); }
namespace ra_outer { template <class T> __device__ int unpack(T, long n) { return n + 300; } }

BEGIN(template_arguments_of_bases_brought_their_namespaces)
    { ra_outer::Traits<ra_outer::ra_two::Op> t; I(ra_call(t, 1)); ra_outer::Traits<ra_outer::ra_one::Op> u; I(ra_call(u, 2)); } //= 201 102
    { ra_outer::Whole w; I(ra_call(w, 3)); RaFrom f; I(met(f)); } //= 303 5
END

struct RoFloat { float v; __device__ operator float() const { return v; } __device__ operator __half() const { return __float2half(v); } __device__ explicit operator int() const { return 77; } };
struct RoInt { int v; __device__ operator int() const { return v; } __device__ operator int *() const { return nullptr; } __device__ explicit operator long() const { return 5; } };

BEGIN(sums_added_nothing_that_converts_in_several_ways)
    { float a = V(1); RoFloat f = {2.5f}; a += f; F(a); a *= f; F(a); a = a + f; F(a); int n = V(8); n += f; I(n); } //= 3.5 8.75 11.25 10
    { int x[4] = {1, 2, 3, V(4)}; int *p = x; RoInt i = {2}; p += i; I(*p); p -= i; I(*p); int n = V(8); n >>= i; I(n); n |= i; I(n); } //= 3 1 2 2
    { short s = V(20000); RoInt i = {3}; s *= i; I(s); double d = V(3); d /= i; F(d); } //= -5536 1.0
END

template <class D, class A, class B, class C> __device__ void fma(D &d, const A &a, const B &b, const C &c) { d = a * b + c; }
namespace pf_mine {
template <class A, class B, class C> __device__ int fma(const A &, const B &, C &) { return 1000; }
template <class A> __device__ int near(A a) { return fma(a, a, a); }
}
namespace pf_other {
using namespace pf_mine;
__device__ float far(float x) { float a = x, b = 2, c = 3; return fma(a, b, c); }
__device__ int named(float a) { using pf_mine::fma; return fma(a, a, a); }
}

BEGIN(templates_that_fit_as_well_hid_provided_functions)
    F(pf_other::far(V(2))); I(pf_other::named(V(1.5f))); I(pf_mine::near(V(2.5f))); //= 7.0 1000 1000
    { float d; fma(d, V(2.0f), 3.0f, 4.0f); F(d); } //= 10.0
    { float2 f = __half22float2(__float22half2_rn({V(1.5f), V(2)})); F(f.x * 10 + f.y); } //= 17.0
END
