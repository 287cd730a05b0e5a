//! Nests of two loops whose outer iterations may run side by side: what unroll-and-jam asks.
//!
//! Jamming runs, for a group of outer iterations, first what stands before their inner loops (*fore*), then their
//! inner loops in step, then what stands after (*aft*). Reordered are
//!
//! * the fore of an iteration with the inner loops and afts of those before it in the group,
//! * an inner iteration with the later inner iterations, and with the afts, of those before it.
//!
//! What must hold, and is checked: one inner loop without loops inside, reached and left exactly once per outer
//! iteration, with one exit and as many iterations each time; no effects but plain loads and stores; no value that one
//! outer iteration's fore or inner loop takes from the inner loop or aft of the one before; no two reordered accesses
//! to the same bytes ([`analysis::dependence`]), which bounds how many iterations a group may have.
//!
//! Limits: [`MAX_ACCESSES`]. Cost: the square of the accesses, for loops that are asked about.

use crate::facts::{Conflict, Jam, JamObstacle, NestFacts};
use crate::measure::Measured;
use analysis::dependence::{self, Access, Counted, Inner};
use analysis::{Alias, AliasQuery, AliasResult, Edge, Location, Loop, LoopInfo, Scev};
use ir::{Block, Flags, Function, Inst, Module, Opcode, Value, ValueDef};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Most loads and stores in a nest.
const MAX_ACCESSES: usize = 64;
/// Longest chain of instructions after the inner loop that may be computed before it.
const MAX_CHAIN: u32 = 32;

/// The blocks of a nest that may be jammed.
#[derive(Clone, Debug)]
pub(crate) struct Nest {
    /// The inner loop's header.
    pub(crate) header: Block,
    /// The block before it: the last of the fore.
    pub(crate) preheader: Block,
    /// The inner loop's latch.
    pub(crate) latch: Block,
    /// Where the inner loop's exit leads: the first block of the aft.
    pub(crate) after: Block,
    /// The inner loop tests in its header, which then holds nothing but pure instructions; otherwise in its latch.
    pub(crate) tested_first: bool,
    /// Values of the aft from which the fore of the next iteration starts, in execution order.
    pub(crate) early: Vec<Value>,
}

/// Where a block of the nest stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Fore,
    Inner,
    Aft,
}

/// The only loop inside `l`, if the two are a nest that jamming is about.
pub(crate) fn inner_loop(info: &LoopInfo, l: Loop) -> Result<Loop, JamObstacle> {
    let [inner] = info.loops.data(l).children[..] else { return Err(JamObstacle::NotANest) };
    if info.loops.data(inner).children.is_empty() { Ok(inner) } else { Err(JamObstacle::Deeper) }
}

/// The nearest loop that is the outer one of such a nest: around `l`, or the first inside of it.
pub(crate) fn nearest(info: &LoopInfo, l: Loop) -> Option<Loop> {
    if info.loops.data(l).children.is_empty() {
        return info.loops.parent(l).filter(|&p| inner_loop(info, p).is_ok());
    }
    let mut inside = vec![l];
    while let Some(at) = inside.pop() {
        if inner_loop(info, at).is_ok() {
            return Some(at);
        }
        inside.extend(info.loops.data(at).children.iter().rev());
    }
    None
}

/// Everything the decision and the transformation need to know about the nest around `l`. The outer loop is rotated
/// and simplified, the inner one simplified.
pub(crate) fn examine(
    module: &Module,
    scev: &mut Scev<'_>,
    l: Loop,
    measured: &Measured,
    line: &dyn Fn(Inst) -> u32,
) -> (Jam, Option<Nest>) {
    match Examined::new(scev, l).and_then(|e| Ok((e.facts(module, scev, measured, line)?, e.nest))) {
        Ok((facts, nest)) => (Jam::Yes(facts), Some(nest)),
        Err(why) => (Jam::No(why), None),
    }
}

struct Examined {
    outer: Loop,
    inner: Loop,
    nest: Nest,
}

impl Examined {
    fn new(scev: &Scev<'_>, outer: Loop) -> Result<Self, JamObstacle> {
        let (func, info) = (scev.func, scev.info);
        let inner = inner_loop(info, outer)?;
        if info.loops.has_irreducible() {
            return Err(JamObstacle::Irregular);
        }
        let nest = shape(func, info, outer, inner).ok_or(JamObstacle::Irregular)?;
        let mut this = Self { outer, inner, nest };
        if info.loops.data(outer).blocks.iter().any(|&b| func.layout.insts(b).any(|i| !this.is_movable(func, b, i))) {
            return Err(JamObstacle::Effects);
        }
        this.nest.early = this.early_values(func, info).ok_or(JamObstacle::Carried)?;
        Ok(this)
    }

    fn part(&self, info: &LoopInfo, b: Block) -> Part {
        if info.loops.contains(self.inner, b) {
            Part::Inner
        } else if info.dom.dominates(self.nest.header, b) {
            Part::Aft
        } else {
            Part::Fore
        }
    }

    /// Whether other iterations' instructions may be executed between this one and its neighbours.
    fn is_movable(&self, func: &Function, b: Block, i: Inst) -> bool {
        let data = &func.dfg.insts[i];
        let plain = match data.op {
            Opcode::Load | Opcode::Store => !data.flags.has(Flags::VOLATILE),
            Opcode::Assume => true,
            op => op.is_terminator() && op != Opcode::Return || data.is_pure() && !data.is_convergent(),
        };
        let tested_first = self.nest.tested_first && b == self.nest.header;
        plain && (!tested_first || !matches!(data.op, Opcode::Load | Opcode::Store))
    }

    /// Values of the aft that the next iteration's fore needs; `None` if they cannot be computed before the inner
    /// loop, or if the fore or the inner loop takes others from the iteration before.
    fn early_values(&self, func: &Function, info: &LoopInfo) -> Option<Vec<Value>> {
        let data = info.loops.data(self.outer);
        let params = func.dfg.params(data.header);
        let latch = info.loops.latch(self.outer)?;
        let term = func.layout.terminator(latch);
        let back = func.dfg.successors(term).position(|b| b == data.header)?;
        let next = func.dfg.branch_args(term, back);
        let mut late: FxHashSet<Value> = FxHashSet::default();
        loop {
            let mut chain = Chain { nest: self, func, info, late: &late, known: FxHashMap::default() };
            let more: Vec<Value> = params
                .iter()
                .zip(next)
                .filter(|(p, v)| !late.contains(p) && !chain.is_early(**v, 0))
                .map(|x| *x.0)
                .collect();
            if more.is_empty() {
                let known = chain.known;
                return self.only_aft_uses(func, info, &late).then(|| self.in_order(func, info, &known));
            }
            late.extend(more);
        }
    }

    fn only_aft_uses(&self, func: &Function, info: &LoopInfo, late: &FxHashSet<Value>) -> bool {
        let before = info.loops.data(self.outer).blocks.iter().filter(|&&b| self.part(info, b) != Part::Aft);
        let mut good = true;
        for i in before.flat_map(|&b| func.layout.insts(b)) {
            func.dfg.for_each_use(i, |v| good &= !late.contains(&func.dfg.resolve(v)));
        }
        good
    }

    fn in_order(&self, func: &Function, info: &LoopInfo, known: &FxHashMap<Value, bool>) -> Vec<Value> {
        let aft = info.loops.data(self.outer).blocks.iter().filter(|&&b| self.part(info, b) == Part::Aft);
        let results = aft.flat_map(|&b| func.layout.insts(b)).filter_map(|i| func.dfg.result(i));
        results.filter(|v| known.get(v) == Some(&true)).collect()
    }

    fn facts(
        &self,
        module: &Module,
        scev: &mut Scev<'_>,
        measured: &Measured,
        line: &dyn Fn(Inst) -> u32,
    ) -> Result<NestFacts, JamObstacle> {
        let (func, info) = (scev.func, scev.info);
        let exit = if self.nest.tested_first { self.nest.header } else { self.nest.latch };
        let count = scev.exit_count(self.inner, exit);
        let exact = count.exact.filter(|&e| scev.is_invariant(e, self.outer)).ok_or(JamObstacle::InnerTrip)?;
        let less = u64::from(self.nest.tested_first);
        let one = scev.exprs.constant(less, scev.exprs.bits(exact));
        let last = scev.sub(exact, one);
        let max_last = count.max.map(|n| n.saturating_sub(less));
        let inner = Counted { l: self.inner, last: Some(last), max_last, tested_first: self.nest.tested_first };
        let trips = u64::from(measured.facts.max_trip);
        let outer = Counted {
            l: self.outer,
            last: measured.backedges,
            max_last: (trips > 0).then(|| trips - 1),
            tested_first: false,
        };
        let loops = dependence::Nest { outer, inner };
        let accesses = self.accesses(scev, &loops)?;
        let (most, conflict) = self.widest_group(module, scev, &loops, &accesses, line);
        if let (0..=1, Some(c)) = (most, conflict) {
            return Err(JamObstacle::Conflict(c));
        }
        let blocks = &info.loops.data(self.inner).blocks;
        let mut users = crate::cost::Users::default();
        users.look_at(func, blocks);
        let preds = |b: Block| info.cfg.preds(b).len();
        let costs =
            blocks.iter().flat_map(|&b| func.layout.insts(b)).map(|i| crate::cost::inst_cost(func, &users, i, preds));
        let shared = |a: &&Reference| {
            !a.writes && a.access.inside && a.access.at.is_some_and(|s| scev.exprs.as_int(s.outer) == Some(0))
        };
        Ok(NestFacts {
            inner_size: costs.fold(0, u32::saturating_add).max(1),
            inner_trip: count.constant.and_then(|n| u32::try_from(n + 1 - less).ok()).unwrap_or(0),
            shared_loads: accesses.iter().filter(shared).count() as u32,
            straight: blocks.len() <= 1 + usize::from(self.nest.tested_first),
            most,
            conflict,
        })
    }

    fn accesses(&self, scev: &mut Scev<'_>, loops: &dependence::Nest) -> Result<Vec<Reference>, JamObstacle> {
        let (func, info) = (scev.func, scev.info);
        let mut out = Vec::new();
        for &b in &info.loops.data(self.outer).blocks {
            let part = self.part(info, b);
            for i in func.layout.insts(b) {
                let Some(at) = Location::accessed(func, i) else { continue };
                if out.len() == MAX_ACCESSES {
                    return Err(JamObstacle::ManyAccesses);
                }
                let size = at.size.and_then(|n| u32::try_from(n).ok()).unwrap_or(u32::MAX);
                let access = Access { at: loops.subscript(scev, at.ptr), size, inside: part == Part::Inner };
                out.push(Reference { inst: i, ptr: at.ptr, writes: func.dfg.op(i) == Opcode::Store, part, access });
            }
        }
        Ok(out)
    }

    /// How many outer iterations may run side by side, and what forbids more.
    fn widest_group(
        &self,
        module: &Module,
        scev: &mut Scev<'_>,
        loops: &dependence::Nest,
        accesses: &[Reference],
        line: &dyn Fn(Inst) -> u32,
    ) -> (u32, Option<Conflict>) {
        let alias = Alias::new(scev.func, &scev.info.cfg);
        let query = AliasQuery { alias: &alias, func: scev.func, globals: &module.globals };
        // Of whole objects: what tells addresses of one iteration apart says nothing about two.
        let object = |ptr: Value| Location::bytes(ptr, None);
        let mut most = u32::MAX;
        let mut conflict = None;
        for x in accesses {
            for y in accesses.iter().filter(|y| x.writes || y.writes) {
                let when = match (x.part, y.part) {
                    (Part::Inner | Part::Aft, Part::Fore) | (Part::Aft, Part::Inner) => Inner::Any,
                    (Part::Inner, Part::Inner) => Inner::Later,
                    _ => continue,
                };
                if query.alias(object(x.ptr), object(y.ptr)) == AliasResult::No {
                    continue;
                }
                let limit = loops.distance(scev, &x.access, &y.access, when);
                if let Some(d) = limit.filter(|&d| d < most) {
                    most = d;
                    conflict = Some(Conflict { distance: d, first: line(x.inst), second: line(y.inst) });
                }
            }
        }
        (most, conflict)
    }
}

/// A load or store of the nest.
struct Reference {
    inst: Inst,
    ptr: Value,
    writes: bool,
    part: Part,
    access: Access,
}

/// The blocks of the nest, if it has the shape that jamming needs.
fn shape(func: &Function, info: &LoopInfo, outer: Loop, inner: Loop) -> Option<Nest> {
    let loops = &info.loops;
    let (header, latch, preheader) =
        (loops.header(inner), loops.latch(inner)?, loops.preheader(func, &info.cfg, inner)?);
    let outer_latch = loops.latch(outer)?;
    let [exit] = loops.exit_edges(func, inner)[..] else { return None };
    let [outer_exit] = loops.exit_edges(func, outer)[..] else { return None };
    let after = func.dfg.successor(exit.inst, exit.index as usize);
    let once = |b: Block, to: Block| func.succs(b).filter(|&s| s == to).count() == 1;
    let tested_first = exit.from == header && header != latch;
    let regular = outer_exit.from == outer_latch
        && func.dfg.op(outer_exit.inst) == Opcode::Br
        && func.dfg.op(exit.inst) == Opcode::Br
        && (tested_first && func.dfg.op(func.layout.terminator(latch)) == Opcode::Jump || exit.from == latch)
        && once(latch, header)
        && loops.innermost(after) == Some(outer)
        && after != loops.header(outer)
        && info.cfg.preds(after).len() == 1
        && info.dom.dominates(header, outer_latch)
        && !loops.contains(inner, outer_latch);
    // What is reached around the inner loop belongs to neither side of it.
    let straight_past = |b: Block| {
        let aft = info.dom.dominates(header, b);
        func.succs(b).all(|s| {
            let on = !loops.contains(outer, s) || s == loops.header(outer);
            if aft {
                on || info.dom.dominates(header, s) && !loops.contains(inner, s)
            } else {
                !on && (s == header || !info.dom.dominates(header, s))
            }
        })
    };
    let beside = loops.data(outer).blocks.iter().filter(|&&b| !loops.contains(inner, b));
    (regular && beside.into_iter().all(|&b| straight_past(b))).then(|| Nest {
        header,
        preheader,
        latch,
        after,
        tested_first,
        early: Vec::new(),
    })
}

/// An exit of an inner loop that leads straight back to the header of the loop around it, where there is no aft.
pub(crate) fn missing_aft(func: &Function, info: &LoopInfo, outer: Loop, inner: Loop) -> Option<Edge> {
    let exits = info.loops.exit_edges(func, inner);
    exits.into_iter().find(|e| func.dfg.successor(e.inst, e.index as usize) == info.loops.header(outer))
}

/// Finds out which values can be computed before the inner loop.
struct Chain<'a> {
    nest: &'a Examined,
    func: &'a Function,
    info: &'a LoopInfo,
    /// Parameters of the outer header that cannot.
    late: &'a FxHashSet<Value>,
    /// Values of the aft that were asked about.
    known: FxHashMap<Value, bool>,
}

impl Chain<'_> {
    fn is_early(&mut self, v: Value, depth: u32) -> bool {
        let v = self.func.dfg.resolve(v);
        let (info, outer) = (self.info, self.nest.outer);
        if info.loops.defined_outside(self.func, outer, v) {
            return true;
        }
        let inst = match self.func.dfg.def(v) {
            ValueDef::Param(b, _) if b == info.loops.header(outer) => return !self.late.contains(&v),
            ValueDef::Param(b, _) => return self.nest.part(info, b) == Part::Fore,
            ValueDef::Inst(i) => i,
            _ => return false,
        };
        let Some(block) = self.func.layout.inst_block(inst) else { return false };
        match self.nest.part(info, block) {
            Part::Fore => return true,
            Part::Inner => return false,
            Part::Aft => {}
        }
        if let Some(&known) = self.known.get(&v) {
            return known;
        }
        let data = &self.func.dfg.insts[inst];
        let args: SmallVec<[Value; 4]> = self.func.dfg.args(inst).into();
        let early = depth < MAX_CHAIN
            && data.is_pure()
            && data.op.is_cheap()
            && args.into_iter().all(|a| self.is_early(a, depth + 1));
        self.known.insert(v, early);
        early
    }
}
