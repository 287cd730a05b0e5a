//! What conversion there is from one type to another, and of which rank.

use super::{PtrFit, Rank, Std, Why, is_lane_mask};
use crate::check::{Checker, FnId, FnKind};
use crate::program::{CastKind, ExprId, ExprKind};
use crate::types::{AddrSpace, FloatKind, IntKind, Opaque, Quals, RecordId, Ty, TyId};

/// Parts of the ranks of conversions of pointers and classes. A step from a class to a base is more than qualifiers that are added;
/// A string literal to `char *` is worse than to `const char *`.
const DROPS_CONST: u8 = 200;
/// `void *` is worse than any base, and `bool` than any pointer (C++17, 16.3.3.2, 4).
const STEP: u8 = 3;
const FARTHEST: u8 = 20;
const TO_VOID: u8 = 64;
const UNRELATED: u8 = 80;
const TO_BOOL: u8 = 96;

/// What a reference is bound to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RefTarget {
    pub(crate) pointee: TyId,
    pub(crate) quals: Quals,
    /// The reference is one to what may be moved.
    pub(crate) moved: bool,
    /// A cast: `explicit` functions convert, too.
    pub(crate) explicitly: bool,
}

impl RefTarget {
    /// Of a reference that is initialised.
    pub(crate) const fn of(pointee: TyId, quals: Quals, moved: bool) -> Self {
        Self { pointee, quals, moved, explicitly: false }
    }
}

impl Checker<'_> {
    /// Whether a node is a null pointer constant.
    pub(crate) fn is_null_constant(&self, e: ExprId) -> bool {
        let x = self.e(e);
        match x.kind {
            ExprKind::Int(0) => matches!(self.p.types.get(x.ty), Ty::Int(_)) && !self.cx.computed_zeros.contains(&e),
            ExprKind::Null => {
                matches!(self.p.types.get(x.ty), Ty::NullPtr)
                    || matches!(self.p.types.get(x.ty), Ty::Pointer { pointee, .. } if *pointee == TyId::VOID)
            }
            _ => x.ty == TyId::NULLPTR,
        }
    }

    pub(super) fn pointer_fit(&mut self, from: TyId, to: TyId) -> PtrFit {
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
        if tp == TyId::VOID && !(self.is_cxx() && self.p.types.is_function(fp)) {
            return PtrFit::ToVoid;
        }
        if !self.is_cxx() && fp == TyId::VOID {
            return PtrFit::ToVoid;
        }
        if let (Some(d), Some(b)) = (self.p.types.as_record(fp), self.p.types.as_record(tp))
            && let Some(offset) = self.reachable_base(d, b)
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
        if self.decls.virtual_bases.contains(&d) {
            let span = self.p.types.record(d).span;
            self.refuse_virtual_bases_of(d, span);
        }
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

    /// How far a base class is from a class, as part of a rank: of two the nearer one is better (C++17, 16.3.3.2, 4.4).
    pub(crate) fn base_distance(&self, d: RecordId, b: RecordId) -> u8 {
        let (mut level, mut seen) = (vec![d], vec![d]);
        for steps in 1..=FARTHEST {
            let bases = level.iter().flat_map(|&r| self.p.types.record(r).bases.iter().map(|base| base.record));
            let next: Vec<RecordId> = bases.filter(|r| !seen.contains(r)).collect();
            if next.contains(&b) {
                return steps * STEP;
            }
            seen.extend_from_slice(&next);
            level = next;
        }
        FARTHEST * STEP
    }

    fn pointee_distance(&self, from: TyId, to: TyId) -> u8 {
        let pointee = |t: TyId| match *self.p.types.get(t) {
            Ty::Pointer { pointee, .. } => self.p.types.as_record(pointee),
            _ => None,
        };
        pointee(from).zip(pointee(to)).map_or(STEP, |(d, b)| self.base_distance(d, b))
    }

    /// The standard conversion from one value type to another.
    pub(super) fn standard(&mut self, from: TyId, to: TyId, null: bool) -> Option<(Rank, Std)> {
        if from == to {
            return Some((Rank::EXACT, Std::Same));
        }
        let canonical = (self.p.types.canonical(from), self.p.types.canonical(to));
        if canonical != (from, to) {
            let (rank, std) = self.standard(canonical.0, canonical.1, null)?;
            // What is converted is of the wanted type afterwards, by whichever name.
            return Some(match (std, self.p.types.get(to)) {
                (Std::Same, Ty::Int(_)) => (rank, Std::Cast(CastKind::IntToInt)),
                (Std::Same, Ty::Pointer { .. }) => (rank, Std::Pointer),
                _ => (rank, std),
            });
        }
        let (f, t) = (self.p.types.get(from).clone(), self.p.types.get(to).clone());
        Some(match (&f, &t) {
            (Ty::Error, _) | (_, Ty::Error) => (Rank::EXACT, Std::Same),
            (Ty::Enum(e), _) if self.p.types.enumeration(*e).scoped => return None,
            (_, Ty::Bool) => match f {
                Ty::Int(_) | Ty::Enum(_) => (Rank::CONVERSION, Std::Cast(CastKind::IntToBool)),
                Ty::Float(_) => (Rank::CONVERSION, Std::Cast(CastKind::FloatToBool)),
                Ty::Pointer { .. } => (Rank::CONVERSION.sub(TO_BOOL), Std::Cast(CastKind::PtrToBool)),
                Ty::MemberPointer { .. } => (Rank::CONVERSION.sub(TO_BOOL), Std::MemberToBool),
                _ => return None,
            },
            (Ty::Bool | Ty::Int(_) | Ty::Enum(_), Ty::Int(k)) => {
                let rank = if self.promoted(from) == to {
                    Rank::PROMOTION.sub(u8::from(self.fixed_type(from).is_some_and(|t| t != to)))
                } else if self.fixed_type(from) == Some(to) {
                    Rank::PROMOTION
                } else if *k == IntKind::LaneMask32 || *k == IntKind::LaneMask64 || is_lane_mask(&f) {
                    // A mask of 64 lanes becomes an unsigned number of as many bits rather than another.
                    match *k {
                        IntKind::ULongLong => Rank::PROMOTION,
                        IntKind::ULong => Rank::PROMOTION.sub(1),
                        _ => Rank::CONVERSION,
                    }
                } else {
                    Rank::CONVERSION
                };
                (rank, Std::Cast(CastKind::IntToInt))
            }
            (Ty::Bool | Ty::Int(_) | Ty::Enum(_), Ty::Enum(_)) if !self.is_cxx() => {
                (Rank::CONVERSION, Std::Cast(CastKind::IntToInt))
            }
            (Ty::Bool | Ty::Int(_) | Ty::Enum(_), Ty::Float(_)) => (Rank::CONVERSION, Std::Cast(CastKind::IntToFloat)),
            (Ty::Int(_), Ty::Pointer { .. } | Ty::NullPtr) if null => (Rank::CONVERSION, Std::Null),
            (Ty::Bool | Ty::Int(_) | Ty::Enum(_), Ty::Opaque(Opaque::Sampler)) => {
                (Rank::CONVERSION, Std::Cast(CastKind::IntToInt))
            }
            (Ty::Int(_), Ty::Opaque(Opaque::Event | Opaque::Other)) if null => (Rank::CONVERSION, Std::Null),
            (Ty::NullPtr, Ty::Pointer { .. } | Ty::MemberPointer { .. }) => (Rank::CONVERSION, Std::Null),
            (Ty::Int(_), Ty::MemberPointer { .. }) if null => (Rank::CONVERSION, Std::Null),
            (Ty::MemberPointer { .. }, Ty::MemberPointer { .. }) => {
                let offset = self.member_conversion(from, to)?;
                (Rank::CONVERSION.sub(1), Std::Member(offset))
            }
            (Ty::Float(_), Ty::Int(_)) => (Rank::CONVERSION, Std::Cast(CastKind::FloatToInt)),
            (Ty::Float(a), Ty::Float(b)) => {
                let promotion = *a == FloatKind::Float && *b == FloatKind::Double;
                let half = a.bits() == 16 && *b == FloatKind::Float;
                (if promotion || half { Rank::PROMOTION } else { Rank::CONVERSION }, Std::Cast(CastKind::FloatToFloat))
            }
            (Ty::Float(_), Ty::Enum(_)) if !self.is_cxx() => (Rank::CONVERSION, Std::Cast(CastKind::FloatToInt)),
            // `(void *)0` is null in each address space, for which C has no conversion.
            (Ty::Pointer { space: f, .. }, Ty::Pointer { space: t, .. }) if null && f != t && !self.is_cxx() => {
                (Rank::CONVERSION, Std::Null)
            }
            (Ty::Pointer { .. }, Ty::Pointer { .. }) if self.quieter_pointer(from, to) == to => {
                (Rank::EXACT.sub(1), Std::Pointer)
            }
            // Of two that differ in what they qualify besides, the one that qualifies less is better.
            (&Ty::Pointer { quals: fq, .. }, &Ty::Pointer { quals: tq, .. }) => match self.pointer_fit(from, to) {
                PtrFit::Exact => (Rank::EXACT, Std::Same),
                PtrFit::Qualification => (Rank::EXACT.sub(1 + added_quals(fq, tq)), Std::Pointer),
                PtrFit::Base(o) => {
                    let far = self.pointee_distance(from, to);
                    (Rank::CONVERSION.sub(far + added_quals(fq, tq)), Std::Base(o))
                }
                PtrFit::ToVoid => (Rank::CONVERSION.sub(TO_VOID + added_quals(fq, tq)), Std::Pointer),
                PtrFit::Unrelated | PtrFit::Discards if !self.is_cxx() => {
                    (Rank::CONVERSION.sub(UNRELATED), Std::Pointer)
                }
                _ => return None,
            },
            (_, Ty::Vector { elem, .. }) if self.is_opencl() && self.p.types.is_arithmetic(from) => {
                let elem = *elem;
                let (r, _) = self.standard(from, elem, false)?;
                (Rank { class: r.class.max(2), ..Rank::EXACT }.sub(1), Std::Splat)
            }
            (Ty::Record(d), Ty::Record(b)) => {
                let o = self.reachable_base(*d, *b)?;
                (Rank::CONVERSION.sub(self.base_distance(*d, *b)), Std::Base(o))
            }
            _ => return None,
        })
    }

    /// The type that an enumeration says it has the values of: it is promoted to that, rather than further on.
    fn fixed_type(&self, ty: TyId) -> Option<TyId> {
        let Ty::Enum(e) = *self.p.types.get(ty) else { return None };
        let e = self.p.types.enumeration(e);
        (e.fixed && !e.scoped).then_some(e.underlying)
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
            return if self.crosses_half(from, to) { user.then_some(Rank::USER.after(r)) } else { Some(r) };
        }
        if self.drops_const_of_literal(e, to) {
            return Some(Rank::EXACT.sub(DROPS_CONST));
        }
        if user && self.is_dims_conversion(from, to) {
            return Some(Rank::USER);
        }
        if user { self.rank_user(e, to) } else { None }
    }

    /// Whether a conversion is one of those that CUDA's classes of 16 bits define: `__half` from and to other numbers.
    fn crosses_half(&self, from: TyId, to: TyId) -> bool {
        let half = |ty| matches!(self.p.types.get(ty), Ty::Float(k) if k.bits() == 16);
        self.is_cxx() && from != to && (half(from) || half(to))
    }

    fn rank_reference(&mut self, e: ExprId, pointee: TyId, quals: Quals, rvalue: bool, user: bool) -> Option<Rank> {
        let x = *self.e(e);
        let lv = self.is_lv(e);
        let same = self.is_same_place(x.ty, pointee);
        let derived = !same
            && match (self.p.types.as_record(x.ty), self.p.types.as_record(pointee)) {
                (Some(d), Some(b)) => self.reachable_base(d, b).is_some(),
                _ => false,
            };
        // References of either kind are bound to functions, which are no temporary objects.
        if lv && same && self.p.types.is_function(pointee) {
            return Some(Rank::EXACT.bound(if rvalue { Rank::TEMPORARY } else { 0 }));
        }
        let xvalue = self.is_xvalue(e);
        if xvalue && !rvalue && (same || derived) && !quals.lets_bind_temporaries() {
            return None;
        }
        if lv && (same || derived) && (!rvalue || xvalue) {
            if !quals.has(x.quals.without(Quals::RESTRICT)) {
                return None;
            }
            if self.is_odd_place(e) && !quals.lets_bind_temporaries() {
                return None;
            }
            let rank = match (self.p.types.as_record(x.ty), self.p.types.as_record(pointee)) {
                (Some(d), Some(b)) if !same => Rank::CONVERSION.sub(self.base_distance(d, b)),
                // `T (&)[]` is bound to an array of some length, and `void (&)()` to a function that is `noexcept`.
                _ if self.p.types.canonical(x.ty) != self.p.types.canonical(pointee) => Rank::EXACT.sub(1),
                _ => Rank::EXACT,
            };
            let temporary = if rvalue { 0 } else { Rank::TEMPORARY };
            return Some(rank.bound(temporary + added_quals(x.quals, quals)));
        }
        if lv && rvalue && (same || derived) {
            return None;
        }
        if user
            && !(same || derived)
            && let Some(f) = self.reference_conversion(e, RefTarget::of(pointee, quals, rvalue))
        {
            return Some(Rank::USER.by(f).bound(0));
        }
        if !rvalue && !quals.lets_bind_temporaries() {
            return None;
        }
        let r = self.rank_depth(e, pointee, user)?;
        // What a conversion function refers to is none that `T &&` is bound to.
        let refers = |c: &Self, f: FnId| match *c.p.types.get(c.decls[f].ret) {
            Ty::Reference { pointee: p, rvalue, .. } => {
                c.decls[f].kind == FnKind::Conversion && !rvalue && p == pointee
            }
            _ => false,
        };
        if rvalue && r.via.is_some_and(|f| !r.is_ambiguous() && refers(self, f)) {
            return None;
        }
        // An lvalue reference to what is made is `const` in any case, which says nothing beside one to what there is.
        let has = if lv { Quals::NONE } else { x.quals };
        Some(r.bound(if rvalue { added_quals(has, quals) } else { Rank::TEMPORARY }))
    }

    /// The conversion function whose result an lvalue reference is bound to, or one to what may be moved (C++17, 16.3.1.6).
    pub(crate) fn reference_conversion(
        &mut self,
        e: ExprId,
        RefTarget { pointee, quals, moved, explicitly }: RefTarget,
    ) -> Option<FnId> {
        let r = self.p.types.as_record(self.ty(e)).filter(|_| self.is_cxx())?;
        let mut best: Option<(Rank, FnId)> = None;
        for f in self.conversions_of(r) {
            let d = &self.decls[f];
            let Ty::Reference { pointee: p, quals: q, rvalue, .. } = *self.p.types.get(d.ret) else { continue };
            let (this_quals, ref_qual, explicit) = (d.this_quals, d.ref_qual, d.explicit);
            let fits = p == pointee
                || match (self.p.types.as_record(p), self.p.types.as_record(pointee)) {
                    (Some(d), Some(b)) => self.base_offset(d, b).is_some(),
                    _ => false,
                };
            if (explicitly || !explicit)
                && fits
                && rvalue == moved
                && quals.has(q)
                && let Ok(rank) = self.rank_object(e, this_quals, ref_qual)
                && best.is_none_or(|(b, _)| rank.against(b).is_lt())
            {
                best = Some((rank, f));
            }
        }
        best.map(|(_, f)| f)
    }

    fn similar_arrays(&self, a: TyId, b: TyId) -> bool {
        matches!((self.p.types.get(a), self.p.types.get(b)),
            (Ty::Array { elem: x, .. }, Ty::Array { elem: y, len: None }) if x == y)
    }

    /// The conversion function, `explicit` or not, whose result the reference `to` is bound to when `e` initialises it directly.
    pub(crate) fn explicitly_referred(&mut self, e: ExprId, to: TyId) -> Option<FnId> {
        let Ty::Reference { pointee, quals, rvalue, .. } = *self.p.types.get(to) else { return None };
        self.reference_conversion(e, RefTarget { pointee, quals, moved: rvalue, explicitly: true })
    }

    /// Whether a reference to `pointee` is bound to a place of type `ty` itself.
    pub(crate) fn is_same_place(&mut self, ty: TyId, pointee: TyId) -> bool {
        let (ty, pointee) = (self.p.types.canonical(ty), self.p.types.canonical(pointee));
        ty == pointee || self.similar_arrays(ty, pointee) || self.quieter_function(ty, pointee) == pointee
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
            Ty::Function(_) => self.p.types.pointer(x.ty, Quals::NONE, AddrSpace::Generic),
            _ => x.ty,
        }
    }

    /// User-defined conversion: a converting constructor of the target or a conversion function of the source.
    fn rank_user(&mut self, e: ExprId, to: TyId) -> Option<Rank> {
        if !self.is_cxx() {
            return None;
        }
        let f = match self.user_conversions(e, to, Explicit::No) {
            Found::None => return None,
            // Which of them is meant is only asked where the function is called.
            Found::Several => return Some(Rank::AMBIGUOUS),
            Found::One(f) => f,
        };
        // What a conversion function gives may still be converted; what a constructor makes is what is wanted.
        let d = &self.decls[f];
        let ret = if d.kind == FnKind::Conversion { self.strip_reference(d.ret) } else { to };
        let then = self.standard(ret, to, false).map_or(Rank::EXACT, |(r, _)| r);
        Some(Rank::USER.after(then).by(f))
    }

    /// The constructor or conversion function that an implicit conversion would call.
    pub(crate) fn find_user_conversion(&mut self, e: ExprId, to: TyId) -> Option<FnId> {
        match self.user_conversions(e, to, Explicit::ToBool) {
            Found::One(f) => Some(f),
            Found::None | Found::Several => None,
        }
    }

    /// What converts `e` to `to`: of constructors and conversion functions the best (C++17, 16.3.1.4 to 16.3.1.6).
    /// In a cast constructors are not asked here.
    fn user_conversions(&mut self, e: ExprId, to: TyId, explicit: Explicit) -> Found {
        let mut all: Vec<Candidate> = Vec::new();
        if let Some(r) = self.p.types.as_record(to)
            && explicit != Explicit::Cast
        {
            self.converting_constructors(r, e, &mut all);
        }
        if let Some(r) = self.p.types.as_record(self.ty(e)) {
            for (f, from_template) in self.conversions_to(r, to) {
                let d = &self.decls[f];
                let (ret, quals, ref_qual) = (self.strip_reference(d.ret), d.this_quals, d.ref_qual);
                let may = match explicit {
                    Explicit::No => false,
                    Explicit::ToBool => to == TyId::BOOL,
                    Explicit::Cast => true,
                };
                // An explicit one gives just what is asked for.
                let just = |c: &mut Self| c.standard(ret, to, false).is_some_and(|(r, _)| r.class == Rank::EXACT.class);
                if d.explicit && !(may && just(self)) {
                    continue;
                }
                let Ok(from) = self.rank_object(e, quals, ref_qual) else { continue };
                // A conversion that a class defines is not followed by one that another class does.
                if let Some((then, _)) = self.standard(ret, to, false)
                    && (explicit == Explicit::Cast || !self.crosses_half(ret, to))
                {
                    all.push(Candidate { f, from, then: Some(then), from_template });
                }
            }
        }
        // `__half` is a class in CUDA: what becomes a number by way of one, by a cast, does so if there is no other way.
        let by_half = |c: &Self, f: FnId| c.crosses_half(c.strip_reference(c.decls[f].ret), to);
        if all.iter().any(|c| !by_half(self, c.f)) {
            all.retain(|c| !by_half(self, c.f));
        }
        let best = (0..all.len()).find(|&i| (0..all.len()).all(|j| i == j || self.converts_better(&all[i], &all[j])));
        match (best, all.is_empty()) {
            (Some(i), _) => Found::One(all[i].f),
            (None, true) => Found::None,
            (None, false) => Found::Several,
        }
    }

    fn converts_better(&mut self, a: &Candidate, b: &Candidate) -> bool {
        let by_object = a.from.against(b.from);
        let by_result = match (a.then, b.then) {
            (Some(x), Some(y)) => x.against(y),
            _ => std::cmp::Ordering::Equal,
        };
        match by_object.then(by_result) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Greater => false,
            std::cmp::Ordering::Equal if a.from_template != b.from_template => b.from_template,
            std::cmp::Ordering::Equal if a.from_template => {
                self.more_specialised(a.f, b.f, 1) || self.more_constrained(a.f, b.f)
            }
            std::cmp::Ordering::Equal => self.more_constrained(a.f, b.f),
        }
    }

    /// The constructors of a class that make an object of `e`.
    fn converting_constructors(&mut self, r: RecordId, e: ExprId, out: &mut Vec<Candidate>) {
        self.complete_record(r);
        let mut all: Vec<(FnId, bool)> = self.decls[r].ctors.iter().map(|&f| (f, false)).collect();
        for t in self.constructor_templates(r) {
            let crate::check::Entity::Template(t) = t else { continue };
            if let Ok(f) = self.deduce_call(t, None, &[crate::check::call::Arg::Expr(e)]) {
                all.push((self.own_constructor(r, f), true));
            }
        }
        for (f, from_template) in all {
            let d = &self.decls[f];
            let takes_one = !d.params.is_empty() && d.params.iter().skip(1).all(|p| p.default.is_some());
            if !takes_one || d.explicit || d.body == crate::check::BodySource::Deleted {
                continue;
            }
            let p = d.params[0].ty;
            if let Some(from) = self.rank_depth(e, p, false)
                && self.may_be_called(f)
            {
                out.push(Candidate { f, from, then: None, from_template });
            }
        }
    }

    /// Conversion functions of a class and its bases.
    pub(crate) fn conversions_of(&mut self, r: RecordId) -> Vec<FnId> {
        self.complete_record(r);
        let mut all = self.decls[r].conversions.clone();
        let bases = self.p.types.record(r).bases.clone();
        let own = all.len();
        for b in bases {
            for f in self.conversions_of(b.record) {
                // One to the same type hides that of a base.
                if !all[..own].iter().any(|&own| self.decls[own].ret == self.decls[f].ret) {
                    all.push(f);
                }
            }
        }
        all
    }

    /// Conversion functions of a class and its bases, instances of templates for a target among them; whether they are such.
    pub(crate) fn conversions_to(&mut self, r: RecordId, to: TyId) -> Vec<(FnId, bool)> {
        let mut all: Vec<(FnId, bool)> = self.conversions_of(r).into_iter().map(|f| (f, false)).collect();
        // No function returns an array.
        let is_array = matches!(self.p.types.get(to), Ty::Array { .. });
        if !is_array && let Some(sym) = self.sess.strings.get("conversion template") {
            let mut classes = vec![r];
            while let Some(r) = classes.pop() {
                self.complete_record(r);
                classes.extend(self.p.types.record(r).bases.iter().map(|b| b.record));
                for t in self.decls.bound(self.decls[r].scope, sym) {
                    let crate::check::Entity::Template(t) = t else { continue };
                    all.extend(self.deduce_conversion(t, to).map(|f| (f, true)));
                }
            }
        }
        all
    }

    pub(crate) fn strip_reference(&self, ty: TyId) -> TyId {
        match self.p.types.get(ty) {
            Ty::Reference { pointee, .. } => *pointee,
            _ => ty,
        }
    }

    /// Converts a class value to a scalar by its best conversion function: to `want` as a cast does, or as an operand to
    /// any arithmetic type, pointer or enumeration. `None` where none is better than all others.
    pub(crate) fn user_convert_to_scalar(&mut self, e: ExprId, want: Option<TyId>) -> Option<ExprId> {
        // The object itself is asked, which may be `const`, not the value that was read of it.
        let e = self.object_behind(e);
        let f = match want {
            Some(t) => match self.user_conversions(e, t, Explicit::Cast) {
                Found::One(f) => f,
                Found::None | Found::Several => return None,
            },
            None => self.operand_conversion(e)?,
        };
        let span = self.span(e);
        let v = self.call_member_fn(f, e, &[], span);
        let v = self.rvalue(v);
        Some(match want {
            Some(t) => self.implicit(v, t, Why::Operand),
            None => v,
        })
    }

    /// An object of a class as an operand of a built-in operator that takes `to`: what the conversion function gives, which
    /// the operator converts further on.
    pub(crate) fn converted_by_class(&mut self, e: ExprId, to: TyId) -> Option<ExprId> {
        let e = self.object_behind(e);
        let Found::One(f) = self.user_conversions(e, to, Explicit::No) else { return None };
        let span = self.span(e);
        let v = self.call_member_fn(f, e, &[], span);
        Some(self.rvalue(v))
    }

    /// What a conversion function of a class refers to that can be assigned, for an operator that changes it.
    pub(crate) fn referred_by_class(&mut self, e: ExprId) -> Option<ExprId> {
        let r = self.p.types.as_record(self.ty(e))?;
        let mut all: Vec<(Rank, FnId)> = Vec::new();
        for f in self.conversions_of(r) {
            let d = &self.decls[f];
            let Ty::Reference { pointee, quals, rvalue: false, .. } = *self.p.types.get(d.ret) else { continue };
            let scalar = self.p.types.is_arithmetic(pointee) || self.p.types.is_pointer(pointee);
            if scalar
                && !quals.is_const()
                && !d.explicit
                && let Ok(rank) = self.rank_object(e, d.this_quals, d.ref_qual)
            {
                all.push((rank, f));
            }
        }
        let better = |i: usize, j: usize| i == j || all[i].0.against(all[j].0).is_lt();
        let best = (0..all.len()).find(|&i| (0..all.len()).all(|j| better(i, j)))?;
        let span = self.span(e);
        Some(self.call_member_fn(all[best].1, e, &[], span))
    }

    /// Whether an object is converted by one of its class's functions where `explicit` ones may be called.
    pub(crate) fn converts_itself(&mut self, e: ExprId, to: TyId) -> bool {
        matches!(self.user_conversions(e, to, Explicit::Cast), Found::One(_))
    }

    /// What an explicit conversion function of a class makes of its object for `T(e)`.
    pub(crate) fn explicitly_converted(&mut self, e: ExprId, to: TyId) -> Option<ExprId> {
        let Found::One(f) = self.user_conversions(e, to, Explicit::Cast) else { return None };
        let span = self.span(e);
        Some(self.call_member_fn(f, e, &[], span))
    }

    /// Whether a class or a base of it has templates of conversion functions.
    pub(crate) fn has_conversion_templates(&mut self, r: RecordId) -> bool {
        let Some(sym) = self.sess.strings.get("conversion template") else { return false };
        self.complete_record(r);
        let bases = self.p.types.record(r).bases.clone();
        !self.decls.bound(self.decls[r].scope, sym).is_empty()
            || bases.iter().any(|b| self.has_conversion_templates(b.record))
    }

    /// The conversion function by which an object is an operand: that whose object it fits best.
    fn operand_conversion(&mut self, e: ExprId) -> Option<FnId> {
        let r = self.p.types.as_record(self.ty(e))?;
        let mut all: Vec<(Rank, FnId)> = Vec::new();
        for f in self.conversions_of(r) {
            let d = &self.decls[f];
            let (ret, quals, ref_qual, explicit) = (self.strip_reference(d.ret), d.this_quals, d.ref_qual, d.explicit);
            let scalar = self.p.types.is_arithmetic(ret)
                || self.p.types.is_pointer(ret)
                || matches!(self.p.types.get(ret), Ty::Enum(_) | Ty::MemberPointer { .. });
            if scalar
                && !explicit
                && let Ok(rank) = self.rank_object(e, quals, ref_qual)
            {
                all.push((rank, f));
            }
        }
        let better = |i: usize, j: usize| i == j || all[i].0.against(all[j].0).is_lt();
        (0..all.len()).find(|&i| (0..all.len()).all(|j| better(i, j))).map(|i| all[i].1)
    }
}

/// A constructor or conversion function that could convert.
struct Candidate {
    f: FnId,
    /// How well what is converted fits its parameter or object.
    from: Rank,
    /// What becomes of the result of a conversion function.
    then: Option<Rank>,
    from_template: bool,
}

/// Which explicit conversion functions are asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Explicit {
    No,
    /// Those to `bool`: what is initialised may be a condition.
    ToBool,
    /// All.
    Cast,
}

/// What converts.
enum Found {
    None,
    One(FnId),
    /// None of them is better than all others.
    Several,
}

/// How many qualifiers a reference adds to those of what it is bound to.
pub(crate) fn added_quals(has: Quals, reference: Quals) -> u8 {
    let added = reference.without(has);
    [Quals::CONST, Quals::VOLATILE].iter().filter(|&&one| added.has(one)).count() as u8
}
