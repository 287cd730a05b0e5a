//! Interned strings.

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
/// The text lives in one growing buffer and the hash table holds no keys, so interning costs one hash, one or two
/// probes and, for a new string, one copy.
#[derive(Default, Debug)]
pub struct Interner {
    text: String,
    ends: Vec<u32>,
    /// Open addressing, linear probing, a power of two long and at most half full.
    table: Vec<Slot>,
}

/// A place of the hash table.
#[derive(Clone, Copy, Default, Debug)]
struct Slot {
    /// The upper half of the string's hash.
    hash: u32,
    /// The symbol's index and one; 0 if the place is free.
    sym: u32,
}

#[inline]
fn hash(s: &str) -> u64 {
    use std::hash::Hasher;
    let mut h = rustc_hash::FxHasher::default();
    h.write(s.as_bytes());
    h.finish()
}

impl Interner {
    /// Places of the table at first.
    const FIRST: usize = 256;

    /// The symbol of `s`, entering it if it is new.
    #[inline]
    pub fn intern(&mut self, s: &str) -> Symbol {
        let h = hash(s);
        match self.find(h, s) {
            Some(found) => found,
            None => self.enter(h, s),
        }
    }

    #[cold]
    fn enter(&mut self, h: u64, s: &str) -> Symbol {
        if (self.ends.len() + 1) * 2 > self.table.len() {
            self.grow();
        }
        let sym = Symbol(u32::try_from(self.ends.len()).unwrap_or(u32::MAX));
        self.text.push_str(s);
        self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
        self.place(h, sym);
        sym
    }

    /// Puts a symbol into the first free place for its hash.
    fn place(&mut self, h: u64, sym: Symbol) {
        let mask = self.table.len() - 1;
        let mut i = h as usize & mask;
        while self.table[i].sym != 0 {
            i = (i + 1) & mask;
        }
        self.table[i] = Slot { hash: (h >> 32) as u32, sym: sym.0 + 1 };
    }

    fn grow(&mut self) {
        self.table = vec![Slot::default(); (self.table.len() * 2).max(Self::FIRST)];
        for i in 0..self.ends.len() {
            let sym = Symbol(i as u32);
            self.place(hash(self.str(sym)), sym);
        }
    }

    /// The symbol of `s` if it has been interned.
    pub fn get(&self, s: &str) -> Option<Symbol> {
        self.find(hash(s), s)
    }

    #[inline]
    fn find(&self, h: u64, s: &str) -> Option<Symbol> {
        let mask = self.table.len().checked_sub(1)?;
        let mut i = h as usize & mask;
        loop {
            let slot = self.table[i];
            let sym = Symbol(slot.sym.checked_sub(1)?);
            if slot.hash == (h >> 32) as u32 && self.str(sym) == s {
                return Some(sym);
            }
            i = (i + 1) & mask;
        }
    }

    /// The text of a symbol of this interner.
    #[inline]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_strings_have_equal_symbols() {
        let mut i = Interner::default();
        i.intern("a");
        i.intern("b");
        assert_eq!((i.intern("b").index(), i.intern("").index(), i.intern("a").index()), (1, 2, 0));
        assert_eq!(i.get("c"), None);
        assert_eq!(Interner::default().get("a"), None);
        let many: Vec<Symbol> = (0..5000).map(|n| i.intern(&format!("x{n}"))).collect();
        for (n, &sym) in many.iter().enumerate() {
            assert_eq!((i.str(sym), i.get(&format!("x{n}"))), (format!("x{n}").as_str(), Some(sym)));
        }
        assert_eq!(i.len(), 5003);
    }
}
