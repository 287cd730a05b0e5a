//! Private memory and partial results of launches where memory is shared, and what [`acc_malloc`](crate::shared) gives there: pages
//! of our own, which are kept for the next one, so that the program's heap is what it would be without directives, and launches
//! wait neither for an allocator nor for the system's pages.

use crate::pages;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Bytes before each block: its size, and what aligns it.
const HEADER: usize = 64;
/// Least bytes of a block.
const LEAST: usize = 1 << 14;
/// Most bytes that are kept.
const MAX_KEPT: usize = 256 << 20;

#[derive(Default)]
struct Kept {
    /// Addresses by size.
    free: BTreeMap<usize, Vec<usize>>,
    bytes: usize,
}

static KEPT: Mutex<Kept> = Mutex::new(Kept { free: BTreeMap::new(), bytes: 0 });

/// Bytes of the block for so many: eight sizes between powers of two, so that blocks for nearly the same can be used again.
fn block_size(bytes: usize) -> Option<usize> {
    let wanted = bytes.checked_add(HEADER)?.max(LEAST);
    let step = (1usize << wanted.ilog2()) / 8;
    wanted.checked_next_multiple_of(step.max(4096))
}

/// Allocates; 0 if there is no memory.
pub(crate) fn take(bytes: usize) -> usize {
    let Some(size) = block_size(bytes) else { return 0 };
    {
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = kept.free.get_mut(&size).and_then(Vec::pop) {
            kept.bytes -= size;
            return at + HEADER;
        }
    }
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: fresh pages, wherever the kernel wants them.
    let at = unsafe { libc::mmap(std::ptr::null_mut(), size, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
    if at == libc::MAP_FAILED {
        return 0;
    }
    pages::advise(at as usize, size);
    // SAFETY: just mapped, and aligned to pages.
    unsafe { at.cast::<usize>().write(size) };
    at as usize + HEADER
}

/// Frees what [`take`] gave.
///
/// # Safety
/// It did, and nobody uses it any more.
pub(crate) unsafe fn give(at: usize) {
    let start = at - HEADER;
    // SAFETY: written by `take`.
    let size = unsafe { (start as *const usize).read() };
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.bytes + size <= MAX_KEPT {
        kept.bytes += size;
        return kept.free.entry(size).or_default().push(start);
    }
    drop(kept);
    // SAFETY: a mapping of `take`, of this size.
    unsafe { libc::munmap(start as *mut _, size) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_used_again_and_large_ones_go_back() {
        let a = take(100_000);
        // SAFETY: so many bytes, of `take`, and freed once.
        unsafe {
            (a as *mut u8).add(99_999).write(1);
            give(a);
            assert_eq!(take(99_000), a);
            give(a);
            let large = take(MAX_KEPT);
            (large as *mut u8).add(MAX_KEPT - 1).write(1);
            give(large);
        }
        assert_eq!(take(usize::MAX - 1), 0);
    }
}
