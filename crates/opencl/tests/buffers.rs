//! Buffers, sub-buffers and mappings: flags, queries, errors.

mod common;

use opencl3::command_queue as cq;
use opencl3::context::Context;
use opencl3::device::Device;
use opencl3::memory as mem;
use opencl3::types::{cl_command_queue, cl_event, cl_int, cl_mem, cl_mem_flags};
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::Mutex;

const INVALID_VALUE: cl_int = -30;
const INVALID_HOST_PTR: cl_int = -37;
const INVALID_MEM_OBJECT: cl_int = -38;
const INVALID_OPERATION: cl_int = -59;
const INVALID_BUFFER_SIZE: cl_int = -61;
const INVALID_PROPERTY: cl_int = -64;
const MISALIGNED: cl_int = -13;
const COPY_OVERLAP: cl_int = -8;
const REGION: u32 = 0x1220;

struct Setup {
    context: Context,
    queue: cl_command_queue,
}

fn setup() -> Option<Setup> {
    let device: Device = common::device()?;
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
    fn buffer(&self, flags: cl_mem_flags, size: usize) -> cl_mem {
        // SAFETY: no memory of ours is passed.
        unsafe { mem::create_buffer(self.context.get(), flags, size, null_mut()) }.expect("a buffer")
    }

    fn holding(&self, bytes: &[u8]) -> cl_mem {
        let data = bytes.as_ptr().cast_mut().cast();
        // SAFETY: the bytes are copied.
        unsafe { mem::create_buffer(self.context.get(), mem::CL_MEM_COPY_HOST_PTR, bytes.len(), data) }
            .expect("a buffer")
    }

    fn part(&self, of: cl_mem, flags: cl_mem_flags, origin: usize, size: usize) -> Result<cl_mem, cl_int> {
        let region = [origin, size];
        // SAFETY: a region is two numbers.
        unsafe { mem::create_sub_buffer(of, flags, REGION, region.as_ptr().cast()) }
    }

    fn read(&self, buffer: cl_mem, offset: usize, out: &mut [u8]) -> Result<(), cl_int> {
        let to = out.as_mut_ptr().cast();
        // SAFETY: there is room, and the call waits.
        done(unsafe { cq::enqueue_read_buffer(self.queue, buffer, 1, offset, out.len(), to, 0, null()) })
    }

    fn write(&self, buffer: cl_mem, offset: usize, bytes: &[u8]) -> Result<(), cl_int> {
        let from = bytes.as_ptr().cast();
        // SAFETY: the bytes are there, and the call waits.
        done(unsafe { cq::enqueue_write_buffer(self.queue, buffer, 1, offset, bytes.len(), from, 0, null()) })
    }

    fn copy(&self, from: cl_mem, to: cl_mem, at: (usize, usize), size: usize) -> Result<(), cl_int> {
        // SAFETY: nothing of ours is passed.
        done(unsafe { cq::enqueue_copy_buffer(self.queue, from, to, at.0, at.1, size, 0, null()) })
    }

    fn map(&self, buffer: cl_mem, flags: u64, offset: usize, size: usize) -> Result<*mut u8, cl_int> {
        let mut at: *mut c_void = null_mut();
        // SAFETY: the pointer is ours.
        done(unsafe { cq::enqueue_map_buffer(self.queue, buffer, 1, flags, offset, size, &mut at, 0, null()) })?;
        Ok(at.cast())
    }

    fn unmap(&self, buffer: cl_mem, at: *mut u8) -> Result<(), cl_int> {
        // SAFETY: any pointer may be passed.
        done(unsafe { cq::enqueue_unmap_mem_object(self.queue, buffer, at.cast(), 0, null()) })
    }

    fn bytes(&self, buffer: cl_mem) -> Vec<u8> {
        let mut out = vec![0; number(buffer, mem::CL_MEM_SIZE) as usize];
        self.read(buffer, 0, &mut out).expect("read");
        out
    }
}

/// Releases the event of a command, which is not wanted.
fn done(event: Result<cl_event, cl_int>) -> Result<(), cl_int> {
    // SAFETY: a new event.
    event.map(|e| unsafe { opencl3::event::release_event(e) }.expect("the event was there"))
}

/// The answer to a query, as a number.
fn number(buffer: cl_mem, name: u32) -> u64 {
    let mut bytes = mem::get_mem_object_data(buffer, name).expect("an answer");
    bytes.resize(8, 0);
    u64::from_ne_bytes(bytes.try_into().expect("eight"))
}

fn release(buffer: cl_mem) {
    // SAFETY: ours.
    unsafe { mem::release_mem_object(buffer) }.expect("it was there");
}

#[test]
fn flags_are_taken_and_refused_as_the_table_says() {
    let Some(s) = setup() else { return };
    let mut data = vec![7u8; 64];
    for flags in 0u64..1 << 13 {
        for host_ptr in [null_mut(), data.as_mut_ptr().cast::<c_void>()] {
            let has = |bit: u32| flags >> bit & 1 == 1;
            let count = |bits: &[u32]| bits.iter().filter(|&&b| has(b)).count();
            let (uses, allocates, copies) = (has(3), has(4), has(5));
            // Bit 6 is a hint of AMD's (`CL_MEM_USE_PERSISTENT_MEM_AMD`), which its samples set for any device.
            let unknown = flags >> 10 != 0;
            let wrong = unknown || count(&[0, 1, 2]) > 1 || count(&[7, 8, 9]) > 1 || uses && (allocates || copies);
            let expected = match (wrong, uses || copies, host_ptr.is_null()) {
                (true, ..) => Err(INVALID_VALUE),
                (_, true, true) | (_, false, false) => Err(INVALID_HOST_PTR),
                _ => Ok(()),
            };
            // SAFETY: the data outlive the buffer.
            let made = unsafe { mem::create_buffer(s.context.get(), flags, 64, host_ptr) };
            assert_eq!(made.map(|_| ()), expected, "flags {flags:#x} {host_ptr:?}");
            if let Ok(buffer) = made {
                assert_eq!(number(buffer, mem::CL_MEM_FLAGS), flags);
                assert_eq!(number(buffer, mem::CL_MEM_HOST_PTR), if uses { host_ptr as u64 } else { 0 });
                if copies && count(&[7, 9]) == 0 {
                    assert_eq!(s.bytes(buffer), data);
                }
                release(buffer);
            }
        }
    }
}

#[test]
fn sizes_and_properties_are_checked() {
    let Some(s) = setup() else { return };
    let most = common::device().expect("as before").max_mem_alloc_size().expect("a size") as usize;
    for (size, expected) in [(0, Err(INVALID_BUFFER_SIZE)), (most + 1, Err(INVALID_BUFFER_SIZE)), (most, Ok(()))] {
        // SAFETY: no memory of ours is passed.
        let made = unsafe { mem::create_buffer(s.context.get(), 0, size, null_mut()) };
        assert_eq!(made.map(release), expected, "{size}");
    }
    // SAFETY: as above; null is no context.
    assert_eq!(unsafe { mem::create_buffer(null_mut(), 0, 64, null_mut()) }, Err(-34));
    for (list, expected) in [(vec![], Ok(0)), (vec![0], Ok(8)), (vec![1, 2, 0], Err(INVALID_PROPERTY))] {
        let list: Vec<u64> = list;
        let at = if list.is_empty() { null() } else { list.as_ptr() };
        // SAFETY: the list is null or ends with 0.
        let made = unsafe { mem::create_buffer_with_properties(s.context.get(), at, 0, 64, null_mut()) };
        let length = made.map(|b| (mem::get_mem_object_data(b, 0x110A).map(|p| p.len()), release(b)).0);
        assert_eq!(length, expected.map(Ok), "{list:?}");
    }
}

#[test]
fn sub_buffers_are_windows_and_inherit() {
    let Some(s) = setup() else { return };
    let all: Vec<u8> = (0..=255).cycle().take(1024).collect();
    let parent = s.holding(&all);
    let part = s.part(parent, 0, 256, 100).expect("a part");
    assert_eq!(s.bytes(part), all[256..356]);
    s.write(part, 1, &[99]).expect("write");
    assert_eq!(s.bytes(parent)[257], 99);
    assert_eq!(number(part, mem::CL_MEM_SIZE), 100);
    assert_eq!(number(part, mem::CL_MEM_OFFSET), 256);
    assert_eq!(number(part, mem::CL_MEM_ASSOCIATED_MEMOBJECT), parent as u64);
    assert_eq!(number(part, mem::CL_MEM_FLAGS), mem::CL_MEM_COPY_HOST_PTR);
    assert_eq!(s.part(part, 0, 0, 10), Err(INVALID_MEM_OBJECT), "a part of a part");
    assert_eq!(s.part(parent, 0, 1000, 25), Err(INVALID_VALUE), "out of bounds");
    assert_eq!(s.part(parent, 0, usize::MAX, 2), Err(INVALID_VALUE), "out of bounds");
    assert_eq!(s.part(parent, 0, 128, 0), Err(INVALID_BUFFER_SIZE));
    assert_eq!(s.part(parent, 0, 129, 4), Err(MISALIGNED));
    // SAFETY: what is null is not read.
    assert_eq!(unsafe { mem::create_sub_buffer(parent, 0, REGION, null()) }, Err(INVALID_VALUE));
    let region = [0usize, 128];
    // SAFETY: a region is two numbers.
    assert_eq!(unsafe { mem::create_sub_buffer(parent, 0, REGION + 1, region.as_ptr().cast()) }, Err(INVALID_VALUE));
    release(parent);
    assert_eq!(s.bytes(part)[1], 99, "the part keeps it");
    release(part);
    assert_eq!(mem::get_mem_object_data(part, mem::CL_MEM_SIZE), Err(INVALID_MEM_OBJECT));
}

#[test]
fn sub_buffers_have_flags_that_their_buffer_allows() {
    let Some(s) = setup() else { return };
    for parent_flags in [0, 1, 2, 4, 1 << 7, 1 << 8, 1 << 9, 2 | 1 << 8, 4 | 1 << 7] {
        let parent = s.buffer(parent_flags, 256);
        for flags in (0u64..8).flat_map(|k| (0u64..8).map(move |h| k | h << 7)).chain([1 << 3, 1 << 4, 1 << 5, 1 << 10])
        {
            let (kernel, host) = (flags & 7, flags >> 7 & 7);
            let refused = match parent_flags & 7 {
                2 => kernel & 5 != 0,
                4 => kernel & 3 != 0,
                _ => false,
            } || match parent_flags >> 7 & 7 {
                1 => host & 2 != 0,
                2 => host & 1 != 0,
                4 => host & 3 != 0,
                _ => false,
            } || kernel.count_ones() > 1
                || host.count_ones() > 1
                || flags & !(7 | 7 << 7) != 0;
            let made = s.part(parent, flags, 0, 128);
            let kernel = if kernel == 0 { parent_flags & 7 } else { kernel };
            let host = if host == 0 { parent_flags >> 7 & 7 } else { host };
            let expected = if refused { Err(INVALID_VALUE) } else { Ok(kernel | host << 7) };
            let flags_of = made.map(|b| (number(b, mem::CL_MEM_FLAGS), release(b)).0);
            assert_eq!(flags_of, expected, "{flags:#x} of {parent_flags:#x}");
        }
        release(parent);
    }
}

/// What the callbacks below were called with.
static CALLED: Mutex<Vec<usize>> = Mutex::new(Vec::new());

extern "C" fn note(_: cl_mem, data: *mut c_void) {
    CALLED.lock().expect("no panic").push(data as usize);
}

#[test]
fn destructors_are_called_in_reverse_when_nothing_needs_the_buffer() {
    let Some(s) = setup() else { return };
    let parent = s.buffer(0, 256);
    let part = s.part(parent, 0, 128, 128).expect("a part");
    for (buffer, number) in [(parent, 1), (parent, 2), (part, 3), (part, 4)] {
        // SAFETY: the callback only looks at the number.
        unsafe { mem::set_mem_object_destructor_callback(buffer, note, number as *mut c_void) }.expect("set");
    }
    release(parent);
    assert!(CALLED.lock().expect("no panic").is_empty());
    // SAFETY: ours.
    unsafe { mem::retain_mem_object(part) }.expect("retained");
    assert_eq!(number(part, mem::CL_MEM_REFERENCE_COUNT), 2);
    release(part);
    release(part);
    assert_eq!(*CALLED.lock().expect("no panic"), [4, 3, 2, 1]);
}

#[test]
fn memory_of_the_program_is_used_in_place() {
    let Some(s) = setup() else { return };
    let mut data = vec![1u8; 1000];
    let base = data.as_mut_ptr();
    // SAFETY: the data outlive the buffer.
    let buffer = unsafe { mem::create_buffer(s.context.get(), mem::CL_MEM_USE_HOST_PTR, 1000, base.cast()) };
    let buffer = buffer.expect("a buffer");
    s.write(buffer, 10, &[2, 3]).expect("write");
    assert_eq!(data[9..13], [1, 2, 3, 1]);
    assert_eq!(s.map(buffer, 3, 11, 5), Ok(base.wrapping_add(11)));
    s.unmap(buffer, base.wrapping_add(11)).expect("mapped");
    let part = s.part(buffer, 0, 128, 5).expect("a part");
    assert_eq!(number(part, mem::CL_MEM_HOST_PTR), base as u64 + 128);
    assert_eq!(s.map(part, 1, 2, 3), Ok(base.wrapping_add(130)));
    s.unmap(part, base.wrapping_add(130)).expect("mapped");
    release(part);
    release(buffer);
}

#[test]
fn mappings_are_counted_and_do_not_overlap_for_writing() {
    let Some(s) = setup() else { return };
    let buffer = s.buffer(0, 512);
    let count = |b| number(b, mem::CL_MEM_MAP_COUNT);
    let first = s.map(buffer, mem::CL_MAP_WRITE, 0, 100).expect("a mapping");
    let second = s.map(buffer, mem::CL_MAP_READ, 50, 100).expect("reading may overlap");
    assert_eq!(second as usize - first as usize, 50);
    assert_eq!(s.map(buffer, mem::CL_MAP_WRITE_INVALIDATE_REGION, 99, 10), Err(INVALID_OPERATION));
    let part = s.part(buffer, 0, 0, 64).expect("a part");
    assert_eq!(s.map(part, mem::CL_MAP_WRITE, 0, 1), Err(INVALID_OPERATION), "the buffer has it");
    assert_eq!((count(buffer), count(part)), (2, 0));
    assert_eq!(s.unmap(part, first), Err(INVALID_VALUE), "a mapping of the buffer");
    assert_eq!(s.unmap(buffer, first.wrapping_add(1)), Err(INVALID_VALUE));
    s.unmap(buffer, first).expect("mapped");
    assert_eq!(s.unmap(buffer, first), Err(INVALID_VALUE), "twice");
    let third = s.map(part, mem::CL_MAP_WRITE, 0, 64).expect("free now");
    assert_eq!((third, count(buffer), count(part)), (first, 1, 1));
    release(part);
    s.map(buffer, mem::CL_MAP_WRITE, 0, 512).expect("mappings go with the part that they are of");
    for (flags, offset, size) in
        [(3, 512, 1), (3, 0, 513), (3, 1, usize::MAX), (3, 0, 0), (8, 0, 1), (5, 0, 1), (6, 0, 1)]
    {
        assert_eq!(s.map(buffer, flags, offset, size), Err(INVALID_VALUE), "{flags} {offset} {size}");
    }
    release(buffer);
}

#[test]
fn what_the_host_may_not_do_is_refused() {
    let Some(s) = setup() else { return };
    let cases = [(0, true, true), (1 << 7, false, true), (1 << 8, true, false), (1 << 9, false, false)];
    for (flags, reads, writes) in cases {
        let buffer = s.buffer(flags, 128);
        let expect = |allowed: bool| if allowed { Ok(()) } else { Err(INVALID_OPERATION) };
        let mut byte = [0];
        assert_eq!(s.read(buffer, 0, &mut byte), expect(reads), "read {flags:#x}");
        assert_eq!(s.write(buffer, 0, &byte), expect(writes), "write {flags:#x}");
        for (map, wanted) in [(1, reads), (2, writes), (3, reads && writes), (4, writes)] {
            let mapped = s.map(buffer, map, 0, 1).map(|at| s.unmap(buffer, at).expect("mapped"));
            assert_eq!(mapped, expect(wanted), "map {map} {flags:#x}");
        }
        let other = s.buffer(0, 128);
        assert_eq!(s.copy(buffer, other, (0, 0), 128), Ok(()), "copies are not the host's");
        assert_eq!(s.copy(other, buffer, (0, 0), 128), Ok(()), "copies are not the host's");
        let part = s.part(buffer, 0, 0, 64).expect("a part");
        assert_eq!(s.read(part, 0, &mut byte), expect(reads), "parts inherit {flags:#x}");
        [part, other, buffer].into_iter().for_each(release);
    }
}

#[test]
fn overlapping_copies_are_refused_also_between_sub_buffers() {
    let Some(s) = setup() else { return };
    let buffer = s.holding(&(0..=255).collect::<Vec<u8>>());
    let [low, high] = [(0, 192), (128, 128)].map(|(at, size)| s.part(buffer, 0, at, size).expect("a part"));
    assert_eq!(s.copy(buffer, buffer, (0, 9), 10), Err(COPY_OVERLAP));
    assert_eq!(s.copy(buffer, buffer, (9, 0), 10), Err(COPY_OVERLAP));
    assert_eq!(s.copy(buffer, buffer, (5, 5), 0), Ok(()));
    assert_eq!(s.copy(buffer, buffer, (0, 10), 10), Ok(()));
    assert_eq!(s.copy(low, high, (100, 0), 29), Err(COPY_OVERLAP));
    assert_eq!(s.copy(high, low, (0, 190), 2), Ok(()));
    assert_eq!(s.copy(high, buffer, (0, 127), 2), Err(COPY_OVERLAP));
    assert_eq!(s.copy(low, high, (192, 0), 1), Err(INVALID_VALUE));
    assert_eq!(s.bytes(buffer)[..20], [(0..10), (0..10)].into_iter().flatten().collect::<Vec<u8>>());
    assert_eq!(s.bytes(buffer)[190..192], [128, 129]);
    [low, high, buffer].into_iter().for_each(release);
}

#[test]
fn pipes_are_absent_and_buffers_are_no_images() {
    let Some(s) = setup() else { return };
    // SAFETY: no properties.
    assert_eq!(unsafe { mem::create_pipe(s.context.get(), 0, 4, 4) }, Err(INVALID_OPERATION));
    let buffer = s.buffer(0, 64);
    assert_eq!(mem::get_image_data(buffer, 0x1110), Err(INVALID_MEM_OBJECT));
    assert_eq!(mem::get_pipe_data(buffer, 0x1120), Err(INVALID_MEM_OBJECT));
    release(buffer);
}
