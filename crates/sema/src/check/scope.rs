//! Scopes and look-up.

use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};
use source::Symbol;

use super::visible::Time;
use super::{Checker, FnId, PackId, RTy, TemplateId, VarId};
use crate::program::LocalId;
use crate::types::{NameId, Quals, RecordId, TyId};

/// Which scope.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct ScopeId(pub(crate) u32);

/// What sort of scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ScopeKind {
    Namespace,
    Record(RecordId),
    /// Binds template parameters.
    Template,
    /// What a class in a block may name of the blocks around it.
    Block,
}

/// A scope: namespaces, records, template parameters. Blocks live in the function's context, and here if classes in them need
/// them.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    pub(crate) parent: Option<ScopeId>,
    pub(crate) kind: ScopeKind,
    pub(crate) name: NameId,
    /// Namespaces whose names are visible here, each since when: `using namespace`, inline and anonymous ones.
    pub(crate) using: SmallVec<[(ScopeId, Time); 1]>,
    /// Those of them whose names are this one's own: inline and anonymous ones.
    pub(crate) inline: SmallVec<[ScopeId; 1]>,
    /// Of what binds a template's parameters: when the template was declared ([`super::visible`]).
    pub(crate) horizon: Option<Time>,
}

impl Scope {
    pub(crate) fn new(parent: Option<ScopeId>, kind: ScopeKind, name: NameId) -> Self {
        Self { parent, kind, name, using: SmallVec::new(), inline: SmallVec::new(), horizon: None }
    }
}

/// What a name stands for. A name can stand for several: an overload set, or a type hidden by a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Entity {
    Local(LocalId),
    Var(VarId),
    Fn(FnId),
    Template(TemplateId),
    Type(RTy),
    Namespace(ScopeId),
    /// An enumerator, or a template parameter bound to a value.
    Const(i64, TyId),
    Field(RecordId, u32),
    /// A pack of template arguments.
    Pack(PackId),
    /// A pack of function parameters: index into [`Checker::value_packs`].
    ValuePack(u32),
    /// A template's value parameter, while its signature's pattern is built.
    DependentConst(u32),
    /// A captured variable: field of the closure.
    Capture(u32),
    /// The name of an enumeration or class in C's tag namespace.
    Tag(TyId),
    /// A place that a structured binding or a reference names directly.
    Alias(crate::program::ExprId),
    /// A variable of the function around, where only its type may be asked.
    Outside(TyId, Quals),
}

/// A binding, in a list of the same name and scope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntityNode {
    pub(crate) entity: Entity,
    pub(crate) next: u32,
    /// When it was declared.
    pub(crate) since: Time,
}

/// The result of a look-up.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) entities: SmallVec<[Entity; 4]>,
    /// Found as a member of this class.
    pub(crate) record: Option<RecordId>,
}

impl Found {
    pub(super) fn new(entities: SmallVec<[Entity; 4]>) -> Self {
        Self { entities, record: None }
    }

    /// What two namespaces have under a name, each entity once.
    pub(super) fn joined(mut self, other: Self) -> Self {
        let new = new_among(&self.entities, other.entities);
        self.entities.extend(new);
        self
    }
}

/// Those of `more`, which has each once, that are not in `all`. Overload sets of generated code have thousands.
pub(crate) fn new_among(all: &[Entity], more: impl IntoIterator<Item = Entity>) -> Vec<Entity> {
    if all.len() <= SHORT {
        return more.into_iter().filter(|e| !all.contains(e)).collect();
    }
    let known: FxHashSet<Entity> = all.iter().copied().collect();
    more.into_iter().filter(|e| !known.contains(e)).collect()
}

/// The longest list that is looked through from its beginning to its end.
const SHORT: usize = 16;

/// How many namespaces and bases a look-up goes through, one by way of the other; also ends circles of `using namespace`.
const MAX_LOOKUP_DEPTH: u32 = 32;

impl Checker<'_> {
    /// Look-up in one scope, its bases and the namespaces visible through it.
    pub(crate) fn lookup_in(&mut self, scope: ScopeId, sym: Symbol) -> Option<Found> {
        self.lookup_before(scope, sym, Time::End, 0)
    }

    /// The same among what namespaces had declared at some time.
    pub(super) fn lookup_before(&mut self, scope: ScopeId, sym: Symbol, end: Time, depth: u32) -> Option<Found> {
        if depth > MAX_LOOKUP_DEPTH {
            return None;
        }
        match self.decls[scope].kind {
            ScopeKind::Record(r) => {
                self.complete_record(r);
                let own = self.decls.bound(scope, sym);
                if !own.is_empty() {
                    return Some(Found { entities: own, record: Some(r) });
                }
                let bases: SmallVec<[RecordId; 2]> = self.p.types.record(r).bases.iter().map(|b| b.record).collect();
                let of_base =
                    bases.into_iter().find_map(|b| self.lookup_before(self.decls[b].scope, sym, end, depth + 1));
                // A base that is a class of the host's: of that there are the constants and types that could be read.
                of_base.or_else(|| {
                    let of_hosts = self.decls[scope].using.clone();
                    of_hosts.into_iter().find_map(|(b, _)| self.lookup_before(b, sym, end, depth + 1))
                })
            }
            ScopeKind::Namespace => self.lookup_declared(scope, sym, end, depth).or_else(|| {
                let using = self.decls[scope].using.clone();
                let using = using.into_iter().filter(|&(_, since)| since <= end);
                using.filter_map(|(u, _)| self.lookup_before(u, sym, end, depth + 1)).reduce(Found::joined)
            }),
            ScopeKind::Template | ScopeKind::Block => {
                let own = self.decls.bound(scope, sym);
                (!own.is_empty()).then(|| Found::new(own))
            }
        }
    }

    /// What is declared in a namespace, and the functions that its inline namespaces have under a name that is a function's or
    /// that it does not have itself.
    pub(super) fn lookup_declared(&self, scope: ScopeId, sym: Symbol, end: Time, depth: u32) -> Option<Found> {
        if depth > MAX_LOOKUP_DEPTH {
            return None;
        }
        let own = self.decls.bound_before(scope, sym, end);
        let own = (!own.is_empty()).then(|| Found::new(own));
        let inline = &self.decls[scope].inline;
        if inline.is_empty() || own.as_ref().is_some_and(|f| !self.are_functions(f)) {
            return own;
        }
        inline.iter().fold(own, |all, &s| match (all, self.lookup_declared(s, sym, end, depth + 1)) {
            (Some(all), Some(more)) if self.are_functions(&more) => Some(all.joined(more)),
            (None, more) => more,
            (all, _) => all,
        })
    }

    pub(super) fn are_functions(&self, found: &Found) -> bool {
        found.entities.iter().all(|e| self.names_function(*e))
    }

    fn names_function(&self, e: Entity) -> bool {
        match e {
            Entity::Fn(_) => true,
            Entity::Template(t) => self.decls[t].kind == super::TemplateKind::Function,
            _ => false,
        }
    }

    /// Unqualified look-up from where the checker stands.
    pub(crate) fn lookup(&mut self, sym: Symbol) -> Option<Found> {
        if let Some(e) = self.lookup_block(sym) {
            return Some(e);
        }
        if let Some(e) = self.capture(sym) {
            return Some(Found { entities: smallvec![e], record: None });
        }
        self.lookup_outward(sym, |_, _, _| true)
    }

    /// Runs `f` in a scope in which the blocks of the function being checked are not: what a template's default, an alias or
    /// a default argument names is never a variable of whoever uses it.
    pub(crate) fn beyond_blocks<R>(&mut self, scope: ScopeId, f: impl FnOnce(&mut Self) -> R) -> R {
        let (names, closure) = (std::mem::take(&mut self.cx.names), self.cx.closure.take());
        let outer = std::mem::replace(&mut self.scope, scope);
        let r = f(self);
        self.scope = outer;
        (self.cx.names, self.cx.closure) = (names, closure);
        r
    }

    /// Whether a class is declared in a block of the function being checked: its members may name what is around it.
    pub(crate) fn in_block(&self, r: crate::types::RecordId) -> bool {
        self.cx.block_tags.iter().any(|(_, t)| self.p.types.as_record(*t) == Some(r))
    }

    /// Look-up in the blocks of the function being checked. Functions that a `using` brings there, or that one block declares,
    /// form overload sets.
    fn lookup_block(&self, sym: Symbol) -> Option<Found> {
        let mut named = self.cx.names.of(sym).filter(|(_, e)| !matches!(e, Entity::Tag(_)));
        let (mut at, first) = named.next()?;
        let mut entities = smallvec![first];
        if self.is_cxx() && self.names_function(first) {
            for (place, e) in named {
                let together = place + 1 == at || place >= self.cx.block_start;
                if !together || !self.names_function(e) {
                    break;
                }
                if !entities.contains(&e) {
                    entities.push(e);
                }
                at = place;
            }
        }
        Some(Found { entities, record: None })
    }

    /// A tag (`struct S` in C).
    pub(crate) fn lookup_tag(&mut self, sym: Symbol) -> Option<TyId> {
        let tag = |e: &Entity| match e {
            Entity::Tag(t) => Some(*t),
            Entity::Type(t) => Some(t.ty),
            _ => None,
        };
        if let Some(t) = self.cx.names.of(sym).find_map(|(_, e)| tag(&e)) {
            return Some(t);
        }
        let mut at = Some(self.scope);
        while let Some(s) = at {
            if let Some(f) = self.lookup_in(s, sym)
                && let Some(t) = f.entities.iter().find_map(tag)
            {
                return Some(t);
            }
            at = self.decls[s].parent;
        }
        None
    }

    /// A namespace, class template or class of that name outside of the blocks, behind what hides it.
    pub(crate) fn lookup_space(&mut self, sym: Symbol) -> Option<Found> {
        self.lookup_outward(sym, |c, _, f| {
            f.entities.iter().any(|e| match *e {
                Entity::Namespace(_) | Entity::Type(_) | Entity::Tag(_) => true,
                Entity::Template(t) => c.decls[t].kind != super::TemplateKind::Function,
                _ => false,
            })
        })
    }
}
