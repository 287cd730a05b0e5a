//! Operations on registers, for all lanes at once. They say whether nothing undefined comes out.

use super::code::Step;
use super::{LANES, Mask, Reg};
use crate::decode::{Data, Op};
use crate::{float, int};
use ir::{Flags, IntCC, Opcode, Round, ScalarKind};

/// What executes an operation.
pub(super) type Pure = fn(&Step, &mut [Reg], &Mask) -> bool;

/// What executes an operation whose operands are defined, if there is something for it. It gives what
/// [`crate::lanes::eval`] gives.
pub(super) fn pure(op: &Op) -> Option<Pure> {
    match op.op {
        Opcode::Icmp => compare(op),
        Opcode::Select if matches!(op.data, Data::Lane(n) if n <= 1 || n == op.lanes) => Some(select),
        Opcode::Trunc | Opcode::ZExt | Opcode::SExt => conversion(op),
        Opcode::FAdd | Opcode::FSub | Opcode::FMul | Opcode::FDiv | Opcode::Fma | Opcode::FNeg | Opcode::FAbs => {
            floating(op)
        }
        Opcode::SiToFp | Opcode::UiToFp | Opcode::FpToSi | Opcode::FpToUi => None,
        _ => integer(op),
    }
}

/// Puts what an operation gives into the registers of the lanes that are on.
#[inline(always)]
fn put(to: &mut Reg, out: Reg, m: &Mask) {
    if m.all {
        *to = out;
    } else {
        for l in 0..LANES {
            to[l] = out[l] & m.words[l] | to[l] & !m.words[l];
        }
    }
}

/// An operation with two operands; `f` gives the result and what is not 0 where that is undefined.
#[inline(always)]
fn two(s: &Step, regs: &mut [Reg], m: &Mask, f: impl Fn(u64, u64) -> (u64, u64)) -> bool {
    let mut bad = 0;
    for c in 0..usize::from(s.op.lanes) {
        let mut out = [0; LANES];
        let (a, b) = (&regs[s.op.args[0] as usize + c], &regs[s.op.args[1] as usize + c]);
        for l in 0..LANES {
            let (v, wrong) = f(a[l], b[l]);
            out[l] = v;
            bad |= wrong & m.words[l];
        }
        put(&mut regs[s.op.dst as usize + c], out, m);
    }
    bad == 0
}

#[inline(always)]
fn one(s: &Step, regs: &mut [Reg], m: &Mask, f: impl Fn(u64) -> u64) -> bool {
    for c in 0..usize::from(s.op.lanes) {
        let mut out = [0; LANES];
        let a = &regs[s.op.args[0] as usize + c];
        for l in 0..LANES {
            out[l] = f(a[l]);
        }
        put(&mut regs[s.op.dst as usize + c], out, m);
    }
    true
}

// ---- integers --------------------------------------------------------------------------------------------------------

/// Sums, differences and products, without promises or with that of no signed overflow.
#[inline(always)]
fn arithmetic<const BITS: u32, const NSW: bool>(which: Opcode, s: &Step, regs: &mut [Reg], m: &Mask) -> bool {
    two(s, regs, m, |a, b| {
        let v = int::eval(which, BITS, a, b, 0).unwrap_or(0);
        let (sa, sb) = (int::signed(a, BITS), int::signed(b, BITS));
        let wrong = match (NSW, which, BITS) {
            (false, ..) => 0,
            (_, Opcode::Add, 64) => (((a ^ v) & (b ^ v)) as i64 >> 63) as u64,
            (_, Opcode::Sub, 64) => (((a ^ b) & (a ^ v)) as i64 >> 63) as u64,
            (_, Opcode::Mul, 64) => u64::from(sa.overflowing_mul(sb).1).wrapping_neg(),
            (_, Opcode::Add, _) => ((sa + sb) ^ int::signed(v, BITS)) as u64,
            (_, Opcode::Sub, _) => ((sa - sb) ^ int::signed(v, BITS)) as u64,
            _ => ((sa * sb) ^ int::signed(v, BITS)) as u64,
        };
        (v, wrong)
    })
}

/// Products of numbers of 64 bits that are mostly small.
fn product<const NSW: bool>(s: &Step, regs: &mut [Reg], m: &Mask) -> bool {
    let small = |r: &Reg| r.iter().fold(0, |all, &v| all | v ^ v as u32 as i32 as i64 as u64) == 0;
    let both = |c: usize| small(&regs[s.op.args[0] as usize + c]) && small(&regs[s.op.args[1] as usize + c]);
    if (0..usize::from(s.op.lanes)).all(both) {
        return two(s, regs, m, |a, b| ((i64::from(a as i32) * i64::from(b as i32)) as u64, 0));
    }
    arithmetic::<64, NSW>(Opcode::Mul, s, regs, m)
}

/// Quotients and remainders of 32 and 64 bits.
#[inline(always)]
fn division<const BITS: u32>(which: Opcode, s: &Step, regs: &mut [Reg], m: &Mask) -> bool {
    two(s, regs, m, |a, b| match int::eval(which, BITS, a, b, 0) {
        Some(v) => (v, 0),
        None => (0, u64::MAX),
    })
}

/// As [`division`], where all lanes divide numbers of 32 bits by one number.
fn division_by_one(which: Opcode, s: &Step, regs: &mut [Reg], m: &Mask) -> bool {
    let (a, b) = (&regs[s.op.args[0] as usize], &regs[s.op.args[1] as usize]);
    let by = b[0] as u32;
    let all_positive = a.iter().fold(0, |all, &v| all | v) <= i32::MAX as u64;
    if s.op.lanes != 1 || !b.iter().all(|&v| v == b[0]) || !by.is_power_of_two() || by > 1 << 30 || !all_positive {
        return division::<32>(which, s, regs, m);
    }
    let (shift, low) = (by.trailing_zeros(), u64::from(by - 1));
    match which {
        Opcode::SDiv | Opcode::UDiv => one(s, regs, m, |x| x >> shift),
        _ => one(s, regs, m, |x| x & low),
    }
}

fn integer(op: &Op) -> Option<Pure> {
    use Opcode::*;
    macro_rules! any {
        ($bits:literal: $($which:ident)*) => {
            match op.op {
                $($which => Some((|s, regs, m| {
                    two(s, regs, m, |a, b| (int::eval($which, $bits, a, b, 0).unwrap_or(0), 0))
                }) as Pure),)*
                _ => None,
            }
        };
    }
    let promises = op.flags.has(Flags::NUW) || op.flags.has(Flags::EXACT);
    let nsw = op.flags.has(Flags::NSW);
    match (op.op, op.bits) {
        (_, 0) => None,
        (Add | Sub | Mul, _) if promises => None,
        (Add, 32) if nsw => Some(|s, regs, m| arithmetic::<32, true>(Add, s, regs, m)),
        (Sub, 32) if nsw => Some(|s, regs, m| arithmetic::<32, true>(Sub, s, regs, m)),
        (Mul, 32) if nsw => Some(|s, regs, m| arithmetic::<32, true>(Mul, s, regs, m)),
        (Add, 64) if nsw => Some(|s, regs, m| arithmetic::<64, true>(Add, s, regs, m)),
        (Sub, 64) if nsw => Some(|s, regs, m| arithmetic::<64, true>(Sub, s, regs, m)),
        (Mul, 64) if nsw => Some(product::<true>),
        (Mul, 64) => Some(product::<false>),
        (Add | Sub | Mul, _) if nsw => None,
        (Shl | LShr | AShr | UDiv | SDiv, _) if promises || nsw => None,
        (SDiv, 32) => Some(|s, regs, m| division_by_one(SDiv, s, regs, m)),
        (SRem, 32) => Some(|s, regs, m| division_by_one(SRem, s, regs, m)),
        (UDiv, 32) => Some(|s, regs, m| division_by_one(UDiv, s, regs, m)),
        (URem, 32) => Some(|s, regs, m| division_by_one(URem, s, regs, m)),
        (SDiv, 64) => Some(|s, regs, m| division::<64>(SDiv, s, regs, m)),
        (SRem, 64) => Some(|s, regs, m| division::<64>(SRem, s, regs, m)),
        (UDiv, 64) => Some(|s, regs, m| division::<64>(UDiv, s, regs, m)),
        (URem, 64) => Some(|s, regs, m| division::<64>(URem, s, regs, m)),
        (_, 32) => any!(32: Add Sub Mul And Or Xor Shl LShr AShr SMin SMax UMin UMax MulHiU),
        (_, 64) => any!(64: Add Sub And Or Xor Shl LShr AShr SMin SMax UMin UMax),
        (_, 16) => any!(16: Add Sub Mul And Or Xor Shl LShr AShr SMin SMax UMin UMax),
        (_, 8) => any!(8: Add Sub Mul And Or Xor Shl LShr AShr SMin SMax UMin UMax),
        (_, 1) => any!(1: And Or Xor),
        _ => None,
    }
}

fn compare(op: &Op) -> Option<Pure> {
    macro_rules! compare {
        ($bits:literal: $($cc:ident $f:expr;)*) => {
            match op.data {
                $(Data::Int(IntCC::$cc) => Some((|s, regs, m| two(s, regs, m, |a, b| {
                    let f: fn(u64, u64, i64, i64) -> bool = $f;
                    (f(a, b, int::signed(a, $bits), int::signed(b, $bits)).into(), 0)
                })) as Pure),)*
                _ => None,
            }
        };
        ($bits:literal) => {
            compare!($bits:
                Eq |a, b, _, _| a == b;
                Ne |a, b, _, _| a != b;
                Slt |_, _, a, b| a < b;
                Sle |_, _, a, b| a <= b;
                Sgt |_, _, a, b| a > b;
                Sge |_, _, a, b| a >= b;
                Ult |a, b, _, _| a < b;
                Ule |a, b, _, _| a <= b;
                Ugt |a, b, _, _| a > b;
                Uge |a, b, _, _| a >= b;
            )
        };
    }
    match op.from_bits {
        8 => compare!(8),
        16 => compare!(16),
        32 => compare!(32),
        64 => compare!(64),
        _ => None,
    }
}

fn select(s: &Step, regs: &mut [Reg], m: &Mask) -> bool {
    let per_lane = matches!(s.op.data, Data::Lane(n) if n > 1);
    let [cond, yes, no] = s.op.args.map(|r| r as usize);
    for c in 0..usize::from(s.op.lanes) {
        let mut out = [0; LANES];
        let picks = &regs[cond + if per_lane { c } else { 0 }];
        let (a, b) = (&regs[yes + c], &regs[no + c]);
        for l in 0..LANES {
            let all = (picks[l] & 1).wrapping_neg();
            out[l] = a[l] & all | b[l] & !all;
        }
        put(&mut regs[s.op.dst as usize + c], out, m);
    }
    true
}

fn conversion(op: &Op) -> Option<Pure> {
    match (op.op, op.from_bits, op.bits) {
        (Opcode::ZExt, _, _) => Some(|s, regs, m| one(s, regs, m, |x| x)),
        (Opcode::Trunc, _, 32) => Some(|s, regs, m| one(s, regs, m, |x| x & int::ones(32))),
        (Opcode::Trunc, _, 16) => Some(|s, regs, m| one(s, regs, m, |x| x & int::ones(16))),
        (Opcode::Trunc, _, 8) => Some(|s, regs, m| one(s, regs, m, |x| x & int::ones(8))),
        (Opcode::SExt, 32, 64) => Some(|s, regs, m| one(s, regs, m, |x| int::signed(x, 32) as u64)),
        (Opcode::SExt, 8, 32) => Some(|s, regs, m| one(s, regs, m, |x| int::signed(x, 8) as u64 & int::ones(32))),
        (Opcode::SExt, 16, 32) => Some(|s, regs, m| one(s, regs, m, |x| int::signed(x, 16) as u64 & int::ones(32))),
        (Opcode::SExt, 8, 64) => Some(|s, regs, m| one(s, regs, m, |x| int::signed(x, 8) as u64)),
        (Opcode::SExt, 16, 64) => Some(|s, regs, m| one(s, regs, m, |x| int::signed(x, 16) as u64)),
        _ => None,
    }
}

// ---- floats ----------------------------------------------------------------------------------------------------------

/// An operation on floats with `N` operands, to nearest.
#[inline(always)]
fn float_op<const N: usize>(which: (Opcode, ScalarKind), s: &Step, regs: &mut [Reg], m: &Mask) -> bool {
    let (op, kind) = which;
    for c in 0..usize::from(s.op.lanes) {
        let mut out = [0; LANES];
        let get = |n: usize| &regs[s.op.args[if n < N { n } else { 0 }] as usize + c];
        let (x, y, z) = (get(0), get(1), get(2));
        for l in 0..LANES {
            out[l] = float::eval(op, s.op.flags, Round::NearestEven, kind, x[l], y[l], z[l]);
        }
        put(&mut regs[s.op.dst as usize + c], out, m);
    }
    true
}

fn floating(op: &Op) -> Option<Pure> {
    use Opcode::*;
    use ScalarKind::{F32, F64};
    macro_rules! float_op {
        ($($which:ident $kind:ident $n:literal),*) => {
            match (op.op, op.kind) {
                $(($which, $kind) => {
                    Some((|s, regs, m| float_op::<$n>(($which, $kind), s, regs, m)) as Pure)
                })*
                _ => None,
            }
        };
    }
    let nearest = matches!(op.data, Data::None | Data::Round(Round::NearestEven));
    let promises = op.flags.has(Flags::NNAN) || op.flags.has(Flags::NINF);
    if !nearest || promises {
        return None;
    }
    float_op!(
        FAdd F32 2, FSub F32 2, FMul F32 2, FDiv F32 2, Fma F32 3, FNeg F32 1, FAbs F32 1,
        FAdd F64 2, FSub F64 2, FMul F64 2, FDiv F64 2, Fma F64 3, FNeg F64 1, FAbs F64 1
    )
}
