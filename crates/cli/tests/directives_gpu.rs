//! `unspool cc -ta=nvidia`: programs run through their PTX on a stand-in for CUDA's driver, and print what they print without
//! directives; NVIDIA's assembler takes the PTX, where there is one.

#![expect(clippy::print_stderr, reason = "says what was skipped")]

mod tools;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tools::{Tools, programs, text, tools};

/// NVIDIA's assembler.
fn ptxas() -> Option<PathBuf> {
    let found = std::env::var_os("UNSPOOL_PTXAS").map(PathBuf::from).filter(|p| p.is_file());
    if found.is_none() {
        eprintln!("SKIPPED: no ptxas (UNSPOOL_PTXAS): the PTX is not assembled");
    }
    found
}

/// Runs a program with the stand-in.
fn run(tools: &Tools, program: &Path, environment: &[(&str, &str)]) -> Output {
    let driver = tools.driver().expect("a stand-in for CUDA's driver is built with the tests");
    let mut c = Command::new(program);
    c.env("UNSPOOL_CUDA_DRIVER", driver).env("UNSPOOL_THREADS", "2").env_remove("ACC_DEVICE_TYPE");
    c.envs(environment.iter().copied()).output().expect("the program starts")
}

/// Compiles a text for GPUs.
fn compiled(tools: &Tools, folder: &Path, options: &[&str], source: &str) -> PathBuf {
    std::fs::write(folder.join("p.c"), source).expect("a file");
    let words: Vec<&str> = options.iter().copied().chain(["p.c", "-o", "p", "-lm"]).collect();
    let made = tools.cc(&words, folder);
    assert!(made.status.success(), "{}", text(&made.stderr));
    folder.join("p")
}

#[test]
fn every_program_prints_the_same_on_a_gpu_and_its_ptx_assembles() {
    let Some(tools) = tools() else { return };
    let assembler = ptxas();
    for entry in std::fs::read_dir(programs()).expect("the folder").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("error_") {
            continue;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let source = std::fs::read_to_string(entry.path()).expect("a text");
        let serial = compiled(&tools, folder.path(), &["-w", "-O1"], &source);
        let expected = Command::new(serial).output().expect("the program starts");
        let program = compiled(&tools, folder.path(), &["-w", "-O1", "-ta=nvidia,keepgpu"], &source);
        let found = run(&tools, &program, &[]);
        assert_eq!(text(&found.stdout), text(&expected.stdout), "{name}: {}", text(&found.stderr));
        assert!(found.status.success(), "{name}: {}", text(&found.stderr));
        for ptx in std::fs::read_dir(folder.path()).expect("the folder").flatten().map(|e| e.path()) {
            if ptx.extension().is_some_and(|e| e == "ptx") {
                assemble(assembler.as_deref(), &name, &ptx);
            }
        }
    }
}

/// Assembles PTX for the oldest architecture that toolkits know, and for one of today.
fn assemble(assembler: Option<&Path>, name: &str, ptx: &Path) {
    let Some(assembler) = assembler else { return };
    for arch in ["-arch=sm_75", "-arch=sm_90"] {
        let made = Command::new(assembler).arg(arch).arg(ptx).args(["-o", "/dev/null"]).output().expect("it starts");
        assert!(made.status.success(), "{name}, {arch}: {}{}", text(&made.stdout), text(&made.stderr));
    }
}

/// Two queues, the second behind the first; memory that is freed while they run; a loop in parts in two dimensions.
const QUEUES: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    enum { n = 3000, m = 70000 };
    int one = 1;
    int *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *c = malloc(m * sizeof *c);
    for (int i = 0; i < n; i++) a[i] = i, b[i] = 0;
    for (int i = 0; i < m; i++) c[i] = 0;
    #pragma acc enter data copyin(a[0:n]) async(1)
    #pragma acc enter data create(b[0:n]) async(2)
    #pragma acc parallel loop present(a[0:n]) async(1)
    for (int i = 0; i < n; i++) a[i] *= 2;
    #pragma acc parallel loop present(a[0:n], b[0:n]) wait(1) async(2)
    for (int i = 0; i < n; i++) b[i] = a[i] + 1;
    #pragma acc exit data copyout(b[0:n]) async(2)
    #pragma acc exit data delete(a[0:n]) wait(2) async(1)
    #pragma acc wait
    #pragma acc parallel loop collapse(2) copy(c[0:m])
    for (int i = 0; i < m; i++) for (int j = 0; j < one; j++) c[i] += i % 7 + j;
    long s = 0, t = 0;
    for (int i = 0; i < n; i++) s += b[i];
    for (int i = 0; i < m; i++) t += c[i];
    printf("%ld %ld\n", s, t);
    return 0;
}
"#;

#[test]
fn queues_are_streams_with_events_between_them() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = compiled(&tools, folder.path(), &["-ta=nvidia", "-w"], QUEUES);
    let log = folder.path().join("log");
    let found = run(&tools, &program, &[("CUDA_ON_HOST_LOG", &log.to_string_lossy())]);
    assert_eq!(text(&found.stdout), "9000000 210000\n", "{}", text(&found.stderr));
    let log = std::fs::read_to_string(log).expect("the stand-in's log");
    assert!(log.lines().any(|l| l.starts_with("stream ") && l.ends_with(" waits")), "{log}");
    // A dimension that is not the first has 65535 groups at most: the rest is a launch of its own.
    assert!(log.contains("launch 1x65535x1") && log.contains("launch 1x4465x1"), "{log}");
}

/// Appendix A of OpenACC 3.4: they were not declared.
#[test]
fn streams_of_queues_are_the_drivers_and_may_be_the_programs() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = "#include <stdio.h>\n#include <openacc.h>\nint a[1000];\nint main(void) {\n\
         void *one = acc_get_cuda_stream(1), *two = acc_get_cuda_stream(2);\n\
         int there = acc_get_current_cuda_context() && acc_get_current_cuda_device();\n\
         int set = acc_set_cuda_stream(2, one);\n#pragma acc data copy(a)\n{\n\
         for (int r = 0; r < 20; r++) {\n#pragma acc parallel loop async(1 + r % 2)\n\
         for (int i = 0; i < 1000; i++) a[i] = (int)(a[i] * 3u + r);\n}\n#pragma acc wait\n}\n\
         int s = 0, x = 0;\nfor (int r = 0; r < 20; r++) x = (int)(x * 3u + r);\n\
         for (int i = 0; i < 1000; i++) s += a[i] == x;\n\
         printf(\"%d %d %d %d %d\\n\", there, one && two && one != two, set, acc_get_cuda_stream(2) == one, s);\nreturn 0;\n}\n";
    let made = compiled(&tools, folder.path(), &["-w", "-O1", "-ta=nvidia,multicore"], program);
    assert_eq!(text(&run(&tools, &made, &[]).stdout), "1 1 1 1 1000\n");
    // Without a GPU there are no streams.
    let cores = run(&tools, &made, &[("ACC_DEVICE_TYPE", "multicore")]);
    assert!(text(&cores.stdout).starts_with("0 0 0 1 "), "{}", text(&cores.stdout));
}

#[test]
fn without_a_gpu_programs_say_so_once_and_run_on_the_cores() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = compiled(&tools, folder.path(), &["-ta=nvidia,host", "-w"], QUEUES);
    let none = [("UNSPOOL_CUDA_DRIVER", "/nowhere/libcuda.so.1")];
    let found = run(&tools, &program, &none);
    assert_eq!(text(&found.stdout), "9000000 210000\n");
    let said = text(&found.stderr);
    assert_eq!(said.matches("no NVIDIA GPU is used").count(), 1, "{said}");
    assert!(said.contains("regions run on host instead"), "{said}");
    let found = run(&tools, &program, &[none[0], ("ACC_DEVICE_TYPE", "multicore")]);
    assert_eq!((text(&found.stdout).as_str(), text(&found.stderr).as_str()), ("9000000 210000\n", ""));
    let found = run(&tools, &program, &[none[0], ("ACC_DEVICE_TYPE", "nvidia")]);
    assert!(!found.status.success() && text(&found.stderr).contains("asks for an NVIDIA GPU"));
    // With one, and none of it wanted.
    let found = run(&tools, &program, &[("CUDA_ON_HOST_DEVICES", "0")]);
    assert!(text(&found.stderr).contains("CUDA_ERROR_NO_DEVICE"), "{}", text(&found.stderr));
}

#[test]
fn each_gpu_has_its_own_memory() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let source = r#"
#include <openacc.h>
#include <stdio.h>
int main(void) {
    int a[10];
    printf("%d\n", acc_get_num_devices(acc_device_nvidia));
    for (int d = 0; d < 2; d++) {
        acc_set_device_num(d, acc_device_nvidia);
        for (int i = 0; i < 10; i++) a[i] = 10 * d + i;
        #pragma acc enter data copyin(a)
    }
    for (int d = 0; d < 2; d++) {
        acc_set_device_num(d, acc_device_nvidia);
        #pragma acc parallel loop present(a)
        for (int i = 0; i < 10; i++) a[i] += 100;
        #pragma acc exit data copyout(a)
        printf("%d %d %d\n", acc_get_device_num(acc_device_nvidia), a[0], acc_is_present(a, sizeof a));
    }
    return 0;
}
"#;
    let program = compiled(&tools, folder.path(), &["-ta=nvidia:cc80", "-w"], source);
    let found = run(&tools, &program, &[("CUDA_ON_HOST_DEVICES", "2")]);
    assert_eq!(text(&found.stdout), "2\n0 100 0\n1 110 0\n", "{}", text(&found.stderr));
}

#[test]
fn errors_of_the_driver_and_of_bounds_end_the_program_with_words() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let source = r#"
int main(void) {
    int n = 10, k = 12, a[10];
    #pragma acc parallel loop copy(a)
    for (int i = 0; i < n; i++) a[i + k - 10] = i;
    return 0;
}
"#;
    let program = compiled(&tools, folder.path(), &["-ta=nvidia", "-Mbounds", "-w"], source);
    let said = text(&run(&tools, &program, &[]).stderr);
    assert!(said.contains("subscript 1 of array a is out of bounds: index 1") && said.contains("p.c:5"), "{said}");
    let program = compiled(&tools, folder.path(), &["-ta=nvidia,cc100", "-w"], source);
    let said = text(&run(&tools, &program, &[]).stderr);
    assert!(said.contains("has code for cc100 and this GPU (this machine as GPU 0) is cc90"), "{said}");
}

#[test]
fn schedules_and_needs_are_told_in_the_words_of_gpus() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy(programs().join("tip02_private.c"), folder.path().join("p.c")).expect("the program is there");
    let made = tools.cc(&["-ta=nvidia,cc90", "-Minfo=accel", "-c", "p.c"], folder.path());
    insta::assert_snapshot!("gpu_private", text(&made.stderr));
}

/// Blocks had one dimension: `tile` and the sizes of a nest's two loops meant nothing, the threads of a transposition took a line of
/// memory each for one element, and those of a product went through a panel for one row.
const TILES: &str = r#"
#include <stdio.h>
enum { n = 300, m = 500 };
static float a[n][m], b[m][n], c[n][m], d[70][33], e[33][90], f[70][90];
int main(void) {
    for (int i = 0; i < 33; i++) {
        for (int j = 0; j < 70; j++) d[j][i] = (i * j) % 11;
        for (int j = 0; j < 90; j++) e[i][j] = (i + j) % 13;
    }
    #pragma acc kernels
    for (int i = 0; i < 70; i++)
        for (int j = 0; j < 90; j++) {
            f[i][j] = 1;
            for (int k = 0; k < 33; k++) f[i][j] += d[i][k] * e[k][j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[j][i] = i * 7 + j, c[i][j] = i - j;
    #pragma acc parallel loop collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) a[i][j] = b[j][i];
    #pragma acc parallel loop tile(64,4)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) c[i][j] += a[i - 1][j] + a[i + 1][j] + a[i][j - 1];
    #pragma acc parallel loop worker
    for (int i = 0; i < n; i++)
        #pragma acc loop vector(16)
        for (int j = 0; j < m; j++) c[i][j] *= 2;
    #pragma acc kernels
    {
        #pragma acc loop gang worker(4)
        for (int i = 0; i < n; i++)
            #pragma acc loop vector(16)
            for (int j = 0; j < m; j++) c[i][j] += 1;
    }
    #pragma acc parallel loop gang worker num_workers(6) vector_length(32)
    for (int i = 0; i < n; i++)
        #pragma acc loop vector
        for (int j = 0; j < m; j++) c[i][j] -= i;
    #pragma acc kernels loop gang worker(2)
    for (int i = 0; i < n; i++)
        #pragma acc loop vector(64)
        for (int j = 0; j < m; j++) c[i][j] += 3;
    /* Its first size is that of the loop that is inside in the text, which is outside here. */
    #pragma acc parallel loop tile(8,128)
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) c[i][j] += j;
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s = s * 0.999 + a[i][j] + c[i][j] + f[i % 70][j % 90];
    printf("%.10g\n", s);
    return 0;
}
"#;

#[test]
fn tiles_and_sizes_of_two_loops_are_the_two_dimensions_of_blocks() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = compiled(&tools, folder.path(), &["-ta=nvidia,multicore", "-w"], TILES);
    let log = folder.path().join("log");
    let found = run(&tools, &program, &[("CUDA_ON_HOST_LOG", &log.to_string_lossy())]);
    let expected = run(&tools, &program, &[("ACC_DEVICE_TYPE", "multicore")]);
    assert_eq!(text(&found.stdout), text(&expected.stdout), "{}", text(&found.stderr));
    let log = std::fs::read_to_string(log).expect("the stand-in's log");
    for launch in [
        "3x9x1 of 32x8x1",
        "16x38x1 of 32x8x1",
        "8x75x1 of 64x4x1",
        "32x75x1 of 16x4x1",
        "16x50x1 of 32x6x1",
        "8x150x1 of 64x2x1",
        "4x38x1 of 128x8x1",
    ] {
        assert!(log.contains(&format!("launch {launch}")), "{launch}: {log}");
    }
}

/// Numbers of gangs: constants, variables, more than there are iterations; around loops of one, two and three levels, with sums, private
/// arrays, what is cached, and loops that one lane of one gang has for itself.
const GANGS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static double a[70][300], b[70][300];
static float t[129][65], r[65][129];
static double sum(void) {
    double s = 0;
    for (int i = 0; i < 70; i++) for (int j = 0; j < 300; j++) s += b[i][j] * (i % 7 + j % 5);
    return s;
}
int main(int argc, char **argv) {
    int g = argc > 1 ? atoi(argv[1]) : 3;
    for (int i = 0; i < 70; i++) for (int j = 0; j < 300; j++) a[i][j] = (i * 31 + j * 7) % 101;
    for (int i = 0; i < 129; i++) for (int j = 0; j < 65; j++) t[i][j] = i * 65 + j;
    #pragma acc parallel loop collapse(2) num_gangs(g) copyin(a) copyout(b)
    for (int i = 0; i < 70; i++) for (int j = 1; j < 299; j++) {
        #pragma acc cache(a[i][j-1:3])
        b[i][j] = a[i][j-1] + a[i][j] + 2 * a[i][j+1];
    }
    printf("%g\n", sum());
    #pragma acc parallel loop gang num_gangs(g) vector_length(64) copyin(a) copyout(b)
    for (int i = 0; i < 70; i++) {
        double w[16];
        #pragma acc loop vector
        for (int k = 0; k < 16; k++) w[k] = a[i][k] * 2;
        #pragma acc loop vector
        for (int j = 0; j < 300; j++) b[i][j] = w[j % 16] + w[(j + 1) % 16];
    }
    printf("%g\n", sum());
    #pragma acc parallel loop tile(16,8) num_gangs(g) copyin(t) copyout(r)
    for (int i = 0; i < 129; i++) for (int j = 0; j < 65; j++) r[j][i] = t[i][j];
    double x = 0, y = 0;
    int c = 0, first[10] = {0};
    for (int i = 0; i < 65; i++) for (int j = 0; j < 129; j++) x += r[i][j] * (i % 7 + j % 5);
    printf("%g\n", x);
    #pragma acc parallel loop collapse(2) reduction(+:x,c) reduction(max:y) copyin(a) num_gangs(g)
    for (int i = 0; i < 70; i++) for (int j = 0; j < 300; j++) { x += a[i][j]; c++; if (a[i][j] * i > y) y = a[i][j] * i; }
    #pragma acc kernels copyin(a) copyout(b)
    #pragma acc loop independent gang(4)
    for (int i = 0; i < 70; i++) for (int j = 0; j < 300; j++) b[i][j] = a[69 - i][j];
    #pragma acc parallel loop collapse(2) reduction(+:first) copyin(a) num_gangs(g)
    for (int i = 0; i < 70; i++) for (int j = 0; j < 300; j++) first[(int)a[i][j] % 10]++;
    printf("%g %d %g %g %d\n", x, c, y, sum(), first[3]);
    #pragma acc parallel loop num_gangs(1) vector_length(1) copy(b)
    for (int i = 1; i < 300; i++) b[0][i] = b[0][i - 1] * 0.5 + b[0][i];
    #pragma acc parallel num_gangs(1) copy(b)
    {
        #pragma acc loop gang
        for (int i = 1; i < 70; i++) b[i][7] = b[i - 1][7] * 0.5 + b[i][7];
    }
    // What is read behind such a loop is reduced, as elsewhere.
    #pragma acc parallel loop gang(1) copyin(a)
    for (int i = 0; i < 300; i++) x += a[5][i];
    #pragma acc parallel loop num_gangs(1) vector_length(1) reduction(max:y) copyin(a)
    for (int i = 0; i < 300; i++) if (a[9][i] * i > y) y = a[9][i] * i;
    printf("%.12g %g %g\n", sum(), x, y);
    return 0;
}
"#;

/// They had no effect, and what one lane has for itself ran in vectors.
#[test]
fn gangs_are_as_many_as_the_program_says() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let serial = compiled(&tools, folder.path(), &["-w", "-O1"], GANGS);
    let serial = run(&tools, &serial, &[]);
    let program = compiled(&tools, folder.path(), &["-ta=nvidia", "-w"], GANGS);
    let log = folder.path().join("log");
    let found = run(&tools, &program, &[("CUDA_ON_HOST_LOG", &log.to_string_lossy())]);
    assert_eq!(text(&found.stdout), text(&serial.stdout), "{}", text(&found.stderr));
    let log = std::fs::read_to_string(log).expect("the stand-in's log");
    let all =
        ["launch 3x1x1 of 128x1x1", "launch 3x1x1 of 64x1x1", "launch 3x1x1 of 8x16x1", "launch 4x1x1 of 128x1x1"];
    for launch in all {
        assert!(log.contains(launch), "{launch}: {log}");
    }
    for device in ["multicore", "discrete", "nvidia"] {
        for (gangs, order) in [("1", "forward"), ("1000000", "reverse"), ("0", "forward"), ("2", "reverse")] {
            let mut c = Command::new(&program);
            let driver = tools.driver().expect("the stand-in");
            c.arg(gangs).env("UNSPOOL_CUDA_DRIVER", driver);
            let found = c.env("ACC_DEVICE_TYPE", device).env("UNSPOOL_ACC_ORDER", order).output().expect("it starts");
            assert_eq!(text(&found.stdout), text(&serial.stdout), "{device} {gangs}: {}", text(&found.stderr));
        }
    }
}

/// A sum of many numbers on a GPU came from 4096 threads, whatever its size.
#[test]
fn blocks_of_gpus_put_their_sums_together_first() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let source = "#include <stdio.h>\nstatic float a[300000]; int main(void) { double s = 0; int m = 0; float p = 1;\n\
        for (int i = 0; i < 300000; i++) a[i] = i % 89;\n\
        #pragma acc parallel loop reduction(+:s) reduction(max:m) reduction(*:p) copyin(a)\n\
        for (int i = 0; i < 300000; i++) { s += a[i]; if (a[i] > m) m = a[i]; if (i == 77777) p *= 3; }\n\
        printf(\"%g %d %g\\n\", s, m, p); return 0; }\n";
    let program = compiled(&tools, folder.path(), &["-ta=nvidia", "-w"], source);
    let log = folder.path().join("log");
    let found = run(&tools, &program, &[("CUDA_ON_HOST_LOG", &log.to_string_lossy())]);
    assert_eq!(text(&found.stdout), "1.31993e+07 88 3\n", "{}", text(&found.stderr));
    let log = std::fs::read_to_string(log).expect("the stand-in's log");
    assert!(log.contains("launch 1024x1x1 of 128x1x1") && log.contains("launch 1x1x1 of 128x1x1"), "{log}");
}

/// Blocks of other sizes: a reduction that shares iterations in blocks that are no groups of processors, and private arrays.
const BLOCKS: &str = r#"
#include <stdio.h>
enum { W = 4 };
int main(void) {
    static int a[1000], b[1000];
    int m = 3;
    long s = 0;
    #pragma acc parallel loop num_workers(W) vector_length(64) copyout(a)
    for (int i = 0; i < 1000; i++) a[i] = i;
    #pragma acc parallel loop vector_length(96) reduction(+:s) copyin(a)
    for (int i = 0; i < 1000; i++) s += a[i];
    #pragma acc kernels copyin(a) copyout(b)
    #pragma acc loop independent gang worker(2) vector(16)
    for (int i = 0; i < 1000; i++) {
        int t[3];
        for (int k = 0; k < m; k++) t[k] = a[i] + k;
        b[i] = t[m - 1];
    }
    int own[m];
    #pragma acc parallel loop private(own[0:m]) vector_length(8000) copy(b)
    for (int i = 0; i < 1000; i++) { own[m - 1] = i; b[i] += own[m - 1]; }
    printf("%ld %d\n", s, b[999]);
    return 0;
}
"#;

/// They had no effect.
#[test]
fn workers_and_vector_lengths_are_the_threads_of_blocks() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = compiled(&tools, folder.path(), &["-ta=nvidia", "-w"], BLOCKS);
    let log = folder.path().join("log");
    let found = run(&tools, &program, &[("CUDA_ON_HOST_LOG", &log.to_string_lossy())]);
    assert_eq!(text(&found.stdout), "499500 2000\n", "{}", text(&found.stderr));
    let log = std::fs::read_to_string(log).expect("the stand-in's log");
    for launch in ["launch 4x1x1 of 256x1x1", "launch 12x1x1 of 96x1x1", "of 64x1x1", "launch 1x1x1 of 1024x1x1"] {
        assert!(log.contains(launch), "{launch}: {log}");
    }
    for device in ["multicore", "discrete"] {
        let found = run(&tools, &program, &[("ACC_DEVICE_TYPE", device)]);
        assert_eq!(text(&found.stdout), "499500 2000\n", "{device}");
    }
}

/// Gangs ran in one thread each, and the loops of their workers and vectors one iteration after another.
#[test]
fn loops_inside_of_gangs_are_shared_by_the_threads_of_blocks() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let source = std::fs::read_to_string(programs().join("teams.c")).expect("a text");
    std::fs::write(folder.path().join("p.c"), source).expect("a file");
    let made = tools.cc(&["-ta=nvidia,keepgpu", "-Minfo=accel", "p.c", "-o", "p"], folder.path());
    let said = text(&made.stderr);
    assert!(made.status.success(), "{said}");
    let at = |what: &str| said.matches(what).count();
    assert_eq!((at("/* threadIdx.x */"), at("/* blockIdx.x */")), (6, 2), "{said}");
    assert!(said.contains("#pragma acc loop vector(96) /* threadIdx.x */"), "{said}");
    let log = folder.path().join("log");
    run(&tools, &folder.path().join("p"), &[("CUDA_ON_HOST_LOG", &log.to_string_lossy())]);
    let log = std::fs::read_to_string(log).expect("the stand-in's log");
    for launch in
        ["launch 90x1x1 of 128x1x1", "launch 128x1x1 of 64x1x1", "launch 7x1x1 of 96x1x1", "launch 1x1x1 of 128x1x1"]
    {
        assert!(log.contains(launch), "{launch}: {log}");
    }
}

/// A product with a vector, sums and a scaled row with one directive each, and what stays a thread for each iteration: columns, and loops
/// inside that depend on each other.
const ROWS: &str = r#"
#include <stdio.h>
enum { n = 77, m = 300 };
static double a[n][m], x[m], y[n], z[m], w[n][m];
int main(void) {
    int k;
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = (i * 7 + j) % 13, x[j] = j % 5, w[i][j] = 1;
    #pragma acc parallel loop copyin(a, x) copyout(y)
    for (int i = 0; i < n; i++) {
        double t = 0;
        for (k = 0; k < m; k++) t += a[i][k] * x[k];
        y[i] = t + 1;
    }
    double s = 0, top = 0;
    #pragma acc parallel loop copyin(a) reduction(+:s) reduction(max:top)
    for (int i = 0; i < n; i++)
        for (int j = i; j < m; j++) { s += a[i][j]; if (a[i][j] * j > top) top = a[i][j] * j; }
    #pragma acc kernels copyin(a) copy(w)
    for (int i = 0; i < n; i++) {
        double most = 0;
        for (int j = 0; j < m; j++) most = most > a[i][j] ? most : a[i][j];
        for (int j = 0; j < m; j++) w[i][j] += a[i][j] / (most + i);
    }
    #pragma acc parallel loop copyin(a, y) copyout(z)
    for (int j = 0; j < m; j++) {
        double t = 0;
        for (int i = 0; i < n; i++) t += a[i][j] * y[i];
        z[j] = t;
    }
    #pragma acc parallel loop copy(w)
    for (int i = 0; i < n; i++) {
        w[i][0] += i;
        for (int j = 1; j < m; j++) w[i][j] += w[i][j - 1] * 0.5;
    }
    for (int i = 0; i < n; i++) s = s * 0.9 + y[i] + w[i][m - 1];
    for (int j = 0; j < m; j++) s = s * 0.9 + z[j];
    printf("%.9g %g\n", s, top);
    return 0;
}
"#;

/// Each thread went along a row of its own, lines apart from its neighbours.
#[test]
fn rows_that_iterations_go_along_are_shared_by_the_threads_of_blocks() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = compiled(&tools, folder.path(), &["-ta=nvidia,multicore", "-w"], ROWS);
    let log = folder.path().join("log");
    let found = run(&tools, &program, &[("CUDA_ON_HOST_LOG", &log.to_string_lossy())]);
    let expected = run(&tools, &program, &[("ACC_DEVICE_TYPE", "host")]);
    assert_eq!(text(&found.stdout), text(&expected.stdout), "{}", text(&found.stderr));
    let log = std::fs::read_to_string(log).expect("the stand-in's log");
    let grids: Vec<&str> = log.lines().filter_map(|l| l.split("launch ").nth(1)?.split(" stream").next()).collect();
    // The sums are put together by one block more.
    let wanted =
        ["77x1x1", "128x1x1", "1x1x1", "77x1x1", "3x1x1", "1x1x1"].map(|blocks| format!("{blocks} of 128x1x1"));
    assert_eq!(grids, wanted, "{log}");
}

/// They were noted as words without an effect.
#[test]
fn arithmetic_on_gpus_is_what_its_words_ask_for() {
    let Some(tools) = tools() else { return };
    let source = "void f(int n, float a, float *x, float *y) {\n\
        #pragma acc parallel loop copyin(x[0:n]) copy(y[0:n])\n\
        for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];\n}\n";
    let ptx = |options: &[&str]| {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("p.c"), source).expect("a file");
        let words: Vec<&str> = options.iter().copied().chain(["-w", "-c", "p.c"]).collect();
        let made = tools.cc(&words, folder.path());
        assert!(made.status.success() && made.stderr.is_empty(), "{}", text(&made.stderr));
        std::fs::read_to_string(folder.path().join("p.001.cc90.ptx")).expect("the PTX")
    };
    let fused = |p: &str| p.contains("fma.rn");
    let plain = ptx(&["-ta=nvidia,cc90,keepgpu", "-O2"]);
    assert!(!fused(&plain) && !plain.contains(".ftz"), "{plain}");
    assert!(fused(&ptx(&["-ta=nvidia,cc90,keepgpu,fma", "-O2"])));
    assert!(
        fused(&ptx(&["-ta=nvidia,cc90,keepgpu", "-fast"])) && !fused(&ptx(&["-ta=nvidia,cc90,keepgpu,nofma", "-fast"]))
    );
    assert!(ptx(&["-acc", "-gpu=cc90,keepgpu,flushz", "-O2"]).contains(".ftz"));
    let fast = ptx(&["-ta=tesla:cc90,keepgpu,fastmath", "-O2"]);
    assert!(fused(&fast) && fast.contains(".ftz"), "{fast}");
}

/// On a GPU the driver refuses a launch with a byte too much, and the structure of arguments has padding behind a short one: kernels
/// whose last argument was one did not run (error 701), and the stand-in took them.
#[test]
fn launches_have_the_bytes_of_their_parameters_without_padding_behind() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let source = "#include <stdio.h>\nint main(int argc, char **argv) { int a[100], s = 0; char c = 5; float f = 0.5f; (void)argv;\n\
        #pragma acc parallel loop copyout(a)\n\
        for (int i = 0; i < 100; i++) a[i] = i * c + (int)(f * argc);\n\
        #pragma acc parallel loop reduction(+:s) copyin(a)\n\
        for (int i = 0; i < 100; i++) s += a[i] / argc;\n\
        #pragma acc serial copy(s)\n\
        if (argc == 1) s += c;\n\
        printf(\"%d\\n\", s); return 0; }\n";
    let program = compiled(&tools, folder.path(), &["-ta=nvidia", "-w"], source);
    let found = run(&tools, &program, &[]);
    assert_eq!(text(&found.stdout), "24755\n", "{}", text(&found.stderr));
}

/// The threads of a block shared such a loop only where it stood in braces.
#[test]
fn a_directed_loop_may_be_all_that_a_gang_does() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let source = "#include <stdio.h>\nstatic double a[300][300], b[300][300]; int main(void) { double s = 0;\n\
        for (int i = 0; i < 300; i++) for (int j = 0; j < 300; j++) a[i][j] = i + 2 * j % 7;\n\
        #pragma acc parallel copyin(a) copy(b) num_gangs(3, 5)\n\
        #pragma acc loop\n\
        for (int i = 0; i < 300; i++)\n\
            #pragma acc loop\n\
            for (int j = i; j < 300; j++) { b[i][j] = 0; for (int k = 0; k < 300; k++) b[i][j] += a[k][i] * a[k][j]; b[j][i] = b[i][j]; }\n\
        for (int i = 0; i < 300; i++) for (int j = 0; j < 300; j++) s += b[i][j] / (1 + i + j % 3);\n\
        printf(\"%.9g\\n\", s); return 0; }\n";
    let serial = compiled(&tools, folder.path(), &["-w", "-O1"], source);
    let expected = run(&tools, &serial, &[]);
    let program = compiled(&tools, folder.path(), &["-ta=nvidia", "-w"], source);
    let log = folder.path().join("log");
    let found = run(&tools, &program, &[("CUDA_ON_HOST_LOG", &log.to_string_lossy())]);
    assert_eq!(text(&found.stdout), text(&expected.stdout), "{}", text(&found.stderr));
    let log = std::fs::read_to_string(log).expect("the stand-in's log");
    // 15 gangs: the numbers of both dimensions.
    assert!(log.contains("launch 15x1x1 of 128x1x1"), "{log}");
}

/// Its memory was whatever the GPU had: McStas' generated programs count on what NVIDIA's compilers make of them.
#[test]
fn variables_with_declare_create_begin_as_on_the_host() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let source = "#include <stdio.h>\nint gravity = 7, none;\n#pragma acc declare create(gravity, none)\n\
                  int main(void) { int r[4];\n#pragma acc parallel loop copyout(r)\n\
                  for (int i = 0; i < 4; i++) r[i] = gravity * i + none;\nprintf(\"%d %d\\n\", r[0], r[3]); return 0; }\n";
    let program = compiled(&tools, folder.path(), &["-w", "-ta=nvidia"], source);
    let found = run(&tools, &program, &[]);
    assert_eq!(text(&found.stdout), "0 21\n", "{}", text(&found.stderr));
}

/// `cache` had no effect.
#[test]
fn what_neighbours_read_is_kept_in_the_blocks_memory() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy(programs().join("cached.c"), folder.path().join("p.c")).expect("the program is there");
    let made = tools.cc(&["-ta=nvidia,cc90,keepgpu", "-Minfo=accel", "-c", "p.c"], folder.path());
    let said = text(&made.stderr);
    let kept: Vec<&str> = said.lines().filter_map(|l| l.split_once("Cached references to ")).map(|l| l.1).collect();
    assert_eq!(
        kept,
        [
            "size [66] block of b",
            "size [134] block of b",
            "size [34] block of A",
            "size [34] block of A",
            "size [130] block of p",
            "size [129] block of p",
            "size [34] block of v",
        ]
    );
    let read = |n: usize| std::fs::read_to_string(folder.path().join(format!("p.00{n}.cc90.ptx"))).expect("PTX");
    assert!(read(1).contains("ld.shared.f32") && read(1).contains("bar.sync"), "{}", read(1));
    assert!(!read(7).contains(".shared"), "{}", read(7));
}

/// `tile` was ignored where something is reduced, and where `cache` stands.
#[test]
fn tiles_keep_what_they_read_and_reduce() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy(programs().join("tiles.c"), folder.path().join("p.c")).expect("the program is there");
    let made = tools.cc(&["-ta=nvidia", "-Minfo=accel", "p.c", "-o", "p", "-lm"], folder.path());
    let said = text(&made.stderr);
    let words = ["Cached references to ", "#pragma acc loop "];
    let told: Vec<&str> =
        said.lines().filter_map(|l| words.iter().find_map(|w| l.find(w).map(|at| &l[at..]))).collect();
    insta::assert_snapshot!("tiles_on_gpus", told.join("\n"));
    let program = folder.path().join("p");
    let found = run(&tools, &program, &[]);
    let expected = run(&tools, &program, &[("ACC_DEVICE_TYPE", "host")]);
    assert!(!expected.stdout.is_empty());
    assert_eq!(text(&found.stdout), text(&expected.stdout), "{}", text(&found.stderr));
}

/// Each iteration of a nest that reduces took a division of 64 bits, which is a call on GPUs.
#[test]
fn nests_that_reduce_divide_before_their_loop() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = "float f(int n, int m, long h, const float *a) {\nfloat s = 0;\n\
                   #pragma acc parallel loop collapse(3) reduction(+:s) present(a[0:h*n*m])\n\
                   for (long k = 0; k < h; k++) for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[(k * n + i) * m + j];\n\
                   return s;\n}\n";
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let made = tools.cc(&["-ta=nvidia,cc90,keepgpu", "-c", "p.c"], folder.path());
    assert!(made.status.success(), "{}", text(&made.stderr));
    let ptx = std::fs::read_to_string(folder.path().join("p.001.cc90.ptx")).expect("PTX");
    let kernel =
        ptx.split(".entry").find(|k| k.contains("__unspool") && k.contains("div.")).expect("a kernel that divides");
    let (_, behind) = kernel.split_once("ld.global.f32").expect("a load");
    assert!(!behind.contains("div.") && !behind.contains("rem."), "{kernel}");
}

/// A block's threads waited for each other once for each level of a sum's tree.
#[test]
fn sums_of_blocks_go_from_lane_to_lane() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = "#include <stdio.h>\nstatic double a[1000][77];\nstatic int b[100000];\nint main(void) {\n\
                   for (int i = 0; i < 1000; i++) for (int j = 0; j < 77; j++) a[i][j] = i % 7 - j % 5;\n\
                   for (int i = 0; i < 100000; i++) b[i] = i * 31 % 1009;\n\
                   double all = 0; int most = 0; long sum = 0; unsigned char any = 0;\n\
                   #pragma acc parallel loop gang vector_length(256) reduction(+:all)\n\
                   for (int i = 0; i < 1000; i++) { double s = i;\n#pragma acc loop vector reduction(+:s)\n\
                   for (int j = 0; j < 77; j++) s += a[i][j];\nall += s * (i % 3); }\n\
                   #pragma acc parallel loop vector_length(96) reduction(max:most) reduction(+:sum) reduction(||:any)\n\
                   for (int i = 0; i < 100000; i++) { most = b[i] > most ? b[i] : most; sum += b[i]; any = any || b[i] == 1008; }\n\
                   printf(\"%g %d %ld %d\\n\", all, most, sum, any);\nreturn 0; }\n";
    let serial = compiled(&tools, folder.path(), &["-w", "-O1"], program);
    let serial = run(&tools, &serial, &[]);
    let program = compiled(&tools, folder.path(), &["-ta=nvidia,cc90,keepgpu", "-w"], program);
    assert_eq!(text(&run(&tools, &program, &[]).stdout), text(&serial.stdout));
    let ptx = std::fs::read_to_string(folder.path().join("p.001.cc90.ptx")).expect("PTX");
    let (waits, hands) = (ptx.matches("bar.sync").count(), ptx.matches("shfl.sync.down").count());
    assert!(waits <= 8 && hands > 4, "{waits} {hands}: {ptx}");
}

/// Who runs what, as PGI's and gcc's functions say it.
const POSITIONS: &str = r#"
#include <stdio.h>
#pragma acc routine seq
static int where(void) { return __pgi_gangidx(); }
static int a[6400], b[6400], c[6400];
static int most(const int *x) { int m = 0; for (int i = 0; i < 6400; i++) if (x[i] > m) m = x[i]; return m; }
int main(void) {
    #pragma acc parallel loop gang vector copyout(a, b, c)
    for (int i = 0; i < 6400; i++) { a[i] = __pgi_gangidx(); b[i] = __pgi_vectoridx(); c[i] = where(); }
    int bad = 0, s[3] = { 0 };
    for (int i = 0; i < 6400; i++) bad += a[i] != c[i] || b[i] < 0 || b[i] > 127 || i && a[i] < a[i - 1];
    printf("%d %d\n", bad, most(a) > 1);
    #pragma acc parallel num_gangs(5) num_workers(4) vector_length(32) copyout(a, b, c) copy(s)
    {
        for (int l = 0; l < 3; l++) s[l] = __builtin_goacc_parlevel_size(l);
        #pragma acc loop gang
        for (int i = 0; i < 64; i++) {
            int g = __builtin_goacc_parlevel_id(0);
            #pragma acc loop worker vector
            for (int j = 0; j < 100; j++) {
                int at = i * 100 + j;
                a[at] = g; b[at] = __pgi_workeridx(); c[at] = __builtin_goacc_parlevel_id(2);
            }
        }
    }
    printf("%d %d %d of %d %d %d\n", most(a), most(b), most(c), s[0], s[1], s[2]);
    return __pgi_gangidx();
}
"#;

/// Such programs did not link.
#[test]
fn gangs_workers_and_lanes_know_their_numbers() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = compiled(&tools, folder.path(), &["-ta=multicore,nvidia", "-w"], POSITIONS);
    let on = |device: &str| text(&run(&tools, &program, &[("ACC_DEVICE_TYPE", device)]).stdout);
    assert_eq!(on("host"), "0 0\n0 0 0 of 1 1 1\n");
    assert_eq!(on("multicore"), "0 1\n4 0 0 of 5 1 1\n");
    assert_eq!(on("nvidia"), "0 1\n4 3 31 of 5 4 32\n");
}

/// Why something stays where it is.
const NOT_KEPT: &str = r"
float f(float x);
void k(float *a, float *b, float *restrict c, double *restrict d, int n, int m) {
    #pragma acc parallel loop
    for (int i = 1; i < n - 1; i++) {
        #pragma acc cache(b[i-1:3])
        a[i] = b[i - 1] + b[i + 1];
    }
    #pragma acc parallel loop
    for (int i = n; i > 1; i--) {
        #pragma acc cache(c)
        a[i] = c[i - 1] + c[i + 1];
    }
    #pragma acc parallel loop
    for (int i = 1; i < n; i++) {
        #pragma acc cache(c)
        a[i] = c[2 * i] + c[2 * i + 1];
    }
    #pragma acc parallel loop
    for (int i = 1; i < n; i++) {
        #pragma acc cache(c[0:m])
        a[i] = c[m] + c[m + 1];
    }
    #pragma acc parallel loop
    for (int i = 1; i < n; i++) {
        #pragma acc cache(c[i:2])
        c[i] = c[i] + 1;
    }
    #pragma acc parallel loop
    for (int i = 1; i < n; i++) {
        #pragma acc cache(c[i:2])
        if (m > i) continue;
        a[i] = c[i] + c[i + 1];
    }
    #pragma acc parallel loop vector_length(1024)
    for (int i = 6; i < n; i++) {
        #pragma acc cache(d)
        a[i] = d[i] + d[i + 1] + d[m + i] + d[m + i + 1] + d[2 * m + i] + d[2 * m + i + 1] + d[3 * m + i] + d[3 * m + i + 1]
            + d[4 * m + i] + d[4 * m + i + 1] + d[5 * m + i] + d[5 * m + i + 1];
    }
    float s = 0;
    #pragma acc parallel loop reduction(+:s)
    for (int i = 6; i < n; i++) {
        #pragma acc cache(c)
        s += c[i] * c[i + 1];
    }
    #pragma acc parallel loop
    for (int i = 1; i < n; i++) {
        #pragma acc cache(c)
        a[i] = c[i];
    }
}
";

#[test]
fn what_is_not_kept_says_why() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), NOT_KEPT).expect("a file");
    let told = tools.unspool(&["explain", "-ta=nvidia", "p.c"], folder.path());
    let told = text(&told.stdout);
    let lines = told.lines().skip_while(|l| !l.contains("cache"));
    let why: Vec<&str> = lines.filter_map(|l| l.trim().strip_prefix("unused: ")).collect();
    insta::assert_snapshot!("not_kept", why.join("\n"));
}
