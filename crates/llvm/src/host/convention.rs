//! How functions for this machine are called, and what it can do.

use super::{Denormals, Effort, HostMachine, Options};
use super::{truncate, wide, x86};
use crate::LlvmError;
use crate::writer::convention::{Call, Convention, Recursion, TrapWord};
use crate::writer::ll::{Func, Ll, Val};
use ir::{AddrSpace, Effects, Function, GlobalData, Intrinsic, Scope, SpecialReg};
use launch::context::{GroupContext, trap};
use source::Span;

/// Private memory of fewer bytes is no array that a loop goes through.
const SMALLEST_ARRAY: u64 = 64;

/// Behind each array, so that who writes one element past its end writes to nobody's: GPUs and other platforms let such programs
/// live, and here the next thing on the stack may be the address that the kernel returns to. An element of 16 bytes of each of 16
/// work-items.
const SPARE: u64 = 256;

/// Code for a machine. All memory is one address space; a work-group runs on one thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Host<'a> {
    pub(crate) machine: &'a HostMachine,
    pub(crate) denormals: Denormals,
    /// 0 stands for [`Options::DEFAULT_STACK`].
    pub(crate) max_stack: u64,
    /// The least of the functions that are compiled.
    pub(crate) effort: Effort,
}

impl Convention for Host<'_> {
    fn check_entry(&self, name: &str, f: &Function) -> Result<(), LlvmError> {
        let two = f.params.len() == 2 && f.params.iter().all(|p| p.ty.is_ptr() && !p.ty.is_vector());
        if f.ret.is_void() && two {
            return Ok(());
        }
        Err(LlvmError::unsupported(
            format!("the entry point `{name}`, which is no work-group function,"),
            f.span,
            "make a work-group function of the kernel first; its parameters are (ptr args, ptr group)",
        ))
    }

    fn entry(&self, ll: &Ll<'_>, func: Func, _: &Function) {
        // The caller's contract: each thread has blocks of its own, and nobody writes the arguments meanwhile.
        for at in [1, 2] {
            ll.attribute(func, at, "noalias", 0);
            ll.attribute(func, at, "nonnull", 0);
            ll.attribute(func, at, "noundef", 0);
        }
        ll.attribute(func, 1, "readonly", 0);
    }

    fn function(&self, ll: &Ll<'_>, func: Func, ftz: bool) {
        let width = self.machine.vectors().vector_bits.to_string();
        if self.machine.is_x86() {
            // Without these LLVM splits vectors of 512 bits on processors that it thinks are better off with 256.
            ll.text_attribute(func, "min-legal-vector-width", &width);
            ll.text_attribute(func, "prefer-vector-width", &width);
        }
        if ftz && self.flushes() {
            ll.text_attribute(func, "denormal-fp-math-f32", "preserve-sign,preserve-sign");
        }
    }

    fn keeps_calls(&self) -> bool {
        // What is left is too large to be inlined: all else was.
        true
    }

    fn is_quick(&self, f: &Function) -> bool {
        self.effort == Effort::Quick && Effort::of(f) == Effort::Quick
    }

    fn cuts_blocks(&self) -> bool {
        true
    }

    fn stack_limit(&self) -> u64 {
        if self.max_stack == 0 { Options::DEFAULT_STACK } else { self.max_stack }
    }

    fn space(&self, _: AddrSpace) -> u32 {
        0
    }

    fn check_global(&self, global: &GlobalData, span: Span) -> Result<(), LlvmError> {
        if global.space != AddrSpace::Shared {
            return Ok(());
        }
        Err(LlvmError::unsupported(
            format!("the work-group variable `{}`", global.name),
            span,
            "make a work-group function of the kernel first: it puts such variables into the group's memory",
        ))
    }

    fn is_unshared(&self, space: AddrSpace) -> bool {
        matches!(space, AddrSpace::Shared | AddrSpace::Private)
    }

    fn fences(&self, scope: Scope) -> bool {
        // Within the group one thread keeps its own order.
        scope != Scope::Group
    }

    fn trap_word(&self) -> Option<TrapWord> {
        let offset = GroupContext::OFFSET_TRAP as u64;
        Some(TrapWord { parameter: 1, offset, space: 0, code: trap::TRAP })
    }

    fn recursion(&self) -> Option<Recursion> {
        // The context stands on the stack that the functions run on; what they call besides takes little.
        Some(Recursion { bytes: self.stack_limit(), code: trap::STACK })
    }

    fn flushes(&self) -> bool {
        self.denormals == Denormals::Environment
    }

    fn converts_half(&self) -> bool {
        !self.machine.is_x86() || self.machine.has("f16c")
    }

    fn fuses(&self) -> bool {
        self.machine.has("fma")
    }

    fn gathers(&self, bits: u32) -> bool {
        self.machine.vectors().gathers && bits >= 32
    }

    fn has_lanes(&self) -> bool {
        true
    }

    fn masks(&self, bits: u32) -> bool {
        // Of other processors nobody has measured what testing each lane costs.
        !self.machine.is_x86() || self.machine.has(if bits >= 32 { "avx" } else { "avx512bw" })
    }

    fn asks_before_stores(&self) -> bool {
        // AMD's take 12 cycles for one of AVX2's, and where there are none each lane is tested.
        self.machine.is_x86() && !self.machine.has("avx512vl")
    }

    fn scatters(&self, bits: u32) -> bool {
        self.gathers(bits) && self.machine.vectors().vector_bits == 512
    }

    fn estimate_inverse_root(&self, ll: &Ll<'_>, x: Val, lanes: u32) -> Option<Val> {
        self.machine.is_x86().then(|| x86::estimate_inverse_root(self.machine, ll, x, lanes))
    }

    fn estimate_inverse(&self, ll: &Ll<'_>, x: Val, lanes: u32) -> Option<Val> {
        self.estimates_well(lanes).then(|| wide::estimate_inverse(ll, x, lanes))
    }

    fn estimate_inverse_double(&self, ll: &Ll<'_>, x: Val, lanes: u32) -> Option<Val> {
        let has = self.machine.is_x86() && self.machine.vectors().vector_bits >= 512;
        has.then(|| wide::estimate_inverse_double(ll, x, lanes))
    }

    fn multiplies_halves(&self, lanes: u32) -> bool {
        self.machine.is_x86() && self.machine.has("avx2") && lanes >= 4
    }

    fn spare(&self, size: u64) -> u64 {
        if size >= SMALLEST_ARRAY { SPARE } else { 0 }
    }

    fn estimate_inverse_root_double(&self, ll: &Ll<'_>, x: Val, lanes: u32) -> Option<Val> {
        let has = self.machine.is_x86() && self.machine.vectors().vector_bits >= 512;
        has.then(|| wide::estimate_inverse_root(ll, x, lanes))
    }

    fn estimates_well(&self, lanes: u32) -> bool {
        self.machine.is_x86() && x86::is_wide_estimate(self.machine, lanes)
    }

    fn own_roots(&self, ll: &Ll<'_>, x: Val, lanes: u32) -> Val {
        wide::own_roots(ll, x, lanes)
    }

    fn truncated(&self, ll: &Ll<'_>, v: Val, is_signed: bool, shape: (u32, u32, u32)) -> Option<Val> {
        truncate::truncated(self.machine, ll, v, is_signed, shape)
    }

    fn picks_words(&self, lanes: u32) -> bool {
        self.machine.is_x86() && self.machine.has("avx2") && lanes <= x86::MAX_PICKED
    }

    fn pick_words(&self, ll: &Ll<'_>, v: Val, index: Val, lanes: u32) -> Val {
        x86::pick_words(ll, v, index, lanes)
    }

    fn exponents(&self, ll: &Ll<'_>, op: Intrinsic, args: &[Val], bits: u32, lanes: u32) -> Option<Val> {
        (self.machine.is_x86() && self.machine.vectors().vector_bits >= 512)
            .then(|| wide::exponents(ll, op, args, bits, lanes))
            .flatten()
    }

    fn picks_entries(&self, bits: u32) -> bool {
        self.machine.is_x86() && self.machine.vectors().vector_bits >= 512 && matches!(bits, 32 | 64)
    }

    fn pick_entries(&self, ll: &Ll<'_>, table: &[Val], index: Val, lanes: u32) -> Val {
        wide::pick_entries(ll, table, index, lanes)
    }

    fn special(&self, ll: &Ll<'_>, reg: SpecialReg, span: Span) -> Result<Val, LlvmError> {
        match reg {
            SpecialReg::Clock | SpecialReg::Clock64 => {
                // On AArch64 user code may read the timer, but not the cycle counter.
                let name = if self.machine.is_x86() { "llvm.readcyclecounter" } else { "llvm.readsteadycounter" };
                let v = ll.intrinsic(name, &[], &[]);
                Ok(if reg == SpecialReg::Clock { ll.trunc(v, ll.int(32, 1)) } else { v })
            }
            SpecialReg::GlobalTimer => {
                let signature = ll.function_type(ll.int(64, 1), &[]);
                Ok(ll.call(ll.function("unspool_rt_nanoseconds", signature), &[]))
            }
            _ => Err(LlvmError::unsupported(
                format!("the register `%{}`", reg.name()),
                span,
                "make a work-group function of the kernel first: it knows which work-item runs",
            )),
        }
    }

    fn heap_function(&self, name: &str) -> Option<&'static str> {
        Some(if name == "malloc" { "unspool_rt_malloc" } else { "unspool_rt_free" })
    }

    fn intrinsic(&self, ll: &Ll<'_>, call: &Call<'_>) -> Result<Option<Val>, LlvmError> {
        use Intrinsic::*;
        match call.op {
            // The host's memory is one, and all of it is global.
            IsGlobal => Ok(Some(ll.iconst(1, call.lanes, 1))),
            IsShared | IsConst | IsLocal | IsCluster | IsParam => Ok(Some(ll.iconst(1, call.lanes, 0))),
            VPrintf => {
                let ptr = ll.ptr(0, 1);
                let f = ll.function("unspool_rt_printf", ll.function_type(ll.int(32, 1), &[ptr, ptr]));
                Ok(Some(ll.call(f, &[(call.arg)(0), (call.arg)(1)])))
            }
            Nanosleep => {
                ll.call(ll.function("unspool_rt_yield", ll.function_type(ll.void(), &[])), &[]);
                Ok(None)
            }
            Brkpt | AsyncWaitAll => Ok(None),
            op if op.effects().has(Effects::CONVERGENT) || op == Exit => Err(LlvmError::unsupported(
                format!("`{}`, an operation between work-items,", op.name()),
                call.span,
                "make a work-group function of the kernel first; where that is not possible, its remark says why",
            )),
            op => Err(LlvmError::unsupported(
                format!("the operation `{}`", op.name()),
                call.span,
                "give the host a version without it, e.g. under `#ifdef`",
            )),
        }
    }
}
