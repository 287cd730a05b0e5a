//! Branches, returns, and the loops that stay as they are.

use super::func::Fx;
use super::mods::Mods;
use crate::ast::{Instruction, Operand};
use crate::error::{Outcome, PtxError};
use crate::types::PtxType;
use ir::{
    Block, BlockCall, Flags, Intrinsic, LoopMeta, Opcode, Payload, ReversePostOrder, SwitchData, Type, UnrollRequest,
};
use std::collections::BTreeSet;

/// Most entries of a table of branches.
const MAX_TARGETS: usize = 1 << 16;

impl<'a> Fx<'a, '_> {
    /// `bra`, `brx`, `ret`, `exit`, `trap`, `brkpt`
    pub(super) fn transfer(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        m.take("uni");
        match i.name {
            "bra" => {
                let [to] = self.operands(i)?;
                let Operand::Name(name) = to else { return Err(PtxError::operand(to.span(), "a label expected")) };
                let b = self.label(*name)?;
                self.builder().jump(b, &[]);
                self.live = false;
                Ok(())
            }
            "brx" => self.table(i, m),
            "ret" => {
                let [] = self.operands(i)?;
                if self.inline {
                    return Err(PtxError::unsupported(i.span, "`ret` in the middle of a function"));
                }
                self.ret()
            }
            "exit" if self.kernel && !self.inline => self.ret(),
            "brkpt" => {
                self.builder().intrinsic(Intrinsic::Brkpt, Type::VOID, &[]);
                Ok(())
            }
            _ => {
                let op = if i.name == "trap" { Intrinsic::Trap } else { Intrinsic::Exit };
                self.stop(op);
                Ok(())
            }
        }
    }

    /// Ends the work-item or the kernel here.
    pub(super) fn stop(&mut self, op: Intrinsic) {
        self.builder().intrinsic(op, Type::VOID, &[]);
        self.builder().unreachable();
        self.live = false;
    }

    /// Returns, with the result if there is one.
    pub(super) fn ret(&mut self) -> Outcome<()> {
        let v = self.result.map(|var| self.ssa.read(&mut self.func, self.block, var));
        self.builder().ret(v);
        self.live = false;
        Ok(())
    }

    /// `brx.idx`
    fn table(&mut self, i: &'a Instruction<'a>, m: &mut Mods<'_, 'a>) -> Outcome<()> {
        m.take("idx");
        let [index, table] = self.operands(i)?;
        let v = self.value(index, PtxType::U(32))?;
        let Operand::Name(name) = table else { return Err(PtxError::operand(table.span(), "a table expected")) };
        let Some(&list) = self.targets.get(name.text) else {
            return Err(PtxError::name(name.span, format!("there is no table `{}`", name.text)));
        };
        if list.len() > MAX_TARGETS {
            return Err(PtxError::limit(name.span, format!("more than {MAX_TARGETS} targets")));
        }
        let mut cases = Vec::new();
        for (n, label) in list.iter().enumerate() {
            cases.push((n as u64, BlockCall { block: self.label(*label)?, args: Default::default() }));
        }
        // An index beyond the table is the program's fault.
        let beyond = self.func.new_block();
        let default = BlockCall { block: beyond, args: Default::default() };
        let switch = self.func.dfg.switches.push(SwitchData { cases, default });
        self.builder().inst(Opcode::Switch, Type::VOID, Flags::NONE, &[v], Payload::Switch(switch));
        self.block = beyond;
        self.builder().unreachable();
        self.live = false;
        Ok(())
    }

    /// Marks the back edges to headers that carry `.pragma "nounroll"`.
    pub(super) fn keep_loops(&mut self) {
        if self.kept.is_empty() {
            return;
        }
        let order = ReversePostOrder::new(&self.func);
        let kept: BTreeSet<Block> = self.kept.iter().copied().filter(|b| order.contains(*b)).collect();
        for &header in &kept {
            // What is reachable without passing through the header is not dominated by it.
            let without = ReversePostOrder::avoiding(&self.func, header);
            for &b in order.blocks() {
                let t = self.func.layout.terminator(b);
                let back = self.func.dfg.successors(t).any(|s| s == header);
                if back && (b == header || !without.contains(b)) && self.func.dfg.op(t) != Opcode::Switch {
                    let md = self.func.loops.push(LoopMeta {
                        span: self.func.dfg.span(t),
                        unroll: UnrollRequest::Disable,
                        nounroll: true,
                        ..LoopMeta::default()
                    });
                    self.func.dfg.set_loop_md(t, Some(md));
                }
            }
        }
    }
}
