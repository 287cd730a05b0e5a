//! How long a host program waits for its first results: builds a program of six kernels and launches each once, with
//! nothing stored and with everything stored. Prints medians in milliseconds.

use runtime::{Arg, BuildOptions, Device, HostDevice, HostOptions, NdRange, Run, build};
use source::Session;
use std::time::{Duration, Instant};
use unspool::{Dialect, Input, Options};

const TEXT: &str = include_str!("../../kernels/six.cl");

/// Floats of each buffer.
const N: usize = 4096;

fn main() {
    let times: usize = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(20);
    let mut rows: Vec<Vec<(&'static str, Duration)>> = Vec::new();
    for _ in 0..times {
        rows.push(once());
    }
    report("cold", &rows);
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
fn once() -> Vec<(&'static str, Duration)> {
    let device = HostDevice::new(HostOptions::default()).expect("a host");
    let mut options = Options::host(Dialect::OPENCL);
    options.kernel_info = true;
    let started = Instant::now();
    let how = BuildOptions { options: &options, spelt: "", render: &|_| String::new() };
    let built = build(&Input::text("six.cl", TEXT), &how);
    let program = built.program.expect("it compiles");
    let front = started.elapsed();
    let (mut a, mut b) = (vec![1f32; N], vec![0f32; N]);
    let (mut vectoriser, mut llvm) = (Duration::ZERO, Duration::ZERO);
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
        for (name, time) in &loaded.facts().stages {
            match *name {
                "vectoriser" => vectoriser += *time,
                _ => llvm += *time,
            }
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
    vec![
        ("total", total),
        ("build", front),
        ("vectoriser", vectoriser),
        ("LLVM", llvm),
        ("rest", total.saturating_sub(front + vectoriser + llvm)),
    ]
}
