//! Sparse conditional constant propagation.
//!
//! Finds values that are constant on every path that can be taken, where a path counts only if its branches can be
//! taken with the constants found: optimistic, so it sees through loops that carry a constant around and through
//! branches that the constants decide. Constants replace the values; branches that are decided become jumps; blocks
//! that are never reached go.
//!
//! What must hold: verified IR. Metadata stays on back edges that stay.
//!
//! Cost: linear: each value falls at most twice, each edge is taken at most once.

use crate::PassContext;
use analysis::{Cfg, fold};
use cranelift_entity::{EntityRef, EntitySet, SecondaryMap};
use ir::edit;
use ir::{Block, ConstKind, Flags, Function, Inst, Opcode, Payload, Value, ValueDef};
use rustc_hash::FxHashSet;

#[derive(Clone, Copy, PartialEq, Default)]
enum Lattice {
    /// No path that defines it has been taken.
    #[default]
    Unseen,
    Const(ConstKind),
    Varies,
}

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let mut s = Sccp::new(func);
    s.solve();
    let Sccp { state, executable, .. } = s;
    let cfg = cx.cfg(func);
    let changed = apply(func, &cfg, &state, &executable);
    if !changed {
        cx.keep_graph();
    }
    changed
}

struct Sccp<'a> {
    func: &'a Function,
    state: SecondaryMap<Value, Lattice>,
    executable: EntitySet<Block>,
    taken: FxHashSet<(Inst, u32)>,
    /// Users of each value, compressed: `users[start[v]..start[v + 1]]`.
    start: Vec<u32>,
    users: Vec<Inst>,
    edges: Vec<(Inst, u32)>,
    fallen: Vec<Value>,
}

impl<'a> Sccp<'a> {
    fn new(func: &'a Function) -> Self {
        let mut start = vec![0u32; func.dfg.values.len() + 1];
        let each = |f: &mut dyn FnMut(Inst, Value)| {
            for b in func.layout.blocks() {
                for i in func.layout.insts(b) {
                    func.dfg.for_each_use(i, |v| f(i, v));
                }
            }
        };
        each(&mut |_, v| start[v.index() + 1] += 1);
        for n in 1..start.len() {
            start[n] += start[n - 1];
        }
        let mut fill = start.clone();
        let mut users = vec![Inst::new(0); start[start.len() - 1] as usize];
        each(&mut |i, v| {
            users[fill[v.index()] as usize] = i;
            fill[v.index()] += 1;
        });
        Self {
            func,
            state: ir::side_table(func.dfg.values.len()),
            executable: EntitySet::with_capacity(func.dfg.blocks.len()),
            taken: FxHashSet::default(),
            start,
            users,
            edges: Vec::new(),
            fallen: Vec::new(),
        }
    }

    fn solve(&mut self) {
        let entry = self.func.layout.entry();
        for &p in self.func.dfg.params(entry) {
            self.state[p] = Lattice::Varies;
        }
        self.execute(entry);
        loop {
            if let Some(v) = self.fallen.pop() {
                let (from, to) = (self.start[v.index()] as usize, self.start[v.index() + 1] as usize);
                for n in from..to {
                    let i = self.users[n];
                    if self.func.layout.inst_block(i).is_some_and(|b| self.executable.contains(b)) {
                        self.visit(i);
                    }
                }
            } else if let Some((inst, n)) = self.edges.pop() {
                let to = self.func.dfg.successor(inst, n as usize);
                self.params(inst, n);
                if !self.executable.contains(to) {
                    self.execute(to);
                }
            } else {
                return;
            }
        }
    }

    fn execute(&mut self, b: Block) {
        self.executable.insert(b);
        for i in self.func.layout.insts(b) {
            self.visit(i);
        }
    }

    fn get(&self, v: Value) -> Lattice {
        match self.func.dfg.values[v].def {
            ValueDef::Const(c) => Lattice::Const(c),
            _ => self.state[v],
        }
    }

    fn lower(&mut self, v: Value, to: Lattice) {
        let old = self.state[v];
        let new = match (old, to) {
            (_, Lattice::Unseen) | (Lattice::Varies, _) => return,
            (Lattice::Unseen, x) => x,
            (Lattice::Const(a), Lattice::Const(b)) if a == b => return,
            _ => Lattice::Varies,
        };
        self.state[v] = new;
        self.fallen.push(v);
    }

    fn params(&mut self, inst: Inst, n: u32) {
        let to = self.func.dfg.successor(inst, n as usize);
        for k in 0..self.func.dfg.params(to).len() {
            let (p, v) = (self.func.dfg.params(to)[k], self.func.dfg.branch_args(inst, n as usize)[k]);
            let value = self.get(v);
            self.lower(p, value);
        }
    }

    fn take(&mut self, inst: Inst, n: u32) {
        if self.taken.insert((inst, n)) {
            self.edges.push((inst, n));
        } else {
            self.params(inst, n);
        }
    }

    fn visit(&mut self, i: Inst) {
        let op = self.func.dfg.op(i);
        if op.is_terminator() {
            return self.branch(i);
        }
        let Some(v) = self.func.dfg.result(i) else { return };
        if self.state[v] == Lattice::Varies {
            return;
        }
        if !self.func.dfg.insts[i].is_pure() {
            return self.lower(v, Lattice::Varies);
        }
        // An operand that has no value yet may still make the result constant.
        let mut unseen = false;
        let folded = fold::fold_inst(&self.func.dfg, i, |v| match self.get(v) {
            Lattice::Const(c) => Some(c),
            Lattice::Unseen => {
                unseen = true;
                None
            }
            Lattice::Varies => None,
        });
        match folded {
            Some(c) => self.lower(v, Lattice::Const(c)),
            None if unseen && !self.any_varies(i) => {}
            None => self.lower(v, Lattice::Varies),
        }
    }

    fn any_varies(&self, i: Inst) -> bool {
        let args = self.func.dfg.args(i);
        // A select waits for its condition and for the operand that it picks.
        if self.func.dfg.op(i) == Opcode::Select {
            return match self.get(args[0]) {
                Lattice::Unseen => false,
                Lattice::Const(ConstKind::Bits(c)) => self.get(args[if c & 1 == 1 { 1 } else { 2 }]) == Lattice::Varies,
                _ => true,
            };
        }
        args.iter().any(|&v| self.get(v) == Lattice::Varies)
    }

    fn branch(&mut self, i: Inst) {
        let data = &self.func.dfg.insts[i];
        let only = match data.op {
            Opcode::Jump => Some(0),
            Opcode::Br | Opcode::Switch => match self.get(self.func.dfg.arg(i, 0)) {
                Lattice::Unseen => return,
                Lattice::Const(ConstKind::Bits(c)) => Some(decided(self.func, i, c)),
                _ => None,
            },
            _ => return,
        };
        match only {
            Some(n) => self.take(i, n),
            None => (0..self.func.dfg.successor_count(i) as u32).for_each(|n| self.take(i, n)),
        }
    }
}

/// The successor that a branch takes for the constant `c`.
fn decided(func: &Function, i: Inst, c: u64) -> u32 {
    match func.dfg.insts[i].payload {
        Payload::Switch(s) => {
            let cases = &func.dfg.switches[s].cases;
            cases.iter().position(|(n, _)| *n == c).unwrap_or(cases.len()) as u32
        }
        _ => u32::from(c == 0),
    }
}

fn apply(func: &mut Function, cfg: &Cfg, state: &SecondaryMap<Value, Lattice>, executable: &EntitySet<Block>) -> bool {
    let mut changed = false;
    let mut aliased = false;
    let mut replace = |func: &mut Function, v: Value| {
        if let Lattice::Const(c) = state[v] {
            let ty = func.dfg.ty(v);
            let k = func.dfg.constant(ty, c);
            func.dfg.replace_value(v, k);
            aliased = true;
            return true;
        }
        false
    };
    let mut params: Vec<Block> = Vec::new();
    let mut next_block = func.layout.first_block();
    while let Some(b) = next_block {
        next_block = func.layout.next_block(b);
        if !executable.contains(b) {
            continue;
        }
        if func.dfg.params(b).iter().any(|&p| matches!(state[p], Lattice::Const(_))) {
            params.push(b);
        }
        let mut next = func.layout.first_inst(b);
        while let Some(i) = next {
            next = func.layout.next_inst(i);
            if let Some(v) = func.dfg.result(i)
                && replace(func, v)
            {
                func.layout.remove_inst(i);
                changed = true;
            }
        }
    }
    // Parameters go with their arguments, before unreachable branches are taken out of the graph.
    for b in params {
        let keep: Vec<bool> = func.dfg.params(b).iter().map(|&p| !matches!(state[p], Lattice::Const(_))).collect();
        let gone: Vec<Value> = func.dfg.params(b).to_vec();
        edit::retain_params(func, b, cfg.preds(b), &keep);
        for (v, keep) in gone.into_iter().zip(keep) {
            if !keep {
                replace(func, v);
                changed = true;
            }
        }
    }
    changed |= decide_branches(func, cfg, executable);
    if aliased {
        func.resolve_aliases();
    }
    if executable_all(func, executable) {
        return changed;
    }
    let cfg = Cfg::new(func);
    edit::remove_unreachable(func, cfg.order());
    true
}

fn executable_all(func: &Function, executable: &EntitySet<Block>) -> bool {
    func.layout.blocks().all(|b| executable.contains(b))
}

/// Branches on what is now a constant become jumps.
fn decide_branches(func: &mut Function, cfg: &Cfg, executable: &EntitySet<Block>) -> bool {
    let mut changed = false;
    for &b in cfg.rpo() {
        if !executable.contains(b) {
            continue;
        }
        let t = func.layout.terminator(b);
        if !matches!(func.dfg.op(t), Opcode::Br | Opcode::Switch) {
            continue;
        }
        let Some(c) = func.dfg.as_bits(func.dfg.arg(t, 0)) else { continue };
        let n = decided(func, t, c) as usize;
        let to = func.dfg.successor(t, n);
        let args = func.dfg.branch_args(t, n).to_vec();
        // The other target of a branch with metadata is the way out, unless this one is.
        let back = cfg.rpo_number(to) <= cfg.rpo_number(b);
        let md = func.dfg.insts[t].loop_md().filter(|_| back);
        let call = func.dfg.block_call(to, &args);
        func.dfg.rewrite(t, Opcode::Jump, Flags::NONE, &[], Payload::Jump(call, md.into()));
        changed = true;
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run_pass;
    use ir::{Builder, IntCC, Module, Type};

    #[test]
    fn constants_through_a_loop() {
        let mut module = Module::default();
        let f = run_pass(&mut module, Type::I32, &[Type::I32], run, |f, entry, p| {
            let (head, odd, even, latch, exit) =
                (f.new_block(), f.new_block(), f.new_block(), f.new_block(), f.new_block());
            let x = f.dfg.add_param(head, Type::I32);
            let i = f.dfg.add_param(head, Type::I32);
            let y = f.dfg.add_param(latch, Type::I32);
            let mut b = Builder::at_end(f, entry);
            let (zero, one, two) = (b.iconst(Type::I32, 0), b.iconst(Type::I32, 1), b.iconst(Type::I32, 2));
            b.jump(head, &[one, zero]);
            b.switch_to(head);
            let c = b.icmp(IntCC::Eq, x, one);
            b.br(c, (even, &[]), (odd, &[]));
            b.switch_to(even);
            let two_minus = b.binary(Opcode::Sub, two, x);
            b.jump(latch, &[two_minus]);
            b.switch_to(odd);
            b.jump(latch, &[i]);
            b.switch_to(latch);
            let next = b.add(i, one);
            let c = b.icmp(IntCC::Slt, next, p[0]);
            b.br(c, (head, &[y, next]), (exit, &[]));
            b.switch_to(exit);
            b.ret(Some(y));
        });
        let f = &module.functions[f];
        let exit = f.layout.last_block().unwrap();
        let ret = f.layout.terminator(exit);
        assert_eq!(f.dfg.as_int(f.dfg.arg(ret, 0)), Some(1));
        assert_eq!(f.layout.blocks().count(), 5, "the untaken side goes");
    }
}
