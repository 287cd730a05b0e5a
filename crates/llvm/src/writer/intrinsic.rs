//! Target operations and special registers.

use super::convention::Call;
use super::func::FuncGen;
use super::ll::{Ipred, Val};
use super::narrow::is_16;
use crate::LlvmError;
use ir::{Flags, Inst, Intrinsic, Opcode, ScalarKind, Type};

/// Width and lanes of an operation's result.
#[derive(Clone, Copy)]
struct Shape {
    bits: u32,
    lanes: u32,
}

impl FuncGen<'_> {
    /// Operand `n` as an integer of a width, zero-extended or cut off.
    fn operand(&self, i: Inst, n: usize, bits: u32) -> Val {
        let ty = self.arg_ty(i, n);
        let (v, to) = (self.arg(i, n), self.ll.int(bits, ty.lanes().into()));
        match ty.bits() {
            b if b < bits => self.ll.zext(v, to),
            b if b > bits => self.ll.trunc(v, to),
            _ => v,
        }
    }

    pub(super) fn intrinsic(&mut self, i: Inst) -> Result<Option<Val>, LlvmError> {
        use Intrinsic::*;
        let ll = self.ll;
        let data = &self.f.dfg.insts[i];
        let ty = data.ty;
        let Some(op) = data.intrinsic() else { return Ok(None) };
        let shape = Shape { bits: ty.bits(), lanes: ty.lanes().into() };
        Ok(Some(match op {
            SinApprox | CosApprox | Ex2Approx | Lg2Approx | TanhApprox | RcpApprox | RsqrtApprox | SqrtApprox
            | DivApprox | DivFull | RcpRn => self.approximate(i, op),
            Scale | Exponent | Significand => self.exponents(i, op),
            BfeS | BfeU => self.extract_field(i, op == BfeS, shape),
            Bfi => self.insert_field(i, shape),
            Prmt => self.permute_bytes(i, shape),
            SadS | SadU => {
                let (max, min) = if op == SadS { ("llvm.smax", "llvm.smin") } else { ("llvm.umax", "llvm.umin") };
                let (a, b, t) = (self.arg(i, 0), self.arg(i, 1), self.cx.ty(ty));
                let difference = ll.sub(ll.intrinsic(max, &[t], &[a, b]), ll.intrinsic(min, &[t], &[a, b]));
                ll.add(difference, self.arg(i, 2))
            }
            Mul24S | Mul24U => {
                let up = |n| {
                    let top = ll.shl(self.arg(i, n), ll.iconst(shape.bits, shape.lanes, 8));
                    let back = ll.iconst(shape.bits, shape.lanes, 8);
                    if op == Mul24S { ll.ashr(top, back) } else { ll.lshr(top, back) }
                };
                if shape.bits != 32 {
                    return Err(self.unsupported(i, "a 24-bit product that is not of 32 bits", "use `*`"));
                }
                ll.mul(up(0), up(1))
            }
            Dp4aS | Dp4aU => self.dot(i, 8, 4, op == Dp4aS, shape),
            Dp2aS | Dp2aU => self.dot(i, 16, 2, op == Dp2aS, shape),
            CheckFences | CheckIndex | CheckCopyEnd | CheckWait => return Ok(None),
            CheckCopy => ll.zero(self.cx.ty(ty)),
            PrefetchL1 | PrefetchL2 if !self.cx.target.prefetches() => return Ok(None),
            PrefetchL1 | PrefetchL2 => {
                let near = if op == PrefetchL1 { 3 } else { 2 };
                let c = |n| ll.iconst(32, 1, n);
                let ptr = self.arg(i, 0);
                ll.intrinsic("llvm.prefetch", &[ll.type_of(ptr)], &[ptr, c(0), c(near), c(1)]);
                return Ok(None);
            }
            _ => {
                let call = Call { op, arg: &|n| self.arg(i, n), lanes: shape.lanes, span: self.f.dfg.span(i) };
                return self.cx.target.intrinsic(ll, &call);
            }
        }))
    }

    pub(super) fn special(&mut self, i: Inst) -> Result<Val, LlvmError> {
        match self.f.dfg.insts[i].special() {
            Some(reg) => self.cx.target.special(self.ll, reg, self.f.dfg.span(i)),
            None => Ok(self.ll.zero(self.cx.ty(self.f.dfg.insts[i].ty))),
        }
    }

    // ---- bits -------------------------------------------------------------------------------------------------------

    /// The low `len` bits set, all of them from the width on.
    fn low_ones(&self, len: Val, shape: Shape) -> Val {
        let ll = self.ll;
        let c = |n: u64| ll.iconst(shape.bits, shape.lanes, n);
        let fits = ll.icmp(Ipred::LLVMIntULT, len, c(shape.bits.into()));
        let some = ll.sub(ll.shl(c(1), len), c(1));
        ll.select(fits, some, c(u64::MAX))
    }

    /// Position or length: the low 8 bits count.
    fn small_operand(&self, i: Inst, n: usize, shape: Shape) -> Val {
        self.ll.and(self.operand(i, n, shape.bits), self.ll.iconst(shape.bits, shape.lanes, 255))
    }

    fn extract_field(&self, i: Inst, is_signed: bool, shape: Shape) -> Val {
        let ll = self.ll;
        let c = |n: u64| ll.iconst(shape.bits, shape.lanes, n);
        let ty = ll.int(shape.bits, shape.lanes);
        let (v, pos, len) = (self.arg(i, 0), self.small_operand(i, 1, shape), self.small_operand(i, 2, shape));
        let width = c(shape.bits.into());
        if !is_signed {
            let inside = ll.icmp(Ipred::LLVMIntULT, pos, width);
            let moved = ll.select(inside, ll.lshr(v, pos), c(0));
            return ll.and(moved, self.low_ones(len, shape));
        }
        let last = c(u64::from(shape.bits) - 1);
        let moved = ll.ashr(v, ll.intrinsic("llvm.umin", &[ty], &[pos, last]));
        // The field's sign, brought to the top and back; a field as wide as the word has it there.
        let len_in = ll.intrinsic("llvm.umin", &[ty], &[len, width]);
        let empty = ll.icmp(Ipred::LLVMIntEQ, len, c(0));
        let by = ll.and(ll.sub(width, len_in), last);
        ll.select(empty, c(0), ll.ashr(ll.shl(moved, by), by))
    }

    fn insert_field(&self, i: Inst, shape: Shape) -> Val {
        let ll = self.ll;
        let c = |n: u64| ll.iconst(shape.bits, shape.lanes, n);
        let (pos, len) = (self.small_operand(i, 2, shape), self.small_operand(i, 3, shape));
        let inside = ll.icmp(Ipred::LLVMIntULT, pos, c(shape.bits.into()));
        let place = |v| ll.select(inside, ll.shl(v, pos), c(0));
        let mask = place(self.low_ones(len, shape));
        let field = ll.and(place(self.arg(i, 0)), mask);
        ll.or(field, ll.and(self.arg(i, 1), ll.not(mask)))
    }

    fn permute_bytes(&self, i: Inst, shape: Shape) -> Val {
        let ll = self.ll;
        let long = ll.int(64, shape.lanes);
        let c = |n: u64| ll.iconst(64, shape.lanes, n);
        let up = |n| self.operand(i, n, 64);
        let source = ll.or(up(0), ll.shl(up(1), c(32)));
        let selector = up(2);
        let mut out = ll.zero(long);
        for n in 0..4 {
            let pick = ll.and(ll.lshr(selector, c(4 * n)), c(15));
            let byte = ll.and(ll.lshr(source, ll.shl(ll.and(pick, c(7)), c(3))), c(255));
            // With bit 3 set the byte's sign fills it.
            let negative = ll.icmp(Ipred::LLVMIntUGE, byte, c(0x80));
            let filled = ll.select(negative, c(255), c(0));
            let plain = ll.icmp(Ipred::LLVMIntULT, pick, c(8));
            out = ll.or(out, ll.shl(ll.select(plain, byte, filled), c(8 * n)));
        }
        ll.trunc(out, ll.int(32, shape.lanes))
    }

    /// Products of parts `width` bits wide of the first operand with bytes of the second, summed onto the third.
    fn dot(&self, i: Inst, width: u32, parts: u32, is_signed: bool, shape: Shape) -> Val {
        let ll = self.ll;
        let c = |n: u32| ll.iconst(shape.bits, shape.lanes, n.into());
        let part = |v: Val, width: u32, n: u32| {
            let top = ll.shl(v, c(shape.bits - (n + 1) * width));
            let down = c(shape.bits - width);
            if is_signed { ll.ashr(top, down) } else { ll.lshr(top, down) }
        };
        let (a, b) = (self.arg(i, 0), self.arg(i, 1));
        (0..parts).fold(self.arg(i, 2), |sum, n| ll.add(sum, ll.mul(part(a, width, n), part(b, 8, n))))
    }

    // ---- approximations ---------------------------------------------------------------------------------------------

    fn approximate(&mut self, i: Inst, op: Intrinsic) -> Val {
        use Intrinsic::*;
        let data = &self.f.dfg.insts[i];
        let ty: Type = data.ty;
        let lanes = u32::from(ty.lanes());
        if op == RsqrtApprox && ty.kind() == ScalarKind::F32 {
            let flags = data.flags;
            let x = self.flush(self.arg(i, 0), ty, flags);
            let v = self.inverse_root(x, lanes, flags);
            return self.finish_float(v, ty, flags);
        }
        let arg = |n: usize| self.flush(self.arg(i, n), ty, data.flags);
        if ty.kind() == ScalarKind::F64 && matches!(op, RsqrtApprox | SqrtApprox) {
            let v = match op {
                RsqrtApprox => self.inverse_root_double(arg(0), lanes, data.flags),
                _ => self.near_root(arg(0), lanes, data.flags.has(Flags::OF_POSITIVE)),
            };
            if let Some(v) = v {
                return self.finish_float(v, ty, data.flags);
            }
        }
        let one = || {
            let bits = if ty.kind() == ScalarKind::F64 { 64 } else { 32 };
            self.cx.narrow(self.ll.fconst(bits, lanes, 1.0), bits, ty.kind(), lanes)
        };
        let plain = |op, args: &[Val]| self.arithmetic(op, data.flags, ty, args);
        let v = match op {
            RcpApprox | RcpRn => plain(Opcode::FDiv, &[one(), arg(0)]),
            RsqrtApprox => plain(Opcode::FDiv, &[one(), plain(Opcode::FSqrt, &[arg(0)])]),
            SqrtApprox => plain(Opcode::FSqrt, &[arg(0)]),
            DivApprox | DivFull => plain(Opcode::FDiv, &[arg(0), arg(1)]),
            _ => {
                // Doubles have no such operation on GPUs either; single precision is what is promised.
                let x = arg(0);
                let x = match ty.kind() {
                    ScalarKind::F64 => self.ll.fptrunc(x, self.ll.float(32, lanes)),
                    kind => self.cx.widen(x, kind, lanes, 32),
                };
                let v = match op {
                    SinApprox => self.cx.sine(x, lanes, false),
                    CosApprox => self.cx.sine(x, lanes, true),
                    Ex2Approx => self.cx.exp2(x, lanes),
                    Lg2Approx => self.cx.log2(x, lanes),
                    _ => self.cx.tanh(x, lanes),
                };
                match ty.kind() {
                    ScalarKind::F64 => self.ll.fpext(v, self.ll.float(64, lanes)),
                    kind if is_16(kind) => self.cx.narrow(v, 32, kind, lanes),
                    _ => v,
                }
            }
        };
        self.finish_float(v, ty, data.flags)
    }
}
