//! The heap of programs with [managed memory](crate::managed): `malloc`, `free` and their relatives, in memory that the driver of
//! the GPU moves to who uses it.
//!
//! The driver gives memory in large pieces and slowly. Small blocks are cut out of chunks of one size each; large ones have a chunk
//! of their own, and some of them are kept when they are freed. What is known of blocks stands beside the memory, not in it: reading
//! it would bring its page from the GPU. Where the device shares nothing with the host, or everything, the C library answers.
//!
//! Objects of `unspool cc` call these functions under the C library's names (`crates/cli/src/cc/managed.rs`). Other code of the
//! program keeps the C library's, and must not free what these gave.

use crate::gpu;
use crate::managed::{Source, source};
use std::collections::BTreeMap;
use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Largest block that shares a chunk.
const MAX_SMALL: usize = 256 << 10;
/// Bytes of a chunk of small blocks; at least so many blocks.
const CHUNK: usize = 1 << 20;
const MIN_BLOCKS: usize = 16;
/// Bytes that a chunk for one block is a multiple of, and what chunks are aligned to at least.
const GRAIN: usize = 64 << 10;
const ALIGNED: usize = 256;
/// Most bytes of chunks for one block that are kept when it is freed.
const MAX_KEPT: usize = 256 << 20;

/// Memory of the driver or the system.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    bytes: usize,
    /// Bytes of each of its blocks; `None` if it is for one.
    block: Option<usize>,
    source: Source,
}

#[derive(Default, Debug)]
struct Heap {
    chunks: BTreeMap<usize, Chunk>,
    /// Free blocks, by their size.
    free: BTreeMap<usize, Vec<usize>>,
    /// Free chunks for one block, by their size.
    kept: BTreeMap<usize, Vec<usize>>,
    kept_bytes: usize,
}

static HEAP: Mutex<Heap> =
    Mutex::new(Heap { chunks: BTreeMap::new(), free: BTreeMap::new(), kept: BTreeMap::new(), kept_bytes: 0 });
/// No chunk begins before the first, or ends behind the second.
static LOWEST: AtomicUsize = AtomicUsize::new(usize::MAX);
static HIGHEST: AtomicUsize = AtomicUsize::new(0);

fn heap() -> MutexGuard<'static, Heap> {
    HEAP.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether an address is in (or just behind) what the heap has.
pub(crate) fn has(address: usize) -> bool {
    may_have(address) && heap().around(address).is_some()
}

/// As [`has`], without a lock: whether it lies between the first chunk and the last.
fn may_have(address: usize) -> bool {
    LOWEST.load(Ordering::Relaxed) <= address && address <= HIGHEST.load(Ordering::Relaxed)
}

/// Bytes of the blocks for so many bytes: a power of two, or one and a half of one.
fn class(bytes: usize) -> usize {
    let whole = bytes.max(32).next_power_of_two();
    let less = whole / 4 * 3;
    if bytes <= less && whole >= 64 { less } else { whole }
}

impl Heap {
    /// The chunk that has an address, or ends there.
    fn around(&self, address: usize) -> Option<(usize, Chunk)> {
        let (&start, &c) = self.chunks.range(..=address).next_back()?;
        (address <= start + c.bytes).then_some((start, c))
    }

    /// The chunk that has an address.
    fn chunk(&self, address: usize) -> Option<(usize, Chunk)> {
        self.around(address).filter(|(start, c)| address < start + c.bytes)
    }

    /// A new chunk; `None` if there is no memory.
    fn grow(&mut self, bytes: usize, block: Option<usize>, source: Source) -> Option<usize> {
        let start = take(source, bytes)?;
        self.chunks.insert(start, Chunk { bytes, block, source });
        LOWEST.fetch_min(start, Ordering::Relaxed);
        HIGHEST.fetch_max(start + bytes, Ordering::Relaxed);
        Some(start)
    }

    fn allocate(&mut self, bytes: usize, align: usize, source: Source) -> Option<usize> {
        if bytes > MAX_SMALL || align > ALIGNED {
            let room = if align > ALIGNED { align } else { 0 };
            let whole = bytes.checked_add(room)?.max(1).checked_next_multiple_of(GRAIN)?;
            let start = match self.kept.get_mut(&whole).and_then(Vec::pop) {
                Some(start) => {
                    self.kept_bytes -= whole;
                    start
                }
                None => self.grow(whole, None, source)?,
            };
            return Some(start.next_multiple_of(align.max(1)));
        }
        // Blocks of a chunk are multiples of their size from its beginning.
        let class = if align <= 16 { class(bytes) } else { bytes.max(align).next_power_of_two() };
        if let Some(block) = self.free.get_mut(&class).and_then(Vec::pop) {
            return Some(block);
        }
        let bytes = CHUNK.max(class * MIN_BLOCKS) / class * class;
        let start = self.grow(bytes, Some(class), source)?;
        let blocks = self.free.entry(class).or_default();
        blocks.extend((start + class..start + bytes).step_by(class).rev());
        Some(start)
    }

    /// Bytes from an address to the end of its block; `None` if it is none of ours.
    fn usable(&self, address: usize) -> Option<usize> {
        let (start, c) = self.chunk(address)?;
        Some(c.block.map_or(start + c.bytes - address, |b| b - (address - start) % b))
    }

    /// Frees a block; false if it is none of ours.
    fn release(&mut self, address: usize) -> bool {
        let Some((start, c)) = self.chunk(address) else { return false };
        if let Some(block) = c.block {
            self.free.entry(block).or_default().push(address - (address - start) % block);
        } else if self.kept_bytes + c.bytes <= MAX_KEPT {
            self.kept_bytes += c.bytes;
            self.kept.entry(c.bytes).or_default().push(start);
        } else {
            self.chunks.remove(&start);
            give(c.source, start, c.bytes);
        }
        true
    }
}

/// Memory of a source.
fn take(source: Source, bytes: usize) -> Option<usize> {
    match source {
        Source::Library => None,
        Source::Gpu(n) => gpu::gpu(n)?.allocate_managed(bytes),
        Source::System => {
            let (read_write, private) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            // SAFETY: new pages.
            let at = unsafe { libc::mmap(std::ptr::null_mut(), bytes, read_write, private, -1, 0) };
            (at != libc::MAP_FAILED).then_some(at as usize)
        }
    }
}

/// Gives it back.
fn give(source: Source, start: usize, bytes: usize) {
    match source {
        Source::Library => {}
        Source::Gpu(n) => gpu::gpu(n).into_iter().for_each(|g| g.free_managed(start)),
        // SAFETY: pages of `take`, of which nothing is in use.
        Source::System => _ = unsafe { libc::munmap(start as *mut c_void, bytes) },
    }
}

/// Memory for a program's `malloc` where host and device share it; `None` where the C library is to answer, and null without
/// memory.
fn allocate(bytes: usize, align: usize) -> Option<*mut c_void> {
    let source = source().filter(|s| *s != Source::Library)?;
    let at = heap().allocate(bytes, align, source);
    if at.is_none() {
        // SAFETY: this thread's number of the last error.
        unsafe { *libc::__errno_location() = libc::ENOMEM };
    }
    Some(at.unwrap_or(0) as *mut c_void)
}

/// `malloc`
///
/// # Safety
/// As the C library's, here and below.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_malloc(bytes: usize) -> *mut c_void {
    // SAFETY: as asked.
    allocate(bytes, 16).unwrap_or_else(|| unsafe { libc::malloc(bytes) })
}

/// `calloc`
///
/// # Safety
/// See [`__unspool_acc_malloc`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_calloc(n: usize, size: usize) -> *mut c_void {
    // The C library says what too many bytes are.
    let Some(bytes) = n.checked_mul(size) else { return library_calloc(n, size) };
    let Some(at) = allocate(bytes, 16) else { return library_calloc(n, size) };
    if !at.is_null() {
        // SAFETY: so many bytes, just allocated; blocks may have been used before.
        unsafe { std::ptr::write_bytes(at.cast::<u8>(), 0, bytes) };
    }
    at
}

fn library_calloc(n: usize, size: usize) -> *mut c_void {
    // SAFETY: it takes any numbers.
    unsafe { libc::calloc(n, size) }
}

/// `realloc`
///
/// # Safety
/// See [`__unspool_acc_malloc`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_realloc(old: *mut c_void, bytes: usize) -> *mut c_void {
    if old.is_null() {
        // SAFETY: as asked.
        return unsafe { __unspool_acc_malloc(bytes) };
    }
    let Some(usable) = may_have(old as usize).then(|| heap().usable(old as usize)).flatten() else {
        // SAFETY: the C library's memory.
        return unsafe { libc::realloc(old, bytes) };
    };
    if bytes == 0 {
        heap().release(old as usize);
        return std::ptr::null_mut();
    }
    if bytes <= usable && bytes > usable / 4 {
        return old;
    }
    // SAFETY: as asked; both blocks have as many bytes as are copied.
    unsafe {
        let new = __unspool_acc_malloc(bytes);
        if !new.is_null() {
            std::ptr::copy_nonoverlapping(old.cast::<u8>(), new.cast(), bytes.min(usable));
            heap().release(old as usize);
        }
        new
    }
}

/// `reallocarray`
///
/// # Safety
/// See [`__unspool_acc_malloc`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_reallocarray(old: *mut c_void, n: usize, size: usize) -> *mut c_void {
    // SAFETY: as asked.
    unsafe {
        match n.checked_mul(size) {
            Some(bytes) => __unspool_acc_realloc(old, bytes),
            None => libc::reallocarray(old, n, size),
        }
    }
}

/// `free`
///
/// # Safety
/// See [`__unspool_acc_malloc`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_free(at: *mut c_void) {
    if !(may_have(at as usize) && heap().release(at as usize)) {
        // SAFETY: the C library's memory, or null.
        unsafe { libc::free(at) };
    }
}

/// `aligned_alloc` and `memalign`
///
/// # Safety
/// See [`__unspool_acc_malloc`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_memalign(align: usize, bytes: usize) -> *mut c_void {
    let ours = align.is_power_of_two().then(|| allocate(bytes, align)).flatten();
    // SAFETY: as asked.
    ours.unwrap_or_else(|| unsafe { libc::memalign(align, bytes) })
}

/// `valloc`
///
/// # Safety
/// See [`__unspool_acc_malloc`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_valloc(bytes: usize) -> *mut c_void {
    // SAFETY: a plain question, and as asked.
    unsafe { __unspool_acc_memalign(usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)).unwrap_or(4096), bytes) }
}

/// `posix_memalign`
///
/// # Safety
/// See [`__unspool_acc_malloc`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_posix_memalign(place: *mut *mut c_void, align: usize, bytes: usize) -> c_int {
    let is_right = align.is_power_of_two() && align.is_multiple_of(size_of::<usize>());
    // SAFETY: as asked; the caller's place.
    unsafe {
        match is_right.then(|| allocate(bytes, align)).flatten() {
            None => libc::posix_memalign(place, align, bytes),
            Some(at) if at.is_null() => libc::ENOMEM,
            Some(at) => {
                place.write(at);
                0
            }
        }
    }
}

/// `strdup`
///
/// # Safety
/// See [`__unspool_acc_malloc`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_strdup(text: *const c_char) -> *mut c_char {
    // SAFETY: a C string.
    unsafe { __unspool_acc_strndup(text, libc::strlen(text)) }
}

/// `strndup`
///
/// # Safety
/// See [`__unspool_acc_malloc`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_strndup(text: *const c_char, most: usize) -> *mut c_char {
    // SAFETY: a C string, of which no more is copied than there is.
    unsafe {
        let n = libc::strnlen(text, most);
        let to = __unspool_acc_malloc(n + 1).cast::<c_char>();
        if !to.is_null() {
            std::ptr::copy_nonoverlapping(text, to, n);
            to.add(n).write(0);
        }
        to
    }
}

unsafe extern "C" {
    /// The C library's.
    fn getdelim(line: *mut *mut c_char, size: *mut usize, end: c_int, file: *mut libc::FILE) -> isize;
}

/// `getdelim`: the C library would let its own `realloc` loose on the program's buffer.
///
/// # Safety
/// See [`__unspool_acc_malloc`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_getdelim(
    line: *mut *mut c_char,
    size: *mut usize,
    end: c_int,
    file: *mut libc::FILE,
) -> isize {
    // SAFETY: as the C library's; a buffer of the heap gives way to one of the library's, which the library may then replace.
    unsafe {
        if has(*line as usize) {
            __unspool_acc_free((*line).cast());
            line.write(std::ptr::null_mut());
            size.write(0);
        }
        getdelim(line, size, end, file)
    }
}

/// `getline`
///
/// # Safety
/// See [`__unspool_acc_malloc`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_getline(
    line: *mut *mut c_char,
    size: *mut usize,
    file: *mut libc::FILE,
) -> isize {
    // SAFETY: as asked.
    unsafe { __unspool_acc_getdelim(line, size, c_int::from(b'\n'), file) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fresh() -> Heap {
        Heap::default()
    }

    #[test]
    fn blocks_are_apart_aligned_and_come_back() {
        let mut h = fresh();
        let mut all: Vec<(usize, usize)> = Vec::new();
        for n in [0, 1, 16, 31, 33, 48, 49, 100, 4096, 5000, 200_000, 300_000, 2_000_000] {
            for align in [16, 64, 256, 4096] {
                let at = h.allocate(n, align, Source::System).expect("memory");
                assert!(at.is_multiple_of(align), "{n} at {at:#x} for {align}");
                assert!(h.usable(at).is_some_and(|u| u >= n), "{n} of {:?}", h.usable(at));
                all.push((at, n));
            }
        }
        all.sort_unstable();
        assert!(all.windows(2).all(|w| w[0].0 + w[0].1.max(1) <= w[1].0), "two blocks share bytes");
        let (chunks, blocks) = (h.chunks.len(), all.clone());
        all.into_iter().for_each(|(at, _)| assert!(h.release(at)));
        for (_, n) in blocks.iter().rev().filter(|b| b.1 < 200_000) {
            h.allocate(*n, 16, Source::System).expect("memory");
        }
        assert_eq!(h.chunks.len(), chunks, "what was freed is used again");
        assert!(!h.release(&raw const h as usize), "not of the heap");
    }

    #[test]
    fn more_than_there_can_be_is_none() {
        let mut h = fresh();
        assert_eq!(h.allocate(usize::MAX - 10, 16, Source::System), None);
        assert_eq!(h.allocate(usize::MAX / 2, 4096, Source::System), None);
    }

    #[test]
    fn classes_waste_a_third_at_most() {
        for n in 33..100_000 {
            let c = class(n);
            assert!(c >= n && c.is_multiple_of(16) && c * 2 <= n * 3, "{n}: {c}");
        }
    }
}
