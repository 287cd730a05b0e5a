//! Memory of a device that lies on this machine: what was allocated, and whose an address is.
//!
//! The host's own device reaches all memory of the process; what is allocated there only has an owner. A device with
//! memory apart ([`Memory::apart`]) reaches what was allocated there and nothing else: addresses are looked up, memory holds
//! [`POISON`] until it is written, and around each allocation lies space that cannot be accessed. What is freed goes back to
//! the system when the commands that use it have ended.
//!
//! A look-up takes time that grows with the logarithm of the number of allocations.

use crate::Error;
use launch::buffer::Buffer;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// An address in a device's memory. Zero is no memory; addresses may be counted on within an allocation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct DevicePtr(pub u64);

impl DevicePtr {
    /// No memory.
    pub const NULL: Self = Self(0);

    /// Memory of the host, for devices that [reach](crate::Device::is_unified) it.
    pub fn of_host<T>(at: *mut T) -> Self {
        Self(at as u64)
    }

    /// So many bytes further on.
    #[must_use]
    pub fn offset(self, bytes: u64) -> Self {
        Self(self.0.wrapping_add(bytes))
    }

    /// As an argument of a kernel.
    pub fn argument(self) -> crate::Arg<'static> {
        crate::Arg::Pointer(self.0 as *mut u8)
    }
}

/// What bytes of memory apart hold before they are written.
pub(crate) const POISON: u8 = 0xcb;

/// An allocation. Who holds it keeps its bytes.
#[derive(Debug)]
pub(crate) struct Block {
    start: u64,
    /// Owns the bytes; they are accessed through addresses only.
    buffer: Buffer,
    /// Callers may free it.
    is_callers: bool,
}

impl Block {
    fn end(&self) -> u64 {
        self.start + self.buffer.len() as u64
    }
}

/// The memory of a device.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    apart: bool,
    /// By their first addresses.
    blocks: Mutex<BTreeMap<u64, Arc<Block>>>,
    /// Those that were freed while commands used them.
    leaving: Mutex<Vec<Weak<Block>>>,
}

impl Memory {
    /// Memory apart from the host's.
    pub(crate) fn apart() -> Self {
        Self { apart: true, ..Self::default() }
    }

    /// Whether it is apart from the host's.
    pub(crate) fn is_apart(&self) -> bool {
        self.apart
    }

    fn blocks(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Block>>> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Memory for so many bytes: on a multiple of 128, between guards; zeros, or poison where it is apart.
    ///
    /// # Errors
    /// There is not so much.
    pub(crate) fn allocate(&self, bytes: u64) -> Result<DevicePtr, Error> {
        let poison = |memory: &mut [u8], _| {
            if self.apart {
                memory.fill(POISON);
            }
        };
        self.add(bytes, true, poison)
    }

    /// Memory that only its owner frees, with [`Memory::release`]; `fill` gets zeros and their address.
    ///
    /// # Errors
    /// There is not so much.
    pub(crate) fn reserve(&self, bytes: u64, fill: impl FnOnce(&mut [u8], u64)) -> Result<DevicePtr, Error> {
        self.add(bytes, false, fill)
    }

    fn add(&self, bytes: u64, is_callers: bool, fill: impl FnOnce(&mut [u8], u64)) -> Result<DevicePtr, Error> {
        // Memory without a byte has an address of its own, too.
        let mut buffer = Buffer::guarded(bytes.max(1)).map_err(Error::Allocation)?;
        let start = buffer.as_mut_ptr() as u64;
        fill(&mut buffer, start);
        self.blocks().insert(start, Arc::new(Block { start, buffer, is_callers }));
        Ok(DevicePtr(start))
    }

    /// Gives memory back once no command in flight uses it.
    ///
    /// # Errors
    /// The address is none that [`Memory::allocate`] gave, or was freed.
    pub(crate) fn free(&self, at: DevicePtr) -> Result<(), Error> {
        let is_callers = || self.blocks().get(&at.0).is_some_and(|b| b.is_callers);
        if at == DevicePtr::NULL || is_callers() && self.release(at) {
            return Ok(());
        }
        Err(Error::NotDeviceMemory { what: "what is freed", address: at.0 })
    }

    /// The same for any memory; whether there was some.
    pub(crate) fn release(&self, at: DevicePtr) -> bool {
        let Some(block) = self.blocks().remove(&at.0) else { return false };
        let mut leaving = self.leaving.lock().unwrap_or_else(PoisonError::into_inner);
        leaving.retain(|b| b.strong_count() > 0);
        // Who else holds it is a command in flight.
        if Arc::strong_count(&block) > 1 {
            leaving.push(Arc::downgrade(&block));
        }
        true
    }

    /// The allocation that an address points to, or just behind, also one that commands in flight still use; `None` if
    /// there is none.
    pub(crate) fn find(&self, address: u64) -> Option<Arc<Block>> {
        let contains = |b: &Arc<Block>| (b.start..=b.end()).contains(&address);
        let found = self.blocks().range(..=address).next_back().map(|(_, b)| Arc::clone(b)).filter(contains);
        found.or_else(|| {
            let leaving = self.leaving.lock().unwrap_or_else(PoisonError::into_inner);
            leaving.iter().filter_map(Weak::upgrade).find(contains)
        })
    }

    /// The allocation that these bytes are in; `None` if they are the host's, which the device reaches.
    ///
    /// # Errors
    /// They leave the allocation in which they begin, or are nothing that the device reaches. `what` says what they are.
    pub(crate) fn range(&self, what: &'static str, at: DevicePtr, bytes: u64) -> Result<Option<Arc<Block>>, Error> {
        match self.find(at.0) {
            Some(block) if at.0.checked_add(bytes).is_some_and(|end| end <= block.end()) => Ok(Some(block)),
            Some(block) => Err(Error::OutsideAllocation {
                what,
                offset: at.0 - block.start,
                bytes,
                size: block.buffer.len() as u64,
            }),
            None if self.apart || at == DevicePtr::NULL => Err(Error::NotDeviceMemory { what, address: at.0 }),
            None => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_apart_is_poisoned_and_bounded() {
        let memory = Memory::apart();
        let at = memory.allocate(100).expect("little");
        let block = memory.range("it", at, 100).expect("inside").expect("an allocation");
        assert!(block.buffer.iter().all(|&b| b == POISON));
        drop(block);
        let e = memory.range("it", at.offset(60), 41).expect_err("one too many");
        assert!(matches!(e, Error::OutsideAllocation { offset: 60, bytes: 41, size: 100, .. }), "{e}");
        assert!(matches!(memory.range("it", at, u64::MAX), Err(Error::OutsideAllocation { .. })));
        let mut local = 0u32;
        let e = memory.range("it", DevicePtr::of_host(&raw mut local), 4).expect_err("the host's");
        assert!(e.to_string().contains("no memory of the device"), "{e}");
        memory.free(at).expect("once");
        assert!(matches!(memory.free(at), Err(Error::NotDeviceMemory { .. })));
        assert!(matches!(memory.range("it", at, 1), Err(Error::NotDeviceMemory { .. })));
        memory.free(DevicePtr::NULL).expect("nothing");
    }

    #[test]
    fn the_hosts_memory_is_reached_where_it_is_not_apart() {
        let memory = Memory::default();
        let mut local = 0u32;
        assert!(memory.range("it", DevicePtr::of_host(&raw mut local), 4).expect("reached").is_none());
        let at = memory.allocate(8).expect("little");
        assert!(memory.range("it", at, 9).is_err());
        assert!(memory.range("it", DevicePtr::NULL, 0).is_err());
    }

    #[test]
    fn what_commands_use_stays_until_they_end() {
        let memory = Memory::apart();
        let at = memory.allocate(100).expect("little");
        let held = memory.find(at.0 + 5);
        memory.free(at).expect("once");
        assert!(memory.find(at.0 + 5).is_some() && memory.free(at).is_err());
        drop(held);
        assert!(memory.find(at.0 + 5).is_none());
    }

    #[test]
    fn what_is_reserved_is_not_the_callers() {
        let memory = Memory::default();
        let at = memory.reserve(4, |bytes, _| bytes.fill(1)).expect("little");
        assert!(memory.free(at).is_err());
        assert!(memory.release(at) && !memory.release(at));
    }

    #[test]
    fn allocations_without_bytes_have_addresses_of_their_own() {
        let memory = Memory::apart();
        let (a, b) = (memory.allocate(0).expect("none"), memory.allocate(0).expect("none"));
        assert_ne!(a, b);
        memory.free(a).and_then(|()| memory.free(b)).expect("both");
    }
}
