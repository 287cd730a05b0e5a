//! `malloc` and `free` of kernels: memory of this process.

use crate::fault;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that kernels may have at a time. CUDA's default is 8 MiB, which programs raise for themselves; what they cannot
/// say here shall not stop them.
const HEAP_BYTES: u64 = 1 << 30;
/// Before each allocation: its size and a mark, at the alignment of what follows.
const HEAD: u64 = 16;
/// What tells memory from `malloc` that has not been freed; nobody has it by chance.
const MARK: u64 = 0x6d61_6c6c_6f63_2121;

/// Bytes in use.
static LIVE: AtomicU64 = AtomicU64::new(0);

/// What kernels' code calls for `malloc`: null where there is no more.
pub(crate) extern "C" fn unspool_rt_malloc(bytes: u64) -> u64 {
    let more = |live: u64| live.checked_add(bytes).filter(|&n| n <= HEAP_BYTES);
    if LIVE.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_err() {
        return 0;
    }
    fault::outside(|| {
        let Ok(size) = usize::try_from(bytes + HEAD) else { return 0 };
        // SAFETY: `malloc` may be called with any size; what it gives is aligned to 16 bytes.
        let start = unsafe { libc::malloc(size) } as u64;
        if start == 0 {
            LIVE.fetch_sub(bytes, Ordering::Relaxed);
            return 0;
        }
        // SAFETY: the first bytes of what was just allocated, which are aligned.
        unsafe { *(start as *mut [u64; 2]) = [bytes, MARK ^ start] };
        start + HEAD
    })
}

/// What kernels' code calls for `free`.
pub(crate) extern "C" fn unspool_rt_free(address: u64) {
    if address <= HEAD {
        return;
    }
    let start = address - HEAD;
    let mut head = [0; HEAD as usize];
    // An address that cannot be read fails the launch.
    if fault::copy_from(start, &mut head).is_err() {
        return;
    }
    let [size, mark] = [0, 8].map(|at| u64::from_le_bytes(std::array::from_fn(|i| head[at + i])));
    if mark != MARK ^ start {
        // Not from `malloc`, or freed before: as undefined as it is on a GPU, and `--check` tells.
        return;
    }
    LIVE.fetch_sub(size, Ordering::Relaxed);
    // SAFETY: the mark says that `malloc` gave this, and that it has not been freed.
    fault::outside(|| unsafe {
        (*(start as *mut [u64; 2]))[1] = 0;
        libc::free(start as *mut libc::c_void);
    });
}
