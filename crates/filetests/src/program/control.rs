//! Branches, switches, calls.

use super::{Callee, Gen, POINTER, Val};
use ir::{BlockCall, Flags, Opcode, Payload, SwitchData, Type, Value};

impl Gen<'_> {
    /// Types of the values that a merge brings together.
    pub(super) fn merged_types(&mut self) -> Vec<Type> {
        let mut types: Vec<Type> = (0..self.rng.below(3))
            .map(|_| if self.rng.chance(75) { self.int_type() } else { self.float_type() })
            .collect();
        if self.points && self.rng.chance(25) {
            types.push(POINTER);
        }
        types
    }

    pub(super) fn values_of(&mut self, types: &[Type]) -> Vec<Value> {
        types.iter().map(|&t| self.value(t).v).collect()
    }

    /// Statements of an arm that starts in `block` and goes on to `to`.
    fn arm(&mut self, block: ir::Block, to: ir::Block, types: &[Type], together: bool) {
        let mark = self.pool.len();
        self.block = block;
        self.region(4, together);
        let args = self.values_of(types);
        self.b().jump(to, &args);
        self.pool.truncate(mark);
    }

    fn merge(&mut self, block: ir::Block, types: &[Type]) {
        self.block = block;
        for &t in types {
            let v = self.func.dfg.add_param(block, t);
            self.push(v, false);
        }
    }

    /// `if`, with or without `else`.
    pub(super) fn branch(&mut self) {
        let keep = self.together && self.rng.chance(60);
        let cond = self.condition(keep);
        let types = self.merged_types();
        let yes = self.func.new_block();
        let both = self.rng.chance(60);
        let no = both.then(|| self.func.new_block());
        let end = self.func.dfg.make_block();
        let around = if both { Vec::new() } else { self.values_of(&types) };
        self.b().br(cond.v, (yes, &[]), (no.unwrap_or(end), &around));
        self.arm(yes, end, &types, cond.uniform);
        if let Some(no) = no {
            self.arm(no, end, &types, cond.uniform);
        }
        self.func.layout.append_block(end);
        self.merge(end, &types);
    }

    pub(super) fn switch(&mut self) {
        let ty = self.rng.pick(&[Type::I32, Type::I8, Type::I64]);
        let x = self.value(ty);
        let mask = self.func.dfg.iconst(ty, self.rng.pick(&[3, 7, -1]));
        let v = self.b().binary(Opcode::And, x.v, mask);
        let types = self.merged_types();
        let end = self.func.dfg.make_block();
        let count = 1 + self.rng.below(4) as u64;
        let arms: Vec<_> = (0..count).map(|_| self.func.new_block()).collect();
        let around = self.values_of(&types);
        let default = self.func.dfg.block_call(end, &around);
        let call = |block| BlockCall { block, args: Default::default() };
        let first = self.rng.pick(&[0, 0, 1, 5]);
        let step = self.rng.pick(&[1, 1, 2]);
        // Two values may lead to the same arm.
        let mut cases: Vec<_> =
            arms.iter().enumerate().map(|(n, &b)| ((first + n as u64 * step) & ty.mask(), call(b))).collect();
        if self.rng.chance(30) {
            cases.push(((first + count * step) & ty.mask(), call(arms[0])));
        }
        let table = self.func.dfg.switches.push(SwitchData { cases, default });
        self.b().inst(Opcode::Switch, Type::VOID, Flags::NONE, &[v], Payload::Switch(table));
        for arm in arms {
            self.arm(arm, end, &types, x.uniform);
        }
        self.func.layout.append_block(end);
        self.merge(end, &types);
    }

    pub(super) fn call(&mut self) {
        let window = self.window;
        let fits = |c: &Callee| {
            c.params.iter().all(|p| (p.0 != Type::PTR || window.is_some()) && (p.0 != POINTER || self.points))
                && (self.together || !c.meets)
        };
        let callable: Vec<Callee> = self.callees.iter().filter(|c| fits(c)).cloned().collect();
        if callable.is_empty() {
            return self.expression();
        }
        let n = self.rng.below(callable.len());
        let Callee { func: callee, params, ret, meets } = callable[n].clone();
        let args: Vec<Val> = params
            .iter()
            .map(|&(t, uniform)| match window {
                Some(w) if t == Type::PTR => {
                    let v = if self.func.dfg.ty(w) == t { w } else { self.b().space_cast(w, ir::AddrSpace::Generic) };
                    Val { v, ty: t, uniform: false }
                }
                _ if uniform => self.uniform(t),
                _ => self.value(t),
            })
            .collect();
        let values: Vec<Value> = args.iter().map(|a| a.v).collect();
        if let Some(v) = self.b().call(callee, ret, &values) {
            self.push(v, !meets && args.iter().all(|a| a.uniform));
        }
    }
}
