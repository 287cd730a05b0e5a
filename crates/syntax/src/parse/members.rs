//! What members of classes mean where they are defined outside of them: `R C<T>::f(value_type const &x) { … }`.

use super::Parser;
use super::names::Known;
use super::namespaces::Space;
use crate::ast::{NameId, NameSegment, SegmentKind};
use rustc_hash::FxHashMap;
use source::Symbol;

/// The types and templates that classes declare, with the namespace that the class is in. Specialisations are the class.
#[derive(Default)]
pub(super) struct Members {
    of: FxHashMap<Symbol, Vec<(Space, Symbol, Known)>>,
}

/// Members that are remembered of the classes of one name: who has more is asked for them elsewhere.
const MOST: usize = 4096;

impl Parser<'_> {
    /// Remembers what the class whose scope is open declares, if a parser has to know it.
    pub(super) fn remember_members(&mut self, class: Symbol) {
        let space = self.names.spaces.current();
        let list = self.members.of.entry(class).or_default();
        let room = MOST.saturating_sub(list.len());
        let told = self.names.declared_here().filter(|&(sym, known)| sym != class && self.names.is_telling(sym, known));
        list.extend(told.take(room).map(|(sym, known)| (space, sym, known)));
    }

    /// Opens a scope with the members of the class that a declarator's name begins with; false if there is nothing to open.
    pub(super) fn enter_class_of(&mut self, name: NameId) -> bool {
        let n = self.ast[name];
        let Some((class, path)) = self.ast.list(n.qualifier).split_last() else { return false };
        let symbol = |s: &NameSegment| match s.kind {
            SegmentKind::Ident(sym) => Some(sym),
            _ => None,
        };
        let Some(all) = symbol(class).and_then(|class| self.members.of.get(&class)) else { return false };
        let path: smallvec::SmallVec<[Symbol; 4]> = path.iter().filter_map(symbol).collect();
        let spaces = &self.names.spaces;
        let space = if path.is_empty() && !n.global { Some(spaces.current()) } else { spaces.find(&path, n.global) };
        // The class of another one is found by its name alone.
        let here = space.filter(|s| all.iter().any(|(of, ..)| of == s));
        self.names.push_scope();
        for &(of, sym, known) in all {
            if here.is_none_or(|s| s == of) {
                self.names.declare_parameter(sym, known);
            }
        }
        true
    }
}
