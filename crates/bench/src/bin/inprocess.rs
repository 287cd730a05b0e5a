//! Prints as JSON how long unspool takes in this process: the standard inputs with their stages and passes, the
//! growth with program size, and this process's peak memory after compiling the large file.
//!
//! ```text
//! inprocess [--runs N] [--quick] [--only NAME]
//! inprocess --spin NAME SECONDS       compiles one standard input over and over, for a profiler
//! ```

use bench::clock::{Measurement, measure, passes, stages};
use bench::scaled::Axis;
use serde_json::{Value, json};
use std::io::Write as _;
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|a| a == "--spin") {
        return spin(&args[1..]);
    }
    let runs = match args.iter().position(|a| a == "--runs") {
        Some(at) => args.get(at + 1).and_then(|n| n.parse().ok()).unwrap_or(101),
        None => 101,
    };
    let quick = args.iter().any(|a| a == "--quick");
    let only = args.iter().position(|a| a == "--only").and_then(|at| args.get(at + 1));
    let mut inputs = bench::standard();
    inputs.retain(|c| only.is_none_or(|o| c.name == *o));
    // Memory first: the peak never falls.
    let memory: Vec<Value> = inputs
        .iter()
        .map(|c| {
            drop(bench::clock::compile_case(c));
            json!({ "name": c.name, "peak_rss_kib": peak_rss_kib() })
        })
        .collect();
    let cases: Vec<Value> = inputs.iter().map(|c| case(c, runs)).collect();
    let slopes: Vec<Value> = if quick { Vec::new() } else { Axis::ALL.iter().map(|&a| slope(a)).collect() };
    let all = json!({ "runs": runs, "cases": cases, "slopes": slopes, "memory": memory });
    let _ = writeln!(std::io::stdout(), "{all:#}");
    ExitCode::SUCCESS
}

fn micros(d: Duration) -> f64 {
    (d.as_secs_f64() * 1e7).round() / 10.0
}

fn case(c: &bench::Case, runs: usize) -> Value {
    let m = measure(c, runs);
    let stages: Vec<Value> =
        stages(c, runs / 4).into_iter().map(|(n, t)| json!({ "name": n, "us": micros(t) })).collect();
    let passes: Vec<Value> =
        passes(c).into_iter().map(|(n, runs, t)| json!({ "name": n, "runs": runs, "us": micros(t) })).collect();
    json!({
        "name": c.name,
        "lines": c.text.lines().count(),
        "first_us": micros(m.first),
        "median_us": micros(m.median),
        "least_us": micros(m.least),
        "cpu_us": m.cpu.map(micros),
        "output_bytes": m.output_bytes,
        "stages": stages,
        "passes": passes,
    })
}

fn slope(axis: Axis) -> Value {
    let (small, large) = (measure(&axis.case(1), 21), measure(&axis.case(10), 5));
    // Processor time where it is known: what else runs on the machine does not bend it.
    let time = |m: &Measurement| m.cpu.unwrap_or(m.median);
    let ratio = time(&large).as_secs_f64() / time(&small).as_secs_f64();
    json!({
        "axis": axis.name(),
        "from": axis.base(),
        "to": axis.base() * 10,
        "from_us": micros(time(&small)),
        "to_us": micros(time(&large)),
        "ratio": (ratio * 100.0).round() / 100.0,
    })
}

/// Peak resident memory of this process, where the system tells.
fn peak_rss_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn spin(args: &[String]) -> ExitCode {
    let Some(case) = bench::standard().into_iter().find(|c| Some(&c.name) == args.first()) else {
        let _ = writeln!(std::io::stderr(), "name one of the standard inputs, e.g. suite.cu");
        return ExitCode::from(2);
    };
    let seconds = args.get(1).and_then(|s| s.parse().ok()).unwrap_or(5.0);
    let start = Instant::now();
    while start.elapsed().as_secs_f64() < seconds {
        drop(bench::clock::compile_case(&case));
    }
    ExitCode::SUCCESS
}
