//! The functions of `openacc.h` (OpenACC 3.4, chapter 3).
//!
//! Every function is safe to call with what the specification allows; pointers that it does not allow are the program's error.
#![expect(clippy::missing_safety_doc, reason = "the specification of each function says what it wants")]

use crate::device::{self, current, number};
use crate::gpu::{self, Gpu};
use crate::managed;
use crate::memory;
use crate::plain;
use crate::prof::Event;
use crate::queue::{self, Stream};
use crate::table::{Entry, Found, table};
use crate::trace;
use std::ffi::{c_char, c_int, c_void};

/// The queue of an argument.
fn queue(q: c_int) -> Stream {
    if current(None) == device::Device::Host { Stream::NOW } else { Stream::of(i64::from(q)) }
}

fn apart() -> bool {
    current(None).is_apart()
}

/// Whether the device has memory of its own for what the host has there.
fn is_apart(p: *mut c_void) -> bool {
    apart() && !managed::is_shared(p as usize)
}

macro_rules! api {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)? $body:block)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $ty),*) $(-> $ret)? $body
    )*};
}

api! {
    /// How many devices of a type there are.
    fn acc_get_num_devices(kind: c_int) -> c_int { device::count(kind) }
    /// Chooses a device by its type.
    fn acc_set_device_type(kind: c_int) { device::choose(kind); }
    /// The type of the device in use.
    fn acc_get_device_type() -> c_int { current(None).number() }
    /// Chooses a device; of GPUs there may be several.
    fn acc_set_device_num(n: c_int, kind: c_int) {
        device::choose_index(usize::try_from(n).unwrap_or(usize::MAX));
        device::choose(kind);
    }
    /// The number of the device in use.
    fn acc_get_device_num(_kind: c_int) -> c_int { current(None).index() as c_int }
    /// A number about a device.
    fn acc_get_property(n: c_int, kind: c_int, property: c_int) -> usize {
        if let Some(g) = gpu_of(n, kind) {
            return match property {
                1 => g.memory().0,
                2 => g.memory().1,
                _ => 0,
            };
        }
        // SAFETY: plain questions.
        let (pages, page) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
        let memory = usize::try_from(pages).unwrap_or(0).saturating_mul(usize::try_from(page).unwrap_or(0));
        match property {
            1 => memory,
            2 => memory.saturating_sub(crate::memory::in_use()),
            3 => usize::from(!apart()),
            _ => 0,
        }
    }
    /// A text about a device.
    fn acc_get_property_string(n: c_int, kind: c_int, property: c_int) -> *const c_char {
        if let Some(g) = gpu_of(n, kind) {
            return match property {
                0x101 => g.name().as_ptr(),
                0x102 => c"NVIDIA".as_ptr(),
                0x103 => c"CUDA".as_ptr(),
                _ => std::ptr::null(),
            };
        }
        match property {
            0x101 => c"this machine's processors".as_ptr(),
            0x102 => c"unspool".as_ptr(),
            0x103 => c"unspool 0.1".as_ptr(),
            _ => std::ptr::null(),
        }
    }
    /// Makes a device ready.
    fn acc_init(kind: c_int) { init(kind); }
    /// Makes a device ready.
    fn acc_init_device(_n: c_int, kind: c_int) { init(kind); }
    /// Lets a device go.
    fn acc_shutdown(_kind: c_int) { device::shutdown(); }
    /// Lets a device go.
    fn acc_shutdown_device(_n: c_int, _kind: c_int) { device::shutdown(); }
    /// Whether a queue is done.
    fn acc_async_test(q: c_int) -> c_int { c_int::from(queue(q).is_idle()) }
    /// As `acc_async_test`, of a device.
    fn acc_async_test_device(q: c_int, _n: c_int) -> c_int { c_int::from(queue(q).is_idle()) }
    /// Whether all queues are done.
    fn acc_async_test_all() -> c_int { c_int::from(queue::all_idle()) }
    /// As `acc_async_test_all`, of a device.
    fn acc_async_test_all_device(_n: c_int) -> c_int { c_int::from(queue::all_idle()) }
    /// Waits for a queue.
    fn acc_wait(q: c_int) { wait(queue(q)); }
    /// Waits for a queue, under its old name.
    fn acc_async_wait(q: c_int) { wait(queue(q)); }
    /// Waits for a queue of a device.
    fn acc_wait_device(q: c_int, _n: c_int) { wait(queue(q)); }
    /// Lets a queue wait for another.
    fn acc_wait_async(q: c_int, later: c_int) { queue(later).wait_for(queue(q)); }
    /// Lets a queue of a device wait for another.
    fn acc_wait_device_async(q: c_int, later: c_int, _n: c_int) { queue(later).wait_for(queue(q)); }
    /// Waits for all queues.
    fn acc_wait_all() { wait_all(); }
    /// Waits for all queues, under its old name.
    fn acc_async_wait_all() { wait_all(); }
    /// Waits for all queues of a device.
    fn acc_wait_all_device(_n: c_int) { wait_all(); }
    /// Lets a queue wait for all others.
    fn acc_wait_all_async(q: c_int) { queue(q).wait_for_all(); }
    /// Lets a queue of a device wait for all others.
    fn acc_wait_all_device_async(q: c_int, _n: c_int) { queue(q).wait_for_all(); }
    /// Waits until one of several queues is done: its index.
    fn acc_wait_any(count: c_int, q: *const c_int) -> c_int { first_queue(count, q) }
    /// Waits until one of several queues of a device is done: its index.
    fn acc_wait_any_device(count: c_int, q: *const c_int, _n: c_int) -> c_int { first_queue(count, q) }
    /// The queue of `async` without a number.
    fn acc_get_default_async() -> c_int { queue::default_queue() as c_int }
    /// Sets the queue of `async` without a number.
    fn acc_set_default_async(q: c_int) { queue::set_default_queue(i64::from(q)); }
    /// Where the `CUdevice` of the GPU in use is; null without one (3.4, appendix A, as the next three).
    fn acc_get_current_cuda_device() -> *mut c_void {
        queue::gpu_in_use().map_or(std::ptr::null_mut(), |g| g.device() as *mut c_void)
    }
    /// The `CUcontext` of the GPU in use; null without one.
    fn acc_get_current_cuda_context() -> *mut c_void {
        queue::gpu_in_use().map_or(std::ptr::null_mut(), |g| g.context() as *mut c_void)
    }
    /// The `CUstream` of a queue on the GPU in use; null without one.
    fn acc_get_cuda_stream(q: c_int) -> *mut c_void {
        queue(q).of_driver().map_or(std::ptr::null_mut(), |s| s as *mut c_void)
    }
    /// Makes a `CUstream` of the program's that of a queue, behind what the queue has: 1, or 0 without a GPU or a queue.
    fn acc_set_cuda_stream(q: c_int, stream: *mut c_void) -> c_int {
        c_int::from(queue(q).set_of_driver(stream as usize))
    }
    /// Whether the caller is on a device of a type: the host's code is on the host.
    fn acc_on_device(kind: c_int) -> c_int {
        c_int::from(matches!(kind, number::HOST | number::NONE))
    }
    /// Memory of the device.
    fn acc_malloc(bytes: usize) -> *mut c_void {
        // Nothing of it is a null pointer (3.2.17).
        if bytes == 0 { std::ptr::null_mut() } else { memory::allocate(bytes) as *mut c_void }
    }
    /// Frees memory of the device.
    fn acc_free(p: *mut c_void) {
        if apart() && !p.is_null() {
            let t = table();
            if let Some((start, e)) = t.of_device(p as usize, 1) {
                t.misused("acc_free of memory that is the device's copy of", start, &e);
            }
        }
        memory::free(p as usize);
    }
    /// `enter data copyin`; the device's address.
    fn acc_copyin(p: *mut c_void, n: usize) -> *mut c_void { enter(Stream::NOW, true, p, n) }
    /// The same on a queue.
    fn acc_copyin_async(p: *mut c_void, n: usize, q: c_int) { enter(queue(q), true, p, n); }
    /// `acc_copyin` under an old name.
    fn acc_present_or_copyin(p: *mut c_void, n: usize) -> *mut c_void { enter(Stream::NOW, true, p, n) }
    /// `acc_copyin` under an old name.
    fn acc_pcopyin(p: *mut c_void, n: usize) -> *mut c_void { enter(Stream::NOW, true, p, n) }
    /// `enter data create`; the device's address.
    fn acc_create(p: *mut c_void, n: usize) -> *mut c_void { enter(Stream::NOW, false, p, n) }
    /// The same on a queue.
    fn acc_create_async(p: *mut c_void, n: usize, q: c_int) { enter(queue(q), false, p, n); }
    /// `acc_create` under an old name.
    fn acc_present_or_create(p: *mut c_void, n: usize) -> *mut c_void { enter(Stream::NOW, false, p, n) }
    /// `acc_create` under an old name.
    fn acc_pcreate(p: *mut c_void, n: usize) -> *mut c_void { enter(Stream::NOW, false, p, n) }
    /// `exit data copyout`
    fn acc_copyout(p: *mut c_void, n: usize) { leave(Stream::NOW, true, false, p, n); }
    /// The same on a queue.
    fn acc_copyout_async(p: *mut c_void, n: usize, q: c_int) { leave(queue(q), true, false, p, n); }
    /// `exit data copyout finalize`
    fn acc_copyout_finalize(p: *mut c_void, n: usize) { leave(Stream::NOW, true, true, p, n); }
    /// The same on a queue.
    fn acc_copyout_finalize_async(p: *mut c_void, n: usize, q: c_int) { leave(queue(q), true, true, p, n); }
    /// `exit data delete`
    fn acc_delete(p: *mut c_void, n: usize) { leave(Stream::NOW, false, false, p, n); }
    /// The same on a queue.
    fn acc_delete_async(p: *mut c_void, n: usize, q: c_int) { leave(queue(q), false, false, p, n); }
    /// `exit data delete finalize`
    fn acc_delete_finalize(p: *mut c_void, n: usize) { leave(Stream::NOW, false, true, p, n); }
    /// The same on a queue.
    fn acc_delete_finalize_async(p: *mut c_void, n: usize, q: c_int) { leave(queue(q), false, true, p, n); }
    /// `update device`
    fn acc_update_device(p: *mut c_void, n: usize) { update(Stream::NOW, false, p, n); }
    /// The same on a queue.
    fn acc_update_device_async(p: *mut c_void, n: usize, q: c_int) { update(queue(q), false, p, n); }
    /// `update self`
    fn acc_update_self(p: *mut c_void, n: usize) { update(Stream::NOW, true, p, n); }
    /// The same on a queue.
    fn acc_update_self_async(p: *mut c_void, n: usize, q: c_int) { update(queue(q), true, p, n); }
    /// `update self` under its old name.
    fn acc_update_host(p: *mut c_void, n: usize) { update(Stream::NOW, true, p, n); }
    /// Makes memory of the device the copy of the host's.
    fn acc_map_data(host: *mut c_void, device: *mut c_void, n: usize) {
        if !apart() {
            return;
        }
        let mut t = table();
        let start = host as usize;
        if let Found::All(other) | Found::Part(other) = t.find(start, start + n) {
            t.partly(None, "argument of acc_map_data", start, start + n, other);
        }
        if let Some((start, e)) = t.of_device(device as usize, n) {
            t.misused("acc_map_data to memory that is the device's copy of", start, &e);
        }
        let entry = Entry {
            end: start + n,
            device: device as usize,
            base: start,
            structured: 0,
            dynamic: 1,
            name: "argument of acc_map_data".to_owned(),
            place: "acc_map_data".to_owned(),
            joined: false,
            members: None,
            owned: false,
            attached: std::collections::BTreeMap::new(),
        };
        t.insert(start, entry);
    }
    /// Forgets what `acc_map_data` said.
    fn acc_unmap_data(host: *mut c_void) {
        if !apart() {
            return;
        }
        let mut t = table();
        match t.get(host as usize).cloned() {
            Some(e) if e.owned => t.misused("acc_unmap_data of what acc_map_data has not mapped:", host as usize, &e),
            Some(_) => drop(t.take(host as usize)),
            None => {}
        }
    }
    /// The device's address of the host's; null if it is not present.
    fn acc_deviceptr(p: *mut c_void) -> *mut c_void {
        if is_apart(p) { table().translate(p as usize).unwrap_or(0) as *mut c_void } else { p }
    }
    /// The host's address of the device's; null if there is none.
    fn acc_hostptr(p: *mut c_void) -> *mut c_void {
        if is_apart(p) { table().back(p as usize).unwrap_or(0) as *mut c_void } else { p }
    }
    /// Whether memory is present.
    fn acc_is_present(p: *mut c_void, n: usize) -> c_int {
        if !is_apart(p) {
            return 1;
        }
        let t = table();
        let (start, end) = (p as usize, (p as usize).saturating_add(n));
        c_int::from(matches!(t.find(start, end), Found::All(_)) && !t.has_left(start, end))
    }
    /// Copies to the device.
    fn acc_memcpy_to_device(to: *mut c_void, from: *const c_void, n: usize) { copy(Stream::NOW, Way::In, to, from, n); }
    /// The same on a queue.
    fn acc_memcpy_to_device_async(to: *mut c_void, from: *const c_void, n: usize, q: c_int) { copy(queue(q), Way::In, to, from, n); }
    /// Copies from the device.
    fn acc_memcpy_from_device(to: *mut c_void, from: *const c_void, n: usize) { copy(Stream::NOW, Way::Out, to, from, n); }
    /// The same on a queue.
    fn acc_memcpy_from_device_async(to: *mut c_void, from: *const c_void, n: usize, q: c_int) { copy(queue(q), Way::Out, to, from, n); }
    /// Copies within the device.
    fn acc_memcpy_device(to: *mut c_void, from: *const c_void, n: usize) { copy(Stream::NOW, Way::Within, to, from, n); }
    /// The same on a queue.
    fn acc_memcpy_device_async(to: *mut c_void, from: *const c_void, n: usize, q: c_int) { copy(queue(q), Way::Within, to, from, n); }
    /// Copies from one device to another, both of this type.
    fn acc_memcpy_d2d(to: *mut c_void, from: *const c_void, n: usize, _there: c_int, _here: c_int) { between(Stream::NOW, to, from, n); }
    /// The same on a queue.
    fn acc_memcpy_d2d_async(to: *mut c_void, from: *const c_void, n: usize, _there: c_int, _here: c_int, q: c_int) { between(queue(q), to, from, n); }
    /// Makes the device's copy of a pointer point to the device's copy of what it points to.
    fn acc_attach(p: *mut *mut c_void) { if apart() { plain::attach(p, Stream::NOW); } }
    /// The same on a queue.
    fn acc_attach_async(p: *mut *mut c_void, q: c_int) { if apart() { plain::attach(p, queue(q)); } }
    /// The opposite of `acc_attach`.
    fn acc_detach(p: *mut *mut c_void) { if apart() { plain::detach(p, false, Stream::NOW); } }
    /// The same on a queue.
    fn acc_detach_async(p: *mut *mut c_void, q: c_int) { if apart() { plain::detach(p, false, queue(q)); } }
    /// The opposite of all `acc_attach`.
    fn acc_detach_finalize(p: *mut *mut c_void) { if apart() { plain::detach(p, true, Stream::NOW); } }
    /// The same on a queue.
    fn acc_detach_finalize_async(p: *mut *mut c_void, q: c_int) { if apart() { plain::detach(p, true, queue(q)); } }
}

/// The GPU that a type and a number mean.
fn gpu_of(n: c_int, kind: c_int) -> Option<&'static Gpu> {
    let here = current(None);
    let kind = if matches!(kind, number::DEFAULT | number::NOT_HOST) { here.number() } else { kind };
    (kind == number::NVIDIA).then(|| gpu::gpu(usize::try_from(n).unwrap_or(0)))?
}

/// What a copy is between.
#[derive(Clone, Copy)]
enum Way {
    In,
    Out,
    Within,
}

/// Copies between what the device has of two ranges of the host's; both must be present.
fn between(stream: Stream, to: *mut c_void, from: *const c_void, n: usize) {
    if !apart() {
        return copy(stream, Way::Within, to, from, n);
    }
    let (a, b) = {
        let t = table();
        let find = |at: usize| match managed::is_shared(at) {
            true => at,
            false => t.translate(at).unwrap_or_else(|| t.absent(None, "acc_memcpy_d2d", at, n)),
        };
        (find(to as usize), find(from as usize))
    };
    copy(stream, Way::Within, a as *mut c_void, b as *const c_void, n);
}

/// Index of the first queue of several that is done; without a queue among them, the first is.
fn first_queue(count: c_int, q: *const c_int) -> c_int {
    let count = usize::try_from(count).unwrap_or(0);
    // SAFETY: the caller says that there are so many.
    let numbers: Vec<i64> = (0..count).map(|i| i64::from(unsafe { *q.add(i) })).collect();
    queue::wait_any(&numbers).map_or(-1, |i| i as c_int)
}

fn wait(stream: Stream) {
    trace::during(Event::WaitStart, Event::WaitEnd, None, stream, || stream.wait());
}

fn wait_all() {
    trace::during(Event::WaitStart, Event::WaitEnd, None, Stream::NOW, || Stream::NOW.wait_for_all());
}

fn init(kind: c_int) {
    trace::init();
    device::choose(kind);
    trace::ready(None);
}

fn enter(stream: Stream, copy: bool, p: *mut c_void, n: usize) -> *mut c_void {
    if p.is_null() || !is_apart(p) {
        return p;
    }
    plain::enter(copy, p, n, stream);
    table().translate(p as usize).unwrap_or(0) as *mut c_void
}

fn leave(stream: Stream, copy: bool, finalize: bool, p: *mut c_void, n: usize) {
    // No bytes are nothing to do (OpenACC 3.4, 3.2).
    if !p.is_null() && n > 0 && apart() {
        plain::exit(copy, finalize, p, n, stream);
    }
}

fn update(stream: Stream, to_host: bool, p: *mut c_void, n: usize) {
    if !p.is_null() && n > 0 && apart() {
        plain::update(to_host, p, n, stream);
    }
}

fn copy(stream: Stream, way: Way, to: *mut c_void, from: *const c_void, n: usize) {
    let (to, from) = (to as usize, from as usize);
    if to == from {
        return;
    }
    // SAFETY: both sides are the caller's, who says that they have so many bytes.
    stream.put(move || unsafe {
        match way {
            Way::In => memory::copy_in(to, from, n),
            Way::Out => memory::copy_out(to, from, n),
            Way::Within => memory::copy_within(to, from, n),
        }
    });
}
