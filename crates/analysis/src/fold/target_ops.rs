//! Target operations that have an exact result.

use super::int::sext;
use ir::{Intrinsic, Type};

pub(super) fn fold(op: Intrinsic, ty: Type, args: &[u64]) -> Option<u64> {
    use Intrinsic::*;
    let bits = ty.bits();
    let arg = |n: usize| args.get(n).copied().unwrap_or(0);
    let (a, b, c) = (arg(0), arg(1), arg(2));
    let value = match op {
        BfeS | BfeU => field(op == BfeS, bits, a, b as u32 & 0xff, c as u32 & 0xff),
        Bfi => insert_field(bits, a, b, c as u32 & 0xff, arg(3) as u32 & 0xff),
        Prmt => permute(a, b, c),
        SadS => sext(a, bits).abs_diff(sext(b, bits)).wrapping_add(c),
        SadU => a.abs_diff(b).wrapping_add(c),
        Mul24S => (sext(a & 0xff_ffff, 24)).wrapping_mul(sext(b & 0xff_ffff, 24)) as u64,
        Mul24U => (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff),
        Dp4aS => (0..4).fold(c, |sum, n| sum.wrapping_add(lane(a, n, 8, true).wrapping_mul(lane(b, n, 8, true)))),
        Dp4aU => (0..4).fold(c, |sum, n| sum.wrapping_add(lane(a, n, 8, false).wrapping_mul(lane(b, n, 8, false)))),
        Dp2aS => (0..2).fold(c, |sum, n| sum.wrapping_add(lane(a, n, 16, true).wrapping_mul(lane(b, n, 8, true)))),
        Dp2aU => (0..2).fold(c, |sum, n| sum.wrapping_add(lane(a, n, 16, false).wrapping_mul(lane(b, n, 8, false)))),
        // Of a normal power of two the logarithm is exact.
        Lg2Approx if ty == Type::F32 && a & 0x807f_ffff == 0 && (1..255).contains(&(a >> 23)) => {
            u64::from(((a >> 23) as f32 - 127.0).to_bits())
        }
        Scale | Exponent | Significand => return ir::exponent::eval(op, ty == Type::F32, a, b),
        RcpRn if ty.is_float() => {
            return super::float::fold(
                ir::Opcode::FDiv,
                ir::Flags::NONE,
                &ir::Payload::None,
                ty.scalar(),
                &[one(ty), a],
            );
        }
        _ => return None,
    };
    Some(value & ty.mask())
}

fn one(ty: Type) -> u64 {
    if ty.bits() == 64 { 1.0f64.to_bits() } else { u64::from(1.0f32.to_bits()) }
}

/// Part `n` of a word, each `width` bits wide.
fn lane(x: u64, n: u32, width: u32, signed: bool) -> u64 {
    let part = x >> (n * width) & ((1 << width) - 1);
    if signed { sext(part, width) as u64 } else { part }
}

/// PTX `bfe`: bits past the top repeat the sign (of the field's last bit, or of the word), or are zero.
fn field(signed: bool, bits: u32, value: u64, pos: u32, len: u32) -> u64 {
    if len == 0 {
        return 0;
    }
    let msb = bits - 1;
    let sign = signed && value >> (pos + len - 1).min(msb) & 1 == 1;
    let mut out = 0;
    for n in 0..bits {
        let bit = if n < len && pos + n <= msb { value >> (pos + n) & 1 == 1 } else { sign };
        out |= u64::from(bit) << n;
    }
    out
}

/// PTX `bfi`.
fn insert_field(bits: u32, field: u64, base: u64, pos: u32, len: u32) -> u64 {
    if pos >= bits || len == 0 {
        return base;
    }
    let ones = if len >= 64 { u64::MAX } else { (1 << len) - 1 };
    let mask = ones << pos;
    base & !mask | field << pos & mask
}

/// PTX `prmt` in its default mode: each selector nibble picks a byte, or repeats its sign.
fn permute(a: u64, b: u64, selector: u64) -> u64 {
    let bytes = a & 0xffff_ffff | b << 32;
    (0..4).fold(0, |out, n| {
        let s = selector >> (4 * n) & 15;
        let byte = bytes >> (8 * (s & 7)) & 0xff;
        let byte = if s & 8 == 0 { byte } else { 0xff * (byte >> 7) };
        out | byte << (8 * n)
    })
}
