//! Something for each word of memory that was touched, found without a search where neighbours are touched after each other.

use rustc_hash::FxHashMap;

/// Bytes of a word.
pub(crate) const WORD: u64 = 4;

/// Words of a page.
pub(crate) const PAGE_WORDS: usize = 8;

/// Bytes of memory of a page.
const PAGE: u64 = WORD * PAGE_WORDS as u64;

/// Objects whose places are remembered: as many buffers as a work-item goes through at once.
const LAST: usize = 8;

/// Pages of an object whose places are found together.
const CHUNK: usize = 1 << 10;

/// Bits of an address that say where in its object it is.
const OFFSET: u64 = (1 << 32) - 1;

/// Where the pages of an object are, one more than that; 0 where there is none.
type Places = Vec<Option<Box<[u32; CHUNK]>>>;

/// Words by address; one that was never asked for is the default. All addresses are of one kind of memory.
#[derive(Debug)]
pub(crate) struct Pages<W> {
    /// Which of `places` is an object's.
    objects: FxHashMap<u64, u32>,
    places: Vec<Places>,
    pages: Vec<Box<[W; PAGE_WORDS]>>,
    /// The numbers of the pages in use.
    numbers: Vec<u64>,
    most: usize,
    /// Objects that were asked for last, and which of `places` are theirs.
    last: [(u64, u32); LAST],
}

impl<W: Default + Copy> Pages<W> {
    /// At most so many pages.
    pub(crate) fn new(most: usize) -> Self {
        let last = [(u64::MAX, 0); LAST];
        Self { objects: FxHashMap::default(), places: Vec::new(), pages: Vec::new(), numbers: Vec::new(), most, last }
    }

    /// The word that the byte at an address is in; `None` if there is no room for it.
    pub(crate) fn word(&mut self, address: u64) -> Option<&mut W> {
        let object = address >> 32;
        let last = &mut self.last[object as usize % LAST];
        if last.0 != object {
            let next = self.places.len() as u32;
            let slot = *self.objects.entry(object).or_insert(next);
            if slot == next {
                self.places.push(Places::new());
            }
            *last = (object, slot);
        }
        let places = &mut self.places[last.1 as usize];
        let page = ((address & OFFSET) / PAGE) as usize;
        if page / CHUNK >= places.len() {
            places.resize(page / CHUNK + 1, None);
        }
        let chunk = places[page / CHUNK].get_or_insert_with(|| Box::new([0; CHUNK]));
        let place = &mut chunk[page % CHUNK];
        if *place == 0 {
            let used = self.numbers.len();
            if used >= self.most {
                return None;
            }
            if used == self.pages.len() {
                self.pages.push(Box::new([W::default(); PAGE_WORDS]));
            }
            self.numbers.push(address / PAGE);
            *place = used as u32 + 1;
        }
        let page = &mut self.pages[*place as usize - 1];
        Some(&mut page[(address / WORD) as usize % PAGE_WORDS])
    }

    /// Where in `places` the place of a page is.
    fn place(number: u64) -> (u64, usize) {
        let address = number * PAGE;
        (address >> 32, ((address & OFFSET) / PAGE) as usize)
    }

    /// How many pages are in use.
    pub(crate) fn used(&self) -> usize {
        self.numbers.len()
    }

    /// Lets go of all pages. Their words keep what is in them: whoever uses them again must be able to tell.
    pub(crate) fn release(&mut self) {
        for number in self.numbers.drain(..) {
            let (object, page) = Self::place(number);
            let places = self.objects.get(&object).and_then(|&slot| self.places[slot as usize].get_mut(page / CHUNK));
            if let Some(Some(chunk)) = places {
                chunk[page % CHUNK] = 0;
            }
        }
    }

    /// The pages in use and their numbers, in the order in which they were first asked for.
    pub(crate) fn pages(&self) -> impl Iterator<Item = (u64, &[W; PAGE_WORDS])> {
        self.numbers.iter().zip(&self.pages).map(|(&number, page)| (number, &**page))
    }

    /// The page of this number, if it is in use.
    pub(crate) fn page(&self, number: u64) -> Option<&[W; PAGE_WORDS]> {
        let (object, page) = Self::place(number);
        let chunk = self.places[*self.objects.get(&object)? as usize].get(page / CHUNK)?.as_ref()?;
        let at = chunk[page % CHUNK].checked_sub(1)?;
        Some(&self.pages[at as usize])
    }

    /// The address of the first byte of a page's word.
    pub(crate) fn address(number: u64, word: usize) -> u64 {
        number * PAGE + word as u64 * WORD
    }

    /// All words of the pages in use.
    pub(crate) fn words(&mut self) -> impl Iterator<Item = &mut W> {
        let used = self.numbers.len();
        self.pages[..used].iter_mut().flat_map(|page| page.iter_mut())
    }
}
