//! Accuracy of the builtin library: its text is compiled by the system's C compiler and compared with long double
//! references. The limits stand in `library_accuracy.c`; docs/math.md states the measured errors.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use target::Target;

/// The whole library of a target in order of use.
fn library_text(target: Target) -> String {
    // What needs OpenCL's vectors and address spaces is no C; `runtime/tests/images.rs` and `filetests/run/int128.cu` run it.
    let all: Vec<_> = builtins::library::all(target)
        .filter(|f| !matches!(f.location(target).0, "image.c" | "int128.c" | "lanes.c"))
        .collect();
    let order = builtins::library::closure(&all, target);
    assert_eq!(order.len(), all.len());
    order.iter().map(|f| f.text(target)).collect()
}

fn folder() -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("library_accuracy");
    std::fs::create_dir_all(&dir).expect("temporary folder");
    dir
}

/// Compiles and runs; `None` where there is no compiler or it does not know the flags (other targets than x86-64).
fn measure(dir: &Path, target: Target, noise: &str, samples: u32) -> Option<(bool, String)> {
    let source = dir.join(format!("library_{target}_{}_{}.c", target.has_wide_library(), noise.replace('.', "_")));
    let program = source.with_extension("bin");
    let head = include_str!("library_shim.h");
    let tail = include_str!("library_accuracy.c");
    std::fs::write(&source, format!("{head}\n{}\n{tail}", library_text(target))).expect("source");
    let mut cc = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".to_string()));
    // Optimised for size of compile time; no contraction: the text means what it says.
    cc.args(["-w", "-O1", "-std=gnu11", "-ffp-contract=off", "-fno-builtin-printf"]);
    if cfg!(target_arch = "x86_64") && std::arch::is_x86_feature_detected!("fma") {
        cc.args(["-mfma", "-msse4.1"]);
    }
    cc.arg(format!("-DAPPROX_NOISE={noise}")).arg(format!("-DSAMPLES={samples}"));
    if !target.has_approximate_functions() {
        cc.arg("-DHOST");
    }
    if target.has_wide_library() {
        cc.arg("-DWIDE");
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
    let hosts = [(Target::host(), "0.0"), (Target::here(Some("x86-64-v4")), "0.0")];
    for (target, noise) in [(Target::default(), "0.0"), (Target::default(), "2.0")].into_iter().chain(hosts) {
        let Some((ok, report)) = measure(&folder(), target, noise, samples) else {
            writeln!(std::io::stderr(), "SKIPPED: no C compiler (cc) on this target").expect("stderr");
            return;
        };
        assert!(ok, "{target} with noise {noise}:\n{report}");
        if std::env::var_os("UNSPOOL_ACCURACY_PRINT").is_some() {
            writeln!(std::io::stderr(), "{target}, noise {noise}\n{report}").expect("stderr");
        }
    }
}

#[test]
fn sections_stand_alone() {
    let all = [Target::default(), Target::host(), Target::here(Some("x86-64-v4"))];
    for (target, f) in all.into_iter().flat_map(|m| builtins::library::all(m).map(move |f| (m, f))) {
        let order = builtins::library::closure(&[f], target);
        assert_eq!(*order.last().expect("itself"), f);
        assert!(f.text(target).contains(f.name()), "{} has its own text", f.name());
        assert!(!f.text(target).contains("//"), "{}: comments are stripped", f.name());
        assert!(f.location(target).1 > 0);
    }
}
