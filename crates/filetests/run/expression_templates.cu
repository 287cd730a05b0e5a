// What Eigen's expression templates ask of a compiler, each once wrong: objects left out, at unaligned places, or refused.
//@ file std=17

#include <functional>
#include <vector>

// Eigen's `MapBase` has `using Base::cols;` and `cols` of its own.
template <class D> struct EtBase {
    __device__ const D &derived() const { return *static_cast<const D *>(this); }
    __device__ int cols() const { return derived().cols() + 100; }
    __device__ int f(int) { return 1; }
    __device__ int f(long) { return 2; }
    __device__ int f(int) const { return 3; }
    template <class T> __device__ int g(T) { return 4; }
    template <class T> __device__ int g(T *) { return 5; }
    __device__ int operator()(int) { return 6; }
    void of_host();
};
template <class D> struct EtMap : EtBase<D> {
    typedef EtBase<D> Base;
    __device__ int f(int) { return 11; }
    using Base::cols;
    using Base::f;
    using Base::g;
    using Base::operator();
    using Base::of_host;
    __device__ int cols() const { return 7; }
    template <class T> __device__ int g(T) { return 14; }
    __device__ int operator()(int) { return 16; }
};
struct EtLeaf : EtMap<EtLeaf> {
    using EtMap<EtLeaf>::cols;
};

BEGIN(functions_that_a_using_declaration_brings_were_beside_the_classes_own)
    EtLeaf x;
    const EtLeaf &c = x;
    EtBase<EtLeaf> &b = x;
    int i = V(1);
    I(x.cols()); I(b.cols()); I(x.f(1)); I(x.f(1l)); I(c.f(1)); //= 7 107 11 2 3
    I(x.g(1)); I(x.g(&i)); I(x(1)); I(b(1)); //= 14 5 16 6
END

// What `a + b` returns is of a class that nobody has asked anything of: its object lay at an odd address.
template <class A, class B> struct EtSum {
    const A &a;
    const B &b;
    double scale;
    __device__ EtSum(const A &a, const B &b) : a(a), b(b), scale(0.5) {}
    __device__ double at(int i) const { return (a.at(i) + b.at(i)) * scale; }
};
struct EtVec {
    double v[3];
    __device__ double at(int i) const { return v[i]; }
};
template <class A, class B> __device__ __noinline__ EtSum<A, B> et_sum(const A &a, const B &b) { return EtSum<A, B>(a, b); }
template <class E> __device__ __noinline__ int et_offset(const E &e) { return (unsigned long long)&e % alignof(double); }
template <class E> __device__ __noinline__ double et_second(const E &e) { return e.at(1); }

BEGIN(temporary_objects_of_classes_not_looked_at_were_not_aligned)
    EtVec a{{1, 2, 3}}, b{{4, 6, 8}};
    char c = V(1);
    I(c); I(et_offset(et_sum(a, b))); F(et_second(et_sum(a, b))); F(et_second(et_sum(et_sum(a, b), b))); //= 1 0 4.0 5.0
END

// `std::initializer_list` comes along with GNU's headers. A class whose constructor names it was not understood, and what copied it
// did nothing.
template <class D> struct EtPlain {
    double m[2];
    __device__ EtPlain() {}
    __device__ EtPlain(const EtPlain &o) : m{o.m[0], o.m[1]} {}
    __device__ EtPlain(const std::initializer_list<std::initializer_list<double>> &l) : m{l.begin()->begin()[0], l.begin()[1].begin()[0]} {}
};
struct EtMatrix : EtPlain<EtMatrix> {
    typedef EtPlain<EtMatrix> Base;
    __device__ EtMatrix() {}
    __device__ EtMatrix(const EtMatrix &o) : Base(o) {}
    __device__ EtMatrix(const std::initializer_list<std::initializer_list<double>> &l) : Base(l) {}
};

BEGIN(copies_of_classes_with_lists_of_lists_did_nothing)
    EtMatrix a; a.m[0] = V(3); a.m[1] = 4;
    EtMatrix b(a), c{{1.5, 2}, {2.5}};
    F(b.m[0]); F(b.m[1]); F(c.m[0]); F(c.m[1]); //= 3.0 4.0 1.5 2.5
END

// A template argument that begins like a function type.
enum { EtRow = 1 };
template <bool b, int n> struct EtPick { static constexpr int value = b ? n : -n; };
template <class F> struct EtResult;
template <class R, class A> struct EtResult<R(A)> { static constexpr int value = sizeof(R) * 10 + sizeof(A); };
template <int Flags> __device__ int et_flags() {
    return EtPick<bool(int(Flags)&EtRow), 3>::value + EtPick<bool(int(Flags) & EtRow) ? false : true, 5>::value * 10;
}

BEGIN(template_arguments_that_begin_like_function_types)
    I(et_flags<1>()); I(et_flags<2>()); I(EtResult<bool(int(float))>::value); I(EtResult<short(long)>::value); //= -47 47 18 28
END

// The result type of a generic lambda names what it captures.
template <class X, class F> __device__ auto et_tried(X &x, F f, int) -> decltype(f(x)) { return f(x); }
template <class X, class F> __device__ int et_tried(X &, F, ...) { return -1; }
struct EtTakes {
    __device__ int f(int &i) { return i += 2; }
    __device__ int f(double) { return 9; }
};

BEGIN(result_types_of_lambdas_did_not_see_captures)
    EtTakes x;
    int i = V(1);
    double d = 2;
    I(et_tried(x, [&i](auto &x) -> decltype(x.f(i)) { return x.f(i); }, 0)); I(i); //= 3 3
    I(et_tried(x, [&](auto &x) -> decltype(x.f(d)) { return x.f(d); }, 0)); I(et_tried(x, [d](auto &x) -> decltype(x.g(d)) { return x.g(d); }, 0)); //= 9 -1
END

#if !defined __EXCEPTIONS || !defined __GXX_RTTI || __cpp_structured_bindings < 201606 || __cpp_fold_expressions < 201603
#error GNU's macros
#endif

BEGIN(macros_of_the_hosts_compiler)
    I(__INT8_MAX__); I(__UINT16_MAX__); I(__INT64_C(5) << 33 >> 32); I(sizeof(__UINT64_C(1))); I(__FLT_MANT_DIG__); //= 127 65535 10 8 24
END

// The function objects of <functional>, which Eigen, XGBoost and Thrust's users name.
template <class Op> __device__ int et_apply(Op op, int a, int b) { return op(a, b); }

BEGIN(function_objects_of_the_library)
    int a = V(7);
    I(et_apply(std::plus<int>(), a, 2)); I(et_apply(std::multiplies<>(), a, 3)); I(et_apply(std::bit_xor<int>(), a, 5)); //= 9 21 2
    I(std::less<>()(a, 7.5f)); I(std::greater_equal<int>{}(a, 8)); I(std::negate<>()(a)); I(std::logical_not<int>()(a)); //= 1 0 -7 0
    I(std::equal_to<>{}(std::move(a), 7l)); I(std::bit_not<int>()(a)); //= 1 -8
END
