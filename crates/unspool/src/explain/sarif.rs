//! An explanation as SARIF results: every hint's answers, and every loop nobody hinted at.
//!
//! Rules are `hint/KIND` (refused: a warning; adjusted: a note; honoured: a pass; unused: informational) and `loop`.
//! Diagnostics come first, under their codes.

use super::{Explanation, HintEntry, LoopEntry};
use crate::Compilation;
use crate::missed_hints::replaced;
use serde_json::{Map, json};
use source::render::{Run, SarifLevel, SarifResult, SarifRule, diagnostic_to_sarif};
use source::{Diagnostic, Fate, Fix, LoopReport, Session, Severity};

/// Every result of a compilation, for [`source::render::sarif_log`]: diagnostics, and with an explanation its hints and
/// loops.
pub fn to_sarif(c: &Compilation) -> Run<'_> {
    // A warning about a missed hint says what the hint's own result says.
    let said_again = |d: &Diagnostic| c.explanation.is_some() && d.code == "W0601" && d.severity == Severity::Warning;
    let diagnostics = c.session.diagnostics.iter().filter(|d| !said_again(d));
    let mut results: Vec<SarifResult> = diagnostics.map(diagnostic_to_sarif).collect();
    if let Some(e) = &c.explanation {
        for h in &e.hints {
            hint_results(e, h, &c.session, &mut results);
        }
        let loops = e.functions.iter().flat_map(|f| &f.loops);
        results.extend(loops.filter(|l| l.looks.iter().all(|k| k.hints.is_empty())).filter_map(loop_result));
    }
    Run { sources: &c.session.sources, results, succeeded: c.succeeded() }
}

/// The name of a kind of hint, as in JSON.
fn kind_name(h: &HintEntry) -> String {
    json!(h.kind).as_str().unwrap_or("hint").to_owned()
}

fn hint_rule(h: &HintEntry) -> SarifRule {
    let kind = kind_name(h);
    SarifRule {
        about: format!("what became of each {} hint", kind.replace('-', " ")),
        help: "`unspool explain` shows the whole reasoning; docs/explain.md says how to read it.".to_owned(),
        id: format!("hint/{kind}"),
    }
}

fn hint_results(e: &Explanation, h: &HintEntry, session: &Session, out: &mut Vec<SarifResult>) {
    for a in &h.answers {
        let fix = a.trail.iter().find(|s| s.rule == "fix").map(|s| s.finding.as_str());
        let mut message = format!("`{}` is {}: {}", h.asked, fate_name(a.fate), a.done);
        for (what, text) in [("because ", a.reason.as_str()), ("fix: ", fix.unwrap_or(""))] {
            if !text.is_empty() {
                message.push('\n');
                message.push_str(what);
                message.push_str(text);
            }
        }
        let mut looks = e.functions.iter().flat_map(|f| &f.loops).flat_map(|l| &l.looks);
        let look = looks.rfind(|k| k.place == a.place && k.function == a.function && k.hints.contains(&h.id));
        let exact = session.sources.snippet(h.span) == h.asked;
        let text = look.and_then(|k| k.suggested).filter(|_| exact).and_then(|n| replaced(&h.asked, n));
        let mut properties = Map::new();
        properties.insert("fate".into(), json!(a.fate));
        if !a.function.is_empty() {
            properties.insert("function".into(), json!(a.function));
        }
        if !a.trail.is_empty() {
            properties.insert("trail".into(), json!(a.trail));
        }
        out.push(SarifResult {
            rule: hint_rule(h),
            level: level(a.fate),
            message,
            span: h.span,
            related: if a.place == h.span { Vec::new() } else { vec![(a.place, "the loop or declaration".into())] },
            fix: text.map(|t| (Fix { span: h.span, replacement: t }, fix.unwrap_or("ask for less").to_owned())),
            properties,
        });
    }
}

pub(super) fn fate_name(f: Fate) -> &'static str {
    match f {
        Fate::Honoured => "honoured",
        Fate::Adjusted => "adjusted",
        Fate::Refused => "refused",
        Fate::Unused => "unused",
    }
}

fn level(f: Fate) -> SarifLevel {
    match f {
        Fate::Honoured => SarifLevel::Pass,
        Fate::Adjusted => SarifLevel::Note,
        Fate::Refused => SarifLevel::Warning,
        Fate::Unused => SarifLevel::Information,
    }
}

fn loop_result(l: &LoopEntry) -> Option<SarifResult> {
    let k = deciding(l)?;
    let facts: Map<String, serde_json::Value> = k.facts.iter().map(|(n, v)| ((*n).to_owned(), json!(v))).collect();
    let mut properties = Map::new();
    properties.insert("function".into(), json!(k.function));
    properties.insert("copies".into(), json!(k.copies));
    properties.insert("facts".into(), facts.into());
    properties.insert("trail".into(), json!(k.trail));
    Some(SarifResult {
        rule: SarifRule {
            id: "loop".into(),
            about: "what became of each loop without a hint".into(),
            help: "`unspool explain` shows the whole reasoning; docs/explain.md says how to read it.".into(),
        },
        level: SarifLevel::Information,
        message: format!("{}\nbecause {}", k.done, k.reason),
        span: l.span,
        related: Vec::new(),
        fix: None,
        properties,
    })
}

/// The look that made the loop what it is: the last that changed it, else the one that weighed most: the early one.
pub(super) fn deciding(l: &LoopEntry) -> Option<&LoopReport> {
    let changed = l.looks.iter().rev().find(|k| k.changed);
    changed.or_else(|| l.looks.iter().find(|k| k.stage == "early")).or_else(|| l.looks.last())
}
