//! Machine code for this machine, by LLVM 19. The only crate that sees LLVM.
//!
//! [`compile`] takes a module whose entry points are work-group functions (`void name(ptr args, ptr group)`, as the
//! crate `simd` leaves them), writes LLVM IR for what they reach, optimises it, and gives a [`Compiled`], which is an
//! object file, assembly, LLVM IR, or code that runs in this process ([`Jit`]).
//!
//! # How the IR maps to LLVM's
//!
//! * Blocks with parameters become blocks with phis. Every address space becomes LLVM's 0: all memory is the host's.
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
//! * Atomics on work-group and private memory are plain accesses: a work-group runs on one thread. Fences of group
//!   scope are nothing.
//! * `trap` stores [`trap::TRAP`](launch::context::trap::TRAP) in the [`GroupContext`](launch::context::GroupContext) at `group` and leaves the work-group function. Functions that may
//!   trap get the address of that word as a further argument, and their callers look at it after the call.
//! * Approximate operations are computed to at least 2⁻²¹ (relative; `sin.approx` and `cos.approx` absolute), in lanes.
//! * Pointers are all global to `isspace`, since the host's memory is one.
//! * Clocks read the processor's counter; `globaltimer` calls `unspool_rt_nanoseconds() -> i64`, `vprintf` calls
//!   `unspool_rt_printf(format, arguments) -> i32`. A [`Jit`] knows the first, and gets the second from its maker.
//! * Entry points keep their names. All else is internal under names that are no C function's, so that a device function
//!   called `memcpy` or a table called `tanh` is not taken for the library's.
//!
//! # What must hold
//!
//! The verifier accepts the module. Work-group operations (barriers, shuffles, votes, special registers of the launch,
//! work-group variables) are gone: `simd` lowered them. What is left of them, and what has no meaning on a host (inline
//! assembly), is an [`LlvmError`] with its place; nothing panics.

mod codegen;
mod compiled;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod elf;
mod error;
mod jit;
mod ll;
mod machine;
mod masks;
mod options;
mod orc;
mod passes;

pub use compiled::Compiled;
pub use error::LlvmError;
pub use jit::{Entry, Jit};
pub use machine::{HostMachine, Vectors, version};
pub use options::{Denormals, OptLevel, Options};

/// Compiles what the entry points of `options` reach.
///
/// # Errors
/// A construct without meaning on a host, an entry point that is not there or has another signature than
/// `void (ptr, ptr)`, recursion or private memory beyond the limit, or a target that LLVM does not know.
pub fn compile(module: &ir::Module, machine: &HostMachine, options: &Options<'_>) -> Result<Compiled, LlvmError> {
    compiled::compile(module, machine, options)
}
