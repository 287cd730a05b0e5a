//! How a statement uses a variable: read or written, itself or the memory behind it.

use crate::ctype::Shape;
use crate::pointers::{self, Flow};
use crate::scope::{Scopes, VarId};
use crate::unit::Unit;
use rustc_hash::FxHashMap;
use std::ops::Range;
use syntax::ast::{ExprId, ExprKind, UnaryOp};

/// What happens to a variable in a range of the text.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Access {
    /// Its value, or a part of it, is read.
    pub(crate) read: bool,
    /// It, or a part of it, is written.
    pub(crate) written: bool,
    /// Memory that it points to is read.
    pub(crate) memory_read: bool,
    /// Memory that it points to is written.
    pub(crate) memory_written: bool,
    /// Its address is taken, it is handed to a function as a pointer, or what it points to is accessed in a way that is not seen.
    pub(crate) escapes: bool,
    /// It is a pointer, and another one is made of its value: what that one accesses is seen as that one's.
    pub(crate) copied: bool,
}

/// Parents of all expressions.
pub(crate) fn parents(unit: &Unit) -> FxHashMap<ExprId, ExprId> {
    let mut out = FxHashMap::default();
    for i in 0..unit.ast.exprs.len() {
        let e = ExprId::from_index(i);
        for c in crate::scope::children(unit, e) {
            out.insert(c, e);
        }
    }
    out
}

/// The use of a name, climbed to the place that it is part of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Whether it lies behind a pointer or in an array.
    pub(crate) memory: bool,
    /// What is done with it.
    pub(crate) access: Access,
}

/// What a use of a name is part of.
pub(crate) fn place(unit: &Unit, scopes: &Scopes, parents: &FxHashMap<ExprId, ExprId>, name: ExprId) -> Place {
    let mut e = name;
    let mut memory = false;
    let mut access = Access::default();
    loop {
        let Some(&p) = parents.get(&e) else {
            (access.read, access.copied) = (true, pointers::is_pointer(unit, scopes, e));
            break;
        };
        if pointers::offset(unit, scopes, p, e).is_some() {
            e = p;
            continue;
        }
        match unit.ast[p].kind {
            ExprKind::Paren(_) => e = p,
            ExprKind::Index { base, .. } if base == e => (e, memory) = (p, true),
            ExprKind::Member { arrow, .. } => {
                memory |= arrow;
                e = p;
            }
            ExprKind::Unary(UnaryOp::Deref, _) => (e, memory) = (p, true),
            ExprKind::Assign(op, place, _) if place == e => {
                access.written = true;
                access.read = op.is_some();
                access.escapes = pointers::value_goes_on(unit, scopes, parents, e, p);
                break;
            }
            ExprKind::Unary(UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec, _) => {
                (access.read, access.written) = (true, true);
                access.escapes = pointers::value_goes_on(unit, scopes, parents, e, p);
                break;
            }
            ExprKind::Unary(UnaryOp::AddrOf, _) => {
                (access.read, access.written, access.escapes) = (true, true, true);
                break;
            }
            ExprKind::SizeofExpr(_) => break,
            ExprKind::Call { callee, .. } if callee != e => {
                access.read = true;
                access.escapes = pointers::may_hold_pointers(unit, scopes, e);
                break;
            }
            ExprKind::Cast { .. } => e = p,
            _ => {
                access.read = true;
                match pointers::flow(unit, scopes, parents, e, p) {
                    Flow::Nowhere => {}
                    Flow::Copied => access.copied = true,
                    Flow::Used => access.escapes = true,
                }
                break;
            }
        }
    }
    Place { memory, access }
}

/// What happens to each variable in a range, in order of first use.
pub(crate) fn summary(
    unit: &Unit,
    scopes: &Scopes,
    parents: &FxHashMap<ExprId, ExprId>,
    range: &Range<usize>,
) -> Vec<(VarId, Access)> {
    let mut out: Vec<(VarId, Access)> = Vec::new();
    for u in scopes.uses_in(range) {
        let p = place(unit, scopes, parents, u.expr);
        let at = match out.iter().position(|(v, _)| *v == u.var) {
            Some(i) => i,
            None => {
                out.push((u.var, Access::default()));
                out.len() - 1
            }
        };
        let sum = &mut out[at].1;
        let a = p.access;
        let pointee = p.memory;
        sum.read |= a.read && !pointee;
        sum.written |= a.written && !pointee;
        sum.memory_read |= a.read && pointee;
        sum.memory_written |= a.written && pointee;
        sum.escapes |= a.escapes;
        sum.copied |= a.copied;
        // A pointer in a call, or an array as a pointer: what becomes of it is not seen.
        let array = || matches!(scopes.var(u.var).ty.map(|t| unit.shape(t)), Some(Shape::Array(..)));
        if a.escapes || a.read && !pointee && array() {
            sum.memory_read = true;
            sum.memory_written = true;
        }
    }
    out
}
