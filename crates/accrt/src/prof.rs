//! The profiling interface (OpenACC 3.4, chapter 5): callbacks that tools register for events.

use crate::device;
use crate::fatal::text;
use crate::interface::{Kernel, Site};
use crate::queue::Stream;
use crate::trace::{self, Transfer};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CString, c_char, c_int, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Events, by the numbers of `acc_event_t`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub(crate) enum Event {
    InitStart = 1,
    InitEnd = 2,
    ShutdownStart = 3,
    ShutdownEnd = 4,
    RuntimeShutdown = 5,
    Create = 6,
    Delete = 7,
    Alloc = 8,
    Free = 9,
    EnterDataStart = 10,
    EnterDataEnd = 11,
    ExitDataStart = 12,
    ExitDataEnd = 13,
    UpdateStart = 14,
    UpdateEnd = 15,
    ComputeStart = 16,
    ComputeEnd = 17,
    LaunchStart = 18,
    LaunchEnd = 19,
    UploadStart = 20,
    UploadEnd = 21,
    DownloadStart = 22,
    DownloadEnd = 23,
    WaitStart = 24,
    WaitEnd = 25,
}

/// Behind the last number of an event.
const LAST: c_int = 26;
/// The version that the structures are of.
const VERSION: c_int = 202_506;

/// `acc_prof_info`
#[repr(C)]
pub struct ProfInfo {
    event_type: c_int,
    valid_bytes: c_int,
    version: c_int,
    device_type: c_int,
    device_number: c_int,
    thread_id: c_int,
    queue: isize,
    async_queue: isize,
    src_file: *const c_char,
    func_name: *const c_char,
    line_no: c_int,
    end_line_no: c_int,
    func_line_no: c_int,
    func_end_line_no: c_int,
}

/// What all of `acc_event_info` begin with.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Common {
    event_type: c_int,
    valid_bytes: c_int,
    parent_construct: c_int,
    implicit: c_int,
    tool_info: *mut c_void,
}

#[repr(C)]
struct DataInfo {
    common: Common,
    var_name: *const c_char,
    bytes: usize,
    host_ptr: *const c_void,
    device_ptr: *const c_void,
}

#[repr(C)]
struct LaunchInfo {
    common: Common,
    kernel_name: *const c_char,
    num_gangs: usize,
    num_workers: usize,
    vector_length: usize,
}

/// `acc_api_info`
#[repr(C)]
pub struct ApiInfo {
    device_api: c_int,
    valid_bytes: c_int,
    device_type: c_int,
    vendor: c_int,
    device_handle: *const c_void,
    context_handle: *const c_void,
    async_handle: *const c_void,
}

/// `acc_prof_callback`
pub type Callback = unsafe extern "C" fn(*mut ProfInfo, *mut Common, *mut ApiInfo);

struct Registered {
    callback: Callback,
    count: u32,
    enabled: bool,
}

struct All {
    by_event: BTreeMap<c_int, Vec<Registered>>,
    /// Events that are switched off.
    off: Vec<c_int>,
}

static ALL: Mutex<All> = Mutex::new(All { by_event: BTreeMap::new(), off: Vec::new() });

thread_local! {
    /// Values of `tool_info` that start events left for their ends.
    static TOOL: std::cell::RefCell<Vec<(c_int, usize)>> = const { std::cell::RefCell::new(Vec::new()) };
    /// This thread has switched events off.
    static OFF: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

fn all() -> MutexGuard<'static, All> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number of `acc_construct_t` for a directive; calls of the program are `acc_construct_runtime_api`.
fn parent(site: Option<&Site>) -> c_int {
    const RUNTIME_API: c_int = 15;
    site.map_or(RUNTIME_API, |s| s.kind)
}

/// Devices in use: their type, and which of several.
static READY: Mutex<BTreeSet<(c_int, usize)>> = Mutex::new(BTreeSet::new());

/// This thread's device.
fn device_in_use() -> (c_int, usize) {
    let device = device::current(None);
    (device.number(), device.index())
}

/// The device is in use from now on, which tools are told the first time: when the program asks for it (`acc_init`), or before
/// the first event of it (`implicit`).
pub(crate) fn ready(site: Option<&Site>, implicit: bool) {
    if READY.lock().unwrap_or_else(PoisonError::into_inner).insert(device_in_use()) {
        for e in [Event::InitStart, Event::InitEnd] {
            let mut info = common(e, site, implicit, size_of::<Common>());
            dispatch(e, site, Stream::NOW, &raw mut info);
        }
    }
}

/// The device is in use no more.
pub(crate) fn gone() {
    READY.lock().unwrap_or_else(PoisonError::into_inner).remove(&device_in_use());
}

/// Calls what is registered for an event.
fn dispatch(e: Event, site: Option<&Site>, stream: Stream, info: *mut Common) {
    let number = e as c_int;
    if number >= Event::Create as c_int {
        ready(site, true);
    }
    let callbacks: Vec<Callback> = {
        let a = all();
        if a.off.contains(&number) || a.off.contains(&0) || OFF.get() {
            return;
        }
        let list = a.by_event.get(&number).into_iter().flatten();
        list.filter(|r| r.enabled).map(|r| r.callback).collect()
    };
    if callbacks.is_empty() {
        return;
    }
    let name = |p: Option<*const c_char>| p.unwrap_or(c"".as_ptr());
    let kind = device::current(None).number();
    let mut prof = ProfInfo {
        event_type: number,
        valid_bytes: size_of::<ProfInfo>() as c_int,
        version: VERSION,
        device_type: kind,
        device_number: 0,
        thread_id: crate::notify::thread(),
        queue: stream.number() as isize,
        async_queue: stream.number() as isize,
        src_file: name(site.map(|s| s.file)),
        func_name: name(site.map(|s| s.function)),
        line_no: site.map_or(0, |s| s.line),
        end_line_no: 0,
        func_line_no: 0,
        func_end_line_no: 0,
    };
    let mut api = ApiInfo {
        device_api: 0,
        valid_bytes: size_of::<ApiInfo>() as c_int,
        device_type: kind,
        vendor: 0,
        device_handle: std::ptr::null(),
        context_handle: std::ptr::null(),
        async_handle: std::ptr::null(),
    };
    // What the start of a pair leaves in `tool_info` its end finds there: starts are even from `EnterDataStart` on, ends odd.
    let start = if number % 2 == 1 { number - 1 } else { number };
    let paired = number >= Event::EnterDataStart as c_int;
    // SAFETY: the caller's structure.
    let tool = unsafe { &raw mut (*info).tool_info };
    if paired && number % 2 == 1 {
        let left = TOOL.with_borrow_mut(|t| t.iter().rposition(|x| x.0 == start).map(|i| t.remove(i).1));
        // SAFETY: as above.
        unsafe { *tool = left.unwrap_or(0) as *mut c_void };
    }
    for c in callbacks {
        // SAFETY: the tool's function takes these structures, whose sizes they say.
        unsafe { c(&raw mut prof, info, &raw mut api) };
    }
    if paired && number % 2 == 0 {
        // SAFETY: as above.
        let value = unsafe { *tool } as usize;
        TOOL.with_borrow_mut(|t| t.push((start, value)));
    }
}

fn common(e: Event, site: Option<&Site>, implicit: bool, bytes: usize) -> Common {
    Common {
        event_type: e as c_int,
        valid_bytes: bytes as c_int,
        parent_construct: parent(site),
        implicit: c_int::from(implicit),
        tool_info: std::ptr::null_mut(),
    }
}

/// An event about a variable.
pub(crate) fn data(e: Event, t: &Transfer<'_>) {
    let mut info = DataInfo {
        common: common(e, t.site, t.implicit, size_of::<DataInfo>()),
        var_name: t.name,
        bytes: t.bytes,
        host_ptr: t.host as *const c_void,
        device_ptr: t.device as *const c_void,
    };
    dispatch(e, t.site, t.stream, (&raw mut info).cast());
}

/// An event about a launch.
pub(crate) fn launch(e: Event, site: &'static Site, k: &Kernel, groups: [u32; 3], stream: Stream) {
    let mut info = LaunchInfo {
        common: common(e, Some(site), false, size_of::<LaunchInfo>()),
        kernel_name: k.name,
        num_gangs: groups.iter().map(|&g| g as usize).product(),
        num_workers: 1,
        vector_length: usize::try_from(k.group()).unwrap_or(1),
    };
    dispatch(e, Some(site), stream, (&raw mut info).cast());
}

/// An event about a construct, a wait or a device.
pub(crate) fn other(e: Event, site: Option<&'static Site>, stream: Stream) {
    let mut info = common(e, site, false, size_of::<Common>());
    dispatch(e, site, stream, &raw mut info);
}

const REG: c_int = 0;
const TOGGLE: c_int = 1;
const TOGGLE_PER_THREAD: c_int = 2;

/// Registers a callback for an event, or (`acc_toggle`) switches it or the event on.
///
/// # Safety
/// The callback stays where it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acc_prof_register(event: c_int, callback: Option<Callback>, how: c_int) {
    if !(0..LAST).contains(&event) {
        return;
    }
    let mut a = all();
    match (how, callback) {
        (REG, Some(callback)) if event > 0 => {
            let list = a.by_event.entry(event).or_default();
            match list.iter_mut().find(|r| std::ptr::fn_addr_eq(r.callback, callback)) {
                Some(r) => r.count += 1,
                None => list.push(Registered { callback, count: 1, enabled: true }),
            }
            trace::listen(trace::TOOLS);
        }
        (TOGGLE, Some(callback)) => toggle(&mut a, event, callback, true),
        (TOGGLE, None) => a.off.retain(|&e| e != event),
        (TOGGLE_PER_THREAD, None) => OFF.set(false),
        _ => {}
    }
}

/// The opposite of [`acc_prof_register`].
///
/// # Safety
/// None beyond the interface's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acc_prof_unregister(event: c_int, callback: Option<Callback>, how: c_int) {
    let mut a = all();
    match (how, callback) {
        (REG, Some(callback)) => {
            let Some(list) = a.by_event.get_mut(&event) else { return };
            if let Some(r) = list.iter_mut().find(|r| std::ptr::fn_addr_eq(r.callback, callback)) {
                r.count -= 1;
            }
            list.retain(|r| r.count > 0);
        }
        (TOGGLE, Some(callback)) => toggle(&mut a, event, callback, false),
        (TOGGLE, None) if !a.off.contains(&event) => a.off.push(event),
        (TOGGLE_PER_THREAD, None) => OFF.set(true),
        _ => {}
    }
}

fn toggle(a: &mut All, event: c_int, callback: Callback, enabled: bool) {
    let list = a.by_event.get_mut(&event).into_iter().flatten();
    list.filter(|r| std::ptr::fn_addr_eq(r.callback, callback)).for_each(|r| r.enabled = enabled);
}

/// The interface's functions by name, for tools.
///
/// # Safety
/// `name` ends in NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acc_prof_lookup(name: *const c_char) -> *const c_void {
    match text(name).as_str() {
        "acc_prof_register" => acc_prof_register as *const c_void,
        "acc_prof_unregister" => acc_prof_unregister as *const c_void,
        "acc_prof_lookup" => acc_prof_lookup as *const c_void,
        _ => std::ptr::null(),
    }
}

type Register = unsafe extern "C" fn(c_int, Option<Callback>, c_int);
type Lookup = unsafe extern "C" fn(*const c_char) -> *const c_void;
/// `acc_register_library`
type Library = unsafe extern "C" fn(Register, Register, Lookup);

/// Whether a function is libgomp's, which has one of this name that ends the program; `-fopenmp` links it.
fn is_of_another_runtime(f: *mut c_void) -> bool {
    let mut info = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: a place for what is known of the address; if there is something, its name is a C string.
    let file = unsafe {
        let found = libc::dladdr(f, info.as_mut_ptr()) != 0;
        if found { text(info.assume_init().dli_fname) } else { String::new() }
    };
    file.rsplit('/').next().is_some_and(|name| name.starts_with("libgomp."))
}

/// Calls the tools that `ACC_PROFLIB` names (separated by `;`), and the one that the program brings along.
pub(crate) fn load() {
    let start = |handle: *mut c_void| {
        // SAFETY: a loaded library, or the program with what it has loaded.
        let f = unsafe { libc::dlsym(handle, c"acc_register_library".as_ptr()) };
        if !f.is_null() && !is_of_another_runtime(f) {
            // SAFETY: the function of that name has this type.
            let f = unsafe { std::mem::transmute::<*mut c_void, Library>(f) };
            // SAFETY: as the specification says.
            unsafe { f(acc_prof_register, acc_prof_unregister, acc_prof_lookup) };
        }
        !f.is_null()
    };
    start(libc::RTLD_DEFAULT);
    let list = std::env::var("ACC_PROFLIB").unwrap_or_default();
    for path in list.split(';').filter(|p| !p.is_empty()) {
        let Ok(name) = CString::new(path) else { continue };
        // SAFETY: the user says that this library is to be loaded.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY | libc::RTLD_GLOBAL) };
        if handle.is_null() || !start(handle) {
            let _ = std::io::Write::write_all(
                &mut std::io::stderr().lock(),
                format!("unspool: ACC_PROFLIB: `{path}` cannot be loaded or has no acc_register_library\n").as_bytes(),
            );
        }
    }
    // SAFETY: a function without arguments that does not unwind.
    unsafe { libc::atexit(at_exit) };
}

extern "C" fn at_exit() {
    if !all().by_event.is_empty() {
        other(Event::RuntimeShutdown, None, Stream::NOW);
    }
}
