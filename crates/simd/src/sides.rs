//! Comparisons that all work-items of a group answer alike though each asks about a number of its own.
//!
//! `if (group * 32 + lid * 4 < n / 32 * 32)` in groups of eight: the numbers of a group lie between two neighbouring multiples of 32,
//! and what they are compared with is one, so that `group * 32 < n / 32 * 32` has the same answer. It is the same for the group
//! as one sees; of the other that was known only while all of it stood in one vector, and a barrier behind it made each
//! work-item keep for itself which way it went, and every access under the condition one under a mask.
//!
//! Must hold: what work-items add is less than the power of two that everything else is a multiple of. Then
//! the sum changes low bits only and wraps nowhere. Cost: one look at each comparison, through [`MAX_DEPTH`] instructions.

use crate::Options;
use ir::{Builder, Function, Inst, IntCC, Opcode, SpecialReg, Type, Value, ValueDef};

/// Most instructions looked through.
const MAX_DEPTH: u32 = 12;

/// A sum, taken apart.
#[derive(Default)]
struct Sum {
    /// The most that the numbers of work-items come to.
    low: u64,
    /// What else is added.
    high: Vec<Value>,
    /// How many low bits of all of those are zero.
    zeros: u32,
}

/// Has comparisons ask about what is the same for the group.
pub(crate) fn run(func: &mut Function, options: &Options) {
    let of_group = Group { size: options.local_size.0, most: options.target.launch_limits().group };
    let all: Vec<Inst> = func.layout.blocks().flat_map(|b| func.layout.insts(b)).collect();
    for i in all {
        let Some(cc) = func.dfg.insts[i].int_cc().filter(|_| func.dfg.op(i) == Opcode::Icmp) else { continue };
        for (side, cc) in [(0, cc), (1, cc.swapped())] {
            if let Some(sum) = of_group.asked(func, func.dfg.arg(i, side), func.dfg.arg(i, 1 - side), cc) {
                let v = without_items(func, i, func.dfg.arg(i, side), &sum);
                func.dfg.args_mut(i)[side] = v;
                break;
            }
        }
    }
}

/// What is known of a group.
struct Group {
    size: [Option<u32>; 3],
    most: [u32; 3],
}

impl Group {
    /// The sum `v`, if comparing it with `limit` is the same as comparing what of it does not differ between work-items.
    fn asked(&self, func: &Function, v: Value, limit: Value, cc: IntCC) -> Option<Sum> {
        let dfg = &func.dfg;
        if !dfg.ty(v).is_int() || dfg.ty(v).is_vector() {
            return None;
        }
        let limit = match cc {
            IntCC::Slt | IntCC::Sge | IntCC::Ult | IntCC::Uge => low_zeros(func, limit, None, MAX_DEPTH),
            // `x <= 31` is `x < 32`, and asks about the same bits where that is no number.
            IntCC::Sle | IntCC::Sgt | IntCC::Ule | IntCC::Ugt => dfg.as_bits(limit)?.trailing_ones(),
            IntCC::Eq | IntCC::Ne => return None,
        };
        let mut narrowest = dfg.ty(v).bits();
        let mut inner = v;
        while let Some((from, _)) = cast(func, inner) {
            inner = from;
            narrowest = narrowest.min(dfg.ty(inner).bits());
        }
        let mut sum = Sum { zeros: limit, ..Sum::default() };
        self.take_apart(func, inner, MAX_DEPTH, &mut sum)?;
        // The highest bit may be the sign.
        let low = sum.zeros.min(narrowest - 1);
        (sum.low > 0 && sum.low >> low == 0).then_some(sum)
    }

    /// Adds the terms of `v` to `sum`.
    fn take_apart(&self, func: &Function, v: Value, depth: u32, sum: &mut Sum) -> Option<()> {
        let dfg = &func.dfg;
        if let Some(most) = self.most(func, v, MAX_DEPTH) {
            sum.low = sum.low.checked_add(most)?;
            return Some(());
        }
        if let Some(i) = dfg.def_op(v, Opcode::Add)
            && depth > 0
        {
            self.take_apart(func, dfg.arg(i, 0), depth - 1, sum)?;
            return self.take_apart(func, dfg.arg(i, 1), depth - 1, sum);
        }
        sum.zeros = sum.zeros.min(low_zeros(func, v, None, MAX_DEPTH));
        sum.high.push(v);
        (sum.zeros > 0).then_some(())
    }

    /// The most that a number made of a work-item's place in its group, and of constants, can be.
    fn most(&self, func: &Function, v: Value, depth: u32) -> Option<u64> {
        let dfg = &func.dfg;
        let ValueDef::Inst(i) = dfg.def(dfg.resolve(v)) else { return None };
        let (ty, args) = (dfg.ty(v), dfg.args(i));
        if depth == 0 || !ty.is_int() || ty.is_vector() {
            return None;
        }
        let of = |n: usize| self.most(func, args[n], depth - 1);
        // Constants that are not negative as numbers with a sign.
        let number = |n: usize| dfg.as_int(args[n]).and_then(|n| u64::try_from(n).ok());
        let most = match dfg.op(i) {
            Opcode::Special => {
                let d = match dfg.insts[i].special()? {
                    SpecialReg::TidX => 0,
                    SpecialReg::TidY => 1,
                    SpecialReg::TidZ => 2,
                    _ => return None,
                };
                u64::from(self.size[d].unwrap_or(self.most[d]).saturating_sub(1))
            }
            Opcode::Add => of(0)?.checked_add(of(1)?)?,
            Opcode::Mul => of(0)?.checked_mul(number(1)?)?,
            Opcode::Shl => of(0)?.checked_mul(1u64.checked_shl(u32::try_from(number(1)?).ok()?)?)?,
            Opcode::LShr | Opcode::UDiv => of(0)?,
            Opcode::SDiv => of(0)? / number(1).filter(|&n| n > 0)?,
            Opcode::URem | Opcode::SRem => of(0)?.min(number(1)?.checked_sub(1)?),
            Opcode::And => of(0)?.min(number(1)?),
            Opcode::ZExt | Opcode::SExt | Opcode::Trunc => of(0)?,
            _ => return None,
        };
        // Beyond half of the numbers one of them might be negative, or have wrapped.
        (most <= ty.mask() >> 1).then_some(most)
    }
}

/// What a cast of integers takes, and its operation.
fn cast(func: &Function, v: Value) -> Option<(Value, Opcode)> {
    let ValueDef::Inst(i) = func.dfg.def(func.dfg.resolve(v)) else { return None };
    let op = func.dfg.op(i);
    matches!(op, Opcode::SExt | Opcode::ZExt | Opcode::Trunc).then(|| (func.dfg.arg(i, 0), op))
}

/// Number of low bits of `v` that are zero for every work-item. `x`: a value whose number is known otherwise, with it.
pub(crate) fn low_zeros(func: &Function, v: Value, x: Option<(Value, u32)>, depth: u32) -> u32 {
    let dfg = &func.dfg;
    if let Some(n) = dfg.as_bits(v) {
        return n.trailing_zeros();
    }
    if let Some((x, zeros)) = x
        && dfg.resolve(v) == x
    {
        return zeros;
    }
    let Some(i) = dfg.def_inst(v).filter(|_| depth > 0) else { return 0 };
    let args = dfg.args(i);
    let of = |n: usize| low_zeros(func, args[n], x, depth - 1);
    match dfg.op(i) {
        Opcode::Add | Opcode::Sub | Opcode::Or | Opcode::Xor => of(0).min(of(1)),
        Opcode::And => of(0).max(of(1)),
        Opcode::Mul => of(0).saturating_add(of(1)).min(64),
        Opcode::Shl => dfg.as_bits(args[1]).map_or(0, |s| of(0).saturating_add(s.min(64) as u32).min(64)),
        Opcode::Trunc | Opcode::ZExt | Opcode::SExt => of(0),
        _ => 0,
    }
}

/// Makes `v` before `at` without what differs between work-items.
fn without_items(func: &mut Function, at: Inst, v: Value, sum: &Sum) -> Value {
    let mut casts: Vec<(Opcode, Type)> = Vec::new();
    let mut inner = v;
    while let Some((from, op)) = cast(func, inner) {
        casts.push((op, func.dfg.ty(inner)));
        inner = from;
    }
    let ty = func.dfg.ty(inner);
    let mut b = Builder::before(func, at);
    let mut left = sum.high.iter().copied();
    let mut v = left.next().unwrap_or_else(|| b.iconst(ty, 0));
    for term in left {
        v = b.add(v, term);
    }
    for (op, ty) in casts.into_iter().rev() {
        v = b.cast(op, v, ty);
    }
    v
}
