//! What the tests of the driver share: the standard loader, pointed at the driver that was just built.
//!
//! A test begins with `let Some(device) = common::device() else { return };`, which gives unspool's device through the
//! loader, as any program finds it, or says SKIPPED on machines without a loader; where there is one, it must find the driver,
//! and the driver must load. Everything else is done with the
//! `opencl3` crate or, where a call must be wrong, with the functions of `opencl3::…::cl_…` or [`api`].

#![allow(dead_code, unreachable_pub, clippy::print_stderr, reason = "a module of tests, each of which uses some of it")]

pub mod image;
pub mod launch;

use opencl3::device::{CL_DEVICE_TYPE_ALL, Device};
use opencl3::platform::{Platform, get_platforms};
use std::path::PathBuf;
use std::sync::OnceLock;

/// The driver, which cargo puts beside the test's own file.
pub fn driver() -> PathBuf {
    let exe = std::env::current_exe().expect("the test's own path");
    let library = exe.with_file_name("libunspool_opencl.so");
    assert!(library.exists(), "{} is not built", library.display());
    library
}

/// Whether this machine has a loader, where clients look for it.
fn has_loader() -> bool {
    let path = std::env::var("OPENCL_DYLIB_PATH").unwrap_or_else(|_| "libOpenCL.so.1".to_owned());
    let name = std::ffi::CString::new(path).expect("a name without NUL");
    // SAFETY: the loader's start-up code may run, as it does in any client; it stays open, as there.
    !unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY) }.is_null()
}

/// The platform through the loader; none where there is no loader.
pub fn platform() -> Option<Platform> {
    static FOUND: OnceLock<Option<Platform>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        if !has_loader() {
            eprintln!("SKIPPED: no OpenCL loader (Debian: ocl-icd-libopencl1)");
            return None;
        }
        let folder = std::env::temp_dir().join(format!("unspool-icd-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for the loader");
        std::fs::write(folder.join("unspool.icd"), driver().as_os_str().as_encoded_bytes()).expect("the loader's file");
        // SAFETY: all tests come here first, so no other thread of this process reads the environment meanwhile.
        unsafe {
            // Debian's loader reads the first, Khronos' both.
            std::env::set_var("OCL_ICD_VENDORS", &folder);
            std::env::set_var("OCL_ICD_FILENAMES", driver());
            // Tests compile, and leave nothing in the user's cache.
            std::env::set_var("UNSPOOL_CACHE", "0");
        }
        let platforms = get_platforms();
        std::fs::remove_dir_all(&folder).ok();
        let all = platforms.unwrap_or_else(|e| panic!("the loader finds no platform, so the driver did not load: {e}"));
        Some(*all.first().expect("the driver's platform"))
    })
}

/// The device; none where there is no loader.
pub fn device() -> Option<Device> {
    let devices = platform()?.get_devices(CL_DEVICE_TYPE_ALL).expect("devices");
    Some(Device::new(devices[0]))
}
