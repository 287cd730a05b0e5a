//! Accuracy of the builtin library: its text is compiled by the system's C compiler and compared with long double
//! references. The limits stand in `library_accuracy.c`; docs/math.md states the measured errors.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use target::Machine;

/// The whole library of a machine in order of use.
fn library_text(machine: Machine) -> String {
    // What needs OpenCL's vectors and address spaces is no C; `runtime/tests/images.rs` runs it.
    let all: Vec<_> = builtins::library::all(machine).filter(|f| f.location(machine).0 != "image.c").collect();
    let order = builtins::library::closure(&all, machine);
    assert_eq!(order.len(), all.len());
    order.iter().map(|f| f.text(machine)).collect()
}

fn folder() -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("library_accuracy");
    std::fs::create_dir_all(&dir).expect("temporary folder");
    dir
}

/// Compiles and runs; `None` where there is no compiler or it does not know the flags (other machines than x86-64).
fn measure(dir: &Path, machine: Machine, noise: &str, samples: u32) -> Option<(bool, String)> {
    let source = dir.join(format!("library_{machine:?}_{}.c", noise.replace('.', "_")));
    let program = source.with_extension("bin");
    let head = include_str!("library_shim.h");
    let tail = include_str!("library_accuracy.c");
    std::fs::write(&source, format!("{head}\n{}\n{tail}", library_text(machine))).expect("source");
    let mut cc = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".to_string()));
    // Optimised for size of compile time; no contraction: the text means what it says.
    cc.args(["-w", "-O1", "-std=gnu11", "-ffp-contract=off", "-fno-builtin-printf"]);
    if cfg!(target_arch = "x86_64") && std::arch::is_x86_feature_detected!("fma") {
        cc.args(["-mfma", "-msse4.1"]);
    }
    cc.arg(format!("-DAPPROX_NOISE={noise}")).arg(format!("-DSAMPLES={samples}"));
    if machine.is_host() {
        cc.arg("-DHOST");
    }
    let out = cc.arg(&source).arg("-o").arg(&program).arg("-lm").output().ok()?;
    assert!(out.status.success(), "the library is not C: {}", String::from_utf8_lossy(&out.stderr));
    let out = Command::new(&program).output().expect("the measuring program runs");
    Some((out.status.success(), String::from_utf8_lossy(&out.stdout).into_owned()))
}

#[test]
fn errors_stay_within_their_limits() {
    let samples = std::env::var("UNSPOOL_ACCURACY_SAMPLES").ok().and_then(|s| s.parse().ok()).unwrap_or(20_000);
    // The host has no approximate instructions.
    for (machine, noise) in [(Machine::Gpu, "0.0"), (Machine::Gpu, "2.0"), (Machine::Host, "0.0")] {
        let Some((ok, report)) = measure(&folder(), machine, noise, samples) else {
            writeln!(std::io::stderr(), "SKIPPED: no C compiler (cc) on this machine").expect("stderr");
            return;
        };
        assert!(ok, "{machine:?} with noise {noise}:\n{report}");
        if std::env::var_os("UNSPOOL_ACCURACY_PRINT").is_some() {
            writeln!(std::io::stderr(), "{machine:?}, noise {noise}\n{report}").expect("stderr");
        }
    }
}

#[test]
fn sections_stand_alone() {
    let both = [Machine::Gpu, Machine::Host];
    for (machine, f) in both.into_iter().flat_map(|m| builtins::library::all(m).map(move |f| (m, f))) {
        let order = builtins::library::closure(&[f], machine);
        assert_eq!(*order.last().expect("itself"), f);
        assert!(f.text(machine).contains(f.name()), "{} has its own text", f.name());
        assert!(!f.text(machine).contains("//"), "{}: comments are stripped", f.name());
        assert!(f.location(machine).1 > 0);
    }
}
