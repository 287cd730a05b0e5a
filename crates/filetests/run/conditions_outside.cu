// Member templates that are told apart by the types of their value parameters, declared in the class and defined behind it.

#include <type_traits>

template <class T> struct CoChooses {
    template <class U, std::enable_if_t<std::is_same<T, U>::value, int> = 0> __device__ int g(U u);
    template <class U, std::enable_if_t<!std::is_same<T, U>::value, int> = 0> __device__ int g(U u);
    template <class U> __device__ std::enable_if_t<(sizeof(U) > 2), int> f(U u);
    template <class U> __device__ std::enable_if_t<(sizeof(U) <= 2), int> f(U u);
};
template <class T> template <class U, std::enable_if_t<std::is_same<T, U>::value, int>> __device__ int CoChooses<T>::g(U u) { return 3; }
template <class T> template <class U, std::enable_if_t<!std::is_same<T, U>::value, int>> __device__ int CoChooses<T>::g(U u) { return 4; }
template <class T> template <class U> __device__ std::enable_if_t<(sizeof(U) > 2), int> CoChooses<T>::f(U u) { return 5; }
template <class T> template <class U> __device__ std::enable_if_t<(sizeof(U) <= 2), int> CoChooses<T>::f(U u) { return 6; }

template <class T> struct CoRenamed {
    template <class U, std::enable_if_t<std::is_same<T, U>::value, int> = 0> __device__ int g(U u);
    template <class U, std::enable_if_t<!std::is_same<T, U>::value, int> = 0> __device__ int g(U u);
};
template <class A> template <class B, std::enable_if_t<std::is_same<A, B>::value, int>> __device__ int CoRenamed<A>::g(B u) { return 7; }
template <class A> template <class B, std::enable_if_t<!std::is_same<A, B>::value, int>> __device__ int CoRenamed<A>::g(B u) { return 8; }

struct CoPlain {
    template <class U, std::enable_if_t<std::is_integral<U>::value, int> = 0> __device__ int g(U u);
    template <class U, std::enable_if_t<!std::is_integral<U>::value, int> = 0> __device__ int g(U u);
};
template <class V, std::enable_if_t<!std::is_integral<V>::value, int>> __device__ int CoPlain::g(V u) { return 10; }
template <class V, std::enable_if_t<std::is_integral<V>::value, int>> __device__ int CoPlain::g(V u) { return 9; }

template <class U, std::enable_if_t<std::is_integral<U>::value, int> = 0> __device__ int co_free(U u);
template <class U, std::enable_if_t<!std::is_integral<U>::value, int> = 0> __device__ int co_free(U u);
template <class U, std::enable_if_t<!std::is_integral<U>::value, int>> __device__ int co_free(U u) { return 12; }
template <class U, std::enable_if_t<std::is_integral<U>::value, int>> __device__ int co_free(U u) { return 11; }

BEGIN(declarations_that_differ_in_a_condition_were_one)
    CoChooses<int> c;
    I(c.g(1)); I(c.g(1.0f)); I(c.f(1)); I(c.f((char)1)); //= 3 4 5 6
    CoRenamed<int> r;
    I(r.g(1)); I(r.g(1.0f)); //= 7 8
    CoPlain p;
    I(p.g(1)); I(p.g(1.0f)); I(co_free(1)); I(co_free(1.0f)); //= 9 10 11 12
END
