//! `unspool cc`: what is said about directives when they are compiled, and what `unspool explain` says of them.

#![expect(clippy::print_stderr, reason = "says what was skipped")]

mod tools;

use std::path::Path;
use std::process::Command;
use tools::ran::{run, says};
use tools::{Tools, programs, text, tools};

/// What `unspool explain` says of `p.c`.
fn explained(tools: &Tools, folder: &Path, words: &[&str]) -> String {
    let mut c = Command::new(&tools.unspool);
    let out = c.arg("explain").args(words).arg("p.c").current_dir(folder).output().expect("it starts");
    assert!(out.status.success(), "{}", text(&out.stderr));
    text(&out.stdout)
}

/// What is said of a program that is not compiled.
fn refused(name: &str) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy(programs().join(name).with_extension("c"), folder.path().join("p.c")).expect("the program is there");
    let made = tools()?.cc(&["-acc", "-c", "p.c"], folder.path());
    assert_eq!(made.status.code(), Some(1));
    Some(text(&made.stderr))
}

#[test]
fn wrong_directives_are_errors_with_their_place() {
    let Some(said) = refused("error_clauses") else { return };
    insta::assert_snapshot!(said);
}

/// They all pointed at the directive's first line.
#[test]
fn errors_on_continued_lines_point_at_them() {
    let Some(said) = refused("error_continued") else { return };
    insta::assert_snapshot!(said);
}

/// All of these were taken without a word.
#[test]
fn directives_that_break_rules_are_errors_with_their_place() {
    let Some(said) = refused("error_rules") else { return };
    insta::assert_snapshot!(said);
}

/// Undeclared names came from the host's compiler with columns of text that nobody wrote; `copy(p[0:])` of a pointer was two elements;
/// statements that are no atomic operation, and `routine` before a variable, were taken without a word.
#[test]
fn operands_that_are_not_there_or_something_else_are_errors_with_their_place() {
    let Some(said) = refused("error_operands") else { return };
    insta::assert_snapshot!(said);
}

/// A directive without braces made the statement behind it no part of its `if`; the others were taken without a word.
#[test]
fn directives_in_places_that_change_the_program_are_errors_with_their_place() {
    let Some(said) = refused("error_places") else { return };
    insta::assert_snapshot!(said);
}

/// All of these were taken without a word.
#[test]
fn calls_loops_and_branches_that_break_rules_are_errors_with_their_place() {
    let Some(said) = refused("error_levels") else { return };
    insta::assert_snapshot!(said);
}

/// All of these were taken without a word, or the host's compiler complained of text that nobody wrote.
#[test]
fn sections_and_operands_that_break_rules_are_errors_with_their_place() {
    let Some(said) = refused("error_sections") else { return };
    insta::assert_snapshot!(said);
}

/// A loop that moves its variable was run in parallel: the results were others.
#[test]
fn sizes_and_data_that_stand_twice_are_warned_about_and_loops_that_move_their_variable_are_the_hosts() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let source = "#include <stdio.h>\nint main(void) {\nint a[99] = {0}, i, n = 0;\n#pragma acc parallel loop copy(a) copy(a) gang(num:5) vector(64)\nfor (i = 1; i < 90; i++) { a[i] = 1; i += 2; }\nfor (i = 0; i < 99; i++) n += a[i] * i;\nprintf(\"%d\\n\", n);\n}\n";
    std::fs::write(folder.path().join("p.c"), source).expect("a file");
    let made = tools.cc(&["-acc", "p.c", "-o", "p"], folder.path());
    let said = text(&made.stderr);
    for wanted in ["W0821", "W0820", "num_gangs(5)", "vector_length(64)", "it changes its variable `i`"] {
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
    assert_eq!(text(&run(&folder.path().join("p")).stdout), "1335\n");
}

/// They were the host's, since the text of the kernel named a variable before its declaration.
#[test]
fn of_triangles_that_are_collapsed_the_outer_loops_are_shared() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let source = "#include <stdio.h>\nint main(void) {\nint a[30][30] = {0}, i, j, s = 0;\n\
                  #pragma acc parallel loop collapse(2) copy(a)\nfor (i = 0; i < 30; i++) for (j = i; j < 30; j++) a[i][j] += i * j;\n\
                  #pragma acc parallel loop tile(*, *) copy(a)\nfor (int p = 0; p < 30; p++) for (int q = 0; q < p; q++) a[p][q] = p;\n\
                  for (i = 0; i < 30; i++) for (j = 0; j < 30; j++) s += a[i][j] * (i + 3 * j);\nprintf(\"%d\\n\", s);\n}\n";
    std::fs::write(folder.path().join("p.c"), source).expect("a file");
    let made = tools.cc(&["-acc", "-Minfo=accel", "p.c", "-o", "p"], folder.path());
    let said = text(&made.stderr);
    for wanted in ["the bounds of `j` depend on `i`", "the bounds of `q` depend on `p`", "5, Loop is parallelizable"] {
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
    let sum: i32 = (0..30).flat_map(|i: i32| (0..30).map(move |j| (if j < i { i } else { i * j }) * (i + 3 * j))).sum();
    assert_eq!(text(&run(&folder.path().join("p")).stdout), format!("{sum}\n"));
}

/// gcc said that the `;` was missing before a call that nobody had written.
#[test]
fn a_missing_semicolon_in_a_construct_is_told_of_as_elsewhere() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    for directive in ["parallel copy(a)", "data copy(a)", "kernels"] {
        let source = format!("void f(int *a) {{\n#pragma acc {directive}\n    a[0] = 1\n}}\n");
        std::fs::write(folder.path().join("p.c"), source).expect("a file");
        let made = tools.cc(&["-acc", "-c", "p.c"], folder.path());
        let said = text(&made.stderr);
        assert!(!made.status.success() && said.contains("p.c:3:") && !said.contains("__unspool"), "{said}");
    }
}

/// It was said that the loop does not count.
#[test]
fn collapsing_more_loops_than_there_are_says_how_many() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = "void f(int n, float *a) {\n#pragma acc parallel loop collapse(3)\nfor (int i = 0; i < n; i++)\n\
                   for (int j = 0; j < n; j++) a[i * n + j] = 1;\n}\n";
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let made = tools.cc(&["-acc", "-Minfo=accel", "-c", "p.c"], folder.path());
    assert_eq!(made.status.code(), Some(0));
    let said = text(&made.stderr);
    assert!(said.contains("collapse(3) wants 3 counted loops") && said.contains("only 2 loops are here"), "{said}");
}

/// Tip 10's program: of `float **b` only the pointers were brought to the device, and loops over its rows were serial. Rows that may
/// be shorter than others are left to a clause.
#[test]
fn rows_of_arrays_of_pointers_are_found_without_clauses() {
    let program = "#include <stdio.h>\n#include <stdlib.h>\nvoid f(int N, int M, float **restrict b, int **ix, float **t, float *restrict a) {\n\
                   #pragma acc region copyin(a[0:(N*M)-1])\n{\nfor (int i = 1; i < N-1; ++i)\nfor (int j = 1; j < M-1; ++j)\n\
                   b[i][j] += 0.5f * (a[ix[i-1][j-1]] + a[i*M+j]);\n}\n\
                   #pragma acc parallel loop if(N < 0)\nfor (int i = 0; i < N; ++i)\nfor (int j = 0; j <= i; ++j) t[i][j] = 1;\n}\n\
                   int main(void) { int N = 20, M = 30; float *a = malloc(N * M * 4), *b[20]; int *ix[20];\n\
                   for (int i = 0; i < N; i++) { b[i] = calloc(M, 4); ix[i] = malloc(M * 4);\n\
                   for (int j = 0; j < M; j++) { a[i*M+j] = i; ix[i][j] = (i * 7 + j) % (N * M); } }\n\
                   f(N, M, b, ix, b, a); double s = 0;\n#pragma acc parallel loop reduction(+:s)\n\
                   for (int i = 0; i < 20; i++)\nfor (int j = 0; j < 30; j++) s += b[i][j];\nprintf(\"%g\\n\", s); return 0; }\n";
    let environment = [("NVCOMPILER_ACC_NOTIFY", "3")];
    let Some((said, told)) = says(&["-ta=discrete", "-Minfo"], &environment, program) else { return };
    assert!(
        said.contains("implicit copy(b[1:N-2][1:M-2])") && said.contains("implicit copyin(ix[:N-3][:M-3])"),
        "{said}"
    );
    assert!(said.contains("size of the GPU copy of t is unknown"), "{said}");
    assert!(said.contains("implicit copyin(b[:20][:30])"), "{said}");
    assert!(told.contains("variable=ix bytes=112") && told.contains("grid=1x18 block=64"), "{told}");
}

/// Tip 6: only the outer loop was shared, since the value of `idx` is printed behind both.
#[test]
fn what_is_private_to_a_loop_keeps_no_loop_inside_from_being_shared() {
    let program = "int A[50][40];\nint main(void) { int idx = 0;\n#pragma acc region\n{\n#pragma acc for private(idx)\n\
                   for (int i = 0; i < 50; ++i)\nfor (int j = 0; j < 40; ++j) { idx = i + j; A[i][j] = idx; }\n}\n\
                   return idx + A[1][1] - 2; }\n";
    let Some((said, _)) = says(&["-acc", "-Minfo"], &[], program) else { return };
    assert!(said.contains("7, Loop is parallelizable") && said.contains("collapse(2)"), "{said}");
}

/// Tip 12's program as it stands in the document, whose directive goes on in the next line without `\\`: only the host's compiler
/// complained, of the next line.
#[test]
fn a_comma_at_the_end_of_a_directive_is_warned_about() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program =
        "void f(int n, float *a, float *b) {\n#pragma acc data region copyin(a[0:n-1]),\n    copy(b[0:n-1])\n{ }\n}\n";
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let said = text(&tools.cc(&["-ta=nvidia", "-c", "p.c"], folder.path()).stderr);
    assert!(said.contains("warning[W0814]") && said.contains(" --> p.c:2:41") && said.contains("`\\`"), "{said}");
}

/// A function bound to itself was looked up for ever.
#[test]
fn routines_bound_in_circles_end() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = "#pragma acc routine seq bind(g)\nint g(int x) { return x; }\nint h(int);\n#pragma acc routine seq bind(h)\n\
                   int f(int x) { return x; }\n#pragma acc routine seq bind(f)\nint h(int x) { return x; }\nvoid k(int *a) {\n\
                   #pragma acc parallel loop copy(a[0:9])\nfor (int i = 0; i < 9; i++) a[i] = f(g(i));\n}\n";
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let made = tools.cc(&["-acc", "-c", "p.c"], folder.path());
    assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
}

/// Tip 4: a triangle under `copyout` would bring back what was never written.
#[test]
fn copyout_of_triangles_leaves_the_rest_alone() {
    let program = "#include <stdlib.h>\nint A[20][30];\nint main(void) {\nfor (int i = 0; i < 20; i++) for (int j = 0; j < 30; j++) A[i][j] = -1;\n\
                   #pragma acc region copyout(A[0:19][0:29])\n{\nfor (int i = 0; i < 20; ++i)\nfor (int j = i; j < 30; ++j)\nA[i][j] = i + j;\n}\n\
                   return A[5][4] != -1 || A[5][5] != 10; }\n";
    let Some((said, _)) = says(&["-acc=discrete"], &[], program) else { return };
    assert!(said.contains("`copyout` of `A`, which triangular loops write in part"), "{said}");
}

/// Two iterations that collide are named, as the program spells their accesses.
#[test]
fn wrong_assertions_are_warned_about() {
    let program = "int a[100];\nint main(void) {\n#pragma acc parallel loop\nfor (int i = 1; i < 100; i++)\na[i] = a[i - 1];\n\
                   #pragma acc kernels\n{\n#pragma acc loop independent\nfor (int i = 0; i < 50; i++) a[2 * i] = a[2 * i + 6];\n\
                   #pragma acc loop independent\nfor (int i = 0; i < 50; i++) a[2 * i] = a[2 * i + 1];\n}\nreturn 0; }\n";
    let Some((said, _)) = says(&["-acc"], &[], program) else { return };
    let first = "`loop` in `parallel` says that iterations may run in any order, but iteration i = 1 writes `a[i]`, and iteration \
                 i = 2 reads it, as `a[i - 1]`";
    assert!(said.contains(first), "{said}");
    assert!(
        said.contains("but iteration i = 3 writes `a[2 * i]`, and iteration i = 0 reads it, as `a[2 * i + 6]`"),
        "{said}"
    );
    assert_eq!(said.matches("warning").count(), 2, "{said}");
}

/// Each directive and clause: asked, done, why; as text and as JSON.
#[test]
fn what_copyout_names_and_is_read_first_or_has_margins_is_copied_in_and_said() {
    let program = "#include <stdio.h>\nint main(void) {\n    double c[40], d[40];\n    for (int i = 0; i < 40; i++) c[i] = d[i] = 1;\n\
                   #pragma acc data copyout(c, d)\n    {\n#pragma acc parallel loop\n    for (int i = 0; i < 40; i++) c[i] += i;\n\
                   #pragma acc parallel loop\n    for (int i = 1; i < 39; i++) d[i] = i;\n    }\n\
                   printf(\"%g %g %g\\n\", c[5], d[0], d[5]);\n    return 0;\n}\n";
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let made = tools.cc(&["-acc=discrete", "p.c", "-o", "p"], folder.path());
    let said = text(&made.stderr);
    assert!(said.contains("`copyout` of `c`, which line 8 reads before anything here has written it"), "{said}");
    assert!(said.contains("`copyout` of `d`, whose first elements no loop writes"), "{said}");
    assert_eq!(text(&run(&folder.path().join("p")).stdout), "6 1 5\n");
    // What comes in by another clause, or is there already, is no mistake.
    let good = "void f(double c[40], double d[40]) {\n#pragma acc data copy(d[0:40])\n    {\n\
                #pragma acc parallel loop copyin(c[0:40]) copyout(c[0:40], d[0:40])\n    for (int i = 0; i < 40; i++) c[i] += d[i];\n    }\n}\n";
    std::fs::write(folder.path().join("q.c"), good).expect("a file");
    let made = tools.cc(&["-acc", "-c", "q.c"], folder.path());
    assert_eq!(text(&made.stderr), "");
}

/// A simulation of plasmas that walks the particles of one tile in each iteration was told that its tiles are the same.
#[test]
fn assertions_about_loops_over_parts_of_an_array_are_believed() {
    let program = "void f(int n, int *restrict start, float *restrict x) {\n#pragma acc parallel loop gang\n\
                   for (int t = 0; t < n; t++) {\n    const int begin = start[t], end = start[t + 1];\n#pragma acc loop vector\n\
                   for (int k = begin; k < end; k++) x[k] = x[k] * 2 + t;\n}\n}\n\
                   void g(int n, float *restrict x) {\n#pragma acc parallel loop gang\n\
                   for (int t = 0; t < 9; t++) {\n    int m = t * n, k;\n    for (k = m; k < m + n; k++) x[k] += x[k] * t;\n}\n}\n";
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    assert_eq!(text(&tools.cc(&["-acc", "-c", "p.c"], folder.path()).stderr), "");
    let same = program.replace("int k = begin; k < end", "int k = 0; k < n");
    std::fs::write(folder.path().join("q.c"), same).expect("a file");
    let said = text(&tools.cc(&["-acc", "-c", "q.c"], folder.path()).stderr);
    assert!(said.contains("iteration t = 0 writes `x[k]`, and iteration t = 1 reads it, as `x[k]`"), "{said}");
}

#[test]
fn assertions_about_variables_of_several_loops_have_witnesses() {
    let program = "void f(int n, double *restrict x, double a[n][n]) {\n#pragma acc parallel loop\n\
                   for (int i = 0; i < n; i++) {\n#pragma acc loop seq\n    for (int j = 0; j <= i - 1; j++) x[i] -= a[i][j] * x[j];\n}\n}\n\
                   void g(int n, double a[n][n]) {\n#pragma acc parallel loop\n\
                   for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = a[i][j] + i;\n}\n";
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let said = text(&tools.cc(&["-acc", "-c", "p.c"], folder.path()).stderr);
    assert!(
        said.contains("iteration i = 0 writes `x[i]`, and iteration i = 1 reads it, as `x[j]` with j = 0")
            || said.contains(
                "iteration i = 1 writes `x[i]` with j = 0, and iteration i = 2 reads it, as `x[j]` with j = 1"
            ),
        "{said}"
    );
    assert_eq!(said.matches("W0803").count(), 1, "{said}");
}

#[test]
fn default_none_names_what_no_clause_names() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let source = "int a[9], b[9];\nvoid f(int n, int t) {\nint s = 0, own;\n#pragma acc parallel loop default(none) copy(a) private(own) reduction(+:s)\nfor (int i = 0; i < n; i++) { own = t; a[i] += b[i] + own; s += a[i]; }\n}\n";
    std::fs::write(folder.path().join("p.c"), source).expect("a file");
    let made = tools.cc(&["-acc", "-c", "p.c"], folder.path());
    let said = text(&made.stderr);
    assert!(!made.status.success(), "{said}");
    assert!(said.contains("E0820") && said.contains("no clause names `b`") && said.contains("p.c:4:1"), "{said}");
    assert!(said.contains("no clause names `n`, `t`"), "{said}");
}

/// Without `-Minfo` nobody was told.
#[test]
fn regions_that_are_left_to_the_host_are_warned_about() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = "int a[9];\nint main(void) {\n#pragma acc parallel loop\nfor (int i = 0; i < 9; i++) { if (a[i]) break; a[i] = i; }\n\
                   return a[3] != 3; }\n";
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let said = |options: &[&str]| {
        let words: Vec<&str> = options.iter().copied().chain(["-acc", "p.c", "-o", "p"]).collect();
        let made = tools.cc(&words, folder.path());
        (made.status.success(), text(&made.stderr))
    };
    let (made, words) = said(&[]);
    assert!(
        made && words.contains("warning[W0812]: this region is left to the host: loop has multiple exits"),
        "{words}"
    );
    assert!(run(&folder.path().join("p")).status.success());
    assert_eq!(said(&["-w"]), (true, String::new()));
    assert_eq!(said(&["-Wno-ignored-pragmas"]), (true, String::new()));
    assert!(!said(&["-Werror"]).0 && !said(&["-Werror=ignored-pragmas"]).0);
    let (_, words) = said(&["-w", "-Mneginfo"]);
    assert!(words.contains("Accelerator region ignored") && !words.contains("Generating"), "{words}");
    let empty = tools.cc(&["-acc"], folder.path());
    assert!(!empty.status.success() && text(&empty.stderr).contains("no input files"));
}

#[test]
fn directives_are_explained() {
    let program = "void f(int n, float *restrict x, float *restrict y) {\n#pragma acc kernels copy(y[0:n]) async(1) num_gangs(4)\n\
                   for (int i = 1; i < n; i++) y[i] = y[i - 1] + x[i];\n#pragma acc parallel loop firstprivate(x) vector_length(32)\n\
                   for (int i = 0; i < n; i++) y[i] = (long double)x[i];\n}\n";
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let explain = |words: &[&str]| explained(&tools, folder.path(), words);
    let said = explain(&[]);
    insta::assert_snapshot!(said);
    let json: serde_json::Value = serde_json::from_str(&explain(&["--format", "json"])).expect("it is JSON");
    let second = &json[0]["directives"][1];
    assert_eq!((second["line"].as_u64(), second["fate"].as_str()), (Some(4), Some("refused")), "{json}");
    let page = explain(&["--html", "-"]);
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("refused: the host runs the region"), "{page}");
}

/// `gang(32)` of a loop with a dependence was told to be honoured.
#[test]
fn sizes_of_loops_that_run_in_order_are_refused() {
    let body = "for (int i = 1; i < n; i++) a[i] = a[i - 1] + 1;\n";
    let program = format!(
        "void f(int n, float *a) {{\n#pragma acc kernels loop gang(32)\n{body}#pragma acc parallel loop seq num_gangs(8)\n{body}\
         #pragma acc kernels num_gangs(4)\n{{\n#pragma acc loop gang(16) vector(64)\n{body}#pragma acc loop vector(32)\n\
         for (int i = 0; i < n; i++) a[i] = 1;\n}}\n}}\n"
    );
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let json: serde_json::Value =
        serde_json::from_str(&explained(&tools, folder.path(), &["--format", "json"])).expect("it is JSON");
    let fates: Vec<String> = json[0]["directives"]
        .as_array()
        .expect("directives")
        .iter()
        .flat_map(|d| d["clauses"].as_array().expect("clauses"))
        .map(|c| format!("{} {}", c["text"].as_str().unwrap_or("?"), c["fate"].as_str().unwrap_or("?")))
        .collect();
    let wanted = ["gang(32) refused", "seq honoured", "num_gangs(8) refused", "num_gangs(4) honoured"];
    assert_eq!(fates[..4], wanted, "{json}");
    assert_eq!(fates[4..], ["gang(16) refused", "vector(64) refused", "vector(32) adjusted"], "{json}");
}

/// Hints on loops inside of regions were not told of, and PGI's `unroll` did nothing.
#[test]
fn loops_inside_of_kernels_are_explained() {
    let program = "void f(int n, float *restrict a, float *restrict b) {\n#pragma acc parallel loop copyin(a[0:64*n]) copyout(b[0:n])\n\
                   for (int i = 0; i < n; i++) { float s = 0;\n#pragma unroll 4\nfor (int j = 0; j < 64; j++) s += a[i * 64 + j];\n\
                   #pragma nounroll\nfor (int j = 0; j < 8; j++) s += j * s;\nb[i] = s; }\n\
                   #pragma acc region for parallel, vector(64) copyin(a[0:64*n-1]) copy(b[0:n-1])\n\
                   for (int i = 0; i < n; i++) { float s = 0;\n#pragma acc for seq unroll(8)\n\
                   for (int j = 0; j < 64; j++) s += a[i * 64 + j];\nb[i] += s; }\n\
                   #pragma acc region copy(b[0:n-1])\n{\n#pragma acc for seq unroll(2)\n\
                   for (int i = 1; i < n; i++) b[i] += b[i - 1];\n}\n}\n";
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let explain = |words: &[&str]| explained(&tools, folder.path(), words);
    let said = explain(&["-ta=nvidia,cc90"]);
    let loops = said.split_once("\n\nloops").map(|s| s.1);
    insta::assert_snapshot!(loops.expect("loops are told of"));
    assert!(explain(&[]).contains("loops inside of kernels, for host:"));
    let json: serde_json::Value = serde_json::from_str(&explain(&["--format", "json"])).expect("it is JSON");
    let last = &json[0]["loops"][2];
    assert_eq!(
        (last["line"].as_u64(), last["hints"][0]["asked"].as_str()),
        (Some(12), Some("#pragma unroll 8")),
        "{json}"
    );
    assert!(explain(&["--html", "-"]).contains("loop, for host: unrolled by 8"));
}
