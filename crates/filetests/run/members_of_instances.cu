//@ file std=17
// Members of one instance of a class template that are defined otherwise than those of the others. Member templates among them had
// the definition of all instances; those of explicit specialisations, defined outside of them, had none.

struct MiA { int a; };
struct MiB { int b; };
template <class V> struct Mi {
    template <class U> __device__ int f(const MiA &, U *, const V *);
    template <class U> __device__ int f(const MiB &, U *, const V *);
    template <class U> __device__ int inside(U) { return 10; }
    template <class U> static __device__ int still(U);
    template <int N> __device__ int number() const { return 20 + N; }
    template <class U> struct Q { static __device__ int g() { return 30; } };
    __device__ int plain() { return 50; }
};
template <class V> template <class U> __device__ int Mi<V>::f(const MiA &, U *, const V *) { return 1; }
template <class V> template <class U> __device__ int Mi<V>::f(const MiB &, U *, const V *) { return 2; }
template <class V> template <class U> __device__ int Mi<V>::still(U) { return 60; }
template <> template <class U> __device__ int Mi<float>::f(const MiA &, U *, const float *) { return 3 + sizeof(U); }
template <> template <class W> __device__ int Mi<float>::inside(W) { return 11 + sizeof(W); }
template <> template <class U> __device__ int Mi<float>::still(U) { return 61; }
template <> template <int N> __device__ int Mi<float>::number() const { return 21 + N * 100; }
template <> template <class U> struct Mi<float>::Q { static __device__ int g() { return 31; } };
template <> __device__ int Mi<float>::plain() { return 51; }
template <> template <> __device__ int Mi<double>::inside<char>(char) { return 12; }
template <> struct Mi<char> {
    template <class U> __device__ int in(U);
    template <class U> __device__ int in2(U *);
};
template <class U> __device__ int Mi<char>::in(U) { return 70 + sizeof(U); }
template <class U> __device__ int Mi<char>::in2(U *) { return 80 + sizeof(U); }
template <class T> struct Mi<T *> { template <class U> __device__ int in(U); };
template <class T> template <class U> __device__ int Mi<T *>::in(U) { return 90 + sizeof(T); }
template <> template <class U> __device__ int Mi<short *>::in(U) { return 92; }

BEGIN(member_templates_of_one_instance_had_the_definition_of_all)
    Mi<int> a; Mi<float> b; Mi<double> d; Mi<char> e; Mi<int *> g; Mi<short *> h;
    char u = 0; int i = 0; float f = 0; double x = 0;
    I(a.f(MiA{}, &u, &i)); I(a.f(MiB{}, &u, &i)); I(b.f(MiA{}, &u, &f)); I(b.f(MiB{}, &u, &f)); I(d.f(MiA{}, &i, &x)); //= 1 2 4 2 1
    I(a.inside(V(1))); I(b.inside(V(1))); I(d.inside(V(1))); I(d.inside('c')); //= 10 15 10 12
    I(Mi<int>::still(V(1))); I(Mi<float>::still(V(1))); I(a.number<3>()); I(b.number<3>()); I(d.number<4>()); //= 60 61 23 321 24
    I(Mi<int>::Q<int>::g()); I(Mi<float>::Q<int>::g()); I(a.plain()); I(b.plain()); //= 30 31 50 51
    I(e.in(V(1))); I(e.in2(&x)); I(g.in(V(1))); I(h.in(V(1))); //= 74 88 94 92
END

// Constructors, destructors and conversion functions, too, which were refused.
template <class T> struct MiOwn {
    int v;
    int *ends;
    __device__ MiOwn(int *e);
    __device__ ~MiOwn() { *ends += 1; }
    __device__ operator int() const { return v; }
    __device__ operator T *() const { return nullptr; }
};
template <class T> __device__ MiOwn<T>::MiOwn(int *e) : v(1), ends(e) {}
template <> __device__ MiOwn<float>::MiOwn(int *e) : v(2), ends(e) {}
template <> __device__ MiOwn<float>::~MiOwn() { *ends += 10; }
template <> __device__ MiOwn<float>::operator int() const { return v + 40; }

BEGIN(constructors_of_one_instance_were_refused)
    int ends = 0;
    { MiOwn<char> a(&ends); MiOwn<float> b(&ends); I((int)a); I((int)b); } //= 1 42
    I(ends); //= 11
END
