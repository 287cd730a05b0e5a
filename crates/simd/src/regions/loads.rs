//! Loads that the whole group could share stay with its work-items where there are more of them than registers.
//!
//! `sum += a[i] * tile[k]` for many `k` in one region: what all work-items load alike can be loaded before the loops over
//! them, and is then spread over vectors that live through the loops. Beyond the number of registers that means to store
//! each vector and to load it again, while a load in its place is a part of the operation that uses it.

use super::storage::Finder;
use cranelift_entity::{EntitySet, SecondaryMap};
use ir::{Opcode, Type, Value};

/// Most loads of a region that are moved in front of its work-items: what leaves some of the vector registers free, of which
/// there are 32 with AVX-512 and 16 without.
const MOST_SHARED: usize = 16;

impl Finder<'_> {
    /// Takes back what the work-group function would load where only the work-items of one region use it and there is too much
    /// of it. Floats only: they are used lane by lane; addresses and counters mostly are not.
    pub(super) fn leave_loads(&mut self) {
        let mut of: SecondaryMap<Value, Option<u32>> = SecondaryMap::new();
        let dfg = &self.p.func.dfg;
        let mut candidates: Vec<Vec<Value>> = Vec::new();
        for (n, r) in self.plan.regions.iter().enumerate() {
            let insts = r.blocks.iter().flat_map(|&b| self.p.func.layout.insts(b));
            let loads = insts.filter(|&i| dfg.op(i) == Opcode::Load).map(|i| dfg.res(i));
            let wanted = |v: &Value| {
                matches!(dfg.ty(*v), Type::F32 | Type::F64)
                    && self.facts.uniform.is_uniform(*v)
                    && self.storage.steady.contains(*v)
            };
            let loads: Vec<Value> = loads.filter(wanted).collect();
            for &v in &loads {
                of[v] = Some(n as u32);
            }
            candidates.push(loads);
        }
        // Who else uses them: other regions, the work-group function, branches.
        let mut shared: EntitySet<Value> = EntitySet::new();
        for (n, r) in self.plan.regions.iter().enumerate() {
            for i in r.blocks.iter().flat_map(|&b| self.p.func.layout.insts(b)) {
                let is_body =
                    dfg.result(i).is_some_and(|v| !self.storage.group.contains(v)) || dfg.op(i) == Opcode::Store;
                dfg.for_each_use(i, |v| {
                    let v = dfg.resolve(v);
                    if of[v].is_some_and(|home| !is_body || home != n as u32) {
                        shared.insert(v);
                    }
                });
            }
        }
        for (r, loads) in self.plan.regions.iter().zip(candidates) {
            let own: Vec<Value> = loads.into_iter().filter(|&v| !shared.contains(v)).collect();
            if own.len() <= MOST_SHARED {
                continue;
            }
            self.storage.keeps_loads.insert(r.entry);
            for v in own {
                self.storage.steady.remove(v);
                self.storage.group.remove(v);
            }
        }
    }
}
