// `R{…}` where `R` names a reference: to the only element if that is of the type, else to a temporary.

struct Held { int x = 7; };
struct Wider : Held { int y = 3; };
struct Made { int x; __device__ Made(int a, int b) : x(a * 10 + b) {} };
struct Counted { int *n; __device__ Counted(int *n) : n(n) {} __device__ ~Counted() { ++*n; } };
template <class T> __device__ int of(const T &t) { return t.x; }
template <class T> __device__ int moved(T &&) { return 1; }
template <class T> __device__ int moved(T &) { return 2; }
template <class A> struct Of { using B = A; };
template <class A> __device__ int made() { return of(typename A::B{}); }
template <class R, class... A> __device__ int all(A &&...a) { return of(R{a...}); }
struct Inside { Held &h; };

BEGIN(braces_behind_names_of_references_were_pointers)
    { using R = const Held &; I(of(R{})); I(made<Of<const Held &>>()); I(made<Of<Held>>()); } //= 7 7 7
    { Held h; using Q = Held &; Q{h}.x = 5; I(h.x); I(of(Q{h})); I(&Q{h} == &h); } //= 5 5 1
    { using M = Held &&; I(of(M{})); I(moved(M{})); Held h; using Q = Held &; I(moved(Q{h})); } //= 7 1 2
    { using N = const int &; I(N{} + N{5}); int n = 4; I(&N{n} == &n); } //= 5 1
    { Wider w; w.x = 8; using Q = Held &; Q{w}.x = 9; I(w.x); using R = const Held &; I(&R{w} == &w); } //= 9 1
    { using P = const Made &; I((P{4, 2}.x)); I((all<P>(1, 2))); } //= 42 12
    { Held h; using Q = Held &; I(all<Q>(h)); h.x = 11; Inside s{{h}}; s.h.x += 1; I(h.x); } //= 7 12
    { int n = 0; { using C = const Counted &; *C{&n}.n += 10; I(n); } I(n); } //= 11 11
END
