//! What there is to know of programs.

use crate::api::call;
use crate::core::device::Device;
use crate::core::program::build::{Build, Product};
use crate::core::program::executable::Executable;
use crate::core::program::{Origin, Program};
use crate::handle::Object;
use crate::info::Reply;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::c_void;

/// `clGetProgramInfo`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn get_program_info(
    program: cl::cl_program,
    param_name: cl::cl_program_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> cl::cl_int {
    call(|| {
        // SAFETY: by the caller's promise.
        let reply = unsafe { Reply::new(param_value_size, param_value, param_value_size_ret) };
        // "CL_INVALID_PROGRAM if program is not a valid program object."
        program_info(&*Program::pool().get(program)?, param_name, reply)
    })
}

fn program_info(program: &Program, name: cl::cl_program_info, reply: Reply) -> Result {
    match name {
        cl::CL_PROGRAM_REFERENCE_COUNT => reply.value(program.handle().references()),
        cl::CL_PROGRAM_CONTEXT => reply.value(program.context.handle().raw()),
        cl::CL_PROGRAM_NUM_DEVICES => reply.value(program.devices.len() as cl::cl_uint),
        cl::CL_PROGRAM_DEVICES => {
            let devices: Vec<*mut c_void> = program.devices.iter().map(|d| d.handle().raw()).collect();
            reply.slice(&devices)
        }
        // "If program is created using clCreateProgramWithBinary, … a null string or the appropriate program source code
        // is returned".
        cl::CL_PROGRAM_SOURCE => match &program.origin {
            Origin::Source(text) => reply.text(&String::from_utf8_lossy(text)),
            Origin::Binary(_) | Origin::Link => reply.text(""),
        },
        cl::CL_PROGRAM_BINARY_SIZES => {
            let sizes: Vec<usize> = program.products().iter().map(|p| p.binary().len()).collect();
            reply.slice(&sizes)
        }
        cl::CL_PROGRAM_BINARIES => binaries(program, reply),
        // "CL_INVALID_PROGRAM_EXECUTABLE if param_name is CL_PROGRAM_NUM_KERNELS, CL_PROGRAM_KERNEL_NAMES, … and a
        // successful program executable has not been built for at least one device".
        cl::CL_PROGRAM_NUM_KERNELS => reply.value(program.executables()?[0].kernels.len()),
        cl::CL_PROGRAM_KERNEL_NAMES => reply.text(&names(&program.executables()?[0])),
        // No intermediate language is taken, so there is none to give.
        cl::CL_PROGRAM_IL => reply.bytes(&[]),
        cl::CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT | cl::CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT => {
            program.executables()?;
            reply.bool(false)
        }
        // "CL_INVALID_VALUE if param_name is not valid".
        _ => Err(Status::INVALID_VALUE),
    }
}

/// "param_value points to an array of n pointers allocated by the caller, where n is the number of devices associated with
/// program. … If an entry value in the array is NULL, the implementation skips copying the program binary for the specific
/// device".
fn binaries(program: &Program, reply: Reply) -> Result {
    // SAFETY: the user's memory begins as an array of addresses, each null or of as much memory as
    // CL_PROGRAM_BINARY_SIZES said.
    let places: Vec<*mut u8> = unsafe { reply.given(program.devices.len()) }?;
    for (place, product) in places.iter().zip(program.products()) {
        if !place.is_null() {
            let bytes = product.binary();
            // SAFETY: by the user's promise.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), *place, bytes.len()) };
        }
    }
    reply.size(size_of::<*mut u8>() * program.devices.len())
}

/// "a semi-colon separated list of kernel names in program".
fn names(executable: &Executable) -> String {
    let names: Vec<&str> = executable.kernels.iter().map(|k| k.info.name.as_str()).collect();
    names.join(";")
}

/// `clGetProgramBuildInfo`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn get_program_build_info(
    program: cl::cl_program,
    device: cl::cl_device_id,
    param_name: cl::cl_program_build_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> cl::cl_int {
    call(|| {
        // SAFETY: by the caller's promise.
        let reply = unsafe { Reply::new(param_value_size, param_value, param_value_size_ret) };
        // "CL_INVALID_PROGRAM if program is not a valid program object."
        let program = Program::pool().get(program)?;
        // "CL_INVALID_DEVICE if device is not in the list of devices associated with program."
        let build = program.build_of(&*Device::pool().get(device)?)?;
        build_info(&build, param_name, reply)
    })
}

fn build_info(build: &Build, name: cl::cl_program_build_info, reply: Reply) -> Result {
    match name {
        cl::CL_PROGRAM_BUILD_STATUS => reply.value(build.status),
        // "If build status … is CL_BUILD_NONE, an empty string is returned" for options and log.
        cl::CL_PROGRAM_BUILD_OPTIONS => reply.text(&build.options),
        cl::CL_PROGRAM_BUILD_LOG => reply.text(&build.log),
        cl::CL_PROGRAM_BINARY_TYPE => reply.value(match build.product {
            Product::None => cl::CL_PROGRAM_BINARY_TYPE_NONE,
            Product::Part(ref part) if part.is_library() => cl::CL_PROGRAM_BINARY_TYPE_LIBRARY,
            Product::Part(_) => cl::CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
            Product::Loaded(_) | Product::Executable(_) => cl::CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
        }),
        // "The total amount of storage, in bytes, used by program variables in the global address space."
        cl::CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE => {
            reply.value(build.product.executable().map_or(0, |e| e.global_variable_bytes()))
        }
        // "CL_INVALID_VALUE if param_name is not valid".
        _ => Err(Status::INVALID_VALUE),
    }
}
