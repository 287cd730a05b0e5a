//! Random source programs through the whole compiler: long runs, single seeds, reduction.
//!
//!   cargo run --profile fast -p unspool-filetests --example source -- --seeds 0..10000 [--jobs N] [--reduce] [--show]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command")]

use filetests::sourcegen::execute::{Executor, Fault, Share, Way, ways};
use filetests::sourcegen::{make, print, reduce};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The longest that one program may take, in all ways together, on a busy machine.
const HANG: Duration = Duration::from_secs(90);

struct Settings {
    first: u64,
    end: u64,
    jobs: usize,
    reduce: bool,
    show: bool,
    /// Failures after which to stop.
    most: usize,
    share: Share,
}

fn usage() -> ! {
    eprintln!(
        "usage: source [--seeds A..B] [--jobs N] [--reduce] [--show] [--failures N] [--host PERCENT] [--ptx PERCENT] [--gpu PERCENT]"
    );
    std::process::exit(2);
}

fn settings() -> Settings {
    let mut s = Settings { first: 0, end: 1000, jobs: 1, reduce: false, show: false, most: 20, share: Share::DEFAULT };
    let mut args = std::env::args().skip(1);
    while let Some(a) = args.next() {
        let mut number = || args.next().and_then(|v| v.parse().ok()).unwrap_or_else(|| usage());
        match a.as_str() {
            "--reduce" => s.reduce = true,
            "--show" => s.show = true,
            "--jobs" => s.jobs = number() as usize,
            "--failures" => s.most = number() as usize,
            "--host" => s.share.host = number(),
            "--ptx" => s.share.ptx = number(),
            "--gpu" => s.share.gpu = number(),
            "--seeds" => {
                let text = args.next().unwrap_or_else(|| usage());
                let parse = |t: &str| t.parse::<u64>().unwrap_or_else(|_| usage());
                (s.first, s.end) = match text.split_once("..") {
                    Some((a, b)) => (parse(a), parse(b)),
                    None => (parse(&text), parse(&text) + 1),
                };
            }
            _ => usage(),
        }
    }
    s
}

/// What all jobs count together.
#[derive(Default)]
struct Tally {
    /// What the jobs are at.
    busy: BTreeMap<usize, (u64, Instant)>,
    ways: BTreeMap<String, u64>,
    failures: Vec<(u64, Way, Fault)>,
    too_long: u64,
    gone: usize,
    ended: bool,
    time: BTreeMap<&'static str, Duration>,
}

fn main() {
    let s = settings();
    if s.show {
        for seed in s.first..s.end {
            println!("// seed {seed}\n{}", print::program(&make::program(seed)));
        }
        return;
    }
    let start = Instant::now();
    let next = AtomicU64::new(s.first);
    let tally = Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        let (s, next, tally) = (&s, &next, &tally);
        for n in 0..s.jobs.max(1) {
            scope.spawn(move || job(n, s, next, tally, start));
        }
        scope.spawn(move || watch(tally));
    });
    let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!("{} programs in {:.0?}", s.end - s.first, start.elapsed());
    for (way, n) in &tally.ways {
        println!("  {n:8} {way}");
    }
    for (stage, t) in &tally.time {
        println!("  {t:8.1?} in {stage}");
    }
    println!("{} too long, {} failures", tally.too_long, tally.failures.len());
    std::process::exit(i32::from(!tally.failures.is_empty()));
}

/// Ends the process where a program takes so long that a compiler or its code must hang.
fn watch(tally: &Mutex<Tally>) {
    loop {
        std::thread::sleep(Duration::from_millis(200));
        let t = tally.lock().unwrap_or_else(PoisonError::into_inner);
        if t.ended {
            return;
        }
        if let Some((seed, _)) = t.busy.values().find(|(_, since)| since.elapsed() > HANG) {
            println!("seed {seed}: hangs: not done after {HANG:?}");
            std::process::exit(3);
        }
    }
}

fn job(n: usize, s: &Settings, next: &AtomicU64, tally: &Mutex<Tally>, start: Instant) {
    let executor = Executor::new();
    loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= s.end {
            let mut t = tally.lock().unwrap_or_else(PoisonError::into_inner);
            t.busy.remove(&n);
            t.gone += 1;
            t.ended = t.gone == s.jobs.max(1);
            return;
        }
        let t = Instant::now();
        if !s.reduce {
            tally.lock().unwrap_or_else(PoisonError::into_inner).busy.insert(n, (seed, t));
        }
        let done = one(&executor, seed, &s.share, tally, t);
        if seed.is_multiple_of(1000) && seed > s.first {
            eprintln!("seed {seed}: {:.0?}", start.elapsed());
        }
        if let Err((way, fault)) = done {
            let stop = {
                let mut t = tally.lock().unwrap_or_else(PoisonError::into_inner);
                if fault == Fault::TooLong {
                    t.too_long += 1;
                    continue;
                }
                println!("seed {seed}: {way:?}: {fault:?}");
                t.failures.push((seed, way, fault.clone()));
                t.failures.len() >= s.most
            };
            if s.reduce {
                let small = reduced(&executor, seed, way, &fault);
                println!("{small}");
            }
            if stop {
                next.store(s.end, Ordering::Relaxed);
            }
        }
    }
}

fn one(
    executor: &Executor,
    seed: u64,
    share: &Share,
    tally: &Mutex<Tally>,
    mut since: Instant,
) -> Result<(), (Way, Fault)> {
    let mut count = |way: Way, stage: &'static str, ran: bool| {
        let mut t = tally.lock().unwrap_or_else(PoisonError::into_inner);
        *t.time.entry(stage).or_default() += since.elapsed();
        since = Instant::now();
        *t.ways.entry(format!("{way:?}")).or_default() += u64::from(ran);
    };
    let program = make::program(seed);
    let expected = executor.reference(&program).map_err(|f| (Way::Reference, f))?;
    count(Way::Reference, "reference", true);
    for way in ways(seed, share) {
        let stage = match way {
            Way::Reference => "reference",
            Way::Interpreter(..) => "interpreter",
            Way::SideBySide => "side by side",
            Way::Host { .. } => "host",
            Way::Ptx(..) => "ptx",
            Way::Gpu(..) => "gpu",
        };
        let ran = executor.check(&program, &expected, way).map_err(|f| (way, f))?;
        count(way, stage, ran);
    }
    Ok(())
}

fn reduced(executor: &Executor, seed: u64, way: Way, fault: &Fault) -> String {
    let kind = fault.kind();
    let mut fails = |p: &filetests::sourcegen::tree::Program| match executor.reference(p) {
        Err(f) => way == Way::Reference && f.kind() == kind,
        Ok(expected) => executor.check(p, &expected, way).is_err_and(|f| f.kind() == kind),
    };
    let small = reduce::reduce(make::program(seed), Duration::from_secs(90), &mut fails);
    let launch = &small.launch;
    format!("// local {:?}, groups {:?}, n {}\n{}", launch.local, launch.groups, launch.n, print::program(&small))
}
