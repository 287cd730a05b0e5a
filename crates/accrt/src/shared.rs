//! Memory of `acc_malloc` where the device's memory is the host's: [kept blocks](crate::scratch), since programs allocate and free
//! in each step, and fresh pages cost more than the kernels that fill them.

use crate::scratch;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes that were asked for, by the first byte's address.
static ALLOCATIONS: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());

fn allocations() -> MutexGuard<'static, BTreeMap<usize, usize>> {
    ALLOCATIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Allocates; null if there is no memory.
pub(crate) fn allocate(bytes: usize) -> usize {
    let start = scratch::take(bytes);
    if start != 0 {
        allocations().insert(start, bytes);
    }
    start
}

/// Bytes that are allocated.
pub(crate) fn in_use() -> usize {
    allocations().values().sum()
}

/// Frees what [`allocate`] gave; false if it was nothing of that kind.
pub(crate) fn free(start: usize) -> bool {
    let was = allocations().remove(&start).is_some();
    if was {
        // SAFETY: a block that was in the list, and is no longer: freed once.
        unsafe { scratch::give(start) };
    }
    was
}

/// Whether an address is in (or just behind) an allocation.
pub(crate) fn is_device(address: usize) -> bool {
    allocations().range(..=address).next_back().is_some_and(|(&start, &bytes)| address <= start + bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_known_until_freed_and_comes_back() {
        let a = allocate(70_001);
        assert!(a != 0 && is_device(a + 70_001) && a.is_multiple_of(64) && in_use() >= 70_001);
        // SAFETY: so many bytes were allocated.
        unsafe { (a as *mut u8).add(70_000).write(1) };
        assert!(free(a) && !is_device(a) && !free(a), "freed once");
        // Nobody else asks for so much here: what was freed is what comes back, pages and all.
        let large = allocate(3_000_000);
        assert!(free(large));
        assert_eq!(allocate(2_999_000), large);
        assert!(free(large));
        assert_eq!(allocate(usize::MAX - 100), 0);
    }
}
