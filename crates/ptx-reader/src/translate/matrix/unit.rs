//! Products by a machine's matrix units, which want rows and columns in each lane, whole, a half or a quarter of them.

use super::super::func::Fx;
use super::layout::{Kind, Layout, Shape, is_spread};
use super::multiply::How;
use crate::ast::Instruction;
use crate::error::Outcome;
use ir::{IntCC, Intrinsic, Opcode, Type, Value};
use target::MatrixUnits;

/// The unit's operation for fragments of `wmma`, if there is one.
pub(super) fn operation(shape: Shape, kind: Kind, how: How, units: MatrixUnits) -> Option<Intrinsic> {
    // What is spread over 64 lanes is held as the unit wants it, and nothing else multiplies it.
    let saturates = how == How::Saturating && is_spread(shape, Some(units));
    if shape != (Shape { m: 16, n: 16, k: 16 }) || (how != How::Plain && !saturates) {
        return None;
    }
    Some(match kind {
        Kind::F16 => Intrinsic::MatrixF16,
        Kind::Bf16 => Intrinsic::MatrixBf16,
        Kind::S8 => Intrinsic::MatrixS8,
        Kind::U8 => Intrinsic::MatrixU8,
        _ => return None,
    })
}

impl<'a> Fx<'a, '_> {
    /// The sum by one operation; of the kinds of the result, the factors and the summand.
    pub(super) fn product_by_unit(
        &mut self,
        i: &'a Instruction<'a>,
        [dk, ak, ck]: [Kind; 3],
        (op, units, how): (Intrinsic, MatrixUnits, How),
        [la, lb, lc]: &[Layout; 3],
    ) -> Outcome<()> {
        let [d, a, b, c] = self.operands(i)?;
        let a = self.read_words(a, la, ak)?;
        let b = self.read_words(b, lb, ak)?;
        let sum = if dk == Kind::F16 { Kind::F32 } else { dk };
        let c = self.read_results(c, lc, ck, sum)?;
        let [a, b] = [a, b].map(|words| {
            // Fragments of half precision have whole rows, the others a half.
            let words = match (units, ak == Kind::F16) {
                (MatrixUnits::WholeRows, true) | (MatrixUnits::HalfRows, false) | (MatrixUnits::QuarterRows(_), _) => {
                    words
                }
                (MatrixUnits::WholeRows, false) => self.with_other_half(&words),
                (MatrixUnits::HalfRows, true) => self.own_half(&words),
            };
            if words.len() == 1 { words[0] } else { self.builder().vec_build(&words) }
        });
        // The sum of sixteen products of bytes fits: what may not is added to it.
        let saturates = how == How::Saturating;
        let zero = self.int(Type::I32, 0);
        let begin = if saturates { vec![zero; c.len()] } else { c.clone() };
        let begin = self.builder().vec_build(&begin);
        let ty = self.ty(begin);
        let sums = self.intrinsic(op, ty, &[a, b, begin]);
        let mut sums: Vec<Value> = (0..ty.lanes()).map(|n| self.builder().extract(sums, n)).collect();
        if saturates {
            sums = c.iter().zip(sums).map(|(&c, sum)| self.saturating_sum(c, sum)).collect();
        }
        self.write_results(d, &sums, dk)
    }

    /// The half of a row that is the lane's: the first sixteen have the first one.
    fn own_half(&mut self, words: &[Value]) -> Vec<Value> {
        let lane = self.lane_of_32();
        let sixteen = self.int(Type::I32, 16);
        let first = self.icmp(IntCC::Ult, lane, sixteen);
        let (low, high) = words.split_at(words.len() / 2);
        low.iter().zip(high).map(|(&l, &h)| self.select(first, l, h)).collect()
    }

    /// The words of a row of which this lane has one half, and the one sixteen lanes on the other.
    fn with_other_half(&mut self, words: &[Value]) -> Vec<Value> {
        let lane = self.lane_of_32();
        let sixteen = self.int(Type::I32, 16);
        let other = self.op(Opcode::Xor, &[lane, sixteen]);
        let other = self.among_32(other);
        let others: Vec<Value> = words.iter().map(|&w| self.fetch(w, other)).collect();
        let first = self.icmp(IntCC::Ult, lane, sixteen);
        let mut row: Vec<Value> = words.iter().zip(&others).map(|(&w, &o)| self.select(first, w, o)).collect();
        row.extend(words.iter().zip(&others).map(|(&w, &o)| self.select(first, o, w)));
        row
    }
}
