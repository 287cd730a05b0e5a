//! Copies and assignments of class objects by what the program declares, beside the functions that the compiler provides
//! (C++17, 15.8): those take part in overload resolution, and a constructor or assignment template may fit better, as `T &&`
//! does for an object that is not `const`.
//!
//! Templates are asked only where they can win. Access is not looked at. Cost: an overload resolution for such an object, else
//! a look at the class.

use crate::check::call::Arg;
use crate::check::{BodySource, Checker, Entity, FnId};
use crate::program::ExprId;
use crate::types::{AddrSpace, Quals, RecordId, Ty, TyId};
use source::{Diagnostic, Span};

use super::Special;

/// What copies or assigns an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Copier {
    /// A function that the class declares.
    Declared(FnId),
    /// What the compiler provides, or what is left to it, with a parameter of this type.
    Provided(TyId),
    /// Several fit equally well.
    Ambiguous,
    /// Nothing fits.
    Missing,
}

impl Checker<'_> {
    /// The assignment of class `r` that `object = arg` calls.
    pub(crate) fn assignment(&mut self, r: RecordId, object: ExprId, arg: Arg) -> Copier {
        self.complete_record(r);
        let mut entities: Vec<Entity> = match self.sess.strings.get("operator=") {
            Some(sym) => self.decls.bound(self.decls[r].scope, sym).to_vec(),
            None => Vec::new(),
        };
        let provided = self.provided_assignments(r);
        self.drop_deleted_moves(&mut entities, self.decls.specials.get(&r).map(|s| s.move_assignment));
        // Nothing but a function of the program's assigns to a `volatile` object.
        if !self.e(object).quals.has(Quals::VOLATILE) {
            self.leave_rivals(&mut entities, r, arg, &provided);
        }
        self.resolve_beside(&entities, (Some(object), arg), &provided, true)
    }

    /// What makes an object of class `r` of `e`, which is one of `r` or of a class derived from it. `explicit`: constructors too
    /// that are no conversions.
    pub(crate) fn copier(&mut self, r: RecordId, e: ExprId, explicit: bool) -> Copier {
        self.complete_record(r);
        let provided = self.provided_copiers(r);
        let mut entities: Vec<Entity> = Vec::new();
        for f in self.decls[r].ctors.iter().chain(&self.decls[r].declared) {
            if !entities.contains(&Entity::Fn(*f)) {
                entities.push(Entity::Fn(*f));
            }
        }
        self.drop_deleted_moves(&mut entities, self.decls.specials.get(&r).map(|s| s.move_constructor));
        let all = entities.clone();
        if self.p.types.as_record(self.ty(e)) == Some(r) {
            entities.retain(|entity| matches!(*entity, Entity::Fn(f) if self.takes_object_of(f, r)));
        }
        // What a base's constructors take is copied as a base.
        let templates = match self.sess.strings.get("constructor template") {
            Some(name) => self.decls.bound(self.decls[r].scope, name),
            None => Default::default(),
        };
        entities.extend(templates);
        self.leave_rivals(&mut entities, r, Arg::Expr(e), &provided);
        match self.resolve_beside(&entities, (None, Arg::Expr(e)), &provided, explicit) {
            // By what the object converts to, perhaps.
            Copier::Missing if all.iter().any(|e| !entities.contains(e)) => {
                self.resolve_beside(&all, (None, Arg::Expr(e)), &provided, explicit)
            }
            by => by,
        }
    }

    /// Reports that objects of class `r` are not copied so, if they are not: what was chosen is deleted, or nothing was.
    pub(crate) fn is_copied(&mut self, r: RecordId, by: Copier, assigned: bool, at: Span) -> bool {
        let Some(s) = self.specials(r).filter(|_| !self.reads_host()) else { return true };
        let made = if assigned { s.copy_assignment } else { s.copy_constructor };
        let why = match by {
            Copier::Declared(_) => return true,
            Copier::Provided(_) if self.only_host_copies(r, assigned) => {
                self.host_member_call(r, if assigned { "operator=" } else { "" }, None, at);
                return false;
            }
            Copier::Provided(p) => match *self.p.types.get(p) {
                Ty::Reference { rvalue: false, .. } if !made.exists() => "is deleted",
                _ => return true,
            },
            Copier::Ambiguous => "is ambiguous: several of its functions fit equally well",
            Copier::Missing => "does not take this object",
        };
        let ty = self.p.types.intern(Ty::Record(r));
        let (name, there) = (self.show(ty), self.p.types.record(r).span);
        let what = if assigned { "assignment" } else { "constructor for copies" };
        let d = Diagnostic::error("E0441", at, format!("the {what} of `{name}` {why}"))
            .label(there, "declared here")
            .help("move the object, or refer to it");
        self.report(d);
        false
    }

    /// Whether objects that have no other use may be copied by a template that fits better than what copies: nothing moves them.
    pub(super) fn is_moved_by_template(&mut self, r: RecordId, assigned: bool) -> bool {
        let name = if assigned { "operator=" } else { "constructor template" };
        let Some(sym) = self.sess.strings.get(name) else { return false };
        let bound = self.decls.bound(self.decls[r].scope, sym);
        bound.iter().any(|e| matches!(*e, Entity::Template(t) if self.takes_anything(t)))
            && self.specials(r).is_some_and(|s| {
                let moves = if assigned { s.move_assignment } else { s.move_constructor };
                !moves.exists()
            })
    }

    /// Takes out the functions that move and are left to the compiler where what that would make is deleted: they are as if
    /// not there (C++20, 11.4.5.3p10).
    fn drop_deleted_moves(&self, entities: &mut Vec<Entity>, moves: Option<Special>) {
        if moves.is_none_or(Special::exists) {
            return;
        }
        entities.retain(|entity| match *entity {
            Entity::Fn(f) if self.decls[f].body == BodySource::Defaulted => {
                let p = self.decls[f].params.first().map(|p| self.p.types.get(p.ty));
                !matches!(p, Some(Ty::Reference { rvalue: true, .. }))
            }
            _ => true,
        });
    }

    /// Leaves the templates that may fit an object of the class itself better than a function that is none: all of them, unless
    /// such a function fits perfectly, or takes all objects, and no template takes a reference to anything that is not `const`.
    fn leave_rivals(&mut self, entities: &mut Vec<Entity>, r: RecordId, arg: Arg, provided: &[TyId]) {
        let Arg::Expr(e) = arg else { return };
        if self.p.types.as_record(self.ty(e)) != Some(r) || self.e(e).quals.has(Quals::VOLATILE) {
            return;
        }
        let (is_const, lasts) = (self.e(e).quals.is_const(), self.is_lv(e) && !self.is_xvalue(e));
        let (mut perfect, mut takes_all) = (false, false);
        let declared = entities.iter().filter_map(|entity| match *entity {
            Entity::Fn(f) => self.decls[f].params.first().map(|p| p.ty),
            _ => None,
        });
        for p in declared.chain(provided.iter().copied()) {
            if let Ty::Reference { pointee, quals, rvalue, .. } = *self.p.types.get(p)
                && self.p.types.as_record(pointee) == Some(r)
            {
                perfect |= quals.is_const() == is_const && rvalue != lasts;
                takes_all |= quals.is_const() && !rvalue;
            }
        }
        let fits = |c: &Self, entity: &Entity| matches!(*entity, Entity::Template(t) if c.takes_anything(t));
        if perfect || takes_all && !entities.iter().any(|entity| fits(self, entity)) {
            entities.retain(|entity| !matches!(entity, Entity::Template(_)));
        }
    }

    fn takes_anything(&self, t: crate::check::TemplateId) -> bool {
        match self.decls[t].pattern.first().map(|&p| self.p.types.get(p)) {
            Some(&Ty::Reference { pointee, quals, .. }) => {
                !quals.is_const() && matches!(self.p.types.get(pointee), Ty::TemplateParam(_))
            }
            _ => false,
        }
    }

    /// What the copy and move assignments take that the compiler provides.
    fn provided_assignments(&mut self, r: RecordId) -> Vec<TyId> {
        let declared = self.all_assignments(r);
        let of = self.specials(r).map(|s| (s.move_assignment, s.assigns_const));
        self.provided(r, &declared, of)
    }

    /// What the constructors take that the compiler provides for copies.
    fn provided_copiers(&mut self, r: RecordId) -> Vec<TyId> {
        let declared = self.decls[r].declared.clone();
        let of = self.specials(r).map(|s| (s.move_constructor, s.copies_const));
        self.provided(r, &declared, of)
    }

    /// Those that nobody declares. `of`: what moves, and whether `const` objects are copied.
    fn provided(&mut self, r: RecordId, declared: &[FnId], of: Option<(Special, bool)>) -> Vec<TyId> {
        let ty = self.p.types.intern(Ty::Record(r));
        let mut out = Vec::new();
        if self.declared_copy(r, declared, false).is_none() {
            let quals = if of.is_none_or(|(_, of_const)| of_const) { Quals::CONST } else { Quals::NONE };
            out.push(self.p.types.reference(ty, quals, AddrSpace::Generic, false));
        }
        if self.declared_copy(r, declared, true).is_none() && of.is_some_and(|(moves, _)| moves.exists()) {
            out.push(self.p.types.reference(ty, Quals::NONE, AddrSpace::Generic, true));
        }
        out
    }
}
