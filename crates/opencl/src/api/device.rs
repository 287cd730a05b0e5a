//! Chapters 4.2 and 4.3: devices and their parts. What is asked of a device is answered in
//! [`device_info`](super::device_info).

use super::call;
use super::platform::platform;
use crate::core::device::Device;
use crate::core::features;
use crate::core::platform::Platform;
use crate::handle::Object;
use crate::status::{Result, Status};
use opencl_sys as cl;
use std::sync::Arc;

/// All bits that mean a type of device.
const TYPES: cl::cl_device_type = cl::CL_DEVICE_TYPE_DEFAULT
    | cl::CL_DEVICE_TYPE_CPU
    | cl::CL_DEVICE_TYPE_GPU
    | cl::CL_DEVICE_TYPE_ACCELERATOR
    | cl::CL_DEVICE_TYPE_CUSTOM;

/// Most parts that a device is asked to be cut into; more is refused before anything is read.
const MAX_PARTS: usize = 1 << 16;

/// Names of the device's extensions, in the order they are listed.
pub(crate) fn extensions() -> impl Iterator<Item = &'static str> {
    features::EXTENSIONS.iter().chain(features::HOST_EXTENSIONS).copied()
}

/// A name with a version, as `cl_name_version` lies in memory.
pub(crate) fn with_version(name: &str, version: cl::cl_version) -> Vec<u8> {
    let mut out = version.to_ne_bytes().to_vec();
    let room = cl::CL_NAME_VERSION_MAX_NAME_SIZE;
    let fits = &name.as_bytes()[..name.len().min(room - 1)];
    out.extend_from_slice(fits);
    out.resize(size_of::<cl::cl_version>() + room, 0);
    out
}

/// The platform's devices of a type.
///
/// # Errors
/// `CL_INVALID_DEVICE_TYPE` "if device_type is not a valid value".
pub(crate) fn of_type(platform: &Platform, kind: cl::cl_device_type) -> Result<Vec<Arc<Device>>> {
    if kind == 0 || kind != cl::CL_DEVICE_TYPE_ALL && kind & !TYPES != 0 {
        return Err(Status::INVALID_DEVICE_TYPE);
    }
    let wanted = kind & (cl::CL_DEVICE_TYPE_CPU | cl::CL_DEVICE_TYPE_DEFAULT) != 0;
    Ok(if wanted { platform.devices.clone() } else { Vec::new() })
}

/// `clGetDeviceIDs`.
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn get_device_ids(
    raw: cl::cl_platform_id,
    kind: cl::cl_device_type,
    entries: cl::cl_uint,
    devices: *mut cl::cl_device_id,
    count: *mut cl::cl_uint,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_PLATFORM if platform is not a valid platform."
        let platform = platform(raw)?;
        // "CL_INVALID_DEVICE_TYPE if device_type is not a valid value."
        let found = of_type(&platform, kind)?;
        // "CL_INVALID_VALUE if num_entries is equal to zero and devices is not NULL or if both num_devices and devices are NULL."
        if entries == 0 && !devices.is_null() || devices.is_null() && count.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        // "CL_DEVICE_NOT_FOUND if no OpenCL devices that matched device_type were found."
        if found.is_empty() {
            return Err(Status::DEVICE_NOT_FOUND);
        }
        // SAFETY: by the specification.
        unsafe { give(&found, entries, devices, count) };
        Ok(())
    })
}

/// Writes handles as far as there is room for them, and their number.
///
/// # Safety
/// `out` is null or has room for `entries` handles; `count` is null or writable.
unsafe fn give(devices: &[Arc<Device>], entries: cl::cl_uint, out: *mut cl::cl_device_id, count: *mut cl::cl_uint) {
    if !out.is_null() {
        for (n, device) in devices.iter().take(entries as usize).enumerate() {
            // SAFETY: by the caller's promise.
            unsafe { out.add(n).write(device.handle().raw()) };
        }
    }
    if !count.is_null() {
        // SAFETY: by the caller's promise.
        unsafe { count.write(devices.len() as u32) };
    }
}

/// `clRetainDevice`.
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn retain_device(raw: cl::cl_device_id) -> cl::cl_int {
    call(|| {
        let device = Device::pool().get(raw)?;
        // "… if device is a valid device but not a sub-device the reference count does not change."
        if device.parent.is_some() { Device::pool().retain(raw) } else { Ok(()) }
    })
}

/// `clReleaseDevice`.
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn release_device(raw: cl::cl_device_id) -> cl::cl_int {
    call(|| {
        let device = Device::pool().get(raw)?;
        if device.parent.is_some() { Device::pool().release(raw) } else { Ok(()) }
    })
}

/// `clCreateSubDevices`.
///
/// # Safety
/// As the specification has it.
pub unsafe extern "C" fn create_sub_devices(
    raw: cl::cl_device_id,
    properties: *const cl::cl_device_partition_property,
    entries: cl::cl_uint,
    out: *mut cl::cl_device_id,
    count: *mut cl::cl_uint,
) -> cl::cl_int {
    call(|| {
        // "CL_INVALID_DEVICE if in_device is not a valid device."
        let device = Device::pool().get(raw)?;
        // "CL_INVALID_VALUE if values specified in properties are not valid or if values specified in properties are valid but not
        // supported by the device."
        if properties.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        // SAFETY: by the specification.
        let (units, kind) = unsafe { partition(&device, properties)? };
        // "CL_INVALID_VALUE if out_devices is not NULL and num_devices is less than the number of sub-devices created by the
        // partition scheme."
        if !out.is_null() && (entries as usize) < units.len() || out.is_null() && count.is_null() {
            return Err(Status::INVALID_VALUE);
        }
        if out.is_null() {
            // SAFETY: not null, so writable.
            unsafe { count.write(units.len() as u32) };
            return Ok(());
        }
        let parts = units.iter().map(|&n| device.part(n, &kind)).collect::<Result<Vec<_>>>()?;
        // SAFETY: by the specification.
        unsafe { give(&parts, entries, out, count) };
        Ok(())
    })
}

/// The compute units of each part, and the properties without what follows their end.
///
/// # Safety
/// `properties` ends with a zero.
unsafe fn partition(
    device: &Device,
    properties: *const cl::cl_device_partition_property,
) -> Result<(Vec<usize>, Vec<cl::cl_device_partition_property>)> {
    // SAFETY: by the caller's promise: what follows a name and is no end may be read.
    let at = |n: usize| unsafe { properties.add(n).read() };
    let total = device.units();
    match at(0) {
        cl::CL_DEVICE_PARTITION_EQUALLY => {
            let each = usize::try_from(at(1)).map_err(|_| Status::INVALID_VALUE)?;
            // A zero ends the list: no number was given, or it was zero.
            if each == 0 || at(2) != 0 {
                return Err(Status::INVALID_VALUE);
            }
            // "… or the total number of compute units requested exceeds CL_DEVICE_MAX_COMPUTE_UNITS for in_device …"
            if each > total {
                return Err(Status::INVALID_DEVICE_PARTITION_COUNT);
            }
            // "CL_DEVICE_PARTITION_FAILED if the partition name is supported by the implementation but in_device could not be
            // further partitioned."
            if each == total {
                return Err(Status::DEVICE_PARTITION_FAILED);
            }
            Ok((vec![each; total / each], vec![at(0), at(1), 0]))
        }
        cl::CL_DEVICE_PARTITION_BY_COUNTS => {
            let mut units = Vec::new();
            let mut n = 1;
            while at(n) != cl::CL_DEVICE_PARTITION_BY_COUNTS_LIST_END {
                // "CL_INVALID_DEVICE_PARTITION_COUNT if the partition name specified in properties is CL_DEVICE_PARTITION_BY_COUNTS
                // and the number of sub-devices requested exceeds CL_DEVICE_PARTITION_MAX_SUB_DEVICES or the total number of
                // compute units requested exceeds CL_DEVICE_MAX_COMPUTE_UNITS for in_device, or the number of compute units
                // requested for one or more sub-devices is less than zero …"
                let count = usize::try_from(at(n)).map_err(|_| Status::INVALID_DEVICE_PARTITION_COUNT)?;
                if count > total || n > MAX_PARTS {
                    return Err(Status::INVALID_DEVICE_PARTITION_COUNT);
                }
                units.push(count);
                n += 1;
            }
            if units.is_empty() || units.len() > total || units.iter().sum::<usize>() > total {
                return Err(Status::INVALID_DEVICE_PARTITION_COUNT);
            }
            if total < 2 {
                return Err(Status::DEVICE_PARTITION_FAILED);
            }
            Ok((units, (0..=n).map(at).chain([0]).collect()))
        }
        _ => Err(Status::INVALID_VALUE),
    }
}
