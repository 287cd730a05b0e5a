//! Step 2: the loops over x of a work-group function run several work-items at once, in the lanes of vectors.
//!
//! # What it does
//!
//! Every loop that [`regions`](crate::regions) made, its body with arbitrary reducible control flow, is replaced by a
//! loop that runs [`Widened::lanes`] work-items per iteration; work-items that are left over run under a mask (constant,
//! where their number is known).
//! First the shape of each value is found ([`shape`]): the same in all lanes, a constant apart from lane to lane, or
//! varying. Then code is emitted ([`emit`]): what is the same stays scalar, branches that all lanes take the same way
//! stay branches, and the rest runs in vectors under masks. How memory is accessed is told in [`memory`].
//!
//! # What must hold
//!
//! Verified IR in the form that `regions` describes, launches within [`launch::context::MAX_EXTENT`]. Between barriers
//! work-items are independent, so any interleaving of them is right.
//!
//! # Limits
//!
//! Loops with irreducible control flow or inline assembly stay scalar; the reason is given in words. Operations between
//! the lanes of a warp ([`warp`]) need vectors of as many lanes as the warp has, and rows of whole warps. Code grows by a constant factor; a remainder of work-items doubles it.
//!
//! # Cost
//!
//! Near-linear in the size of the function for each region; their product is bounded by [`MAX_WORK`].

mod bounds;
mod emit;
mod few;
mod grid;
mod guard;
mod inst;
mod interleave;
mod limit;
mod lines;
mod loops;
mod memory;
mod one_by_one;
mod region;
mod serial;
mod shape;
mod slots;
mod state;
mod switch;
mod variance;
mod warp;
mod wide;
mod words;

use crate::Options;
use crate::regions::{RegionLoop, Regions, Trip};
use analysis::LoopInfo;
use bounds::Bounds;
use emit::Emitter;
use ir::edit;
use ir::{Function, IntCC, LoopMd, Module, Opcode, ReversePostOrder, Type, Value};
use limit::Limit;
use lines::Lines;
use memory::Layouts;
use region::Region;
use rustc_hash::FxHashMap;
use shape::{Known, Shapes};
use source::Session;
use variance::Variance;

/// Most lanes of a vector.
pub(crate) const MAX_LANES: u32 = 64;

/// Most loops over work-items times instructions of a function that is widened: each loop is looked for, and its values'
/// shapes, in all of the function.
const MAX_WORK: usize = 1_000_000;

/// Most instructions of a body that is there once for full vectors and once under a mask, where only the launch knows how
/// many work-items there are.
const MAX_TWICE: usize = 600;

/// How memory is accessed after widening: numbers of accesses in the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    /// One for all lanes.
    pub uniform: u32,
    /// A vector of consecutive elements.
    pub contiguous: u32,
    /// Neighbouring vectors and shuffles.
    pub interleaved: u32,
    /// Consecutive if a test says so, else anything.
    pub tested: u32,
    /// Gathers and scatters.
    pub gathers: u32,
    /// Instructions that run once per lane.
    pub serial: u32,
}

impl Figures {
    fn add(&mut self, other: Self) {
        self.uniform += other.uniform;
        self.contiguous += other.contiguous;
        self.interleaved += other.interleaved;
        self.tested += other.tested;
        self.gathers += other.gathers;
        self.serial += other.serial;
    }
}

/// What became of a work-group function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Widened {
    /// Work-items that share a vector; 1 if none do.
    pub lanes: u32,
    /// Loops over work-items that were widened.
    pub loops: u32,
    /// Why others were not, or none.
    pub reason: Option<String>,
    /// Whether work-items run one after another because they take vectors or records of their own apart.
    pub packs: bool,
    /// How memory is accessed.
    pub figures: Figures,
}

/// What code is emitted for.
pub(crate) struct Target {
    /// Work-items that share a vector.
    pub(crate) lanes: u8,
    /// Vector registers.
    pub(crate) registers: u32,
    /// Whether elements of a word or more are loaded and stored under masks by the machine.
    pub(crate) masked_rows: bool,
    /// As [`VectorIsa::lines_at_once`](crate::VectorIsa).
    pub(crate) lines_at_once: u32,
    /// Most vectors that an iteration runs of a body with loops.
    pub(crate) cells: u32,
}

/// Widens the loops over x of a work-group function.
///
/// # Errors
/// A rule of the IR was broken: a bug of ours, in words.
pub fn run(
    module: &mut Module,
    session: &mut Session,
    regions: &Regions,
    options: &Options,
) -> Result<Widened, String> {
    run_within(module, session, regions, options, Most::ALL)
}

/// How much of a group an iteration takes at most.
#[derive(Clone, Copy)]
pub(crate) struct Most {
    /// Work-items that share a vector.
    pub(crate) lanes: u32,
    /// Vectors of a body with loops.
    pub(crate) cells: u32,
}

impl Most {
    /// What the machine and the kernel allow.
    pub(crate) const ALL: Self = Self { lanes: MAX_LANES, cells: grid::MAX_CELLS };
}

/// As [`run`], by at most so many lanes where warps and hints leave a choice.
pub(crate) fn run_within(
    module: &mut Module,
    session: &mut Session,
    regions: &Regions,
    options: &Options,
    most: Most,
) -> Result<Widened, String> {
    let mut out = Widened { lanes: 1, ..Widened::default() };
    let func = &mut module.functions[regions.func];
    if regions.loops.len().saturating_mul(func.inst_count()) > MAX_WORK {
        out.reason = Some(format!("it has so many barriers ({} parts) and is so long", regions.loops.len()));
        return Ok(out);
    }
    let lanes = match lanes(func, regions, options, most.lanes) {
        Ok(n) => n,
        Err(reason) => {
            out.reason = Some(reason);
            return Ok(out);
        }
    };
    let registers = if options.machine.vector_bits >= 512 { 32 } else { 16 };
    let machine = options.machine;
    let target = Target {
        lanes,
        registers,
        masked_rows: machine.vector_bits >= 256,
        lines_at_once: machine.lines_at_once,
        cells: most.cells,
    };
    let scalar = (!func.slots.is_empty()).then(|| func.clone());
    let mut layouts = Layouts::new(slots::run(func, lanes.into()));
    let mut done: Vec<LoopMd> = Vec::new();
    // Each time anew: a loop's exit may be the next one's header.
    while let Some(l) = crate::regions::find_loops(func, &regions.marks).into_iter().find(|l| !done.contains(&l.md)) {
        done.push(l.md);
        if is_rare(func, &l) {
            continue;
        }
        match widen(func, &l, &target, options, &mut layouts) {
            Ok(figures) => {
                out.loops += 1;
                out.figures.add(figures);
            }
            Err(reason) => out.reason = Some(reason.to_owned()),
        }
    }
    if out.loops == 0
        && let Some(scalar) = scalar
    {
        *func = scalar;
    }
    if out.loops > 0 {
        out.lanes = lanes.into();
        let tidy = opt::Options { target: options.target, ..opt::Options::default() };
        opt::clean_up(module, session, regions.func, &tidy, "widen", opt::Slots::Keep).map_err(|e| e.to_string())?;
    }
    Ok(out)
}

/// How many work-items share a vector, or why none do.
fn lanes(func: &Function, regions: &Regions, options: &Options, most: u32) -> Result<u8, String> {
    let trip = |l: &RegionLoop| match l.trip {
        Trip::Known(n) => n,
        Trip::Value(_) => u32::MAX,
    };
    let Some(trip) = regions.loops.iter().map(trip).max() else {
        return Err("the local size in x is 1: work-items run one after another".to_owned());
    };
    if regions.has_warp_ops {
        let fits = options.has_whole_warps() && options.target.warp_size() <= MAX_LANES;
        let why = || format!("the local size in x is no multiple of the warp of {} lanes", options.target.warp_size());
        return if fits { Ok(options.target.warp_size() as u8) } else { Err(why()) };
    }
    let bits = options.machine.vector_bits.max(64);
    let mut lanes = match func.attrs.vec_type_hint {
        Some(hint) => {
            let lanes = crate::hint::lanes(hint, options.machine);
            if lanes < 2 {
                return Err(format!(
                    "a vector of {hint} fills the machine's vectors: vec_type_hint asks for one work-item at a time"
                ));
            }
            lanes
        }
        None => (bits / launch::kernels::element_bits(func)).min(most),
    };
    lanes = 1 << lanes.clamp(2, MAX_LANES).ilog2();
    while lanes / 2 >= trip.max(2) {
        lanes /= 2;
    }
    Ok(lanes as u8)
}

/// Whether a loop over work-items is around loops that hardly ever run.
fn is_rare(func: &Function, l: &RegionLoop) -> bool {
    if !func.loops.values().any(|m| m.rare) {
        return false;
    }
    let info = LoopInfo::new(func);
    let Some(root) = info.loops.header_loop(l.header) else { return false };
    let mut inner = info.loops.data(root).children.iter();
    inner.any(|&c| info.loops.meta(func, c).is_some_and(|m| m.rare))
}

/// Widens one loop.
fn widen(
    func: &mut Function,
    l: &RegionLoop,
    target: &Target,
    options: &Options,
    layouts: &mut Layouts,
) -> Result<Figures, &'static str> {
    let answers = [0, 1].map(|n| func.dfg.iconst(Type::I1, n));
    let mut before = func.clone();
    let info = LoopInfo::new(&before);
    let root = info.loops.header_loop(l.header).ok_or("the loop over work-items is gone")?;
    let interleaved = layouts.interleaved.clone();
    let mut region = Region::new(&before, &info, root, &interleaved);
    check(&region, l, target.lanes as u32 == options.target.warp_size())?;
    let width = u32::from(target.lanes);
    let mut counters = FxHashMap::default();
    let items = match l.trip {
        Trip::Known(n) => n,
        Trip::Value(_) => options.longest_row(),
    };
    counters.insert(l.x, u64::from(items.next_multiple_of(width) - 1));
    let mut bounds = Bounds::new(&before, options, counters.clone(), (l.x, width));
    let closed = region.live_out().is_empty();
    let mut lines = Lines::find(&region, l, &bounds, width);
    if twice(lines.as_ref()) && !(closed && is_small(&region)) {
        lines = None;
    }
    let mut choice = choose(&region, l, &bounds, (target, closed), lines.as_ref());
    let small = matches!(l.trip, Trip::Known(_)) || is_small(&region);
    let few = few::most(&region, l, width, choice.grid.rows, true);
    let small = small && choice.grid.cells() == 1 && (few.is_some() || limit::is_small(&region));
    let limit = small.then(|| Limit::find(&region, l, &bounds, items - 1)).flatten();
    if let Some(limit) = &limit {
        limit.take(&mut before, answers);
        region = Region::new(&before, &info, root, &interleaved);
        bounds = Bounds::new(&before, options, counters, (l.x, width));
        // One vector after another, since nobody knows how many there are.
        let unknown = RegionLoop { trip: Trip::Value(answers[1]), ..l.clone() };
        choice = choose(&region, &unknown, &bounds, (target, false), lines.as_ref());
    }
    let lines = lines.filter(|lines| twice(Some(lines)));
    let general = Shapes::new(&region, l.x, &bounds, &Variance::none(), &Known::default());
    let grid::Choice { grid, rows, shapes, variance } = choice;
    let entry = info.loops.entry_edge(&info.cfg, root).ok_or("the loop over work-items has several ways in")?;
    let start = func.new_block();
    let mut e = Emitter::new(&region, (&shapes, &variance), (target, grid), layouts, func, start);
    e.y = rows.map(|rows| rows.y);
    let first = e.new_block();
    e.here = first;
    let few = few::most(&region, l, width, grid.rows, limit.is_some());
    let stays = emit(&mut e, l, limit, lines.as_ref().map(|lines| (lines, &general)), few);
    let t = before.layout.terminator(l.latch);
    let out = usize::from(before.dfg.successor(t, 0) == l.header);
    let live: Vec<(Value, Value)> = region.live_out().into_iter().map(|v| (v, last_value(&mut e, l, v))).collect();
    let now = |v: Value| live.iter().find(|(old, _)| *old == v).map_or(v, |(_, new)| *new);
    let args: Vec<Value> = before.dfg.branch_args(t, out).iter().map(|&v| now(before.dfg.resolve(v))).collect();
    e.jump(l.exit, &args);
    e.here = start;
    e.jump(first, &[]);
    let (figures, broken) = (e.figures, e.broken);
    if let Some(broken) = broken {
        // What was emitted is unreachable, and goes.
        remove_unreachable(func);
        return Err(broken);
    }
    if let Some(end) = stays {
        few::end_with(func, l, end);
    }
    func.dfg.set_successor(entry.inst, entry.index as usize, start);
    func.dfg.set_branch_args(entry.inst, entry.index as usize, &[]);
    if let Some(rows) = rows {
        rows.step(func, grid.rows);
    }
    if !live.is_empty() {
        for b in before.layout.blocks().filter(|&b| !region.contains(b)) {
            for i in before.layout.insts(b) {
                func.dfg.for_each_use_mut(i, |v| *v = now(*v));
            }
        }
    }
    remove_unreachable(func);
    Ok(figures)
}

/// Whether there are two versions of a body for the sake of lines.
fn twice(lines: Option<&Lines>) -> bool {
    lines.is_some_and(|lines| !lines.are_certain())
}

/// How many vectors an iteration runs; where there are two versions for lines, one.
fn choose(
    r: &Region<'_>,
    l: &RegionLoop,
    bounds: &Bounds<'_>,
    (target, closed): (&Target, bool),
    lines: Option<&Lines>,
) -> grid::Choice {
    let nothing = Known::default();
    let known = lines.map_or(&nothing, |lines| &lines.known);
    if twice(lines) { grid::one(r, l, bounds, known) } else { grid::choose(r, l, bounds, target, closed, known) }
}

/// Emits the loop; where the loop as it was ends, if it stays for what is no more than `few`.
fn emit<'a>(
    e: &mut Emitter<'a>,
    l: &RegionLoop,
    limit: Option<Limit>,
    lines: Option<(&Lines, &'a Shapes)>,
    few: Option<u32>,
) -> Option<Value> {
    let items = |e: &mut Emitter<'_>| match l.trip {
        Trip::Known(n) => e.func.dfg.iconst(Type::I32, n.into()),
        Trip::Value(n) => n,
    };
    match (l.trip, limit, lines) {
        (_, Some(limit), lines) => {
            let trip = items(e);
            let end = limit.end(e, trip);
            let Some((lines, general)) = lines else { return vectors_and_rest(e, l, end, few) };
            let zero = e.func.dfg.iconst(Type::I32, 0);
            let any = e.icmp(IntCC::Ne, end, zero);
            let [some, after] = [(); 2].map(|()| e.new_block());
            e.branch(any, (some, &[]), (after, &[]), None);
            e.here = some;
            lines::vectors(e, l, lines, general, end);
            e.jump(after, &[]);
            e.here = after;
            None
        }
        (_, None, Some((lines, general))) => {
            let trip = items(e);
            lines::vectors(e, l, lines, general, trip);
            None
        }
        (Trip::Known(n), ..) => known_iterations(e, l, n, few),
        (Trip::Value(n), ..) if e.r.live_out().is_empty() && is_small(e.r) => vectors_and_rest(e, l, n, few),
        (Trip::Value(n), ..) => {
            under_masks(e, l, n);
            None
        }
    }
}

fn remove_unreachable(func: &mut Function) {
    let order = ReversePostOrder::new(func);
    edit::remove_unreachable(func, &order);
}

/// Whether a loop's body is so small that it is emitted twice.
fn is_small(r: &Region<'_>) -> bool {
    r.blocks.iter().map(|&b| r.func.layout.insts(b).count()).sum::<usize>() <= MAX_TWICE
}

/// The loop over full vectors, then what is left over, of a known number of work-items; what is no more than `few` is left to the
/// loop as it was, up to what is returned.
fn known_iterations(e: &mut Emitter<'_>, l: &RegionLoop, trip: u32, few: Option<u32>) -> Option<Value> {
    let lanes = u32::from(e.lanes);
    // Columns divide the number of full vectors.
    let (full, rest) = (trip / lanes, trip % lanes);
    let full_items = full * lanes;
    let full = full / u32::from(e.grid.columns).max(1);
    let constant = |e: &mut Emitter<'_>, n: u32| e.func.dfg.iconst(Type::I32, n.into());
    if full == 1 {
        let zero = constant(e, 0);
        e.iteration(l.x, zero, None);
    } else if full > 1 {
        let full_items = constant(e, full_items);
        full_vectors(e, l, full_items);
    }
    if rest > 0 && few.is_some_and(|few| rest <= few) {
        let (base, end) = (constant(e, full_items), constant(e, trip));
        few::one_after_another(e, l, base);
        e.here = e.new_block();
        return Some(end);
    }
    let figures = e.figures;
    if rest > 0 {
        e.grid.columns = 1;
        let (base, count) = (constant(e, full_items), constant(e, rest));
        masked(e, l, base, count);
    }
    // The same accesses once more do not count.
    if full > 0 {
        e.figures = figures;
    }
    None
}

/// The loop over full vectors of `end` work-items, at least one vector.
fn full_vectors(e: &mut Emitter<'_>, l: &RegionLoop, end: Value) {
    let zero = e.func.dfg.iconst(Type::I32, 0);
    let end = guard::Guard::find(e.r, l).map_or(end, |guard| guard.end(e, end));
    let top = e.new_block();
    e.jump(top, &[zero]);
    let base = e.func.dfg.add_param(top, Type::I32);
    e.here = top;
    e.iteration(l.x, base, None);
    let step = e.func.dfg.iconst(Type::I32, i64::from(e.lanes) * i64::from(e.grid.columns));
    let next = e.plain(Opcode::Add, Type::I32, &[base, step]);
    let more = e.icmp(IntCC::Ult, next, end);
    let after = e.new_block();
    e.branch(more, (top, &[next]), (after, &[]), None);
    e.here = after;
}

/// One iteration of `count` work-items from `base` on; there may be more than fill a vector.
fn masked(e: &mut Emitter<'_>, l: &RegionLoop, base: Value, count: Value) {
    let (iota, count) = (e.steps(Type::I32, 1), e.splat(count));
    let mask = e.icmp(IntCC::Ult, iota, count);
    e.iteration(l.x, base, Some(mask));
}

/// The loop over the full vectors of a number of work-items that the launch says, then what is left over: each only if
/// there is any. What is no more than `few` is left to the loop as it was, up to what is returned.
fn vectors_and_rest(e: &mut Emitter<'_>, l: &RegionLoop, trip: Value, few: Option<u32>) -> Option<Value> {
    let (lanes, zero) = (i64::from(e.lanes), e.func.dfg.iconst(Type::I32, 0));
    let (whole, part) = (e.func.dfg.iconst(Type::I32, -lanes), e.func.dfg.iconst(Type::I32, lanes - 1));
    let full_items = e.plain(Opcode::And, Type::I32, &[trip, whole]);
    let rest = e.plain(Opcode::And, Type::I32, &[trip, part]);
    let [some, then, left, after] = [(); 4].map(|()| e.new_block());
    let any = e.icmp(IntCC::Ne, full_items, zero);
    e.branch(any, (some, &[]), (then, &[]), None);
    e.here = some;
    full_vectors(e, l, full_items);
    e.jump(then, &[]);
    let figures = e.figures;
    e.here = then;
    let any = e.icmp(IntCC::Ne, rest, zero);
    e.branch(any, (left, &[]), (after, &[]), None);
    e.here = left;
    if let Some(few) = few {
        if few + 1 == u32::from(e.lanes) {
            few::one_after_another(e, l, full_items);
            e.here = after;
            e.figures = figures;
            return Some(trip);
        }
        let few = e.func.dfg.iconst(Type::I32, few.into());
        let is_few = e.icmp(IntCC::Ule, rest, few);
        let [alone, many] = [(); 2].map(|()| e.new_block());
        e.branch(is_few, (alone, &[]), (many, &[]), None);
        e.here = alone;
        few::one_after_another(e, l, full_items);
        e.here = many;
    }
    e.grid.columns = 1;
    masked(e, l, full_items, rest);
    e.jump(after, &[]);
    e.here = after;
    // The same accesses once more do not count.
    e.figures = figures;
    few.map(|_| trip)
}

/// A loop over vectors that all run under masks: what it leaves is in the last one, and the code is there once.
fn under_masks(e: &mut Emitter<'_>, l: &RegionLoop, trip: Value) {
    let zero = e.func.dfg.iconst(Type::I32, 0);
    let step = e.func.dfg.iconst(Type::I32, e.lanes.into());
    let top = e.new_block();
    e.jump(top, &[zero]);
    let base = e.func.dfg.add_param(top, Type::I32);
    e.here = top;
    let count = e.plain(Opcode::Sub, Type::I32, &[trip, base]);
    masked(e, l, base, count);
    let next = e.plain(Opcode::Add, Type::I32, &[base, step]);
    let more = e.icmp(IntCC::Ult, next, trip);
    let after = e.new_block();
    e.branch(more, (top, &[next]), (after, &[]), None);
    e.here = after;
}

/// What the last work-item has left in `v`, once all iterations are emitted.
fn last_value(e: &mut Emitter<'_>, l: &RegionLoop, v: Value) -> Value {
    let lanes = i64::from(e.lanes);
    e.home = l.latch;
    e.cell = e.grid.columns - 1;
    let w = e.wide(v);
    let lane = match l.trip {
        Trip::Known(n) => e.func.dfg.iconst(Type::I32, (i64::from(n) - 1) % lanes),
        Trip::Value(n) => {
            let (less, part) = (e.func.dfg.iconst(Type::I32, -1), e.func.dfg.iconst(Type::I32, lanes - 1));
            let last = e.plain(Opcode::Add, Type::I32, &[n, less]);
            e.plain(Opcode::And, Type::I32, &[last, part])
        }
    };
    let ty = e.r.func.dfg.ty(v);
    let made = e.lane(&w, ty, lane);
    e.cell = 0;
    made
}

/// Whether a loop can be widened, or why not.
/// `warps` says that the lanes are those of a warp.
fn check(r: &Region<'_>, l: &RegionLoop, warps: bool) -> Result<(), &'static str> {
    if r.info.loops.has_irreducible() {
        return Err("its control flow has a cycle with several entries");
    }
    if r.func.dfg.params(l.header) != [l.x] {
        return Err("the loop over work-items carries values from one to the next");
    }
    for &b in &r.blocks {
        for i in r.func.layout.insts(b) {
            let data = &r.func.dfg.insts[i];
            if data.is_convergent() && !(warps && warp::is_known(data)) {
                return Err("it has operations across the lanes of a warp");
            }
            match data.op {
                Opcode::InlineAsm => return Err("it has inline assembly"),
                Opcode::Special => return Err("it reads a special register of the GPU"),
                Opcode::Return => return Err("a work-item ends in the middle of the kernel"),
                _ if data.ty.lanes() > 16 || data.ty.is_vector() && data.ty.is_ptr() => {
                    return Err("it has vectors of pointers");
                }
                _ => {}
            }
        }
    }
    if r.mixes_slots() {
        return Err("addresses of private arrays are computed in a way that is not covered");
    }
    for (s, data) in r.func.slots.iter() {
        let copies = if r.interleaved[s].is_some() { 1 } else { MAX_LANES };
        if u64::from(data.size) * u64::from(copies * grid::MAX_CELLS) > u64::from(u32::MAX / 2) {
            return Err("a private array is too large");
        }
    }
    Ok(())
}
