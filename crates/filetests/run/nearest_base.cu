// Overloads of which all convert: which is the nearest.
//@ file std=17

// Every one of these was ambiguous: dispatch by tags that are derived from each other (iterator categories) did not compile.
struct A { int a; };
struct B : A { int b; };
struct Other { int o; };
struct C : Other, B { int c; };
struct D : C {};
__device__ int by_pointer(A *) { return 1; }
__device__ int by_pointer(B *) { return 2; }
__device__ int by_pointer(void *) { return 3; }
__device__ int by_reference(const A &) { return 1; }
__device__ int by_reference(const B &) { return 2; }
__device__ int by_value(A) { return 1; }
__device__ int by_value(B) { return 2; }
__device__ int by_quals(A *) { return 1; }
__device__ int by_quals(const A *) { return 2; }
__device__ int nearer_although_const(A *) { return 1; }
__device__ int nearer_although_const(const B *) { return 2; }

BEGIN(nearer_bases_are_better)
    C c; D d; B b; A a;
    I(by_pointer(&c)); I(by_pointer(&d)); I(by_pointer(&b)); I(by_pointer(&a)); I(by_pointer((Other *)&c)); //= 2 2 2 1 3
    I(by_reference(c)); I(by_reference(d)); I(by_reference(a)); I(by_reference(D())); //= 2 2 1 2
    I(by_value(c)); I(by_value(d)); I(by_value(a)); //= 2 2 1
    I(by_quals(&c)); I(by_quals((const C *)&c)); I(nearer_although_const(&d)); //= 1 2 2
END

__device__ int to_void(void *) { return 1; }
__device__ int to_void(const void *) { return 2; }
__device__ int qualified(const int *) { return 1; }
__device__ int qualified(const volatile int *) { return 2; }
__device__ int truth(bool) { return 1; }
__device__ int truth(const void *) { return 2; }
__device__ int truth(const A *) { return 3; }

BEGIN(pointers_that_qualify_less_are_better)
    int x = 0; const int y = 0; volatile int z = 0; D d;
    I(to_void(&x)); I(to_void(&y)); I(qualified(&x)); I(qualified(&y)); I(qualified(&z)); //= 1 2 1 1 2
    I(truth(&x)); I(truth(&d)); //= 2 3
END

// Tags that are derived from each other.
struct input_tag {};
struct forward_tag : input_tag {};
struct random_tag : forward_tag {};
template <class It> __device__ int advance(It, input_tag) { return 1; }
template <class It> __device__ int advance(It, forward_tag) { return 2; }
struct Walker { typedef random_tag category; };
struct Reader { typedef input_tag category; };
template <class It> __device__ int walk(It i) { return advance(i, typename It::category()); }

BEGIN(tags_choose_the_nearest)
    I(walk(Walker())); I(walk(Reader())); //= 2 1
END
