//! What depends on the processor: the way into machine code, the way out where it faulted, and the state of a thread that a
//! signal has interrupted.

use super::signals::Recovery;
use super::stack;
use libc::ucontext_t;
use std::arch::naked_asm;

/// Whether [`enter`] goes to the stack of [`stack`].
pub(super) const SWITCHES_STACKS: bool = cfg!(target_arch = "x86_64");

/// Calls `entry(args, group)`; 0 if it came back, 1 if it faulted. Meanwhile the first word of `recovery` is the stack
/// pointer with which [`faulted`] goes on; the second is that of the function called, if it is not 0. Then the way back is found
/// above that stack: the registers that functions keep are what the called one has read from it.
///
/// # Safety
/// As calling `entry`, and `recovery` is this thread's.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
pub(super) unsafe extern "C" fn enter(
    entry: llvm::Entry,
    args: *const u8,
    group: *mut u8,
    recovery: *const Recovery,
) -> u32 {
    naked_asm!(
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "push rcx",
        "mov [rcx], rsp",
        "mov rax, rdi",
        "mov rdi, rsi",
        "mov rsi, rdx",
        "mov rdx, [rcx + 8]",
        "test rdx, rdx",
        "je 2f",
        "mov rsp, rdx",
        "call rax",
        "mov rcx, [rsp + {word}]",
        "mov rsp, [rcx]",
        "xor eax, eax",
        "jmp {leave}",
        "2:",
        "call rax",
        "xor eax, eax",
        "jmp {leave}",
        word = const stack::WORD,
        leave = sym leave,
    )
}

/// The end of `enter`.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
unsafe extern "C" fn leave() {
    naked_asm!(
        "pop rcx",
        "mov qword ptr [rcx], 0",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    )
}

/// Where a thread goes on whose machine code has faulted, with the stack pointer of its recovery: returns 1 from `enter`.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
unsafe extern "C" fn faulted() {
    naked_asm!("mov eax, 1", "jmp {leave}", leave = sym leave)
}

/// Copies `count` bytes; 0 if they could be read and written, 1 if not: the handler goes on at [`copy_failed`] for a fault at
/// the first instruction.
///
/// # Safety
/// `to` has room for them.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
unsafe extern "C" fn copy_at(to: *mut u8, from: u64, _unused: usize, count: usize) -> u32 {
    naked_asm!("rep movsb", "xor eax, eax", "ret")
}

#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
unsafe extern "C" fn copy_failed() {
    naked_asm!("mov eax, 1", "ret")
}

#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
pub(super) unsafe extern "C" fn enter(
    entry: llvm::Entry,
    args: *const u8,
    group: *mut u8,
    recovery: *const Recovery,
) -> u32 {
    naked_asm!(
        "stp x29, x30, [sp, #-176]!",
        "mov x29, sp",
        "stp x19, x20, [sp, #16]",
        "stp x21, x22, [sp, #32]",
        "stp x23, x24, [sp, #48]",
        "stp x25, x26, [sp, #64]",
        "stp x27, x28, [sp, #80]",
        "stp d8, d9, [sp, #96]",
        "stp d10, d11, [sp, #112]",
        "stp d12, d13, [sp, #128]",
        "stp d14, d15, [sp, #144]",
        "str x3, [sp, #160]",
        "mov x9, sp",
        "str x9, [x3]",
        "mov x9, x0",
        "mov x0, x1",
        "mov x1, x2",
        "blr x9",
        "mov w0, #0",
        "b {leave}",
        leave = sym leave,
    )
}

#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
unsafe extern "C" fn leave() {
    naked_asm!(
        "ldr x3, [sp, #160]",
        "str xzr, [x3]",
        "ldp d14, d15, [sp, #144]",
        "ldp d12, d13, [sp, #128]",
        "ldp d10, d11, [sp, #112]",
        "ldp d8, d9, [sp, #96]",
        "ldp x27, x28, [sp, #80]",
        "ldp x25, x26, [sp, #64]",
        "ldp x23, x24, [sp, #48]",
        "ldp x21, x22, [sp, #32]",
        "ldp x19, x20, [sp, #16]",
        "ldp x29, x30, [sp], #176",
        "ret",
    )
}

#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
unsafe extern "C" fn faulted() {
    naked_asm!("mov w0, #1", "b {leave}", leave = sym leave)
}

/// As on x86-64; all faults come from its first instruction, which is executed once for each byte.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
unsafe extern "C" fn copy_at(to: *mut u8, from: u64, _unused: usize, count: usize) -> u32 {
    naked_asm!(
        "2:",
        "ldrb w4, [x1]",
        "strb w4, [x0], #1",
        "add x1, x1, #1",
        "subs x3, x3, #1",
        "b.ne 2b",
        "mov w0, #0",
        "ret",
    )
}

#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
unsafe extern "C" fn copy_failed() {
    naked_asm!("mov w0, #1", "ret")
}

/// Copies bytes from an address that may be none; whether that was possible.
pub(super) fn copy(address: u64, to: &mut [u8]) -> bool {
    // SAFETY: there is room for so many bytes; where they cannot be read, the handler goes on behind the copy.
    to.is_empty() || unsafe { copy_at(to.as_mut_ptr(), address, 0, to.len()) } == 0
}

/// A thread that a signal has interrupted.
pub(super) struct Interrupted<'c>(&'c mut ucontext_t);

impl<'c> Interrupted<'c> {
    pub(super) fn new(context: &'c mut ucontext_t) -> Self {
        Self(context)
    }

    /// Goes on where a failed [`copy`] says so, if that is what was interrupted.
    pub(super) fn leave_copy(&mut self) -> bool {
        let found = self.instruction() == copy_at as *const () as usize;
        if found {
            self.go_on(copy_failed as *const () as usize);
        }
        found
    }

    /// Goes on where [`enter`] returns 1.
    pub(super) fn leave_code(&mut self, stack: usize) {
        self.set_stack(stack);
        self.go_on(faulted as *const () as usize);
    }
}

#[cfg(target_arch = "x86_64")]
impl Interrupted<'_> {
    /// The instruction that was not completed.
    pub(super) fn instruction(&self) -> usize {
        self.0.uc_mcontext.gregs[libc::REG_RIP as usize] as usize
    }

    pub(super) fn stack(&self) -> usize {
        self.0.uc_mcontext.gregs[libc::REG_RSP as usize] as usize
    }

    /// Who called the function that was interrupted, if that has no frame yet.
    ///
    /// # Safety
    /// The stack is there.
    pub(super) unsafe fn caller(&self) -> usize {
        // SAFETY: by the caller's promise: the top of the stack.
        unsafe { (self.stack() as *const usize).read_unaligned() }
    }

    /// Whether the instruction is the return of a function.
    ///
    /// # Safety
    /// The instruction is there.
    pub(super) unsafe fn is_return(&self) -> bool {
        const RET: u8 = 0xc3;
        // SAFETY: by the caller's promise.
        unsafe { *(self.instruction() as *const u8) == RET }
    }

    fn set_stack(&mut self, stack: usize) {
        self.0.uc_mcontext.gregs[libc::REG_RSP as usize] = stack as i64;
    }

    fn go_on(&mut self, instruction: usize) {
        /// String instructions go downwards; functions are called and left with it clear.
        const DIRECTION: i64 = 1 << 10;
        self.0.uc_mcontext.gregs[libc::REG_RIP as usize] = instruction as i64;
        self.0.uc_mcontext.gregs[libc::REG_EFL as usize] &= !DIRECTION;
    }
}

#[cfg(target_arch = "aarch64")]
impl Interrupted<'_> {
    pub(super) fn instruction(&self) -> usize {
        self.0.uc_mcontext.pc as usize
    }

    pub(super) fn stack(&self) -> usize {
        self.0.uc_mcontext.sp as usize
    }

    /// As on x86-64: the link register.
    ///
    /// # Safety
    /// None here.
    pub(super) unsafe fn caller(&self) -> usize {
        self.0.uc_mcontext.regs[30] as usize
    }

    /// Not asked here, where kernels have no stack of their own.
    ///
    /// # Safety
    /// None here.
    pub(super) unsafe fn is_return(&self) -> bool {
        false
    }

    fn set_stack(&mut self, stack: usize) {
        self.0.uc_mcontext.sp = stack as u64;
    }

    fn go_on(&mut self, instruction: usize) {
        self.0.uc_mcontext.pc = instruction as u64;
    }
}
