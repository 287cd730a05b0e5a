//! Target operations of one lane.
//!
//! Approximate ones (`sin.approx`, …) are computed in double precision and rounded once: as good as the machine allows,
//! so results differ from hardware in the last places, within the tolerance that such code must have.

use crate::{float, int};
use ir::{Flags, Intrinsic, Opcode, Round, ScalarKind};

/// What an intrinsic gives; `None` if it is none of these.
pub(crate) fn eval(i: Intrinsic, kind: ScalarKind, bits: u32, flags: Flags, args: [u64; 4]) -> Option<u64> {
    use Intrinsic::*;
    let [a, b, c, d] = args;
    let bits = bits.max(1);
    let s = |x: u64| int::signed(x, bits);
    let value = match i {
        SinApprox | CosApprox | Ex2Approx | Lg2Approx | RcpApprox | RsqrtApprox | SqrtApprox | TanhApprox
        | DivApprox | DivFull => return Some(approximate(i, kind, flags, a, b)),
        Scale | Exponent | Significand => {
            let flushed = |v| float::flush(kind, flags, v);
            let r = ir::exponent::eval(i, kind == ScalarKind::F32, flushed(a), flushed(b))?;
            return Some(flushed(r));
        }
        RcpRn => {
            let one = float::round_to(kind, 1.0, Round::NearestEven);
            return Some(float::eval(Opcode::FDiv, flags, Round::NearestEven, kind, one, a, 0));
        }
        BfeS => extract(a, b, c, bits, true),
        BfeU => extract(a, b, c, bits, false),
        Bfi => insert(a, b, c, d, bits),
        Prmt => permute(a, b, c),
        SadS => (s(a).abs_diff(s(b))).wrapping_add(c),
        SadU => a.abs_diff(b).wrapping_add(c),
        Mul24S => int::signed(a & 0xff_ffff, 24).wrapping_mul(int::signed(b & 0xff_ffff, 24)) as u64,
        Mul24U => (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff),
        Dp4aS => dot(a, b, c, 8, 4, true),
        Dp4aU => dot(a, b, c, 8, 4, false),
        Dp2aS => dot(a, b, c, 16, 2, true),
        Dp2aU => dot(a, b, c, 16, 2, false),
        _ => return None,
    };
    Some(value & int::ones(bits))
}

fn approximate(i: Intrinsic, kind: ScalarKind, flags: Flags, a: u64, b: u64) -> u64 {
    use Intrinsic::*;
    let x = float::to_f64(kind, float::flush(kind, flags, a));
    let y = float::to_f64(kind, float::flush(kind, flags, b));
    let r = match i {
        SinApprox => x.sin(),
        CosApprox => x.cos(),
        Ex2Approx => x.exp2(),
        Lg2Approx => x.log2(),
        RcpApprox => 1.0 / x,
        RsqrtApprox => 1.0 / x.sqrt(),
        SqrtApprox => x.sqrt(),
        TanhApprox => x.tanh(),
        _ => x / y,
    };
    float::flush(kind, flags, float::round_to(kind, r, Round::NearestEven))
}

/// PTX `bfe`: the field is shifted to the top and back, sign-filling if asked.
fn extract(value: u64, pos: u64, len: u64, bits: u32, is_signed: bool) -> u64 {
    let (pos, len, width) = (pos & 255, len & 255, u64::from(bits));
    if len == 0 {
        return 0;
    }
    // Where the sign sits: the field's last bit, but never beyond the word's.
    let top = (pos + len - 1).min(width - 1);
    let fill = is_signed && value >> top & 1 == 1;
    (0..width).fold(0, |out, n| {
        let inside = n < len && pos + n < width;
        let bit = if inside { value >> (pos + n) & 1 == 1 } else { fill };
        out | u64::from(bit) << n
    })
}

fn insert(field: u64, base: u64, pos: u64, len: u64, bits: u32) -> u64 {
    let (pos, len) = (pos & 255, len & 255);
    (0..u64::from(bits)).fold(0, |out, n| {
        let inside = n >= pos && n - pos < len;
        let bit = if inside { field >> (n - pos) & 1 } else { base >> n & 1 };
        out | bit << n
    })
}

fn permute(a: u64, b: u64, selector: u64) -> u64 {
    let source = [a.to_le_bytes(), b.to_le_bytes()];
    let byte = |n: u64| {
        let pick = selector >> (4 * n) & 15;
        let v = source[(pick >> 2 & 1) as usize][(pick & 3) as usize];
        u64::from(if pick & 8 == 0 {
            v
        } else if v & 0x80 == 0 {
            0
        } else {
            255
        })
    };
    (0..4).fold(0, |out, n| out | byte(n) << (8 * n))
}

/// Products of parts `width` bits wide of `a` with bytes of `b`, summed onto `c`.
fn dot(a: u64, b: u64, c: u64, width: u32, parts: u32, is_signed: bool) -> u64 {
    let part = |x: u64, width: u32, n: u32| {
        let v = x >> (n * width) & int::ones(width);
        if is_signed { int::signed(v, width) } else { v as i64 }
    };
    (0..parts).fold(c, |sum, n| sum.wrapping_add((part(a, width, n) * part(b, 8, n)) as u64))
}
