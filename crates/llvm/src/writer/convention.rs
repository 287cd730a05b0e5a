//! What a target supplies to the writer: how its functions are called, where its memory is, what its atomics and traps
//! are, and what its instructions can do.

use super::ll::{Fpred, Func, Ll, Val};
use crate::LlvmError;
use ir::{AddrSpace, Function, GlobalData, Intrinsic, Scope, SpecialReg};
use source::Span;

/// Where a trap leaves its code. The function then returns, and its callers, which look there after each call, do too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrapWord {
    /// The parameter of an entry point that points to what holds the word.
    pub(crate) parameter: u32,
    /// Bytes from there.
    pub(crate) offset: u64,
    /// LLVM's number of the word's address space.
    pub(crate) space: u32,
    /// The code, not 0.
    pub(crate) code: u32,
}

/// How far functions may call themselves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recursion {
    /// Most bytes of the stack between an activation and the [trap word](TrapWord), which is on it.
    pub(crate) bytes: u64,
    /// The code of the trap that more is.
    pub(crate) code: u32,
}

/// A target, as the writer asks it.
pub(crate) trait Convention {
    // ---- functions --------------------------------------------------------------------------------------------------

    /// Refuses a function that cannot be an entry point.
    fn check_entry(&self, name: &str, f: &Function) -> Result<(), LlvmError>;

    /// Calling convention and attributes of the entry point `f`.
    fn entry(&self, ll: &Ll<'_>, func: Func, f: &Function);

    /// Attributes of every function; `ftz` if the module flushes subnormal singles.
    fn function(&self, ll: &Ll<'_>, func: Func, ftz: bool);

    /// The function of the runtime that does what `malloc` or `free` does, if there is one.
    fn heap_function(&self, _name: &str) -> Option<&'static str> {
        None
    }

    /// Whether calls must be replaced by bodies, whatever was asked for.
    fn inlines_calls(&self) -> bool {
        false
    }

    /// Whether calls that have been left shall stay, whatever was asked for.
    fn keeps_calls(&self) -> bool {
        false
    }

    /// Whether a function is so large that LLVM shall work on it as little as it can.
    fn is_quick(&self, _: &Function) -> bool {
        false
    }

    /// Whether long blocks are [cut into pieces](super::pieces).
    fn cuts_blocks(&self) -> bool {
        false
    }

    /// Most bytes of private memory along a chain of calls.
    fn stack_limit(&self) -> u64;

    // ---- memory -----------------------------------------------------------------------------------------------------

    /// LLVM's number of an address space. Private memory is where `alloca` puts it.
    fn space(&self, space: AddrSpace) -> u32;

    /// The space of a pointer parameter of an entry point that the IR has in this one: what callers can pass.
    fn parameter_space(&self, space: AddrSpace) -> AddrSpace {
        space
    }

    /// Whether the null pointer of a space is the address 0; else it is what LLVM makes of the generic one.
    fn null_is_zero(&self, _: AddrSpace) -> bool {
        true
    }

    /// Refuses a variable that has no place, used at `span`.
    fn check_global(&self, global: &GlobalData, span: Span) -> Result<(), LlvmError>;

    /// Whether whoever loads the code finds [variables that outlive kernels](launch::variables) by their names in it.
    fn exports_variables(&self) -> bool {
        false
    }

    // ---- atomics ----------------------------------------------------------------------------------------------------

    /// Whether what is in a space is seen by one thread of the target only, so that atomics on it are plain accesses.
    fn is_unshared(&self, space: AddrSpace) -> bool;

    /// Whether a fence of this scope has to order anything.
    fn fences(&self, scope: Scope) -> bool;

    /// LLVM's name of a scope of atomics and fences; empty for that of everybody.
    fn scope(&self, _: Scope) -> &'static str {
        ""
    }

    /// Whether the code generator knows atomic additions of floats.
    fn adds_floats(&self) -> bool {
        false
    }

    // ---- traps ------------------------------------------------------------------------------------------------------

    /// Where traps leave their codes; `None` where an instruction ends what runs.
    fn trap_word(&self) -> Option<TrapWord>;

    /// Whether and how far functions may call themselves; only where there is a trap word.
    fn recursion(&self) -> Option<Recursion> {
        None
    }

    /// Whether a work-item ends where an entry point returns, so that `exit` in one is a return.
    fn returns_to_exit(&self) -> bool {
        false
    }

    // ---- instructions -----------------------------------------------------------------------------------------------

    /// Whether the mode that functions run in flushes what the flag `ftz` asks for.
    fn flushes(&self) -> bool;

    /// Whether conversions between `half` and `float` are instructions.
    fn converts_half(&self) -> bool;

    /// Whether it multiplies and adds numbers of `half` with one rounding.
    fn fuses_half(&self) -> bool {
        false
    }

    /// Gives the same 32-bit number, of which LLVM knows nothing, where the code generator divides in fewer bits than a
    /// division has, and wrongly: integers, and quotients of `half` (llvm-project #109295); `None` where it divides right.
    fn hide(&self) -> Option<fn(&Ll<'_>, Val) -> Val> {
        None
    }

    /// Whether the code generator's remainder of floats is exact.
    fn has_remainder(&self) -> bool {
        true
    }

    /// Whether caches are told what will be read.
    fn prefetches(&self) -> bool {
        true
    }

    /// Whether high halves of products of 64 bits, of so many lanes at a time, are best made of products of 32.
    fn multiplies_halves(&self, _lanes: u32) -> bool {
        false
    }

    /// Whether a multiplication and an addition fuse in one instruction.
    fn fuses(&self) -> bool;

    /// Whether gathers of elements of so many bits are instructions that pay.
    fn gathers(&self, bits: u32) -> bool;

    /// Whether work-items share vectors, beside which a loop that only stores is one of scalars.
    fn has_lanes(&self) -> bool {
        false
    }

    /// Whether loads of rows under masks, of elements of so many bits, are instructions.
    fn masks(&self, bits: u32) -> bool;

    /// Whether stores of rows under masks cost so much that it is asked first whether all lanes are on.
    fn asks_before_stores(&self) -> bool;

    /// Whether scatters are.
    fn scatters(&self, bits: u32) -> bool;

    /// An estimate of `1 / sqrt(x)` of singles to about 12 bits, where there is an instruction.
    fn estimate_inverse_root(&self, ll: &Ll<'_>, x: Val, lanes: u32) -> Option<Val>;

    /// An estimate of `1 / x` of singles to 2⁻¹⁴, right of zeros and infinities, where there is an instruction for so many lanes.
    fn estimate_inverse(&self, _ll: &Ll<'_>, _x: Val, _lanes: u32) -> Option<Val> {
        None
    }

    /// The same of doubles, for any number of lanes.
    fn estimate_inverse_double(&self, _ll: &Ll<'_>, _x: Val, _lanes: u32) -> Option<Val> {
        None
    }

    /// Whether that of so many lanes is good to 2⁻¹⁴.
    fn estimates_well(&self, _lanes: u32) -> bool {
        false
    }

    /// Which doubles are zeros or infinity, their own roots.
    fn own_roots(&self, ll: &Ll<'_>, x: Val, lanes: u32) -> Val {
        let is = |v| ll.fcmp(Fpred::LLVMRealOEQ, x, ll.fconst(64, lanes, v));
        ll.or(is(0.0), is(f64::INFINITY))
    }

    /// Bytes behind a private array of so many: for programs that write one element past its end.
    fn spare(&self, _size: u64) -> u64 {
        0
    }

    /// The same of doubles, to 2⁻¹⁴ for every argument, where there is an instruction.
    fn estimate_inverse_root_double(&self, _ll: &Ll<'_>, _x: Val, _lanes: u32) -> Option<Val> {
        None
    }

    /// Vectors of floats as integers, cut off, by an instruction: what does not fit gives the highest bit alone, or all bits where the result
    /// has no sign, and so does what is no number. `shape` is the bits before and after, and how many lanes.
    fn truncated(&self, _ll: &Ll<'_>, _v: Val, _is_signed: bool, _shape: (u32, u32, u32)) -> Option<Val> {
        None
    }

    /// Whether [`Convention::pick_words`] takes so many lanes and pays.
    fn picks_words(&self, lanes: u32) -> bool;

    /// Lanes of 32 bits by an index that is in range.
    fn pick_words(&self, ll: &Ll<'_>, v: Val, index: Val, lanes: u32) -> Val;

    /// A part or scale of floating-point numbers ([`ir::exponent`]) of 32 or 64 bits, where there is an instruction.
    fn exponents(&self, ll: &Ll<'_>, op: Intrinsic, args: &[Val], bits: u32, lanes: u32) -> Option<Val> {
        let _ = (ll, op, args, bits, lanes);
        None
    }

    /// Whether 16 numbers of so many bits are a table in registers.
    fn picks_entries(&self, bits: u32) -> bool {
        let _ = bits;
        false
    }

    /// Those of a table of 16 constants that the low four bits of `index` say, which has as many bits as they have.
    fn pick_entries(&self, ll: &Ll<'_>, table: &[Val], index: Val, lanes: u32) -> Val {
        let _ = (ll, table, lanes);
        index
    }

    /// A special register.
    fn special(&self, ll: &Ll<'_>, reg: SpecialReg, span: Span) -> Result<Val, LlvmError>;

    /// An operation that is the target's own: questions about addresses, output, waiting, what is done between work-items.
    /// `arg` gives its operands.
    fn intrinsic(&self, ll: &Ll<'_>, call: &Call<'_>) -> Result<Option<Val>, LlvmError>;
}

/// An operation of [`Convention::intrinsic`].
pub(crate) struct Call<'a> {
    /// Which.
    pub(crate) op: Intrinsic,
    /// Operands by number.
    pub(crate) arg: &'a dyn Fn(usize) -> Val,
    /// Lanes of its result.
    pub(crate) lanes: u32,
    /// Where it stands.
    pub(crate) span: Span,
}
