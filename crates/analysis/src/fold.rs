//! Exact constant folding: what an operation gives for constant operands.
//!
//! One function per family of opcodes, over the raw bits of one lane; every pass that evaluates at compile time
//! (simplification, constant propagation, the unroller's simulation) asks here, so there is one meaning. Vectors fold
//! when all operands are splats, lane by lane equal.
//!
//! What must hold: results are bit for bit what the IR's semantics say (see [`ir`]), floats are IEEE 754 in every
//! rounding mode, and a NaN result is the canonical one of the target (all mantissa bits set for 16 and 32 bits).
//! What is unspecified (division by zero) or approximate (`sin.approx`) is not folded.
//!
//! Cost: constant; nothing is allocated.

mod float;
mod int;
mod target_ops;

use ir::{ConstKind, Dfg, Flags, Inst, Opcode, Payload, Type, Value};

pub use float::{canonical_nan, to_f64};

/// Folds an instruction whose operands' constants `lookup` gives.
///
/// `lookup` is asked about each operand in turn; the fold fails at the first that is no constant, except that a
/// `select` only needs its condition and the operand that it picks. Loads and everything with effects give `None`.
pub fn fold_inst(dfg: &Dfg, inst: Inst, mut lookup: impl FnMut(Value) -> Option<ConstKind>) -> Option<ConstKind> {
    let data = &dfg.insts[inst];
    let args = dfg.args(inst);
    match data.op {
        Opcode::Select => {
            let pick = if bits(lookup(args[0])?)? & 1 == 1 { 1 } else { 2 };
            return lookup(args[pick]);
        }
        Opcode::Extract | Opcode::ExtractDyn => return lookup(args[0]),
        Opcode::VecBuild => {
            let first = lookup(args[0])?;
            return args[1..].iter().all(|&v| lookup(v) == Some(first)).then_some(first);
        }
        Opcode::Icmp => {
            let (a, b) = (lookup(args[0])?, lookup(args[1])?);
            if let Some(answer) = compare_addresses(data.int_cc()?, a, b) {
                return Some(ConstKind::Bits(u64::from(answer)));
            }
        }
        _ if args.is_empty() || args.len() > 4 || !foldable(data.op) => return None,
        _ => {}
    }
    let mut operands = [0; 4];
    for (o, &v) in operands.iter_mut().zip(args) {
        *o = bits(lookup(v)?)?;
    }
    let operands = operands.get(..args.len())?;
    fold(data.op, data.flags, &data.payload, data.ty, dfg.ty(args[0]), operands).map(ConstKind::Bits)
}

fn bits(c: ConstKind) -> Option<u64> {
    if let ConstKind::Bits(b) = c { Some(b) } else { None }
}

/// Addresses of variables are never null, and differ from variable to variable.
fn compare_addresses(cc: ir::IntCC, a: ConstKind, b: ConstKind) -> Option<bool> {
    use ConstKind::*;
    let equal = match (a, b) {
        (Global(_) | Slot(_), _) | (_, Global(_) | Slot(_)) if a == b => true,
        // Work-group variables may start at address 0, and slots too; C forbids a null address for both.
        (Global(_) | Slot(_), Bits(0)) | (Bits(0), Global(_) | Slot(_)) | (Slot(_), Slot(_)) => false,
        _ => return None,
    };
    match cc {
        ir::IntCC::Eq => Some(equal),
        ir::IntCC::Ne => Some(!equal),
        _ => None,
    }
}

fn foldable(op: Opcode) -> bool {
    op < Opcode::PtrAdd || matches!(op, Opcode::PtrAdd | Opcode::Shuffle | Opcode::Insert | Opcode::Intrinsic)
}

/// Folds one lane. `ty` is the type of the result, `from` that of the first operand (vectors stand for their lane);
/// operands are zero-extended bits, as is the result.
pub fn fold(op: Opcode, flags: Flags, payload: &Payload, ty: Type, from: Type, args: &[u64]) -> Option<u64> {
    use Opcode::*;
    let bits = ty.bits();
    match op {
        Add | Sub | Mul | MulHiS | MulHiU | SDiv | UDiv | SRem | URem | And | Or | Xor | Shl | LShr | AShr | SMin
        | SMax | UMin | UMax | Abs | Clz | Ctz | Popcnt | BitRev | ByteSwap | Fshl | Fshr => int::fold(op, bits, args),
        FAdd | FSub | FMul | FDiv | FRem | FMin | FMax | FCopysign | Fma | FNeg | FAbs | FSqrt | FFloor | FCeil
        | FTrunc | FRint => float::fold(op, flags, payload, ty.scalar(), args),
        Icmp => {
            let Payload::IntCC(cc) = payload else { return None };
            Some(u64::from(cc.eval(args[0], args[1], from.bits())))
        }
        Fcmp => {
            let Payload::FloatCC(cc) = payload else { return None };
            let get = |b| to_f64(from, float::flush(from, flags, b));
            Some(u64::from(cc.eval(get(args[0])?, get(args[1])?)))
        }
        Trunc => Some(args[0] & ty.mask()),
        ZExt => Some(args[0]),
        SExt => Some(int::sext(args[0], from.bits()) as u64 & ty.mask()),
        FpTrunc | FpExt | FpToSi | FpToUi | SiToFp | UiToFp => float::convert(op, flags, payload, ty, from, args[0]),
        Bitcast => (from.bits() == bits && from.lanes() == ty.lanes()).then_some(args[0]),
        PtrToInt | IntToPtr => Some(args[0]),
        // Null is null in every space.
        AddrSpaceCast => (args[0] == 0).then_some(0),
        PtrAdd => Some(args[0].wrapping_add(args[1])),
        Shuffle => (args[0] == args[1]).then_some(args[0]),
        Insert => (args[0] == args[1]).then_some(args[0]),
        Intrinsic => {
            let Payload::Intrinsic(i) = payload else { return None };
            if i.is_exponent() && flags.has(Flags::FTZ) {
                return None;
            }
            target_ops::fold(*i, ty, args)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
