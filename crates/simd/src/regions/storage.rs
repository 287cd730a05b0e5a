//! Where values live that are used in another region than the one that computes them.

use super::plan::{Analyses, End, Mode, Regions};
use super::prepare::Prepared;
use analysis::{Alias, AliasQuery, Clobber, Location};
use cranelift_entity::{EntitySet, SecondaryMap};
use ir::{AddrSpace, Block, ConstKind, Flags, Function, Inst, Module, Opcode, Slot, Type, Value, ValueDef};
use launch::context::MEMORY_ALIGN;
use launch::{ScratchSize, room_for};

/// Most instructions computed again instead of being kept.
const MAX_REMATERIALISED: u32 = 10;

/// Most questions whether a write disturbs a load, per region; beyond that, every load may be disturbed.
const MAX_QUERIES: usize = 1 << 16;

/// Where a value lives between regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Storage {
    /// Nowhere: it is not used in another region.
    None,
    /// In the work-group function: computed there, once for all work-items. A variable of it (a stack slot of the new
    /// function until the last pass makes it a value).
    Group(Slot),
    /// It is computed again where it is needed.
    Rematerialised,
    /// At this offset of the scratch memory: one for all work-items, computed by each.
    Uniform(Offset),
    /// From this offset of the scratch memory: one element per work-item.
    PerItem(Offset),
}

/// A place in scratch memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Offset {
    /// Bytes from the begin.
    pub(super) bytes: u64,
    /// So many bytes more for each work-item for which the group has [room](launch::room_for); none where the local size
    /// is known.
    pub(super) per_item: u64,
}

impl Offset {
    /// `n` times as far on from here as `step` says.
    pub(super) fn plus(self, step: Self, n: u64) -> Self {
        Self { bytes: self.bytes + step.bytes * n, per_item: self.per_item + step.per_item * n }
    }
}

/// Scratch memory as it is handed out.
#[derive(Clone, Debug)]
pub(super) struct Scratch {
    /// What is in use.
    used: Offset,
    /// Work-items of the group, where that is known.
    pub(super) items: Option<u64>,
}

/// Alignment of whatever is put into scratch memory: a cache line.
const LINE: u64 = 64;

impl Scratch {
    /// Nothing is in use yet.
    pub(super) fn new(items: Option<u64>) -> Self {
        Self { used: Offset::default(), items }
    }

    /// Room for `bytes`.
    pub(super) fn take(&mut self, bytes: u64) -> Offset {
        let at = self.used;
        self.used.bytes = (at.bytes + bytes.max(1)).next_multiple_of(LINE);
        at
    }

    /// Room for so many bytes per work-item, of which there are as many as `room` makes of their number.
    pub(super) fn take_each(&mut self, bytes: u64, room: impl Fn(u64) -> u64) -> Offset {
        match self.items {
            Some(items) => self.take(bytes * room(items)),
            None => {
                let at = self.used;
                self.used.per_item += bytes;
                at
            }
        }
    }

    /// Room for an element per work-item; so many more that the last vector may run over the end.
    pub(super) fn array(&mut self, ty: Type) -> Offset {
        let step = self.step(ty);
        match self.items {
            Some(_) => self.take(step.bytes),
            None => self.take_each(step.per_item, room_for),
        }
    }

    /// How far it is from an array of elements of a type to the next one.
    pub(super) fn step(&self, ty: Type) -> Offset {
        match self.items {
            Some(items) => Offset { bytes: stride(ty) * room_for(items), per_item: 0 },
            None => Offset { bytes: 0, per_item: stride(ty) },
        }
    }

    /// What a group needs of it.
    pub(super) fn size(&self) -> ScratchSize {
        ScratchSize { bytes: self.used.bytes.next_multiple_of(MEMORY_ALIGN), per_item: self.used.per_item }
    }
}

/// The type as which a value stands in memory: truth values take bytes.
pub(super) fn memory_type(ty: Type) -> Type {
    if ty.scalar() == Type::I1 { ty.with_scalar(Type::I8) } else { ty }
}

/// Bytes from one work-item's element to the next one's.
pub(super) fn stride(ty: Type) -> u64 {
    u64::from(memory_type(ty).bytes()).next_power_of_two()
}

/// The copies of a stack slot, one per work-item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Copies {
    /// Where they begin in scratch memory.
    pub(super) offset: Offset,
    /// Bytes from one work-item's first element to the next one's.
    pub(super) stride: u64,
}

/// Where values and slots live.
pub(super) struct StorageMap {
    /// By value of the prepared kernel.
    pub(super) values: SecondaryMap<Value, Option<Storage>>,
    /// By stack slot, if it lives across regions: where its copies stand in scratch memory.
    pub(super) slots: SecondaryMap<Slot, Option<Copies>>,
    /// Where what is handed out for slots ends in scratch memory.
    pub(super) end: Offset,
    /// Pointers into slots whose copies are interleaved: offsets grow by the number of copies.
    pub(super) interleaved: EntitySet<Value>,
    /// Values that the work-group function computes.
    pub(super) group: EntitySet<Value>,
    /// Loads that nothing disturbs in their regions and that all work-items do.
    pub(super) steady: EntitySet<Value>,
    /// Loads of what nothing writes while the kernel runs.
    pub(super) invariant: EntitySet<Value>,
    /// Instructions that every work-item executes that executes the region.
    pub(super) certain: SecondaryMap<Block, bool>,
    /// Entries of regions whose bodies load what the group could load once: see [`Finder::leave_loads`].
    pub(super) keeps_loads: EntitySet<Block>,
}

impl StorageMap {
    pub(super) fn of(&self, v: Value) -> Storage {
        self.values[v].unwrap_or(Storage::None)
    }
}

/// Chooses the storage of each value. `variables` gets a slot for each value that lives in the work-group function.
pub(super) fn find(
    module: &Module,
    p: &Prepared,
    plan: &Regions,
    facts: &Analyses,
    scratch: &mut Scratch,
    out: &mut Function,
) -> StorageMap {
    let mut f = Finder {
        p,
        plan,
        facts,
        storage: StorageMap {
            values: SecondaryMap::new(),
            slots: SecondaryMap::new(),
            end: Offset::default(),
            interleaved: EntitySet::new(),
            group: EntitySet::new(),
            steady: EntitySet::new(),
            invariant: EntitySet::new(),
            certain: SecondaryMap::new(),
            keeps_loads: EntitySet::new(),
        },
        crossing: Vec::new(),
        arrays: Vec::new(),
        class: SecondaryMap::new(),
    };
    let alias = Alias::new(&p.func, &facts.info.cfg);
    let query = AliasQuery { alias: &alias, func: &p.func, globals: &module.globals };
    f.find_invariant(&query);
    if plan.mode == Mode::Static {
        f.find_certain();
        f.find_steady(&query);
        f.find_group();
        f.leave_loads();
    }
    f.find_crossing();
    f.settle(scratch, out);
    if plan.mode == Mode::Static {
        f.join();
    }
    f.place(scratch);
    f.find_slots(scratch);
    f.storage.end = scratch.used;
    f.storage
}

/// The choice of storage.
pub(super) struct Finder<'a> {
    pub(super) p: &'a Prepared,
    pub(super) plan: &'a Regions,
    pub(super) facts: &'a Analyses,
    pub(super) storage: StorageMap,
    /// Values that regions need from others, with a region's entry.
    pub(super) crossing: Vec<(Value, Block)>,
    /// Values that get arrays, in the order in which they were found.
    pub(super) arrays: Vec<Value>,
    /// The value whose array a value shares; itself if none.
    pub(super) class: SecondaryMap<Value, Option<Value>>,
}

impl Finder<'_> {
    pub(super) fn func(&self) -> &Function {
        &self.p.func
    }

    fn find_certain(&mut self) {
        for r in &self.plan.regions {
            for &b in &r.blocks {
                self.storage.certain[b] = self.facts.post.dominates(b, r.entry);
            }
        }
    }

    /// What the kernel's parameters say of its loads is written on the loads: the parameters go.
    fn find_invariant(&mut self, query: &AliasQuery<'_>) {
        let func = &self.p.func;
        for &b in self.facts.info.cfg.rpo() {
            for i in func.layout.insts(b).filter(|&i| func.dfg.op(i) == Opcode::Load) {
                if !func.dfg.insts[i].flags.has(Flags::VOLATILE) && query.is_invariant(func.dfg.arg(i, 0)) {
                    self.storage.invariant.insert(func.dfg.res(i));
                }
            }
        }
    }

    /// Loads of which the region writes nothing that they could read.
    fn find_steady(&mut self, query: &AliasQuery<'_>) {
        let func = &self.p.func;
        for r in &self.plan.regions {
            let mut loads: Vec<Inst> = Vec::new();
            let mut writes: Vec<Clobber> = Vec::new();
            for &b in &r.blocks {
                for i in func.layout.insts(b) {
                    if func.dfg.op(i) == Opcode::Load && self.storage.certain[b] {
                        loads.push(i);
                    } else if self.p.cut[b].expand() != Some(i) {
                        match query.clobber(i) {
                            Clobber::None => {}
                            c => writes.push(c),
                        }
                    }
                }
            }
            if loads.len().saturating_mul(writes.len()) > MAX_QUERIES {
                continue;
            }
            for i in loads {
                let data = &func.dfg.insts[i];
                let space = func.dfg.ty(func.dfg.arg(i, 0)).space();
                if data.flags.has(Flags::VOLATILE) || matches!(space, Some(AddrSpace::Private)) {
                    continue;
                }
                let Some(at) = Location::accessed(func, i) else { continue };
                let place = query.place(at);
                let known = data.flags.has(Flags::INVARIANT) || self.storage.invariant.contains(func.dfg.res(i));
                let steady = known || !writes.iter().any(|w| query.is_clobbered(w, &place));
                if steady {
                    self.storage.steady.insert(func.dfg.res(i));
                }
            }
        }
    }

    /// What the work-group function can compute: assumes everything uniform, then takes back.
    fn find_group(&mut self) {
        let func = &self.p.func;
        let cfg = &self.facts.info.cfg;
        for &b in cfg.rpo() {
            for &v in func.dfg.params(b) {
                if b == cfg.entry() || self.plan.led_by[b].is_some() && self.facts.uniform.is_uniform(v) {
                    self.storage.group.insert(v);
                }
            }
            for i in func.layout.insts(b) {
                if let Some(v) = func.dfg.result(i).filter(|&v| self.facts.uniform.is_uniform(v)) {
                    self.storage.group.insert(v);
                }
            }
        }
        loop {
            let mut changed = false;
            for &b in cfg.rpo() {
                if b != cfg.entry() && self.plan.led_by[b].is_some() {
                    changed |= self.check_params(b);
                }
                for i in func.layout.insts(b) {
                    let Some(v) = func.dfg.result(i).filter(|&v| self.storage.group.contains(v)) else { continue };
                    if !self.is_group_inst(b, i, v) {
                        self.storage.group.remove(v);
                        changed = true;
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn is_group(&self, v: Value) -> bool {
        match self.func().dfg.def(v) {
            ValueDef::Const(ConstKind::Slot(_)) => false,
            ValueDef::Const(_) => true,
            _ => self.storage.group.contains(v),
        }
    }

    fn is_group_inst(&self, b: Block, i: Inst, v: Value) -> bool {
        let data = &self.func().dfg.insts[i];
        // A barrier's count of work-items.
        if self.p.cut[b].expand() == Some(i) {
            return true;
        }
        let movable = data.is_pure() && (data.op.is_cheap() || data.op == Opcode::Special || self.storage.certain[b])
            || self.storage.steady.contains(v);
        movable && self.func().dfg.args(i).iter().all(|&a| self.is_group(a))
    }

    /// Parameters of an entry: each branch to it must be its region's only one, taken by all.
    fn check_params(&mut self, entry: Block) -> bool {
        let mut changed = false;
        for n in 0..self.func().dfg.params(entry).len() {
            let v = self.func().dfg.params(entry)[n];
            if !self.storage.group.contains(v) {
                continue;
            }
            let holds = self.plan.regions.iter().all(|r| match &r.end {
                End::Leader(to, edges) if *to == entry => match edges[..] {
                    [(b, k)] => {
                        let t = self.func().layout.terminator(b);
                        self.is_group(self.func().dfg.branch_args(t, k)[n])
                    }
                    _ => false,
                },
                _ => true,
            });
            if !holds {
                self.storage.group.remove(v);
                changed = true;
            }
        }
        changed
    }

    fn find_crossing(&mut self) {
        let entry = self.facts.info.cfg.entry();
        for r in &self.plan.regions {
            if r.entry == entry {
                continue;
            }
            let live = self.facts.live.live_in(r.entry).iter().chain(self.p.func.dfg.params(r.entry));
            for &v in live {
                if !matches!(self.p.func.dfg.def(v), ValueDef::Param(b, _) if b == entry) {
                    self.crossing.push((v, r.entry));
                }
            }
        }
    }

    /// Decides about each value that crosses.
    fn settle(&mut self, scratch: &mut Scratch, out: &mut Function) {
        let mut next = 0;
        while let Some(&(v, at)) = self.crossing.get(next) {
            next += 1;
            let ty = self.func().dfg.ty(v);
            let uneven = self.plan.mode == Mode::Dynamic
                || self.facts.uniform.is_divergent_at(self.func(), &self.facts.info.loops, v, at);
            match self.storage.of(v) {
                Storage::None => {}
                // Another entry sees it after a loop that work-items leave in different iterations.
                Storage::Uniform(_) if uneven => {
                    self.storage.values[v] = Some(Storage::PerItem(Offset::default()));
                    self.arrays.push(v);
                    continue;
                }
                _ => continue,
            }
            let chosen = if self.storage.group.contains(v) {
                let bytes = memory_type(ty).bytes();
                Storage::Group(out.slots.push(ir::SlotData {
                    size: bytes,
                    align: bytes.next_power_of_two().min(64),
                    dims: Default::default(),
                    name: String::new(),
                }))
            } else if self.rematerialisation_cost(v).is_some() {
                let mut leaves = Vec::new();
                self.mark_tree(v, &mut leaves);
                self.crossing.extend(leaves.into_iter().map(|l| (l, at)));
                Storage::Rematerialised
            } else if uneven {
                self.arrays.push(v);
                Storage::PerItem(Offset::default())
            } else {
                Storage::Uniform(scratch.take(u64::from(memory_type(ty).bytes())))
            };
            self.storage.values[v] = Some(chosen);
        }
    }

    // ---- values that are computed again -----------------------------------------------------------------------------

    /// Instructions that it takes to compute a value again from what every region has; `None` if too many or
    /// impossible.
    fn rematerialisation_cost(&self, v: Value) -> Option<u32> {
        let mut count = 0;
        let mut stack = vec![v];
        while let Some(v) = stack.pop() {
            let i = match self.func().dfg.def(v) {
                ValueDef::Const(_) => continue,
                ValueDef::Param(b, _) if b == self.facts.info.cfg.entry() => continue,
                _ if count > 0 && self.storage.group.contains(v) => continue,
                ValueDef::Inst(i) => i,
                _ => return None,
            };
            let data = &self.func().dfg.insts[i];
            let allowed = data.is_pure() && (data.op.is_cheap() || data.op == Opcode::Special);
            count += 1;
            if !allowed || count > MAX_REMATERIALISED {
                return None;
            }
            stack.extend_from_slice(self.func().dfg.args(i));
        }
        Some(count)
    }

    /// Everything from which `v` is computed again can be, too; collects values of the work-group function among it.
    fn mark_tree(&mut self, v: Value, out: &mut Vec<Value>) {
        let Some(i) = self.func().dfg.def_inst(v) else { return };
        for a in self.func().dfg.args(i).to_vec() {
            if self.storage.group.contains(a) {
                if !matches!(self.func().dfg.def(a), ValueDef::Param(b, _) if b == self.facts.info.cfg.entry()) {
                    out.push(a);
                }
            } else if self.func().dfg.def_inst(a).is_some() {
                self.storage.values[a] = Some(Storage::Rematerialised);
                self.mark_tree(a, out);
            }
        }
    }
}
