//! Which bytes of memory objects somebody has written since they were made. Only known while launches are checked.
//!
//! Commands say what they write where they do it ([`transfer`](crate::core::memory::transfer)), so that it is known in the
//! order in which they run. Mapping for writing writes the region. Memory that the program can write without a command,
//! its own and shared virtual memory, counts as written.

use super::is_on;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Stores of more bytes are not watched: they count as written.
const MAX_WATCHED: usize = 1 << 30;

/// For each store that is watched, by its address, its bytes: 1 where nobody has written.
static STORES: Mutex<BTreeMap<usize, Vec<u8>>> = Mutex::new(BTreeMap::new());

fn stores() -> MutexGuard<'static, BTreeMap<usize, Vec<u8>>> {
    STORES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The watched bytes of a region that lies in one store.
fn region(stores: &mut BTreeMap<usize, Vec<u8>>, start: usize, size: usize) -> Option<&mut [u8]> {
    let (&first, bytes) = stores.range_mut(..=start).next_back()?;
    let offset = start - first;
    bytes.get_mut(offset..offset.checked_add(size)?)
}

/// A store was made.
pub fn watch(start: *const u8, size: usize) {
    if is_on() && size <= MAX_WATCHED {
        stores().insert(start as usize, vec![1; size]);
    }
}

/// A store is gone.
pub fn forget(start: *const u8) {
    if is_on() {
        stores().remove(&(start as usize));
    }
}

/// Bytes were written.
pub fn wrote(start: *const u8, size: usize) {
    if is_on()
        && let Some(bytes) = region(&mut stores(), start as usize, size)
    {
        bytes.fill(0);
    }
}

/// Bytes were copied.
pub fn copied(from: *const u8, to: *const u8, size: usize) {
    if !is_on() {
        return;
    }
    let mut stores = stores();
    let source = region(&mut stores, from as usize, size).map(|bytes| bytes.to_vec());
    if let Some(target) = region(&mut stores, to as usize, size) {
        match source {
            Some(source) => target.copy_from_slice(&source),
            None => target.fill(0),
        }
    }
}

/// Of each byte of a region whether nobody has written it (1); `None` if that is not known.
pub(super) fn unwritten(start: usize, size: usize) -> Option<Vec<u8>> {
    region(&mut stores(), start, size).map(|bytes| bytes.to_vec())
}

/// A launch has left a region so; `before` is what it was then.
pub(super) fn update(start: usize, before: &[u8], after: &[u8]) {
    if let Some(bytes) = region(&mut stores(), start, before.len().min(after.len())) {
        for run in differences(before, after) {
            bytes[run.clone()].copy_from_slice(&after[run]);
        }
    }
}

/// Bytes that are mostly the same are compared so many at a time.
const BLOCK: usize = 1 << 12;

/// The longest runs of bytes that differ, within blocks; of what both lists have.
pub(super) fn differences<'a>(before: &'a [u8], after: &'a [u8]) -> impl Iterator<Item = Range<usize>> + 'a {
    let blocks = before.chunks(BLOCK).zip(after.chunks(BLOCK)).enumerate();
    blocks.filter(|(_, (a, b))| a[..] != b[..]).flat_map(|(n, (a, b))| {
        let len = a.len().min(b.len());
        let mut at = 0;
        std::iter::from_fn(move || {
            let first = (at..len).find(|&k| a[k] != b[k])?;
            at = (first..len).find(|&k| a[k] == b[k]).unwrap_or(len);
            Some(n * BLOCK + first..n * BLOCK + at)
        })
    })
}
