//! Clusters, of which each has one group here, and what tells the machine how to run.

use super::func::Fx;
use super::mods::Mods;
use crate::ast::{Instruction, Operand};
use crate::error::{Outcome, PtxError};
use crate::types::{PtxType, Space};
use ir::{IntCC, Intrinsic, MemOrder, Opcode, Scope, SpecialReg, Type};

impl<'a> Fx<'a, '_> {
    /// `barrier.cluster`: who arrives goes on, who waits waits for all of the group.
    pub(super) fn cluster_barrier(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let arrives = m.take("arrive");
        if !arrives && !m.take("wait") {
            return Err(PtxError::operand(i.span, format!("`{}` lacks what to do", i.full_name())));
        }
        let relaxed = m.take("relaxed");
        for w in ["release", "acquire", "aligned"] {
            m.take(w);
        }
        let [] = self.operands(i)?;
        if !arrives {
            let n = self.int(Type::I32, 0);
            self.builder().intrinsic(Intrinsic::Barrier, Type::VOID, &[n]);
        } else if !relaxed {
            self.builder().fence(MemOrder::Release, Scope::Group);
        }
        Ok(())
    }

    /// `mapa`: the address of the same variable in another group of the cluster; `getctarank`: whose an address is.
    pub(super) fn cluster_address(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        let space = m.pick(Space::named);
        let ty = m.ty()?;
        let short = ty == PtxType::U(32) && space == Some(Space::Shared);
        if !short && ty != PtxType::U(64) {
            return Err(PtxError::operand(i.span, format!("`{}` has no type {}", i.name, ty.name())));
        }
        if i.name == "getctarank" {
            let [d, _] = self.operands(i)?;
            let zero = self.int(Type::I32, 0);
            return self.set(d, zero, PtxType::U(32));
        }
        let [d, a, rank] = self.operands(i)?;
        let rank = self.value(rank, PtxType::U(32))?;
        let v = self.value(a, ty)?;
        // There is no other group: a program made for more of them stops.
        let zero = self.int(Type::I32, 0);
        let own = self.icmp(IntCC::Eq, rank, zero);
        let (there, none) = (self.func.new_block(), self.func.new_block());
        self.builder().br(own, (there, &[]), (none, &[]));
        self.block = none;
        self.builder().intrinsic(Intrinsic::Trap, Type::VOID, &[]);
        self.builder().unreachable();
        self.block = there;
        self.set(d, v, ty)
    }

    /// `elect.sync`: one lane of a mask, the lowest.
    pub(super) fn elect(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        m.take("sync");
        let [d, mask] = self.operands(i)?;
        let Operand::Pair(d, p) = d else {
            return Err(PtxError::operand(d.span(), "a register and a predicate expected, as in `r|p`"));
        };
        let mask = self.value(mask, self.mask_type())?;
        self.builder().intrinsic(Intrinsic::WarpSync, Type::VOID, &[mask]);
        let first = self.op(Opcode::Ctz, &[mask]);
        let first = self.resize(first, Type::I32, false);
        let lane = self.builder().special(SpecialReg::LaneId);
        let is_first = self.icmp(IntCC::Eq, lane, first);
        self.set_name(*d, first, PtxType::B(32), false)?;
        self.set_name(*p, is_first, PtxType::Pred, false)
    }

    /// `griddepcontrol`, `setmaxnreg`: nothing that is computed depends on them. Kernels before this one have ended.
    pub(super) fn control(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        const WORDS: [&str; 7] = ["launch_dependents", "wait", "inc", "dec", "sync", "aligned", "u32"];
        while m.pick(|w| WORDS.contains(&w).then_some(())).is_some() {}
        match i.operands.as_slice() {
            [] => Ok(()),
            [Operand::Int(..)] if i.name == "setmaxnreg" => Ok(()),
            _ => Err(PtxError::operand(i.span, format!("`{}` with {} operands", i.full_name(), i.operands.len()))),
        }
    }

    /// `createpolicy`: how caches treat what is accessed, a number that only they read.
    pub(super) fn policy(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        while m
            .pick(|w| (w.starts_with("L2::") || matches!(w, "fractional" | "range" | "global" | "cvt")).then_some(()))
            .is_some()
        {}
        let ty = m.ty()?;
        let Some(d) = i.operands.first() else {
            return Err(PtxError::operand(i.span, format!("`{}` lacks a register", i.full_name())));
        };
        let zero = self.int(Type::I64, 0);
        self.set(d, zero, ty)
    }
}
