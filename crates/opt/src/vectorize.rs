//! Vector memory accesses: neighbouring scalar loads or stores of a block become one access of 2, 4, 8 or 16 lanes.
//!
//! Accesses are neighbours if their addresses are the same sum plus constants that follow each other. The whole must
//! be aligned to its size, provably: by what the lowest access claims, or from the alignments of the base (a
//! parameter's attribute, a variable) and of every term. Nothing is assumed of a plain pointer. A vector load stands
//! where its first load stood, if nothing in between may write there; a vector store where its last store stood, if
//! nothing in between may touch what is stored, where the groups found before will stand. Loads of a group's words are left to an
//! assembler that joins them itself ([`Target::has_group_load_joining`]).
//!
//! Where work-items share vectors ([`Target::has_record_rows`]) it is *records* whose accesses become one: all terms of the address are
//! multiples of at least the whole, as with the fields of structures in an array, one for each work-item. Vectors of lanes are then put
//! together from neighbouring rows once, not once for each field, and a field's row is not read right behind a part of it was written,
//! which waits for the memory. Alignment does not matter there.
//!
//! What must hold: verified IR, addresses simplified. Runs after unrolling and strength reduction. Limits:
//! [`MAX_ACCESSES`] accesses per block, [`MAX_BYTES`] bytes per access, twice as many for records of doubles. Cost: accesses of a block, sorted, times the
//! memory operations between them.

use crate::PassContext;
use crate::known::Known;
use analysis::address::Term;
use analysis::{Address, Alias, AliasQuery, Cfg, Clobber, Location};
use cranelift_entity::PrimaryMap;
use ir::{
    AddrSpace, Block, Builder, ConstKind, Flags, Function, Global, GlobalData, Inst, MemInfo, Opcode, Payload, Type,
    Value, ValueDef,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::OnceCell;
use target::Target;

/// Widest access in bytes.
const MAX_BYTES: u32 = 16;
/// Most accesses of one block that are compared.
const MAX_ACCESSES: usize = 1024;
/// Most merges and casts that the alignment of a pointer is traced through.
const MAX_WALK: u32 = 3;

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let cfg = cx.cfg(func);
    cx.keep_graph();
    let alias = OnceCell::new();
    let mut changed = false;
    for &b in cfg.rpo() {
        let found = groups(func, &cfg, &alias, cx, b);
        for g in &found {
            if g.is_store {
                store(func, g)
            } else {
                load(func, g)
            }
            changed = true;
        }
    }
    if changed {
        func.resolve_aliases();
    }
    changed
}

/// What neighbours have in common.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    base: Value,
    terms: SmallVec<[Term; 4]>,
    ptr: Type,
    elem: Type,
    cache: ir::CacheOp,
    flags: u16,
    is_store: bool,
}

/// A scalar access.
#[derive(Clone, Copy)]
struct Access {
    inst: Inst,
    offset: i64,
    /// Position in the block.
    at: u32,
}

/// Accesses that become one, from the lowest address.
struct Group {
    members: SmallVec<[Access; 16]>,
    elem: Type,
    is_store: bool,
    flags: Flags,
    mem: MemInfo,
}

/// A memory operation of the block.
struct Effect {
    /// Position in the block, of what became part of a group that of the whole.
    at: u32,
    inst: Inst,
    reads: Clobber,
    writes: Clobber,
}

fn groups(func: &Function, cfg: &Cfg, alias: &OnceCell<Alias>, cx: &PassContext<'_>, b: Block) -> Vec<Group> {
    let mut by_key: FxHashMap<Key, usize> = FxHashMap::default();
    let mut chains: Vec<(Key, Vec<Access>)> = Vec::new();
    for (n, i) in func.layout.insts(b).enumerate() {
        let Some((key, offset)) = key_of(func, i) else { continue };
        if by_key.len() >= MAX_ACCESSES {
            break;
        }
        let slot = *by_key.entry(key.clone()).or_insert_with(|| {
            chains.push((key, Vec::new()));
            chains.len() - 1
        });
        chains[slot].1.push(Access { inst: i, offset, at: n as u32 });
    }
    let left = |key: &Key, c: &[Access]| {
        // Not what the program reads as a whole.
        let piece = |a: &Access| func.dfg.insts[a.inst].flags.has(Flags::PIECE);
        left_to_assembler(cx.options.target, key) && !c.iter().any(piece)
    };
    chains.retain(|(key, c)| (2..=MAX_ACCESSES).contains(&c.len()) && !left(key, c));
    if chains.is_empty() {
        return Vec::new();
    }
    let mut scan = Scan {
        func,
        target: cx.options.target,
        globals: &cx.module.globals,
        alias,
        cfg,
        block: b,
        effects: OnceCell::new(),
    };
    let mut out = Vec::new();
    for (key, mut chain) in chains {
        chain.sort_by_key(|a| (a.offset, a.at));
        scan.split(&key, &chain, &mut out);
    }
    out
}

/// Loads of words that what reads the output joins. Joined here they are fewer instructions, so that NVIDIA's assembler
/// takes a loop that was unrolled already for a small one, and unrolls it again.
fn left_to_assembler(target: Target, key: &Key) -> bool {
    let words = (4..=8).contains(&key.elem.scalar_bytes());
    !key.is_store && words && key.ptr.space() == Some(AddrSpace::Shared) && target.has_group_load_joining()
}

fn key_of(func: &Function, i: Inst) -> Option<(Key, i64)> {
    let data = &func.dfg.insts[i];
    let is_store = data.op == Opcode::Store;
    if !is_store && data.op != Opcode::Load || data.flags.has(Flags::VOLATILE) {
        return None;
    }
    let ptr = func.dfg.arg(i, 0);
    let elem = if is_store { func.dfg.ty(func.dfg.arg(i, 1)) } else { data.ty };
    let space = func.dfg.ty(ptr).space();
    if elem.is_vector() || elem.is_ptr() || elem == Type::I1 || space == Some(AddrSpace::Param) {
        return None;
    }
    let a = Address::of(func, ptr);
    let key = Key {
        base: a.base,
        terms: a.terms,
        ptr: func.dfg.ty(ptr),
        elem,
        cache: data.mem()?.cache,
        flags: data.flags.without(Flags::PIECE).bits(),
        is_store,
    };
    Some((key, a.offset))
}

fn effects(q: &AliasQuery<'_>, b: Block) -> Vec<Effect> {
    let mut out = Vec::new();
    for (n, inst) in q.func.layout.insts(b).enumerate() {
        let (reads, writes) = (q.reads(inst), q.clobber(inst));
        if !matches!((&reads, &writes), (Clobber::None, Clobber::None)) {
            out.push(Effect { at: n as u32, inst, reads, writes });
        }
    }
    out
}

/// A block and the questions about it.
struct Scan<'a> {
    func: &'a Function,
    target: Target,
    globals: &'a PrimaryMap<Global, GlobalData>,
    /// Found when first asked for, once for the function: most functions have no aligned neighbours.
    alias: &'a OnceCell<Alias>,
    cfg: &'a Cfg,
    block: Block,
    /// The block's memory operations, found when first asked for.
    effects: OnceCell<Vec<Effect>>,
}

impl Scan<'_> {
    fn query(&self) -> AliasQuery<'_> {
        let alias = self.alias.get_or_init(|| Alias::new(self.func, self.cfg));
        AliasQuery { alias, func: self.func, globals: self.globals }
    }

    /// Cuts a chain, sorted by offset, into the widest groups that are aligned and safe.
    fn split(&mut self, key: &Key, chain: &[Access], out: &mut Vec<Group>) {
        let size = key.elem.scalar_bytes();
        let mut n = 0;
        while n < chain.len() {
            // Four doubles of a record are told apart by two shuffles each, those of two pairs by three.
            let most = if self.target.has_record_rows() && size == 8 { 2 * MAX_BYTES } else { MAX_BYTES };
            let widths = [16usize, 8, 4, 2].into_iter().filter(|w| *w as u32 * size <= most);
            let group = widths.filter_map(|w| chain.get(n..n + w)).find(|c| self.is_group(key, c));
            let Some(c) = group else {
                n += 1;
                continue;
            };
            self.settle(key, c);
            let bytes = c.len() as u32 * size;
            out.push(Group {
                members: c.into(),
                elem: key.elem,
                is_store: key.is_store,
                flags: self.func.dfg.insts[c[0].inst].flags.without(Flags::PIECE),
                mem: MemInfo { cache: key.cache, ..MemInfo::aligned(bytes.min(self.alignment(key, &c[0]))) },
            });
            n += c.len();
        }
    }

    fn is_group(&self, key: &Key, c: &[Access]) -> bool {
        let size = i64::from(key.elem.scalar_bytes());
        let consecutive = c.windows(2).all(|p| p[1].offset.checked_sub(p[0].offset) == Some(size));
        let bytes = (c.len() as u32).saturating_mul(key.elem.scalar_bytes());
        let fits = match self.target.has_record_rows() {
            true => is_record(key, bytes),
            false => self.alignment(key, &c[0]) >= bytes,
        };
        if !consecutive || !fits {
            return false;
        }
        let q = self.query();
        is_safe(&q, self.effects.get_or_init(|| effects(&q, self.block)), key.is_store, c)
    }

    /// The members of a group that was found count from now on where the whole will stand: of two groups each may be safe,
    /// and both not.
    fn settle(&mut self, key: &Key, c: &[Access]) {
        let Some(effects) = self.effects.get_mut() else { return };
        let (first, last) = ends(c);
        let whole = if key.is_store { last } else { first };
        for e in effects.iter_mut().filter(|e| c.iter().any(|a| a.inst == e.inst)) {
            e.at = whole;
        }
        effects.sort_by_key(|e| e.at);
    }

    /// The alignment in bytes that the lowest access has for sure.
    fn alignment(&self, key: &Key, low: &Access) -> u32 {
        let claimed = self.func.dfg.insts[low.inst].mem().map_or(0, |m| m.align_log2.into());
        let offset = self.offset_zeros(&key.terms, low.offset);
        let proved = self.base_zeros(key.base, 0).min(offset);
        1 << proved.max(claimed).min(31)
    }

    /// Trailing zeros of the variable and constant part of an address.
    fn offset_zeros(&self, terms: &[Term], offset: i64) -> u32 {
        let known = Known::new(self.func, self.target);
        let terms = terms.iter().map(|t| t.coef.trailing_zeros() + known.bits(t.value).trailing_zeros());
        terms.min().unwrap_or(63).min(offset.trailing_zeros())
    }

    /// Trailing zeros of a pointer that is no sum: of variables and parameters as declared, of pointers that walk through
    /// a loop what their start and their steps have.
    fn base_zeros(&self, base: Value, depth: u32) -> u32 {
        let func = self.func;
        match func.dfg.def(base) {
            ValueDef::Const(ConstKind::Global(g)) => self.globals[g].align.trailing_zeros(),
            ValueDef::Const(ConstKind::Slot(s)) => func.slots[s].align.trailing_zeros(),
            ValueDef::Param(b, n) if b == self.cfg.entry() => {
                func.params.get(n as usize).map_or(0, |p| p.attrs.align.max(1).trailing_zeros())
            }
            ValueDef::Param(b, n) if depth < MAX_WALK => {
                let incoming = self.cfg.preds(b).iter().map(|e| {
                    let a = Address::of(func, func.dfg.branch_args(e.inst, e.index as usize)[n as usize]);
                    let own = self.offset_zeros(&a.terms, a.offset);
                    if a.base == base { own } else { own.min(self.base_zeros(a.base, depth + 1)) }
                });
                incoming.min().unwrap_or(0)
            }
            ValueDef::Inst(i) if func.dfg.op(i) == Opcode::AddrSpaceCast && depth < MAX_WALK => {
                let a = Address::of(func, func.dfg.arg(i, 0));
                self.offset_zeros(&a.terms, a.offset).min(self.base_zeros(a.base, depth + 1))
            }
            _ => 0,
        }
    }
}

/// Whether a place of so many bytes stands alone: what varies in the address moves it by as much or more.
fn is_record(key: &Key, bytes: u32) -> bool {
    !key.terms.is_empty() && key.terms.iter().all(|t| t.coef.unsigned_abs() >= bytes.into())
}

/// The first and the last position of accesses.
fn ends(c: &[Access]) -> (u32, u32) {
    let places = || c.iter().map(|a| a.at);
    (places().min().unwrap_or(0), places().max().unwrap_or(0))
}

/// Whether the accesses may all be done where the first load, or the last store, stands.
fn is_safe(q: &AliasQuery<'_>, effects: &[Effect], is_store: bool, c: &[Access]) -> bool {
    let (first, last) = ends(c);
    let from = effects.partition_point(|e| e.at <= first);
    let between = effects[from..].iter().take_while(|e| e.at < last);
    let mut others = between.filter(|e| !c.iter().any(|a| a.inst == e.inst));
    others.all(|e| {
        c.iter().filter(|a| if is_store { a.at < e.at } else { a.at > e.at }).all(|a| {
            let Some(at) = Location::accessed(q.func, a.inst) else { return false };
            let place = q.place(at);
            if is_store {
                !q.touches(&e.reads, &place) && !q.touches(&e.writes, &place)
            } else {
                !q.is_clobbered(&e.writes, &place)
            }
        })
    })
}

fn load(func: &mut Function, g: &Group) {
    let Some(first) = g.members.iter().min_by_key(|a| a.at).copied() else { return };
    let Some(ty) = g.elem.vector(g.members.len() as u8) else { return };
    let ptr = address(func, g, first);
    let v = Builder::before(func, first.inst).value(Opcode::Load, ty, g.flags, &[ptr], Payload::Mem(g.mem));
    for (lane, a) in g.members.iter().enumerate() {
        let lane = Payload::Lane(lane as u8);
        let x = Builder::before(func, first.inst).value(Opcode::Extract, g.elem, Flags::NONE, &[v], lane);
        let old = func.dfg.res(a.inst);
        func.dfg.replace_value(old, x);
    }
    g.members.iter().for_each(|a| func.layout.remove_inst(a.inst));
}

fn store(func: &mut Function, g: &Group) {
    let Some(last) = g.members.iter().max_by_key(|a| a.at).copied() else { return };
    let Some(ty) = g.elem.vector(g.members.len() as u8) else { return };
    let ptr = address(func, g, last);
    let lanes: SmallVec<[Value; 16]> = g.members.iter().map(|a| func.dfg.arg(a.inst, 1)).collect();
    let mut build = Builder::before(func, last.inst);
    let v = build.value(Opcode::VecBuild, ty, Flags::NONE, &lanes, Payload::None);
    build.inst(Opcode::Store, Type::VOID, g.flags, &[ptr, v], Payload::Mem(g.mem));
    g.members.iter().for_each(|a| func.layout.remove_inst(a.inst));
}

/// The address of the lowest member, from that of the one at hand.
fn address(func: &mut Function, g: &Group, from: Access) -> Value {
    let d = g.members[0].offset.wrapping_sub(from.offset);
    let ptr = func.dfg.arg(from.inst, 0);
    if d == 0 {
        return ptr;
    }
    // Without a second addition where the address is a sum already.
    let (ptr, d) = match func.dfg.def_op(ptr, Opcode::PtrAdd) {
        Some(i) => match func.dfg.as_int(func.dfg.arg(i, 1)) {
            Some(c) => (func.dfg.arg(i, 0), d.wrapping_add(c)),
            None => (ptr, d),
        },
        None => (ptr, d),
    };
    if d == 0 {
        return ptr;
    }
    let ty = func.dfg.ty(ptr);
    let d = func.dfg.iconst(Type::I64, d);
    Builder::before(func, from.inst).value(Opcode::PtrAdd, ty, Flags::NONE, &[ptr, d], Payload::None)
}
