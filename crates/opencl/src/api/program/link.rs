//! Linking.

use super::build::{Function, notify};
use super::{devices, list, text};
use crate::api::guarded;
use crate::core::context::Context;
use crate::core::device::Device;
use crate::core::program::build::Outcome;
use crate::core::program::compile::ParsedOptions;
use crate::core::program::link::{self, Part};
use crate::core::program::{Origin, Program};
use crate::handle::Object;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::{c_char, c_void};
use std::sync::Arc;
use unspool::cl::Phase;

/// `clLinkProgram`. "If linking fails, a program object is returned, too": its log says why.
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn link_program(
    context: cl::cl_context,
    num_devices: cl::cl_uint,
    device_list: *const cl::cl_device_id,
    options: *const c_char,
    num_input_programs: cl::cl_uint,
    input_programs: *const cl::cl_program,
    pfn_notify: Function,
    user_data: *mut c_void,
    code: *mut cl::cl_int,
) -> cl::cl_program {
    let begin = || {
        // "CL_INVALID_CONTEXT if context is not a valid context."
        let context = Context::pool().get(context)?;
        // SAFETY: by the caller's promise.
        let devices = unsafe { devices(num_devices, device_list, &context.devices) }?;
        // SAFETY: by the caller's promise.
        let inputs = unsafe { inputs(num_input_programs, input_programs) }?;
        // SAFETY: by the caller's promise.
        let notify = unsafe { notify(pfn_notify, user_data) }?;
        // SAFETY: by the caller's promise.
        let options = unsafe { text(options) }.unwrap_or_default();
        // "CL_INVALID_LINKER_OPTIONS if the linker options specified by options are invalid."
        let parsed = ParsedOptions::parse(Phase::Link, &options).map_err(|_| Status::INVALID_LINKER_OPTIONS)?;
        if parsed.enable_link_options() && !parsed.create_library() {
            return Err(Status::INVALID_LINKER_OPTIONS);
        }
        // "CL_INVALID_OPERATION if the compilation or build of a program executable for any of the devices listed in
        // device_list by a previous call to clCompileProgram or clBuildProgram for program has not completed."
        if inputs.iter().any(|p| p.is_building()) {
            return Err(Status::INVALID_OPERATION);
        }
        let (devices, parts) = parts(&devices, &inputs)?;
        let program = Program::new(context, devices, Origin::Link)?;
        let work = move || linked(&parts, &parsed);
        let ended = program.build(&program.devices, &options, Status::LINK_PROGRAM_FAILURE, notify, work);
        Ok((program, ended))
    };
    let (program, status) = match guarded(begin) {
        Ok(Ok((program, ended))) => (program.handle().raw(), ended.map_or_else(|e| e.0, |()| cl::CL_SUCCESS)),
        Ok(Err(Status(status))) => (std::ptr::null_mut(), status),
        Err(_) => (std::ptr::null_mut(), cl::CL_OUT_OF_RESOURCES),
    };
    if !code.is_null() {
        // SAFETY: by the caller's promise.
        unsafe { code.write(status) };
    }
    program
}

/// The programs to link.
///
/// # Safety
/// `programs` is null or points to `count` handles.
unsafe fn inputs(count: cl::cl_uint, programs: *const cl::cl_program) -> Result<Vec<Arc<Program>>> {
    // "CL_INVALID_VALUE if num_input_programs is zero and input_programs is NULL or if num_input_programs is zero and
    // input_programs is not NULL or if num_input_programs is not zero and input_programs is NULL."
    if programs.is_null() || count == 0 {
        return Err(Status::INVALID_VALUE);
    }
    // "CL_INVALID_PROGRAM if programs specified in input_programs are not valid program objects."
    // SAFETY: by the caller's promise.
    unsafe { list(programs, count as usize) }.iter().map(|&p| Program::pool().get(p)).collect()
}

/// The devices to link for, and for each of them what is linked.
type PartsByDevice = (Vec<Arc<Device>>, Vec<Vec<Part>>);

/// What is to be linked for these devices.
///
/// # Errors
/// `CL_INVALID_OPERATION`: "For each device … all programs specified by input_programs contain a compiled binary or library
/// for the device … or: all programs specified by input_programs do not contain a compiled binary or library for any
/// device …, in which case there will be no linking for that device. All other cases will return a CL_INVALID_OPERATION
/// error." Where nothing could be linked for any device, that is an error, too.
fn parts(devices: &[Arc<Device>], inputs: &[Arc<Program>]) -> Result<PartsByDevice> {
    let mut linked: PartsByDevice = (Vec::new(), Vec::new());
    for device in devices {
        let part = |p: &Arc<Program>| p.build_of(device).ok().and_then(|b| b.product.part().cloned());
        let parts: Vec<Part> = inputs.iter().filter_map(part).collect();
        if parts.len() == inputs.len() {
            linked.0.push(Arc::clone(device));
            linked.1.push(parts);
        } else if !parts.is_empty() {
            return Err(Status::INVALID_OPERATION);
        }
    }
    if linked.0.is_empty() { Err(Status::INVALID_OPERATION) } else { Ok(linked) }
}

/// Links for each device; the same parts once.
fn linked(parts: &[Vec<Part>], parsed: &ParsedOptions) -> Vec<Outcome> {
    let mut outcomes: Vec<Outcome> = Vec::with_capacity(parts.len());
    for (n, own) in parts.iter().enumerate() {
        let same = |other: &Vec<Part>| other.iter().zip(own).all(|(a, b)| a.is(b));
        let outcome = match parts[..n].iter().position(same) {
            Some(done) => outcomes[done].clone(),
            None => link::program(own, parsed, &parsed.spelt),
        };
        outcomes.push(outcome);
    }
    outcomes
}
