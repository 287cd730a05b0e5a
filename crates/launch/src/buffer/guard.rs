//! Memory with inaccessible address space on both sides.

use std::ptr::NonNull;

/// Address space on each side that cannot be accessed; costs no memory.
#[cfg(unix)]
const GUARD: usize = 1 << 20;
/// What is made accessible is whole pages; no system that is known here has larger ones.
#[cfg(unix)]
const UNIT: usize = 64 << 10;

/// Memory of the system's, given back when dropped.
pub(super) struct Mapping {
    #[cfg(unix)]
    base: NonNull<u8>,
    #[cfg(unix)]
    bytes: usize,
}

#[cfg(unix)]
impl Mapping {
    /// Zeroed memory of at least `len` bytes, and where they begin: on a multiple of `align`, a power of two, as near to
    /// the inaccessible space behind them as that allows.
    pub(super) fn new(len: usize, align: usize) -> Option<(NonNull<u8>, Self)> {
        let room = len.checked_next_multiple_of(align.max(page()))?;
        // Enough to find a start of that alignment.
        let bytes = room.checked_add(2 * GUARD)?.checked_add(align.max(UNIT))?;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a new mapping, at no particular address.
        let base = unsafe { libc::mmap(std::ptr::null_mut(), bytes, libc::PROT_NONE, flags, -1, 0) };
        if base == libc::MAP_FAILED {
            return None;
        }
        let mapping = Self { base: NonNull::new(base.cast())?, bytes };
        let first = (base as usize).checked_add(GUARD)?.next_multiple_of(align.max(page()));
        let offset = first - base as usize;
        // SAFETY: `offset + room` is at most `GUARD + align + room`, inside the mapping.
        let at = unsafe { mapping.base.as_ptr().add(offset) };
        // SAFETY: whole pages of this mapping, of which nobody else knows.
        let opened = unsafe { libc::mprotect(at.cast(), room, libc::PROT_READ | libc::PROT_WRITE) };
        if opened != 0 {
            return None;
        }
        let slack = (room - len) / align * align;
        // SAFETY: less than `room`.
        Some((NonNull::new(unsafe { at.add(slack) })?, mapping))
    }
}

/// The system's page size.
#[cfg(unix)]
fn page() -> usize {
    // SAFETY: has no preconditions.
    let n = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(n).unwrap_or(UNIT)
}

#[cfg(unix)]
impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: mapped with this size, and unmapped once.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.bytes) };
    }
}

#[cfg(not(unix))]
impl Mapping {
    /// There is none here.
    pub(super) fn new(_len: usize, _align: usize) -> Option<(NonNull<u8>, Self)> {
        None
    }
}
