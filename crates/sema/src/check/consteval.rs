//! Evaluation of constant expressions: `constexpr` functions, references, and objects of classes and arrays.

mod builtin;
mod contents;
mod exec;
mod memory;
mod parts;
mod place;

use super::Checker;
use super::fold::Const;
use crate::num::{ConstFloat, ConstInt, FloatOp, Round};
use crate::program::{CastKind, CompareOp, ExprId, ExprKind, ExprList, GlobalId};
use crate::types::{Ty, TyId};
use memory::{Base, Image, Machine, Pointer, Value};

/// Steps that one constant expression may take.
const MAX_STEPS: u32 = 16_000_000;

impl Checker<'_> {
    /// The constant that a value comes to, if it can be computed now.
    pub(crate) fn evaluate(&mut self, e: ExprId) -> Option<ExprId> {
        if self.constant(e).is_some() {
            return Some(e);
        }
        let (ty, span) = (self.ty(e), self.span(e));
        if self.p.types.is_aggregate(ty) || self.p.types.is_vector(ty) {
            return None;
        }
        let mut m = Machine::new();
        match self.eval(&mut m, e) {
            Some(Value::Scalar(c)) => Some(self.const_node(c, ty, span)),
            _ => {
                self.cx.not_constant = m.without;
                None
            }
        }
    }

    /// The address that a pointer comes to, if it can be computed now: of which variable, and how far behind its start.
    pub(crate) fn evaluate_address(&mut self, e: ExprId) -> Option<(GlobalId, i64)> {
        match self.eval_pointer(&mut Machine::new(), e)? {
            Pointer { base: Base::Global(g), offset } => Some((g, offset)),
            _ => None,
        }
    }

    /// Whether an object's initialiser is constant.
    pub(crate) fn evaluable(&mut self, v: ExprId) -> bool {
        self.contents(v).is_some()
    }

    fn tick(m: &mut Machine) -> Option<()> {
        m.steps += 1;
        (m.steps <= MAX_STEPS).then_some(())
    }

    fn eval_truth(&mut self, m: &mut Machine, e: ExprId) -> Option<bool> {
        match self.eval(m, e)? {
            Value::Scalar(Const::Int(i)) => Some(!i.is_zero()),
            Value::Scalar(Const::Float(f)) => Some(!f.is_zero()),
            Value::Pointer(p) => Some(p != Pointer::NULL),
            Value::Nothing | Value::Object(_) => None,
        }
    }

    fn eval_scalar(&mut self, m: &mut Machine, e: ExprId) -> Option<Const> {
        match self.eval(m, e)? {
            Value::Scalar(c) => Some(c),
            _ => None,
        }
    }

    /// What an expression comes to; of a place what is there.
    fn eval(&mut self, m: &mut Machine, e: ExprId) -> Option<Value> {
        let v = self.eval_here(m, e);
        if v.is_none() && m.without.is_none() {
            m.without = Some(self.span(e));
        }
        v
    }

    fn eval_here(&mut self, m: &mut Machine, e: ExprId) -> Option<Value> {
        Self::tick(m)?;
        let x = *self.e(e);
        if let Some(c) = self.constant(e) {
            return Some(Value::Scalar(c));
        }
        if let Some(part) = self.eval_part(m, e) {
            return part;
        }
        if self.is_lv(e) {
            let at = self.eval_place(m, e)?;
            return self.load_value(m, at, x.ty);
        }
        match x.kind {
            ExprKind::Load(p) => match self.eval_captured(m, p) {
                None => self.eval(m, p),
                referred => referred,
            },
            ExprKind::Null if self.p.types.is_pointer(x.ty) || x.ty == TyId::NULLPTR => {
                Some(Value::Pointer(Pointer::NULL))
            }
            ExprKind::FuncAddr(f) => Some(Value::Pointer(Pointer::to(Base::Function(f)))),
            ExprKind::AddrOf(p) => self.eval_place(m, p).map(Value::Pointer),
            ExprKind::Cast { kind, operand } => self.eval_cast(m, kind, operand, e),
            ExprKind::Unary { op, operand } => {
                let (v, ty) = (self.eval_scalar(m, operand)?, self.ty(operand));
                self.folded(|c| {
                    let v = c.const_node(v, ty, x.span);
                    c.unary(op, v, x.ty, x.span)
                })
            }
            ExprKind::Binary { op, lhs, rhs } => {
                let (a, b) = (self.eval_scalar(m, lhs)?, self.eval_scalar(m, rhs)?);
                let (left, right) = (self.ty(lhs), self.ty(rhs));
                self.folded(|c| {
                    let (a, b) = (c.const_node(a, left, x.span), c.const_node(b, right, x.span));
                    c.binary(op, a, b, x.ty, x.span)
                })
            }
            ExprKind::Compare { op, lhs, rhs } => self.eval_compare(m, op, (lhs, rhs), e),
            ExprKind::LogAnd { lhs, rhs } | ExprKind::LogOr { lhs, rhs } => {
                let or = matches!(x.kind, ExprKind::LogOr { .. });
                let r = if self.eval_truth(m, lhs)? == or { or } else { self.eval_truth(m, rhs)? };
                self.int_value(u64::from(r), x.ty)
            }
            ExprKind::Cond { cond, then, other } => {
                let c = self.eval_truth(m, cond)?;
                self.eval(m, if c { then } else { other })
            }
            ExprKind::Comma { lhs, rhs } => {
                self.eval_effect(m, lhs)?;
                self.eval(m, rhs)
            }
            ExprKind::PtrOffset { ptr, index, negative } => {
                let p = self.eval_pointer(m, ptr)?;
                self.eval_offset(m, p, self.ty(ptr), index, negative).map(Value::Pointer)
            }
            ExprKind::PtrDiff { lhs, rhs } => {
                let (a, b) = (self.eval_pointer(m, lhs)?, self.eval_pointer(m, rhs)?);
                let size = self.pointee_size(self.ty(lhs))?;
                let bytes = (a.base == b.base).then(|| a.offset.checked_sub(b.offset))??;
                self.int_value((bytes / size) as u64, x.ty)
            }
            ExprKind::Call { callee, args } => {
                let args = self.eval_list(m, args)?;
                self.eval_call(m, callee, args)
            }
            ExprKind::CallPtr { callee, args } => {
                let Pointer { base: Base::Function(f), .. } = self.eval_pointer(m, callee)? else { return None };
                let args = self.eval_list(m, args)?;
                self.eval_call(m, f, args)
            }
            ExprKind::Builtin { meaning, args } => self.eval_builtin(m, meaning, args, x.ty),
            ExprKind::Expect { value, .. } => self.eval(m, value),
            ExprKind::Assume { cond, .. } => self.eval_truth(m, cond)?.then_some(Value::Nothing),
            ExprKind::AssumeAligned { ptr, .. } => self.eval(m, ptr),
            ExprKind::Assign { .. }
            | ExprKind::AssignOp { .. }
            | ExprKind::AssignPtr { .. }
            | ExprKind::IncDec { .. } => self.eval_assignment(m, e).map(|(_, v)| v),
            _ => self.eval_object(m, e),
        }
    }

    /// Objects, and parts of them.
    fn eval_object(&mut self, m: &mut Machine, e: ExprId) -> Option<Value> {
        let x = *self.e(e);
        match x.kind {
            ExprKind::ZeroInit if x.ty == TyId::VOID => Some(Value::Nothing),
            ExprKind::ZeroInit => {
                let image = Image::zero(self.p.types.size_of(x.ty)?);
                self.value_in(&image, 0, x.ty)
            }
            ExprKind::Field { base, record, field } => {
                let Value::Object(image) = self.eval(m, base)? else { return None };
                let offset = self.p.types.record(record).fields[field as usize].offset;
                self.value_in(&image, offset, x.ty)
            }
            ExprKind::VectorBuild(parts) => self.eval_vector(m, parts, x.ty),
            ExprKind::BitCast(v) => {
                let from = self.ty(v);
                let v = self.eval(m, v)?;
                let image = self.image_of(v, from)?;
                let same = image.bytes.len() as u64 == self.p.types.size_of(x.ty)?;
                same.then(|| self.value_in(&image, 0, x.ty))?
            }
            ExprKind::Aggregate { elems, zero_fill } => {
                let size = self.p.types.size_of(x.ty)?;
                let mut image = if zero_fill { Image::zero(size) } else { Image::unknown(size) };
                for i in elems.range() {
                    let el = self.p.init_pool[i];
                    let ty = self.ty(el.value);
                    let v = self.eval(m, el.value)?;
                    if let (Some(bits), Value::Scalar(Const::Int(i))) = (el.bits, &v) {
                        image.put_bit_field(el.offset, bits, i.bits())?;
                        continue;
                    }
                    let part = self.image_of(v, ty).filter(|_| el.bits.is_none())?;
                    let step = part.bytes.len() as u64;
                    let part = self.own_part(part, ty)?;
                    for k in 0..el.repeat {
                        Self::tick(m)?;
                        image.put(el.offset + k * step, &part)?;
                    }
                }
                Some(Value::Object(image))
            }
            ExprKind::StmtExpr { body, result } => {
                self.exec_inner(m, body)?;
                result.map_or(Some(Value::Nothing), |r| self.eval(m, r))
            }
            _ => None,
        }
    }

    /// What an operator on constants comes to, as the checker folds it. The nodes that this takes are of no other use, and
    /// there would be millions of them.
    fn folded(&mut self, fold: impl FnOnce(&mut Self) -> ExprId) -> Option<Value> {
        let start = self.p.exprs.len();
        let r = fold(self);
        let value = self.constant(r).map(Value::Scalar);
        for node in start..self.p.exprs.len() {
            self.cx.computed_zeros.remove(&ExprId(node as u32));
        }
        self.p.exprs.truncate(start);
        value
    }

    fn int_value(&self, bits: u64, ty: TyId) -> Option<Value> {
        let (w, s) = self.int_shape(ty)?;
        Some(Value::Scalar(Const::Int(ConstInt::new(bits, w, s))))
    }

    fn eval_list(&mut self, m: &mut Machine, list: ExprList) -> Option<Vec<Value>> {
        let list = self.p.exprs(list).to_vec();
        list.into_iter().map(|e| self.eval(m, e)).collect()
    }

    fn pointee_size(&self, ptr: TyId) -> Option<i64> {
        let Ty::Pointer { pointee, .. } = *self.p.types.get(ptr) else { return None };
        i64::try_from(self.p.types.size_of(pointee)?).ok().filter(|&n| n > 0)
    }

    /// A pointer so many elements further on.
    fn eval_offset(&mut self, m: &mut Machine, p: Pointer, ty: TyId, index: ExprId, negative: bool) -> Option<Pointer> {
        let bytes = self.eval_index(m, index)?.checked_mul(self.pointee_size(ty)?)?;
        p.moved(if negative { bytes.checked_neg()? } else { bytes })
    }

    fn eval_cast(&mut self, m: &mut Machine, kind: CastKind, operand: ExprId, e: ExprId) -> Option<Value> {
        let x = *self.e(e);
        match kind {
            CastKind::ToVoid => {
                self.eval_effect(m, operand)?;
                return Some(Value::Nothing);
            }
            CastKind::ArrayToPtr => return self.eval_place(m, operand).map(Value::Pointer),
            _ => {}
        }
        match self.eval(m, operand)? {
            Value::Scalar(_) if self.p.types.is_pointer(x.ty) => None,
            Value::Scalar(c) if kind == CastKind::Splat => self.eval_splat(c, self.ty(operand), x.ty),
            Value::Scalar(c) => {
                let from = self.ty(operand);
                self.folded(|checker| {
                    let node = checker.const_node(c, from, x.span);
                    checker.cast(kind, node, x.ty, x.span)
                })
            }
            Value::Pointer(p) => match kind {
                CastKind::PtrToBool => self.int_value(u64::from(p != Pointer::NULL), x.ty),
                CastKind::NoOp | CastKind::PtrToPtr | CastKind::AddrSpace => Some(Value::Pointer(p)),
                _ if p == Pointer::NULL => match kind {
                    CastKind::DerivedToBase { .. } | CastKind::BaseToDerived { .. } => Some(Value::Pointer(p)),
                    CastKind::PtrToInt => self.int_value(0, x.ty),
                    _ => None,
                },
                CastKind::DerivedToBase { offset } => p.moved(i64::from(offset)).map(Value::Pointer),
                CastKind::BaseToDerived { offset } => p.moved(-i64::from(offset)).map(Value::Pointer),
                _ => None,
            },
            Value::Object(o) if kind == CastKind::NoOp => Some(Value::Object(o)),
            Value::Object(_) | Value::Nothing => None,
        }
    }

    fn eval_compare(
        &mut self,
        m: &mut Machine,
        op: CompareOp,
        (lhs, rhs): (ExprId, ExprId),
        e: ExprId,
    ) -> Option<Value> {
        let x = *self.e(e);
        match (self.eval(m, lhs)?, self.eval(m, rhs)?) {
            (Value::Scalar(a), Value::Scalar(b)) => {
                let (left, right) = (self.ty(lhs), self.ty(rhs));
                self.folded(|c| {
                    let (a, b) = (c.const_node(a, left, x.span), c.const_node(b, right, x.span));
                    c.compare(op, a, b, x.ty, x.span)
                })
            }
            (Value::Pointer(a), Value::Pointer(b)) => {
                let apart = a.base != b.base && a != Pointer::NULL && b != Pointer::NULL;
                if apart && (m.is_nameless(a) || m.is_nameless(b)) {
                    return None;
                }
                let r = match op {
                    CompareOp::Eq => a == b,
                    CompareOp::Ne => a != b,
                    // Only what lies in one object has an order.
                    _ if a.base != b.base => return None,
                    CompareOp::Lt => a.offset < b.offset,
                    CompareOp::Le => a.offset <= b.offset,
                    CompareOp::Gt => a.offset > b.offset,
                    CompareOp::Ge => a.offset >= b.offset,
                };
                self.int_value(u64::from(r), x.ty)
            }
            _ => None,
        }
    }

    /// Carries out an assignment: where to, and the value that the expression has.
    fn eval_assignment(&mut self, m: &mut Machine, e: ExprId) -> Option<(Pointer, Value)> {
        let x = *self.e(e);
        match x.kind {
            ExprKind::Assign { place, value, first: true } if self.p.types.is_aggregate(self.ty(value)) => {
                let at = self.eval_place(m, place)?;
                self.eval_into(m, at, value)?;
                Some((at, Value::Nothing))
            }
            ExprKind::Assign { place, value, .. } => {
                let v = self.eval(m, value)?;
                let spot = self.eval_spot(m, place)?;
                let v = self.store_spot(m, spot, v)?;
                Some((spot.at, v))
            }
            ExprKind::AssignOp { op, place, value, compute, widen, narrow } => {
                let v = self.eval_scalar(m, value)?;
                let given = self.ty(value);
                let spot = self.eval_spot(m, place)?;
                let ty = self.ty(place);
                let Value::Scalar(old) = self.load_spot(m, spot)? else { return None };
                let new = self.folded(|c| {
                    let (old, v) = (c.const_node(old, ty, x.span), c.const_node(v, given, x.span));
                    let old = c.cast(widen, old, compute, x.span);
                    let r = c.binary(op, old, v, compute, x.span);
                    c.cast(narrow, r, ty, x.span)
                })?;
                let new = self.store_spot(m, spot, new)?;
                Some((spot.at, new))
            }
            ExprKind::AssignPtr { place, index, negative } => {
                let at = self.eval_place(m, place)?;
                let ty = self.ty(place);
                let Value::Pointer(old) = self.load_value(m, at, ty)? else { return None };
                let new = Value::Pointer(self.eval_offset(m, old, ty, index, negative)?);
                self.store_value(m, at, ty, new.clone())?;
                Some((at, new))
            }
            ExprKind::IncDec { place, increment, prefix } => {
                let spot = self.eval_spot(m, place)?;
                let ty = self.ty(place);
                let step = if increment { 1 } else { -1 };
                let old = self.load_spot(m, spot)?;
                let new = match &old {
                    Value::Scalar(Const::Int(i)) => {
                        let new = ConstInt::from_i128(i.value().wrapping_add(step), i.width(), i.is_signed());
                        Value::Scalar(Const::Int(new))
                    }
                    &Value::Scalar(Const::Float(f)) => {
                        let op = if increment { FloatOp::Add } else { FloatOp::Sub };
                        let one = ConstFloat::from_f64(1.0).convert(f.kind(), Round::Nearest).value;
                        Value::Scalar(Const::Float(f.binary(op, one, Round::Nearest).value))
                    }
                    Value::Pointer(p) => Value::Pointer(p.moved(step as i64 * self.pointee_size(ty)?)?),
                    _ => return None,
                };
                let new = self.store_spot(m, spot, new)?;
                Some((spot.at, if prefix { new } else { old }))
            }
            _ => None,
        }
    }

    /// Evaluates for what it does.
    fn eval_effect(&mut self, m: &mut Machine, e: ExprId) -> Option<()> {
        if self.is_lv(e) {
            return self.eval_place(m, e).map(|_| ());
        }
        self.eval(m, e).map(|_| ())
    }
}
