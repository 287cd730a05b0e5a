//! Narrowing conversions in braces (C++17, 11.6.4, 7).

use crate::check::Checker;
use crate::check::fold::Const;
use crate::num::ConstFloat;
use crate::program::ExprId;
use crate::types::{Ty, TyId};
use builtins::Round;
use syntax::ast;

impl Checker<'_> {
    /// Refuses an element of a list that may lose something in `ty`, where it is asked whether that is valid: in requirements
    /// and where template arguments are substituted. Elsewhere nvcc takes it, with a warning for some.
    pub(super) fn refuse_narrowing(&mut self, element: ast::ExprId, ty: TyId) {
        let scalar = matches!(self.p.types.get(ty), Ty::Bool | Ty::Int(_) | Ty::Float(_));
        if !self.is_cxx()
            || !self.inst.substituting
            || !scalar
            || matches!(self.ast[element].kind, ast::ExprKind::InitList(_) | ast::ExprKind::Pack(_))
        {
            return;
        }
        let v = self.expr(element);
        self.cx.prechecked = Some((element, v));
        if self.narrows(v, ty) {
            let (from, to) = (self.show(self.ty(v)), self.show(ty));
            let span = self.ast[element].span;
            self.error("E0399", span, format!("narrowing conversion from `{from}` to `{to}` in braces"));
        }
    }

    /// Whether a conversion is a narrowing one: the type has not all values, and the value is not known to be one of it.
    fn narrows(&mut self, v: ExprId, to: TyId) -> bool {
        let from = self.ty(v);
        let known = self.evaluate(v).and_then(|c| self.constant(c));
        let (f, t) = (self.p.types.get(from).clone(), self.p.types.get(to).clone());
        match (&f, &t) {
            (Ty::Pointer { .. } | Ty::MemberPointer { .. }, Ty::Bool) => true,
            (Ty::Float(_), Ty::Bool | Ty::Int(_)) => true,
            (Ty::Float(a), Ty::Float(b)) => {
                a.bytes() > b.bytes()
                    && match known {
                        Some(Const::Float(c)) => !c.is_nan() && c.convert(*b, Round::Nearest).overflow,
                        _ => true,
                    }
            }
            (Ty::Bool | Ty::Int(_) | Ty::Enum(_), Ty::Float(k)) => match known {
                Some(Const::Int(i)) => {
                    let there = ConstFloat::from_int(i, *k, Round::Nearest);
                    there.value.to_int(i.width().max(32), i.is_signed(), Round::Zero).value.value() != i.value()
                }
                _ => true,
            },
            (Ty::Bool | Ty::Int(_) | Ty::Enum(_), Ty::Bool | Ty::Int(_)) => {
                let (Some((w, s)), Some((x, u))) = (self.int_shape(from), self.int_shape(to)) else { return false };
                // `bool` has two values, whatever its size is.
                let (w, x) = (if f == Ty::Bool { 1 } else { w }, if t == Ty::Bool { 1 } else { x });
                let all = match (s, u) {
                    (false, true) => x > w,
                    (true, false) => false,
                    _ => x >= w,
                };
                !all && match known {
                    Some(Const::Int(i)) => {
                        let value = i.value();
                        let (least, most) =
                            if u { (-(1i128 << (x - 1)), (1i128 << (x - 1)) - 1) } else { (0, (1i128 << x) - 1) };
                        value < least || value > most
                    }
                    _ => self.promoted_bit_field(v).is_none(),
                }
            }
            _ => false,
        }
    }
}
