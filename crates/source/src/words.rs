//! Which name was meant: for "did you mean".
//!
//! The distance of two names is the number of letters to insert, delete or change, or of neighbours to swap, that make
//! one of the other (optimal string alignment).

/// Names of more bytes than this are not compared: nobody misspells so much, and the comparison takes the product of
/// both lengths.
const MAX: usize = 80;

/// A word that may be a misspelling, prepared for comparisons with many candidates.
#[derive(Clone, Copy, Debug)]
pub struct Misspelt<'a> {
    word: &'a str,
    shape: Shape,
    /// Mistakes allowed: a third of the letters.
    limit: usize,
}

/// What rules most candidates out before their letters are compared.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Which bytes occur, by their last six bits.
    bytes: u64,
    /// How many letters, or more than [`MAX`] of what is too long.
    letters: u8,
    ascii: bool,
}

impl Shape {
    /// The shape of a name.
    pub fn of(name: &str) -> Self {
        let letters = if name.len() <= MAX { name.chars().count() as u8 } else { u8::MAX };
        Self { bytes: name.bytes().fold(0, |set, b| set | 1 << (b & 63)), letters, ascii: name.is_ascii() }
    }
}

impl<'a> Misspelt<'a> {
    /// A word to compare with others; none if nothing resembles it: words of one letter, and those of too many.
    pub fn new(word: &'a str) -> Option<Self> {
        let shape = Shape::of(word);
        let few = shape.letters < 2 || word.len() > MAX;
        (!few).then(|| Self { word, shape, limit: (usize::from(shape.letters) / 3).max(1) })
    }

    /// Whether a candidate of this shape can resemble the word.
    pub fn may_be(&self, other: Shape) -> bool {
        // Each mistake brings in at most one byte of another kind, or four where letters have several; and takes as many.
        let few = |set: u64| set.count_ones() as usize <= self.limit * if self.shape.ascii { 1 } else { 4 };
        usize::from(other.letters.abs_diff(self.shape.letters)) <= self.limit
            && few(self.shape.bytes & !other.bytes)
            && (few(other.bytes & !self.shape.bytes) || !other.ascii)
    }

    /// How many mistakes a candidate is away, if by few enough and by something.
    pub fn distance(&self, candidate: &str) -> Option<usize> {
        let comparable = candidate.len() <= MAX && candidate != self.word && self.may_be(Shape::of(candidate));
        comparable.then(|| strsim::osa_distance(self.word, candidate)).filter(|&d| d <= self.limit)
    }
}

/// The candidate that differs least from `word`, by at most a third of the word's letters, but by something; of several
/// the first by name. Nothing resembles a word of one letter.
pub fn nearest<C: AsRef<str> + Ord>(word: &str, candidates: impl IntoIterator<Item = C>) -> Option<C> {
    let word = Misspelt::new(word)?;
    candidates.into_iter().filter_map(|c| Some((word.distance(c.as_ref())?, c))).min().map(|(_, c)| c)
}

#[cfg(test)]
mod tests {
    use super::{MAX, nearest};

    #[test]
    fn the_least_different_name_is_meant() {
        let names = ["arch", "march", "search", "part"];
        assert_eq!(nearest("archh", names), Some("arch"));
        assert_eq!(nearest("acrh", names), Some("arch"), "neighbours swapped are one mistake");
        assert_eq!(nearest("serch", names), Some("search"));
        assert_eq!(nearest("dart", ["cart", "bart"]), Some("bart"), "the first by name");
    }

    #[test]
    fn what_is_far_is_not_meant() {
        assert_eq!(nearest("kitten", ["sitting"]), None);
        assert_eq!(nearest("", ["a"]), None);
        assert_eq!(nearest("x", ["k", "xy"]), None);
        assert_eq!(nearest("a", ["abcdefgh"]), None);
        assert_eq!(nearest("arch", ["arch"]), None, "no name is a misspelling of itself");
    }

    #[test]
    fn letters_are_counted_not_bytes() {
        assert_eq!(nearest("größe", ["groesse", "grösse"]), None);
        assert_eq!(nearest("größer", ["großer"]), Some("großer"));
    }

    #[test]
    fn long_names_are_not_compared() {
        let long = "x".repeat(MAX + 1);
        let almost = "x".repeat(MAX);
        assert_eq!(nearest(&long, [almost.as_str()]), None);
        assert_eq!(nearest(&almost, [long.as_str()]), None);
    }
}
