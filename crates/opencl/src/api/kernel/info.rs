//! What there is to know of kernels.

use crate::api::call;
use crate::core::kernel::Kernel;
use crate::handle::Object;
use crate::info::Reply;
use crate::status::{Result, Status};
use launch::kernels::{Access, Address, ParamInfo};
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
        // "any attributes specified using the __attribute__ qualifier … with the kernel function declaration in the program
        // source", separated by spaces.
        cl::CL_KERNEL_ATTRIBUTES => reply.text(&kernel.signature.info.attributes),
        // "CL_INVALID_VALUE if param_name is not valid".
        _ => Err(Status::INVALID_VALUE),
    }
}

/// `clGetKernelArgInfo`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn get_kernel_arg_info(
    kernel: cl::cl_kernel,
    arg_index: cl::cl_uint,
    param_name: cl::cl_kernel_arg_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> cl::cl_int {
    call(|| {
        // SAFETY: by the caller's promise.
        let reply = unsafe { Reply::new(param_value_size, param_value, param_value_size_ret) };
        // "CL_INVALID_KERNEL if kernel is not a valid kernel object." It comes first: the index is one of the kernel's.
        let kernel = Kernel::pool().get(kernel)?;
        // "CL_INVALID_ARG_INDEX if arg_index is not a valid argument index."
        let param = kernel.signature.info.params.get(arg_index as usize).ok_or(Status::INVALID_ARG_INDEX)?;
        // "CL_KERNEL_ARG_INFO_NOT_AVAILABLE if the argument information is not available for kernel": it always is, also
        // without -cl-kernel-arg-info and in binaries.
        arg_info(param, param_name, reply)
    })
}

fn arg_info(param: &ParamInfo, name: cl::cl_kernel_arg_info, reply: Reply) -> Result {
    match name {
        cl::CL_KERNEL_ARG_ADDRESS_QUALIFIER => reply.value(match param.address {
            Address::Global => cl::CL_KERNEL_ARG_ADDRESS_GLOBAL,
            Address::Local => cl::CL_KERNEL_ARG_ADDRESS_LOCAL,
            Address::Constant => cl::CL_KERNEL_ARG_ADDRESS_CONSTANT,
            Address::Private => cl::CL_KERNEL_ARG_ADDRESS_PRIVATE,
        }),
        cl::CL_KERNEL_ARG_ACCESS_QUALIFIER => reply.value(match param.access {
            Access::None => cl::CL_KERNEL_ARG_ACCESS_NONE,
            Access::ReadOnly => cl::CL_KERNEL_ARG_ACCESS_READ_ONLY,
            Access::WriteOnly => cl::CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
            Access::ReadWrite => cl::CL_KERNEL_ARG_ACCESS_READ_WRITE,
        }),
        cl::CL_KERNEL_ARG_TYPE_NAME => reply.text(&param.type_name),
        cl::CL_KERNEL_ARG_TYPE_QUALIFIER => {
            let q = param.qualifiers;
            let bit = |on, bit| if on { bit } else { cl::CL_KERNEL_ARG_TYPE_NONE };
            let bits = bit(q.is_const, cl::CL_KERNEL_ARG_TYPE_CONST)
                | bit(q.is_restrict, cl::CL_KERNEL_ARG_TYPE_RESTRICT)
                | bit(q.is_volatile, cl::CL_KERNEL_ARG_TYPE_VOLATILE)
                | bit(q.is_pipe, cl::CL_KERNEL_ARG_TYPE_PIPE);
            // A `cl_bitfield` in Khronos' header, which the crate has with half its width.
            reply.value::<cl::cl_bitfield>(bits.into())
        }
        cl::CL_KERNEL_ARG_NAME => reply.text(&param.name),
        // "CL_INVALID_VALUE if param_name is not valid".
        _ => Err(Status::INVALID_VALUE),
    }
}
