//! Operators.

use source::{Diagnostic, Span};
use syntax::ast::{self, BinaryOp as B, UnaryOp as U};

use super::Checker;
use super::convert::Why;
use crate::program::{BinaryOp, CastKind, Category, CompareOp, Expr, ExprId, ExprKind, UnaryOp};
use crate::types::{OperatorName, Ty, TyId};

impl Checker<'_> {
    fn is_class_operand(&self, e: ExprId) -> bool {
        self.is_cxx() && matches!(self.p.types.get(self.ty(e)), Ty::Record(_) | Ty::Enum(_))
    }

    // ---- unary -------------------------------------------------------------------------------------------------

    pub(crate) fn unary_expr(&mut self, op: U, operand: ast::ExprId, span: Span) -> ExprId {
        match op {
            U::Extension => return self.expr(operand),
            U::AddrOf => return self.address_of(operand, span),
            U::Real | U::Imag => {
                self.error("E0414", span, "complex numbers are not supported in device code");
                return self.err(span);
            }
            _ => {}
        }
        let e = self.expr(operand);
        if self.is_err(e) {
            return self.err(span);
        }
        if self.is_class_operand(e) {
            let name = match op {
                U::Plus => OperatorName::Plus,
                U::Minus => OperatorName::Neg,
                U::Not => OperatorName::LogNot,
                U::BitNot => OperatorName::Not,
                U::Deref => OperatorName::Deref,
                U::PreInc | U::PostInc => OperatorName::Inc,
                _ => OperatorName::Dec,
            };
            let postfix = matches!(op, U::PostInc | U::PostDec);
            let mut args = vec![e];
            if postfix {
                let z = self.int(0, TyId::INT, span);
                args.push(z);
            }
            if let Some(r) = self.user_operator(name, &args, span) {
                return r;
            }
        }
        match op {
            U::Deref => self.built_deref(e, span),
            U::Not => self.logical_not(e, span),
            U::PreInc => self.built_incdec(e, true, true, span),
            U::PreDec => self.built_incdec(e, false, true, span),
            U::PostInc => self.built_incdec(e, true, false, span),
            U::PostDec => self.built_incdec(e, false, false, span),
            _ => self.arith_unary(op, e, span),
        }
    }

    fn arith_unary(&mut self, op: U, e: ExprId, span: Span) -> ExprId {
        let mut v = self.promote(e);
        if self.p.types.as_record(self.ty(v)).is_some() {
            match self.user_convert_to_scalar(v, None) {
                Some(c) => v = self.promote(c),
                None => return self.bad_unary(op, v, span),
            }
        }
        let ty = self.ty(v);
        let scalar = self.p.types.scalar_of(ty);
        let arithmetic = self.p.types.is_arithmetic(scalar);
        let ok = match op {
            U::BitNot => arithmetic && !self.p.types.is_float(scalar),
            U::Plus => arithmetic || self.p.types.is_pointer(ty),
            _ => arithmetic,
        };
        if !ok {
            return self.bad_unary(op, v, span);
        }
        match op {
            U::Plus => {
                let x = *self.e(v);
                self.push_expr(Expr { span, ..x })
            }
            U::BitNot => self.unary(UnaryOp::Not, v, ty, span),
            _ => self.unary(UnaryOp::Neg, v, ty, span),
        }
    }

    fn bad_unary(&mut self, op: U, v: ExprId, span: Span) -> ExprId {
        let name = self.show(self.ty(v));
        let text = op.as_str().trim_start_matches('x').to_owned();
        self.error("E0415", span, format!("invalid argument type `{name}` to unary `{text}`"));
        self.err(span)
    }

    fn logical_not(&mut self, e: ExprId, span: Span) -> ExprId {
        let v = self.rvalue(e);
        let ty = self.ty(v);
        if self.p.types.is_vector(ty) {
            let z = self.vector_zero(ty, span);
            let to = self.mask_ty(ty);
            return self.compare(CompareOp::Eq, v, z, to, span);
        }
        let c = self.condition(v);
        if self.is_err(c) {
            return c;
        }
        let ty = self.bool_ty();
        self.unary(UnaryOp::LogNot, c, ty, span)
    }

    fn vector_zero(&mut self, ty: TyId, span: Span) -> ExprId {
        let elem = self.p.types.scalar_of(ty);
        let z = self.zero(elem, span);
        self.rv(ExprKind::Cast { kind: CastKind::Splat, operand: z }, ty, span)
    }

    /// The integer vector that comparisons of a vector type give.
    fn mask_ty(&mut self, ty: TyId) -> TyId {
        let Ty::Vector { elem, n } = *self.p.types.get(ty) else { return self.bool_ty() };
        let int = match self.p.types.size_of(elem) {
            Some(1) => TyId::CHAR,
            Some(2) => TyId::SHORT,
            Some(4) => TyId::INT,
            _ => TyId::LONG,
        };
        self.p.types.vector(int, n)
    }

    pub(crate) fn built_deref(&mut self, e: ExprId, span: Span) -> ExprId {
        if self.is_cxx()
            && self.p.types.as_record(self.ty(e)).is_some()
            && let Some(r) = self.user_operator(OperatorName::Deref, &[e], span)
        {
            return r;
        }
        let v = self.rvalue(e);
        if self.is_err(v) {
            return v;
        }
        match *self.p.types.get(self.ty(v)) {
            Ty::Pointer { pointee, .. } if pointee == TyId::VOID => {
                self.error("E0416", span, "dereferencing a `void` pointer");
                self.err(span)
            }
            Ty::Pointer { pointee, .. } if matches!(self.p.types.get(pointee), Ty::Function(_)) => v,
            Ty::Pointer { .. } => self.deref(v, span),
            _ => {
                let name = self.show(self.ty(v));
                self.error("E0417", span, format!("indirection requires a pointer operand (`{name}` given)"));
                self.err(span)
            }
        }
    }

    fn address_of(&mut self, operand: ast::ExprId, span: Span) -> ExprId {
        let e = self.expr(operand);
        if self.is_err(e) {
            return e;
        }
        if self.is_class_operand(e)
            && let Some(r) = self.user_operator(OperatorName::AddrOf, &[e], span)
        {
            return r;
        }
        if matches!(self.e(e).kind, ExprKind::FuncAddr(_)) {
            return e;
        }
        if !self.is_lv(e) {
            let name = self.show(self.ty(e));
            self.error("E0418", span, format!("cannot take the address of an rvalue of type `{name}`"));
            return self.err(span);
        }
        match self.e(e).kind {
            ExprKind::Field { .. } if self.is_odd_place(e) => {
                self.error("E0419", span, "address of bit-field requested");
                return self.err(span);
            }
            ExprKind::Swizzle { comps, .. } if comps.len > 1 || self.is_opencl() => {
                self.error("E0419", span, "address of vector element requested");
                return self.err(span);
            }
            _ => {}
        }
        self.address(e)
    }

    /// `++` and `--` on built-in types.
    pub(crate) fn built_incdec(&mut self, e: ExprId, increment: bool, prefix: bool, span: Span) -> ExprId {
        if self.is_class_operand(e) && self.p.types.as_record(self.ty(e)).is_some() {
            let name = if increment { OperatorName::Inc } else { OperatorName::Dec };
            if let Some(r) = self.user_operator(name, &[e], span) {
                return r;
            }
        }
        if !self.assignable(e, span) {
            return self.err(span);
        }
        let ty = self.ty(e);
        let scalar = self.p.types.scalar_of(ty);
        let ok = (self.p.types.is_arithmetic(scalar)
            && !(self.is_cxx() && matches!(self.p.types.get(ty), Ty::Enum(_))))
            || self.p.types.is_pointer(ty);
        if !ok {
            let name = self.show(ty);
            self.error("E0420", span, format!("cannot increment or decrement a value of type `{name}`"));
            return self.err(span);
        }
        if let Ty::Pointer { pointee, .. } = *self.p.types.get(ty)
            && !self.complete_pointee(pointee, span)
        {
            return self.err(span);
        }
        let x = *self.e(e);
        let kind = ExprKind::IncDec { place: e, increment, prefix };
        if prefix && self.is_cxx() {
            return self.lv(kind, ty, x.quals, x.space, span);
        }
        self.rv(kind, ty, span)
    }

    fn complete_pointee(&mut self, ty: TyId, span: Span) -> bool {
        if let Some(r) = self.p.types.as_record(ty) {
            self.complete_record(r);
        }
        if ty == TyId::VOID && !self.is_cxx() && !self.is_opencl() {
            return true;
        }
        if self.p.types.size_of(ty).is_none() {
            let name = self.show(ty);
            self.error("E0421", span, format!("arithmetic on a pointer to incomplete type `{name}`"));
            return false;
        }
        true
    }

    /// Whether a place may be written to; reports if not.
    pub(crate) fn assignable(&mut self, e: ExprId, span: Span) -> bool {
        if self.is_err(e) {
            return false;
        }
        let x = *self.e(e);
        if x.cat != Category::LValue {
            self.error("E0422", span, "expression is not assignable");
            return false;
        }
        if x.quals.is_const() {
            self.report_const(e, span);
            return false;
        }
        if let ExprKind::Swizzle { comps, .. } = x.kind
            && comps.has_duplicates()
        {
            self.error("E0423", span, "vector is not assignable: it contains duplicate components");
            return false;
        }
        if let Ty::Array { .. } = self.p.types.get(x.ty) {
            let name = self.show(x.ty);
            self.error("E0424", span, format!("array type `{name}` is not assignable"));
            return false;
        }
        true
    }

    fn report_const(&mut self, e: ExprId, span: Span) {
        let mut at = e;
        while let ExprKind::Field { base, .. } | ExprKind::ArrayElem { base, .. } | ExprKind::Swizzle { base, .. } =
            self.e(at).kind
        {
            at = base;
        }
        let ty = self.e(e).ty;
        let name = self.show_q(ty, self.e(e).quals);
        let d = match self.e(at).kind {
            ExprKind::Local(l) => {
                let local = self.cx.locals[l.index()];
                let n = local.name.map(|n| self.text(n).to_owned()).unwrap_or_default();
                Diagnostic::error(
                    "E0425",
                    span,
                    format!("cannot assign to variable `{n}` with const-qualified type `{name}`"),
                )
                .label(local.span, "declared const here")
            }
            ExprKind::Global(g) => {
                let g = &self.p.globals[g.index()];
                let (n, there) = (g.name.map(|n| self.text(n).to_owned()).unwrap_or_default(), g.span);
                Diagnostic::error(
                    "E0425",
                    span,
                    format!("cannot assign to variable `{n}` with const-qualified type `{name}`"),
                )
                .label(there, "declared here")
            }
            ExprKind::Deref(_) => {
                Diagnostic::error("E0425", span, format!("read-only variable is not assignable: its type is `{name}`"))
            }
            _ => Diagnostic::error("E0425", span, format!("cannot assign to a value of const-qualified type `{name}`")),
        };
        self.report(d);
    }

    // ---- binary ------------------------------------------------------------------------------------------------

    pub(crate) fn binary_expr(&mut self, op: B, l: ast::ExprId, r: ast::ExprId, span: Span) -> ExprId {
        if matches!(op, B::LogAnd | B::LogOr) {
            return self.logical(op, l, r, span);
        }
        // Long chains `a + b + c …` are left-deep: walked by a loop, not by recursion.
        let mut chain = vec![(op, r, span)];
        let mut left = l;
        while let ast::ExprKind::Binary(op, l2, r2) = self.ast[left].kind
            && !matches!(op, B::LogAnd | B::LogOr)
            && self.prechecked.is_none_or(|(k, _)| k != left)
        {
            chain.push((op, r2, self.ast[left].span));
            left = l2;
        }
        let mut acc = self.expr(left);
        while let Some((op, r, span)) = chain.pop() {
            let rhs = self.expr(r);
            acc = self.built_or_user(op, acc, rhs, span);
        }
        acc
    }

    fn built_or_user(&mut self, op: B, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        if self.is_err(lhs) || self.is_err(rhs) {
            return self.err(span);
        }
        if (self.is_class_operand(lhs) || self.is_class_operand(rhs))
            && let Some(name) = operator_of(op)
            && let Some(r) = self.user_operator(name, &[lhs, rhs], span)
        {
            return r;
        }
        self.built_binary(op, lhs, rhs, span)
    }

    /// An operator on built-in types.
    pub(crate) fn built_binary(&mut self, op: B, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        if self.is_cxx()
            && (self.p.types.as_record(self.ty(lhs)).is_some() || self.p.types.as_record(self.ty(rhs)).is_some())
            && let Some(name) = operator_of(op)
            && let Some(r) = self.user_operator(name, &[lhs, rhs], span)
        {
            return r;
        }
        let lhs = self.scalar_operand(lhs);
        let rhs = self.scalar_operand(rhs);
        if self.is_err(lhs) || self.is_err(rhs) {
            return self.err(span);
        }
        match op {
            B::DotStar | B::ArrowStar => {
                self.error("E0322", span, "pointers to members are not supported in device code");
                self.err(span)
            }
            B::Lt | B::Gt | B::Le | B::Ge | B::Eq | B::Ne => self.comparison(op, lhs, rhs, span),
            B::Shl | B::Shr => self.shift(op, lhs, rhs, span),
            B::Add | B::Sub if self.p.types.is_pointer(self.ty(lhs)) || self.p.types.is_pointer(self.ty(rhs)) => {
                self.pointer_arith(op, lhs, rhs, span)
            }
            _ => self.arithmetic(op, lhs, rhs, span),
        }
    }

    /// A value; a class converted by its one conversion to a scalar.
    fn scalar_operand(&mut self, e: ExprId) -> ExprId {
        let v = self.rvalue(e);
        if self.is_cxx()
            && self.p.types.as_record(self.ty(v)).is_some()
            && let Some(c) = self.user_convert_to_scalar(v, None)
        {
            return c;
        }
        v
    }

    fn arithmetic(&mut self, op: B, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let Some((l, r, ty)) = self.usual(lhs, rhs) else { return self.invalid_operands(op, lhs, rhs, span) };
        let scalar = self.p.types.scalar_of(ty);
        let int_only = matches!(op, B::Rem | B::BitAnd | B::BitXor | B::BitOr);
        if int_only && self.p.types.is_float(scalar) {
            return self.invalid_operands(op, lhs, rhs, span);
        }
        let Some(bop) = arith_op(op) else { return self.invalid_operands(op, lhs, rhs, span) };
        self.binary(bop, l, r, ty, span)
    }

    /// The usual arithmetic conversions, vectors included; `None` where there are none.
    fn usual(&mut self, lhs: ExprId, rhs: ExprId) -> Option<(ExprId, ExprId, TyId)> {
        let (a, b) = (self.ty(lhs), self.ty(rhs));
        if self.p.types.is_vector(a) || self.p.types.is_vector(b) {
            return self.usual_vector(lhs, rhs);
        }
        if !self.p.types.is_arithmetic(a) || !self.p.types.is_arithmetic(b) {
            return None;
        }
        let (lhs, rhs) = (self.widen_bit_field(lhs), self.widen_bit_field(rhs));
        let ty = self.common_arithmetic(self.ty(lhs), self.ty(rhs));
        let l = self.arith_cast(lhs, ty);
        let r = self.arith_cast(rhs, ty);
        Some((l, r, ty))
    }

    fn usual_vector(&mut self, lhs: ExprId, rhs: ExprId) -> Option<(ExprId, ExprId, TyId)> {
        let (a, b) = (self.ty(lhs), self.ty(rhs));
        if a == b {
            return Some((lhs, rhs, a));
        }
        let splat = |c: &mut Self, s: ExprId, v: TyId| {
            let elem = c.p.types.scalar_of(v);
            let from = c.ty(s);
            if !c.p.types.is_arithmetic(from) {
                return None;
            }
            // A floating scalar does not narrow to an integer vector.
            if c.p.types.is_float(from) && !c.p.types.is_float(elem) {
                return None;
            }
            let s2 = c.arith_cast(s, elem);
            let span = c.span(s);
            Some(c.rv(ExprKind::Cast { kind: CastKind::Splat, operand: s2 }, v, span))
        };
        match (self.p.types.is_vector(a), self.p.types.is_vector(b)) {
            (true, false) => splat(self, rhs, a).map(|r| (lhs, r, a)),
            (false, true) => splat(self, lhs, b).map(|l| (l, rhs, b)),
            _ => None,
        }
    }

    fn shift(&mut self, op: B, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let bop = if op == B::Shl { BinaryOp::Shl } else { BinaryOp::Shr };
        let (a, b) = (self.ty(lhs), self.ty(rhs));
        if self.p.types.is_vector(a) || self.p.types.is_vector(b) {
            let (ea, eb) = (self.p.types.scalar_of(a), self.p.types.scalar_of(b));
            let ints = self.p.types.is_integral(ea) && self.p.types.is_integral(eb);
            let lanes = self.p.types.lanes(a) == self.p.types.lanes(b);
            if !ints || !self.p.types.is_vector(a) || (self.p.types.is_vector(b) && !lanes) {
                return self.invalid_operands(op, lhs, rhs, span);
            }
            let r = if self.p.types.is_vector(b) {
                self.arith_cast(rhs, a)
            } else {
                let s = self.arith_cast(rhs, ea);
                self.rv(ExprKind::Cast { kind: CastKind::Splat, operand: s }, a, span)
            };
            return self.binary(bop, lhs, r, a, span);
        }
        if !self.p.types.is_integral(a) || !self.p.types.is_integral(b) {
            return self.invalid_operands(op, lhs, rhs, span);
        }
        let l = self.promote(lhs);
        let r = self.promote(rhs);
        let ty = self.ty(l);
        self.warn_lane_shift(op, l, r, span);
        self.binary(bop, l, r, ty, span)
    }

    /// `1u << laneId` makes a 32-lane mask.
    fn warn_lane_shift(&mut self, op: B, l: ExprId, r: ExprId, span: Span) {
        if op != B::Shl || !self.is_cuda() || self.int_constant(l) != Some(1) || !self.is_lane_number(r) {
            return;
        }
        if self.p.types.size_of(self.ty(l)) == Some(4) {
            self.warn(
                Diagnostic::warning("W0315", span, "shift of a 32-bit `1` by a lane number makes a mask of 32 lanes")
                    .help("shift `(cudaLaneMask_t)1`, which is as wide as the warp")
                    .group("lane-mask-narrowing"),
            );
        }
    }

    /// Whether a value is visibly a lane number: `threadIdx.x % warpSize`, `& 31`, `%laneid`.
    fn is_lane_number(&self, e: ExprId) -> bool {
        use crate::builtins::{Meaning, Op, Special};
        match self.e(e).kind {
            ExprKind::Cast { operand, .. } => self.is_lane_number(operand),
            ExprKind::Binary { op: BinaryOp::Rem, lhs, rhs } => {
                self.int_constant(rhs) == Some(i128::from(self.opts.warp_size)) && self.has_thread_index(lhs)
            }
            ExprKind::Binary { op: BinaryOp::And, lhs, rhs } => {
                self.int_constant(rhs) == Some(i128::from(self.opts.warp_size) - 1) && self.has_thread_index(lhs)
            }
            ExprKind::Builtin { meaning: Meaning::Op(Op::Special(Special::LaneId)), .. } => true,
            _ => false,
        }
    }

    fn has_thread_index(&self, e: ExprId) -> bool {
        use crate::builtins::{Meaning, Op, Special};
        match self.e(e).kind {
            ExprKind::Cast { operand, .. } => self.has_thread_index(operand),
            ExprKind::Builtin { meaning: Meaning::Op(Op::Special(Special::ThreadId(_))), .. } => true,
            _ => false,
        }
    }

    fn pointer_arith(&mut self, op: B, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let (a, b) = (self.ty(lhs), self.ty(rhs));
        let (pa, pb) = (self.p.types.is_pointer(a), self.p.types.is_pointer(b));
        if pa && pb && op == B::Sub {
            let (Ty::Pointer { pointee: x, .. }, Ty::Pointer { pointee: y, .. }) =
                (self.p.types.get(a).clone(), self.p.types.get(b).clone())
            else {
                return self.err(span);
            };
            if x != y {
                return self.invalid_operands(op, lhs, rhs, span);
            }
            if !self.complete_pointee(x, span) {
                return self.err(span);
            }
            let rhs = self.pointer_cast(rhs, a);
            return self.rv(ExprKind::PtrDiff { lhs, rhs }, TyId::LONG, span);
        }
        let (ptr, index) = if pa { (lhs, rhs) } else { (rhs, lhs) };
        if (op == B::Sub && !pa) || (pa && pb) || !self.p.types.is_integral(self.ty(index)) {
            return self.invalid_operands(op, lhs, rhs, span);
        }
        self.offset_pointer(ptr, index, op == B::Sub, span)
    }

    /// `ptr ± index`.
    pub(crate) fn offset_pointer(&mut self, ptr: ExprId, index: ExprId, negative: bool, span: Span) -> ExprId {
        let ty = self.ty(ptr);
        if let Ty::Pointer { pointee, .. } = *self.p.types.get(ty)
            && !self.complete_pointee(pointee, span)
        {
            return self.err(span);
        }
        let index = self.index_value(index);
        self.rv(ExprKind::PtrOffset { ptr, index, negative }, ty, span)
    }

    /// An index, widened to 64 bits by its own signedness.
    pub(crate) fn index_value(&mut self, index: ExprId) -> ExprId {
        let i = self.promote(index);
        let to = if self.p.types.is_signed(self.ty(i)) { TyId::LONG } else { TyId::ULONG };
        self.arith_cast(i, to)
    }

    fn comparison(&mut self, op: B, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let cop = match op {
            B::Lt => CompareOp::Lt,
            B::Gt => CompareOp::Gt,
            B::Le => CompareOp::Le,
            B::Ge => CompareOp::Ge,
            B::Eq => CompareOp::Eq,
            _ => CompareOp::Ne,
        };
        let (a, b) = (self.ty(lhs), self.ty(rhs));
        let result = self.bool_ty();
        let pointerish = |c: &Self, t: TyId| c.p.types.is_pointer(t) || t == TyId::NULLPTR;
        if pointerish(self, a) || pointerish(self, b) {
            return self.compare_pointers(op, cop, lhs, rhs, span);
        }
        if a == b && matches!(self.p.types.get(a), Ty::Enum(_)) {
            let under = match self.p.types.get(a) {
                Ty::Enum(e) => self.p.types.enumeration(*e).underlying,
                _ => TyId::INT,
            };
            let l = self.cast(CastKind::IntToInt, lhs, under, span);
            let r = self.cast(CastKind::IntToInt, rhs, under, span);
            return self.compare(cop, l, r, result, span);
        }
        let Some((l, r, ty)) = self.usual(lhs, rhs) else { return self.invalid_operands(op, lhs, rhs, span) };
        if self.p.types.is_vector(ty) {
            let to = self.mask_ty(ty);
            return self.compare(cop, l, r, to, span);
        }
        self.warn_sign_compare(cop, l, r, span);
        self.compare(cop, l, r, result, span)
    }

    /// `unsigned >= 0` and `unsigned < 0` do not depend on the value.
    fn warn_sign_compare(&mut self, op: CompareOp, l: ExprId, r: ExprId, span: Span) {
        let ty = self.ty(l);
        let unsigned = matches!(self.p.types.get(ty), Ty::Int(k) if !k.signed());
        if !unsigned || self.int_constant(r) != Some(0) || self.int_constant(l).is_some() {
            return;
        }
        let always = match op {
            CompareOp::Lt => "false",
            CompareOp::Ge => "true",
            _ => return,
        };
        self.warn(
            Diagnostic::warning("W0316", span, format!("comparison of an unsigned value with 0 is always {always}"))
                .group("tautological-unsigned-zero-compare"),
        );
    }

    fn compare_pointers(&mut self, op: B, cop: CompareOp, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let result = self.bool_ty();
        let (a, b) = (self.ty(lhs), self.ty(rhs));
        let (pa, pb) = (self.p.types.is_pointer(a), self.p.types.is_pointer(b));
        if pa && pb {
            if a == b {
                return self.rv(ExprKind::Compare { op: cop, lhs, rhs }, result, span);
            }
            if self.rank_depth(rhs, a, false).is_some() {
                let r = self.pointer_common(rhs, a);
                return self.rv(ExprKind::Compare { op: cop, lhs, rhs: r }, result, span);
            }
            if self.rank_depth(lhs, b, false).is_some() {
                let l = self.pointer_common(lhs, b);
                return self.rv(ExprKind::Compare { op: cop, lhs: l, rhs }, result, span);
            }
            return self.invalid_operands(op, lhs, rhs, span);
        }
        if pa && self.is_null_constant(rhs) {
            let n = self.rv(ExprKind::Null, a, span);
            return self.rv(ExprKind::Compare { op: cop, lhs, rhs: n }, result, span);
        }
        if pb && self.is_null_constant(lhs) {
            let n = self.rv(ExprKind::Null, b, span);
            return self.rv(ExprKind::Compare { op: cop, lhs: n, rhs }, result, span);
        }
        if a == TyId::NULLPTR && b == TyId::NULLPTR {
            return self.int(i128::from(cop == CompareOp::Eq), result, span);
        }
        self.invalid_operands(op, lhs, rhs, span)
    }

    fn pointer_common(&mut self, e: ExprId, to: TyId) -> ExprId {
        self.implicit(e, to, Why::Operand)
    }

    pub(crate) fn invalid_operands(&mut self, op: B, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let (a, b) = (self.show(self.ty(lhs)), self.show(self.ty(rhs)));
        let (la, lb) = (self.span(lhs), self.span(rhs));
        let mut d =
            Diagnostic::error("E0426", span, format!("invalid operands to binary expression (`{a}` and `{b}`)"))
                .label(la, format!("this is `{a}`"))
                .label(lb, format!("this is `{b}`"));
        if self.p.types.is_vector(self.ty(lhs)) && self.p.types.is_vector(self.ty(rhs)) {
            d = d.help("convert one side: vectors of different types do not mix in one operator");
        }
        let _ = op;
        self.report(d);
        self.err(span)
    }

    fn logical(&mut self, op: B, l: ast::ExprId, r: ast::ExprId, span: Span) -> ExprId {
        let lhs = self.expr(l);
        if self.is_cxx() && self.p.types.as_record(self.ty(lhs)).is_some() {
            let rhs = self.expr(r);
            if let Some(name) = operator_of(op)
                && let Some(v) = self.user_operator(name, &[lhs, rhs], span)
            {
                return v;
            }
            self.prechecked = Some((r, rhs));
        }
        let lv = self.rvalue(lhs);
        if self.p.types.is_vector(self.ty(lv)) {
            let rhs = self.expr(r);
            return self.vector_logical(op, lv, rhs, span);
        }
        let a = self.condition(lv);
        let known = self.truth(a);
        let skip = known == Some(op == B::LogOr);
        self.dead += u32::from(skip);
        let rhs = self.expr(r);
        let rv = self.rvalue(rhs);
        if self.p.types.is_vector(self.ty(rv)) {
            self.dead -= u32::from(skip);
            return self.vector_logical(op, lv, rv, span);
        }
        let b = self.condition(rv);
        self.dead -= u32::from(skip);
        if self.is_err(a) || self.is_err(b) {
            return self.err(span);
        }
        let ty = self.bool_ty();
        match (op, known, self.truth(b)) {
            (B::LogAnd, Some(false), _) => self.int(0, ty, span),
            (B::LogOr, Some(true), _) => self.int(1, ty, span),
            (_, Some(_), Some(v)) => self.int(i128::from(v), ty, span),
            (B::LogAnd, ..) => self.rv(ExprKind::LogAnd { lhs: a, rhs: b }, ty, span),
            _ => self.rv(ExprKind::LogOr { lhs: a, rhs: b }, ty, span),
        }
    }

    /// `&&` and `||` on vectors: both sides compared with zero, then combined.
    fn vector_logical(&mut self, op: B, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let rhs = self.rvalue(rhs);
        let Some((l, r, ty)) = self.usual(lhs, rhs) else { return self.invalid_operands(op, lhs, rhs, span) };
        let to = self.mask_ty(ty);
        let z = self.vector_zero(ty, span);
        let a = self.compare(CompareOp::Ne, l, z, to, span);
        let b = self.compare(CompareOp::Ne, r, z, to, span);
        let bop = if op == B::LogAnd { BinaryOp::And } else { BinaryOp::Or };
        self.binary(bop, a, b, to, span)
    }

    // ---- conditional -------------------------------------------------------------------------------------------

    pub(crate) fn conditional(
        &mut self,
        cond: ast::ExprId,
        then: Option<ast::ExprId>,
        els: ast::ExprId,
        span: Span,
    ) -> ExprId {
        let c = self.expr(cond);
        let cv = self.rvalue(c);
        if self.p.types.is_vector(self.ty(cv)) {
            let t = match then {
                Some(t) => self.expr(t),
                None => cv,
            };
            let e = self.expr(els);
            return self.vector_select(cv, t, e, span);
        }
        let (cv, then_value) = match then {
            Some(_) => (cv, None),
            None => {
                // GNU `c ?: f` evaluates `c` once.
                let p = self.place(cv);
                let ty = self.ty(p);
                let v = self.rv(ExprKind::Load(p), ty, span);
                let again = match self.e(p).kind {
                    ExprKind::Materialize { local, .. } => self.local_place(local, span),
                    _ => p,
                };
                (v, Some(again))
            }
        };
        let b = self.condition(cv);
        let known = self.truth(b);
        self.dead += u32::from(known == Some(false));
        let t = match (then, then_value) {
            (Some(t), _) => self.expr(t),
            (None, Some(v)) => v,
            (None, None) => self.err(span),
        };
        self.dead -= u32::from(known == Some(false));
        self.dead += u32::from(known == Some(true));
        let e = self.expr(els);
        self.dead -= u32::from(known == Some(true));
        if self.is_err(b) || self.is_err(t) || self.is_err(e) {
            return self.err(span);
        }
        self.select(b, t, e, span)
    }

    fn select(&mut self, cond: ExprId, t: ExprId, e: ExprId, span: Span) -> ExprId {
        let (xt, xe) = (*self.e(t), *self.e(e));
        if self.is_cxx()
            && xt.cat == Category::LValue
            && xe.cat == Category::LValue
            && xt.ty == xe.ty
            && xt.space == xe.space
            && !self.is_odd_place(t)
            && !self.is_odd_place(e)
            && self.truth(cond).is_none()
        {
            let quals = xt.quals.with(xe.quals);
            return self.lv(ExprKind::Cond { cond, then: t, other: e }, xt.ty, quals, xt.space, span);
        }
        let (a, b) = (self.value_ty(t), self.value_ty(e));
        if a == TyId::VOID || b == TyId::VOID {
            if a == b {
                return self.rv(ExprKind::Cond { cond, then: t, other: e }, TyId::VOID, span);
            }
            self.error("E0427", span, "one arm of the conditional is `void`, the other is not");
            return self.err(span);
        }
        let Some(ty) = self.common_type(t, e) else {
            let (x, y) = (self.show(a), self.show(b));
            self.error("E0427", span, format!("incompatible operand types in conditional (`{x}` and `{y}`)"));
            return self.err(span);
        };
        let t = self.implicit(t, ty, Why::Operand);
        let e = self.implicit(e, ty, Why::Operand);
        match self.truth(cond) {
            Some(true) if self.constant(t).is_some() => return t,
            Some(false) if self.constant(e).is_some() => return e,
            _ => {}
        }
        if self.is_err(t) || self.is_err(e) {
            return self.err(span);
        }
        self.rv(ExprKind::Cond { cond, then: t, other: e }, ty, span)
    }

    fn common_type(&mut self, t: ExprId, e: ExprId) -> Option<TyId> {
        let (mut a, mut b) = (self.value_ty(t), self.value_ty(e));
        if self.p.types.is_arithmetic(a) && self.p.types.is_arithmetic(b) {
            a = self.promoted_bit_field(t).unwrap_or(a);
            b = self.promoted_bit_field(e).unwrap_or(b);
        }
        if a == b {
            return Some(a);
        }
        let types = &self.p.types;
        if types.is_arithmetic(a) && types.is_arithmetic(b) {
            return Some(self.common_arithmetic(a, b));
        }
        if types.is_vector(a) && types.is_arithmetic(b) {
            return Some(a);
        }
        if types.is_vector(b) && types.is_arithmetic(a) {
            return Some(b);
        }
        if types.is_pointer(a) && self.is_null_constant(e) {
            return Some(a);
        }
        if self.p.types.is_pointer(b) && self.is_null_constant(t) {
            return Some(b);
        }
        let (ab, ba) = (self.rank(t, b), self.rank(e, a));
        match (ab, ba) {
            (Some(x), Some(y)) => Some(if x <= y { b } else { a }),
            (Some(_), None) => Some(b),
            (None, Some(_)) => Some(a),
            (None, None) => None,
        }
    }

    fn vector_select(&mut self, cond: ExprId, t: ExprId, e: ExprId, span: Span) -> ExprId {
        let t = self.rvalue(t);
        let e = self.rvalue(e);
        let ct = self.ty(cond);
        let Ty::Vector { elem, n } = *self.p.types.get(ct) else { return self.err(span) };
        if self.p.types.is_float(elem) {
            self.error("E0428", span, "the condition of a vector conditional must be an integer vector");
            return self.err(span);
        }
        if self.is_err(t) || self.is_err(e) {
            return self.err(span);
        }
        let arms = if self.p.types.is_vector(self.ty(t)) || self.p.types.is_vector(self.ty(e)) {
            self.usual_vector(t, e)
        } else {
            self.usual(t, e).map(|(l, r, s)| {
                let v = self.p.types.vector(s, n);
                let l = self.rv(ExprKind::Cast { kind: CastKind::Splat, operand: l }, v, span);
                let r = self.rv(ExprKind::Cast { kind: CastKind::Splat, operand: r }, v, span);
                (l, r, v)
            })
        };
        let Some((l, r, ty)) = arms else {
            return self.invalid_operands(B::Eq, t, e, span);
        };
        let sizes = self.p.types.size_of(self.p.types.scalar_of(ty)) == self.p.types.size_of(elem);
        if self.p.types.lanes(ty) != n || !sizes {
            let (c, a) = (self.show(ct), self.show(ty));
            self.report(
                Diagnostic::error("E0428", span, format!("vector condition `{c}` does not fit arms of type `{a}`"))
                    .note("condition and arms must have the same number of components of the same size"),
            );
            return self.err(span);
        }
        self.rv(ExprKind::VectorSelect { cond, then: l, other: r }, ty, span)
    }

    // ---- assignment --------------------------------------------------------------------------------------------

    pub(crate) fn assign_expr(&mut self, op: Option<B>, l: ast::ExprId, r: ast::ExprId, span: Span) -> ExprId {
        let lhs = self.expr(l);
        if self.is_cxx() && self.p.types.as_record(self.ty(lhs)).is_some() {
            return self.class_assign(op, lhs, r, span);
        }
        let Some(op) = op else {
            if !self.assignable(lhs, span) {
                let rhs = self.ast[r];
                if !matches!(rhs.kind, ast::ExprKind::InitList(_)) {
                    self.expr(r);
                }
                return self.err(span);
            }
            let ty = self.ty(lhs);
            let value = self.init_from(r, ty, Why::Assign);
            return self.store(lhs, value, span);
        };
        let rhs = self.expr(r);
        if self.is_class_operand(rhs)
            && let Some(name) = assign_operator_of(op)
            && let Some(v) = self.user_operator(name, &[lhs, rhs], span)
        {
            return v;
        }
        self.compound_assign(op, lhs, rhs, span)
    }

    fn class_assign(&mut self, op: Option<B>, lhs: ExprId, r: ast::ExprId, span: Span) -> ExprId {
        let ty = self.ty(lhs);
        if let ast::ExprKind::InitList(list) = self.ast[r].kind {
            let v = self.init_list(list, ty, span);
            let v = self.place(v);
            return self.assign_record(lhs, v, span);
        }
        let rhs = self.expr(r);
        if self.is_err(rhs) || self.is_err(lhs) {
            return self.err(span);
        }
        match op {
            None => self.assign_record(lhs, rhs, span),
            Some(op) => {
                if let Some(name) = assign_operator_of(op)
                    && let Some(v) = self.user_operator(name, &[lhs, rhs], span)
                {
                    return v;
                }
                self.invalid_operands(op, lhs, rhs, span)
            }
        }
    }

    fn assign_record(&mut self, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        if let Some(v) = self.user_assign(lhs, rhs, span) {
            return v;
        }
        if !self.assignable(lhs, span) {
            return self.err(span);
        }
        let ty = self.ty(lhs);
        let value = self.implicit(rhs, ty, Why::Assign);
        self.store(lhs, value, span)
    }

    /// `place = value`.
    pub(crate) fn store(&mut self, place: ExprId, value: ExprId, span: Span) -> ExprId {
        if self.is_err(place) || self.is_err(value) {
            return self.err(span);
        }
        let x = *self.e(place);
        let kind = ExprKind::Assign { place, value };
        if self.is_cxx() && !self.is_odd_place(place) {
            return self.lv(kind, x.ty, x.quals, x.space, span);
        }
        self.rv(kind, x.ty, span)
    }

    fn compound_assign(&mut self, op: B, lhs: ExprId, rhs: ExprId, span: Span) -> ExprId {
        let rhs = self.scalar_operand(rhs);
        if self.is_err(rhs) || !self.assignable(lhs, span) {
            return self.err(span);
        }
        let (a, b) = (self.ty(lhs), self.ty(rhs));
        let x = *self.e(lhs);
        let kind = if self.p.types.is_pointer(a) {
            if !matches!(op, B::Add | B::Sub) || !self.p.types.is_integral(b) {
                return self.invalid_operands(op, lhs, rhs, span);
            }
            if let Ty::Pointer { pointee, .. } = *self.p.types.get(a)
                && !self.complete_pointee(pointee, span)
            {
                return self.err(span);
            }
            let index = self.index_value(rhs);
            ExprKind::AssignPtr { place: lhs, index, negative: op == B::Sub }
        } else {
            match self.assign_op(op, lhs, rhs, a, b, span) {
                Some(k) => k,
                None => return self.err(span),
            }
        };
        if self.is_cxx() && !self.is_odd_place(lhs) {
            return self.lv(kind, a, x.quals, x.space, span);
        }
        self.rv(kind, a, span)
    }

    fn assign_op(&mut self, op: B, lhs: ExprId, rhs: ExprId, a: TyId, b: TyId, span: Span) -> Option<ExprKind> {
        let bop = arith_op(op)?;
        let scalar = self.p.types.scalar_of(a);
        let shift = matches!(op, B::Shl | B::Shr);
        let int_only = shift || matches!(op, B::Rem | B::BitAnd | B::BitXor | B::BitOr);
        let floats = self.p.types.is_float(scalar) || self.p.types.is_float(self.p.types.scalar_of(b));
        let arithmetic = self.p.types.is_arithmetic(scalar) && self.p.types.is_arithmetic(self.p.types.scalar_of(b));
        let scoped = matches!(self.p.types.get(a), Ty::Enum(_)) && self.is_cxx();
        if !arithmetic || (int_only && floats) || scoped {
            self.invalid_operands(op, lhs, rhs, span);
            return None;
        }
        // A probe value of the place's type gives the conversions their operand.
        if self.p.types.is_vector(a) || self.p.types.is_vector(b) {
            let value = if a == b {
                rhs
            } else if self.p.types.is_vector(b) {
                if !(shift && self.p.types.lanes(a) == self.p.types.lanes(b)) {
                    self.invalid_operands(op, lhs, rhs, span);
                    return None;
                }
                self.arith_cast(rhs, a)
            } else {
                if self.p.types.is_float(b) && !self.p.types.is_float(scalar) {
                    self.invalid_operands(op, lhs, rhs, span);
                    return None;
                }
                let s = self.arith_cast(rhs, scalar);
                self.rv(ExprKind::Cast { kind: CastKind::Splat, operand: s }, a, span)
            };
            return Some(ExprKind::AssignOp {
                op: bop,
                place: lhs,
                value,
                compute: a,
                widen: CastKind::NoOp,
                narrow: CastKind::NoOp,
            });
        }
        let rhs = self.widen_bit_field(rhs);
        let b = self.ty(rhs);
        let wide = self.promoted_bit_field(lhs).unwrap_or(a);
        let compute = if shift { self.promoted(wide) } else { self.common_arithmetic(wide, b) };
        let value = if shift { self.promote(rhs) } else { self.arith_cast(rhs, compute) };
        let zero_divisor = matches!(op, B::Div | B::Rem) && self.int_constant(value) == Some(0);
        if zero_divisor && !self.p.types.is_float(compute) {
            let at = self.span(value);
            let what = if op == B::Div { "division" } else { "remainder" };
            self.warn(
                Diagnostic::warning("W0302", at, format!("{what} by zero is undefined")).group("division-by-zero"),
            );
        }
        let (widen, narrow) = (self.arith_kind(a, compute), self.arith_kind(compute, a));
        Some(ExprKind::AssignOp { op: bop, place: lhs, value, compute, widen, narrow })
    }

    // ---- places ------------------------------------------------------------------------------------------------

    pub(crate) fn index_expr(&mut self, base: ast::ExprId, index: ast::ExprId, span: Span) -> ExprId {
        let b = self.expr(base);
        let i = self.expr(index);
        if self.is_err(b) || self.is_err(i) {
            return self.err(span);
        }
        if self.is_cxx()
            && self.p.types.as_record(self.ty(b)).is_some()
            && let Some(r) = self.user_operator(OperatorName::Subscript, &[b, i], span)
        {
            return r;
        }
        self.built_index(b, i, span)
    }

    fn built_index(&mut self, b: ExprId, i: ExprId, span: Span) -> ExprId {
        let i = self.scalar_operand(i);
        let (bt, it) = (self.ty(b), self.ty(i));
        if let Ty::Array { len, .. } = *self.p.types.get(bt)
            && self.is_lv(b)
            && self.p.types.is_integral(it)
        {
            self.warn_bounds(i, len, span);
            let index = self.index_value(i);
            return self.array_elem(b, index, span);
        }
        if let Ty::Vector { elem, n } = *self.p.types.get(bt)
            && self.p.types.is_integral(it)
        {
            self.warn_bounds(i, Some(u64::from(n)), span);
            let index = self.index_value(i);
            let kind = ExprKind::VectorElem { base: b, index };
            if self.is_lv(b) {
                let x = *self.e(b);
                return self.lv(kind, elem, x.quals, x.space, span);
            }
            return self.rv(kind, elem, span);
        }
        let b = self.rvalue(b);
        let (ptr, index) = if self.p.types.is_pointer(self.ty(b)) { (b, i) } else { (i, b) };
        if !self.p.types.is_pointer(self.ty(ptr)) {
            let name = self.show(bt);
            self.error("E0429", span, format!("subscripted value of type `{name}` is not an array, pointer or vector"));
            return self.err(span);
        }
        if !self.p.types.is_integral(self.ty(index)) {
            let name = self.show(self.ty(index));
            let at = self.span(index);
            self.error("E0430", at, format!("array subscript is not an integer but `{name}`"));
            return self.err(span);
        }
        let p = self.offset_pointer(ptr, index, false, span);
        if self.is_err(p) {
            return p;
        }
        self.deref(p, span)
    }

    fn warn_bounds(&mut self, i: ExprId, len: Option<u64>, span: Span) {
        let (Some(v), Some(n)) = (self.int_constant(i), len) else { return };
        if v < 0 || v > i128::from(n) || (v == i128::from(n) && n > 0) {
            self.warn(
                Diagnostic::warning("W0317", span, format!("array index {v} is outside the array of {n} elements"))
                    .group("array-bounds"),
            );
        }
    }

    /// An element of an array place; `index` is a 64-bit value.
    pub(crate) fn array_elem(&mut self, base: ExprId, index: ExprId, span: Span) -> ExprId {
        let x = *self.e(base);
        let Ty::Array { elem, .. } = *self.p.types.get(x.ty) else { return self.err(span) };
        self.lv(ExprKind::ArrayElem { base, index }, elem, x.quals, x.space, span)
    }
}

fn arith_op(op: B) -> Option<BinaryOp> {
    Some(match op {
        B::Add => BinaryOp::Add,
        B::Sub => BinaryOp::Sub,
        B::Mul => BinaryOp::Mul,
        B::Div => BinaryOp::Div,
        B::Rem => BinaryOp::Rem,
        B::Shl => BinaryOp::Shl,
        B::Shr => BinaryOp::Shr,
        B::BitAnd => BinaryOp::And,
        B::BitXor => BinaryOp::Xor,
        B::BitOr => BinaryOp::Or,
        _ => return None,
    })
}

fn operator_of(op: B) -> Option<OperatorName> {
    Some(match op {
        B::Add => OperatorName::Add,
        B::Sub => OperatorName::Sub,
        B::Mul => OperatorName::Mul,
        B::Div => OperatorName::Div,
        B::Rem => OperatorName::Rem,
        B::Shl => OperatorName::Shl,
        B::Shr => OperatorName::Shr,
        B::BitAnd => OperatorName::And,
        B::BitXor => OperatorName::Xor,
        B::BitOr => OperatorName::Or,
        B::Lt => OperatorName::Lt,
        B::Gt => OperatorName::Gt,
        B::Le => OperatorName::Le,
        B::Ge => OperatorName::Ge,
        B::Eq => OperatorName::Eq,
        B::Ne => OperatorName::Ne,
        B::LogAnd => OperatorName::LogAnd,
        B::LogOr => OperatorName::LogOr,
        B::DotStar | B::ArrowStar => return None,
    })
}

fn assign_operator_of(op: B) -> Option<OperatorName> {
    Some(match op {
        B::Add => OperatorName::AddAssign,
        B::Sub => OperatorName::SubAssign,
        B::Mul => OperatorName::MulAssign,
        B::Div => OperatorName::DivAssign,
        B::Rem => OperatorName::RemAssign,
        B::Shl => OperatorName::ShlAssign,
        B::Shr => OperatorName::ShrAssign,
        B::BitAnd => OperatorName::AndAssign,
        B::BitXor => OperatorName::XorAssign,
        B::BitOr => OperatorName::OrAssign,
        _ => return None,
    })
}
