//! Interned strings.

use rustc_hash::FxHashMap;

/// An interned string: equal symbols of one [`Interner`] are equal strings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(u32);

impl Symbol {
    /// The symbol with the given index; the inverse of [`Symbol::index`].
    pub const fn from_index(index: u32) -> Self {
        Self(index)
    }

    /// The symbol's index, dense from 0 in order of first interning.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Strings stored once each, named by [`Symbol`]s.
///
/// The text lives in one growing buffer, so interning costs one hash and, for a new string, one copy.
#[derive(Default, Debug)]
pub struct Interner {
    text: String,
    ends: Vec<u32>,
    map: FxHashMap<u64, Bucket>,
}

/// Symbols whose strings share a hash; nearly always one.
#[derive(Debug)]
enum Bucket {
    One(Symbol),
    Many(Vec<Symbol>),
}

fn hash(s: &str) -> u64 {
    use std::hash::Hasher;
    let mut h = rustc_hash::FxHasher::default();
    h.write(s.as_bytes());
    h.finish()
}

impl Interner {
    /// An interner whose first symbols are `words`, in order: `words[i]` gets index `i`.
    pub fn with_words(words: &[&str]) -> Self {
        let mut this = Self::default();
        this.map.reserve(words.len() * 2);
        for w in words {
            this.intern(w);
        }
        this
    }

    /// The symbol of `s`, entering it if it is new.
    pub fn intern(&mut self, s: &str) -> Symbol {
        let h = hash(s);
        if let Some(found) = self.find(h, s) {
            return found;
        }
        let sym = Symbol(u32::try_from(self.ends.len()).unwrap_or(u32::MAX));
        self.text.push_str(s);
        self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
        match self.map.entry(h) {
            std::collections::hash_map::Entry::Vacant(e) => {
                e.insert(Bucket::One(sym));
            }
            std::collections::hash_map::Entry::Occupied(mut e) => match e.get_mut() {
                Bucket::One(first) => *e.get_mut() = Bucket::Many(vec![*first, sym]),
                Bucket::Many(all) => all.push(sym),
            },
        }
        sym
    }

    /// The symbol of `s` if it has been interned.
    pub fn get(&self, s: &str) -> Option<Symbol> {
        self.find(hash(s), s)
    }

    fn find(&self, h: u64, s: &str) -> Option<Symbol> {
        match self.map.get(&h)? {
            Bucket::One(sym) => (self.str(*sym) == s).then_some(*sym),
            Bucket::Many(all) => all.iter().copied().find(|&sym| self.str(sym) == s),
        }
    }

    /// The text of a symbol of this interner.
    pub fn str(&self, sym: Symbol) -> &str {
        let i = sym.index();
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        &self.text[start..self.ends[i] as usize]
    }

    /// Number of distinct strings.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether nothing was interned yet.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}
