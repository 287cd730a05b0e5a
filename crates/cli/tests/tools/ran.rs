//! Programs that tests compile and run.

#![allow(dead_code, reason = "not every test needs all of it")]

use super::{text, tools};
use std::path::Path;
use std::process::{Command, Output};

/// Runs a program with few threads, as others test beside it.
pub(crate) fn run(program: &Path) -> Output {
    Command::new(program).env("ACC_NUM_CORES", "2").output().expect("the program starts")
}

/// Compiles a text for the device with memory apart and runs it: what it says, and whether it succeeded.
pub(crate) fn fails(program: &str) -> Option<String> {
    fails_with(&["-acc=discrete"], program)
}

/// The same with other options.
pub(crate) fn fails_with(options: &[&str], program: &str) -> Option<String> {
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

/// Compiles a program and runs it: what the compiler says, and what the program did.
pub(crate) fn ran(options: &[&str], environment: &[(&str, &str)], program: &str) -> Option<(String, Output)> {
    let tools = tools()?;
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.c"), program).expect("a file");
    let words: Vec<&str> = options.iter().copied().chain(["p.c", "-o", "p", "-lm"]).collect();
    let made = tools.cc(&words, folder.path());
    assert!(made.status.success(), "{}", text(&made.stderr));
    let mut c = Command::new(folder.path().join("p"));
    let ran = c.env("ACC_NUM_CORES", "2").envs(environment.iter().copied()).output().expect("the program starts");
    Some((text(&made.stderr), ran))
}

/// Compiles and runs a program: what it and the compiler say on standard error.
pub(crate) fn says(options: &[&str], environment: &[(&str, &str)], program: &str) -> Option<(String, String)> {
    let (said, ran) = ran(options, environment, program)?;
    assert!(ran.status.success(), "{}", text(&ran.stderr));
    Some((said, text(&ran.stderr)))
}

/// Compiles and runs a program: what the compiler says, and what it prints.
pub(crate) fn prints(options: &[&str], program: &str) -> Option<(String, String)> {
    let (said, ran) = ran(options, &[], program)?;
    assert!(ran.status.success(), "{}{}", text(&ran.stdout), text(&ran.stderr));
    Some((said, text(&ran.stdout)))
}

/// Compiles and runs a program: what it prints.
pub(crate) fn says_out(options: &[&str], program: &str) -> Option<String> {
    Some(text(&ran(options, &[], program)?.1.stdout))
}
