//! Branches into and out of compute constructs, which devices cannot follow (OpenACC 3.4, 2.5.4).

use crate::region;
use crate::scope::Site;
use crate::unit::Unit;
use rustc_hash::FxHashSet;
use source::{Diagnostic, Symbol};
use std::ops::Range;
use syntax::ast::{StmtId, StmtKind};

/// What a directive's statement has that branches are about.
struct Targets {
    labels: FxHashSet<Symbol>,
    loops: Vec<Range<usize>>,
    switches: Vec<Range<usize>>,
}

impl Targets {
    fn of(unit: &Unit, stmts: &[StmtId]) -> Self {
        let mut all = Self { labels: FxHashSet::default(), loops: Vec::new(), switches: Vec::new() };
        for &s in stmts {
            let range = || unit.range(unit.ast[s].span);
            match unit.ast[s].kind {
                StmtKind::Label(label) => _ = all.labels.insert(label),
                StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::Do { .. } => all.loops.push(range()),
                StmtKind::Switch { .. } => all.switches.push(range()),
                _ => {}
            }
        }
        all
    }
}

/// The branches of a directive's statement that leave it, and those from elsewhere that lead into it.
pub(crate) fn check(unit: &Unit, site: &Site) -> Vec<Diagnostic> {
    let Some(target) = site.target.filter(|_| region::construct(site.directive.kind).is_some()) else {
        return Vec::new();
    };
    let range = unit.range(unit.ast[target].span);
    let inside = unit.stmts_in(&range);
    let there = Targets::of(unit, &inside);
    let held = |s: StmtId, by: &[Range<usize>]| by.iter().any(|r| r.contains(&unit.range(unit.ast[s].span).start));
    let mut out = Vec::new();
    let mut error = |s: StmtId, what: &str, how: &str| {
        let text = format!("`{what}` {how} `{}`", site.directive.kind.words());
        let said = Diagnostic::error("E0816", unit.span(&unit.range(unit.ast[s].span)), text);
        let help = "whoever begins a construct ends it (OpenACC 3.4, 2.5.4): branch on a variable behind it";
        out.push(said.help(help.to_owned()));
    };
    for &s in &inside {
        match unit.ast[s].kind {
            StmtKind::Return(_) => error(s, "return", "out of"),
            StmtKind::Goto(label) if !there.labels.contains(&label) => error(s, "goto", "out of"),
            StmtKind::Break if !held(s, &there.loops) && !held(s, &there.switches) => error(s, "break", "out of"),
            StmtKind::Continue if !held(s, &there.loops) => error(s, "continue", "out of"),
            _ => {}
        }
    }
    if there.labels.is_empty() {
        return out;
    }
    for s in unit.stmts_in(&unit.function_at(range.start)) {
        let outside = !range.contains(&unit.range(unit.ast[s].span).start);
        if let StmtKind::Goto(label) = unit.ast[s].kind
            && outside
            && there.labels.contains(&label)
        {
            error(s, "goto", "into");
        }
    }
    out
}
