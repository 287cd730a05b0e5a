//! Loops over rows of different lengths that do little but gather.
//!
//! A sparse product has a row for each work-item: in vectors every load is a gather under a mask, and the loop runs as
//! long as the longest of the rows. Where gathers go lane by lane, that is slower than work-items one after another. It is
//! slower, too, where processors have gathers, if these walk along rows: a vector reads as many rows at a time as it has
//! lanes, a cache line of each, and no prefetcher follows, while one work-item reads its row from front to back. Compared
//! are the innermost loops of the finished function that are the kernel's own, by numbers of instructions; a limit is that how
//! often each of them runs is not known.
//!
//! Histograms without atomics are such loops, too: a work-item writes a place that its data choose, reads it back, and tries again
//! if another one wrote there. Lanes meet there and take turns; one after another, work-items never do. Linear in the function.

use crate::VectorIsa;
use analysis::{Loop, LoopInfo};
use ir::{Block, Function, Inst, Opcode, Value, ValueDef};

/// Instructions of a gather for each lane, done lane by lane: take out the address, load, put the element in its place.
/// Gathers of processors take as long.
const PER_LANE: u64 = 3;

/// How many times as long as the mean row the longest row of a vector is taken to be.
const UNEVEN: u64 = 2;

/// Most operations between an index and a loop's counter.
const DEPTH: u32 = 6;

/// Why work-items one after another need less time than the vectors of this function, if they do, in innermost loops with
/// gathers under masks.
pub(crate) fn gathers_too_much(func: &Function, machine: VectorIsa, width: u32) -> Option<&'static str> {
    let info = LoopInfo::new(func);
    let (mut all, mut walks) = (Cost::default(), false);
    for l in crate::hot_loops(func, &info) {
        if is_scalar(func, &info, l) || is_over_work_items(func, &info, l, width) {
            continue;
        }
        let (mut cost, mut meets) = (Cost::default(), false);
        for &b in info.loops.data(l).blocks.iter().filter(|&&b| !is_fallback(func, &info, b)) {
            meets |= reads_back(func, b);
            for i in func.layout.insts(b) {
                let data = &func.dfg.insts[i];
                let masked = data.op == Opcode::Gather && func.dfg.as_const(func.dfg.arg(i, 2)).is_none();
                walks |= masked && walks_along(func, &info, l, func.dfg.arg(i, 1));
                cost.lanes = cost.lanes.max(if masked { data.ty.lanes().into() } else { 0 });
                cost.vector += if masked { PER_LANE * u64::from(data.ty.lanes()) } else { 1 };
                // Masks are the vectors' own.
                cost.scalar += u64::from(masked || data.ty.scalar() != ir::Type::I1 && !data.op.is_terminator());
            }
        }
        if meets && cost.is_too_much() {
            return Some("its loops write places that their data choose, and read them back: in lanes they meet there");
        }
        all = Cost {
            vector: all.vector + cost.vector,
            scalar: all.scalar + cost.scalar,
            lanes: all.lanes.max(cost.lanes),
        };
    }
    let slow = (walks || !machine.gathers) && all.is_too_much();
    slow.then_some("its loops gather from rows of different lengths, which this machine does lane by lane")
}

/// Whether a block gathers what the block beside it loads as a row: a test has chosen between the two, and rows are what is expected
/// (`x[i * inc]`, where `inc` mostly is 1).
fn is_fallback(func: &Function, info: &LoopInfo, b: Block) -> bool {
    let has = |b: Block, ops: [Opcode; 2]| func.layout.insts(b).any(|i| ops.contains(&func.dfg.op(i)));
    let only_way_on = |b: Block| {
        let mut next = func.succs(b);
        next.next().filter(|_| next.next().is_none())
    };
    let Some(edge) = info.cfg.single_pred(b) else { return false };
    let is_row = |other: Block| {
        let loads = func.layout.insts(other).any(|i| {
            let data = &func.dfg.insts[i];
            data.op == Opcode::MaskedLoad || data.op == Opcode::Load && data.ty.is_vector()
        });
        loads && only_way_on(other) == only_way_on(b) && !has(other, [Opcode::Gather, Opcode::Scatter])
    };
    has(b, [Opcode::Gather, Opcode::Scatter])
        && only_way_on(b).is_some()
        && func.succs(edge.from).any(|other| other != b && info.cfg.single_pred(other).is_some() && is_row(other))
}

/// Instructions of loops.
#[derive(Default)]
struct Cost {
    /// With gathers lane by lane.
    vector: u64,
    /// For one work-item.
    scalar: u64,
    /// The most lanes of a gather under a mask.
    lanes: u64,
}

impl Cost {
    fn is_too_much(&self) -> bool {
        self.lanes > 0 && self.vector * UNEVEN > self.scalar * self.lanes
    }
}

/// Whether a block gathers from where it has scattered to.
fn reads_back(func: &Function, b: Block) -> bool {
    let place = |i: Inst| [0, 1].map(|n| func.dfg.resolve(func.dfg.arg(i, n)));
    let mut written = Vec::new();
    func.layout.insts(b).any(|i| match func.dfg.op(i) {
        Opcode::Scatter => {
            written.push(place(i));
            false
        }
        Opcode::Gather => written.contains(&place(i)),
        _ => false,
    })
}

/// Whether a loop runs over lanes, or is the same for all of them: there is as much to do without vectors.
fn is_scalar(func: &Function, info: &LoopInfo, l: Loop) -> bool {
    let mut insts = info.loops.data(l).blocks.iter().flat_map(|&b| func.layout.insts(b)).map(|i| &func.dfg.insts[i]);
    let (mut vectors, mut lanes) = (false, false);
    insts.by_ref().for_each(|data| {
        vectors |= data.ty.is_vector();
        lanes |= matches!(data.op, Opcode::ExtractDyn | Opcode::InsertDyn);
    });
    lanes || !vectors
}

/// Whether a loop takes one vector of work-items after another, without a loop in it: it runs once where the kernel's own run
/// many times.
pub(crate) fn is_over_work_items(func: &Function, info: &LoopInfo, l: Loop, width: u32) -> bool {
    let dfg = &func.dfg;
    let header = info.loops.header(l);
    let backs = || info.cfg.preds(header).iter().filter(|e| info.loops.contains(l, e.from));
    dfg.params(header).iter().enumerate().any(|(n, &param)| {
        backs().all(|e| {
            let next = dfg.resolve(dfg.branch_args(e.inst, e.index as usize)[n]);
            dfg.def_op(next, Opcode::Add).is_some_and(|add| {
                let args = dfg.args(add);
                dfg.resolve(args[0]) == param && dfg.as_int(args[1]) == Some(i64::from(width))
            })
        })
    })
}

/// Whether these offsets grow by the same from one iteration of the loop to the next.
fn walks_along(func: &Function, info: &LoopInfo, l: Loop, offsets: Value) -> bool {
    let dfg = &func.dfg;
    let inside = |v: Value| match dfg.values[v].def {
        ValueDef::Inst(i) => func.layout.inst_block(i).is_some_and(|b| info.loops.contains(l, b)),
        ValueDef::Param(b, _) => info.loops.contains(l, b),
        _ => false,
    };
    let mut v = dfg.resolve(offsets);
    for _ in 0..DEPTH {
        let inst: Inst = match dfg.values[v].def {
            ValueDef::Inst(i) => i,
            ValueDef::Param(b, n) => {
                return b == info.loops.header(l) && is_counted(func, info, l, v, n as usize);
            }
            _ => return false,
        };
        let args = dfg.args(inst);
        let next = match dfg.op(inst) {
            Opcode::SExt | Opcode::ZExt | Opcode::Trunc => args[0],
            Opcode::Add | Opcode::Shl | Opcode::Mul => {
                match args.iter().map(|&a| dfg.resolve(a)).filter(|&a| inside(a)).collect::<Vec<_>>()[..] {
                    [a] => a,
                    _ => return false,
                }
            }
            _ => return false,
        };
        v = dfg.resolve(next);
    }
    false
}

/// Whether parameter `n` of the loop's header is what it was plus something that does not change in the loop.
fn is_counted(func: &Function, info: &LoopInfo, l: Loop, param: Value, n: usize) -> bool {
    let dfg = &func.dfg;
    let header = info.loops.header(l);
    let mut backs = info.cfg.preds(header).iter().filter(|e| info.loops.contains(l, e.from)).peekable();
    backs.peek().is_some()
        && backs.all(|e| {
            let mut next = dfg.resolve(dfg.branch_args(e.inst, e.index as usize)[n]);
            // Lanes that are off may keep what they had.
            if let Some(select) = dfg.def_op(next, Opcode::Select) {
                let sides = [dfg.resolve(dfg.arg(select, 1)), dfg.resolve(dfg.arg(select, 2))];
                next = if sides[0] == param { sides[1] } else { sides[0] };
            }
            let Some(add) = dfg.def_op(next, Opcode::Add) else { return false };
            let args = dfg.args(add);
            let step = if dfg.resolve(args[0]) == param { args[1] } else { args[0] };
            let constant = dfg.as_const(step).is_some() || dfg.def_op(step, Opcode::Splat).is_some();
            constant && args.iter().any(|&a| dfg.resolve(a) == param)
        })
}
