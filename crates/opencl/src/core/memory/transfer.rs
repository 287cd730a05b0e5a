//! Moving bytes: copies, rectangles, patterns.

use crate::core::check::written;
use crate::status::{Result, Status};
use runtime::HostDevice;
use std::ptr;

/// An address that may be sent to the thread that runs a command.
#[derive(Clone, Copy, Debug)]
pub struct Address(pub *mut u8);

// SAFETY: it is only a number until it is used, and those who use it promise that it may be.
unsafe impl Send for Address {}
// SAFETY: likewise.
unsafe impl Sync for Address {}

impl Address {
    /// The address so many bytes further on.
    fn at(self, offset: usize) -> *mut u8 {
        self.0.wrapping_add(offset)
    }
}

/// From this size on, the device's threads share a transfer: below, waking them takes longer than it saves.
const SHARED: usize = 4 << 20;

/// What a thread does at a time; a multiple of every pattern.
const PART: usize = 512 << 10;

/// Copies bytes; the regions may overlap.
///
/// # Safety
/// From `from` on, `size` bytes may be read, from `to` on written, and nobody else writes them meanwhile.
pub unsafe fn copy(device: &HostDevice, from: Address, to: Address, size: usize) {
    written::copied(from.0, to.0, size);
    let apart = (from.0 as usize).abs_diff(to.0 as usize);
    if size >= SHARED && apart >= size {
        device.share(size.div_ceil(PART), &|n| {
            let start = n * PART;
            // SAFETY: a part of the regions, which do not overlap; by the caller's promise.
            unsafe { ptr::copy_nonoverlapping(from.at(start), to.at(start), PART.min(size - start)) };
        });
    } else if apart != 0 {
        // SAFETY: by the caller's promise.
        unsafe { ptr::copy(from.0, to.0, size) };
    }
}

/// Fills with a pattern again and again.
///
/// # Safety
/// From `to` on, `size` bytes may be written, and nobody else accesses them meanwhile.
pub unsafe fn fill(device: &HostDevice, to: Address, size: usize, pattern: &[u8]) {
    written::wrote(to.0, size);
    let parts = if size >= SHARED { size.div_ceil(PART) } else { 1 };
    let most = if parts > 1 { PART } else { size };
    device.share(parts, &|n| {
        let start = n * PART;
        // SAFETY: a part of the region, by the caller's promise.
        unsafe { fill_part(to.at(start), most.min(size - start), pattern) };
    });
}

/// # Safety
/// As [`fill`].
unsafe fn fill_part(to: *mut u8, size: usize, pattern: &[u8]) {
    if pattern.iter().all(|&byte| byte == pattern[0]) {
        // SAFETY: by the caller's promise.
        unsafe { ptr::write_bytes(to, pattern[0], size) };
        return;
    }
    // What is written is copied behind itself, twice as much each time up to a size that stays in the nearest cache.
    let mut done = pattern.len().min(size);
    // SAFETY: within the region, by the caller's promise; a pattern is no part of it.
    unsafe { ptr::copy_nonoverlapping(pattern.as_ptr(), to, done) };
    let block = BLOCK.next_multiple_of(pattern.len());
    while done < size {
        let more = done.min(block).min(size - done);
        // SAFETY: both within the region; `more` is at most `done`, so that they do not overlap.
        unsafe { ptr::copy_nonoverlapping(to, to.add(done), more) };
        done += more;
    }
}

/// How much of a pattern is kept to copy from.
const BLOCK: usize = 8 << 10;

/// A rectangle in memory, or several in slices: where its rows are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Bytes before the first row.
    pub offset: usize,
    /// Bytes from row to row.
    pub row: usize,
    /// Bytes from slice to slice.
    pub slice: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Layout {
    /// Where a region lies; a pitch of 0 means that rows or slices follow one another without gaps.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE`: a side of the region is zero, the pitches do not fit the region or one another, or something is
    /// too large for an address.
    pub fn new(origin: [usize; 3], region: [usize; 3], row: usize, slice: usize) -> Result<Self> {
        // "if any region array element is zero; if row_pitch is not equal to zero and is less than region[0]"
        if region.contains(&0) || row != 0 && row < region[0] {
            return Err(Status::INVALID_VALUE);
        }
        // "If row_pitch is 0, row_pitch is computed as region[0]."
        let row = if row == 0 { region[0] } else { row };
        let dense = region[1].checked_mul(row).ok_or(Status::INVALID_VALUE)?;
        // "if slice_pitch is not equal to zero and is less than region[1] × row_pitch; if slice_pitch is not equal to zero and
        // is not a multiple of row_pitch"
        if slice != 0 && (slice < dense || !slice.is_multiple_of(row)) {
            return Err(Status::INVALID_VALUE);
        }
        // "If slice_pitch is 0, slice_pitch is computed as region[1] × row_pitch."
        let slice = if slice == 0 { dense } else { slice };
        let place = || {
            // "The offset in bytes is computed as origin[2] × slice_pitch + origin[1] × row_pitch + origin[0]."
            let at =
                |z: usize, y: usize, x: usize| z.checked_mul(slice)?.checked_add(y.checked_mul(row)?)?.checked_add(x);
            let offset = at(origin[2], origin[1], origin[0])?;
            let end = offset.checked_add(at(region[2] - 1, region[1] - 1, region[0])?)?;
            Some(Self { offset, row, slice, end })
        };
        place().ok_or(Status::INVALID_VALUE)
    }

    /// The same, so many bytes further on.
    pub fn moved(self, by: usize) -> Self {
        Self { offset: self.offset + by, end: self.end + by, ..self }
    }

    /// Whether a rectangle of this region shares bytes with one in another place of the same memory.
    pub fn overlaps(&self, other: &Self, region: [usize; 3]) -> bool {
        if self.end <= other.offset || other.end <= self.offset {
            return false;
        }
        // Rows of a layout follow one another, as pitches are never less than what they step over.
        let starts =
            |l: Self| (0..region[2]).flat_map(move |z| (0..region[1]).map(move |y| l.offset + z * l.slice + y * l.row));
        let mut others = starts(*other).peekable();
        for start in starts(*self) {
            while others.next_if(|&o| o + region[0] <= start).is_some() {}
            if others.peek().is_some_and(|&o| o < start + region[0]) {
                return true;
            }
        }
        false
    }
}

/// A rectangle's store and where it lies in it.
#[derive(Clone, Copy, Debug)]
pub struct Placed(pub Address, pub Layout);

/// Copies a region from one place to another.
///
/// # Safety
/// As [`copy`], of all rows of the layouts, from these addresses on.
pub unsafe fn copy_rect(device: &HostDevice, from: Placed, to: Placed, region: [usize; 3]) {
    let [width, height, depth] = region;
    // Rows that follow one another are one, and so are slices.
    let dense_rows = from.1.row == width && to.1.row == width || height == 1;
    let plane = width * height;
    let dense = dense_rows && (from.1.slice == plane && to.1.slice == plane || depth == 1);
    let (width, height, depth) = match (dense, dense_rows) {
        (true, _) => (plane * depth, 1, 1),
        (_, true) => (plane, 1, depth),
        _ => (width, height, depth),
    };
    let row = |Placed(start, l): Placed, z: usize, y: usize| Address(start.at(l.offset + z * l.slice + y * l.row));
    for z in 0..depth {
        for y in 0..height {
            // SAFETY: a row of the layouts, by the caller's promise.
            unsafe { copy(device, row(from, z, y), row(to, z, y), width) };
        }
    }
}

/// Fills the rows of a region with a pattern, which rows have a multiple of.
///
/// # Safety
/// As [`fill`], of all rows of the layout, from this address on.
pub unsafe fn fill_rect(device: &HostDevice, to: Placed, region: [usize; 3], pattern: &[u8]) {
    let Placed(start, l) = to;
    let [width, height, depth] = region;
    let (dense, plane) = (l.row == width || height == 1, width * height);
    let (width, height, depth) = match dense {
        true if l.slice == plane || depth == 1 => (plane * depth, 1, 1),
        true => (plane, 1, depth),
        false => (width, height, depth),
    };
    for z in 0..depth {
        for y in 0..height {
            // SAFETY: a row of the layout, by the caller's promise.
            unsafe { fill(device, Address(start.at(l.offset + z * l.slice + y * l.row)), width, pattern) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn bytes(l: &Layout, [width, height, depth]: [usize; 3]) -> BTreeSet<usize> {
        let rows = (0..depth).flat_map(|z| (0..height).map(move |y| l.offset + z * l.slice + y * l.row));
        rows.flat_map(|start| start..start + width).collect()
    }

    #[test]
    fn rectangles_overlap_where_they_share_bytes() {
        let region = [2, 2, 2];
        for (row, slice) in [(2, 4), (3, 6), (4, 12), (5, 10)] {
            let at = |n: usize| Layout::new([n, 0, 0], region, row, slice).expect("fits");
            for (a, b) in (0..40).flat_map(|a| (0..40).map(move |b| (at(a), at(b)))) {
                assert_eq!(bytes(&a, region).last().map(|n| n + 1), Some(a.end));
                let shared = !bytes(&a, region).is_disjoint(&bytes(&b, region));
                assert_eq!(a.overlaps(&b, region), shared, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn patterns_are_repeated_to_any_size() {
        let device = HostDevice::new(runtime::HostOptions::default()).expect("a device");
        for unit in [1, 2, 8, 128] {
            let pattern: Vec<u8> = (1..=unit).collect();
            for size in [0, unit.into(), 3 * usize::from(unit), 40 << 10, SHARED + PART - 128] {
                let mut out = vec![0; size + 1];
                // SAFETY: there is so much room.
                unsafe { fill(&device, Address(out.as_mut_ptr()), size, &pattern) };
                assert!(out[..size].iter().zip(pattern.iter().cycle()).all(|(a, b)| a == b));
                assert_eq!(out[size], 0, "nothing beyond {size}");
            }
        }
    }
    #[test]
    fn copies_of_any_size_are_whole_also_where_regions_overlap() {
        let device =
            HostDevice::new(runtime::HostOptions { threads: Some(2), ..Default::default() }).expect("a device");
        for (size, to) in [(0, 1), (1000, 1), (SHARED + 1, SHARED + 9), (SHARED + 1, 5), (SHARED + PART, 0)] {
            let mut bytes: Vec<u8> = (0..size + to).map(|n| (n % 251) as u8).collect();
            let start = Address(bytes.as_mut_ptr());
            // SAFETY: within the array.
            unsafe { copy(&device, start, Address(start.at(to)), size) };
            let right = bytes[to..].iter().enumerate().all(|(n, &b)| usize::from(b) == n % 251);
            assert!(right, "{size} bytes to {to}");
        }
    }
}
