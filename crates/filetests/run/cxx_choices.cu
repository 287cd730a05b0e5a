// What is chosen, and what counts as valid, where another C++ compiler had another opinion than this one once had.
//@ file std=20

#include <initializer_list>
#include <type_traits>

// Built-in operators take part in the choice of an operator's function.
struct Five { __device__ operator int() const { return 5; } };
struct Both { __device__ operator long() const { return 6; } __device__ operator char() { return 7; } };
struct Points { const int *p; __device__ operator const int *() const { return p; } __device__ explicit operator bool() const { return true; } };
struct Plain { int a; };
enum Weak { weak0, weak1 }; enum class Strong : long { s0, s1 };
__device__ int operator+(long, const Plain &) { return 100; }
__device__ int operator+(int, Five) { return 101; }
__device__ long operator-(Five, double) { return 102; }
__device__ int operator*(Weak, Weak) { return 103; }
__device__ bool operator<(Strong, int) { return true; }
template <class T, class U> constexpr bool adds = requires(T t, U u) { t + u; };
template <class T, class U> constexpr bool subtracts = requires(T t, U u) { t - u; };

BEGIN(built_in_operators_are_candidates)
    int data[4] = {10, 11, 12, 13}; Points p{data}; Five f; Both b; const Both c;
    I(adds<Five, Five>); I((adds<int, Five>)); I((adds<Five, int>)); I((adds<double, Five>)); I((adds<short, Five>)); I((adds<Plain, int>)); I((adds<int, Plain>)); //= 1 1 1 0 1 0 1
    I(1 + f); I(f + 1); I(sizeof(f + 1.0f)); I(f - 1.0); I(subtracts<Five, int>); I(f * f); I(-f); I(~f); I(f << 1); I(f % 3); I(f < 6); I(f == 5); //= 101 6 4 102 0 25 -5 -6 10 2 1 1
    I(*(p + 1)); I(*(2 + p)); I(p - data); I(p == data); I(b + 1); I(c + 1); I(sizeof(b + 1)); I(sizeof(c + 1)); //= 11 12 0 1 8 7 4 8
    I(weak1 * weak1); I(weak1 * 3); I(weak1 + weak1); I(Strong::s0 < Strong::s0); I(Strong::s0 < 1); I(Strong::s1 == Strong::s1); //= 103 3 2 0 1 1
END

// Operators of classes in folds, and `&&` and `||` whose right operand alone is of a class.
template <bool V> struct Truth { static constexpr bool value = V; };
template <bool A, bool B> __device__ constexpr Truth<A && B> operator&&(Truth<A>, Truth<B>) { return {}; }
template <bool B> __device__ constexpr int operator||(int a, Truth<B>) { return a * 10 + B; }
struct Trail { int n; __device__ Trail operator,(int k) const { return {n * 10 + k}; } };
template <class... T> __device__ constexpr auto all_of(T... t) { return (Truth<true>{} && ... && t); }
template <class... T> __device__ constexpr auto every(T... t) { return (t && ...); }
template <class... T> __device__ constexpr auto each(T... t) { return (... && t); }
template <class... T> __device__ int trail(T... t) { return (Trail{1} , ... , t).n; }
template <class... T> __device__ int weak_product(T... t) { return (t * ...); }

BEGIN(folds_call_operators_of_classes)
    I(decltype(all_of(Truth<true>{}))::value); I(decltype(all_of(Truth<true>{}, Truth<false>{}))::value); //= 1 0
    I(decltype(every(Truth<true>{}, Truth<true>{}))::value); I(decltype(each(Truth<false>{}, Truth<true>{}))::value); //= 1 0
    I(3 || Truth<true>{}); I(0 || Truth<false>{}); I(trail(2, 3, 4)); I(weak_product(weak0, weak1)); I(every(1, 2, 0)); I(each(1, 2)); //= 31 0 1234 103 0 1
END

// A function that a template calls before it is declared, where another namespace has a class of its name.
namespace measures { template <class T> struct rank_of : Truth<true> {}; }
namespace shapes {
template <class T> __device__ int ranked(const T &t) { return rank_of(t) + decltype(rank_of(t) + 1.0)(1); }
struct Shape { int r; };
template <class T> __device__ int rank_of(const T &t) { return t.r; }
}

BEGIN(functions_are_called_though_a_class_has_their_name_elsewhere)
    I(shapes::ranked(shapes::Shape{4})); I(measures::rank_of<int>::value); //= 5 1
END

// Braced lists as arguments: the conversion of the element is what is compared.
struct Pair { int a; double b; };
struct Made { __device__ Made(const char *) {} };
__device__ int one(int) { return 1; } __device__ int one(signed char) { return 2; }
__device__ int other(const void *) { return 1; } __device__ int other(const Pair &) { return 2; } __device__ int other(long long) { return 3; }
__device__ int third(Made) { return 1; } __device__ int third(Pair) { return 2; }
__device__ int lasts(int &) { return 1; } __device__ int lasts(const double &) { return 2; }
__device__ int list(std::initializer_list<double>) { return 1; } __device__ int list(Pair) { return 2; }

BEGIN(lists_convert_as_their_elements_do)
    I(one({1})); I(one({(signed char)1})); I(other({'a'})); I(other({1, 2.5})); I(third({1, 2.5})); I(third({"a"})); I(lasts({1})); I(list({1.0, 2.0})); //= 1 2 3 2 2 1 2 1
END

// Narrowing in braces makes a requirement, or a substitution, fail.
template <class T, class U> constexpr bool braces = requires(U u) { T{u}; };
template <class T> constexpr bool of_65 = requires { T{65}; }; template <class T> constexpr bool of_300 = requires { T{300}; }; template <class T> constexpr bool of_odd = requires { T{16777217}; }; template <class T> constexpr bool of_half = requires { T{1.5}; };
template <class T> struct Holds { T t; };
template <class T, class U> __device__ auto made(U u, int) -> decltype(Holds<T>{u}, 1) { return 1; }
template <class T, class U> __device__ int made(U, long) { return 2; }

BEGIN(narrowing_in_braces_is_a_failure_of_substitution)
    I(braces<char, int>); I(braces<int, char>); I(braces<float, double>); I(braces<double, float>); I(braces<int, float>); I(braces<float, int>); //= 0 1 0 1 0 0
    I(braces<long, unsigned>); I(braces<unsigned, int>); I(braces<bool, int>); I(braces<int, bool>); I(braces<bool, int *>); I(braces<double, Weak>); //= 1 0 0 1 0 0
    I(of_65<char>); I(of_300<char>); I(of_odd<float>); I(of_odd<double>); I(of_half<float>); I(of_half<int>); //= 1 0 0 1 1 0
    I(made<char>(1, 0)); I(made<int>('a', 0)); //= 2 1
END

// Functions as arguments of templates, and overloaded members with `&` and `&&`.
struct Kinds { __device__ int r() & { return 1; } __device__ int r() && { return 2; } __device__ int r() const & { return 3; } __device__ int s() const { return 4; } };
__device__ int twice(int x) { return 2 * x; }
template <auto Fun> __device__ int argument() { return std::is_same<decltype(Fun), int (*)(int)>::value * 10 + Fun(3); }
template <class T> __device__ constexpr int ref_kind(int (T::*)() &) { return 1; }
template <class T> __device__ constexpr int ref_kind(int (T::*)() &&) { return 2; }
template <class T> __device__ constexpr int ref_kind(int (T::*)() const) { return 3; }

template <class T, class M> constexpr bool calls = requires(M m) { (static_cast<T &&(*)()>(nullptr)().*m)(); };

BEGIN(members_are_chosen_by_their_reference_qualifiers)
    Kinds k; I((k.*static_cast<int (Kinds::*)() &>(&Kinds::r))()); I((Kinds().*static_cast<int (Kinds::*)() &&>(&Kinds::r))()); I((k.*static_cast<int (Kinds::*)() const &>(&Kinds::r))()); //= 1 2 3
    int (Kinds::*lasting)() & = &Kinds::r; I((k.*lasting)()); I(ref_kind(lasting)); I(ref_kind(&Kinds::s)); I(argument<twice>()); I(argument<&twice>()); //= 1 1 3 16 16
    I(std::is_same<int (Kinds::*)() &, int (Kinds::*)() &&>::value); I((calls<Kinds &, int (Kinds::*)() &>)); I((calls<Kinds, int (Kinds::*)() &>)); I((calls<Kinds, int (Kinds::*)() &&>)); //= 0 1 0 1
END

// The assignment that nobody wrote has a `const` object, which its members' parameters are made of.
struct Counts { int n = 0; __device__ Counts() {} __device__ Counts(const Counts &c) : n(c.n + 1) {} __device__ Counts(Counts &c) : n(c.n + 5) {} __device__ Counts &operator=(Counts c) { n = c.n; return *this; } };
struct Counted { Counts c; int k = 0; }; struct Changing { int n = 0; __device__ Changing &operator=(Changing &c) { c.n++; n = c.n; return *this; } }; struct Changes { Changing c; };

BEGIN(members_are_assigned_from_const_objects)
    Counted a, b; b = a; I(b.c.n); Counts d; d = a.c; I(d.n); Changes e, f; f = e; I(e.c.n); I(f.c.n); //= 1 5 1 1
END

// Virtual calls in constants.
struct Form { __device__ constexpr virtual int area() const { return 2; } __device__ constexpr virtual int twice() const { return 2 * area(); } };
struct Other { int pad = 9; __device__ constexpr virtual int pads() const { return pad; } };
struct Square : Other, Form { int a; __device__ constexpr Square(int a) : a(a) {} __device__ constexpr int area() const override { return a * a; } __device__ constexpr int pads() const override { return a; } };
__device__ constexpr int area_of(const Form &f) { return f.area() + f.twice() + f.Form::area(); }
__device__ constexpr int pads_of(const Other *o) { return o->pads(); }
template <int N> struct Number { static constexpr int value = N; };

BEGIN(virtual_functions_are_called_in_constants)
    I((Number<area_of(Square(3))>::value)); I((Number<area_of(Form())>::value)); constexpr Square s(4); constexpr int n = pads_of(&s) + area_of(s); I(n); //= 29 8 54
    I(area_of(Square(3))); I(pads_of(&s)); //= 29 4
END

// Friends that only a class declares are found by its arguments alone, not by those of its neighbours.
struct Base31 { unsigned v; __device__ friend Base31 operator*(Base31 a, const Base31 b) { return {a.v * b.v}; } };
struct Wide31;
struct Small31 : Base31 { __device__ Small31(const Base31 &b) : Base31(b) {} __device__ Small31(int k) : Base31{(unsigned)k} {} __device__ friend int seen(const Small31 &s); __device__ friend int shared(Small31 s, Wide31 w); };
struct Wide31 { unsigned v[4]; __device__ Wide31(Small31 a) : v{a.v, 1, 2, 3} {} __device__ Wide31(int a) : v{(unsigned)a} {} __device__ friend Wide31 operator*(Small31 b, const Wide31 &a) { return Wide31((int)(b.v + a.v[0])); } __device__ friend int only(const Wide31 &w) { return w.v[3]; } __device__ friend int shared(Small31 s, Wide31 w) { return s.v * 10 + w.v[0]; } };
__device__ int only(long) { return -1; }
__device__ int seen(const Small31 &s) { return s.v; }
template <class T> constexpr bool has_only = requires(T t) { only(t); };

BEGIN(friends_are_found_by_arguments_of_their_class)
    Small31 s(3), t(4); Base31 b = s * t; I(b.v); I((s * Base31{5}).v); I((s * Wide31(6)).v[0]); I(only(Wide31(s))); I(only(7)); I(seen(s)); I(shared(s, 2)); //= 12 15 9 3 -1 3 32
    I(has_only<Wide31>); I(has_only<Small31>); I(has_only<int>); //= 1 0 1
END

// Casts that `static_cast` does not do; enumerations are promoted to the type that they name; objects that are changed by way
// of what they convert to; explicit conversions to aggregates.
template <class A, class B> constexpr bool casts = requires(B b) { static_cast<A>(b); };
enum Byte : unsigned char { byte1 = 1 };
__device__ int promotes(unsigned char) { return 1; } __device__ int promotes(int) { return 2; } __device__ int promotes(long) { return 3; }
__device__ int further(int) { return 2; } __device__ int further(long) { return 3; }
struct Refers { int n; __device__ operator int &() { return n; } __device__ operator const int &() const { return n; } };
struct Turns { int k; __device__ explicit operator Refers() const { return {k + 1}; } };

BEGIN(what_objects_and_enumerations_become)
    I((casts<int, int *>)); I((casts<int *, long>)); I((casts<int *, const int *>)); I((casts<const int *, int *>)); I((casts<void *, int *>)); I((casts<int *, void *>)); I((casts<long, Byte>)); //= 0 0 0 1 1 1 1
    I(promotes(byte1)); I(further(byte1)); Refers r{4}; r += 3; I(r.n); r <<= 1; I(r.n); I(r + 1); I(Refers(Turns{8}).n); I(static_cast<Refers>(Turns{9}).n); //= 1 2 7 14 15 9 10
END

// A reference to a base of a temporary object refers to a part of that; an aggregate is made of an object of a derived class.
template <class D> struct Crtp { __device__ int less(const Crtp &o) const { return static_cast<const D &>(*this).v - static_cast<const D &>(o).v; } __device__ static int of(Crtp &&o) { return static_cast<D &&>(o).v; } };
struct Mass : Crtp<Mass> { double pad = 1; int v = 0; __device__ Mass(int v) : v(v) {} };
struct Pod { int x; }; struct More : Pod { int y; };

BEGIN(parts_of_temporary_objects_are_referred_to)
    I(Mass(9).less(Mass(4))); I(Mass::of(Mass(6))); const Crtp<Mass> &kept = Mass(8); I(Mass(9).less(kept)); More m{{3}, 4}; I(Pod{m}.x); I(Pod{More{{5}, 6}}.x); //= 5 6 1 3 5
END

// Operators called by their names, of which only the class of an argument knows.
struct Named41 { int v; __device__ friend int operator*(Named41 a, int k) { return a.v * k; } __device__ friend int operator*(long k, Named41 a) { return 1000 + a.v; } __device__ int operator-() const { return -v; } };
__device__ int operator-(Named41 a, int k) { return a.v - k; }

BEGIN(operators_are_called_by_name)
    Named41 a{9}; int l = operator*(a, 3); I(l); I(operator*(2L, a)); I(operator-(a, 2)); I(a.operator-()); //= 27 1009 7 -9
END
