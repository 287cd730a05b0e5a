//! What was declared where a text stands: look-up in two phases (C++17, 17.6.3 and 17.6.4).
//!
//! Bodies and templates are read after the whole file, when there may be more of a name than there was where they stand. What a
//! name in them means that does not depend on template arguments is among what was declared before: a function that comes later
//! is no overload, and a class that comes later hides none around its namespace. Only look-up by the types of arguments
//! (`call/associated.rs`) finds later functions.
//!
//! Declarations outside of functions and classes are numbered as they come in the file. If nothing of a name was declared before,
//! what comes later is taken: the headers that stand in for NVIDIA's come where they are first needed.

use super::{Checker, Found, ScopeId, ScopeKind};
use source::Symbol;
use syntax::ast::{self, DeclKind};

/// When something was declared: which of the declarations outside of functions, classes and templates it is, or is inside of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Time {
    /// Before the first declaration.
    Start,
    In(ast::DeclId),
    /// After everything.
    End,
}

/// The declarations seen so far.
#[derive(Default, Debug)]
pub(crate) struct Clock {
    /// In the order of the file. The parser numbers what is inside of a declaration before that itself.
    seen: Vec<ast::DeclId>,
}

impl Clock {
    /// The declaration being read, or the last one.
    pub(crate) fn now(&self) -> Time {
        self.seen.last().map_or(Time::Start, |&d| Time::In(d))
    }

    /// When the declaration `d` stood in the file.
    pub(crate) fn time_of(&self, d: ast::DeclId) -> Time {
        let i = self.seen.partition_point(|s| *s < d);
        self.seen.get(i).map_or(Time::End, |&s| Time::In(s))
    }
}

impl Checker<'_> {
    /// A declaration outside of functions is about to be read.
    pub(crate) fn next_declaration(&mut self, id: ast::DeclId) {
        let around = matches!(
            self.ast[id].kind,
            DeclKind::Namespace { .. } | DeclKind::Linkage { .. } | DeclKind::HostView(_) | DeclKind::HostScope { .. }
        );
        let outermost = self.decls[self.scope].kind == ScopeKind::Namespace;
        let seen = &mut self.decls.clock.seen;
        if !around && outermost && seen.last().is_none_or(|s| *s < id) {
            seen.push(id);
        }
    }

    /// By when a name must have been declared that is used where the checker stands.
    fn horizon(&self) -> Time {
        let mut at = Some(self.scope);
        while let Some(s) = at {
            if let Some(end) = self.horizon_of(s) {
                return end;
            }
            at = self.decls[s].parent;
        }
        Time::End
    }

    fn horizon_of(&self, s: ScopeId) -> Option<Time> {
        let body = self.cx.horizon.filter(|(scope, _)| *scope == s).map(|(_, end)| end);
        body.or(self.decls[s].horizon)
    }

    /// Look-up in a scope that is named.
    pub(crate) fn lookup_qualified(&mut self, scope: ScopeId, sym: Symbol) -> Option<Found> {
        let end = if self.decls[scope].kind == ScopeKind::Namespace { self.horizon() } else { Time::End };
        let before = if end == Time::End { None } else { self.lookup_before(scope, sym, end, 0) };
        before.or_else(|| self.lookup_in(scope, sym))
    }

    /// Look-up from scope to scope outward, for what `fits`, which is given the scope it was found in.
    pub(crate) fn lookup_outward(
        &mut self,
        sym: Symbol,
        mut fits: impl FnMut(&Self, ScopeId, &Found) -> bool,
    ) -> Option<Found> {
        let mut at = Some(self.scope);
        let mut end = None;
        let mut later: Option<Found> = None;
        while let Some(s) = at {
            end = end.or_else(|| self.horizon_of(s));
            if let Some(f) = self.lookup_in(s, sym).filter(|f| fits(self, s, f)) {
                let before = match end {
                    Some(end) if self.decls[s].kind == ScopeKind::Namespace => self.lookup_before(s, sym, end, 0),
                    _ => return Some(f),
                };
                match before.filter(|f| fits(self, s, f)) {
                    Some(f) => return Some(f),
                    None => later = later.or(Some(f)),
                }
            }
            at = self.decls[s].parent;
        }
        later.filter(|_| !self.is_provided_function(sym))
    }
}
