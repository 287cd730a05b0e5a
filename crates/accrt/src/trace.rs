//! Where the library tells what it does: to the program's standard error (`NVCOMPILER_ACC_NOTIFY`), to the timing table
//! (`NVCOMPILER_ACC_TIME`) and the plot (`UNSPOOL_ACC_PLOT`), and to tools (`acc_prof.h`). One test of a flag when nobody listens.

use crate::device::{self, Device};
use crate::interface::{DATA, DECLARE, Kernel, Site};
use crate::notify;
use crate::prof::{self, Event};
use crate::queue::Stream;
use crate::timing::{self, Layout, What};
use std::ffi::{c_char, c_int};
use std::marker::PhantomData;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

/// Somebody listens: bits of `NOTIFY`'s mask, and these.
static LISTENS: AtomicU32 = AtomicU32::new(0);
const TIMES: u32 = 1 << 16;
pub(crate) const TOOLS: u32 = 1 << 17;

/// The environment's variables in the spellings of NVIDIA's and PGI's compilers.
fn setting(name: &str) -> Option<u32> {
    let value = |prefix: &str| std::env::var(format!("{prefix}_{name}")).ok()?.trim().parse::<u32>().ok();
    ["NVCOMPILER_ACC", "PGI_ACC", "NV_ACC"].iter().find_map(|p| value(p))
}

/// Reads the environment, once.
pub(crate) fn init() {
    static INIT: Once = Once::new();
    thread_local! {
        static WITHIN: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
    }
    // A tool that is loaded here may have directives of its own, whose code comes by.
    if WITHIN.get() {
        return;
    }
    INIT.call_once(|| {
        WITHIN.set(true);
        if let Some(mask) = setting("NOTIFY") {
            listen(mask & 0x1f);
        }
        if setting("TIME").is_some_and(|n| n != 0) {
            let pgi = std::env::var_os("PGI_ACC_TIME").is_some() && std::env::var_os("NVCOMPILER_ACC_TIME").is_none();
            time(if pgi { Layout::Pgi } else { Layout::Today });
        }
        if let Some(path) = std::env::var("UNSPOOL_ACC_PLOT").ok().filter(|p| !p.is_empty()) {
            timing::begin_plot(&path);
            listen(TIMES);
        }
        prof::load();
        WITHIN.set(false);
    });
}

/// From now on the table is filled; it is printed at the program's end.
pub(crate) fn time(layout: Layout) {
    timing::begin(layout);
    listen(TIMES);
}

pub(crate) fn listen(bits: u32) {
    LISTENS.fetch_or(bits, Ordering::Relaxed);
}

fn listens() -> u32 {
    LISTENS.load(Ordering::Relaxed)
}

/// A transfer, an allocation or its end.
pub(crate) struct Transfer<'a> {
    pub(crate) site: Option<&'static Site>,
    pub(crate) name: *const c_char,
    pub(crate) marker: PhantomData<&'a ()>,
    pub(crate) bytes: usize,
    pub(crate) host: usize,
    pub(crate) device: usize,
    pub(crate) implicit: bool,
    pub(crate) stream: Stream,
}

/// Measures what a queue may do later.
pub(crate) struct Timer(Option<Measures>);

struct Measures {
    region: usize,
    what: What,
    /// The queue's number.
    queue: Option<i64>,
}

impl Timer {
    pub(crate) fn time(self, f: impl FnOnce()) {
        let Some(Measures { region, what, queue }) = self.0 else { return f() };
        let start = Instant::now();
        f();
        // What a GPU was only told to do has to be done for its time to be known.
        crate::gpu::settle();
        timing::add(region, what, queue, start);
    }
}

fn timer(on: u32, stream: Stream, what: impl FnOnce() -> What) -> Timer {
    let region = if on & TIMES != 0 { timing::open_region() } else { None };
    let queue = stream.is_queue().then(|| stream.number());
    Timer(region.map(|region| Measures { region, what: what(), queue }))
}

pub(crate) fn transfer_start(t: &Transfer<'_>, to_device: bool) -> Timer {
    let on = listens();
    if on == 0 {
        return Timer(None);
    }
    if on & 2 != 0 {
        notify::transfer(t, to_device);
    }
    if on & TOOLS != 0 {
        prof::data(if to_device { Event::UploadStart } else { Event::DownloadStart }, t);
    }
    timer(on, t.stream, || if to_device { What::Upload } else { What::Download })
}

pub(crate) fn transfer_end(t: &Transfer<'_>, to_device: bool) {
    if listens() & TOOLS != 0 {
        prof::data(if to_device { Event::UploadEnd } else { Event::DownloadEnd }, t);
    }
}

/// The device has memory for something.
pub(crate) fn memory_made(t: &Transfer<'_>) {
    let on = listens();
    if on & 16 != 0 {
        notify::memory(t, true);
    }
    if on & TOOLS != 0 {
        prof::data(Event::Alloc, t);
        prof::data(Event::Create, t);
    }
}

/// It is gone; `owned` if it was the library's.
pub(crate) fn memory_gone(t: &Transfer<'_>, owned: bool) {
    let on = listens();
    if on & 16 != 0 && owned {
        notify::memory(t, false);
    }
    if on & TOOLS != 0 {
        prof::data(Event::Delete, t);
        if owned {
            prof::data(Event::Free, t);
        }
    }
}

pub(crate) fn launch_start(site: &'static Site, k: &'static Kernel, groups: [u32; 3], stream: Stream) -> Timer {
    let on = listens();
    if on == 0 {
        return Timer(None);
    }
    if on & 1 != 0 {
        notify::launch(site, k, groups, stream);
    }
    if on & TOOLS != 0 {
        prof::launch(Event::LaunchStart, site, k, groups, stream);
    }
    // Making the device ready is no part of what its first kernel takes.
    if on & TIMES != 0 && matches!(device::current(None), Device::Multicore | Device::Discrete) {
        crate::pool::start();
    }
    let reduces = crate::fatal::text(k.name).ends_with("_r");
    timer(on, stream, || What::Kernel { line: line_of(site, k), reduces, grid: groups, block: k.extents() })
}

pub(crate) fn launch_end(site: &'static Site, k: &'static Kernel, groups: [u32; 3], stream: Stream) {
    if listens() & TOOLS != 0 {
        prof::launch(Event::LaunchEnd, site, k, groups, stream);
    }
}

/// The line of a kernel's loop.
pub(crate) fn line_of(site: &Site, k: &Kernel) -> c_int {
    if k.line > 0 { k.line } else { site.line }
}

/// A part of a construct's life.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The construct begins.
    Begin,
    /// Its data is there.
    Entered,
    /// Its work is done.
    Leaving,
    /// It is over.
    End,
}

/// A construct, from its begin to its end.
pub(crate) fn construct(site: &'static Site, stream: Stream, phase: Phase) {
    let on = listens();
    if on == 0 {
        return;
    }
    if on & 4 != 0 && matches!(phase, Phase::Begin | Phase::End) {
        notify::region(site, phase == Phase::Begin);
    }
    if on & TIMES != 0 {
        match phase {
            Phase::Begin => timing::enter(site),
            Phase::End => timing::leave(site),
            _ => {}
        }
    }
    if on & TOOLS == 0 {
        return;
    }
    let computes = site.flags & (DATA | DECLARE) == 0;
    let tell = |e: Event| prof::other(e, Some(site), stream);
    match phase {
        Phase::Begin => {
            if computes {
                tell(Event::ComputeStart);
            }
            tell(Event::EnterDataStart);
        }
        Phase::Entered => tell(Event::EnterDataEnd),
        Phase::Leaving => tell(Event::ExitDataStart),
        Phase::End => {
            tell(Event::ExitDataEnd);
            if computes {
                tell(Event::ComputeEnd);
            }
        }
    }
}

/// Something that begins and ends: `enter data`, `update`, `wait`, …
pub(crate) fn during<T>(
    start: Event,
    end: Event,
    site: Option<&'static Site>,
    stream: Stream,
    f: impl FnOnce() -> T,
) -> T {
    let on = listens();
    if on == 0 {
        return f();
    }
    let waits = start == Event::WaitStart;
    if on & 8 != 0 && waits {
        notify::wait(site, stream);
    }
    if on & TOOLS != 0 {
        prof::other(start, site, stream);
    }
    let times = (on & TIMES != 0 && !waits).then_some(site).flatten();
    times.into_iter().for_each(timing::enter);
    let began = Instant::now();
    let result = f();
    times.into_iter().for_each(timing::leave);
    if on & TIMES != 0 && waits {
        timing::waited(began);
    }
    if on & TOOLS != 0 {
        prof::other(end, site, stream);
    }
    result
}

/// The program asks for its device: tools are told, unless it is in use already.
pub(crate) fn ready(site: Option<&'static Site>) {
    if listens() & TOOLS != 0 {
        prof::ready(site, false);
    }
}

/// The device in use is let go.
pub(crate) fn device(start: Event, end: Event, f: impl FnOnce()) {
    let tools = listens() & TOOLS != 0;
    if tools {
        prof::other(start, None, Stream::NOW);
    }
    f();
    if tools {
        prof::other(end, None, Stream::NOW);
    }
}
