use super::*;
use std::arch::naked_asm;

/// Machine code of a test: a function, and room behind it that is longer than any of them.
fn code_of(entry: Entry) -> Range<usize> {
    let start = entry as *const () as usize;
    start..start + 64
}

fn call(entry: Entry, args: usize) -> Result<(), FaultKind> {
    call_with(entry, args, &mut context())
}

/// A context with nothing in it.
fn context() -> GroupContext {
    // SAFETY: numbers and pointers.
    unsafe { std::mem::zeroed() }
}

fn call_with(entry: Entry, args: usize, group: &mut GroupContext) -> Result<(), FaultKind> {
    // SAFETY: the tests' functions expect nothing of their arguments but what the tests pass.
    let done = unsafe { Gate::of_this_thread().call(&code_of(entry), entry, args as *const u8, group, [0; 3]) };
    done.map_err(|fault| fault.kind)
}

#[unsafe(naked)]
unsafe extern "C" fn read(args: *const u8, group: *mut u8) {
    naked_asm!("mov rbx, 1", "mov r15, 2", "std", "mov rax, [rdi]", "cld", "ret")
}

#[unsafe(naked)]
unsafe extern "C" fn push_without_end(args: *const u8, group: *mut u8) {
    naked_asm!("2:", "push rax", "jmp 2b")
}

/// Writes upwards from its frame, so many words.
#[unsafe(naked)]
unsafe extern "C" fn write_upwards(args: *const u8, group: *mut u8) {
    naked_asm!(
        "mov rcx, rdi",
        "mov rdi, rsp",
        "mov rax, 0x5555555555",
        "2:",
        "mov [rdi], rax",
        "add rdi, 8",
        "dec rcx",
        "jne 2b",
        "mov rbx, rax",
        "mov rbp, rax",
        "mov r15, rax",
        "ret",
    )
}

/// The same, of words that are no addresses.
#[unsafe(naked)]
unsafe extern "C" fn write_text_upwards(args: *const u8, group: *mut u8) {
    naked_asm!("mov rax, 0x6161616161616161", "mov [rsp], rax", "ret")
}

/// Reads the word that is so many bytes from its stack pointer.
#[unsafe(naked)]
unsafe extern "C" fn read_beside_the_stack(args: *const u8, group: *mut u8) {
    naked_asm!("mov rax, [rsp + rdi]", "ret")
}

/// Leaves all registers that functions keep changed, as a function does whose saved ones were overwritten.
#[unsafe(naked)]
unsafe extern "C" fn keep_nothing(args: *const u8, group: *mut u8) {
    naked_asm!(
        "mov dword ptr [rsi + {trap}], 7",
        "mov rbx, 1",
        "mov rbp, 1",
        "mov r12, 1",
        "mov r13, 1",
        "mov r14, 1",
        "mov r15, 1",
        "ret",
        trap = const GroupContext::OFFSET_TRAP,
    )
}

#[unsafe(naked)]
unsafe extern "C" fn divide_by_zero(args: *const u8, group: *mut u8) {
    naked_asm!("xor ecx, ecx", "xor edx, edx", "mov eax, 1", "div ecx", "ret")
}

#[unsafe(naked)]
unsafe extern "C" fn must_not_be_reached(args: *const u8, group: *mut u8) {
    naked_asm!("ud2")
}

#[unsafe(naked)]
unsafe extern "C" fn copy_to_a_wild_address(args: *const u8, group: *mut u8) {
    naked_asm!(
        // What is copied is all its own: some of the C library's functions load the end first.
        "sub rsp, 4104",
        "mov rsi, rsp",
        "mov edx, 4096",
        "mov rax, qword ptr [rip + {memcpy}@GOTPCREL]",
        "call rax",
        "add rsp, 4104",
        "ret",
        memcpy = sym libc::memcpy,
    )
}

/// Calls a function of this process that faults.
#[unsafe(naked)]
unsafe extern "C" fn call_host(args: *const u8, group: *mut u8) {
    naked_asm!("sub rsp, 8", "call {host}", "add rsp, 8", "ret", host = sym host_that_faults)
}

unsafe extern "C" fn host_that_faults(address: *const u8) {
    // SAFETY: none: that is what is tested, in a process of its own.
    outside(|| unsafe { std::ptr::read_volatile(address) });
}

#[test]
fn faults_are_told_apart_and_the_thread_goes_on() {
    let here = 7usize;
    for _ in 0..3 {
        assert_eq!(call(read, &raw const here as usize), Ok(()));
        assert_eq!(call(read, 0x10), Err(FaultKind::Memory(Some(0x10))));
        assert_eq!(call(read, 0x8000_0000_0000_0000), Err(FaultKind::Memory(None)), "no address at all");
        assert_eq!(call(divide_by_zero, 0), Err(FaultKind::Instruction));
        assert_eq!(call(must_not_be_reached, 0), Err(FaultKind::Instruction));
        // Which of the bytes it begins with is up to the C library.
        assert!(matches!(call(copy_to_a_wild_address, 0x10), Err(FaultKind::Memory(Some(0x10..0x1010)))));
    }
}

#[test]
fn a_stack_that_is_used_up_is_told_apart() {
    let overflow = || (0..3).map(|_| call(push_without_end, 0)).collect::<Vec<_>>();
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(overflow).expect("a thread");
    assert_eq!(thread.join().expect("it goes on"), [Err(FaultKind::Stack); 3]);
}

/// What a kernel wrote beyond a private array went over the frames of this process, which ended it.
#[test]
fn what_goes_over_the_stack_is_the_kernels() {
    let run = || {
        for _ in 0..3 {
            // The return address alone; the context, too; up to the guard.
            for words in [1, 20, 1 << 10, 1 << 17] {
                assert_eq!(call(write_upwards, words), Err(FaultKind::Private), "{words} words");
            }
            assert_eq!(call(write_text_upwards, 0), Err(FaultKind::Private));
            assert_eq!(call(read_beside_the_stack, 1 << 19), Err(FaultKind::Private));
            assert_eq!(call(read_beside_the_stack, (17usize << 19).wrapping_neg()), Err(FaultKind::Stack));
            let mut group = context();
            assert_eq!(call_with(keep_nothing, 0, &mut group), Ok(()));
            assert_eq!(group.trap, 7, "what a kernel says of itself comes back");
            assert_eq!(call_with(write_upwards, 20, &mut group), Err(FaultKind::Private));
            assert_eq!(group.trap, 0);
        }
    };
    run();
    std::thread::Builder::new().stack_size(64 << 10).spawn(run).expect("a thread").join().expect("it goes on");
}

/// Calls of machine code by what machine code calls were on one stack.
#[test]
fn code_that_kernels_have_started_does_not_damage_their_stack() {
    let outer = |group: &mut GroupContext| {
        // SAFETY: it expects nothing of its arguments but that the first can be called.
        unsafe {
            let (gate, args) = (Gate::of_this_thread(), launch_another as *const u8);
            gate.call(&code_of(call_back), call_back, args, group, [0; 3])
        }
    };
    for _ in 0..3 {
        assert_eq!(outer(&mut context()).map_err(|f| f.kind), Ok(()));
    }
    assert_eq!(call(write_upwards, 20), Err(FaultKind::Private));
}

/// Keeps a number on the stack while it calls its argument; traps if it is another afterwards.
#[unsafe(naked)]
unsafe extern "C" fn call_back(args: *const u8, group: *mut u8) {
    naked_asm!("mov rax, 0x1234", "push rax", "call rdi", "pop rax", "cmp rax, 0x1234", "je 2f", "ud2", "2:", "ret",)
}

extern "C" fn launch_another() {
    outside(|| {
        assert_eq!(call(keep_nothing, 0), Ok(()));
        assert_eq!(call(read, 0x10), Err(FaultKind::Memory(Some(0x10))));
    });
}

#[test]
fn wild_bytes_are_not_copied() {
    let (text, mut to) = (b"text", [0; 4]);
    Gate::of_this_thread();
    assert_eq!(copy_from(text.as_ptr() as u64, &mut to), Ok(()));
    assert_eq!(&to, text);
    assert_eq!(copy_from(0x10, &mut to), Err(FaultKind::Memory(Some(0x10))));
    // The kernel goes on, and its launch fails.
    assert_eq!(call(read, &raw const to as usize), Err(FaultKind::Memory(Some(0x10))));
    assert_eq!(call(read, &raw const to as usize), Ok(()));
}

/// What a process ends with that does this.
fn status_of(f: impl FnOnce()) -> i32 {
    // SAFETY: the new process calls nothing but `f`, which takes no locks that other threads may hold.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            f();
            libc::_exit(0);
        }
        let mut status = 0;
        assert_eq!(libc::waitpid(child, &raw mut status, 0), child);
        status
    }
}

extern "C" fn end_with_42(_: libc::c_int) {
    // SAFETY: allowed in handlers.
    unsafe { libc::_exit(42) };
}

fn handle_faults_by_ending() {
    // SAFETY: a handler that ends the process.
    unsafe { libc::signal(libc::SIGSEGV, end_with_42 as extern "C" fn(libc::c_int) as usize) };
}

fn read_address_16() {
    // SAFETY: none: the process ends.
    unsafe { std::ptr::read_volatile(std::hint::black_box(16) as *const u8) };
}

#[test]
fn faults_of_others_go_to_the_handler_that_was_there_before() {
    let handled = status_of(|| {
        handle_faults_by_ending();
        assert_eq!(call(read, 0x10), Err(FaultKind::Memory(Some(0x10))));
        read_address_16();
    });
    assert_eq!((libc::WIFEXITED(handled), libc::WEXITSTATUS(handled)), (true, 42));
    let ended = status_of(|| {
        // SAFETY: the default action, as in processes without Rust's handlers.
        unsafe { libc::signal(libc::SIGSEGV, libc::SIG_DFL) };
        assert_eq!(call(read, 0x10), Err(FaultKind::Memory(Some(0x10))));
        read_address_16();
    });
    assert_eq!((libc::WIFSIGNALED(ended), libc::WTERMSIG(ended)), (true, libc::SIGSEGV));
}

#[test]
fn faults_in_what_kernels_call_are_not_theirs() {
    let status = status_of(|| {
        handle_faults_by_ending();
        let _ = call(call_host, 0x10);
    });
    assert_eq!((libc::WIFEXITED(status), libc::WEXITSTATUS(status)), (true, 42));
}

#[test]
fn signals_that_are_sent_are_handed_on() {
    let status = status_of(|| {
        handle_faults_by_ending();
        let _ = call(read, 0x10);
        // SAFETY: the handler ends the process.
        unsafe { libc::raise(libc::SIGSEGV) };
    });
    assert_eq!((libc::WIFEXITED(status), libc::WEXITSTATUS(status)), (true, 42));
}
