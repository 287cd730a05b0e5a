//! `unspool cc`: random loop nests with directives have the results that they have without, on the cores and with memory apart,
//! with groups in their order and in the opposite one. A loop that was called parallelizable and is not shows here.
//!
//! Each run of the tests has a few programs; thousands come with `UNSPOOL_ACC_LOOPS=FIRST-LAST cargo nextest run -p unspool-cli
//! --test directives_random`.

#![expect(clippy::print_stderr, reason = "says what was skipped")]

#[path = "tools/loops.rs"]
mod loops;
mod tools;

use std::process::Command;
use tools::{text, tools};

/// Nests of a program.
const NESTS: usize = 24;

/// Seeds to run.
fn seeds() -> std::ops::RangeInclusive<u64> {
    let asked = std::env::var("UNSPOOL_ACC_LOOPS").ok();
    let two = asked.as_deref().and_then(|a| a.split_once('-'));
    match two.and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?))) {
        Some((a, b)) => a..=b,
        None => 1..=3,
    }
}

#[test]
fn loops_in_parallel_do_what_they_do_one_after_another() {
    let Some(tools) = tools() else { return };
    let (mut wrong, mut parallel, mut serial) = (Vec::new(), 0, 0);
    for seed in seeds() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("p.c"), loops::program(seed, NESTS)).expect("a file");
        let made = tools.cc(&["-acc", "-O1", "-Minfo=accel", "p.c", "-o", "p"], folder.path());
        let said = text(&made.stderr);
        assert!(made.status.success(), "program {seed}: {said}");
        assert!(!said.contains("W0803"), "program {seed}: no assertion of it is wrong: {said}");
        assert!(!said.contains("region ignored"), "program {seed}: {said}");
        parallel += said.matches("Generating Multicore code").count();
        serial += said.matches("serial kernel generated").count();
        for (device, order) in [("multicore", "reverse"), ("discrete", ""), ("discrete", "reverse")] {
            let mut program = Command::new(folder.path().join("p"));
            program.envs([("ACC_DEVICE_TYPE", device), ("UNSPOOL_ACC_ORDER", order), ("ACC_NUM_CORES", "2")]);
            let ran = program.output().expect("the program starts");
            if !ran.status.success() {
                wrong.push(format!("program {seed} on {device} {order}: {}{}", text(&ran.stdout), text(&ran.stderr)));
            }
        }
    }
    eprintln!("{parallel} kernels in parallel, {serial} serial");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Nests of which nothing is found to be parallel would prove nothing.
    assert!(parallel > serial / 4, "{parallel} kernels in parallel, {serial} serial");
}
