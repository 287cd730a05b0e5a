//! How kernels for an AMD GPU are called, and what it can do.

use super::machine::AmdMachine;
use super::spaces;
use crate::LlvmError;
use crate::writer::convention::{Call, Convention, TrapWord};
use crate::writer::ll::{Func, LLVMTypeKind, Ll, Val};
use inkwell::llvm_sys::core::{LLVMGetTypeKind, LLVMGlobalSetMetadata};
use inkwell::llvm_sys::prelude::LLVMMetadataRef;
use ir::{AddrSpace, Effects, FnKind, Function, GlobalData, Intrinsic, Scope, SpecialReg};
use launch::kernels::{Access, KernelInfo};
use source::Span;
use target::space::SPACES;

/// Most bytes of scratch memory of a work-item: `COMPUTE_TMPRING_SIZE` counts 13 bits of 256 words for a wave of 64.
const SCRATCH: u64 = 128 * 1024 - 64;

/// Code for a GPU.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amd<'a> {
    pub(super) machine: &'a AmdMachine,
    /// The module flushes subnormal singles.
    pub(super) ftz: bool,
    /// Most work-items of groups of kernels that do not say.
    pub(super) max_group: u32,
    /// The kernels as their callers see them, where that is known.
    pub(super) kernels: &'a [KernelInfo],
}

impl Amd<'_> {
    /// Most work-items of a group of this kernel, and least.
    fn group_sizes(&self, f: &Function) -> (u64, u64) {
        match (f.attrs.reqd_work_group_size, f.attrs.max_threads) {
            (Some(size), _) => {
                let n = size.iter().map(|&n| u64::from(n)).product();
                (n, n)
            }
            (None, Some(n)) => (1, n.into()),
            (None, None) => (1, self.max_group.into()),
        }
    }

    fn describe_group(&self, ll: &Ll<'_>, func: Func, f: &Function) {
        let (least, most) = self.group_sizes(f);
        ll.text_attribute(func, "amdgpu-flat-work-group-size", &format!("{least},{most}"));
        ll.text_attribute(func, "uniform-work-group-size", "true");
        let three = |ll: &Ll<'_>, size: [u32; 3]| {
            let parts: Vec<LLVMMetadataRef> =
                size.iter().map(|&n| ll.md_constant(ll.iconst(32, 1, n.into()))).collect();
            ll.md_node(&parts)
        };
        if let Some(size) = f.attrs.reqd_work_group_size {
            self.note(ll, func, "reqd_work_group_size", three(ll, size));
        }
        if let Some(size) = f.attrs.work_group_size_hint {
            self.note(ll, func, "work_group_size_hint", three(ll, size));
        }
        // Least groups of a compute unit, as waves of one of its SIMDs.
        if let Some(groups) = f.attrs.min_blocks.filter(|&n| n > 0) {
            let arch = self.machine.offload.arch;
            let waves = most.div_ceil(self.machine.target.wave_size().into()).saturating_mul(groups.into());
            let each = waves.div_ceil(arch.simds.into()).min(arch.waves_per_simd.into());
            ll.text_attribute(func, "amdgpu-waves-per-eu", &each.to_string());
        }
        if let Some(n) = f.attrs.max_registers {
            ll.text_attribute(func, "amdgpu-num-vgpr", &n.to_string());
        }
    }

    fn note(&self, ll: &Ll<'_>, func: Func, kind: &str, node: LLVMMetadataRef) {
        use inkwell::llvm_sys::core::LLVMGetMDKindIDInContext;
        // SAFETY: the function and the node are of the module; the name is copied.
        unsafe {
            let kind = LLVMGetMDKindIDInContext(ll.context, kind.as_ptr().cast(), kind.len() as u32);
            LLVMGlobalSetMetadata(func.value.0, kind, node);
        }
    }

    /// What the notes of the code object say of the arguments.
    fn describe_arguments(&self, ll: &Ll<'_>, func: Func, f: &Function) {
        let Some(info) = self.kernels.iter().find(|k| k.symbol == f.name) else { return };
        if info.params.len() != f.params.len() {
            return;
        }
        let texts = |of: &dyn Fn(&launch::kernels::ParamInfo) -> String| {
            let parts: Vec<LLVMMetadataRef> = info.params.iter().map(|p| ll.md_string(&of(p))).collect();
            ll.md_node(&parts)
        };
        let spaces: Vec<LLVMMetadataRef> = f
            .params
            .iter()
            .map(|p| {
                let space = p.ty.space().filter(|_| p.attrs.byval.is_none()).map_or(0, |s| self.space(s));
                ll.md_constant(ll.iconst(32, 1, space.into()))
            })
            .collect();
        self.note(ll, func, "kernel_arg_addr_space", ll.md_node(&spaces));
        let access = |p: &launch::kernels::ParamInfo| {
            let word = match p.access {
                Access::None => "none",
                Access::ReadOnly => "read_only",
                Access::WriteOnly => "write_only",
                Access::ReadWrite => "read_write",
            };
            word.to_owned()
        };
        self.note(ll, func, "kernel_arg_access_qual", texts(&access));
        self.note(ll, func, "kernel_arg_type", texts(&|p| p.type_name.clone()));
        self.note(ll, func, "kernel_arg_base_type", texts(&|p| p.type_name.clone()));
        let qualifiers = |p: &launch::kernels::ParamInfo| {
            let q = p.qualifiers;
            let words =
                [(q.is_const, "const"), (q.is_restrict, "restrict"), (q.is_volatile, "volatile"), (q.is_pipe, "pipe")];
            let set: Vec<&str> = words.into_iter().filter(|w| w.0).map(|w| w.1).collect();
            set.join(" ")
        };
        self.note(ll, func, "kernel_arg_type_qual", texts(&qualifiers));
        self.note(ll, func, "kernel_arg_name", texts(&|p| p.name.clone()));
    }
}

impl Convention for Amd<'_> {
    fn check_entry(&self, name: &str, f: &Function) -> Result<(), LlvmError> {
        if f.kind != FnKind::Kernel || !f.ret.is_void() {
            return Err(LlvmError::unsupported(
                format!("the entry point `{name}`, which is no kernel,"),
                f.span,
                "make it a kernel",
            ));
        }
        let (_, most) = self.group_sizes(f);
        let limit = self.machine.target.launch_limits().group_items;
        if most == 0 || most > limit.into() {
            return Err(LlvmError::unsupported(
                format!("`{}` with groups of {most} work-items", f.display),
                f.span,
                format!("a group has 1 to {limit} work-items on `{}`", self.machine.offload.arch.name),
            ));
        }
        Ok(())
    }

    fn entry(&self, ll: &Ll<'_>, func: Func, f: &Function) {
        ll.make_amdgpu_kernel(func);
        self.describe_group(ll, func, f);
        self.describe_arguments(ll, func, f);
        if spaces::are_asked_for(f) {
            // LLVM would move private arrays to the group's memory, and the answer would be that they are there.
            let own = self.machine.features();
            let comma = if own.is_empty() { "" } else { "," };
            ll.text_attribute(func, "target-features", &format!("{own}{comma}-promote-alloca"));
        }
        for (n, p) in f.params.iter().enumerate() {
            let at = n as u32 + 1;
            if let Some(bytes) = p.attrs.byval {
                ll.type_attribute(func, at, "byref", ll.bytes(bytes.into()));
                ll.attribute(func, at, "align", p.attrs.align.max(1).into());
            } else if p.ty.is_ptr() && !p.ty.is_vector() {
                if p.attrs.noalias {
                    ll.attribute(func, at, "noalias", 0);
                }
                if p.attrs.align > 1 {
                    ll.attribute(func, at, "align", p.attrs.align.into());
                }
            }
        }
    }

    fn function(&self, ll: &Ll<'_>, func: Func, ftz: bool) {
        ll.attribute(func, u32::MAX, "convergent", 0);
        if ftz {
            ll.text_attribute(func, "denormal-fp-math-f32", "preserve-sign,preserve-sign");
        }
    }

    fn stack_limit(&self) -> u64 {
        SCRATCH
    }

    fn space(&self, space: AddrSpace) -> u32 {
        SPACES[space as usize].amdgpu.into()
    }

    fn parameter_space(&self, space: AddrSpace) -> AddrSpace {
        // The other spaces begin and end with the kernel.
        if space == AddrSpace::Generic { AddrSpace::Global } else { space }
    }

    fn null_is_zero(&self, space: AddrSpace) -> bool {
        !matches!(space, AddrSpace::Shared | AddrSpace::Private)
    }

    fn inlines_calls(&self) -> bool {
        true
    }

    fn check_global(&self, _: &GlobalData, _: Span) -> Result<(), LlvmError> {
        Ok(())
    }

    fn exports_variables(&self) -> bool {
        true
    }

    fn is_unshared(&self, space: AddrSpace) -> bool {
        space == AddrSpace::Private
    }

    fn fences(&self, _: Scope) -> bool {
        true
    }

    fn scope(&self, scope: Scope) -> &'static str {
        match scope {
            Scope::Group => "workgroup",
            Scope::Device => "agent",
            Scope::System => "",
        }
    }

    fn adds_floats(&self) -> bool {
        true
    }

    fn trap_word(&self) -> Option<TrapWord> {
        None
    }

    fn returns_to_exit(&self) -> bool {
        true
    }

    fn flushes(&self) -> bool {
        // The mode is the kernel's; where the module does not flush, single instructions are flushed by the code.
        self.ftz
    }

    fn converts_half(&self) -> bool {
        true
    }

    fn fuses_half(&self) -> bool {
        true
    }

    fn has_remainder(&self) -> bool {
        false
    }

    fn prefetches(&self) -> bool {
        false
    }

    fn fuses(&self) -> bool {
        true
    }

    fn gathers(&self, _: u32) -> bool {
        false
    }

    fn masks(&self, _: u32) -> bool {
        true
    }

    fn asks_before_stores(&self) -> bool {
        false
    }

    fn scatters(&self, _: u32) -> bool {
        false
    }

    /// LLVM 19 counts equal high bits, zeros or ones, and divides in single precision or in 32 bits what has enough of them:
    /// 0xfffffffe / 15 is not what is left then (llvm-project #116733, #194829). Quotients of 23 and 24 bits are wrong where
    /// the reciprocal's last bit is (#201186, #202753). Later versions of LLVM mend both.
    fn hide(&self) -> Option<fn(&Ll<'_>, Val) -> Val> {
        Some(|ll, word| ll.intrinsic("llvm.amdgcn.alignbyte", &[], &[word, word, ll.iconst(32, 1, 0)]))
    }

    fn estimate_inverse_root(&self, ll: &Ll<'_>, x: Val, lanes: u32) -> Option<Val> {
        (lanes == 1).then(|| ll.intrinsic("llvm.amdgcn.rsq", &[ll.type_of(x)], &[x]))
    }

    fn picks_words(&self, _: u32) -> bool {
        false
    }

    fn pick_words(&self, _: &Ll<'_>, v: Val, _: Val, _: u32) -> Val {
        v
    }

    fn special(&self, ll: &Ll<'_>, reg: SpecialReg, span: Span) -> Result<Val, LlvmError> {
        self.register(ll, reg, span)
    }

    fn intrinsic(&self, ll: &Ll<'_>, call: &Call<'_>) -> Result<Option<Val>, LlvmError> {
        use Intrinsic::*;
        let arg = || (call.arg)(0);
        match call.op {
            Barrier => {
                self.barrier(ll);
                Ok(None)
            }
            BarrierPopc | BarrierAnd | BarrierOr => self.counting_barrier(ll, call).map(Some),
            IsShared | IsCluster => Ok(Some(spaces::is_shared(ll, arg()))),
            IsParam => Ok(Some(ll.iconst(1, call.lanes, 0))),
            IsLocal => Ok(Some(spaces::is_private(ll, arg()))),
            IsGlobal => Ok(Some(spaces::is_global(ll, arg()))),
            IsConst => Ok(Some(spaces::is_constant(ll, arg()))),
            AsyncWaitAll => Ok(None),
            Brkpt => {
                ll.intrinsic("llvm.debugtrap", &[], &[]);
                Ok(None)
            }
            // Units of 64 cycles; the time is a hint.
            Nanosleep | Yield => {
                ll.intrinsic("llvm.amdgcn.s.sleep", &[], &[ll.iconst(32, 1, 2)]);
                Ok(None)
            }
            VPrintf => Err(LlvmError::unsupported(
                "`printf`",
                call.span,
                "write what is wanted into a buffer: output of kernels on AMD GPUs is not there",
            )),
            Exit => Err(LlvmError::unsupported(
                "`exit` in a function that is not inlined",
                call.span,
                "return from the kernel instead",
            )),
            op if op.effects().has(Effects::CONVERGENT) => self.warp_operation(ll, call),
            op => Err(LlvmError::unsupported(
                format!("the operation `{}`", op.name()),
                call.span,
                "give this GPU a version without it, e.g. under `#ifdef __AMDGCN__`",
            )),
        }
    }
}

/// Whether a type is that of an integer.
pub(super) fn is_integer(ll: &Ll<'_>, v: Val) -> bool {
    // SAFETY: the type is the module's.
    unsafe { LLVMGetTypeKind(ll.type_of(v).0) == LLVMTypeKind::LLVMIntegerTypeKind }
}
