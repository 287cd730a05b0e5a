//! Memory for kernels' buffers: aligned, zeroed, and asked for politely.

mod guard;

use guard::Mapping;
use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// Alignment of small buffers: two cache lines, and any vector.
const LINE: usize = 128;
/// Buffers from this size on begin on a page.
const LARGE: usize = 64 << 10;
/// Alignment of large buffers.
const PAGE: usize = 4096;
/// Buffers from this size on ask for huge pages: kernels that go through memory in strides miss the tables of pages less.
const HUGE: usize = 4 << 20;
/// A huge page, and the alignment of buffers that ask for them.
const HUGE_PAGE: usize = 2 << 20;

/// Why there is no memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BufferError {
    /// More than an address can reach.
    TooLarge {
        /// Bytes asked for.
        bytes: u64,
    },
    /// More than the machine has left.
    NotAvailable {
        /// Bytes asked for.
        bytes: u64,
        /// Bytes that are free, if the system says.
        available: Option<u64>,
    },
}

impl std::fmt::Display for BufferError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooLarge { bytes } => write!(f, "a buffer of {} is more than any machine has", size_text(*bytes)),
            Self::NotAvailable { bytes, available: Some(free) } => {
                write!(f, "no memory for a buffer of {}: {} are free", size_text(*bytes), size_text(*free))
            }
            Self::NotAvailable { bytes, available: None } => {
                write!(f, "no memory for a buffer of {}", size_text(*bytes))
            }
        }
    }
}

impl std::error::Error for BufferError {}

/// A number of bytes for people.
pub fn size_text(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1024 {
        return format!("{bytes} bytes");
    }
    let mut value = bytes as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// Bytes that a kernel may read and write, on a boundary of 128 bytes at least (a page for large ones). Empty buffers
/// have an address, too.
pub struct Buffer {
    start: NonNull<u8>,
    len: usize,
    memory: Memory,
}

/// Where a buffer's bytes come from.
enum Memory {
    Heap(Layout),
    Mapped(#[allow(dead_code, reason = "unmaps when it is dropped")] Mapping),
}

// SAFETY: a buffer owns its bytes, which are plain data; sharing follows the borrows of the slices it gives.
unsafe impl Send for Buffer {}
// SAFETY: as above.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// A buffer of zeros.
    ///
    /// # Errors
    /// If the size is no size, or the machine has less memory than that.
    pub fn zeroed(bytes: u64) -> Result<Self, BufferError> {
        let too_large = BufferError::TooLarge { bytes };
        let len = usize::try_from(bytes).map_err(|_| too_large.clone())?;
        let align = match len {
            HUGE.. => HUGE_PAGE,
            LARGE.. => PAGE,
            _ => LINE,
        };
        let layout = Layout::from_size_align(len.max(1), align).map_err(|_| too_large)?;
        // Systems promise memory that they do not have, and end the process when it is touched.
        let available = if len >= 64 << 20 { available_memory() } else { None };
        if available.is_some_and(|a| bytes > a) {
            return Err(BufferError::NotAvailable { bytes, available });
        }
        let start = if len >= HUGE { zeroed_in_huge_pages(layout) } else { zeroed(layout) };
        let Some(start) = start else { return Err(BufferError::NotAvailable { bytes, available }) };
        Ok(Self { start, len, memory: Memory::Heap(layout) })
    }

    /// A buffer of zeros between memory that cannot be accessed: what runs out of it by up to a mebibyte is stopped, at
    /// its end after less than 128 bytes if it is small, else less than a page. Takes a few system calls and whole pages.
    ///
    /// # Errors
    /// As [`Buffer::zeroed`].
    pub fn guarded(bytes: u64) -> Result<Self, BufferError> {
        let too_large = || BufferError::TooLarge { bytes };
        let len = usize::try_from(bytes).ok().filter(|&n| n <= isize::MAX as usize / 2).ok_or_else(too_large)?;
        let available = if len >= 64 << 20 { available_memory() } else { None };
        if available.is_some_and(|a| bytes > a) {
            return Err(BufferError::NotAvailable { bytes, available });
        }
        let align = match len {
            HUGE.. => HUGE_PAGE,
            LARGE.. => PAGE,
            _ => LINE,
        };
        match Mapping::new(len.max(1), align) {
            Some((start, mapping)) => {
                if len >= HUGE {
                    touch_in_huge_pages(start, len);
                } else {
                    touch(start, len);
                }
                Ok(Self { start, len, memory: Memory::Mapped(mapping) })
            }
            None => Self::zeroed(bytes),
        }
    }

    /// The address of the first byte.
    pub fn as_ptr(&self) -> *const u8 {
        self.start.as_ptr()
    }

    /// The address of the first byte, to write.
    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.start.as_ptr()
    }
}

/// Memory of zeros, all of it there.
fn zeroed(layout: Layout) -> Option<NonNull<u8>> {
    // SAFETY: the layout's size is at least 1.
    let start = NonNull::new(unsafe { alloc_zeroed(layout) })?;
    if layout.align() >= PAGE {
        touch(start, layout.size());
    }
    Some(start)
}

/// Makes the system give pages of zeros now. Stores under a mask without any lane fail on pages that are not there, and
/// processors take hundreds of cycles to find that nobody wanted them, each time.
fn touch(start: NonNull<u8>, bytes: usize) {
    for at in (0..bytes).step_by(PAGE) {
        // SAFETY: called with memory that is nobody else's, of this size.
        unsafe { start.add(at).write_volatile(0) }
    }
}

/// Memory in huge pages where the system has them for whom asks, which must be before the first access.
fn zeroed_in_huge_pages(layout: Layout) -> Option<NonNull<u8>> {
    // SAFETY: the layout's size is at least 1; all of its bytes are written before anybody reads them.
    unsafe {
        let start = NonNull::new(alloc(layout))?;
        touch_in_huge_pages(start, layout.size());
        Some(start)
    }
}

/// Writes zeros, after asking for huge pages.
fn touch_in_huge_pages(start: NonNull<u8>, bytes: usize) {
    // SAFETY: called with memory that is nobody else's, of this size. Advice changes no contents, and is for whole pages
    // of this memory; that it is not taken does not matter.
    unsafe {
        #[cfg(target_os = "linux")]
        libc::madvise(start.as_ptr().cast(), bytes / PAGE * PAGE, libc::MADV_HUGEPAGE);
        start.as_ptr().write_bytes(0, bytes);
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if let Memory::Heap(layout) = self.memory {
            // SAFETY: allocated with this layout, and freed once.
            unsafe { dealloc(self.start.as_ptr(), layout) }
        }
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: `len` bytes were allocated and initialised.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl std::fmt::Debug for Buffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Buffer({} bytes)", self.len)
    }
}

/// What the system says is free, for this process; `None` where it does not say.
fn available_memory() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let meminfo = read("/proc/meminfo")?;
    let line = meminfo.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let free = line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)?;
    // A container's limit, where there is one (`max` is no number).
    let number = |path: &str| read(path).and_then(|t| t.trim().parse::<u64>().ok());
    let group = match (number("/sys/fs/cgroup/memory.max"), number("/sys/fs/cgroup/memory.current")) {
        (Some(most), Some(used)) => most.saturating_sub(used),
        _ => u64::MAX,
    };
    Some(free.min(group))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aligned_zeroed_and_writable() {
        for bytes in [0u64, 1, 100, 1 << 16, 1 << 20] {
            let mut b = Buffer::zeroed(bytes).expect("little memory");
            assert_eq!(b.len() as u64, bytes);
            assert_eq!(b.as_ptr() as usize % if bytes >= 1 << 16 { 4096 } else { 128 }, 0);
            assert!(b.iter().all(|&x| x == 0));
            b.fill(7);
            assert!(b.iter().all(|&x| x == 7));
        }
    }

    #[test]
    fn guarded_buffers_are_aligned_zeroed_and_writable() {
        for bytes in [0u64, 1, 100, 128, 5000, 1 << 16, (1 << 16) + 3, 5 << 20] {
            let mut b = Buffer::guarded(bytes).expect("little memory");
            assert_eq!(b.len() as u64, bytes);
            let align = if bytes >= 4 << 20 { 2 << 20 } else { 128 };
            assert_eq!(b.as_ptr() as usize % align, 0, "{bytes}");
            assert!(b.iter().all(|&x| x == 0));
            b.fill(7);
            assert!(b.iter().all(|&x| x == 7));
        }
    }

    #[test]
    fn memory_that_cannot_be_had_is_an_error() {
        for bytes in [4_000_000_000_000_000, 1 << 62, u64::MAX] {
            for make in [Buffer::zeroed, Buffer::guarded] {
                let e = make(bytes).expect_err("nobody has this much");
                assert!(e.to_string().contains("iB"), "{e}");
            }
        }
    }

    #[test]
    fn sizes_in_words() {
        assert_eq!(size_text(12), "12 bytes");
        assert_eq!(size_text(1536), "1.5 KiB");
        assert_eq!(size_text(u64::MAX), "16.0 EiB");
    }
}
