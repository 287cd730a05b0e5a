//! Large pages for large arrays where the device's memory is the host's.
//!
//! An array that a kernel is the first to write gets its pages there, one fault for 4096 bytes: for a kernel that
//! only streams this takes as long as its work. Where data clauses name large arrays, the system is asked for pages of 2 MiB
//! (what is there already stays as it is). Advice only: contents do not change, and a system without such pages refuses.

use crate::interface::{COPY, COPYIN, COPYOUT, CREATE, Item};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A large page.
const PAGE: usize = 2 << 20;
/// Least bytes of an array, as of the [buffers](launch::buffer) of kernels.
const LEAST: usize = 2 * PAGE;
/// How many arrays are remembered, so that a construct in a loop does not ask in each iteration.
const REMEMBERED: usize = 64;

/// The arrays that were asked for last, by where they begin: their first large page, plus the number of such pages.
static ASKED: [AtomicUsize; REMEMBERED] = [const { AtomicUsize::new(0) }; REMEMBERED];

/// Asks for large pages for what data clauses name.
pub(crate) fn ask(items: &[Item]) {
    for i in items.iter().filter(|i| matches!(i.kind, COPY | COPYIN | COPYOUT | CREATE)) {
        ask_for(i.base as usize, i.bytes as usize);
    }
}

/// Asks for large pages for an array, if it was not the last one in its place.
fn ask_for(start: usize, bytes: usize) {
    let Some((first, whole)) = large_pages(start, bytes) else { return };
    let array = first + whole / PAGE;
    if ASKED[first / PAGE % REMEMBERED].swap(array, Ordering::Relaxed) != array {
        advise(start, bytes);
    }
}

/// Asks for large pages within a range of memory.
pub(crate) fn advise(start: usize, bytes: usize) {
    let Some((first, whole)) = large_pages(start, bytes) else { return };
    // SAFETY: advice about pages of the program's, which changes no contents; what is no memory is refused.
    unsafe { libc::madvise(first as *mut _, whole, libc::MADV_HUGEPAGE) };
}

/// The large pages that lie within a range, as an address and bytes, if the range is large enough to ask for.
fn large_pages(start: usize, bytes: usize) -> Option<(usize, usize)> {
    let end = start.checked_add(bytes).filter(|_| bytes >= LEAST)?;
    let first = start.checked_next_multiple_of(PAGE)?;
    let whole = end.saturating_sub(first) / PAGE * PAGE;
    (start != 0 && whole > 0).then_some((first, whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_that_lie_in_an_array_are_asked_for() {
        assert_eq!(large_pages(PAGE, LEAST), Some((PAGE, LEAST)));
        assert_eq!(large_pages(PAGE + 8, LEAST), Some((2 * PAGE, PAGE)));
        assert_eq!(large_pages(PAGE, LEAST - 1), None);
        assert_eq!((large_pages(0, LEAST), large_pages(usize::MAX - 8, LEAST)), (None, None));
        assert_eq!(large_pages(usize::MAX - LEAST, LEAST), Some((usize::MAX - LEAST + 1, LEAST - PAGE)));
        // Nobody's memory: refused by the system, and nothing happens.
        ask_for(PAGE, 4 * PAGE);
    }

    #[test]
    fn contents_stay() {
        let mut array = vec![7u8; 3 * LEAST];
        ask_for(array.as_ptr() as usize, array.len());
        array[LEAST] = 8;
        assert!(array.iter().filter(|&&b| b == 7).count() == array.len() - 1);
    }
}
