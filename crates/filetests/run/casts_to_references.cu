// Casts to references by conversion functions refer to what those do, and conditionals of a class and what it refers to are places: both made
// copies.

struct CrBox {
    int v;
    __device__ operator int &() { return v; }
    __device__ operator const int &() const { return v; }
};
struct CrBig { int a[4]; };
struct CrHolder {
    CrBig big;
    __device__ explicit operator CrBig &() { return big; }
};
struct CrRefers {
    CrBig *to;
    __device__ operator CrBig &() const { return *to; }
};
struct CrBase { int v; };
struct CrDerived : CrBase { int more; };
struct CrTaken { int v; __device__ operator int &&() { return static_cast<int &&>(v); } };
template <class T> __device__ T *cr_address(T &t) { return &t; }

BEGIN(casts_to_references_were_to_copies)
    CrBox b{V(3)};
    static_cast<int &>(b) = 8;
    I(b.v); I(&static_cast<int &>(b) == &b.v); //= 8 1
    ((int &)b) += 2;
    I(b.v); //= 10
    const CrBox c{V(4)};
    I(cr_address(static_cast<const int &>(c)) == &c.v); //= 1
    const int &r = c;
    I(&r == &c.v); //= 1
    CrHolder h{{{1, 2, 3, V(4)}}};
    static_cast<CrBig &>(h).a[1] = 7;
    I(h.big.a[1]); I(static_cast<CrBig &>(h).a[3]); //= 7 4
    CrTaken t{V(5)};
    int &&taken = static_cast<int &&>(t);
    taken = 6;
    I(t.v); //= 6
END

BEGIN(conditionals_of_classes_were_copies)
    CrBig x{{1, 2, 3, 4}}, y{{5, 6, 7, 8}};
    CrRefers to{&x};
    (V(1) ? to : y).a[0] = 11;
    (V(0) ? to : y).a[0] = 12;
    I(x.a[0]); I(y.a[0]); //= 11 12
    CrDerived d{{V(1)}, 2};
    CrBase e{V(3)};
    (V(1) ? d : e).v = 21;
    (V(0) ? d : e).v = 22;
    I(d.v); I(e.v); I(d.more); //= 21 22 2
    const int *p = &x.a[1];
    volatile int *q = &y.a[1];
    I(*(V(1) ? p : q)); I(*(V(0) ? p : q)); //= 2 6
    const int *cp = &x.a[2];
    void *vp = &y.a[2];
    I((V(1) ? cp : vp) == cp); //= 1
END
