//! `unspool cc`: regions call functions that other files have (`routine`), on every device; what keeps them from it is said.

#![expect(clippy::print_stderr, reason = "says what was skipped")]

mod tools;

use std::path::Path;
use std::process::{Command, Output};
use tools::{Tools, text, tools};

const HEADER: &str = "struct pair { int a; double b; };
#pragma acc routine seq
double f(double, struct pair);
#pragma acc routine gang
extern void all(int n, int *counts);
#pragma acc routine seq bind(plus_on_device)
int plus(int);
";

/// Regions: one function takes a structure, one shares its loop over gangs, one is bound to another name.
const MAIN: &str = r#"
#include "f.h"
#include <stdio.h>
static double g(double x) { return x; } // another file has its own
#pragma acc routine(plus_on_device) seq
int plus_on_device(int);
int main(void) {
    enum { n = 1000 };
    static double x[n];
    static int counts[n], sums[n];
    struct pair p = { 2, 3 };
    for (int i = 0; i < n; i++) x[i] = i;
    #pragma acc parallel loop copy(x)
    for (int i = 0; i < n; i++) x[i] = f(g(x[i]), p);
    #pragma acc parallel num_gangs(10) copy(counts)
    all(n, counts);
    #pragma acc parallel loop copyout(sums)
    for (int i = 0; i < n; i++) sums[i] = plus(i);
    double s = 0;
    long c = 0, t = 0;
    for (int i = 0; i < n; i++) s += x[i], c += counts[i], t += sums[i] > 1000 ? sums[i] - 1000 : sums[i];
    printf("%g %ld %ld\n", s, c, t);
    return 0;
}
"#;

const OTHER: &str = r#"
#include "f.h"
#include <math.h>
#pragma acc routine seq
double far(double);
static double g(double x);
double f(double x, struct pair p) { return p.a * sqrt(x) + p.b + g(x) + far(x); }
static double g(double x) { return x * x; }
void all(int n, int *counts) {
    #pragma acc loop gang
    for (int i = 0; i < n; i++) counts[i] += 1;
}
int plus(int i) { return i + 1; }
int plus_on_device(int i) { return i + 1001; }
#pragma acc routine(plus_on_device) seq
"#;

const FAR: &str = "#pragma acc routine seq\ndouble far(double x) { return x / 2; }\n";

fn write(folder: &Path) {
    for (name, text) in [("f.h", HEADER), ("main.c", MAIN), ("other.c", OTHER), ("far.c", FAR)] {
        std::fs::write(folder.join(name), text).expect("a file");
    }
}

fn must(made: &Output) {
    assert!(made.status.success(), "{}{}", text(&made.stdout), text(&made.stderr));
}

fn run(tools: &Tools, program: &Path, device: &str) -> Output {
    let mut c = Command::new(program);
    c.envs([("ACC_DEVICE_TYPE", device), ("ACC_NUM_CORES", "2")]);
    c.env("UNSPOOL_CUDA_DRIVER", tools.driver().unwrap_or_default());
    c.output().expect("the program starts")
}

fn same_everywhere(tools: &Tools, folder: &Path, devices: &[&str]) {
    let expected = "3.33128e+08 1000 500500\n";
    for device in devices {
        let found = run(tools, &folder.join("p"), device);
        assert_eq!(text(&found.stdout), expected, "{device}: {}", text(&found.stderr));
    }
}

#[test]
fn regions_call_functions_of_other_files() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path());
    let made = tools.cc(&["-acc", "-Minfo", "main.c", "other.c", "far.c", "-o", "p", "-lm"], folder.path());
    must(&made);
    let said = text(&made.stderr);
    assert!(said.contains("Generating acc routine gang") && !said.contains("restriction"), "{said}");
    same_everywhere(&tools, folder.path(), &["host", "multicore", "discrete"]);
}

#[test]
fn objects_and_archives_keep_what_the_link_needs() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path());
    for source in ["main.c", "other.c", "far.c"] {
        must(&tools.cc(&["-ta=nvidia,cc75,cc90", "-c", source], folder.path()));
    }
    let archive = Command::new("ar").args(["rcs", "libfar.a", "far.o"]).current_dir(folder.path()).output();
    must(&archive.expect("ar starts"));
    must(&tools.cc(&["-ta=nvidia,keepgpu", "main.o", "other.o", "-L.", "-lfar", "-lm", "-o", "p"], folder.path()));
    same_everywhere(&tools, folder.path(), &["host", "multicore", "discrete", "nvidia"]);
    let kept = folder.path().join("link.001.cc90.ptx");
    assert!(std::fs::read_to_string(kept).is_ok_and(|t| t.contains(".target sm_90")));
    // Programs do not have what objects keep.
    let program = std::fs::read(folder.path().join("p")).expect("the program");
    assert!(!program.windows(13).any(|w| w == b"\"unspool-acc\""));
}

#[test]
fn links_that_lack_a_routine_say_what_to_do() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path());
    must(&tools.cc(&["-acc", "-c", "main.c"], folder.path()));
    must(&tools.cc(&["-acc", "-c", "other.c"], folder.path()));
    // As the host's compiler makes it.
    must(&tools.cc(&["-c", "far.c"], folder.path()));
    let made = tools.cc(&["main.o", "other.o", "far.o", "-lm", "-o", "p"], folder.path());
    let said = text(&made.stderr);
    assert!(!made.status.success() && said.contains("calls `far`"), "{said}");
    assert!(said.contains("compile that file with `unspool cc -acc`"), "{said}");
    // A function that devices cannot run leaves its regions to the host.
    std::fs::write(folder.path().join("far.c"), "#include <stdio.h>\nstatic FILE *log;\n#pragma acc routine seq\ndouble far(double x) { if (log) fputs(\"\", log); return x / 2; }\n")
        .expect("a file");
    must(&tools.cc(&["-acc", "-w", "-c", "far.c"], folder.path()));
    let made = tools.cc(&["main.o", "other.o", "far.o", "-lm", "-o", "p"], folder.path());
    must(&made);
    let said = text(&made.stderr);
    assert!(said.contains("far.c:4") && said.contains("the host runs the region at"), "{said}");
    same_everywhere(&tools, folder.path(), &["host", "multicore", "discrete"]);
}

#[test]
fn a_link_by_another_program_is_found_out_when_the_region_runs() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path());
    for source in ["main.c", "other.c", "far.c"] {
        must(&tools.cc(&["-acc", "-c", source], folder.path()));
    }
    must(&tools.host_link(&["main.o", "other.o", "far.o", "-lm", "-o", "p"], folder.path()));
    same_everywhere(&tools, folder.path(), &["host"]);
    let found = run(&tools, &folder.path().join("p"), "multicore");
    let said = text(&found.stderr);
    assert!(!found.status.success() && said.contains("what links such programs is `unspool cc`"), "{said}");
}

#[test]
fn calls_of_functions_without_routine_are_left_to_the_host_with_what_to_do() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let source = "double h(double);\nvoid k(int n, double *x) {\n#pragma acc parallel loop copy(x[0:n])\nfor (int i = 0; i < n; i++) x[i] = h(x[i]);\n}\n";
    std::fs::write(folder.path().join("k.c"), source).expect("a file");
    let made = tools.cc(&["-acc", "-Minfo", "-c", "k.c"], folder.path());
    must(&made);
    let said = text(&made.stderr);
    assert!(said.contains("call to 'h' with no acc routine information") && said.contains("region ignored"), "{said}");
}

/// The validation suite says `routine` of functions of the C library: the link looked for their definitions.
#[test]
fn functions_of_the_c_library_are_kernels_own_though_routine_names_them() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let source = "#include <math.h>\n#include <stdio.h>\n#pragma acc routine(fmin) seq\nint main(void) {\ndouble a[4] = {4, 1, 9, 3};\n\
                  #pragma acc parallel loop copy(a)\nfor (int i = 0; i < 4; i++) a[i] = fmin(a[i], 3.5);\nprintf(\"%g %g\\n\", a[0], a[1]);\nreturn 0; }\n";
    std::fs::write(folder.path().join("p.c"), source).expect("a file");
    must(&tools.cc(&["-acc", "p.c", "-o", "p", "-lm"], folder.path()));
    assert_eq!(text(&run(&tools, &folder.path().join("p"), "multicore").stdout), "3.5 1\n");
}

/// The host runs such regions, with the values that the device has, and keeps its own.
const GLOBALS: &str = r#"
#include <stdio.h>
extern int table[100], plain[100], factor;
#pragma acc declare create(table)
#pragma acc routine seq
int get(int i);
int unknown(int i);
int main(void) {
    int x[100], y[100], z[100];
    for (int i = 0; i < 100; i++) table[i] = i, plain[i] = 2 * i;
    factor = 3;
    #pragma acc update device(table, factor)
    for (int i = 0; i < 100; i++) table[i] = -1; // the host's alone
    factor = 50;
    #pragma acc enter data copyin(plain)
    #pragma acc parallel loop copyout(x)
    for (int i = 0; i < 100; i++) x[i] = get(i);
    #pragma acc parallel loop copyout(y)
    for (int i = 0; i < 100; i++) { y[i] = unknown(i); }
    #pragma acc parallel loop copyout(z) present(plain)
    for (int i = 0; i < 100; i++) { z[i] = plain[i]; plain[i]++; }
    plain[3] = 77;
    int sum = 0, sumy = 0, sumz = 0;
    for (int i = 0; i < 100; i++) sum += x[i], sumy += y[i], sumz += z[i];
    printf("%d %d %d %d %d %d\n", sum, sumy, sumz, table[5], factor, plain[3]);
    #pragma acc exit data copyout(plain)
    printf("%d %d\n", plain[3], plain[4]);
    return 0;
}
"#;

const GLOBALS_OF: &str = r#"
int table[100], plain[100], factor;
#pragma acc declare create(table, factor)
#pragma acc routine seq
int get(int i) { return table[i] * factor; }
int unknown(int i) { plain[i] += 5; return plain[i] + factor; }
"#;

#[test]
fn functions_of_other_files_use_what_the_device_has_at_file_scope() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("main.c"), GLOBALS).expect("a file");
    std::fs::write(folder.path().join("other.c"), GLOBALS_OF).expect("a file");
    let made = tools.cc(&["-ta=nvidia,host", "main.c", "other.c", "-o", "p"], folder.path());
    must(&made);
    assert!(text(&made.stderr).contains("the host runs the region at main.c:"), "{}", text(&made.stderr));
    let shared = "-5000 15400 10400 -1 50 77\n77 14\n";
    let apart = "14850 10700 10400 -1 50 77\n12 14\n";
    for (device, expected) in [("host", shared), ("multicore", shared), ("discrete", apart), ("nvidia", apart)] {
        let found = run(&tools, &folder.path().join("p"), device);
        assert_eq!(text(&found.stdout), expected, "{device}: {}", text(&found.stderr));
    }
}

/// Arrays with computed extents were left to the host.
#[test]
fn functions_of_other_files_have_parameters_with_computed_extents() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let header = "#pragma acc routine seq\ndouble sum(int, int m, double a[*][m], int i);\n";
    let other = "#include \"f.h\"\n#pragma acc routine seq\nstatic double row(int m, const double *r) { double s = 0; \
                 for (int j = 0; j < m; j++) s += r[j]; return s; }\n\
                 double sum(int n, int m, double a[n][m], int i) { return i < n ? row(m, a[i]) + a[n - 1][m - 1] : 0; }\n";
    let main = "#include \"f.h\"\n#include <stdio.h>\nint main(void) {\nint n = 9, m = 4;\ndouble a[n][m], r[10], t = 0;\n\
                for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = i + j * 0.25;\n\
                #pragma acc parallel loop copyout(r)\nfor (int i = 0; i < 10; i++) r[i] = sum(n, m, a, i);\n\
                for (int i = 0; i < 10; i++) t += r[i] * i;\nprintf(\"%g\\n\", t);\nreturn 0; }\n";
    for (name, text) in [("f.h", header), ("main.c", main), ("other.c", other)] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let made = tools.cc(&["-ta=nvidia,host", "-Minfo", "main.c", "other.c", "-o", "p"], folder.path());
    must(&made);
    assert!(!text(&made.stderr).contains("restriction"), "{}", text(&made.stderr));
    for device in ["host", "multicore", "discrete", "nvidia"] {
        let found = run(&tools, &folder.path().join("p"), device);
        assert_eq!(text(&found.stdout), "1185\n", "{device}: {}", text(&found.stderr));
    }
}
