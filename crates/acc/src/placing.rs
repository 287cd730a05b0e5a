//! Where directives may not stand: executable ones as all that an `if` or a loop is about, `declare` away from its variables' scope
//! (OpenACC 3.4; the sections are named where the rules are).

use crate::data::{self, Action};
use crate::scope::{Scopes, Site, VarId};
use crate::unit::Unit;
use directives::{ClauseKind as C, Kind};
use rustc_hash::FxHashMap;
use source::Diagnostic;
use std::ops::Range;
use syntax::ast::{StmtId, StmtKind};

/// What is wrong with the places of a file's directives.
pub(crate) fn check(unit: &Unit, scopes: &Scopes) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut declared: FxHashMap<VarId, C> = FxHashMap::default();
    for site in &scopes.sites {
        match site.directive.kind {
            Kind::Declare => declare(unit, scopes, site, &mut declared, &mut out),
            Kind::Update | Kind::EnterData | Kind::ExitData | Kind::Wait | Kind::Init | Kind::Shutdown | Kind::Set => {
                out.extend(alone(unit, site))
            }
            _ => {}
        }
    }
    out
}

fn error(unit: &Unit, code: &'static str, at: &Range<usize>, text: String, help: &str) -> Diagnostic {
    Diagnostic::error(code, unit.span(at), text).help(help.to_owned())
}

/// A directive where the statement of an `if` or a loop is expected: the statement behind it would be that one no longer (2.14).
fn alone(unit: &Unit, site: &Site) -> Option<Diagnostic> {
    let (ast, d) = (&unit.ast, &site.directive);
    let function = unit.function_at(d.span.start);
    // Directives and the statement behind them are one statement of the tree, which begins with the first of them.
    let begins = |mut s: StmtId| {
        loop {
            match ast[s].kind {
                _ if unit.range(ast[s].span).start == d.span.start => return true,
                StmtKind::Attributed { stmt, .. } => s = stmt,
                _ => return false,
            }
        }
    };
    let of = unit.stmts_in(&function).into_iter().find_map(|s| {
        if unit.range(ast[s].span).start >= d.span.start {
            return None;
        }
        let (word, child) = match ast[s].kind {
            StmtKind::If { then, .. } if begins(then) => ("if", then),
            StmtKind::If { then, els: Some(els), .. } if unit.range(ast[then].span).end <= d.span.start => {
                ("else", els)
            }
            StmtKind::For { body, .. } => ("for", body),
            StmtKind::While { body, .. } => ("while", body),
            StmtKind::Do { body, .. } => ("do", body),
            StmtKind::Switch { body, .. } => ("switch", body),
            _ => return None,
        };
        begins(child).then_some(word)
    })?;
    let text = format!("`{}` is all that this `{of}` is about", d.kind.words());
    Some(error(unit, "E0815", &d.span, text, "write braces around it (OpenACC 3.4, 2.14)"))
}

/// `declare`: whole variables, each once, and at file scope no clause that would copy at the end of a scope (2.13).
fn declare(unit: &Unit, scopes: &Scopes, site: &Site, declared: &mut FxHashMap<VarId, C>, out: &mut Vec<Diagnostic>) {
    let d = &site.written;
    let clauses: Vec<_> = d.clauses.iter().filter_map(|c| Some((c, data::action(d.kind, c.kind)?))).collect();
    if clauses.is_empty() {
        let text = "`declare` without a data clause".to_owned();
        out.push(error(unit, "E0813", &d.span, text, "say what it is about, or leave it out"));
    }
    for (c, action) in clauses {
        if site.function.is_empty() && matches!(action, Action::Copy | Action::Copyout | Action::Present) {
            let text = format!("`{}` in a `declare` at file scope", c.kind.word());
            let help =
                "only `create`, `copyin`, `deviceptr`, `device_resident` and `link` stand there (OpenACC 3.4, 2.13)";
            out.push(error(unit, "E0816", &c.span, text, help));
            continue;
        }
        for v in c.operands.iter().filter_map(|o| o.variable.as_ref()) {
            let Some(&var) = site.names.get(&v.name) else { continue };
            if let Some((text, help)) = misplaced(unit, scopes, site, c.kind, var) {
                out.push(error(unit, "E0816", &v.base, text, help));
                continue;
            }
            if let Some(before) = declared.insert(var, c.kind) {
                let name = &scopes.var(var).name;
                let text = format!("`{name}` stands in `{}` of a `declare`, and in `{}`", before.word(), c.kind.word());
                let help = "a variable stands in one clause of one `declare` (OpenACC 3.4, 2.13): keep one of the two";
                out.push(error(unit, "E0812", &v.base, text, help));
            }
        }
    }
}

/// `declare` stands where its variables are declared, and `link` is for those at file scope (2.13).
fn misplaced(unit: &Unit, scopes: &Scopes, site: &Site, clause: C, v: VarId) -> Option<(String, &'static str)> {
    let (var, at) = (scopes.var(v), site.directive.span.start);
    let is_global = || scopes.globals.values().any(|&g| g == v);
    if clause == C::Link && !is_global() {
        let help = "`link` is for variables at file scope (OpenACC 3.4, 2.13.3): write `create`";
        return Some((format!("`{}` in `link` is a function's own variable", var.name), help));
    }
    let elsewhere = !site.function.is_empty() && !unit.function_at(at).contains(&var.at.start);
    let help = "move the directive to the scope of its variables (OpenACC 3.4, 2.13), or write a `data` construct";
    elsewhere.then(|| (format!("`{}` is declared in another scope than this `declare`", var.name), help))
}
