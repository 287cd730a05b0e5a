// Pointers to functions and to members, virtual functions: what is called is decided when they run.

typedef int (*op_t)(int, int);
struct Triple {
    int a, b, c;
};
__device__ int add(int a, int b) { return a + b; }
__device__ int mul(int a, int b) { return a * b; }
__device__ int sub(int a, int b) { return a - b; }
__device__ Triple first(int a, Triple t) { return {a + t.a, t.b, a}; }
__device__ Triple second(int a, Triple t) { return {a, t.b * 2, a}; }
__device__ op_t table[3] = {add, mul, sub};
__constant__ op_t constants[2] = {sub, &mul};
__device__ int apply(op_t f, int a, int b) { return f(a, b); }
__device__ int call(int (*f)(int), int x) { return f(x); }

//@ block=4
BEGIN(function_pointers)
    int i = threadIdx.x;
    I(table[V(1)](6, 7)); I(constants[V(0)](6, 7)); //= 42 -1
    I(table[i & 1 ? 2 : 0](10, 3) * 0 + apply(i & 1 ? sub : add, i, i) - (i & 1 ? 0 : 2 * i)); //= 0
    op_t p = V(1) ? mul : add, none = V(1) ? nullptr : add;
    I(p == mul); I(p != add); I(!none); I(p && !none); //= 1 1 1 1
    Triple (*f)(int, Triple) = V(1) ? second : first;
    Triple r = f(V(5), Triple{1, 2, 3});
    I(r.a); I(r.b); I(r.c); //= 5 4 5
    I(call([](int x) { return x * x; }, V(7))); //= 49
    auto g = V(0) ? +[](int x) { return x + 1; } : +[](int x) { return x - 1; };
    I(call(g, 3)); I((*g)(V(10))); //= 2 9
    void (*set)(int &, int) = [](int &x, int v) { x = v; };
    int target = 0;
    set(target, V(8));
    I(target); //= 8
END

struct Base {
    int pad = 1;
};
struct Plain {
    int a, b;
    __device__ int scaled(int x) { return a * x; }
    __device__ int plus(int x) const { return b + x; }
    virtual __device__ int kind() { return 1; }
};
struct Derived : Base, Plain {
    int c = 5;
    __device__ int own(int) { return c; }
    __device__ int kind() override { return 2; }
};
struct Overloaded {
    __device__ int f(int x) { return x; }
    __device__ float f(float x) { return x * 2; }
};
template <class C, class R, class... A> __device__ R invoke(C &c, R (C::*m)(A...), A... a) { return (c.*m)(a...); }
template <class T, class M> __device__ M field(const T *t, M T::*m) { return t->*m; }
template <class T> struct Owner;
template <class R, class C> struct Owner<R C::*> {
    typedef C type;
};

BEGIN(member_pointers)
    Derived d;
    d.a = V(4);
    d.b = 3;
    Plain s;
    s.a = 7;
    s.b = V(8);
    int Plain::*p = V(1) ? &Plain::a : &Plain::b;
    I(s.*p); I(d.*p); I((&d)->*p); //= 7 4 4
    s.*p = V(6);
    I(s.a); //= 6
    int (Plain::*f)(int) = V(1) ? &Plain::scaled : nullptr;
    I((s.*f)(2)); I(f ? 1 : 0); I(f == &Plain::scaled); I(f != nullptr); //= 12 1 1 1
    int (Plain::*g)(int) const = &Plain::plus;
    I((s.*g)(1)); //= 9
    int (Derived::*h)(int) = &Derived::own;
    I((d.*h)(100)); //= 5
    h = V(1) ? &Derived::scaled : h;
    I((d.*h)(100)); //= 400
    int (Plain::*v)() = &Plain::kind;
    Plain *q = &d;
    I((q->*v)()); I((s.*v)()); //= 2 1
    I(invoke(s, &Plain::scaled, 3)); I(field(&s, &Plain::b)); //= 18 8
    int Derived::*moved = p;
    I(d.*moved); I(d.*(&Derived::a)); //= 4 4
    int Derived::*nowhere = V(1) ? nullptr : &Derived::c;
    I(nowhere == nullptr); I(!nowhere); //= 1 1
    float (Overloaded::*o)(float) = &Overloaded::f;
    Overloaded ov;
    F((ov.*o)(V(3.5f))); //= 7.0
    I(sizeof(o)); I(sizeof(p)); I(sizeof(Owner<decltype(p)>::type)); //= 16 8 16
END

struct Shape {
    int id;
    __device__ Shape(int i) : id(i) {}
    virtual __device__ float area() const = 0;
    virtual __device__ int tag(int x = 1) { return x + id; }
    virtual __device__ ~Shape() {}
};
struct Square : Shape {
    float s;
    __device__ Square(float s) : Shape(1), s(s) {}
    __device__ float area() const override { return s * s; }
};
struct Circle final : Shape {
    float r;
    __device__ Circle(float r) : Shape(2), r(r) {}
    __device__ float area() const override { return 3.0f * r * r; }
    __device__ int tag(int x) override { return Shape::tag(x) * 10; }
};
struct Other {
    virtual __device__ int h() { return 5; }
    int q = 3;
};
struct Both : Square, Other {
    int extra = 9;
    __device__ Both(float f) : Square(f) {}
    __device__ int h() override { return extra + q; }
    __device__ int tag(int) override { return 77; }
};
struct Link {
    virtual __device__ Link *self() { return this; }
    int a = 4;
};
struct Far : Other, Link {
    __device__ Far *self() override { return this; }
    int b = 6;
};
struct Early {
    int seen;
    __device__ Early() { seen = which(); }
    virtual __device__ int which() { return 1; }
};
struct Late : Early {
    __device__ int which() override { return 2; }
};
template <class T> struct Holder {
    T v;
    __device__ Holder(T t) : v(t) {}
    virtual __device__ T get() const { return v; }
};
template <class T> struct Doubled : Holder<T> {
    using Holder<T>::Holder;
    __device__ T get() const override { return this->v * 2; }
};
__device__ float total(const Shape &s) { return s.area(); }

//@ block=4
BEGIN(virtual_functions)
    Square a(V(2.0f));
    Circle c(V(1.0f));
    Both b(V(3.0f));
    Shape *all[3] = {&a, &c, &b};
    float t = 0;
    int n = 0;
    for (int i = 0; i < 3; i++) {
        t += all[i]->area();
        n += all[(i + threadIdx.x) % 3]->tag(4);
    }
    F(t); F(total(c)); I(n); //= 16.0 3.0 142
    Shape *one = all[V(0)];
    I(one->tag()); I(all[V(1)]->Shape::tag(4)); //= 2 6
    Other *h = &b, plain;
    I(h->h()); //= 12
    h = V(1) ? &plain : h;
    I(h->h()); //= 5
    Far d;
    Link *q = &d;
    I(q->self()->a); I(d.self()->b); //= 4 6
    I(sizeof(Both)); I(sizeof(Circle)); I(sizeof(Far)); //= 32 16 32
    Square copy = V(1) ? b : a;
    Shape &r = copy;
    I(r.tag(1)); F(r.area()); //= 2 9.0
    copy = b;
    I(r.tag(1)); //= 2
    Late l;
    Early *e = &l;
    I(l.seen); I(e->which()); //= 1 2
    Doubled<int> two(V(21));
    const Holder<int> &held = two;
    I(held.get()); //= 42
END

template <class T> struct Pair2 {
    T x, y;
    __device__ friend inline Pair2 flipped(const Pair2 &p) { return {p.y, p.x}; }
    __host__ __device__ friend T first_of(const Pair2<T> &p) { return p.x; }
};
template <class T>
T const &
__device__ __host__ larger(const T &a, const T &b) { return a < b ? b : a; }
enum side { left_side = 3, right_side };

BEGIN(words_in_other_orders)
    Pair2<int> whole{V(4), 7};
    const Pair2<int> *p = &whole;
    I(first_of(flipped(p[0]))); //= 7
    I(larger(V(4), 9)); //= 9
    int side = V(2);
    I(side + side::right_side); //= 6
END

template <class T> struct Late4 {
    T e[4];
    __device__ const T &operator[](int i) const { return e[i]; }
};
__device__ int at(const Late4<int> &a, int i) { return a[i]; }

BEGIN(operator_of_a_class_that_is_completed_by_its_use)
    Late4<int> a{{1, 2, V(3), 4}};
    I(at(a, 2)); //= 3
END
