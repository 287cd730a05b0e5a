//! The pass that jams nests.
//!
//! It runs before loops are rotated and unrolled, on request: an inner loop that still tests in its header needs no
//! guard around it. Outer loops are rotated here, nests examined ([`crate::nest`]), decided upon
//! ([`crate::decide::decide_jam`]) and woven. Loops that hold nothing of interest cost one look at their metadata.

use super::{LoopPlan, Pass, UnrollContext, count_backedges, fresh_info, loop_span, parameters, refuse, size_level};
use crate::config::Invocation;
use crate::decide;
use crate::facts::Jam;
use crate::lcssa;
use crate::measure::{Level, Purpose, measure};
use crate::nest::{self, Nest};
use crate::request::Request;
use crate::rotate;
use crate::transform::{self, Target};
use analysis::{Loop, LoopInfo, Scev, loop_simplify};
use ir::edit::{Passing, split_edge};
use ir::{Function, Inst, LoopMeta, UnrollRequest};
use source::{HintKind, Span};

/// Jams the nests of a function that ask for it. Whether anything changed.
pub fn run_jam(func: &mut Function, cx: &mut UnrollContext<'_>) -> bool {
    if func.is_declaration() || func.loops.is_empty() {
        return false;
    }
    let names = [func.name.as_str(), func.display.as_str()];
    let params = parameters(func, cx.knobs, &names, size_level(func), Invocation::Early);
    let asked = func.loops.values().any(|m| m.jam != UnrollRequest::None);
    let unasked = params.auto_jam || params.jam_count.is_some() || cx.chaos.is_some();
    if params.disabled || !asked && !unasked {
        return false;
    }
    let late = params.clone();
    let mut pass = Pass { cx, params, late, invocation: Invocation::Early, changed: false };
    pass.jam(func, unasked);
    pass.changed
}

/// Loops about whose nests somebody asks.
fn candidates(func: &Function, info: &LoopInfo, unasked: bool) -> Vec<Loop> {
    let wants = |l: &Loop| match info.loops.meta(func, *l) {
        Some(m) if m.done => false,
        Some(m) if m.jam != UnrollRequest::None => true,
        _ => unasked && nest::inner_loop(info, *l).is_ok(),
    };
    info.loops.iter().filter(wants).collect()
}

impl Pass<'_, '_> {
    fn jam(&mut self, func: &mut Function, unasked: bool) {
        let mut info = fresh_info(func, &mut self.changed);
        if candidates(func, &info, unasked).is_empty() {
            return;
        }
        self.shape_nests(func, &mut info, unasked);
        let nests = candidates(func, &info, unasked);
        let mut scev = Scev::new(func, &info, self.cx.target);
        let mut level = Level::new(func, &info, 0);
        let mut plans: Vec<(LoopPlan, Option<Nest>)> =
            nests.iter().map(|&l| self.plan_jam(&mut scev, &mut level, l)).collect();
        for (plan, _) in &mut plans {
            let near = nest::nearest(&info, plan.l);
            plan.nest = near.map(|l| loop_span(func, &info, l, info.loops.meta(func, l)));
        }
        let exprs = scev.into_exprs();
        let changing: Vec<Loop> = plans.iter().filter(|p| p.0.decision.transforms()).map(|p| p.0.l).collect();
        for (plan, _) in &mut plans {
            count_backedges(func, &info, plan, &exprs);
        }
        lcssa::close(func, &info, &changing);
        // An inner loop may be asked about as well; it is gone when the loop around it has been jammed.
        let about: Vec<(Option<LoopMeta>, Span)> = nests
            .iter()
            .map(|&l| {
                let meta = info.loops.meta(func, l).cloned();
                let place = loop_span(func, &info, l, meta.as_ref());
                (meta, place)
            })
            .collect();
        for ((plan, nest), (meta, place)) in plans.iter_mut().zip(about) {
            if plan.decision.transforms() {
                let outcome = match (Target::new(func, &info, plan.l), nest) {
                    (Some(t), Some(nest)) => transform::apply_jam(func, &t, nest, &plan.decision, plan.backedges),
                    _ => Err("the loop has several ways in or back"),
                };
                if let Err(why) = outcome {
                    refuse(&mut plan.decision, why);
                }
            }
            self.answer(func, meta.as_ref(), plan, place, HintKind::UnrollAndJam);
        }
        if !changing.is_empty() {
            self.changed = true;
            func.resolve_aliases();
        }
    }

    /// Gives the loops of nests preheaders and latches, their inner loops a block to leave to, and rotates the outer
    /// ones.
    fn shape_nests(&mut self, func: &mut Function, info: &mut LoopInfo, unasked: bool) {
        let mut moved = false;
        for outer in candidates(func, info, unasked) {
            let Ok(inner) = nest::inner_loop(info, outer) else { continue };
            moved |= loop_simplify::simplify(func, info, inner);
        }
        self.refresh(func, info, moved);
        let mut moved = false;
        for outer in candidates(func, info, unasked) {
            let Ok(inner) = nest::inner_loop(info, outer) else { continue };
            if let Some(e) = nest::missing_aft(func, info, outer, inner) {
                split_edge(func, e, e.from, Passing::Direct);
                moved = true;
            }
        }
        self.refresh(func, info, moved);
        let mut moved = false;
        for outer in candidates(func, info, unasked) {
            if nest::inner_loop(info, outer).is_ok() {
                moved |= loop_simplify::simplify(func, info, outer);
            }
        }
        self.refresh(func, info, moved);
        let nested = |l: &Loop| nest::inner_loop(info, *l).is_ok() && rotate::wants_rotation(func, info, *l);
        let rotated: Vec<Loop> = candidates(func, info, unasked).into_iter().filter(nested).collect();
        lcssa::close(func, info, &rotated);
        for &l in &rotated {
            rotate::rotate(func, info, l);
        }
        self.refresh(func, info, !rotated.is_empty());
    }

    fn refresh(&mut self, func: &mut Function, info: &mut LoopInfo, moved: bool) {
        if moved {
            *info = fresh_info(func, &mut self.changed);
            self.changed = true;
        }
    }

    fn plan_jam(&mut self, scev: &mut Scev<'_>, level: &mut Level<'_>, l: Loop) -> (LoopPlan, Option<Nest>) {
        let meta = scev.info.loops.meta(scev.func, l);
        let request = meta.map_or(Request::NONE, |m| Request { unroll: m.unroll, jam: m.jam }).about_jam();
        let mut measured = measure(self.cx.module, scev, level, l, &request, &self.params, Purpose::Report);
        let func = scev.func;
        let sources = &self.cx.session.sources;
        let line = |i: Inst| sources.presumed(sources.call_site(func.dfg.span(i)).lo).map_or(0, |(_, at)| at.line);
        let (jam, nest) = nest::examine(self.cx.module, scev, l, &measured, &line);
        measured.facts.jam = jam;
        let mut decision = decide::decide_jam(&measured.facts, &request, &self.params);
        if let (Some(chaos), Jam::Yes(_)) = (&mut self.cx.chaos, jam) {
            decision = chaos(&measured.facts, decision);
        }
        (LoopPlan { l, request, measured, decision, backedges: None, nest: None }, nest)
    }
}
