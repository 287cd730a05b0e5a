//! Launches that go through classes of the host's library, and the names that kernels have from those.

mod common;

/// The kernels of a CUDA file, sorted, and what is said of it.
fn compiled(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut kernels, said) = common::compiled(text);
    kernels.sort();
    (kernels, said)
}

/// Nothing was deduced from what the library's functions return. The kernels are nvcc's.
#[test]
fn arguments_out_of_vectors_strings_and_owners_launched_nothing() {
    let (kernels, said) = compiled(
        "#include <functional>
        #include <memory>
        #include <string>
        #include <vector>
        template <class T> __global__ void k(T *p, int n) {}
        template <class T> struct Buffer {
            T *p;
            std::vector<T> kept;
            std::string name;
            Buffer(const std::string &n, size_t s) : kept(s), name(n) {}
            T *device() { return p; }
        };
        struct Base { virtual void run() = 0; };
        template <class T> struct Job : Base { std::vector<T> v; void run() override { k<<<1, v.size()>>>(v.data(), (int)v.size()); } };
        template <class T> void launch(const std::vector<T> &v) { T *d = nullptr; k<<<1, 32>>>(d, (int)v.size()); }
        template <class T> void launch_shared(const std::shared_ptr<Buffer<T>> &b) { k<<<1, 32>>>(b->device(), 3); }
        void named(const std::string &, unsigned long *p) { k<<<1, 1>>>(p, 1); }
        template <class P> void named(const P &, unsigned char *p) { k<<<1, 1>>>((P *)nullptr, 1); }
        template <class T> void labelled(const std::string &label, T *p) { k<<<1, 1>>>(p, label.size()); }
        int main() {
            std::vector<float> v(10);
            launch(v);
            launch(std::vector<double>{1., 2.});
            launch_shared(std::make_shared<Buffer<int>>(\"x\", 3));
            k<<<1, 1>>>(std::make_unique<Buffer<short>>(\"y\", 3)->device(), 1);
            std::unique_ptr<Base> j = std::make_unique<Job<long>>();
            j->run();
            std::function<void(unsigned *)> f = [](unsigned *p) { k<<<1, 1>>>(p, 2); };
            f(nullptr);
            for (auto &x : v) k<<<1, 1>>>(&x, 1);
            std::vector<std::vector<char>> n;
            for (auto &r : n) launch(r);
            labelled(\"label\", (bool *)nullptr);
        }",
    );
    assert_eq!(said, Vec::<String>::new());
    let of = |types: &str| types.chars().map(|t| format!("_Z1kI{t}EvPT_i")).collect::<Vec<_>>();
    assert_eq!(kernels, of("bcdfijlms"));
}

/// Made with `new` or as variables, by constructors that nobody writes. The kernels are nvcc's.
#[test]
fn virtual_functions_of_classes_without_a_constructor_of_their_own_launched_nothing() {
    let (kernels, said) = compiled(
        "template <class T> __global__ void k(T *p) {}
        struct Base { virtual void run() = 0; };
        template <class T> struct Job : Base { void run() override { k<<<1, 1>>>((T *)0); } };
        struct Derived : Job<char> {};
        template <class T> struct Holds { Job<T> j; };
        template <class T> struct Never : Base { void run() override { k<<<1, 1>>>((T *)0); } };
        int main() {
            Base *j = new Job<long>();
            j->run();
            Base *b = new Job<short>;
            Job<float> w;
            Derived d;
            Holds<int> h;
            Never<double> *n = nullptr;
        }",
    );
    assert_eq!(said, Vec::<String>::new());
    assert_eq!(kernels, ["_Z1kIcEvPT_", "_Z1kIfEvPT_", "_Z1kIiEvPT_", "_Z1kIlEvPT_", "_Z1kIsEvPT_"]);
}

/// As nvcc 13.5 names them.
#[test]
fn classes_of_the_library_were_not_in_the_names_of_kernels() {
    let (kernels, said) = compiled(
        "#include <functional>
        #include <iostream>
        #include <memory>
        #include <string>
        #include <string_view>
        #include <tuple>
        #include <vector>
        template <class T> struct S { int x; };
        template <class T> __global__ void k(S<T> s) {}
        template <class F> __global__ void l(F f) {}
        void print(std::ostream &s, const std::istream &i) { l<<<1, 1>>>([] __device__() { return 1; }); }
        void host(const std::string &s, std::vector<int> v, const char *c) { l<<<1, 1>>>([] __device__() { return 1; }); }
        int main() {
            k<<<1, 1>>>(S<std::string>{1});
            k<<<1, 1>>>(S<std::vector<std::string>>{1});
            k<<<1, 1>>>(S<std::allocator<int>>{1});
            k<<<1, 1>>>(S<std::unique_ptr<int[]>>{1});
            k<<<1, 1>>>(S<std::tuple<int, std::shared_ptr<float>>>{1});
            k<<<1, 1>>>(S<std::function<void(std::string_view)>>{1});
            k<<<1, 1>>>(S<std::vector<int>::iterator>{1});
        }",
    );
    assert_eq!(said, Vec::<String>::new());
    assert_eq!(
        kernels,
        [
            "_Z1kIN9__gnu_cxx17__normal_iteratorIPiSt6vectorIiSaIiEEEEEv1SIT_E",
            "_Z1kINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEEv1SIT_E",
            "_Z1kISaIiEEv1SIT_E",
            "_Z1kISt10unique_ptrIA_iSt14default_deleteIS1_EEEv1SIT_E",
            "_Z1kISt5tupleIJiSt10shared_ptrIfEEEEv1SIT_E",
            "_Z1kISt6vectorINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESaIS6_EEEv1SIT_E",
            "_Z1kISt8functionIFvSt17basic_string_viewIcSt11char_traitsIcEEEEEv1SIT_E",
            "_Z1lIZ4hostRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESt6vectorIiSaIiEEPKcEUlvE_EvT_",
            "_Z1lIZ5printRSoRKSiEUlvE_EvT_",
        ]
    );
}

/// They have the host's functions only, as nvcc says.
#[test]
fn device_code_calls_no_function_of_the_hosts_library() {
    let (_, said) = compiled(
        "#include <vector>
        struct Holds { int n; std::vector<int> v; };
        __global__ void k(int *p, Holds *h) { p[0] = h->n + h->v.size(); }",
    );
    assert!(matches!(&said[..], [s] if s.starts_with("E0436") && s.contains("size")), "{said:?}");
    let (kernels, said) = compiled(
        "#include <memory>
        #include <vector>
        struct Holds { std::vector<int> v; std::unique_ptr<float> u; std::shared_ptr<int> s; std::vector<bool> b; int n; };
        static_assert(sizeof(Holds) == 96, \"as GNU's library has them\");
        __global__ void k(int *p, Holds *h) { p[0] = h->n; }",
    );
    assert_eq!((kernels.len(), said), (1, Vec::new()));
}

/// The sizes are those of libstdc++, the kernels nvcc's.
#[test]
fn containers_streams_and_exceptions_launched_nothing() {
    let (kernels, said) = compiled(
        "#include <deque>
        #include <iostream>
        #include <list>
        #include <map>
        #include <set>
        #include <sstream>
        #include <stdexcept>
        #include <string>
        #include <unordered_map>
        #include <unordered_set>
        template <class T> __global__ void k(T *p) {}
        struct Failed : std::runtime_error { int n; Failed() : std::runtime_error(\"failed\") {} };
        template <class T> void run(const std::map<std::string, T *> &m) {
            for (auto &[name, p] : m) {
                std::cout << name << std::endl;
                k<<<1, 1>>>(p);
            }
            auto it = m.find(\"x\");
            if (it == m.end()) throw std::runtime_error(\"none\");
            k<<<1, 1>>>((char **)it->second);
        }
        struct Holds {
            std::map<int, int> a; std::set<int> b; std::list<int> c; std::deque<int> d; std::unordered_map<int, int> e;
            std::unordered_set<int> f; std::multimap<int, int> g; std::multiset<int> h; int n;
        };
        static_assert(sizeof(Holds) == 4 * 48 + 24 + 80 + 2 * 56 + 8, \"\");
        static_assert(sizeof(Failed) == 24, \"\");
        static_assert(sizeof(std::ostringstream) == 376 && sizeof(std::istringstream) == 384 && sizeof(std::stringstream) == 392, \"\");
        __global__ void of_fields(Holds *h, int *p) { *p = h->n; }
        int main() {
            std::map<std::string, float *> m;
            m[\"x\"] = nullptr;
            run(m);
            std::unordered_map<int, double *> u;
            k<<<1, 1>>>(u[3]);
            for (auto p : u) k<<<1, 1>>>(&p.first);
            std::list<short> l;
            k<<<1, 1>>>(&l.front());
            std::set<long> s;
            k<<<1, 1>>>(&*s.begin());
            std::deque<bool> d;
            k<<<1, 1>>>(&d[1]);
            std::ostringstream o;
            o << 1 << \"x\" << 2.0;
            std::string t = o.str();
            k<<<1, 1>>>(t.data());
        }",
    );
    assert_eq!(said, Vec::<String>::new());
    let of = |types: &[&str]| types.iter().map(|t| format!("_Z1kI{t}EvPT_")).collect::<Vec<_>>();
    assert_eq!(kernels[..8], of(&["Ki", "Kl", "Pc", "b", "c", "d", "f", "s"]));
    assert_eq!(kernels[8..], ["_Z9of_fieldsP5HoldsPi"]);
}

/// They are no templates: nvcc compiles what they launch whether they are called or not. As Kokkos' `UniqueToken<Cuda>` is.
#[test]
fn members_of_specialisations_launched_nothing_unless_called() {
    let (kernels, said) = compiled(
        "template <class T> __global__ void k(T *p) {}
        template <class T> struct Owner { Owner() {} Owner(int) {} Owner &operator=(Owner &&) { return *this; } ~Owner() { k<<<1, 1>>>((T *)0); } };
        template <class T> struct Token { void never() { k<<<1, 1>>>((double *)0); } };
        template <> struct Token<int> {
            Token(int) { k<<<1, 1>>>((char *)0); }
            void acquire() { k<<<1, 1>>>((short *)0); }
            static void release() { k<<<1, 1>>>((long *)0); }
        };
        template <> struct Token<char> {
          protected:
            Owner<bool> locks;
            Token(int n) { locks = Owner<bool>(n); }
        };",
    );
    assert_eq!(said, Vec::<String>::new());
    assert_eq!(kernels, ["_Z1kIbEvPT_", "_Z1kIcEvPT_", "_Z1kIlEvPT_", "_Z1kIsEvPT_"]);
}

/// As Kokkos' tests of threads: a kernel's lambda stands in one of the host's, and its body names what the function around both
/// declares. The names are nvcc's.
#[test]
fn constants_around_a_lambda_in_a_lambda_were_unknown() {
    let (kernels, said) = compiled(
        "template <class F> __global__ void k(F f) { f(3); }
        template <class F> __host__ __device__ void once(F f) { f(); }
        void host(int *p) {
            constexpr int N = 5;
            enum { Q = 7 };
            using T = short;
            auto l = [=]() {
                int j = 2;
                k<<<1, 1>>>([=] __device__(int x) { once([=]() { for (int i = 0; i < N; ++i) p[i] = x + j + Q + sizeof(T); }); });
            };
            l();
        }
        void other(int *p) {
            constexpr int N = 5;
            auto l = [=]() { for (int j = 0; j < 4; j++) k<<<1, 1>>>([=] __device__(int x) { p[N] = x; }); };
            l();
        }",
    );
    assert_eq!(said, Vec::<String>::new());
    assert_eq!(kernels, ["_Z1kIZZ4hostPiENKUlvE_clEvEUliE_EvT_", "_Z1kIZZ5otherPiENKUlvE_clEvEUliE_EvT_"]);
}

/// What a thread is given is called. The kernels are nvcc's.
#[test]
fn threads_launched_nothing() {
    let (kernels, said) = compiled(
        "#include <condition_variable>
        #include <mutex>
        #include <thread>
        #include <vector>
        template <class T> __global__ void k(T *p) {}
        template <class T> void work(T *p) { k<<<1, 1>>>(p); }
        struct S { template <class T> void member(T *p) { k<<<1, 1>>>(p); } };
        struct Holds { std::mutex m; std::thread t; std::condition_variable c; std::once_flag o; int n; };
        static_assert(sizeof(Holds) == 40 + 8 + 48 + 8 && sizeof(std::unique_lock<std::mutex>) == 16, \"\");
        std::mutex mutex;
        std::once_flag flag;
        int main() {
            std::thread u(work<float>, (float *)0);
            std::lock_guard<std::mutex> g(mutex);
            std::call_once(flag, [] { k<<<1, 1>>>((char *)0); });
            S s;
            std::thread v(&S::member<double>, &s, (double *)0);
            std::vector<std::thread> w;
            w.push_back(std::thread(work<long>, (long *)0));
        }",
    );
    assert_eq!(said, Vec::<String>::new());
    assert_eq!(kernels, ["_Z1kIcEvPT_", "_Z1kIdEvPT_", "_Z1kIfEvPT_", "_Z1kIlEvPT_"]);
}

/// What comes out of clocks, random numbers, sets of bits is deduced. The sizes are GNU's, the kernels nvcc's.
#[test]
fn clocks_and_random_numbers_launched_nothing() {
    let (kernels, said) = compiled(
        "#include <bitset>
        #include <chrono>
        #include <memory_resource>
        #include <random>
        template <class T> __global__ void k(T *o, T v) {}
        struct S {
            std::mt19937 g{std::random_device{}()};
            std::uniform_real_distribution<float> d{0.f, 1.f};
            std::normal_distribution<double> n;
            std::bitset<70> b;
            std::pmr::monotonic_buffer_resource m;
            std::chrono::steady_clock::time_point since;
            void run(void *p) {
                k<<<1, 1>>>((float *)p, d(g));
                k<<<1, 1>>>((double *)p, n(g));
                auto v = g();
                k<<<1, 1>>>((decltype(v) *)p, v);
                k<<<1, 1>>>((bool *)p, b.test(3));
                k<<<1, 1>>>((long *)p, (std::chrono::steady_clock::now() - since).count());
            }
        };
        static_assert(sizeof(S) == 5128 && sizeof(std::bitset<0>) == 1 && sizeof(std::mt19937_64) == 2504, \"\");
        static_assert(sizeof(std::pmr::unsynchronized_pool_resource) == 72 && sizeof(std::pmr::synchronized_pool_resource) == 136, \"\");
        template <class G> void fill(void *p, G &g) { std::uniform_int_distribution<> d(0, 9); k<<<1, 1>>>((int *)p, d(g)); }
        int main() {
            S s;
            s.run(nullptr);
            std::default_random_engine e(3);
            fill(nullptr, e);
        }",
    );
    assert_eq!(said, Vec::<String>::new());
    let of = |types: &str| types.chars().map(|t| format!("_Z1kI{t}EvPT_S0_")).collect::<Vec<_>>();
    assert_eq!(kernels, of("bdfilm"));
}
