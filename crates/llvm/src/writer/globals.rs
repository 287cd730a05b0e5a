//! Global variables in global and constant memory, with their initialisers and the addresses in these.

use super::Cx;
use super::ll::{LLVMLinkage, Ty, Val, c_string};
use crate::LlvmError;
use inkwell::llvm_sys::LLVMVisibility;
use inkwell::llvm_sys::core::{
    LLVMAddGlobalInAddressSpace, LLVMConstAddrSpaceCast, LLVMConstGEP2, LLVMConstStringInContext2,
    LLVMConstStructInContext, LLVMSetAlignment, LLVMSetExternallyInitialized, LLVMSetGlobalConstant,
    LLVMSetInitializer, LLVMSetVisibility, LLVMStructTypeInContext,
};
use inkwell::llvm_sys::prelude::LLVMValueRef;
use ir::{AddrSpace, Global, GlobalData, GlobalInit, Linkage};
use launch::variables;
use rustc_hash::FxHashMap;
use source::Span;
use std::ffi::CStr;

/// Most bytes of an initialised variable: what is larger belongs into a buffer.
const MAX_BYTES: u64 = 1 << 30;

pub(super) fn emit(cx: &Cx<'_>) -> Result<FxHashMap<Global, Val>, LlvmError> {
    let mut map = FxHashMap::default();
    let imported = if cx.request.import_variables { variables::shared(cx.module) } else { Vec::new() };
    let exported = if cx.target.exports_variables() { variables::shared(cx.module) } else { Vec::new() };
    let is_imported = |g: &Global| imported.binary_search(g).is_ok();
    for &g in &cx.reach.globals {
        let data = &cx.module.globals[g];
        if is_imported(&g) {
            map.insert(g, import(cx, data));
            continue;
        }
        if data.size > MAX_BYTES {
            return Err(LlvmError::unsupported(
                format!("the variable `{}` of {} bytes", data.name, data.size),
                data.span,
                "use a buffer of the host's",
            ));
        }
        if data.space == AddrSpace::Shared {
            map.insert(g, in_group(cx, data));
            continue;
        }
        // A variable called `tanh` must not stand in the way of the library's function.
        let export = exported.binary_search(&g).is_ok() && data.linkage != Linkage::Internal;
        let name = if export { c_string(&data.name) } else { c_string(&variables::symbol(&data.name)) };
        // The type is that of the initialiser: bytes and addresses; every access goes through a pointer.
        let parts = parts(&data.init, data.size, data.span)?;
        let types: Vec<_> = parts
            .iter()
            .map(|p| match p {
                Part::Bytes(b) => cx.ll.bytes(b.len() as u64).0,
                Part::Zeros(n) => cx.ll.bytes(*n).0,
                Part::Address(..) => cx.ll.ptr(cx.target.space(AddrSpace::Generic), 1).0,
            })
            .collect();
        // SAFETY: types and names belong to the module's context or are copied.
        let value = unsafe {
            let mut types = types;
            let ty = LLVMStructTypeInContext(cx.ll.context, types.as_mut_ptr(), types.len() as u32, 1);
            let value = add(cx, Ty(ty), &name, data);
            LLVMSetGlobalConstant(value.0, data.constant.into());
            value
        };
        if export {
            // SAFETY: it is a variable of the module.
            unsafe {
                LLVMSetVisibility(value.0, LLVMVisibility::LLVMProtectedVisibility);
                LLVMSetExternallyInitialized(value.0, 1);
            }
        } else {
            cx.ll.set_linkage(value, LLVMLinkage::LLVMInternalLinkage);
        }
        map.insert(g, value);
    }
    for &g in cx.reach.globals.iter().filter(|g| !is_imported(g)) {
        let data = &cx.module.globals[g];
        if data.space == AddrSpace::Shared {
            continue;
        }
        initialise(cx, &map, map[&g], &parts(&data.init, data.size, data.span)?);
    }
    Ok(map)
}

/// A variable that whoever loads the code has: of a known alignment, somewhere in the address space.
fn import(cx: &Cx<'_>, data: &GlobalData) -> Val {
    add(cx, cx.ll.bytes(data.size), &c_string(&variables::symbol(&data.name)), data)
}

/// A variable of the work-group: nothing says what it holds at first. One without a size is where the memory begins that
/// the launch adds.
fn in_group(cx: &Cx<'_>, data: &GlobalData) -> Val {
    let ty = cx.ll.bytes(data.size);
    let value = add(cx, ty, &c_string(&variables::symbol(&data.name)), data);
    if data.size > 0 {
        cx.ll.set_linkage(value, LLVMLinkage::LLVMInternalLinkage);
        // SAFETY: the value has the variable's type.
        unsafe { LLVMSetInitializer(value.0, cx.ll.poison(ty).0) };
    }
    value
}

/// A variable without a value.
fn add(cx: &Cx<'_>, ty: Ty, name: &CStr, data: &GlobalData) -> Val {
    // SAFETY: the type belongs to the module's context, the name is copied.
    unsafe {
        let value = LLVMAddGlobalInAddressSpace(cx.ll.module, ty.0, name.as_ptr(), cx.target.space(data.space));
        LLVMSetAlignment(value, data.align);
        Val(value)
    }
}

/// A stretch of an initialiser.
enum Part<'a> {
    Bytes(&'a [u8]),
    Zeros(u64),
    Address(Global, i64),
}

/// An initialiser, cut at its addresses.
fn parts(init: &GlobalInit, size: u64, span: Span) -> Result<Vec<Part<'_>>, LlvmError> {
    let GlobalInit::Bytes(bytes, relocs) = init else { return Ok(vec![Part::Zeros(size)]) };
    let mut relocs: Vec<_> = relocs.iter().collect();
    relocs.sort_by_key(|r| r.offset);
    let mut parts = Vec::new();
    let mut at = 0u64;
    for r in relocs {
        if u64::from(r.offset) < at {
            return Err(LlvmError::unsupported(
                "an initialiser whose addresses overlap",
                span,
                "put each address into eight bytes of its own",
            ));
        }
        push_plain(&mut parts, bytes, at, r.offset.into());
        parts.push(Part::Address(r.global, r.addend));
        at = u64::from(r.offset) + 8;
    }
    push_plain(&mut parts, bytes, at, size);
    Ok(parts)
}

fn push_plain<'a>(parts: &mut Vec<Part<'a>>, bytes: &'a [u8], from: u64, to: u64) {
    let end = to.min(bytes.len() as u64);
    if from < end {
        parts.push(Part::Bytes(&bytes[from as usize..end as usize]));
    }
    if end.max(from) < to {
        parts.push(Part::Zeros(to - end.max(from)));
    }
}

fn initialise(cx: &Cx<'_>, map: &FxHashMap<Global, Val>, value: Val, parts: &[Part<'_>]) {
    let mut fields: Vec<LLVMValueRef> = parts
        .iter()
        .map(|p| match p {
            // SAFETY: LLVM copies the bytes.
            Part::Bytes(b) => unsafe { LLVMConstStringInContext2(cx.ll.context, b.as_ptr().cast(), b.len(), 1) },
            Part::Zeros(n) => cx.ll.zero(cx.ll.bytes(*n)).0,
            Part::Address(g, addend) => {
                let mut index = cx.ll.iconst(64, 1, *addend as u64).0;
                // Addresses in memory are generic ones.
                let generic = cx.ll.ptr(cx.target.space(AddrSpace::Generic), 1);
                // SAFETY: the target is a global of this module, and was made.
                unsafe {
                    let p = LLVMConstGEP2(cx.ll.int(8, 1).0, map[g].0, &mut index, 1);
                    if cx.ll.type_of(Val(p)) == generic { p } else { LLVMConstAddrSpaceCast(p, generic.0) }
                }
            }
        })
        .collect();
    // SAFETY: the fields are constants of the types that the global's type lists.
    unsafe {
        let init = LLVMConstStructInContext(cx.ll.context, fields.as_mut_ptr(), fields.len() as u32, 1);
        LLVMSetInitializer(value.0, init);
    }
}
