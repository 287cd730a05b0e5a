//! Integer arithmetic on the low bits of a `u64`.
//!
//! Written apart from the folder of the optimiser on purpose: the two check each other.

use ir::Opcode;

/// `x`, held in the low `bits` bits, as a signed number.
#[inline]
pub(crate) fn signed(x: u64, bits: u32) -> i64 {
    let shift = 64 - bits;
    ((x << shift) as i64) >> shift
}

/// All ones in `bits` bits.
#[inline]
pub(crate) fn ones(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}

/// What an integer operation gives; `None` where the IR leaves it unspecified (division by zero and overflow of it).
#[inline(always)]
pub(crate) fn eval(op: Opcode, bits: u32, a: u64, b: u64, c: u64) -> Option<u64> {
    use Opcode::*;
    let (sa, sb) = (signed(a, bits), signed(b, bits));
    let wide = u64::from(bits);
    let value = match op {
        Add => a.wrapping_add(b),
        Sub => a.wrapping_sub(b),
        Mul => a.wrapping_mul(b),
        MulHiS => ((sa as i128 * sb as i128) >> bits) as u64,
        MulHiU => ((a as u128 * b as u128) >> bits) as u64,
        SDiv => quotient(sa, sb, bits)? as u64,
        SRem => {
            quotient(sa, sb, bits)?;
            (sa % sb) as u64
        }
        UDiv => a.checked_div(b)?,
        URem => a.checked_rem(b)?,
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Shl if b >= wide => 0,
        Shl => a << b,
        LShr if b >= wide => 0,
        LShr => a >> b,
        AShr => (sa >> b.min(wide - 1)) as u64,
        SMin => {
            if sa < sb {
                a
            } else {
                b
            }
        }
        SMax => {
            if sa > sb {
                a
            } else {
                b
            }
        }
        UMin => a.min(b),
        UMax => a.max(b),
        Abs => {
            if sa < 0 {
                sa.wrapping_neg() as u64
            } else {
                a
            }
        }
        Clz => (0..bits).rev().take_while(|n| a >> n & 1 == 0).count() as u64,
        Ctz => (0..bits).take_while(|n| a >> n & 1 == 0).count() as u64,
        Popcnt => a.count_ones().into(),
        BitRev => (0..bits).fold(0, |r, n| r << 1 | a >> n & 1),
        ByteSwap => (0..bits / 8).fold(0, |r, n| r << 8 | a >> (8 * n) & 255),
        Fshl => match c % wide {
            0 => a,
            n => a << n | b >> (wide - n),
        },
        Fshr => match c % wide {
            0 => b,
            n => b >> n | a << (wide - n),
        },
        _ => return None,
    };
    Some(value & ones(bits))
}

fn quotient(a: i64, b: i64, bits: u32) -> Option<i64> {
    let q = a.checked_div(b)?;
    (signed(q as u64 & ones(bits), bits) == q).then_some(q)
}

/// Whether an operation breaks the promise of its `nuw`, `nsw` or `exact` flag.
#[inline(always)]
pub(crate) fn breaks_promise(op: Opcode, flags: ir::Flags, bits: u32, a: u64, b: u64) -> bool {
    use ir::Flags;
    if bits <= 32 && matches!(op, Opcode::Add | Opcode::Sub | Opcode::Mul) {
        // Nothing wraps in 64 bits but products without a sign, which fit without one.
        let (sa, sb) = (signed(a, bits), signed(b, bits));
        let (s, u) = match op {
            Opcode::Add => (sa + sb, Some(a + b)),
            Opcode::Sub => (sa - sb, a.checked_sub(b)),
            _ => (sa * sb, Some(a * b)),
        };
        let unsigned = flags.has(Flags::NUW) && u.is_none_or(|u| u > ones(bits));
        return unsigned || flags.has(Flags::NSW) && signed(s as u64 & ones(bits), bits) != s;
    }
    let (ua, ub) = (i128::from(a), i128::from(b));
    let (sa, sb) = (i128::from(signed(a, bits)), i128::from(signed(b, bits)));
    let (u, s) = match op {
        Opcode::Add => (ua + ub, sa + sb),
        Opcode::Sub => (ua - ub, sa - sb),
        // The product of two 64-bit unsigned numbers may exceed i128; it then certainly wraps.
        Opcode::Mul => (ua.checked_mul(ub).unwrap_or(-1), sa * sb),
        Opcode::Shl if b >= u64::from(bits) => return (flags.has(Flags::NUW) || flags.has(Flags::NSW)) && a != 0,
        Opcode::Shl => (ua << b, sa << b),
        Opcode::LShr | Opcode::AShr if flags.has(Flags::EXACT) => {
            return if b >= u64::from(bits) { a != 0 } else { a & ((1 << b) - 1) != 0 };
        }
        Opcode::UDiv if flags.has(Flags::EXACT) => return b != 0 && !a.is_multiple_of(b),
        Opcode::SDiv if flags.has(Flags::EXACT) => return sb != 0 && sa % sb != 0,
        _ => return false,
    };
    let top = 1i128 << (bits - 1);
    flags.has(Flags::NUW) && !(0..2 * top).contains(&u) || flags.has(Flags::NSW) && !(-top..top).contains(&s)
}
