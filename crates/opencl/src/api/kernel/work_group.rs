//! What there is to know of a kernel on a device: work-groups and sub-groups.

use crate::api::call;
use crate::core::device::Device;
use crate::core::features::FEATURES;
use crate::core::kernel::Kernel;
use crate::handle::Object;
use crate::info::Reply;
use crate::status::{Result, Status};
use opencl_sys as cl;
use runtime::Device as _;
use std::ffi::c_void;
use std::sync::Arc;

/// The device that is asked about.
fn device(kernel: &Kernel, raw: cl::cl_device_id) -> Result<Arc<Device>> {
    let devices = &kernel.program.devices;
    // "If there is a single device associated with kernel, device can be a NULL value."
    if raw.is_null() && devices.len() == 1 {
        return Ok(Arc::clone(&devices[0]));
    }
    // "CL_INVALID_DEVICE if device is not in the list of devices associated with kernel or if device is NULL but there is
    // more than one device associated with kernel."
    let device = Device::pool().get(raw)?;
    if devices.iter().any(|d| d.is(&device)) { Ok(device) } else { Err(Status::INVALID_DEVICE) }
}

/// `clGetKernelWorkGroupInfo`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn get_kernel_work_group_info(
    kernel: cl::cl_kernel,
    device: cl::cl_device_id,
    param_name: cl::cl_kernel_work_group_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> cl::cl_int {
    call(|| {
        // SAFETY: by the caller's promise.
        let reply = unsafe { Reply::new(param_value_size, param_value, param_value_size_ret) };
        // "CL_INVALID_KERNEL if kernel is not a valid kernel object."
        let kernel = Kernel::pool().get(kernel)?;
        let device = self::device(&kernel, device)?;
        work_group_info(&kernel, &device, param_name, reply)
    })
}

fn work_group_info(kernel: &Kernel, device: &Device, name: cl::cl_kernel_work_group_info, reply: Reply) -> Result {
    let info = &kernel.signature.info;
    match name {
        // "CL_INVALID_VALUE if param_name is CL_KERNEL_GLOBAL_WORK_SIZE and device is not a custom device and kernel is not a
        // built-in kernel": no device and no kernel is.
        cl::CL_KERNEL_GLOBAL_WORK_SIZE => Err(Status::INVALID_VALUE),
        cl::CL_KERNEL_WORK_GROUP_SIZE => reply.value(device.host.target().launch_limits().group_items as usize),
        // "If the work-group size is not specified using the above attribute qualifier (0, 0, 0) is returned."
        cl::CL_KERNEL_COMPILE_WORK_GROUP_SIZE => {
            reply.value(info.reqd_work_group_size.unwrap_or_default().map(|n| n as usize))
        }
        // "This value may include local memory that may be needed by an implementation to execute the kernel, variables
        // declared inside the kernel with the __local address qualifier and local memory to be allocated for arguments to
        // the kernel declared as pointers with the __local address qualifier and whose size is specified with
        // clSetKernelArg."
        cl::CL_KERNEL_LOCAL_MEM_SIZE => {
            let declared = kernel.executable.footprint(&kernel.signature).local;
            reply.value(declared.saturating_add(kernel.local_argument_bytes()))
        }
        cl::CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE => {
            // So many work-items share a vector; `vec_type_hint` says how wide each of them is, else what the kernel computes with.
            let bits = device.host.vector_bits() as usize;
            let hint = info.vec_type_hint.as_ref();
            let item = hint.map_or(info.element_bits as usize, |h| {
                h.width.next_power_of_two() as usize * h.scalar_bytes as usize * 8
            });
            reply.value((bits / item.max(8)).max(1))
        }
        cl::CL_KERNEL_PRIVATE_MEM_SIZE => reply.value(kernel.executable.footprint(&kernel.signature).private),
        // "CL_INVALID_VALUE if param_name is not valid".
        _ => Err(Status::INVALID_VALUE),
    }
}

/// `clGetKernelSubGroupInfo`
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn get_kernel_sub_group_info(
    kernel: cl::cl_kernel,
    device: cl::cl_device_id,
    param_name: cl::cl_kernel_sub_group_info,
    input_value_size: usize,
    input_value: *const c_void,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: *mut usize,
) -> cl::cl_int {
    call(|| {
        // SAFETY: by the caller's promise.
        let reply = unsafe { Reply::new(param_value_size, param_value, param_value_size_ret) };
        // "CL_INVALID_KERNEL if kernel is not a valid kernel object."
        let kernel = Kernel::pool().get(kernel)?;
        // "CL_INVALID_DEVICE if device is not in the list of devices associated with kernel or if device is NULL but there is
        // more than one device associated with kernel."
        let device = self::device(&kernel, device)?;
        // "CL_INVALID_OPERATION if device does not support subgroups."
        if !FEATURES.contains(&"__opencl_c_subgroups") {
            return Err(Status::INVALID_OPERATION);
        }
        // SAFETY: by the caller's promise.
        let input = unsafe { sizes(input_value_size, input_value) };
        sub_group_info(&kernel, &device, param_name, &input, reply)
    })
}

/// The numbers of an input value; none where its size is not that of one to three.
///
/// # Safety
/// `value` is null or points to `size` bytes.
unsafe fn sizes(size: usize, value: *const c_void) -> Vec<usize> {
    let count = size / size_of::<usize>();
    if value.is_null() || !size.is_multiple_of(size_of::<usize>()) || !(1..=3).contains(&count) {
        return Vec::new();
    }
    // SAFETY: by the caller's promise; the user's array may be misaligned.
    (0..count).map(|n| unsafe { value.cast::<usize>().add(n).read_unaligned() }).collect()
}

fn sub_group_info(
    kernel: &Kernel,
    device: &Device,
    name: cl::cl_kernel_sub_group_info,
    input: &[usize],
    reply: Reply,
) -> Result {
    let sub = device.host.target().warp_size() as usize;
    let most = device.host.target().launch_limits().group_items as usize;
    let items = || input.iter().fold(1usize, |n, &size| n.saturating_mul(size));
    // "CL_INVALID_VALUE if … input_value_size is not valid or input_value is NULL" where one is taken.
    let need = |ok: bool| if ok { Ok(()) } else { Err(Status::INVALID_VALUE) };
    match name {
        cl::CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE => {
            need(!input.is_empty())?;
            reply.value(sub.min(items().max(1)))
        }
        cl::CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE => {
            need(!input.is_empty())?;
            reply.value(items().div_ceil(sub))
        }
        cl::CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT => {
            need(input.len() == 1)?;
            let items = input[0].saturating_mul(sub);
            let required = kernel.signature.info.reqd_work_group_size.map(|r| r.map(|n| n as usize));
            let fits = match required {
                Some(r) => r.iter().product::<usize>() == items,
                None => items <= most,
            };
            // "If the work-group cannot be divided into the requested number of sub-groups …, the value is 0."
            let size = if fits { required.unwrap_or([items, 1, 1]) } else { [0; 3] };
            // As many dimensions as there is room for.
            reply.slice(&size[..reply.room::<usize>().clamp(1, 3)])
        }
        cl::CL_KERNEL_MAX_NUM_SUB_GROUPS => reply.value(most.div_ceil(sub)),
        cl::CL_KERNEL_COMPILE_NUM_SUB_GROUPS => reply.value(0usize),
        _ => Err(Status::INVALID_VALUE),
    }
}
