//! Which name was meant where one is not declared.
//!
//! Substitution fails thousands of times over in headers full of templates, and whoever fails asks which name was meant
//! before it is known whether anybody will read the answer. So each name is compared once with each that is declared.

use rustc_hash::FxHashMap;
use source::Symbol;
use source::words::{Misspelt, Shape};
use std::cell::RefCell;

use super::Checker;

/// The names that scopes declare, each once.
#[derive(Default, Debug)]
pub(crate) struct DeclaredNames {
    /// In the order of their first declarations.
    names: Vec<Symbol>,
    /// Whether a symbol is among them, by its index.
    known: Vec<bool>,
    meant: RefCell<Meant>,
}

/// What was found out so far.
#[derive(Default, Debug)]
struct Meant {
    /// The shapes of the first names.
    shapes: Vec<Shape>,
    /// The nearest of the declared names to one that is not, and how many of them it was compared with.
    declared: FxHashMap<Symbol, (usize, Option<Near>)>,
    /// The nearest of the provided functions' names.
    provided: FxHashMap<Symbol, Option<(usize, String)>>,
}

/// How many mistakes a name is away.
type Near = (usize, Symbol);

impl DeclaredNames {
    /// Enters a name, if it is new.
    pub(crate) fn enter(&mut self, name: Symbol) {
        let at = name.index();
        if self.known.len() <= at {
            self.known.resize(at + 1, false);
        }
        if !std::mem::replace(&mut self.known[at], true) {
            self.names.push(name);
        }
    }
}

impl DeclaredNames {
    /// Whether something of that name is declared anywhere.
    pub(crate) fn has(&self, name: Symbol) -> bool {
        self.known.get(name.index()).is_some_and(|&known| known)
    }
}

impl Checker<'_> {
    /// The visible name nearest to a misspelt one.
    pub(crate) fn nearest(&self, wanted: Symbol) -> Option<String> {
        self.nearest_declared(wanted).map(|(_, name)| name.to_owned())
    }

    /// The declared or provided name nearest to one that was called.
    pub(crate) fn nearest_function(&self, wanted: Symbol) -> Option<String> {
        let declared = self.nearest_declared(wanted).map(|(d, name)| (d, name.to_owned()));
        declared.into_iter().chain(self.nearest_provided(wanted)).min().map(|(_, name)| name)
    }

    /// The declared name nearest to one, and how far it is; of several the first by name.
    fn nearest_declared(&self, wanted: Symbol) -> Option<(usize, &str)> {
        if self.reads_host() {
            // Nobody reads what is said there.
            return None;
        }
        let word = Misspelt::new(self.text(wanted))?;
        let near = |s: Symbol| Some((word.distance(self.text(s))?, self.text(s)));
        let locals = self.cx.names.iter().filter_map(|&(s, _)| near(s)).min();
        let all = &self.decls.declared_names;
        let mut meant = all.meant.borrow_mut();
        let Meant { shapes, declared, .. } = &mut *meant;
        let first = shapes.len();
        shapes.extend(all.names[first..].iter().map(|&s| Shape::of(self.text(s))));
        let (seen, best) = declared.entry(wanted).or_default();
        for (&s, &shape) in all.names.iter().zip(&*shapes).skip(std::mem::replace(seen, all.names.len())) {
            if word.may_be(shape)
                && let Some((d, name)) = near(s)
                && best.is_none_or(|(b, than)| (d, name) < (b, self.text(than)))
            {
                *best = Some((d, s));
            }
        }
        locals.into_iter().chain(best.map(|(d, s)| (d, self.text(s)))).min()
    }

    /// The provided function whose name is nearest to one, and how far it is.
    fn nearest_provided(&self, wanted: Symbol) -> Option<(usize, String)> {
        if self.reads_host() {
            return None;
        }
        let word = Misspelt::new(self.text(wanted))?;
        let mut meant = self.decls.declared_names.meant.borrow_mut();
        let found = meant.provided.entry(wanted).or_insert_with(|| {
            builtins::names(self.lang()).filter_map(|n| Some((word.distance(&n)?, n.into_owned()))).min()
        });
        found.clone()
    }
}
