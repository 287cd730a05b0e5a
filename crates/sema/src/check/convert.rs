//! Conversions: from places to values, promotions, the usual arithmetic conversions, implicit and explicit ones.

pub(crate) mod classify;
mod explicit;
mod implicit;

use source::{Diagnostic, Span};

use super::{Checker, FnId};
use crate::program::{CastKind, ExprId, ExprKind, UnaryOp};
use crate::types::{AddrSpace, IntKind, Quals, Ty, TyId};

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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rank {
    pub(crate) class: u8,
    pub(crate) sub: u16,
    /// How a reference is bound, if the parameter is one: added qualifiers, and more for `const T &` to a temporary.
    pub(crate) bind: Option<u8>,
    /// The constructor or conversion function, of a conversion that a class defines.
    pub(crate) via: Option<FnId>,
    /// Of a braced list to a `std::initializer_list`.
    pub(crate) list: bool,
}

impl Rank {
    pub(crate) const EXACT: Self = Self::of(0);
    pub(crate) const PROMOTION: Self = Self::of(1);
    pub(crate) const CONVERSION: Self = Self::of(2);
    pub(crate) const USER: Self = Self::of(3);
    pub(crate) const ELLIPSIS: Self = Self::of(4);
    /// By several functions of which none is better.
    pub(crate) const AMBIGUOUS: Self = Self { via: Some(FnId(u32::MAX)), ..Self::of(3) };
    /// Added to [`Self::bind`] where an lvalue reference is bound to a temporary.
    pub(crate) const TEMPORARY: u8 = 4;

    const fn of(class: u8) -> Self {
        Self { class, sub: 0, bind: None, via: None, list: false }
    }

    pub(crate) fn sub(self, sub: u8) -> Self {
        Self { sub: u16::from(sub), ..self }
    }

    /// A conversion that a class defines, with a standard one behind it: of two by the same function the nearer one is better.
    fn after(self, then: Self) -> Self {
        Self { sub: u16::from(then.class) * 256 + then.sub.min(255), ..self }
    }

    pub(crate) fn is_ambiguous(self) -> bool {
        self.via == Self::AMBIGUOUS.via
    }

    fn by(self, f: FnId) -> Self {
        Self { via: Some(f), ..self }
    }

    pub(crate) fn bound(self, bind: u8) -> Self {
        Self { bind: Some(bind), ..self }
    }

    /// Compares two conversions of one argument (C++17, 16.3.3.2): how references are bound tells two references apart,
    /// never a reference from a value.
    pub(crate) fn against(self, other: Self) -> std::cmp::Ordering {
        // Of two of one form that which makes a list of a list, however good the others are.
        let form = |rank: Self| if rank.class <= Self::CONVERSION.class { 0 } else { rank.class };
        if form(self) == form(other) && self.list != other.list {
            return other.list.cmp(&self.list);
        }
        // Nothing tells conversions by different functions apart.
        let ambiguous = self.is_ambiguous() || other.is_ambiguous();
        if self.class == other.class
            && self.via.is_some()
            && other.via.is_some()
            && (self.via != other.via || ambiguous)
        {
            return std::cmp::Ordering::Equal;
        }
        (self.class, self.sub).cmp(&(other.class, other.sub)).then(match (self.bind, other.bind) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => std::cmp::Ordering::Equal,
        })
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
    /// A pointer to a member of a base, which stands at this offset.
    Member(u32),
    MemberToBool,
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
        if self.p.types.is_function(x.ty) {
            return self.decayed_function(e);
        }
        if !x.quals.is_volatile()
            && let Some(kind) = self.known_value(x.kind)
        {
            let v = self.rv(kind, x.ty, x.span);
            return self.computed(v);
        }
        // A choice between two variables that is only read chooses between their values, so that neither needs an
        // address and with it memory.
        if let ExprKind::Cond { cond, then, other } = x.kind
            && !self.p.types.is_aggregate(x.ty)
        {
            let (then, other) = (self.rvalue(then), self.rvalue(other));
            return self.rv(ExprKind::Cond { cond, then, other }, x.ty, x.span);
        }
        self.bytes_of(e)
    }

    /// What is at a place, as it is. Of a choice between a variable and what lies anywhere, too, the variable needs no address.
    pub(crate) fn bytes_of(&mut self, e: ExprId) -> ExprId {
        let x = *self.e(e);
        match self.mixed_choice(e) {
            Some((cond, then, other)) => {
                let (then, other) = (self.bytes_of(then), self.bytes_of(other));
                self.rv(ExprKind::Cond { cond, then, other }, x.ty, x.span)
            }
            None => self.rv(ExprKind::Load(e), x.ty, x.span),
        }
    }

    /// The parts of a place that is one of two in different memories.
    pub(crate) fn mixed_choice(&self, e: ExprId) -> Option<(ExprId, ExprId, ExprId)> {
        match self.e(e).kind {
            ExprKind::Cond { cond, then, other } if self.is_lv(e) && self.e(then).space != self.e(other).space => {
                Some((cond, then, other))
            }
            _ => None,
        }
    }

    /// A function as a pointer to it.
    fn decayed_function(&mut self, e: ExprId) -> ExprId {
        let x = *self.e(e);
        if let ExprKind::Cond { cond, then, other } = x.kind {
            let (then, other) = (self.rvalue(then), self.rvalue(other));
            return self.rv(ExprKind::Cond { cond, then, other }, self.ty(then), x.span);
        }
        self.address(e)
    }

    /// The constant that a variable is known to hold.
    fn known_value(&self, kind: ExprKind) -> Option<ExprKind> {
        match kind {
            ExprKind::Local(l) => self.cx.infos.get(l.index()).and_then(|i| i.value),
            ExprKind::Global(g) => {
                // Variables are few; their globals are recorded in order, so the search is from the owning list.
                self.decls.global_values.get(g.index()).copied().flatten()
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
        // A result may be `const`.
        let quals = if matches!(self.e(e).kind, ExprKind::Call { .. }) { self.e(e).quals } else { Quals::NONE };
        self.lv(ExprKind::Materialize { local, init: e }, ty, quals, AddrSpace::Private, span)
    }

    // ---- promotions --------------------------------------------------------------------------------------------

    /// The type that an integral type promotes to.
    pub(crate) fn promoted(&self, ty: TyId) -> TyId {
        match self.p.types.get(ty) {
            Ty::Bool => TyId::INT,
            Ty::Int(k) if k.rank() < IntKind::Int.rank() => TyId::INT,
            Ty::Int(IntKind::WChar) => TyId::INT,
            Ty::Int(IntKind::Char32) => TyId::UINT,
            Ty::Enum(e) => {
                let e = self.p.types.enumeration(*e);
                match (e.scoped, e.promotes_to) {
                    (true, _) => ty,
                    (false, Some(to)) => to,
                    (false, None) => self.promoted(e.underlying),
                }
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

    /// The same without the promotion of small integers.
    pub(crate) fn common_unpromoted(&self, a: TyId, b: TyId) -> TyId {
        let t = &self.p.types;
        if t.is_float(a) || t.is_float(b) {
            return self.common_arithmetic(a, b);
        }
        // `bool` has the lowest rank.
        match (t.int_kind(a), t.int_kind(b)) {
            (Some(_), Some(_)) => self.common_integer(a, b),
            (None, Some(k)) | (Some(k), None) => t.int(k),
            (None, None) => a,
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
            (true, false) if t.is_truth(s) => CastKind::FloatToBool,
            (true, false) => CastKind::FloatToInt,
            (false, true) => CastKind::IntToFloat,
            (false, false) if t.is_truth(s) && !t.is_truth(f) => CastKind::IntToBool,
            (false, false) => CastKind::IntToInt,
        }
    }

    // ---- conditions --------------------------------------------------------------------------------------------

    /// A value as a truth value of type `bool`, in every dialect.
    pub(crate) fn condition(&mut self, e: ExprId) -> ExprId {
        if let Some(elem) = self.complex_operand(e) {
            return self.complex_condition(e, elem);
        }
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
            Ty::MemberPointer { .. } => self.member_condition(e),
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
}

fn is_lane_mask(t: &Ty) -> bool {
    matches!(t, Ty::Int(IntKind::LaneMask32 | IntKind::LaneMask64))
}
