// test: ptx
// Kernels that host code launches with lambdas have the names that nvcc gives them: a lambda's is made of the function around it, its
// parameters and its number there. They were numbered through the file.
template <class F> __global__ void k(F f) {}
template <class T, class F> __global__ void k2(F f, T t) {}
template <class F> void tr(F f) { k<<<1, 1>>>(f); }
template <class F> void wrapped(F f, int n) { tr([=] __device__(int t) { f(t, n); }); }
template <int n, class I, class O> void two(I in, O out) {
  auto first = [=] __device__(int t, int c) { out[t] = in[c]; };
  k<<<n, 1>>>(first);
  k<<<n, 1>>>([=] __device__(int t, int c) { out[c] = in[t]; });
}
void call_two(int *p) { two<16>(p, p); }

// Parameters of a template inside of another are not those of the other: `T_` twice.
template <class T> struct Store {
  T *p;
  template <class V> void held(V v) { T *q = p; wrapped([=] __device__(int i, int m) { q[i] = m; }, 3); }
};
void call_held(Store<int> s) { s.held(1.f); }
// Two lambdas in two functions of one name; a third in another lambda.
template <class F> void many(F f, int) { k<<<1, 1>>>([=] __device__(int i) { f(i); }); }
template <class F> void many(F f) { many([=] __device__(int i) { f(i); }, 1); }
void call_many() { many([=] __device__(float x) {}); }

namespace ns {
struct Q {
  void constant() const { k<<<1, 1>>>([=] __device__() {}); }
  static void common(float) { k<<<1, 1>>>([=] __device__(long) {}); }
  operator int() { k<<<1, 1>>>([=] __device__(unsigned) {}); return 1; }
};
}
void call_members(ns::Q &q) { q.constant(); q.common(1); (void)(int)q; }
extern "C" void plain(int) { k<<<1, 1>>>([=] __device__(int) {}); }
template <class... P> void pack(P... p) { k<<<1, 1>>>([=] __device__(int) {}); }
void call_pack() { pack(1, 2.f); }
struct Named { typedef int ty; };
template <class T> typename T::ty dependent(T t, const T &u) {
  k<<<1, 1>>>([=] __device__(T x, typename T::ty y) {});
  return 0;
}
void call_dependent() { dependent(Named(), Named()); }
template <class T> struct R {
  template <class V> struct I {
    template <class W> void f(W, V, T) { k2<<<1, 1>>>([=] __device__(W, V, T) {}, T{}); }
  };
};
void call_nested() { R<int>::I<float>().f(1L, 2.f, 3); }
void kinds(int s) {
  auto h = [=] __host__ __device__(int a, float *p, const Named &t) {};
  k<<<1, 1>>>(h);
  k2<<<1, 1>>>(h, h);
  k<<<1, 1>>>([=] __host__ __device__(int a, ...) {});
  auto host = [&](int a) { return a; };
  host(1);
  k<<<1, 1>>>([=] __device__(int a) { return a; });
  k<<<1, 1>>>([=] __device__(auto a, auto *b) {});
  auto outer = [&](float) { k<<<1, 1>>>([=] __device__(int a) { return a; }); };
  outer(1.f);
}

// Streams are pointers to a class.
template <class T> void streamed(T *p, cudaStream_t s) { k<<<1, 1, 0, s>>>([=] __device__(int i) { p[i] = 1; }); }
void call_streamed(float *p) { streamed(p, 0); }

// What follows had no instances at all.
// A static member of another class was taken for the object's own, and `this`, which the device does not have, was held for it.
struct Load {
  static __device__ int load(int a) { return a; }
  template <int n> static __device__ int more(int a) { return a + n; }
};
struct Own {
  void go(int *p) { k<<<1, 1>>>([=] __device__(int i) { *p = Load::load(i) + Load::template more<3>(i); }); }
};
void call_own(int *p) { Own().go(p); }
// The parameters' types were not looked for in the function around.
template <class T> struct Trait { typedef T ty; };
template <class T> void typed(T *p) {
  typedef typename Trait<T>::ty type_t;
  k<<<1, 1>>>([=] __device__(type_t i) { *p = i; });
}
void call_typed(float *p) { typed(p); }
// A class whose base is a member of its parameter, of a name that nothing declared before, was taken for the host's.
template <class... B> struct inherit;
template <class B, class... R> struct inherit<B, R...> : B::template rebound<inherit<R...>> {};
template <class B> struct inherit<B> : B {};
template <class B> struct inherited : B::only_later {};
struct Last { typedef int ty; template <class N> using rebound = Last; struct only_later { int x; }; };
template <class P, class B = Load> struct First : B { template <class N> using rebound = First<P, N>; };
struct Owned {};
void call_inherit() {
  auto f = [=] __device__() {};
  k2<<<1, 1>>>(f, inherit<First<Owned>, Last>());
  k2<<<1, 1>>>(f, inherited<Last>());
}
// A destructor defined outside of its class made the class's name a function template's, and `C<T> *p[2]` a product.
template <class T> struct Freed { __host__ ~Freed(); };
template <class T> __host__ Freed<T>::~Freed() {}
template <class T> void call_freed(T) {
  Freed<float> a, b;
  Freed<float> *both[2] = {&a, &b};
  k<<<1, 1>>>(both[0]);
}
template void call_freed<int>(int);
// check: .entry _Z1kIZN2ns1Q6commonEfEUllE_EvT_(
// check: .entry _Z1kIZNK2ns1Q8constantEvEUlvE_EvT_(
// check: .entry _Z1kIZN2ns1QcviEvEUljE_EvT_(
// check: .entry _Z1kIZ5plainEUliE_EvT_(
// check: .entry _Z1kIZ5kindsiEUliPfRK5NamedE_EvT_(
// check: .entry _Z2k2IZ5kindsiEUliPfRK5NamedE_S4_EvT0_T_(
// check: .entry _Z1kIZ5kindsiEUlizE_EvT_(
// check: .entry _Z1kIZ5kindsiEUliE0_EvT_(
// check: .entry _Z1kIZ5kindsiEUlT_PT0_E_EvS0_(
// check: .entry _Z1kIZZ5kindsiENKUlfE_clEfEUliE_EvT_(
// check: .entry _Z1kIZN3Own2goEPiEUliE_EvT_(
// check: .entry _Z2k2I7inheritIJ5FirstI5Owned4LoadE4LastEEZ12call_inheritvEUlvE_EvT0_T_(
// check: .entry _Z2k2I9inheritedI4LastEZ12call_inheritvEUlvE_EvT0_T_(
// check: .entry _Z1kIZ3twoILi16EPiS1_EvT0_T1_EUliiE_EvT_(
// check: .entry _Z1kIZ3twoILi16EPiS1_EvT0_T1_EUliiE0_EvT_(
// check: .entry _Z1kIZ4packIJifEEvDpT_EUliE_EvS1_(
// check: .entry _Z1kIZ9dependentI5NamedENT_2tyES2_RKS2_EUlS1_iE_EvS2_(
// check: .entry _Z2k2IiZN1RIiE1IIfE1fIlEEvT_fiEUllfiE_EvT0_T_(
// check: .entry _Z1kIZ8streamedIfEvPT_P11CUstream_stEUliE_EvS1_(
// check: .entry _Z1kIZ5typedIfEvPT_EUlfE_EvS1_(
// check: .entry _Z1kIP5FreedIfEEvT_(
// check: .entry _Z1kIZ4manyIZ4manyIZ9call_manyvEUlfE_EvT_EUliE_EvS3_iEUliE_EvS3_(
// check: .entry _Z1kIZ7wrappedIZN5StoreIiE4heldIfEEvT_EUliiE_EvT_iEUliE_EvS6_(
