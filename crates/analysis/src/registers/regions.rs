//! Straight-line code out of blocks, as the assembler schedules it: short branches are predicated, blocks in a row are
//! one, what is uniform is copied where instructions need it in registers, small counted loops are unrolled.

use super::machine::{Machine, Op, Reg, Regs};
use super::unroll;
use crate::{Cfg, Liveness, LoopForest};
use cranelift_entity::SecondaryMap;
use ir::{Block, Inst, Opcode, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Arms of a branch with so many instructions at most are predicated.
const PREDICATED: usize = 8;

/// Straight-line code with a numbering of its own.
#[derive(Clone, Debug, Default)]
pub(super) struct Region {
    /// In the order of the program.
    pub ops: Vec<Op>,
    /// What is read behind it.
    pub out: Vec<Reg>,
    /// For each register 1, for each predicate 0.
    pub sizes: Vec<u8>,
    /// Its blocks; the first is where it is entered.
    pub blocks: Vec<Block>,
    /// The terminator of the last block.
    pub end: Option<Inst>,
}

impl Region {
    /// A register or predicate more.
    pub(super) fn new_reg(&mut self, size: u8) -> Reg {
        self.sizes.push(size);
        self.sizes.len() as Reg - 1
    }
}

/// The number of a function's register in one region.
#[derive(Default)]
pub(super) struct Numbers {
    /// The region, from 1, that a register was last seen in, and its number there.
    of: Vec<(u32, Reg)>,
    region: u32,
}

impl Numbers {
    /// The numbers of a value's registers in `region`.
    pub(super) fn local(&mut self, m: &Machine<'_>, region: &mut Region, regs: &[Reg]) -> Regs {
        regs.iter()
            .map(|&r| {
                let (seen, number) = self.of[r as usize];
                if seen == self.region {
                    return number;
                }
                let number = region.new_reg(m.size(r));
                self.of[r as usize] = (self.region, number);
                number
            })
            .collect()
    }
}

/// The regions of a function.
///
/// With `again`, values of one cheap instruction are computed where they are read from what lives anyway.
pub(super) fn regions(m: &Machine<'_>, cfg: &Cfg, live: &Liveness, loops: &LoopForest, again: bool) -> Vec<Region> {
    let mut taken: SecondaryMap<Block, bool> = SecondaryMap::new();
    let mut numbers = Numbers { of: vec![(0, 0); m.len()], region: 0 };
    let mut out = Vec::new();
    for &b in cfg.rpo() {
        if taken[b] {
            continue;
        }
        let mut r = Former { m, cfg, region: Region::default(), ends: Vec::new() }.form(b, &mut taken);
        numbers.region += 1;
        let ends = std::mem::take(&mut r.ends);
        let mut region = r.region;
        let cheap = if again { compute_again(m, &mut region, live.live_in(b)) } else { FxHashSet::default() };
        renumber(m, &mut region, &mut numbers);
        let kept = |v: &&Value| !cheap.contains(&m.func.dfg.resolve(**v));
        for &v in ends.iter().flat_map(|&e| live.live_out(e)).filter(kept) {
            let regs = numbers.local(m, &mut region, m.regs(v));
            region.out.extend(regs);
        }
        region.out.sort_unstable();
        region.out.dedup();
        copy_uniform(m, &mut region, loops.depth(b) > 0);
        unroll::unroll(m, cfg, &mut region, &mut numbers);
        out.push(region);
    }
    out
}

/// Values that live where the region is entered and cost one instruction from others that do: they are computed before
/// they are first read, and do not live through it.
fn compute_again(m: &Machine<'_>, region: &mut Region, live: &[Value]) -> FxHashSet<Value> {
    let dfg = &m.func.dfg;
    let mut values: Vec<Value> = live.iter().map(|&v| dfg.resolve(v)).collect();
    values.sort_unstable();
    values.dedup();
    let mut kept: FxHashSet<Reg> = FxHashSet::default();
    let mut cheap: Vec<(Value, Op)> = Vec::new();
    for &v in &values {
        let own = m.regs(v);
        match m.cheap(v) {
            Some(op) if op.uses.iter().all(|u| !own.contains(u) && kept.contains(u)) => cheap.push((v, op)),
            _ => kept.extend(own),
        }
    }
    cheap.retain(|(_, op)| !op.defs.iter().any(|d| kept.contains(d)));
    let found = cheap.iter().map(|&(v, _)| v).collect();
    insert_before_readers(region, cheap.into_iter().map(|(_, op)| op));
    found
}

/// Puts instructions in front of the first that read their results; those whose results nobody reads go.
fn insert_before_readers(region: &mut Region, inserted: impl Iterator<Item = Op>) {
    let mut first: FxHashMap<Reg, usize> = FxHashMap::default();
    for (at, op) in region.ops.iter().enumerate() {
        for &u in &op.uses {
            first.entry(u).or_insert(at);
        }
    }
    let place = |op: Op| Some((op.defs.iter().filter_map(|d| first.get(d)).min().copied()?, op));
    let mut placed: Vec<(usize, Op)> = inserted.filter_map(place).collect();
    placed.sort_by_key(|p| p.0);
    let mut placed = placed.into_iter().peekable();
    let mut ops = Vec::with_capacity(region.ops.len() + placed.len());
    for (at, op) in std::mem::take(&mut region.ops).into_iter().enumerate() {
        while let Some((_, again)) = placed.next_if(|p| p.0 == at) {
            ops.push(again);
        }
        ops.push(op);
    }
    region.ops = ops;
}

/// Gives registers the numbers of the region.
fn renumber(m: &Machine<'_>, region: &mut Region, numbers: &mut Numbers) {
    let mut ops = std::mem::take(&mut region.ops);
    for op in &mut ops {
        op.uses = numbers.local(m, region, &op.uses);
        op.stored = numbers.local(m, region, &op.stored);
        op.defs = numbers.local(m, region, &op.defs);
    }
    region.ops = ops;
}

/// Copies what instructions need in registers: in loops what is not constant stays in them all the time.
fn copy_uniform(m: &Machine<'_>, region: &mut Region, in_loop: bool) {
    let mut found: Vec<(Value, Regs)> = Vec::new();
    let mut ops = std::mem::take(&mut region.ops);
    for op in &mut ops {
        for v in std::mem::take(&mut op.needs) {
            let known = found.iter().find(|f| f.0 == v).map(|f| f.1.clone());
            let regs = known.unwrap_or_else(|| {
                let (count, size) = m.words(v);
                let regs: Regs = (0..count).map(|_| region.new_reg(size)).collect();
                found.push((v, regs.clone()));
                regs
            });
            op.uses.extend(regs);
        }
    }
    for (v, defs) in found.into_iter().rev() {
        if in_loop && !m.is_constant(v) {
            region.out.extend(defs);
        } else {
            region.ops.push(Op { defs, latency: m.copying(v), ..Op::default() });
        }
    }
    region.ops.append(&mut ops);
}

/// A region that grows.
struct Former<'a, 'f> {
    m: &'a Machine<'f>,
    cfg: &'a Cfg,
    region: Region,
    /// Blocks behind which others follow.
    ends: Vec<Block>,
}

impl Former<'_, '_> {
    fn form(mut self, head: Block, taken: &mut SecondaryMap<Block, bool>) -> Self {
        let func = self.m.func;
        self.ends.push(head);
        self.take(head, &[], taken);
        let mut last = head;
        while let Some(next) = self.next(head, last, taken) {
            self.take(next, &[], taken);
            last = next;
            self.ends = vec![next];
        }
        let end = func.layout.terminator(last);
        self.region.ops.extend(self.m.op(end));
        self.region.end = Some(end);
        self
    }

    /// The block that continues the region behind `last`, if one does; arms on the way to it are taken.
    fn next(&mut self, head: Block, last: Block, taken: &mut SecondaryMap<Block, bool>) -> Option<Block> {
        let dfg = &self.m.func.dfg;
        let end = self.m.func.layout.terminator(last);
        let succs: Vec<Block> = dfg.successors(end).collect();
        match (dfg.op(end), &succs[..]) {
            (Opcode::Jump, &[s]) if s != head && self.cfg.single_pred(s).is_some() => {
                self.join(s, &[(end, 0)], &[]);
                Some(s)
            }
            (Opcode::Br, &[x, y]) if x != y => {
                let (arms, to) = self.arms(head, x, y)?;
                let condition = Regs::from_slice(self.m.regs(dfg.arg(end, 0)));
                for &(arm, _) in &arms {
                    self.take(arm, &condition, taken);
                }
                let ways = self.cfg.preds(to).len();
                if ways == 2 && to != head && !taken[to] {
                    let mut edges: Vec<(Inst, usize)> = arms.iter().map(|&(_, e)| (e, 0)).collect();
                    if arms.len() == 1 {
                        edges.push((end, usize::from(to == y)));
                    }
                    self.join(to, &edges, &condition);
                    return Some(to);
                }
                for &(arm, e) in &arms {
                    self.ends.push(arm);
                    self.region.ops.extend(self.m.op(e));
                }
                None
            }
            _ => None,
        }
    }

    /// The arms of a branch to `x` and `y` that are predicated, with their terminators, and where they meet.
    fn arms(&self, head: Block, x: Block, y: Block) -> Option<(Vec<(Block, Inst)>, Block)> {
        let func = self.m.func;
        let arm = |b: Block| {
            let end = func.layout.terminator(b);
            let short = b != head && func.dfg.op(end) == Opcode::Jump && self.is_short(b);
            (short && self.cfg.single_pred(b).is_some()).then(|| (end, func.dfg.successor(end, 0)))
        };
        match (arm(x), arm(y)) {
            (Some((e, s)), Some((f, t))) if s == t => Some((vec![(x, e), (y, f)], s)),
            (Some((e, s)), _) if s == y => Some((vec![(x, e)], s)),
            (_, Some((f, t))) if t == x => Some((vec![(y, f)], t)),
            _ => None,
        }
    }

    fn is_short(&self, b: Block) -> bool {
        let func = self.m.func;
        let plain = |i| !func.dfg.insts[i].is_convergent() && !self.m.is_call(i);
        func.layout.insts(b).all(plain)
            && func.layout.insts(b).filter_map(|i| self.m.op(i)).take(PREDICATED + 1).count() <= PREDICATED
    }

    /// Appends a block but for its terminator; accesses to memory wait for the condition.
    fn take(&mut self, b: Block, condition: &[Reg], taken: &mut SecondaryMap<Block, bool>) {
        let func = self.m.func;
        taken[b] = true;
        self.region.blocks.push(b);
        for i in func.layout.insts(b).filter(|&i| !func.dfg.op(i).is_terminator()) {
            let Some(mut op) = self.m.op(i) else { continue };
            if op.reads | op.writes != 0 {
                op.uses.extend(condition.iter().copied());
                op.uses.sort_unstable();
                op.uses.dedup();
            }
            self.region.ops.push(op);
        }
    }

    /// Gives a block's parameters what comes over the edges, each a terminator and the number of its successor, as a
    /// condition says that is there until then.
    fn join(&mut self, to: Block, edges: &[(Inst, usize)], condition: &[Reg]) {
        let dfg = &self.m.func.dfg;
        for (n, &p) in dfg.params(to).iter().enumerate() {
            let args = edges.iter().flat_map(|&(e, k)| self.m.regs(dfg.branch_args(e, k)[n]));
            let mut uses: Regs = args.chain(condition).copied().collect();
            uses.sort_unstable();
            uses.dedup();
            let defs = Regs::from_slice(self.m.regs(p));
            self.region.ops.push(Op { defs, uses, latency: 1, ..Op::default() });
        }
    }
}
