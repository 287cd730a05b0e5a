//! Memory that host and device share: nothing of it is copied, and pointers in it mean the same on both sides.
//!
//! With `-gpu=managed` (NVIDIA's compilers: `mem:managed`) that is what the program's own code allocates by `malloc` and its
//! relatives, which [`heap`](crate::managed_heap) then gives out; variables at file scope and on the stack are copied as always.
//! With `-gpu=unified` it is all of the program's memory, if the GPU reaches it; if it does not, that is as `managed`.
//!
//! What a device shares with the host has no entry in the [present table](crate::table), needs no clause, and no clause does
//! anything to it (OpenACC 3.4, 2.7: "shared memory").

use crate::device::{self, Device};
use crate::{gpu, managed_heap as heap};
use std::ffi::c_int;
use std::io::Write as _;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, Ordering};

/// What the program was compiled for: nothing of the kind, or one of these.
static ASKED: AtomicI32 = AtomicI32::new(0);
const MANAGED: c_int = 1;
const UNIFIED: c_int = 2;

/// What a file of the program asks for; the most that one does counts.
///
/// # Safety
/// The interface of generated code.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_memory(kind: c_int) {
    ASKED.fetch_max(kind, Ordering::Relaxed);
}

/// Where memory comes from that the program allocates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// The C library: the device shares all memory, or none.
    Library,
    /// The system: this machine's processors as a device with memory of its own.
    System,
    /// The driver of a GPU.
    Gpu(usize),
}

/// Where it comes from: that is decided for the device in use when the program first allocates. `None` before it has said what it
/// was compiled for.
pub(crate) fn source() -> Option<Source> {
    static SOURCE: OnceLock<Source> = OnceLock::new();
    let known = SOURCE.get().copied();
    known.or_else(|| device::is_settled().then(|| *SOURCE.get_or_init(choose)))
}

fn choose() -> Source {
    match device::current(None) {
        _ if ASKED.load(Ordering::Relaxed) == 0 || all() => Source::Library,
        Device::Host | Device::Multicore => Source::Library,
        Device::Discrete => Source::System,
        Device::Nvidia(n) if gpu::gpu(n).is_some_and(gpu::Gpu::has_managed) => Source::Gpu(n),
        Device::Nvidia(_) => {
            let _ = writeln!(
                std::io::stderr().lock(),
                "unspool: this GPU has no managed memory that the host may use beside it: data is copied, as clauses say"
            );
            Source::Library
        }
    }
}

/// Whether the device in use shares all of the host's memory because the program asked for that.
fn all() -> bool {
    ASKED.load(Ordering::Relaxed) == UNIFIED
        && match device::current(None) {
            Device::Discrete => true,
            Device::Nvidia(n) => gpu::gpu(n).is_some_and(gpu::Gpu::reaches_the_host),
            Device::Host | Device::Multicore => false,
        }
}

/// Whether the device in use, which has memory of its own, shares the memory at an address.
pub(crate) fn is_shared(address: usize) -> bool {
    ASKED.load(Ordering::Relaxed) >= MANAGED && (heap::has(address) || all())
}
