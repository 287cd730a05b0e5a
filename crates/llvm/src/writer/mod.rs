//! LLVM IR from IR: what the entry points reach, its globals, its functions. What differs between targets, the writer asks
//! its [`Convention`].

mod approx;
mod atomic;
mod cast;
mod consecutive;
pub(crate) mod convention;
mod debug;
mod dividend;
mod exponent;
mod float;
mod func;
mod globals;
mod int;
mod intrinsic;
mod lanes;
pub(crate) mod ll;
pub(crate) mod loops;
mod memory;
mod narrow;
mod permute;
mod pieces;
mod reach;
mod round;
mod rsqrt;
mod scoped;
mod tables;
#[cfg(test)]
mod tests;
mod unit;
mod vector;

use crate::LlvmError;
use crate::target_machine::owned;
use convention::Convention;
use inkwell::llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use ir::{FuncId, Global, InlineHint, ScalarKind, Type};
use ll::{Func, LLVMLinkage, Ll, Ty, Val};
use reach::Reach;
use rustc_hash::FxHashMap;
use source::SourceMap;
use std::cell::RefCell;
use std::ptr;
pub(crate) use unit::Unit;

/// What all functions of a module share.
pub(super) struct Cx<'a> {
    ll: &'a Ll<'a>,
    module: &'a ir::Module,
    target: &'a dyn Convention,
    request: &'a Request<'a>,
    reach: &'a Reach,
    funcs: FxHashMap<FuncId, Func>,
    globals: FxHashMap<Global, Val>,
    /// Helpers with a rounding mode of their own, by name.
    helpers: RefCell<FxHashMap<String, Func>>,
    debug: Option<debug::Debug<'a>>,
}

/// What to write.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Request<'a> {
    /// Names of the functions that are to be visible outside. What they do not reach is left out.
    pub(crate) entries: &'a [&'a str],
    /// Source lines for debuggers and profilers, from this map.
    pub(crate) debug_lines: Option<&'a SourceMap>,
    /// Whether [variables that outlive kernels](launch::variables) are left out, and referred to.
    pub(crate) import_variables: bool,
}

/// Fills `unit`'s module.
pub(crate) fn write(
    module: &ir::Module,
    target: &dyn Convention,
    request: &Request<'_>,
    unit: &Unit,
) -> Result<(), LlvmError> {
    let reach = reach::reach(module, target, request.entries)?;
    let ll = Ll::new(unit);
    let mut cx = Cx {
        ll: &ll,
        module,
        target,
        request,
        reach: &reach,
        funcs: FxHashMap::default(),
        globals: FxHashMap::default(),
        helpers: RefCell::default(),
        debug: request.debug_lines.map(|map| debug::Debug::new(&ll, map, &module.name)),
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
    for helper in scoped::link(&ll)? {
        cx.common_attributes(helper);
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
            ScalarKind::Ptr => self.ll.ptr(self.target.space(t.space().unwrap_or(ir::AddrSpace::Generic)), n),
            _ => self.ll.int(t.bits(), n),
        }
    }

    fn declare(&self, id: FuncId) -> Func {
        let f = &self.module.functions[id];
        let entry = self.reach.is_entry(id);
        let quick = self.target.is_quick(f);
        let passed = |p: &ir::Param| match p.ty.space() {
            Some(space) if entry && !p.ty.is_vector() => {
                self.ll.ptr(self.target.space(self.target.parameter_space(space)), 1)
            }
            _ => self.ty(p.ty),
        };
        let mut params: Vec<Ty> = f.params.iter().map(passed).collect();
        if let Some(word) = self.target.trap_word().filter(|_| !entry && self.reach.traps(id)) {
            params.push(self.ll.ptr(word.space, 1));
        }
        // A function called `memcpy` must not be what LLVM calls when it copies memory.
        let name = if entry { f.name.clone() } else { format!("unspool.fn.{}", f.name) };
        let func = self.ll.function(&name, self.ll.function_type(self.ty(f.ret), &params));
        if entry {
            self.target.entry(self.ll, func, f);
        } else {
            self.ll.set_linkage(func.value, LLVMLinkage::LLVMInternalLinkage);
            match f.attrs.inline {
                _ if quick => {}
                _ if self.target.inlines_calls() => self.ll.attribute(func, u32::MAX, "alwaysinline", 0),
                InlineHint::Always if !self.target.keeps_calls() => {
                    self.ll.attribute(func, u32::MAX, "alwaysinline", 0);
                }
                InlineHint::Never => self.ll.attribute(func, u32::MAX, "noinline", 0),
                _ => {}
            }
            for (n, p) in f.params.iter().enumerate() {
                if p.ty.is_ptr() && !p.ty.is_vector() && p.attrs.noalias {
                    self.ll.attribute(func, n as u32 + 1, "noalias", 0);
                }
            }
        }
        if quick {
            self.ll.attribute(func, u32::MAX, "optnone", 0);
            self.ll.attribute(func, u32::MAX, "noinline", 0);
        } else if f.attrs.minsize || f.attrs.optsize {
            self.ll.attribute(func, u32::MAX, if f.attrs.minsize { "minsize" } else { "optsize" }, 0);
            self.ll.attribute(func, u32::MAX, "optsize", 0);
        }
        self.common_attributes(func);
        func
    }

    /// Attributes of every function that is made here.
    fn common_attributes(&self, func: Func) {
        self.ll.attribute(func, u32::MAX, "nounwind", 0);
        self.target.function(self.ll, func, self.module.math.ftz);
    }

    /// Bytes that an element takes in memory give its type there: `i1` is a byte.
    fn memory_ty(&self, t: Type) -> Ty {
        if t.scalar() == Type::I1 { self.ll.int(8, u32::from(t.lanes())) } else { self.ty(t) }
    }
}
