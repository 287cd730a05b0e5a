//! Copies of class objects and assignments between them, where the program leaves those to the compiler.

use super::{Copier, MAX_DESTROYED, Special, Specials};
use crate::check::{BodySource, Checker, FnId};
use crate::program::{ExprId, ExprKind, LocalId};
use crate::types::{Quals, RecordId, Ty, TyId};
use source::Span;

/// What is done with the parts of an object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Copy,
    Assign,
}

impl Checker<'_> {
    /// The value of a class object: what its constructor for copies makes of it, or of its parts, or its bytes.
    pub(crate) fn copy_record(&mut self, e: ExprId, ty: TyId) -> ExprId {
        self.copy_by(e, ty, false)
    }

    /// The same for `T(e)`, by constructors too that are no conversions.
    pub(crate) fn copy_explicitly(&mut self, e: ExprId, ty: TyId) -> ExprId {
        self.copy_by(e, ty, true)
    }

    fn copy_by(&mut self, e: ExprId, ty: TyId, explicit: bool) -> ExprId {
        let span = self.span(e);
        if !self.is_lv(e) {
            return e;
        }
        let Some(r) = self.p.types.as_record(ty) else { return self.rv(ExprKind::Load(e), ty, span) };
        if self.is_cxx() {
            let by = self.copier(r, e, explicit);
            if let Copier::Declared(f) = by {
                return self.construct_with(f, r, &[e], span);
            }
            if !self.is_copied(r, by, false, span) {
                return self.err(span);
            }
        }
        self.copy_provided(e, r, ty)
    }

    /// What the constructor for copies that nobody wrote makes of a place.
    pub(crate) fn copy_provided(&mut self, e: ExprId, r: RecordId, ty: TyId) -> ExprId {
        if self.parts_do_more(r, Part::Copy) {
            return self.copy_parts(e, r, ty);
        }
        if self.is_polymorphic(r) {
            return self.copy_polymorphic(e, r, ty);
        }
        self.bytes_of(e)
    }

    /// Whether a function that the program defines can be called with one reference to the class.
    fn takes_own_class(&self, f: FnId, r: RecordId) -> bool {
        !matches!(self.decls[f].body, BodySource::Deleted | BodySource::Defaulted) && self.takes_object_of(f, r)
    }

    /// Whether a function can be called with one reference to the class.
    pub(super) fn takes_object_of(&self, f: FnId, r: RecordId) -> bool {
        let d = &self.decls[f];
        d.params.iter().skip(1).all(|p| p.default.is_some())
            && d.params.first().is_some_and(|p| {
                matches!(*self.p.types.get(p.ty), Ty::Reference { pointee, .. }
                    if self.p.types.as_record(pointee) == Some(r))
            })
    }

    /// Whether a base or member has such a function of its own, so that its bytes are not all there is to do.
    fn parts_do_more(&mut self, r: RecordId, what: Part) -> bool {
        self.complete_record(r);
        let rec = self.p.types.record(r);
        if rec.is_union || self.decls[r].cuda_vec.is_some() || self.decls[r].complex.is_some() {
            return false;
        }
        self.parts_of(r).into_iter().any(|x| x != r && self.part_does_more(x, what))
    }

    fn part_does_more(&mut self, r: RecordId, what: Part) -> bool {
        self.complete_record(r);
        let own = match what {
            Part::Copy => {
                let ctors = self.decls[r].ctors.clone();
                ctors.into_iter().any(|c| self.takes_own_class(c, r))
            }
            Part::Assign => self.has_assignment(r),
        };
        own || self.is_moved_by_template(r, what == Part::Assign) || self.parts_do_more(r, what)
    }

    /// Whether the parts of a class are moved where an object is that has no other use: not where the class declares how it
    /// is copied or destroyed, be it as by default, and says nothing of moving (C++17, 15.8.1, 8 and 15.8.2, 4).
    fn moves_parts(&mut self, r: RecordId, assigned: bool) -> bool {
        let moves = |s: Specials| if assigned { s.move_assignment } else { s.move_constructor };
        self.specials(r).is_none_or(|s| moves(s) != Special::Absent)
    }

    /// Copies the bytes, then what is more than bytes anew.
    fn copy_parts(&mut self, e: ExprId, r: RecordId, ty: TyId) -> ExprId {
        let span = self.span(e);
        let (from, pty, mut done) = self.held_address(e, span);
        let l = self.new_local(None, ty, Quals::NONE, span);
        let source = self.pointed_by(from, pty, span);
        let bytes = self.rv(ExprKind::Load(source), ty, span);
        let place = self.local_place(l, span);
        let stored = self.store(place, bytes, span);
        done = self.rv(ExprKind::Comma { lhs: done, rhs: stored }, TyId::VOID, span);
        let moved = self.is_xvalue(e) && !self.e(e).quals.is_const() && self.moves_parts(r, false);
        let of_const = !moved && self.takes_const_objects(r, Part::Copy);
        for step in self.part_steps(r, Part::Copy) {
            let place = self.local_place(l, span);
            let to = self.part_at(place, step);
            let source = self.pointed_by(from, pty, span);
            let mut part = self.part_at(source, step);
            if moved {
                self.cx.xvalues.insert(part);
            } else if of_const {
                // The constructor that nobody wrote has a `const` object where its parts' take one.
                let x = *self.e(part);
                part = self.lv(x.kind, x.ty, x.quals.with(Quals::CONST), x.space, span);
            }
            let value = self.copy_explicitly(part, step.1);
            let stored = self.store(to, value, span);
            done = self.rv(ExprKind::Comma { lhs: done, rhs: stored }, TyId::VOID, span);
        }
        let object = self.local_place(l, span);
        for s in self.number_stores(object, r, span) {
            done = self.rv(ExprKind::Comma { lhs: done, rhs: s }, TyId::VOID, span);
        }
        let again = self.local_place(l, span);
        let x = *self.e(again);
        let both = self.lv(ExprKind::Comma { lhs: done, rhs: again }, ty, x.quals, x.space, span);
        self.rv(ExprKind::Load(both), ty, span)
    }

    /// Whether a class, or each part of what is none that the program declares, copies or assigns `const` objects.
    fn takes_const_objects(&mut self, r: RecordId, what: Part) -> bool {
        let of = |s: Specials| if what == Part::Copy { s.copies_const } else { s.assigns_const };
        if let Some(s) = self.specials(r) {
            return of(s);
        }
        let fields: Vec<TyId> = self.p.types.record(r).fields.iter().map(|f| f.ty).collect();
        fields.into_iter().all(|t| self.specials_of(t).is_none_or(of))
    }

    /// Where the address of `e` is kept, its type, and the expression that keeps it.
    fn held_address(&mut self, e: ExprId, span: Span) -> (LocalId, TyId, ExprId) {
        let at = self.address(e);
        let pty = self.ty(at);
        let l = self.new_local(None, pty, Quals::NONE, span);
        let held = self.local_place(l, span);
        let done = self.store(held, at, span);
        (l, pty, done)
    }

    fn part_at(&mut self, object: ExprId, (offset, ty): (u32, TyId)) -> ExprId {
        self.base_place(object, ty, offset)
    }

    /// The bases and members, and the elements of those that are arrays, that are more than their bytes.
    fn part_steps(&mut self, r: RecordId, what: Part) -> Vec<(u32, TyId)> {
        let rec = self.p.types.record(r);
        let bases: Vec<(u64, RecordId)> = rec.bases.iter().map(|b| (b.offset, b.record)).collect();
        let fields: Vec<(u64, TyId)> = rec.fields.iter().map(|f| (f.offset, f.ty)).collect();
        let mut out = Vec::new();
        for (offset, b) in bases {
            if self.part_does_more(b, what) {
                out.push((offset as u32, self.p.types.intern(Ty::Record(b))));
            }
        }
        for (offset, ty) in fields {
            let Some(m) = self.array_record(ty) else { continue };
            if !self.part_does_more(m, what) {
                continue;
            }
            let elem = self.p.types.intern(Ty::Record(m));
            let size = self.p.types.size_of(elem).unwrap_or(1).max(1);
            let count = self.p.types.size_of(ty).unwrap_or(size) / size;
            out.extend((0..count.min(MAX_DESTROYED)).map(|i| ((offset + i * size) as u32, elem)));
        }
        out
    }

    /// `place = value` of objects whose class has no assignment of its own: its parts may have.
    pub(crate) fn assign_parts(&mut self, place: ExprId, value: ExprId, span: Span) -> Option<ExprId> {
        let ty = self.ty(place);
        let r = self.p.types.as_record(ty)?;
        if self.ty(value) != ty {
            return None;
        }
        if !self.parts_do_more(r, Part::Assign) {
            // The constructors for copies have no part in it.
            return self.is_lv(value).then(|| {
                let bytes = self.rv(ExprKind::Load(value), ty, span);
                if self.is_polymorphic(r) {
                    self.assign_polymorphic(place, bytes, r, span)
                } else {
                    self.store(place, bytes, span)
                }
            });
        }
        let fixed = self.e(value).quals.is_const();
        let moved = (!self.is_lv(value) || self.is_xvalue(value)) && !fixed && self.moves_parts(r, true);
        let of_const = !moved && self.takes_const_objects(r, Part::Assign);
        let value = self.place(value);
        let (to, to_ty, first) = self.held_address(place, span);
        let (from, from_ty, second) = self.held_address(value, span);
        let mut done = self.rv(ExprKind::Comma { lhs: first, rhs: second }, TyId::VOID, span);
        for step in self.part_steps(r, Part::Assign) {
            let object = self.pointed_by(to, to_ty, span);
            let target = self.part_at(object, step);
            let object = self.pointed_by(from, from_ty, span);
            let mut part = self.part_at(object, step);
            if moved {
                self.cx.xvalues.insert(part);
            } else if of_const {
                // The assignment that nobody wrote has a `const` object.
                let x = *self.e(part);
                part = self.lv(x.kind, x.ty, x.quals.with(Quals::CONST), x.space, span);
            }
            let assigned = self.assign_record(target, part, span);
            done = self.rv(ExprKind::Comma { lhs: done, rhs: assigned }, TyId::VOID, span);
        }
        for (offset, t) in self.plain_parts(r) {
            let object = self.pointed_by(to, to_ty, span);
            let target = self.part_at(object, (offset, t));
            let object = self.pointed_by(from, from_ty, span);
            let part = self.part_at(object, (offset, t));
            let bytes = self.rv(ExprKind::Load(part), t, span);
            let stored = self.store(target, bytes, span);
            done = self.rv(ExprKind::Comma { lhs: done, rhs: stored }, TyId::VOID, span);
        }
        let object = self.pointed_by(to, to_ty, span);
        let x = *self.e(object);
        Some(self.lv(ExprKind::Comma { lhs: done, rhs: object }, ty, x.quals, x.space, span))
    }

    /// The members that assignments copy byte by byte: bit-fields with the unit around them.
    fn plain_parts(&mut self, r: RecordId) -> Vec<(u32, TyId)> {
        let rec = self.p.types.record(r);
        let bases: Vec<(u64, RecordId)> = rec.bases.iter().map(|b| (b.offset, b.record)).collect();
        let fields: Vec<(u64, TyId)> = rec.fields.iter().map(|f| (f.offset, f.ty)).collect();
        let mut out = Vec::new();
        for (offset, b) in bases {
            if !self.part_does_more(b, Part::Assign) && !self.p.types.record(b).fields.is_empty() {
                out.push((offset as u32, self.p.types.intern(Ty::Record(b))));
            }
        }
        for (offset, ty) in fields {
            let more = self.array_record(ty).is_some_and(|m| self.part_does_more(m, Part::Assign));
            if !more && !matches!(self.p.types.get(ty), Ty::Reference { .. }) {
                out.push((offset as u32, ty));
            }
        }
        out.dedup();
        out
    }
}
