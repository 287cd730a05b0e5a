//! `unspool cc`: command lines as people type them and build systems put them together.

#![expect(clippy::print_stderr, reason = "says what was skipped")]

mod tools;

use std::time::{Duration, Instant};
use tools::ran::run;
use tools::{text, tools};

const PROGRAM: &str = "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { int i, n = 100; double s = 0;\n\
    double *a = malloc(n * sizeof *a);\n#pragma acc data create(a[0:n])\n{\n#pragma acc parallel loop async(1)\n\
    for (i = 0; i < n; i++) { a[i] = i; }\n#pragma acc wait(1)\n#pragma acc kernels loop reduction(+:s) if(n > 3)\n\
    for (i = 0; i < n; i++) s += a[i];\n}\nprintf(\"%g\\n\", s); free(a); return 0; }\n";

/// `$CC --version` and its like, which build systems ask before anything else, were "no input files".
#[test]
fn questions_about_the_compiler_are_answered_by_the_hosts() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    for question in ["--version", "-V", "-dumpmachine", "-dumpversion", "-print-file-name=libc.a", "-v"] {
        let asked = tools.cc(&[question], folder.path());
        assert_eq!(asked.status.code(), Some(0), "{question}: {}", text(&asked.stderr));
        assert!(!asked.stdout.is_empty() || question == "-v", "{question}");
    }
    let help = tools.cc(&["-help", "-Minline"], folder.path());
    assert!(text(&help.stdout).contains("-Minline[=f,…]") && !text(&help.stdout).contains("-fast"));
}

/// The document's spelling of `-pgcpplibs`, and its `-Minline=func1, func2` with a space; `-x none` behind `-x c`, `-xc -`, and
/// preprocessed files, whose directives nobody read.
#[test]
fn words_of_the_document_and_languages_are_taken() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("p.txt"), PROGRAM).expect("a file");
    std::fs::write(path("q.c"), "int q;\n").expect("a file");
    let says = |words: &[&str]| {
        let made = tools.cc(words, folder.path());
        assert_eq!(made.status.code(), Some(0), "{words:?}: {}", text(&made.stderr));
        text(&made.stderr)
    };
    says(&["-c", "q.c"]);
    says(&["-acc", "-x", "c", "p.txt", "-x", "none", "q.o", "-pgcpllibs", "-Minline=func1,", "func2", "-o", "p"]);
    assert_eq!(text(&run(&path("p")).stdout), "4950\n");
    says(&["-acc", "-E", "-x", "c", "p.txt", "-o", "p.i"]);
    let told = says(&["-acc", "-Minfo", "p.i", "-o", "p"]);
    assert!(told.contains("Generating Multicore code"), "{told}");
    let notes = says(&["-acc", "-gpu=cc80,rdc", "-Minfo=accle", "-Kieee", "-c11", "-c", "p.i"]);
    assert!(notes.contains("did you mean `accel`?") && notes.contains("`rdc` in `-gpu` has no effect"), "{notes}");
}

/// gcc's and clang's `-fopenacc`, which CMake adds by itself, made gcc translate the directives, for its own library, without a word.
#[test]
fn the_option_of_gcc_is_for_our_directives() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), PROGRAM).expect("a file");
    let cc = |words: &[&str]| {
        let made = tools.cc(words, folder.path());
        assert_eq!(made.status.code(), Some(0), "{words:?}: {}", text(&made.stderr));
        text(&made.stderr)
    };
    let told = cc(&["-fopenacc", "-fopenacc-dim=32", "-foffload=nvptx-none", "-Minfo=accel", "-c", "p.c"]);
    assert!(told.contains("Generating Multicore code") && told.contains("`-fopenacc-dim=32` has no effect"), "{told}");
    cc(&["-fopenacc", "p.o", "-o", "p"]);
    assert_eq!(text(&run(&folder.path().join("p")).stdout), "4950\n");
    assert!(!cc(&["-fopenacc", "-fno-openacc", "-Minfo", "-c", "p.c"]).contains("Generating"));
}

/// With `-S` the host's compiler made code for its own library of OpenACC.
#[test]
fn assembly_is_the_hosts_code_and_says_so() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), PROGRAM).expect("a file");
    let made = tools.cc(&["-acc", "-S", "p.c"], folder.path());
    assert!(made.status.success() && text(&made.stderr).contains("regions have no kernels"), "{}", text(&made.stderr));
    let assembly = std::fs::read_to_string(folder.path().join("p.s")).expect("assembly");
    assert!(assembly.contains("main:") && !assembly.contains("GOACC"));
}

/// Generated code was warned about, as shadowing and as what C90 has not, which ended builds with `-Werror`.
#[test]
fn warnings_are_about_what_the_user_wrote() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), PROGRAM).expect("a file");
    for standard in ["c90", "gnu89", "c99", "c11"] {
        let standard = format!("-std={standard}");
        let words = ["-acc", &standard, "-pedantic-errors", "-Wall", "-Wextra", "-Wshadow", "-Wpadded", "-Werror"];
        let made = tools.cc(&[&words[..], &["-c", "p.c"]].concat(), folder.path());
        assert_eq!(made.status.code(), Some(0), "{standard}: {}", text(&made.stderr));
    }
    let line = PROGRAM.replace("printf", "int *wrong = 3.5;\nprintf");
    std::fs::write(folder.path().join("p.c"), line).expect("a file");
    let said = text(&tools.cc(&["-acc", "-c", "p.c"], folder.path()).stderr);
    assert!(said.contains("p.c:13:"), "{said}");
}

/// Kernels of files with errors were compiled all the same, ten milliseconds for each region, and a loop of 300 statements took
/// seconds, since each pair of accesses asked the whole function.
#[test]
fn files_with_errors_make_no_kernels_and_long_loops_take_no_time() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let region = |n| {
        format!(
            "void f{n}(float *a) {{\n#pragma acc parallel loop gang gang copy(b)\nfor (int i = 0; i < 9; i++) a[i] = {n};\n}}\n"
        )
    };
    std::fs::write(folder.path().join("p.c"), (0..1000).map(region).collect::<String>()).expect("a file");
    let start = Instant::now();
    let made = tools.cc(&["-acc", "-c", "p.c"], folder.path());
    assert_eq!(made.status.code(), Some(1));
    assert!(text(&made.stderr).contains("`gang` stands twice"));
    let statements: String = (0..600).map(|n| format!("x[i] = y[i] * {n} + x[i];\n")).collect();
    let program = format!(
        "void f(int n, float *restrict x, float *restrict y) {{\n#pragma acc kernels\nfor (int i = 0; i < n; i++) {{\n{statements}}}\n}}\n"
    );
    std::fs::write(folder.path().join("q.c"), program).expect("a file");
    let made = tools.cc(&["-acc", "-Minfo", "-c", "q.c"], folder.path());
    assert!(text(&made.stderr).contains("Loop is parallelizable"), "{}", text(&made.stderr));
    // Two minutes and more before, with optimisation.
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

/// No object was written, and nothing was said.
#[test]
fn sources_in_cxx_are_compiled_and_their_directives_told_of() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    put(
        "m.cpp",
        "#include <iostream>\n#include <openacc.h>\nextern \"C\" int work(int);\nint main() { std::cout << work(5) << \"\\n\"; }\n",
    );
    put("r.cpp", "int r(int *a) {\n#pragma acc parallel loop\nfor (int i = 0; i < 4; i++) a[i] = i;\nreturn 0; }\n");
    put(
        "w.c",
        "int work(int n) { int s = 0;\n#pragma acc parallel loop reduction(+:s)\nfor (int i = 0; i < n; i++) s += i; return s; }\n",
    );
    let says = |words: &[&str], code: i32| {
        let made = tools.cc(words, folder.path());
        assert_eq!(made.status.code(), Some(code), "{words:?}: {}", text(&made.stderr));
        text(&made.stderr)
    };
    assert_eq!(says(&["-acc", "-c", "m.cpp"], 0), "");
    says(&["-acc", "m.o", "w.c", "-pgcpplibs", "-o", "p"], 0);
    assert_eq!(text(&run(&folder.path().join("p")).stdout), "10\n");
    says(&["-acc", "-x", "c++", "m.cpp", "-x", "none", "w.c", "-o", "q"], 0);
    assert_eq!(text(&run(&folder.path().join("q")).stdout), "10\n");
    let told = says(&["-acc", "-c", "r.cpp"], 0);
    assert!(told.contains("warning[W0815]") && told.contains("r.cpp:2:1"), "{told}");
    says(&["-acc", "-Werror", "-c", "r.cpp"], 1);
    assert_eq!(says(&["-acc", "-w", "-c", "r.cpp"], 0), "");
    assert_eq!(says(&["-c", "r.cpp"], 0), "");
}

/// The host's compiler was believed to lay out types as kernels do.
#[test]
fn types_that_lie_otherwise_for_the_host_are_errors() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = "enum e { A, B };\ntypedef struct { enum e x, y; char c; double d; } T; static T t[4];\n\
                   int main(void) { struct in { char c; long l; } s[4];\n\
                   #pragma acc parallel loop copyout(s)\nfor (int i = 0; i < 4; i++) { t[i].d = i; s[i].l = t[i].x; }\n\
                   return (int)s[3].l; }\n";
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let says = |word: &str, code: i32| {
        let made = tools.cc(&["-acc", "-c", "-std=c99", "-Wall", "-Wextra", word, "p.c"], folder.path());
        assert_eq!(made.status.code(), Some(code), "{word}: {}", text(&made.stderr));
        text(&made.stderr)
    };
    assert_eq!(says("-pedantic-errors", 0), "");
    assert!(says("-fshort-enums", 1).contains("`enum e` lies otherwise in memory"));
    let packed = says("-fpack-struct", 1);
    assert!(packed.contains("`T` lies otherwise") && packed.contains("`struct in` lies otherwise"), "{packed}");
}

/// With `-Wall` the host's compiler said of sizes that only kernels for GPUs look at that they were unused.
#[test]
fn variables_in_clauses_are_used() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = "void f(float *a) { int g = 4, w = 2, v = 32;\n#pragma acc parallel num_gangs(g) num_workers(w) vector_length(v) copy(a[:9])\n\
                   #pragma acc loop gang worker vector\nfor (int i = 0; i < 9; i++) a[i] = i; }\n\
                   void h(float *a) { int s = 4;\n#pragma acc kernels loop gang(static: *) vector(s) copy(a[:9])\n\
                   for (int i = 0; i < 9; i++) a[i] = i; }\n";
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let made = tools.cc(&["-acc", "-c", "-Wall", "-Wextra", "p.c"], folder.path());
    assert_eq!((text(&made.stderr).as_str(), made.status.success()), ("", true));
}
