//! Pointers that have left the windows of their objects: an access with one says which object was meant, and where.
//!
//! Addresses have room for 4 GiB of each object. A pointer that is moved further away would seem to lead to another object, so
//! it is written down here and gets an address of its own that leads nowhere.

use crate::exec::{Exec, Item};
use crate::memory::{Tag, object_of};

/// First byte of such an address, which is no [`Tag`].
const TAG: u64 = 0x0b;

/// Bits below the number of a pointer: addresses seem to be aligned, so that this is not what is said of them.
const ALIGNED: u32 = 20;

/// Most pointers that are remembered; then the oldest is forgotten. They are used soon, if at all.
const MOST: usize = 1 << 12;

/// A pointer that has left.
#[derive(Clone, Copy, Default)]
pub(crate) struct Left {
    /// The object's name and size.
    pub(crate) name: u32,
    pub(crate) size: u64,
    /// How far from the object's first byte, in bytes.
    pub(crate) offset: i64,
}

/// Those of a group.
#[derive(Default)]
pub(crate) struct Beyond {
    list: Vec<Left>,
    next: usize,
}

impl Beyond {
    /// Whether an address is that of such a pointer.
    pub(crate) fn has(address: u64) -> bool {
        address >> 56 == TAG
    }

    /// Whether no pointer has left.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// What is known of the pointer with this address.
    pub(crate) fn find(&self, address: u64) -> Option<Left> {
        let number = usize::try_from((address & 0xff_ffff_ffff_ffff) >> ALIGNED).ok()?;
        if Self::has(address) { self.list.get(number).copied() } else { None }
    }

    fn add(&mut self, left: Left) -> u64 {
        let number = self.next;
        self.next = (number + 1) % MOST;
        if number == self.list.len() {
            self.list.push(left);
        } else {
            self.list[number] = left;
        }
        TAG << 56 | (number as u64) << ALIGNED
    }
}

impl Exec<'_> {
    /// The address of a pointer that is moved by so many bytes, out of its object's window or outside of it.
    pub(crate) fn leave_window(&mut self, item: &mut Item, pointer: u64, by: u64) -> u64 {
        let from = self.beyond.find(pointer).or_else(|| {
            let tag = Tag::of_address(pointer)?;
            let object = self.arena(item, tag).objects.get(object_of(pointer))?;
            let offset = (pointer & 0xffff_ffff).cast_signed() - object.base.cast_signed();
            Some(Left { name: object.name, size: object.size, offset })
        });
        let Some(from) = from else { return pointer.wrapping_add(by) };
        self.beyond.add(Left { offset: from.offset.saturating_add(by.cast_signed()), ..from })
    }
}
