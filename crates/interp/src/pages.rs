//! Something for each word of memory that was touched, found without a search where neighbours are touched after each other.

use crate::memory::object_of;
use rustc_hash::FxHashMap;

/// Bytes of a word.
pub(crate) const WORD: u64 = 4;

/// Words of a page.
pub(crate) const PAGE_WORDS: usize = 8;

/// Bytes of memory of a page.
const PAGE: u64 = WORD * PAGE_WORDS as u64;

/// Pages that are remembered per object: as many buffers as a work-item goes through at once.
const LAST: usize = 8;

/// Words by address; one that was never asked for is the default.
#[derive(Debug)]
pub(crate) struct Pages<W> {
    index: FxHashMap<u64, u32>,
    pages: Vec<Box<[W; PAGE_WORDS]>>,
    /// The numbers of the pages in use.
    numbers: Vec<u64>,
    /// How many of the pages are in use.
    used: usize,
    most: usize,
    /// Numbers of pages that were asked for last, and where they are.
    last: [(u64, u32); LAST],
}

impl<W: Default + Copy> Pages<W> {
    /// At most so many pages.
    pub(crate) fn new(most: usize) -> Self {
        Self { index: FxHashMap::default(), pages: Vec::new(), numbers: Vec::new(), used: 0, most, last: [(u64::MAX, 0); LAST] }
    }

    /// The word that the byte at an address is in; `None` if there is no room for it.
    pub(crate) fn word(&mut self, address: u64) -> Option<&mut W> {
        let number = address / PAGE;
        let last = &mut self.last[object_of(address) % LAST];
        if last.0 != number {
            let at = match self.index.get(&number) {
                Some(&at) => at,
                None if self.used >= self.most => return None,
                None => {
                    if self.used == self.pages.len() {
                        self.pages.push(Box::new([W::default(); PAGE_WORDS]));
                    }
                    self.index.insert(number, self.used as u32);
                    self.numbers.push(number);
                    self.used += 1;
                    self.used as u32 - 1
                }
            };
            *last = (number, at);
        }
        let page = &mut self.pages[last.1 as usize];
        Some(&mut page[(address / WORD) as usize % PAGE_WORDS])
    }

    /// How many pages are in use.
    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// Lets go of all pages. Their words keep what is in them: whoever uses them again must be able to tell.
    pub(crate) fn release(&mut self) {
        self.index.clear();
        self.numbers.clear();
        self.used = 0;
        self.last = [(u64::MAX, 0); LAST];
    }

    /// The pages in use and their numbers, in the order in which they were first asked for.
    pub(crate) fn pages(&self) -> impl Iterator<Item = (u64, &[W; PAGE_WORDS])> {
        self.numbers.iter().zip(&self.pages).map(|(&number, page)| (number, &**page))
    }

    /// The page of this number, if it is in use.
    pub(crate) fn page(&self, number: u64) -> Option<&[W; PAGE_WORDS]> {
        self.index.get(&number).map(|&at| &*self.pages[at as usize])
    }

    /// The address of the first byte of a page's word.
    pub(crate) fn address(number: u64, word: usize) -> u64 {
        number * PAGE + word as u64 * WORD
    }

    /// All words of the pages in use.
    pub(crate) fn words(&mut self) -> impl Iterator<Item = &mut W> {
        self.pages[..self.used].iter_mut().flat_map(|page| page.iter_mut())
    }
}
