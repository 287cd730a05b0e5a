//! What kernels on the host's processors call: `malloc` and `free`, which are the C library's, so that what regions allocate the program
//! may free, and what lets other threads run while one waits for them.

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

/// Where a loop waits for what another thread does: whoever has the processor to itself goes on at once.
#[unsafe(no_mangle)]
pub extern "C" fn unspool_rt_yield() {
    std::thread::yield_now();
}
