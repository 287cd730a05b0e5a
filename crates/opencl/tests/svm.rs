//! Shared virtual memory.

mod common;

use opencl3::command_queue as cq;
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, CL_DEVICE_SVM_FINE_GRAIN_BUFFER};
use opencl3::kernel::Kernel;
use opencl3::memory as mem;
use opencl3::program::Program;
use opencl3::types::{cl_command_queue, cl_event, cl_int};
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::Mutex;

const INVALID_VALUE: cl_int = -30;
const INVALID_QUEUE: cl_int = -36;
const INVALID_WAIT_LIST: cl_int = -57;
const INVALID_BUFFER_SIZE: cl_int = -61;
const COPY_OVERLAP: cl_int = -8;

struct Setup {
    context: Context,
    queue: cl_command_queue,
}

fn setup() -> Option<Setup> {
    let device = common::device()?;
    let context = Context::from_device(&device).expect("a context");
    // SAFETY: valid handles, no properties.
    let queue = unsafe { cq::create_command_queue_with_properties(context.get(), device.id(), null()) };
    Some(Setup { context, queue: queue.expect("a queue") })
}

impl Drop for Setup {
    fn drop(&mut self) {
        // SAFETY: ours.
        unsafe { cq::release_command_queue(self.queue) }.expect("the queue was there");
    }
}

impl Setup {
    fn alloc(&self, flags: u64, size: usize, align: u32) -> Option<*mut u8> {
        // SAFETY: any values may be passed.
        unsafe { mem::svm_alloc(self.context.get(), flags, size, align) }
            .ok()
            .filter(|p| !p.is_null())
            .map(|p| p.cast())
    }

    fn free(&self, pointer: *mut u8) {
        // SAFETY: no command uses it.
        unsafe { mem::svm_free(self.context.get(), pointer.cast()) }.expect("a function");
    }

    fn copy(&self, to: *mut u8, from: *const u8, size: usize) -> Result<(), cl_int> {
        // SAFETY: the tests pass as much memory as they say, or what is refused.
        done(unsafe { cq::enqueue_svm_mem_cpy(self.queue, 1, to.cast(), from.cast(), size, 0, null()) })
    }

    fn fill(&self, to: *mut u8, pattern: &[u8], pattern_size: usize, size: usize) -> Result<(), cl_int> {
        let from = pattern.as_ptr().cast();
        // SAFETY: as above.
        done(unsafe { cq::enqueue_svm_mem_fill(self.queue, to.cast(), from, pattern_size, size, 0, null()) })
    }

    fn map(&self, at: *mut u8, flags: u64, size: usize) -> Result<(), cl_int> {
        // SAFETY: as above.
        done(unsafe { cq::enqueue_svm_map(self.queue, 1, flags, at.cast(), size, 0, null()) })
    }

    fn migrate(&self, pointers: &[*mut u8], sizes: &[usize], flags: u64) -> Result<(), cl_int> {
        let list = if pointers.is_empty() { null() } else { pointers.as_ptr().cast() };
        let sizes = if sizes.is_empty() { null() } else { sizes.as_ptr() };
        let count = pointers.len() as u32;
        // SAFETY: the lists are as long as they say.
        done(unsafe { cq::enqueue_svm_migrate_mem(self.queue, count, list, sizes, flags, 0, null()) })
    }
}

/// Releases the event of a command, which is not wanted.
fn done(event: Result<cl_event, cl_int>) -> Result<(), cl_int> {
    // SAFETY: a new event.
    event.map(|e| unsafe { opencl3::event::release_event(e) }.expect("the event was there"))
}

#[test]
fn allocations_are_aligned_and_wrong_ones_are_null() {
    let Some(s) = setup() else { return };
    for align in [0, 1, 8, 128, 4096] {
        let p = s.alloc(mem::CL_MEM_READ_WRITE, 1000, align).expect("memory");
        assert_eq!(p as usize % if align == 0 { 128 } else { align as usize }, 0);
        s.free(p);
    }
    let most = common::device().expect("as before").max_mem_alloc_size().expect("a size") as usize;
    let (fine, atomics) = (mem::CL_MEM_SVM_FINE_GRAIN_BUFFER, mem::CL_MEM_SVM_ATOMICS);
    let wrong =
        [(0, 0, 0), (0, most + 1, 0), (0, 8, 3), (0, 8, 1 << 20), (atomics, 8, 0), (fine | atomics, 8, 0), (3, 8, 0)];
    for (flags, size, align) in wrong {
        assert_eq!(s.alloc(flags, size, align), None, "{flags} {size} {align}");
    }
    s.free(null_mut());
    s.free(16 as *mut u8);
}

#[test]
fn fine_grained_memory_needs_no_maps() {
    let Some(s) = setup() else { return };
    let can = common::device().expect("as before").svm_mem_capability();
    assert_eq!(can, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
    let numbers =
        s.alloc(mem::CL_MEM_READ_WRITE | mem::CL_MEM_SVM_FINE_GRAIN_BUFFER, 64 * 4, 0).expect("memory").cast::<u32>();
    let source = "kernel void twice(global uint *a) { a[get_global_id(0)] *= 2; }";
    let program = Program::create_and_build_from_source(&s.context, source, "").expect("a program");
    let kernel = Kernel::create(&program, "twice").expect("a kernel");
    // SAFETY: the memory has so many numbers; the queue is finished before the host looks at them.
    unsafe {
        (0..64).for_each(|n| numbers.add(n).write(n as u32));
        kernel.set_arg_svm_pointer(0, numbers.cast::<c_void>()).expect("set");
        let size = 64;
        done(cq::enqueue_nd_range_kernel(s.queue, kernel.get(), 1, null(), &raw const size, null(), 0, null()))
            .expect("enqueued");
        cq::finish(s.queue).expect("finished");
        assert!((0..64).all(|n| numbers.add(n).read() == 2 * n as u32));
    }
    s.free(numbers.cast());
}

#[test]
fn copies_and_fills_do_what_they_say() {
    let Some(s) = setup() else { return };
    let p = s.alloc(0, 1024, 0).expect("memory");
    let at = |n: usize| p.wrapping_add(n);
    s.fill(p, &[1, 2, 3, 4], 4, 1024).expect("filled");
    let mut out = vec![0u8; 12];
    s.copy(out.as_mut_ptr(), at(1022), 2).expect("copied");
    s.copy(out.as_mut_ptr().wrapping_add(4), at(1), 8).expect("copied");
    assert_eq!(out, [3, 4, 0, 0, 2, 3, 4, 1, 2, 3, 4, 1]);
    s.copy(at(512), at(1), 511).expect("beside");
    assert_eq!(s.copy(at(512), at(2), 511), Err(COPY_OVERLAP));
    assert_eq!(s.copy(at(0), at(0), 1), Err(COPY_OVERLAP));
    assert_eq!(s.copy(at(0), at(0), 0), Ok(()));
    assert_eq!(s.copy(null_mut(), p, 1), Err(INVALID_VALUE));
    assert_eq!(s.copy(p, null(), 1), Err(INVALID_VALUE));
    assert_eq!(s.copy(at(1000), out.as_ptr(), 25), Err(INVALID_VALUE), "beyond the allocation");
    for (n, size, length) in [(1, 4, 8), (0, 4, 6), (0, 3, 9), (0, 0, 0), (0, 256, 256), (1020, 4, 8)] {
        assert_eq!(s.fill(at(n), &[0; 256], size, length), Err(INVALID_VALUE), "{n} {size} {length}");
    }
    assert_eq!(s.fill(null_mut(), &[0], 1, 1), Err(INVALID_VALUE));
    // SAFETY: no pattern is read; the queue is none; the wait list is none.
    unsafe {
        let q = s.queue;
        assert_eq!(done(cq::enqueue_svm_mem_fill(q, p.cast(), null(), 1, 1, 0, null())), Err(INVALID_VALUE));
        let none = s.context.get();
        assert_eq!(done(cq::enqueue_svm_mem_cpy(none, 1, p.cast(), at(8).cast(), 1, 0, null())), Err(INVALID_QUEUE));
        assert_eq!(done(cq::enqueue_svm_mem_cpy(q, 1, p.cast(), at(8).cast(), 1, 1, null())), Err(INVALID_WAIT_LIST));
    }
    s.free(p);
}

#[test]
fn maps_and_migrations_are_checked() {
    let Some(s) = setup() else { return };
    let p = s.alloc(0, 256, 0).expect("memory");
    for flags in [1, 2, 3, 4] {
        s.map(p, flags, 256).expect("mapped");
        // SAFETY: mapped, and ours.
        unsafe { p.write_bytes(flags as u8, 256) };
        // SAFETY: as above.
        done(unsafe { cq::enqueue_svm_unmap(s.queue, p.cast(), 0, null()) }).expect("unmapped");
    }
    for (at, flags, size) in [(null_mut(), 1, 1), (p, 1, 0), (p, 5, 1), (p, 8, 1), (p, 1, 257)] {
        assert_eq!(s.map(at, flags, size), Err(INVALID_VALUE), "{flags} {size}");
    }
    // SAFETY: null is refused.
    assert_eq!(done(unsafe { cq::enqueue_svm_unmap(s.queue, null_mut(), 0, null()) }), Err(INVALID_VALUE));
    let q = p.wrapping_add(100);
    assert_eq!(s.migrate(&[p, q], &[256, 156], 0), Ok(()));
    assert_eq!(s.migrate(&[p, q], &[], 3), Ok(()));
    assert_eq!(s.migrate(&[q], &[0], 0), Ok(()));
    for (pointers, sizes, flags) in
        [(vec![], vec![], 0), (vec![p], vec![1], 4), (vec![q], vec![157], 0), (vec![16 as _], vec![1], 0)]
    {
        assert_eq!(s.migrate(&pointers, &sizes, flags), Err(INVALID_VALUE), "{sizes:?}");
    }
    s.free(p);
}

/// What the callback below was called with.
static FREED: Mutex<Vec<(usize, Vec<usize>, usize)>> = Mutex::new(Vec::new());

unsafe extern "C" fn note(queue: cl_command_queue, count: u32, list: *mut *mut c_void, data: *mut c_void) {
    // SAFETY: the driver passes as many pointers as it says.
    let pointers = (0..count as usize).map(|n| unsafe { *list.add(n) } as usize).collect();
    FREED.lock().expect("no panic").push((queue as usize, pointers, data as usize));
}

#[test]
fn commands_free_or_let_the_program_free() {
    let Some(s) = setup() else { return };
    let [p, q] = [(); 2].map(|()| s.alloc(0, 64, 0).expect("memory"));
    let list = [p.cast_const().cast::<c_void>(), q.cast_const().cast()];
    let free = |count, list, function, data| {
        // SAFETY: the list is null or as long as it says; nothing else uses the memory.
        done(unsafe { cq::enqueue_svm_free(s.queue, count, list, function, data, 0, null()) })
    };
    free(2, list.as_ptr(), Some(note), 7 as *mut c_void).expect("enqueued");
    cq::finish(s.queue).expect("finished");
    assert_eq!(*FREED.lock().expect("no panic"), [(s.queue as usize, vec![p as usize, q as usize], 7)]);
    s.map(p, 1, 64).expect("still there");
    assert_eq!(s.map(p, 1, 65), Err(INVALID_VALUE), "known to have 64");
    free(2, list.as_ptr(), None, null_mut()).expect("enqueued");
    cq::finish(s.queue).expect("finished");
    assert_eq!(s.migrate(&[p], &[], 0), Err(INVALID_VALUE), "no more");
    assert_eq!(free(0, null(), None, null_mut()), Ok(()));
    assert_eq!(free(1, null(), None, null_mut()), Err(INVALID_VALUE));
    assert_eq!(free(0, list.as_ptr(), None, null_mut()), Err(INVALID_VALUE));
}

#[test]
fn buffers_use_shared_memory_in_place() {
    let Some(s) = setup() else { return };
    let p = s.alloc(0, 300, 0).expect("memory");
    let make = |flags, at: *mut u8, size| {
        // SAFETY: the allocation outlives the buffer, or the call is refused.
        unsafe { mem::create_buffer(s.context.get(), flags, size, at.cast()) }
    };
    let (uses, copies) = (mem::CL_MEM_USE_HOST_PTR, mem::CL_MEM_COPY_HOST_PTR);
    assert_eq!(make(uses, p, 301), Err(INVALID_BUFFER_SIZE));
    assert_eq!(make(copies, p, 301), Err(INVALID_BUFFER_SIZE));
    let says = |buffer| mem::get_mem_object_data(buffer, mem::CL_MEM_USES_SVM_POINTER).expect("an answer");
    let (yes, no) = (1u32.to_ne_bytes(), 0u32.to_ne_bytes());
    let buffer = make(uses, p, 300).expect("a buffer");
    let copy = make(copies, p, 300).expect("a buffer");
    assert_eq!((says(buffer), says(copy)), (yes.to_vec(), no.to_vec()));
    let region = [128usize, 64];
    // SAFETY: a region is two numbers.
    let part = unsafe { mem::create_sub_buffer(buffer, 0, 0x1220, region.as_ptr().cast()) }.expect("a part");
    assert_eq!(says(part), yes);
    let bytes = [5u8; 4];
    // SAFETY: the bytes are there, and the call waits.
    done(unsafe { cq::enqueue_write_buffer(s.queue, part, 1, 2, 4, bytes.as_ptr().cast(), 0, null()) })
        .expect("written");
    // SAFETY: within the allocation; no command runs.
    assert_eq!(unsafe { *p.add(131) }, 5);
    for object in [part, buffer, copy] {
        // SAFETY: ours.
        unsafe { mem::release_mem_object(object) }.expect("there");
    }
    s.free(p);
}
