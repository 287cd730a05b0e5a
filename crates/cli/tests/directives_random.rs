//! `unspool cc`: random loop nests with directives have the results that they have without, on the cores and with memory apart,
//! with groups in their order and in the opposite one. A loop that was called parallelizable and is not shows here.
//!
//! Each run of the tests has a few programs; thousands come with `UNSPOOL_ACC_LOOPS=FIRST-LAST cargo nextest run -p unspool-cli
//! --test directives_random`.

#![expect(clippy::print_stderr, reason = "says what was skipped")]

#[path = "tools/loops.rs"]
mod loops;
#[path = "tools/moves.rs"]
mod moves;
#[path = "tools/overlaps.rs"]
mod overlaps;
#[path = "tools/rng.rs"]
mod rng;
mod tools;

use std::path::Path;
use std::process::Command;
use tools::{Tools, text, tools};

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

/// Nests of a program, unless the environment says another number.
fn nests(usual: usize) -> usize {
    let asked = std::env::var("UNSPOOL_ACC_NESTS").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// Runs programs on processors; what went wrong, and all that the compiler said.
fn on_cores(tools: &Tools, kind: loops::Kind, count: usize) -> (Vec<String>, String) {
    let (mut wrong, mut all) = (Vec::new(), String::new());
    for seed in seeds() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = loops::program(seed, count, kind);
        // What went wrong can be looked at.
        let keep = |why: String| {
            if let Some(at) = std::env::var_os("UNSPOOL_ACC_KEEP") {
                std::fs::write(Path::new(&at).join(format!("{seed}.c")), &program).expect("a file");
            }
            why
        };
        std::fs::write(folder.path().join("p.c"), &program).expect("a file");
        let made = tools.cc(&["-acc", "-O1", "-Minfo=accel", "p.c", "-o", "p"], folder.path());
        let said = text(&made.stderr);
        let complaint = ["W0803", "region ignored"].into_iter().find(|w| said.contains(w));
        if complaint.is_some() || !made.status.success() {
            let lines = said.lines().filter(|l| ["error", "W0803", "restriction"].iter().any(|w| l.contains(w)));
            wrong.push(keep(format!("program {seed}: {}", lines.take(5).collect::<Vec<_>>().join(" | "))));
            continue;
        }
        all.push_str(&said);
        for (device, order) in [("multicore", "reverse"), ("discrete", ""), ("discrete", "reverse")] {
            let mut program = Command::new(folder.path().join("p"));
            program.envs([("ACC_DEVICE_TYPE", device), ("UNSPOOL_ACC_ORDER", order), ("ACC_NUM_CORES", "2")]);
            if device == "discrete" {
                program.arg("apart");
            }
            let ran = program.output().expect("the program starts");
            if !ran.status.success() {
                wrong.push(keep(format!(
                    "program {seed} on {device} {order}: {}{}",
                    text(&ran.stdout),
                    text(&ran.stderr)
                )));
            }
        }
    }
    (wrong, all)
}

#[test]
fn loops_in_parallel_do_what_they_do_one_after_another() {
    let Some(tools) = tools() else { return };
    let (wrong, said) = on_cores(&tools, loops::Kind::Any, nests(NESTS));
    let parallel = said.matches("Generating Multicore code").count();
    let serial = said.matches("serial kernel generated").count();
    eprintln!("{parallel} kernels in parallel, {serial} serial");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Nests of which nothing is found to be parallel would prove nothing.
    assert!(parallel > serial / 4, "{parallel} kernels in parallel, {serial} serial");
}

#[test]
fn loops_that_change_places_do_what_they_do_as_they_stand() {
    let Some(tools) = tools() else { return };
    let count = nests(NESTS / 3);
    let (mut wrong, mut said) = on_cores(&tools, loops::Kind::Orders, count);
    let (more, on_gpus) = on_gpus(&tools, loops::Kind::Orders, count);
    wrong.extend(more);
    said.push_str(&on_gpus);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let changed = said.matches("reordered loop nest").count();
    let moved_out = said.matches("loop seq").count();
    eprintln!("{changed} nests in another order, in {moved_out} the outer loop is serial");
    assert!(moved_out > 0 && changed > count, "{changed} {moved_out}");
}

/// Runs programs through their PTX on the stand-in for CUDA's driver; what went wrong, and all that the compiler said.
fn on_gpus(tools: &Tools, kind: loops::Kind, count: usize) -> (Vec<String>, String) {
    let driver = tools.driver().expect("a stand-in for CUDA's driver is built with the tests");
    let (mut wrong, mut all) = (Vec::new(), String::new());
    for seed in seeds() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = loops::program(seed.wrapping_add(1 << 40), count, kind);
        std::fs::write(folder.path().join("p.c"), &program).expect("a file");
        let made = tools.cc(&["-ta=nvidia", "-O1", "-Minfo=accel", "p.c", "-o", "p"], folder.path());
        let said = text(&made.stderr);
        let complaint = ["W0803", "region ignored", "no NVIDIA GPU code"].into_iter().find(|w| said.contains(w));
        let mut bad = match complaint {
            _ if !made.status.success() => said.clone(),
            Some(w) => said.lines().filter(|l| l.contains(w) || l.contains("restriction")).take(5).collect(),
            None => String::new(),
        };
        all.push_str(&said);
        if bad.is_empty() {
            let mut program = Command::new(folder.path().join("p"));
            program.arg("apart").env("UNSPOOL_CUDA_DRIVER", &driver).env_remove("ACC_DEVICE_TYPE");
            let ran = program.output().expect("the program starts");
            if !ran.status.success() {
                bad = format!("{}{}", text(&ran.stdout), text(&ran.stderr));
            }
        }
        if !bad.is_empty() {
            if let Some(at) = std::env::var_os("UNSPOOL_ACC_KEEP") {
                std::fs::write(Path::new(&at).join(format!("gpu{seed}.c")), &program).expect("a file");
            }
            wrong.push(format!("program {seed}: {bad}"));
        }
    }
    (wrong, all)
}

#[test]
fn loops_on_gpus_do_what_they_do_one_after_another() {
    let Some(tools) = tools() else { return };
    let count = nests(NESTS / 3);
    let (wrong, _) = on_gpus(&tools, loops::Kind::Any, count);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn threads_of_gangs_do_what_loops_do_one_after_another() {
    let Some(tools) = tools() else { return };
    let count = nests(NESTS / 3);
    let (wrong, said) = on_gpus(&tools, loops::Kind::Teams, count);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let teams = said.matches("/* threadIdx.x */").count();
    eprintln!("{teams} loops shared by threads");
    // Gangs of which each is one thread would prove nothing.
    assert!(teams > count, "{teams} loops shared by threads");
}

#[test]
fn what_blocks_keep_is_what_threads_would_read() {
    let Some(tools) = tools() else { return };
    let count = nests(NESTS / 2);
    let (wrong, said) = on_gpus(&tools, loops::Kind::Rows, count);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let sizes = || said.lines().filter_map(|l| Some(l.split_once("Cached references to size [")?.1.split_once(']')?.0));
    let (rows, tiles) = (sizes().count(), sizes().filter(|s| s.contains('x')).count());
    eprintln!("{rows} patches, {tiles} of them in two dimensions");
    assert!(rows > count && tiles > 0, "{rows} patches, {tiles} in two dimensions");
}

#[test]
fn sums_in_memory_are_right_wherever_their_pointers_point() {
    let Some(tools) = tools() else { return };
    let driver = tools.driver().expect("a stand-in for CUDA's driver is built with the tests");
    let mut wrong = Vec::new();
    for seed in seeds() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = overlaps::program(seed, nests(NESTS / 3));
        std::fs::write(folder.path().join("p.c"), &program).expect("a file");
        let made = tools.cc(&["-ta=nvidia", "-w", "-O1", "p.c", "-o", "p"], folder.path());
        assert!(made.status.success(), "program {seed}: {}", text(&made.stderr));
        for device in ["multicore", "discrete", "nvidia"] {
            let mut program = Command::new(folder.path().join("p"));
            let ran = program.env("UNSPOOL_CUDA_DRIVER", &driver).env("ACC_DEVICE_TYPE", device).output();
            let ran = ran.expect("the program starts");
            if !ran.status.success() {
                wrong.push(format!("program {seed} on {device}: {}{}", text(&ran.stdout), text(&ran.stderr)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Members of a structure took others along, and brought back what stood between them.
#[test]
fn data_that_moves_at_random_is_where_a_model_has_it() {
    let Some(tools) = tools() else { return };
    let driver = tools.driver().expect("a stand-in for CUDA's driver is built with the tests");
    let mut wrong = Vec::new();
    for seed in seeds() {
        let folder = tempfile::tempdir().expect("a folder");
        let (program, expected) = moves::program(seed);
        std::fs::write(folder.path().join("p.c"), &program).expect("a file");
        let made = tools.cc(&["-ta=nvidia", "-w", "p.c", "-o", "p"], folder.path());
        let mut bad = if made.status.success() { String::new() } else { text(&made.stderr) };
        for device in ["discrete", "nvidia"].into_iter().take_while(|_| made.status.success()) {
            let mut program = Command::new(folder.path().join("p"));
            let ran = program.env("UNSPOOL_CUDA_DRIVER", &driver).env("ACC_DEVICE_TYPE", device).output();
            let ran = ran.expect("the program starts");
            let said = text(&ran.stdout);
            if said != expected {
                let first = said.lines().zip(expected.lines()).find(|(a, b)| a != b);
                bad += &format!("{device}: {first:?} {}", text(&ran.stderr));
            }
        }
        if !bad.is_empty() {
            if let Some(at) = std::env::var_os("UNSPOOL_ACC_KEEP") {
                std::fs::write(Path::new(&at).join(format!("data{seed}.c")), &program).expect("a file");
            }
            wrong.push(format!("program {seed}: {bad}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
