//! NVIDIA's GPUs through [CUDA's driver](crate::cuda): memory, streams for queues, events between them, and kernels from PTX.
//!
//! Each queue of OpenACC is a stream; what is not in a queue has one for each thread of the program, and is waited for. Memory
//! that streams may still use is freed when an event behind its last use has been reached; small blocks are kept for the next
//! construct.

use crate::cuda::{self, Check as _, DevicePtr, Driver, Handle};
use crate::fatal::{fatal, text};
use crate::interface::{Image, Kernel, Site};
use crate::staging::{self, Copy, Staging, Way};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_int, c_uint, c_void};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Most GPUs of a machine that are used.
pub(crate) const MAX_GPUS: usize = 16;
/// Largest block that is kept for the next construct, and most bytes of such blocks.
const MAX_KEPT: usize = 1 << 20;
const MAX_KEPT_BYTES: usize = 64 << 20;
/// Most groups of a launch in the first dimension, and in the others.
const MAX_GRID: [i64; 3] = [i32::MAX as i64, 65535, 65535];

thread_local! {
    /// The stream that memory is copied in, and kernels are launched in, at the moment.
    static STREAM: Cell<usize> = const { Cell::new(0) };
    /// The GPU whose context this thread has.
    static CONTEXT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// A GPU in use.
pub(crate) struct Gpu {
    driver: &'static Driver,
    device: c_int,
    context: usize,
    name: CString,
    /// Bytes of its memory that others had when it was made ready.
    others: usize,
    /// There is managed memory that the host may use while kernels run.
    has_managed: bool,
    /// Its kernels reach all memory of the host.
    reaches_the_host: bool,
    state: Mutex<State>,
    /// For large copies; `None` in it if there is no memory for that.
    staging: Mutex<Option<Option<Staging>>>,
}

#[derive(Default)]
struct State {
    /// By the number of a queue; negative ones are threads.
    streams: BTreeMap<i64, usize>,
    /// By the address of its image.
    modules: BTreeMap<usize, usize>,
    /// By the address of its kernel.
    functions: BTreeMap<usize, usize>,
    /// Bytes of what is allocated, by address.
    allocations: BTreeMap<usize, usize>,
    /// What is freed when its event has been reached: event, address, bytes.
    going: Vec<(usize, usize, usize)>,
    /// Blocks by size.
    kept: BTreeMap<usize, Vec<usize>>,
    kept_bytes: usize,
}

/// How many GPUs there are.
pub(crate) fn count() -> Result<usize, &'static str> {
    static COUNT: OnceLock<Result<usize, String>> = OnceLock::new();
    let counted = COUNT.get_or_init(|| {
        let driver = cuda::driver().map_err(str::to_owned)?;
        let mut n = 0;
        // SAFETY: a place for the number.
        driver.check("cuDeviceGetCount", unsafe { (driver.device_count)(&raw mut n) });
        match usize::try_from(n) {
            Ok(n) if n > 0 => Ok(n.min(MAX_GPUS)),
            _ => Err("the CUDA driver knows of none".to_owned()),
        }
    });
    counted.as_ref().copied().map_err(String::as_str)
}

/// A GPU, made ready when it is first asked for; its context is the thread's from now on.
pub(crate) fn gpu(number: usize) -> Option<&'static Gpu> {
    static GPUS: [OnceLock<Gpu>; MAX_GPUS] = [const { OnceLock::new() }; MAX_GPUS];
    if number >= count().unwrap_or(0) {
        return None;
    }
    let gpu = GPUS[number].get_or_init(|| Gpu::open(number));
    if CONTEXT.get() != number {
        CONTEXT.set(number);
        // SAFETY: a context of the driver's.
        gpu.driver.check("cuCtxSetCurrent", unsafe { (gpu.driver.context_set)(gpu.context as Handle) });
    }
    Some(gpu)
}

/// The number of this thread's own stream.
fn own() -> i64 {
    -1 - i64::from(crate::notify::thread())
}

impl Gpu {
    fn open(number: usize) -> Self {
        let started = std::time::Instant::now();
        let driver = match cuda::driver() {
            Ok(d) => d,
            Err(why) => fatal(None, &format!("no CUDA driver: {why}")),
        };
        let (mut device, mut context) = (0, std::ptr::null_mut());
        // SAFETY: places for what is asked for; there are more GPUs than `number`.
        unsafe {
            driver.check("cuDeviceGet", (driver.device_get)(&raw mut device, number as c_int));
            driver.check("cuDevicePrimaryCtxRetain", (driver.context_retain)(&raw mut context, device));
        }
        let mut name = [0u8; 256];
        // SAFETY: a buffer of so many bytes.
        let result = unsafe { (driver.device_name)(name.as_mut_ptr().cast(), name.len() as c_int - 1, device) };
        driver.check("cuDeviceGetName", result);
        let name = CStr::from_bytes_until_nul(&name).unwrap_or_default().to_owned();
        crate::timing::initialised(started);
        let mut gpu = Self {
            driver,
            device,
            context: context as usize,
            name,
            others: 0,
            has_managed: false,
            reaches_the_host: false,
            state: Mutex::default(),
            staging: Mutex::default(),
        };
        // SAFETY: a context of the driver's.
        driver.check("cuCtxSetCurrent", unsafe { (driver.context_set)(context) });
        let (total, free) = gpu.driver_memory();
        gpu.others = total.saturating_sub(free);
        gpu.has_managed = gpu.says(cuda::CONCURRENT_MANAGED_ACCESS);
        gpu.reaches_the_host = gpu.says(cuda::PAGEABLE_MEMORY_ACCESS);
        gpu
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What it is called.
    pub(crate) fn name(&self) -> &CStr {
        &self.name
    }

    fn driver_memory(&self) -> (usize, usize) {
        let (mut free, mut total) = (0, 0);
        // SAFETY: places for two numbers.
        let result = unsafe { (self.driver.memory_info)(&raw mut free, &raw mut total) };
        self.driver.check("cuMemGetInfo", result);
        (total, free)
    }

    /// Bytes of its memory, and those that are free. The driver gives memory back in large pieces, so what is in use here is
    /// counted here.
    pub(crate) fn memory(&self) -> (usize, usize) {
        let total = self.driver_memory().0;
        (total, total.saturating_sub(self.others).saturating_sub(self.in_use()))
    }

    /// Its compute capability, e.g. 90.
    fn capability(&self) -> c_int {
        let (mut major, mut minor) = (0, 0);
        // SAFETY: places for two numbers.
        unsafe {
            let get = self.driver.device_attribute;
            self.driver.check("cuDeviceGetAttribute", get(&raw mut major, cuda::CAPABILITY_MAJOR, self.device));
            self.driver.check("cuDeviceGetAttribute", get(&raw mut minor, cuda::CAPABILITY_MINOR, self.device));
        }
        major * 10 + minor
    }

    /// The driver's stream of a queue, or of this thread.
    pub(crate) fn stream(&self, queue: Option<i64>) -> usize {
        let number = queue.unwrap_or_else(own);
        *self.state().streams.entry(number).or_insert_with(|| {
            let mut stream = std::ptr::null_mut();
            // SAFETY: a place for the stream.
            let result = unsafe { (self.driver.stream_create)(&raw mut stream, cuda::NON_BLOCKING) };
            self.driver.check("cuStreamCreate", result);
            stream as usize
        })
    }

    /// Makes a stream of the program's that of a queue, behind all that the queue has.
    pub(crate) fn set_stream(&self, queue: i64, stream: usize) {
        self.wait(Some(queue));
        self.state().streams.insert(queue, stream);
    }

    /// The driver's context.
    pub(crate) fn context(&self) -> usize {
        self.context
    }

    /// Where the driver's number of it is.
    pub(crate) fn device(&self) -> *const c_int {
        &raw const self.device
    }

    /// Does something in a stream; with `wait` all that the stream has is done afterwards.
    pub(crate) fn within<T>(&self, queue: Option<i64>, wait: bool, f: impl FnOnce() -> T) -> T {
        let stream = self.stream(queue);
        let before = STREAM.replace(stream);
        let result = f();
        STREAM.set(before);
        if wait {
            self.finish(stream);
        }
        result
    }

    fn finish(&self, stream: usize) {
        // SAFETY: a stream of the driver's.
        self.driver.check("cuStreamSynchronize", unsafe { (self.driver.stream_wait)(stream as Handle) });
    }

    // ---- queues -------------------------------------------------------------------------------------------------------

    /// Waits for a queue, or for what this thread has launched.
    pub(crate) fn wait(&self, queue: Option<i64>) {
        let there = self.state().streams.get(&queue.unwrap_or_else(own)).copied();
        there.into_iter().for_each(|s| self.finish(s));
    }

    /// Lets one queue wait for what another has.
    pub(crate) fn wait_between(&self, later: i64, earlier: i64) {
        let Some(earlier) = self.state().streams.get(&earlier).copied() else { return };
        let (later, event) = (self.stream(Some(later)), self.mark(earlier));
        // SAFETY: a stream and an event of the driver's, which forgets the event when it needs it no more.
        unsafe {
            let waits = (self.driver.stream_wait_event)(later as Handle, event as Handle, 0);
            self.driver.check("cuStreamWaitEvent", waits);
            self.driver.check("cuEventDestroy", (self.driver.event_destroy)(event as Handle));
        }
    }

    /// The queues that have streams.
    pub(crate) fn queues(&self) -> Vec<i64> {
        self.state().streams.keys().copied().filter(|&n| n >= 0).collect()
    }

    /// Whether a queue has nothing left to do.
    pub(crate) fn is_idle(&self, queue: i64) -> bool {
        let Some(stream) = self.state().streams.get(&queue).copied() else { return true };
        // SAFETY: a stream of the driver's.
        let result = unsafe { (self.driver.stream_query)(stream as Handle) };
        if result != cuda::NOT_READY {
            self.driver.check("cuStreamQuery", result);
        }
        result == 0
    }

    /// An event behind what a stream has now.
    fn mark(&self, stream: usize) -> usize {
        let mut event = std::ptr::null_mut();
        // SAFETY: a place for the event, and a stream of the driver's.
        unsafe {
            self.driver.check("cuEventCreate", (self.driver.event_create)(&raw mut event, cuda::DISABLE_TIMING));
            self.driver.check("cuEventRecord", (self.driver.event_record)(event, stream as Handle));
        }
        event as usize
    }

    // ---- memory -------------------------------------------------------------------------------------------------------

    /// Allocates; 0 if there is no memory.
    pub(crate) fn allocate(&self, bytes: usize) -> usize {
        let size = rounded(bytes);
        let mut state = self.state();
        self.sweep(&mut state);
        if let Some(at) = state.kept.get_mut(&size).and_then(Vec::pop) {
            state.kept_bytes -= size;
            state.allocations.insert(at, size);
            return at;
        }
        let mut at: DevicePtr = 0;
        // SAFETY: a place for the address.
        let mut result = unsafe { (self.driver.memory_alloc)(&raw mut at, size) };
        if result == cuda::OUT_OF_MEMORY {
            // What waits to be freed may be enough.
            state.streams.values().for_each(|&s| self.finish(s));
            self.sweep(&mut state);
            let kept = std::mem::take(&mut state.kept);
            state.kept_bytes = 0;
            kept.into_values().flatten().for_each(|at| self.give_back(at));
            // SAFETY: as above.
            result = unsafe { (self.driver.memory_alloc)(&raw mut at, size) };
        }
        if result == cuda::OUT_OF_MEMORY {
            return 0;
        }
        self.driver.check("cuMemAlloc", result);
        state.allocations.insert(at as usize, size);
        at as usize
    }

    /// Whether it has an attribute, 1 or 0.
    fn says(&self, attribute: c_int) -> bool {
        let mut value = 0;
        // SAFETY: a place for a number; drivers that do not know the attribute leave it.
        let result = unsafe { (self.driver.device_attribute)(&raw mut value, attribute, self.device) };
        result == 0 && value == 1
    }

    /// Whether its kernels reach all memory of the host.
    pub(crate) fn reaches_the_host(&self) -> bool {
        self.reaches_the_host
    }

    /// Whether there is managed memory that the host may use while kernels run.
    pub(crate) fn has_managed(&self) -> bool {
        self.has_managed
    }

    /// Managed memory; `None` if there is none.
    pub(crate) fn allocate_managed(&self, bytes: usize) -> Option<usize> {
        let mut at: DevicePtr = 0;
        // SAFETY: a place for the address.
        let result = unsafe { (self.driver.memory_alloc_managed)(&raw mut at, bytes, cuda::ATTACH_GLOBAL) };
        (result == 0 && at != 0).then_some(at as usize)
    }

    /// Frees it. The program may be at its end, and the driver no longer there: then it has gone already.
    pub(crate) fn free_managed(&self, at: usize) {
        // SAFETY: an allocation that nobody uses any more.
        let _ = unsafe { (self.driver.memory_free)(at as DevicePtr) };
    }

    fn give_back(&self, at: usize) {
        // SAFETY: an allocation that nobody uses any more.
        self.driver.check("cuMemFree", unsafe { (self.driver.memory_free)(at as DevicePtr) });
    }

    /// Frees what streams have come past.
    fn sweep(&self, state: &mut State) {
        let (mut n, mut gone) = (0, Vec::new());
        while let Some(&(event, at, size)) = state.going.get(n) {
            // SAFETY: an event of the driver's.
            let result = unsafe { (self.driver.event_query)(event as Handle) };
            if result == cuda::NOT_READY {
                n += 1;
                continue;
            }
            self.driver.check("cuEventQuery", result);
            // SAFETY: as above; it is forgotten now.
            self.driver.check("cuEventDestroy", unsafe { (self.driver.event_destroy)(event as Handle) });
            state.going.swap_remove(n);
            gone.push((at, size));
        }
        for (at, size) in gone {
            if size <= MAX_KEPT && state.kept_bytes + size <= MAX_KEPT_BYTES {
                state.kept_bytes += size;
                state.kept.entry(size).or_default().push(at);
            } else {
                self.give_back(at);
            }
        }
    }

    /// Frees an allocation when the stream in use has come here; false if it is none.
    pub(crate) fn free(&self, at: usize) -> bool {
        let Some(size) = self.state().allocations.remove(&at) else { return false };
        let stream = if STREAM.get() == 0 { self.stream(None) } else { STREAM.get() };
        let event = self.mark(stream);
        self.state().going.push((event, at, size));
        true
    }

    /// Whether an address is in (or just behind) an allocation.
    pub(crate) fn owns(&self, address: usize) -> bool {
        self.state().allocations.range(..=address).next_back().is_some_and(|(&s, &n)| address <= s + n)
    }

    /// Bytes that are allocated.
    pub(crate) fn in_use(&self) -> usize {
        self.state().allocations.values().sum()
    }
}

/// Bytes of an allocation: small ones are of few sizes, so that they can be used again.
fn rounded(bytes: usize) -> usize {
    let bytes = bytes.max(256);
    if bytes <= MAX_KEPT { bytes.next_power_of_two() } else { bytes }
}

/// The GPU and the stream that this thread works in, if it does.
fn here() -> Option<(&'static Gpu, Handle)> {
    let stream = STREAM.get();
    (stream != 0).then_some(())?;
    Some((gpu(CONTEXT.get())?, stream as Handle))
}

/// Whether this thread works in a stream: then [`copy_in`] and its like are for a GPU.
pub(crate) fn is_here() -> bool {
    STREAM.get() != 0
}

impl Gpu {
    /// Copies in pieces if that is worth it, and no other thread does: whether it is done.
    fn in_pieces(&self, stream: Handle, copy: &Copy) -> bool {
        if !staging::is_worth(self.driver, copy) {
            return false;
        }
        let Ok(mut staging) = self.staging.try_lock() else { return false };
        let staging = staging.get_or_insert_with(|| Staging::new(self.driver));
        staging.iter_mut().for_each(|s| s.copy(self.driver, self.context, stream, copy));
        staging.is_some()
    }
}

/// Copies to the GPU that this thread works on.
pub(crate) fn copy_in(to: usize, from: usize, bytes: usize) {
    let Some((g, stream)) = here() else { return };
    if g.in_pieces(stream, &Copy { way: Way::In, device: to, host: from, bytes }) {
        return;
    }
    // SAFETY: the caller says that both have so many bytes.
    let result = unsafe { (g.driver.copy_in)(to as DevicePtr, from as *const c_void, bytes, stream) };
    g.driver.check("cuMemcpyHtoD", result);
}

/// Copies from there.
pub(crate) fn copy_out(to: usize, from: usize, bytes: usize) {
    let Some((g, stream)) = here() else { return };
    if g.in_pieces(stream, &Copy { way: Way::Out, device: from, host: to, bytes }) {
        return;
    }
    // SAFETY: as above.
    let result = unsafe { (g.driver.copy_out)(to as *mut c_void, from as DevicePtr, bytes, stream) };
    g.driver.check("cuMemcpyDtoH", result);
}

/// Copies within it.
pub(crate) fn copy_within(to: usize, from: usize, bytes: usize) {
    let Some((g, stream)) = here() else { return };
    // SAFETY: as above.
    let result = unsafe { (g.driver.copy_within)(to as DevicePtr, from as DevicePtr, bytes, stream) };
    g.driver.check("cuMemcpyDtoD", result);
}

/// Writes zeros there.
pub(crate) fn clear(at: usize, bytes: usize) {
    let Some((g, stream)) = here() else { return };
    // SAFETY: as above.
    g.driver.check("cuMemsetD8", unsafe { (g.driver.fill_bytes)(at as DevicePtr, 0, bytes, stream) });
}

/// Writes a pointer there. No memory of the host's is read, so none has to stay.
pub(crate) fn poke(at: usize, value: usize) {
    let Some((g, stream)) = here() else { return };
    for (at, word) in [(at, value as u32), (at + 4, (value >> 32) as u32)] {
        // SAFETY: as above.
        g.driver.check("cuMemsetD32", unsafe { (g.driver.fill_words)(at as DevicePtr, word, 1, stream) });
    }
}

/// Waits for what the stream in use has, so that what was copied out can be read.
pub(crate) fn settle() {
    if let Some((g, stream)) = here() {
        g.finish(stream as usize);
    }
}

impl Gpu {
    // ---- kernels ------------------------------------------------------------------------------------------------------

    /// A kernel's function; its module is loaded when the first kernel of it is wanted.
    fn function(&self, site: &Site, kernel: &'static Kernel, image: &'static Image) -> usize {
        let key = std::ptr::from_ref(kernel) as usize;
        if let Some(&f) = self.state().functions.get(&key) {
            return f;
        }
        let address = std::ptr::from_ref(image) as usize;
        let loaded = self.state().modules.get(&address).copied();
        let module = loaded.unwrap_or_else(|| {
            let module = self.load(site, image);
            self.state().modules.insert(address, module);
            module
        });
        let mut function = std::ptr::null_mut();
        // SAFETY: a place for the function, a module of the driver's and a C string.
        let result = unsafe { (self.driver.module_function)(&raw mut function, module as Handle, kernel.name) };
        self.driver.check("cuModuleGetFunction", result);
        self.state().functions.insert(key, function as usize);
        function as usize
    }

    /// Loads the best text of an image: the newest that the GPU can run.
    fn load(&self, site: &Site, image: &Image) -> usize {
        let there = self.capability();
        let Some(code) = image.codes().iter().filter(|c| c.capability <= there).max_by_key(|c| c.capability) else {
            let made: Vec<String> = image.codes().iter().map(|c| format!("cc{}", c.capability)).collect();
            let message = format!(
                "the program has code for {} and this GPU ({}) is cc{there}: compile with `-ta=nvidia,cc{there}`",
                made.join(", "),
                self.name.to_string_lossy()
            );
            fatal(Some(site), &message)
        };
        let mut log = [0u8; 4096];
        let mut options = [cuda::JIT_ERROR_LOG, cuda::JIT_ERROR_LOG_SIZE];
        let mut values = [log.as_mut_ptr().cast::<c_void>(), log.len() as *mut c_void];
        let mut module = std::ptr::null_mut();
        // SAFETY: a place for the module, a C string, and two options with their values.
        let result = unsafe {
            (self.driver.module_load)(&raw mut module, code.text.cast(), 2, options.as_mut_ptr(), values.as_mut_ptr())
        };
        if result != 0 {
            let end = log.iter().position(|&c| c == 0).unwrap_or(log.len());
            let said = String::from_utf8_lossy(&log[..end]).trim().to_owned();
            fatal(
                Some(site),
                &format!("the CUDA driver does not take the code of this region (error {result}): {said}"),
            );
        }
        module as usize
    }

    /// Launches a kernel in the stream in use, in several parts where the grid would be too large; `blocks`: most blocks, which go on to
    /// what others would have done, by their number in one dimension.
    ///
    /// # Safety
    /// `args` has `bytes` bytes, which begin with `kernel.bases` numbers.
    pub(crate) unsafe fn launch(
        &self,
        site: &Site,
        kernel: &'static Kernel,
        args: *mut u8,
        bytes: usize,
        n: [i64; 3],
        blocks: Option<c_uint>,
    ) {
        // SAFETY: null or a constant.
        let Some(image) = (unsafe { kernel.image.as_ref() }) else {
            fatal(Some(site), &format!("kernel {} has no code for NVIDIA GPUs", text(kernel.name)))
        };
        let function = self.function(site, kernel, image);
        let rows = kernel.rows.max(1);
        let across = (kernel.block / rows).max(1);
        let [x, y] = kernel.taken_by_block().map(i64::from);
        let taken = [x, y, 1];
        let most = |d: usize| match blocks {
            // So many is what their code counts to (`acc/src/kernel/strided.rs`).
            Some(_) => 1 << 30,
            None if (kernel.bases as usize) > d => (MAX_GRID[d] * taken[d]).min(1 << 29),
            None => 1 << 29,
        };
        let (mut size, stream) = (bytes, STREAM.get() as Handle);
        let starts = |d: usize| (0..n[d]).step_by(most(d) as usize);
        for z in starts(2) {
            for y in starts(1) {
                for x in starts(0) {
                    let at = [x, y, z];
                    let part = |d: usize| (n[d] - at[d]).min(most(d));
                    for (d, base) in at.iter().enumerate().take(kernel.bases as usize) {
                        // SAFETY: by the caller's promise.
                        unsafe { args.cast::<i64>().add(d).write_unaligned(*base) };
                    }
                    let groups = [0, 1, 2].map(|d| (part(d) + taken[d] - 1) / taken[d]);
                    let groups = match blocks {
                        Some(most) => [groups.iter().fold(1i64, |a, &b| a.saturating_mul(b)).min(most.into()), 1, 1],
                        None => groups,
                    }
                    .map(|n| n as c_uint);
                    let mut extra = [
                        cuda::PARAM_BUFFER_POINTER as *mut c_void,
                        args.cast(),
                        cuda::PARAM_BUFFER_SIZE as *mut c_void,
                        (&raw mut size).cast(),
                        cuda::PARAM_END as *mut c_void,
                    ];
                    // SAFETY: the driver copies the arguments before it returns.
                    let result = unsafe {
                        (self.driver.launch)(
                            function as Handle,
                            groups[0],
                            groups[1],
                            groups[2],
                            across as c_uint,
                            rows as c_uint,
                            1,
                            0,
                            stream,
                            std::ptr::null_mut(),
                            extra.as_mut_ptr(),
                        )
                    };
                    self.driver.check("cuLaunchKernel", result);
                }
            }
        }
    }
}
