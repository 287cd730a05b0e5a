//! Declarations among the statements of `kernels`, taken apart.
//!
//! `kernels { for (…) …; double norm = sqrt(sum); for (…) … }` becomes `{ double norm; for (…) …; norm = sqrt(sum); for (…) … }`:
//! each statement can be a kernel of its own then, and what comes first may be the host's (`region/prologue.rs`). With declarations in its
//! middle the block would be one kernel of one work-item.
//!
//! What must hold: the declarations are of numbers, and none of their names means another variable earlier in the block. A block with
//! others is left as it is. Lines stay where they are. Cost: linear; the file is read once more where something was changed.

use crate::ctype::{Shape, c_name};
use crate::edit::Edits;
use crate::loops::block_of;
use crate::scope::{Scopes, Storage};
use crate::unit::Unit;
use directives::Kind;
use std::fmt::Write;
use std::ops::Range;
use syntax::ast::{DeclId, DeclKind, ExprKind, Init, StmtId, StmtKind, UnaryOp};

/// The file's text with such declarations taken apart, if there are some.
pub(crate) fn taken_apart(unit: &Unit, scopes: &Scopes) -> Option<String> {
    let mut edits = Edits::default();
    let mut any = false;
    let constructs = scopes.sites.iter().filter(|s| matches!(s.directive.kind, Kind::Kernels | Kind::Region));
    for target in constructs.filter_map(|s| s.target) {
        let Some((block, statements)) = block_of(unit, target) else { continue };
        let block = unit.range(unit.ast[block].span);
        if !has_declarations_within(unit, &statements) {
            continue;
        }
        let declarations = statements.iter().filter(|&&s| matches!(unit.ast[s].kind, StmtKind::Decl(_)));
        let made: Option<Vec<_>> = declarations.map(|&s| apart(unit, scopes, &block, s)).collect();
        let Some(made) = made else { continue };
        any = true;
        edits.insert(block.start + 1, made.iter().map(|m| format!(" {}", m.declared)).collect());
        made.into_iter().for_each(|m| edits.replace(m.at, m.set));
    }
    any.then(|| edits.apply(&unit.text, 0..unit.text.len()))
}

/// Whether there are declarations that no prologue can have: behind other statements than assignments, or of values in memory.
fn has_declarations_within(unit: &Unit, statements: &[StmtId]) -> bool {
    let simple =
        |s: &StmtId| matches!(unit.ast[*s].kind, StmtKind::Decl(_) | StmtKind::Expr(_)) && !reads_memory(unit, *s);
    let first = statements.iter().position(|s| !simple(s)).unwrap_or(statements.len());
    statements[first..].iter().any(|s| matches!(unit.ast[*s].kind, StmtKind::Decl(_)))
}

fn reads_memory(unit: &Unit, s: StmtId) -> bool {
    unit.exprs_in(&unit.range(unit.ast[s].span)).into_iter().any(|e| {
        let kind = &unit.ast[e].kind;
        matches!(
            kind,
            ExprKind::Index { .. } | ExprKind::Unary(UnaryOp::Deref, _) | ExprKind::Member { arrow: true, .. }
        )
    })
}

/// A declaration in two parts.
struct Apart {
    /// Its statement.
    at: Range<usize>,
    /// Declarations without values.
    declared: String,
    /// Assignments, on as many lines.
    set: String,
}

fn apart(unit: &Unit, scopes: &Scopes, block: &Range<usize>, s: StmtId) -> Option<Apart> {
    let StmtKind::Decl(list) = unit.ast[s].kind else { return None };
    let at = unit.range(unit.ast[s].span);
    let mut out = Apart { at: at.clone(), declared: String::new(), set: String::new() };
    for &d in unit.ast.list(list) {
        let (name, declared) = number(unit, scopes, d)?;
        let DeclKind::Var { init, .. } = unit.ast[d].kind else { return None };
        if scopes.is_used(&name, &(block.start..at.start)) {
            return None;
        }
        let _ = write!(out.declared, "{declared}; ");
        match init {
            Init::None => {}
            Init::Copy(e) if !matches!(unit.ast[e].kind, ExprKind::InitList(_)) => {
                let _ = write!(out.set, "{name} = ({}); ", unit.slice(unit.ast[e].span));
            }
            _ => return None,
        }
    }
    let lines = |t: &str| t.matches('\n').count();
    let missing = lines(&unit.text[at]).saturating_sub(lines(&out.set));
    out.set.push_str(&"\n".repeat(missing));
    Some(out)
}

/// The name of a local variable that is a number, and its declaration as one that may be assigned to.
fn number(unit: &Unit, scopes: &Scopes, d: DeclId) -> Option<(String, String)> {
    let DeclKind::Var { ty, .. } = unit.ast[d].kind else { return None };
    let var = scopes.declared(unit, d).map(|v| scopes.var(v)).filter(|v| v.storage == Storage::Local)?;
    let Shape::Number(b) = unit.shape(ty) else { return None };
    let declared = format!("{} {}", c_name(b), var.name);
    (!unit.ast[ty].quals.is_volatile).then(|| (var.name.clone(), declared))
}
