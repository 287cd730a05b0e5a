//! A GPU through CUDA's [driver](cuda_driver).
//!
//! PTX that we made is loaded by the driver's own compiler and executed, so that there is something to compare with that
//! shares nothing with us.
//!
//! A fault on a GPU (an address out of bounds, a trap) ends its context: every later call of the process fails, too. Who runs
//! many programs gives them few at a time to a process.

use cuda_driver::{
    CAPABILITY_MAJOR, CAPABILITY_MINOR, Driver, Handle, JIT_ERROR_LOG, JIT_ERROR_LOG_SIZE, MAX_DYNAMIC_SHARED,
    PARAM_BUFFER_POINTER, PARAM_BUFFER_SIZE, PARAM_END, RESERVED_SHARED, SHARED_SIZE, STACK_SIZE, Status,
};
use std::ffi::{CString, c_int, c_uint, c_void};
use std::ptr::null_mut;

/// Bytes of stack that a work-item gets, for functions that call themselves.
const STACK: usize = 64 << 10;

/// The first GPU, by its primary context.
pub struct Gpu {
    driver: Driver,
    device: c_int,
    context: Handle,
    /// Where a group's shared memory begins that code may use.
    shared_start: u64,
}

// SAFETY: the driver's functions may be called by any thread; what is `current` is set before each use.
unsafe impl Send for Gpu {}
// SAFETY: as above.
unsafe impl Sync for Gpu {}

impl std::fmt::Debug for Gpu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gpu").field("device", &self.device).finish_non_exhaustive()
    }
}

/// An argument of a kernel.
#[derive(Clone, Copy, Debug)]
pub enum Argument {
    /// The address of a buffer.
    Buffer(u64),
    /// A number of 32 bits.
    Word(u32),
    /// A work-group array of so many bytes, as OpenCL passes it: its address in shared memory.
    Local(u64),
}

/// Sizes of a launch.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// Work-groups.
    pub groups: [u32; 3],
    /// Work-items of a group.
    pub local: [u32; 3],
    /// Bytes of dynamic shared memory, besides work-group arrays.
    pub shared: u64,
}

impl Gpu {
    /// The first GPU of this machine.
    ///
    /// # Errors
    /// There is no driver or no GPU.
    pub fn open() -> Result<Self, String> {
        let driver = Driver::open().map_err(|e| e.to_string())?;
        let mut gpu = Self { driver, device: 0, context: null_mut(), shared_start: 0 };
        let d = &gpu.driver;
        let mut reserved = 0;
        // SAFETY: places for results, in the order that the interface asks for.
        unsafe {
            d.check("cuDeviceGet", (d.device_get)(&raw mut gpu.device, 0))?;
            d.check("cuDevicePrimaryCtxRetain", (d.context_retain)(&raw mut gpu.context, gpu.device))?;
            d.check("cuCtxSetCurrent", (d.context_set)(gpu.context))?;
            d.check("cuCtxSetLimit", (d.set_limit)(STACK_SIZE, STACK))?;
            if (d.device_attribute)(&raw mut reserved, RESERVED_SHARED, gpu.device) != 0 {
                reserved = 0;
            }
        }
        gpu.shared_start = u64::try_from(reserved).unwrap_or_default();
        Ok(gpu)
    }

    /// Its compute capability, 90 for 9.0.
    ///
    /// # Errors
    /// The driver's.
    pub fn capability(&self) -> Result<u32, String> {
        let d = &self.driver;
        let (mut major, mut minor) = (0, 0);
        // SAFETY: places for numbers.
        unsafe {
            d.check("cuDeviceGetAttribute", (d.device_attribute)(&raw mut major, CAPABILITY_MAJOR, self.device))?;
            d.check("cuDeviceGetAttribute", (d.device_attribute)(&raw mut minor, CAPABILITY_MINOR, self.device))?;
        }
        Ok((major * 10 + minor).unsigned_abs())
    }

    /// Compiles PTX by the driver. Parameters that point to shared memory are told as numbers: OpenCL's loader finds work-group
    /// arrays by `.ptr .shared`, for which CUDA's refuses the module.
    ///
    /// # Errors
    /// What the driver's compiler says.
    pub fn load(&self, ptx: &str) -> Result<Loaded<'_>, String> {
        let text = CString::new(without_shared_pointers(ptx)).map_err(|e| e.to_string())?;
        let mut log = [0u8; 4096];
        let mut options = [JIT_ERROR_LOG, JIT_ERROR_LOG_SIZE];
        let mut values = [log.as_mut_ptr().cast::<c_void>(), log.len() as Handle];
        let mut module = null_mut();
        let d = &self.driver;
        // SAFETY: the context is there; a C string, and two options with their values.
        let result = unsafe {
            d.check("cuCtxSetCurrent", (d.context_set)(self.context))?;
            (d.module_load)(&raw mut module, text.as_ptr().cast(), 2, options.as_mut_ptr(), values.as_mut_ptr())
        };
        let end = log.iter().position(|&c| c == 0).unwrap_or(log.len());
        let said = String::from_utf8_lossy(&log[..end]);
        d.check("cuModuleLoadDataEx", result).map_err(|e| format!("{e}: {}", said.trim()))?;
        Ok(Loaded { gpu: self, module })
    }

    /// A buffer with these bytes.
    ///
    /// # Errors
    /// The driver's.
    pub fn buffer(&self, bytes: &[u8]) -> Result<Buffer<'_>, String> {
        let d = &self.driver;
        let mut buffer = Buffer { gpu: self, address: 0, bytes: bytes.len() };
        // SAFETY: as many bytes are allocated as are copied.
        unsafe {
            d.check("cuCtxSetCurrent", (d.context_set)(self.context))?;
            d.check("cuMemAlloc", (d.memory_alloc)(&raw mut buffer.address, bytes.len().max(1)))?;
            let (to, from) = (buffer.address, bytes.as_ptr().cast());
            d.check("cuMemcpyHtoDAsync", (d.copy_in)(to, from, bytes.len(), null_mut()))?;
            d.check("cuStreamSynchronize", (d.stream_wait)(null_mut()))?;
        }
        Ok(buffer)
    }
}

/// Memory of a GPU.
#[derive(Debug)]
pub struct Buffer<'a> {
    gpu: &'a Gpu,
    address: u64,
    bytes: usize,
}

impl Buffer<'_> {
    /// As an argument.
    pub fn argument(&self) -> Argument {
        Argument::Buffer(self.address)
    }

    /// What it holds.
    ///
    /// # Errors
    /// The driver's; also of a launch before.
    pub fn read(&self) -> Result<Vec<u8>, String> {
        let d = &self.gpu.driver;
        let mut bytes = vec![0; self.bytes];
        let to = bytes.as_mut_ptr().cast();
        // SAFETY: as many bytes are copied as there are on both sides, and the copy is waited for.
        unsafe {
            d.check("cuMemcpyDtoHAsync", (d.copy_out)(to, self.address, self.bytes, null_mut()))?;
            d.check("cuStreamSynchronize", (d.stream_wait)(null_mut()))?;
        }
        Ok(bytes)
    }
}

impl Drop for Buffer<'_> {
    fn drop(&mut self) {
        // SAFETY: it was allocated and is not used any more.
        let _ = unsafe { (self.gpu.driver.memory_free)(self.address) };
    }
}

/// Code that the driver has compiled.
pub struct Loaded<'a> {
    gpu: &'a Gpu,
    module: Handle,
}

impl Loaded<'_> {
    /// Launches a kernel and waits for its end.
    ///
    /// # Errors
    /// There is no such kernel, it cannot be launched so, or a fault.
    ///
    /// # Safety
    /// The arguments are those that the kernel has, and it touches no other memory with them.
    pub unsafe fn launch(&self, kernel: &str, grid: &Grid, arguments: &[Argument]) -> Result<(), String> {
        let d = &self.gpu.driver;
        let name = CString::new(kernel).map_err(|e| e.to_string())?;
        let (mut function, mut fixed) = (null_mut(), 0);
        // SAFETY: a module, a name, and places for results.
        unsafe {
            d.check("cuCtxSetCurrent", (d.context_set)(self.gpu.context))?;
            d.check("cuModuleGetFunction", (d.module_function)(&raw mut function, self.module, name.as_ptr()))?;
            d.check("cuFuncGetAttribute", (d.function_attribute)(&raw mut fixed, SHARED_SIZE, function))?;
        }
        let aligned = |n: u64| n.next_multiple_of(16);
        // Work-group arrays follow what the code declares, and what is dynamic.
        let mut shared = aligned(fixed.unsigned_abs().into()) + aligned(grid.shared);
        let mut buffer = Vec::new();
        for a in arguments {
            match *a {
                Argument::Word(v) => buffer.extend(v.to_le_bytes()),
                Argument::Buffer(v) => pad_and_put(&mut buffer, v),
                Argument::Local(bytes) => {
                    pad_and_put(&mut buffer, self.gpu.shared_start + shared);
                    shared += aligned(bytes);
                }
            }
        }
        let mut size = buffer.len();
        let mut extra = [
            PARAM_BUFFER_POINTER as Handle,
            buffer.as_mut_ptr().cast(),
            PARAM_BUFFER_SIZE as Handle,
            (&raw mut size).cast(),
            PARAM_END as Handle,
        ];
        let dynamic = shared.saturating_sub(fixed.unsigned_abs().into()) as c_uint;
        let ([gx, gy, gz], [x, y, z]) = (grid.groups, grid.local);
        // SAFETY: by the caller's promise; the driver copies the arguments before it returns.
        unsafe {
            if dynamic > 32 << 10 {
                let most = dynamic as c_int;
                d.check("cuFuncSetAttribute", (d.function_set)(function, MAX_DYNAMIC_SHARED, most))?;
            }
            let (stream, none, extra) = (null_mut(), null_mut(), extra.as_mut_ptr());
            d.check("cuLaunchKernel", (d.launch)(function, gx, gy, gz, x, y, z, dynamic, stream, none, extra))?;
            d.check("cuStreamSynchronize", (d.stream_wait)(null_mut()))
        }
    }
}

/// The text without `.ptr .shared .align N` of parameters.
fn without_shared_pointers(ptx: &str) -> String {
    let mut parts = ptx.split(".ptr .shared .align ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    text
}

/// Puts an address where its alignment wants it.
fn pad_and_put(buffer: &mut Vec<u8>, address: u64) {
    buffer.resize(buffer.len().next_multiple_of(8), 0);
    buffer.extend(address.to_le_bytes());
}

impl Drop for Loaded<'_> {
    fn drop(&mut self) {
        // SAFETY: it was loaded, and every launch has been waited for.
        let _ = unsafe { (self.gpu.driver.module_unload)(self.module) };
    }
}

/// Calls whose failure is a text.
trait Check {
    /// What the driver says of a call that has failed.
    fn check(&self, call: &'static str, status: Status) -> Result<(), String>;
}

impl Check for Driver {
    fn check(&self, call: &'static str, status: Status) -> Result<(), String> {
        self.succeeded(call, status).map_err(|e| e.to_string())
    }
}
