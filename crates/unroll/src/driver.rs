//! The pass: both pipeline invocations run through here.
//!
//! Loops are worked on by nesting depth, deepest first; loops of one depth do not contain each other, so one analysis
//! serves them all. For each depth: canonical shape, facts, decisions, closed form for the loops that change, and the
//! transformations. Every loop that had a hint gets an answer in the ledger; every loop gets remarks if they are
//! wanted.
//!
//! Early unrolling of a known trip count may leave so few iterations that the late invocation would straighten them.
//! Both decisions are made here at once, on the measured sizes, so that what clean-up does in between cannot change
//! them; the loop is then copied once.
//!
//! Cost: nesting depth times the function, plus what is copied.

mod held;
mod jam;

pub use jam::run_jam;

use crate::config::Invocation;
use crate::cost::is_apart;
use crate::decide;
use crate::decision::{Decision, Finding, Kind, Priority, Step};
use crate::facts::{LoopFacts, SimulatedCost};
use crate::lcssa;
use crate::measure::{Level, Measured, Purpose, measure};
use crate::params::{Knobs, Profile, SizeLevel, UnrollParams};
use crate::remarks::{self, RemarkKind};
use crate::request::Request;
use crate::rotate;
use crate::transform::{self, Target};
use analysis::{Cfg, Exprs, Loop, LoopInfo, Scev, loop_simplify, straight_line};
use ir::edit;
use ir::{Builder, Flags, Function, Inst, LoopMeta, Module, Opcode, Payload};
use smallvec::SmallVec;
use source::{Answer, Diagnostic, Fate, HintKind, LoopReport, Session, Severity, Span, TrailStep};

/// Which remarks to report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RemarkFilter {
    /// `-Rpass=loop-unroll`
    pub passed: bool,
    /// `-Rpass-missed=loop-unroll`
    pub missed: bool,
    /// `-Rpass-analysis=loop-unroll`
    pub analysis: bool,
}

/// Replaces a decision by another one that the facts allow.
pub type Chaos<'a> = dyn FnMut(&LoopFacts, Decision) -> Decision + 'a;

/// What the pass is given besides the function.
pub struct UnrollContext<'a> {
    /// The module; the entry of the function being worked on is not looked at.
    pub module: &'a Module,
    /// Diagnostics and the hint ledger.
    pub session: &'a mut Session,
    /// What the code is for.
    pub target: target::Target,
    /// What the user set.
    pub knobs: &'a Knobs,
    /// Remarks to report.
    pub remarks: RemarkFilter,
    /// Replaces decisions by other legal ones: tests prove by it that heuristics cannot break a program.
    pub chaos: Option<&'a mut Chaos<'a>>,
}

/// Unrolls the loops of a function. Whether anything changed.
pub fn run(func: &mut Function, cx: &mut UnrollContext<'_>, invocation: Invocation) -> bool {
    if func.is_declaration() {
        return false;
    }
    let info = LoopInfo::new(func);
    run_with(func, info, cx, invocation)
}

/// Unrolls the loops of a function with a body, whose control flow is known. Whether anything changed.
pub fn run_with(func: &mut Function, info: LoopInfo, cx: &mut UnrollContext<'_>, invocation: Invocation) -> bool {
    let size = size_level(func);
    let (params, late) = {
        let names = [func.name.as_str(), func.display.as_str()];
        let at = |i| parameters(func, cx.knobs, &names, size, i);
        (at(invocation), at(Invocation::Late))
    };
    let mut pass = Pass { cx, params, late, invocation, changed: false };
    if pass.params.disabled {
        return false;
    }
    pass.run(func, info);
    pass.changed
}

fn size_level(func: &Function) -> SizeLevel {
    match (func.attrs.minsize, func.attrs.optsize) {
        (true, _) => SizeLevel::Minsize,
        (_, true) => SizeLevel::Optsize,
        _ => SizeLevel::Speed,
    }
}

/// Knobs of the command line, then those of the function's attributes (which sema has checked).
fn parameters(func: &Function, knobs: &Knobs, names: &[&str], size: SizeLevel, i: Invocation) -> UnrollParams {
    let mut p = knobs.params_for(names, size, i);
    for (name, value) in &func.attrs.unroll_knobs {
        let _ = Knobs::apply_attribute(&mut p, name, *value);
    }
    if i == Invocation::Late {
        p.disabled |= p.late_disabled;
    }
    p
}

struct Pass<'a, 'b> {
    cx: &'a mut UnrollContext<'b>,
    params: UnrollParams,
    late: UnrollParams,
    invocation: Invocation,
    changed: bool,
}

/// The copies of a loop that is gone become one block, but not with what stands in front of them (LLVM's `UnrollLoop`): loops
/// around count that jump, until both invocations are [done](join).
fn keep_apart(func: &mut Function, target: &Target, decision: &Decision) {
    let enter = func.layout.terminator(target.preheader);
    if matches!(decision.kind, Kind::Full | Kind::UpperBound) && func.dfg.op(enter) == Opcode::Jump {
        func.dfg.insts[enter].flags = func.dfg.insts[enter].flags.with(Flags::APART);
    }
}

/// Lets blocks be merged that were kept apart while loops around were to be measured. Whether there were any.
pub fn join(func: &mut Function) -> bool {
    let mut apart = false;
    for b in func.layout.blocks().collect::<Vec<_>>() {
        let t = func.layout.terminator(b);
        if is_apart(func, t) {
            func.dfg.insts[t].flags = func.dfg.insts[t].flags.without(Flags::APART);
            apart = true;
        }
    }
    apart
}

/// What is to become of one loop.
struct LoopPlan {
    l: Loop,
    request: Request,
    measured: Measured,
    decision: Decision,
    /// An instruction in the preheader that holds the number of back edges, for runtime unrolling.
    backedges: Option<Inst>,
    /// Where the nearest loop is that holds one innermost loop, for who asked for unroll-and-jam elsewhere.
    nest: Option<Span>,
}

impl LoopPlan {
    /// What would make the loop's hints work.
    fn advice(&self, place: Span) -> Vec<source::Advice> {
        let d = &self.decision;
        remarks::advice(d, &self.request, remarks::multiplier(d), place, self.nest)
    }
}

/// Computes the number of back edges in front of a loop that is to be runtime-unrolled. The instruction is named, not
/// its value's operands: those may be rewritten before it is used.
fn count_backedges(func: &mut Function, info: &LoopInfo, plan: &mut LoopPlan, exprs: &Exprs) {
    if !matches!(plan.decision.kind, Kind::Runtime | Kind::Jam) {
        return;
    }
    let count = plan.measured.backedges.filter(|_| plan.measured.facts.runtime_trip);
    let preheader = info.loops.preheader(func, &info.cfg, plan.l);
    let (Some(count), Some(preheader)) = (count, preheader) else { return };
    let before = func.layout.terminator(preheader);
    let Some(value) = exprs.expand(func, count, before) else { return };
    // A value of an earlier loop may come out as it is; a copy gives closing something to rewrite.
    let ty = func.dfg.ty(value);
    let mut b = Builder::before(func, before);
    let zero = b.iconst(ty, 0);
    plan.backedges = Some(b.inst(Opcode::Add, ty, Flags::NONE, &[value, zero], Payload::None));
}

impl Pass<'_, '_> {
    fn run(&mut self, func: &mut Function, mut info: LoopInfo) {
        self.changed |= edit::remove_unreachable(func, info.cfg.order());
        let deepest = info.loops.iter().map(|l| info.loops.data(l).depth).max().unwrap_or(0);
        for depth in (1..=deepest).rev() {
            self.shape(func, &mut info, depth);
            if self.unroll(func, &info, depth) {
                let cfg = Cfg::new(func);
                edit::remove_unreachable(func, cfg.order());
                straight_line::merge_blocks(func, &cfg);
                // After the outermost loops nobody asks any more.
                if depth > 1 {
                    info = LoopInfo::new(func);
                }
            }
        }
    }

    /// Brings the loops of one depth into canonical shape.
    fn shape(&mut self, func: &mut Function, info: &mut LoopInfo, depth: u32) {
        let mut moved = false;
        for l in at_depth(info, depth) {
            moved |= loop_simplify::simplify(func, info, l);
        }
        if moved {
            *info = fresh_info(func, &mut self.changed);
            self.changed = true;
        }
        let rotated: Vec<Loop> = at_depth(info, depth).filter(|&l| rotate::wants_rotation(func, info, l)).collect();
        if rotated.is_empty() {
            return;
        }
        lcssa::close(func, info, &rotated);
        for &l in &rotated {
            rotate::rotate(func, info, l);
        }
        self.changed = true;
        *info = fresh_info(func, &mut self.changed);
    }

    /// Decides on the loops of one depth and transforms them. Whether any was.
    fn unroll(&mut self, func: &mut Function, info: &LoopInfo, depth: u32) -> bool {
        let mut scev = Scev::new(func, info, self.cx.target);
        scev.returns = self.params.cheap_count > 0;
        scev.counts = scev.returns;
        let mut level = Level::new(func, info, depth);
        let mut plans: Vec<LoopPlan> = Vec::new();
        for l in at_depth(info, depth) {
            plans.push(self.plan(&mut scev, &mut level, l));
        }
        let exprs = scev.into_exprs();
        let changing: Vec<Loop> = plans.iter().filter(|p| p.decision.transforms()).map(|p| p.l).collect();
        // A trip count may be made of values of a loop before; computed now, it is a use of them like any other, which
        // closing that loop takes care of.
        for plan in &mut plans {
            count_backedges(func, info, plan, &exprs);
        }
        held::remember(func, info, &plans, &self.params, self.invocation);
        lcssa::close(func, info, &changing);
        for plan in &mut plans {
            let meta = info.loops.meta(func, plan.l).cloned();
            if plan.decision.transforms() {
                let target = Target::new(func, info, plan.l);
                let outer = self.outer(func, info, plan);
                let (decision, counted) = (&plan.decision, &plan.measured.counted);
                let outcome = match &target {
                    Some(t) => transform::apply(func, t, decision, counted, plan.backedges, outer),
                    None => Err("the loop has several ways in or back"),
                };
                match (outcome, &target) {
                    (Err(why), _) => refuse(&mut plan.decision, why),
                    (Ok(()), Some(t)) if info.loops.parent(plan.l).is_some() => keep_apart(func, t, &plan.decision),
                    _ => {}
                }
            }
            self.settle(func, info, plan);
            self.answer(func, meta.as_ref(), plan, loop_span(func, info, plan.l, meta.as_ref()), HintKind::Unroll);
        }
        self.changed |= !changing.is_empty();
        !changing.is_empty()
    }

    /// The loop around one that becomes straight-line code, where what its first copy computes of invariants goes out.
    fn outer<'i>(&self, func: &Function, info: &'i LoopInfo, plan: &LoopPlan) -> Option<transform::Outer<'i>> {
        let older = self.cx.target.has_measured_library() && self.params.profile == Profile::Cicc;
        let whole = plan.decision.kind == Kind::Full && plan.measured.facts.exits == 1;
        (older && whole).then(|| transform::Outer::new(func, info, plan.l)).flatten()
    }

    fn plan(&mut self, scev: &mut Scev<'_>, level: &mut Level<'_>, l: Loop) -> LoopPlan {
        let meta = scev.info.loops.meta(scev.func, l);
        let request = meta.map_or(Request::NONE, |m| Request { unroll: m.unroll, jam: m.jam }.about_unroll());
        if self.cx.chaos.is_none() && meta.is_some_and(|m| m.done) {
            return self.leave(l, request);
        }
        let purpose = self.purpose(meta);
        let mut measured = measure(self.cx.module, scev, level, l, &request, &self.params, purpose);
        held::count(meta, &mut measured.facts, self.invocation);
        let mut decision = decide(&measured.facts, &request, &self.params);
        if self.invocation == Invocation::Early {
            self.look_ahead(&measured.facts, &request, &mut decision);
        }
        if let Some(chaos) = &mut self.cx.chaos {
            decision = chaos(&measured.facts, decision);
        }
        LoopPlan { l, request, measured, decision, backedges: None, nest: None }
    }

    /// Whether anybody is told what is found out about a loop.
    fn purpose(&self, meta: Option<&LoopMeta>) -> Purpose {
        let told = self.cx.session.ledger.explain || self.cx.remarks != RemarkFilter::default();
        let answered = meta.is_some_and(|m| !m.hints.is_empty());
        if told || answered || self.cx.chaos.is_some() { Purpose::Report } else { Purpose::Decision }
    }

    /// What an unroller made stays as it is, so nothing about it is measured.
    fn leave(&self, l: Loop, request: Request) -> LoopPlan {
        let facts = LoopFacts { done: true, ..LoopFacts::default() };
        let decision = decide(&facts, &request, &self.params);
        let measured = Measured { facts, counted: SmallVec::new(), backedges: None };
        LoopPlan { l, request, measured, decision, backedges: None, nest: None }
    }

    /// Straightens at once what the late invocation would straighten. Rounds that are left in
    /// their middle stay: cicc's late look decides to straighten them, and then does not (measured for sm_90; for sm_100 it does).
    fn look_ahead(&self, facts: &LoopFacts, request: &Request, decision: &mut Decision) {
        let whole = decision.breakout == 0 || self.late.profile == Profile::Cicc23;
        let eligible = decision.kind == Kind::Partial && !decision.explicit && whole;
        if !eligible || self.late.disabled {
            return;
        }
        let (count, trip) = (decision.count, facts.trip_count);
        let rounds = trip.div_ceil(count);
        let size = count.saturating_mul(facts.marginal()).saturating_add(facts.fixed);
        let again = LoopFacts {
            // What is left of an iteration once its number is known is the same whether it is copied now or later.
            simulated: self.simulated_rounds(facts, rounds),
            ..LoopFacts { local_array: facts.local_array_after(count), ..LoopFacts::counted(rounds, size) }
        };
        let second = decide(&again, request, &self.late);
        if second.kind == Kind::Full {
            decision.trail.extend(second.trail);
            let size = facts.unrolled_size(trip);
            let finding = Finding::FullChosen { trip, size };
            decision.trail.push(Step { priority: Priority::Full, finding, decided: true });
            (decision.kind, decision.count) = (Kind::Full, trip);
        }
    }

    fn simulated_rounds(&self, facts: &LoopFacts, rounds: u32) -> Option<SimulatedCost> {
        let [first, second, next] = facts.folded_cost?;
        Some(SimulatedCost {
            iterations: rounds,
            rolled: rounds.checked_mul(facts.fixed)?.checked_add(facts.trip_count.checked_mul(facts.marginal())?)?,
            unrolled: next.checked_mul(facts.trip_count.saturating_sub(2))?.checked_add(first)?.checked_add(second)?,
        })
    }

    /// Marks loops whose fate is settled although they stay as they are.
    fn settle(&mut self, func: &mut Function, info: &LoopInfo, plan: &LoopPlan) {
        if plan.decision.kind != Kind::Forbidden {
            return;
        }
        if let Some(holder) = info.loops.md_holder(func, plan.l) {
            let Some(md) = func.dfg.insts[holder].loop_md() else { return };
            let meta = &mut func.loops[md];
            (meta.done, meta.nounroll) = (true, true);
        }
    }

    /// Enters the answers to the loop's hints of a kind, and the remarks.
    fn answer(&mut self, func: &Function, meta: Option<&LoopMeta>, plan: &LoopPlan, place: Span, about: HintKind) {
        let d = &plan.decision;
        let already = matches!(d.trail.first(), Some(Step { finding: Finding::AlreadyDone, .. }));
        let silent = about == HintKind::UnrollAndJam && !plan.request.wants_jam() && !d.transforms();
        if !already && !silent {
            self.report(func, plan, place);
            self.explain(func, meta, plan, place, about);
        }
        let Some(meta) = meta.filter(|m| !m.hints.is_empty() && !already) else { return };
        let fate = remarks::fate(d, &plan.request);
        // The late invocation may still do it.
        if about == HintKind::Unroll
            && fate == Fate::Refused
            && self.invocation == Invocation::Early
            && !self.late.disabled
        {
            return;
        }
        let mut trail = remarks::trail(d);
        if let Some(fix) = source::Advice::sentence(&plan.advice(place)) {
            trail.push(TrailStep { rule: "fix", finding: fix, decided: false });
        }
        for &hint in &meta.hints {
            if self.cx.session.ledger.hint(hint).kind != about {
                continue;
            }
            let (done, reason) = (remarks::done(d), remarks::reason(d));
            let function = func.display.clone();
            let answer = Answer { fate, done, reason, function, place, trail: trail.clone() };
            self.cx.session.ledger.answer(hint, answer);
        }
    }

    /// Enters what was found and done, for those who ask for explanations.
    fn explain(&mut self, func: &Function, meta: Option<&LoopMeta>, plan: &LoopPlan, place: Span, about: HintKind) {
        if !self.cx.session.ledger.explain {
            return;
        }
        let d = &plan.decision;
        let wished = plan.request.is_explicit() || plan.request.wants_jam();
        let refused = wished && remarks::fate(d, &plan.request) != Fate::Honoured;
        let advice = if refused { plan.advice(place) } else { Vec::new() };
        self.cx.session.ledger.report_loop(LoopReport {
            function: func.display.clone(),
            instance: meta.and_then(|m| m.instance.clone()).unwrap_or_else(|| {
                std::sync::Arc::new(source::Instance { name: func.display.clone(), span: func.span })
            }),
            place,
            stage: match (about, self.invocation) {
                (HintKind::UnrollAndJam, _) => "unroll-and-jam",
                (_, Invocation::Early) => "early",
                (_, Invocation::Late) => "late",
            },
            changed: d.transforms(),
            kind: d.kind.name(),
            copies: d.count.max(1),
            done: remarks::done(d),
            reason: remarks::reason(d),
            fix: source::Advice::sentence(&advice),
            advice,
            tried: Vec::new(),
            suggested: if refused { remarks::suggested(d, &plan.request) } else { None },
            facts: plan.measured.facts.in_words(),
            trail: remarks::trail(d),
            hints: meta.map_or_else(Vec::new, |m| m.hints.to_vec()),
        });
    }

    fn report(&mut self, func: &Function, plan: &LoopPlan, place: Span) {
        let wanted = self.cx.remarks;
        if wanted == RemarkFilter::default() {
            return;
        }
        for r in remarks::remarks(&plan.decision, &plan.request, &func.display) {
            let (shown, code, group) = match r.kind {
                RemarkKind::Passed => (wanted.passed, "R0601", "pass=loop-unroll"),
                RemarkKind::Missed => (wanted.missed, "R0602", "pass-missed=loop-unroll"),
                RemarkKind::Analysis => (wanted.analysis, "R0603", "pass-analysis=loop-unroll"),
            };
            if shown {
                self.cx.session.report(Diagnostic::new(Severity::Remark, code, place, r.text).group(group));
            }
        }
    }
}

fn refuse(decision: &mut Decision, why: &'static str) {
    let step = Step { priority: Priority::Transform, finding: Finding::Refused { why }, decided: false };
    for s in &mut decision.trail {
        s.decided = false;
    }
    decision.trail.push(step);
    (decision.kind, decision.count) = (Kind::Keep, 1);
}

fn loop_span(func: &Function, info: &LoopInfo, l: Loop, meta: Option<&LoopMeta>) -> Span {
    let named = meta.map(|m| m.span).filter(|&s| s != Span::NONE);
    named.unwrap_or_else(|| {
        let header = info.loops.header(l);
        let placed = func.layout.is_placed(header);
        let insts = placed.then(|| func.layout.insts(header)).into_iter().flatten();
        insts.map(|i| func.dfg.span(i)).find(|&s| s != Span::NONE).unwrap_or(func.span)
    })
}

fn at_depth(info: &LoopInfo, depth: u32) -> impl Iterator<Item = Loop> + use<'_> {
    info.loops.iter().filter(move |&l| info.loops.data(l).depth == depth)
}

/// Analyses of the function without its unreachable blocks.
fn fresh_info(func: &mut Function, changed: &mut bool) -> LoopInfo {
    let info = LoopInfo::new(func);
    *changed |= edit::remove_unreachable(func, info.cfg.order());
    info
}
