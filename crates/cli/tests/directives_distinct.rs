//! `unspool cc`: arrays that a program declares share no memory, and kernels are told so where they know nothing else.

#![expect(clippy::print_stderr, reason = "says what was skipped")]

mod tools;

use tools::{text, tools};

/// The kernels of a program, as text.
fn kernels(program: &str) -> Option<String> {
    let tools = tools()?;
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let mut command = std::process::Command::new(&tools.unspool);
    command.args(["cc", "-acc", "-w", "-c", "p.c"]).current_dir(folder.path()).env("UNSPOOL_CC_KERNELS", "1");
    let made = command.output().expect("unspool-host starts");
    assert!(made.status.success(), "{}", text(&made.stderr));
    Some(text(&made.stderr))
}

const LOOP: &str = "#pragma acc parallel loop\n    for (int i = 1; i < 99; i++)";

/// Two arrays of the file could be the same for the kernel, so that it read again whatever a store may have changed: NPB's BT had seven
/// times as many loads as it needs.
#[test]
fn declared_arrays_are_told_apart() {
    let file = "double a[100], b[100];\ndouble sqrt(double);\n";
    let program =
        format!("{file}void f(int n) {{\n{LOOP} {{ double t = sqrt(b[i]); a[i] = t * n; b[i] += a[i - 1]; }}\n}}\n");
    let Some(said) = kernels(&program) else { return };
    assert!(said.contains("double *restrict a") && said.contains("double *restrict b"), "{said}");
}

/// Where a pointer, a parameter, or what is called may mean one of the arrays, nothing is claimed.
#[test]
fn what_may_be_one_of_the_arrays_is_not_told_apart() {
    let file = "double a[100], b[100];\nstruct s { double *p; } r;\n#pragma acc declare create(a)\n\
                #pragma acc routine seq\nstatic double get(int i) { return a[i]; }\n";
    let bodies = [
        ("int n, double *p", "{ a[i] = p[i] + n; b[i] = p[i + 1]; }"),
        ("int n, double p[100]", "{ a[i] = p[i] + n; b[i] = p[i + 1]; }"),
        ("int n", "{ b[i] = get(i) + n; }"),
    ];
    for (parameters, body) in bodies {
        let Some(said) = kernels(&format!("{file}void f({parameters}) {{\n{LOOP} {body}\n}}\n")) else { return };
        assert!(said.contains("__kernel") && !said.contains("restrict"), "{said}");
    }
}
