//! Objects and addresses.
//!
//! An address is `tag << 56 | object << 32 | offset`: the tag names the kind of memory, so that generic pointers need
//! no conversion, and each object has a window of 4 GiB of its own, so that running off one never ends in another.
//! An object's first byte has its alignment as offset, not 0: that way it is aligned to that, but to nothing more,
//! and code that promises more is caught. Null is 0 in every space and points nowhere.
//!
//! Each byte of memory has a shadow byte: 0 if it holds something, [`UNDEF`] if nothing was ever written there.

use crate::pages::WORD as WORD_BYTES;
use ir::AddrSpace;

/// Bytes of a word.
const WORD: usize = WORD_BYTES as usize;

/// Shadow of a byte that was never written, or got an undefined value.
pub(crate) const UNDEF: u8 = 1;

/// Largest object.
pub(crate) const MAX_OBJECT: u64 = 0xf000_0000;

/// Kind of memory, bits 56 and up of an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Tag {
    Global = 1,
    Constant = 2,
    Shared = 3,
    Private = 4,
    Param = 5,
}

impl Tag {
    #[inline]
    pub(crate) fn of_address(address: u64) -> Option<Self> {
        Some(match address >> 56 {
            1 => Self::Global,
            2 => Self::Constant,
            3 => Self::Shared,
            4 => Self::Private,
            5 => Self::Param,
            _ => return None,
        })
    }

    /// Whether a pointer into `space` may point to this kind of memory.
    pub(crate) fn fits(self, space: AddrSpace) -> bool {
        match space {
            AddrSpace::Generic => true,
            AddrSpace::Global => self == Self::Global,
            AddrSpace::Param => self == Self::Param,
            AddrSpace::Shared => self == Self::Shared,
            // Buffers of the host serve as constant memory, too.
            AddrSpace::Constant => matches!(self, Self::Constant | Self::Global),
            AddrSpace::Private => self == Self::Private,
        }
    }
}

/// Number of the object in an address.
pub(crate) fn object_of(address: u64) -> usize {
    (address >> 32 & 0xff_ffff) as usize
}

/// One object: where it lies in its arena.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    /// First byte in the arena.
    pub(crate) start: usize,
    pub(crate) size: u64,
    /// Offset of the first byte in an address.
    pub(crate) base: u64,
    /// May not be written by kernels.
    pub(crate) read_only: bool,
    /// May not be read by kernels.
    pub(crate) write_only: bool,
    /// What to call it in messages: an index that the owner of the arena understands.
    pub(crate) name: u32,
}

/// The object that `len` bytes at `address` are in, and where in it.
#[inline]
pub(crate) fn locate(objects: &[Object], address: u64, len: u64) -> Option<(usize, &Object)> {
    let o = objects.get(object_of(address))?;
    let at = (address & 0xffff_ffff).checked_sub(o.base)?;
    (at.checked_add(len)? <= o.size).then_some((at as usize, o))
}

/// Objects of one kind of memory, one after another.
#[derive(Clone, Debug)]
pub(crate) struct Arena {
    pub(crate) tag: Tag,
    pub(crate) objects: Vec<Object>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) shadow: Vec<u8>,
}

impl Arena {
    pub(crate) fn new(tag: Tag) -> Self {
        Self { tag, objects: Vec::new(), bytes: Vec::new(), shadow: Vec::new() }
    }

    /// Adds an object of unwritten bytes; its address. The caller has checked size and number.
    pub(crate) fn push(&mut self, size: u64, align: u64, name: u32) -> u64 {
        // What is known of words is not of two objects.
        let start = self.bytes.len().next_multiple_of(WORD);
        let base = align.clamp(1, 1 << 20);
        self.objects.push(Object { start, size, base, read_only: false, write_only: false, name });
        self.bytes.resize(start + size as usize, 0);
        self.shadow.resize(start + size as usize, UNDEF);
        self.address(self.objects.len() - 1)
    }

    /// Adds objects of unwritten bytes, given as [`Arena::push`] takes them, one after another; `told` gets their numbers
    /// among them and their addresses.
    pub(crate) fn push_all(
        &mut self,
        bytes: u64,
        objects: impl Iterator<Item = (u64, u64, u32)>,
        mut told: impl FnMut(usize, u64),
    ) {
        let mut start = self.bytes.len();
        self.bytes.resize(start + bytes as usize, 0);
        self.shadow.resize(start + bytes as usize, UNDEF);
        for (n, (size, align, name)) in objects.enumerate() {
            let base = align.clamp(1, 1 << 20);
            self.objects.push(Object { start, size, base, read_only: false, write_only: false, name });
            told(n, self.address(self.objects.len() - 1));
            start += size as usize;
        }
    }

    /// Copies bytes with their shadows, as if they were all read before the first is written.
    pub(crate) fn copy_within(&mut self, from: usize, to: usize, len: usize) {
        self.bytes.copy_within(from..from + len, to);
        self.shadow.copy_within(from..from + len, to);
    }

    /// Address of an object's first byte.
    pub(crate) fn address(&self, object: usize) -> u64 {
        (self.tag as u64) << 56 | (object as u64) << 32 | self.objects[object].base
    }

    /// Drops all objects from number `objects` on.
    pub(crate) fn truncate(&mut self, objects: usize) {
        if let Some(o) = self.objects.get(objects) {
            self.bytes.truncate(o.start);
            self.shadow.truncate(o.start);
            self.objects.truncate(objects);
        }
    }

    /// Where `len` bytes at `address` lie in the arena, if they are inside one object.
    #[inline]
    pub(crate) fn locate(&self, address: u64, len: u64) -> Option<(usize, &Object)> {
        locate(&self.objects, address, len).map(|(at, o)| (o.start + at, o))
    }

    /// Puts bytes into an object, as the host does: no checks of read-only.
    pub(crate) fn fill(&mut self, at: usize, data: &[u8]) {
        self.bytes[at..at + data.len()].copy_from_slice(data);
        self.shadow[at..at + data.len()].fill(0);
    }
}
