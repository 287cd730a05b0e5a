//! How many vectors an iteration runs, in x and in rows of y.
//!
//! Several vectors pay where loops of the kernel either load what vectors can share (rows of a matrix product) or wait
//! for chains of dependent operations (sums, Mandelbrot). Each needs registers of its own for what lives around the
//! loop, so the number is what the registers hold; bodies that are large, or do what has no vector form, run one vector
//! at a time. Two pay, too, for long bodies without loops where there are registers for both, and up to eight for those that walk
//! along many rows of memory.

use super::Target;
use super::bounds::Bounds;
use super::region::Region;
use super::shape::{Known, Shape, Shapes};
use super::variance::{Grid, Rows, Variance};
use crate::regions::{Dimension, RegionLoop, Trip};
use ir::{Block, Dfg, Flags, Function, Inst, IntCC, Opcode, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most vectors of an iteration.
pub(super) const MAX_CELLS: u32 = 8;
/// Most instructions of a body of which an iteration runs several vectors.
const MAX_BODY: usize = 160;
/// Fewest float operations of a body without loops of which an iteration runs two vectors.
const MIN_CHAINS: usize = 48;
/// Most instructions of such a body.
const MAX_CHAINS: usize = 256;
/// Instructions for each access to memory; with fewer a body waits for memory.
const ACCESS: usize = 16;
/// As many of a body that computes little: in several vectors it is mostly accesses still, and does not leave the caches of code.
const ACCESS_ONLY: usize = 8;
/// Fewest accesses to memory of a body without loops that walks along so many rows that no prefetcher follows them.
const MIN_STREAMS: usize = 48;
/// Bytes of a cache line.
const LINE: u32 = 64;
/// Most instructions of such a body.
const MAX_STREAMS: usize = 2048;
/// Most instructions of it in all the vectors of an iteration.
const MAX_SIDE_BY_SIDE: usize = 10_240;
/// Bytes after which addresses share a set of the second level's cache (64 or 128 KiB with most processors), and the lines that a set holds.
const SET_PERIOD: i64 = 128 << 10;
const WAYS: usize = 8;
/// Rounds in which shapes and variance settle.
const MAX_ROUNDS: usize = 4;

/// What is decided, and what was found out on the way.
pub(super) struct Choice {
    pub(super) grid: Grid,
    pub(super) rows: Option<Rows>,
    pub(super) shapes: Shapes,
    pub(super) variance: Variance,
}

/// One vector at a time; `known` says how some values differ from lane to lane.
pub(super) fn one(r: &Region<'_>, l: &RegionLoop, bounds: &Bounds<'_>, known: &Known) -> Choice {
    let shapes = Shapes::new(r, l.x, bounds, &Variance::none(), known);
    Choice { grid: Grid::ONE, rows: None, shapes, variance: Variance::none() }
}

/// Decides for one loop over x; `closed` says that nothing of its body is used after it, `known` how some values differ from
/// lane to lane.
pub(super) fn choose(
    r: &Region<'_>,
    l: &RegionLoop,
    bounds: &Bounds<'_>,
    target: &Target,
    closed: bool,
    known: &Known,
) -> Choice {
    let only = one(r, l, bounds, known);
    let Some(Wanted { cells, along }) = wanted(r, &only.shapes, target) else { return only };
    let rows = find_rows(r, l).filter(|_| closed);
    let vectors = match l.trip {
        Trip::Known(n) => n / u32::from(target.lanes),
        // As many as a launch likes: one is all that always fits.
        Trip::Value(_) => 1,
    };
    let columns = largest_divisor(vectors, cells.min(along));
    let count = rows.map_or(1, |rows| largest_divisor(rows.trip, cells / columns));
    let columns = if count == 1 { largest_divisor(vectors, cells) } else { columns };
    let grid = Grid { columns: columns as u8, rows: count as u8 };
    if grid.cells() <= 1 {
        return only;
    }
    let rows = rows.filter(|_| grid.rows > 1);
    // What differs between vectors parts lanes, and what parts lanes differs: until it settles.
    let mut last = only.shapes;
    for _ in 0..MAX_ROUNDS {
        let variance = Variance::new(r, l.x, rows.as_ref(), &last);
        let next = Shapes::new(r, l.x, bounds, &variance, known);
        if next.parts_like(r, &last) {
            return Choice { grid, rows, shapes: next, variance };
        }
        last = next;
    }
    one(r, l, bounds, known)
}

fn largest_divisor(n: u32, limit: u32) -> u32 {
    (1..=limit.max(1)).rev().find(|d| d.is_power_of_two() && n.is_multiple_of(*d)).unwrap_or(1)
}

/// How many vectors an iteration is to run.
struct Wanted {
    cells: u32,
    /// Of them so many along x before any along y.
    along: u32,
}

/// How many vectors the registers hold, or memory wants, if the body is one for which several pay.
fn wanted(r: &Region<'_>, shapes: &Shapes, target: &Target) -> Option<Wanted> {
    let mut size = 0;
    for &b in &r.blocks {
        for i in r.func.layout.insts(b) {
            let data = &r.func.dfg.insts[i];
            size += 1;
            let serial = matches!(
                data.op,
                Opcode::Call | Opcode::AtomicRmw | Opcode::AtomicCas | Opcode::MemCpy | Opcode::MemSet | Opcode::Fence
            ) || data.flags.has(Flags::VOLATILE)
                || matches!(data.op, Opcode::Intrinsic) && !data.is_pure();
            if serial || size > MAX_STREAMS {
                return None;
            }
        }
    }
    if r.info.loops.data(r.root).children.is_empty() {
        if let Some(cells) = walks_many_rows(r, shapes, target, size) {
            return Some(Wanted { cells, along: cells });
        }
        return waits_for_chains(r, shapes, target, size).then_some(Wanted { cells: 2, along: 2 });
    }
    if size > MAX_BODY {
        return None;
    }
    let (mut most, mut inside) = (0, 0);
    for l in r.info.loops.iter().filter(|&l| l != r.root && r.info.loops.encloses(r.root, l)) {
        if r.info.loops.data(l).children.is_empty() {
            most = most.max(live(r, shapes, l));
            let blocks = r.blocks.iter().filter(|&&b| r.info.loops.contains(l, b));
            inside = blocks.map(|&b| at_once(r, shapes, b)).fold(inside, u32::max);
        }
    }
    let fitting = target.registers.saturating_sub(target.registers / 4).checked_div(most)?;
    // What waits inside takes registers, too, beside the constants. Where there are few, those come from memory anyway.
    let fitting =
        if target.registers >= 32 { fitting.min(target.registers / 2 / inside.max(1)) } else { fitting }.max(1);
    Some(Wanted { cells: fitting.clamp(1, target.cells), along: 2 })
}

/// Whether a body without loops computes so long on what it loads that processors wait for its chains of operations: the
/// next vector's are too far behind to fill the gaps. A second vector beside the first one does, if registers hold both.
fn waits_for_chains(r: &Region<'_>, shapes: &Shapes, target: &Target, size: usize) -> bool {
    let (mut floats, mut accesses) = (0, 0);
    for &b in &r.blocks {
        if shapes.is_parted(b) {
            return false;
        }
        for i in r.func.layout.insts(b) {
            let data = &r.func.dfg.insts[i];
            accesses += usize::from(matches!(data.op, Opcode::Load | Opcode::Store));
            floats += usize::from(data.ty.is_float() && data.op != Opcode::Load);
        }
    }
    let most = r.blocks.iter().map(|&b| at_once(r, shapes, b)).max().unwrap_or(0);
    target.registers >= 32
        && floats >= MIN_CHAINS
        && size <= MAX_CHAINS
        && accesses * ACCESS <= size
        && most * 2 <= target.registers
}

/// How many vectors an iteration is to run of a body without loops that does little more than load and store neighbours in many
/// rows: more than prefetchers follow. Vectors side by side take all of a cache's lines that were fetched together, before they are gone
/// and while the others are under way; that gains more than what then waits in memory for want of registers costs, most where the
/// rows are such a distance apart that they share few sets of the caches.
fn walks_many_rows(r: &Region<'_>, shapes: &Shapes, target: &Target, size: usize) -> Option<u32> {
    let dfg = &r.func.dfg;
    let (mut rows, mut bytes) = (0, 0);
    let mut lines: FxHashSet<(Value, i64)> = FxHashSet::default();
    for &b in &r.blocks {
        if shapes.is_parted(b) {
            return None;
        }
        for i in r.func.layout.insts(b) {
            let data = &dfg.insts[i];
            let accessed = match data.op {
                Opcode::Load => data.ty,
                Opcode::Store => dfg.ty(dfg.arg(i, 1)),
                _ => continue,
            };
            let address = dfg.resolve(dfg.arg(i, 0));
            if matches!(shapes.of(r, address), Shape::Strided { stride, .. } if stride == i64::from(accessed.bytes())) {
                rows += 1;
                bytes = bytes.max(accessed.bytes() * u32::from(target.lanes));
                let (base, offset) = constant_offset(dfg, address);
                lines.insert((base, offset / i64::from(LINE)));
            }
        }
    }
    if rows < MIN_STREAMS || rows * ACCESS <= size {
        return None;
    }
    let sets: FxHashSet<(Value, i64)> =
        lines.iter().map(|&(base, line)| (base, line.rem_euclid(SET_PERIOD / i64::from(LINE)))).collect();
    let most = r.blocks.iter().map(|&b| at_once(r, shapes, b)).max().unwrap_or(0);
    let each = LINE.div_ceil(bytes.max(1));
    if rows * ACCESS_ONLY <= size {
        let fits = if each > 1 { most <= target.registers } else { most * 2 <= target.registers };
        return fits.then_some(2);
    }
    let wanted = if lines.len() > WAYS * sets.len() {
        8
    } else if each == 1 && most * 2 > target.registers {
        2
    } else {
        4
    };
    let mut cells = (wanted.min(target.lines_at_once) * each).min(MAX_CELLS);
    while cells > 2 && size * cells as usize > MAX_SIDE_BY_SIDE {
        cells /= 2;
    }
    Some(cells)
}

/// An address as a sum with a constant.
fn constant_offset(dfg: &Dfg, address: Value) -> (Value, i64) {
    let Some(sum) = dfg.def_op(address, Opcode::PtrAdd) else { return (address, 0) };
    match dfg.as_int(dfg.arg(sum, 1)) {
        Some(offset) => (dfg.resolve(dfg.arg(sum, 0)), offset),
        None => (address, 0),
    }
}

/// Most varying values of one block that wait for a use in it at the same time.
fn at_once(r: &Region<'_>, shapes: &Shapes, b: Block) -> u32 {
    let dfg = &r.func.dfg;
    let insts: Vec<Inst> = r.func.layout.insts(b).collect();
    let mut last: FxHashMap<Value, usize> = FxHashMap::default();
    for (n, &i) in insts.iter().enumerate() {
        dfg.for_each_use(i, |v| {
            last.insert(dfg.resolve(v), n);
        });
    }
    let (mut now, mut most) = (0, 0);
    let mut ends = vec![0; insts.len()];
    for (n, &i) in insts.iter().enumerate() {
        now -= ends[n];
        let Some(v) = dfg.result(i).filter(|&v| shapes.of(r, v) == Shape::Varying) else { continue };
        if let Some(&end) = last.get(&v).filter(|&&end| end > n) {
            let pieces = u32::from(dfg.ty(v).lanes());
            now += pieces;
            ends[end] += pieces;
            most = most.max(now);
        }
    }
    most
}

/// Vectors that live around an innermost loop: what goes around it, and what it uses from outside.
fn live(r: &Region<'_>, shapes: &Shapes, l: analysis::Loop) -> u32 {
    let mut seen: Vec<Value> = Vec::new();
    let varying = |v: Value| shapes.of(r, v) == Shape::Varying;
    let pieces = |v: Value| {
        let ty: Type = r.func.dfg.ty(v);
        u32::from(ty.lanes())
    };
    for &p in r.func.dfg.params(r.info.loops.header(l)) {
        if varying(p) {
            seen.push(p);
        }
    }
    for &b in &r.info.loops.data(l).blocks {
        for i in r.func.layout.insts(b) {
            r.func.dfg.for_each_use(i, |v| {
                let v = r.func.dfg.resolve(v);
                let outside = r.home(v).is_some_and(|h| !r.info.loops.contains(l, h));
                if outside && varying(v) && !seen.contains(&v) {
                    seen.push(v);
                }
            });
        }
    }
    seen.into_iter().map(pieces).sum::<u32>() + u32::from(shapes.is_uneven(l)) * 2
}

/// The loop over y around the loop over x, if its rows can be run together: it does nothing besides.
fn find_rows(r: &Region<'_>, l: &RegionLoop) -> Option<Rows> {
    let &(Dimension::Y, md) = l.outer.first()? else { return None };
    let (func, loops) = (r.func, &r.info.loops);
    let outer = loops.parent(r.root).filter(|&o| loops.md(func, o) == Some(md))?;
    let (header, latch) = (loops.header(outer), loops.latch(outer)?);
    let &[y] = func.dfg.params(header) else { return None };
    if func.dfg.ty(y) != Type::I32 || loops.data(outer).children.len() != 1 {
        return None;
    }
    for &b in loops.data(outer).blocks.iter().filter(|&&b| !r.contains(b)) {
        for i in func.layout.insts(b) {
            let data = &func.dfg.insts[i];
            let plain = data.is_pure() || data.op == Opcode::Load && !data.flags.has(Flags::VOLATILE);
            let ends = matches!(data.op, Opcode::Jump) || data.op == Opcode::Br && b == latch;
            if !plain && !ends {
                return None;
            }
        }
        if b != header && !func.dfg.params(b).is_empty() {
            return None;
        }
    }
    let t = func.layout.terminator(latch);
    let compare = func.dfg.def_op(func.dfg.arg(t, 0), Opcode::Icmp)?;
    let bound = func.dfg.as_int(func.dfg.arg(compare, 1))?;
    let back = usize::from(func.dfg.successor(t, 0) != header);
    let cc = func.dfg.insts[compare].int_cc()?;
    let cc = if back == 0 { cc } else { cc.inverse() };
    // Either `y + 1` or `y` is compared.
    let &[next] = func.dfg.branch_args(t, back) else { return None };
    let add = func.dfg.def_op(next, Opcode::Add)?;
    let steps = func.dfg.arg(add, 0) == y && func.dfg.as_int(func.dfg.arg(add, 1)) == Some(1);
    let last = match func.dfg.resolve(func.dfg.arg(compare, 0)) {
        v if v == next => 0,
        v if v == y => 1,
        _ => return None,
    };
    let inclusive = match cc {
        IntCC::Ult | IntCC::Slt | IntCC::Ne => 0,
        IntCC::Ule | IntCC::Sle => 1,
        _ => return None,
    };
    let counts = steps && func.dfg.branch_args(t, 1 - back).is_empty();
    let trip = u32::try_from(bound + last + inclusive).ok().filter(|_| counts)?;
    Some(Rows { l: outer, y, latch: t, trip })
}

impl Rows {
    /// Makes the loop take so many rows at a time.
    pub(super) fn step(&self, func: &mut Function, rows: u8) {
        let t = self.latch;
        let ty = func.dfg.ty(self.y);
        let (step, bound) = (func.dfg.iconst(ty, rows.into()), func.dfg.iconst(ty, self.trip.into()));
        let header = match func.dfg.values[self.y].def {
            ir::ValueDef::Param(b, _) => b,
            _ => return,
        };
        let back = usize::from(func.dfg.successor(t, 0) != header);
        let mut b = ir::Builder::before(func, t);
        let next = b.add(self.y, step);
        let cond = b.icmp(if back == 0 { IntCC::Ult } else { IntCC::Uge }, next, bound);
        func.dfg.args_mut(t)[0] = cond;
        func.dfg.set_branch_args(t, back, &[next]);
    }
}
