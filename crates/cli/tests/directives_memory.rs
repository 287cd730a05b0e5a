//! `unspool cc -gpu=managed` and `-gpu=unified`: structures of pointers, lists and rows work on devices without a clause, since
//! nothing of them is copied.

#![expect(clippy::print_stderr, reason = "says what was skipped")]

mod tools;

use std::path::Path;
use std::process::{Command, Output, Stdio};
use tools::{Tools, text, tools};

/// A list, rows of different lengths, names and a buffer that grows, all of them allocated in every way there is, in a structure that no
/// clause names; clauses that name some of it besides.
const STRUCTURES: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <malloc.h>
struct node { double v; struct node *next; };
struct all { int n; double **row; struct node *list; char *name, *part; };
static char *cfree(int n) { static char own[100]; return n < 100 ? own : 0; }
int main(void) {
    struct all *m = malloc(sizeof *m);
    m->n = 300, m->name = strdup("abc"), m->part = strndup("xyz", 1), m->list = NULL;
    m->row = calloc(m->n, sizeof *m->row);
    for (int i = 0; i < m->n; i++) {
        m->row[i] = i % 3 ? malloc((i + 1) * sizeof(double)) : aligned_alloc(64, (i + 8) / 8 * 64);
        for (int j = 0; j <= i; j++) m->row[i][j] = i + j;
    }
    for (int i = 0; i < 50; i++) {
        struct node *k = malloc(sizeof *k);
        k->v = i, k->next = m->list, m->list = k;
    }
    double total = 0;
    #pragma acc parallel loop reduction(+:total)
    for (int i = 0; i < m->n; i++) {
        double s = m->name[1] + m->part[0];
        for (int j = 0; j <= i; j++) m->row[i][j] *= 2, s += m->row[i][j];
        for (struct node *k = m->list; k; k = k->next) s += k->v;
        total += s;
    }
    printf("%g %g\n", total, m->row[7][7]);
    double *x = NULL, *on_device;
    size_t room = 0, n = 0;
    for (int i = 0; i < 100000; i++) {
        if (n == room) room = room ? 2 * room : 16, x = realloc(x, room * sizeof *x);
        x[n++] = i;
    }
    x = reallocarray(x, n, sizeof *x);
    int stack[100];
    for (int i = 0; i < 100; i++) stack[i] = i;
    #pragma acc enter data copyin(x[0:n])
    #pragma acc parallel loop present(x[0:n]) copy(stack)
    for (size_t i = 0; i < n; i++) {
        x[i] += 1;
        if (i < 100) stack[i] += x[i];
    }
    #pragma acc update self(x[0:10])
    #pragma acc exit data copyout(x[0:n])
    #pragma acc host_data use_device(x)
    on_device = x;
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i];
    printf("%g %d %d %d\n", sum, stack[99], on_device == x, cfree(3) == cfree(4));
    for (int i = 0; i < m->n; i++) free(m->row[i]);
    while (m->list) {
        struct node *k = m->list;
        m->list = k->next, free(k);
    }
    free(m->row), free(m->name), free(m->part), free(x);
    void (*later)(void *) = free;
    later(m);
    char *line = malloc(4);
    size_t size = 4;
    while (getline(&line, &size, stdin) > 0) printf("<%s>", line);
    free(line);
    void *a, *b = memalign(4096, 10);
    if (posix_memalign(&a, 256, 1000)) return 1;
    printf("%d %d\n", (int)((size_t)a % 256), (int)((size_t)b % 4096));
    free(a), free(b);
    printf("%d\n", malloc((size_t)-1 / 2) == NULL && calloc((size_t)-1, 8) == NULL);
    return 0;
}
"#;

/// Pointers from the stack to variables at file scope: with `unified` alone.
const STACK: &str = r#"
#include <stdio.h>
static double table[100];
struct view { double *of; int n; };
struct views { struct view *first; int n; };
int main(void) {
    struct view v[3] = { { table, 10 }, { table + 10, 20 }, { table + 30, 70 } };
    struct views all = { v, 3 };
    for (int i = 0; i < 100; i++) table[i] = i;
    double total = 0;
    #pragma acc parallel loop reduction(+:total)
    for (int i = 0; i < all.n; i++)
        for (int j = 0; j < all.first[i].n; j++) total += all.first[i].of[j] *= 2;
    printf("%g %g\n", total, table[99]);
    return 0;
}
"#;

fn compiled(tools: &Tools, folder: &Path, options: &[&str], source: &str) -> Output {
    std::fs::write(folder.join("p.c"), source).expect("a file");
    let words: Vec<&str> = options.iter().copied().chain(["-w", "p.c", "-o", "p"]).collect();
    let made = tools.cc(&words, folder);
    assert!(made.status.success(), "{}", text(&made.stderr));
    made
}

/// What a program prints on a device, with its exit status.
fn printed(tools: &Tools, folder: &Path, device: &str, gpu: &str) -> String {
    let driver = tools.driver().expect("a stand-in for CUDA's driver is built with the tests");
    std::fs::write(folder.join("in"), "hello\na longer line than before\n").expect("a file");
    let input = std::fs::File::open(folder.join("in")).expect("a file");
    let mut c = Command::new(folder.join("p"));
    c.env("UNSPOOL_CUDA_DRIVER", driver).env("UNSPOOL_THREADS", "2").env("ACC_DEVICE_TYPE", device);
    let ran = c.env("CUDA_ON_HOST_UNIFIED", gpu).stdin(Stdio::from(input)).output().expect("the program starts");
    format!("{}{} {}", text(&ran.stdout), ran.status, text(&ran.stderr))
}

#[test]
fn what_programs_allocate_is_the_device_s_too() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    compiled(&tools, folder.path(), &["-noacc"], STRUCTURES);
    let serial = printed(&tools, folder.path(), "host", "0");
    for option in ["-gpu=managed", "-ta=tesla:managed", "-gpu=mem:unified"] {
        for optimised in ["-O0", "-O2"] {
            let made = compiled(&tools, folder.path(), &["-acc", "-ta=nvidia", option, optimised], STRUCTURES);
            assert_eq!(text(&made.stderr), "", "nothing to say about {option}");
            for (device, gpu) in [("multicore", "0"), ("discrete", "0"), ("nvidia", "0"), ("nvidia", "1")] {
                assert_eq!(
                    printed(&tools, folder.path(), device, gpu),
                    serial,
                    "{option} {optimised} on {device} {gpu}"
                );
            }
        }
    }
}

#[test]
fn with_unified_memory_the_stack_is_the_device_s_too() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    compiled(&tools, folder.path(), &["-acc", "-ta=nvidia", "-gpu=unified"], STACK);
    for (device, gpu) in [("host", "0"), ("multicore", "0"), ("discrete", "0"), ("nvidia", "1")] {
        let said = printed(&tools, folder.path(), device, gpu);
        assert!(said.starts_with("9900 198\n"), "{device}: {said}");
    }
}

#[test]
fn objects_that_the_linker_optimises_copy_their_data() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let source = "int main(void) { return 0; }\n";
    let made = compiled(&tools, folder.path(), &["-acc", "-ta=nvidia", "-gpu=managed", "-flto"], source);
    assert!(text(&made.stderr).contains("with `-flto` no memory is shared"), "{}", text(&made.stderr));
}

/// Copies of 24 MB and 9 MB that go both ways, until they are in pieces, in queues and at once; the host changes what it has copied.
const COPIES: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    enum { n = 3000001, m = 1130003 };
    double *a = malloc(n * sizeof *a), *b = malloc(m * sizeof *b);
    for (int i = 0; i < n; i++) a[i] = i;
    for (int i = 0; i < m; i++) b[i] = -i;
    #pragma acc enter data copyin(a[0:n], b[0:m])
    long wrong = 0;
    for (int t = 1; t < 8; t++) {
        #pragma acc parallel loop present(a[0:n]) async(1)
        for (int i = 0; i < n; i++) a[i] += 1;
        #pragma acc update self(a[0:n]) async(1)
        #pragma acc update device(b[0:m]) async(2)
        for (int i = 0; i < m; i++) b[i] = t;
        #pragma acc parallel loop present(b[0:m]) async(2)
        for (int i = 0; i < m; i++) b[i] *= 2;
        #pragma acc wait
        for (int i = 0; i < n; i++) wrong += a[i] != i + t;
        #pragma acc update self(b[0:m])
        for (int i = 0; i < m; i++) wrong += b[i] != -(double)i * (1 << t);
    }
    printf("%ld\n", wrong);
    return 0;
}
"#;

#[test]
fn large_copies_in_pieces_bring_every_byte() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    compiled(&tools, folder.path(), &["-acc", "-ta=nvidia", "-O1"], COPIES);
    let driver = tools.driver().expect("a stand-in for CUDA's driver is built with the tests");
    for threads in ["0", "2", "3"] {
        let log = folder.path().join(format!("log{threads}"));
        let mut c = Command::new(folder.path().join("p"));
        c.env("UNSPOOL_CUDA_DRIVER", &driver).env("ACC_DEVICE_TYPE", "nvidia").env("CUDA_ON_HOST_LOG", &log);
        let ran = c.env("UNSPOOL_ACC_COPY_THREADS", threads).output().expect("the program starts");
        assert_eq!(text(&ran.stdout), "0\n", "{threads} threads: {}", text(&ran.stderr));
        let log = std::fs::read_to_string(log).expect("a log");
        assert_eq!(log.contains("locked"), threads != "0", "{threads} threads");
        assert_eq!(
            log.contains("upload 2097152") && log.contains("download 2097152"),
            threads != "0",
            "{threads} threads"
        );
    }
}
