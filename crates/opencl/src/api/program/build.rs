//! Building and compiling.

use super::{devices, list, text};
use crate::api::call;
use crate::core::device::Device;
use crate::core::program::binary::Loaded;
use crate::core::program::build::Notify;
use crate::core::program::compile::{self, Header, ParsedOptions};
use crate::core::program::{Origin, Program};
use crate::handle::Object;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::{c_char, c_void};
use std::sync::Arc;
use unspool::cl::Phase;

/// `pfn_notify`
pub(super) type Function = Option<unsafe extern "C" fn(program: cl::cl_program, user_data: *mut c_void)>;

/// The function to call at the end.
///
/// # Safety
/// As [`Notify::new`].
pub(super) unsafe fn notify(function: Function, data: *mut c_void) -> Result<Option<Notify>> {
    // "CL_INVALID_VALUE if pfn_notify is NULL but user_data is not NULL."
    if function.is_none() && !data.is_null() {
        return Err(Status::INVALID_VALUE);
    }
    // SAFETY: by the caller's promise.
    Ok(function.map(|f| unsafe { Notify::new(f, data) }))
}

/// Reads options for some devices of a program; what is wrong with them is left in the log.
fn parse_options(
    program: &Program,
    devices: &[Arc<Device>],
    phase: Phase,
    options: &str,
    code: Status,
) -> Result<ParsedOptions> {
    ParsedOptions::parse(phase, options).map_err(|e| {
        program.note(devices, &format!("error: {e}\n"));
        code
    })
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
        // "CL_INVALID_VALUE if device_list is NULL and num_devices is greater than zero, or if device_list is not NULL and
        // num_devices is zero." "CL_INVALID_DEVICE if any device in device_list is not in the list of devices associated
        // with program."
        // SAFETY: by the caller's promise.
        let devices = unsafe { devices(num_devices, device_list, &program.devices) }?;
        // SAFETY: by the caller's promise.
        let notify = unsafe { notify(pfn_notify, user_data) }?;
        // SAFETY: by the caller's promise.
        let options = unsafe { text(options) }.unwrap_or_default();
        // "CL_INVALID_BUILD_OPTIONS if the build options specified by options are invalid."
        let parsed = || parse_options(&program, &devices, Phase::Build, &options, Status::INVALID_BUILD_OPTIONS);
        let count = devices.len();
        let failure = Status::BUILD_PROGRAM_FAILURE;
        match &program.origin {
            Origin::Source(source) => {
                let (source, parsed) = (Arc::clone(source), parsed()?);
                let work = move || vec![compile::executable(&source, &parsed); count];
                program.build(&devices, &options, failure, notify, work)
            }
            Origin::Binary(loaded) => {
                // "CL_INVALID_BINARY if program is created with clCreateProgramWithBinary and devices listed in device_list do
                // not have a valid program binary loaded." What is to be linked is none that could be built.
                let mut objects = Vec::with_capacity(count);
                for device in &devices {
                    let place = program.devices.iter().position(|d| Arc::ptr_eq(d, device));
                    match place.and_then(|n| loaded.get(n)) {
                        Some(Loaded::Executable(object)) => objects.push(Arc::clone(object)),
                        _ => return Err(Status::INVALID_BINARY),
                    }
                }
                parsed()?;
                let work = move || objects.iter().map(compile::loaded).collect();
                program.build(&devices, &options, failure, notify, work)
            }
            // "CL_INVALID_OPERATION if program was not created with clCreateProgramWithSource, clCreateProgramWithIL or
            // clCreateProgramWithBinary."
            Origin::Link => Err(Status::INVALID_OPERATION),
        }
    })
}

/// `clCompileProgram`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn compile_program(
    program: cl::cl_program,
    num_devices: cl::cl_uint,
    device_list: *const cl::cl_device_id,
    options: *const c_char,
    num_input_headers: cl::cl_uint,
    input_headers: *const cl::cl_program,
    header_include_names: *mut *const c_char,
    pfn_notify: Function,
    user_data: *mut c_void,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_PROGRAM if program is not a valid program object."
        let program = Program::pool().get(program)?;
        // SAFETY: by the caller's promise.
        let devices = unsafe { devices(num_devices, device_list, &program.devices) }?;
        // SAFETY: by the caller's promise.
        let headers = unsafe { headers(num_input_headers, input_headers, header_include_names.cast_const()) }?;
        // SAFETY: by the caller's promise.
        let notify = unsafe { notify(pfn_notify, user_data) }?;
        // SAFETY: by the caller's promise.
        let options = unsafe { text(options) }.unwrap_or_default();
        // "CL_INVALID_COMPILER_OPTIONS if the compiler options specified by options are invalid."
        let parsed = parse_options(&program, &devices, Phase::Compile, &options, Status::INVALID_COMPILER_OPTIONS)?;
        // "CL_INVALID_OPERATION if program has no source i.e. it has not been created with clCreateProgramWithSource."
        let Origin::Source(source) = &program.origin else { return Err(Status::INVALID_OPERATION) };
        let (source, count) = (Arc::clone(source), devices.len());
        let work = move || vec![compile::part(&source, &headers, &parsed); count];
        program.build(&devices, &options, Status::COMPILE_PROGRAM_FAILURE, notify, work)
    })
}

/// The headers of `clCompileProgram`.
///
/// # Safety
/// `programs` and `names` are null or point to `count` handles and strings.
unsafe fn headers(
    count: cl::cl_uint,
    programs: *const cl::cl_program,
    names: *const *const c_char,
) -> Result<Vec<Header>> {
    // "CL_INVALID_VALUE if num_input_headers is zero and header_include_names or input_headers are not NULL or if
    // num_input_headers is not zero and header_include_names or input_headers are NULL."
    if programs.is_null() != (count == 0) || names.is_null() != (count == 0) {
        return Err(Status::INVALID_VALUE);
    }
    // SAFETY: by the caller's promise.
    let (programs, names) = unsafe { (list(programs, count as usize), list(names, count as usize)) };
    let header = |(&program, &name): (&cl::cl_program, &*const c_char)| {
        let program = Program::pool().get(program)?;
        // "an array of program embedded headers created with clCreateProgramWithSource".
        let Origin::Source(source) = &program.origin else { return Err(Status::INVALID_PROGRAM) };
        // SAFETY: by the caller's promise.
        let name = unsafe { text(name) }.ok_or(Status::INVALID_VALUE)?;
        Ok((name.into_owned(), Arc::clone(source)))
    };
    programs.iter().zip(names).map(header).collect()
}
