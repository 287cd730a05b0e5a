//! Floating-point arithmetic on bits: IEEE 754, every format and rounding mode.
//!
//! `f32` and `f64` to nearest use the machine; the rest goes through `rustc_apfloat`. A NaN result is the target's
//! canonical NaN. `ftz` flushes subnormal operands and results, `sat` clamps to [0, 1].

use ir::{Flags, Opcode, Round, ScalarKind};
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert};

/// Layout of a format.
struct Format {
    sign: u64,
    exponent: u64,
    one: u64,
    nan: u64,
}

#[inline]
fn format(kind: ScalarKind) -> Format {
    match kind {
        ScalarKind::F16 => Format { sign: 1 << 15, exponent: 0x7c00, one: 0x3c00, nan: 0x7fff },
        ScalarKind::BF16 => Format { sign: 1 << 15, exponent: 0x7f80, one: 0x3f80, nan: 0x7fff },
        ScalarKind::F32 => Format { sign: 1 << 31, exponent: 0x7f80_0000, one: 0x3f80_0000, nan: 0x7fff_ffff },
        _ => Format { sign: 1 << 63, exponent: 0x7ff << 52, one: 0x3ff << 52, nan: 0x7ff8 << 48 },
    }
}

/// The number that the bits stand for; exact.
pub(crate) fn to_f64(kind: ScalarKind, bits: u64) -> f64 {
    match kind {
        ScalarKind::F16 => half::f16::from_bits(bits as u16).to_f64(),
        ScalarKind::BF16 => half::bf16::from_bits(bits as u16).to_f64(),
        ScalarKind::F32 => f32::from_bits(bits as u32).into(),
        _ => f64::from_bits(bits),
    }
}

pub(crate) fn is_nan(kind: ScalarKind, bits: u64) -> bool {
    let f = format(kind);
    bits & !f.sign > f.exponent
}

/// Whether fast-math promises (`nnan`, `ninf`) do not hold of a value.
pub(crate) fn breaks_promise(kind: ScalarKind, flags: Flags, bits: u64) -> bool {
    let f = format(kind);
    let magnitude = bits & !f.sign;
    flags.has(Flags::NNAN) && magnitude > f.exponent || flags.has(Flags::NINF) && magnitude == f.exponent
}

#[inline]
pub(crate) fn flush(kind: ScalarKind, flags: Flags, bits: u64) -> u64 {
    let f = format(kind);
    if flags.has(Flags::FTZ) && bits & f.exponent == 0 { bits & f.sign } else { bits }
}

#[inline]
fn finish(kind: ScalarKind, flags: Flags, bits: u64) -> u64 {
    let f = format(kind);
    let bits = if is_nan(kind, bits) { f.nan } else { flush(kind, flags, bits) };
    if !flags.has(Flags::SAT) {
        bits
    } else if is_nan(kind, bits) || bits & f.sign != 0 {
        0
    } else {
        bits.min(f.one)
    }
}

fn ap(r: Round) -> rustc_apfloat::Round {
    match r {
        Round::NearestEven => rustc_apfloat::Round::NearestTiesToEven,
        Round::Zero => rustc_apfloat::Round::TowardZero,
        Round::Down => rustc_apfloat::Round::TowardNegative,
        Round::Up => rustc_apfloat::Round::TowardPositive,
    }
}

/// What an arithmetic operation gives.
#[inline(always)]
pub(crate) fn eval(op: Opcode, flags: Flags, round: Round, kind: ScalarKind, a: u64, b: u64, c: u64) -> u64 {
    let f = format(kind);
    match op {
        Opcode::FNeg => return a ^ f.sign,
        Opcode::FAbs => return a & !f.sign,
        Opcode::FCopysign => return a & !f.sign | b & f.sign,
        _ => {}
    }
    let (a, b, c) = (flush(kind, flags, a), flush(kind, flags, b), flush(kind, flags, c));
    let x = to_f64(kind, a);
    let raw = match op {
        Opcode::FMin | Opcode::FMax => pick(op == Opcode::FMin, kind, a, b),
        Opcode::FFloor => round_to(kind, x.floor(), Round::NearestEven),
        Opcode::FCeil => round_to(kind, x.ceil(), Round::NearestEven),
        Opcode::FTrunc => round_to(kind, x.trunc(), Round::NearestEven),
        Opcode::FRint => round_to(kind, x.round_ties_even(), Round::NearestEven),
        // The remainder is exact in the format of its operands, whatever it is computed in.
        Opcode::FRem => round_to(kind, x % to_f64(kind, b), Round::NearestEven),
        Opcode::FSqrt => sqrt(kind, round, a),
        _ => arithmetic(op, round, kind, a, b, c),
    };
    finish(kind, flags, raw)
}

#[inline]
fn arithmetic(op: Opcode, round: Round, kind: ScalarKind, a: u64, b: u64, c: u64) -> u64 {
    match (kind, round) {
        (ScalarKind::F32, Round::NearestEven) => {
            let (a, b, c) = (f32::from_bits(a as u32), f32::from_bits(b as u32), f32::from_bits(c as u32));
            let r = match op {
                Opcode::FAdd => a + b,
                Opcode::FSub => a - b,
                Opcode::FMul => a * b,
                Opcode::FDiv => a / b,
                _ => a.mul_add(b, c),
            };
            r.to_bits().into()
        }
        (ScalarKind::F64, Round::NearestEven) => {
            let (a, b, c) = (f64::from_bits(a), f64::from_bits(b), f64::from_bits(c));
            let r = match op {
                Opcode::FAdd => a + b,
                Opcode::FSub => a - b,
                Opcode::FMul => a * b,
                Opcode::FDiv => a / b,
                _ => a.mul_add(b, c),
            };
            r.to_bits()
        }
        (ScalarKind::F16, _) => soft::<Half>(op, round, a, b, c),
        (ScalarKind::BF16, _) => soft::<BFloat>(op, round, a, b, c),
        (ScalarKind::F32, _) => soft::<Single>(op, round, a, b, c),
        _ => soft::<Double>(op, round, a, b, c),
    }
}

fn soft<F: Float>(op: Opcode, round: Round, a: u64, b: u64, c: u64) -> u64 {
    let get = |x: u64| F::from_bits(x.into());
    let r = ap(round);
    let out = match op {
        Opcode::FAdd => get(a).add_r(get(b), r),
        Opcode::FSub => get(a).sub_r(get(b), r),
        Opcode::FMul => get(a).mul_r(get(b), r),
        Opcode::FDiv => get(a).div_r(get(b), r),
        _ => get(a).mul_add_r(get(b), get(c), r),
    };
    out.value.to_bits() as u64
}

/// minNum or maxNum; -0 counts as less than +0.
fn pick(min: bool, kind: ScalarKind, a: u64, b: u64) -> u64 {
    if is_nan(kind, a) {
        return b;
    }
    if is_nan(kind, b) {
        return a;
    }
    let (x, y) = (to_f64(kind, a), to_f64(kind, b));
    let a_less = x < y || x == y && x.is_sign_negative();
    if a_less == min { a } else { b }
}

/// The square root, correctly rounded in every mode: a candidate, and the sign of what is left.
fn sqrt(kind: ScalarKind, round: Round, bits: u64) -> u64 {
    let x = to_f64(kind, bits);
    if x <= 0.0 || !x.is_finite() {
        return round_to(kind, x.sqrt(), Round::NearestEven);
    }
    // Scaled by an even power of two, so that the square of the root is neither subnormal nor infinite.
    let (scaled, down) = if x < 1e-200 { (x * 2f64.powi(400), 2f64.powi(-200)) } else { (x, 1.0) };
    let root = scaled.sqrt();
    let residual = root.mul_add(-root, scaled);
    let exact = match round {
        Round::NearestEven => root,
        Round::Zero | Round::Down if residual < 0.0 => root.next_down(),
        Round::Up if residual > 0.0 => root.next_up(),
        _ => root,
    };
    // Rounding twice is harmless: to nearest because 53 ≥ 2 × 24 + 2, directed because the order is kept.
    round_to(kind, exact * down, round)
}

/// A double rounded to a format.
pub(crate) fn round_to(kind: ScalarKind, x: f64, round: Round) -> u64 {
    let wide = Double::from_bits(x.to_bits().into());
    let mut loses = false;
    let bits = match kind {
        ScalarKind::F16 => {
            let h: Half = wide.convert_r(ap(round), &mut loses).value;
            h.to_bits() as u64
        }
        ScalarKind::BF16 => {
            let h: BFloat = wide.convert_r(ap(round), &mut loses).value;
            h.to_bits() as u64
        }
        ScalarKind::F32 if round == Round::NearestEven => (x as f32).to_bits().into(),
        ScalarKind::F32 => {
            let s: Single = wide.convert_r(ap(round), &mut loses).value;
            s.to_bits() as u64
        }
        _ => x.to_bits(),
    };
    if is_nan(kind, bits) { format(kind).nan } else { bits }
}

/// One float format to another.
pub(crate) fn convert(flags: Flags, round: Round, from: ScalarKind, to: ScalarKind, bits: u64) -> u64 {
    let x = to_f64(from, flush(from, flags, bits));
    finish(to, flags, round_to(to, x, round))
}

/// A float to an integer of `bits` bits: saturating, NaN gives 0.
pub(crate) fn to_int(round: Round, flags: Flags, from: ScalarKind, is_signed: bool, bits: u32, value: u64) -> u64 {
    let x = to_f64(from, flush(from, flags, value));
    let x = match round {
        Round::Zero => x.trunc(),
        Round::NearestEven => x.round_ties_even(),
        Round::Down => x.floor(),
        Round::Up => x.ceil(),
    };
    if x.is_nan() && flags.has(Flags::NAN_TOP) {
        return 1 << (bits - 1);
    }
    // `as` saturates and maps NaN to 0.
    let n = x as i128;
    let n = if is_signed { n.clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { n.clamp(0, (1 << bits) - 1) };
    n as u64 & crate::int::ones(bits)
}

/// An integer to a float.
pub(crate) fn from_int(round: Round, to: ScalarKind, n: i128) -> u64 {
    let r = ap(round);
    match to {
        ScalarKind::F16 => Half::from_i128_r(n, r).value.to_bits() as u64,
        ScalarKind::BF16 => BFloat::from_i128_r(n, r).value.to_bits() as u64,
        ScalarKind::F32 => Single::from_i128_r(n, r).value.to_bits() as u64,
        _ => Double::from_i128_r(n, r).value.to_bits() as u64,
    }
}
