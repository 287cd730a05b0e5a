//! The stack that machine code runs on: between guards, so that what a kernel does to memory beyond its private arrays is seen
//! before it reaches frames of this process.
//!
//! ```text
//! | guard | room ... frames of the kernel | context | guard | word |
//!                                     top ^
//! ```
//!
//! The group's context stands right above the frames, where `simd` expects it ([`launch::context::STACK_BYTES`]); it is a copy.
//! A kernel that writes upwards from an array damages its own frames, the address that it returns to among them, and the copy;
//! then it meets the guard. Behind that stands the word by which `arch::enter` finds its way back: nothing below is needed.

use super::signals::Recovery;
use launch::context::GroupContext;
use libc::c_void;
use std::ops::Range;
use std::ptr;

/// Bytes above and below that nobody can access: more than an index is likely to be off by.
pub(super) const GUARD: usize = 1 << 20;

/// Room for frames: private arrays are a mebibyte at most ([`llvm::Options::max_stack`]), functions may call themselves, and
/// what kernels call of this process needs some, too.
const ROOM: usize = 8 << 20;

const PAGE: usize = 4096;

/// Bytes for the context, a multiple of what stacks are aligned to.
const CONTEXT: usize = size_of::<GroupContext>().next_multiple_of(64);

/// How far above the top the word stands.
pub(super) const WORD: usize = CONTEXT + GUARD;

/// A thread's stack for machine code.
#[derive(Debug)]
pub(super) struct KernelStack {
    start: *mut c_void,
}

impl KernelStack {
    const BYTES: usize = GUARD + ROOM + GUARD + PAGE;

    /// A stack whose word leads to `recovery`; `None` if there is no memory, or code of this processor has no use for it.
    pub(super) fn new(recovery: *const Recovery) -> Option<Self> {
        if !super::arch::SWITCHES_STACKS {
            return None;
        }
        // SAFETY: maps memory that is ours alone, opens all of it but the guards, and writes a word to the last page.
        unsafe {
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_STACK;
            let start = libc::mmap(ptr::null_mut(), Self::BYTES, libc::PROT_NONE, flags, -1, 0);
            if start == libc::MAP_FAILED {
                return None;
            }
            let this = Self { start };
            let rights = libc::PROT_READ | libc::PROT_WRITE;
            let open = |from: usize, bytes| libc::mprotect(start.wrapping_byte_add(from), bytes, rights) == 0;
            if !open(GUARD, ROOM) || !open(Self::BYTES - PAGE, PAGE) {
                return None;
            }
            // Most kernels touch a page or two: huge ones would have to be cleared first.
            libc::madvise(start.wrapping_byte_add(GUARD), ROOM, libc::MADV_NOHUGEPAGE);
            (start.wrapping_byte_add(Self::BYTES - PAGE)).cast::<*const Recovery>().write(recovery);
            Some(this)
        }
    }

    /// Where the context stands, and frames begin below.
    pub(super) fn top(&self) -> *mut GroupContext {
        self.start.wrapping_byte_add(GUARD + ROOM - CONTEXT).cast()
    }
}

/// What lies around a stack whose top is at `top`.
pub(super) struct Surroundings {
    /// What can be accessed.
    pub(super) room: Range<usize>,
}

impl Surroundings {
    pub(super) fn of(top: usize) -> Self {
        let end = top + CONTEXT;
        Self { room: end - ROOM..end }
    }

    /// Whether the address lies in the guard below, where calls within calls and large frames end.
    pub(super) fn is_below(&self, address: usize) -> bool {
        (self.room.start - GUARD..self.room.start).contains(&address)
    }

    /// Whether the address lies in the guard above.
    pub(super) fn is_above(&self, address: usize) -> bool {
        (self.room.end..self.room.end + GUARD + PAGE).contains(&address)
    }
}

impl Drop for KernelStack {
    fn drop(&mut self) {
        // SAFETY: it was mapped so, and no machine code runs on it: its thread is at its end.
        unsafe { libc::munmap(self.start, Self::BYTES) };
    }
}
