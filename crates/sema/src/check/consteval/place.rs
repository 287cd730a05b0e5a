//! Places of a constant evaluation: where they are, what is read there and stored to them.

use super::memory::{Base, Image, Machine, Pointer, Value};
use crate::check::Checker;
use crate::check::fold::Const;
use crate::num::{ConstFloat, ConstInt};
use crate::program::{CastKind, ExprId, ExprKind, GlobalId, InitElem, ListId, LocalId, Reloc, RelocTarget};
use crate::types::{Ty, TyId};

impl Checker<'_> {
    /// Where a place is.
    pub(super) fn eval_place(&mut self, m: &mut Machine, e: ExprId) -> Option<Pointer> {
        Self::tick(m)?;
        let x = *self.e(e);
        if m.depth() == 0 && self.is_captured(e) {
            return m.unknown_object(self.p.types.size_of(x.ty)?);
        }
        match x.kind {
            ExprKind::Local(l) => self.eval_local(m, l),
            ExprKind::Global(g) => Some(Pointer::to(Base::Global(g))),
            ExprKind::Deref(p) => self.eval_pointer(m, p).filter(|p| p.base != Base::Null),
            ExprKind::Field { base, record, field } => {
                let f = &self.p.types.record(record).fields[field as usize];
                let offset = (f.bits.is_none()).then_some(f.offset as i64)?;
                self.eval_place(m, base)?.moved(offset)
            }
            ExprKind::ArrayElem { base, index } => {
                let size = self.p.types.size_of(x.ty)?;
                let Ty::Array { len, .. } = *self.p.types.get(self.ty(base)) else { return None };
                let at = self.eval_place(m, base)?;
                let index = self.eval_index(m, index)?;
                let inside = len.is_none_or(|n| (0..=n as i64).contains(&index));
                inside.then(|| index.checked_mul(size as i64))?.and_then(|bytes| at.moved(bytes))
            }
            ExprKind::Swizzle { base, comps } if comps.len == 1 && self.is_lv(base) => {
                let component = i64::from(comps.iter().next()?);
                let size = self.p.types.size_of(x.ty)? as i64;
                self.eval_place(m, base)?.moved(component * size)
            }
            ExprKind::Cast { kind, operand } => {
                let at = self.eval_place(m, operand)?;
                match kind {
                    CastKind::DerivedToBase { offset } => at.moved(i64::from(offset)),
                    CastKind::BaseToDerived { offset } => at.moved(-i64::from(offset)),
                    CastKind::NoOp => Some(at),
                    _ => None,
                }
            }
            ExprKind::Materialize { local, init } => {
                let at = self.begin_local(m, local, x.ty)?;
                self.eval_into(m, at, init)?;
                Some(at)
            }
            ExprKind::Cond { cond, then, other } => {
                let c = self.eval_truth(m, cond)?;
                self.eval_place(m, if c { then } else { other })
            }
            ExprKind::Comma { lhs, rhs } => {
                self.eval_effect(m, lhs)?;
                self.eval_place(m, rhs)
            }
            ExprKind::Assign { .. }
            | ExprKind::AssignOp { .. }
            | ExprKind::AssignPtr { .. }
            | ExprKind::IncDec { prefix: true, .. } => self.eval_assignment(m, e).map(|(at, _)| at),
            _ => None,
        }
    }

    /// Whether a place is a member of the lambda in whose body it stands: nothing is known of what that holds, and nothing need be
    /// where only its type matters (`get<i>(t)`, where `i` converts to a constant).
    fn is_captured(&self, place: ExprId) -> bool {
        matches!(self.e(place).kind, ExprKind::Field { record, .. } if self.cx.closure == Some(record))
    }

    /// What such a member refers to that holds a variable by reference.
    pub(super) fn eval_captured(&mut self, m: &mut Machine, place: ExprId) -> Option<Value> {
        let ExprKind::Field { record, field, .. } = self.e(place).kind else { return None };
        if m.depth() > 0 || !self.is_captured(place) {
            return None;
        }
        let held = self.p.types.record(record).fields[field as usize].ty;
        let Ty::Reference { pointee, .. } = *self.p.types.get(held) else { return None };
        m.unknown_object(self.p.types.size_of(pointee)?).map(Value::Pointer)
    }

    pub(super) fn eval_index(&mut self, m: &mut Machine, index: ExprId) -> Option<i64> {
        match self.eval(m, index)? {
            Value::Scalar(Const::Int(i)) => i64::try_from(i.value()).ok(),
            _ => None,
        }
    }

    pub(super) fn eval_pointer(&mut self, m: &mut Machine, e: ExprId) -> Option<Pointer> {
        match self.eval(m, e)? {
            Value::Pointer(p) => Some(p),
            _ => None,
        }
    }

    /// A local's object; one of the body that the expression stands in has the value that is known of it, if any.
    fn eval_local(&mut self, m: &mut Machine, l: LocalId) -> Option<Pointer> {
        if let Some(at) = m.made(l) {
            return Some(at);
        }
        if let Some(b) = m.local(l) {
            return Some(Pointer::to(Base::Block(b)));
        }
        if m.depth() > 0 {
            // A temporary object, which no declaration began.
            let ty = self.declared_type(m, l)?;
            return self.begin_local(m, l, ty);
        }
        let local = self.cx.locals.get(l.index())?;
        let ty = local.ty;
        let info = self.cx.infos[l.index()];
        let at = self.begin_local(m, l, ty)?;
        if let Some(kind) = info.value {
            let c = self.kind_constant(kind, ty)?;
            self.store_value(m, at, ty, Value::Scalar(c))?;
        } else if let Some(init) = info.made {
            if self.ty(init) == TyId::VOID {
                self.eval_effect(m, init)?;
            } else {
                self.eval_into(m, at, init)?;
            }
        }
        Some(at)
    }

    /// Initialises a place with what an expression comes to. Objects that it makes are made there, and may point to themselves
    /// (C++17, 11.6, 17.6.1).
    pub(super) fn eval_into(&mut self, m: &mut Machine, at: Pointer, e: ExprId) -> Option<()> {
        let x = *self.e(e);
        match x.kind {
            ExprKind::Load(place) if let Some((making, object)) = self.made_object(m, place) => {
                m.make_at(object, at);
                self.eval_effect(m, making)
            }
            ExprKind::Comma { lhs, rhs } => {
                self.eval_effect(m, lhs)?;
                self.eval_into(m, at, rhs)
            }
            ExprKind::Cond { cond, then, other } if self.p.types.is_aggregate(x.ty) => {
                let c = self.eval_truth(m, cond)?;
                self.eval_into(m, at, if c { then } else { other })
            }
            ExprKind::Aggregate { elems, zero_fill: true } if self.makes_objects(m, elems) => {
                let size = self.p.types.size_of(x.ty)?;
                self.store_value(m, at, x.ty, Value::Object(Image::zero(size)))?;
                for i in elems.range() {
                    let el = self.p.init_pool[i];
                    let step = i64::try_from(self.p.types.size_of(self.ty(el.value))?).ok()?;
                    for k in 0..i64::try_from(el.repeat).ok()? {
                        Self::tick(m)?;
                        let there = at.moved(i64::try_from(el.offset).ok()?.checked_add(k.checked_mul(step)?)?)?;
                        self.eval_into(m, there, el.value)?;
                    }
                }
                Some(())
            }
            _ => {
                let v = self.eval(m, e)?;
                self.store_value(m, at, x.ty, v)
            }
        }
    }

    /// Whether a part of an aggregate is an object that an expression makes. Bit-fields have no place of their own.
    fn makes_objects(&self, m: &Machine, elems: ListId) -> bool {
        let mut parts = elems.range().map(|i| self.p.init_pool[i]);
        let made = |el: InitElem| match self.e(el.value).kind {
            ExprKind::Load(place) => self.made_object(m, place).is_some(),
            ExprKind::Aggregate { elems, .. } => self.makes_objects(m, elems),
            _ => false,
        };
        parts.clone().all(|el| el.bits.is_none()) && parts.any(made)
    }

    /// The expression that makes an object at a place, and the object, if the place is nothing else.
    fn made_object(&self, m: &Machine, place: ExprId) -> Option<(ExprId, LocalId)> {
        let ExprKind::Comma { lhs, rhs } = self.e(place).kind else { return None };
        let ExprKind::Local(l) = self.e(rhs).kind else { return None };
        let locals = match m.function() {
            Some(f) => &self.p.functions[f.index()].locals,
            None => &self.cx.locals,
        };
        locals.get(l.index())?.is_made.then_some((lhs, l))
    }

    pub(super) fn begin_local(&mut self, m: &mut Machine, l: LocalId, ty: TyId) -> Option<Pointer> {
        let size = self.p.types.size_of(ty)?;
        Some(Pointer::to(Base::Block(m.begin(l, size)?)))
    }

    // ---- reading -----------------------------------------------------------------------------------------------

    pub(super) fn load_value(&mut self, m: &Machine, at: Pointer, ty: TyId) -> Option<Value> {
        let offset = u64::try_from(at.offset).ok()?;
        match at.base {
            Base::Block(b) => self.value_in(m.block(b), offset, ty),
            Base::Global(g) => {
                let known = self.decls.global_values.get(g.index()).copied().flatten();
                if let Some(k) = known.filter(|_| offset == 0 && self.p.globals[g.index()].ty == ty) {
                    return self.kind_constant(k, ty).map(Value::Scalar);
                }
                let image = self.global_part(g, offset, self.p.types.size_of(ty)?)?;
                self.value_in(&image, 0, ty)
            }
            Base::Null | Base::Function(_) => None,
        }
    }

    /// A part of the contents of a constant of the program.
    fn global_part(&self, g: GlobalId, at: u64, size: u64) -> Option<Image> {
        let g = &self.p.globals[g.index()];
        let end = at.checked_add(size).filter(|&end| Some(end) <= self.p.types.size_of(g.ty))?;
        if !g.quals.is_const() || g.quals.is_volatile() {
            return None;
        }
        let init = g.init.as_ref()?;
        let mut image = Image::zero(size);
        // What the contents leave out is zero.
        let there = init.bytes.get(at as usize..).unwrap_or_default();
        let n = there.len().min(image.bytes.len());
        image.bytes[..n].copy_from_slice(&there[..n]);
        let inside = |r: &&Reloc| r.offset >= at && r.offset < end;
        for &Reloc { offset, target, addend, .. } in init.relocs.iter().filter(inside) {
            let base = match target {
                RelocTarget::Global(g) => Base::Global(g),
                RelocTarget::Function(f) => Base::Function(f),
            };
            image.put_pointer(offset - at, Pointer { base, offset: addend })?;
        }
        Some(image)
    }

    /// A value of a type in an object.
    pub(super) fn value_in(&self, image: &Image, at: u64, ty: TyId) -> Option<Value> {
        let size = self.p.types.size_of(ty)?;
        if self.p.types.is_pointer(ty) || ty == TyId::NULLPTR {
            return image.pointer(at).map(Value::Pointer);
        }
        if let Some(k) = self.p.types.float_kind(ty) {
            return Some(Value::Scalar(Const::Float(ConstFloat::from_bits(
                image.bits(at, u64::from(k.bits()) / 8)?,
                k,
            ))));
        }
        if let Some((w, s)) = self.int_shape(ty) {
            return Some(Value::Scalar(Const::Int(ConstInt::from_bits(image.all_bits(at, size)?, w, s))));
        }
        let whole = self.p.types.is_aggregate(ty) || self.p.types.is_vector(ty);
        whole.then(|| image.part(at, size)).flatten().map(Value::Object)
    }

    // ---- storing -----------------------------------------------------------------------------------------------

    pub(super) fn store_value(&mut self, m: &mut Machine, at: Pointer, ty: TyId, v: Value) -> Option<()> {
        let Base::Block(b) = at.base else { return None };
        let image = self.own_part(self.image_of(v, ty)?, ty)?;
        m.block_mut(b).put(u64::try_from(at.offset).ok()?, &image)
    }

    /// What of an object nothing else lies in: an empty base has nothing, and a base or member may have others behind its last
    /// member.
    pub(super) fn own_part(&self, image: Image, ty: TyId) -> Option<Image> {
        let own = self.p.types.own_size(ty)?;
        if own < image.bytes.len() as u64 { image.part(0, own) } else { Some(image) }
    }

    /// A value as the object that holds it.
    pub(super) fn image_of(&self, v: Value, ty: TyId) -> Option<Image> {
        let size = self.p.types.size_of(ty)?;
        let mut image = Image::unknown(size);
        match v {
            Value::Scalar(Const::Int(i)) => image.put_bits(0, size, i.all_bits())?,
            Value::Scalar(Const::Float(f)) => image.put_bits(0, size, f.bits().into())?,
            Value::Pointer(p) => image.put_pointer(0, p)?,
            Value::Object(o) => image = (o.bytes.len() as u64 == size).then_some(o)?,
            Value::Nothing => return None,
        }
        Some(image)
    }
}
