//! Reads [`LoopFacts`] out of the IR.
//!
//! What must hold: the loop is rotated and simplified ([`crate::rotate`], [`analysis::loop_simplify`]), so that its size
//! is the one that the thresholds were measured for. Cost: trip counts and exits; the loop's size where it can matter or
//! somebody reads it; a simulation only where the size estimate fails and the trip count is small.

use crate::assembly;
use crate::cost::{DIVISION_COST, Users, inst_cost, instructions};
use crate::decide::size_matters;
use crate::facts::{FIXED_COST, LoopFacts};
use crate::flips::flips;
use crate::lanes::Lanes;
use crate::nested_conditions;
use crate::params::{Profile, UnrollParams};
use crate::private;
use crate::request::Request;
use crate::simulate::{KnownValues, Subject, simulate};
use crate::trips::trips;
use analysis::loops::traps;
use analysis::{Expr, Loop, LoopInfo, Node, Scev};
use ir::{Block, Flags, Function, Inst, Intrinsic, Module, Opcode, Payload, UnrollRequest, Value, ValueDef};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// An exit that ends the loop after a constant number of back edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CountedExit {
    /// The block whose terminator leaves.
    pub block: Block,
    /// Back edges taken before.
    pub backedges: u64,
}

/// What the transformations need to know besides the facts.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Plain data for the decision.
    pub facts: LoopFacts,
    /// Exits with constant counts.
    pub counted: SmallVec<[CountedExit; 2]>,
    /// Back edges that the latch's exit allows, to be computed before the loop.
    pub backedges: Option<Expr>,
}

/// What a loop is measured for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Somebody reads the facts.
    Report,
    /// Only the decision counts: sizes that cannot change it stay unmeasured.
    Decision,
}

/// What measuring the loops of one depth shares.
pub struct Level<'a> {
    func: &'a Function,
    info: &'a LoopInfo,
    depth: u32,
    /// Of the loop measured last.
    users: Users,
    known: KnownValues,
    /// Values used outside of their loop. Found when first asked for, by one walk over the function.
    escaping: Option<FxHashSet<Value>>,
    lanes: Lanes,
}

impl<'a> Level<'a> {
    /// For the loops of nesting depth `depth`.
    pub fn new(func: &'a Function, info: &'a LoopInfo, depth: u32) -> Self {
        Self {
            func,
            info,
            depth,
            users: Users::default(),
            known: KnownValues::default(),
            escaping: None,
            lanes: Lanes::default(),
        }
    }

    /// The values of loop `l` that are used outside of it.
    fn live_out(&mut self, l: Loop) -> Vec<Value> {
        let (func, info, depth) = (self.func, self.info, self.depth);
        let all = self.escaping.get_or_insert_with(|| escaping(func, info, depth));
        let mut out = Vec::new();
        for &b in &info.loops.data(l).blocks {
            let results = func.layout.insts(b).filter_map(|i| func.dfg.result(i));
            out.extend(func.dfg.params(b).iter().copied().chain(results).filter(|v| all.contains(v)));
        }
        out
    }
}

fn escaping(func: &Function, info: &LoopInfo, depth: u32) -> FxHashSet<Value> {
    let home = |b: Block| {
        let mut at = info.loops.innermost(b)?;
        while info.loops.data(at).depth > depth {
            at = info.loops.parent(at)?;
        }
        (info.loops.data(at).depth == depth).then_some(at)
    };
    let mut out = FxHashSet::default();
    for b in func.layout.blocks() {
        let here = home(b);
        for i in func.layout.insts(b) {
            func.dfg.for_each_use(i, |v| {
                let defined = match func.dfg.def(v) {
                    ValueDef::Inst(d) => func.layout.inst_block(d),
                    ValueDef::Param(p, _) => Some(p),
                    _ => None,
                };
                let from = defined.and_then(home);
                if from.is_some() && from != here {
                    out.insert(v);
                }
            });
        }
    }
    out
}

/// Measures loop `l`.
///
/// Where the purpose allows it and [`size_matters`] says so, the facts about what the body holds are left out.
pub fn measure(
    module: &Module,
    scev: &mut Scev<'_>,
    level: &mut Level<'_>,
    l: Loop,
    request: &Request,
    params: &UnrollParams,
    purpose: Purpose,
) -> Measured {
    let (func, info) = (scev.func, scev.info);
    let data = info.loops.data(l);
    let mut facts = LoopFacts { innermost: data.children.is_empty(), depth: data.depth, ..LoopFacts::default() };
    let exits = info.loops.leaving_edges(func, l);
    facts.exits = exits.len() as u32;
    let mut counted = SmallVec::new();
    let backedges = trips(scev, l, &exits, &mut counted, &mut facts, params, &mut level.lanes);
    let entry = entry_values(func, info, l);
    facts.constant_start = entry.iter().any(|&v| func.dfg.as_bits(v).is_some() && func.dfg.ty(v).is_int());
    facts.settles_after = settles_after(func, info, l, params.max_peel_count);
    if facts.innermost && params.allow_peeling {
        facts.flips = flips(scev, l, &data.blocks, params.max_peel_count);
    }
    let meta = info.loops.meta(func, l);
    facts.done = meta.is_some_and(|m| m.done);
    facts.estimated_trip = meta.and_then(|m| m.expected);
    facts.function_size = u32::try_from(func.dfg.insts.len()).unwrap_or(u32::MAX);
    if purpose == Purpose::Report || size_matters(&facts, request, params) {
        let trip = if request.is_explicit() { facts.counted_trip } else { facts.trip_count };
        let more = matches!(request.unroll, UnrollRequest::Count(n) if n > trip) && trip > 0;
        let more = more && params.profile == Profile::Cicc23 && facts.innermost && !facts.done;
        measure_body(module, scev, level, l, Wanted { trip, more }, params, &mut facts);
    }
    Measured { facts, counted, backedges }
}

/// What is to be known of the straight-line code that a loop could become.
#[derive(Clone, Copy)]
struct Wanted {
    /// Its iterations.
    trip: u32,
    /// More copies than that were asked for.
    more: bool,
}

/// The facts about what the body of a loop holds, and what as many copies of it as are wanted would cost.
fn measure_body(
    module: &Module,
    scev: &mut Scev<'_>,
    level: &mut Level<'_>,
    l: Loop,
    wanted: Wanted,
    params: &UnrollParams,
    facts: &mut LoopFacts,
) {
    let (func, info, trip) = (scev.func, scev.info, wanted.trip);
    let blocks = &info.loops.data(l).blocks[..];
    let preds = |b: Block| info.cfg.preds(b).len();
    level.users.newer = params.profile == Profile::Cicc23;
    level.users.look_at(func, blocks);
    scan(func, module, &level.users, blocks, &preds, facts);
    facts.cheap_trip &= !(level.users.newer && nested_conditions::beside_meetings(func, module, info, l));
    facts.size = facts.size.saturating_add(trap_cost(func, info, l, level.users.newer));
    facts.local_array = private::elements(func, info, l, blocks, params.assumed_size);
    facts.size = facts.size.saturating_sub(cheaper_by_range(func, scev, blocks)).max(FIXED_COST + 1);
    if facts.local_array > 0 && facts.innermost {
        facts.array_period = private::period(func, scev, l, blocks);
    }
    let few = worth_simulating(facts, trip, params);
    // What straight-line code saves by more copies than iterations is told to the loop around.
    let few = few || wanted.more && facts.depth > 1 && trip <= params.max_iteration_count_to_analyze;
    let many = facts.innermost && trip > 0 && !facts.done && facts.unrolled_size(trip) >= params.threshold.into();
    let live_out = if few || many { level.live_out(l) } else { Vec::new() };
    let entry = entry_values(func, info, l);
    let free_addresses = params.profile == Profile::Cicc23;
    let subject =
        Subject { func, module, blocks, entry: &entry, users: &level.users, live_out: &live_out, free_addresses };
    if few {
        facts.simulated = simulate(&subject, &mut level.known, trip, &preds);
    }
    facts.folded_cost = match facts.simulated {
        Some(c) => Some([c.unrolled / c.iterations.max(1); 3]),
        // Enough for what a partial unroll leaves: products with nothing and with one are gone, and the third iteration stands for
        // those behind it.
        None if many => {
            let mut cost = |n| simulate(&subject, &mut level.known, n, &preds).map(|c| c.unrolled);
            let all = [cost(1), cost(2), cost(3)];
            if let [Some(one), Some(two), Some(three)] = all {
                Some([one, two.saturating_sub(one), three.saturating_sub(two)])
            } else {
                None
            }
        }
        None => None,
    };
}

/// The simulation decides only loops that are too large, but not by more than it can earn.
fn worth_simulating(facts: &LoopFacts, trip: u32, params: &UnrollParams) -> bool {
    let size = facts.unrolled_size(trip);
    facts.innermost
        && !facts.done
        && trip > 0
        && trip <= params.max_iteration_count_to_analyze
        && size >= u64::from(params.threshold)
        && params.max_percent_threshold_boost > 100
        && u64::from(facts.size) * u64::from(trip) < 1 << 20
}

fn scan(
    func: &Function,
    module: &Module,
    users: &Users,
    blocks: &[Block],
    preds: &impl Fn(Block) -> usize,
    facts: &mut LoopFacts,
) {
    let mut size = 0u64;
    if facts.variable_step {
        let merged = blocks.first().map_or(0, |&header| func.dfg.params(header).len());
        let own = blocks.iter().flat_map(|&b| func.layout.insts(b)).map(|i| instructions(func, users, i, preds));
        facts.instructions = own.sum::<u32>().saturating_add(merged as u32);
    }
    for &b in blocks {
        for i in func.layout.insts(b) {
            size += u64::from(inst_cost(func, users, i, preds));
            let data = &func.dfg.insts[i];
            facts.convergent |= data.is_convergent();
            facts.asks_active |= data.intrinsic() == Some(Intrinsic::ActiveMask);
            match data.op {
                Opcode::Call => {
                    facts.calls = true;
                    let callee = data.callee().and_then(|f| module.functions.get(f));
                    facts.convergent |= callee.is_none_or(|f| f.attrs.convergent);
                }
                Opcode::InlineAsm => facts.duplicable &= asm_is_duplicable(func, i),
                _ => {}
            }
        }
    }
    facts.size = u32::try_from(size).unwrap_or(u32::MAX / 2).max(FIXED_COST + 1);
}

/// What an assertion costs in a loop, as measured: a call with five arguments, and the jump back.
const ASSERTION: u32 = 7;

/// What the calls cost that stop the program: for nvcc, control goes on behind them.
fn trap_cost(func: &Function, info: &LoopInfo, l: Loop, newer: bool) -> u32 {
    let edges = info.loops.exit_edges(func, l);
    let stops = edges.iter().map(|e| func.dfg.successor(e.inst, e.index as usize)).filter(|&b| traps(func, b));
    let asserts = |b: Block| {
        func.layout.insts(b).any(|i| {
            func.dfg.insts[i].intrinsic() == Some(Intrinsic::Trap) && func.dfg.insts[i].flags.has(Flags::ASSERTION)
        })
    };
    stops.map(|b| if asserts(b) { ASSERTION } else { 2 - u32::from(newer) }).sum()
}

/// What the range of an induction variable saves: masks that clear no bit are gone, and signed divisions by powers of
/// two are shifts and masks, in cicc.
fn cheaper_by_range(func: &Function, scev: &mut Scev<'_>, blocks: &[Block]) -> u32 {
    let mut saved = 0;
    for i in blocks.iter().flat_map(|&b| func.layout.insts(b)) {
        let op = func.dfg.op(i);
        if !matches!(op, Opcode::And | Opcode::SDiv | Opcode::SRem) || func.dfg.insts[i].ty.is_vector() {
            continue;
        }
        let Some(n) = func.dfg.as_bits(func.dfg.arg(i, 1)) else { continue };
        let of_power = if op == Opcode::And { n.wrapping_add(1) } else { n }.is_power_of_two();
        let e = scev.expr(func.dfg.arg(i, 0));
        if !of_power || !matches!(scev.exprs.node(e), Node::AddRec { .. }) {
            continue;
        }
        let range = scev.range(e);
        saved += match op {
            Opcode::And => u32::from(range.umax <= n),
            _ if range.smin >= 0 => DIVISION_COST - 1,
            _ => 0,
        };
    }
    saved
}

/// Labels outside of a `{ … }` scope would be defined twice.
fn asm_is_duplicable(func: &Function, inst: Inst) -> bool {
    let Payload::Asm(id) = func.dfg.insts[inst].payload else { return true };
    !assembly::has_open_labels(&func.dfg.asms[id].text)
}

/// Values of the header's parameters on entry; empty if there are several ways in.
fn entry_values(func: &Function, info: &LoopInfo, l: Loop) -> SmallVec<[Value; 8]> {
    let Some(e) = info.loops.entry_edge(&info.cfg, l) else { return SmallVec::new() };
    func.dfg.branch_args(e.inst, e.index as usize).into()
}

/// After how many iterations every header parameter that settles has settled: one whose next value is invariant after
/// one iteration, one that takes the value of such a parameter one later, and so on.
fn settles_after(func: &Function, info: &LoopInfo, l: Loop, max: u32) -> u32 {
    let header = info.loops.header(l);
    let Some(latch) = info.loops.latch(l) else { return 0 };
    let term = func.layout.terminator(latch);
    let Some(back) = func.dfg.successors(term).position(|b| b == header) else { return 0 };
    let params = func.dfg.params(header);
    let next = func.dfg.branch_args(term, back);
    let mut after: SmallVec<[u32; 8]> = SmallVec::from_elem(0, params.len());
    for round in 1..=max {
        let mut changed = false;
        for k in 0..params.len() {
            if after[k] != 0 {
                continue;
            }
            let settles = match params.iter().position(|&p| p == next[k]) {
                Some(j) if j == k => false,
                Some(j) => after[j] != 0 && after[j] < round,
                None => round == 1 && info.loops.defined_outside(func, l, next[k]),
            };
            if settles {
                after[k] = round;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    after.into_iter().max().unwrap_or(0)
}
