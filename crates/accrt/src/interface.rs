//! The structures that generated code hands over: those of `crates/acc/src/prelude.h`, and the numbers in them.

use crate::pool::Code;
use crate::queue::Stream;
use crate::section::Dim;
use std::ffi::{c_char, c_int, c_long, c_ulong};

/// Where a construct stands. Generated code has them as constants.
#[repr(C)]
#[derive(Debug)]
pub struct Site {
    /// The source file.
    pub file: *const c_char,
    /// The function.
    pub function: *const c_char,
    /// The line of the directive.
    pub line: c_int,
    /// Which directive, by the numbers of `acc_construct_t`.
    pub kind: c_int,
    /// What the program was compiled for.
    pub device: c_int,
    /// 1: there is code for processors; 2: a data construct; 4: `declare`; 8: accesses are checked; 16: there is code for GPUs.
    pub flags: c_int,
}

// SAFETY: constants of the program.
unsafe impl Sync for Site {}

/// [`Site::flags`]: there is code for the device.
pub(crate) const HAS_CODE: c_int = 1;
/// [`Site::flags`]: a data construct.
pub(crate) const DATA: c_int = 2;
/// [`Site::flags`]: `declare`.
pub(crate) const DECLARE: c_int = 4;
/// [`Site::flags`]: accesses are checked (`-Mbounds`).
pub(crate) const CHECKED: c_int = 8;
/// [`Site::flags`]: there is code for NVIDIA GPUs.
pub(crate) const HAS_GPU_CODE: c_int = 16;
/// [`Site::flags`]: where the host runs it, it calls functions that may use anything that is present.
pub(crate) const CALLS_OTHERS: c_int = 32;

/// A variable of a data clause.
#[repr(C)]
#[derive(Debug)]
pub struct Item {
    pub(crate) name: *const c_char,
    pub(crate) kind: c_int,
    pub(crate) flags: c_int,
    pub(crate) base: *mut u8,
    pub(crate) bytes: c_ulong,
    pub(crate) pointer: *mut *mut u8,
    pub(crate) ndims: c_int,
    pub(crate) dims: *const c_long,
}

impl Item {
    /// What no clause names.
    pub(crate) fn unnamed() -> Self {
        let (name, none) = (c"memory".as_ptr(), std::ptr::null_mut());
        let (dims, pointer) = (std::ptr::null(), std::ptr::null_mut());
        Self { name, kind: NO_CREATE, flags: IMPLICIT, base: none, bytes: 0, pointer, ndims: 0, dims }
    }
}

/// `if`, `self`, `async` and `wait`.
#[repr(C)]
#[derive(Debug)]
pub struct Clauses {
    pub(crate) condition: c_int,
    pub(crate) has_async: c_int,
    pub(crate) queue: c_long,
    pub(crate) wait_all: c_int,
    pub(crate) nwaits: c_int,
    pub(crate) waits: *const c_long,
    pub(crate) own: c_int,
}

impl Clauses {
    /// Where the construct's work goes.
    pub(crate) fn stream(&self) -> Stream {
        if self.has_async == 0 { Stream::NOW } else { Stream::of(self.queue) }
    }

    /// Lets that wait as the `wait` clauses say.
    pub(crate) fn wait(&self, stream: Stream) {
        if self.wait_all != 0 {
            stream.wait_for_all();
        }
        for i in 0..usize::try_from(self.nwaits).unwrap_or(0) {
            // SAFETY: an array of so many numbers in the caller's frame.
            let queue = unsafe { *self.waits.add(i) };
            stream.wait_for(Stream::of(queue));
        }
    }
}

/// A kernel. Generated code has them as constants.
#[repr(C)]
#[derive(Debug)]
pub struct Kernel {
    pub(crate) code: Option<Code>,
    pub(crate) name: *const c_char,
    /// Code for NVIDIA GPUs, which all kernels of a region share; may be null.
    pub(crate) image: *const Image,
    pub(crate) line: c_int,
    /// Work-items of a group on the host's processors.
    pub(crate) local: c_int,
    /// The arguments begin with so many numbers, the first iteration of each dimension.
    pub(crate) bases: c_int,
    /// Threads of a block on GPUs.
    pub(crate) block: c_int,
    /// Those of them in the block's second dimension.
    pub(crate) rows: c_int,
    /// Whether a block does on GPUs what a work-item does elsewhere.
    pub(crate) team: c_int,
    /// Whether groups below each other should run one after another on the host's processors.
    pub(crate) by_columns: c_int,
}

/// A place of the device among a launch's arguments: the host's address of it stands there.
#[repr(C)]
#[derive(Debug)]
pub struct Place {
    /// The variable.
    pub(crate) name: *const c_char,
    /// Which of the construct's items says where it is; -1: none.
    pub(crate) item: c_int,
    /// Bytes from the begin of the arguments.
    pub(crate) offset: c_int,
}

/// What is where among a launch's arguments. Generated code has them as constants.
#[repr(C)]
#[derive(Debug)]
pub struct Call {
    /// Bytes of the arguments.
    pub(crate) bytes: c_ulong,
    /// Where the extents are, in bytes from their begin; -1: the extent is one.
    pub(crate) extents: [c_int; 3],
    nplaces: c_int,
    places: *const Place,
}

impl Call {
    /// The places among the arguments.
    pub(crate) fn places(&self) -> &[Place] {
        let n = usize::try_from(self.nplaces).unwrap_or(0);
        // SAFETY: constants of the program, so many.
        if n == 0 { &[] } else { unsafe { std::slice::from_raw_parts(self.places, n) } }
    }
}

/// Code of a region for NVIDIA GPUs.
#[repr(C)]
#[derive(Debug)]
pub struct Image {
    count: c_int,
    codes: *const GpuCode,
}

/// PTX for one compute capability and what is newer.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct GpuCode {
    pub(crate) capability: c_int,
    pub(crate) text: *const c_char,
}

impl Image {
    /// Its texts.
    pub(crate) fn codes(&self) -> &[GpuCode] {
        let n = usize::try_from(self.count).unwrap_or(0);
        // SAFETY: constants of the program, so many.
        if n == 0 { &[] } else { unsafe { std::slice::from_raw_parts(self.codes, n) } }
    }
}

// SAFETY: constants of the program.
unsafe impl Sync for Image {}

impl Kernel {
    /// Work-items of a group on the device in use.
    pub(crate) fn group(&self) -> c_int {
        if crate::device::current(None).is_gpu() { self.block } else { self.local }.max(1)
    }

    /// The extents of such a group.
    pub(crate) fn extents(&self) -> [u32; 3] {
        let rows = if crate::device::current(None).is_gpu() { self.rows.max(1) } else { 1 };
        [(self.group() / rows).max(1) as u32, rows as u32, 1]
    }

    /// How many of a launch's extents a group of that device takes.
    pub(crate) fn taken(&self) -> [c_int; 2] {
        if crate::device::current(None).is_gpu() { self.taken_by_block() } else { [self.local.max(1), 1] }
    }

    /// How many of a launch's extents a block takes on GPUs.
    pub(crate) fn taken_by_block(&self) -> [c_int; 2] {
        let rows = self.rows.max(1);
        if self.team != 0 { [1, 1] } else { [(self.block / rows).max(1), rows] }
    }
}

// SAFETY: constants of the program.
unsafe impl Sync for Kernel {}

/// An access that is checked: what messages about it say.
#[repr(C)]
#[derive(Debug)]
pub struct Check {
    pub(crate) array: *const c_char,
    pub(crate) index: *const c_char,
    pub(crate) line: c_int,
    pub(crate) dimension: c_int,
}

// SAFETY: constants of the program.
unsafe impl Sync for Check {}

/// The rest of a block with `declare`.
#[repr(C)]
#[derive(Debug)]
pub struct Scope {
    pub(crate) site: *const Site,
    pub(crate) items: *mut Item,
    pub(crate) n: c_int,
}

pub(crate) const COPY: c_int = 1;
pub(crate) const COPYIN: c_int = 2;
pub(crate) const COPYOUT: c_int = 3;
pub(crate) const CREATE: c_int = 4;
pub(crate) const NO_CREATE: c_int = 5;
pub(crate) const PRESENT: c_int = 6;
pub(crate) const DEVICEPTR: c_int = 7;
pub(crate) const ATTACH: c_int = 8;
pub(crate) const DETACH: c_int = 9;
pub(crate) const DELETE: c_int = 10;
pub(crate) const UPDATE_HOST: c_int = 11;
pub(crate) const UPDATE_DEVICE: c_int = 12;
pub(crate) const EXIT_COPYOUT: c_int = 13;

pub(crate) const ZERO: c_int = 1;
pub(crate) const ALWAYS_IN: c_int = 2;
pub(crate) const ALWAYS_OUT: c_int = 4;
pub(crate) const FINALIZE: c_int = 8;
pub(crate) const IF_PRESENT: c_int = 16;
/// Not named by the program.
pub(crate) const IMPLICIT: c_int = 32;
/// A data clause around the construct names it.
pub(crate) const VISIBLE: c_int = 64;
/// The memory of members of a structure, which have items of their own behind it.
pub(crate) const MEMBERS: c_int = 128;
/// Set on the way in: the item holds an entry.
pub(crate) const HELD: c_int = 0x100;

/// Of an item among a program's constants: these fields are among the values of [`__unspool_acc_fill`].
const BYTES_COME: c_int = 0x1000;
const POINTER_COMES: c_int = 0x2000;
const DIMS_COME: c_int = 0x4000;

/// Fills a construct's items from constants and values: of each item its base, and behind it those of bytes, place of the pointer
/// and dimensions that the constant's flags name.
///
/// # Safety
/// The interface of generated code: there are `n` of both, and as many values as they say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __unspool_acc_fill(items: *mut Item, constants: *const Item, n: c_int, values: *const usize) {
    let mut values = values;
    let mut next = || {
        // SAFETY: there are as many as are asked for.
        unsafe {
            let value = *values;
            values = values.add(1);
            value
        }
    };
    for i in 0..usize::try_from(n).unwrap_or(0) {
        // SAFETY: a constant of the program.
        let c = unsafe { &*constants.add(i) };
        let base = next() as *mut u8;
        let bytes = if c.flags & BYTES_COME != 0 { next() as c_ulong } else { c.bytes };
        let pointer = if c.flags & POINTER_COMES != 0 { next() as *mut *mut u8 } else { c.pointer };
        let dims = if c.flags & DIMS_COME != 0 { next() as *const c_long } else { c.dims };
        let flags = c.flags & !(BYTES_COME | POINTER_COMES | DIMS_COME);
        let item = Item { name: c.name, kind: c.kind, flags, base, bytes, pointer, ndims: c.ndims, dims };
        // SAFETY: room in the caller's frame.
        unsafe { items.add(i).write(item) };
    }
}

/// Longest chain of pointers to pointers.
const MAX_DIMS: usize = 16;

/// The items of a construct.
///
/// # Safety
/// There are `n` of them.
pub(crate) unsafe fn slice<'a>(items: *mut Item, n: c_int) -> &'a mut [Item] {
    let n = usize::try_from(n).unwrap_or(0);
    if n == 0 {
        return &mut [];
    }
    // SAFETY: an array of `n` items of the caller's frame.
    unsafe { std::slice::from_raw_parts_mut(items, n) }
}

/// The dimensions of an item's section; a variable is one element of its size.
pub(crate) fn dims(item: &Item) -> Vec<Dim> {
    let n = usize::try_from(item.ndims).unwrap_or(0).min(MAX_DIMS);
    if n == 0 {
        return vec![Dim { lower: 0, count: 1, stride: item.bytes as isize, pointer: false }];
    }
    // SAFETY: four numbers for each dimension.
    let all = unsafe { std::slice::from_raw_parts(item.dims, 4 * n) };
    let one =
        |d: &[c_long]| Dim { lower: d[0] as isize, count: d[1] as isize, stride: d[2] as isize, pointer: d[3] != 0 };
    all.chunks_exact(4).map(one).collect()
}
