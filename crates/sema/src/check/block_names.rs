//! What is named in the blocks of the function being checked, in the order of the declarations.

use rustc_hash::FxHashMap;
use source::Symbol;
use std::ops::Deref;

use super::{Entity, ScopeId};

/// No earlier one of the same name.
const NONE: u32 = u32::MAX;

/// A stack of names with what they stand for: blocks push, and truncate when they end. The newest of a name is found without
/// a walk over the others.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockNames {
    all: Vec<(Symbol, Entity)>,
    /// For each, the place of the one before it of the same name, or [`NONE`].
    earlier: Vec<u32>,
    /// Where the newest of a name is; what lies behind the stack's end is gone.
    newest: FxHashMap<Symbol, u32>,
    /// What `using namespace` names in these blocks, and where in the stack that stands.
    directives: Vec<(usize, ScopeId)>,
    /// Scopes that hold what the first so many stand for, for classes in these blocks.
    scopes: Vec<(usize, ScopeId)>,
}

impl BlockNames {
    /// Declares a name.
    pub(crate) fn push(&mut self, (sym, entity): (Symbol, Entity)) {
        // The parser bounds what a source has by far less.
        let at = u32::try_from(self.all.len()).unwrap_or(NONE);
        self.earlier.push(self.newest.insert(sym, at).unwrap_or(NONE));
        self.all.push((sym, entity));
    }

    /// `using namespace` until the block ends. `directive` is the symbol of these words, which no name has.
    pub(crate) fn nominate(&mut self, directive: Symbol, namespace: ScopeId) {
        self.directives.push((self.all.len(), namespace));
        self.push((directive, Entity::Namespace(namespace)));
    }

    /// The namespaces that `using namespace` names in the blocks around.
    pub(crate) fn nominated(&self) -> impl Iterator<Item = ScopeId> + '_ {
        self.directives.iter().map(|&(_, namespace)| namespace)
    }

    /// What `using namespace` names behind the first `from` declarations.
    pub(crate) fn nominated_from(&self, from: usize) -> impl Iterator<Item = ScopeId> + '_ {
        let first = self.directives.partition_point(|&(at, _)| at < from);
        self.directives[first..].iter().map(|&(_, namespace)| namespace)
    }

    /// Notes a scope that holds all that is declared so far.
    pub(crate) fn hold(&mut self, scope: ScopeId) {
        self.scopes.push((self.all.len(), scope));
    }

    /// How many of the first declarations a scope holds, and which.
    pub(crate) fn held(&self) -> Option<(usize, ScopeId)> {
        self.scopes.last().copied()
    }

    /// Takes the newest declaration away.
    pub(crate) fn pop(&mut self) -> Option<(Symbol, Entity)> {
        let last = self.all.pop()?;
        self.directives.pop_if(|&mut (at, _)| at == self.all.len());
        while self.scopes.pop_if(|&mut (held, _)| held > self.all.len()).is_some() {}
        match self.earlier.pop() {
            Some(at) if at != NONE => self.newest.insert(last.0, at),
            _ => self.newest.remove(&last.0),
        };
        Some(last)
    }

    /// Takes away what was declared when there were more than `len`.
    pub(crate) fn truncate(&mut self, len: usize) {
        while self.all.len() > len {
            self.pop();
        }
    }

    /// What a name stands for, the newest declaration first, each with its place in the stack.
    pub(crate) fn of(&self, sym: Symbol) -> impl Iterator<Item = (usize, Entity)> + '_ {
        let mut at = self.newest.get(&sym).copied().unwrap_or(NONE);
        std::iter::from_fn(move || {
            let place = at as usize;
            let (_, entity) = self.all.get(place)?;
            at = self.earlier[place];
            Some((place, *entity))
        })
    }
}

impl Deref for BlockNames {
    type Target = [(Symbol, Entity)];

    fn deref(&self) -> &Self::Target {
        &self.all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_of_a_name_hides_the_others_until_its_block_ends() {
        let (a, b) = (Symbol::from_index(1), Symbol::from_index(2));
        let mut names = BlockNames::default();
        let places = |names: &BlockNames, sym| names.of(sym).map(|(at, _)| at).collect::<Vec<_>>();
        for (sym, field) in [(a, 0), (b, 1), (a, 2), (a, 3)] {
            names.push((sym, Entity::Capture(field)));
        }
        assert_eq!(places(&names, a), [3, 2, 0]);
        assert_eq!(names.of(a).next(), Some((3, Entity::Capture(3))));
        names.truncate(2);
        assert_eq!((places(&names, a), places(&names, b)), (vec![0], vec![1]));
        assert_eq!(names.pop(), Some((b, Entity::Capture(1))));
        assert!(places(&names, b).is_empty());
    }

    #[test]
    fn a_directive_ends_with_its_block() {
        let (using, a) = (Symbol::from_index(1), Symbol::from_index(2));
        let mut names = BlockNames::default();
        let nominated = |names: &BlockNames| names.nominated().collect::<Vec<_>>();
        names.nominate(using, ScopeId(7));
        let inner = names.len();
        names.push((a, Entity::Capture(0)));
        names.nominate(using, ScopeId(8));
        assert_eq!(nominated(&names), [ScopeId(7), ScopeId(8)]);
        names.truncate(inner);
        assert_eq!(nominated(&names), [ScopeId(7)]);
        names.truncate(0);
        assert!(nominated(&names).is_empty());
    }

    #[test]
    fn a_scope_is_held_as_long_as_all_that_it_holds() {
        let a = Symbol::from_index(1);
        let mut names = BlockNames::default();
        names.push((a, Entity::Capture(0)));
        names.hold(ScopeId(7));
        names.push((a, Entity::Capture(1)));
        names.hold(ScopeId(8));
        names.push((a, Entity::Capture(2)));
        assert_eq!(names.held(), Some((2, ScopeId(8))));
        names.truncate(2);
        assert_eq!(names.held(), Some((2, ScopeId(8))));
        names.truncate(1);
        assert_eq!(names.held(), Some((1, ScopeId(7))));
        names.truncate(0);
        assert_eq!(names.held(), None);
    }
}
