//! Side tables for a few entities of many.

use cranelift_entity::EntityRef;
use std::marker::PhantomData;

/// How many neighbours get room together.
const PAGE: usize = 64;

/// A table from entities to what is known of them, with room only around those that something has been said of: a loop's
/// values, in a function that has many more loops and values. Everything else has the default.
#[derive(Clone, Debug)]
pub struct Pages<K, V> {
    pages: Vec<Option<Box<[V; PAGE]>>>,
    default: V,
    keys: PhantomData<K>,
}

impl<K: EntityRef, V: Copy + Default> Default for Pages<K, V> {
    fn default() -> Self {
        Self { pages: Vec::new(), default: V::default(), keys: PhantomData }
    }
}

impl<K: EntityRef, V: Copy + Default> Pages<K, V> {
    /// Nothing is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// What is known of `key`.
    #[inline]
    pub fn get(&self, key: K) -> V {
        match self.pages.get(key.index() / PAGE) {
            Some(Some(page)) => page[key.index() % PAGE],
            _ => self.default,
        }
    }

    /// Sets what is known of `key`.
    #[inline]
    pub fn set(&mut self, key: K, v: V) {
        let n = key.index() / PAGE;
        if n >= self.pages.len() {
            self.pages.resize_with(n + 1, || None);
        }
        let default = self.default;
        self.pages[n].get_or_insert_with(|| Box::new([default; PAGE]))[key.index() % PAGE] = v;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;

    #[test]
    fn what_was_not_set_is_the_default() {
        let v = Value::new;
        let mut w: Pages<Value, u32> = Pages::new();
        assert_eq!(w.get(v(3)), 0);
        w.set(v(5), 50);
        w.set(v(1 << 20), 80);
        let all = [4, 5, 6, 5 + PAGE, 1 << 20, (1 << 20) + 1, 1 << 21];
        assert_eq!(all.map(|n| w.get(v(n))), [0, 50, 0, 0, 80, 0, 0]);
        w.set(v(5), 0);
        assert_eq!(w.get(v(5)), 0);
    }

    /// A loop at the end of a function had tables as long as all of it.
    #[test]
    fn room_is_made_where_something_is_known() {
        let mut w: Pages<Value, u32> = Pages::new();
        w.set(Value::new(1_000_000), 1);
        assert_eq!(w.pages.iter().flatten().count(), 1);
    }
}
