// Which function copies or assigns an object: of those that a class declares, templates among them, and those that the compiler
// provides the one that fits best; and assignments called by their name.

struct AsConst { int x; __device__ AsConst() : x(0) {} template <class T> __device__ AsConst &operator=(const T &) { x = 100; return *this; } };
struct AsValue { int x; template <class T> __device__ AsValue &operator=(T) { x = 100; return *this; } };
struct AsAny { int x; template <class T> __device__ AsAny &operator=(T &&) { x = 100; return *this; } };
struct AsLeftOut { int x; AsLeftOut &operator=(const AsLeftOut &) = default; template <class T> __device__ AsLeftOut &operator=(const T &) { x = 100; return *this; } };
struct AsNumber { int x; __device__ operator int() const { return 7; } __device__ AsNumber &operator=(int t) { x = t; return *this; } };
struct AsDouble { int x; __device__ AsDouble(int i = 0) : x(i) {} __device__ AsDouble &operator=(double) { x = 9; return *this; } };
struct AsList { int x; __device__ AsList &operator=(int n) { x = n + 1; return *this; } };

BEGIN(templates_hid_the_assignment_that_a_class_has_of_itself)
    { AsConst a, b; b.x = 5; a = b; I(a.x); a = 3; I(a.x); } //= 5 100
    { AsValue a, b; b.x = 5; a = b; I(a.x); a = 3; I(a.x); } //= 5 100
    { AsAny a, b; b.x = 5; a = b; I(a.x); const AsAny c = b; a.x = 0; a = c; I(a.x); } //= 100 5
    { AsAny a, b; b.x = 5; a = static_cast<AsAny &&>(b); I(a.x); a = static_cast<const AsAny &&>(b); I(a.x); } //= 5 100
    { AsLeftOut a, b; b.x = 5; a = b; I(a.x); } //= 5
    { AsNumber a, b; b.x = 5; a = b; I(a.x); a = 3; I(a.x); } //= 5 3
    { AsDouble a, b; b.x = 5; a = b; I(a.x); a = 3; I(a.x); a = {4}; I(a.x); } //= 5 9 9
    { AsList a; a = {4}; I(a.x); } //= 5
END

struct CoConst { int x; __device__ CoConst() : x(0) {} template <class T> __device__ CoConst(const T &) : x(100) {} };
struct CoAny { int x; __device__ CoAny() : x(0) {} template <class T> __device__ CoAny(T &&) : x(100) {} };
struct CoTold { int x; __device__ CoTold() : x(0) {} template <class T> __device__ explicit CoTold(T &&) : x(100) {} };
struct CoBase : CoAny { __device__ CoBase() {} CoBase(const CoBase &) = default; };
struct CoMember { CoAny a; };
struct CoDerived;
struct CoOf { int x; __device__ CoOf() : x(1) {} __device__ CoOf(const CoDerived &) : x(100) {} };
struct CoDerived : CoOf {};
__device__ CoAny co_made() { CoAny a; a.x = 6; return a; }
__device__ int co_taken(CoAny a) { return a.x; }
__device__ int co_of(CoOf a) { return a.x; }

BEGIN(templates_that_fit_better_made_no_copies)
    { CoConst a; a.x = 5; CoConst b = a; I(b.x); } //= 5
    { CoAny a; a.x = 5; CoAny b = a; I(b.x); CoAny c(a); I(c.x); CoAny d{a}; I(d.x); CoAny e = {a}; I(e.x); } //= 100 100 100 100
    { CoAny a; a.x = 5; const CoAny c = co_made(); CoAny b = c; I(c.x); I(b.x); CoAny d(static_cast<CoAny &&>(a)); I(d.x); } //= 6 6 5
    { CoAny a; a.x = 5; CoAny b(static_cast<const CoAny &&>(a)); I(b.x); I(co_taken(a)); I(co_taken(co_made())); } //= 100 100 6
    { CoAny a; a.x = 5; auto l = [a] { return a.x; }; I(l()); const CoAny c = co_made(); auto m = [=] { return c.x; }; I(m()); } //= 100 6
    { CoTold a; a.x = 5; CoTold b = a, c(a); I(b.x); I(c.x); I(static_cast<CoTold>(a).x); } //= 5 100 100
    { CoBase a; a.x = 5; CoBase b = a; I(b.x); CoMember m; m.a.x = 4; CoMember n = m; I(n.a.x); } //= 5 4
    { CoDerived d; CoOf b = d, c(d); I(b.x); I(c.x); I(co_of(d)); } //= 100 100 100
END

struct NaBase { int x; };
struct NaDerived : NaBase {
    int y;
    __device__ NaDerived &operator=(const NaDerived &o) { NaBase::operator=(o); y = o.y + 1; return *this; }
    __device__ void again(const NaDerived &o) { operator=(o); }
    __device__ void base(const NaDerived &o) { this->NaBase::operator=(o); }
};
template <class T> struct NaPart { T v; };
template <class T> struct NaWhole : NaPart<T> {
    using super = NaPart<T>;
    T w;
    __device__ NaWhole &operator=(const NaWhole &o) { super::operator=(o); w = o.w * 2; return *this; }
};
struct NaVirtual { int x = 0; __device__ virtual NaVirtual &operator=(int n) { x = n; return *this; } };
struct NaOver : NaVirtual { __device__ NaOver &operator=(int n) override { x = n + 10; return *this; } };

BEGIN(assignments_that_nobody_wrote_had_no_name)
    { NaBase a = {1}, b = {2}; I(a.operator=(b).x); (a.operator=(b)).x = 4; I(a.x); I((&a)->operator=({7}).x); } //= 2 4 7
    { NaDerived a, b; a.x = a.y = 1; b.x = b.y = 5; a = b; I(a.x); I(a.y); } //= 5 6
    { NaDerived a, b; a.x = a.y = 1; b.x = b.y = 5; a.base(b); I(a.x); I(a.y); a.again(b); I(a.y); a.NaBase::operator=(NaBase{9}); I(a.x); } //= 5 1 6 9
    { NaWhole<int> a, b; a.v = a.w = 1; b.v = b.w = 5; a = b; I(a.v); I(a.w); } //= 5 10
    { NaOver a; NaVirtual &v = a; v = V(3); I(a.x); v.operator=(4); I(a.x); v.NaVirtual::operator=(5); I(a.x); } //= 13 14 5
END

struct BiDouble { double x; };
__device__ int bi_f(const BiDouble &) { return 1; }
__device__ int bi_f(const volatile BiDouble &) { return 2; }
__device__ int bi_g(const int &) { return 1; }
__device__ int bi_g(const volatile int &) { return 2; }
__device__ BiDouble bi_made() { return {1}; }

BEGIN(references_to_volatile_took_temporary_objects)
    { volatile BiDouble v = {1}; const BiDouble c = {2}; I(bi_f(c)); I(bi_f(bi_made())); I(bi_f(*(volatile BiDouble *)&v)); } //= 1 1 2
    { volatile int v = 3; I(bi_g(3)); I(bi_g(V(3))); I(bi_g(v)); } //= 1 1 2
END

template <class T> __device__ T &&cv_made();
template <class A, class B> struct CvSame { static constexpr bool v = false; };
template <class A> struct CvSame<A, A> { static constexpr bool v = true; };
struct CvMoved { int x; __device__ CvMoved(int n) : x(n) {} __device__ CvMoved(const CvMoved &o) : x(o.x + 100) {} __device__ CvMoved(CvMoved &&o) : x(o.x) { o.x = 0; } };
#define CV_IS(R, A, B) CvSame<decltype(V(1) ? cv_made<A>() : cv_made<B>()), R>::v

BEGIN(arms_of_two_kinds_were_one_place)
    I(CV_IS(int, volatile int &&, const int &)); I(CV_IS(const int &, int &, const int &)); I(CV_IS(int, int &&, int &)); I(CV_IS(int, volatile int &, const int &)); //= 1 1 1 1
    I(CV_IS(const int &&, const int &&, int &&)); I(CV_IS(const CvMoved, CvMoved &&, const CvMoved &)); I(CV_IS(CvMoved &&, CvMoved &&, CvMoved &&)); //= 1 1 1
    CvMoved a(V(1)), b(2), c(V(1) ? static_cast<CvMoved &&>(a) : static_cast<CvMoved &&>(b)), d(V(1) ? b : static_cast<const CvMoved &>(c));
    I(a.x); I(b.x); I(c.x); I(d.x); //= 0 2 1 102
END

struct PaMoved { PaMoved &operator=(PaMoved &&) = default; __device__ PaMoved(int a) : x(a) {} int x; __device__ virtual int v() const { return x; } };
struct PaHolds { PaMoved m; int y; __device__ PaHolds(int a) : m(a), y(a + 1) {} };
struct PaOther : PaMoved { __device__ PaOther(int a) : PaMoved(a) {} __device__ int v() const override { return x + 50; } };
struct PaCopied { __device__ PaCopied(int a) : x(a) {} __device__ PaCopied(const PaCopied &o) : x(o.x + 100) {} int x; __device__ virtual int v() const { return x; } };
struct PaNone { __device__ PaNone(int a) : x(a) {} PaNone(const PaNone &) = delete; PaNone &operator=(const PaNone &) = default; int x; __device__ virtual int v() const { return x; } };

BEGIN(assignments_of_classes_with_virtual_functions_took_the_constructor_for_copies)
    { PaMoved a(1), b(V(2)); a = static_cast<PaMoved &&>(b); const PaMoved &r = a; I(r.v()); I(__is_nothrow_assignable(PaMoved &, PaMoved)); } //= 2 1
    { PaHolds a(1), b(V(2)); a = static_cast<PaHolds &&>(b); const PaMoved &r = a.m; I(r.v()); I(a.y); } //= 2 3
    { PaMoved a(1); PaOther b(V(2)); a = static_cast<PaOther &&>(b); PaMoved &r = a; I(r.v()); PaOther c(3); PaMoved &s = c; s = PaMoved(7); I(s.v()); } //= 2 57
    { PaCopied a(1), b(V(2)); a = b; const PaCopied &r = a; I(r.v()); a = PaCopied(4); I(r.v()); } //= 2 4
    { PaNone a(1), b(V(2)); a = b; const PaNone &r = a; I(r.v()); } //= 2
END

template <bool B> struct CoIf { using Type = int; };
template <> struct CoIf<false> {};
template <class T> struct CoPlain { using Type = T; static const bool other = false; };
template <class T> struct CoPlain<const T> { using Type = T; static const bool other = true; };
template <class T> struct CoView {
    using Plain = CoView<typename CoPlain<T>::Type>;
    T *p; long n;
    __device__ CoView(T *p, long n) : p(p), n(n) {}
    template <class M = int> __device__ CoView(const Plain &v, M = (typename CoIf<CoPlain<T>::other>::Type)0) : p(v.p), n(v.n + 10) {}
};
template <class V> struct CoIter { V v; __device__ CoIter(V v) : v(v) {} };

BEGIN(lists_in_parentheses_went_to_a_template_for_the_class_itself)
    { int x = 3; using W = CoView<int>; CoIter<W> i(W({&x, 5})); I(*i.v.p); I(i.v.n); CoIter<W> j(W{&x, 6}); I(j.v.n); } //= 3 5 6
    { int x = 4; CoView<int> v(&x, 5); CoView<const int> c(v), d = v; I(*c.p); I(c.n + d.n); CoIter<CoView<const int>> k({&x, 8}); I(k.v.n); } //= 4 30 8
END
