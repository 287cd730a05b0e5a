//! `unspool cc`: every program under `tests/directives` prints with directives, on each device, what it prints without; its
//! `-Minfo` is the committed one. Skipped, visibly, without a C compiler, `unspool-host` or the run-time library.

#![expect(clippy::print_stderr, reason = "says what was skipped")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What the tests need of this machine.
struct Tools {
    unspool: PathBuf,
    library: PathBuf,
}

fn tools() -> Option<Tools> {
    let unspool = option_env!("CARGO_BIN_EXE_unspool-host").map(PathBuf::from).filter(|p| p.is_file());
    let Some(unspool) = unspool else {
        eprintln!("SKIPPED: no unspool-host (it needs LLVM 19)");
        return None;
    };
    // The static library of the crate that is a development dependency of this one: the newest.
    let deps = unspool.parent()?.join("deps");
    let is_library = |p: &PathBuf| {
        let name = p.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with("libunspool_acc") && name.ends_with(".a")
    };
    let all = std::fs::read_dir(deps).ok()?.flatten().map(|e| e.path()).filter(is_library);
    let Some(library) = all.max_by_key(|p| p.metadata().and_then(|m| m.modified()).ok()) else {
        eprintln!("SKIPPED: no libunspool_acc.a");
        return None;
    };
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("SKIPPED: no C compiler (`cc`)");
        return None;
    }
    Some(Tools { unspool, library })
}

impl Tools {
    fn cc(&self, words: &[&str], folder: &Path) -> Output {
        let mut c = Command::new(&self.unspool);
        c.arg("cc").args(words).current_dir(folder).env("UNSPOOL_ACC_LIB", &self.library);
        c.output().expect("unspool-host starts")
    }
}

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/directives")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

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
    data_regions
    deep_copy
    parallel_loops
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
    let tools = tools()?;
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let made = tools.cc(&["-acc=discrete", "p.c", "-o", "p"], folder.path());
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
