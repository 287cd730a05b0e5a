//! Integer arithmetic and pointer additions.
//!
//! `i8` has no arithmetic in PTX: it is computed in 16-bit registers whose upper half is arbitrary, and operands are
//! extended first where the upper half matters. `i1` has boolean logic only.

use crate::error::EmitError;
use crate::func::Fx;
use crate::regs::{Class, Opnd};
use crate::select::{Factor, WideMul};
use ir::{Inst, Opcode, Type, Value};

/// Width of the registers for an integer type, as it stands in names of instructions.
fn width(ty: Type) -> &'static str {
    match ty.bits() {
        64 => "64",
        32 => "32",
        _ => "16",
    }
}

/// The class for an integer type.
fn class(ty: Type) -> Class {
    Class::of(ty.scalar()).unwrap_or(Class::B32)
}

impl Fx<'_> {
    /// Writes integer arithmetic, lane by lane.
    pub(crate) fn integer(&mut self, i: Inst) -> Result<(), EmitError> {
        let f = self.f;
        let op = f.dfg.op(i);
        let args = f.dfg.args(i);
        let ty = f.dfg.insts[i].ty.scalar();
        self.each_lane(i, |fx, n| {
            let mut o = [Opnd::Int(0); 3];
            for (slot, &v) in o.iter_mut().zip(args) {
                *slot = fx.operand(v, n);
            }
            if op.is_commutative() && o[1].reg().is_some() && o[0].reg().is_none() {
                o.swap(0, 1);
            }
            Ok(match ty.bits() {
                1 => fx.boolean(op, o[0], o[1]),
                8 => fx.byte(op, o),
                _ => fx.word(op, ty, o),
            })
        })
    }

    /// Extends an `i8` in its 16-bit register; other types stay.
    pub(crate) fn normalised(&mut self, o: Opnd, ty: Type, signed: bool) -> Opnd {
        if ty.bits() != 8 {
            return o;
        }
        match o {
            Opnd::Int(n) => Opnd::Int(if signed { i64::from(n as i8) } else { n & 255 }),
            _ if signed => self.op_tmp(Class::B16, &["cvt.s16.s8"], &[o]),
            _ => self.op_tmp(Class::B16, &["and.b16"], &[o, Opnd::Int(255)]),
        }
    }

    /// One operation on scalar operands.
    pub(crate) fn scalar_int(&mut self, op: Opcode, ty: Type, a: Opnd, b: Opnd) -> Opnd {
        match ty.bits() {
            1 => self.boolean(op, a, b),
            8 => self.byte(op, [a, b, Opnd::Int(0)]),
            _ => self.word(op, ty, [a, b, Opnd::Int(0)]),
        }
    }

    /// Arithmetic modulo 2.
    fn boolean(&mut self, op: Opcode, a: Opnd, b: Opnd) -> Opnd {
        use Opcode::*;
        match op {
            Add | Sub | Xor => self.op(Class::Pred, &["xor.pred"], &[a, b]),
            // As signed numbers true is -1, so the order is reversed.
            Mul | And | UMin | SMax => self.op(Class::Pred, &["and.pred"], &[a, b]),
            Or | UMax | SMin => self.op(Class::Pred, &["or.pred"], &[a, b]),
            Ctz | Clz => self.op(Class::Pred, &["not.pred"], &[a]),
            // A shift by 1 is a shift by the whole width.
            Shl | LShr => {
                let keep = self.op_tmp(Class::Pred, &["not.pred"], &[b]);
                self.op(Class::Pred, &["and.pred"], &[a, keep])
            }
            MulHiS | MulHiU | SRem | URem => Opnd::Bool(false),
            // Division by zero is unspecified, so the divisor is 1; the rest leaves a single bit as it is.
            _ => a,
        }
    }

    fn byte(&mut self, op: Opcode, [a, b, c]: [Opnd; 3]) -> Opnd {
        use Opcode::*;
        let i16 = Type::I16;
        let i8 = Type::I8;
        match op {
            Add | Sub | Mul | And | Or | Xor => self.word(op, i16, [a, b, c]),
            SDiv | SRem | SMin | SMax => {
                let (a, b) = (self.normalised(a, i8, true), self.normalised(b, i8, true));
                self.word(op, i16, [a, b, c])
            }
            UDiv | URem | UMin | UMax => {
                let (a, b) = (self.normalised(a, i8, false), self.normalised(b, i8, false));
                self.word(op, i16, [a, b, c])
            }
            MulHiS | MulHiU => {
                let signed = op == MulHiS;
                let (a, b) = (self.normalised(a, i8, signed), self.normalised(b, i8, signed));
                let product = self.op_tmp(Class::B16, &["mul.lo.s16"], &[a, b]);
                self.op(Class::B16, &["shr.u16"], &[product, Opnd::Int(8)])
            }
            Shl | LShr | AShr => {
                let a = if op == Shl { a } else { self.normalised(a, i8, op == AShr) };
                let b = self.normalised(b, i8, false);
                self.word(op, i16, [a, b, c])
            }
            Abs => {
                let a = self.normalised(a, i8, true);
                self.word(op, i16, [a, b, c])
            }
            // What counts or moves bits is done in 32 bits.
            _ => self.narrow_bits(op, 8, [a, b, c]),
        }
    }

    fn word(&mut self, op: Opcode, ty: Type, [a, b, c]: [Opnd; 3]) -> Opnd {
        use Opcode::*;
        let w = width(ty);
        let k = class(ty);
        let two = [a, b];
        match op {
            Add | PtrAdd => self.op(k, &["add.s", w], &two),
            Sub => self.op(k, &["sub.s", w], &two),
            Mul => self.op(k, &["mul.lo.s", w], &two),
            MulHiS => self.op(k, &["mul.hi.s", w], &two),
            MulHiU => self.op(k, &["mul.hi.u", w], &two),
            SDiv => self.op(k, &["div.s", w], &two),
            UDiv => self.op(k, &["div.u", w], &two),
            SRem => self.op(k, &["rem.s", w], &two),
            URem => self.op(k, &["rem.u", w], &two),
            And => self.op(k, &["and.b", w], &two),
            Or => self.op(k, &["or.b", w], &two),
            Xor if b == Opnd::Int(-1) => self.op(k, &["not.b", w], &[a]),
            Xor => self.op(k, &["xor.b", w], &two),
            Shl | LShr | AShr => {
                let by = self.amount(b, ty);
                let name = if op == Shl {
                    "shl.b"
                } else if op == LShr {
                    "shr.u"
                } else {
                    "shr.s"
                };
                self.op(k, &[name, w], &[a, by])
            }
            SMin => self.op(k, &["min.s", w], &two),
            SMax => self.op(k, &["max.s", w], &two),
            UMin => self.op(k, &["min.u", w], &two),
            UMax => self.op(k, &["max.u", w], &two),
            Abs => self.op(k, &["abs.s", w], &[a]),
            _ if ty.bits() == 16 => self.narrow_bits(op, 16, [a, b, c]),
            _ => self.bits(op, ty, [a, b, c]),
        }
    }

    /// A shift amount as PTX takes it: 32 bits, clamped there.
    fn amount(&mut self, b: Opnd, ty: Type) -> Opnd {
        match b {
            Opnd::Int(n) => {
                let n = n as u64 & ty.mask();
                Opnd::Int(n.min(u64::from(ty.bits())) as i64)
            }
            _ if ty.bits() == 64 => self.op_tmp(Class::B32, &["cvt.sat.u32.u64"], &[b]),
            _ if ty.bits() == 16 => self.op_tmp(Class::B32, &["cvt.u32.u16"], &[b]),
            _ => b,
        }
    }

    /// Counting and moving bits in 32 and 64 bits.
    fn bits(&mut self, op: Opcode, ty: Type, [a, b, c]: [Opnd; 3]) -> Opnd {
        use Opcode::*;
        let w = width(ty);
        let k = class(ty);
        let a = self.in_register(a, ty);
        match op {
            Clz => self.count("clz.b", w, a),
            Popcnt => self.count("popc.b", w, a),
            Ctz => {
                let reversed = self.op_tmp(k, &["brev.b", w], &[a]);
                self.count("clz.b", w, reversed)
            }
            BitRev => self.op(k, &["brev.b", w], &[a]),
            ByteSwap if ty.bits() == 32 => self.swap_bytes(a),
            ByteSwap => {
                let [lo, hi] = self.halves(a);
                let forced = self.forced.take();
                let (lo, hi) = (self.swap_bytes(lo), self.swap_bytes(hi));
                self.forced = forced;
                self.pair(hi, lo)
            }
            Fshl | Fshr if ty.bits() == 32 => {
                let name = if op == Fshl { "shf.l.wrap.b32" } else { "shf.r.wrap.b32" };
                let b = self.in_register(b, ty);
                self.op(k, &[name], &[b, a, c])
            }
            Fshl | Fshr => self.funnel64(op == Fshl, a, b, c),
            // Everything else was handled before; a plain copy keeps the text valid.
            _ => a,
        }
    }

    /// A count, which PTX gives in 32 bits.
    fn count(&mut self, name: &str, w: &str, a: Opnd) -> Opnd {
        if w == "32" {
            return self.op(Class::B32, &[name, w], &[a]);
        }
        let n = self.op_tmp(Class::B32, &[name, w], &[a]);
        self.op(Class::B64, &["cvt.u64.u32"], &[n])
    }

    fn swap_bytes(&mut self, a: Opnd) -> Opnd {
        self.op(Class::B32, &["prmt.b32"], &[a, Opnd::Int(0), Opnd::Int(0x123)])
    }

    fn funnel64(&mut self, left: bool, hi: Opnd, lo: Opnd, by: Opnd) -> Opnd {
        let by = match by {
            Opnd::Int(n) => Opnd::Int(n & 63),
            _ => {
                let n = self.op_tmp(Class::B32, &["cvt.u32.u64"], &[by]);
                self.op_tmp(Class::B32, &["and.b32"], &[n, Opnd::Int(63)])
            }
        };
        let rest = self.op_tmp(Class::B32, &["sub.s32"], &[Opnd::Int(64), by]);
        let (up, down) = if left { (by, rest) } else { (rest, by) };
        let high = self.op_tmp(Class::B64, &["shl.b64"], &[hi, up]);
        let low = self.op_tmp(Class::B64, &["shr.u64"], &[lo, down]);
        self.op(Class::B64, &["or.b64"], &[high, low])
    }

    /// Counting and moving bits of 8- and 16-bit integers, by way of 32 bits.
    fn narrow_bits(&mut self, op: Opcode, bits: i64, [a, b, c]: [Opnd; 3]) -> Opnd {
        use Opcode::*;
        let b32 = Class::B32;
        let (a, b, c) = (self.widened(a, bits), self.widened(b, bits), self.widened(c, bits));
        let shift = Opnd::Int(32 - bits);
        let wide = match op {
            Clz => {
                let n = self.op_tmp(b32, &["clz.b32"], &[a]);
                self.op_tmp(b32, &["sub.s32"], &[n, shift])
            }
            Ctz => {
                let guarded = self.op_tmp(b32, &["or.b32"], &[a, Opnd::Int(1 << bits)]);
                let reversed = self.op_tmp(b32, &["brev.b32"], &[guarded]);
                self.op_tmp(b32, &["clz.b32"], &[reversed])
            }
            Popcnt => self.op_tmp(b32, &["popc.b32"], &[a]),
            BitRev => {
                let reversed = self.op_tmp(b32, &["brev.b32"], &[a]);
                self.op_tmp(b32, &["shr.u32"], &[reversed, shift])
            }
            ByteSwap if bits == 16 => self.op_tmp(b32, &["prmt.b32"], &[a, Opnd::Int(0), Opnd::Int(0x4401)]),
            Fshl | Fshr => {
                let high = self.op_tmp(b32, &["shl.b32"], &[a, Opnd::Int(bits)]);
                let both = self.op_tmp(b32, &["or.b32"], &[high, b]);
                let by = self.op_tmp(b32, &["and.b32"], &[c, Opnd::Int(bits - 1)]);
                if op == Fshr {
                    self.op_tmp(b32, &["shr.u32"], &[both, by])
                } else {
                    let moved = self.op_tmp(b32, &["shl.b32"], &[both, by]);
                    self.op_tmp(b32, &["shr.u32"], &[moved, Opnd::Int(bits)])
                }
            }
            _ => a,
        };
        self.op(Class::B16, &["cvt.u16.u32"], &[wide])
    }

    /// An 8- or 16-bit integer, zero-extended to 32 bits.
    fn widened(&mut self, o: Opnd, bits: i64) -> Opnd {
        match o {
            Opnd::Int(n) => {
                let n = Opnd::Int(n & ((1 << bits) - 1));
                self.in_register(n, Type::I32)
            }
            _ => {
                let o = self.normalised(o, if bits == 8 { Type::I8 } else { Type::I16 }, false);
                self.op_tmp(Class::B32, &["cvt.u32.u16"], &[o])
            }
        }
    }

    // ---- folded forms -------------------------------------------------------------------------------------------

    /// `a * b + c`
    pub(crate) fn mad(&mut self, i: Inst, [a, b, c]: [Value; 3]) -> Opnd {
        let ty = self.f.dfg.insts[i].ty;
        let (mut x, mut y, z) = (self.operand(a, 0), self.operand(b, 0), self.operand(c, 0));
        if x.reg().is_none() {
            std::mem::swap(&mut x, &mut y);
        }
        self.op(class(ty), &["mad.lo.s", width(ty)], &[x, y, z])
    }

    /// A product of 32-bit factors in 64 bits.
    pub(crate) fn mul_wide(&mut self, w: WideMul) -> Opnd {
        let sign = if w.signed { "s32" } else { "u32" };
        let x = self.register(w.x, 0);
        let y = match w.y {
            Factor::Value(v) => self.operand(v, 0),
            Factor::Imm(n) => Opnd::Int(n),
        };
        self.op(Class::B64, &["mul.wide.", sign], &[x, y])
    }
}
