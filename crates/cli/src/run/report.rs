//! What `--time` and `-v` print.

use super::argument::{Argument, Role};
use crate::engine::Placement;
use launch::kernels::KernelInfo;
use launch::{Launch, Prepared};
use serde_json::json;
use std::time::Duration;

/// How long things took.
#[derive(Clone, Debug, Default)]
pub(crate) struct Measured {
    /// From the start of the command to a compiled source.
    pub(crate) front: Duration,
    /// The first launch.
    pub(crate) first: Duration,
    /// From the start of the command to the end of the first launch, without the time that filling the buffers took.
    pub(crate) to_first_result: Duration,
    /// From the source to the end of a launch in a process that has done so before.
    pub(crate) warm: Option<Duration>,
    /// Further launches.
    pub(crate) repeats: Vec<Duration>,
}

impl Measured {
    /// The repeats in order of time; the first launch if there are none.
    fn sorted(&self) -> Vec<Duration> {
        let mut all = if self.repeats.is_empty() { vec![self.first] } else { self.repeats.clone() };
        all.sort_unstable();
        all
    }

    fn median(&self) -> Duration {
        let all = self.sorted();
        let (a, b) = (all[(all.len() - 1) / 2], all[all.len() / 2]);
        (a + b) / 2
    }
}

/// Bytes of all buffers: those that are read and wanted back count twice.
pub(crate) fn traffic(arguments: &[Argument]) -> u64 {
    let buffers = arguments.iter().filter_map(Argument::data);
    buffers.map(|d| if d.role == Role::InOut { 2 } else { 1 } * d.bytes.len() as u64).sum()
}

fn sizes(v: [u64; 3], dims: u32) -> String {
    v[..dims as usize].iter().map(u64::to_string).collect::<Vec<_>>().join(" x ")
}

fn globals(shape: &Launch) -> [u64; 3] {
    std::array::from_fn(|d| shape.range.global[d])
}

/// Billions a second.
fn rate(amount: f64, time: Duration) -> f64 {
    amount / time.as_secs_f64().max(1e-12) / 1e9
}

fn ms(t: Duration) -> String {
    format!("{:.3} ms", t.as_secs_f64() * 1e3)
}

/// How the kernel runs on the machine.
pub(crate) fn vectors(kernel: &KernelInfo, prepared: &Prepared) -> String {
    format!("{}: {}\n", kernel.name, prepared.vectors())
}

/// The same for `--explain`, with what a group keeps in the caches.
pub(crate) fn machine(kernel: &KernelInfo, prepared: &Prepared) -> String {
    let lines = prepared.explain().into_iter().map(|l| format!("    {l}\n"));
    format!("\nkernel `{}` on this machine\n{}\n", kernel.name, lines.collect::<String>())
}

/// Where the machine code comes from, if it could have come from elsewhere.
pub(crate) fn origin(prepared: &Prepared) -> &'static str {
    match prepared.cached {
        Some(true) => "machine code: from the cache\n",
        Some(false) => "machine code: compiled, and stored in the cache\n",
        None => "",
    }
}

/// For people.
pub(crate) fn text(
    kernel: &KernelInfo,
    shape: &Launch,
    placement: &Placement,
    measured: &Measured,
    traffic: u64,
    flops: Option<f64>,
) -> String {
    let dims = shape.range.work_dim;
    let mut out = format!(
        "{}: {} work-items in groups of {}, {} lanes, {} threads, {}\n",
        kernel.name,
        sizes(globals(shape), dims),
        sizes(shape.range.local.map(u64::from), dims),
        placement.kernel.lanes,
        placement.threads,
        placement.device
    );
    let mut row = |name: &str, value: String| out.push_str(&format!("  {name:<16} {value:>14}\n"));
    row("front end", ms(measured.front));
    for (name, time) in &placement.kernel.stages {
        row(name, ms(*time));
    }
    row("first launch", ms(measured.first));
    row("first result", format!("{} after the start, buffers aside", ms(measured.to_first_result)));
    if let Some(warm) = measured.warm {
        row("once more", format!("{} from source to result, in the same process", ms(warm)));
    }
    let median = measured.median();
    if let [least, .., most] = measured.sorted().as_slice() {
        row(
            &format!("median of {}", measured.repeats.len()),
            format!("{} ({} to {})", ms(median), ms(*least), ms(*most)),
        );
    }
    row("memory", format!("{:.2} GB/s (each buffer once, in and out twice)", rate(traffic as f64, median)));
    if let Some(f) = flops {
        let all = f * shape.range.items() as f64;
        row("arithmetic", format!("{:.2} GFLOP/s ({f} operations a work-item, as given)", rate(all, median)));
    }
    out
}

/// For programs: one line; times in seconds.
pub(crate) fn json(
    kernel: &KernelInfo,
    shape: &Launch,
    placement: &Placement,
    measured: &Measured,
    traffic: u64,
    flops: Option<f64>,
) -> String {
    let seconds = |t: Duration| t.as_secs_f64();
    let all = measured.sorted();
    let median = measured.median();
    let stages: serde_json::Map<String, serde_json::Value> =
        placement.kernel.stages.iter().map(|(name, t)| ((*name).to_owned(), json!(seconds(*t)))).collect();
    let value = json!({
        "kernel": kernel.display,
        "global": globals(shape),
        "local": shape.range.local,
        "device": placement.device,
        "threads": placement.threads,
        "lanes": placement.kernel.lanes,
        "reason": placement.kernel.reason,
        "front_end": seconds(measured.front),
        "stages": stages,
        "first_launch": seconds(measured.first),
        "first": seconds(measured.to_first_result),
        "warm": measured.warm.map(seconds),
        "repeats": measured.repeats.len(),
        "median": seconds(median),
        "least": all.first().map(|t| seconds(*t)),
        "most": all.last().map(|t| seconds(*t)),
        "gigabytes_per_second": rate(traffic as f64, median),
        "gigaflops": flops.map(|f| rate(f * shape.range.items() as f64, median)),
    });
    format!("{value}\n")
}
