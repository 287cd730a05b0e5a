// Names of types that are values somewhere else: TensorFlow declares variables `type`, cuGraph's headers functions `value_type`.

namespace ve_other {
__device__ int type = 3;
template <class T> constexpr int value_type = sizeof(T);
struct Fields { int kind; };
}

template <class T> struct ve_traits { typedef T type; using kind = T *; };
namespace ve_ns {
struct Plain {
    typedef short type;
    using value_type = float;
    template <class T> struct kind { T t; };
};
}
template <class S> __device__ int ve_first(S, ve_traits<int>::type *, ve_ns::Plain::type *);
template <class S> __device__ int ve_first(S s, ve_traits<int>::type *a, ve_ns::Plain::type *b) { return *a * 10 + *b + (int)s; }
__device__ float ve_last(const ve_traits<int>::type &a, ve_ns::Plain::value_type = 2) { return a + 0.5f; }

BEGIN(members_of_instances_in_parameters_were_values)
    int a = 3; short b = 4;
    I(ve_first(2.5, &a, &b)); F(ve_last(a)); //= 36 3.5
    ve_traits<int>::type c = 5, *d = &c; ve_traits<int>::kind e = d;
    I(*e + ve_other::type + ve_other::value_type<char>); //= 9
END

template <class T, int N> struct ve_outer {
    using value_type = T;
    struct Inner;
    T d[N];
    __device__ Inner at(int);
};
template <class T, int N> struct ve_outer<T, N>::Inner {
    using type = value_type &;
    __device__ constexpr explicit Inner(value_type *c) noexcept : c(c) {}
    __device__ Inner(value_type *c, value_type k) : Inner(c + (int)k) {}
    __device__ type operator*() const { return *c; }
    __device__ value_type *operator->() const { return c; }
    __device__ void set(value_type a) { value_type b = a, *q = &b; *c = *q; }
private:
    value_type *c;
};
template <class T, int N> __device__ typename ve_outer<T, N>::Inner ve_outer<T, N>::at(int k) { return Inner{d, T(k)}; }

BEGIN(classes_defined_outside_did_not_know_the_names_of_theirs)
    ve_outer<int, 4> x{{1, 2, 3, 4}};
    auto i = x.at(2);
    I(*i); i.set(40); I(x.d[2]); I(*i.operator->()); //= 3 40 40
END

struct ve_derived : ve_ns::Plain {
    value_type q = 2;
    kind<float> *p = nullptr;
    type (*f)(type) = nullptr;
    __device__ ve_derived(type);
    __device__ value_type *get(value_type a) { kind<int> t{(int)a}; q += t.t; return &q; }
    __device__ type narrow(int k) const;
};
__device__ ve_derived::ve_derived(type x) : q(x) {}
__device__ ve_derived::type ve_derived::narrow(int k) const { type r = k; return r; }

BEGIN(classes_did_not_know_the_names_of_their_bases)
    ve_derived d(3);
    F(*d.get(4)); I(d.narrow(70000)); //= 7.0 4464
    ve_derived::value_type s = 3; ve_derived::value_type *z = &s;
    F(*z); I(ve_derived::kind<char>{'a'}.t); //= 3.0 97
END

// Before the closing brace an enumerator has the type of its value (Eigen's `plain_enum_min(16, NumberOfRegisters)`).
template <class A, class B> __device__ constexpr int ve_least(A a, B b) { return (int)a < (int)b ? (int)a : (int)b; }
template <class T> __device__ constexpr int ve_kind(T) { return sizeof(T) * 2 + (T(-1) > T(0)); }
template <class T> struct ve_traits_of {
    enum { registers = sizeof(T) * 8, size = ve_least(16, registers) / 2, kind = ve_kind(registers), next, plain = ve_kind(next) };
    enum fixed : short { first = 3, second = ve_kind(first) };
};

BEGIN(enumerators_had_an_incomplete_type_in_their_enumeration)
    I(ve_traits_of<int>::size); I(ve_traits_of<char>::size); I(ve_traits_of<int>::kind); I(ve_traits_of<int>::plain); I(ve_traits_of<int>::second); //= 8 4 17 8 4
    enum { one = 1u, two = ve_kind(one), three = ve_kind(two) };
    I(two); I(three); I(ve_least(one, three)); //= 9 8 1
END
