//! Arithmetic in rounding modes other than to nearest.
//!
//! The machine's mode is set, one operation is done, and the mode is reset, in a helper function of its own: LLVM orders
//! nothing but constrained operations around a change of the mode, so no other arithmetic may stand beside them. Slow,
//! and exact in every case. 16-bit formats do the operation in `f64` and round its result, in the same mode, once more,
//! which gives what one rounding would have given.

use super::Cx;
use super::func::FuncGen;
use super::ll::{Func, LLVMLinkage, Val};
use super::narrow::is_16;
use inkwell::llvm_sys::core::{LLVMAddCallSiteAttribute, LLVMMetadataAsValue};
use ir::{Opcode, Round, ScalarKind, Type};
use smallvec::SmallVec;

/// `llvm.set.rounding`'s numbers.
fn mode(round: Round) -> u64 {
    match round {
        Round::Zero => 0,
        Round::NearestEven => 1,
        Round::Up => 2,
        Round::Down => 3,
    }
}

impl FuncGen<'_> {
    /// An operation on floats rounded as asked.
    pub(super) fn directed(&self, op: Opcode, round: Round, ty: Type, args: &[Val]) -> Val {
        let lanes = ty.lanes().into();
        let bits = if ty.kind() == ScalarKind::F32 { 32 } else { 64 };
        let f = self.cx.rounding_helper(op, round, bits, lanes, args.len());
        let up: SmallVec<[Val; 3]> = args.iter().map(|&v| self.cx.widen(v, ty.kind(), lanes, bits)).collect();
        let v = self.ll.call(f, &up);
        if is_16(ty.kind()) { self.cx.narrow_directed(v, 64, ty.kind(), lanes, round) } else { v }
    }
}

impl Cx<'_> {
    fn rounding_helper(&self, op: Opcode, round: Round, bits: u32, lanes: u32, operands: usize) -> Func {
        let name = format!("unspool.{}.{}.f{bits}x{lanes}", op.name(), round.name());
        if let Some(&f) = self.helpers.borrow().get(&name) {
            return f;
        }
        let ll = self.ll;
        let ty = ll.float(bits, lanes);
        let f = ll.function(&name, ll.function_type(ty, &vec![ty; operands]));
        ll.set_linkage(f.value, LLVMLinkage::LLVMInternalLinkage);
        ll.attribute(f, u32::MAX, "noinline", 0);
        ll.attribute(f, u32::MAX, "strictfp", 0);
        self.common_attributes(f);
        let here = ll.current();
        let location = ll.location();
        ll.set_location(std::ptr::null_mut());
        ll.at_end(ll.block(f));
        let text = |t: &str| {
            // SAFETY: context and metadata are the module's.
            Val(unsafe { LLVMMetadataAsValue(ll.context, ll.md_string(t)) })
        };
        let mut args: SmallVec<[Val; 5]> = (0..operands as u32).map(|n| ll.param(f, n)).collect();
        args.push(text("round.dynamic"));
        args.push(text("fpexcept.ignore"));
        let operation = match op {
            Opcode::FAdd => "llvm.experimental.constrained.fadd",
            Opcode::FSub => "llvm.experimental.constrained.fsub",
            Opcode::FMul => "llvm.experimental.constrained.fmul",
            Opcode::FDiv => "llvm.experimental.constrained.fdiv",
            Opcode::FSqrt => "llvm.experimental.constrained.sqrt",
            // The verifier allows no other opcode a rounding mode here.
            _ => "llvm.experimental.constrained.fma",
        };
        let set = |n| self.strict(ll.intrinsic("llvm.set.rounding", &[], &[ll.iconst(32, 1, n)]));
        set(mode(round));
        let v = self.strict(ll.intrinsic(operation, &[ty], &args));
        set(mode(Round::NearestEven));
        ll.ret(Some(v));
        ll.at_end(here);
        ll.set_location(location);
        self.helpers.borrow_mut().insert(name, f);
        f
    }

    /// Calls in functions with `strictfp` must say so themselves.
    fn strict(&self, call: Val) -> Val {
        let a = self.ll.enum_attribute("strictfp", 0);
        // SAFETY: callers pass calls; the attribute is the context's.
        unsafe { LLVMAddCallSiteAttribute(call.0, u32::MAX, a) };
        call
    }
}
