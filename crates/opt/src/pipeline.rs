//! The order of passes: the whole pipeline is [`optimise`] and the lists it names.

use crate::inline::{self, CallGraph};
use crate::pass::{BrokenPass, Observer, OptLevel, Options, PassManager};
use crate::{dce, simplify, simplify_cfg, sroa};
use ir::{FuncId, Module};
use source::{Fate, HintKind, Session};

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
    let graph = CallGraph::new(module);
    let mut pm = PassManager { module, session, options, observer, broken: None };
    for &f in &graph.bottom_up {
        prepare(&mut pm, f);
        pm.watch_inline(&graph, f);
    }
    inline::drop_unused(pm.module);
    answer_unused_inline_hints(&mut pm);
    for &f in &graph.bottom_up {
        function(&mut pm, f);
    }
    pm.broken.map_or(Ok(()), Err)
}

/// What makes a function small before it is inlined or judged.
fn prepare(pm: &mut PassManager<'_>, f: FuncId) {
    if pm.options.level == OptLevel::O0 {
        return;
    }
    pm.run("simplify-cfg", f, simplify_cfg::run);
    pm.run("sroa", f, sroa::run);
    pm.run("simplify", f, simplify::run);
    pm.run("simplify-cfg", f, simplify_cfg::run);
}

/// The passes of one function, once its calls are inlined.
fn function(pm: &mut PassManager<'_>, f: FuncId) {
    if pm.options.level == OptLevel::O0 {
        return;
    }
    pm.run("sroa", f, sroa::run);
    pm.run("simplify", f, simplify::run);
    pm.run("simplify-cfg", f, simplify_cfg::run);
    pm.run("dce", f, dce::run);
}

impl PassManager<'_> {
    /// Inlines the calls of a function, watched like a pass.
    fn watch_inline(&mut self, graph: &CallGraph, f: FuncId) {
        if self.broken.is_none() && !self.module.functions[f].is_declaration() {
            let start = self.observer.is_some().then(std::time::Instant::now);
            if inline::inline_calls(self, graph, f) {
                self.after("inline", f, true, start.map(|s| s.elapsed()));
            }
        }
    }
}

/// Functions that nothing calls leave their hints about inlining without effect.
fn answer_unused_inline_hints(pm: &mut PassManager<'_>) {
    for f in pm.module.functions.values() {
        for &h in &f.attrs.hints {
            let hint = pm.session.ledger.hint(h);
            if hint.kind == HintKind::Inline && hint.answers.is_empty() {
                pm.session.ledger.settle(h, Fate::Unused, "nothing", "the function is never called");
            }
        }
    }
}
