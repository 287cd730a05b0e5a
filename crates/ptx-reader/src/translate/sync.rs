//! Barriers, and what the lanes of a warp do together.

use super::func::Fx;
use super::mods::Mods;
use crate::ast::{Instruction, Operand};
use crate::error::{Outcome, PtxError};
use crate::types::PtxType;
use ir::{IntCC, Intrinsic, Opcode, SpecialReg, Type, Value};

const WORD: PtxType = PtxType::B(32);

impl<'a> Fx<'a, '_> {
    /// `bar`, `barrier`
    pub(super) fn barrier(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        if m.take("warp") {
            m.take("sync");
            let [mask] = self.operands(i)?;
            let mask = self.value(mask, WORD)?;
            self.builder().intrinsic(Intrinsic::WarpSync, Type::VOID, &[mask]);
            return Ok(());
        }
        if m.take("cluster") {
            return self.cluster_barrier(i, m);
        }
        m.take("cta");
        let reduces = m.take("red");
        let arrives = m.take("arrive");
        if !reduces && !arrives && !m.take("sync") {
            return Err(PtxError::unsupported(i.span, format!("the instruction `{}` is not covered", i.full_name())));
        }
        m.take("aligned");
        if !reduces {
            let number = match i.operands.as_slice() {
                [n] if !arrives => n,
                [n, count] => return self.barrier_of_part(n, count, !arrives),
                _ => return Err(PtxError::operand(i.span, format!("`{}` lacks its number", i.full_name()))),
            };
            let n = self.value(number, PtxType::U(32))?;
            self.builder().intrinsic(Intrinsic::Barrier, Type::VOID, &[n]);
            return Ok(());
        }
        let op =
            m.one_of(&[("popc", Intrinsic::BarrierPopc), ("and", Intrinsic::BarrierAnd), ("or", Intrinsic::BarrierOr)]);
        let Some(op) = op else {
            return Err(PtxError::operand(i.span, format!("`{}` lacks what to do", i.full_name())));
        };
        let ty = m.ty()?;
        let [d, _, p] = match i.operands.as_slice() {
            [d, n, p] => [d, n, p],
            _ => return Err(PtxError::unsupported(i.span, "a barrier with a reduction for a part of the group")),
        };
        let p = self.condition(p)?;
        let own = if op == Intrinsic::BarrierPopc { Type::I32 } else { Type::I1 };
        if ty.ir() != Some(own) {
            return Err(PtxError::operand(i.span, format!("`{}` gives no {}", i.full_name(), ty.name())));
        }
        let v = self.intrinsic(op, own, &[p]);
        self.set(d, v, ty)
    }

    /// `shfl`
    pub(super) fn shuffle(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let sync = m.take("sync");
        let how = m.one_of(&[
            ("idx", Intrinsic::ShflIdx),
            ("up", Intrinsic::ShflUp),
            ("down", Intrinsic::ShflDown),
            ("bfly", Intrinsic::ShflBfly),
        ]);
        let ty = m.ty()?;
        let (Some(how), 32) = (how, ty.bits()) else {
            return Err(PtxError::operand(
                i.span,
                format!("`{}` lacks how to shuffle, or is not for 32 bits", i.full_name()),
            ));
        };
        let (d, a, b, c, mask) = match (sync, i.operands.as_slice()) {
            (true, [d, a, b, c, mask]) => (d, a, b, c, self.value(mask, self.mask_type())?),
            (false, [d, a, b, c]) => (d, a, b, c, self.active()),
            _ => {
                let message = format!("`{}` with {} operands", i.full_name(), i.operands.len());
                return Err(PtxError::operand(i.span, message));
            }
        };
        let (a, b, c) = (self.value(a, WORD)?, self.value(b, WORD)?, self.value(c, WORD)?);
        let v = self.intrinsic(how, Type::I32, &[mask, a, b, c]);
        let Operand::Pair(d, p) = d else { return self.set(d, v, WORD) };
        let inside = self.shuffle_inside(how, b, c);
        self.set_name(*d, v, WORD, false)?;
        self.set_name(*p, inside, PtxType::Pred, false)
    }

    /// Whether the lane that a shuffle reads is one of its segment.
    fn shuffle_inside(&mut self, how: Intrinsic, b: Value, c: Value) -> Value {
        let lane = self.builder().special(SpecialReg::LaneId);
        let (low, eight) = (self.int(Type::I32, i64::from(self.cx.warp) - 1), self.int(Type::I32, 8));
        let b = self.op(Opcode::And, &[b, low]);
        let clamp = self.op(Opcode::And, &[c, low]);
        let segment = self.op(Opcode::LShr, &[c, eight]);
        let segment = self.op(Opcode::And, &[segment, low]);
        let others = self.op(Opcode::Xor, &[segment, low]);
        let first = self.op(Opcode::And, &[lane, segment]);
        let rest = self.op(Opcode::And, &[clamp, others]);
        let last = self.op(Opcode::Or, &[first, rest]);
        let from = match how {
            Intrinsic::ShflUp => self.op(Opcode::Sub, &[lane, b]),
            Intrinsic::ShflDown => self.op(Opcode::Add, &[lane, b]),
            Intrinsic::ShflBfly => self.op(Opcode::Xor, &[lane, b]),
            _ => {
                let own = self.op(Opcode::And, &[b, others]);
                self.op(Opcode::Or, &[first, own])
            }
        };
        let cc = if how == Intrinsic::ShflUp { IntCC::Sge } else { IntCC::Sle };
        self.icmp(cc, from, last)
    }

    /// The type of a mask with a bit for each lane of a warp.
    pub(super) fn mask_type(&self) -> PtxType {
        PtxType::B(self.cx.warp)
    }

    /// Puts a lane mask into a register of a type: of 64 lanes one of 32 bits holds the lower ones.
    fn set_mask(&mut self, d: &'a Operand<'a>, v: Value, ty: PtxType) -> Outcome<()> {
        let to = ty.ir().filter(|t| t.is_int()).unwrap_or(Type::I32);
        let v = self.resize(v, to, false);
        self.set(d, v, ty)
    }

    /// `vote`, `match`, `activemask`, `redux`
    pub(super) fn vote(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        match i.name {
            "activemask" => {
                let ty = m.ty()?;
                let [d] = self.operands(i)?;
                let v = self.active();
                self.set_mask(d, v, ty)
            }
            "redux" => self.redux(i, m),
            "match" => self.matching(i, m),
            _ => {
                let sync = m.take("sync");
                let op = m.one_of(&[
                    ("all", Intrinsic::VoteAll),
                    ("any", Intrinsic::VoteAny),
                    ("uni", Intrinsic::VoteUni),
                    ("ballot", Intrinsic::Ballot),
                ]);
                let ty = m.ty()?;
                let mask_type = self.mask_type();
                let ballot = op == Some(Intrinsic::Ballot);
                let known = if ballot { ty == PtxType::B(32) || ty == mask_type } else { ty == PtxType::Pred };
                let (Some(op), true) = (op, known) else {
                    return Err(PtxError::operand(i.span, format!("`{}` is no vote", i.full_name())));
                };
                let (d, p, mask) = match (sync, i.operands.as_slice()) {
                    (true, [d, p, mask]) => (d, p, self.value(mask, mask_type)?),
                    (false, [d, p]) => (d, p, self.active()),
                    _ => {
                        let message = format!("`{}` with {} operands", i.full_name(), i.operands.len());
                        return Err(PtxError::operand(i.span, message));
                    }
                };
                let p = self.condition(p)?;
                if ballot {
                    let v = self.intrinsic(op, mask_type.ir().unwrap_or(Type::I32), &[mask, p]);
                    return self.set_mask(d, v, ty);
                }
                let v = self.intrinsic(op, Type::I1, &[mask, p]);
                self.set(d, v, ty)
            }
        }
    }

    fn redux(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        m.take("sync");
        let word = m.one_of(&[("add", 0), ("min", 1), ("max", 2), ("and", 3), ("or", 4), ("xor", 5)]);
        let ty = m.ty()?;
        let op = match (word, ty) {
            (Some(0), PtxType::S(32) | PtxType::U(32)) => Intrinsic::ReduxAdd,
            (Some(1), PtxType::S(32)) => Intrinsic::ReduxSMin,
            (Some(1), PtxType::U(32)) => Intrinsic::ReduxUMin,
            (Some(2), PtxType::S(32)) => Intrinsic::ReduxSMax,
            (Some(2), PtxType::U(32)) => Intrinsic::ReduxUMax,
            (Some(3), PtxType::B(32)) => Intrinsic::ReduxAnd,
            (Some(4), PtxType::B(32)) => Intrinsic::ReduxOr,
            (Some(5), PtxType::B(32)) => Intrinsic::ReduxXor,
            _ => {
                return Err(PtxError::unsupported(
                    i.span,
                    format!("the instruction `{}` is not covered", i.full_name()),
                ));
            }
        };
        let [d, a, mask] = self.operands(i)?;
        let (a, mask) = (self.value(a, ty)?, self.value(mask, self.mask_type())?);
        let v = self.intrinsic(op, Type::I32, &[mask, a]);
        self.set(d, v, ty)
    }

    fn matching(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let op = m.one_of(&[("any", Intrinsic::MatchAny), ("all", Intrinsic::MatchAll)]);
        m.take("sync");
        let ty = m.ty()?;
        let (Some(op), PtxType::B(32 | 64)) = (op, ty) else {
            return Err(PtxError::operand(i.span, format!("`{}` matches nothing", i.full_name())));
        };
        let [d, a, mask] = self.operands(i)?;
        let (a, mask) = (self.value(a, ty)?, self.value(mask, self.mask_type())?);
        let mask_type = self.mask_type();
        let v = self.intrinsic(op, mask_type.ir().unwrap_or(Type::I32), &[mask, a]);
        let Operand::Pair(d, p) = d else { return self.set(d, v, mask_type) };
        let all = self.is_set(v);
        self.set_name(*d, v, mask_type, false)?;
        self.set_name(*p, all, PtxType::Pred, false)
    }
}
