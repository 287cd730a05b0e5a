// Objects that are made of little: each part that a list or a constructor leaves out has the value that C++ gives it, each element
// of an array is made by a constructor of its own, and where it lies.

__device__ int mo_calls;

struct MoPlain { long a; char b; };
struct MoSeven { int v; __device__ MoSeven() : v(7) {} __device__ MoSeven(int n) : v(n) {} };
struct MoDefaulted { MoDefaulted() = default; __device__ MoDefaulted(int); long a; char b; };
struct MoCounted {
    int n;
    MoCounted *at;
    __device__ MoCounted() : n(++mo_calls), at(this) {}
    __device__ bool stayed() const { return at == this; }
};

template <class T> __device__ T *mo_dirty(unsigned char *m) {
    for (int i = 0; i < 256; ++i) m[i] = (unsigned char)(i * 7 + 1);
    return (T *)m;
}

struct MoBase : MoPlain { __device__ MoBase() : MoPlain() {} };
struct MoMember { MoPlain p; MoDefaulted d; __device__ MoMember() : p(), d() {} };
struct MoBraces { MoPlain p; MoDefaulted d; __device__ MoBraces() : p{}, d{} {} };
struct MoArray { MoPlain p[2]; MoSeven s[2]; __device__ MoArray() : p(), s() {} };
struct MoOuter { MoSeven s; __device__ MoOuter() {} };

BEGIN(members_in_parentheses_were_not_zeroed)
    __align__(16) unsigned char m[256];
    { MoBase &x = *new (mo_dirty<MoBase>(m)) MoBase; I(x.a); I(x.b); } //= 0 0
    { MoMember &x = *new (mo_dirty<MoMember>(m)) MoMember; I(x.p.a); I(x.p.b); I(x.d.a); I(x.d.b); } //= 0 0 0 0
    { MoBraces &x = *new (mo_dirty<MoBraces>(m)) MoBraces(); I(x.p.a); I(x.p.b); I(x.d.a); I(x.d.b); } //= 0 0 0 0
    { MoArray &x = *new (mo_dirty<MoArray>(m)) MoArray(); I(x.p[1].a); I(x.s[0].v); I(x.s[1].v); } //= 0 7 7
    { MoDefaulted &x = *new (mo_dirty<MoDefaulted>(m)) MoDefaulted(); I(x.a); I(x.b); } //= 0 0
END

struct MoWith { int h; MoSeven s[2]; };

BEGIN(elements_that_a_list_leaves_out_were_zeroed)
    MoSeven a[3] = {}, b[2][2]{}, c[3] = {1, 2};
    I(a[0].v + a[2].v); I(b[1][1].v); I(c[0].v * 100 + c[1].v * 10 + c[2].v); //= 14 7 127
    MoWith w = {V(4)}, v{1, {2}};
    I(w.s[0].v); I(w.s[1].v); I(v.s[0].v); I(v.s[1].v); //= 7 7 2 7
    MoOuter o[2];
    I(o[0].s.v); I(o[1].s.v); //= 7 7
END

struct MoMany { MoCounted c[2]; };

BEGIN(elements_were_copies_of_one_object)
    mo_calls = 0;
    { MoCounted a[3]; I(a[0].n * 100 + a[1].n * 10 + a[2].n); I(a[0].stayed() && a[2].stayed()); } //= 123 1
    { MoCounted a[2][2] = {}; I(a[1][1].n); I(a[1][0].stayed()); } //= 7 1
    { MoMany m; I(m.c[1].n); I(m.c[1].stayed()); } //= 9 1
    { MoMany m[2] = {}; I(m[1].c[1].n); I(m[1].c[0].stayed()); } //= 13 1
    { MoCounted a[40]; I(a[39].n); I(a[20].stayed()); I(mo_calls); } //= 53 1 53
    { MoCounted c = MoCounted(), d{}; I(c.n); I(c.stayed() && d.stayed()); } //= 54 1
END

struct MoEmpty {};
template <class T> struct MoConverted { MoConverted() = default; template <class U> __device__ MoConverted(const MoConverted<U> &) {} };
struct MoPtr { long p; __device__ MoPtr(long v) : p(v) {} };
template <class T> struct MoElem : private T {
    __device__ MoElem() : T() {}
    __device__ MoElem(const T &t) : T(t) {}
    __device__ T &get() { return *this; }
};
template <class T> struct MoPair : MoPtr, MoElem<T> {
    __device__ MoPair(long v) : MoPtr(v) {}
    __device__ MoPair(long v, const T &t) : MoPtr(v), MoElem<T>(t) {}
};
struct MoShared { [[no_unique_address]] MoEmpty e; int v; };
struct MoTail { __device__ MoTail() : a(1), b(2) {} int a; char b; };
struct MoAfter : MoTail { char c; __device__ MoAfter(int n) : c(n) {} };
struct MoTwice : MoEmpty { MoEmpty e; };

BEGIN(copies_of_empty_bases_and_tail_padding_overwrote_others)
    long junk = 0x7777777777777777;
    MoPair<MoEmpty> a(V(4660)), b(V(4660), *(MoEmpty *)&junk);
    a.get() = *(MoEmpty *)&junk;
    I(a.p); I(b.p); I(sizeof(a)); //= 4660 4660 8
    MoPair<MoConverted<int>> c(V(4660), *(MoConverted<float> *)&junk);
    c.get() = MoConverted<char>();
    I(c.p); //= 4660
    MoShared s{{}, V(5)};
    s.e = *(MoEmpty *)&junk;
    I(s.v); I(sizeof(MoShared)); I(sizeof(MoTwice)); //= 5 4 2
    MoAfter x(V(9)), y(V(3));
    (MoTail &)x = (MoTail &)y;
    I(x.c); I(sizeof(MoAfter)); //= 9 8
    (MoTail &)x = MoTail();
    I(x.c); //= 9
END

// What the host alone has says nothing here, but where members lie.
struct MoHostMade { MoHostMade(int) {} MoHostMade() = default; int x; char c; };
struct MoHostEnded { ~MoHostEnded() {} int x; char c; };
struct MoHostAssigned { MoHostAssigned &operator=(const MoHostAssigned &) { return *this; } int x; char c; };
struct MoHostVirtual { virtual void f() {} int x; char c; };
template <class T> struct MoNext : T { char d; };

BEGIN(members_of_the_host_count_for_the_layout)
    I(sizeof(MoNext<MoHostMade>)); I(sizeof(MoNext<MoHostEnded>)); I(sizeof(MoNext<MoHostAssigned>)); //= 8 8 8
    I(sizeof(MoHostVirtual)); I(sizeof(MoNext<MoHostVirtual>)); //= 16 16
END
