//! What generated code calls for constructs and executable directives. The structures are those of [`crate::interface`].

use crate::device::{self, Device};
use crate::fatal::text;
use crate::interface::{
    ATTACH, CALLS_OTHERS, CHECKED, COPY, COPYIN, CREATE, Clauses, DATA, DECLARE, HAS_CODE, HAS_GPU_CODE, Item, Scope,
    Site, UPDATE_DEVICE, UPDATE_HOST, dims, slice,
};
use crate::launch;
use crate::managed;
use crate::pages;
use crate::present::{Doing, borrow, enter_item, exit_item, give_back, must_fit, update};
use crate::prof::Event;
use crate::queue::Stream;
use crate::table::table;
use crate::trace::{self, Phase};
use std::ffi::{c_char, c_int, c_long, c_void};

/// The device that a construct is on, if it is on one at all.
fn device_of(site: &Site, c: &Clauses) -> Option<Device> {
    let device = device::current(Some(site.device));
    // Checked kernels run on the host, too: its own code has no checks.
    let there = device != Device::Host || site.flags & CHECKED != 0;
    (c.condition != 0 && (c.own == 0 || site.flags & DATA != 0) && there).then_some(device)
}

/// Whether a construct has code for a device; else the host runs it.
fn has_code(site: &Site, device: Device) -> bool {
    site.flags & if device.is_gpu() { HAS_GPU_CODE } else { HAS_CODE } != 0
}

/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_compiled(device: c_int, fallback: c_int) {
    trace::init();
    device::compiled(device, fallback);
}

/// The program was linked with `-ta=…,time`.
///
/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_timed() {
    trace::init();
    trace::time(crate::timing::Layout::Pgi);
}

/// Begins a construct; whether its kernels are to be launched.
///
/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_enter(
    site: *const Site,
    items: *mut Item,
    n: c_int,
    c: *const Clauses,
) -> c_int {
    // SAFETY: structures of the caller's frame and constants.
    let (site, items, c): (&'static Site, _, _) = unsafe { (&*site, slice(items, n), &*c) };
    let Some(device) = device_of(site, c) else {
        c.wait(Stream::NOW);
        return 0;
    };
    let has_code = has_code(site, device);
    let computes = site.flags & (DATA | DECLARE) == 0;
    let mut stream = if device == Device::Host { Stream::NOW } else { c.stream() };
    if computes && !has_code {
        // The region runs on this thread, after what the queue has.
        stream.wait();
        stream = Stream::NOW;
    }
    c.wait(stream);
    trace::construct(site, stream, Phase::Begin);
    if device.is_apart() {
        let (mut t, d) = (table(), Doing { site: Some(site), stream });
        // With NVIDIA's compilers variables at file scope with `declare create` are the GPU code's own, and begin as the host's do.
        let begins = site.flags & DECLARE != 0 && matches!(device, Device::Nvidia(_)) && text(site.function).is_empty();
        for item in items.iter_mut() {
            if begins && item.kind == CREATE {
                item.kind = COPYIN;
            }
            enter_item(&mut t, d, item, true);
        }
        // PGI's `updatein` of a region: its data is there now.
        items.iter().filter(|i| i.kind == UPDATE_DEVICE).for_each(|i| update(&mut t, d, i));
        if !has_code && computes {
            borrow(&mut t, d, items, site.flags & CALLS_OTHERS != 0);
        }
    } else {
        // With `-Mbounds` where nothing is copied, too.
        if site.flags & CHECKED != 0 {
            items.iter().for_each(|i| must_fit(Doing { site: Some(site), stream }, i, &dims(i)));
        }
        if device.is_parallel() {
            pages::ask(items);
        }
    }
    trace::construct(site, stream, Phase::Entered);
    if computes {
        launch::open(stream);
    }
    c_int::from(has_code)
}

/// Ends a construct.
///
/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_exit(site: *const Site, items: *mut Item, n: c_int, c: *const Clauses) {
    // SAFETY: as in `enter`.
    let (site, items, c): (&'static Site, _, _) = unsafe { (&*site, slice(items, n), &*c) };
    let Some(device) = device_of(site, c) else { return };
    let (has_code, computes) = (has_code(site, device), site.flags & (DATA | DECLARE) == 0);
    let now = device == Device::Host || computes && !has_code;
    let stream = if now { Stream::NOW } else { c.stream() };
    trace::construct(site, stream, Phase::Leaving);
    if computes {
        launch::close();
    } else if !stream.is_queue() {
        // What queues do with the construct's data is done before the data goes, on devices that share memory, too.
        Stream::NOW.wait_for_all();
    }
    if device.is_apart() {
        let (mut t, d) = (table(), Doing { site: Some(site), stream });
        if !has_code && computes {
            give_back(&mut t, d);
        }
        // PGI's `updateout` of a region: its data is still there.
        items.iter().filter(|i| i.kind == UPDATE_HOST).for_each(|i| update(&mut t, d, i));
        for item in items.iter().rev() {
            exit_item(&mut t, d, item, true);
        }
    }
    trace::construct(site, stream, Phase::End);
}

/// The end of a block with `declare`.
///
/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_leave(scope: *mut Scope) {
    // SAFETY: a structure of the caller's frame.
    let (site, items): (&'static Site, _) = unsafe { (&*(*scope).site, slice((*scope).items, (*scope).n)) };
    let device = device::current(Some(site.device));
    if device == Device::Host {
        return;
    }
    Stream::NOW.wait_for_all();
    trace::construct(site, Stream::NOW, Phase::Leaving);
    if device.is_apart() {
        let (mut t, d) = (table(), Doing { site: Some(site), stream: Stream::NOW });
        for item in items.iter().rev() {
            exit_item(&mut t, d, item, true);
        }
    }
    trace::construct(site, Stream::NOW, Phase::End);
}

/// `enter data`, `exit data`, `update`.
///
/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_data(site: *const Site, items: *mut Item, n: c_int, c: *const Clauses) {
    // SAFETY: as in `enter`.
    let (site, items, c): (&'static Site, _, _) = unsafe { (&*site, slice(items, n), &*c) };
    let device = device::current(Some(site.device));
    if c.condition == 0 || device == Device::Host {
        return c.wait(Stream::NOW);
    }
    let stream = c.stream();
    c.wait(stream);
    if !device.is_apart() {
        return pages::ask(items);
    }
    let (start, end) = match items.first().map(|i| i.kind) {
        Some(UPDATE_HOST | UPDATE_DEVICE) => (Event::UpdateStart, Event::UpdateEnd),
        Some(COPYIN | CREATE | COPY | ATTACH) => (Event::EnterDataStart, Event::EnterDataEnd),
        _ => (Event::ExitDataStart, Event::ExitDataEnd),
    };
    trace::during(start, end, Some(site), stream, || {
        let (mut t, d) = (table(), Doing { site: Some(site), stream });
        for item in items {
            match item.kind {
                COPYIN | CREATE | COPY | ATTACH => enter_item(&mut t, d, item, false),
                UPDATE_HOST | UPDATE_DEVICE => update(&mut t, d, item),
                _ => exit_item(&mut t, d, item, false),
            }
        }
    });
}

/// The device's address for `host_data`.
///
/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_use_device(
    site: *const Site,
    name: *const c_char,
    host: *mut c_void,
    if_present: c_int,
    condition: c_int,
) -> *mut c_void {
    // SAFETY: a constant.
    let site = unsafe { &*site };
    let at = host as usize;
    if condition == 0 || at == 0 || !device::current(Some(site.device)).is_apart() {
        return host;
    }
    if managed::is_shared(at) {
        return host;
    }
    let t = table();
    let found = t.translate(at).or_else(|| t.with_base(at).map(|(s, e)| e.device.wrapping_sub(s.wrapping_sub(at))));
    match found {
        Some(d) => d as *mut c_void,
        None if if_present != 0 => host,
        None => t.absent(Some(site), &text(name), at, 0),
    }
}

/// The type of the device in use, by its number in `acc_device_t`.
///
/// # Safety
/// The interface of generated code: `site` is a constant.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_kind(site: *const Site) -> c_int {
    // SAFETY: see there.
    device::current(Some(unsafe { &*site }.device)).number()
}

/// `wait`: the program, or with `async` a queue, waits for queues.
///
/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_wait(site: *const Site, c: *const Clauses) {
    // SAFETY: a constant and a structure of the caller's frame.
    let (site, c): (&'static Site, _) = unsafe { (&*site, &*c) };
    if c.condition == 0 {
        return;
    }
    let stream = c.stream();
    trace::during(Event::WaitStart, Event::WaitEnd, Some(site), stream, || c.wait(stream));
}

/// `init`, `shutdown`, `set`.
///
/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_control(
    site: *const Site,
    what: c_int,
    types: *const c_char,
    has: c_int,
    value: c_long,
    condition: c_int,
) {
    const INIT: c_int = 1;
    const SHUTDOWN: c_int = 2;
    const SET: c_int = 3;
    // SAFETY: a constant.
    let site = unsafe { &*site };
    if condition == 0 {
        return;
    }
    let device = device::current(Some(site.device));
    let types = text(types);
    let is_meant = types.is_empty() || types.split(',').any(|t| t == "*" || device::is_named(device, t));
    if let Some(first) = types.split(',').next().filter(|t| what == SET && !t.is_empty() && *t != "*") {
        device::choose_name(first);
    }
    match what {
        INIT => trace::ready(Some(site)),
        SHUTDOWN if is_meant => device::shutdown(),
        SET if has == 1 => device::choose_index(usize::try_from(value).unwrap_or(usize::MAX)),
        SET if has == 2 => crate::queue::set_default_queue(value),
        _ => {}
    }
}
