//! Terminators taken out of their function's tables, to be copied: into the same function or another one.

use crate::{Block, BlockCall, Dfg, Inst, LoopMd, Payload, SwitchData, Value};
use smallvec::SmallVec;

/// What a terminator with successors is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BranchKind {
    /// One way.
    Jump,
    /// Two ways; the first is taken if the operand is true.
    Br,
    /// A way for each of these values, then the default.
    Switch(Vec<u64>),
}

/// A terminator's successors with their arguments, apart from any function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// What it is.
    pub kind: BranchKind,
    /// Where it leads and what it hands over there, in the order of the successors.
    pub ways: SmallVec<[(Block, SmallVec<[Value; 8]>); 2]>,
    /// The loop whose back edge it takes.
    pub md: Option<LoopMd>,
}

impl Dfg {
    /// A terminator's successors and arguments; none if it has no successors.
    pub fn branch(&self, inst: Inst) -> Option<Branch> {
        let kind = match &self.insts[inst].payload {
            Payload::Jump(..) => BranchKind::Jump,
            Payload::Br(..) => BranchKind::Br,
            Payload::Switch(s) => BranchKind::Switch(self.switches[*s].cases.iter().map(|(value, _)| *value).collect()),
            _ => return None,
        };
        let ways = (0..self.successor_count(inst)).map(|n| {
            let call = self.call(inst, n);
            (call.block, SmallVec::from_slice(call.args.as_slice(&self.pool)))
        });
        Some(Branch { kind, ways: ways.collect(), md: self.insts[inst].loop_md() })
    }

    /// The payload of a terminator of this function that branches so.
    ///
    /// # Panics
    /// If the number of ways is not that of the kind.
    pub fn branch_payload(&mut self, branch: &Branch) -> Payload {
        let mut calls = branch.ways.iter();
        let mut call = |dfg: &mut Self| -> BlockCall {
            let (to, args) = calls.next().expect("a way for each successor");
            dfg.block_call(*to, args)
        };
        let payload = match &branch.kind {
            BranchKind::Jump => Payload::Jump(call(self), branch.md.into()),
            BranchKind::Br => Payload::Br([call(self), call(self)], branch.md.into()),
            BranchKind::Switch(values) => {
                let cases = values.iter().map(|&value| (value, call(self))).collect();
                let default = call(self);
                Payload::Switch(self.switches.push(SwitchData { cases, default }))
            }
        };
        assert!(calls.next().is_none(), "more ways than successors");
        payload
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Builder, Flags, FnKind, Function, Opcode, Type};

    #[test]
    fn a_switch_moves_to_another_function() {
        let mut from = Function::new("from", FnKind::Device);
        let entry = from.new_entry_block();
        let (a, d) = (from.new_block(), from.new_block());
        let mut b = Builder::at_end(&mut from, entry);
        let x = b.iconst(Type::I32, 7);
        let t = b.switch(x, &[(1, a), (5, a)], d);
        let mut branch = from.dfg.branch(t).unwrap();
        assert_eq!(branch.kind, BranchKind::Switch(vec![1, 5]));
        assert_eq!(branch.ways.iter().map(|w| w.0).collect::<Vec<_>>(), [a, a, d]);

        let mut to = Function::new("to", FnKind::Device);
        let entry = to.new_entry_block();
        let (other, end) = (to.new_block(), to.new_block());
        branch.ways.iter_mut().for_each(|w| w.0 = if w.0 == d { end } else { other });
        let y = to.dfg.iconst(Type::I32, 5);
        let payload = to.dfg.branch_payload(&branch);
        let t = to.dfg.make_inst(Opcode::Switch, Type::VOID, Flags::NONE, &[y], payload);
        to.layout.append_inst(t, entry);
        assert_eq!(to.succs(entry).collect::<Vec<_>>(), [other, other, end]);
    }

    #[test]
    fn a_return_is_no_branch() {
        let mut f = Function::new("f", FnKind::Device);
        let entry = f.new_entry_block();
        let t = Builder::at_end(&mut f, entry).ret(None);
        assert_eq!(f.dfg.branch(t), None);
    }
}
