//! Building, compiling and linking.

use super::{devices, text};
use crate::api::call;
use crate::core::program::build::Notify;
use crate::core::program::{Origin, Program, compile};
use crate::handle::Object;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::{c_char, c_void};

/// `pfn_notify`
type Function = Option<unsafe extern "C" fn(program: cl::cl_program, user_data: *mut c_void)>;

/// The function to call at the end.
///
/// # Safety
/// As [`Notify::new`].
unsafe fn notify(function: Function, data: *mut c_void) -> Result<Option<Notify>> {
    // "CL_INVALID_VALUE if pfn_notify is NULL but user_data is not NULL."
    if function.is_none() && !data.is_null() {
        return Err(Status::INVALID_VALUE);
    }
    // SAFETY: by the caller's promise.
    Ok(function.map(|f| unsafe { Notify::new(f, data) }))
}

/// `clBuildProgram`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn build_program(
    program: cl::cl_program,
    num_devices: cl::cl_uint,
    device_list: *const cl::cl_device_id,
    options: *const c_char,
    pfn_notify: Function,
    user_data: *mut c_void,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_PROGRAM if program is not a valid program object."
        let program = Program::pool().get(program)?;
        // SAFETY: by the caller's promise.
        let devices = unsafe { devices(num_devices, device_list, &program.devices) }?;
        // SAFETY: by the caller's promise.
        let notify = unsafe { notify(pfn_notify, user_data) }?;
        // SAFETY: by the caller's promise.
        let options = unsafe { text(options) }.unwrap_or_default();
        let Origin::Source(source) = &program.origin else { return Err(Status::INVALID_OPERATION) };
        let source = source.clone();
        program.build(&devices, &options, Status::BUILD_PROGRAM_FAILURE, notify, move || compile::source(&source))
    })
}
