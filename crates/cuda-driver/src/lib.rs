//! CUDA's driver, which is not linked but opened where there is one: `libcuda.so.1`, or what `UNSPOOL_CUDA_DRIVER` names.
//!
//! [`Driver`] has the functions of the driver's interface that unspool calls, under short names and as they are: nothing is wrapped,
//! so that each caller decides what a failure means. Names, types and numbers are those of `cuda.h`. Where the interface has
//! versions of a function, it is the second (`…_v2`): addresses of 64 bits.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};

/// A result; 0 is success.
pub type Status = c_int;
/// An address of a GPU's memory.
pub type DevicePtr = u64;
/// Contexts, modules, functions, streams, events.
pub type Handle = *mut c_void;

/// `CUDA_ERROR_OUT_OF_MEMORY`
pub const OUT_OF_MEMORY: Status = 2;
/// `CUDA_ERROR_NOT_READY`
pub const NOT_READY: Status = 600;
/// `CU_STREAM_NON_BLOCKING`
pub const NON_BLOCKING: c_uint = 1;
/// `CU_EVENT_DISABLE_TIMING`
pub const DISABLE_TIMING: c_uint = 2;
/// `CU_LAUNCH_PARAM_END`
pub const PARAM_END: usize = 0;
/// `CU_LAUNCH_PARAM_BUFFER_POINTER`
pub const PARAM_BUFFER_POINTER: usize = 1;
/// `CU_LAUNCH_PARAM_BUFFER_SIZE`
pub const PARAM_BUFFER_SIZE: usize = 2;
/// `CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR`
pub const CAPABILITY_MAJOR: c_int = 75;
/// `CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR`
pub const CAPABILITY_MINOR: c_int = 76;
/// `CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS`: kernels reach all of the host's memory.
pub const PAGEABLE_MEMORY_ACCESS: c_int = 88;
/// `CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS`: the host reaches managed memory while kernels run.
pub const CONCURRENT_MANAGED_ACCESS: c_int = 89;
/// `CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK`
pub const RESERVED_SHARED: c_int = 111;
/// `CU_MEM_ATTACH_GLOBAL`: managed memory that all streams may use.
pub const ATTACH_GLOBAL: c_uint = 1;
/// `CU_POINTER_ATTRIBUTE_MEMORY_TYPE`
pub const MEMORY_TYPE: c_int = 2;
/// `CU_LIMIT_STACK_SIZE`
pub const STACK_SIZE: c_int = 0;
/// `CU_JIT_ERROR_LOG_BUFFER`
pub const JIT_ERROR_LOG: c_int = 5;
/// `CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES`
pub const JIT_ERROR_LOG_SIZE: c_int = 6;
/// `CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES`
pub const SHARED_SIZE: c_int = 1;
/// `CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`
pub const MAX_DYNAMIC_SHARED: c_int = 8;

/// A call that failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("Call to {call} returned error {status}: {name}")]
pub struct CallFailed {
    /// The function, without its version.
    pub call: &'static str,
    /// What it returned.
    pub status: Status,
    /// The driver's name for that; the number where it has none.
    pub name: String,
}

/// Why there is no driver.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoDriver {
    /// The name of the library has a zero in it.
    #[error("its name has a zero in it")]
    Name,
    /// The library is not there, or cannot be loaded.
    #[error("{0}")]
    Library(String),
    /// A library of this name that is something else.
    #[error("{library} is no CUDA driver: it has no `{function}`")]
    Function {
        /// What was opened.
        library: String,
        /// What it lacks.
        function: &'static str,
    },
    /// `cuInit` failed: there is no GPU, or the driver and its kernel module do not fit.
    #[error("cuInit says {0}")]
    Init(String),
}

macro_rules! driver {
    ($($(#[$doc:meta])* $field:ident = $symbol:literal: fn($($arg:ty),*);)*) => {
        /// The driver's functions.
        #[derive(Debug)]
        pub struct Driver {
            $($(#[$doc])* pub $field: unsafe extern "C" fn($($arg),*) -> Status,)*
        }

        impl Driver {
            /// Finds the functions in an open library; else the first that is not there.
            fn of(library: *mut c_void) -> Result<Self, &'static str> {
                Ok(Self {
                    $($field: {
                        let at = symbol(library, $symbol).ok_or($symbol)?;
                        // SAFETY: the driver's function of this name has this type.
                        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($arg),*) -> Status>(at) }
                    },)*
                })
            }
        }
    };
}

driver! {
    /// Flags: 0.
    init = "cuInit": fn(c_uint);
    /// Number of GPUs.
    device_count = "cuDeviceGetCount": fn(*mut c_int);
    /// GPU, by number.
    device_get = "cuDeviceGet": fn(*mut c_int, c_int);
    /// Its name, in so many bytes.
    device_name = "cuDeviceGetName": fn(*mut c_char, c_int, c_int);
    /// Value, attribute, GPU.
    device_attribute = "cuDeviceGetAttribute": fn(*mut c_int, c_int, c_int);
    /// The primary context of a GPU.
    context_retain = "cuDevicePrimaryCtxRetain": fn(*mut Handle, c_int);
    /// Makes a context the thread's.
    context_set = "cuCtxSetCurrent": fn(Handle);
    /// Limit, value.
    set_limit = "cuCtxSetLimit": fn(c_int, usize);
    /// Bytes that are free, and all.
    memory_info = "cuMemGetInfo_v2": fn(*mut usize, *mut usize);
    /// Address, bytes.
    memory_alloc = "cuMemAlloc_v2": fn(*mut DevicePtr, usize);
    /// Address, bytes, flags: memory that moves to who uses it.
    memory_alloc_managed = "cuMemAllocManaged": fn(*mut DevicePtr, usize, c_uint);
    /// Frees either.
    memory_free = "cuMemFree_v2": fn(DevicePtr);
    /// Page-locked memory of the host.
    host_alloc = "cuMemAllocHost_v2": fn(*mut *mut c_void, usize);
    /// Value, attribute, address.
    pointer_attribute = "cuPointerGetAttribute": fn(*mut c_void, c_int, DevicePtr);
    /// To, from, bytes, stream.
    copy_in = "cuMemcpyHtoDAsync_v2": fn(DevicePtr, *const c_void, usize, Handle);
    /// To, from, bytes, stream.
    copy_out = "cuMemcpyDtoHAsync_v2": fn(*mut c_void, DevicePtr, usize, Handle);
    /// To, from, bytes, stream.
    copy_within = "cuMemcpyDtoDAsync_v2": fn(DevicePtr, DevicePtr, usize, Handle);
    /// At, byte, count, stream.
    fill_bytes = "cuMemsetD8Async": fn(DevicePtr, u8, usize, Handle);
    /// At, word, count, stream.
    fill_words = "cuMemsetD32Async": fn(DevicePtr, c_uint, usize, Handle);
    /// Module, image, number of options, options, their values.
    module_load = "cuModuleLoadDataEx": fn(*mut Handle, *const c_void, c_uint, *mut c_int, *mut *mut c_void);
    /// Unloads a module.
    module_unload = "cuModuleUnload": fn(Handle);
    /// Function, module, name.
    module_function = "cuModuleGetFunction": fn(*mut Handle, Handle, *const c_char);
    /// Value, attribute, function.
    function_attribute = "cuFuncGetAttribute": fn(*mut c_int, c_int, Handle);
    /// Function, attribute, value.
    function_set = "cuFuncSetAttribute": fn(Handle, c_int, c_int);
    /// Function, three sizes of the grid and of a block, shared bytes, stream, arguments, `PARAM_…`.
    launch = "cuLaunchKernel": fn(Handle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Handle, *mut *mut c_void, *mut *mut c_void);
    /// Stream, flags.
    stream_create = "cuStreamCreate": fn(*mut Handle, c_uint);
    /// Waits for a stream.
    stream_wait = "cuStreamSynchronize": fn(Handle);
    /// Whether a stream is done: success, or [`NOT_READY`].
    stream_query = "cuStreamQuery": fn(Handle);
    /// Stream, event, flags.
    stream_wait_event = "cuStreamWaitEvent": fn(Handle, Handle, c_uint);
    /// Event, flags.
    event_create = "cuEventCreate": fn(*mut Handle, c_uint);
    /// Event, stream.
    event_record = "cuEventRecord": fn(Handle, Handle);
    /// Whether an event has been reached: success, or [`NOT_READY`].
    event_query = "cuEventQuery": fn(Handle);
    /// Waits for an event.
    event_wait = "cuEventSynchronize": fn(Handle);
    /// Forgets an event, once it has been reached.
    event_destroy = "cuEventDestroy_v2": fn(Handle);
    /// Result, its name.
    error_name = "cuGetErrorName": fn(Status, *mut *const c_char);
}

fn symbol(library: *mut c_void, name: &str) -> Option<*mut c_void> {
    let c = CString::new(name).ok()?;
    // SAFETY: an open library and a C string.
    let at = unsafe { libc::dlsym(library, c.as_ptr()) };
    (!at.is_null()).then_some(at)
}

impl Driver {
    /// Opens the driver and makes it ready.
    ///
    /// # Errors
    /// There is none, or it finds no GPU.
    pub fn open() -> Result<Self, NoDriver> {
        let named = std::env::var("UNSPOOL_CUDA_DRIVER").ok().filter(|n| !n.is_empty());
        let name = named.unwrap_or_else(|| "libcuda.so.1".to_owned());
        let c = CString::new(name.clone()).map_err(|_| NoDriver::Name)?;
        // SAFETY: opening the driver runs its initialisers.
        let library = unsafe { libc::dlopen(c.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if library.is_null() {
            // SAFETY: null, or a C string until the next call.
            let why = unsafe { libc::dlerror().as_ref().map(|e| CStr::from_ptr(e).to_string_lossy().into_owned()) };
            return Err(NoDriver::Library(why.unwrap_or_else(|| format!("{name} cannot be opened"))));
        }
        let driver = Self::of(library).map_err(|function| NoDriver::Function { library: name, function })?;
        // SAFETY: the first call of the interface.
        match unsafe { (driver.init)(0) } {
            0 => Ok(driver),
            status => Err(NoDriver::Init(driver.name_of(status))),
        }
    }

    /// What the driver calls a result; its number where it has no name.
    pub fn name_of(&self, status: Status) -> String {
        let mut name = std::ptr::null();
        // SAFETY: a place for a constant of the driver's.
        let known = unsafe { (self.error_name)(status, &raw mut name) } == 0 && !name.is_null();
        // SAFETY: a C string.
        if known { unsafe { CStr::from_ptr(name).to_string_lossy().into_owned() } } else { status.to_string() }
    }

    /// What a call returned, as a result.
    ///
    /// # Errors
    /// It was not success.
    pub fn succeeded(&self, call: &'static str, status: Status) -> Result<(), CallFailed> {
        if status == 0 { Ok(()) } else { Err(CallFailed { call, status, name: self.name_of(status) }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_is_no_driver_is_named() {
        // SAFETY: the program itself.
        let own = unsafe { libc::dlopen(std::ptr::null(), libc::RTLD_NOW) };
        assert_eq!(Driver::of(own).err(), Some("cuInit"));
        let said = NoDriver::Function { library: "libm.so.6".to_owned(), function: "cuInit" };
        assert_eq!(said.to_string(), "libm.so.6 is no CUDA driver: it has no `cuInit`");
    }
}
