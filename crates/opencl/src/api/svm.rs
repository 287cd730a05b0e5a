//! Shared virtual memory. Every device has coarse- and fine-grained buffers, so that no call fails with
//! `CL_INVALID_OPERATION` "if the device associated with command_queue does not support SVM".

use super::call;
use super::mapping::{MIGRATIONS, check_map_flags};
use super::transfer::{Tail, enqueue, read_pattern};
use crate::core::context::Context;
use crate::core::memory::allocation::BASE_ALIGN;
use crate::core::memory::svm::{svm_alloc, svm_find, svm_free, svm_left};
use crate::core::memory::transfer::{Address, copy, fill};
use crate::core::queue::Queue;
use crate::handle::Object;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::ffi::c_void;
use std::sync::Arc;

/// Most that may be asked for as alignment: a page.
const MAX_ALIGN: usize = 4096;

/// Allocates shared virtual memory; null if that cannot be.
///
/// # Safety
/// Any values may be passed.
pub unsafe extern "C" fn svm_alloc_memory(
    context: cl::cl_context,
    flags: cl::cl_svm_mem_flags,
    size: usize,
    alignment: cl::cl_uint,
) -> *mut c_void {
    let make = || {
        // "clSVMAlloc will fail if context is not a valid context, or no devices in context support SVM."
        let context = Context::pool().get(context)?;
        // "flags does not contain CL_MEM_SVM_FINE_GRAIN_BUFFER but does contain CL_MEM_SVM_ATOMICS." "Values specified in
        // flags do not follow rules described for supported values in the SVM Memory Flags table."
        // "CL_MEM_SVM_FINE_GRAIN_BUFFER or CL_MEM_SVM_ATOMICS is specified in flags and these are not supported by at least
        // one device in context."
        // Atomics are not: kernels have no atomic operations of the scope of all devices.
        let access = cl::CL_MEM_READ_WRITE | cl::CL_MEM_WRITE_ONLY | cl::CL_MEM_READ_ONLY;
        if flags & !(access | cl::CL_MEM_SVM_FINE_GRAIN_BUFFER) != 0 || (flags & access).count_ones() > 1 {
            return Err(Status::INVALID_VALUE);
        }
        // "size is 0 or > CL_DEVICE_MAX_MEM_ALLOC_SIZE value for any device in context."
        if size == 0 || context.devices.iter().any(|device| size as u64 > device.max_allocation()) {
            return Err(Status::INVALID_BUFFER_SIZE);
        }
        // "alignment is not a power of two or the OpenCL implementation cannot support the specified alignment for at least
        // one device in context." "If alignment is 0, a default alignment will be used that is equal to the size of largest
        // data type supported by the OpenCL implementation."
        let align = if alignment == 0 { BASE_ALIGN } else { alignment as usize };
        if !align.is_power_of_two() || align > MAX_ALIGN {
            return Err(Status::INVALID_VALUE);
        }
        Ok(svm_alloc(&context, size, align)?.cast())
    };
    // SAFETY: nobody wants the error code.
    unsafe { super::pointer(std::ptr::null_mut(), make) }
}

/// Frees shared virtual memory.
///
/// # Safety
/// As the specification has it: no command that is not over uses the memory, nor does the program afterwards.
pub unsafe extern "C" fn svm_free_memory(context: cl::cl_context, svm_pointer: *mut c_void) {
    call(|| {
        // "context is a valid OpenCL context used to create the SVM buffer." "If a NULL pointer is passed in svm_pointer, no
        // action occurs."
        svm_free(&*Context::pool().get(context)?, svm_pointer.cast());
        Ok(())
    });
}

/// What frees shared virtual memory in place of the driver.
pub type FreeFunction = unsafe extern "C" fn(
    queue: cl::cl_command_queue,
    num_svm_pointers: cl::cl_uint,
    svm_pointers: *mut *mut c_void,
    user_data: *mut c_void,
);

/// Pointers that are sent to the thread that runs a command.
struct Pointers(Vec<*mut c_void>);

// SAFETY: they are passed on, or looked up as numbers.
unsafe impl Send for Pointers {}

/// A list of pointers; empty if the list is null.
///
/// # Safety
/// `list` is null or has `count` pointers.
unsafe fn read_pointers(count: cl::cl_uint, list: *const *const c_void) -> Pointers {
    if list.is_null() {
        return Pointers(Vec::new());
    }
    // SAFETY: by the caller's promise.
    Pointers((0..count as usize).map(|n| unsafe { list.add(n).read_unaligned() }.cast_mut()).collect())
}

/// Frees shared virtual memory when the command's turn has come.
///
/// # Safety
/// As the specification has it: the lists have so many elements, `pfn_free_func` may be called with `user_data` on any thread,
/// nothing uses the memory when the command runs, `event` is null or writable.
pub unsafe extern "C" fn enqueue_svm_free(
    command_queue: cl::cl_command_queue,
    num_svm_pointers: cl::cl_uint,
    svm_pointers: *mut *mut c_void,
    pfn_free_func: Option<FreeFunction>,
    user_data: *mut c_void,
    num_events_in_wait_list: cl::cl_uint,
    event_wait_list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    let tail = Tail(num_events_in_wait_list, event_wait_list, event);
    call(|| {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
        let queue = Queue::pool().get(command_queue)?;
        // "CL_INVALID_VALUE if num_svm_pointers is 0 and svm_pointers is non-NULL, or if svm_pointers is NULL and
        // num_svm_pointers is not 0."
        if (num_svm_pointers == 0) != svm_pointers.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: by the caller's promise, for both lists.
        let (waits, pointers) = unsafe { (tail.waits(&queue)?, read_pointers(num_svm_pointers, svm_pointers.cast())) };
        let context = Arc::clone(&queue.context);
        let (handle, user_data) = (Address(queue.handle().raw().cast()), Address(user_data.cast()));
        let work = Box::new(move || {
            let (mut pointers, handle, user_data) = (pointers, handle, user_data);
            match pfn_free_func {
                // SAFETY: the user gave the function for this, and its data.
                Some(f) => unsafe {
                    f(handle.0.cast(), num_svm_pointers, pointers.0.as_mut_ptr(), user_data.0.cast());
                },
                None => pointers.0.iter().for_each(|&p| svm_free(&context, p.cast())),
            }
            Ok(())
        });
        // SAFETY: by the caller's promise.
        unsafe { enqueue(&queue, cl::CL_COMMAND_SVM_FREE, waits, false, tail, work) }
    })
}

/// Checks that as many bytes follow an address; what is no allocation of the context is the program's memory, of which
/// nothing is known.
///
/// # Errors
/// "CL_INVALID_VALUE … if svm_ptr is NULL"; also if the allocation that it is in ends before.
fn check_range(context: &Context, start: *const c_void, size: usize) -> Result {
    let short = svm_left(context, start.cast()).is_some_and(|left| size > left);
    let wraps = (start as usize).checked_add(size).is_none();
    if start.is_null() || short || wraps { Err(Status::INVALID_VALUE) } else { Ok(()) }
}

/// Copies between shared virtual memory and other memory.
///
/// # Safety
/// As the specification has it: both pointers have `size` bytes until the command has ended, the wait list has so many handles,
/// `event` is null or writable.
pub unsafe extern "C" fn enqueue_svm_memcpy(
    command_queue: cl::cl_command_queue,
    blocking_copy: cl::cl_bool,
    dst_ptr: *mut c_void,
    src_ptr: *const c_void,
    size: usize,
    num_events_in_wait_list: cl::cl_uint,
    event_wait_list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    let tail = Tail(num_events_in_wait_list, event_wait_list, event);
    call(|| {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
        let queue = Queue::pool().get(command_queue)?;
        // "CL_INVALID_VALUE if dst_ptr is NULL; if src_ptr is NULL."
        check_range(&queue.context, dst_ptr, size)?;
        check_range(&queue.context, src_ptr, size)?;
        // SAFETY: by the caller's promise.
        let waits = unsafe { tail.waits(&queue) }?;
        // "CL_MEM_COPY_OVERLAP if the values specified for dst_ptr, src_ptr and size result in an overlapping copy."
        if (dst_ptr as usize).abs_diff(src_ptr as usize) < size {
            return Err(Status::MEM_COPY_OVERLAP);
        }
        let (from, to) = (Address(src_ptr.cast_mut().cast()), Address(dst_ptr.cast()));
        let device = Arc::clone(&queue.device);
        let work = Box::new(move || {
            // SAFETY: by the caller's promise.
            unsafe { copy(&device.host, from, to, size) };
            Ok(())
        });
        // SAFETY: by the caller's promise.
        unsafe { enqueue(&queue, cl::CL_COMMAND_SVM_MEMCPY, waits, blocking_copy != 0, tail, work) }
    })
}

/// Fills shared virtual memory with a pattern.
///
/// # Safety
/// As the specification has it: `pattern` has `pattern_size` bytes, `svm_ptr` has `size` bytes until the command has ended, the
/// wait list has so many handles, `event` is null or writable.
pub unsafe extern "C" fn enqueue_svm_mem_fill(
    command_queue: cl::cl_command_queue,
    svm_ptr: *mut c_void,
    pattern: *const c_void,
    pattern_size: usize,
    size: usize,
    num_events_in_wait_list: cl::cl_uint,
    event_wait_list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    let tail = Tail(num_events_in_wait_list, event_wait_list, event);
    call(|| {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
        let queue = Queue::pool().get(command_queue)?;
        // "CL_INVALID_VALUE if svm_ptr is NULL;"
        check_range(&queue.context, svm_ptr, size)?;
        // SAFETY: by the caller's promise.
        let pattern = unsafe { read_pattern(pattern, pattern_size) }?;
        // "… if svm_ptr is not aligned to pattern_size bytes; if size is not a multiple of pattern_size."
        if !(svm_ptr as usize).is_multiple_of(pattern_size) || !size.is_multiple_of(pattern_size) {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: by the caller's promise.
        let waits = unsafe { tail.waits(&queue) }?;
        let to = Address(svm_ptr.cast());
        let device = Arc::clone(&queue.device);
        let work = Box::new(move || {
            // SAFETY: by the caller's promise.
            unsafe { fill(&device.host, to, size, &pattern) };
            Ok(())
        });
        // SAFETY: by the caller's promise.
        unsafe { enqueue(&queue, cl::CL_COMMAND_SVM_MEMFILL, waits, false, tail, work) }
    })
}

/// Lets the host access a region: a place in the order of commands, as host and devices use the same memory.
///
/// # Safety
/// As the specification has it: the wait list has so many handles, `event` is null or writable.
pub unsafe extern "C" fn enqueue_svm_map(
    command_queue: cl::cl_command_queue,
    blocking_map: cl::cl_bool,
    map_flags: cl::cl_map_flags,
    svm_ptr: *mut c_void,
    size: usize,
    num_events_in_wait_list: cl::cl_uint,
    event_wait_list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    let tail = Tail(num_events_in_wait_list, event_wait_list, event);
    call(|| {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
        let queue = Queue::pool().get(command_queue)?;
        // "CL_INVALID_VALUE if svm_ptr is NULL; if size is zero; if values specified in map_flags are not valid."
        check_range(&queue.context, svm_ptr, size)?;
        if size == 0 {
            return Err(Status::INVALID_VALUE);
        }
        check_map_flags(map_flags)?;
        // SAFETY: by the caller's promise.
        let waits = unsafe { tail.waits(&queue) }?;
        // SAFETY: by the caller's promise.
        unsafe { enqueue(&queue, cl::CL_COMMAND_SVM_MAP, waits, blocking_map != 0, tail, Box::new(|| Ok(()))) }
    })
}

/// Ends what [`enqueue_svm_map`] began.
///
/// # Safety
/// As the specification has it: the wait list has so many handles, `event` is null or writable.
pub unsafe extern "C" fn enqueue_svm_unmap(
    command_queue: cl::cl_command_queue,
    svm_ptr: *mut c_void,
    num_events_in_wait_list: cl::cl_uint,
    event_wait_list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    let tail = Tail(num_events_in_wait_list, event_wait_list, event);
    call(|| {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
        let queue = Queue::pool().get(command_queue)?;
        // "CL_INVALID_VALUE if svm_ptr is NULL."
        if svm_ptr.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: by the caller's promise.
        let waits = unsafe { tail.waits(&queue) }?;
        // SAFETY: by the caller's promise.
        unsafe { enqueue(&queue, cl::CL_COMMAND_SVM_UNMAP, waits, false, tail, Box::new(|| Ok(()))) }
    })
}

/// Moves parts of shared virtual memory to the queue's device: a place in the order of commands.
///
/// # Safety
/// As the specification has it: the lists have so many elements, `event` is null or writable.
pub unsafe extern "C" fn enqueue_svm_migrate_mem(
    command_queue: cl::cl_command_queue,
    num_svm_pointers: cl::cl_uint,
    svm_pointers: *mut *const c_void,
    sizes: *const usize,
    flags: cl::cl_mem_migration_flags,
    num_events_in_wait_list: cl::cl_uint,
    event_wait_list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    let tail = Tail(num_events_in_wait_list, event_wait_list, event);
    call(|| {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
        let queue = Queue::pool().get(command_queue)?;
        // "CL_INVALID_VALUE if num_svm_pointers is zero; if svm_pointers is NULL; if flags is not zero and is not a valid
        // combination of the values described in the Memory migration Flags table;"
        if num_svm_pointers == 0 || svm_pointers.is_null() || flags & !MIGRATIONS != 0 {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: by the caller's promise.
        let pointers = unsafe { read_pointers(num_svm_pointers, svm_pointers) };
        for (n, &start) in pointers.0.iter().enumerate() {
            // "sizes may be NULL indicating that every allocation containing any svm_pointer[i] is to be migrated."
            // SAFETY: by the caller's promise.
            let size = if sizes.is_null() { 0 } else { unsafe { sizes.add(n).read_unaligned() } };
            // "… if sizes[i] is non-zero and the memory range described by svm_pointers[i] and sizes[i] is not contained
            // within an SVM allocation returned by clSVMAlloc." "Each pointer in this array must be within an allocation".
            svm_find(&queue.context, start.cast()).ok_or(Status::INVALID_VALUE)?;
            check_range(&queue.context, start, size)?;
        }
        // SAFETY: by the caller's promise.
        let waits = unsafe { tail.waits(&queue) }?;
        // SAFETY: by the caller's promise.
        unsafe { enqueue(&queue, cl::CL_COMMAND_SVM_MIGRATE_MEM, waits, false, tail, Box::new(|| Ok(()))) }
    })
}
