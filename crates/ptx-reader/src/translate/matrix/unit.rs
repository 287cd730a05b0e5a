//! Products by a machine's matrix units, which want rows and columns in each lane, whole or a half of them.

use super::super::func::Fx;
use super::layout::{Kind, Layout, Shape};
use super::multiply::How;
use crate::ast::Instruction;
use crate::error::Outcome;
use ir::{IntCC, Intrinsic, Opcode, Type, Value};
use target::MatrixUnits;

/// The unit's operation for fragments of `wmma`, if there is one.
pub(super) fn operation(shape: Shape, kind: Kind, how: How) -> Option<Intrinsic> {
    if shape != (Shape { m: 16, n: 16, k: 16 }) || how != How::Plain {
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
        (op, units): (Intrinsic, MatrixUnits),
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
                (MatrixUnits::WholeRows, true) | (MatrixUnits::HalfRows, false) => words,
                (MatrixUnits::WholeRows, false) => self.with_other_half(&words),
                (MatrixUnits::HalfRows, true) => self.own_half(&words),
            };
            self.builder().vec_build(&words)
        });
        let c = self.builder().vec_build(&c);
        let ty = self.ty(c);
        let sums = self.intrinsic(op, ty, &[a, b, c]);
        let sums: Vec<Value> = (0..ty.lanes()).map(|n| self.builder().extract(sums, n)).collect();
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
