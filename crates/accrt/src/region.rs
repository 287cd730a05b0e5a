//! What generated code calls. The structures are those of `crates/acc/src/prelude.h`.

use crate::device::{self, Device};
use crate::fatal::{fatal, text};
use crate::memory;
use crate::pool::{self, Code, Job};
use crate::section::{Dim, Stretch, stretches, to_device, to_host};
use crate::table::{Entry, Found, Table, table};
use std::cell::RefCell;
use std::ffi::{c_char, c_int, c_long, c_ulong, c_void};

/// Where a construct stands.
#[repr(C)]
#[derive(Debug)]
pub struct Site {
    /// The source file.
    pub file: *const c_char,
    /// The function.
    pub function: *const c_char,
    /// The line of the directive.
    pub line: c_int,
    /// Which directive.
    pub kind: c_int,
    /// What the program was compiled for.
    pub device: c_int,
    /// 1: there is code for the device; 2: a data construct; 4: `declare`.
    pub flags: c_int,
}

/// A variable of a data clause.
#[repr(C)]
#[derive(Debug)]
pub struct Item {
    pub(crate) name: *const c_char,
    pub(crate) kind: c_int,
    pub(crate) flags: c_int,
    pub(crate) base: *mut u8,
    pub(crate) bytes: c_ulong,
    pub(crate) pointer: *mut *mut u8,
    pub(crate) ndims: c_int,
    pub(crate) dims: *const c_long,
}

/// `if`, `self`, `async` and `wait`.
#[repr(C)]
#[derive(Debug)]
pub struct Clauses {
    condition: c_int,
    has_async: c_int,
    queue: c_long,
    wait_all: c_int,
    nwaits: c_int,
    waits: *const c_long,
    own: c_int,
}

/// A kernel.
#[repr(C)]
#[derive(Debug)]
pub struct Kernel {
    code: Option<Code>,
    name: *const c_char,
    ptx: *const c_char,
    line: c_int,
    local: c_int,
    block: c_int,
}

/// The rest of a block with `declare`.
#[repr(C)]
#[derive(Debug)]
pub struct Scope {
    site: *const Site,
    items: *mut Item,
    n: c_int,
}

const COPY: c_int = 1;
pub(crate) const COPYIN: c_int = 2;
const COPYOUT: c_int = 3;
pub(crate) const CREATE: c_int = 4;
const NO_CREATE: c_int = 5;
const PRESENT: c_int = 6;
const DEVICEPTR: c_int = 7;
const ATTACH: c_int = 8;
const DETACH: c_int = 9;
pub(crate) const DELETE: c_int = 10;
pub(crate) const UPDATE_HOST: c_int = 11;
pub(crate) const UPDATE_DEVICE: c_int = 12;
pub(crate) const EXIT_COPYOUT: c_int = 13;

const ZERO: c_int = 1;
const ALWAYS_IN: c_int = 2;
const ALWAYS_OUT: c_int = 4;
pub(crate) const FINALIZE: c_int = 8;
const IF_PRESENT: c_int = 16;
/// Set by `enter`: the item holds an entry.
const HELD: c_int = 0x100;

/// Longest chain of pointers to pointers.
const MAX_DIMS: usize = 16;

thread_local! {
    /// Memory of kernels that are being launched.
    static SCRATCH: RefCell<Vec<(usize, bool)>> = const { RefCell::new(Vec::new()) };
}

/// # Safety
/// The interface of generated code.
unsafe fn slice<'a>(items: *mut Item, n: c_int) -> &'a mut [Item] {
    // SAFETY: an array of `n` items of the caller's frame.
    unsafe { std::slice::from_raw_parts_mut(items, usize::try_from(n).unwrap_or(0)) }
}

fn dims(item: &Item) -> Vec<Dim> {
    let n = usize::try_from(item.ndims).unwrap_or(0).min(MAX_DIMS);
    if n == 0 {
        return vec![Dim { lower: 0, count: 1, stride: item.bytes as isize, pointer: false }];
    }
    // SAFETY: four numbers for each dimension.
    let all = unsafe { std::slice::from_raw_parts(item.dims, 4 * n) };
    let one =
        |d: &[c_long]| Dim { lower: d[0] as isize, count: d[1] as isize, stride: d[2] as isize, pointer: d[3] != 0 };
    all.chunks_exact(4).map(one).collect()
}

fn place(site: &Site) -> String {
    format!("{}:{} ({})", text(site.file), site.line, text(site.function))
}

/// The places of pointers in an entry that hold the device's addresses.
fn attached(e: &Entry, start: usize) -> Vec<usize> {
    e.attached.keys().map(|o| start + o).collect()
}

/// Where the entry of a stretch is, and whether it was there before.
struct Enter<'a> {
    site: Option<&'a Site>,
    name: String,
    zero: bool,
    copy: bool,
    always: bool,
    structured: bool,
}

fn enter_stretch(t: &mut Table, how: &Enter<'_>, s: &Stretch, base: usize, pointers: bool) {
    let key = match t.find(s.start, s.end) {
        Found::All(key) => key,
        Found::Part(other) => t.partly(how.site, &how.name, s.start, s.end, other),
        Found::None => {
            let device = memory::allocate(s.end - s.start);
            if device == 0 {
                fatal(how.site, &format!("no memory on the device for name={} size:{}", how.name, s.end - s.start));
            }
            if how.zero {
                // SAFETY: just allocated.
                unsafe { std::ptr::write_bytes(device as *mut u8, 0, s.end - s.start) };
            }
            if how.copy || pointers {
                to_device(s, device);
            }
            let place = how.site.map_or_else(|| "the program".to_owned(), place);
            let name = how.name.clone();
            let entry = Entry {
                end: s.end,
                device,
                base,
                structured: 0,
                dynamic: 0,
                name,
                place,
                owned: true,
                attached: std::collections::BTreeMap::new(),
            };
            t.insert(s.start, entry);
            s.start
        }
    };
    if let Some(e) = t.get(key) {
        let counter = if how.structured { &mut e.structured } else { &mut e.dynamic };
        let fresh = *counter == 0;
        *counter = counter.saturating_add(1);
        let device = e.device + (s.start - key);
        if how.always && how.copy && !(fresh && e.structured + e.dynamic == 1) {
            to_device(s, device);
        }
    }
}

/// Makes the device's copy of the pointer at `slot` point to the device's copy of what it points to.
pub(crate) fn attach(t: &mut Table, slot: usize, count: bool) {
    // SAFETY: a pointer variable of the program.
    let value = unsafe { *(slot as *const usize) };
    let target =
        t.translate(value).or_else(|| t.with_base(value).map(|(s, e)| e.device.wrapping_sub(s.wrapping_sub(value))));
    let Some(target) = target.filter(|_| value != 0) else { return };
    let Some((key, _)) = t.containing(slot) else { return };
    let Some(e) = t.get(key) else { return };
    if slot + 8 > e.end {
        return;
    }
    let n = e.attached.entry(slot - key).or_insert((0, value));
    n.1 = value;
    if count || n.0 == 0 {
        n.0 = n.0.saturating_add(1);
    }
    // SAFETY: within the device's copy of the entry.
    unsafe { ((e.device + slot - key) as *mut usize).write_unaligned(target) };
}

pub(crate) fn detach(t: &mut Table, slot: usize, finalize: bool) {
    let Some((key, _)) = t.containing(slot) else { return };
    let Some(e) = t.get(key) else { return };
    let Some(n) = e.attached.get_mut(&(slot - key)) else { return };
    n.0 = if finalize { 0 } else { n.0.saturating_sub(1) };
    if n.0 == 0 {
        let value = n.1;
        e.attached.remove(&(slot - key));
        // SAFETY: within the device's copy of the entry.
        unsafe { ((e.device + slot - key) as *mut usize).write_unaligned(value) };
    }
}

/// One item on the way in.
pub(crate) fn enter_item(t: &mut Table, site: &Site, item: &mut Item, structured: bool) {
    let name = text(item.name);
    let d = dims(item);
    let slot = (!item.pointer.is_null()).then_some(item.pointer as usize);
    match item.kind {
        DEVICEPTR | DETACH | DELETE | EXIT_COPYOUT => {}
        ATTACH => {
            if let Some(slot) = slot {
                attach(t, slot, true);
            }
        }
        NO_CREATE | PRESENT => {
            let mut held = true;
            let base = item.base as usize;
            stretches(base, &d, slot, &mut |s, b, _, _| {
                let found = match t.find(s.start, s.end) {
                    Found::All(key) => Some(key),
                    Found::Part(other) if item.kind == PRESENT => t.partly(Some(site), &name, s.start, s.end, other),
                    _ => t.with_base(b).map(|(key, _)| key).filter(|_| s.start == s.end),
                };
                match found.and_then(|key| t.get(key)) {
                    Some(e) => e.structured = e.structured.saturating_add(1),
                    None if item.kind == PRESENT && b != 0 => t.absent(Some(site), &name, s.start, s.end - s.start),
                    None => held = false,
                }
            });
            if held {
                item.flags |= HELD;
                if let Some(slot) = slot {
                    attach(t, slot, true);
                }
            }
        }
        COPY | COPYIN | COPYOUT | CREATE => {
            let copy = matches!(item.kind, COPY | COPYIN);
            let how = Enter {
                site: Some(site),
                name,
                zero: item.flags & ZERO != 0,
                copy,
                always: item.flags & ALWAYS_IN != 0,
                structured,
            };
            if item.base.is_null() {
                return;
            }
            stretches(item.base as usize, &d, slot, &mut |s, base, slot, pointers| {
                enter_stretch(t, &how, s, base, pointers);
                if let Some(slot) = slot {
                    attach(t, slot, true);
                }
            });
            item.flags |= HELD;
        }
        _ => {}
    }
}

/// One item on the way out.
pub(crate) fn exit_item(t: &mut Table, item: &Item, structured: bool) {
    let d = dims(item);
    let slot = (!item.pointer.is_null()).then_some(item.pointer as usize);
    let finalize = item.flags & FINALIZE != 0;
    match item.kind {
        DETACH | ATTACH => {
            if let Some(slot) = slot {
                detach(t, slot, finalize);
            }
            return;
        }
        DEVICEPTR => return,
        _ if structured && item.flags & HELD == 0 => return,
        _ => {}
    }
    let out = matches!(item.kind, COPY | COPYOUT | EXIT_COPYOUT);
    let mut all = Vec::new();
    stretches(item.base as usize, &d, slot, &mut |s, base, slot, pointers| all.push((s.clone(), base, slot, pointers)));
    // What is pointed to before the pointers.
    for (s, base, slot, pointers) in all.into_iter().rev() {
        let found = match t.find(s.start, s.end) {
            Found::All(key) | Found::Part(key) => Some(key),
            Found::None => t.with_base(base).map(|(key, _)| key).filter(|_| s.start == s.end),
        };
        let Some(key) = found else { continue };
        if let Some(slot) = slot {
            detach(t, slot, finalize);
        }
        let Some(e) = t.get(key) else { continue };
        if structured {
            e.structured = e.structured.saturating_sub(1);
        } else {
            e.dynamic = if finalize { 0 } else { e.dynamic.saturating_sub(1) };
        }
        let gone = e.structured == 0 && e.dynamic == 0;
        if out && !pointers && (gone || item.flags & ALWAYS_OUT != 0) && s.start >= key {
            let stays = attached(e, key);
            to_host(&s, e.device + (s.start - key), &stays);
        }
        if gone {
            t.remove(key);
        }
    }
}

/// Whether a construct is on the device at all.
fn is_active(site: &Site, c: &Clauses) -> Option<Device> {
    let device = device::current(Some(site.device));
    (c.condition != 0 && (c.own == 0 || site.flags & 2 != 0) && device != Device::Host).then_some(device)
}

/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_compiled(device: c_int) {
    device::compiled(device);
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
    let (site, items, c) = unsafe { (&*site, slice(items, n), &*c) };
    let Some(device) = is_active(site, c) else { return 0 };
    let has_code = site.flags & 1 != 0;
    if device.is_apart() {
        let mut t = table();
        for item in items.iter_mut() {
            enter_item(&mut t, site, item, true);
        }
        if !has_code && site.flags & 6 == 0 {
            mirror(&mut t, items, true);
        }
    }
    c_int::from(has_code)
}

/// Brings what a region that runs on the host touches from the device, or back.
fn mirror(t: &mut Table, items: &[Item], to_the_host: bool) {
    for item in items {
        let (d, base) = (dims(item), item.base as usize);
        if base == 0 || item.kind == DEVICEPTR {
            continue;
        }
        let mut keys = Vec::new();
        stretches(base, &d, None, &mut |s, b, _, _| {
            let found = t.containing(s.start).or_else(|| t.with_base(b));
            keys.extend(found.map(|(key, e)| (key, e.end, e.device, attached(e, key))));
        });
        for (start, end, device, stays) in keys {
            let all = Stretch { start, end, outer: Vec::new(), row: end - start };
            if to_the_host {
                to_host(&all, device, &stays);
            } else {
                to_device(&all, device);
                for slot in stays {
                    attach(t, slot, false);
                }
            }
        }
    }
}

/// Ends a construct.
///
/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_exit(site: *const Site, items: *mut Item, n: c_int, c: *const Clauses) {
    // SAFETY: as in `enter`.
    let (site, items, c) = unsafe { (&*site, slice(items, n), &*c) };
    let Some(device) = is_active(site, c) else { return };
    free_scratch();
    if device.is_apart() {
        let mut t = table();
        if site.flags & 7 == 0 {
            mirror(&mut t, items, false);
        }
        for item in items.iter().rev() {
            exit_item(&mut t, item, true);
        }
    }
}

/// The end of a block with `declare`.
///
/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_leave(scope: *mut Scope) {
    // SAFETY: a structure of the caller's frame.
    let (site, items) = unsafe { (&*(*scope).site, slice((*scope).items, (*scope).n)) };
    if device::current(Some(site.device)).is_apart() {
        let mut t = table();
        for item in items.iter().rev() {
            exit_item(&mut t, item, true);
        }
    }
}

/// The device's address of the host's.
///
/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_address(
    site: *const Site,
    name: *const c_char,
    host: *const c_void,
    item: *const Item,
) -> *mut c_void {
    // SAFETY: a constant.
    let site = unsafe { &*site };
    let host = host as usize;
    if host == 0 || !device::current(Some(site.device)).is_apart() {
        return host as *mut c_void;
    }
    let t = table();
    // SAFETY: null or an item of the caller's frame.
    if let Some(item) = unsafe { item.as_ref() } {
        if item.kind == DEVICEPTR {
            return host as *mut c_void;
        }
        let d = dims(item);
        let split = d.iter().skip(1).position(|d| d.pointer).map_or(d.len(), |i| i + 1);
        let start = Stretch::of(item.base as usize, &d[..split]).start;
        if let Some(device) = t.translate(start) {
            return device.wrapping_sub(start.wrapping_sub(host)) as *mut c_void;
        }
    }
    let found =
        t.translate(host).or_else(|| t.with_base(host).map(|(s, e)| e.device.wrapping_sub(s.wrapping_sub(host))));
    match found {
        Some(device) => device as *mut c_void,
        None if memory::is_device(host) => host as *mut c_void,
        None => t.absent(Some(site), &text(name), host, 0),
    }
}

/// Memory of the device until the construct ends.
///
/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_scratch(bytes: c_ulong) -> *mut c_void {
    let apart = device::current(None).is_apart();
    let at = if apart {
        memory::allocate(bytes as usize)
    } else {
        // SAFETY: plain allocation.
        unsafe { libc::malloc((bytes as usize).max(1)) as usize }
    };
    if at == 0 {
        fatal(None, &format!("no memory for {bytes} bytes of private data and partial results"));
    }
    SCRATCH.with_borrow_mut(|s| s.push((at, apart)));
    at as *mut c_void
}

fn free_scratch() {
    SCRATCH.with_borrow_mut(|s| {
        for (at, apart) in s.drain(..) {
            if apart {
                memory::free(at);
            } else {
                // SAFETY: allocated by `malloc` above.
                unsafe { libc::free(at as *mut _) };
            }
        }
    });
}

/// Most iterations of one dimension of a launch; more come in several.
const MAX_EXTENT: c_long = 1 << 29;

/// Runs a kernel.
///
/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_launch(
    site: *const Site,
    kernel: *const Kernel,
    args: *mut u8,
    _bytes: c_ulong,
    n0: c_long,
    n1: c_long,
    n2: c_long,
) {
    // SAFETY: constants.
    let (site, kernel) = unsafe { (&*site, &*kernel) };
    if n0 <= 0 || n1 <= 0 || n2 <= 0 {
        return;
    }
    let Some(code) = kernel.code else {
        fatal(Some(site), &format!("kernel {} has no code for this device", text(kernel.name)))
    };
    if n1 > MAX_EXTENT || n2 > MAX_EXTENT {
        fatal(
            Some(site),
            &format!("a loop of {} iterations around another is too long: the limit is {MAX_EXTENT}", n1.max(n2)),
        );
    }
    let local = kernel.local.max(1) as c_long;
    let mut base = 0;
    while base < n0 {
        let part = (n0 - base).min(MAX_EXTENT);
        if kernel.block != 0 && base > 0 {
            // SAFETY: kernels with blocks have their first iteration and its number of iterations in front.
            unsafe {
                *args.cast::<c_long>() = base;
            }
        }
        let groups = [((part + local - 1) / local) as u32, n1 as u32, n2 as u32];
        let job = Job { code, args, groups, local: local as u32 };
        if let Some(trap) = pool::run(job, true) {
            fatal(Some(site), &format!("kernel {} stopped with trap {trap}", text(kernel.name)));
        }
        base += part;
    }
}

/// `enter data`, `exit data`, `update`.
///
/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_data(site: *const Site, items: *mut Item, n: c_int, c: *const Clauses) {
    // SAFETY: as in `enter`.
    let (site, items, c) = unsafe { (&*site, slice(items, n), &*c) };
    let device = device::current(Some(site.device));
    if c.condition == 0 || !device.is_apart() {
        return;
    }
    let mut t = table();
    for item in items {
        match item.kind {
            COPYIN | CREATE | COPY | ATTACH => enter_item(&mut t, site, item, false),
            UPDATE_HOST | UPDATE_DEVICE => update(&mut t, Some(site), item),
            _ => exit_item(&mut t, item, false),
        }
    }
}

pub(crate) fn update(t: &mut Table, site: Option<&Site>, item: &Item) {
    let (d, name) = (dims(item), text(item.name));
    let mut all = Vec::new();
    stretches(item.base as usize, &d, None, &mut |s, base, _, pointers| all.push((s.clone(), base, pointers)));
    for (mut s, base, pointers) in all {
        if pointers {
            continue;
        }
        if s.start == s.end
            && let Some((key, e)) = t.with_base(base)
        {
            // A pointer without a section: all of what is there.
            s = Stretch { start: key, end: e.end, outer: Vec::new(), row: e.end - key };
        }
        match t.find(s.start, s.end) {
            Found::All(key) => {
                let Some(e) = t.get(key) else { continue };
                let (device, stays) = (e.device + (s.start - key), attached(e, key));
                if item.kind == UPDATE_HOST {
                    to_host(&s, device, &stays);
                } else {
                    to_device(&s, device);
                    for slot in stays.into_iter().filter(|p| *p >= s.start && *p < s.end) {
                        attach(t, slot, false);
                    }
                }
            }
            Found::Part(other) => t.partly(site, &name, s.start, s.end, other),
            Found::None if item.flags & IF_PRESENT != 0 => {}
            Found::None => t.absent(site, &name, s.start, s.end - s.start),
        }
    }
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
    let t = table();
    let found = t.translate(at).or_else(|| t.with_base(at).map(|(s, e)| e.device.wrapping_sub(s.wrapping_sub(at))));
    match found {
        Some(d) => d as *mut c_void,
        None if if_present != 0 => host,
        None => t.absent(Some(site), &text(name), at, 0),
    }
}

/// `wait`: everything has been done already.
///
/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_wait(_site: *const Site, _c: *const Clauses) {}

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
    // SAFETY: a constant.
    let site = unsafe { &*site };
    if condition == 0 {
        return;
    }
    device::current(Some(site.device));
    let types = text(types);
    if let Some(first) = types.split(',').next().filter(|t| !t.is_empty() && *t != "*") {
        device::choose_name(first);
    }
    if what == 3 && has == 2 {
        crate::api::set_default_queue(value);
    }
}
