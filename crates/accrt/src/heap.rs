//! `malloc` and `free` of kernels on the host's processors: the C library's, so that what regions allocate the program may free.

/// `malloc`; null where there is no memory.
#[unsafe(no_mangle)]
pub extern "C" fn unspool_rt_malloc(bytes: u64) -> *mut libc::c_void {
    // SAFETY: any number of bytes may be asked for.
    usize::try_from(bytes).map_or(std::ptr::null_mut(), |n| unsafe { libc::malloc(n) })
}

/// `free`.
///
/// # Safety
/// The address is null or one that `malloc` gave and nobody has freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn unspool_rt_free(address: *mut libc::c_void) {
    // SAFETY: by the caller's promise.
    unsafe { libc::free(address) }
}
