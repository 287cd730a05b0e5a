//@ file std=20
// Which of several templates of one name an explicit specialisation, an explicit instantiation or an address of a type means: the
// nearest, where the first that fits was taken (PyTorch's `PowKernel.cu`).

struct nt_half { short x; };
template <class T> struct nt_box { T r; };
template <> struct nt_box<nt_half> { nt_half r; };
template <class T> __device__ int nt_one(T b) { return 1; }
template <class T> __device__ int nt_one(T *b) { return 2; }
template <class T> __device__ int nt_one(const T *b) { return 3; }
__device__ int nt_one(long *b) { return 4; }
template <class T> __device__ int nt_one(nt_box<T> b) { return 5; }
template <class... T> __device__ int nt_one(T... b) { return 6; }
template <class T, class... U> __device__ int nt_one(T, U... b) { return 7; }
template <> __device__ int nt_one(nt_box<nt_half> b) { return 8; }
template <> __device__ int nt_one(const short *b) { return 9; }
template <> __device__ int nt_one(char *b) { return 10; }
template __device__ int nt_one(const float *);

BEGIN(specialisations_of_the_first_template_that_fits)
    I(nt_one(nt_box<nt_half>{})); I(nt_one(nt_box<int>{})); I(nt_one((const short *)0)); I(nt_one((short *)0)); //= 8 5 9 2
    I(nt_one((char *)0)); I(nt_one('c')); //= 10 1
END

BEGIN(addresses_of_the_first_template_that_fits)
    int (*p)(const int *) = nt_one; int (*q)(int *) = &nt_one; int (*r)(long *) = nt_one; int (*s)(nt_box<int>) = nt_one;
    int (*t)(int, int) = nt_one; int (*u)(const short *) = nt_one;
    I(p(0)); I(q(0)); I(r(0)); I(s({})); I(t(0, 0)); I(u(0)); //= 3 2 4 5 7 9
END

template <class T> concept nt_small = sizeof(T) <= 4;
template <class T> __device__ int nt_two(T b) { return 1; }
template <nt_small T> __device__ int nt_two(T b) { return 2; }
template <> __device__ int nt_two(char b) { return 3; }
template <> __device__ int nt_two(double b) { return 4; }

BEGIN(specialisations_of_the_less_constrained_template)
    int (*p)(int) = nt_two;
    I(p(0)); I(nt_two('a')); I(nt_two(1.0)); I(nt_two(3LL)); I(nt_two(3)); //= 2 3 4 1 2
END

// All arguments of a template-id name one instance, whichever of the templates of that name takes them (Eigen's `pmin<N, T>`).
template <class T> __device__ T nt_least(const T &a, const T &b) { return b; }
template <int N, class T> __device__ T nt_least(const T &a, const T &b) { return a < b ? a : b; }
__device__ int nt_least(int *, int *) { return 9; }
template <class F> __device__ int nt_with(F f) { return f(2, 3); }

BEGIN(a_later_template_s_whole_argument_list_named_nothing)
    I(nt_with(nt_least<1, int>)); I(nt_with(&nt_least<int>)); I(nt_with((nt_least<0, int>))); I(nt_with(nt_least<0, int>)); //= 2 3 2 2
    auto p = nt_least<1, int>; int (*q)(int *, int *) = nt_least;
    I(p(5, 4)); I(q(nullptr, nullptr)); //= 4 9
END

// A deleted function is what no expression may name, for those who ask, too: in constants of host code it could be called.
namespace nt_poison {
template <class T> void nt_swap(T, T) = delete;
template <class T> concept has = requires(T &&x, T &&y) { nt_swap(static_cast<T &&>(x), static_cast<T &&>(y)); };
}
struct nt_own { __device__ friend void nt_swap(nt_own, nt_own); };
template <int N> __global__ void nt_made(int *o) { *o = N; }
void nt_host() {
    static_assert(!nt_poison::has<int> && nt_poison::has<nt_own>);
    nt_made<nt_poison::has<int>><<<1, 1>>>(0);
    nt_made<2 + nt_poison::has<nt_own>><<<1, 1>>>(0);
}

BEGIN(deleted_functions_were_valid_for_those_who_ask)
    I(nt_poison::has<int>); I(nt_poison::has<nt_own>); //= 0 1
END

// What a candidate that does not fit asks of the host says nothing about a call that means a deleted function (cuGraph).
namespace nt_poison {
template <class A, class B> void nt_swap2(A, B) = delete;
template <class A, class B> concept has2 = requires(A a, B b) { nt_swap2(a, b); };
}
struct nt_held { int only_host(); };
template <class I> struct nt_reversed {
    I i;
    __device__ explicit nt_reversed(I i) : i(i) {}
    template <class J> __device__ friend void nt_swap2(const nt_reversed &, const nt_reversed<J> &)
        requires requires(J j) { j.only_host(); } {}
};

BEGIN(deleted_functions_were_valid_where_another_asks_the_host)
    I(nt_poison::has2<nt_held, nt_reversed<nt_held>>); I(nt_poison::has2<nt_reversed<nt_held>, nt_reversed<nt_held>>); //= 0 1
END

// `::sin` is CUDA's, though a directive brings another one to where it would be declared (RAFT).
namespace nt_raft {
template <class T> __device__ auto sqrt(T x) { return ::sqrt(x) + 1; }
template <class T> __device__ T fabs(T x) { return 100; }
__device__ double zork(double);
}
using namespace nt_raft;
namespace nt_raft { __device__ double zork(double x) { return sqrt(x); } }
__device__ double nt_outside(double x) { return ::sqrt(x) + ::fabs(x) + ::zork(x); }

BEGIN(what_directives_bring_was_outside_of_all_namespaces)
    F(nt_outside(9.0)); F(nt_raft::fabs(3.0)); //= 16.0 100.0
END

// The types of functions that the host alone has (Abseil's `Or`).
struct nt_no { static constexpr int v = 0; };
struct nt_yes { static constexpr int v = 1; };
namespace nt_only_host {
nt_no nt_any(nt_no);
nt_yes nt_any(int);
nt_yes nt_any(nt_yes, ...);
}
template <class T> __device__ constexpr int nt_asked(T t) { return decltype(nt_only_host::nt_any(t)){}.v; }

BEGIN(types_of_the_host_s_functions)
    I(decltype(nt_only_host::nt_any(nt_no{})){}.v); I(decltype(nt_only_host::nt_any(3)){}.v); //= 0 1
    I(nt_asked('c')); I(nt_asked(nt_no{})); I(nt_asked(nt_yes{})); I(sizeof(nt_only_host::nt_any(nt_yes{}, 3, 4))); //= 1 0 1 1
END

// `std::max` of objects is the library's template: what their operator says, and an object of their class (PyTorch's `Half`).
#include <algorithm>
struct nt_turned {
    int v;
    __device__ operator int() const { return v; }
    __device__ friend bool operator<(nt_turned a, nt_turned b) { return a.v > b.v; }
};
template <class T> __device__ int nt_kind(const T &) { return sizeof(T) == sizeof(nt_turned) ? 1 : 2; }
struct nt_short { short x; __device__ nt_short(float f) : x(f) {} __device__ operator float() const { return x; } };
template <class T> __device__ T nt_largest(T a, T b) { return a.x > 9 ? b : std::max<T>(a, b); }

BEGIN(extremes_of_objects_were_those_of_what_they_convert_to)
    nt_turned a{V(1)}, b{V(2)};
    I(std::max(a, b).v); I(std::min(a, b).v); I(std::max<nt_turned>(b, a).v); I(&std::max(a, b) == &a); //= 1 2 1 1
    F(nt_largest(nt_short(3), nt_short(4))); I(std::max(3, 5, [](int x, int y) { return x > y; })); //= 4.0 3
END
