//! Machine code by LLVM 19. The only crate that sees LLVM.
//!
//! `writer` writes LLVM IR from IR and asks a `Convention` for what differs between targets (how entry points are called,
//! address spaces, atomics, traps, special instructions). It has two clients: `host` for this machine, with LLVM's passes,
//! the loader of object files and the code in this process, and `amdgpu` for AMD's GPUs ([`compile_amd`]).
//!
//! [`compile`] takes a module whose entry points are work-group functions (`void name(ptr args, ptr group)`, as the
//! crate `simd` leaves them), writes LLVM IR for what they reach, optimises it, and gives a [`Compiled`], which is an
//! object file, assembly, LLVM IR, or code that runs in this process ([`Jit`]).
//!
//! # How the IR maps to LLVM's
//!
//! * Blocks with parameters become blocks with phis. On the host every address space becomes LLVM's 0.
//! * `i1` takes a byte in memory. `f16` and `bf16` are 16-bit integers between operations, which extend them, compute
//!   in `f32` or `f64` and round back once: LLVM's own treatment depends on the target and rounds twice here and there.
//! * What the IR leaves *unspecified* must not become LLVM's *undefined behaviour*. Divisors are guarded against zero and
//!   `MIN / -1`, shift amounts against the width; `nuw`, `nsw` and `exact` are passed on for scalars only, because the
//!   lanes of a vector may belong to work-items that are not active.
//! * Integer division of vectors of up to 32 bits goes through floats, exactly, since machines divide only those in
//!   lanes.
//! * Rounding modes other than to nearest run in helpers that set the machine's mode and reset it (`f32`, `f64`), or
//!   round to nearest and repair the result (conversions, `f16`, `bf16`).
//! * `ftz` follows [`Denormals`]. `fmin` and `fmax` do not order zeros of different sign.
//! * On the host, atomics on work-group and private memory are plain accesses: a work-group runs on one thread. Fences of
//!   group scope are nothing.
//! * On the host, `trap` stores [`trap::TRAP`](launch::context::trap::TRAP) in the [`GroupContext`](launch::context::GroupContext) at `group` and leaves the work-group function. Functions that may
//!   trap get the address of that word as a further argument, and their callers look at it after the call.
//! * Approximate operations are computed to at least 2⁻²¹ (relative; `sin.approx` and `cos.approx` absolute), in lanes.
//! * On the host, pointers are all global to `isspace`, since its memory is one.
//! * Clocks read the processor's counter; `globaltimer` calls `unspool_rt_nanoseconds() -> i64`, `vprintf` calls
//!   `unspool_rt_printf(format, arguments) -> i32`, `nanosleep` calls `unspool_rt_yield()`, which lets other threads run. A
//!   [`Jit`] knows the first and the last, and gets the second from its maker.
//! * Entry points keep their names. All else is internal under names that are no C function's, so that a device function
//!   called `memcpy` or a table called `tanh` is not taken for the library's.
//!
//! # What must hold
//!
//! The verifier accepts the module. Work-group operations (barriers, shuffles, votes, special registers of the launch,
//! work-group variables) are gone: `simd` lowered them. What is left of them, and what has no meaning on a host (inline
//! assembly), is an [`LlvmError`] with its place; nothing panics.

mod amdgpu;
mod error;
mod fatal;
mod host;
mod lasting;
mod target_machine;
mod writer;

pub use amdgpu::{
    AmdCompiled, AmdMachine, AmdOptions, ArgumentNote, CodeObject, KernelNote, Linked, Notes, NotesError, compile_amd,
    link, link_with_lld, read_notes,
};
pub use error::LlvmError;
pub use fatal::on_fatal;
pub use host::{
    Compiled, Denormals, Effort, Entry, HostMachine, Jit, Options, Vectors, compile, line_of, machine_code_of,
};
pub use ir::OptLevel;
pub use target_machine::version;
