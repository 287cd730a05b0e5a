//! Classes and types that only the host has, where device code and launches name them.

mod common;

/// The kernels of a CUDA file, sorted, and what is said of it.
fn compiled(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut kernels, said) = common::compiled(text);
    kernels.sort();
    (kernels, said)
}

/// As LightGBM's metrics are: `CUDARMSEMetric` has `RMSEMetric` as a base by way of templates, and that a `Config` full of
/// strings.
const METRICS: &str = "
    class Metric { public: virtual ~Metric() {} virtual std::vector<double> eval(const double *) const = 0; std::string name; };
    template <class P> class Regression : public Metric { public: std::vector<double> eval(const double *s) const override { return {P::loss(1, 2)}; } std::vector<std::string> names; };
    class Rmse : public Regression<Rmse> { public: inline static double loss(float a, double b) { return a - b; } };
    class Clock { std::chrono::system_clock::time_point t; public: enum { DEEP = 3 }; static const int wide = 7; };
    class Watch : public Clock { std::chrono::seconds s; };
    template <class H, class C> class Dev : public H { public: void launch() const; int n; };
    template <class C> __global__ void k(double *o) { o[0] = C::point(1, 2); }
    template <class H, class C> void Dev<H, C>::launch() const { k<C><<<1, 1>>>(nullptr); }
    class A : public Dev<Rmse, A> { public: __device__ static double point(float a, double b) { return a * b; } };
    class B : public Dev<Watch, B> { public: __device__ static double point(float a, double b) { return a + b + Watch::DEEP + Watch::wide; } };
    template void Dev<Rmse, A>::launch() const;
    template void Dev<Watch, B>::launch() const;
";

#[test]
fn bases_that_only_the_host_has_were_errors() {
    let (kernels, said) = compiled(METRICS);
    assert_eq!(said, Vec::<String>::new());
    assert_eq!(kernels, ["_Z1kI1AEvPd", "_Z1kI1BEvPd"]);
}

#[test]
fn what_lies_behind_a_base_of_the_hosts_is_not_known() {
    for (kernel, wanted) in [
        ("__global__ void l(int *o, B *b) { o[0] = b->n; }", "E0433: where `n` lies in its class is not known"),
        ("__global__ void l(int *o) { o[0] = sizeof(B); }", "E0433: how large `B` is is not known"),
        ("__global__ void l(B b) {}", "E0433: how large `B` is is not known"),
        ("__global__ void l(Clock c) {}", "E0353: parameter has incomplete type `Clock`"),
    ] {
        let (_, said) = compiled(&format!("{METRICS}{kernel}"));
        assert_eq!(said, [wanted], "{kernel}");
    }
    let (kernels, said) =
        compiled(&format!("{METRICS}__global__ void l(double *o, A *a) {{ o[0] = a->point(1, 2); }}"));
    assert_eq!((kernels.len(), said), (3, Vec::new()));
}

/// The sizes are those of libstdc++: a class with a string and no word of device code has a layout, too.
#[test]
fn classes_of_the_hosts_library_had_the_names_of_other_things() {
    let (_, said) = compiled(
        "enum class kind { string = 2, other };
        inline int list(int map) { return map; }
        struct C { std::string s = \"a\"; std::map<int, int> m; std::vector<int> list; int n = 1; };
        struct D : C { int p; __device__ int f() { return p; } };
        static_assert(sizeof(C) == 112, \"\");
        __global__ void k(int *o, D d) { o[0] = d.f(); }",
    );
    assert_eq!(said, Vec::<String>::new());
}

/// Ginkgo's `select_…`, which pass a `std::shared_ptr` on among others.
#[test]
fn arguments_of_unknown_types_were_not_passed_on() {
    let (kernels, said) = compiled(
        "#include <utility>
        template <class T, T... V> struct list {};
        template <class... T> struct types {};
        template <class V> struct Dense { V *p; V *values() const { return p; } };
        template <int N, class T> __global__ void k(T *c) { c[threadIdx.x] = N; }
        template <int info, class In, class Out>
        void run(list<int, info>, std::shared_ptr<const int> e, int w, const Dense<In> *b, Dense<Out> *c) { k<info><<<1, 32>>>(c->values()); }
        template <class P, int... I, class... T, class... A> void choose(list<int>, P, list<int, I...>, types<T...>, A &&...) {}
        template <int K, int... Rest, class P, int... I, class... T, class... A>
        void choose(list<int, K, Rest...>, P ok, list<int, I...> i, types<T...> t, A &&...args) {
            if (ok(K)) run<I..., T...>(list<int, K>(), std::forward<A>(args)...);
            else choose(list<int, Rest...>(), ok, i, t, std::forward<A>(args)...);
        }
        template <class T> void both(T a, T b) { k<9><<<1, 1>>>(&b); }
        template <class In, class Out> void spmv(std::shared_ptr<const int> e, const Dense<In> *b, Dense<Out> *c) {
            choose(list<int, 0, 4>(), [](int k) { return k == 4; }, list<int>(), types<>(), e, 3, b, c);
            both(e->scale, c->p[0]);
        }
        template void spmv<float, double>(std::shared_ptr<const int>, const Dense<float> *, Dense<double> *);",
    );
    assert_eq!(said, Vec::<String>::new());
    assert_eq!(kernels, ["_Z1kILi0EdEvPT0_", "_Z1kILi4EdEvPT0_", "_Z1kILi9EdEvPT0_"]);
}

/// `thrust::transform(policy, first, last, result, op)` with a policy of unknown type was `transform(first, last, other, result, op)`,
/// whose kernel calls `op` with too many arguments.
#[test]
fn arguments_of_unknown_types_chose_overloads() {
    let (kernels, said) = compiled(
        "template <class F> __global__ void one(int *p, F f) { f(p[0]); }
        template <class F> __global__ void two(int *p, int *q, F f) { f(p[0], q[0]); }
        template <class D> struct policy {};
        template <class D, class I, class O, class F> void each(const policy<D> &, I b, I e, O o, F f) { one<<<1, 1>>>(b, f); }
        template <class I, class J, class O, class F> void each(I b, I e, J j, O o, F f) { two<<<1, 1>>>(b, j, f); }
        void host(int *p) { each(context()->policy(), p, p, p, [] __device__(int x) { return x; }); each(p, p, p, p, [] __device__(int x, int y) { return x; }); }",
    );
    assert_eq!(kernels.len(), 1, "{kernels:?}");
    assert!(kernels[0].contains("3two"), "{kernels:?}");
    assert!(said.iter().all(|s| s.starts_with("W0331")), "{said:?}");
}

/// XGBoost's `Context const *ctx_`: in device code it is a pointer to something, and so it was for the host's code.
#[test]
fn fields_of_classes_of_the_hosts_had_another_type_in_launches() {
    let (kernels, said) = compiled(
        "struct Context { std::string name; std::unknown hidden; int n; };
        template <class F> __global__ void each(F f) { f(0); }
        template <class F> void run(const Context *c, std::vector<int> &v, F f) { each<<<1, 1>>>(f); }
        class Metric { const Context *ctx = nullptr; std::vector<int> v; int last; public: void eval(int *p) { run(ctx, v, [=] __device__(int i) { p[i] = 1; }); }
            __device__ long at() const { return (const char *)&last - (const char *)this; } };
        __global__ void k(Metric *m, long *o) { static_assert(sizeof(Metric) == 40, \"\"); o[0] = m->at(); }",
    );
    assert_eq!(said, Vec::<String>::new());
    assert_eq!(kernels, ["_Z1kP6MetricPl", "_Z4eachIZN6Metric4evalEPiEUliE_EvT_"]);
}

/// RXMesh's `const PatchInfo *const __grid_constant__ patch_info`, MatX's `std::string name_ = … + to_short_str<T>();`.
#[test]
fn words_behind_pointers_and_arguments_in_initialisers() {
    let (kernels, said) = compiled(
        "template <class T> class tensor { T *p; std::string name = std::string(\"t\") + of<T>() + \"_\"; public: __device__ T get() const { return p[0]; } };
        static_assert(sizeof(tensor<float>) == 40, \"\");
        template <class I> __global__ void k(const int *const __grid_constant__ n, I t, float *o) { o[0] = t.get() + n[0]; }
        void go(int *n, float *o) { tensor<float> t; k<<<1, 1>>>(n, t, o); }",
    );
    assert_eq!(said, Vec::<String>::new());
    assert_eq!(kernels, ["_Z1kI6tensorIfEEvPKiT_Pf"]);
}

/// CUDA's runtime header, which every file has, includes these parts of the library.
#[test]
fn parts_of_the_library_that_every_file_has_were_unknown_without_an_include() {
    let text = "
        template <class T, class U> using same = std::is_same<T, U>;
        template <class T> __device__ typename std::enable_if<std::is_integral<T>::value, T>::type most() { return std::numeric_limits<T>::max(); }
        __device__ int count(std::initializer_list<int> l) { int n = 0; for (int i : l) n += i; return n; }
        __global__ void k(int *o) { std::pair<int, char> p = std::make_pair(1, 'a'); o[0] = most<int>() + same<int, long>::value + p.first + count({1, 2}); }
    ";
    for include in [
        "",
        "#include <cuda_runtime.h>\n",
        "#include <type_traits>\n#include <limits>\n",
        "#include <vector>\n#include <algorithm>\n",
    ] {
        assert_eq!(compiled(&format!("{include}{text}")), (vec!["_Z1kPi".to_owned()], Vec::new()), "{include}");
    }
    // A program that has its own.
    let own = "namespace std { template <class T, class U> struct is_same { enum { value = 2 }; }; } __global__ void k(int *o) { o[0] = std::is_same<int, int>::value; }";
    assert_eq!(compiled(own), (vec!["_Z1kPi".to_owned()], Vec::new()));
}

#[test]
fn classes_with_atomics_of_the_host_had_no_size() {
    let text = "
        #include <atomic>
        struct A { mutable std::atomic<unsigned> r; std::atomic_bool b; std::atomic<uint64_t> w; std::atomic<char *> p; virtual ~A(); };
        struct B : A { float x; B(float x); };
        static_assert(sizeof(A) == 32 && sizeof(B) == 40, \"\");
        __global__ void k(B b, float *o) { o[0] = b.x; }
    ";
    assert_eq!(compiled(text), (vec!["_Z1k1BPf".to_owned()], Vec::new()));
}

/// What GNU's library and compiler say of themselves in every file that nvcc compiles.
#[test]
fn macros_of_the_hosts_library_were_not_there() {
    let text = "
        #include <concepts>
        #if !defined(__GLIBC__) || __BYTE_ORDER != __LITTLE_ENDIAN || !__has_builtin(__builtin_huge_valf) || !__has_builtin(__is_same) || __has_builtin(__is_void)
        #error host
        #endif
        #if !defined(__cpp_lib_type_trait_variable_templates) || defined(__cpp_lib_concepts) != (__cplusplus >= 202002L)
        #error library
        #endif
        struct __CUDA_ALIGN__(16) A { int a; }; static_assert(alignof(A) == 16, \"\"); __global__ void k(int *o) { constexpr float inf = __builtin_huge_valf(); o[0] = inf > 1; }
    ";
    assert_eq!(compiled(text), (vec!["_Z1kPi".to_owned()], Vec::new()));
}
