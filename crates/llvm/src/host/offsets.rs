//! Vectors of integers that are one number for all lanes and a constant for each.
//!
//! `lid & 7` and `lid >> 3` of the lanes of a vector that begins at a multiple of 16 are such, and so are their sums and
//! multiples: where a transpose in local memory goes.
//!
//! Cost: a few operations back from each vector that is asked about.

use crate::writer::ll::{Ll, Val};
use inkwell::llvm_sys::core::{
    LLVMConstIntGetSExtValue, LLVMCountIncoming, LLVMGetAggregateElement, LLVMGetBasicBlockTerminator,
    LLVMGetCondition, LLVMGetElementType, LLVMGetICmpPredicate, LLVMGetIncomingBlock, LLVMGetIncomingValue,
    LLVMGetInstructionOpcode, LLVMGetInstructionParent, LLVMGetIntTypeWidth, LLVMGetIsDisjoint, LLVMGetMaskValue,
    LLVMGetNumMaskElements, LLVMGetNumSuccessors, LLVMGetOperand, LLVMGetSuccessor, LLVMGetTypeKind, LLVMGetVectorSize,
    LLVMIsAConstantInt, LLVMIsAInstruction, LLVMIsAPHINode, LLVMIsConstant, LLVMTypeOf,
};
use inkwell::llvm_sys::prelude::{LLVMTypeRef, LLVMValueRef};
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMTypeKind};
use smallvec::SmallVec;

/// Most operations back from a vector.
const DEPTH: u32 = 8;

/// A number for each lane.
pub(super) type Each = SmallVec<[i64; 16]>;

/// What is the same for all lanes.
#[derive(Clone)]
pub(super) enum Same {
    Number(i64),
    Value(LLVMValueRef),
    Op(LLVMOpcode, Box<[Self; 2]>),
    /// A number of fewer bits that is not negative.
    Wider(Box<Self>, u32),
}

/// Each lane is the sum of the two, which wraps at the vector's width.
pub(super) struct Offsets {
    pub(super) same: Same,
    pub(super) each: Each,
}

/// Bits of an integer, or of those in a vector; 0 of anything else.
///
/// # Safety
/// `ty` is a type of a living context.
pub(super) unsafe fn bits_of(ty: LLVMTypeRef) -> u32 {
    // SAFETY: the caller's promise; elements are asked of vectors, widths of integers.
    unsafe {
        let vector = LLVMGetTypeKind(ty) == LLVMTypeKind::LLVMVectorTypeKind;
        let scalar = if vector { LLVMGetElementType(ty) } else { ty };
        if LLVMGetTypeKind(scalar) == LLVMTypeKind::LLVMIntegerTypeKind { LLVMGetIntTypeWidth(scalar) } else { 0 }
    }
}

impl Offsets {
    /// A vector of integers in these terms.
    ///
    /// # Safety
    /// `v` is a vector of a living module.
    pub(super) unsafe fn of(v: LLVMValueRef) -> Option<Self> {
        // SAFETY: the caller's promise.
        unsafe { Self::within(v, DEPTH) }
    }

    /// # Safety
    /// As [`Self::of`].
    unsafe fn within(v: LLVMValueRef, depth: u32) -> Option<Self> {
        // SAFETY: the caller's promise; operands are asked of instructions that have them.
        unsafe {
            let (ty, depth) = (LLVMTypeOf(v), depth.checked_sub(1)?);
            let (bits, lanes) = (bits_of(ty), LLVMGetVectorSize(ty));
            if !(2..=64).contains(&bits) {
                return None;
            }
            if LLVMIsConstant(v) != 0 {
                let each = (0..lanes).map(|n| number(LLVMGetAggregateElement(v, n))).collect::<Option<Each>>()?;
                return Some(Self { same: Same::Number(0), each });
            }
            if LLVMIsAInstruction(v).is_null() {
                return None;
            }
            let op = LLVMGetInstructionOpcode(v);
            let operand = |n| LLVMGetOperand(v, n);
            match op {
                LLVMOpcode::LLVMShuffleVector => {
                    let same = if is_splat(v) { first(operand(0), depth)? } else { return None };
                    Some(Self { same, each: SmallVec::from_elem(0, lanes as usize) })
                }
                LLVMOpcode::LLVMSExt | LLVMOpcode::LLVMZExt => {
                    let narrow = Self::within(operand(0), depth)?;
                    let from = bits_of(LLVMTypeOf(operand(0)));
                    let same = Same::Wider(Box::new(narrow.same.clone()), from);
                    narrow.is_exact(from).then_some(Self { same, each: narrow.each })
                }
                LLVMOpcode::LLVMOr if LLVMGetIsDisjoint(v) != 0 => Self::sum(LLVMOpcode::LLVMAdd, v, depth),
                LLVMOpcode::LLVMAdd | LLVMOpcode::LLVMSub => Self::sum(op, v, depth),
                LLVMOpcode::LLVMMul | LLVMOpcode::LLVMShl => {
                    let (a, by) = (Self::within(operand(0), depth)?, the_same_number(operand(1))?);
                    Some(a.mapped(op, by, |c| apply(op, c.into(), by.into()), bits)?)
                }
                LLVMOpcode::LLVMLShr | LLVMOpcode::LLVMAnd => {
                    // Bit for bit, so on both sides of an `or`; what had no bit in common has none afterwards.
                    let (or, by) = (operand(0), the_same_number(operand(1))?);
                    let is_or = !LLVMIsAInstruction(or).is_null()
                        && LLVMGetInstructionOpcode(or) == LLVMOpcode::LLVMOr
                        && LLVMGetIsDisjoint(or) != 0;
                    let a = if is_or { Self::within(or, depth)? } else { return None };
                    // One side has to be the same value for all lanes, the other the constants.
                    let [left, right] = [0, 1].map(|n| LLVMGetOperand(or, n));
                    let sides =
                        is_splat(left) && LLVMIsConstant(right) != 0 || is_splat(right) && LLVMIsConstant(left) != 0;
                    if !sides {
                        return None;
                    }
                    let low = u64::MAX >> (64 - bits);
                    let f = |c: i64| match op {
                        LLVMOpcode::LLVMAnd => Some(i128::from(c & by)),
                        _ if (0..i64::from(bits)).contains(&by) => Some(((c as u64 & low) >> by).into()),
                        _ => None,
                    };
                    a.mapped(op, by, f, bits)
                }
                _ => None,
            }
        }
    }

    /// # Safety
    /// `v` is an instruction with two operands.
    unsafe fn sum(op: LLVMOpcode, v: LLVMValueRef, depth: u32) -> Option<Self> {
        // SAFETY: the caller's promise.
        unsafe {
            let bits = bits_of(LLVMTypeOf(v));
            let (a, b) = (Self::within(LLVMGetOperand(v, 0), depth)?, Self::within(LLVMGetOperand(v, 1), depth)?);
            let add = |(&x, &y): (&i64, &i64)| wrapped(apply(op, x.into(), y.into())?, bits);
            let each = a.each.iter().zip(&b.each).map(add).collect::<Option<Each>>()?;
            Some(Self { same: Same::of_two(op, a.same, b.same), each })
        }
    }

    /// The same operation with a constant on both parts.
    fn mapped(self, op: LLVMOpcode, by: i64, f: impl Fn(i64) -> Option<i128>, bits: u32) -> Option<Self> {
        let each = self.each.iter().map(|&c| wrapped(f(c)?, bits)).collect::<Option<Each>>()?;
        Some(Self { same: Same::of_two(op, self.same, Same::Number(by)), each })
    }

    /// Whether no lane's sum wraps or is negative.
    ///
    /// # Safety
    /// The values are of a living module.
    unsafe fn is_exact(&self, bits: u32) -> bool {
        // SAFETY: the caller's promise.
        let Some((low, high)) = (unsafe { self.same.range(bits) }) else { return false };
        let (least, most) =
            (self.each.iter().min().copied().unwrap_or(0), self.each.iter().max().copied().unwrap_or(0));
        low >= 0 && low + i128::from(least) >= 0 && high + i128::from(most) <= most_of(bits)
    }
}

impl Same {
    fn of_two(op: LLVMOpcode, a: Self, b: Self) -> Self {
        match (op, &a, &b) {
            (LLVMOpcode::LLVMAdd | LLVMOpcode::LLVMSub, _, Self::Number(0)) => a,
            (LLVMOpcode::LLVMAdd, Self::Number(0), _) => b,
            (
                LLVMOpcode::LLVMMul | LLVMOpcode::LLVMShl | LLVMOpcode::LLVMLShr | LLVMOpcode::LLVMAnd,
                Self::Number(0),
                _,
            ) => a,
            _ => Self::Op(op, Box::new([a, b])),
        }
    }

    /// The number, computed where `ll` stands.
    pub(super) fn build(&self, ll: &Ll<'_>, bits: u32) -> Val {
        match self {
            Self::Number(n) => ll.iconst(bits, 1, *n as u64),
            Self::Value(v) => Val(*v),
            Self::Wider(narrow, from) => ll.zext(narrow.build(ll, *from), ll.int(bits, 1)),
            Self::Op(op, parts) => {
                let [a, b] = [0, 1].map(|n: usize| parts[n].build(ll, bits));
                match op {
                    LLVMOpcode::LLVMAdd => ll.add(a, b),
                    LLVMOpcode::LLVMSub => ll.sub(a, b),
                    LLVMOpcode::LLVMMul => ll.mul(a, b),
                    LLVMOpcode::LLVMShl => ll.shl(a, b),
                    LLVMOpcode::LLVMLShr => ll.lshr(a, b),
                    _ => ll.and(a, b),
                }
            }
        }
    }

    /// The least and the greatest that it is, with its sign; `None` where nothing is known.
    ///
    /// # Safety
    /// The values are of a living module.
    unsafe fn range(&self, bits: u32) -> Option<(i128, i128)> {
        // SAFETY: the caller's promise.
        unsafe {
            match self {
                Self::Number(n) => Some(((*n).into(), (*n).into())),
                Self::Value(v) => range(*v, DEPTH),
                Self::Wider(narrow, from) => narrow.range(*from),
                Self::Op(op, parts) => range_of(*op, parts[0].range(bits), parts[1].range(bits), bits),
            }
        }
    }
}

/// The greatest number of so many bits.
fn most_of(bits: u32) -> i128 {
    (1 << (bits - 1)) - 1
}

/// A number of so many bits, with its sign.
fn wrapped(n: i128, bits: u32) -> Option<i64> {
    let shift = 128 - bits;
    i64::try_from(n << shift >> shift).ok()
}

/// What an operation makes of two numbers, as if there were no end to bits.
fn apply(op: LLVMOpcode, a: i128, b: i128) -> Option<i128> {
    match op {
        LLVMOpcode::LLVMAdd => Some(a + b),
        LLVMOpcode::LLVMSub => Some(a - b),
        LLVMOpcode::LLVMMul => Some(a * b),
        LLVMOpcode::LLVMShl if (0..63).contains(&b) => Some(a << b),
        _ => None,
    }
}

/// An integer constant, with its sign.
///
/// # Safety
/// `v` is null or a value of a living module.
unsafe fn number(v: LLVMValueRef) -> Option<i64> {
    // SAFETY: the caller's promise.
    unsafe { (!v.is_null() && !LLVMIsAConstantInt(v).is_null()).then(|| LLVMConstIntGetSExtValue(v)) }
}

/// The number that a constant vector has in all lanes.
///
/// # Safety
/// `v` is a vector of a living module.
unsafe fn the_same_number(v: LLVMValueRef) -> Option<i64> {
    // SAFETY: the caller's promise.
    unsafe {
        if LLVMIsConstant(v) == 0 {
            return None;
        }
        let of = |n| number(LLVMGetAggregateElement(v, n));
        let n = of(0)?;
        (1..LLVMGetVectorSize(LLVMTypeOf(v))).all(|k| of(k) == Some(n)).then_some(n)
    }
}

/// Whether a vector has the first lane of another in all lanes.
///
/// # Safety
/// `v` is a value of a living module.
unsafe fn is_splat(v: LLVMValueRef) -> bool {
    // SAFETY: the caller's promise; masks are asked of shuffles.
    unsafe {
        !LLVMIsAInstruction(v).is_null()
            && LLVMGetInstructionOpcode(v) == LLVMOpcode::LLVMShuffleVector
            && (0..LLVMGetNumMaskElements(v)).all(|n| LLVMGetMaskValue(v, n) == 0)
    }
}

/// The first lane of a vector: LLVM computes in it what it then puts into all.
///
/// # Safety
/// `v` is a vector of a living module.
unsafe fn first(v: LLVMValueRef, depth: u32) -> Option<Same> {
    // SAFETY: the caller's promise; operands are asked of instructions that have them.
    unsafe {
        let depth = depth.checked_sub(1)?;
        if LLVMIsConstant(v) != 0 {
            return number(LLVMGetAggregateElement(v, 0)).map(Same::Number);
        }
        if LLVMIsAInstruction(v).is_null() {
            return None;
        }
        let op = LLVMGetInstructionOpcode(v);
        match op {
            LLVMOpcode::LLVMInsertElement => {
                let here = number(LLVMGetOperand(v, 2))? == 0;
                if here { Some(Same::Value(LLVMGetOperand(v, 1))) } else { first(LLVMGetOperand(v, 0), depth) }
            }
            LLVMOpcode::LLVMAdd
            | LLVMOpcode::LLVMSub
            | LLVMOpcode::LLVMMul
            | LLVMOpcode::LLVMShl
            | LLVMOpcode::LLVMLShr
            | LLVMOpcode::LLVMAnd => {
                let (a, b) = (first(LLVMGetOperand(v, 0), depth)?, first(LLVMGetOperand(v, 1), depth)?);
                Some(Same::of_two(op, a, b))
            }
            _ => None,
        }
    }
}

type Range = Option<(i128, i128)>;

/// The range of what an operation makes, unless that may wrap.
fn range_of(op: LLVMOpcode, a: Range, b: Range, bits: u32) -> Range {
    let constant = b.filter(|(low, high)| low == high).map(|(n, _)| n);
    let made = match op {
        LLVMOpcode::LLVMLShr => {
            let by = constant.filter(|n| (1..i128::from(bits)).contains(n))?;
            let most = a.filter(|&(low, _)| low >= 0).map_or((1 << bits) - 1, |(_, high)| high);
            (0, most >> by)
        }
        LLVMOpcode::LLVMAnd => (0, constant.filter(|&n| n >= 0)?),
        LLVMOpcode::LLVMShl => {
            let ((low, high), by) = (a?, constant?);
            (apply(op, low, by)?, apply(op, high, by)?)
        }
        _ => {
            let ((a0, a1), (b0, b1)) = (a?, b?);
            let ends = [apply(op, a0, b0)?, apply(op, a0, b1)?, apply(op, a1, b0)?, apply(op, a1, b1)?];
            (ends.into_iter().min()?, ends.into_iter().max()?)
        }
    };
    let most = most_of(bits);
    (made.0 >= -most - 1 && made.1 <= most).then_some(made)
}

/// The least and the greatest that an integer is.
///
/// # Safety
/// `v` is an integer of a living module.
unsafe fn range(v: LLVMValueRef, depth: u32) -> Range {
    // SAFETY: the caller's promise; operands are asked of instructions that have them.
    unsafe {
        if let Some(n) = number(v) {
            return Some((n.into(), n.into()));
        }
        let depth = depth.checked_sub(1)?;
        if LLVMIsAInstruction(v).is_null() {
            return None;
        }
        if !LLVMIsAPHINode(v).is_null() {
            return range_of_counter(v);
        }
        let op = LLVMGetInstructionOpcode(v);
        match op {
            LLVMOpcode::LLVMZExt => {
                let narrow = LLVMGetOperand(v, 0);
                let of = range(narrow, depth).filter(|&(low, _)| low >= 0);
                of.or_else(|| Some((0, (1 << bits_of(LLVMTypeOf(narrow))) - 1)))
            }
            LLVMOpcode::LLVMAdd
            | LLVMOpcode::LLVMSub
            | LLVMOpcode::LLVMMul
            | LLVMOpcode::LLVMShl
            | LLVMOpcode::LLVMLShr
            | LLVMOpcode::LLVMAnd => {
                let (a, b) = (range(LLVMGetOperand(v, 0), depth), range(LLVMGetOperand(v, 1), depth));
                range_of(op, a, b, bits_of(LLVMTypeOf(v)))
            }
            _ => None,
        }
    }
}

/// The range of a counter that goes up by a constant from a constant as long as it, or its next value, is below a constant.
///
/// # Safety
/// `phi` is a phi of a living module.
unsafe fn range_of_counter(phi: LLVMValueRef) -> Range {
    // SAFETY: the caller's promise; operands are asked of instructions that have them.
    unsafe {
        if LLVMCountIncoming(phi) != 2 {
            return None;
        }
        let incoming = |n| (LLVMGetIncomingValue(phi, n), LLVMGetIncomingBlock(phi, n));
        let ((start, _), (next, from)) = if number(LLVMGetIncomingValue(phi, 0)).is_some() {
            (incoming(0), incoming(1))
        } else {
            (incoming(1), incoming(0))
        };
        let start = i128::from(number(start)?);
        let adds = !LLVMIsAInstruction(next).is_null() && LLVMGetInstructionOpcode(next) == LLVMOpcode::LLVMAdd;
        let step = if adds && LLVMGetOperand(next, 0) == phi { number(LLVMGetOperand(next, 1))? } else { return None };
        let (end, block) = (LLVMGetBasicBlockTerminator(from), LLVMGetInstructionParent(phi));
        let again = LLVMGetInstructionOpcode(end) == LLVMOpcode::LLVMBr
            && LLVMGetNumSuccessors(end) == 2
            && LLVMGetSuccessor(end, 0) == block
            && LLVMGetSuccessor(end, 1) != block;
        let condition = if again { LLVMGetCondition(end) } else { return None };
        if LLVMIsAInstruction(condition).is_null() || LLVMGetInstructionOpcode(condition) != LLVMOpcode::LLVMICmp {
            return None;
        }
        let below =
            matches!(LLVMGetICmpPredicate(condition), LLVMIntPredicate::LLVMIntULT | LLVMIntPredicate::LLVMIntSLT);
        let (asked, limit) = (LLVMGetOperand(condition, 0), number(LLVMGetOperand(condition, 1))?);
        let (step, limit) = (i128::from(step), i128::from(limit));
        if !below || (asked != next && asked != phi) || start < 0 || step <= 0 || limit <= 0 {
            return None;
        }
        // Up to there it did not wrap, and so does not for the next round.
        let most = start.max(limit - 1 + if asked == phi { step } else { 0 });
        (most + step <= most_of(bits_of(LLVMTypeOf(phi)))).then_some((0, most))
    }
}
