//! Where `printf` of kernels goes: the C library's standard output, so that it comes in order with what the host program
//! prints, and into whatever file the program has put there.

use std::ffi::c_void;

unsafe extern "C" {
    /// The C library's standard output.
    static stdout: *mut libc::FILE;
}

/// Prints what a kernel has printed.
pub(super) fn print(text: &[u8]) {
    // SAFETY: the stream is the C library's own; it has a lock. The bytes are there.
    unsafe {
        let stream = stdout;
        if !stream.is_null() {
            libc::fwrite(text.as_ptr().cast::<c_void>(), 1, text.len(), stream);
            // "When the event that is associated with a particular kernel invocation is completed, the output of all
            // printf() calls executed by this kernel invocation is flushed to the implementation-defined output stream."
            libc::fflush(stream);
        }
    }
}
