//! Launches, and what lives as long as a construct: private memory, partial results, records of accesses out of bounds.

use crate::device::{self, Device};
use crate::fatal::{fatal, text};
use crate::gpu;
use crate::interface::{Call, Check, Item, Kernel, Site, dims};
use crate::managed;
use crate::memory;
use crate::pool::{self, Job};
use crate::queue::Stream;
use crate::scratch;
use crate::section::{Stretch, stretches};
use crate::table::table;
use crate::trace;
use std::cell::{Cell, RefCell};
use std::ffi::{c_char, c_int, c_long, c_uint, c_ulong, c_void};

thread_local! {
    /// Memory of the construct that is open on this thread.
    static SCRATCH: RefCell<Vec<(usize, bool)>> = const { RefCell::new(Vec::new()) };
    /// Where its work goes.
    static STREAM: Cell<Stream> = const { Cell::new(Stream::NOW) };
    /// How many gangs the next launch is to have, and whether its blocks on GPUs go on to what others would have done.
    static GANGS: Cell<(c_long, bool)> = const { Cell::new((0, false)) };
    /// The record for the next launch, and what its checks are of.
    static WATCH: Cell<Option<(usize, &'static [Check])>> = const { Cell::new(None) };
}

/// Opens a construct: its launches go there.
pub(crate) fn open(stream: Stream) {
    STREAM.set(stream);
}

/// Closes it: its memory is freed when its launches are done.
pub(crate) fn close() {
    let stream = STREAM.replace(Stream::NOW);
    free_scratch(stream);
    stream.settle();
}

/// The end of an iteration of a loop that the host counts: what was allocated for its launches is free when they are done.
///
/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_step() {
    free_scratch(STREAM.get());
}

fn free_scratch(stream: Stream) {
    let all = SCRATCH.take();
    if !all.is_empty() {
        stream.put(move || all.into_iter().for_each(|(at, apart)| release(at, apart)));
    }
}

fn release(at: usize, apart: bool) {
    if apart {
        memory::free(at);
    } else {
        // SAFETY: of `__unspool_acc_scratch`, freed when the launches that use it are done.
        unsafe { scratch::give(at) };
    }
}

/// How many gangs the next launch has: threads that take part in it on the host's processors, and, if they go on to what others
/// would have done, blocks on GPUs.
///
/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_gangs(gangs: c_long, blocks_go_on: c_int) {
    GANGS.set((gangs.max(0), blocks_go_on != 0));
}

/// A number of work-items for the device that the construct is on: GPUs, or others.
///
/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_by_device(on_gpu: c_long, elsewhere: c_long) -> c_long {
    if device::current(None).is_gpu() { on_gpu } else { elsewhere }
}

/// Memory of the device until the construct ends.
///
/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_scratch(bytes: c_ulong) -> *mut c_void {
    let apart = device::current(None).is_apart();
    let at = if apart { memory::allocate(bytes as usize) } else { scratch::take(bytes as usize) };
    if at == 0 {
        fatal(None, &format!("no memory for {bytes} bytes of private data and partial results"));
    }
    SCRATCH.with_borrow_mut(|s| s.push((at, apart)));
    at as *mut c_void
}

/// A copy on the device, until the construct ends, of what the host has there now.
///
/// # Safety
/// The interface of generated code: there are so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_first(host: *const u8, bytes: c_ulong) -> *mut c_void {
    // SAFETY: see there.
    let at = unsafe { __unspool_acc_scratch(bytes) };
    let (to, bytes) = (at as usize, bytes as usize);
    if bytes == 0 || isize::try_from(bytes).is_err() {
        return at;
    }
    // SAFETY: by the caller's promise. The host may change them before the queue comes to the copy.
    let staged = unsafe { std::slice::from_raw_parts(host, bytes) }.to_vec();
    STREAM.get().put(move || {
        // SAFETY: just allocated, so many bytes.
        unsafe { memory::copy_in(to, staged.as_ptr() as usize, bytes) };
        gpu::settle();
    });
    at
}

/// Words of a record: the number of the check plus one, and the index that was out of its bounds, with these.
const RECORD: usize = 4;

/// A record for the accesses of the next launch.
///
/// # Safety
/// The interface of generated code: `checks` are constants, `n` of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_watch(checks: *const Check, n: c_int) -> *mut c_void {
    // SAFETY: see there.
    let at = unsafe { __unspool_acc_scratch((RECORD * size_of::<c_long>()) as c_ulong) };
    let record = at as usize;
    // SAFETY: just allocated, so many words.
    STREAM.get().put(move || unsafe { memory::clear(record, RECORD * size_of::<c_long>()) });
    // SAFETY: constants of the program.
    let checks = unsafe { std::slice::from_raw_parts(checks, usize::try_from(n).unwrap_or(0)) };
    WATCH.set(Some((record, checks)));
    at
}

/// Ends the program if a record says that an access was out of bounds.
fn judge(site: &Site, record: usize, checks: &[Check]) {
    let mut words: [c_long; RECORD] = [0; RECORD];
    // SAFETY: a record of `watch`; the launch is over.
    unsafe { memory::copy_out(words.as_mut_ptr() as usize, record, RECORD * size_of::<c_long>()) };
    gpu::settle();
    let Some(c) = usize::try_from(words[0]).ok().and_then(|n| checks.get(n.checked_sub(1)?)) else { return };
    let (index, low, high) = (words[1], words[2], words[3]);
    let range = if high > low { format!("[{low}:{}]", high - 1) } else { "empty".to_owned() };
    let message = format!(
        "subscript {} of array {} is out of bounds: index {index} ({}) in {}:{}, bounds {range}",
        c.dimension,
        text(c.array),
        text(c.index),
        text(site.file),
        c.line
    );
    fatal(Some(site), &message);
}

/// A bound of the outermost subscript of what a pointer points to: the first element that may be accessed (`upper` 0) or the one
/// behind the last. What nobody knows is not bounded.
///
/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_bound(
    item: *const Item,
    base: *const c_void,
    element: c_ulong,
    upper: c_int,
) -> c_long {
    // SAFETY: null or an item of the caller's frame.
    if let Some(item) = unsafe { item.as_ref() } {
        if item.ndims > 0 {
            let d = dims(item)[0];
            return if upper == 0 { d.lower as c_long } else { (d.lower + d.count) as c_long };
        }
        if item.bytes > 0 && element > 0 {
            return if upper == 0 { 0 } else { (item.bytes / element) as c_long };
        }
    }
    let unbounded = if upper == 0 { c_long::MIN } else { c_long::MAX };
    if element == 0 || !device::current(None).is_apart() {
        return unbounded;
    }
    let (t, at) = (table(), base as usize);
    let Some((start, e)) = t.containing(at).or_else(|| t.with_base(at)) else { return unbounded };
    let edge = if upper == 0 { start } else { e.end };
    (edge as c_long - at as c_long) / element as c_long
}

/// The stretches of memory that an item names, each row of pointer arrays for itself; `None` if its extent is not known.
fn memory_of(item: &Item) -> Option<Vec<(usize, usize)>> {
    if item.ndims <= 0 && item.bytes == 0 {
        return None;
    }
    let mut out = Vec::new();
    stretches(item.base as usize, &dims(item), None, &mut |s, _, _, _| out.push((s.start, s.end)));
    out.retain(|s| s.0 < s.1);
    out.sort_unstable();
    Some(out)
}

/// Whether the memory of two items lies apart on the host.
///
/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_apart(a: *const Item, b: *const Item) -> c_int {
    // SAFETY: items of the caller's frame.
    let (a, b) = unsafe { (memory_of(&*a), memory_of(&*b)) };
    let (Some(a), Some(b)) = (a, b) else { return 0 };
    // For each stretch of one, how far those of the other reach that begin below its end.
    let reach: Vec<usize> = b
        .iter()
        .scan(0, |most, s| {
            Some({
                *most = s.1.max(*most);
                *most
            })
        })
        .collect();
    let apart = a.iter().all(|&(start, end)| match b.partition_point(|s| s.0 < end) {
        0 => true,
        below => reach[below - 1] <= start,
    });
    c_int::from(apart)
}

/// Whether the rows of an array of pointers lie apart on the host.
///
/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_rows_apart(item: *const Item) -> c_int {
    // SAFETY: an item of the caller's frame.
    let item = unsafe { &*item };
    let rows = dims(item).iter().skip(1).any(|d| d.pointer);
    let apart = rows && memory_of(item).is_some_and(|m| m.is_sorted_by(|a, b| a.1 <= b.0));
    c_int::from(apart)
}

/// Most iterations of one dimension of a launch; more come in several.
const MAX_EXTENT: c_long = 1 << 29;

/// Most blocks in the first dimension of a grid (CUDA's programming guide, technical specifications).
const MAX_BLOCKS: c_long = i32::MAX as c_long;

/// Runs a kernel with these arguments, in which the host's addresses become the device's. The first extent is `first` where the
/// arguments do not say it.
///
/// # Safety
/// The interface of generated code: `site`, `kernel` and `call` are constants, `args` is as `call` says, `items` are the construct's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_run(
    site: *const Site,
    kernel: *const Kernel,
    call: *const Call,
    items: *const Item,
    args: *mut u8,
    first: c_long,
) {
    // SAFETY: constants.
    let (site, kernel, call): (&'static Site, &'static Kernel, &Call) = unsafe { (&*site, &*kernel, &*call) };
    if device::current(Some(site.device)).is_apart() {
        for place in call.places() {
            // SAFETY: the item is one of the construct's; an address stands there.
            unsafe {
                let item = usize::try_from(place.item).ok().map(|i| &*items.add(i));
                let at = args.add(place.offset as usize).cast::<usize>();
                at.write_unaligned(address(site, place.name, at.read_unaligned(), item));
            }
        }
    }
    // SAFETY: numbers among the arguments.
    let extent =
        |&at: &c_int| usize::try_from(at).ok().map(|at| unsafe { args.add(at).cast::<c_long>().read_unaligned() });
    let [x, y, z] = [0, 1, 2].map(|d: usize| extent(&call.extents[d]));
    launch(site, kernel, (args, call.bytes as usize), [x.unwrap_or(first), y.unwrap_or(1), z.unwrap_or(1)]);
}

/// Runs a kernel.
fn launch(site: &'static Site, kernel: &'static Kernel, (args, bytes): (*mut u8, usize), n: [c_long; 3]) {
    let watch = WATCH.take();
    let (gangs, blocks_go_on) = GANGS.take();
    if n.iter().any(|&n| n <= 0) {
        return;
    }
    let gpu = match device::current(None) {
        Device::Nvidia(n) => gpu::gpu(n),
        _ => None,
    };
    if gpu.is_none() && kernel.code.is_none() || gpu.is_some() && kernel.image.is_null() {
        // The only kernels that are promised and may be missing are those that the link makes.
        fatal(
            Some(site),
            &format!(
                "kernel {} has no code: its region calls `routine` functions of other files, and what links such programs is \
                 `unspool cc`",
                text(kernel.name)
            ),
        )
    }
    let stream = STREAM.get();
    let groups = groups(kernel.taken(), n.map(|n| n.min(MAX_EXTENT)));
    // Nobody says how many: as many as there would be.
    let most = if gangs > 0 { gangs.min(MAX_BLOCKS) } else { MAX_BLOCKS } as c_uint;
    let blocks = gpu.filter(|_| blocks_go_on).map(|_| most);
    let groups = match blocks {
        Some(most) => [groups.iter().fold(1u32, |a, &b| a.saturating_mul(b)).min(most), 1, 1],
        None => groups,
    };
    let timer = trace::launch_start(site, kernel, groups, stream);
    let threads = match (device::current(None).is_parallel(), usize::try_from(gangs)) {
        (false, _) => 1,
        (true, Ok(asked)) if asked > 0 => asked,
        _ => usize::MAX,
    };
    if let Some(gpu) = gpu {
        // SAFETY: the arguments are copied before this returns.
        stream.launch(gpu, || timer.time(|| unsafe { gpu.launch(site, kernel, args, bytes, n, blocks) }));
        watch.into_iter().for_each(|(record, checks)| stream.put(move || judge(site, record, checks)));
    } else if stream.is_queue() {
        // Words, so that they are aligned.
        let mut copy = vec![0u64; bytes.div_ceil(8)];
        // SAFETY: the caller says that there are so many bytes.
        unsafe { std::ptr::copy_nonoverlapping(args, copy.as_mut_ptr().cast::<u8>(), bytes) };
        stream.put(move || {
            timer.time(|| run(site, kernel, copy.as_mut_ptr().cast(), n, threads));
            watch.into_iter().for_each(|(record, checks)| judge(site, record, checks));
        });
    } else {
        timer.time(|| run(site, kernel, args, n, threads));
        watch.into_iter().for_each(|(record, checks)| judge(site, record, checks));
    }
    trace::launch_end(site, kernel, groups, stream);
}

fn groups(taken: [c_int; 2], n: [c_long; 3]) -> [u32; 3] {
    let [x, y] = [0, 1].map(|d: usize| {
        let taken = c_long::from(taken[d].max(1));
        ((n[d] + taken - 1) / taken) as u32
    });
    [x, y, n[2] as u32]
}

/// All parts of a launch, one after another, by at most so many threads.
fn run(site: &'static Site, kernel: &Kernel, args: *mut u8, n: [c_long; 3], threads: usize) {
    let Some(code) = kernel.code else { return };
    let starts = |d: usize| (0..n[d]).step_by(MAX_EXTENT as usize);
    for z in starts(2) {
        for y in starts(1) {
            for x in starts(0) {
                let at = [x, y, z];
                for (d, base) in at.iter().enumerate().take(usize::try_from(kernel.bases).unwrap_or(0)) {
                    // SAFETY: the arguments begin with so many numbers.
                    unsafe { args.cast::<c_long>().add(d).write_unaligned(*base) };
                }
                let part = [0, 1, 2].map(|d: usize| (n[d] - at[d]).min(MAX_EXTENT));
                let (groups, local) = (groups([kernel.local, 1], part), kernel.local.max(1) as u32);
                let job = Job { code, args, groups, local, by_columns: kernel.by_columns != 0, site };
                if let Some(trap) = pool::run(job, threads) {
                    let (kernel, why) = (text(kernel.name), launch::context::trap::words(trap));
                    fatal(Some(site), &format!("kernel {kernel}: {why}"));
                }
            }
        }
    }
}

/// The device's address of the host's, for a device with memory of its own. The item, if there is one, is one of the construct's.
fn address(site: &'static Site, name: *const c_char, host: usize, item: Option<&Item>) -> usize {
    if host == 0 {
        return host;
    }
    if managed::is_shared(host) {
        return host;
    }
    let t = table();
    if let Some(item) = item {
        if item.kind == crate::interface::DEVICEPTR {
            return host;
        }
        let d = dims(item);
        let split = d.iter().skip(1).position(|d| d.pointer).map_or(d.len(), |i| i + 1);
        let start = Stretch::of(item.base as usize, &d[..split]).start;
        if managed::is_shared(start) {
            return host;
        }
        if let Some(device) = t.translate(start) {
            return device.wrapping_sub(start.wrapping_sub(host));
        }
        // Members of a structure are there, and not its first.
        if let Some((key, e)) = t.within(start, start.saturating_add(item.bytes as usize)) {
            return e.device.wrapping_sub(key.wrapping_sub(host));
        }
    }
    let found =
        t.translate(host).or_else(|| t.with_base(host).map(|(s, e)| e.device.wrapping_sub(s.wrapping_sub(host))));
    match found {
        Some(device) => device,
        None if memory::is_device(host) => host,
        // It keeps its address, which a region may take, where it is not there (OpenACC 3.4, 2.7.11).
        None if item.is_some_and(|i| i.kind == crate::interface::NO_CREATE) => host,
        None => t.absent(Some(site), &text(name), host, 0),
    }
}
