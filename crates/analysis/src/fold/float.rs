//! Floating-point operations and conversions.
//!
//! `f32` and `f64` in the default rounding mode use the machine's arithmetic, which is IEEE 754; everything else goes
//! through `rustc_apfloat`.

use ir::{Flags, Opcode, Payload, Round, ScalarKind, Type};
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round as ApRound};

/// The NaN that the target's arithmetic gives.
pub fn canonical_nan(ty: Type) -> u64 {
    match ty.kind() {
        ScalarKind::F16 | ScalarKind::BF16 => 0x7fff,
        ScalarKind::F32 => 0x7fff_ffff,
        _ => 0x7ff8_0000_0000_0000,
    }
}

/// The number that `bits` of the float type `ty` stand for; exact. `None` for other types.
pub fn to_f64(ty: Type, bits: u64) -> Option<f64> {
    Some(match ty.kind() {
        ScalarKind::F16 => half::f16::from_bits(bits as u16).to_f64(),
        ScalarKind::BF16 => half::bf16::from_bits(bits as u16).to_f64(),
        ScalarKind::F32 => f64::from(f32::from_bits(bits as u32)),
        ScalarKind::F64 => f64::from_bits(bits),
        _ => return None,
    })
}

struct Format {
    sign: u64,
    infinity: u64,
    one: u64,
}

fn format(ty: Type) -> Format {
    match ty.kind() {
        ScalarKind::F16 => Format { sign: 0x8000, infinity: 0x7c00, one: 0x3c00 },
        ScalarKind::BF16 => Format { sign: 0x8000, infinity: 0x7f80, one: 0x3f80 },
        ScalarKind::F32 => Format { sign: 1 << 31, infinity: 0x7f80_0000, one: 0x3f80_0000 },
        _ => Format { sign: 1 << 63, infinity: 0x7ff << 52, one: 0x3ff << 52 },
    }
}

fn is_nan(ty: Type, bits: u64) -> bool {
    let f = format(ty);
    bits & !f.sign > f.infinity
}

/// A subnormal becomes a zero of its sign, if the flags ask for it.
pub(super) fn flush(ty: Type, flags: Flags, bits: u64) -> u64 {
    let f = format(ty);
    if flags.has(Flags::FTZ) && bits & f.infinity == 0 { bits & f.sign } else { bits }
}

/// `.sat`: clamps to [0, 1], NaN gives 0.
fn saturate(ty: Type, flags: Flags, bits: u64) -> u64 {
    if !flags.has(Flags::SAT) {
        return bits;
    }
    let f = format(ty);
    if is_nan(ty, bits) || bits & f.sign != 0 { 0 } else { bits.min(f.one) }
}

fn ap_round(r: Round) -> ApRound {
    match r {
        Round::NearestEven => ApRound::NearestTiesToEven,
        Round::Zero => ApRound::TowardZero,
        Round::Down => ApRound::TowardNegative,
        Round::Up => ApRound::TowardPositive,
    }
}

fn rounding(payload: &Payload) -> Option<Round> {
    if let Payload::Round(r) = payload { Some(*r) } else { None }
}

/// Arithmetic on floats of one type.
pub(super) fn fold(op: Opcode, flags: Flags, payload: &Payload, ty: Type, args: &[u64]) -> Option<u64> {
    use Opcode::*;
    let f = format(ty);
    match op {
        FNeg => return Some(args[0] ^ f.sign),
        FAbs => return Some(args[0] & !f.sign),
        FCopysign => return Some(args[0] & !f.sign | args[1] & f.sign),
        _ => {}
    }
    let mut x = [0; 3];
    for (to, &from) in x.iter_mut().zip(args) {
        *to = flush(ty, flags, from);
    }
    let round = rounding(payload).unwrap_or(Round::NearestEven);
    let raw = match op {
        FMin | FMax => minmax(op == FMin, ty, x[0], x[1]),
        FFloor | FCeil | FTrunc | FRint => integral(op, ty, x[0])?,
        FSqrt => sqrt(ty, round, x[0])?,
        FRem => from_f64_exact(ty, to_f64(ty, x[0])? % to_f64(ty, x[1])?)?,
        _ => match ty.kind() {
            ScalarKind::F16 => apfloat::<Half>(op, round, x)?,
            ScalarKind::BF16 => apfloat::<BFloat>(op, round, x)?,
            ScalarKind::F32 if round == Round::NearestEven => {
                let [a, b, c] = x.map(|b| f32::from_bits(b as u32));
                u64::from(native(op, a, b, c, f32::mul_add)?.to_bits())
            }
            ScalarKind::F32 => apfloat::<Single>(op, round, x)?,
            ScalarKind::F64 if round == Round::NearestEven => {
                let [a, b, c] = x.map(f64::from_bits);
                native(op, a, b, c, f64::mul_add)?.to_bits()
            }
            _ => apfloat::<Double>(op, round, x)?,
        },
    };
    let result = if is_nan(ty, raw) { canonical_nan(ty) } else { flush(ty, flags, raw) };
    Some(saturate(ty, flags, result))
}

fn native<T>(op: Opcode, a: T, b: T, c: T, fma: fn(T, T, T) -> T) -> Option<T>
where
    T: std::ops::Add<Output = T> + std::ops::Sub<Output = T> + std::ops::Mul<Output = T> + std::ops::Div<Output = T>,
{
    Some(match op {
        Opcode::FAdd => a + b,
        Opcode::FSub => a - b,
        Opcode::FMul => a * b,
        Opcode::FDiv => a / b,
        Opcode::Fma => fma(a, b, c),
        _ => return None,
    })
}

fn apfloat<F: Float>(op: Opcode, round: Round, x: [u64; 3]) -> Option<u64> {
    let [a, b, c] = x.map(|b| F::from_bits(u128::from(b)));
    let r = ap_round(round);
    let result = match op {
        Opcode::FAdd => a.add_r(b, r),
        Opcode::FSub => a.sub_r(b, r),
        Opcode::FMul => a.mul_r(b, r),
        Opcode::FDiv => a.div_r(b, r),
        Opcode::Fma => a.mul_add_r(b, c, r),
        _ => return None,
    };
    Some(result.value.to_bits() as u64)
}

/// minNum and maxNum with -0 below +0, as PTX has them.
fn minmax(min: bool, ty: Type, a: u64, b: u64) -> u64 {
    if is_nan(ty, a) {
        return b;
    }
    if is_nan(ty, b) {
        return a;
    }
    // Order of the bits as sign-magnitude numbers is the order of the floats, with -0 below +0.
    let sign = format(ty).sign;
    let key = |x: u64| if x & sign != 0 { -((x & !sign) as i128) - 1 } else { i128::from(x) };
    if (key(a) < key(b)) == min { a } else { b }
}

fn integral(op: Opcode, ty: Type, x: u64) -> Option<u64> {
    let v = to_f64(ty, x)?;
    let r = match op {
        Opcode::FFloor => v.floor(),
        Opcode::FCeil => v.ceil(),
        Opcode::FTrunc => v.trunc(),
        _ => v.round_ties_even(),
    };
    from_f64_exact(ty, r)
}

/// The square root. For rounding modes other than the default, only where it is exact.
fn sqrt(ty: Type, round: Round, x: u64) -> Option<u64> {
    let v = to_f64(ty, x)?;
    // A double's square root rounded again to at most 24 bits is right: 53 ≥ 2 × 24 + 2.
    let root = v.sqrt();
    let bits = from_f64(ty, root, Round::NearestEven)?;
    let back = to_f64(ty, bits)?;
    // Scaled by an even power of two where the residual would be too small for a double.
    let (wide, scale) = if v < 1e-200 { (v * 2f64.powi(400), 2f64.powi(200)) } else { (v, 1.0) };
    let back = back * scale;
    let exact = back.mul_add(back, -wide) == 0.0;
    (round == Round::NearestEven || exact || root.is_nan()).then_some(bits)
}

fn from_f64_exact(ty: Type, x: f64) -> Option<u64> {
    from_f64(ty, x, Round::NearestEven)
}

/// A double rounded once to the float type `ty`.
fn from_f64(ty: Type, x: f64, round: Round) -> Option<u64> {
    if x.is_nan() {
        return Some(canonical_nan(ty));
    }
    let double = || Double::from_bits(u128::from(x.to_bits()));
    let r = ap_round(round);
    Some(match ty.kind() {
        ScalarKind::F64 => x.to_bits(),
        ScalarKind::F32 if round == Round::NearestEven => u64::from((x as f32).to_bits()),
        ScalarKind::F32 => narrow::<Single>(double(), r),
        ScalarKind::F16 => narrow::<Half>(double(), r),
        ScalarKind::BF16 => narrow::<BFloat>(double(), r),
        _ => return None,
    })
}

fn narrow<F: Float>(x: Double, round: ApRound) -> u64
where
    Double: FloatConvert<F>,
{
    let mut loses = false;
    x.convert_r(round, &mut loses).value.to_bits() as u64
}

/// Conversions from or to floats.
pub(super) fn convert(op: Opcode, flags: Flags, payload: &Payload, ty: Type, from: Type, x: u64) -> Option<u64> {
    let mode = rounding(payload);
    match op {
        Opcode::FpTrunc | Opcode::FpExt => {
            let x = flush(from, flags, x);
            let raw = from_f64(ty.scalar(), to_f64(from, x)?, mode.unwrap_or(Round::NearestEven))?;
            Some(saturate(ty, flags, flush(ty, flags, raw)))
        }
        Opcode::FpToSi | Opcode::FpToUi => {
            let v = to_f64(from, flush(from, flags, x))?;
            let v = match mode.unwrap_or(Round::Zero) {
                Round::Zero => v.trunc(),
                Round::NearestEven => v.round_ties_even(),
                Round::Down => v.floor(),
                Round::Up => v.ceil(),
            };
            if v.is_nan() && flags.has(Flags::NAN_TOP) {
                return Some(1 << (ty.bits() - 1));
            }
            Some(saturating_int(v, op == Opcode::FpToSi, ty.bits()) & ty.mask())
        }
        _ => {
            let n = if op == Opcode::SiToFp { i128::from(super::int::sext(x, from.bits())) } else { i128::from(x) };
            from_int(ty, n, mode.unwrap_or(Round::NearestEven))
        }
    }
}

/// An integral double clamped into an integer type; NaN gives 0.
fn saturating_int(v: f64, signed: bool, bits: u32) -> u64 {
    let n = v as i128;
    let (low, high) =
        if signed { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
    n.clamp(low, high) as u64
}

fn from_int(ty: Type, n: i128, round: Round) -> Option<u64> {
    let r = ap_round(round);
    Some(match ty.kind() {
        ScalarKind::F32 if round == Round::NearestEven => u64::from((n as f32).to_bits()),
        ScalarKind::F64 if round == Round::NearestEven => (n as f64).to_bits(),
        ScalarKind::F16 => Half::from_i128_r(n, r).value.to_bits() as u64,
        ScalarKind::BF16 => BFloat::from_i128_r(n, r).value.to_bits() as u64,
        ScalarKind::F32 => Single::from_i128_r(n, r).value.to_bits() as u64,
        ScalarKind::F64 => Double::from_i128_r(n, r).value.to_bits() as u64,
        _ => return None,
    })
}
