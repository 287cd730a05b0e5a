//! How long a host program waits for its first results: builds a program of six kernels and launches each once, with
//! nothing stored and with everything stored. Prints medians in milliseconds.

use runtime::{Arg, BuildOptions, Cache, Device, HostDevice, HostOptions, NdRange, Run, build};
use source::Session;
use std::time::{Duration, Instant};
use unspool::{Dialect, Input, Options};

const TEXT: &str = include_str!("../../kernels/six.cl");

/// Floats of each buffer.
const N: usize = 4096;

fn main() {
    let times: usize = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(20);
    let cold: Vec<_> = (0..times).map(|_| once(&Cache::off())).collect();
    report("cold", &cold);
    let folder = tempfile::tempdir().expect("a folder");
    let cache = Cache::at(folder.path().join("cache"), 1 << 30);
    report("stored", &[once(&cache)]);
    let warm: Vec<_> = (0..times).map(|_| once(&cache)).collect();
    report("warm", &warm);
}

/// Medians of columns, in milliseconds.
fn report(what: &str, rows: &[Vec<(&'static str, Duration)>]) {
    let mut line = format!("{what:>6}:");
    for (column, (name, _)) in rows[0].iter().enumerate() {
        let mut all: Vec<Duration> = rows.iter().map(|r| r[column].1).collect();
        all.sort();
        line.push_str(&format!("  {name} {:.2}", all[all.len() / 2].as_secs_f64() * 1e3));
    }
    #[allow(clippy::print_stdout)]
    {
        println!("{line}");
    }
}

/// One build and the first launch of each kernel.
fn once(cache: &Cache) -> Vec<(&'static str, Duration)> {
    let device = HostDevice::with_cache(HostOptions::default(), cache.clone()).expect("a host");
    let mut options = Options::host(Dialect::OPENCL);
    options.kernel_info = true;
    let started = Instant::now();
    let how = BuildOptions { options: &options, spelt: "", cache, render: &|_| String::new() };
    let built = build(&Input::text("six.cl", TEXT), &how);
    let program = built.program.expect("it compiles");
    let front = started.elapsed();
    let (mut a, mut b) = (vec![1f32; N], vec![0f32; N]);
    let mut stages = [
        ("vectoriser", Duration::ZERO),
        ("LLVM", Duration::ZERO),
        ("cache", Duration::ZERO),
        ("loading", Duration::ZERO),
    ];
    let mut session = Session::default();
    for kernel in program.kernels() {
        let plane = ["transpose", "mandel"].contains(&kernel.name.as_str());
        let range = NdRange {
            work_dim: if plane { 2 } else { 1 },
            offset: [0; 3],
            global: if plane { [64, 64, 1] } else { [2048, 1, 1] },
            local: if plane { [16, 16, 1] } else { [256, 1, 1] },
        };
        let loaded = device.prepare_range(&program, &kernel.symbol, &range, &mut session).expect("supported");
        for (name, time) in &loaded.prepared().stages {
            stages.iter_mut().filter(|s| s.0 == *name).for_each(|s| s.1 += *time);
        }
        let (x, y) = (Arg::Pointer(a.as_mut_ptr().cast()), Arg::Pointer(b.as_mut_ptr().cast()));
        let (float, number, width) = (2f32.to_le_bytes(), 2048i32.to_le_bytes(), 64i32.to_le_bytes());
        let args: &[Arg<'_>] = match kernel.name.as_str() {
            "saxpy" => &[Arg::Value(&float), x, y],
            "reduce" => &[x, y, Arg::Local(1024)],
            "transpose" => &[x, y, Arg::Value(&width), Arg::Value(&width)],
            "mandel" => &[x, Arg::Value(&width), Arg::Value(&width)],
            _ => &[x, y, Arg::Value(&number)],
        };
        // SAFETY: the kernels stay within 4096 elements, of which nobody else knows.
        unsafe { loaded.launch_range(&range, args, &Run::default()) }.expect("it runs");
    }
    let total = started.elapsed();
    let made: Duration = stages.iter().map(|s| s.1).sum();
    let rest = total.saturating_sub(front + made);
    [("total", total), ("build", front)].into_iter().chain(stages).chain([("rest", rest)]).collect()
}
