//! Side tables for entities that lie close together.

use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use std::marker::PhantomData;

/// How much wider than its keys are many a window may be: filling gaps is cheaper than hashing each key.
const MAX_GAPS: usize = 64;

/// A table from entities to what is known of them, with room for a few: a loop's values and blocks, in a function that
/// has many more. Everything else has the default.
///
/// Making one costs as much as there are keys, however far they lie apart: those of an outer loop whose inner ones were
/// unrolled are old and new ones, with those of all other loops between them.
#[derive(Clone, Debug)]
pub struct Window<K, V> {
    base: usize,
    /// What is known of `base` and those behind it; empty if they lie too far apart.
    slots: Vec<V>,
    /// What is known of others; `None` if all lie together.
    scattered: Option<FxHashMap<usize, V>>,
    keys: PhantomData<K>,
}

impl<K: EntityRef, V: Copy + Default> Window<K, V> {
    /// With room for `keys`.
    pub fn around(keys: &[K]) -> Self {
        let base = keys.iter().map(|k| k.index()).min().unwrap_or(0);
        let end = keys.iter().map(|k| k.index() + 1).max().unwrap_or(0);
        let is_wide = end - base > MAX_GAPS * keys.len();
        let (slots, scattered) = if is_wide {
            (Vec::new(), Some(FxHashMap::with_capacity_and_hasher(keys.len(), Default::default())))
        } else {
            (vec![V::default(); end - base], None)
        };
        Self { base, slots, scattered, keys: PhantomData }
    }

    /// What is known of `key`.
    #[inline]
    pub fn get(&self, key: K) -> V {
        match &self.scattered {
            None => self.slots.get(key.index().wrapping_sub(self.base)).copied().unwrap_or_default(),
            Some(map) => map.get(&key.index()).copied().unwrap_or_default(),
        }
    }

    /// Sets what is known of `key`.
    ///
    /// # Panics
    /// If it lies before the first or behind the last of the keys that the window was made around, unless those are far
    /// apart.
    #[inline]
    pub fn set(&mut self, key: K, v: V) {
        match &mut self.scattered {
            None => self.slots[key.index().wrapping_sub(self.base)] = v,
            Some(map) => {
                map.insert(key.index(), v);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;

    #[test]
    fn outside_is_the_default() {
        let v = Value::new;
        let mut w: Window<Value, u32> = Window::around(&[v(7), v(5), v(9)]);
        w.set(v(5), 50);
        w.set(v(8), 80);
        assert_eq!([4, 5, 6, 8, 9, 10, 0].map(|n| w.get(v(n))), [0, 50, 0, 80, 0, 0, 0]);
        assert_eq!(Window::<Value, u32>::around(&[]).get(v(0)), 0);
    }

    #[test]
    fn keys_that_lie_far_apart_take_no_room_between_them() {
        let v = Value::new;
        let keys = [v(3), v(4_000_000_000)];
        let mut w: Window<Value, u32> = Window::around(&keys);
        w.set(keys[1], 7);
        assert_eq!([v(3), v(4), keys[1]].map(|k| w.get(k)), [0, 0, 7]);
        assert!(w.slots.capacity() == 0 && w.scattered.as_ref().is_some_and(|m| m.len() == 1));
        w.set(keys[1], 0);
        assert_eq!(w.get(keys[1]), 0);
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn there_is_no_room_outside() {
        Window::<_, u32>::around(&[Value::new(3)]).set(Value::new(2), 1);
    }
}
