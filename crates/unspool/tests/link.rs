//! Separate compilation: objects, libraries, headers in memory, linking.

use unspool::object::Object;
use unspool::{Compilation, Dialect, Emit, Input, Linkable, Options, compile_with_log as compile, link, link_library};

fn messages(c: &Compilation) -> Vec<String> {
    c.session.diagnostics.iter().map(|d| format!("{} {}", d.code, d.message)).collect()
}

fn options() -> Options {
    Options { kernel_info: true, separate: true, ..Options::host(Dialect::OPENCL) }
}

fn object(name: &str, text: &str) -> Linkable {
    let out = compile(&Input::text(name, text), &options(), &Emit::Nothing);
    let all = messages(&out);
    out.into_linkable(Dialect::OPENCL).unwrap_or_else(|| panic!("{name}: {all:?}"))
}

fn linked(objects: &[&Linkable]) -> Compilation {
    link(objects, &Options::host(Dialect::OPENCL), &Emit::Ir)
}

fn program(objects: &[&Linkable]) -> String {
    let out = linked(objects);
    assert!(out.succeeded(), "{:?}", messages(&out));
    assert_eq!(out.session.ledger.unanswered().count(), 0);
    out.output().expect("IR").to_owned()
}

fn library(parts: &[&Linkable]) -> Linkable {
    let out = link_library(parts, &options());
    let all = messages(&out);
    out.into_library(Dialect::OPENCL).unwrap_or_else(|| panic!("{all:?}"))
}

fn kernel_names(c: &Compilation) -> Vec<&str> {
    c.kernels.iter().map(|k| k.name.as_str()).collect()
}

#[test]
fn functions_of_another_object_are_found_and_inlined() {
    let a = object("a.cl", "int twice(int); kernel void k(global int *p) { p[0] = twice(21); }");
    let b = object("b.cl", "int twice(int x) { return x * 2; }");
    let text = program(&[&a, &b]);
    assert!(text.contains("i32:42") && !text.contains("call"), "{text}");
    assert_eq!(kernel_names(&linked(&[&b, &a])), ["k"]);
}

#[test]
fn statics_of_two_objects_are_kept_apart() {
    let one = "static int f(int x) { return x + 1; } constant int c[2] = {1, 2};";
    let a = object(
        "a.cl",
        "static int f(int x) { return x + 1; } static constant int c[2] = {10, 20};
        kernel void k(global int *p) { p[0] = f(p[0]) + c[p[1]]; }",
    );
    let b = object(
        "b.cl",
        "static int f(int x) { return x + 2; } static constant int c[2] = {30, 40};
        kernel void l(global int *p) { p[0] = f(p[0]) + c[p[1]]; }",
    );
    let text = program(&[&a, &b]);
    assert!(text.contains("@c:") && text.contains("@c$1:"), "{one}: {text}");
    assert!(text.contains("i32:1") && text.contains("i32:2"), "{text}");
}

#[test]
fn constants_of_another_object_are_found() {
    let a = object("a.cl", "extern constant int table[4]; kernel void k(global int *p) { p[0] = table[2]; }");
    let b = object("b.cl", "constant int table[4] = {5, 6, 7, 8};");
    assert!(program(&[&a, &b]).contains("i32:7"));
    let short = object("c.cl", "constant int table[3] = {5, 6, 7};");
    let out = linked(&[&a, &short]);
    assert_eq!(messages(&out), ["E0762 the declaration of `table` does not fit its definition"]);
}

#[test]
fn library_functions_are_there_once() {
    let a = object("a.cl", "float g(float); kernel void k(global float *p) { p[0] = sinh(p[0]) + g(p[1]); }");
    let b =
        object("b.cl", "float g(float x) { return sinh(x); } kernel void l(global float *p) { p[0] = sinh(p[1]); }");
    let out = link(&[&a, &b], &Options { level: unspool::OptLevel::O0, ..Options::host(Dialect::OPENCL) }, &Emit::Ir);
    assert!(out.succeeded(), "{:?}", messages(&out));
    let names: Vec<_> = out.module.functions.values().map(|f| f.name.as_str()).filter(|n| n.contains("sinh")).collect();
    assert!(names.len() <= 1, "{names:?}");
}

#[test]
fn kernels_call_kernels_of_other_objects() {
    let a = object("a.cl", "kernel void inner(global int *p); kernel void k(global int *p) { inner(p + 1); }");
    let b = object("b.cl", "kernel void inner(global int *p) { local int t; t = 5; p[0] = t; }");
    let out = linked(&[&a, &b]);
    assert!(out.succeeded(), "{:?}", messages(&out));
    assert_eq!(kernel_names(&out), ["k", "inner"]);
}

#[test]
fn what_is_defined_twice_or_nowhere_is_named() {
    let k = "int f(int); kernel void k(global int *p) { p[0] = f(1); }";
    let f = "\nint f(int x) { return x; }";
    let (a, b, c) = (object("a.cl", k), object("b.cl", f), object("c.cl", f));
    let twice = linked(&[&a, &b, &c]);
    assert_eq!(messages(&twice), ["E0760 `f` is defined twice"]);
    let d = twice.session.diagnostics.iter().next().expect("one");
    assert_eq!(twice.session.sources.display(d.span()), "c.cl:2:5");
    assert_eq!(messages(&linked(&[&a])), ["E0761 `f` is declared but not defined, and `k` uses it"]);
    let kernel = "kernel void k() {}";
    let twice = linked(&[&object("a.cl", kernel), &object("b.cl", kernel)]);
    assert_eq!(messages(&twice), ["E0760 `k` is defined twice"]);
}

#[test]
fn declarations_must_fit_definitions() {
    let a = object("a.cl", "int f(int, float); kernel void k(global int *p) { p[0] = f(1, 2); }");
    let out = linked(&[&a, &object("b.cl", "int f(int x, int y) { return x; }")]);
    assert_eq!(messages(&out), ["E0762 the declaration of `f` does not fit its definition"]);
    let notes = &out.session.diagnostics.iter().next().expect("one").notes;
    assert!(notes[0].contains("parameter 2 is f32 where it is declared, i32"), "{notes:?}");
    let out = linked(&[&a, &object("b.cl", "int f(int x) { return x; }")]);
    assert!(messages(&out)[0].starts_with("E0762"));
}

#[test]
fn an_undefined_function_that_nothing_uses_is_no_error() {
    let a = object("a.cl", "int f(int); int g(int x) { return f(x); } kernel void k(global int *p) { p[0] = 1; }");
    program(&[&a]);
}

#[test]
fn functions_of_a_library_come_only_when_they_are_needed() {
    let f = object("f.cl", "int helper(int); int f(int x) { return helper(x); }");
    let helper = object("h.cl", "int helper(int x) { return x + 1000; }");
    let unused = object("u.cl", "int missing(int); int unused(int x) { return missing(x); }");
    let clash = object("x.cl", "int mine(int x) { return 1; }");
    let library = library(&[&unused, &f, &clash, &helper]);
    let k = object(
        "k.cl",
        "int f(int); int mine(int x) { return 2; } kernel void k(global int *p) { p[0] = f(p[0]) + mine(3); }",
    );
    assert!(library.is_library());
    let text = program(&[&k, &library]);
    assert!(text.contains("i32:1002"), "{text}");
    assert!(program(&[&library, &k]).contains("i32:1002"));
    let needs = object("n.cl", "int unused(int); kernel void n(global int *p) { p[0] = unused(1); }");
    assert_eq!(
        messages(&linked(&[&needs, &library])),
        ["E0761 `missing` is declared but not defined, and `unused` uses it"]
    );
}

#[test]
fn libraries_alone_and_kernels_in_libraries_are_programs() {
    let k = object("k.cl", "int f(int); kernel void k(global int *p) { p[0] = f(1); }");
    let f = object("f.cl", "int f(int x) { return x; }");
    let both = library(&[&k, &f]);
    assert_eq!(kernel_names(&linked(&[&both])), ["k"]);
    let other = object("o.cl", "kernel void o() {} kernel void k(global int *p) { p[0] = 77; }");
    let out = linked(&[&both, &other]);
    assert_eq!(kernel_names(&out), ["o", "k"]);
    assert!(out.output().expect("IR").contains("i32:77"));
    let parts = library(&[&library(&[&k]), &library(&[&f])]);
    assert_eq!(kernel_names(&linked(&[&parts])), ["k"]);
    let twice = link_library(&[&f, &object("g.cl", "int f(int x) { return x; }")], &options());
    assert_eq!(messages(&twice), ["E0760 `f` is defined twice"]);
}

#[test]
fn stored_objects_link_as_fresh_ones() {
    let text = "float g(float); kernel __attribute__((reqd_work_group_size(8, 4, 1))) void k(global float *p) {
        float s = 0;\n#pragma unroll 4\nfor (int i = 0; i < (int)p[0]; i++) s += g(p[i]); p[0] = s; }";
    let through_bytes = |l: &Linkable| {
        let object = Object::read(&l.to_object().write()).expect("our own bytes");
        Linkable::from_object(&object).expect("our own IR")
    };
    let a = object("a.cl", text);
    let stored = through_bytes(&a);
    let b = object("b.cl", "float g(float x) { return x * x; }");
    assert_eq!(program(&[&a, &b]).matches("fmul").count(), program(&[&stored, &b]).matches("fmul").count());
    let out = linked(&[&stored, &b]);
    assert_eq!(out.kernels[0].attributes, "reqd_work_group_size(8,4,1)");
    let library = through_bytes(&library(&[&stored, &through_bytes(&b)]));
    assert!(library.is_library());
    program(&[&library]);
}

#[test]
fn hints_of_all_objects_are_answered_at_their_places() {
    let loops = |n: &str| {
        format!("kernel void {n}(global int *p, int m) {{\n#pragma unroll 4\nfor (int i = 0; i < m; i++) p[i] += i; }}")
    };
    let out = linked(&[&object("a.cl", &loops("a")), &object("b.cl", &loops("b"))]);
    let places: Vec<_> = out.session.ledger.iter().map(|(_, h)| out.session.sources.display(h.span)).collect();
    assert_eq!(places.len(), 2);
    assert!(places[0].starts_with("a.cl:2") && places[1].starts_with("b.cl:2"), "{places:?}");
}

#[test]
fn a_program_from_one_source_defines_what_it_uses() {
    let text = "int f(int);\nkernel void k(global int *p) { p[0] = f(1); }";
    let out = compile(&Input::text("k.cl", text), &Options::host(Dialect::OPENCL), &Emit::Ir);
    assert_eq!(messages(&out), ["E0761 `f` is declared but not defined, and `k` uses it"]);
}

fn with_headers(text: &str, headers: &[(&str, &str)]) -> Compilation {
    let virtual_headers = headers.iter().map(|(n, t)| ((*n).to_owned(), t.as_bytes().to_vec())).collect();
    let options = Options { virtual_headers, ..Options::host(Dialect::OPENCL) };
    compile(&Input::text("k.cl", text), &options, &Emit::Ir)
}

#[test]
fn headers_in_memory_are_found_by_name_and_path() {
    let headers = [
        ("a.h", "#define A 100\n"),
        ("dir/b.h", "#include \"c.h\"\n#include \"../a.h\"\n"),
        ("dir/c.h", "#pragma once\n#define C 23\n"),
    ];
    let text = "#include \"dir/b.h\"\n#include <dir/c.h>\n#include \"./a.h\"\n
        kernel void k(global int *p) { p[0] = A + C; }";
    let out = with_headers(text, &headers);
    assert!(out.succeeded(), "{:?}", messages(&out));
    assert!(out.output().expect("IR").contains("i32:123"));
    let out = with_headers("#include \"c.h\"\n", &headers);
    assert_eq!(messages(&out), ["E0125 `c.h` file not found"]);
    let out = with_headers("#include \"bad.h\"\n", &[("bad.h", "\nint x = ;\n")]);
    let d = out.session.diagnostics.iter().next().expect("an error");
    assert_eq!(out.session.sources.display(d.span()), "bad.h:2:9");
    assert!(!with_headers("#if !__has_include(<a.h>)\n#error no\n#endif\n", &headers).session.diagnostics.has_errors());
}

#[test]
fn a_header_that_includes_itself_ends() {
    let out = with_headers("#include \"a.h\"\n", &[("a.h", "#include \"a.h\"\n")]);
    assert!(out.session.diagnostics.has_errors());
}

/// What is flushed in one part need not be flushed in another.
#[test]
fn floating_point_options_of_parts_are_the_strictest() {
    let mut flushing = options();
    flushing.math.ftz = Some(true);
    let part = |o: &Options, name: &str| {
        let text = format!("kernel void {name}(global float *p) {{ p[0] = p[1] * 2; }}");
        let out = compile(&Input::text("k.cl", text), o, &Emit::Nothing);
        out.into_linkable(Dialect::OPENCL).expect("compiles")
    };
    let (a, b, c) = (part(&flushing, "a"), part(&options(), "b"), part(&flushing, "c"));
    assert!(!linked(&[&a, &b]).module.math.ftz);
    assert!(linked(&[&a, &c]).module.math.ftz);
}
