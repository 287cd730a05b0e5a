//! Platform, devices and contexts as programs find them.

mod common;

use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU};

#[test]
fn the_loader_finds_the_platform() {
    let Some(platform) = common::platform() else { return };
    assert_eq!(platform.name().as_deref(), Ok("unspool"));
    assert_eq!(platform.profile().as_deref(), Ok("FULL_PROFILE"));
    assert!(platform.version().expect("a version").starts_with("OpenCL 3.0 "));
    assert_eq!(platform.get_devices(CL_DEVICE_TYPE_CPU).map(|d| d.len()), Ok(1));
    assert_eq!(platform.get_devices(CL_DEVICE_TYPE_GPU).map(|d| d.len()), Ok(0), "as opencl3 has it");
}

#[test]
fn the_device_says_what_it_is() {
    let Some(device) = common::device() else { return };
    assert!(device.extensions().expect("extensions").contains("cl_nv_pragma_unroll"));
    assert_eq!(device.image_support(), Ok(false));
    assert!(device.max_work_group_size().expect("a size") >= 1024);
    assert!(device.max_mem_alloc_size().expect("a size") >= device.global_mem_size().expect("a size") / 4);
    assert_eq!(device.address_bits(), Ok(64));
    let versions = device.opencl_c_all_versions().expect("versions");
    assert!(versions.iter().any(|v| v.version >> 22 == 3), "{versions:?}");
}

#[test]
fn contexts_count_their_users() {
    let Some(device) = common::device() else { return };
    let context = Context::from_device(&device).expect("a context");
    assert_eq!(context.reference_count(), Ok(1));
    assert_eq!(context.devices(), &[device.id()]);
}
