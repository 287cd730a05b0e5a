//! `unspool cc`: every program under `tests/directives` prints with directives, on each device, what it prints without; its
//! `-Minfo` is the committed one. Skipped, visibly, without a C compiler, `unspool-host` or the run-time library.

#![expect(clippy::print_stderr, reason = "says what was skipped")]

mod tools;

use std::path::Path;
use std::process::{Command, Output};
use tools::{programs, text, tools};

/// Runs a program with few threads, as others test beside it.
fn run(program: &Path) -> Output {
    Command::new(program).env("ACC_NUM_CORES", "2").output().expect("the program starts")
}

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
    atomics
    clauses
    constants
    data_regions
    deep_copy
    implied
    independent
    local_types
    overlap
    parallel_loops
    pointers
    queues
    refuted
    restricted
    strides
    tip01_pointers
    tip02_private
    tip03_while
    tip04_triangle
    tip05_linear
    tip06_live_out
    tip07_calls
    tip11_contiguous
    verdicts
}

/// Compiles a text for the device with memory apart and runs it: what it says, and whether it succeeded.
fn fails(program: &str) -> Option<String> {
    fails_with(&["-acc=discrete"], program)
}

/// The same with other options.
fn fails_with(options: &[&str], program: &str) -> Option<String> {
    let tools = tools()?;
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let words: Vec<&str> = options.iter().copied().chain(["p.c", "-o", "p"]).collect();
    let made = tools.cc(&words, folder.path());
    if !made.status.success() {
        return Some(text(&made.stderr));
    }
    let ran = run(&folder.path().join("p"));
    assert!(!ran.status.success(), "it succeeded: {}", text(&ran.stdout));
    Some(text(&ran.stderr))
}

#[test]
fn data_that_is_not_present_is_named() {
    let Some(said) = fails(
        "#include <stdlib.h>\nvoid f(int n, float *a) {\n#pragma acc parallel loop present(a[0:n])\nfor (int i = 0; i < n; i++) a[i] = 1;\n}\nint main(void) { f(10, malloc(40)); return 0; }\n",
    ) else {
        return;
    };
    assert!(said.contains("not found on the device: name=a[0:n]") && said.contains("size:40"), "{said}");
    assert!(said.contains("file:p.c f line:3"), "{said}");
}

/// The second program of tip 8: more is asked for than was entered before.
#[test]
fn partly_present_data_is_named_with_both_extents() {
    let Some(said) = fails(
        "float a[100];\nint main(void) {\n#pragma acc data copyin(a[0:50])\n{\n#pragma acc parallel loop copy(a[10:60])\nfor (int i = 10; i < 70; i++) a[i] = 1;\n}\nreturn 0; }\n",
    ) else {
        return;
    };
    assert!(said.contains("partially present on the device: name=a[10:60]") && said.contains("size:240"), "{said}");
    assert!(said.contains("overlaps name=a[0:50]") && said.contains("size:200 entered at p.c:3 (main)"), "{said}");
}

#[test]
fn wrong_directives_are_errors_with_their_place() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy(programs().join("error_clauses.c"), folder.path().join("p.c")).expect("the program is there");
    let made = tools.cc(&["-acc", "-c", "p.c"], folder.path());
    assert_eq!(made.status.code(), Some(1));
    insta::assert_snapshot!(text(&made.stderr));
}

/// All of these were taken without a word.
#[test]
fn directives_that_break_rules_are_errors_with_their_place() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy(programs().join("error_rules.c"), folder.path().join("p.c")).expect("the program is there");
    let made = tools.cc(&["-acc", "-c", "p.c"], folder.path());
    assert_eq!(made.status.code(), Some(1));
    insta::assert_snapshot!(text(&made.stderr));
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

/// The first program of tip 8: `-Mbounds` names array, index and line, whatever runs the region.
#[test]
fn accesses_out_of_bounds_are_named_on_every_device() {
    let program = "float A[8][100], B[8][100];\nint main(void) {\n#pragma acc region copyin(B[0:7][0:99])\n{\n\
                   for (int i = 0; i < 8; ++i)\nfor (int j = 0; j < 100; ++j)\nA[i][j] = B[i][j+1];\n}\nreturn 0; }\n";
    for device in ["-ta=host", "-ta=multicore", "-ta=discrete"] {
        let Some(said) = fails_with(&[device, "-Mbounds"], program) else { return };
        assert!(said.contains("subscript 2 of array B is out of bounds: index 100 (B[i][j+1]) in p.c:7"), "{said}");
        assert!(said.contains("bounds [0:99]") && said.contains("file:p.c main line:3"), "{said}");
    }
}

/// Of pointers the section of a data clause is the bound, of this construct or of one around.
#[test]
fn sections_of_pointers_are_bounds() {
    let program = "#include <stdlib.h>\nint main(void) { int n = 50; int *a = malloc(400);\n#pragma acc data copy(a[10:n])\n{\n\
                   #pragma acc parallel loop\nfor (int i = 10; i <= 10 + n; i++) a[i] = i;\n}\nreturn 0; }\n";
    let Some(said) = fails_with(&["-acc=multicore", "-Mbounds"], program) else { return };
    assert!(said.contains("index 60 (a[i]) in p.c:6, bounds [10:59]"), "{said}");
    // What the region's loop touches is more than is there.
    let Some(said) = fails_with(&["-acc=discrete", "-Mbounds"], program) else { return };
    assert!(said.contains("partially present") && said.contains("overlaps name=a[10:n]"), "{said}");
}

/// Compiles and runs a program: what it and the compiler say on standard error.
fn says(options: &[&str], environment: &[(&str, &str)], program: &str) -> Option<(String, String)> {
    let tools = tools()?;
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let words: Vec<&str> = options.iter().copied().chain(["p.c", "-o", "p"]).collect();
    let made = tools.cc(&words, folder.path());
    assert!(made.status.success(), "{}", text(&made.stderr));
    let mut ran = Command::new(folder.path().join("p"));
    let ran = ran.env("ACC_NUM_CORES", "2").envs(environment.iter().copied()).output().expect("the program starts");
    assert!(ran.status.success(), "{}", text(&ran.stderr));
    Some((text(&made.stderr), text(&ran.stderr)))
}

const TIP10: &str = "float a[100], b[100];\nvoid testgpu1(int n) {\n#pragma acc region copyin(a[0:99]) copy(b[0:99])\n{\n\
                     for (int i = 1; i < n; ++i)\nb[i] += a[i];\n}\n}\nint main(void) { for (int k = 0; k < 10; k++) testgpu1(100); \
                     return 0; }\n";

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

/// Tip 10: the table of `-ta=…,time`, in the layout of the document, and today's by the environment.
#[test]
fn the_timing_table_counts_regions_kernels_and_transfers() {
    let Some((_, said)) = says(&["-ta=discrete,time"], &[], TIP10) else { return };
    assert!(
        said.contains("Accelerator Kernel Timing data\np.c\n  testgpu1\n    3: region entered 10 times\n"),
        "{said}"
    );
    assert!(said.contains("5: kernel launched 10 times\n            grid: [2]  block: [64]"), "{said}");
    let (_, said) = says(&["-ta=discrete"], &[("NVCOMPILER_ACC_TIME", "1")], TIP10).expect("tools are there");
    assert!(said.contains("  testgpu1  discrete  devicenum=0"), "{said}");
    assert!(
        said.contains("3: compute region reached 10 times") && said.contains("5: kernel launched 10 times"),
        "{said}"
    );
    assert!(said.contains("data copyin transfers: 20") && said.contains("data copyout transfers: 10"), "{said}");
    let (_, said) = says(&["-ta=discrete"], &[], TIP10).expect("tools are there");
    assert_eq!(said, "");
}

/// Tips 11 and 12: rows of pointer arrays go one by one, arrays at once, and inside of a data region nothing moves.
#[test]
fn transfers_are_told_one_by_one() {
    let program = "#include <stdlib.h>\nfloat c[8][16];\nint main(void) { float **r = malloc(64);\nfor (int i = 0; i < 8; i++) r[i] = calloc(16, 4);\n\
                   #pragma acc parallel loop copyin(r[0:8][0:16]) copyout(c)\nfor (int i = 0; i < 8; i++)\nfor (int j = 0; j < 16; j++) c[i][j] = r[i][j];\n\
                   #pragma acc data copy(c)\nfor (int k = 0; k < 3; k++) {\n#pragma acc parallel loop\nfor (int i = 0; i < 8; i++) c[i][0] += 1;\n}\nreturn 0; }\n";
    let Some((_, said)) = says(&["-acc=discrete"], &[("PGI_ACC_NOTIFY", "3")], program) else { return };
    let count = |what: &str| said.lines().filter(|l| l.contains(what)).count();
    assert_eq!(
        count("upload data  file=p.c function=main line=5 device=0 threadid=1 variable=r[0:8][0:16] bytes=64"),
        9,
        "{said}"
    );
    assert_eq!((count("download data"), count("line=8 device")), (2, 2), "{said}");
    assert_eq!((count("line=10 "), count("launch kernel")), (0, 4), "{said}");
}

/// 4096 work-items shared any number of iterations: the few that had one stood side by side, and one thread had them all.
#[test]
fn reductions_have_as_many_work_items_as_there_are_iterations() {
    let program = "static double a[9000][40];\nint main(void) { double s = 0; int list[] = { 0, 100, 7100 };\n\
                   for (int j = 0; j < 3; j++) { int n = list[j];\n#pragma acc parallel loop reduction(+:s)\n\
                   for (int i = 0; i < n; i++) for (int k = 0; k < 40; k++) s += a[i][k] + 1; }\nreturn s != 288000; }\n";
    let Some((_, said)) = says(&["-acc"], &[("PGI_ACC_NOTIFY", "1")], program) else { return };
    let grids: Vec<&str> = said.lines().filter_map(|l| l.split("grid=").nth(1)?.split(' ').next()).collect();
    assert_eq!(grids, ["128", "1", "128", "1", "4096", "1"], "{said}");
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

/// A tool sees launches and transfers with their names.
#[test]
fn tools_get_events() {
    let program = "#include <acc_prof.h>\n#include <stdio.h>\nstatic void tell(acc_prof_info *p, acc_event_info *e, acc_api_info *a) {\n\
                   if (e->event_type == acc_ev_enqueue_upload_start) fprintf(stderr, \"up %s %d\\n\", e->data_event.var_name, (int)e->data_event.bytes);\n\
                   else fprintf(stderr, \"%d line %d construct %d\\n\", (int)p->event_type, p->line_no, (int)e->other_event.parent_construct);\n}\n\
                   int x[10];\nint main(void) {\nacc_prof_register(acc_ev_enqueue_upload_start, tell, acc_reg);\n\
                   acc_prof_register(acc_ev_compute_construct_start, tell, acc_reg);\nacc_prof_register(acc_ev_enqueue_launch_end, tell, acc_reg);\n\
                   #pragma acc parallel loop copy(x)\nfor (int i = 0; i < 10; i++) x[i] = i;\n\
                   acc_prof_unregister(acc_ev_enqueue_upload_start, tell, acc_reg);\n#pragma acc update device(x) if_present\nreturn 0; }\n";
    let Some((_, said)) = says(&["-acc=discrete"], &[], program) else { return };
    assert_eq!(said, "16 line 12 construct 0\nup x 40\n19 line 12 construct 0\n");
}

/// Queues overlap: each of two kernels waits for what the other writes.
#[test]
fn queues_overlap() {
    let turn = "for (long k = 0; k < 4000000000 && !f[";
    let program = format!(
        "volatile int f[4];\nint main(void) {{\n#pragma acc serial async(1)\n{{ f[0] = 1; {turn}1]; k++); f[2] = f[1]; }}\n\
         #pragma acc serial async(2)\n{{ f[1] = 1; {turn}0]; k++); f[3] = f[0]; }}\n#pragma acc wait\nreturn !(f[2] && f[3]); }}\n"
    );
    let _ = says(&["-acc=multicore"], &[], &program);
}

/// It was compiled as if it were `double`.
#[test]
fn complex_numbers_stay_on_the_host() {
    let program = "#include <complex.h>\nint main(void) {\ndouble _Complex z = 1, a[10];\nfor (int i = 0; i < 10; i++) a[i] = i * I;\n\
                   #pragma acc parallel loop reduction(+:z)\nfor (int i = 0; i < 10; i++) z += a[i];\nreturn !(cimag(z) == 45 && creal(z) == 1); }\n";
    let Some((said, _)) = says(&["-acc=discrete", "-Minfo=accel"], &[], program) else { return };
    assert!(said.contains("is `_Complex`, which is not supported in regions"), "{said}");
}

/// A kernel calls what its routine is bound to; the host does not.
#[test]
fn bound_routines_are_called_in_kernels() {
    let program = "#include <openacc.h>\nint host(int x);\n#pragma acc routine(host) seq bind(device)\nint device(int x) { return -x; }\n\
                   int host(int x) { return x; }\nint main(void) { int r[4];\n#pragma acc parallel loop copyout(r)\n\
                   for (int i = 0; i < 4; i++) r[i] = host(i);\nreturn r[3] != -3 || host(3) != 3; }\n";
    let _ = says(&["-acc=multicore"], &[], program);
}

/// The end of the outer of two constructs on one statement came first, with the data of the inner one.
#[test]
fn constructs_on_one_statement_end_in_their_order() {
    let program = "int main(void) { int n = 100, x[100], y[100], sum = 0;\nfor (int i = 0; i < n; i++) x[i] = i;\n\
                   #pragma acc data copyin(x[0:n]) copyout(y)\n#pragma acc parallel loop reduction(+:sum)\n\
                   for (int i = 0; i < n; i++) { y[i] = x[i]; sum += x[i]; }\nreturn sum != 4950 || y[99] != 99; }\n";
    let _ = says(&["-acc=discrete"], &[], program);
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

#[test]
fn directives_are_explained() {
    let program = "void f(int n, float *restrict x, float *restrict y) {\n#pragma acc kernels copy(y[0:n]) async(1) num_gangs(4)\n\
                   for (int i = 1; i < n; i++) y[i] = y[i - 1] + x[i];\n#pragma acc parallel loop firstprivate(x) vector_length(32)\n\
                   for (int i = 0; i < n; i++) y[i] = (long double)x[i];\n}\n";
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let explain = |words: &[&str]| {
        let mut c = Command::new(&tools.unspool);
        let out = c.arg("explain").args(words).arg("p.c").current_dir(folder.path()).output().expect("it starts");
        assert!(out.status.success(), "{}", text(&out.stderr));
        text(&out.stdout)
    };
    let said = explain(&[]);
    insta::assert_snapshot!(said);
    let json: serde_json::Value = serde_json::from_str(&explain(&["--format", "json"])).expect("it is JSON");
    let second = &json[0]["directives"][1];
    assert_eq!((second["line"].as_u64(), second["fate"].as_str()), (Some(4), Some("refused")), "{json}");
    let page = explain(&["--html", "-"]);
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("refused: the host runs the region"), "{page}");
}

#[test]
fn default_none_names_what_no_clause_names() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let source = "int a[9], b[9];\nvoid f(int n, int t) {\nint s = 0, own;\n#pragma acc parallel loop default(none) copy(a) private(own) reduction(+:s)\nfor (int i = 0; i < n; i++) { own = t; a[i] += b[i] + own; s += a[i]; }\n}\n";
    std::fs::write(folder.path().join("p.c"), source).expect("a file");
    let made = tools.cc(&["-acc", "-c", "p.c"], folder.path());
    let said = text(&made.stderr);
    assert!(made.status.success(), "{said}");
    assert!(said.contains("no clause names `n`, `t`, `b`") && said.contains("p.c:4:1"), "{said}");
}

/// Two threads and the program: each has its own device and its own queue, also what its queues do.
const THREADS: &str = r#"
#include <openacc.h>
#include <pthread.h>
#include <stdio.h>
#if _OPENACC != 202506
#error version
#endif
enum { n = 1000 };
static pthread_barrier_t all;
struct job { int device, queue, sum, found_device, found_queue; };
static void *work(void *p) {
    struct job *j = p;
    int a[n];
    acc_set_device_type(j->device);
    acc_set_default_async(j->queue);
    pthread_barrier_wait(&all);
    for (int i = 0; i < n; i++) a[i] = i;
    #pragma acc enter data copyin(a) async
    #pragma acc parallel loop present(a) async
    for (int i = 0; i < n; i++) a[i] += 1;
    #pragma acc exit data copyout(a) async
    #pragma acc wait
    for (int i = 0; i < n; i++) j->sum += a[i];
    j->found_device = acc_get_device_type();
    j->found_queue = acc_get_default_async();
    return 0;
}
int main(void) {
    struct job jobs[3] = { { 2, 5 }, { 10, 6 }, { 11, 7 } };
    pthread_t t[3];
    pthread_barrier_init(&all, 0, 3);
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, &jobs[i]);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    for (int i = 0; i < 3; i++) printf("%d %d %d ", jobs[i].sum, jobs[i].found_device, jobs[i].found_queue);
    printf("%d\n", acc_get_device_type());
    return 0;
}
"#;

#[test]
fn each_thread_has_its_own_device_and_default_queue() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), THREADS).expect("a file");
    let made = tools.cc(&["-acc=multicore", "-w", "p.c", "-o", "p"], folder.path());
    assert!(made.status.success(), "{}", text(&made.stderr));
    let ran = run(&folder.path().join("p"));
    assert_eq!(text(&ran.stdout), "500500 2 5 500500 10 6 500500 11 7 10\n", "{}", text(&ran.stderr));
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

/// Tip 8's two programs without `-Mbounds`: the first ended by a signal without a word, the second went on with rows that overlap.
#[test]
fn both_programs_of_tip_8_end_with_words_where_memory_is_apart() {
    let program = |section: &str, index: &str| {
        format!(
            "float A[8][100], B[8][100];\nint main(void) {{ int n = 99;\n#pragma acc region copyin(B[0:7][{section}])\n{{\n\
             for (int i = 0; i < 8; ++i)\nfor (int j = 0; j < 100; ++j)\nA[i][j] = B[i][{index}];\n}}\nreturn 0; }}\n"
        )
    };
    let Some(said) = fails_with(&["-ta=discrete"], &program("0:99", "j+1")) else { return };
    assert!(
        said.contains("a kernel left the device's memory") && said.contains("behind the last byte of name=B"),
        "{said}"
    );
    assert!(said.contains("size:3200 entered at p.c:3 (main)") && said.contains("file:p.c main line:3"), "{said}");
    let Some(said) = fails_with(&["-ta=discrete"], &program("0:n+2", "j")) else { return };
    let sizes = "name=B[0:7][0:n+2] does not fit its array: dimension 2 has elements 0 to 101, 408 bytes, and a row has 0 to 99, 400 bytes";
    assert!(said.contains(sizes) && said.contains("file:p.c main line:3"), "{said}");
}

/// Undeclared names came from the host's compiler with columns of text that nobody wrote; `copy(p[0:])` of a pointer was two elements;
/// statements that are no atomic operation, and `routine` before a variable, were taken without a word.
#[test]
fn operands_that_are_not_there_or_something_else_are_errors_with_their_place() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy(programs().join("error_operands.c"), folder.path().join("p.c")).expect("the program is there");
    let made = tools.cc(&["-acc", "-c", "p.c"], folder.path());
    assert_eq!(made.status.code(), Some(1));
    insta::assert_snapshot!(text(&made.stderr));
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

/// Compiles and runs a program: what it prints.
fn says_out(options: &[&str], program: &str) -> Option<String> {
    let tools = tools()?;
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let words: Vec<&str> = options.iter().copied().chain(["p.c", "-o", "p", "-lm"]).collect();
    let made = tools.cc(&words, folder.path());
    assert!(made.status.success(), "{}", text(&made.stderr));
    Some(text(&run(&folder.path().join("p")).stdout))
}
