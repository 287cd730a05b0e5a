//! Classes in blocks: what their members may name of the function around them (C++17, 14.4).

use crate::check::visible::Time;
use crate::check::{Checker, Entity, ScopeId, ScopeKind};
use source::Symbol;

impl Checker<'_> {
    /// A scope with the types, constants, static variables and functions that are declared in the blocks around, and what
    /// `using namespace` brings there. Members of a local class are checked when those blocks may be over.
    ///
    /// Variables with automatic storage are not among them, except for their values if those are constants.
    ///
    /// Cost: what was declared since the class before in these blocks, whose scope is around the new one.
    pub(super) fn block_scope(&mut self) -> ScopeId {
        let (from, around) = self.cx.names.held().unwrap_or((0, self.scope));
        if from == self.cx.names.len() && from > 0 {
            return around;
        }
        let scope = self.decls.new_scope(around, ScopeKind::Block, self.decls[around].name);
        let mut known: Vec<(Symbol, Entity)> = Vec::new();
        let mut nominated: Vec<ScopeId> = Vec::new();
        if from == 0 {
            for outer in self.outers_in_reach().into_iter().rev() {
                known.extend(outer.names.iter().filter_map(|&(sym, e)| Some((sym, outer.without_object(e)?))));
                nominated.extend(outer.names.nominated());
            }
        }
        known.extend(self.cx.names[from..].iter().filter_map(|&(sym, e)| {
            let e = match e {
                Entity::Local(l) => Entity::Const(self.local_constant(l.index())?, self.local_type(l.index()).0),
                e => needs_no_object(e)?,
            };
            Some((sym, e))
        }));
        nominated.extend(self.cx.names.nominated_from(from));
        self.cx.names.hold(scope);
        let mut seen = rustc_hash::FxHashMap::default();
        for (place, (sym, e)) in known.iter().enumerate() {
            // The newest of a name hides the others; overloads stand together.
            let together = seen.insert(*sym, place).is_some_and(|before: usize| {
                place == before + 1 && matches!((known[before].1, e), (Entity::Fn(_), Entity::Fn(_)))
            });
            if !together {
                self.decls.unbind(scope, *sym);
            }
            self.decls.bind(scope, *sym, *e);
        }
        for namespace in nominated {
            self.decls[scope].using.push((namespace, Time::Start));
        }
        scope
    }
}

/// What can be named without an object of the function around.
pub(in crate::check) fn needs_no_object(e: Entity) -> Option<Entity> {
    let free = matches!(
        e,
        Entity::Var(_)
            | Entity::Fn(_)
            | Entity::Template(_)
            | Entity::Type(_)
            | Entity::Tag(_)
            | Entity::Namespace(_)
            | Entity::Const(..)
    );
    free.then_some(e)
}
