//! The functions of `cuda.h`.
#![expect(clippy::missing_safety_doc, reason = "the driver's documentation says what each function wants")]

use crate::module::Module;
use crate::stream::Task;
use crate::{
    INVALID_PTX, INVALID_VALUE, NO_DEVICE, NOT_FOUND, NOT_READY, OUT_OF_MEMORY, OUT_OF_RESOURCES, SUCCESS, Status, log,
    memory, world,
};
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

/// Bytes that the GPU says it has.
const MEMORY: usize = 4 << 30;

macro_rules! api {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $ty:ty),*) $body:block)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $ty),*) -> Status $body
    )*};
}

fn devices() -> c_int {
    std::env::var("CUDA_ON_HOST_DEVICES").ok().and_then(|n| n.parse().ok()).unwrap_or(1)
}

/// Writes a result, if there is a place for it.
///
/// # Safety
/// `place` is null or may be written.
unsafe fn give<T>(place: *mut T, value: T) -> Status {
    if place.is_null() {
        return INVALID_VALUE;
    }
    // SAFETY: by the caller's promise.
    unsafe { place.write(value) };
    SUCCESS
}

/// Puts something into a stream.
fn put(stream: *mut c_void, f: impl FnOnce() -> Status + Send + 'static) -> Status {
    let mut w = world();
    w.streams.put(stream as usize, Task::Do(Box::new(f)));
    w.failed
}

api! {
    /// The first call.
    fn cuInit(_flags: c_uint) {
        log("init");
        if devices() > 0 { SUCCESS } else { NO_DEVICE }
    }
    /// How many GPUs there are.
    fn cuDeviceGetCount(count: *mut c_int) {
        // SAFETY: the caller's place.
        unsafe { give(count, devices()) }
    }
    /// A GPU by number.
    fn cuDeviceGet(device: *mut c_int, n: c_int) {
        // SAFETY: the caller's place.
        if n < devices() { unsafe { give(device, n) } } else { INVALID_VALUE }
    }
    /// What it is called.
    fn cuDeviceGetName(name: *mut c_char, bytes: c_int, device: c_int) {
        let text = format!("this machine as GPU {device}");
        let n = text.len().min(usize::try_from(bytes - 1).unwrap_or(0));
        // SAFETY: the caller says that there are so many bytes.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr(), name.cast(), n);
            name.add(n).write(0);
        }
        SUCCESS
    }
    /// A number about it: its compute capability is 9.0.
    fn cuDeviceGetAttribute(value: *mut c_int, attribute: c_int, _device: c_int) {
        let known = match attribute {
            75 => 9,
            76 => 0,
            // Kernels reach all memory of the host: if a test wants that.
            88 => c_int::from(std::env::var_os("CUDA_ON_HOST_UNIFIED").is_some_and(|v| v == "1")),
            // The host may use managed memory while kernels run.
            89 => 1,
            _ => return INVALID_VALUE,
        };
        // SAFETY: the caller's place.
        unsafe { give(value, known) }
    }
    /// The context of a GPU.
    fn cuDevicePrimaryCtxRetain(context: *mut *mut c_void, device: c_int) {
        log(&format!("context {device}"));
        // SAFETY: the caller's place.
        unsafe { give(context, (device as usize + 1) as *mut c_void) }
    }
    /// Makes a context the thread's.
    fn cuCtxSetCurrent(context: *mut c_void) {
        log(&format!("set {}", context as usize - 1));
        SUCCESS
    }
    /// A limit: the host's code keeps its own.
    fn cuCtxSetLimit(_limit: c_int, _value: usize) {
        SUCCESS
    }
    /// Bytes that are free, and all.
    fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) {
        // SAFETY: the caller's places.
        unsafe { give(free, MEMORY) | give(total, MEMORY) }
    }
    /// Allocates.
    fn cuMemAlloc_v2(place: *mut u64, bytes: usize) {
        log(&format!("alloc {bytes}"));
        match memory::allocate(bytes) {
            // SAFETY: the caller's place.
            Some(at) => unsafe { give(place, at as u64) },
            None => OUT_OF_MEMORY,
        }
    }
    /// Allocates what the host may use, too.
    fn cuMemAllocManaged(place: *mut u64, bytes: usize, _flags: c_uint) {
        log(&format!("managed {bytes}"));
        match memory::allocate_managed(bytes) {
            // SAFETY: the caller's place.
            Some(at) => unsafe { give(place, at as u64) },
            None => OUT_OF_MEMORY,
        }
    }
    /// Allocates page-locked memory of the host's.
    fn cuMemAllocHost_v2(place: *mut *mut c_void, bytes: usize) {
        log(&format!("locked {bytes}"));
        match memory::lock(bytes) {
            // SAFETY: the caller's place.
            Some(at) => unsafe { give(place, at as *mut c_void) },
            None => OUT_OF_MEMORY,
        }
    }
    /// What is known of an address: whether memory is the host's (1) or the GPU's (2). Of memory that is not the driver's, nothing.
    fn cuPointerGetAttribute(value: *mut c_void, attribute: c_int, at: u64) {
        let kind = match attribute {
            2 if memory::is_locked(at as usize) => 1,
            2 if memory::has(at as usize, 1) => 2,
            _ => return INVALID_VALUE,
        };
        // SAFETY: the caller's place.
        unsafe { give(value.cast::<c_uint>(), kind) }
    }
    /// Frees, when all streams are done.
    fn cuMemFree_v2(at: u64) {
        log("free");
        let mut w = world();
        let mut failed = w.failed;
        w.streams.finish_all(&mut failed);
        w.failed = failed;
        if memory::free(at as usize) { failed } else { INVALID_VALUE }
    }
    /// Copies to the GPU: what the host's memory holds now.
    fn cuMemcpyHtoDAsync_v2(to: u64, from: *const c_void, bytes: usize, stream: *mut c_void) {
        log(&format!("upload {bytes} stream {}", stream as usize));
        let to = to as usize;
        if !memory::has(to, bytes) {
            return INVALID_VALUE;
        }
        let mut w = world();
        let mut failed = w.failed;
        w.streams.before_reading(&(from as usize..from as usize + bytes), &mut failed);
        w.failed = failed;
        drop(w);
        if memory::is_locked(from as usize) {
            let from = from as usize;
            // Page-locked memory is read when the stream comes to it.
            return put(stream, move || {
                // SAFETY: the caller leaves it until it has waited, and says that there are so many bytes.
                unsafe { std::ptr::copy_nonoverlapping(from as *const u8, to as *mut u8, bytes) };
                SUCCESS
            });
        }
        // SAFETY: the caller says that there are so many bytes.
        let now = unsafe { std::slice::from_raw_parts(from.cast::<u8>(), bytes) }.to_vec();
        put(stream, move || {
            // SAFETY: an allocation with so many bytes; freeing it waits for this.
            unsafe { std::ptr::copy_nonoverlapping(now.as_ptr(), to as *mut u8, bytes) };
            SUCCESS
        })
    }
    /// Copies to the host.
    fn cuMemcpyDtoHAsync_v2(to: *mut c_void, from: u64, bytes: usize, stream: *mut c_void) {
        log(&format!("download {bytes} stream {}", stream as usize));
        let (to, from) = (to as usize, from as usize);
        if !memory::has(from, bytes) {
            return INVALID_VALUE;
        }
        let result = put(stream, move || {
            // SAFETY: as above; the caller leaves its memory until it has waited.
            unsafe { std::ptr::copy_nonoverlapping(from as *const u8, to as *mut u8, bytes) };
            SUCCESS
        });
        world().streams.copies_to(to..to + bytes, stream as usize);
        result
    }
    /// Copies within the GPU.
    fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, stream: *mut c_void) {
        let (to, from) = (to as usize, from as usize);
        if !memory::has(to, bytes) || !memory::has(from, bytes) {
            return INVALID_VALUE;
        }
        put(stream, move || {
            // SAFETY: as above.
            unsafe { std::ptr::copy(from as *const u8, to as *mut u8, bytes) };
            SUCCESS
        })
    }
    /// Fills with a byte.
    fn cuMemsetD8Async(at: u64, value: u8, bytes: usize, stream: *mut c_void) {
        let at = at as usize;
        if !memory::has(at, bytes) {
            return INVALID_VALUE;
        }
        put(stream, move || {
            // SAFETY: as above.
            unsafe { std::ptr::write_bytes(at as *mut u8, value, bytes) };
            SUCCESS
        })
    }
    /// Fills with a word.
    fn cuMemsetD32Async(at: u64, value: c_uint, count: usize, stream: *mut c_void) {
        let at = at as usize;
        if !memory::has(at, 4 * count) || !at.is_multiple_of(4) {
            return INVALID_VALUE;
        }
        put(stream, move || {
            for n in 0..count {
                // SAFETY: as above.
                unsafe { (at as *mut c_uint).add(n).write(value) };
            }
            SUCCESS
        })
    }
    /// Loads a module from PTX.
    fn cuModuleLoadDataEx(module: *mut *mut c_void, image: *const c_void, count: c_uint, options: *mut c_int, values: *mut *mut c_void) {
        log("module");
        // SAFETY: a C string.
        let text = unsafe { CStr::from_ptr(image.cast()) }.to_string_lossy().into_owned();
        match Module::load(&text) {
            Ok(m) => {
                let mut w = world();
                w.modules.push(m);
                // SAFETY: the caller's place.
                unsafe { give(module, w.modules.len() as *mut c_void) }
            }
            Err(why) => {
                // SAFETY: as many options and values as the caller says.
                unsafe { complain(&why, count as usize, options, values) };
                INVALID_PTX
            }
        }
    }
    /// A kernel of a module.
    fn cuModuleGetFunction(function: *mut *mut c_void, module: *mut c_void, name: *const c_char) {
        // SAFETY: a C string.
        let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
        let mut w = world();
        let found = (module as usize).checked_sub(1).and_then(|n| w.modules.get(n)).and_then(|m| m.function(&name));
        let Some(f) = found else { return NOT_FOUND };
        w.functions.push(f);
        // SAFETY: the caller's place.
        unsafe { give(function, w.functions.len() as *mut c_void) }
    }
    /// A variable of a module.
    fn cuModuleGetGlobal_v2(at: *mut u64, bytes: *mut usize, module: *mut c_void, name: *const c_char) {
        // SAFETY: a C string.
        let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
        let w = world();
        let found = (module as usize).checked_sub(1).and_then(|n| w.modules.get(n)).and_then(|m| m.variable(&name));
        let Some((place, size)) = found else { return NOT_FOUND };
        memory::add_variable(place, size);
        // SAFETY: the caller's places; the driver takes null for what is not wanted.
        unsafe {
            give(bytes, size);
            give(at, place as u64);
        }
        SUCCESS
    }
    /// Modules stay: code of the host's is never given back.
    fn cuModuleUnload(_module: *mut c_void) {
        SUCCESS
    }
    /// A number about a kernel: none that the host would have to keep.
    fn cuFuncGetAttribute(value: *mut c_int, _attribute: c_int, _function: *mut c_void) {
        // SAFETY: the caller's place.
        unsafe { give(value, 0) }
    }
    /// There is no carveout and no limit that would have to be raised.
    fn cuFuncSetAttribute(_function: *mut c_void, _attribute: c_int, _value: c_int) {
        SUCCESS
    }
    /// Launches a kernel with arguments in one buffer.
    fn cuLaunchKernel(function: *mut c_void, gx: c_uint, gy: c_uint, gz: c_uint, bx: c_uint, by: c_uint, bz: c_uint, shared: c_uint, stream: *mut c_void, _params: *mut *mut c_void, extra: *mut *mut c_void) {
        log(&format!("launch {gx}x{gy}x{gz} of {bx}x{by}x{bz} stream {}", stream as usize));
        if gx.min(gy).min(gz) == 0 || gy.max(gz) > 65535 || bx * by * bz > 1024 || extra.is_null() {
            return INVALID_VALUE;
        }
        let found = (function as usize).checked_sub(1).and_then(|n| world().functions.get(n).cloned());
        let Some(f) = found else { return NOT_FOUND };
        // SAFETY: the caller's list of five words: a pointer and a place with a size, each behind its name.
        let args = unsafe {
            let (at, size) = (*extra.add(1), *(*extra.add(3)).cast::<usize>());
            std::slice::from_raw_parts(at.cast::<u8>(), size)
        };
        // As the driver: not a byte more, either.
        if args.len() != f.bytes() {
            return OUT_OF_RESOURCES;
        }
        let args = args.to_vec();
        put(stream, move || f.launch([gx, gy, gz], [bx, by, bz], shared, &args))
    }
    /// A new stream.
    fn cuStreamCreate(stream: *mut *mut c_void, _flags: c_uint) {
        let handle = world().streams.handle();
        log(&format!("stream {handle}"));
        // SAFETY: the caller's place.
        unsafe { give(stream, handle as *mut c_void) }
    }
    /// Waits for a stream.
    fn cuStreamSynchronize(stream: *mut c_void) {
        log(&format!("wait {}", stream as usize));
        let mut w = world();
        let mut failed = w.failed;
        w.streams.finish(stream as usize, &mut failed);
        w.failed = failed;
        failed
    }
    /// Whether a stream is done.
    fn cuStreamQuery(stream: *mut c_void) {
        let mut w = world();
        let mut failed = w.failed;
        let more = w.streams.step(stream as usize, &mut failed);
        w.failed = failed;
        if failed == SUCCESS && more { NOT_READY } else { failed }
    }
    /// Lets a stream wait for an event.
    fn cuStreamWaitEvent(stream: *mut c_void, event: *mut c_void, _flags: c_uint) {
        log(&format!("stream {} waits", stream as usize));
        world().streams.wait_event(stream as usize, event as usize);
        SUCCESS
    }
    /// A new event.
    fn cuEventCreate(event: *mut *mut c_void, _flags: c_uint) {
        let handle = world().streams.handle();
        // SAFETY: the caller's place.
        unsafe { give(event, handle as *mut c_void) }
    }
    /// An event is where a stream is now.
    fn cuEventRecord(event: *mut c_void, stream: *mut c_void) {
        world().streams.record(event as usize, stream as usize);
        SUCCESS
    }
    /// Whether an event has been reached.
    fn cuEventQuery(event: *mut c_void) {
        let mut w = world();
        let mut failed = w.failed;
        let reached = w.streams.reached(event as usize, &mut failed);
        w.failed = failed;
        if reached { failed } else { NOT_READY }
    }
    /// Waits for an event.
    fn cuEventSynchronize(event: *mut c_void) {
        let mut w = world();
        let mut failed = w.failed;
        while !w.streams.reached(event as usize, &mut failed) {}
        w.failed = failed;
        failed
    }
    /// Forgets an event.
    fn cuEventDestroy_v2(event: *mut c_void) {
        world().streams.forget(event as usize);
        SUCCESS
    }
    /// The name of a result.
    fn cuGetErrorName(result: Status, name: *mut *const c_char) {
        let text = match result {
            SUCCESS => c"CUDA_SUCCESS",
            INVALID_VALUE => c"CUDA_ERROR_INVALID_VALUE",
            OUT_OF_MEMORY => c"CUDA_ERROR_OUT_OF_MEMORY",
            NO_DEVICE => c"CUDA_ERROR_NO_DEVICE",
            INVALID_PTX => c"CUDA_ERROR_INVALID_PTX",
            OUT_OF_RESOURCES => c"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
            crate::LAUNCH_FAILED => c"CUDA_ERROR_LAUNCH_FAILED",
            _ => return INVALID_VALUE,
        };
        // SAFETY: the caller's place.
        unsafe { give(name, text.as_ptr()) }
    }
}

/// Writes why a module was not loaded into the caller's buffer, if it gave one.
///
/// # Safety
/// There are so many options and values.
unsafe fn complain(why: &str, count: usize, options: *mut c_int, values: *mut *mut c_void) {
    const LOG: c_int = 5;
    const SIZE: c_int = 6;
    // SAFETY: by the caller's promise.
    let all: Vec<(c_int, *mut c_void)> = (0..count).map(|n| unsafe { (*options.add(n), *values.add(n)) }).collect();
    let find = |o| all.iter().find(|(name, _)| *name == o).map(|v| v.1);
    if let (Some(log), Some(size)) = (find(LOG), find(SIZE)) {
        let n = why.len().min((size as usize).saturating_sub(1));
        // SAFETY: the caller's buffer of so many bytes.
        unsafe {
            std::ptr::copy_nonoverlapping(why.as_ptr(), log.cast(), n);
            log.cast::<u8>().add(n).write(0);
        }
    }
}
