//@ file std=20
// Variables of the device whose class's constructor or default member initialisers say what is in them held zeros.

struct DoDefaults { int x = 5; int y; };
struct DoOuter { DoDefaults f; int z; };
struct DoMade { int v; __host__ __device__ constexpr DoMade() : v(7) {} };
template <class T> struct DoTemplate { T v; template <class U = int> __host__ __device__ constexpr DoTemplate() : v(9) {} };
struct DoEmpty { int v; __host__ __device__ DoEmpty() {} };
__device__ DoDefaults do_defaults;
__device__ DoOuter do_outer;
__device__ DoMade do_array[3];
__device__ DoTemplate<int> do_template;
__constant__ DoMade do_constant;
__device__ DoEmpty do_empty;
template <class T> __device__ T do_variable;
namespace { __device__ DoMade do_unnamed; }
static __device__ DoMade do_static;
__device__ constexpr DoMade do_known[2];
static_assert(do_known[1].v == 7);

BEGIN(device_variables_were_not_made_by_constructors)
    I(do_defaults.x); I(do_defaults.y); I(do_outer.f.x); I(do_array[V(2)].v); //= 5 0 5 7
    I(do_template.v); I(do_constant.v); I(do_empty.v); //= 9 7 0
    I(do_variable<DoMade>.v); I(do_unnamed.v); I(do_static.v); I(do_known[V(1)].v); //= 7 7 7 7
    static DoMade local;
    I(local.v); //= 7
END

// A `bool` as one of another type of a byte had no value.
struct DoFlag { bool b; };
struct DoByte { char c; };

BEGIN(bytes_of_a_bool_were_undefined)
    bool yes = V(1), no = V(0);
    I(__builtin_bit_cast(char, yes)); I(__builtin_bit_cast(unsigned char, no)); //= 1 0
    I(__builtin_bit_cast(bool, (char)V(1))); I(__builtin_bit_cast(bool, (char)V(0))); //= 1 0
    I(__builtin_bit_cast(DoFlag, (char)V(1)).b); I(__builtin_bit_cast(char, DoFlag{no})); //= 1 0
    I(__builtin_bit_cast(bool, DoByte{(char)V(1)})); I(__builtin_bit_cast(DoByte, yes).c); //= 1 1
END

// `++` of an object, even a `const` one, that converts to a reference; compound assignment by operators of enumerations.
struct DoRef { int *p; __device__ constexpr operator int &() const { return *p; } };
enum class DoBits : unsigned char {};
template <class N, bool = (N(1) > 0)> __device__ constexpr DoBits operator>>(DoBits a, N s) { return DoBits((unsigned char)a >> s); }
template <class N, bool = (N(1) > 0)> __device__ constexpr DoBits &operator>>=(DoBits &a, N s) { return a = a >> s; }

BEGIN(what_classes_convert_to_was_not_stepped)
    int v = V(3);
    const DoRef r{&v};
    ++r; r++; --r; r += 5;
    I(v); I(r++); I(v); //= 9 9 10
    DoBits b{(unsigned char)V(64)};
    b >>= 2;
    I((int)b); //= 16
END

// A lambda in an expansion is one for each element.
template <class... F> __device__ int do_called(F... f) {
    using Call = int (*)(void *);
    Call calls[] = {[](void *p) { return (*(F *)p)(); }...};
    void *objects[] = {(void *)&f...};
    int s = 0;
    for (int i = 0; i < (int)sizeof...(F); i++) s = s * 10 + calls[i](objects[i]);
    return s;
}
template <class... T> __device__ int do_sizes(T... t) { return (0 + ... + [&] { return (int)sizeof(T) * (int)t; }()); }
template <class T, class... A> __device__ int do_bound(A... a) { const T e{a...}; return e; }
struct DoTaken { int v; __device__ DoTaken(int v) : v(v) {} };
struct DoGiven { __device__ constexpr explicit operator DoTaken() const { return DoTaken(5); } };

BEGIN(lambdas_in_expansions_were_refused)
    int five = V(5);
    I(do_called([] { return 1; }, [five] { return five; }, [&five] { return five + 1; })); //= 156
    I(do_sizes((char)V(1), V(2), (short)V(3))); //= 15
    I(do_bound<int &>(five)); //= 5
    DoGiven g;
    DoTaken a{g}, b(g);
    I(a.v + b.v); //= 10
END

// Templates that take `volatile` objects of their class, and assign to them.
struct DoVolatile {
    int b;
    __device__ DoVolatile(int a) : b(a) {}
    DoVolatile(const DoVolatile &) = default;
    template <class D = void> __device__ DoVolatile(const volatile DoVolatile &o) : b(o.b + 10) {}
    DoVolatile &operator=(const DoVolatile &) = default;
    template <class D = void> __device__ void operator=(const DoVolatile &o) volatile { b = o.b + 100; }
    template <class D = void> __device__ DoVolatile &operator=(const volatile DoVolatile &o) { b = o.b + 1000; return *this; }
};

BEGIN(volatile_objects_were_not_copied_by_templates)
    volatile DoVolatile v(V(3));
    DoVolatile w(V(4));
    v = w;
    I(v.b); //= 104
    DoVolatile x(v);
    w = v;
    I(x.b); I(w.b); //= 114 1104
END

// `__PRETTY_FUNCTION__` was the function's name alone: nothing could be cut out of it.
template <class T> struct DoBegin { struct End; };
template <class T> __device__ const char *do_pretty() { return __PRETTY_FUNCTION__; }
enum class DoColour { red, green };
template <DoColour C> __device__ const char *do_colour() { return __PRETTY_FUNCTION__; }
template <class T, int N> struct DoNamed { template <class U> __device__ static const char *g(U *, T) { return __PRETTY_FUNCTION__; } };
__device__ bool do_same(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return *a == *b;
}

BEGIN(pretty_functions_had_no_arguments)
    I(do_same(do_pretty<int>(), "const char *do_pretty() [with T = int]")); //= 1
    I(do_same(do_pretty<DoBegin<const float *>::End>(), "const char *do_pretty() [with T = DoBegin<const float *>::End]")); //= 1
    I(do_same(do_colour<DoColour::green>(), "const char *do_colour() [with DoColour C = DoColour::green]")); //= 1
    float *f = nullptr;
    I(do_same(DoNamed<int, 3>::g(f, V(1)), "static const char *DoNamed<int, 3>::g(U *, int) [with U = float; T = int; int N = 3]")); //= 1
    I(do_same(__func__, "pretty_functions_had_no_arguments")); //= 1
END

// Braces behind a member are no `= {…}`: a constructor that is `explicit` was not found.
struct DoExplicit { int a, b; __device__ constexpr explicit DoExplicit(int x = 1, int y = 2) : a(x), b(y) {} };
struct DoBraces { DoExplicit p{3, 4}; };
struct DoDefaulted { DoExplicit p{3, 4}; DoDefaulted() = default; int k; };
template <class T> struct DoInner {
    struct In { T a, b; __device__ constexpr explicit In(T x = T{1}, T y = T{2}) : a(x), b(y) {} };
    In p{T{3}, T{4}};
    constexpr DoInner() noexcept = default;
    __device__ explicit DoInner(T x) : p{In{x, x}} {}
};
struct DoWritten { DoExplicit p; DoExplicit m{7}; __device__ DoWritten() : p{5, 6} {} };

BEGIN(explicit_constructors_were_not_found_for_braces_of_members)
    DoBraces q; DoDefaulted r; DoInner<int> s; DoWritten b; DoBraces q2{}; DoInner<int> s2(V(9));
    I(q.p.a); I(r.p.b); I(s.p.a); I(b.m.a * 10 + b.m.b); //= 3 4 3 72
    I(q2.p.b); I(s2.p.b); I(b.p.b); //= 4 9 6
END

// `__builtin_LINE()` in a default argument is the line of the call.
__device__ int do_line(int line = __builtin_LINE()) { return line; }
__device__ const char *do_function(const char *f = __builtin_FUNCTION()) { return f; }

BEGIN(places_of_calls_were_unknown)
    int a = do_line(), b = do_line(), here = __LINE__;
    I(here - a); I(a - b); //= 0 0
    I(do_same(do_function(), "places_of_calls_were_unknown")); //= 1
    I(__builtin_FILE()[0] != 0); //= 1
    I((int)__builtin_lrintf(2.5f)); I((int)__builtin_llrint(V(3) + 0.5)); //= 2 4
END

// `auto &` and `auto *` keep `volatile`, as of a shared array's elements.
BEGIN(auto_references_to_volatile_objects_were_refused)
    volatile int y = V(3);
    auto &z = y;
    auto *p = &y;
    z = 4;
    *p += 1;
    volatile float s[4] = {1, 2, 3, 4};
    for (auto &q : s) q = q + 1;
    const auto &c = s[V(2)];
    I(z); I((int)c); //= 5 4
    I(__is_same(decltype(z), volatile int &)); I(__is_same(decltype(c), const volatile float &)); //= 1 1
    auto kind = [](auto &r) { return __is_same(decltype(r), volatile int &); };
    I(kind(y)); //= 1
END

// The names of a structured binding are as `const` as what they are parts of.
struct DoParts { int a; mutable int m; };
template <class T> __device__ int do_kind(T &&) { return __is_same(T, const int &) * 2 + __is_same(T, int &); }

BEGIN(structured_bindings_were_not_const)
    const DoParts s{V(1), 2};
    auto &[a, m] = s;
    I(__is_same(decltype(a), const int)); I(__is_same(decltype(m), int)); //= 1 1
    I(do_kind(a)); I(do_kind(m)); //= 2 1
    const auto [x, n] = DoParts{3, 4};
    auto [u, w] = s;
    I(__is_same(decltype(x), const int)); I(__is_same(decltype(u), int)); I(x + n + u + w); //= 1 1 10
END

// An object of another one and of a value in braces was taken for a function.
struct DoShort { int a; short b; __device__ DoShort(DoParts x, short y) : a(x.a), b(y) {} };

BEGIN(variables_of_casts_in_braces_were_functions)
    const DoShort p(DoParts(), short{4});
    I(p.b); //= 4
    int v[2] = {V(5), 6};
    I(*(int *)__nv_associate_access_property(v + 1, 0x10F0000000000000ull)); //= 6
END
