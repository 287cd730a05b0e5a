//! Removes what has no effect: unreachable blocks, instructions whose results nothing needs, block parameters that only
//! feed themselves, and stores to stack slots that are never read.
//!
//! Everything is taken for dead until something that must stay needs it, so cycles through block parameters go too. A
//! store into a slot is needed once something else than such stores needs the slot's address.
//!
//! What must hold: verified IR. Branches stay, also those of loops that compute nothing: whether a loop may go is not
//! decided here.
//!
//! Cost: linear, without iteration.

use crate::PassContext;
use analysis::Cfg;
use cranelift_entity::{EntitySet, SecondaryMap};
use ir::edit;
use ir::{Block, ConstKind, Flags, Function, Inst, Opcode, Slot, Value, ValueDef};
use smallvec::SmallVec;

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let cfg = cx.cfg(func);
    let changed = edit::remove_unreachable(func, cfg.order());
    if !changed {
        cx.keep_graph();
    }
    sweep(func, &cfg) | changed
}

/// Removes what has no effect from the blocks of a graph, and leaves the graph as it is.
pub(crate) fn sweep(func: &mut Function, cfg: &Cfg) -> bool {
    let mut changed = false;
    let live = Liveness::new(func, cfg);
    let Liveness { insts, values, .. } = live;
    for &b in cfg.rpo() {
        changed |= sweep_params(func, cfg, b, &values);
        let mut next = func.layout.first_inst(b);
        while let Some(i) = next {
            next = func.layout.next_inst(i);
            if !insts[i] {
                func.layout.remove_inst(i);
                changed = true;
            }
        }
    }
    changed
}

fn sweep_params(func: &mut Function, cfg: &Cfg, b: Block, live: &SecondaryMap<Value, bool>) -> bool {
    if b == cfg.entry() || func.dfg.params(b).iter().all(|&v| live[v]) {
        return false;
    }
    let keep: SmallVec<[bool; 16]> = func.dfg.params(b).iter().map(|&v| live[v]).collect();
    edit::retain_params(func, b, cfg.preds(b), &keep);
    true
}

struct Liveness<'a> {
    func: &'a Function,
    insts: SecondaryMap<Inst, bool>,
    values: SecondaryMap<Value, bool>,
    slots: EntitySet<Slot>,
    /// Stores that live only if their slot does.
    pending: SecondaryMap<Slot, Vec<Inst>>,
    work: Vec<Value>,
}

impl<'a> Liveness<'a> {
    fn new(func: &'a Function, cfg: &Cfg) -> Self {
        let mut l = Self {
            func,
            insts: ir::side_table(func.dfg.insts.len()),
            values: ir::side_table(func.dfg.values.len()),
            slots: EntitySet::new(),
            pending: SecondaryMap::new(),
            work: Vec::with_capacity(64),
        };
        for &b in cfg.rpo() {
            for i in func.layout.insts(b) {
                l.root(i);
            }
        }
        while let Some(v) = l.work.pop() {
            l.need(v, cfg);
        }
        l
    }

    fn root(&mut self, inst: Inst) {
        let data = &self.func.dfg.insts[inst];
        if matches!(data.op, Opcode::Store | Opcode::MemSet | Opcode::MemCpy)
            && !data.flags.has(Flags::VOLATILE)
            && let Some(slot) = slot_of(self.func, self.func.dfg.arg(inst, 0))
        {
            if self.slots.contains(slot) {
                self.mark_inst(inst);
            } else {
                self.pending[slot].push(inst);
            }
        } else if data.has_side_effects() || data.op == Opcode::Provable {
            self.mark_inst(inst);
        }
    }

    fn mark_inst(&mut self, inst: Inst) {
        if !std::mem::replace(&mut self.insts[inst], true) {
            for &v in self.func.dfg.args(inst) {
                self.mark(v);
            }
        }
    }

    fn mark(&mut self, v: Value) {
        if !std::mem::replace(&mut self.values[v], true) {
            self.work.push(v);
        }
    }

    fn need(&mut self, v: Value, cfg: &Cfg) {
        match self.func.dfg.values[v].def {
            ValueDef::Inst(i) => self.mark_inst(i),
            ValueDef::Param(b, n) => {
                for e in cfg.preds(b) {
                    let arg = self.func.dfg.branch_args(e.inst, e.index as usize)[n as usize];
                    self.mark(arg);
                }
            }
            ValueDef::Const(ConstKind::Slot(s)) => {
                self.slots.insert(s);
                for i in std::mem::take(&mut self.pending[s]) {
                    self.mark_inst(i);
                }
            }
            ValueDef::Const(_) => {}
            ValueDef::Alias(to) => self.mark(to),
        }
    }
}

/// The slot that a pointer points into, if it is computed from its address alone.
pub(crate) fn slot_of(func: &Function, mut p: Value) -> Option<Slot> {
    loop {
        match func.dfg.def(p) {
            ValueDef::Const(ConstKind::Slot(s)) => return Some(s),
            ValueDef::Inst(i) if matches!(func.dfg.op(i), Opcode::PtrAdd | Opcode::AddrSpaceCast) => {
                p = func.dfg.arg(i, 0);
            }
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run_pass;
    use ir::{Builder, IntCC, MemInfo, Module, SlotData, Type};

    fn slot(f: &mut Function) -> Value {
        let s = f.slots.push(SlotData { size: 16, align: 4, dims: Default::default(), name: String::new() });
        f.slot_addr(s)
    }

    #[test]
    fn cycles_of_parameters_and_unread_slots_go() {
        let mut module = Module::default();
        let f = run_pass(&mut module, Type::VOID, &[Type::I32], run, |f, entry, p| {
            let (head, exit) = (f.new_block(), f.new_block());
            let i = f.dfg.add_param(head, Type::I32);
            let dead = f.dfg.add_param(head, Type::I32);
            let s = slot(f);
            let mut b = Builder::at_end(f, entry);
            let zero = b.iconst(Type::I32, 0);
            b.jump(head, &[zero, p[0]]);
            b.switch_to(head);
            let one = b.iconst(Type::I32, 1);
            let next = b.add(i, one);
            let more = b.add(dead, i);
            let eight = b.iconst(Type::I64, 8);
            let q = b.ptradd(s, eight, Flags::NONE);
            b.store(q, next, MemInfo::aligned(4), Flags::NONE);
            let c = b.icmp(IntCC::Slt, next, p[0]);
            b.br(c, (head, &[next, more]), (exit, &[]));
            b.switch_to(exit);
            b.ret(None);
        });
        let f = &module.functions[f];
        let head = f.layout.blocks().nth(1).unwrap();
        assert_eq!(f.dfg.params(head).len(), 1);
        let ops: Vec<_> = f.layout.insts(head).map(|i| f.dfg.op(i)).collect();
        assert_eq!(ops, [Opcode::Add, Opcode::Icmp, Opcode::Br]);
    }

    #[test]
    fn read_slots_stay() {
        let mut module = Module::default();
        let f = run_pass(&mut module, Type::I32, &[Type::I32], run, |f, entry, p| {
            let s = slot(f);
            let mut b = Builder::at_end(f, entry);
            b.store(s, p[0], MemInfo::aligned(4), Flags::NONE);
            let v = b.load(Type::I32, s, MemInfo::aligned(4), Flags::NONE);
            b.load(Type::I32, s, MemInfo::aligned(4), Flags::NONE);
            b.ret(Some(v));
        });
        assert_eq!(module.functions[f].inst_count(), 3);
    }
}
