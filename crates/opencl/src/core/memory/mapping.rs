//! Which regions of a memory object are mapped into the host's address space.
//!
//! Memory objects live where the host sees them: mapping and unmapping move nothing. What is kept is the account: pointers that
//! may be unmapped, counts, and overlaps.

use crate::status::{Result, Status};

/// Where a region of an image begins in each dimension, and how far it goes.
pub type Box3 = [(usize, usize); 3];

/// A mapped region.
#[derive(Clone, Copy, Debug)]
pub struct Mapping {
    /// The memory object that it was asked of, as a number.
    pub owner: usize,
    /// The address of its first byte, which is the pointer that the caller got.
    pub start: usize,
    /// Bytes from its first to its last.
    pub size: usize,
    /// Which elements of an image it has; it need not have all bytes between its first and its last.
    pub part: Option<Box3>,
    /// Whether it is mapped for writing.
    pub write: bool,
}

impl Mapping {
    /// Whether they share bytes.
    fn overlaps(&self, other: &Self) -> bool {
        let meet = |a: (usize, usize), b: (usize, usize)| a.0 < b.0 + b.1 && b.0 < a.0 + a.1;
        // Elements of the same image tell it exactly; what else lies in a buffer is told by its bytes.
        match (self.part, other.part) {
            (Some(a), Some(b)) if self.owner == other.owner => (0..3).all(|d| meet(a[d], b[d])),
            _ => meet((self.start, self.size), (other.start, other.size)),
        }
    }
}

/// The mapped regions of a memory object and its parts.
#[derive(Default, Debug)]
pub struct Mappings(Vec<Mapping>);

impl Mappings {
    /// Adds a region.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION`: "Mapping (and unmapping) overlapped regions in a memory object and/or associated memory
    /// objects … for writing is an error".
    pub fn add(&mut self, new: Mapping) -> Result {
        if new.write && self.0.iter().any(|old| old.write && old.overlaps(&new)) {
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
        let region = |owner, start, size, write| Mapping { owner, start, size, part: None, write };
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

    #[test]
    fn parts_of_an_image_lie_beside_one_another() {
        let mut maps = Mappings::default();
        // Of an image of 8 by 4 bytes.
        let part = |x, y, width: usize, height: usize| {
            let part = Some([(x, width), (y, height), (0, 1)]);
            Mapping { owner: 1, start: 100 + 8 * y + x, size: 8 * (height - 1) + width, part, write: true }
        };
        maps.add(part(0, 0, 4, 4)).expect("the left half");
        assert_eq!(maps.add(part(3, 3, 2, 1)), Err(Status::INVALID_OPERATION));
        maps.add(part(4, 0, 4, 4)).expect("the right half");
        let of_buffer = Mapping { owner: 2, start: 104, size: 1, part: None, write: true };
        assert_eq!(maps.add(of_buffer), Err(Status::INVALID_OPERATION));
    }
}
