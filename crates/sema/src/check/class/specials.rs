//! The special member functions of a class: which it has, which are deleted, and which do nothing but what bytes do (C++20,
//! 11.4.4 to 11.4.7). What traits say of a class follows from them.
//!
//! Access is not looked at, nor whether a constructor of the host copies. Cost: a look at each class and its parts, once.

use crate::check::{BodySource, Checker, Entity, FnId};
use crate::types::{RecordId, Ty, TyId};

/// What there is of a special member function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Special {
    /// Not declared, and not to be found by overload resolution.
    Absent,
    Deleted,
    /// Deleted, and some part has one that does something: to nvcc and clang it is not trivial.
    DeletedDoes,
    Trivial,
    /// There is one, and it does something.
    Does,
}

impl Special {
    pub(crate) fn exists(self) -> bool {
        matches!(self, Self::Trivial | Self::Does)
    }

    /// What a whole has whose parts have `self` and `other`.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Trivial, Self::Trivial) => Self::Trivial,
            (Self::Trivial | Self::Does, Self::Trivial | Self::Does) => Self::Does,
            _ if self.does() || other.does() || other == Self::Absent => Self::DeletedDoes,
            _ => Self::Deleted,
        }
    }

    fn does(self) -> bool {
        matches!(self, Self::Does | Self::DeletedDoes)
    }

    fn deleted(self) -> Self {
        if self.does() { Self::DeletedDoes } else { Self::Deleted }
    }
}

/// The special member functions of a class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Specials {
    pub(crate) default_constructor: Special,
    pub(crate) copy_constructor: Special,
    pub(crate) move_constructor: Special,
    pub(crate) copy_assignment: Special,
    pub(crate) move_assignment: Special,
    pub(crate) destructor: Special,
    /// Its constructor for copies takes `const` objects, be it deleted.
    pub(crate) copies_const: bool,
    /// The same of its assignment.
    pub(super) assigns_const: bool,
    /// What moves is deleted, so that it is as if not there, and not trivial.
    hides_a_move: bool,
}

impl Specials {
    const fn all(with: Special) -> Self {
        Self {
            default_constructor: with,
            copy_constructor: with,
            move_constructor: with,
            copy_assignment: with,
            move_assignment: with,
            destructor: with,
            copies_const: true,
            assigns_const: true,
            hides_a_move: false,
        }
    }

    /// What makes an object of another one of the class, which may be taken apart if it is an rvalue that is not `const`.
    pub(crate) fn copying(&self, rvalue: bool) -> Special {
        chosen(rvalue, self.move_constructor, self.copy_constructor, self.copies_const)
    }

    /// The same for assignments.
    pub(crate) fn assigning(&self, rvalue: bool) -> Special {
        chosen(rvalue, self.move_assignment, self.copy_assignment, self.assigns_const)
    }

    /// Whether nothing that copies does more than copy bytes. That it may all be deleted is no matter to nvcc and clang.
    pub(crate) fn copies_bytes(&self) -> bool {
        let all = [self.copy_constructor, self.move_constructor, self.copy_assignment, self.move_assignment];
        !self.hides_a_move && !self.destructor.does() && !all.iter().any(|s| s.does())
    }
}

/// Of what moves and what copies the one that an object calls: an rvalue the latter if there is no other and it takes `const`.
fn chosen(rvalue: bool, moves: Special, copies: Special, of_const: bool) -> Special {
    match moves {
        Special::Absent if rvalue && !of_const => Special::Deleted,
        moves if rvalue && moves != Special::Absent => moves,
        _ => copies,
    }
}

/// A part of a class: a base, or a member.
struct Piece {
    record: Option<RecordId>,
    is_const: bool,
    is_reference: bool,
    is_rvalue_reference: bool,
    is_mutable: bool,
    has_init: bool,
}

impl Checker<'_> {
    /// The special member functions of a class, if it is one that the program declares.
    pub(crate) fn specials(&mut self, r: RecordId) -> Option<Specials> {
        self.complete_record(r);
        let info = &self.decls[r];
        if info.ast.is_none() || !info.finished || info.cuda_vec.is_some() || info.complex.is_some() {
            return None;
        }
        if let Some(&known) = self.decls.specials.get(&r) {
            return Some(known);
        }
        // A class that asks about itself finds that it copies bytes.
        self.decls.specials.insert(r, Specials::all(Special::Trivial));
        let found = self.find_specials(r);
        self.decls.specials.insert(r, found);
        Some(found)
    }

    fn find_specials(&mut self, r: RecordId) -> Specials {
        let pieces = self.pieces(r);
        let is_virtual = self.is_polymorphic(r);
        let host = self.decls[r].host;
        let all_declared = self.decls[r].declared.clone();
        let declared = self.eligible(all_declared.clone());
        let is_union = self.p.types.record(r).is_union;
        // What a defaulted function is: no more than its parts', deleted in a union where they do something.
        let whole = |parts: Special| match parts {
            Special::Does if is_union => Special::DeletedDoes,
            Special::Trivial if is_virtual => Special::Does,
            p => p,
        };
        let mut s = Specials::all(Special::Trivial);

        let virtual_end = self.has_virtual_destructor(r);
        let parts = self.of_parts(&pieces, |p| p.destructor);
        let by_default = if virtual_end { parts.and(Special::Does) } else { parts };
        let by_default = if is_union && by_default == Special::Does { Special::DeletedDoes } else { by_default };
        let own_end = self.decls[r].dtor.filter(|&f| self.decls[f].ast.is_some() || self.is_left_out(f));
        s.destructor = match own_end {
            Some(f) => self.declared_as(f, by_default),
            None if host.destructor => Special::Does,
            None => by_default,
        };
        let ends = if !s.destructor.exists() { Special::Deleted } else { Special::Trivial };

        let made = self.made_parts(r, &pieces);
        let made = whole(made.and(if parts.exists() { Special::Trivial } else { Special::Deleted }));
        let default = declared.iter().copied().find(|&f| self.decls[f].params.iter().all(|p| p.default.is_some()));
        let other = self.decls[r].has_ctor && self.decls[r].inherits.is_empty() || !all_declared.is_empty();
        s.default_constructor = match default {
            Some(f) => self.declared_as(f, made),
            None if host.constructor => Special::Does,
            None if other => Special::Absent,
            None => made,
        };

        let (copy, moved) = (self.declared_copy(r, &declared, false), self.declared_copy(r, &declared, true));
        let assignments = self.declared_assignments(r);
        let (assign, over) = (self.declared_copy(r, &assignments, false), self.declared_copy(r, &assignments, true));
        // What is declared, there or not, is not declared by the compiler.
        let [says_copy, says_move] = [false, true].map(|m| self.declared_copy(r, &all_declared, m).is_some());
        let [says_assign, says_over] = [false, true].map(|m| self.declares_assignment(r, m));
        let says_moves = says_move || says_over;
        let says_copies = says_copy || says_assign || own_end.is_some() || host.destructor || host.assigns;

        s.copies_const = self.parts_take_const(&pieces, |p| p.copies_const);
        s.assigns_const = self.parts_take_const(&pieces, |p| p.assigns_const);
        // What takes `const` objects where a part's does not is deleted, if it is left out (C++20, 9.5.2p2).
        let left_out = |c: &Self, f: FnId, parts: bool, by_default: Special| {
            let made = c.declared_as(f, by_default);
            if !parts && c.takes_const(f) && c.is_left_out(f) { made.deleted() } else { made }
        };

        let bound = pieces.iter().any(|p| p.is_rvalue_reference);
        let bound = if bound { Special::Deleted } else { Special::Trivial };
        let by_default = whole(self.of_parts(&pieces, |p| p.copy_constructor).and(ends).and(bound));
        s.copy_constructor = match copy {
            Some(f) => left_out(self, f, s.copies_const, by_default),
            None if says_moves || says_copy => Special::Deleted,
            None => by_default,
        };
        let by_default = whole(self.of_constness(&pieces, Specials::copying).and(ends));
        s.move_constructor = self.move_of(moved, by_default, says_copies || says_moves);
        s.hides_a_move =
            s.move_constructor == Special::Absent && by_default == Special::DeletedDoes && !(says_copies || says_over);

        let fixed = match pieces.iter().find(|p| p.is_const && p.record.is_some()) {
            Some(_) => Special::DeletedDoes,
            None if pieces.iter().any(|p| p.is_const || p.is_reference) => Special::Deleted,
            None => Special::Trivial,
        };
        let by_default = whole(self.of_parts(&pieces, |p| p.copy_assignment).and(fixed));
        s.copy_assignment = match assign {
            Some(f) => left_out(self, f, s.assigns_const, by_default),
            None if says_moves || says_assign => Special::Deleted,
            None if host.assigns => Special::Does,
            None => by_default,
        };
        let by_default = whole(self.of_constness(&pieces, Specials::assigning).and(fixed));
        s.move_assignment = self.move_of(over, by_default, says_copies || says_moves);
        s.hides_a_move |=
            s.move_assignment == Special::Absent && by_default == Special::DeletedDoes && !(says_copies || says_move);
        s.copies_const = self.any_takes_const(r, &declared).unwrap_or(s.copies_const);
        s.assigns_const = self.any_takes_const(r, &assignments).unwrap_or(s.assigns_const);
        s
    }

    /// Whether one of the functions that copy takes `const` objects, if there are some.
    fn any_takes_const(&self, r: RecordId, functions: &[FnId]) -> Option<bool> {
        let copies = functions.iter().filter(|&&f| self.declared_copy(r, &[f], false).is_some());
        let taken: Vec<bool> = copies.map(|&f| self.takes_const(f)).collect();
        (!taken.is_empty()).then(|| taken.contains(&true))
    }

    fn pieces(&mut self, r: RecordId) -> Vec<Piece> {
        let rec = self.p.types.record(r);
        let inits = &self.decls[r].inits;
        let mut out: Vec<Piece> = rec
            .bases
            .iter()
            .map(|b| Piece {
                record: Some(b.record),
                is_const: false,
                is_reference: false,
                is_rvalue_reference: false,
                is_mutable: false,
                has_init: false,
            })
            .collect();
        for (i, f) in rec.fields.iter().enumerate() {
            if f.name.is_none() && f.bits.is_some() {
                continue;
            }
            let reference = match *self.p.types.get(f.ty) {
                Ty::Reference { rvalue, .. } => Some(rvalue),
                _ => None,
            };
            out.push(Piece {
                record: self.array_record(f.ty),
                is_const: f.quals.is_const(),
                is_reference: reference.is_some(),
                is_rvalue_reference: reference == Some(true),
                is_mutable: f.mutable,
                has_init: inits.get(i).is_some_and(Option::is_some),
            });
        }
        out
    }

    /// What all parts have of one function.
    fn of_parts(&mut self, pieces: &[Piece], which: impl Fn(&Specials) -> Special) -> Special {
        let mut all = Special::Trivial;
        for p in pieces {
            if let Some(s) = p.record.and_then(|r| self.part_specials(r)) {
                all = all.and(which(&s));
            }
        }
        all
    }

    /// The same for what moves parts that are not `const`.
    fn of_constness(&mut self, pieces: &[Piece], which: impl Fn(&Specials, bool) -> Special) -> Special {
        let mut all = Special::Trivial;
        for p in pieces {
            if let Some(s) = p.record.and_then(|r| self.part_specials(r)) {
                all = all.and(which(&s, !p.is_const));
            }
        }
        all
    }

    /// Whether what copies all parts takes `const` ones.
    fn parts_take_const(&mut self, pieces: &[Piece], which: impl Fn(&Specials) -> bool) -> bool {
        pieces.iter().all(|p| p.record.and_then(|r| self.part_specials(r)).is_none_or(|s| which(&s)))
    }

    /// Whether a function that copies takes `const` objects.
    fn takes_const(&self, f: FnId) -> bool {
        match self.decls[f].params.first().map(|p| self.p.types.get(p.ty)) {
            Some(Ty::Reference { quals, .. }) => quals.is_const(),
            _ => true,
        }
    }

    /// The functions of a part, of whatever kind.
    fn part_specials(&mut self, r: RecordId) -> Option<Specials> {
        if let Some(s) = self.specials(r) {
            return Some(s);
        }
        let rest = if self.p.types.record(r).trivial { Special::Trivial } else { Special::Does };
        let default_constructor = if self.has_nontrivial_default(r) { Special::Does } else { Special::Trivial };
        Some(Specials { default_constructor, ..Specials::all(rest) })
    }

    /// What a default constructor that is left to the compiler is.
    fn made_parts(&mut self, r: RecordId, pieces: &[Piece]) -> Special {
        let is_union = self.p.types.record(r).is_union;
        let mut all = Special::Trivial;
        for p in pieces {
            if p.has_init {
                all = all.and(Special::Does);
                continue;
            }
            if is_union && pieces.iter().any(|p| p.has_init) {
                continue;
            }
            let part = p.record.and_then(|r| self.part_specials(r));
            let makes = match (part.map_or(Special::Trivial, |s| s.default_constructor), p.record) {
                // One that a template gives, perhaps.
                (Special::Absent, Some(m)) if m != r && self.default_constructor(m).is_some() => Special::Does,
                (makes, _) => makes,
            };
            let unset = match p.record {
                // A `const` object needs a constructor that the program wrote.
                Some(m) => p.is_const && !self.sets_itself(m),
                None => p.is_const,
            };
            all = all.and(if p.is_reference || unset { Special::Deleted } else { makes });
        }
        all
    }

    /// Whether an object of the class may be `const` without a value: its constructor is the program's, or it has no part
    /// that would be left without one.
    fn sets_itself(&mut self, r: RecordId) -> bool {
        let declared = self.decls[r].declared.clone();
        let default = declared.into_iter().find(|&f| self.decls[f].params.iter().all(|p| p.default.is_some()));
        if default.is_some_and(|f| !matches!(self.decls[f].body, BodySource::Defaulted | BodySource::Deleted)) {
            return true;
        }
        let pieces = self.pieces(r);
        pieces.iter().all(|p| p.has_init || p.is_mutable || p.record.is_some_and(|m| m != r && self.sets_itself(m)))
    }

    /// Whether the program left a function it declares to the compiler.
    fn is_left_out(&self, f: FnId) -> bool {
        self.decls[f].body == BodySource::Defaulted
    }

    /// What a function is that the program declares, and that would be `by_default` if it left it to the compiler.
    fn declared_as(&self, f: FnId, by_default: Special) -> Special {
        match self.decls[f].body {
            BodySource::Defaulted => by_default,
            BodySource::Deleted => by_default.deleted(),
            _ => Special::Does,
        }
    }

    /// A function that moves: not there if nobody declares it where copying or destroying is declared, or if what the compiler
    /// would make of it is deleted.
    fn move_of(&self, declared: Option<FnId>, by_default: Special, suppressed: bool) -> Special {
        let made = if by_default.exists() { by_default } else { Special::Absent };
        match declared {
            Some(f) if self.is_left_out(f) => made,
            Some(f) => self.declared_as(f, by_default),
            None if suppressed => Special::Absent,
            None => made,
        }
    }

    /// The function that the program declares for copying, or moving, objects of the class: the one for objects that are not
    /// `const`, of several that move.
    pub(crate) fn declared_copy(&self, r: RecordId, functions: &[FnId], moves: bool) -> Option<FnId> {
        let takes = |f: FnId| {
            let d = &self.decls[f];
            let alone = d.params.iter().skip(1).all(|p| p.default.is_some());
            let first = d.params.first().filter(|_| alone)?.ty;
            let (of, rvalue) = match *self.p.types.get(first) {
                Ty::Reference { pointee, rvalue, .. } => (pointee, rvalue),
                _ => (first, false),
            };
            (self.p.types.as_record(of) == Some(r)).then_some(rvalue)
        };
        let mut fitting = functions.iter().copied().filter(|&f| takes(f) == Some(moves));
        let first = fitting.next()?;
        match moves && self.takes_const(first) {
            true => fitting.find(|&f| !self.takes_const(f)).or(Some(first)),
            false => Some(first),
        }
    }

    /// Whether a constructor of the class takes `const` objects by what else moves them (`T(const T &&)`).
    pub(crate) fn moves_const(&self, r: RecordId) -> bool {
        let declared = &self.decls[r].declared;
        declared.iter().any(|&f| self.takes_const(f) && self.declared_copy(r, &[f], true).is_some())
    }

    /// The assignments of a class that are there.
    pub(crate) fn declared_assignments(&mut self, r: RecordId) -> Vec<FnId> {
        let all = self.all_assignments(r);
        self.eligible(all)
    }

    /// All that it declares, there or not.
    pub(super) fn all_assignments(&self, r: RecordId) -> Vec<FnId> {
        let Some(sym) = self.sess.strings.get("operator=") else { return Vec::new() };
        let bound = self.decls.bound(self.decls[r].scope, sym);
        bound.iter().filter_map(|e| if let Entity::Fn(f) = e { Some(*f) } else { None }).collect()
    }

    /// Whether a class declares an assignment that copies, or moves, its objects.
    fn declares_assignment(&self, r: RecordId, moves: bool) -> bool {
        self.declared_copy(r, &self.all_assignments(r), moves).is_some()
    }

    /// The functions of the class of a type, or of an array's elements.
    pub(crate) fn specials_of(&mut self, ty: TyId) -> Option<Specials> {
        self.array_record(ty).and_then(|r| self.part_specials(r))
    }

    /// Whether objects have the layout that the same would have in C (C++20, 11.2p3).
    pub(crate) fn has_standard_layout(&mut self, r: RecordId) -> bool {
        self.complete_record(r);
        if self.is_polymorphic(r) || self.decls[r].mixes_access {
            return false;
        }
        let rec = self.p.types.record(r);
        let mut with_data = usize::from(!rec.fields.is_empty());
        let bases: Vec<RecordId> = rec.bases.iter().map(|b| b.record).collect();
        let fields: Vec<TyId> = rec.fields.iter().map(|f| f.ty).collect();
        let empties = rec.empties.clone();
        for b in bases {
            with_data += usize::from(self.has_data(b));
            // The first member is no base's class: it would have to lie elsewhere.
            let first = fields.first().and_then(|&t| self.array_record(t));
            if !self.has_standard_layout(b)
                || first == Some(b)
                || first.is_some() && empties.iter().any(|e| e.0 == b && e.1 > 0)
            {
                return false;
            }
        }
        let plain = |c: &mut Self, t: TyId| match *c.p.types.get(t) {
            Ty::Reference { .. } => false,
            _ => c.array_record(t).is_none_or(|m| c.has_standard_layout(m)),
        };
        with_data <= 1 && fields.into_iter().all(|t| plain(self, t))
    }

    fn has_data(&self, r: RecordId) -> bool {
        let rec = self.p.types.record(r);
        !rec.fields.is_empty() || rec.bases.iter().any(|b| self.has_data(b.record))
    }
}
