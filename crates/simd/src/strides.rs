//! Rows that lie side by side in memory and are walked together, one for each lane.
//!
//! `for (j = 0; j < n; j++) sum += a[id * n + j]` is a gather of as many cache lines as there are lanes, and each of these
//! lines is wanted again in the next iterations. Where `n` is a multiple of a large power of two, all of them fall into one
//! set of the cache, which then forgets them before they are wanted again: on Zen 5 (12 ways), rows of 4096 floats took 14
//! times as long in vectors of 16 as in vectors of 2, while rows of 1000 took about the same in both; on Sapphire Rapids (12 ways, too) one vector of
//! 8 is best, and takes a third of what four vectors of 2 take ([`VectorIsa::rows_at_once`]). What is longer than
//! its loads gains from a few more lanes, and so does what only stores to rows. In loops that are unrolled so far that an
//! iteration walks most of a cache line (SHOC's `DeviceMemory`), work-items go one after another. So do they along rows that are
//! loaded and stored to: a load that follows a store to another row at the same place of a page waits for it.
//!
//! Records of more elements than rows of memory are taken apart into (structures of seven numbers, one for each work-item) are gathered and
//! scattered field by field, which takes longer than one work-item after another where little is computed with what they hold.
//!
//! Tiles of words in work-group memory that are read across and stored along (transpositions) are no rows here: they stay in the first level's cache.
//!
//! Looked at are the innermost loops of the finished function. A limit is that neither how often they run nor how long rows
//! are is known when the code is made.

use crate::VectorIsa;
use crate::widen::Most;
use analysis::{Loop, LoopInfo};
use ir::{AddrSpace, Function, Inst, Opcode, Value, ValueDef};
use rustc_hash::FxHashMap;

/// Most lanes for loops that compute more than a little, or only store; others have as many as the machine says.
const SOME: u32 = 4;

/// Operations for each gather up to which a loop does little else, and up to which gathers decide at all.
const LITTLE: u64 = 4;
const MUCH: u64 = 32;

/// Accesses to rows in an iteration from which lanes gain nothing: each lane would use most of a cache line by itself.
const MANY: u64 = 12;

/// Cycles for each access to rows that are loaded and stored to from which a loop's iterations wait for one another longer than
/// lanes would take for the accesses.
const STORE: u64 = 3;

/// Bytes from lane to lane from which these are rows.
const ROW: i64 = 256;

/// Bytes from one iteration to the next, for each access, up to which a cache line is wanted again.
const NEAR: i64 = 16;

/// Most operations between an offset and what it is made of.
const DEPTH: u32 = 8;

/// How many work-items at most should share a vector, if rows that are walked side by side limit that. Linear in the
/// function.
pub(crate) fn most_lanes(func: &Function, machine: VectorIsa) -> Option<Most> {
    let info = LoopInfo::new(func);
    let innermost: Vec<Loop> = crate::hot_loops(func, &info).collect();
    if is_through_records(func, &info, &innermost) {
        return Some(Most { lanes: 1, ..Most::ALL });
    }
    let few = machine.rows_at_once;
    let all = innermost.into_iter().filter_map(|l| of_loop(func, &info, l, few));
    let most = all.reduce(|a, b| Most { lanes: a.lanes.min(b.lanes), cells: a.cells.min(b.cells) })?;
    // Where lanes are all the rows that there may be, another vector would walk as many again.
    let full = most.lanes > SOME && most.lanes == few;
    Some(Most { cells: if full { 1 } else { most.cells }, ..most })
}

/// Whether [`most_lanes`] is one because of records.
pub(crate) fn goes_through_records(func: &Function) -> bool {
    let info = LoopInfo::new(func);
    let innermost: Vec<Loop> = crate::hot_loops(func, &info).collect();
    is_through_records(func, &info, &innermost)
}

/// Whether loops do little but load and store fields of records that lie a constant distance apart, one for each lane.
fn is_through_records(func: &Function, info: &LoopInfo, loops: &[Loop]) -> bool {
    let (mut fields, mut rows, mut others, mut written) = (0, 0, 0, false);
    let blocks = loops.iter().flat_map(|&l| info.loops.data(l).blocks.iter().map(move |&b| (l, b)));
    for (l, i) in blocks.flat_map(|(l, b)| func.layout.insts(b).map(move |i| (l, i))) {
        let data = &func.dfg.insts[i];
        match data.op {
            // A loop goes along rows, and past records.
            Opcode::Gather | Opcode::Scatter
                if is_in_record(func, func.dfg.arg(i, 1))
                    && Walk { func, info, l }.row_step(i).is_none_or(|step| step > ROW) =>
            {
                fields += 1;
                written |= data.op == Opcode::Scatter;
            }
            Opcode::MaskedLoad | Opcode::MaskedStore => rows += 1,
            Opcode::Load if data.ty.is_vector() => rows += 1,
            Opcode::Store if func.dfg.ty(func.dfg.arg(i, 1)).is_vector() => rows += 1,
            _ => others += u64::from(data.ty.is_vector() && data.ty.scalar().is_float()),
        }
    }
    written && fields > 2 * rows && others <= fields * LITTLE
}

/// Whether lanes are a constant distance apart.
fn is_in_record(func: &Function, offsets: Value) -> bool {
    let dfg = &func.dfg;
    let v = dfg.resolve(offsets);
    let Some(i) = [Opcode::Mul, Opcode::Shl].into_iter().find_map(|op| dfg.def_op(v, op)) else { return false };
    let [a, b] = [0, 1].map(|n| dfg.resolve(dfg.arg(i, n)));
    dfg.def_op(a, Opcode::Iota).is_some() && dfg.as_int(b).is_some()
}

fn of_loop(func: &Function, info: &LoopInfo, l: Loop, few: u32) -> Option<Most> {
    let walk = Walk { func, info, l };
    let (mut walked, mut tiles, mut neighbours, mut stored, mut others) = (Vec::new(), Vec::new(), 0, 0, 0);
    for &b in &info.loops.data(l).blocks {
        for i in func.layout.insts(b) {
            let data = &func.dfg.insts[i];
            match data.op {
                Opcode::Gather | Opcode::Scatter if walk.has_steady_mask(i) => {
                    let tile = data.op == Opcode::Gather && is_in_tile(func, i);
                    let list = if tile { &mut tiles } else { &mut walked };
                    list.extend(walk.row_step(i).map(|step| (data.op, step)));
                }
                Opcode::MaskedLoad => neighbours += 1,
                Opcode::Load if data.ty.is_vector() => neighbours += 1,
                Opcode::MaskedStore => stored += 1,
                Opcode::Store if func.dfg.ty(func.dfg.arg(i, 1)).is_vector() => stored += 1,
                // Addresses and masks belong to the gathers.
                _ => others += u64::from(data.ty.is_vector() && data.ty.scalar().is_float()),
            }
        }
    }
    // A tile that is read across and stored along: gathers take no longer than as many loads, stores far less.
    if stored < tiles.len() {
        walked.append(&mut tiles);
    }
    // Accesses that an iteration makes beside each other want a line again as often as so many iterations would.
    let near = NEAR.saturating_mul(walked.len() as i64);
    let count = |op| walked.iter().filter(|&&(o, step)| o == op && step <= near).count() as u64;
    let (loads, stores) = (count(Opcode::Gather), count(Opcode::Scatter));
    let rows = loads + stores;
    if rows == 0 || others > rows * MUCH {
        return None;
    }
    let lanes = match () {
        () if stores > 0 && loads > 0 && waits(func, info, l) < rows * STORE => 1,
        // Several rows for each lane: with another vector's they would not fit into a set of the cache.
        () if stores > 0 && loads > 0 => return Some(Most { lanes: SOME, cells: 1 }),
        () if rows >= MANY && others <= rows * LITTLE => 1,
        () if stores > 0 => SOME,
        // Fewer lanes would read the neighbours' cache lines more often.
        () if neighbours == 0 && others <= rows * LITTLE => few,
        () => SOME.max(few),
    };
    Some(Most { lanes, ..Most::ALL })
}

/// Whether a gather reads words of work-group memory, which is small enough to stay in the first level's cache. Of wider elements
/// lanes gain nothing: gathers wait for the stores before them, which fill twice as many lines.
fn is_in_tile(func: &Function, gather: Inst) -> bool {
    let narrow = func.dfg.insts[gather].ty.bits() <= 32;
    narrow && func.dfg.ty(func.dfg.arg(gather, 0)).space() == Some(AddrSpace::Shared)
}

/// Cycles from one iteration to the next of a loop of one block that loads before it stores, for each of the numbers that it hands on: the
/// longest ways to their next values, added up. None of its loads waits for a store of the same iteration.
fn waits(func: &Function, info: &LoopInfo, l: Loop) -> u64 {
    let &[block] = &info.loops.data(l).blocks[..] else { return 0 };
    let mut way: FxHashMap<Value, u64> = FxHashMap::default();
    let numbers = func.dfg.params(block).iter().filter(|&&v| func.dfg.ty(v).scalar().is_float());
    way.extend(numbers.map(|&v| (v, 0)));
    let mut stored = false;
    for i in func.layout.insts(block) {
        let op = func.dfg.op(i);
        match op {
            Opcode::Scatter => stored = true,
            Opcode::Gather if stored => return 0,
            _ => {}
        }
        let takes = match op {
            Opcode::FDiv => 11,
            Opcode::FAdd | Opcode::FSub | Opcode::FMul | Opcode::Fma => 4,
            _ => 1,
        };
        let longest = func.dfg.args(i).iter().filter_map(|&a| way.get(&func.dfg.resolve(a))).max();
        if let (Some(&n), Some(v)) = (longest, func.dfg.result(i)) {
            way.insert(v, n + takes);
        }
    }
    let t = func.layout.terminator(block);
    let back = (0..2).filter(|&n| func.dfg.op(t) == Opcode::Br && func.dfg.successor(t, n) == block);
    let handed = back.flat_map(|n| func.dfg.branch_args(t, n).iter().map(|&v| func.dfg.resolve(v)));
    handed.filter_map(|v| way.get(&v).copied()).sum()
}

/// How an offset is made up.
#[derive(Clone, Copy)]
struct Parts {
    /// Lanes are rows apart.
    row: bool,
    /// Bytes from one iteration of the loop to the next.
    step: i64,
}

struct Walk<'a> {
    func: &'a Function,
    info: &'a LoopInfo,
    l: Loop,
}

impl Walk<'_> {
    fn inside(&self, v: Value) -> bool {
        match self.func.dfg.values[v].def {
            ValueDef::Inst(i) => self.func.layout.inst_block(i).is_some_and(|b| self.info.loops.contains(self.l, b)),
            ValueDef::Param(b, _) => self.info.loops.contains(self.l, b),
            _ => false,
        }
    }

    /// Whether the lanes that take part are the same in all iterations.
    fn has_steady_mask(&self, access: Inst) -> bool {
        !self.inside(self.func.dfg.resolve(self.func.dfg.arg(access, 2)))
    }

    /// Bytes that the lanes of a gather or scatter step along rows, each along its own, if they do.
    fn row_step(&self, access: Inst) -> Option<i64> {
        let args = self.func.dfg.args(access);
        let parts = self.parts(args[1], DEPTH)?;
        let step = parts.step.checked_add(self.base_step(args[0], DEPTH).unwrap_or(0))?;
        (parts.row && step != 0).then_some(step.saturating_abs())
    }

    /// Bytes from one iteration to the next of the address that all lanes' offsets are from.
    fn base_step(&self, v: Value, depth: u32) -> Option<i64> {
        let dfg = &self.func.dfg;
        let v = dfg.resolve(v);
        if !self.inside(v) {
            return Some(0);
        }
        let (inst, depth) = (dfg.def_inst(v)?, depth.checked_sub(1)?);
        match dfg.op(inst) {
            Opcode::PtrAdd => {
                let by = self.parts(dfg.arg(inst, 1), depth)?;
                self.base_step(dfg.arg(inst, 0), depth)?.checked_add(by.step)
            }
            Opcode::AddrSpaceCast => self.base_step(dfg.arg(inst, 0), depth),
            _ => None,
        }
    }

    fn parts(&self, v: Value, depth: u32) -> Option<Parts> {
        let dfg = &self.func.dfg;
        let v = dfg.resolve(v);
        if !self.inside(v) {
            return Some(Parts { row: self.apart(v, depth), step: 0 });
        }
        let depth = depth.checked_sub(1)?;
        let inst = match dfg.values[v].def {
            ValueDef::Inst(i) => i,
            ValueDef::Param(b, n) if b == self.info.loops.header(self.l) => return self.counter(v, n as usize),
            _ => return None,
        };
        let args = dfg.args(inst);
        let scaled = |by: i64| {
            let p = self.parts(args[0], depth)?;
            Some(Parts { step: p.step.checked_mul(by)?, ..p })
        };
        match dfg.op(inst) {
            Opcode::SExt | Opcode::ZExt | Opcode::Trunc | Opcode::Splat => self.parts(args[0], depth),
            Opcode::Add | Opcode::Sub => {
                let (a, b) = (self.parts(args[0], depth)?, self.parts(args[1], depth)?);
                let step =
                    if dfg.op(inst) == Opcode::Add { a.step.checked_add(b.step) } else { a.step.checked_sub(b.step) };
                Some(Parts { row: a.row || b.row, step: step? })
            }
            // Bits that are cut off let a row begin again.
            Opcode::And => self.parts(self.cut(v)?, depth),
            Opcode::Mul => scaled(self.constant(args[1])?),
            Opcode::Shl => scaled(1i64.checked_shl(u32::try_from(self.constant(args[1])?).ok()?)?),
            _ => None,
        }
    }

    /// A parameter of the loop's header that grows by a constant.
    fn counter(&self, param: Value, n: usize) -> Option<Parts> {
        let dfg = &self.func.dfg;
        let header = self.info.loops.header(self.l);
        let mut step = None;
        let mut row = false;
        for e in self.info.cfg.preds(header) {
            let next = dfg.resolve(dfg.branch_args(e.inst, e.index as usize)[n]);
            if !self.info.loops.contains(self.l, e.from) {
                row |= self.apart(next, DEPTH);
                continue;
            }
            let next = self.cut(next).unwrap_or(next);
            let (args, sign) = match dfg.values[next].def {
                ValueDef::Inst(i) if dfg.op(i) == Opcode::Add => (dfg.args(i), 1),
                ValueDef::Inst(i) if dfg.op(i) == Opcode::Sub => (dfg.args(i), -1),
                _ => return None,
            };
            if dfg.resolve(args[0]) != param {
                return None;
            }
            let by = self.constant(args[1])?.checked_mul(sign)?;
            if step.is_some_and(|s| s != by) {
                return None;
            }
            step = Some(by);
        }
        Some(Parts { row, step: step? })
    }

    /// What a value is without a mask of bits that is the same in all iterations.
    fn cut(&self, v: Value) -> Option<Value> {
        let dfg = &self.func.dfg;
        let [a, b] = [0, 1].map(|n| Some(dfg.resolve(dfg.arg(dfg.def_op(v, Opcode::And)?, n))));
        match (a?, b?) {
            (a, b) if !self.inside(b) => Some(a),
            (a, b) if !self.inside(a) => Some(b),
            _ => None,
        }
    }

    /// Whether the lanes of a value from before the loop are rows apart: multiples of what is not known, or of much.
    fn apart(&self, v: Value, depth: u32) -> bool {
        let dfg = &self.func.dfg;
        let v = dfg.resolve(v);
        let (ValueDef::Inst(inst), Some(depth)) = (dfg.values[v].def, depth.checked_sub(1)) else { return false };
        if !dfg.ty(v).is_vector() {
            return false;
        }
        let args = dfg.args(inst);
        match dfg.op(inst) {
            Opcode::SExt | Opcode::ZExt | Opcode::Trunc => self.apart(args[0], depth),
            Opcode::Add | Opcode::Sub | Opcode::And => args.iter().any(|&a| self.apart(a, depth)),
            Opcode::Mul => {
                let far = |a: Value| match self.constant(a) {
                    Some(by) => by.abs() >= ROW,
                    None => dfg.def_op(a, Opcode::Splat).is_some(),
                };
                args.iter().any(|&a| far(a) || self.apart(a, depth))
            }
            Opcode::Shl => {
                self.apart(args[0], depth) || self.constant(args[1]).is_some_and(|by| by >= ROW.ilog2().into())
            }
            _ => false,
        }
    }

    /// A constant, or a vector of one in all lanes.
    fn constant(&self, v: Value) -> Option<i64> {
        let dfg = &self.func.dfg;
        let v = dfg.resolve(v);
        let v = dfg.def_op(v, Opcode::Splat).map_or(v, |splat| dfg.resolve(dfg.arg(splat, 0)));
        dfg.as_int(v)
    }
}
