//! Pointers that are computed (`*(a + i)`, `(a + 1)[i]`), and where the value of a pointer goes.

use crate::ctype::Shape;
use crate::scope::Scopes;
use crate::unit::Unit;
use rustc_hash::FxHashMap;
use syntax::ast::{BinaryOp, ExprId, ExprKind};

/// What becomes of a pointer's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    /// It is compared, or is no pointer.
    Nowhere,
    /// A variable has it then, whose accesses are seen.
    Copied,
    /// The expression goes on with it, in a way that is not followed.
    Used,
}

/// Whether an expression is a pointer, or an array that becomes one.
pub(crate) fn is_pointer(unit: &Unit, scopes: &Scopes, e: ExprId) -> bool {
    matches!(unit.type_of(scopes, e).map(|t| unit.shape(t)), Some(Shape::Pointer(_) | Shape::Array(..)))
}

/// Whether an expression's value may be, or hold, a pointer.
pub(crate) fn may_hold_pointers(unit: &Unit, scopes: &Scopes, e: ExprId) -> bool {
    !matches!(unit.type_of(scopes, e).map(|t| unit.shape(t)), Some(Shape::Number(_) | Shape::Enum))
}

/// What `p` adds to the pointer `e` in elements, and whether it subtracts it; `None` if it is another expression.
pub(crate) fn offset(unit: &Unit, scopes: &Scopes, p: ExprId, e: ExprId) -> Option<(ExprId, bool)> {
    let ExprKind::Binary(op, a, b) = unit.ast[p].kind else { return None };
    let (other, back) = match op {
        BinaryOp::Add if a == e => (b, false),
        BinaryOp::Add if b == e => (a, false),
        BinaryOp::Sub if a == e => (b, true),
        _ => return None,
    };
    // The difference of two pointers is a number.
    (is_pointer(unit, scopes, e) && !is_pointer(unit, scopes, other)).then_some((other, back))
}

/// Whether the expression around uses the value that `p` gives the pointer `e` (`*p++`, `(q = a)[i]`).
pub(crate) fn value_goes_on(
    unit: &Unit,
    scopes: &Scopes,
    parents: &FxHashMap<ExprId, ExprId>,
    e: ExprId,
    p: ExprId,
) -> bool {
    parents.contains_key(&p) && is_pointer(unit, scopes, e)
}

/// What becomes of the value of `e` in `p`.
pub(crate) fn flow(unit: &Unit, scopes: &Scopes, parents: &FxHashMap<ExprId, ExprId>, e: ExprId, p: ExprId) -> Flow {
    if !is_pointer(unit, scopes, e) {
        return Flow::Nowhere;
    }
    match unit.ast[p].kind {
        ExprKind::Binary(..) | ExprKind::Unary(..) => Flow::Nowhere,
        ExprKind::Cond { cond, .. } if cond == e => Flow::Nowhere,
        ExprKind::Assign(..) if !parents.contains_key(&p) => Flow::Copied,
        _ => Flow::Used,
    }
}
