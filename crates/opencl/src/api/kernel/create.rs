//! Making kernels, and references to them.

use crate::api::program::text;
use crate::api::{call, create};
use crate::core::kernel::Kernel;
use crate::core::program::Program;
use crate::core::program::executable::Executable;
use crate::handle::Object;
use crate::status::Status;
use opencl_sys as cl;
use std::ffi::c_char;
use std::sync::Arc;

/// `clCreateKernel`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn create_kernel(
    program: cl::cl_program,
    kernel_name: *const c_char,
    code: *mut cl::cl_int,
) -> cl::cl_kernel {
    let make = || {
        // "CL_INVALID_PROGRAM if program is not a valid program object."
        let program = Program::pool().get(program)?;
        // "CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built executable for program."
        let executables = program.executables()?;
        // "CL_INVALID_VALUE if kernel_name is NULL." (Last in the specification, where it cannot come last.)
        // SAFETY: by the caller's promise.
        let name = unsafe { text(kernel_name) }.ok_or(Status::INVALID_VALUE)?;
        // "CL_INVALID_KERNEL_NAME if kernel_name is not found in program."
        let found = |e: &Arc<Executable>| Some((Arc::clone(e), Arc::clone(e.kernel(&name)?)));
        let (executable, signature) = executables.iter().find_map(found).ok_or(Status::INVALID_KERNEL_NAME)?;
        // "CL_INVALID_KERNEL_DEFINITION if the function definition for __kernel function given by kernel_name such as the
        // number of arguments, the argument types are not the same for all devices for which the program executable has
        // been built."
        if executables.iter().filter_map(|e| e.kernel(&name)).any(|s| s.takes != signature.takes) {
            return Err(Status::INVALID_KERNEL_DEFINITION);
        }
        Kernel::new(program, executable, signature)
    };
    // SAFETY: by the caller's promise.
    unsafe { create(code, make) }
}

/// `clCreateKernelsInProgram`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn create_kernels_in_program(
    program: cl::cl_program,
    num_kernels: cl::cl_uint,
    kernels: *mut cl::cl_kernel,
    num_kernels_ret: *mut cl::cl_uint,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_PROGRAM if program is not a valid program object."
        let program = Program::pool().get(program)?;
        // "CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built executable for any device in program."
        let executable = program.executables()?.swap_remove(0);
        let count = executable.kernels.len();
        // "CL_INVALID_VALUE if kernels is not NULL and num_kernels is less than the number of kernels in program."
        if !kernels.is_null() && (num_kernels as usize) < count {
            return Err(Status::INVALID_VALUE);
        }
        if !kernels.is_null() {
            let make = |s| Kernel::new(Arc::clone(&program), Arc::clone(&executable), Arc::clone(s));
            let mut made: Vec<Arc<Kernel>> = Vec::with_capacity(count);
            for signature in &executable.kernels {
                match make(signature) {
                    Ok(kernel) => made.push(kernel),
                    Err(e) => {
                        made.iter().try_for_each(|k| Kernel::pool().release(k.handle().raw()))?;
                        return Err(e);
                    }
                }
            }
            for (n, kernel) in made.iter().enumerate() {
                // SAFETY: there is room for all of them.
                unsafe { kernels.add(n).write(kernel.handle().raw()) };
            }
        }
        if !num_kernels_ret.is_null() {
            // SAFETY: by the caller's promise.
            unsafe { num_kernels_ret.write(count as cl::cl_uint) };
        }
        Ok(())
    })
}

/// `clCloneKernel`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn clone_kernel(source_kernel: cl::cl_kernel, code: *mut cl::cl_int) -> cl::cl_kernel {
    // "CL_INVALID_KERNEL if source_kernel is not a valid kernel object."
    // SAFETY: by the caller's promise.
    unsafe { create(code, || Kernel::pool().get(source_kernel)?.duplicate()) }
}

/// `clRetainKernel`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn retain_kernel(kernel: cl::cl_kernel) -> cl::cl_int {
    // "CL_INVALID_KERNEL if kernel is not a valid kernel object."
    call(|| Kernel::pool().retain(kernel))
}

/// `clReleaseKernel`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn release_kernel(kernel: cl::cl_kernel) -> cl::cl_int {
    // "CL_INVALID_KERNEL if kernel is not a valid kernel object."
    call(|| Kernel::pool().release(kernel))
}
