//! Data races between the work-items of a group.
//!
//! For each byte up to two writes and two reads since the last barrier are remembered, of different work-items: the first's
//! and the last's of the others; once for a whole word while its bytes are accessed together. Two accesses race if they
//! come from different work-items, one of them writes, not both are atomic (volatile counts as atomic), and nothing
//! orders them: no barrier of the group (whose fence flags name that memory, where the code has them), no `warpsync` of a common warp. Not reported: writes of the value that is
//! there already, and pairs where the earlier work-item executed a fence after its access and the later one a fence
//! or an atomic operation (they may have agreed through memory). An asynchronous copy is a party of its own until a barrier
//! has waited for it.

use crate::memory::Tag;
use crate::pages::{Pages, WORD};
use crate::trap::Access;
use std::num::NonZeroU32;

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
    pub(crate) warp: u16,
    /// Number of `warpsync`s of its warp so far.
    pub(crate) warp_epoch: u32,
    /// Number of fences that it executed.
    pub(crate) fences: u32,
    pub(crate) atomic: bool,
    /// The operation, by its number among all.
    pub(crate) place: u32,
}

/// Pages of memory of a kind that are kept for the accesses after a barrier.
const KEPT_PAGES: usize = 1 << 14;

#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    writers: [Option<Party>; 2],
    readers: [Option<Party>; 2],
}

/// What is known of a word.
#[derive(Clone, Copy, Debug, Default)]
struct Word {
    /// The phase that it was accessed in; what is known from an earlier one is of no use any more.
    phase: u32,
    /// Where its bytes' cells are in [`Memory::bytes`], if it has one for each of them.
    bytes: Option<NonZeroU32>,
    cell: Cell,
}

/// What is known of a kind of memory.
#[derive(Debug)]
struct Memory {
    words: Pages<Word>,
    /// Cells of the bytes of words whose bytes were not accessed together; the first is nobody's.
    bytes: Vec<[Cell; WORD as usize]>,
    /// How often all work-items have met, counted from 1.
    phase: u32,
}

impl Memory {
    fn new() -> Self {
        Self { words: Pages::new(usize::MAX), bytes: vec![[Cell::default(); WORD as usize]], phase: 1 }
    }

    /// All work-items have met: forgets everything.
    fn forget(&mut self) {
        self.bytes.truncate(1);
        self.phase = self.phase.wrapping_add(1);
        if self.phase == 0 {
            // Words of the phases that had these numbers may be left.
            *self = Self::new();
        }
        if self.words.used() > KEPT_PAGES {
            self.words.release();
        }
    }

    /// Forgets some of the parties.
    fn forget_some(&mut self, past: impl Fn(&Party) -> bool) {
        let cells = self.words.words().map(|word| &mut word.cell).chain(self.bytes.iter_mut().flatten());
        for cell in cells {
            for side in [&mut cell.writers, &mut cell.readers] {
                let left = side.map(|p| p.filter(|p| !past(p)));
                // The first place is filled first.
                *side = if left[0].is_some() { left } else { [left[1], None] };
            }
        }
    }
}

/// A race that was found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) address: u64,
    pub(crate) other: Party,
    pub(crate) other_access: Access,
}

/// The fences that each work-item has executed, and whether the one that accesses now has done something that orders.
#[derive(Clone, Copy)]
struct Order<'a> {
    fences: &'a [u32],
    ordering: bool,
}

impl Order<'_> {
    fn conflict(self, earlier: Party, now: Party) -> bool {
        let ordered_by_warp = earlier.warp == now.warp && earlier.warp_epoch < now.warp_epoch;
        let fenced = self.ordering && self.fences.get(earlier.item as usize).is_some_and(|&n| n > earlier.fences);
        let harmless = earlier.item == now.item || earlier.atomic && now.atomic;
        !(harmless || ordered_by_warp || fenced)
    }
}

impl Cell {
    /// Who has accessed it in a way that races with an access that matters. The last one is told of.
    #[inline]
    fn conflict(&self, access: Access, now: Party, order: Order<'_>) -> Option<(Party, Access)> {
        let races = |p: &Party| order.conflict(*p, now);
        if let Some(w) = self.writers.into_iter().rev().flatten().find(races) {
            return Some((w, if w.atomic { Access::Atomic } else { Access::Write }));
        }
        let readers = if access == Access::Read { [None; 2] } else { self.readers };
        readers.into_iter().flatten().find(races).map(|r| (r, Access::Read))
    }

    #[inline]
    fn keep(&mut self, access: Access, now: Party) {
        keep(if access == Access::Read { &mut self.readers } else { &mut self.writers }, now);
    }
}

/// Remembers an access; but what a work-item has done without an atomic operation is not made good by one that follows.
#[inline]
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
    global: Memory,
    shared: Memory,
    /// A copy has accessed memory since all that was known was forgotten.
    copies: bool,
    /// Fences executed by each work-item.
    pub(crate) fences: Vec<u32>,
}

impl Races {
    /// For groups of so many work-items.
    pub(crate) fn new(items: usize) -> Self {
        Self { global: Memory::new(), shared: Memory::new(), copies: false, fences: vec![0; items] }
    }

    /// Another group begins.
    pub(crate) fn begin_group(&mut self) {
        self.barrier();
        self.fences.fill(0);
    }

    /// Forgets everything: all work-items have met.
    pub(crate) fn barrier(&mut self) {
        self.global.forget();
        self.shared.forget();
        self.copies = false;
    }

    /// All work-items have met at a barrier that orders what they did in work-group memory, in global memory. `pending`:
    /// some copies go on; `complete` says which of them do not.
    pub(crate) fn meet(&mut self, local: bool, global: bool, pending: bool, complete: impl Fn(usize) -> bool) {
        if local && global && !pending {
            return self.barrier();
        }
        for (memory, ordered) in [(&mut self.shared, local), (&mut self.global, global)] {
            match (self.copies, ordered) {
                (true, _) => memory.forget_some(|p| match is_copy(p.item) {
                    true => complete((p.item ^ FIRST_COPY) as usize),
                    false => ordered,
                }),
                (false, true) => memory.forget(),
                (false, false) => {}
            }
        }
    }

    /// Records an access of `len` bytes; `changes(n)` says whether byte `n` changes. `ordering`: the work-item
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
        self.copies |= is_copy(now.item);
        let order = Order { fences: &self.fences, ordering };
        let memory = if Tag::of_address(address) == Some(Tag::Shared) { &mut self.shared } else { &mut self.global };
        let silent = |byte: u64| access == Access::Write && !changes(byte - address);
        let end = address + len;
        let mut at = address;
        while at < end {
            let word = memory.words.word(at)?;
            if word.phase != memory.phase {
                *word = Word { phase: memory.phase, ..Word::default() };
            }
            let next = (at & !(WORD - 1)) + WORD;
            if word.bytes.is_none() && next - at == WORD && next <= end {
                let conflict = word.cell.conflict(access, now, order);
                if conflict.is_none() || (at..next).all(silent) {
                    word.cell.keep(access, now);
                    at = next;
                    continue;
                }
            }
            let cells = *word.bytes.get_or_insert_with(|| {
                memory.bytes.push([word.cell; WORD as usize]);
                NonZeroU32::new(memory.bytes.len() as u32 - 1).expect("the first is nobody's")
            });
            for byte in at..next.min(end) {
                let cell = &mut memory.bytes[cells.get() as usize][(byte % WORD) as usize];
                if let Some((other, other_access)) = cell.conflict(access, now, order).filter(|_| !silent(byte)) {
                    return Some(Found { address: byte, other, other_access });
                }
                cell.keep(access, now);
            }
            at = next;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Numbers that look random (xorshift64*).
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, n: u64) -> u64 {
            self.0 ^= self.0 >> 12;
            self.0 ^= self.0 << 25;
            self.0 ^= self.0 >> 27;
            (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % n
        }
    }

    /// What the accesses are compared with: a cell for each byte, found in a map.
    struct ByByte {
        cells: BTreeMap<u64, Cell>,
        fences: Vec<u32>,
    }

    impl ByByte {
        fn access(
            &mut self,
            at: u64,
            changes: bool,
            access: Access,
            now: Party,
            ordering: bool,
        ) -> Option<(Party, Access)> {
            let order = Order { fences: &self.fences, ordering };
            let cell = self.cells.entry(at).or_default();
            if let Some(found) = cell.conflict(access, now, order).filter(|_| changes || access != Access::Write) {
                return Some(found);
            }
            cell.keep(access, now);
            None
        }

        fn meet(&mut self, local: bool, global: bool, complete: impl Fn(usize) -> bool) {
            for (&address, cell) in &mut self.cells {
                let ordered = if Tag::of_address(address) == Some(Tag::Shared) { local } else { global };
                let stays =
                    |p: &Party| if is_copy(p.item) { !complete((p.item ^ FIRST_COPY) as usize) } else { !ordered };
                for side in [&mut cell.writers, &mut cell.readers] {
                    let left: Vec<Party> = side.iter().flatten().copied().filter(stays).collect();
                    *side = [left.first().copied(), left.get(1).copied()];
                }
            }
        }
    }

    const ITEMS: u64 = 6;

    /// An access of either, of the same bytes by the same party: what both say.
    fn access_both(races: &mut Races, bytes: &mut ByByte, dice: &mut Dice, copies: bool) {
        let tag = [Tag::Global, Tag::Shared][dice.below(2) as usize];
        let at = (tag as u64) << 56 | dice.below(40);
        let len = [1, 2, 4, 4, 4, 8, 16][dice.below(7) as usize];
        let access = [Access::Read, Access::Read, Access::Write, Access::Write, Access::Atomic][dice.below(5) as usize];
        let atomic = access == Access::Atomic || dice.below(6) == 0;
        let copy = copies && dice.below(8) == 0;
        let item = dice.below(ITEMS) as u32;
        let now = Party {
            item: if copy { copy_party(dice.below(2) as usize) } else { item },
            warp: if copy { u16::MAX } else { item as u16 / 2 },
            warp_epoch: dice.below(2) as u32,
            fences: bytes.fences[item as usize],
            atomic,
            place: dice.below(100) as u32,
        };
        let changed = [0, 0xffff, dice.below(1 << 16)][dice.below(3) as usize];
        let changes = |n: u64| changed >> n & 1 == 1;
        let ordering = dice.below(3) == 0;
        let found = races.access(at, len, changes, access, now, ordering);
        let wanted = (0..len).find_map(|n| {
            let found = bytes.access(at + n, changes(n), access, now, ordering);
            found.map(|(other, how)| (at + n, other.item, other.place, how))
        });
        assert_eq!(found.map(|f| (f.address, f.other.item, f.other.place, f.other_access)), wanted);
    }

    #[test]
    fn words_that_are_accessed_whole_and_in_part_say_what_bytes_say() {
        for seed in 1..=400 {
            let mut dice = Dice(seed * 0x9E37_79B9);
            let mut races = Races::new(ITEMS as usize);
            let mut bytes = ByByte { cells: BTreeMap::new(), fences: vec![0; ITEMS as usize] };
            let copies = seed % 3 == 0;
            for _ in 0..300 {
                match dice.below(24) {
                    0 => {
                        let (local, global) = (dice.below(2) == 0, dice.below(2) == 0);
                        let complete = [dice.below(2) == 0, dice.below(2) == 0];
                        let pending = copies && complete != [true; 2];
                        let complete = |n: usize| complete[n] || !pending;
                        races.meet(local, global, pending, complete);
                        bytes.meet(local, global, complete);
                    }
                    1 => {
                        let item = dice.below(ITEMS) as usize;
                        races.fences[item] += 1;
                        bytes.fences[item] += 1;
                    }
                    2 if dice.below(8) == 0 => {
                        races.begin_group();
                        bytes = ByByte { cells: BTreeMap::new(), fences: vec![0; ITEMS as usize] };
                    }
                    _ => access_both(&mut races, &mut bytes, &mut dice, copies),
                }
            }
        }
    }

    #[test]
    fn what_is_kept_after_a_barrier_has_a_bound() {
        let mut races = Races::new(2);
        let now = Party { item: 0, warp: 0, warp_epoch: 0, fences: 0, atomic: false, place: 0 };
        let start = (Tag::Global as u64) << 56;
        for n in 0..2 * KEPT_PAGES as u64 {
            assert!(races.access(start + 64 * n, 4, |_| true, Access::Write, now, false).is_none());
        }
        assert_eq!(races.global.words.used(), 2 * KEPT_PAGES);
        races.barrier();
        assert_eq!(races.global.words.used(), 0);
        // The pages are used again, and nobody races with what was there.
        let other = Party { item: 1, ..now };
        assert!(races.access(start + 4, 4, |_| true, Access::Write, other, false).is_none());
        let found = races.access(start + 4, 4, |_| true, Access::Write, now, false).expect("a race");
        assert_eq!((found.address, found.other.item), (start + 4, 1));
    }
}
