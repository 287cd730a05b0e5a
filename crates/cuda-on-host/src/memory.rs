//! Memory of the GPU: between guard pages, filled with a pattern until it is written, gone when freed.

use launch::buffer::Buffer;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// What unwritten memory holds.
const POISON: u8 = 0xcb;

static ALLOCATIONS: Mutex<BTreeMap<usize, Buffer>> = Mutex::new(BTreeMap::new());

/// Allocates.
pub(crate) fn allocate(bytes: usize) -> Option<usize> {
    let at = allocate_managed(bytes)?;
    // SAFETY: just allocated.
    unsafe { std::ptr::write_bytes(at as *mut u8, POISON, bytes) };
    Some(at)
}

/// Allocates what the host may use, too: zeros.
pub(crate) fn allocate_managed(bytes: usize) -> Option<usize> {
    let mut buffer = Buffer::guarded(bytes as u64).ok()?;
    let at = buffer.as_mut_ptr() as usize;
    ALLOCATIONS.lock().unwrap_or_else(PoisonError::into_inner).insert(at, buffer);
    Some(at)
}

/// Page-locked memory of the host's.
static LOCKED: Mutex<BTreeMap<usize, Buffer>> = Mutex::new(BTreeMap::new());

/// Allocates page-locked memory.
pub(crate) fn lock(bytes: usize) -> Option<usize> {
    let mut buffer = Buffer::guarded(bytes as u64).ok()?;
    let at = buffer.as_mut_ptr() as usize;
    LOCKED.lock().unwrap_or_else(PoisonError::into_inner).insert(at, buffer);
    Some(at)
}

/// Whether an address is in page-locked memory.
pub(crate) fn is_locked(at: usize) -> bool {
    let all = LOCKED.lock().unwrap_or_else(PoisonError::into_inner);
    all.range(..=at).next_back().is_some_and(|(&s, b)| at < s + b.len())
}

/// Frees; false if there is no such allocation.
pub(crate) fn free(at: usize) -> bool {
    ALLOCATIONS.lock().unwrap_or_else(PoisonError::into_inner).remove(&at).is_some()
}

/// Variables of modules: where, and how many bytes.
static VARIABLES: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());

/// Says where a module's variable lies, which stays.
pub(crate) fn add_variable(at: usize, bytes: usize) {
    VARIABLES.lock().unwrap_or_else(PoisonError::into_inner).insert(at, bytes);
}

/// Whether so many bytes lie in one allocation or variable.
pub(crate) fn has(at: usize, bytes: usize) -> bool {
    let variables = VARIABLES.lock().unwrap_or_else(PoisonError::into_inner);
    let variable = variables.range(..=at).next_back();
    if variable.is_some_and(|(&s, size)| at.checked_add(bytes).is_some_and(|end| end <= s + size)) {
        return true;
    }
    drop(variables);
    let all = ALLOCATIONS.lock().unwrap_or_else(PoisonError::into_inner);
    let found = all.range(..=at).next_back();
    found.is_some_and(|(&s, b)| at.checked_add(bytes).is_some_and(|end| end <= s + b.len()))
}
