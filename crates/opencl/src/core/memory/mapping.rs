//! Which regions of a buffer are mapped into the host's address space.
//!
//! Buffers live where the host sees them: mapping and unmapping move nothing. What is kept is the account: pointers that
//! may be unmapped, counts, and overlaps.

use crate::status::{Result, Status};

/// A mapped region.
#[derive(Clone, Copy, Debug)]
pub struct Mapping {
    /// The memory object that it was asked of, as a number.
    pub owner: usize,
    /// The address of its first byte, which is the pointer that the caller got.
    pub start: usize,
    /// Its size in bytes.
    pub size: usize,
    /// Whether it is mapped for writing.
    pub write: bool,
}

/// The mapped regions of a buffer and its sub-buffers.
#[derive(Default, Debug)]
pub struct Mappings(Vec<Mapping>);

impl Mappings {
    /// Adds a region.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION`: "Mapping (and unmapping) overlapped regions in a memory object and/or associated memory
    /// objects … for writing is an error".
    pub fn add(&mut self, new: Mapping) -> Result {
        let overlaps = |old: &Mapping| old.start < new.start + new.size && new.start < old.start + old.size;
        if new.write && self.0.iter().any(|old| old.write && overlaps(old)) {
            return Err(Status::INVALID_OPERATION);
        }
        self.0.push(new);
        Ok(())
    }

    /// Removes a region, the one that was mapped last if there are several.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE`: "mapped_ptr is not a valid pointer returned by clEnqueueMapBuffer or clEnqueueMapImage for
    /// memobj".
    pub fn remove(&mut self, owner: usize, start: usize) -> Result<Mapping> {
        let found = self.0.iter().rposition(|old| old.owner == owner && old.start == start);
        found.map(|at| self.0.remove(at)).ok_or(Status::INVALID_VALUE)
    }

    /// How many regions of a memory object are mapped.
    pub fn count(&self, owner: usize) -> usize {
        self.0.iter().filter(|old| old.owner == owner).count()
    }

    /// Forgets the regions of a memory object that is no more.
    pub fn forget(&mut self, owner: usize) {
        self.0.retain(|old| old.owner != owner);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_mapped_for_writing_do_not_overlap() {
        let mut maps = Mappings::default();
        let region = |owner, start, size, write| Mapping { owner, start, size, write };
        maps.add(region(1, 100, 10, true)).expect("the first");
        for (start, size) in [(100, 10), (109, 1), (91, 10), (0, 1000)] {
            assert_eq!(maps.add(region(2, start, size, true)), Err(Status::INVALID_OPERATION), "{start} {size}");
        }
        maps.add(region(1, 110, 5, true)).expect("beside");
        maps.add(region(1, 90, 10, true)).expect("before");
        maps.add(region(1, 100, 10, false)).expect("for reading");
        assert_eq!(maps.count(1), 4);
        assert_eq!(maps.remove(2, 100).err(), Some(Status::INVALID_VALUE));
        assert_eq!(maps.remove(1, 100).map(|m| m.write).ok(), Some(false));
        assert_eq!(maps.remove(1, 100).map(|m| m.write).ok(), Some(true));
        assert_eq!(maps.remove(1, 100).err(), Some(Status::INVALID_VALUE));
        maps.add(region(2, 100, 10, true)).expect("free again");
        maps.forget(1);
        assert_eq!((maps.count(1), maps.count(2)), (0, 1));
    }
}
