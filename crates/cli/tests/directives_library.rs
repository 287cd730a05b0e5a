//! The run-time library of directives: `openacc.h`, `acc_prof.h`, queues, threads, and what it tells of a run.

#![expect(clippy::print_stderr, reason = "says what was skipped")]

mod tools;

use std::process::Command;
use tools::ran::{prints, run, says};
use tools::{text, tools};
const TIP10: &str = "float a[100], b[100];\nvoid testgpu1(int n) {\n#pragma acc region copyin(a[0:99]) copy(b[0:99])\n{\n\
                     for (int i = 1; i < n; ++i)\nb[i] += a[i];\n}\n}\nint main(void) { for (int k = 0; k < 10; k++) testgpu1(100); \
                     return 0; }\n";

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

/// A picture of the same: phases, regions, queues; where it cannot be written the program says so, and ends as it would.
#[test]
fn the_plot_shows_phases_regions_and_queues() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("time-%p.svg");
    let program = "int a[1000]; int main(void) {\n#pragma acc data copy(a)\n{\n#pragma acc parallel loop async(3)\n\
                   for (int i = 0; i < 1000; i++) a[i] = i;\n#pragma acc update self(a) async(3)\n#pragma acc wait\n}\n\
                   return a[7] != 7; }\n";
    let Some((_, said)) = says(&["-acc=discrete"], &[("UNSPOOL_ACC_PLOT", &file.to_string_lossy())], program) else {
        return;
    };
    assert_eq!(said, "");
    let written = std::fs::read_dir(folder.path()).expect("a folder").next().expect("a file").expect("an entry");
    let name = written.file_name().to_string_lossy().into_owned();
    assert!(name.starts_with("time-") && !name.contains('%'), "{name}");
    let plot = std::fs::read_to_string(written.path()).expect("a text");
    for wanted in
        ["on discrete", ">kernels</text>", "p.c:2 main</text>", "p.c:4 main</text>", "p.c:6 main</text>", "async(3)"]
    {
        assert!(plot.contains(wanted), "{wanted} in {plot}");
    }
    let nowhere = folder.path().join("none/time.svg");
    let Some((_, said)) = says(&["-acc=discrete"], &[("UNSPOOL_ACC_PLOT", &nowhere.to_string_lossy())], program) else {
        return;
    };
    assert!(said.starts_with("UNSPOOL_ACC_PLOT: `") && said.contains("cannot be written"), "{said}");
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

/// Events that `acc_prof.h` names never came: a device was made ready for nobody but who asked for it.
#[test]
fn each_event_comes_and_each_start_has_its_end() {
    let Some((_, said)) = prints(&["-acc=discrete", "-rdynamic"], include_str!("library/events.c")) else { return };
    assert_eq!(said, "over\n");
}

/// Each function of `openacc.h`, once.
#[test]
fn each_function_of_the_library_does_what_it_says() {
    for device in ["-acc=discrete", "-acc=multicore", "-acc=host"] {
        let Some((made, said)) = prints(&[device], include_str!("library/openacc.c")) else { return };
        assert_eq!((made.as_str(), said.as_str()), ("", "all is well\n"), "{device}");
    }
}

/// Every function that the header declares stands in that program.
#[test]
fn every_function_of_the_library_is_called() {
    let header = include_str!("../../accrt/include/openacc.h");
    let names = header.split(['*', ' ']).filter_map(|w| w.split_once('(')).map(|(name, _)| name);
    let names: Vec<&str> = names.filter(|n| n.starts_with("acc_")).collect();
    assert!(names.len() > 60, "{names:?}");
    let program = include_str!("library/openacc.c");
    let missing: Vec<_> = names.into_iter().filter(|n| !program.contains(&format!("{n}("))).collect();
    assert!(missing.is_empty(), "{missing:?}");
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

/// A library that was loaded as the program ran had a present table of its own.
#[test]
fn libraries_that_are_loaded_share_the_present_table() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let library = "int twice(double *a, int n) {\n#pragma acc parallel loop present(a[0:n])\nfor (int i = 0; i < n; i++) a[i] *= 2;\nreturn n;\n}\n";
    let program = "#include <dlfcn.h>\n#include <stdio.h>\nint main(void) {\ndouble a[9] = { 1, 2, 3 };\n\
                   int (*twice)(double *, int) = (int (*)(double *, int))dlsym(dlopen(\"./p.so\", RTLD_NOW), \"twice\");\n\
                   #pragma acc data copy(a)\ntwice(a, 9);\nprintf(\"%g\\n\", a[2]);\n}\n";
    for (name, source, options) in
        [("p.c", library, ["-shared", "-fPIC", "-o", "p.so"]), ("m.c", program, ["-o", "m", "-O1", "-w"])]
    {
        std::fs::write(folder.path().join(name), source).expect("a file");
        let words: Vec<&str> = ["-acc=discrete", name].into_iter().chain(options).collect();
        let made = tools.cc(&words, folder.path());
        assert!(made.status.success(), "{}", text(&made.stderr));
    }
    // The library is a tool without a function to register, too.
    let ran = Command::new("./m").current_dir(folder.path()).env("ACC_PROFLIB", "./p.so").output().expect("it starts");
    assert_eq!(text(&ran.stdout), "6\n", "{}", text(&ran.stderr));
    assert!(text(&ran.stderr).contains("has no acc_register_library"), "{}", text(&ran.stderr));
}
