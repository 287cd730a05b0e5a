//! What names mean in which namespace, for those that mean one thing here and another there.
//!
//! [`super::names::Names`] knows the last declaration of a name. Where namespaces disagree (`lib::less`, a class template,
//! and `lib::ranges::less`, a class) the meaning follows the namespace that is open.

use super::names::Known;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use source::Symbol;

/// A namespace; inline ones and those without a name are the one around them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Space(u32);

impl Space {
    pub(super) const GLOBAL: Self = Self(0);
}

/// The namespaces of a program and what is declared in them.
pub(super) struct Namespaces {
    inner: FxHashMap<(Space, Symbol), Space>,
    /// The namespace around each.
    around: Vec<Space>,
    declared: FxHashMap<(Space, Symbol), Known>,
    names: FxHashMap<Symbol, Name>,
    /// The names that each declares and that were declared as different things.
    disputed: Vec<Vec<Symbol>>,
    /// What `using namespace` in each opens, with the namespace around both: the names count as that one's.
    opened: FxHashMap<Space, Vec<(Space, Space)>>,
    current: Space,
    /// The namespace that the table of names was last brought up to date for.
    settled: Space,
    /// The names whose meaning may have changed since, besides those that lie on the way from there to the current namespace.
    changed: Vec<Symbol>,
}

/// Where a name was declared, and whether as different things.
struct Name {
    first: Known,
    disputed: bool,
    spaces: SmallVec<[Space; 2]>,
}

impl Namespaces {
    pub(super) fn new() -> Self {
        Self {
            inner: FxHashMap::default(),
            around: vec![Space::GLOBAL],
            declared: FxHashMap::default(),
            names: FxHashMap::default(),
            disputed: vec![Vec::new()],
            opened: FxHashMap::default(),
            current: Space::GLOBAL,
            settled: Space::GLOBAL,
            changed: Vec::new(),
        }
    }

    pub(super) fn current(&self) -> Space {
        self.current
    }

    /// Goes into a namespace of the current one, which may be new.
    pub(super) fn enter(&mut self, name: Symbol) {
        let new = Space(self.around.len() as u32);
        let space = *self.inner.entry((self.current, name)).or_insert(new);
        if space == new {
            self.around.push(self.current);
            self.disputed.push(Vec::new());
        }
        self.current = space;
    }

    pub(super) fn leave_to(&mut self, space: Space) {
        self.current = space;
    }

    /// A declaration in the current namespace.
    pub(super) fn declare(&mut self, name: Symbol, known: Known) {
        let new = self.declared.insert((self.current, name), known).is_none();
        let fresh = || Name { first: known, disputed: false, spaces: SmallVec::new() };
        let entry = self.names.entry(name).or_insert_with(fresh);
        if new {
            entry.spaces.push(self.current);
        }
        if !entry.disputed && entry.first != known {
            entry.disputed = true;
            entry.spaces.iter().for_each(|s| self.disputed[s.0 as usize].push(name));
        } else if entry.disputed && new {
            self.disputed[self.current.0 as usize].push(name);
        }
        if known == Known::Namespace {
            // It hides nothing: what a namespace around declares is meant from the next one on.
            self.changed.push(name);
        }
    }

    /// `using namespace space;` in the current namespace (C++17, 10.3.4).
    pub(super) fn open(&mut self, space: Space) {
        let around = self.around_both(space);
        let all = self.opened.entry(self.current).or_default();
        if !all.contains(&(around, space)) {
            all.push((around, space));
            self.changed.extend_from_slice(&self.disputed[space.0 as usize]);
        }
    }

    /// The innermost namespace that contains the current one and `space`.
    fn around_both(&self, space: Space) -> Space {
        let of_space: Vec<Space> = self.outwards(space).collect();
        self.outwards(self.current).find(|s| of_space.contains(s)).unwrap_or(Space::GLOBAL)
    }

    /// `namespace name = …;` in the current namespace.
    pub(super) fn rename(&mut self, name: Symbol, space: Space) {
        self.inner.entry((self.current, name)).or_insert(space);
    }

    /// The disputed names that `using namespace space;` brings into a block here, and as what: no namespace inside of the
    /// one around both has them.
    pub(super) fn brought_by(&self, space: Space) -> Vec<(Symbol, Known)> {
        let around = self.around_both(space);
        let hidden =
            |name| self.outwards(self.current).take_while(|&s| s != around).any(|s| self.member(s, name).is_some());
        let brought = |&name: &Symbol| Some((name, self.member(space, name).filter(|_| !hidden(name))?));
        self.disputed[space.0 as usize].iter().filter_map(brought).collect()
    }

    /// The disputed names whose meaning may be another one than when this was last asked, and what they mean now: those that
    /// the namespaces between there and here declare or open.
    ///
    /// Cost: what these declare, not what the program does; headers open thousands of namespaces.
    pub(super) fn settle(&mut self) -> Vec<(Symbol, Known)> {
        let here: SmallVec<[Space; 8]> = self.outwards(self.current).collect();
        let there: SmallVec<[Space; 8]> = self.outwards(self.settled).collect();
        let shared = here.iter().rev().zip(there.iter().rev()).take_while(|(a, b)| a == b).count();
        let between = here[..here.len() - shared].iter().chain(&there[..there.len() - shared]);
        let opened = |s: &Space| self.opened.get(s).into_iter().flatten().map(|&(_, space)| space);
        let spaces = between.flat_map(|s| std::iter::once(*s).chain(opened(s)));
        let names = spaces.flat_map(|s| &self.disputed[s.0 as usize]);
        let changed = self.changed.iter().filter(|&name| self.names.get(name).is_some_and(|n| n.disputed));
        let settled = names.chain(changed).filter_map(|&n| Some((n, self.visible(self.current, n)?))).collect();
        self.changed.clear();
        self.settled = self.current;
        settled
    }

    fn visible(&self, space: Space, name: Symbol) -> Option<Known> {
        self.outwards(space).find_map(|s| self.member(s, name).or_else(|| self.member_of_opened(space, s, name)))
    }

    /// What a namespace declares that counts as `at` and is opened in `from` or around it.
    fn member_of_opened(&self, from: Space, at: Space, name: Symbol) -> Option<Known> {
        if self.opened.is_empty() {
            return None;
        }
        let all = self.outwards(from).filter_map(|s| self.opened.get(&s)).flatten();
        all.filter(|&&(around, _)| around == at).find_map(|&(_, space)| self.member(space, name))
    }

    fn outwards(&self, space: Space) -> impl Iterator<Item = Space> + '_ {
        let out = |s: &Space| (*s != Space::GLOBAL).then(|| self.around[s.0 as usize]);
        std::iter::successors(Some(space), out)
    }

    /// What a namespace itself declares under a name.
    pub(super) fn member(&self, space: Space, name: Symbol) -> Option<Known> {
        self.declared.get(&(space, name)).copied().filter(|k| *k != Known::Namespace)
    }

    /// The namespace that `path` names, from the current one or, if it begins with `::`, from the outermost.
    pub(super) fn find(&self, path: &[Symbol], global: bool) -> Option<Space> {
        let Some((&first, rest)) = path.split_first() else { return global.then_some(Space::GLOBAL) };
        let start = if global { Space::GLOBAL } else { self.current };
        let begin = self.outwards(start).find_map(|s| self.inner.get(&(s, first)).copied())?;
        rest.iter().try_fold(begin, |s, &name| self.inner.get(&(s, name)).copied())
    }
}
