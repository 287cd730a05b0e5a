//! Conversions: from places to values, promotions, the usual arithmetic conversions, implicit and explicit ones.

use source::{Diagnostic, Span};
use syntax::ast;

use super::{Checker, FnId};
use crate::program::{CastKind, ExprId, ExprKind, UnaryOp};
use crate::types::{AddrSpace, FloatKind, IntKind, Quals, RecordId, Ty, TyId};

/// What a conversion is for; decides the words of its diagnostics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Why {
    Init,
    Assign,
    Arg,
    Return,
    Operand,
}

/// How good an implicit conversion is; smaller is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Rank {
    pub(crate) class: u8,
    pub(crate) sub: u8,
}

impl Rank {
    pub(crate) const EXACT: Self = Self { class: 0, sub: 0 };
    pub(crate) const PROMOTION: Self = Self { class: 1, sub: 0 };
    pub(crate) const CONVERSION: Self = Self { class: 2, sub: 0 };
    pub(crate) const USER: Self = Self { class: 3, sub: 0 };
    pub(crate) const ELLIPSIS: Self = Self { class: 4, sub: 0 };

    fn sub(self, sub: u8) -> Self {
        Self { sub, ..self }
    }
}

/// A standard conversion between value types.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Std {
    Same,
    Cast(CastKind),
    /// Pointer conversion through an address-space change or plain reinterpretation.
    Pointer,
    Null,
    Base(u32),
    Splat,
}

/// What a pointer conversion loses, if it is allowed at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PtrFit {
    Exact,
    Qualification,
    ToVoid,
    Base(u32),
    /// Other pointee: a warning in C.
    Unrelated,
    /// `const` would be lost: a warning in C.
    Discards,
    /// From an address space that does not convert.
    Space,
}

impl Checker<'_> {
    // ---- places and values -------------------------------------------------------------------------------------

    /// The value of an expression: loads places, decays arrays.
    pub(crate) fn rvalue(&mut self, e: ExprId) -> ExprId {
        let x = *self.e(e);
        if x.cat == crate::program::Category::RValue {
            return e;
        }
        if let Ty::Array { .. } = self.p.types.get(x.ty) {
            return self.decay(e);
        }
        if !x.quals.is_volatile()
            && let Some(kind) = self.known_value(x.kind)
        {
            return self.rv(kind, x.ty, x.span);
        }
        self.rv(ExprKind::Load(e), x.ty, x.span)
    }

    /// The constant that a variable is known to hold.
    fn known_value(&self, kind: ExprKind) -> Option<ExprKind> {
        match kind {
            ExprKind::Local(l) => self.cx.infos.get(l.index()).and_then(|i| i.value),
            ExprKind::Global(g) => {
                // Variables are few; their globals are recorded in order, so the search is from the owning list.
                self.global_values.get(g.index()).copied().flatten()
            }
            _ => None,
        }
    }

    /// An array place as a pointer to its first element.
    pub(crate) fn decay(&mut self, e: ExprId) -> ExprId {
        let x = *self.e(e);
        let Ty::Array { elem, .. } = *self.p.types.get(x.ty) else { return e };
        let ty = self.p.types.pointer(elem, x.quals, x.space);
        let p = self.rv(ExprKind::Cast { kind: CastKind::ArrayToPtr, operand: e }, ty, x.span);
        self.plain_pointer(p)
    }

    /// In dialects whose plain pointers are generic, makes a pointer generic.
    fn plain_pointer(&mut self, p: ExprId) -> ExprId {
        if self.is_opencl() {
            return p;
        }
        let x = *self.e(p);
        let Ty::Pointer { pointee, quals, space } = *self.p.types.get(x.ty) else { return p };
        if space == AddrSpace::Generic {
            return p;
        }
        let ty = self.p.types.pointer(pointee, quals, AddrSpace::Generic);
        self.rv(ExprKind::Cast { kind: CastKind::AddrSpace, operand: p }, ty, x.span)
    }

    /// The address of a place.
    pub(crate) fn address(&mut self, e: ExprId) -> ExprId {
        let x = *self.e(e);
        if let ExprKind::Deref(p) = x.kind {
            return p;
        }
        let ty = self.p.types.pointer(x.ty, x.quals, x.space);
        let p = self.rv(ExprKind::AddrOf(e), ty, x.span);
        self.plain_pointer(p)
    }

    /// The place that a pointer value points to.
    pub(crate) fn deref(&mut self, p: ExprId, span: Span) -> ExprId {
        let (pointee, quals, space) = match *self.p.types.get(self.ty(p)) {
            Ty::Pointer { pointee, quals, space } | Ty::Reference { pointee, quals, space, .. } => {
                (pointee, quals, space)
            }
            _ => return self.err(span),
        };
        self.lv(ExprKind::Deref(p), pointee, quals, space, span)
    }

    /// A place that holds the value: the place itself, or a temporary.
    pub(crate) fn place(&mut self, e: ExprId) -> ExprId {
        if self.is_lv(e) || self.is_err(e) {
            return e;
        }
        let (ty, span) = (self.ty(e), self.span(e));
        if let ExprKind::Load(inner) = self.e(e).kind
            && self.p.types.is_aggregate(ty)
            && matches!(self.e(inner).kind, ExprKind::Comma { .. } | ExprKind::Materialize { .. })
        {
            return inner;
        }
        let local = self.new_local(None, ty, Quals::NONE, span);
        self.lv(ExprKind::Materialize { local, init: e }, ty, Quals::NONE, AddrSpace::Private, span)
    }

    // ---- promotions --------------------------------------------------------------------------------------------

    /// The type that an integral type promotes to.
    pub(crate) fn promoted(&self, ty: TyId) -> TyId {
        match self.p.types.get(ty) {
            Ty::Bool => TyId::INT,
            Ty::Int(k) if k.rank() < IntKind::Int.rank() => TyId::INT,
            Ty::Int(IntKind::WChar) => TyId::INT,
            Ty::Enum(e) => {
                let e = self.p.types.enumeration(*e);
                if e.scoped { ty } else { self.promoted(e.underlying) }
            }
            _ => ty,
        }
    }

    /// What a bit-field, or its value, promotes to: the width counts, not the declared type. `None` for other
    /// expressions and for fields that are too wide.
    pub(crate) fn promoted_bit_field(&self, e: ExprId) -> Option<TyId> {
        let mut x = *self.e(e);
        if let ExprKind::Load(place) = x.kind {
            x = *self.e(place);
        }
        let ExprKind::Field { record, field, .. } = x.kind else { return None };
        let width = self.p.types.record(record).fields[field as usize].bits?.width;
        let Ty::Int(k) = self.p.types.get(x.ty) else { return None };
        match width {
            0..32 => Some(TyId::INT),
            32 => Some(if k.signed() { TyId::INT } else { TyId::UINT }),
            _ => None,
        }
    }

    /// The value of a bit-field as what it promotes to; other values as they are.
    pub(crate) fn widen_bit_field(&mut self, e: ExprId) -> ExprId {
        match self.promoted_bit_field(e) {
            Some(ty) if ty != self.ty(e) && !self.is_lv(e) => self.arith_cast(e, ty),
            _ => e,
        }
    }

    /// Integral promotion of a value.
    pub(crate) fn promote(&mut self, e: ExprId) -> ExprId {
        let e = self.rvalue(e);
        let e = self.widen_bit_field(e);
        let ty = self.ty(e);
        let to = self.promoted(ty);
        if to == ty {
            return e;
        }
        let span = self.span(e);
        self.cast(CastKind::IntToInt, e, to, span)
    }

    /// The common type of two arithmetic types.
    pub(crate) fn common_arithmetic(&self, a: TyId, b: TyId) -> TyId {
        let t = &self.p.types;
        match (t.float_kind(a), t.float_kind(b)) {
            (Some(x), Some(y)) => {
                if x == y {
                    a
                } else if x.bits() == 16 && y.bits() == 16 {
                    TyId::FLOAT
                } else if x > y {
                    a
                } else {
                    b
                }
            }
            (Some(_), None) => a,
            (None, Some(_)) => b,
            (None, None) => self.common_integer(self.promoted(a), self.promoted(b)),
        }
    }

    fn common_integer(&self, a: TyId, b: TyId) -> TyId {
        let t = &self.p.types;
        let (Some(x), Some(y)) = (t.int_kind(a), t.int_kind(b)) else { return TyId::INT };
        if x == y {
            return t.int(x);
        }
        let lane = |k| matches!(k, IntKind::LaneMask32 | IntKind::LaneMask64);
        if lane(x) && x.bits() >= y.bits() {
            return t.int(x);
        }
        if lane(y) && y.bits() >= x.bits() {
            return t.int(y);
        }
        if x.signed() == y.signed() {
            return t.int(if x.rank() >= y.rank() { x } else { y });
        }
        let (u, s) = if x.signed() { (y, x) } else { (x, y) };
        if u.rank() >= s.rank() {
            t.int(u)
        } else if s.bits() > u.bits() {
            t.int(s)
        } else {
            t.int(s.to_unsigned())
        }
    }

    /// Converts a value between arithmetic scalar types, or vectors of one length, without asking whether it may.
    pub(crate) fn arith_cast(&mut self, e: ExprId, to: TyId) -> ExprId {
        let from = self.ty(e);
        if from == to || self.is_err(e) {
            return e;
        }
        let span = self.span(e);
        let kind = self.arith_kind(from, to);
        self.cast(kind, e, to, span)
    }

    /// The kind of conversion between arithmetic types.
    pub(crate) fn arith_kind(&self, from: TyId, to: TyId) -> CastKind {
        let t = &self.p.types;
        let (f, s) = (t.scalar_of(from), t.scalar_of(to));
        if from == to {
            return CastKind::NoOp;
        }
        match (t.is_float(f), t.is_float(s)) {
            (true, true) => CastKind::FloatToFloat,
            (true, false) if s == TyId::BOOL => CastKind::FloatToBool,
            (true, false) => CastKind::FloatToInt,
            (false, true) => CastKind::IntToFloat,
            (false, false) if s == TyId::BOOL && f != TyId::BOOL => CastKind::IntToBool,
            (false, false) => CastKind::IntToInt,
        }
    }

    // ---- conditions --------------------------------------------------------------------------------------------

    /// A value as a truth value of type `bool`, in every dialect.
    pub(crate) fn condition(&mut self, e: ExprId) -> ExprId {
        let mut e = self.rvalue(e);
        if self.p.types.as_record(self.ty(e)).is_some() {
            match self.user_convert_to_scalar(e, Some(TyId::BOOL)) {
                Some(c) => e = c,
                None => {
                    let (span, name) = (self.span(e), self.show(self.ty(e)));
                    self.error(
                        "E0310",
                        span,
                        format!("value of type `{name}` is not contextually convertible to `bool`"),
                    );
                    return self.err(span);
                }
            }
        }
        let x = *self.e(e);
        match self.p.types.get(x.ty) {
            Ty::Error | Ty::Bool => e,
            Ty::Int(_) | Ty::Enum(_) => {
                if let Ty::Enum(en) = self.p.types.get(x.ty)
                    && self.p.types.enumeration(*en).scoped
                {
                    let name = self.show(x.ty);
                    self.error("E0310", x.span, format!("scoped enumeration `{name}` does not convert to `bool`"));
                    return self.err(x.span);
                }
                match x.kind {
                    ExprKind::Compare { .. }
                    | ExprKind::LogAnd { .. }
                    | ExprKind::LogOr { .. }
                    | ExprKind::Unary { op: UnaryOp::LogNot, .. } => self.rv(x.kind, TyId::BOOL, x.span),
                    ExprKind::Cast { kind: CastKind::IntToInt, operand } if self.ty(operand) == TyId::BOOL => operand,
                    _ => self.cast(CastKind::IntToBool, e, TyId::BOOL, x.span),
                }
            }
            Ty::Float(_) => self.cast(CastKind::FloatToBool, e, TyId::BOOL, x.span),
            Ty::Pointer { .. } => self.cast(CastKind::PtrToBool, e, TyId::BOOL, x.span),
            Ty::NullPtr => self.int(0, TyId::BOOL, x.span),
            _ => {
                let name = self.show(x.ty);
                self.report(
                    Diagnostic::error("E0310", x.span, format!("`{name}` is not usable as a condition"))
                        .note("a condition must be arithmetic or a pointer"),
                );
                self.err(x.span)
            }
        }
    }

    // ---- classification ----------------------------------------------------------------------------------------

    /// Whether a node is a null pointer constant.
    pub(crate) fn is_null_constant(&self, e: ExprId) -> bool {
        let x = self.e(e);
        match x.kind {
            ExprKind::Int(0) => matches!(self.p.types.get(x.ty), Ty::Int(_)),
            ExprKind::Null => {
                matches!(self.p.types.get(x.ty), Ty::NullPtr)
                    || matches!(self.p.types.get(x.ty), Ty::Pointer { pointee, .. } if *pointee == TyId::VOID)
            }
            _ => x.ty == TyId::NULLPTR,
        }
    }

    fn pointer_fit(&mut self, from: TyId, to: TyId) -> PtrFit {
        let (Ty::Pointer { pointee: fp, quals: fq, space: fs }, Ty::Pointer { pointee: tp, quals: tq, space: ts }) =
            (self.p.types.get(from).clone(), self.p.types.get(to).clone())
        else {
            return PtrFit::Unrelated;
        };
        if fs != ts && (ts != AddrSpace::Generic || fs == AddrSpace::Constant) {
            return PtrFit::Space;
        }
        if !tq.has(fq) {
            return PtrFit::Discards;
        }
        if fp == tp {
            return if fq == tq && fs == ts { PtrFit::Exact } else { PtrFit::Qualification };
        }
        if tp == TyId::VOID {
            return PtrFit::ToVoid;
        }
        if !self.is_cxx() && fp == TyId::VOID {
            return PtrFit::ToVoid;
        }
        if let (Some(d), Some(b)) = (self.p.types.as_record(fp), self.p.types.as_record(tp))
            && let Some(offset) = self.base_offset(d, b)
        {
            return PtrFit::Base(offset);
        }
        if self.similar_pointees(fp, tp) {
            return PtrFit::Qualification;
        }
        PtrFit::Unrelated
    }

    /// `T **` and `T *const *` and the like; arrays of unknown bound.
    fn similar_pointees(&self, a: TyId, b: TyId) -> bool {
        match (self.p.types.get(a), self.p.types.get(b)) {
            (
                Ty::Pointer { pointee: x, space: s, quals: q, .. },
                Ty::Pointer { pointee: y, space: t, quals: r, .. },
            ) => s == t && r.has(*q) && (x == y || self.similar_pointees(*x, *y)),
            (Ty::Array { elem: x, .. }, Ty::Array { elem: y, len: None }) => x == y,
            (Ty::Int(x), Ty::Int(y)) if !self.is_cxx() => x.bits() == y.bits() && x.signed() == y.signed(),
            _ => false,
        }
    }

    /// Offset of base class `b` in `d`, over any number of levels.
    pub(crate) fn base_offset(&mut self, d: RecordId, b: RecordId) -> Option<u32> {
        self.complete_record(d);
        let bases = self.p.types.record(d).bases.clone();
        for base in bases {
            if base.record == b {
                return Some(base.offset as u32);
            }
            if let Some(o) = self.base_offset(base.record, b) {
                return Some(base.offset as u32 + o);
            }
        }
        None
    }

    /// The standard conversion from one value type to another.
    fn standard(&mut self, from: TyId, to: TyId, null: bool) -> Option<(Rank, Std)> {
        if from == to {
            return Some((Rank::EXACT, Std::Same));
        }
        let (f, t) = (self.p.types.get(from).clone(), self.p.types.get(to).clone());
        Some(match (&f, &t) {
            (Ty::Error, _) | (_, Ty::Error) => (Rank::EXACT, Std::Same),
            (Ty::Enum(e), _) if self.p.types.enumeration(*e).scoped => return None,
            (_, Ty::Bool) => match f {
                Ty::Int(_) | Ty::Enum(_) => (Rank::CONVERSION, Std::Cast(CastKind::IntToBool)),
                Ty::Float(_) => (Rank::CONVERSION, Std::Cast(CastKind::FloatToBool)),
                Ty::Pointer { .. } => (Rank::CONVERSION.sub(4), Std::Cast(CastKind::PtrToBool)),
                _ => return None,
            },
            (Ty::Bool | Ty::Int(_) | Ty::Enum(_), Ty::Int(k)) => {
                let rank = if self.promoted(from) == to {
                    Rank::PROMOTION
                } else if *k == IntKind::LaneMask32 || *k == IntKind::LaneMask64 || is_lane_mask(&f) {
                    // The lane mask converts to and from the unsigned type of its width as if it were the same.
                    Rank { class: 2, sub: u8::from(k.bits() != 32 && k.bits() != 64) }
                } else {
                    Rank::CONVERSION
                };
                (rank, Std::Cast(CastKind::IntToInt))
            }
            (Ty::Bool | Ty::Int(_) | Ty::Enum(_), Ty::Enum(_)) if !self.is_cxx() => {
                (Rank::CONVERSION, Std::Cast(CastKind::IntToInt))
            }
            (Ty::Bool | Ty::Int(_) | Ty::Enum(_), Ty::Float(_)) => (Rank::CONVERSION, Std::Cast(CastKind::IntToFloat)),
            (Ty::Int(_), Ty::Pointer { .. }) if null => (Rank::CONVERSION, Std::Null),
            (Ty::Int(_), Ty::Opaque(_)) if null => (Rank::CONVERSION, Std::Null),
            (Ty::NullPtr, Ty::Pointer { .. }) => (Rank::CONVERSION, Std::Null),
            (Ty::Float(_), Ty::Int(_)) => (Rank::CONVERSION, Std::Cast(CastKind::FloatToInt)),
            (Ty::Float(a), Ty::Float(b)) => {
                let promotion = *a == FloatKind::Float && *b == FloatKind::Double;
                let half = a.bits() == 16 && *b == FloatKind::Float;
                (if promotion || half { Rank::PROMOTION } else { Rank::CONVERSION }, Std::Cast(CastKind::FloatToFloat))
            }
            (Ty::Float(_), Ty::Enum(_)) if !self.is_cxx() => (Rank::CONVERSION, Std::Cast(CastKind::FloatToInt)),
            (Ty::Pointer { .. }, Ty::Pointer { .. }) => match self.pointer_fit(from, to) {
                PtrFit::Exact => (Rank::EXACT, Std::Same),
                PtrFit::Qualification => (Rank::EXACT.sub(1), Std::Pointer),
                PtrFit::ToVoid => (Rank::CONVERSION.sub(2), Std::Pointer),
                PtrFit::Base(o) => (Rank::CONVERSION.sub(1), Std::Base(o)),
                PtrFit::Unrelated | PtrFit::Discards if !self.is_cxx() => (Rank::CONVERSION.sub(3), Std::Pointer),
                _ => return None,
            },
            (_, Ty::Vector { elem, .. }) if self.is_opencl() && self.p.types.is_arithmetic(from) => {
                let elem = *elem;
                let (r, _) = self.standard(from, elem, false)?;
                (Rank { class: r.class.max(2), sub: 1 }, Std::Splat)
            }
            (Ty::Record(d), Ty::Record(b)) => {
                let o = self.base_offset(*d, *b)?;
                (Rank::CONVERSION.sub(1), Std::Base(o))
            }
            _ => return None,
        })
    }

    /// How well a checked expression converts to a type, which may be a reference; `None` if it does not.
    pub(crate) fn rank(&mut self, e: ExprId, to: TyId) -> Option<Rank> {
        self.rank_depth(e, to, true)
    }

    pub(crate) fn rank_depth(&mut self, e: ExprId, to: TyId, user: bool) -> Option<Rank> {
        let x = *self.e(e);
        if x.ty == TyId::ERROR {
            return Some(Rank::EXACT);
        }
        if let Ty::Reference { pointee, quals, rvalue, .. } = *self.p.types.get(to) {
            return self.rank_reference(e, pointee, quals, rvalue, user);
        }
        let from = self.value_ty(e);
        let null = self.is_null_constant(e);
        if let Some((r, _)) = self.standard(from, to, null) {
            return Some(r);
        }
        if user { self.rank_user(e, to) } else { None }
    }

    fn rank_reference(&mut self, e: ExprId, pointee: TyId, quals: Quals, rvalue: bool, user: bool) -> Option<Rank> {
        let x = *self.e(e);
        let lv = self.is_lv(e);
        let same = x.ty == pointee || self.similar_arrays(x.ty, pointee);
        let derived = !same
            && match (self.p.types.as_record(x.ty), self.p.types.as_record(pointee)) {
                (Some(d), Some(b)) => self.base_offset(d, b).is_some(),
                _ => false,
            };
        if lv && (same || derived) && !rvalue {
            if !quals.has(x.quals.without(Quals::RESTRICT)) {
                return None;
            }
            if self.is_odd_place(e) && !quals.is_const() {
                return None;
            }
            let sub = u8::from(quals != x.quals);
            return Some(if same { Rank::EXACT.sub(sub) } else { Rank::CONVERSION.sub(1 + sub) });
        }
        if lv && rvalue && (same || derived) {
            return None;
        }
        if !rvalue && !quals.is_const() {
            return None;
        }
        let r = self.rank_depth(e, pointee, user)?;
        let sub = if rvalue { 0 } else { 2 };
        Some(Rank { sub: r.sub.max(sub), ..r })
    }

    fn similar_arrays(&self, a: TyId, b: TyId) -> bool {
        matches!((self.p.types.get(a), self.p.types.get(b)),
            (Ty::Array { elem: x, .. }, Ty::Array { elem: y, len: None }) if x == y)
    }

    /// Places that no pointer can name: bit-fields and several components of a vector.
    pub(crate) fn is_odd_place(&self, e: ExprId) -> bool {
        match self.e(e).kind {
            ExprKind::Field { record, field, .. } => self.p.types.record(record).fields[field as usize].bits.is_some(),
            ExprKind::Swizzle { comps, .. } => comps.len > 1,
            _ => false,
        }
    }

    /// The type of an expression's value.
    pub(crate) fn value_ty(&mut self, e: ExprId) -> TyId {
        let x = *self.e(e);
        match *self.p.types.get(x.ty) {
            Ty::Array { elem, .. } => {
                let space = if self.is_opencl() { x.space } else { AddrSpace::Generic };
                self.p.types.pointer(elem, x.quals, space)
            }
            _ => x.ty,
        }
    }

    /// User-defined conversion: a converting constructor of the target or a conversion function of the source.
    fn rank_user(&mut self, e: ExprId, to: TyId) -> Option<Rank> {
        if !self.is_cxx() {
            return None;
        }
        self.find_user_conversion(e, to).map(|_| Rank::USER)
    }

    /// The constructor or conversion function that an implicit conversion would call.
    pub(crate) fn find_user_conversion(&mut self, e: ExprId, to: TyId) -> Option<FnId> {
        let mut best: Option<(Rank, FnId)> = None;
        if let Some(r) = self.p.types.as_record(to) {
            self.complete_record(r);
            let ctors = self.records[r.0 as usize].ctors.clone();
            for c in ctors {
                let d = &self.fns[c.0 as usize];
                let takes_one =
                    !d.params.is_empty() && d.params.iter().skip(1).all(|p| p.default.is_some()) && !d.explicit;
                if !takes_one || d.body == super::BodySource::Deleted {
                    continue;
                }
                let p = d.params[0].ty;
                if let Some(rank) = self.rank_depth(e, p, false)
                    && best.is_none_or(|(b, _)| rank < b)
                {
                    best = Some((rank, c));
                }
            }
            if best.is_none() {
                best = self.template_constructor(r, e);
            }
        }
        if let Some(r) = self.p.types.as_record(self.ty(e)) {
            for c in self.conversions_of(r) {
                let d = &self.fns[c.0 as usize];
                if d.explicit && to != TyId::BOOL {
                    continue;
                }
                let ret = self.strip_reference(d.ret);
                if let Some((rank, _)) = self.standard(ret, to, false)
                    && best.is_none_or(|(b, _)| rank < b)
                {
                    best = Some((rank, c));
                }
            }
        }
        best.map(|(_, f)| f)
    }

    /// A constructor template that makes an object of `e`.
    fn template_constructor(&mut self, r: RecordId, e: ExprId) -> Option<(Rank, FnId)> {
        let scope = self.records[r.0 as usize].scope;
        let sym = self.sess.strings.get("constructor template")?;
        for t in self.bound(scope, sym) {
            let super::Entity::Template(t) = t else { continue };
            let Ok(f) = self.deduce_call(t, None, &[super::call::Arg::Expr(e)]) else { continue };
            let d = &self.fns[f.0 as usize];
            let Some(p) = d.params.first().map(|p| p.ty).filter(|_| !d.explicit && d.params.len() == 1) else {
                continue;
            };
            if let Some(rank) = self.rank_depth(e, p, false) {
                return Some((rank, f));
            }
        }
        None
    }

    /// Conversion functions of a class and its bases.
    pub(crate) fn conversions_of(&mut self, r: RecordId) -> Vec<FnId> {
        self.complete_record(r);
        let mut all = self.records[r.0 as usize].conversions.clone();
        let bases = self.p.types.record(r).bases.clone();
        for b in bases {
            all.extend(self.conversions_of(b.record));
        }
        all
    }

    pub(crate) fn strip_reference(&self, ty: TyId) -> TyId {
        match self.p.types.get(ty) {
            Ty::Reference { pointee, .. } => *pointee,
            _ => ty,
        }
    }

    /// Converts a class value to a scalar by its best conversion function: to `want`, or to any arithmetic type.
    pub(crate) fn user_convert_to_scalar(&mut self, e: ExprId, want: Option<TyId>) -> Option<ExprId> {
        let r = self.p.types.as_record(self.ty(e))?;
        let all = self.conversions_of(r);
        let mut best: Option<(Rank, FnId)> = None;
        for c in all {
            let ret = self.strip_reference(self.fns[c.0 as usize].ret);
            let rank = match want {
                Some(t) => self.standard(ret, t, false).map(|(r, _)| r),
                None => (self.p.types.is_arithmetic(ret) || self.p.types.is_pointer(ret)).then_some(Rank::EXACT),
            };
            if let Some(rank) = rank
                && best.is_none_or(|(b, _)| rank < b)
            {
                best = Some((rank, c));
            }
        }
        let (_, f) = best?;
        let span = self.span(e);
        let v = self.call_member_fn(f, e, &[], span);
        let v = self.rvalue(v);
        Some(match want {
            Some(t) => self.implicit(v, t, Why::Operand),
            None => v,
        })
    }

    // ---- implicit conversion -----------------------------------------------------------------------------------

    /// Converts to a value of type `to`, or reports why it can't be.
    pub(crate) fn implicit(&mut self, e: ExprId, to: TyId, why: Why) -> ExprId {
        if self.is_err(e) || to == TyId::ERROR {
            let span = self.span(e);
            return self.err(span);
        }
        if let Ty::Reference { .. } = self.p.types.get(to) {
            return self.bind_reference(e, to, why);
        }
        let from = self.value_ty(e);
        let null = self.is_null_constant(e);
        let Some((_, std)) = self.standard(from, to, null) else {
            if let Some(v) = self.apply_user_conversion(e, to) {
                return v;
            }
            return self.mismatch(e, from, to, why);
        };
        if std == Std::Same && self.p.types.as_record(to).is_some() {
            return self.copy_record(e, to);
        }
        let v = self.rvalue(e);
        let span = self.span(v);
        self.warn_conversion(v, from, to, why);
        match std {
            Std::Same => v,
            Std::Cast(kind) => self.cast(kind, v, to, span),
            Std::Null => self.rv(ExprKind::Null, to, span),
            Std::Pointer => self.pointer_cast(v, to),
            Std::Base(offset) => self.derived_to_base(e, to, offset),
            Std::Splat => {
                let elem = self.p.types.scalar_of(to);
                let s = self.arith_cast(v, elem);
                self.rv(ExprKind::Cast { kind: CastKind::Splat, operand: s }, to, span)
            }
        }
    }

    fn derived_to_base(&mut self, e: ExprId, to: TyId, offset: u32) -> ExprId {
        let span = self.span(e);
        if self.p.types.is_pointer(to) {
            let v = self.rvalue(e);
            let b = self.rv(ExprKind::Cast { kind: CastKind::DerivedToBase { offset }, operand: v }, to, span);
            return b;
        }
        let p = self.place(e);
        let base = self.base_place(p, to, offset);
        self.copy_record(base, to)
    }

    /// A place of a class as a place of its base class.
    pub(crate) fn base_place(&mut self, p: ExprId, base: TyId, offset: u32) -> ExprId {
        let x = *self.e(p);
        self.lv(ExprKind::Cast { kind: CastKind::DerivedToBase { offset }, operand: p }, base, x.quals, x.space, x.span)
    }

    /// A pointer value as another pointer type.
    pub(crate) fn pointer_cast(&mut self, v: ExprId, to: TyId) -> ExprId {
        let (from, span) = (self.ty(v), self.span(v));
        if from == to {
            return v;
        }
        if matches!(self.e(v).kind, ExprKind::Null) {
            return self.rv(ExprKind::Null, to, span);
        }
        let space = |c: &Self, t: TyId| match c.p.types.get(t) {
            Ty::Pointer { space, .. } => Some(*space),
            _ => None,
        };
        let kind = if space(self, from) == space(self, to) { CastKind::PtrToPtr } else { CastKind::AddrSpace };
        self.rv(ExprKind::Cast { kind, operand: v }, to, span)
    }

    fn apply_user_conversion(&mut self, e: ExprId, to: TyId) -> Option<ExprId> {
        if !self.is_cxx() {
            return None;
        }
        if let Some(v) = self.cuda_vec_conversion(e, to) {
            return Some(v);
        }
        let f = self.find_user_conversion(e, to)?;
        let span = self.span(e);
        if self.fns[f.0 as usize].kind == super::FnKind::Constructor {
            let r = self.p.types.as_record(to)?;
            return Some(self.construct_with(f, r, &[e], span));
        }
        let v = self.call_member_fn(f, e, &[], span);
        Some(self.implicit(v, to, Why::Operand))
    }

    /// The address that a reference of type `to` shall hold.
    pub(crate) fn bind_reference(&mut self, e: ExprId, to: TyId, why: Why) -> ExprId {
        let Ty::Reference { pointee, quals, space, rvalue } = *self.p.types.get(to) else { return e };
        let span = self.span(e);
        let ptr_ty = self.p.types.pointer(pointee, quals, space);
        let x = *self.e(e);
        let same = x.ty == pointee || self.similar_arrays(x.ty, pointee);
        if self.is_lv(e) && !rvalue {
            let base = match (self.p.types.as_record(x.ty), self.p.types.as_record(pointee)) {
                (Some(d), Some(b)) if !same => self.base_offset(d, b),
                _ => None,
            };
            if same || base.is_some() {
                if !quals.has(x.quals.without(Quals::RESTRICT)) {
                    let (from, want) = (self.show_q(x.ty, x.quals), self.show(to));
                    self.error(
                        "E0311",
                        span,
                        format!("binding reference of type `{want}` to a value of type `{from}` drops qualifiers"),
                    );
                    return self.err(span);
                }
                if self.is_odd_place(e) {
                    if !quals.is_const() {
                        self.error("E0312", span, "non-const reference cannot bind to a bit-field or vector element");
                        return self.err(span);
                    }
                } else {
                    let p = match base {
                        Some(o) => self.base_place(e, pointee, o),
                        None => e,
                    };
                    let a = self.address(p);
                    return self.pointer_cast(a, ptr_ty);
                }
            }
        }
        if !rvalue && !quals.is_const() {
            let want = self.show(to);
            let from = self.show(x.ty);
            let d = if self.is_lv(e) {
                Diagnostic::error(
                    "E0313",
                    span,
                    format!("non-const lvalue reference `{want}` cannot bind to a value of unrelated type `{from}`"),
                )
            } else {
                Diagnostic::error(
                    "E0313",
                    span,
                    format!("non-const lvalue reference `{want}` cannot bind to a temporary of type `{from}`"),
                )
                .help("make the parameter a `const` reference, or pass a variable")
            };
            self.report(d);
            return self.err(span);
        }
        if rvalue && self.is_lv(e) && same {
            let (want, from) = (self.show(to), self.show(x.ty));
            self.error("E0314", span, format!("rvalue reference `{want}` cannot bind to an lvalue of type `{from}`"));
            return self.err(span);
        }
        let v = self.implicit(e, pointee, why);
        if self.is_err(v) {
            return v;
        }
        let p = if rvalue && self.is_lv(v) { v } else { self.place(v) };
        let a = self.address(p);
        self.pointer_cast(a, ptr_ty)
    }

    fn mismatch(&mut self, e: ExprId, from: TyId, to: TyId, why: Why) -> ExprId {
        let span = self.span(e);
        let (f, t) = (self.show(from), self.show(to));
        let both_pointers = self.p.types.is_pointer(from) && self.p.types.is_pointer(to);
        let mut d = match why {
            Why::Init => Diagnostic::error(
                "E0315",
                span,
                format!("initializing `{t}` with an expression of incompatible type `{f}`"),
            ),
            Why::Assign => Diagnostic::error("E0315", span, format!("assigning to `{t}` from incompatible type `{f}`")),
            Why::Arg => {
                Diagnostic::error("E0315", span, format!("passing `{f}` to parameter of incompatible type `{t}`"))
            }
            Why::Return => Diagnostic::error(
                "E0315",
                span,
                format!("returning `{f}` from a function with incompatible result type `{t}`"),
            ),
            Why::Operand => Diagnostic::error("E0315", span, format!("cannot convert `{f}` to `{t}`")),
        };
        if both_pointers {
            match self.pointer_fit(from, to) {
                PtrFit::Space => {
                    d = d.note("pointers to different address spaces do not convert implicitly");
                    d = d.help("declare both pointers with the same address space qualifier");
                }
                PtrFit::Discards => d = d.note("the conversion would discard qualifiers"),
                _ => {}
            }
        } else if self.p.types.is_vector(from) && self.p.types.is_vector(to) {
            d = d.note("vectors do not convert implicitly");
            if self.p.types.lanes(from) == self.p.types.lanes(to) {
                d = d.help(format!("use `convert_{t}(…)` to convert the components"));
            }
        }
        self.report(d);
        self.err(span)
    }

    fn warn_conversion(&mut self, v: ExprId, from: TyId, to: TyId, why: Why) {
        if from == to {
            return;
        }
        let span = self.span(v);
        match (self.p.types.get(from).clone(), self.p.types.get(to).clone()) {
            (Ty::Pointer { .. }, Ty::Pointer { .. }) if !self.is_cxx() => {
                let (f, t) = (self.show(from), self.show(to));
                match self.pointer_fit(from, to) {
                    PtrFit::Unrelated => self.warn(
                        Diagnostic::warning("W0305", span, format!("incompatible pointer types: `{f}` to `{t}`"))
                            .group("incompatible-pointer-types"),
                    ),
                    PtrFit::Discards => self.warn(
                        Diagnostic::warning(
                            "W0306",
                            span,
                            format!("conversion from `{f}` to `{t}` discards qualifiers"),
                        )
                        .group("incompatible-pointer-types-discards-qualifiers"),
                    ),
                    _ => {}
                }
            }
            (Ty::Int(a), Ty::Int(b)) => {
                self.warn_lane_mask(a, b, span);
                self.warn_constant(v, to, why);
            }
            (Ty::Float(_), Ty::Int(_)) => self.warn_float_constant(v, to),
            _ => {}
        }
    }

    /// A lane mask converted to something narrower loses lanes on a 64-lane target: said on every target.
    fn warn_lane_mask(&mut self, from: IntKind, to: IntKind, span: Span) {
        if !matches!(from, IntKind::LaneMask32 | IntKind::LaneMask64) || to.bits() >= 64 {
            return;
        }
        if matches!(to, IntKind::LaneMask32) {
            return;
        }
        let name = self.show(self.p.types.int(to));
        self.warn(
            Diagnostic::warning("W0307", span, format!("implicit conversion of `cudaLaneMask_t` to `{name}`"))
                .note(
                    "a lane mask has as many bits as the warp has lanes; on 64-lane targets half of them would be lost",
                )
                .help("declare the variable `auto` or `cudaLaneMask_t`")
                .group("lane-mask-narrowing"),
        );
    }

    fn warn_constant(&mut self, v: ExprId, to: TyId, why: Why) {
        if why == Why::Operand {
            return;
        }
        let Some(value) = self.int_constant(v) else { return };
        let Some((w, s)) = self.int_shape(to) else { return };
        let range_bits = if s { w - 1 } else { w };
        let lo = if s { -(1i128 << range_bits) } else { 0 };
        // Either reading of the bits is what people mean by `0xff` or `-1`.
        if value >= (1i128 << w) || value < -(1i128 << (w - 1)) {
            let changed = crate::num::ConstInt::from_i128(value, w, s).value();
            let (from, to) = (self.show(self.ty(v)), self.show(to));
            let span = self.span(v);
            self.warn(
                Diagnostic::warning(
                    "W0308",
                    span,
                    format!("implicit conversion from `{from}` to `{to}` changes value from {value} to {changed}"),
                )
                .group("constant-conversion"),
            );
        }
        let _ = lo;
    }

    fn warn_float_constant(&mut self, v: ExprId, to: TyId) {
        let ExprKind::Float(bits) = self.e(v).kind else { return };
        let f = f64::from_bits(bits);
        if f.fract() != 0.0 || !f.is_finite() {
            let (from, name) = (self.show(self.ty(v)), self.show(to));
            let span = self.span(v);
            self.warn(
                Diagnostic::warning(
                    "W0309",
                    span,
                    format!("implicit conversion from `{from}` to `{name}` changes value from {f} to {}", f.trunc()),
                )
                .group("literal-conversion"),
            );
        }
    }

    // ---- explicit conversion -----------------------------------------------------------------------------------

    /// `(T)e` and the named casts, for a value target.
    pub(crate) fn explicit(&mut self, e: ExprId, to: TyId, how: ast::CastKind, span: Span) -> ExprId {
        if self.is_err(e) || to == TyId::ERROR {
            return self.err(span);
        }
        if to == TyId::VOID {
            let v = e;
            return self.rv(ExprKind::Cast { kind: CastKind::ToVoid, operand: v }, TyId::VOID, span);
        }
        if let Ty::Reference { pointee, quals, space, .. } = *self.p.types.get(to) {
            return self.explicit_reference(e, pointee, quals, space, how, span);
        }
        if how == ast::CastKind::Dynamic {
            self.error("E0316", span, "`dynamic_cast` is not available in device code");
            return self.err(span);
        }
        let from = self.value_ty(e);
        if let Some(r) = self.p.types.as_record(to)
            && how != ast::CastKind::Reinterpret
        {
            if from == to {
                return self.copy_record(e, to);
            }
            return self.construct(r, to, &[super::call::Arg::Expr(e)], span, true);
        }
        let v = self.rvalue(e);
        if self.p.types.as_record(from).is_some() {
            if let Some(c) = self.user_convert_to_scalar(v, Some(to)) {
                return c;
            }
            return self.bad_cast(from, to, span);
        }
        let (f, t) = (self.p.types.get(from).clone(), self.p.types.get(to).clone());
        let arithmetic = |t: &Ty| matches!(t, Ty::Bool | Ty::Int(_) | Ty::Float(_) | Ty::Enum(_));
        match (&f, &t) {
            _ if from == to => {
                let x = *self.e(v);
                self.push_expr(crate::program::Expr { span, ..x })
            }
            (a, b) if arithmetic(a) && arithmetic(b) => {
                if how == ast::CastKind::Reinterpret && from != to {
                    return self.bad_cast(from, to, span);
                }
                let kind = self.arith_kind(from, to);
                self.cast(kind, v, to, span)
            }
            (a, Ty::Vector { elem, .. }) if arithmetic(a) => {
                let s = self.arith_cast(v, *elem);
                // OpenCL: `true` becomes all ones in a vector.
                self.rv(ExprKind::Cast { kind: CastKind::Splat, operand: s }, to, span)
            }
            (Ty::Vector { .. }, Ty::Vector { .. }) => {
                if self.is_opencl() || self.p.types.size_of(from) != self.p.types.size_of(to) {
                    return self.bad_cast(from, to, span);
                }
                self.rv(ExprKind::BitCast(v), to, span)
            }
            (Ty::Pointer { space: a, .. }, Ty::Pointer { space: b, .. }) => {
                if a != b && *a != AddrSpace::Generic && *b != AddrSpace::Generic
                    || (a != b && (*a == AddrSpace::Constant || *b == AddrSpace::Constant))
                {
                    let (f, t) = (self.show(from), self.show(to));
                    self.report(
                        Diagnostic::error("E0317", span, format!("casting `{f}` to `{t}` changes the address space"))
                            .note("pointers to disjoint address spaces cannot be cast to each other"),
                    );
                    return self.err(span);
                }
                let (fp, tp) = (self.pointee(from), self.pointee(to));
                if how != ast::CastKind::Reinterpret
                    && let (Some(d), Some(b)) =
                        (fp.and_then(|t| self.p.types.as_record(t)), tp.and_then(|t| self.p.types.as_record(t)))
                    && d != b
                {
                    if let Some(offset) = self.base_offset(d, b) {
                        return self.rv(
                            ExprKind::Cast { kind: CastKind::DerivedToBase { offset }, operand: v },
                            to,
                            span,
                        );
                    }
                    if let Some(offset) = self.base_offset(b, d) {
                        return self.rv(
                            ExprKind::Cast { kind: CastKind::BaseToDerived { offset }, operand: v },
                            to,
                            span,
                        );
                    }
                }
                self.pointer_cast(v, to)
            }
            (Ty::Int(_), Ty::Pointer { .. }) => {
                if self.is_null_constant(v) {
                    return self.rv(ExprKind::Null, to, span);
                }
                let wide = self.arith_cast(v, TyId::ULONG);
                self.rv(ExprKind::Cast { kind: CastKind::IntToPtr, operand: wide }, to, span)
            }
            (Ty::NullPtr, Ty::Pointer { .. }) => self.rv(ExprKind::Null, to, span),
            (Ty::Pointer { .. }, Ty::Bool) => self.cast(CastKind::PtrToBool, v, to, span),
            (Ty::Pointer { .. }, Ty::Int(k)) => {
                let wide = self.rv(ExprKind::Cast { kind: CastKind::PtrToInt, operand: v }, TyId::ULONG, span);
                if k.bits() < 64 {
                    let (f, t) = (self.show(from), self.show(to));
                    let d = Diagnostic::warning(
                        "W0310",
                        span,
                        format!("cast from `{f}` to smaller integer type `{t}` loses bits of the address"),
                    )
                    .group("pointer-to-int-cast");
                    self.warn(d);
                }
                self.arith_cast(wide, to)
            }
            _ => self.bad_cast(from, to, span),
        }
    }

    fn pointee(&self, ty: TyId) -> Option<TyId> {
        match self.p.types.get(ty) {
            Ty::Pointer { pointee, .. } => Some(*pointee),
            _ => None,
        }
    }

    fn bad_cast(&mut self, from: TyId, to: TyId, span: Span) -> ExprId {
        let (f, t) = (self.show(from), self.show(to));
        let mut d = Diagnostic::error("E0318", span, format!("cannot cast from `{f}` to `{t}`"));
        if self.p.types.is_vector(from) && self.p.types.is_vector(to) {
            d = d.help(format!("use `convert_{t}(…)` to convert the components or `as_{t}(…)` to keep the bits"));
        }
        self.report(d);
        self.err(span)
    }

    fn explicit_reference(
        &mut self,
        e: ExprId,
        pointee: TyId,
        quals: Quals,
        space: AddrSpace,
        how: ast::CastKind,
        span: Span,
    ) -> ExprId {
        let x = *self.e(e);
        let e = if self.is_lv(e) { e } else { self.place(e) };
        if x.ty == pointee {
            return self.lv(
                ExprKind::Cast { kind: CastKind::DerivedToBase { offset: 0 }, operand: e },
                pointee,
                quals,
                x.space,
                span,
            );
        }
        if how != ast::CastKind::Reinterpret
            && let (Some(d), Some(b)) = (self.p.types.as_record(x.ty), self.p.types.as_record(pointee))
        {
            if let Some(o) = self.base_offset(d, b) {
                return self.base_place(e, pointee, o);
            }
            if let Some(offset) = self.base_offset(b, d) {
                return self.lv(
                    ExprKind::Cast { kind: CastKind::BaseToDerived { offset }, operand: e },
                    pointee,
                    quals,
                    x.space,
                    span,
                );
            }
        }
        if how == ast::CastKind::Static {
            let v = self.implicit(e, pointee, Why::Operand);
            return self.place(v);
        }
        let a = self.address(e);
        let to = self.p.types.pointer(pointee, quals, space);
        let p = self.pointer_cast(a, to);
        self.deref(p, span)
    }
}

fn is_lane_mask(t: &Ty) -> bool {
    matches!(t, Ty::Int(IntKind::LaneMask32 | IntKind::LaneMask64))
}
