//! Sections of arrays: which stretches of memory they are, and their rows to and from the device.

use crate::memory;

/// One dimension of a section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dim {
    pub(crate) lower: isize,
    pub(crate) count: isize,
    pub(crate) stride: isize,
    /// What this dimension indexes is reached through a pointer.
    pub(crate) pointer: bool,
}

/// A stretch of the host's memory with the rows of it that a section has.
#[derive(Clone, Debug)]
pub(crate) struct Stretch {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Count and distance of each outer dimension.
    pub(crate) outer: Vec<(usize, usize)>,
    /// Bytes of a row.
    pub(crate) row: usize,
}

impl Stretch {
    pub(crate) fn of(base: usize, dims: &[Dim]) -> Self {
        let size = dims.last().map_or(0, |d| d.stride as usize);
        if dims.iter().any(|d| d.count <= 0) {
            let start = base.wrapping_add_signed(dims.iter().map(|d| d.lower * d.stride).sum());
            return Self { start, end: start, outer: Vec::new(), row: 0 };
        }
        let start = base.wrapping_add_signed(dims.iter().map(|d| d.lower * d.stride).sum());
        let last: isize = dims.iter().map(|d| (d.count - 1) * d.stride).sum();
        let end = start.wrapping_add_signed(last) + size;
        let mut outer: Vec<(usize, usize)> = dims.iter().map(|d| (d.count as usize, d.stride as usize)).collect();
        let mut row = size;
        // Dimensions that are whole join the one inside.
        while let Some(&(count, stride)) = outer.last() {
            if stride != row {
                break;
            }
            row = count * stride;
            outer.pop();
        }
        Self { start, end, outer, row }
    }

    /// Bytes of all rows.
    pub(crate) fn bytes(&self) -> usize {
        self.row * self.outer.iter().map(|o| o.0).product::<usize>()
    }

    /// Calls `f` with the offset and length of each row.
    pub(crate) fn rows(&self, mut f: impl FnMut(usize, usize)) {
        if self.row == 0 {
            return;
        }
        let total: usize = self.outer.iter().map(|o| o.0).product();
        for n in 0..total {
            let (mut rest, mut at) = (n, 0);
            for &(count, stride) in self.outer.iter().rev() {
                at += rest % count * stride;
                rest /= count;
            }
            f(at, self.row);
        }
    }
}

/// The first dimension of a section whose elements are not all in the row that they belong to: its number from 1, its first element and
/// the one behind its last, and how many a row has. Rows would overlap.
pub(crate) fn overlapping(dims: &[Dim]) -> Option<(usize, isize, isize, isize)> {
    dims.windows(2).enumerate().find_map(|(n, d)| {
        let (outer, inner) = (d[0], d[1]);
        let rows = !inner.pointer && outer.count > 1 && inner.count > 0 && inner.stride > 0;
        let extent = if rows { outer.stride / inner.stride } else { return None };
        let end = inner.lower.saturating_add(inner.count);
        (inner.lower < 0 || end > extent).then_some((n + 2, inner.lower, end, extent))
    })
}

/// Takes a stretch, the pointer that it is a section of, where that lies, and whether the stretch holds pointers.
pub(crate) type Visit<'a> = dyn FnMut(&Stretch, usize, Option<usize>, bool) + 'a;

/// Visits the stretches of an item, those with pointers before those they point to; `slot` is where the pointer to a stretch lies.
pub(crate) fn stretches(base: usize, dims: &[Dim], slot: Option<usize>, f: &mut Visit<'_>) {
    let split = dims.iter().skip(1).position(|d| d.pointer).map(|i| i + 1);
    let Some(split) = split else {
        return f(&Stretch::of(base, dims), base, slot, false);
    };
    let head = Stretch::of(base, &dims[..split]);
    f(&head, base, slot, true);
    head.rows(|at, len| {
        for p in (at..at + len).step_by(size_of::<usize>()) {
            let slot = head.start + p;
            // SAFETY: the program says that there are pointers in this section.
            let row = unsafe { *(slot as *const usize) };
            if row != 0 {
                stretches(row, &dims[split..], Some(slot), f);
            }
        }
    });
}

/// Copies rows to the device.
pub(crate) fn to_device(s: &Stretch, device: usize) {
    // SAFETY: the device's memory is as long as the stretch; the host's is the program's.
    s.rows(|at, len| unsafe { memory::copy_in(device + at, s.start + at, len) });
}

/// Copies rows from the device; pointers that hold its addresses stay as the host has them.
pub(crate) fn to_host(s: &Stretch, device: usize, attached: &[usize]) {
    s.rows(|at, len| {
        let mut from = at;
        for &slot in attached.iter().filter(|&&p| p >= s.start + at && p + 8 <= s.start + at + len) {
            let upto = slot - s.start;
            // SAFETY: as above.
            unsafe { memory::copy_out(s.start + from, device + from, upto - from) };
            from = upto + 8;
        }
        // SAFETY: as above.
        unsafe { memory::copy_out(s.start + from, device + from, at + len - from) };
    });
}
