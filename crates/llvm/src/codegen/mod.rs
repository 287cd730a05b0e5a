//! LLVM IR from IR: what the entry points reach, its globals, its functions.

mod approx;
mod atomic;
mod cast;
mod consecutive;
mod debug;
mod float;
mod func;
mod globals;
mod int;
mod intrinsic;
mod lanes;
mod memory;
mod narrow;
mod permute;
mod reach;
mod round;
mod rsqrt;
mod vector;

use crate::compiled::Unit;
use crate::ll::{Func, LLVMLinkage, Ll, Ty, Val};
use crate::machine::owned;
use crate::{HostMachine, LlvmError, Options};
use inkwell::llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use ir::{FuncId, Global, InlineHint, ScalarKind, Type};
use reach::Reach;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::ptr;

/// What all functions of a module share.
pub(super) struct Cx<'a> {
    ll: &'a Ll<'a>,
    module: &'a ir::Module,
    machine: &'a HostMachine,
    options: &'a Options<'a>,
    reach: &'a Reach,
    funcs: FxHashMap<FuncId, Func>,
    globals: FxHashMap<Global, Val>,
    /// Helpers with a rounding mode of their own, by name.
    helpers: RefCell<FxHashMap<String, Func>>,
    debug: Option<debug::Debug<'a>>,
}

/// Fills `unit`'s module.
pub(crate) fn emit(
    module: &ir::Module,
    machine: &HostMachine,
    options: &Options<'_>,
    unit: &Unit,
) -> Result<(), LlvmError> {
    let reach = reach::reach(module, options)?;
    let ll = Ll::new(unit);
    let mut cx = Cx {
        ll: &ll,
        module,
        machine,
        options,
        reach: &reach,
        funcs: FxHashMap::default(),
        globals: FxHashMap::default(),
        helpers: RefCell::default(),
        debug: options.debug_lines.map(|map| debug::Debug::new(&ll, map, &module.name)),
    };
    cx.globals = globals::emit(&cx)?;
    for &id in &reach.functions {
        let f = cx.declare(id);
        cx.funcs.insert(id, f);
    }
    for &id in &reach.functions {
        func::emit(&cx, id)?;
    }
    if let Some(debug) = &cx.debug {
        debug.finish();
    }
    verify(unit)
}

fn verify(unit: &Unit) -> Result<(), LlvmError> {
    let mut message = ptr::null_mut();
    // SAFETY: the module is alive; the message is ours whether or not there is an error.
    let (bad, message) = unsafe {
        let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
        (LLVMVerifyModule(unit.module, action, &mut message), owned(message))
    };
    if bad == 0 { Ok(()) } else { Err(LlvmError::Internal { message }) }
}

impl Cx<'_> {
    /// LLVM's type for values of an IR type.
    fn ty(&self, t: Type) -> Ty {
        let n = u32::from(t.lanes());
        match t.kind() {
            ScalarKind::Void => self.ll.void(),
            ScalarKind::F32 | ScalarKind::F64 => self.ll.float(t.bits(), n),
            ScalarKind::Ptr => self.ll.ptr(n),
            _ => self.ll.int(t.bits(), n),
        }
    }

    fn declare(&self, id: FuncId) -> Func {
        let f = &self.module.functions[id];
        let entry = self.reach.is_entry(id);
        let mut params: Vec<Ty> = f.params.iter().map(|p| self.ty(p.ty)).collect();
        if !entry && self.reach.traps(id) {
            params.push(self.ll.ptr(1));
        }
        // A function called `memcpy` must not be what LLVM calls when it copies memory.
        let name = if entry { f.name.clone() } else { format!("unspool.fn.{}", f.name) };
        let func = self.ll.function(&name, self.ll.function_type(self.ty(f.ret), &params));
        if entry {
            // The caller's contract: each thread has blocks of its own, and nobody writes the arguments meanwhile.
            for at in [1, 2] {
                self.ll.attribute(func, at, "noalias", 0);
                self.ll.attribute(func, at, "nonnull", 0);
                self.ll.attribute(func, at, "noundef", 0);
            }
            self.ll.attribute(func, 1, "readonly", 0);
        } else {
            self.ll.set_linkage(func.value, LLVMLinkage::LLVMInternalLinkage);
            match f.attrs.inline {
                InlineHint::Always => self.ll.attribute(func, u32::MAX, "alwaysinline", 0),
                InlineHint::Never => self.ll.attribute(func, u32::MAX, "noinline", 0),
                _ => {}
            }
            for (n, p) in f.params.iter().enumerate() {
                if p.ty.is_ptr() && !p.ty.is_vector() && p.attrs.noalias {
                    self.ll.attribute(func, n as u32 + 1, "noalias", 0);
                }
            }
        }
        if f.attrs.minsize || f.attrs.optsize {
            self.ll.attribute(func, u32::MAX, if f.attrs.minsize { "minsize" } else { "optsize" }, 0);
            self.ll.attribute(func, u32::MAX, "optsize", 0);
        }
        self.common_attributes(func);
        func
    }

    /// Attributes of every function that is made here.
    fn common_attributes(&self, func: Func) {
        self.ll.attribute(func, u32::MAX, "nounwind", 0);
        let width = self.machine.vectors().vector_bits.to_string();
        if self.machine.is_x86() {
            // Without these LLVM splits vectors of 512 bits on processors that it thinks are better off with 256.
            self.ll.text_attribute(func, "min-legal-vector-width", &width);
            self.ll.text_attribute(func, "prefer-vector-width", &width);
        }
        if self.module.math.ftz && self.options.denormals == crate::Denormals::Environment {
            self.ll.text_attribute(func, "denormal-fp-math-f32", "preserve-sign,preserve-sign");
        }
    }

    /// Bytes that an element takes in memory give its type there: `i1` is a byte.
    fn memory_ty(&self, t: Type) -> Ty {
        if t.scalar() == Type::I1 { self.ll.int(8, u32::from(t.lanes())) } else { self.ty(t) }
    }
}
