//! Blocks, branches and phis.

use super::{Bb, Func, Ll, NAME, Ty, Val};
use inkwell::llvm_sys::core::*;

impl Ll<'_> {
    /// A block at the end of a function.
    pub(crate) fn block(&self, f: Func) -> Bb {
        // SAFETY: see the module's description.
        Bb(unsafe { LLVMAppendBasicBlockInContext(self.context, f.value.0, NAME) })
    }

    /// Continues at the end of a block.
    pub(crate) fn at_end(&self, b: Bb) {
        // SAFETY: see the module's description.
        unsafe { LLVMPositionBuilderAtEnd(self.builder, b.0) };
    }

    /// Continues before an instruction.
    pub(crate) fn before(&self, inst: Val) {
        // SAFETY: see the module's description; callers pass instructions.
        unsafe { LLVMPositionBuilderBefore(self.builder, inst.0) };
    }

    /// The block that is being filled.
    pub(crate) fn current(&self) -> Bb {
        // SAFETY: see the module's description.
        Bb(unsafe { LLVMGetInsertBlock(self.builder) })
    }

    pub(crate) fn jump(&self, to: Bb) -> Val {
        // SAFETY: see the module's description.
        Val(unsafe { LLVMBuildBr(self.builder, to.0) })
    }

    pub(crate) fn branch(&self, cond: Val, yes: Bb, no: Bb) -> Val {
        // SAFETY: see the module's description.
        Val(unsafe { LLVMBuildCondBr(self.builder, cond.0, yes.0, no.0) })
    }

    /// A branch that LLVM lays out for `no`.
    pub(crate) fn branch_unlikely(&self, cond: Val, yes: Bb, no: Bb) {
        let branch = self.branch(cond, yes, no);
        let weight = |n| self.md_constant(self.iconst(32, 1, n));
        self.set_metadata(
            branch,
            "prof",
            self.md_node(&[self.md_string("branch_weights"), weight(1), weight(1 << 20)]),
        );
    }

    pub(crate) fn switch(&self, v: Val, default: Bb, cases: &[(Val, Bb)]) -> Val {
        // SAFETY: see the module's description.
        unsafe {
            let s = LLVMBuildSwitch(self.builder, v.0, default.0, cases.len() as u32);
            for (value, to) in cases {
                LLVMAddCase(s, value.0, to.0);
            }
            Val(s)
        }
    }

    pub(crate) fn ret(&self, v: Option<Val>) {
        // SAFETY: see the module's description.
        unsafe {
            match v {
                Some(v) => LLVMBuildRet(self.builder, v.0),
                None => LLVMBuildRetVoid(self.builder),
            };
        }
    }

    pub(crate) fn unreachable(&self) {
        // SAFETY: see the module's description.
        unsafe { LLVMBuildUnreachable(self.builder) };
    }

    /// A phi without predecessors so far.
    pub(crate) fn phi(&self, ty: Ty) -> Val {
        // SAFETY: see the module's description.
        Val(unsafe { LLVMBuildPhi(self.builder, ty.0, NAME) })
    }

    pub(crate) fn add_incoming(&self, phi: Val, v: Val, from: Bb) {
        let (mut v, mut b) = (v.0, from.0);
        // SAFETY: callers pass results of `phi`.
        unsafe { LLVMAddIncoming(phi.0, &mut v, &mut b, 1) };
    }
}
