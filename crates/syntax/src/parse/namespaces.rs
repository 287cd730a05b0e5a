//! What names mean in which namespace, for those that mean one thing here and another there.
//!
//! [`super::names::Names`] knows the last declaration of a name. Where namespaces disagree (`lib::less`, a class template,
//! and `lib::ranges::less`, a class) the meaning follows the namespace that is open.

use super::names::Known;
use rustc_hash::FxHashMap;
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
    /// What a name was first declared as, and whether it has been something else since.
    first: FxHashMap<Symbol, (Known, bool)>,
    /// The names that were declared as different things.
    disputed: Vec<Symbol>,
    /// What `using namespace` in each opens, with the namespace around both: the names count as that one's.
    opened: FxHashMap<Space, Vec<(Space, Space)>>,
    current: Space,
}

impl Namespaces {
    pub(super) fn new() -> Self {
        Self {
            inner: FxHashMap::default(),
            around: vec![Space::GLOBAL],
            declared: FxHashMap::default(),
            first: FxHashMap::default(),
            disputed: Vec::new(),
            opened: FxHashMap::default(),
            current: Space::GLOBAL,
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
        }
        self.current = space;
    }

    pub(super) fn leave_to(&mut self, space: Space) {
        self.current = space;
    }

    /// A declaration in the current namespace.
    pub(super) fn declare(&mut self, name: Symbol, known: Known) {
        self.declared.insert((self.current, name), known);
        let (first, disputed) = self.first.entry(name).or_insert((known, false));
        if *first != known && !std::mem::replace(disputed, true) {
            self.disputed.push(name);
        }
    }

    /// `using namespace space;` in the current namespace (C++17, 10.3.4).
    pub(super) fn open(&mut self, space: Space) {
        let around = self.around_both(space);
        let all = self.opened.entry(self.current).or_default();
        if !all.contains(&(around, space)) {
            all.push((around, space));
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
        self.disputed.iter().filter_map(brought).collect()
    }

    /// The disputed names that the current namespace or one around it declares, or one that these open, and as what.
    pub(super) fn settled(&self) -> Vec<(Symbol, Known)> {
        self.disputed.iter().filter_map(|&name| Some((name, self.visible(self.current, name)?))).collect()
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
