//! The timing table (`NVCOMPILER_ACC_TIME`, `PGI_ACC_TIME`, `-ta=…,time`): what regions, kernels and transfers took, by file,
//! function and line, printed at the program's end in one of two layouts; and the same as a [plot](crate::plot).

use crate::fatal::text;
use crate::interface::{DATA, DECLARE, Site};
use crate::plot::{self, Picture, Row};
use crate::spans::{Phase, Span, Spans};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::time::Instant;

/// How the table looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    /// As NVIDIA's compilers print it.
    Today,
    /// As PGI's of 2010 did.
    Pgi,
}

/// What was measured.
pub(crate) enum What {
    /// `reduces`: it puts together what the kernel of the same line has left.
    Kernel {
        line: i32,
        reduces: bool,
        grid: [u32; 3],
        block: [u32; 3],
    },
    Upload,
    Download,
}

/// Times in microseconds.
#[derive(Clone, Copy, Debug)]
struct Times {
    count: u64,
    total: u64,
    max: u64,
    min: u64,
}

impl Default for Times {
    fn default() -> Self {
        Self { count: 0, total: 0, max: 0, min: u64::MAX }
    }
}

impl Times {
    fn add(&mut self, t: u64) {
        self.count += 1;
        self.total += t;
        self.max = self.max.max(t);
        self.min = self.min.min(t);
    }

    fn average(&self) -> u64 {
        self.total / self.count.max(1)
    }

    fn least(&self) -> u64 {
        if self.count == 0 { 0 } else { self.min }
    }

    /// `total=… max=… min=… avg=…`, with commas as today's table has them.
    fn shown(&self) -> String {
        let (t, m, l, a) = (commas(self.total), commas(self.max), commas(self.least()), commas(self.average()));
        format!("total={t} max={m} min={l} avg={a}")
    }
}

struct KernelTimes {
    grid: [u32; 3],
    block: [u32; 3],
    times: Times,
}

#[derive(Default)]
struct Region {
    file: String,
    function: String,
    line: i32,
    is_data: bool,
    elapsed: Times,
    /// Of these, making the device ready.
    init: u64,
    /// By line; those that put results together behind the others.
    kernels: BTreeMap<(i32, bool), KernelTimes>,
    uploads: Times,
    downloads: Times,
}

/// Regions by the address of their sites.
static REGIONS: Mutex<BTreeMap<usize, Region>> = Mutex::new(BTreeMap::new());
static LAYOUT: OnceLock<Layout> = OnceLock::new();
/// Where the plot goes.
static PLOT: OnceLock<String> = OnceLock::new();
/// When measuring began.
static BEGIN: OnceLock<Instant> = OnceLock::new();
static SPANS: Mutex<Spans> = Mutex::new(Spans::new());
/// Microseconds that making the device ready took and that no region has been charged yet.
static INIT: AtomicU64 = AtomicU64::new(0);
/// Microseconds in regions that stand in no other, and in waiting for queues outside of regions.
static IN_REGIONS: AtomicU64 = AtomicU64::new(0);
static WAITED: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static OPEN: RefCell<Vec<(usize, Instant)>> = const { RefCell::new(Vec::new()) };
}

fn regions() -> MutexGuard<'static, BTreeMap<usize, Region>> {
    REGIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn micros(start: Instant) -> u64 {
    u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX)
}

/// The table will be printed; the layout that was asked for first stays.
pub(crate) fn begin(layout: Layout) {
    let _ = LAYOUT.set(layout);
    measure();
}

/// The plot will be written to a file; `%p` in its name is the process's number.
pub(crate) fn begin_plot(path: &str) {
    let _ = PLOT.set(path.replace("%p", &std::process::id().to_string()));
    measure();
}

fn measure() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = BEGIN.set(Instant::now());
        // SAFETY: a function without arguments that does not unwind.
        unsafe { libc::atexit(at_exit) };
    });
}

extern "C" fn at_exit() {
    if !crate::fatal::is_ending() {
        crate::queue::Stream::NOW.wait_for_all();
    }
    let regions = regions();
    if let Some(&layout) = LAYOUT.get() {
        let _ = std::io::stderr().lock().write_all(table(&regions, layout).as_bytes());
    }
    let Some(path) = PLOT.get() else { return };
    let total = BEGIN.get().map_or(0, |&b| micros(b));
    let spans = SPANS.lock().unwrap_or_else(PoisonError::into_inner);
    let spans = spans.visible(total, plot::TIMELINE);
    let picture = picture(&regions, total, spans.all());
    if let Err(e) = std::fs::write(path, plot::svg(&picture)) {
        let _ = writeln!(std::io::stderr().lock(), "UNSPOOL_ACC_PLOT: `{path}` cannot be written: {e}");
    }
}

/// What the plot shows.
fn picture<'a>(all: &BTreeMap<usize, Region>, total: u64, spans: &'a [Span]) -> Picture<'a> {
    let rows = all.values().map(|r| {
        let at = format!("{}:{} {}", r.file, r.line, r.function);
        let parts = [r.init, r.uploads.total, r.kernel_time(), r.downloads.total];
        Row { at, is_data: r.is_data, entered: r.elapsed.count, elapsed: r.elapsed.total + r.init, parts }
    });
    let (in_regions, waited) = (IN_REGIONS.load(Ordering::Relaxed), WAITED.load(Ordering::Relaxed));
    Picture {
        device: crate::device::current(None).name().to_string(),
        total,
        in_regions,
        waited,
        rows: rows.collect(),
        spans,
    }
}

/// The program waited for queues, outside of regions.
pub(crate) fn waited(start: Instant) {
    if open_region().is_none() {
        WAITED.fetch_add(micros(start), Ordering::Relaxed);
    }
}

/// The device was made ready.
pub(crate) fn initialised(start: Instant) {
    INIT.fetch_add(micros(start), Ordering::Relaxed);
}

pub(crate) fn enter(site: &'static Site) {
    OPEN.with_borrow_mut(|o| o.push((std::ptr::from_ref(site) as usize, Instant::now())));
    regions().entry(std::ptr::from_ref(site) as usize).or_insert_with(|| Region {
        file: text(site.file),
        function: text(site.function),
        line: site.line,
        is_data: site.flags & (DATA | DECLARE) != 0,
        ..Region::default()
    });
}

pub(crate) fn leave(site: &'static Site) {
    let key = std::ptr::from_ref(site) as usize;
    let start = OPEN.with_borrow_mut(|o| {
        let at = o.iter().rposition(|(k, _)| *k == key)?;
        Some(o.remove(at).1)
    });
    let Some(start) = start else { return };
    let took = micros(start);
    if open_region().is_none() {
        IN_REGIONS.fetch_add(took, Ordering::Relaxed);
    }
    let init = INIT.swap(0, Ordering::Relaxed).min(took);
    if let Some(r) = regions().get_mut(&key) {
        r.elapsed.add(took - init);
        r.init += init;
    }
}

/// The innermost region of this thread.
pub(crate) fn open_region() -> Option<usize> {
    OPEN.with_borrow(|o| o.last().map(|(k, _)| *k))
}

/// Adds a measurement to a region: what a queue has been at since `start`.
pub(crate) fn add(region: usize, what: What, queue: Option<i64>, start: Instant) {
    let took = micros(start);
    if PLOT.get().is_some() {
        let (phase, line) = match what {
            What::Kernel { line, .. } => (Phase::Kernel, line),
            What::Upload => (Phase::Upload, 0),
            What::Download => (Phase::Download, 0),
        };
        let end = BEGIN.get().map_or(0, |&b| micros(b));
        let span = Span { queue, phase, line, start: end.saturating_sub(took), end };
        SPANS.lock().unwrap_or_else(PoisonError::into_inner).push(span);
    }
    let mut all = regions();
    let Some(r) = all.get_mut(&region) else { return };
    match what {
        What::Kernel { line, reduces, grid, block } => {
            let k = r.kernels.entry((line, reduces)).or_insert(KernelTimes { grid, block, times: Times::default() });
            (k.grid, k.block) = (grid, block);
            k.times.add(took);
        }
        What::Upload => r.uploads.add(took),
        What::Download => r.downloads.add(took),
    }
}

/// Extents without those at the end that are 1: `13x7`.
pub(crate) fn extents(g: [u32; 3]) -> String {
    let n = g.iter().rposition(|&x| x != 1).map_or(1, |i| i + 1);
    g[..n].iter().map(u32::to_string).collect::<Vec<_>>().join("x")
}

/// A number with commas between thousands.
fn commas(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

fn times(n: u64) -> String {
    format!("{n} time{}", if n == 1 { "" } else { "s" })
}

fn table(all: &BTreeMap<usize, Region>, layout: Layout) -> String {
    let mut by_file: BTreeMap<&str, BTreeMap<&str, Vec<&Region>>> = BTreeMap::new();
    for r in all.values() {
        by_file.entry(&r.file).or_default().entry(&r.function).or_default().push(r);
    }
    let mut out = String::from("\nAccelerator Kernel Timing data\n");
    for (file, functions) in &mut by_file {
        let _ = writeln!(out, "{file}");
        for (function, regions) in functions {
            regions.sort_by_key(|r| (r.line, !r.is_data));
            let device = crate::device::current(None).name();
            match layout {
                Layout::Pgi => {
                    regions.iter().for_each(|r| pgi(&mut out, function, r));
                }
                Layout::Today => {
                    let _ = writeln!(out, "  {function}  {device}  devicenum=0");
                    let busy: u64 = regions.iter().map(|r| r.device_time()).sum();
                    let _ = writeln!(out, "    time(us): {}", commas(busy));
                    regions.iter().for_each(|r| today(&mut out, r));
                }
            }
        }
    }
    out
}

impl Region {
    fn kernel_time(&self) -> u64 {
        self.kernels.values().map(|k| k.times.total).sum()
    }

    fn data_time(&self) -> u64 {
        self.uploads.total + self.downloads.total
    }

    fn device_time(&self) -> u64 {
        self.kernel_time() + self.data_time()
    }
}

/// What kernels that put results together are called.
fn reduction(reduces: bool) -> &'static str {
    if reduces { "reduction " } else { "" }
}

/// A region in the layout of today.
fn today(out: &mut String, r: &Region) {
    let line = r.line;
    let kind = if r.is_data { "data" } else { "compute" };
    let transfers = |out: &mut String, name: &str, t: &Times| {
        if t.count > 0 {
            let _ = writeln!(out, "        {line}: data {name} transfers: {}", t.count);
            let _ = writeln!(out, "             device time(us): {}", t.shown());
        }
    };
    if r.kernels.is_empty() {
        let _ = writeln!(out, "    {line}: data region reached {}", times(r.elapsed.count));
        transfers(out, "copyin", &r.uploads);
        transfers(out, "copyout", &r.downloads);
    } else {
        let _ = writeln!(out, "    {line}: {kind} region reached {}", times(r.elapsed.count));
        for (&(at, reduces), k) in &r.kernels {
            let _ = writeln!(out, "        {at}: {}kernel launched {}", reduction(reduces), times(k.times.count));
            let _ = writeln!(out, "            grid: [{}]  block: [{}]", extents(k.grid), extents(k.block));
            let _ = writeln!(out, "             device time(us): {}", k.times.shown());
        }
        if r.uploads.count + r.downloads.count > 0 {
            let _ = writeln!(out, "    {line}: data region reached {}", times(2 * r.elapsed.count));
            transfers(out, "copyin", &r.uploads);
            transfers(out, "copyout", &r.downloads);
        }
    }
    let _ = writeln!(out, "            elapsed time(us): {}", r.elapsed.shown());
}

/// A region in PGI's layout.
fn pgi(out: &mut String, function: &str, r: &Region) {
    let _ = writeln!(out, "  {function}");
    let _ = writeln!(out, "    {}: region entered {}", r.line, times(r.elapsed.count));
    let total = r.elapsed.total + r.init;
    let _ = writeln!(out, "        time(us): total={total} init={} region={}", r.init, r.elapsed.total);
    let kernels = if r.kernels.is_empty() { String::new() } else { format!("kernels={} ", r.kernel_time()) };
    let _ = writeln!(out, "                  {kernels}data={}", r.data_time());
    let e = &r.elapsed;
    let _ = writeln!(out, "        w/o init: total={} max={} min={} avg={}", e.total, e.max, e.least(), e.average());
    for (&(line, reduces), k) in &r.kernels {
        let _ = writeln!(out, "        {line}: {}kernel launched {}", reduction(reduces), times(k.times.count));
        let _ = writeln!(out, "            grid: [{}]  block: [{}]", extents(k.grid), extents(k.block));
        let t = &k.times;
        let _ = writeln!(
            out,
            "            time(us): total={} max={} min={} avg={}",
            t.total,
            t.max,
            t.least(),
            t.average()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> BTreeMap<usize, Region> {
        let mut r = Region {
            file: "test.c".to_owned(),
            function: "testgpu1".to_owned(),
            line: 49,
            init: 107_681,
            ..Region::default()
        };
        r.elapsed.add(22_290);
        r.elapsed.add(50_259);
        r.uploads.add(1000);
        r.downloads.add(500);
        let mut k = KernelTimes { grid: [13, 7, 1], block: [32, 2, 1], times: Times::default() };
        k.times.add(18);
        k.times.add(28);
        r.kernels.insert((52, false), k);
        let mut k = KernelTimes { grid: [1; 3], block: [1; 3], times: Times::default() };
        k.times.add(4);
        r.kernels.insert((52, true), k);
        BTreeMap::from([(1, r)])
    }

    #[test]
    fn the_document_s_layout() {
        let text = table(&example(), Layout::Pgi);
        let wanted = "
Accelerator Kernel Timing data
test.c
  testgpu1
    49: region entered 2 times
        time(us): total=180230 init=107681 region=72549
                  kernels=50 data=1500
        w/o init: total=72549 max=50259 min=22290 avg=36274
        52: kernel launched 2 times
            grid: [13x7]  block: [32x2]
            time(us): total=46 max=28 min=18 avg=23
        52: reduction kernel launched 1 time
            grid: [1]  block: [1]
            time(us): total=4 max=4 min=4 avg=4
";
        assert_eq!(text, wanted);
    }

    #[test]
    fn today_s_layout() {
        let text = table(&example(), Layout::Today);
        assert!(text.contains("    time(us): 1,550\n    49: compute region reached 2 times\n"), "{text}");
        assert!(
            text.contains("        52: kernel launched 2 times\n            grid: [13x7]  block: [32x2]\n"),
            "{text}"
        );
        assert!(text.contains("total=46 max=28 min=18 avg=23\n"), "{text}");
        assert!(text.contains("        49: data copyin transfers: 1\n"), "{text}");
        assert_eq!(commas(1_234_567), "1,234,567");
    }
}
