//! Functions, constructors and destructors of the host, called from device code: an error where only the device runs, the end
//! of the program with a warning where both may.

mod common;

/// What is said of a CUDA file.
fn said(text: &str) -> Vec<String> {
    common::compiled(text).1
}

/// Classes with something that the host alone has, and what a function does with them.
const CLASSES: [(&str, &str, &str); 22] = [
    ("struct H { int v; H(int a) : v(a) {} };", "H h(3); return h.v;", "H::H"),
    ("struct H { int v; H(int a) : v(a) {} };", "return H(3).v;", "H::H"),
    ("struct H { int v; H(int a) : v(a) {} };", "H h{3}; return h.v;", "H::H"),
    ("struct H { int v; H() : v(5) {} };", "H h; return h.v;", "H::H"),
    ("struct H { int v; H() {} };", "H h; h.v = a; return h.v;", "H::H"),
    ("struct H { int v; __device__ H(int a) : v(a) {} ~H() {} };", "H h{3}; return h.v;", "H::~H"),
    ("struct H { int v; H(const H &o) : v(o.v + 1) {} __device__ H() {} };", "H g; H h(g); return h.v;", "H::H"),
    (
        "struct H { int v; H &operator=(const H &o) { v = o.v; return *this; } };",
        "H g{1}, h{2}; g = h; return g.v;",
        "H::operator=",
    ),
    ("template <class T> struct H { T v; H(T a) : v(a) {} };", "H<int> h(3); return h.v;", "H<int>::H"),
    ("struct H { int v; int get() const; };", "H h{2}; return h.get();", "get"),
    ("struct H { static int make(); };", "return H::make();", "make"),
    ("int made(std::string s);", "return made(\"x\");", "made"),
    ("int made(std::string s);", "return a > 3 ? made(\"x\") : a;", "made"),
    ("int made(std::string s);", "auto g = [=](int x) { return x > 5 ? made(\"x\") : x; }; return g(a);", "made"),
    ("int made(std::string s);", "while (made(\"x\") > 3) a++; return a;", "made"),
    ("int made(std::string s);", "if (made(\"x\") > 3) a++; else a--; return a;", "made"),
    ("int made(std::string s);", "for (int i = made(\"x\"); i < 4; i++) a++; return a;", "made"),
    ("int made(std::string s);", "for (int i = 0; i < made(\"x\"); i += made(\"y\")) a++; return a;", "made"),
    ("int made(std::string s);", "switch (made(\"x\")) { case 1: a++; default: a--; } return a;", "made"),
    ("int made(std::string s);", "do a++; while (made(\"x\")); return a;", "made"),
    (
        "int made(std::string s);",
        "switch (a) { case 1: made(\"x\"); case 2: a += 5; break; default: a++; } return a;",
        "made",
    ),
    ("int made(std::string s);", "if (a > 3) return made(\"x\"); return a > 5 && made(\"y\");", "made"),
];

#[test]
fn objects_and_calls_of_the_hosts_were_left_out_of_device_code_without_a_word() {
    for (class, body, name) in CLASSES {
        let wanted = format!("E0436: calling a __host__ function (`{name}`) from device code is not allowed");
        let text = format!("{class} __device__ int f(int a) {{ {body} }}");
        let all = said(&text);
        assert!(!all.is_empty() && all.iter().all(|s| *s == wanted), "{text}: {all:?}");
    }
}

#[test]
fn calls_of_the_hosts_in_functions_for_both_were_errors() {
    for (class, body, name) in CLASSES {
        for head in ["", "template <class T> "] {
            let wanted = format!("W0342: calling a __host__ function (`{name}`) from a __host__ __device__ function");
            let of = if head.is_empty() { "int" } else { "T" };
            let text = format!(
                "{class} {head}__host__ __device__ int f({of} a) {{ {body} }} __global__ void k(int *o) {{ o[0] = f(o[1]); }}"
            );
            let all = said(&text);
            assert!(!all.is_empty() && all.iter().all(|s| *s == wanted), "{text}: {all:?}");
        }
    }
}

/// A class that only the host makes and ends goes to kernels as it is, and device code may have pointers to it.
#[test]
fn objects_that_the_host_makes_are_taken() {
    let class = "struct H { int v; H(int a); H(const H &); ~H(); __device__ int get() const { return v; } };";
    let uses = "__device__ int f(const H &h) { return h.get(); } __global__ void k(H h, H *p, int *o) { o[0] = f(h) + f(*p) + h.v; }";
    assert_eq!(said(&format!("{class} {uses}")), Vec::<String>::new());
    let host = "void g(int *o) { H h(3); k<<<1, 1>>>(h, &h, o); }";
    assert_eq!(said(&format!("{class} {uses} {host}")), Vec::<String>::new());
}
