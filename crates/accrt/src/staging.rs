//! Large copies between a GPU and the program's own memory, through page-locked pieces.
//!
//! The driver copies memory that is not page-locked by one thread, piece by piece: 6.6 GB/s to an H200 and 13 from it, where its bus
//! has 55 (`docs/gpu.md`). Here several threads do: each takes every so many pieces, and has two places for them, so that one is
//! filled while the bus empties the other. The first large copies go the driver's way: page-locked memory takes longer to get than a
//! few of them.
//!
//! As with the driver, the program may change what was copied to the GPU as soon as the call returns, and has what was copied from
//! it by then.

use crate::cuda::{self, Check as _, DevicePtr, Driver, Handle};
use std::ffi::{c_uint, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Smallest copy that goes in pieces, and bytes of a piece.
const SMALLEST: usize = 8 << 20;
const PIECE: usize = 2 << 20;
/// So many bytes go the driver's way first.
const WORTH: usize = 128 << 20;
/// Most threads: as many fill a bus of today.
const MAX_THREADS: usize = 8;
/// `CU_MEMORYTYPE_HOST`: page-locked memory of the host.
const LOCKED: c_uint = 1;

/// Which way a copy goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// To the GPU.
    In,
    /// From the GPU.
    Out,
}

/// A copy between two places of so many bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copy {
    pub(crate) way: Way,
    pub(crate) device: usize,
    pub(crate) host: usize,
    pub(crate) bytes: usize,
}

/// Page-locked memory for a piece, and the event behind what uses it.
#[derive(Clone, Copy, Debug)]
struct Place {
    at: usize,
    event: usize,
}

/// The places of each thread.
#[derive(Debug)]
pub(crate) struct Staging {
    threads: Vec<[Place; 2]>,
}

/// How many threads copy: `UNSPOOL_ACC_COPY_THREADS`, else half of the processors. With fewer than two the driver does it alone.
fn threads() -> usize {
    static THREADS: OnceLock<usize> = OnceLock::new();
    *THREADS.get_or_init(|| {
        let said = std::env::var("UNSPOOL_ACC_COPY_THREADS").ok().and_then(|n| n.trim().parse().ok());
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        said.unwrap_or(all / 2).min(MAX_THREADS)
    })
}

/// Whether a copy is worth pieces; the first ones are not.
pub(crate) fn is_worth(driver: &Driver, copy: &Copy) -> bool {
    static BEFORE: AtomicUsize = AtomicUsize::new(0);
    if copy.bytes < SMALLEST || threads() < 2 {
        return false;
    }
    let before = BEFORE.fetch_add(copy.bytes, Ordering::Relaxed);
    before.saturating_add(copy.bytes) >= WORTH && !is_locked(driver, copy.host)
}

/// Whether memory of the host is page-locked: the bus reaches it without pieces.
fn is_locked(driver: &Driver, host: usize) -> bool {
    let mut kind: c_uint = 0;
    // SAFETY: a place for the kind; of memory that it does not know the driver says that.
    let result =
        unsafe { (driver.pointer_attribute)((&raw mut kind).cast::<c_void>(), cuda::MEMORY_TYPE, host as DevicePtr) };
    result == 0 && kind == LOCKED
}

impl Staging {
    /// Page-locked places for all threads; `None` if there is not that much. The context is this thread's.
    pub(crate) fn new(driver: &Driver) -> Option<Self> {
        let n = threads();
        let mut memory = std::ptr::null_mut();
        // SAFETY: a place for the address.
        if unsafe { (driver.host_alloc)(&raw mut memory, 2 * n * PIECE) } != 0 {
            return None;
        }
        let place = |i: usize| {
            let mut event = std::ptr::null_mut();
            // SAFETY: a place for the event.
            let result = unsafe { (driver.event_create)(&raw mut event, cuda::DISABLE_TIMING) };
            driver.check("cuEventCreate", result);
            Place { at: memory as usize + i * PIECE, event: event as usize }
        };
        Some(Self { threads: (0..n).map(|t| [place(2 * t), place(2 * t + 1)]).collect() })
    }

    /// Copies in a stream of a context, and comes back when the host's side is done.
    pub(crate) fn copy(&mut self, driver: &'static Driver, context: usize, stream: Handle, copy: &Copy) {
        let (stream, n) = (stream as usize, self.threads.len());
        std::thread::scope(|scope| {
            for (t, places) in self.threads.iter().enumerate() {
                let work = move || {
                    // SAFETY: a context of the driver's.
                    driver.check("cuCtxSetCurrent", unsafe { (driver.context_set)(context as Handle) });
                    let pieces = (t * PIECE..copy.bytes).step_by(n * PIECE);
                    let pieces = pieces.map(|at| Piece { at, bytes: PIECE.min(copy.bytes - at) });
                    let line = Line { driver, stream: stream as Handle, copy, places };
                    match copy.way {
                        Way::In => line.upload(pieces),
                        Way::Out => line.download(pieces),
                    }
                };
                // Where no thread can be had this one does it.
                if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    work();
                }
            }
        });
    }
}

/// Bytes of a copy.
#[derive(Clone, Copy)]
struct Piece {
    at: usize,
    bytes: usize,
}

/// What one thread copies with.
struct Line<'a> {
    driver: &'static Driver,
    stream: Handle,
    copy: &'a Copy,
    places: &'a [Place; 2],
}

impl Line<'_> {
    /// Waits until a place is free, or has what it was to get.
    fn wait(&self, p: Place) {
        // SAFETY: an event of the driver's; one that was never recorded has been reached.
        self.driver.check("cuEventSynchronize", unsafe { (self.driver.event_wait)(p.event as Handle) });
    }

    fn mark(&self, p: Place) {
        // SAFETY: an event and a stream of the driver's.
        self.driver.check("cuEventRecord", unsafe { (self.driver.event_record)(p.event as Handle, self.stream) });
    }

    fn upload(&self, pieces: impl Iterator<Item = Piece>) {
        for (piece, &p) in pieces.zip(self.places.iter().cycle()) {
            self.wait(p);
            let (host, device) = (self.copy.host + piece.at, (self.copy.device + piece.at) as DevicePtr);
            // SAFETY: both sides have so many bytes; the place is free until its event.
            unsafe {
                std::ptr::copy_nonoverlapping(host as *const u8, p.at as *mut u8, piece.bytes);
                let result = (self.driver.copy_in)(device, p.at as *const c_void, piece.bytes, self.stream);
                self.driver.check("cuMemcpyHtoD", result);
            }
            self.mark(p);
        }
    }

    fn download(&self, pieces: impl Iterator<Item = Piece>) {
        let mut coming: Option<(Piece, Place)> = None;
        for (piece, &p) in pieces.zip(self.places.iter().cycle()) {
            // An earlier copy to the GPU may still read the place.
            self.wait(p);
            let device = (self.copy.device + piece.at) as DevicePtr;
            // SAFETY: both sides have so many bytes; nobody uses the place.
            let result = unsafe { (self.driver.copy_out)(p.at as *mut c_void, device, piece.bytes, self.stream) };
            self.driver.check("cuMemcpyDtoH", result);
            self.mark(p);
            coming.replace((piece, p)).into_iter().for_each(|c| self.arrived(c));
        }
        coming.into_iter().for_each(|c| self.arrived(c));
    }

    /// Takes a piece that comes from the GPU out of its place.
    fn arrived(&self, (piece, p): (Piece, Place)) {
        self.wait(p);
        let host = (self.copy.host + piece.at) as *mut u8;
        // SAFETY: both sides have so many bytes, and the copy to the place is done.
        unsafe { std::ptr::copy_nonoverlapping(p.at as *const u8, host, piece.bytes) };
    }
}
