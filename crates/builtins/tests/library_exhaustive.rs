//! Unary `float` functions of the library for the host against OpenCL's table of errors: every so-many-th float in the
//! ordinary run, all 2³² of them with `UNSPOOL_EXHAUSTIVE=1`, or `UNSPOOL_EXHAUSTIVE=exp,log` for some functions only
//! (one to five minutes each and core). The library's text is compiled by the system's C compiler.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use target::Target;

/// Functions and the most ulp that OpenCL C 1.2, table 7.1, allows.
const LIMITS: &[(&str, f64)] = &[
    ("sin", 4.0),
    ("cos", 4.0),
    ("tan", 5.0),
    ("sinpi", 4.0),
    ("cospi", 4.0),
    ("tanpi", 6.0),
    ("asin", 4.0),
    ("acos", 4.0),
    ("atan", 5.0),
    ("asinpi", 5.0),
    ("acospi", 5.0),
    ("atanpi", 5.0),
    ("exp", 3.0),
    ("exp2", 3.0),
    ("exp10", 3.0),
    ("expm1", 3.0),
    ("sinh", 4.0),
    ("cosh", 4.0),
    ("tanh", 5.0),
    ("log", 3.0),
    ("log2", 3.0),
    ("log10", 3.0),
    ("log1p", 2.0),
    ("asinh", 4.0),
    ("acosh", 4.0),
    ("atanh", 5.0),
    ("cbrt", 2.0),
    ("rsqrt", 2.0),
    ("erf", 16.0),
    ("erfc", 16.0),
    ("tgamma", 16.0),
];

/// Step through the encodings in the ordinary run; odd, so that every low digit occurs.
const STEP: u64 = 104_729;

/// The measuring program, in a folder of the test's own: tests run beside each other.
fn build(target: Target, test: &str) -> Option<PathBuf> {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("library_exhaustive").join(test);
    std::fs::create_dir_all(&dir).expect("temporary folder");
    let all: Vec<_> = builtins::library::all(target)
        .filter(|f| !matches!(f.location(target).0, "image.c" | "int128.c" | "lanes.c"))
        .collect();
    let order = builtins::library::closure(&all, target);
    let library: String = order.iter().map(|f| f.text(target)).collect();
    let (head, tail) = (include_str!("library_shim.h"), include_str!("library_exhaustive.c"));
    let form = if target.has_wide_library() { "wide" } else { "host" };
    let source = dir.join(form).with_extension("c");
    std::fs::write(&source, format!("{head}\n{library}\n{tail}")).expect("source");
    let program = dir.join(form).with_extension("bin");
    let mut cc = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".to_string()));
    cc.args(["-w", "-O2", "-std=gnu11", "-ffp-contract=off", "-DAPPROX_NOISE=0.0"]);
    if cfg!(target_arch = "x86_64") && std::arch::is_x86_feature_detected!("fma") {
        cc.args(["-mfma", "-msse4.1"]);
    }
    let out = cc.arg(&source).arg("-o").arg(&program).arg("-lm").output().ok()?;
    assert!(out.status.success(), "the library is not C: {}", String::from_utf8_lossy(&out.stderr));
    Some(program)
}

/// The largest error of a function and where it occurs, measured by so many processes at once.
fn measure(program: &Path, name: &str, step: u64, processes: u64) -> (f64, String) {
    let share = (1u64 << 32).div_ceil(processes);
    let start = |n: u64| {
        let (first, last) = (n * share, ((n + 1) * share - 1).min(u64::from(u32::MAX)));
        Command::new(program)
            .args([name, &first.to_string(), &last.to_string(), &step.to_string()])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the measuring program runs")
    };
    let children: Vec<_> = (0..processes).map(start).collect();
    let mut worst = (0.0, String::new());
    for child in children {
        let out = child.wait_with_output().expect("the measuring program ends");
        assert!(out.status.success(), "{name}: {:?}", out.status);
        let text = String::from_utf8(out.stdout).expect("text");
        let (error, at) = text.trim().split_once(' ').expect("two words");
        let error: f64 = error.parse().expect("a number");
        if error > worst.0 {
            worst = (error, at.to_owned());
        }
    }
    worst
}

#[test]
fn host_functions_keep_opencls_limits() {
    keep_limits(Target::host());
}

/// Those that have a form for vectors of 512 bits.
#[test]
fn wide_functions_keep_opencls_limits() {
    keep_limits(Target::here(Some("x86-64-v4")));
}

/// Khronos' tests found 3.16 ulp of `log10` next to 3/8: the product of log2 with log10(2), whose last place is up to four of
/// the result's. OpenCL's relaxed mathematics allows 3 beyond [1/2, 2].
#[test]
fn relaxed_logarithms_keep_opencls_limits() {
    for target in [Target::host(), Target::here(Some("x86-64-v4"))] {
        let Some(program) = build(target, "relaxed") else {
            writeln!(std::io::stderr(), "SKIPPED: no C compiler (cc) on this target").expect("stderr");
            return;
        };
        for name in ["fast_log", "fast_log2", "fast_log10"] {
            // From 1/64 to 1/2, and from 2 to 64.
            for (first, last) in [(0x3c80_0000_u32, 0x3eff_ffff_u32), (0x4000_0001, 0x4280_0000)] {
                let args = [name.to_owned(), first.to_string(), last.to_string(), "17".to_owned()];
                let out = Command::new(&program).args(args).output().expect("the measuring program runs");
                let text = String::from_utf8(out.stdout).expect("text");
                let (error, at) = text.trim().split_once(' ').expect("two words");
                let error: f64 = error.parse().expect("a number");
                assert!(error <= 3.0, "{name} for {target}: {error} ulp at {at}");
            }
        }
    }
}

fn keep_limits(target: Target) {
    let Some(program) = build(target, "limits") else {
        writeln!(std::io::stderr(), "SKIPPED: no C compiler (cc) on this target").expect("stderr");
        return;
    };
    let wanted = std::env::var("UNSPOOL_EXHAUSTIVE").ok();
    let all = wanted.as_deref() == Some("1");
    let names: Vec<&str> = wanted.as_deref().filter(|_| !all).map_or_else(Vec::new, |w| w.split(',').collect());
    for n in &names {
        assert!(LIMITS.iter().any(|(known, _)| known == n), "no function `{n}` to measure");
    }
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let (step, processes) = if wanted.is_some() { (1, cores) } else { (STEP, 1) };
    for &(name, limit) in LIMITS.iter().filter(|(n, _)| names.is_empty() || names.contains(n)) {
        let (error, at) = measure(&program, name, step, processes);
        if wanted.is_some() {
            writeln!(std::io::stderr(), "{name}: {error} ulp at {at} (limit {limit})").expect("stderr");
        }
        assert!(error <= limit, "{name}: {error} ulp at {at} (limit {limit})");
    }
}
