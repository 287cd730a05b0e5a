//! Data races between work-groups.
//!
//! Nothing orders the groups of a launch, so two of them may touch the same byte of global memory only if both read, both
//! use atomic operations, or what is written was there already. Not reported: accesses of a group that has executed an
//! atomic operation on global memory before, which may have told it that the other group is done.
//!
//! For each word of four bytes the last write and two reads are remembered, each of one group.

use crate::pages::{PAGE_WORDS, Pages, WORD};
use crate::trap::Access;

/// Most words whose accesses are remembered, which takes about a GiB; later ones are not looked at.
const MAX_WORDS: usize = 1 << 24;

/// An access of a group.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    /// Number of the group in the launch.
    group: u32,
    /// Number of the work-item in the group: groups have fewer than 65,536.
    item: u16,
    /// The operation, by its number among all.
    place: u32,
    /// Which bytes of the word; 0: nobody.
    bytes: u8,
    /// Which of them by an atomic operation.
    atomic: u8,
}

/// Who has accessed a word.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Word {
    write: Mark,
    /// The first group that has read it, and the last one of the others.
    reads: [Mark; 2],
}

impl Word {
    /// Whether one of two histories of a word has written it, and the other has to do with it, too.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        let writes = |w: &Self| w.write.bytes != 0;
        let reads = |w: &Self| w.reads[0].bytes != 0;
        writes(self) && (writes(other) || reads(other)) || writes(other) && reads(self)
    }
}

/// Who accesses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Who {
    pub(crate) group: u32,
    pub(crate) item: u32,
    pub(crate) place: u32,
    pub(crate) atomic: bool,
}

/// A race that was found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) address: u64,
    pub(crate) group: u32,
    pub(crate) item: u32,
    pub(crate) place: u32,
    pub(crate) access: Access,
}

/// Accesses since the launch began.
#[derive(Debug)]
pub(crate) struct Between {
    words: Pages<Word>,
    full: bool,
}

impl Default for Between {
    fn default() -> Self {
        Self { words: Pages::new(MAX_WORDS / PAGE_WORDS), full: false }
    }
}

impl Between {
    /// Whether there was no access.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.used() == 0
    }

    /// Whether there was no room for some accesses.
    pub(crate) fn is_full(&self) -> bool {
        self.full
    }

    /// What is known of words, by pages of them and their numbers.
    pub(crate) fn pages(&self) -> impl Iterator<Item = (u64, &[Word; PAGE_WORDS])> {
        self.words.pages()
    }

    /// The page of this number, if something is known of a word in it.
    pub(crate) fn page(&self, number: u64) -> Option<&[Word; PAGE_WORDS]> {
        self.words.page(number)
    }

    /// The addresses of the words that were written.
    pub(crate) fn written(&self) -> impl Iterator<Item = u64> {
        self.words.pages().flat_map(|(number, words)| {
            let written = words.iter().enumerate().filter(|(_, w)| w.write.bytes != 0);
            written.map(move |(n, _)| Pages::<Word>::address(number, n))
        })
    }

    /// Records an access; `changes` says of each byte whether it gets another value.
    pub(crate) fn access(
        &mut self,
        address: u64,
        len: u64,
        changes: impl Fn(u64) -> bool,
        access: Access,
        who: Who,
    ) -> Option<Found> {
        let mut found = None;
        let mut at = address;
        while at < address + len {
            let word = at & !(WORD - 1);
            let end = (word + WORD).min(address + len);
            let all = ((1u8 << (end - at)) - 1) << (at - word);
            // Who writes what is there already disturbs nobody.
            let matters = match access {
                Access::Read => all,
                _ => (at..end).filter(|b| changes(b - address)).fold(0, |mask, b| mask | 1 << (b - word)),
            };
            let raced = self.touch(word, all, matters, access, who);
            found = found.or(raced);
            at = end;
        }
        found
    }

    fn touch(&mut self, word: u64, all: u8, matters: u8, access: Access, who: Who) -> Option<Found> {
        let Some(cell) = self.words.word(word) else {
            self.full = true;
            return None;
        };
        let against = |m: &Mark, how: Access| {
            let shared = m.bytes & matters & if who.atomic { !m.atomic } else { 0xff };
            (shared != 0 && m.group != who.group).then(|| Found {
                address: word + u64::from(shared.trailing_zeros()),
                group: m.group,
                item: m.item.into(),
                place: m.place,
                access: if m.bytes == m.atomic { Access::Atomic } else { how },
            })
        };
        let mut found = against(&cell.write, Access::Write);
        let atomic = if who.atomic { all } else { 0 };
        let mine = Mark { group: who.group, item: who.item as u16, place: who.place, bytes: all, atomic };
        if access == Access::Read {
            let first = cell.reads[0].bytes == 0 || cell.reads[0].group == who.group;
            cell.reads[usize::from(!first)].join(mine);
        } else {
            found = found.or_else(|| cell.reads.iter().find_map(|m| against(m, Access::Read)));
            cell.write.join(mine);
        }
        found
    }
}

impl Mark {
    /// Adds an access of the same group; one of another group replaces what was known.
    fn join(&mut self, new: Self) {
        if self.group != new.group || self.bytes == 0 {
            *self = new;
            return;
        }
        // Bytes are atomic that were accessed by atomic operations only.
        let atomic = self.atomic & new.atomic | self.atomic & !new.bytes | new.atomic & !self.bytes;
        let bytes = self.bytes | new.bytes;
        // What can be a race with atomic operations is the access to tell of.
        let told = if new.atomic == new.bytes && self.atomic != self.bytes { *self } else { new };
        *self = Self { bytes, atomic, ..told };
    }
}
