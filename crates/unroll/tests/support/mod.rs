//! A small executor for one work-item, and builders of loops.
#![allow(dead_code, reason = "each test uses its part")]

use analysis::fold::fold_inst;
use ir::{Block, ConstKind, Function, Inst, Opcode, Value};
use std::collections::BTreeMap;

/// What a run did: effects in order, and how it ended.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Run {
    /// Stores: address, bits.
    pub(crate) stores: Vec<(u64, u64)>,
    /// What the function returned.
    pub(crate) result: Option<u64>,
    /// Instructions executed.
    pub(crate) steps: usize,
    /// Ran out of steps.
    pub(crate) stuck: bool,
}

struct Machine<'a> {
    func: &'a Function,
    values: Vec<Option<u64>>,
    memory: BTreeMap<u64, u64>,
    run: Run,
}

/// Runs `func` on `args` for at most `limit` instructions.
pub(crate) fn execute(func: &Function, args: &[u64], limit: usize) -> Run {
    let mut m =
        Machine { func, values: vec![None; func.dfg.values.len()], memory: BTreeMap::new(), run: Run::default() };
    let entry = func.layout.entry();
    for (&p, &a) in func.dfg.params(entry).iter().zip(args) {
        m.set(p, a & func.dfg.ty(p).mask());
    }
    let mut at = Some(entry);
    while let Some(b) = at {
        at = m.block(b, limit);
    }
    m.run
}

impl Machine<'_> {
    fn set(&mut self, v: Value, bits: u64) {
        self.values[v.as_u32() as usize] = Some(bits);
    }

    fn get(&self, v: Value) -> u64 {
        let v = self.func.dfg.resolve(v);
        match self.func.dfg.as_const(v) {
            Some(ConstKind::Bits(b)) => b,
            Some(ConstKind::Undef) => 0,
            Some(_) => panic!("address constants are not used here"),
            None => self.values[v.as_u32() as usize].unwrap_or_else(|| panic!("{v} used before it is computed")),
        }
    }

    fn block(&mut self, b: Block, limit: usize) -> Option<Block> {
        let mut at = self.func.layout.first_inst(b);
        while let Some(i) = at {
            self.run.steps += 1;
            if self.run.steps > limit {
                self.run.stuck = true;
                return None;
            }
            if self.func.dfg.op(i).is_terminator() {
                return self.terminator(i);
            }
            self.instruction(i);
            at = self.func.layout.next_inst(i);
        }
        None
    }

    fn terminator(&mut self, i: Inst) -> Option<Block> {
        let dfg = &self.func.dfg;
        let way = match dfg.op(i) {
            Opcode::Jump => 0,
            Opcode::Br => usize::from(self.get(dfg.arg(i, 0)) & 1 == 0),
            Opcode::Return => {
                self.run.result = dfg.args(i).first().map(|&v| self.get(v));
                return None;
            }
            other => panic!("{other:?} was reached"),
        };
        let to = dfg.successor(i, way);
        let args: Vec<u64> = dfg.branch_args(i, way).iter().map(|&v| self.get(v)).collect();
        for (&p, a) in self.func.dfg.params(to).iter().zip(args) {
            self.set(p, a);
        }
        Some(to)
    }

    fn instruction(&mut self, i: Inst) {
        let dfg = &self.func.dfg;
        let arg = |n| self.get(dfg.arg(i, n));
        let value = match dfg.op(i) {
            Opcode::Store => {
                let (at, bits) = (arg(0), arg(1));
                self.memory.insert(at, bits);
                self.run.stores.push((at, bits));
                return;
            }
            // Memory that nobody wrote holds a mixture of its address.
            Opcode::Load => {
                let at = arg(0);
                let fresh = at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 17;
                self.memory.get(&at).copied().unwrap_or(fresh) & dfg.insts[i].ty.mask()
            }
            Opcode::PtrAdd => arg(0).wrapping_add(arg(1)),
            Opcode::Select => {
                if arg(0) & 1 == 1 {
                    arg(1)
                } else {
                    arg(2)
                }
            }
            op => {
                let folded = fold_inst(dfg, i, |v| Some(ConstKind::Bits(self.get(v))));
                match folded {
                    Some(ConstKind::Bits(b)) => b,
                    _ => panic!("cannot execute {op:?}"),
                }
            }
        };
        self.set(dfg.res(i), value);
    }
}
