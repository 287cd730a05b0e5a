//! Faults of kernels: what the processor stops in machine code that we made ends the launch with an error, not the process.
//!
//! A thread calls machine code through a [`Gate`], which notes where to go on if that faults. A handler of the processor's
//! signals, installed once before the first call, looks whether the thread was in such code, and then leaves it by way of
//! the gate. Machine code holds no locks and owns nothing, so that nothing is lost with it.
//!
//! # What must hold
//!
//! * The handler leaves generated code only, and functions that it called and that have no frame yet (`memcpy` and its
//!   like). A fault anywhere else, also in what kernels call of this process ([`outside`]), goes to the handler that was
//!   there before, as if ours were not.
//! * Host programs may install handlers of their own at any time. Those that come before us are called for what is not
//!   ours; those that come later have the first say, and we get what they hand on.
//! * The handler does nothing that is not allowed in one: it reads a value of the thread (`pthread_getspecific`), which is
//!   there on threads that have called a gate, and writes to memory of this thread.
//! * It runs on a stack of its own, since a kernel may have used up the thread's.
//! * On x86-64 machine code runs on a stack of its own as well, between two mebibytes that nobody can access: who writes past
//!   the end of a private array damages the frames of his kernel, and of nobody else, before he is stopped ([`stack`]).
//!
//! Linux on x86-64 and AArch64; elsewhere gates only call. Cost: a few instructions for each work-group and a copy of its
//! context, and the two stacks of each thread.

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod arch;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod signals;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod stack;

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
use signals as system;

use launch::context::GroupContext;
use llvm::Entry;
use std::ops::Range;

/// What the processor stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultKind {
    /// An access to memory that is not there, or that may not be accessed so; the address, if the processor tells it.
    Memory(Option<u64>),
    /// The stack is used up.
    Stack,
    /// An access beyond the end of a private array, over all of the stack that the kernel has.
    Private,
    /// An instruction that traps: arithmetic without a result, or code that must not be reached.
    Instruction,
}

/// What the processor stopped, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    pub(crate) kind: FaultKind,
    /// The instruction, or the call of what it is in, from the start of the machine code, if it is known.
    pub(crate) offset: Option<u64>,
}

impl std::fmt::Display for FaultKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Memory(None) => write!(f, "accessed memory outside of its buffers"),
            Self::Memory(Some(address)) => {
                write!(f, "accessed memory outside of its buffers (at address {address:#x})")
            }
            Self::Stack => write!(f, "used up its stack"),
            Self::Private => write!(f, "went far beyond the end of a private array"),
            Self::Instruction => write!(f, "did what the processor cannot do"),
        }
    }
}

/// A thread's way into machine code and out of it.
#[derive(Debug)]
pub(crate) struct Gate(system::Thread);

impl Gate {
    /// The gate of this thread. The first one in the process installs the handlers.
    pub(crate) fn of_this_thread() -> Self {
        Self(system::Thread::current())
    }

    /// Calls a work-group function, whose machine code lies in `code`, for the group `id` of the context's.
    ///
    /// # Errors
    /// The processor has stopped it. What it wrote until then is written.
    ///
    /// # Safety
    /// As calling it: the arguments and the context are what it expects. It gets a copy of the context where it runs on a stack
    /// of its own, of which `trap` comes back.
    #[inline]
    pub(crate) unsafe fn call(
        &self,
        code: &Range<usize>,
        entry: Entry,
        args: *const u8,
        group: &mut GroupContext,
        id: [u32; 3],
    ) -> Result<(), Fault> {
        // SAFETY: by the caller's promise.
        unsafe { self.0.call(code, entry, args, group, id) }
    }
}

/// Does what kernels call this process for: a fault in it is not taken for the kernel's.
pub(crate) fn outside<T>(f: impl FnOnce() -> T) -> T {
    system::outside(f)
}

/// Copies bytes from wherever a kernel says to `to`.
///
/// # Errors
/// They cannot be read. The kernel's launch will fail with that as well, once its group has ended.
pub(crate) fn copy_from(address: u64, to: &mut [u8]) -> Result<(), FaultKind> {
    system::copy_from(address, to)
}

/// Processors and systems without recovery.
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod system {
    use super::{Entry, Fault, FaultKind, GroupContext, Range};

    #[derive(Debug)]
    pub(super) struct Thread;

    impl Thread {
        pub(super) fn current() -> Self {
            Self
        }

        /// # Safety
        /// As `Gate::call`.
        pub(super) unsafe fn call(
            &self,
            _: &Range<usize>,
            entry: Entry,
            args: *const u8,
            group: &mut GroupContext,
            id: [u32; 3],
        ) -> Result<(), Fault> {
            group.group_id = id;
            // SAFETY: by the caller's promise.
            unsafe { entry(args, (&raw mut *group).cast()) };
            Ok(())
        }
    }

    pub(super) fn outside<T>(f: impl FnOnce() -> T) -> T {
        f()
    }

    pub(super) fn copy_from(address: u64, to: &mut [u8]) -> Result<(), FaultKind> {
        // SAFETY: kernels that lie about their arguments are those that `Kernel::launch` must not be called with.
        unsafe { std::ptr::copy_nonoverlapping(address as *const u8, to.as_mut_ptr(), to.len()) };
        Ok(())
    }
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests;
