//! Signals of the processor on Linux: the handler, whom it hands on to, and what threads need for it.

use super::arch::{self, Interrupted};
use super::stack::{KernelStack, Surroundings};
use super::{Fault, FaultKind};
use launch::context::GroupContext;
use libc::{c_int, c_void, sigaction, siginfo_t, ucontext_t};
use llvm::Entry;
use std::cell::{Cell, UnsafeCell};
use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr;
use std::rc::Rc;
use std::sync::OnceLock;

/// Signals that the processor causes.
const SIGNALS: [c_int; 4] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL];

/// Bytes of a signal stack: registers of the widest vectors, and what handlers of host programs use.
const SIGNAL_STACK: usize = 128 << 10;

const PAGE: usize = 4096;

/// Bytes below the stack pointer that a function may use before it moves that.
const BELOW_STACK: usize = 4096;

/// Where to go on if machine code faults, and what was found.
#[repr(C)]
#[derive(Debug, Default)]
pub(super) struct Recovery {
    /// The stack pointer of `arch::enter`; 0 while this thread is not in machine code. The first field, which that writes.
    stack: Cell<usize>,
    /// The top of the stack that machine code runs on; 0 where it runs on the thread's. The second field, which `arch::enter`
    /// reads.
    top: Cell<usize>,
    /// Where the machine code lies.
    code: Cell<(usize, usize)>,
    fault: Cell<Option<Fault>>,
}

impl Recovery {
    /// Says what runs next; what is the same is not written again.
    #[inline]
    fn is_for(&self, code: (usize, usize), top: usize) {
        if self.code.get() != code {
            self.code.set(code);
        }
        if self.top.get() != top {
            self.top.set(top);
        }
    }

    /// How far from the start of the machine code an instruction is, if it is in it.
    fn offset(&self, instruction: usize) -> Option<u64> {
        let (start, end) = self.code.get();
        (start..end).contains(&instruction).then(|| (instruction - start) as u64)
    }
}

/// What a thread has that calls machine code.
#[derive(Debug)]
struct Own {
    recovery: Box<Recovery>,
    stack: Option<SignalStack>,
    kernels: Option<KernelStack>,
    /// Machine code is on `kernels`: what it calls of this process may launch other code.
    busy: Cell<bool>,
}

thread_local! {
    static OWN: Rc<Own> = Own::new();
}

impl Own {
    fn new() -> Rc<Self> {
        let recovery: Box<Recovery> = Box::default();
        let kernels = KernelStack::new(&raw const *recovery);
        let own = Rc::new(Self { recovery, stack: SignalStack::install(), kernels, busy: Cell::new(false) });
        if let Some(key) = *installed() {
            let recovery: *const Recovery = &raw const *own.recovery;
            // SAFETY: a key that was made; the handler reads the recovery only while this thread has it.
            unsafe { libc::pthread_setspecific(key, recovery.cast()) };
        }
        own
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        if let Some(key) = *installed() {
            // SAFETY: as above.
            unsafe { libc::pthread_setspecific(key, ptr::null()) };
        }
        drop(self.stack.take());
    }
}

/// This thread's part of the recovery.
#[derive(Debug)]
pub(super) struct Thread {
    /// `None` at the end of a thread.
    own: Option<Rc<Own>>,
}

impl Thread {
    pub(super) fn current() -> Self {
        Self { own: OWN.try_with(Rc::clone).ok() }
    }

    /// # Safety
    /// As `Gate::call`.
    #[inline]
    pub(super) unsafe fn call(
        &self,
        code: &Range<usize>,
        entry: Entry,
        args: *const u8,
        group: &mut GroupContext,
        id: [u32; 3],
    ) -> Result<(), Fault> {
        let Some(own) = &self.own else {
            group.group_id = id;
            // SAFETY: by the caller's promise.
            unsafe { entry(args, (&raw mut *group).cast()) };
            return Ok(());
        };
        own.call(code, |recovery, stack| match stack {
            Some(stack) => {
                let copy = stack.top();
                // SAFETY: the stack is this thread's, nothing is on it, and there is room for a context at its top. The call
                // is by the caller's promise.
                unsafe {
                    if !is_the_same(copy, group) {
                        copy.write(*group);
                    }
                    for (d, n) in id.into_iter().enumerate() {
                        (&raw mut (*copy).group_id[d]).write_volatile(n);
                    }
                    let faulted = arch::enter(entry, args, copy.cast(), recovery) != 0;
                    // What has gone beyond an array may have written that, too.
                    let trap = if faulted { 0 } else { (*copy).trap };
                    if trap != group.trap {
                        group.trap = trap;
                    }
                }
            }
            // SAFETY: by the caller's promise, with this thread's recovery.
            None => unsafe {
                group.group_id = id;
                arch::enter(entry, args, (&raw mut *group).cast(), recovery);
            },
        })
    }
}

/// Whether a context is the copy of another but for the group's number. It is asked for each group: word by word without a
/// branch it takes a few instructions on vectors, where a comparison of bytes is a call that takes longer than a small group.
///
/// # Safety
/// Both are there.
unsafe fn is_the_same(copy: *const GroupContext, group: *const GroupContext) -> bool {
    const HEAD: usize = size_of::<[u32; 3]>() / size_of::<u32>();
    const ALL: usize = size_of::<GroupContext>() / size_of::<u32>();
    // SAFETY: by the caller's promise; numbers and pointers without anything between them, aligned to more than these words.
    let word = |of: *const GroupContext, n| unsafe { of.cast::<u32>().add(n).read() };
    (HEAD..ALL).fold(0, |different, n| different | (word(copy, n) ^ word(group, n))) == 0
}

impl Own {
    /// Does a call of machine code, on the thread's stack for it unless other such code is there.
    ///
    /// Between two calls nothing is written in parts and then read as a whole, neither the context nor the fault: the processor
    /// would wait until all that the group before has stored is in the cache, hundreds of cycles. And little is written at all: what is
    /// stored waits behind what the group has stored, and processors hold some hundred of these.
    #[inline]
    fn call(&self, code: &Range<usize>, f: impl FnOnce(&Recovery, Option<&KernelStack>)) -> Result<(), Fault> {
        let recovery = &*self.recovery;
        let stack = self.kernels.as_ref().filter(|_| !self.busy.get());
        let before = (recovery.code.get(), recovery.top.get());
        recovery.is_for((code.start, code.end), stack.map_or(0, |s| s.top() as usize));
        let busy = self.busy.replace(true);
        f(recovery, stack);
        self.busy.set(busy);
        if busy {
            recovery.is_for(before.0, before.1);
        }
        if recovery.fault.get().is_none() {
            return Ok(());
        }
        recovery.fault.take().map_or(Ok(()), Err)
    }
}

/// Does something while faults are not taken for those of machine code.
pub(super) fn outside<T>(f: impl FnOnce() -> T) -> T {
    /// Puts the mark back, also where `f` panics.
    struct Back(Rc<Own>, usize);
    impl Drop for Back {
        fn drop(&mut self) {
            self.0.recovery.stack.set(self.1);
        }
    }
    let _back = OWN.try_with(Rc::clone).ok().map(|own| {
        let stack = own.recovery.stack.take();
        Back(own, stack)
    });
    f()
}

pub(super) fn copy_from(address: u64, to: &mut [u8]) -> Result<(), FaultKind> {
    if arch::copy(address, to) {
        return Ok(());
    }
    let fault = FaultKind::Memory(Some(address));
    let _ = OWN.try_with(|own| own.recovery.fault.set(Some(Fault { kind: fault, offset: None })));
    Err(fault)
}

/// Actions that stood before ours, one for each of [`SIGNALS`].
struct Former([UnsafeCell<MaybeUninit<sigaction>>; SIGNALS.len()]);

// SAFETY: written before the handlers are installed, and only read afterwards.
unsafe impl Sync for Former {}

static FORMER: Former = Former([const { UnsafeCell::new(MaybeUninit::uninit()) }; SIGNALS.len()]);

/// The key of the threads' recoveries, once the handlers are installed; `None` where the system does not allow it.
fn installed() -> &'static Option<libc::pthread_key_t> {
    static KEY: OnceLock<Option<libc::pthread_key_t>> = OnceLock::new();
    KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: makes a key.
        if unsafe { libc::pthread_key_create(&raw mut key, None) } != 0 {
            return None;
        }
        KEY_OF_HANDLER.store(key, std::sync::atomic::Ordering::Release);
        SIGNALS.iter().enumerate().for_each(|(n, &signal)| install(n, signal));
        Some(key)
    })
}

/// The same key for the handler, which must not wait.
static KEY_OF_HANDLER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);

fn install(n: usize, signal: c_int) {
    // SAFETY: the structures are zeroed, which is valid for them, and then filled. What stood before is known to the
    // handler before it can be called. The handler does what handlers may do.
    unsafe {
        let former = (*FORMER.0[n].get()).write(std::mem::zeroed());
        if sigaction(signal, ptr::null(), former) != 0 {
            return;
        }
        let mut ours: sigaction = std::mem::zeroed();
        ours.sa_sigaction = handler as extern "C" fn(c_int, *mut siginfo_t, *mut c_void) as usize;
        // What is handed on finds the signals blocked that it wants to be blocked.
        ours.sa_mask = former.sa_mask;
        ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | former.sa_flags & (libc::SA_NODEFER | libc::SA_RESTART);
        sigaction(signal, &raw const ours, ptr::null_mut());
    }
}

extern "C" fn handler(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the system passes both, and they live until this returns.
    let (about, interrupted) = unsafe { (&*info, &mut *context.cast::<ucontext_t>()) };
    // What other processes and threads send is nobody's fault.
    if about.si_code <= 0 || !recover(signal, about, &mut Interrupted::new(interrupted)) {
        hand_on(signal, info, context);
    }
}

/// Leaves machine code that has faulted; whether that is what the signal is about.
fn recover(signal: c_int, info: &siginfo_t, interrupted: &mut Interrupted<'_>) -> bool {
    if interrupted.leave_copy() {
        return true;
    }
    let key = KEY_OF_HANDLER.load(std::sync::atomic::Ordering::Acquire);
    // SAFETY: the key was made before the handler was installed; its value is null or this thread's recovery.
    let Some(recovery) = (unsafe { libc::pthread_getspecific(key).cast::<Recovery>().as_ref() }) else { return false };
    let entered = recovery.stack.get();
    if entered == 0 {
        return false;
    }
    // SAFETY: signals of the processor have an address.
    let address = unsafe { info.si_addr() } as usize;
    let (instruction, pointer) = (interrupted.instruction(), interrupted.stack());
    let around = Some(recovery.top.get()).filter(|&top| top != 0).map(Surroundings::of);
    // A call ends where its function returns to.
    let caller = || {
        let is_there = around.as_ref().is_none_or(|a| a.room.contains(&pointer));
        // SAFETY: the thread is between `enter` and its end, so there is a stack, unless the fault is about that: then it is in
        // generated code, and this is not asked; or the kernel has lost its way, which the line above finds out.
        is_there.then(|| recovery.offset(unsafe { interrupted.caller() })).flatten().map(|at| at.saturating_sub(1))
    };
    // On its own stack a kernel that has overwritten where it returns to goes anywhere.
    let is_lost = around.is_some() && signal == libc::SIGSEGV && address == instruction;
    let own = recovery.offset(instruction);
    let offset = own.or_else(|| if is_lost { None } else { caller() });
    if offset.is_none() && !is_lost {
        return false;
    }
    // To an address that cannot be one.
    // SAFETY: the instruction is in machine code, which is there.
    let returns = own.is_some() && unsafe { interrupted.is_return() };
    let is_memory = matches!(signal, libc::SIGSEGV | libc::SIGBUS);
    let kind = match &around {
        _ if !is_memory => FaultKind::Instruction,
        Some(a) if is_lost || a.is_above(address) || returns => FaultKind::Private,
        Some(a) if a.is_below(address) => FaultKind::Stack,
        None if (pointer.saturating_sub(BELOW_STACK)..entered).contains(&address) => FaultKind::Stack,
        // x86 does not tell addresses that cannot be.
        _ => FaultKind::Memory((info.si_code != libc::SI_KERNEL).then_some(address as u64)),
    };
    recovery.fault.set(Some(Fault { kind, offset }));
    recovery.stack.set(0);
    interrupted.leave_code(entered);
    true
}

/// Does what would have been done without us.
fn hand_on(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    let Some(n) = SIGNALS.iter().position(|&s| s == signal) else { return };
    // SAFETY: written before the handler was installed.
    let former = unsafe { (*FORMER.0[n].get()).assume_init_ref() };
    // SAFETY: the system passes it.
    let sent = unsafe { (*info).si_code } <= 0;
    match former.sa_sigaction {
        libc::SIG_IGN if sent => {}
        libc::SIG_DFL | libc::SIG_IGN => {
            set_default(signal);
            // The instruction faults again, and that ends the process where it happened. What was sent is sent again.
            if sent {
                // SAFETY: to this thread, once the handler has returned.
                unsafe { libc::raise(signal) };
            }
        }
        function => {
            if former.sa_flags & libc::SA_RESETHAND != 0 {
                set_default(signal);
            }
            // SAFETY: the function of an action, called as its flags say, with what the system passes.
            unsafe {
                if former.sa_flags & libc::SA_SIGINFO != 0 {
                    let function: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) = std::mem::transmute(function);
                    function(signal, info, context);
                } else {
                    let function: extern "C" fn(c_int) = std::mem::transmute(function);
                    function(signal);
                }
            }
        }
    }
}

fn set_default(signal: c_int) {
    // SAFETY: zeroes are the default action without flags.
    unsafe {
        let default: sigaction = std::mem::zeroed();
        sigaction(signal, &raw const default, ptr::null_mut());
    }
}

/// A stack for handlers, of threads that come without one.
#[derive(Debug)]
struct SignalStack {
    start: *mut c_void,
}

impl SignalStack {
    /// `None` if the thread has one, or there is no memory.
    fn install() -> Option<Self> {
        // SAFETY: asks; then maps memory, whose lowest page nobody may touch, and names it as the stack.
        unsafe {
            let mut now: libc::stack_t = std::mem::zeroed();
            libc::sigaltstack(ptr::null(), &raw mut now);
            if now.ss_flags & libc::SS_DISABLE == 0 {
                return None;
            }
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
            let rights = libc::PROT_READ | libc::PROT_WRITE;
            let start = libc::mmap(ptr::null_mut(), PAGE + SIGNAL_STACK, rights, flags, -1, 0);
            if start == libc::MAP_FAILED {
                return None;
            }
            libc::mprotect(start, PAGE, libc::PROT_NONE);
            let this = Self { start };
            let ours = libc::stack_t { ss_sp: this.base(), ss_flags: 0, ss_size: SIGNAL_STACK };
            (libc::sigaltstack(&raw const ours, ptr::null_mut()) == 0).then_some(this)
        }
    }

    fn base(&self) -> *mut c_void {
        self.start.wrapping_byte_add(PAGE)
    }
}

impl Drop for SignalStack {
    fn drop(&mut self) {
        // SAFETY: the thread's stack is taken away if it is still this one, and no handler runs on it; then it is unmapped.
        unsafe {
            let mut now: libc::stack_t = std::mem::zeroed();
            libc::sigaltstack(ptr::null(), &raw mut now);
            if now.ss_flags & libc::SS_ONSTACK != 0 {
                return;
            }
            if now.ss_sp == self.base() {
                let none = libc::stack_t { ss_sp: ptr::null_mut(), ss_flags: libc::SS_DISABLE, ss_size: 0 };
                libc::sigaltstack(&raw const none, ptr::null_mut());
            }
            libc::munmap(self.start, PAGE + SIGNAL_STACK);
        }
    }
}
