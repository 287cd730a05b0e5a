//! Functions of headers that are not understood: an error where a kernel reaches them, a warning where none does.

use unspool::{Compilation, Dialect, Emit, Input, Options, compile};

const HEADER: &str = "
struct Known { int v; };
__host__ __device__ inline int broken(Known k) { return k.missing; }
__host__ __device__ inline int sound(Known k) { return k.v; }
__host__ __device__ inline int unknown(Unknown u) { return 0; }
inline constexpr Unknown global_of_unknown = {1};
template <class T> struct Holder { T v; __host__ __device__ int get() const { return v.missing; } };
__host__ __device__ inline int holds(Holder<Known> h) { return h.get(); }
";

/// As PyTorch's and pybind11's headers have them: a class whose size the host's library alone knows, constructors of its
/// bases, an assertion about one, what its namespaces share.
const OF_THE_HOST: &str = "
#include <future>
#include <stdexcept>
constexpr inline size_t words(size_t bytes) { return (bytes + 7) / 8; }
constexpr size_t holder_words() {
    static_assert(sizeof(std::promise<int>) >= sizeof(std::future<int>), \"\");
    return words(sizeof(std::promise<int>));
}
struct Instance { void *held[1 + holder_words()]; int n; };
class Failure : public std::runtime_error { public: using runtime_error::runtime_error; virtual void set() const = 0; };
class Stop : public Failure { public: using Failure::Failure; Stop() : Stop(\"\") {} void set() const override {} };
template <int N = 0> class Sizes : Instance { static constexpr bool check() { return sizeof(std::string) + N > 8; } };
static_assert(Sizes<>::check(), \"size\");
namespace outer { template <class... T> std::vector<T...> init(); namespace inner { using ::outer::init; } }
template <class... T> __host__ __device__ unsigned index_of(std::vector<int> &shape, T... at) { return shape.size(); }
";

/// Compiles a kernel with this body behind `#include \"lib.h\"`; what failed comes as its log.
fn compiled(name: &str, body: &str) -> Result<Compilation, String> {
    compiled_behind(HEADER, name, &format!("Known x{{p[0]}}; {body}"))
}

fn compiled_behind(header: &str, name: &str, body: &str) -> Result<Compilation, String> {
    compiled_as(Dialect::CUDA, header, name, body)
}

fn compiled_as(dialect: Dialect, header: &str, name: &str, body: &str) -> Result<Compilation, String> {
    let dir = std::env::temp_dir().join(format!("unspool-header-functions-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("lib.h"), header).unwrap();
    let mut options = Options::new(dialect);
    options.include_dirs.push(dir.clone());
    let text = format!("#include \"lib.h\"\n__global__ void k(int *p) {{ {body} }}\n");
    let result = compile(&Input::text("main.cu", text), &options, &Emit::PTX).map_err(|e| e.to_string());
    std::fs::remove_dir_all(&dir).unwrap();
    result
}

#[test]
fn an_error_that_no_kernel_reaches_is_a_warning() {
    let log = compiled("unreached", "p[1] = sound(x);").unwrap().log();
    assert!(log.contains("W0339") && log.contains("`broken(Known)` is not understood; no kernel reaches it"), "{log}");
    assert!(!log.contains("error["), "{log}");
}

/// The warning says so; what stands behind such a call is not reached.
#[test]
fn a_call_of_the_host_ends_the_kernel() {
    let header =
        "int of_host(int); __host__ __device__ inline int both(int a) { if (a > 3) return of_host(a); return a; }";
    let out = compiled_behind(header, "ends", "p[1] = both(p[0]);").unwrap();
    assert!(out.log().contains("W0342"), "{}", out.log());
    let ptx = out.output().unwrap();
    assert!(ptx.contains("trap;") && ptx.contains("st.global"), "{ptx}");
}

#[test]
fn an_error_that_a_kernel_reaches_is_one() {
    let log = compiled("reached", "p[1] = broken(x);").unwrap_err();
    assert!(log.contains("E0411") && log.contains("lib.h:3:"), "{log}");
}

#[test]
fn an_error_in_a_template_of_a_header_is_one_where_it_is_used() {
    let log = compiled("template", "p[1] = holds(Holder<Known>{x});").unwrap_err();
    assert!(log.contains("E0411") && log.contains("lib.h:7:"), "{log}");
}

#[test]
fn what_could_not_be_declared_is_named_where_it_is_used() {
    let log = compiled("undeclared", "p[1] = unknown(x);").unwrap_err();
    assert!(log.contains("`Unknown`") && log.contains("lib.h:5:"), "{log}");
    let log = compiled("constant", "p[1] = sizeof(global_of_unknown);").unwrap_err();
    assert!(log.contains("`Unknown`") && log.contains("lib.h:6:"), "{log}");
}

#[test]
fn errors_of_the_main_file_are_never_held() {
    let log = compiled("main", "} __device__ int mine(Known k) { return k.missing;").unwrap_err();
    assert!(log.contains("E0411") && log.contains("main.cu:2:"), "{log}");
}

#[test]
fn classes_of_the_host_in_headers_matter_to_who_uses_them() {
    let log = compiled_behind(OF_THE_HOST, "host", "int init = p[0]; p[1] = init + words(9);").unwrap().log();
    assert!(!log.contains("error["), "{log}");
    let log = compiled_behind(OF_THE_HOST, "host-used", "Instance i; p[1] = i.n;").unwrap_err();
    assert!(log.contains("error["), "{log}");
    let log = compiled_behind(OF_THE_HOST, "host-called", "p[1] = holder_words();").unwrap_err();
    assert!(log.contains("error["), "{log}");
}

/// `cuda::std` was `::std` where the host's `<array>` was read before libcu++'s own headers: kernels had other names than nvcc's.
#[test]
fn libcuxx_is_a_namespace_of_its_own_behind_the_hosts_array() {
    let header = "#include <array>\nnamespace cuda { namespace std { template <class T> struct plus {}; } }\n\
                  template <class F> __global__ void scan(F) {}\ntemplate __global__ void scan(cuda::std::plus<int>);\n";
    let ptx = compiled_behind(header, "array", "p[1] = 1;").unwrap().output().expect("PTX").to_owned();
    assert!(ptx.contains("4cuda3std4plus"), "{ptx}");
}

#[test]
fn kernels_of_headers_are_never_left_out() {
    let header = "#include <future>\n__global__ void of_header(int *p) { p[0] = sizeof(std::future<int>); }\n";
    let log = compiled_behind(header, "kernel", "p[1] = 1;").unwrap_err();
    assert!(log.contains("error[") && log.contains("lib.h:2:"), "{log}");
}

/// XGBoost's sockets.
#[test]
fn enumerators_of_headers_with_values_that_the_hosts_headers_say_were_errors() {
    let header = "#include <sys/socket.h>\nenum class Dom : int { v4 = AF_INET, v5, known = 3, next };\n\
                  enum Old { O_A = SOCK_STREAM, O_B, O_C = 5 };\n";
    let log = compiled_behind(header, "enum", "p[0] = int(Dom::known) + int(Dom::next) + O_C;").unwrap().log();
    assert_eq!(log, "");
    for (name, used, line) in [("AF_INET", "int(Dom::v5)", 2), ("SOCK_STREAM", "O_B", 3)] {
        let log = compiled_behind(header, name, &format!("p[0] = {used};")).unwrap_err();
        assert!(log.contains(name) && log.contains(&format!("lib.h:{line}:")), "{log}");
    }
}

/// XGBoost's `MultiTargetHistMaker`: what the lambda captures has a type that only the host's functions say.
#[test]
fn lambdas_of_headers_that_the_device_cannot_make_were_errors() {
    let header = "template <class F> __global__ void each(int n, F f) { f(n); }
        struct Maker { void go(int *p, int n) { auto w = weights(n); each<<<1, 1>>>(n, [=] __device__(int t) mutable { w(t) = p[t]; }); } };";
    let log = compiled_behind(header, "lambda", "p[1] = 1;").unwrap().log();
    assert!(log.contains("W0331") && !log.contains("error["), "{log}");
}

/// XGBoost's `DeviceHistogramBuilder`.
#[test]
fn classes_of_headers_with_parts_that_are_not_understood_were_errors() {
    let header = "#include <memory>
        namespace other { struct clock { int point; }; using steady = clock; }
        struct Timer { using P = std::chrono::steady::clock; P start; Timer() { start = P::now(); } };
        struct Monitor { Timer timer; int n; };
        struct Impl;
        struct Builder { std::unique_ptr<Impl> impl; Monitor monitor; int size; __host__ __device__ int words() const { return 2; } };
        struct Derived : Monitor { int more; };";
    let header = &format!("{header}
        class Updater {{ Monitor monitor; int rows = 3; float *data = nullptr; public: virtual ~Updater() {{}} __device__ static int two() {{ return 2; }} }};");
    let log = compiled_behind(header, "parts", "p[1] = reinterpret_cast<Builder *>(p)->words() + Updater::two();")
        .unwrap()
        .log();
    assert!(!log.contains("error["), "{log}");
    for (i, body) in [
        "p[1] = sizeof(Builder);",
        "p[1] = reinterpret_cast<Builder *>(p)->size;",
        "Derived d; p[1] = d.more;",
        "Updater u; p[1] = u.two();",
    ]
    .iter()
    .enumerate()
    {
        let log = compiled_behind(header, &format!("parts{i}"), body).unwrap_err();
        assert!(log.contains("error["), "{body}: {log}");
    }
}

/// They were taken for the host's: a warning, and the kernel ended there.
#[test]
fn functions_that_do_not_parse_were_the_hosts() {
    let header = "__host__ __device__ constexpr bool broken() { int x = (; return x > 0; }
        __host__ __device__ constexpr bool calls() { return broken(); }";
    let log = compiled_behind(header, "unread", "p[1] = calls();").unwrap_err();
    assert!(log.contains("lib.h:1:") && log.contains("called here") && !log.contains("W0342"), "{log}");
    let log = compiled_behind(header, "unread-directly", "p[1] = broken();").unwrap_err();
    assert!(log.contains("lib.h:1:") && !log.contains("E0436"), "{log}");
    assert!(compiled_behind(header, "unread-unused", "p[1] = 3;").is_ok());
}

/// PyTorch's `intrusive_ptr<TensorImpl, UndefinedTensorImpl>`: its class asserts that a function is constant whose body names
/// a variable of the host's. No extension of PyTorch's compiled.
#[test]
fn assertions_of_classes_about_the_hosts_variables_were_errors() {
    let header = "
struct Impl { virtual void f(); virtual ~Impl(); int n; };
struct None final : public Impl { static constexpr inline Impl *singleton() { return &one; } private: None(); static None one; };
template <class T, class N, int S> struct Held {
    T *p;
    static_assert(N::singleton() == N::singleton(), \"constexpr\");
    static_assert(S > 3, \"small\");
    Held() noexcept : p(N::singleton()) {}
    ~Held() { if (p != N::singleton()) p->f(); }
    __device__ int size() const { return S; }
};
struct Tensor { Held<Impl, None, 4> impl; bool defined() const { return impl.p != None::singleton(); } };
";
    let log = compiled_behind(header, "singleton", "p[1] = sizeof(Tensor);").unwrap().log();
    assert!(!log.contains("error["), "{log}");
    let log = compiled_behind(header, "singleton-reached", "p[1] = None::singleton()->n;").unwrap_err();
    assert!(log.contains("E0405") && log.contains("`one` is a host variable"), "{log}");
    let log = compiled_behind(header, "singleton-small", "p[1] = ((Held<Impl, None, 3> *)p)->size();").unwrap_err();
    assert!(log.contains("static assertion failed: small"), "{log}");
}

/// CUTLASS's kernels for sm_90 take what `decltype(make_tma_copy(…))` is, a template of the host's with a deduced type.
#[test]
fn types_of_the_hosts_calls_were_not_known() {
    let header = "
template <class T, int N> struct Copier { T at[N]; };
template <int N, class T> auto make_copier(T t) { auto size = sizeof(t); Copier<T, N * 2> c; return c; }
template <class S, int N> struct Kernel {
    struct Params { using Copy = decltype(make_copier<N>(S{})); Copy copy; int n; };
    using Size = decltype(make_copier<N + 1>(S{}));
    __device__ static int run(const Params &p) { return sizeof(p.copy) + 1000 * sizeof(Size) + p.n; }
};
template <class K> __global__ void each(int *p, typename K::Params q) { *p = K::run(q); }
template <class K> void launch(int *p) { typename K::Params q; typename K::Size s; each<K><<<1, 1>>>(p, q); }
void both(int *p) { launch<Kernel<short, 3>>(p); launch<Kernel<double, 1>>(p); }
";
    let out = compiled_behind(header, "types-of-calls", "p[1] = 3;").unwrap();
    let text = out.output().expect("PTX");
    assert!(!out.log().contains("error["), "{}", out.log());
    // 12 bytes and a number, 16 bytes of the other type; 16 and 32 of the second kernel.
    for part in
        [".param .align 4 .b8 _Z4eachI6KernelIsLi3EEEvPiNT_6ParamsE_param_1[16]", "_param_1[24]", "16012", "32016"]
    {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

/// CUTLASS's kernels for sm_100: what a constant function returns is what a template of the host's made, and the arguments of the
/// class nest deeper than messages show.
#[test]
fn types_behind_constant_functions_and_in_classes_with_long_names_were_not_known() {
    let header = "
template <class T, int N> struct Copier { T at[N]; };
template <int N, class T> auto make_copier(T t) { auto size = sizeof(t); Copier<T, N * 2> c; return c; }
template <int N, class T> struct Deep { using Of = typename Deep<N - 1, Deep<0, T>>::Of; };
template <class T> struct Deep<0, T> { using Of = Deep; };
template <class S, int N> struct Kernel {
    template <class T> static constexpr auto made(T t) { auto c = make_copier<N>(t); return c; }
    struct Params { using Copy = decltype(made(short(2))); Copy copy; };
    using Size = decltype(make_copier<N + 1>(1.0));
    __device__ static int run(const Params &p) { return sizeof(p.copy) + 1000 * sizeof(Size); }
};
template <class K> __global__ void each(int *p, typename K::Params q) { *p = K::run(q); }
template <class K> void launch(int *p) { typename K::Params q; typename K::Size s; each<K><<<1, 1>>>(p, q); }
void both(int *p) { launch<Kernel<Deep<30, int>::Of, 3>>(p); launch<Kernel<Deep<31, int>::Of, 1>>(p); }
";
    let out = compiled_behind(header, "types-in-long-names", "p[1] = 3;").unwrap();
    assert!(!out.log().contains("error["), "{}", out.log());
    for part in ["_param_1[12]", "_param_1[4]", "64012", "32004"] {
        assert!(out.output().expect("PTX").contains(part), "{part}");
    }
}

/// C++23; nvcc takes it in C++20, and CUDA's C++ library of 13.1 and later says it.
#[test]
fn if_consteval_was_refused() {
    let header = "
constexpr __device__ int chosen(int x) { if consteval { return x; } else { return x + 100; } }
constexpr __device__ int other(int x) { if !consteval { x += 200; } return x; }
";
    let cxx = Dialect::CudaCxx { std: 20 };
    let text = |body: &str| compiled_as(cxx, header, "consteval", body).unwrap().output().expect("PTX").to_owned();
    assert!(
        text("static_assert(chosen(3) == 3 && other(4) == 4, \"\"); constexpr int c = chosen(5); p[0] = c;")
            .contains(", 5;")
    );
    assert!(text("p[0] = chosen(7) * 1000 + other(8);").contains("107208"));
}
