//! Data races between the work-items of a group.
//!
//! For each byte up to two writes and two reads since the last barrier are remembered, of different work-items: the first's
//! and the last's of the others. Two accesses race if they
//! come from different work-items, one of them writes, not both are atomic (volatile counts as atomic), and nothing
//! orders them: no barrier of the group (whose fence flags name that memory, where the code has them), no `warpsync` of a common warp. Not reported: writes of the value that is
//! there already, and pairs where the earlier work-item executed a fence after its access and the later one a fence
//! or an atomic operation (they may have agreed through memory). An asynchronous copy is a party of its own until a barrier
//! has waited for it.

use crate::memory::Tag;
use crate::trap::Access;
use rustc_hash::FxHashMap;

/// Numbers from here on are no work-items but asynchronous copies of the group.
const FIRST_COPY: u32 = 1 << 31;

/// The number of a group's asynchronous copy among those who access.
pub(crate) fn copy_party(n: usize) -> u32 {
    FIRST_COPY | n as u32
}

/// Whether the number of a work-item in a race means an asynchronous copy of its group.
pub fn is_copy(item: u32) -> bool {
    item & FIRST_COPY != 0
}

/// Who accesses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Party {
    /// Work-item, by its linear number in the group.
    pub(crate) item: u32,
    pub(crate) warp: u32,
    /// Number of `warpsync`s of its warp so far.
    pub(crate) warp_epoch: u32,
    /// Number of fences that it executed.
    pub(crate) fences: u32,
    pub(crate) atomic: bool,
    /// Function and operation.
    pub(crate) place: (u32, u32),
}

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    writers: [Option<Party>; 2],
    readers: [Option<Party>; 2],
}

/// A race that was found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) address: u64,
    pub(crate) other: Party,
    pub(crate) other_access: Access,
}

/// Remembers an access; but what a work-item has done without an atomic operation is not made good by one that follows.
fn keep(places: &mut [Option<Party>; 2], now: Party) {
    let place = match places {
        [Some(first), other] if first.item != now.item => other,
        [first, _] => first,
    };
    if !place.is_some_and(|p| p.item == now.item && !p.atomic && now.atomic) {
        *place = Some(now);
    }
}

/// Accesses since the last barrier.
#[derive(Debug)]
pub(crate) struct Races {
    cells: FxHashMap<u64, Cell>,
    /// Fences executed by each work-item.
    pub(crate) fences: Vec<u32>,
}

impl Races {
    /// For a group of so many work-items.
    pub(crate) fn new(items: usize) -> Self {
        Self { cells: FxHashMap::default(), fences: vec![0; items] }
    }

    /// Forgets everything: all work-items have met.
    pub(crate) fn barrier(&mut self) {
        self.cells.clear();
    }

    /// All work-items have met at a barrier that orders what they did in work-group memory, in global memory. `pending`:
    /// some copies go on; `complete` says which of them do not.
    pub(crate) fn meet(&mut self, local: bool, global: bool, pending: bool, complete: impl Fn(usize) -> bool) {
        if local && global && !pending {
            return self.barrier();
        }
        self.cells.retain(|&address, cell| {
            let ordered = if Tag::of_address(address) == Some(Tag::Shared) { local } else { global };
            let past = |p: &Party| if is_copy(p.item) { complete((p.item ^ FIRST_COPY) as usize) } else { ordered };
            for side in [&mut cell.writers, &mut cell.readers] {
                let left = side.map(|p| p.filter(|p| !past(p)));
                // The first place is filled first.
                *side = if left[0].is_some() { left } else { [left[1], None] };
            }
            cell.writers[0].is_some() || cell.readers[0].is_some()
        });
    }

    fn conflict(&self, earlier: Party, now: Party, ordering: bool) -> bool {
        let ordered_by_warp = earlier.warp == now.warp && earlier.warp_epoch < now.warp_epoch;
        let fenced = self.fences.get(earlier.item as usize).is_some_and(|&n| n > earlier.fences) && ordering;
        let harmless = earlier.item == now.item || earlier.atomic && now.atomic;
        !(harmless || ordered_by_warp || fenced)
    }

    /// Records an access of `bytes.len()` bytes; `bytes[n]` says whether byte `n` changes. `ordering`: the work-item
    /// has executed a fence or an atomic operation since the last barrier.
    pub(crate) fn access(
        &mut self,
        address: u64,
        len: u64,
        changes: impl Fn(u64) -> bool,
        access: Access,
        now: Party,
        ordering: bool,
    ) -> Option<Found> {
        for n in 0..len {
            let at = address + n;
            let mut cell = self.cells.get(&at).copied().unwrap_or_default();
            let found = |other, other_access| Some(Found { address: at, other, other_access });
            let silent = access == Access::Write && !changes(n);
            // The last one is told of.
            for w in cell.writers.into_iter().rev().flatten() {
                if !silent && self.conflict(w, now, ordering) {
                    return found(w, if w.atomic { Access::Atomic } else { Access::Write });
                }
            }
            if access == Access::Read {
                keep(&mut cell.readers, now);
            } else {
                for r in cell.readers.into_iter().flatten() {
                    if !silent && self.conflict(r, now, ordering) {
                        return found(r, Access::Read);
                    }
                }
                keep(&mut cell.writers, now);
            }
            self.cells.insert(at, cell);
        }
        None
    }
}
