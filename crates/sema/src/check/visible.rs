//! What was declared where a text stands: look-up in two phases (C++17, 17.6.3 and 17.6.4).
//!
//! Bodies and templates are read after the whole file, when there may be more of a name than there was where they stand. What a
//! name in them means that does not depend on template arguments is among what was declared before: a function that comes later
//! is no overload, and a class that comes later hides none around its namespace. Only look-up by the types of arguments
//! (`call/associated.rs`) finds later functions.
//!
//! What `using namespace` brings is found, by a name that stands alone, as if it were declared in the innermost namespace around
//! both the directive and what it nominates: beside what is declared there, and behind what is declared further inside.
//!
//! Declarations outside of functions and classes are numbered as they come in the file. If nothing of a name was declared before,
//! what comes later is taken: the headers that stand in for NVIDIA's come where they are first needed.

use super::{Checker, Found, ScopeId, ScopeKind};
use smallvec::SmallVec;
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
    /// In the order of the file. The parser numbers what is inside of a declaration before that itself, except for the bodies of
    /// functions.
    seen: Vec<ast::DeclId>,
}

impl Clock {
    /// The declaration being read, or the last one.
    pub(crate) fn now(&self) -> Time {
        self.seen.last().map_or(Time::Start, |&d| Time::In(d))
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

    /// When the declaration `d` stood in the file.
    pub(crate) fn time_of(&self, d: ast::DeclId) -> Time {
        let seen = &self.decls.clock.seen;
        let i = seen.partition_point(|s| *s < d);
        let in_body_before = i.checked_sub(1).filter(|&before| match self.ast[seen[before]].kind {
            DeclKind::Function(f) => d < self.ast[f].end,
            _ => false,
        });
        seen.get(in_body_before.unwrap_or(i)).map_or(Time::End, |&s| Time::In(s))
    }

    /// By when a name must have been declared that is used where the checker stands.
    pub(super) fn horizon(&self) -> Time {
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

    /// Runs `f` on what a declaration in a scope leaves for later, where it is used: default arguments, initialisers of members.
    /// They name what was declared where they stand.
    pub(crate) fn as_declared<R>(
        &mut self,
        scope: ScopeId,
        decl: Option<ast::DeclId>,
        f: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let written = decl.map(|d| (scope, self.time_of(d)));
        let here = std::mem::replace(&mut self.cx.horizon, written);
        let r = f(self);
        self.cx.horizon = here;
        r
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
        let mut brought = self.brought_by_blocks();
        while let Some(s) = at {
            end = end.or_else(|| self.horizon_of(s));
            match self.decls[s].kind {
                ScopeKind::Namespace => self.bring(s, s, Time::Start, &mut brought),
                ScopeKind::Block => self.bring(self.decls.namespace_of(s), s, Time::Start, &mut brought),
                ScopeKind::Record(_) | ScopeKind::Template => {}
            }
            if let Some(f) = self.lookup_with(s, sym, &brought, Time::End).filter(|f| fits(self, s, f)) {
                let before = match end {
                    Some(end) if self.decls[s].kind == ScopeKind::Namespace => self.lookup_with(s, sym, &brought, end),
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

    /// Look-up in one scope on the way outward: in a namespace also among what directives bring there. Functions of both are one
    /// set of overloads; anything else of the namespace's own hides what is brought.
    fn lookup_with(&mut self, scope: ScopeId, sym: Symbol, brought: &[Brought], end: Time) -> Option<Found> {
        if self.decls[scope].kind != ScopeKind::Namespace {
            return self.lookup_before(scope, sym, end, 0);
        }
        let own = self.decls.bound_before(scope, sym, end);
        let own = (!own.is_empty()).then(|| Found::new(own));
        if own.as_ref().is_some_and(|f| !self.are_functions(f)) {
            return own;
        }
        let here = brought.iter().filter(|b| b.place == scope && b.since <= end);
        here.fold(own, |all, b| {
            let more = self.decls.bound_before(b.namespace, sym, end);
            let more = (!more.is_empty()).then(|| Found::new(more));
            match (all, more) {
                (Some(all), Some(more)) if !self.are_functions(&all) || self.are_functions(&more) => {
                    Some(all.joined(more))
                }
                (None, more) => more,
                (all, _) => all,
            }
        })
    }

    /// What the directives in the blocks around bring, those around a lambda, too.
    fn brought_by_blocks(&self) -> SmallVec<[Brought; 4]> {
        let mut brought = SmallVec::new();
        let from = self.decls.namespace_of(self.scope);
        let around = self.outers_in_reach();
        for names in std::iter::once(&self.cx.names).chain(around.iter().map(|outer| &outer.names)) {
            for namespace in names.nominated() {
                self.nominate(from, namespace, Time::Start, &mut brought);
            }
        }
        brought
    }

    /// What the directives in a namespace bring to one that stands in `from`, and since when at the earliest.
    fn bring(&self, from: ScopeId, namespace: ScopeId, since: Time, brought: &mut SmallVec<[Brought; 4]>) {
        for &(n, at) in &self.decls[namespace].using {
            self.nominate(from, n, since.max(at), brought);
        }
    }

    /// The names of a namespace, and of those it nominates itself, are visible as if declared in the innermost namespace around
    /// both it and the directive (C++17, 10.3.4).
    fn nominate(&self, from: ScopeId, namespace: ScopeId, since: Time, brought: &mut SmallVec<[Brought; 4]>) {
        let around = |s: ScopeId| std::iter::successors(Some(s), |&s| self.decls[s].parent);
        let Some(place) = around(from).find(|&s| around(namespace).any(|n| n == s)) else { return };
        if let Some(known) = brought.iter_mut().find(|b| (b.namespace, b.place) == (namespace, place)) {
            if known.since > since {
                known.since = since;
                self.bring(from, namespace, since, brought);
            }
            return;
        }
        brought.push(Brought { namespace, place, since });
        self.bring(from, namespace, since, brought);
    }
}

/// A namespace whose names are visible by a directive.
#[derive(Clone, Copy, Debug)]
struct Brought {
    namespace: ScopeId,
    /// As if they were declared here.
    place: ScopeId,
    /// Since when.
    since: Time,
}
