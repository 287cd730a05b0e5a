//! Buffers and what all memory objects have: chapters "Buffer Objects" and "Memory Objects".

use super::{call, create};
use crate::core::context::Context;
use crate::core::memory::allocation::BASE_ALIGN;
use crate::core::memory::svm::svm_left;
use crate::core::memory::{BufferSpec, Memory, Notify};
use crate::handle::Object;
use crate::info::Reply;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::c_void;
use std::sync::Arc;

/// The flags that say what kernels do.
const KERNEL_ACCESS: cl::cl_mem_flags = cl::CL_MEM_READ_WRITE | cl::CL_MEM_WRITE_ONLY | cl::CL_MEM_READ_ONLY;

/// The flags that say where the bytes are.
const HOST_PTR: cl::cl_mem_flags = cl::CL_MEM_USE_HOST_PTR | cl::CL_MEM_ALLOC_HOST_PTR | cl::CL_MEM_COPY_HOST_PTR;

/// The flags that say what the host does.
const HOST_ACCESS: cl::cl_mem_flags =
    cl::CL_MEM_HOST_WRITE_ONLY | cl::CL_MEM_HOST_READ_ONLY | cl::CL_MEM_HOST_NO_ACCESS;

/// `CL_MEM_USE_PERSISTENT_MEM_AMD` of Khronos' `cl_ext.h`: where a GPU should keep the memory. No specification has it, and programs of
/// AMD's set it whatever the device is; the memory of this one is where it wants it.
const PERSISTENT_MEM_AMD: cl::cl_mem_flags = 1 << 6;

/// Whether the flags are those of the table "Memory Flags", or a hint that means nothing here, and none together that are mutually exclusive.
pub(super) fn flags_are_valid(flags: cl::cl_mem_flags) -> bool {
    let at_most_one = |of: cl::cl_mem_flags| (flags & of).count_ones() <= 1;
    flags & !(KERNEL_ACCESS | HOST_PTR | HOST_ACCESS | PERSISTENT_MEM_AMD) == 0
        // "CL_MEM_READ_WRITE and CL_MEM_WRITE_ONLY are mutually exclusive." "CL_MEM_READ_WRITE or CL_MEM_WRITE_ONLY and
        // CL_MEM_READ_ONLY are mutually exclusive."
        && at_most_one(KERNEL_ACCESS)
        // "CL_MEM_ALLOC_HOST_PTR and CL_MEM_USE_HOST_PTR are mutually exclusive." "CL_MEM_COPY_HOST_PTR and
        // CL_MEM_USE_HOST_PTR are mutually exclusive."
        && (flags & cl::CL_MEM_USE_HOST_PTR == 0 || at_most_one(HOST_PTR))
        // "CL_MEM_HOST_WRITE_ONLY and CL_MEM_HOST_READ_ONLY are mutually exclusive." "CL_MEM_HOST_WRITE_ONLY or
        // CL_MEM_HOST_READ_ONLY and CL_MEM_HOST_NO_ACCESS are mutually exclusive."
        && at_most_one(HOST_ACCESS)
}

/// "CL_INVALID_HOST_PTR if host_ptr is NULL, and CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR are set in flags; if host_ptr is
/// not NULL but CL_MEM_COPY_HOST_PTR or CL_MEM_USE_HOST_PTR are not set in flags."
pub(super) fn check_host_ptr(flags: cl::cl_mem_flags, host_ptr: *mut c_void) -> Result {
    let wanted = flags & (cl::CL_MEM_USE_HOST_PTR | cl::CL_MEM_COPY_HOST_PTR) != 0;
    if wanted == host_ptr.is_null() { Err(Status::INVALID_HOST_PTR) } else { Ok(()) }
}

/// The properties of a memory object, with the zero that ends them; empty if `properties` is null.
///
/// # Safety
/// `properties` is null or points to properties that end with 0.
pub(super) unsafe fn read_properties(properties: *const cl::cl_mem_properties) -> Result<Vec<cl::cl_mem_properties>> {
    if properties.is_null() {
        return Ok(Vec::new());
    }
    // "CL_INVALID_PROPERTY if a property name in properties is not a supported property name …" There is none: "OpenCL does
    // not define any optional properties for buffers".
    // SAFETY: by the caller's promise there is at least the zero.
    if unsafe { *properties } == 0 { Ok(vec![0]) } else { Err(Status::INVALID_PROPERTY) }
}

/// Makes a buffer object.
///
/// # Safety
/// As the specification has it: `host_ptr` is null or points to `size` bytes, for `CL_MEM_USE_HOST_PTR` as long as the buffer
/// lives; `errcode_ret` is null or writable.
pub unsafe extern "C" fn create_buffer(
    context: cl::cl_context,
    flags: cl::cl_mem_flags,
    size: usize,
    host_ptr: *mut c_void,
    errcode_ret: *mut cl::cl_int,
) -> cl::cl_mem {
    // SAFETY: the caller's promises, passed on; no properties are as good as a null pointer.
    unsafe { create_buffer_with_properties(context, std::ptr::null(), flags, size, host_ptr, errcode_ret) }
}

/// Makes a buffer object.
///
/// # Safety
/// As [`create_buffer`]; `properties` is null or a list that ends with 0.
pub unsafe extern "C" fn create_buffer_with_properties(
    context: cl::cl_context,
    properties: *const cl::cl_mem_properties,
    flags: cl::cl_mem_flags,
    size: usize,
    host_ptr: *mut c_void,
    errcode_ret: *mut cl::cl_int,
) -> cl::cl_mem {
    let make = || {
        // "CL_INVALID_CONTEXT if context is not a valid context."
        let context = Context::pool().get(context)?;
        // SAFETY: by the caller's promise.
        let properties = unsafe { read_properties(properties) }?;
        // "CL_INVALID_VALUE if values specified in flags are not valid as defined in the Memory Flags table."
        if !flags_are_valid(flags) {
            return Err(Status::INVALID_VALUE);
        }
        // "CL_INVALID_BUFFER_SIZE if size is zero; if size is greater than CL_DEVICE_MAX_MEM_ALLOC_SIZE for all devices in
        // context;"
        if size == 0 || context.devices.iter().all(|device| size as u64 > device.max_allocation()) {
            return Err(Status::INVALID_BUFFER_SIZE);
        }
        // "… if CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR is set in flags, and host_ptr is a pointer returned by clSVMAlloc,
        // and size is greater than the size passed to clSVMAlloc."
        let has_ptr = flags & (cl::CL_MEM_USE_HOST_PTR | cl::CL_MEM_COPY_HOST_PTR) != 0;
        if has_ptr && svm_left(&context, host_ptr.cast()).is_some_and(|left| size > left) {
            return Err(Status::INVALID_BUFFER_SIZE);
        }
        check_host_ptr(flags, host_ptr)?;
        let spec = BufferSpec { flags, properties, size, host_ptr };
        // SAFETY: by the caller's promise; the pointer is not null where the flags need it.
        unsafe { Memory::buffer(context, spec) }
    };
    // SAFETY: by the caller's promise.
    unsafe { create(errcode_ret, make) }
}

/// Makes a buffer object of a part of another.
///
/// # Safety
/// As the specification has it: `buffer_create_info` is null or points to a `cl_buffer_region`, `errcode_ret` is null or
/// writable.
pub unsafe extern "C" fn create_sub_buffer(
    buffer: cl::cl_mem,
    flags: cl::cl_mem_flags,
    buffer_create_type: cl::cl_buffer_create_type,
    buffer_create_info: *const c_void,
    errcode_ret: *mut cl::cl_int,
) -> cl::cl_mem {
    // SAFETY: by the caller's promise.
    unsafe { create(errcode_ret, || sub_buffer(buffer, flags, buffer_create_type, buffer_create_info.cast())) }
}

/// # Safety
/// `info` is null or points to a region.
unsafe fn sub_buffer(
    buffer: cl::cl_mem,
    flags: cl::cl_mem_flags,
    create_type: cl::cl_buffer_create_type,
    info: *const cl::cl_buffer_region,
) -> Result<Arc<Memory>> {
    // "CL_INVALID_MEM_OBJECT if buffer is not a valid buffer object; if buffer is a sub-buffer object."
    let buffer = Memory::pool().get(buffer)?;
    if buffer.parent().is_some() || buffer.as_image().is_some() {
        return Err(Status::INVALID_MEM_OBJECT);
    }
    let flags = sub_buffer_flags(buffer.flags, flags)?;
    // "CL_INVALID_VALUE if the value specified in buffer_create_type is not valid; if buffer_create_info is NULL; if a value
    // specified in buffer_create_info for a given buffer_create_type is not valid; if the region specified by the
    // cl_buffer_region structure passed in buffer_create_info is out of bounds in buffer."
    if create_type != cl::CL_BUFFER_CREATE_TYPE_REGION || info.is_null() {
        return Err(Status::INVALID_VALUE);
    }
    // SAFETY: by the caller's promise.
    let cl::cl_buffer_region { origin, size } = unsafe { info.read_unaligned() };
    buffer.region(origin, size).ok_or(Status::INVALID_VALUE)?;
    // "CL_INVALID_BUFFER_SIZE if the size field of the cl_buffer_region structure passed in buffer_create_info is zero."
    if size == 0 {
        return Err(Status::INVALID_BUFFER_SIZE);
    }
    // "CL_MISALIGNED_SUB_BUFFER_OFFSET if there are no devices in context associated with buffer for which the origin field of
    // the cl_buffer_region structure passed in buffer_create_info is aligned to the CL_DEVICE_MEM_BASE_ADDR_ALIGN value."
    // It is the same for all devices, so commands need not look at it again.
    if !origin.is_multiple_of(BASE_ALIGN) {
        return Err(Status::MISALIGNED_SUB_BUFFER_OFFSET);
    }
    buffer.part(flags, origin, size)
}

/// The flags of a sub-buffer: its own and those that it inherits.
///
/// # Errors
/// `CL_INVALID_VALUE`: they conflict. Images that are made of buffers have the same rules.
pub(super) fn sub_buffer_flags(parent: cl::cl_mem_flags, flags: cl::cl_mem_flags) -> Result<cl::cl_mem_flags> {
    let refused = if parent & cl::CL_MEM_WRITE_ONLY != 0 {
        // "CL_INVALID_VALUE if buffer was created with CL_MEM_WRITE_ONLY and flags specifies CL_MEM_READ_WRITE or
        // CL_MEM_READ_ONLY;"
        cl::CL_MEM_READ_WRITE | cl::CL_MEM_READ_ONLY
    } else if parent & cl::CL_MEM_READ_ONLY != 0 {
        // "… if buffer was created with CL_MEM_READ_ONLY and flags specifies CL_MEM_READ_WRITE or CL_MEM_WRITE_ONLY;"
        cl::CL_MEM_READ_WRITE | cl::CL_MEM_WRITE_ONLY
    } else {
        0
    };
    let refused_host = if parent & cl::CL_MEM_HOST_WRITE_ONLY != 0 {
        // "… if buffer was created with CL_MEM_HOST_WRITE_ONLY and flags specify CL_MEM_HOST_READ_ONLY;"
        cl::CL_MEM_HOST_READ_ONLY
    } else if parent & cl::CL_MEM_HOST_READ_ONLY != 0 {
        // "… if buffer was created with CL_MEM_HOST_READ_ONLY and flags specify CL_MEM_HOST_WRITE_ONLY;"
        cl::CL_MEM_HOST_WRITE_ONLY
    } else if parent & cl::CL_MEM_HOST_NO_ACCESS != 0 {
        // "… if buffer was created with CL_MEM_HOST_NO_ACCESS and flags specify CL_MEM_HOST_READ_ONLY or
        // CL_MEM_HOST_WRITE_ONLY;"
        cl::CL_MEM_HOST_READ_ONLY | cl::CL_MEM_HOST_WRITE_ONLY
    } else {
        0
    };
    // "… if flags specifies CL_MEM_USE_HOST_PTR or CL_MEM_ALLOC_HOST_PTR or CL_MEM_COPY_HOST_PTR;"
    if flags & (refused | refused_host | HOST_PTR) != 0 || !flags_are_valid(flags) {
        return Err(Status::INVALID_VALUE);
    }
    // "If the CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, or CL_MEM_WRITE_ONLY values are not specified in flags, they are inherited
    // from the corresponding memory access qualifiers associated with buffer. The CL_MEM_USE_HOST_PTR, CL_MEM_ALLOC_HOST_PTR,
    // and CL_MEM_COPY_HOST_PTR values cannot be specified in flags but are inherited …"
    let mut all = flags | parent & HOST_PTR;
    for group in [KERNEL_ACCESS, HOST_ACCESS] {
        if flags & group == 0 {
            all |= parent & group;
        }
    }
    Ok(all)
}

/// Adds a reference to a memory object.
///
/// # Safety
/// Any value may be passed.
pub unsafe extern "C" fn retain_mem_object(memobj: cl::cl_mem) -> cl::cl_int {
    // "CL_INVALID_MEM_OBJECT if memobj is not a valid memory object (buffer or image object)."
    call(|| Memory::pool().retain(memobj))
}

/// Takes away a reference to a memory object.
///
/// # Safety
/// Any value may be passed.
pub unsafe extern "C" fn release_mem_object(memobj: cl::cl_mem) -> cl::cl_int {
    // "CL_INVALID_MEM_OBJECT if memobj is not a valid memory object."
    call(|| Memory::pool().release(memobj))
}

/// Adds a function that is called when the memory object is destroyed.
///
/// # Safety
/// As the specification has it: `pfn_notify` may be called with `user_data`, at any time and on any thread.
pub unsafe extern "C" fn set_mem_object_destructor_callback(
    memobj: cl::cl_mem,
    pfn_notify: Option<Notify>,
    user_data: *mut c_void,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_MEM_OBJECT if memobj is not a valid memory object."
        let memory = Memory::pool().get(memobj)?;
        // "CL_INVALID_VALUE if pfn_notify is NULL."
        memory.on_destruction(pfn_notify.ok_or(Status::INVALID_VALUE)?, user_data);
        Ok(())
    })
}

/// Tells what is known of a memory object.
///
/// # Safety
/// As the specification has it: `param_value` is null or has room for `param_value_size` bytes, `param_value_size_ret` is null
/// or writable.
pub unsafe extern "C" fn get_mem_object_info(
    memobj: cl::cl_mem,
    param_name: cl::cl_mem_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_MEM_OBJECT if memobj is not a valid memory object."
        let memory = Memory::pool().get(memobj)?;
        // SAFETY: by the caller's promise.
        let reply = unsafe { Reply::new(param_value_size, param_value, param_value_size_ret) };
        match param_name {
            cl::CL_MEM_TYPE => {
                reply.value(memory.as_image().map_or(cl::CL_MEM_OBJECT_BUFFER, |image| image.shape.kind))
            }
            cl::CL_MEM_FLAGS => reply.value(memory.flags),
            cl::CL_MEM_SIZE => reply.value(memory.size()),
            cl::CL_MEM_HOST_PTR => reply.value(memory.host_ptr()),
            cl::CL_MEM_MAP_COUNT => reply.value(memory.map_count()),
            cl::CL_MEM_REFERENCE_COUNT => reply.value(memory.handle().references()),
            cl::CL_MEM_CONTEXT => reply.value(memory.context.handle().raw()),
            cl::CL_MEM_ASSOCIATED_MEMOBJECT => {
                reply.value(memory.parent().map_or(std::ptr::null_mut(), |(of, _)| of.handle().raw()))
            }
            cl::CL_MEM_OFFSET => reply.value(memory.parent().map_or(0, |(_, offset)| offset)),
            cl::CL_MEM_USES_SVM_POINTER => reply.bool(memory.uses_svm),
            cl::CL_MEM_PROPERTIES => reply.slice(&memory.properties),
            // "CL_INVALID_VALUE if param_name is not one of the supported values, …"
            _ => Err(Status::INVALID_VALUE),
        }
    })
}
