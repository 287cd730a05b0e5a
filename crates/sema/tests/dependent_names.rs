//! Symbols of functions in whose signatures conditions on template parameters stand. The names are nvcc's.

mod common;

/// All of these were `v`, and functions that differ in nothing else had one name.
#[test]
fn conditions_in_signatures_had_no_names() {
    let (mut kernels, said) = common::compiled(
        "#include <type_traits>
        namespace nn {
        namespace mm { template <class T, class U = void> struct M0 { static constexpr bool value = true; }; }
        template <class T> inline constexpr bool vv = true;
        }
        template <bool B, class T = void> struct my_if {};
        template <class T> struct my_if<true, T> { using type = T; };
        template <bool B, class T = void> using my_if_t = typename my_if<B, T>::type;
        template <class L> __global__ my_if_t<nn::mm::M0<L>::value> a0(L f) {}
        template <class L> __global__ typename my_if<std::is_class<L>::value>::type a1(L f) {}
        template <class L> __global__ my_if_t<!std::is_integral<L>::value> a2(L f) {}
        template <class L> __global__ my_if_t<nn::mm::M0<L>::value && std::is_class<L>::value> a3(L f) {}
        template <class L> __global__ my_if_t<(sizeof(L) == 1)> a4(L f) {}
        template <class L, int N> __global__ std::enable_if_t<(N > 2)> a5(L f) {}
        template <class L> __global__ my_if_t<std::is_class_v<L>> a6(L f) {}
        template <class L> __global__ my_if_t<nn::vv<L>> a7(L f) {}
        template <class L> __global__ my_if_t<L::value> a8(L f) {}
        template <class L> __global__ my_if_t<std::is_same<L, int>::value || std::is_same<L, const float *>::value || true> b1(L f) {}
        template <class L, bool B> __global__ my_if_t<!B> b3(L f) {}
        template <class L> __global__ my_if_t<std::is_class<typename L::type>::value> b5(L f) {}
        template <class L> __global__ void b8(L f, my_if_t<std::is_class<L>::value, int> *, my_if_t<std::is_class<L>::value, int> *) {}
        template <class L> __global__ void launch(L f) {}
        template <class T, class L> std::enable_if_t<nn::mm::M0<L>::value> in_lambda(T n, const L &f) { launch<<<1, 1>>>([=] __device__() { f(n); }); }
        struct Fn { static constexpr bool value = true; using type = Fn; __device__ void operator()(int) const {} };
        int main() {
            Fn f;
            a0<<<1, 1>>>(f); a1<<<1, 1>>>(f); a2<<<1, 1>>>(f); a3<<<1, 1>>>(f); a4<<<1, 1>>>(f); a5<Fn, 3><<<1, 1>>>(f);
            a6<<<1, 1>>>(f); a7<<<1, 1>>>(f); a8<<<1, 1>>>(f); b1<<<1, 1>>>(f); b3<Fn, false><<<1, 1>>>(f); b5<<<1, 1>>>(f);
            b8<<<1, 1>>>(f, nullptr, nullptr);
            in_lambda(3, f);
        }",
    );
    kernels.sort();
    assert_eq!(said, Vec::<String>::new());
    assert_eq!(
        kernels,
        [
            "_Z2a0I2FnEN5my_ifIXsr2nn2mm2M0IT_vEE5valueEvE4typeES2_",
            "_Z2a1I2FnEN5my_ifIXsr3std8is_classIT_EE5valueEvE4typeES2_",
            "_Z2a2I2FnEN5my_ifIXntsr3std11is_integralIT_EE5valueEvE4typeES2_",
            "_Z2a3I2FnEN5my_ifIXaasr2nn2mm2M0IT_vEE5valuesr3std8is_classIS2_EE5valueEvE4typeES2_",
            "_Z2a4I2FnEN5my_ifIXeqstT_Li1EEvE4typeES2_",
            "_Z2a5I2FnLi3EENSt9enable_ifIXgtT0_Li2EEvE4typeET_",
            "_Z2a6I2FnEN5my_ifIL_ZSt10is_class_vEvE4typeET_",
            "_Z2a7I2FnEN5my_ifIL_ZN2nn2vvEEvE4typeET_",
            "_Z2a8I2FnEN5my_ifIXsrT_5valueEvE4typeES2_",
            "_Z2b1I2FnEN5my_ifIXoooosr3std7is_sameIT_iEE5valuesr3std7is_sameIS2_PKfEE5valueLb1EEvE4typeES2_",
            "_Z2b3I2FnLb0EEN5my_ifIXntT0_EvE4typeET_",
            "_Z2b5I2FnEN5my_ifIXsr3std8is_classINT_4typeEEE5valueEvE4typeES2_",
            "_Z2b8I2FnEvT_PN5my_ifIXsr3std8is_classIS1_EE5valueEiE4typeES5_",
            "_Z6launchIZ9in_lambdaIi2FnENSt9enable_ifIXsr2nn2mm2M0IT0_vEE5valueEvE4typeET_RKS3_EUlvE_EvS6_"
        ]
    );
}

/// A template that is declared in its class and defined behind it is one function, whatever its condition.
#[test]
fn definitions_behind_the_class_are_those_of_the_declarations() {
    let (kernels, said) = common::compiled(
        "#include <type_traits>
        template <class T> struct S {
            template <class U> __device__ std::enable_if_t<std::is_integral<U>::value && (sizeof(U) > 2), int> f(U u);
            template <class U> __device__ typename std::enable_if<!std::is_integral<U>::value, int>::type f(U u);
            template <class U, std::enable_if_t<std::is_same_v<T, U>, int> = 0> __device__ int g(U u);
            template <class U, std::enable_if_t<!std::is_same_v<T, U>, int> = 0> __device__ int g(U u);
        };
        template <class T> template <class U> __device__ std::enable_if_t<std::is_integral<U>::value && (sizeof(U) > 2), int> S<T>::f(U u) { return 1; }
        template <class T> template <class U> __device__ typename std::enable_if<!std::is_integral<U>::value, int>::type S<T>::f(U u) { return 2; }
        template <class T> template <class U, std::enable_if_t<std::is_same_v<T, U>, int>> __device__ int S<T>::g(U u) { return 3; }
        template <class T> template <class U, std::enable_if_t<!std::is_same_v<T, U>, int>> __device__ int S<T>::g(U u) { return 4; }
        template <class T> __device__ std::enable_if_t<std::is_class<T>::value, int> h(T);
        template <class T> __device__ std::enable_if_t<std::is_class<T>::value, int> h(T) { return 5; }
        __global__ void k(int *p) { S<int> s; p[0] = s.f(1) + s.f(1.f) + s.g(1) + s.g(1.f) + h(s); }",
    );
    assert_eq!(said, Vec::<String>::new());
    assert_eq!(kernels, ["_Z1kPi"]);
}

/// Calls in conditions, with the names before them as they are written.
#[test]
fn calls_in_conditions_had_no_names() {
    let (mut kernels, said) = common::compiled(
        "#include <type_traits>
        namespace quda {
        namespace device { template <class T> constexpr bool fits() { return sizeof(T) < 9; } }
        template <class T> constexpr bool own() { return true; }
        template <class T> __global__ std::enable_if_t<device::fits<T>()> a(T t) {}
        template <class T> __global__ std::enable_if_t<own<T>()> b(T t) {}
        template <class T> __global__ std::enable_if_t<!quda::device::fits<T>()> c(T t) {}
        template <class T> __global__ std::enable_if_t<::quda::device::fits<T>(), void> d(T t) {}
        struct Big { int n[8]; };
        }
        int main() { quda::a<<<1, 1>>>(1); quda::b<<<1, 1>>>(2); quda::c<<<1, 1>>>(quda::Big()); quda::d<<<1, 1>>>(2); }",
    );
    kernels.sort();
    assert_eq!(said, Vec::<String>::new());
    assert_eq!(
        kernels,
        [
            "_ZN4quda1aIiEENSt9enable_ifIXclsr6deviceE4fitsIT_EEEvE4typeES2_",
            "_ZN4quda1bIiEENSt9enable_ifIXcl3ownIT_EEEvE4typeES2_",
            "_ZN4quda1cINS_3BigEEENSt9enable_ifIXntclsr4quda6deviceE4fitsIT_EEEvE4typeES3_",
            "_ZN4quda1dIiEENSt9enable_ifIXclgssr4quda6deviceE4fitsIT_EEEvE4typeES2_"
        ]
    );
}

/// Found in QUDA, of which no kernel was launched: any template was taken for any template template parameter.
#[test]
fn overloads_that_ask_for_other_templates_were_ambiguous() {
    let (mut kernels, said) = common::compiled(
        "enum R { R0, R1 };
        struct U {};
        template <class T> __global__ void k(T *p) {}
        template <template <typename, int, R> class Apply, typename Recon = void, typename G, typename... Args> constexpr void instantiate(G &u, Args &&...args) { Apply<float, 3, R0>(u).run(); }
        template <template <typename, int> class Apply, typename F, typename... Args> constexpr void instantiate(F &f, Args &&...args) { Apply<double, 3>(f).run(); }
        template <template <typename> class Apply, typename F, typename... Args> constexpr void instantiate(F &f, Args &&...args) { Apply<short>(f).run(); }
        template <template <typename...> class Apply> void variadic() { k<<<1, 1>>>((Apply<int, char> *)0); }
        template <typename F, int n, R r> struct A3 { A3(U &) {} void run() { k<<<1, 1>>>((F *)0); } };
        template <typename F, int n> struct A2 { A2(U &) {} void run() { k<<<1, 1>>>((F *)0); } };
        template <typename F, typename G = int> struct A1 { A1(U &) {} void run() { k<<<1, 1>>>((F *)0); } };
        template <typename A, typename B> struct Pair {};
        int main() {
            U u;
            instantiate<A3, char>(u);
            instantiate<A2>(u);
            instantiate<A1>(u);
            variadic<Pair>();
        }",
    );
    kernels.sort();
    assert_eq!(said, Vec::<String>::new());
    assert_eq!(kernels, ["_Z1kI4PairIicEEvPT_", "_Z1kIdEvPT_", "_Z1kIfEvPT_", "_Z1kIsEvPT_"]);
}
