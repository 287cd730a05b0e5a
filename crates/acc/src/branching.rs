//! Branches into and out of compute constructs, which devices cannot follow (OpenACC 3.4, 2.5.4).

use crate::region;
use crate::scope::Site;
use crate::unit::Unit;
use source::{Diagnostic, Symbol};
use syntax::ast::{StmtId, StmtKind};

/// The branches of a directive's statement that leave it, and those from elsewhere that lead into it.
pub(crate) fn check(unit: &Unit, site: &Site) -> Vec<Diagnostic> {
    let Some(target) = site.target.filter(|_| region::construct(site.directive.kind).is_some()) else {
        return Vec::new();
    };
    let range = unit.range(unit.ast[target].span);
    let inside = unit.stmts_in(&range);
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
            StmtKind::Goto(label) if !has_label(unit, &inside, label) => error(s, "goto", "out of"),
            StmtKind::Break if !is_held(unit, &inside, s, true) => error(s, "break", "out of"),
            StmtKind::Continue if !is_held(unit, &inside, s, false) => error(s, "continue", "out of"),
            _ => {}
        }
    }
    if !inside.iter().any(|&s| matches!(unit.ast[s].kind, StmtKind::Label(_))) {
        return out;
    }
    for s in unit.stmts_in(&unit.function_at(range.start)) {
        let outside = !range.contains(&unit.range(unit.ast[s].span).start);
        if let StmtKind::Goto(label) = unit.ast[s].kind
            && outside
            && has_label(unit, &inside, label)
        {
            error(s, "goto", "into");
        }
    }
    out
}

fn has_label(unit: &Unit, stmts: &[StmtId], label: Symbol) -> bool {
    stmts.iter().any(|&s| matches!(unit.ast[s].kind, StmtKind::Label(l) if l == label))
}

/// Whether one of the statements is the loop, or for a `break` the `switch`, that a branch is about.
fn is_held(unit: &Unit, stmts: &[StmtId], branch: StmtId, breaks: bool) -> bool {
    let at = unit.range(unit.ast[branch].span).start;
    stmts.iter().any(|&s| {
        let holds = match unit.ast[s].kind {
            StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::Do { .. } => true,
            StmtKind::Switch { .. } => breaks,
            _ => false,
        };
        holds && unit.range(unit.ast[s].span).contains(&at)
    })
}
