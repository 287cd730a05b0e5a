//! Global value numbering: one instruction computes what several computed; loads of what is known go.
//!
//! Walks the dominator tree with a table of what has been computed above, in scopes, so an instruction is replaced by
//! an equal one that dominates it. Commutative operands and mirrored comparisons count as equal; promises (no wrap,
//! fast-math) are reduced to what both made.
//!
//! Memory: along with the table goes a list of places whose contents are known from a load or store. What may write
//! to a place takes it off the list; at a merge, everything written between it and its immediate dominator does. A
//! load of a known place is replaced, a store of what is there already goes, and so does, within a block, a store
//! that is overwritten before anyone can read it. Volatile and atomic accesses are never touched.
//!
//! What must hold: verified IR. Limits: [`MAX_KNOWN`] places at a time; at merges [`MAX_BLOCKS`] blocks and
//! [`MAX_WRITES`] writes are looked at before everything is forgotten. Cost: linear in instructions, times at most
//! [`MAX_KNOWN`] comparisons per write.

mod repeated;

use crate::PassContext;
use analysis::{Alias, AliasQuery, AliasResult, Cfg, Clobber, DomTree, Location, Place};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use ir::{Block, Builder, Flags, Function, Global, GlobalData, Inst, Opcode, Payload, Type, Value};
use rustc_hash::FxHasher;
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// Most places whose contents are known at a time.
const MAX_KNOWN: usize = 128;
/// Most blocks between a merge and its dominator that are searched for writes.
const MAX_BLOCKS: usize = 48;
/// Most writes between a merge and its dominator that are compared with what is known.
const MAX_WRITES: usize = 64;
/// Most stores of a block that wait to be overwritten, seen from its end.
const MAX_PENDING: usize = 128;

/// Most chains of the table of what has been computed.
const MAX_CHAINS: usize = 1 << 16;

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    numbered(func, cx, Reach::Dominated)
}

/// Runs the pass, but what memory holds is known only to the end of a block. The newer of the compilers whose loops are followed
/// leaves loads that a condition repeats (`if (a[i] < m) m = a[i];`) until loops are unrolled.
pub fn run_with_loads_of_blocks(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    numbered(func, cx, Reach::Block)
}

/// Runs the pass, but a load that another block repeats stays: the older of the compilers whose loops are followed has both the
/// load that stands in front of a loop since its test was copied there, and the one that left the loop, when it decides.
pub fn run_with_loads_across_blocks(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    numbered(func, cx, Reach::LoadsInBlock)
}

/// Whether two instructions, whose operands have been resolved, compute the same where both are executed; of loads and stores,
/// with the same memory.
pub(crate) fn computes_the_same(func: &Function, a: Inst, b: Inst) -> bool {
    Key::of(func, a) == Key::of(func, b)
}

/// How far what memory holds is known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Where nothing has written to it.
    Dominated,
    /// To the end of a block; what a load there would make equal is left, too ([`repeated`]).
    Block,
    /// To the end of a block.
    LoadsInBlock,
}

fn numbered(func: &mut Function, cx: &mut PassContext<'_>, reach: Reach) -> bool {
    let (cfg, dom) = (cx.cfg(func), cx.dom(func));
    cx.keep_graph();
    let alias = Alias::new(func, &cfg);
    let mut changed = remove_dead_stores(func, &cfg, &alias, &cx.module.globals);
    let mut gvn = Gvn::new(func, &cfg, &dom, &alias, &cx.module.globals, reach);
    gvn.walk();
    changed |= gvn.changed;
    // The walk has met every use after its definition, and resolved it - where it comes at all.
    if gvn.replaced && cfg.has_unreachable() {
        func.resolve_aliases();
    }
    changed
}

/// A table entry: an instruction, and the entry it hides in its chain.
struct Entry {
    hash: u64,
    inst: Inst,
    hidden: u32,
}

/// A place with known contents.
struct Known {
    place: Place,
    ty: Type,
    value: Value,
    /// The contents come from a load with this alignment claim or from a store.
    inst: Inst,
}

const END: u32 = u32::MAX;

struct Gvn<'a> {
    func: &'a mut Function,
    cfg: &'a Cfg,
    dom: &'a DomTree,
    alias: &'a Alias,
    globals: &'a PrimaryMap<Global, GlobalData>,
    /// The last entry of each chain: a power of two of chains, by the hash.
    heads: Vec<u32>,
    entries: Vec<Entry>,
    /// What is known at the block's end, for the blocks below it in the tree.
    ends: SecondaryMap<Block, Option<Rc<[u32]>>>,
    known: Vec<Known>,
    now: SmallVec<[u32; MAX_KNOWN]>,
    reach: Reach,
    own: repeated::OwnExtensions,
    changed: bool,
    replaced: bool,
}

impl<'a> Gvn<'a> {
    fn new(
        func: &'a mut Function,
        cfg: &'a Cfg,
        dom: &'a DomTree,
        alias: &'a Alias,
        globals: &'a PrimaryMap<Global, GlobalData>,
        reach: Reach,
    ) -> Self {
        Self {
            reach,
            own: repeated::OwnExtensions::default(),
            ends: ir::side_table(func.dfg.blocks.len()),
            heads: vec![END; func.dfg.insts.len().next_power_of_two().clamp(16, MAX_CHAINS)],
            entries: Vec::with_capacity(func.dfg.insts.len()),
            func,
            cfg,
            dom,
            alias,
            globals,
            known: Vec::new(),
            now: SmallVec::new(),
            changed: false,
            replaced: false,
        }
    }

    fn walk(&mut self) {
        let dom = self.dom;
        // Number of entries where each open scope began, by depth.
        let mut scopes: Vec<usize> = Vec::new();
        for &b in dom.preorder() {
            let depth = dom.depth(b) as usize;
            if let Some(&mark) = scopes.get(depth) {
                self.close_scope(mark);
                scopes.truncate(depth);
            }
            scopes.push(self.entries.len());
            self.enter(b);
            let mut next = self.func.layout.first_inst(b);
            while let Some(i) = next {
                next = self.func.layout.next_inst(i);
                let own = self.reach == Reach::Block && self.own.reach(self.func, i);
                self.func.dfg.resolve_inst(i);
                self.inst(i, own);
            }
            let has_children = self.reach == Reach::Dominated && dom.subtree(b).len() > 1;
            self.ends[b] = has_children.then(|| self.now.as_slice().into());
        }
    }

    fn close_scope(&mut self, mark: usize) {
        while self.entries.len() > mark {
            let Some(e) = self.entries.pop() else { return };
            let chain = self.chain(e.hash);
            self.heads[chain] = e.hidden;
        }
    }

    /// The chain in which entries with this hash stand.
    fn chain(&self, hash: u64) -> usize {
        hash as usize & (self.heads.len() - 1)
    }

    fn query(&self) -> AliasQuery<'_> {
        AliasQuery { alias: self.alias, func: self.func, globals: self.globals }
    }

    /// What is known where `b` begins: what was at the end of its dominator, less what is written in between.
    fn enter(&mut self, b: Block) {
        self.now.clear();
        let Some(d) = self.dom.idom(b) else { return };
        let Some(end) = self.ends[d].clone() else { return };
        self.now.extend_from_slice(&end);
        if self.now.is_empty() || self.cfg.single_pred(b).is_some_and(|e| e.from == d) {
            return;
        }
        match self.writes_between(d, b) {
            Some(writes) => writes.into_iter().for_each(|i| self.forget(i)),
            None => self.now.clear(),
        }
    }

    /// Everything that may write on a way from the end of `d` to the start of `b`.
    fn writes_between(&self, d: Block, b: Block) -> Option<SmallVec<[Inst; 16]>> {
        let mut seen: SmallVec<[Block; 16]> = SmallVec::new();
        let mut stack: SmallVec<[Block; 16]> = self.cfg.preds(b).iter().map(|e| e.from).collect();
        let mut writes = SmallVec::new();
        while let Some(x) = stack.pop() {
            if x == d || seen.contains(&x) {
                continue;
            }
            seen.push(x);
            if seen.len() > MAX_BLOCKS {
                return None;
            }
            for i in self.func.layout.insts(x) {
                if self.func.dfg.insts[i].has_side_effects() && !self.func.dfg.op(i).is_terminator() {
                    writes.push(i);
                }
            }
            if writes.len() > MAX_WRITES {
                return None;
            }
            stack.extend(self.cfg.preds(x).iter().map(|e| e.from));
        }
        Some(writes)
    }

    fn forget(&mut self, inst: Inst) {
        if self.now.is_empty() {
            return;
        }
        let q = AliasQuery { alias: self.alias, func: self.func, globals: self.globals };
        let c = q.clobber(inst);
        if !matches!(c, Clobber::None) {
            let known = &self.known;
            self.now.retain(|&mut k| !q.is_clobbered(&c, &known[k as usize].place));
        }
    }

    /// A store to `place` changes what overlaps it.
    fn overwrite(&mut self, place: &Place) {
        let q = AliasQuery { alias: self.alias, func: self.func, globals: self.globals };
        let known = &self.known;
        self.now.retain(|&mut k| {
            let other = &known[k as usize].place;
            other.is_invariant() || q.alias_places(place, other) == AliasResult::No
        });
    }

    fn inst(&mut self, i: Inst, own: bool) {
        let data = &self.func.dfg.insts[i];
        match data.op {
            Opcode::Load if !data.flags.has(Flags::VOLATILE) => self.load(i, own),
            Opcode::Store => self.store(i),
            _ if data.is_pure() && !data.ty.is_void() => self.pure(i),
            _ if data.has_side_effects() && !data.op.is_terminator() => self.forget(i),
            _ => {}
        }
    }

    fn replace(&mut self, i: Inst, by: Value) {
        let old = self.func.dfg.res(i);
        self.func.dfg.replace_value(old, by);
        self.func.layout.remove_inst(i);
        self.changed = true;
        self.replaced = true;
    }

    // ---- pure instructions --------------------------------------------------------------------------------------

    fn pure(&mut self, i: Inst) {
        if let Some(same) = self.find_or_insert(i) {
            // Equal keys have equal meaning flags, so what both have includes those.
            let flags = self.func.dfg.insts[same].flags.common(self.func.dfg.insts[i].flags);
            self.func.dfg.insts[same].flags = flags;
            let v = self.func.dfg.res(same);
            if self.reach == Reach::Block {
                self.own.merged(self.func, i);
            }
            self.replace(i, v);
        }
    }

    /// An equal instruction above, or none; then `i` is in the table.
    fn find_or_insert(&mut self, i: Inst) -> Option<Inst> {
        let key = Key::of(self.func, i);
        let hash = key.hash();
        let chain = self.chain(hash);
        let head = self.heads[chain];
        let mut at = head;
        while at != END {
            let e = &self.entries[at as usize];
            if e.hash == hash && Key::of(self.func, e.inst) == key {
                return Some(e.inst);
            }
            at = e.hidden;
        }
        self.heads[chain] = self.entries.len() as u32;
        self.entries.push(Entry { hash, inst: i, hidden: head });
        None
    }

    // ---- memory -------------------------------------------------------------------------------------------------

    fn load(&mut self, i: Inst, own: bool) {
        let ty = self.func.dfg.insts[i].ty;
        let ptr = self.func.dfg.arg(i, 0);
        let place = self.query().place(Location::of(ptr, ty));
        if self.func.dfg.insts[i].flags.has(Flags::INVARIANT) || place.is_invariant() {
            // Nobody writes it: as good as a pure instruction, and back ends may read it through other caches.
            self.changed |= !self.func.dfg.insts[i].flags.has(Flags::INVARIANT);
            self.func.dfg.insts[i].flags = self.func.dfg.insts[i].flags.with(Flags::INVARIANT);
            let same = if self.reach == Reach::Dominated { self.find_or_insert(i) } else { None };
            if let Some(same) = same {
                self.strengthen(same, i);
                let v = self.func.dfg.res(same);
                return self.replace(i, v);
            }
            if self.reach == Reach::Dominated {
                return;
            }
        }
        if let Some((k, v)) = self.lookup(&place, ty, i) {
            let from = self.known[k as usize].inst;
            if self.reach == Reach::Block && self.stays_for_now(i, own, from) {
                return;
            }
            if self.func.dfg.op(from) == Opcode::Load {
                self.strengthen(from, i);
            }
            return self.replace(i, v);
        }
        let value = self.func.dfg.res(i);
        self.learn(Known { place, ty, value, inst: i });
    }

    /// The remaining of two loads of one address may claim the better alignment: both claims are true.
    fn strengthen(&mut self, kept: Inst, gone: Inst) {
        let (Some(a), Some(b)) = (self.func.dfg.insts[kept].mem(), self.func.dfg.insts[gone].mem()) else { return };
        // Elsewhere the claim may hold only under a condition.
        if self.func.layout.inst_block(kept) != self.func.layout.inst_block(gone) {
            return;
        }
        if b.align_log2 > a.align_log2 {
            self.func.dfg.insts[kept].payload = Payload::Mem(ir::MemInfo { align_log2: b.align_log2, ..a });
        }
    }

    /// What is known to be at `place`, as a `ty`.
    fn lookup(&mut self, place: &Place, ty: Type, before: Inst) -> Option<(u32, Value)> {
        for n in (0..self.now.len()).rev() {
            let k = self.now[n];
            let known = &self.known[k as usize];
            let Some(d) = place.minus(&known.place) else { continue };
            let value = self.func.dfg.resolve(known.value);
            let have = known.ty;
            if d == 0 && have == ty {
                return Some((k, value));
            }
            // The same bits, read as another type.
            let castable = |t: Type| !t.is_ptr() && t.scalar() != Type::I1;
            if d == 0 && have.bytes() == ty.bytes() && castable(have) && castable(ty) {
                return Some((
                    k,
                    Builder::before(self.func, before).value(Opcode::Bitcast, ty, Flags::NONE, &[value], Payload::None),
                ));
            }
            // One lane of a vector.
            let size = i64::from(ty.bytes());
            if have.is_vector() && have.scalar() == ty && d >= 0 && d % size == 0 && d / size < i64::from(have.lanes())
            {
                let lane = Payload::Lane((d / size) as u8);
                return Some((
                    k,
                    Builder::before(self.func, before).value(Opcode::Extract, ty, Flags::NONE, &[value], lane),
                ));
            }
        }
        None
    }

    fn store(&mut self, i: Inst) {
        let args = self.func.dfg.args(i);
        let (ptr, value) = (args[0], args[1]);
        let ty = self.func.dfg.ty(value);
        let place = self.query().place(Location::of(ptr, ty));
        let volatile = self.func.dfg.insts[i].flags.has(Flags::VOLATILE);
        if !volatile && self.holds(&place, ty, value) {
            self.func.layout.remove_inst(i);
            self.changed = true;
            return;
        }
        self.overwrite(&place);
        // What a store narrower than its type leaves in memory is not the value: `i1` takes a byte of it.
        if !volatile && ty.scalar() != Type::I1 {
            self.learn(Known { place, ty, value, inst: i });
        }
    }

    /// Whether `place` is known to hold `value` already.
    fn holds(&self, place: &Place, ty: Type, value: Value) -> bool {
        self.now.iter().any(|&k| {
            let known = &self.known[k as usize];
            known.ty == ty && self.func.dfg.resolve(known.value) == value && place.minus(&known.place) == Some(0)
        })
    }

    fn learn(&mut self, k: Known) {
        if self.now.len() == MAX_KNOWN {
            self.now.remove(0);
        }
        self.now.push(self.known.len() as u32);
        self.known.push(k);
    }
}

/// Flags that are part of what an instruction computes.
const MEANING: Flags = Flags::FTZ.with(Flags::SAT).with(Flags::VOLATILE).with(Flags::INVARIANT);

/// What an instruction computes, made canonical.
#[derive(PartialEq, Eq)]
struct Key {
    op: Opcode,
    ty: Type,
    flags: u16,
    payload: [u8; 16],
    args: SmallVec<[Value; 4]>,
}

impl Key {
    /// Of an instruction whose operands are resolved.
    fn of(func: &Function, i: Inst) -> Self {
        let data = &func.dfg.insts[i];
        let mut args: SmallVec<[Value; 4]> = SmallVec::from_slice(func.dfg.args(i));
        let mut payload = [0; 16];
        let swap = args.len() == 2 && args[0] > args[1];
        match data.payload {
            Payload::IntCC(cc) => {
                payload[0] = 1 + (if swap { cc.swapped() } else { cc }) as u8;
                if swap {
                    args.swap(0, 1);
                }
            }
            Payload::FloatCC(cc) => {
                payload[0] = 1 + (if swap { cc.swapped() } else { cc }) as u8;
                if swap {
                    args.swap(0, 1);
                }
            }
            Payload::Round(r) => payload[0] = 1 + r as u8,
            Payload::Lane(l) => payload[0] = 1 + l,
            Payload::Intrinsic(x) => payload[0] = 1 + x as u8,
            Payload::Special(r) => payload[0] = 1 + r as u8,
            Payload::Mem(m) => payload[0] = 1 + m.cache as u8,
            Payload::Shuffle(mask) => payload = mask,
            Payload::Call(f) => payload[..4].copy_from_slice(&f.as_u32().to_ne_bytes()),
            _ => {}
        }
        if data.op.is_commutative() && swap {
            args.swap(0, 1);
        }
        if data.op == Opcode::Fma && args[0] > args[1] {
            args.swap(0, 1);
        }
        Self { op: data.op, ty: data.ty, flags: data.flags.common(MEANING).bits(), payload, args }
    }

    /// Word by word: byte by byte, as derived, it costs as much as all the rest of a look-up.
    fn hash(&self) -> u64 {
        let mut h = FxHasher::default();
        (self.op, self.ty, self.flags).hash(&mut h);
        h.write_u128(u128::from_ne_bytes(self.payload));
        self.args.iter().for_each(|v| h.write_u32(v.as_u32()));
        h.finish()
    }
}

// ---- dead stores ------------------------------------------------------------------------------------------------

/// Removes, in each block, stores that a later store of the block covers with no reader in between. Whether there were
/// any.
fn remove_dead_stores(func: &mut Function, cfg: &Cfg, alias: &Alias, globals: &PrimaryMap<Global, GlobalData>) -> bool {
    let mut dead: Vec<Inst> = Vec::new();
    let q = AliasQuery { alias, func, globals };
    for &b in cfg.rpo() {
        // One store alone is not overwritten.
        if func.layout.insts(b).filter(|&i| func.dfg.op(i) == Opcode::Store).nth(1).is_some() {
            dead_stores_of(&q, b, &mut dead);
        }
    }
    for &i in &dead {
        func.layout.remove_inst(i);
    }
    !dead.is_empty()
}

fn dead_stores_of(q: &AliasQuery<'_>, b: Block, dead: &mut Vec<Inst>) {
    // Later stores that nobody has read yet, walking backwards.
    let mut pending: SmallVec<[Place; 8]> = SmallVec::new();
    for i in q.func.layout.insts_rev(b) {
        let data = &q.func.dfg.insts[i];
        if data.op == Opcode::Store {
            let Some(at) = Location::accessed(q.func, i) else { continue };
            let place = q.place(at);
            if data.flags.has(Flags::VOLATILE) {
                continue;
            }
            if pending.iter().any(|p| p.covers(&place)) {
                dead.push(i);
            } else if pending.len() < MAX_PENDING {
                pending.push(place);
            }
        } else if !pending.is_empty() {
            match q.reads(i) {
                Clobber::None => {}
                read => pending.retain(|p| !q.touches(&read, p)),
            }
        }
    }
}
