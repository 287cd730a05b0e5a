//! LLVM's tables last as long as the process.
//!
//! LLVM makes many of its tables when it first needs them, and asks the C library, by `__cxa_atexit`, to take them apart when
//! the process ends. What was asked for last is done first. So a thread that compiles while another one ends the process
//! loses its tables under its feet, whatever was registered to stop it before that: a program that ended while better code
//! for its kernels was being made crashed, once the first code came from the cache and LLVM had made no tables before.
//!
//! Here `__cxa_atexit` is a function of ours for what is linked into the same image, seen by no other: it drops what is asked for
//! while [`Lasting`] is held by the thread, which is where LLVM runs, and passes the rest on to the C library. What is
//! dropped is memory only, which the system takes back; LLVM's streams are not used. An LLVM that is a shared library of its
//! own is not reached.

use std::cell::Cell;

thread_local! {
    /// Whether LLVM runs on this thread.
    static LASTS: Cell<bool> = const { Cell::new(false) };
}

/// While it is there, tables that this thread makes are never taken apart.
pub(crate) struct Lasting {
    before: bool,
}

impl Lasting {
    pub(crate) fn begin() -> Self {
        imp::link();
        Self { before: LASTS.replace(true) }
    }
}

impl Drop for Lasting {
    fn drop(&mut self) {
        LASTS.set(self.before);
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod imp {
    use super::LASTS;
    use std::ffi::{c_int, c_void};
    use std::sync::OnceLock;

    type Destructor = extern "C" fn(*mut c_void);
    type Register = unsafe extern "C" fn(Destructor, *mut c_void, *mut c_void) -> c_int;

    unsafe extern "C" {
        fn __cxa_atexit(destructor: Destructor, object: *mut c_void, image: *mut c_void) -> c_int;
    }

    /// The instruction that goes on in [`register`].
    #[cfg(target_arch = "x86_64")]
    macro_rules! go_on {
        () => {
            "jmp {register}"
        };
    }
    #[cfg(target_arch = "aarch64")]
    macro_rules! go_on {
        () => {
            "b {register}"
        };
    }

    // Hidden, which Rust has no word for: other images of the process keep the C library's.
    std::arch::global_asm!(
        ".pushsection .text.__cxa_atexit,\"ax\",@progbits",
        ".globl __cxa_atexit",
        ".hidden __cxa_atexit",
        ".type __cxa_atexit,@function",
        "__cxa_atexit:",
        go_on!(),
        ".size __cxa_atexit, . - __cxa_atexit",
        ".popsection",
        register = sym register,
    );

    /// Has the linker take the function from here, wherever this library stands in its line.
    pub(super) fn link() {
        std::hint::black_box(__cxa_atexit as Register);
    }

    /// The C library's.
    fn of_the_system() -> Option<Register> {
        static FOUND: OnceLock<usize> = OnceLock::new();
        // SAFETY: the name is a C string. The function of this image is hidden, and not what is found.
        let at = *FOUND.get_or_init(|| unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__cxa_atexit".as_ptr()) } as usize);
        // SAFETY: null, or the C library's function, whose type the C++ ABI fixes (Itanium, 3.3.6.3).
        unsafe { std::mem::transmute::<usize, Option<Register>>(at) }
    }

    /// As `__cxa_atexit`: 0, or another number if there is no memory for it.
    unsafe extern "C" fn register(destructor: Destructor, object: *mut c_void, image: *mut c_void) -> c_int {
        if LASTS.get() {
            return 0;
        }
        // SAFETY: the caller's own promises are passed on.
        of_the_system().map_or(-1, |register| unsafe { register(destructor, object, image) })
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu", any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod imp {
    pub(super) fn link() {}
}
