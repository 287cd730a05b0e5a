//! Functions that classes declare as friends (C++17, 14.3).

use crate::check::{BodySource, Checker, Entity, FnDecl, FnId, ScopeId, with_scope};
use crate::types::{RecordId, TyId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use source::Symbol;
use syntax::ast::{self, DeclKind, DeclSpecs};

/// Functions of one name that classes declare as friends and their namespace does not.
#[derive(Debug, Default)]
pub(crate) struct HiddenFriends {
    all: Vec<Entity>,
    /// The numbers of those of each class: an operator may be a friend of thousands.
    of: FxHashMap<RecordId, SmallVec<[u32; 1]>>,
    /// Those that are no templates, by the types of their parameters.
    by_types: FxHashMap<SmallVec<[TyId; 4]>, SmallVec<[FnId; 1]>>,
}

impl HiddenFriends {
    /// The friends of some classes, in the order of their declarations.
    pub(crate) fn of_classes<'c>(&self, classes: impl Iterator<Item = &'c RecordId>) -> Vec<Entity> {
        let mut found: SmallVec<[u32; 8]> = classes.filter_map(|r| self.of.get(r)).flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|n| self.all[n as usize]).collect()
    }
}

impl Checker<'_> {
    pub(super) fn is_friend_function(&self, decl: ast::DeclId) -> bool {
        match self.ast[decl].kind {
            DeclKind::Function(_) => self.ast[decl].specs.has(DeclSpecs::FRIEND),
            DeclKind::Friend(inner) => matches!(self.ast[inner].kind, DeclKind::Function(_)),
            _ => false,
        }
    }

    /// `friend R f(…)` in the class whose scope is given, while the scope is that of the namespace around it. Where the
    /// namespace declares no such function, only arguments of the class find it (C++17, 10.3.1.2, 3).
    pub(super) fn declare_friend(&mut self, id: ast::DeclId, f: ast::FunctionId, scope: ScopeId) {
        let d = self.ast[id];
        let func = self.ast[f];
        let ns = self.scope;
        let sig = with_scope!(self, scope, self.signature(func.ty));
        let Some(sig) = sig else { return };
        let mut decl = self.make_fn(id, &d, &func, sig, None, func.host_only);
        decl.scope = scope;
        let name = decl.name;
        let has_body = !matches!(decl.body, BodySource::None);
        let of_namespace = self.decls.bound(ns, name).into_iter().find_map(|e| match e {
            Entity::Fn(o) if self.same_signature(o, &decl) => Some(o),
            _ => None,
        });
        let of_class = self.befriended(ns, &decl);
        let known = of_namespace.or(of_class).filter(|&o| !has_body || matches!(self.decls[o].body, BodySource::None));
        let fid = match known {
            Some(o) => {
                if has_body {
                    self.define_friend(o, decl);
                }
                o
            }
            None => self.push_fn(decl),
        };
        match of_namespace {
            Some(o) if o == fid => {}
            Some(_) => self.decls.bind(ns, name, Entity::Fn(fid)),
            None => self.hide_friend((ns, name), Entity::Fn(fid), scope),
        }
        if !self.decls.is_in_template(scope) && (has_body || known.is_none()) {
            self.inst.deferred_members.push(fid);
        }
    }

    /// The function with the signature of a declaration that a class declared as its friend.
    fn befriended(&self, ns: ScopeId, decl: &FnDecl) -> Option<FnId> {
        let all = self.decls.hidden_friends.get(&(ns, decl.name))?;
        let alike = all.by_types.get(&self.canonical_types(decl))?;
        alike.iter().copied().find(|&f| self.same_signature(f, decl))
    }

    /// Enters what the class of a scope declares as its friend, and its namespace does not.
    pub(in crate::check) fn hide_friend(&mut self, key: (ScopeId, Symbol), friend: Entity, scope: ScopeId) {
        let types = match friend {
            Entity::Fn(f) => Some((self.canonical_types(&self.decls[f]), f)),
            _ => None,
        };
        let class = self.record_of_scope(scope);
        let all = self.decls.hidden_friends.entry(key).or_default();
        if let Some(class) = class {
            all.of.entry(class).or_default().push(all.all.len() as u32);
        }
        if let Some((types, f)) = types {
            all.by_types.entry(types).or_default().push(f);
        }
        all.all.push(friend);
    }

    fn canonical_types(&self, decl: &FnDecl) -> SmallVec<[TyId; 4]> {
        decl.params.iter().map(|p| self.p.types.canonical(p.ty)).collect()
    }

    /// The body that a class gives to a function that was declared before.
    fn define_friend(&mut self, old: FnId, mut decl: FnDecl) {
        let o = &self.decls[old];
        for (new, old) in decl.params.iter_mut().zip(&o.params) {
            new.default = new.default.or(old.default);
        }
        decl.func = o.func;
        self.decls[old] = decl;
    }

    /// Makes a friend visible that its namespace now declares, too.
    pub(crate) fn reveal_friend(&mut self, ns: ScopeId, decl: &FnDecl) {
        if let Some(f) = self.befriended(ns, decl)
            && !self.decls.bound(ns, decl.name).contains(&Entity::Fn(f))
        {
            self.decls.bind(ns, decl.name, Entity::Fn(f));
        }
    }
}
