//! Executing kernels: section 5.10 of the specification, and native kernels.

use super::call;
use crate::core::check::written;
use crate::core::device::Device;
use crate::core::event::Waits;
use crate::core::kernel::{Captured, Kernel};
use crate::core::launch::{Launch, choose_local};
use crate::core::memory::Memory;
use crate::core::memory::allocation::BASE_ALIGN;
use crate::core::queue::{Command, Queue, Work};
use crate::handle::Object;
use crate::status::{Result, Status};
use opencl_sys as cl;
use runtime::{Device as _, NdRange};
use std::ffi::c_void;
use std::sync::Arc;

/// `num_events_in_wait_list`, `event_wait_list`, `event`.
type Tail = (cl::cl_uint, *const cl::cl_event, *mut cl::cl_event);

/// `work_dim`, `global_work_offset`, `global_work_size`, `local_work_size`.
type Sizes = (cl::cl_uint, *const usize, *const usize, *const usize);

/// Dimensions that there are (`CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS`).
const DIMENSIONS: cl::cl_uint = 3;

/// # Safety
/// As the specification has it.
pub(crate) unsafe extern "C" fn enqueue_nd_range_kernel(
    queue: cl::cl_command_queue,
    kernel: cl::cl_kernel,
    work_dim: cl::cl_uint,
    offset: *const usize,
    global: *const usize,
    local: *const usize,
    count: cl::cl_uint,
    list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    let (sizes, tail) = ((work_dim, offset, global, local), (count, list, event));
    // SAFETY: by the caller's promise.
    call(|| unsafe { enqueue_kernel(queue, kernel, sizes, tail, cl::CL_COMMAND_NDRANGE_KERNEL) })
}

/// # Safety
/// As the specification has it.
pub(crate) unsafe extern "C" fn enqueue_task(
    queue: cl::cl_command_queue,
    kernel: cl::cl_kernel,
    count: cl::cl_uint,
    list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    // "clEnqueueTask is equivalent to calling clEnqueueNDRangeKernel with work_dim set to 1, global_work_offset set to NULL,
    // global_work_size[0] set to 1, and local_work_size[0] set to 1." So what requires other groups than (1,1,1) is refused.
    let (offset, one) = (std::ptr::null(), 1usize);
    let sizes = (1, offset, &raw const one, &raw const one);
    // SAFETY: by the caller's promise.
    call(|| unsafe { enqueue_kernel(queue, kernel, sizes, (count, list, event), cl::CL_COMMAND_TASK) })
}

/// # Safety
/// The pointers are as the specification has them.
unsafe fn enqueue_kernel(
    queue: cl::cl_command_queue,
    kernel: cl::cl_kernel,
    sizes: Sizes,
    tail: Tail,
    kind: cl::cl_command_type,
) -> Result {
    // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
    let queue = Queue::pool().get(queue)?;
    // "CL_INVALID_KERNEL if kernel is not a valid kernel."
    let kernel = Kernel::pool().get(kernel)?;
    let captured = check_kernel(&queue, &kernel)?;
    // SAFETY: by the caller's promise.
    let range = unsafe { read_range(&kernel, &queue.device, sizes) }?;
    check_arguments(&captured)?;
    // SAFETY: by the caller's promise.
    let waits = unsafe { Waits::read(&queue.context, tail.0, tail.1) }?;
    let work: Work = if range.is_empty() {
        // "the kernel command will trivially succeed after its event dependencies are satisfied"
        Box::new(|| Ok(()))
    } else {
        let launch = Launch::new(&kernel, captured, &queue.device, range)?;
        Box::new(move || launch.run())
    };
    // SAFETY: by the caller's promise.
    unsafe { queue.enqueue(Command { kind, waits, blocking: false, work }, tail.2) }
}

/// Checks the kernel of an enqueue; its arguments as they are now.
fn check_kernel(queue: &Queue, kernel: &Kernel) -> Result<Captured> {
    // "CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built program executable available for the device
    // associated with command_queue."
    let executable = kernel.executable_for(&queue.device)?;
    // "CL_INVALID_CONTEXT if the context associated with command_queue and kernel are not the same."
    if !kernel.program.context.is(&queue.context) {
        return Err(Status::INVALID_CONTEXT);
    }
    // "CL_INVALID_KERNEL_ARGS if any kernel arguments for kernel have not been set."
    kernel.capture_for(executable)
}

/// "CL_MISALIGNED_SUB_BUFFER_OFFSET if a kernel argument for kernel is a sub-buffer object and the offset specified when the
/// sub-buffer object is created is not aligned to CL_DEVICE_MEM_BASE_ADDR_ALIGN for the device."
fn check_arguments(captured: &Captured) -> Result {
    let aligned = |m: &Arc<Memory>| m.parent().is_none_or(|(_, offset)| offset.is_multiple_of(BASE_ALIGN));
    if captured.memory.iter().all(aligned) { Ok(()) } else { Err(Status::MISALIGNED_SUB_BUFFER_OFFSET) }
}

/// The numbers of an array with one for each dimension, and `fill` in the dimensions that are not used.
///
/// # Safety
/// The array has so many numbers.
unsafe fn read_sizes(work_dim: cl::cl_uint, array: *const usize, fill: u64) -> [u64; 3] {
    // SAFETY: by the caller's promise.
    std::array::from_fn(|d| if d < work_dim as usize { unsafe { *array.add(d) as u64 } } else { fill })
}

/// Checks the sizes of an enqueue.
///
/// # Safety
/// The arrays are null or have `work_dim` numbers.
unsafe fn read_range(kernel: &Kernel, device: &Device, sizes: Sizes) -> Result<NdRange> {
    let (work_dim, offset, global, local) = sizes;
    // "CL_INVALID_WORK_DIMENSION if work_dim is not valid for the device associated with command_queue (is greater than the
    // value returned for CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS)"; there is no range of none, either.
    if work_dim == 0 || work_dim > DIMENSIONS {
        return Err(Status::INVALID_WORK_DIMENSION);
    }
    // "CL_INVALID_GLOBAL_WORK_SIZE if global_work_size is NULL … if any of the values … are zero. This error condition does
    // not apply when the device associated with command_queue supports OpenCL 2.1 or newer": then nothing runs.
    // SAFETY: by the caller's promise.
    let global = if global.is_null() { [0; 3] } else { unsafe { read_sizes(work_dim, global, 1) } };
    // SAFETY: by the caller's promise.
    let offset = if offset.is_null() { [0; 3] } else { unsafe { read_sizes(work_dim, offset, 0) } };
    // "CL_INVALID_GLOBAL_OFFSET … if the value specified in global_work_size plus the corresponding value in
    // global_work_offset for any dimensions is greater than the maximum value representable by size_t."
    if (0..3).any(|d| global[d].checked_add(offset[d]).is_none()) {
        return Err(Status::INVALID_GLOBAL_OFFSET);
    }
    let local = if local.is_null() {
        choose_local(kernel, work_dim, global, device)?
    } else {
        // SAFETY: by the caller's promise.
        check_local(kernel, device, global, unsafe { read_sizes(work_dim, local, 1) })?
    };
    Ok(NdRange { work_dim, offset, global, local })
}

/// Checks a local size that the user gives.
fn check_local(kernel: &Kernel, device: &Device, global: [u64; 3], local: [u64; 3]) -> Result<[u32; 3]> {
    // "CL_INVALID_WORK_GROUP_SIZE … if the total number of work-items in the work-group is zero"
    if local.contains(&0) {
        return Err(Status::INVALID_WORK_GROUP_SIZE);
    }
    // "… if the work-group size must be uniform, and if the global_work_size is not evenly divisible by the local_work_size"
    let uniform = !kernel.executable.program.partial_groups();
    if uniform && (0..3).any(|d| !global[d].is_multiple_of(local[d])) {
        return Err(Status::INVALID_WORK_GROUP_SIZE);
    }
    // "… if the total number of work-items in the work-group is greater than the maximum work-group size supported for
    // kernel on the device associated with command_queue (is greater than the value returned for CL_KERNEL_WORK_GROUP_SIZE)"
    // "CL_INVALID_WORK_ITEM_SIZE if the number of work-items specified in any dimension of local_work_size is not valid for
    // the device": the same number, so that it is never seen.
    let limits = device.host.target().launch_limits();
    limits.check_group(local).map_err(|_| Status::INVALID_WORK_GROUP_SIZE)?;
    let local = local.map(|l| l as u32);
    // "… if the local_work_size does not match the required work-group size for kernel": also where the range has too few
    // dimensions for it, as those that are missing count as one.
    if kernel.signature.info.reqd_work_group_size.is_some_and(|required| required != local) {
        return Err(Status::INVALID_WORK_GROUP_SIZE);
    }
    Ok(local)
}

/// The local size that an enqueue without one would use (`cl_khr_suggested_local_work_size`).
///
/// # Safety
/// As the specification has it.
pub(crate) unsafe extern "C" fn get_kernel_suggested_local_work_size(
    queue: cl::cl_command_queue,
    kernel: cl::cl_kernel,
    work_dim: cl::cl_uint,
    offset: *const usize,
    global: *const usize,
    suggested: *mut usize,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
        let queue = Queue::pool().get(queue)?;
        // "CL_INVALID_KERNEL if kernel is not a valid kernel."
        let kernel = Kernel::pool().get(kernel)?;
        let captured = check_kernel(&queue, &kernel)?;
        // SAFETY: by the caller's promise.
        let range = unsafe { read_range(&kernel, &queue.device, (work_dim, offset, global, std::ptr::null())) }?;
        // "CL_INVALID_GLOBAL_WORK_SIZE if global_work_size is NULL; if any of the values … are zero."
        if range.is_empty() {
            return Err(Status::INVALID_GLOBAL_WORK_SIZE);
        }
        check_arguments(&captured)?;
        // "CL_INVALID_VALUE if suggested_local_work_size is NULL."
        if suggested.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        for (d, &size) in range.local.iter().enumerate().take(work_dim as usize) {
            // SAFETY: by the caller's promise.
            unsafe { suggested.add(d).write(size as usize) };
        }
        Ok(())
    })
}

/// The function of a native kernel.
type Native = unsafe extern "C" fn(*mut c_void);

/// A native kernel's copy of its arguments: aligned for whatever C puts there.
struct NativeArguments {
    words: Vec<u128>,
    bytes: usize,
}

impl NativeArguments {
    /// # Safety
    /// There are so many bytes.
    unsafe fn copy(from: *const c_void, bytes: usize) -> Self {
        let mut words = vec![0u128; bytes.div_ceil(size_of::<u128>())];
        if bytes > 0 {
            // SAFETY: by the caller's promise; there is room for them.
            unsafe { std::ptr::copy_nonoverlapping(from.cast::<u8>(), words.as_mut_ptr().cast(), bytes) };
        }
        Self { words, bytes }
    }

    /// Puts an address where a memory object's handle stood.
    fn patch(&mut self, offset: usize, address: *mut u8) -> Result {
        let last = self.bytes.checked_sub(size_of::<usize>()).ok_or(Status::INVALID_VALUE)?;
        if offset > last {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: the word lies within the copy; it may be misaligned.
        unsafe { self.words.as_mut_ptr().byte_add(offset).cast::<*mut u8>().write_unaligned(address) };
        Ok(())
    }
}

/// # Safety
/// As the specification has it.
pub(crate) unsafe extern "C" fn enqueue_native_kernel(
    queue: cl::cl_command_queue,
    function: Option<Native>,
    args: *mut c_void,
    bytes: usize,
    memory_count: cl::cl_uint,
    memory: *const cl::cl_mem,
    places: *mut *const c_void,
    count: cl::cl_uint,
    list: *const cl::cl_event,
    event: *mut cl::cl_event,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
        let queue = Queue::pool().get(queue)?;
        // "CL_INVALID_VALUE if user_func is NULL."
        let function = function.ok_or(Status::INVALID_VALUE)?;
        // "CL_INVALID_VALUE if args is a NULL value and cb_args > 0, or if args is a NULL value and num_mem_objects > 0.
        // CL_INVALID_VALUE if args is not NULL and cb_args is 0."
        if args.is_null() != (bytes == 0) || args.is_null() && memory_count > 0 {
            return Err(Status::INVALID_VALUE);
        }
        // "CL_INVALID_VALUE if num_mem_objects > 0 and mem_list or args_mem_loc are NULL. CL_INVALID_VALUE if
        // num_mem_objects = 0 and mem_list or args_mem_loc are not NULL."
        if memory.is_null() != (memory_count == 0) || places.is_null() != (memory_count == 0) {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: by the caller's promise.
        let mut copy = unsafe { NativeArguments::copy(args, bytes) };
        let mut held = Vec::new();
        for n in 0..memory_count as usize {
            // SAFETY: by the caller's promise.
            let (raw, place) = unsafe { (*memory.add(n), *places.add(n)) };
            // "mem_list is a list of valid buffer objects … or NULL. CL_INVALID_MEM_OBJECT if one or more memory objects
            // specified in mem_list are not valid or are not buffer objects."
            let object = if raw.is_null() { None } else { Some(Memory::pool().get(raw)?) };
            // "args_mem_loc is a pointer to appropriate locations that args points to."
            let offset = (place as usize).checked_sub(args as usize).ok_or(Status::INVALID_VALUE)?;
            copy.patch(offset, object.as_ref().map_or(std::ptr::null_mut(), |m| m.address()))?;
            held.extend(object);
        }
        // SAFETY: by the caller's promise.
        let waits = unsafe { Waits::read(&queue.context, count, list) }?;
        // "CL_INVALID_CONTEXT if context associated with command_queue and events in event_wait_list are not the same";
        // memory of other contexts is no better.
        if held.iter().any(|m| !m.context.is(&queue.context)) {
            return Err(Status::INVALID_CONTEXT);
        }
        let work = Box::new(move || {
            let mut copy = copy;
            let args = if copy.bytes == 0 { std::ptr::null_mut() } else { copy.words.as_mut_ptr().cast() };
            // SAFETY: the user's function, called once with its copy of the arguments.
            unsafe { function(args) };
            held.iter().for_each(|m| written::wrote(m.address(), m.size()));
            drop(held);
            Ok(())
        });
        let command = Command { kind: cl::CL_COMMAND_NATIVE_KERNEL, waits, blocking: false, work };
        // SAFETY: by the caller's promise.
        unsafe { queue.enqueue(command, event) }
    })
}
