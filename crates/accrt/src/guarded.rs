//! Memory of this machine as a device with memory apart: each allocation between guard pages, filled with a pattern until it is written,
//! gone when freed.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// What unwritten memory holds.
const POISON: u8 = 0xcb;

/// Allocations by their first byte: bytes asked for, and the whole mapping.
static ALLOCATIONS: Mutex<BTreeMap<usize, (usize, usize, usize)>> = Mutex::new(BTreeMap::new());

/// Allocates; null if there is no memory.
pub(crate) fn allocate(bytes: usize) -> usize {
    // SAFETY: a plain question.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) }.max(4096) as usize;
    let Some(inner) = bytes.max(1).checked_next_multiple_of(page) else { return 0 };
    let Some(whole) = inner.checked_add(2 * page) else { return 0 };
    // SAFETY: an anonymous mapping at an address of the system's choice.
    let at = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            whole,
            libc::PROT_NONE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    if at == libc::MAP_FAILED {
        return 0;
    }
    let at = at as usize;
    // SAFETY: within the mapping just made.
    if unsafe { libc::mprotect((at + page) as *mut _, inner, libc::PROT_READ | libc::PROT_WRITE) } != 0 {
        // SAFETY: the mapping just made.
        unsafe { libc::munmap(at as *mut _, whole) };
        return 0;
    }
    crate::stray::watch();
    // The end of what was asked for lies at the guard, as near as alignment lets it.
    let start = at + page + (inner - bytes) / 64 * 64;
    // SAFETY: `bytes` from `start` end within the pages that can be written.
    unsafe { std::ptr::write_bytes(start as *mut u8, POISON, bytes) };
    ALLOCATIONS.lock().unwrap_or_else(PoisonError::into_inner).insert(start, (bytes, at, whole));
    start
}

/// Bytes that are allocated.
pub(crate) fn in_use() -> usize {
    ALLOCATIONS.lock().unwrap_or_else(PoisonError::into_inner).values().map(|(n, ..)| n).sum()
}

/// Frees what [`allocate`] gave; false if it was nothing of that kind.
pub(crate) fn free(start: usize) -> bool {
    let Some((_, at, whole)) = ALLOCATIONS.lock().unwrap_or_else(PoisonError::into_inner).remove(&start) else {
        return false;
    };
    // SAFETY: a mapping of ours that nobody uses any more.
    unsafe { libc::munmap(at as *mut _, whole) };
    true
}

/// Whether an address is in (or just behind) an allocation of the device.
pub(crate) fn is_device(address: usize) -> bool {
    let all = ALLOCATIONS.lock().unwrap_or_else(PoisonError::into_inner);
    all.range(..=address).next_back().is_some_and(|(&s, &(n, ..))| address <= s + n)
}

/// The allocation whose guards, or whose memory, have an address: its first byte and how many there are. Nothing if another thread
/// is changing the list.
pub(crate) fn beside(address: usize) -> Option<(usize, usize)> {
    let all = ALLOCATIONS.try_lock().ok()?;
    let has = |&(_, at, whole): &(usize, usize, usize)| (at..at + whole).contains(&address);
    all.iter().find(|(_, a)| has(a)).map(|(&start, a)| (start, a.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_poisoned_and_known_until_freed() {
        let a = allocate(100);
        assert!(a != 0 && is_device(a + 99) && a.is_multiple_of(64));
        // SAFETY: allocated above.
        assert_eq!(unsafe { *(a as *const u8) }, POISON);
        assert!(free(a) && !is_device(a) && !free(a));
    }
}
