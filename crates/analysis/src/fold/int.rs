//! Integer operations.

use ir::Opcode;

/// `x`, held in the low `bits` bits, as a signed number.
pub(super) fn sext(x: u64, bits: u32) -> i64 {
    ((x << (64 - bits)) as i64) >> (64 - bits)
}

pub(super) fn fold(op: Opcode, bits: u32, args: &[u64]) -> Option<u64> {
    use Opcode::*;
    let mask = u64::MAX >> (64 - bits);
    let a = args[0];
    let b = args.get(1).copied().unwrap_or(0);
    let (sa, sb) = (sext(a, bits), sext(b, bits));
    let value = match op {
        Add => a.wrapping_add(b),
        Sub => a.wrapping_sub(b),
        Mul => a.wrapping_mul(b),
        MulHiS => ((i128::from(sa) * i128::from(sb)) >> bits) as u64,
        MulHiU => ((u128::from(a) * u128::from(b)) >> bits) as u64,
        SDiv | SRem if b == 0 || (sb == -1 && a == 1 << (bits - 1)) => return None,
        UDiv | URem if b == 0 => return None,
        SDiv => sa.wrapping_div(sb) as u64,
        SRem => sa.wrapping_rem(sb) as u64,
        UDiv => a / b,
        URem => a % b,
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Shl => a.checked_shl(amount(b)).filter(|_| b < u64::from(bits)).unwrap_or(0),
        LShr => a.checked_shr(amount(b)).filter(|_| b < u64::from(bits)).unwrap_or(0),
        AShr => (sa >> amount(b).min(bits - 1)) as u64,
        SMin => sa.min(sb) as u64,
        SMax => sa.max(sb) as u64,
        UMin => a.min(b),
        UMax => a.max(b),
        Abs => sa.unsigned_abs(),
        Clz => u64::from(a.leading_zeros() - (64 - bits)),
        Ctz => u64::from(a.trailing_zeros().min(bits)),
        Popcnt => u64::from(a.count_ones()),
        BitRev => a.reverse_bits() >> (64 - bits),
        ByteSwap => a.swap_bytes() >> (64 - bits),
        Fshl | Fshr => funnel(op == Fshl, bits, a, b, args[2]),
        _ => return None,
    };
    Some(value & mask)
}

fn amount(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn funnel(left: bool, bits: u32, hi: u64, lo: u64, n: u64) -> u64 {
    let n = (n % u64::from(bits)) as u32;
    let both = u128::from(hi) << bits | u128::from(lo);
    if left { ((both << n) >> bits) as u64 } else { (both >> n) as u64 }
}
