//! Platform, devices and contexts as programs find them.

mod common;

use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU, Device};
use opencl3::error_codes::{
    CL_DEVICE_PARTITION_FAILED, CL_INVALID_DEVICE_PARTITION_COUNT, CL_INVALID_PLATFORM, CL_INVALID_VALUE,
};

const CL_CONTEXT_PLATFORM: isize = 0x1084;

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
    assert_eq!((device.image_support(), device.pipe_support()), (Ok(true), Ok(false)));
    assert_eq!((device.image2d_max_width(), device.image3d_max_depth()), (Ok(16384), Ok(2048)));
    assert_eq!(device.max_read_image_args(), Ok(128));
    assert!(device.max_work_group_size().expect("a size") >= 1024);
    assert!(device.max_mem_alloc_size().expect("a size") >= device.global_mem_size().expect("a size") / 4);
    assert_eq!(device.address_bits(), Ok(64));
    let ask = |name| device.get_data(name).expect("an answer");
    let (dot_products, quick) = (ask(0x1073), [ask(0x1074), ask(0x1075)]);
    assert_eq!(
        (dot_products, quick.map(|q| q.len())),
        (3u64.to_ne_bytes().to_vec(), [24, 24]),
        "of bytes, packed or not"
    );
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

#[test]
fn a_null_platform_is_no_platform_of_a_context() {
    let Some(device) = common::device() else { return };
    let made = |properties: &[isize]| Context::from_devices(&[device.id()], properties, None, std::ptr::null_mut());
    assert_eq!(made(&[CL_CONTEXT_PLATFORM, 0, 0]).err().map(|e| e.0), Some(CL_INVALID_PLATFORM));
    assert!(made(&[0]).is_ok());
    let platform = common::platform().expect("the device's").id() as isize;
    assert!(made(&[CL_CONTEXT_PLATFORM, platform, 0]).is_ok());
}

#[test]
fn parts_of_the_device_have_fewer_units() {
    let Some(device) = common::device() else { return };
    let units = device.max_compute_units().expect("a number") as isize;
    let equally = |n: isize| device.create_sub_devices(&[CL_DEVICE_PARTITION_EQUALLY, n, 0]);
    assert_eq!(equally(0).err().map(|e| e.0), Some(CL_INVALID_VALUE));
    assert_eq!(equally(units + 1).err().map(|e| e.0), Some(CL_INVALID_DEVICE_PARTITION_COUNT));
    assert_eq!(equally(units).err().map(|e| e.0), Some(CL_DEVICE_PARTITION_FAILED));
    if units > 1 {
        let parts = equally(1).expect("parts");
        assert_eq!(parts.len() as isize, units);
        assert_eq!(Device::new(parts[0].id()).max_compute_units(), Ok(1));
        assert_eq!(Device::new(parts[0].id()).parent_device(), Ok(device.id()));
    }
}
