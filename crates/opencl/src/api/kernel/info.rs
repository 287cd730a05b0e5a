//! What there is to know of kernels.

use crate::api::call;
use crate::core::kernel::Kernel;
use crate::handle::Object;
use crate::info::Reply;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::c_void;

/// `clGetKernelInfo`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn get_kernel_info(
    kernel: cl::cl_kernel,
    param_name: cl::cl_kernel_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> cl::cl_int {
    call(|| {
        // SAFETY: by the caller's promise.
        let reply = unsafe { Reply::new(param_value_size, param_value, param_value_size_ret) };
        // "CL_INVALID_KERNEL if kernel is not a valid kernel object."
        kernel_info(&*Kernel::pool().get(kernel)?, param_name, reply)
    })
}

fn kernel_info(kernel: &Kernel, name: cl::cl_kernel_info, reply: Reply) -> Result {
    match name {
        cl::CL_KERNEL_FUNCTION_NAME => reply.text(&kernel.signature.info.name),
        cl::CL_KERNEL_NUM_ARGS => reply.value(kernel.signature.takes.len() as cl::cl_uint),
        cl::CL_KERNEL_REFERENCE_COUNT => reply.value(kernel.handle().references()),
        cl::CL_KERNEL_CONTEXT => reply.value(kernel.program.context.handle().raw()),
        cl::CL_KERNEL_PROGRAM => reply.value(kernel.program.handle().raw()),
        // "CL_INVALID_VALUE if param_name is not valid".
        _ => Err(Status::INVALID_VALUE),
    }
}
