//! Metadata, and places of the source.

use super::{Ll, Val};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::{LLVMMetadataReplaceAllUsesWith, LLVMTemporaryMDNode};
use inkwell::llvm_sys::prelude::LLVMMetadataRef;
use smallvec::SmallVec;

impl Ll<'_> {
    pub(crate) fn md_string(&self, text: &str) -> LLVMMetadataRef {
        // SAFETY: see the module's description; LLVM copies the text.
        unsafe { LLVMMDStringInContext2(self.context, text.as_ptr().cast(), text.len()) }
    }

    /// A constant as part of a node.
    pub(crate) fn md_constant(&self, v: Val) -> LLVMMetadataRef {
        // SAFETY: see the module's description.
        unsafe { LLVMValueAsMetadata(v.0) }
    }

    pub(crate) fn md_node(&self, parts: &[LLVMMetadataRef]) -> LLVMMetadataRef {
        let mut raw: SmallVec<[LLVMMetadataRef; 4]> = parts.iter().copied().collect();
        // SAFETY: see the module's description.
        unsafe { LLVMMDNodeInContext2(self.context, raw.as_mut_ptr(), raw.len()) }
    }

    /// A node that is distinct because its first part is itself, as loops have them.
    pub(crate) fn md_self_node(&self, parts: &[LLVMMetadataRef]) -> LLVMMetadataRef {
        // SAFETY: see the module's description; the temporary node is replaced, which disposes of it.
        unsafe {
            let temporary = LLVMTemporaryMDNode(self.context, std::ptr::null_mut(), 0);
            let mut all = vec![temporary];
            all.extend_from_slice(parts);
            let node = self.md_node(&all);
            LLVMMetadataReplaceAllUsesWith(temporary, node);
            node
        }
    }

    /// Hangs metadata of a kind on an instruction.
    pub(crate) fn set_metadata(&self, inst: Val, kind: &str, node: LLVMMetadataRef) {
        if self.is_inst(inst) {
            // SAFETY: see the module's description.
            unsafe {
                let kind = LLVMGetMDKindIDInContext(self.context, kind.as_ptr().cast(), kind.len() as u32);
                LLVMSetMetadata(inst.0, kind, LLVMMetadataAsValue(self.context, node));
            }
        }
    }

    /// Source place of the instructions that are being made; null for none.
    pub(crate) fn location(&self) -> LLVMMetadataRef {
        // SAFETY: see the module's description.
        unsafe { LLVMGetCurrentDebugLocation2(self.builder) }
    }

    /// Source place of the instructions that follow; null for none.
    pub(crate) fn set_location(&self, location: LLVMMetadataRef) {
        // SAFETY: see the module's description.
        unsafe { LLVMSetCurrentDebugLocation2(self.builder, location) };
    }
}
