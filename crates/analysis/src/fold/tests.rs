use super::*;
use ir::{FloatCC, IntCC, Round};

fn int(op: Opcode, ty: Type, args: &[u64]) -> Option<u64> {
    fold(op, Flags::NONE, &Payload::None, ty, ty, args)
}

fn f32op(op: Opcode, round: Round, args: &[f32]) -> f32 {
    let bits: Vec<u64> = args.iter().map(|x| u64::from(x.to_bits())).collect();
    f32::from_bits(fold(op, Flags::NONE, &Payload::Round(round), Type::F32, Type::F32, &bits).unwrap() as u32)
}

#[test]
fn integers_wrap_and_shifts_clamp() {
    use Opcode::*;
    assert_eq!(int(Add, Type::I8, &[200, 100]), Some(44));
    assert_eq!(int(Shl, Type::I32, &[1, 32]), Some(0));
    assert_eq!(int(Shl, Type::I32, &[1, 1 << 40]), Some(0));
    assert_eq!(int(LShr, Type::I64, &[u64::MAX, 64]), Some(0));
    assert_eq!(int(AShr, Type::I8, &[0x80, 200]), Some(0xff));
    assert_eq!(int(SDiv, Type::I32, &[0x8000_0000, 0xffff_ffff]), None);
    assert_eq!(int(UDiv, Type::I32, &[1, 0]), None);
    assert_eq!(int(SRem, Type::I32, &[(-7i32) as u32 as u64, 3]), Some((-1i32) as u32 as u64));
    assert_eq!(int(MulHiS, Type::I64, &[u64::MAX, u64::MAX]), Some(0));
    assert_eq!(int(MulHiU, Type::I64, &[u64::MAX, u64::MAX]), Some(u64::MAX - 1));
    assert_eq!(int(Clz, Type::I16, &[0]), Some(16));
    assert_eq!(int(Ctz, Type::I16, &[0]), Some(16));
    assert_eq!(int(Fshl, Type::I32, &[0x8000_0001, 0xc000_0000, 33]), Some(3));
    assert_eq!(int(Fshr, Type::I32, &[1, 2, 1]), Some(0x8000_0001));
    assert_eq!(int(Abs, Type::I8, &[0x80]), Some(0x80));
}

#[test]
fn rounding_modes() {
    use Opcode::*;
    let tiny = f32::from_bits(1);
    assert_eq!(f32op(FAdd, Round::Up, &[1.0, tiny]), 1.0 + f32::EPSILON);
    assert_eq!(f32op(FAdd, Round::Down, &[1.0, tiny]), 1.0);
    assert_eq!(f32op(FAdd, Round::Zero, &[-1.0, -tiny]), -1.0);
    assert_eq!(f32op(FMul, Round::NearestEven, &[0.1, 0.2]), 0.1 * 0.2);
    assert_eq!(f32op(FSqrt, Round::NearestEven, &[2.0]), 2.0f32.sqrt());
}

#[test]
fn nans_flushes_and_saturation() {
    let one = u64::from(1.0f32.to_bits());
    let nan = fold(Opcode::FDiv, Flags::NONE, &Payload::None, Type::F32, Type::F32, &[0, 0]);
    assert_eq!(nan, Some(0x7fff_ffff));
    let sat = |x: f32| fold(Opcode::FMul, Flags::SAT, &Payload::None, Type::F32, Type::F32, &[one, x.to_bits().into()]);
    assert_eq!((sat(2.0), sat(-3.0), sat(f32::NAN)), (Some(one), Some(0), Some(0)));
    let ftz = fold(Opcode::FMul, Flags::FTZ, &Payload::None, Type::F32, Type::F32, &[one, 0x8000_0001]);
    assert_eq!(ftz, Some(0x8000_0000));
    let min = |a: f32, b: f32| {
        fold(Opcode::FMin, Flags::NONE, &Payload::None, Type::F32, Type::F32, &[a.to_bits().into(), b.to_bits().into()])
    };
    assert_eq!(min(f32::NAN, 1.0), Some(one));
    assert_eq!(min(0.0, -0.0), Some(0x8000_0000));
}

#[test]
fn half_precision_rounds_once() {
    let f16 = |x: f32| u64::from(half::f16::from_f32(x).to_bits());
    let add = fold(Opcode::FAdd, Flags::NONE, &Payload::None, Type::F16, Type::F16, &[f16(2048.0), f16(1.0)]);
    assert_eq!(add, Some(f16(2048.0)));
    let cvt = fold(Opcode::FpTrunc, Flags::NONE, &Payload::Round(Round::Up), Type::BF16, Type::F32, &[0x3f80_0001]);
    assert_eq!(cvt, Some(0x3f81));
}

#[test]
fn conversions_saturate() {
    let cvt = |op, ty, x: f32| fold(op, Flags::NONE, &Payload::None, ty, Type::F32, &[x.to_bits().into()]);
    assert_eq!(cvt(Opcode::FpToSi, Type::I32, 3e9), Some(0x7fff_ffff));
    assert_eq!(cvt(Opcode::FpToSi, Type::I8, -200.0), Some(0x80));
    assert_eq!(cvt(Opcode::FpToUi, Type::I64, -1.0), Some(0));
    assert_eq!(cvt(Opcode::FpToUi, Type::I64, f32::INFINITY), Some(u64::MAX));
    assert_eq!(cvt(Opcode::FpToSi, Type::I32, f32::NAN), Some(0));
    let up = fold(Opcode::SiToFp, Flags::NONE, &Payload::Round(Round::Up), Type::F32, Type::I32, &[0x0100_0001]);
    assert_eq!(up, Some(16_777_218f32.to_bits().into()));
}

#[test]
fn comparisons() {
    let icmp = fold(Opcode::Icmp, Flags::NONE, &Payload::IntCC(IntCC::Slt), Type::I1, Type::I8, &[0xff, 0]);
    assert_eq!(icmp, Some(1));
    let nan = u64::from(f32::NAN.to_bits());
    let fcmp = fold(Opcode::Fcmp, Flags::NONE, &Payload::FloatCC(FloatCC::Une), Type::I1, Type::F32, &[nan, nan]);
    assert_eq!(fcmp, Some(1));
}

#[test]
fn bit_fields_and_permutes() {
    use ir::Intrinsic;
    let op = |i, args: &[u64]| fold(Opcode::Intrinsic, Flags::NONE, &Payload::Intrinsic(i), Type::I32, Type::I32, args);
    assert_eq!(op(Intrinsic::BfeU, &[0x1234_5678, 8, 8]), Some(0x56));
    assert_eq!(op(Intrinsic::BfeS, &[0x0000_8000, 8, 8]), Some(0xffff_ff80));
    assert_eq!(op(Intrinsic::BfeS, &[0x8000_0000, 28, 16]), Some(0xffff_fff8));
    assert_eq!(op(Intrinsic::Bfi, &[0xff, 0, 4, 4]), Some(0xf0));
    assert_eq!(op(Intrinsic::Prmt, &[0x0302_0180, 0x0706_0504, 0x7418]), Some(0x0704_01ff));
    assert_eq!(op(Intrinsic::Dp4aS, &[0xff02_0304, 0x0101_0101, 10]), Some(18));
    assert_eq!(op(Intrinsic::Mul24S, &[0x00ff_ffff, 5]), Some((-5i32) as u32 as u64));
    assert_eq!(op(Intrinsic::SinApprox, &[0]), None);
}

#[test]
fn logarithms_of_powers_of_two_are_exact_others_are_not_folded() {
    let log = |x: f32| super::target_ops::fold(ir::Intrinsic::Lg2Approx, Type::F32, &[u64::from(x.to_bits())]);
    let exact = |x: f32| Some(u64::from(x.to_bits()));
    assert_eq!(log(16.0), exact(4.0));
    assert_eq!(log(1.0), exact(0.0));
    assert_eq!(log(0.25), exact(-2.0));
    for x in [0.0, -2.0, 3.0, 1e-40, f32::INFINITY, f32::NAN] {
        assert_eq!(log(x), None, "{x}");
    }
}
