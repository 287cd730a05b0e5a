//! `__builtin_add_overflow` and its like: arithmetic in a type in which nothing overflows, and whether the result holds it.

use source::Span;
use syntax::ast;

use super::Checker;
use super::call::Arg;
use super::complex::Before;
use super::convert::Why;
use crate::program::{BinaryOp, CompareOp, ExprId};
use crate::types::{Ty, TyId};

/// What such a function's name says.
struct Asked {
    op: BinaryOp,
    /// The type of operands and result; `None` where the operands say.
    ty: Option<TyId>,
    /// The third argument only has the result's type.
    only_asks: bool,
}

fn asked(name: &str) -> Option<Asked> {
    let name = name.strip_prefix("__builtin_")?;
    let (name, only_asks) = match name.strip_suffix("_overflow_p") {
        Some(name) => (name, true),
        None => (name.strip_suffix("_overflow")?, false),
    };
    let operator = |name: &str| match name {
        "add" => Some(BinaryOp::Add),
        "sub" => Some(BinaryOp::Sub),
        "mul" => Some(BinaryOp::Mul),
        _ => None,
    };
    if let Some(op) = operator(name) {
        return Some(Asked { op, ty: None, only_asks });
    }
    let (op, long) = name.get(1..).and_then(|n| n.split_at_checked(3))?;
    let ty = match (&name[..1], long) {
        ("s", "") => TyId::INT,
        ("s", "l") => TyId::LONG,
        ("s", "ll") => TyId::LONGLONG,
        ("u", "") => TyId::UINT,
        ("u", "l") => TyId::ULONG,
        ("u", "ll") => TyId::ULONGLONG,
        _ => return None,
    };
    if only_asks {
        return None;
    }
    Some(Asked { op: operator(op)?, ty: Some(ty), only_asks })
}

impl Checker<'_> {
    /// A call of one of these functions.
    pub(crate) fn overflow_call(&mut self, name: &str, args: ast::List<ast::ExprId>, span: Span) -> Option<ExprId> {
        let asked = asked(name)?;
        let args = self.args(args);
        let [Arg::Expr(a), Arg::Expr(b), Arg::Expr(to)] = args[..] else {
            self.error("E0438", span, format!("`{name}` takes 3 values, {} arguments given", args.len()));
            return Some(self.err(span));
        };
        let mut before = Before::default();
        let mut operands = [a, b].map(|e| {
            let v = self.promote(e);
            let v = asked.ty.map_or(v, |t| self.implicit(v, t, Why::Arg));
            self.reusable(v, &mut before)
        });
        let to = self.rvalue(to);
        let result = if asked.only_asks { Some(self.ty(to)) } else { self.pointee(self.ty(to)) };
        let [ta, tb] = operands.map(|e| self.ty(e));
        if [operands[0], operands[1], to].into_iter().any(|e| self.is_err(e)) {
            return Some(self.err(span));
        }
        let result = result.filter(|&t| matches!(self.p.types.get(t), Ty::Int(_)));
        let shapes = [Some(ta), Some(tb), result].map(|t| t.and_then(|t| self.int_shape(t)));
        let (Some(result), [Some((wa, sa)), Some((wb, sb)), Some((wr, _))]) = (result, shapes) else {
            let what = if asked.only_asks { "and an integer" } else { "and a pointer to an integer" };
            self.error("E0460", span, format!("`{name}` takes two integers {what}"));
            return Some(self.err(span));
        };
        let width = wa.max(wb).max(wr);
        if width > 64 {
            self.error("E0462", span, format!("`{name}`: operands of 128 bits are not supported"));
            return Some(self.err(span));
        }
        // Twice as wide: a product of two unsigned numbers is the one thing that needs all of its bits.
        let unsigned = asked.op == BinaryOp::Mul && !sa && !sb;
        let wide = match (width > 32, unsigned) {
            (true, true) => TyId::UINT128,
            (true, false) => TyId::INT128,
            (false, true) => TyId::ULONGLONG,
            (false, false) => TyId::LONGLONG,
        };
        operands = operands.map(|e| self.arith_cast(e, wide));
        let to = if asked.only_asks { to } else { self.reusable(to, &mut before) };
        let exact = self.binary(asked.op, operands[0], operands[1], wide, span);
        let exact = self.reusable(exact, &mut before);
        let short = self.arith_cast(exact, result);
        if asked.only_asks {
            before.push(to);
        } else {
            let place = self.deref(to, span);
            if !self.assignable(place, span) {
                return Some(self.err(span));
            }
            let stored = self.store(place, short, span);
            before.push(stored);
        }
        let back = self.arith_cast(short, wide);
        let ty = self.bool_ty();
        let differs = self.compare(CompareOp::Ne, back, exact, ty, span);
        Some(self.after(before, differs, span))
    }
}
