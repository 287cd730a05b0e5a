//! CUDA's driver, which is not linked but opened where there is one: `libcuda.so.1`, or what `UNSPOOL_CUDA_DRIVER` names.
//!
//! The names, types and numbers are those of the driver's interface (`cuda.h`).

use crate::fatal::fatal;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

/// A result; 0 is success.
pub(crate) type Result = c_int;
/// An address of a GPU's memory.
pub(crate) type DevicePtr = u64;
/// Contexts, modules, functions, streams, events.
pub(crate) type Handle = *mut c_void;

/// `CUDA_ERROR_OUT_OF_MEMORY`
pub(crate) const OUT_OF_MEMORY: Result = 2;
/// `CUDA_ERROR_NOT_READY`
pub(crate) const NOT_READY: Result = 600;
/// `CU_STREAM_NON_BLOCKING`, `CU_EVENT_DISABLE_TIMING`
pub(crate) const NON_BLOCKING: c_uint = 1;
pub(crate) const DISABLE_TIMING: c_uint = 2;
/// `CU_LAUNCH_PARAM_END`, `…_BUFFER_POINTER`, `…_BUFFER_SIZE`
pub(crate) const PARAM_END: usize = 0;
pub(crate) const PARAM_BUFFER_POINTER: usize = 1;
pub(crate) const PARAM_BUFFER_SIZE: usize = 2;
/// `CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR`, `…_MINOR`
pub(crate) const CAPABILITY_MAJOR: c_int = 75;
pub(crate) const CAPABILITY_MINOR: c_int = 76;
/// `CU_JIT_ERROR_LOG_BUFFER`, `CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES`
pub(crate) const JIT_ERROR_LOG: c_int = 5;
pub(crate) const JIT_ERROR_LOG_SIZE: c_int = 6;

macro_rules! driver {
    ($($field:ident = $symbol:literal: fn($($arg:ty),*);)*) => {
        /// Its functions.
        pub(crate) struct Driver {
            $(pub(crate) $field: unsafe extern "C" fn($($arg),*) -> Result,)*
        }

        impl Driver {
            /// Finds the functions in an open library.
            fn of(library: *mut c_void) -> std::result::Result<Self, String> {
                Ok(Self {
                    $($field: {
                        let at = symbol(library, $symbol)?;
                        // SAFETY: the driver's function of this name has this type.
                        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($arg),*) -> Result>(at) }
                    },)*
                })
            }
        }
    };
}

driver! {
    init = "cuInit": fn(c_uint);
    device_count = "cuDeviceGetCount": fn(*mut c_int);
    device_get = "cuDeviceGet": fn(*mut c_int, c_int);
    device_name = "cuDeviceGetName": fn(*mut c_char, c_int, c_int);
    device_attribute = "cuDeviceGetAttribute": fn(*mut c_int, c_int, c_int);
    context_retain = "cuDevicePrimaryCtxRetain": fn(*mut Handle, c_int);
    context_set = "cuCtxSetCurrent": fn(Handle);
    memory_info = "cuMemGetInfo_v2": fn(*mut usize, *mut usize);
    memory_alloc = "cuMemAlloc_v2": fn(*mut DevicePtr, usize);
    memory_free = "cuMemFree_v2": fn(DevicePtr);
    copy_in = "cuMemcpyHtoDAsync_v2": fn(DevicePtr, *const c_void, usize, Handle);
    copy_out = "cuMemcpyDtoHAsync_v2": fn(*mut c_void, DevicePtr, usize, Handle);
    copy_within = "cuMemcpyDtoDAsync_v2": fn(DevicePtr, DevicePtr, usize, Handle);
    fill_bytes = "cuMemsetD8Async": fn(DevicePtr, u8, usize, Handle);
    fill_words = "cuMemsetD32Async": fn(DevicePtr, c_uint, usize, Handle);
    module_load = "cuModuleLoadDataEx": fn(*mut Handle, *const c_void, c_uint, *mut c_int, *mut *mut c_void);
    module_function = "cuModuleGetFunction": fn(*mut Handle, Handle, *const c_char);
    launch = "cuLaunchKernel": fn(Handle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Handle, *mut *mut c_void, *mut *mut c_void);
    stream_create = "cuStreamCreate": fn(*mut Handle, c_uint);
    stream_wait = "cuStreamSynchronize": fn(Handle);
    stream_query = "cuStreamQuery": fn(Handle);
    stream_wait_event = "cuStreamWaitEvent": fn(Handle, Handle, c_uint);
    event_create = "cuEventCreate": fn(*mut Handle, c_uint);
    event_record = "cuEventRecord": fn(Handle, Handle);
    event_query = "cuEventQuery": fn(Handle);
    event_destroy = "cuEventDestroy_v2": fn(Handle);
    error_name = "cuGetErrorName": fn(Result, *mut *const c_char);
}

fn symbol(library: *mut c_void, name: &str) -> std::result::Result<*mut c_void, String> {
    let c = CString::new(name).map_err(|e| e.to_string())?;
    // SAFETY: an open library and a C string.
    let at = unsafe { libc::dlsym(library, c.as_ptr()) };
    if at.is_null() { Err(format!("it has no `{name}`")) } else { Ok(at) }
}

fn open() -> std::result::Result<Driver, String> {
    let named = std::env::var("UNSPOOL_CUDA_DRIVER").ok().filter(|n| !n.is_empty());
    let name = named.unwrap_or_else(|| "libcuda.so.1".to_owned());
    let c = CString::new(name.clone()).map_err(|_| "its name has a zero in it".to_owned())?;
    // SAFETY: opening the driver runs its initialisers.
    let library = unsafe { libc::dlopen(c.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    if library.is_null() {
        // SAFETY: null, or a C string until the next call.
        let why = unsafe { libc::dlerror().as_ref().map(|e| CStr::from_ptr(e).to_string_lossy().into_owned()) };
        return Err(why.unwrap_or_else(|| format!("{name} cannot be opened")));
    }
    let driver = Driver::of(library).map_err(|e| format!("{name} is no CUDA driver: {e}"))?;
    // SAFETY: the first call of the interface.
    let result = unsafe { (driver.init)(0) };
    if result == 0 { Ok(driver) } else { Err(format!("cuInit says {}", driver.name_of(result))) }
}

impl Driver {
    fn name_of(&self, result: Result) -> String {
        let mut name = std::ptr::null();
        // SAFETY: a place for a constant of the driver's.
        let known = unsafe { (self.error_name)(result, &raw mut name) } == 0 && !name.is_null();
        // SAFETY: a C string.
        if known { unsafe { CStr::from_ptr(name).to_string_lossy().into_owned() } } else { result.to_string() }
    }

    /// Ends the program if a call has failed.
    pub(crate) fn check(&self, what: &str, result: Result) {
        if result != 0 {
            fatal(None, &format!("Call to {what} returned error {result}: {}", self.name_of(result)));
        }
    }
}

/// The driver, or why there is none.
pub(crate) fn driver() -> std::result::Result<&'static Driver, &'static str> {
    static DRIVER: OnceLock<std::result::Result<Driver, String>> = OnceLock::new();
    DRIVER.get_or_init(open).as_ref().map_err(String::as_str)
}
