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

/// Compiles a kernel with this body behind `#include \"lib.h\"`; what failed comes as its log.
fn compiled(name: &str, body: &str) -> Result<Compilation, String> {
    let dir = std::env::temp_dir().join(format!("unspool-header-functions-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("lib.h"), HEADER).unwrap();
    let mut options = Options::new(Dialect::CUDA);
    options.include_dirs.push(dir.clone());
    let text = format!("#include \"lib.h\"\n__global__ void k(int *p) {{ Known x{{p[0]}}; {body} }}\n");
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
