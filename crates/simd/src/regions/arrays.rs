//! Which values share an array of scratch memory.

use super::plan::{End, Region};
use super::storage::{Finder, Scratch, Storage};
use cranelift_entity::SecondaryMap;
use ir::{Block, Value, ValueDef};

/// Most pairs of values compared before two may share an array.
const MAX_PAIRS: usize = 64;

impl Finder<'_> {
    /// Lets an entry's parameter and what is handed to it share an array where they never live at the same time: then
    /// nothing need be copied.
    pub(super) fn join(&mut self) {
        let needs = self.needs();
        let mut members: SecondaryMap<Value, Vec<Value>> = SecondaryMap::new();
        for &v in &self.arrays {
            self.class[v] = Some(v);
            members[v].push(v);
        }
        for r in &self.plan.regions {
            let End::Leader(to, edges) = &r.end else { continue };
            for (n, &p) in self.p.func.dfg.params(*to).iter().enumerate() {
                for &(b, k) in edges {
                    let arg = self.p.func.dfg.branch_args(self.p.func.layout.terminator(b), k)[n];
                    let (Some(x), Some(y)) = (self.class[p], self.class[arg]) else { continue };
                    let same = x == y || self.p.func.dfg.ty(p) != self.p.func.dfg.ty(arg);
                    if same || members[x].len() * members[y].len() > MAX_PAIRS {
                        continue;
                    }
                    if members[x].iter().any(|&a| members[y].iter().any(|&b| self.interfere(&needs, a, b))) {
                        continue;
                    }
                    for v in std::mem::take(&mut members[y]) {
                        self.class[v] = Some(x);
                        members[x].push(v);
                    }
                }
            }
        }
    }

    /// What each region finds in memory, sorted.
    fn needs(&self) -> Vec<Vec<Value>> {
        let func = self.func();
        let needs = |r: &Region| {
            let mut all = self.facts.live.live_in(r.entry).to_vec();
            all.extend_from_slice(func.dfg.params(r.entry));
            all.sort_unstable();
            all
        };
        self.plan.regions.iter().map(needs).collect()
    }

    /// Whether some region needs both, or one is computed while the other waits to be handed on or for a region that
    /// follows.
    fn interfere(&self, needs: &[Vec<Value>], a: Value, b: Value) -> bool {
        let needed = |r: usize, v: Value| needs[r].binary_search(&v).is_ok();
        let overwrites = |a: Value, b: Value, n: usize| {
            let r = &self.plan.regions[n];
            let home = match self.func().dfg.def(a) {
                ValueDef::Inst(i) => self.func().layout.inst_block(i),
                ValueDef::Param(x, _) if x != r.entry => Some(x),
                _ => None,
            };
            home.is_some_and(|x| r.blocks.contains(&x))
                && (self.hands_on(n, b)
                    || self.next_regions(n).any(|s| {
                        let entry = self.plan.regions[s].entry;
                        let own = matches!(self.func().dfg.def(b), ValueDef::Param(x, _) if x == entry);
                        needed(s, b) && !own
                    }))
        };
        (0..needs.len()).any(|n| needed(n, a) && needed(n, b) || overwrites(a, b, n) || overwrites(b, a, n))
    }

    /// Whether a region ends in a branch with `v` among its arguments.
    fn hands_on(&self, n: usize, v: Value) -> bool {
        let func = self.func();
        match &self.plan.regions[n].end {
            End::Leader(_, edges) => {
                edges.iter().any(|&(b, k)| func.dfg.branch_args(func.layout.terminator(b), k).contains(&v))
            }
            _ => false,
        }
    }

    /// Gives each class its array.
    pub(super) fn place(&mut self, scratch: &mut Scratch) {
        for n in 0..self.arrays.len() {
            let v = self.arrays[n];
            let class = self.class[v].unwrap_or(v);
            if class == v {
                self.storage.values[v] = Some(Storage::PerItem(scratch.array(self.func().dfg.ty(v))));
            }
        }
        for n in 0..self.arrays.len() {
            let v = self.arrays[n];
            self.storage.values[v] = Some(self.storage.of(self.class[v].unwrap_or(v)));
        }
    }

    /// Regions that may come right after one, static mode.
    pub(super) fn next_regions(&self, n: usize) -> impl Iterator<Item = usize> + use<> {
        let next: Vec<Block> = match &self.plan.regions[n].end {
            End::Return | End::Dynamic => Vec::new(),
            End::Leader(b, _) => vec![*b],
            End::Cut(b) | End::Branch(b) => self.func().succs(*b).collect(),
        };
        let next: Vec<usize> = next.into_iter().filter_map(|b| self.plan.led_by[b]).map(|r| r as usize).collect();
        next.into_iter()
    }
}
