//! `malloc` and `free` of kernels.

use crate::decode::Op;
use crate::exec::{Exec, Item, Outcome};
use crate::memory::{Tag, object_of};
use crate::trap::TrapKind;

/// Bytes that kernels may have at a time: what CUDA gives them unless `cudaDeviceSetLimit` says otherwise.
const HEAP_BYTES: u64 = 8 << 20;
/// What all that they ever ask for may come to: memory that is not freed in the reverse order is not used again.
const HEAP_EVER: u64 = 1 << 30;
/// Objects that they may make.
const HEAP_OBJECTS: usize = 1 << 22;
/// Alignment of what `malloc` gives.
const ALIGN: u64 = 16;

/// What kernels have of the heap.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Heap {
    /// Bytes in use.
    live: u64,
    /// Bytes asked for so far.
    ever: u64,
    /// The first object that is theirs, once there is one.
    first: Option<usize>,
    /// The name of their objects.
    pub(crate) name: u32,
}

impl Exec<'_> {
    /// Gives memory that nobody has written; null if there is no more.
    pub(crate) fn malloc(&mut self, item: &mut Item, base: usize, op: &Op) -> Outcome<()> {
        let r = base + op.args[0] as usize;
        self.decides(item, r, "the size of an allocation")?;
        let bytes = item.regs[r];
        let heap = &mut *self.heap;
        let total = |n: u64| n.checked_add(bytes);
        let fits =
            total(heap.live).is_some_and(|n| n <= HEAP_BYTES) && total(heap.ever).is_some_and(|n| n <= HEAP_EVER);
        let address = if fits && self.global.objects.len() < HEAP_OBJECTS {
            heap.first.get_or_insert(self.global.objects.len());
            (heap.live, heap.ever) = (heap.live + bytes, heap.ever + bytes);
            self.global.push(bytes, ALIGN, heap.name)
        } else {
            0
        };
        item.set(op.dst, address, 0);
        Ok(())
    }

    /// Takes memory back. What is accessed afterwards is out of bounds.
    pub(crate) fn free(&mut self, item: &mut Item, base: usize, op: &Op) -> Outcome<()> {
        let r = base + op.args[0] as usize;
        self.decides(item, r, "an address that is freed")?;
        let address = item.regs[r];
        if address == 0 {
            return Ok(());
        }
        let n = object_of(address);
        let ours = Tag::of_address(address) == Some(Tag::Global) && self.heap.first.is_some_and(|first| n >= first);
        let object = self
            .global
            .objects
            .get(n)
            .filter(|o| ours && o.name == self.heap.name && address & 0xffff_ffff == o.base && !o.write_only);
        let Some(o) = object.cloned() else {
            return Err(TrapKind::BadFree { address });
        };
        self.heap.live -= o.size;
        if o.start as u64 + o.size == self.global.bytes.len() as u64 {
            self.global.bytes.truncate(o.start);
            self.global.shadow.truncate(o.start);
        }
        let object = &mut self.global.objects[n];
        // What is freed has no bytes; the mark tells it from an object of none.
        (object.size, object.write_only) = (0, true);
        Ok(())
    }
}
