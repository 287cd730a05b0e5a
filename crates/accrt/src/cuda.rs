//! CUDA's [driver](cuda_driver) of this process: opened once, and a call that fails ends the program.

use crate::fatal::fatal;
use cuda_driver::Status;
pub(crate) use cuda_driver::{
    ATTACH_GLOBAL, CAPABILITY_MAJOR, CAPABILITY_MINOR, CONCURRENT_MANAGED_ACCESS, DISABLE_TIMING, DevicePtr, Driver,
    Handle, JIT_ERROR_LOG, JIT_ERROR_LOG_SIZE, MEMORY_TYPE, NON_BLOCKING, NOT_READY, OUT_OF_MEMORY,
    PAGEABLE_MEMORY_ACCESS, PARAM_BUFFER_POINTER, PARAM_BUFFER_SIZE, PARAM_END,
};
use std::sync::OnceLock;

/// Calls of a program that has nobody to tell a failure to.
pub(crate) trait Check {
    /// Ends the program if a call has failed.
    fn check(&self, call: &'static str, status: Status);
}

impl Check for Driver {
    fn check(&self, call: &'static str, status: Status) {
        if let Err(e) = self.succeeded(call, status) {
            fatal(None, &e.to_string());
        }
    }
}

/// The driver, or why there is none.
pub(crate) fn driver() -> Result<&'static Driver, &'static str> {
    static DRIVER: OnceLock<Result<Driver, String>> = OnceLock::new();
    DRIVER.get_or_init(|| Driver::open().map_err(|e| e.to_string())).as_ref().map_err(String::as_str)
}
