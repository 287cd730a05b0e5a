//! Who has touched which words: as much as it takes to say that nobody disturbs anybody.
//!
//! Whatever [`crate::races`] and [`crate::between`] would report, in whatever order the accesses come, is a conflict here; some
//! things that they would not report are, too.

/// Bytes of a word.
pub(super) const WORD: usize = 4;

/// Words of a chunk.
const CHUNK: usize = 1 << 12;

/// Somebody has read it.
const READ: u32 = 1;
/// Somebody has written it.
const WRITTEN: u32 = 2;
/// Several have touched it: all have read it, or all have written the same.
const MANY: u32 = 4;
/// It has been written more than once, and with different values.
const VARIED: u32 = 8;
/// Bits of an owner's number below which flags are.
const FLAGS: u32 = 4;
/// Instead of all that: the number of cells, one for each byte.
const APART: u32 = 1 << 31;

/// Owners have numbers below this.
pub(super) const MAX_OWNER: u32 = (1 << (31 - FLAGS)) - 2;

/// How memory is accessed: whether it is written, and whether that changes what was there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    Read,
    Change,
    Same,
}

/// What is known of a place after one more access, by the owner of this number; `None`: they disturb each other.
#[inline(always)]
fn next(state: u32, owner: u32, how: How) -> Option<u32> {
    let mine = (owner + 1) << FLAGS;
    let flags = state & ((1 << FLAGS) - 1);
    if state == 0 {
        return Some(mine | if how == How::Read { READ } else { WRITTEN });
    }
    if state >> FLAGS == mine >> FLAGS && flags & MANY == 0 {
        let varied = if how == How::Change && flags & WRITTEN != 0 { VARIED } else { 0 };
        return Some(state | varied | if how == How::Read { READ } else { WRITTEN });
    }
    match how {
        How::Read if flags & WRITTEN == 0 => Some(state | MANY),
        How::Same if flags & (READ | VARIED) == 0 => Some(state | MANY),
        _ => None,
    }
}

/// A word of global memory, between groups and in the group.
#[derive(Clone, Copy, Default)]
struct Global {
    between: u32,
    within: u32,
    /// The phase in which the group's work-items have touched it.
    phase: u32,
}

/// States of places, some of which are known byte by byte.
#[derive(Default)]
struct Cells(Vec<[u32; WORD]>);

impl Cells {
    /// One more access to the bytes `from..to` of a word; whether all goes well.
    #[inline]
    fn touch(&mut self, state: &mut u32, (from, to): (usize, usize), owner: u32, how: impl Fn(usize) -> How) -> bool {
        if *state & APART == 0 {
            if to - from == WORD {
                let changes = (0..WORD).find(|&n| how(n) == How::Change);
                let all = if changes.is_some() { How::Change } else { how(0) };
                let new = next(*state, owner, all);
                *state = new.unwrap_or(*state);
                return new.is_some();
            }
            self.0.push([*state; WORD]);
            *state = APART | (self.0.len() as u32 - 1);
        }
        let cells = &mut self.0[(*state & !APART) as usize];
        (from..to).all(|n| match next(cells[n], owner, how(n)) {
            Some(new) => {
                cells[n] = new;
                true
            }
            None => false,
        })
    }

    /// Forgets what is known of a place.
    fn forget(&mut self, state: &mut u32) {
        if *state & APART == 0 {
            *state = 0;
        } else {
            self.0[(*state & !APART) as usize] = [0; WORD];
        }
    }

    fn byte(&self, state: u32, n: usize) -> u32 {
        if state & APART == 0 { state } else { self.0[(state & !APART) as usize][n] }
    }
}

/// Who accesses: the group, the work-item among those that run together, and the group's phase.
#[derive(Clone, Copy)]
pub(super) struct Who {
    pub(super) group: u32,
    pub(super) item: u32,
    pub(super) phase: u32,
}

/// What is known of global memory, by place in its arena.
#[derive(Default)]
pub(super) struct GlobalTags {
    chunks: Vec<Option<Box<[Global; CHUNK]>>>,
    between: Cells,
    within: Cells,
}

impl GlobalTags {
    /// For so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        let chunks = bytes.div_ceil(WORD).div_ceil(CHUNK);
        Self { chunks: std::iter::repeat_with(|| None).take(chunks).collect(), ..Self::default() }
    }

    /// One more access; `how(n)` says of each of its bytes what becomes of it. Whether all goes well.
    #[inline]
    pub(super) fn touch(&mut self, at: usize, len: usize, who: Who, how: impl Fn(usize) -> How) -> bool {
        let mut from = at;
        while from < at + len {
            let word = from / WORD;
            let to = ((word + 1) * WORD).min(at + len);
            let chunk = self.chunks[word / CHUNK].get_or_insert_with(|| Box::new([Global::default(); CHUNK]));
            let tag = &mut chunk[word % CHUNK];
            if tag.phase != who.phase {
                tag.phase = who.phase;
                self.within.forget(&mut tag.within);
            }
            let bytes = (from - word * WORD, to - word * WORD);
            let how = |n: usize| how(word * WORD + n - at);
            if !self.between.touch(&mut tag.between, bytes, who.group, how)
                || !self.within.touch(&mut tag.within, bytes, who.item, how)
            {
                return false;
            }
            from = to;
        }
        true
    }

    /// Whether some byte was written here and touched there, or the other way round.
    pub(super) fn meets(&self, other: &Self) -> bool {
        let pairs = self.chunks.iter().zip(&other.chunks).filter_map(|(a, b)| Some((a.as_ref()?, b.as_ref()?)));
        { pairs }.flat_map(|(a, b)| a.iter().zip(b.iter())).any(|(a, b)| {
            let (a, b) = (a.between, b.between);
            a != 0
                && b != 0
                && (0..WORD).any(|n| {
                    let (a, b) = (self.between.byte(a, n), other.between.byte(b, n));
                    a != 0 && b != 0 && (a | b) & WRITTEN != 0
                })
        })
    }

    /// Calls for each byte that was written, by runs of them: first and behind the last.
    pub(super) fn written(&self, mut run: impl FnMut(usize, usize)) {
        let mut open: Option<(usize, usize)> = None;
        for (c, chunk) in self.chunks.iter().enumerate() {
            let Some(chunk) = chunk else { continue };
            for (w, tag) in chunk.iter().enumerate().filter(|(_, t)| t.between != 0) {
                let at = (c * CHUNK + w) * WORD;
                for n in (0..WORD).filter(|&n| self.between.byte(tag.between, n) & WRITTEN != 0) {
                    match &mut open {
                        Some((_, end)) if *end == at + n => *end += 1,
                        _ => {
                            if let Some((from, to)) = open.replace((at + n, at + n + 1)) {
                                run(from, to);
                            }
                        }
                    }
                }
            }
        }
        if let Some((from, to)) = open {
            run(from, to);
        }
    }
}

/// What is known of work-group memory of groups that run together.
#[derive(Default)]
pub(super) struct SharedTags {
    words: Vec<(u32, u32)>,
    within: Cells,
}

impl SharedTags {
    /// Forgets everything, and has room for so many bytes.
    pub(super) fn reset(&mut self, bytes: usize) {
        self.words.clear();
        self.words.resize(bytes.div_ceil(WORD), (0, 0));
        self.within.0.clear();
    }

    /// As [`GlobalTags::touch`].
    #[inline]
    pub(super) fn touch(&mut self, at: usize, len: usize, who: Who, how: impl Fn(usize) -> How) -> bool {
        let mut from = at;
        while from < at + len {
            let word = from / WORD;
            let to = ((word + 1) * WORD).min(at + len);
            let (state, phase) = &mut self.words[word];
            if *phase != who.phase {
                *phase = who.phase;
                self.within.forget(state);
            }
            let bytes = (from - word * WORD, to - word * WORD);
            if !self.within.touch(state, bytes, who.item, |n| how(word * WORD + n - at)) {
                return false;
            }
            from = to;
        }
        true
    }
}
