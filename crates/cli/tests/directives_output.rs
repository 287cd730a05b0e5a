//! `unspool cc`: regions print through the C library, in order with what the program prints.

#![expect(clippy::print_stderr, reason = "says what was skipped")]

mod tools;

use tools::{text, tools};

const PRINTING: &str = r#"
#include <stdio.h>
int main(void) {
    int n = 3;
    printf("before\n");
    #pragma acc serial
    for (int i = 0; i < n; i++) printf("%d of %d: %5.2f %s %c %ld %%\n", i, n, i / 3.0, "text", 'a' + i, 1L << 40);
    printf("between\n");
    #pragma acc parallel loop
    for (int i = 0; i < 1000; i++) if (i == 777) printf("found %*d|%-6u|%hhd\n", 6, i, 42u, 300);
    printf("behind\n");
    return 0;
}
"#;

/// Such programs did not link.
#[test]
fn what_regions_print_comes_in_order_with_what_the_program_prints() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), PRINTING).expect("a file");
    let run = |options: &[&str]| {
        let made = tools.cc(&[options, &["-w", "p.c", "-o", "p"]].concat(), folder.path());
        assert!(made.status.success(), "{}", text(&made.stderr));
        text(&std::process::Command::new(folder.path().join("p")).output().expect("the program starts").stdout)
    };
    let expected = run(&[]);
    for device in ["multicore", "discrete", "host"] {
        assert_eq!(run(&["-acc", &format!("-ta={device}")]), expected, "{device}");
    }
}

/// Regions with assertions were left to the host.
#[test]
fn assertions_that_fail_in_regions_say_which() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = "#include <assert.h>\nint main(void) {\n    int n = 100;\n    #pragma acc parallel loop\n    \
                   for (int i = 0; i < 100; i++) assert(i < n - 3);\n    return 0;\n}\n";
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let made = tools.cc(&["-acc", "p.c", "-o", "p"], folder.path());
    assert!(made.status.success() && made.stderr.is_empty(), "{}", text(&made.stderr));
    let ran = std::process::Command::new(folder.path().join("p")).output().expect("the program starts");
    assert_eq!(ran.status.code(), Some(1));
    assert!(text(&ran.stdout).contains("p.c:5: Assertion `i < n - 3' failed."), "{}", text(&ran.stdout));
    assert!(text(&ran.stderr).contains("FATAL ERROR: kernel"), "{}", text(&ran.stderr));
}
