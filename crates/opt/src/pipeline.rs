//! The order of passes: the whole pipeline is [`optimise`] and the lists it names.

use crate::inline::{self, CallGraph};
use crate::pass::{BrokenPass, Observer, OptLevel, Options, Pass, PassContext, PassManager};
use crate::{
    bit_count, carried_loads, contract, dce, div, div_rem, facts, group_memory, gvn, hoist_common, if_convert, implied,
    infer_space, join_branches, licm, loaded_pointers, loop_delete, loop_rotate, no_wrap, param_copies, provable,
    range_checks, remade, sccp, simplify, simplify_cfg, sink_conditions, skip_entries, sroa, strength, unasked_bits,
    unread, unswitch, vectorize, versions, waited_sums, warp_size,
};
use analysis::rows::Rows;
use ir::edit;
use ir::{ConstKind, FnKind, FuncId, Function, Inst, Module, Opcode, UnrollRequest, Value, ValueDef};
use source::{Answer, Fate, HintKind, Session};
use target::Kind;
use unroll::{Invocation, UnrollContext};

/// Optimises a module.
///
/// # Errors
/// A pass broke a rule of the IR ([`Options::verify_each`]): a bug of ours.
pub fn optimise<'a>(
    module: &'a mut Module,
    session: &'a mut Session,
    options: &'a Options,
    observer: Option<&'a mut (dyn Observer + 'a)>,
) -> Result<(), BrokenPass> {
    if options.level != OptLevel::O0 && options.target.kind() == Kind::Gpu {
        group_memory::align(module);
    }
    let mut graph = CallGraph::new(module);
    let mut pm = PassManager::new(module, session, options, observer);
    let order = graph.bottom_up.clone();
    for &f in &order {
        graph.before(&pm.module.functions[f]);
        pm.watch_inline(&mut graph, f);
        prepare(&mut pm, f);
        graph.after(pm.module, f);
    }
    inline::drop_unused(pm.module);
    answer_unused_inline_hints(&mut pm);
    // The compiler for GPUs before sm_100 decides about the loops that make them.
    if options.level != OptLevel::O0 && !follows_older_compiler(&pm) {
        unread::run(&mut pm, &order);
    }
    if options.level != OptLevel::O0 && options.target.kind() == Kind::Gpu {
        for f in loaded_pointers::global(pm.module) {
            pm.run("loaded-pointers", f, infer_space::run_with_loads);
            pm.run("simplify", f, simplify::run);
        }
    }
    for &f in &order {
        function(&mut pm, f);
    }
    // Back ends copy functions as they are.
    for &f in &order {
        pm.module.functions[f].compact();
    }
    pm.broken.map_or(Ok(()), Err)
}

/// What makes a function small before it is inlined itself.
fn prepare(pm: &mut PassManager<'_>, f: FuncId) {
    if pm.options.level == OptLevel::O0 {
        return;
    }
    pm.run("simplify-cfg", f, simplify_cfg::run);
    let kernel = pm.module.functions[f].kind == FnKind::Kernel;
    promote_by(pm, f, if kernel { sroa::run } else { sroa::run_before_inlining });
    pm.run("infer-space", f, infer_space::run);
    pm.run("simplify", f, simplify::run);
    pm.run("simplify-cfg", f, simplify_cfg::run);
}

/// Most rounds of [`promote`].
const MAX_PROMOTIONS: u32 = 3;

/// Variables in slots become values. An index that stood in a slot itself (`a[order[1]]`) is a constant only then, so what
/// is left is looked at again.
fn promote(pm: &mut PassManager<'_>, f: FuncId) {
    promote_by(pm, f, sroa::run);
}

fn promote_by(pm: &mut PassManager<'_>, f: FuncId, pass: Pass) {
    for round in 0..MAX_PROMOTIONS {
        // Indices of functions that were inlined (`x[1]` by an operator) are constants only once they are simplified.
        if !pm.run("sroa", f, pass) && round > 0 || !has_slots(&pm.module.functions[f]) {
            return;
        }
        pm.run("simplify", f, simplify::run);
    }
}

/// Whether anything is done with the address of a slot.
fn has_slots(func: &Function) -> bool {
    let is_slot = |v: Value| matches!(func.dfg.def(v), ValueDef::Const(ConstKind::Slot(_)));
    let uses = |i: Inst| func.dfg.args(i).iter().any(|&v| is_slot(v));
    !func.slots.is_empty() && func.layout.blocks().any(|b| func.layout.insts(b).any(uses))
}

/// The passes of one function that stays.
fn function(pm: &mut PassManager<'_>, f: FuncId) {
    if pm.module.functions[f].is_declaration() {
        return;
    }
    if pm.options.level == OptLevel::O0 {
        if provable::asks(&pm.module.functions[f]) {
            unoptimised_provable(pm, f);
        }
        pm.run("drop-assumptions", f, facts::drop_assumptions);
        refuse_unroll_hints(pm, f);
        return;
    }
    if pm.module.functions[f].kind != FnKind::Kernel && has_slots(&pm.module.functions[f]) {
        promote(pm, f);
        tidy(pm, f);
    }
    let copies = has_copied_arguments(&pm.module.functions[f]);
    if copies {
        pm.run("mark-param-copies", f, param_copies::mark);
    }
    number(pm, f);
    pm.run("facts", f, facts::run);
    if has_loops(pm, f) {
        if pm.run("implied", f, implied::run) {
            pm.run("simplify-cfg", f, simplify_cfg::run);
        }
        if pm.run("provable-early", f, provable::early) {
            tidy(pm, f);
        }
        loops(pm, f);
    }
    if pm.options.target.has_late_warp_size() && pm.run("warp-size", f, warp_size::run) {
        number(pm, f);
    }
    pm.run("provable", f, provable::run);
    pm.run("drop-assumptions", f, facts::drop_assumptions);
    if copies {
        pm.run("param-copies", f, param_copies::run);
    }
    tidy(pm, f);
    lower(pm, f);
}

/// Whether a kernel has an argument that it would have to copy, and slots.
fn has_copied_arguments(func: &Function) -> bool {
    func.kind == FnKind::Kernel && !func.slots.is_empty() && func.params.iter().any(|p| p.attrs.byval.is_some())
}

/// Functions that ask the optimiser are cleaned up without optimisation, too: no branch on the answer stays.
fn unoptimised_provable(pm: &mut PassManager<'_>, f: FuncId) {
    pm.run("sroa", f, sroa::run);
    pm.run("warp-size", f, warp_size::run);
    pm.run("gvn", f, gvn::run);
    pm.run("provable", f, provable::run);
    pm.run("sccp", f, sccp::run);
    tidy(pm, f);
}

/// After passes that leave something to simplify. What has seen the code as it is does not run again.
fn tidy(pm: &mut PassManager<'_>, f: FuncId) {
    pm.run("simplify", f, simplify::run);
    pm.run("simplify-cfg", f, simplify_cfg::run);
}

/// Whether the variables of code that is cleaned up are in stack slots still.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slots {
    /// They are: they become values first.
    Promote,
    /// What is in slots stays there.
    Keep,
}

/// Cleans up a function that `maker` has written anew, after a look whether it is valid at all.
///
/// # Errors
/// The function, or a pass, broke a rule of the IR: a bug of ours.
pub fn clean_up(
    module: &mut Module,
    session: &mut Session,
    func: FuncId,
    options: &Options,
    maker: &'static str,
    slots: Slots,
) -> Result<(), BrokenPass> {
    ir::verify::verify_function(module, func).map_err(|errors| BrokenPass { pass: maker, errors })?;
    let mut pm = PassManager::new(module, session, options, None);
    if slots == Slots::Promote {
        pm.run("sroa", func, sroa::run);
    }
    pm.run("simplify", func, simplify::run);
    pm.run("gvn", func, gvn::run);
    pm.run("simplify-cfg", func, simplify_cfg::run);
    pm.run("licm", func, licm::run);
    pm.run("dce", func, dce::run);
    tidy(&mut pm, func);
    pm.broken.map_or(Ok(()), Err)
}

/// The passes over loops: both invocations of the unroller, with clean-up in between.
fn loops(pm: &mut PassManager<'_>, f: FuncId) {
    pm.run("sccp", f, sccp::run);
    let older = follows_older_compiler(pm);
    if older && pm.run("hoist-common", f, hoist_common::run) {
        number(pm, f);
        tidy(pm, f);
    }
    if older || counts_loads_of_blocks(pm) {
        pm.run("note-trees", f, note_trees);
    }
    if pm.run("unroll-and-jam", f, unroll_and_jam) {
        tidy(pm, f);
    }
    let rotated = pm.run("loop-rotate", f, loop_rotate::run);
    let newer = counts_loads_of_blocks(pm);
    let hoist: Pass = if newer { licm::run_before_decisions } else { licm::run };
    if pm.run("licm", f, hoist) && rotated {
        // What a header computed of invariants is there twice now: in the guard, and hoisted. As a variable of the
        // loop it would look as if it changed after the first iteration - which is how the older compiler sees loads.
        if older {
            pm.run("gvn", f, gvn::run_with_loads_across_blocks);
        } else {
            number(pm, f);
        }
    }
    // The test in front of an inner loop often is about the counter of the one around it.
    let guards_gone = rotated && pm.run("facts", f, facts::run);
    tidy(pm, f);
    if guards_gone && older && pm.run("gvn", f, gvn::run_with_loads_across_blocks) {
        tidy(pm, f);
    }
    if pm.options.target.has_alias_tests() && pm.run("versions", f, versions::run) {
        tidy(pm, f);
    }
    let small = pm.module.functions[f].attrs.optsize || pm.module.functions[f].attrs.minsize;
    let unswitched = pm.options.target.has_unswitching() && !small && pm.run("unswitch", f, unswitch::run);
    if unswitched {
        number(pm, f);
        tidy(pm, f);
    }
    if pm.options.target.has_bit_counts() {
        pm.run("bit-count", f, bit_count::run);
    }
    // Products that became alike when constants were moved out of indices count once.
    if newer {
        number(pm, f);
    }
    delete_loops(pm, f);
    let mut unrolled = false;
    for (name, pass) in [("unroll", unroll_early as Pass), ("unroll-late", unroll_late as Pass)] {
        if pm.run(name, f, pass) {
            promote(pm, f);
            pm.run("simplify", f, simplify::run);
            // The older compiler's second look finds what the copies have in common as often as it was copied.
            if !older {
                pm.run("gvn", f, gvn::run);
            }
            pm.run("simplify-cfg", f, simplify_cfg::run);
            unrolled = true;
        }
        if !has_loops(pm, f) {
            break;
        }
    }
    if unrolled && older {
        pm.run("gvn", f, gvn::run);
        pm.run("simplify-cfg", f, simplify_cfg::run);
    }
    if (unrolled || unswitched) && pm.run("join", f, |func, _| unroll::driver::join(func)) {
        pm.run("simplify-cfg", f, simplify_cfg::run);
    }
    if !unrolled && (newer || older && rotated) {
        pm.run("gvn", f, gvn::run);
        tidy(pm, f);
    }
    if pm.options.target.has_measured_library() && has_loops(pm, f) && pm.run("carried-loads", f, carried_loads::run) {
        tidy(pm, f);
    }
    if unrolled || unswitched {
        pm.run("facts", f, facts::run);
    }
    if (unrolled || newer) && has_loops(pm, f) {
        pm.run("licm", f, licm::run);
    }
}

/// Loops that nothing needs go. Those that compute something stay where nvcc's older compiler, which decides about what it
/// leaves, keeps them.
fn delete_loops(pm: &mut PassManager<'_>, f: FuncId) {
    let pass: Pass = if follows_older_compiler(pm) { loop_delete::dead } else { loop_delete::run };
    if pm.run("loop-delete", f, pass) {
        tidy(pm, f);
    }
}

/// Whether loops are decided as NVIDIA's compiler for GPUs before sm_100 decides them.
fn follows_older_compiler(pm: &PassManager<'_>) -> bool {
    pm.options.target.has_measured_library() && !counts_loads_of_blocks(pm)
}

/// Whether loads that a condition repeats are there when loops are decided.
fn counts_loads_of_blocks(pm: &PassManager<'_>) -> bool {
    pm.options.knobs.profile == Some(unroll::Profile::Cicc23)
}

/// Value numbering before loops are decided.
fn number(pm: &mut PassManager<'_>, f: FuncId) {
    if counts_loads_of_blocks(pm) && has_loops(pm, f) {
        pm.run("gvn", f, gvn::run_with_loads_of_blocks);
    } else {
        pm.run("gvn", f, gvn::run);
    }
}

fn has_loops(pm: &mut PassManager<'_>, f: FuncId) -> bool {
    let cfg = pm.cfg(f);
    let number = |b| cfg.rpo_number(b);
    cfg.rpo().iter().any(|&b| cfg.preds(b).iter().any(|e| number(e.from) >= number(b)))
}

/// What prepares for code generation; it hides what code was made of, so nothing that asks runs after it.
fn lower(pm: &mut PassManager<'_>, f: FuncId) {
    let target = pm.options.target;
    let converted = pm.run("if-convert", f, if_convert::run);
    if (!target.has_division_by_constants() && pm.run("div", f, div::run)) | converted {
        pm.run("simplify", f, simplify::run);
        pm.run("gvn", f, gvn::run);
    }
    // `x / y * y + x % y` is `x`, once the remainder is what the product lacks.
    if !target.has_division_by_constants() && pm.run("div-rem", f, div_rem::run) {
        pm.run("gvn", f, gvn::run);
        pm.run("simplify", f, simplify::run);
    }
    if target.ptx_arch().is_some() {
        pm.run("unasked-bits", f, unasked_bits::run);
    }
    if !target.has_contraction() {
        pm.run("contract", f, contract::run);
    } else if target.has_quick_sums() {
        pm.run("waited-sums", f, waited_sums::run);
    }
    if !target.has_address_reduction() {
        pm.run("strength", f, strength::run);
    }
    // A group of one work-item has its loops in vectors: fields are the back end's there.
    let alone = pm.module.functions[f].attrs.reqd_work_group_size == Some([1; 3]);
    let records = target.has_record_rows() && !alone;
    if records {
        pm.run("no-wrap", f, no_wrap::run);
    }
    if !target.has_access_joining() || records {
        pm.run("vectorize", f, vectorize::run);
    }
    if !target.has_branch_joining() {
        join_branches(pm, f);
    }
    let chooses_rows = target.has_row_choice() && pm.module.functions[f].kind == FnKind::Kernel;
    if chooses_rows {
        pm.run("rows", f, rows);
    }
    if target.ptx_arch().is_some() && !pm.module.functions[f].dfg.asms.is_empty() {
        pm.run("remade", f, remade::run);
    }
    if pm.run("dce", f, dce::run) && has_empty_blocks(&pm.module.functions[f]) {
        pm.run("simplify-cfg", f, simplify_cfg::run);
    }
    if target.ptx_arch().is_some() {
        pm.run("skip-entries", f, skip_entries::run);
    }
}

/// Branches in a row become one. Copies of a loop's body ask for the same conjunctions then, and what a loop does not change
/// is known before it; of the answers that would be held for that, those that are got again cheaply are.
fn join_branches(pm: &mut PassManager<'_>, f: FuncId) {
    let joined = pm.run("join-branches", f, join_branches::run);
    let loops = has_loops(pm, f);
    if pm.run("range-checks", f, range_checks::run) || joined && loops {
        pm.run("gvn", f, gvn::run);
        pm.run("licm", f, licm::run);
    }
    if loops {
        pm.run("sink-conditions", f, sink_conditions::run);
    }
}

/// Notes along which dimension work-items access neighbours, and whether that is all.
fn rows(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let rows = Rows::of(func, &cx.loops(func), cx.options.target);
    (func.attrs.rows_in_y, func.attrs.streams) = (rows.in_y, rows.streamed);
    cx.keep_graph();
    false
}

/// Whether some block does nothing but go on.
fn has_empty_blocks(func: &Function) -> bool {
    func.layout.blocks().any(|b| edit::only_inst(func, b).is_some_and(|i| func.dfg.op(i) == Opcode::Jump))
}

/// Notes what sizes of loops are counted by; changes no code.
fn note_trees(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let any = unroll::note_trees(func);
    cx.keep_graph();
    any
}

fn unroll_and_jam(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let changed = with_unroller(cx, |unroll| unroll::run_jam(func, unroll));
    if !changed {
        cx.keep_graph();
    }
    changed
}

fn unroll_early(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    unroll_loops(func, cx, Invocation::Early)
}

fn unroll_late(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    unroll_loops(func, cx, Invocation::Late)
}

fn unroll_loops(func: &mut Function, cx: &mut PassContext<'_>, invocation: Invocation) -> bool {
    let info = cx.loops(func);
    let changed = with_unroller(cx, |unroll| unroll::run_with(func, info, unroll, invocation));
    if !changed {
        cx.keep_graph();
    }
    changed
}

fn with_unroller(cx: &mut PassContext<'_>, work: impl FnOnce(&mut UnrollContext<'_>) -> bool) -> bool {
    let mut unroll = UnrollContext {
        module: cx.module,
        session: cx.session,
        target: cx.options.target,
        knobs: &cx.options.knobs,
        remarks: cx.options.remarks,
        chaos: None,
    };
    work(&mut unroll)
}

/// At `-O0` loops stay as they are written.
fn refuse_unroll_hints(pm: &mut PassManager<'_>, f: FuncId) {
    let func = &pm.module.functions[f];
    let known = pm.session.ledger.len();
    for meta in func.loops.values() {
        // Text IR may name hints that do not exist.
        for &hint in meta.hints.iter().filter(|h| (h.0 as usize) < known) {
            let wanted = meta.unroll != UnrollRequest::Disable;
            let answer = Answer {
                fate: if wanted { Fate::Refused } else { Fate::Honoured },
                done: "kept as it is".to_owned(),
                reason: "loops are not transformed at -O0".to_owned(),
                function: func.display.clone(),
                place: meta.span,
                trail: Vec::new(),
            };
            pm.session.ledger.answer(hint, answer);
        }
    }
}

impl PassManager<'_> {
    /// Inlines the calls of a function, watched like a pass.
    fn watch_inline(&mut self, graph: &mut CallGraph, f: FuncId) {
        if self.broken.is_none() && !self.module.functions[f].is_declaration() {
            let start = self.observer.is_some().then(std::time::Instant::now);
            if inline::inline_calls(self, graph, f) {
                self.changed();
                self.after("inline", f, true, start.map(|s| s.elapsed()));
            }
        }
    }
}

/// Functions that nothing calls leave their hints about inlining without effect.
fn answer_unused_inline_hints(pm: &mut PassManager<'_>) {
    let known = pm.session.ledger.len();
    for f in pm.module.functions.values() {
        for &h in f.attrs.hints.iter().filter(|h| (h.0 as usize) < known) {
            let hint = pm.session.ledger.hint(h);
            if hint.kind == HintKind::Inline && hint.answers.is_empty() {
                pm.session.ledger.settle(h, Fate::Unused, "nothing", "the function is never called");
            }
        }
    }
}
