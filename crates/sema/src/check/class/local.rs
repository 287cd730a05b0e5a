//! Classes in blocks: what their members may name of the function around them (C++17, 14.4).

use crate::check::visible::Time;
use crate::check::{Checker, Entity, ScopeId, ScopeKind};
use crate::program::ExprId;
use source::{Diagnostic, Span, Symbol};

impl Checker<'_> {
    /// A scope with the types, constants, static variables and functions that are declared in the blocks around, and what
    /// `using namespace` brings there. Members of a local class are checked when those blocks may be over.
    ///
    /// Of variables with automatic storage there are the values, if those are constants, and the types.
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
        let block = self.cx.names[from..].to_vec();
        for (sym, e) in block {
            let e = match e {
                Entity::Local(l) => Some(self.outside(l.index())),
                e => needs_no_object(e),
            };
            known.extend(e.map(|e| (sym, e)));
        }
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

impl Checker<'_> {
    /// A variable of the function around that a lambda does not capture or a member of a local class names.
    pub(in crate::check) fn variable_outside(&mut self, span: Span) -> ExprId {
        let name = self.sess.sources.snippet(span).to_owned();
        let d = Diagnostic::error("E0406", span, format!("`{name}` is a variable of the function around"))
            .note("only its type may be asked here: `sizeof`, `decltype`")
            .help("capture it, or hand it over as an argument");
        self.report(d);
        self.err(span)
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
