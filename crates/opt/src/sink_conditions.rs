//! Comparisons are made where they are asked for, if too many of their answers would be held meanwhile.
//!
//! A GPU's thread has seven registers of one bit. What a loop does not change is compared once, before it, by the passes
//! over loops; a nest of three loops with a test of each index holds so many answers that nothing is left for the
//! conditions of the innermost body: its guarded loads come one after another then, where others are all under way at
//! once. A comparison costs one instruction and needs numbers that are mostly there anyway.
//!
//! So: a comparison whose answer is used in other blocks is made again in front of the first use in each of them, and no
//! longer where it stood, if more than [`HELD`] conditions are held in some block through which its answer goes - or if it
//! just moves, to one block that is executed no oftener. The operands must be there: constants, parameters of a kernel, or
//! values that are used where the block is reached, but for one register of 32 bits. The test of some bits of a number
//! (`(x & 8) != 0`) is one instruction: what is held for it is the number, not what is left of it for each test.
//!
//! What must hold: verified IR. Runs late: loops are to see one value. Limits: [`PLACES`] blocks for a comparison. Cost:
//! that of liveness.

use crate::PassContext;
use analysis::{Liveness, LoopInfo};
use ir::{Block, FnKind, Function, Inst, Opcode, Type, Value, ValueDef};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Most conditions that are held through a block without anything being done about it: half of the registers, so that the
/// other half is for what the block itself asks.
const HELD: usize = 3;

/// Most blocks in which a comparison is made again.
const PLACES: usize = 8;

/// Runs the pass.
pub fn run(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    cx.keep_graph();
    let info = cx.loops(func);
    let held = Held::new(func, &info);
    if held.through.is_empty() {
        return false;
    }
    let mut sink =
        Sink { users: users(func, &info), masks: masks(func, &info), held, info: &info, func, changed: false };
    let order: Vec<Block> = info.cfg.rpo().to_vec();
    for b in order {
        let comparisons: Vec<Inst> = sink.func.layout.insts(b).filter(|&i| is_comparison(sink.func, i)).collect();
        // The last one stands nearest to its uses: what its operands need is least.
        for i in comparisons {
            sink.comparison(b, i);
        }
    }
    sink.changed
}

fn is_comparison(func: &Function, i: Inst) -> bool {
    let data = &func.dfg.insts[i];
    matches!(data.op, Opcode::Icmp | Opcode::Fcmp) && data.ty == Type::I1
}

/// Who uses conditions in other blocks than the one that defines them, and who in the same.
fn users(func: &Function, info: &LoopInfo) -> FxHashMap<Value, SmallVec<[Inst; 4]>> {
    let mut out: FxHashMap<Value, SmallVec<[Inst; 4]>> = FxHashMap::default();
    for &b in info.cfg.rpo() {
        for i in func.layout.insts(b) {
            func.dfg.for_each_use(i, |v| {
                let v = func.dfg.resolve(v);
                if func.dfg.ty(v) == Type::I1 && func.dfg.def_inst(v).is_some_and(|d| is_comparison(func, d)) {
                    out.entry(v).or_default().push(i);
                }
            });
        }
    }
    out
}

/// Numbers of which constant masks are made, by what is left of them, and by how many instructions that is used.
fn masks(func: &Function, info: &LoopInfo) -> FxHashMap<Value, (Inst, u32)> {
    let dfg = &func.dfg;
    let mut out: FxHashMap<Value, (Inst, u32)> = FxHashMap::default();
    for i in info.cfg.rpo().iter().flat_map(|&b| func.layout.insts(b)) {
        dfg.for_each_use(i, |v| {
            let v = dfg.resolve(v);
            let mask = dfg.def_op(v, Opcode::And).filter(|&m| dfg.as_bits(dfg.arg(m, 1)).is_some());
            if let Some(m) = mask.filter(|_| dfg.ty(v) == Type::I32) {
                out.entry(v).or_insert((m, 0)).1 += 1;
            }
        });
    }
    out
}

/// How many conditions are held where blocks begin.
struct Held {
    live: Liveness,
    count: FxHashMap<Block, usize>,
    /// The blocks into which a condition goes.
    through: FxHashMap<Value, SmallVec<[Block; 4]>>,
}

impl Held {
    fn new(func: &Function, info: &LoopInfo) -> Self {
        let live = Liveness::new(func, &info.cfg);
        let (mut count, mut through) = (FxHashMap::default(), FxHashMap::<_, SmallVec<_>>::default());
        for &b in info.cfg.rpo() {
            for &v in live.live_in(b).iter().filter(|&&v| func.dfg.ty(v) == Type::I1) {
                *count.entry(b).or_default() += 1;
                through.entry(v).or_default().push(b);
            }
        }
        Self { live, count, through }
    }
}

struct Sink<'a> {
    func: &'a mut Function,
    info: &'a LoopInfo,
    held: Held,
    users: FxHashMap<Value, SmallVec<[Inst; 4]>>,
    masks: FxHashMap<Value, (Inst, u32)>,
    changed: bool,
}

impl Sink<'_> {
    fn comparison(&mut self, home: Block, i: Inst) {
        let value = self.func.dfg.res(i);
        let (Some(users), Some(through)) = (self.users.get(&value), self.held.through.get(&value)) else { return };
        let mut places: SmallVec<[Block; 4]> = SmallVec::new();
        for b in users.iter().filter_map(|&u| self.func.layout.inst_block(u)) {
            if !places.contains(&b) {
                places.push(b);
            }
            if places.len() > PLACES {
                return;
            }
        }
        let loops = &self.info.loops;
        let moves = matches!(places[..], [b] if b != home && loops.depth(b) <= loops.depth(home));
        let crowded = through.iter().any(|b| self.held.count[b] > HELD);
        let room = if crowded { 1 } else { 0 };
        if !(moves || crowded) || places.iter().any(|&b| b != home && self.cost(i, b) > room) {
            return;
        }
        for b in self.held.through.remove(&value).into_iter().flatten() {
            *self.held.count.entry(b).or_default() -= 1;
        }
        let users = self.users.remove(&value).unwrap_or_default();
        for b in places.into_iter().filter(|&b| b != home) {
            self.make_again(i, b, &users);
        }
        if users.iter().all(|&u| self.func.layout.inst_block(u) != Some(home)) {
            self.func.layout.remove_inst(i);
        }
        self.changed = true;
    }

    /// Registers of 32 bits that hold the operands longer for a comparison in `b`.
    fn cost(&self, i: Inst, b: Block) -> u32 {
        let dfg = &self.func.dfg;
        let mut cost = 0;
        let masked = self.masked(i).map(|m| (dfg.res(m), dfg.resolve(dfg.arg(m, 0))));
        for v in dfg.args(i).iter().map(|&v| dfg.resolve(v)) {
            let v = masked.filter(|m| m.0 == v).map_or(v, |m| m.1);
            let there = match dfg.def(v) {
                ValueDef::Const(_) => true,
                ValueDef::Param(p, _) if self.func.kind == FnKind::Kernel && p == self.info.cfg.entry() => true,
                _ => self.held.live.is_live_in(b, v),
            };
            if !there {
                cost += dfg.ty(v).bits().div_ceil(32);
            }
        }
        cost
    }

    /// The mask whose result a comparison, and nothing else, looks at.
    fn masked(&self, i: Inst) -> Option<Inst> {
        let v = self.func.dfg.resolve(self.func.dfg.arg(i, 0));
        self.masks.get(&v).filter(|&&(_, uses)| uses == 1).map(|m| m.0)
    }

    /// Makes a comparison in front of its first user in `b`, for all of its users there.
    fn make_again(&mut self, i: Inst, b: Block, users: &[Inst]) {
        let value = self.func.dfg.res(i);
        let copy = self.func.dfg.clone_inst(i);
        let result = self.func.dfg.res(copy);
        let mine = |f: &Function, u: Inst| users.contains(&u) && f.layout.inst_block(u) == Some(b);
        let list: SmallVec<[Inst; 4]> = self.func.layout.insts(b).filter(|&u| mine(self.func, u)).collect();
        if let Some(mask) = self.masked(i) {
            let again = self.func.dfg.clone_inst(mask);
            self.func.layout.insert_inst_before(again, list[0]);
            let bits = self.func.dfg.res(again);
            self.func.dfg.args_mut(copy)[0] = bits;
        }
        self.func.layout.insert_inst_before(copy, list[0]);
        for u in list {
            self.func.dfg.resolve_inst(u);
            self.func.dfg.for_each_use_mut(u, |v| {
                if *v == value {
                    *v = result;
                }
            });
        }
    }
}
