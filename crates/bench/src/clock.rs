//! Medians of repeated compilations.

use crate::Case;
use std::time::{Duration, Instant};
use unspool::{Compilation, Emit, Input, compile_with_log as compile};

/// How long a case took.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// The very first compilation: cold caches, tables touched for the first time.
    pub first: Duration,
    /// Median of the others.
    pub median: Duration,
    /// The fastest.
    pub least: Duration,
    /// Mean processor time of one run, where the system tells: what it would take on a machine with nothing else to do.
    pub cpu: Option<Duration>,
    /// How many were measured.
    pub runs: usize,
    /// Bytes of PTX.
    pub output_bytes: usize,
}

/// Compiles a case to PTX.
///
/// # Panics
/// If it does not compile: a benchmark of an error message is no benchmark.
pub fn compile_case(case: &Case) -> Compilation {
    let result = compile(&Input::text(case.name.clone(), case.text.clone()), &case.options(), &Emit::PTX);
    if !result.succeeded() {
        let words: Vec<String> =
            result.session.diagnostics.iter().map(|d| format!("{}: {}", d.code, d.message)).collect();
        panic!("{} does not compile:\n{}", case.name, words.join("\n"));
    }
    result
}

/// Measures a case: `runs` compilations after the first, each from text to text, including the release of its memory.
pub fn measure(case: &Case, runs: usize) -> Measurement {
    let once = || {
        let start = Instant::now();
        let bytes = compile_case(case).output().map_or(0, |o| o.len());
        (start.elapsed(), bytes)
    };
    let (first, output_bytes) = once();
    let before = processor_time();
    let mut times: Vec<Duration> = (0..runs.max(1)).map(|_| once().0).collect();
    let cpu = before.zip(processor_time()).map(|(a, b)| b.saturating_sub(a) / times.len() as u32);
    times.sort_unstable();
    Measurement { first, median: times[times.len() / 2], least: times[0], cpu, runs: times.len(), output_bytes }
}

/// Time that this thread has spent on a processor.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// Median time of each stage over `runs` compilations, in pipeline order.
pub fn stages(case: &Case, runs: usize) -> Vec<(&'static str, Duration)> {
    let mut order: Vec<(&'static str, Vec<Duration>)> = Vec::new();
    for _ in 0..runs.max(1) {
        for t in compile_case(case).timings.iter().filter(|t| !t.is_pass) {
            match order.iter_mut().find(|(name, _)| *name == t.name) {
                Some((_, times)) => times.push(t.time),
                None => order.push((t.name, vec![t.time])),
            }
        }
    }
    let median = |mut v: Vec<Duration>| {
        v.sort_unstable();
        v[v.len() / 2]
    };
    order.into_iter().map(|(name, times)| (name, median(times))).collect()
}

/// Total time of each optimiser pass in one compilation, the dearest first. Watching the passes costs time of its own,
/// so these are shares, not figures to add up.
pub fn passes(case: &Case) -> Vec<(&'static str, u32, Duration)> {
    let mut options = case.options();
    options.time = true;
    let result = compile(&Input::text(case.name.clone(), case.text.clone()), &options, &Emit::PTX);
    let mut out: Vec<_> = result.timings.iter().filter(|t| t.is_pass).map(|t| (t.name, t.runs, t.time)).collect();
    out.sort_by_key(|&(_, _, time)| std::cmp::Reverse(time));
    out
}
