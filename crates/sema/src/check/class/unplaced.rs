//! Classes with parts that only the host has: a base or a field of a class that could not be read. How large such a part is
//! is not known, so neither is the size of the class, nor where what lies behind the part does. The rest may be used.

use source::Span;
use syntax::ast;

use crate::check::{BodySource, Checker};
use crate::types::{NameKind, RecordId};

impl Checker<'_> {
    /// Behind the fields that a class has so far something stands whose size is not known.
    pub(super) fn unplaced_from_here(&mut self, r: RecordId, there: Span) {
        let before = self.p.types.record(r).fields.len() as u32;
        self.decls[r].unplaced.get_or_insert((before, there));
    }

    /// Whether objects of a class can only be made where all of it is known.
    pub(super) fn objects_are_hosts(&self, r: RecordId) -> bool {
        self.decls[r].unplaced.is_some() && !self.reads_host()
    }

    /// What the compiler provides to make and end objects of a class that is not known as a whole is the host's.
    pub(super) fn leave_objects_to_host(&mut self, r: RecordId) {
        if !self.objects_are_hosts(r) {
            return;
        }
        let provided = self.decls[r].ctors.clone().into_iter().chain(self.decls[r].dtor);
        for f in provided {
            if self.decls[f].body == BodySource::Defaulted {
                self.decls[f].body = BodySource::Host;
            }
        }
    }

    /// Where the class that a base names is declared, or named, if only the host has it: nothing here says how large it is.
    pub(super) fn base_of_host(&self, ty: ast::TypeId) -> Option<Span> {
        let ast::TypeKind::Name(name) = self.ast[ty].kind else { return None };
        if self.reads_host() || !self.is_cuda() {
            return None;
        }
        if self.is_of_std(name) {
            return Some(self.ast[name].span);
        }
        self.last_symbol(name).and_then(|sym| self.decls.host_names.place(sym))
    }

    /// The same of a class that was announced.
    pub(in crate::check) fn record_of_host(&self, class: RecordId) -> Option<Span> {
        match self.p.types.name(self.p.types.record(class).name).kind {
            NameKind::Type(sym) if !self.reads_host() => self.decls.host_names.place(sym),
            _ => None,
        }
    }

    /// Where a header's class is defined that was not understood.
    pub(super) fn held_class(&self, class: RecordId) -> Option<Span> {
        (!self.reads_host() && self.is_held(class)).then(|| self.p.types.record(class).span)
    }
}
