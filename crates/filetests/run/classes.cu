// Classes, overloads, references, templates, lambdas of CUDA C++.

struct Counter {
    int n;
    __device__ Counter(int start = 5) : n(start) {}
    __device__ Counter &operator++() { ++n; return *this; }
    __device__ Counter operator++(int) { Counter old = *this; n++; return old; }
    __device__ int get() const { return n; }
    __device__ int get(int k) const { return n * k; }
    __device__ Counter &add(int k) { n += k; return *this; }
    __device__ operator int() const { return n; }
    __device__ explicit operator bool() const { return n != 0; }
    static __device__ int twice(int k) { return 2 * k; }
};

struct V2 {
    float x, y;
    __device__ V2 operator+(V2 o) const { return {x + o.x, y + o.y}; }
    __device__ V2 operator-() const { return V2{-x, -y}; }
    __device__ V2 &operator+=(const V2 &o) { x += o.x; y += o.y; return *this; }
    __device__ float operator*(const V2 &o) const { return x * o.x + y * o.y; }
    __device__ float &operator[](int i) { return i ? y : x; }
    __device__ float operator()(float k) const { return k * x + y; }
    __device__ bool operator==(const V2 &o) const { return x == o.x && y == o.y; }
};
__device__ V2 operator*(float k, V2 v) { return {k * v.x, k * v.y}; }
__device__ bool operator<(const V2 &a, const V2 &b) { return a.x < b.x; }

BEGIN(members)
    Counter a, b(V(10)), c = 7, d{3};
    I(a.get()); //= 5
    I(b.get(2)); //= 20
    I(c.n + d.n); //= 10
    I((++a).n); //= 6
    I((a++).n); //= 6
    I(a.n); //= 7
    a.add(V(1)).add(2).n *= 2;
    I(a.n); //= 20
    I(Counter::twice(V(4))); //= 8
    I(a.twice(5)); //= 10
    int i = b;
    I(i + b); //= 20
    if (b) I(1); //= 1
    I(!Counter(V(0))); //= 1
    Counter arr[3];
    I(arr[V(2)].n); //= 5
    Counter brr[2] = {1, Counter(V(2))};
    I(brr[0].n + brr[1].n * 10); //= 21
    const Counter &r = b;
    I(r.get()); //= 10
    Counter *p = &b;
    p->add(1);
    (*p)++;
    I(p->get()); //= 12
    I(Counter(V(3)).add(4).get()); //= 7
    a = b;
    b.n = 0;
    I(a.n); //= 12
END

BEGIN(operators)
    V2 a{V(1.0f), 2}, b = {3, 4};
    V2 c = a + b;
    F(c.x); //= 4.0
    F((-c).y); //= -6.0
    c += a;
    F(c.y); //= 8.0
    F(a * b); //= 11.0
    F((2 * b).y); //= 8.0
    a[V(1)] = 9;
    F(a.y); //= 9.0
    F(a(V(3))); //= 12.0
    I(a == b); //= 0
    I(a == V2{1, 9}); //= 1
    I(a < b); //= 1
    F((a + b + c).x); //= 9.0
    F((V(1) ? a : b).y); //= 9.0
    F(-(a + b) * a); //= -121.0
END

struct Log {
    int *p, id;
    __device__ Log(int *p, int id) : p(p), id(id) { *p = *p * 10 + id; }
    __device__ ~Log() { *p = *p * 10 + 9 - id; }
};
struct Pair { Log a, b; __device__ Pair(int *p) : a(p, 1), b(p, 2) {} };
__device__ int early(int *p, int k) {
    Log l(p, 3);
    if (k) return *p;
    Log m(p, 4);
    return *p;
}

BEGIN(lifetimes)
    int t = 0;
    { Log a(&t, 1); { Log b(&t, 2); } Log c(&t, 3); }
    I(t); //= 127368
    t = 0;
    for (int i = 0; i < V(3); i++) { Log l(&t, 1); if (i == 1) continue; Log m(&t, 2); }
    I(t); //= 1278181278
    t = 0;
    while (true) { Log l(&t, 4); if (V(1)) break; }
    I(t); //= 45
    t = 0;
    I(early(&t, V(1))); //= 3
    I(t); //= 36
    t = 0;
    I(early(&t, V(0))); //= 34
    I(t); //= 3456
    t = 0;
    { Pair p(&t); }
    I(t); //= 1278
    t = 0;
    { Log l[2] = {Log(&t, 1), Log(&t, 2)}; }
    I(t); //= 1278
END

__device__ int f(int) { return 1; }
__device__ int f(unsigned) { return 2; }
__device__ int f(long long) { return 3; }
__device__ int f(float) { return 4; }
__device__ int f(double) { return 5; }
__device__ int f(const char *) { return 6; }
__device__ int f(int *) { return 7; }
__device__ int f(const int *) { return 8; }
__device__ int f(bool) { return 9; }
__device__ int g(int &) { return 1; }
__device__ int g(const int &) { return 2; }
__device__ int g(int &&) { return 3; }
__device__ int h(int a, int b = 2, int c = 3) { return a * 100 + b * 10 + c; }

BEGIN(overloads)
    char ch = V(1); short s = V(1); unsigned u = V(1u); long long l = V(1LL); float x = V(1.0f);
    int n = V(0); const int cn = 5; bool b = V(1) > 0;
    I(f(ch)); //= 1
    I(f(s)); //= 1
    I(f(u)); //= 2
    I(f(l)); //= 3
    I(f(x)); //= 4
    I(f(x * 1.0)); //= 5
    I(f("a")); //= 6
    I(f(&n)); //= 7
    I(f(&cn)); //= 8
    I(f(b)); //= 9
    I(f('a')); //= 1
    I(f(b + b)); //= 1
    I(g(n)); //= 1
    I(g(cn)); //= 2
    I(g(5)); //= 3
    I(g(n + 1)); //= 3
    I(h(V(1))); //= 123
    I(h(V(1), 5)); //= 153
    I(h(V(1), 5, 6)); //= 156
END

__device__ void swap_ref(int &a, int &b) { int t = a; a = b; b = t; }
__device__ int &pick(int *a, int i) { return a[i]; }
__device__ void add_to(float (&a)[3], float k) { for (auto &e : a) e += k; }

BEGIN(references)
    int a = V(1), b = V(2);
    swap_ref(a, b);
    I(a * 10 + b); //= 21
    int &r = a;
    r += 5;
    I(a); //= 7
    int v[3] = {1, 2, 3};
    pick(v, V(1)) = 20;
    I(v[1]); //= 20
    pick(v, 2)++;
    I(v[2]); //= 4
    auto &e = v[V(0)];
    e = 50;
    I(v[0]); //= 50
    const int &c = V(7) + 1;
    I(c); //= 8
    int sum = 0;
    for (int x : v) sum += x;
    I(sum); //= 74
    float fs[3] = {1, 2, 3};
    add_to(fs, V(0.5f));
    F(fs[2]); //= 3.5
    int *p = &r;
    int *&rp = p;
    rp = v;
    I(*p); //= 50
    auto [m, n] = V2{V(1.0f), 2};
    F(m + n); //= 3.0
    int &&rr = V(3);
    rr++;
    I(rr); //= 4
END

struct Base { int a; __device__ Base(int a) : a(a) {} __device__ int who() const { return 1; } __device__ int both() const { return who() * a; } };
struct Mid : Base { int b; __device__ Mid(int a, int b) : Base(a), b(b) {} __device__ int who() const { return 2; } };
struct Leaf : Mid { short c = 4; __device__ Leaf() : Mid(10, 20) {} using Base::both; };
template <class D> struct Crtp { __device__ int run(int k) { return static_cast<D *>(this)->impl(k) + 1; } };
struct Impl : Crtp<Impl> { __device__ int impl(int k) { return k * 3; } };

BEGIN(inheritance)
    Leaf l;
    I(l.a + l.b + l.c); //= 34
    I(l.who()); //= 2
    I(l.both()); //= 10
    I(l.Base::who()); //= 1
    Base &b = l;
    b.a = V(7);
    I(l.a); //= 7
    Mid *m = &l;
    I(m->who() + m->b); //= 22
    I(static_cast<Leaf *>(m)->c); //= 4
    I(sizeof(Leaf)); //= 12
    I(Impl().run(V(5))); //= 16
    Base copy = l;
    I(copy.a); //= 7
END

template <typename T> __device__ T maxi(T a, T b) { return a > b ? a : b; }
template <> __device__ float maxi(float a, float b) { return a + b; }
template <int N> struct Fact { enum { value = N * Fact<N - 1>::value }; };
template <> struct Fact<0> { enum { value = 1 }; };
template <typename T, int N = 4> struct Buf {
    T v[N];
    __device__ T sum() const { T s = 0; for (int i = 0; i < N; i++) s += v[i]; return s; }
    __device__ static constexpr int size() { return N; }
    template <typename U> __device__ U as(int i) const { return static_cast<U>(v[i]); }
};
template <typename T> struct Traits { static constexpr int id = 0; };
template <typename T> struct Traits<T *> { static constexpr int id = 1 + Traits<T>::id; };
template <> struct Traits<int> { static constexpr int id = 100; };
template <typename... A> __device__ int count(A...) { return sizeof...(A); }
__device__ int total() { return 0; }
template <typename T, typename... R> __device__ int total(T a, R... r) { return a + total(r...); }
template <typename... A> __device__ int folded(A... a) { return (a + ... + 0); }
template <typename F> __device__ int apply(F f, int k) { return f(k) + f(k + 1); }
constexpr __device__ int power(int b, int e) { return e ? b * power(b, e - 1) : 1; }
template <int K> __device__ int branch() { if constexpr (K > 2) return 10; else return 20; }
template <typename T> using Ptr = T *;
template <class T, class U> struct same { static constexpr bool value = false; };
template <class T> struct same<T, T> { static constexpr bool value = true; };
namespace out { namespace in { __device__ int x(int k) { return k + 1; } struct S { int q; }; } inline namespace v1 { __device__ int y() { return 5; } } }
namespace alias = out::in;

BEGIN(templates)
    I(maxi(V(3), 4)); //= 4
    I(maxi<long long>(V(3), 4LL)); //= 4
    F(maxi(V(3.0f), 4.0f)); //= 7.0
    F(maxi(V(3.0), 4.5)); //= 4.5
    I(Fact<5>::value); //= 120
    Buf<int> b = {{1, 2, 3, V(4)}};
    I(b.sum()); //= 10
    I(Buf<float, 7>::size()); //= 7
    F(b.as<float>(3) / 8); //= 0.5
    I((Buf<char, 3>{{1, 2, 3}}.sum())); //= 6
    I(sizeof(Buf<short, 5>)); //= 10
    I(Traits<int **>::id); //= 102
    I(Traits<float *>::id); //= 1
    I(count(1, 2.0, 'c')); //= 3
    I(total(V(1), 2, 3)); //= 6
    I(folded(V(1), 2, 3, 4)); //= 10
    I(power(2, 10)); //= 1024
    constexpr int k = power(3, 4);
    int arr[k % 10 + 2];
    I(sizeof(arr)); //= 12
    I(branch<3>() + branch<1>()); //= 30
    int v = V(6);
    Ptr<int> p = &v;
    I(*p); //= 6
    I(same<int, int>::value + 2 * same<int, unsigned>::value); //= 1
    I(alias::x(V(4)) + out::y()); //= 10
    out::in::S s{V(8)};
    I(s.q); //= 8
    using namespace out::in;
    I(x(V(1))); //= 2
    auto n = V(5);
    decltype(n) m = 6;
    I(n + m); //= 11
    static_assert(Fact<3>::value == 6, "no");
    I(static_cast<int>(V(3.9f))); //= 3
    I(int(V(2.9)) + unsigned(3)); //= 5
    I(nullptr == p); //= 0
END

BEGIN(lambdas)
    int k = V(10);
    auto add = [k](int x) { return x + k; };
    I(add(1)); //= 11
    k = 100;
    I(add(1)); //= 11
    auto ref = [&](int x) { k += x; return k; };
    I(ref(5)); //= 105
    I(k); //= 105
    auto all = [=] { return k * 2; };
    I(all()); //= 210
    int n = 0;
    auto mut = [n]() mutable { return ++n; };
    mut();
    I(mut()); //= 2
    I(n); //= 0
    I([](int a) -> long long { return a + 5000000000LL; }(V(1))); //= 5000000001
    I(apply([&](int x) { return x * k; }, V(2))); //= 525
    auto init = [z = k + 1] { return z; };
    I(init()); //= 106
    int arr[3] = {1, 2, 3};
    auto sum = [&arr](int from) { int s = 0; for (int i = from; i < 3; i++) s += arr[i]; return s; };
    I(sum(V(1))); //= 5
    auto outer = [&](int a) { auto inner = [&](int b) { return a * b + k; }; return inner(2); };
    I(outer(V(3))); //= 111
    auto copy = [=](int a) { auto inner = [=](int b) { return a * b + k; }; return inner(a); };
    I(copy(V(4))); //= 121
END

enum class Kind : unsigned char { A = 3, B, C = 250 };
enum Flags { F1 = 1, F2 = 2, F4 = 4 };
struct Outer { struct Inner { int a = 1, b = 2; } in; int c{V2{1, 2}.x > 0 ? 3 : 4}; static constexpr float pi = 3.25f; using T = short; };
union U { int i; float f; };

BEGIN(declarations)
    Kind k = Kind::B;
    I((int)k); //= 4
    I(static_cast<int>(Kind::C) + 10); //= 260
    I(sizeof(k)); //= 1
    I(k == Kind::B); //= 1
    I(F1 | F4); //= 5
    Flags fl = static_cast<Flags>(F1 | F2);
    I(fl); //= 3
    Outer o;
    I(o.in.a + o.in.b * 10 + o.c * 100); //= 321
    F(Outer::pi); //= 3.25
    Outer::T t = V(70000);
    I(t); //= 4464
    Outer q{{V(8)}};
    I(q.in.a + q.in.b); //= 10
    U u = {V(0x3f800000)};
    F(u.f); //= 1.0
    int a[] = {1, 2, 3, V(4)};
    I(sizeof(a) / sizeof *a); //= 4
    int z[4] = {};
    I(z[V(3)]); //= 0
    int s{V(9)};
    I(s); //= 9
    bool b{};
    I(b); //= 0
    const char *str = "xyz";
    I(str[V(1)]); //= 121
    I("abc"[V(2)]); //= 99
    if (int x = V(5); x > 3) I(x); //= 5
    while (int y = V(0)) I(y);
    switch (int w = V(2)) { case 2: I(w + 1); break; default: I(0); } //= 3
    int i = 0;
    for (struct { int a, b; } p = {0, 10}; p.a < p.b; p.a++, p.b--) i++;
    I(i); //= 5
    alignas(16) char al[3] = {1, 2, 3};
    I(((unsigned long long)al & 15) == 0); //= 1
    I(sizeof(long) + sizeof(long long) * 10 + sizeof(wchar_t) * 100); //= 488
    I(1'000'000 + 0b1011); //= 1000011
    I(alignof(double)); //= 8
    I(true ? 3 : 4); //= 3
END

template <typename T> __device__ unsigned each(T a) { return a; }
template <typename T, typename... R> __device__ unsigned each(T a, R... r) { return a * 31u ^ each(r...); }
template <typename... R> __device__ int packed(R...) { return 1; }
template <typename T, typename... R> __device__ int packed(T, R...) { return 2; }
template <typename T> __device__ int packed(T, T) { return 3; }
template <typename T> __device__ int pointed(T *, int) { return 4; }
template <typename T, typename... R> __device__ int pointed(T, R...) { return 5; }

BEGIN(one_parameter_is_more_special_than_a_pack)
    I(each(V(1), 2u, 3LL)); //= 34
    int n = V(7);
    I(packed()); //= 1
    I(packed(n)); //= 2
    I(packed(n, 2)); //= 3
    I(packed(n, 2.0f)); //= 2
    I(pointed(&n, 1)); //= 4
    I(pointed(n, 1)); //= 5
    I(pointed(&n, 1u)); //= 5
END

struct TwoInts { int a, b; };

BEGIN(arrays_are_captured_by_value)
    int a[3] = {1, 2, V(3)};
    TwoInts p[2] = {{4, 5}, {6, V(7)}};
    int m[2][2] = {{1, 2}, {3, V(4)}};
    auto sum = [=](int i) { return a[i] * 100 + p[i & 1].b * 10 + m[1][i & 1]; };
    a[2] = 50;
    p[0].b = 60;
    I(sum(2)); //= 353
    I(sum(1)); //= 274
    auto counting = [a]() mutable { a[0] += 10; return a[0] + a[1]; };
    I(counting()); //= 13
    I(counting()); //= 23
    I(a[0]); //= 1
    auto nested = [=]() { return [=]() { return a[2] + m[0][1]; }; };
    I(nested()()); //= 52
END

// Members of classes that are templates themselves, defined outside.
template <class T> struct Outside {
    T x;
    FN Outside(T s) : x(s) {}
    template <class R> FN R next() noexcept;
    template <class R> FN R twice(R a);
    template <class R> FN R twice(R *a);
    FN T plain(T a);
};
template <class U> template <class S> FN S Outside<U>::twice(S a) { return a + a + (S)x; }
template <class U> template <class S> FN S Outside<U>::twice(S *a) { return *a * 3; }
template <class T> FN T Outside<T>::plain(T a) { return a + 1; }
template <> FN float Outside<float>::plain(float b) { return b + 2; }
template <> template <> FN unsigned Outside<unsigned>::next<unsigned>() noexcept { return x = x * 5 + 3; }
template <> template <> FN float Outside<unsigned>::next<float>() noexcept { return next<unsigned>() * 0.5f; }
struct NoTemplate {
    int v;
    template <class R> FN R get(R a) const;
};
template <class Q> FN Q NoTemplate::get(Q a) const { return a + v; }

BEGIN(members_defined_outside)
    Outside<unsigned> s(V(2));
    F(s.next<float>()); //= 6.5
    I(s.next<unsigned>()); //= 68
    F(s.twice(2.5f)); //= 73.0
    int seven = V(7);
    I(s.twice(&seven)); //= 21
    F(Outside<float>(1.0f).plain(V(3))); //= 5.0
    I(s.plain(4u)); //= 5
    NoTemplate n{5};
    I(n.get(V(6))); //= 11
END

// Classes of a side as a whole, functions that are declared for the device and defined without the word, getters.
struct __device__ Steps {
    int n;
    int next() { return ++n; }
    int twice();
    static int three();
};
int Steps::twice() { return next() + next(); }
int Steps::three() { return 3; }

__device__ int declared_for_the_device(int x);
int declared_for_the_device(int x) { return x + 1; }

__device__ int forty() { return 40; }
[[clang::getter(forty)]] int stands_for_a_call;

BEGIN(sides_and_getters)
    Steps c = {int(V(1))};
    I(c.twice()); I(c.n); I(Steps::three()); //= 5 3 3
    I(declared_for_the_device(V(1))); I(stands_for_a_call + V(2)); //= 2 42
END

// What follows the arrow may end in a name or in `>`, as initialisers of members do before their braces.
template <class T> struct Same { typedef T type; };
template <class T> struct Box { T v; };
struct Plain { int v; };
struct Trailing {
    int n;
    __device__ Trailing(int a) : n{a} {}
    __device__ auto box(int a) const -> Box<int> { return {a + n}; }
    __device__ auto plain(int a) const -> Plain { return {a * 10}; }
    template <class A> static __device__ auto twice(A a) -> typename Same<decltype(a + a)>::type { return a + a; }
    template <class A> __device__ auto more(A a) -> Same<decltype(a + a)> { n += a; return {}; }
    __device__ int last() const { return n; }
};

BEGIN(trailing_returns)
    Trailing p(V(3));
    p.more(4);
    I(p.box(1).v); //= 8
    I(p.plain(2).v); //= 20
    I(Trailing::twice(21)); //= 42
    I(p.last()); //= 7
END

class only_a_constructor_template {
    int x_;

public:
    template <class T> FN only_a_constructor_template(const T &v, int more) : x_((int)v + more) {}
    FN int get() const { return x_; }
};
template <int N> struct chosen {
    FN int get() const { return 1; }
};
template <> struct chosen<2> {
    int x;
    template <class... T> FN chosen(T... v) : x((0 + ... + (int)v)) {}
    FN int get() const { return x; }
};

BEGIN(the_only_constructor_is_a_template)
    only_a_constructor_template a(V(3) + 0.5f, 4), b{V(5), 6};
    I(a.get()); I(b.get()); //= 7 11
    I(only_a_constructor_template(V(1), 1).get()); //= 2
    chosen<2> none, two(V(3), 4.5);
    I(chosen<1>().get()); I(none.get()); I(two.get()); //= 1 0 7
END

namespace room {
class lamp {
public:
    int on;
};
template <int N> struct shelf {
    int books;
};
}
FN int of_parameters(room::lamp &lamp, room::shelf<2> &shelf) { return lamp.on + shelf.books; }

BEGIN(parameters_named_as_their_classes_hide_nothing_elsewhere)
    room::lamp lamp;
    room::shelf<2> shelf;
    lamp.on = V(3);
    shelf.books = V(4);
    I(of_parameters(lamp, shelf)); //= 7
END

// A nested class is complete, and a constant of it made, before the class around it is.
struct alignas(2) bits16 {
    ushort storage;
    __host__ __device__ static bits16 of(ushort x) {
        bits16 h;
        h.storage = x;
        return h;
    }
private:
    struct tag {};
    static constexpr tag by_bits{};
    template <class T> __host__ __device__ explicit bits16(tag, T x) { storage = x; }
public:
    bits16() = default;
    __host__ __device__ explicit bits16(int x) : bits16(by_bits, x) {}
};

BEGIN(members_of_a_class_around_a_nested_one_wait_for_it)
    I(bits16::of(V(3)).storage + bits16(V(4)).storage); //= 7
END

// What is packed has no storage units: bit-fields begin in any bit, and nothing behind the object is touched. The numbers are g++'s and
// clang's.
#pragma pack(push, 1)
struct PackedRow { unsigned low : 31; int high : 27; char tail; };
struct PackedWide { char head; long long long_one : 60; short short_one : 9; };
#pragma pack(pop)
struct __attribute__((packed)) PackedAll { char head; int : 0; int middle : 30; bool last : 1; };
struct OnePacked { char head; int middle : 30 __attribute__((packed)); int last : 7; };
#pragma pack(push, 2)
struct PackedTwo { char head; int middle __attribute__((aligned(4))); };
#pragma pack(pop)
template <class T> __device__ int bytes_of(const T &x) {
    unsigned h = 0;
    const unsigned char *p = (const unsigned char *)&x;
    for (unsigned i = 0; i < sizeof x; i++) h = h * 31 + p[i];
    return h;
}

BEGIN(packed_bit_fields_lie_where_others_have_them)
    int k = V(5);
    PackedRow row = {}; row.low = 0x7ffffff0 + k; row.high = -k; row.tail = k;
    PackedWide wide = {}; wide.long_one = -(1ll << 50) + k; wide.short_one -= k * 3; wide.head = k;
    PackedAll all; memset(&all, 0, sizeof all); all.middle = -k * 1000; all.last = k > 2;
    OnePacked one; memset(&one, 0, sizeof one); one.middle = k << 20; one.last = -k;
    I(sizeof row); I(sizeof wide); I(sizeof all); I(sizeof one); I(sizeof(PackedTwo)); //= 9 10 8 8 6
    I(bytes_of(row)); I(bytes_of(wide)); I(bytes_of(all)); I(bytes_of(one)); //= -777544459 -1429662084 3809748 79630382
    I(row.high); I(int(wide.long_one >> 20)); I(wide.short_one); I(all.middle); I(one.last); //= -5 -1073741824 -15 -5000 -5
END

// What packs a class packs its bases.
struct WordBase { int a; };
#pragma pack(push, 1)
struct PackedDerived : WordBase { char c; };
struct PackedAfter { char c; };
#pragma pack(pop)
#pragma pack(push, 2)
struct HalfPacked : PackedAfter, WordBase { char d; };
#pragma pack(pop)

BEGIN(packed_classes_pack_their_bases)
    I(alignof(PackedDerived)); I(sizeof(PackedDerived)); I(alignof(HalfPacked)); I(sizeof(HalfPacked)); //= 1 5 2 8
    HalfPacked h; h.c = V(1); h.a = V(2); h.d = V(3); I(h.c + h.a + h.d); I((char *)&h.a - (char *)&h); //= 6 2
END
