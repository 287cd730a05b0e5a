//! What became of the loops inside of kernels: the unroller's verdict on each, and on the hints that stand on it (`#pragma unroll`,
//! PGI's `unroll`). Loops whose iterations have work-items of their own are no loops any more; `-Minfo`'s lines tell of these.

use crate::cc::arithmetic::Arithmetic;
use crate::cc::compile::kernel_options;
use crate::cc::gpu;
use crate::cc::options::Options;
use acc::KernelSource;
use source::{HintKind as Kind, Session};
use std::fmt::Write as _;
use unspool::explain::Explanation;
use unspool::{Arch, Backend, Compilation, Emit, Input, compile_with_log as compile};

/// A loop of a kernel, explained.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::cc) struct ToldLoop {
    /// Its line in the source.
    pub(in crate::cc) line: u32,
    /// What was done, e.g. `unrolled by 4`.
    pub(in crate::cc) done: String,
    /// Why.
    pub(in crate::cc) reason: String,
    /// Hints on it: what was asked, and what became of it.
    pub(in crate::cc) hints: Vec<(String, &'static str)>,
    /// What would make a hint work that did not.
    pub(in crate::cc) fix: Option<String>,
}

/// What the loops of a source are made for, and what became of them.
#[derive(Clone, Default, Debug)]
pub(in crate::cc) struct Loops {
    /// The GPU or processor.
    pub(in crate::cc) target: String,
    /// By line.
    pub(in crate::cc) all: Vec<ToldLoop>,
}

impl Loops {
    /// Adds those of a region's kernels. Nothing is said of kernels that do not compile: that was told.
    pub(in crate::cc) fn add(
        &mut self,
        path: &str,
        source: &KernelSource,
        options: &Options,
        backends: &[&'static dyn Backend],
        arithmetic: Arithmetic,
    ) {
        let arch = options.capabilities.first().and_then(|&c| Arch::from_number(c));
        let mut asked = arch.map_or_else(|| kernel_options(backends, arithmetic), |a| gpu::options(a, arithmetic));
        asked.explain = true;
        asked.separate = !source.externals.is_empty();
        let made = compile(&Input::text("region.c", source.text.clone()), &asked, &Emit::Ir);
        let Compilation { explanation: Some(e), session, .. } = &made else { return };
        self.target.clone_from(&e.arch);
        // Beside a kernel whose arrays must not overlap stands one for one work-item.
        let is_fallback = |name: &str| {
            let entry = source.entries.iter().find(|k| k.name == name);
            entry.is_some_and(|k| !k.wide && source.entries.iter().any(|o| o.wide && o.line == k.line))
        };
        let is_other = |name: &str| is_fallback(name) || acc::is_for_overlaps(name);
        for f in e.functions.iter().filter(|f| !is_other(&f.name)) {
            for l in &f.loops {
                let place = session.sources.presumed(session.sources.call_site(l.span).lo);
                let Some((_, at)) = place.filter(|(file, _)| *file == path) else { continue };
                for k in l.verdicts() {
                    self.put(ToldLoop {
                        line: at.line,
                        done: k.done.clone(),
                        reason: k.reason.clone(),
                        hints: hints(e, &k.hints),
                        fix: k.fix.clone(),
                    });
                }
            }
        }
        for told in vanished(path, e, session) {
            self.put(told);
        }
    }

    fn put(&mut self, told: ToldLoop) {
        if !self.all.contains(&told) {
            let at = self.all.partition_point(|l| l.line <= told.line);
            self.all.insert(at, told);
        }
    }

    /// As text for people.
    pub(super) fn as_text(&self, out: &mut String) {
        if !self.all.is_empty() {
            let _ = writeln!(out, "\nloops inside of kernels, for {}:", self.target);
        }
        for l in &self.all {
            let _ = writeln!(out, "{:7}, {}: {}", l.line, l.done, l.reason);
            for (asked, fate) in &l.hints {
                let _ = writeln!(out, "         `{asked}` {fate}");
            }
            if let Some(fix) = &l.fix {
                let _ = writeln!(out, "         fix: {fix}");
            }
        }
    }

    /// As data for programs.
    pub(super) fn as_json(&self) -> Vec<serde_json::Value> {
        let hint = |(asked, fate): &(String, &str)| serde_json::json!({ "asked": asked, "fate": fate });
        let one = |l: &ToldLoop| {
            serde_json::json!({
                "target": self.target,
                "line": l.line,
                "done": l.done,
                "reason": l.reason,
                "hints": l.hints.iter().map(hint).collect::<Vec<_>>(),
                "fix": l.fix,
            })
        };
        self.all.iter().map(one).collect()
    }
}

fn hints(e: &Explanation, ids: &[source::HintId]) -> Vec<(String, &'static str)> {
    let named = e.hints.iter().filter(|h| ids.contains(&h.id));
    named.map(|h| (h.asked.clone(), word(h.fate))).collect()
}

/// Hints that no loop has that is left: it was gone before the unroller came to it, or the hint is about something else.
fn vanished(path: &str, e: &Explanation, session: &Session) -> Vec<ToldLoop> {
    let looks = || e.functions.iter().flat_map(|f| &f.loops).flat_map(|l| &l.looks);
    let of_code = |k| matches!(k, Kind::Unroll | Kind::UnrollAndJam | Kind::Loop | Kind::Provable | Kind::Assume);
    let left = e.hints.iter().filter(|h| of_code(h.kind) && !looks().any(|k| k.hints.contains(&h.id)));
    let told = left.filter_map(|h| {
        let (_, at) =
            session.sources.presumed(session.sources.call_site(h.span).lo).filter(|(file, _)| *file == path)?;
        let (done, reason) = h.answers.last().map_or_else(
            || ("nothing".to_owned(), "no loop is left".to_owned()),
            |a| (a.done.clone(), a.reason.clone()),
        );
        Some(ToldLoop { line: at.line, done, reason, hints: vec![(h.asked.clone(), word(h.fate))], fix: None })
    });
    told.collect()
}

fn word(fate: source::Fate) -> &'static str {
    match fate {
        source::Fate::Honoured => "honoured",
        source::Fate::Adjusted => "adjusted",
        source::Fate::Refused => "refused",
        source::Fate::Unused => "unused",
    }
}
