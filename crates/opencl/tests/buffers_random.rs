//! Random calls on buffers, half of them with a wrong argument, against a model of plain arrays.

mod common;
mod model;

use model::random::{Random, call, spoil};
use model::{Buffer, Call, Handle, Model, Op, Side, Waits, places};
use opencl3::command_queue as cq;
use opencl3::context::Context;
use opencl3::event::{create_user_event, release_event};
use opencl3::memory as mem;
use opencl3::types::{cl_event, cl_mem};
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

/// The program: what it holds, and the model of it.
struct World {
    context: Context,
    other: Context,
    queue: *mut c_void,
    foreign: cl_mem,
    foreign_event: cl_event,
    released: cl_mem,
    handles: Vec<cl_mem>,
    /// For each buffer the pointers of its mappings, in the model's order.
    pointers: Vec<Vec<*mut u8>>,
    model: Model,
    /// The event of the last command, which the next waits for where the queue is out of order.
    last: Option<cl_event>,
    ordered: bool,
    /// Memory that commands still use, and what it must hold in the end.
    pending: Vec<(Vec<u8>, Option<Vec<u8>>)>,
    random: Random,
    /// How often each code was answered.
    codes: BTreeMap<i32, usize>,
}

impl World {
    fn new(seed: u64) -> Option<Self> {
        let device = common::device()?;
        let [context, other] = [(); 2].map(|()| Context::from_device(&device).expect("a context"));
        let ordered = seed.is_multiple_of(2);
        let properties = [0x1093, u64::from(!ordered), 0];
        // SAFETY: valid handles; no memory of ours is passed but a list that ends with 0.
        let (queue, foreign, released, foreign_event) = unsafe {
            let properties = properties.as_ptr().cast();
            let queue = cq::create_command_queue_with_properties(context.get(), device.id(), properties);
            let [foreign, released] =
                [&other, &context].map(|c| mem::create_buffer(c.get(), 0, 256, null_mut()).expect("a buffer"));
            mem::release_mem_object(released).expect("there");
            (queue.expect("a queue"), foreign, released, create_user_event(other.get()).expect("an event"))
        };
        let random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let (handles, pointers, pending) = Default::default();
        let model = Model::default();
        let (last, codes) = (None, BTreeMap::new());
        Some(Self {
            context,
            other,
            queue,
            foreign,
            foreign_event,
            released,
            handles,
            pointers,
            model,
            last,
            ordered,
            pending,
            random,
            codes,
        })
    }

    fn create(&mut self) {
        let size = 1 + self.random.below(700);
        let flags = self.random.pick(&[0, 1, 2, 4]) | self.random.pick(&[0, 0, 0, 1 << 7, 1 << 8, 1 << 9]);
        let bytes = self.random.bytes(size);
        // SAFETY: the bytes are copied.
        let made = unsafe {
            mem::create_buffer(
                self.context.get(),
                flags | mem::CL_MEM_COPY_HOST_PTR,
                size,
                bytes.as_ptr().cast_mut().cast(),
            )
        };
        self.handles.push(made.expect("a buffer"));
        self.pointers.push(Vec::new());
        let store = self.model.stores.len();
        self.model.stores.push(bytes);
        self.model.buffers.push(Buffer { store, start: 0, size, flags, is_part: false, mapped: Vec::new() });
    }
}

/// The parts of a side as the API wants them.
fn raw(side: &Side) -> (*const usize, usize, usize) {
    (side.origin.as_ref().map_or(null(), |o| o.as_ptr()), side.row, side.slice)
}

impl World {
    /// Releases the newest buffer, with its mappings, while commands may still use it.
    fn drop_part(&mut self) {
        assert!(self.model.buffers.pop().is_some_and(|b| b.is_part));
        self.pointers.pop();
        // SAFETY: ours.
        unsafe { mem::release_mem_object(self.handles.pop().expect("as many")) }.expect("there");
    }

    fn handle(&self, handle: Handle) -> cl_mem {
        match handle {
            Handle::Live(n) => self.handles[n],
            Handle::Null => null_mut(),
            Handle::Released => self.released,
            Handle::OfAnotherContext => self.foreign,
            Handle::Queue => self.queue,
        }
    }

    /// Makes the call, checks its answer, and has the model do the same.
    fn perform(&mut self, call: &Call) {
        let expected = self.model.expected(call);
        let blocking = self.random.chance(50);
        // The memory that the call gets: what a write takes, or room for what a read gives.
        let mut data = match &call.op {
            Op::Transfer { size, .. } => self.random.bytes((*size).min(4096)),
            Op::Rect { region: Some(region), outside, .. } => {
                let last = places(outside, *region, None).map_or(0, |p| p.iter().max().map_or(0, |&m| m + 1));
                self.random.bytes(last)
            }
            _ => Vec::new(),
        };
        // The queue must be told from what is none by the driver, not by the loader, which reads what it points to.
        let queue = if call.queue_is_valid { self.queue } else { self.context.get() };
        let (code, made) = self.enqueue(queue, call, blocking, &mut data);
        assert_eq!(code, expected, "{call:?} on {:?}", self.model.buffers);
        *self.codes.entry(code).or_default() += 1;
        if code != model::SUCCESS {
            return;
        }
        self.follow(call, data, made);
        if blocking || self.random.chance(20) {
            self.finish();
        }
    }

    /// Makes the call; what it answers, and the pointer or buffer that it gives.
    fn enqueue(&mut self, queue: *mut c_void, call: &Call, blocking: bool, data: &mut [u8]) -> (i32, *mut c_void) {
        let buffer = self.handle(call.buffer);
        let chain = self.last.filter(|_| !self.ordered);
        let nothing: cl_event = null_mut();
        let (waits, list): (u32, *const cl_event) = match call.waits {
            Waits::Right => chain.as_ref().map_or((0, null()), |e| (1, &raw const *e)),
            Waits::CountWithoutList => (1, null()),
            Waits::ListWithoutCount => (0, &raw const nothing),
            Waits::NullEvent => (1, &raw const nothing),
            Waits::OfAnotherContext => (1, &raw const self.foreign_event),
        };
        let block = u32::from(blocking);
        let mut made: *mut c_void = null_mut();
        let host = |null: bool, data: &mut [u8]| if null { null_mut() } else { data.as_mut_ptr().cast::<c_void>() };
        // SAFETY: the memory is as large as the call says, or the call is refused for its size; what is used later is kept in
        // `pending` until the queue is empty.
        let event = unsafe {
            match &call.op {
                Op::Part { flags, create_type, region } => {
                    let info = region.map(|(origin, size)| [origin, size]);
                    let info = info.as_ref().map_or(null(), |i| i.as_ptr()).cast();
                    match mem::create_sub_buffer(buffer, *flags, *create_type, info) {
                        Ok(part) => return (model::SUCCESS, part),
                        Err(code) => return (code, null_mut()),
                    }
                }
                Op::Transfer { write: true, offset, size, null } => {
                    cq::enqueue_write_buffer(queue, buffer, block, *offset, *size, host(*null, data), waits, list)
                }
                Op::Transfer { write: false, offset, size, null } => {
                    cq::enqueue_read_buffer(queue, buffer, block, *offset, *size, host(*null, data), waits, list)
                }
                Op::Copy { to, from_at, to_at, size } => {
                    cq::enqueue_copy_buffer(queue, buffer, self.handle(*to), *from_at, *to_at, *size, waits, list)
                }
                Op::Fill { pattern, pattern_size, offset, size } => {
                    let pattern = pattern.as_ref().map_or(null(), |p| p.as_ptr()).cast();
                    cq::enqueue_fill_buffer(queue, buffer, pattern, *pattern_size, *offset, *size, waits, list)
                }
                Op::Map { flags, offset, size } => {
                    cq::enqueue_map_buffer(queue, buffer, 1, *flags, *offset, *size, &mut made, waits, list)
                }
                Op::Unmap { which } => {
                    let mapped = match call.buffer {
                        Handle::Live(n) => which.and_then(|w| self.pointers[n].get(w)).copied(),
                        _ => None,
                    };
                    cq::enqueue_unmap_mem_object(queue, buffer, mapped.unwrap_or(null_mut()).cast(), waits, list)
                }
                Op::Rect { write, region, inside, outside, null: no_host } => {
                    let region = region.as_ref().map_or(null(), |r| r.as_ptr());
                    let ((from, row, slice), (to, host_row, host_slice)) = (raw(inside), raw(outside));
                    let p = host(*no_host, data);
                    if *write {
                        cq::enqueue_write_buffer_rect(
                            queue, buffer, block, from, to, region, row, slice, host_row, host_slice, p, waits, list,
                        )
                    } else {
                        cq::enqueue_read_buffer_rect(
                            queue, buffer, block, from, to, region, row, slice, host_row, host_slice, p, waits, list,
                        )
                    }
                }
                Op::CopyRect { to, region, from, into } => {
                    let region = region.as_ref().map_or(null(), |r| r.as_ptr());
                    let ((a, row, slice), (b, to_row, to_slice)) = (raw(from), raw(into));
                    let to = self.handle(*to);
                    cq::enqueue_copy_buffer_rect(
                        queue, buffer, to, a, b, region, row, slice, to_row, to_slice, waits, list,
                    )
                }
            }
        };
        match event {
            Ok(event) => {
                if let Some(old) = self.last.replace(event) {
                    // SAFETY: ours.
                    unsafe { release_event(old) }.expect("there");
                }
                (model::SUCCESS, made)
            }
            Err(code) => (code, null_mut()),
        }
    }

    /// Does to the model what the call did.
    fn follow(&mut self, call: &Call, data: Vec<u8>, made: *mut c_void) {
        let Handle::Live(n) = call.buffer else { unreachable!("it was right") };
        let live = |handle: &Handle| if let Handle::Live(m) = handle { *m } else { unreachable!("it was right") };
        let mut wanted = None;
        match &call.op {
            Op::Part { flags, region, .. } => {
                let (origin, size) = region.expect("it was right");
                let Buffer { store, flags: of, .. } = self.model.buffers[n];
                let group = |mask: u64| if flags & mask == 0 { of & mask } else { flags & mask };
                let flags = group(7) | group(7 << 7);
                self.model.buffers.push(Buffer {
                    store,
                    start: origin,
                    size,
                    flags,
                    is_part: true,
                    mapped: Vec::new(),
                });
                self.handles.push(made);
                self.pointers.push(Vec::new());
            }
            Op::Transfer { write: true, offset, size, .. } => {
                self.model.bytes(n)[*offset..offset + size].copy_from_slice(&data);
            }
            Op::Transfer { write: false, offset, size, .. } => {
                wanted = Some(self.model.bytes(n)[*offset..offset + size].to_vec());
            }
            Op::Copy { to, from_at, to_at, size } => {
                let moved = self.model.bytes(n)[*from_at..from_at + size].to_vec();
                self.model.bytes(live(to))[*to_at..to_at + size].copy_from_slice(&moved);
            }
            Op::Fill { pattern, pattern_size, offset, size } => {
                let pattern = pattern.as_ref().expect("it was right");
                let target = &mut self.model.bytes(n)[*offset..offset + size];
                target.iter_mut().enumerate().for_each(|(i, b)| *b = pattern[i % pattern_size]);
            }
            Op::Map { flags, offset, size } => {
                let write = flags & 6 != 0;
                self.model.buffers[n].mapped.push((*offset, *size, write));
                self.pointers[n].push(made.cast());
                let new = self.random.bytes(*size);
                // SAFETY: the driver says that there is so much memory.
                let mapped = unsafe { std::slice::from_raw_parts_mut(made.cast::<u8>(), *size) };
                let model = &mut self.model.bytes(n)[*offset..offset + size];
                if flags & 4 == 0 {
                    assert_eq!(mapped, model, "{call:?}");
                }
                if write {
                    mapped.copy_from_slice(&new);
                    model.copy_from_slice(&new);
                }
            }
            Op::Unmap { which } => {
                let pointer = self.pointers[n][which.expect("it was right")];
                // Of several with the same pointer, the last.
                let at = self.pointers[n].iter().rposition(|&p| p == pointer).expect("there");
                self.pointers[n].remove(at);
                self.model.buffers[n].mapped.remove(at);
            }
            Op::Rect { write, region, inside, outside, .. } => {
                let region = region.expect("it was right");
                let inside = places(inside, region, None).expect("it was right");
                let outside = places(outside, region, None).expect("it was right");
                let bytes = self.model.bytes(n);
                let mut result = data.clone();
                for (i, o) in inside.into_iter().zip(outside) {
                    if *write { bytes[i] = data[o] } else { result[o] = bytes[i] }
                }
                wanted = Some(result);
            }
            Op::CopyRect { to, region, from, into } => {
                let region = region.expect("it was right");
                let from = places(from, region, None).expect("it was right");
                let into = places(into, region, None).expect("it was right");
                let moved: Vec<u8> = from.into_iter().map(|at| self.model.bytes(n)[at]).collect();
                let bytes = self.model.bytes(live(to));
                into.into_iter().zip(moved).for_each(|(at, byte)| bytes[at] = byte);
            }
        }
        self.pending.push((data, wanted));
    }

    /// Waits for all commands, and looks at what they read.
    fn finish(&mut self) {
        cq::finish(self.queue).expect("finished");
        for (data, wanted) in std::mem::take(&mut self.pending) {
            assert!(wanted.is_none_or(|w| w == data));
        }
    }

    /// All bytes of all buffers are those of the model.
    fn compare(&mut self) {
        self.finish();
        for n in 0..self.handles.len() {
            let copy = vec![0u8; self.model.buffers[n].size];
            // SAFETY: there is room; the copy is not for the host to read, who reads the copy.
            unsafe {
                let host = copy.as_ptr().cast_mut().cast();
                let flags = mem::CL_MEM_USE_HOST_PTR;
                let other = mem::create_buffer(self.context.get(), flags, copy.len(), host).expect("a buffer");
                let event = cq::enqueue_copy_buffer(self.queue, self.handles[n], other, 0, 0, copy.len(), 0, null());
                release_event(event.expect("enqueued")).expect("there");
                cq::finish(self.queue).expect("finished");
                mem::release_mem_object(other).expect("there");
            }
            assert_eq!(copy, self.model.bytes(n), "buffer {n}");
            let count = mem::get_mem_object_data(self.handles[n], mem::CL_MEM_MAP_COUNT).expect("a count");
            assert_eq!(count, (self.pointers[n].len() as u32).to_ne_bytes());
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        // SAFETY: ours.
        unsafe {
            cq::release_command_queue(self.queue).expect("there");
            if let Some(event) = self.last {
                release_event(event).expect("there");
            }
            release_event(self.foreign_event).expect("there");
            self.handles.iter().chain([&self.foreign]).for_each(|&b| mem::release_mem_object(b).expect("there"));
        }
        assert_eq!((self.context.reference_count(), self.other.reference_count()), (Ok(1), Ok(1)));
    }
}

#[test]
fn random_calls_answer_and_do_as_the_model_does() {
    let mut codes = BTreeMap::<i32, usize>::new();
    for seed in 0..24 {
        let Some(mut world) = World::new(seed) else { return };
        (0..4).for_each(|_| world.create());
        for _ in 0..1500 {
            let mut call = call(&mut world.random, &world.model);
            if world.random.chance(50) {
                spoil(&mut world.random, &mut call);
            }
            world.perform(&call);
            if world.handles.len() > 12 {
                world.drop_part();
            }
        }
        world.compare();
        std::mem::take(&mut world.codes).into_iter().for_each(|(code, n)| *codes.entry(code).or_default() += n);
    }
    let all = [
        model::SUCCESS,
        model::COPY_OVERLAP,
        model::MISALIGNED,
        model::INVALID_VALUE,
        model::INVALID_CONTEXT,
        model::INVALID_QUEUE,
        model::INVALID_MEM_OBJECT,
        model::INVALID_WAIT_LIST,
        model::INVALID_OPERATION,
        model::INVALID_BUFFER_SIZE,
    ];
    assert!(all.iter().all(|code| codes.get(code).is_some_and(|&n| n > 5)), "every answer was met: {codes:?}");
}
