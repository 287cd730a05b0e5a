//! Target operations: barriers, warp operations, approximations, bit fields, and the like.

use crate::error::EmitError;
use crate::func::Fx;
use crate::regs::{Class, Opnd};
use ir::{Flags, Inst, Intrinsic, Type};
use target::Feature;

impl Fx<'_> {
    /// Writes a target operation.
    pub(crate) fn intrinsic(&mut self, i: Inst) -> Result<(), EmitError> {
        let f = self.f;
        let Some(op) = f.dfg.insts[i].intrinsic() else { return Ok(()) };
        let args: Vec<Type> = f.dfg.args(i).iter().map(|&v| f.dfg.ty(v)).collect();
        if !types_fit(op, &args, f.dfg.insts[i].ty) {
            return Err(EmitError::unsupported(
                format!("`{}` on these types", op.name()),
                f.dfg.span(i),
                "convert the operands, and apply it to each component of a vector",
            ));
        }
        let o = self.intrinsic_op(i, op)?;
        if let Some(v) = f.dfg.result(i) {
            self.set(v, o.unwrap_or(Opnd::constant(f.dfg.ty(v), 0)));
        }
        Ok(())
    }

    fn intrinsic_op(&mut self, i: Inst, op: Intrinsic) -> Result<Option<Opnd>, EmitError> {
        use Intrinsic::*;
        let args = self.f.dfg.args(i);
        let operands: Vec<Opnd> = match op {
            _ if op.is_matrix() || op.is_exponent() => Vec::new(),
            // Pointers are written as addresses.
            VPrintf | PrefetchL1 | PrefetchL2 | IsGlobal | IsShared | IsConst | IsLocal | IsCluster | IsParam => {
                Vec::new()
            }
            _ if op.is_check() => return Ok(None),
            _ => args.iter().map(|&v| self.operand(v, 0)).collect(),
        };
        let o = operands.as_slice();
        Ok(match op {
            Barrier | BarrierPopc | BarrierAnd | BarrierOr | WarpSync => self.barrier(op, o),
            ShflIdx | ShflUp | ShflDown | ShflBfly => Some(self.shuffle(i, op, o)?),
            VoteAll | VoteAny | VoteUni | Ballot | ActiveMask | MatchAny | MatchAll => Some(self.vote(i, op, o)?),
            ReduxAdd | ReduxSMin | ReduxSMax | ReduxUMin | ReduxUMax | ReduxAnd | ReduxOr | ReduxXor => {
                self.require(Feature::Redux, i)?;
                Some(self.op(Class::B32, &["redux.sync", redux_suffix(op)], &[o[1], o[0]]))
            }
            SinApprox | CosApprox | Ex2Approx | Lg2Approx | RcpApprox | RsqrtApprox | SqrtApprox | TanhApprox
            | RcpRn => Some(self.approximation(i, op, o[0])?),
            DivApprox | DivFull => {
                self.only_f32(i, op)?;
                let ftz = self.ftz(self.f.dfg.insts[i].flags);
                let kind = if op == DivApprox { "div.approx" } else { "div.full" };
                Some(self.op(Class::F32, &[kind, ftz, ".f32"], &[o[0], o[1]]))
            }
            BfeS | BfeU | Bfi => Some(self.bit_field(i, op, o)),
            Prmt => Some(self.op(Class::B32, &["prmt.b32"], o)),
            SadS => Some(self.op(Class::B32, &["sad.s32"], o)),
            SadU => Some(self.op(Class::B32, &["sad.u32"], o)),
            Mul24S => Some(self.op(Class::B32, &["mul24.lo.s32"], o)),
            Mul24U => Some(self.op(Class::B32, &["mul24.lo.u32"], o)),
            Dp4aS | Dp4aU | Dp2aS | Dp2aU => {
                self.require(Feature::DotProduct, i)?;
                Some(self.op(Class::B32, &[dot_product(op)], o))
            }
            IsGlobal | IsShared | IsConst | IsLocal | IsCluster | IsParam => Some(self.is_space(i, op)),
            VPrintf => Some(self.vprintf(i)?),
            Trap => {
                self.trap(i);
                None
            }
            Exit => self.statement("exit"),
            Brkpt => self.statement("brkpt"),
            Nanosleep => {
                self.require(Feature::Nanosleep, i)?;
                self.line(&["nanosleep.u32"], o);
                None
            }
            PrefetchL1 | PrefetchL2 => self.prefetch(i, op),
            Scale | Exponent | Significand => {
                return Err(EmitError::unsupported(
                    format!("`{}`", op.name()),
                    self.f.dfg.span(i),
                    "it is for hosts; GPUs have the functions of their own library",
                ));
            }
            MatrixF16 | MatrixBf16 | MatrixS8 | MatrixU8 => return Err(no_matrix(op, self.f.dfg.span(i))),
            AsyncWaitAll => {
                self.require(Feature::AsyncCopy, i)?;
                self.statement("cp.async.wait_all")
            }
            CheckFences | CheckIndex | CheckCopy | CheckCopyEnd | CheckWait | Yield => None,
        })
    }

    fn statement(&mut self, text: &str) -> Option<Opnd> {
        self.line(&[text], &[]);
        None
    }

    fn only_f32(&self, i: Inst, op: Intrinsic) -> Result<(), EmitError> {
        let d = &self.f.dfg.insts[i];
        if d.ty == Type::F32 {
            return Ok(());
        }
        Err(EmitError::unsupported(
            format!("`{}` on `{}`", op.name(), d.ty),
            self.f.dfg.span(i),
            "PTX has it for single precision only: convert to float, or use the precise function",
        ))
    }

    // ---- barriers and warps -------------------------------------------------------------------------------------

    fn barrier(&mut self, op: Intrinsic, o: &[Opnd]) -> Option<Opnd> {
        match op {
            Intrinsic::Barrier => self.line(&["bar.sync"], o),
            Intrinsic::WarpSync => self.line(&["bar.warp.sync"], o),
            Intrinsic::BarrierPopc => {
                return Some(self.op(Class::B32, &["bar.red.popc.u32"], &[Opnd::Int(0), o[0]]));
            }
            _ => {
                let name = if op == Intrinsic::BarrierAnd { "bar.red.and.pred" } else { "bar.red.or.pred" };
                return Some(self.op(Class::Pred, &[name], &[Opnd::Int(0), o[0]]));
            }
        }
        None
    }

    fn shuffle(&mut self, i: Inst, op: Intrinsic, o: &[Opnd]) -> Result<Opnd, EmitError> {
        let ty = self.f.dfg.insts[i].ty;
        let name = match op {
            Intrinsic::ShflIdx => "shfl.sync.idx.b32",
            Intrinsic::ShflUp => "shfl.sync.up.b32",
            Intrinsic::ShflDown => "shfl.sync.down.b32",
            _ => "shfl.sync.bfly.b32",
        };
        let [mask, value, lane, clamp] = [o[0], o[1], o[2], o[3]];
        if ty.bits() != 32 {
            return self.shuffle_other(ty, name, [mask, value, lane, clamp], i);
        }
        let value = self.in_register(value, ty);
        Ok(self.op(Class::of(ty).unwrap_or(Class::B32), &[name], &[value, lane, clamp, mask]))
    }

    /// Shuffles of other widths than 32 bits: both halves, or widened.
    fn shuffle_other(&mut self, ty: Type, name: &str, o: [Opnd; 4], i: Inst) -> Result<Opnd, EmitError> {
        let [mask, value, lane, clamp] = o;
        let int = Type::int(ty.bits()).unwrap_or(Type::I32);
        let value = self.reinterpret(value, ty, int);
        let value = self.in_register(value, int);
        let moved = match ty.bits() {
            64 => {
                let parts = self.halves(value);
                let [lo, hi] = parts.map(|p| self.op_tmp(Class::B32, &[name], &[p, lane, clamp, mask]));
                self.pair(lo, hi)
            }
            8 | 16 => {
                let wide = self.op_tmp(Class::B32, &["cvt.u32.u16"], &[value]);
                let wide = self.op_tmp(Class::B32, &[name], &[wide, lane, clamp, mask]);
                self.op_tmp(Class::B16, &["cvt.u16.u32"], &[wide])
            }
            _ => {
                return Err(EmitError::unsupported(
                    format!("a shuffle of `{ty}`"),
                    self.f.dfg.span(i),
                    "shuffle an integer instead",
                ));
            }
        };
        Ok(self.reinterpret(moved, int, ty))
    }

    fn vote(&mut self, i: Inst, op: Intrinsic, o: &[Opnd]) -> Result<Opnd, EmitError> {
        use Intrinsic::*;
        let mask_ty = self.f.dfg.insts[i].ty;
        let mask = match op {
            VoteAll => return Ok(self.op(Class::Pred, &["vote.sync.all.pred"], &[o[1], o[0]])),
            VoteAny => return Ok(self.op(Class::Pred, &["vote.sync.any.pred"], &[o[1], o[0]])),
            VoteUni => return Ok(self.op(Class::Pred, &["vote.sync.uni.pred"], &[o[1], o[0]])),
            Ballot => self.op(Class::B32, &["vote.sync.ballot.b32"], &[o[1], o[0]]),
            ActiveMask => self.op(Class::B32, &["activemask.b32"], &[]),
            _ => {
                self.require(Feature::Match, i)?;
                let arg = self.f.dfg.arg(i, 1);
                let ty = self.ty(arg);
                let int = Type::int(ty.bits()).unwrap_or(Type::I32);
                let kind = if op == MatchAny { "match.any.sync" } else { "match.all.sync" };
                let suffix = if int == Type::I64 { ".b64" } else { ".b32" };
                let value = self.reinterpret(o[1], ty, int);
                let value = self.in_register(value, int);
                self.op(Class::B32, &[kind, suffix], &[value, o[0]])
            }
        };
        // Where the language's mask type has 64 bits, the upper half is empty here.
        if mask_ty == Type::I64 { Ok(self.op(Class::B64, &["cvt.u64.u32"], &[mask])) } else { Ok(mask) }
    }

    // ---- approximations -----------------------------------------------------------------------------------------

    fn approximation(&mut self, i: Inst, op: Intrinsic, o: Opnd) -> Result<Opnd, EmitError> {
        use Intrinsic::*;
        let d = &self.f.dfg.insts[i];
        let ty = d.ty;
        let o = self.in_register(o, ty);
        match (op, ty) {
            (RcpApprox, Type::F64) => return Ok(self.op(Class::F64, &["rcp.approx.ftz.f64"], &[o])),
            // Without `ftz` it is a function of the assembler's, exact to the last place; with it an instruction that
            // computes the upper half of the result.
            (RsqrtApprox, Type::F64) => {
                let ftz = if d.flags.has(Flags::FTZ) { ".ftz" } else { "" };
                return Ok(self.op(Class::F64, &["rsqrt.approx", ftz, ".f64"], &[o]));
            }
            (RcpRn, Type::F64) => return Ok(self.op(Class::F64, &["rcp.rn.f64"], &[o])),
            (Ex2Approx, Type::F16) if self.has(Feature::Ex2F16) => {
                return Ok(self.op(Class::H, &["ex2.approx.f16"], &[o]));
            }
            (TanhApprox, Type::F16) if self.has(Feature::TanhApprox) => {
                return Ok(self.op(Class::H, &["tanh.approx.f16"], &[o]));
            }
            _ => self.only_f32(i, op)?,
        }
        let name = match op {
            SinApprox => "sin.approx",
            CosApprox => "cos.approx",
            Ex2Approx => "ex2.approx",
            Lg2Approx => "lg2.approx",
            RcpApprox => "rcp.approx",
            RsqrtApprox => "rsqrt.approx",
            SqrtApprox => "sqrt.approx",
            RcpRn => "rcp.rn",
            _ => {
                self.require(Feature::TanhApprox, i)?;
                return Ok(self.op(Class::F32, &["tanh.approx.f32"], &[o]));
            }
        };
        let ftz = self.ftz(d.flags);
        Ok(self.op(Class::F32, &[name, ftz, ".f32"], &[o]))
    }

    // ---- bits, pointers, memory ---------------------------------------------------------------------------------

    fn bit_field(&mut self, i: Inst, op: Intrinsic, o: &[Opnd]) -> Opnd {
        let wide = self.f.dfg.insts[i].ty.bits() == 64;
        let name = match (op, wide) {
            (Intrinsic::BfeS, false) => "bfe.s32",
            (Intrinsic::BfeS, true) => "bfe.s64",
            (Intrinsic::BfeU, false) => "bfe.u32",
            (Intrinsic::BfeU, true) => "bfe.u64",
            (_, false) => "bfi.b32",
            (_, true) => "bfi.b64",
        };
        let class = if wide { Class::B64 } else { Class::B32 };
        // Position and length are 32 bits wide in every form.
        let first = o.len() - 2;
        let mut args = [Opnd::None; 4];
        for (n, &x) in o.iter().enumerate() {
            let long = n >= first && x.reg().is_some_and(|r| r.class() == Class::B64);
            args[n] = if long { self.op_tmp(Class::B32, &["cvt.u32.u64"], &[x]) } else { x };
        }
        self.op(class, &[name], &args[..o.len()])
    }

    fn is_space(&mut self, i: Inst, op: Intrinsic) -> Opnd {
        // Before there were clusters, a group was alone.
        let clusters = self.has(Feature::Clusters);
        let name = match op {
            Intrinsic::IsGlobal => "isspacep.global",
            Intrinsic::IsShared => "isspacep.shared",
            Intrinsic::IsConst => "isspacep.const",
            Intrinsic::IsCluster if clusters => "isspacep.shared::cluster",
            Intrinsic::IsCluster => "isspacep.shared",
            Intrinsic::IsParam => "isspacep.param",
            _ => "isspacep.local",
        };
        let v = self.f.dfg.arg(i, 0);
        let space = self.ty(v).space().unwrap_or(ir::AddrSpace::Generic);
        let o = self.register(v, 0);
        let o = self.generic_address(o, space);
        self.op(Class::Pred, &[name], &[o])
    }

    fn prefetch(&mut self, i: Inst, op: Intrinsic) -> Option<Opnd> {
        use ir::AddrSpace::{Generic, Global, Private};
        let addr = self.addr(self.f.dfg.arg(i, 0));
        // Nothing to prefetch into the caches from elsewhere.
        if addr.param || !matches!(addr.space, Generic | Global | Private) {
            return None;
        }
        let level = if op == Intrinsic::PrefetchL1 { ".L1" } else { ".L2" };
        let mut out = std::mem::take(&mut self.out);
        out.push_str("\tprefetch");
        out.push_str(addr.suffix());
        out.push_str(level);
        out.push_str(" \t");
        self.push_addr(&mut out, addr);
        out.push_str(";\n");
        self.out = out;
        None
    }
}

/// Whether PTX has the operation on these types; the verifier only counts operands.
fn types_fit(op: Intrinsic, args: &[Type], ret: Type) -> bool {
    use Intrinsic::*;
    let gives = |ty: Type| ret == ty || ret.is_void();
    let mask = gives(Type::I32) || ret == Type::I64;
    let pointers = args.iter().all(|t| t.is_ptr() && !t.is_vector());
    let scalar = |t: Type| !t.is_vector() && t.bits() >= 8;
    match op {
        Trap | Exit | Brkpt | AsyncWaitAll | Yield => ret.is_void(),
        Barrier | WarpSync | Nanosleep => args[0] == Type::I32 && ret.is_void(),
        BarrierPopc => args[0] == Type::I1 && gives(Type::I32),
        BarrierAnd | BarrierOr => args[0] == Type::I1 && gives(Type::I1),
        ShflIdx | ShflUp | ShflDown | ShflBfly => {
            let words = [args[0], args[2], args[3]].iter().all(|&t| t == Type::I32);
            words && scalar(args[1]) && ret == args[1]
        }
        VoteAll | VoteAny | VoteUni => args == [Type::I32, Type::I1] && gives(Type::I1),
        Ballot => args == [Type::I32, Type::I1] && mask,
        ActiveMask => mask,
        MatchAny | MatchAll => args[0] == Type::I32 && scalar(args[1]) && args[1].bits() >= 32 && mask,
        SinApprox | CosApprox | Ex2Approx | Lg2Approx | RcpApprox | RsqrtApprox | SqrtApprox | TanhApprox
        | DivApprox | DivFull | RcpRn | Scale | Exponent | Significand => {
            args.iter().all(|&t| t == ret) && ret.is_float() && !ret.is_vector()
        }
        BfeS | BfeU | Bfi => {
            let (values, places) = args.split_at(args.len() - 2);
            let place = |&t: &Type| t == Type::I32 || t == ret;
            matches!(ret, Type::I32 | Type::I64) && values.iter().all(|&t| t == ret) && places.iter().all(place)
        }
        IsGlobal | IsShared | IsConst | IsLocal | IsCluster | IsParam => pointers && gives(Type::I1),
        VPrintf => pointers && gives(Type::I32),
        PrefetchL1 | PrefetchL2 => pointers && ret.is_void(),
        CheckFences | CheckIndex | CheckCopyEnd | CheckWait => ret.is_void(),
        CheckCopy => ret == Type::I64,
        _ => args.iter().all(|&t| t == Type::I32) && gives(Type::I32),
    }
}

fn redux_suffix(op: Intrinsic) -> &'static str {
    match op {
        Intrinsic::ReduxAdd => ".add.s32",
        Intrinsic::ReduxSMin => ".min.s32",
        Intrinsic::ReduxSMax => ".max.s32",
        Intrinsic::ReduxUMin => ".min.u32",
        Intrinsic::ReduxUMax => ".max.u32",
        Intrinsic::ReduxAnd => ".and.b32",
        Intrinsic::ReduxOr => ".or.b32",
        _ => ".xor.b32",
    }
}

fn dot_product(op: Intrinsic) -> &'static str {
    match op {
        Intrinsic::Dp4aS => "dp4a.s32.s32",
        Intrinsic::Dp4aU => "dp4a.u32.u32",
        Intrinsic::Dp2aS => "dp2a.lo.s32.s32",
        _ => "dp2a.lo.u32.u32",
    }
}

fn no_matrix(op: Intrinsic, span: source::Span) -> EmitError {
    EmitError::unsupported(format!("`{}`", op.name()), span, "products of matrices are `wmma` in inline assembly")
}
