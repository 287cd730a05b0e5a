//! `unspool cc`: every program under `tests/directives` prints with directives, on each device, what it prints without; its
//! `-Minfo` is the committed one. Skipped, visibly, without a C compiler, `unspool-host` or the run-time library.

#![expect(clippy::print_stderr, reason = "says what was skipped")]

mod tools;

use std::process::Command;
use tools::ran::{prints, run, says, says_out};
use tools::{programs, text, tools};
/// Compiles and runs one program on all devices; its `-Minfo` goes to a snapshot.
fn same_everywhere(name: &str) {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let source = programs().join(name).with_extension("c");
    std::fs::copy(&source, folder.path().join("p.c")).expect("the program is there");
    let serial = folder.path().join("serial");
    // Without `-acc` the host's compiler does it all.
    let built = tools.cc(&["-w", "-O1", "p.c", "-lm", "-o", "serial"], folder.path());
    assert!(built.status.success(), "{name} does not compile without directives: {}", text(&built.stderr));
    let expected = run(&serial);
    let made = tools.cc(&["-acc", "-O1", "-Minfo=accel", "p.c", "-o", "p", "-lm"], folder.path());
    assert!(made.status.success(), "{name}: {}", text(&made.stderr));
    insta::assert_snapshot!(name, text(&made.stderr));
    for device in ["host", "multicore", "discrete"] {
        let program = folder.path().join("p");
        let found = Command::new(program).envs([("ACC_NUM_CORES", "2"), ("ACC_DEVICE_TYPE", device)]).output();
        let found = found.expect("the program starts");
        assert_eq!(text(&found.stdout), text(&expected.stdout), "{name} on {device}: {}", text(&found.stderr));
        assert!(found.status.success(), "{name} on {device}: {}", text(&found.stderr));
    }
}

macro_rules! programs {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            same_everywhere(stringify!($name));
        }
    )*

        #[test]
        fn every_program_is_tested() {
            let mut there: Vec<String> = std::fs::read_dir(programs())
                .expect("the folder")
                .flatten()
                .filter_map(|e| Some(e.path().file_stem()?.to_str()?.to_owned()))
                .filter(|n| !n.starts_with("error_"))
                .collect();
            there.sort();
            assert_eq!(there, [$(stringify!($name)),*]);
        }
    };
}

programs! {
    array_parameters
    atomics
    attributes
    bare_members
    cached
    clauses
    complex
    computed_arrays
    constants
    data_regions
    deep_copy
    each_gang
    function_pointers
    generated
    globals
    heap
    implied
    independent
    interchange
    last_values
    library
    local_types
    members
    names
    old_style
    overlap
    parallel_loops
    pointers
    prologues
    queues
    records
    recursion
    reduced_sections
    refuted
    restricted
    same_memory
    shared_iterations
    sizes
    strides
    subscripts
    teams
    tiles
    tip01_pointers
    tip02_private
    tip03_while
    tip04_triangle
    tip05_linear
    tip06_live_out
    tip07_calls
    tip11_contiguous
    type_generic
    varied_parameters
    verdicts
}

/// Enumerators that double, and name themselves, took time and stack without end; brackets of other compilers' dimensions were taken
/// for gangs in gangs.
#[test]
fn enumerators_that_double_and_loops_with_dimensions_in_brackets_compile() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let doubled: String = (1..60).map(|i| format!("E{i} = E{} / 2 + E{0} / 2, ", i - 1)).collect();
    let program = format!(
        "enum {{ E0 = 2, {doubled} }};\nvoid f(int n, float (*a)[100]) {{\n#pragma acc parallel copy(a[0:n])\n{{\n\
         #pragma acc loop gang[1] worker[1]\nfor (int i = 0; i < n; i++) {{\n#pragma acc loop gang[0] worker[0]\n\
         for (int j = 0; j < 100; j++) a[i][j] = 1;\n}}\n}}\n#pragma acc parallel loop collapse(E59)\n\
         for (int i = 0; i < n; i++)\nfor (int j = 0; j < 100; j++) a[i][j] += 1;\n}}\n"
    );
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let made = tools.cc(&["-acc", "-Minfo=accel", "-c", "p.c"], folder.path());
    let said = text(&made.stderr);
    assert!(made.status.success() && !said.contains("error"), "{said}");
    assert!(said.contains("collapse(2)"), "{said}");
}

/// A `break` ended one iteration, and the others ran.
#[test]
fn loops_that_a_jump_ends_are_the_hosts() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = "#include <stdio.h>\nint main(void) {\nint a[100] = { 0 }, n = 100;\n#pragma acc parallel loop copy(a)\n\
                   for (int i = 0; i < n; i++) { if (i == 7) break; a[i] = 1; }\n#pragma acc parallel copy(a)\n{\nint x = 2;\n\
                   #pragma acc loop\nfor (int i = 0; i < n; i++) { if (i == 9) break; a[i] += x; }\n}\n\
                   int s = 0;\nfor (int i = 0; i < n; i++) s += a[i];\nprintf(\"%d\\n\", s);\nreturn 0;\n}\n";
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let made = tools.cc(&["-acc", "-Minfo=accel", "p.c", "-o", "p"], folder.path());
    assert!(text(&made.stderr).contains("loop has multiple exits"), "{}", text(&made.stderr));
    assert_eq!(text(&run(&folder.path().join("p")).stdout), "25\n");
}

/// As `configure` and its like ask compilers: the program comes on standard input.
#[test]
fn programs_on_standard_input_compile() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = "#include \"n.h\"\nint main(void) {\n int a[N];\n#pragma acc parallel loop copyout(a)\n\
                   for (int i = 0; i < N; i++) a[i] = i;\n#pragma acc paralel loop\nreturn a[9] - 9; }\n";
    std::fs::write(folder.path().join("n.h"), "#define N 10\n").expect("a file");
    std::fs::write(folder.path().join("given"), program).expect("a file");
    let given = |words: &[&str]| {
        let input = std::fs::File::open(folder.path().join("given")).expect("the file");
        tools.cc_given(words, folder.path(), input)
    };
    for words in [&["-x", "c", "-", "-o", "p"][..], &["-acc", "-I.", "-x", "c", "-", "-o", "p"]] {
        let made = given(words);
        assert!(made.status.success(), "{words:?}: {}", text(&made.stderr));
        assert!(run(&folder.path().join("p")).status.success(), "{words:?}");
        if words[0] == "-acc" {
            let said = text(&made.stderr);
            assert!(said.contains("<stdin>:6") && said.contains("did you mean `parallel`"), "{said}");
        }
    }
    let macros = given(&["-acc", "-E", "-dM", "-"]);
    assert!(macros.status.success(), "{}", text(&macros.stderr));
    assert!(text(&macros.stdout).contains("#define _OPENACC 202506"), "{}", text(&macros.stdout));
    let assembly = given(&["-S", "-x", "c", "-", "-o", "p.s"]);
    assert!(assembly.status.success(), "{}", text(&assembly.stderr));
    assert!(folder.path().join("p.s").is_file());
}

/// `-MD` put the rules into the text that was compiled, and they named headers in a folder that is gone.
#[test]
fn dependencies_are_those_of_the_program() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    std::fs::write(at.join("own.h"), "enum { n = 10 };\n").expect("a file");
    let directives = [("acc parallel loop", "p.c"), ("acc region for", "q.c")];
    for (directive, name) in directives {
        let text = format!(
            "#include <openacc.h>\n#include \"own.h\"\nint f(void) {{\nint a[n], i;\n#pragma {directive}\n\
             for (i = 0; i < n; i++) a[i] = i;\nreturn a[3];\n}}\nint main(void) {{ return f() - 3; }}\n"
        );
        std::fs::write(at.join(name), text).expect("a file");
    }
    let cases: [(&[&str], &str, &str); 6] = [
        (&["-acc", "-MMD", "-c", "p.c"], "p.d", "p.o: p.c own.h"),
        (&["-acc", "-MMD", "-c", "q.c", "-o", "other.o"], "other.d", "other.o: q.c own.h"),
        (&["-acc", "-MD", "-MP", "-MF", "x.dep", "-c", "p.c"], "x.dep", "own.h:"),
        (&["-acc", "-MMD", "p.c", "-o", "prog"], "prog.d", "prog: p.c own.h"),
        (&["-MMD", "-MT", "all", "p.c", "-o", "prog"], "prog.d", "all: p.c own.h"),
        (&["-acc", "-MMD", "q.c"], "a-q.d", "q.o: q.c own.h"),
    ];
    let plain =
        |rules: &str| rules.replace("\\\n", " ").split(' ').filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ");
    for (words, file, wanted) in cases {
        let made = tools.cc(words, at);
        assert!(made.status.success(), "{words:?}: {}", text(&made.stderr));
        let rules = std::fs::read_to_string(at.join(file)).expect("the rules");
        assert!(plain(&rules).contains(wanted) && !rules.contains("unspool-cc"), "{words:?}: {rules}");
        std::fs::remove_file(at.join(file)).expect("it is there");
    }
    let made = tools.cc(&["-acc", "-MM", "p.c"], at);
    assert_eq!(plain(&text(&made.stdout)), "p.o: p.c own.h\n", "{}", text(&made.stderr));
}

/// Tip 9: objects of the directive compiler link with a main program in C++.
#[test]
fn objects_link_with_cxx() {
    let Some(tools) = tools() else { return };
    if Command::new("c++").arg("--version").output().is_err() {
        eprintln!("SKIPPED: no C++ compiler (`c++`)");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    std::fs::write(
        at.join("csub.c"),
        "int matit(void) {\n int s = 0, a[100];\n#pragma acc parallel loop copyout(a)\n for (int i = 0; i < 100; i++) a[i] = i;\n for (int i = 0; i < 100; i++) s += a[i];\n return s; }\n",
    )
    .expect("a file");
    std::fs::write(
        at.join("main.cpp"),
        "#include <iostream>\nextern \"C\" int matit();\nint main() { std::cout << \"return from matit ==\" << matit() << std::endl; }\n",
    )
    .expect("a file");
    assert!(Command::new("c++").args(["-c", "main.cpp"]).current_dir(at).status().is_ok_and(|s| s.success()));
    let made = tools.cc(&["-fast", "-acc", "-c", "csub.c"], at);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let made = tools.cc(&["-pgcpplibs", "-acc", "main.o", "csub.o", "-o", "p"], at);
    assert!(made.status.success(), "{}", text(&made.stderr));
    assert_eq!(text(&run(&at.join("p")).stdout), "return from matit ==4950\n");
}

/// The host's compiler did not know the name.
#[test]
fn what_is_provable_is_asked_in_regions_and_on_the_host() {
    let program = r#"#include <stdio.h>
static int half(int n) { return __builtin_provable(n % 2 == 0) ? 1 : 2; }
int main(void) {
    int a[8], n = 8;
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < n; i++) a[i] = __builtin_provable((2 * i) % 2 == 0) + 2 * __builtin_provable(i % 2 == 0);
    fprintf(stderr, "%d %d %d %d\n", a[0], a[7], half(4), half(a[7]));
    return 0;
}
"#;
    for device in ["host", "multicore"] {
        let Some((_, said)) = says(&["-acc", "-O2"], &[("ACC_DEVICE_TYPE", device)], program) else { return };
        assert_eq!(said, "1 1 1 2\n", "{device}");
    }
}

/// 4096 work-items shared any number of iterations: the few that had one stood side by side, and one thread had them all.
#[test]
fn reductions_have_as_many_work_items_as_there_are_iterations() {
    let program = "static double a[9000][40];\nint main(void) { double s = 0; int list[] = { 0, 100, 7100 };\n\
                   for (int j = 0; j < 3; j++) { int n = list[j];\n#pragma acc parallel loop reduction(+:s)\n\
                   for (int i = 0; i < n; i++) { double t = 0; for (int k = 0; k < 40; k++) t += a[i][k] + 1; s += t; } }\nreturn s != 288000; }\n";
    let Some((_, said)) = says(&["-acc"], &[("PGI_ACC_NOTIFY", "1")], program) else { return };
    let grids: Vec<&str> = said.lines().filter_map(|l| l.split("grid=").nth(1)?.split(' ').next()).collect();
    assert_eq!(grids, ["128", "1", "128", "1", "4096", "1"], "{said}");
}

/// They were compiled as if they were `double`, then left to the host.
#[test]
fn complex_numbers_are_computed_with_in_regions() {
    let program = "#include <complex.h>\nint main(void) {\ndouble _Complex z = 1, a[10];\nfor (int i = 0; i < 10; i++) a[i] = i * I;\n\
                   #pragma acc parallel loop reduction(+:z)\nfor (int i = 0; i < 10; i++) z += a[i];\nreturn !(cimag(z) == 45 && creal(z) == 1); }\n";
    let Some((said, _)) = says(&["-acc=discrete", "-Minfo=accel"], &[], program) else { return };
    assert!(said.contains("Loop is parallelizable") && !said.contains("restriction"), "{said}");
}

/// What GPU compilers leave out, as gcc has it in host code.
#[test]
fn products_have_the_infinities_of_annex_g_where_an_option_asks() {
    let program = "#include <complex.h>\n#include <math.h>\nint main(void) { double x[2] = {INFINITY, 1}; int r[1];\n\
                   #pragma acc parallel loop copyin(x) copyout(r)\nfor (int i = 0; i < 1; i++) {\n\
                   double _Complex z = CMPLX(x[0], x[0]) * CMPLX(x[1], x[1]); r[i] = isinf(creal(z)) || isinf(cimag(z)); }\n\
                   double _Complex h = CMPLX(x[0], x[0]) * CMPLX(0, x[1]), q = CMPLX(x[1], 0) / CMPLX(x[0], x[1]);\n\
                   return !r[0] + 2 * !(isinf(creal(h)) && q == 0); }\n";
    let Some(_) = says(&["-acc", "-fno-cx-limited-range"], &[], program) else { return };
}

/// A kernel calls what its routine is bound to; the host does not.
#[test]
fn bound_routines_are_called_in_kernels() {
    let program = "#include <openacc.h>\nint host(int x);\n#pragma acc routine(host) seq bind(device)\nint device(int x) { return -x; }\n\
                   int host(int x) { return x; }\nint main(void) { int r[4];\n#pragma acc parallel loop copyout(r)\n\
                   for (int i = 0; i < 4; i++) r[i] = host(i);\nreturn r[3] != -3 || host(3) != 3; }\n";
    let _ = says(&["-acc=multicore"], &[], program);
}

/// `create(a) copyout(a[0:N])` brought nothing back: each counted the array, and `create` let it go.
#[test]
fn clauses_that_name_one_array_in_two_ways_are_one() {
    let program = "enum { N = 9 };\nint main(void) { int a[N], b[N][N], i, j = 0;\n#pragma acc data create(a) copyout(a[0:N]) \
                   copyin(b[:][0:N]) create(b)\n{\n#pragma acc parallel loop\nfor (i = 0; i < N; i++) a[i] = i;\n}\n\
                   for (i = 0; i < N; i++) j += a[i];\nreturn j != 36; }\n";
    let _ = says(&["-acc=discrete"], &[], program);
}

/// The end of the outer of two constructs on one statement came first, with the data of the inner one.
#[test]
fn constructs_on_one_statement_end_in_their_order() {
    let program = "int main(void) { int n = 100, x[100], y[100], sum = 0;\nfor (int i = 0; i < n; i++) x[i] = i;\n\
                   #pragma acc data copyin(x[0:n]) copyout(y)\n#pragma acc parallel loop reduction(+:sum)\n\
                   for (int i = 0; i < n; i++) { y[i] = x[i]; sum += x[i]; }\nreturn sum != 4950 || y[99] != 99; }\n";
    let _ = says(&["-acc=discrete"], &[], program);
}

#[test]
fn loops_around_parallel_ones_are_counted_by_the_host() {
    let program = "#include <stdio.h>\nint main(void) {\n    static double a[300], b[300];\n    int t, n = 300;\n\
                   for (int i = 0; i < n; i++) a[i] = i % 7;\n#pragma acc parallel copy(a, b)\n    {\n\
                   for (t = 0; t < 5; t++) {\n#pragma acc loop\n    for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1] + t;\n\
                   #pragma acc loop\n    for (int i = 1; i < n - 1; i++) a[i] = b[i] / 2;\n    }\n    }\n\
                   double s = 0;\n    for (int i = 0; i < n; i++) s += a[i] * i;\n    printf(\"%.10g\\n\", s);\n    return 0;\n}\n";
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    assert!(tools.cc(&["-w", "p.c", "-o", "s"], folder.path()).status.success());
    let made = tools.cc(&["-acc", "-Minfo", "p.c", "-o", "p"], folder.path());
    assert!(text(&made.stderr).contains("8, Sequential loop scheduled on host"), "{}", text(&made.stderr));
    let expected = text(&run(&folder.path().join("s")).stdout);
    for device in ["multicore", "discrete"] {
        let mut p = Command::new(folder.path().join("p"));
        let found = p.envs([("ACC_DEVICE_TYPE", device), ("ACC_NUM_CORES", "2")]).output().expect("it starts");
        assert_eq!(text(&found.stdout), expected, "{device}");
    }
}

#[test]
fn programs_with_openmp_start_though_its_library_has_a_function_for_tools_too() {
    let program = "#include <omp.h>\n#include <stdio.h>\nint main(void) {\n    int a[9];\n#pragma acc parallel loop copyout(a)\n\
                   for (int i = 0; i < 9; i++) a[i] = i;\n    printf(\"%d %d\\n\", a[8], omp_get_wtime() > 0);\n    return 0;\n}\n";
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let made = tools.cc(&["-acc", "-fopenmp", "p.c", "-o", "p"], folder.path());
    assert!(made.status.success(), "{}", text(&made.stderr));
    let ran = run(&folder.path().join("p"));
    assert_eq!(text(&ran.stdout), "8 1\n", "{}", text(&ran.stderr));
}

/// The host runs the region, since a function that it calls uses a variable at file scope; the device's copy counts.
#[test]
fn functions_that_the_host_runs_see_the_devices_copies_of_variables_at_file_scope() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let source = "#include <stdio.h>\nint k = 1;\n#pragma acc declare create(k)\n#pragma acc routine seq\nstatic int g(int x) { k += 1; return x * k; }\n\
                  #pragma acc routine seq\nint f(int x) { return g(x); }\nint main(void) {\nint a[3] = {1, 2, 3};\nk = 5;\n#pragma acc update device(k)\nk = 0;\n\
                  #pragma acc serial loop copy(a)\nfor (int i = 0; i < 3; i++) a[i] = f(a[i]);\nint host = k;\n#pragma acc update self(k)\n\
                  printf(\"%d %d %d %d\\n\", a[0], a[1], a[2], k);\nreturn host < 0; }\n";
    std::fs::write(folder.path().join("p.c"), source).expect("a file");
    let made = tools.cc(&["-acc=discrete", "-w", "p.c", "-o", "p"], folder.path());
    assert!(made.status.success(), "{}", text(&made.stderr));
    let ran = run(&folder.path().join("p"));
    assert_eq!(text(&ran.stdout), "6 14 24 8\n", "{}", text(&ran.stderr));
}

/// `-fast` lets kernels fuse products with sums and sum in another order; without it sums of inner loops are the serial program's.
#[test]
fn fast_kernels_sum_in_any_order_and_others_in_the_programs() {
    let program = "#include <stdio.h>\n#include <math.h>\nstatic float a[8][1000], s[8];\nint main(void) {\n\
                   for (int i = 0; i < 8; i++) for (int k = 0; k < 1000; k++) a[i][k] = 1.0f / (1 + (i * 37 + k * 11) % 97);\n\
                   #pragma acc parallel loop copyin(a) copyout(s)\nfor (int i = 0; i < 8; i++) {\nfloat t = 0;\n\
                   for (int k = 0; k < 1000; k++) t += a[i][k] * a[i][k];\ns[i] = t; }\nint same = 1; float worst = 0;\n\
                   for (int i = 0; i < 8; i++) {\nfloat t = 0;\nfor (int k = 0; k < 1000; k++) t += a[i][k] * a[i][k];\n\
                   same &= t == s[i]; worst = fmaxf(worst, fabsf(t - s[i]) / t); }\nprintf(\"%d %d\\n\", same, worst < 1e-5f);\n\
                   return 0; }\n";
    let printed = |options: &[&str]| says_out(options, program);
    let Some(exact) = printed(&["-acc", "-O2", "-ffp-contract=off"]) else { return };
    assert_eq!(exact, "1 1\n");
    let fast = printed(&["-acc", "-fast", "-ffp-contract=off"]).expect("as before");
    assert!(fast.ends_with(" 1\n"), "{fast}");
}

/// Rows of a sparse matrix were work-items of a group, one after another, whose sums each waited for the one before.
#[test]
fn rows_that_begin_anywhere_are_for_the_loops_inside() {
    let program = "#include <stdio.h>\nenum { N = 300 };\nint main(void) {\nstatic int row[N + 1], col[N * 20];\nstatic double a[N * 20], x[N], q[N], r[N];\n\
                   for (int i = 0; i < N; i++) { x[i] = i % 7; row[i + 1] = row[i] + i % 20; }\n\
                   for (int k = 0; k < row[N]; k++) { col[k] = k * 37 % N; a[k] = k % 5 - 2; }\n\
                   #pragma acc parallel loop gang\nfor (int i = 0; i < N; i++) {\nint b = row[i], e = row[i + 1];\ndouble s = 0;\n\
                   #pragma acc loop vector reduction(+:s)\nfor (int k = b; k < e; k++) s += a[k] * x[col[k]];\nq[i] = s; }\n\
                   int bad = 0;\nfor (int i = 0; i < N; i++) { double s = 0;\n\
                   for (int k = row[i]; k < row[i + 1]; k++) s += a[k] * x[col[k]];\nbad += s != q[i]; }\n\
                   printf(\"%d\\n\", bad);\nreturn 0; }\n";
    let Some((said, printed)) = prints(&["-acc", "-O2", "-Minfo=accel"], program) else { return };
    assert_eq!(printed, "0\n");
    assert!(said.contains("#pragma acc loop gang\n"), "{said}");
}

/// Regions with them were left to the host. Where a kernel would need the same type twice, and where attributes decide how one lies
/// in memory, they still are.
#[test]
fn structures_without_a_name_are_data_of_kernels() {
    let program = "#include <stdio.h>\nstruct inner { double z[2]; };\n\
                   static struct { float x; struct inner in; int k[3]; } pts[100], one;\nstatic union { int i; float f; } u[50];\n\
                   int main(void) {\nstruct { int *p; int a; } loc[10];\n\
                   static struct { char c; int i; } __attribute__((packed)) pk[10];\n\
                   for (int i = 0; i < 10; i++) loc[i].a = i;\none.x = 3;\n#pragma acc parallel loop\n\
                   for (int i = 0; i < 100; i++) { pts[i].x = i + one.x; pts[i].in.z[1] = i * 2; pts[i].k[2] = i; }\n\
                   #pragma acc parallel loop copy(u)\nfor (int i = 0; i < 50; i++) u[i].f = i;\n\
                   #pragma acc kernels\nfor (int i = 0; i < 10; i++) loc[i].a += i;\n\
                   #pragma acc parallel loop\nfor (int i = 0; i < 10; i++) pk[i].i = i * 100000;\n\
                   printf(\"%g %g %d %d %g %d\\n\", pts[99].x, pts[99].in.z[1], pts[99].k[2], loc[9].a, u[49].f, pk[9].i);\n\
                   return 0; }\n";
    let Some((said, printed)) = prints(&["-acc=discrete"], program) else { return };
    assert_eq!(printed, "102 198 99 18 49 900000\n");
    assert_eq!(said.matches("W0812").count(), 1, "{said}");
    assert!(said.contains("the type of `pk` is not supported in regions"), "{said}");
}

/// A variable that loops with a directive count with is each loop's own, and the rest of the region reads what it was before: with memory
/// apart the program ended, since nobody brought it. What `no_create` names and nobody has brought keeps its address.
#[test]
fn counters_of_directed_loops_keep_their_value_in_the_region() {
    for device in ["-acc=multicore", "-acc=discrete"] {
        let Some((_, found)) = prints(&[device, "-w"], COUNTERS) else { return };
        assert_eq!(found, "1 234 235 224 234 4950 2432902008176640000 333\n", "{device}");
    }
}

const COUNTERS: &str = r#"
#include <stdio.h>
static int g;
int main(void) {
    int a = 0, b[100] = {0}, c = 234, d = 0, x[100];
    unsigned long long f = 0;
    for (int i = 0; i < 100; i++) x[i] = i;
    #pragma acc kernels copy(a, d, f)
    {
        #pragma acc loop independent gang
        for (int i = 0; i < 100; i++) b[i] = c;
        a = c;
        {
            #pragma acc loop
            for (c = 0; c < 50; c++) b[c] -= 10;
            #pragma acc loop
            for (c = 0; c <= 99; c++) g += c;
            f = 1;
            #pragma acc loop seq
            for (c = 20; c > 0; --c) f *= c;
            if (c == 234) d = 1;
        }
        #pragma acc loop independent
        for (c = 0; c < 100; c++) x[c] += b[c];
        d += c;
    }
    int *where[1] = {&a};
    #pragma acc parallel no_create(c) copyout(where)
    where[0] = &c;
    printf("%d ", where[0] == &c);
    printf("%d %d %d %d %d %llu %d\n", a, d, b[49], b[50], g, f, x[99]);
    return 0;
}
"#;

/// Numbers of different types share no memory unless the program's option says that they may.
#[test]
fn types_in_memory_are_believed_unless_an_option_says_otherwise() {
    let program = "int main(void) { enum { n = 100 }; static float a[n]; static int b[n];\nfloat *p = a; int *q = b;\n\
                   #pragma acc kernels copy(p[0:n]) copyin(q[0:n])\nfor (int i = 0; i < n; i++) p[i] = q[i] + q[n - 1 - i];\nreturn a[3] != 0; }\n";
    let Some((typed, _)) = says(&["-acc", "-Minfo=accel"], &[], program) else { return };
    assert!(typed.contains("Loop is parallelizable") && !typed.contains("overlap"), "{typed}");
    let (asked, _) = says(&["-acc", "-Minfo=accel", "-fno-strict-aliasing"], &[], program).expect("as before");
    assert!(asked.contains("parallelized where p and q do not overlap: asked at run time"), "{asked}");
}

/// Loops that wait for another thread call what the run-time library must have.
#[test]
fn iterations_that_wait_for_others_link_and_end() {
    let program = "#include <stdio.h>\nint main(void) {\nint lock = 0, sum = 0, turn = 0, order = 0;\n\
                   #pragma acc parallel loop gang num_gangs(8) copy(lock, sum)\nfor (int i = 0; i < 100; i++) {\nint held = 1;\n\
                   while (held) {\n#pragma acc atomic capture\n{ held = lock; lock = 1; }\n}\nsum += i;\n\
                   #pragma acc atomic write\nlock = 0; }\n\
                   #pragma acc parallel loop copy(turn, order)\nfor (int i = 0; i < 100; i++) {\nint t;\n\
                   do {\n#pragma acc atomic read\nt = turn;\n} while (t != i);\norder = (order * 3 + i) & 0xffff;\n\
                   #pragma acc atomic write\nturn = i + 1; }\nprintf(\"%d %d\\n\", sum, order);\nreturn 0; }\n";
    for device in ["-acc", "-acc=discrete"] {
        let Some(printed) = says_out(&[device, "-w"], program) else { return };
        assert_eq!(printed, "4950 1218\n", "{device}");
    }
}

/// Bit-fields of packed structures lay where those of others do, and their whole units were stored, beyond the structure's end.
#[test]
fn packed_bit_fields_lie_where_the_host_has_them() {
    let program = "#include <stdio.h>\n#pragma pack(push, 1)\nstruct a { unsigned f : 31; int g : 27; char c; };\n\
                   struct b { char c; long f : 60; short s : 9; };\nstruct e { int f : 3; };\n#pragma pack(pop)\n\
                   struct __attribute__((packed)) d { char c; int : 0; int f : 30; unsigned g : 5; };\n\
                   struct h { char c; int f : 30 __attribute__((packed)); int g : 7, k : 9 __attribute__((aligned(4))); };\n\
                   static struct a a[9]; static struct b b[9]; static struct d d[9]; static struct e e[9]; static struct h h[9];\n\
                   static int local(int n) {\nint bad = 0;\n#pragma pack(1)\nstruct in { char c; int i; } x[4];\n#pragma pack()\n\
                   #pragma acc parallel loop copyout(x)\nfor (int i = 0; i < 4; i++) { x[i].i = n + i; x[i].c = i; }\n\
                   for (int i = 0; i < 4; i++) bad += x[i].i != n + i || x[i].c != i;\nreturn bad + (sizeof *x != 5); }\n\
                   int main(void) {\n#pragma acc parallel loop\nfor (int i = 0; i < 9; i++) {\n\
                   a[i].f = 0x7ffffff0 + i; a[i].g = -i; a[i].c = i; b[i].f = -(1l << 50) + i; b[i].s -= i * 3; b[i].c = b[i].f;\n\
                   d[i].f = -i * 1000; d[i].g += i * 5; e[i].f = i; h[i].f = i << 20; h[i].g = -i; h[i].k ^= i; }\n\
                   int bad = 0;\nfor (int i = 0; i < 9; i++) {\n\
                   bad += a[i].f != 0x7ffffff0 + i || a[i].g != -i || a[i].c != i || b[i].f != -(1l << 50) + i || b[i].s != -i * 3;\n\
                   bad += b[i].c != i || d[i].f != -i * 1000 || d[i].g != (i * 5 & 31) || e[i].f != ((i & 7) ^ 4) - 4;\n\
                   bad += h[i].f != i << 20 || h[i].g != -i || h[i].k != i; }\nprintf(\"%d\\n\", bad + local(7));\nreturn 0; }\n";
    for device in ["-acc", "-acc=discrete"] {
        let Some(printed) = says_out(&[device, "-w"], program) else { return };
        assert_eq!(printed, "0\n", "{device}");
    }
}

/// `copy`, `copyout` and `update self` of constants wrote into memory that cannot be written.
#[test]
fn constants_are_not_brought_back() {
    let program = "#include <stdio.h>\nstatic const int t[4] = { 1, 2, 3, 4 };\nstatic const struct s { int a, b[3]; } u = { 1, { 2, 3, 4 } };\n\
                   static const double x = 5;\nint main(void) { int s = 0;\n#pragma acc data copy(t, u.b) copyout(x)\n{\n\
                   #pragma acc parallel loop reduction(+:s)\nfor (int i = 0; i < 4; i++) s += t[i] + (int)x;\n\
                   #pragma acc update self(t[1:2])\n#pragma acc update host(u.b[0:2]) device(t) async(1)\n#pragma acc wait\n}\n\
                   int at[2] = { 0 }; const struct { int n, *at; } far = { 2, at };\n\
                   #pragma acc parallel loop copyin(far) copy(far.at[0:2])\nfor (int i = 0; i < 2; i++) far.at[i] = i + 1;\n\
                   s += at[0] * 1000 + at[1] * 2000;\n\
                   const int l[3] = { s, s, s };\n#pragma acc enter data copyin(l)\n#pragma acc parallel loop copy(l, s)\n\
                   for (int i = 0; i < 3; i++) {\n#pragma acc atomic\ns += l[i] - u.b[i]; }\n#pragma acc exit data copyout(l)\n\
                   printf(\"%d\\n\", s);\nreturn 0; }\n";
    for device in ["-acc", "-acc=discrete"] {
        let Some((told, printed)) = prints(&[device], program) else { return };
        assert_eq!((printed.as_str(), told.matches("warning[W0823]: ").count()), ("20111\n", 4), "{device}: {told}");
    }
}
