//! Atomics and fences with a scope.
//!
//! LLVM 19's C interface can make them for one thread and for everybody only. So each kind that a module needs is a small
//! function, written as text, read by LLVM's parser, linked into the module and inlined by the first pass.

use super::ll::{Func, LLVMLinkage, LLVMTypeKind, Ll, Ordering, RmwOp, Ty, Val};
use crate::LlvmError;
use crate::target_machine::owned;
use inkwell::llvm_sys::core::{
    LLVMCreateMemoryBufferWithMemoryRangeCopy, LLVMGetIntTypeWidth, LLVMGetNamedFunction, LLVMGetPointerAddressSpace,
    LLVMGetTypeKind, LLVMGlobalGetValueType,
};
use inkwell::llvm_sys::ir_reader::LLVMParseIRInContext;
use inkwell::llvm_sys::linker::LLVMLinkModules2;
use std::ptr;

fn order_name(order: Ordering) -> &'static str {
    match order {
        Ordering::LLVMAtomicOrderingAcquire => "acquire",
        Ordering::LLVMAtomicOrderingRelease => "release",
        Ordering::LLVMAtomicOrderingAcquireRelease => "acq_rel",
        Ordering::LLVMAtomicOrderingSequentiallyConsistent => "seq_cst",
        _ => "monotonic",
    }
}

fn op_name(op: RmwOp) -> &'static str {
    match op {
        RmwOp::LLVMAtomicRMWBinOpXchg => "xchg",
        RmwOp::LLVMAtomicRMWBinOpAdd => "add",
        RmwOp::LLVMAtomicRMWBinOpSub => "sub",
        RmwOp::LLVMAtomicRMWBinOpAnd => "and",
        RmwOp::LLVMAtomicRMWBinOpNand => "nand",
        RmwOp::LLVMAtomicRMWBinOpOr => "or",
        RmwOp::LLVMAtomicRMWBinOpXor => "xor",
        RmwOp::LLVMAtomicRMWBinOpMax => "max",
        RmwOp::LLVMAtomicRMWBinOpMin => "min",
        RmwOp::LLVMAtomicRMWBinOpUMax => "umax",
        RmwOp::LLVMAtomicRMWBinOpUMin => "umin",
        RmwOp::LLVMAtomicRMWBinOpFAdd => "fadd",
        RmwOp::LLVMAtomicRMWBinOpFSub => "fsub",
        RmwOp::LLVMAtomicRMWBinOpFMax => "fmax",
        RmwOp::LLVMAtomicRMWBinOpFMin => "fmin",
        RmwOp::LLVMAtomicRMWBinOpUIncWrap => "uinc_wrap",
        RmwOp::LLVMAtomicRMWBinOpUDecWrap => "udec_wrap",
    }
}

/// A type of atomics as text, and its bytes.
fn scalar(ty: Ty) -> (String, u32) {
    // SAFETY: types of the module; widths are asked of integers only.
    unsafe {
        match LLVMGetTypeKind(ty.0) {
            LLVMTypeKind::LLVMFloatTypeKind => ("float".to_owned(), 4),
            LLVMTypeKind::LLVMDoubleTypeKind => ("double".to_owned(), 8),
            _ => {
                let bits = LLVMGetIntTypeWidth(ty.0);
                (format!("i{bits}"), bits.div_ceil(8))
            }
        }
    }
}

/// The number of the address space that a pointer points into.
fn space(ll: &Ll<'_>, ptr: Val) -> u32 {
    // SAFETY: callers pass pointers.
    unsafe { LLVMGetPointerAddressSpace(ll.type_of(ptr).0) }
}

impl Ll<'_> {
    /// A function with this body, which is linked in at the end.
    fn text_function(&self, name: &str, ty: Ty, text: impl FnOnce() -> String) -> Func {
        self.texts.borrow_mut().entry(name.to_owned()).or_insert_with(text);
        self.function(name, ty)
    }

    pub(super) fn rmw_scoped(&self, op: RmwOp, ptr: Val, v: Val, order: Ordering, scope: &'static str) -> Val {
        let ((ty, bytes), space) = (scalar(self.type_of(v)), space(self, ptr));
        let (op, order) = (op_name(op), order_name(order));
        let name = format!("unspool.{op}.{ty}.p{space}.{order}.{scope}");
        let signature = self.function_type(self.type_of(v), &[self.type_of(ptr), self.type_of(v)]);
        let f = self.text_function(&name, signature, || {
            format!(
                "define {ty} @\"{name}\"(ptr addrspace({space}) %p, {ty} %v) alwaysinline {{\n  %r = atomicrmw {op} ptr \
                 addrspace({space}) %p, {ty} %v syncscope(\"{scope}\") {order}, align {bytes}\n  ret {ty} %r\n}}\n"
            )
        });
        self.call(f, &[ptr, v])
    }

    pub(super) fn cmpxchg_scoped(
        &self,
        ptr: Val,
        expected: Val,
        new: Val,
        orders: (Ordering, Ordering),
        scope: &'static str,
    ) -> (Val, Val) {
        let ((ty, bytes), space) = (scalar(self.type_of(new)), space(self, ptr));
        let (order, failure) = (order_name(orders.0), order_name(orders.1));
        let name = format!("unspool.cas.{ty}.p{space}.{order}.{failure}.{scope}");
        let of = self.type_of(new);
        let signature = self.function_type(of, &[self.type_of(ptr), of, of]);
        let f = self.text_function(&name, signature, || {
            format!(
                "define {ty} @\"{name}\"(ptr addrspace({space}) %p, {ty} %e, {ty} %n) alwaysinline {{\n  %r = cmpxchg ptr \
                 addrspace({space}) %p, {ty} %e, {ty} %n syncscope(\"{scope}\") {order} {failure}, align {bytes}\n  %o = \
                 extractvalue {{ {ty}, i1 }} %r, 0\n  ret {ty} %o\n}}\n"
            )
        });
        let old = self.call(f, &[ptr, expected, new]);
        (old, self.icmp(super::ll::Ipred::LLVMIntEQ, old, expected))
    }

    pub(super) fn fence_scoped(&self, order: Ordering, scope: &'static str) {
        let order = order_name(order);
        let name = format!("unspool.fence.{order}.{scope}");
        let f = self.text_function(&name, self.function_type(self.void(), &[]), || {
            format!(
                "define void @\"{name}\"() alwaysinline {{\n  fence syncscope(\"{scope}\") {order}\n  ret void\n}}\n"
            )
        });
        self.call(f, &[]);
    }
}

/// Gives the functions with texts their bodies. They are internal afterwards.
pub(super) fn link(ll: &Ll<'_>) -> Result<Vec<Func>, LlvmError> {
    let texts = ll.texts.borrow();
    if texts.is_empty() {
        return Ok(Vec::new());
    }
    let all: String = texts.values().map(String::as_str).collect();
    // SAFETY: the text is copied into a buffer that the parser takes; the parsed module is of our context and the linker
    // takes it; the functions that are asked for were declared.
    unsafe {
        let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(all.as_ptr().cast(), all.len(), c"scoped".as_ptr());
        let (mut module, mut message) = (ptr::null_mut(), ptr::null_mut());
        if LLVMParseIRInContext(ll.context, buffer, &mut module, &mut message) != 0 {
            return Err(LlvmError::Internal { message: owned(message) });
        }
        if LLVMLinkModules2(ll.module, module) != 0 {
            return Err(LlvmError::Internal { message: "atomics with scopes cannot be linked in".to_owned() });
        }
        let found = texts.keys().map(|name| {
            let value = Val(LLVMGetNamedFunction(ll.module, super::ll::c_string(name).as_ptr()));
            ll.set_linkage(value, LLVMLinkage::LLVMInternalLinkage);
            Func { value, ty: Ty(LLVMGlobalGetValueType(value.0)) }
        });
        Ok(found.collect())
    }
}
