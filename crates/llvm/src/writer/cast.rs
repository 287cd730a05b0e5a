//! Conversions.

use super::func::FuncGen;
use super::ll::{Fpred, Ipred, Val};
use super::narrow::is_16;
use ir::{Flags, Inst, Opcode, Round, ScalarKind, Type};

impl FuncGen<'_> {
    pub(super) fn cast(&self, i: Inst) -> Val {
        use Opcode::*;
        let ll = self.ll;
        let data = &self.f.dfg.insts[i];
        let (from, to) = (self.arg_ty(i, 0), data.ty);
        let (v, ty) = (self.arg(i, 0), self.cx.ty(to));
        match data.op {
            Trunc => ll.trunc(v, ty),
            ZExt => ll.zext(v, ty),
            SExt => ll.sext(v, ty),
            Bitcast => ll.bitcast(v, ty),
            PtrToInt => ll.ptrtoint(v, ty),
            IntToPtr => ll.inttoptr(v, ty),
            AddrSpaceCast if ll.type_of(v) == ty => v,
            AddrSpaceCast => ll.addrspacecast(v, ty),
            FpTrunc | FpExt => {
                let lanes = u32::from(to.lanes());
                let v = self.flush(v, from, data.flags);
                let round = data.round().unwrap_or(Round::NearestEven);
                let wide = if from.kind() == ScalarKind::F64 || to.kind() == ScalarKind::F64 { 64 } else { 32 };
                let v = self.cx.widen(v, from.kind(), lanes, wide);
                let v = if to.bits() == wide { v } else { self.cx.narrow_directed(v, wide, to.kind(), lanes, round) };
                self.finish_float(v, to, data.flags)
            }
            FpToSi | FpToUi => {
                let round = data.round().unwrap_or(Round::Zero);
                let n = self.float_to_int(self.flush(v, from, data.flags), from, to, data.op == FpToSi, round);
                if !data.flags.has(Flags::NAN_TOP) {
                    return n;
                }
                let lanes = u32::from(to.lanes());
                let top = ll.iconst(to.bits(), lanes, 1 << (to.bits() - 1));
                let bits = if from.kind() == ScalarKind::F64 { 64 } else { 32 };
                let wide = self.cx.widen(v, from.kind(), lanes, bits);
                let nan = ll.fcmp(Fpred::LLVMRealUNO, wide, wide);
                ll.select(nan, top, n)
            }
            _ => {
                let round = data.round().unwrap_or(Round::NearestEven);
                self.int_to_float(v, from, to, data.op == SiToFp, round)
            }
        }
    }

    /// Saturating, NaN gives 0.
    fn float_to_int(&self, v: Val, from: Type, to: Type, is_signed: bool, round: Round) -> Val {
        let ll = self.ll;
        let lanes = to.lanes().into();
        let bits = if from.kind() == ScalarKind::F64 { 64 } else { 32 };
        let float = ll.float(bits, lanes);
        let mut v = self.cx.widen(v, from.kind(), lanes, bits);
        let rounding = match round {
            Round::Zero => None,
            Round::NearestEven => Some("llvm.rint"),
            Round::Down => Some("llvm.floor"),
            Round::Up => Some("llvm.ceil"),
        };
        if let Some(name) = rounding {
            v = ll.intrinsic(name, &[float], &[v]);
        }
        // One bit: clamped in eight.
        let width = to.bits().max(8);
        let int = ll.int(width, lanes);
        let n = self.saturating(v, is_signed, bits, width, lanes);
        if to.bits() != 1 {
            return n;
        }
        let n = if is_signed {
            let n = ll.intrinsic("llvm.smax", &[int], &[n, ll.iconst(8, lanes, 0xff)]);
            ll.intrinsic("llvm.smin", &[int], &[n, ll.zero(int)])
        } else {
            ll.intrinsic("llvm.umin", &[int], &[n, ll.iconst(8, lanes, 1)])
        };
        ll.trunc(n, self.cx.ty(to))
    }

    /// `llvm.fptosi.sat` and `llvm.fptoui.sat`, but of vectors in a form that stays one: LLVM takes those apart into lanes.
    fn saturating(&self, v: Val, is_signed: bool, bits: u32, width: u32, lanes: u32) -> Val {
        let ll = self.ll;
        let int = ll.int(width, lanes);
        if lanes == 1 {
            let name = if is_signed { "llvm.fptosi.sat" } else { "llvm.fptoui.sat" };
            return ll.intrinsic(name, &[int, ll.float(bits, lanes)], &[v]);
        }
        let magnitude = width - u32::from(is_signed);
        if let Some(n) = self.by_instruction(v, is_signed, (bits, width, lanes)) {
            return n;
        }
        let low = ll.fconst(bits, lanes, if is_signed { -(2f64.powi(magnitude as i32)) } else { 0.0 });
        // Not a number: every comparison fails, so that the bound is taken, and where that is not 0, 0 at the end.
        let at_least = ll.fcmp(Fpred::LLVMRealOGT, v, low);
        let raised = ll.select(at_least, v, low);
        let number = |n| {
            let ordered = ll.fcmp(Fpred::LLVMRealORD, v, v);
            if is_signed { ll.select(ordered, n, ll.zero(int)) } else { n }
        };
        if width < 32 {
            // The bounds are exact: clamped, and converted where machines have the instruction.
            let high = ll.fconst(bits, lanes, 2f64.powi(magnitude as i32) - 1.0);
            let at_most = ll.fcmp(Fpred::LLVMRealOLT, raised, high);
            let n = ll.fptosi(ll.select(at_most, raised, high), ll.int(32, lanes));
            return number(ll.trunc(n, int));
        }
        // The largest integer may be no float: compared with the power of two above it.
        let over = ll.fcmp(Fpred::LLVMRealOGE, v, ll.fconst(bits, lanes, 2f64.powi(magnitude as i32)));
        let fitting = ll.select(over, ll.fconst(bits, lanes, 0.0), raised);
        let n = if is_signed { ll.fptosi(fitting, int) } else { ll.fptoui(fitting, int) };
        number(ll.select(over, ll.iconst(width, lanes, u64::MAX >> (64 - magnitude)), n))
    }

    /// The same where an instruction says what it gives for what does not fit, which is the limit already where that is the lowest, or where
    /// there is no sign and it is the highest.
    fn by_instruction(&self, v: Val, is_signed: bool, shape: (u32, u32, u32)) -> Option<Val> {
        let ll = self.ll;
        let (bits, width, lanes) = shape;
        if width < 32 {
            return None;
        }
        let n = self.cx.target.truncated(ll, v, is_signed, shape)?;
        let zero = ll.zero(ll.int(width, lanes));
        if !is_signed {
            // Neither below zero nor no number.
            return Some(ll.select(ll.fcmp(Fpred::LLVMRealOGE, v, ll.fconst(bits, lanes, 0.0)), n, zero));
        }
        let number = ll.select(ll.fcmp(Fpred::LLVMRealORD, v, v), n, zero);
        let over = ll.fcmp(Fpred::LLVMRealOGE, v, ll.fconst(bits, lanes, 2f64.powi(width as i32 - 1)));
        Some(ll.select(over, ll.iconst(width, lanes, u64::MAX >> (65 - width)), number))
    }

    fn int_to_float(&self, v: Val, from: Type, to: Type, is_signed: bool, round: Round) -> Val {
        let ll = self.ll;
        let lanes = u32::from(to.lanes());
        let magnitude_bits = from.bits() - u32::from(is_signed);
        let bits = if to.kind() == ScalarKind::F64 { 64 } else { 32 };
        let convert = |v, bits| {
            let float = ll.float(bits, lanes);
            if is_signed { ll.sitofp(v, float) } else { ll.uitofp(v, float) }
        };
        if magnitude_bits <= super::Cx::precision(to.kind()) {
            return self.cx.narrow(convert(v, bits), bits, to.kind(), lanes);
        }
        // What a single holds exactly is rounded once; in binary16, what it does not hold is infinite anyway.
        let once = !is_16(to.kind()) || magnitude_bits <= 24 || to.kind() == ScalarKind::F16;
        if round == Round::NearestEven && once {
            return self.cx.narrow(convert(v, bits), bits, to.kind(), lanes);
        }
        if magnitude_bits <= 53 {
            return self.cx.narrow_directed(convert(v, 64), 64, to.kind(), lanes, round);
        }
        self.wide_int_to_float(v, to, is_signed, round)
    }

    /// 64-bit integers that no double holds: the magnitude is converted to nearest, and repaired by comparing.
    fn wide_int_to_float(&self, v: Val, to: Type, is_signed: bool, round: Round) -> Val {
        let ll = self.ll;
        let lanes = u32::from(to.lanes());
        let (long, double) = (ll.int(64, lanes), ll.float(64, lanes));
        let zero = ll.zero(long);
        let negative = if is_signed { ll.icmp(Ipred::LLVMIntSLT, v, zero) } else { ll.zero(ll.int(1, lanes)) };
        let magnitude = ll.select(negative, ll.sub(zero, v), v);
        // Of a double that stands for the magnitude in the target's format, which side of it is it?
        let sides = |d: Val| {
            let over = ll.fcmp(Fpred::LLVMRealOGE, d, ll.fconst(64, lanes, 2f64.powi(64)));
            let back = ll.intrinsic("llvm.fptoui.sat", &[long, double], &[d]);
            let above = ll.or(over, ll.icmp(Ipred::LLVMIntUGT, back, magnitude));
            (above, ll.and(ll.not(over), ll.icmp(Ipred::LLVMIntULT, back, magnitude)))
        };
        let near = ll.uitofp(magnitude, double);
        let (above, below) = sides(near);
        let odd = ll.bitcast(self.cx.make_odd(ll.bitcast(near, long), 64, lanes, above, below), double);
        let nearest = self.cx.narrow(odd, 64, to.kind(), lanes);
        let (width, raw) = match to.kind() {
            ScalarKind::F64 => (64, ll.bitcast(near, long)),
            ScalarKind::F32 => (32, ll.bitcast(nearest, ll.int(32, lanes))),
            _ => (16, nearest),
        };
        let fixed = if round == Round::NearestEven {
            raw
        } else {
            let shape = if width == 64 { near } else { self.cx.widen(nearest, to.kind(), lanes, 64) };
            let (above, below) = sides(shape);
            self.cx.step(raw, width, lanes, round, negative, above, below)
        };
        let int = ll.int(width, lanes);
        let sign = ll.select(negative, ll.iconst(width, lanes, 1 << (width - 1)), ll.zero(int));
        let signed = ll.or(fixed, sign);
        if width == 16 { signed } else { ll.bitcast(signed, self.cx.ty(to)) }
    }
}
