//! `f16` and `bf16`: to single precision and back, where the target cannot compute with them.

use crate::func::Fx;
use crate::regs::{Class, Opnd};
use ir::{Round, Type};
use target::Feature;

impl Fx<'_> {
    /// A half-precision operand in single precision; exact.
    pub(crate) fn half_to_f32(&mut self, o: Opnd, ty: Type) -> Opnd {
        let o = self.in_register(o, ty);
        if ty == Type::F16 {
            return self.op_tmp(Class::F32, &["cvt.f32.f16"], &[o]);
        }
        // A bf16 is the upper half of the float.
        let low = self.op_tmp(Class::B32, &["cvt.u32.u16"], &[o]);
        let bits = self.op_tmp(Class::B32, &["shl.b32"], &[low, Opnd::Int(16)]);
        self.op_tmp(Class::F32, &["mov.b32"], &[bits])
    }

    /// A single-precision operand rounded to half precision.
    pub(crate) fn f32_to_half(&mut self, o: Opnd, ty: Type, round: Round) -> Opnd {
        let o = self.in_register(o, Type::F32);
        if ty == Type::F16 {
            return self.op(Class::H, &["cvt.", round.name(), ".f16.f32"], &[o]);
        }
        let direct = matches!(round, Round::NearestEven | Round::Zero);
        if direct && self.has(Feature::Bf16Cvt) {
            return self.op(Class::H, &["cvt.", round.name(), ".bf16.f32"], &[o]);
        }
        self.round_to_bf16(o, round)
    }

    /// Rounds to bf16 in integer arithmetic: an increment that depends on the mode, then the upper half.
    fn round_to_bf16(&mut self, x: Opnd, round: Round) -> Opnd {
        let b32 = Class::B32;
        let bits = self.op_tmp(b32, &["mov.b32"], &[x]);
        let sum = match round {
            Round::Zero => bits,
            Round::NearestEven => {
                let high = self.op_tmp(b32, &["shr.u32"], &[bits, Opnd::Int(16)]);
                let odd = self.op_tmp(b32, &["and.b32"], &[high, Opnd::Int(1)]);
                let half = self.op_tmp(b32, &["add.s32"], &[odd, Opnd::Int(0x7fff)]);
                self.op_tmp(b32, &["add.s32"], &[bits, half])
            }
            Round::Down | Round::Up => {
                let cmp = if round == Round::Down { "setp.lt.s32" } else { "setp.ge.s32" };
                let away = self.op_tmp(Class::Pred, &[cmp], &[bits, Opnd::Int(0)]);
                let most = self.op_tmp(b32, &["selp.b32"], &[Opnd::Int(0xffff), Opnd::Int(0), away]);
                self.op_tmp(b32, &["add.s32"], &[bits, most])
            }
        };
        // Infinities stay; NaN would be carried away by the increment.
        let rounded = self.op_tmp(b32, &["shr.u32"], &[sum, Opnd::Int(16)]);
        let magnitude = self.op_tmp(b32, &["and.b32"], &[bits, Opnd::Int(0x7fff_ffff)]);
        let finite = self.op_tmp(Class::Pred, &["setp.lt.u32"], &[magnitude, Opnd::Int(0x7f80_0000)]);
        let nan = self.op_tmp(Class::Pred, &["setp.gt.u32"], &[magnitude, Opnd::Int(0x7f80_0000)]);
        let plain = self.op_tmp(b32, &["shr.u32"], &[bits, Opnd::Int(16)]);
        let kept = self.op_tmp(b32, &["selp.b32"], &[rounded, plain, finite]);
        let result = self.op_tmp(b32, &["selp.b32"], &[Opnd::Int(0x7fff), kept, nan]);
        self.op(Class::H, &["cvt.u16.u32"], &[result])
    }
}
