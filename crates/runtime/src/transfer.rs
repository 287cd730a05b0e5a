//! Copies between the memory of the host and that of a device, and within it: bytes in a row, rows, slices.

use crate::Error;
use crate::memory::{Block, DevicePtr, Memory};
use std::sync::Arc;

/// Where one side of a copy begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// At an address of the host's.
    Host(u64),
    /// In the device's memory.
    Device(DevicePtr),
}

impl Place {
    fn address(self) -> u64 {
        match self {
            Self::Host(at) => at,
            Self::Device(at) => at.0,
        }
    }

    fn offset(self, bytes: u64) -> *mut u8 {
        self.address().wrapping_add(bytes) as *mut u8
    }
}

/// A copy: slices of rows of bytes, each side with distances of its own between them (`cuMemcpy3D`,
/// `clEnqueueCopyBufferRect`). Both sides begin at their first byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transfer {
    /// What is read.
    pub from: Place,
    /// What is written.
    pub to: Place,
    /// Bytes of a row, rows of a slice, slices. Where one is zero, nothing is copied.
    pub extent: [u64; 3],
    /// Bytes from a row to the next, and from a slice to the next, where it is read; no less than what they hold.
    pub from_pitch: [u64; 2],
    /// The same where it is written.
    pub to_pitch: [u64; 2],
}

impl Transfer {
    /// So many bytes in a row.
    pub fn bytes(to: Place, from: Place, bytes: u64) -> Self {
        Self { from, to, extent: [bytes, 1, 1], from_pitch: [bytes; 2], to_pitch: [bytes; 2] }
    }

    /// From the host's memory to the device's.
    pub fn to_device(to: DevicePtr, from: &[u8]) -> Self {
        Self::bytes(Place::Device(to), Place::Host(from.as_ptr() as u64), from.len() as u64)
    }

    /// From the device's memory to the host's.
    pub fn to_host(to: &mut [u8], from: DevicePtr) -> Self {
        Self::bytes(Place::Host(to.as_mut_ptr() as u64), Place::Device(from), to.len() as u64)
    }

    /// From one place in the device's memory to another.
    pub fn within(to: DevicePtr, from: DevicePtr, bytes: u64) -> Self {
        Self::bytes(Place::Device(to), Place::Device(from), bytes)
    }

    /// Bytes from the first to the last on a side with these distances.
    fn span(&self, pitch: [u64; 2]) -> Option<u64> {
        let [bytes, rows, slices] = self.extent;
        let wide_enough = (rows < 2 || pitch[0] >= bytes) && {
            let slice = (rows - 1).checked_mul(pitch[0])?.checked_add(bytes)?;
            slices < 2 || pitch[1] >= slice
        };
        let steps = (slices - 1).checked_mul(pitch[1])?.checked_add((rows - 1).checked_mul(pitch[0])?)?;
        steps.checked_add(bytes).filter(|_| wide_enough)
    }

    /// Finds what the sides lie in, to be held until the copy has ended; `None` if there is nothing to copy.
    ///
    /// # Errors
    /// A side is not where it is said to be, leaves its allocation, or has rows that overlap.
    pub(crate) fn check(&self, memory: &Memory) -> Result<Option<Held>, Error> {
        if self.extent.contains(&0) {
            return Ok(None);
        }
        let side = |what: &'static str, place: Place, pitch: [u64; 2]| {
            let bytes = self.span(pitch).ok_or(Error::Pitch { what, extent: self.extent, pitch })?;
            match place {
                Place::Device(at) => memory.range(what, at, bytes),
                Place::Host(at) if memory.is_apart() && memory.find(at).is_some() => {
                    Err(Error::NotHostMemory { what, address: at })
                }
                Place::Host(_) => Ok(None),
            }
        };
        let from = side("the source of a copy", self.from, self.from_pitch)?;
        let to = side("the destination of a copy", self.to, self.to_pitch)?;
        Ok(Some(Held { _sides: [from, to] }))
    }

    /// Copies. Where the sides overlap, a single row arrives as it was; of more, what arrives is not told.
    ///
    /// # Safety
    /// Both sides may be accessed as the copy does, and nothing else writes to them or reads what is written.
    pub(crate) unsafe fn run(&self) {
        let [mut bytes, mut rows, mut slices] = self.extent;
        // What follows each other without holes on both sides is one row.
        if self.from_pitch[0] == bytes && self.to_pitch[0] == bytes {
            bytes *= rows;
            rows = 1;
            if self.from_pitch[1] == bytes && self.to_pitch[1] == bytes {
                bytes *= slices;
                slices = 1;
            }
        }
        for z in 0..slices {
            for y in 0..rows {
                let at = |pitch: [u64; 2]| z * pitch[1] + y * pitch[0];
                let (from, to) = (self.from.offset(at(self.from_pitch)), self.to.offset(at(self.to_pitch)));
                // SAFETY: by the caller's promise; `check` has seen that no product or sum wraps.
                unsafe { std::ptr::copy(from.cast_const(), to, bytes as usize) };
            }
        }
    }
}

/// Keeps the allocations of a copy.
#[derive(Debug)]
pub(crate) struct Held {
    _sides: [Option<Arc<Block>>; 2],
}

/// Writes a pattern so many times, one after the other.
///
/// # Safety
/// The memory may be written, and nothing else accesses it.
pub(crate) unsafe fn fill(to: DevicePtr, pattern: &[u8], times: u64) {
    let start = to.0 as *mut u8;
    if let [byte] = pattern {
        // SAFETY: by the caller's promise.
        return unsafe { start.write_bytes(*byte, times as usize) };
    }
    for n in 0..times as usize {
        // SAFETY: by the caller's promise; the pattern is memory of its own.
        unsafe { std::ptr::copy_nonoverlapping(pattern.as_ptr(), start.add(n * pattern.len()), pattern.len()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A copy of a box out of an array of 5 slices of 4 rows of 7 bytes into one of rows of 16 bytes.
    fn boxed(from: Place, to: Place) -> Transfer {
        Transfer { from, to, extent: [3, 2, 4], from_pitch: [7, 28], to_pitch: [16, 64] }
    }

    #[test]
    fn rows_and_slices_arrive_where_they_should() {
        let memory = Memory::apart();
        let source: Vec<u8> = (0..140).collect();
        let at = memory.reserve(256, |bytes, _| bytes.fill(0xee)).expect("little");
        let t = boxed(Place::Host(source.as_ptr() as u64 + 30), Place::Device(at));
        let held = t.check(&memory).expect("fits").expect("something");
        // SAFETY: checked; nobody else knows the memory.
        unsafe { t.run() };
        drop(held);
        let mut back = vec![0; 256];
        let t = Transfer::to_host(&mut back, at);
        t.check(&memory).expect("fits");
        // SAFETY: as above.
        unsafe { t.run() };
        for (n, &byte) in back.iter().enumerate() {
            let (x, y, z) = (n % 16, n / 16 % 4, n / 64);
            let want = if x < 3 && y < 2 { (30 + x + 7 * y + 28 * z) as u8 } else { 0xee };
            assert_eq!(byte, want, "{n}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let memory = Memory::apart();
        let at = memory.allocate(256).expect("little");
        let host = [0u8; 256];
        let t = boxed(Place::Host(host.as_ptr() as u64), Place::Device(at.offset(50)));
        assert!(matches!(t.check(&memory), Err(Error::OutsideAllocation { size: 256, .. })));
        let t = boxed(Place::Device(DevicePtr(host.as_ptr() as u64)), Place::Device(at));
        assert!(matches!(t.check(&memory), Err(Error::NotDeviceMemory { what: "the source of a copy", .. })));
        let t = boxed(Place::Device(at), Place::Host(at.0));
        assert!(matches!(t.check(&memory), Err(Error::NotHostMemory { what: "the destination of a copy", .. })));
        let narrow = Transfer { to_pitch: [2, 64], ..boxed(Place::Device(at), Place::Device(at)) };
        assert!(matches!(narrow.check(&memory), Err(Error::Pitch { .. })));
        let wraps = Transfer { extent: [8, u64::MAX, 2], ..narrow };
        assert!(matches!(wraps.check(&memory), Err(Error::Pitch { .. })));
        let nothing = Transfer { extent: [8, 0, 2], ..narrow };
        assert!(nothing.check(&memory).expect("nothing").is_none());
    }

    #[test]
    fn patterns_are_repeated() {
        let memory = Memory::default();
        let at = memory.allocate(10).expect("little");
        let mut back = [0; 10];
        for (pattern, times, want) in
            [(&[1u8, 2, 3][..], 3, [1, 2, 3, 1, 2, 3, 1, 2, 3, 0]), (&[7], 2, [7, 7, 3, 1, 2, 3, 1, 2, 3, 0])]
        {
            // SAFETY: nobody else knows the memory, which is large enough.
            unsafe {
                fill(at, pattern, times);
                Transfer::to_host(&mut back, at).run();
            }
            assert_eq!(back, want);
        }
    }
}
