//! The store behind memory objects.

use crate::status::{Result, Status};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::{NonNull, null_mut};

/// Alignment in bytes of every store, and of every sub-buffer within its buffer: `CL_DEVICE_MEM_BASE_ADDR_ALIGN` in bits is
/// eight times this. It is the size of the largest type, `long16`.
pub const BASE_ALIGN: usize = 128;

/// A huge page. From this size on, a store is pages of its own, which the system zeroes when they are first touched: in huge
/// pages, which takes a seventh of the time that small ones do.
const MAPPED: usize = 2 << 20;

/// Stores up to this size have all of their pages from the beginning. A store under a mask without any lane fails on a page
/// that is not there yet, and processors take hundreds of cycles to find that nobody wanted it, each time: a kernel that
/// writes little of a large buffer takes fifteen times as long. Larger ones may be meant never to be used whole.
const PRESENT: usize = 256 << 20;

/// Memory of our own; zero at first.
pub struct Allocation {
    start: NonNull<u8>,
    size: usize,
    align: usize,
}

// SAFETY: it is bytes; who accesses them when is the business of the commands that do.
unsafe impl Send for Allocation {}
// SAFETY: likewise.
unsafe impl Sync for Allocation {}

impl Allocation {
    /// So many bytes, at least one, at a multiple of `align`, a power of two of at most a page, and of [`BASE_ALIGN`].
    ///
    /// # Errors
    /// `CL_MEM_OBJECT_ALLOCATION_FAILURE`.
    pub fn new(size: usize, align: usize) -> Result<Self> {
        let align = align.max(BASE_ALIGN);
        let start = if size >= MAPPED {
            map_pages(size)
        } else {
            let layout = Layout::from_size_align(size.max(1), align).map_err(|_| FAILURE)?;
            // SAFETY: the size is not zero.
            unsafe { alloc_zeroed(layout) }
        };
        let start = NonNull::new(start).ok_or(FAILURE)?;
        if size <= PRESENT {
            for at in (0..size).step_by(SMALLEST_PAGE) {
                // SAFETY: within the bytes, which are nobody else's yet.
                unsafe { start.add(at).write_volatile(0) }
            }
        }
        Ok(Self { start, size, align })
    }

    /// Where it begins.
    pub fn start(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// How many bytes it has.
    pub fn size(&self) -> usize {
        self.size
    }
}

/// The smallest page of the systems that this runs on.
const SMALLEST_PAGE: usize = 4096;

/// What sizes of mappings are rounded to: no page of the systems that this runs on is larger.
const PAGE: usize = 64 << 10;

const FAILURE: Status = Status::MEM_OBJECT_ALLOCATION_FAILURE;

/// Fresh pages at a multiple of [`MAPPED`]; null if there are none.
fn map_pages(size: usize) -> *mut u8 {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    let Some(used) = size.checked_next_multiple_of(PAGE) else { return null_mut() };
    let Some(room) = used.checked_add(MAPPED) else { return null_mut() };
    // SAFETY: a mapping at an address of the system's choice touches nothing that is there.
    let low = unsafe { libc::mmap(null_mut(), room, access, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0) };
    if low == libc::MAP_FAILED {
        return null_mut();
    }
    let head = (low as usize).next_multiple_of(MAPPED) - low as usize;
    let start = low.wrapping_byte_add(head);
    // SAFETY: the parts of the new mapping before and behind what is used of it; advice changes no contents.
    unsafe {
        if head > 0 {
            libc::munmap(low, head);
        }
        if head < MAPPED {
            libc::munmap(start.wrapping_byte_add(used), MAPPED - head);
        }
        libc::madvise(start, used, libc::MADV_HUGEPAGE);
    }
    start.cast()
}

impl Drop for Allocation {
    fn drop(&mut self) {
        // SAFETY: the same size and alignment as it was made with, and by the same means.
        unsafe {
            if self.size >= MAPPED {
                libc::munmap(self.start().cast(), self.size.next_multiple_of(PAGE));
            } else {
                dealloc(self.start(), Layout::from_size_align_unchecked(self.size.max(1), self.align));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn stores_are_aligned_zero_and_as_large_as_asked() {
        for size in [1, 127, 128, 4096, MAPPED - 1, MAPPED, MAPPED + 1, 5 << 20] {
            for align in [1, 128, 4096] {
                let store = Allocation::new(size, align).expect("there is memory");
                assert_eq!(store.start() as usize % align.max(BASE_ALIGN), 0);
                for at in BTreeSet::from([0, size / 2, size - 1]) {
                    // SAFETY: within the store.
                    unsafe {
                        assert_eq!(*store.start().add(at), 0);
                        *store.start().add(at) = 1;
                    }
                }
            }
        }
    }

    #[test]
    fn sizes_that_no_machine_has_are_refused() {
        for size in [usize::MAX, usize::MAX / 2, 1 << 60] {
            assert_eq!(Allocation::new(size, 1).err(), Some(FAILURE));
        }
    }
}
