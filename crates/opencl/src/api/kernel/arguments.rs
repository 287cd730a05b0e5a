//! Arguments of kernels.

use crate::api::call;
use crate::core::kernel::Kernel;
use crate::core::kernel::signature::Takes;
use crate::core::memory::Memory;
use crate::core::sampler::Sampler;
use crate::handle::Object;
use crate::status::{Result, Status};
use launch::kernels::Access;
use opencl_sys as cl;
use std::ffi::c_void;

/// `clSetKernelArg`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn set_kernel_arg(
    kernel: cl::cl_kernel,
    arg_index: cl::cl_uint,
    arg_size: usize,
    arg_value: *const c_void,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_KERNEL if kernel is not a valid kernel object."
        let kernel = Kernel::pool().get(kernel)?;
        let index = arg_index as usize;
        // "CL_INVALID_ARG_INDEX if arg_index is not a valid argument index."
        match *kernel.signature.takes.get(index).ok_or(Status::INVALID_ARG_INDEX)? {
            // SAFETY: by the caller's promise.
            Takes::Value(size) => unsafe { set_value(&kernel, index, size, arg_size, arg_value) },
            // SAFETY: by the caller's promise.
            Takes::Memory { .. } => unsafe { set_memory(&kernel, index, arg_size, arg_value) },
            // SAFETY: by the caller's promise.
            Takes::Image { kind, access } => unsafe { set_image(&kernel, index, kind, access, arg_size, arg_value) },
            // SAFETY: by the caller's promise.
            Takes::Sampler => unsafe { set_sampler(&kernel, index, arg_size, arg_value) },
            Takes::Local => set_local(&kernel, index, arg_size, arg_value),
            // "CL_INVALID_DEVICE_QUEUE for an argument declared to be of type queue_t when the specified arg_value is not a
            // valid device queue object." No value is one.
            Takes::Opaque => Err(Status::INVALID_DEVICE_QUEUE),
        }
    })
}

unsafe fn set_value(kernel: &Kernel, index: usize, size: usize, arg_size: usize, value: *const c_void) -> Result {
    // "CL_INVALID_ARG_VALUE if arg_value specified is not a valid value."
    if value.is_null() {
        return Err(Status::INVALID_ARG_VALUE);
    }
    // "CL_INVALID_ARG_SIZE if arg_size does not match the size of the data type for an argument that is not a memory object".
    if arg_size != size {
        return Err(Status::INVALID_ARG_SIZE);
    }
    // SAFETY: the value has so many bytes, by the caller's promise.
    let bytes = unsafe { std::slice::from_raw_parts(value.cast::<u8>(), size) };
    kernel.change(|a| a.set_value(&kernel.signature, index, bytes));
    Ok(())
}

unsafe fn set_memory(kernel: &Kernel, index: usize, arg_size: usize, value: *const c_void) -> Result {
    // "CL_INVALID_ARG_SIZE … if the argument is a memory object and arg_size != sizeof(cl_mem)". It comes before the memory
    // object, which cannot be read otherwise.
    if arg_size != size_of::<cl::cl_mem>() {
        return Err(Status::INVALID_ARG_SIZE);
    }
    // "If the argument is a buffer object, the arg_value pointer can be NULL or point to a NULL value in which case a NULL
    // value will be used as the value for the argument declared as a pointer to global or constant memory in the kernel."
    let raw = if value.is_null() {
        std::ptr::null_mut()
    } else {
        // SAFETY: by the caller's promise; the user's handle may be misaligned.
        unsafe { value.cast::<cl::cl_mem>().read_unaligned() }
    };
    if raw.is_null() {
        kernel.change(|a| a.set_address(index, 0));
        return Ok(());
    }
    // "CL_INVALID_MEM_OBJECT for an argument declared to be a memory object when the specified arg_value is not a valid
    // memory object." One of another context is none that this kernel could use.
    let memory = Memory::pool().get(raw)?;
    if !memory.context.is(&kernel.program.context) {
        return Err(Status::INVALID_MEM_OBJECT);
    }
    // Neither is an image.
    if memory.as_image().is_some() {
        return Err(Status::INVALID_MEM_OBJECT);
    }
    kernel.change(|a| a.set_memory(index, &memory));
    Ok(())
}

/// The handle that an argument points to; null if it points to nothing, which is no valid object either.
///
/// # Errors
/// "CL_INVALID_ARG_SIZE … if the argument is a memory object and arg_size != sizeof(cl_mem) … or if the argument is a sampler
/// and arg_size != sizeof(cl_sampler)."
unsafe fn read_handle(arg_size: usize, value: *const c_void) -> Result<*mut c_void> {
    if arg_size != size_of::<*mut c_void>() {
        return Err(Status::INVALID_ARG_SIZE);
    }
    if value.is_null() {
        return Ok(std::ptr::null_mut());
    }
    // SAFETY: by the caller's promise; the user's handle may be misaligned.
    Ok(unsafe { value.cast::<*mut c_void>().read_unaligned() })
}

unsafe fn set_image(
    kernel: &Kernel,
    index: usize,
    kind: cl::cl_mem_object_type,
    access: Access,
    arg_size: usize,
    value: *const c_void,
) -> Result {
    // SAFETY: by the caller's promise.
    let raw = unsafe { read_handle(arg_size, value) }?;
    // "CL_INVALID_MEM_OBJECT for an argument declared to be a memory object when the specified arg_value is not a valid
    // memory object." One of another context is none that this kernel could use, and neither is a buffer or another kind of
    // image.
    let memory = Memory::pool().get(raw)?;
    let is_kind = memory.as_image().is_some_and(|image| image.shape.kind == kind);
    if !is_kind || !memory.context.is(&kernel.program.context) {
        return Err(Status::INVALID_MEM_OBJECT);
    }
    // "CL_INVALID_ARG_VALUE if the argument is an image declared with the read_only qualifier and arg_value refers to an image
    // object created with cl_mem_flags of CL_MEM_WRITE_ONLY or if the image argument is declared with the write_only qualifier
    // and arg_value refers to an image object created with cl_mem_flags of CL_MEM_READ_ONLY."
    let refused = match access {
        Access::ReadOnly => cl::CL_MEM_WRITE_ONLY,
        Access::WriteOnly => cl::CL_MEM_READ_ONLY,
        // What is read and written must allow both.
        Access::ReadWrite | Access::None => cl::CL_MEM_WRITE_ONLY | cl::CL_MEM_READ_ONLY,
    };
    if memory.flags & refused != 0 {
        return Err(Status::INVALID_ARG_VALUE);
    }
    kernel.change(|a| a.set_memory(index, &memory));
    Ok(())
}

unsafe fn set_sampler(kernel: &Kernel, index: usize, arg_size: usize, value: *const c_void) -> Result {
    // SAFETY: by the caller's promise.
    let raw = unsafe { read_handle(arg_size, value) }?;
    // "CL_INVALID_SAMPLER for an argument declared to be of type sampler_t when the specified arg_value is not a valid sampler
    // object."
    let sampler = Sampler::pool().get(raw)?;
    if !sampler.context.is(&kernel.program.context) {
        return Err(Status::INVALID_SAMPLER);
    }
    kernel.change(|a| a.set_value(&kernel.signature, index, &sampler.value().to_ne_bytes()));
    Ok(())
}

fn set_local(kernel: &Kernel, index: usize, arg_size: usize, value: *const c_void) -> Result {
    // "If the argument is declared with the local qualifier, the arg_value entry must be NULL."
    // "CL_INVALID_ARG_VALUE if arg_value specified is not a valid value."
    if !value.is_null() {
        return Err(Status::INVALID_ARG_VALUE);
    }
    // "CL_INVALID_ARG_SIZE … if arg_size is zero and the argument is declared with the local qualifier".
    if arg_size == 0 {
        return Err(Status::INVALID_ARG_SIZE);
    }
    kernel.change(|a| a.set_local(index, arg_size as u64));
    Ok(())
}

/// `clSetKernelArgSVMPointer`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn set_kernel_arg_svm_pointer(
    kernel: cl::cl_kernel,
    arg_index: cl::cl_uint,
    arg_value: *const c_void,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_KERNEL if kernel is not a valid kernel object."
        let kernel = Kernel::pool().get(kernel)?;
        let index = arg_index as usize;
        // "CL_INVALID_ARG_INDEX if arg_index is not a valid argument index."
        let takes = *kernel.signature.takes.get(index).ok_or(Status::INVALID_ARG_INDEX)?;
        // "CL_INVALID_ARG_VALUE if arg_value specified is not a valid value." "The SVM pointer can only be used for arguments
        // that are declared to be a pointer to global or constant memory."
        if !matches!(takes, Takes::Memory { .. }) {
            return Err(Status::INVALID_ARG_VALUE);
        }
        kernel.change(|a| a.set_address(index, arg_value as usize));
        Ok(())
    })
}

/// `clSetKernelExecInfo`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn set_kernel_exec_info(
    kernel: cl::cl_kernel,
    param_name: cl::cl_kernel_exec_info,
    param_value_size: usize,
    param_value: *const c_void,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_KERNEL if kernel is a not a valid kernel object."
        Kernel::pool().get(kernel)?;
        // "CL_INVALID_VALUE if param_name is not valid, if param_value is NULL and param_value_size is greater than zero, or if
        // the size specified by param_value_size is not valid."
        if param_value.is_null() && param_value_size > 0 {
            return Err(Status::INVALID_VALUE);
        }
        match param_name {
            // Kernels work on all of shared virtual memory in place, whether it was announced or not.
            cl::CL_KERNEL_EXEC_INFO_SVM_PTRS if param_value_size.is_multiple_of(size_of::<*const c_void>()) => Ok(()),
            cl::CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM if param_value_size == size_of::<cl::cl_bool>() => {
                // "CL_INVALID_OPERATION if param_name is CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM and param_value is CL_TRUE
                // but no devices in context associated with kernel support fine-grain system SVM allocations": none does.
                // SAFETY: by the caller's promise; the user's value may be misaligned.
                let wanted = unsafe { param_value.cast::<cl::cl_bool>().read_unaligned() };
                if wanted == cl::CL_FALSE { Ok(()) } else { Err(Status::INVALID_OPERATION) }
            }
            _ => Err(Status::INVALID_VALUE),
        }
    })
}
