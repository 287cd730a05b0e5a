//! Side tables for entities that lie close together.

use cranelift_entity::EntityRef;
use std::marker::PhantomData;

/// A table from entities to what is known of them, with room for those between the least and the greatest of a few: a
/// loop's values and blocks, in a function that has many more. Everything else has the default.
#[derive(Clone, Debug)]
pub struct Window<K, V> {
    base: usize,
    slots: Vec<V>,
    keys: PhantomData<K>,
}

impl<K: EntityRef, V: Copy + Default> Window<K, V> {
    /// With room for `keys` and what lies between them.
    pub fn around(keys: &[K]) -> Self {
        let base = keys.iter().map(|k| k.index()).min().unwrap_or(0);
        let end = keys.iter().map(|k| k.index() + 1).max().unwrap_or(0);
        Self { base, slots: vec![V::default(); end - base], keys: PhantomData }
    }

    /// What is known of `key`.
    #[inline]
    pub fn get(&self, key: K) -> V {
        self.slots.get(key.index().wrapping_sub(self.base)).copied().unwrap_or_default()
    }

    /// Sets what is known of `key`.
    ///
    /// # Panics
    /// If there is no room for it.
    #[inline]
    pub fn set(&mut self, key: K, v: V) {
        self.slots[key.index().wrapping_sub(self.base)] = v;
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
    #[should_panic(expected = "index out of bounds")]
    fn there_is_no_room_outside() {
        Window::<_, u32>::around(&[Value::new(3)]).set(Value::new(2), 1);
    }
}
