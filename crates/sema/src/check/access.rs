//! Access to members, where it decides: what is substituted or required has none that are private (C++20, 13.10.3.1, 8).
//! Elsewhere it is not looked at; programs are taken that name what they may not.

use super::{Checker, FnId, Found, ScopeId, ScopeKind};
use crate::types::RecordId;
use source::Symbol;
use syntax::ast::{self, AccessSpec, DeclKind, DeclSpecs};

impl Checker<'_> {
    /// Does something in which an inaccessible member is a missing one, or in which it is not.
    pub(crate) fn substituting<R>(&mut self, yes: bool, f: impl FnOnce(&mut Self) -> R) -> R {
        let saved = std::mem::replace(&mut self.inst.substituting, yes);
        let r = f(self);
        self.inst.substituting = saved;
        r
    }

    /// Look-up of a member or a name in a namespace, where it is written after that: a member that may not be named is none.
    pub(crate) fn lookup_after(&mut self, scope: ScopeId, sym: Symbol) -> Option<Found> {
        let found = self.lookup_qualified(scope, sym)?;
        // `::sin` is what CUDA has outside of all namespaces, not what a directive brings there (C++17, 6.4.3.2).
        let outside = self.is_cuda() && self.decls[scope].parent.is_none() && self.decls.bound(scope, sym).is_empty();
        if outside && self.is_provided_function(sym) {
            return None;
        }
        let hidden = found.record.is_some_and(|owner| self.is_hidden(owner, sym));
        (!hidden).then_some(found)
    }

    /// Whether a member of a class must not be named here, so that there is none of that name.
    pub(crate) fn is_hidden(&mut self, owner: RecordId, sym: Symbol) -> bool {
        self.inst.substituting
            && match self.declared_access(owner, sym) {
                AccessSpec::Public => false,
                AccessSpec::Protected => !self.is_inside(owner, true),
                AccessSpec::Private => !self.is_inside(owner, false),
            }
    }

    /// The access that all declarations of a member have; that of the public ones if there are any. Who has friends is open:
    /// which functions those are is not known everywhere.
    fn declared_access(&self, owner: RecordId, sym: Symbol) -> AccessSpec {
        let mut found = AccessSpec::Public;
        for (now, member) in self.members_of(owner) {
            let d = self.ast[member];
            match d.kind {
                DeclKind::Friend(_) | DeclKind::FriendType(_) => return AccessSpec::Public,
                _ if d.specs.has(DeclSpecs::FRIEND) => return AccessSpec::Public,
                _ if self.decl_symbol(&d) != Some(sym) => {}
                _ if now == AccessSpec::Public => return AccessSpec::Public,
                _ => found = now,
            }
        }
        found
    }

    /// Whether a member function must not be used here, where that decides.
    pub(crate) fn is_hidden_function(&mut self, f: FnId) -> bool {
        let (Some(owner), Some(decl)) = (self.decls[f].record, self.decls[f].ast) else { return false };
        if !self.inst.substituting || self.has_friends(owner) {
            return false;
        }
        match self.access_of(owner, decl) {
            AccessSpec::Public => false,
            access => !self.is_inside(owner, access == AccessSpec::Protected),
        }
    }

    /// What a class says of one of its members' declarations.
    fn access_of(&self, owner: RecordId, decl: ast::DeclId) -> AccessSpec {
        // What is defined outside of the class is not among them.
        self.members_of(owner).find(|&(_, m)| m == decl).map_or(AccessSpec::Public, |(access, _)| access)
    }

    /// The members of a class that its body declares, out of views and heads of templates, with their access.
    fn members_of(&self, owner: RecordId) -> impl Iterator<Item = (AccessSpec, ast::DeclId)> {
        let ast = self.ast;
        let record = self.decls[owner].ast.and_then(|d| match ast[d].kind {
            DeclKind::Record(r) => Some(ast[r]),
            _ => None,
        });
        let is_class = record.is_some_and(|r| r.tag == ast::TagKind::Class);
        let mut now = if is_class { AccessSpec::Private } else { AccessSpec::Public };
        record.into_iter().flat_map(move |r| ast.list(r.members)).filter_map(move |&m| {
            let mut at = m;
            while let DeclKind::HostView(inner) | DeclKind::DeviceView(inner) | DeclKind::Template { decl: inner, .. } =
                ast[at].kind
            {
                at = inner;
            }
            if let DeclKind::Access(a) = ast[at].kind {
                now = a;
                return None;
            }
            Some((now, at))
        })
    }

    /// Where the part of a class lies that is its base `b`, for a conversion to that: not where only its members may know of it.
    pub(crate) fn reachable_base(&mut self, d: RecordId, b: RecordId) -> Option<u32> {
        let offset = self.base_offset(d, b)?;
        (!self.inst.substituting || self.reaches(d, b)).then_some(offset)
    }

    /// Whether the conversion of a class to a base may be made here. As for members, who has friends is open.
    fn reaches(&mut self, d: RecordId, b: RecordId) -> bool {
        let bases = self.p.types.record(d).bases.clone();
        bases.iter().any(|base| {
            let may = match base.access {
                AccessSpec::Public => true,
                access => self.is_inside(d, access == AccessSpec::Protected) || self.has_friends(d),
            };
            may && (base.record == b || self.reaches(base.record, b))
        })
    }

    /// Whether what is looked at may stand in a friend of a class, of which nothing is known but that there are some.
    fn has_friends(&self, r: RecordId) -> bool {
        let ast = self.ast;
        let mut around = std::iter::successors(Some(self.scope), |&s| self.decls[s].parent);
        let in_class = around.any(|s| matches!(self.decls[s].kind, ScopeKind::Record(_)));
        let Some(DeclKind::Record(of)) = self.decls[r].ast.map(|d| ast[d].kind) else { return true };
        ast.list(ast[of].members).iter().any(|&m| {
            let mut d = ast[m];
            while let DeclKind::Friend(inner) | DeclKind::Template { decl: inner, .. } = d.kind {
                d = ast[inner];
            }
            match d.kind {
                DeclKind::FriendType(_) => in_class,
                // Those that are defined in the class are looked up in it.
                DeclKind::Function(f) => d.specs.has(DeclSpecs::FRIEND) && !matches!(ast[f].body, ast::Body::Stmt(_)),
                _ => d.specs.has(DeclSpecs::FRIEND) && in_class,
            }
        })
    }

    /// Whether names are looked up in a class, in one inside of it, or in one that is derived from it.
    fn is_inside(&mut self, owner: RecordId, derived_too: bool) -> bool {
        let mut at = Some(self.scope);
        while let Some(s) = at {
            if let ScopeKind::Record(r) = self.decls[s].kind
                && (r == owner || derived_too && self.base_offset(r, owner).is_some())
            {
                return true;
            }
            at = self.decls[s].parent;
        }
        false
    }
}
