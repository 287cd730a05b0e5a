//! What members of classes mean where they are defined outside of them: `R C<T>::f(value_type const &x) { … }`.

use super::Parser;
use super::names::Known;
use super::namespaces::Space;
use crate::ast::{NameId, NameKind, NameSegment, SegmentKind, TypeId, TypeKind};
use rustc_hash::FxHashMap;
use source::Symbol;

/// The types and templates that classes declare, with the namespace that the class is in. Specialisations are the class.
#[derive(Default)]
pub(super) struct Members {
    of: FxHashMap<Symbol, Vec<(Space, Symbol, Known)>>,
    /// What the classes of one name declare a member as, if they agree.
    one: FxHashMap<(Symbol, Symbol), Option<Known>>,
}

/// Members that are remembered of the classes of one name: who has more is asked for them elsewhere.
const MOST: usize = 4096;

fn named(segment: &NameSegment) -> Option<Symbol> {
    match segment.kind {
        SegmentKind::Ident(sym) => Some(sym),
        _ => None,
    }
}

/// Members that a class has from each base: each of a long line of classes would have those of all before it.
const MOST_INHERITED: usize = 256;

impl Members {
    fn add(&mut self, class: Symbol, space: Space, member: Symbol, known: Known) {
        let list = self.of.entry(class).or_default();
        if list.len() < MOST {
            list.push((space, member, known));
            let one = self.one.entry((class, member)).or_insert(Some(known));
            *one = one.filter(|&k| k == known);
        }
    }

    /// What a member of the classes of one name is, if all of those that say so declare a type or a class template.
    pub(super) fn type_of(&self, class: Symbol, member: Symbol) -> Option<Known> {
        self.one.get(&(class, member)).copied().flatten().filter(|k| k.is_type())
    }
}

impl Parser<'_> {
    /// Remembers what the class whose scope is open declares, if a parser has to know it.
    pub(super) fn remember_members(&mut self, class: Symbol) {
        let space = self.names.spaces.current();
        let told = self.names.declared_here().filter(|&(sym, known)| sym != class && self.names.is_telling(sym, known));
        told.for_each(|(sym, known)| self.members.add(class, space, sym, known));
    }

    /// Opens a scope with the members of the class that a declarator's name begins with; false if there is nothing to open.
    pub(super) fn enter_class_of(&mut self, name: NameId) -> bool {
        let n = self.ast[name];
        let Some((class, path)) = self.ast.list(n.qualifier).split_last() else { return false };
        let Some(class) = named(class) else { return false };
        let told = self.members_told(class, path, n.global);
        if told.is_empty() {
            return false;
        }
        self.names.push_scope();
        self.declare_members(&told);
        true
    }

    /// Brings what a base declares, or has from its own bases, into the scope of a class, which is open. A template's base that
    /// depends on its parameters is not looked into, as the language has it.
    pub(super) fn declare_base_members(&mut self, base: TypeId) {
        let TypeKind::Name(name) = self.ast[base].kind else { return };
        let n = self.ast[name];
        let NameKind::Ident(class) = n.kind else { return };
        if n.args.is_some() && self.classes.iter().any(|c| !c.heads.is_empty()) {
            return;
        }
        let told = self.members_told(class, self.ast.list(n.qualifier), n.global);
        // The nearest come last.
        self.declare_members(&told[told.len().saturating_sub(MOST_INHERITED)..]);
    }

    fn declare_members(&mut self, told: &[(Symbol, Known)]) {
        told.iter().for_each(|&(sym, known)| self.names.declare_parameter(sym, known));
    }

    /// What is remembered of the class `class` of the namespace that `path` names.
    fn members_told(&self, class: Symbol, path: &[NameSegment], global: bool) -> Vec<(Symbol, Known)> {
        let Some(all) = self.members.of.get(&class) else { return Vec::new() };
        let path: smallvec::SmallVec<[Symbol; 4]> = path.iter().filter_map(named).collect();
        let spaces = &self.names.spaces;
        let space = if path.is_empty() && !global { Some(spaces.current()) } else { spaces.find(&path, global) };
        // The class of another one is found by its name alone.
        let here = space.filter(|s| all.iter().any(|(of, ..)| of == s));
        all.iter().filter(|(of, ..)| here.is_none_or(|s| s == *of)).map(|&(_, sym, known)| (sym, known)).collect()
    }
}
